//! Which MPI a program was built for, and what becomes of it under `mpirun`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dunlin_base::settings::{ABI, Settings};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_launch::abi::{self, Choice, Service};
use dunlin_linkage::{Abi, Objects, Symbols, is_same};
use serde::Serialize;

use crate::Answer;
use crate::paint::{DIM, ERROR, GOOD, TITLE, painted, wrapped};

/// How names begin that an MPI library or its parts define, in C, C++ and Fortran.
const BEGINS: [&str; 12] = [
    "MPI_", "PMPI_", "MPIX_", "PMPIX_", "MPIR_", "MPIO_", "mpi_", "pmpi_", "pmpir_", "ompi_",
    "opal_", "_ZN3MPI",
];
/// What stands in a library tells whose it is.
const WHOSE: [(&str, &str); 5] = [
    ("Dunlin", "Dunlin"),
    ("Dunlin", "mpi_MPI_Init"),
    ("Open MPI", "Open MPI v"),
    ("Intel MPI", "Intel(R) MPI Library"),
    ("MPICH", "MPICH Version"),
];
/// Functions that can be called and fail, from the description of MPI.
const MISSING: &str = env!("INFO_MISSING");

/// The answer.
#[derive(Debug, Serialize)]
pub struct Program {
    file: String,
    /// The ABI, if it can be told.
    abi: Option<&'static str>,
    libraries: Vec<Library>,
    under_mpirun: String,
    runs_on_dunlin: bool,
    /// Names that nothing defines, and the object that wants them.
    lacking: BTreeMap<String, String>,
    /// Functions that are there and fail when they are called.
    not_implemented: BTreeMap<String, String>,
}

/// A library of MPI that the program needs.
#[derive(Debug, Serialize)]
struct Library {
    name: String,
    /// What needs it, up to the program.
    needed_by: Vec<String>,
    /// Where the loader finds it without mpirun.
    found: Option<String>,
    /// Whose it is, as far as its text tells.
    whose: Option<&'static str>,
}

/// Looks at a file as mpirun would, started in this environment.
pub fn collect(settings: &Settings, file: &Path, abi: Option<Choice>) -> Result<Program> {
    let file = find(file)?;
    let choice = abi.unwrap_or_else(|| settings.choice(&ABI, Choice::WORDS));
    let wrong = |text: &str| Error::new(ErrorClass::Arg, text.to_string());
    let lib = abi::lib().ok_or_else(|| wrong("this program's own place is not known"))?;
    let service = abi::choose(choice, &lib, &file, |name: &str| std::env::var_os(name));
    let service = service.map_err(|failure| wrong(&failure.text))?;
    let plain = Objects::of(&file, |name| std::env::var_os(name));
    let libraries = plain.as_ref().map_or(Vec::new(), Library::all);
    let known = libraries.first().and_then(|library| Abi::of(library.name.as_ref()));
    let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    service.apply(&mut env);
    let served = Objects::of(&file, |name| abi::value(&env, name));
    let served = served.map_or(Vec::new(), |objects| objects.0);
    let is_ours = |object: &dunlin_linkage::Object| is_in(&lib, object.file.as_deref());
    let runs_on_dunlin = served.iter().any(|object| is_ours(object) && is_mpi_library(object));
    let mut answer = Program {
        under_mpirun: sentence(&service, known, choice, runs_on_dunlin),
        file: shown(&file),
        abi: known.map(Abi::name),
        libraries,
        runs_on_dunlin,
        lacking: BTreeMap::new(),
        not_implemented: BTreeMap::new(),
    };
    if runs_on_dunlin {
        answer.compare(&served, &lib);
    }
    Ok(answer)
}

/// The file behind a name, as a shell finds it.
fn find(name: &Path) -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = vec![name.to_path_buf()];
    if name.components().count() == 1 {
        places.extend(std::env::split_paths(&path).map(|directory| directory.join(name)));
    }
    let found =
        places.into_iter().find(|place| place.is_file()).and_then(|p| p.canonicalize().ok());
    let text = || format!("there is no file `{}`, here or on PATH", name.display());
    found.ok_or_else(|| Error::new(ErrorClass::Arg, text()))
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn is_mpi_library(object: &dunlin_linkage::Object) -> bool {
    Abi::of(&object.name).is_some()
}

/// Whether a file is one of the prefix's.
fn is_in(lib: &Path, file: Option<&Path>) -> bool {
    let own = |file: &Path| {
        let name = file.file_name()?;
        let folders = [Abi::Standard, Abi::Mpich, Abi::OpenMpi].map(|abi| abi.folder(lib));
        Some(folders.iter().any(|folder| is_same(&folder.join(name), file)))
    };
    file.and_then(own).unwrap_or(false)
}

fn sentence(service: &Service, known: Option<Abi>, choice: Choice, ours: bool) -> String {
    match service {
        Service::Folder { folder, preload, .. } => {
            let mut text = format!("it puts `{}` first in LD_LIBRARY_PATH", folder.display());
            if !preload.is_empty() {
                text.push_str(
                    ", and loads the library itself by LD_PRELOAD, because the program's \
                               own path goes before",
                );
            }
            let end = if ours { ": the program runs on Dunlin" } else { "" };
            text + end
        }
        Service::Lacks(library) => format!(
            "the program runs with its own library, because Dunlin has no {}{}",
            library.to_string_lossy(),
            if known == Some(Abi::OpenMpi) { "; several ranks are refused" } else { "" }
        ),
        Service::Script { folders, mpi4py } => {
            let list: Vec<_> = folders.iter().map(|f| format!("`{}`", f.display())).collect();
            let mut text = format!(
                "its file does not ask for MPI; mpirun puts {} first in LD_LIBRARY_PATH, where \
                 what it starts or loads finds Dunlin",
                list.join(" and ")
            );
            if let Some(library) = mpi4py {
                text += &format!(
                    ", and sets MPI4PY_LIBMPI, which mpi4py's wheel reads, to `{}`",
                    library.display()
                );
            }
            text + " (--abi names one ABI, and preloads its library)"
        }
        Service::Nothing if ours => "the program finds Dunlin's library by itself".into(),
        Service::Nothing => match known {
            None => "its file does not ask for MPI; mpirun leaves its variables alone".into(),
            _ if choice == Choice::None => "it runs with the library that it finds".into(),
            Some(Abi::Standard) => {
                "it runs with the library that it finds; `--abi standard` gives \
                                    it Dunlin's"
                    .into()
            }
            Some(Abi::Mpich) => "it runs with the library that it finds, which is told by PMI who \
                                 the ranks are"
                .into(),
            Some(Abi::OpenMpi) => "several ranks are refused; one runs with its own library".into(),
        },
    }
}

impl Library {
    fn all(objects: &Objects) -> Vec<Library> {
        let named = objects.0.iter().enumerate().skip(1);
        let named = named.filter(|(_, object)| is_mpi_library(object));
        let library = |(at, object): (usize, &dunlin_linkage::Object)| {
            let file = object.file.as_ref().and_then(|file| file.canonicalize().ok());
            let name = |object: &dunlin_linkage::Object| object.name.to_string_lossy().into_owned();
            Library {
                name: name(object),
                needed_by: objects.chain(at).skip(1).map(name).collect(),
                whose: file.as_deref().and_then(whose),
                found: file.as_deref().map(shown),
            }
        };
        named.map(library).collect()
    }

    fn text(&self) -> String {
        let found = self.found.as_deref().unwrap_or("not found");
        let whose = self.whose.map_or(String::new(), |whose| format!(" ({whose})"));
        let by = painted(DIM, &format!("needed by {}", self.needed_by.join(", by ")));
        format!("  {}: {found}{whose}\n{}", self.name, wrapped(&by, 6))
    }
}

fn whose(file: &Path) -> Option<&'static str> {
    let bytes = std::fs::read(file).ok()?;
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    WHOSE.iter().find(|(_, text)| has(text)).map(|(name, _)| *name)
}

impl Program {
    /// Notes the names that are wanted and not there, or there without a function behind.
    fn compare(&mut self, objects: &[dunlin_linkage::Object], lib: &Path) {
        let missing: BTreeSet<String> = MISSING.split(',').map(plain_name).collect();
        let read = |object: &dunlin_linkage::Object| {
            let file = object.file.clone()?;
            let symbols = Symbols::read_file(&file)?;
            Some((is_in(lib, Some(&file)), shown(&file), symbols))
        };
        let all: Vec<(bool, String, Symbols)> = objects.iter().filter_map(read).collect();
        for (_, file, symbols) in all.iter().filter(|(is_ours, ..)| !is_ours) {
            for name in symbols.wanted.iter().filter(|name| is_of_mpi(name)) {
                let object = file.clone();
                if !all.iter().any(|(.., symbols)| symbols.defined.contains(name)) {
                    self.lacking.entry(name.clone()).or_insert(object);
                } else if missing.contains(&plain_name(name)) {
                    self.not_implemented.entry(name.clone()).or_insert(object);
                }
            }
        }
    }
}

fn is_of_mpi(name: &str) -> bool {
    BEGINS.iter().any(|begin| name.starts_with(begin))
}

/// A function's name as all languages and tools have it: `MPI_Put`, `pmpi_put_f08_`, and
/// `pmpir_put_f08ts_` in MPICH's modules.
fn plain_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.trim_end_matches('_');
    let name = ["_f08", "_f08ts"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    match name.strip_prefix("pmpir_") {
        Some(function) => format!("mpi_{function}"),
        None => name.strip_prefix('p').unwrap_or(name).to_string(),
    }
}

impl Answer for Program {
    fn text(&self) -> String {
        let kind = match self.abi {
            Some("standard") => "built for the standard ABI of MPI",
            Some("mpich") => "built for the ABI of MPICH, Intel MPI and their kin",
            Some(_) => "built for the ABI of Open MPI 4 and 5",
            None => "its file does not tell that it uses MPI (a script, or linked statically)",
        };
        let mut text = format!("{}\n  {kind}\n", painted(TITLE, &self.file));
        self.libraries.iter().for_each(|library| text.push_str(&library.text()));
        text.push_str(&format!("\n{}\n", painted(TITLE, "Under mpirun")));
        let style = if self.runs_on_dunlin { GOOD } else { DIM };
        text.push_str(&painted(style, wrapped(&self.under_mpirun, 2).trim_end()));
        text.push('\n');
        let lists = [
            ("Wanted, and not there: ends the program when it starts or calls it", &self.lacking),
            ("Links, but fails when called", &self.not_implemented),
        ];
        for (title, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            text.push_str(&format!("\n{}\n", painted(ERROR, title)));
            for (name, object) in names {
                text.push_str(&format!("  {name}  {}\n", painted(DIM, object)));
            }
        }
        if self.runs_on_dunlin && self.lacking.is_empty() && self.not_implemented.is_empty() {
            text.push_str("  every function of MPI that it names is there\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_are_missing_are_known_under_all_their_names() {
        assert_eq!(plain_name("pmpi_win_free_f08_"), plain_name("MPI_Win_free"));
        assert_eq!(plain_name("PMPI_File_open"), "mpi_file_open");
        assert_eq!(plain_name("pmpir_put_f08ts_"), plain_name("MPI_Put"));
        assert!(MISSING.split(',').any(|name| name == "MPIX_Stream_send"));
        assert!(is_of_mpi("ompi_mpi_comm_world") && !is_of_mpi("printf"));
    }
}
