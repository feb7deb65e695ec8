//! The library has a subroutine for every function that `mpif.h` has.

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

use dunlin_api::table::Interface;
use object::{Object, ObjectSymbol};

/// What a compiler needs besides: the common block, and functions that programs pass on.
const OTHERS: [&str; 13] = [
    "mpi_dunlin_",
    "mpi_null_copy_fn_",
    "mpi_dup_fn_",
    "mpi_null_delete_fn_",
    "mpi_comm_null_copy_fn_",
    "mpi_comm_dup_fn_",
    "mpi_comm_null_delete_fn_",
    "mpi_type_null_copy_fn_",
    "mpi_type_dup_fn_",
    "mpi_type_null_delete_fn_",
    "mpi_win_null_copy_fn_",
    "mpi_win_dup_fn_",
    "mpi_win_null_delete_fn_",
];

#[test]
fn every_function_of_the_include_file_is_there_and_nothing_else() {
    let api = dunlin_api::read(Path::new("../../api")).unwrap();
    let small = dunlin_api::prototypes(&api).filter(|p| !p.is_large);
    let of_fortran = small.filter(|p| p.function.interfaces.contains(&Interface::MpifH));
    let names = of_fortran.map(|p| p.name.to_lowercase());
    let both = names.flat_map(|name| [format!("{name}_"), format!("p{name}_")]);
    let expected: BTreeSet<String> = both.chain(OTHERS.map(str::to_string)).collect();

    let test = env::current_exe().expect("a test knows its path");
    let library = test.parent().expect("it is in a folder").join("libmpi_abi_fortran.so");
    let bytes = fs::read(&library).unwrap_or_else(|e| panic!("{}: {e}", library.display()));
    let file = object::File::parse(&*bytes).expect("an ELF file");
    let defined = file.dynamic_symbols().filter(|s| s.is_definition());
    let exported: BTreeSet<String> = defined
        .filter_map(|s| s.name().ok())
        .filter(|n| n.contains("mpi_"))
        .map(String::from)
        .collect();
    let missing: Vec<_> = expected.difference(&exported).collect();
    let extra: Vec<_> = exported.difference(&expected).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, extra {extra:?}");
}
