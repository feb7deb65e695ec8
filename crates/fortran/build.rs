//! Generates the subroutines from the description in `api/`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use dunlin_api::family::Constants;
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
    let values = Values::read(&header);
    let standard = |name: &str| fortran::standard_number(&values, name);
    write(&out, "integers.rs", &fortran::integers_in_rust(&api, standard));
    for family in ["mpich", "openmpi"] {
        let path = Path::new(DESCRIPTION).join(format!("families/{family}.txt"));
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let constants = Constants::read(&text);
        let integers = fortran::integers_in_rust(&api, |name| constants.number(name));
        write(&out, &format!("{family}_integers.rs"), &integers);
        let subroutines = fortran::subroutines_of_family_in_rust(&api, family, family == "mpich");
        write(&out, &format!("{family}_subroutines.rs"), &subroutines);
    }
}

fn write(out: &Path, name: &str, text: &str) {
    fs::write(out.join(name), text).unwrap_or_else(|e| panic!("cannot write {name}: {e}"));
}
