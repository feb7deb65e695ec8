//! The compiler wrappers: `mpicc`, `mpicxx` and its other names. They add the flags that find
//! Dunlin's header and library to the user's command line and become the compiler.
//! May use: `base`, the operating system. Must not know: MPI, the launcher.
#![forbid(unsafe_code)]

mod command;
mod language;
mod modules;

pub use command::{Action, act, compiler_of, is_question};
pub use language::Language;
pub use modules::of as modules_of;

use std::path::{Path, PathBuf};

/// Where an installation of Dunlin keeps what a compiler needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// The directory of `mpi.h`.
    pub include: PathBuf,
    /// The directory of `libmpi_abi.so`.
    pub lib: PathBuf,
    /// The directory of the Fortran modules for the compiler that is called.
    pub modules: Option<PathBuf>,
}

impl Installation {
    /// The installation whose wrapper is `executable`: `<prefix>/bin/mpicc`, links resolved.
    /// Moving the whole prefix elsewhere therefore needs no rebuild.
    pub fn of_executable(executable: &Path) -> Option<Installation> {
        let prefix = executable.parent()?.parent()?;
        let (include, lib) = (prefix.join("include"), prefix.join("lib"));
        Some(Installation { include, lib, modules: None })
    }

    /// The directory of the sources of the Fortran modules.
    pub fn sources(&self) -> PathBuf {
        self.lib.with_file_name("share").join("dunlin/fortran")
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
