//! Watches a job until its last rank has ended and its last line is written: one loop, one thread.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use dunlin_shm::{RankState, Segment};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg, raise};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{Pid, read};

use crate::failure::{Failure, STATUS_LAUNCH};
use crate::input::Input;
use crate::options::Request;
use crate::plan::Plan;
use crate::poller::{Poller, Token};
use crate::process::{exit_of, reap};
use crate::relay::Relay;
use crate::signals::{ENDING, PASSED_ON, Signals};
use crate::stall_report::{Activity, longest_wait, report};
use crate::start::{Started, Trouble};
use crate::verdict::{Exit, Fault, STATUS_SIGNAL, STATUS_TIMEOUT};

/// Between SIGTERM and SIGKILL when a rank has failed: the job is wrong already, be quick.
const GRACE_FAILED: Duration = Duration::from_millis(400);
/// Between the user's signal and SIGKILL: a rank may want to write a last checkpoint.
const GRACE_ASKED: Duration = Duration::from_secs(2);
/// How long output may stay open after the last rank: something outside the job may hold it.
const QUIET_MAX: Duration = Duration::from_millis(100);
/// How often waits are looked at, if the limit is long.
const STALL_LOOK_MAX: Duration = Duration::from_secs(5);
/// How many looks a short limit gets, so that it is not missed by much.
const STALL_LOOKS: u32 = 4;

/// Where the job is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// The ranks were asked to end and are killed at this time.
    Ending(Instant),
    /// Whatever was left was killed at this time.
    Killed(Instant),
}

struct RankProcess {
    pid: Pid,
    exit: Option<Exit>,
}

/// A running job and all that is needed to watch it.
pub struct Watch<'a> {
    plan: &'a Plan,
    request: &'a Request,
    segment: &'a Segment,
    signals: &'a mut Signals,
    poller: Poller,
    ranks: Vec<RankProcess>,
    relay: Relay,
    input: Input,
    troubles: OwnedFd,
    /// Closing it tells ranks outside our process groups that the job is over.
    lifeline: Option<OwnedFd>,
    phase: Phase,
    status: i32,
    timeout_at: Option<Instant>,
    stall_look_at: Option<Instant>,
    is_stall_told: bool,
}

impl<'a> Watch<'a> {
    /// Prepares to watch what was started.
    pub fn new(
        plan: &'a Plan,
        request: &'a Request,
        segment: &'a Segment,
        signals: &'a mut Signals,
        mut started: Started,
        input: Input,
    ) -> Result<Watch<'a>, Failure> {
        let now = Instant::now();
        let refused = |e| Failure::system("cannot watch the ranks", e);
        let poller = Poller::new().map_err(refused)?;
        poller.add(signals.fd(), Token::Signal).map_err(refused)?;
        poller.add(&started.troubles, Token::Trouble).map_err(refused)?;
        let ranks =
            started.processes.iter().map(|p| RankProcess { pid: p.pid, exit: None }).collect();
        let tagged = request.common.tag_output;
        let relay = Relay::new(&mut started.processes, &poller, tagged, now).map_err(refused)?;
        let mut watch = Watch {
            plan,
            request,
            segment,
            signals,
            poller,
            ranks,
            relay,
            input,
            troubles: started.troubles,
            lifeline: Some(started.lifeline),
            phase: Phase::Running,
            status: 0,
            timeout_at: request.common.timeout.map(|limit| now + limit),
            stall_look_at: None,
            is_stall_told: false,
        };
        watch.input.listen(&watch.poller);
        watch.plan_stall_look(now);
        Ok(watch)
    }

    /// Watches to the end; answers with the exit status.
    pub fn run(mut self, preface: &str) -> i32 {
        self.relay.say(preface);
        loop {
            if let Err(error) = self.relay.write(&self.poller) {
                self.on_unwritable(error);
            }
            if self.is_over() {
                // Only now: their groups are signalled no more.
                self.ranks.iter().for_each(|rank| reap(rank.pid));
                return self.status;
            }
            let now = Instant::now();
            let timeout = self.next_time().map(|at| at.saturating_duration_since(now));
            let ready = self.poller.wait(timeout);
            let now = Instant::now();
            for token in ready {
                self.on_ready(token, now);
            }
            self.on_time(now);
        }
    }

    fn on_ready(&mut self, token: Token, now: Instant) {
        match token {
            Token::Signal => self.on_signals(),
            Token::Trouble => self.on_trouble(),
            Token::Input => self.input.on_readable(&self.poller),
            Token::RankInput => self.input.on_writable(&self.poller),
            // The next turn of the loop writes.
            Token::Sink(_) => {}
            Token::Stream(number) => self.relay.on_readable(number, &self.poller, now),
        }
    }

    fn is_over(&mut self) -> bool {
        if !self.have_all_ended() {
            return false;
        }
        if !matches!(self.phase, Phase::Killed(_)) {
            // What ranks left behind in their process groups ends with them. The groups' numbers
            // are still theirs, because the ranks have not been reaped.
            self.kill();
        }
        if self.quiet_until().is_some_and(|at| at <= Instant::now()) {
            self.relay.close();
        }
        self.relay.is_closed() && self.relay.is_empty()
    }

    fn have_all_ended(&self) -> bool {
        self.ranks.iter().all(|rank| rank.exit.is_some())
    }

    /// When to give up output that stays open although all ranks have ended.
    fn quiet_until(&self) -> Option<Instant> {
        let Phase::Killed(killed) = self.phase else { return None };
        if self.relay.is_closed() || !self.have_all_ended() {
            return None;
        }
        self.relay.quiet_since().map(|since| since.max(killed) + QUIET_MAX)
    }

    fn next_time(&self) -> Option<Instant> {
        let phase = match self.phase {
            Phase::Running => None,
            Phase::Ending(kill_at) => Some(kill_at),
            Phase::Killed(_) => self.quiet_until(),
        };
        let running = [self.timeout_at, self.stall_look_at];
        let running = running.into_iter().flatten().filter(|_| self.phase == Phase::Running);
        running.chain(phase).chain(self.relay.next_time()).min()
    }

    fn on_time(&mut self, now: Instant) {
        self.relay.on_time(now);
        match self.phase {
            Phase::Ending(kill_at) if kill_at <= now => self.kill(),
            Phase::Running => {
                if self.stall_look_at.is_some_and(|at| at <= now) {
                    self.look_for_stalls();
                    self.plan_stall_look(now);
                }
                if self.timeout_at.is_some_and(|at| at <= now) {
                    self.on_timeout();
                }
            }
            _ => {}
        }
    }

    fn on_signals(&mut self) {
        while let Some(signal) = self.signals.next() {
            match signal {
                Signal::SIGCHLD => self.on_exits(),
                Signal::SIGTSTP => self.stop(),
                Signal::SIGCONT => self.resume(),
                signal if PASSED_ON.contains(&signal) => self.signal_all(signal),
                signal if ENDING.contains(&signal) => self.on_ending(signal),
                _ => {}
            }
        }
    }

    /// Output cannot be written any more, so the job is of no use.
    fn on_unwritable(&mut self, error: Errno) {
        if self.phase != Phase::Running {
            return;
        }
        // A reader that leaves (`| head`) knows why: end as a program that writes itself would.
        let mut status = STATUS_SIGNAL + Signal::SIGPIPE as i32;
        if error != Errno::EPIPE {
            status = STATUS_LAUNCH;
            let why = error.desc();
            self.relay.say(&format!("mpirun: cannot write the ranks' output: {why}\n"));
        }
        self.end(status, Signal::SIGTERM, GRACE_FAILED);
    }

    /// The user wants the job to end; asked twice, at once.
    fn on_ending(&mut self, signal: Signal) {
        match self.phase {
            Phase::Running => {
                self.end(STATUS_SIGNAL + signal as i32, signal, GRACE_ASKED);
            }
            Phase::Ending(_) => self.kill(),
            // Only output is left, and its reader does not read.
            Phase::Killed(_) => {
                self.status = STATUS_SIGNAL + signal as i32;
                self.relay.drop_all();
            }
        }
    }

    fn stop(&mut self) {
        self.signal_all(Signal::SIGTSTP);
        // Stops here until the shell continues the launcher; SIGCONT then does the rest.
        let _ = raise(Signal::SIGSTOP);
    }

    fn resume(&mut self) {
        self.signal_all(Signal::SIGCONT);
        self.input.listen(&self.poller);
    }

    fn on_exits(&mut self) {
        // A child that could not become its rank has said why before it ended.
        self.on_trouble();
        let mut faults = Vec::new();
        for (number, rank) in self.ranks.iter_mut().enumerate() {
            if rank.exit.is_some() {
                continue;
            }
            rank.exit = exit_of(rank.pid);
            let view = self.segment.rank(number);
            let fault = rank.exit.and_then(|e| Fault::of(e, view.state(), view.abort_code()));
            faults.extend(fault.map(|fault| (fault, number)));
        }
        if self.phase != Phase::Running || faults.is_empty() {
            return;
        }
        // Ranks that fail because another called MPI_Abort may be seen first.
        for number in 0..self.ranks.len() {
            let view = self.segment.rank(number);
            if view.state() == RankState::Aborted {
                faults.push((Fault::Aborted(view.abort_code()), number));
            }
        }
        faults.sort();
        self.on_fault(faults[0].0, faults[0].1);
    }

    fn on_fault(&mut self, fault: Fault, rank: usize) {
        let others = (0..self.ranks.len()).any(|n| n != rank && self.ranks[n].exit.is_none());
        // A shell around the program is not what the user thinks of as the rank.
        let pid = match self.segment.rank(rank).pid() {
            0 => self.ranks[rank].pid.as_raw(),
            pid => pid as i32,
        };
        self.relay.on_ended(rank, &self.poller, Instant::now());
        self.relay.say(&fault.sentence(rank, pid, &self.plan.host, others));
        self.end(fault.status(), Signal::SIGTERM, GRACE_FAILED);
    }

    fn on_trouble(&mut self) {
        let mut bytes = [0; Trouble::BYTES];
        match read(&self.troubles, &mut bytes) {
            // All children have become their ranks.
            Ok(0) => self.poller.remove(&self.troubles),
            Ok(_) if self.phase == Phase::Running => {
                let Some(trouble) = Trouble::decode(&bytes) else { return };
                let failure = trouble.explain(self.plan, self.request);
                self.relay.say(&format!("mpirun: {}\n", failure.text));
                self.end(failure.status, Signal::SIGKILL, Duration::ZERO);
            }
            // Nothing to read now, or one reason is enough.
            _ => {}
        }
    }

    fn on_timeout(&mut self) {
        let limit = self.request.common.timeout.unwrap_or_default().as_secs_f64();
        let text = report(&self.activities(), monotonic_ns());
        self.relay.say(&format!(
            "mpirun: the job ran longer than {limit} s (--timeout) and was ended; it was doing:\n\
             {text}"
        ));
        self.end(STATUS_TIMEOUT, Signal::SIGTERM, GRACE_FAILED);
    }

    fn look_for_stalls(&mut self) {
        let Some(limit) = self.request.common.stall_report else { return };
        let (activities, now_ns) = (self.activities(), monotonic_ns());
        let wait = longest_wait(&activities, now_ns).filter(|wait| *wait >= limit);
        if let Some(wait) = wait.filter(|_| !self.is_stall_told) {
            let seconds = wait.as_secs();
            let text = report(&activities, now_ns);
            self.relay.say(&format!(
                "mpirun: a rank has waited for {seconds} s (--stall-report); the job goes on:\n\
                 {text}"
            ));
        }
        // Told once for each stall: when it has dissolved, the next one is news.
        self.is_stall_told = wait.is_some();
    }

    fn plan_stall_look(&mut self, now: Instant) {
        let limit = self.request.common.stall_report;
        self.stall_look_at = limit.map(|limit| now + (limit / STALL_LOOKS).min(STALL_LOOK_MAX));
    }

    fn activities(&self) -> Vec<Activity> {
        let activity = |(number, rank): (usize, &RankProcess)| {
            let view = self.segment.rank(number);
            match view.state() {
                _ if rank.exit.is_some() => Activity::Finished,
                RankState::Unborn => Activity::NotInitialized,
                RankState::Finalized => Activity::Finished,
                _ => view.stall().read().map_or(Activity::Computing, Activity::Waiting),
            }
        };
        self.ranks.iter().enumerate().map(activity).collect()
    }

    /// Ends the job with `status`: first asks with `signal`, then kills after `grace`.
    fn end(&mut self, status: i32, signal: Signal, grace: Duration) {
        self.status = status;
        self.phase = Phase::Ending(Instant::now() + grace);
        self.signal_all(signal);
        // A stopped rank could not follow.
        self.signal_all(Signal::SIGCONT);
    }

    fn kill(&mut self) {
        self.phase = Phase::Killed(Instant::now());
        self.lifeline = None;
        self.signal_all(Signal::SIGKILL);
    }

    fn signal_all(&self, signal: Signal) {
        for rank in &self.ranks {
            // Without its group the rank has moved to another one, or has ended, and then the
            // signal does nothing.
            if killpg(rank.pid, signal).is_err() {
                let _ = kill(rank.pid, signal);
            }
        }
    }
}

/// The clock of [`dunlin_shm::stall::Stall::since_ns`].
fn monotonic_ns() -> u64 {
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(0, |t| Duration::from(t).as_nanos() as u64)
}
