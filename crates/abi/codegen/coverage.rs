//! `docs/coverage.md`: which functions of the standard there are.

use super::entries::Entry;
use super::header::{Chapter, Header};
use std::collections::HashSet;

/// The page, seen from this crate.
pub const PAGE: &str = "../../docs/coverage.md";

const HEAD: &str = "\
The others can be linked and called, and fail with `MPI_ERR_UNSUPPORTED_OPERATION` and a text that
names them; those of the tool interface return `MPI_T_ERR_NOT_SUPPORTED`.

This page is generated from `include/mpi.h` and the sources:
`BLESS=1 cargo test -p dunlin-abi` writes it anew.

| chapter | implemented | of |
|---|---:|---:|
";

/// The text of the page.
pub fn generate(header: &Header, entries: &[Entry]) -> String {
    let defined: HashSet<&str> = entries.iter().map(|e| &*e.name).collect();
    let there = |c: &Chapter| c.functions.iter().filter(|f| defined.contains(&*f.name)).count();
    let all: usize = header.chapters.iter().map(|c| c.functions.len()).sum();
    let done: usize = header.chapters.iter().map(there).sum();
    let mut out = "# Which functions there are\n\n".to_string();
    out += &format!("{done} of the {all} functions of MPI 5.0 are implemented.\n{HEAD}");
    for c in &header.chapters {
        let of = c.functions.len();
        out += &format!("| {}. {} | {} | {of} |\n", c.number, c.title, there(c));
    }
    for c in &header.chapters {
        out += &format!("\n## {}. {}\n\n", c.number, c.title);
        for f in &c.functions {
            let mark = if defined.contains(&*f.name) { 'x' } else { ' ' };
            out += &format!("- [{mark}] {}\n", f.name);
        }
    }
    out
}
