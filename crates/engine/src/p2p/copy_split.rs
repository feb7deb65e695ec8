//! How sender and receiver of a cooperative copy divide a message: arithmetic on units of pages.

use std::ops::Range;
use std::time::Duration;

use dunlin_base::single_copy::SingleCopy;
use dunlin_shm::layout::{PAGE, SPLITS_PER_RANK};
use dunlin_shm::work_split::{Left, UNITS_MAX};

use crate::adaptive::Stopwatch;
use crate::matching::Envelope;
use crate::objects::status::RequestId;
use crate::p2p::arrival::Rts;
use crate::p2p::packet::{CoopCts, NO_SPLIT};

/// From this size on, the sender's help is worth its packets. Half round trips on a 2-core Intel
/// Xeon, together and receiver alone, in us: 16 KB 1.77 and 1.59, 32 KB 2.25 and 2.51, 64 KB 3.0
/// and 3.9.
pub(crate) const TOGETHER_BYTES_MIN: usize = 32 << 10;
/// Up to this size, a message with others queued behind it is claimed whole by the rank that comes
/// first: of a window of messages each rank copies some, in one call each, instead of a part of
/// each. Windows of 64, with and without, MB/s: 8 KB 8,700 and
/// 5,400, 16 KB 13,400 and 8,000, 64 KB 24,100 and 15,000, 128 KB 22,900 and 18,300.
pub(crate) const LATER_BYTES_MAX: usize = 128 << 10;
/// Units (pages) that the receiver claims beyond its half, because it begins earlier. 64 KB take
/// 3.3 us with none, 3.05 with one or two, 3.4 with three.
pub(crate) const LEAD_UNITS: u32 = 1;
/// Fewer units than this are claimed at once, not divided. 256 KB take 8.5 us with 8 units, 7.8
/// with 16, 7.3 with 32 to 64; undivided, 1 MB takes 41 instead of 33.
pub(crate) const WHOLE_UNITS: u32 = 48;
/// The same while the other rank has not begun: each further call costs 0.4 us, as much as half a
/// dozen pages.
pub(crate) const WHOLE_UNITS_ALONE: u32 = 32;

/// How a message is cut into units: at page borders of the receive buffer, so that the two ranks
/// write no cache line and no page table entry in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Where the message goes in the receiver.
    pub to: u64,
    /// Bytes that are copied.
    pub len: u64,
    /// Bytes of a unit, a power of two.
    pub unit: u64,
}

impl Cut {
    /// The cut of a message of `bytes` that its receiver names; `None` if there is no such.
    pub fn named(coop_cts: &CoopCts, bytes: usize) -> Option<Cut> {
        let cut = Cut::new(coop_cts.to, coop_cts.len);
        let is_it = cut.unit.trailing_zeros() == coop_cts.unit_shift;
        (is_it && cut.len <= bytes as u64).then_some(cut)
    }

    pub fn new(to: u64, len: u64) -> Cut {
        let mut unit = PAGE as u64;
        while len / unit >= u64::from(UNITS_MAX) - 1 {
            unit *= 2;
        }
        Cut { to, len, unit }
    }

    /// Bytes by which the first unit is short.
    pub fn head(&self) -> u64 {
        self.to % self.unit
    }

    pub fn units(&self) -> u32 {
        (self.head() + self.len).div_ceil(self.unit) as u32
    }

    /// The place in the message of a range of units.
    pub fn bytes(&self, units: &Range<u32>) -> Range<usize> {
        let place = |unit: u32| {
            (u64::from(unit) * self.unit).saturating_sub(self.head()).min(self.len) as usize
        };
        place(units.start)..place(units.end)
    }
}

/// A message we receive of which the sender still copies a part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CooperativeCopy {
    pub peer: usize,
    pub envelope: Envelope,
    pub receive: RequestId,
    pub rts: Rts,
    pub cut: Cut,
    /// Whether the sender helps was chosen ([`SenderHelp`]).
    ///
    /// [`SenderHelp`]: crate::p2p::sender_help::SenderHelp
    pub has_choice: bool,
    /// Runs since this rank began to copy, if the sender has asked how long that takes.
    watch: Stopwatch,
    /// How many ranks copy messages at the same time, one each.
    ranks: u32,
}

impl CooperativeCopy {
    pub fn new(
        peer: usize,
        envelope: Envelope,
        receive: RequestId,
        rts: Rts,
        cut: Cut,
    ) -> CooperativeCopy {
        let watch = Stopwatch::start(false);
        CooperativeCopy { peer, envelope, receive, rts, cut, has_choice: false, watch, ranks: 1 }
    }

    /// This rank begins to copy, while so many copy one message each.
    pub fn begin(&mut self, ranks: u32) {
        (self.watch, self.ranks) = (Stopwatch::start(self.rts.is_timed), ranks);
    }

    /// How long it has taken since, for each message.
    pub fn time(&self) -> Option<Duration> {
        self.watch.time().map(|time| time / self.ranks)
    }
}

/// The work splits that messages we have announced (RTS) may use: a bit for each that is free.
#[derive(Debug)]
pub(crate) struct FreeSplits {
    free: u128,
    /// Those that are free while no message waits.
    all: u128,
}

const _: () = assert!(SPLITS_PER_RANK == u128::BITS as usize);

impl FreeSplits {
    pub fn new(single_copy: SingleCopy) -> FreeSplits {
        let all = if single_copy.by_both() { u128::MAX } else { 0 };
        FreeSplits { free: all, all }
    }

    /// How many are free.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.free.count_ones() as usize
    }

    /// Whether messages that this rank has announced are still to be copied.
    pub fn some_are_taken(&self) -> bool {
        self.free != self.all
    }

    /// Takes a free split, if there is one.
    pub fn take(&mut self) -> u32 {
        match self.free.trailing_zeros() {
            u128::BITS => NO_SPLIT,
            number => {
                self.free &= self.free - 1;
                number
            }
        }
    }

    /// Returns a split, by the number that a peer sent: [`NO_SPLIT`] and free ones change nothing.
    pub fn give_back(&mut self, number: u32) {
        self.free |= 1u128.checked_shl(number).unwrap_or(0);
    }
}

/// The receiver's first claim: a little more than half, because the sender hears of it later.
pub(crate) fn first_portion(units: u32) -> u32 {
    (units.div_ceil(2) + LEAD_UNITS).min(units)
}

/// The next claim of either side: large while much is left, for few calls, and smaller towards the
/// end, so that both finish at about the same time.
pub(crate) fn portion(left: Left) -> u32 {
    let whole = if left.other_came { WHOLE_UNITS } else { WHOLE_UNITS_ALONE };
    if left.units <= whole { left.units } else { left.units.div_ceil(2) }
}
