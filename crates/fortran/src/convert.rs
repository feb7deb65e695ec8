//! Values of Fortran and of C: a handle is an INTEGER there and as wide as an address here; text
//! ends with blanks there and with a zero here; arrays are counted from one there.

use std::ffi::{CString, c_char, c_int, c_void};

pub type MPI_Aint = isize;
pub type MPI_Offset = i64;
pub type MPI_Count = i64;

/// A function of the program; its arguments are known where it is called.
pub type AnyFunction = unsafe extern "C" fn();

macro_rules! functions {
    ($($name:ident)*) => {
        $(pub type $name = AnyFunction;)*
    };
}
functions! {
    MPI_User_function MPI_User_function_c MPI_Comm_copy_attr_function MPI_Comm_delete_attr_function
    MPI_Type_copy_attr_function MPI_Type_delete_attr_function MPI_Win_copy_attr_function
    MPI_Win_delete_attr_function MPI_Comm_errhandler_function MPI_File_errhandler_function
    MPI_Session_errhandler_function MPI_Win_errhandler_function MPI_Grequest_query_function
    MPI_Grequest_free_function MPI_Grequest_cancel_function MPI_Copy_function MPI_Delete_function
    MPI_Datarep_conversion_function MPI_Datarep_extent_function
}

/// A handle of C.
pub trait Handle: Copy {
    /// The one that Fortran calls by this number.
    fn from_fortran(number: c_int) -> Self;
    /// Its number in Fortran.
    fn to_fortran(self) -> c_int;
}

/// The handle that Fortran calls by this number.
#[inline]
pub fn handle<H: Handle>(number: c_int) -> H {
    H::from_fortran(number)
}

/// What Fortran calls a handle.
#[inline]
pub fn number(handle: impl Handle) -> c_int {
    handle.to_fortran()
}

/// Reads a variable.
///
/// # Safety
/// `from` points to an INTEGER.
#[inline]
pub unsafe fn read(from: *const c_int) -> c_int {
    // SAFETY: promised by the caller.
    unsafe { *from }
}

/// Writes a variable, unless it is an optional argument that the program has left out.
///
/// # Safety
/// `to` is null or points to an INTEGER.
#[inline]
pub unsafe fn set(to: *mut c_int, value: c_int) {
    // SAFETY: promised by the caller.
    if let Some(to) = unsafe { to.as_mut() } {
        *to = value;
    }
}

/// An array of handles.
///
/// # Safety
/// There are as many INTEGERs.
pub unsafe fn handles<H: Handle>(from: *const c_int, count: impl Into<MPI_Count>) -> Vec<H> {
    // SAFETY: promised by the caller.
    (0..count.into().max(0) as usize).map(|i| handle(unsafe { *from.add(i) })).collect()
}

/// Writes an array of handles.
///
/// # Safety
/// There are as many INTEGERs.
pub unsafe fn set_handles(to: *mut c_int, handles: &[impl Handle]) {
    for (i, handle) in handles.iter().enumerate() {
        // SAFETY: promised by the caller.
        unsafe { *to.add(i) = number(*handle) };
    }
}

/// Places in arrays, which Fortran counts from one; negative is `MPI_UNDEFINED`.
///
/// # Safety
/// There are as many INTEGERs as the first says.
pub unsafe fn from_one(count: *const c_int, places: *mut c_int) {
    // SAFETY: promised by the caller.
    unsafe {
        for i in 0..(*count).max(0) as usize {
            let place = places.add(i);
            if *place >= 0 {
                *place += 1;
            }
        }
    }
}

/// A function of the program.
pub fn function(address: *const c_void) -> Option<AnyFunction> {
    // SAFETY: an address that may be null is what this type is.
    unsafe { std::mem::transmute::<*const c_void, Option<AnyFunction>>(address) }
}

/// Text of the program without the blanks that it ends with.
///
/// # Safety
/// There are as many characters.
pub unsafe fn text(from: *const c_char, length: usize) -> CString {
    // SAFETY: promised by the caller.
    let bytes = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), length) };
    let end = bytes.iter().rposition(|b| *b != b' ').map_or(0, |last| last + 1);
    let end = bytes[..end].iter().position(|b| *b == 0).unwrap_or(end);
    CString::new(&bytes[..end]).unwrap_or_default()
}

/// A key or value of an info object, whose leading blanks do not count either; MPI 5.0 chapter 10.
///
/// # Safety
/// There are as many characters.
pub unsafe fn info_text(from: *const c_char, length: usize) -> CString {
    // SAFETY: promised by the caller.
    let text = unsafe { text(from, length) };
    let start = text.as_bytes().iter().position(|b| *b != b' ').unwrap_or(0);
    CString::new(&text.as_bytes()[start..]).unwrap_or_default()
}

/// The longest text that a C function writes without being told a length.
const TEXT_MAX: usize = 8192;

/// Room for text that a C function writes.
pub struct Room(Vec<u8>);

impl Room {
    /// For text that goes to so many characters, or is longer and will be cut.
    pub fn new(length: usize) -> Room {
        Room(vec![0; length.max(TEXT_MAX) + 1])
    }

    /// Where C writes.
    pub fn as_mut_ptr(&mut self) -> *mut c_char {
        self.0.as_mut_ptr().cast()
    }

    /// Gives the program the text, with blanks behind it.
    ///
    /// # Safety
    /// There are as many characters at `to`.
    pub unsafe fn give(&self, to: *mut c_char, length: usize) {
        let end = self.0.iter().position(|b| *b == 0).unwrap_or(self.0.len()).min(length);
        // SAFETY: promised by the caller.
        let to = unsafe { std::slice::from_raw_parts_mut(to.cast::<u8>(), length) };
        to[..end].copy_from_slice(&self.0[..end]);
        to[end..].fill(b' ');
    }
}
