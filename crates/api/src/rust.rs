//! Rust source for the library: the constants, and the exported functions.

use std::fmt::Write;

use crate::header::Values;
use crate::prototype::{Prototype, Type, all};
use crate::table::{Api, Class, Function, Group, Owner};

/// The exported functions: each calls the body of the same name, and one that is missing a body
/// that says so.
pub fn entries(api: &Api) -> String {
    let mut exported = "export! {\n".to_string();
    let mut missing = "missing! {\n".to_string();
    for prototype in all(api) {
        let signature = signature(&prototype);
        writeln!(exported, "    {signature};").expect("a string takes all");
        if prototype.function.is_missing {
            let owner = owner(prototype.function);
            writeln!(missing, "    {signature}, {owner};").expect("a string takes all");
        }
    }
    format!("{exported}}}\n\n{missing}}}\n")
}

/// `fn MPI_Wait(request: *mut MPI_Request, status: *mut MPI_Status) -> c_int`
fn signature(prototype: &Prototype) -> String {
    let parameter = |name: &str, ty: &Type| format!("{}: {}", usable(name), rust_type(ty));
    let parameters: Vec<String> =
        prototype.parameters.iter().map(|p| parameter(&p.name, &p.ty)).collect();
    let returns = rust_type(&prototype.returns);
    format!("fn {}({}) -> {returns}", prototype.name, parameters.join(", "))
}

/// The object whose error handler hears that a function is missing.
fn owner(function: &Function) -> String {
    let parameter = match &function.owner {
        Owner::Nobody => return "Owner::Tools".to_string(),
        Owner::DefaultFile => return "Owner::File(MPI_FILE_NULL)".to_string(),
        Owner::Process => None,
        Owner::Parameter(name) => function.parameter(name),
    };
    // A handle that the library would write is not read before there is a body that checks it.
    let variant = parameter.map(|p| (p.kind.name, p.direction.is_written(), &p.name));
    match variant {
        Some(("comm", false, name)) => format!("Owner::Comm({name})"),
        Some(("win", false, name)) => format!("Owner::Win({name})"),
        Some(("file", false, name)) => format!("Owner::File({name})"),
        Some(("file", true, _)) => "Owner::File(MPI_FILE_NULL)".to_string(),
        Some(("session", false, name)) => format!("Owner::Session({name})"),
        _ => "Owner::None".to_string(),
    }
}

/// The constants, with their values in the header, and tables of the names of the handles that
/// have some.
pub fn constants(api: &Api, values: &Values) -> Result<String, String> {
    let mut out = String::new();
    for group in &api.constants {
        for name in &group.names {
            out += &constant(group, name, values)?;
        }
    }
    for (table, purpose, ty) in
        [("DATATYPE_NAMES", "datatype", "MPI_Datatype"), ("OP_NAMES", "op", "MPI_Op")]
    {
        writeln!(out, "pub const {table}: &[(&str, {ty})] = &[").expect("a string takes all");
        let is_one =
            |g: &&Group| g.purpose == purpose && matches!(g.class, Class::Handle | Class::Null);
        for name in api.constants.iter().filter(is_one).flat_map(|g| &g.names) {
            writeln!(out, "    (\"{name}\", {name}),").expect("a string takes all");
        }
        out += "];\n";
    }
    Ok(out)
}

/// One constant. The address of a buffer stays a pointer; any other address becomes a number, for
/// the library compares them and follows none.
fn constant(group: &Group, name: &str, values: &Values) -> Result<String, String> {
    let value = values.get(name);
    let value = value.ok_or_else(|| group.place.error(format!("no header defines {name}")));
    let value = value.map_err(|e| e.to_string())?;
    let (cast, number) = (value.cast, value.number);
    let is_function = |ty: &str| ty.strip_suffix(" *") == Some(&group.purpose);
    let expected = match (group.class, cast) {
        (Class::Int | Class::Enum, None) => ("c_int".to_string(), number.to_string()),
        (Class::Null, None) if group.purpose == "keyval" => {
            ("c_int".to_string(), number.to_string())
        }
        (Class::Null | Class::Handle, Some(ty)) if is_handle(group, ty) => {
            (ty.to_string(), format!("{ty}({number})"))
        }
        (Class::Buffer, Some("void *")) => (
            "*const std::ffi::c_void".to_string(),
            format!("std::ptr::without_provenance({number})"),
        ),
        (Class::Pointer, Some(ty)) if ty.ends_with('*') => ("usize".into(), number.to_string()),
        (Class::Callback, Some(ty)) if is_function(ty) => ("usize".into(), number.to_string()),
        (Class::Offset, Some("MPI_Offset")) => ("MPI_Offset".to_string(), number.to_string()),
        _ => {
            let text = format!("{name} is cast to {cast:?} in the header, which is not its type");
            return Err(group.place.error(text).to_string());
        }
    };
    let (ty, value) = expected;
    let value = values.synonym_of(name).map_or(value, str::to_string);
    Ok(format!("pub const {name}: {ty} = {value};\n"))
}

/// Whether this is the C type of the handles of a group.
fn is_handle(group: &Group, ty: &str) -> bool {
    crate::kind::Kind::named(&group.purpose).is_some_and(|k| k.small == ty)
}

/// A type as Rust has it.
pub(crate) fn rust_type(ty: &Type) -> String {
    if ty.is_function {
        return format!("Option<{}>", ty.base);
    }
    let base = match &*ty.base {
        "int" | "char" | "void" | "double" => format!("c_{}", ty.base),
        other => other.to_string(),
    };
    let mut rust = if ty.is_triple { format!("[{base}; 3]") } else { base };
    for level in 0..ty.stars + usize::from(ty.is_array) {
        // `const` belongs to what the innermost pointer points to.
        let kind = if ty.is_const && level == 0 { "*const" } else { "*mut" };
        rust = format!("{kind} {rust}");
    }
    rust
}

/// A name that Rust does not reserve.
pub(crate) fn usable(name: &str) -> String {
    const KEYWORDS: &[&str] = &["type", "in", "ref", "match", "move", "use"];
    if KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_string() }
}
