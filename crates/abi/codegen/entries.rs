//! Which entry points the sources define, and with which parameters, read from their text: the
//! build script runs before any of it is compiled.

use super::c_type::Param;

/// One C function that a source file defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The C name.
    pub name: String,
    /// The Rust type of the result.
    pub returns: String,
    /// The parameters.
    pub params: Vec<Param>,
}

/// What the type words of `entry_c!` mean in the form with `int` counts and in the `_c` form.
const FORMS: [[(&str, &str); 3]; 2] = [
    [("N", "c_int"), ("Disp", "c_int"), ("Stride", "MPI_Aint")],
    [("N", "MPI_Count"), ("Disp", "MPI_Aint"), ("Stride", "MPI_Count")],
];

/// Reads the definitions `fn MPI_X(...) -> T` (as in `entry!`) and `fn MPI_X / MPI_X_c(...)` (as in
/// `entry_c!`) of one source file.
pub fn parse(source: &str) -> Vec<Entry> {
    let without_comments = source.lines().map(|l| l.split("//").next().unwrap_or(l));
    let code = without_comments.collect::<Vec<_>>().join(" ");
    let mut entries = Vec::new();
    let mut rest = &*code;
    while let Some(at) = rest.find("fn MPI_") {
        rest = &rest[at + "fn ".len()..];
        let open = rest.find('(').expect("a function has parameters");
        let close = matching(rest, open);
        let params = split_params(&rest[open + 1..close]);
        let names: Vec<&str> = rest[..open].split('/').map(str::trim).collect();
        let returns = match names.len() {
            1 => returned(&rest[close + 1..]),
            _ => "c_int".to_string(),
        };
        for (name, form) in names.iter().zip(FORMS) {
            let params = if names.len() == 1 { params.clone() } else { in_form(&params, form) };
            entries.push(Entry { name: name.to_string(), returns: returns.clone(), params });
        }
        rest = &rest[close..];
    }
    entries
}

fn matching(text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (i, c) in text.bytes().enumerate().skip(open) {
        match c {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return i;
        }
    }
    panic!("parentheses do not match in `{}`", &text[..text.len().min(80)])
}

fn split_params(list: &str) -> Vec<Param> {
    let declarations = list.split(',').map(str::trim).filter(|p| !p.is_empty());
    let parts = declarations.map(|d| d.split_once(':').unwrap_or_else(|| panic!("no type: {d}")));
    parts.map(|(name, ty)| Param { name: name.trim().into(), rust: ty.trim().into() }).collect()
}

fn returned(after: &str) -> String {
    let ty = after.trim_start().strip_prefix("->").expect("an entry point returns something");
    ty[..ty.find('{').expect("a body follows")].trim().to_string()
}

fn in_form(params: &[Param], form: [(&str, &str); 3]) -> Vec<Param> {
    let word = |w: &str| form.iter().find(|f| f.0 == w).map_or(w.to_string(), |f| f.1.to_string());
    let rust = |p: &Param| p.rust.split(' ').map(word).collect::<Vec<_>>().join(" ");
    params.iter().map(|p| Param { name: p.name.clone(), rust: rust(p) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_macros_are_read() {
        let source = "
entry! {
    // fn MPI_Commented(a: c_int) -> c_int { }
    fn MPI_Wtime() -> c_double { now() }
    fn MPI_Get_version(version: *mut c_int, subversion: *mut c_int) -> c_int {
        f(version)
    }
}
entry_c! {
    fn MPI_Bcast / MPI_Bcast_c(count: N, counts: *const N, displs: *const Disp) { g() }
}";
        let entries = parse(source);
        let names: Vec<&str> = entries.iter().map(|e| &*e.name).collect();
        assert_eq!(names, ["MPI_Wtime", "MPI_Get_version", "MPI_Bcast", "MPI_Bcast_c"]);
        assert_eq!(entries[0].returns, "c_double");
        assert_eq!(entries[1].params[1].rust, "*mut c_int");
        let types = |e: &Entry| e.params.iter().map(|p| p.rust.clone()).collect::<Vec<_>>();
        assert_eq!(types(&entries[2]), ["c_int", "*const c_int", "*const c_int"]);
        assert_eq!(types(&entries[3]), ["MPI_Count", "*const MPI_Count", "*const MPI_Aint"]);
    }
}
