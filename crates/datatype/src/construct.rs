//! The type constructors of MPI 5.0, sections 5.1.2 to 5.1.3 and 5.1.7 to 5.1.9. Each checks its
//! arguments, composes the typemap, and records the arguments in the order given.

use crate::Datatype;
use crate::envelope::{Combiner, Contents};
use crate::layout::{add, mul};
use crate::type_map::{Typemap, TypemapSequence};
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

/// Arguments in the order in which the contents report them.
pub(crate) fn integers(scalars: &[i64], lists: &[&[i64]]) -> Vec<i64> {
    let mut all = scalars.to_vec();
    lists.iter().for_each(|list| all.extend_from_slice(list));
    all
}

impl Datatype {
    /// `MPI_Type_contiguous`: `count` consecutive elements.
    pub fn contiguous(count_given: i64, old: &Datatype) -> Result<Datatype> {
        let typemap = old.typemap().repeated(count(count_given)?, old.extent())?;
        let contents = old.contents_of(vec![count_given], vec![]);
        Datatype::derived(typemap, Combiner::Contiguous, contents)
    }

    /// `MPI_Type_vector`: `count` blocks, their starts `stride` extents of `old` apart.
    pub fn vector(n: i64, block: i64, stride: i64, old: &Datatype) -> Result<Datatype> {
        let typemap = old.blocks(n, block, || mul(stride, old.extent()))?;
        let contents = old.contents_of(vec![n, block, stride], vec![]);
        Datatype::derived(typemap, Combiner::Vector, contents)
    }

    /// `MPI_Type_create_hvector`: `count` blocks, their starts `stride` bytes apart.
    pub fn hvector(n: i64, block: i64, stride: i64, old: &Datatype) -> Result<Datatype> {
        let typemap = old.blocks(n, block, || Ok(stride))?;
        let contents = old.contents_of(vec![n, block], vec![stride]);
        Datatype::derived(typemap, Combiner::Hvector, contents)
    }

    /// `MPI_Type_indexed`: blocks of several lengths at displacements in extents of `old`.
    pub fn indexed(lengths: &[i64], displacements: &[i64], old: &Datatype) -> Result<Datatype> {
        same_length("displacements", displacements.len(), lengths.len())?;
        let typemap = old.scattered(lengths.iter(), displacements, old.extent())?;
        let n = lengths.len() as i64;
        let contents = old.contents_of(integers(&[n], &[lengths, displacements]), vec![]);
        Datatype::derived(typemap, Combiner::Indexed, contents)
    }

    /// `MPI_Type_create_hindexed`: blocks of several lengths at displacements in bytes.
    pub fn hindexed(lengths: &[i64], displacements: &[i64], old: &Datatype) -> Result<Datatype> {
        same_length("displacements", displacements.len(), lengths.len())?;
        let typemap = old.scattered(lengths.iter(), displacements, 1)?;
        let ints = integers(&[lengths.len() as i64], &[lengths]);
        let contents = old.contents_of(ints, displacements.to_vec());
        Datatype::derived(typemap, Combiner::Hindexed, contents)
    }

    /// `MPI_Type_create_indexed_block`: blocks of one length at displacements in extents.
    pub fn indexed_block(block: i64, displacements: &[i64], old: &Datatype) -> Result<Datatype> {
        let typemap = old.scattered(std::iter::repeat(&block), displacements, old.extent())?;
        let n = displacements.len() as i64;
        let contents = old.contents_of(integers(&[n, block], &[displacements]), vec![]);
        Datatype::derived(typemap, Combiner::IndexedBlock, contents)
    }

    /// `MPI_Type_create_hindexed_block`: blocks of one length at displacements in bytes.
    pub fn hindexed_block(block: i64, displacements: &[i64], old: &Datatype) -> Result<Datatype> {
        let typemap = old.scattered(std::iter::repeat(&block), displacements, 1)?;
        let ints = vec![displacements.len() as i64, block];
        let contents = old.contents_of(ints, displacements.to_vec());
        Datatype::derived(typemap, Combiner::HindexedBlock, contents)
    }

    /// `MPI_Type_create_struct`: blocks of several types and lengths, displacements in bytes.
    pub fn structure(
        lengths: &[i64],
        displacements: &[i64],
        types: &[Datatype],
    ) -> Result<Datatype> {
        same_length("displacements", displacements.len(), lengths.len())?;
        same_length("datatypes", types.len(), lengths.len())?;
        let mut sequence = TypemapSequence::new();
        for ((&length, &displacement), old) in lengths.iter().zip(displacements).zip(types) {
            let block = old.typemap().repeated(blocklength(length)?, old.extent())?;
            if !block.is_empty() {
                sequence.push(&block, displacement)?;
            }
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
        let typemap = old.typemap().with_bounds(lb, add(lb, extent)?);
        let contents = old.contents_of(vec![], vec![lb, extent]);
        Datatype::derived(typemap, Combiner::Resized, contents)
    }

    /// `MPI_Type_dup`.
    pub fn dup(&self) -> Result<Datatype> {
        self.renamed(Combiner::Dup, self.contents_of(vec![], vec![]))
    }

    /// The contents of a type whose constructor used `self` alone.
    pub(crate) fn contents_of(&self, integers: Vec<i64>, addresses: Vec<i64>) -> Contents {
        Contents { integers, addresses, counts: vec![], types: vec![self.clone()] }
    }

    /// `n` blocks of `block` elements, `stride` bytes apart.
    fn blocks(&self, n: i64, block: i64, stride: impl FnOnce() -> Result<i64>) -> Result<Typemap> {
        let (block, n) = (blocklength(block)?, count(n)?);
        let block = self.typemap().repeated(block, self.extent())?;
        // A single block, or blocks without data, need no stride.
        let is_alone = n < 2 || block.is_empty();
        block.repeated(n, if is_alone { 0 } else { stride()? })
    }

    /// Blocks at `displacements`, in units of `unit` bytes.
    fn scattered<'a>(
        &self,
        lengths: impl Iterator<Item = &'a i64>,
        displacements: &[i64],
        unit: i64,
    ) -> Result<Typemap> {
        let mut sequence = TypemapSequence::new();
        for (&length, &displacement) in lengths.zip(displacements) {
            let block = self.typemap().repeated(blocklength(length)?, self.extent())?;
            if !block.is_empty() {
                sequence.push(&block, mul(displacement, unit)?)?;
            }
        }
        Ok(sequence.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Piece;
    use crate::Primitive;
    use crate::layout::Node;

    fn of(p: Primitive) -> Datatype {
        Datatype::primitive(p)
    }

    /// The standard's running example: a double at 0 and a char at 8, so an extent of 16.
    fn double_and_char() -> Datatype {
        let types = [of(Primitive::Double), of(Primitive::Char)];
        Datatype::structure(&[1, 1], &[0, 8], &types).unwrap()
    }

    /// Offsets of the packed bytes.
    fn offsets(t: &Datatype) -> Vec<u8> {
        let (lo, hi) = t.bounds(1);
        let memory: Vec<u8> = (lo..hi).map(|at| at as u8).collect();
        let mut out = vec![0; t.size()];
        t.pack(1, &Piece { bytes: &memory[..], lo }, 0, &mut out);
        out
    }

    #[test]
    fn the_extent_of_a_struct_is_padded_to_its_alignment() {
        let t = double_and_char();
        assert_eq!((t.size(), t.extent(), t.true_extent()), (9, 16, 9));
        assert!(!t.is_contiguous());
    }

    #[test]
    fn no_part_reaches_beyond_the_datatype_it_is_a_part_of() {
        // 3 blocks of 4 doubles; the stride is 6 doubles and one byte. 130 bytes, padded to 136.
        let inner = Datatype::hvector(3, 4, 49, &of(Primitive::Double)).unwrap();
        assert_eq!(inner.extent(), 136);
        let outer = Datatype::hvector(2, 3, 4 * 136 + 1, &inner).unwrap();
        assert_eq!((outer.true_extent(), outer.extent()), (545 + 2 * 136 + 130, 960));
    }

    #[test]
    fn the_example_of_vector_has_the_typemap_of_the_standard() {
        // MPI 5.0, section 5.1.2: two blocks of three, a stride of four elements.
        let t = Datatype::vector(2, 3, 4, &double_and_char()).unwrap();
        let starts = [0u8, 16, 32, 64, 80, 96];
        let wanted: Vec<u8> = starts.iter().flat_map(|s| (0..9).map(move |b| s + b)).collect();
        assert_eq!(offsets(&t), wanted);
        assert_eq!(t.extent(), 112);
    }

    #[test]
    fn the_example_of_indexed_has_the_typemap_of_the_standard() {
        let t = Datatype::indexed(&[3, 1], &[4, 0], &double_and_char()).unwrap();
        let starts = [64u8, 80, 96, 0];
        let wanted: Vec<u8> = starts.iter().flat_map(|s| (0..9).map(move |b| s + b)).collect();
        assert_eq!(offsets(&t), wanted);
    }

    #[test]
    fn a_negative_stride_moves_the_lower_bound() {
        let t = Datatype::vector(3, 1, -2, &of(Primitive::Int)).unwrap();
        assert_eq!((t.lb(), t.ub(), t.true_lb()), (-16, 4, -16));
        assert_eq!(t.bounds(2), (-16, 24));
    }

    #[test]
    fn markers_stay_through_later_constructors() {
        let wide = Datatype::resized(&of(Primitive::Int), -4, 16).unwrap();
        assert_eq!((wide.lb(), wide.ub(), wide.true_lb()), (-4, 12, 0));
        let two = Datatype::contiguous(2, &wide).unwrap();
        assert_eq!((two.lb(), two.extent(), two.true_extent()), (-4, 32, 20));
    }

    #[test]
    fn a_vector_of_a_million_blocks_is_one_node() {
        let t = Datatype::vector(1_000_000, 1, 2, &of(Primitive::Double)).unwrap();
        assert!(matches!(&t.layout().node, Node::Repeat { count: 1_000_000, stride: 16, child }
            if child.is_dense()));
    }

    #[test]
    fn contiguous_data_is_recognised_whatever_made_it() {
        let int = of(Primitive::Int);
        assert!(Datatype::vector(5, 2, 2, &int).unwrap().is_contiguous());
        assert!(Datatype::indexed(&[1, 2], &[3, 4], &int).unwrap().is_contiguous());
        assert!(!Datatype::indexed(&[1, 2], &[5, 3], &int).unwrap().is_contiguous());
        assert!(!Datatype::vector(5, 2, 3, &int).unwrap().is_contiguous());
    }

    #[test]
    fn contents_return_the_arguments_in_both_forms() {
        let t = Datatype::hindexed(&[1, 2], &[0, 8], &of(Primitive::Int)).unwrap();
        let c = t.contents().unwrap();
        assert_eq!((&c.integers[..], &c.addresses[..]), (&[2, 1, 2][..], &[0, 8][..]));
        let large = t.with_large_contents();
        let c = large.contents().unwrap();
        assert_eq!(c.counts, [2, 1, 2, 0, 8]);
        assert_eq!(large.envelope().addresses + large.envelope().integers, 0);
        assert_eq!(c.types[0].as_primitive(), Some(Primitive::Int));
        assert!(of(Primitive::Int).contents().is_err());
    }

    #[test]
    fn a_duplicate_is_the_same_data_under_another_constructor() {
        let t = of(Primitive::Int).dup().unwrap();
        assert_eq!(t.envelope().combiner, Combiner::Dup);
        assert_eq!(t.as_primitive(), Some(Primitive::Int));
        assert!(!t.is_predefined());
    }

    #[test]
    fn an_empty_block_may_stand_anywhere() {
        let double = of(Primitive::Double);
        let (far, near) = (i64::MAX, i64::MIN);
        let types = [double.clone(), double.clone(), double.clone()];
        let alike = [
            Datatype::structure(&[0, 1, 0], &[far, 0, near], &types),
            Datatype::indexed(&[0, 1, 0], &[far, 0, near], &double),
            Datatype::hindexed(&[0, 1, 0], &[far, 0, near], &double),
            Datatype::vector(1, 1, far, &double),
            Datatype::hvector(1, 1, near, &double),
        ];
        for t in alike {
            let t = t.unwrap();
            assert_eq!((t.size(), t.lb(), t.extent()), (8, 0, 8), "{t:?}");
        }
        let empty = [
            Datatype::indexed_block(0, &[far, near], &double),
            Datatype::hindexed_block(0, &[far, near], &double),
            Datatype::vector(7, 0, far, &double),
            Datatype::vector(0, 7, far, &double),
            Datatype::hvector(7, 0, near, &double),
        ];
        for t in empty {
            let t = t.unwrap();
            assert_eq!((t.size(), t.lb(), t.extent()), (0, 0, 0), "{t:?}");
        }
    }

    #[test]
    fn markers_stand_where_their_block_does_though_it_has_no_data() {
        let nothing = Datatype::contiguous(0, &of(Primitive::Int)).unwrap();
        let marked = Datatype::resized(&nothing, -4, 16).unwrap();
        let t = Datatype::hindexed(&[1], &[100], &marked).unwrap();
        assert_eq!((t.lb(), t.extent(), t.size()), (96, 16, 0));
        let e = Datatype::hindexed(&[1], &[i64::MAX], &marked).unwrap_err();
        assert_eq!(e.class, ErrorClass::ValueTooLarge);
    }

    #[test]
    fn wrong_arguments_are_named_with_their_value() {
        let int = of(Primitive::Int);
        let e = Datatype::contiguous(-3, &int).unwrap_err();
        assert_eq!((e.class, &*e.text), (ErrorClass::Count, "count is -3; it must be >= 0"));
        assert_eq!(Datatype::vector(1, -1, 1, &int).unwrap_err().class, ErrorClass::Arg);
        assert_eq!(Datatype::indexed(&[1], &[], &int).unwrap_err().class, ErrorClass::Arg);
        let e = Datatype::vector(1 << 40, 1, 1 << 40, &int).unwrap_err();
        assert_eq!(e.class, ErrorClass::ValueTooLarge);
    }
}
