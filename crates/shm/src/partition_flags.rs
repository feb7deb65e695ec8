//! What threads share of a partitioned message without a lock: which partitions of a send are
//! ready, and which transfer units of a receive are there. A transfer unit is one or several
//! neighbouring partitions of the sender, which move together.
//!
//! The holder of the engine begins and ends rounds. No thread touches a partition of a round after
//! it has marked the last one that it marks, so a round may be over before that call returns.

use std::ops::RangeInclusive;

use dunlin_base::Result;
use dunlin_base::memory::room_for;

use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// The most units of a message.
pub const UNITS_MAX: usize = 256;
const WORD_BITS: usize = u64::BITS as usize;

/// A set of units.
#[derive(Debug)]
struct UnitSet([AtomicU64; UNITS_MAX / WORD_BITS]);

impl UnitSet {
    fn new() -> Self {
        UnitSet(std::array::from_fn(|_| AtomicU64::new(0)))
    }

    fn clear(&self) {
        self.0.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    fn contains(&self, unit: usize) -> bool {
        // Acquire: pairs with the release in `ArrivedUnits::add`.
        let word = self.0.get(unit / WORD_BITS).map(|word| word.load(Ordering::Acquire));
        word.is_some_and(|word| word & bit(unit) != 0)
    }
}

fn bit(position: usize) -> u64 {
    1 << (position % WORD_BITS)
}

/// The partitions of a send.
#[derive(Debug)]
pub struct ReadyPartitions {
    /// Whether a round has begun and has not ended.
    is_active: AtomicU32,
    /// Partitions of the message.
    count: AtomicU32,
    /// Partitions of a unit; the last may have fewer.
    per_unit: AtomicU32,
    /// Which partitions are ready in this round.
    marked: Box<[AtomicU64]>,
    /// How many of each unit are not.
    missing: Box<[AtomicU32]>,
    /// Units that are ready and have not been taken.
    ready: UnitSet,
}

impl ReadyPartitions {
    /// Room for so many partitions, rounded up.
    pub fn with_room(partitions: u32) -> Result<Self> {
        let words = (partitions as usize).div_ceil(WORD_BITS);
        let mut marked = room_for(words)?;
        marked.extend((0..words).map(|_| AtomicU64::new(0)));
        let word = || AtomicU32::new(0);
        Ok(ReadyPartitions {
            is_active: word(),
            count: word(),
            per_unit: word(),
            marked: marked.into(),
            missing: (0..UNITS_MAX.min(words * WORD_BITS)).map(|_| word()).collect(),
            ready: UnitSet::new(),
        })
    }

    /// Partitions for which there is room.
    pub fn room(&self) -> u32 {
        (self.marked.len() * WORD_BITS) as u32
    }

    /// Who has the engine: begins a round of so many partitions.
    pub fn begin(&self, partitions: u32, per_unit: u32) {
        assert!(partitions <= self.room(), "{partitions} partitions have no room");
        self.count.store(partitions, Ordering::Relaxed);
        self.per_unit.store(per_unit, Ordering::Relaxed);
        let words = (partitions as usize).div_ceil(WORD_BITS);
        self.marked[..words].iter().for_each(|word| word.store(0, Ordering::Relaxed));
        let firsts = (0..partitions).step_by(per_unit as usize);
        for (unit, first) in self.missing.iter().zip(firsts) {
            unit.store(per_unit.min(partitions - first), Ordering::Relaxed);
        }
        self.ready.clear();
        // Release: pairs with the acquire in `mark`.
        self.is_active.store(1, Ordering::Release);
    }

    /// Who has the engine: the round is over, or the request is gone.
    pub fn end(&self) {
        self.is_active.store(0, Ordering::Relaxed);
    }

    /// Whether a round is under way, and has all these partitions.
    pub fn has(&self, partitions: &RangeInclusive<usize>) -> bool {
        // Acquire: pairs with the release in `begin`.
        self.is_active.load(Ordering::Acquire) != 0
            && *partitions.end() < self.count.load(Ordering::Relaxed) as usize
    }

    /// Any thread: these partitions, which [`has`](Self::has) has found, are ready. True if units
    /// are ready by that. `None` if some were ready before: the others are now, too. Without
    /// `is_shared` one thread at a time calls this.
    pub fn mark(&self, partitions: RangeInclusive<usize>, is_shared: bool) -> Option<bool> {
        let per_unit = self.per_unit.load(Ordering::Relaxed).max(1) as usize;
        let (first, end) = (*partitions.start(), *partitions.end() + 1);
        let (mut at, mut is_complete, mut is_twice) = (first, false, false);
        while at < end {
            // As much as lies in one word and one unit.
            let (word, unit) = (at / WORD_BITS, at / per_unit);
            let until = end.min((word + 1) * WORD_BITS).min((unit + 1) * per_unit);
            let bits = (u64::MAX >> (WORD_BITS - (until - at))) << (at % WORD_BITS);
            let before = set(&self.marked[word], bits, is_shared);
            let newly = (bits & !before).count_ones();
            is_twice |= bits & before != 0;
            if newly > 0 && self.lack_fewer(unit, newly, is_shared) {
                set(&self.ready.0[unit / WORD_BITS], bit(unit), is_shared);
                is_complete = true;
            }
            at = until;
        }
        (!is_twice).then_some(is_complete)
    }

    /// So many more partitions of a unit are ready. True if all are.
    fn lack_fewer(&self, unit: usize, newly: u32, is_shared: bool) -> bool {
        let missing = &self.missing[unit];
        if is_shared {
            // AcqRel: whoever finds the unit complete has seen what the others put into it.
            return missing.fetch_sub(newly, Ordering::AcqRel) == newly;
        }
        let left = missing.load(Ordering::Relaxed).wrapping_sub(newly);
        missing.store(left, Ordering::Relaxed);
        left == 0
    }

    /// Who has the engine: takes the units that are ready and shows each.
    pub fn take(&self, is_shared: bool, mut show: impl FnMut(usize)) {
        for (i, word) in self.ready.0.iter().enumerate() {
            if word.load(Ordering::Relaxed) == 0 {
                continue;
            }
            let mut units = if is_shared {
                // Acquire: pairs with the release in `set`.
                word.swap(0, Ordering::Acquire)
            } else {
                let units = word.load(Ordering::Relaxed);
                word.store(0, Ordering::Relaxed);
                units
            };
            while units != 0 {
                show(i * WORD_BITS + units.trailing_zeros() as usize);
                units &= units - 1;
            }
        }
    }
}

/// Sets bits, and says which were set before.
fn set(word: &AtomicU64, bits: u64, is_shared: bool) -> u64 {
    if is_shared {
        // Release: pairs with the acquire in `ReadyPartitions::take`.
        return word.fetch_or(bits, Ordering::Release);
    }
    let before = word.load(Ordering::Relaxed);
    word.store(before | bits, Ordering::Relaxed);
    before
}

/// How the sender cuts its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Units {
    /// Bytes of each unit but the last.
    pub bytes_each: u64,
    /// How many there are.
    pub count: usize,
    /// Bytes of the message.
    pub bytes: u64,
}

/// The units of a receive that are there.
#[derive(Debug)]
pub struct ArrivedUnits {
    /// Whether a round has begun and has not ended.
    is_active: AtomicU32,
    /// Partitions of the receiver, and bytes of each.
    partitions: AtomicU32,
    partition_bytes: AtomicU64,
    unit_bytes: AtomicU64,
    sent_bytes: AtomicU64,
    /// 0 until the sender has said how it cuts.
    units: AtomicU32,
    arrived: UnitSet,
}

impl ArrivedUnits {
    /// Of no receive yet.
    #[expect(clippy::new_without_default, reason = "what it is of has to be said before its use")]
    pub fn new() -> Self {
        let (word, long) = (|| AtomicU32::new(0), || AtomicU64::new(0));
        ArrivedUnits {
            is_active: word(),
            partitions: word(),
            partition_bytes: long(),
            unit_bytes: long(),
            sent_bytes: long(),
            units: word(),
            arrived: UnitSet::new(),
        }
    }

    /// Who has the engine: it belongs to a receive of so many partitions from now on.
    pub fn describe(&self, partitions: u32, partition_bytes: u64) {
        self.partitions.store(partitions, Ordering::Relaxed);
        self.partition_bytes.store(partition_bytes, Ordering::Relaxed);
        self.units.store(0, Ordering::Relaxed);
        // The one before may have been freed within a round.
        self.is_active.store(0, Ordering::Relaxed);
    }

    /// Who has the engine: the sender has said how it cuts.
    pub fn cut(&self, units: Units) {
        self.unit_bytes.store(units.bytes_each, Ordering::Relaxed);
        self.sent_bytes.store(units.bytes, Ordering::Relaxed);
        // Release: pairs with the acquire in `has_arrived`.
        self.units.store(units.count as u32, Ordering::Release);
    }

    /// Who has the engine: begins a round.
    pub fn begin(&self) {
        self.arrived.clear();
        // Release: pairs with the acquire in `has_arrived`.
        self.is_active.store(1, Ordering::Release);
    }

    /// Who has the engine: the round is over, and with it all partitions are there.
    pub fn end(&self) {
        // Release: pairs with the acquire in `has_arrived`.
        self.is_active.store(0, Ordering::Release);
    }

    /// Who has the engine: a unit is there.
    pub fn add(&self, unit: usize) {
        let word = &self.arrived.0[unit / WORD_BITS];
        // Who has the engine alone writes here. Release: pairs with the acquire in `contains`.
        word.store(word.load(Ordering::Relaxed) | bit(unit), Ordering::Release);
    }

    /// Any thread: whether a partition is there; `None` if there is no such partition.
    pub fn has_arrived(&self, partition: usize) -> Option<bool> {
        if partition >= self.partitions.load(Ordering::Relaxed) as usize {
            return None;
        }
        // Acquire: pairs with the releases in `begin` and `end`.
        if self.is_active.load(Ordering::Acquire) == 0 {
            return Some(true);
        }
        // Acquire: pairs with the release in `cut`.
        let units = self.units.load(Ordering::Acquire) as usize;
        let Some(last) = units.checked_sub(1) else { return Some(false) };
        let mut needed = self.units_of(partition as u64).unwrap_or(0..=last);
        Some(needed.all(|unit| self.arrived.contains(unit)))
    }

    /// The units in which a partition comes; `None` if its end is not among what is sent, or it has
    /// no data: it is there when the message is.
    fn units_of(&self, partition: u64) -> Option<RangeInclusive<usize>> {
        let bytes = self.partition_bytes.load(Ordering::Relaxed);
        let (start, end) = (partition.checked_mul(bytes)?, (partition + 1).checked_mul(bytes)?);
        if bytes == 0 || end > self.sent_bytes.load(Ordering::Relaxed) {
            return None;
        }
        let unit_bytes = self.unit_bytes.load(Ordering::Relaxed);
        Some(start.checked_div(unit_bytes)? as usize..=((end - 1) / unit_bytes) as usize)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn taken(flags: &ReadyPartitions, is_shared: bool) -> Vec<usize> {
        let mut taken = Vec::new();
        flags.take(is_shared, |unit| taken.push(unit));
        taken
    }

    #[test]
    fn a_unit_is_ready_with_its_last_partition_in_every_round() {
        let flags = ReadyPartitions::with_room(200).unwrap();
        assert!(!flags.has(&(0..=0)), "no round has begun");
        for (round, is_shared) in [false, true, false].into_iter().enumerate() {
            // Units of 3, of which the last has 2.
            flags.begin(200, 3);
            assert!(flags.has(&(0..=199)) && !flags.has(&(199..=200)));
            assert_eq!(flags.mark(1..=1, is_shared), Some(false));
            assert_eq!(flags.mark(62..=66, is_shared), Some(true), "round {round}");
            assert_eq!(taken(&flags, is_shared), [21]);
            assert_eq!(flags.mark(198..=199, is_shared), Some(true));
            assert_eq!(flags.mark(0..=0, is_shared), Some(false));
            assert_eq!(flags.mark(2..=2, is_shared), Some(true));
            assert_eq!(taken(&flags, is_shared), [0, 66]);
            assert_eq!(taken(&flags, is_shared), []);
            flags.end();
            assert!(!flags.has(&(0..=0)));
        }
    }

    #[test]
    fn a_partition_that_is_ready_twice_is_an_error_and_counts_once() {
        let flags = ReadyPartitions::with_room(4).unwrap();
        flags.begin(4, 2);
        assert_eq!(flags.mark(1..=1, true), Some(false));
        assert_eq!(flags.mark(1..=2, true), None);
        assert_eq!(taken(&flags, true), []);
        assert_eq!(flags.mark(0..=0, true), Some(true));
        assert_eq!(taken(&flags, true), [0]);
    }

    #[test]
    fn a_partition_is_there_with_all_units_that_it_overlaps() {
        let arrived = ArrivedUnits::new();
        // 4 partitions of 30 bytes; 100 bytes are sent in units of 40.
        arrived.describe(4, 30);
        assert_eq!(arrived.has_arrived(0), Some(true), "no round has begun");
        let seen = |all: &ArrivedUnits| (0..4).map(|i| all.has_arrived(i).unwrap()).collect();
        arrived.begin();
        assert_eq!((arrived.has_arrived(3), arrived.has_arrived(4)), (Some(false), None));
        arrived.cut(Units { bytes_each: 40, count: 3, bytes: 100 });
        arrived.add(1);
        let now: Vec<bool> = seen(&arrived);
        assert_eq!(now, [false, false, false, false]);
        arrived.add(0);
        let now: Vec<bool> = seen(&arrived);
        assert_eq!(now, [true, true, false, false]);
        arrived.add(2);
        // The last one is longer than what is sent: it is there when all is.
        let now: Vec<bool> = seen(&arrived);
        assert_eq!(now, [true, true, true, true]);
        arrived.begin();
        assert_eq!(arrived.has_arrived(0), Some(false));
        arrived.end();
        assert_eq!(arrived.has_arrived(0), Some(true));
        arrived.begin();
        arrived.describe(9, 1);
        assert_eq!(arrived.has_arrived(8), Some(true), "no round of the next request has begun");
    }

    #[test]
    fn partitions_without_data_are_there_when_the_message_is() {
        let arrived = ArrivedUnits::new();
        arrived.describe(2, 0);
        arrived.begin();
        arrived.cut(Units { bytes_each: 0, count: 1, bytes: 0 });
        assert_eq!(arrived.has_arrived(1), Some(false));
        arrived.add(0);
        assert_eq!(arrived.has_arrived(1), Some(true));
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::sync::Shared;
    use loom::sync::Arc;

    /// Each thread fills a partition and says so; whoever finds the unit complete takes it, and
    /// sees both.
    #[test]
    fn who_takes_a_unit_sees_all_its_partitions() {
        loom::model(|| {
            let flags = ReadyPartitions::with_room(2).unwrap();
            flags.begin(2, 2);
            let all = Arc::new((flags, [Shared::new(0), Shared::new(0)]));
            let fill = |all: &(ReadyPartitions, [Shared<u32>; 2]), at: usize| {
                // SAFETY: each thread writes its own, before it says so.
                all.1[at].with_mut(|value| unsafe { *value = 1 });
                all.0.mark(at..=at, true)
            };
            let helper = all.clone();
            let helper = loom::thread::spawn(move || fill(&helper, 0));
            let (own, mut taken) = (fill(&all, 1), 0);
            all.0.take(true, |unit| {
                assert_eq!(unit, 0);
                // SAFETY: both have said so; loom checks that nobody writes.
                taken += all.1.iter().map(|v| v.with(|v| unsafe { *v })).sum::<u32>();
            });
            let other = helper.join().unwrap();
            assert_ne!(own, other, "one of both completes the unit");
            assert!(taken == 2 || other == Some(true) && taken == 0);
        });
    }

    #[test]
    fn who_sees_a_partition_there_sees_its_data() {
        loom::model(|| {
            let arrived = ArrivedUnits::new();
            arrived.describe(1, 8);
            arrived.begin();
            arrived.cut(Units { bytes_each: 8, count: 1, bytes: 8 });
            let all = Arc::new((arrived, Shared::new(0)));
            let helper = all.clone();
            let helper = loom::thread::spawn(move || {
                // SAFETY: before it is said to be there.
                helper.1.with_mut(|value| unsafe { *value = 7 });
                helper.0.add(0);
                helper.0.end();
            });
            if all.0.has_arrived(0) == Some(true) {
                // SAFETY: it is there; loom checks that nobody writes.
                assert_eq!(all.1.with(|value| unsafe { *value }), 7);
            }
            helper.join().unwrap();
        });
    }
}
