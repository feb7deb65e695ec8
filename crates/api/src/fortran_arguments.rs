//! How subroutines of the Fortran interface pass their arguments on to the C functions: what of
//! each comes before the call, in it and after it. Those written by hand are listed here too.

use crate::prototype::{Declared, Prototype, Type};
use crate::rust::{rust_type, usable};
use crate::table::{Direction, Parameter};

/// Functions whose subroutines are written by hand, because their arguments mean something else in
/// Fortran: text with lengths, values of attributes, callbacks, results.
pub const BY_HAND: &[&str] = &[
    "MPI_Abi_get_fortran_booleans",
    "MPI_Abi_set_fortran_booleans",
    "MPI_Aint_add",
    "MPI_Aint_diff",
    "MPI_Attr_get",
    "MPI_Attr_put",
    "MPI_Buffer_detach",
    "MPI_Comm_create_keyval",
    "MPI_Comm_detach_buffer",
    "MPI_Comm_get_attr",
    "MPI_Comm_set_attr",
    "MPI_Comm_spawn",
    "MPI_Comm_spawn_multiple",
    "MPI_Grequest_start",
    "MPI_Info_create_env",
    "MPI_Info_get",
    "MPI_Info_get_string",
    "MPI_Init",
    "MPI_Init_thread",
    "MPI_Keyval_create",
    "MPI_Pcontrol",
    "MPI_Register_datarep",
    "MPI_Session_detach_buffer",
    "MPI_Session_get_nth_pset",
    "MPI_Type_create_keyval",
    "MPI_Type_get_attr",
    "MPI_Type_set_attr",
    "MPI_Win_create_keyval",
    "MPI_Win_get_attr",
    "MPI_Win_set_attr",
    "MPI_Wtick",
    "MPI_Wtime",
];

/// How one argument is passed on.
#[derive(Default)]
pub(crate) struct Passed {
    /// Its type as Fortran passes it.
    pub ty: String,
    /// What comes before the call.
    pub before: String,
    /// What C gets.
    pub argument: String,
    /// What comes after the call.
    pub after: String,
    /// Whether Fortran passes a length behind the arguments.
    pub has_length: bool,
}

/// How an argument of a subroutine is passed on.
pub(crate) fn passed_as(prototype: &Prototype, declared: &Declared) -> Passed {
    let name = usable(&declared.name);
    match prototype.function.parameter(&declared.name) {
        Some(parameter) => passed(&name, parameter, &declared.ty),
        // `info` and `request` of the forms of a collective operation.
        None if declared.ty.stars == 1 => handle(&name, Direction::New),
        None => handle(&name, Direction::In),
    }
}

/// A handle alone.
fn handle(name: &str, direction: Direction) -> Passed {
    let mut passed = Passed { ty: "*mut c_int".to_string(), ..Passed::default() };
    if direction == Direction::In {
        passed.argument = format!("handle(*{name})");
        return passed;
    }
    passed.before = format!("        let mut {name}_c = handle(read({name}));\n");
    passed.argument = format!("&raw mut {name}_c");
    passed.after = format!("        set({name}, number({name}_c));\n");
    passed
}

/// An array of handles; C's are longer.
fn handles(name: &str, length: &str, direction: Direction) -> Passed {
    let length = array_length(length);
    let mut passed = Passed { ty: "*mut c_int".to_string(), ..Passed::default() };
    passed.before = format!("        let mut {name}_c = handles({name}, {length});\n");
    passed.argument = format!("{name}_c.as_mut_ptr()");
    if direction != Direction::In {
        passed.after = format!("        set_handles({name}, &{name}_c);\n");
    }
    passed
}

/// The number of elements, in Rust: a parameter, or what a communicator says.
fn array_length(length: &str) -> String {
    match length.strip_suffix(')').and_then(|l| l.split_once('(')) {
        Some((what, of)) => format!("{what}(handle(*{of}))"),
        None => format!("*{length}"),
    }
}

fn passed(name: &str, p: &Parameter, ty: &Type) -> Passed {
    let plain =
        |ty: &str, argument: String| Passed { ty: ty.to_string(), argument, ..Passed::default() };
    let address = rust_type(&Type { is_array: false, stars: 1, ..ty.clone() });
    match (p.kind.name, &p.length) {
        ("string", _) => string(name, p, matches!(&*p.name, "key" | "value")),
        ("index", Some(_)) => Passed {
            // A call that fails does not say how many there are.
            before: "        set(outcount, 0);\n".to_string(),
            after: format!("        from_one(outcount, {name});\n"),
            ..plain("*mut c_int", name.to_string())
        },
        ("index", None) => Passed {
            after: format!("        from_one(&1, {name});\n"),
            ..plain("*mut c_int", name.to_string())
        },
        ("status", None) => plain("*mut MPI_Status", format!("special::status({name})")),
        ("status", Some(_)) => plain("*mut MPI_Status", format!("special::statuses({name})")),
        ("weight", _) => plain("*mut c_int", format!("special::weights({name})")),
        ("buffer" | "memory" | "location", _) => {
            plain("*mut c_void", format!("special::buffer({name})"))
        }
        ("pointer" | "extra-state", _) => plain("*mut c_void", name.to_string()),
        ("callback", _) => plain("*const c_void", format!("convert::function({name})")),
        (_, Some(length)) if p.kind.is_handle() => handles(name, length, p.direction),
        (_, None) if p.kind.is_handle() => handle(name, p.direction),
        // Numbers and truth values have the same form in both languages.
        _ if ty.stars == 0 && !ty.is_array => plain(&address, format!("*{name}")),
        _ => plain(&rust_type(ty), name.to_string()),
    }
}

/// A text, which in Fortran ends with blanks.
fn string(name: &str, p: &Parameter, is_of_info: bool) -> Passed {
    let mut passed =
        Passed { ty: "*mut c_char".to_string(), has_length: true, ..Passed::default() };
    if p.direction == Direction::In {
        let read = if is_of_info { "info_text" } else { "text" };
        passed.before = format!("        let {name}_c = {read}({name}, {name}_len);\n");
        passed.argument = format!("{name}_c.as_ptr()");
        return passed;
    }
    passed.before = format!("        let mut {name}_c = Room::new({name}_len);\n");
    passed.argument = format!("{name}_c.as_mut_ptr()");
    passed.after = format!("        {name}_c.give({name}, {name}_len);\n");
    passed
}
