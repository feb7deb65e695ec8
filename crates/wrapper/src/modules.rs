//! The Fortran modules. A compiler reads no module file but its own, so the prefix has the
//! sources, and the modules are built once for each compiler: by `make install` into the prefix,
//! otherwise by the first call of `mpifort` into the user's cache.

use std::collections::hash_map::DefaultHasher;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Installation;

/// The sources, in the order in which they need one another.
const SOURCES: &[&str] = &["mpi_f08_types.f90", "mpi.f90", "mpi_f08.f90"];
/// How much of a compiler's complaint is shown: one that crashes prints pages.
const LINES_SHOWN: usize = 12;
/// The symbol by which the linker finds what tells the library of a common block; its library has
/// the same name.
pub const BLOCK: &str = "dunlin_fortran_block";
/// What the objects of all modules are in.
pub const LIBRARY: &str = "dunlin_modules";

/// The folder with the modules for a compiler, which is made if it is not there. `None` if there is
/// no such compiler: to say so is for whoever calls it. `say` hears that they are built.
pub fn of(
    compiler: &[OsString],
    place: &Installation,
    variable: impl Fn(&str) -> Option<OsString>,
    say: impl Fn(&str),
) -> Result<Option<PathBuf>, String> {
    let Some(executable) = compiler.iter().rev().find_map(|word| find(word, &variable)) else {
        return Ok(None);
    };
    let name = name_for(&executable, place);
    let installed = place.lib.join("fortran").join(&name);
    if installed.is_dir() {
        return Ok(Some(installed));
    }
    let cache = cache(&variable)?.join(&name);
    if !cache.is_dir() {
        let folder = cache.display();
        say(&format!("building the MPI modules for this compiler, once, in {folder}"));
        build(compiler, place, &cache)?;
    }
    Ok(Some(cache))
}

/// A compiler's file; options and names such as `ccache` before it are passed over.
pub fn find(word: &OsStr, variable: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = Path::new(word);
    if path.components().count() > 1 {
        return path.canonicalize().ok().filter(|p| p.is_file());
    }
    let folders = variable("PATH")?;
    std::env::split_paths(&folders).find_map(|f| f.join(path).canonicalize().ok())
}

/// A name for the modules of a compiler and a version of Dunlin. A compiler that was replaced has
/// another time or size; a prefix with other sources likewise, but not one that was moved.
fn name_for(executable: &Path, place: &Installation) -> String {
    let mut hasher = DefaultHasher::new();
    executable.hash(&mut hasher);
    let sources = SOURCES.iter().map(|source| place.sources().join(source));
    for path in std::iter::once(executable.to_path_buf()).chain(sources) {
        if let Ok(file) = fs::metadata(&path) {
            (file.size(), file.mtime(), file.mtime_nsec()).hash(&mut hasher);
        }
    }
    let compiler = executable.file_name().unwrap_or_default().to_string_lossy();
    format!("{compiler}-{:016x}", hasher.finish())
}

/// Never a folder that everybody may write to: what is linked comes from there.
fn cache(variable: &impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, String> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    let base = base.ok_or("HOME is not set; set it, or XDG_CACHE_HOME, to a folder for them")?;
    Ok(base.join("dunlin").join("fortran"))
}

/// Builds beside the place and moves there, so that another call finds all or nothing.
fn build(compiler: &[OsString], place: &Installation, to: &Path) -> Result<(), String> {
    let failed = |what: &str, e: std::io::Error| format!("{what} {}: {e}", to.display());
    let beside = to.with_extension(format!("{}.tmp", std::process::id()));
    fs::create_dir_all(&beside).map_err(|e| failed("cannot make the folder of modules", e))?;
    let built = SOURCES.iter().try_for_each(|source| compile(compiler, place, source, &beside));
    let packed = built.and_then(|()| pack(&beside));
    if let Err(error) = packed {
        let _the_folder_holds_nothing_of_use = fs::remove_dir_all(&beside);
        return Err(error);
    }
    match fs::rename(&beside, to) {
        Err(_) if to.is_dir() => {
            // Another call was faster.
            let _is_no_longer_needed = fs::remove_dir_all(&beside);
            Ok(())
        }
        moved => moved.map_err(|e| failed("cannot move the modules to", e)),
    }
}

fn compile(
    compiler: &[OsString],
    place: &Installation,
    source: &str,
    folder: &Path,
) -> Result<(), String> {
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]).current_dir(folder);
    command.args(["-c", "-O2", "-fPIC"]).arg(place.sources().join(source));
    run(command, source)
}

fn pack(folder: &Path) -> Result<(), String> {
    let objects = SOURCES.iter().map(|source| source.replace(".f90", ".o"));
    let mut command = Command::new("ar");
    command.current_dir(folder).arg("crs").arg(format!("lib{LIBRARY}.a")).args(objects);
    run(command, "the library of modules")
}

fn run(mut command: Command, what: &str) -> Result<(), String> {
    let done = command.output().map_err(|e| format!("cannot build {what}: {e}"))?;
    if done.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&done.stderr);
    let first = words.lines().take(LINES_SHOWN).collect::<Vec<_>>().join("\n");
    Err(format!("cannot build {what}; the compiler said:\n{first}"))
}
