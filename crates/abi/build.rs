//! Generates the list of exported functions and the constants: from the description in `api/`, with
//! the values of `include/mpi.h`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use dunlin_api::header::Values;
use dunlin_api::{Api, family, rust};

const DESCRIPTION: &str = "../../api";
const HEADER: &str = "../../include/mpi.h";

fn main() {
    println!("cargo::rerun-if-changed={DESCRIPTION}");
    println!("cargo::rerun-if-changed={HEADER}");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmpi_abi.so.1");
    // Calls within the library are bound to it, whatever a tool or another MPI library in the
    // process defines.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
    // The library has threads and an exit handler: `dlclose` must not unmap their code.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");

    let api = dunlin_api::read(Path::new(DESCRIPTION)).unwrap_or_else(|e| panic!("{e}"));
    let header = fs::read_to_string(HEADER).expect("include/mpi.h stands beside the crates");
    let values = Values::read(&header);
    let constants = rust::constants(&api, &values);
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    write(&out, "constants.rs", &constants.unwrap_or_else(|e| panic!("{e}")));
    write(&out, "entries.rs", &rust::entries(&api));
    write_families(&out, &api, &values);
}

/// What converts the arguments of programs that were built for other ABIs.
fn write_families(out: &Path, api: &Api, values: &Values) {
    write(out, "family_functions.rs", &family::functions(api));
    write(out, "family_constants.rs", &family::trait_of_constants(api));
    let [mpich, openmpi, fortran] = ["mpich", "openmpi", "openmpi_fortran"].map(|name| {
        let path = Path::new(DESCRIPTION).join(format!("families/{name}.txt"));
        let text = fs::read_to_string(&path);
        family::Constants::read(&text.unwrap_or_else(|e| panic!("{}: {e}", path.display())))
    });
    write(out, "mpich_constants.rs", &family::constants(api, "Mpich", &mpich));
    write(out, "openmpi_constants.rs", &family::constants(api, "OpenMpi", &openmpi));
    write(out, "openmpi_fortran.rs", &family::fortran_handles(api, &fortran, values));
    write(out, "mpich_handles.rs", &family::integer_handles(api, &mpich, values));
}

fn write(out: &Path, name: &str, text: &str) {
    fs::write(out.join(name), text).unwrap_or_else(|e| panic!("cannot write {name}: {e}"));
}
