//! Operations that treat every rank's vector as a whole.

use super::{Case, contribution, undefined, verify};
use crate::symbolic::{Buffers, Process, Traffic, Value};
use crate::{Allreduce, Bcast, Exscan, Reduce, ReduceScatterBlock, Scan};
use dunlin_base::{Error, ErrorClass, Result};

/// The operand and result buffers of a reduction.
fn operand(case: &Case, rank: usize, has_result: bool) -> Buffers {
    let own = contribution(rank, 0, case.len);
    match (has_result, case.in_place) {
        (true, true) => Buffers::in_place(own),
        (true, false) => Buffers::plain(own, undefined(case.len)),
        (false, _) => Buffers::plain(own, Vec::new()),
    }
}

/// All operands combined in the order of ranks.
fn total(case: &Case) -> Vec<Value> {
    (0..case.len).map(|index| Value::of_ranks(0, case.ranks, index)).collect()
}

/// A barrier carries no data; that it holds everyone back publishes in who has heard of whom.
pub(super) fn barrier(case: &Case, how: crate::barrier::Algorithm) -> Result<Vec<Traffic>> {
    let entered = std::cell::Cell::new(0);
    let nothing = |_| Buffers::plain(Vec::new(), Vec::new());
    let outcome = case.run_with_room(0, nothing, async |ch| {
        entered.set(entered.get() + 1);
        crate::barrier(ch, how).await?;
        if entered.get() == case.ranks {
            return Ok(());
        }
        let text = format!("a rank left the barrier when {} had entered", entered.get());
        Err(Error::new(ErrorClass::Intern, text))
    })?;
    Ok(outcome.traffic)
}

pub(super) fn bcast(case: &Case, how: crate::bcast::Algorithm) -> Result<Vec<Traffic>> {
    let v = Bcast { root: case.root, len: case.len };
    let data = contribution(case.root, 0, case.len);
    let buffers = |rank| {
        let held = if rank == case.root { data.clone() } else { undefined(case.len) };
        Buffers::plain(Vec::new(), held)
    };
    let outcome = case.run(buffers, async |ch| crate::bcast(ch, v, how).await)?;
    verify(outcome, |_| data.clone())
}

pub(super) fn reduce(case: &Case, how: crate::reduce::Algorithm) -> Result<Vec<Traffic>> {
    let v = Reduce { root: case.root, len: case.len, commutative: case.commutative };
    let buffers = |rank| operand(case, rank, rank == case.root);
    let outcome = case.run(buffers, async |ch| crate::reduce(ch, v, how).await)?;
    verify(outcome, |rank| if rank == case.root { total(case) } else { Vec::new() })
}

pub(super) fn allreduce(case: &Case, how: crate::allreduce::Algorithm) -> Result<Vec<Traffic>> {
    let Case { len, commutative, in_place, .. } = *case;
    let v = Allreduce { len, commutative, in_place };
    let buffers = |rank| operand(case, rank, true);
    let outcome = case.run(buffers, async |ch| crate::allreduce(ch, v, how).await)?;
    verify(outcome, |_| total(case))
}

/// The operands of ranks `0..end` combined in order.
fn prefix(case: &Case, end: usize) -> Vec<Value> {
    (0..case.len).map(|index| Value::of_ranks(0, end, index)).collect()
}

pub(super) fn scan(case: &Case, how: crate::scan::Algorithm) -> Result<Vec<Traffic>> {
    let v = Scan { len: case.len };
    let buffers = |rank| operand(case, rank, true);
    let outcome = case.run(buffers, async |ch| crate::scan(ch, v, how).await)?;
    verify(outcome, |rank| prefix(case, rank + 1))
}

pub(super) fn exscan(case: &Case, how: crate::exscan::Algorithm) -> Result<Vec<Traffic>> {
    let v = Exscan { len: case.len };
    let buffers = |rank| operand(case, rank, true);
    let outcome = case.run(buffers, async |ch| crate::exscan(ch, v, how).await)?;
    verify(outcome, |rank| match rank {
        // Rank 0's buffer is left as it was.
        0 => operand(case, 0, true).recv,
        _ => prefix(case, rank),
    })
}

pub(super) fn reduce_scatter_block(
    case: &Case,
    how: crate::reduce_scatter_block::Algorithm,
) -> Result<Vec<Traffic>> {
    let v = ReduceScatterBlock { block: case.len, commutative: case.commutative };
    let vector = Case { len: case.ranks * case.len, ..*case };
    let buffers = |rank| {
        let mut buffers = operand(&vector, rank, true);
        if !case.in_place {
            buffers.recv.truncate(case.len);
        }
        buffers
    };
    let run = async |ch: &Process<'_>| crate::reduce_scatter_block(ch, v, how).await;
    let outcome = vector.run(buffers, run)?;
    let all = total(&vector);
    verify(outcome, |rank| all[rank * case.len..(rank + 1) * case.len].to_vec())
}
