//! The operations of the fast path with blocks of different lengths.

use dunlin_coll as coll;
use dunlin_coll::{Member, NodeChannel, View};
use dunlin_coll::{allgatherv, alltoallv, gatherv, scatterv};

use crate::coll::dense_executor::{Buffers, DenseExecutor};
use crate::coll::fast_path::{CollFastPath, Way, shared_forms};
use crate::coll::plain_arguments::{Bytes, Members, PlainBlocks, at_root, resolved_alike};
use crate::coll::transfer::UNKNOWN;
use crate::objects::barrier_exit::Rooted;

impl<W: Way> CollFastPath<W>
where
    for<'p> DenseExecutor<'p, W::Waits>: NodeChannel,
{
    /// Whether `per_block` sends a block of so many bytes, or one of `blocks`: then the call takes
    /// the slow path, which has messages.
    fn sends(&self, bytes: usize, blocks: Option<&PlainBlocks>) -> bool {
        let counts = blocks.map_or(&[][..], |blocks| blocks.layout().counts);
        self.module.better_sent(bytes) || counts.iter().any(|&b| self.module.better_sent(b))
    }

    /// A gatherv in which this rank has no data for the root or, as the root, gets none: it copies
    /// its own block.
    /// With blocks of no bytes two ranks take 30 instead of 230 ns.
    fn locally(&self, buffers: Buffers, v: coll::Gatherv<'_>) -> W::Outcome {
        let own = (self.rank() == v.root).then(|| v.recv.recv(v.root));
        let sent = View::send(0, v.send_len);
        self.run(buffers, async move |ch| own.map_or(Ok(()), |own| ch.copy(sent, own)))
    }

    /// `MPI_Gatherv`; only the root has `recv`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn gatherv(
        &self,
        send: Option<Bytes>,
        recv: Option<PlainBlocks>,
        root: usize,
    ) -> Option<W::Outcome> {
        let send = resolved_alike(send, recv.as_ref().map(|recv| recv.block(root)))?;
        let buffers = Buffers::moved(send.0, at_root(recv.as_ref()).0);
        let how = self.choose_for(0, UNKNOWN);
        let v = coll::Gatherv { root, send_len: send.1, recv: at_root(recv.as_ref()).1 };
        if v.is_local(self.rank()) {
            return Some(self.locally(buffers, v));
        }
        self.note_root(Rooted { root, gives: false });
        if how == gatherv::Algorithm::PerBlock && self.sends(send.1, recv.as_ref()) {
            return None;
        }
        shared_forms!(self.run(buffers), how, gatherv, gatherv(coll::Gatherv {
            root,
            send_len: send.1,
            recv: at_root(recv.as_ref()).1
        }) {
            CicoPipelined => cico_pipelined,
            SingleCopy => single_copy,
            PerBlock => per_block_shared
        })
    }

    /// `MPI_Scatterv`; only the root has `send`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn scatterv(
        &self,
        send: Option<PlainBlocks>,
        recv: Option<Bytes>,
        root: usize,
    ) -> Option<W::Outcome> {
        let recv = resolved_alike(recv, send.as_ref().map(|send| send.block(root)))?;
        let buffers = Buffers::moved(at_root(send.as_ref()).0, recv.0);
        if recv.1 > 0 {
            self.note_root(Rooted { root, gives: true });
        }
        let how = self.choose_for(0, UNKNOWN);
        if how == scatterv::Algorithm::PerBlock && self.sends(recv.1, send.as_ref()) {
            return None;
        }
        shared_forms!(self.run(buffers), how, scatterv, scatterv(coll::Scatterv {
            root,
            send: at_root(send.as_ref()).1,
            recv_len: recv.1
        }) {
            CicoPipelined => cico_pipelined,
            SingleCopy => single_copy,
            PerBlock => per_block_shared
        })
    }

    /// `MPI_Alltoallv`, not in place.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn alltoallv(
        &self,
        send: Option<PlainBlocks>,
        recv: PlainBlocks,
    ) -> Option<W::Outcome> {
        let (send, rank) = (send?, self.rank());
        resolved_alike(Some(send.block(rank)), Some(recv.block(rank)))?;
        let is_aliased = |i: usize| recv.block(i).1 > 0 && send.block(i) == recv.block(i);
        if (0..self.size()).any(is_aliased) {
            return None;
        }
        let buffers = Buffers::moved(send.start, recv.start);
        let how = self.choose_for(0, UNKNOWN);
        let sends = || self.sends(0, Some(&send)) || self.sends(0, Some(&recv));
        if how == alltoallv::Algorithm::PerBlock && sends() {
            return None;
        }
        shared_forms!(self.run(buffers), how, alltoallv, alltoallv(coll::Alltoallv {
            send: send.layout(),
            recv: recv.layout(),
            in_place: false
        }) { SingleCopy => single_copy, PerBlock => per_block_shared })
    }

    /// `MPI_Alltoallw`, not in place: bytes, wherever they are.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn alltoallw(
        &self,
        send: Option<PlainBlocks>,
        recv: PlainBlocks,
    ) -> Option<W::Outcome> {
        // SAFETY: promised by the caller.
        unsafe { self.alltoallv(send, recv) }
    }

    /// `MPI_Allgatherv`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn allgatherv(&self, send: Option<Bytes>, recv: PlainBlocks) -> Option<W::Outcome> {
        let send = resolved_alike(send, Some(recv.block(self.rank())))?;
        let places = recv.layout();
        let buffers = Buffers::moved(send.0, recv.start);
        let total = places.counts.iter().sum::<usize>();
        if total == 0 {
            return self.without_data();
        }
        let longest = places.counts.iter().max().map_or(0, |longest| *longest);
        let how = self.choose_for(total / self.size(), longest);
        shared_forms!(self.run(buffers), how, allgatherv, allgatherv(coll::Allgatherv {
            send_len: send.1,
            recv: recv.layout()
        }) {
            Cico => cico,
            SingleCopy => single_copy
        })
    }
}
