//! Proofs of the operations whose ranks do not all do alike: between the two groups of an
//! intercommunicator, and among neighbours. Every case runs with buffered and with synchronous
//! sends, in several orders.

use dunlin_base::Result;
use dunlin_coll::inter::{self, Role};
use dunlin_coll::symbolic::{Buffers, DomainMap, Process, Rules, Sends, Value, run};
use dunlin_coll::{
    BlockLayout, Channel, Member, Neighbourhood, Neighbours, PeerBlocks, View, neighbourhood,
};
use std::future::Future;

const LEN: usize = 2;
/// Large enough that blocks with different numbers have no element in common.
const NUMBERS: usize = 100;
const SEEDS: std::ops::Range<u64> = 0..6;
/// Sizes of the two groups.
const GROUPS: [(usize, usize); 7] = [(1, 1), (1, 2), (2, 1), (2, 3), (4, 4), (5, 1), (3, 6)];

/// Runs `algorithm` in every way and expects `wanted(rank)` in the receive buffers.
fn prove(
    ranks: usize,
    buffers: impl Fn(usize) -> Buffers,
    algorithm: impl AsyncFn(&Process<'_>) -> Result<()>,
    wanted: impl Fn(usize) -> Vec<Value>,
) {
    for sends in [Sends::Eager, Sends::Synchronous] {
        for seed in SEEDS {
            let domains = DomainMap::Unknown;
            let rules = Rules { sends, commutative: false, seed, room: usize::MAX, domains };
            let outcome = run(rules, (0..ranks).map(&buffers).collect(), &algorithm);
            let outcome = outcome.unwrap_or_else(|e| panic!("{sends:?}, seed {seed}: {e}"));
            for (rank, recv) in outcome.recv.iter().enumerate() {
                assert_eq!(*recv, wanted(rank), "rank {rank}, {sends:?}, seed {seed}");
            }
        }
    }
}

/// One group, as a process sees it.
struct Side<'p> {
    process: &'p Process<'p>,
    /// This process's rank in its own group.
    me: usize,
    /// The world ranks of the peers are `first..first + size`.
    first: usize,
    size: usize,
}

impl Member for Side<'_> {
    fn rank(&self) -> usize {
        self.me
    }

    fn size(&self) -> usize {
        self.size
    }

    fn temp(&self, len: usize) -> Result<View> {
        self.process.temp(len)
    }

    fn copy(&self, from: View, to: View) -> Result<()> {
        self.process.copy(from, to)
    }

    fn reduce(&self, left: View, right: View) -> Result<()> {
        self.process.reduce(left, right)
    }
}

impl Channel for Side<'_> {
    type Request = usize;

    fn isend(&self, to: usize, from: View) -> Result<usize> {
        self.process.isend(self.first + to, from)
    }

    fn irecv(&self, from: usize, into: View) -> Result<usize> {
        self.process.irecv(self.first + from, into)
    }

    fn wait(&self, request: usize) -> impl Future<Output = Result<()>> {
        self.process.wait(request)
    }
}

/// The two groups: the first holds the lower ranks.
#[derive(Clone, Copy)]
struct Two {
    sizes: (usize, usize),
}

impl Two {
    fn ranks(self) -> usize {
        self.sizes.0 + self.sizes.1
    }

    /// The group of `rank` and the other one, each by first rank and size.
    fn groups(self, rank: usize) -> [(usize, usize); 2] {
        let (low, high) = ((0, self.sizes.0), self.sizes);
        if rank < self.sizes.0 { [low, high] } else { [high, low] }
    }

    fn channels<'p>(self, process: &'p Process<'p>) -> (Side<'p>, Side<'p>) {
        let [own, other] = self.groups(process.rank());
        let me = process.rank() - own.0;
        let side = |(first, size)| Side { process, me, first, size };
        (side(own), side(other))
    }

    /// The part of `rank` where the root has world rank `root`.
    fn role(self, rank: usize, root: usize) -> Role {
        let [own, other] = self.groups(rank);
        match root {
            _ if rank == root => Role::Root,
            _ if (own.0..own.0 + own.1).contains(&root) => Role::Idle,
            _ => Role::Partner(root - other.0),
        }
    }

    /// The operator's result over the group other than that of `rank`.
    fn others_sum(self, rank: usize, indices: std::ops::Range<usize>) -> Vec<Value> {
        let [_, (first, size)] = self.groups(rank);
        indices.map(|index| Value::of_ranks(first, first + size, index)).collect()
    }
}

fn groups() -> impl Iterator<Item = Two> {
    GROUPS.into_iter().map(|sizes| Two { sizes })
}

fn rooted() -> impl Iterator<Item = (Two, usize)> {
    groups().flat_map(|two| (0..two.ranks()).map(move |root| (two, root)))
}

/// Elements of block `number` of what `rank` contributes.
fn block(rank: usize, number: usize) -> Vec<Value> {
    (0..LEN).map(|i| Value::of(rank, number * NUMBERS + i)).collect()
}

fn blocks(count: usize, block: impl Fn(usize) -> Vec<Value>) -> Vec<Value> {
    (0..count).flat_map(block).collect()
}

fn undefined(len: usize) -> Vec<Value> {
    vec![Value::Undefined; len]
}

#[test]
fn a_barrier_between_two_groups_ends() {
    for two in groups() {
        let buffers = |_| Buffers::plain(Vec::new(), Vec::new());
        let barrier = async |p: &Process<'_>| {
            let (local, remote) = two.channels(p);
            inter::barrier(&local, &remote).await
        };
        prove(two.ranks(), buffers, barrier, |_| Vec::new());
    }
}

#[test]
fn bcast_reaches_the_other_group_alone() {
    for (two, root) in rooted() {
        let held = |rank| if rank == root { block(root, 0) } else { undefined(LEN) };
        let bcast = async |p: &Process<'_>| {
            let (local, remote) = two.channels(p);
            inter::bcast(&local, &remote, two.role(p.rank(), root), LEN).await
        };
        let wanted = |rank| match two.role(rank, root) {
            Role::Idle => undefined(LEN),
            Role::Root | Role::Partner(_) => block(root, 0),
        };
        prove(two.ranks(), |rank| Buffers::plain(Vec::new(), held(rank)), bcast, wanted);
    }
}

#[test]
fn gather_collects_the_blocks_of_the_other_group() {
    for (two, root) in rooted() {
        let [_, (first, size)] = two.groups(root);
        let room = |rank| if rank == root { undefined(size * LEN) } else { Vec::new() };
        let gather = async |p: &Process<'_>| {
            let role = two.role(p.rank(), root);
            inter::gather(&two.channels(p).1, role, LEN, PeerBlocks::Equal(LEN)).await
        };
        let all = blocks(size, |i| block(first + i, 0));
        let wanted = |rank| if rank == root { all.clone() } else { Vec::new() };
        prove(two.ranks(), |rank| Buffers::plain(block(rank, 0), room(rank)), gather, wanted);
    }
}

#[test]
fn scatter_hands_out_blocks_to_the_other_group() {
    for (two, root) in rooted() {
        let [_, (first, size)] = two.groups(root);
        let buffers = |rank| {
            let send = if rank == root { blocks(size, |i| block(root, i)) } else { Vec::new() };
            Buffers::plain(send, undefined(LEN))
        };
        let scatter = async |p: &Process<'_>| {
            let role = two.role(p.rank(), root);
            inter::scatter(&two.channels(p).1, role, PeerBlocks::Equal(LEN), LEN).await
        };
        let wanted = |rank| match two.role(rank, root) {
            Role::Partner(_) => block(root, rank - first),
            Role::Root | Role::Idle => undefined(LEN),
        };
        prove(two.ranks(), buffers, scatter, wanted);
    }
}

#[test]
fn every_process_trades_a_block_with_every_process_of_the_other_group() {
    for two in groups() {
        let buffers = |rank| {
            let [_, (_, size)] = two.groups(rank);
            Buffers::plain(blocks(size, |i| block(rank, i)), undefined(size * LEN))
        };
        let alltoall = async |p: &Process<'_>| {
            inter::alltoall(&two.channels(p).1, PeerBlocks::Equal(LEN), PeerBlocks::Equal(LEN))
                .await
        };
        let wanted = |rank| {
            let [(own, _), (first, size)] = two.groups(rank);
            blocks(size, |i| block(first + i, rank - own))
        };
        prove(two.ranks(), buffers, alltoall, wanted);
    }
}

#[test]
fn reduce_combines_the_other_group_in_the_order_of_its_ranks() {
    for (two, root) in rooted() {
        let room = |rank| if rank == root { undefined(LEN) } else { Vec::new() };
        let reduce = async |p: &Process<'_>| {
            let (local, remote) = two.channels(p);
            inter::reduce(&local, &remote, two.role(p.rank(), root), LEN).await
        };
        let wanted = |rank| match rank == root {
            true => two.others_sum(rank, 0..LEN),
            false => Vec::new(),
        };
        prove(two.ranks(), |rank| Buffers::plain(block(rank, 0), room(rank)), reduce, wanted);
    }
}

#[test]
fn allreduce_gives_each_group_the_result_of_the_other() {
    for two in groups() {
        let buffers = |rank| Buffers::plain(block(rank, 0), undefined(LEN));
        let allreduce = async |p: &Process<'_>| {
            let (local, remote) = two.channels(p);
            inter::allreduce(&local, &remote, LEN).await
        };
        prove(two.ranks(), buffers, allreduce, |rank| two.others_sum(rank, 0..LEN));
    }
}

/// Where the blocks of `size` processes begin in a vector of `total` elements: the first process
/// gets what is left over.
fn starts(size: usize, total: usize) -> Vec<usize> {
    (0..=size).map(|i| if i == 0 { 0 } else { total - size + i }).collect()
}

#[test]
fn reduce_scatter_divides_the_other_groups_result() {
    for two in groups() {
        let total = 2 * two.sizes.0.max(two.sizes.1);
        let own_block = |rank: usize| {
            let [(first, size), _] = two.groups(rank);
            let starts = starts(size, total);
            starts[rank - first]..starts[rank - first + 1]
        };
        let buffers = |rank| {
            let operand = (0..total).map(|i| Value::of(rank, i)).collect();
            Buffers::plain(operand, undefined(own_block(rank).len()))
        };
        let reduce_scatter = async |p: &Process<'_>| {
            let (local, remote) = two.channels(p);
            let starts = starts(local.size(), total);
            let counts: Vec<usize> = starts.windows(2).map(|w| w[1] - w[0]).collect();
            let blocks =
                PeerBlocks::BlockLayout(BlockLayout { counts: &counts, displacements: &starts });
            inter::reduce_scatter(&local, &remote, total, blocks).await
        };
        let wanted = |rank| two.others_sum(rank, own_block(rank));
        prove(two.ranks(), buffers, reduce_scatter, wanted);
    }
}

/// A rank's sources, each with the number of this rank among the source's destinations.
type Sources = Vec<Option<(usize, usize)>>;

/// Every destination gets a block of its own; proves that it arrives in its place.
fn prove_neighbours(
    ranks: usize,
    grid: bool,
    sources: impl Fn(usize) -> Sources,
    destinations: impl Fn(usize) -> Vec<Option<usize>>,
) {
    let buffers = |rank| {
        let send = blocks(destinations(rank).len(), |j| block(rank, j));
        Buffers::plain(send, undefined(sources(rank).len() * LEN))
    };
    let trade = async |p: &Process<'_>| {
        let from: Vec<_> = sources(p.rank()).iter().map(|s| s.map(|s| s.0)).collect();
        let to = destinations(p.rank());
        let neighbours = Neighbours { sources: &from, destinations: &to, grid };
        let (send, recv) = (PeerBlocks::Equal(LEN), PeerBlocks::Equal(LEN));
        neighbourhood(p, Neighbourhood { neighbours, send, recv }).await
    };
    let wanted = |rank: usize| {
        let arrived = |s: &Option<(usize, usize)>| match s {
            Some((from, number)) => block(*from, *number),
            None => undefined(LEN),
        };
        sources(rank).iter().flat_map(arrived).collect()
    };
    prove(ranks, buffers, trade, wanted);
}

#[test]
fn what_is_sent_down_a_ring_arrives_from_above_even_where_both_are_one_rank() {
    for ranks in 1..6 {
        let below = |rank: usize| (rank + ranks - 1) % ranks;
        let above = |rank: usize| (rank + 1) % ranks;
        let sources = |rank| vec![Some((below(rank), 1)), Some((above(rank), 0))];
        prove_neighbours(ranks, true, sources, |rank| vec![Some(below(rank)), Some(above(rank))]);
    }
}

#[test]
fn nobody_is_beyond_the_ends_of_a_line() {
    for ranks in 1..6usize {
        let below = |rank: usize| rank.checked_sub(1);
        let above = |rank: usize| (rank + 1 < ranks).then_some(rank + 1);
        let sources =
            |rank| vec![below(rank).map(|from| (from, 1)), above(rank).map(|from| (from, 0))];
        prove_neighbours(ranks, true, sources, |rank| vec![below(rank), above(rank)]);
    }
}

#[test]
fn several_edges_between_two_ranks_meet_in_order() {
    for ranks in 1..6usize {
        // Twice to the right, with the rank itself and rank 0 between and after.
        let destinations = |rank: usize| {
            let right = Some((rank + 1) % ranks);
            vec![right, Some(rank), right, Some(0)]
        };
        let sources = |rank: usize| {
            let edges = |from: usize| {
                let to = destinations(from).into_iter().enumerate();
                to.filter(move |(_, to)| *to == Some(rank)).map(move |(j, _)| Some((from, j)))
            };
            (0..ranks).rev().flat_map(edges).collect()
        };
        prove_neighbours(ranks, false, sources, destinations);
    }
}
