//! The controller of a job: takes the reports of all hosts, decides, prints, and gives orders. It
//! knows no processes and waits for nothing; its caller tells it the time.

use std::time::{Duration, Instant};

use dunlin_pmi::Names;
use nix::errno::Errno;
use nix::sys::signal::Signal;

use crate::clock::monotonic_ns;
use crate::exit_status::{Fault, STATUS_SIGNAL, STATUS_TIMEOUT};
use crate::failure::STATUS_LAUNCH;
use crate::message::{AddressList, Order, Report};
use crate::options::Common;
use crate::pmi_sockets::Fence;
use crate::poller::Poller;
use crate::redirect::OutputFiles;
use crate::signals::{ENDING, PASSED_ON};
use crate::sinks::Sinks;
use crate::stall_report::{Activity, HeldLock, longest_wait, name_holders, report};

/// Between SIGTERM and SIGKILL when a rank has failed: the job has failed already, so end it
/// quickly.
const GRACE_FAILED: Duration = Duration::from_millis(400);
/// Between the user's signal and SIGKILL: a rank may want to write a last checkpoint.
const GRACE_ASKED: Duration = Duration::from_secs(2);
/// How often waits are checked, if the limit is long.
const STALL_LOOK_MAX: Duration = Duration::from_secs(5);
/// How many checks a short limit gets, so that it is not missed by much.
const STALL_LOOKS: u32 = 4;
/// How long hosts have to report what their ranks do.
const LOOK_LIMIT: Duration = Duration::from_secs(1);
/// How long a fault waits for a more serious one, of which it may be a consequence.
const SETTLE: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// The ranks were asked to end.
    Ending,
    /// The ranks were killed, all of them at once.
    Killed,
}

/// Why the controller has asked what the ranks do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Stalls,
    Timeout,
}

/// A question to all hosts.
struct Look {
    number: u32,
    purpose: Purpose,
    answers: usize,
    activities: Vec<Activity>,
    locks: Vec<HeldLock>,
    until: Instant,
}

/// Which rank runs where, as far as the controller must know.
pub struct World {
    /// Names of the hosts.
    pub hosts: Vec<String>,
    /// The host of each rank.
    pub node_of: Vec<u32>,
}

/// The controller of a job.
pub struct Controller {
    world: World,
    common: Common,
    sinks: Sinks,
    files: OutputFiles,
    phase: Phase,
    status: i32,
    has_ended: Vec<bool>,
    /// Hosts whose ranks have ended and are silent, or that are lost.
    is_over: Vec<bool>,
    /// What is wrong, and when to say so.
    faults: Vec<(Fault, u32, i32)>,
    settled_at: Option<Instant>,
    addresses: AddressList,
    /// For ranks that use PMI: which wait in the fence, and the job's table of names.
    fence: Fence,
    names: Names,
    is_paused: [bool; 2],
    timeout_at: Option<Instant>,
    stall_look_at: Option<Instant>,
    is_stall_told: bool,
    look: Option<Look>,
    looks: u32,
    /// A note on a rank was printed.
    has_noted: bool,
    orders: Vec<Order>,
}

impl Controller {
    /// The controller of a job that begins now.
    pub fn new(world: World, common: &Common, sinks: Sinks, now: Instant) -> Controller {
        let mut controller = Controller {
            common: common.clone(),
            sinks,
            files: OutputFiles::new(common),
            phase: Phase::Running,
            status: 0,
            has_ended: vec![false; world.node_of.len()],
            is_over: vec![false; world.hosts.len()],
            world,
            faults: Vec::new(),
            settled_at: None,
            addresses: Vec::new(),
            fence: Fence::default(),
            names: Names::default(),
            is_paused: [false; 2],
            timeout_at: common.timeout.map(|limit| now + limit),
            stall_look_at: None,
            is_stall_told: false,
            look: None,
            looks: 0,
            has_noted: false,
            orders: Vec::new(),
        };
        controller.plan_stall_look(now);
        controller
    }

    /// The orders since the last call.
    pub fn take_orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }

    /// Prints a message of the launcher.
    pub fn say(&mut self, text: &str) {
        if !text.is_empty() {
            self.sinks.say(text);
        }
    }

    /// The exit status, as far as it is known.
    pub fn status(&self) -> i32 {
        self.status
    }

    /// Whether the job is being ended for a reason of its own.
    pub fn has_failed(&self) -> bool {
        self.phase != Phase::Running
    }

    /// The host of rank 0.
    pub fn node_of_first(&self) -> u32 {
        self.world.node_of.first().copied().unwrap_or(0)
    }

    /// Whether all ranks have ended and everything they wrote has been written.
    pub fn is_over(&self) -> bool {
        self.are_all_over() && self.settled_at.is_none() && self.sinks.is_empty()
    }

    /// Whether the hosts have nothing left to do.
    fn are_all_over(&self) -> bool {
        self.is_over.iter().all(|&is_over| is_over)
    }

    /// Something has happened on a host.
    pub fn on_report(&mut self, report: Report, now: Instant) {
        match report {
            Report::Preface(text) => self.say(&text),
            // One of them is enough: what holds for a rank holds for most.
            Report::Note(text) => {
                if !self.has_noted {
                    self.say(&format!("mpirun: {text}\n"));
                }
                self.has_noted = true;
            }
            Report::Output(rank, stream, text) if self.knows(rank) => {
                self.on_output(rank, usize::from(stream.min(1)), &text);
            }
            Report::Ended(rank) if self.knows(rank) => self.has_ended[rank as usize] = true,
            Report::Fault(fault, rank, pid) if self.knows(rank) && !self.has_failed() => {
                // On one node the first is the cause, but for a rank that has seen another's end
                // before this process has.
                let may_follow = self.is_over.len() > 1 || matches!(fault, Fault::CutOff(_));
                let settle = if may_follow { SETTLE } else { Duration::ZERO };
                self.faults.push((fault, rank, pid));
                let settled_at = now + settle;
                self.settled_at = Some(self.settled_at.map_or(settled_at, |at| at.min(settled_at)));
            }
            Report::Trouble(text, status) => self.on_trouble(&text, status, Signal::SIGKILL),
            Report::Activities(number, activities, locks) => {
                self.on_activities(number, activities, locks);
            }
            Report::Addresses(addresses) => self.on_addresses(addresses),
            Report::Fence(ranks, pairs) => {
                let all = self.fence.on_reached(ranks, pairs, self.has_ended.len());
                self.orders.extend(all.map(Order::Fence));
            }
            Report::Ask(rank, ask) => {
                self.orders.push(Order::Told(rank, self.names.on_ask(ask)));
            }
            Report::Over(node) => self.on_over(node),
            Report::Lost(nodes, text) => {
                self.on_trouble(&text, STATUS_LAUNCH, Signal::SIGTERM);
                nodes.into_iter().for_each(|node| self.on_over(node));
            }
            _ => {}
        }
    }

    fn on_output(&mut self, rank: u32, stream: usize, text: &[u8]) {
        let node = self.world.node_of[rank as usize];
        let host = &self.world.hosts[node as usize];
        match self.files.put(rank, (node, host), stream, text) {
            Ok(is_in_file) if is_in_file && !self.common.shows_all => {}
            Ok(_) => self.sinks.put(rank, stream, text),
            Err(failure) => self.on_trouble(&failure.text, STATUS_LAUNCH, Signal::SIGTERM),
        }
    }

    fn knows(&self, rank: u32) -> bool {
        (rank as usize) < self.has_ended.len()
    }

    fn on_over(&mut self, node: u32) {
        if let Some(is_over) = self.is_over.get_mut(node as usize) {
            *is_over = true;
            for (rank, host) in self.world.node_of.iter().enumerate() {
                self.has_ended[rank] |= *host == node;
            }
        }
    }

    fn on_trouble(&mut self, text: &str, status: i32, signal: Signal) {
        if self.phase != Phase::Running {
            return;
        }
        self.settled_at = None;
        self.say(&format!("mpirun: {text}\n"));
        let grace = if signal == Signal::SIGKILL { Duration::ZERO } else { GRACE_FAILED };
        self.end(status, signal, grace);
    }

    fn on_addresses(&mut self, addresses: AddressList) {
        self.addresses.extend(addresses);
        if self.addresses.len() == self.has_ended.len() {
            self.orders.push(Order::Addresses(std::mem::take(&mut self.addresses)));
        }
    }

    /// A signal to the launcher.
    pub fn on_signal(&mut self, signal: Signal) {
        if PASSED_ON.contains(&signal) || [Signal::SIGTSTP, Signal::SIGCONT].contains(&signal) {
            self.orders.push(Order::Signal(signal as i32));
        } else if ENDING.contains(&signal) {
            self.on_ending(signal);
        }
    }

    /// The user wants the job to end; asked twice, at once.
    fn on_ending(&mut self, signal: Signal) {
        let status = STATUS_SIGNAL + signal as i32;
        match self.phase {
            // Only output is left, and nobody reads it.
            _ if self.phase == Phase::Killed || self.has_ended.iter().all(|&ended| ended) => {
                self.status = status;
                self.sinks.drop_all();
                self.orders.push(Order::Deaf);
            }
            Phase::Running => self.end(status, signal, GRACE_ASKED),
            _ => {
                self.phase = Phase::Killed;
                self.orders.push(Order::Kill);
            }
        }
    }

    /// Writes what the readers of the output take.
    pub fn write(&mut self, poller: &Poller) {
        if let Err(error) = self.sinks.write(poller) {
            self.on_unwritable(error);
        }
        let is_full = self.sinks.is_full();
        if is_full != self.is_paused {
            self.is_paused = is_full;
            self.orders.push(Order::Pause(is_full));
        }
    }

    /// Output cannot be written any more, so the job is of no use.
    fn on_unwritable(&mut self, error: Errno) {
        if self.phase != Phase::Running {
            return;
        }
        // A reader that leaves (`| head`) knows why: end as a program does that writes to it
        // directly.
        let mut status = STATUS_SIGNAL + Signal::SIGPIPE as i32;
        if error != Errno::EPIPE {
            status = STATUS_LAUNCH;
            let why = error.desc();
            self.say(&format!("mpirun: cannot write the ranks' output: {why}\n"));
        }
        self.end(status, Signal::SIGTERM, GRACE_FAILED);
    }

    /// The time may have come to do something.
    pub fn on_time(&mut self, now: Instant) {
        let is_past = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if is_past(self.settled_at) {
            self.on_fault();
        }
        if is_past(self.look.as_ref().map(|look| look.until)) {
            self.on_answers();
        }
        if self.phase != Phase::Running {
            return;
        }
        if is_past(self.timeout_at) {
            self.timeout_at = None;
            self.look_at_ranks(Purpose::Timeout, now);
        } else if is_past(self.stall_look_at) {
            self.plan_stall_look(now);
            if self.look.is_none() {
                self.look_at_ranks(Purpose::Stalls, now);
            }
        }
    }

    /// When [`on_time`](Self::on_time) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        let running = [self.timeout_at, self.stall_look_at];
        let running = running.into_iter().flatten().filter(|_| self.phase == Phase::Running);
        let look = self.look.as_ref().map(|look| look.until);
        running.chain(self.settled_at).chain(look).min()
    }

    fn on_fault(&mut self) {
        self.settled_at = None;
        // The most serious; among equals the first.
        let gravest = self.faults.iter().min_by_key(|(fault, ..)| fault.order()).cloned();
        let Some((fault, rank, pid)) = gravest.filter(|_| self.phase == Phase::Running) else {
            return;
        };
        let (rank, mut ended) = (rank as usize, self.has_ended.iter().enumerate());
        let others = ended.any(|(other, ended)| other != rank && !ended);
        let host = &self.world.hosts[self.world.node_of[rank] as usize];
        let text = fault.sentence(rank, pid, host, others);
        self.say(&text);
        self.end(fault.status(), Signal::SIGTERM, GRACE_FAILED);
    }

    fn look_at_ranks(&mut self, purpose: Purpose, now: Instant) {
        self.looks += 1;
        let activities = vec![Activity::Unknown; self.has_ended.len()];
        let (number, until) = (self.looks, now + LOOK_LIMIT);
        self.look =
            Some(Look { number, purpose, answers: 0, activities, locks: Vec::new(), until });
        self.orders.push(Order::Look(number));
    }

    fn on_activities(&mut self, number: u32, told: Vec<(u32, Activity)>, locks: Vec<HeldLock>) {
        let Some(look) = self.look.as_mut().filter(|look| look.number == number) else { return };
        let now_ns = monotonic_ns();
        for (rank, mut activity) in told {
            if let Activity::Waiting(stall) = &mut activity {
                stall.since_ns = now_ns.saturating_sub(stall.since_ns);
            }
            if let Some(known) = look.activities.get_mut(rank as usize) {
                *known = activity;
            }
        }
        look.locks.extend(locks);
        look.answers += 1;
        if look.answers >= self.is_over.len() {
            self.on_answers();
        }
    }

    fn on_answers(&mut self) {
        let Some(mut look) = self.look.take() else { return };
        for (rank, activity) in look.activities.iter_mut().enumerate() {
            if self.has_ended[rank] {
                *activity = Activity::Finished;
            }
        }
        name_holders(&mut look.activities, &look.locks);
        if self.phase == Phase::Running {
            match look.purpose {
                Purpose::Stalls => self.tell_stalls(&look.activities),
                Purpose::Timeout => self.tell_timeout(&look.activities),
            }
        }
    }

    fn tell_timeout(&mut self, activities: &[Activity]) {
        let limit = self.common.timeout.unwrap_or_default().as_secs_f64();
        let text = report(activities, monotonic_ns());
        self.say(&format!(
            "mpirun: the job ran longer than {limit} s (--timeout) and was ended; it was doing:\n\
             {text}"
        ));
        self.end(STATUS_TIMEOUT, Signal::SIGTERM, GRACE_FAILED);
    }

    fn tell_stalls(&mut self, activities: &[Activity]) {
        let Some(limit) = self.common.stall_report else { return };
        let now_ns = monotonic_ns();
        let wait = longest_wait(activities, now_ns).filter(|wait| *wait >= limit);
        if let Some(wait) = wait.filter(|_| !self.is_stall_told) {
            let seconds = wait.as_secs();
            let text = report(activities, now_ns);
            self.say(&format!(
                "mpirun: a rank has waited for {seconds} s (--stall-report); the job goes on:\n\
                 {text}"
            ));
        }
        // Reported once for each stall: when it has ended, the next one is new.
        self.is_stall_told = wait.is_some();
    }

    fn plan_stall_look(&mut self, now: Instant) {
        let limit = self.common.stall_report;
        self.stall_look_at = limit.map(|limit| now + (limit / STALL_LOOKS).min(STALL_LOOK_MAX));
    }

    /// Ends the job with `status`: first asks with `signal`, then kills after `grace`.
    fn end(&mut self, status: i32, signal: Signal, grace: Duration) {
        self.status = status;
        self.phase = Phase::Ending;
        self.settled_at = None;
        self.orders.push(Order::End(signal as i32, grace.as_millis() as u32));
    }
}
