//! The fast path of blocking collectives on a communicator of one process: what it sends it
//! receives. Programs that run alone, or whose grids have rows of one process, call these as often
//! as others; by the slow path an allreduce of one number took 280 ns. Nothing of the engine is
//! used, so that any thread may do this, at any time.

use std::sync::atomic::{AtomicBool, Ordering};

use dunlin_base::Result;
use dunlin_copy::copy;

use crate::coll::plain_arguments::{Bytes, Members, Operator, PlainBlocks, resolved_alike};
use crate::objects::comm::CommId;
use crate::objects::inquiry;

/// Whether operations run an algorithm all the same: `DUNLIN_COLL_ALGORITHM` names one, whose cost
/// is to be measured.
static RUNS_ALGORITHMS: AtomicBool = AtomicBool::new(false);

/// Leaves all operations to the slow path.
pub(crate) fn run_algorithms() {
    // Relaxed: this thread starts MPI, and whoever calls it later has been told of that.
    RUNS_ALGORITHMS.store(true, Ordering::Relaxed);
}

/// A communicator of this process alone. Its operations take what those of `CollFastPath` take;
/// `None` says that the slow path must run.
#[derive(Debug)]
pub struct CollAlone(());

impl Members for CollAlone {
    #[inline]
    fn size(&self) -> usize {
        1
    }

    #[inline]
    fn rank(&self) -> usize {
        0
    }
}

/// What a blocking operation gives.
type Outcome = Option<Result<()>>;

const DONE: Outcome = Some(Ok(()));

impl CollAlone {
    /// The communicator, if it has no other process.
    #[inline]
    pub fn on(comm: CommId) -> Option<CollAlone> {
        let row = inquiry::COMMS.of(comm)?;
        let is_alone = row.get(inquiry::comm::SIZE) == 1
            && row.get(inquiry::comm::IS_INTER) == 0
            && !RUNS_ALGORITHMS.load(Ordering::Relaxed);
        is_alone.then_some(CollAlone(()))
    }

    /// An operation that copies; `None` is `MPI_IN_PLACE`.
    ///
    /// # Safety
    /// The program's promises on its buffers.
    #[inline]
    unsafe fn moved(&self, send: Option<Bytes>, recv: Option<Bytes>) -> Outcome {
        let (Some(send), Some(recv)) = (send, recv) else { return DONE };
        let (from, bytes) = resolved_alike(Some(send), Some(recv))?;
        // SAFETY: promised by the caller.
        unsafe { copy(from, recv.0, bytes) };
        DONE
    }

    /// `MPI_Barrier`.
    #[inline]
    pub fn barrier(&self) -> Outcome {
        DONE
    }

    /// `MPI_Bcast`.
    ///
    /// # Safety
    /// Here and below: the program's promises on its buffers.
    #[inline]
    pub unsafe fn bcast(&self, _: Bytes, _: usize) -> Outcome {
        DONE
    }

    /// `MPI_Gather`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn gather(&self, send: Option<Bytes>, recv: Option<Bytes>, _: usize) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, recv) }
    }

    /// `MPI_Scatter`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn scatter(&self, send: Option<Bytes>, recv: Option<Bytes>, _: usize) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, recv) }
    }

    /// `MPI_Allgather`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn allgather(&self, send: Option<Bytes>, recv: Bytes) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, Some(recv)) }
    }

    /// `MPI_Alltoall`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn alltoall(&self, send: Option<Bytes>, recv: Bytes) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, Some(recv)) }
    }

    /// `MPI_Reduce`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn reduce(
        &self,
        send: Option<Bytes>,
        recv: Option<Bytes>,
        _: Operator,
        _: usize,
    ) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, recv) }
    }

    /// `MPI_Allreduce`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn allreduce(&self, send: Option<Bytes>, recv: Bytes, _: Operator) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, Some(recv)) }
    }

    /// `MPI_Reduce_scatter_block`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn reduce_scatter_block(
        &self,
        send: Option<Bytes>,
        recv: Bytes,
        _: Operator,
    ) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, Some(recv)) }
    }

    /// `MPI_Scan`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn scan(&self, send: Option<Bytes>, recv: Bytes, _: Operator) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, Some(recv)) }
    }

    /// `MPI_Exscan`: the first process gets nothing.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn exscan(&self, send: Option<Bytes>, recv: Bytes, _: Operator) -> Outcome {
        resolved_alike(send, Some(recv))?;
        DONE
    }

    /// `MPI_Gatherv`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn gatherv(
        &self,
        send: Option<Bytes>,
        recv: Option<PlainBlocks>,
        _: usize,
    ) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, recv.map(|recv| recv.block(0))) }
    }

    /// `MPI_Scatterv`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn scatterv(
        &self,
        send: Option<PlainBlocks>,
        recv: Option<Bytes>,
        _: usize,
    ) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send.map(|send| send.block(0)), recv) }
    }

    /// `MPI_Alltoallv`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn alltoallv(&self, send: Option<PlainBlocks>, recv: PlainBlocks) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send.map(|send| send.block(0)), Some(recv.block(0))) }
    }

    /// `MPI_Alltoallw`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn alltoallw(&self, send: Option<PlainBlocks>, recv: PlainBlocks) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.alltoallv(send, recv) }
    }

    /// `MPI_Allgatherv`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn allgatherv(&self, send: Option<Bytes>, recv: PlainBlocks) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, Some(recv.block(0))) }
    }

    /// `MPI_Reduce_scatter`.
    ///
    /// # Safety
    /// See [`CollAlone::bcast`].
    #[inline]
    pub unsafe fn reduce_scatter(
        &self,
        send: Option<Bytes>,
        recv: Bytes,
        _: Vec<usize>,
        _: Operator,
    ) -> Outcome {
        // SAFETY: promised by the caller.
        unsafe { self.moved(send, Some(recv)) }
    }
}
