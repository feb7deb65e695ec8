//! Other families of MPI libraries: their handles, statuses and constants, converted to those of the
//! standard ABI and back. `api/families` has their constants; the functions are generated.

use std::ffi::{c_char, c_int, c_void};

use crate::standard::handles::Handle;
use crate::standard::types::MPI_Status;

/// A handle of a family, which stands for one of the standard.
pub trait Converts<S>: Copy {
    /// The standard's.
    fn to_standard(self) -> S;
    /// The family's.
    fn from_standard(handle: S) -> Self;
}

/// The handle of an object that the library makes.
pub struct Written<S> {
    value: S,
    is_wanted: bool,
}

impl<S: Handle> Written<S> {
    /// For a variable of the program, or none.
    pub fn new<T>(to: *const T) -> Self {
        // No object has this number.
        Written { value: S::from_bits(0), is_wanted: !to.is_null() }
    }

    /// Where the library writes.
    pub fn as_mut_ptr(&mut self) -> *mut S {
        if self.is_wanted { &raw mut self.value } else { std::ptr::null_mut() }
    }

    /// Gives the program the handle, if there is one.
    ///
    /// # Safety
    /// `to` is the address that [`new`](Self::new) got.
    pub unsafe fn give<T: Converts<S>>(&self, to: *mut T) {
        if self.is_wanted && self.value.bits() != 0 {
            // SAFETY: promised by the caller.
            unsafe { to.write(T::from_standard(self.value)) };
        }
    }
}

/// Several handles.
pub struct Several<S> {
    values: Option<Vec<S>>,
}

impl<S: Handle> Several<S> {
    /// # Safety
    /// `from` is null or points to as many handles.
    pub unsafe fn new<T: Converts<S>>(from: *const T, count: c_int) -> Self {
        let count = count.max(0) as usize;
        // SAFETY: promised by the caller.
        let one = |i| unsafe { from.add(i).read() }.to_standard();
        Several { values: (!from.is_null()).then(|| (0..count).map(one).collect()) }
    }

    /// What the library reads and writes.
    pub fn as_mut_ptr(&mut self) -> *mut S {
        self.values.as_mut().map_or(std::ptr::null_mut(), Vec::as_mut_ptr)
    }

    /// Gives the program its handles back.
    ///
    /// # Safety
    /// As [`new`](Self::new).
    pub unsafe fn give<T: Converts<S>>(&self, to: *mut T) {
        for (i, value) in self.values.iter().flatten().enumerate() {
            // SAFETY: promised by the caller.
            unsafe { to.add(i).write(T::from_standard(*value)) };
        }
    }
}

/// A family of MPI libraries.
pub trait Family {
    /// Its status.
    type Status: Copy;
    /// The standard's status.
    fn status(from: &Self::Status) -> MPI_Status;
    /// Its status.
    fn status_back(from: &MPI_Status, to: &mut Self::Status);
    /// Whether a status is not wanted.
    fn is_ignored(status: *const Self::Status) -> bool;
    /// A buffer, or what stands for one.
    fn buffer(address: *mut c_void) -> *mut c_void;
    /// Weights of edges, or what stands for some.
    fn weights(address: *mut c_int) -> *mut c_int;
    /// A rank, or what stands for one.
    fn rank(rank: c_int) -> c_int;
    /// The same from the standard.
    fn rank_back(rank: c_int) -> c_int;
    /// A tag, or any.
    fn tag(tag: c_int) -> c_int;
    /// An error code of the standard.
    fn code_back(code: c_int) -> c_int;
}

/// Room for a text whose length the program's header knows.
pub struct Room(Vec<u8>);

impl Room {
    const LENGTH: usize = 8193;
    /// No text begins so.
    const UNTOUCHED: u8 = 0xff;

    /// For a variable of the program.
    pub fn new(_: *const c_char) -> Room {
        Room(vec![Self::UNTOUCHED; Self::LENGTH])
    }

    /// Where the library writes.
    pub fn as_mut_ptr(&mut self) -> *mut c_char {
        self.0.as_mut_ptr().cast()
    }

    /// Gives the program the text, cut to the length that it has room for.
    ///
    /// # Safety
    /// There is as much room, a final zero included.
    pub unsafe fn give(&self, to: *mut c_char, room: usize) {
        if to.is_null() || self.0[0] == Self::UNTOUCHED {
            return;
        }
        let length = self.0.iter().position(|b| *b == 0).unwrap_or(0).min(room - 1);
        // SAFETY: promised by the caller.
        unsafe {
            to.copy_from_nonoverlapping(self.0.as_ptr().cast(), length);
            to.add(length).write(0);
        }
    }
}
