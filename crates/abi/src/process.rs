//! Initialising and finalising MPI, and inquiries about this process (MPI 5.0, sections 9.1, 9.5,
//! 11.2, 11.4 and 11.6).

use std::ffi::{c_char, c_int};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread::ThreadId;

use dunlin_base::{ErrorClass, Result};
use dunlin_engine::inquiry::comm::{RANK, SIZE};
use dunlin_engine::inquiry::is_running;
use dunlin_engine::{SELF, end_forked, enter, is_for_threads, is_forked, is_threaded, open};
use dunlin_engine::{set_threaded, settle_vcis};
use parking_lot::Mutex;

use crate::call::{finish, is_called_back, on_comm, on_process};
use crate::convert::{error, put};
use crate::environment::put_string;
use crate::inquiry::{self, answer};
use crate::raise::{Owner, fatal};
use crate::standard::constants::*;
use crate::standard::types::*;
use crate::thread_misuse;

static THREAD_LEVEL: AtomicI32 = AtomicI32::new(MPI_THREAD_SINGLE);
static MAIN_THREAD: OnceLock<ThreadId> = OnceLock::new();
thread_local! {
    /// Cached: the standard library counts a reference at each request.
    static THREAD: ThreadId = std::thread::current().id();
}
/// Held while the engine is created, until it has its thread level.
static BEGINNING: Mutex<()> = Mutex::new(());
/// Whether the world model was initialised, and finalised.
static INITIALIZED: AtomicBool = AtomicBool::new(false);
static FINALIZED: AtomicBool = AtomicBool::new(false);

/// Adds the world model or a session as a user at a thread level; all four levels are provided as
/// requested, but for the highest within a callback.
pub fn begin(required: c_int) -> Result<c_int> {
    // A call that has called the program back began without a lock, and cannot get one any more.
    let is_too_late = is_called_back() && !is_threaded();
    let most = if is_too_late { MPI_THREAD_SERIALIZED } else { MPI_THREAD_MULTIPLE };
    let mut level = required.clamp(MPI_THREAD_SINGLE, most);
    // Several threads may each begin a session at once. A forked process has one thread, and no
    // thread there could release a lock that another held at the fork.
    let _one_at_a_time = (!is_forked()).then(|| BEGINNING.lock());
    // SAFETY: a program that requests less than MPI_THREAD_MULTIPLE promises that one thread at a
    // time calls MPI; one that requests that level gets it before this returns.
    unsafe { open()? };
    if is_for_threads() {
        level = most;
    }
    thread_misuse::explain();
    if level == MPI_THREAD_MULTIPLE && !is_threaded() {
        set_threaded();
    }
    settle_vcis(level == MPI_THREAD_MULTIPLE);
    // A second user of MPI does not lower the level that the first one got.
    THREAD_LEVEL.fetch_max(level, Ordering::Relaxed);
    MAIN_THREAD.get_or_init(|| std::thread::current().id());
    Ok(level)
}

/// The highest level that a user in this process got.
pub fn thread_level() -> c_int {
    THREAD_LEVEL.load(Ordering::Relaxed)
}

/// Initialises the world model.
fn begin_world(function: &'static str, required: c_int) -> c_int {
    let begun = match INITIALIZED.swap(true, Ordering::AcqRel) {
        true if !is_forked() => {
            Err(error(ErrorClass::Other, "MPI was initialised before; it can be once"))
        }
        _ => begin(required),
    };
    begun.unwrap_or_else(|error| fatal(function, &error))
}

/// Writes a flag that a program may request at any time.
///
/// # Safety
/// `flag` is null or points to an int.
unsafe fn tell(function: &'static str, flag: *mut c_int, value: bool) -> c_int {
    // SAFETY: promised by the caller.
    finish(function, Owner::None, unsafe { put(flag, value.into(), "flag") })
}

fn host_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(ask_host_name)
}

fn ask_host_name() -> String {
    let mut bytes = [0u8; MPI_MAX_PROCESSOR_NAME as usize];
    // SAFETY: the buffer is local; one byte remains for the final zero.
    unsafe { libc::gethostname(bytes.as_mut_ptr().cast(), bytes.len() - 1) };
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

entry! {
    // The program's arguments are not used: the library has none there.
    fn MPI_Init(_argc: *mut c_int, _argv: *mut *mut *mut c_char) -> c_int {
        begin_world(FUNCTION, MPI_THREAD_SINGLE);
        MPI_SUCCESS
    }

    fn MPI_Init_thread(
        _argc: *mut c_int,
        _argv: *mut *mut *mut c_char,
        required: c_int,
        provided: *mut c_int,
    ) -> c_int {
        let level = begin_world(FUNCTION, required);
        // SAFETY: the program passes null or the address of an int.
        finish(FUNCTION, Owner::None, unsafe { put(provided, level, "provided") })
    }

    fn MPI_Finalize() -> c_int {
        // Exit handlers and destructors call it, also in a forked process, where there is nothing
        // to finalise.
        if is_forked() {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            if !INITIALIZED.load(Ordering::Acquire) || FINALIZED.load(Ordering::Acquire) {
                let text = "MPI_Finalize ends what MPI_Init began; end a session with \
                            MPI_Session_finalize";
                return Err(error(ErrorClass::Other, text));
            }
            // Delete functions of its attributes run first, while MPI still works; section 11.2.4.
            engine.comm(SELF)?.attributes.delete_all(SELF)?;
            engine.close();
            FINALIZED.store(true, Ordering::Release);
            Ok(())
        })
    }

    fn MPI_Initialized(flag: *mut c_int) -> c_int {
        // SAFETY: the program passes null or the address of an int.
        unsafe { tell(FUNCTION, flag, INITIALIZED.load(Ordering::Acquire)) }
    }

    fn MPI_Finalized(flag: *mut c_int) -> c_int {
        // SAFETY: the program passes null or the address of an int.
        unsafe { tell(FUNCTION, flag, FINALIZED.load(Ordering::Acquire) || is_forked()) }
    }

    fn MPI_Query_thread(provided: *mut c_int) -> c_int {
        let level = thread_level();
        // SAFETY: the program passes null or the address of an int.
        if is_running() && unsafe { answer(provided, level) } {
            return MPI_SUCCESS;
        }
        // SAFETY: as above.
        on_process(FUNCTION, |_| unsafe { put(provided, level, "provided") })
    }

    fn MPI_Is_thread_main(flag: *mut c_int) -> c_int {
        let is_main = THREAD.with(|thread| MAIN_THREAD.get() == Some(thread));
        // SAFETY: the program passes null or the address of an int.
        if is_running() && unsafe { answer(flag, is_main.into()) } {
            return MPI_SUCCESS;
        }
        // SAFETY: as above.
        on_process(FUNCTION, |_| unsafe { put(flag, is_main.into(), "flag") })
    }

    fn MPI_Abort(comm: MPI_Comm, errorcode: c_int) -> c_int {
        let _ = comm;
        match enter(FUNCTION) {
            Ok(engine) => engine.abort(errorcode),
            Err(error) if is_forked() => {
                dunlin_engine::say(&format!("{FUNCTION}: {error}; its parent goes on"));
                end_forked(errorcode)
            }
            Err(_) => std::process::exit(errorcode),
        }
    }

    fn MPI_Get_processor_name(name: *mut c_char, resultlen: *mut c_int) -> c_int {
        on_process(FUNCTION, |_| {
            // SAFETY: the standard requires MPI_MAX_PROCESSOR_NAME characters of the program.
            unsafe {
                put(resultlen, 0, "resultlen")?;
                put(name, 0, "name")?;
                put_string(host_name(), name, resultlen);
            }
            Ok(())
        })
    }

    fn MPI_Comm_rank(comm: MPI_Comm, rank: *mut c_int) -> c_int {
        let known = inquiry::comm(comm);
        // SAFETY: the program passes null or the address of an int.
        if known.is_some_and(|known| unsafe { answer(rank, known.get(RANK) as c_int) }) {
            return MPI_SUCCESS;
        }
        // SAFETY: as above.
        on_comm(FUNCTION, comm, |_, comm| unsafe { put(rank, comm.rank as c_int, "rank") })
    }

    fn MPI_Comm_size(comm: MPI_Comm, size: *mut c_int) -> c_int {
        let known = inquiry::comm(comm);
        // SAFETY: the program passes null or the address of an int.
        if known.is_some_and(|known| unsafe { answer(size, known.get(SIZE) as c_int) }) {
            return MPI_SUCCESS;
        }
        // SAFETY: as above.
        on_comm(FUNCTION, comm, |_, comm| unsafe { put(size, comm.size() as c_int, "size") })
    }
}
