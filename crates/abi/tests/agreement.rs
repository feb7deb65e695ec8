//! Checks that the description in `api/`, the header, the exported symbols and the coverage page
//! agree. `BLESS=1` writes the generated parts of header and page.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use dunlin_api::header::Values;
use dunlin_api::{Api, c, coverage, family, fortran, fortran_modules, fortran_types};
use object::{Object, ObjectSymbol};

/// The number of functions in the MPI 5.0 standard ABI.
const FUNCTIONS: usize = 662;

fn described() -> Api {
    dunlin_api::read(&at_root("api")).unwrap_or_else(|e| panic!("{e}"))
}

/// A path below the repository's root.
fn at_root(path: &str) -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    Path::new(&here).join("../..").join(path)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()))
}

/// Compares a file with its generated contents, or writes it.
fn must_be(path: &str, generate: impl FnOnce(&str) -> String) {
    let there = read(&at_root(path));
    let text = generate(&there);
    // What is right stays untouched, for other tests read it at the same time.
    if env::var_os("BLESS").is_some() && there != text {
        fs::write(at_root(path), text).expect("the file can be written");
        return;
    }
    assert!(there == text, "{path} is out of date; run `BLESS=1 cargo test -p dunlin-abi`");
}

#[test]
fn every_function_of_the_standard_is_described() {
    let api = described();
    let names: BTreeSet<String> = dunlin_api::prototypes(&api).map(|p| p.name).collect();
    assert_eq!(names.len(), FUNCTIONS);
    assert_eq!(dunlin_api::prototypes(&api).count(), FUNCTIONS, "a function is described twice");
}

#[test]
fn the_header_declares_what_is_described() {
    must_be("include/mpi.h", |header| c::with_prototypes(header, &described()));
}

#[test]
fn the_include_file_of_fortran_is_up_to_date() {
    let values = Values::read(&read(&at_root("include/mpi.h")));
    must_be("include/mpif.h", |_| fortran::include_file(&described(), &values));
    must_be("fortran/mpi_f08_types.f90", |_| fortran_types::mpi_f08_types());
    must_be("fortran/mpi.f90", |_| fortran_modules::mpi(&described(), &values));
    must_be("fortran/mpi_f08.f90", |_| fortran_modules::mpi_f08(&described(), &values));
}

#[test]
fn the_libraries_of_other_abis_have_every_function_and_object() {
    let (api, values) = (described(), Values::read(&read(&at_root("include/mpi.h"))));
    let openmpi = family::Constants::read(&read(&at_root("api/families/openmpi.txt")));
    must_be("families/functions.h", |_| family::jumps(&api));
    must_be("families/subroutines.h", |_| fortran::names_of_subroutines(&api));
    let handles = family::Constants::read(&read(&at_root("api/families/openmpi_fortran.txt")));
    must_be("families/openmpi_f08_handles.h", |_| handles.as_definitions());
    must_be("families/openmpi_objects.h", |_| family::address_handles(&api, &openmpi, &values));
}

#[test]
fn the_coverage_page_is_up_to_date() {
    must_be("docs/coverage.md", |_| coverage::page(&described()));
}

#[test]
fn every_constant_of_the_header_is_described() {
    let api = described();
    let values = Values::read(&read(&at_root("include/mpi.h")));
    let described: BTreeSet<&str> =
        api.constants.iter().flat_map(|g| &g.names).map(String::as_str).collect();
    let defined: BTreeSet<&str> = values.names().collect();
    let missing: Vec<_> = defined.difference(&described).collect();
    let extra: Vec<_> = described.difference(&defined).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, extra {extra:?}");
}

#[test]
fn the_library_exports_what_is_described_and_nothing_else() {
    let api = described();
    let names = dunlin_api::prototypes(&api).flat_map(|p| [format!("P{}", p.name), p.name]);
    let described: BTreeSet<String> = names.collect();
    let exported = exported();
    let missing: Vec<_> = described.difference(&exported).collect();
    let extra: Vec<_> = exported.difference(&described).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "missing {missing:?}, extra {extra:?} (in what `make build` made last)"
    );
}

/// The symbols of the library whose names begin with `MPI` or `PMPI`. (For a test Cargo does not
/// build a library that C programs alone link to.)
fn exported() -> BTreeSet<String> {
    let library = at_root("build/prefix/lib/libmpi_abi.so.1");
    let bytes = fs::read(&library)
        .unwrap_or_else(|e| panic!("run `make build`: cannot read {}: {e}", library.display()));
    let file = object::File::parse(&*bytes).expect("an ELF file");
    let names = file.dynamic_symbols().filter(|s| s.is_definition()).filter_map(|s| s.name().ok());
    names.filter(|n| n.starts_with("MPI") || n.starts_with("PMPI")).map(str::to_string).collect()
}
