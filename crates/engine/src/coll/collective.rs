//! Runs collective operations: blocking ones on the caller's stack, nonblocking ones during
//! progress, persistent ones each time they are started; MPI 5.0 chapter 6.

use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll as coll;
use dunlin_coll::inter;
use dunlin_datatype::byte_range::bytes_of;
use dunlin_datatype::{Primitive, reduce as kernels};

use crate::coll::op_context::OpContext;
use crate::coll::transfer::UNKNOWN;
use crate::coll::typed_executor::{Memory, TypedExecutor, combine};
use crate::engine::Engine;
use crate::memory::alloc::zeroed;
use crate::objects::buffer::UserBuffer;
use crate::objects::coll_module::CollModule;
use crate::objects::comm::Comm;
use crate::objects::op::Op;
use crate::objects::schedule::{
    CollOp, Inter, Region, Root, Schedule, Staging, Typed, Uniform, aliased, packed,
};
use crate::p2p::request::OpInfo;

/// Which collective segment an operation uses. All members run the operations on one segment in the
/// same order, one after another.
#[derive(Clone, Copy)]
pub(crate) enum Sharing<'m> {
    /// None: messages alone.
    Nothing,
    /// That of blocking collectives, which wait on the caller's stack.
    Blocking(&'m CollModule),
    /// That of a nonblocking or persistent collective, which suspends where it would wait.
    Suspending(&'m CollModule),
}

/// Runs a schedule to its end.
pub(crate) async fn perform(
    engine: &Engine,
    schedule: &Schedule,
    sharing: Sharing<'_>,
) -> Result<()> {
    schedule.has_notice.set(false);
    let (comm, tag) = (&schedule.comm, schedule.tag.get());
    let on = |module, apart| Some(OpContext { engine, comm, module, apart });
    let context = match sharing {
        Sharing::Nothing => None,
        Sharing::Blocking(module) => on(module, None),
        Sharing::Suspending(module) => on(module, Some(tag)),
    };
    // Before anything can fail: all members count the operations on a segment.
    context.inspect(|context| context.begin());
    let (memory, outcome) = match schedule.stage() {
        Ok(memory) => {
            let executor = TypedExecutor { engine, schedule, memory: &memory, comm, tag, context };
            let outcome = run(&executor).await;
            (memory, outcome)
        }
        Err(error) => (Memory::default(), Err(error)),
    };
    if outcome.is_err() {
        if context.is_none() || engine.spans_nodes {
            engine.give_up(schedule);
        }
        engine.call_off(schedule, memory.abandoned.take()).await;
    }
    if let Some(context) = context {
        context.ended().await;
    }
    if outcome.is_ok() {
        schedule.unstage(&memory);
    }
    engine.scratch_buffers.keep(memory.scratch.take().into_iter().map(|scratch| scratch.memory));
    outcome
}

async fn run(ch: &TypedExecutor<'_>) -> Result<()> {
    ch.check_own_block()?;
    if ch.context.is_some_and(|on| !on.module.is_partial()) && ch.schedule.has_no_data() {
        // As the fast path does.
        return Ok(());
    }
    match &ch.schedule.coll_op {
        CollOp::Barrier(p) => coll::barrier(ch, ch.choose(p)).await,
        CollOp::Bcast(v, p) => coll::bcast(ch, *v, ch.choose(p)).await,
        CollOp::Gather(v, p) => coll::gather(ch, *v, ch.choose(p)).await,
        CollOp::Gatherv { root, send_len, recv, params: p } => {
            let v = coll::Gatherv { root: *root, send_len: *send_len, recv: recv.places() };
            coll::gatherv(ch, v, ch.choose_shared(p, UNKNOWN)).await
        }
        CollOp::Scatter(v, p) => coll::scatter(ch, *v, ch.choose(p)).await,
        CollOp::Scatterv { root, send, recv_len, params: p } => {
            let v = coll::Scatterv { root: *root, send: send.places(), recv_len: *recv_len };
            coll::scatterv(ch, v, ch.choose_shared(p, UNKNOWN)).await
        }
        CollOp::Allgather(v, p) => coll::allgather(ch, *v, ch.choose(p)).await,
        CollOp::Allgatherv { send_len, recv, params: p, longest } => {
            let v = coll::Allgatherv { send_len: *send_len, recv: recv.places() };
            coll::allgatherv(ch, v, ch.choose_shared(p, *longest)).await
        }
        CollOp::Alltoall(v, p) => coll::alltoall(ch, *v, ch.choose(p)).await,
        CollOp::Alltoallv { send, recv, in_place, params: p } => {
            let (send, recv, in_place) = (send.places(), recv.places(), *in_place);
            let v = coll::Alltoallv { send, recv, in_place };
            coll::alltoallv(ch, v, ch.choose_shared(p, UNKNOWN)).await
        }
        CollOp::Reduce(v, p) => coll::reduce(ch, *v, ch.choose(p)).await,
        CollOp::Allreduce(v, p) => coll::allreduce(ch, *v, ch.choose(p)).await,
        CollOp::ReduceScatter { starts, commutative, params: p } => {
            let v = coll::ReduceScatter { starts, commutative: *commutative };
            coll::reduce_scatter(ch, v, ch.choose(p)).await
        }
        CollOp::ReduceScatterBlock(v, p) => coll::reduce_scatter_block(ch, *v, ch.choose(p)).await,
        CollOp::Scan(v, p) => coll::scan(ch, *v, ch.choose(p)).await,
        CollOp::Exscan(v, p) => coll::exscan(ch, *v, ch.choose(p)).await,
        CollOp::Neighbourhood(v) => coll::neighbourhood(ch, v.arguments()).await,
        CollOp::Inter(v) => run_inter(v, ch).await,
    }
}

/// Runs an operation on an intercommunicator: two channels over the same buffers, one to each
/// group.
async fn run_inter(operation: &Inter, remote: &TypedExecutor<'_>) -> Result<()> {
    let comm = remote.schedule.comm.local.as_ref().ok_or_else(no_group)?;
    let local = &TypedExecutor { comm, tag: remote.schedule.local_tag.get(), ..*remote };
    match operation {
        Inter::Barrier => inter::barrier(local, remote).await,
        Inter::Bcast { role, len } => inter::bcast(local, remote, *role, *len).await,
        Inter::Gather { role, send_len, recv } => {
            inter::gather(remote, *role, *send_len, recv.peer_blocks()).await
        }
        Inter::Scatter { role, send, recv_len } => {
            inter::scatter(remote, *role, send.peer_blocks(), *recv_len).await
        }
        Inter::Alltoall { send, recv } => {
            inter::alltoall(remote, send.peer_blocks(), recv.peer_blocks()).await
        }
        Inter::Reduce { role, len } => inter::reduce(local, remote, *role, *len).await,
        Inter::Allreduce { len } => inter::allreduce(local, remote, *len).await,
        Inter::ReduceScatter { total, blocks } => {
            inter::reduce_scatter(local, remote, *total, blocks.peer_blocks()).await
        }
    }
}

fn no_group() -> Error {
    Error::new(ErrorClass::Intern, "an intercommunicator has no communicator for its own side")
}

impl Schedule {
    /// Packs the buffers that this operation needs packed.
    fn stage(&self) -> Result<Memory> {
        Ok(match &self.staging {
            Staging::Nothing => Memory::default(),
            Staging::Bcast { buffer, is_root } => {
                let mut bytes = zeroed(buffer.bytes())?;
                if *is_root {
                    buffer.pack(0, &mut bytes);
                }
                let recv = Some(Region::Uniform(packed(bytes.as_mut_ptr())));
                Memory { recv, staged: Some(bytes), ..Memory::default() }
            }
            Staging::Sent(blocks) => {
                let total = blocks.iter().map(UserBuffer::bytes).sum();
                let mut bytes = zeroed(total)?;
                let mut rest = &mut *bytes;
                let mut piece = |block: &UserBuffer| {
                    let (here, after) = std::mem::take(&mut rest).split_at_mut(block.bytes());
                    rest = after;
                    block.pack(0, here);
                    // SAFETY: the memory belongs to the operation and outlives its transfers.
                    unsafe { UserBuffer::dense(here.as_mut_ptr(), here.len()) }
                };
                let send = Some(Region::Blocks(blocks.iter().map(&mut piece).collect()));
                Memory { send, staged: Some(bytes), ..Memory::default() }
            }
        })
    }

    /// Unpacks what arrived packed into the program's buffers.
    fn unstage(&self, memory: &Memory) {
        for (mut buffer, data) in memory.exposed.take() {
            buffer.unpack(0, &data);
        }
        if let (Staging::Bcast { buffer, is_root: false }, Some(bytes)) =
            (&self.staging, &memory.staged)
        {
            buffer.clone().unpack(0, bytes);
        }
    }
}

impl Engine {
    /// Runs a collective of the program to its end on the caller's stack.
    pub fn collect(&self, schedule: &Schedule) -> Result<()> {
        let module = self.coll_module_of(&schedule.comm)?;
        if module.is_none() && schedule.comm.is_new() {
            self.compare_calls(&schedule.comm, &schedule.coll_op)?;
        }
        self.run_on(module, schedule)
    }

    /// The same for a collective that the library itself calls, without the check of arguments.
    fn collect_own(&self, schedule: &Schedule) -> Result<()> {
        self.run_on(self.coll_module_of(&schedule.comm)?, schedule)
    }

    fn run_on(&self, module: Option<Rc<CollModule>>, schedule: &Schedule) -> Result<()> {
        schedule.draw_tags(Comm::next_blocking);
        let sharing = module.as_deref().map_or(Sharing::Nothing, Sharing::Blocking);
        self.drive(&schedule.comm, perform(self, schedule, sharing))
    }

    /// Polls a collective on `comm` to its end.
    #[inline]
    pub(crate) fn drive(
        &self,
        comm: &Rc<Comm>,
        operation: impl Future<Output = Result<()>>,
    ) -> Result<()> {
        let mut future = pin!(operation);
        let mut outcome = None;
        self.wait_until(
            || {
                let mut context = Context::from_waker(Waker::noop());
                if outcome.is_none() {
                    if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
                        outcome = Some(result);
                    }
                }
                outcome.is_some()
            },
            || self.first_pending_of(comm),
        );
        outcome.unwrap_or(Ok(()))
    }

    /// What a collective on `comm` waits for, for the stall report.
    fn first_pending_of(&self, comm: &Rc<Comm>) -> Option<OpInfo> {
        let messages = self.messages.borrow();
        let mut pending = messages.transfers.requests.pending();
        let of_comm = pending.find(|(_, r)| Rc::ptr_eq(&r.op_info.comm, comm));
        let op_info = of_comm.map(|(_, r)| r.op_info.clone());
        op_info.or_else(|| Some(OpInfo { comm: comm.clone(), peer: None, tag: None }))
    }

    /// A schedule; every member of the communicator makes its schedules in the same order.
    pub(crate) fn schedule(
        &self,
        comm: &Rc<Comm>,
        send: Region,
        recv: Region,
        coll_op: CollOp,
    ) -> Schedule {
        Schedule {
            comm: comm.clone(),
            tag: Cell::default(),
            local_tag: Cell::default(),
            has_notice: Cell::default(),
            send,
            recv,
            scratch_as_send: false,
            op: None,
            staging: Staging::Nothing,
            coll_op,
        }
    }

    pub(crate) fn region(&self, typed: &Typed) -> Result<Region> {
        let datatype = self.types.datatype(typed.type_id)?;
        datatype.bytes_of(typed.count)?;
        let (address, type_id) = (typed.address, typed.type_id);
        Ok(Region::Uniform(Uniform { address, datatype, type_id }))
    }

    pub(crate) fn bytes(&self, typed: &Typed) -> Result<usize> {
        self.types.datatype(typed.type_id)?.bytes_of(typed.count)
    }

    /// Bytes of as many blocks as this one.
    pub(crate) fn bytes_of_blocks(&self, block: &Typed, blocks: usize) -> Result<usize> {
        self.types.datatype(block.type_id)?.bytes_of_blocks(block.count, blocks)
    }

    /// The operator with this number.
    pub fn op(&self, id: u32) -> Result<Rc<Op>> {
        self.ops.borrow().get(id).cloned().ok_or_else(|| {
            Error::new(ErrorClass::Op, format!("operator number {id} does not exist"))
        })
    }

    /// Adds an operator and returns its number.
    pub fn add_op(&self, op: Op) -> u32 {
        self.ops.borrow_mut().insert(Rc::new(op))
    }

    /// Takes an operator out; operations that use it keep it.
    pub fn remove_op(&self, id: u32) -> Option<Rc<Op>> {
        self.ops.borrow_mut().remove(id)
    }

    /// MPI 5.0 section 6.9.7: `inout := in op inout`, in this process alone.
    ///
    /// # Safety
    /// `input` and `inout` must hold the elements they say.
    pub unsafe fn reduce_local(&self, input: Typed, inout: Typed, op: u32) -> Result<()> {
        let op = self.checked_op(op, &inout)?;
        self.bytes(&inout)?;
        self.refuse_alias(Some(&input), &inout)?;
        let datatype = self.types.datatype(inout.type_id)?;
        let elements = Uniform { address: inout.address, datatype, type_id: inout.type_id };
        // SAFETY: by this function's contract.
        unsafe { combine(&op, input.address, inout.address, inout.count, &elements) }
    }

    /// Refuses a send buffer that is where the result goes; MPI 5.0 section 2.4 and 6.2.3. Others
    /// may share memory: blocks that lie between one another, described by datatypes.
    pub(crate) fn refuse_alias(&self, send: Option<&Typed>, recv: &Typed) -> Result<()> {
        let Some(send) = send else { return Ok(()) };
        let is_same = send.address == recv.address
            && send.count == recv.count
            && send.type_id == recv.type_id;
        if !is_same || self.bytes(send)? == 0 {
            return Ok(());
        }
        Err(aliased())
    }

    /// The operator, if it works on these elements; MPI 5.0 section 6.9.2.
    pub(crate) fn checked_op(&self, id: u32, data: &Typed) -> Result<Rc<Op>> {
        let op = self.op(id)?;
        if let Op::Predefined(standard) = *op {
            if standard.is_one_sided() {
                let name = standard.name();
                let text = format!("{name} is for one-sided operations; no reduction takes it");
                return Err(Error::new(ErrorClass::Op, text));
            }
            let primitive = self.types.datatype(data.type_id)?.as_primitive();
            if !primitive.is_some_and(|p| kernels::valid(standard, p)) {
                let on = primitive.map_or("a derived datatype", Primitive::name);
                let name = standard.name();
                let text = format!("{name} is not defined on {on}; see MPI 5.0 section 6.9.2");
                return Err(Error::new(ErrorClass::Op, text));
            }
        }
        Ok(op)
    }

    /// Every member's bytes, in rank order; all must give as many.
    pub(crate) fn allgather_bytes(&self, comm: &Rc<Comm>, mine: &[u8]) -> Result<Vec<u8>> {
        let (schedule, all) = self.allgather_of_bytes(comm, mine)?;
        self.collect_own(&schedule)?;
        Ok(all.into_vec())
    }

    /// The schedule of that, and where it puts them; both buffers must last until it ends.
    pub(crate) fn allgather_of_bytes(
        &self,
        comm: &Rc<Comm>,
        mine: &[u8],
    ) -> Result<(Schedule, Box<[u8]>)> {
        let type_id = Primitive::Byte as u32;
        let mut all = zeroed(bytes_of(mine.len(), comm.size() as usize)?)?;
        let send = Typed { address: mine.as_ptr().cast_mut(), count: mine.len(), type_id };
        let recv = Typed { address: all.as_mut_ptr(), count: mine.len(), type_id };
        Ok((self.allgather(comm, Some(send), recv)?, all))
    }

    /// The root's bytes, at every member.
    pub(crate) fn bcast_bytes(&self, comm: &Rc<Comm>, bytes: &mut [u8], root: Rank) -> Result<()> {
        let (address, count) = (bytes.as_mut_ptr(), bytes.len());
        let data = Typed { address, count, type_id: Primitive::Byte as u32 };
        self.collect_own(&self.bcast(comm, data, Root::Rank(root))?)
    }
}
