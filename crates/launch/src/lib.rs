//! `mpirun`: parse -> plan (who runs where, pure data) -> start -> watch -> report.
//! May use: `base`, `shm`, the operating system. Must not know: MPI's messages and matching.

mod agent;
mod allocation;
mod channel;
mod cluster;
mod codec;
mod failure;
mod foreign;
mod frame;
mod head;
mod help;
mod hosts;
mod input;
mod lines;
mod link;
mod linkage;
mod links;
mod message;
mod options;
pub mod outlook;
mod placement;
mod plan;
mod poller;
mod process;
mod program;
mod ranks;
mod remote_input;
mod signals;
mod sink;
mod sinks;
mod spread;
mod stall_report;
mod start;
mod streams;
mod tunables;
mod verdict;
mod watch;

use std::ffi::OsString;
use std::rc::Rc;
use std::time::Instant;

use dunlin_base::{settings, text};
use dunlin_shm::Segment;
use dunlin_shm::card::Job;

use crate::allocation::{Allocation, Outside};
use crate::failure::Failure;
use crate::head::{Head, World};
use crate::input::Input;
use crate::link::AGENT;
use crate::options::{Parsed, Request, parse};
use crate::plan::Plan;
use crate::poller::Poller;
use crate::ranks::Ranks;
use crate::signals::Signals;
use crate::sinks::Sinks;
use crate::start::{Launchable, Started, start};
use crate::watch::Watch;
use dunlin_machine::Machine;

/// Runs `mpirun` with the arguments that follow its name; answers with the exit status.
/// For a process with one thread, which is then the launcher and does nothing else: it forks, and
/// blocks signals for good.
pub fn run(args: impl IntoIterator<Item = OsString>) -> i32 {
    let args: Vec<OsString> = args.into_iter().collect();
    if args.first().is_some_and(|first| first == AGENT) {
        return agent::run();
    }
    let result = match parse(args) {
        Ok(Parsed::Help) => return print(&help::help()),
        Ok(Parsed::Version) => return print(&help::version()),
        Ok(Parsed::Run(request)) => run_job(request),
        Err(failure) => Err(failure),
    };
    result.unwrap_or_else(|failure| {
        failure.say("mpirun: ");
        failure.status
    })
}

fn print(text: &str) -> i32 {
    use std::io::Write;
    // A reader that has gone does not want the rest.
    let _ = std::io::stdout().write_all(text.as_bytes());
    0
}

fn run_job(mut request: Request) -> Result<i32, Failure> {
    // Said once here, not by every rank.
    settings::check_environment().map_err(|e| Failure::usage(e.text.clone()))?;
    let machine = Machine::this();
    let allocation = allocation_around(&machine)?;
    let this = within(allocation.as_ref(), &mut request, &machine)?;
    let spread = spread::elsewhere(&mut request, &this)?;
    let mut said = unset_variables(&request);
    if !request.common.quiet {
        said.push_str(&options::notice(&request.common.unused));
    }
    if let Some(allocation) = allocation.as_ref().filter(|_| request.common.verbose) {
        said.push_str(&format!("mpirun: {}\n", allocation.text()));
    }
    if let Some(spread) = spread {
        let starter = allocation.and_then(|allocation| allocation.system.starter());
        return cluster::run(request, spread, &this, starter, &said);
    }
    let plan = plan::plan(&request, &machine)?;
    let env = plan.environment(std::env::vars_os().collect());
    let parts = request.parts.iter().enumerate();
    let parts = parts.map(|(number, part)| Launchable::prepare(&request, part, number, &env));
    let parts = parts.map(|part| part.map(Some)).collect::<Result<Vec<_>, _>>()?;
    let job = Job::on_one_node(&plan.host, plan.ranks.len());
    let segment = Segment::create(&job, plan.cores)
        .map_err(|e| Failure::system("cannot make the ranks' shared memory", e))?;
    let refused = |e| Failure::system("cannot watch the ranks", e);
    let mut signals = Signals::block().map_err(|e| Failure::system("cannot receive signals", e))?;
    let (rank_input, input) = Input::choose()?;
    let started = start(&plan, &parts, &segment, rank_input, &signals.original)?;
    let poller = Poller::new().map_err(refused)?;
    let sinks = Sinks::new(request.common.tag_output).map_err(refused)?;
    let is_live = sinks.is_live();
    let world = World { hosts: job.hosts, node_of: vec![0; plan.ranks.len()] };
    let mut head = Head::new(world, &request.common, sinks, Instant::now());
    head.say(&said);
    head.say(&preface(&request, &plan, &started));
    let ranks = Ranks::new(plan, Rc::new(request), segment, started, is_live, &poller)?;
    Ok(Watch::new(head, ranks, &mut signals, poller, input)?.run())
}

/// The job of a batch system in which this process runs, if it is to be looked for.
fn allocation_around(machine: &Machine) -> Result<Option<Allocation>, Failure> {
    let words = [("auto", true), ("none", false)];
    let looks = settings::choice(settings::ALLOCATION, true, &words);
    if !looks.map_err(|e| Failure::usage(e.text.clone()))? {
        return Ok(None);
    }
    let var = |name: &str| std::env::var(name).ok();
    let read = |path: &std::path::Path| std::fs::File::open(path).and_then(text::read);
    allocation::find(&Outside { var: &var, read: &read, cpus: machine.cpus })
}

/// Fits a request into the allocation; answers with the name by which hosts are compared with this
/// machine.
fn within(
    allocation: Option<&Allocation>,
    request: &mut Request,
    machine: &Machine,
) -> Result<String, Failure> {
    let Some(allocation) = allocation else { return Ok(machine.host.clone()) };
    allocation.apply(request, &machine.host)?;
    Ok(allocation.this(&machine.host).to_string())
}

/// Says which variables cannot be passed on.
fn unset_variables(request: &Request) -> String {
    let is_set = |name: &OsString| std::env::var_os(name).is_some();
    let unset = plan::unset_variables(request, is_set).into_iter();
    let line = |name: &OsString| {
        let name = name.to_string_lossy();
        format!("mpirun: variable {name} is not set and not passed on\n")
    };
    unset.map(line).collect()
}

/// What the user asked to be told at the start about the ranks of this host.
fn preface(request: &Request, plan: &Plan, started: &Started) -> String {
    let mut text = String::new();
    if request.common.verbose {
        for (planned, process) in plan.ranks.iter().zip(&started.processes) {
            let program = request.parts[planned.part].program.to_string_lossy();
            let (rank, pid, host) = (planned.rank, process.pid, &plan.host);
            text.push_str(&format!("mpirun: rank {rank} is {program} (pid {pid} on {host})\n"));
        }
    }
    if request.common.report_bindings {
        text.push_str(&plan.bindings());
    }
    text
}
