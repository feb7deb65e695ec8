//! Up to which length messages are eager in one packet, by what single copy costs (`DUNLIN_CMA`).

use dunlin_base::single_copy::SingleCopy;
use dunlin_shm::cell::PACKET_BYTES_MAX;
use dunlin_shm::fast_box::FAST_BOX_BYTES;

/// The longest such message where single copy is slow or off, by the ring. Half round trips on the
/// EPYC named at `cma::is_slow`, eager and by single copy, in us: 8 KB 0.58 and 2.3, 16 KB 0.81 and
/// 2.7, 48 KB
/// 1.9 and 3.5.
const EAGER_BYTES_MAX: usize = 48 << 10;
const _: () = assert!(EAGER_BYTES_MAX <= PACKET_BYTES_MAX);
/// The same where it is fast: 8 KB take 1.45 us eager and 1.35 by single copy on the Xeon there.
const EAGER_BYTES_MAX_FAST: usize = 6 << 10;
const _: () = assert!(EAGER_BYTES_MAX_FAST <= FAST_BOX_BYTES);
/// Packets for which a ring has room, so that a long packet does not wait for the one before.
const PACKETS_MIN: usize = 3;

/// Whether what is long goes round in more memory than a core's cache has, while no ranks share
/// cores: on AMD's processors. They are those whose kernel copies slowly; where it does not copy at
/// all, as in many containers, the processor itself tells.
pub(crate) fn goes_round(single_copy: SingleCopy) -> bool {
    match single_copy {
        SingleCopy::Long => true,
        SingleCopy::Off => dunlin_copy::has_slow_copies(),
        SingleCopy::Together | SingleCopy::Receiver => false,
    }
}

/// Bytes of the longest such message, with rings of `ring_bytes`. Where messages go round in many
/// bounce buffers (`fragments.rs`), these take longer ones.
pub(crate) fn eager_bytes_max(single_copy: SingleCopy, ring_bytes: usize, is_wide: bool) -> usize {
    let fast = EAGER_BYTES_MAX_FAST.min(ring_bytes);
    match single_copy {
        _ if is_wide => fast,
        SingleCopy::Together | SingleCopy::Receiver => fast,
        SingleCopy::Long | SingleCopy::Off => {
            EAGER_BYTES_MAX.min(ring_bytes / PACKETS_MIN).max(fast)
        }
    }
}
