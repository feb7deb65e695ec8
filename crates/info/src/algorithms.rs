//! The algorithms of the collective operations, and the rules in force.

use dunlin_coll::select_docs::summary;
use dunlin_coll::selection::{Listed, OPERATIONS, Visitor, visit};
use serde::Serialize;

use crate::Answer;
use crate::paint::{DIM, GOOD, TITLE, painted, wrapped};
use crate::tables::Tables;

/// Columns before the explanations.
const INDENT: usize = 6;

/// Some or all operations.
#[derive(Debug, Serialize)]
pub struct Operations(Vec<Operation>);

#[derive(Debug, Serialize)]
struct Operation {
    operation: &'static str,
    algorithms: Vec<Algorithm>,
    /// In the order in which they are asked.
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
struct Algorithm {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<Parameter>,
    doc: String,
}

/// The number an algorithm takes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Parameter {
    name: &'static str,
    value: usize,
}

impl Parameter {
    /// From what the algorithm says.
    pub fn new(said: Option<(&'static str, usize)>) -> Option<Parameter> {
        said.map(|(name, value)| Parameter { name, value })
    }
}

/// An algorithm and its number, for a person.
pub fn full_name(algorithm: &str, parameter: Option<Parameter>) -> String {
    match parameter {
        Some(Parameter { name, value }) => format!("{algorithm} ({name} = {value})"),
        None => algorithm.to_string(),
    }
}

#[derive(Debug, Serialize)]
struct Rule {
    rule: String,
    when: Vec<String>,
    algorithm: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<Parameter>,
}

/// Describes `operation`, or every one.
pub fn collect(tables: &Tables, operation: Option<&str>) -> Operations {
    let wanted = OPERATIONS.iter().filter(|name| operation.is_none_or(|one| one == **name));
    Operations(wanted.filter_map(|name| visit(name, Describe { tables })).collect())
}

struct Describe<'a> {
    tables: &'a Tables,
}

impl Visitor for Describe<'_> {
    type Out = Operation;

    fn visit<A: Listed>(self) -> Operation {
        let algorithms = A::ALL.iter().map(|algorithm| Algorithm {
            name: algorithm.name(),
            parameter: Parameter::new(algorithm.parameter()),
            doc: summary(A::OPERATION, algorithm.name()).unwrap_or_default(),
        });
        let rules = A::rules(&self.tables.selection);
        let place = |at: usize| {
            let same = |rule: &&dunlin_coll::select::Rule<A>| {
                std::mem::discriminant(&rule.origin) == std::mem::discriminant(&rules[at].origin)
            };
            rules[..=at].iter().filter(same).count()
        };
        let rules = rules.iter().enumerate().map(|(at, rule)| Rule {
            rule: self.tables.name_rule(rule.origin, place(at)),
            when: rule.when.conditions(),
            algorithm: rule.algorithm.name(),
            parameter: Parameter::new(rule.algorithm.parameter()),
        });
        let (algorithms, rules) = (algorithms.collect(), rules.collect());
        Operation { operation: A::OPERATION, algorithms, rules }
    }
}

/// The conditions of a rule in one line.
pub fn conditions(when: &[String]) -> String {
    if when.is_empty() { "every call".into() } else { when.join(", ") }
}

impl Answer for Operations {
    fn text(&self) -> String {
        self.0.iter().map(Operation::text).collect::<Vec<_>>().join("\n")
    }
}

impl Operation {
    fn text(&self) -> String {
        let mut text = format!("{}\n", painted(TITLE, self.operation));
        for algorithm in &self.algorithms {
            let name = full_name(algorithm.name, algorithm.parameter);
            text.push_str(&format!(
                "  {}\n{}",
                painted(GOOD, &name),
                wrapped(&algorithm.doc, INDENT)
            ));
        }
        text.push_str("  rules, the first that fits decides:\n");
        let width = self.rules.iter().map(|rule| rule.rule.len()).max().unwrap_or(0);
        for rule in &self.rules {
            let (name, when) = (&rule.rule, conditions(&rule.when));
            let how = full_name(rule.algorithm, rule.parameter);
            let origin = painted(DIM, &format!("{name:<width$}"));
            text.push_str(&format!("{:INDENT$}{origin}  {when}: {how}\n", ""));
        }
        text
    }
}
