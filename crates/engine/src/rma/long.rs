//! Operations that go as messages, long ones in bounce buffers, or by the kernel, while the target
//! polls. Which takes less time depends on the machine: 64 KiB took 2 us by a message and 5 by the
//! kernel on a Zen 5, 12 to 50 and 9 on a Zen 3. It also depends on the program: a message that is
//! awaited alone takes longer than one of many. So both are used, and timed
//! (`objects/long_ways.rs`).
//!
//! Nothing is timed where several threads call MPI, or a progress thread does: what one of them
//! sends, another may wait for. Nor is what is under way to several targets at a time, which work
//! at the same time.

use dunlin_base::one_sided::SHORT_BYTES_MAX;
use dunlin_base::single_copy::SingleCopy;
use dunlin_base::{Rank, Result};

use crate::adaptive::{Choice, Stopwatch, Use};
use crate::engine::Engine;
use crate::engine::fast_guard::is_alone;
use crate::objects::long_ways::{Class, LongWays};
use crate::objects::window::{Origin, Window};
use crate::rma::message::Kind;

/// The way of one operation, and whether it is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimedWay {
    Message(bool),
    Kernel(bool),
}

impl Engine {
    /// How an operation of so many bytes goes. `polls` says whether the target does, or is expected
    /// to.
    pub(crate) fn timed_way(
        &self,
        window: &Window,
        rank: Rank,
        (kind, bytes): (Kind, usize),
        polls: impl Fn() -> bool,
    ) -> TimedWay {
        let class = Class::of(kind.accumulates(), kind.has_result(), bytes);
        if window.is_settled(rank) {
            window.origin.borrow_mut().peers[rank as usize].unsettled_bytes = 0;
        }
        // What the target does in an epoch that it ends itself is not timed. Where the kernel is
        // fast, it is taken for what is long, but for accumulates, for which it copies twice.
        let is_untimed = window.origin.borrow().peers[rank as usize].is_started
            && bytes > SHORT_BYTES_MAX
            && self.messages.borrow().node.single_copy != SingleCopy::Long;
        let is_little = self.is_little_unsettled(window, rank, bytes);
        if is_untimed && is_little && kind == Kind::Accumulate && polls() {
            return TimedWay::Message(false);
        }
        if is_untimed || !is_little {
            with_long_ways(window, rank, |ways, _| ways.do_not_time());
            return TimedWay::Kernel(false);
        }
        let next = |ways: &mut LongWays, is_settled| ways.next(class, bytes, is_settled);
        let Use { way, is_timed } = with_long_ways(window, rank, next);
        let has_others = stop_timing_beside_others(window, rank);
        let is_timed = is_timed && !has_others && is_alone();
        if way == Choice::Other {
            return TimedWay::Kernel(is_timed);
        }
        if polls() {
            return TimedWay::Message(is_timed);
        }
        with_long_ways(window, rank, |ways, _| ways.not_possible());
        TimedWay::Kernel(false)
    }

    /// The kernel is to do the operation whose way was drawn, by the slow path.
    pub(crate) fn leave_to_slow_path(&self, window: &Window, rank: Rank) {
        with_long_ways(window, rank, |ways, _| ways.leave_to_slow_path());
    }

    /// Whether an operation that the kernel does was left to it so, and is timed.
    pub(crate) fn is_left_and_timed(&self, window: &Window, rank: Rank) -> bool {
        let peer = &mut window.origin.borrow_mut().peers[rank as usize];
        peer.long_ways.as_mut().is_some_and(|ways| ways.is_left_and_timed())
    }

    /// Lets the kernel copy so many bytes, and learns how long it takes if that is timed; false if
    /// it cannot.
    pub(crate) fn by_kernel(
        &self,
        window: &Window,
        rank: Rank,
        (bytes, is_timed): (usize, bool),
        copy: impl FnOnce() -> Result<bool>,
    ) -> Result<bool> {
        let watch = Stopwatch::start(is_timed);
        let outcome = copy();
        match (&outcome, watch.time()) {
            (Ok(true), Some(time)) => {
                with_long_ways(window, rank, |ways, _| ways.learn_kernel(time, bytes));
            }
            (Ok(false), _) => with_long_ways(window, rank, |ways, _| ways.give_up_kernel()),
            _ => {}
        }
        outcome
    }

    /// Sends a long operation of so many bytes as messages, and notes how long that takes if it is
    /// timed.
    pub(crate) fn by_messages<T>(
        &self,
        window: &Window,
        rank: Rank,
        (bytes, is_timed): (usize, bool),
        send: impl FnOnce() -> T,
    ) -> T {
        let watch = Stopwatch::start(is_timed);
        let outcome = send();
        if let Some(time) = watch.time() {
            with_long_ways(window, rank, |ways, _| ways.add(time, bytes));
        }
        outcome
    }

    /// Waits for what is under way to a target, and learns from it if it is timed.
    pub(crate) fn timed_wait<T>(&self, window: &Window, rank: Rank, wait: impl FnOnce() -> T) -> T {
        let is_timed = {
            let origin = window.origin.borrow();
            let peer = &origin.peers[rank as usize];
            let times = peer.long_ways.as_ref().is_some_and(|ways| ways.times_messages());
            // If all is done already, another call has waited for it.
            times && !peer.is_settled() && is_alone()
        };
        let watch = Stopwatch::start(is_timed);
        let outcome = wait();
        if let Some(time) = watch.time() {
            let sent_bytes = window.origin.borrow().peers[rank as usize].unsettled_bytes;
            with_long_ways(window, rank, |ways, is_settled| {
                ways.add(time, 0);
                if is_settled {
                    ways.end(sent_bytes);
                }
            });
        }
        outcome
    }
}

/// Stops all timing if operations on another target are under way: both are done at the same time,
/// but awaited one after the other. Whether there are any.
fn stop_timing_beside_others(window: &Window, rank: Rank) -> bool {
    let Origin { active, peers, .. } = &mut *window.origin.borrow_mut();
    let is_unsettled = |other: &Rank| *other != rank && !peers[*other as usize].is_settled();
    let has_others = active.iter().any(is_unsettled);
    if has_others {
        for place in active.iter().chain([&rank]) {
            let ways = peers[*place as usize].long_ways.as_mut();
            ways.into_iter().for_each(|ways| ways.do_not_time());
        }
    }
    has_others
}

/// What this process knows of long operations on a target, and whether all is done that was sent to
/// it.
fn with_long_ways<T>(
    window: &Window,
    rank: Rank,
    change: impl FnOnce(&mut LongWays, bool) -> T,
) -> T {
    let peer = &mut window.origin.borrow_mut().peers[rank as usize];
    let is_settled = peer.is_settled();
    change(peer.long_ways.get_or_insert_default(), is_settled)
}
