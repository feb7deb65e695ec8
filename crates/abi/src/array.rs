//! Arrays that a program passes with a length.

use std::ffi::c_int;

use dunlin_base::{ErrorClass, Result};

use crate::convert::error;

/// The `n` elements at `from`.
///
/// # Safety
/// `from` points to `n` elements unless `n` is not positive.
pub unsafe fn list<'a, T>(from: *const T, n: c_int, name: &str) -> Result<&'a [T]> {
    let n = usize::try_from(n).map_err(|_| {
        error(ErrorClass::Arg, format!("the length of {name} is {n}; it must be >= 0"))
    })?;
    if n == 0 {
        return Ok(&[]);
    }
    if from.is_null() {
        return Err(error(ErrorClass::Arg, format!("{name} is a null pointer; pass an array")));
    }
    // SAFETY: promised by the caller; not null.
    Ok(unsafe { std::slice::from_raw_parts(from, n) })
}

/// Writes as many of `values` as `to` has space for.
///
/// # Safety
/// `to` has space for `room` elements.
pub unsafe fn fill<T>(
    to: *mut T,
    room: c_int,
    values: impl IntoIterator<Item = T>,
    name: &str,
) -> Result<()> {
    let room = usize::try_from(room).map_err(|_| {
        error(ErrorClass::Arg, format!("the room for {name} is {room}; it must be >= 0"))
    })?;
    for (i, value) in values.into_iter().take(room).enumerate() {
        if to.is_null() {
            return Err(error(ErrorClass::Arg, format!("{name} is a null pointer; pass an array")));
        }
        // SAFETY: promised by the caller; not null.
        unsafe { to.add(i).write(value) };
    }
    Ok(())
}
