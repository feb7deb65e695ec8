//! Communicators with a topology; MPI 5.0 sections 8.5 and 8.6. Ranks are not reordered: the
//! launcher places neighbouring ranks side by side already.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_datatype::byte_range::bytes_of;

use crate::comms::control_channel;
use crate::engine::Engine;
use crate::memory::alloc::zeroed;
use crate::objects::comm::{Comm, CommId};
use crate::objects::topology::{Cart, DistGraph, Graph, Topology};

/// An edge of a distributed graph, and its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Who sends.
    pub source: Rank,
    /// Who receives.
    pub destination: Rank,
    /// The weight.
    pub weight: i32,
}

/// Words of an edge on its way.
const EDGE_WORDS: usize = 3;

impl Engine {
    /// A grid of the first processes of `comm`; `None` to those left over.
    pub fn cart_create(&self, comm: &Rc<Comm>, cart: Cart) -> Result<Option<CommId>> {
        let size = cart.size();
        self.of_the_first(comm, size, Topology::Cart(cart))
    }

    /// A graph on the first processes of `comm`; `None` to those left over.
    pub fn graph_create(&self, comm: &Rc<Comm>, graph: Graph) -> Result<Option<CommId>> {
        let size = graph.index.len() as u64;
        self.of_the_first(comm, size, Topology::Graph(graph))
    }

    fn of_the_first(
        &self,
        comm: &Rc<Comm>,
        size: u64,
        topology: Topology,
    ) -> Result<Option<CommId>> {
        comm.require_intra()?;
        fits(comm, size)?;
        let color = (u64::from(comm.rank) < size).then_some(0);
        self.comm_split_with(comm, color, 0, Some(Rc::new(topology)))
    }

    /// The grids that remain when dimensions are dropped; this process gets the one it is in.
    pub fn cart_sub(
        &self,
        comm: &Rc<Comm>,
        cart: &Cart,
        remain: &[bool],
    ) -> Result<Option<CommId>> {
        let (sub, color, place) = cart.sub(comm.rank, remain);
        let topology = Some(Rc::new(Topology::Cart(sub)));
        self.comm_split_with(comm, Some(color), place as i32, topology)
    }

    /// A graph of which each process knows its own neighbours.
    pub fn dist_graph_create_adjacent(&self, comm: &Rc<Comm>, graph: DistGraph) -> Result<CommId> {
        comm.require_intra()?;
        for (rank, _) in graph.sources.iter().chain(&graph.destinations) {
            comm.process(*rank)?;
        }
        self.comm_alike(comm, Some(Rc::new(Topology::DistGraph(graph))))
    }

    /// A graph of which each process knows some edges, of whomever.
    pub fn dist_graph_create(
        &self,
        comm: &Rc<Comm>,
        edges: &[Edge],
        weighted: bool,
    ) -> Result<CommId> {
        comm.require_intra()?;
        for edge in edges {
            comm.process(edge.source)?;
            comm.process(edge.destination)?;
        }
        let mut graph = DistGraph { weighted, ..DistGraph::default() };
        for edge in self.all_edges(comm, edges)? {
            if edge.destination == comm.rank {
                graph.sources.push((edge.source, edge.weight));
            }
            if edge.source == comm.rank {
                graph.destinations.push((edge.destination, edge.weight));
            }
        }
        self.comm_alike(comm, Some(Rc::new(Topology::DistGraph(graph))))
    }

    /// The edges that all processes give, in one order: several edges between two processes are
    /// told apart by it.
    fn all_edges(&self, comm: &Rc<Comm>, mine: &[Edge]) -> Result<Vec<Edge>> {
        let count = (mine.len() as u32).to_le_bytes();
        let counts = control_channel::from_bytes(&self.allgather_bytes(comm, &count)?);
        let mut all = Vec::new();
        for (rank, count) in counts.into_iter().enumerate().filter(|c| c.1 > 0) {
            let mut bytes =
                zeroed(bytes_of(count as usize, EDGE_WORDS * size_of::<u32>())?)?.into_vec();
            if rank as Rank == comm.rank {
                let words = mine.iter().flat_map(|e| [e.source, e.destination, e.weight as u32]);
                bytes = control_channel::to_bytes(words);
            }
            self.bcast_bytes(comm, &mut bytes, rank as Rank)?;
            all.extend(
                control_channel::from_bytes(&bytes).chunks_exact(EDGE_WORDS).map(|w| Edge {
                    source: w[0],
                    destination: w[1],
                    weight: w[2] as i32,
                }),
            );
        }
        Ok(all)
    }
}

/// Refuses a topology with more places than there are processes.
fn fits(comm: &Comm, size: u64) -> Result<()> {
    if size <= u64::from(comm.size()) {
        return Ok(());
    }
    let text = format!(
        "the topology has {size} places, but {} has {} processes",
        comm.shown_name(),
        comm.size()
    );
    Err(Error::new(ErrorClass::Topology, text))
}
