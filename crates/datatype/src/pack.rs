//! Packing and unpacking: copies bytes between a layout in memory and a dense stream, from any byte
//! of the stream on. The walk over the layout is written once; a `Mover` defines the direction.

use dunlin_copy::copy_slice;

use crate::Datatype;
use crate::kernels::{BlockOffsets, Blocks, gather, pack_blocks, scatter, unpack_blocks};
use crate::layout::{Layout, Node, Run};
use crate::memory::{Memory, MemoryMut, WIDE_BYTES};

/// Elements with at most this many runs are moved run by run, for many elements at a time: each run
/// is a loop with fixed strides and no branch inside. (A flattened list has up to 16 times as many
/// runs as its parts had.)
const RUNS_MAX: usize = 64;
/// Bytes of memory in a tile, which is gone through once per run: the tile stays in the first-level
/// cache together with the stream made from it.
const TILE_BYTES: usize = 8 << 10;
/// The same where the caches do not hold the whole buffer. The processor then has to begin with the
/// next tile before it ends this one, or memory idles between tiles: 262,144 structures of 80 bytes
/// take 2.9 ms in tiles of 1 KiB, 3.7 of 2, 6.1 of 4 and 7.9 of 8.
const COLD_TILE_BYTES: usize = 1 << 10;
/// Buffers of this length exceed a core's share of the last-level cache. Below it, long tiles are
/// better: 65,536 structures of ten members (8 MiB) take 0.36 ms in tiles of 8 KiB, 0.62 of 1 KiB.
const COLD_BYTES_MIN: usize = 8 << 20;
/// Structures rarely span more memory than this per byte of data.
const GAPS_MAX: usize = 8;
/// With fewer elements in a tile, starting a loop costs more than the tile saves.
const TILE_ELEMENTS: usize = 8;
/// With fewer elements, moving them one by one is as fast.
const TILE_ELEMENTS_MIN: usize = 4;

/// Moves blocks between memory and a position in the stream, which it holds.
trait Mover {
    /// Bytes of memory in a tile.
    fn tile_bytes(&self) -> usize;
    /// The number of bytes of the stream still to be moved.
    fn remaining(&self) -> usize;
    /// Skips bytes of the stream.
    fn advance(&mut self, bytes: usize);
    /// Moves `len` bytes at memory offset `at`, and advances; `len <= remaining()`.
    fn block(&mut self, at: i64, len: usize);
    /// Moves blocks, whose offsets in the stream count from the position; does not advance.
    fn blocks(&mut self, blocks: Blocks);
    /// Moves blocks of `len` bytes at `at` plus each of `displs` in memory, and advances.
    fn placed(&mut self, at: i64, displs: &[u32], len: usize);
}

struct Packer<'a, M> {
    memory: &'a M,
    out: &'a mut [u8],
    done: usize,
    tile_bytes: usize,
}

impl<M: Memory> Mover for Packer<'_, M> {
    fn tile_bytes(&self) -> usize {
        self.tile_bytes
    }

    fn remaining(&self) -> usize {
        self.out.len() - self.done
    }

    fn advance(&mut self, bytes: usize) {
        self.done += bytes;
    }

    #[inline]
    fn block(&mut self, at: i64, len: usize) {
        let to = &mut self.out[self.done..];
        // Branching on irregular lengths is slow, so a wide copy takes too many bytes: the next
        // block overwrites them. At the end of the stream there is no space for that.
        let is_short = (1..=WIDE_BYTES).contains(&len) && to.len() >= WIDE_BYTES;
        match is_short.then(|| self.memory.wide(at)).flatten() {
            Some(wide) => to[..WIDE_BYTES].copy_from_slice(wide),
            None => copy_slice(self.memory.block(at, len), &mut to[..len]),
        }
        self.done += len;
    }

    fn blocks(&mut self, blocks: Blocks) {
        pack_blocks(&mut self.out[self.done..], self.memory, blocks);
    }

    fn placed(&mut self, at: i64, displs: &[u32], len: usize) {
        let bytes = displs.len() * len;
        gather(&mut self.out[self.done..self.done + bytes], self.memory, at, displs, len);
        self.done += bytes;
    }
}

struct Unpacker<'a, M> {
    memory: &'a mut M,
    input: &'a [u8],
    done: usize,
    tile_bytes: usize,
}

impl<M: MemoryMut> Mover for Unpacker<'_, M> {
    fn tile_bytes(&self) -> usize {
        self.tile_bytes
    }

    fn remaining(&self) -> usize {
        self.input.len() - self.done
    }

    fn advance(&mut self, bytes: usize) {
        self.done += bytes;
    }

    #[inline]
    fn block(&mut self, at: i64, len: usize) {
        let input = &self.input[self.done..self.done + len];
        copy_slice(input, self.memory.block_mut(at, len));
        self.done += len;
    }

    fn blocks(&mut self, blocks: Blocks) {
        unpack_blocks(self.memory, &self.input[self.done..], blocks);
    }

    fn placed(&mut self, at: i64, displs: &[u32], len: usize) {
        let bytes = displs.len() * len;
        scatter(self.memory, &self.input[self.done..self.done + bytes], at, displs, len);
        self.done += bytes;
    }
}

/// The index of the element of `size` bytes that contains byte `skip`, and the offset in it. Most
/// calls begin at 0, where a division would take longer than a short element.
#[inline]
fn position(skip: usize, size: usize) -> (usize, usize) {
    if skip == 0 { (0, 0) } else { (skip / size, skip % size) }
}

/// How many of `count` elements of `size` bytes fit in the next `remaining`. Most calls move all.
#[inline]
fn whole(count: usize, size: usize, remaining: usize) -> usize {
    if count.saturating_mul(size) <= remaining { count } else { remaining / size }
}

/// Moves stream bytes `skip..` of a layout at `at`, up to the mover's remaining bytes.
fn walk<M: Mover>(layout: &Layout, at: i64, skip: usize, m: &mut M) {
    let at = at + layout.at;
    match &layout.node {
        Node::Dense => m.block(at + skip as i64, (layout.size - skip).min(m.remaining())),
        Node::Repeat { count, stride, child } => walk_repeat(*count, *stride, child, at, skip, m),
        Node::Runs(runs) => {
            let first = if skip == 0 { 0 } else { runs.partition_point(|r| r.start <= skip) - 1 };
            let mut cut = skip - runs[first].start;
            for run in &runs[first..] {
                m.block(at + run.at + cut as i64, (run.len - cut).min(m.remaining()));
                cut = 0;
                if m.remaining() == 0 {
                    return;
                }
            }
        }
        Node::BlockIndexed { len, displs } => walk_places(*len, displs, at, skip, m),
        Node::Parts(parts) => {
            let first = if skip == 0 { 0 } else { parts.partition_point(|p| p.start <= skip) - 1 };
            let mut cut = skip - parts[first].start;
            for part in &parts[first..] {
                walk(&part.layout, at, cut, m);
                cut = 0;
                if m.remaining() == 0 {
                    return;
                }
            }
        }
    }
}

/// [`walk`] for blocks of one length.
fn walk_places<M: Mover>(len: usize, displs: &[u32], at: i64, skip: usize, m: &mut M) {
    let place = |i: usize| at + i64::from(displs[i]);
    let (mut i, cut) = position(skip, len);
    if cut > 0 {
        m.block(place(i) + cut as i64, (len - cut).min(m.remaining()));
        i += 1;
    }
    let whole = whole(displs.len() - i, len, m.remaining());
    m.placed(at, &displs[i..i + whole], len);
    if i + whole < displs.len() && m.remaining() > 0 {
        m.block(place(i + whole), m.remaining());
    }
}

/// [`walk`] for `count` copies of `child`; one division finds the copy that contains `skip`.
fn walk_repeat<M: Mover>(
    count: usize,
    stride: i64,
    child: &Layout,
    at: i64,
    skip: usize,
    m: &mut M,
) {
    let origin = |i: usize| at + i as i64 * stride;
    let (mut i, cut) = position(skip, child.size);
    if cut > 0 {
        walk(child, origin(i), cut, m);
        i += 1;
    }
    let whole = whole(count - i, child.size, m.remaining());
    i += match &child.node {
        Node::Dense if whole > 0 => {
            let memory = BlockOffsets { at: origin(i) + child.at, stride };
            let stream = BlockOffsets { at: 0, stride: child.size as i64 };
            m.blocks(Blocks { memory, stream, len: child.size, count: whole });
            m.advance(whole * child.size);
            whole
        }
        Node::Runs(runs) if runs.len() <= RUNS_MAX && stride >= child.hi - child.lo => {
            let at = BlockOffsets { at: origin(i) + child.at, stride };
            walk_tiles(runs, child.size, at, whole, m)
        }
        _ => 0,
    };
    while i < count && m.remaining() > 0 {
        walk(child, origin(i), 0, m);
        i += 1;
    }
}

/// Moves whole elements that do not overlap, a tile at a time; returns how many.
fn walk_tiles<M: Mover>(
    runs: &[Run],
    size: usize,
    at: BlockOffsets,
    elements: usize,
    m: &mut M,
) -> usize {
    let element = (at.stride as usize).max(size);
    if (TILE_BYTES / element).min(elements) < TILE_ELEMENTS_MIN {
        return 0;
    }
    let tile = (m.tile_bytes() / element).max(TILE_ELEMENTS);
    for first in (0..elements).step_by(tile) {
        let count = tile.min(elements - first);
        let origin = at.at + first as i64 * at.stride;
        for run in runs {
            let memory = BlockOffsets { at: origin + run.at, ..at };
            let stream = BlockOffsets { at: run.start as i64, stride: size as i64 };
            m.blocks(Blocks { memory, stream, len: run.len, count });
        }
        m.advance(count * size);
    }
    elements
}

impl Datatype {
    /// Packs bytes `skip..` of the stream of `count` elements into `out`; returns the number of
    /// bytes written, `min(out.len(), total - skip)`. Resuming anywhere costs a division per level
    /// of nesting and a binary search per list, not a walk from the start.
    pub fn pack(&self, count: usize, memory: &impl Memory, skip: usize, out: &mut [u8]) -> usize {
        let len = self.movable(count, skip, out.len());
        let (out, tile_bytes) = (&mut out[..len], self.tile_bytes(count));
        self.transfer(count, skip, &mut Packer { memory, out, done: 0, tile_bytes });
        len
    }

    /// Unpacks `input`, the bytes from `skip` on of the stream of `count` elements; returns the
    /// number of bytes used, `min(input.len(), total - skip)`. The inverse of [`Datatype::pack`].
    pub fn unpack(
        &self,
        count: usize,
        memory: &mut impl MemoryMut,
        skip: usize,
        input: &[u8],
    ) -> usize {
        let len = self.movable(count, skip, input.len());
        let (input, tile_bytes) = (&input[..len], self.tile_bytes(count));
        self.transfer(count, skip, &mut Unpacker { memory, input, done: 0, tile_bytes });
        len
    }

    /// The number of bytes of the stream from `skip` on, at most `wanted`.
    fn movable(&self, count: usize, skip: usize, wanted: usize) -> usize {
        self.size().saturating_mul(count).saturating_sub(skip).min(wanted)
    }

    /// The length of tiles for `count` elements. Unrelated pieces (`MPI_BOTTOM`) may be far apart,
    /// so the data, with its usual gaps, limits the memory that counts.
    fn tile_bytes(&self, count: usize) -> usize {
        let (lo, hi) = self.bounds(count);
        let bytes = self.size().saturating_mul(count);
        let is_cold = ((hi - lo) as usize).min(bytes.saturating_mul(GAPS_MAX)) >= COLD_BYTES_MIN;
        if is_cold { COLD_TILE_BYTES } else { TILE_BYTES }
    }

    fn transfer<M: Mover>(&self, count: usize, skip: usize, m: &mut M) {
        if m.remaining() == 0 {
            return;
        }
        if self.is_contiguous() {
            return m.block(self.true_lb() + skip as i64, m.remaining());
        }
        if count == 1 {
            walk(self.layout(), 0, skip, m);
        } else {
            walk_repeat(count, self.extent(), self.layout(), 0, skip, m);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::COLD_BYTES_MIN;
    use crate::{Datatype, Piece, Primitive};

    /// Checks packing and unpacking of `t` in pieces; `displs` are the offsets of its bytes in
    /// order.
    fn check(t: &Datatype, count: usize, displs: &[i64]) {
        let (lo, hi) = t.bounds(count);
        let memory: Vec<u8> = (0..hi - lo).map(|i| (i % 251 + 1) as u8).collect();
        let wanted: Vec<u8> = displs.iter().map(|at| memory[(at - lo) as usize]).collect();
        for piece in [wanted.len(), 100_000, 1000, 77] {
            let (mut packed, mut done) = (vec![0; wanted.len()], 0);
            let (mut copy, mut kept) = (vec![0; memory.len()], vec![0; memory.len()]);
            for out in packed.chunks_mut(piece) {
                assert_eq!(t.pack(count, &Piece { bytes: &memory[..], lo }, done, out), out.len());
                assert_eq!(
                    t.unpack(count, &mut Piece { bytes: &mut copy[..], lo }, done, out),
                    out.len()
                );
                done += out.len();
            }
            assert_eq!(packed, wanted);
            displs.iter().for_each(|at| kept[(at - lo) as usize] = memory[(at - lo) as usize]);
            assert_eq!(copy, kept, "gaps stay as they were");
        }
    }

    #[test]
    fn many_structures_move_as_one_does_whatever_the_lengths_of_their_members() {
        let byte = Datatype::primitive(Primitive::Byte);
        for len in 1..=80 {
            let (first, second) = (len, 81 - len);
            let (gap, extent) = (len + 3, 97);
            let runs = Datatype::hindexed(&[first, second], &[0, gap], &byte).unwrap();
            let t = Datatype::resized(&runs, 0, extent).unwrap();
            let element = |i: i64| (0..len).chain(gap..gap + 81 - len).map(move |b| i * extent + b);
            check(&t, 300, &(0..300).flat_map(element).collect::<Vec<_>>());
        }
    }

    #[test]
    fn blocks_of_one_length_move_from_irregular_places() {
        let byte = Datatype::primitive(Primitive::Byte);
        for len in [1, 2, 3, 5, 8, 12, 16, 24, 31, 64, 70] {
            let displs: Vec<i64> = (0..50).map(|i| i * 100 + i * i % 29).collect();
            let t = Datatype::hindexed_block(len, &displs, &byte).unwrap();
            let bytes = |at: &i64| (*at..*at + len).collect::<Vec<_>>();
            check(&t, 1, &displs.iter().flat_map(bytes).collect::<Vec<_>>());
        }
    }

    #[test]
    fn blocks_of_several_lengths_move_from_irregular_places() {
        let byte = Datatype::primitive(Primitive::Byte);
        for unit in [1, 2, 3, 4, 8, 16, 48] {
            for most in [3, 9] {
                let blocks = (0..50).map(|i| (unit * (1 + i * i % most), i * 500 + i * i % 29));
                let (lens, displs): (Vec<i64>, Vec<i64>) = blocks.clone().unzip();
                let t = Datatype::hindexed(&lens, &displs, &byte).unwrap();
                let bytes = blocks.flat_map(|(len, at)| at..at + len);
                check(&t, 1, &bytes.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn structures_beyond_the_caches_move_as_others_do() {
        let byte = Datatype::primitive(Primitive::Byte);
        let runs = Datatype::hindexed(&[5, 16, 70], &[0, 9, 30], &byte).unwrap();
        for extent in [300, 2048] {
            let count = COLD_BYTES_MIN as i64 / extent + 3;
            let t = Datatype::resized(&runs, 0, extent).unwrap();
            let element =
                |i: i64| (0..5).chain(9..25).chain(30..100).map(move |byte| i * extent + byte);
            check(&t, count as usize, &(0..count).flat_map(element).collect::<Vec<_>>());
        }
    }
}
