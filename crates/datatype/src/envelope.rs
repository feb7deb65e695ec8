//! The constructor of a datatype and its arguments: the results of `MPI_Type_get_envelope` and
//! `MPI_Type_get_contents`.

use crate::Datatype;

/// The constructor of a datatype.
#[allow(missing_docs, reason = "the names are the standard's own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combiner {
    Named,
    Dup,
    Contiguous,
    Vector,
    Hvector,
    Indexed,
    Hindexed,
    IndexedBlock,
    HindexedBlock,
    Struct,
    Subarray,
    Darray,
    F90Real,
    F90Complex,
    F90Integer,
    Resized,
}

/// The arguments of the constructor, in the order of MPI 5.0, section 5.1.13, which differs between
/// the int form of a function and its `_c` form. A new type holds the int form; a type made by a
/// `_c` function is converted by [`Datatype::with_large_contents`].
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Arguments that are `int` in the form of the function used.
    pub integers: Vec<i64>,
    /// Arguments that are `MPI_Aint`: displacements and strides of the int form.
    pub addresses: Vec<i64>,
    /// Arguments that are `MPI_Count`: only the `_c` form has any.
    pub counts: Vec<i64>,
    /// The datatypes used.
    pub types: Vec<Datatype>,
}

/// The numbers of arguments of each kind, as `MPI_Type_get_envelope_c` returns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The constructor.
    pub combiner: Combiner,
    /// Length of [`Contents::integers`].
    pub integers: usize,
    /// Length of [`Contents::addresses`].
    pub addresses: usize,
    /// Length of [`Contents::counts`]. `MPI_Type_get_envelope` without `_c` must fail unless it is
    /// 0.
    pub counts: usize,
    /// Length of [`Contents::types`].
    pub types: usize,
}

/// The number of arguments before the global sizes in the int form of darray: size, rank and ndims.
const DARRAY_SIZES_AT: usize = 3;

impl Contents {
    /// The same arguments as the `_c` form of `combiner` reports them.
    pub(crate) fn into_large(mut self, combiner: Combiner) -> Contents {
        let wide = match combiner {
            Combiner::Subarray => 1..self.integers.len() - 1,
            Combiner::Darray => {
                let ndims = self.integers[DARRAY_SIZES_AT - 1] as usize;
                DARRAY_SIZES_AT..DARRAY_SIZES_AT + ndims
            }
            Combiner::F90Real | Combiner::F90Complex | Combiner::F90Integer => 0..0,
            _ => 0..self.integers.len(),
        };
        self.counts.extend(self.integers.drain(wide));
        self.counts.append(&mut self.addresses);
        self
    }
}
