//! Which payload lines a ring uses: the first ones, and all when much has been sent, where that was
//! allowed.
//!
//! A line that its reader has read last is written slowly: it has to be taken out of the reader's
//! cache. Processors whose cores keep what has left their own cache in one that they share (AMD's
//! Zen) write it sooner where no core has it any more, as the long rooms of collectives
//! (`long_rooms.rs`). In a stream a message of 4 KiB takes 480 ns through 256 KiB of payload lines,
//! 250 through 1 MiB and 165 through 2 MiB (near cores of a Zen 4). For the cells, whose lines both
//! ends look at all the time, there is nothing to gain; nor in fast boxes, out of which a payload
//! is read while the writer's cache still has it: half round trips of 4 KiB take 0.37 us so, and
//! 0.60 by a long ring.
//!
//! The first use of a page costs a page fault, so a ring begins short. Its producer decides at the
//! end of a lap of the short part, and asks the system for all other pages at once. Both ends see
//! in their own positions where that lap ends.

/// Payload lines that go by a ring, or would if it were long, until it becomes so: 8 MiB.
const SHORT_FOR_LINES: u32 = if cfg!(loom) { 1 } else { (8 << 20) / 64 };

/// The payload lines that a ring uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    /// A position that lies at the first line.
    start: u32,
    /// How many, from the first of the ring's memory on: a power of two.
    pub lines: u32,
}

impl Extent {
    pub fn short(short_lines: u32) -> Extent {
        Extent { start: 0, lines: short_lines }
    }

    /// From the end of the lap of the short part on that ends with a packet behind which
    /// `position` is. So the first lines are used once more, as in a short ring.
    pub fn long(position: u32, short_lines: u32, long_lines: u32) -> Extent {
        Extent { start: position & !(short_lines - 1), lines: long_lines }
    }

    /// Where a position lies.
    #[inline(always)]
    pub fn place(self, position: u32) -> usize {
        (position.wrapping_sub(self.start) & (self.lines - 1)) as usize
    }
}

/// What the producer of a ring knows about its becoming long.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    pub may_grow: bool,
    /// Lines that were counted.
    counted: u32,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Short,
    /// Until all that was sent while it was short has been read for sure.
    Begun,
    /// Until all lines have been used once.
    FirstLap,
    Long,
}

impl Growth {
    /// Whether the ring is to become long at the end of this lap.
    #[inline(always)]
    pub fn is_due(&self) -> bool {
        self.may_grow && self.counted >= SHORT_FOR_LINES
    }

    pub fn count(&mut self, lines: u32) {
        self.counted = self.counted.saturating_add(lines);
    }

    /// While lines are used for the first time, times say little of later ones.
    #[inline(always)]
    pub fn is_first_lap(&self) -> bool {
        matches!(self.stage, Stage::Begun | Stage::FirstLap)
    }

    /// How many lines may be written behind what the consumer has read. Until a lap of the short
    /// part is over these are as many as a short ring has, since unread payloads of the lap before
    /// lie in that part.
    #[inline(always)]
    pub fn free_lines(&self, extent: Extent, short_lines: u32) -> u32 {
        if self.stage == Stage::Begun { short_lines } else { extent.lines }
    }

    /// Told at the end of each lap of the short part. True if the ring becomes long.
    pub fn note_lap_end(&mut self, extent: Extent, short_lines: u32, position: u32) -> bool {
        match self.stage {
            Stage::Short => {
                self.count(short_lines);
                if self.is_due() {
                    self.stage = Stage::Begun;
                    return true;
                }
            }
            Stage::Begun => self.stage = Stage::FirstLap,
            Stage::FirstLap if position.wrapping_sub(extent.start) >= extent.lines => {
                self.stage = Stage::Long;
            }
            _ => {}
        }
        false
    }
}
