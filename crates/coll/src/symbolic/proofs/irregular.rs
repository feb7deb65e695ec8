//! Operations whose blocks differ in length: some empty, in the reverse order of ranks, with gaps.

use super::{Case, MIXED_ATOMS, contribution, laid_over, mixed, undefined, verify};
use crate::symbolic::{Buffers, Overlay, Traffic, Value};
use crate::{Allgatherv, Alltoallv, BlockLayout, Gatherv, Member, ReduceScatter, Scatterv};
use dunlin_base::Result;

/// Where blocks stand in a buffer, in atoms.
struct Layout {
    counts: Vec<usize>,
    starts: Vec<usize>,
    total: usize,
}

impl Layout {
    /// Blocks of `count(rank)` atoms each.
    fn new(case: &Case, count: impl Fn(usize) -> usize) -> Layout {
        let gap = if case.mixed { MIXED_ATOMS } else { 1 };
        let counts: Vec<usize> = (0..case.ranks).map(count).collect();
        let (mut starts, mut total) = (vec![0; case.ranks], 0);
        for rank in (0..case.ranks).rev() {
            starts[rank] = total;
            total += counts[rank] + gap;
        }
        Layout { counts, starts, total }
    }

    /// Counts and displacements in elements of `grain` atoms.
    fn elements(&self, grain: usize) -> (Vec<usize>, Vec<usize>) {
        let divide = |atoms: &Vec<usize>| atoms.iter().map(|atoms| atoms / grain).collect();
        (divide(&self.counts), divide(&self.starts))
    }

    /// A buffer with `content(rank)` in every block and nothing in the gaps.
    fn filled(&self, content: impl Fn(usize) -> Vec<Value>) -> Vec<Value> {
        let mut buffer = undefined(self.total);
        for (rank, &start) in self.starts.iter().enumerate() {
            buffer[start..start + self.counts[rank]].clone_from_slice(&content(rank));
        }
        buffer
    }
}

/// Atoms of the block of `rank`: nothing for every third.
fn uneven(case: &Case, rank: usize) -> usize {
    case.atoms() * (rank % 3)
}

pub(super) fn reduce_scatter(
    case: &Case,
    how: crate::reduce_scatter::Algorithm,
) -> Result<Vec<Traffic>> {
    let mut starts = vec![0];
    for rank in 0..case.ranks {
        starts.push(starts[rank] + uneven(case, rank));
    }
    let (total, commutative) = (starts[case.ranks], case.commutative);
    let buffers = |rank| {
        let own = contribution(rank, 0, total);
        match case.in_place {
            true => Buffers::in_place(own),
            false => Buffers::plain(own, undefined(uneven(case, rank))),
        }
    };
    let outcome = case.run_with_room(total, buffers, async |ch| {
        crate::reduce_scatter(ch, ReduceScatter { starts: &starts, commutative }, how).await
    })?;
    verify(outcome, |rank| {
        let block = starts[rank]..starts[rank + 1];
        block.map(|index| Value::of_ranks(0, case.ranks, index)).collect()
    })
}

/// Buffers of a rank that sends its own block and receives everyone's.
fn collecting(case: &Case, layout: &Layout, rank: usize, in_place: bool) -> Buffers {
    let own = contribution(rank, 0, layout.counts[rank]);
    let buffers = mixed(case, rank, own, undefined(layout.total));
    if in_place { laid_over(layout.starts[rank], buffers) } else { buffers }
}

pub(super) fn gatherv(case: &Case, how: crate::gatherv::Algorithm) -> Result<Vec<Traffic>> {
    let layout = Layout::new(case, |rank| uneven(case, rank));
    let buffers = |rank| match rank == case.root {
        true => collecting(case, &layout, rank, case.in_place),
        false => {
            let own = mixed(case, rank, contribution(rank, 0, layout.counts[rank]), Vec::new());
            Buffers { temp_grain: own.send_grain, ..own }
        }
    };
    let outcome = case.run(buffers, async |ch| {
        let me = ch.rank();
        let at_root = me == case.root;
        let (counts, displacements) = layout.elements(case.grain(me, 1));
        let recv = BlockLayout { counts: &counts, displacements: &displacements };
        let send_len = layout.counts[me] / case.grain(me, (at_root && case.in_place).into());
        let recv = if at_root { recv } else { BlockLayout::NONE };
        crate::gatherv(ch, Gatherv { root: case.root, send_len, recv }, how).await
    })?;
    let all = layout.filled(|rank| contribution(rank, 0, layout.counts[rank]));
    verify(outcome, |rank| if rank == case.root { all.clone() } else { Vec::new() })
}

pub(super) fn scatterv(case: &Case, how: crate::scatterv::Algorithm) -> Result<Vec<Traffic>> {
    let layout = Layout::new(case, |rank| uneven(case, rank));
    let all = contribution(case.root, 0, layout.total);
    let buffers = |rank| {
        if rank != case.root {
            return mixed(case, rank, Vec::new(), undefined(layout.counts[rank]));
        }
        let root = mixed(case, rank, all.clone(), undefined(layout.counts[rank]));
        if !case.in_place {
            return root;
        }
        let overlay = Overlay::RecvOverSend(layout.starts[rank]);
        Buffers { recv: Vec::new(), overlay, recv_grain: root.send_grain, ..root }
    };
    let outcome = case.run(buffers, async |ch| {
        let me = ch.rank();
        let at_root = me == case.root;
        let (counts, displacements) = layout.elements(case.grain(me, 0));
        let send = BlockLayout { counts: &counts, displacements: &displacements };
        let send = if at_root { send } else { BlockLayout::NONE };
        let recv_grain = case.grain(me, (!(at_root && case.in_place)).into());
        let recv_len = layout.counts[me] / recv_grain;
        crate::scatterv(ch, Scatterv { root: case.root, send, recv_len }, how).await
    })?;
    verify(outcome, |rank| {
        all[layout.starts[rank]..layout.starts[rank] + layout.counts[rank]].to_vec()
    })
}

pub(super) fn allgatherv(case: &Case, how: crate::allgatherv::Algorithm) -> Result<Vec<Traffic>> {
    let layout = Layout::new(case, |rank| uneven(case, rank));
    let buffers = |rank| collecting(case, &layout, rank, case.in_place);
    let longest = layout.counts.iter().copied().max().unwrap_or(0);
    let outcome = case.run_with_room(longest, buffers, async |ch| {
        let me = ch.rank();
        let (counts, displacements) = layout.elements(case.grain(me, 1));
        let recv = BlockLayout { counts: &counts, displacements: &displacements };
        let send_len = layout.counts[me] / case.grain(me, case.in_place.into());
        crate::allgatherv(ch, Allgatherv { send_len, recv }, how).await
    })?;
    let all = layout.filled(|rank| contribution(rank, 0, layout.counts[rank]));
    verify(outcome, |_| all.clone())
}

/// Atoms that `from` sends `to`; in place, as many as it gets back.
fn traded(case: &Case, from: usize, to: usize) -> usize {
    let weight = if case.in_place { 1 } else { 2 };
    case.atoms() * ((from + weight * to) % 3)
}

pub(super) fn alltoallv(case: &Case, how: crate::alltoallv::Algorithm) -> Result<Vec<Traffic>> {
    let in_place = case.in_place;
    let outgoing = |rank: usize| Layout::new(case, move |to| traded(case, rank, to));
    let incoming = |rank: usize| Layout::new(case, move |from| traded(case, from, rank));
    // Which block an atom belongs to publishes in its index.
    let block =
        |from, to| contribution(from, to * MIXED_ATOMS * MIXED_ATOMS, traded(case, from, to));
    let buffers = |rank| {
        let send = outgoing(rank).filled(|to| block(rank, to));
        let buffers = mixed(case, rank, send, undefined(incoming(rank).total));
        if in_place { laid_over(0, buffers) } else { buffers }
    };
    let outcome = case.run(buffers, async |ch| {
        let me = ch.rank();
        let (counts, displacements) = outgoing(me).elements(case.grain(me, in_place.into()));
        let send = BlockLayout { counts: &counts, displacements: &displacements };
        let (counts, displacements) = incoming(me).elements(case.grain(me, 1));
        let recv = BlockLayout { counts: &counts, displacements: &displacements };
        crate::alltoallv(ch, Alltoallv { send, recv, in_place }, how).await
    })?;
    verify(outcome, |rank| incoming(rank).filled(|from| block(from, rank)))
}
