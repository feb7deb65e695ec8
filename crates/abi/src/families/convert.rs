//! Conversions of arguments: numbers that may be constants, handles, statuses, texts.

use std::ffi::{c_char, c_int, c_void};
use std::mem::MaybeUninit;

use dunlin_base::{Error, Result, memory};

use super::{Family, Foreign, ForeignStatus, Pairs};
use crate::raise::{Owner, raise};
use crate::standard::constants::*;
use crate::standard::error_codes;
use crate::standard::handles::Handle;
use crate::standard::types::*;

/// No constant, and not valid where there may be one.
const INVALID: c_int = c_int::MIN;

/// The standard's number for a family's. A number that is a constant in the standard alone is not
/// valid in the family.
#[inline(always)]
pub fn number(pairs: Pairs, value: c_int) -> c_int {
    match pairs.iter().find(|pair| pair.1 == value) {
        Some(pair) => pair.0,
        None if pairs.iter().any(|pair| pair.0 == value) => INVALID,
        None => value,
    }
}

/// The same of a rank or a tag: constants are negative, and most calls have none.
#[inline(always)]
pub fn if_negative(pairs: Pairs, value: c_int) -> c_int {
    if value >= 0 { value } else { number(pairs, value) }
}

/// The family's number for the standard's.
#[inline(always)]
pub fn number_back(pairs: Pairs, value: c_int) -> c_int {
    pairs.iter().find(|pair| pair.0 == value).map_or(value, |pair| pair.1)
}

/// The standard's bits for a family's.
pub fn bits(pairs: Pairs, value: c_int) -> c_int {
    let known: c_int = pairs.iter().fold(0, |all, pair| all | pair.1);
    let set = pairs.iter().filter(|pair| value & pair.1 != 0);
    // Bits that mean nothing stay set somewhere, so that the call refuses them.
    let unknown = if value & !known == 0 { 0 } else { INVALID };
    set.fold(unknown, |all, pair| all | pair.0)
}

/// The family's bits for the standard's.
pub fn bits_back(pairs: Pairs, value: c_int) -> c_int {
    pairs.iter().filter(|pair| value & pair.0 != 0).fold(0, |all, pair| all | pair.1)
}

/// Converts what a call that succeeded has written.
///
/// # Safety
/// `at` is null or points to an int.
pub unsafe fn number_back_at(at: *mut c_int, pairs: Pairs, result: c_int) {
    // SAFETY: promised by the caller.
    if let Some(value) = unsafe { at.as_mut() }.filter(|_| result == MPI_SUCCESS) {
        *value = number_back(pairs, *value);
    }
}

/// The same of bits.
///
/// # Safety
/// As above.
pub unsafe fn bits_back_at(at: *mut c_int, pairs: Pairs, result: c_int) {
    // SAFETY: promised by the caller.
    if let Some(value) = unsafe { at.as_mut() }.filter(|_| result == MPI_SUCCESS) {
        *value = bits_back(pairs, *value);
    }
}

/// A length that the program gave: an `int`, or a count.
#[derive(Clone, Copy)]
pub struct Length(usize);

impl From<c_int> for Length {
    fn from(n: c_int) -> Self {
        Length(n.max(0) as usize)
    }
}

impl From<MPI_Count> for Length {
    fn from(n: MPI_Count) -> Self {
        Length(n.max(0) as usize)
    }
}

/// Several numbers that may be constants, or none where the program passed null; nothing without
/// memory.
///
/// # Safety
/// `from` is null or points to as many.
pub unsafe fn numbers(
    from: *const c_int,
    length: Length,
    pairs: Pairs,
) -> Result<Option<Vec<c_int>>> {
    if from.is_null() {
        return Ok(None);
    }
    let mut numbers = memory::room_for(length.0)?;
    // SAFETY: promised by the caller.
    numbers.extend((0..length.0).map(|i| number(pairs, unsafe { *from.add(i) })));
    Ok(Some(numbers))
}

/// The arguments of a call of the program cannot be converted.
#[cold]
pub fn refused<F: Family>(function: &'static str, error: &Error) -> c_int {
    code_back::<F>(raise(function, Owner::None, error))
}

/// Converts the numbers that a call that succeeded has written.
///
/// # Safety
/// As above.
pub unsafe fn numbers_back(at: *mut c_int, length: Length, pairs: Pairs, result: c_int) {
    if !at.is_null() {
        for i in 0..length.0 {
            // SAFETY: promised by the caller.
            unsafe { number_back_at(at.add(i), pairs, result) };
        }
    }
}

/// The address of numbers, or null.
pub fn first(numbers: &Option<Vec<c_int>>) -> *const c_int {
    numbers.as_ref().map_or(std::ptr::null(), |n| n.as_ptr())
}

/// The address of a number, or null.
pub fn address(number: &mut Option<c_int>) -> *mut c_int {
    number.as_mut().map_or(std::ptr::null_mut(), |n| &raw mut *n)
}

/// An error code of a family. Those that the program made lie above the family's last one.
#[inline(always)]
pub fn code_back<F: Family>(code: c_int) -> c_int {
    if code == MPI_SUCCESS { code } else { failed::<F>(code) }
}

#[cold]
fn failed<F: Family>(code: c_int) -> c_int {
    if code > MPI_ERR_LASTCODE {
        return code - MPI_ERR_LASTCODE - 1 + F::FIRST_USER_CODE;
    }
    let is_known = F::ERROR_CODES.iter().any(|pair| pair.0 == code);
    number_back(
        F::ERROR_CODES,
        match code {
            // Classes of the standard that are newer than the family.
            MPI_ERR_ERRHANDLER if !is_known => MPI_ERR_ARG,
            _ if !is_known && error_codes::text(code).is_some() => MPI_ERR_OTHER,
            _ => code,
        },
    )
}

/// An error code of the standard.
pub fn code<F: Family>(code: c_int) -> c_int {
    match code >= F::FIRST_USER_CODE {
        true => code - F::FIRST_USER_CODE + MPI_ERR_LASTCODE + 1,
        false => number(F::ERROR_CODES, code),
    }
}

/// Converts a code that a call that succeeded has written.
///
/// # Safety
/// `at` is null or points to an int.
pub unsafe fn code_back_at<F: Family>(at: *mut c_int, result: c_int) {
    // SAFETY: promised by the caller.
    if let Some(value) = unsafe { at.as_mut() }.filter(|_| result == MPI_SUCCESS) {
        *value = code_back::<F>(*value);
    }
}

/// Converts the address of a buffer that a call that succeeded has written.
///
/// # Safety
/// `at` is null or points to an address.
pub unsafe fn buffer_back_at<F: Family>(at: *mut c_void, returned: c_int) {
    // SAFETY: promised by the caller.
    if let Some(buffer) = unsafe { at.cast::<*mut c_void>().as_mut() } {
        if returned == MPI_SUCCESS {
            *buffer = F::buffer_back(*buffer);
        }
    }
}

/// A handle that the library reads or writes, with what it was.
pub struct OneHandle<S> {
    handle: S,
    before: usize,
    is_wanted: bool,
}

impl<S: Handle> OneHandle<S> {
    /// No object has this number.
    const NONE: usize = 0;

    /// For a variable that the library writes, or none.
    #[inline(always)]
    pub fn wanted<T: Foreign<S>>(to: *mut T) -> Self {
        OneHandle { handle: S::from_bits(Self::NONE), before: Self::NONE, is_wanted: !to.is_null() }
    }

    /// For a variable that the library reads and writes, or none.
    ///
    /// # Safety
    /// `from` is null or points to a handle.
    #[inline(always)]
    pub unsafe fn given<T: Foreign<S>>(from: *mut T) -> Self {
        // SAFETY: promised by the caller.
        match unsafe { from.as_ref() } {
            None => Self::wanted(from),
            Some(handle) => {
                let handle = handle.to_standard();
                OneHandle { handle, before: handle.bits(), is_wanted: true }
            }
        }
    }

    /// What the library gets.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut S {
        if self.is_wanted { &raw mut self.handle } else { std::ptr::null_mut() }
    }

    /// Gives the program what the library has written.
    ///
    /// # Safety
    /// `to` is the variable.
    #[inline(always)]
    pub unsafe fn give_back<T: Foreign<S>>(&self, to: *mut T) {
        if self.handle.bits() != self.before {
            // SAFETY: promised by the caller; the library had an address to write to.
            unsafe { to.write(T::from_standard(self.handle)) };
        }
    }
}

/// Values of which there are mostly few: these need no memory of their own. For others there may be
/// none.
struct Few<T: Copy> {
    here: [MaybeUninit<T>; FEW],
    many: Vec<T>,
    length: usize,
}

const FEW: usize = 64;

impl<T: Copy> Few<T> {
    #[inline(always)]
    fn new(length: usize, one: impl Fn(usize) -> T) -> Result<Self> {
        let mut few = Few { here: [MaybeUninit::uninit(); FEW], many: Vec::new(), length };
        if length <= FEW {
            for i in 0..length {
                few.here[i].write(one(i));
            }
        } else {
            few.many = memory::room_for(length)?;
            few.many.extend((0..length).map(one));
        }
        Ok(few)
    }

    fn as_mut_ptr(&mut self) -> *mut T {
        if self.length <= FEW { self.here.as_mut_ptr().cast() } else { self.many.as_mut_ptr() }
    }

    fn get(&self, i: usize) -> T {
        match self.length <= FEW {
            // SAFETY: the first `length` were written by `new`.
            true => unsafe { self.here[i].assume_init() },
            false => self.many[i],
        }
    }
}

/// Several handles.
pub struct Handles<S: Copy> {
    /// `None` where the program passed null.
    values: Option<Few<S>>,
}

impl<S: Handle> Handles<S> {
    /// # Safety
    /// `from` is null or points to as many handles.
    #[inline(always)]
    pub unsafe fn given<T: Foreign<S>>(from: *const T, length: Length) -> Result<Self> {
        if from.is_null() {
            return Ok(Handles { values: None });
        }
        // SAFETY: promised by the caller.
        let one = |i| unsafe { from.add(i).read() }.to_standard();
        Ok(Handles { values: Some(Few::new(length.0, one)?) })
    }

    /// For handles that the library writes, or none.
    pub fn wanted<T: Foreign<S>>(to: *const T, length: Length) -> Result<Self> {
        if to.is_null() {
            return Ok(Handles { values: None });
        }
        let none = |_| S::from_bits(OneHandle::<S>::NONE);
        Ok(Handles { values: Some(Few::new(length.0, none)?) })
    }

    /// What the library reads and writes.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut S {
        self.values.as_mut().map_or(std::ptr::null_mut(), Few::as_mut_ptr)
    }

    /// Gives the program its handles back.
    ///
    /// # Safety
    /// `to` points to as many handles.
    #[inline(always)]
    pub unsafe fn give_back<T: Foreign<S>>(&self, to: *mut T) {
        let Some(values) = &self.values else { return };
        for i in 0..values.length {
            // SAFETY: promised by the caller.
            unsafe { to.add(i).write(T::from_standard(values.get(i))) };
        }
    }
}

impl<S: Handle> Handles<S> {
    /// Gives the program the handles that the library has written.
    ///
    /// # Safety
    /// `to` points to as many handles.
    pub unsafe fn give_back_wanted<T: Foreign<S>>(&self, to: *mut T) {
        let Some(values) = &self.values else { return };
        for (i, handle) in (0..values.length).map(|i| (i, values.get(i))) {
            if handle.bits() != OneHandle::<S>::NONE {
                // SAFETY: promised by the caller.
                unsafe { to.add(i).write(T::from_standard(handle)) };
            }
        }
    }
}

/// A status that the library has not written: no rank, tag or error code is such a number.
const UNTOUCHED: MPI_Status = {
    let mut status = MPI_Status::EMPTY;
    status.MPI_SOURCE = c_int::MIN + 1;
    status.MPI_TAG = c_int::MIN + 1;
    status.MPI_ERROR = c_int::MIN + 1;
    status
};

/// The empty status of a family.
pub fn empty_status<F: Family>() -> F::Status {
    let mut empty = F::Status::default();
    status_back::<F>(&UNTOUCHED, &MPI_Status::EMPTY, &mut empty);
    empty
}

/// The standard's status for a family's.
pub fn to_standard<F: Family>(from: &F::Status) -> MPI_Status {
    let (mut from, mut to) = (*from, MPI_Status::EMPTY);
    let (bytes, cancelled) = from.received();
    let [source, tag, error] = from.fields();
    to.MPI_SOURCE = number(F::RANKS, *source);
    to.MPI_TAG = number(F::TAGS, *tag);
    to.MPI_ERROR = code::<F>(*error);
    to.set_bytes(bytes);
    to.set_cancelled(cancelled);
    to
}

/// Changes a family's status to the standard's, where the library has changed that from `before`.
#[inline(always)]
fn status_back<F: Family>(before: &MPI_Status, from: &MPI_Status, to: &mut F::Status) {
    if (from.bytes(), from.is_cancelled()) != (before.bytes(), before.is_cancelled())
        || from.MPI_SOURCE != before.MPI_SOURCE
    {
        to.set_received(from.bytes(), from.is_cancelled());
    }
    let [source, tag, error] = to.fields();
    if from.MPI_SOURCE != before.MPI_SOURCE {
        *source = number_back(F::RANKS, from.MPI_SOURCE);
    }
    if from.MPI_TAG != before.MPI_TAG {
        *tag = number_back(F::TAGS, from.MPI_TAG);
    }
    if from.MPI_ERROR != before.MPI_ERROR {
        *error = code_back::<F>(from.MPI_ERROR);
    }
}

/// A status that the library reads or writes, and what it was.
pub struct OneStatus {
    status: MPI_Status,
    before: MPI_Status,
    is_wanted: bool,
}

impl OneStatus {
    /// For a variable that the library writes, or none.
    #[inline(always)]
    pub fn wanted<F: Family>(to: *const F::Status) -> Self {
        OneStatus { status: UNTOUCHED, before: UNTOUCHED, is_wanted: !F::is_ignored(to) }
    }

    /// For a variable that the library reads.
    ///
    /// # Safety
    /// `from` stands for none or points to a status.
    pub unsafe fn given<F: Family>(from: *const F::Status) -> Self {
        if F::is_ignored(from) {
            return Self::wanted::<F>(from);
        }
        // SAFETY: promised by the caller.
        let status = to_standard::<F>(unsafe { &*from });
        OneStatus { status, before: status, is_wanted: true }
    }

    /// What the library gets.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut MPI_Status {
        if self.is_wanted { &raw mut self.status } else { std::ptr::null_mut() }
    }

    /// Gives the program what the library has written.
    ///
    /// # Safety
    /// `to` is the variable.
    #[inline(always)]
    pub unsafe fn give_back<F: Family>(&self, to: *mut F::Status) {
        if self.is_wanted {
            // SAFETY: promised by the caller.
            status_back::<F>(&self.before, &self.status, unsafe { &mut *to });
        }
    }
}

/// Several statuses that the library writes.
pub struct Statuses {
    /// `None` where the program wants none.
    values: Option<Few<MPI_Status>>,
}

impl Statuses {
    /// For variables that the library writes, or none.
    #[inline(always)]
    pub fn wanted<F: Family>(to: *const F::Status, length: Length) -> Result<Self> {
        if F::is_ignored(to) {
            return Ok(Statuses { values: None });
        }
        Ok(Statuses { values: Some(Few::new(length.0, |_| UNTOUCHED)?) })
    }

    /// What the library gets.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut MPI_Status {
        self.values.as_mut().map_or(std::ptr::null_mut(), Few::as_mut_ptr)
    }

    /// Gives the program what the library has written.
    ///
    /// # Safety
    /// `to` points to the variables.
    #[inline(always)]
    pub unsafe fn give_back<F: Family>(&self, to: *mut F::Status) {
        let Some(values) = &self.values else { return };
        for i in 0..values.length {
            // SAFETY: promised by the caller.
            status_back::<F>(&UNTOUCHED, &values.get(i), unsafe { &mut *to.add(i) });
        }
    }
}

/// A text that the library writes, for which the family may promise less room.
pub struct Text {
    /// `None` where the program passed null.
    room: Option<Vec<c_char>>,
}

impl Text {
    /// As much as the standard promises for any.
    pub const ROOM: usize = crate::standard::constants::MPI_MAX_LIBRARY_VERSION_STRING as usize;
    /// No text begins so.
    const UNTOUCHED: c_char = c_char::MAX;

    /// For a text that the library writes, or none.
    pub fn wanted(to: *const c_char) -> Self {
        Text { room: (!to.is_null()).then(|| vec![Self::UNTOUCHED; Self::ROOM]) }
    }

    /// Where the library writes.
    pub fn as_mut_ptr(&mut self) -> *mut c_char {
        self.room.as_mut().map_or(std::ptr::null_mut(), Vec::as_mut_ptr)
    }

    /// Adds to what the library has written, and says how much.
    pub fn append(&mut self, more: &str) -> usize {
        let Some(text) = &mut self.room else { return 0 };
        let is_empty = text[0] == Self::UNTOUCHED;
        let end = if is_empty { 0 } else { text.iter().position(|c| *c == 0).unwrap_or(0) };
        let more = &more.as_bytes()[..more.len().min(Self::ROOM - 1 - end)];
        for (to, byte) in text[end..].iter_mut().zip(more.iter().chain(&[0])) {
            *to = *byte as c_char;
        }
        more.len()
    }

    /// Gives the program as much of it as there is room for.
    ///
    /// # Safety
    /// There is room for as many characters, a final zero included.
    pub unsafe fn give_back(&self, to: *mut c_char, room: usize) {
        let Some(text) = self.room.as_ref().filter(|t| t[0] != Self::UNTOUCHED) else { return };
        let length = text.iter().position(|c| *c == 0).unwrap_or(0).min(room - 1);
        // SAFETY: promised by the caller.
        unsafe {
            to.copy_from_nonoverlapping(text.as_ptr(), length);
            to.add(length).write(0);
        }
    }
}

/// Cuts the length of a text that was cut.
///
/// # Safety
/// `length` is null or points to an int.
pub unsafe fn shorten(length: *mut c_int, room: usize) {
    // SAFETY: promised by the caller.
    if let Some(length) = unsafe { length.as_mut() } {
        *length = (*length).min(room as c_int - 1);
    }
}
