//! The executor that runs collective algorithms for real: a view of a buffer becomes bytes of the
//! program's memory, a message goes through the message layer in the communicator's collective
//! context.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll::{Buffer, Channel, View};
use dunlin_datatype::{Datatype, reduce};

use crate::buffer::UserBuffer;
use crate::comm::Comm;
use crate::engine::{Engine, collective};
use crate::matching::Pattern;
use crate::messages::Mode;
use crate::op::Op;
use crate::request::{About, RequestId};

/// Memory of elements of one datatype.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// Address of the first element.
    pub address: *mut u8,
    /// What an element is.
    pub datatype: Datatype,
    /// Its number, for the program's operators.
    pub type_id: u32,
}

impl Region {
    fn element(&self, index: usize) -> *mut u8 {
        self.address.wrapping_offset(index as isize * self.datatype.extent() as isize)
    }
}

/// Scratch memory of one operation.
#[derive(Debug)]
struct Scratch {
    region: Region,
    /// Aligned for every predefined datatype.
    _memory: Box<[u128]>,
}

/// The world of one collective operation of this process.
pub(crate) struct OpChannel<'e> {
    pub engine: &'e Engine,
    pub comm: Rc<Comm>,
    /// Keeps this operation's messages apart from those of others in flight.
    pub tag: i32,
    pub send: Region,
    pub recv: Region,
    /// What scratch elements are.
    pub scratch_type: Region,
    pub op: Option<Rc<Op>>,
    scratch: RefCell<Vec<Scratch>>,
}

impl<'e> OpChannel<'e> {
    pub fn new(engine: &'e Engine, comm: Rc<Comm>, send: Region, recv: Region) -> Self {
        let tag = comm.next_collective();
        let scratch_type = recv.clone();
        let scratch = RefCell::default();
        OpChannel { engine, comm, tag, send, recv, scratch_type, op: None, scratch }
    }

    pub fn with_op(self, op: Rc<Op>) -> Self {
        OpChannel { op: Some(op), ..self }
    }

    /// Scratch elements are of the send buffer's datatype; see [`Channel::temp`].
    pub fn with_send_scratch(self) -> Self {
        OpChannel { scratch_type: self.send.clone(), ..self }
    }

    fn region(&self, buffer: Buffer) -> Region {
        match buffer {
            Buffer::Send => self.send.clone(),
            Buffer::Recv => self.recv.clone(),
            Buffer::Temp(n) => self.scratch.borrow()[n as usize].region.clone(),
        }
    }

    fn user_buffer(&self, view: View) -> UserBuffer {
        if view.len == 0 {
            return UserBuffer::EMPTY;
        }
        let region = self.region(view.buffer);
        // SAFETY: the caller of the collective promised its buffers; scratch lives in `self`, which
        // is kept until the operation ends (see `Engine::run`).
        unsafe { UserBuffer::new(region.element(view.start), view.len, &region.datatype) }
    }

    fn about(&self, peer: usize) -> About {
        About { comm: self.comm.clone(), peer: Some(peer as Rank), tag: None }
    }
}

impl Channel for OpChannel<'_> {
    type Ticket = RequestId;

    fn rank(&self) -> usize {
        self.comm.rank as usize
    }

    fn size(&self) -> usize {
        self.comm.size() as usize
    }

    fn isend(&self, to: usize, from: View) -> Result<RequestId> {
        let envelope_context = collective(self.comm.context);
        let buffer = self.user_buffer(from);
        let (to, mode) = (to as Rank, Mode::Standard);
        self.engine.isend_in(envelope_context, &self.comm, buffer, None, to, self.tag, mode)
    }

    fn irecv(&self, from: usize, into: View) -> Result<RequestId> {
        let pattern = Pattern {
            context: collective(self.comm.context),
            source: Some(from as Rank),
            tag: Some(self.tag),
        };
        let buffer = self.user_buffer(into);
        let about = self.about(from);
        Ok(self.engine.messages.borrow_mut().receive(&pattern, buffer, about))
    }

    fn wait(&self, ticket: RequestId) -> impl Future<Output = Result<()>> {
        poll_fn(move |_| {
            let status = self.engine.messages.borrow_mut().requests.take_if_done(ticket);
            match status {
                None => Poll::Pending,
                Some(status) => Poll::Ready(status.error.map_or(Ok(()), Err)),
            }
        })
    }

    fn temp(&self, len: usize) -> Result<View> {
        let Region { datatype, type_id, .. } = self.scratch_type.clone();
        let (lo, hi) = datatype.bounds(len);
        let words = ((hi - lo) as usize).div_ceil(size_of::<u128>());
        let mut memory = vec![0u128; words].into_boxed_slice();
        let address = memory.as_mut_ptr().cast::<u8>().wrapping_offset(-lo as isize);
        let mut scratch = self.scratch.borrow_mut();
        let number = scratch.len() as u32;
        scratch.push(Scratch { region: Region { address, datatype, type_id }, _memory: memory });
        Ok(View { buffer: Buffer::Temp(number), start: 0, len })
    }

    fn copy(&self, from: View, to: View) -> Result<()> {
        let (from, mut to) = (self.user_buffer(from), self.user_buffer(to));
        if !from.is_same_memory(&to) {
            to.copy_from(&from);
        }
        Ok(())
    }

    fn reduce(&self, left: View, right: View) -> Result<()> {
        let Some(op) = &self.op else {
            let text = "a collective without an operator was asked to reduce";
            return Err(Error::new(ErrorClass::Intern, text));
        };
        if right.len == 0 {
            return Ok(());
        }
        let (l, r) = (self.region(left.buffer), self.region(right.buffer));
        // SAFETY: both views lie in promised or scratch memory and do not overlap; an algorithm
        // touches neither while this runs.
        unsafe { combine(op, l.element(left.start), r.element(right.start), right.len, &r) }
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
    region: &Region,
) -> Result<()> {
    let standard = match op {
        Op::User { function, .. } => {
            function(left, right, count, region.type_id);
            return Ok(());
        }
        Op::Predefined(op) => *op,
    };
    let Some(primitive) = region.datatype.as_primitive() else {
        let text = format!("{} works on predefined datatypes only", standard.name());
        return Err(Error::new(ErrorClass::Op, text));
    };
    let bytes = count * region.datatype.extent() as usize;
    // SAFETY: by this function's contract; predefined datatypes begin at their address.
    let (left, right) = unsafe {
        (std::slice::from_raw_parts(left, bytes), std::slice::from_raw_parts_mut(right, bytes))
    };
    reduce::reduce(standard, primitive, left, right)
}

impl Engine {
    /// Runs a collective to its end on the caller's stack.
    pub(crate) fn run<'e>(
        &'e self,
        channel: OpChannel<'e>,
        algorithm: impl AsyncFnOnce(&OpChannel<'e>) -> Result<()>,
    ) -> Result<()> {
        let outcome = {
            let mut future = pin!(algorithm(&channel));
            let mut outcome = None;
            self.wait_until(
                || {
                    let mut context = Context::from_waker(Waker::noop());
                    if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
                        outcome = Some(result);
                    }
                    outcome.is_some()
                },
                || self.first_pending_of(&channel.comm),
            );
            outcome.unwrap_or(Ok(()))
        };
        if outcome.is_err() {
            // Transfers that were begun may still use the scratch memory: it is given up.
            std::mem::forget(channel);
        }
        outcome
    }

    /// What a collective on `comm` waits for.
    fn first_pending_of(&self, comm: &Rc<Comm>) -> Option<About> {
        let messages = self.messages.borrow();
        let mut pending = messages.requests.pending();
        let of_comm = pending.find(|(_, r)| Rc::ptr_eq(&r.about.comm, comm));
        let about = of_comm.map(|(_, r)| r.about.clone());
        about.or_else(|| Some(About { comm: comm.clone(), peer: None, tag: None }))
    }
}
