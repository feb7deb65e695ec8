//! Whether memory into which a message goes is still in a cache: by its *reuse distance*, the bytes
//! of other messages that have come since it was last written. Where it is not, each line is read
//! before it is overwritten, and writes past the cache take half the time; where it is, they throw
//! it out. On a Zen 3 windows of 64 messages, each with memory of its own, through the cache and
//! past it, in GB/s: 128 KiB one way (8 MiB in turn) 18 and 14, both ways 8.3 and 11.4; 256 KiB 7.8
//! and 13.3; 1 MiB 6.4 and 10.5.

use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;

/// Memory is looked at in blocks of so many bytes, those of one fragment.
const BLOCK: usize = BOUNCE_BUFFER_DATA_BYTES;
/// Blocks in a row that have a slot each. Of two with the same slot, the later use counts for both:
/// the distance of the other is larger.
const SLOTS: usize = 1024;
/// So many bytes later memory has left the caches of two ranks: a good third of the 32 MiB that a
/// last-level cache of that processor has, of which other processes have some.
const CACHED_BYTES_OF_TWO: u64 = 12 << 20;
/// More ranks share no last-level cache on that processor.
const RANKS_MAX: usize = 8;

/// Bytes so far, of long messages.
#[derive(Debug, Clone, Copy, Default)]
struct Bytes {
    received: u64,
    sent: u64,
}

/// What one rank has received, and where.
#[derive(Debug)]
pub(crate) struct ReuseDistance {
    now: Bytes,
    /// When each slot was last written.
    written: Box<[Bytes]>,
    /// By which what this rank does is multiplied: others may do the same.
    pairs: f32,
}

impl ReuseDistance {
    /// Of a rank of a node with so many.
    pub fn new(ranks: usize) -> ReuseDistance {
        let pairs = ranks.clamp(2, RANKS_MAX) as f32 / 2.0;
        ReuseDistance {
            now: Bytes::default(),
            written: vec![Bytes::default(); SLOTS].into(),
            pairs,
        }
    }

    /// So many bytes leave.
    pub fn sends(&mut self, bytes: usize) {
        self.now.sent = self.now.sent.wrapping_add(bytes as u64);
    }

    /// So many bytes come to this address, up to a block: whether its memory has left the caches.
    pub fn receives(&mut self, address: usize, bytes: usize) -> bool {
        let last = &mut self.written[address / BLOCK % SLOTS];
        let received = self.now.received.wrapping_sub(last.received);
        // What this rank sends its peers write, to as much memory as this one has at most.
        let sent = self.now.sent.wrapping_sub(last.sent).min(received);
        self.now.received = self.now.received.wrapping_add(bytes as u64);
        *last = self.now;
        (received + sent) as f32 * self.pairs >= CACHED_BYTES_OF_TWO as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    /// Receives messages of so many bytes, each to its own memory, several times, and sends as many
    /// if `both_ways`: how many blocks had left the caches of all and of the last time.
    fn windows(ranks: usize, messages: usize, len: usize, both_ways: bool) -> (usize, usize) {
        let mut reuse = ReuseDistance::new(ranks);
        let mut had_left = (0, 0);
        for _ in 0..4 {
            had_left.1 = 0;
            for (message, at) in (0..messages).flat_map(|m| (0..len / BLOCK).map(move |b| (m, b))) {
                if both_ways {
                    reuse.sends(BLOCK);
                }
                had_left.1 +=
                    usize::from(reuse.receives(message * (len + 4096) + at * BLOCK, BLOCK));
            }
            had_left.0 += had_left.1;
        }
        had_left
    }

    #[test]
    fn memory_that_is_written_again_soon_is_in_the_caches() {
        assert_eq!(windows(2, 1, 4 * MIB, true), (0, 0));
        assert_eq!(windows(2, 64, MIB / 8, false), (0, 0));
        assert_eq!(windows(2, 64, MIB / 16, true), (0, 0));
    }

    #[test]
    fn memory_has_left_after_much_other() {
        // Not the first time: nothing says where it is then, until much has come.
        for (ranks, messages, len, both_ways) in [
            (2, 64, MIB / 4, false),
            (2, 64, MIB / 8, true),
            (2, 64, MIB, false),
            (2, 64, 3 * MIB / 8, false),
            (4, 64, MIB / 8, false),
            (100, 64, MIB / 16, false),
        ] {
            let blocks = messages * len / BLOCK;
            let (all, last) = windows(ranks, messages, len, both_ways);
            let expected = blocks - blocks / 8;
            assert!(last > expected, "{last} of {blocks}");
            assert!(all > 2 * blocks, "{all} of {}", 4 * blocks);
        }
    }
}
