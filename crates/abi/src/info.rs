//! Info objects: ordered pairs of strings (MPI 5.0, chapter 10). Any thread may use them, also
//! before `MPI_Init` and after `MPI_Finalize`, so they are stored here, behind a lock.

use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use dunlin_base::{ErrorClass, Result};
use dunlin_engine::Table;

use crate::call::finish;
use crate::convert::{error, get, made_or_full, put};
use crate::raise::Owner;
use crate::standard::constants::*;
use crate::standard::handles::{number, wrong};
use crate::standard::types::MPI_Info;

/// The kinds of memory in which buffers may be; section 11.4.3.
pub const MEMORY_KINDS: (&CStr, &CStr) = (c"mpi_memory_alloc_kinds", c"mpi,system");

/// One info object: keys in the order in which they were first set, with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Keys and values.
    pub pairs: Vec<(CString, CString)>,
}

impl Info {
    /// The pairs in `defaults`, with values replaced by those of `over`.
    pub fn from_pairs(defaults: &[(&CStr, &CStr)], over: &[(CString, CString)]) -> Info {
        let mut info = Info::default();
        for (key, value) in defaults {
            info.set(key, value);
        }
        for (key, value) in over {
            info.set(key, value);
        }
        info
    }

    /// The value of a key.
    pub fn value(&self, key: &CStr) -> Option<&CStr> {
        self.pairs.iter().find(|p| *p.0 == *key).map(|p| &*p.1)
    }

    /// Sets the value of a key.
    pub fn set(&mut self, key: &CStr, value: &CStr) {
        match self.pairs.iter_mut().find(|p| *p.0 == *key) {
            Some(pair) => pair.1 = value.to_owned(),
            None => self.pairs.push((key.to_owned(), value.to_owned())),
        }
    }

    fn delete(&mut self, key: &CStr) -> Result<()> {
        let Some(at) = self.pairs.iter().position(|p| *p.0 == *key) else {
            let text = format!("the info object has no key {}", key.to_string_lossy());
            return Err(error(ErrorClass::InfoNokey, text));
        };
        self.pairs.remove(at);
        Ok(())
    }

    /// The contents of `MPI_INFO_ENV`: how the program was started; section 11.2.1. Keys with
    /// unknown values are absent.
    fn of_start(mut arguments: VecDeque<CString>) -> Info {
        let mut info = Info::default();
        if let Some(command) = arguments.pop_front() {
            info.set(c"command", &command);
            let joined = arguments.make_contiguous().iter().map(|a| a.to_bytes());
            let joined = joined.collect::<Vec<_>>().join(&b' ');
            info.set(c"argv", &CString::new(joined).unwrap_or_default());
        }
        if let Ok(folder) = std::env::current_dir() {
            let folder = CString::new(folder.as_os_str().as_bytes());
            info.set(c"wdir", &folder.unwrap_or_default());
        }
        info.set(c"arch", &CString::new(std::env::consts::ARCH).unwrap_or_default());
        // A value that is empty, or too long for a program to fetch, is worse than none.
        info.pairs.retain(|p| !p.1.is_empty() && p.1.count_bytes() < MPI_MAX_INFO_VAL as usize);
        info
    }
}

static INFOS: LazyLock<Mutex<Table<Info>>> = LazyLock::new(Mutex::default);

/// No code panics with the lock held; if one did, the table would still be consistent.
fn infos() -> MutexGuard<'static, Table<Info>> {
    INFOS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the info object behind a handle; `MPI_INFO_NULL` is allowed.
pub fn read_or_none<R>(handle: MPI_Info, f: impl FnOnce(&Info) -> Result<R>) -> Result<R> {
    if handle == MPI_INFO_NULL { f(&Info::default()) } else { read(handle, f) }
}

/// Reads the info object behind a handle.
pub fn read<R>(handle: MPI_Info, f: impl FnOnce(&Info) -> Result<R>) -> Result<R> {
    if handle == MPI_INFO_ENV {
        static ENV: LazyLock<Info> = LazyLock::new(|| Info::of_start(process_arguments()));
        return f(&ENV);
    }
    let number = number(handle)?;
    f(infos().get(number).ok_or_else(|| wrong(handle))?)
}

/// Changes the info object behind a handle; `MPI_INFO_ENV` is read-only.
pub fn change(handle: MPI_Info, f: impl FnOnce(&mut Info) -> Result<()>) -> Result<()> {
    if handle == MPI_INFO_ENV {
        let text = "MPI_INFO_ENV cannot be changed; duplicate it and change the copy";
        return Err(error(ErrorClass::Info, text));
    }
    let number = number(handle)?;
    f(infos().get_mut(number).ok_or_else(|| wrong(handle))?)
}

fn process_arguments() -> VecDeque<CString> {
    std::env::args_os().filter_map(|a| CString::new(a.as_bytes()).ok()).collect()
}

/// Returns an info object to the program.
///
/// # Safety
/// `to` is null or points to a handle.
pub unsafe fn make(info: Info, to: *mut MPI_Info) -> Result<()> {
    let handle = made_or_full(infos().insert(info))?;
    // SAFETY: promised by the caller.
    unsafe { put(to, handle, "the new info object") }
}

/// The key that a program passes, checked.
///
/// # Safety
/// `key` is null or a C string that lives as long as the call.
unsafe fn key_of<'a>(key: *const c_char) -> Result<&'a CStr> {
    // SAFETY: promised by the caller.
    unsafe { string(key, "key", ErrorClass::InfoKey, MPI_MAX_INFO_KEY) }
}

/// # Safety
/// As for [`key_of`].
unsafe fn string<'a>(
    from: *const c_char,
    name: &str,
    class: ErrorClass,
    room: c_int,
) -> Result<&'a CStr> {
    if from.is_null() {
        return Err(error(class, format!("{name} is a null pointer; pass a string")));
    }
    // SAFETY: promised by the caller; not null.
    let string = unsafe { CStr::from_ptr(from) };
    let (length, most) = (string.count_bytes(), room as usize - 1);
    if length == 0 || length > most {
        let text = format!("{name} has {length} characters; it must have 1 to {most}");
        return Err(error(class, text));
    }
    Ok(string)
}

/// Copies as much of `value` as fits, with a final zero, into `room` characters.
///
/// # Safety
/// `to` has `room` characters.
pub unsafe fn copy(value: &CStr, to: *mut c_char, room: usize) {
    let Some(most) = room.checked_sub(1) else { return };
    let length = value.count_bytes().min(most);
    // SAFETY: at most `room` characters; the program's memory does not overlap the library's.
    unsafe {
        to.copy_from_nonoverlapping(value.as_ptr(), length);
        to.add(length).write(0);
    }
}

/// Returns the value of a key to the program: `f(value)`, and whether there is one.
///
/// # Safety
/// `key` as for [`key_of`]; `flag` is null or points to an int.
unsafe fn look_up(
    info: MPI_Info,
    key: *const c_char,
    flag: *mut c_int,
    f: impl FnOnce(&CStr) -> Result<()>,
) -> Result<()> {
    // SAFETY: promised by the caller.
    let key = unsafe { key_of(key) }?;
    let found = read(info, |i| i.value(key).map(f).transpose())?;
    // SAFETY: promised by the caller.
    unsafe { put(flag, found.is_some().into(), "flag") }
}

entry! {
    fn MPI_Info_create(info: *mut MPI_Info) -> c_int {
        // SAFETY: the program passes null or the address of a handle.
        finish(FUNCTION, Owner::None, unsafe { make(Info::default(), info) })
    }

    fn MPI_Info_create_env(argc: c_int, argv: *mut *mut c_char, info: *mut MPI_Info) -> c_int {
        let given = if argv.is_null() { 0 } else { usize::try_from(argc).unwrap_or(0) };
        // SAFETY: the program passes `argc` strings.
        let argument = |i| unsafe { CStr::from_ptr(*argv.add(i)) }.to_owned();
        let arguments = match given {
            0 => process_arguments(),
            _ => (0..given).map(argument).collect(),
        };
        // SAFETY: the program passes null or the address of a handle.
        finish(FUNCTION, Owner::None, unsafe { make(Info::of_start(arguments), info) })
    }

    fn MPI_Info_dup(info: MPI_Info, newinfo: *mut MPI_Info) -> c_int {
        let copy = read(info, |i| Ok(i.clone()));
        // SAFETY: the program passes null or the address of a handle.
        finish(FUNCTION, Owner::None, copy.and_then(|i| unsafe { make(i, newinfo) }))
    }

    fn MPI_Info_free(info: *mut MPI_Info) -> c_int {
        // SAFETY: the program passes null or the address of a handle.
        let outcome = unsafe { get(info, "info") }.and_then(|handle| {
            change(handle, |_| Ok(()))?;
            infos().remove(number(handle)?);
            // SAFETY: as above.
            unsafe { put(info, MPI_INFO_NULL, "info") }
        });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Info_set(info: MPI_Info, key: *const c_char, value: *const c_char) -> c_int {
        // SAFETY: the program passes null or strings.
        let outcome = unsafe { key_of(key) }.and_then(|key| {
            // SAFETY: as above.
            let value =
                unsafe { string(value, "value", ErrorClass::InfoValue, MPI_MAX_INFO_VAL) }?;
            change(info, |i| {
                i.set(key, value);
                Ok(())
            })
        });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Info_delete(info: MPI_Info, key: *const c_char) -> c_int {
        // SAFETY: the program passes null or a string.
        let outcome = unsafe { key_of(key) }.and_then(|key| change(info, |i| i.delete(key)));
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Info_get_nkeys(info: MPI_Info, nkeys: *mut c_int) -> c_int {
        let count = read(info, |i| Ok(i.pairs.len() as c_int));
        // SAFETY: the program passes null or the address of an int.
        finish(FUNCTION, Owner::None, count.and_then(|n| unsafe { put(nkeys, n, "nkeys") }))
    }

    fn MPI_Info_get_nthkey(info: MPI_Info, n: c_int, key: *mut c_char) -> c_int {
        let outcome = read(info, |i| {
            let nth = usize::try_from(n).ok().and_then(|n| i.pairs.get(n)).ok_or_else(|| {
                let text = format!("n is {n}, but the info object has {} keys", i.pairs.len());
                error(ErrorClass::Arg, text)
            })?;
            if key.is_null() {
                return Err(error(ErrorClass::Arg, "key is a null pointer; pass an array"));
            }
            // SAFETY: the standard requires this much space of the program; no key is longer.
            unsafe { copy(&nth.0, key, MPI_MAX_INFO_KEY as usize) };
            Ok(())
        });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Info_get_string(
        info: MPI_Info,
        key: *const c_char,
        buflen: *mut c_int,
        value: *mut c_char,
        flag: *mut c_int,
    ) -> c_int {
        // SAFETY: the program passes a string, ints, and space for `*buflen` characters.
        let outcome = unsafe { get(buflen, "buflen") }.and_then(|room| unsafe {
            look_up(info, key, flag, |found| {
                if !value.is_null() {
                    copy(found, value, usize::try_from(room).unwrap_or(0));
                }
                put(buflen, found.count_bytes() as c_int + 1, "buflen")
            })
        });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Info_get(
        info: MPI_Info,
        key: *const c_char,
        valuelen: c_int,
        value: *mut c_char,
        flag: *mut c_int,
    ) -> c_int {
        // SAFETY: the program passes a string, an int, and space for `valuelen` characters and a
        // final zero, as the deprecated function requires.
        let outcome = unsafe {
            look_up(info, key, flag, |found| {
                if !value.is_null() {
                    copy(found, value, usize::try_from(valuelen).unwrap_or(0) + 1);
                }
                Ok(())
            })
        };
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Info_get_valuelen(
        info: MPI_Info,
        key: *const c_char,
        valuelen: *mut c_int,
        flag: *mut c_int,
    ) -> c_int {
        // SAFETY: the program passes a string and ints.
        let outcome = unsafe {
            look_up(info, key, flag, |found| {
                put(valuelen, found.count_bytes() as c_int, "valuelen")
            })
        };
        finish(FUNCTION, Owner::None, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_the_order_of_their_first_setting() {
        let mut info = Info::default();
        info.set(c"b", c"1");
        info.set(c"a", c"2");
        info.set(c"b", c"3");
        let keys: Vec<&CStr> = info.pairs.iter().map(|p| &*p.0).collect();
        assert_eq!(keys, [c"b", c"a"]);
        assert_eq!(info.value(c"b"), Some(c"3"));
        info.delete(c"b").unwrap();
        assert_eq!(info.delete(c"b").unwrap_err().class, ErrorClass::InfoNokey);
    }

    #[test]
    fn the_environment_cannot_be_changed() {
        let refused = change(MPI_INFO_ENV, |_| Ok(())).unwrap_err();
        assert_eq!(refused.class, ErrorClass::Info);
        assert_eq!(read(MPI_INFO_ENV, |i| Ok(i.value(c"command").is_some())), Ok(true));
    }

    #[test]
    fn a_value_is_cut_to_the_room_there_is() {
        let mut to = [b'x' as c_char; 4];
        // SAFETY: three of the four characters are used.
        unsafe { copy(c"long", to.as_mut_ptr(), 3) };
        assert_eq!(to.map(|c| c as u8), *b"lo\0x");
    }
}
