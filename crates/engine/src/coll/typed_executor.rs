//! The executor of collective algorithms for every datatype and operator: a view of a buffer is the
//! program's memory, a message goes through the message layer in the communicator's collective
//! context.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::Poll;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll::{Buffer, Channel, Member, Nodes, View};
use dunlin_datatype::Primitive;
use dunlin_datatype::reduce::{self, AnyProcessor, Operands};

use crate::coll::mismatch::{gone, too_much};
use crate::coll::op_context::OpContext;
use crate::engine::Engine;
use crate::matching::Pattern;
use crate::memory::alloc::zeroed;
use crate::memory::scratch::ScratchBuffer;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::{CollTag, Comm};
use crate::objects::op::{Op, UserFunction};
use crate::objects::schedule::{Region, Schedule, Uniform};
use crate::objects::status::{Source, Status};
use crate::p2p::request::Mode;
use crate::p2p::request::{COMPLETE, OpInfo, RequestId};
use crate::threads::lock;

/// Memory of the library itself that one operation uses.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// By number.
    pub scratch: RefCell<Vec<Scratch>>,
    /// Memory that replaces the send buffer or the receive buffer.
    pub send: Option<Region>,
    pub recv: Option<Region>,
    /// What `send` or `recv` points to.
    pub staged: Option<Box<[u8]>>,
    /// Packed copies that other ranks read.
    pub kept: RefCell<Vec<Box<[u8]>>>,
    /// Scattered buffers, and what is given to them.
    pub exposed: RefCell<Vec<(UserBuffer, Box<[u8]>)>>,
    /// Transfers in progress that the algorithm left as it failed.
    pub abandoned: RefCell<Vec<RequestId>>,
}

impl Memory {
    /// Memory for what is given to `buffer`, whose data is scattered, and its address.
    pub fn expose_for_put(&self, buffer: UserBuffer) -> Result<u64> {
        let mut packed = zeroed(buffer.bytes())?;
        let address = packed.as_mut_ptr() as u64;
        self.exposed.borrow_mut().push((buffer, packed));
        Ok(address)
    }

    /// Keeps `data` as long as the operation, and says where.
    pub fn keep(&self, data: Box<[u8]>) -> u64 {
        let address = data.as_ptr() as u64;
        self.kept.borrow_mut().push(data);
        address
    }
}

/// Scratch memory that an algorithm asked for.
#[derive(Debug)]
pub(crate) struct Scratch {
    region: Region,
    pub memory: ScratchBuffer,
}

/// One collective operation of this process.
pub(crate) struct TypedExecutor<'e> {
    pub engine: &'e Engine,
    pub schedule: &'e Schedule,
    pub memory: &'e Memory,
    /// Whose processes are the peers: those that ranks in messages mean.
    pub comm: &'e Rc<Comm>,
    pub tag: CollTag,
    /// The collective segment, if the operation uses it.
    pub context: Option<OpContext<'e>>,
}

impl<'e> TypedExecutor<'e> {
    /// Hands the region of a buffer to `f`.
    pub(crate) fn with_region<T>(&self, buffer: Buffer, f: impl FnOnce(&Region) -> T) -> T {
        match buffer {
            Buffer::Send => f(self.memory.send.as_ref().unwrap_or(&self.schedule.send)),
            Buffer::Recv => f(self.memory.recv.as_ref().unwrap_or(&self.schedule.recv)),
            Buffer::Temp(n) => f(&self.memory.scratch.borrow()[n as usize].region),
        }
    }

    pub(crate) fn user_buffer(&self, view: View) -> UserBuffer {
        if view.len == 0 {
            return UserBuffer::EMPTY;
        }
        self.with_region(view.buffer, |region| region.buffer(view.start, view.len))
    }

    pub(crate) fn operator(&self) -> Result<&Op> {
        self.schedule.op.as_deref().ok_or_else(|| {
            let text = "a collective without an operator was asked to reduce";
            Error::new(ErrorClass::Intern, text)
        })
    }

    fn request(&self, id: RequestId, peer: usize, expected: Option<u64>) -> Request<'e> {
        Request { id, peer, expected, is_cancelled: false, memory: self.memory }
    }

    fn op_info(&self, peer: usize) -> OpInfo {
        OpInfo { comm: self.comm.clone(), peer: Some(peer as Rank), tag: None }
    }
}

impl Member for TypedExecutor<'_> {
    fn rank(&self) -> usize {
        self.comm.rank as usize
    }

    fn size(&self) -> usize {
        self.comm.peer_count() as usize
    }

    fn temp(&self, len: usize) -> Result<View> {
        let like = if self.schedule.scratch_as_send { Buffer::Send } else { Buffer::Recv };
        let mut like = self.with_region(like, |region| region.uniform().cloned())?;
        let named = like.datatype.bytes_of(len)?;
        let (lo, hi) = like.datatype.bounds(len);
        let memory = self.engine.scratch_buffers.take_spanning((hi - lo) as usize, named)?;
        like.address = memory.address().wrapping_offset(-lo as isize);
        let mut scratch = self.memory.scratch.borrow_mut();
        let number = scratch.len() as u32;
        scratch.push(Scratch { region: Region::Uniform(like), memory });
        Ok(View { buffer: Buffer::Temp(number), start: 0, len })
    }

    fn copy(&self, from: View, to: View) -> Result<()> {
        let (from, mut to) = (self.user_buffer(from), self.user_buffer(to));
        // Shorter may be what a rank has for itself: other libraries, too, leave the rest alone. In
        // a communicator of one process they accept an empty receive buffer.
        let asks_for_nothing = to.bytes() == 0 && self.size() == 1;
        if from.bytes() > to.bytes() && !asks_for_nothing {
            return Err(too_much(self.rank(), from.bytes(), to.bytes()));
        }
        if !asks_for_nothing && !from.is_same_memory(&to) {
            to.copy_from(&from);
        }
        Ok(())
    }

    fn reduce(&self, left: View, right: View) -> Result<()> {
        let op = self.operator()?;
        if right.len == 0 {
            return Ok(());
        }
        // The operator may call MPI: nothing is borrowed while it runs.
        let place = |view: View| self.with_region(view.buffer, |r| r.uniform().cloned());
        let (l, r) = (place(left)?, place(right)?);
        // SAFETY: both views lie in promised or scratch memory and do not overlap; an algorithm
        // touches neither while this runs.
        unsafe { combine(op, l.element(left.start), r.element(right.start), right.len, &r) }
    }
}

/// A transfer of a collective. One that is dropped before it is done is abandoned.
pub(crate) struct Request<'e> {
    /// [`COMPLETE`] once it is done.
    id: RequestId,
    peer: usize,
    /// Of a receive, the bytes that must arrive.
    expected: Option<u64>,
    /// Of a send, whether it was cancelled, since the peer has left the operation.
    is_cancelled: bool,
    memory: &'e Memory,
}

impl Drop for Request<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.id != COMPLETE {
            self.memory.abandoned.borrow_mut().push(self.id);
        }
    }
}

impl Request<'_> {
    /// How the transfer ended, once it has.
    fn take(&mut self, engine: &Engine) -> Option<Result<()>> {
        let status = engine.messages.borrow_mut().transfers.requests.take_if_done(self.id)?;
        self.id = COMPLETE;
        Some(self.outcome(status))
    }

    /// How the transfer ended. A collective's messages are as long as their receives: a shorter one
    /// means that the ranks do not agree.
    fn outcome(&self, status: Status) -> Result<()> {
        match (status, self.expected) {
            (Status { error: Some(error), .. }, _) => Err(*error),
            (Status { cancelled: true, .. }, _) => Err(gone(self.peer)),
            (Status { source: Source::Rank(by), bytes, .. }, Some(all)) if bytes != all => {
                Err(too_much(by as usize, bytes as usize, all as usize))
            }
            _ => Ok(()),
        }
    }
}

impl<'e> Channel for TypedExecutor<'e> {
    type Request = Request<'e>;

    fn nodes(&self) -> Rc<Nodes> {
        self.engine.nodes_of(self.comm)
    }

    fn isend(&self, to: usize, from: View) -> Result<Request<'e>> {
        let (CollTag { context, tag }, buffer) = (self.tag, self.user_buffer(from));
        let (to, mode) = (to as Rank, Mode::Standard);
        let id = self.engine.isend_in(context, self.comm, buffer, None, to, tag, mode)?;
        Ok(self.request(id, to as usize, None))
    }

    fn irecv(&self, from: usize, into: View) -> Result<Request<'e>> {
        let pattern = Pattern {
            context: self.tag.context,
            source: Some(from as Rank),
            tag: Some(self.tag.tag),
        };
        let buffer = self.user_buffer(into);
        let (op_info, expected) = (self.op_info(from), buffer.bytes() as u64);
        let id = self.engine.messages.borrow_mut().receive(&pattern, buffer, op_info);
        Ok(self.request(id, from, Some(expected)))
    }

    fn wait(&self, mut request: Request<'e>) -> impl Future<Output = Result<()>> {
        let mut polls = 0u32;
        poll_fn(move |_| {
            if let Some(outcome) = request.take(self.engine) {
                return Poll::Ready(outcome);
            }
            polls = polls.saturating_add(1);
            let context = self.context.filter(|_| !self.engine.in_good_faith(polls));
            let by = request.peer;
            if !request.is_cancelled && context.is_some_and(|context| context.is_left_by(by)) {
                // Perhaps it came between our two checks.
                let last = request.take(self.engine);
                if last.is_some() || request.expected.is_some() {
                    return Poll::Ready(last.unwrap_or_else(|| Err(gone(by))));
                }
                // The peer may have this message, and only not have said so.
                request.is_cancelled = true;
                let _is_there = self.engine.cancel(request.id);
            }
            self.engine
                .given_up(self.schedule)
                .map_or(Poll::Pending, |error| Poll::Ready(Err(error)))
        })
    }
}

/// Lets the program's function combine elements of this extent and datatype: a call takes an int's
/// worth of them at most.
pub(crate) fn apply_by_pieces(
    function: &UserFunction,
    (left, right): (*const u8, *mut u8),
    count: usize,
    (extent, type_id): (isize, u32),
) {
    const AT_ONCE: usize = i32::MAX as usize;
    // MPI's inquiry functions, which it may call, do not give the engine away.
    let _inside = lock::stay_inside();
    for start in (0..count).step_by(AT_ONCE) {
        let offset = start as isize * extent;
        let (left, right) = (left.wrapping_offset(offset), right.wrapping_offset(offset));
        function(left, right, AT_ONCE.min(count - start), type_id);
    }
}

/// `right := left op right`, element by element.
///
/// # Safety
/// Both addresses must hold `count` elements of the region's datatype; `right` is written; the two
/// do not overlap.
pub(crate) unsafe fn combine(
    op: &Op,
    left: *const u8,
    right: *mut u8,
    count: usize,
    elements: &Uniform,
) -> Result<()> {
    let standard = match op {
        Op::User { function, .. } => {
            let extent = elements.datatype.extent() as isize;
            apply_by_pieces(function, (left, right), count, (extent, elements.type_id));
            return Ok(());
        }
        Op::Predefined(op) => *op,
    };
    let Some(primitive) = elements.datatype.as_primitive() else {
        let text = format!("{} works on predefined datatypes only", standard.name());
        return Err(Error::new(ErrorClass::Op, text));
    };
    let bytes = count * elements.datatype.extent() as usize;
    // SAFETY: by this function's contract; predefined datatypes begin at their address.
    let (left, right) = unsafe {
        (std::slice::from_raw_parts(left, bytes), std::slice::from_raw_parts_mut(right, bytes))
    };
    sum_up(standard, primitive, left, right)
}

/// `right := left op right`.
#[inline(always)]
pub(crate) fn sum_up(op: reduce::Op, of: Primitive, left: &[u8], right: &mut [u8]) -> Result<()> {
    sum(op, of, Operands::OntoRight(left, right))
}

/// As [`sum_up`], wherever the result goes.
#[inline(always)]
pub(crate) fn sum(op: reduce::Op, of: Primitive, on: Operands<'_>) -> Result<()> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        let call = reduce::kernel::<avx2::Avx2>(op, of, &on)?;
        // SAFETY: the processor has what the function asks for.
        unsafe { call(on) };
        return Ok(());
    }
    reduce::kernel::<AnyProcessor>(op, of, &on)?(on);
    Ok(())
}

/// As [`sum`] on elements without padding.
#[inline(always)]
pub(crate) fn sum_packed(op: reduce::Op, of: Primitive, on: Operands<'_>) -> Result<()> {
    if of.size() == of.extent() {
        return sum(op, of, on);
    }
    reduce::packed_kernel::<AnyProcessor>(op, of, &on)?(on);
    Ok(())
}

/// The library is built for any processor of its architecture; its reductions exist a second time
/// for wider vectors: 16 KiB of doubles take 0.32 instead of 0.47 us. Not a third time, for AVX-512
/// (in Rust since 1.89): on a Xeon an accumulate of 1 KiB takes 27 instead of 30 ns, but an
/// allreduce of 64 KiB 5.7 instead of 4.9 us.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::marker::PhantomData;

    use dunlin_datatype::reduce::{Compiled, Features, Kernel, Kernels, Operands};

    pub enum Avx2 {}

    pub struct WithAvx2<K>(PhantomData<K>);

    impl Features for Avx2 {
        type Call = unsafe fn(Operands<'_>);
        type Of<K: Kernel> = WithAvx2<K>;
        const KERNELS: &'static Kernels<Self::Call> = &Kernels::new::<Self>();
    }

    impl<K: Kernel> Compiled<unsafe fn(Operands<'_>)> for WithAvx2<K> {
        const CALL: unsafe fn(Operands<'_>) = run::<K>;
    }

    /// # Safety
    /// The processor has AVX2.
    #[target_feature(enable = "avx2")]
    unsafe fn run<K: Kernel>(on: Operands<'_>) {
        K::run(on);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;

    type Version = fn(reduce::Op, Primitive, Operands<'_>) -> Result<()>;

    /// The processor's widest, and what every processor has.
    const VERSIONS: [Version; 2] = [sum, |op, of, on| {
        reduce::kernel::<AnyProcessor>(op, of, &on)?(on);
        Ok(())
    }];

    /// Random bytes, at an address that no element is aligned to.
    fn unaligned(dice: &mut Dice, bytes: usize) -> Vec<u8> {
        (0..=bytes).map(|_| dice.below(256) as u8).collect()
    }

    fn each_alone(op: reduce::Op, of: Primitive, left: &[u8], right: &[u8]) -> Vec<u8> {
        let mut results = right.to_vec();
        let elements = left.chunks_exact(of.extent());
        for (left, right) in elements.zip(results.chunks_exact_mut(of.extent())) {
            reduce::reduce(op, of, left, right).unwrap();
        }
        results
    }

    #[test]
    fn vector_loops_give_what_elements_alone_give() {
        let mut dice = Dice(1);
        // What lies between the parts of a padded pair stays as it was.
        let is_dense = |of: Primitive| of.size() == of.extent();
        let all =
            reduce::Op::ALL.iter().flat_map(|op| Primitive::ALL.iter().map(move |p| (*op, *p)));
        for (op, of) in all.filter(|(op, of)| reduce::valid(*op, *of) && is_dense(*of)) {
            for bytes in [1, 2, 3, 7, 33, 131].map(|elements| elements * of.extent()) {
                let (left, right) = (unaligned(&mut dice, bytes), unaligned(&mut dice, bytes));
                let expected = each_alone(op, of, &left[1..], &right[1..]);
                for version in VERSIONS {
                    let (mut onto_left, mut onto_right) = (left.clone(), right.clone());
                    let mut into = right.clone();
                    version(op, of, Operands::OntoLeft(&mut onto_left[1..], &right[1..])).unwrap();
                    version(op, of, Operands::OntoRight(&left[1..], &mut onto_right[1..])).unwrap();
                    version(op, of, Operands::Into(&left[1..], &right[1..], &mut into[1..]))
                        .unwrap();
                    for result in [onto_left, onto_right, into] {
                        assert_eq!(result[1..], expected, "{} of {bytes} bytes {of:?}", op.name());
                    }
                }
            }
        }
    }
}
