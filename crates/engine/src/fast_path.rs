//! The fast path of small messages: no lock, no error to build, for sends no request. It either
//! does the whole thing or nothing; then the slow path repeats the checks, does it, and says what
//! is wrong if anything is.

use std::cell::Cell;
use std::ops::Deref;
use std::ptr::{from_ref, null_mut};
use std::rc::Rc;
use std::sync::atomic::{AtomicPtr, Ordering};

use dunlin_base::{Rank, Tag};

use crate::buffer::UserBuffer;
use crate::comm::{Comm, CommId};
use crate::engine::Engine;
use crate::matching::{Envelope, Pattern};
use crate::messages::{Messages, Route};
use crate::progress_thread;
use crate::request::{OpInfo, RequestId};
use crate::status::Status;

pub use crate::request::SENT;

/// The engine, while MPI runs in this process, only one thread at a time calls it, and there is no
/// progress thread.
static ENGINE: AtomicPtr<Engine> = AtomicPtr::new(null_mut());
/// The same where there is a progress thread: looked at second, so that who has none pays nothing.
static SHARED_ENGINE: AtomicPtr<Engine> = AtomicPtr::new(null_mut());

/// Looks at the rings before a blocking receive is posted: about 2 us, in which the answer to a
/// message that was just sent arrives.
const POLLS: u32 = 40;

/// Opens the fast path for calls into `engine`, or closes it.
pub(crate) fn open(engine: Option<&'static Engine>) {
    let pointer = |engine: Option<&Engine>| engine.map_or(null_mut(), |e| from_ref(e).cast_mut());
    // Relaxed: while one of these is set, one thread at a time is inside MPI, and the program
    // orders them.
    ENGINE.store(pointer(engine.filter(|e| !e.spans_nodes)), Ordering::Relaxed);
    SHARED_ENGINE.store(pointer(engine.filter(|e| e.spans_nodes)), Ordering::Relaxed);
}

/// The right to use the engine, for the length of a short call.
#[derive(Debug)]
pub(crate) struct FastGuard {
    engine: &'static Engine,
    /// The progress thread is kept out until this is dropped.
    keeps_out: bool,
}

impl Deref for FastGuard {
    type Target = Engine;
    #[inline(always)]
    fn deref(&self) -> &Engine {
        self.engine
    }
}

impl Drop for FastGuard {
    #[inline(always)]
    fn drop(&mut self) {
        if self.keeps_out {
            progress_thread::leave();
        }
    }
}

/// The engine, if the fast path is open.
#[inline(always)]
pub(crate) fn enter() -> Option<FastGuard> {
    // SAFETY: null, or the engine of the process, which is never dropped nor moved.
    match unsafe { ENGINE.load(Ordering::Relaxed).as_ref() } {
        Some(engine) => Some(FastGuard { engine, keeps_out: false }),
        None => enter_shared(),
    }
}

fn enter_shared() -> Option<FastGuard> {
    // SAFETY: as above.
    let engine = unsafe { SHARED_ENGINE.load(Ordering::Relaxed).as_ref() }?;
    Some(FastGuard { engine, keeps_out: progress_thread::enter() })
}

/// The value of a communicator's attribute, if it has one under this key.
#[inline(always)]
pub fn comm_attribute(comm: CommId, keyval: u32) -> Option<usize> {
    let engine = enter()?;
    let comms = engine.comms.try_borrow().ok()?;
    comms.get(comm)?.attributes.get(keyval)
}

/// The value of a datatype's attribute, if it has one under this key.
#[inline(always)]
pub fn type_attribute(datatype: u32, keyval: u32) -> Option<usize> {
    let engine = enter()?;
    engine.types.peek(datatype, |t| t.attributes.get(keyval))?
}

/// Sends `data` if that can be done at once.
#[inline(always)]
pub fn send(comm: CommId, data: &[u8], to: Rank, tag: Tag) -> bool {
    let Some(engine) = enter() else { return false };
    let (Ok(comms), Ok(mut messages)) =
        (engine.comms.try_borrow(), engine.messages.try_borrow_mut())
    else {
        return false;
    };
    let Some(comm) = comms.get(comm) else { return false };
    let Some(peer) = comm.peer(to) else { return false };
    let envelope = Envelope { context: comm.context, source: comm.rank, tag };
    messages.send_now(engine.route(peer), &envelope, data)
}

/// The rank of this node that a receive names: `Some(None)` if it takes from any, `None` if it is
/// this process itself or does not exist.
#[inline(always)]
fn peer(engine: &Engine, comm: &Comm, from: Option<Rank>) -> Option<Option<usize>> {
    // A message from any source may come from another node.
    let Some(rank) = from else { return (!engine.spans_nodes).then_some(None) };
    match engine.route(comm.peer(rank)?) {
        Route::Node(peer) => Some(Some(peer)),
        Route::Myself | Route::Net(_) => None,
    }
}

/// Receives a small message into `into` if it is there or comes at once: its source, tag and
/// length.
#[inline(always)]
pub fn recv(
    comm: CommId,
    into: &mut [u8],
    from: Option<Rank>,
    tag: Option<Tag>,
) -> Option<(Rank, Tag, usize)> {
    let engine = enter()?;
    let mut messages = engine.messages.try_borrow_mut().ok()?;
    let (peer, pattern) = {
        let comms = engine.comms.try_borrow().ok()?;
        let comm = comms.get(comm)?;
        (peer(&engine, comm, from)?, Pattern { context: comm.context, source: from, tag })
    };
    let (envelope, len) = if engine.own_core.get() {
        messages.receive_now(peer, &pattern, into, POLLS, || engine.node.pause())?
    } else {
        let polls = engine.yields(&messages);
        messages.receive_now(peer, &pattern, into, polls, std::thread::yield_now)?
    };
    Some((envelope.source, envelope.tag, len))
}

/// Begins to receive plain bytes.
///
/// # Safety
/// As for [`UserBuffer::dense`].
#[inline(always)]
pub unsafe fn irecv(
    comm: CommId,
    (start, bytes): (*mut u8, usize),
    from: Option<Rank>,
    tag: Option<Tag>,
) -> Option<RequestId> {
    let engine = enter()?;
    let mut messages = engine.messages.try_borrow_mut().ok()?;
    let comms = engine.comms.try_borrow().ok()?;
    let (number, comm) = (comm, comms.get(comm)?);
    let peer = peer(&engine, comm, from)?;
    let pattern = Pattern { context: comm.context, source: from, tag };
    if let Some(peer) = peer {
        // SAFETY: the caller's promise.
        let into = unsafe { std::slice::from_raw_parts_mut(start, bytes) };
        if let Some(id) = messages.receive_arrived(peer, &pattern, into, number) {
            return Some(id);
        }
    }
    // SAFETY: passed on.
    let buffer = unsafe { UserBuffer::dense(start, bytes) };
    Some(post(&mut messages, comm, &pattern, buffer))
}

/// Begins to receive what has not arrived. Apart, so that the registers serve those that have.
#[inline(never)]
fn post(
    messages: &mut Messages,
    comm: &Rc<Comm>,
    pattern: &Pattern,
    buffer: UserBuffer,
) -> RequestId {
    let op_info = OpInfo { comm: comm.clone(), peer: pattern.source, tag: pattern.tag };
    messages.receive(pattern, buffer, op_info)
}

/// What a handle of the program stands for.
#[derive(Debug, Clone, Copy)]
pub enum Claim {
    /// No request.
    Null,
    /// The request with this number, if there is one.
    Request(RequestId),
    /// Nothing that the fast path knows.
    Other,
}

/// Completes requests, the first of `count` first, waiting for each and showing its outcome, `None`
/// for a null one: as long as they are sends and receives of one message and end well. Says how
/// many it has completed.
///
/// Each is taken as soon as it is seen to be complete, not in a second round at the end: while the
/// last message of a window is on its way, those before it are done with.
#[inline(always)]
pub fn wait_all(
    function: &'static str,
    count: usize,
    claim: impl Fn(usize) -> Claim,
    mut show: impl FnMut(usize, Option<&Status>),
) -> usize {
    let Some(engine) = enter() else { return 0 };
    engine.function.set(function);
    let next = Cell::new(0);
    engine.wait_until(
        || {
            let mut messages = engine.messages.borrow_mut();
            while next.get() < count {
                let i = next.get();
                let taken = match claim(i) {
                    Claim::Null => {
                        show(i, None);
                        Some(true)
                    }
                    Claim::Request(id) => {
                        messages.requests.take_well(id, |status| show(i, Some(status)))
                    }
                    Claim::Other => None,
                };
                match taken {
                    Some(true) => next.set(i + 1),
                    Some(false) => return false,
                    None => return true,
                }
            }
            true
        },
        || match claim(next.get()) {
            Claim::Request(id) => engine.first_pending(&[id]),
            _ => None,
        },
    );
    next.get()
}
