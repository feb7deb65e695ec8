//! Operations on windows (MPI 5.0, section 12.3).

use std::ffi::{c_int, c_void};

use dunlin_base::{ErrorClass, Result};
use dunlin_datatype::reduce;
use dunlin_engine::{Engine, RequestId, Target, UserBuffer, Window};

use crate::call::on_win;
use crate::convert::{self, buffer, error, give_request};
use crate::datatype::type_object;
use crate::standard::constants::*;
use crate::standard::handles::{predefined_op, wrong};
use crate::standard::types::*;
use crate::window_fast_path::{self as fast, Here, Named};

/// The target of an operation; `None` is `MPI_PROC_NULL`.
fn target(engine: &Engine, window: &Window, named: Named) -> Result<Option<Target>> {
    let (rank, displacement, count, datatype) = named;
    let Some(rank) = convert::destination(window.comm(), rank as c_int)? else { return Ok(None) };
    let (count, displacement) = (convert::count(count)?, displacement as i64);
    let datatype = type_object(engine, datatype)?.committed()?.clone();
    Ok(Some(Target { rank, displacement, count, datatype }))
}

/// # Safety
/// The program's promises on its buffer, until the operation is complete.
unsafe fn here(engine: &Engine, (address, count, datatype): Here) -> Result<UserBuffer> {
    // SAFETY: promised by the caller.
    unsafe { buffer(engine, address, count, datatype) }
}

/// A predefined operator; accumulates take no other.
fn operator(op: MPI_Op) -> Result<reduce::Op> {
    predefined_op(op).ok_or_else(|| {
        if op == MPI_OP_NULL {
            return wrong(op);
        }
        error(ErrorClass::Op, "an accumulate takes predefined operators only, not the program's")
    })
}

/// An operation: sends itself, and gives the request of its result if it has one.
type Operation<'a> = &'a dyn Fn(&Engine, &Window, &Target) -> Result<Option<RequestId>>;

/// Begins an operation that the next synchronisation completes.
fn begin(function: &'static str, win: MPI_Win, named: &Named, operation: Operation<'_>) -> c_int {
    on_win(function, win, |engine, window| {
        let Some(target) = target(engine, window, *named)? else { return Ok(()) };
        if let Some(request) = operation(engine, window, &target)? {
            engine.leave_to_epoch(request);
        }
        Ok(())
    })
}

/// Begins an operation with a request.
///
/// # Safety
/// `request` is null or points to a request.
unsafe fn begin_request(
    function: &'static str,
    win: MPI_Win,
    named: Named,
    request: *mut MPI_Request,
    operation: Operation<'_>,
) -> c_int {
    on_win(function, win, |engine, window| {
        let start = || {
            let target = target(engine, window, named)?;
            let begun = target.map_or(Ok(None), |target| operation(engine, window, &target))?;
            Ok(begun.unwrap_or_else(|| engine.complete_on_window(window)))
        };
        // SAFETY: promised by the caller.
        unsafe { give_request(engine, request, start) }
    })
}

/// # Safety
/// The program's promises on its buffer.
unsafe fn put(
    engine: &Engine,
    window: &Window,
    from: Here,
    to: &Target,
) -> Result<Option<RequestId>> {
    // SAFETY: promised by the caller.
    engine.put(window, &unsafe { here(engine, from) }?, to)
}

/// # Safety
/// The program's promises on its buffer.
unsafe fn accumulate(
    engine: &Engine,
    window: &Window,
    from: Here,
    to: &Target,
    (op, awaits): (MPI_Op, bool),
) -> Result<Option<RequestId>> {
    if op == MPI_NO_OP {
        let text = "MPI_NO_OP is for MPI_Get_accumulate and its kin, which return what was there";
        return Err(error(ErrorClass::Op, text));
    }
    // SAFETY: promised by the caller.
    engine.accumulate(window, &unsafe { here(engine, from) }?, to, operator(op)?, awaits)
}

/// # Safety
/// The program's promises on its buffers.
unsafe fn get_accumulate(
    engine: &Engine,
    window: &Window,
    [from, into]: [Here; 2],
    to: &Target,
    op: MPI_Op,
) -> Result<Option<RequestId>> {
    let op = operator(op)?;
    // The origin's buffer means nothing to MPI_NO_OP.
    let from = match op {
        reduce::Op::NoOp => UserBuffer::EMPTY,
        // SAFETY: promised by the caller.
        _ => unsafe { here(engine, from) }?,
    };
    // SAFETY: promised by the caller.
    let into = unsafe { here(engine, into) }?;
    engine.get_accumulate(window, &from, into, to, op)
}

/// # Safety
/// The program's promises on its buffer.
#[inline(never)]
unsafe fn put_slowly(function: &'static str, asked: (Here, Named), win: MPI_Win) -> c_int {
    // SAFETY: promised by the caller.
    if unsafe { fast::send_put(asked.0, asked.1, win) }.is_some() {
        return MPI_SUCCESS;
    }
    begin(function, win, &asked.1, &|engine, window, to| {
        // SAFETY: promised by the caller.
        unsafe { put(engine, window, asked.0, to) }
    })
}

/// # Safety
/// The program's promises on its buffer.
#[inline(never)]
unsafe fn get_slowly(function: &'static str, asked: (Here, Named), win: MPI_Win) -> c_int {
    // SAFETY: promised by the caller.
    if unsafe { fast::send_get(asked.0, asked.1, win) }.is_some() {
        return MPI_SUCCESS;
    }
    begin(function, win, &asked.1, &|engine, window, from| {
        // SAFETY: promised by the caller.
        engine.get(window, unsafe { here(engine, asked.0) }?, from)
    })
}

/// # Safety
/// The program's promises on its buffer.
#[inline(never)]
unsafe fn accumulate_slowly(
    function: &'static str,
    asked: (Here, Named),
    op: MPI_Op,
    win: MPI_Win,
) -> c_int {
    // SAFETY: promised by the caller.
    if unsafe { fast::send_accumulate(asked.0, asked.1, op, win) }.is_some() {
        return MPI_SUCCESS;
    }
    begin(function, win, &asked.1, &|engine, window, to| {
        // SAFETY: promised by the caller.
        unsafe { accumulate(engine, window, asked.0, to, (op, false)) }
    })
}

/// # Safety
/// The program's promises on its buffers.
#[inline(never)]
unsafe fn fetch_and_accumulate(
    function: &'static str,
    asked: ([Here; 2], Named),
    op: MPI_Op,
    win: MPI_Win,
) -> c_int {
    // SAFETY: promised by the caller.
    let done = unsafe {
        fast::get_accumulate(asked.0, asked.1, op, win)
            .or_else(|| fast::send_get_accumulate(asked.0, asked.1, op, win))
    };
    if done.is_some() {
        return MPI_SUCCESS;
    }
    begin(function, win, &asked.1, &|engine, window, to| {
        // SAFETY: promised by the caller.
        unsafe { get_accumulate(engine, window, asked.0, to, op) }
    })
}

/// # Safety
/// The program's promises on its buffers.
#[inline(never)]
unsafe fn compare_and_swap_slowly(
    function: &'static str,
    asked: ([Here; 3], Named),
    win: MPI_Win,
) -> c_int {
    // SAFETY: promised by the caller.
    let done = unsafe {
        fast::compare_and_swap(asked.0, asked.1, win)
            .or_else(|| fast::send_compare_and_swap(asked.0, asked.1, win))
    };
    if done.is_some() {
        return MPI_SUCCESS;
    }
    begin(function, win, &asked.1, &|engine, window, to| {
        let [new, compare, into] = asked.0;
        // SAFETY: promised by the caller.
        let [new, compare, into] =
            unsafe { [here(engine, new)?, here(engine, compare)?, here(engine, into)?] };
        engine.compare_and_swap(window, [&new, &compare], into, to)
    })
}

entry_c_at_once! {
    fn MPI_Put / MPI_Put_c(
        origin_addr: *const c_void,
        origin_count: N,
        origin_datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        target_count: N,
        target_datatype: MPI_Datatype,
        win: MPI_Win,
    ) at_once {
        let from = (origin_addr, origin_count.into(), origin_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe { fast::put_word(from, named, win) }
    } {
        let from = (origin_addr, origin_count.into(), origin_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe {
            match fast::put(from, named, win) {
                Some(()) => MPI_SUCCESS,
                None => put_slowly(FUNCTION, (from, named), win),
            }
        }
    }

    fn MPI_Get / MPI_Get_c(
        origin_addr: *mut c_void,
        origin_count: N,
        origin_datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        target_count: N,
        target_datatype: MPI_Datatype,
        win: MPI_Win,
    ) at_once {
        let into = (origin_addr.cast_const(), origin_count.into(), origin_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe { fast::get_word(into, named, win) }
    } {
        let into = (origin_addr.cast_const(), origin_count.into(), origin_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe {
            match fast::get(into, named, win) {
                Some(()) => MPI_SUCCESS,
                None => get_slowly(FUNCTION, (into, named), win),
            }
        }
    }

    fn MPI_Accumulate / MPI_Accumulate_c(
        origin_addr: *const c_void,
        origin_count: N,
        origin_datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        target_count: N,
        target_datatype: MPI_Datatype,
        op: MPI_Op,
        win: MPI_Win,
    ) at_once {
        let from = (origin_addr, origin_count.into(), origin_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe { fast::accumulate_word(from, named, op, win) }
    } {
        let from = (origin_addr, origin_count.into(), origin_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe {
            match fast::accumulate(from, named, op, win) {
                Some(()) => MPI_SUCCESS,
                None => accumulate_slowly(FUNCTION, (from, named), op, win),
            }
        }
    }
}

entry_c! {
    fn MPI_Rput / MPI_Rput_c(
        origin_addr: *const c_void,
        origin_count: N,
        origin_datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        target_count: N,
        target_datatype: MPI_Datatype,
        win: MPI_Win,
        request: *mut MPI_Request,
    ) {
        let from = (origin_addr, origin_count.into(), origin_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe {
            let put_fast =
                || fast::put(from, named, win).or_else(|| fast::send_put(from, named, win));
            if fast::completed(request, put_fast).is_some() {
                return MPI_SUCCESS;
            }
            begin_request(FUNCTION, win, named, request, &|engine, window, to| {
                put(engine, window, from, to)
            })
        }
    }

    fn MPI_Rget / MPI_Rget_c(
        origin_addr: *mut c_void,
        origin_count: N,
        origin_datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        target_count: N,
        target_datatype: MPI_Datatype,
        win: MPI_Win,
        request: *mut MPI_Request,
    ) {
        let into = (origin_addr.cast_const(), origin_count.into(), origin_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe {
            if fast::completed(request, || fast::get(into, named, win)).is_some() {
                return MPI_SUCCESS;
            }
            begin_request(FUNCTION, win, named, request, &|engine, window, from| {
                engine.get(window, here(engine, into)?, from)
            })
        }
    }

    fn MPI_Raccumulate / MPI_Raccumulate_c(
        origin_addr: *const c_void,
        origin_count: N,
        origin_datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        target_count: N,
        target_datatype: MPI_Datatype,
        op: MPI_Op,
        win: MPI_Win,
        request: *mut MPI_Request,
    ) {
        let from = (origin_addr, origin_count.into(), origin_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe {
            let accumulate_fast = || {
                fast::accumulate(from, named, op, win)
                    .or_else(|| fast::send_accumulate(from, named, op, win))
            };
            if fast::completed(request, accumulate_fast).is_some() {
                return MPI_SUCCESS;
            }
            begin_request(FUNCTION, win, named, request, &|engine, window, to| {
                accumulate(engine, window, from, to, (op, true))
            })
        }
    }

    fn MPI_Get_accumulate / MPI_Get_accumulate_c(
        origin_addr: *const c_void,
        origin_count: N,
        origin_datatype: MPI_Datatype,
        result_addr: *mut c_void,
        result_count: N,
        result_datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        target_count: N,
        target_datatype: MPI_Datatype,
        op: MPI_Op,
        win: MPI_Win,
    ) {
        let from = (origin_addr, origin_count.into(), origin_datatype);
        let into = (result_addr.cast_const(), result_count.into(), result_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe {
            fetch_and_accumulate(FUNCTION, ([from, into], named), op, win)
        }
    }

    fn MPI_Rget_accumulate / MPI_Rget_accumulate_c(
        origin_addr: *const c_void,
        origin_count: N,
        origin_datatype: MPI_Datatype,
        result_addr: *mut c_void,
        result_count: N,
        result_datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        target_count: N,
        target_datatype: MPI_Datatype,
        op: MPI_Op,
        win: MPI_Win,
        request: *mut MPI_Request,
    ) {
        let from = (origin_addr, origin_count.into(), origin_datatype);
        let into = (result_addr.cast_const(), result_count.into(), result_datatype);
        let named = (target_rank.into(), target_disp, target_count.into(), target_datatype);
        // SAFETY: the program's promises.
        unsafe {
            let operation = || fast::get_accumulate([from, into], named, op, win);
            if fast::completed(request, operation).is_some() {
                return MPI_SUCCESS;
            }
            begin_request(FUNCTION, win, named, request, &|engine, window, to| {
                get_accumulate(engine, window, [from, into], to, op)
            })
        }
    }
}

entry_at_once! {
    fn MPI_Fetch_and_op(
        origin_addr: *const c_void,
        result_addr: *mut c_void,
        datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        op: MPI_Op,
        win: MPI_Win,
    ) at_once {
        let into = (result_addr.cast_const(), 1, datatype);
        let named = (target_rank.into(), target_disp, 1, datatype);
        // SAFETY: the program's promises.
        unsafe { fast::fetch_and_op_word(origin_addr, into, named, op, win) }
    } {
        let both = [(origin_addr, 1, datatype), (result_addr.cast_const(), 1, datatype)];
        let named = (target_rank.into(), target_disp, 1, datatype);
        // SAFETY: the program's promises.
        unsafe { fetch_and_accumulate(FUNCTION, (both, named), op, win) }
    }

    fn MPI_Compare_and_swap(
        origin_addr: *const c_void,
        compare_addr: *const c_void,
        result_addr: *mut c_void,
        datatype: MPI_Datatype,
        target_rank: c_int,
        target_disp: MPI_Aint,
        win: MPI_Win,
    ) at_once {
        let into = (result_addr.cast_const(), 1, datatype);
        let named = (target_rank.into(), target_disp, 1, datatype);
        // SAFETY: the program's promises.
        unsafe { fast::compare_and_swap_word([origin_addr, compare_addr], into, named, win) }
    } {
        let addresses = [origin_addr, compare_addr, result_addr.cast_const()];
        let all = addresses.map(|address| (address, 1, datatype));
        let named = (target_rank.into(), target_disp, 1, datatype);
        // SAFETY: the program's promises.
        unsafe { compare_and_swap_slowly(FUNCTION, (all, named), win) }
    }
}
