//! Recipes from arbitrary bytes, with typemaps short enough to list.

use crate::typemap::Recipe;
use arbitrary::{Result, Unstructured};
use dunlin_datatype::{Distribution, Order, Primitive};

/// The deepest nesting of types.
const DEPTH_MAX: usize = 5;
/// The most elements of a typemap; a pair counts as one.
const ELEMENTS_MAX: i64 = 2000;
/// The most copies of its old type that a constructor below makes. Where fewer elements are left,
/// the type is a primitive.
const COPIES_MAX: i64 = 64;
/// The most blocks in a list: more than a layout flattens into its parent's list.
const BLOCKS_MAX: usize = 20;

/// A recipe of bounded depth and length.
pub fn recipe(u: &mut Unstructured) -> Result<Recipe> {
    nested(u, DEPTH_MAX, ELEMENTS_MAX)
}

fn nested(u: &mut Unstructured, depth: usize, elements: i64) -> Result<Recipe> {
    if depth == 0 || elements < COPIES_MAX || u.is_empty() {
        return Ok(Recipe::Primitive(*u.choose(Primitive::ALL)?));
    }
    match u.int_in_range(0..=3)? {
        0 => regular(u, depth - 1, elements),
        1 => listed(u, depth - 1, elements),
        2 => structure(u, depth - 1, elements),
        _ => array(u, depth - 1, elements),
    }
}

/// The old type of a constructor that makes `copies` of it.
fn old(u: &mut Unstructured, depth: usize, elements: i64, copies: i64) -> Result<Box<Recipe>> {
    assert!(copies <= COPIES_MAX, "a constructor makes {copies} copies");
    Ok(Box::new(nested(u, depth, elements / copies.max(1))?))
}

fn regular(u: &mut Unstructured, depth: usize, elements: i64) -> Result<Recipe> {
    let (n, block) = (u.int_in_range(0..=20)?, u.int_in_range(0..=3)?);
    Ok(match u.int_in_range(0..=4)? {
        0 => Recipe::Contiguous(n, old(u, depth, elements, n)?),
        1 => {
            let stride = u.int_in_range(-6..=6)?;
            Recipe::Vector(n, block, stride, old(u, depth, elements, n * block)?)
        }
        2 => {
            let stride = u.int_in_range(-100..=100)?;
            Recipe::Hvector(n, block, stride, old(u, depth, elements, n * block)?)
        }
        3 => {
            let (lb, extent) = (u.int_in_range(-40..=40)?, u.int_in_range(-40..=100)?);
            Recipe::Resized(lb, extent, old(u, depth, elements, 1)?)
        }
        _ => Recipe::Dup(old(u, depth, elements, 1)?),
    })
}

fn listed(u: &mut Unstructured, depth: usize, elements: i64) -> Result<Recipe> {
    let by_bytes = u.arbitrary()?;
    let reach = if by_bytes { 200 } else { 10 };
    let n = u.int_in_range(0..=BLOCKS_MAX)?;
    let places = (0..n).map(|_| u.int_in_range(-reach..=reach)).collect::<Result<Vec<i64>>>()?;
    if u.arbitrary()? {
        let block = u.int_in_range(0..=3)?;
        let old = old(u, depth, elements, n as i64 * block)?;
        let make = if by_bytes { Recipe::HindexedBlock } else { Recipe::IndexedBlock };
        return Ok(make(block, places, old));
    }
    let mut blocks = Vec::new();
    for place in places {
        blocks.push((u.int_in_range(0..=3)?, place));
    }
    let old = old(u, depth, elements, blocks.iter().map(|b| b.0).sum())?;
    Ok(if by_bytes { Recipe::Hindexed(blocks, old) } else { Recipe::Indexed(blocks, old) })
}

fn structure(u: &mut Unstructured, depth: usize, elements: i64) -> Result<Recipe> {
    let n = u.int_in_range(0..=5)?;
    let mut fields = Vec::new();
    for _ in 0..n {
        let (length, place) = (u.int_in_range(0..=3)?, u.int_in_range(-100..=200)?);
        fields.push((length, place, *old(u, depth, elements / n, length)?));
    }
    Ok(Recipe::Struct(fields))
}

fn array(u: &mut Unstructured, depth: usize, elements: i64) -> Result<Recipe> {
    let order = *u.choose(&[Order::C, Order::Fortran])?;
    if u.arbitrary()? {
        let n = u.int_in_range(1..=3)?;
        let d = (0..n).map(|_| subarray_dimension(u)).collect::<Result<Vec<_>>>()?;
        let copies = d.iter().map(|d| d.1).product();
        return Ok(Recipe::Subarray(d, order, old(u, depth, elements, copies)?));
    }
    let n = u.int_in_range(1..=2)?;
    let d = (0..n).map(|_| darray_dimension(u)).collect::<Result<Vec<_>>>()?;
    let copies = d.iter().map(|d| d.0).product();
    let rank = u.int_in_range(0..=15)?;
    Ok(Recipe::Darray(d, order, rank, old(u, depth, elements, copies)?))
}

/// Size, subsize and start.
fn subarray_dimension(u: &mut Unstructured) -> Result<(i64, i64, i64)> {
    let size = u.int_in_range(1..=5)?;
    let subsize = u.int_in_range(1..=size.min(4))?;
    Ok((size, subsize, u.int_in_range(0..=size - subsize)?))
}

/// Size, distribution, argument and processes, within what the standard allows.
fn darray_dimension(u: &mut Unstructured) -> Result<(i64, Distribution, i64, i64)> {
    let size: i64 = u.int_in_range(1..=8)?;
    let (argument, processes) = (u.int_in_range(1..=9)?, u.int_in_range(1..=4)?);
    Ok(match u.int_in_range(0..=2)? {
        0 => (size, Distribution::None, 1, 1),
        1 => {
            let least = (size - 1) / processes + 1;
            (size, Distribution::Block, least.max(argument), processes)
        }
        _ => (size, Distribution::Cyclic, argument, processes),
    })
}
