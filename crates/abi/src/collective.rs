//! Collective communication (MPI 5.0, chapter 6): the frames of the entry points. What a call's
//! arguments mean is decoded once, to a schedule; the blocking, the nonblocking and the persistent
//! form differ in what they do with it.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use dunlin_base::{ErrorClass, Result};
use dunlin_engine::{Comm, Engine, Irregular, Root, Schedule, Spec, Typed, Varied};

use crate::call::on_comm;
use crate::constants::*;
use crate::convert::{self, committed_id, error, give_request};
use crate::handles;
use crate::types::*;

/// Address, count and datatype of a buffer.
pub type Given = (*const c_void, MPI_Count, MPI_Datatype);

/// Runs a collective to its end.
#[inline]
pub fn blocking(
    function: &'static str,
    comm: MPI_Comm,
    decode: impl FnOnce(&Engine, &Rc<Comm>) -> Result<Schedule>,
) -> c_int {
    on_comm(function, comm, |engine, comm| engine.collect(&decode(engine, comm)?))
}

/// Begins a collective.
///
/// # Safety
/// `request` is null or points to a request.
pub unsafe fn begin(
    function: &'static str,
    comm: MPI_Comm,
    request: *mut MPI_Request,
    decode: impl FnOnce(&Engine, &Rc<Comm>) -> Result<Schedule>,
) -> c_int {
    on_comm(function, comm, |engine, comm| {
        let begin = || Ok(engine.begin(&decode(engine, comm)?.apart()));
        // SAFETY: promised by the caller.
        unsafe { give_request(request, begin) }
    })
}

/// Describes a collective, to be started later.
///
/// # Safety
/// As for `begin`.
pub unsafe fn persistent(
    function: &'static str,
    comm: MPI_Comm,
    request: *mut MPI_Request,
    decode: impl FnOnce(&Engine, &Rc<Comm>) -> Result<Schedule>,
) -> c_int {
    on_comm(function, comm, |engine, comm| {
        let describe = || {
            let schedule = decode(engine, comm)?.apart();
            engine.persistent(comm, Spec::Collective(schedule))
        };
        // SAFETY: promised by the caller.
        unsafe { give_request(request, describe) }
    })
}

/// Blocks that a buffer with one for every peer has.
pub fn blocks(comm: &Comm) -> usize {
    comm.peer_count() as usize
}

/// The root of a collective.
pub fn root(comm: &Comm, root: c_int) -> Result<Root> {
    match root {
        MPI_ROOT if comm.is_inter() => Ok(Root::Here),
        MPI_PROC_NULL if comm.is_inter() => Ok(Root::Beside),
        _ => convert::root(comm, root).map(Root::Rank),
    }
}

/// A buffer.
pub fn typed(engine: &Engine, given: Given) -> Result<Typed> {
    // Without elements the address means nothing.
    if given.0 == MPI_IN_PLACE && given.1 != 0 {
        return Err(convert::misplaced());
    }
    convert::typed(engine, given.0, given.1, given.2)
}

/// A buffer where `MPI_IN_PLACE` may stand; `None` for that.
pub fn typed_or_in_place(engine: &Engine, given: Given) -> Result<Option<Typed>> {
    convert::typed_or_in_place(engine, given.0, given.1, given.2)
}

/// A buffer that means something at the root only.
pub fn at_root(engine: &Engine, comm: &Comm, root: Root, given: Given) -> Result<Typed> {
    if root.is_here(comm) { typed(engine, given) } else { Ok(Typed::EMPTY) }
}

/// A buffer that means something wherever the root is named by its rank; `MPI_IN_PLACE` may stand
/// at the root.
pub fn at_others(engine: &Engine, comm: &Comm, root: Root, given: Given) -> Result<Option<Typed>> {
    match root {
        Root::Rank(_) if root.is_here(comm) => typed_or_in_place(engine, given),
        Root::Rank(_) => typed(engine, given).map(Some),
        Root::Here | Root::Beside => Ok(Some(Typed::EMPTY)),
    }
}

/// A count, or a displacement, of either form.
pub trait Number: Copy {
    /// As the wider form gives it.
    fn wide(self) -> i64;
}

impl Number for c_int {
    fn wide(self) -> i64 {
        self.into()
    }
}

impl Number for i64 {
    fn wide(self) -> i64 {
        self
    }
}

impl Number for isize {
    fn wide(self) -> i64 {
        self as i64
    }
}

/// One entry for each block, from an array of the program.
///
/// # Safety
/// `start` is null or points to `len` entries.
unsafe fn array<T: Copy>(start: *const T, len: usize, name: &str) -> Result<Box<[T]>> {
    if len == 0 {
        return Ok([].into());
    }
    if start.is_null() {
        let text = format!("{name} is a null pointer; it must have {len} entries");
        return Err(error(ErrorClass::Arg, text));
    }
    // SAFETY: promised by the caller; not null.
    Ok(unsafe { std::slice::from_raw_parts(start, len) }.into())
}

/// The counts of blocks.
///
/// # Safety
/// `start` is null or points to `len` counts.
pub unsafe fn counts<T: Number>(start: *const T, len: usize) -> Result<Box<[usize]>> {
    // SAFETY: passed on.
    let given = unsafe { array(start, len, "the array of counts") }?;
    given.iter().map(|n| convert::count(n.wide())).collect()
}

/// The displacements of blocks.
///
/// # Safety
/// `start` is null or points to `len` displacements.
unsafe fn displacements<T: Number>(start: *const T, len: usize) -> Result<Box<[isize]>> {
    // SAFETY: passed on.
    let given = unsafe { array(start, len, "the array of displacements") }?;
    Ok(given.iter().map(|d| d.wide() as isize).collect())
}

/// Address, counts, displacements and datatype of a buffer of blocks.
pub type GivenBlocks<N, D> = (*const c_void, *const N, *const D, MPI_Datatype);

/// A buffer of `len` blocks of one datatype.
///
/// # Safety
/// The arrays are null or have `len` entries.
pub unsafe fn irregular<N: Number, D: Number>(
    engine: &Engine,
    len: usize,
    given: GivenBlocks<N, D>,
) -> Result<Irregular> {
    let (address, counts, displacements, datatype) = given;
    // SAFETY: passed on.
    let (counts, displacements) =
        unsafe { (self::counts(counts, len)?, self::displacements(displacements, len)?) };
    let most = counts.iter().copied().max().unwrap_or(0);
    let whole = typed(engine, (address, most as MPI_Count, datatype))?;
    Ok(Irregular { address: whole.address, type_id: whole.type_id, counts, displacements })
}

/// A buffer with a block for every rank, at the root.
///
/// # Safety
/// As for `irregular`.
pub unsafe fn irregular_at_root<N: Number, D: Number>(
    engine: &Engine,
    comm: &Comm,
    root: Root,
    given: GivenBlocks<N, D>,
) -> Result<Option<Irregular>> {
    if !root.is_here(comm) {
        return Ok(None);
    }
    // SAFETY: passed on.
    unsafe { irregular(engine, blocks(comm), given) }.map(Some)
}

/// A buffer of `len` blocks of one datatype where `MPI_IN_PLACE` may stand; `None` for that.
///
/// # Safety
/// As for `irregular`.
pub unsafe fn irregular_or_in_place<N: Number, D: Number>(
    engine: &Engine,
    len: usize,
    given: GivenBlocks<N, D>,
) -> Result<Option<Irregular>> {
    if given.0 == MPI_IN_PLACE {
        return Ok(None);
    }
    // SAFETY: passed on.
    unsafe { irregular(engine, len, given) }.map(Some)
}

/// Address, counts, displacements and datatypes of a buffer of blocks.
pub type GivenVaried<N, D> = (*const c_void, *const N, *const D, *const MPI_Datatype);

/// A buffer of `len` blocks, each of a datatype of its own.
///
/// # Safety
/// The arrays are null or have `len` entries.
pub unsafe fn varied<N: Number, D: Number>(
    engine: &Engine,
    len: usize,
    given: GivenVaried<N, D>,
) -> Result<Varied> {
    let (address, counts, displacements, datatypes) = given;
    if address == MPI_IN_PLACE {
        return Err(convert::misplaced());
    }
    // SAFETY: passed on.
    let (counts, displacements, datatypes) = unsafe {
        let datatypes = array(datatypes, len, "the array of datatypes")?;
        (self::counts(counts, len)?, self::displacements(displacements, len)?, datatypes)
    };
    // The datatype of a block without elements means nothing.
    let id = |(&datatype, &count): (&MPI_Datatype, &usize)| match count {
        0 => Ok(Typed::EMPTY.type_id),
        _ => committed_id(engine, datatype),
    };
    let type_ids = datatypes.iter().zip(&counts).map(id).collect::<Result<_>>()?;
    // Null is MPI_BOTTOM: good with displacements that are addresses, and with datatypes that hold
    // addresses, which predefined ones do not.
    let begins_at_null = |i: usize| {
        counts[i] > 0 && displacements[i] == 0 && handles::primitive(datatypes[i]).is_some()
    };
    if address.is_null() && (0..len).any(begins_at_null) {
        let text = "the buffer is a null pointer, but a block is to be moved that begins there";
        return Err(error(ErrorClass::Buffer, text));
    }
    Ok(Varied { address: address.cast_mut().cast(), type_ids, counts, displacements })
}

/// A buffer of `len` varied blocks where `MPI_IN_PLACE` may stand; `None` for that.
///
/// # Safety
/// As for `varied`.
pub unsafe fn varied_or_in_place<N: Number, D: Number>(
    engine: &Engine,
    len: usize,
    given: GivenVaried<N, D>,
) -> Result<Option<Varied>> {
    if given.0 == MPI_IN_PLACE {
        return Ok(None);
    }
    // SAFETY: passed on.
    unsafe { varied(engine, len, given) }.map(Some)
}
