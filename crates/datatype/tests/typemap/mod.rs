//! The slow, obvious model for the random tests and the fuzz target: a typemap that is an explicit
//! list of primitives and displacements, with the markers of `resized` as lists, and recipes from
//! which both a datatype and its model are made.

use dunlin_datatype::{Datatype, Dimension, Distribution, Order, Primitive};

/// A typemap as the standard defines it.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub entries: Vec<(Primitive, i64)>,
    lower: Vec<i64>,
    upper: Vec<i64>,
    /// The highest upper bound of a part. The standard requires no more than the end of the data,
    /// but then an element could reach beyond the datatype that it is a part of.
    parts_end: Option<i64>,
}

impl Model {
    fn primitive(p: Primitive) -> Model {
        let entries = match (p.pair(), p.index_offset()) {
            (Some((value, index)), Some(at)) => vec![(value, 0), (index, at as i64)],
            _ => vec![(p, 0)],
        };
        Model { entries, ..Model::default() }
    }

    pub fn size(&self) -> usize {
        self.entries.iter().map(|e| e.0.size()).sum()
    }

    pub fn true_lb(&self) -> i64 {
        self.entries.iter().map(|e| e.1).min().unwrap_or(0)
    }

    pub fn true_ub(&self) -> i64 {
        self.entries.iter().map(|e| e.1 + e.0.size() as i64).max().unwrap_or(0)
    }

    pub fn lb(&self) -> i64 {
        self.lower.iter().copied().min().unwrap_or(self.true_lb())
    }

    pub fn ub(&self) -> i64 {
        if let Some(&marker) = self.upper.iter().max() {
            return marker;
        }
        let align = self.entries.iter().map(|e| e.0.align() as i64).max().unwrap_or(1);
        let mut ub = self.parts_end.unwrap_or(self.true_ub());
        while (ub - self.lb()) % align != 0 {
            ub += 1;
        }
        ub
    }

    pub fn extent(&self) -> i64 {
        self.ub() - self.lb()
    }

    fn add(&mut self, other: &Model, distance: i64) {
        self.entries.extend(other.entries.iter().map(|e| (e.0, e.1 + distance)));
        if !other.entries.is_empty() {
            self.parts_end = self.parts_end.max(Some(other.ub() + distance));
        }
        self.lower.extend(other.lower.iter().map(|m| m + distance));
        self.upper.extend(other.upper.iter().map(|m| m + distance));
    }

    fn block(&self, length: i64) -> Model {
        let mut all = Model::default();
        (0..length).for_each(|i| all.add(self, i * self.extent()));
        all
    }

    fn scattered(&self, blocks: &[(i64, i64)], unit: i64) -> Model {
        let mut all = Model::default();
        blocks.iter().for_each(|b| all.add(&self.block(b.0), b.1 * unit));
        all
    }

    fn bounded(mut self, lb: i64, ub: i64) -> Model {
        (self.lower, self.upper) = (vec![lb], vec![ub]);
        self
    }

    /// The elements at `indices` of each dimension, the fastest dimension first.
    fn selected(&self, indices: &[(i64, Vec<i64>)]) -> Model {
        let whole = indices.iter().map(|d| d.0).product::<i64>() * self.extent();
        let mut all = vec![0];
        let mut stride = 1;
        for (size, indices) in indices {
            all = indices
                .iter()
                .flat_map(|i| all.iter().map(move |base| base + i * stride).collect::<Vec<_>>())
                .collect();
            stride *= size;
        }
        let mut model = Model::default();
        all.iter().for_each(|i| model.add(self, i * self.extent()));
        model.bounded(0, whole)
    }

    /// Offsets of all packed bytes of `count` elements in order.
    pub fn bytes(&self, count: usize) -> Vec<i64> {
        let extent = self.extent();
        let one = self.entries.iter().flat_map(|e| (0..e.0.size() as i64).map(move |b| e.1 + b));
        let one: Vec<i64> = one.collect();
        (0..count as i64).flat_map(|i| one.iter().map(move |b| b + i * extent)).collect()
    }
}

/// A recipe for a datatype.
#[derive(Clone, Debug)]
pub enum Recipe {
    Primitive(Primitive),
    Contiguous(i64, Box<Recipe>),
    Vector(i64, i64, i64, Box<Recipe>),
    Hvector(i64, i64, i64, Box<Recipe>),
    Indexed(Vec<(i64, i64)>, Box<Recipe>),
    Hindexed(Vec<(i64, i64)>, Box<Recipe>),
    IndexedBlock(i64, Vec<i64>, Box<Recipe>),
    HindexedBlock(i64, Vec<i64>, Box<Recipe>),
    Struct(Vec<(i64, i64, Recipe)>),
    Subarray(Vec<(i64, i64, i64)>, Order, Box<Recipe>),
    Darray(Vec<(i64, Distribution, i64, i64)>, Order, i64, Box<Recipe>),
    Resized(i64, i64, Box<Recipe>),
    Dup(Box<Recipe>),
}

use Recipe::*;

impl Recipe {
    pub fn datatype(&self) -> Datatype {
        let split =
            |pairs: &[(i64, i64)]| -> (Vec<i64>, Vec<i64>) { pairs.iter().copied().unzip() };
        match self {
            Primitive(p) => Datatype::primitive(*p),
            Contiguous(n, old) => Datatype::contiguous(*n, &old.datatype()).unwrap(),
            Vector(n, b, s, old) => Datatype::vector(*n, *b, *s, &old.datatype()).unwrap(),
            Hvector(n, b, s, old) => Datatype::hvector(*n, *b, *s, &old.datatype()).unwrap(),
            Indexed(blocks, old) => {
                let (lengths, displacements) = split(blocks);
                Datatype::indexed(&lengths, &displacements, &old.datatype()).unwrap()
            }
            Hindexed(blocks, old) => {
                let (lengths, displacements) = split(blocks);
                Datatype::hindexed(&lengths, &displacements, &old.datatype()).unwrap()
            }
            IndexedBlock(b, d, old) => Datatype::indexed_block(*b, d, &old.datatype()).unwrap(),
            HindexedBlock(b, d, old) => Datatype::hindexed_block(*b, d, &old.datatype()).unwrap(),
            Struct(fields) => {
                let lengths: Vec<_> = fields.iter().map(|f| f.0).collect();
                let displacements: Vec<_> = fields.iter().map(|f| f.1).collect();
                let types: Vec<_> = fields.iter().map(|f| f.2.datatype()).collect();
                Datatype::structure(&lengths, &displacements, &types).unwrap()
            }
            Subarray(d, order, old) => {
                let list = |f: fn(&(i64, i64, i64)) -> i64| d.iter().map(f).collect::<Vec<_>>();
                let (sizes, subsizes, starts) = (list(|d| d.0), list(|d| d.1), list(|d| d.2));
                Datatype::subarray(&sizes, &subsizes, &starts, *order, &old.datatype()).unwrap()
            }
            Darray(d, order, rank, old) => darray(d, *order, *rank, &old.datatype()),
            Resized(lb, extent, old) => Datatype::resized(&old.datatype(), *lb, *extent).unwrap(),
            Dup(old) => old.datatype().dup().unwrap(),
        }
    }

    pub fn model(&self) -> Model {
        match self {
            Primitive(p) => Model::primitive(*p),
            Contiguous(n, old) => old.model().block(*n),
            Vector(n, b, s, old) => strided(&old.model(), *n, *b, *s * old.model().extent()),
            Hvector(n, b, s, old) => strided(&old.model(), *n, *b, *s),
            Indexed(blocks, old) => old.model().scattered(blocks, old.model().extent()),
            Hindexed(blocks, old) => old.model().scattered(blocks, 1),
            IndexedBlock(b, d, old) => {
                let blocks: Vec<_> = d.iter().map(|&d| (*b, d)).collect();
                old.model().scattered(&blocks, old.model().extent())
            }
            HindexedBlock(b, d, old) => {
                let blocks: Vec<_> = d.iter().map(|&d| (*b, d)).collect();
                old.model().scattered(&blocks, 1)
            }
            Struct(fields) => {
                let mut all = Model::default();
                fields.iter().for_each(|f| all.add(&f.2.model().block(f.0), f.1));
                all
            }
            Subarray(d, order, old) => {
                let mut indices: Vec<_> =
                    d.iter().map(|d| (d.0, (d.2..d.2 + d.1).collect())).collect();
                reverse_for_c(&mut indices, *order);
                old.model().selected(&indices)
            }
            Darray(d, order, rank, old) => {
                let mut indices = owned_indices(d, *rank);
                reverse_for_c(&mut indices, *order);
                old.model().selected(&indices)
            }
            Resized(lb, extent, old) => old.model().bounded(*lb, lb + extent),
            Dup(old) => old.model(),
        }
    }
}

fn strided(old: &Model, n: i64, block: i64, stride: i64) -> Model {
    let blocks: Vec<_> = (0..n).map(|i| (block, i * stride)).collect();
    old.scattered(&blocks, 1)
}

fn reverse_for_c<T>(dimensions: &mut [T], order: Order) {
    if order == Order::C {
        dimensions.reverse();
    }
}

fn darray(
    d: &[(i64, Distribution, i64, i64)],
    order: Order,
    rank: i64,
    old: &Datatype,
) -> Datatype {
    let dimensions: Vec<_> = d
        .iter()
        .map(|&(size, distribution, argument, processes)| Dimension {
            size,
            distribution,
            argument: Some(argument),
            processes,
        })
        .collect();
    let size = d.iter().map(|d| d.3).product();
    Datatype::darray(size, rank % size, &dimensions, order, old).unwrap()
}

/// For each dimension, its size and the indices that the process owns, one by one by definition.
fn owned_indices(d: &[(i64, Distribution, i64, i64)], rank: i64) -> Vec<(i64, Vec<i64>)> {
    let mut rest = rank % d.iter().map(|d| d.3).product::<i64>();
    let mut all: Vec<_> = d
        .iter()
        .rev()
        .map(|&(size, distribution, argument, processes)| {
            let me = rest % processes;
            rest /= processes;
            let owner = |i: i64| match distribution {
                Distribution::None => 0,
                _ => i / argument % processes,
            };
            (size, (0..size).filter(|&i| owner(i) == me).collect())
        })
        .collect();
    all.reverse();
    all
}
