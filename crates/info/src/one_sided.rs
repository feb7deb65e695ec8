//! Which way a one-sided operation goes: the rule that decides, and why the others do not.

use std::cmp::Ordering;

use dunlin_base::one_sided::{self, BOUNCE_BYTES_MIN, Memory, Rule, SHORT_BYTES_MAX, Way};
use dunlin_base::settings::{CMA, PROGRESS, RMA, Setting, Settings};
use dunlin_base::single_copy::SingleCopy;
use dunlin_shm::cma;
use serde::Serialize;

use crate::Answer;
use crate::one_sided_names::Flavor;
use crate::options::Call;
use crate::paint::{DIM, GOOD, TITLE, painted, wrapped};

/// Columns before a rule's own words.
const INDENT: usize = 6;

/// Those with a request that awaits a result.
const AWAITED: [&str; 2] = ["rget", "rget_accumulate"];
/// Of one element, if nothing is said.
const ELEMENT_BYTES: usize = 8;

/// The answer.
#[derive(Debug, Serialize)]
pub struct Explanation {
    call: Asked,
    way: &'static str,
    doc: String,
    decided_by: &'static str,
    /// All rules, in the order in which they are asked.
    rules: Vec<Considered>,
}

#[derive(Debug, Serialize)]
struct Asked {
    operation: &'static str,
    flavor: Flavor,
    bytes: usize,
    alloc_mem: bool,
    gaps: bool,
    another_node: bool,
    rdma: bool,
}

#[derive(Debug, Serialize)]
struct Considered {
    rule: &'static str,
    way: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    because: String,
}

/// What the rules look at.
struct Facts<'a> {
    asked: &'a Asked,
    settings: &'a Settings,
    single_copy: SingleCopy,
    memory: Memory,
    operation: one_sided::Operation,
}

/// Asks the rules about `call`, where calls of the kernel take as long as on this machine.
pub fn explain(settings: &Settings, call: &Call) -> Explanation {
    let operation = call.one_sided().expect("the command line was checked for the operation");
    let (access, flavor) = (&call.access, call.access.flavor());
    let asked = Asked {
        operation: operation.name,
        flavor,
        bytes: call.bytes.unwrap_or(ELEMENT_BYTES),
        alloc_mem: access.alloc_mem,
        gaps: access.gaps,
        another_node: access.another_node,
        rdma: access.rdma,
    };
    let single_copy = SingleCopy::of(settings, cma::is_slow);
    let can_copy = single_copy != SingleCopy::Off;
    let memory = Memory {
        is_near: !access.another_node,
        // What is attached is not registered.
        remote_bytes_min: (access.rdma && flavor != Flavor::Dynamic)
            .then(|| one_sided::remote_bytes_min(settings)),
        by_origin: one_sided::by_origin(settings),
        // Where the kernel must not copy, memory of `MPI_Alloc_mem` is of the process alone.
        is_mapped: flavor.allocates() || access.alloc_mem && can_copy,
        is_copied: can_copy,
    };
    let (bytes, is_contiguous) = (asked.bytes, !access.gaps);
    let is_short_form = !AWAITED.contains(&operation.name);
    let accumulates = operation.accumulates;
    let operation = one_sided::Operation { bytes, is_contiguous, accumulates, is_short_form };
    let decider = Rule::of(memory, operation, single_copy);
    let facts = Facts { asked: &asked, settings, single_copy, memory, operation };
    let place = Rule::ALL.iter().position(|rule| *rule == decider);
    let rules = Rule::ALL.iter().enumerate();
    Explanation {
        way: way(decider.way()),
        doc: facts.doc(decider.way()),
        decided_by: name(decider),
        rules: rules.map(|(i, rule)| facts.considered(*rule, place.cmp(&Some(i)))).collect(),
        call: asked,
    }
}

fn way(way: Way) -> &'static str {
    match way {
        Way::Direct => "loads and stores",
        Way::Kernel => "copies of the kernel",
        Way::Network => "remote reads and writes of the network",
        Way::Message => "messages",
        Way::MessageWhilePolled => "messages, or copies of the kernel while the target computes",
        Way::MessageOrKernel => "messages or copies of the kernel, whichever has taken less time",
    }
}

fn name(rule: Rule) -> &'static str {
    match rule {
        Rule::Remote => "the network reaches the target's memory",
        Rule::AnotherNode => "the target is on another node",
        Rule::Setting => "DUNLIN_RMA=messages",
        Rule::Mapped => "the origin maps the memory",
        Rule::NoCopies => "the kernel does not copy the memory",
        Rule::Gaps => "the target's elements have gaps",
        Rule::NoShortForm => "it is short, and its request awaits a result",
        Rule::Short => "it is short",
        Rule::Timed => "either way may be quicker",
        Rule::Copied => "all else",
    }
}

impl Facts<'_> {
    fn considered(&self, rule: Rule, decider: Ordering) -> Considered {
        let (verdict, because) = match decider {
            Ordering::Less => ("comes later", String::new()),
            Ordering::Equal => ("decides", self.met(rule)),
            Ordering::Greater => ("does not cover", self.missed(rule)),
        };
        Considered { rule: name(rule), way: way(rule.way()), verdict, because }
    }

    /// What a rule that decides may need said.
    fn met(&self, rule: Rule) -> String {
        match rule {
            Rule::Remote => format!("{} bytes >= {}", self.operation.bytes, self.remote_min()),
            Rule::Short => format!("{} bytes <= {}", self.operation.bytes, self.short_bytes_max()),
            Rule::Timed if self.operation.accumulates => "it accumulates".into(),
            Rule::Timed if self.operation.bytes <= SHORT_BYTES_MAX => {
                format!("{} bytes <= {SHORT_BYTES_MAX}", self.operation.bytes)
            }
            Rule::Timed => format!("{} bytes >= {BOUNCE_BYTES_MIN}", self.operation.bytes),
            Rule::NoCopies => self.setting(&CMA),
            _ => String::new(),
        }
    }

    fn remote_min(&self) -> usize {
        one_sided::remote_bytes_min(self.settings)
    }

    fn short_bytes_max(&self) -> usize {
        self.operation.short_bytes_max()
    }

    /// Why a rule does not cover the operation.
    fn missed(&self, rule: Rule) -> String {
        let (cma, flavor) = (self.setting(&CMA), self.asked.flavor.function());
        match rule {
            Rule::Remote if !self.asked.another_node => "the target is on the origin's node".into(),
            Rule::Remote if !self.asked.rdma => "no --rdma is given".into(),
            Rule::Remote if self.memory.remote_bytes_min.is_none() => {
                "memory is attached later".into()
            }
            Rule::Remote if !self.memory.by_origin => self.setting(&RMA),
            Rule::Remote if self.operation.accumulates => "it accumulates".into(),
            Rule::Remote if !self.operation.is_contiguous => "there are gaps".into(),
            Rule::Remote => format!("{} bytes < {}", self.operation.bytes, self.remote_min()),
            Rule::AnotherNode => "the target is on the origin's node".into(),
            Rule::Setting => self.setting(&RMA),
            Rule::Mapped if self.memory.is_copied => format!(
                "memory given to {flavor} is mapped if it is from MPI_Alloc_mem (--alloc-mem)"
            ),
            Rule::Mapped => format!("memory given to {flavor} is not mapped where {cma}"),
            Rule::NoCopies => format!("it copies here ({cma})"),
            Rule::Gaps => "they are contiguous".into(),
            Rule::NoShortForm if self.operation.is_short_form => "it has no such request".into(),
            Rule::NoShortForm if self.operation.bytes > SHORT_BYTES_MAX => {
                format!("{} bytes > {SHORT_BYTES_MAX}", self.operation.bytes)
            }
            Rule::NoShortForm => format!("calls of the kernel count as slow ({cma})"),
            Rule::Short => format!("{} bytes > {}", self.operation.bytes, self.short_bytes_max()),
            Rule::Timed if self.single_copy == SingleCopy::Long => format!(
                "it is no accumulate, and has more than {SHORT_BYTES_MAX} bytes and fewer than \
                 {BOUNCE_BYTES_MIN}"
            ),
            Rule::Timed => format!(
                "it is no accumulate, and has more than {SHORT_BYTES_MAX} bytes, where calls of \
                 the kernel count as fast ({cma})"
            ),
            Rule::Copied => String::new(),
        }
    }

    fn setting(&self, setting: &Setting) -> String {
        format!("{} is {}", setting.name, self.settings.text(setting).unwrap_or("not set"))
    }

    /// What goes on.
    fn doc(&self, way: Way) -> String {
        let accumulates = self.operation.accumulates;
        match way {
            Way::Direct if accumulates => "The origin does it by loads and stores while it holds \
                the target's lock of accumulates. It is done when the call returns; the target \
                takes no part."
                .into(),
            Way::Direct => "The origin copies by loads and stores. It is done when the call \
                returns; the target takes no part."
                .into(),
            Way::Kernel if accumulates => "The origin holds the target's lock of accumulates, and \
                the kernel copies elements to it (process_vm_readv) and their new values back \
                (process_vm_writev). It is done when the call returns; the target takes no part."
                .into(),
            Way::Kernel => "The kernel copies between the two processes (process_vm_writev, \
                process_vm_readv). It is done when the call returns; the target takes no part."
                .into(),
            Way::Network => {
                "The network reads or writes the target's memory, which was registered \
                when the window was made; where a device does it, the target takes no part. It is \
                done when the origin has synchronised. A message asks the target instead as long \
                as it has answered nothing, while other messages to it are under way, where the \
                origin's elements have gaps, or where the network fails."
                    .into()
            }
            Way::Message => format!("A message says what to do; {}", self.handler()),
            Way::MessageWhilePolled => {
                "A message says what to do, and the target does it while it \
                waits in MPI; many short operations go together. If the target computes, the \
                origin takes the message back, and the kernel copies (process_vm_writev, \
                process_vm_readv), until the target is seen in MPI again. Where ranks share cores \
                and calls of the kernel are fast, it always does."
                    .into()
            }
            Way::MessageOrKernel => {
                "Where the target waits in MPI, a message says what to do, and \
                8 KiB or more of data go through a bounce buffer in memory that the node shares. \
                Otherwise the kernel copies (process_vm_writev, process_vm_readv), and the target \
                takes no part. Where both are possible, both are timed now and then."
                    .into()
            }
        }
    }

    /// Who handles messages, and when.
    fn handler(&self) -> String {
        if !self.asked.another_node {
            return "the target does it when it is inside MPI.".into();
        }
        let setting = self.setting(&PROGRESS);
        match self.settings.text(&PROGRESS) {
            Some("none") => {
                format!("the target does it when it is inside MPI, since {setting}.")
            }
            _ => format!(
                "the target does it when it is inside MPI, and its progress thread does while the \
                 program computes ({setting})."
            ),
        }
    }
}

impl Answer for Explanation {
    fn text(&self) -> String {
        let mut text = format!("{}\n  goes by {}\n", self.call.text(), painted(GOOD, self.way));
        text.push_str(&wrapped(&self.doc, INDENT));
        text.push_str(&format!("  decided by: {}\n\nRules in the order asked\n", self.decided_by));
        for rule in &self.rules {
            let (style, mark) = if rule.verdict == "decides" { (GOOD, ">") } else { (DIM, " ") };
            let because = if rule.because.is_empty() { "" } else { ": " };
            let verdict = format!("{}{because}{}", rule.verdict, rule.because);
            text.push_str(&format!("{mark} {}: {}\n", rule.rule, rule.way));
            text.push_str(&format!("{:INDENT$}{}\n", "", painted(style, &verdict)));
        }
        text
    }
}

impl Asked {
    fn text(&self) -> String {
        let (title, bytes) = (painted(TITLE, self.operation), self.bytes);
        let memory = if self.alloc_mem { ", memory of MPI_Alloc_mem" } else { "" };
        let gaps = if self.gaps { " with gaps" } else { "" };
        let node = if self.another_node { "another" } else { "the same" };
        let flavor = self.flavor.function();
        format!("{title} of {bytes} bytes{gaps}, window of {flavor}{memory}, target on {node} node")
    }
}
