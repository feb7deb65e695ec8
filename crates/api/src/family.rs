//! Other ABIs in Rust, each a type that the library's code calls a family: for each function one
//! that takes its arguments as that family's header declares them, converts them, and calls the
//! standard's function; and the values of the family's constants.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::header::Values;
use crate::kind::Kind;
use crate::prototype::{Declared, Prototype, Type, all};
use crate::rust::{rust_type, usable};
use crate::table::{Api, Class, Direction, Group, Parameter};

/// Functions that are written by hand: their arguments are not converted one by one.
const BY_HAND: &[&str] = &[
    // Callbacks.
    "MPI_Comm_create_errhandler",
    "MPI_Comm_create_keyval",
    "MPI_File_create_errhandler",
    "MPI_Grequest_start",
    "MPI_Keyval_create",
    "MPI_Op_create",
    "MPI_Register_datarep",
    "MPI_Session_create_errhandler",
    "MPI_Type_create_keyval",
    "MPI_Win_create_errhandler",
    "MPI_Win_create_keyval",
    // Values whose meaning depends on other arguments.
    "MPI_Attr_get",
    "MPI_Comm_get_attr",
    "MPI_Type_get_contents",
    "MPI_Win_get_attr",
    // What the families tell of themselves.
    "MPI_Abi_get_fortran_info",
    "MPI_Abi_get_version",
    "MPI_Error_class",
    "MPI_Error_string",
    "MPI_Get_library_version",
    "MPI_Get_version",
];

/// Functions whose bodies are repeated in each family: a second call would cost a tenth of the
/// whole.
const HOT: &[&str] = &[
    "MPI_Allreduce",
    "MPI_Barrier",
    "MPI_Bcast",
    "MPI_Irecv",
    "MPI_Isend",
    "MPI_Recv",
    "MPI_Send",
    "MPI_Test",
    "MPI_Wait",
    "MPI_Waitall",
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

/// The functions, generic in the family `F`, in the macro that exports them.
pub fn functions(api: &Api) -> String {
    let is_simple = |p: &Prototype| !BY_HAND.contains(&&*p.function.name);
    let functions: String = all(api).filter(is_simple).map(|p| function(&p)).collect();
    format!("families! {{\n{functions}}}\n")
}

fn function(prototype: &Prototype) -> String {
    let (mut parameters, mut before) = (String::new(), String::new());
    let (mut arguments, mut after) = (Vec::new(), String::new());
    for declared in &prototype.parameters {
        let name = usable(&declared.name);
        let passed = match prototype.function.parameter(&declared.name) {
            Some(parameter) => passed(prototype, &name, parameter, &declared.ty),
            None => of_collective(&name, declared),
        };
        write!(parameters, "{name}: {}, ", passed.ty).expect("a string takes all");
        before += &passed.before;
        arguments.push(passed.argument);
        after += &passed.after;
    }
    let (name, arguments) = (&prototype.name, arguments.join(", "));
    let before = before.replace("FUNCTION", &format!("{name:?}"));
    let called = match &**name {
        name if HOT.contains(&name) => "bodies",
        // MPI_LB and MPI_UB may be among the types.
        "MPI_Type_create_struct" => "bounds",
        _ => "standard",
    };
    let (returns, result) = match &prototype.function.result {
        None => ("c_int".to_string(), "code_back::<F>(returned)"),
        Some(kind) if kind.is_handle() => {
            (family_type(kind.small), "Foreign::from_standard(returned)")
        }
        Some(_) => (rust_type(&prototype.returns), "returned"),
    };
    format!(
        "fn {name}({parameters}) -> {returns} {{\n    \
         // SAFETY: the program promises what the standard's function requires.\n    \
         unsafe {{\n{before}        \
         let returned = {called}::{name}({arguments});\n{after}        {result}\n    }}\n}}\n\n"
    )
}

/// `info` and `request` of the forms of a collective operation.
fn of_collective(name: &str, declared: &Declared) -> Passed {
    let direction = if declared.ty.stars == 1 { Direction::New } else { Direction::In };
    handle(name, &declared.ty.base, direction)
}

/// `MPI_Comm` is `Comm<F>` in a family.
fn family_type(standard: &str) -> String {
    format!("{}<F>", standard.replacen("MPI_", "", 1))
}

fn handle(name: &str, ty: &str, direction: Direction) -> Passed {
    let family = family_type(ty);
    if direction == Direction::In {
        let argument = format!("{name}.to_standard()");
        return Passed { ty: family, argument, ..Passed::default() };
    }
    let made = if direction.is_read() { "given" } else { "wanted" };
    Passed {
        ty: format!("*mut {family}"),
        before: format!("        let mut {name}_s = OneHandle::{made}({name});\n"),
        argument: format!("{name}_s.as_mut_ptr()"),
        after: format!("        {name}_s.give_back({name});\n"),
    }
}

/// A conversion for which there may be no memory.
fn needs_memory(variable: &str, call: &str) -> String {
    format!(
        "        let {variable} = match {call} {{\n            \
         Ok(converted) => converted,\n            \
         Err(error) => return refused::<F>(FUNCTION, &error),\n        }};\n"
    )
}

fn handles(name: &str, ty: &str, length: &str, direction: Direction) -> Passed {
    let family = family_type(ty);
    let pointer = if direction == Direction::In { "*const" } else { "*mut" };
    let length = array_length(length);
    let after = match direction {
        Direction::In => String::new(),
        _ => format!("        {name}_s.give_back({name});\n"),
    };
    Passed {
        ty: format!("{pointer} {family}"),
        before: needs_memory(
            &format!("mut {name}_s"),
            &format!("Handles::given({name}, ({length}).into())"),
        ),
        argument: format!("{name}_s.as_mut_ptr()"),
        after,
    }
}

/// The number of elements, in Rust: a parameter, or what a communicator says.
fn array_length(length: &str) -> String {
    // Only this one is a variable, which the call writes too.
    if length == "num_elements" {
        return format!("{length}.as_ref().map_or(0, |n| *n)");
    }
    match length.strip_suffix(')').and_then(|l| l.split_once('(')) {
        Some((what, of)) => format!("lengths::{what}({of})"),
        None => length.to_string(),
    }
}

/// The table that converts a number which may be a constant; `None` if it never is one.
fn table(prototype: &Prototype, p: &Parameter) -> Option<String> {
    if prototype.name == "MPI_Abort" {
        // Its code is the program's exit code.
        return None;
    }
    Some(match p.kind.name {
        "peer" | "source" | "root" | "maybe-rank" => "RANKS".to_string(),
        "rank" if p.length.is_none() => "RANKS".to_string(),
        "any-tag" => "TAGS".to_string(),
        "keyval" => "KEYVALS".to_string(),
        // Processes are not started yet, so no array of codes is ever written.
        "error-code" | "error-class" if p.length.is_none() => "ERROR_CODES".to_string(),
        "choice" | "bits" => table_name(p.arguments.first()?),
        _ if p.name == "array_of_dargs" => "DISTRIBUTION_ARGUMENT".to_string(),
        _ => return None,
    })
}

fn table_name(purpose: &str) -> String {
    purpose.to_uppercase().replace('-', "_")
}

fn passed(prototype: &Prototype, name: &str, p: &Parameter, ty: &Type) -> Passed {
    let plain = |argument: String| Passed { ty: rust_type(ty), argument, ..Passed::default() };
    let is_ours = p.kind.is_handle() && !p.kind.name.starts_with("t-");
    match (p.kind.name, &p.length) {
        ("status", length) => status(name, p, length.as_deref()),
        ("pointer", None) if prototype.function.name.contains("etach") => Passed {
            after: format!("        buffer_back_at::<F>({name}, returned);\n"),
            ..plain(name.to_string())
        },
        ("buffer" | "memory", _) if ty.stars == 1 => plain(special("buffer", name, ty)),
        ("weight", _) => plain(special("weights", name, ty)),
        ("string", Some(length)) if p.direction.is_written() && length.starts_with("MPI_") => {
            text(prototype, name, length, ty)
        }
        (_, Some(length)) if is_ours => handles(name, &ty.base, length, p.direction),
        (_, None) if is_ours => handle(name, &ty.base, p.direction),
        _ => match table(prototype, p) {
            Some(table) => number(name, &table, p, ty),
            None => plain(name.to_string()),
        },
    }
}

/// An address that may be a constant.
fn special(conversion: &str, name: &str, ty: &Type) -> String {
    match ty.is_const {
        true => format!("F::{conversion}({name}.cast_mut()).cast_const()"),
        false => format!("F::{conversion}({name})"),
    }
}

/// A text for which the family's header promises less room than the standard's.
fn text(prototype: &Prototype, name: &str, length: &str, ty: &Type) -> Passed {
    let mut after = format!("        {name}_s.give_back({name}, F::{length});\n");
    if prototype.function.parameter("resultlen").is_some() {
        after += &format!("        shorten(resultlen, F::{length});\n");
    }
    Passed {
        ty: rust_type(ty),
        before: format!("        let mut {name}_s = Text::wanted({name});\n"),
        argument: format!("{name}_s.as_mut_ptr()"),
        after,
    }
}

fn status(name: &str, p: &Parameter, length: Option<&str>) -> Passed {
    let is_in = p.direction == Direction::In;
    let pointer = if is_in { "*const" } else { "*mut" };
    let made = if p.direction.is_read() { "given" } else { "wanted" };
    let after = match is_in {
        true => String::new(),
        false => format!("        {name}_s.give_back::<F>({name});\n"),
    };
    let variable = format!("mut {name}_s");
    let before = match length.map(array_length) {
        None => format!("        let {variable} = OneStatus::{made}::<F>({name});\n"),
        Some(length) => {
            needs_memory(&variable, &format!("Statuses::wanted::<F>({name}, ({length}).into())"))
        }
    };
    Passed {
        ty: format!("{pointer} Status<F>"),
        before,
        argument: format!("{name}_s.as_mut_ptr()"),
        after,
    }
}

/// A number, or several, that may be a constant.
fn number(name: &str, table: &str, p: &Parameter, ty: &Type) -> Passed {
    let mut passed = Passed { ty: rust_type(ty), ..Passed::default() };
    let one = |n: &str| match (table, p.kind.name) {
        ("ERROR_CODES", _) => format!("code::<F>({n})"),
        (_, "bits") => format!("bits(F::{table}, {n})"),
        ("RANKS" | "TAGS", _) => format!("if_negative(F::{table}, {n})"),
        _ => format!("number(F::{table}, {n})"),
    };
    match (&p.length, ty.stars == 0 && !ty.is_array) {
        (Some(length), _) if p.direction.is_written() => {
            passed.argument = name.to_string();
            let length = array_length(length);
            passed.after =
                format!("        numbers_back({name}, ({length}).into(), F::{table}, returned);\n");
        }
        (Some(length), _) => {
            let length = array_length(length);
            let call = format!("numbers({name}, ({length}).into(), F::{table})");
            passed.before = needs_memory(&format!("{name}_s"), &call);
            passed.argument = format!("first(&{name}_s)");
        }
        (None, true) => passed.argument = one(name),
        // A key that is freed.
        (None, false) if p.direction.is_read() => {
            let before = one("*n");
            passed.before =
                format!("        let mut {name}_s = {name}.as_ref().map(|n| {before});\n");
            passed.argument = format!("address(&mut {name}_s)");
            passed.after = format!(
                "        if let Some(n) = {name}_s {{\n            \
                 {name}.write(number_back(F::{table}, n));\n        }}\n"
            );
        }
        (None, false) => {
            passed.argument = name.to_string();
            passed.after = match (table, p.kind.name) {
                ("ERROR_CODES", _) => format!("        code_back_at::<F>({name}, returned);\n"),
                (_, "bits") => format!("        bits_back_at({name}, F::{table}, returned);\n"),
                _ => format!("        number_back_at({name}, F::{table}, returned);\n"),
            };
        }
    }
    passed
}

/// The tables of constants in the manner of Rust: names of groups, and what they hold.
const JOINED: &[(&str, &[&str])] = &[
    ("RANKS", &["any-source", "null-process", "root"]),
    ("TAGS", &["any-tag"]),
    ("KEYVALS", &["comm-keyval", "win-keyval", "keyval"]),
    ("ERROR_CODES", &["error-class"]),
];

fn is_number(group: &Group) -> bool {
    // What the functions tell of these the program's header does not.
    const NOT_PASSED: &[&str] = &["version", "fortran-status", "bsend-overhead", "undefined"];
    matches!(group.class, Class::Int) && !NOT_PASSED.contains(&&*group.purpose)
}

/// The trait of all families' constants.
pub fn trait_of_constants(api: &Api) -> String {
    let doc = "/// What the families' headers define: pairs of the standard's value and the\n\
               /// family's, and lengths of texts.\n";
    let mut out = format!("{doc}pub trait Constants {{\n");
    for name in tables(api).keys() {
        writeln!(out, "    const {name}: Pairs;").expect("a string takes all");
    }
    for name in string_lengths(api) {
        writeln!(out, "    const {name}: usize;").expect("a string takes all");
    }
    out + "}\n"
}

fn string_lengths(api: &Api) -> impl Iterator<Item = &String> {
    // Texts that functions write into a variable of this length.
    const WRITTEN: &[&str] = &[
        "DATAREP_STRING",
        "ERROR_STRING",
        "INFO_KEY",
        "LIBRARY_VERSION_STRING",
        "OBJECT_NAME",
        "PORT_NAME",
        "PROCESSOR_NAME",
    ];
    let is_written =
        |name: &&String| WRITTEN.iter().any(|w| name.strip_prefix("MPI_MAX_") == Some(*w));
    let lengths = api.constants.iter().filter(|g| g.purpose == "string-length");
    lengths.flat_map(|g| &g.names).filter(is_written)
}

/// The constants of each table.
fn tables(api: &Api) -> BTreeMap<String, Vec<&String>> {
    let mut all: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for group in &api.constants {
        let joined = JOINED.iter().find(|(_, groups)| groups.contains(&&*group.purpose));
        let is_keyval = group.class == Class::Null && group.purpose == "keyval";
        if joined.is_none() && (!is_number(group) || group.purpose == "string-length")
            || !is_number(group) && !is_keyval
        {
            continue;
        }
        let name = joined.map_or_else(|| table_name(&group.purpose), |(n, _)| n.to_string());
        all.entry(name).or_default().extend(&group.names);
    }
    all
}

/// The constants of one family.
pub fn constants(api: &Api, name: &str, family: &Constants) -> String {
    let mut out = format!("impl Constants for {name} {{\n");
    for (table, constants) in tables(api) {
        let pair = |c: &&String| Some(format!("({c}, {})", family.number(c)?));
        let pairs: Vec<String> = constants.iter().filter_map(pair).collect();
        writeln!(out, "    const {table}: Pairs = &[{}];", pairs.join(", "))
            .expect("a string takes all");
    }
    for length in string_lengths(api) {
        let value = family.number(length).expect("every family has these");
        writeln!(out, "    const {length}: usize = {value};").expect("a string takes all");
    }
    out + "}\n"
}

/// The values of the constants of one family, by the standard's name. A line `NAME=OTHER value` is
/// of another object of the family that is the same to us.
pub struct Constants {
    values: BTreeMap<String, String>,
    others: Vec<(String, String)>,
}

impl Constants {
    /// Reads `NAME VALUE` lines.
    pub fn read(text: &str) -> Constants {
        let mut constants = Constants { values: BTreeMap::new(), others: Vec::new() };
        for (name, value) in text.lines().filter_map(|line| line.split_once(' ')) {
            match name.split_once('=') {
                Some((name, _)) => constants.others.push((name.to_string(), value.to_string())),
                None => {
                    constants.values.insert(name.to_string(), value.to_string());
                }
            }
        }
        constants
    }

    /// All values of an object. The last is the one that the library gives; it is the other one
    /// where there is one, which C programs know in older versions too.
    fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a String> {
        let others = self.others.iter().filter(move |(of, _)| of == name).map(|(_, value)| value);
        self.values.get(name).into_iter().chain(others)
    }

    /// In C: `HANDLE(mpi_int8, mpi_int8_t, 58)` for each, with the names of C and of the module
    /// `mpi_f08`.
    pub fn as_definitions(&self) -> String {
        let line = |(name, value): (&String, &String)| {
            let name = name.to_lowercase();
            format!("HANDLE({}, {name}, {value})\n", name.trim_end_matches("_t"))
        };
        self.values.iter().map(line).collect()
    }

    /// The value of a constant that is a number.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.values.get(name)?.parse().ok()
    }
}

/// Datatypes that the standard does not have, and numbers that it leaves free for them.
pub const BOUNDS: [(&str, i64); 2] = [("MPI_LB", 0x2fe), ("MPI_UB", 0x2ff)];

/// The groups whose constants are handles, null ones included.
fn handle_groups(api: &Api) -> impl Iterator<Item = &Group> {
    let is_one = |g: &&Group| {
        matches!(g.class, Class::Handle | Class::Null)
            && g.purpose != "keyval"
            && !g.purpose.starts_with("t-")
    };
    api.constants.iter().filter(is_one)
}

/// The types of handles, and for each predefined one the standard's number and the family's.
fn numbered_handles<'a>(
    api: &'a Api,
    family: &Constants,
    values: &Values,
) -> impl Iterator<Item = (&'static str, Vec<String>)> + use<'a> {
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for group in handle_groups(api) {
        let pairs = kinds.entry(Kind::named(&group.purpose).map_or("", |k| k.small)).or_default();
        for name in &group.names {
            let numbers = family.all(name).filter_map(|value| value.parse::<i64>().ok());
            let Some(standard) = values.get(name) else { continue };
            pairs.extend(numbers.map(|n| format!("({}, {})", standard.number, n as i32)));
        }
    }
    let bounds = BOUNDS.into_iter().filter_map(|(name, n)| Some((n, family.number(name)?)));
    let pairs = bounds.map(|(standard, n)| format!("({standard}, {n})"));
    kinds.entry("MPI_Datatype").or_default().extend(pairs);
    kinds.into_iter()
}

/// The predefined handles of a family whose handles are integers, with the numbers of the
/// standard's: an invocation of a macro for each kind.
pub fn integer_handles(api: &Api, family: &Constants, values: &Values) -> String {
    let mut out = String::new();
    // A file's is an address.
    for (ty, pairs) in numbered_handles(api, family, values).filter(|h| h.0 != "MPI_File") {
        let (name, pairs) = (ty.replacen("MPI_", "", 1), pairs.join(", "));
        writeln!(out, "integer_handles! {{ {name} {ty}: {pairs} }}").expect("a string takes all");
    }
    out
}

/// The predefined handles in Fortran and the numbers of the standard's: two functions, which find
/// one by the other in the handles of a kind.
pub fn fortran_handles(api: &Api, family: &Constants, values: &Values) -> String {
    let mut to_standard = String::new();
    let mut to_fortran = String::new();
    for (ty, pairs) in numbered_handles(api, family, values) {
        let pair = |pair: &String| {
            let (standard, fortran) = pair.trim_matches(['(', ')']).split_once(", ")?;
            Some((standard.to_string(), fortran.to_string()))
        };
        let pairs: Vec<_> = pairs.iter().filter_map(pair).collect();
        let (mut known, mut arms) = (Vec::new(), [String::new(), String::new()]);
        for (standard, fortran) in &pairs {
            for (i, (from, to)) in
                [(fortran, standard), (standard, fortran)].into_iter().enumerate()
            {
                if !known.contains(&(i, from)) {
                    known.push((i, from));
                    write!(arms[i], "{from} => {to}, ").expect("a string takes all");
                }
            }
        }
        for (out, arms) in [&mut to_standard, &mut to_fortran].into_iter().zip(arms) {
            if arms.is_empty() {
                continue;
            }
            writeln!(
                out,
                "    if kind == {ty}::KIND {{\n        \
                 return Some(match handle {{ {arms}_ => return None }});\n    }}"
            )
            .expect("a string takes all");
        }
    }
    let function = |what: &str, name: &str, from: &str, to: &str, body: &str| {
        format!(
            "/// {what} of a predefined handle.\n#[inline(always)]\n\
             fn {name}(kind: usize, handle: {from}) -> Option<{to}> {{\n{body}    None\n}}\n"
        )
    };
    function("The standard's number", "standard_of_fortran", "c_int", "usize", &to_standard)
        + &function("Fortran's number", "fortran_of_standard", "usize", "c_int", &to_fortran)
}

/// The predefined handles of a family whose handles are addresses, in C: `OBJECT(kind, symbol,
/// number)` for each symbol, with the number of the standard's handle.
pub fn address_handles(api: &Api, family: &Constants, values: &Values) -> String {
    let mut out = String::new();
    let mut seen = Vec::new();
    for group in handle_groups(api) {
        for name in &group.names {
            let Some(number) = values.get(name).map(|v| v.number) else { continue };
            for symbol in family.all(name) {
                if !seen.contains(&symbol) {
                    seen.push(symbol);
                    writeln!(out, "OBJECT({}, {symbol}, {number})", group.purpose)
                        .expect("a string takes all");
                }
            }
        }
    }
    for (name, number) in BOUNDS {
        for symbol in family.all(name) {
            writeln!(out, "OBJECT(datatype, {symbol}, {number})").expect("a string takes all");
        }
    }
    out
}

/// The names of all functions, `JUMP(MPI_X)` each, two on a line.
pub fn jumps(api: &Api) -> String {
    let jumps: Vec<String> = all(api).map(|p| format!("JUMP({})", p.name)).collect();
    jumps.chunks(2).map(|two| two.join(" ") + "\n").collect()
}
