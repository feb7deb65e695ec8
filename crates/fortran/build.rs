//! Generates the subroutines from the description in `api/`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use dunlin_api::fortran;
use dunlin_api::header::Values;

const DESCRIPTION: &str = "../../api";
const HEADER: &str = "../../include/mpi.h";

fn main() {
    println!("cargo::rerun-if-changed={DESCRIPTION}");
    println!("cargo::rerun-if-changed={HEADER}");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmpi_abi_fortran.so.1");
    let api = dunlin_api::read(Path::new(DESCRIPTION)).unwrap_or_else(|e| panic!("{e}"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let header = fs::read_to_string(HEADER).expect("include/mpi.h stands beside the crates");
    write(&out, "subroutines.rs", &fortran::subroutines_in_rust(&api));
    write(&out, "integers.rs", &fortran::integers_in_rust(&api, &Values::read(&header)));
}

fn write(out: &Path, name: &str, text: &str) {
    fs::write(out.join(name), text).unwrap_or_else(|e| panic!("cannot write {name}: {e}"));
}
