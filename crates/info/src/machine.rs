//! What this machine is, and which model of a machine fits it.

use dunlin_base::settings::{MACHINE, Settings};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::shipped;
use dunlin_machine::{Cache, Choice, Identity, model_names};
use serde::Serialize;

use crate::Answer;
use crate::paint::{DIM, GOOD, TITLE, painted, wrapped};

/// Columns before the model's reason.
const INDENT: usize = 4;

/// The answer. What the machine does not say is absent.
#[derive(Debug, Serialize)]
pub struct Machine {
    processor: Processor,
    sockets: usize,
    numa_nodes: usize,
    cores: usize,
    cpus: usize,
    caches: Vec<CacheState>,
    system: System,
    adapters: Vec<Adapter>,
    /// The name of the model that fits, or `null`.
    model: Option<&'static str>,
    because: String,
    /// The table of algorithms that is shipped for it, or `null`.
    table: Option<&'static str>,
    models: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct Processor {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    design: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    product: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct CacheState {
    level: usize,
    holds_data: bool,
    bytes: usize,
    shared_by_cpus: usize,
}

#[derive(Debug, Serialize)]
struct System {
    vendor: String,
    product: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cloud: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
}

#[derive(Debug, Serialize)]
struct Adapter {
    name: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<String>,
}

/// Reads this machine, and chooses as the library would.
pub fn collect(settings: &Settings) -> Result<Machine> {
    let identity = Identity::this();
    let named = settings.text(&MACHINE);
    let wrong = |text| Error::new(ErrorClass::Arg, format!("{MACHINE}: {text}"));
    let choice = identity.model(named).map_err(wrong)?;
    Ok(Machine::new(identity, choice))
}

impl Machine {
    fn new(identity: Identity, Choice { model, because }: Choice) -> Machine {
        let product = identity.processor_product();
        let instance = identity.system.instance().map(str::to_string);
        let Identity { processor, sockets, numa_nodes, cores, cpus, caches, system, adapters } =
            identity;
        let design = processor.design.map(|design| design.name());
        let cache = |Cache { level, holds_data, bytes, shared_by }| CacheState {
            level,
            holds_data,
            bytes,
            shared_by_cpus: shared_by,
        };
        let adapter = |one: dunlin_machine::Adapter| Adapter {
            name: one.name,
            kind: one.kind.name(),
            rate: one.rate,
        };
        Machine {
            processor: Processor { name: processor.name, design, product },
            sockets,
            numa_nodes,
            cores,
            cpus,
            caches: caches.into_iter().map(cache).collect(),
            system: System {
                vendor: system.vendor,
                product: system.product,
                cloud: system.cloud.map(|cloud| cloud.name()),
                instance,
            },
            adapters: adapters.into_iter().map(adapter).collect(),
            model,
            because,
            table: model.and_then(shipped::table).map(|table| table.file),
            models: model_names().collect(),
        }
    }

    fn counts(&self) -> String {
        let counted = |n: usize, one: &str| match n {
            1 => format!("1 {one}"),
            n => format!("{n} {one}s"),
        };
        [(self.sockets, "socket"), (self.numa_nodes, "NUMA node"), (self.cores, "core")]
            .map(|(n, one)| counted(n, one))
            .into_iter()
            .chain([counted(self.cpus, "CPU")])
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl Processor {
    fn text(&self) -> String {
        let known = [self.product, self.design].into_iter().flatten();
        let known: Vec<&str> = known.filter(|known| *known != self.name).collect();
        let name = if self.name.is_empty() { "unknown" } else { &self.name };
        match known.is_empty() {
            true => name.into(),
            false => format!("{name} ({})", known.join(", ")),
        }
    }
}

impl CacheState {
    fn text(&self) -> String {
        let what = if self.holds_data { "" } else { ", instructions" };
        let size = match self.bytes {
            bytes if bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
            bytes => format!("{} KiB", bytes >> 10),
        };
        let shared = match self.shared_by_cpus {
            1 => "of one CPU".into(),
            n => format!("shared by {n} CPUs"),
        };
        format!("L{}{what}: {size} {shared}", self.level)
    }
}

impl System {
    fn text(&self) -> String {
        let said = [&self.vendor, &self.product].into_iter().filter(|text| !text.is_empty());
        let said = said.map(String::as_str).collect::<Vec<_>>().join(", ");
        match (said.is_empty(), self.cloud.filter(|cloud| *cloud != self.vendor)) {
            (true, _) => "unknown".into(),
            (_, None) => said,
            (_, Some(cloud)) => format!("{said} ({cloud})"),
        }
    }
}

impl Adapter {
    fn text(&self) -> String {
        let rate = self.rate.as_ref().map_or(String::new(), |rate| format!(", {rate}"));
        format!("{}: {}{rate}", self.name, self.kind)
    }
}

impl Answer for Machine {
    fn text(&self) -> String {
        let list = |lines: Vec<String>| match lines.is_empty() {
            true => vec!["none of a known kind".to_string()],
            false => lines,
        };
        let caches = self.caches.iter().map(CacheState::text).collect();
        let rows = [
            ("system", vec![self.system.text()]),
            ("processor", vec![self.processor.text()]),
            ("cores", vec![self.counts()]),
            ("caches", list(caches)),
            ("adapters", list(self.adapters.iter().map(Adapter::text).collect())),
        ];
        let mut text = format!("{}\n", painted(TITLE, "Machine"));
        for (name, lines) in rows {
            for (at, line) in lines.iter().enumerate() {
                let name = if at == 0 { name } else { "" };
                text.push_str(&format!("  {name:<11}{line}\n"));
            }
        }
        let model = match self.model {
            Some(model) => painted(GOOD, model),
            None => painted(DIM, "none"),
        };
        text.push_str(&format!("\n{}\n  {model}\n", painted(TITLE, "Model that fits")));
        text.push_str(&wrapped(&self.because, INDENT));
        let rules = match (self.table, self.model) {
            (Some(table), _) => format!("collectives run by {table}, then by the built-in rules"),
            (None, Some(_)) => "no table is shipped for it: the built-in rules decide".into(),
            (None, None) => "collectives run by the built-in rules".into(),
        };
        text.push_str(&wrapped(&rules, INDENT));
        let models = format!("models: {} ({MACHINE} names one)", self.models.join(", "));
        text + &painted(DIM, wrapped(&models, 2).trim_end()) + "\n"
    }
}
