//! What the build script and the tests share: reading `include/mpi.h`, reading which functions the
//! sources define, and generating constants, stubs and the coverage page from the two.
#![allow(dead_code, reason = "the build script and each test use a part of it")]

pub mod c_type;
pub mod constants;
pub mod coverage;
pub mod entries;
pub mod header;
pub mod stubs;

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The header, seen from this crate.
pub const HEADER: &str = "../../include/mpi.h";
/// The sources that define entry points, seen from this crate.
pub const SOURCES: &str = "src";

/// A path of this crate, absolute.
pub fn here(path: &str) -> PathBuf {
    Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join(path)
}

/// Reads and parses the header.
pub fn read_header() -> header::Header {
    header::parse(&read(&here(HEADER)))
}

/// Reads the entry points that the sources define.
pub fn read_entries() -> Vec<entries::Entry> {
    let files = fs::read_dir(here(SOURCES)).expect("the sources are beside the build script");
    let mut paths: Vec<PathBuf> = files.map(|f| f.expect("a readable folder").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "rs"));
    paths.sort();
    paths.iter().flat_map(|p| entries::parse(&read(p))).collect()
}

/// The text of a file.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()))
}
