//! The functions of another family of MPI libraries in Rust: for each function one that takes its
//! arguments as that family's header declares them, converts them, and calls the body of the
//! standard ABI. It is generic in the family: a type with its handles, statuses and constants.

use std::fmt::Write;

use crate::prototype::{Declared, Prototype, Type, all};
use crate::rust::{rust_type, usable};
use crate::table::{Api, Direction, Parameter};

/// Functions that are written by hand, because their arguments are not converted one by one:
/// callbacks, attributes, arrays whose elements differ in meaning.
pub const BY_HAND: &[&str] = &[
    "MPI_Attr_get",
    "MPI_Attr_put",
    "MPI_Comm_create_errhandler",
    "MPI_Comm_create_keyval",
    "MPI_Comm_get_attr",
    "MPI_File_create_errhandler",
    "MPI_Grequest_start",
    "MPI_Keyval_create",
    "MPI_Op_create",
    "MPI_Pcontrol",
    "MPI_Register_datarep",
    "MPI_Session_create_errhandler",
    "MPI_Type_create_keyval",
    "MPI_Type_get_contents",
    "MPI_Win_create_errhandler",
    "MPI_Win_create_keyval",
    "MPI_Win_get_attr",
];

/// How one argument is passed on.
#[derive(Default)]
struct Passed {
    /// Its type in the family.
    ty: String,
    /// What comes before the call.
    before: String,
    /// What the standard's function gets.
    argument: String,
    /// What comes after the call.
    after: String,
}

/// The generic functions.
pub fn functions_in_rust(api: &Api) -> String {
    let mut out = String::new();
    for prototype in all(api).filter(|p| !BY_HAND.contains(&&*p.function.name)) {
        out += &function(&prototype);
    }
    out
}

fn function(prototype: &Prototype) -> String {
    let (mut parameters, mut before) = (String::new(), String::new());
    let (mut arguments, mut after) = (Vec::new(), String::new());
    for declared in &prototype.parameters {
        let name = usable(&declared.name);
        let passed = match prototype.function.parameter(&declared.name) {
            Some(parameter) => passed(&name, parameter, &declared.ty),
            None => of_collective(&name, declared),
        };
        write!(parameters, "{name}: {}, ", passed.ty).expect("a string takes all");
        before += &passed.before;
        arguments.push(passed.argument);
        after += &passed.after;
    }
    let (name, arguments) = (&prototype.name, arguments.join(", "));
    let returns = rust_type(&prototype.returns);
    let result = match (&*returns, &prototype.function.result) {
        ("c_int", None) => "F::code_back(result)",
        _ => "result",
    };
    format!(
        "/// `{name}`.\npub unsafe fn {name}<F: Family>({parameters}) -> {returns} {{\n    \
         // SAFETY: the program passes what the standard says.\n    unsafe {{\n{before}        \
         let result = standard::{name}({arguments});\n{after}        {result}\n    }}\n}}\n\n"
    )
}

/// `info` and `request` of the forms of a collective operation.
fn of_collective(name: &str, declared: &Declared) -> Passed {
    let direction = if declared.ty.stars == 1 { Direction::New } else { Direction::In };
    handle(name, &declared.ty.base, direction)
}

/// `MPI_Comm` is `F::Comm` in a family.
fn family_type(standard: &str) -> String {
    standard.replacen("MPI_", "F::", 1)
}

fn handle(name: &str, ty: &str, direction: Direction) -> Passed {
    let family = family_type(ty);
    if direction == Direction::In {
        let argument = format!("{name}.to_standard()");
        return Passed { ty: family, argument, ..Passed::default() };
    }
    // What an object's handle is written to may hold anything before.
    let kind = if direction.is_read() { "Changed" } else { "Written" };
    Passed {
        ty: format!("*mut {family}"),
        before: format!("        let mut {name}_s = {kind}::<{family}, {ty}>::new({name});\n"),
        argument: format!("{name}_s.as_mut_ptr()"),
        after: format!("        {name}_s.give({name});\n"),
    }
}

fn handles(name: &str, ty: &str, length: &str, direction: Direction) -> Passed {
    let family = family_type(ty);
    let pointer = if direction == Direction::In { "*const" } else { "*mut" };
    let length = array_length(length);
    let after = match direction {
        Direction::In => String::new(),
        _ => format!("        {name}_s.give({name});\n"),
    };
    Passed {
        ty: format!("{pointer} {family}"),
        before: format!(
            "        let mut {name}_s = Several::<{family}, {ty}>::new({name}, {length});\n"
        ),
        argument: format!("{name}_s.as_mut_ptr()"),
        after,
    }
}

/// The number of elements, in Rust: a parameter, or what a communicator says.
fn array_length(length: &str) -> String {
    match length.strip_suffix(')').and_then(|l| l.split_once('(')) {
        Some((what, of)) => format!("lengths::{what}({of}.to_standard())"),
        None => length.to_string(),
    }
}

/// The name of the conversion of a number that may be a constant; `None` if it never is.
fn conversion(p: &Parameter) -> Option<String> {
    Some(match p.kind.name {
        "rank" | "peer" | "source" | "root" | "maybe-rank" => "rank".to_string(),
        "any-tag" => "tag".to_string(),
        "index" | "color" | "count" if p.direction.is_written() || p.kind.name != "count" => {
            "undefined".to_string()
        }
        "keyval" => "keyval".to_string(),
        "error-code" | "error-class" => "code".to_string(),
        "choice" | "bits" => {
            format!("{}_{}", p.kind.name, p.arguments.first()?.replace('-', "_"))
        }
        _ => return None,
    })
}

fn passed(name: &str, p: &Parameter, ty: &Type) -> Passed {
    let plain = |argument: String| Passed { ty: rust_type(ty), argument, ..Passed::default() };
    match (p.kind.name, &p.length) {
        ("status", length) => status(name, p, length.as_deref()),
        ("buffer" | "memory" | "location", _) => plain(format!("F::buffer({name})")),
        ("weight", _) => plain(format!("F::weights({name})")),
        ("string", _) if p.direction.is_written() => Passed {
            ty: rust_type(ty),
            before: format!("        let mut {name}_s = Room::new({name});\n"),
            argument: format!("{name}_s.as_mut_ptr()"),
            after: format!("        {name}_s.give({name}, F::{});\n", text_length(p)),
        },
        (_, Some(length)) if p.kind.is_handle() => handles(name, &ty.base, length, p.direction),
        (_, None) if p.kind.is_handle() => handle(name, &ty.base, p.direction),
        _ => match conversion(p) {
            Some(kind) => number(name, &kind, p, ty),
            None => plain(name.to_string()),
        },
    }
}

/// The length that the family's header promises for a text.
fn text_length(p: &Parameter) -> String {
    p.length.clone().filter(|l| l.starts_with("MPI_")).unwrap_or("ANY_LENGTH".to_string())
}

fn status(name: &str, p: &Parameter, length: Option<&str>) -> Passed {
    let pointer = if p.direction == Direction::In { "*const" } else { "*mut" };
    let count = length.map_or("1".to_string(), array_length);
    let after = match p.direction {
        Direction::In => String::new(),
        _ => format!("        {name}_s.give({name});\n"),
    };
    Passed {
        ty: format!("{pointer} F::Status"),
        before: format!("        let mut {name}_s = Statuses::<F>::new({name}, {count});\n"),
        argument: format!("{name}_s.as_mut_ptr()"),
        after,
    }
}

/// A number, or several, that may be a constant.
fn number(name: &str, kind: &str, p: &Parameter, ty: &Type) -> Passed {
    let mut passed = Passed { ty: rust_type(ty), ..Passed::default() };
    match (&p.length, ty.stars == 0 && !ty.is_array) {
        (Some(length), _) => {
            let length = array_length(length);
            passed.before =
                format!("        let mut {name}_s = Numbers::new({name}, {length}, F::{kind});\n");
            passed.argument = format!("{name}_s.as_mut_ptr()");
            if p.direction.is_written() {
                passed.after = format!("        {name}_s.give({name}, F::{kind}_back);\n");
            }
        }
        (None, true) => passed.argument = format!("F::{kind}({name})"),
        (None, false) => {
            passed.argument = name.to_string();
            passed.after = format!("        change({name}, F::{kind}_back);\n");
        }
    }
    passed
}
