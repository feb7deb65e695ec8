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
pub struct Cart<D = Vec<Dimension>> {
    /// The first dimension first.
    pub dims: D,
}

/// One dimension of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dimension {
    /// Processes; at least one.
    pub length: u32,
    /// Whether the first follows the last.
    pub periodic: bool,
}

/// The most dimensions of [`FewDimensions`].
pub const DIMENSIONS_FEW: usize = 4;

/// Dimensions in an array: few programs have more.
#[derive(Debug, Default)]
pub struct FewDimensions {
    pub(crate) all: [Dimension; DIMENSIONS_FEW],
    pub(crate) count: usize,
}

impl AsRef<[Dimension]> for FewDimensions {
    #[inline(always)]
    fn as_ref(&self) -> &[Dimension] {
        &self.all[..self.count.min(DIMENSIONS_FEW)]
    }
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

impl Dimension {
    /// The coordinate that is meant: outside of a dimension that is not periodic there is none.
    #[inline(always)]
    fn place(self, at: i64) -> Option<u32> {
        let length = i64::from(self.length);
        if (0..length).contains(&at) {
            return Some(at as u32);
        }
        self.periodic.then(|| at.rem_euclid(length) as u32)
    }
}

impl<D: AsRef<[Dimension]>> Cart<D> {
    /// The number of processes.
    #[inline(always)]
    pub fn size(&self) -> u64 {
        self.dims.as_ref().iter().map(|d| u64::from(d.length)).product()
    }

    /// How far apart the ranks of neighbours in a dimension are.
    #[inline(always)]
    fn stride(&self, dimension: usize) -> u32 {
        self.dims.as_ref()[dimension + 1..].iter().map(|d| d.length).product()
    }

    /// The coordinates of a rank.
    #[inline(always)]
    pub fn coords(&self, rank: Rank) -> impl Iterator<Item = u32> {
        let dims = self.dims.as_ref().iter().enumerate();
        dims.map(move |(d, dim)| rank / self.stride(d) % dim.length)
    }

    /// The rank at these coordinates. Periodic dimensions wrap around; outside other dimensions
    /// there is none.
    #[inline(always)]
    pub fn rank(&self, coords: impl IntoIterator<Item = i64>) -> Option<Rank> {
        self.dims
            .as_ref()
            .iter()
            .zip(coords)
            .try_fold(0, |rank, (dim, at)| Some(rank * dim.length + dim.place(at)?))
    }

    /// The ranks at `distance` down and up along a dimension.
    #[inline(always)]
    pub fn shifted(&self, rank: Rank, dimension: usize, distance: i64) -> [Option<Rank>; 2] {
        let (dim, stride) = (self.dims.as_ref()[dimension], self.stride(dimension));
        let at = rank / stride % dim.length;
        let there = |by| Some(rank - at * stride + dim.place(i64::from(at) + by)? * stride);
        [there(-distance), there(distance)]
    }
}

impl Cart {
    /// The grid of the remaining dimensions, the number of its copy that contains a rank, and the
    /// rank in it.
    pub fn sub(&self, rank: Rank, remain: &[bool]) -> (Cart, u32, u32) {
        let (mut sub, mut color, mut place) = (Cart { dims: Vec::new() }, 0, 0);
        for ((dim, at), remains) in self.dims.iter().zip(self.coords(rank)).zip(remain) {
            if *remains {
                sub.dims.push(*dim);
                place = place * dim.length + at;
            } else {
                color = color * dim.length + at;
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
        let dimension = |length, periodic| Dimension { length, periodic };
        let cart = Cart { dims: vec![dimension(2, false), dimension(3, true)] };
        assert!(cart.coords(4).eq([1, 1]));
        assert_eq!((cart.rank([1, 1]), cart.rank([1, -1])), (Some(4), Some(5)));
        assert_eq!(cart.rank([2, 0]), None);
        assert_eq!(cart.shifted(0, 0, 1), [None, Some(3)]);
        assert_eq!(cart.shifted(0, 1, 1), [Some(2), Some(1)]);
        assert_eq!(cart.shifted(4, 1, -5), [Some(3), Some(5)]);
        let both = Topology::Cart(cart.clone()).neighbours(5);
        assert_eq!(both.0, [Some(2), None, Some(4), Some(3)]);
        assert_eq!(both.0, both.1);
        let (sub, color, place) = cart.sub(5, &[false, true]);
        assert_eq!((sub.dims.as_slice(), color, place), (&[dimension(3, true)][..], 1, 2));
    }

    #[test]
    fn a_graph_is_read_by_the_ends_of_its_lists() {
        let graph = Graph { index: vec![2, 3, 4, 6], edges: vec![1, 3, 0, 3, 0, 2] };
        assert_eq!(graph.neighbours(0), [1, 3]);
        assert_eq!(graph.neighbours(3), [0, 2]);
        assert_eq!(graph.neighbours(4), []);
    }
}
