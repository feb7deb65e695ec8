//! A job on several hosts, from its controller's side: starts the agents, sends them the plan, and
//! drives the controller until all is over.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Instant;

use dunlin_base::settings::{AGENT_TIMEOUT, AGENT_WIDTH, RSH, Settings};
use dunlin_seal::JobKey;
use nix::sys::signal::{Signal, raise};

use crate::child_agent::is_called;
use crate::child_agents::ChildAgents;
use crate::controller::{Controller, World};
use crate::failure::Failure;
use crate::message::{Order, Remote, Report, Start};
use crate::options::Request;
use crate::poller::{Poller, Token};
use crate::rank_map::RankMap;
use crate::remote_input::RemoteInput;
use crate::signals::Signals;
use crate::sinks::Sinks;
use crate::start::is_own;

/// The default bootstrap command: nobody could answer its prompts, and it must not wait for a host
/// that is down.
const SSH: &[&str] = &["ssh", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"];
/// Variables that belong to a login: every host has its own.
const LOGIN: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "MAIL",
    "HOSTNAME",
    "HOST",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
    "DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
];
/// Beginnings of more of them.
const LOGIN_BEGINNINGS: &[&str] = &["SSH_", "XDG_SESSION_"];

/// A job on several hosts.
struct Cluster<'a> {
    controller: Controller,
    children: ChildAgents,
    signals: &'a mut Signals,
    poller: Poller,
    input: RemoteInput,
    /// What the agents get once all of them have answered.
    start: Option<Start>,
    /// The hosts, and which machine each is, once it can start ranks.
    hosts: Vec<(String, Option<String>)>,
    is_verbose: bool,
}

/// Runs the job; returns the exit status.
pub fn run(
    mut request: Request,
    map_ranks: RankMap,
    this: &str,
    remote: Remote,
    preface: &str,
) -> Result<i32, Failure> {
    let refused = |e| Failure::system("cannot watch the hosts", e);
    let mut signals = Signals::block().map_err(|e| Failure::system("cannot receive signals", e))?;
    let poller = Poller::new().map_err(refused)?;
    poller.add(signals.fd(), Token::Signal).map_err(refused)?;
    let sinks = Sinks::new(request.common.tag_output).map_err(refused)?;
    let is_live = sinks.is_live();
    let node_of = map_ranks.ranks.iter().map(|(node, _)| *node).collect();
    let world = World { hosts: map_ranks.hosts.clone(), node_of };
    let mut controller = Controller::new(world, &request.common, sinks, Instant::now());
    controller.say(preface);
    if request.common.verbose {
        let words: Vec<_> = remote.rsh.iter().map(|word| word.to_string_lossy()).collect();
        controller
            .say(&format!("mpirun: agents on other hosts are started by `{}`\n", words.join(" ")));
    }
    let hosts: Vec<(u32, String)> = (0..).zip(map_ranks.hosts.iter().cloned()).collect();
    let children = ChildAgents::start(&remote, &hosts, this, &poller)?;
    let is_verbose = request.common.verbose;
    let key = JobKey::draw().map_err(|e| Failure::system("cannot draw the job's key", e))?;
    // There may be very many, and what agents need of them is in the spread.
    request.common.hosts = Vec::new();
    let start = Start {
        env: passed_on(&request, std::env::vars_os()),
        request,
        directory: directory()?,
        key: key.bytes(),
        hosts: map_ranks.hosts.clone(),
        machine: None,
        ranks: map_ranks.ranks,
        sharers: Vec::new(),
        is_live,
    };
    let hosts = map_ranks.hosts.into_iter().map(|host| (host, None)).collect();
    let input = RemoteInput::new(start.request.common.no_input);
    let (start, signals) = (Some(start), &mut signals);
    let cluster =
        Cluster { controller, children, signals, poller, input, start, hosts, is_verbose };
    Ok(cluster.run())
}

/// The bootstrap command: that of the option, the setting, the batch system, or ssh.
pub fn rsh(
    settings: &Settings,
    request: &Request,
    bootstrap: Option<Vec<OsString>>,
) -> Result<Vec<OsString>, Failure> {
    let of_setting = || settings.text(&RSH).map(OsString::from);
    let command = request.common.rsh.clone().or_else(of_setting);
    let Some(command) = command else {
        return Ok(bootstrap.unwrap_or_else(|| SSH.iter().map(OsString::from).collect()));
    };
    let words = command.as_bytes().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let words: Vec<_> = words.map(|word| OsStr::from_bytes(word).to_owned()).collect();
    match words.is_empty() {
        true => Err(Failure::usage("--rsh names no command")),
        false => Ok(words),
    }
}

/// How agents are started, from option and settings; `bootstrap` is the command if the user names
/// none.
pub fn remote(
    settings: &Settings,
    request: &Request,
    bootstrap: Option<Vec<OsString>>,
) -> Result<Remote, Failure> {
    let program = std::env::current_exe()
        .map_err(|e| Failure::system("cannot find out where mpirun lies", e))?;
    let rsh = rsh(settings, request, bootstrap)?;
    let width = match is_called(&rsh[0], &["qrsh"]) {
        // Only the first host of a job of Grid Engine may call it: agents cannot start others.
        true => u32::MAX,
        false => settings.integer(&AGENT_WIDTH) as u32,
    };
    let timeout_ms = settings.duration(&AGENT_TIMEOUT).as_millis() as u32;
    Ok(Remote { rsh, program, width, timeout_ms })
}

/// The variables that go to other hosts.
fn passed_on(
    request: &Request,
    all: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let is_named = |name: &OsString| request.parts.iter().any(|part| part.pass.contains(name));
    let is_login = |name: &OsString| {
        LOGIN.iter().any(|login| name == login)
            || LOGIN_BEGINNINGS.iter().any(|b| name.as_bytes().starts_with(b.as_bytes()))
    };
    all.filter(|(name, _)| !is_own(name) && (is_named(name) || !is_login(name))).collect()
}

/// The working directory, by the name the user's shell has for it: that of an automounter, for
/// example, is the same on all hosts.
fn directory() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(|e| Failure::system("no current directory", e))?;
    let named = std::env::var_os("PWD").map(PathBuf::from).filter(|path| path.is_absolute());
    let is_same = |path: &PathBuf| path.canonicalize().ok() == here.canonicalize().ok();
    Ok(named.filter(is_same).unwrap_or(here))
}

/// For each host, the ranks on the same machine.
fn sharers(hosts: &[(String, Option<String>)], ranks: &[(u32, u32)]) -> Vec<u32> {
    let machine = |node: u32| hosts.get(node as usize).map(|(_, machine)| machine);
    let mut ranks_of = HashMap::new();
    for (node, _) in ranks {
        *ranks_of.entry(machine(*node)).or_insert(0) += 1;
    }
    (0..hosts.len() as u32).map(|node| ranks_of.get(&machine(node)).copied().unwrap_or(0)).collect()
}

impl Cluster<'_> {
    fn run(mut self) -> i32 {
        loop {
            self.exchange(Instant::now());
            self.controller.write(&self.poller);
            self.exchange(Instant::now());
            self.children.flush(&self.poller);
            if self.is_over() {
                self.children.leave(&self.poller);
                return self.controller.status();
            }
            let next =
                self.controller.next_time().into_iter().chain(self.children.next_time()).min();
            let timeout = next.map(|at| at.saturating_duration_since(Instant::now()));
            let ready = self.poller.wait(timeout);
            let now = Instant::now();
            for token in ready {
                self.on_ready(token, now);
            }
        }
    }

    /// Before the ranks are started there is nothing to wait for.
    fn is_over(&self) -> bool {
        self.controller.is_over() || (self.start.is_some() && self.controller.has_failed())
    }

    fn on_ready(&mut self, token: Token, now: Instant) {
        match token {
            Token::Signal => self.on_signals(now),
            Token::Input => {
                let piece = self.input.take(&self.poller);
                self.send_input(piece, now);
            }
            Token::AgentChannel(number) => {
                let reports = self.children.on_readable(number, &self.poller, now);
                reports.into_iter().for_each(|report| self.on_report(report, now));
            }
            Token::Complaint(number) => self.children.on_complaint(number, &self.poller),
            // The next turn of the loop writes.
            _ => {}
        }
    }

    fn on_report(&mut self, report: Report, now: Instant) {
        match report {
            Report::Ready(node, machine, model) => self.on_host_ready(node, machine, model, now),
            Report::InputTaken => {
                let piece = self.input.want(&self.poller);
                self.send_input(piece, now);
            }
            Report::InputClosed => self.input.on_closed(&self.poller),
            report => self.controller.on_report(report, now),
        }
    }

    fn on_host_ready(&mut self, node: u32, machine: String, model: Option<String>, now: Instant) {
        let Some((host, known)) = self.hosts.get_mut(node as usize) else { return };
        *known = Some(machine);
        // Hosts may differ, and all ranks must choose alike: as fits the host of rank 0.
        if node == self.controller.node_of_first() {
            self.start.iter_mut().for_each(|start| start.machine = model.clone());
        }
        if self.is_verbose {
            self.controller.say(&format!("mpirun: the agent on host {host} is there\n"));
        }
        if self.hosts.iter().any(|(_, machine)| machine.is_none()) || self.controller.has_failed() {
            return;
        }
        if let Some(mut start) = self.start.take() {
            start.sharers = sharers(&self.hosts, &start.ranks);
            self.children.tell_all(&Order::Start(Box::new(start)), now);
            let piece = self.input.want(&self.poller);
            self.send_input(piece, now);
        }
    }

    fn send_input(&mut self, piece: Option<Vec<u8>>, now: Instant) {
        if let Some(piece) = piece {
            let node = self.controller.node_of_first();
            self.children.tell(node, &Order::Input(piece), now);
        }
    }

    /// Passes on reports and orders until both sides have none left.
    fn exchange(&mut self, now: Instant) {
        loop {
            let reports = self.children.on_time(&self.poller, now);
            let is_quiet = reports.is_empty();
            reports.into_iter().for_each(|report| self.on_report(report, now));
            self.controller.on_time(now);
            let orders = self.controller.take_orders();
            orders.iter().for_each(|order| self.children.tell_all(order, now));
            if is_quiet && orders.is_empty() {
                return;
            }
        }
    }

    fn on_signals(&mut self, now: Instant) {
        while let Some(signal) = self.signals.next() {
            if signal == Signal::SIGCHLD {
                self.children.on_exits();
                continue;
            }
            self.controller.on_signal(signal);
            self.exchange(now);
            match signal {
                Signal::SIGTSTP => {
                    self.children.flush(&self.poller);
                    // Stops here until the shell continues the launcher; SIGCONT does the rest.
                    let _ = raise(Signal::SIGSTOP);
                }
                Signal::SIGCONT => {
                    let piece = self.input.listen(&self.poller);
                    self.send_input(piece, now);
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Parsed, parse};

    #[test]
    fn ranks_on_the_same_machine_are_counted_together() {
        let hosts = ["m", "other", "m"].map(|machine| (String::new(), Some(machine.into())));
        assert_eq!(sharers(&hosts, &[(0, 0), (0, 0), (1, 0), (2, 0)]), [3, 1, 3]);
    }

    #[test]
    fn what_belongs_to_a_login_stays_unless_it_is_named() {
        let line = ["-x", "DISPLAY", "a"].map(OsString::from);
        let Ok(Parsed::Run(request)) = parse(line) else { panic!() };
        let names = ["PATH", "HOME", "SSH_TTY", "DISPLAY", "DUNLIN_JOB_RANK", "OMP_NUM_THREADS"];
        let all = names.iter().map(|name| (OsString::from(name), OsString::from("value")));
        let passed = passed_on(&request, all);
        let names: Vec<_> = passed.iter().map(|(name, _)| name.to_str().unwrap()).collect();
        assert_eq!(names, ["PATH", "DISPLAY", "OMP_NUM_THREADS"]);
    }
}
