//! Operations that move blocks of one length.

use super::{Case, MEANINGLESS, contribution, contributions, laid_over, mixed, undefined, verify};
use crate::symbolic::{Buffers, Overlay, Traffic};
use crate::{Allgather, Alltoall, Gather, Member, Scatter};
use dunlin_base::Result;

/// Elements of a block in the send and in the receive buffer of `rank`.
fn blocks(case: &Case, rank: usize, in_place: bool) -> (usize, usize) {
    let recv_block = case.atoms() / case.grain(rank, 1);
    let send_block = if in_place { recv_block } else { case.atoms() / case.grain(rank, 0) };
    (send_block, recv_block)
}

/// Buffers of a rank that sends its own block and receives all ranks' blocks.
fn collecting(case: &Case, rank: usize, in_place: bool) -> Buffers {
    let atoms = case.atoms();
    let all = undefined(case.ranks * atoms);
    let buffers = mixed(case, rank, contribution(rank, 0, atoms), all);
    if in_place { laid_over(rank * atoms, buffers) } else { buffers }
}

pub(super) fn gather(case: &Case, how: crate::gather::Algorithm) -> Result<Vec<Traffic>> {
    let buffers = |rank| {
        if rank == case.root {
            return collecting(case, rank, case.in_place);
        }
        let own = mixed(case, rank, contribution(rank, 0, case.atoms()), Vec::new());
        Buffers { temp_grain: own.send_grain, ..own }
    };
    let outcome = case.run(buffers, async |ch| {
        let at_root = ch.rank() == case.root;
        let (send_block, recv_block) = blocks(case, ch.rank(), case.in_place && at_root);
        let recv_block = if at_root { recv_block } else { MEANINGLESS };
        crate::gather(ch, Gather { root: case.root, send_block, recv_block }, how).await
    })?;
    let all = contributions(case.ranks, case.atoms());
    verify(outcome, |rank| if rank == case.root { all.clone() } else { Vec::new() })
}

pub(super) fn scatter(case: &Case, how: crate::scatter::Algorithm) -> Result<Vec<Traffic>> {
    let atoms = case.atoms();
    let all = contribution(case.root, 0, case.ranks * atoms);
    let buffers = |rank| {
        if rank != case.root {
            return mixed(case, rank, Vec::new(), undefined(atoms));
        }
        let root = mixed(case, rank, all.clone(), undefined(atoms));
        if !case.in_place {
            return root;
        }
        let overlay = Overlay::RecvOverSend(rank * atoms);
        let grain = root.send_grain;
        Buffers { recv: Vec::new(), overlay, recv_grain: grain, temp_grain: grain, ..root }
    };
    let outcome = case.run_with_room(case.published("scatter"), buffers, async |ch| {
        let at_root = ch.rank() == case.root;
        let (send_block, recv_block) = match (at_root, blocks(case, ch.rank(), false)) {
            (false, (_, recv_block)) => (MEANINGLESS, recv_block),
            (true, (send_block, _)) if case.in_place => (send_block, send_block),
            (true, both) => both,
        };
        crate::scatter(ch, Scatter { root: case.root, send_block, recv_block }, how).await
    })?;
    verify(outcome, |rank| all[rank * atoms..(rank + 1) * atoms].to_vec())
}

pub(super) fn allgather(case: &Case, how: crate::allgather::Algorithm) -> Result<Vec<Traffic>> {
    let buffers = |rank| collecting(case, rank, case.in_place);
    let outcome = case.run_with_room(case.published("allgather"), buffers, async |ch| {
        let (send_block, recv_block) = blocks(case, ch.rank(), case.in_place);
        crate::allgather(ch, Allgather { send_block, recv_block }, how).await
    })?;
    let all = contributions(case.ranks, case.atoms());
    verify(outcome, |_| all.clone())
}

pub(super) fn alltoall(case: &Case, how: crate::alltoall::Algorithm) -> Result<Vec<Traffic>> {
    let (atoms, in_place) = (case.atoms(), case.in_place);
    let buffers = |rank| {
        let outgoing = contribution(rank, 0, case.ranks * atoms);
        let apart = mixed(case, rank, outgoing, undefined(case.ranks * atoms));
        if in_place { laid_over(0, apart) } else { apart }
    };
    let outcome = case.run_with_room(case.published("alltoall"), buffers, async |ch| {
        let (send_block, recv_block) = blocks(case, ch.rank(), in_place);
        crate::alltoall(ch, Alltoall { send_block, recv_block, in_place }, how).await
    })?;
    verify(outcome, |rank| {
        (0..case.ranks).flat_map(|from| contribution(from, rank * atoms, atoms)).collect()
    })
}
