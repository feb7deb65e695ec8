//! `mpirun`: parse -> plan (who runs where, pure data) -> start -> watch -> report.
//! May use: `base`, `shm`, the operating system. Must not know: MPI's messages and matching.

pub mod abi;
mod agent;
mod agent_channel;
mod allocation;
mod child_agent;
mod child_agents;
mod clock;
mod cluster;
mod controller;
pub mod dry_run;
mod exit_status;
mod failure;
mod foreign_library;
mod frame;
mod glibc_tunables;
mod help;
mod hosts;
mod input;
mod lines;
mod local_job;
mod message;
mod options;
mod placement;
mod plan;
mod pmi_sockets;
mod poller;
mod process;
mod program;
mod rank_map;
mod ranks;
mod redirect;
mod remote_input;
mod serial;
mod signals;
mod sink;
mod sinks;
mod stall_report;
mod start;
mod streams;

use std::ffi::OsString;
use std::rc::Rc;
use std::time::Instant;

use dunlin_base::settings::{ABI, ALLOCATION, Settings};
use dunlin_base::text;
use dunlin_shm::Segment;
use dunlin_shm::job_map::Job;

use crate::allocation::{Allocation, Outside};
use crate::child_agent::AGENT;
use crate::controller::{Controller, World};
use crate::failure::Failure;
use crate::input::Input;
use crate::local_job::LocalJob;
use crate::options::{Parsed, Request, parse};
use crate::plan::Plan;
use crate::poller::Poller;
use crate::ranks::Ranks;
use crate::signals::Signals;
use crate::sinks::Sinks;
use crate::start::{Launchable, Started, start};
use dunlin_machine::{Machine, recognise};

/// A limit of time that scripts set for Hydra, in seconds: as `--timeout`.
const TIMEOUT: &str = "MPIEXEC_TIMEOUT";

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
        Ok(Parsed::Run(request)) => run_job(*request),
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
    let checked = Settings::checked(std::env::vars_os());
    let settings = checked.map_err(|e| Failure::usage(e.text.clone()))?;
    if request.common.timeout.is_none() {
        request.common.timeout = options::timeout_of(std::env::var_os(TIMEOUT))?;
    }
    request.common.abi.get_or_insert(settings.choice(&ABI, abi::Choice::WORDS));
    let machine = Machine::this();
    let allocation = allocation_around(&settings, &machine)?;
    let this = within(allocation.as_ref(), &mut request, &machine)?;
    let map_ranks = rank_map::elsewhere(&mut request, &this)?;
    let mut said = unset_variables(&request);
    if !request.common.quiet {
        said.push_str(&options::notice(&request.common.unused));
    }
    if let Some(allocation) = allocation.as_ref().filter(|_| request.common.verbose) {
        said.push_str(&format!("mpirun: {}\n", allocation.text()));
    }
    if let Some(map_ranks) = map_ranks {
        let bootstrap = allocation.and_then(|allocation| allocation.system.bootstrap());
        let remote = cluster::remote(&settings, &request, bootstrap)?;
        return cluster::run(request, map_ranks, &this, remote, &said);
    }
    let plan = plan::plan(&request, &machine)?;
    let env = plan.environment(std::env::vars_os().collect());
    let parts = request.parts.iter().enumerate();
    let parts = parts.map(|(number, part)| Launchable::prepare(&request, part, number, &env));
    let parts = parts.map(|part| part.map(Some)).collect::<Result<Vec<_>, _>>()?;
    let mut job = Job::on_one_node(&plan.host, plan.ranks.len());
    job.machine = recognise().unwrap_or_default().into();
    let segment = Segment::create(&job, plan.cores)
        .map_err(|e| Failure::system("cannot make the ranks' shared memory", e))?;
    let refused = |e| Failure::system("cannot watch the ranks", e);
    let mut signals = Signals::block().map_err(|e| Failure::system("cannot receive signals", e))?;
    let (rank_input, input) = Input::choose(request.common.no_input)?;
    let started = start(&plan, &parts, &segment, rank_input, &signals.original)?;
    let poller = Poller::new().map_err(refused)?;
    let sinks = Sinks::new(request.common.tag_output).map_err(refused)?;
    let is_live = sinks.is_live();
    let world = World { hosts: job.hosts, node_of: vec![0; plan.ranks.len()] };
    let mut controller = Controller::new(world, &request.common, sinks, Instant::now());
    controller.say(&said);
    controller.say(&preface(&request, &plan, &started));
    let ranks = Ranks::new(plan, Rc::new(request), segment, started, is_live, &poller)?;
    Ok(LocalJob::new(controller, ranks, &mut signals, poller, input)?.run())
}

/// The job of a batch system in which this process runs, if it is to be looked for.
fn allocation_around(
    settings: &Settings,
    machine: &Machine,
) -> Result<Option<Allocation>, Failure> {
    if !settings.choice(&ALLOCATION, &[("auto", true), ("none", false)]) {
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
