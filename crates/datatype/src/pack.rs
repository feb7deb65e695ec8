//! Packing and unpacking: moving bytes between a layout in memory and a dense stream, from any byte
//! of the stream on. The walk over the layout is written once; a `Mover` gives its direction.

use crate::Datatype;
use crate::kernels::{gather, scatter};
use crate::layout::{Layout, Node};

/// Moves blocks between memory and its own end of the stream.
trait Mover {
    /// Bytes of the stream still to be moved.
    fn remaining(&self) -> usize;
    /// Moves `len` bytes at memory offset `at`; `len <= remaining()`.
    fn block(&mut self, at: i64, len: usize);
    /// Moves `count` blocks of `len` bytes, `stride` apart; `count * len <= remaining()`.
    fn blocks(&mut self, at: i64, stride: i64, len: usize, count: usize);
}

struct Packer<'a> {
    memory: &'a [u8],
    memory_lo: i64,
    out: &'a mut [u8],
    done: usize,
}

impl Mover for Packer<'_> {
    fn remaining(&self) -> usize {
        self.out.len() - self.done
    }

    fn block(&mut self, at: i64, len: usize) {
        let from = (at - self.memory_lo) as usize;
        self.out[self.done..self.done + len].copy_from_slice(&self.memory[from..from + len]);
        self.done += len;
    }

    fn blocks(&mut self, at: i64, stride: i64, len: usize, count: usize) {
        let out = &mut self.out[self.done..self.done + count * len];
        gather(self.memory, at - self.memory_lo, stride, len, out);
        self.done += count * len;
    }
}

struct Unpacker<'a> {
    memory: &'a mut [u8],
    memory_lo: i64,
    input: &'a [u8],
    done: usize,
}

impl Mover for Unpacker<'_> {
    fn remaining(&self) -> usize {
        self.input.len() - self.done
    }

    fn block(&mut self, at: i64, len: usize) {
        let to = (at - self.memory_lo) as usize;
        self.memory[to..to + len].copy_from_slice(&self.input[self.done..self.done + len]);
        self.done += len;
    }

    fn blocks(&mut self, at: i64, stride: i64, len: usize, count: usize) {
        let input = &self.input[self.done..self.done + count * len];
        scatter(self.memory, at - self.memory_lo, stride, len, input);
        self.done += count * len;
    }
}

/// Moves stream bytes `skip..` of a layout at `at`, as many as the mover wants.
fn walk<M: Mover>(layout: &Layout, at: i64, skip: usize, m: &mut M) {
    let at = at + layout.at;
    match &layout.node {
        Node::Dense => m.block(at + skip as i64, (layout.size - skip).min(m.remaining())),
        Node::Repeat { count, stride, child } => walk_repeat(*count, *stride, child, at, skip, m),
        Node::Runs(runs) => {
            let first = runs.partition_point(|r| r.start <= skip) - 1;
            let mut cut = skip - runs[first].start;
            for run in &runs[first..] {
                m.block(at + run.at + cut as i64, (run.len - cut).min(m.remaining()));
                cut = 0;
                if m.remaining() == 0 {
                    return;
                }
            }
        }
        Node::Parts(parts) => {
            let first = parts.partition_point(|p| p.start <= skip) - 1;
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

/// The same for `count` copies of `child`, whose position follows from `skip` by one division.
fn walk_repeat<M: Mover>(
    count: usize,
    stride: i64,
    child: &Layout,
    at: i64,
    skip: usize,
    m: &mut M,
) {
    let origin = |i: usize| at + i as i64 * stride;
    let (mut i, cut) = (skip / child.size, skip % child.size);
    if cut > 0 {
        walk(child, origin(i), cut, m);
        i += 1;
    }
    if child.is_dense() {
        let whole = (count - i).min(m.remaining() / child.size);
        if whole > 0 {
            m.blocks(origin(i) + child.at, stride, child.size, whole);
            i += whole;
        }
    }
    while i < count && m.remaining() > 0 {
        walk(child, origin(i), 0, m);
        i += 1;
    }
}

impl Datatype {
    /// Packs bytes `skip..` of the stream of `count` elements into `out`; answers how many bytes it
    /// wrote, `min(out.len(), total - skip)`. Resuming anywhere costs a division per level of
    /// nesting and a binary search per list, not a walk from the start.
    ///
    /// `memory[0]` is the byte at offset `memory_lo` from the buffer's address; `memory` must cover
    /// [`Datatype::bounds`], or at least every byte this call moves.
    ///
    /// # Panics
    /// If a byte to be moved lies outside `memory`.
    pub fn pack(
        &self,
        count: usize,
        memory: &[u8],
        memory_lo: i64,
        skip: usize,
        out: &mut [u8],
    ) -> usize {
        let len = self.movable(count, skip, out.len());
        let out = &mut out[..len];
        self.transfer(count, skip, &mut Packer { memory, memory_lo, out, done: 0 });
        len
    }

    /// Unpacks `input`, which are the bytes from `skip` on of the stream of `count` elements;
    /// answers how many bytes it used, `min(input.len(), total - skip)`. The mirror of
    /// [`Datatype::pack`].
    ///
    /// # Panics
    /// If a byte to be moved lies outside `memory`.
    pub fn unpack(
        &self,
        count: usize,
        memory: &mut [u8],
        memory_lo: i64,
        skip: usize,
        input: &[u8],
    ) -> usize {
        let len = self.movable(count, skip, input.len());
        let input = &input[..len];
        self.transfer(count, skip, &mut Unpacker { memory, memory_lo, input, done: 0 });
        len
    }

    /// Bytes of the stream from `skip` on, at most `wanted`.
    fn movable(&self, count: usize, skip: usize, wanted: usize) -> usize {
        self.size().saturating_mul(count).saturating_sub(skip).min(wanted)
    }

    fn transfer<M: Mover>(&self, count: usize, skip: usize, m: &mut M) {
        if m.remaining() == 0 {
            return;
        }
        if self.is_contiguous() {
            m.block(self.true_lb() + skip as i64, m.remaining());
        } else {
            walk_repeat(count, self.extent(), self.layout(), 0, skip, m);
        }
    }
}
