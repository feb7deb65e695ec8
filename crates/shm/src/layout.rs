//! Where things are in the segment of a node. Every process of a job computes the same offsets from
//! the same [`SegmentLayout`], so no pointer is ever exchanged.
//!
//! ```text
//! header | steps | records[rank] | rings[receiver][sender] | splits[rank] | bounce buffers[rank] |
//! areas[rank] | records, rings, splits and bounce buffers of each further VCI
//! ```
//! Only touched pages cost memory: the segment is sparse.

use crate::coll_area::{NarrowArea, WideArea};
use crate::fast_box::FAST_BOX_CELLS;
pub use crate::sync::{CACHE_LINE, PAGE};

/// The most ranks one node may have.
pub const RANKS_MAX: usize = 1024;
/// Bytes of the header.
pub const HEADER_BYTES: usize = PAGE;
/// Bytes of a rank's record, which the models do without.
const RANK_RECORD_BYTES: usize = {
    #[cfg(not(loom))]
    let bytes = size_of::<crate::rank_record::RankRecord>();
    #[cfg(loom)]
    let bytes = CACHE_LINE;
    bytes
};
/// Bytes of one bounce buffer with its flag: a fragment of a message that is too long to travel
/// inline, where single copy is slow or impossible. It may stay there until a receive matches it.
pub const BOUNCE_BUFFER_BYTES: usize = 32 * 1024 + PAGE;
/// Bounce buffers of one rank: enough that sender and receiver both work, few enough to stay in the
/// cache.
pub const BOUNCE_BUFFERS: usize = 16;
/// The same while very few ranks share a node: more than a core's cache has, for processors that
/// write lines sooner which no core has in its cache (`long_rooms.rs`).
pub const WIDE_BOUNCE_BUFFERS: usize = 64;

/// Messages of one rank that it and their receivers may copy together at a time: more than a usual
/// window of sends in flight. Beyond them, receivers copy alone.
pub const SPLITS_PER_RANK: usize = 128;

/// Areas of one rank: communicators in which it can publish data at the same time. Others use
/// messages. Memory of an area that nobody uses is never touched.
pub const COLL_AREAS_PER_RANK: usize = 64;

/// What the rings of a node are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RingLayout {
    /// Small packets on their way, a power of two.
    cells: usize,
    /// Payload lines of larger ones, a power of two, and those of them that are used at first.
    payload_lines: usize,
    short_lines: usize,
    /// Whether the pairs have fast boxes.
    fast_boxes: bool,
    /// The most VCIs: each takes as much address space as the first.
    vcis: usize,
}

/// The most virtual communication interfaces (VCIs) of a process, on any node.
pub const VCIS_MAX: usize = 8;

/// While few ranks share a node: twice a window of 64 messages, and 16 of 4 KB, so that the writer
/// does not follow the reader too closely. In a stream of 4 KB messages one takes 480 ns with these
/// 1,024 payload lines, 600 with 512, 625 with 256; 450 with 2,048. 82 KB a pair.
const FEW_RANKS_RING: RingLayout =
    RingLayout { cells: 128, payload_lines: 1024, short_lines: 1024, fast_boxes: true, vcis: 4 };
/// While very few do, with room for four eager messages of 48 KB where single copy is slow; small
/// messages take as long as with a quarter of it. 279 KB a pair, and up to 2.1 MB where rings may
/// become long.
const fn very_few_ranks_ring(ranks: usize) -> RingLayout {
    let short_lines = 4096;
    RingLayout {
        cells: 128,
        payload_lines: long_lines(ranks, short_lines),
        short_lines,
        fast_boxes: true,
        vcis: VCIS_MAX,
    }
}
/// Payload lines of a ring that has become long (`ring_extent.rs`): 2 MiB, but those of a VCI
/// do not take more than 16 MiB together, about what two cores have of the cache that all share.
const fn long_lines(ranks: usize, short_lines: usize) -> usize {
    const OF_VCI: usize = (16 << 20) / CACHE_LINE;
    let (mut lines, rings) = ((2 << 20) / CACHE_LINE, ranks * ranks.saturating_sub(1));
    while lines > short_lines && rings * lines > OF_VCI {
        lines /= 2;
    }
    lines
}
/// When many do: 4 KB a pair, 65 MB of address space at 128 ranks.
const MANY_RANKS_RING: RingLayout =
    RingLayout { cells: 32, payload_lines: 32, short_lines: 32, fast_boxes: false, vcis: 1 };
/// Up to here ranks count as few (32 x 32 pairs of 82 KB = 84 MB of address space).
const FEW_RANKS: usize = 32;
/// Up to here as very few (8 x 8 pairs of 279 KB = 18 MB, 3 x 3 of 2.1 MB = 19 MB).
const VERY_FEW_RANKS: usize = 8;

/// What decides the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentLayout {
    /// Ranks on this node.
    pub ranks: usize,
    ring: RingLayout,
    /// The VCI whose parts these are.
    vci: usize,
}

impl SegmentLayout {
    /// The layout of a node with `ranks` ranks.
    pub const fn for_ranks(ranks: usize) -> SegmentLayout {
        let ring = match ranks {
            0..=VERY_FEW_RANKS => very_few_ranks_ring(ranks),
            n if n <= FEW_RANKS => FEW_RANKS_RING,
            _ => MANY_RANKS_RING,
        };
        SegmentLayout { ranks, ring, vci: 0 }
    }

    /// The same of another VCI.
    pub const fn of_vci(self, vci: usize) -> SegmentLayout {
        assert!(vci < self.ring.vcis);
        SegmentLayout { vci, ..self }
    }

    /// The most VCIs of a rank.
    pub const fn vcis(&self) -> usize {
        self.ring.vcis
    }

    /// Offset of the parts of a VCI, which for the first end with the areas.
    const fn vci_start(&self, vci: usize) -> usize {
        let words = (self.ranks * size_of::<u64>()).next_multiple_of(PAGE);
        let first = self.steps() + words;
        if vci == 0 {
            return first;
        }
        let of_first = self.of_vci(0);
        let stride = (of_first.bounce_buffer(self.ranks, 0) - first).next_multiple_of(PAGE);
        of_first.area(self.ranks, 0).next_multiple_of(PAGE) + (vci - 1) * stride
    }

    /// Cells of each ring.
    pub const fn ring_cells(&self) -> usize {
        self.ring.cells
    }

    /// Payload lines of each ring.
    pub const fn ring_payload_lines(&self) -> usize {
        self.ring.payload_lines
    }

    /// Those of them that it uses at first.
    pub const fn ring_short_lines(&self) -> usize {
        self.ring.short_lines
    }

    /// Whether pairs have fast boxes.
    pub const fn fast_boxes(&self) -> bool {
        self.ring.fast_boxes
    }

    /// Offset of the words that say which process is which rank. They stay when the rest is cleared
    /// for the job's next step.
    pub const fn steps(&self) -> usize {
        HEADER_BYTES
    }

    /// Offset of the record of `rank`.
    pub const fn record(&self, rank: usize) -> usize {
        self.vci_start(self.vci) + rank * RANK_RECORD_BYTES
    }

    /// Bytes from one ring to the next: its cells and payload lines, a cell for its state, and a
    /// fast box of the pair if it has any. The number of lines is odd, so that the headers of
    /// neighbouring rings lie in different cache sets.
    pub const fn ring_stride(&self) -> usize {
        let fast_box = if self.ring.fast_boxes { FAST_BOX_CELLS } else { 0 };
        ((self.ring.cells + self.ring.payload_lines + 1 + fast_box) | 1) * CACHE_LINE
    }

    /// Offset of the payload lines of a ring.
    pub const fn payload_lines(&self, receiver: usize, sender: usize) -> usize {
        self.ring(receiver, sender) + self.ring.cells * CACHE_LINE
    }

    /// Offset of the state of a ring.
    pub const fn ring_state(&self, receiver: usize, sender: usize) -> usize {
        self.payload_lines(receiver, sender) + self.ring.payload_lines * CACHE_LINE
    }

    /// Offset of the fast box of two ranks in which the first of them begins.
    pub const fn fast_box(&self, first: usize, other: usize) -> usize {
        self.ring_state(first, other) + CACHE_LINE
    }

    /// Offset of the ring that `sender` writes and `receiver` reads. The rings of one receiver lie
    /// side by side, because it is the receiver that scans.
    pub const fn ring(&self, receiver: usize, sender: usize) -> usize {
        self.rings() + (receiver * self.ranks + sender) * self.ring_stride()
    }

    const fn rings(&self) -> usize {
        (self.record(self.ranks)).next_multiple_of(PAGE)
    }

    /// Offset of the work split of message `number` among those that `rank` has announced.
    pub const fn split(&self, rank: usize, number: usize) -> usize {
        self.ring(self.ranks, 0).next_multiple_of(PAGE)
            + (rank * SPLITS_PER_RANK + number) * CACHE_LINE
    }

    const fn bounce_buffers(&self) -> usize {
        self.split(self.ranks, 0).next_multiple_of(PAGE)
    }

    /// How many bounce buffers each rank has.
    pub const fn bounce_buffers_per_rank(&self) -> usize {
        if self.ranks <= VERY_FEW_RANKS { WIDE_BOUNCE_BUFFERS } else { BOUNCE_BUFFERS }
    }

    /// Offset of bounce buffer `bounce_buffer` of `rank`, which owns it.
    pub const fn bounce_buffer(&self, rank: usize, bounce_buffer: usize) -> usize {
        self.bounce_buffers()
            + (rank * self.bounce_buffers_per_rank() + bounce_buffer) * BOUNCE_BUFFER_BYTES
    }

    /// Offset of area `area` of `rank`, where it publishes data to the ranks of a communicator.
    pub const fn area(&self, rank: usize, area: usize) -> usize {
        self.bounce_buffer(self.ranks, 0) + (rank * COLL_AREAS_PER_RANK + area) * self.area_bytes()
    }

    /// Whether areas have room for long data that goes round in more than the cores' caches.
    pub const fn has_wide_areas(&self) -> bool {
        self.ranks <= VERY_FEW_RANKS
    }

    const fn area_bytes(&self) -> usize {
        match self.has_wide_areas() {
            true => size_of::<WideArea>(),
            false => size_of::<NarrowArea>(),
        }
    }

    /// Bytes of the whole segment.
    pub const fn bytes(&self) -> usize {
        match self.ring.vcis {
            1 => self.of_vci(0).area(self.ranks, 0),
            vcis => self.of_vci(vcis - 1).bounce_buffer(self.ranks, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other_without_overlap() {
        for ranks in [1, 2, 3, 8, 9, 32, 33, 128, RANKS_MAX] {
            let s = SegmentLayout::for_ranks(ranks);
            assert!(s.steps() + ranks * size_of::<u64>() <= s.record(0));
            assert!(s.record(ranks) <= s.ring(0, 0));
            assert_eq!(s.ring(0, 0) % CACHE_LINE, 0);
            assert!(s.ring(ranks - 1, ranks - 1) + s.ring_stride() <= s.split(0, 0));
            assert!(s.split(ranks - 1, SPLITS_PER_RANK - 1) + CACHE_LINE <= s.bounce_buffer(0, 0));
            assert_eq!(s.bounce_buffer(0, 0) % PAGE, 0);
            assert_eq!(
                s.bounce_buffer(ranks - 1, s.bounce_buffers_per_rank() - 1) + BOUNCE_BUFFER_BYTES,
                s.area(0, 0)
            );
            assert_eq!(s.area(0, 0) % CACHE_LINE, 0);
            let mut end = s.area(ranks, 0);
            for vci in 1..s.vcis() {
                let own = s.of_vci(vci);
                assert!(end <= own.record(0) && own.record(0) % PAGE == 0);
                assert!(own.record(ranks) <= own.ring(0, 0));
                end = own.bounce_buffer(ranks, 0);
            }
            assert_eq!(end, s.bytes());
        }
    }

    #[test]
    fn neighbouring_rings_start_in_different_cache_sets() {
        let s = SegmentLayout::for_ranks(128);
        let set = |offset: usize| offset / CACHE_LINE % 64;
        assert_ne!(set(s.ring(5, 1)), set(s.ring(5, 2)));
    }

    #[test]
    fn long_rings_of_a_node_fit_together_into_its_share_of_a_cache() {
        for (ranks, kib) in [(1, 2048), (2, 2048), (3, 2048), (4, 1024), (6, 512), (8, 256)] {
            let s = SegmentLayout::for_ranks(ranks);
            assert_eq!(s.ring_payload_lines() * CACHE_LINE, kib << 10, "{ranks} ranks");
            assert!(s.ring_short_lines() <= s.ring_payload_lines());
            assert!(ranks * (ranks - 1) * (kib << 10) <= 16 << 20);
        }
    }

    #[test]
    fn a_large_node_stays_within_its_budget_of_address_space() {
        let rings = SegmentLayout::for_ranks(128).bounce_buffer(0, 0);
        assert!(rings < 80 << 20, "{rings}");
        for ranks in [8, 32] {
            let s = SegmentLayout::for_ranks(ranks);
            let others = s.bytes() - s.area(ranks, 0);
            assert!(others < 400 << 20, "{others} for VCIs of {ranks} ranks");
        }
    }
}
