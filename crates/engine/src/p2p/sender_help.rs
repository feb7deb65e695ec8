//! Whether the sender of a long message copies a part of it: sometimes that takes half the time,
//! sometimes twice. Data that its sender has just written, or in a buffer that is new each time, is
//! in memory or in the sender's cache: two ranks copy it sooner than one. Where one buffer
//! is sent again and again, the receiver has all of it in its own cache, until the sender writes
//! there. How much that costs depends on how far apart their cores are: on a virtual machine with
//! 16 cores windows of 64 KiB from one buffer run at 9 GB/s together, and other libraries, whose
//! receivers copy alone, at 17.
//!
//! Messages of which some are left to the sender, or wait, are timed together, and go the same way.

use std::time::Duration;

use crate::adaptive::{AdaptiveChoice, Choice, Stopwatch, Use};
use crate::p2p::copy_split::LATER_BYTES_MAX;

/// Lengths below which messages are alike; the last class takes all others. Of several that wait,
/// those of up to [`LATER_BYTES_MAX`] are copied by one rank each.
const LENGTH_ENDS: [usize; 5] = [16 << 10, 32 << 10, LATER_BYTES_MAX + 1, 512 << 10, 2 << 20];

/// If the time is more than so many times what this rank has copied, it was not always in MPI.
const AWAY: u32 = 2;

/// What a receiver knows of one sender.
#[derive(Debug, Default)]
pub(crate) struct SenderHelp {
    choices: [AdaptiveChoice<80>; LENGTH_ENDS.len() + 1],
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
    /// One of them at least went this way.
    is_typical: bool,
    /// So long this rank has copied.
    copying: Duration,
}

impl Drawn {
    /// Whether this rank has copied for most of this time, as one does that waits in MPI; else the
    /// program has done something else meanwhile.
    fn was_here(&self, time: Duration) -> bool {
        self.way == Choice::Other || time <= AWAY * self.copying
    }
}

impl SenderHelp {
    /// A message of so many bytes begins: whether its sender is to help.
    pub fn begin(&mut self, bytes: usize) -> bool {
        let class = LENGTH_ENDS.iter().filter(|end| bytes >= **end).count();
        let drawn = self.drawn.get_or_insert_with(|| {
            let Use { way, is_timed } = self.choices[class].next(bytes);
            let watch = Stopwatch::start(is_timed);
            Drawn {
                class,
                way,
                watch,
                bytes: 0,
                under_way: 0,
                is_typical: false,
                copying: Duration::ZERO,
            }
        });
        if drawn.class != class {
            drawn.watch = Stopwatch::start(false);
        }
        drawn.bytes += bytes;
        drawn.under_way += 1;
        drawn.way == Choice::Usual
    }

    /// Whether what begins now is timed.
    pub fn is_timed(&self) -> bool {
        self.drawn.as_ref().is_some_and(|drawn| drawn.watch.runs())
    }

    /// This rank has copied so long, if that was timed.
    pub fn add_copying(&mut self, time: Option<Duration>) {
        if let (Some(drawn), Some(time)) = (&mut self.drawn, time) {
            drawn.copying += time;
        }
    }

    /// One of them is complete. `is_typical`: it went the way that was drawn; a sender that was to
    /// help, but was not in MPI, tells nothing.
    pub fn end(&mut self, is_typical: bool) {
        let Some(drawn) = &mut self.drawn else { return };
        drawn.under_way -= 1;
        drawn.is_typical |= is_typical;
        if drawn.under_way > 0 {
            return;
        }
        let is_typical = drawn.is_typical && drawn.bytes > 0;
        let time = drawn.watch.time().filter(|time| is_typical && drawn.was_here(*time));
        if let Some(time) = time {
            self.choices[drawn.class].learn(drawn.way, time, drawn.bytes);
        }
        self.drawn = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: usize = 64 << 10;

    /// Windows of so many messages that end in turn, of which each rank copies some while this one
    /// copies for so long; how many of the senders were to help.
    fn windows(help: &mut SenderHelp, count: u32, len: usize, copying: Duration) -> u32 {
        let mut helped = 0;
        for _ in 0..count {
            let first = help.begin(LEN);
            // Whatever is drawn, all that are under way together go that way.
            assert!((1..len).all(|_| help.begin(LEN) == first));
            help.add_copying(help.is_timed().then_some(copying));
            (0..len).for_each(|_| help.end(true));
            helped += u32::from(first);
        }
        helped
    }

    /// So many times make a way known, and the other is not tried yet.
    const FEW: u32 = 5;

    /// Whether it is known after these how long the sender's help takes.
    fn is_known(help: &SenderHelp) -> bool {
        // A way that is known is timed now and then; one that is not, always.
        let mut choice = help.choices[2];
        !choice.next(LEN).is_timed
    }

    #[test]
    fn the_sender_helps_until_something_else_is_known_to_be_quicker() {
        for len in [1, 2, 64] {
            let mut help = SenderHelp::default();
            // In unit tests all takes 1 us: both ways as long.
            assert_eq!(windows(&mut help, FEW, len, Duration::from_micros(1)), FEW);
            assert!(is_known(&help) && help.drawn.is_none());
            assert!(windows(&mut help, 1000, len, Duration::from_micros(1)) > 800);
        }
    }

    #[test]
    fn what_took_long_because_the_program_computed_is_not_learned() {
        let mut help = SenderHelp::default();
        windows(&mut help, FEW, 1, Duration::from_nanos(100));
        assert!(!is_known(&help));
    }

    #[test]
    fn what_the_sender_did_not_help_with_is_not_learned() {
        let mut help = SenderHelp::default();
        for _ in 0..FEW {
            help.begin(LEN);
            help.add_copying(Some(Duration::from_micros(1)));
            help.end(false);
        }
        assert!(!is_known(&help) && help.drawn.is_none());
    }
}
