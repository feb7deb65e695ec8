//! For every operation, what the buffers hold before and must hold after, and the list of cases in
//! which every algorithm has to publish it.

mod blocks;
mod irregular;
mod whole;

use super::{
    Buffers, DomainMap, NodeMap, Outcome, Overlay, Process, Rules, Sends, Traffic, Value, run_on,
};
use crate::select::{AlgorithmSet, CallTraits, Params, published_bytes};
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
    /// Which ranks share a node.
    pub nodes: NodeMap,
    /// Which ranks of a node share caches.
    pub domains: DomainMap,
    /// When sends complete.
    pub sends: Sends,
    /// Draws the order in which ranks run.
    pub seed: u64,
}

/// Element sizes, in atoms, that ranks of a mixed case take in turn.
const GRAINS: [usize; 4] = [1, 2, 3, 6];
/// Atoms per element of `Case::len` in a mixed case: a multiple of every grain.
const MIXED_ATOMS: usize = 6;
/// The largest group that is tried mixed.
const MIXED_RANKS_MAX: usize = 40;

impl Case {
    fn rules(&self, room: usize) -> Rules {
        let Case { sends, commutative, seed, domains, .. } = *self;
        Rules { sends, commutative, seed, room, domains }
    }

    fn shape(&self) -> CallTraits {
        let nodes = self.nodes.nodes(self.ranks).count();
        let shape = CallTraits::reduction(self.ranks, self.commutative).on_nodes(nodes);
        CallTraits { in_place: self.in_place, ..shape.shared(true, true) }
    }

    /// Atoms that a rank publishes of `operation`, at most.
    fn published(&self, operation: &str) -> usize {
        published_bytes(operation, &Params { shape: self.shape(), bytes_per_rank: self.atoms() })
    }

    /// Atoms of one block.
    fn atoms(&self) -> usize {
        if self.mixed { self.len * MIXED_ATOMS } else { self.len }
    }

    /// Atoms per element of a buffer of `rank`; `salt` tells the send from the receive buffer.
    fn grain(&self, rank: usize, salt: usize) -> usize {
        if self.mixed { GRAINS[(rank + salt) % GRAINS.len()] } else { 1 }
    }

    /// Runs an operation to which a rank contributes one block.
    fn run(
        &self,
        buffers: impl Fn(usize) -> Buffers,
        algorithm: impl AsyncFn(&Process<'_>) -> Result<()>,
    ) -> Result<Outcome> {
        self.run_with_room(self.atoms(), buffers, algorithm)
    }

    /// Runs an operation to which a rank contributes `room` atoms at most: there is no room to
    /// copy in more.
    fn run_with_room(
        &self,
        room: usize,
        buffers: impl Fn(usize) -> Buffers,
        algorithm: impl AsyncFn(&Process<'_>) -> Result<()>,
    ) -> Result<Outcome> {
        run_on(self.nodes, self.rules(room), (0..self.ranks).map(buffers).collect(), algorithm)
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

/// A count that no algorithm could use unpunished, for ranks where it means nothing.
const MEANINGLESS: usize = usize::MAX;

type Prove = dyn Fn(&Case) -> Result<Vec<Traffic>>;

/// One algorithm and how to prove it.
pub struct Subject {
    /// The operation's name.
    pub operation: &'static str,
    /// The algorithm's name.
    pub name: &'static str,
    /// The algorithm's name with its parameter, as in `knomial:4`.
    pub algorithm: String,
    matters: Matters,
    fits: Box<dyn Fn(&CallTraits) -> bool>,
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
    nodes: bool,
    domains: bool,
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

/// The names of the algorithms that ask which ranks share a node.
const BY_NODES: [&str; 7] = [
    "two_level",
    "two_level_cico",
    "two_level_cico_pipelined",
    "two_level_cico_tree",
    "two_level_single_copy",
    "multi_leader",
    "multi_leader_single_copy",
];

/// Others that do, by operation.
const IN_NODE_ORDER: [(&str, &str); 5] = [
    ("allgather", "ring"),
    ("allgather", "neighbour_exchange"),
    ("reduce", "in_order_binary"),
    ("reduce_scatter", "ring"),
    ("reduce_scatter_block", "ring"),
];

/// The names of the algorithms that ask which ranks of a node share a cache.
const ALONG_DOMAINS: [&str; 3] = ["two_level_cico_tree", "cico_tree", "cico_levels"];

/// The values that parameters are tried with; a radix of 1 stands for one of 2.
const PARAMETERS: [usize; 3] = [1, 3, 8];

/// An algorithm with every parameter it is tried with.
fn variants<A: AlgorithmSet>(how: A) -> Vec<A> {
    let mut list: Vec<A> = PARAMETERS.iter().map(|&value| how.with_parameter(value)).collect();
    list.dedup();
    list
}

fn add<A: AlgorithmSet>(
    list: &mut Vec<Subject>,
    matters: Matters,
    prove: fn(&Case, A) -> Result<Vec<Traffic>>,
) {
    list.extend(A::ALL.iter().flat_map(|&how| variants(how)).map(|how| Subject {
        operation: A::OPERATION,
        name: how.name(),
        algorithm: match how.parameter() {
            Some((_, value)) => format!("{}:{value}", how.name()),
            None => how.name().to_string(),
        },
        matters: Matters {
            nodes: BY_NODES.contains(&how.name())
                || IN_NODE_ORDER.contains(&(A::OPERATION, how.name())),
            domains: ALONG_DOMAINS.contains(&how.name()),
            ..matters
        },
        fits: Box::new(move |shape| how.fits(shape)),
        prove: Box::new(move |case| prove(case, how)),
    }));
}

/// Every algorithm of every operation.
pub fn subjects() -> Vec<Subject> {
    let none = Matters::default();
    let rooted = Matters { root: true, len: true, ..none };
    let by_block = Matters { len: true, in_place: true, mixed: true, ..none };
    let reduction = Matters { len: true, in_place: true, commutative: true, ..none };
    let mut list = Vec::new();
    add(&mut list, none, whole::barrier);
    add(&mut list, rooted, whole::bcast);
    add(&mut list, Matters { root: true, ..reduction }, whole::reduce);
    add(&mut list, reduction, whole::allreduce);
    add(&mut list, Matters { root: true, ..by_block }, blocks::gather);
    add(&mut list, Matters { root: true, ..by_block }, blocks::scatter);
    add(&mut list, by_block, blocks::allgather);
    add(&mut list, by_block, blocks::alltoall);
    add(&mut list, reduction, whole::scan);
    add(&mut list, reduction, whole::exscan);
    add(&mut list, reduction, whole::reduce_scatter_block);
    add(&mut list, reduction, irregular::reduce_scatter);
    add(&mut list, Matters { root: true, ..by_block }, irregular::gatherv);
    add(&mut list, Matters { root: true, ..by_block }, irregular::scatterv);
    add(&mut list, by_block, irregular::allgatherv);
    add(&mut list, by_block, irregular::alltoallv);
    list
}

/// The largest group of which all roots and all node maps are tried.
const ALL_UP_TO: usize = 17;

/// The roots tried: all of a small group, a sample of a large one.
fn roots(ranks: usize) -> Vec<usize> {
    if ranks <= ALL_UP_TO {
        return (0..ranks).collect();
    }
    vec![0, 1, ranks / 2, ranks - 1]
}

/// Every case of `list` with every one of `values`.
fn vary<T: Copy>(list: Vec<Case>, values: &[T], set: fn(&mut Case, T)) -> Vec<Case> {
    let with = |case: &Case, value: T| {
        let mut case = *case;
        set(&mut case, value);
        case
    };
    list.iter().flat_map(|case| values.iter().map(move |&value| with(case, value))).collect()
}

/// Every case with `ranks` ranks in which `subject` must do its work, block sizes from `lens`.
pub fn cases(subject: &Subject, ranks: usize, lens: &[usize], seed: u64) -> Vec<Case> {
    let m = subject.matters;
    let either = |matters: bool| if matters { &[false, true][..] } else { &[false][..] };
    let mut list = vec![Case {
        ranks,
        root: 0,
        len: 0,
        in_place: false,
        commutative: !m.commutative,
        mixed: false,
        nodes: NodeMap::One,
        domains: DomainMap::Unknown,
        sends: Sends::Eager,
        seed,
    }];
    if m.root {
        list = vary(list, &roots(ranks), |case, root| case.root = root);
    }
    if m.len {
        list = vary(list, lens, |case, len| case.len = len);
    }
    if m.commutative {
        list = vary(list, &[false, true], |case, commutative| case.commutative = commutative);
    }
    list = vary(list, either(m.in_place), |case, in_place| case.in_place = in_place);
    list = vary(list, either(m.mixed), |case, mixed| case.mixed = mixed);
    if m.nodes {
        let maps = if ranks <= ALL_UP_TO { &NodeMap::ALL[..] } else { &NodeMap::SAMPLE };
        list = vary(list, maps, |case, nodes| case.nodes = nodes);
    }
    if m.domains {
        list = vary(list, &DomainMap::ALL, |case, domains| case.domains = domains);
    }
    list = vary(list, &[Sends::Eager, Sends::Synchronous], |case, sends| case.sends = sends);
    // Elements of a mixed case are several atoms each: larger ones would only be slower.
    let affordable = |case: &Case| !case.mixed || (case.len <= 1 && ranks <= MIXED_RANKS_MAX);
    list.retain(|case| (subject.fits)(&case.shape()) && affordable(case));
    for (number, case) in list.iter_mut().enumerate() {
        case.seed += number as u64;
    }
    list
}
