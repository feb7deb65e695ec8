//! Versions, the clock and profiling control: what needs no running MPI (MPI 5.0, sections 9.1,
//! 9.6, 15.2.4 and 20.2).

use crate::raise::{Owner, null_argument};
use crate::standard::constants::*;
use std::ffi::{c_char, c_double, c_int};

/// The result of `MPI_Get_library_version`.
const LIBRARY_VERSION: &str = concat!(
    "Dunlin ",
    env!("CARGO_PKG_VERSION"),
    "\nan MPI 5.0 library with the standard ABI, version 1.0\n"
);

const SECONDS_PER_NS: f64 = 1e-9;

/// Writes two numbers to variables of the program.
///
/// # Safety
/// `first` and `second` are null or point to an `int` each.
unsafe fn put_pair(
    function: &'static str,
    (first, second): (*mut c_int, *mut c_int),
    values: (c_int, c_int),
) -> c_int {
    // SAFETY: promised by the caller.
    let (Some(first), Some(second)) = (unsafe { first.as_mut() }, unsafe { second.as_mut() })
    else {
        return null_argument(function, Owner::None, "a version argument", "an int");
    };
    (*first, *second) = values;
    MPI_SUCCESS
}

/// The longest prefix of `text` with at most `bytes` bytes.
pub fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&i| text.is_char_boundary(i));
    &text[..end.unwrap_or(0)]
}

/// Writes a string with its final zero, and its length without it. `text` must be shorter than the
/// buffer that the standard requires of the program.
///
/// # Safety
/// `to` points to space for `text` and a zero, `length` to an `int`.
pub unsafe fn put_string(text: &str, to: *mut c_char, length: *mut c_int) {
    // SAFETY: promised by the caller; the program's buffer does not overlap the library's text.
    unsafe {
        to.copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
        to.add(text.len()).write(0);
        length.write(text.len() as c_int);
    }
}

fn seconds(time: libc::timespec) -> c_double {
    // Not a division, which would take longer than the kernel's part of the call.
    time.tv_sec as f64 + time.tv_nsec as f64 * SECONDS_PER_NS
}

entry! {
    fn MPI_Get_version(version: *mut c_int, subversion: *mut c_int) -> c_int {
        let values = (MPI_VERSION, MPI_SUBVERSION);
        // SAFETY: the program passes the addresses of two ints.
        unsafe { put_pair("MPI_Get_version", (version, subversion), values) }
    }

    fn MPI_Abi_get_version(abi_major: *mut c_int, abi_minor: *mut c_int) -> c_int {
        let values = (MPI_ABI_VERSION, MPI_ABI_SUBVERSION);
        // SAFETY: the program passes the addresses of two ints.
        unsafe { put_pair("MPI_Abi_get_version", (abi_major, abi_minor), values) }
    }

    fn MPI_Get_library_version(version: *mut c_char, resultlen: *mut c_int) -> c_int {
        if version.is_null() || resultlen.is_null() {
            let needs = "MPI_MAX_LIBRARY_VERSION_STRING characters, and of an int";
            return null_argument("MPI_Get_library_version", Owner::None, "an argument", needs);
        }
        // SAFETY: the standard requires this much space, and the text is far shorter.
        unsafe { put_string(LIBRARY_VERSION, version, resultlen) };
        MPI_SUCCESS
    }

    fn MPI_Wtime() -> c_double {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: writes one timespec; this clock exists on every Linux, so it cannot fail.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
        seconds(time)
    }

    fn MPI_Wtick() -> c_double {
        let mut tick = libc::timespec { tv_sec: 0, tv_nsec: 1 };
        // SAFETY: as in MPI_Wtime.
        unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC, &raw mut tick) };
        seconds(tick)
    }

    // C callers may pass more arguments; only a tool that replaces this function would read them.
    fn MPI_Pcontrol(_level: c_int) -> c_int {
        MPI_SUCCESS
    }
}
