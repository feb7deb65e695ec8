//! When messages and collectives use single copy by the kernel (`DUNLIN_CMA`), and when two copies
//! through shared memory are faster.

use dunlin_base::settings::{CMA, Settings};
use dunlin_coll::select::CICO_BYTES_MAX;
use dunlin_shm::cell::PACKET_BYTES_MAX;
use dunlin_shm::cma;
use dunlin_shm::fast_box::FAST_BOX_BYTES;

/// The longest eager message where single copy is slow or off. Half round trips on the EPYC named
/// at `cma::is_slow`, eager and by single copy, in us: 8 KB 0.58 and 2.3, 16 KB 0.81 and 2.7, 48 KB
/// 1.9 and 3.5.
const EAGER_BYTES_MAX: usize = 48 << 10;
const _: () = assert!(EAGER_BYTES_MAX <= PACKET_BYTES_MAX);
/// The same where it is fast: 8 KB take 1.45 us eager and 1.35 by single copy on the Xeon there.
const EAGER_BYTES_MAX_FAST: usize = FAST_BOX_BYTES;

/// The choices of the setting; `auto` is measured.
pub(crate) const WORDS: [(&str, Option<SingleCopy>); 4] = [
    ("auto", None),
    ("on", Some(SingleCopy::Together)),
    ("receiver", Some(SingleCopy::Receiver)),
    ("off", Some(SingleCopy::Off)),
];

/// Packets for which a ring has room, so that a long packet does not wait for the one before.
const PACKETS_MIN: usize = 3;

/// Larger than anything: collectives never use single copy.
pub(crate) const NEVER: usize = usize::MAX;

/// What uses single copy, and which rank copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleCopy {
    /// Large messages, copied by receiver and sender together, and data of collectives.
    Together,
    /// The same, but the receiver alone copies messages.
    Receiver,
    /// The same as `Together`, but only long data: a call is slow.
    Long,
    /// No single copy: large messages go through bounce buffers.
    Off,
}

impl SingleCopy {
    /// The mode that the setting names; `auto` decides by the time that a call takes.
    pub fn of(settings: &Settings) -> SingleCopy {
        settings.choice(&CMA, &WORDS).unwrap_or_else(SingleCopy::measured)
    }

    fn measured() -> SingleCopy {
        match cma::is_slow() {
            Ok(false) => SingleCopy::Together,
            Ok(true) => SingleCopy::Long,
            Err(_) => SingleCopy::Off,
        }
    }

    /// Whether sender and receiver share the work of a large message.
    pub(crate) fn by_both(self) -> bool {
        matches!(self, SingleCopy::Together | SingleCopy::Long)
    }

    /// Bytes of the longest eager message, with rings of `ring_bytes`.
    pub(crate) fn eager_bytes_max(self, ring_bytes: usize) -> usize {
        let fast = EAGER_BYTES_MAX_FAST.min(ring_bytes);
        match self {
            SingleCopy::Together | SingleCopy::Receiver => fast,
            SingleCopy::Long | SingleCopy::Off => {
                EAGER_BYTES_MAX.min(ring_bytes / PACKETS_MIN).max(fast)
            }
        }
    }

    /// One-sided operations on memory that is not mapped use single copy from so many bytes on;
    /// shorter ones go as messages. Where a call takes 1.35 us, in us, by messages and by the
    /// kernel: a put of 1 KiB 0.36 and 1.4, of 64 KiB 9.2 and 4.9; an accumulate, which takes two
    /// calls, of 1 KiB 0.39 and 2.9, of 64 KiB ACC64 and 12.5, of 1 MiB ACC1M and 190.
    pub(crate) fn one_sided_bytes_min(self, accumulates: bool) -> usize {
        match self {
            SingleCopy::Together | SingleCopy::Receiver => 0,
            SingleCopy::Long if accumulates => NEVER,
            SingleCopy::Long => 4 << 10,
            SingleCopy::Off => NEVER,
        }
    }

    /// Collectives use single copy from so many bytes per rank on; [`NEVER`] if never. A slow call
    /// does not pay where copy-in takes all data at once.
    pub(crate) fn shared_bytes_min(self) -> usize {
        match self {
            SingleCopy::Together | SingleCopy::Receiver => 0,
            SingleCopy::Long => CICO_BYTES_MAX + 1,
            SingleCopy::Off => NEVER,
        }
    }
}
