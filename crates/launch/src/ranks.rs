//! The ranks of this host while they run: obeys the head's orders and reports what happens.

use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use dunlin_pmi::{Facts, Output, Standing};
use dunlin_seal::JobKey;
use dunlin_shm::card::{Addresses, JobCard, Key};
use dunlin_shm::{RankState, Segment};
use nix::sys::signal::{Signal, kill, killpg};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{Pid, read};

use crate::failure::Failure;
use crate::foreign::Foreign;
use crate::message::{Order, Report};
use crate::options::Request;
use crate::plan::{Plan, RankPlan};
use crate::poller::{Poller, Token};
use crate::process::{exit_of, reap};
use crate::stall_report::Activity;
use crate::start::{Started, Trouble};
use crate::streams::Streams;
use crate::verdict::{Abort, Exit, Fault};

/// How long output may stay open after the last rank: something outside the job may hold it.
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
    foreign: Foreign,
    troubles: OwnedFd,
    /// Closing it tells ranks outside our process groups that the job is over.
    lifeline: Option<OwnedFd>,
    phase: Phase,
    is_over: bool,
    reports: Vec<Report>,
}

impl Ranks {
    /// Takes charge of what was started. `is_live` tells whether their output and errors are read
    /// while the job runs.
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
        let foreign = Foreign::new(sockets, poller).map_err(refused)?;
        let prompter = plan.ranks.iter().position(|planned| planned.rank == 0);
        let now = Instant::now();
        let streams = Streams::new(&mut started.processes, poller, is_live, prompter, now)
            .map_err(refused)?;
        Ok(Ranks {
            plan,
            request,
            segment,
            processes,
            streams,
            foreign,
            troubles: started.troubles,
            lifeline: Some(started.lifeline),
            phase: Phase::Running,
            is_over: false,
            reports: Vec::new(),
        })
    }

    /// The ranks' shared memory.
    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    /// What has happened since this was asked last.
    pub fn take_reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    /// Does what the head wants.
    pub fn obey(&mut self, order: &Order, poller: &Poller, now: Instant) {
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
                let report = Report::Activities(*number, self.activities());
                self.reports.push(report);
            }
            Order::Addresses(all) => {
                let card = self.segment.card();
                let elsewhere = all.iter().filter(|(rank, _)| card.local(*rank as usize).is_none());
                for (rank, address) in elsewhere.filter(|(rank, _)| (*rank as usize) < card.world())
                {
                    card.publish(*rank as usize, address);
                }
                self.segment.set_addresses(Addresses::Complete);
            }
            Order::Fence(pairs) => self.foreign.on_fence(pairs, poller),
            Order::Told(rank, answer) => {
                if let Some(place) = self.segment.card().local(*rank as usize) {
                    self.foreign.on_told(place, answer.clone(), poller);
                }
            }
            // Those for agents.
            Order::Begin(_) | Order::Start(_) | Order::Input(_) | Order::Leave | Order::Beat => {}
        }
    }

    /// A stream of a rank has something to read.
    pub fn on_stream(&mut self, number: usize, poller: &Poller, now: Instant) {
        let mut put = told(&self.plan.ranks, &mut self.reports);
        self.streams.on_readable(number, poller, now, &mut put);
    }

    /// A rank says something by PMI.
    pub fn on_pmi(&mut self, place: usize, poller: &Poller, now: Instant) {
        let (card, plan) = (self.segment.card(), &self.plan);
        let outputs = self.foreign.on_readable(place, poller, || facts(&card, plan));
        let rank_of = |place: usize| plan.ranks[place].rank as u32;
        let mut aborted = Vec::new();
        for output in outputs {
            match output {
                Output::Fence(pairs) => {
                    self.reports.push(Report::Fence(plan.ranks.len() as u32, pairs));
                }
                Output::Ask(place, ask) => self.reports.push(Report::Ask(rank_of(place), ask)),
                Output::Abort(place) => aborted.push(place),
                Output::Write(..) | Output::HangUp(_) => {}
            }
        }
        for place in aborted {
            self.tell(Fault::of_abort(self.state(place).1), place, now);
        }
    }

    /// The time may have come to do something.
    pub fn on_time(&mut self, now: Instant) {
        let mut put = told(&self.plan.ranks, &mut self.reports);
        self.streams.on_time(now, &mut put);
        drop(put);
        if self.quiet_until().is_some_and(|at| at <= now) {
            self.streams.close(now, &mut told(&self.plan.ranks, &mut self.reports));
        }
        if matches!(self.phase, Phase::Ending(kill_at) if kill_at <= now) {
            self.kill(now);
        }
        self.look_for_the_end(now);
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
            self.reports.push(Report::Over(self.segment.card().node() as u32));
        }
    }

    /// When [`on_time`](Self::on_time) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        let phase = match self.phase {
            Phase::Running => None,
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
        // What they said last by PMI comes before how they ended.
        ended.iter().for_each(|&place| self.on_pmi(place, poller, now));
        let fault = |&place: &usize| {
            let (state, abort) = self.state(place);
            Some((Fault::of(self.processes[place].exit?, state, abort)?, place))
        };
        let mut faults: Vec<_> = ended.iter().filter_map(fault).collect();
        if self.phase == Phase::Running && !faults.is_empty() {
            // Ranks that fail because another called MPI_Abort may be seen first.
            for place in (0..self.processes.len()).filter(|&p| self.processes[p].exit.is_none()) {
                if let (RankState::Aborted, abort) = self.state(place) {
                    faults.push((Fault::of_abort(abort), place));
                }
            }
            faults.into_iter().for_each(|(fault, place)| self.tell(fault, place, now));
        }
        let rank = |&place: &usize| Report::Ended(self.plan.ranks[place].rank as u32);
        self.reports.extend(ended.iter().map(rank));
    }

    /// The places of those that have ended since this was asked last.
    fn note_exits(&mut self) -> Vec<usize> {
        let running = self.processes.iter_mut().enumerate().filter(|(_, p)| p.exit.is_none());
        let ended = running.filter_map(|(place, process)| {
            process.exit = exit_of(process.pid);
            process.exit.map(|_| place)
        });
        let ended: Vec<_> = ended.collect();
        ended.iter().for_each(|&place| self.segment.set_gone(place));
        ended
    }

    /// Where a rank is between birth and end, by what its library shows in the segment or has said
    /// by PMI, and why it has aborted, if it has.
    fn state(&self, place: usize) -> (RankState, Abort) {
        let view = self.segment.rank(place);
        if view.state() != RankState::Unborn {
            return (view.state(), Abort { code: view.abort_code(), why: view.last_words() });
        }
        let none = Abort { code: 0, why: None };
        match self.foreign.standing(place) {
            Standing::Silent => (RankState::Unborn, none),
            Standing::Begun => (RankState::Running, none),
            Standing::Finished => (RankState::Finalized, none),
            Standing::Aborted(code) => (RankState::Aborted, Abort { code, why: None }),
        }
    }

    fn tell(&mut self, fault: Fault, place: usize, now: Instant) {
        // A shell around the program is not what the user thinks of as the rank.
        let pid = match self.segment.rank(place).pid() {
            0 => self.processes[place].pid.as_raw(),
            pid => pid as i32,
        };
        let mut put = told(&self.plan.ranks, &mut self.reports);
        self.streams.on_ended(place, now, &mut put);
        drop(put);
        self.reports.push(Report::Fault(fault, self.plan.ranks[place].rank as u32, pid));
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

    /// Lengths of waits in place of their beginnings: clocks of hosts differ.
    fn activities(&self) -> Vec<(u32, Activity)> {
        let now_ns = monotonic_ns();
        let activity = |(place, process): (usize, &RankProcess)| {
            let view = self.segment.rank(place);
            let waiting = |mut stall: dunlin_shm::stall::Stall| {
                stall.since_ns = now_ns.saturating_sub(stall.since_ns);
                Activity::Waiting(stall)
            };
            let activity = match self.state(place).0 {
                _ if process.exit.is_some() => Activity::Finished,
                RankState::Unborn => Activity::NotInitialized,
                // A second program may wait in its place.
                RankState::Finalized => view.stall().read().map_or(Activity::Finished, waiting),
                _ => {
                    let stall = view.stall().read().or_else(|| self.foreign.stall(place));
                    stall.map_or(Activity::Computing, waiting)
                }
            };
            (self.plan.ranks[place].rank as u32, activity)
        };
        self.processes.iter().enumerate().map(activity).collect()
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

    /// Whether all ranks have ended, asked when nobody listens to reports any more.
    pub fn have_ended(&mut self, poller: &Poller) -> bool {
        self.on_exits(poller, Instant::now());
        self.have_all_ended()
    }

    /// Lets go of all ranks; only when all is over, because their groups are signalled no more.
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

/// What ranks of another library are told of their job.
fn facts(card: &JobCard<'_>, plan: &Plan) -> Facts {
    // Without a key the job is on one host, where one that is drawn here will do. Its name says
    // nothing of the key: others may see it.
    let key = Some(card.key()).filter(|key| *key != Key::default()).map(JobKey::new);
    let name = key.or_else(|| JobKey::draw().ok()).map_or(0, |key| key.public_name());
    Facts {
        job: format!("dunlin-{name:x}"),
        nodes: card.places().iter().map(|place| place.node).collect(),
        here: plan.ranks.iter().map(|planned| (planned.rank, planned.part)).collect(),
    }
}

/// Reports what a stream says.
fn told<'a>(
    ranks: &'a [RankPlan],
    reports: &'a mut Vec<Report>,
) -> impl FnMut(usize, usize, &[u8]) + 'a {
    |place, kind, text| {
        reports.push(Report::Output(ranks[place].rank as u32, kind as u8, text.to_vec()));
    }
}

/// The clock of [`dunlin_shm::stall::Stall::since_ns`].
pub fn monotonic_ns() -> u64 {
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(0, |t| Duration::from(t).as_nanos() as u64)
}
