//! The datatype itself: a shared, immutable description, and the inquiries about it.

use crate::envelope::{Combiner, Contents, Envelope};
use crate::layout::Layout;
use crate::type_map::Typemap;
use crate::{Primitive, signature::Signature};
use dunlin_base::{Error, ErrorClass, Result};
use std::sync::{Arc, OnceLock};

/// The most levels of nested constructors. Walking and freeing a type uses the stack once per
/// level; real programs use fewer than ten.
const NESTING_MAX: u32 = 1000;

/// An MPI datatype. Cloning shares it; it never changes.
#[derive(Clone, Debug)]
pub struct Datatype(Arc<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    typemap: Typemap,
    lb: i64,
    extent: i64,
    primitive: Option<Primitive>,
    combiner: Combiner,
    contents: Contents,
    /// Constructors between this type and the named ones.
    nesting: u32,
}

fn nesting(contents: &Contents) -> Result<u32> {
    let nesting = contents.types.iter().map(|t| t.0.nesting + 1).max().unwrap_or(0);
    if nesting <= NESTING_MAX {
        return Ok(nesting);
    }
    let text = format!(
        "the datatype is made of {nesting} constructors upon one another; the most is \
         {NESTING_MAX}; build it from fewer, wider constructors"
    );
    Err(Error::new(ErrorClass::Type, text))
}

impl Datatype {
    /// The predefined datatype `p`.
    pub fn primitive(p: Primitive) -> Datatype {
        static ALL: OnceLock<Vec<Datatype>> = OnceLock::new();
        let make = |&p: &Primitive| {
            let typemap = Typemap::primitive(p).expect("a primitive is small");
            let mut t = Self::derived(typemap, Combiner::Named, Contents::default())
                .expect("a primitive is small");
            Arc::make_mut(&mut t.0).primitive = Some(p);
            t
        };
        ALL.get_or_init(|| Primitive::ALL.iter().map(make).collect())[p as usize].clone()
    }

    /// A type with the typemap `typemap`, made by `combiner` from `contents`.
    pub(crate) fn derived(
        typemap: Typemap,
        combiner: Combiner,
        contents: Contents,
    ) -> Result<Datatype> {
        let (lb, extent) = (typemap.lb(), typemap.extent()?);
        let nesting = nesting(&contents)?;
        let primitive = None;
        let inner = Inner { typemap, lb, extent, primitive, combiner, contents, nesting };
        Ok(Datatype(Arc::new(inner)))
    }

    /// A type that behaves like `self`, made by `combiner` from `contents`.
    pub(crate) fn renamed(&self, combiner: Combiner, contents: Contents) -> Result<Datatype> {
        let nesting = nesting(&contents)?;
        Ok(Datatype(Arc::new(Inner { combiner, contents, nesting, ..Inner::clone(&self.0) })))
    }

    /// Bytes of data in one element, without holes.
    #[inline]
    pub fn size(&self) -> usize {
        self.0.typemap.layout.size
    }

    /// Bytes from one element of an array to the next; may be negative.
    #[inline]
    pub fn extent(&self) -> i64 {
        self.0.extent
    }

    /// Lower bound, in bytes from the element's address.
    #[inline]
    pub fn lb(&self) -> i64 {
        self.0.lb
    }

    /// Upper bound, in bytes from the element's address.
    #[inline]
    pub fn ub(&self) -> i64 {
        self.0.lb + self.0.extent
    }

    /// Offset of the lowest byte of data, ignoring bounds set by `resized`.
    #[inline]
    pub fn true_lb(&self) -> i64 {
        self.layout().lo
    }

    /// Bytes from the lowest to the highest byte of data, both included.
    #[inline]
    pub fn true_extent(&self) -> i64 {
        self.layout().hi - self.layout().lo
    }

    /// Whether the data of any number of consecutive elements is one run without holes, in memory
    /// order, that begins at `true_lb`: a plain copy packs it. True for a type without data.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        let layout = self.layout();
        layout.is_dense() && (layout.size as i64 == self.extent() || layout.size == 0)
    }

    /// The primitive that this type is, also where it is a duplicate or a parametrised Fortran
    /// type.
    pub fn as_primitive(&self) -> Option<Primitive> {
        self.0.primitive
    }

    /// The primitive of which all its data consists, such as `Double` for a vector of doubles.
    /// Accumulate and reduce require one.
    pub fn element(&self) -> Option<Primitive> {
        self.signature().element()
    }

    /// Whether the type is predefined: a named one, or a Fortran type by precision and range. A
    /// program must not free it and need not commit it.
    pub fn is_predefined(&self) -> bool {
        use Combiner::*;
        matches!(self.0.combiner, Named | F90Real | F90Complex | F90Integer)
    }

    /// Whether two handles share one description.
    pub fn is_same(&self, other: &Datatype) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The byte range `[lo, hi)`, relative to the buffer's address, that `count` consecutive
    /// elements touch. Empty (`lo == hi`) without data. A range beyond `i64` is truncated.
    pub fn bounds(&self, count: usize) -> (i64, i64) {
        let layout = self.layout();
        if count == 0 || layout.size == 0 {
            return (0, 0);
        }
        let last = i64::try_from(count - 1).unwrap_or(i64::MAX).saturating_mul(self.extent());
        (layout.lo.saturating_add(last.min(0)), layout.hi.saturating_add(last.max(0)))
    }

    /// The constructor that made the type, and its numbers of arguments of each kind.
    pub fn envelope(&self) -> Envelope {
        let c = &self.0.contents;
        Envelope {
            combiner: self.0.combiner,
            integers: c.integers.len(),
            addresses: c.addresses.len(),
            counts: c.counts.len(),
            types: c.types.len(),
        }
    }

    /// The arguments of the constructor. For a named type, which has none, the error is
    /// `MPI_ERR_TYPE`.
    pub fn contents(&self) -> Result<&Contents> {
        if self.0.combiner == Combiner::Named {
            let name = self.0.primitive.map_or("this type", Primitive::name);
            let text = format!("{name} is a named predefined datatype; only others have contents");
            return Err(Error::new(ErrorClass::Type, text));
        }
        Ok(&self.0.contents)
    }

    /// The same type with its contents recorded as the `_c` form of the constructor reports them.
    /// To be called right after the constructor, before the type is shared. A predefined type is
    /// unchanged.
    pub fn with_large_contents(mut self) -> Datatype {
        if self.is_predefined() {
            return self;
        }
        let inner = Arc::make_mut(&mut self.0);
        inner.contents = std::mem::take(&mut inner.contents).into_large(inner.combiner);
        self
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.0.typemap.layout
    }

    pub(crate) fn signature(&self) -> &Signature {
        &self.0.typemap.signature
    }

    pub(crate) fn typemap(&self) -> &Typemap {
        &self.0.typemap
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Piece;

    #[test]
    fn endless_nesting_is_refused_before_it_exhausts_the_stack() {
        let mut t = Datatype::primitive(Primitive::Int);
        let e = loop {
            let fields = [t.clone(), Datatype::primitive(Primitive::Char)];
            match Datatype::structure(&[1, 2], &[8, 0], &fields) {
                Ok(deeper) => t = deeper,
                Err(e) => break e,
            }
        };
        assert_eq!(e.class, ErrorClass::Type);
        assert!(e.text.contains("1001"), "{e}");
        let (lo, hi) = t.bounds(1);
        let mut out = vec![0; t.size()];
        assert_eq!(
            t.pack(1, &Piece { bytes: &vec![1; (hi - lo) as usize][..], lo }, 0, &mut out),
            t.size()
        );
    }

    #[test]
    fn predefined_types_are_shared() {
        let (a, b) = (Datatype::primitive(Primitive::Int), Datatype::primitive(Primitive::Int));
        assert!(a.is_same(&b));
        assert!(a.clone().with_large_contents().is_same(&b));
    }

    #[test]
    fn bounds_follow_a_negative_extent_downwards() {
        let int = Datatype::primitive(Primitive::Int);
        let t = Datatype::resized(&int, 0, -8).unwrap();
        assert_eq!(t.bounds(3), (-16, 4));
        assert_eq!(t.bounds(0), (0, 0));
    }
}
