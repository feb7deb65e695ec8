//! Prints the program that calls every routine of `mpif.h`, `mpi` or `mpi_f08`.

use std::path::Path;

use dunlin_api::fortran_calls;
use dunlin_api::table::Interface;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let found = Interface::ALL.iter().skip(1).find(|(name, _)| *name == wanted);
    let (_, interface) = found.unwrap_or_else(|| panic!("`{wanted}` is none of Fortran's"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../api");
    let api = dunlin_api::read(&folder).unwrap_or_else(|e| panic!("{e}"));
    print!("{}", fortran_calls::program(&api, *interface));
}
