//! `dunlin-sim`: simulates collective operations and prints one line of JSON for each result.
//! People use `dunlin simulate`, which makes tables and pictures of them.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, Parser, Subcommand};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::selection::Selection;
use dunlin_coll::table::TableText;
use dunlin_sim::libraries::Library;
use dunlin_sim::operation::{Call, Simulated, algorithms, chosen, forced, simulate};
use dunlin_sim::run::{Arrivals, Setup};
use dunlin_sim::{Layout, Machine};
use serde_json::{Value, json};

/// The shipped models: name and text.
const MACHINES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/machines.rs"));

/// Simulates collective operations on a model of a machine.
#[derive(Parser)]
#[command(
    name = "dunlin-sim",
    version,
    after_help = "Example:\n  dunlin-sim run --machine hpc7g \
    --operations allreduce --nodes 64 --ppn 64 --bytes 8,1024 --algorithms all"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the machines that have a name.
    Machines,
    /// Simulate, and print one line of JSON for each result.
    Run(Box<Run>),
}

#[derive(Args)]
struct Run {
    /// A machine's name, or the path of a file like those of machines/.
    #[arg(long)]
    machine: String,
    /// Operations: allreduce, bcast, ...
    #[arg(long, value_delimiter = ',', required = true)]
    operations: Vec<String>,
    /// Numbers of nodes.
    #[arg(long, value_delimiter = ',', default_value = "1")]
    nodes: Vec<usize>,
    /// Numbers of ranks per node.
    #[arg(long, value_delimiter = ',', default_value = "2")]
    ppn: Vec<usize>,
    /// Bytes per rank.
    #[arg(long, value_delimiter = ',', default_value = "8")]
    bytes: Vec<usize>,
    /// Algorithms (`ring`, `knomial:4`); `selected`: what a call would run where the machine is
    /// recognised; `all`: whatever fits; `openmpi`, `mpich`: what comes nearest to the choice of
    /// these libraries.
    #[arg(long, value_delimiter = ',', default_value = "selected")]
    algorithms: Vec<String>,
    /// A table of rules that go before all others.
    #[arg(long)]
    table: Option<PathBuf>,
    /// Without the rules that are shipped for the machine: by the built-in ones.
    #[arg(long)]
    built_in: bool,
    /// Latencies and arrivals are drawn from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ranks begin within so many nanoseconds of each other.
    #[arg(long, default_value_t = 0.0, value_parser = nanoseconds)]
    arrivals: f64,
    /// Say what the time was spent on.
    #[arg(long)]
    path: bool,
    /// Leave out jobs of more ranks.
    #[arg(long)]
    ranks_max: Option<usize>,
    /// Give up an algorithm that takes so many times as long as another.
    #[arg(long, default_value_t = 4.0, value_parser = factor)]
    give_up: f64,
    /// Give up an algorithm that takes the simulator more events.
    #[arg(long, default_value_t = u64::MAX)]
    events_max: u64,
    /// Simulations at a time; without it, one for each core.
    #[arg(long)]
    threads: Option<usize>,
}

/// A call by one or several algorithms.
struct Point {
    layout: Layout,
    call: Call,
    how: Vec<How>,
}

/// By which algorithm.
enum How {
    /// What the tables choose.
    Selected,
    /// The one of this name.
    Named(String),
    /// What comes nearest to the choice of a library: its name, and the algorithm's.
    Library(&'static str, String),
}

impl How {
    fn algorithm(&self) -> Option<&str> {
        match self {
            How::Selected => None,
            How::Named(name) | How::Library(_, name) => Some(name),
        }
    }

    fn asked(&self) -> Option<&str> {
        match self {
            How::Selected => None,
            How::Named(name) => Some(name),
            How::Library(library, _) => Some(library),
        }
    }
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Machines => list_machines(),
        Command::Run(run) => run.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = std::io::stderr().write_all(format!("dunlin-sim: {}\n", error.text).as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn nanoseconds(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "give a number of nanoseconds".to_owned())?;
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err("give 0 or more".to_owned()) }
}

fn factor(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "give a number".to_owned())?;
    if value >= 1.0 { Ok(value) } else { Err("give 1 or more".to_owned()) }
}

fn wrong(text: String) -> Error {
    Error::new(ErrorClass::Arg, text)
}

fn list_machines() -> Result<()> {
    for (name, text) in MACHINES {
        let Machine { description, node, network } = parse(name, text)?;
        let line = json!({
            "name": name, "description": description, "cores": node.cores(),
            "network": network.is_some(),
        });
        print(&line)?;
    }
    Ok(())
}

fn parse(name: &str, text: &str) -> Result<Machine> {
    Machine::parse(text).map_err(|error| wrong(format!("machine {name}: {error}")))
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| wrong(format!("{}: {error}", path.display())))
}

fn machine(name: &str) -> Result<Machine> {
    if let Some((_, text)) = MACHINES.iter().find(|(known, _)| *known == name) {
        return parse(name, text);
    }
    if !name.contains(['/', '.']) {
        let known: Vec<&str> = MACHINES.iter().map(|(name, _)| *name).collect();
        let known = known.join(", ");
        let text = format!("there is no machine `{name}`; use the path of a file, or {known}");
        return Err(wrong(text));
    }
    parse(name, &read(Path::new(name))?)
}

fn print(line: &Value) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").map_err(|error| wrong(format!("cannot write results: {error}")))
}

impl Run {
    fn run(&self) -> Result<()> {
        let machine = machine(&self.machine)?;
        let tables = self.tables()?;
        self.check_names()?;
        let points = self.points(&machine)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let results = points.iter().map(|point| point.how.len()).sum();
        let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
        let work = || {
            while let Some(point) = points.get(next.fetch_add(1, Ordering::Relaxed)) {
                if let Err(error) = self.print_results(&machine, &tables, point, results) {
                    failed.lock().expect("no thread panics").get_or_insert(error);
                    next.store(points.len(), Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads.unwrap_or(cores).clamp(1, points.len().max(1)) {
                scope.spawn(work);
            }
        });
        failed.into_inner().expect("no thread panics").map_or(Ok(()), Err)
    }

    /// Before anything runs: an algorithm that is not there is told at once.
    fn check_names(&self) -> Result<()> {
        for operation in &self.operations {
            let call = Call::new(operation, 0)?;
            let special = |name: &str| {
                ["selected", "all"].contains(&name) || Library::from_name(name).is_some()
            };
            for name in self.algorithms.iter().filter(|name| !special(name)) {
                forced(&call, name).map_err(|error| {
                    wrong(error.text.replace("DUNLIN_COLL_ALGORITHM", "--algorithms"))
                })?;
            }
        }
        Ok(())
    }

    /// The rules of a call: those of a file, those that are shipped for a machine that was named,
    /// as where it is recognised, and the built-in ones.
    fn tables(&self) -> Result<Selection> {
        let shipped = (!self.built_in).then_some(self.machine.as_str());
        let Some(path) = &self.table else { return Selection::on_machine("", None, shipped) };
        let (name, text) = (path.display().to_string(), read(path)?);
        Selection::on_machine("", Some(TableText { name: &name, text: &text }), shipped)
    }

    fn setup<'m>(&self, machine: &'m Machine, layout: Layout) -> Setup<'m> {
        let arrivals = match self.arrivals {
            ns if ns > 0.0 => Arrivals::Within(ns),
            _ => Arrivals::Together,
        };
        let (seed, path) = (self.seed, self.path);
        let (within_ns, events_max) = (f64::INFINITY, u64::MAX);
        Setup { machine, layout, arrivals, seed, path, within_ns, events_max }
    }

    /// Every call that is asked for; the longest jobs first, so that no core idles at the end.
    fn points(&self, machine: &Machine) -> Result<Vec<Point>> {
        let mut points = Vec::new();
        for (&nodes, &ranks_per_node) in
            self.nodes.iter().flat_map(|nodes| self.ppn.iter().map(move |ppn| (nodes, ppn)))
        {
            let layout = Layout { nodes, ranks_per_node }.check()?;
            if self.ranks_max.is_some_and(|most| layout.ranks() > most) {
                continue;
            }
            for (operation, &bytes) in self
                .operations
                .iter()
                .flat_map(|name| self.bytes.iter().map(move |bytes| (name, bytes)))
            {
                let call = Call::new(operation, bytes)?;
                let setup = self.setup(machine, layout);
                points.push(Point { layout, call, how: self.ways(&setup, &call) });
            }
        }
        points.sort_by_key(|point| std::cmp::Reverse(point.layout.ranks()));
        Ok(points)
    }

    fn ways(&self, setup: &Setup, call: &Call) -> Vec<How> {
        let way = |name: &str| match Library::ALL.iter().find(|(known, _)| *known == name) {
            Some((known, library)) => vec![How::Library(known, library.algorithm(setup, call))],
            None if name == "selected" => vec![How::Selected],
            None if name == "all" => algorithms(setup, call).into_iter().map(How::Named).collect(),
            None => vec![How::Named(name.to_owned())],
        };
        let mut ways: Vec<_> = self.algorithms.iter().flat_map(|name| way(name)).collect();
        // What a call runs is the measure of the others, and what is never given up another.
        ways.sort_by_key(|how| match how {
            How::Selected => 0,
            How::Library(..) => 1,
            How::Named(_) => 2,
        });
        ways
    }

    /// Simulates a call by each algorithm, once if it was asked for twice. What takes far longer
    /// than the fastest is given up: its line has no time. What a call or a library would run is
    /// not.
    fn print_results(
        &self,
        machine: &Machine,
        tables: &Selection,
        point: &Point,
        results: usize,
    ) -> Result<()> {
        let (unlimited, call) = (self.setup(machine, point.layout), &point.call);
        let mut limited = Setup { events_max: self.events_max, ..unlimited };
        let mut known: HashMap<_, Simulated> = HashMap::new();
        for how in &point.how {
            let forced = how.algorithm().map(|name| forced(call, name)).transpose()?;
            let selection = forced.as_ref().unwrap_or(tables);
            let setup = if matches!(how, How::Named(_)) { &limited } else { &unlimited };
            let algorithm = chosen(setup, call, selection);
            let found = match known.get(&algorithm) {
                Some(found) => found.clone(),
                None => simulate(setup, call, selection)?,
            };
            if let Some(outcome) = &found.outcome {
                let most = setup.arrival_ns() + self.give_up * outcome.completion_ns;
                limited.within_ns = limited.within_ns.min(most);
            }
            let mut line = line(point, how.asked(), &found, results);
            line["oversubscribed"] = (point.layout.ranks_per_node > machine.node.cores()).into();
            print(&line)?;
            known.insert(algorithm, found);
        }
        Ok(())
    }
}

fn line(point: &Point, asked: Option<&str>, found: &Simulated, results: usize) -> Value {
    let Simulated { algorithm, parameter, outcome } = found;
    json!({
        "results": results, "operation": point.call.operation, "bytes": point.call.bytes,
        "nodes": point.layout.nodes, "ppn": point.layout.ranks_per_node,
        "asked": asked, "algorithm": algorithm,
        "parameter": parameter.map(|(name, value)| json!({"name": name, "value": value})),
        "outcome": outcome,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Run {
        let words = ["dunlin-sim", "run", "--operations", "allgather"].iter().chain(words);
        match Cli::try_parse_from(words).unwrap().command {
            Command::Run(run) => *run,
            Command::Machines => unreachable!("`run` is there"),
        }
    }

    fn chosen_by(run: &Run) -> Vec<&'static str> {
        let machine = machine("hpc7g").unwrap();
        let layout = Layout { nodes: 4, ranks_per_node: 8 };
        let setup = run.setup(&machine, layout);
        let tables = run.tables().unwrap();
        let calls = [8, 1 << 10, 16 << 10, 128 << 10, 1 << 20]
            .map(|bytes| Call::new("allgather", bytes).unwrap());
        calls.iter().map(|call| chosen(&setup, call, &tables).0).collect()
    }

    #[test]
    fn a_named_machine_has_the_rules_that_are_shipped_for_it() {
        let shipped = chosen_by(&asked(&["--machine", "hpc7g"]));
        let built_in = chosen_by(&asked(&["--machine", "hpc7g", "--built-in"]));
        assert_ne!(shipped, built_in);
        assert_eq!(chosen_by(&asked(&["--machine", "machines/hpc7g.toml"])), built_in);
    }

    #[test]
    fn the_rules_of_a_file_go_before_both() {
        let path = std::env::temp_dir().join(format!("dunlin-sim-{}.toml", std::process::id()));
        std::fs::write(&path, "[[allgather]]\nbytes_max = 8\nalgorithm = \"direct\"\n").unwrap();
        let table = path.to_str().unwrap();
        for others in [&["--machine", "hpc7g"][..], &["--machine", "hpc7g", "--built-in"]] {
            let without = chosen_by(&asked(others));
            let with = chosen_by(&asked(&[others, &["--table", table]].concat()));
            assert_eq!((with[0], &with[1..]), ("direct", &without[1..]));
        }
        std::fs::remove_file(path).unwrap();
    }
}
