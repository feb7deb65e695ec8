//! Long puts and gets on memory that the kernel copies slowly, while the target polls: they go as
//! messages in bounce buffers, or the kernel copies. Which takes less time depends on the machine:
//! 64 KiB took 2 us by a message and 5 by the kernel on a Zen 5, 12 to 50 and 9 on a Zen 3. So both
//! are used, and timed.

use std::time::Duration;

use dunlin_base::{Rank, Result};

use crate::adaptive::{Choice, Stopwatch, Use};
use crate::engine::Engine;
use crate::objects::window::{TimedMessages, Window};

/// From so many bytes on there is another choice: a call of the kernel counts less.
const CLASSES: [usize; 2] = [64 << 10, 1 << 20];

fn class(bytes: usize) -> usize {
    CLASSES.iter().filter(|min| bytes >= **min).count()
}

/// The way of one operation.
pub(crate) enum LongWay {
    Message,
    /// The kernel; whether that is timed.
    Kernel(bool),
}

impl Engine {
    /// How a put or get of so many bytes goes.
    pub(crate) fn long_way(&self, window: &Window, rank: Rank, bytes: usize) -> LongWay {
        let is_settled = {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            if peer.is_settled() {
                (peer.unsettled_bytes, peer.timed) = (0, None);
            }
            peer.is_settled()
        };
        if !self.is_little_unsettled(window, rank, bytes) {
            return LongWay::Kernel(false);
        }
        let Use { way, is_timed } = {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            peer.long_ways[class(bytes)].next()
        };
        if way == Choice::Other || !self.is_polling(window, rank) {
            return LongWay::Kernel(is_timed && way == Choice::Other);
        }
        // What is under way already would be timed with it.
        if is_timed && is_settled {
            let timed = TimedMessages { class: class(bytes), bytes: 0, time: Duration::ZERO };
            window.origin.borrow_mut().peers[rank as usize].timed = Some(timed);
        }
        LongWay::Message
    }

    /// Lets the kernel copy, and learns how long it takes; false if it cannot.
    pub(crate) fn by_kernel(
        &self,
        window: &Window,
        rank: Rank,
        (bytes, is_timed): (usize, bool),
        copy: impl FnOnce() -> Result<bool>,
    ) -> Result<bool> {
        let watch = Stopwatch::start(is_timed);
        let outcome = copy();
        let time = watch.time();
        if time.is_some() || matches!(outcome, Ok(false)) {
            let mut origin = window.origin.borrow_mut();
            let ways = &mut origin.peers[rank as usize].long_ways;
            match (&outcome, time) {
                (Ok(true), Some(time)) => ways[class(bytes)].learn(Choice::Other, time, bytes),
                (Ok(false), _) => ways.iter_mut().for_each(|way| way.give_up_other()),
                _ => {}
            }
        }
        outcome
    }

    /// Sends a long operation of so many bytes, or with 0 waits for some, and notes how long that
    /// takes if messages are timed.
    pub(crate) fn by_messages<T>(
        &self,
        window: &Window,
        rank: Rank,
        bytes: usize,
        work: impl FnOnce() -> T,
    ) -> T {
        let is_timed = window.origin.borrow().peers[rank as usize].timed.is_some();
        let watch = Stopwatch::start(is_timed);
        let outcome = work();
        if let Some(time) = watch.time() {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            // Only of one length is it known what they have taken.
            peer.timed = peer.timed.filter(|timed| bytes == 0 || timed.class == class(bytes));
            if let Some(timed) = &mut peer.timed {
                timed.time += time;
                timed.bytes += bytes;
            }
            if peer.is_settled()
                && let Some(TimedMessages { class, bytes, time }) = peer.timed.take()
            {
                peer.long_ways[class].learn(Choice::Usual, time, bytes);
            }
        }
        outcome
    }
}
