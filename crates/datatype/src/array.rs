//! Types for parts of multidimensional arrays: subarray and darray; MPI 5.0, sections 5.1.3 and
//! 5.1.4.

use crate::Datatype;
use crate::construct::{integers, same_length};
use crate::envelope::{Combiner, Contents};
use crate::layout::mul;
use crate::type_map::{Typemap, TypemapSequence};
use dunlin_base::{Error, ErrorClass, Result};

/// Which index of an array varies fastest. The values are those of the standard ABI, as
/// [`Contents::integers`] reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The last one.
    C = 12,
    /// The first one.
    Fortran = 15,
}

/// How one dimension of a distributed array is distributed. The values are those of the standard
/// ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Not distributed: its grid has one process.
    None = 16,
    /// One block for each process.
    Block = 17,
    /// Blocks distributed round-robin.
    Cyclic = 18,
}

/// The value that the contents of a darray report for `MPI_DISTRIBUTE_DFLT_DARG`.
const DEFAULT_ARGUMENT: i64 = 19;

/// One dimension of a distributed array.
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    /// Elements of the whole array in this dimension.
    pub size: i64,
    /// Their distribution.
    pub distribution: Distribution,
    /// Elements in a block; `None` is `MPI_DISTRIBUTE_DFLT_DARG`.
    pub argument: Option<i64>,
    /// Processes of the grid in this dimension.
    pub processes: i64,
}

fn bad(text: String) -> Error {
    Error::new(ErrorClass::Arg, text)
}

/// Dimension numbers from the fastest to the slowest.
fn fastest_first(order: Order, dimensions: usize) -> Vec<usize> {
    match order {
        Order::Fortran => (0..dimensions).collect(),
        Order::C => (0..dimensions).rev().collect(),
    }
}

fn some_dimensions(n: usize) -> Result<()> {
    match n {
        0 => Err(bad("the number of dimensions is 0; it must be >= 1".into())),
        _ => Ok(()),
    }
}

/// `typemap` with the bounds `lb` and `ub` that the next dimension needs.
fn row(old: &Typemap, extent: i64, whole: i64) -> Result<Typemap> {
    Ok(old.with_bounds(0, mul(whole, extent)?))
}

fn check_subarray(i: usize, size: i64, subsize: i64, start: i64) -> Result<()> {
    if size < 1 {
        return Err(bad(format!("size {i} of the array is {size}; it must be >= 1")));
    }
    if !(1..=size).contains(&subsize) {
        return Err(bad(format!("subsize {i} is {subsize}; it must be in 1..={size}")));
    }
    if !(0..=size - subsize).contains(&start) {
        let most = size - subsize;
        return Err(bad(format!("start {i} is {start}; it must be in 0..={most}")));
    }
    Ok(())
}

impl Datatype {
    /// `MPI_Type_create_subarray`: the elements `start..start + subsize` of every dimension.
    pub fn subarray(
        sizes: &[i64],
        subsizes: &[i64],
        starts: &[i64],
        order: Order,
        old: &Datatype,
    ) -> Result<Datatype> {
        some_dimensions(sizes.len())?;
        same_length("subsizes", subsizes.len(), sizes.len())?;
        same_length("starts", starts.len(), sizes.len())?;
        let mut typemap = old.typemap().clone();
        let mut extent = old.extent();
        for d in fastest_first(order, sizes.len()) {
            check_subarray(d, sizes[d], subsizes[d], starts[d])?;
            let mut sequence = TypemapSequence::new();
            let inner = typemap.repeated(subsizes[d] as usize, extent)?;
            sequence.push(&inner, mul(starts[d], extent)?)?;
            typemap = row(&sequence.finish(), extent, sizes[d])?;
            extent = mul(sizes[d], extent)?;
        }
        let ints = integers(&[sizes.len() as i64], &[sizes, subsizes, starts, &[order as i64]]);
        Datatype::derived(typemap, Combiner::Subarray, old.contents_of(ints, vec![]))
    }

    /// `MPI_Type_create_darray`: the elements of a distributed array that process `rank` of a
    /// row-major grid of `size` processes owns.
    pub fn darray(
        size: i64,
        rank: i64,
        dimensions: &[Dimension],
        order: Order,
        old: &Datatype,
    ) -> Result<Datatype> {
        some_dimensions(dimensions.len())?;
        let coordinates = grid_coordinates(size, rank, dimensions)?;
        let mut typemap = old.typemap().clone();
        let mut extent = old.extent();
        for d in fastest_first(order, dimensions.len()) {
            let block = block_length(d, &dimensions[d])?;
            typemap = deal(&typemap, extent, &dimensions[d], block, coordinates[d])?;
            extent = mul(dimensions[d].size, extent)?;
        }
        let contents = darray_contents(size, rank, dimensions, order, old);
        Datatype::derived(typemap, Combiner::Darray, contents)
    }
}

/// The process's coordinates in the grid; the last dimension varies fastest, whatever the array's
/// order.
fn grid_coordinates(size: i64, rank: i64, dimensions: &[Dimension]) -> Result<Vec<i64>> {
    if size < 1 || !(0..size).contains(&rank) {
        return Err(bad(format!("rank is {rank} of {size}; it must be in 0..size")));
    }
    for (i, d) in dimensions.iter().enumerate() {
        if d.processes < 1 {
            let text = format!("grid dimension {i} has {} processes; it must be >= 1", d.processes);
            return Err(bad(text));
        }
    }
    let cells = dimensions.iter().try_fold(1i64, |n, d| n.checked_mul(d.processes));
    if cells != Some(size) {
        return Err(bad(format!("the process grid must have exactly {size} places, one each")));
    }
    let mut rest = rank;
    let mut coordinates = vec![0; dimensions.len()];
    for (c, d) in coordinates.iter_mut().zip(dimensions).rev() {
        (*c, rest) = (rest % d.processes, rest / d.processes);
    }
    Ok(coordinates)
}

/// Elements of one block of dimension `i`, checked against the rules of section 5.1.4.
fn block_length(i: usize, d: &Dimension) -> Result<i64> {
    let (size, processes) = (d.size, d.processes);
    if size < 1 {
        return Err(bad(format!("global size {i} is {size}; it must be >= 1")));
    }
    if let Some(argument) = d.argument.filter(|&a| a < 1) {
        return Err(bad(format!("distribution argument {i} is {argument}; it must be >= 1")));
    }
    match d.distribution {
        Distribution::None if processes != 1 => Err(bad(format!(
            "dimension {i} is not distributed, yet its grid has {processes} processes, not 1"
        ))),
        Distribution::None => Ok(size),
        Distribution::Cyclic => Ok(d.argument.unwrap_or(1)),
        Distribution::Block => {
            let least = (size - 1) / processes + 1;
            let block = d.argument.unwrap_or(least);
            if block >= least {
                return Ok(block);
            }
            Err(bad(format!(
                "distribution argument {i} is {block}; {processes} blocks for {size} elements \
                 need at least {least}"
            )))
        }
    }
}

/// The blocks of one dimension that the process at `coordinate` owns, within the whole row.
fn deal(old: &Typemap, extent: i64, d: &Dimension, block: i64, coordinate: i64) -> Result<Typemap> {
    // A block longer than the row is cut to the row; this also keeps the products below in range.
    let block = block.min(d.size);
    let (first, round) = (mul(coordinate, block)?, mul(block, d.processes)?);
    let mut sequence = TypemapSequence::new();
    if first < d.size {
        let full = ((d.size - first) / round) + i64::from((d.size - first) % round >= block);
        let blocks = old.repeated(block as usize, extent)?;
        let blocks = blocks.repeated(full as usize, mul(round, extent)?)?;
        sequence.push(&blocks, mul(first, extent)?)?;
        // The last round may end beyond the largest `i64`; then the row has no tail.
        let tail = first.saturating_add(full.saturating_mul(round));
        if tail < d.size {
            let partial = old.repeated((d.size - tail) as usize, extent)?;
            sequence.push(&partial, mul(tail, extent)?)?;
        }
    }
    row(&sequence.finish(), extent, d.size)
}

fn darray_contents(
    size: i64,
    rank: i64,
    dimensions: &[Dimension],
    order: Order,
    old: &Datatype,
) -> Contents {
    let list = |f: fn(&Dimension) -> i64| dimensions.iter().map(f).collect::<Vec<_>>();
    let ints = integers(
        &[size, rank, dimensions.len() as i64],
        &[
            &list(|d| d.size),
            &list(|d| d.distribution as i64),
            &list(|d| d.argument.unwrap_or(DEFAULT_ARGUMENT)),
            &list(|d| d.processes),
            &[order as i64],
        ],
    );
    old.contents_of(ints, vec![])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Piece;
    use crate::Primitive;

    fn int() -> Datatype {
        Datatype::primitive(Primitive::Int)
    }

    /// The numbers of the elements that a type of ints selects, in order.
    fn selected(t: &Datatype) -> Vec<u32> {
        let len = (t.extent() / 4) as u32;
        let memory: Vec<u8> = (0..len).flat_map(u32::to_ne_bytes).collect();
        let mut out = vec![0; t.size()];
        assert_eq!(t.pack(1, &Piece { bytes: &memory[..], lo: 0 }, 0, &mut out), t.size());
        out.chunks_exact(4).map(|c| u32::from_ne_bytes(c.try_into().unwrap())).collect()
    }

    fn dimension(
        size: i64,
        distribution: Distribution,
        argument: i64,
        processes: i64,
    ) -> Dimension {
        Dimension { size, distribution, argument: Some(argument), processes }
    }

    #[test]
    fn a_subarray_selects_rows_in_c_order_and_columns_in_fortran_order() {
        let c = Datatype::subarray(&[3, 4], &[2, 2], &[1, 1], Order::C, &int()).unwrap();
        assert_eq!(selected(&c), [5, 6, 9, 10]);
        assert_eq!((c.lb(), c.extent()), (0, 48));
        let f = Datatype::subarray(&[3, 4], &[2, 2], &[1, 1], Order::Fortran, &int()).unwrap();
        assert_eq!(selected(&f), [4, 5, 7, 8]);
    }

    #[test]
    fn a_subarray_beyond_the_array_names_the_dimension() {
        let e = Datatype::subarray(&[4, 4], &[2, 3], &[0, 2], Order::C, &int()).unwrap_err();
        assert_eq!(e.class, ErrorClass::Arg);
        assert!(e.text.contains("start 1 is 2") && e.text.contains("0..=1"), "{e}");
    }

    #[test]
    fn cyclic_blocks_are_dealt_in_turn_and_the_last_may_be_partial() {
        let of = |rank| {
            let d = [dimension(11, Distribution::Cyclic, 2, 3)];
            selected(&Datatype::darray(3, rank, &d, Order::C, &int()).unwrap())
        };
        assert_eq!(of(0), [0, 1, 6, 7]);
        assert_eq!(of(1), [2, 3, 8, 9]);
        assert_eq!(of(2), [4, 5, 10]);
    }

    #[test]
    fn every_element_of_a_darray_belongs_to_exactly_one_process() {
        for order in [Order::C, Order::Fortran] {
            let d = [
                dimension(7, Distribution::Cyclic, 2, 2),
                dimension(5, Distribution::Block, 2, 3),
                dimension(3, Distribution::None, 1, 1),
            ];
            let mut all: Vec<u32> = (0..6)
                .flat_map(|r| selected(&Datatype::darray(6, r, &d, order, &int()).unwrap()))
                .collect();
            all.sort_unstable();
            assert_eq!(all, (0..105).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_process_beyond_the_last_block_owns_nothing_but_sees_the_whole_extent() {
        let d = [dimension(4, Distribution::Block, 3, 4)];
        let t = Datatype::darray(4, 3, &d, Order::C, &int()).unwrap();
        assert_eq!((t.size(), t.extent()), (0, 16));
    }

    #[test]
    fn a_row_near_the_largest_number_is_dealt_without_overflow() {
        let nothing = Datatype::contiguous(0, &int()).unwrap();
        let nothing = Datatype::resized(&nothing, 0, 0).unwrap();
        let d = [dimension(i64::MAX, Distribution::Cyclic, i64::MAX / 5, 2)];
        for rank in 0..2 {
            let t = Datatype::darray(2, rank, &d, Order::C, &nothing).unwrap();
            assert_eq!((t.size(), t.extent()), (0, 0));
        }
    }

    #[test]
    fn large_contents_move_the_sizes_and_keep_the_rest() {
        let t = Datatype::subarray(&[3, 4], &[2, 2], &[1, 1], Order::C, &int()).unwrap();
        let large = t.with_large_contents();
        let c = large.contents().unwrap();
        assert_eq!(c.integers, [2, Order::C as i64]);
        assert_eq!(c.counts, [3, 4, 2, 2, 1, 1]);
        let d = [dimension(4, Distribution::Block, 3, 4)];
        let t = Datatype::darray(4, 3, &d, Order::C, &int()).unwrap().with_large_contents();
        assert_eq!(t.contents().unwrap().integers, [4, 3, 1, 17, 3, 4, 12]);
        assert_eq!(t.contents().unwrap().counts, [4]);
    }
}
