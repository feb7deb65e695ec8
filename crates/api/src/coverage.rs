//! The page that lists which functions of the standard are implemented.

use std::fmt::Write;

use crate::fortran_modules;
use crate::prototype::{Prototype, of_chapter};
use crate::table::{Api, Interface};

const HEAD: &str = "\
The others can be linked and called, and fail with `MPI_ERR_UNSUPPORTED_OPERATION` and a text that
names them; those of the tool interface return `MPI_T_ERR_NOT_SUPPORTED`.

This page is generated from `api/`: `BLESS=1 cargo test -p dunlin-abi` writes it anew.

A cell says how many functions an interface has here, and how many the standard gives it; forms with
large counts count.

| chapter | C | `mpif.h` | `mpi` | `mpi_f08` |
|---|---:|---:|---:|---:|
";

/// How many of these functions an interface has, and of how many.
fn cell(functions: &[Prototype], interface: Interface) -> String {
    // The older interfaces of Fortran have no large counts.
    let is_of = |p: &&Prototype| {
        let is_older = matches!(interface, Interface::MpifH | Interface::Mpi);
        p.function.interfaces.contains(&interface) && !(is_older && p.is_large)
    };
    let is_there =
        |p: &&Prototype| !p.function.is_missing && fortran_modules::is_provided(p, interface);
    let all = functions.iter().filter(is_of).count();
    match all {
        0 => "-".to_string(),
        _ => format!("{} of {all}", functions.iter().filter(is_of).filter(is_there).count()),
    }
}

/// The text of the page.
pub fn page(api: &Api) -> String {
    let chapters: Vec<(String, Vec<Prototype>)> = api
        .chapters
        .iter()
        .map(|c| (format!("{}. {}", c.number, c.title), of_chapter(c)))
        .collect();
    let done = |all: &[Prototype]| all.iter().filter(|p| !p.function.is_missing).count();
    let (all, implemented) =
        chapters.iter().fold((0, 0), |(all, there), (_, c)| (all + c.len(), there + done(c)));
    let mut table = String::new();
    let mut lists = String::new();
    for (title, functions) in &chapters {
        let cells = Interface::ALL.map(|(_, interface)| cell(functions, interface));
        writeln!(table, "| {title} | {} |", cells.join(" | ")).expect("a string takes all");
        write!(lists, "\n## {title}\n\n").expect("a string takes all");
        for f in functions {
            let mark = if f.function.is_missing { ' ' } else { 'x' };
            writeln!(lists, "- [{mark}] {}", f.name).expect("a string takes all");
        }
    }
    format!(
        "# Which functions there are\n\n\
         {implemented} of the {all} functions of MPI 5.0 are implemented.\n{HEAD}{table}{lists}"
    )
}
