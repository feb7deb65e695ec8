//! Numbers that the ranks of a node tell one another about a window, each written by one rank
//! alone.

use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// What another rank tells the owner of this part, above all its calls that open or close epochs
/// on it.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct EpochCounters {
    posts: AtomicU32,
    completes: AtomicU32,
    maps: AtomicU32,
    /// The packets of operations that the other rank has sent to the owner.
    pub packets: PacketClaims,
}

impl EpochCounters {
    /// The other rank has called `MPI_Win_post` for the owner; `calls` is how often so far. The
    /// caller counts: to load the number here it would wait for the line from the owner, who polls.
    pub fn post(&self, calls: u32) {
        // Release: pairs with the acquire in `posts`.
        self.posts.store(calls, Ordering::Release);
    }

    /// Such calls so far. What came before them is seen.
    pub fn posts(&self) -> u32 {
        // Acquire: pairs with the release in `post`.
        self.posts.load(Ordering::Acquire)
    }

    /// The other rank has called `MPI_Win_complete` for epochs of the owner's; `calls` is how often
    /// so far.
    pub fn complete(&self, calls: u32) {
        // Release: pairs with the acquire in `completes`.
        self.completes.store(calls, Ordering::Release);
    }

    /// Such calls so far. What came before them is seen.
    pub fn completes(&self) -> u32 {
        // Acquire: pairs with the release in `complete`.
        self.completes.load(Ordering::Acquire)
    }

    /// The other rank has mapped the owner's heap.
    pub fn map(&self) {
        // Relaxed: nothing goes with it.
        self.maps.store(1, Ordering::Relaxed);
    }

    /// Whether it has.
    pub fn maps(&self) -> bool {
        self.maps.load(Ordering::Relaxed) != 0
    }
}

/// Who does what the packets of one origin say, which both sides number from 1 on: the owner of the
/// memory, unless the origin takes back what the owner has not begun, and does it itself.
#[derive(Debug, Default)]
pub struct PacketClaims {
    /// The last packet that is claimed, in the upper half, and the last that is done.
    state: AtomicU64,
    /// The last packet that came to the owner after it was taken back.
    skipped: AtomicU32,
}

impl PacketClaims {
    fn state(claimed: u32, done: u32) -> u64 {
        (u64::from(claimed) << u32::BITS) | u64::from(done)
    }

    /// Owner: begins with a packet, which follows the one it ended or skipped last; false if the
    /// origin has taken it back.
    #[inline]
    pub fn begin(&self, packet: u32) -> bool {
        let before = packet.wrapping_sub(1);
        let (idle, busy) = (Self::state(before, before), Self::state(packet, before));
        // Relaxed: the packet itself brings what it needs, and the origin takes back others only
        // if this fails.
        self.state.compare_exchange(idle, busy, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Owner: has done what it began.
    #[inline]
    pub fn end(&self, packet: u32) {
        // Release: pairs with the acquire in `take_back`.
        self.state.store(Self::state(packet, packet), Ordering::Release);
    }

    /// Owner: has thrown away a packet that was taken back.
    pub fn skip(&self, packet: u32) {
        // Relaxed: nothing goes with it.
        self.skipped.store(packet, Ordering::Relaxed);
    }

    /// The last packet that was skipped.
    pub fn skipped(&self) -> u32 {
        self.skipped.load(Ordering::Relaxed)
    }

    /// The last packet that is done. What it changed is seen.
    pub fn done(&self) -> u32 {
        // Acquire: pairs with the release in `end`.
        self.state.load(Ordering::Acquire) as u32
    }

    /// Origin: takes back all packets up to `last`, the last that it has sent, that have not been
    /// begun. They are those behind the number that this returns; what came before them is done,
    /// and seen. `None` if the owner is about one of them.
    pub fn take_back(&self, last: u32) -> Option<u32> {
        // Acquire: pairs with the release in `end`.
        let now = self.state.load(Ordering::Acquire);
        let done = now as u32;
        if now != Self::state(done, done) {
            return None;
        }
        let all = Self::state(last, last);
        // Relaxed: what came before is ordered by the load, and the owner only skips.
        let taken = self.state.compare_exchange(now, all, Ordering::Relaxed, Ordering::Relaxed);
        taken.is_ok().then_some(done)
    }
}

/// How often the owner has looked for operations of its node, which tells an origin whether it does
/// so now. While it does what it has found, the number is odd.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Polls(AtomicU32);

impl Polls {
    /// The owner looks, and has done what it had found before.
    #[inline]
    pub fn count(&self) {
        self.add(2 - self.so_far() % 2);
    }

    /// The owner has found something, and does it.
    #[inline]
    pub fn begin(&self) {
        self.add(1 - self.so_far() % 2);
    }

    fn add(&self, steps: u32) {
        // Relaxed, here and below: a hint of one writer; nothing goes with it.
        self.0.store(self.so_far().wrapping_add(steps), Ordering::Relaxed);
    }

    /// Two for each look so far.
    #[inline]
    pub fn so_far(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether the owner has looked since it was at `before`, or does what it has found.
    #[inline]
    pub fn goes_on(&self, before: u32) -> bool {
        let now = self.so_far();
        now != before || now % 2 == 1
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn packets_that_are_not_begun_can_be_taken_back() {
        let packets = PacketClaims::default();
        assert!(packets.begin(1));
        assert_eq!(packets.take_back(3), None, "the owner is about the first");
        packets.end(1);
        assert_eq!((packets.done(), packets.take_back(3)), (1, Some(1)));
        assert!(!packets.begin(2));
        packets.skip(2);
        assert!(!packets.begin(3));
        packets.skip(3);
        assert_eq!(packets.skipped(), 3);
        assert_eq!(packets.take_back(3), Some(3), "none");
        assert!(packets.begin(4));
    }

    #[test]
    fn numbers_of_packets_may_overflow() {
        let packets = PacketClaims::default();
        packets.end(u32::MAX);
        assert!(packets.begin(0));
        packets.end(0);
        assert_eq!(packets.take_back(1), Some(0));
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::sync::Shared as Cell;
    use loom::sync::Arc;

    const PACKETS: u32 = 2;

    fn add(number: &Cell<u32>) {
        // SAFETY: loom checks that nobody else is inside.
        number.with_mut(|number| unsafe { *number += 1 });
    }

    /// The same where the origin takes back again what it has sent since, while the owner still
    /// skips.
    #[test]
    fn packets_are_taken_back_again() {
        loom::model(|| {
            let all = Arc::new((PacketClaims::default(), Cell::new(0), AtomicU32::new(1)));
            let owner = all.clone();
            let owner = loom::thread::spawn(move || {
                let (claims, number, sent) = &*owner;
                let mut packet = 1;
                // Those that come later, it finds at the end.
                while packet <= sent.load(Ordering::Acquire) {
                    if claims.begin(packet) {
                        add(number);
                        claims.end(packet);
                    } else {
                        claims.skip(packet);
                    }
                    packet += 1;
                }
                packet
            });
            let (claims, number, sent) = &*all;
            let take_back = |last| {
                (claims.take_back(last).map_or(0..0, |done| done..last)).for_each(|_| add(number));
            };
            take_back(1);
            sent.store(PACKETS, Ordering::Release);
            take_back(PACKETS);
            for packet in owner.join().unwrap()..=PACKETS {
                match claims.begin(packet) {
                    true => add(number),
                    false => claims.skip(packet),
                }
                claims.end(packet);
            }
            // SAFETY: the other thread has ended.
            number.with(|number| assert_eq!(unsafe { *number }, PACKETS));
        });
    }

    /// The owner does packets, or skips them, while their origin takes back what it can: each is
    /// done once, and never two at a time.
    #[test]
    fn each_packet_is_done_once() {
        loom::model(|| {
            let both = Arc::new((PacketClaims::default(), Cell::new(0)));
            let owner = both.clone();
            let owner = loom::thread::spawn(move || {
                for packet in 1..=PACKETS {
                    if !owner.0.begin(packet) {
                        owner.0.skip(packet);
                        continue;
                    }
                    add(&owner.1);
                    owner.0.end(packet);
                }
            });
            let done = both.0.take_back(PACKETS);
            for _ in done.map_or(0..0, |done| done..PACKETS) {
                add(&both.1);
            }
            owner.join().unwrap();
            // SAFETY: the other thread has ended.
            both.1.with(|number| assert_eq!(unsafe { *number }, PACKETS));
            assert_eq!(both.0.done(), PACKETS);
        });
    }
}
