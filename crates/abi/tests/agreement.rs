//! The header, the sources, the exported symbols and the coverage page must agree.

#[path = "../codegen/mod.rs"]
mod codegen;

use codegen::header::Prototype;
use object::{Object, ObjectSymbol};
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::{env, fs};

/// The functions of the MPI 5.0 standard ABI.
const FUNCTIONS: usize = 662;

#[test]
fn the_header_has_every_function_of_the_standard() {
    let header = codegen::read_header();
    let names: BTreeSet<&str> = header.functions().map(|f| &*f.name).collect();
    assert_eq!(names.len(), FUNCTIONS);
    assert_eq!(header.functions().count(), FUNCTIONS, "a function is declared twice");
}

#[test]
fn each_profiling_prototype_repeats_its_function() {
    let header = codegen::read_header();
    let named = |f: &Prototype| Prototype { name: format!("P{}", f.name), ..f.clone() };
    let expected: Vec<Prototype> = header.functions().map(named).collect();
    assert_eq!(header.profiling, expected);
}

#[test]
fn the_library_exports_what_the_header_declares_and_nothing_else() {
    let header = codegen::read_header();
    let declared = header.functions().flat_map(|f| [f.name.clone(), format!("P{}", f.name)]);
    let declared: BTreeSet<String> = declared.collect();
    let exported = exported();
    let missing: Vec<_> = declared.difference(&exported).collect();
    let extra: Vec<_> = exported.difference(&declared).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, extra {extra:?}");
}

/// The symbols of the library whose names begin with `MPI` or `PMPI`.
fn exported() -> BTreeSet<String> {
    let library = library();
    let bytes =
        fs::read(&library).unwrap_or_else(|e| panic!("cannot read {}: {e}", library.display()));
    let file = object::File::parse(&*bytes).expect("an ELF file");
    let names = file.dynamic_symbols().filter(|s| s.is_definition()).filter_map(|s| s.name().ok());
    names.filter(|n| n.starts_with("MPI") || n.starts_with("PMPI")).map(str::to_string).collect()
}

/// Cargo leaves the library beside the test programs.
fn library() -> PathBuf {
    let test = env::current_exe().expect("a test knows its path");
    test.parent().expect("it is in a folder").join("libmpi_abi.so")
}

#[test]
fn each_entry_point_has_the_types_the_header_declares() {
    let header = codegen::read_header();
    let prototypes: HashMap<&str, &Prototype> = header.functions().map(|f| (&*f.name, f)).collect();
    for entry in codegen::read_entries() {
        let prototype = prototypes.get(&*entry.name);
        let prototype = prototype.unwrap_or_else(|| panic!("{} is not in mpi.h", entry.name));
        assert_eq!(entry.returns, prototype.returns, "result of {}", entry.name);
        let types = |p: &[codegen::c_type::Param]| -> Vec<String> {
            p.iter().map(|p| p.rust.clone()).collect()
        };
        assert_eq!(types(&entry.params), types(&prototype.params), "of {}", entry.name);
    }
}

#[test]
fn no_function_is_defined_twice() {
    let mut seen = BTreeSet::new();
    for entry in codegen::read_entries() {
        assert!(seen.insert(entry.name.clone()), "{} is defined twice", entry.name);
    }
}

#[test]
fn the_coverage_page_is_up_to_date() {
    let text = codegen::coverage::generate(&codegen::read_header(), &codegen::read_entries());
    let page = codegen::here(codegen::coverage::PAGE);
    if env::var_os("BLESS").is_some() {
        fs::write(&page, text).expect("the page can be written");
        return;
    }
    let advice = "docs/coverage.md is out of date; run `BLESS=1 cargo test -p dunlin-abi`";
    assert!(codegen::read(&page) == text, "{advice}");
}
