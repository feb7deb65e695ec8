//! The operations by name: which algorithm a call would run, and how long it takes.

use crate::machine::Node;
use crate::process::Process;
use crate::run::{Data, Outcome, Setup, run};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll as coll;
use dunlin_coll::BlockLayout;
use dunlin_coll::select::{CICO_BYTES_MAX, CallTraits, Params, WITHOUT_SIZE, published_bytes};
use dunlin_coll::selection::{Listed, OPERATIONS, Selection, Visitor, visit};
use dunlin_coll::sharing::better_sent;

/// A call of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name, as in [`OPERATIONS`].
    pub operation: &'static str,
    /// Bytes per rank, see [`Params::bytes_per_rank`]; a reduce_scatter_block rounds them up so
    /// that all ranks get as many elements. For operations that are chosen without
    /// regard to size as for their counterparts with blocks of one length.
    pub bytes: usize,
}

/// An algorithm and how long it takes.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// Its name.
    pub algorithm: &'static str,
    /// The number it takes, with its name.
    pub parameter: Option<(&'static str, usize)>,
    /// How long; `None` if it was given up.
    pub outcome: Option<Outcome>,
}

/// Bytes of all blocks of all ranks, at most: beyond, times do not fit into a simulation.
const BYTES_MAX: u128 = 1 << 50;

/// Bytes of an element of a reduction: a float, as OSU's benchmarks have it.
const REDUCED_UNIT: usize = 4;

/// Algorithms that use shared memory alone, without levels.
const FAST: [&str; 8] = [
    "cico",
    "cico_chains",
    "cico_linear",
    "cico_partitioned",
    "cico_pipelined",
    "single_copy",
    "single_copy_partitioned",
    "single_copy_put",
];

/// The same, unless it sends messages as well.
const PER_BLOCK: &str = "per_block";

/// Operations that combine data.
const REDUCTIONS: [&str; 6] =
    ["allreduce", "exscan", "reduce", "reduce_scatter", "reduce_scatter_block", "scan"];

impl Call {
    /// A call; where there is a root it is rank 0, and operators commute.
    pub fn new(operation: &str, bytes: usize) -> Result<Call> {
        let Some(&operation) = OPERATIONS.iter().find(|known| **known == operation) else {
            let known = OPERATIONS.join(", ");
            let text = format!("`{operation}` is not an operation; choose one of {known}");
            return Err(Error::new(ErrorClass::Arg, text));
        };
        Ok(Call { operation, bytes })
    }

    /// What the table of algorithms is asked.
    pub fn params(&self, setup: &Setup) -> Params {
        let (node, layout) = (&setup.machine.node, setup.layout);
        let sized = !WITHOUT_SIZE.contains(&self.operation);
        let bytes_per_rank = if sized { self.bytes } else { 0 };
        let shape = CallTraits::reduction(layout.ranks(), true).on_nodes(layout.nodes);
        let params = Params { shape, bytes_per_rank };
        if layout.ranks_per_node == 1 {
            return params;
        }
        let known = sized || self.operation == "barrier";
        let published = if known { published_bytes(self.operation, &params) } else { usize::MAX };
        let single_copy = node.shared_bytes_min().is_some_and(|min| published >= min);
        let shape = CallTraits {
            oversubscribed: layout.ranks_per_node > node.cores(),
            slow_copy: node.single_copy_is_slow(),
            ..shape.sharing(published, single_copy)
        };
        Params { shape, ..params }
    }

    /// Refuses what cannot be simulated.
    fn check(&self, ranks: usize) -> Result<()> {
        let bytes = self.bytes;
        if bytes as u128 * ranks as u128 > BYTES_MAX {
            let text = format!("{bytes} bytes for each of {ranks} ranks are too many to simulate");
            return Err(Error::new(ErrorClass::Arg, text));
        }
        Ok(())
    }

    fn unit(&self) -> usize {
        let reduces = REDUCTIONS.contains(&self.operation);
        if reduces && self.bytes % REDUCED_UNIT == 0 { REDUCED_UNIT } else { 1 }
    }

    /// Elements per rank; of operations that combine none, bytes.
    pub(crate) fn elements(&self) -> usize {
        self.bytes / self.unit()
    }

    /// What a rank needs to know of its buffers.
    fn data(&self, ranks: usize, is_fast: bool) -> Data {
        let vectors = |is_root| self.vectors(ranks, is_root) * self.bytes as f64;
        let (at_root, elsewhere) = (vectors(true), vectors(false));
        let has_data = self.operation != "barrier";
        Data { unit: self.unit(), at_root, elsewhere, has_data, is_fast }
    }

    /// What the buffers of a rank hold, together, as multiples of `bytes`.
    fn vectors(&self, ranks: usize, is_root: bool) -> f64 {
        let all = ranks as f64;
        match self.operation {
            "allgather" | "allgatherv" => all + 1.0,
            "alltoall" | "alltoallv" => 2.0 * all,
            "gather" | "gatherv" | "scatter" | "scatterv" if is_root => all + 1.0,
            "reduce" if is_root => 2.0,
            "bcast" | "gather" | "gatherv" | "reduce" | "scatter" | "scatterv" => 1.0,
            "reduce_scatter" | "reduce_scatter_block" => 1.0 + 1.0 / all,
            _ => 2.0,
        }
    }

    /// Whether a call by this algorithm takes the fast path: `coll/fast_path.rs` of the engine.
    fn takes_fast_path(&self, setup: &Setup, algorithm: &str) -> bool {
        let Setup { layout, machine, .. } = setup;
        let on_one_node = layout.nodes == 1 && layout.ranks_per_node > 1;
        let is_slow = machine.node.single_copy_is_slow();
        let sent = || better_sent(self.bytes, layout.ranks_per_node, is_slow);
        let shown = || algorithm == PER_BLOCK && !sent();
        let along_a_tree = || self.operation == "barrier" && algorithm == "cico_tree";
        on_one_node && (FAST.contains(&algorithm) || along_a_tree() || shown())
    }
}

impl Node {
    /// From how many bytes on collectives use single copy, as the engine decides it.
    fn shared_bytes_min(&self) -> Option<usize> {
        self.single_copy_ns?;
        Some(if self.single_copy_is_slow() { CICO_BYTES_MAX + 1 } else { 0 })
    }
}

struct Fitting(CallTraits);

impl Visitor for Fitting {
    type Out = Vec<String>;

    fn visit<A: Listed>(self) -> Vec<String> {
        let fitting = A::ALL.iter().filter(|algorithm| algorithm.fits(&self.0));
        fitting.map(|algorithm| algorithm.name().to_owned()).collect()
    }
}

/// The names of the algorithms that could run a call.
pub fn algorithms(setup: &Setup, call: &Call) -> Vec<String> {
    visit(call.operation, Fitting(call.params(setup).shape)).unwrap_or_default()
}

/// Rules that run the algorithm called `name` (`ring`, `knomial:4`) wherever it fits.
pub fn forced(call: &Call, name: &str) -> Result<Selection> {
    Selection::new(&format!("{}={name}", call.operation), None)
}

struct Chosen<'c>(&'c Selection, Params);

impl Visitor for Chosen<'_> {
    type Out = (&'static str, Option<(&'static str, usize)>);

    fn visit<A: Listed>(self) -> Self::Out {
        let how: A = self.0.choose(&self.1);
        (how.name(), how.parameter())
    }
}

/// The algorithm that `selection` chooses for a call, and the number it takes with its name.
pub fn chosen(
    setup: &Setup,
    call: &Call,
    selection: &Selection,
) -> (&'static str, Option<(&'static str, usize)>) {
    visit(call.operation, Chosen(selection, call.params(setup))).unwrap_or_default()
}

/// Runs a call by the algorithm that `selection` chooses.
pub fn simulate(setup: &Setup, call: &Call, selection: &Selection) -> Result<Simulated> {
    call.check(setup.layout.ranks())?;
    let run = Run { setup, call, selection, len: call.elements() };
    match call.operation {
        "barrier" => run.go(async |ch, how| coll::barrier(ch, how).await),
        "allreduce" | "bcast" | "exscan" | "reduce" | "scan" => run.vectors(),
        "reduce_scatter" | "reduce_scatter_block" => run.scattered_sums(),
        "allgather" | "alltoall" | "gather" | "scatter" => run.blocks(),
        _ => run.blocks_of_their_own(),
    }
}

struct Run<'r, 'm> {
    setup: &'r Setup<'m>,
    call: &'r Call,
    selection: &'r Selection,
    /// Elements per rank.
    len: usize,
}

impl<'m> Run<'_, 'm> {
    fn go<A: Listed>(
        &self,
        algorithm: impl AsyncFn(&Process<'_, 'm>, A) -> Result<()>,
    ) -> Result<Simulated> {
        let how: A = self.selection.choose(&self.call.params(self.setup));
        let is_fast = self.call.takes_fast_path(self.setup, how.name());
        let data = self.call.data(self.setup.layout.ranks(), is_fast);
        let outcome = run(self.setup, data, how, algorithm)?;
        Ok(Simulated { algorithm: how.name(), parameter: how.parameter(), outcome })
    }

    fn vectors(&self) -> Result<Simulated> {
        let (len, root, commutative) = (self.len, 0, true);
        match self.call.operation {
            "allreduce" => {
                let v = coll::Allreduce { len, commutative, in_place: false };
                self.go(async |ch, how| coll::allreduce(ch, v, how).await)
            }
            "bcast" => {
                let v = coll::Bcast { root, len };
                self.go(async |ch, how| coll::bcast(ch, v, how).await)
            }
            "reduce" => {
                let v = coll::Reduce { root, len, commutative };
                self.go(async |ch, how| coll::reduce(ch, v, how).await)
            }
            "scan" => self.go(async |ch, how| coll::scan(ch, coll::Scan { len }, how).await),
            _ => self.go(async |ch, how| coll::exscan(ch, coll::Exscan { len }, how).await),
        }
    }

    fn scattered_sums(&self) -> Result<Simulated> {
        let (ranks, commutative) = (self.setup.layout.ranks(), true);
        if self.call.operation == "reduce_scatter_block" {
            let v = coll::ReduceScatterBlock { block: self.len.div_ceil(ranks), commutative };
            return self.go(async |ch, how| coll::reduce_scatter_block(ch, v, how).await);
        }
        let starts: Vec<usize> = (0..=ranks).map(|rank| rank * self.len / ranks).collect();
        let v = coll::ReduceScatter { starts: &starts, commutative };
        self.go(async |ch, how| coll::reduce_scatter(ch, v, how).await)
    }

    fn blocks(&self) -> Result<Simulated> {
        let (send_block, recv_block, root) = (self.len, self.len, 0);
        match self.call.operation {
            "allgather" => {
                let v = coll::Allgather { send_block, recv_block };
                self.go(async |ch, how| coll::allgather(ch, v, how).await)
            }
            "alltoall" => {
                let v = coll::Alltoall { send_block, recv_block, in_place: false };
                self.go(async |ch, how| coll::alltoall(ch, v, how).await)
            }
            "gather" => {
                let v = coll::Gather { root, send_block, recv_block };
                self.go(async |ch, how| coll::gather(ch, v, how).await)
            }
            _ => {
                let v = coll::Scatter { root, send_block, recv_block };
                self.go(async |ch, how| coll::scatter(ch, v, how).await)
            }
        }
    }

    /// The operations ending in v, with blocks of one length.
    fn blocks_of_their_own(&self) -> Result<Simulated> {
        let (ranks, len, root) = (self.setup.layout.ranks(), self.len, 0);
        let counts = vec![len; ranks];
        let displacements: Vec<usize> = (0..ranks).map(|rank| rank * len).collect();
        let all = BlockLayout { counts: &counts, displacements: &displacements };
        match self.call.operation {
            "allgatherv" => {
                let v = coll::Allgatherv { send_len: len, recv: all };
                self.go(async |ch, how| coll::allgatherv(ch, v, how).await)
            }
            "alltoallv" => {
                let v = coll::Alltoallv { send: all, recv: all, in_place: false };
                self.go(async |ch, how| coll::alltoallv(ch, v, how).await)
            }
            "gatherv" => {
                let v = coll::Gatherv { root, send_len: len, recv: all };
                self.go(async |ch, how| coll::gatherv(ch, v, how).await)
            }
            "scatterv" => {
                let v = coll::Scatterv { root, send: all, recv_len: len };
                self.go(async |ch, how| coll::scatterv(ch, v, how).await)
            }
            other => {
                let text = format!("{other} cannot be simulated");
                Err(Error::new(ErrorClass::UnsupportedOperation, text))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rank that is no root has no vector of all ranks, and a reduce_scatter leaves it a block.
    #[test]
    fn buffers_of_a_rank_hold_what_the_operation_gives_it() {
        for (operation, at_root, elsewhere) in [
            ("allgather", 5.0, 5.0),
            ("allgatherv", 5.0, 5.0),
            ("allreduce", 2.0, 2.0),
            ("alltoall", 8.0, 8.0),
            ("alltoallv", 8.0, 8.0),
            ("bcast", 1.0, 1.0),
            ("exscan", 2.0, 2.0),
            ("gather", 5.0, 1.0),
            ("gatherv", 5.0, 1.0),
            ("reduce", 2.0, 1.0),
            ("reduce_scatter", 1.25, 1.25),
            ("reduce_scatter_block", 1.25, 1.25),
            ("scan", 2.0, 2.0),
            ("scatter", 5.0, 1.0),
            ("scatterv", 5.0, 1.0),
        ] {
            let data = Call::new(operation, 1000).unwrap().data(4, false);
            let found = (data.at_root, data.elsewhere);
            assert_eq!(found, (1e3 * at_root, 1e3 * elsewhere), "{operation}");
        }
    }
}
