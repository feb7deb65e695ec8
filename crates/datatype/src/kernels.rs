//! The inner loops of packing: many blocks of one length, at a fixed stride or at given
//! displacements. Short blocks have special loops that copy a block through a few registers instead
//! of calling memcpy.

use dunlin_copy::copy_slice;

use crate::memory::{Memory, MemoryMut};

/// The offset of the first of many blocks, and their stride.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockOffsets {
    pub at: i64,
    pub stride: i64,
}

impl BlockOffsets {
    fn of(self, block: usize) -> i64 {
        self.at + block as i64 * self.stride
    }
}

/// Longer blocks are copied by memcpy, which uses wider registers.
const SHORT_BYTES_MAX: usize = 64;
/// With fewer blocks, the division that cuts the stream into strides takes longer than the checks
/// that it saves.
const STRIDED_BLOCKS_MIN: usize = 16;
/// Irregular blocks that one iteration copies: counting an iteration takes as long as copying a
/// short block.
const UNROLLED: usize = 8;

/// Calls `$kernel::<N>` where one copy of a fixed length, or two that overlap, make the block.
macro_rules! by_length {
    ($len:expr, $kernel:ident, $args:tt, $general:expr) => {
        match $len {
            1 => $kernel::<1, false> $args,
            2 => $kernel::<2, false> $args,
            3 => $kernel::<2, true> $args,
            4 => $kernel::<4, false> $args,
            5..=7 => $kernel::<4, true> $args,
            8 => $kernel::<8, false> $args,
            9..=15 => $kernel::<8, true> $args,
            16 => $kernel::<16, false> $args,
            17..=31 => $kernel::<16, true> $args,
            32 => $kernel::<32, false> $args,
            33..=63 => $kernel::<32, true> $args,
            SHORT_BYTES_MAX => $kernel::<64, false> $args,
            _ => $general,
        }
    };
}

/// Copies a block of `to.len()` bytes: its first `N`, and if there are more, its last `N`.
#[inline(always)]
fn fixed<const N: usize, const TWICE: bool>(to: &mut [u8], from: &[u8]) {
    to[..N].copy_from_slice(&from[..N]);
    if TWICE {
        let second = to.len() - N;
        to[second..second + N].copy_from_slice(&from[second..second + N]);
    }
}

/// Blocks of one length in memory and in the stream. They do not overlap in the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks {
    pub memory: BlockOffsets,
    pub stream: BlockOffsets,
    pub len: usize,
    pub count: usize,
}

impl Blocks {
    /// Whether cutting the stream into strides pays off.
    fn are_many(&self) -> bool {
        self.count >= STRIDED_BLOCKS_MIN
    }

    /// The stream from the start of the first block to the start of the last.
    fn range(&self) -> std::ops::Range<usize> {
        self.stream.at as usize..self.stream.of(self.count - 1) as usize
    }

    /// The range of a block in the stream.
    fn at(&self, block: usize) -> std::ops::Range<usize> {
        let at = self.stream.of(block) as usize;
        at..at + self.len
    }
}

/// Copies blocks to the stream.
pub(crate) fn pack_blocks<M: Memory>(to: &mut [u8], from: &M, b: Blocks) {
    if b.are_many() && b.len <= SHORT_BYTES_MAX {
        return by_length!(b.len, pack_strided, (to, from, b), ());
    }
    by_length!(b.len, pack_each, (to, from, b), {
        for i in 0..b.count {
            copy_slice(from.block(b.memory.of(i), b.len), &mut to[b.at(i)]);
        }
    });
}

fn pack_each<const N: usize, const TWICE: bool>(to: &mut [u8], from: &impl Memory, b: Blocks) {
    for i in 0..b.count {
        fixed::<N, TWICE>(&mut to[b.at(i)], from.block(b.memory.of(i), b.len));
    }
}

/// Goes through whole strides of the stream, so that the compiler sees that no block leaves its
/// stride.
fn pack_strided<const N: usize, const TWICE: bool>(to: &mut [u8], from: &impl Memory, b: Blocks) {
    let (stride, last) = (b.stream.stride as usize, b.count - 1);
    assert!(stride >= b.len && b.len >= N, "blocks of the stream do not overlap");
    for (to, i) in to[b.range()].chunks_exact_mut(stride).zip(0..last) {
        fixed::<N, TWICE>(&mut to[..b.len], from.block(b.memory.of(i), b.len));
    }
    fixed::<N, TWICE>(&mut to[b.at(last)], from.block(b.memory.of(last), b.len));
}

/// Copies blocks from the stream, in order: where they overlap in memory, the last one remains.
pub(crate) fn unpack_blocks<M: MemoryMut>(to: &mut M, from: &[u8], b: Blocks) {
    if b.are_many() && b.len <= SHORT_BYTES_MAX {
        return by_length!(b.len, unpack_strided, (to, from, b), ());
    }
    by_length!(b.len, unpack_each, (to, from, b), {
        for i in 0..b.count {
            copy_slice(&from[b.at(i)], to.block_mut(b.memory.of(i), b.len));
        }
    });
}

fn unpack_each<const N: usize, const TWICE: bool>(to: &mut impl MemoryMut, from: &[u8], b: Blocks) {
    let mut to = to.local();
    for i in 0..b.count {
        fixed::<N, TWICE>(to.block_mut(b.memory.of(i), b.len), &from[b.at(i)]);
    }
}

fn unpack_strided<const N: usize, const TWICE: bool>(
    to: &mut impl MemoryMut,
    from: &[u8],
    b: Blocks,
) {
    let mut to = to.local();
    let stride = b.stream.stride as usize;
    assert!(stride >= b.len && b.len >= N, "blocks of the stream do not overlap");
    // Unrolled by four: the compiler's own loop takes 1.2 to 1.5 times as long.
    let groups = (b.count - 1) / 4;
    for (from, i) in from[b.range()].chunks_exact(4 * stride).zip(0..groups) {
        let at = b.memory.of(4 * i);
        for (from, j) in four(from, stride).into_iter().zip(0..) {
            let to = to.block_mut(at + j * b.memory.stride, b.len);
            fixed::<N, TWICE>(to, &from[..b.len]);
        }
    }
    for i in 4 * groups..b.count {
        fixed::<N, TWICE>(to.block_mut(b.memory.of(i), b.len), &from[b.at(i)]);
    }
}

/// Splits off four strides.
#[inline(always)]
fn four(from: &[u8], stride: usize) -> [&[u8]; 4] {
    let (first, from) = from.split_at(stride);
    let (second, from) = from.split_at(stride);
    let (third, fourth) = from.split_at(stride);
    [first, second, third, fourth]
}

/// Copies blocks of `len` bytes at `at` plus each of `displs`, one after another, to all of `to`.
pub(crate) fn gather<M: Memory>(to: &mut [u8], from: &M, at: i64, displs: &[u32], len: usize) {
    by_length!(len, gather_short, (to, from, at, displs, len), {
        for (to, displ) in to.chunks_exact_mut(len).zip(displs) {
            copy_slice(from.block(at + i64::from(*displ), len), to);
        }
    });
}

fn gather_short<const N: usize, const TWICE: bool>(
    to: &mut [u8],
    from: &impl Memory,
    at: i64,
    displs: &[u32],
    len: usize,
) {
    let len = if TWICE { len } else { N };
    let mut tos = to.chunks_exact_mut(UNROLLED * len);
    let mut several = displs.chunks_exact(UNROLLED);
    for (to, displs) in (&mut tos).zip(&mut several) {
        for (i, displ) in displs.iter().enumerate() {
            let from = from.block(at + i64::from(*displ), len);
            fixed::<N, TWICE>(&mut to[i * len..(i + 1) * len], from);
        }
    }
    for (to, displ) in tos.into_remainder().chunks_exact_mut(len).zip(several.remainder()) {
        fixed::<N, TWICE>(to, from.block(at + i64::from(*displ), len));
    }
}

/// The inverse of [`gather`].
pub(crate) fn scatter<M: MemoryMut>(to: &mut M, from: &[u8], at: i64, displs: &[u32], len: usize) {
    by_length!(len, scatter_short, (to, from, at, displs, len), {
        for (from, displ) in from.chunks_exact(len).zip(displs) {
            copy_slice(from, to.block_mut(at + i64::from(*displ), len));
        }
    });
}

fn scatter_short<const N: usize, const TWICE: bool>(
    to: &mut impl MemoryMut,
    from: &[u8],
    at: i64,
    displs: &[u32],
    len: usize,
) {
    let mut to = to.local();
    let len = if TWICE { len } else { N };
    let (froms, several) = (from.chunks_exact(UNROLLED * len), displs.chunks_exact(UNROLLED));
    let rest = froms.remainder().chunks_exact(len).zip(several.remainder());
    for (from, displs) in froms.zip(several) {
        for (i, displ) in displs.iter().enumerate() {
            let to = to.block_mut(at + i64::from(*displ), len);
            fixed::<N, TWICE>(to, &from[i * len..(i + 1) * len]);
        }
    }
    for (from, displ) in rest {
        fixed::<N, TWICE>(to.block_mut(at + i64::from(*displ), len), from);
    }
}
