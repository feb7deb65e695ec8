//! Collective communication (MPI 5.0, chapter 6): the frames of the entry points. The arguments of
//! a call are decoded once, to a schedule; the blocking, nonblocking and persistent forms differ in
//! how they use it.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use dunlin_base::{ErrorClass, Result};
use dunlin_datatype::byte_range::total;
use dunlin_engine::{Comm, Engine, Irregular, Root, Schedule, Typed, Varied};

use crate::call::on_comm;
use crate::convert::{self, committed_id, error, give_request};
use crate::standard::constants::*;
use crate::standard::handles::{self, op_id};
use crate::standard::types::*;

/// Address, count and datatype of a buffer.
pub type Given = (*const c_void, MPI_Count, MPI_Datatype);

/// Runs a collective to completion.
#[inline]
pub fn blocking(
    function: &'static str,
    comm: MPI_Comm,
    decode: impl FnOnce(&Engine, &Rc<Comm>) -> Result<Schedule>,
) -> c_int {
    on_comm(function, comm, |engine, comm| engine.collect(&decode(engine, comm)?))
}

/// Starts a collective.
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
        unsafe { give_request(engine, request, begin) }
    })
}

/// Creates a persistent collective.
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
            let schedule = decode(engine, comm)?.persistent();
            engine.persistent_collective(schedule)
        };
        // SAFETY: promised by the caller.
        unsafe { give_request(engine, request, describe) }
    })
}

/// The number of blocks in a buffer with one block per peer.
pub fn blocks(comm: &Comm) -> usize {
    comm.peer_count() as usize
}

/// A buffer.
pub fn typed(engine: &Engine, given: Given) -> Result<Typed> {
    // Without elements, the address is not significant.
    if given.0 == MPI_IN_PLACE && given.1 != 0 {
        return Err(convert::misplaced());
    }
    convert::typed(engine, given.0, given.1, given.2)
}

/// A count, or a displacement, of either form.
pub trait Number: Copy {
    /// The number as the wider form has it.
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

/// A copy of an array of the program with one entry per block.
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
    // SAFETY: promised by the caller.
    let given = unsafe { array(start, len, "the array of counts") }?;
    given.iter().map(|n| convert::count(n.wide())).collect()
}

/// The displacements of blocks.
///
/// # Safety
/// `start` is null or points to `len` displacements.
unsafe fn displacements<T: Number>(start: *const T, len: usize) -> Result<Box<[isize]>> {
    // SAFETY: promised by the caller.
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
    // SAFETY: promised by the caller.
    let (counts, displacements) =
        unsafe { (self::counts(counts, len)?, self::displacements(displacements, len)?) };
    let most = counts.iter().copied().max().unwrap_or(0);
    let whole = typed(engine, (address, most as MPI_Count, datatype))?;
    Ok(Irregular { address: whole.address, type_id: whole.type_id, counts, displacements })
}

/// Address, counts, displacements and datatypes of a buffer of blocks.
pub type GivenVaried<N, D> = (*const c_void, *const N, *const D, *const MPI_Datatype);

/// A buffer of `len` blocks with a datatype each.
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
    // SAFETY: promised by the caller.
    let (counts, displacements, datatypes) = unsafe {
        let datatypes = array(datatypes, len, "the array of datatypes")?;
        (self::counts(counts, len)?, self::displacements(displacements, len)?, datatypes)
    };
    // The datatype of a block without elements is not significant.
    let id = |(&datatype, &count): (&MPI_Datatype, &usize)| match count {
        0 => Ok(Typed::EMPTY.type_id),
        _ => committed_id(engine, datatype),
    };
    let type_ids = datatypes.iter().zip(&counts).map(id).collect::<Result<_>>()?;
    // Null is MPI_BOTTOM: valid with displacements that are addresses, and with datatypes that
    // contain addresses, which predefined ones do not.
    let begins_at_null = |i: usize| {
        counts[i] > 0 && displacements[i] == 0 && handles::primitive(datatypes[i]).is_some()
    };
    if address.is_null() && (0..len).any(begins_at_null) {
        let text = "the buffer is a null pointer, but a block is to be moved that begins there";
        return Err(error(ErrorClass::Buffer, text));
    }
    Ok(Varied { address: address.cast_mut().cast(), type_ids, counts, displacements })
}

/// Decodes and checks the arguments of a call; a buffer of `None` is `MPI_IN_PLACE`.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// The engine of this process.
    pub engine: &'a Engine,
    /// The communicator of the call.
    pub comm: &'a Comm,
}

impl Checked<'_> {
    /// The root.
    pub fn root(self, root: c_int) -> Result<Root> {
        match root {
            MPI_ROOT if self.comm.is_inter() => Ok(Root::Here),
            MPI_PROC_NULL if self.comm.is_inter() => Ok(Root::Beside),
            _ => convert::root(self.comm, root).map(Root::Rank),
        }
    }

    /// A buffer.
    pub fn buffer(self, given: Given) -> Result<Typed> {
        typed(self.engine, given)
    }

    /// A buffer for results.
    pub fn result<T>(self, _send: Option<&T>, given: Given) -> Result<Typed> {
        self.buffer(given)
    }

    /// A buffer of equal blocks for results, one per peer; its count is that of one block.
    pub fn result_blocks<T>(self, _send: Option<&T>, given: Given) -> Result<Typed> {
        self.buffer(given)
    }

    /// A buffer that is significant on all ranks of an intracommunicator; of an intercommunicator,
    /// at the root and in the other group.
    pub fn buffer_around(self, root: Root, given: Given) -> Result<Typed> {
        let takes_part = root.is_named() || root.is_here(self.comm);
        if takes_part { self.buffer(given) } else { Ok(Typed::EMPTY) }
    }

    /// A buffer; `MPI_IN_PLACE` is allowed.
    pub fn buffer_or_in_place(self, given: Given) -> Result<Option<Typed>> {
        convert::typed_or_in_place(self.engine, given.0, given.1, given.2)
    }

    /// Equal blocks; `MPI_IN_PLACE` is allowed.
    pub fn blocks_or_in_place(self, given: Given) -> Result<Option<Typed>> {
        self.buffer_or_in_place(given)
    }

    /// A buffer that is significant only at the root.
    pub fn at_root(self, root: Root, given: Given) -> Result<Typed> {
        if root.is_here(self.comm) { self.buffer(given) } else { Ok(Typed::EMPTY) }
    }

    /// Equal blocks that are significant only at the root.
    pub fn blocks_at_root(self, root: Root, given: Given) -> Result<Typed> {
        self.at_root(root, given)
    }

    /// A buffer that is significant where the root is given by its rank; at that root
    /// `MPI_IN_PLACE` is allowed.
    pub fn at_others(self, root: Root, given: Given) -> Result<Option<Typed>> {
        match root {
            Root::Rank(_) if root.is_here(self.comm) => self.buffer_or_in_place(given),
            Root::Rank(_) => self.buffer(given).map(Some),
            Root::Here | Root::Beside => Ok(Some(Typed::EMPTY)),
        }
    }

    /// The same for data that is read.
    pub fn blocks_from_root(self, root: Root, given: Given) -> Result<Typed> {
        self.at_root(root, given)
    }

    /// As `at_others`, for results.
    pub fn result_at_others(self, root: Root, given: Given) -> Result<Option<Typed>> {
        self.at_others(root, given)
    }

    /// The number of an operator. The engine checks whether it is valid for the datatype.
    pub fn op(self, op: MPI_Op, _datatype: MPI_Datatype) -> Result<u32> {
        op_id(op)
    }

    /// One count per rank.
    ///
    /// # Safety
    /// `start` is null or points to that many counts.
    pub unsafe fn counts<T: Number>(self, start: *const T) -> Result<Box<[usize]>> {
        // SAFETY: promised by the caller.
        unsafe { counts(start, self.comm.size() as usize) }
    }

    /// The sum of the counts, and this rank's count.
    pub fn total_and_own(self, counts: &[usize]) -> Result<(MPI_Count, MPI_Count)> {
        let total = total(counts.iter().copied())?;
        Ok((total as MPI_Count, counts[self.comm.rank as usize] as MPI_Count))
    }

    /// A buffer with one block per peer.
    ///
    /// # Safety
    /// The arrays are null or have an entry for each peer.
    pub unsafe fn irregular<N: Number, D: Number>(
        self,
        given: GivenBlocks<N, D>,
    ) -> Result<Irregular> {
        // SAFETY: promised by the caller.
        unsafe { irregular(self.engine, blocks(self.comm), given) }
    }

    /// The same; `MPI_IN_PLACE` is allowed.
    ///
    /// # Safety
    /// As for `irregular`.
    pub unsafe fn irregular_or_in_place<N: Number, D: Number>(
        self,
        given: GivenBlocks<N, D>,
    ) -> Result<Option<Irregular>> {
        if given.0 == MPI_IN_PLACE {
            return Ok(None);
        }
        // SAFETY: promised by the caller.
        unsafe { self.irregular(given) }.map(Some)
    }

    /// A buffer with one block per peer, with a datatype each.
    ///
    /// # Safety
    /// As for `irregular`.
    pub unsafe fn varied<N: Number, D: Number>(self, given: GivenVaried<N, D>) -> Result<Varied> {
        // SAFETY: promised by the caller.
        unsafe { varied(self.engine, blocks(self.comm), given) }
    }

    /// The same; `MPI_IN_PLACE` is allowed.
    ///
    /// # Safety
    /// As for `irregular`.
    pub unsafe fn varied_or_in_place<N: Number, D: Number>(
        self,
        given: GivenVaried<N, D>,
    ) -> Result<Option<Varied>> {
        if given.0 == MPI_IN_PLACE {
            return Ok(None);
        }
        // SAFETY: promised by the caller.
        unsafe { self.varied(given) }.map(Some)
    }

    /// A buffer with one block per peer, significant only at the root.
    ///
    /// # Safety
    /// As for `irregular`.
    pub unsafe fn irregular_at_root<N: Number, D: Number>(
        self,
        root: Root,
        given: GivenBlocks<N, D>,
    ) -> Result<Option<Irregular>> {
        if !root.is_here(self.comm) {
            return Ok(None);
        }
        // SAFETY: promised by the caller.
        unsafe { self.irregular(given) }.map(Some)
    }
}
