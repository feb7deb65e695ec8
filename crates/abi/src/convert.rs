//! Conversion between the program's arguments and the engine's types. Every check that a call makes
//! on its arguments is here.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};
use dunlin_datatype::byte_range::{BYTES_MAX, bytes_of};
use dunlin_engine::{
    Comm, CommId, Engine, From, RequestId, SELF, Source, Status, Typed, UserBuffer, WORLD, Window,
    committed_layout, number_in_vci, number_of_program, vci_in,
};

use crate::inquiry;
use crate::standard::constants::*;
use crate::standard::error_codes;
use crate::standard::handles::{self, claimed, claimed_comm, made, number, primitive, wrong};
use crate::standard::types::*;

/// An error of `class` with the text `text`.
pub fn error(class: ErrorClass, text: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(class, text)
}

/// The communicator behind a handle.
#[inline]
pub fn comm(engine: &Engine, handle: MPI_Comm) -> Result<Rc<Comm>> {
    engine.comm(comm_id(handle)?).map_err(|_| wrong(handle))
}

/// The window behind a handle.
pub fn window(engine: &Engine, handle: MPI_Win) -> Result<Rc<Window>> {
    engine.window(number(handle)?).map_err(|_| wrong(handle))
}

/// The number of the communicator behind a handle.
#[inline]
pub fn comm_id(handle: MPI_Comm) -> Result<CommId> {
    claimed_comm(handle).ok_or_else(|| wrong(handle))
}

/// The handle of a communicator.
pub fn comm_handle(id: CommId) -> Result<MPI_Comm> {
    match id {
        WORLD => Ok(MPI_COMM_WORLD),
        SELF => Ok(MPI_COMM_SELF),
        _ => made_or_full(id),
    }
}

/// The number of a request; every call but the fast paths uses this.
#[inline]
pub fn request(engine: &Engine, handle: MPI_Request) -> Result<RequestId> {
    let number = handles::number(handle)?;
    // Of another VCI only where this call is for no such request.
    if vci_in(number) != engine.vci() {
        return Err(wrong(handle));
    }
    let id = number_in_vci(number);
    engine.make_whole(id);
    Ok(id)
}

/// The VCI of the request behind a handle; the first if it is none.
#[inline]
pub fn vci_of_request(handle: MPI_Request) -> usize {
    claimed(handle).map_or(0, vci_in)
}

/// The handle of an object created at run time.
#[inline]
pub fn made_or_full<H: handles::Handle>(id: u32) -> Result<H> {
    made(id).ok_or_else(|| {
        error(ErrorClass::Intern, format!("there are too many objects of kind {}", H::NOUN))
    })
}

/// The number of a datatype: predefined ones come first, in the order of `Primitive::ALL`.
#[inline]
pub fn type_id(datatype: MPI_Datatype) -> Result<u32> {
    match primitive(datatype) {
        Some(position) => Ok(position as u32),
        None => number(datatype),
    }
}

/// The handle of the datatype with this number.
pub fn type_handle(id: u32) -> Option<MPI_Datatype> {
    handles::predefined(id as usize).or_else(|| made(id))
}

/// A count that is not negative.
#[inline]
pub fn count(count: MPI_Count) -> Result<usize> {
    usize::try_from(count)
        .map_err(|_| error(ErrorClass::Count, format!("count is {count}; it must be >= 0")))
}

/// Address and length of a message of contiguous bytes; `None` for arguments that are wrong or need
/// the slow path.
#[inline(always)]
pub fn plain_bytes(
    address: *const c_void,
    elements: MPI_Count,
    datatype: MPI_Datatype,
) -> Option<(*mut u8, usize)> {
    let bytes = plain_length(elements, datatype)?;
    if is_no_buffer(address) {
        return None;
    }
    Some((address.cast_mut().cast(), bytes))
}

/// Length of so many contiguous elements; `None` for arguments that are wrong or need the slow
/// path.
#[inline(always)]
pub fn plain_length(elements: MPI_Count, datatype: MPI_Datatype) -> Option<usize> {
    let each = match handles::dense_bytes(datatype) {
        0 => inquiry::plain_bytes(datatype),
        each => each,
    };
    let bytes = usize::try_from(elements).ok()?.checked_mul(each)?;
    (each != 0 && bytes <= BYTES_MAX).then_some(bytes)
}

/// The buffer of a message.
///
/// # Safety
/// The program's promises on buffer, count and datatype, until the operation is complete.
#[inline]
pub unsafe fn buffer(
    engine: &Engine,
    address: *const c_void,
    elements: MPI_Count,
    datatype: MPI_Datatype,
) -> Result<UserBuffer> {
    let (elements, address) = (count(elements)?, address.cast_mut().cast::<u8>());
    // SAFETY: promised by the caller.
    match unsafe { dense_buffer(address, elements, datatype)? } {
        Some(dense) => Ok(dense),
        // SAFETY: promised by the caller.
        None => unsafe { described_buffer(engine, address, elements, datatype) },
    }
}

/// The buffer of a call that has completed when it returns, for calls where latency matters: the
/// compiler keeps the result in registers.
///
/// # Safety
/// As for [`buffer`].
#[inline(always)]
pub unsafe fn buffer_here(
    engine: &Engine,
    address: *const c_void,
    elements: MPI_Count,
    datatype: MPI_Datatype,
) -> Result<UserBuffer> {
    let (elements, address) = (count(elements)?, address.cast_mut().cast::<u8>());
    // SAFETY: promised by the caller.
    match unsafe { dense_buffer(address, elements, datatype)? } {
        Some(dense) => Ok(dense),
        // SAFETY: promised by the caller.
        None => unsafe { described_buffer_here(engine, address, elements, datatype) },
    }
}

/// The buffer if its datatype is contiguous, or if it has no data.
///
/// # Safety
/// As for [`buffer`].
#[inline(always)]
unsafe fn dense_buffer(
    address: *mut u8,
    elements: usize,
    datatype: MPI_Datatype,
) -> Result<Option<UserBuffer>> {
    // A count of 0 needs no datatype: programs pass MPI_DATATYPE_NULL, and other libraries accept
    // it.
    if elements == 0 {
        // SAFETY: the buffer has no bytes.
        return Ok(Some(unsafe { UserBuffer::dense(address, 0) }));
    }
    if address.cast_const().cast() == MPI_IN_PLACE {
        return Err(misplaced());
    }
    let each = handles::dense_bytes(datatype);
    if each == 0 {
        return Ok(None);
    }
    if address.is_null() {
        return Err(null_buffer(elements));
    }
    // SAFETY: promised by the caller.
    Ok(Some(unsafe { UserBuffer::dense(address, bytes_of(elements, each)?) }))
}

/// The buffer of a message whose datatype is not contiguous.
///
/// # Safety
/// As for [`buffer`].
#[inline(never)]
unsafe fn described_buffer(
    engine: &Engine,
    address: *mut u8,
    elements: usize,
    datatype: MPI_Datatype,
) -> Result<UserBuffer> {
    // SAFETY: promised by the caller.
    unsafe { described_buffer_here(engine, address, elements, datatype) }
}

/// # Safety
/// As for [`buffer`].
#[inline(always)]
unsafe fn described_buffer_here(
    engine: &Engine,
    address: *mut u8,
    elements: usize,
    datatype: MPI_Datatype,
) -> Result<UserBuffer> {
    let id = type_id(datatype)?;
    if engine.vci() != 0 {
        let layout = committed_layout(id).ok_or_else(|| wrong(datatype))??;
        // SAFETY: promised by the caller.
        return unsafe { UserBuffer::new(address, elements, &layout) };
    }
    let object = engine.types.object(id).map_err(|_| wrong(datatype))?;
    // SAFETY: promised by the caller.
    unsafe { UserBuffer::new(address, elements, object.committed()?) }
}

/// Whether the address is null or `MPI_IN_PLACE`, at which no data can be.
#[inline(always)]
pub fn is_no_buffer(address: *const c_void) -> bool {
    address.is_null() || address == MPI_IN_PLACE
}

/// The error of `MPI_IN_PLACE` where it is not allowed.
#[cold]
pub fn misplaced() -> Error {
    let text = "the buffer is MPI_IN_PLACE, which this argument may not be in this process";
    error(ErrorClass::Buffer, text)
}

#[cold]
fn null_buffer(elements: usize) -> Error {
    let text = format!("the buffer is a null pointer, but {elements} elements are to be moved");
    error(ErrorClass::Buffer, text)
}

/// The number of a datatype, which must be committed.
pub fn committed_id(engine: &Engine, datatype: MPI_Datatype) -> Result<u32> {
    let id = type_id(datatype)?;
    if primitive(datatype).is_none() {
        engine.types.object(id).map_err(|_| wrong(datatype))?.committed()?;
    }
    Ok(id)
}

/// The buffer of a collective.
pub fn typed(
    engine: &Engine,
    address: *const c_void,
    elements: MPI_Count,
    datatype: MPI_Datatype,
) -> Result<Typed> {
    let elements = count(elements)?;
    let id = committed_id(engine, datatype)?;
    if address.is_null() && elements > 0 && primitive(datatype).is_some() {
        return Err(null_buffer(elements));
    }
    Ok(Typed { address: address.cast_mut().cast(), count: elements, type_id: id })
}

/// The buffer of a collective; `None` for `MPI_IN_PLACE`, which is allowed.
pub fn typed_or_in_place(
    engine: &Engine,
    address: *const c_void,
    elements: MPI_Count,
    datatype: MPI_Datatype,
) -> Result<Option<Typed>> {
    if address == MPI_IN_PLACE {
        return Ok(None);
    }
    typed(engine, address, elements, datatype).map(Some)
}

/// The destination of a message; `None` is `MPI_PROC_NULL`.
#[inline]
pub fn destination(comm: &Comm, rank: c_int) -> Result<Option<Rank>> {
    if rank == MPI_PROC_NULL {
        return Ok(None);
    }
    self::rank(comm, rank).map(Some)
}

/// The source of a message; `None` is `MPI_PROC_NULL`.
#[inline]
pub fn source(comm: &Comm, rank: c_int) -> Result<Option<From>> {
    match rank {
        MPI_PROC_NULL => Ok(None),
        MPI_ANY_SOURCE => Ok(Some(From::Any)),
        _ => self::rank(comm, rank).map(|r| Some(From::Rank(r))),
    }
}

/// A rank of the communicator.
#[inline]
pub fn rank(comm: &Comm, rank: c_int) -> Result<Rank> {
    if rank >= 0 && (rank as u32) < comm.peer_count() {
        return Ok(rank as u32);
    }
    let (last, name) = (comm.peer_count() - 1, comm.shown_name());
    Err(error(ErrorClass::Rank, format!("rank is {rank}; in {name} it must be 0 to {last}")))
}

/// The root of a collective.
pub fn root(comm: &Comm, root: c_int) -> Result<Rank> {
    rank(comm, root).map_err(|e| error(ErrorClass::Root, e.text.replacen("rank", "root", 1)))
}

/// A tag for a send.
#[inline]
pub fn tag(tag: c_int) -> Result<Tag> {
    if tag >= 0 {
        return Ok(tag);
    }
    let text = format!("tag is {tag}; it must be 0 to MPI_TAG_UB, which is {}", i32::MAX);
    Err(error(ErrorClass::Tag, text))
}

/// A tag for a receive; `None` is `MPI_ANY_TAG`.
#[inline]
pub fn tag_or_any(tag: c_int) -> Result<Option<Tag>> {
    if tag == MPI_ANY_TAG { Ok(None) } else { self::tag(tag).map(Some) }
}

/// Writes a status, unless the program ignores it. `MPI_ERROR` stays unchanged: only functions that
/// complete several operations set it (MPI 5.0, section 3.2.5).
///
/// # Safety
/// `to` is `MPI_STATUS_IGNORE` or points to a status.
#[inline]
pub unsafe fn put_status(to: *mut MPI_Status, status: &Status) {
    // SAFETY: promised by the caller; `MPI_STATUS_IGNORE` is null.
    let Some(to) = (unsafe { to.as_mut() }) else { return };
    to.MPI_SOURCE = match status.source {
        Source::Any => MPI_ANY_SOURCE,
        Source::Null => MPI_PROC_NULL,
        Source::Rank(rank) => rank as c_int,
    };
    to.MPI_TAG = status.tag.unwrap_or(MPI_ANY_TAG);
    to.set_bytes(status.bytes);
    to.set_cancelled(status.cancelled);
}

/// Ends a call that completes one operation: writes the status, even of a failed operation, and
/// returns its error.
///
/// # Safety
/// As for [`put_status`].
pub unsafe fn tell(status: Status, to: *mut MPI_Status) -> Result<()> {
    // SAFETY: promised by the caller.
    unsafe { put_status(to, &status) };
    status.error.map_or(Ok(()), |e| Err(*e))
}

/// The code of a status's error.
pub fn status_code(status: &Status) -> c_int {
    status.error.as_ref().map_or(MPI_SUCCESS, |e| error_codes::code(e.class))
}

/// Starts an operation and returns its request to the program. A null pointer is an error before
/// the operation starts.
///
/// # Safety
/// `to` is null or points to a request.
#[inline]
pub unsafe fn give_request(
    engine: &Engine,
    to: *mut MPI_Request,
    begin: impl FnOnce() -> Result<RequestId>,
) -> Result<()> {
    // SAFETY: promised by the caller.
    unsafe {
        not_null(to, "request")?;
        let id = begin()?;
        to.write(made_or_full(number_of_program(engine.vci(), id))?);
    }
    Ok(())
}

/// Rejects a null pointer for a result, before there is a result.
#[inline]
pub fn not_null<T>(to: *const T, name: &str) -> Result<()> {
    if to.is_null() { Err(null_result(name)) } else { Ok(()) }
}

#[cold]
fn null_result(name: &str) -> Error {
    let text = format!("{name} is a null pointer; pass the address of a variable");
    error(ErrorClass::Arg, text)
}

/// Writes a result to the program's variable.
///
/// # Safety
/// `to` is null or points to a `T`.
#[inline]
pub unsafe fn put<T>(to: *mut T, value: T, name: &str) -> Result<()> {
    not_null(to, name)?;
    // SAFETY: promised by the caller; not null.
    unsafe { to.write(value) };
    Ok(())
}

/// Reads a variable that also receives a result, such as a handle to be freed.
///
/// # Safety
/// `from` is null or points to a `T`.
#[inline]
pub unsafe fn get<T: Copy>(from: *const T, name: &str) -> Result<T> {
    // SAFETY: promised by the caller.
    unsafe { from.as_ref() }.copied().ok_or_else(|| null_result(name))
}
