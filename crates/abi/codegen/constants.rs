//! Rust constants from the header's `#define`s.

use std::fmt::Write;

/// The constants as Rust source. The address of a buffer stays a pointer; any other pointer becomes
/// a number, for the library compares them and follows none.
pub fn generate(constants: &[(String, String)]) -> String {
    let mut out = String::new();
    for (name, value) in constants {
        let (ty, value) = constant(value);
        let ty = ty.unwrap_or_else(|| type_of(constants, &value));
        writeln!(out, "pub const {name}: {ty} = {value};").expect("a string takes all");
    }
    for (table, ty) in [("DATATYPE_NAMES", "MPI_Datatype"), ("OP_NAMES", "MPI_Op")] {
        out.push_str(&names(constants, table, ty));
    }
    out
}

fn constant(c: &str) -> (Option<String>, String) {
    if let Some((ty, number)) = cast(c) {
        return match ty {
            "MPI_Offset" => (Some(ty.to_string()), number.to_string()),
            "void *" => (
                Some("*const std::ffi::c_void".to_string()),
                format!("std::ptr::without_provenance({number})"),
            ),
            _ if ty.ends_with('*') => (Some("usize".to_string()), number.to_string()),
            _ => (Some(ty.to_string()), format!("{ty}({number})")),
        };
    }
    let number = c.trim_matches(['(', ')']);
    if number.parse::<i32>().is_ok() || number.starts_with("0x") {
        return (Some("c_int".to_string()), number.to_string());
    }
    (None, c.to_string())
}

/// `((type) number)` in its two parts.
fn cast(c: &str) -> Option<(&str, &str)> {
    let (ty, number) = c.strip_prefix("((")?.strip_suffix(')')?.split_once(')')?;
    Some((ty, number.trim()))
}

/// The type of a constant that another one is defined as.
fn type_of(constants: &[(String, String)], name: &str) -> String {
    let original = constants.iter().find(|c| c.0 == name);
    let (_, value) = original.unwrap_or_else(|| panic!("`{name}` is no constant"));
    constant(value).0.unwrap_or_else(|| panic!("`{name}` is defined by a name of a name"))
}

/// A table of the predefined handles of one type: each name, synonyms included, with its number.
fn names(constants: &[(String, String)], table: &str, ty: &str) -> String {
    let is_one = |value: &str| match constant(value) {
        (Some(found), _) => found == ty,
        (None, name) => type_of(constants, &name) == ty,
    };
    let mut out = format!("pub const {table}: &[(&str, {ty})] = &[\n");
    for (name, _) in constants.iter().filter(|c| is_one(&c.1)) {
        writeln!(out, "    (\"{name}\", {name}),").expect("a string takes all");
    }
    out + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_constant_gets_its_type() {
        let define = |n: &str, v: &str| (n.to_string(), v.to_string());
        let text = generate(&[
            define("MPI_INT", "((MPI_Datatype) 0x209)"),
            define("MPI_ALIAS", "MPI_INT"),
            define("MPI_ROOT", "(-4)"),
            define("MPI_IN_PLACE", "((void *) 1)"),
            define("MPI_UNWEIGHTED", "((int *) 10)"),
            define("MPI_DISPLACEMENT_CURRENT", "((MPI_Offset) -1)"),
        ]);
        let expected = [
            "pub const MPI_INT: MPI_Datatype = MPI_Datatype(0x209);",
            "pub const MPI_ALIAS: MPI_Datatype = MPI_INT;",
            "pub const MPI_ROOT: c_int = -4;",
            "pub const MPI_IN_PLACE: *const std::ffi::c_void = std::ptr::without_provenance(1);",
            "pub const MPI_UNWEIGHTED: usize = 10;",
            "pub const MPI_DISPLACEMENT_CURRENT: MPI_Offset = -1;",
            "pub const DATATYPE_NAMES: &[(&str, MPI_Datatype)] = &[",
            "    (\"MPI_INT\", MPI_INT),",
            "    (\"MPI_ALIAS\", MPI_ALIAS),",
            "];",
            "pub const OP_NAMES: &[(&str, MPI_Op)] = &[",
            "];",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }
}
