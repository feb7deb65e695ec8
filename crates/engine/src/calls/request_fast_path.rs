//! The fast path of starting and completing requests: sends and receives of one message,
//! collectives and persistent requests that end well. What it does not do, the slow path does.

use std::cell::Cell;

use crate::calls::fast_path::POLLS;
use crate::engine::Engine;
use crate::engine::fast_guard::{FastGuard, enter};
use crate::engine::operation::is_operation;
use crate::engine::tasks::TaskAwaits;
use crate::engine::vci::enter_fast;
use crate::engine::wait::POLLS_FOR_ONE;
use crate::objects::inquiry;
use crate::objects::status::{Status, number_in_vci, vci_in};
use crate::p2p::messages::{Messages, Route};
use crate::p2p::request::{COMPLETE, Kind, Request, RequestId};
use crate::threads::lock;

/// A wait for one message of an exchange has a request for it, and one for the message that was
/// sent.
const REQUESTS_OF_AN_EXCHANGE: usize = 2;
/// Looks for a message before other tasks are pushed, while there are any.
const POLLS_PER_PUSH: u32 = 8;

/// Starts a persistent request; false if the slow path must.
#[inline(always)]
pub fn start<const THREADS: bool>(function: &'static str, number: u32) -> bool {
    let Some((mut engine, id)) = enter_for_request::<THREADS>(number) else { return false };
    engine.may_leave_work();
    engine.function.set(function);
    is_operation(id) && engine.start_well(id)
}

/// The engine of a request of the program, and its number there.
#[inline(always)]
fn enter_for_request<const THREADS: bool>(number: u32) -> Option<(FastGuard, RequestId)> {
    if THREADS {
        Some((enter_fast(vci_in(number))?, number_in_vci(number)))
    } else {
        Some((enter()?, number))
    }
}

/// Cancels a receive that has met nothing; false if the slow path must look.
#[inline(always)]
pub fn cancel<const THREADS: bool>(number: u32) -> bool {
    let Some((engine, id)) = enter_for_request::<THREADS>(number) else { return false };
    let Ok(mut messages) = engine.messages.try_borrow_mut() else { return false };
    !is_operation(id) && messages.cancel_posted(id)
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

impl Claim {
    /// What the handle stands for in a VCI.
    fn in_vci(self, vci: usize) -> Claim {
        match self {
            Claim::Request(COMPLETE) => self,
            Claim::Request(number) if vci_in(number) == vci => {
                Claim::Request(number_in_vci(number))
            }
            Claim::Request(_) => Claim::Other,
            Claim::Null | Claim::Other => self,
        }
    }
}

/// Completes requests, the first of `count` first, waiting for each and showing its outcome, `None`
/// for a null one, and whether it is gone: as long as they are sends and receives of one message,
/// persistent ones too, or collectives, and end well. Says how many it has completed.
///
/// Each is taken as soon as it is seen to be complete, not in a second round at the end: while the
/// last message of a window is on its way, those before it are done with.
#[inline(always)]
pub fn wait_all(
    function: &'static str,
    count: usize,
    claim: impl Fn(usize) -> Claim,
    show: impl FnMut(usize, Option<&Status>, bool),
) -> usize {
    enter().map_or(0, |engine| wait_all_in::<false>(&engine, function, count, claim, show))
}

/// The same in a program of several threads: those of the first request's VCI.
pub fn wait_all_among_threads(
    function: &'static str,
    count: usize,
    claim: impl Fn(usize) -> Claim,
    mut show: impl FnMut(usize, Option<&Status>, bool),
) -> usize {
    match enter_among_threads(count, &claim) {
        None => 0,
        Some(None) => {
            for i in 0..count {
                let is_null = matches!(claim(i), Claim::Null);
                show(i, (!is_null).then_some(&Status::EMPTY), true);
            }
            count
        }
        Some(Some(engine)) => {
            let here = |i| claim(i).in_vci(engine.vci);
            wait_all_in::<true>(&engine, function, count, here, show)
        }
    }
}

/// Where threads of a program of several complete requests: in the VCI of the first that is of one.
/// `Some(None)` where all are null, or were complete as they began: those are so in each VCI, and
/// need none.
fn enter_among_threads(count: usize, claim: impl Fn(usize) -> Claim) -> Option<Option<FastGuard>> {
    if !(lock::is_threaded() && inquiry::is_running()) {
        return None;
    }
    let is_of_one = |i| match claim(i) {
        Claim::Request(COMPLETE) | Claim::Null => None,
        Claim::Request(number) => Some(Some(vci_in(number))),
        Claim::Other => Some(None),
    };
    match (0..count).find_map(is_of_one) {
        None => Some(None),
        Some(vci) => enter_fast(vci?).map(Some),
    }
}

#[inline(always)]
fn wait_all_in<const THREADS: bool>(
    engine: &Engine,
    function: &'static str,
    count: usize,
    claim: impl Fn(usize) -> Claim,
    mut show: impl FnMut(usize, Option<&Status>, bool),
) -> usize {
    engine.function.set(function);
    let next = Cell::new(0);
    let mut ready = || {
        let mut messages = engine.messages.borrow_mut();
        while next.get() < count {
            let i = next.get();
            let taken = match claim(i) {
                Claim::Null => {
                    show(i, None, true);
                    Some(true)
                }
                Claim::Request(id) if is_operation(id) => {
                    drop(messages);
                    let taken = engine.finish_well(id, |outcome, is_gone| {
                        show(i, Some(outcome), is_gone);
                    });
                    messages = engine.messages.borrow_mut();
                    taken
                }
                Claim::Request(id) => {
                    messages.transfers.requests.take_well(id, |status| show(i, Some(status), true))
                }
                Claim::Other => None,
            };
            match taken {
                Some(true) => next.set(i + 1),
                // Where receives have failed, the slow path looks whether one of these has.
                Some(false) => return messages.transfers.failures > 0,
                None => return true,
            }
        }
        true
    };
    let pending = || match claim(next.get()) {
        Claim::Request(id) => Some(id),
        Claim::Null | Claim::Other => None,
    };
    while !ready() {
        // Among threads, not without leaving the VCI to others.
        if THREADS || !pending().is_some_and(|id| comes_at_once(engine, id)) {
            engine.wait_until(&mut ready, || engine.first_pending(&[pending()?]));
            break;
        }
    }
    next.get()
}

/// What a look at several requests has completed, and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completed {
    /// How many.
    pub count: usize,
    /// Whether the slow path may find more: what has failed, is inactive, or is of a kind that
    /// [`wait_all`] does not know.
    pub may_be_more: bool,
}

/// Whether a call that completes some of several requests waits until one has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// It does.
    Yes,
    /// It looks, pushes if none has ended yet, and looks again.
    No,
}

/// Completes those of `count` requests that have ended well, the first first and `most` at most;
/// the outcome of each is shown, and whether it is gone. `None` if the slow path must look: none is
/// in progress, or none has ended but what it alone can finish.
#[inline(always)]
pub fn complete_some(
    call: (&'static str, Waits),
    counts: (usize, usize),
    claim: impl Fn(usize) -> Claim,
    show: impl FnMut(usize, &Status, bool),
) -> Option<Completed> {
    let engine = enter()?;
    complete_some_in(&engine, call, counts, claim, show)
}

/// The same in a program of several threads, if those in progress are all of one VCI.
pub fn complete_some_among_threads(
    call: (&'static str, Waits),
    (count, most): (usize, usize),
    claim: impl Fn(usize) -> Claim,
    mut show: impl FnMut(usize, &Status, bool),
) -> Option<Completed> {
    if let Some(engine) = enter_among_threads(count, &claim)? {
        let here = |i| claim(i).in_vci(engine.vci);
        return complete_some_in(&engine, call, (count, most), here, show);
    }
    let complete = (0..count).filter(|&i| !matches!(claim(i), Claim::Null)).take(most);
    let count = complete.map(|i| show(i, &Status::EMPTY, true)).count();
    (count > 0).then_some(Completed { count, may_be_more: false })
}

#[inline(always)]
fn complete_some_in(
    engine: &Engine,
    (function, waits): (&'static str, Waits),
    counts: (usize, usize),
    claim: impl Fn(usize) -> Claim,
    show: impl FnMut(usize, &Status, bool),
) -> Option<Completed> {
    engine.function.set(function);
    match waits {
        Waits::Yes => wait_some(engine, counts, claim, show),
        Waits::No => test_some(engine, counts, claim, show),
    }
}

/// Waits until one has ended.
#[inline(always)]
fn wait_some(
    engine: &Engine,
    (count, most): (usize, usize),
    claim: impl Fn(usize) -> Claim,
    mut show: impl FnMut(usize, &Status, bool),
) -> Option<Completed> {
    let (mut found, pending) = (Look::Other, Cell::new(None));
    let mut ready = || {
        // Waits ask more than once.
        if !matches!(found, Look::Taken(_)) {
            found = take_some(engine, (count, most), &claim, &mut show);
        }
        pending.set(if let Look::Pending(id) = found { Some(id) } else { None });
        pending.get().is_none()
    };
    if !ready() {
        engine.wait_until(&mut ready, || engine.first_pending(&[pending.get()?]));
    }
    if let Look::Taken(completed) = found { Some(completed) } else { None }
}

/// Does not wait.
#[inline(always)]
fn test_some(
    engine: &Engine,
    (count, most): (usize, usize),
    claim: impl Fn(usize) -> Claim,
    mut show: impl FnMut(usize, &Status, bool),
) -> Option<Completed> {
    let look = || take_some(engine, (count, most), &claim, &mut show);
    match engine.poll_for(look, |found| matches!(found, Look::Pending(_))) {
        Look::Taken(completed) => Some(completed),
        Look::Pending(_) => Some(Completed { count: 0, may_be_more: false }),
        Look::Other => None,
    }
}

/// Whether all of `count` requests have ended, after a push if they have not yet: then [`wait_all`]
/// completes them. `None` if the slow path must look.
#[inline(always)]
pub fn have_all_ended(
    function: &'static str,
    count: usize,
    claim: impl Fn(usize) -> Claim,
) -> Option<bool> {
    let engine = enter()?;
    have_all_ended_in(&engine, function, count, claim)
}

/// The same in a program of several threads, if those in progress are all of one VCI.
pub fn have_all_ended_among_threads(
    function: &'static str,
    count: usize,
    claim: impl Fn(usize) -> Claim,
) -> Option<bool> {
    match enter_among_threads(count, &claim)? {
        None => Some(true),
        Some(engine) => {
            let here = |i| claim(i).in_vci(engine.vci);
            have_all_ended_in(&engine, function, count, here)
        }
    }
}

#[inline(always)]
fn have_all_ended_in(
    engine: &Engine,
    function: &'static str,
    count: usize,
    claim: impl Fn(usize) -> Claim,
) -> Option<bool> {
    engine.function.set(function);
    let next = Cell::new(0);
    let look = || {
        while next.get() < count {
            match claim(next.get()) {
                Claim::Request(id) if !engine.is_complete(id) => return Some(false),
                Claim::Request(_) | Claim::Null => next.set(next.get() + 1),
                Claim::Other => return None,
            }
        }
        Some(true)
    };
    engine.poll_for(look, |&have_ended| have_ended == Some(false))
}

/// What a look at several requests has come to.
enum Look {
    /// These have been completed.
    Taken(Completed),
    /// None has ended; this one is in progress.
    Pending(RequestId),
    /// The slow path must look.
    Other,
}

/// Completes those of `count` requests that have ended well, `most` at most.
#[inline(always)]
fn take_some(
    engine: &Engine,
    (count, most): (usize, usize),
    claim: impl Fn(usize) -> Claim,
    mut show: impl FnMut(usize, &Status, bool),
) -> Look {
    let (mut taken, mut pending, mut is_plain) = (0, None, true);
    for i in 0..count {
        let ended = match claim(i) {
            Claim::Null => continue,
            Claim::Request(id) => {
                let ended = finish_well(engine, id, |outcome, is_gone| show(i, outcome, is_gone));
                pending = pending.or((ended == Some(false)).then_some(id));
                ended
            }
            Claim::Other => None,
        };
        is_plain &= ended.is_some();
        taken += usize::from(ended == Some(true));
        if taken == most {
            break;
        }
    }
    match pending {
        _ if taken > 0 => Look::Taken(Completed { count: taken, may_be_more: !is_plain }),
        Some(id) if is_plain => Look::Pending(id),
        _ => Look::Other,
    }
}

/// Finishes a request that has ended well: shows its outcome and whether it is gone. False while it
/// is in progress, `None` if the slow path must look at it.
#[inline(always)]
fn finish_well(
    engine: &Engine,
    id: RequestId,
    mut show: impl FnMut(&Status, bool),
) -> Option<bool> {
    if is_operation(id) {
        return engine.finish_well(id, show);
    }
    let requests = &mut engine.messages.borrow_mut().transfers.requests;
    requests.take_well(id, |outcome| show(outcome, true))
}

/// Finishes a request that has ended well, after a push if it has not yet: shows its outcome and
/// whether it is gone. False while it is in progress, `None` if the slow path must look at it.
#[inline(always)]
pub fn test<const THREADS: bool>(
    function: &'static str,
    number: u32,
    mut show: impl FnMut(&Status, bool),
) -> Option<bool> {
    if THREADS && number == COMPLETE && lock::is_threaded() && inquiry::is_running() {
        show(&Status::EMPTY, true);
        return Some(true);
    }
    let (engine, id) = enter_for_request::<THREADS>(number)?;
    engine.function.set(function);
    let take = || finish_well(&engine, id, &mut show);
    engine.poll_for(take, |&has_ended| has_ended == Some(false))
}

/// Waits for a request for a moment: where it most likely comes from.
#[inline(always)]
fn comes_at_once(engine: &Engine, id: RequestId) -> bool {
    engine.make_progress_in_turn(REQUESTS_OF_AN_EXCHANGE);
    if !is_operation(id) {
        return await_posted(engine, id);
    }
    match engine.operations.peek(id, |operation| operation.inner()) {
        Some(inner) if !is_operation(inner) => await_posted(engine, inner),
        _ => await_operation(engine, id),
    }
}

/// For a moment, pushes what goes on beside the program, and nothing else, until an operation has
/// completed: as long as some of it waits for memory that ranks of this node write.
#[inline(never)]
fn await_operation(engine: &Engine, id: RequestId) -> bool {
    let polls = if engine.own_core.get() {
        POLLS
    } else {
        engine.yields_for_node(&engine.messages.borrow())
    };
    let is_complete = || {
        engine.push_tasks();
        engine.is_complete(id)
    };
    let soon = || {
        engine.node.pause();
        is_complete()
    };
    for _ in 0..polls {
        if is_complete() {
            return true;
        }
        match engine.tasks.take_awaited() {
            TaskAwaits::Messages => return false,
            TaskAwaits::OneElsewhere if (0..POLLS_FOR_ONE).any(|_| soon()) => return true,
            _ if engine.own_core.get() => {
                engine.pause_or_handle();
            }
            _ => std::thread::yield_now(),
        }
    }
    false
}

/// Looks for the message of a posted receive that names a rank of this node, or for what that rank
/// says to a send. By general progress, two ranks that send each other 8 bytes at the same time
/// take 0.18 us, not 0.13. False if it does not come at once.
#[inline(never)]
fn await_posted(engine: &Engine, id: RequestId) -> bool {
    let mut messages = engine.messages.borrow_mut();
    let Some(peer) = awaited_peer(engine, &messages, id) else { return false };
    engine.count_wait(true);
    let is_complete = if engine.has_tasks() {
        drop(messages);
        await_posted_beside_tasks(engine, id, peer)
    } else if engine.own_core.get() {
        messages.await_posted(id, peer, POLLS, || engine.node.pause())
    } else {
        let polls = engine.yields(&messages);
        messages.await_posted(id, peer, polls, std::thread::yield_now)
    };
    engine.count_wait(false);
    is_complete == Some(true)
}

/// The same while tasks are under way, which are pushed now and then: an exchange of 2 KiB beside a
/// window takes 0.6 instead of 1.2 us.
#[inline(never)]
fn await_posted_beside_tasks(engine: &Engine, id: RequestId, peer: usize) -> Option<bool> {
    let is_done = || engine.messages.borrow().transfers.requests.is_done(id);
    // An operation may need more than its message.
    if !engine.own_core.get() || is_done() {
        return None;
    }
    for _ in 0..POLLS / POLLS_PER_PUSH {
        let pause = || engine.node.pause();
        if engine.messages.borrow_mut().await_posted(id, peer, POLLS_PER_PUSH, pause)? {
            return Some(true);
        }
        engine.push_tasks();
        engine.pause_or_handle();
        if is_done() {
            return Some(true);
        }
    }
    Some(false)
}

/// The rank of this node from which a posted receive takes its message, or an acknowledgement comes
/// to a send.
#[inline(always)]
fn awaited_peer(engine: &Engine, messages: &Messages, id: RequestId) -> Option<usize> {
    let Request { kind, op_info, .. } = messages.transfers.requests.get(id).ok()?;
    let Route::Node(peer) = engine.route(op_info.comm.peer(op_info.peer?)?) else { return None };
    let says_something = match kind {
        Kind::Receive { .. } => true,
        Kind::Send { .. } => messages.node.connections[peer].acks.has_any(),
        Kind::Shared | Kind::Complete => false,
    };
    says_something.then_some(peer)
}
