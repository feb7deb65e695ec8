//! What executors over shared memory decide by size alone: what is copied in, what is exposed, and
//! in what portions. The engine and the simulator share these rules.

use crate::Slice;
use std::ops::Range;

/// Up to this size copy-in costs less than a peer's single copy.
const CICO_STEP_BYTES_MAX: usize = 2 << 10;
/// Up to this size a rank that copies what several others have copied in is faster than one that
/// makes a single copy from each.
const COPY_IN_BYTES_MAX: usize = 32 << 10;
/// The same with one other rank, where the kernel copies fast: its call takes no longer.
const PAIR_COPY_IN_BYTES_MAX: usize = 4 << 10;
/// Up to this size a message is faster than a single copy that the kernel makes slowly. A gatherv
/// of 256 KiB by 8 ranks on 2 cores takes 127 us by single copies and 73 by messages, of 1 MiB 338
/// and 419.
const SENT_BYTES_MAX: usize = 256 << 10;
/// Bytes per single copy where the data is reduced: they stay in the cache, and are worth a system
/// call. An allreduce of 1 MiB by 8, 4 and 2 ranks on 2 cores takes 990,
/// 440 and 117 us in chunks of 32 KiB, 830, 340 and 86 of 128; longer ones gain nothing more.
pub const CHUNK_BYTES: usize = 128 << 10;
/// Bytes per pipeline stage of a long vector: the stages of 8 ranks stay in the caches of two
/// cores, and every stage costs each rank a turn. An allreduce of 1 MiB by 8 ranks on 2 cores takes
/// 1.19 ms in chunks of 32 KiB, 0.97 of 64 KiB and 0.94 of 88 KiB.
pub const CICO_CHUNK_BYTES: usize = 64 << 10;

/// What a rank can copy in at one stage, of which each piece takes whole cache lines: one and a
/// half of the longest vectors that are copied in.
pub const STAGE_BYTES: usize = 96 << 10;
/// A cache line.
const LINE_BYTES: usize = 64;

/// Elements of so many bytes that a rank can copy in at one stage, in so many pieces.
#[inline]
pub fn stage_elements(element_bytes: usize, pieces: usize) -> usize {
    STAGE_BYTES.saturating_sub(pieces * LINE_BYTES) / element_bytes.max(1)
}

/// Whether copy-in is better than exposing so many bytes.
#[inline]
pub const fn better_copied_in(bytes: usize) -> bool {
    bytes <= CICO_STEP_BYTES_MAX
}

/// The same for data that one rank alone reads, where `members` ranks share memory, and the kernel
/// copies slowly or not. With two ranks, the other is not delayed.
#[inline]
pub const fn copies_in(bytes: usize, members: usize, slow_copy: bool) -> bool {
    let by_kernel = members <= 2 && !slow_copy;
    bytes <= if by_kernel { PAIR_COPY_IN_BYTES_MAX } else { COPY_IN_BYTES_MAX }
}

/// Whether so many bytes, which are too many to be copied in, are better sent than read by a single
/// copy: between two ranks, since sender and receiver of a message copy at the same time; among
/// more, where the kernel copies slowly, up to a size, beyond which all read at the same time.
#[inline]
pub const fn better_sent(bytes: usize, members: usize, slow_copy: bool) -> bool {
    !copies_in(bytes, members, slow_copy) && (members <= 2 || bytes <= SENT_BYTES_MAX)
}

/// How many slices, of which a stage has `per_stage`, so many bytes are cut into.
#[inline]
pub fn slices(bytes: usize, per_stage: usize) -> usize {
    bytes.div_ceil(CICO_CHUNK_BYTES / per_stage)
}

/// Where a slice of so many bytes lies.
#[inline]
pub fn slice_of(bytes: usize, Slice { number, per_stage }: Slice) -> Range<usize> {
    let slice_bytes = CICO_CHUNK_BYTES / per_stage;
    let start = (number * slice_bytes).min(bytes);
    start..(start + slice_bytes).min(bytes)
}

/// Bytes read at a time where they are elements of `size` bytes.
#[inline]
pub fn chunk_bytes(size: usize) -> usize {
    (CHUNK_BYTES / size).max(1) * size
}
