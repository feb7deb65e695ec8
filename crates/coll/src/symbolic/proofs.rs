//! For every operation, what the buffers hold before and must hold after, and the list of cases in
//! which every algorithm has to show it.

use super::{Buffers, Outcome, Overlay, Process, Rules, Sends, Traffic, Value, run};
use crate::select::{Choice, Shape};
use crate::{
    Allgather, Allreduce, Alltoall, Bcast, Channel, Gather, Reduce, Scatter, allgather, allreduce,
    alltoall, barrier, bcast, gather, reduce, scatter,
};
use dunlin_base::{Error, ErrorClass, Result};

/// One call of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Number of ranks.
    pub ranks: usize,
    /// The root, where there is one.
    pub root: usize,
    /// Elements per rank or block.
    pub len: usize,
    /// Whether the call is in place.
    pub in_place: bool,
    /// Whether the operator commutes.
    pub commutative: bool,
    /// Whether ranks describe the same data by different counts and datatypes.
    pub mixed: bool,
    /// When sends complete.
    pub sends: Sends,
    /// Draws the order in which ranks run.
    pub seed: u64,
}

/// Element sizes, in atoms, that ranks of a mixed case take in turn.
const GRAINS: [usize; 4] = [1, 2, 3, 6];
/// Atoms per element of `Case::len` in a mixed case: a multiple of every grain.
const MIXED_ATOMS: usize = 6;

impl Case {
    fn rules(&self) -> Rules {
        Rules { sends: self.sends, commutative: self.commutative, seed: self.seed }
    }

    fn shape(&self) -> Shape {
        Shape { ranks: self.ranks, commutative: self.commutative, in_place: self.in_place }
    }

    /// Atoms of one block.
    fn atoms(&self) -> usize {
        if self.mixed { self.len * MIXED_ATOMS } else { self.len }
    }

    /// Atoms per element of a buffer of `rank`; `salt` tells the send from the receive buffer.
    fn grain(&self, rank: usize, salt: usize) -> usize {
        if self.mixed { GRAINS[(rank + salt) % GRAINS.len()] } else { 1 }
    }

    fn run(
        &self,
        buffers: impl Fn(usize) -> Buffers,
        algorithm: impl AsyncFn(&Process<'_>) -> Result<()>,
    ) -> Result<Outcome> {
        run(self.rules(), (0..self.ranks).map(buffers).collect(), algorithm)
    }
}

/// `count` atoms of the contribution of `rank`, from `first` on.
fn contribution(rank: usize, first: usize, count: usize) -> Vec<Value> {
    (first..first + count).map(|index| Value::of(rank, index)).collect()
}

/// Every rank's own `count` atoms, one rank after the other.
fn contributions(ranks: usize, count: usize) -> Vec<Value> {
    (0..ranks).flat_map(|rank| contribution(rank, 0, count)).collect()
}

fn undefined(count: usize) -> Vec<Value> {
    vec![Value::Undefined; count]
}

/// Compares receive buffers with what `expected` says of each rank.
fn verify(outcome: Outcome, expected: impl Fn(usize) -> Vec<Value>) -> Result<Vec<Traffic>> {
    for (rank, have) in outcome.recv.iter().enumerate() {
        let want = expected(rank);
        if let Some(at) = (0..want.len()).find(|&at| have[at] != want[at]) {
            let (have, want) = (&have[at], &want[at]);
            let text = format!("rank {rank} ends with {have} in atom {at}; it should be {want}");
            return Err(Error::new(ErrorClass::Intern, text));
        }
    }
    Ok(outcome.traffic)
}

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

/// A barrier carries no data; that it holds everyone back shows in who has heard of whom.
fn prove_barrier(case: &Case, how: barrier::Algorithm) -> Result<Vec<Traffic>> {
    let entered = std::cell::Cell::new(0);
    let nothing = |_| Buffers::plain(Vec::new(), Vec::new());
    let outcome = case.run(nothing, async |ch| {
        entered.set(entered.get() + 1);
        barrier(ch, how).await?;
        if entered.get() == case.ranks {
            return Ok(());
        }
        let text = format!("a rank left the barrier when {} had entered", entered.get());
        Err(Error::new(ErrorClass::Intern, text))
    })?;
    Ok(outcome.traffic)
}

fn prove_bcast(case: &Case, how: bcast::Algorithm) -> Result<Vec<Traffic>> {
    // Segments that the short vectors of a proof have several of.
    let how = match how {
        bcast::Algorithm::PipelinedChain { .. } => bcast::Algorithm::PipelinedChain { segment: 2 },
        other => other,
    };
    let v = Bcast { root: case.root, len: case.len };
    let data = contribution(case.root, 0, case.len);
    let buffers = |rank| {
        let held = if rank == case.root { data.clone() } else { undefined(case.len) };
        Buffers::plain(Vec::new(), held)
    };
    let outcome = case.run(buffers, async |ch| bcast(ch, v, how).await)?;
    verify(outcome, |_| data.clone())
}

fn prove_reduce(case: &Case, how: reduce::Algorithm) -> Result<Vec<Traffic>> {
    let v = Reduce { root: case.root, len: case.len, commutative: case.commutative };
    let buffers = |rank| operand(case, rank, rank == case.root);
    let outcome = case.run(buffers, async |ch| reduce(ch, v, how).await)?;
    verify(outcome, |rank| if rank == case.root { total(case) } else { Vec::new() })
}

fn prove_allreduce(case: &Case, how: allreduce::Algorithm) -> Result<Vec<Traffic>> {
    let v = Allreduce { len: case.len, commutative: case.commutative };
    let buffers = |rank| operand(case, rank, true);
    let outcome = case.run(buffers, async |ch| allreduce(ch, v, how).await)?;
    verify(outcome, |_| total(case))
}

/// Separate buffers with the element sizes of the case, scratch memory like the receive buffer.
fn mixed(case: &Case, rank: usize, send: Vec<Value>, recv: Vec<Value>) -> Buffers {
    let (send_grain, recv_grain) = (case.grain(rank, 0), case.grain(rank, 1));
    let overlay = Overlay::Apart;
    Buffers { send, recv, overlay, send_grain, recv_grain, temp_grain: recv_grain }
}

/// The same buffers with the send buffer laid over the receive buffer from atom `offset` on.
fn laid_over(offset: usize, mut buffers: Buffers) -> Buffers {
    let own = std::mem::take(&mut buffers.send);
    buffers.recv[offset..offset + own.len()].clone_from_slice(&own);
    buffers.overlay = Overlay::SendOverRecv(offset);
    Buffers { send_grain: buffers.recv_grain, ..buffers }
}

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

/// A count that no algorithm could use unpunished, for ranks where it means nothing.
const MEANINGLESS: usize = usize::MAX;

fn prove_gather(case: &Case, how: gather::Algorithm) -> Result<Vec<Traffic>> {
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
        gather(ch, Gather { root: case.root, send_block, recv_block }, how).await
    })?;
    let all = contributions(case.ranks, case.atoms());
    verify(outcome, |rank| if rank == case.root { all.clone() } else { Vec::new() })
}

fn prove_scatter(case: &Case, how: scatter::Algorithm) -> Result<Vec<Traffic>> {
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
    let outcome = case.run(buffers, async |ch| {
        let at_root = ch.rank() == case.root;
        let (send_block, recv_block) = match (at_root, blocks(case, ch.rank(), false)) {
            (false, (_, recv_block)) => (MEANINGLESS, recv_block),
            (true, (send_block, _)) if case.in_place => (send_block, send_block),
            (true, both) => both,
        };
        scatter(ch, Scatter { root: case.root, send_block, recv_block }, how).await
    })?;
    verify(outcome, |rank| all[rank * atoms..(rank + 1) * atoms].to_vec())
}

fn prove_allgather(case: &Case, how: allgather::Algorithm) -> Result<Vec<Traffic>> {
    let buffers = |rank| collecting(case, rank, case.in_place);
    let outcome = case.run(buffers, async |ch| {
        let (send_block, recv_block) = blocks(case, ch.rank(), case.in_place);
        allgather(ch, Allgather { send_block, recv_block }, how).await
    })?;
    let all = contributions(case.ranks, case.atoms());
    verify(outcome, |_| all.clone())
}

fn prove_alltoall(case: &Case, how: alltoall::Algorithm) -> Result<Vec<Traffic>> {
    let (atoms, in_place) = (case.atoms(), case.in_place);
    let buffers = |rank| {
        let outgoing = contribution(rank, 0, case.ranks * atoms);
        let apart = mixed(case, rank, outgoing, undefined(case.ranks * atoms));
        if in_place { laid_over(0, apart) } else { apart }
    };
    let outcome = case.run(buffers, async |ch| {
        let (send_block, recv_block) = blocks(case, ch.rank(), in_place);
        alltoall(ch, Alltoall { send_block, recv_block, in_place }, how).await
    })?;
    verify(outcome, |rank| {
        (0..case.ranks).flat_map(|from| contribution(from, rank * atoms, atoms)).collect()
    })
}

type Prove = dyn Fn(&Case) -> Result<Vec<Traffic>>;

/// One algorithm and how to prove it.
pub struct Subject {
    /// The operation's name.
    pub operation: &'static str,
    /// The algorithm's name.
    pub algorithm: &'static str,
    matters: Matters,
    fits: Box<dyn Fn(&Shape) -> bool>,
    prove: Box<Prove>,
}

/// Which properties of a case make a difference to an operation.
#[derive(Clone, Copy, Default)]
struct Matters {
    root: bool,
    len: bool,
    in_place: bool,
    commutative: bool,
    mixed: bool,
}

impl Subject {
    /// Runs the algorithm once; the result says what every rank sent.
    pub fn prove(&self, case: &Case) -> Result<Vec<Traffic>> {
        (self.prove)(case).map_err(|error| {
            let text = format!("{} by {}: {error} [{case:?}]", self.operation, self.algorithm);
            Error::new(error.class, text)
        })
    }
}

fn add<A: Choice>(
    list: &mut Vec<Subject>,
    matters: Matters,
    prove: fn(&Case, A) -> Result<Vec<Traffic>>,
) {
    list.extend(A::ALL.iter().map(|&how| Subject {
        operation: A::OPERATION,
        algorithm: how.name(),
        matters,
        fits: Box::new(move |shape| how.fits(shape)),
        prove: Box::new(move |case| prove(case, how)),
    }));
}

/// Every algorithm of every operation.
pub fn subjects() -> Vec<Subject> {
    let none = Matters::default();
    let rooted = Matters { root: true, len: true, ..none };
    let blocks = Matters { len: true, in_place: true, mixed: true, ..none };
    let reduction = Matters { len: true, in_place: true, commutative: true, ..none };
    let mut list = Vec::new();
    add(&mut list, none, prove_barrier);
    add(&mut list, rooted, prove_bcast);
    add(&mut list, Matters { root: true, ..reduction }, prove_reduce);
    add(&mut list, reduction, prove_allreduce);
    add(&mut list, Matters { root: true, ..blocks }, prove_gather);
    add(&mut list, Matters { root: true, ..blocks }, prove_scatter);
    add(&mut list, blocks, prove_allgather);
    add(&mut list, blocks, prove_alltoall);
    list
}

/// The roots tried: all of a small group, a sample of a large one.
fn roots(ranks: usize) -> Vec<usize> {
    const ALL_UP_TO: usize = 17;
    if ranks <= ALL_UP_TO {
        return (0..ranks).collect();
    }
    vec![0, 1, ranks / 2, ranks - 1]
}

/// Every case with `ranks` ranks in which `subject` must do its work, block sizes from `lens`.
pub fn cases(subject: &Subject, ranks: usize, lens: &[usize], seed: u64) -> Vec<Case> {
    let m = subject.matters;
    let either = |matters: bool| if matters { &[false, true][..] } else { &[false][..] };
    let lens = if m.len { lens } else { &[0] };
    let roots = if m.root { roots(ranks) } else { vec![0] };
    let mut list = Vec::new();
    for &root in &roots {
        for &len in lens {
            for &in_place in either(m.in_place) {
                for &commutative in either(m.commutative) {
                    for &mixed in either(m.mixed) {
                        for sends in [Sends::Eager, Sends::Synchronous] {
                            let seed = seed + list.len() as u64;
                            list.push(Case {
                                ranks,
                                root,
                                len,
                                in_place,
                                commutative,
                                mixed,
                                sends,
                                seed,
                            });
                        }
                    }
                }
            }
        }
    }
    // Operations without an operator count as commutative; one element of a mixed case is several
    // atoms already.
    list.retain(|case| {
        let commutative = case.commutative || !m.commutative;
        (subject.fits)(&Shape { commutative, ..case.shape() }) && (!case.mixed || case.len <= 1)
    });
    list
}
