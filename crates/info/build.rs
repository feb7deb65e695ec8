//! Notes what the program was built for, the versions that the standard header states, and which
//! functions the library lacks.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

const HEADER: &str = "../../include/mpi.h";
const DESCRIPTION: &str = "../../api";
/// What the libraries of other ABIs lack: `LACKS(MPIX_Stream_send)`.
const FAMILIES: [&str; 3] =
    ["../../families/jump.h", "../../families/mpich.c", "../../families/openmpi.c"];

fn main() {
    println!("cargo:rerun-if-changed={HEADER}");
    println!("cargo:rerun-if-changed={DESCRIPTION}");
    println!("cargo:rerun-if-changed=build.rs");
    let header = fs::read_to_string(HEADER).expect("include/mpi.h stands beside the crates");
    let pair = |major: &str, minor: &str| {
        format!("{}.{}", defined(&header, major), defined(&header, minor))
    };
    note("INFO_MPI", &pair("MPI_VERSION", "MPI_SUBVERSION"));
    note("INFO_ABI", &pair("MPI_ABI_VERSION", "MPI_ABI_SUBVERSION"));
    note("INFO_TARGET", &variable("TARGET"));
    note("INFO_PROFILE", &variable("PROFILE"));
    note("INFO_CPU", &variable("CARGO_CFG_TARGET_FEATURE"));
    let api = dunlin_api::read(Path::new(DESCRIPTION)).unwrap_or_else(|e| panic!("{e}"));
    let missing = dunlin_api::prototypes(&api).filter(|prototype| prototype.function.is_missing);
    let mut missing: Vec<String> = missing.map(|prototype| prototype.name).collect();
    missing.extend(FAMILIES.iter().flat_map(|source| lacks(source)));
    note("INFO_MISSING", &missing.join(","));
    let compiler = Command::new(variable("RUSTC")).arg("--version").output();
    let said = compiler.map(|done| String::from_utf8_lossy(&done.stdout).trim().to_string());
    note("INFO_COMPILER", &said.unwrap_or_default());
}

/// The functions whose name is all that a library of another ABI has.
fn lacks(source: &str) -> Vec<String> {
    println!("cargo:rerun-if-changed={source}");
    let text = fs::read_to_string(source).unwrap_or_else(|e| panic!("{source}: {e}"));
    let named = text.split("LACKS(").skip(1).filter_map(|rest| rest.split_once(')'));
    named.map(|(name, _)| name.to_string()).filter(|name| name.starts_with("MPI")).collect()
}

fn note(name: &str, value: &str) {
    println!("cargo:rustc-env={name}={value}");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The value of `#define name value`.
fn defined<'a>(header: &'a str, name: &str) -> &'a str {
    let value = header.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some("#define") && words.next() == Some(name)).then(|| words.next())?
    });
    value.unwrap_or_else(|| panic!("include/mpi.h does not define {name}"))
}
