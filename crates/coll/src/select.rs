//! Which algorithm runs: data, not code. Every operation has a table of rules; the first rule that
//! covers the call and whose algorithm fits it decides. All ranks see the same parameters, so they
//! make the same choice.

use dunlin_base::{Error, ErrorClass, Result};
use std::fmt::Debug;

/// What decides whether an algorithm can run at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTraits {
    /// Number of ranks.
    pub ranks: usize,
    /// Number of nodes they are on, at least 1.
    pub nodes: usize,
    /// Whether operands may be swapped; true for operations without an operator.
    pub commutative: bool,
    /// Whether the call gave `MPI_IN_PLACE`; matters where all ranks give it or none does: to
    /// alltoall, alltoallv, and the two forms of reduce-scatter.
    pub in_place: bool,
    /// Whether the ranks of each node share memory, with room for what any of them publishes; see
    /// [`published_bytes`].
    pub cico: bool,
    /// Whether the ranks of each node may share what this call publishes by single copy.
    pub single_copy: bool,
    /// Whether between the ranks of a node the kernel copies slowly or may not: then messages of a
    /// few hundred KiB are eager, in bounce buffers, and as good as what ranks publish. False where
    /// ranks share no memory.
    pub slow_copy: bool,
    /// Whether the ranks of each node share memory with room for chunks of what any of them
    /// publishes.
    pub chunks: bool,
    /// Whether a node has more ranks than cores: then each wait costs switches to other ranks.
    /// False where ranks share no memory: they do not tell each other.
    pub oversubscribed: bool,
}

impl CallTraits {
    /// A call without operator and not in place, on one node, by messages alone.
    pub const fn plain(ranks: usize) -> CallTraits {
        CallTraits {
            ranks,
            nodes: 1,
            commutative: true,
            in_place: false,
            cico: false,
            single_copy: false,
            slow_copy: false,
            chunks: false,
            oversubscribed: false,
        }
    }

    /// A call with an operator, on one node; whether it is in place makes no difference.
    pub const fn reduction(ranks: usize, commutative: bool) -> CallTraits {
        CallTraits { commutative, ..CallTraits::plain(ranks) }
    }

    /// The same call by ranks that are on `nodes` nodes.
    pub const fn on_nodes(self, nodes: usize) -> CallTraits {
        CallTraits { nodes, ..self }
    }

    /// The same call by ranks of which those of a node share memory.
    pub const fn shared(self, cico: bool, single_copy: bool) -> CallTraits {
        CallTraits { cico, single_copy, chunks: true, ..self }
    }

    /// The same call by ranks of which those of a node share memory and publish `published` bytes
    /// at most.
    pub const fn sharing(self, published: usize, single_copy: bool) -> CallTraits {
        let shape = self.shared(published <= CICO_BYTES_MAX, single_copy);
        CallTraits { chunks: published <= PIPELINED_BYTES_MAX, ..shape }
    }

    /// Whether all ranks share one memory, with room for what any of them publishes.
    pub const fn all_cico(&self) -> bool {
        self.cico && self.nodes == 1
    }

    /// Whether all ranks share one memory, with room for chunks of what each contributes.
    pub const fn all_pipelined(&self) -> bool {
        self.chunks && self.nodes == 1
    }

    /// Whether all ranks can read each other's own memory.
    pub const fn all_single_copy(&self) -> bool {
        self.single_copy && self.nodes == 1
    }

    /// Ranks per node; where nodes have different numbers of them, the mean, rounded up.
    pub const fn ranks_per_node(&self) -> usize {
        self.ranks.div_ceil(self.nodes)
    }
}

/// What decides which algorithm is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Ranks, operator, in place.
    pub shape: CallTraits,
    /// Bytes contributed per rank: the vector of a reduction or bcast, one rank's send block of
    /// gather and allgather, one rank's receive block of scatter, the block for one peer of
    /// alltoall, the mean block of allgatherv, the whole vector of a reduce-scatter. Zero for the
    /// operations of [`WITHOUT_SIZE`].
    pub bytes_per_rank: usize,
}

impl Params {
    /// The same call, in place or not.
    pub const fn in_place(self, in_place: bool) -> Params {
        Params { shape: CallTraits { in_place, ..self.shape }, ..self }
    }
}

/// The operations that are chosen without regard to size: barrier has none, and of the others no
/// rank knows all counts, yet all must make the same choice.
pub const WITHOUT_SIZE: &[&str] = &["alltoallv", "barrier", "gatherv", "scatterv"];

/// Bytes that a rank can copy in at one stage: what an executor has room for.
pub const CICO_BYTES_MAX: usize = 64 << 10;

/// The most ranks of a node, with a core each, by which algorithms were measured.
pub(crate) const MEASURED_RANKS: usize = 16;
/// More than a pair, and no more than that.
pub(crate) const MEASURED: Range = Range { min: 3, max: MEASURED_RANKS };

/// Bytes that a rank can copy in in chunks: more than is worthwhile where ranks can expose.
pub const PIPELINED_BYTES_MAX: usize = 128 << 20;

/// Bytes that one rank publishes, at most, in a call by ranks that share memory: its whole
/// contribution, and in an allgather on several nodes the result, which one rank of each node
/// publishes.
#[inline]
pub fn published_bytes(operation: &str, params: &Params) -> usize {
    let of_all = params.shape.ranks.saturating_mul(params.bytes_per_rank);
    match operation {
        "alltoall" | "scatter" => of_all,
        "allgather" if params.shape.nodes > 1 => of_all,
        _ => params.bytes_per_rank,
    }
}

/// Ranks of a node from which on it is wide: it does not pay that each of them reads what all
/// others publish. Rules for such nodes are simulated, not measured, and for ranks with cores of
/// their own.
pub const WIDE_RANKS_MIN: usize = 17;

/// One rank per node, for [`When::across_nodes`].
pub(crate) const ONE: Range = Range::up_to(1);
/// 2 to 8 ranks per node.
pub(crate) const FEW: Range = Range { min: 2, max: 8 };
/// 9 ranks per node or more.
pub(crate) const MANY: Range = Range::from(9);
/// The ranks of one wide node.
pub(crate) const WIDE: Range = Range::from(WIDE_RANKS_MIN);
/// 49 ranks of one node, or per node, or more: some algorithms pay only there.
pub(crate) const WIDEST: Range = Range::from(49);

/// Bytes that fit into a slot of shared memory.
pub(crate) const IN_A_SLOT: Range = Range::up_to(CICO_BYTES_MAX);

/// Numbers from `min` to `max`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub min: usize,
    /// The largest.
    pub max: usize,
}

impl Range {
    /// No limits.
    pub const ALL: Range = Range { min: 0, max: usize::MAX };

    /// No more than `max`.
    pub const fn up_to(max: usize) -> Range {
        Range { min: 0, max }
    }

    /// No fewer than `min`.
    pub const fn from(min: usize) -> Range {
        Range { min, max: usize::MAX }
    }

    const fn has(&self, value: usize) -> bool {
        self.min <= value && value <= self.max
    }
}

/// The calls a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    /// Bytes per rank; see [`Params::bytes_per_rank`].
    pub bytes: Range,
    /// Number of ranks.
    pub ranks: Range,
    /// Number of nodes.
    pub nodes: Range,
    /// Ranks per node; see [`CallTraits::ranks_per_node`].
    pub ranks_per_node: Range,
    /// Only calls whose operands may be swapped, or only others.
    pub commutative: Option<bool>,
    /// Only calls in place, or only others.
    pub in_place: Option<bool>,
    /// Only calls by more ranks than cores, or only others.
    pub oversubscribed: Option<bool>,
    /// Only calls whose data ranks may share by single copy, or only others.
    pub single_copy: Option<bool>,
    /// Only calls by ranks between which the kernel copies slowly or may not, or only others.
    pub slow_copy: Option<bool>,
}

impl When {
    /// Every call.
    pub const ALWAYS: When = When {
        bytes: Range::ALL,
        ranks: Range::ALL,
        nodes: Range::ALL,
        ranks_per_node: Range::ALL,
        commutative: None,
        in_place: None,
        oversubscribed: None,
        single_copy: None,
        slow_copy: None,
    };

    /// Calls by ranks on several nodes that have a core each, as far as is known: see
    /// [`CallTraits::oversubscribed`]. Where nothing else is said rules for them were chosen by
    /// simulation, of 12 models of machines on 2 to 32 nodes.
    pub const fn across_nodes(ranks_per_node: Range, bytes: Range) -> When {
        let nodes = Range::from(2);
        When { bytes, nodes, ranks_per_node, oversubscribed: Some(false), ..When::ALWAYS }
    }

    /// Its ranges, with the names that tables build their keys from.
    pub const fn ranges(&self) -> [(&'static str, Range); 4] {
        [
            ("bytes", self.bytes),
            ("ranks", self.ranks),
            ("nodes", self.nodes),
            ("ranks_per_node", self.ranks_per_node),
        ]
    }

    /// Whether the call is among them.
    #[inline]
    pub fn covers(&self, params: &Params) -> bool {
        let shape = &params.shape;
        self.bytes.has(params.bytes_per_rank)
            && self.ranks.has(shape.ranks)
            && self.nodes.has(shape.nodes)
            // Few rules need it, and it costs a division.
            && (self.ranks_per_node == Range::ALL
                || self.ranks_per_node.has(shape.ranks_per_node()))
            && self.commutative.is_none_or(|wanted| wanted == shape.commutative)
            && self.in_place.is_none_or(|wanted| wanted == shape.in_place)
            && self.oversubscribed.is_none_or(|wanted| wanted == shape.oversubscribed)
            && self.single_copy.is_none_or(|wanted| wanted == shape.single_copy)
            && self.slow_copy.is_none_or(|wanted| wanted == shape.slow_copy)
    }
}

/// Who wrote a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Dunlin.
    BuiltIn,
    /// The user's table, at this line.
    Table {
        /// Line of the file, from 1.
        line: u32,
    },
    /// The table that is shipped for the machine, at this line.
    Machine {
        /// Line of the file, from 1.
        line: u32,
    },
    /// The setting that forces algorithms.
    Setting,
}

/// A row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule<A> {
    /// The calls it covers.
    pub when: When,
    /// What to run.
    pub algorithm: A,
    /// Who says so.
    pub origin: Origin,
}

impl<A> Rule<A> {
    /// A rule of a built-in table.
    pub const fn new(when: When, algorithm: A) -> Self {
        Rule { when, algorithm, origin: Origin::BuiltIn }
    }

    /// A rule of a table file, if that is shipped.
    pub(crate) fn as_shipped(&self) -> Self
    where
        A: Copy,
    {
        let origin = match self.origin {
            Origin::Table { line } => Origin::Machine { line },
            origin => origin,
        };
        Rule { origin, ..*self }
    }

    /// Covers everything: what ends a table.
    pub const fn otherwise(algorithm: A) -> Self {
        Rule::new(When::ALWAYS, algorithm)
    }

    /// Covers any number of ranks up to `bytes_max` per rank.
    pub const fn up_to_bytes(bytes_max: usize, algorithm: A) -> Self {
        Rule::new(When { bytes: Range::up_to(bytes_max), ..When::ALWAYS }, algorithm)
    }

    /// Covers two ranks with more than `bytes` each. There one message is as good as memory
    /// published: both sides copy.
    pub const fn pair_above(bytes: usize, algorithm: A) -> Self {
        let bytes = Range { min: bytes + 1, max: usize::MAX };
        Rule::new(When { bytes, ranks: Range::up_to(2), ..When::ALWAYS }, algorithm)
    }

    /// Covers two ranks that share no more than they can copy in, where single copy is slow or
    /// impossible: what a message of that size would need as well.
    pub const fn pair_without_single_copy(algorithm: A) -> Self {
        let (ranks, bytes) = (Range::up_to(2), Range::up_to(CICO_BYTES_MAX));
        Rule::new(When { bytes, ranks, single_copy: Some(false), ..When::ALWAYS }, algorithm)
    }

    /// Covers two ranks of one node that publish more than they can copy in, up to `bytes_max`
    /// each, where the kernel copies slowly. These rules, and those for few, were measured on an
    /// AMD EPYC, in turns with what would be chosen without them: up to 2.8 times as fast.
    pub const fn pair_with_slow_copies(bytes_max: usize, algorithm: A) -> Self {
        Rule::with_slow_copies(2, bytes_max, None, algorithm)
    }

    /// Covers the same by up to `ranks_max` ranks, more than cores, with up to `bytes_max` each.
    pub const fn few_with_slow_copies(ranks_max: usize, bytes_max: usize, algorithm: A) -> Self {
        Rule::with_slow_copies(ranks_max, bytes_max, Some(true), algorithm)
    }

    const fn with_slow_copies(
        ranks_max: usize,
        bytes_max: usize,
        oversubscribed: Option<bool>,
        algorithm: A,
    ) -> Self {
        let (ranks, bytes) = (Range::up_to(ranks_max), Range::up_to(bytes_max));
        let (nodes, yes) = (Range::up_to(1), Some(true));
        let slow = When { single_copy: yes, slow_copy: yes, ..When::ALWAYS };
        Rule::new(When { ranks, bytes, nodes, oversubscribed, ..slow }, algorithm)
    }

    /// Covers two ranks with up to `bytes_max` each.
    pub const fn pair_up_to(bytes_max: usize, algorithm: A) -> Self {
        Rule::up_to(2, bytes_max, algorithm)
    }

    /// Covers calls of up to `bytes_max` per rank by up to `ranks_max` ranks, more than cores.
    pub const fn oversubscribed(ranks_max: usize, bytes_max: usize, algorithm: A) -> Self {
        let (ranks, bytes) = (Range::up_to(ranks_max), Range::up_to(bytes_max));
        Rule::new(When { ranks, bytes, oversubscribed: Some(true), ..When::ALWAYS }, algorithm)
    }

    /// Covers ranks of one node that have a core each. Rules for up to 16 were measured on 16 cores
    /// of an Intel Xeon (Emerald Rapids), by 4, 8 and 16 ranks, beside all other algorithms, where
    /// nothing else is said; those for more are simulated, see [`WIDE_RANKS_MIN`].
    pub const fn on_own_cores(ranks: Range, bytes: Range, algorithm: A) -> Self {
        let (nodes, oversubscribed) = (Range::up_to(1), Some(false));
        Rule::new(When { ranks, bytes, nodes, oversubscribed, ..When::ALWAYS }, algorithm)
    }

    /// Covers ranks on several nodes, some of which share one, with up to `bytes_max` each.
    pub const fn on_shared_nodes(bytes_max: usize, algorithm: A) -> Self {
        Rule::on_nodes_shared_by_few(usize::MAX, bytes_max, algorithm)
    }

    /// Covers the same where no node has more than `ranks_max` ranks.
    pub const fn on_nodes_shared_by_few(ranks_max: usize, bytes_max: usize, algorithm: A) -> Self {
        Rule::on_nodes(Range { min: 2, max: ranks_max }, bytes_max, algorithm)
    }

    /// Covers ranks on several nodes, none of which has more than `ranks_max`.
    pub const fn on_nodes_of_few(ranks_max: usize, bytes_max: usize, algorithm: A) -> Self {
        Rule::on_nodes(Range::up_to(ranks_max), bytes_max, algorithm)
    }

    /// Covers at least `ranks_min` ranks on several nodes with up to `bytes_max` each.
    pub const fn on_nodes_from(ranks_min: usize, bytes_max: usize, algorithm: A) -> Self {
        let (bytes, nodes) = (Range::up_to(bytes_max), Range::from(2));
        let ranks = Range::from(ranks_min);
        Rule::new(When { bytes, ranks, nodes, ..When::ALWAYS }, algorithm)
    }

    /// Covers the calls of [`When::across_nodes`].
    pub const fn across_nodes(ranks_per_node: Range, bytes: Range, algorithm: A) -> Self {
        Rule::new(When::across_nodes(ranks_per_node, bytes), algorithm)
    }

    /// Covers those by up to `ranks` ranks in all.
    pub const fn across_up_to(ranks: usize, each: Range, bytes: Range, algorithm: A) -> Self {
        let ranks = Range::up_to(ranks);
        Rule::new(When { ranks, ..When::across_nodes(each, bytes) }, algorithm)
    }

    /// Covers those on at least `nodes` nodes.
    pub const fn across_at_least(nodes: usize, each: Range, bytes: Range, algorithm: A) -> Self {
        let nodes = Range::from(nodes);
        Rule::new(When { nodes, ..When::across_nodes(each, bytes) }, algorithm)
    }

    /// Covers ranks of one node that is wide, see [`WIDE_RANKS_MIN`], with up to `bytes_max` each.
    pub const fn on_wide_node(bytes_max: usize, algorithm: A) -> Self {
        Rule::on_own_cores(WIDE, Range::up_to(bytes_max), algorithm)
    }

    const fn on_nodes(ranks_per_node: Range, bytes_max: usize, algorithm: A) -> Self {
        let (bytes, nodes) = (Range::up_to(bytes_max), Range { min: 2, max: usize::MAX });
        Rule::new(When { bytes, nodes, ranks_per_node, ..When::ALWAYS }, algorithm)
    }

    /// Covers up to `ranks_max` ranks with up to `bytes_max` each.
    pub const fn up_to(ranks_max: usize, bytes_max: usize, algorithm: A) -> Self {
        let (ranks, bytes) = (Range::up_to(ranks_max), Range::up_to(bytes_max));
        Rule::new(When { ranks, bytes, ..When::ALWAYS }, algorithm)
    }

    /// Covers any size up to `ranks_max` ranks.
    pub const fn up_to_ranks(ranks_max: usize, algorithm: A) -> Self {
        Rule::new(When { ranks: Range::up_to(ranks_max), ..When::ALWAYS }, algorithm)
    }
}

/// The algorithms of one operation.
pub trait AlgorithmSet: Copy + Debug + PartialEq + 'static {
    /// The operation, as in `MPI_Allreduce` without prefix and in small letters.
    const OPERATION: &'static str;
    /// Every algorithm, in the order of the documentation.
    const ALL: &'static [Self];
    /// The built-in table. The limits are the literature's (Thakur, Rabenseifner, Gropp 2005), to
    /// be replaced by measured ones; some rule must fit every call.
    const TABLE: &'static [Rule<Self>];

    /// The name in tables and settings.
    fn name(self) -> &'static str;

    /// Whether the algorithm gives the right result for such a call.
    fn fits(self, shape: &CallTraits) -> bool;

    /// The number the algorithm takes, with its name in tables.
    fn parameter(self) -> Option<(&'static str, usize)> {
        None
    }

    /// The algorithm with another number, which is at least 1. A number with which it cannot work
    /// becomes the nearest with which it can.
    fn with_parameter(self, _value: usize) -> Self {
        self
    }

    /// The algorithm called `name`.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.name() == name)
    }

    /// The built-in table's choice; what a process runs is [`Selection::choose`]'s.
    ///
    /// [`Selection::choose`]: crate::selection::Selection::choose
    fn choose(params: &Params) -> Self {
        first_fit(Self::TABLE, params).unwrap_or(Self::ALL[0])
    }
}

/// The first rule of `table` that covers `params` with an algorithm that fits.
#[inline]
pub fn first_fit<A: AlgorithmSet>(table: &[Rule<A>], params: &Params) -> Option<A> {
    let fitting = |rule: &&Rule<A>| rule.when.covers(params) && rule.algorithm.fits(&params.shape);
    table.iter().find(fitting).map(|rule| rule.algorithm)
}

/// Refuses an algorithm that would give a wrong result.
pub(crate) fn check<A: AlgorithmSet>(how: A, shape: &CallTraits) -> Result<()> {
    if how.fits(shape) {
        return Ok(());
    }
    let text = format!(
        "{} by {} cannot run on {} ranks (commutative: {}, in place: {}); choose another algorithm",
        A::OPERATION,
        how.name(),
        shape.ranks,
        shape.commutative,
        shape.in_place,
    );
    Err(Error::new(ErrorClass::Arg, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::{Listed, OPERATIONS, Visitor, visit};

    fn every_call_has_a_fitting_algorithm<A: AlgorithmSet>() {
        for ranks in [1, 2, 3, 8, 100, 8192] {
            for bytes_per_rank in [0, 8, 1 << 10, 1 << 20, 1 << 34] {
                for (commutative, in_place) in
                    [(true, true), (true, false), (false, true), (false, false)]
                {
                    let shape =
                        CallTraits { in_place, ..CallTraits::reduction(ranks, commutative) };
                    let params = Params { shape, bytes_per_rank };
                    let chosen = first_fit(A::TABLE, &params);
                    assert!(chosen.is_some(), "{}: no rule for {params:?}", A::OPERATION);
                    assert_eq!(chosen, Some(A::choose(&params)));
                }
            }
        }
    }

    fn names_are_distinct<A: AlgorithmSet>() {
        for &algorithm in A::ALL {
            assert_eq!(A::from_name(algorithm.name()), Some(algorithm));
        }
        for rule in A::TABLE {
            let is_listed = A::ALL.iter().any(|listed| listed.name() == rule.algorithm.name());
            assert!(is_listed, "{:?} is not listed, whatever its parameter", rule.algorithm);
        }
    }

    struct TableTests;

    impl Visitor for TableTests {
        type Out = ();

        fn visit<A: Listed>(self) {
            every_call_has_a_fitting_algorithm::<A>();
            forms_for_one_node_fit_one::<A>();
            names_are_distinct::<A>();
        }
    }

    #[test]
    fn tables_leave_no_call_without_an_algorithm_that_fits_and_names_are_distinct() {
        for operation in OPERATIONS {
            visit(operation, TableTests).unwrap();
        }
    }

    const SEVERAL_NODES: CallTraits = CallTraits::reduction(12, true).on_nodes(3);

    fn chosen<A: AlgorithmSet>(shape: CallTraits) -> &'static str {
        A::choose(&Params { shape, bytes_per_rank: 1 << 10 }).name()
    }

    fn forms_for_one_node_fit_one<A: AlgorithmSet>() {
        let shape = SEVERAL_NODES.shared(true, true);
        for algorithm in A::ALL {
            let shows = ["cico", "single_copy"].iter().any(|how| algorithm.name().starts_with(how));
            let fits = |nodes| algorithm.fits(&shape.on_nodes(nodes));
            assert!(!shows || (fits(1) && !fits(3)), "{} {algorithm:?}", A::OPERATION);
        }
        for by_messages in [SEVERAL_NODES, shape.on_nodes(12)] {
            let name = chosen::<A>(by_messages);
            assert!(!name.starts_with("two_level_"), "{} {name}", A::OPERATION);
        }
    }

    fn levels_meet_in_shared_memory<A: AlgorithmSet>(cico: &str, single_copy: &str) {
        let shared = |cico| chosen::<A>(SEVERAL_NODES.shared(cico, true));
        assert_eq!([shared(true), shared(false)], [cico, single_copy], "{}", A::OPERATION);
    }

    #[test]
    fn ranks_of_several_nodes_show_data_within_them_and_send_messages_between_them() {
        use crate::{allgather, allreduce, barrier, bcast, gather, reduce, scatter};
        let (whole, tree) = ("two_level_cico", "two_level_cico_tree");
        levels_meet_in_shared_memory::<allgather::Algorithm>(whole, "k_bruck");
        levels_meet_in_shared_memory::<allreduce::Algorithm>(tree, "recursive_multiplying");
        levels_meet_in_shared_memory::<bcast::Algorithm>(whole, "two_level_cico_pipelined");
        levels_meet_in_shared_memory::<gather::Algorithm>(whole, "binomial");
        levels_meet_in_shared_memory::<reduce::Algorithm>(tree, "knomial");
        levels_meet_in_shared_memory::<scatter::Algorithm>(whole, "two_level_single_copy");
        levels_meet_in_shared_memory::<barrier::Algorithm>(whole, "dissemination");
        let long = Params { shape: SEVERAL_NODES.shared(false, true), bytes_per_rank: 1 << 20 };
        assert_eq!(crate::allreduce::Algorithm::choose(&long).name(), "multi_leader_single_copy");
    }

    #[test]
    fn where_the_kernel_copies_slowly_few_ranks_of_one_node_do_without_it() {
        use crate::gather::Algorithm;
        let chosen = |ranks, slow_copy, oversubscribed| {
            let shape = CallTraits::plain(ranks).shared(false, true);
            let shape = CallTraits { slow_copy, oversubscribed, ..shape };
            Algorithm::choose(&Params { shape, bytes_per_rank: 128 << 10 }).name()
        };
        assert_eq!(chosen(2, true, false), "linear");
        assert_eq!(chosen(8, true, true), "linear");
        // Several with a core each do without it anyway.
        assert_eq!(chosen(8, true, false), "cico_pipelined");
        assert_eq!(chosen(8, false, false), "cico_pipelined");
        // Quick kernels, and what was not measured: more ranks.
        let others = [(2, false, false), (8, false, true), (16, true, true)];
        for (ranks, slow, shared) in others {
            assert_eq!(chosen(ranks, slow, shared), "single_copy", "{ranks} {slow} {shared}");
        }
    }

    #[test]
    fn a_bcast_by_messages_doubles_blocks_only_where_few_share_a_node() {
        use crate::bcast::Algorithm;
        let chosen = |ranks, nodes| {
            let shape = CallTraits::plain(ranks).on_nodes(nodes);
            Algorithm::choose(&Params { shape, bytes_per_rank: 1 << 20 }).name()
        };
        assert_eq!([chosen(64, 64), chosen(64, 32)], ["scatter_doubling"; 2]);
        // All ranks of a node would get half of it from another.
        assert_eq!(chosen(64, 2), "scatter_allgather");
        assert_eq!(chosen(64, 16), "scatter_allgather");
    }

    #[test]
    fn a_leader_of_an_alltoall_shows_a_whole_node_only_where_there_are_several() {
        use crate::alltoall::Algorithm;
        let fits = |nodes| {
            Algorithm::TwoLevelSingleCopy.fits(&SEVERAL_NODES.shared(true, true).on_nodes(nodes))
        };
        assert!(fits(3) && !fits(1));
    }

    #[test]
    fn what_a_leader_of_an_allgather_hands_on_counts_as_shown() {
        let call = Params { shape: CallTraits::plain(12), bytes_per_rank: 100 };
        assert_eq!(published_bytes("allgather", &call), 100);
        let apart = Params { shape: call.shape.on_nodes(3), ..call };
        assert_eq!(published_bytes("allgather", &apart), 1200);
        assert_eq!(published_bytes("bcast", &apart), 100);
    }

    #[test]
    fn an_algorithm_that_would_answer_wrongly_is_refused_by_name() {
        let shape = CallTraits::reduction(4, false);
        let error = check(crate::allreduce::Algorithm::Ring, &shape).unwrap_err();
        assert!(error.text.starts_with("allreduce by ring cannot run on 4 ranks"), "{error}");
    }
}
