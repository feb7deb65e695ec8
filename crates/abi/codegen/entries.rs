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

/// Functions that `entry_coll!` makes of one definition: blocking, nonblocking and persistent, in
/// two forms each.
const COLLECTIVE_FORMS: usize = 6;

/// The parameters that `entry_coll!` adds.
fn added(form: usize) -> Vec<Param> {
    const COMM: (&str, &str) = ("comm", "MPI_Comm");
    const INFO: (&str, &str) = ("info", "MPI_Info");
    const REQUEST: (&str, &str) = ("request", "*mut MPI_Request");
    let added: [&[_]; 3] = [&[COMM], &[COMM, REQUEST], &[COMM, INFO, REQUEST]];
    let param = |p: &(&str, &str)| Param { name: p.0.into(), rust: p.1.into() };
    added[form].iter().map(param).collect()
}

/// Reads the definitions `fn MPI_X(...) -> T` (as in `entry!`) and `fn MPI_X / MPI_X_c(...)` (as in
/// `entry_c!`) of one source file, also those that a macro of that file makes.
pub fn parse(source: &str) -> Vec<Entry> {
    let without_comments = source.lines().map(|l| l.split("//").next().unwrap_or(l));
    let code = expand(without_comments.collect::<Vec<_>>().join(" "));
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
        for (i, name) in names.iter().enumerate() {
            let mut params = match names.len() {
                1 => params.clone(),
                _ => in_form(&params, FORMS[i % 2]),
            };
            if names.len() == COLLECTIVE_FORMS {
                params.extend(added(i / 2));
            }
            entries.push(Entry { name: name.to_string(), returns: returns.clone(), params });
        }
        rest = &rest[close..];
    }
    entries
}

/// Where the bracket that opens at `open` closes.
fn matching(text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (i, c) in text.bytes().enumerate().skip(open) {
        match c {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return i;
        }
    }
    panic!("brackets do not match in `{}`", &text[..text.len().min(80)])
}

/// Appends what macros of the form `($($a:ident / $b:ident: $c:expr;)*) => { ... fn $a ... }` make
/// of their invocations `m! { x / y: z; ... }`: one copy of the body for each item, with the words
/// of the item for the macro's, in order. This is all of `macro_rules!` that entry points need.
fn expand(mut code: String) -> String {
    const KEYWORD: &str = "macro_rules! ";
    let mut made = String::new();
    for (at, _) in code.match_indices(KEYWORD) {
        let open = at + code[at..].find('{').expect("a macro has a body");
        let name = code[at + KEYWORD.len()..open].trim();
        let pattern_end = matching(&code, open + code[open..].find('(').expect("a pattern"));
        let body = &code[pattern_end..matching(&code, open)];
        let words = macro_words(&code[open..pattern_end]);
        if name.starts_with("entry") || !body.contains("fn $") {
            continue;
        }
        let call = format!("{name}! {{");
        for (call_at, _) in code.match_indices(&call) {
            let items_at = call_at + call.len();
            let items = &code[items_at..matching(&code, items_at - 1)];
            for item in items.split(';').filter(|i| !i.trim().is_empty()) {
                made += &substitute(body, &words, item);
            }
        }
    }
    code += &made;
    code
}

/// The words `$a` of a pattern, in order.
fn macro_words(pattern: &str) -> Vec<String> {
    let parts = pattern.split('$').skip(1).filter_map(|p| p.split_once(':'));
    let is_word = |w: &&str| !w.is_empty() && w.chars().all(|c| c.is_alphanumeric() || c == '_');
    parts.map(|p| p.0).filter(is_word).map(|w| format!("${w}")).collect()
}

fn substitute(body: &str, words: &[String], item: &str) -> String {
    let values = item.splitn(words.len(), ['/', ',', ':']).map(str::trim);
    let mut pairs: Vec<(&String, &str)> = words.iter().zip(values).collect();
    // `$isend_c` before `$isend`, which it contains.
    pairs.sort_by_key(|p| std::cmp::Reverse(p.0.len()));
    pairs.iter().fold(body.to_string(), |text, (word, value)| text.replace(&***word, value))
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

    #[test]
    fn collectives_have_three_forms_with_arguments_of_their_own() {
        let source = "
entry_coll! {
    fn MPI_Scan / MPI_Scan_c / MPI_Iscan / MPI_Iscan_c / MPI_Scan_init / MPI_Scan_init_c(
        count: N,
    ) |engine, comm| { engine.scan(comm, count) }
}";
        let entries = parse(source);
        let words = |e: &Entry| {
            let rust: Vec<&str> = e.params.iter().map(|p| &*p.rust).collect();
            format!("{}: {}", e.name, rust.join(" "))
        };
        assert_eq!(words(&entries[0]), "MPI_Scan: c_int MPI_Comm");
        assert_eq!(words(&entries[3]), "MPI_Iscan_c: MPI_Count MPI_Comm *mut MPI_Request");
        let init = "MPI_Scan_init: c_int MPI_Comm MPI_Info *mut MPI_Request";
        assert_eq!(words(&entries[4]), init);
        assert_eq!(entries.len(), 6);
    }

    #[test]
    fn what_a_macro_defines_is_read_too() {
        let source = "
macro_rules! sends {
    ($($send:ident / $send_c:ident, $isend:ident: $how:expr;)*) => { entry_c! { $(
        fn $send / $send_c(count: N) { send($how) }
    )* }
    entry! { $( fn $isend(count: c_int) -> c_int { isend($how) } )* } };
}
sends! {
    MPI_Send / MPI_Send_c, MPI_Isend: How::Engine(1);
    MPI_Ssend / MPI_Ssend_c, MPI_Issend: How::Engine(2);
}";
        let names: Vec<String> = parse(source).into_iter().map(|e| e.name).collect();
        let expected =
            ["MPI_Send", "MPI_Send_c", "MPI_Isend", "MPI_Ssend", "MPI_Ssend_c", "MPI_Issend"];
        assert_eq!(names, expected);
    }
}
