//! Virtual topologies: who is whose neighbour; MPI 5.0 chapter 8. Pure arithmetic on ranks.

use dunlin_base::{Error, ErrorClass, Rank, Result};

/// What a communicator knows about neighbourhood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topology {
    /// A grid; section 8.5.1.
    Cart(Cart),
    /// Every process knows the whole graph; section 8.5.3.
    Graph(Graph),
    /// Every process knows its own neighbours; section 8.5.4.
    DistGraph(DistGraph),
}

/// A grid, the last dimension varying fastest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cart {
    /// Processes in each dimension.
    pub dims: Vec<u32>,
    /// Whether each dimension closes to a ring.
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

/// The neighbours of this process alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DistGraph {
    /// Whom it receives from, with weights.
    pub sources: Vec<(Rank, i32)>,
    /// Whom it sends to, with weights.
    pub destinations: Vec<(Rank, i32)>,
    /// Whether the weights mean anything.
    pub weighted: bool,
}

impl Topology {
    /// Of the process `rank`: whom it receives from and whom it sends to in neighbourhood
    /// collectives, in the order of section 8.6; `None` is `MPI_PROC_NULL`.
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
    /// Number of processes.
    pub fn size(&self) -> u64 {
        self.dims.iter().map(|d| u64::from(*d)).product()
    }

    /// Where a rank stands.
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

    /// Who stands there. Periodic dimensions wrap; outside of others there is nobody.
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

    /// The neighbours `distance` down and up along a dimension.
    pub fn shifted(&self, rank: Rank, dimension: usize, distance: i64) -> [Option<Rank>; 2] {
        let at: Vec<i64> = self.coords(rank).into_iter().map(i64::from).collect();
        [-distance, distance].map(|by| {
            let mut there = at.clone();
            there[dimension] += by;
            self.rank(&there)
        })
    }

    /// The grid of the dimensions that remain, which of its copies a rank is in, and where there.
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

/// Fills the free dimensions (0) of a grid of `nodes` as evenly as can be, larger ones first;
/// section 8.5.2.
pub fn balance(nodes: u32, dims: &mut [u32]) -> Result<()> {
    let fixed: u64 = dims.iter().filter(|d| **d != 0).map(|d| u64::from(*d)).product();
    let free = dims.iter().filter(|d| **d == 0).count();
    if u64::from(nodes) % fixed != 0 || (free == 0 && fixed != u64::from(nodes)) {
        let text =
            format!("nnodes is {nodes}; the dimensions given make {fixed}, which is no part of it");
        return Err(Error::new(ErrorClass::Dims, text));
    }
    let found = evenly((u64::from(nodes) / fixed) as u32, free);
    let mut found = found.into_iter();
    for dim in dims.iter_mut().filter(|d| **d == 0) {
        *dim = found.next().unwrap_or(1);
    }
    Ok(())
}

/// `product` as `count` factors, falling, whose largest and smallest are as close as can be.
fn evenly(product: u32, count: usize) -> Vec<u32> {
    let mut best: Option<Vec<u32>> = None;
    let divisors: Vec<u32> = divisors(product);
    search(product, count, &divisors, &mut Vec::new(), &mut best);
    best.unwrap_or_default()
}

fn spread(dims: &[u32]) -> u32 {
    dims.first().copied().unwrap_or(0) - dims.last().copied().unwrap_or(0)
}

/// Tries falling factors; the smallest first factor that works wins among equals.
fn search(
    rest: u32,
    count: usize,
    all: &[u32],
    so_far: &mut Vec<u32>,
    best: &mut Option<Vec<u32>>,
) {
    if count == 0 {
        if rest == 1 && best.as_ref().is_none_or(|b| spread(so_far) < spread(b)) {
            *best = Some(so_far.clone());
        }
        return;
    }
    let most = so_far.last().copied().unwrap_or(u32::MAX);
    for &d in all.iter().filter(|d| **d <= most && rest % **d == 0) {
        // The factors that follow are at most this one: it must be able to reach the product.
        let enough = u64::from(d).checked_pow(count as u32).is_none_or(|p| p >= u64::from(rest));
        let least = rest.checked_div(d).unwrap_or(0);
        if !enough || least == 0 {
            continue;
        }
        let first = so_far.first().copied().unwrap_or(d);
        // Larger first factors can only spread wider once the spread of the best is passed.
        if best.as_ref().is_some_and(|b| b[0] < first && spread(b) == 0) {
            return;
        }
        so_far.push(d);
        search(rest / d, count - 1, all, so_far, best);
        so_far.pop();
    }
}

fn divisors(n: u32) -> Vec<u32> {
    let small = (1..).take_while(|d| u64::from(*d) * u64::from(*d) <= u64::from(n));
    let small: Vec<u32> = small.filter(|d| n % d == 0).collect();
    let large = small.iter().rev().map(|d| n / d).filter(|d| !small.contains(d));
    small.iter().copied().chain(large).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balanced<const N: usize>(nodes: u32, mut dims: [u32; N]) -> Result<[u32; N]> {
        balance(nodes, &mut dims).map(|()| dims)
    }

    #[test]
    fn dimensions_are_as_even_as_can_be_and_fall() {
        // The examples of section 8.5.2.
        assert_eq!(balanced(6, [0, 0]), Ok([3, 2]));
        assert_eq!(balanced(7, [0, 0]), Ok([7, 1]));
        assert_eq!(balanced(6, [0, 3, 0]), Ok([2, 3, 1]));
        assert_eq!(balanced(7, [0, 3, 0]).unwrap_err().class, ErrorClass::Dims);
        // Taking prime factors greedily would give 6 x 4 x 3 or worse.
        assert_eq!(balanced(72, [0, 0, 0]), Ok([6, 4, 3]));
        assert_eq!(balanced(1024, [0, 0]), Ok([32, 32]));
        assert_eq!(balanced(16, [0, 0, 0]), Ok([4, 2, 2]));
        assert_eq!(balanced(5, [5]), Ok([5]));
        assert!(balanced(5, [4]).is_err());
        let [a, b, c, d, e, f] = balanced(720_720, [0; 6]).unwrap();
        assert_eq!(a * b * c * d * e * f, 720_720);
        assert!(a >= b && b >= c && c >= d && d >= e && e >= f && a - f < 15);
    }

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
