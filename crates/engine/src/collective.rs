//! Collective operations; MPI 5.0 chapter 6. A call's arguments become a [`Recipe`] once, checked
//! and with the algorithm chosen; the blocking form runs it on the caller's stack, the nonblocking
//! one beside other work, a persistent request every time it is started.

use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll as coll;
use dunlin_coll::Places;
use dunlin_coll::select::Params;
use dunlin_datatype::span::bytes_of;
use dunlin_datatype::{Datatype, Primitive, reduce as kernels};

use crate::allocation::zeroed;
use crate::board::Board;
use crate::buffer::UserBuffer;
use crate::channel::{Memory, OpChannel, Region, Uniform, combine};
use crate::collective_inter::Inter;
use crate::collective_neighbour::Neighbourhood;
use crate::comm::Comm;
use crate::engine::Engine;
use crate::meeting::Meeting;
use crate::op::Op;
use crate::request::About;

/// A buffer of a collective: `count` elements of the datatype with this number at `address`.
#[derive(Debug, Clone, Copy)]
pub struct Typed {
    /// Address of the first element.
    pub address: *mut u8,
    /// Elements (per block, where an operation has blocks).
    pub count: usize,
    /// Number of the datatype.
    pub type_id: u32,
}

impl Typed {
    /// No data.
    pub const EMPTY: Typed = Typed { address: std::ptr::dangling_mut(), count: 0, type_id: 0 };
}

/// The root of a collective. With an intercommunicator it belongs to one of the two groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// This rank; of an intercommunicator, in the other group.
    Rank(Rank),
    /// This process itself, with an intercommunicator (`MPI_ROOT`).
    Here,
    /// Another process of this group, with an intercommunicator (`MPI_PROC_NULL`).
    Beside,
}

impl Root {
    /// Whether this process is the root.
    pub fn is_here(self, comm: &Comm) -> bool {
        self == Root::Here || (self == Root::Rank(comm.rank) && !comm.is_inter())
    }

    /// Whether the root is a process that this one names: then it takes part as any other does.
    pub fn is_named(self) -> bool {
        matches!(self, Root::Rank(_))
    }
}

/// A collective operation, ready to run: as often as wanted, but not twice at the same time.
#[derive(Debug)]
pub struct Recipe {
    pub(crate) comm: Rc<Comm>,
    /// Keeps this operation's messages apart from those of others in flight.
    pub(crate) tag: Cell<i32>,
    /// The same for the messages within this process's group of an intercommunicator.
    pub(crate) local_tag: Cell<i32>,
    pub(crate) send: Region,
    pub(crate) recv: Region,
    /// Scratch elements are of the send buffer's datatype; see [`coll::Channel::temp`].
    pub(crate) scratch_as_send: bool,
    pub(crate) op: Option<Rc<Op>>,
    /// What the library's own memory stands for while it runs.
    pub(crate) staging: Staging,
    pub(crate) steps: Steps,
}

impl Recipe {
    /// The recipe of a nonblocking or persistent operation. These are counted apart from the
    /// blocking ones, with which they never match (MPI 5.0, section 6.12): a program may begin one
    /// on this side and on that side of a blocking collective.
    #[must_use]
    pub fn apart(self) -> Rc<Recipe> {
        self.draw_tags(Comm::next_collective_apart);
        Rc::new(self)
    }

    fn draw_tags(&self, next: fn(&Comm) -> i32) {
        self.tag.set(next(&self.comm));
        self.local_tag.set(self.comm.local.as_ref().map_or(0, |local| next(local)));
    }
}

/// Data that an operation works on packed, in memory of the library.
#[derive(Debug)]
pub(crate) enum Staging {
    Nothing,
    /// The only buffer of a bcast: the root packs it before, the others unpack it after.
    Bcast {
        buffer: UserBuffer,
        is_root: bool,
    },
    /// What these blocks of the receive buffer hold at first is sent (`MPI_Alltoallw` in place).
    Sent(Rc<[UserBuffer]>),
}

/// Where blocks of different lengths stand.
#[derive(Debug, Clone)]
pub(crate) struct Blocks {
    pub counts: Box<[usize]>,
    pub displacements: Box<[usize]>,
}

impl Blocks {
    /// For ranks where the operation gives the buffer no meaning.
    pub(crate) fn none() -> Blocks {
        Blocks { counts: [].into(), displacements: [].into() }
    }

    pub(crate) fn places(&self) -> Places<'_> {
        Places { counts: &self.counts, displacements: &self.displacements }
    }
}

/// The algorithm and its arguments.
#[derive(Debug)]
pub(crate) enum Steps {
    Barrier(Params),
    Bcast(coll::Bcast, Params),
    Gather(coll::Gather, Params),
    Gatherv {
        root: usize,
        send_len: usize,
        recv: Blocks,
        params: Params,
    },
    Scatter(coll::Scatter, Params),
    Scatterv {
        root: usize,
        send: Blocks,
        recv_len: usize,
        params: Params,
    },
    Allgather(coll::Allgather, Params),
    /// With the bytes of the longest block.
    Allgatherv {
        send_len: usize,
        recv: Blocks,
        params: Params,
        longest: usize,
    },
    Alltoall(coll::Alltoall, Params),
    Alltoallv {
        send: Blocks,
        recv: Blocks,
        in_place: bool,
        params: Params,
    },
    Reduce(coll::Reduce, Params),
    Allreduce(coll::Allreduce, Params),
    ReduceScatter {
        starts: Box<[usize]>,
        commutative: bool,
        params: Params,
    },
    ReduceScatterBlock(coll::ReduceScatterBlock, Params),
    Scan(coll::Scan, Params),
    Exscan(coll::Exscan, Params),
    Neighbourhood(Neighbourhood),
    Inter(Inter),
}

/// Runs a recipe to its end. Only blocking collectives, which all ranks begin in the same order,
/// may use a board.
pub(crate) async fn perform(engine: &Engine, recipe: &Recipe, board: Option<&Board>) -> Result<()> {
    let memory = recipe.stage()?;
    let (comm, tag) = (&recipe.comm, recipe.tag.get());
    let meeting = board.map(|board| Meeting { engine, comm, board });
    meeting.inspect(|meeting| meeting.begin());
    let outcome = run(&OpChannel { engine, recipe, memory: &memory, comm, tag, meeting }).await;
    meeting.inspect(|meeting| meeting.end());
    match outcome {
        Ok(()) => {
            recipe.unstage(&memory);
            engine.keep_spares(memory.scratch.take().into_iter().map(|scratch| scratch.memory));
        }
        // Transfers that were begun may still use the memory: it is given up.
        Err(_) => std::mem::forget(memory),
    }
    outcome
}

/// The most that a rank shows where each knows that of some only: more than there is room to post.
pub(crate) const UNKNOWN: usize = usize::MAX;

async fn run(ch: &OpChannel<'_>) -> Result<()> {
    match &ch.recipe.steps {
        Steps::Barrier(p) => coll::barrier(ch, ch.choose(p)).await,
        Steps::Bcast(v, p) => coll::bcast(ch, *v, ch.choose(p)).await,
        Steps::Gather(v, p) => coll::gather(ch, *v, ch.choose(p)).await,
        Steps::Gatherv { root, send_len, recv, params: p } => {
            let v = coll::Gatherv { root: *root, send_len: *send_len, recv: recv.places() };
            coll::gatherv(ch, v, ch.choose_showing(p, UNKNOWN)).await
        }
        Steps::Scatter(v, p) => coll::scatter(ch, *v, ch.choose(p)).await,
        Steps::Scatterv { root, send, recv_len, params: p } => {
            let v = coll::Scatterv { root: *root, send: send.places(), recv_len: *recv_len };
            coll::scatterv(ch, v, ch.choose_showing(p, UNKNOWN)).await
        }
        Steps::Allgather(v, p) => coll::allgather(ch, *v, ch.choose(p)).await,
        Steps::Allgatherv { send_len, recv, params: p, longest } => {
            let v = coll::Allgatherv { send_len: *send_len, recv: recv.places() };
            coll::allgatherv(ch, v, ch.choose_showing(p, *longest)).await
        }
        Steps::Alltoall(v, p) => coll::alltoall(ch, *v, ch.choose(p)).await,
        Steps::Alltoallv { send, recv, in_place, params: p } => {
            let (send, recv, in_place) = (send.places(), recv.places(), *in_place);
            let v = coll::Alltoallv { send, recv, in_place };
            coll::alltoallv(ch, v, ch.choose_showing(p, UNKNOWN)).await
        }
        Steps::Reduce(v, p) => coll::reduce(ch, *v, ch.choose(p)).await,
        Steps::Allreduce(v, p) => coll::allreduce(ch, *v, ch.choose(p)).await,
        Steps::ReduceScatter { starts, commutative, params: p } => {
            let v = coll::ReduceScatter { starts, commutative: *commutative };
            coll::reduce_scatter(ch, v, ch.choose(p)).await
        }
        Steps::ReduceScatterBlock(v, p) => coll::reduce_scatter_block(ch, *v, ch.choose(p)).await,
        Steps::Scan(v, p) => coll::scan(ch, *v, ch.choose(p)).await,
        Steps::Exscan(v, p) => coll::exscan(ch, *v, ch.choose(p)).await,
        Steps::Neighbourhood(v) => coll::neighbourhood(ch, v.arguments()).await,
        Steps::Inter(v) => v.run(ch).await,
    }
}

impl Recipe {
    /// Packs what this operation works on packed.
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

    /// Hands the program what arrived packed.
    fn unstage(&self, memory: &Memory) {
        for (mut buffer, data) in memory.opened.take() {
            buffer.unpack(0, &data);
        }
        if let (Staging::Bcast { buffer, is_root: false }, Some(bytes)) =
            (&self.staging, &memory.staged)
        {
            buffer.clone().unpack(0, bytes);
        }
    }
}

#[cold]
pub(crate) fn aliased() -> Error {
    let text = "the send buffer is where the result goes; pass MPI_IN_PLACE in its place";
    Error::new(ErrorClass::Buffer, text)
}

/// Bytes at `address`.
pub(crate) fn packed(address: *mut u8) -> Uniform {
    let datatype = Datatype::primitive(Primitive::Byte);
    Uniform { address, datatype, type_id: Primitive::Byte as u32 }
}

impl Engine {
    /// Runs a collective of the program to its end on the caller's stack.
    pub fn collect(&self, recipe: &Recipe) -> Result<()> {
        let board = self.board_of(&recipe.comm)?;
        if board.is_none() && recipe.comm.is_new() {
            self.compare_calls(&recipe.comm, &recipe.steps)?;
        }
        self.run_on(board, recipe)
    }

    /// The same for one of the library itself, whose arguments agree.
    fn collect_own(&self, recipe: &Recipe) -> Result<()> {
        self.run_on(self.board_of(&recipe.comm)?, recipe)
    }

    fn run_on(&self, board: Option<Rc<Board>>, recipe: &Recipe) -> Result<()> {
        recipe.draw_tags(Comm::next_collective);
        self.drive(&recipe.comm, perform(self, recipe, board.as_deref()))
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

    /// What a collective on `comm` waits for.
    fn first_pending_of(&self, comm: &Rc<Comm>) -> Option<About> {
        let messages = self.messages.borrow();
        let mut pending = messages.requests.pending();
        let of_comm = pending.find(|(_, r)| Rc::ptr_eq(&r.about.comm, comm));
        let about = of_comm.map(|(_, r)| r.about.clone());
        about.or_else(|| Some(About { comm: comm.clone(), peer: None, tag: None }))
    }

    /// A recipe; every member of the communicator makes its recipes in the same order.
    pub(crate) fn recipe(
        &self,
        comm: &Rc<Comm>,
        send: Region,
        recv: Region,
        steps: Steps,
    ) -> Recipe {
        Recipe {
            comm: comm.clone(),
            tag: Cell::default(),
            local_tag: Cell::default(),
            send,
            recv,
            scratch_as_send: false,
            op: None,
            staging: Staging::Nothing,
            steps,
        }
    }

    pub(crate) fn region(&self, typed: &Typed) -> Result<Region> {
        let datatype = self.datatype(typed.type_id)?;
        datatype.bytes_of(typed.count)?;
        let (address, type_id) = (typed.address, typed.type_id);
        Ok(Region::Uniform(Uniform { address, datatype, type_id }))
    }

    pub(crate) fn bytes(&self, typed: &Typed) -> Result<usize> {
        self.datatype(typed.type_id)?.bytes_of(typed.count)
    }

    /// Bytes of as many blocks as this one.
    pub(crate) fn bytes_of_blocks(&self, block: &Typed, blocks: usize) -> Result<usize> {
        self.datatype(block.type_id)?.bytes_of_blocks(block.count, blocks)
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
        let datatype = self.datatype(inout.type_id)?;
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
            let primitive = self.datatype(data.type_id)?.as_primitive();
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
        let type_id = Primitive::Byte as u32;
        let mut all = zeroed(bytes_of(mine.len(), comm.size() as usize)?)?;
        let send = Typed { address: mine.as_ptr().cast_mut(), count: mine.len(), type_id };
        let recv = Typed { address: all.as_mut_ptr(), count: mine.len(), type_id };
        self.collect_own(&self.allgather(comm, Some(send), recv)?)?;
        Ok(all.into_vec())
    }

    /// The root's bytes, at every member.
    pub(crate) fn bcast_bytes(&self, comm: &Rc<Comm>, bytes: &mut [u8], root: Rank) -> Result<()> {
        let (address, count) = (bytes.as_mut_ptr(), bytes.len());
        let data = Typed { address, count, type_id: Primitive::Byte as u32 };
        self.collect_own(&self.bcast(comm, data, Root::Rank(root))?)
    }
}
