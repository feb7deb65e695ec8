//! Predefined datatypes that a program selects by properties: Fortran types by precision and range,
//! types by class and size, pairs of a value and an index (MPI 5.0, sections 19.1.5 and 6.9.4).

use std::ffi::c_int;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_datatype::{Datatype, TypeClass};

use crate::call::on_process;
use crate::convert::put;
use crate::datatype::{datatype, new_handle};
use crate::standard::constants::*;
use crate::standard::types::*;

/// A precision or a range; `None` is `MPI_UNDEFINED`.
fn given(value: c_int) -> Option<c_int> {
    (value != MPI_UNDEFINED).then_some(value)
}

fn class(typeclass: c_int) -> Result<TypeClass> {
    match typeclass {
        MPI_TYPECLASS_INTEGER => Ok(TypeClass::Integer),
        MPI_TYPECLASS_REAL => Ok(TypeClass::Real),
        MPI_TYPECLASS_COMPLEX => Ok(TypeClass::Complex),
        _ => {
            let text = format!(
                "typeclass is {typeclass}; it must be MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_REAL \
                 or MPI_TYPECLASS_COMPLEX"
            );
            Err(Error::new(ErrorClass::Arg, text))
        }
    }
}

entry! {
    fn MPI_Type_create_f90_real(p: c_int, r: c_int, newtype: *mut MPI_Datatype) -> c_int {
        on_process(FUNCTION, |engine| {
            let made = Datatype::f90_real(given(p), given(r), MPI_UNDEFINED)?;
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { put(newtype, new_handle(engine, made)?, "newtype") }
        })
    }

    fn MPI_Type_create_f90_complex(p: c_int, r: c_int, newtype: *mut MPI_Datatype) -> c_int {
        on_process(FUNCTION, |engine| {
            let made = Datatype::f90_complex(given(p), given(r), MPI_UNDEFINED)?;
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { put(newtype, new_handle(engine, made)?, "newtype") }
        })
    }

    fn MPI_Type_create_f90_integer(r: c_int, newtype: *mut MPI_Datatype) -> c_int {
        on_process(FUNCTION, |engine| {
            let made = Datatype::f90_integer(r)?;
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { put(newtype, new_handle(engine, made)?, "newtype") }
        })
    }

    fn MPI_Type_match_size(typeclass: c_int, size: c_int, datatype: *mut MPI_Datatype) -> c_int {
        on_process(FUNCTION, |engine| {
            let found = Datatype::match_size(class(typeclass)?, size.into())?;
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { put(datatype, new_handle(engine, found)?, "datatype") }
        })
    }

    fn MPI_Type_get_value_index(
        value_type: MPI_Datatype,
        index_type: MPI_Datatype,
        pair_type: *mut MPI_Datatype,
    ) -> c_int {
        on_process(FUNCTION, |engine| {
            let (value, index) = (datatype(engine, value_type)?, datatype(engine, index_type)?);
            let handle = match Datatype::value_index(&value, &index) {
                Some(pair) => new_handle(engine, pair)?,
                None => MPI_DATATYPE_NULL,
            };
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { put(pair_type, handle, "pair_type") }
        })
    }
}
