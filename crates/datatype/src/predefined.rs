//! Predefined types that a program selects by properties instead of a name: Fortran types by
//! precision and range, types by class and size, pairs by value and index. MPI 5.0, sections 19.1.5
//! and 6.9.4.

use crate::envelope::{Combiner, Contents};
use crate::{Datatype, Primitive};
use dunlin_base::{Error, ErrorClass, Result};

/// The classes of `MPI_Type_match_size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeClass {
    /// `MPI_TYPECLASS_INTEGER`
    Integer,
    /// `MPI_TYPECLASS_REAL`
    Real,
    /// `MPI_TYPECLASS_COMPLEX`
    Complex,
    /// Fortran logical types, by size.
    Logical,
}

/// A Fortran real kind: bytes, decimal precision (`PRECISION`), decimal range (`RANGE`), its real
/// and its complex type.
struct RealKind {
    precision: i32,
    range: i32,
    real: Primitive,
    complex: Primitive,
}

const fn real_kind(precision: i32, range: i32, real: Primitive, complex: Primitive) -> RealKind {
    RealKind { precision, range, real, complex }
}

/// The kinds that a program can select by precision and range: IEEE binary32, binary64, binary128.
const REAL_KINDS: [RealKind; 3] = [
    real_kind(6, 37, Primitive::Real4, Primitive::Complex8),
    real_kind(15, 307, Primitive::Real8, Primitive::Complex16),
    real_kind(33, 4931, Primitive::Real16, Primitive::Complex32),
];

/// Decimal range of each Fortran integer kind.
const INTEGER_KINDS: [(i32, Primitive); 5] = [
    (2, Primitive::Integer1),
    (4, Primitive::Integer2),
    (9, Primitive::Integer4),
    (18, Primitive::Integer8),
    (38, Primitive::Integer16),
];

/// The smallest kind with at least this precision and range; `None` is `MPI_UNDEFINED`.
fn select_real(precision: Option<i32>, range: Option<i32>) -> Result<&'static RealKind> {
    if precision.is_none() && range.is_none() {
        let text = "precision and range are both MPI_UNDEFINED; at least one must be given";
        return Err(Error::new(ErrorClass::Arg, text));
    }
    let fits = |k: &&RealKind| precision <= Some(k.precision) && range <= Some(k.range);
    REAL_KINDS.iter().find(fits).ok_or_else(|| {
        let text = format!(
            "no Fortran real kind has precision {} and range {}; the most are 33 and 4931",
            precision.unwrap_or(0),
            range.unwrap_or(0)
        );
        Error::new(ErrorClass::Arg, text)
    })
}

impl Datatype {
    /// `MPI_Type_create_f90_real`. `None` is `MPI_UNDEFINED`, which the contents report as
    /// `undefined`, the caller's value of that constant.
    pub fn f90_real(p: Option<i32>, r: Option<i32>, undefined: i32) -> Result<Datatype> {
        let kind = select_real(p, r)?;
        parametrised(kind.real, Combiner::F90Real, &[p, r], undefined)
    }

    /// `MPI_Type_create_f90_complex`, with arguments as for [`Datatype::f90_real`].
    pub fn f90_complex(p: Option<i32>, r: Option<i32>, undefined: i32) -> Result<Datatype> {
        let kind = select_real(p, r)?;
        parametrised(kind.complex, Combiner::F90Complex, &[p, r], undefined)
    }

    /// `MPI_Type_create_f90_integer`: the smallest kind with decimal range `r`.
    pub fn f90_integer(r: i32) -> Result<Datatype> {
        let kind = INTEGER_KINDS.iter().find(|(range, _)| r <= *range).ok_or_else(|| {
            let text = format!("no Fortran integer kind has decimal range {r}; the most is 38");
            Error::new(ErrorClass::Arg, text)
        })?;
        parametrised(kind.1, Combiner::F90Integer, &[Some(r)], r)
    }

    /// `MPI_Type_get_value_index`: the pair type of a value and an index for `MPI_MINLOC` and
    /// `MPI_MAXLOC`; `None` (`MPI_DATATYPE_NULL`) where the standard defines no such pair.
    pub fn value_index(value: &Datatype, index: &Datatype) -> Option<Datatype> {
        let wanted = (value.as_primitive()?, index.as_primitive()?);
        let named = Primitive::ALL.iter().find(|p| p.pair() == Some(wanted))?;
        Some(Datatype::primitive(*named))
    }

    /// `MPI_Type_match_size`: the type of `class` with `size` bytes.
    pub fn match_size(class: TypeClass, size: i64) -> Result<Datatype> {
        use Primitive::*;
        let candidates: &[Primitive] = match class {
            TypeClass::Integer => &[Integer1, Integer2, Integer4, Integer8, Integer16],
            TypeClass::Real => &[Real2, Real4, Real8, Real16],
            TypeClass::Complex => &[Complex4, Complex8, Complex16, Complex32],
            TypeClass::Logical => &[Logical1, Logical2, Logical4, Logical8, Logical16],
        };
        let found = candidates.iter().find(|p| p.size() as i64 == size);
        found.map(|&p| Datatype::primitive(p)).ok_or_else(|| {
            let text = format!("no {class:?} type has {size} bytes; see MPI_Type_match_size");
            Error::new(ErrorClass::Arg, text)
        })
    }
}

/// The type `p` as the result for a Fortran precision and range.
fn parametrised(
    p: Primitive,
    combiner: Combiner,
    arguments: &[Option<i32>],
    undefined: i32,
) -> Result<Datatype> {
    let integers = arguments.iter().map(|a| i64::from(a.unwrap_or(undefined))).collect();
    let contents = Contents { integers, ..Contents::default() };
    Datatype::primitive(p).renamed(combiner, contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNDEFINED: i32 = -32766;

    #[test]
    fn the_smallest_kind_that_suffices_is_chosen() {
        let real = |p, r| Datatype::f90_real(p, r, UNDEFINED).unwrap().as_primitive();
        assert_eq!(real(Some(6), Some(37)), Some(Primitive::Real4));
        assert_eq!(real(Some(7), None), Some(Primitive::Real8));
        assert_eq!(real(None, Some(308)), Some(Primitive::Real16));
        let integer = |r| Datatype::f90_integer(r).unwrap().as_primitive();
        assert_eq!(integer(9), Some(Primitive::Integer4));
        assert_eq!(integer(10), Some(Primitive::Integer8));
    }

    #[test]
    fn impossible_requests_are_errors() {
        assert!(Datatype::f90_real(Some(34), None, UNDEFINED).is_err());
        assert!(Datatype::f90_real(None, None, UNDEFINED).is_err());
        assert!(Datatype::f90_integer(39).is_err());
        assert!(Datatype::match_size(TypeClass::Real, 3).is_err());
    }

    #[test]
    fn parametrised_types_report_the_arguments_given() {
        let t = Datatype::f90_complex(Some(15), None, UNDEFINED).unwrap();
        assert_eq!(t.envelope().combiner, Combiner::F90Complex);
        assert_eq!(t.contents().unwrap().integers, [15, i64::from(UNDEFINED)]);
        assert!(t.is_predefined());
    }

    #[test]
    fn known_pairs_are_the_named_types() {
        let of = |v, i| Datatype::value_index(&Datatype::primitive(v), &Datatype::primitive(i));
        let pair = of(Primitive::Double, Primitive::Int).unwrap();
        assert_eq!(pair.as_primitive(), Some(Primitive::DoubleInt));
        assert!(of(Primitive::Char, Primitive::Int).is_none());
        assert!(of(Primitive::Int32, Primitive::Int32).is_none());
    }
}
