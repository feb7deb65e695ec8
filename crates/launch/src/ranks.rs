//! The ranks of this host while they run: carries out the controller's orders and reports what
//! happens.

use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use dunlin_pmi::{Facts, Output, Standing};
use dunlin_seal::JobKey;
use dunlin_shm::job_map::{Addresses, JobMap, Key};
use dunlin_shm::{RankState, Segment};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, read};

use crate::abi::Choice;
use crate::clock::monotonic_ns;
use crate::exit_status::{Abort, Exit, Fault};
use crate::failure::Failure;
use crate::foreign_library::ForeignLibraryCheck;
use crate::message::{Order, Report};
use crate::options::Request;
use crate::plan::{Plan, RankPlan};
use crate::pmi_sockets::PmiSockets;
use crate::poller::{Poller, Token};
use crate::process::{exit_of, reap};
use crate::stall_report::{Activity, HeldLock};
use crate::start::{Started, Trouble};
use crate::streams::Streams;

/// How long output may stay open after the last rank: a process outside the job may hold it.
const QUIET_MAX: Duration = Duration::from_millis(100);

/// Where the ranks are in their life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// They were asked to end and are killed at this time.
    Ending(Instant),
    /// Whatever was left was killed at this time.
    Killed(Instant),
}

struct RankProcess {
    pid: Pid,
    exit: Option<Exit>,
}

/// The ranks of a host.
pub struct Ranks {
    plan: Plan,
    request: Rc<Request>,
    segment: Segment,
    processes: Vec<RankProcess>,
    streams: Streams,
    pmi_sockets: PmiSockets,
    troubles: OwnedFd,
    /// Closing it tells ranks outside our process groups that the job is over.
    lifeline: Option<OwnedFd>,
    foreign_library_check: ForeignLibraryCheck,
    phase: Phase,
    is_over: bool,
    reports: Vec<Report>,
}

impl Ranks {
    /// Takes over the ranks that were started. `is_live` tells whether their output and errors are
    /// read while the job runs.
    pub fn new(
        plan: Plan,
        request: Rc<Request>,
        segment: Segment,
        mut started: Started,
        is_live: [bool; 2],
        poller: &Poller,
    ) -> Result<Ranks, Failure> {
        let refused = |e| Failure::system("cannot watch the ranks", e);
        poller.add(&started.troubles, Token::Trouble).map_err(refused)?;
        let process = |p: &crate::start::Process| RankProcess { pid: p.pid, exit: None };
        let processes = started.processes.iter().map(process).collect();
        let sockets = started.processes.iter_mut().map(|process| process.pmi.take()).collect();
        let pmi_sockets = PmiSockets::new(sockets, poller).map_err(refused)?;
        let prompter = plan.ranks.iter().position(|planned| planned.rank == 0);
        let (now, world) = (Instant::now(), segment.job_map().world());
        let choice = request.common.abi.unwrap_or(Choice::Auto);
        let foreign_library_check = ForeignLibraryCheck::new(now, world, choice);
        let streams = Streams::new(&mut started.processes, poller, is_live, prompter, now)
            .map_err(refused)?;
        Ok(Ranks {
            plan,
            request,
            segment,
            processes,
            streams,
            pmi_sockets,
            troubles: started.troubles,
            lifeline: Some(started.lifeline),
            foreign_library_check,
            phase: Phase::Running,
            is_over: false,
            reports: Vec::new(),
        })
    }

    /// The ranks' shared memory.
    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    /// What has happened since the last call.
    pub fn take_reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    /// Carries out an order of the controller.
    pub fn execute(&mut self, order: &Order, poller: &Poller, now: Instant) {
        match order {
            Order::Pause(is_paused) => self.streams.pause(*is_paused, poller),
            Order::Signal(number) => {
                if let Ok(signal) = Signal::try_from(*number) {
                    self.signal_all(signal);
                }
            }
            Order::End(number, grace_ms) => {
                let signal = Signal::try_from(*number).unwrap_or(Signal::SIGTERM);
                self.end(signal, now + Duration::from_millis((*grace_ms).into()));
            }
            Order::Kill => self.kill(now),
            Order::Deaf => self.streams.close(now, &mut |_, _, _| ()),
            Order::Look(number) => {
                let report = Report::Activities(*number, self.activities(), self.held_locks());
                self.reports.push(report);
            }
            Order::Addresses(all) => {
                let job_map = self.segment.job_map();
                let elsewhere =
                    all.iter().filter(|(rank, _)| job_map.local(*rank as usize).is_none());
                for (rank, address) in
                    elsewhere.filter(|(rank, _)| (*rank as usize) < job_map.world())
                {
                    job_map.publish(*rank as usize, address);
                }
                self.segment.set_addresses(Addresses::Complete);
            }
            Order::Fence(pairs) => self.pmi_sockets.on_fence(pairs, poller),
            Order::Told(rank, answer) => {
                if let Some(local_rank) = self.segment.job_map().local(*rank as usize) {
                    self.pmi_sockets.on_told(local_rank, answer.clone(), poller);
                }
            }
            // Those for agents.
            Order::Begin(_)
            | Order::Start(_)
            | Order::Input(_)
            | Order::Leave
            | Order::Heartbeat => {}
        }
    }

    /// A stream of a rank has something to read.
    pub fn on_stream(&mut self, number: usize, poller: &Poller, now: Instant) {
        let mut put = told(&self.plan.ranks, &mut self.reports);
        self.streams.on_readable(number, poller, now, &mut put);
    }

    /// A rank has sent something by PMI.
    pub fn on_pmi(&mut self, local_rank: usize, poller: &Poller, now: Instant) {
        let (job_map, plan) = (self.segment.job_map(), &self.plan);
        let outputs = self.pmi_sockets.on_readable(local_rank, poller, || facts(&job_map, plan));
        let rank_of = |local_rank: usize| plan.ranks[local_rank].rank as u32;
        let mut aborted = Vec::new();
        for output in outputs {
            match output {
                Output::Fence(pairs) => {
                    self.reports.push(Report::Fence(plan.ranks.len() as u32, pairs));
                }
                Output::Ask(local_rank, ask) => {
                    self.reports.push(Report::Ask(rank_of(local_rank), ask))
                }
                Output::Abort(local_rank) => aborted.push(local_rank),
                Output::Write(..) | Output::HangUp(_) => {}
            }
        }
        for local_rank in aborted {
            self.tell(Fault::of_abort(self.state(local_rank).1), local_rank, now);
        }
    }

    /// The time may have come to do something.
    pub fn on_time(&mut self, now: Instant) {
        let mut put = told(&self.plan.ranks, &mut self.reports);
        self.streams.on_time(now, &mut put);
        drop(put);
        self.look_for_a_foreign_library(now);
        if self.quiet_until().is_some_and(|at| at <= now) {
            self.streams.close(now, &mut told(&self.plan.ranks, &mut self.reports));
        }
        if matches!(self.phase, Phase::Ending(kill_at) if kill_at <= now) {
            self.kill(now);
        }
        self.look_for_the_end(now);
    }

    fn look_for_a_foreign_library(&mut self, now: Instant) {
        if self.phase != Phase::Running || !self.foreign_library_check.is_due(now) {
            return;
        }
        let has_not_begun = |local_rank: &usize| {
            self.processes[*local_rank].exit.is_none()
                && self.state(*local_rank).0 == RankState::Unborn
        };
        let place =
            |local_rank: usize| (self.plan.ranks[local_rank].rank, self.processes[local_rank].pid);
        let not_begun: Vec<_> =
            (0..self.processes.len()).filter(has_not_begun).map(place).collect();
        self.reports.extend(self.foreign_library_check.look(now, &not_begun).map(Report::Note));
    }

    fn look_for_the_end(&mut self, now: Instant) {
        if self.is_over || !self.have_all_ended() {
            return;
        }
        if !matches!(self.phase, Phase::Killed(_)) {
            // What ranks left behind in their process groups ends with them. The groups' numbers
            // are still theirs, because the ranks have not been reaped.
            self.kill(now);
        }
        if self.streams.is_closed() {
            self.is_over = true;
            self.reports.push(Report::Over(self.segment.job_map().node() as u32));
        }
    }

    /// When [`on_time`](Self::on_time) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        let phase = match self.phase {
            Phase::Running => self.foreign_library_check.next_time(),
            Phase::Ending(kill_at) => Some(kill_at),
            Phase::Killed(_) => self.quiet_until(),
        };
        phase.into_iter().chain(self.streams.next_time()).min()
    }

    /// When to give up output that stays open although all ranks have ended.
    fn quiet_until(&self) -> Option<Instant> {
        let Phase::Killed(killed) = self.phase else { return None };
        if self.streams.is_closed() || !self.have_all_ended() {
            return None;
        }
        self.streams.quiet_since().map(|since| since.max(killed) + QUIET_MAX)
    }

    fn have_all_ended(&self) -> bool {
        self.processes.iter().all(|rank| rank.exit.is_some())
    }

    /// Children of this process have ended.
    pub fn on_exits(&mut self, poller: &Poller, now: Instant) {
        // A child that could not become its rank has said why before it ended.
        self.on_trouble(poller);
        let ended = self.note_exits();
        // Their last PMI requests come before the report of their end.
        ended.iter().for_each(|&local_rank| self.on_pmi(local_rank, poller, now));
        let fault = |&local_rank: &usize| {
            let (state, abort) = self.state(local_rank);
            Some((Fault::of(self.processes[local_rank].exit?, state, abort)?, local_rank))
        };
        let mut faults: Vec<_> = ended.iter().filter_map(fault).collect();
        if self.phase == Phase::Running && !faults.is_empty() {
            // Ranks that fail because another called MPI_Abort may be seen first.
            for local_rank in
                (0..self.processes.len()).filter(|&p| self.processes[p].exit.is_none())
            {
                if let (RankState::Aborted, abort) = self.state(local_rank) {
                    faults.push((Fault::of_abort(abort), local_rank));
                }
            }
            faults.into_iter().for_each(|(fault, local_rank)| self.tell(fault, local_rank, now));
        }
        let rank = |&local_rank: &usize| Report::Ended(self.plan.ranks[local_rank].rank as u32);
        self.reports.extend(ended.iter().map(rank));
    }

    /// The indices of those that have ended since the last call.
    fn note_exits(&mut self) -> Vec<usize> {
        let running = self.processes.iter_mut().enumerate().filter(|(_, p)| p.exit.is_none());
        let ended = running.filter_map(|(local_rank, process)| {
            process.exit = exit_of(process.pid);
            process.exit.map(|_| local_rank)
        });
        let ended: Vec<_> = ended.collect();
        ended.iter().for_each(|&local_rank| self.segment.set_gone(local_rank));
        ended
    }

    /// The state of a rank between start and end, by what its library publishes in the segment or
    /// has sent by PMI, and why it has aborted, if it has.
    fn state(&self, local_rank: usize) -> (RankState, Abort) {
        let view = self.segment.rank(local_rank);
        if view.state() != RankState::Unborn {
            return (view.state(), Abort { code: view.abort_code(), why: view.abort_message() });
        }
        let none = Abort { code: 0, why: None };
        match self.pmi_sockets.standing(local_rank) {
            Standing::Silent => (RankState::Unborn, none),
            Standing::Begun => (RankState::Running, none),
            Standing::Finished => (RankState::Finalized, none),
            Standing::Aborted(code) => (RankState::Aborted, Abort { code, why: None }),
        }
    }

    fn tell(&mut self, fault: Fault, local_rank: usize, now: Instant) {
        // Users do not think of a shell around the program as the rank.
        let pid = match self.segment.rank(local_rank).pid() {
            0 => self.processes[local_rank].pid.as_raw(),
            pid => pid as i32,
        };
        let mut put = told(&self.plan.ranks, &mut self.reports);
        self.streams.on_ended(local_rank, now, &mut put);
        drop(put);
        self.reports.push(Report::Fault(fault, self.plan.ranks[local_rank].rank as u32, pid));
    }

    /// A child could not become its rank, or all have.
    pub fn on_trouble(&mut self, poller: &Poller) {
        let mut bytes = [0; Trouble::BYTES];
        match read(&self.troubles, &mut bytes) {
            // All children have become their ranks.
            Ok(0) => poller.remove(&self.troubles),
            Ok(_) if self.phase == Phase::Running => {
                let Some(trouble) = Trouble::decode(&bytes) else { return };
                let Failure { text, status } = trouble.explain(&self.plan, &self.request);
                self.reports.push(Report::Trouble(text, status));
            }
            // Nothing to read now, or one reason is enough.
            _ => {}
        }
    }

    /// Lengths of waits instead of their beginnings: clocks of hosts differ.
    fn activities(&self) -> Vec<(u32, Activity)> {
        let now_ns = monotonic_ns();
        let activity = |(local_rank, process): (usize, &RankProcess)| {
            let stall = || self.segment.stall(local_rank);
            let waiting = |mut stall: dunlin_shm::stall::Stall| {
                stall.since_ns = now_ns.saturating_sub(stall.since_ns);
                Activity::Waiting(stall)
            };
            let activity = match self.state(local_rank).0 {
                _ if process.exit.is_some() => Activity::Finished,
                RankState::Unborn => Activity::NotInitialized,
                // A second program may wait to become this rank.
                RankState::Finalized => stall().map_or(Activity::Finished, waiting),
                _ => {
                    let stall = stall().or_else(|| self.pmi_sockets.stall(local_rank));
                    stall.map_or(Activity::Computing, waiting)
                }
            };
            (self.plan.ranks[local_rank].rank as u32, activity)
        };
        self.processes.iter().enumerate().map(activity).collect()
    }

    /// Who holds the locks for which ranks of other hosts wait.
    fn held_locks(&self) -> Vec<HeldLock> {
        let of_rank = |(local_rank, planned): (usize, &RankPlan)| {
            let (target, locks) =
                (planned.rank as u32, self.segment.rank(local_rank).awaited_locks());
            let held = move |(window, holder)| HeldLock { target, window, holder };
            locks.read().into_iter().map(held)
        };
        self.plan.ranks.iter().enumerate().flat_map(of_rank).collect()
    }

    /// First asks with `signal`, then kills.
    fn end(&mut self, signal: Signal, kill_at: Instant) {
        if self.phase != Phase::Running {
            return;
        }
        self.phase = Phase::Ending(kill_at);
        self.segment.set_addresses(Addresses::Failed);
        self.signal_all(signal);
        // A stopped rank could not follow.
        self.signal_all(Signal::SIGCONT);
    }

    /// Kills whatever is left.
    pub fn kill(&mut self, now: Instant) {
        self.phase = Phase::Killed(now);
        self.lifeline = None;
        self.signal_all(Signal::SIGKILL);
    }

    /// Whether all ranks have ended, for use when nobody reads reports any more.
    pub fn have_ended(&mut self, poller: &Poller) -> bool {
        self.on_exits(poller, Instant::now());
        self.have_all_ended()
    }

    /// Reaps all ranks; only at the very end, because their groups must not be signalled
    /// afterwards.
    pub fn reap(&self) {
        self.processes.iter().for_each(|rank| reap(rank.pid));
    }

    fn signal_all(&self, signal: Signal) {
        for rank in &self.processes {
            // Without its group the rank has moved to another one, or has ended, and then the
            // signal does nothing.
            if killpg(rank.pid, signal).is_err() {
                let _ = kill(rank.pid, signal);
            }
        }
    }
}

/// What ranks of another library are told about their job.
fn facts(job_map: &JobMap<'_>, plan: &Plan) -> Facts {
    // Without a key the job is on one host, where one that is drawn here will do. Its name reveals
    // nothing about the key: others may see it.
    let key = Some(job_map.key()).filter(|key| *key != Key::default()).map(JobKey::new);
    let name = key.or_else(|| JobKey::draw().ok()).map_or(0, |key| key.public_name());
    Facts {
        job: format!("dunlin-{name:x}"),
        nodes: job_map.locations().iter().map(|local_rank| local_rank.node).collect(),
        here: plan.ranks.iter().map(|planned| (planned.rank, planned.part)).collect(),
    }
}

/// Reports the output of a stream.
fn told<'a>(
    ranks: &'a [RankPlan],
    reports: &'a mut Vec<Report>,
) -> impl FnMut(usize, usize, &[u8]) + 'a {
    |local_rank, kind, text| {
        reports.push(Report::Output(ranks[local_rank].rank as u32, kind as u8, text.to_vec()));
    }
}
