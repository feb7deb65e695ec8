//! The compiler wrappers: `mpicc`, `mpicxx` and its other names. They add the flags that find
//! Dunlin's header and library to the user's command line and become the compiler.
//! May use: `base`, the operating system. Must not know: MPI, the launcher.
#![forbid(unsafe_code)]

mod command;
mod language;

pub use command::{Action, act};
pub use language::Language;

use std::path::{Path, PathBuf};

/// Where an installation of Dunlin keeps what a compiler needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// The directory of `mpi.h`.
    pub include: PathBuf,
    /// The directory of `libmpi_abi.so`.
    pub lib: PathBuf,
}

impl Installation {
    /// The installation whose wrapper is `executable`: `<prefix>/bin/mpicc`, links resolved.
    /// Moving the whole prefix elsewhere therefore needs no rebuild.
    pub fn of_executable(executable: &Path) -> Option<Installation> {
        let prefix = executable.parent()?.parent()?;
        Some(Installation { include: prefix.join("include"), lib: prefix.join("lib") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_above_the_directory_of_the_wrapper() {
        let found = Installation::of_executable(Path::new("/opt/dunlin/bin/mpicc")).unwrap();
        assert_eq!(found.include, Path::new("/opt/dunlin/include"));
        assert_eq!(found.lib, Path::new("/opt/dunlin/lib"));
    }
}
