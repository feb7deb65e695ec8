//! Arguments that stand for something: variables of a common block of the program, whose addresses
//! the library knows. `mpif.h` declares them in the order of [`Special`].

use std::ffi::{c_int, c_void};
use std::io::Write;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The INTEGERs of a status.
pub const STATUS: usize = 8;

/// Where each stands in the block, in bytes.
#[repr(C)]
struct Special {
    bottom: c_int,
    in_place: c_int,
    buffer_automatic: c_int,
    unweighted: c_int,
    weights_empty: c_int,
    errcodes_ignore: c_int,
    status_ignore: [c_int; STATUS],
    statuses_ignore: [c_int; STATUS],
}

/// C's addresses for the same.
const BOTTOM: usize = 0;
const IN_PLACE: usize = 1;
const BUFFER_AUTOMATIC: usize = 2;
const UNWEIGHTED: usize = 10;
const WEIGHTS_EMPTY: usize = 11;

/// The block, for programs that do not have it themselves.
#[unsafe(no_mangle)]
pub static mut mpi_dunlin_: [c_int; size_of::<Special>() / size_of::<c_int>()] =
    [0; size_of::<Special>() / size_of::<c_int>()];

/// Where the block of the process is: the program's own, if it has one, for the linker has put that
/// in the place of all.
#[inline]
fn block() -> usize {
    (&raw const mpi_dunlin_).addr()
}

/// The blocks of libraries that were loaded while the process ran, which are their own; 0 for none.
/// `fortran/block.c`, which is linked into each, tells of them.
static OTHERS: [AtomicUsize; OTHERS_MAX] = [const { AtomicUsize::new(0) }; OTHERS_MAX];
const OTHERS_MAX: usize = 256;
/// How many places of `OTHERS` have ever been used.
static OTHERS_USED: AtomicUsize = AtomicUsize::new(0);

const TOO_MANY: &[u8] = b"dunlin: too many libraries with Fortran's MPI are loaded one by one; \
                          MPI_IN_PLACE and its kin are not known in this one: load it with \
                          RTLD_GLOBAL\n";

/// A program or a shared object has its block here.
#[unsafe(no_mangle)]
pub extern "C" fn dunlin_fortran_block_begins(other: *const c_void) {
    let other = other.addr();
    if other == block() || OTHERS.iter().any(|known| known.load(Ordering::Relaxed) == other) {
        return;
    }
    let take = |place: &AtomicUsize| {
        place.compare_exchange(0, other, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    };
    match OTHERS.iter().position(take) {
        Some(place) => _ = OTHERS_USED.fetch_max(place + 1, Ordering::Relaxed),
        None => _ = std::io::stderr().write_all(TOO_MANY),
    }
}

/// It is unloaded.
#[unsafe(no_mangle)]
pub extern "C" fn dunlin_fortran_block_ends(other: *const c_void) {
    for known in &OTHERS {
        let _is_another_one =
            known.compare_exchange(other.addr(), 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// The offset of an address in a block.
#[inline]
fn offset<T>(address: *const T) -> Option<usize> {
    let offset = address.addr().wrapping_sub(block());
    if offset < size_of::<Special>() {
        return Some(offset);
    }
    match OTHERS_USED.load(Ordering::Relaxed) {
        0 => None,
        used => offset_in_others(address.addr(), used),
    }
}

#[cold]
fn offset_in_others(address: usize, used: usize) -> Option<usize> {
    OTHERS[..used].iter().find_map(|other| match other.load(Ordering::Relaxed) {
        0 => None,
        other => Some(address.wrapping_sub(other)).filter(|offset| *offset < size_of::<Special>()),
    })
}

macro_rules! at {
    ($field:ident) => {
        std::mem::offset_of!(Special, $field)
    };
}

/// The address of data.
#[inline]
pub fn buffer(address: *mut c_void) -> *mut c_void {
    let Some(offset) = offset(address) else { return address };
    match offset {
        o if o == at!(bottom) => without_provenance_mut(BOTTOM),
        o if o == at!(in_place) => without_provenance_mut(IN_PLACE),
        o if o == at!(buffer_automatic) => without_provenance_mut(BUFFER_AUTOMATIC),
        _ => address,
    }
}

/// Where a status goes.
#[inline]
pub fn status<T>(address: *mut T) -> *mut T {
    if offset(address) == Some(at!(status_ignore)) { null_mut() } else { address }
}

/// Where several statuses go.
#[inline]
pub fn statuses<T>(address: *mut T) -> *mut T {
    if offset(address) == Some(at!(statuses_ignore)) { null_mut() } else { address }
}

/// Weights of edges.
pub fn weights(address: *mut c_int) -> *mut c_int {
    match offset(address) {
        Some(o) if o == at!(unweighted) => without_provenance_mut(UNWEIGHTED),
        Some(o) if o == at!(weights_empty) => without_provenance_mut(WEIGHTS_EMPTY),
        _ => address,
    }
}

/// Where error codes of processes that are started go.
pub fn error_codes(address: *mut c_int) -> *mut c_int {
    if offset(address) == Some(at!(errcodes_ignore)) { null_mut() } else { address }
}
