//! The agent of a host: starts its ranks, and the agents of other hosts below it, by orders from
//! its standard input, and reports through its standard output. When its channel closes or stays
//! silent, it kills its ranks and exits.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use dunlin_pmi::Pair;
use dunlin_shm::Segment;
use dunlin_shm::job_map::{Job, RankLocation};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl, open};
use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::{dup2_stdin, dup2_stdout, write};

use crate::agent_channel::{AgentChannel, Received};
use crate::child_agent::timeout;
use crate::child_agents::ChildAgents;
use crate::exit_status::STATUS_SIGNAL;
use crate::failure::{Failure, STATUS_LAUNCH};
use crate::frame::greeting;
use crate::message::{AddressList, Begin, Order, Report, Start};
use crate::plan::plan_ranks;
use crate::pmi_sockets::Fence;
use crate::poller::{Poller, Token};
use crate::preface;
use crate::ranks::Ranks;
use crate::signals::{ENDING, Signals};
use crate::sink::{QUEUE_BYTES_HIGH, QUEUE_BYTES_LOW};
use crate::start::{Launchable, RankInput, Variables, pipe, start};
use dunlin_machine::{Machine, recognise};

/// The channel upwards, among the poller's names: no agent has so many below it.
const UP: usize = u32::MAX as usize;
/// First pause between two checks for the ranks' addresses; doubled up to the longest.
const GATHER_PAUSE: Duration = Duration::from_millis(1);
/// Long, because ranks that have not published soon compute first, or are not MPI programs.
const GATHER_PAUSE_MAX: Duration = Duration::from_millis(50);
/// How long killed ranks may take to end.
const KILL_LIMIT: Duration = Duration::from_secs(1);
/// Between two checks whether they have.
const KILL_TURN: Duration = Duration::from_millis(1);

/// The state of an agent.
struct Agent {
    begin: Begin,
    up: AgentChannel,
    children: ChildAgents,
    signals: Signals,
    poller: Poller,
    ranks: Option<Ranks>,
    /// To rank 0, if it is here.
    input: Option<OwnedFd>,
    /// For rank 0, not written yet.
    typed: Vec<u8>,
    /// Streams that the controller does not want, and whether the channel upwards is full.
    is_paused: [bool; 2],
    is_full: bool,
    gather: Gather,
    /// Ranks here and below that wait in the fence of PMI.
    fence: Fence,
    /// What to do next, if not to go on.
    end: Option<End>,
}

/// The collection of addresses of this host and those below.
#[derive(Default)]
struct Gather {
    addresses: AddressList,
    /// Ranks whose addresses are wanted; 0 when there is nothing to collect.
    wanted: usize,
    has_own: bool,
    look_at: Option<Instant>,
    pause: Duration,
}

/// Why an agent exits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It was told to.
    Left,
    /// Its channel is closed or silent.
    Orphaned,
}

/// Runs an agent; returns its exit status.
pub fn run() -> i32 {
    match Agent::new() {
        Ok(agent) => agent.run(),
        Err(failure) => {
            failure.say("");
            failure.status
        }
    }
}

/// Takes the channel away from the standard streams, which children inherit.
fn channel(poller: &Poller) -> nix::Result<AgentChannel> {
    let above = |fd: &dyn std::os::fd::AsFd| -> nix::Result<OwnedFd> {
        // SAFETY: a number the kernel has just made for us.
        fcntl(fd.as_fd(), FcntlArg::F_DUPFD_CLOEXEC(3))
            .map(|fd| unsafe { std::os::fd::FromRawFd::from_raw_fd(fd) })
    };
    let (from, to) = (above(&std::io::stdin())?, above(&std::io::stdout())?);
    let nothing = open("/dev/null", OFlag::O_RDWR | OFlag::O_CLOEXEC, Mode::empty())?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    AgentChannel::new(from, to, UP, None, poller)
}

impl Agent {
    fn new() -> Result<Agent, Failure> {
        let refused = |e| Failure::system("the agent cannot listen", e);
        let poller = Poller::new().map_err(refused)?;
        let signals = Signals::block().map_err(refused)?;
        poller.add(signals.fd(), Token::Signal).map_err(refused)?;
        let mut up = channel(&poller).map_err(refused)?;
        up.send_bytes(&greeting(), Instant::now());
        Ok(Agent {
            begin: Begin::default(),
            up,
            children: ChildAgents::none(),
            signals,
            poller,
            ranks: None,
            input: None,
            typed: Vec::new(),
            is_paused: [false; 2],
            is_full: false,
            gather: Gather::default(),
            fence: Fence::default(),
            end: None,
        })
    }

    fn run(mut self) -> i32 {
        loop {
            let now = Instant::now();
            self.on_time(now);
            self.up.flush(&self.poller);
            self.children.flush(&self.poller);
            self.pause_if_full(now);
            if let Some(end) = self.end {
                return self.leave(end);
            }
            let timeout = self.next_time().map(|at| at.saturating_duration_since(now));
            let ready = self.poller.wait(timeout);
            let now = Instant::now();
            for token in ready {
                self.on_ready(token, now);
            }
        }
    }

    fn next_time(&self) -> Option<Instant> {
        let ranks = self.ranks.as_ref().and_then(Ranks::next_time);
        let children = self.children.next_time();
        let times = [self.up.next_time(), children, ranks, self.gather.look_at];
        times.into_iter().flatten().min()
    }

    fn on_time(&mut self, now: Instant) {
        self.children.on_time(&self.poller, now).into_iter().for_each(|r| self.pass_on(r, now));
        self.look_for_addresses(now);
        if let Some(ranks) = &mut self.ranks {
            ranks.on_time(now);
            let reports = ranks.take_reports();
            reports.into_iter().for_each(|report| self.report(report, now));
        }
        self.up.send_heartbeat(&Report::Heartbeat, now);
        if self.up.is_dead(now) {
            self.end = Some(End::Orphaned);
        }
    }

    fn on_ready(&mut self, token: Token, now: Instant) {
        match token {
            Token::Signal => self.on_signals(now),
            Token::AgentChannel(UP) => self.on_up(now),
            Token::AgentChannel(number) => {
                let reports = self.children.on_readable(number, &self.poller, now);
                reports.into_iter().for_each(|report| self.pass_on(report, now));
            }
            Token::Complaint(number) => self.children.on_complaint(number, &self.poller),
            Token::RankInput => self.write_input(now),
            Token::Trouble => {
                if let Some(ranks) = &mut self.ranks {
                    ranks.on_trouble(&self.poller);
                }
            }
            Token::Stream(number) => {
                if let Some(ranks) = &mut self.ranks {
                    ranks.on_stream(number, &self.poller, now);
                }
            }
            Token::Pmi(local_rank) => {
                if let Some(ranks) = &mut self.ranks {
                    ranks.on_pmi(local_rank, &self.poller, now);
                }
            }
            // The next turn of the loop writes.
            _ => {}
        }
    }

    fn on_signals(&mut self, now: Instant) {
        while let Some(signal) = self.signals.next() {
            if signal == Signal::SIGCHLD {
                self.children.on_exits();
                if let Some(ranks) = &mut self.ranks {
                    ranks.on_exits(&self.poller, now);
                }
            } else if ENDING.contains(&signal) {
                let text = format!("the agent received {}", signal.as_str());
                self.trouble(&text, STATUS_SIGNAL + signal as i32, now);
            }
        }
    }

    fn report(&mut self, report: Report, now: Instant) {
        let report = match report {
            Report::Trouble(text, status) => {
                let name = &self.begin.name;
                Report::Trouble(format!("host {name}: {text}"), status)
            }
            Report::Fence(ranks, pairs) => return self.on_fence(ranks, pairs, now),
            report => report,
        };
        self.up.send(&report, now);
    }

    fn trouble(&mut self, text: &str, status: i32, now: Instant) {
        self.report(Report::Trouble(text.into(), status), now);
    }

    /// From an agent below.
    fn pass_on(&mut self, report: Report, now: Instant) {
        match report {
            Report::Addresses(addresses) => {
                self.gather.addresses.extend(addresses);
                self.hand_up_addresses(now);
            }
            Report::Fence(ranks, pairs) => self.on_fence(ranks, pairs, now),
            report => self.up.send(&report, now),
        }
    }

    /// What all ranks of this agent and those below have put, in one message, so that the
    /// controller gets few.
    fn on_fence(&mut self, ranks: u32, pairs: Vec<Pair>, now: Instant) {
        let wanted = self.gather.wanted;
        if let Some(all) = self.fence.on_reached(ranks, pairs, wanted) {
            self.up.send(&Report::Fence(wanted as u32, all), now);
        }
    }

    fn on_up(&mut self, now: Instant) {
        let heard = self.up.read(now);
        loop {
            match self.up.frame_reader.next::<Order>() {
                Ok(Some(order)) => self.execute(order, now),
                Ok(None) => break,
                Err(_) => {
                    self.end = Some(End::Orphaned);
                    return;
                }
            }
        }
        if heard == Received::Closed && self.end.is_none() {
            self.end = Some(End::Orphaned);
        }
    }

    fn execute(&mut self, order: Order, now: Instant) {
        match order {
            Order::Begin(begin) => self.begin(begin, now),
            Order::Start(start) => {
                let order = Order::Start(start);
                self.children.tell_all(&order, now);
                let Order::Start(start) = order else { unreachable!() };
                self.start(*start, now);
            }
            Order::Input(bytes) => self.on_input(bytes, now),
            Order::Pause(is_paused) => {
                self.is_paused = is_paused;
                self.pause(now);
            }
            Order::Leave => self.end = Some(End::Left),
            Order::Heartbeat => {}
            order => {
                if order == Order::Signal(Signal::SIGTSTP as i32) {
                    self.up.excuse();
                }
                self.children.tell_all(&order, now);
                self.execute_here(&order, now);
            }
        }
    }

    fn execute_here(&mut self, order: &Order, now: Instant) {
        match (&mut self.ranks, order) {
            (Some(ranks), order) => ranks.execute(order, &self.poller, now),
            (None, Order::Look(number)) => {
                self.up.send(&Report::Activities(*number, Vec::new(), Vec::new()), now);
            }
            _ => {}
        }
    }

    fn begin(&mut self, begin: Begin, now: Instant) {
        self.up.expect(timeout(&begin.remote), now);
        let this = Machine::host_name();
        match ChildAgents::start(&begin.remote, &begin.below, &this, &self.poller) {
            Ok(children) => self.children = children,
            Err(failure) => self.trouble(&failure.text, failure.status, now),
        }
        self.begin = begin;
        let model = recognise().map(str::to_string);
        let ready = Report::Ready(self.begin.node, Machine::identity(), model);
        self.up.send(&ready, now);
    }

    fn start(&mut self, start: Start, now: Instant) {
        let below = self.begin.below.iter().map(|(node, _)| *node);
        let mine: BTreeSet<u32> = below.chain([self.begin.node]).collect();
        self.gather.wanted = start.ranks.iter().filter(|(node, _)| mine.contains(node)).count();
        (self.gather.pause, self.gather.look_at) = (GATHER_PAUSE, Some(now + GATHER_PAUSE));
        if let Err(failure) = self.start_ranks(start, now) {
            self.trouble(&failure.text, failure.status, now);
            self.up.send(&Report::Over(self.begin.node), now);
        }
    }

    fn start_ranks(&mut self, order: Start, now: Instant) -> Result<(), Failure> {
        let Start { request, directory, .. } = &order;
        std::env::set_current_dir(directory).map_err(|e| {
            let directory = directory.display();
            Failure::system(&format!("cannot enter `{directory}` (-wdir names another)"), e)
        })?;
        let mine = order.ranks.iter().enumerate().filter(|(_, rank)| rank.0 == self.begin.node);
        let mine: Vec<(usize, usize)> = mine.map(|(rank, at)| (rank, at.1 as usize)).collect();
        let machine = Machine { host: self.begin.name.clone(), ..Machine::this() };
        let sharers = order.sharers.get(self.begin.node as usize).copied().unwrap_or(0);
        let plan = plan_ranks(request, &machine, &mine, sharers as usize);
        let env = plan.environment(with_own(&order.env));
        let prepare = |(number, part)| {
            let is_here = mine.iter().any(|(_, of)| *of == number);
            is_here.then(|| Launchable::prepare(request, part, number, &env)).transpose()
        };
        let parts = request.parts.iter().enumerate().map(prepare);
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let segment = Segment::create(&job(&order, self.begin.node), plan.cores)
            .map_err(|e| Failure::system("cannot make the ranks' shared memory", e))?;
        let input = self.make_input(mine.first().is_some_and(|(rank, _)| *rank == 0))?;
        let started = start(&plan, &parts, &segment, input, &self.signals.original)?;
        self.up.send(&Report::Preface(preface(request, &plan, &started)), now);
        let (is_live, request) = (order.is_live, Rc::new(order.request));
        self.ranks = Some(Ranks::new(plan, request, segment, started, is_live, &self.poller)?);
        self.pause(now);
        Ok(())
    }

    fn make_input(&mut self, has_first: bool) -> Result<RankInput, Failure> {
        let (for_rank, to_rank) = pipe()?;
        if has_first {
            fcntl(&to_rank, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))
                .map_err(|e| Failure::system("cannot prepare standard input", e))?;
            self.input = Some(to_rank);
        }
        Ok(RankInput::Pipe(for_rank))
    }

    /// Input for rank 0, which is on the first host: its agent is one of the controller's own.
    fn on_input(&mut self, bytes: Vec<u8>, now: Instant) {
        if bytes.is_empty() {
            self.close_input();
        } else {
            self.typed = bytes;
            self.write_input(now);
        }
    }

    fn write_input(&mut self, now: Instant) {
        let Some(input) = &self.input else { return };
        self.poller.remove(input);
        match write(input, &self.typed) {
            Ok(count) => drop(self.typed.drain(..count)),
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            // The rank has closed its input.
            Err(_) => {
                self.close_input();
                return self.up.send(&Report::InputClosed, now);
            }
        }
        if self.typed.is_empty() {
            self.up.send(&Report::InputTaken, now);
        } else if let Some(input) = &self.input {
            self.poller.watch_writing(input, Token::RankInput, true);
        }
    }

    fn close_input(&mut self) {
        if let Some(input) = self.input.take() {
            self.poller.remove(&input);
        }
        self.typed.clear();
    }

    /// Reads the ranks only while there is room above.
    fn pause_if_full(&mut self, now: Instant) {
        let limit = if self.is_full { QUEUE_BYTES_LOW } else { QUEUE_BYTES_HIGH };
        let is_full = self.up.waiting() > limit;
        if is_full != self.is_full {
            self.is_full = is_full;
            self.pause(now);
        }
    }

    fn pause(&mut self, now: Instant) {
        let is_paused = self.is_paused.map(|paused| paused || self.is_full);
        self.children.tell_all(&Order::Pause(is_paused), now);
        if let Some(ranks) = &mut self.ranks {
            ranks.execute(&Order::Pause(is_paused), &self.poller, now);
        }
    }

    fn look_for_addresses(&mut self, now: Instant) {
        if self.gather.look_at.is_none_or(|at| at > now) {
            return;
        }
        let Some(ranks) = &self.ranks else { return self.gather.look_at = None };
        let job_map = ranks.segment().job_map();
        if job_map.published() < job_map.locals().len() {
            self.gather.look_at = Some(now + self.gather.pause);
            self.gather.pause = (self.gather.pause * 2).min(GATHER_PAUSE_MAX);
            return;
        }
        let own = job_map.locals().iter().map(|&rank| (rank, job_map.address(rank as usize)));
        let own: Vec<_> = own.filter_map(|(rank, address)| Some((rank, address?))).collect();
        self.gather.addresses.extend(own);
        (self.gather.look_at, self.gather.has_own) = (None, true);
        self.hand_up_addresses(now);
    }

    /// All addresses of this agent and those below in one message, so that the controller gets few.
    fn hand_up_addresses(&mut self, now: Instant) {
        if self.gather.has_own && self.gather.addresses.len() == self.gather.wanted {
            let addresses = std::mem::take(&mut self.gather.addresses);
            self.up.send(&Report::Addresses(addresses), now);
        }
    }

    /// Leaves nothing behind.
    fn leave(mut self, end: End) -> i32 {
        let begun = Instant::now();
        if let Some(ranks) = &mut self.ranks {
            ranks.kill(begun);
        }
        self.children.leave(&self.poller);
        if let Some(ranks) = &mut self.ranks {
            while !ranks.have_ended(&self.poller) && begun.elapsed() < KILL_LIMIT {
                std::thread::sleep(KILL_TURN);
            }
            ranks.reap();
        }
        match end {
            End::Left => 0,
            End::Orphaned => STATUS_LAUNCH,
        }
    }
}

/// The content of a node's job map.
fn job(order: &Start, node: u32) -> Job {
    let mut next = vec![0; order.hosts.len()];
    let mut local_rank = |node: u32| {
        let local = next.get(node as usize).copied().unwrap_or(0);
        next.get_mut(node as usize).into_iter().for_each(|next| *next += 1);
        RankLocation { node, local }
    };
    let locations = order.ranks.iter().map(|(node, _)| local_rank(*node)).collect();
    let machine = order.machine.clone().unwrap_or_default();
    Job { key: order.key, node, hosts: order.hosts.clone(), machine, locations }
}

/// This host's variables, replaced by those that were sent.
fn with_own(sent: &Variables) -> Vec<(OsString, OsString)> {
    let is_sent = |name: &OsString| sent.iter().any(|(other, _)| other == name);
    let own = std::env::vars_os().filter(|(name, _)| !is_sent(name));
    own.chain(sent.iter().cloned()).collect()
}
