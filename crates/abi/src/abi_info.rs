//! The properties of the ABI on this platform (MPI 5.0, section 20.4): sizes of types, Fortran's
//! default kinds and truth values.

use std::ffi::{CString, c_int, c_void};
use std::sync::{Mutex, PoisonError};

use dunlin_base::{ErrorClass, Result};
use dunlin_datatype::Primitive;

use crate::call::finish;
use crate::convert::{error, put};
use crate::info::{self, Info};
use crate::raise::Owner;
use crate::standard::types::*;

/// Fortran's default types: info key and name of the datatype.
const FORTRAN_SIZES: [(&str, &str); 4] = [
    ("mpi_logical_size", "MPI_LOGICAL"),
    ("mpi_integer_size", "MPI_INTEGER"),
    ("mpi_real_size", "MPI_REAL"),
    ("mpi_double_precision_size", "MPI_DOUBLE_PRECISION"),
];
/// Optional types: words of the info keys, and the sizes that follow the words.
const FORTRAN_OPTIONAL: [(&str, &[&str]); 5] = [
    ("logical", &["1", "2", "4", "8", "16"]),
    ("integer", &["1", "2", "4", "8", "16"]),
    ("real", &["2", "4", "8", "16"]),
    ("complex", &["4", "8", "16", "32"]),
    ("double_complex", &[""]),
];
/// The size of the widest `LOGICAL`.
const LOGICAL_BYTES_MAX: usize = 16;

/// `.TRUE.` and `.FALSE.` of one kind of `LOGICAL`, in memory.
#[derive(Clone, Copy)]
struct Booleans {
    bytes: usize,
    values: [[u8; LOGICAL_BYTES_MAX]; 2],
}

/// The values that a Fortran binding has set, by size.
static BOOLEANS: Mutex<Vec<Booleans>> = Mutex::new(Vec::new());

fn set(info: &mut Info, key: &str, value: &str) {
    let c = |text: &str| CString::new(text).unwrap_or_default();
    info.set(&c(key), &c(value));
}

fn primitive(name: &str) -> Option<Primitive> {
    Primitive::ALL.iter().copied().find(|p| p.name() == name)
}

/// The sizes that Dunlin's datatypes assume for Fortran's default kinds.
fn fortran() -> Info {
    let mut info = Info::default();
    for (key, name) in FORTRAN_SIZES {
        set(&mut info, key, &primitive(name).map_or(0, Primitive::size).to_string());
    }
    for (word, sizes) in FORTRAN_OPTIONAL {
        for size in sizes {
            let name = format!("MPI_{}{size}", word.to_uppercase());
            let supported = primitive(&name).is_some().to_string();
            set(&mut info, &format!("mpi_{word}{size}_supported"), &supported);
        }
    }
    info
}

/// Checks the size of a `LOGICAL`.
fn logical_bytes(size: c_int) -> Result<usize> {
    let bytes = usize::try_from(size).unwrap_or(0);
    if bytes.is_power_of_two() && bytes <= LOGICAL_BYTES_MAX {
        return Ok(bytes);
    }
    let text = format!("logical_size is {size}; it must be 1, 2, 4, 8 or 16");
    Err(error(ErrorClass::Arg, text))
}

fn not_null(pointer: *const c_void, name: &str) -> Result<()> {
    if !pointer.is_null() {
        return Ok(());
    }
    Err(error(ErrorClass::Arg, format!("{name} is a null pointer; pass a LOGICAL")))
}

entry! {
    fn MPI_Abi_get_info(info: *mut MPI_Info) -> c_int {
        let mut sizes = Info::default();
        set(&mut sizes, "mpi_aint_size", &size_of::<MPI_Aint>().to_string());
        set(&mut sizes, "mpi_count_size", &size_of::<MPI_Count>().to_string());
        set(&mut sizes, "mpi_offset_size", &size_of::<MPI_Offset>().to_string());
        // SAFETY: the program passes null or the address of a handle.
        finish(FUNCTION, Owner::None, unsafe { info::make(sizes, info) })
    }

    fn MPI_Abi_get_fortran_info(info: *mut MPI_Info) -> c_int {
        // SAFETY: the program passes null or the address of a handle.
        finish(FUNCTION, Owner::None, unsafe { info::make(fortran(), info) })
    }

    // The datatypes have fixed sizes: a binding may confirm them, but not set others.
    fn MPI_Abi_set_fortran_info(info: MPI_Info) -> c_int {
        let known = fortran();
        let outcome = info::read(info, |given| {
            for (key, value) in &given.pairs {
                let ours = known.value(key);
                if ours.is_some_and(|v| v != &**value) {
                    let text = format!(
                        "{} is {}; this library is made for {}",
                        key.to_string_lossy(),
                        value.to_string_lossy(),
                        ours.unwrap_or_default().to_string_lossy()
                    );
                    return Err(error(ErrorClass::Abi, text));
                }
            }
            Ok(())
        });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Abi_set_fortran_booleans(
        logical_size: c_int,
        logical_true: *mut c_void,
        logical_false: *mut c_void,
    ) -> c_int {
        let outcome = logical_bytes(logical_size).and_then(|bytes| {
            not_null(logical_true, "logical_true")?;
            not_null(logical_false, "logical_false")?;
            let mut new = Booleans { bytes, values: [[0; LOGICAL_BYTES_MAX]; 2] };
            for (value, from) in new.values.iter_mut().zip([logical_true, logical_false]) {
                // SAFETY: the program passes a LOGICAL of this size.
                unsafe { value.as_mut_ptr().copy_from_nonoverlapping(from.cast(), bytes) };
            }
            let mut all = BOOLEANS.lock().unwrap_or_else(PoisonError::into_inner);
            if all.iter().any(|b| b.bytes == bytes) {
                let text = format!("the values of LOGICAL of {bytes} bytes were set before");
                return Err(error(ErrorClass::Abi, text));
            }
            all.push(new);
            Ok(())
        });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Abi_get_fortran_booleans(
        logical_size: c_int,
        logical_true: *mut c_void,
        logical_false: *mut c_void,
        is_set: *mut c_int,
    ) -> c_int {
        let outcome = logical_bytes(logical_size).and_then(|bytes| {
            let all = BOOLEANS.lock().unwrap_or_else(PoisonError::into_inner);
            let found = all.iter().find(|b| b.bytes == bytes);
            for (to, i) in [(logical_true, 0), (logical_false, 1)] {
                let Some(b) = found else { break };
                not_null(to, "a LOGICAL to be written")?;
                // SAFETY: the program passes a LOGICAL of this size.
                unsafe { to.cast::<u8>().copy_from_nonoverlapping(b.values[i].as_ptr(), bytes) };
            }
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(is_set, found.is_some().into(), "is_set") }
        });
        finish(FUNCTION, Owner::None, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortran_info_tells_what_the_datatypes_are() {
        let info = fortran();
        assert_eq!(info.value(c"mpi_logical_size"), Some(c"4"));
        assert_eq!(info.value(c"mpi_double_precision_size"), Some(c"8"));
        assert_eq!(info.value(c"mpi_integer8_supported"), Some(c"true"));
    }

    #[test]
    fn a_logical_has_a_size_that_fortran_knows() {
        assert_eq!(logical_bytes(16), Ok(16));
        for wrong in [-1, 0, 3, 32] {
            assert!(logical_bytes(wrong).is_err(), "{wrong}");
        }
    }
}
