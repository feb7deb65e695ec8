//! Which language a wrapper compiles, told by the name it was called under.

use std::ffi::OsStr;
use std::path::Path;

use dunlin_base::settings;

/// A language with a wrapper of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `mpicc`.
    C,
    /// `mpicxx`, `mpic++`, `mpiCC`.
    Cxx,
    /// `mpifort`, `mpif77`, `mpif90`.
    Fortran,
}

impl Language {
    /// The language of the wrapper called as `argv0`; any other name means C.
    pub fn of_name(argv0: &OsStr) -> Language {
        let name = Path::new(argv0).file_name().unwrap_or(argv0).to_string_lossy();
        match name.as_ref() {
            "mpicxx" | "mpic++" | "mpiCC" => Language::Cxx,
            "mpifort" | "mpif77" | "mpif90" => Language::Fortran,
            _ => Language::C,
        }
    }

    /// The wrapper's usual name, for messages.
    pub fn wrapper(self) -> &'static str {
        match self {
            Language::C => "mpicc",
            Language::Cxx => "mpicxx",
            Language::Fortran => "mpifort",
        }
    }

    /// The compilers used when nobody names one: the first that is there.
    pub fn default_compilers(self) -> &'static [&'static str] {
        match self {
            Language::C => &["cc"],
            Language::Cxx => &["c++"],
            Language::Fortran => &["gfortran", "flang-new", "flang"],
        }
    }

    /// The libraries a program is linked with.
    pub fn libraries(self) -> &'static [&'static str] {
        match self {
            Language::C | Language::Cxx => &["mpi_abi"],
            Language::Fortran => &["dunlin_fortran_block", "mpi_abi_fortran", "mpi_abi"],
        }
    }

    /// The variables that name the compiler, the first one set wins. The later ones are those of
    /// Open MPI and MPICH, because build scripts already set them.
    pub fn compiler_variables(self) -> [&'static str; 3] {
        match self {
            Language::C => [settings::CC.name, "OMPI_CC", "MPICH_CC"],
            Language::Cxx => [settings::CXX.name, "OMPI_CXX", "MPICH_CXX"],
            Language::Fortran => [settings::FC.name, "OMPI_FC", "MPICH_FC"],
        }
    }

    /// The options (followed by `=NAME`) that name the compiler on the command line.
    pub fn compiler_option(self) -> &'static str {
        match self {
            Language::C => "-cc=",
            Language::Cxx => "-cxx=",
            Language::Fortran => "-fc=",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides_the_language() {
        for name in ["mpicxx", "/usr/bin/mpic++", "../mpiCC"] {
            assert_eq!(Language::of_name(OsStr::new(name)), Language::Cxx, "{name}");
        }
        for name in ["mpifort", "/opt/bin/mpif77", "mpif90"] {
            assert_eq!(Language::of_name(OsStr::new(name)), Language::Fortran, "{name}");
        }
        for name in ["mpicc", "/opt/bin/mpicc", "something"] {
            assert_eq!(Language::of_name(OsStr::new(name)), Language::C, "{name}");
        }
    }
}
