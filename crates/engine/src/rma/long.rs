//! Long puts and gets on memory that the kernel copies slowly, while the target polls: they go as
//! messages in bounce buffers, or the kernel copies. Which takes less time depends on the machine:
//! 64 KiB took 2 us by a message and 5 by the kernel on a Zen 5, 12 to 50 and 9 on a Zen 3. So both
//! are used, and timed.

use dunlin_base::Rank;

use crate::adaptive::{Stopwatch, Use, Way};
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
        if !self.is_little_unsettled(window, rank, bytes) {
            return LongWay::Kernel(false);
        }
        let Use { way, is_timed } = {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            peer.long_ways[class(bytes)].next()
        };
        if way == Way::Other || !self.is_polling(window, rank) {
            return LongWay::Kernel(is_timed && way == Way::Other);
        }
        let peer = &mut window.origin.borrow_mut().peers[rank as usize];
        // What is under way already would be timed with it.
        if is_timed && peer.is_settled() {
            let time = Default::default();
            peer.timed = Some(TimedMessages { class: class(bytes), bytes: 0, time });
        }
        LongWay::Message
    }

    /// Does what the kernel does, and learns how long it takes.
    pub(crate) fn by_kernel<T>(
        &self,
        window: &Window,
        rank: Rank,
        (bytes, is_timed): (usize, bool),
        copy: impl FnOnce() -> T,
    ) -> T {
        let watch = Stopwatch::start(is_timed);
        let outcome = copy();
        if let Some(time) = watch.time() {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            peer.long_ways[class(bytes)].learn(Way::Other, time, bytes);
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
            if let Some(timed) = &mut peer.timed {
                timed.time += time;
                timed.bytes += bytes;
            }
            if peer.is_settled()
                && let Some(TimedMessages { class, bytes, time }) = peer.timed.take()
            {
                peer.long_ways[class].learn(Way::Usual, time, bytes);
            }
        }
        outcome
    }
}
