//! Constructors of datatypes: contiguous, vector, indexed, struct, resized (MPI 5.0, sections
//! 5.1.2, 5.1.3 and 5.1.7).

use std::ffi::c_int;

use dunlin_base::memory::{collected, room_for};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_datatype::Datatype;
use dunlin_engine::Engine;

use crate::call::on_process;
use crate::convert::{self, put};
use crate::datatype::{datatype, new_handle};
use crate::standard::types::*;

/// An integer of the C interface.
pub trait Integer: Copy {
    /// Whether it is the count type of the `_c` form of a function.
    const IS_LARGE: bool;
    /// The number as an `i64`.
    fn wide(self) -> i64;
}

impl Integer for c_int {
    const IS_LARGE: bool = false;
    fn wide(self) -> i64 {
        self.into()
    }
}

impl Integer for MPI_Count {
    const IS_LARGE: bool = true;
    fn wide(self) -> i64 {
        self
    }
}

impl Integer for MPI_Aint {
    const IS_LARGE: bool = false;
    fn wide(self) -> i64 {
        self as i64
    }
}

/// An array of the program.
///
/// # Safety
/// `at` is null or points to `count` elements, unless `count` is negative.
pub unsafe fn slice<'a, T>(at: *const T, count: i64, name: &str) -> Result<&'a [T]> {
    match convert::count(count)? {
        0 => Ok(&[]),
        _ if at.is_null() => {
            let text = format!("{name} is a null pointer; it must have {count} elements");
            Err(Error::new(ErrorClass::Arg, text))
        }
        // SAFETY: promised by the caller; not null.
        count => Ok(unsafe { std::slice::from_raw_parts(at, count) }),
    }
}

/// A copy of an array of integers of the program.
///
/// # Safety
/// As for [`slice`].
pub unsafe fn list<T: Integer>(at: *const T, count: i64, name: &str) -> Result<Vec<i64>> {
    // SAFETY: promised by the caller.
    let slice = unsafe { slice(at, count, name) }?;
    collected(slice.iter().map(|n| n.wide()))
}

/// Returns to the program a handle for a datatype that a constructor with counts of type `N` made.
///
/// # Safety
/// `newtype` is null or points to a handle.
pub unsafe fn give<N: Integer>(
    engine: &Engine,
    made: Datatype,
    newtype: *mut MPI_Datatype,
) -> Result<()> {
    let made = if N::IS_LARGE { made.with_large_contents() } else { made };
    // SAFETY: promised by the caller.
    unsafe { put(newtype, new_handle(engine, made)?, "newtype") }
}

entry_c! {
    fn MPI_Type_contiguous / MPI_Type_contiguous_c(
        count: N,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let made = Datatype::contiguous(count.into(), &datatype(engine, oldtype)?)?;
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { give::<N>(engine, made, newtype) }
        })
    }

    fn MPI_Type_vector / MPI_Type_vector_c(
        count: N,
        blocklength: N,
        stride: N,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let old = datatype(engine, oldtype)?;
            let made = Datatype::vector(count.into(), blocklength.into(), stride.into(), &old)?;
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { give::<N>(engine, made, newtype) }
        })
    }

    fn MPI_Type_create_hvector / MPI_Type_create_hvector_c(
        count: N,
        blocklength: N,
        stride: Stride,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let old = datatype(engine, oldtype)?;
            let made = Datatype::hvector(count.into(), blocklength.into(), stride.wide(), &old)?;
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { give::<N>(engine, made, newtype) }
        })
    }

    fn MPI_Type_indexed / MPI_Type_indexed_c(
        count: N,
        array_of_blocklengths: *const N,
        array_of_displacements: *const N,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let old = datatype(engine, oldtype)?;
            // SAFETY: the program passes arrays of `count` elements, and null or the address of a
            // datatype.
            unsafe {
                let lengths = list(array_of_blocklengths, count.into(), "array_of_blocklengths")?;
                let at = list(array_of_displacements, count.into(), "array_of_displacements")?;
                give::<N>(engine, Datatype::indexed(&lengths, &at, &old)?, newtype)
            }
        })
    }

    fn MPI_Type_create_hindexed / MPI_Type_create_hindexed_c(
        count: N,
        array_of_blocklengths: *const N,
        array_of_displacements: *const Stride,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let old = datatype(engine, oldtype)?;
            // SAFETY: as in MPI_Type_indexed.
            unsafe {
                let lengths = list(array_of_blocklengths, count.into(), "array_of_blocklengths")?;
                let at = list(array_of_displacements, count.into(), "array_of_displacements")?;
                give::<N>(engine, Datatype::hindexed(&lengths, &at, &old)?, newtype)
            }
        })
    }

    fn MPI_Type_create_indexed_block / MPI_Type_create_indexed_block_c(
        count: N,
        blocklength: N,
        array_of_displacements: *const N,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let old = datatype(engine, oldtype)?;
            // SAFETY: as in MPI_Type_indexed.
            unsafe {
                let at = list(array_of_displacements, count.into(), "array_of_displacements")?;
                give::<N>(engine, Datatype::indexed_block(blocklength.into(), &at, &old)?, newtype)
            }
        })
    }

    fn MPI_Type_create_hindexed_block / MPI_Type_create_hindexed_block_c(
        count: N,
        blocklength: N,
        array_of_displacements: *const Stride,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let old = datatype(engine, oldtype)?;
            // SAFETY: as in MPI_Type_indexed.
            unsafe {
                let at = list(array_of_displacements, count.into(), "array_of_displacements")?;
                give::<N>(engine, Datatype::hindexed_block(blocklength.into(), &at, &old)?, newtype)
            }
        })
    }

    fn MPI_Type_create_struct / MPI_Type_create_struct_c(
        count: N,
        array_of_blocklengths: *const N,
        array_of_displacements: *const Stride,
        array_of_types: *const MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            // SAFETY: as in MPI_Type_indexed.
            unsafe {
                let lengths = list(array_of_blocklengths, count.into(), "array_of_blocklengths")?;
                let at = list(array_of_displacements, count.into(), "array_of_displacements")?;
                let handles = slice(array_of_types, count.into(), "array_of_types")?;
                let mut types = room_for(handles.len())?;
                for handle in handles {
                    types.push(datatype(engine, *handle)?);
                }
                give::<N>(engine, Datatype::structure(&lengths, &at, &types)?, newtype)
            }
        })
    }

    fn MPI_Type_create_resized / MPI_Type_create_resized_c(
        oldtype: MPI_Datatype,
        lb: Stride,
        extent: Stride,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let old = datatype(engine, oldtype)?;
            let made = Datatype::resized(&old, lb.wide(), extent.wide())?;
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { give::<N>(engine, made, newtype) }
        })
    }
}
