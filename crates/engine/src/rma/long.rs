//! Long puts and gets on memory that the kernel copies slowly, while the target polls: they go as
//! messages in bounce buffers, or the kernel copies. Which takes less time depends on the machine:
//! 64 KiB took 2 us by a message and 5 by the kernel on a Zen 5, 12 to 50 and 9 on a Zen 3. So both
//! are used, and timed.

use std::time::Duration;

use dunlin_base::{Rank, Result};

use crate::adaptive::{Choice, Stopwatch, Use};
use crate::engine::Engine;
use crate::objects::window::{LONG_CLASSES, TimedMessages, Window};
use crate::rma::message::Kind;

/// From so many bytes on there is another choice: a call of the kernel counts less. Puts and gets
/// have choices of their own.
const LENGTHS: [usize; 2] = [64 << 10, 1 << 20];
const _: () = assert!(LONG_CLASSES == 2 * (LENGTHS.len() + 1));

fn class(kind: Kind, bytes: usize) -> usize {
    let length = LENGTHS.iter().filter(|min| bytes >= **min).count();
    2 * length + usize::from(kind == Kind::Get)
}

/// The way of one operation.
pub(crate) enum LongWay {
    Message,
    /// The kernel; if that is timed, for which choice.
    Kernel(Option<usize>),
}

impl Engine {
    /// How a put or get of so many bytes goes.
    pub(crate) fn long_way(
        &self,
        window: &Window,
        rank: Rank,
        (kind, bytes): (Kind, usize),
    ) -> LongWay {
        let class = class(kind, bytes);
        let is_settled = {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            if peer.is_settled() {
                (peer.unsettled_bytes, peer.timed) = (0, None);
            }
            peer.is_settled()
        };
        if !self.is_little_unsettled(window, rank, bytes) {
            return LongWay::Kernel(None);
        }
        let Use { way, is_timed } = {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            peer.long_ways[class].next()
        };
        let is_message = way == Choice::Usual && self.is_polling(window, rank);
        if way == Choice::Usual && !is_message {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            peer.long_ways[class].not_possible(way);
        }
        if !is_message {
            let is_timed = is_timed && way == Choice::Other;
            return LongWay::Kernel(is_timed.then_some(class));
        }
        // What is under way already would be timed with it.
        if is_timed && is_settled {
            let timed = TimedMessages { class, bytes: 0, time: Duration::ZERO };
            window.origin.borrow_mut().peers[rank as usize].timed = Some(timed);
        }
        LongWay::Message
    }

    /// Lets the kernel copy, and learns how long it takes; false if it cannot.
    pub(crate) fn by_kernel(
        &self,
        window: &Window,
        rank: Rank,
        (bytes, class): (usize, Option<usize>),
        copy: impl FnOnce() -> Result<bool>,
    ) -> Result<bool> {
        let watch = Stopwatch::start(class.is_some());
        let outcome = copy();
        let time = watch.time();
        if time.is_some() || matches!(outcome, Ok(false)) {
            let mut origin = window.origin.borrow_mut();
            let ways = &mut origin.peers[rank as usize].long_ways;
            match (&outcome, class.zip(time)) {
                (Ok(true), Some((class, time))) => ways[class].learn(Choice::Other, time, bytes),
                (Ok(false), _) => ways.iter_mut().for_each(|way| way.give_up_other()),
                _ => {}
            }
        }
        outcome
    }

    /// Sends a long operation of so many bytes, or waits for some, and notes how long that takes if
    /// messages are timed.
    pub(crate) fn by_messages<T>(
        &self,
        window: &Window,
        rank: Rank,
        sent: Option<(Kind, usize)>,
        work: impl FnOnce() -> T,
    ) -> T {
        let is_timed = window.origin.borrow().peers[rank as usize].timed.is_some();
        let watch = Stopwatch::start(is_timed);
        let outcome = work();
        if let Some(time) = watch.time() {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            // Only of those of one choice is it known what they have taken.
            let is_alike = |timed: &TimedMessages| {
                sent.is_none_or(|(kind, bytes)| timed.class == class(kind, bytes))
            };
            peer.timed = peer.timed.filter(is_alike);
            if let Some(timed) = &mut peer.timed {
                timed.time += time;
                timed.bytes += sent.map_or(0, |(_, bytes)| bytes);
            }
            let done = if peer.is_settled() { peer.timed.take() } else { None };
            if let Some(TimedMessages { class, bytes, time }) = done {
                peer.long_ways[class].learn(Choice::Usual, time, bytes);
            }
        }
        outcome
    }
}
