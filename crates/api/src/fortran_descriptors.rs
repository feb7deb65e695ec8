//! The forms of subroutines whose buffers of `mpi_f08` come as descriptors of arrays, so that array
//! sections with gaps can be passed; MPI 5.0, section 19.1.12. Their symbols are not the standard's
//! (`mpi_send_f08ts_`): a Fortran subroutine of that name takes the compiler's own descriptors.

use std::fmt::Write;

use crate::fortran_arguments::{BY_HAND, passed_as};
use crate::prototype::Prototype;
use crate::rust::{rust_type, usable};
use crate::table::{Function, Interface, Mark, Parameter};

/// What the name of such a form ends with.
pub(crate) const FORM: &str = "_cdesc";

/// Whether a subroutine has such a form: texts and truth values are none that C knows.
pub fn takes_descriptors(prototype: &Prototype) -> bool {
    let all = &prototype.function.parameters;
    all.iter().any(is_choice)
        && !all.iter().any(|p| matches!(p.kind.name, "string" | "flag" | "callback"))
        && !BY_HAND.contains(&&*prototype.function.name)
        && prototype.function.interfaces.contains(&Interface::MpiF08)
}

/// A buffer of any type.
pub(crate) fn is_choice(p: &Parameter) -> bool {
    matches!(p.kind.name, "buffer" | "memory" | "location")
}

/// The symbol of the form, without the last underscore.
pub fn symbol(name: &str) -> String {
    name.to_lowercase() + FORM
}

/// How a buffer is passed on that may have gaps.
enum Passage<'a> {
    /// Its address: the program must pass memory without gaps.
    Address,
    /// With a datatype that steps over the gaps: the method of `Sections`, count and datatype.
    Described(&'static str, &'a str, &'a str),
    /// By way of a staging buffer.
    Staged,
    /// Its address, after a look whether it has gaps.
    Whole,
}

fn passage<'a>(function: &'a Function, p: &'a Parameter) -> Passage<'a> {
    let is_one = |name: &str, kind: &str| {
        function.parameter(name).is_some_and(|p| p.kind.name == kind && p.length.is_none())
    };
    // Memory that the library keeps, not what it gives back.
    let is_kept = p.kind.name == "memory" && function.parameters.iter().any(is_size);
    match p.arguments.as_slice() {
        [] if is_kept => Passage::Whole,
        [] => Passage::Address,
        [one] if is_one(one, "datatype") => Passage::Address,
        [count, datatype] if is_one(count, "count") && is_one(datatype, "datatype") => {
            how_described(function, p)
                .map_or(Passage::Staged, |how| Passage::Described(how, count, datatype))
        }
        [_, count, datatype] if is_one(count, "large-count") => {
            Passage::Described("partitions", count, datatype)
        }
        _ => Passage::Staged,
    }
}

fn is_size(p: &Parameter) -> bool {
    matches!(p.kind.name, "bytes" | "memory-size") && !p.direction.is_written()
}

/// The method of `Sections` for a buffer with a count and a datatype; `None` if it has several
/// blocks, or if the datatype is that of another buffer too, or of an operator.
fn how_described(function: &Function, p: &Parameter) -> Option<&'static str> {
    let all = &function.parameters;
    let has = |kind: &str| all.iter().any(|p| p.kind.name == kind);
    let has_blocks = p.marks.iter().any(|m| matches!(m, Mark::PerRank | Mark::PerNeighbor));
    let is_shared = all.iter().filter(|other| other.arguments == p.arguments).count() > 1;
    let reduces = has("op") && !has("win");
    if has_blocks || is_shared || reduces {
        return None;
    }
    // One-sided and split collective calls are done with their buffers at another call.
    let lasts = has("win") && !has("request") || function.name.ends_with("_begin");
    Some(if lasts { "lasting" } else { "message" })
}

/// The form in Rust. It calls the subroutine: at once with buffers that are seen to have no gaps,
/// so that the way of most calls is short.
pub(crate) fn form_with_descriptors(prefix: &str, prototype: &Prototype) -> String {
    form(prefix, prototype, "#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn")
}

/// The form of a family's subroutine whose buffers come as gfortran passes arrays to routines that
/// are not C's.
pub(crate) fn form_of_family(family: &str, prototype: &Prototype) -> String {
    let symbol = prototype.name.to_lowercase();
    let (mut parameters, mut lengths) = (String::new(), String::new());
    let (mut before, mut names) = (String::new(), Vec::new());
    for declared in &prototype.parameters {
        let name = usable(&declared.name);
        let passed = passed_as(prototype, declared);
        let is_choice = prototype.function.parameter(&declared.name).is_some_and(is_choice);
        let ty = if is_choice { "*const gfortran::Array" } else { &passed.ty };
        write!(parameters, "{name}: {ty}, ").expect("a string takes all");
        if passed.has_length {
            write!(lengths, ", {name}_len: usize").expect("a string takes all");
        }
        if is_choice {
            writeln!(before, "let {name} = gfortran::descriptor({name});")
                .expect("a string takes all");
        }
        names.push(if is_choice { format!("{name}.as_ptr()") } else { name });
    }
    let called = if takes_descriptors(prototype) { FORM } else { "" };
    if called.is_empty() {
        names = names.iter().map(|n| n.replace(".as_ptr()", ".address()")).collect();
    }
    let texts = prototype.parameters.iter().filter(|d| passed_as(prototype, d).has_length);
    let texts: String = texts.map(|d| format!(", {}_len", usable(&d.name))).collect();
    let texts = if called.is_empty() { texts } else { String::new() };
    let head = "unsafe extern \"C\" fn";
    let form = if called.is_empty() { String::new() } else { form("", prototype, head) };
    format!(
        "{form}/// `{}` of `mpi_f08`.\n\
         #[unsafe(export_name = \"{family}_{symbol}_f08ts_\")]\npub unsafe extern \"C\" fn \
         {symbol}_f08ts_({parameters}ierror: *mut c_int{lengths}) {{\n\
         // SAFETY: the program passes what the standard says.\n\
         unsafe {{\n{before}{symbol}{called}_({}, ierror{texts});\n}}\n}}\n\n",
        prototype.name,
        names.join(", ")
    )
}

/// The form, which `function` begins.
fn form(prefix: &str, prototype: &Prototype, function: &str) -> String {
    let name = format!("{prefix}{}", prototype.name);
    let (mut parameters, mut before) = (String::new(), String::new());
    let (mut addresses, mut names, mut tested) = (Vec::new(), Vec::new(), Vec::new());
    for declared in &prototype.parameters {
        let name = usable(&declared.name);
        let choice = prototype.function.parameter(&declared.name).filter(|p| is_choice(p));
        if let Some(choice) = choice {
            let passed = passed_on(prototype, choice, &name);
            if !passed.is_empty() {
                tested.push(name.clone());
            }
            before += &passed;
            write!(parameters, "{name}: *const Descriptor, ").expect("a string takes all");
            addresses.push(format!("Descriptor::address({name})"));
        } else {
            let ty = passed_as(prototype, declared).ty;
            write!(parameters, "{name}: {ty}, ").expect("a string takes all");
            addresses.push(name.clone());
        }
        names.push(name);
    }
    let symbol = name.to_lowercase();
    let at_once = format!("{symbol}_({}, ierror)", addresses.join(", "));
    let names = names.join(", ");
    let head = format!("({parameters}ierror: *mut c_int) {{\n");
    let body = if tested.is_empty() {
        let reason = "// SAFETY: the program passes what the standard says.";
        format!("    {reason}\n    unsafe {{ {at_once} }};\n")
    } else {
        let all = |test: &str| {
            let tests = tested.iter().map(|name| format!("Descriptor::{test}({name})"));
            tests.collect::<Vec<_>>().join(" && ")
        };
        let (plain, contiguous) = (all("is_plain"), all("is_contiguous"));
        let has_request = prototype.parameters.iter().any(|p| p.name == "request");
        let null =
            if has_request { "set(request, <Functions as Library>::REQUEST_NULL);\n" } else { "" };
        let finish = if has_request {
            "let code = sections.finish_with(request);\nif code != 0 { set(ierror, code); }"
        } else {
            "sections.finish();"
        };
        let has_comm = prototype.parameters.iter().any(|p| p.name == "comm");
        let comm = if has_comm { "Some(*comm)" } else { "None" };
        let public = &prototype.name;
        format!(
            "    #[cold]\n    unsafe fn otherwise{head}    // SAFETY: promised by the caller.\n    \
             unsafe {{\nif {contiguous} {{ return {at_once}; }}\n\
             let mut sections = Sections::<Functions>::default();\n{before}{null}\
             if let Some(code) = sections.refusal(\"{public}\", {comm}) {{\n\
             return set(ierror, code);\n}}\n\
             {symbol}_({names}, ierror);\n{finish}\n    }}\n    }}\n    \
             // SAFETY: the program passes what the standard says.\n    unsafe {{\n\
             if {plain} {{ {at_once} }} else {{ otherwise({names}, ierror) }}\n    }}\n"
        )
    };
    format!("/// `{name}`, with descriptors.\n{function} {symbol}{FORM}_{head}{body}}}\n\n")
}

/// What comes before the call: the names of the buffer, of its count and of its datatype stand for
/// what is passed on after it. Empty if that is the buffer's address.
fn passed_on(prototype: &Prototype, choice: &Parameter, name: &str) -> String {
    let is_written = choice.direction.is_written();
    match passage(prototype.function, choice) {
        Passage::Address => String::new(),
        Passage::Staged => format!("let {name} = sections.staged({name}, {is_written});\n"),
        Passage::Whole => format!("let {name} = sections.whole({name});\n"),
        Passage::Described(how, count, datatype) => {
            let written = if how == "message" { format!(", {is_written}") } else { String::new() };
            let declared = prototype.parameters.iter().find(|p| p.name == count);
            let ty = rust_type(&declared.expect("a function has its count").ty);
            let (count, datatype) = (usable(count), usable(datatype));
            format!(
                "let mut {name} = sections.{how}({name}, *{count}, *{datatype}{written});\n\
                 let mut {count}_{name} = {name}.count as {ty};\n\
                 let ({count}, {datatype}, {name}) = \
                 (&raw mut {count}_{name}, &raw mut {name}.datatype, {name}.address);\n"
            )
        }
    }
}
