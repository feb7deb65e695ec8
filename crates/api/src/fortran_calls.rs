//! A program for each of Fortran's interfaces that calls all its routines, as the standard declares
//! them. It compiles and links if the interface has every routine and takes arguments of these
//! types; nothing is called when it runs. The types come from the kinds of the parameters alone,
//! not from the code that makes the interfaces.

use std::fmt::Write;

use crate::fortran_lines::broken;
use crate::fortran_modules::is_provided;
use crate::prototype::{Declared, Prototype, of_chapter};
use crate::table::{Api, Direction, Interface, Mark, is_large_callback};

/// The variables that all calls share: what the standard says of them does not differ.
const VARIABLES: &str = "  \
  integer :: n, ns(4), triples(3, 4), ierror
  integer(kind=MPI_ADDRESS_KIND) :: address, addresses(4)
  integer(kind=MPI_COUNT_KIND) :: count, counts(4)
  integer(kind=MPI_OFFSET_KIND) :: offset
  logical :: flag, flags(4)
  double precision :: seconds
  character(len=64) :: text, texts(4), lists(4, 4)
  real :: buffer(2, 8)
  type(C_PTR) :: pointer
  external :: callback
";
const END: &str = "\
end program

subroutine callback()
end subroutine
";

/// The kinds of handles.
const HANDLES: [&str; 11] = [
    "comm",
    "datatype",
    "errhandler",
    "file",
    "group",
    "info",
    "message",
    "op",
    "request",
    "session",
    "win",
];

/// Routines whose arguments in Fortran are not those of C, without the error code.
const OWN_ARGUMENTS: &[(&str, &str)] = &[
    ("MPI_Attr_get", "comm, n, n, flag"),
    ("MPI_Attr_put", "comm, n, n"),
    ("MPI_Buffer_detach", "buffer, n"),
    ("MPI_Comm_detach_buffer", "comm, buffer, n"),
    ("MPI_Info_create_env", "info"),
    ("MPI_Init", ""),
    ("MPI_Init_thread", "n, n"),
    ("MPI_Keyval_create", "callback, callback, n, n"),
    ("MPI_Session_detach_buffer", "session, buffer, n"),
];

/// What has no error code: how it is called.
const WITHOUT_CODE: [(&str, &str); 5] = [
    ("MPI_Aint_add", "address = MPI_Aint_add(address, address)"),
    ("MPI_Aint_diff", "address = MPI_Aint_diff(address, address)"),
    ("MPI_Pcontrol", "call MPI_Pcontrol(n)"),
    ("MPI_Wtick", "seconds = MPI_Wtick()"),
    ("MPI_Wtime", "seconds = MPI_Wtime()"),
];

/// Functions of the program, as `mpi_f08` declares them: their arguments in order.
const CALLBACKS: [(&str, &str); 16] = [
    ("MPI_User_function", "pointer pointer count datatype"),
    ("MPI_Comm_copy_attr_function", "comm n address address address flag n"),
    ("MPI_Comm_delete_attr_function", "comm n address address n"),
    ("MPI_Comm_errhandler_function", "comm n"),
    ("MPI_Datarep_conversion_function", "pointer datatype count pointer offset address n"),
    ("MPI_Datarep_extent_function", "datatype address address n"),
    ("MPI_File_errhandler_function", "file n"),
    ("MPI_Grequest_cancel_function", "address flag n"),
    ("MPI_Grequest_free_function", "address n"),
    ("MPI_Grequest_query_function", "address status n"),
    ("MPI_Session_errhandler_function", "session n"),
    ("MPI_Type_copy_attr_function", "datatype n address address address flag n"),
    ("MPI_Type_delete_attr_function", "datatype n address address n"),
    ("MPI_Win_copy_attr_function", "win n address address address flag n"),
    ("MPI_Win_delete_attr_function", "win n address address n"),
    ("MPI_Win_errhandler_function", "win n"),
];

/// The chapter of what concerns languages.
const LANGUAGES: u32 = 19;
/// Routines that the description does not have, as C has none of them.
const OF_FORTRAN_ALONE: &str = "    \
    call MPI_Sizeof(buffer, n, ierror)
    call MPI_Sizeof(text, n, ierror)
    call MPI_F_sync_reg(buffer)
    call PMPI_F_sync_reg(n)
";
const OF_THE_INCLUDE_FILE: &str = "    \
    call MPI_F_sync_reg(buffer)
    call PMPI_F_sync_reg(n)
";

/// The program for an interface.
pub fn program(api: &Api, interface: Interface) -> String {
    let mut out = "! Calls every routine of an interface. Generated.\n".to_string();
    if interface == Interface::MpiF08 {
        out += &callbacks();
    }
    out += "program every_routine\n  use, intrinsic :: iso_c_binding, only: C_PTR\n";
    out += match interface {
        // Without an interface the name alone would do.
        Interface::MpiF08 => "  use mpi_f08\n  use callbacks\n  implicit none (type, external)\n",
        Interface::Mpi => "  use mpi\n  implicit none (type, external)\n",
        Interface::MpifH | Interface::C => "  implicit none\n  include 'mpif.h'\n",
    };
    out += &handles_and_statuses(interface);
    out += VARIABLES;
    // What no compiler can know to be false, so that it leaves no call out.
    out += "  if (command_argument_count() < 0) then\n";
    for chapter in &api.chapters {
        writeln!(out, "    call chapter_{}()", chapter.number).expect("a string takes all");
    }
    out += "  end if\n  print '(a)', 'all routines are there'\ncontains\n";
    for chapter in &api.chapters {
        writeln!(out, "  subroutine chapter_{}()", chapter.number).expect("a string takes all");
        if chapter.number == LANGUAGES {
            let is_module = interface != Interface::MpifH;
            out += if is_module { OF_FORTRAN_ALONE } else { OF_THE_INCLUDE_FILE };
        }
        let is_there = |p: &Prototype| is_of(p, interface) && is_provided(p, interface);
        for prototype in of_chapter(chapter).iter().filter(|p| is_there(p)) {
            for line in lines(prototype, interface) {
                out += &broken(&format!("    {line}"));
                // Of `mpi_f08` once with and once without the error code.
                let profiling = line.replacen("MPI_", "PMPI_", 1);
                let is_optional = interface == Interface::MpiF08;
                let without = profiling.replace(", ierror)", ")").replace("(ierror)", "()");
                let profiling = if is_optional { without } else { profiling };
                out += &broken(&format!("    {profiling}"));
            }
        }
        out += "  end subroutine\n";
    }
    out + END
}

/// A module of them: with internal procedures the program would need an executable stack.
fn callbacks() -> String {
    let mut out = "module callbacks\n  use, intrinsic :: iso_c_binding, only: C_PTR\n  \
                   use mpi_f08\n  implicit none\ncontains\n"
        .to_string();
    for (name, arguments) in CALLBACKS {
        out += &callback(name, arguments, "integer");
        if is_large_callback(name) {
            let name = format!("{name}_c");
            out += &callback(&name, arguments, "integer(kind=MPI_COUNT_KIND)");
        }
    }
    out + "end module\n\n"
}

/// A function of the program, of one of the types of `mpi_f08`.
fn callback(ty: &str, arguments: &str, count: &str) -> String {
    let words: Vec<&str> = arguments.split(' ').collect();
    let names: Vec<String> = (1..=words.len()).map(|n| format!("a{n}")).collect();
    let mut out = format!("  subroutine {}({})\n", own_name(ty), names.join(", "));
    for (word, name) in words.iter().zip(&names) {
        let ty = match *word {
            "pointer" => "type(C_PTR), value".to_string(),
            "count" => count.to_string(),
            "address" => "integer(kind=MPI_ADDRESS_KIND)".to_string(),
            "offset" => "integer(kind=MPI_OFFSET_KIND)".to_string(),
            "flag" => "logical".to_string(),
            "n" => "integer".to_string(),
            kind => format!("type(MPI_{})", capital(kind)),
        };
        writeln!(out, "    {ty} :: {name}").expect("a string takes all");
    }
    out + "  end subroutine\n"
}

/// The name of the program's function of a type.
fn own_name(ty: &str) -> String {
    ty.trim_start_matches("MPI_").to_lowercase()
}

fn capital(kind: &str) -> String {
    kind[..1].to_uppercase() + &kind[1..]
}

/// The older interfaces have no forms with large counts.
fn is_of(prototype: &Prototype, interface: Interface) -> bool {
    let has_large_counts = interface == Interface::MpiF08;
    prototype.function.interfaces.contains(&interface) && (has_large_counts || !prototype.is_large)
}

fn handles_and_statuses(interface: Interface) -> String {
    let mut out = String::new();
    for kind in HANDLES {
        let ty = match interface {
            Interface::MpiF08 => format!("type(MPI_{})", capital(kind)),
            _ => "integer".to_string(),
        };
        writeln!(out, "  {ty} :: {kind}, {kind}s(4)").expect("a string takes all");
    }
    out + match interface {
        Interface::MpiF08 => "  type(MPI_Status) :: status, statuses(4)\n",
        _ => "  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 4)\n",
    }
}

/// The calls of a routine: two where its argument has two types.
fn lines(prototype: &Prototype, interface: Interface) -> Vec<String> {
    let name = &*prototype.function.name;
    if let Some((_, line)) = WITHOUT_CODE.iter().find(|(other, _)| *other == name) {
        return vec![line.to_string()];
    }
    let own = OWN_ARGUMENTS.iter().find(|(other, _)| *other == name);
    let arguments = match own {
        Some(("MPI_Init", _)) => vec![],
        // Where `mpi` returns an address in any variable.
        Some((_, own)) if interface == Interface::MpiF08 => vec![own.replace("buffer", "pointer")],
        Some((_, own)) => vec![own.to_string()],
        None => prototype.parameters.iter().map(|p| argument(prototype, p, interface)).collect(),
    };
    let arguments = [arguments, vec!["ierror".to_string()]].concat().join(", ");
    let line = format!("call {}({arguments})", called(prototype));
    match interface {
        Interface::MpifH => vec![line.replace("pointer", "address")],
        Interface::Mpi if line.contains("pointer") => {
            vec![line.replace("pointer", "address"), line]
        }
        _ => vec![line],
    }
}

/// Its name: forms with large counts share one with the others, unless no compiler could tell them
/// apart, as kinds of addresses and of counts are the same here.
fn called<'a>(prototype: &'a Prototype) -> &'a str {
    let is_told = prototype.function.parameters.iter().any(|p| {
        let is_longer = matches!(
            p.kind.name,
            "count" | "stride" | "bytes" | "displacement" | "displacement-unit"
        );
        is_longer || p.has(Mark::LargeOnly)
    });
    if is_told { prototype.name.trim_end_matches("_c") } else { &prototype.name }
}

/// The variable that stands for a parameter.
fn argument(prototype: &Prototype, declared: &Declared, interface: Interface) -> String {
    let Some(p) = prototype.function.parameter(&declared.name) else {
        // Of the forms of a collective operation: `info` and `request`.
        return declared.name.clone();
    };
    let is_large = prototype.is_large;
    let is_array = p.length.is_some();
    let one_or_several = |one: &str, several: &str| {
        let name = if is_array { several } else { one };
        name.to_string()
    };
    match p.kind.name {
        "count" | "stride" | "bytes" | "byte-displacement" | "large-count"
            if is_large || p.kind.name == "large-count" =>
        {
            one_or_several("count", "counts")
        }
        "displacement" | "displacement-unit" if is_large => one_or_several("address", "addresses"),
        "byte-displacement" | "address" | "target-displacement" | "memory-size" => {
            one_or_several("address", "addresses")
        }
        "attribute" | "extra-state" => "address".to_string(),
        "offset" => "offset".to_string(),
        "flag" => one_or_several("flag", "flags"),
        "rank-range" => "triples".to_string(),
        "weight" => "ns".to_string(),
        "status" => one_or_several("status", "statuses"),
        "buffer" | "memory" | "location" => "buffer".to_string(),
        "pointer" => "pointer".to_string(),
        "callback" if interface == Interface::MpiF08 => own_name(&declared.ty.base),
        "callback" => "callback".to_string(),
        // The length of a string that is written is no array's.
        "string" if p.direction == Direction::In => one_or_several("text", "texts"),
        "string" => "text".to_string(),
        "arguments" => one_or_several("texts", "lists"),
        kind if HANDLES.contains(&kind) => one_or_several(kind, &format!("{kind}s")),
        _ => one_or_several("n", "ns"),
    }
}
