//! What must hold in a description: every name that it mentions means something.

use std::collections::HashSet;

use crate::cursor::Error;
use crate::kind::Kind;
use crate::table::{Api, Class, Direction, Function, Mark, Owner, Parameter};

/// Kinds that a buffer may depend on.
const EXTENTS: [&str; 6] =
    ["count", "large-count", "bytes", "byte-displacement", "displacement", "address"];

/// Checks all of it.
pub fn check(api: &Api) -> Result<(), Error> {
    let mut seen = HashSet::new();
    for (_, function) in api.functions() {
        let names = std::iter::once(&function.name).chain(function.collective.iter().flatten());
        for name in names {
            if !seen.insert(name) {
                return Err(function.place.error(format!("{name} is described twice")));
            }
        }
        check_function(api, function)?;
    }
    for group in &api.constants {
        if let Some(twice) = group.names.iter().find(|n| !seen.insert(*n)) {
            return Err(group.place.error(format!("{twice} is listed twice")));
        }
        let has_kind = matches!(group.class, Class::Null | Class::Handle | Class::Enum);
        if has_kind && Kind::named(&group.purpose).is_none() {
            let text = format!("`{}` is no kind of handles", group.purpose);
            return Err(group.place.error(text));
        }
    }
    Ok(())
}

fn check_function(api: &Api, function: &Function) -> Result<(), Error> {
    let mut seen = HashSet::new();
    for p in &function.parameters {
        if !seen.insert(&p.name) {
            return Err(p.place.error(format!("{} has two parameters {}", function.name, p.name)));
        }
        check_parameter(api, function, p)?;
    }
    if let Owner::Parameter(name) = &function.owner
        && function.parameter(name).is_none()
    {
        let text = format!("`errors {name}`: {} has no such parameter", function.name);
        return Err(function.place.error(text));
    }
    if function.interfaces.is_empty() {
        return Err(function.place.error(format!("{} is in no interface", function.name)));
    }
    Ok(())
}

fn check_parameter(api: &Api, function: &Function, p: &Parameter) -> Result<(), Error> {
    if let Some(wrong) = check_arguments(api, function, p) {
        return Err(p.place.error(wrong));
    }
    if let Some(length) = &p.length
        && !is_length(api, function, length)
    {
        let text = format!(
            "`[{length}]` is no length: it must name a parameter, a string's length, or be \
             size(...), peers(...), indegree(...), outdegree(...), ndims(...), sum(...) or \
             last(...)"
        );
        return Err(p.place.error(text));
    }
    let makes_or_ends = matches!(p.direction, Direction::New | Direction::Free);
    if makes_or_ends && !p.kind.is_handle() && p.kind.name != "keyval" {
        let text = format!("a {} is neither made nor freed; it has no null handle", p.kind.name);
        return Err(p.place.error(text));
    }
    if p.direction == Direction::Complete && p.kind.name != "request" {
        return Err(p.place.error("only requests complete"));
    }
    let of_buffers = [Mark::InPlace, Mark::PerRank, Mark::PerNeighbor];
    if p.kind.name != "buffer" && of_buffers.iter().any(|m| p.has(*m)) {
        return Err(p.place.error("in-place, per-rank and per-neighbor are said of buffers"));
    }
    Ok(())
}

/// What is wrong with the arguments of a parameter's kind.
fn check_arguments(api: &Api, function: &Function, p: &Parameter) -> Option<String> {
    let of_kind = |name: &String, kinds: &[&str]| {
        function.parameter(name).is_some_and(|p| kinds.contains(&p.kind.name))
    };
    let arguments = &p.arguments;
    match p.kind.name {
        "rank" | "maybe-rank" | "peer" | "source" | "root" | "rank-range" => {
            let status_field = arguments.is_empty() && function.name.starts_with("MPI_Status_");
            let is_one = |a| of_kind(a, &["comm", "group", "win", "number"]);
            let is_right = status_field || arguments.len() == 1 && arguments.iter().all(is_one);
            let text = "a rank names one parameter that it counts in, a comm, group, win or number";
            (!is_right).then(|| text.to_string())
        }
        "buffer" => {
            let known = [&EXTENTS[..], &["number", "datatype"]].concat();
            let wrong = arguments.iter().find(|a| !of_kind(a, &known))?;
            Some(format!("`{wrong}` is no count, displacement or datatype of {}", function.name))
        }
        "choice" | "bits" => {
            let is_group = |g: &&String| {
                api.constants.iter().any(|c| c.class == Class::Int && c.purpose == **g)
            };
            let known = arguments.first().filter(is_group).is_some();
            (!known).then(|| format!("constants.txt has no group `int {}`", arguments.join(", ")))
        }
        "callback" => (arguments.len() != 1).then(|| "name the callback's type".to_string()),
        _ => (!arguments.is_empty()).then(|| format!("a {} has no arguments", p.kind.name)),
    }
}

/// Whether this says how long an array is.
fn is_length(api: &Api, function: &Function, length: &str) -> bool {
    let parameter = |name: &str| function.parameter(name).is_some();
    match length.strip_suffix(')').and_then(|l| l.split_once('(')) {
        Some((word, of)) => {
            ["size", "peers", "indegree", "outdegree", "ndims", "sum", "last"].contains(&word)
                && parameter(of)
        }
        None => {
            let lengths = api.constants.iter().filter(|g| g.purpose == "string-length");
            parameter(length) || lengths.flat_map(|g| &g.names).any(|n| n == length)
        }
    }
}
