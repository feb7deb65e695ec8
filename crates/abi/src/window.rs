//! Windows (MPI 5.0, section 12.2): creating, freeing and inquiring.

use std::any::Any;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_engine::{Engine, Flavor, Window, WindowSource};

use crate::call::{on_comm, on_process, on_win};
use crate::convert::{error, get, made_or_full, not_null, put, window};
use crate::environment::{cut, put_string};
use crate::group;
use crate::info::{self, Info};
use crate::standard::constants::*;
use crate::standard::types::*;

/// The info keys that windows know, with their defaults (section 12.2.1).
const HINTS: [(&CStr, &CStr); 8] = [
    (c"no_locks", c"false"),
    (c"accumulate_ordering", c"rar,raw,war,waw"),
    (c"accumulate_ops", c"same_op_no_op"),
    (c"mpi_accumulate_granularity", c"0"),
    (c"same_size", c"false"),
    (c"same_disp_unit", c"false"),
    (c"alloc_shared_noncontig", c"false"),
    (c"mpi_assert_memory_alloc_kinds", c""),
];

/// What the values of predefined attributes point to.
struct Shown {
    size: MPI_Aint,
    unit: c_int,
    flavor: c_int,
    model: c_int,
}

impl Shown {
    fn of(window: &Window) -> Shown {
        let part = window.own_part();
        let flavor = match window.flavor {
            Flavor::Create => MPI_WIN_FLAVOR_CREATE,
            Flavor::Allocate => MPI_WIN_FLAVOR_ALLOCATE,
            Flavor::Dynamic => MPI_WIN_FLAVOR_DYNAMIC,
            Flavor::Shared => MPI_WIN_FLAVOR_SHARED,
        };
        let (size, unit) = (part.size as MPI_Aint, part.unit as c_int);
        Shown { size, unit, flavor, model: MPI_WIN_UNIFIED }
    }
}

/// The value of a predefined attribute.
pub fn predefined_attribute(window: &Window, keyval: c_int) -> Option<*mut c_void> {
    let shown = window.front_end.get()?.downcast_ref::<Shown>()?;
    let value: *const c_void = match keyval {
        MPI_WIN_BASE => window.base.cast(),
        MPI_WIN_SIZE => (&raw const shown.size).cast(),
        MPI_WIN_DISP_UNIT => (&raw const shown.unit).cast(),
        MPI_WIN_CREATE_FLAVOR => (&raw const shown.flavor).cast(),
        MPI_WIN_MODEL => (&raw const shown.model).cast(),
        _ => return None,
    };
    Some(value.cast_mut())
}

/// The hints of an info object that windows know.
fn set_hints(window: &Window, info: MPI_Info) -> Result<()> {
    let given = info::read_or_none(info, |i| Ok(i.pairs.clone()))?;
    let mut hints = window.hints.borrow_mut();
    for (key, value) in given {
        if HINTS.iter().any(|hint| hint.0 == &*key) {
            hints.retain(|hint: &(CString, CString)| hint.0 != key);
            hints.push((key, value));
        }
    }
    Ok(())
}

/// Bytes of a part of a window.
fn bytes(size: MPI_Aint) -> Result<usize> {
    usize::try_from(size).map_err(|_| {
        error(ErrorClass::Size, format!("size is {size}; a window has 0 bytes or more"))
    })
}

/// Bytes of one unit of displacement.
fn unit(unit: MPI_Aint) -> Result<usize> {
    let positive = usize::try_from(unit).ok().filter(|unit| *unit > 0);
    positive.ok_or_else(|| {
        error(ErrorClass::Disp, format!("disp_unit is {unit}; it must be at least 1"))
    })
}

/// Whether the parts of a shared window may begin wherever it is best.
fn may_have_gaps(info: MPI_Info) -> Result<bool> {
    info::read_or_none(info, |i| Ok(i.value(c"alloc_shared_noncontig") == Some(c"true")))
}

/// Makes a window of the memory that `source` says, and tells where it begins if `base` is given.
///
/// # Safety
/// `base` is `None`, null or points to a pointer; `win` is null or points to a window.
unsafe fn create(
    function: &'static str,
    comm: MPI_Comm,
    info: MPI_Info,
    disp_unit: MPI_Aint,
    base: Option<*mut c_void>,
    win: *mut MPI_Win,
    source: impl FnOnce() -> Result<WindowSource>,
) -> c_int {
    on_comm(function, comm, |engine, comm| {
        not_null(win, "win")?;
        base.map_or(Ok(()), |base| not_null(base, "baseptr"))?;
        info::read_or_none(info, |_| Ok(()))?;
        let id = engine.win_create(comm, source()?, unit(disp_unit)?)?;
        let window = engine.window(id)?;
        let shown: Box<dyn Any> = Box::new(Shown::of(&window));
        let _first = window.front_end.set(shown);
        set_hints(&window, info)?;
        // SAFETY: promised by the caller.
        unsafe {
            if let Some(base) = base {
                put(base.cast::<*mut u8>(), window.base, "baseptr")?;
            }
            put(win, made_or_full(id)?, "win")
        }
    })
}

/// The rank whose memory a query is about: the first with any for `MPI_PROC_NULL`.
fn queried(window: &Window, rank: c_int) -> Result<Option<Rank>> {
    if rank == MPI_PROC_NULL {
        let with_memory = window.parts.iter().position(|part| part.size > 0);
        return Ok(with_memory.map(|rank| rank as Rank));
    }
    crate::convert::rank(window.comm(), rank).map(Some)
}

/// Size, unit and address of a rank's part; zeros where this process cannot load and store it.
fn shared_query(window: &Window, rank: c_int) -> Result<(MPI_Aint, MPI_Aint, *mut u8)> {
    if window.flavor == Flavor::Dynamic {
        let name = window.shown_name();
        let text = format!("{name} is dynamic: it has no memory that could be shared");
        return Err(Error::new(ErrorClass::RmaFlavor, text));
    }
    let rank = queried(window, rank)?;
    let found =
        rank.and_then(|rank| Some((window.parts[rank as usize], window.shared_address(rank)?)));
    Ok(match found {
        Some((part, address)) => (part.size as MPI_Aint, part.unit as MPI_Aint, address),
        None => (0, 1, std::ptr::null_mut()),
    })
}

fn set_name(window: &Rc<Window>, name: &CStr) {
    let name = name.to_string_lossy();
    window.set_name(cut(&name, MPI_MAX_OBJECT_NAME as usize - 1));
}

fn free(engine: &Engine, window: &Window) -> Result<()> {
    engine.win_free(window.id.get())
}

entry_c! {
    fn MPI_Win_create / MPI_Win_create_c(
        base: *mut c_void,
        size: MPI_Aint,
        disp_unit: Disp,
        info: MPI_Info,
        comm: MPI_Comm,
        win: *mut MPI_Win,
    ) {
        let source = || {
            let bytes = bytes(size)?;
            if base.is_null() && bytes > 0 {
                let text = format!("base is a null pointer, but size is {size}; pass the memory");
                return Err(error(ErrorClass::Buffer, text));
            }
            Ok(WindowSource::Program(base.cast(), bytes))
        };
        // SAFETY: the program passes null or the address of a window.
        unsafe { create(FUNCTION, comm, info, disp_unit.into_aint(), None, win, source) }
    }

    fn MPI_Win_allocate / MPI_Win_allocate_c(
        size: MPI_Aint,
        disp_unit: Disp,
        info: MPI_Info,
        comm: MPI_Comm,
        baseptr: *mut c_void,
        win: *mut MPI_Win,
    ) {
        let source = || Ok(WindowSource::Allocated(bytes(size)?));
        // SAFETY: the program passes null or the addresses of a pointer and of a window.
        unsafe { create(FUNCTION, comm, info, disp_unit.into_aint(), Some(baseptr), win, source) }
    }

    fn MPI_Win_allocate_shared / MPI_Win_allocate_shared_c(
        size: MPI_Aint,
        disp_unit: Disp,
        info: MPI_Info,
        comm: MPI_Comm,
        baseptr: *mut c_void,
        win: *mut MPI_Win,
    ) {
        let source = || {
            let (bytes, is_contiguous) = (bytes(size)?, !may_have_gaps(info)?);
            Ok(WindowSource::Shared { bytes, is_contiguous })
        };
        // SAFETY: as above.
        unsafe { create(FUNCTION, comm, info, disp_unit.into_aint(), Some(baseptr), win, source) }
    }

    fn MPI_Win_shared_query / MPI_Win_shared_query_c(
        win: MPI_Win,
        rank: c_int,
        size: *mut MPI_Aint,
        disp_unit: *mut Disp,
        baseptr: *mut c_void,
    ) {
        on_win(FUNCTION, win, |_, window| {
            let (bytes, unit, address) = shared_query(window, rank)?;
            // SAFETY: the program passes the addresses of variables, or null.
            unsafe {
                put(size, bytes, "size")?;
                put(disp_unit, unit as Disp, "disp_unit")?;
                put(baseptr.cast::<*mut u8>(), address, "baseptr")
            }
        })
    }
}

/// A displacement unit of either form.
trait IntoAint {
    fn into_aint(self) -> MPI_Aint;
}

impl IntoAint for c_int {
    fn into_aint(self) -> MPI_Aint {
        self as MPI_Aint
    }
}

impl IntoAint for MPI_Aint {
    fn into_aint(self) -> MPI_Aint {
        self
    }
}

entry! {
    fn MPI_Win_create_dynamic(info: MPI_Info, comm: MPI_Comm, win: *mut MPI_Win) -> c_int {
        // SAFETY: the program passes null or the address of a window.
        unsafe { create(FUNCTION, comm, info, 1, None, win, || Ok(WindowSource::Dynamic)) }
    }

    fn MPI_Win_attach(win: MPI_Win, base: *mut c_void, size: MPI_Aint) -> c_int {
        on_win(FUNCTION, win, |engine, window| {
            engine.win_attach(window, base.cast(), bytes(size)?)
        })
    }

    fn MPI_Win_detach(win: MPI_Win, base: *const c_void) -> c_int {
        on_win(FUNCTION, win, |engine, window| engine.win_detach(window, base.cast()))
    }

    fn MPI_Win_free(win: *mut MPI_Win) -> c_int {
        // SAFETY: the program passes null or the address of a window.
        let handle = unsafe { get(win, "win") }.unwrap_or(MPI_WIN_NULL);
        on_win(FUNCTION, handle, |engine, window| {
            free(engine, window)?;
            // SAFETY: as above; it was read.
            unsafe { put(win, MPI_WIN_NULL, "win") }
        })
    }

    fn MPI_Win_get_group(win: MPI_Win, group: *mut MPI_Group) -> c_int {
        on_win(FUNCTION, win, |_, window| {
            // SAFETY: the program passes null or the address of a handle.
            unsafe { group::give(window.comm().group.clone(), group) }
        })
    }

    fn MPI_Win_set_info(win: MPI_Win, info: MPI_Info) -> c_int {
        on_win(FUNCTION, win, |_, window| set_hints(window, info))
    }

    fn MPI_Win_get_info(win: MPI_Win, info_used: *mut MPI_Info) -> c_int {
        on_win(FUNCTION, win, |_, window| {
            let hints = Info::from_pairs(&HINTS, &window.hints.borrow());
            // SAFETY: the program passes null or the address of a handle.
            unsafe { info::make(hints, info_used) }
        })
    }

    fn MPI_Win_set_name(win: MPI_Win, win_name: *const c_char) -> c_int {
        on_win(FUNCTION, win, |_, window| {
            not_null(win_name, "win_name")?;
            // SAFETY: the program passes a C string.
            set_name(window, unsafe { CStr::from_ptr(win_name) });
            Ok(())
        })
    }

    fn MPI_Win_get_name(win: MPI_Win, win_name: *mut c_char, resultlen: *mut c_int) -> c_int {
        let write = |name: &str| {
            // SAFETY: the standard requires the program to pass MPI_MAX_OBJECT_NAME characters.
            unsafe {
                put(win_name, 0, "win_name")?;
                put(resultlen, 0, "resultlen")?;
                put_string(name, win_name, resultlen);
            }
            Ok(())
        };
        // Even the null handle has a name: section 7.8.
        if win == MPI_WIN_NULL {
            return on_process(FUNCTION, |_| write("MPI_WIN_NULL"));
        }
        on_win(FUNCTION, win, |engine, _| write(&window(engine, win)?.name.borrow()))
    }
}
