//! The inner loops of packing: many blocks of one length, a fixed distance apart on both sides. One
//! loop serves both directions: packing copies from far places to near ones, unpacking back. Short
//! blocks have loops of their own in which a block is a few registers, not a call of memcpy.

/// Where the first of many blocks begins in a slice, and how far the next ones are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    pub at: i64,
    pub stride: i64,
}

impl Places {
    fn of(self, block: usize) -> usize {
        (self.at + block as i64 * self.stride) as usize
    }
}

/// Longer blocks are left to memcpy, which has wider registers.
const SHORT_BYTES_MAX: usize = 64;
/// With fewer blocks the divisions by which a slice is cut into strides take longer than the checks
/// that they save.
const STRIDED_BLOCKS_MIN: usize = 16;

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

/// Copies `count` blocks of `len` bytes, the first one first: where blocks overlap, the last one
/// stays.
pub(crate) fn copy_blocks(
    to: &mut [u8],
    to_at: Places,
    from: &[u8],
    from_at: Places,
    len: usize,
    count: usize,
) {
    let least = to_at.stride.min(from_at.stride);
    if count >= STRIDED_BLOCKS_MIN && least >= len as i64 && len <= SHORT_BYTES_MAX {
        return by_length!(len, strided, (to, to_at, from, from_at, len, count), ());
    }
    copy_each(to, from, len, count, |i| (to_at.of(i), from_at.of(i)));
}

/// Whole strides: the compiler sees that every block lies within its own.
fn strided<const N: usize, const TWICE: bool>(
    to: &mut [u8],
    to_at: Places,
    from: &[u8],
    from_at: Places,
    len: usize,
    count: usize,
) {
    let (to_last, from_last) = (to_at.of(count - 1), from_at.of(count - 1));
    let (to_stride, from_stride) = (to_at.stride as usize, from_at.stride as usize);
    assert!(to_stride >= len && from_stride >= len && len >= N, "blocks do not overlap");
    let tos = to[to_at.at as usize..to_last].chunks_exact_mut(to_stride);
    let froms = from[from_at.at as usize..from_last].chunks_exact(from_stride);
    for (t, f) in tos.zip(froms) {
        fixed::<N, TWICE>(&mut t[..len], &f[..len]);
    }
    fixed::<N, TWICE>(&mut to[to_last..to_last + len], &from[from_last..from_last + len]);
}

/// Copies `count` blocks of `len` bytes; `places` says where each begins, in `to` and in `from`.
pub(crate) fn copy_each(
    to: &mut [u8],
    from: &[u8],
    len: usize,
    count: usize,
    places: impl Fn(usize) -> (usize, usize),
) {
    by_length!(len, each, (to, from, len, count, places), {
        for (t, f) in (0..count).map(places) {
            to[t..t + len].copy_from_slice(&from[f..f + len]);
        }
    });
}

fn each<const N: usize, const TWICE: bool>(
    to: &mut [u8],
    from: &[u8],
    len: usize,
    count: usize,
    places: impl Fn(usize) -> (usize, usize),
) {
    for (t, f) in (0..count).map(places) {
        fixed::<N, TWICE>(&mut to[t..t + len], &from[f..f + len]);
    }
}
