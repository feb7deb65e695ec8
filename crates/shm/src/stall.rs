//! What a rank waits for, published for whoever watches the node: the launcher reads it without the
//! rank's help. A sequence lock: one writer, any number of readers, no blocking on either side.

use crate::sync::{AtomicU32, AtomicU64, Ordering, fence, spin_hint};

/// Longest function name kept, in bytes (`MPI_Neighbor_allgatherv_init_c` has 30).
const FUNCTION_BYTES: usize = 40;
/// Longest communicator name kept, in bytes; longer ones are cut.
const COMM_BYTES: usize = 40;
const WORDS: usize = (FUNCTION_BYTES + COMM_BYTES + 32) / 8;
/// How often a reader tries before it believes that the writer died in the middle of a write.
const READ_TRIES: usize = 1000;

/// One long wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stall {
    /// The MPI function, e.g. `MPI_Recv`.
    pub function: String,
    /// The communicator's name.
    pub comm: String,
    /// Rank in `MPI_COMM_WORLD` of the process waited for; `None` for any process or for many.
    pub peer: Option<u32>,
    /// The tag, or `None` where a wait has none (any tag, a collective).
    pub tag: Option<i32>,
    /// Rank in `MPI_COMM_WORLD` of the process that holds the lock of a window which is awaited, as
    /// far as it has said so.
    pub holder: Option<u32>,
    /// The number that a window has in all processes, where `peer` may know who holds its lock
    /// (`awaited_locks.rs`).
    pub lock: Option<u64>,
    /// When the wait began: nanoseconds of `CLOCK_MONOTONIC`.
    pub since_ns: u64,
}

/// The place in a rank's block where it publishes its wait. All zero means: not waiting.
#[repr(C)]
#[derive(Debug)]
pub struct StallCell {
    /// Odd while the writer is at work.
    version: AtomicU32,
    waiting: AtomicU32,
    words: [AtomicU64; WORDS],
}

impl Default for StallCell {
    fn default() -> Self {
        StallCell {
            version: AtomicU32::new(0),
            waiting: AtomicU32::new(0),
            words: std::array::from_fn(|_| AtomicU64::new(0)),
        }
    }
}

impl StallCell {
    /// Publishes a wait, or with `None` its end. Only the owning rank may call this.
    pub fn publish(&self, stall: Option<&Stall>) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version.wrapping_add(1), Ordering::Relaxed);
        // Keeps the odd version before the words; pairs with the acquire fence in `read`.
        fence(Ordering::Release);
        self.waiting.store(stall.is_some().into(), Ordering::Relaxed);
        if let Some(stall) = stall {
            for (word, value) in self.words.iter().zip(encode(stall)) {
                word.store(value, Ordering::Relaxed);
            }
        }
        // Release: a reader that sees the even version sees the words; pairs with the acquire load.
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }

    /// The wait in progress, if there is one and it can be read in one piece.
    pub fn read(&self) -> Option<Stall> {
        for _ in 0..READ_TRIES {
            // Acquire: pairs with the release store that ends `publish`.
            let before = self.version.load(Ordering::Acquire);
            let waiting = self.waiting.load(Ordering::Relaxed) != 0;
            let words: [u64; WORDS] =
                std::array::from_fn(|i| self.words[i].load(Ordering::Relaxed));
            // Keeps the words before the second read of the version; pairs with the release fence.
            fence(Ordering::Acquire);
            if before % 2 == 0 && before == self.version.load(Ordering::Relaxed) {
                return waiting.then(|| decode(&words));
            }
            spin_hint();
        }
        None
    }
}

fn encode(stall: &Stall) -> [u64; WORDS] {
    let mut bytes = [0u8; WORDS * 8];
    put_text(&mut bytes[..FUNCTION_BYTES], &stall.function);
    put_text(&mut bytes[FUNCTION_BYTES..FUNCTION_BYTES + COMM_BYTES], &stall.comm);
    let numbers = &mut bytes[FUNCTION_BYTES + COMM_BYTES..];
    let peer = stall.peer.map_or(-1, |p| p as i32);
    numbers[..4].copy_from_slice(&peer.to_le_bytes());
    numbers[4..8].copy_from_slice(&stall.tag.unwrap_or(-1).to_le_bytes());
    numbers[8..16].copy_from_slice(&stall.since_ns.to_le_bytes());
    let holder = stall.holder.map_or(-1, i64::from);
    numbers[16..24].copy_from_slice(&holder.to_le_bytes());
    numbers[24..].copy_from_slice(&stall.lock.unwrap_or(0).to_le_bytes());
    std::array::from_fn(|i| u64::from_le_bytes(bytes[i * 8..i * 8 + 8].try_into().unwrap()))
}

fn decode(words: &[u64; WORDS]) -> Stall {
    let mut bytes = [0u8; WORDS * 8];
    for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    let numbers = &bytes[FUNCTION_BYTES + COMM_BYTES..];
    let int = |at: usize| i32::from_le_bytes(numbers[at..at + 4].try_into().unwrap());
    Stall {
        function: get_text(&bytes[..FUNCTION_BYTES]),
        comm: get_text(&bytes[FUNCTION_BYTES..FUNCTION_BYTES + COMM_BYTES]),
        peer: u32::try_from(int(0)).ok(),
        tag: (int(4) >= 0).then_some(int(4)),
        since_ns: u64::from_le_bytes(numbers[8..16].try_into().unwrap()),
        holder: u32::try_from(i64::from_le_bytes(numbers[16..24].try_into().unwrap())).ok(),
        lock: Some(u64::from_le_bytes(numbers[24..].try_into().unwrap())).filter(|lock| *lock != 0),
    }
}

fn put_text(to: &mut [u8], text: &str) {
    let n = text.len().min(to.len());
    to[..n].copy_from_slice(&text.as_bytes()[..n]);
}

fn get_text(from: &[u8]) -> String {
    let end = from.iter().position(|&b| b == 0).unwrap_or(from.len());
    String::from_utf8_lossy(&from[..end]).into_owned()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn a_stall() -> Stall {
        Stall {
            function: "MPI_Recv".into(),
            comm: "MPI_COMM_WORLD".into(),
            peer: Some(3),
            tag: Some(7),
            holder: Some(0),
            lock: Some(9),
            since_ns: 12,
        }
    }

    #[test]
    fn what_is_published_is_read() {
        let cell = StallCell::default();
        assert_eq!(cell.read(), None);
        cell.publish(Some(&a_stall()));
        assert_eq!(cell.read(), Some(a_stall()));
        cell.publish(None);
        assert_eq!(cell.read(), None);
    }

    #[test]
    fn wildcards_are_kept_apart_from_numbers() {
        let cell = StallCell::default();
        let any = Stall { peer: None, tag: None, holder: None, ..a_stall() };
        cell.publish(Some(&any));
        assert_eq!(cell.read(), Some(any));
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;

    /// A reader sees one whole record or none, never halves of two.
    #[test]
    fn a_reader_never_sees_a_torn_record() {
        loom::model(|| {
            let cell = loom::sync::Arc::new(TwoWords::default());
            let writer = cell.clone();
            let t = loom::thread::spawn(move || writer.publish(1));
            if let Some((a, b)) = cell.read_once() {
                assert_eq!(a, b);
            }
            t.join().unwrap();
        });
    }

    /// The same protocol over two words: loom cannot explore fourteen.
    #[derive(Default)]
    struct TwoWords {
        version: AtomicU32,
        words: [AtomicU64; 2],
    }

    impl TwoWords {
        fn publish(&self, value: u64) {
            self.version.store(1, Ordering::Relaxed);
            fence(Ordering::Release);
            self.words[0].store(value, Ordering::Relaxed);
            self.words[1].store(value, Ordering::Relaxed);
            self.version.store(2, Ordering::Release);
        }

        fn read_once(&self) -> Option<(u64, u64)> {
            let before = self.version.load(Ordering::Acquire);
            let a = self.words[0].load(Ordering::Relaxed);
            let b = self.words[1].load(Ordering::Relaxed);
            fence(Ordering::Acquire);
            let after = self.version.load(Ordering::Relaxed);
            (before == after && before % 2 == 0).then_some((a, b))
        }
    }
}
