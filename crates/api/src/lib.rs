//! Reads the description of MPI's functions and constants in `api/`, checks it, and derives from it
//! the prototypes in C, the entry points in Rust, and the page that lists what is implemented.
//! `api/README.md` explains the format.
#![forbid(unsafe_code)]

pub mod c;
pub mod coverage;
pub mod family;
pub mod fortran;
pub mod fortran_calls;
pub mod fortran_modules;
pub mod fortran_types;
pub mod header;
pub mod kind;
pub mod rust;
pub mod table;

mod check;
mod constants;
mod cursor;
mod fortran_arguments;
mod fortran_descriptors;
mod fortran_lines;
mod parse;
mod prototype;

pub use cursor::Error;
pub use prototype::{Declared, Prototype, Type, all as prototypes};
pub use table::Api;

use std::fs;
use std::path::{Path, PathBuf};

/// The file of the constants.
const CONSTANTS: &str = "constants.txt";

/// Reads the folder of the description: a file for each chapter, in the order of their names, and
/// one for the constants.
pub fn read(folder: &Path) -> Result<Api, Error> {
    let mut api = Api::default();
    for path in files(folder)? {
        let text = fs::read_to_string(&path).map_err(|e| Error::file(&path, &e.to_string()))?;
        if path.ends_with(CONSTANTS) {
            api.constants = constants::parse(&path, &text)?;
        } else {
            api.chapters.push(parse::chapter(&path, &text)?);
        }
    }
    check::check(&api)?;
    Ok(api)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |e: std::io::Error| Error::file(folder, &e.to_string());
    let entries = fs::read_dir(folder).map_err(failed)?;
    let paths = entries.map(|e| e.map(|e| e.path())).collect::<Result<Vec<_>, _>>();
    let mut paths = paths.map_err(failed)?;
    paths.retain(|p| p.extension().is_some_and(|e| e == "txt"));
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prototype::of_chapter;
    use crate::table::{Chapter, Direction, Group, Mark, Owner};

    const SAMPLE: &str = "
# Comments may stand anywhere.
chapter 6. Collective communication

MPI_Gatherv / MPI_Igatherv / MPI_Gatherv_init
    in   sendbuf     buffer(sendcount, sendtype) in-place
    in   sendcount   count
    in   sendtype    datatype
    out  recvbuf     buffer(recvcounts, displs, recvtype) at-root
    in   recvcounts  count[peers(comm)] at-root
    in   displs      displacement[peers(comm)] at-root
    in   recvtype    datatype at-root
    in   root        root(comm)
    in   comm        comm

MPI_Op_create
    in   user_fn  callback(MPI_User_function)
    in   commute  flag
    new  op       op
";

    fn chapter(text: &str) -> Result<Chapter, Error> {
        parse::chapter(Path::new("c.txt"), text)
    }

    fn api(text: &str) -> Result<Api, Error> {
        let api = Api { chapters: vec![chapter(text)?], constants: Vec::new() };
        check::check(&api).map(|()| api)
    }

    /// What is said about a function with these lines under its name.
    fn complaint(lines: &str) -> String {
        let text = format!("chapter 3. P2P\n\nMPI_F\n{lines}\n");
        api(&text).expect_err("it is wrong").to_string()
    }

    #[test]
    fn a_function_is_read_as_it_is_written() {
        let chapter = chapter(SAMPLE).unwrap();
        assert_eq!((chapter.number, &*chapter.title), (6, "Collective communication"));
        let f = &chapter.functions[0];
        assert_eq!(f.collective, Some(["MPI_Igatherv".into(), "MPI_Gatherv_init".into()]));
        assert_eq!(f.owner, Owner::Parameter("comm".to_string()));
        let displs = f.parameter("displs").unwrap();
        assert_eq!((displs.kind.name, displs.direction), ("displacement", Direction::In));
        assert_eq!(displs.length.as_deref(), Some("peers(comm)"));
        assert!(displs.has(Mark::AtRoot) && f.parameters[0].has(Mark::InPlace));
        assert_eq!(f.parameter("recvbuf").unwrap().arguments, ["recvcounts", "displs", "recvtype"]);
        assert_eq!(chapter.functions[1].owner, Owner::Process, "it begins with no object");
    }

    #[test]
    fn a_description_means_up_to_six_functions() {
        let chapter = chapter(SAMPLE).unwrap();
        let all = of_chapter(&chapter);
        let names: Vec<&str> = all.iter().map(|p| &*p.name).collect();
        let expected = [
            "MPI_Gatherv",
            "MPI_Gatherv_c",
            "MPI_Gatherv_init",
            "MPI_Gatherv_init_c",
            "MPI_Igatherv",
            "MPI_Igatherv_c",
            "MPI_Op_create",
            "MPI_Op_create_c",
        ];
        assert_eq!(names, expected);
        let last = |i: usize| all[i].parameters.iter().rev().take(3).map(|p| &*p.name);
        assert_eq!(last(2).collect::<Vec<_>>(), ["request", "info", "comm"]);
        assert_eq!(last(4).collect::<Vec<_>>(), ["request", "comm", "root"]);
    }

    #[test]
    fn c_and_rust_have_the_same_types() {
        let api = api(SAMPLE).unwrap();
        let header = "/*\n * Chapter 6. x\n */\n#include \"mpi_removed.h\"";
        let c = c::with_prototypes(header, &api);
        let expected = "int MPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, \
                        MPI_Datatype sendtype, void *recvbuf,\n    \
                        const MPI_Count recvcounts[], const MPI_Aint displs[], \
                        MPI_Datatype recvtype, int root,\n    MPI_Comm comm);\n";
        assert!(c.contains(expected), "{c}");
        assert!(c.contains("int PMPI_Op_create_c(MPI_User_function_c *user_fn, "), "{c}");
        let rust = rust::entries(&api);
        let expected = "fn MPI_Gatherv(sendbuf: *const c_void, sendcount: c_int, \
                        sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcounts: *const c_int, \
                        displs: *const c_int, recvtype: MPI_Datatype, root: c_int, \
                        comm: MPI_Comm) -> c_int;";
        assert!(rust.contains(expected), "{rust}");
        assert!(rust.contains("user_fn: Option<MPI_User_function_c>"), "{rust}");
    }

    #[test]
    fn a_subroutine_of_fortran_converts_its_arguments() {
        let text = "chapter 3. P2P\n\nMPI_Waitany\n    in count number\n    \
                    complete requests request[count]\n    out index index\n    \
                    out status status\n    in name string\n";
        let rust = fortran::subroutines_in_rust(&api(text).unwrap());
        let expected = "pub unsafe extern \"C\" fn mpi_waitany_(count: *mut c_int, \
                        requests: *mut c_int, index: *mut c_int, status: *mut MPI_Status, \
                        name: *mut c_char, ierror: *mut c_int, name_len: usize) {";
        assert!(rust.contains(expected), "{rust}");
        let expected = "        let code = MPI_Waitany(*count, requests_c.as_mut_ptr(), index, \
                        special::status(status), name_c.as_ptr());\n        \
                        set_handles(requests, &requests_c);\n        from_one(&1, index);\n";
        assert!(rust.contains(expected), "{rust}");
        assert!(rust.contains("fn pmpi_waitany_"), "{rust}");
    }

    #[test]
    fn a_missing_function_names_whom_its_error_concerns() {
        let owner = |lines: &str| {
            let text = format!("chapter 14. I/O\n    errors default-file\n\nMPI_F\n{lines}");
            let entries = rust::entries(&api(&text).unwrap());
            let line = entries.lines().rev().nth(1).unwrap_or_default().to_string();
            line.rsplit_once(", ").unwrap().1.to_string()
        };
        assert_eq!(owner("    missing\n    in  win  win\n"), "Owner::Win(win);");
        assert_eq!(owner("    missing\n    errors none\n    in  n  number"), "Owner::Tools;");
        assert_eq!(owner("    missing\n    in  a  info"), "Owner::File(MPI_FILE_NULL);");
        assert_eq!(owner("    missing\n    free fh file"), "Owner::File(MPI_FILE_NULL);");
    }

    #[test]
    fn what_is_wrong_is_said_with_file_and_line() {
        assert_eq!(
            complaint("    sideways  count  count"),
            "c.txt:4: `sideways` is no direction; these are: in out inout new free complete"
        );
        assert_eq!(
            complaint("    in  count  cuont"),
            "c.txt:4: `cuont` is no kind; api/README.md lists the kinds there are"
        );
        assert!(complaint("    in  count").starts_with("c.txt:4: a parameter has a direction"));
        assert!(complaint("    in  a  count[n]").starts_with("c.txt:4: `[n]` is no length"));
        assert_eq!(complaint("    in  a  count[n"), "c.txt:4: `[` without `]`");
        let twice = complaint("    in  a  count\n    in  a  count");
        assert_eq!(twice, "c.txt:5: MPI_F has two parameters a");
        assert!(complaint("    in  a  count often").contains("`often` is no mark"));
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let of_buffer = complaint("    in  buf  buffer(counts)\n    in  count  count");
        assert_eq!(of_buffer, "c.txt:4: `counts` is no count, displacement or datatype of MPI_F");
        assert!(complaint("    in  dest  peer(comm)").contains("a rank names one parameter"));
        assert!(complaint("    new  count  count").contains("neither made nor freed"));
        assert!(complaint("    in  order  choice(order)").contains("no group `int order`"));
        assert!(complaint("    errors comm").contains("MPI_F has no such parameter"));
        assert!(complaint("    in  a  number in-place").contains("said of buffers"));
        let twice = "chapter 3. P2P\n\nMPI_F\n\nMPI_F\n";
        assert_eq!(api(twice).unwrap_err().to_string(), "c.txt:5: MPI_F is described twice");
    }

    #[test]
    fn constants_have_the_type_that_their_group_says() {
        let text = "null datatype\n    MPI_DATATYPE_NULL\nhandle datatype\n    MPI_INT MPI_ALIAS\n\
                    int root\n    MPI_ROOT\nbuffer\n    MPI_IN_PLACE\n\
                    pointer weight\n    MPI_UNW\n";
        let constants = constants::parse(Path::new("k.txt"), text).unwrap();
        let api = Api { chapters: Vec::new(), constants };
        let header = "#define MPI_DATATYPE_NULL ((MPI_Datatype) 0x200)\n\
                      #define MPI_INT ((MPI_Datatype) 0x209)\n#define MPI_ALIAS MPI_INT\n\
                      #define MPI_IN_PLACE ((void *) 1)\n#define MPI_UNW ((int *) 10)\n";
        let values =
            |root: &str| header::Values::read(&format!("{header}#define MPI_ROOT {root}\n"));
        let rust = rust::constants(&api, &values("(-4)")).unwrap();
        let expected = [
            "pub const MPI_DATATYPE_NULL: MPI_Datatype = MPI_Datatype(0x200);",
            "pub const MPI_INT: MPI_Datatype = MPI_Datatype(0x209);",
            "pub const MPI_ALIAS: MPI_Datatype = MPI_INT;",
            "pub const MPI_ROOT: c_int = -4;",
            "pub const MPI_IN_PLACE: *const std::ffi::c_void = std::ptr::without_provenance(1);",
            "pub const MPI_UNW: usize = 10;",
            "pub const DATATYPE_NAMES: &[(&str, MPI_Datatype)] = &[",
            "    (\"MPI_DATATYPE_NULL\", MPI_DATATYPE_NULL),",
            "    (\"MPI_INT\", MPI_INT),",
            "    (\"MPI_ALIAS\", MPI_ALIAS),",
            "];",
            "pub const OP_NAMES: &[(&str, MPI_Op)] = &[",
            "];",
        ];
        assert_eq!(rust.lines().collect::<Vec<_>>(), expected);
        let wrong = rust::constants(&api, &values("((MPI_Comm) 1)")).unwrap_err();
        assert!(wrong.starts_with("k.txt:5: MPI_ROOT is cast to"), "{wrong}");
        let none = rust::constants(&api, &header::Values::read("")).unwrap_err();
        assert_eq!(none, "k.txt:1: no header defines MPI_DATATYPE_NULL");
        let groups: Vec<&Group> = api.constants.iter().collect();
        assert_eq!(groups[1].names, ["MPI_INT", "MPI_ALIAS"]);
    }
}
