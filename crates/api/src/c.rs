//! The prototypes of `mpi.h`.

use std::fmt::Write;

use crate::prototype::{Declared, Prototype, Type, of_chapter};
use crate::table::Api;

/// The longest line.
const COLUMNS: usize = 100;
/// What follows the prototypes in the header.
const END: &str = "#include \"mpi_removed.h\"";
/// What stands before the profiling prototypes.
const PROFILING: &str = "
/*
 * Profiling names (chapter 15.2): PMPI_X does what MPI_X does, so that a tool may define MPI_X.
 */
";

/// The header with the prototypes that the description asks for in the place of those it has.
pub fn with_prototypes(header: &str, api: &Api) -> String {
    let first = api.chapters.first().map_or(0, |c| c.number);
    let start = header.find(&format!("/*\n * Chapter {first}. ")).expect("a first chapter");
    let end = start + header[start..].find(END).expect("mpi_removed.h follows the prototypes");
    format!("{}{}{}", &header[..start], prototypes(api), &header[end..])
}

/// All prototypes: by chapter, then once more under their profiling names.
fn prototypes(api: &Api) -> String {
    let mut out = String::new();
    let mut profiling = PROFILING.to_string();
    for (i, chapter) in api.chapters.iter().enumerate() {
        let gap = if i == 0 { "" } else { "\n" };
        let (number, title) = (chapter.number, &chapter.title);
        write!(out, "{gap}/*\n * Chapter {number}. {title}\n */\n").expect("a string takes all");
        let mut since = None;
        for prototype in of_chapter(chapter) {
            let deprecated = prototype.function.deprecated.as_ref().map(|d| &d.0);
            if let Some(version) = deprecated.filter(|_| deprecated != since) {
                writeln!(out, "/* Since MPI-{version}. */").expect("a string takes all");
            }
            since = deprecated;
            out += &declaration("", &prototype);
            profiling += &declaration("P", &prototype);
        }
    }
    out + &profiling
}

/// A prototype in lines that are not too long.
fn declaration(prefix: &str, prototype: &Prototype) -> String {
    let mut words: Vec<String> = prototype.parameters.iter().map(parameter).collect();
    if prototype.function.is_variadic {
        words.push("...".to_string());
    }
    if words.is_empty() {
        words.push("void".to_string());
    }
    let last = words.len() - 1;
    let mut out = format!("{} {prefix}{}(", prototype.returns.base, prototype.name);
    let mut column = out.len();
    for (i, word) in words.iter().enumerate() {
        let word = format!("{word}{}", if i == last { ");" } else { "," });
        if i > 0 && column + 1 + word.len() > COLUMNS {
            out += "\n    ";
            column = "    ".len();
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        column += word.len();
        out += &word;
    }
    out + "\n"
}

/// `const int counts[]`
fn parameter(p: &Declared) -> String {
    let Type { base, stars, is_const, is_array, is_triple, .. } = &p.ty;
    let constant = if *is_const { "const " } else { "" };
    let array = match (is_array, is_triple) {
        (_, true) => "[][3]",
        (true, _) => "[]",
        _ => "",
    };
    format!("{constant}{base} {}{}{array}", "*".repeat(*stars), p.name)
}
