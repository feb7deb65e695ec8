//! Synchronisation on windows (MPI 5.0, section 12.5).

use std::ffi::c_int;

use dunlin_base::{ErrorClass, Rank, Result};
use dunlin_engine::{LockKind, Window, ranks_in_window};

use crate::call::on_win;
use crate::convert::{self, error, put};
use crate::group::with_group;
use crate::standard::constants::*;
use crate::standard::types::*;
use crate::window_fast_path as fast;

/// Checks the bits of an assertion against those that the call knows.
fn check_assert(given: c_int, known: c_int) -> Result<()> {
    let every = MPI_MODE_NOCHECK
        | MPI_MODE_NOSTORE
        | MPI_MODE_NOPUT
        | MPI_MODE_NOPRECEDE
        | MPI_MODE_NOSUCCEED;
    if given & !every == 0 {
        return Ok(());
    }
    let text =
        format!("assert is {given}; this call knows the bits {known:#x}, and 0 is no promise");
    Err(error(ErrorClass::Assert, text))
}

fn lock_kind(kind: c_int) -> Result<LockKind> {
    match kind {
        MPI_LOCK_SHARED => Ok(LockKind::Shared),
        MPI_LOCK_EXCLUSIVE => Ok(LockKind::Exclusive),
        _ => {
            let text =
                format!("lock_type is {kind}; it must be MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE");
            Err(error(ErrorClass::Locktype, text))
        }
    }
}

fn rank(window: &Window, rank: c_int) -> Result<Option<Rank>> {
    convert::destination(window.comm(), rank)
}

/// The ranks in the window of a group's processes.
fn ranks(window: &Window, handle: MPI_Group) -> Result<Vec<Rank>> {
    with_group(handle, |group| ranks_in_window(window, group.members()))
}

// What the fast paths leave over stands in functions of its own: within the entry points it made
// the fast paths save registers and arguments for it.

#[inline(never)]
fn lock_slowly(
    function: &'static str,
    lock_type: c_int,
    rank: c_int,
    assert: c_int,
    win: MPI_Win,
) -> c_int {
    on_win(function, win, |engine, window| {
        let kind = lock_kind(lock_type)?;
        check_assert(assert, MPI_MODE_NOCHECK)?;
        let Some(rank) = self::rank(window, rank)? else { return Ok(()) };
        engine.win_lock(window, rank, kind, assert & MPI_MODE_NOCHECK == 0)
    })
}

#[inline(never)]
fn unlock_slowly(function: &'static str, rank: c_int, win: MPI_Win) -> c_int {
    if fast::settle_and_unlock(rank, win).is_some() {
        return MPI_SUCCESS;
    }
    on_win(function, win, |engine, window| match self::rank(window, rank)? {
        Some(rank) => engine.win_unlock(window, rank),
        None => Ok(()),
    })
}

#[inline(never)]
fn flush_slowly(function: &'static str, rank: c_int, win: MPI_Win) -> c_int {
    if fast::settle_and_flush(rank, win).is_some() {
        return MPI_SUCCESS;
    }
    on_win(function, win, |engine, window| match self::rank(window, rank)? {
        Some(rank) => engine.win_flush(window, Some(rank)),
        None => Ok(()),
    })
}

#[inline(never)]
fn flush_local_slowly(function: &'static str, rank: c_int, win: MPI_Win) -> c_int {
    if fast::flush_local_uncached(rank, win).is_some() {
        return MPI_SUCCESS;
    }
    on_win(function, win, |engine, window| match self::rank(window, rank)? {
        Some(rank) => engine.win_flush_local(window, Some(rank)),
        None => Ok(()),
    })
}

#[inline(never)]
fn flush_all_slowly(function: &'static str, win: MPI_Win) -> c_int {
    if fast::settle_and_flush_all(win).is_some() {
        return MPI_SUCCESS;
    }
    on_win(function, win, |engine, window| engine.win_flush(window, None))
}

#[inline(never)]
fn flush_local_all_slowly(function: &'static str, win: MPI_Win) -> c_int {
    if fast::flush_all_uncached(win).is_some() {
        return MPI_SUCCESS;
    }
    on_win(function, win, |engine, window| engine.win_flush_local(window, None))
}

#[inline(never)]
fn sync_slowly(function: &'static str, win: MPI_Win) -> c_int {
    if fast::sync_uncached(win).is_some() {
        return MPI_SUCCESS;
    }
    on_win(function, win, |engine, window| {
        engine.win_sync(window);
        Ok(())
    })
}

entry! {
    fn MPI_Win_fence(assert: c_int, win: MPI_Win) -> c_int {
        on_win(FUNCTION, win, |engine, window| {
            let known =
                MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
            check_assert(assert, known)?;
            engine.win_fence(window, assert & MPI_MODE_NOSUCCEED == 0)
        })
    }

    fn MPI_Win_post(group: MPI_Group, assert: c_int, win: MPI_Win) -> c_int {
        on_win(FUNCTION, win, |engine, window| {
            check_assert(assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT)?;
            engine.win_post(window, ranks(window, group)?)
        })
    }

    fn MPI_Win_start(group: MPI_Group, assert: c_int, win: MPI_Win) -> c_int {
        on_win(FUNCTION, win, |engine, window| {
            check_assert(assert, MPI_MODE_NOCHECK)?;
            engine.win_start(window, ranks(window, group)?)
        })
    }

    fn MPI_Win_complete(win: MPI_Win) -> c_int {
        on_win(FUNCTION, win, |engine, window| engine.win_complete(window))
    }

    fn MPI_Win_wait(win: MPI_Win) -> c_int {
        on_win(FUNCTION, win, |engine, window| engine.win_wait(window))
    }

    fn MPI_Win_test(win: MPI_Win, flag: *mut c_int) -> c_int {
        on_win(FUNCTION, win, |engine, window| {
            convert::not_null(flag, "flag")?;
            let is_over = engine.win_test(window)?;
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(flag, is_over.into(), "flag") }
        })
    }

    fn MPI_Win_lock(lock_type: c_int, rank: c_int, assert: c_int, win: MPI_Win) -> c_int {
        match fast::lock(lock_type, rank, assert, win) {
            Some(()) => MPI_SUCCESS,
            None => lock_slowly(FUNCTION, lock_type, rank, assert, win),
        }
    }

    fn MPI_Win_lock_all(assert: c_int, win: MPI_Win) -> c_int {
        // Both take a lock for each process, so what they save beside that does not count.
        if fast::lock_all(assert, win).is_some() {
            return MPI_SUCCESS;
        }
        on_win(FUNCTION, win, |engine, window| {
            check_assert(assert, MPI_MODE_NOCHECK)?;
            engine.win_lock_all(window, assert & MPI_MODE_NOCHECK == 0)
        })
    }

    fn MPI_Win_unlock(rank: c_int, win: MPI_Win) -> c_int {
        match fast::unlock(rank, win) {
            Some(()) => MPI_SUCCESS,
            None => unlock_slowly(FUNCTION, rank, win),
        }
    }

    fn MPI_Win_unlock_all(win: MPI_Win) -> c_int {
        if fast::unlock_all(win).is_some() {
            return MPI_SUCCESS;
        }
        on_win(FUNCTION, win, |engine, window| engine.win_unlock_all(window))
    }

    fn MPI_Win_flush(rank: c_int, win: MPI_Win) -> c_int {
        match fast::flush(rank, win) {
            Some(()) => MPI_SUCCESS,
            None => flush_slowly(FUNCTION, rank, win),
        }
    }

    fn MPI_Win_flush_all(win: MPI_Win) -> c_int {
        match fast::flush_all(win) {
            Some(()) => MPI_SUCCESS,
            None => flush_all_slowly(FUNCTION, win),
        }
    }

    fn MPI_Win_flush_local(rank: c_int, win: MPI_Win) -> c_int {
        match fast::flush_local(rank, win) {
            Some(()) => MPI_SUCCESS,
            None => flush_local_slowly(FUNCTION, rank, win),
        }
    }

    fn MPI_Win_flush_local_all(win: MPI_Win) -> c_int {
        match fast::flush_local_all(win) {
            Some(()) => MPI_SUCCESS,
            None => flush_local_all_slowly(FUNCTION, win),
        }
    }

    fn MPI_Win_sync(win: MPI_Win) -> c_int {
        match fast::sync(win) {
            Some(()) => MPI_SUCCESS,
            None => sync_slowly(FUNCTION, win),
        }
    }
}
