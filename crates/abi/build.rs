//! Generates from `include/mpi.h` what must agree with it: the constants, and an entry point that
//! reports itself missing for every function that no source file here defines.

mod codegen;

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed={}", codegen::HEADER);
    println!("cargo::rerun-if-changed={}", codegen::SOURCES);
    println!("cargo::rerun-if-changed=codegen");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmpi_abi.so.1");
    // The library's own calls stay inside it, whatever a tool or another MPI in the process
    // defines.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
    // It has threads and a handler for the process's exit: who unloads it must not take the code
    // away from under them.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");

    let header = codegen::read_header();
    let entries = codegen::read_entries();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    write(&out, "constants.rs", &codegen::constants::generate(&header.constants));
    write(&out, "stubs.rs", &codegen::stubs::generate(&header, &entries));
}

fn write(out: &Path, name: &str, text: &str) {
    fs::write(out.join(name), text).unwrap_or_else(|e| panic!("cannot write {name}: {e}"));
}
