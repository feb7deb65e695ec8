//! The short way of blocking collectives: of plain runs of bytes, with predefined operators, among
//! ranks that show each other data. The algorithms are those of the long way, chosen by the same
//! tables; what is saved is all that describes other calls. Where anything is not plain, nothing is
//! done, and the long way does it and says what is wrong if anything is.

use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use dunlin_base::Result;
use dunlin_coll as coll;
use dunlin_coll::Places;
use dunlin_coll::select::{Params, Shape};
use dunlin_coll::selection::{Asked, Listed};
use dunlin_coll::{
    allgather, allgatherv, allreduce, alltoall, alltoallv, barrier, bcast, exscan, gather, gatherv,
    reduce, reduce_scatter, reduce_scatter_block, scan, scatter, scatterv,
};
use dunlin_datatype::{Primitive, reduce as kernels};

use crate::board::{Board, Sharing};
use crate::collective::UNKNOWN;
use crate::comm::{Comm, CommId};
use crate::meeting::Meeting;
use crate::quick::{self, Short};
use crate::seat::{Buffers, Seat};

/// Where bytes begin and how many they are.
pub type Bytes = (*mut u8, usize);

/// A predefined operator, and what it works on.
#[derive(Debug, Clone, Copy)]
pub struct Operator {
    /// The operator; valid on `primitive`.
    pub op: kernels::Op,
    /// What an element is; without gaps.
    pub primitive: Primitive,
}

/// A communicator whose collectives can go the short way.
///
/// Every operation answers `None` where it did nothing.
#[derive(Debug)]
pub struct Plain {
    comm: Rc<Comm>,
    pub(crate) board: Rc<Board>,
    /// Last, because it is given back when the others are.
    pub(crate) engine: Short,
}

/// Runs the form that was chosen, if it is one of those over shared memory.
macro_rules! shared_forms {
    (
        $plain:ident.run($buffers:expr), $chosen:expr, $listed:ident,
        $operation:ident($v:ident) { $($form:ident => $algorithm:ident),* }
    ) => {
        match $chosen {
            $($listed::Algorithm::$form => {
                $plain.run($buffers, async |ch| $operation::$algorithm(ch, $v).await)
            })*
            _ => None,
        }
    };
}

impl Plain {
    /// The members of a communicator, if it has a board and this process one thread in MPI.
    #[inline]
    pub fn on(function: &'static str, comm: CommId) -> Option<Plain> {
        let engine = quick::enter()?;
        let comm = engine.comms.try_borrow().ok()?.get(comm)?.clone();
        let board = match &*comm.sharing.borrow() {
            Sharing::With(board) if !board.is_partial() => board.clone(),
            _ => return None,
        };
        engine.function.set(function);
        Some(Plain { comm, board, engine })
    }

    /// Number of members.
    #[inline]
    pub fn size(&self) -> usize {
        self.comm.size() as usize
    }

    /// This process's rank.
    #[inline]
    pub fn rank(&self) -> usize {
        self.comm.rank as usize
    }

    /// A root that the program names.
    #[inline]
    pub fn root(&self, root: i32) -> Option<usize> {
        usize::try_from(root).ok().filter(|root| *root < self.size())
    }

    #[inline]
    fn choose<A: Listed>(&self, asked: Asked) -> A {
        self.board.whole.set(asked.shown);
        self.board.last_choices.get(asked, || self.look_up(asked))
    }

    #[inline(never)]
    fn look_up<A: Listed>(&self, asked: Asked) -> A {
        let shape = Shape::reduction(self.size(), asked.commutative);
        let shape = self.board.shape(shape, asked.shown);
        self.engine.choose(&Params { shape, bytes_per_rank: asked.bytes_per_rank })
    }

    /// For an operation in which every rank shows so many bytes at most.
    #[inline]
    fn choose_for<A: Listed>(&self, bytes_per_rank: usize, shown: usize) -> A {
        self.choose(Asked { bytes_per_rank, shown, commutative: true })
    }

    #[inline]
    fn choose_sum<A: Listed>(&self, operator: Operator, bytes: usize) -> A {
        let commutative = operator.op.is_commutative();
        self.choose(Asked { bytes_per_rank: bytes, shown: bytes, commutative })
    }

    #[inline]
    pub(crate) fn meeting(&self) -> Meeting<'_> {
        Meeting { engine: &self.engine, comm: &self.comm, board: &self.board }
    }

    /// Runs an algorithm.
    #[inline]
    fn run(
        &self,
        buffers: Buffers,
        algorithm: impl AsyncFnOnce(&Seat<'_>) -> Result<()>,
    ) -> Option<Result<()>> {
        let Plain { engine, comm, .. } = self;
        // The number that keeps messages apart: it must be counted alike on both ways.
        comm.next_collective();
        let meeting = self.meeting();
        meeting.begin();
        let seat = Seat::new(self, buffers);
        let outcome = at_once(algorithm(&seat));
        meeting.end();
        let scratch = seat.scratch.into_inner();
        if !scratch.is_empty() {
            engine.keep_spares(scratch);
        }
        Some(outcome)
    }

    /// `MPI_Barrier`.
    #[inline]
    pub fn barrier(&self) -> Option<Result<()>> {
        match self.choose_for(0, 0) {
            barrier::Algorithm::Posted => {
                self.run(Buffers::NONE, async |ch| barrier::posted(ch).await)
            }
            barrier::Algorithm::PostedTree { radix } => {
                self.run(Buffers::NONE, async |ch| barrier::posted_tree(ch, radix).await)
            }
            _ => None,
        }
    }

    /// `MPI_Bcast`.
    ///
    /// # Safety
    /// Here and below: the program's promises on its buffers.
    #[inline]
    pub unsafe fn bcast(&self, (data, len): Bytes, root: usize) -> Option<Result<()>> {
        let (v, buffers) = (coll::Bcast { root, len }, Buffers::moved(data, data));
        let how = self.choose_for(len, len);
        shared_forms!(self.run(buffers), how, bcast, bcast(v) {
            Posted => posted,
            PostedPieces => posted_pieces,
            Lent => lent,
            LentGiven => lent_given
        })
    }

    /// `MPI_Gather`; only the root has `recv`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn gather(
        &self,
        send: Bytes,
        recv: Option<Bytes>,
        root: usize,
    ) -> Option<Result<()>> {
        let recv = recv.unwrap_or((std::ptr::dangling_mut(), send.1));
        if recv.1 != send.1 {
            return None;
        }
        let v = coll::Gather { root, send_block: send.1, recv_block: send.1 };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(send.1, send.1);
        shared_forms!(self.run(buffers), how, gather, gather(v) { Posted => posted, Lent => lent })
    }

    /// `MPI_Scatter`; only the root has `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn scatter(
        &self,
        send: Option<Bytes>,
        recv: Bytes,
        root: usize,
    ) -> Option<Result<()>> {
        let send = send.unwrap_or((std::ptr::dangling_mut(), recv.1));
        if recv.1 != send.1 {
            return None;
        }
        let v = coll::Scatter { root, send_block: recv.1, recv_block: recv.1 };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(recv.1, self.size().saturating_mul(recv.1));
        shared_forms!(self.run(buffers), how, scatter, scatter(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Allgather`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn allgather(&self, send: Bytes, recv: Bytes) -> Option<Result<()>> {
        if send.1 != recv.1 {
            return None;
        }
        let v = coll::Allgather { send_block: send.1, recv_block: recv.1 };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(recv.1, recv.1);
        shared_forms!(self.run(buffers), how, allgather, allgather(v) {
            Posted => posted,
            PostedPieces => posted_pieces,
            Lent => lent,
            LentGiven => lent_given
        })
    }

    /// `MPI_Gatherv`; only the root has `recv`, where the blocks are, in bytes, and its own as long
    /// as `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn gatherv(
        &self,
        send: Bytes,
        recv: Option<(*mut u8, Places<'_>)>,
        root: usize,
    ) -> Option<Result<()>> {
        let (recv, places) = recv.unwrap_or((std::ptr::dangling_mut(), Places::NONE));
        let v = coll::Gatherv { root, send_len: send.1, recv: places };
        let buffers = Buffers::moved(send.0, recv);
        let how = self.choose_for(0, UNKNOWN);
        shared_forms!(self.run(buffers), how, gatherv, gatherv(v) { Lent => lent })
    }

    /// `MPI_Scatterv`; only the root has `send`, where the blocks are, in bytes, and its own is as
    /// long as `recv`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn scatterv(
        &self,
        send: Option<(*mut u8, Places<'_>)>,
        recv: Bytes,
        root: usize,
    ) -> Option<Result<()>> {
        let (send, places) = send.unwrap_or((std::ptr::dangling_mut(), Places::NONE));
        let v = coll::Scatterv { root, send: places, recv_len: recv.1 };
        let buffers = Buffers::moved(send, recv.0);
        let how = self.choose_for(0, UNKNOWN);
        shared_forms!(self.run(buffers), how, scatterv, scatterv(v) { Lent => lent })
    }

    /// `MPI_Alltoallv`, not in place; the places say where the blocks are, in bytes, and this
    /// rank's own is as long in both.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn alltoallv(
        &self,
        (send, from): (*mut u8, Places<'_>),
        (recv, to): (*mut u8, Places<'_>),
    ) -> Option<Result<()>> {
        let v = coll::Alltoallv { send: from, recv: to, in_place: false };
        let buffers = Buffers::moved(send, recv);
        let how = self.choose_for(0, UNKNOWN);
        shared_forms!(self.run(buffers), how, alltoallv, alltoallv(v) { Lent => lent })
    }

    /// `MPI_Allgatherv`; `places` says where in `recv` the blocks are, in bytes, and its own is as
    /// long as `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn allgatherv(
        &self,
        send: Bytes,
        recv: *mut u8,
        places: Places<'_>,
    ) -> Option<Result<()>> {
        let v = coll::Allgatherv { send_len: send.1, recv: places };
        let buffers = Buffers::moved(send.0, recv);
        let total = places.counts.iter().sum::<usize>();
        let longest = places.counts.iter().max().map_or(0, |longest| *longest);
        let how = self.choose_for(total / self.size(), longest);
        shared_forms!(self.run(buffers), how, allgatherv, allgatherv(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Alltoall`, not in place.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn alltoall(&self, send: Bytes, recv: Bytes) -> Option<Result<()>> {
        if send.1 != recv.1 {
            return None;
        }
        let v = coll::Alltoall { send_block: send.1, recv_block: recv.1, in_place: false };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(recv.1, self.size().saturating_mul(recv.1));
        shared_forms!(self.run(buffers), how, alltoall, alltoall(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Reduce`; only the root has `recv`, as long as `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn reduce(
        &self,
        send: Bytes,
        recv: Option<Bytes>,
        operator: Operator,
        root: usize,
    ) -> Option<Result<()>> {
        let recv = recv.map_or(std::ptr::dangling_mut(), |recv| recv.0);
        let (len, commutative) = (operator.elements(send.1), operator.op.is_commutative());
        let v = coll::Reduce { root, len, commutative };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, reduce, reduce(v) {
            Posted => posted,
            PostedParts => posted_parts,
            PostedPieces => posted_pieces,
            PostedChains => posted_chains,
            Lent => lent,
            LentParts => lent_parts
        })
    }

    /// `MPI_Allreduce`; `recv` has the length of `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn allreduce(
        &self,
        send: Bytes,
        recv: *mut u8,
        operator: Operator,
    ) -> Option<Result<()>> {
        let (len, commutative) = (operator.elements(send.1), operator.op.is_commutative());
        let v = coll::Allreduce { len, commutative, in_place: send.0 == recv };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, allreduce, allreduce(v) {
            Posted => posted,
            PostedParts => posted_parts,
            PostedPieces => posted_pieces,
            PostedChains => posted_chains,
            Lent => lent,
            LentParts => lent_parts
        })
    }

    /// `MPI_Reduce_scatter`, not in place; `send` is the whole operand, and `starts` says where
    /// each block of it begins and where the last one ends.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn reduce_scatter(
        &self,
        send: Bytes,
        recv: *mut u8,
        starts: &[usize],
        operator: Operator,
    ) -> Option<Result<()>> {
        let commutative = operator.op.is_commutative();
        let v = coll::ReduceScatter { starts, commutative };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, reduce_scatter, reduce_scatter(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Reduce_scatter_block`, not in place; `send` is the whole operand.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn reduce_scatter_block(
        &self,
        send: Bytes,
        recv: *mut u8,
        operator: Operator,
    ) -> Option<Result<()>> {
        let commutative = operator.op.is_commutative();
        let block = operator.elements(send.1) / self.size();
        let v = coll::ReduceScatterBlock { block, commutative };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum::<reduce_scatter_block::Algorithm>(operator, send.1).0;
        shared_forms!(self.run(buffers), how, reduce_scatter, reduce_scatter_block(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Scan`; `recv` has the length of `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn scan(
        &self,
        send: Bytes,
        recv: *mut u8,
        operator: Operator,
    ) -> Option<Result<()>> {
        let v = coll::Scan { len: operator.elements(send.1) };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, scan, scan(v) {
            Posted => posted,
            LentParts => lent_parts
        })
    }

    /// `MPI_Exscan`; `recv` has the length of `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn exscan(
        &self,
        send: Bytes,
        recv: *mut u8,
        operator: Operator,
    ) -> Option<Result<()>> {
        let v = coll::Exscan { len: operator.elements(send.1) };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, exscan, exscan(v) {
            Posted => posted,
            LentParts => lent_parts
        })
    }
}

/// What comes of an algorithm whose verbs do themselves what waiting there is.
#[inline]
fn at_once<T>(algorithm: impl Future<Output = T>) -> T {
    match pin!(algorithm).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => unreachable!("no verb of a seat is left before it is done"),
    }
}

impl Operator {
    fn elements(self, bytes: usize) -> usize {
        bytes / self.primitive.size()
    }
}
