//! The user's table of algorithms: text in, rules or an error out. The text is TOML, a list of
//! rules per operation:
//!
//! ```toml
//! [[allreduce]]
//! ranks_max = 8
//! bytes_max = 4096
//! algorithm = "recursive_doubling"
//! ```
//!
//! An error names file and line, what was wrong, and the nearest name that would have been right.

use crate::select::{AlgorithmSet, Origin, Rule, When};
use crate::selection::{Listed, OPERATIONS, Selection, Visitor, visit};
use dunlin_base::settings::{COLL_ALGORITHM, edit_distance};
use dunlin_base::{Error, ErrorClass, Result};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table as the user gave it.
#[derive(Clone, Copy, Debug)]
pub struct TableText<'a> {
    /// Its name in errors: the path of the file.
    pub name: &'a str,
    /// What is in it.
    pub text: &'a str,
}

/// A condition of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name in tables.
    pub name: &'static str,
    /// What it limits.
    pub doc: &'static str,
    /// Where a rule keeps it.
    pub field: Field,
}

/// Where a rule keeps a condition.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    /// A limit: a number, at least 0.
    Limit(fn(&mut When) -> &mut usize),
    /// `true` or `false`.
    Flag(fn(&mut When) -> &mut Option<bool>),
}

const fn limit(name: &'static str, doc: &'static str, field: fn(&mut When) -> &mut usize) -> Key {
    Key { name, doc, field: Field::Limit(field) }
}

const fn flag(
    name: &'static str,
    doc: &'static str,
    field: fn(&mut When) -> &mut Option<bool>,
) -> Key {
    Key { name, doc, field: Field::Flag(field) }
}

/// The conditions that a rule may name; all that it names must hold.
pub const KEYS: &[Key] = &[
    limit("bytes_min", "Smallest number of bytes per rank.", |w| &mut w.bytes.min),
    limit("bytes_max", "Largest number of bytes per rank.", |w| &mut w.bytes.max),
    limit("ranks_min", "Smallest number of ranks.", |w| &mut w.ranks.min),
    limit("ranks_max", "Largest number of ranks.", |w| &mut w.ranks.max),
    limit("nodes_min", "Smallest number of nodes.", |w| &mut w.nodes.min),
    limit("nodes_max", "Largest number of nodes.", |w| &mut w.nodes.max),
    limit("ranks_per_node_min", "Smallest number of ranks per node (the mean, rounded up).", |w| {
        &mut w.ranks_per_node.min
    }),
    limit("ranks_per_node_max", "Largest number of ranks per node.", |w| &mut w.ranks_per_node.max),
    flag("commutative", "Only calls whose operator commutes (`true`), or only others.", |w| {
        &mut w.commutative
    }),
    flag("in_place", "Only calls with `MPI_IN_PLACE` (`true`), or only others.", |w| {
        &mut w.in_place
    }),
    flag(
        "oversubscribed",
        "Only calls where a node has more ranks than cores (`true`), or others.",
        |w| &mut w.oversubscribed,
    ),
    flag(
        "single_copy",
        "Only calls whose data ranks of a node share by single copy (`true`; see `DUNLIN_CMA`), or \
         others.",
        |w| &mut w.single_copy,
    ),
    flag(
        "slow_copy",
        "Only calls by ranks of nodes whose kernel copies slowly between processes, or may not \
         (`true`; see `DUNLIN_CMA`), or others; calls by messages alone are others.",
        |w| &mut w.slow_copy,
    ),
];

/// The key that names what to run.
const ALGORITHM_KEY: &str = "algorithm";

impl When {
    /// The conditions as a table would give them, e.g. `bytes_max = 4096`; empty for every call.
    pub fn conditions(&self) -> Vec<String> {
        let (mut here, mut always) = (*self, When::ALWAYS);
        let text = |key: &Key| match key.field {
            Field::Limit(field) => {
                let value = *field(&mut here);
                (value != *field(&mut always)).then(|| format!("{} = {value}", key.name))
            }
            Field::Flag(field) => field(&mut here).map(|value| format!("{} = {value}", key.name)),
        };
        KEYS.iter().filter_map(text).collect()
    }
}

/// The name among `known` that is nearest to `given`.
pub fn nearest<'a>(given: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    known.min_by_key(|name| edit_distance(name, given)).unwrap_or("")
}

/// What to tell who named an operation that does not exist.
pub fn unknown_operation(given: &str) -> String {
    let meant = nearest(given, OPERATIONS.iter().copied());
    let known = OPERATIONS.join(", ");
    format!("`{given}` is not an operation; did you mean `{meant}`? The operations are {known}")
}

fn named<A: Listed>(name: &str) -> Result<A, String> {
    A::from_name(name).ok_or_else(|| {
        let names = || A::ALL.iter().map(|algorithm| algorithm.name());
        let (meant, all) = (nearest(name, names()), names().collect::<Vec<_>>().join(", "));
        let operation = A::OPERATION;
        format!(
            "`{name}` is not an algorithm of {operation}; did you mean `{meant}`? It has: {all}"
        )
    })
}

/// The algorithm with the user's number, if it can work with it.
fn tuned<A: AlgorithmSet>(algorithm: A, number: usize) -> Result<A, String> {
    let tuned = algorithm.with_parameter(number);
    match tuned.parameter() {
        Some((own, nearest)) if nearest != number => {
            let name = algorithm.name();
            Err(format!("{own} of {name} is {number}; the nearest it can work with is {nearest}"))
        }
        _ => Ok(tuned),
    }
}

/// Reads a table.
pub(crate) fn read(table: TableText<'_>, into: &mut Selection) -> Result<()> {
    let reader = Reader { table };
    let parsed = DeTable::parse(table.text).map_err(|e| {
        reader.error(e.span().map_or(0, |span| span.start), e.message().replace('\n', "; "))
    })?;
    let mut operations: Vec<_> = parsed.get_ref().iter().collect();
    operations.sort_by_key(|(name, _)| name.span().start);
    for (name, rules) in operations {
        let work = ReadRules { reader, rules, into };
        visit(name.get_ref(), work)
            .ok_or_else(|| reader.error(name.span().start, unknown_operation(name.get_ref())))??;
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Reader<'a> {
    table: TableText<'a>,
}

impl Reader<'_> {
    /// The number of the line that has byte `at`, from 1.
    fn line(&self, at: usize) -> u32 {
        let before = &self.table.text.as_bytes()[..at.min(self.table.text.len())];
        1 + before.iter().filter(|&&byte| byte == b'\n').count() as u32
    }

    fn error(&self, at: usize, text: impl AsRef<str>) -> Error {
        let (name, line) = (self.table.name, self.line(at));
        Error::new(ErrorClass::Arg, format!("{name}:{line}: {}", text.as_ref()))
    }

    fn number(&self, key: &str, value: &Spanned<DeValue<'_>>, min: usize) -> Result<usize> {
        let given = value.get_ref();
        let digits = given.as_integer().map(|n| (n.as_str(), n.radix()));
        digits
            .and_then(|(digits, radix)| usize::from_str_radix(digits, radix).ok())
            .filter(|&number| number >= min)
            .ok_or_else(|| {
                let text =
                    format!("{key} is {}; it must be a whole number from {min} on", shown(given));
                self.error(value.span().start, text)
            })
    }
}

fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::String(text) => format!("the text `{text}`"),
        DeValue::Boolean(word) => word.to_string(),
        other => format!("a TOML {}", other.type_str()),
    }
}

struct ReadRules<'a, 'i> {
    reader: Reader<'a>,
    rules: &'a Spanned<DeValue<'i>>,
    into: &'a mut Selection,
}

impl Visitor for ReadRules<'_, '_> {
    type Out = Result<()>;

    fn visit<A: Listed>(self) -> Result<()> {
        let no_list = |at: Range<usize>| {
            let operation = A::OPERATION;
            let text = format!(
                "`{operation}` must be a list of rules; begin each of them with [[{operation}]]"
            );
            self.reader.error(at.start, text)
        };
        let list = self.rules.get_ref().as_array().ok_or_else(|| no_list(self.rules.span()))?;
        for entry in list.iter() {
            let fields = entry.get_ref().as_table().ok_or_else(|| no_list(entry.span()))?;
            let rule = rule::<A>(self.reader, entry.span().start, fields)?;
            A::rules_mut(self.into).push(rule);
        }
        Ok(())
    }
}

fn rule<A: Listed>(reader: Reader<'_>, at: usize, fields: &DeTable<'_>) -> Result<Rule<A>> {
    if let Some(name) = fields.keys().find(|name| !is_key::<A>(name.get_ref())) {
        return Err(reader.error(name.span().start, unknown_key::<A>(name.get_ref())));
    }
    let mut algorithm: A = algorithm(reader, at, fields)?;
    if let Some((name, value)) = fields.iter().find(|(name, _)| is_parameter::<A>(name.get_ref())) {
        if !takes(algorithm, name.get_ref()) {
            let text = format!("{} takes no `{}`; leave it out", algorithm.name(), name.get_ref());
            return Err(reader.error(name.span().start, text));
        }
        let number = reader.number(name.get_ref(), value, 1)?;
        algorithm =
            tuned(algorithm, number).map_err(|text| reader.error(value.span().start, text))?;
    }
    let when = conditions(reader, at, fields)?;
    Ok(Rule { when, algorithm, origin: Origin::Table { line: reader.line(at) } })
}

fn conditions(reader: Reader<'_>, at: usize, fields: &DeTable<'_>) -> Result<When> {
    let mut when = When::ALWAYS;
    for key in KEYS {
        let Some(value) = fields.get(key.name) else { continue };
        match key.field {
            Field::Limit(field) => *field(&mut when) = reader.number(key.name, value, 0)?,
            Field::Flag(field) => {
                let word = value.get_ref().as_bool().ok_or_else(|| {
                    let given = shown(value.get_ref());
                    let text = format!("{} is {given}; it must be true or false", key.name);
                    reader.error(value.span().start, text)
                })?;
                *field(&mut when) = Some(word);
            }
        }
    }
    for (what, range) in when.ranges() {
        if range.min > range.max {
            let (min, max) = (range.min, range.max);
            let text = format!("{what}_min is {min} and {what}_max {max}; no call is covered");
            return Err(reader.error(at, text));
        }
    }
    Ok(when)
}

fn algorithm<A: Listed>(reader: Reader<'_>, at: usize, fields: &DeTable<'_>) -> Result<A> {
    let Some(value) = fields.get(ALGORITHM_KEY) else {
        let operation = A::OPERATION;
        let example = A::ALL[0].name();
        let text =
            format!("this rule of {operation} names no algorithm; add algorithm = \"{example}\"");
        return Err(reader.error(at, text));
    };
    let name = value.get_ref().as_str().ok_or_else(|| {
        let given = shown(value.get_ref());
        let text = format!("algorithm is {given}; it must be a name in quotes");
        reader.error(value.span().start, text)
    })?;
    named(name).map_err(|text| reader.error(value.span().start, text))
}

/// Whether the algorithm takes a number of this name.
fn takes<A: Listed>(algorithm: A, name: &str) -> bool {
    algorithm.parameter().is_some_and(|(own, _)| own == name)
}

fn is_parameter<A: Listed>(name: &str) -> bool {
    A::ALL.iter().any(|&algorithm| takes(algorithm, name))
}

fn is_key<A: Listed>(name: &str) -> bool {
    name == ALGORITHM_KEY || KEYS.iter().any(|key| key.name == name) || is_parameter::<A>(name)
}

fn unknown_key<A: Listed>(given: &str) -> String {
    let parameters = A::ALL.iter().filter_map(|algorithm| algorithm.parameter());
    let known = KEYS.iter().map(|key| key.name).chain([ALGORITHM_KEY]);
    let meant = nearest(given, known.chain(parameters.map(|(name, _)| name)));
    let operation = A::OPERATION;
    format!("`{given}` is not a key of a rule of {operation}; did you mean `{meant}`?")
}

/// Reads the setting that forces algorithms: `operation=algorithm`, separated by commas. An
/// algorithm that takes a number may be followed by `:` and the number.
pub(crate) fn read_setting(value: &str, into: &mut Selection) -> Result<()> {
    let error = |text: String| Error::new(ErrorClass::Arg, format!("{COLL_ALGORITHM}: {text}"));
    for part in value.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (operation, how) = part.split_once('=').ok_or_else(|| {
            error(format!("`{part}` has no `=`; write operation=algorithm, as in allreduce=ring"))
        })?;
        let (operation, how) = (operation.trim(), how.trim());
        visit(operation, Force { how, into })
            .unwrap_or_else(|| Err(unknown_operation(operation)))
            .map_err(error)?;
    }
    Ok(())
}

struct Force<'a> {
    how: &'a str,
    into: &'a mut Selection,
}

impl Visitor for Force<'_> {
    type Out = Result<(), String>;

    fn visit<A: Listed>(self) -> Self::Out {
        let (name, number) = match self.how.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (self.how, None),
        };
        let mut algorithm: A = named(name)?;
        if let Some(number) = number {
            let Some((own, _)) = algorithm.parameter() else {
                return Err(format!("{name} takes no number; leave out `:{number}`"));
            };
            let value = number.parse().ok().filter(|&value| value > 0).ok_or_else(|| {
                format!("{own} of {name} is `{number}`; it must be a whole number from 1 on")
            })?;
            algorithm = tuned(algorithm, value)?;
        }
        let rule = Rule { when: When::ALWAYS, algorithm, origin: Origin::Setting };
        A::rules_mut(self.into).push(rule);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::Range;

    fn read_error(text: &str) -> String {
        Selection::new("", Some(TableText { name: "t.toml", text })).unwrap_err().text.to_string()
    }

    fn setting_error(value: &str) -> String {
        Selection::new(value, None).unwrap_err().text.to_string()
    }

    #[track_caller]
    fn assert_has(text: &str, parts: &[&str]) {
        for part in parts {
            assert!(text.contains(part), "`{part}` is missing in: {text}");
        }
    }

    #[test]
    fn every_key_reaches_its_place() {
        let text = "[[bcast]]\nbytes_min = 1\nbytes_max = 0x10\nranks_min = 3\nranks_max = 4\n\
                    nodes_min = 5\nnodes_max = 6\nranks_per_node_min = 7\n\
                    ranks_per_node_max = 8\ncommutative = true\nin_place = false\n\
                    oversubscribed = true\nsingle_copy = false\nslow_copy = true\n\
                    segment = 9\nalgorithm = 'pipelined_chain'\n";
        let selection = Selection::new("", Some(TableText { name: "t.toml", text })).unwrap();
        let rule = crate::bcast::Algorithm::rules(&selection)[0];
        let range = |min, max| Range { min, max };
        let when = When {
            bytes: range(1, 16),
            ranks: range(3, 4),
            nodes: range(5, 6),
            ranks_per_node: range(7, 8),
            commutative: Some(true),
            in_place: Some(false),
            oversubscribed: Some(true),
            single_copy: Some(false),
            slow_copy: Some(true),
        };
        assert_eq!(rule.when, when);
        assert_eq!(rule.algorithm, crate::bcast::Algorithm::PipelinedChain { segment: 9 });
        let conditions = when.conditions();
        assert_eq!(conditions.len(), KEYS.len());
        assert_eq!(conditions[1], "bytes_max = 16");
        assert!(When::ALWAYS.conditions().is_empty());
    }

    #[test]
    fn an_unknown_operation_names_line_and_nearest() {
        let text = read_error("# mine\n[[allredcue]]\nalgorithm = 'ring'\n");
        assert_has(&text, &["t.toml:2: `allredcue`", "did you mean `allreduce`?"]);
    }

    #[test]
    fn an_unknown_algorithm_names_line_nearest_and_all() {
        let text = read_error("[[allreduce]]\nalgorithm = 'rign'\n");
        assert_has(&text, &["t.toml:2: `rign`", "mean `ring`?", "rabenseifner"]);
    }

    #[test]
    fn an_unknown_key_names_line_and_nearest() {
        let text = read_error("[[allreduce]]\nalgorithm = 'ring'\nbyte_max = 4\n");
        assert_has(&text, &["t.toml:3: `byte_max`", "did you mean `bytes_max`?"]);
        let text = read_error("[[bcast]]\nalgorithm = 'binomial'\nsegment = 4\n");
        assert_has(&text, &["t.toml:3: binomial takes no `segment`"]);
        let text = read_error("[[bcast]]\nalgoritm = 'binomial'\n");
        assert_has(&text, &["t.toml:2: `algoritm`", "did you mean `algorithm`?"]);
    }

    #[test]
    fn values_of_the_wrong_kind_are_refused_with_the_value_seen() {
        let rule = |line: &str| read_error(&format!("[[bcast]]\nalgorithm = 'binomial'\n{line}\n"));
        assert_has(&rule("bytes_max = -1"), &["t.toml:3: bytes_max is -1", "whole number"]);
        assert_has(&rule("bytes_max = '4K'"), &["the text `4K`"]);
        assert_has(&rule("in_place = 1"), &["in_place is 1", "true or false"]);
        assert_has(&rule("ranks_min = 9\nranks_max = 8"), &["ranks_min is 9 and ranks_max 8"]);
        assert_has(&read_error("[[bcast]]\nalgorithm = 5\n"), &["t.toml:2: algorithm is 5"]);
        let zero = "[[bcast]]\nsegment = 0\nalgorithm = 'pipelined_chain'\n";
        assert_has(&read_error(zero), &["t.toml:2: segment is 0", "from 1 on"]);
    }

    #[test]
    fn a_rule_without_algorithm_or_outside_a_list_says_what_to_write() {
        let text = read_error("\n[[barrier]]\nranks_max = 2\n");
        assert_has(&text, &["t.toml:2:", "add algorithm = \"dissemination\""]);
        assert_has(&read_error("[scan]\nalgorithm = 'linear'\n"), &["t.toml:1:", "[[scan]]"]);
        assert_has(&read_error("scan = 'linear'\n"), &["t.toml:1:", "[[scan]]"]);
    }

    #[test]
    fn broken_toml_names_the_line() {
        assert_has(&read_error("[[scan]]\nalgorithm = \n"), &["t.toml:2: "]);
    }

    /// Works with 2 and more.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Radix(usize);

    impl AlgorithmSet for Radix {
        const OPERATION: &'static str = "test";
        const ALL: &'static [Self] = &[Radix(2)];
        const TABLE: &'static [Rule<Self>] = &[Rule::otherwise(Radix(2))];

        fn name(self) -> &'static str {
            "tree"
        }

        fn fits(self, _: &crate::CallTraits) -> bool {
            true
        }

        fn parameter(self) -> Option<(&'static str, usize)> {
            Some(("radix", self.0))
        }

        fn with_parameter(self, value: usize) -> Self {
            Radix(value.max(2))
        }
    }

    #[test]
    fn a_number_the_algorithm_cannot_work_with_is_refused_with_the_nearest() {
        assert_eq!(tuned(Radix(4), 3), Ok(Radix(3)));
        assert_has(&tuned(Radix(4), 1).unwrap_err(), &["radix of tree is 1; the nearest", "is 2"]);
    }

    /// What is wrong with the parameters of an operation's algorithms.
    struct Parameters;

    impl Visitor for Parameters {
        type Out = Vec<String>;

        fn visit<A: Listed>(self) -> Vec<String> {
            let wrong = |algorithm: &A| {
                let (name, value) = algorithm.parameter()?;
                let clashes = name == ALGORITHM_KEY || KEYS.iter().any(|key| key.name == name);
                let changes = |number| tuned(*algorithm, number).map(A::parameter);
                let settable = changes(value + 1) == Ok(Some((name, value + 1)));
                (clashes || !settable)
                    .then(|| format!("{name} of {} by {}", A::OPERATION, algorithm.name()))
            };
            A::ALL.iter().filter_map(wrong).collect()
        }
    }

    #[test]
    fn every_parameter_can_be_set_and_clashes_with_no_condition() {
        let wrong: Vec<String> =
            OPERATIONS.iter().flat_map(|name| visit(name, Parameters).unwrap()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn the_setting_is_refused_part_by_part() {
        assert_has(&setting_error("allreduce"), &["DUNLIN_COLL_ALGORITHM: `allreduce` has no `=`"]);
        assert_has(&setting_error("bcats=binomial"), &["did you mean `bcast`?"]);
        assert_has(&setting_error("bcast=binomial, bcast=chain"), &["`chain` is not an algorithm"]);
        assert_has(&setting_error("bcast=binomial:3"), &["binomial takes no number"]);
        assert_has(
            &setting_error("bcast=pipelined_chain:0"),
            &["segment of pipelined_chain is `0`"],
        );
        assert!(Selection::new(" , ", None).is_ok());
    }
}
