//! Where things lie in the segment of a node. Every process of a job computes the same offsets from
//! the same [`Shape`], so no pointer is ever exchanged.
//!
//! ```text
//! header | words | blocks | rings[receiver][sender] | claims[rank] | slabs[rank] | places[rank]
//! ```
//! Only touched pages cost memory: the segment is sparse.

use crate::board::PlaceMemory;
use crate::letterbox::LETTER_LINES;

/// A cache line, on both of our architectures.
pub const LINE: usize = 64;
/// Pages are this large, or a multiple of it.
pub const PAGE: usize = 4096;
/// The most ranks one node may have.
pub const RANKS_MAX: usize = 1024;
/// Bytes the header owns.
pub const HEADER_BYTES: usize = PAGE;
/// Bytes a rank's block owns.
pub const BLOCK_BYTES: usize = 1024;
/// Bytes of one slab: a fragment of a message that can neither travel inline nor by single copy.
pub const SLAB_BYTES: usize = 32 * 1024;
/// Slabs of one rank: enough that sender and receiver both work, few enough to stay in the cache.
pub const SLABS_PER_RANK: usize = 16;

/// Messages of one rank that it and their receivers may copy together at a time: more than a usual
/// window of sends in flight. Beyond them, receivers copy alone.
pub const CLAIMS_PER_RANK: usize = 128;

/// Places of one rank: communicators in which it can show data at the same time. Those beyond do
/// with messages.
pub const PLACES_PER_RANK: usize = 16;

/// What the rings of a node are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RingShape {
    /// Small packets on their way, a power of two.
    lines: usize,
    /// Room for the payloads of larger ones, a power of two.
    blocks: usize,
    /// Whether the pairs have letterboxes.
    letterboxes: bool,
}

/// While few ranks share a node: twice a window of 64 messages, and 16 of 4 KB, so that who writes
/// is not at the heels of who reads. In a stream of 4 KB messages one takes 480 ns with these 1,024
/// blocks, 600 with 512, 625 with 256; 450 with 2,048. 78 KB a pair.
const FEW_RANKS_RING: RingShape = RingShape { lines: 128, blocks: 1024, letterboxes: true };
/// When many do: 4 KB a pair, 65 MB of address space at 128 ranks.
const MANY_RANKS_RING: RingShape = RingShape { lines: 32, blocks: 32, letterboxes: false };
/// Up to here ranks count as few (32 x 32 pairs of 78 KB = 80 MB of address space).
const FEW_RANKS: usize = 32;

/// What decides the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Ranks on this node.
    pub ranks: usize,
    ring: RingShape,
}

impl Shape {
    /// The layout of a node with `ranks` ranks.
    pub const fn for_ranks(ranks: usize) -> Shape {
        Shape { ranks, ring: if ranks <= FEW_RANKS { FEW_RANKS_RING } else { MANY_RANKS_RING } }
    }

    /// Lines of each ring.
    pub const fn ring_lines(&self) -> usize {
        self.ring.lines
    }

    /// Blocks of each ring.
    pub const fn ring_blocks(&self) -> usize {
        self.ring.blocks
    }

    /// Whether pairs have letterboxes.
    pub const fn letterboxes(&self) -> bool {
        self.ring.letterboxes
    }

    /// Offset of the words that say which process is which rank. They stay when the rest is cleared
    /// for the job's next step.
    pub const fn steps(&self) -> usize {
        HEADER_BYTES
    }

    /// Offset of the block of `rank`.
    pub const fn block(&self, rank: usize) -> usize {
        let words = (self.ranks * size_of::<u64>()).next_multiple_of(PAGE);
        self.steps() + words + rank * BLOCK_BYTES
    }

    /// Bytes from one ring to the next: its lines and blocks, a line in which the consumer returns
    /// credits, and the pair's letterbox if it has one. The number of lines is odd, so that the
    /// heads of neighbouring rings lie in different cache sets.
    pub const fn ring_stride(&self) -> usize {
        let letterbox = if self.ring.letterboxes { LETTER_LINES } else { 0 };
        ((self.ring.lines + self.ring.blocks + 1 + letterbox) | 1) * LINE
    }

    /// Offset of the blocks of a ring.
    pub const fn blocks(&self, receiver: usize, sender: usize) -> usize {
        self.ring(receiver, sender) + self.ring.lines * LINE
    }

    /// Offset of the line in which the consumer of a ring returns credits.
    pub const fn credit(&self, receiver: usize, sender: usize) -> usize {
        self.blocks(receiver, sender) + self.ring.blocks * LINE
    }

    /// Offset of the letterbox of two ranks.
    pub const fn letterbox(&self, a: usize, b: usize) -> usize {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        self.credit(low, high) + LINE
    }

    /// Offset of the ring that `sender` writes and `receiver` reads. The rings of one receiver lie
    /// side by side, because it is the receiver that scans.
    pub const fn ring(&self, receiver: usize, sender: usize) -> usize {
        self.rings() + (receiver * self.ranks + sender) * self.ring_stride()
    }

    const fn rings(&self) -> usize {
        (self.block(self.ranks)).next_multiple_of(PAGE)
    }

    /// Offset of the claims of message `number` among those that `rank` has offered.
    pub const fn claims(&self, rank: usize, number: usize) -> usize {
        self.ring(self.ranks, 0).next_multiple_of(PAGE) + (rank * CLAIMS_PER_RANK + number) * LINE
    }

    const fn slabs(&self) -> usize {
        self.claims(self.ranks, 0).next_multiple_of(PAGE)
    }

    /// Offset of slab `slab` of `rank`, which that rank fills.
    pub const fn slab(&self, rank: usize, slab: usize) -> usize {
        self.slabs() + (rank * SLABS_PER_RANK + slab) * SLAB_BYTES
    }

    /// Offset of place `place` of `rank`, where it shows data to the ranks of a communicator.
    pub const fn place(&self, rank: usize, place: usize) -> usize {
        self.slab(self.ranks, 0) + (rank * PLACES_PER_RANK + place) * size_of::<PlaceMemory>()
    }

    /// Bytes of the whole segment.
    pub const fn bytes(&self) -> usize {
        self.place(self.ranks, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other_without_overlap() {
        for ranks in [1, 2, 3, 32, 33, 128, RANKS_MAX] {
            let s = Shape::for_ranks(ranks);
            assert!(s.steps() + ranks * size_of::<u64>() <= s.block(0));
            assert!(s.block(ranks) <= s.ring(0, 0));
            assert_eq!(s.ring(0, 0) % LINE, 0);
            assert!(s.ring(ranks - 1, ranks - 1) + s.ring_stride() <= s.claims(0, 0));
            assert!(s.claims(ranks - 1, CLAIMS_PER_RANK - 1) + LINE <= s.slab(0, 0));
            assert_eq!(s.slab(0, 0) % PAGE, 0);
            assert_eq!(s.slab(ranks - 1, SLABS_PER_RANK - 1) + SLAB_BYTES, s.place(0, 0));
            assert_eq!(s.place(0, 0) % LINE, 0);
            assert_eq!(s.place(ranks, 0), s.bytes());
        }
    }

    #[test]
    fn neighbouring_rings_start_in_different_cache_sets() {
        let s = Shape::for_ranks(128);
        let set = |offset: usize| offset / LINE % 64;
        assert_ne!(set(s.ring(5, 1)), set(s.ring(5, 2)));
    }

    #[test]
    fn a_large_node_stays_within_its_budget_of_address_space() {
        let rings = Shape::for_ranks(128).slab(0, 0);
        assert!(rings < 80 << 20, "{rings}");
    }
}
