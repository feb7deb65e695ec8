//! Which of Dunlin's libraries the ranks of a program get: of the ABI that the program was built
//! for, or of that which the user names. It is put before others by variables of the loader.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use dunlin_linkage::{Abi, Dynamic, Object, Objects, is_same};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, STATUS_NOT_RUNNABLE};

const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";
const PRELOAD: &str = "LD_PRELOAD";
/// By these mpi4py's wheel is told its library, or the ABI of that which it will find.
const MPI4PY_LIBRARY: &str = "MPI4PY_LIBMPI";
const MPI4PY_ABI: &str = "MPI4PY_MPIABI";
/// Part of the names of libraries for C++, which only call the functions for C.
const CXX: &[u8] = b"cxx";

/// What the user asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Choice {
    /// The ABI that the program was built for.
    Auto,
    /// The libraries of one ABI, also for scripts.
    Standard,
    /// See [`Abi::Mpich`].
    Mpich,
    /// See [`Abi::OpenMpi`].
    OpenMpi,
    /// Whatever the loader finds.
    None,
}

impl Choice {
    /// The words for it.
    pub const WORDS: &[(&str, Choice)] = &[
        ("auto", Choice::Auto),
        ("standard", Choice::Standard),
        ("mpich", Choice::Mpich),
        ("openmpi", Choice::OpenMpi),
        ("none", Choice::None),
    ];

    fn forced(self) -> Option<Abi> {
        match self {
            Choice::Standard => Some(Abi::Standard),
            Choice::Mpich => Some(Abi::Mpich),
            Choice::OpenMpi => Some(Abi::OpenMpi),
            Choice::Auto | Choice::None => None,
        }
    }
}

/// What is done for a program.
#[derive(Debug, PartialEq, Eq)]
pub enum Service {
    /// Nothing: it runs with what the loader finds.
    Nothing,
    /// Nothing, because this library, which it needs, is not among Dunlin's.
    Lacks(OsString),
    /// The libraries of an ABI come first.
    Folder {
        /// The ABI.
        abi: Abi,
        /// Where they are.
        folder: PathBuf,
        /// Those that the program would find elsewhere all the same.
        preload: Vec<PathBuf>,
    },
    /// Its file does not ask for MPI, as those of scripts and interpreters: what they start or load
    /// finds the libraries of either other ABI first.
    Script {
        /// Where these are.
        folders: Vec<PathBuf>,
        /// The library that mpi4py's wheel is told, which looks elsewhere first.
        mpi4py: Option<PathBuf>,
    },
}

/// The folder of libraries of the installation that this program belongs to.
pub fn lib() -> Option<PathBuf> {
    let me = std::env::current_exe().ok()?.canonicalize().ok()?;
    Some(me.parent()?.parent()?.join("lib"))
}

/// Chooses what is done for a program, given its variables.
pub fn choose(
    choice: Choice,
    lib: &Path,
    program: &Path,
    env: impl Fn(&str) -> Option<OsString>,
) -> Result<Service, Failure> {
    if let Some(abi) = choice.forced() {
        let missing = || missing(abi, lib);
        let folder = abi.installed(lib).ok_or_else(missing)?;
        let with_folder = path_first(&folder, &env);
        let objects = Objects::of(program, with_folder).map_or(Vec::new(), |objects| objects.0);
        let mut preload = elsewhere(&objects, abi, &folder).unwrap_or_default();
        if !objects.iter().skip(1).any(|object| Abi::of(&object.name).is_some()) {
            // A script or an interpreter: what it starts or loads may look elsewhere first. R puts
            // the system's libraries before all others of the library path.
            preload.push(folder.join(abi.library()));
        }
        return Ok(Service::Folder { abi, folder, preload });
    }
    if choice == Choice::None {
        return Ok(Service::Nothing);
    }
    // Most programs are linked with MPI themselves; the libraries of others are many.
    let direct = Dynamic::read_file(program);
    let direct = direct.iter().flat_map(|d| &d.needed).find_map(|name| Abi::of(name));
    let deep = || {
        let objects = Objects::of(program, &env)?;
        objects.0.iter().skip(1).find_map(|object| Abi::of(&object.name))
    };
    let Some(abi) = direct.or_else(deep) else { return Ok(for_script(lib, env)) };
    let Some(folder) = abi.installed(lib) else { return Ok(Service::Nothing) };
    if abi == Abi::Standard {
        return Ok(for_standard(folder, program, env));
    }
    let Some(objects) = Objects::of(program, path_first(&folder, &env)) else {
        return Ok(Service::Nothing);
    };
    Ok(match elsewhere(&objects.0, abi, &folder) {
        Ok(preload) => Service::Folder { abi, folder, preload },
        Err(library) => Service::Lacks(library),
    })
}

/// A program for the standard ABI runs with the library that it finds, and with ours where it finds
/// none: tools that link by themselves, such as cargo, drop the path that `mpicc` gives to it.
fn for_standard(
    folder: PathBuf,
    program: &Path,
    env: impl Fn(&str) -> Option<OsString>,
) -> Service {
    let abi = Abi::Standard;
    let is_lost = |object: &Object| object.file.is_none() && Abi::of(&object.name) == Some(abi);
    match Objects::of(program, env).is_some_and(|objects| objects.0.iter().any(is_lost)) {
        true => Service::Folder { abi, folder, preload: Vec::new() },
        false => Service::Nothing,
    }
}

fn missing(abi: Abi, lib: &Path) -> Failure {
    let (name, file) = (abi.name(), abi.folder(lib).join(abi.library()));
    let text = format!("--abi is {name}, but `{}` is not there", file.display());
    Failure { text, status: STATUS_NOT_RUNNABLE }
}

/// The variables with a folder before all others of the library path.
fn path_first(
    folder: &Path,
    env: impl Fn(&str) -> Option<OsString>,
) -> impl Fn(&str) -> Option<OsString> {
    move |name| match name {
        LIBRARY_PATH => Some(listed(folder.as_os_str(), env(name))),
        _ => env(name),
    }
}

/// A list with something new at its begin.
fn listed(first: &OsStr, list: Option<OsString>) -> OsString {
    let mut all = first.to_owned();
    if let Some(list) = list.filter(|list| !list.is_empty()) {
        all.push(":");
        all.push(list);
    }
    all
}

/// Libraries of the folder in whose place the loader would take others: a program's `DT_RPATH`
/// goes before `LD_LIBRARY_PATH`. An error is one that the folder lacks: another library's would
/// not work together with ours, but for those of C++.
fn elsewhere(objects: &[Object], abi: Abi, folder: &Path) -> Result<Vec<PathBuf>, OsString> {
    let mut preload = Vec::new();
    let family = objects.iter().skip(1).filter(|object| Abi::of(&object.name) == Some(abi));
    for object in family {
        let file = Path::new(&object.name).file_name().unwrap_or_default();
        let ours = folder.join(file);
        if !ours.exists() {
            match file.as_bytes().windows(CXX.len()).any(|part| part == CXX) {
                true => continue,
                false => return Err(object.name.clone()),
            }
        }
        if !object.file.as_ref().is_some_and(|found| is_same(found, &ours)) {
            preload.push(ours);
        }
    }
    Ok(preload)
}

/// Libraries for the standard ABI are not among them: programs run with that which they find. The
/// wheel of mpi4py brings modules for both other ABIs, and takes that of the first library it
/// finds: beside the interpreter, and then where the loader does. What the user has said stays.
fn for_script(lib: &Path, env: impl Fn(&str) -> Option<OsString>) -> Service {
    let installed = [Abi::Mpich, Abi::OpenMpi].map(|abi| abi.installed(lib));
    let is_told = [MPI4PY_LIBRARY, MPI4PY_ABI].iter().any(|name| env(name).is_some());
    let mpi4py = installed[0].as_ref().filter(|_| !is_told);
    let mpi4py = mpi4py.map(|folder| folder.join(Abi::Mpich.library()));
    let folders: Vec<_> = installed.into_iter().flatten().collect();
    if folders.is_empty() { Service::Nothing } else { Service::Script { folders, mpi4py } }
}

impl Service {
    /// Changes a program's variables.
    pub fn apply(&self, env: &mut Vec<(OsString, OsString)>) {
        match self {
            Service::Nothing | Service::Lacks(_) => {}
            Service::Script { folders, mpi4py } => {
                for folder in folders.iter().rev() {
                    put_first(env, LIBRARY_PATH, folder.as_os_str());
                }
                env.extend(mpi4py.iter().map(|library| (MPI4PY_LIBRARY.into(), library.into())));
            }
            Service::Folder { abi, folder, preload } => {
                put_first(env, LIBRARY_PATH, folder.as_os_str());
                // After the user's own: a tool that stands between the program and MPI, or a
                // sanitizer, must come first.
                for library in preload {
                    put_last(env, PRELOAD, library.as_os_str());
                }
                if value(env, MPI4PY_LIBRARY).is_none() {
                    env.push((MPI4PY_LIBRARY.into(), folder.join(abi.library()).into()));
                }
            }
        }
    }
}

fn put_first(env: &mut Vec<(OsString, OsString)>, name: &str, first: &OsStr) {
    let all = listed(first, value(env, name));
    env.retain(|(other, _)| other != name);
    env.push((name.into(), all));
}

fn put_last(env: &mut Vec<(OsString, OsString)>, name: &str, last: &OsStr) {
    let before = value(env, name).filter(|list| !list.is_empty());
    let all = before.map_or_else(|| last.to_owned(), |list| listed(&list, Some(last.to_owned())));
    env.retain(|(other, _)| other != name);
    env.push((name.into(), all));
}

/// The value of a variable.
pub fn value(env: &[(OsString, OsString)], name: &str) -> Option<OsString> {
    env.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
}

/// Whether a program is linked with MPI, by itself or by its libraries, rather than being a script.
pub fn is_linked(program: &Path) -> bool {
    let objects = Objects::of(program, |_| None).map_or(Vec::new(), |objects| objects.0);
    objects.iter().skip(1).any(|object| Abi::of(&object.name).is_some())
}

/// Whether the ranks of a program may have another library than Dunlin's, which asks by PMI. `env`
/// has their variables. That of Open MPI is refused: it asks by PMIx alone, and each of several
/// ranks would be a job of its own.
pub fn may_speak_pmi(
    program: &Path,
    env: impl Fn(&str) -> Option<OsString>,
) -> Result<bool, Failure> {
    // No file of that kind: a script, which starts whatever it wants.
    let Some(direct) = Dynamic::read_file(program) else { return Ok(true) };
    let of = |abi| direct.needed.iter().find(move |name| Abi::of(name) == Some(abi));
    if let Some(library) = of(Abi::OpenMpi) {
        let (program, library) = (program.display(), library.to_string_lossy());
        let text = format!(
            "`{program}` is built with Open MPI (it needs {library}), whose ranks find each other \
             by PMIx alone, which Dunlin's mpirun does not speak: each would be a job of its own; \
             build it with Dunlin's mpicc, or start it with Open MPI's mpirun"
        );
        return Err(Failure { text, status: STATUS_NOT_RUNNABLE });
    }
    let Some(name) = of(Abi::Standard) else { return Ok(true) };
    let ours = lib().map(|lib| lib.join(Abi::Standard.library()));
    let objects = Objects::of(program, env).map_or(Vec::new(), |objects| objects.0);
    let found = objects.into_iter().find(|object| object.name == *name);
    let found = found.and_then(|object| object.file);
    Ok(!found.zip(ours).is_some_and(|(found, ours)| is_same(&found, &ours)))
}

#[cfg(test)]
mod tests;
