//! Virtual topologies: the neighbours of each process; MPI 5.0, chapter 8. Pure arithmetic on
//! ranks.

use std::rc::Rc;

use dunlin_base::Rank;
use dunlin_coll as coll;

/// A communicator's virtual topology.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topology {
    /// A Cartesian topology; section 8.5.1.
    Cart(Cart),
    /// A graph of which every process has all edges; section 8.5.3.
    Graph(Graph),
    /// A graph of which every process has only the edges at itself; section 8.5.4.
    DistGraph(DistGraph),
}

/// A Cartesian grid; the last dimension varies fastest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cart {
    /// Processes in each dimension.
    pub dims: Vec<u32>,
    /// Whether each dimension is periodic.
    pub periods: Vec<bool>,
}

/// A graph as `MPI_Graph_create` takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// For each node, the end of its neighbours in `edges`.
    pub index: Vec<u32>,
    /// Neighbours.
    pub edges: Vec<Rank>,
}

/// The neighbours of this process only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DistGraph {
    /// The sources, with weights.
    pub sources: Vec<(Rank, i32)>,
    /// The destinations, with weights.
    pub destinations: Vec<(Rank, i32)>,
    /// Whether the weights are significant.
    pub weighted: bool,
}

/// The neighbours of a process in neighbourhood collectives, as algorithms take them.
#[derive(Debug, Clone)]
pub(crate) struct Neighbours {
    pub sources: Rc<[Option<usize>]>,
    pub destinations: Rc<[Option<usize>]>,
    /// See [`coll::Neighbours::grid`].
    pub grid: bool,
}

impl Neighbours {
    pub fn of(topology: &Topology, rank: Rank) -> Neighbours {
        let (sources, destinations) = topology.neighbours(rank);
        let places = |ranks: Vec<Option<Rank>>| {
            ranks.into_iter().map(|rank| rank.map(|rank| rank as usize)).collect()
        };
        let grid = matches!(topology, Topology::Cart(_));
        Neighbours { sources: places(sources), destinations: places(destinations), grid }
    }

    #[inline]
    pub fn places(&self) -> coll::Neighbours<'_> {
        let Neighbours { sources, destinations, grid } = self;
        coll::Neighbours { sources, destinations, grid: *grid }
    }
}

impl Topology {
    /// The sources and destinations of the process `rank` in neighbourhood collectives, in the
    /// order of section 8.6; `None` is `MPI_PROC_NULL`.
    pub fn neighbours(&self, rank: Rank) -> (Vec<Option<Rank>>, Vec<Option<Rank>>) {
        match self {
            Topology::Cart(cart) => {
                let both: Vec<_> =
                    (0..cart.dims.len()).flat_map(|d| cart.shifted(rank, d, 1)).collect();
                (both.clone(), both)
            }
            Topology::Graph(graph) => {
                let both: Vec<_> = graph.neighbours(rank).iter().copied().map(Some).collect();
                (both.clone(), both)
            }
            Topology::DistGraph(graph) => {
                let ranks = |list: &[(Rank, i32)]| list.iter().map(|n| Some(n.0)).collect();
                (ranks(&graph.sources), ranks(&graph.destinations))
            }
        }
    }
}

impl Cart {
    /// The number of processes.
    pub fn size(&self) -> u64 {
        self.dims.iter().map(|d| u64::from(*d)).product()
    }

    /// The coordinates of a rank.
    pub fn coords(&self, rank: Rank) -> Vec<u32> {
        let mut rest = rank;
        let mut coords: Vec<u32> = self
            .dims
            .iter()
            .rev()
            .map(|d| {
                let here = rest % d;
                rest /= d;
                here
            })
            .collect();
        coords.reverse();
        coords
    }

    /// The rank at these coordinates. Periodic dimensions wrap around; outside other dimensions
    /// there is none.
    pub fn rank(&self, coords: &[i64]) -> Option<Rank> {
        let mut rank = 0;
        for ((&dim, &periodic), &at) in self.dims.iter().zip(&self.periods).zip(coords) {
            let length = i64::from(dim);
            let at = if periodic { at.rem_euclid(length) } else { at };
            if !(0..length).contains(&at) {
                return None;
            }
            rank = rank * dim + at as u32;
        }
        Some(rank)
    }

    /// The ranks at `distance` down and up along a dimension.
    pub fn shifted(&self, rank: Rank, dimension: usize, distance: i64) -> [Option<Rank>; 2] {
        let at: Vec<i64> = self.coords(rank).into_iter().map(i64::from).collect();
        [-distance, distance].map(|by| {
            let mut there = at.clone();
            there[dimension] += by;
            self.rank(&there)
        })
    }

    /// The grid of the remaining dimensions, the number of its copy that contains a rank, and the
    /// rank in it.
    pub fn sub(&self, rank: Rank, remain: &[bool]) -> (Cart, u32, u32) {
        let (mut sub, mut color, mut place) = (Cart::default(), 0, 0);
        for (d, at) in self.coords(rank).into_iter().enumerate() {
            if remain[d] {
                sub.dims.push(self.dims[d]);
                sub.periods.push(self.periods[d]);
                place = place * self.dims[d] + at;
            } else {
                color = color * self.dims[d] + at;
            }
        }
        (sub, color, place)
    }
}

impl Graph {
    /// The neighbours of a node.
    pub fn neighbours(&self, node: Rank) -> &[Rank] {
        let node = node as usize;
        let Some(&end) = self.index.get(node) else { return &[] };
        let begin = if node == 0 { 0 } else { self.index[node - 1] };
        &self.edges[begin as usize..end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_counts_its_last_dimension_fastest_and_wraps_where_periodic() {
        let cart = Cart { dims: vec![2, 3], periods: vec![false, true] };
        assert_eq!(cart.coords(4), [1, 1]);
        assert_eq!((cart.rank(&[1, 1]), cart.rank(&[1, -1])), (Some(4), Some(5)));
        assert_eq!(cart.rank(&[2, 0]), None);
        assert_eq!(cart.shifted(0, 0, 1), [None, Some(3)]);
        assert_eq!(cart.shifted(0, 1, 1), [Some(2), Some(1)]);
        let both = Topology::Cart(cart.clone()).neighbours(5);
        assert_eq!(both.0, [Some(2), None, Some(4), Some(3)]);
        assert_eq!(both.0, both.1);
        let (sub, color, place) = cart.sub(5, &[false, true]);
        assert_eq!((sub.dims, sub.periods, color, place), (vec![3], vec![true], 1, 2));
    }

    #[test]
    fn a_graph_is_read_by_the_ends_of_its_lists() {
        let graph = Graph { index: vec![2, 3, 4, 6], edges: vec![1, 3, 0, 3, 0, 2] };
        assert_eq!(graph.neighbours(0), [1, 3]);
        assert_eq!(graph.neighbours(3), [0, 2]);
        assert_eq!(graph.neighbours(4), []);
    }
}
