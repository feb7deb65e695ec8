//! The offsets of the bytes of one element, in typemap order, in a compact form: a dense run, a
//! strided repetition, or a list of runs, of blocks or of parts. A vector of a million blocks is
//! one node. Lists hold prefix sums, so that any byte of the packed stream is found without a walk
//! from the start.

use dunlin_base::{Error, ErrorClass, Result};
use std::sync::Arc;

/// Children with at most this many runs are flattened into the list of their parent: packing a flat
/// list is faster than a tree, and the list grows by at most this factor.
const DISSOLVE_RUNS_MAX: usize = 16;

/// Runs of several lengths are cut into pieces of one length if there are on average at most this
/// many per run: a piece is a copy of known length, a run needs a branch on its length that
/// processors predict badly.
const PIECES_MAX: usize = 4;
/// Pieces have at most 2 to this power bytes: one register.
const PIECE_BITS: u32 = 4;

/// The bytes of one element. An empty layout is `Dense` with size 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// Bytes of data.
    pub size: usize,
    /// Offset of the node's origin from the element's address.
    pub at: i64,
    /// Lowest byte of data, relative to the element's address.
    pub lo: i64,
    /// One past the highest byte of data.
    pub hi: i64,
    pub node: Node,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// `size` bytes without a hole.
    Dense,
    /// `count` copies of `child`, `stride` bytes apart.
    Repeat { count: usize, stride: i64, child: Arc<Layout> },
    /// Dense runs in any order, at least two.
    Runs(Arc<[Run]>),
    /// Dense runs of one length in any order, at least two, with their offsets in memory. Runs of
    /// several lengths are cut into pieces of one length, where there are few pieces.
    BlockIndexed { len: usize, displs: Arc<[u32]> },
    /// Anything else: parts in any order, at least two.
    Parts(Arc<[Part]>),
}

/// One dense run of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    /// Offset in memory.
    pub at: i64,
    /// Offset in the packed stream of this node.
    pub start: usize,
    pub len: usize,
}

/// One part of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Offset in the packed stream of this node.
    pub start: usize,
    pub layout: Layout,
}

/// The error of a type with a span beyond the range of addresses.
pub(crate) fn too_large() -> Error {
    Error::new(
        ErrorClass::ValueTooLarge,
        "the datatype spans more bytes than 2^62 - 1; use smaller counts, strides or displacements",
    )
}

/// Offsets stay below this magnitude, so that the difference of any two fits in an `i64`.
const OFFSET_MAX: i64 = (1 << 62) - 1;

fn in_range(offset: i64) -> Option<i64> {
    (-OFFSET_MAX..=OFFSET_MAX).contains(&offset).then_some(offset)
}

/// Sum of two byte offsets.
pub(crate) fn add(a: i64, b: i64) -> Result<i64> {
    a.checked_add(b).and_then(in_range).ok_or_else(too_large)
}

/// Product of a count and a distance.
pub(crate) fn mul(a: i64, b: i64) -> Result<i64> {
    a.checked_mul(b).and_then(in_range).ok_or_else(too_large)
}

/// A number of bytes, checked to be within the range of offsets.
fn bytes(size: Option<usize>) -> Result<usize> {
    size.filter(|&s| s <= OFFSET_MAX as usize).ok_or_else(too_large)
}

impl Layout {
    pub const EMPTY: Layout = Layout { size: 0, at: 0, lo: 0, hi: 0, node: Node::Dense };

    /// `len` bytes at `at`.
    pub fn dense(at: i64, len: usize) -> Result<Layout> {
        let hi = add(at, i64::try_from(len).map_err(|_| too_large())?)?;
        Ok(Layout { size: len, at, lo: at, hi, node: Node::Dense })
    }

    /// The same bytes, moved by `distance`.
    pub fn shifted(&self, distance: i64) -> Result<Layout> {
        if self.size == 0 {
            return Ok(Layout::EMPTY);
        }
        let (at, lo, hi) =
            (add(self.at, distance)?, add(self.lo, distance)?, add(self.hi, distance)?);
        Ok(Layout { size: self.size, at, lo, hi, node: self.node.clone() })
    }

    /// `count` copies, `stride` bytes apart; adjacent ones merge.
    pub fn repeated(&self, count: usize, stride: i64) -> Result<Layout> {
        if count == 0 || self.size == 0 {
            return Ok(Layout::EMPTY);
        }
        if count == 1 {
            return Ok(self.clone());
        }
        let size = bytes(self.size.checked_mul(count))?;
        let span = mul(i64::try_from(count - 1).map_err(|_| too_large())?, stride)?;
        let (lo, hi) = (add(self.lo, span.min(0))?, add(self.hi, span.max(0))?);
        let node = self.repeated_node(count, stride);
        Ok(Layout { size, at: self.at, lo, hi, node })
    }

    fn repeated_node(&self, count: usize, stride: i64) -> Node {
        match &self.node {
            Node::Dense if self.size as i64 == stride => Node::Dense,
            Node::Repeat { count: inner, stride: step, child }
                if step.checked_mul(*inner as i64) == Some(stride) =>
            {
                Node::Repeat { count: count * inner, stride: *step, child: child.clone() }
            }
            node => {
                let (lo, hi) = (self.lo - self.at, self.hi - self.at);
                let child = Layout { size: self.size, at: 0, lo, hi, node: node.clone() };
                Node::Repeat { count, stride, child: Arc::new(child) }
            }
        }
    }

    /// Whether the data is one run without a hole.
    pub fn is_dense(&self) -> bool {
        matches!(self.node, Node::Dense)
    }

    /// The number of runs, where it is small enough to flatten into a parent.
    fn few_runs(&self) -> Option<usize> {
        let runs = match &self.node {
            Node::Dense => 1,
            Node::Repeat { count, child, .. } => count.checked_mul(child.few_runs()?)?,
            Node::Runs(runs) => runs.len(),
            Node::BlockIndexed { displs, .. } => displs.len(),
            _ => return None,
        };
        (runs <= DISSOLVE_RUNS_MAX).then_some(runs)
    }
}

/// Concatenates layouts in typemap order and finds the most compact form.
#[derive(Default)]
pub(crate) struct Sequence {
    parts: Vec<Part>,
    /// Runs that are not yet in `parts`; their `start` counts from the first of them.
    runs: Vec<Run>,
    runs_size: usize,
    size: usize,
}

impl Sequence {
    /// Adds the bytes of `layout`, moved by `distance`.
    pub fn push(&mut self, layout: &Layout, distance: i64) -> Result<()> {
        if layout.size == 0 {
            return Ok(());
        }
        let whole = layout.shifted(distance)?;
        self.size = bytes(self.size.checked_add(whole.size))?;
        if whole.few_runs().is_none() {
            self.flush_runs();
            let start = self.size - whole.size;
            self.parts.push(Part { start, layout: whole });
            return Ok(());
        }
        self.push_runs(&whole, 0);
        Ok(())
    }

    fn push_runs(&mut self, layout: &Layout, distance: i64) {
        let at = layout.at + distance;
        match &layout.node {
            Node::Dense => self.push_run(at, layout.size),
            Node::Repeat { count, stride, child } => {
                (0..*count as i64).for_each(|i| self.push_runs(child, at + i * stride));
            }
            Node::Runs(runs) => runs.iter().for_each(|r| self.push_run(at + r.at, r.len)),
            Node::BlockIndexed { len, displs } => {
                displs.iter().for_each(|place| self.push_run(at + i64::from(*place), *len));
            }
            Node::Parts(_) => unreachable!("a list of parts is never few runs"),
        }
    }

    fn push_run(&mut self, at: i64, len: usize) {
        match self.runs.last_mut() {
            Some(last) if last.at + last.len as i64 == at => last.len += len,
            _ => self.runs.push(Run { at, start: self.runs_size, len }),
        }
        self.runs_size += len;
    }

    fn flush_runs(&mut self) {
        if self.runs.is_empty() {
            return;
        }
        let runs = std::mem::take(&mut self.runs);
        let start = self.parts.last().map_or(0, |p| p.start + p.layout.size);
        self.parts.push(Part { start, layout: from_runs(&runs, self.runs_size) });
        self.runs_size = 0;
    }

    /// The layout of all that was added.
    pub fn finish(mut self) -> Layout {
        self.flush_runs();
        match self.parts.len() {
            0 => Layout::EMPTY,
            1 => self.parts.remove(0).layout,
            _ => {
                let lo = self.parts.iter().map(|p| p.layout.lo).min().unwrap_or(0);
                let hi = self.parts.iter().map(|p| p.layout.hi).max().unwrap_or(0);
                let node = Node::Parts(self.parts.into());
                Layout { size: self.size, at: 0, lo, hi, node }
            }
        }
    }
}

/// The layout of a list of merged runs, which is not empty.
fn from_runs(runs: &[Run], size: usize) -> Layout {
    let at = runs[0].at;
    let lo = runs.iter().map(|r| r.at).min().unwrap_or(at);
    let hi = runs.iter().map(|r| r.at + r.len as i64).max().unwrap_or(at);
    let len = runs[0].len;
    if runs.len() == 1 {
        return Layout { size, at, lo, hi, node: Node::Dense };
    }
    let stride = runs[1].at - at;
    let regular = runs.windows(2).all(|w| w[1].len == len && w[1].at - w[0].at == stride);
    // Short lists stay runs, which `walk_repeat` moves for many elements at a time.
    if !regular && runs.len() > DISSOLVE_RUNS_MAX {
        if let Some((len, displs)) = displs(runs, size, lo) {
            return Layout { size, at: lo, lo, hi, node: Node::BlockIndexed { len, displs } };
        }
    }
    if !regular {
        return Layout { size, at: 0, lo, hi, node: Node::Runs(runs.into()) };
    }
    let child = Layout { size: len, at: 0, lo: 0, hi: len as i64, node: Node::Dense };
    let node = Node::Repeat { count: runs.len(), stride, child: Arc::new(child) };
    Layout { size, at, lo, hi, node }
}

/// The runs as blocks of one length, by their offsets from `lo`. `None` where the lengths have no
/// common divisor, the blocks would be many more than the runs, or an offset exceeds 4 GiB.
fn displs(runs: &[Run], size: usize, lo: i64) -> Option<(usize, Arc<[u32]>)> {
    let is_one_length = runs.iter().all(|r| r.len == runs[0].len);
    let len = match is_one_length {
        true => runs[0].len,
        // The lowest bit of all lengths is the highest power of two that divides each of them.
        false => 1 << runs.iter().fold(0, |bits, r| bits | r.len).trailing_zeros().min(PIECE_BITS),
    };
    if size / len > runs.len() * PIECES_MAX {
        return None;
    }
    let pieces = |r: &Run| {
        let at = r.at - lo;
        (0..r.len).step_by(len).map(move |skip| u32::try_from(at + skip as i64).ok())
    };
    let displs: Option<Arc<[u32]>> = runs.iter().flat_map(pieces).collect();
    displs.map(|displs| (len, displs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(runs: &[(i64, usize)]) -> Layout {
        let mut s = Sequence::default();
        for &(at, len) in runs {
            s.push(&Layout::dense(0, len).unwrap(), at).unwrap();
        }
        s.finish()
    }

    #[test]
    fn adjacent_runs_merge() {
        assert_eq!(sequence(&[(4, 4), (8, 8), (16, 1)]), Layout::dense(4, 13).unwrap());
    }

    #[test]
    fn equal_runs_at_equal_distances_are_a_repetition() {
        let layout = sequence(&[(24, 8), (0, 8), (-24, 8)]);
        assert!(matches!(layout.node, Node::Repeat { count: 3, stride: -24, .. }), "{layout:?}");
        assert_eq!((layout.at, layout.lo, layout.hi, layout.size), (24, -24, 32, 24));
    }

    #[test]
    fn order_is_kept_even_where_sorting_would_merge() {
        let layout = sequence(&[(8, 8), (0, 8)]);
        assert!(matches!(layout.node, Node::Repeat { count: 2, stride: -8, .. }), "{layout:?}");
    }

    #[test]
    fn irregular_runs_become_pieces_of_one_length_where_these_are_few_and_near() {
        let runs = |unit: usize, most: usize, far: i64| {
            let run = |i: i64| (i * (far + 1000) + i * i % 7, unit * (1 + (i * i) as usize % most));
            sequence(&(0..20).map(run).collect::<Vec<_>>()).node
        };
        assert!(matches!(runs(8, 3, 0), Node::BlockIndexed { len: 8, .. }));
        assert!(matches!(runs(48, 3, 0), Node::Runs(_)), "six pieces each");
        assert!(matches!(runs(8, 20, 0), Node::Runs(_)), "ten pieces each");
        assert!(matches!(runs(8, 3, 1 << 30), Node::Runs(_)), "beyond 4 GiB");
    }

    #[test]
    fn repetitions_that_continue_each_other_become_one() {
        let inner = Layout::dense(0, 4).unwrap().repeated(10, 8).unwrap();
        let outer = inner.repeated(5, 80).unwrap();
        assert!(matches!(outer.node, Node::Repeat { count: 50, stride: 8, .. }), "{outer:?}");
    }

    #[test]
    fn a_span_beyond_the_address_space_is_refused() {
        let e = Layout::dense(0, 8).unwrap().repeated(1 << 40, 1 << 40).unwrap_err();
        assert_eq!(e.class, ErrorClass::ValueTooLarge);
    }
}
