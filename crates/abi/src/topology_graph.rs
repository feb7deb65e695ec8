//! Graph topologies (MPI 5.0, sections 8.5.3 to 8.5.5).

use std::ffi::c_int;

use dunlin_base::memory::room_for;
use dunlin_base::{ErrorClass, Rank, Result};
use dunlin_engine::{Comm, DistGraph, Edge, Graph, Topology};

use crate::array::{fill, list};
use crate::call::on_comm;
use crate::comm_make::{give, with_hints};
use crate::convert::{self, error, put};
use crate::standard::constants::*;
use crate::standard::types::*;
use crate::topology::{mapped, no_topology};

/// The weight of an edge if the program passes none.
const NO_WEIGHT: c_int = 1;

fn graph(comm: &Comm) -> Result<&Graph> {
    match comm.topology.as_deref() {
        Some(Topology::Graph(graph)) => Ok(graph),
        _ => Err(no_topology(comm, "graph")),
    }
}

fn dist_graph(comm: &Comm) -> Result<&DistGraph> {
    match comm.topology.as_deref() {
        Some(Topology::DistGraph(graph)) => Ok(graph),
        _ => Err(no_topology(comm, "distributed graph")),
    }
}

/// The graph that a program describes.
///
/// # Safety
/// `index` has `nnodes` elements, `edges` as many as the last element of `index`.
unsafe fn described(nnodes: c_int, index: *const c_int, edges: *const c_int) -> Result<Graph> {
    // SAFETY: promised by the caller.
    let index = unsafe { list(index, nnodes, "index") }?;
    if index.is_sorted() && index.first().is_none_or(|i| *i >= 0) {
        // SAFETY: promised by the caller.
        let edges = unsafe { list(edges, index.last().copied().unwrap_or(0), "edges") }?;
        let node = |e: &c_int| {
            Rank::try_from(*e).ok().filter(|e| *e < nnodes as Rank).ok_or_else(|| {
                let text = format!("an edge leads to {e}; the graph has {nnodes} nodes, from 0");
                error(ErrorClass::Arg, text)
            })
        };
        let edges = edges.iter().map(node).collect::<Result<_>>()?;
        return Ok(Graph { index: index.iter().map(|i| *i as u32).collect(), edges });
    }
    Err(error(
        ErrorClass::Arg,
        "index must not fall: it counts neighbours up to and with each node",
    ))
}

/// Whether a pointer to weights is the special address for none.
fn is_unweighted(weights: *const c_int) -> bool {
    weights.addr() == MPI_UNWEIGHTED
}

/// The weights, if the program passes any.
///
/// # Safety
/// `weights` is one of the two special addresses or points to `n` elements.
unsafe fn weights<'a>(weights: *const c_int, n: usize) -> Result<Option<&'a [c_int]>> {
    if is_unweighted(weights) {
        return Ok(None);
    }
    if weights.addr() == MPI_WEIGHTS_EMPTY || n == 0 {
        return Ok(Some(&[]));
    }
    // SAFETY: promised by the caller.
    unsafe { list(weights, n as c_int, "weights") }.map(Some)
}

/// Neighbours with their weights.
///
/// # Safety
/// As for [`weights`]; `ranks` has `n` elements.
unsafe fn neighbours(
    comm: &Comm,
    n: c_int,
    ranks: *const c_int,
    given: *const c_int,
) -> Result<Vec<(Rank, i32)>> {
    // SAFETY: promised by the caller.
    let ranks = unsafe { list(ranks, n, "a list of neighbours") }?;
    // SAFETY: as above.
    let given = unsafe { weights(given, ranks.len()) }?;
    let weight = |i: usize| given.and_then(|w| w.get(i)).copied().unwrap_or(NO_WEIGHT);
    let mut neighbours = room_for(ranks.len())?;
    for (i, rank) in ranks.iter().enumerate() {
        neighbours.push((convert::rank(comm, *rank)?, weight(i)));
    }
    Ok(neighbours)
}

/// Returns neighbours and weights to the program.
///
/// # Safety
/// `ranks`, and `weights` unless it is a special address, have space for `room` elements.
unsafe fn tell(
    list: &[(Rank, i32)],
    room: c_int,
    ranks: *mut c_int,
    weights: *mut c_int,
    weighted: bool,
) -> Result<()> {
    // SAFETY: promised by the caller.
    unsafe { fill(ranks, room, list.iter().map(|n| n.0 as c_int), "a list of neighbours") }?;
    let special = [MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY].contains(&weights.addr());
    if special || !weighted {
        return Ok(());
    }
    // SAFETY: promised by the caller.
    unsafe { fill(weights, room, list.iter().map(|n| n.1), "a list of weights") }
}

/// The edges of `MPI_Dist_graph_create`.
///
/// # Safety
/// `sources` and `degrees` have `n` elements; `destinations`, and `given` as [`weights`], as many
/// as the sum of the degrees.
unsafe fn edges(
    comm: &Comm,
    n: c_int,
    sources: *const c_int,
    degrees: *const c_int,
    destinations: *const c_int,
    given: *const c_int,
) -> Result<Vec<Edge>> {
    // SAFETY: promised by the caller.
    let (sources, degrees) =
        unsafe { (list(sources, n, "sources")?, list(degrees, n, "degrees")?) };
    if let Some(wrong) = degrees.iter().find(|d| **d < 0) {
        return Err(error(ErrorClass::Arg, format!("a degree is {wrong}; it must be >= 0")));
    }
    let total = degrees.iter().try_fold(0, |sum: c_int, degree| sum.checked_add(*degree));
    let total = total.ok_or_else(|| {
        let text = "the degrees add up to more than an int can say; pass fewer edges in each call";
        error(ErrorClass::Arg, text)
    })?;
    // SAFETY: promised by the caller.
    let ends = unsafe { neighbours(comm, total, destinations, given) }?;
    let mut ends = ends.into_iter();
    let mut edges = room_for(total as usize)?;
    for (source, degree) in sources.iter().zip(degrees) {
        let source = convert::rank(comm, *source)?;
        let some = ends.by_ref().take(*degree as usize);
        edges.extend(some.map(|(destination, weight)| Edge { source, destination, weight }));
    }
    Ok(edges)
}

entry! {
    fn MPI_Graph_create(
        comm_old: MPI_Comm,
        nnodes: c_int,
        index: *const c_int,
        edges: *const c_int,
        _reorder: c_int,
        comm_graph: *mut MPI_Comm,
    ) -> c_int {
        on_comm(FUNCTION, comm_old, |engine, comm| {
            // SAFETY: the program passes arrays of the given lengths, and the address of a handle.
            unsafe {
                let graph = described(nnodes, index, edges)?;
                give(comm_graph, || engine.graph_create(comm, graph))
            }
        })
    }

    fn MPI_Graph_map(
        comm: MPI_Comm,
        nnodes: c_int,
        index: *const c_int,
        edges: *const c_int,
        newrank: *mut c_int,
    ) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            // SAFETY: the program passes arrays of the given lengths, and the address of an int.
            unsafe {
                let size = described(nnodes, index, edges)?.index.len() as u64;
                put(newrank, mapped(comm, size)?, "newrank")
            }
        })
    }

    fn MPI_Graphdims_get(comm: MPI_Comm, nnodes: *mut c_int, nedges: *mut c_int) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            let graph = graph(comm)?;
            // SAFETY: the program passes null or the addresses of ints.
            unsafe {
                put(nnodes, graph.index.len() as c_int, "nnodes")?;
                put(nedges, graph.edges.len() as c_int, "nedges")
            }
        })
    }

    fn MPI_Graph_get(
        comm: MPI_Comm,
        maxindex: c_int,
        maxedges: c_int,
        index: *mut c_int,
        edges: *mut c_int,
    ) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            let graph = graph(comm)?;
            // SAFETY: the program passes arrays of the given lengths.
            unsafe {
                fill(index, maxindex, graph.index.iter().map(|i| *i as c_int), "index")?;
                fill(edges, maxedges, graph.edges.iter().map(|e| *e as c_int), "edges")
            }
        })
    }

    fn MPI_Graph_neighbors_count(
        comm: MPI_Comm,
        rank: c_int,
        nneighbors: *mut c_int,
    ) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            let count = graph(comm)?.neighbours(convert::rank(comm, rank)?).len() as c_int;
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(nneighbors, count, "nneighbors") }
        })
    }

    fn MPI_Graph_neighbors(
        comm: MPI_Comm,
        rank: c_int,
        maxneighbors: c_int,
        neighbors: *mut c_int,
    ) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            let list = graph(comm)?.neighbours(convert::rank(comm, rank)?);
            let list = list.iter().map(|r| *r as c_int);
            // SAFETY: the program passes an array of the given length.
            unsafe { fill(neighbors, maxneighbors, list, "neighbors") }
        })
    }

    fn MPI_Dist_graph_create_adjacent(
        comm_old: MPI_Comm,
        indegree: c_int,
        sources: *const c_int,
        sourceweights: *const c_int,
        outdegree: c_int,
        destinations: *const c_int,
        destweights: *const c_int,
        info: MPI_Info,
        _reorder: c_int,
        comm_dist_graph: *mut MPI_Comm,
    ) -> c_int {
        on_comm(FUNCTION, comm_old, |engine, comm| {
            // SAFETY: the program passes arrays of the given lengths, and the address of a handle.
            unsafe {
                let graph = DistGraph {
                    sources: neighbours(comm, indegree, sources, sourceweights)?,
                    destinations: neighbours(comm, outdegree, destinations, destweights)?,
                    weighted: !is_unweighted(sourceweights) && !is_unweighted(destweights),
                };
                let make = || engine.dist_graph_create_adjacent(comm, graph);
                give(comm_dist_graph, || with_hints(engine, make()?, info))
            }
        })
    }

    fn MPI_Dist_graph_create(
        comm_old: MPI_Comm,
        n: c_int,
        sources: *const c_int,
        degrees: *const c_int,
        destinations: *const c_int,
        weights: *const c_int,
        info: MPI_Info,
        _reorder: c_int,
        comm_dist_graph: *mut MPI_Comm,
    ) -> c_int {
        on_comm(FUNCTION, comm_old, |engine, comm| {
            // SAFETY: the program passes arrays of the given lengths, and the address of a handle.
            unsafe {
                let edges = edges(comm, n, sources, degrees, destinations, weights)?;
                let make = || engine.dist_graph_create(comm, &edges, !is_unweighted(weights));
                give(comm_dist_graph, || with_hints(engine, make()?, info))
            }
        })
    }

    fn MPI_Dist_graph_neighbors_count(
        comm: MPI_Comm,
        indegree: *mut c_int,
        outdegree: *mut c_int,
        weighted: *mut c_int,
    ) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            let graph = dist_graph(comm)?;
            // SAFETY: the program passes null or the addresses of ints.
            unsafe {
                put(indegree, graph.sources.len() as c_int, "indegree")?;
                put(outdegree, graph.destinations.len() as c_int, "outdegree")?;
                put(weighted, graph.weighted.into(), "weighted")
            }
        })
    }

    fn MPI_Dist_graph_neighbors(
        comm: MPI_Comm,
        maxindegree: c_int,
        sources: *mut c_int,
        sourceweights: *mut c_int,
        maxoutdegree: c_int,
        destinations: *mut c_int,
        destweights: *mut c_int,
    ) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            let (graph, w) = (dist_graph(comm)?, dist_graph(comm)?.weighted);
            // SAFETY: the program passes arrays of the given lengths.
            unsafe {
                tell(&graph.sources, maxindegree, sources, sourceweights, w)?;
                tell(&graph.destinations, maxoutdegree, destinations, destweights, w)
            }
        })
    }
}
