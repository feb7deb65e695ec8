//! The inner loops of packing: many blocks of one length, a fixed stride apart. Short lengths get a
//! loop of their own in which a block is a few registers, not a call of memcpy.

/// Calls `$kernel::<N>` for the lengths that have a loop of their own, else `$general`.
macro_rules! by_length {
    ($len:expr, $kernel:ident, $args:tt, $general:expr) => {
        match $len {
            1 => $kernel::<1> $args,
            2 => $kernel::<2> $args,
            4 => $kernel::<4> $args,
            8 => $kernel::<8> $args,
            12 => $kernel::<12> $args,
            16 => $kernel::<16> $args,
            24 => $kernel::<24> $args,
            32 => $kernel::<32> $args,
            48 => $kernel::<48> $args,
            64 => $kernel::<64> $args,
            _ => $general,
        }
    };
}

/// Copies blocks of `len` bytes at `at`, `at + stride`, ... of `memory` behind one another to
/// `out`, whose length is a multiple of `len`.
pub(crate) fn gather(memory: &[u8], at: i64, stride: i64, len: usize, out: &mut [u8]) {
    by_length!(len, gather_short, (memory, at, stride, out), {
        for (i, block) in out.chunks_exact_mut(len).enumerate() {
            let from = (at + i as i64 * stride) as usize;
            block.copy_from_slice(&memory[from..from + len]);
        }
    });
}

fn gather_short<const N: usize>(memory: &[u8], at: i64, stride: i64, out: &mut [u8]) {
    let out: &mut [[u8; N]] = bytemuck::cast_slice_mut(out);
    let Some((last, most)) = out.split_last_mut() else { return };
    let end = (at + most.len() as i64 * stride) as usize;
    last.copy_from_slice(&memory[end..end + N]);
    if stride >= N as i64 {
        // Whole strides: the compiler sees that every block lies within its chunk.
        let strides = memory[at as usize..end].chunks_exact(stride as usize);
        for (block, from) in most.iter_mut().zip(strides) {
            block.copy_from_slice(&from[..N]);
        }
    } else {
        for (i, block) in most.iter_mut().enumerate() {
            let from = (at + i as i64 * stride) as usize;
            block.copy_from_slice(&memory[from..from + N]);
        }
    }
}

/// The mirror of [`gather`]. Where blocks overlap, the last one stays.
pub(crate) fn scatter(memory: &mut [u8], at: i64, stride: i64, len: usize, input: &[u8]) {
    by_length!(len, scatter_short, (memory, at, stride, input), {
        for (i, block) in input.chunks_exact(len).enumerate() {
            let to = (at + i as i64 * stride) as usize;
            memory[to..to + len].copy_from_slice(block);
        }
    });
}

fn scatter_short<const N: usize>(memory: &mut [u8], at: i64, stride: i64, input: &[u8]) {
    let input: &[[u8; N]] = bytemuck::cast_slice(input);
    let Some((last, most)) = input.split_last() else { return };
    let end = (at + most.len() as i64 * stride) as usize;
    if stride >= N as i64 {
        let strides = memory[at as usize..end].chunks_exact_mut(stride as usize);
        for (block, to) in most.iter().zip(strides) {
            to[..N].copy_from_slice(block);
        }
    } else {
        for (i, block) in most.iter().enumerate() {
            let to = (at + i as i64 * stride) as usize;
            memory[to..to + N].copy_from_slice(block);
        }
    }
    memory[end..end + N].copy_from_slice(last);
}
