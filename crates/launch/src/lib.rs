//! `mpirun`: parse -> plan (who runs where, pure data) -> start -> watch -> report.
//! May use: `base`, `shm`, the operating system. Must not know: MPI's messages and matching.

mod cpus;
mod failure;
#[cfg(test)]
mod fake_tree;
mod help;
mod input;
mod lines;
mod machine;
mod options;
mod placement;
mod plan;
mod poller;
mod process;
mod program;
mod quota;
mod relay;
mod signals;
mod sink;
mod stall_report;
mod start;
mod topology;
mod verdict;
mod watch;

use std::ffi::OsString;

use dunlin_base::settings;
use dunlin_shm::Segment;
use dunlin_shm::card::Job;

use crate::failure::Failure;
use crate::input::Input;
use crate::machine::Machine;
use crate::options::{Parsed, Request, parse};
use crate::signals::Signals;
use crate::start::{Launchable, start};
use crate::watch::Watch;

/// Runs `mpirun` with the arguments that follow its name; answers with the exit status.
/// For a process with one thread, which is then the launcher and does nothing else: it forks, and
/// blocks signals for good.
pub fn run(args: impl IntoIterator<Item = OsString>) -> i32 {
    let result = match parse(args) {
        Ok(Parsed::Help) => return print(&help::help()),
        Ok(Parsed::Version) => return print(&help::version()),
        Ok(Parsed::Run(request)) => run_job(&request),
        Err(failure) => Err(failure),
    };
    result.unwrap_or_else(|failure| {
        eprintln!("mpirun: {}", failure.text);
        failure.status
    })
}

fn print(text: &str) -> i32 {
    use std::io::Write;
    // A reader that has gone does not want the rest.
    let _ = std::io::stdout().write_all(text.as_bytes());
    0
}

fn run_job(request: &Request) -> Result<i32, Failure> {
    // Said once here, not by every rank.
    settings::check_environment().map_err(|e| Failure::usage(e.text.clone()))?;
    let plan = plan::plan(request, &Machine::this())?;
    let parts = request.parts.iter().enumerate();
    let parts = parts.map(|(number, part)| Launchable::prepare(request, part, number));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let job = Job::on_one_node(&plan.host, plan.ranks.len());
    let segment = Segment::create(&job, plan.cores)
        .map_err(|e| Failure::system("cannot make the ranks' shared memory", e))?;
    let mut signals = Signals::block().map_err(|e| Failure::system("cannot receive signals", e))?;
    let (rank_input, input) = Input::choose()?;
    let started = start(&plan, &parts, &segment, rank_input, &signals.original)?;
    let preface = preface(request, &plan, &started);
    let watch = Watch::new(&plan, request, &segment, &mut signals, started, input)?;
    Ok(watch.run(&preface))
}

/// What the user asked to be told at the start.
fn preface(request: &Request, plan: &plan::Plan, started: &start::Started) -> String {
    let mut text = String::new();
    let is_set = |name: &OsString| std::env::var_os(name).is_some();
    for name in plan::unset_variables(request, is_set) {
        let name = name.to_string_lossy();
        text.push_str(&format!("mpirun: variable {name} is not set and not passed on\n"));
    }
    if request.common.verbose {
        for (rank, process) in started.processes.iter().enumerate() {
            let program = request.parts[plan.ranks[rank].part].program.to_string_lossy();
            let (pid, host) = (process.pid, &plan.host);
            text.push_str(&format!("mpirun: rank {rank} is {program} (pid {pid} on {host})\n"));
        }
    }
    if request.common.report_bindings {
        text.push_str(&plan.bindings());
    }
    text
}
