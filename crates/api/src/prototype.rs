//! The C functions that one description means: up to six, with int counts and with large counts,
//! and of a collective the blocking, the nonblocking and the persistent form.

use crate::kind::{Kind, Passing};
use crate::table::{Api, Chapter, Direction, Function, Mark, Parameter, is_large_callback};

/// A C function.
#[derive(Debug)]
pub struct Prototype<'a> {
    /// What describes it.
    pub function: &'a Function,
    /// Its name.
    pub name: String,
    /// The type of its result.
    pub returns: Type,
    /// Its parameters.
    pub parameters: Vec<Declared>,
    /// Whether it is the form with large counts.
    pub is_large: bool,
}

/// A parameter in C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A C type: a base, and how many addresses stand before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// The name of the innermost type.
    pub base: String,
    /// Addresses, without that of an array's first element.
    pub stars: usize,
    /// Whether the innermost type is `const`.
    pub is_const: bool,
    /// Whether it is declared as an array.
    pub is_array: bool,
    /// Whether the elements are arrays of three.
    pub is_triple: bool,
    /// Whether it is the address of a function.
    pub is_function: bool,
}

/// When a collective operation is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Timing {
    Blocking,
    Nonblocking,
    Persistent,
}

/// The C functions of a chapter in the order of the header: those that are not deprecated first,
/// then by name, the form with large counts behind the one without.
pub fn of_chapter(chapter: &Chapter) -> Vec<Prototype<'_>> {
    let mut all: Vec<Prototype> = chapter.functions.iter().flat_map(of_function).collect();
    all.sort_by(|a, b| a.order().cmp(&b.order()));
    all
}

/// Every C function.
pub fn all(api: &Api) -> impl Iterator<Item = Prototype<'_>> {
    api.chapters.iter().flat_map(of_chapter)
}

fn of_function(function: &Function) -> Vec<Prototype<'_>> {
    let mut names = vec![(&function.name, Timing::Blocking)];
    if let Some([begin, init]) = &function.collective {
        names.extend([(begin, Timing::Nonblocking), (init, Timing::Persistent)]);
    }
    let mut all = Vec::new();
    for (name, timing) in names {
        all.push(Prototype::new(function, name.clone(), timing, false));
        if function.has_large_form() {
            all.push(Prototype::new(function, format!("{name}_c"), timing, true));
        }
    }
    all
}

impl<'a> Prototype<'a> {
    fn new(function: &'a Function, name: String, timing: Timing, is_large: bool) -> Prototype<'a> {
        let there = |p: &&Parameter| is_large || !p.has(Mark::LargeOnly);
        let declared = |p: &Parameter| declared(p, is_large);
        let described = function.parameters.iter().filter(there).map(declared);
        let returns = function.result.map_or(Type::value("int"), |k| Type::value(k.small));
        let parameters = described.chain(added(timing)).collect();
        Prototype { function, name, returns, parameters, is_large }
    }

    /// Deprecated functions stand together by the version that deprecated them.
    fn order(&self) -> (Option<&str>, &str, usize) {
        let base = self.name.strip_suffix("_c").unwrap_or(&self.name);
        let since = self.function.deprecated.as_ref().map(|(since, _)| &**since);
        (since, base, self.name.len())
    }
}

/// What the nonblocking and the persistent form of a collective end with.
fn added(timing: Timing) -> Vec<Declared> {
    let info = Declared { name: "info".to_string(), ty: Type::value("MPI_Info") };
    let request = Type { stars: 1, ..Type::value("MPI_Request") };
    let request = Declared { name: "request".to_string(), ty: request };
    match timing {
        Timing::Blocking => vec![],
        Timing::Nonblocking => vec![request],
        Timing::Persistent => vec![info, request],
    }
}

fn declared(p: &Parameter, is_large: bool) -> Declared {
    Declared { name: p.name.clone(), ty: Type::of(p, is_large) }
}

impl Type {
    fn value(base: &str) -> Type {
        Type {
            base: base.to_string(),
            stars: 0,
            is_const: false,
            is_array: false,
            is_triple: false,
            is_function: false,
        }
    }

    fn of(p: &Parameter, is_large: bool) -> Type {
        let base = Type::value(&base(p.kind, &p.arguments, is_large));
        let is_read_only = p.direction == Direction::In;
        let is_array = p.length.is_some();
        let by_address = |ty: Type| match is_array {
            true => Type { is_array, ..ty },
            false => Type { stars: 1, ..ty },
        };
        match p.kind.passing {
            Passing::Value if is_read_only && !is_array => base,
            Passing::Value => by_address(Type { is_const: is_read_only, ..base }),
            Passing::Address => Type { stars: 1, is_const: is_read_only, ..base },
            Passing::Data => Type { stars: 1, is_const: is_read_only, ..base },
            Passing::Untyped => Type { stars: 1, ..base },
            Passing::UntypedConst => Type { stars: 1, is_const: true, ..base },
            // The length of a string that is written is no array's.
            Passing::Text if !is_read_only => Type { stars: 1, ..base },
            Passing::Text if is_array => Type { stars: 1, is_array, ..base },
            Passing::Text => Type { stars: 1, is_const: true, ..base },
            Passing::Texts if is_array => Type { stars: 2, is_array, ..base },
            Passing::Texts => Type { stars: 1, is_array: true, ..base },
            Passing::MainTexts => Type { stars: 3, ..base },
            Passing::Triples => Type { is_array: true, is_triple: true, ..base },
            Passing::Function => Type { stars: 1, is_function: true, ..base },
        }
    }
}

fn base(kind: &Kind, arguments: &[String], is_large: bool) -> String {
    match (kind.passing, arguments) {
        (Passing::Function, [name]) if is_large && is_large_callback(name) => format!("{name}_c"),
        (Passing::Function, [name]) => name.clone(),
        _ if is_large => kind.large.to_string(),
        _ => kind.small.to_string(),
    }
}
