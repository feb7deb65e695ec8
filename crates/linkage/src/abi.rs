//! Which ABI a library of MPI has, by its name: the number behind `.so` tells it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How names of MPI's libraries begin. Others are called `libmpich` or `libmpifort`.
const BEGIN: &[u8] = b"libmpi";
/// The standard ABI's, with any ending: its Fortran library has another name.
const STANDARD: &[u8] = b"libmpi_abi";

/// An agreement on handles, constants and layouts between programs and libraries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abi {
    /// That of the MPI 5.0 standard.
    Standard,
    /// That of MPICH, Intel MPI, MVAPICH and Cray MPICH.
    Mpich,
    /// That of Open MPI 4 and 5.
    OpenMpi,
}

impl Abi {
    /// The ABI of a library with this name, if it is one of MPI.
    pub fn of(library: &OsStr) -> Option<Abi> {
        let name = library.as_bytes();
        let name = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
        match name.starts_with(BEGIN) {
            true if name.starts_with(STANDARD) => Some(Abi::Standard),
            true if name.ends_with(b".so.12") => Some(Abi::Mpich),
            true if name.ends_with(b".so.40") => Some(Abi::OpenMpi),
            _ => None,
        }
    }

    /// Its library for C.
    pub fn library(self) -> &'static str {
        match self {
            Abi::Standard => "libmpi_abi.so.1",
            Abi::Mpich => "libmpi.so.12",
            Abi::OpenMpi => "libmpi.so.40",
        }
    }

    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Abi::Standard => "standard",
            Abi::Mpich => "mpich",
            Abi::OpenMpi => "openmpi",
        }
    }

    /// Where the libraries of Dunlin that have it are, given the prefix's `lib`.
    pub fn folder(self, lib: &Path) -> PathBuf {
        match self {
            Abi::Standard => lib.to_path_buf(),
            _ => lib.join(self.name()),
        }
    }

    /// That folder, if there is a library in it.
    pub fn installed(self, lib: &Path) -> Option<PathBuf> {
        Some(self.folder(lib)).filter(|folder| folder.join(self.library()).is_file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_library_tells_its_abi() {
        let of = |name: &str| Abi::of(OsStr::new(name));
        for name in ["libmpi.so.12", "libmpich.so.12", "libmpifort.so.12", "/a/libmpicxx.so.12"] {
            assert_eq!(of(name), Some(Abi::Mpich), "{name}");
        }
        for name in ["libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_cxx.so.40"] {
            assert_eq!(of(name), Some(Abi::OpenMpi), "{name}");
        }
        assert_eq!(of("libmpi_abi.so.1"), Some(Abi::Standard));
        for name in ["libm.so.6", "libopen-pal.so.40", "libmpi.so", "libmpi.so.20"] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
