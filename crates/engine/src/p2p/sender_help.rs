//! Whether the sender of a long message copies a part of it: sometimes that takes half the time,
//! sometimes twice. Data that its sender has just written, or buffers that are new each time, come
//! out of memory or of the sender's cache: two ranks move more of that than one. Where one buffer
//! is sent again and again, the receiver has all of it in its own cache, until the sender writes
//! there. How much that costs depends on how far apart their cores are: on a virtual machine with
//! 16 cores windows of 64 KiB from one buffer run at 9 GB/s together, and other libraries, whose
//! receivers copy alone, at 17.
//!
//! Messages that are under way together go the same way, and are timed together.

use std::time::Duration;

use crate::adaptive::{AdaptiveChoice, Choice, Stopwatch, Use};

/// Lengths below which messages are alike; the last class takes all others.
const LENGTH_ENDS: [usize; 3] = [32 << 10, 128 << 10, 1 << 20];

/// What a receiver knows of one sender.
#[derive(Debug, Default)]
pub(crate) struct SenderHelp {
    choices: [AdaptiveChoice<90>; LENGTH_ENDS.len() + 1],
    drawn: Option<Drawn>,
}

/// What messages do until all are received that are under way.
#[derive(Debug)]
struct Drawn {
    class: usize,
    way: Choice,
    watch: Stopwatch,
    bytes: usize,
    under_way: usize,
}

impl SenderHelp {
    /// A message of so many bytes begins: whether its sender is to help.
    pub fn begin(&mut self, bytes: usize) -> bool {
        let class = LENGTH_ENDS.iter().filter(|end| bytes >= **end).count();
        let drawn = self.drawn.get_or_insert_with(|| {
            let Use { way, is_timed } = self.choices[class].next(bytes);
            Drawn { class, way, watch: Stopwatch::start(is_timed), bytes: 0, under_way: 0 }
        });
        if drawn.class != class {
            drawn.watch = Stopwatch::start(false);
        }
        drawn.bytes += bytes;
        drawn.under_way += 1;
        drawn.way == Choice::Usual
    }

    /// One of them is here.
    pub fn end(&mut self) {
        let Some(drawn) = &mut self.drawn else { return };
        drawn.under_way -= 1;
        if drawn.under_way > 0 {
            return;
        }
        let (time, class, way) = (drawn.watch.time(), drawn.class, drawn.way);
        if let Some(time) = time.filter(|time| *time > Duration::ZERO && drawn.bytes > 0) {
            self.choices[class].learn(way, time, drawn.bytes);
        }
        self.drawn = None;
    }

    /// One of them goes another way than was drawn.
    pub fn goes_otherwise(&mut self) {
        if let Some(drawn) = &mut self.drawn {
            drawn.watch = Stopwatch::start(false);
        }
        self.end();
    }
}
