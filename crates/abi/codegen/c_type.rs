//! C parameter declarations and the Rust types they mean.

/// A parameter of a prototype.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Its name, usable in Rust.
    pub name: String,
    /// Its Rust type.
    pub rust: String,
}

/// Translates a declaration such as `const int recvcounts[]`.
pub fn parameter(declaration: &str) -> Param {
    let (is_const, rest) = match declaration.trim().strip_prefix("const ") {
        Some(rest) => (true, rest.trim()),
        None => (false, declaration.trim()),
    };
    let base_end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    let (base, declarator) = rest.split_at(base_end);
    let (declarator, is_triple) = match declarator.strip_suffix("[3]") {
        Some(declarator) => (declarator, true),
        None => (declarator, false),
    };
    let levels = declarator.matches('*').count() + declarator.matches("[]").count();
    let name: String = declarator.chars().filter(|c| is_word(*c)).collect();
    assert!(!base.is_empty() && !name.is_empty(), "not a parameter: `{declaration}`");
    let base = if is_triple { format!("[{}; 3]", rust_name(base)) } else { rust_name(base) };
    Param { name: usable(name), rust: pointer(base, is_const, levels) }
}

/// The Rust name of a C type without pointers.
pub fn rust_name(c: &str) -> String {
    match c {
        "int" | "char" | "void" | "double" => format!("c_{c}"),
        other => other.to_string(),
    }
}

fn pointer(base: String, is_const: bool, levels: usize) -> String {
    if base.ends_with("_function") || base.ends_with("_function_c") {
        // C passes a function by address, with or without a `*`.
        assert!(levels <= 1, "an address of {base}'s address");
        return format!("Option<{base}>");
    }
    let mut rust = base;
    for level in 0..levels {
        // `const` belongs to what the innermost pointer points to.
        let kind = if is_const && level == 0 { "*const" } else { "*mut" };
        rust = format!("{kind} {rust}");
    }
    rust
}

fn usable(name: String) -> String {
    const KEYWORDS: &[&str] = &["type", "in", "ref", "match", "move", "use"];
    if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_become_rust_types() {
        let rust = |c| parameter(c).rust;
        assert_eq!(rust("int count"), "c_int");
        assert_eq!(rust("const int level"), "c_int");
        assert_eq!(rust("const void *buf"), "*const c_void");
        assert_eq!(rust("const int recvcounts[]"), "*const c_int");
        assert_eq!(rust("int ranges[][3]"), "*mut [c_int; 3]");
        assert_eq!(rust("char ***argv"), "*mut *mut *mut c_char");
        assert_eq!(rust("char **array_of_argv[]"), "*mut *mut *mut c_char");
        assert_eq!(rust("const MPI_Datatype sendtypes[]"), "*const MPI_Datatype");
        assert_eq!(rust("MPI_User_function *user_fn"), "Option<MPI_User_function>");
    }

    #[test]
    fn names_survive() {
        assert_eq!(parameter("int ranges[][3]").name, "ranges");
        assert_eq!(parameter("int type").name, "type_");
    }
}
