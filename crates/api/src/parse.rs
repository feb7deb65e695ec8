//! Reads the file of a chapter.

use std::path::Path;

use crate::cursor::{Error, Line, Place, lines};
use crate::kind::Kind;
use crate::table::{Chapter, Direction, Function, Interface, Mark, Owner, Parameter};

/// The kinds of objects that have an error handler, or belong to one that has.
const OWNERS: [&str; 6] = ["comm", "win", "file", "session", "request", "message"];

/// What holds for the functions of a chapter that say nothing else.
struct Defaults {
    interfaces: Vec<Interface>,
    owner: Owner,
}

/// Reads the text of a chapter.
pub fn chapter(file: &Path, text: &str) -> Result<Chapter, Error> {
    let mut lines = lines(file, text).peekable();
    let head = lines.next().ok_or_else(|| Error::file(file, "the file is empty"))?;
    let mut chapter = heading(&head)?;
    let mut defaults = Defaults { interfaces: all_interfaces(), owner: Owner::Process };
    while let Some(line) = lines.next_if(|l| l.is_indented) {
        match line.text.split_once(' ') {
            Some(("interfaces", names)) => defaults.interfaces = interfaces(&line.place, names)?,
            Some(("errors", name)) => defaults.owner = owner(name),
            _ => return Err(line.place.error("a chapter has `interfaces` and `errors` only")),
        }
    }
    while let Some(line) = lines.next() {
        let mut function = signature(&line, &defaults)?;
        let mut stated = None;
        while let Some(line) = lines.next_if(|l| l.is_indented) {
            property(&mut function, &mut stated, &line)?;
        }
        function.owner = match stated {
            Some(owner) => owner,
            None => first_owner(&function).unwrap_or(defaults.owner.clone()),
        };
        chapter.functions.push(function);
    }
    Ok(chapter)
}

/// `chapter 3. Point-to-point communication`
fn heading(line: &Line) -> Result<Chapter, Error> {
    let parts = line.text.strip_prefix("chapter ").and_then(|h| h.split_once(". "));
    let parsed = parts.and_then(|(n, title)| Some((n.parse().ok()?, title.to_string())));
    let (number, title) = parsed.ok_or_else(|| {
        line.place.error(format!("`{}` must be `chapter NUMBER. TITLE`", line.text))
    })?;
    Ok(Chapter { number, title, functions: Vec::new() })
}

/// `MPI_Wtime -> seconds`, `MPI_Bcast / MPI_Ibcast / MPI_Bcast_init`
fn signature(line: &Line, defaults: &Defaults) -> Result<Function, Error> {
    if line.is_indented {
        return Err(line.place.error("an indented line must follow a function"));
    }
    let (names, result) = match line.text.split_once(" -> ") {
        Some((names, result)) => (names, Some(kind(&line.place, result)?)),
        None => (line.text, None),
    };
    let names: Vec<&str> = names.split(" / ").collect();
    if let Some(wrong) = names.iter().find(|n| !n.starts_with("MPI_") || n.contains(' ')) {
        return Err(line.place.error(format!("`{wrong}` is no name of a function (MPI_...)")));
    }
    let collective = match &names[..] {
        [_] => None,
        [_, begin, init] => Some([begin.to_string(), init.to_string()]),
        _ => return Err(line.place.error("a collective has three names, any other function one")),
    };
    Ok(Function {
        place: line.place.clone(),
        name: names[0].to_string(),
        collective,
        result,
        parameters: Vec::new(),
        is_variadic: false,
        is_missing: false,
        deprecated: None,
        interfaces: defaults.interfaces.clone(),
        owner: defaults.owner.clone(),
    })
}

/// An indented line: a parameter, or something else about the function.
fn property(function: &mut Function, stated: &mut Option<Owner>, line: &Line) -> Result<(), Error> {
    let (word, rest) = line.text.split_once(' ').unwrap_or((line.text, ""));
    match word {
        "missing" if rest.is_empty() => function.is_missing = true,
        "variadic" if rest.is_empty() => function.is_variadic = true,
        "errors" => *stated = Some(owner(rest)),
        "interfaces" => function.interfaces = interfaces(&line.place, rest)?,
        "deprecated" => {
            let parts = rest.split_once(" for ");
            let (since, instead) = parts
                .ok_or_else(|| line.place.error("write `deprecated VERSION for REPLACEMENT`"))?;
            function.deprecated = Some((since.to_string(), instead.to_string()));
        }
        _ => function.parameters.push(parameter(line)?),
    }
    Ok(())
}

/// `in sendcounts count[peers(comm)] at-root`
fn parameter(line: &Line) -> Result<Parameter, Error> {
    let place = &line.place;
    let (direction, rest) = line.text.split_once(' ').unwrap_or((line.text, ""));
    let direction = named(&Direction::ALL, direction).ok_or_else(|| {
        let known = names(&Direction::ALL);
        place.error(format!("`{direction}` is no direction; these are: {known}"))
    })?;
    let (name, rest) = rest
        .trim_start()
        .split_once(' ')
        .ok_or_else(|| place.error("a parameter has a direction, a name and a kind"))?;
    let rest = rest.trim_start();
    let end = rest.find(['(', '[', ' ']).unwrap_or(rest.len());
    let kind = kind(place, &rest[..end])?;
    let (arguments, rest) = bracketed(place, &rest[end..], '(', ')')?;
    let (length, rest) = bracketed(place, rest, '[', ']')?;
    let mark = |word| {
        named(&Mark::ALL, word).ok_or_else(|| {
            place.error(format!("`{word}` is no mark; these are: {}", names(&Mark::ALL)))
        })
    };
    Ok(Parameter {
        place: place.clone(),
        name: name.to_string(),
        direction,
        kind,
        arguments: arguments
            .map(|a| a.split(',').map(|a| a.trim().to_string()).collect())
            .unwrap_or_default(),
        length: length.map(str::to_string),
        marks: rest.split_whitespace().map(mark).collect::<Result<_, _>>()?,
    })
}

/// What stands in the brackets that `text` opens with, if it does, and what follows them.
fn bracketed<'a>(
    place: &Place,
    text: &'a str,
    open: char,
    close: char,
) -> Result<(Option<&'a str>, &'a str), Error> {
    let Some(inside) = text.strip_prefix(open) else { return Ok((None, text)) };
    let mut depth = 1;
    for (i, c) in inside.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return Ok((Some(&inside[..i]), &inside[i + 1..]));
        }
    }
    Err(place.error(format!("`{open}` without `{close}`")))
}

fn kind(place: &Place, name: &str) -> Result<&'static Kind, Error> {
    Kind::named(name).ok_or_else(|| {
        place.error(format!("`{name}` is no kind; api/README.md lists the kinds there are"))
    })
}

fn owner(name: &str) -> Owner {
    match name {
        "process" => Owner::Process,
        "default-file" => Owner::DefaultFile,
        "none" => Owner::Nobody,
        parameter => Owner::Parameter(parameter.to_string()),
    }
}

fn first_owner(function: &Function) -> Option<Owner> {
    let is_one = |p: &&Parameter| p.direction.is_read() && OWNERS.contains(&p.kind.name);
    function.parameters.iter().find(is_one).map(|p| Owner::Parameter(p.name.clone()))
}

fn all_interfaces() -> Vec<Interface> {
    Interface::ALL.iter().map(|i| i.1).collect()
}

fn interfaces(place: &Place, words: &str) -> Result<Vec<Interface>, Error> {
    if words == "all" {
        return Ok(all_interfaces());
    }
    let interface = |word| {
        named(&Interface::ALL, word).ok_or_else(|| {
            let known = names(&Interface::ALL);
            place.error(format!("`{word}` is no interface; these are: all {known}"))
        })
    };
    words.split_whitespace().map(interface).collect()
}

/// What has this name in a table of names.
pub fn named<T: Copy>(all: &[(&str, T)], name: &str) -> Option<T> {
    all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// The names of a table.
pub fn names<T>(all: &[(&'static str, T)]) -> String {
    all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}
