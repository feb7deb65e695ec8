//! PMIx, through the library that speaks it, loaded when it is needed: the one that the launcher
//! itself uses if we may see which that is, else the system's.

mod abi;

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};

use dunlin_base::{Error, ErrorClass, Result};

use crate::Pmi;
use abi::{Bytes, Exports, Info, Proc, RANK_WILDCARD, SUCCESS, Value, ValueData};

/// The names a library of PMIx goes by.
const NAMES: [&str; 2] = ["libpmix.so.2", "libpmix.so"];
/// Processes between a rank and its launcher, both included: scripts that start each other.
const ANCESTORS_MAX: usize = 16;

/// A rank that a launcher with PMIx started.
pub struct Pmix {
    exports: Exports,
    me: Proc,
    job: String,
    size: usize,
}

impl std::fmt::Debug for Pmix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} of {} by PMIx", self.me.rank, self.size)
    }
}

fn failed(text: String) -> Error {
    Error::new(ErrorClass::Other, text)
}

impl Pmix {
    /// Loads the library and greets the launcher. `named` is the file the user wants.
    pub fn greet(named: Option<&str>) -> Result<Pmix> {
        let exports = load(named)?;
        let mut me = Proc::default();
        // SAFETY: `me` is written; there is no further information.
        let status = unsafe { (exports.init)(&raw mut me, null(), 0) };
        let mut pmix = Pmix { exports, me, job: String::new(), size: 0 };
        if status != SUCCESS {
            let says = pmix.says(status);
            return Err(failed(format!(
                "PMIX_NAMESPACE and PMIX_RANK are set, but no launcher answers PMIx_Init ({says}): \
                 it has gone, or the variables are left over from another job, or DUNLIN_LIBPMIX \
                 must name the library that the launcher uses; or use Dunlin's mpirun"
            )));
        }
        pmix.job = pmix.me.job();
        pmix.size =
            pmix.about_all(c"pmix.job.size")?.and_then(|value| value.number()).ok_or_else(|| {
                failed("the launcher does not say by PMIx how many ranks the job has".into())
            })? as usize;
        Ok(pmix)
    }

    fn says(&self, status: i32) -> String {
        // SAFETY: the library returns a string of its own for any number, or nothing.
        let text = unsafe { (self.exports.error_string)(status) };
        if text.is_null() {
            return format!("error {status}");
        }
        // SAFETY: as above.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    fn check(&self, status: i32, function: &str) -> Result<()> {
        if status == SUCCESS {
            return Ok(());
        }
        let says = self.says(status);
        Err(failed(format!("the launcher that started this rank answers {says} to {function}")))
    }

    fn about_all(&self, key: &CStr) -> Result<Option<Answer>> {
        self.ask(RANK_WILDCARD, key)
    }

    fn ask(&self, rank: u32, key: &CStr) -> Result<Option<Answer>> {
        let proc = Proc { rank, ..self.me };
        let mut value = null_mut();
        // SAFETY: name and key are strings, and `value` takes what the library makes.
        let status =
            unsafe { (self.exports.get)(&raw const proc, key.as_ptr(), null(), 0, &raw mut value) };
        if abi::NOT_ASKED.contains(&status) {
            self.check(status, "PMIx_Get")?;
        }
        if status != SUCCESS || value.is_null() {
            // Which number says that there is none differs between libraries.
            return Ok(None);
        }
        Ok(Some(Answer(value)))
    }
}

/// A value that the library made and we free.
struct Answer(*mut Value);

impl Answer {
    fn number(&self) -> Option<u32> {
        // SAFETY: the value is whole until it is dropped, and its type says what is in it.
        unsafe {
            let value = &*self.0;
            value.is_number().then_some(value.data.number)
        }
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        // SAFETY: as above; the library says how many bytes there are.
        unsafe {
            let value = &*self.0;
            if value.kind != abi::BYTE_OBJECT {
                return None;
            }
            let Bytes { at, len } = value.data.bytes;
            if at.is_null() {
                return Some(Vec::new());
            }
            Some(std::slice::from_raw_parts(at.cast::<u8>(), len).to_vec())
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // SAFETY: the library takes both from the system's allocator and gives them to us; of a
        // kind we did not ask for the inner part is leaked rather than guessed at.
        unsafe {
            if matches!((*self.0).kind, abi::BYTE_OBJECT | abi::STRING) {
                libc::free((*self.0).data.bytes.at.cast_mut().cast::<c_void>());
            }
            libc::free(self.0.cast::<c_void>());
        }
    }
}

fn c_key(key: &str) -> Result<CString> {
    CString::new(key).map_err(|_| failed(format!("`{key}` is no key")))
}

impl Pmi for Pmix {
    fn name(&self) -> &'static str {
        "PMIx"
    }

    fn rank(&self) -> usize {
        self.me.rank as usize
    }

    fn size(&self) -> usize {
        self.size
    }

    fn job(&self) -> &str {
        &self.job
    }

    fn nodes(&mut self) -> Result<Option<Vec<u32>>> {
        let mut nodes = Vec::with_capacity(self.size);
        for rank in 0..self.size as u32 {
            match self.ask(rank, c"pmix.nodeid")?.and_then(|value| value.number()) {
                Some(node) => nodes.push(node),
                None => return Ok(None),
            }
        }
        Ok(Some(nodes))
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
        let key = c_key(key)?;
        let bytes = Bytes { at: value.as_ptr().cast::<c_char>(), len: value.len() };
        let mut value = Value { kind: abi::BYTE_OBJECT, data: ValueData { bytes } };
        // SAFETY: the library copies key and value.
        let status = unsafe { (self.exports.put)(abi::GLOBAL, key.as_ptr(), &raw mut value) };
        self.check(status, "PMIx_Put")?;
        // SAFETY: takes nothing.
        let status = unsafe { (self.exports.commit)() };
        self.check(status, "PMIx_Commit")
    }

    fn fence(&mut self) -> Result<()> {
        // Values travel with the fence. Launchers are less at home with fetching each when somebody
        // asks for it: Slurm 22.05 does not always find it then.
        let collect = Info::so(c"pmix.collect");
        // SAFETY: nobody named means all ranks of the job; the one wish outlives the call.
        let status = unsafe { (self.exports.fence)(null(), 0, &raw const collect, 1) };
        self.check(status, "PMIx_Fence")
    }

    fn get(&mut self, from: usize, key: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.ask(from as u32, &c_key(key)?)?.and_then(|value| value.bytes()))
    }

    fn abort(&mut self, code: i32, why: &str) {
        let why = CString::new(why.replace('\0', " ")).unwrap_or_default();
        // SAFETY: a string, and nobody named: all ranks of the job. Should it fail, the caller ends
        // anyhow.
        unsafe { (self.exports.abort)(code, why.as_ptr(), null_mut(), 0) };
    }

    fn finalize(&mut self) -> Result<()> {
        // SAFETY: no information, and nothing is asked of the library afterwards.
        let status = unsafe { (self.exports.finalize)(null(), 0) };
        self.check(status, "PMIx_Finalize")
    }
}

/// The library: what the user named, or what the launcher has loaded, or what the system has.
fn load(named: Option<&str>) -> Result<Exports> {
    let of_launcher = || ancestors().find_map(|pid| library_in(&proc_file(pid, "maps")?));
    let first = named.map(str::to_string).or_else(of_launcher);
    let names = first.into_iter().chain(NAMES.iter().map(|name| name.to_string()));
    let mut last = String::new();
    for name in names.take(if named.is_some() { 1 } else { usize::MAX }) {
        match abi::load(&name) {
            Ok(exports) => return Ok(exports),
            Err(text) => last = text,
        }
    }
    Err(failed(format!(
        "this rank was started by a launcher that speaks PMIx, but no library of it can be loaded \
         ({last}); install libpmix, or name its file in DUNLIN_LIBPMIX"
    )))
}

/// Our parent, its parent and so on: the launcher may have started us by a script.
fn ancestors() -> impl Iterator<Item = u32> {
    let parent = std::os::unix::process::parent_id();
    std::iter::successors(Some(parent), |&pid| parent_in(&proc_file(pid, "stat")?))
        .take(ANCESTORS_MAX)
}

/// What the kernel says of a process, if we may know.
fn proc_file(pid: u32, name: &str) -> Option<String> {
    std::fs::read_to_string(format!("/proc/{pid}/{name}")).ok()
}

/// The parent of a process by its `stat`: `PID (NAME) STATE PARENT ...`, where a name may hold
/// brackets and spaces; `None` where it has none.
fn parent_in(stat: &str) -> Option<u32> {
    let parent = stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()?;
    (parent > 0).then_some(parent)
}

/// The library of PMIx among what a process has mapped.
fn library_in(maps: &str) -> Option<String> {
    let files = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
    let is_pmix =
        |file: &&str| file.rsplit('/').next().is_some_and(|n| n.starts_with("libpmix.so"));
    files.filter(|file| !file.ends_with(" (deleted)")).find(is_pmix).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_begin_with_the_parent() {
        assert_eq!(parent_in("7 (sh) S 5 7 7"), Some(5));
        assert_eq!(parent_in("7 (a) b (c) R 1 7 7"), Some(1));
        assert_eq!(parent_in("1 (init) S 0 1 1"), None);
        assert_eq!(parent_in(""), None);
        assert_eq!(ancestors().next(), Some(std::os::unix::process::parent_id()));
    }

    #[test]
    fn the_launchers_library_is_found_among_its_maps() {
        let maps = "7f0-7f1 r-xp 00000000 fe:00 1 /usr/lib/libc.so.6\n\
                    7f1-7f2 r--p 00000000 fe:00 2 /opt/a b/libpmix.so.2.13.1\n\
                    7f2-7f3 rw-p 00000000 00:00 0\n";
        assert_eq!(library_in(maps).as_deref(), Some("/opt/a b/libpmix.so.2.13.1"));
        assert_eq!(library_in("7f0-7f1 r-xp 0 0 1 /lib/libpmix.so.2 (deleted)\n"), None);
        assert_eq!(library_in(""), None);
    }

    #[test]
    fn a_library_that_is_not_there_is_named() {
        let text = Pmix::greet(Some("/nowhere/libpmix.so")).unwrap_err().to_string();
        assert!(text.contains("/nowhere/libpmix.so") && text.contains("DUNLIN_LIBPMIX"), "{text}");
    }
}
