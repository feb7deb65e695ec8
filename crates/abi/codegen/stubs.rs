//! An entry point for every function of the header that no source file defines: it says so.

use super::c_type::Param;
use super::entries::Entry;
use super::header::{Chapter, Header, Prototype};
use std::collections::HashSet;
use std::fmt::Write;

/// The chapter whose functions report to the error handler of files.
const INPUT_AND_OUTPUT: u32 = 14;

/// The stubs as Rust source.
pub fn generate(header: &Header, entries: &[Entry]) -> String {
    let defined: HashSet<&str> = entries.iter().map(|e| &*e.name).collect();
    let mut out = "entry! {\n".to_string();
    for chapter in &header.chapters {
        for function in chapter.functions.iter().filter(|f| !defined.contains(&*f.name)) {
            out.push_str(&stub(chapter, function));
        }
    }
    out + "}\n"
}

fn stub(chapter: &Chapter, function: &Prototype) -> String {
    let name = &function.name;
    // There is no way to report an error but by the returned code.
    assert_eq!(function.returns, "c_int", "{name} returns no error code: define it in src/");
    let mut params = String::new();
    for p in &function.params {
        write!(params, "{}: {}, ", p.name, p.rust).expect("a string takes all");
    }
    let owner = owner(chapter, function);
    format!("fn {name}({params}) -> c_int {{ unsupported(\"{name}\", {owner}) }}\n")
}

/// The object whose error handler hears of a failure of this function.
fn owner(chapter: &Chapter, function: &Prototype) -> String {
    if function.name.starts_with("MPI_T_") {
        return "Owner::Tools".to_string();
    }
    if chapter.number == INPUT_AND_OUTPUT {
        let file = function.params.iter().find(|p| p.rust == "MPI_File").and_then(as_owner);
        return file.unwrap_or("Owner::File(MPI_FILE_NULL)".to_string());
    }
    function.params.iter().find_map(as_owner).unwrap_or("Owner::None".to_string())
}

fn as_owner(p: &Param) -> Option<String> {
    match &*p.rust {
        "MPI_Comm" => Some(format!("Owner::Comm({})", p.name)),
        "MPI_Win" => Some(format!("Owner::Win({})", p.name)),
        "MPI_File" => Some(format!("Owner::File({})", p.name)),
        "MPI_Session" => Some(format!("Owner::Session({})", p.name)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{entries, header};
    use super::*;

    #[test]
    fn only_undefined_functions_get_a_stub_and_it_names_its_owner() {
        let header = header::parse(
            "/* Chapter 3. P2P */ int MPI_Send(int count, MPI_Comm comm); int MPI_Wait(int *flag);
             int MPI_Put(MPI_Win win);
             /* Chapter 14. I/O */ int MPI_File_open(MPI_Comm comm, MPI_File *fh);
             /* Chapter 15. Tools */ int MPI_T_init_thread(int required);",
        );
        let entries = entries::parse("fn MPI_Wait(flag: *mut c_int) -> c_int { 0 }");
        let text = generate(&header, &entries);
        let expected = [
            "entry! {",
            "fn MPI_Send(count: c_int, comm: MPI_Comm, ) -> c_int \
             { unsupported(\"MPI_Send\", Owner::Comm(comm)) }",
            "fn MPI_Put(win: MPI_Win, ) -> c_int { unsupported(\"MPI_Put\", Owner::Win(win)) }",
            "fn MPI_File_open(comm: MPI_Comm, fh: *mut MPI_File, ) -> c_int \
             { unsupported(\"MPI_File_open\", Owner::File(MPI_FILE_NULL)) }",
            "fn MPI_T_init_thread(required: c_int, ) -> c_int \
             { unsupported(\"MPI_T_init_thread\", Owner::Tools) }",
            "}",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }
}
