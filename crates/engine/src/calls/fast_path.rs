//! The fast path of messages: no lock, no error to build, for blocking calls no request. It either
//! does the whole thing or leaves it to the slow path, which repeats the checks, does it, and says
//! what is wrong if anything is.
//!
//! Without it a message of 8 bytes between two ranks of a node takes 0.145 instead of 0.075 us, one
//! of 8 KiB 0.56 instead of 0.50.

use std::rc::Rc;

use dunlin_base::{Rank, Tag};

use crate::engine::Engine;
use crate::engine::fast_guard::{FastGuard, enter};
use crate::engine::vci::enter_fast_for_messages;
use crate::matching::{Envelope, Pattern};
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::{Comm, CommId};
use crate::objects::status::number_of_program;
use crate::p2p::completed_receive::CompletedReceive;
use crate::p2p::messages::{Messages, Origin, Route};
use crate::p2p::request::{Mode, OpInfo, RequestId};

pub use crate::p2p::request::{COMPLETE, LONG_BYTES};

/// Looks at the rings before a blocking receive is posted, and at one ring for a posted one: about
/// 2 us, in which the answer to a message that was just sent arrives.
pub(crate) const POLLS: u32 = 40;
/// The answer to a message of so many bytes or more takes a poll more per so many, up to a length
/// from which others should not wait so long for progress.
const POLLED_BYTES_MIN: usize = 8 << 10;
const BYTES_PER_POLL: usize = 512;
const POLLED_BYTES_MAX: usize = 128 << 10;

/// The engine for messages on a communicator: of a program whose calls come one at a time, or, with
/// `THREADS`, from several threads at once. The latter is tried second, on the slow
/// path, so that programs of one thread do not pay for it.
#[inline(always)]
fn enter_for<const THREADS: bool>(comm: CommId) -> Option<FastGuard> {
    if THREADS { enter_fast_for_messages(comm) } else { enter() }
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

/// Sends `data` if that can be done at once, and if the source, which a call that also receives
/// names, exists.
#[inline(always)]
pub fn send<const THREADS: bool>(
    comm: CommId,
    data: &[u8],
    to: Rank,
    tag: Tag,
    source: Option<Rank>,
) -> bool {
    let Some(engine) = enter_for::<THREADS>(comm) else { return false };
    let (Ok(comms), Ok(mut messages)) =
        (engine.comms.try_borrow(), engine.messages.try_borrow_mut())
    else {
        return false;
    };
    let Some(comm) = comms.get(comm) else { return false };
    let Some(peer) = comm.peer(to) else { return false };
    if source.is_some_and(|source| comm.peer(source).is_none()) {
        return false;
    }
    let envelope = Envelope { context: comm.context, source: comm.rank, tag };
    messages.send_now(engine.route(peer), &envelope, data)
}

/// Begins to send plain bytes in synchronous mode within this node.
///
/// # Safety
/// As for [`irecv`].
#[inline(always)]
pub unsafe fn issend<const THREADS: bool>(
    comm: CommId,
    (start, bytes): (*mut u8, usize),
    to: Rank,
    tag: Tag,
) -> Option<RequestId> {
    let mut engine = enter_for::<THREADS>(comm)?;
    if bytes >= LONG_BYTES {
        engine.may_leave_work();
    }
    let mut messages = engine.messages.try_borrow_mut().ok()?;
    let comms = engine.comms.try_borrow().ok()?;
    let comm = comms.get(comm)?;
    let route @ Route::Node(_) = engine.route(comm.peer(to)?) else { return None };
    let envelope = Envelope { context: comm.context, source: comm.rank, tag };
    let op_info = OpInfo { comm: comm.clone(), peer: Some(to), tag: Some(tag) };
    // SAFETY: passed on.
    let buffer = unsafe { UserBuffer::dense(start, bytes) };
    let id = messages.send(route, envelope, buffer, None, Mode::Synchronous, op_info);
    Some(if THREADS { number_of_program(engine.vci, id) } else { id })
}

/// Whether MPI runs and a communicator exists: all there is to check of a plain message to or from
/// `MPI_PROC_NULL`.
#[inline(always)]
pub fn has_comm<const THREADS: bool>(comm: CommId) -> bool {
    enter_for::<THREADS>(comm).is_some_and(|engine| exists(&engine, comm))
}

#[inline(always)]
fn exists(engine: &Engine, comm: CommId) -> bool {
    engine.comms.try_borrow().is_ok_and(|comms| comms.get(comm).is_some())
}

/// Begins to receive from `MPI_PROC_NULL`, and so completes it.
#[inline(always)]
pub fn irecv_from_null<const THREADS: bool>(comm: CommId) -> Option<RequestId> {
    let engine = enter_for::<THREADS>(comm).filter(|engine| exists(engine, comm))?;
    let requests = &mut engine.messages.try_borrow_mut().ok()?.transfers.requests;
    let id = requests.insert_completed(CompletedReceive::from_null(comm));
    Some(if THREADS { number_of_program(engine.vci, id) } else { id })
}

/// Where the message of a receive comes from; `None` if that may be another node, or a rank that
/// does not exist.
#[inline(always)]
fn origin(engine: &Engine, comm: &Comm, from: Option<Rank>) -> Option<Origin> {
    let Some(rank) = from else { return (!engine.spans_nodes).then_some(Origin::Any) };
    match engine.route(comm.peer(rank)?) {
        Route::Node(peer) => Some(Origin::Node(peer)),
        Route::Myself => Some(Origin::Myself),
        Route::Net(_) => None,
    }
}

/// Receives a message into `into` if it is there or comes at once: its source, tag and
/// length.
#[inline(always)]
pub fn recv(
    comm: CommId,
    into: &mut [u8],
    from: Option<Rank>,
    tag: Option<Tag>,
) -> Option<(Rank, Tag, usize)> {
    let engine = enter()?;
    engine.make_progress_now_and_then();
    let mut messages = engine.messages.try_borrow_mut().ok()?;
    let (origin, pattern) = expected(&engine, comm, from, tag)?;
    let (envelope, len) = if engine.own_core.get() {
        let polls = match into.len() {
            POLLED_BYTES_MIN.. => polls_for_long(&messages, origin, into.len()),
            _ => POLLS,
        };
        messages.receive_now(origin, &pattern, into, polls, || engine.node.pause())?
    } else {
        let polls = engine.yields(&messages);
        messages.receive_now(origin, &pattern, into, polls, std::thread::yield_now)?
    };
    Some((envelope.source, envelope.tag, len))
}

/// The looks for a message that may be so long: more while nothing else needs progress.
#[inline(never)]
fn polls_for_long(messages: &Messages, origin: Origin, bytes: usize) -> u32 {
    let is_alone = matches!(origin, Origin::Node(_)) && messages.is_idle();
    let bytes = if is_alone { bytes.min(POLLED_BYTES_MAX) } else { 0 };
    POLLS + (bytes / BYTES_PER_POLL) as u32
}

/// The same in a program of several threads: between two looks others may have the VCI.
pub fn recv_among_threads(
    comm: CommId,
    into: &mut [u8],
    from: Option<Rank>,
    tag: Option<Tag>,
) -> Option<(Rank, Tag, usize)> {
    for polls in 0..POLLS {
        let engine = enter_fast_for_messages(comm)?;
        if polls == 0 {
            engine.make_progress_now_and_then();
        }
        let mut messages = engine.messages.try_borrow_mut().ok()?;
        let (origin, pattern) = expected(&engine, comm, from, tag)?;
        if let Some((envelope, len)) = messages.receive_now(origin, &pattern, into, 1, || ()) {
            return Some((envelope.source, envelope.tag, len));
        }
        // Its message needs a request, something else has come, or a core is shared.
        if messages.must_post(&pattern) || !engine.own_core.get() {
            return None;
        }
        let node = engine.node;
        drop(messages);
        drop(engine);
        node.pause();
    }
    None
}

/// From where a receive takes what message.
#[inline(always)]
fn expected(
    engine: &Engine,
    comm: CommId,
    from: Option<Rank>,
    tag: Option<Tag>,
) -> Option<(Origin, Pattern)> {
    let comms = engine.comms.try_borrow().ok()?;
    let comm = comms.get(comm)?;
    Some((origin(engine, comm, from)?, Pattern { context: comm.context, source: from, tag }))
}

/// Begins to receive plain bytes.
///
/// # Safety
/// As for [`UserBuffer::dense`]; and the address is not null, not even for no bytes.
#[inline(always)]
pub unsafe fn irecv<const THREADS: bool>(
    comm: CommId,
    (start, bytes): (*mut u8, usize),
    from: Option<Rank>,
    tag: Option<Tag>,
) -> Option<RequestId> {
    let mut engine = enter_for::<THREADS>(comm)?;
    let defers = bytes >= LONG_BYTES && {
        engine.may_leave_work();
        engine.defers()
    };
    let of_program = |id| if THREADS { number_of_program(engine.vci, id) } else { id };
    let mut messages = engine.messages.try_borrow_mut().ok()?;
    let comms = engine.comms.try_borrow().ok()?;
    let (number, comm) = (comm, comms.get(comm)?);
    let origin = origin(&engine, comm, from)?;
    let pattern = Pattern { context: comm.context, source: from, tag };
    if let Some(peer) = origin.node().filter(|_| messages.takes_arrived()) {
        // SAFETY: the caller's promise.
        let into = unsafe { std::slice::from_raw_parts_mut(start, bytes) };
        if let Some(id) = messages.receive_arrived(peer, &pattern, into, number) {
            return Some(of_program(id));
        }
    }
    if defers {
        messages.node.defers_long = true;
    }
    // SAFETY: passed on.
    let id = unsafe { post(&mut messages, (number, comm), &pattern, (start, bytes)) };
    if defers {
        messages.node.defers_long = false;
    }
    Some(of_program(id))
}

/// Begins to receive what has not arrived, or is kept. Apart, so that the registers serve what has
/// just arrived.
///
/// # Safety
/// As for [`irecv`].
#[inline(never)]
unsafe fn post(
    messages: &mut Messages,
    (number, comm): (CommId, &Rc<Comm>),
    pattern: &Pattern,
    (start, bytes): (*mut u8, usize),
) -> RequestId {
    // SAFETY: the caller's promise.
    let into = unsafe { std::slice::from_raw_parts_mut(start, bytes) };
    if let Some(id) = messages.begin_kept(pattern, into, number) {
        return id;
    }
    // SAFETY: passed on.
    let buffer = unsafe { UserBuffer::dense(start, bytes) };
    let op_info = OpInfo { comm: comm.clone(), peer: pattern.source, tag: pattern.tag };
    messages.receive(pattern, buffer, op_info)
}
