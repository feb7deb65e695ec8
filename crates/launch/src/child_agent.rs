//! The channel to one agent below, and the command that started it.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, read};

use crate::agent_channel::{AgentChannel, Received};
use crate::failure::Failure;
use crate::frame::{Garbled, version};
use crate::message::{Begin, Order, Remote, Report};
use crate::poller::{Poller, Token};

/// The hidden option that makes this program an agent.
pub const AGENT: &str = "--agent";
/// How long an agent has for its first message, in timeouts: a login on a busy host takes seconds.
const START_TIMEOUTS: u32 = 3;
/// The same without a timeout.
const START_LIMIT_MAX: Duration = Duration::from_secs(60);
/// Between the end of the channel and that of the command behind it, whose exit status and error
/// output say why.
const EXIT_LIMIT: Duration = Duration::from_millis(500);
/// How long an agent that was given up has to kill its ranks and exit, before the command is
/// killed.
const GO_LIMIT: Duration = Duration::from_secs(1);
/// Variables by which srun finds its job and its Slurm.
const SRUN_KEEPS: [&str; 8] = [
    "SLURM_JOB_ID",
    "SLURM_JOBID",
    "SLURM_CONF",
    "SLURM_CONF_SERVER",
    "SLURM_CLUSTERS",
    "SLURM_CLUSTER_NAME",
    "SLURM_WORKING_CLUSTER",
    "SLURM_JWT",
];
/// How much of a command's error output is kept.
const COMPLAINT_BYTES_MAX: usize = 2048;
/// How much of the output of something that is not an agent is shown.
const SHOWN_LETTERS_MAX: usize = 80;

/// The state of the connection to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has not sent its first message yet, for which it has until then.
    Greeting(Instant),
    /// It is connected.
    Open,
    /// Its channel is closed since then.
    Closed(Instant),
    /// It was given up, and is killed then if it does not exit by itself.
    Ending(Instant),
    /// Nothing more is expected of it.
    Gone,
}

/// An agent below, with all those it started in turn.
pub struct ChildAgent {
    begin: Begin,
    command: String,
    child: Child,
    exit: Option<ExitStatus>,
    channel: AgentChannel,
    complaints: Option<OwnedFd>,
    complaint: Vec<u8>,
    state: State,
    /// It was told to leave: its end is expected.
    leaves: bool,
}

impl ChildAgent {
    /// Starts the agent of a host; `is_here` if that is this machine, which needs no bootstrap
    /// command.
    pub fn start(
        begin: Begin,
        is_here: bool,
        number: usize,
        poller: &Poller,
    ) -> Result<ChildAgent, Failure> {
        let words = words(&begin, is_here);
        let command = words[0].to_string_lossy().into_owned();
        let refused = |e: &dyn std::fmt::Display| {
            let host = &begin.name;
            Failure::system(&format!("host {host} cannot be reached: `{command}` cannot be run"), e)
        };
        let mut child = spawn(&words).map_err(|e| refused(&e))?;
        let timeout = timeout(&begin.remote);
        let (Some(to), Some(from), Some(err)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(refused(&"it has no pipes"));
        };
        let channel = AgentChannel::new(from.into(), to.into(), number, timeout, poller);
        let complaints = OwnedFd::from(err);
        fcntl(&complaints, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(|e| refused(&e))?;
        poller.add(&complaints, Token::Complaint(number)).map_err(|e| refused(&e))?;
        Ok(ChildAgent {
            channel: channel.map_err(|e| refused(&e))?,
            command,
            child,
            exit: None,
            complaints: Some(complaints),
            complaint: Vec::new(),
            state: State::Greeting(Instant::now() + start_limit(&begin.remote)),
            leaves: false,
            begin,
        })
    }

    /// Whether this agent or one below it is that of `node`.
    pub fn reaches(&self, node: u32) -> bool {
        self.begin.node == node || self.begin.below.iter().any(|(below, _)| *below == node)
    }

    /// Whether the agent has not sent anything yet: nothing has been started there.
    pub fn is_new(&self) -> bool {
        matches!(self.state, State::Greeting(_))
    }

    /// Whether nothing more is expected of this agent.
    pub fn is_gone(&self) -> bool {
        self.state == State::Gone
    }

    /// Sends an order to the agent.
    pub fn send(&mut self, order: &Order, now: Instant) {
        if self.state == State::Open {
            self.leaves |= *order == Order::Leave;
            self.channel.send(order, now);
        }
    }

    /// Writes what the channel takes.
    pub fn flush(&mut self, poller: &Poller) {
        self.channel.flush(poller);
    }

    /// The channel can be read.
    pub fn on_readable(&mut self, poller: &Poller, now: Instant) -> Vec<Report> {
        let heard = self.channel.read(now);
        let mut reports = Vec::new();
        let garbled = self.take_words(&mut reports, now);
        if let Err(garbled) = garbled {
            reports.extend(self.lose(&self.what_is_garbled(&garbled), poller));
        } else if heard == Received::Closed && self.is_listened_to() {
            self.channel.deafen(poller);
            self.state = State::Closed(now);
            reports.extend(self.on_time(poller, now));
        }
        reports
    }

    fn is_listened_to(&self) -> bool {
        matches!(self.state, State::Greeting(_) | State::Open)
    }

    fn take_words(&mut self, reports: &mut Vec<Report>, now: Instant) -> Result<(), Garbled> {
        if matches!(self.state, State::Greeting(_)) && self.channel.frame_reader.greeting()? {
            self.state = State::Open;
            self.channel.expect(timeout(&self.begin.remote), now);
            self.send(&Order::Begin(self.begin.clone()), now);
        }
        while self.state == State::Open {
            match self.channel.frame_reader.next::<Report>()? {
                Some(Report::Heartbeat) => {}
                Some(report) => reports.push(report),
                None => break,
            }
        }
        Ok(())
    }

    /// The command has written to standard error.
    pub fn on_complaint(&mut self, poller: &Poller) {
        let mut buffer = [0; COMPLAINT_BYTES_MAX];
        let Some(complaints) = &self.complaints else { return };
        match read(complaints, &mut buffer) {
            Ok(count) if count > 0 => {
                self.complaint.extend_from_slice(&buffer[..count]);
                let excess = self.complaint.len().saturating_sub(COMPLAINT_BYTES_MAX);
                self.complaint.drain(..excess);
            }
            Err(nix::errno::Errno::EINTR | nix::errno::Errno::EAGAIN) => {}
            _ => {
                poller.remove(complaints);
                self.complaints = None;
            }
        }
    }

    /// The command may have ended.
    pub fn on_exits(&mut self) {
        self.exit = self.exit.or_else(|| self.child.try_wait().ok().flatten());
    }

    /// Handles timeouts.
    pub fn on_time(&mut self, poller: &Poller, now: Instant) -> Option<Report> {
        if self.state == State::Open {
            self.channel.send_heartbeat(&Order::Heartbeat, now);
        }
        match self.state {
            State::Closed(since) => {
                self.on_exits();
                (self.exit.is_some() || since + EXIT_LIMIT <= now)
                    .then(|| self.lose(&self.what_ended(), poller))?
            }
            State::Greeting(until) if until <= now => {
                let limit = start_limit(&self.begin.remote).as_secs_f64();
                self.lose(&format!("did not answer within {limit} s"), poller)
            }
            State::Ending(until) => {
                self.on_exits();
                if self.exit.is_some() || until <= now {
                    self.end(poller);
                }
                None
            }
            State::Open if self.channel.is_dead(now) => {
                let timeout = timeout(&self.begin.remote).unwrap_or_default().as_secs_f64();
                let text = format!(
                    "has said nothing for {timeout} s: it hangs, or the network to it is gone"
                );
                self.lose(&text, poller)
            }
            _ => None,
        }
    }

    /// When [`on_time`](Self::on_time) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        match self.state {
            State::Greeting(until) => Some(until),
            State::Open => self.channel.next_time(),
            State::Closed(since) => Some(since + EXIT_LIMIT),
            State::Ending(until) => Some(until),
            State::Gone => None,
        }
    }

    /// Gives the agent up; reports that unless it was expected.
    fn lose(&mut self, what: &str, poller: &Poller) -> Option<Report> {
        // Its last messages may not have been read yet.
        self.on_complaint(poller);
        let text = self.sentence(what);
        self.channel.close(poller);
        self.channel.deafen(poller);
        self.state = State::Ending(Instant::now() + GO_LIMIT);
        let below = self.begin.below.iter().map(|(node, _)| *node);
        let nodes = std::iter::once(self.begin.node).chain(below).collect();
        (!self.leaves).then_some(Report::Lost(nodes, text))
    }

    fn sentence(&self, what: &str) -> String {
        let mut text = format!("host {} {what}", self.begin.name);
        let complaint = String::from_utf8_lossy(&self.complaint);
        let lines: Vec<&str> = complaint.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        if !lines.is_empty() {
            text.push_str(&format!(": {}", lines.join("; ")));
        }
        let below: Vec<&str> = self.begin.below.iter().map(|(_, name)| name.as_str()).collect();
        if !below.is_empty() {
            text.push_str(&format!(" (reached through it: {})", below.join(", ")));
        }
        text
    }

    fn what_ended(&self) -> String {
        let how = match self.exit {
            Some(status) => match status.signal() {
                Some(signal) => format!("`{}` was killed by signal {signal}", self.command),
                None => {
                    let code = status.code().unwrap_or_default();
                    format!("`{}` exited with status {code}", self.command)
                }
            },
            None => format!("`{}` closed the channel", self.command),
        };
        match self.channel.has_greeted() {
            true => format!("is lost, {how}"),
            false => format!("cannot be reached, {how}{}", self.said()),
        }
    }

    /// What came instead of an agent's first message.
    fn said(&self) -> String {
        let said = String::from_utf8_lossy(self.channel.frame_reader.rest());
        let said: String = said.trim().chars().take(SHOWN_LETTERS_MAX).collect();
        if said.is_empty() { said } else { format!(" (it said `{said}`)") }
    }

    fn what_is_garbled(&self, garbled: &Garbled) -> String {
        match garbled {
            Garbled::Version(theirs) => format!(
                "has another Dunlin: {theirs} there, {} here; all hosts need the same",
                version()
            ),
            Garbled::NoAgent => {
                format!("answers with something that is no agent of Dunlin{}", self.said())
            }
            Garbled::Frame => "says something that no agent says; is its login noisy?".into(),
        }
    }

    /// Ends the command as well.
    pub fn end(&mut self, poller: &Poller) {
        self.channel.close(poller);
        self.channel.deafen(poller);
        self.on_exits();
        if self.exit.is_none() {
            let pid = Pid::from_raw(self.child.id() as i32);
            // It has a process group of its own; if it has just ended, the group is still our
            // child's.
            let _ = killpg(pid, Signal::SIGKILL);
            self.exit = self.child.wait().ok();
        }
        self.state = State::Gone;
    }
}

/// How long an agent may be silent.
pub fn timeout(remote: &Remote) -> Option<Duration> {
    Some(Duration::from_millis(remote.timeout_ms.into())).filter(|timeout| !timeout.is_zero())
}

fn start_limit(remote: &Remote) -> Duration {
    timeout(remote).map_or(START_LIMIT_MAX, |timeout| timeout * START_TIMEOUTS)
}

/// The command line that starts the agent of a host.
fn words(begin: &Begin, is_here: bool) -> Vec<OsString> {
    let program = begin.remote.program.clone().into_os_string();
    if is_here {
        return vec![program, AGENT.into()];
    }
    let mut words = begin.remote.rsh.clone();
    let is_ssh = words.first().is_some_and(|word| is_called(word, &["ssh", "rsh"]));
    words.push(begin.name.clone().into());
    // These pass the words to a remote shell, joined with blanks.
    words.push(if is_ssh { quoted(&program) } else { program });
    words.push(AGENT.into());
    words
}

/// Whether a command has one of these names, in whatever directory.
pub fn is_called(command: &OsStr, names: &[&str]) -> bool {
    Path::new(command).file_name().is_some_and(|name| names.iter().any(|known| name == *known))
}

fn is_of_slurm(name: &OsStr) -> bool {
    let name = name.as_bytes();
    name.starts_with(b"SLURM_") || name.starts_with(b"SRUN_")
}

/// As one word of a shell.
fn quoted(word: &OsString) -> OsString {
    let text = word.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    match text.chars().all(is_plain) {
        true => word.clone(),
        false => format!("'{}'", text.replace('\'', "'\\''")).into(),
    }
}

fn spawn(words: &[OsString]) -> std::io::Result<Child> {
    let mut command = Command::new(&words[0]);
    if is_called(&words[0], &["srun"]) {
        // The variables of the surrounding job would change the step of an agent: its tasks, its
        // memory.
        let shapes = |name: &OsString| is_of_slurm(name) && !SRUN_KEEPS.iter().any(|k| name == k);
        let names = std::env::vars_os().map(|(name, _)| name);
        for name in names.filter(shapes) {
            command.env_remove(name);
        }
    }
    command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own: it gets the terminal's signals from us, in order.
    command.process_group(0);
    // SAFETY: between fork and exec, one system call that touches no memory.
    unsafe { command.pre_exec(|| Ok(set_pdeathsig(Signal::SIGTERM)?)) };
    command.spawn()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rsh: &[&str], program: &str, is_here: bool) -> String {
        let rsh = rsh.iter().map(OsString::from).collect();
        let remote = Remote { rsh, program: program.into(), ..Remote::default() };
        let begin = Begin { name: "b".into(), remote, ..Begin::default() };
        let words = words(&begin, is_here);
        words.iter().map(|w| w.to_string_lossy()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn the_command_names_the_host_and_then_the_agent() {
        assert_eq!(shown(&["ssh", "-x"], "/opt/mpirun", false), "ssh|-x|b|/opt/mpirun|--agent");
        assert_eq!(shown(&["ssh"], "/opt/mpirun", true), "/opt/mpirun|--agent");
    }

    #[test]
    fn only_what_is_a_shell_over_there_gets_words_for_a_shell() {
        assert_eq!(
            shown(&["/usr/bin/ssh"], "/a b'c", false),
            "/usr/bin/ssh|b|'/a b'\\''c'|--agent"
        );
        assert_eq!(shown(&["enter"], "/a b", false), "enter|b|/a b|--agent");
    }
}
