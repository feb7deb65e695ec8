//! Handles: predefined objects have the small numbers of the standard ABI; an object made at run
//! time is `kind << 27 | number`, so that a handle of the wrong kind is recognised and every handle
//! fits in a positive `int` (which makes `MPI_X_toint` and `MPI_X_fromint` the identity).

use crate::standard::constants::*;
use crate::standard::types::*;
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_datatype::{Primitive, reduce};
use dunlin_engine::{CommId, SELF, WORLD};

/// Bits of an object's number within its kind.
const NUMBER_BITS: u32 = 27;
/// Every handle made at run time is above; the standard reserves what is below for itself.
const PREDEFINED_MAX: usize = 0xfff;

/// A kind of MPI object.
pub trait Handle: Copy {
    /// Its tag in handles made at run time: 1 to 15.
    const KIND: usize;
    /// The class of an error about such a handle.
    const CLASS: ErrorClass;
    /// How messages call it.
    const NOUN: &'static str;
    /// The null handle and its name.
    const NULL: (usize, &'static str);
    /// The number the program holds.
    fn bits(self) -> usize;
    /// The handle with this number.
    fn from_bits(bits: usize) -> Self;
}

macro_rules! handles {
    ($($ty:ident $kind:literal $class:ident $noun:literal $null:ident;)*) => {
        $(impl Handle for $ty {
            const KIND: usize = $kind;
            const CLASS: ErrorClass = ErrorClass::$class;
            const NOUN: &'static str = $noun;
            const NULL: (usize, &'static str) = ($null.0, stringify!($null));
            fn bits(self) -> usize {
                self.0
            }
            fn from_bits(bits: usize) -> Self {
                $ty(bits)
            }
        })*

        /// The noun of a kind, for messages.
        fn noun_of(kind: usize) -> Option<&'static str> {
            match kind {
                $($kind => Some($noun),)*
                _ => None,
            }
        }
    };
}

handles! {
    MPI_Comm 1 Comm "communicator" MPI_COMM_NULL;
    MPI_Group 2 Group "group" MPI_GROUP_NULL;
    MPI_Request 3 Request "request" MPI_REQUEST_NULL;
    MPI_Datatype 4 Type "datatype" MPI_DATATYPE_NULL;
    MPI_Op 5 Op "operation" MPI_OP_NULL;
    MPI_Errhandler 6 Errhandler "error handler" MPI_ERRHANDLER_NULL;
    MPI_Info 7 Info "info object" MPI_INFO_NULL;
    MPI_Win 8 Win "window" MPI_WIN_NULL;
    MPI_File 9 File "file" MPI_FILE_NULL;
    MPI_Session 10 Session "session" MPI_SESSION_NULL;
    MPI_Message 11 Request "message" MPI_MESSAGE_NULL;
}

/// The handle of object `number`, made at run time. `None` once a kind has 2^27 objects.
#[inline]
pub fn made<H: Handle>(number: u32) -> Option<H> {
    (number >> NUMBER_BITS == 0).then(|| H::from_bits(H::KIND << NUMBER_BITS | number as usize))
}

/// The handle of the request that stands for every send and every
/// collective that was complete as it began.
pub const COMPLETE_HANDLE: MPI_Request =
    MPI_Request(MPI_Request::KIND << NUMBER_BITS | dunlin_engine::fast_path::COMPLETE as usize);

/// The number of an object made at run time; `None` for every other handle.
#[inline(always)]
pub fn claimed<H: Handle>(handle: H) -> Option<u32> {
    let bits = handle.bits();
    (bits >> NUMBER_BITS == H::KIND).then_some((bits & ((1 << NUMBER_BITS) - 1)) as u32)
}

/// The number that a handle claims for a communicator; `None` if it is no such handle.
#[inline(always)]
pub fn claimed_comm(handle: MPI_Comm) -> Option<CommId> {
    match handle {
        MPI_COMM_WORLD => Some(WORLD),
        MPI_COMM_SELF => Some(SELF),
        _ => claimed(handle),
    }
}

/// The number of an object made at run time; an error for every other handle.
#[inline]
pub fn number<H: Handle>(handle: H) -> Result<u32> {
    claimed(handle).ok_or_else(|| wrong(handle))
}

/// Says what is wrong with a handle that names no object of its kind.
#[cold]
pub fn wrong<H: Handle>(handle: H) -> Error {
    let (bits, noun) = (handle.bits(), H::NOUN);
    let text = if bits == H::NULL.0 {
        format!("the {noun} is {}; pass one that exists", H::NULL.1)
    } else if let Some(other) = noun_of(bits >> NUMBER_BITS).filter(|other| *other != noun) {
        format!("the {noun} {bits:#x} is the handle of a {other}; check the order of arguments")
    } else if bits == 0 {
        format!("the {noun} is 0, which is no handle; it was perhaps never set")
    } else if bits <= PREDEFINED_MAX {
        format!("the {noun} {bits:#x} is not one the standard predefines")
    } else {
        format!("the {noun} {bits:#x} does not exist; it was perhaps freed, or never set")
    };
    Error::new(H::CLASS, text)
}

/// The lowest predefined datatype; `MPI_DATATYPE_NULL` itself.
const FIRST_DATATYPE: usize = MPI_DATATYPE_NULL.0;
const DATATYPES: usize = 0x100;
/// Marks a number of the predefined range that is no datatype.
const NO_DATATYPE: u8 = u8::MAX;
const _: () = assert!(Primitive::ALL.len() <= NO_DATATYPE as usize);

/// Position in `Primitive::ALL` of each predefined datatype.
static POSITIONS: [u8; DATATYPES] = positions();

const fn positions() -> [u8; DATATYPES] {
    let mut table = [NO_DATATYPE; DATATYPES];
    let mut i = 0;
    while i < DATATYPE_NAMES.len() {
        let (name, handle) = DATATYPE_NAMES[i];
        if let Some(position) = position_of(name) {
            table[handle.0 - FIRST_DATATYPE] = position;
        }
        i += 1;
    }
    table
}

const fn position_of(name: &str) -> Option<u8> {
    let mut i = 0;
    while i < Primitive::ALL.len() {
        if same(Primitive::ALL[i].name(), name) {
            return Some(i as u8);
        }
        i += 1;
    }
    None
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Position in `Primitive::ALL` of a predefined datatype; `None` for one made at run time.
#[inline]
pub fn primitive(datatype: MPI_Datatype) -> Option<usize> {
    let position = *POSITIONS.get(datatype.0.wrapping_sub(FIRST_DATATYPE))?;
    (position != NO_DATATYPE).then_some(position.into())
}

/// A number of bytes for each predefined datatype, from its primitive; 0 for numbers that are no
/// datatype.
macro_rules! bytes_by_datatype {
    ($primitive:ident => $bytes:expr) => {{
        let (positions, mut table) = (positions(), [0; DATATYPES]);
        let mut i = 0;
        while i < DATATYPES {
            if positions[i] != NO_DATATYPE {
                let $primitive = Primitive::ALL[positions[i] as usize];
                table[i] = $bytes as u8;
            }
            i += 1;
        }
        table
    }};
}

/// Bytes of each predefined datatype without gaps; 0 where elements have gaps.
static DENSE_BYTES: [u8; DATATYPES] =
    bytes_by_datatype!(p => if p.size() == p.extent() { p.size() } else { 0 });

/// Bytes of each predefined integer that is one word ([`reduce::word_bytes`]); 0 for every other.
static INTEGER_BYTES: [u8; DATATYPES] = bytes_by_datatype!(p => match reduce::word_bytes(p) {
    Some(bytes) => bytes,
    None => 0,
});

#[inline(always)]
fn bytes_in(table: &[u8; DATATYPES], datatype: MPI_Datatype) -> usize {
    table.get(datatype.0.wrapping_sub(FIRST_DATATYPE)).copied().unwrap_or(0).into()
}

/// Bytes of an element of a predefined datatype without gaps; 0 for every other.
#[inline(always)]
pub fn dense_bytes(datatype: MPI_Datatype) -> usize {
    bytes_in(&DENSE_BYTES, datatype)
}

/// Bytes of a predefined integer that is one word; 0 for every other datatype.
#[inline(always)]
pub fn integer_bytes(datatype: MPI_Datatype) -> usize {
    bytes_in(&INTEGER_BYTES, datatype)
}

/// The other way round: where in `POSITIONS` each predefined datatype stands.
static PLACES: [u8; Primitive::ALL.len()] = places();

const fn places() -> [u8; Primitive::ALL.len()] {
    let (positions, mut table) = (positions(), [0; Primitive::ALL.len()]);
    let mut i = 0;
    while i < DATATYPES {
        if positions[i] != NO_DATATYPE {
            table[positions[i] as usize] = i as u8;
        }
        i += 1;
    }
    table
}

/// The handle of the predefined datatype at this position of `Primitive::ALL`; `None` for the
/// number of any other datatype.
pub fn predefined(position: usize) -> Option<MPI_Datatype> {
    PLACES.get(position).map(|place| MPI_Datatype(FIRST_DATATYPE + usize::from(*place)))
}

/// The handle of each standard operator.
const OPS: [(MPI_Op, reduce::Op); 14] = [
    (MPI_SUM, reduce::Op::Sum),
    (MPI_MIN, reduce::Op::Min),
    (MPI_MAX, reduce::Op::Max),
    (MPI_PROD, reduce::Op::Prod),
    (MPI_BAND, reduce::Op::Band),
    (MPI_BOR, reduce::Op::Bor),
    (MPI_BXOR, reduce::Op::Bxor),
    (MPI_LAND, reduce::Op::Land),
    (MPI_LOR, reduce::Op::Lor),
    (MPI_LXOR, reduce::Op::Lxor),
    (MPI_MINLOC, reduce::Op::Minloc),
    (MPI_MAXLOC, reduce::Op::Maxloc),
    (MPI_REPLACE, reduce::Op::Replace),
    (MPI_NO_OP, reduce::Op::NoOp),
];

/// An operator of the standard.
#[inline]
pub fn predefined_op(op: MPI_Op) -> Option<reduce::Op> {
    OPS.iter().find(|(handle, _)| *handle == op).map(|(_, op)| *op)
}

/// The number of an operator: the standard's come first, in the order of `reduce::Op::ALL`.
pub fn op_id(op: MPI_Op) -> Result<u32> {
    match predefined_op(op) {
        Some(op) => Ok(op as u32),
        None => number(op),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_predefined_datatype_is_known() {
        for (name, handle) in DATATYPE_NAMES.iter().filter(|d| d.1 != MPI_DATATYPE_NULL) {
            let position = primitive(*handle).unwrap_or_else(|| panic!("{name} is not mapped"));
            assert_eq!(predefined(position), Some(*handle), "{name}");
        }
        assert_eq!(primitive(MPI_DATATYPE_NULL), None);
        assert_eq!(primitive(MPI_Datatype(0)), None);
        let mapped = POSITIONS.iter().filter(|p| **p != NO_DATATYPE).count();
        assert_eq!(mapped, Primitive::ALL.len());
    }

    #[test]
    fn no_number_of_a_datatype_made_at_run_time_is_a_predefined_one() {
        for number in Primitive::ALL.len()..1000 {
            assert_eq!(predefined(number), None, "{number}");
        }
    }

    #[test]
    fn numbers_return_from_handles_that_fit_an_int() {
        let last = (1 << NUMBER_BITS) - 1;
        for n in [0, 1, last] {
            let handle: MPI_Message = made(n).unwrap();
            assert!(i32::try_from(handle.bits()).is_ok() && handle.bits() > PREDEFINED_MAX);
            assert_eq!(number(handle), Ok(n));
        }
        assert!(made::<MPI_Comm>(last + 1).is_none());
    }

    #[test]
    fn a_handle_of_another_kind_is_named() {
        let request: MPI_Request = made(7).unwrap();
        let error = number(MPI_Comm(request.0)).unwrap_err();
        assert_eq!(error.class, ErrorClass::Comm);
        assert!(error.text.contains("0x18000007") && error.text.contains("request"), "{error}");
        let error = number(MPI_COMM_NULL).unwrap_err();
        assert!(error.text.contains("MPI_COMM_NULL"), "{error}");
    }

    #[test]
    fn standard_operators_are_numbered_as_the_engine_numbers_them() {
        for (handle, op) in OPS {
            assert_eq!(reduce::Op::ALL[op_id(handle).unwrap() as usize], op);
        }
    }
}
