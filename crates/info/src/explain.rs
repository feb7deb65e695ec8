//! Why a call runs the algorithm it runs: the rule that decides, and what the others say.

use dunlin_base::settings::Settings;
use dunlin_coll::select::{Params, WITHOUT_SIZE, When};
use dunlin_coll::select_docs::about;
use dunlin_coll::selection::{Considered, Verdict};
use serde::Serialize;

use crate::Answer;
use crate::algorithms::{Parameter, conditions, full_name};
use crate::options::Call;
use crate::paint::{DIM, GOOD, TITLE, painted, wrapped};
use crate::tables::Tables;

/// Columns before the algorithm's own words.
const INDENT: usize = 6;

/// The answer.
#[derive(Debug, Serialize)]
pub struct Explanation {
    call: Asked,
    algorithm: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<Parameter>,
    doc: String,
    decided_by: String,
    /// All rules of the operation, in the order in which they are asked.
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
struct Asked {
    operation: String,
    nodes: usize,
    ranks_per_node: usize,
    ranks: usize,
    bytes_per_rank: usize,
    commutative: bool,
    in_place: bool,
    /// What any rank shows has room in memory that its node sees.
    cico: bool,
    /// Ranks of a node can read each other's own memory.
    single_copy: bool,
    /// The kernel copies slowly between ranks of a node, or may not.
    slow_copy: bool,
    /// A node has more ranks than cores.
    oversubscribed: bool,
}

#[derive(Debug, Serialize)]
struct Rule {
    rule: String,
    when: Vec<String>,
    algorithm: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<Parameter>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    because: String,
}

/// Asks the tables about `call`.
pub fn explain(tables: &Tables, settings: &Settings, call: &Call) -> Explanation {
    let params = call.params(settings);
    let asked = tables.selection.explain(&call.operation, &params);
    let asked = asked.expect("the command line was checked for the operation's name");
    let decider = asked.iter().find(|rule| rule.verdict == Verdict::Decides);
    let decider = decider.expect("some built-in rule fits every call");
    Explanation {
        algorithm: decider.algorithm,
        parameter: Parameter::new(decider.parameter),
        doc: about(&call.operation, decider.algorithm).unwrap_or_default(),
        decided_by: tables.name_rule(decider.origin, decider.place),
        rules: asked.iter().map(|rule| Rule::new(tables, rule, &params)).collect(),
        call: Asked {
            operation: call.operation.clone(),
            nodes: params.shape.nodes,
            ranks_per_node: params.shape.ranks_per_node(),
            ranks: params.shape.ranks,
            bytes_per_rank: params.bytes_per_rank,
            commutative: params.shape.commutative,
            in_place: params.shape.in_place,
            cico: params.shape.cico,
            single_copy: params.shape.single_copy,
            slow_copy: params.shape.slow_copy,
            oversubscribed: params.shape.oversubscribed,
        },
    }
}

impl Rule {
    fn new(tables: &Tables, asked: &Considered, params: &Params) -> Rule {
        let (verdict, because) = match asked.verdict {
            Verdict::Decides => ("decides", String::new()),
            Verdict::Later => ("would be next", String::new()),
            Verdict::Unfit => ("does not fit", unfit(asked.algorithm, params)),
            Verdict::NotCovered => ("does not cover", missed(&asked.when, params).join(", ")),
        };
        Rule {
            rule: tables.name_rule(asked.origin, asked.place),
            when: asked.when.conditions(),
            algorithm: asked.algorithm,
            parameter: Parameter::new(asked.parameter),
            verdict,
            because,
        }
    }
}

/// What of the call an algorithm may depend on.
fn unfit(algorithm: &str, params: &Params) -> String {
    let shape = &params.shape;
    let swap = if shape.commutative { "" } else { ", without commuting" };
    let place = if shape.in_place { ", in place" } else { "" };
    let memory = match (shape.cico, shape.single_copy) {
        (true, true) => "",
        (false, true) => ", with more to show than there is room for",
        (true, false) => ", which cannot read each other's memory",
        (false, false) => ", by messages alone",
    };
    let (ranks, nodes) = (shape.ranks, shape.nodes);
    format!("{algorithm} cannot serve {ranks} ranks on {nodes} nodes{swap}{place}{memory}")
}

/// The conditions that do not hold.
fn missed(when: &When, params: &Params) -> Vec<String> {
    let shape = &params.shape;
    let values = [params.bytes_per_rank, shape.ranks, shape.nodes, shape.ranks_per_node()];
    let mut missed = Vec::new();
    for ((name, range), value) in when.ranges().into_iter().zip(values) {
        if value > range.max {
            missed.push(format!("{name} {value} > {}", range.max));
        } else if value < range.min {
            missed.push(format!("{name} {value} < {}", range.min));
        }
    }
    let flags = [
        ("commutative", when.commutative, shape.commutative),
        ("in_place", when.in_place, shape.in_place),
        ("oversubscribed", when.oversubscribed, shape.oversubscribed),
        ("single_copy", when.single_copy, shape.single_copy),
        ("slow_copy", when.slow_copy, shape.slow_copy),
    ];
    for (name, wanted, value) in flags {
        if wanted.is_some_and(|wanted| wanted != value) {
            missed.push(format!("{name} is {value}"));
        }
    }
    missed
}

impl Answer for Explanation {
    fn text(&self) -> String {
        let how = painted(GOOD, &full_name(self.algorithm, self.parameter));
        let mut text = format!("{}\n  runs {how}\n", self.call.text());
        text.push_str(&wrapped(&self.doc, INDENT));
        text.push_str(&format!("  decided by {}\n\nRules in the order asked\n", self.decided_by));
        let width = self.rules.iter().map(|rule| rule.rule.len()).max().unwrap_or(0);
        for rule in &self.rules {
            let (name, when) = (&rule.rule, conditions(&rule.when));
            let how = full_name(rule.algorithm, rule.parameter);
            let because = if rule.because.is_empty() { "" } else { ": " };
            let verdict = format!("{}{because}{}", rule.verdict, rule.because);
            let style = if rule.verdict == "decides" { GOOD } else { DIM };
            let mark = if rule.verdict == "decides" { ">" } else { " " };
            let line = format!("{mark} {name:<width$}  {when}: {how}");
            text.push_str(&format!("{line}\n{:INDENT$}{}\n", "", painted(style, &verdict)));
        }
        text
    }
}

impl Asked {
    fn text(&self) -> String {
        let commutes = if self.commutative { "" } else { ", not commutative" };
        let place = if self.in_place { ", in place" } else { "" };
        let title = painted(TITLE, &self.operation);
        let (nodes, per_node, ranks) = (self.nodes, self.ranks_per_node, self.ranks);
        let bytes = match WITHOUT_SIZE.contains(&self.operation.as_str()) {
            true => String::new(),
            false => format!(", {} bytes per rank", self.bytes_per_rank),
        };
        let ranks = format!("{nodes} x {per_node} = {ranks} ranks");
        let memory = match (self.cico || self.single_copy, self.nodes) {
            (false, _) => "",
            (true, 1) => ", in shared memory",
            (true, _) => ", in shared memory within nodes",
        };
        let cores = if self.oversubscribed { ", more of them than cores" } else { "" };
        format!("{title} on {ranks}{cores}{bytes}{commutes}{place}{memory}")
    }
}
