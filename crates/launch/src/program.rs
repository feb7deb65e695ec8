//! Finds the file behind a program's name, before anything is started.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

use crate::failure::{Failure, STATUS_NOT_FOUND, STATUS_NOT_RUNNABLE};

/// Resolves `name` as a shell would with `path` (`PATH`), and then in the current directory, as
/// users of other launchers expect. A name with a slash is looked for from here, then from `wdir`.
pub fn find(name: &OsStr, path: &OsStr, wdir: Option<&Path>) -> Result<PathBuf, Failure> {
    let mut tried = candidates(name, path, wdir);
    if let Some(found) = tried.iter().position(|file| is_program(file)) {
        let found = tried.swap_remove(found);
        // An absolute path stays right after the change to the rank's directory.
        return std::path::absolute(&found).map_err(|e| Failure::system("current directory", e));
    }
    let name = name.to_string_lossy();
    match tried.iter().find(|file| file.exists()) {
        Some(file) if file.is_dir() && name.contains('/') => Err(Failure {
            text: format!("`{name}` is a directory, not a program"),
            status: STATUS_NOT_RUNNABLE,
        }),
        Some(file) if !file.is_dir() => Err(Failure {
            text: format!("`{}` is not executable; `chmod +x` makes it so", file.display()),
            status: STATUS_NOT_RUNNABLE,
        }),
        _ => Err(Failure {
            text: format!("the program `{name}` was not found"),
            status: STATUS_NOT_FOUND,
        }),
    }
}

fn candidates(name: &OsStr, path: &OsStr, wdir: Option<&Path>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if !name.as_bytes().contains(&b'/') {
        files.extend(std::env::split_paths(path).map(|directory| directory.join(name)));
    }
    files.push(Path::new(".").join(name));
    files.extend(wdir.map(|directory| directory.join(name)));
    files
}

fn is_program(file: &Path) -> bool {
    file.is_file() && access(file, AccessFlags::X_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_in(name: &str, path: &str, wdir: Option<&Path>) -> Result<PathBuf, Failure> {
        find(OsStr::new(name), OsStr::new(path), wdir)
    }

    #[test]
    fn names_are_looked_up_on_the_path() {
        let found = find_in("sh", "/nonexistent:/bin:/usr/bin", None).unwrap();
        assert_eq!(found, Path::new("/bin/sh"));
    }

    #[test]
    fn a_missing_program_is_named() {
        let failure = find_in("no-such-program", "/bin", None).unwrap_err();
        assert_eq!(failure.status, 127);
        assert!(failure.text.contains("`no-such-program`"), "{failure:?}");
    }

    #[test]
    fn what_cannot_be_run_is_said() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let failure = find_in("./Cargo.toml", "", Some(here)).unwrap_err();
        assert_eq!(failure.status, 126);
        assert!(failure.text.contains("not executable"), "{failure:?}");
        let failure = find_in("/usr/", "", None).unwrap_err();
        assert!(failure.status == 126 && failure.text.contains("directory"), "{failure:?}");
    }
}
