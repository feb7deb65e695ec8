//! The type constructors of MPI 5.0, section 5.1.2 to 5.1.3 and 5.1.7 to 5.1.9. Each checks its
//! arguments, composes the typemap, and records the arguments as they came.

use crate::Datatype;
use crate::envelope::{Combiner, Contents};
use crate::layout::{add, mul};
use crate::shape::{Shape, ShapeSequence};
use dunlin_base::{Error, ErrorClass, Result};

/// A count that must not be negative.
fn non_negative(what: &str, value: i64, class: ErrorClass) -> Result<usize> {
    usize::try_from(value)
        .map_err(|_| Error::new(class, format!("{what} is {value}; it must be >= 0")))
}

fn count(value: i64) -> Result<usize> {
    non_negative("count", value, ErrorClass::Count)
}

fn blocklength(value: i64) -> Result<usize> {
    non_negative("blocklength", value, ErrorClass::Arg)
}

pub(crate) fn same_length(what: &str, len: usize, expected: usize) -> Result<()> {
    if len == expected {
        return Ok(());
    }
    let text = format!("there are {len} {what}; there must be {expected}, one for each block");
    Err(Error::new(ErrorClass::Arg, text))
}

/// Arguments in the order they are reported.
pub(crate) fn integers(scalars: &[i64], lists: &[&[i64]]) -> Vec<i64> {
    let mut all = scalars.to_vec();
    lists.iter().for_each(|list| all.extend_from_slice(list));
    all
}

impl Datatype {
    /// `MPI_Type_contiguous`: `count` elements behind one another.
    pub fn contiguous(count_given: i64, old: &Datatype) -> Result<Datatype> {
        let shape = old.shape().repeated(count(count_given)?, old.extent())?;
        let contents = old.contents_of(vec![count_given], vec![]);
        Datatype::derived(shape, Combiner::Contiguous, contents)
    }

    /// `MPI_Type_vector`: `count` blocks, their starts `stride` extents of `old` apart.
    pub fn vector(n: i64, block: i64, stride: i64, old: &Datatype) -> Result<Datatype> {
        let shape = old.blocks(n, block, || mul(stride, old.extent()))?;
        let contents = old.contents_of(vec![n, block, stride], vec![]);
        Datatype::derived(shape, Combiner::Vector, contents)
    }

    /// `MPI_Type_create_hvector`: `count` blocks, their starts `stride` bytes apart.
    pub fn hvector(n: i64, block: i64, stride: i64, old: &Datatype) -> Result<Datatype> {
        let shape = old.blocks(n, block, || Ok(stride))?;
        let contents = old.contents_of(vec![n, block], vec![stride]);
        Datatype::derived(shape, Combiner::Hvector, contents)
    }

    /// `MPI_Type_indexed`: blocks of several lengths at displacements in extents of `old`.
    pub fn indexed(lengths: &[i64], displacements: &[i64], old: &Datatype) -> Result<Datatype> {
        same_length("displacements", displacements.len(), lengths.len())?;
        let shape = old.scattered(lengths.iter(), displacements, old.extent())?;
        let n = lengths.len() as i64;
        let contents = old.contents_of(integers(&[n], &[lengths, displacements]), vec![]);
        Datatype::derived(shape, Combiner::Indexed, contents)
    }

    /// `MPI_Type_create_hindexed`: blocks of several lengths at displacements in bytes.
    pub fn hindexed(lengths: &[i64], displacements: &[i64], old: &Datatype) -> Result<Datatype> {
        same_length("displacements", displacements.len(), lengths.len())?;
        let shape = old.scattered(lengths.iter(), displacements, 1)?;
        let ints = integers(&[lengths.len() as i64], &[lengths]);
        let contents = old.contents_of(ints, displacements.to_vec());
        Datatype::derived(shape, Combiner::Hindexed, contents)
    }

    /// `MPI_Type_create_indexed_block`: blocks of one length at displacements in extents.
    pub fn indexed_block(block: i64, displacements: &[i64], old: &Datatype) -> Result<Datatype> {
        let shape = old.scattered(std::iter::repeat(&block), displacements, old.extent())?;
        let n = displacements.len() as i64;
        let contents = old.contents_of(integers(&[n, block], &[displacements]), vec![]);
        Datatype::derived(shape, Combiner::IndexedBlock, contents)
    }

    /// `MPI_Type_create_hindexed_block`: blocks of one length at displacements in bytes.
    pub fn hindexed_block(block: i64, displacements: &[i64], old: &Datatype) -> Result<Datatype> {
        let shape = old.scattered(std::iter::repeat(&block), displacements, 1)?;
        let ints = vec![displacements.len() as i64, block];
        let contents = old.contents_of(ints, displacements.to_vec());
        Datatype::derived(shape, Combiner::HindexedBlock, contents)
    }

    /// `MPI_Type_create_struct`: blocks of several types and lengths, displacements in bytes.
    pub fn structure(
        lengths: &[i64],
        displacements: &[i64],
        types: &[Datatype],
    ) -> Result<Datatype> {
        same_length("displacements", displacements.len(), lengths.len())?;
        same_length("datatypes", types.len(), lengths.len())?;
        let mut sequence = ShapeSequence::new();
        for ((&length, &displacement), old) in lengths.iter().zip(displacements).zip(types) {
            let block = old.shape().repeated(blocklength(length)?, old.extent())?;
            sequence.push(&block, displacement)?;
        }
        let contents = Contents {
            integers: integers(&[lengths.len() as i64], &[lengths]),
            addresses: displacements.to_vec(),
            counts: vec![],
            types: types.to_vec(),
        };
        Datatype::derived(sequence.finish(), Combiner::Struct, contents)
    }

    /// `MPI_Type_create_resized`: the same data with a new lower bound and extent.
    pub fn resized(old: &Datatype, lb: i64, extent: i64) -> Result<Datatype> {
        let shape = old.shape().with_bounds(lb, add(lb, extent)?);
        let contents = old.contents_of(vec![], vec![lb, extent]);
        Datatype::derived(shape, Combiner::Resized, contents)
    }

    /// `MPI_Type_dup`.
    pub fn dup(&self) -> Datatype {
        self.renamed(Combiner::Dup, self.contents_of(vec![], vec![]))
    }

    /// Arguments of a constructor that used `self` alone.
    pub(crate) fn contents_of(&self, integers: Vec<i64>, addresses: Vec<i64>) -> Contents {
        Contents { integers, addresses, counts: vec![], types: vec![self.clone()] }
    }

    /// `n` blocks of `block` elements, `stride` bytes apart.
    fn blocks(&self, n: i64, block: i64, stride: impl FnOnce() -> Result<i64>) -> Result<Shape> {
        let block = self.shape().repeated(blocklength(block)?, self.extent())?;
        block.repeated(count(n)?, stride()?)
    }

    /// Blocks at `displacements`, which are in units of `unit` bytes.
    fn scattered<'a>(
        &self,
        lengths: impl Iterator<Item = &'a i64>,
        displacements: &[i64],
        unit: i64,
    ) -> Result<Shape> {
        let mut sequence = ShapeSequence::new();
        for (&length, &displacement) in lengths.zip(displacements) {
            let block = self.shape().repeated(blocklength(length)?, self.extent())?;
            sequence.push(&block, mul(displacement, unit)?)?;
        }
        Ok(sequence.finish())
    }
}
