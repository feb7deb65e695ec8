//! The inner loops of packing: many blocks of one length, a fixed distance apart on both sides. One
//! loop serves both directions: packing copies from far places to near ones, unpacking back. Short
//! blocks have loops of their own in which a block is a few registers, not a call of memcpy.

/// Where the first of many blocks begins in a slice, and how far the next ones are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockOffsets {
    pub at: i64,
    pub stride: i64,
}

impl BlockOffsets {
    fn of(self, block: usize) -> usize {
        (self.at + block as i64 * self.stride) as usize
    }
}

/// Longer blocks are left to memcpy, which has wider registers.
const SHORT_BYTES_MAX: usize = 64;
/// With fewer blocks the divisions by which a slice is cut into strides take longer than the checks
/// that they save.
const STRIDED_BLOCKS_MIN: usize = 16;
/// Blocks at irregular places that one turn of a loop copies: to count the turns takes as long as
/// the copy of a short block.
const UNROLLED: usize = 8;

/// Calls `$kernel::<N>` where one copy of a fixed length makes the block, or two that overlap.
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

/// Copies a block of `to.len()` bytes: its first `N`, and if there are more its last `N`.
#[inline(always)]
fn fixed<const N: usize, const TWICE: bool>(to: &mut [u8], from: &[u8]) {
    to[..N].copy_from_slice(&from[..N]);
    if TWICE {
        let second = to.len() - N;
        to[second..second + N].copy_from_slice(&from[second..second + N]);
    }
}

/// Where blocks of one length stand on both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks {
    pub to: BlockOffsets,
    pub from: BlockOffsets,
    pub len: usize,
    pub count: usize,
}

/// Copies blocks, the first one first: where they overlap, the last one stays.
pub(crate) fn copy_blocks(to: &mut [u8], from: &[u8], b: Blocks) {
    let least = b.to.stride.min(b.from.stride);
    if b.count >= STRIDED_BLOCKS_MIN && least >= b.len as i64 && b.len <= SHORT_BYTES_MAX {
        return by_length!(b.len, strided, (to, from, b), ());
    }
    by_length!(b.len, each, (to, from, b), {
        for i in 0..b.count {
            let (t, f) = (b.to.of(i), b.from.of(i));
            to[t..t + b.len].copy_from_slice(&from[f..f + b.len]);
        }
    });
}

/// Whole strides: the compiler sees that every block lies within its own.
fn strided<const N: usize, const TWICE: bool>(to: &mut [u8], from: &[u8], b: Blocks) {
    let (to_last, from_last, len) = (b.to.of(b.count - 1), b.from.of(b.count - 1), b.len);
    let (to_stride, from_stride) = (b.to.stride as usize, b.from.stride as usize);
    assert!(to_stride >= len && from_stride >= len && len >= N, "blocks do not overlap");
    let tos = to[b.to.at as usize..to_last].chunks_exact_mut(to_stride);
    let froms = from[b.from.at as usize..from_last].chunks_exact(from_stride);
    for (t, f) in tos.zip(froms) {
        fixed::<N, TWICE>(&mut t[..len], &f[..len]);
    }
    fixed::<N, TWICE>(&mut to[to_last..to_last + len], &from[from_last..from_last + len]);
}

fn each<const N: usize, const TWICE: bool>(to: &mut [u8], from: &[u8], b: Blocks) {
    for i in 0..b.count {
        let (t, f) = (b.to.of(i), b.from.of(i));
        fixed::<N, TWICE>(&mut to[t..t + b.len], &from[f..f + b.len]);
    }
}

/// Copies blocks of `len` bytes from `displs` in `from`, one behind the other, to all of `to`.
pub(crate) fn gather(to: &mut [u8], from: &[u8], displs: &[u32], len: usize) {
    by_length!(len, gather_short, (to, from, displs, len), {
        for (t, place) in to.chunks_exact_mut(len).zip(displs) {
            t.copy_from_slice(&from[*place as usize..*place as usize + len]);
        }
    });
}

fn gather_short<const N: usize, const TWICE: bool>(
    to: &mut [u8],
    from: &[u8],
    displs: &[u32],
    len: usize,
) {
    // Said once more, so that the loop of a block that is one copy has a constant in its place.
    let len = if TWICE { len } else { N };
    let mut tos = to.chunks_exact_mut(UNROLLED * len);
    let mut several = displs.chunks_exact(UNROLLED);
    for (to, displs) in (&mut tos).zip(&mut several) {
        for (i, place) in displs.iter().enumerate() {
            let from = &from[*place as usize..*place as usize + len];
            fixed::<N, TWICE>(&mut to[i * len..(i + 1) * len], from);
        }
    }
    for (to, place) in tos.into_remainder().chunks_exact_mut(len).zip(several.remainder()) {
        fixed::<N, TWICE>(to, &from[*place as usize..*place as usize + len]);
    }
}

/// The mirror of [`gather`].
pub(crate) fn scatter(to: &mut [u8], from: &[u8], displs: &[u32], len: usize) {
    by_length!(len, scatter_short, (to, from, displs, len), {
        for (f, place) in from.chunks_exact(len).zip(displs) {
            to[*place as usize..*place as usize + len].copy_from_slice(f);
        }
    });
}

fn scatter_short<const N: usize, const TWICE: bool>(
    to: &mut [u8],
    from: &[u8],
    displs: &[u32],
    len: usize,
) {
    let len = if TWICE { len } else { N };
    let (froms, several) = (from.chunks_exact(UNROLLED * len), displs.chunks_exact(UNROLLED));
    let rest = froms.remainder().chunks_exact(len).zip(several.remainder());
    for (from, displs) in froms.zip(several) {
        for (i, place) in displs.iter().enumerate() {
            let to = &mut to[*place as usize..*place as usize + len];
            fixed::<N, TWICE>(to, &from[i * len..(i + 1) * len]);
        }
    }
    for (from, place) in rest {
        fixed::<N, TWICE>(&mut to[*place as usize..*place as usize + len], from);
    }
}
