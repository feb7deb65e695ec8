//! The fast path of collectives over a collective segment, on contiguous data and on short buffers
//! with gaps, of which packed copies stand in (`staged_arguments.rs`). Operators of the program are
//! called in blocking operations, on contiguous data.
//! It runs the algorithms of the slow path, chosen by the same tables, without a schedule
//! (persistent ones build one, and do not use it). For any other call it does nothing; then the
//! slow path runs, and reports errors.
//!
//! Without it an allreduce of 8 bytes by two ranks takes 0.35 instead of 0.13 us; over sixteen
//! operations on 8 bytes to 8 KiB the geometric mean of the times is 1.5 times as long.

use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use dunlin_base::Result;
use dunlin_coll as coll;
use dunlin_coll::NodeChannel;
use dunlin_coll::select::{CallTraits, Params};
use dunlin_coll::selection::{Asked, Listed};
use dunlin_coll::sharing::CICO_CHUNK_BYTES;
use dunlin_coll::{
    allgather, allreduce, alltoall, barrier, bcast, exscan, gather, reduce, reduce_scatter,
    reduce_scatter_block, scan, scatter,
};
use dunlin_datatype::{Primitive, reduce as reduce_kernels};

use crate::coll::dense_executor::{Buffers, DenseExecutor, OnStack};
use crate::coll::op_context::OpContext;
use crate::coll::plain_arguments::{
    Bytes, Members, Operator, OperatorOfProgram, Role, block, resolved,
};
use crate::coll::typed_executor::sum_up;
use crate::engine::fast_guard::{self, FastGuard};
use crate::objects::barrier_exit::Rooted;
use crate::objects::coll_module::{CollModule, ModuleState};
use crate::objects::comm::{Comm, CommId};
use crate::objects::inquiry;
use crate::objects::op::Op;
use crate::objects::schedule::Typed;

/// In which way operations on the fast path run: at once, beside the program, or each time that a
/// persistent request is started.
pub trait Way: Sized + 'static {
    /// How its verbs wait.
    type Waits: 'static;
    /// What a call gives.
    type Outcome;
    /// Whether an operation is complete when its call returns: buffers can be staged, and the
    /// program's operators called.
    const IS_AT_ONCE: bool = false;

    /// The next operation's longest contribution has so many bytes.
    fn publishes(ranks: &CollFastPath<Self>, bytes: usize);

    /// Runs an algorithm.
    fn run(
        ranks: &CollFastPath<Self>,
        buffers: Buffers,
        algorithm: impl AsyncFn(&DenseExecutor<'_, Self::Waits>) -> Result<()> + 'static,
    ) -> Self::Outcome;

    /// A barrier has been run.
    #[inline]
    fn leave_barrier(_ranks: &CollFastPath<Self>, outcome: Self::Outcome) -> Self::Outcome {
        outcome
    }
}

/// A communicator whose collectives can take the fast path.
///
/// Every operation returns `None` if the slow path must run. A buffer that is `None` is
/// `MPI_IN_PLACE`, or not significant on this rank.
#[derive(Debug)]
pub struct CollFastPath<W = AtOnce> {
    pub(crate) comm: Rc<Comm>,
    pub(crate) module: Rc<CollModule>,
    pub(crate) way: W,
    /// Whether buffers with gaps have been staged.
    pub(crate) has_staged: Cell<bool>,
    /// Last, so that it is dropped last.
    pub(crate) engine: FastGuard,
}

/// Runs the chosen algorithm, if it uses shared memory alone.
macro_rules! shared_forms {
    (
        $plain:ident.run($buffers:expr), $chosen:expr, $listed:ident,
        $operation:ident($v:expr) { $($form:ident => $algorithm:ident),* }
    ) => {
        match $chosen {
            $($listed::Algorithm::$form => {
                Some($plain.run($buffers, async move |ch| $operation::$algorithm(ch, $v).await))
            })*
            _ => None,
        }
    };
}

pub(crate) use shared_forms;

/// The way of blocking operations: to the end.
#[derive(Debug)]
pub struct AtOnce;

impl Way for AtOnce {
    type Waits = OnStack;
    type Outcome = Result<()>;
    const IS_AT_ONCE: bool = true;

    #[inline]
    fn publishes(ranks: &CollFastPath, bytes: usize) {
        ranks.module.whole.set(bytes);
    }

    #[inline]
    fn run(
        ranks: &CollFastPath,
        buffers: Buffers,
        algorithm: impl AsyncFn(&DenseExecutor<'_, OnStack>) -> Result<()> + 'static,
    ) -> Result<()> {
        let CollFastPath { engine, comm, module, .. } = ranks;
        // Fast and slow path must count operations alike: the number is the tag of their messages.
        comm.next_collective();
        let context = OpContext { engine, comm, module, apart: None };
        context.begin();
        let executor = DenseExecutor::new(&context, buffers);
        let outcome = at_once(algorithm, &executor);
        if outcome.is_err() {
            context.abandon_messages();
        }
        context.end();
        executor.done();
        if ranks.has_staged.get() {
            engine.staged.finish(outcome.is_ok());
        }
        outcome
    }

    #[inline]
    fn leave_barrier(ranks: &CollFastPath, outcome: Result<()>) -> Result<()> {
        if !ranks.engine.own_core.get() && outcome.is_ok() {
            let CollFastPath { engine, comm, module, .. } = ranks;
            OpContext { engine, comm, module, apart: None }.let_others_leave();
        }
        outcome
    }
}

impl CollFastPath {
    /// The members of a communicator, if it has a collective segment and this process one thread in
    /// MPI. Always inlined: a result in memory would be moved by vectors that span words just
    /// stored, and wait until these are in the cache (failed store forwarding, 5 ns).
    #[inline(always)]
    pub fn on(function: &'static str, comm: CommId) -> Option<CollFastPath> {
        let engine = fast_guard::enter()?;
        let comms = engine.comms.try_borrow().ok()?;
        let comm = comms.get(comm)?;
        let module = match &*comm.sharing.borrow() {
            ModuleState::With(module) if !module.is_partial() => module.clone(),
            _ => return None,
        };
        let comm = comm.clone();
        drop(comms);
        engine.function.set(function);
        Some(CollFastPath { comm, module, way: AtOnce, has_staged: Cell::default(), engine })
    }
}

impl<W: Way> Members for CollFastPath<W> {
    #[inline]
    fn size(&self) -> usize {
        self.comm.size() as usize
    }

    #[inline]
    fn rank(&self) -> usize {
        self.comm.rank as usize
    }

    #[cold]
    unsafe fn staged(&self, elements: Typed, role: Role) -> Option<Bytes> {
        if !W::IS_AT_ONCE {
            return None;
        }
        let (engine, is_first) = (&self.engine, !self.has_staged.replace(true));
        // SAFETY: promised by the caller.
        unsafe { engine.staged.add(is_first, &engine.types, elements, role) }
    }

    #[cold]
    fn operator_of_program(&self, op: u32, type_id: u32, element_bytes: usize) -> Option<Operator> {
        // Beside the program, its function would be called whenever anything makes progress. Longer
        // elements cannot be cut into chunks, which the slow path knows.
        if !W::IS_AT_ONCE || element_bytes > CICO_CHUNK_BYTES {
            return None;
        }
        let is_commutative = match &**self.engine.ops.try_borrow().ok()?.get(op)? {
            Op::User { commutative, .. } => *commutative,
            Op::Predefined(_) => return None,
        };
        let element_bytes = u32::try_from(element_bytes).ok()?;
        let own = OperatorOfProgram { op, type_id, element_bytes, is_commutative };
        Some(Operator::OfProgram(own))
    }
}

/// The operations.
impl<W: Way> CollFastPath<W>
where
    for<'p> DenseExecutor<'p, W::Waits>: NodeChannel,
{
    #[inline]
    fn choose<A: Listed>(&self, asked: Asked) -> A {
        W::publishes(self, asked.published);
        self.module.last_choices.get(asked, || self.look_up(asked))
    }

    #[inline(never)]
    fn look_up<A: Listed>(&self, asked: Asked) -> A {
        let shape = CallTraits::reduction(self.size(), asked.commutative);
        let shape = self.module.traits(shape, asked.published);
        self.engine.selection.choose(&Params { shape, bytes_per_rank: asked.bytes_per_rank })
    }

    /// For an operation in which a rank publishes so many bytes at most.
    #[inline]
    pub(crate) fn choose_for<A: Listed>(&self, bytes_per_rank: usize, shown: usize) -> A {
        self.choose(Asked { bytes_per_rank, published: shown, commutative: true })
    }

    #[inline]
    fn choose_sum<A: Listed>(&self, operator: Operator, bytes: usize) -> A {
        let commutative = operator.is_commutative();
        self.choose(Asked { bytes_per_rank: bytes, published: bytes, commutative })
    }

    /// Runs an algorithm.
    #[inline]
    pub(crate) fn run(
        &self,
        buffers: Buffers,
        algorithm: impl AsyncFn(&DenseExecutor<'_, W::Waits>) -> Result<()> + 'static,
    ) -> W::Outcome {
        W::run(self, buffers, algorithm)
    }

    /// Says that an operation with a root is about to begin.
    #[inline]
    pub(crate) fn note_root(&self, rooted: Rooted) {
        if W::IS_AT_ONCE && !self.engine.own_core.get() {
            self.module.barrier_exit.note(rooted);
        }
    }

    /// An operation to which no rank gives data: only a barrier waits for other ranks. It is
    /// counted, so that a rank that expects data in it is told, and does not wait for ever.
    #[inline]
    pub(crate) fn without_data(&self) -> Option<W::Outcome> {
        Some(self.run(Buffers::NONE, async |_| Ok(())))
    }

    /// `MPI_Barrier`.
    #[inline]
    pub fn barrier(&self) -> Option<W::Outcome> {
        let none = Buffers::NONE;
        let outcome = match self.choose_for(0, 0) {
            barrier::Algorithm::Cico => self.run(none, async |ch| barrier::cico(ch).await),
            barrier::Algorithm::CicoTree { radix } => {
                self.run(none, async move |ch| barrier::cico_tree(ch, radix).await)
            }
            _ => return None,
        };
        Some(W::leave_barrier(self, outcome))
    }

    /// `MPI_Bcast`.
    ///
    /// # Safety
    /// Here and below: the program's promises on its buffers, until the operation is complete; of
    /// a persistent one, until its request is freed.
    #[inline]
    pub unsafe fn bcast(&self, (data, len): Bytes, root: usize) -> Option<W::Outcome> {
        if len == 0 {
            return self.without_data();
        }
        self.note_root(Rooted { root, gives: true });
        let (v, buffers) = (coll::Bcast { root, len }, Buffers::moved(data, data));
        let how = self.choose_for(len, len);
        shared_forms!(self.run(buffers), how, bcast, bcast(v) {
            Cico => cico,
            CicoPipelined => cico_pipelined,
            SingleCopy => single_copy,
            SingleCopyPut => single_copy_put
        })
    }

    /// `MPI_Gather`; only the root has `recv`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn gather(
        &self,
        send: Option<Bytes>,
        recv: Option<Bytes>,
        root: usize,
    ) -> Option<W::Outcome> {
        let send = resolved(send, recv.map(|recv| block(recv, root)))?;
        let recv = recv.unwrap_or((std::ptr::dangling_mut(), send.1));
        if recv.1 != send.1 {
            return None;
        }
        if send.1 == 0 {
            return self.without_data();
        }
        self.note_root(Rooted { root, gives: false });
        let v = coll::Gather { root, send_block: send.1, recv_block: send.1 };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(send.1, send.1);
        shared_forms!(self.run(buffers), how, gather, gather(v) {
            Cico => cico, CicoPipelined => cico_pipelined, SingleCopy => single_copy
        })
    }

    /// `MPI_Scatter`; only the root has `send`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn scatter(
        &self,
        send: Option<Bytes>,
        recv: Option<Bytes>,
        root: usize,
    ) -> Option<W::Outcome> {
        let recv = resolved(recv, send.map(|send| block(send, root)))?;
        let send = send.unwrap_or((std::ptr::dangling_mut(), recv.1));
        if recv.1 != send.1 {
            return None;
        }
        if recv.1 == 0 {
            return self.without_data();
        }
        self.note_root(Rooted { root, gives: true });
        let v = coll::Scatter { root, send_block: recv.1, recv_block: recv.1 };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(recv.1, self.size().saturating_mul(recv.1));
        shared_forms!(self.run(buffers), how, scatter, scatter(v) {
            Cico => cico,
            CicoPipelined => cico_pipelined,
            SingleCopy => single_copy
        })
    }

    /// `MPI_Allgather`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn allgather(&self, send: Option<Bytes>, recv: Bytes) -> Option<W::Outcome> {
        let send = resolved(send, Some(block(recv, self.rank())))?;
        if send.1 != recv.1 {
            return None;
        }
        if recv.1 == 0 {
            return self.without_data();
        }
        let v = coll::Allgather { send_block: send.1, recv_block: recv.1 };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(recv.1, recv.1);
        shared_forms!(self.run(buffers), how, allgather, allgather(v) {
            Cico => cico,
            CicoPipelined => cico_pipelined,
            SingleCopy => single_copy,
            SingleCopyPut => single_copy_put
        })
    }

    /// `MPI_Alltoall`, not in place.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn alltoall(&self, send: Option<Bytes>, recv: Bytes) -> Option<W::Outcome> {
        let send = resolved(Some(send?), Some(recv))?;
        if send.1 != recv.1 {
            return None;
        }
        if recv.1 == 0 {
            return self.without_data();
        }
        let v = coll::Alltoall { send_block: send.1, recv_block: recv.1, in_place: false };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(recv.1, self.size().saturating_mul(recv.1));
        shared_forms!(self.run(buffers), how, alltoall, alltoall(v) {
            Cico => cico,
            SingleCopy => single_copy
        })
    }

    /// `MPI_Reduce`; only the root has `recv`, as long as `send`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn reduce(
        &self,
        send: Option<Bytes>,
        recv: Option<Bytes>,
        operator: Operator,
        root: usize,
    ) -> Option<W::Outcome> {
        let send = resolved(send, recv)?;
        let recv = recv.map_or(std::ptr::dangling_mut(), |recv| recv.0);
        if send.1 == 0 {
            return self.without_data();
        }
        let (len, commutative) = (operator.elements(send.1), operator.is_commutative());
        self.note_root(Rooted { root, gives: false });
        let v = coll::Reduce { root, len, commutative };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, reduce, reduce(v) {
            Cico => cico,
            CicoPartitioned => cico_partitioned,
            CicoPipelined => cico_pipelined,
            CicoChains => cico_chains,
            SingleCopy => single_copy,
            SingleCopyPartitioned => single_copy_partitioned
        })
    }

    /// `MPI_Allreduce`; `recv` has the length of `send`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn allreduce(
        &self,
        send: Option<Bytes>,
        recv: Bytes,
        operator: Operator,
    ) -> Option<W::Outcome> {
        let send = resolved(send, Some(recv))?;
        if send.1 == 0 {
            return self.without_data();
        }
        let (len, commutative) = (operator.elements(send.1), operator.is_commutative());
        let v = coll::Allreduce { len, commutative, in_place: send.0 == recv.0 };
        let buffers = Buffers { send: send.0, recv: recv.0, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, allreduce, allreduce(v) {
            Cico => cico,
            CicoPartitioned => cico_partitioned,
            CicoPipelined => cico_pipelined,
            CicoChains => cico_chains,
            SingleCopy => single_copy,
            SingleCopyPartitioned => single_copy_partitioned
        })
    }

    /// `MPI_Reduce_scatter_block`, not in place; `send` is the first block of the operand.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn reduce_scatter_block(
        &self,
        send: Option<Bytes>,
        recv: Bytes,
        operator: Operator,
    ) -> Option<W::Outcome> {
        let send = resolved(Some(send?), Some(recv))?;
        if send.1 == 0 {
            return self.without_data();
        }
        let commutative = operator.is_commutative();
        let block = operator.elements(send.1);
        let v = coll::ReduceScatterBlock { block, commutative };
        let buffers = Buffers { send: send.0, recv: recv.0, operator: Some(operator) };
        let how =
            self.choose_sum::<reduce_scatter_block::Algorithm>(operator, send.1 * self.size()).0;
        shared_forms!(self.run(buffers), how, reduce_scatter, reduce_scatter_block(v) {
            Cico => cico,
            SingleCopy => single_copy
        })
    }

    /// `MPI_Scan`; `recv` has the length of `send`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn scan(
        &self,
        send: Option<Bytes>,
        recv: Bytes,
        operator: Operator,
    ) -> Option<W::Outcome> {
        let send = resolved(send, Some(recv))?;
        if send.1 == 0 {
            return self.without_data();
        }
        let v = coll::Scan { len: operator.elements(send.1) };
        let buffers = Buffers { send: send.0, recv: recv.0, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, scan, scan(v) {
            Cico => cico,
            CicoLinear => cico_linear,
            SingleCopyPartitioned => single_copy_partitioned
        })
    }

    /// `MPI_Exscan`; `recv` has the length of `send`.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn exscan(
        &self,
        send: Option<Bytes>,
        recv: Bytes,
        operator: Operator,
    ) -> Option<W::Outcome> {
        let send = resolved(send, Some(recv))?;
        if send.1 == 0 {
            return self.without_data();
        }
        let v = coll::Exscan { len: operator.elements(send.1) };
        let buffers = Buffers { send: send.0, recv: recv.0, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, exscan, exscan(v) {
            Cico => cico,
            CicoLinear => cico_linear,
            SingleCopyPartitioned => single_copy_partitioned
        })
    }

    /// `MPI_Reduce_scatter`, not in place; `send` is the whole operand, and `starts` says where
    /// each block of it begins and where the last one ends.
    ///
    /// # Safety
    /// See [`CollFastPath::bcast`].
    #[inline]
    pub unsafe fn reduce_scatter(
        &self,
        send: Option<Bytes>,
        recv: Bytes,
        starts: Vec<usize>,
        operator: Operator,
    ) -> Option<W::Outcome> {
        let send = resolved(Some(send?), Some(recv))?;
        if send.1 == 0 {
            return self.without_data();
        }
        let commutative = operator.is_commutative();
        let buffers = Buffers { send: send.0, recv: recv.0, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, reduce_scatter, reduce_scatter(coll::ReduceScatter {
            starts: &starts,
            commutative
        }) {
            Cico => cico,
            SingleCopy => single_copy
        })
    }
}

/// `MPI_Reduce_local`: `inout := input op inout`, of so many bytes of whole elements with their
/// padding; `None` if the slow path must run.
///
/// # Safety
/// The program's promises on its buffers, which begin at two addresses, neither of them null.
#[inline(always)]
pub unsafe fn reduce_local(
    input: *const u8,
    inout: *mut u8,
    bytes: usize,
    (op, primitive): (reduce_kernels::Op, Primitive),
) -> Option<()> {
    if !inquiry::is_running() {
        return None;
    }
    // SAFETY: the program's promise.
    let (left, right) = unsafe {
        (std::slice::from_raw_parts(input, bytes), std::slice::from_raw_parts_mut(inout, bytes))
    };
    sum_up(op, primitive, left, right).ok()
}

/// Runs an algorithm whose verbs never suspend.
#[inline]
fn at_once(
    algorithm: impl AsyncFnOnce(&DenseExecutor<'_, OnStack>) -> Result<()>,
    executor: &DenseExecutor<'_, OnStack>,
) -> Result<()> {
    match pin!(algorithm(executor)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => unreachable!("no verb of an executor is left before it is done"),
    }
}
