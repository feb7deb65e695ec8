//! Starts the ranks of a plan. All children are forked one after the other without waiting for
//! their `exec`, so that they get ready in parallel; those whose `exec` fails say so through one
//! pipe they share.

use std::ffi::{CStr, CString, OsStr, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use dunlin_base::settings::{JOB_APPNUM, JOB_FD, JOB_LAUNCHER, JOB_LIFELINE, JOB_PMI, JOB_RANK};
use dunlin_machine::Cpus;
use dunlin_pmi::TOLD_BY_PMI;
use dunlin_shm::Segment;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl, open};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, signal, sigprocmask};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
use nix::sys::stat::Mode;
use nix::unistd::{
    ForkResult, Pid, chdir, dup2_stderr, dup2_stdin, dup2_stdout, execve, fork, getpid, getppid,
    pipe2, setpgid, write,
};

use crate::abi::{self, Choice, Service};
use crate::failure::{Failure, STATUS_NOT_FOUND, STATUS_NOT_RUNNABLE};
use crate::options::{Part, Request};
use crate::plan::Plan;
use crate::program;

/// Variables that tell a rank its place on this machine, under the names other launchers use.
const LOCAL_RANK: &str = "MPI_LOCALRANKID";
const LOCAL_RANKS: &str = "MPI_LOCALNRANKS";
/// The variables every rank is given by the launcher alone.
const OWN: [&str; 6] =
    [JOB_FD.name, JOB_LIFELINE.name, JOB_LAUNCHER.name, JOB_RANK.name, LOCAL_RANK, LOCAL_RANKS];
/// Variables, and beginnings of some, by which other launchers tell their ranks where they are.
/// Within such a rank they would lead ours astray.
const OTHERS: [&str; 8] = [
    "PMI_PORT",
    "PMI_ID",
    "PMI_JOBID",
    "PMI_SPAWNED",
    "PMIX_NAMESPACE",
    "PMIX_RANK",
    "PMIX_SERVER_",
    "OMPI_COMM_WORLD_",
];
/// Exit status of a child that could not become its rank; its message says more.
const STATUS_NOT_STARTED: i32 = 127;
/// Descriptors the launcher holds for each rank: two streams, and a socket for PMI.
const DESCRIPTORS_PER_RANK: u64 = 3;
/// Descriptors it holds besides.
const DESCRIPTORS_SPARE: u64 = 64;

/// Ranks find the launcher's descriptors from here on, if so many may be open: scripts count on 3
/// to 9, and shells keep their own from 10 on.
const DESCRIPTORS_FROM: RawFd = 100;

/// A started rank.
#[derive(Debug)]
pub struct Process {
    /// Its process, which leads a process group of its own.
    pub pid: Pid,
    /// What it writes to standard output.
    pub stdout: OwnedFd,
    /// What it writes to standard error.
    pub stderr: OwnedFd,
    /// By which it may speak PMI, if it may; taken by who listens.
    pub pmi: Option<OwnedFd>,
}

/// A started job.
#[derive(Debug)]
pub struct Started {
    /// In the order of the ranks.
    pub processes: Vec<Process>,
    /// Where children report an `exec` that failed; closed by those that succeed.
    pub troubles: OwnedFd,
    /// Held for as long as the launcher lives; ranks notice when it closes.
    pub lifeline: OwnedFd,
}

/// What a rank reads as its standard input.
pub enum RankInput {
    /// The launcher's own, as it is.
    Inherited,
    /// A pipe the launcher fills.
    Pipe(OwnedFd),
}

/// A part of the request in the form `exec` wants.
pub struct Launchable {
    path: CString,
    argv: Vec<CString>,
    env: Vec<CString>,
    wdir: Option<CString>,
    /// What the program is given so that it uses Dunlin.
    service: Service,
}

impl Launchable {
    /// Finds the program of a part and sets its variables in place of those of `env`.
    pub fn prepare(
        request: &Request,
        part: &Part,
        number: usize,
        env: &Variables,
    ) -> Result<Launchable, Failure> {
        let wdir = part.wdir.as_deref();
        if let Some(missing) = wdir.filter(|directory| !directory.is_dir()) {
            let missing = missing.display();
            return Err(Failure::usage(format!("--wdir is `{missing}`, which is not a directory")));
        }
        let search = env.iter().find(|(name, _)| name == "PATH");
        let search = search.map(|(_, value)| value.clone()).unwrap_or_default();
        let path = program::find(&part.program, &search, wdir)?;
        let argv = std::iter::once(&part.program).chain(&part.args);
        let mut set = request.common.env.clone();
        set.extend(part.env.iter().cloned());
        set.push((JOB_APPNUM.name.into(), number.to_string().into()));
        // A job within a job: the outer one's variables must not stand beside ours.
        set.retain(|(name, _)| !is_own(name) && !is_others(name));
        let all = !(request.common.only_named || part.only_named);
        let is_passed = |name| all || part.pass.contains(name);
        let inherited = env.iter().filter(|(name, _)| !is_own(name) && !is_others(name));
        let inherited = inherited.filter(|(name, _)| is_passed(name)).cloned();
        let mut env = environment(inherited, &set);
        let variable = |name: &str| abi::value(&env, name);
        let choice = request.common.abi.unwrap_or(Choice::Auto);
        let service = match abi::lib() {
            Some(lib) => abi::choose(choice, &lib, &path, variable)?,
            None => Service::Nothing,
        };
        service.apply(&mut env);
        let assignment = |(name, value): &(OsString, OsString)| assignment(name, value);
        Ok(Launchable {
            path: c_string(path.as_os_str())?,
            argv: argv.map(|arg| c_string(arg)).collect::<Result<_, _>>()?,
            env: env.iter().map(assignment).collect::<Result<_, _>>()?,
            wdir: wdir.map(|directory| c_string(directory.as_os_str())).transpose()?,
            service,
        })
    }

    fn may_speak_pmi(&self) -> Result<bool, Failure> {
        let program = Path::new(OsStr::from_bytes(self.path.to_bytes()));
        // A script may still start something else.
        if matches!(self.service, Service::Folder { .. }) && abi::is_linked(program) {
            return Ok(false);
        }
        let variable = |name: &str| {
            let value = |v: &CString| -> Option<OsString> {
                let value = v.to_bytes().strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
                Some(OsStr::from_bytes(value).to_owned())
            };
            self.env.iter().find_map(value)
        };
        abi::may_speak_pmi(program, variable)
    }
}

/// Variables of an environment.
pub type Variables = [(OsString, OsString)];

/// Whether the launcher alone sets this variable.
pub fn is_own(name: &OsStr) -> bool {
    OWN.iter().chain(&TOLD_BY_PMI).chain([&JOB_PMI.name]).any(|own| name == *own)
}

/// Whether another launcher tells its ranks by this variable where they are.
fn is_others(name: &OsStr) -> bool {
    OTHERS.iter().any(|other| match other.ends_with('_') {
        true => name.as_bytes().starts_with(other.as_bytes()),
        false => name == *other,
    })
}

/// `inherited` with the variables of `set` in place of those of the same name; the last one wins.
fn environment(
    inherited: impl Iterator<Item = (OsString, OsString)>,
    set: &[(OsString, OsString)],
) -> Vec<(OsString, OsString)> {
    let kept = inherited.filter(|(name, _)| !set.iter().any(|s| s.0 == *name));
    let last_wins = |at: usize| !set[at + 1..].iter().any(|later| later.0 == set[at].0);
    let added = (0..set.len()).filter(|&at| last_wins(at)).map(|at| set[at].clone());
    kept.chain(added).collect()
}

fn assignment(name: &OsStr, value: &OsStr) -> Result<CString, Failure> {
    let mut text = name.to_owned();
    text.push("=");
    text.push(value);
    c_string(&text)
}

fn c_string(text: &OsStr) -> Result<CString, Failure> {
    // Arguments of this process cannot hold a zero byte, so neither can what is made of them.
    CString::new(text.to_owned().into_vec())
        .map_err(|_| Failure::usage(format!("`{}` holds a zero byte", text.to_string_lossy())))
}

/// What all ranks of a job have in common while they are started.
struct Common<'a> {
    plan: &'a Plan,
    parts: &'a [Option<Launchable>],
    segment: BorrowedFd<'a>,
    lifeline: OwnedFd,
    nothing: OwnedFd,
    troubles: OwnedFd,
    signals: &'a SigSet,
    descriptors: Option<(u64, u64)>,
    launcher: Pid,
    /// Ranks of the job, on all hosts.
    world: usize,
    /// For each part, whether its ranks are given a socket for PMI.
    may_speak_pmi: Vec<bool>,
}

/// Starts every rank of a plan, whose parts are ready. If that fails half-way, those already
/// started die with this process.
pub fn start(
    plan: &Plan,
    parts: &[Option<Launchable>],
    segment: &Segment,
    input: RankInput,
    signals: &SigSet,
) -> Result<Started, Failure> {
    let world = segment.job_map().world();
    // A rank that is alone has nobody to ask for.
    let may_speak = |part: &Launchable| if world > 1 { part.may_speak_pmi() } else { Ok(false) };
    let may_speak = |part: &Option<Launchable>| part.as_ref().map_or(Ok(false), may_speak);
    let may_speak_pmi = parts.iter().map(may_speak).collect::<Result<Vec<_>, _>>()?;
    let descriptors = allow_descriptors(plan.ranks.len());
    let (lifeline_read, lifeline) = pipe()?;
    let (troubles, troubles_write) = pipe()?;
    fcntl(&troubles, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))
        .map_err(|e| Failure::system("cannot prepare a pipe", e))?;
    let nothing = open("/dev/null", OFlag::O_RDONLY | OFlag::O_CLOEXEC, Mode::empty())
        .map_err(|e| Failure::system("cannot open /dev/null", e))?;
    let common = Common {
        plan,
        parts,
        segment: segment.fd().as_fd(),
        lifeline: lifeline_read,
        nothing,
        troubles: troubles_write,
        signals,
        descriptors,
        launcher: getpid(),
        world,
        may_speak_pmi,
    };
    let mut processes = Vec::with_capacity(plan.ranks.len());
    for local_rank in 0..plan.ranks.len() {
        processes.push(start_rank(&common, local_rank, &input)?);
    }
    Ok(Started { processes, troubles, lifeline })
}

fn start_rank(
    common: &Common<'_>,
    local_rank: usize,
    input: &RankInput,
) -> Result<Process, Failure> {
    let (stdout, stdout_write) = pipe()?;
    let (stderr, stderr_write) = pipe()?;
    let (ours, theirs) = pmi_sockets(common, local_rank)?.unzip();
    let stdin = match input {
        _ if common.plan.ranks[local_rank].rank > 0 => Some(&common.nothing),
        RankInput::Inherited => None,
        RankInput::Pipe(pipe) => Some(pipe),
    };
    // SAFETY: the launcher has one thread, so the child is a whole copy in which everything may be
    // called; it ends in `exec` or `_exit` and never returns from here.
    match unsafe { fork() }.map_err(|e| Failure::system("cannot start a process", e))? {
        ForkResult::Child => {
            let (stdout, stderr) = (&stdout_write, &stderr_write);
            let streams = Streams { stdin, stdout, stderr, pmi: theirs.as_ref() };
            let (step, errno) = match become_rank(common, local_rank, &streams) {
                Err(trouble) => trouble,
                Ok(never) => match never {},
            };
            // Nobody is left to tell if even this fails; the exit status remains.
            let _ = write(&common.troubles, &Trouble { local_rank, step, errno }.encode());
            // SAFETY: ends this child without running the launcher's exit handlers.
            unsafe { nix::libc::_exit(STATUS_NOT_STARTED) }
        }
        ForkResult::Parent { child } => {
            // The child does the same; whoever comes first, the group is there when it is needed.
            let _ = setpgid(child, child);
            Ok(Process { pid: child, stdout, stderr, pmi: ours })
        }
    }
}

/// A socket for PMI and its other end, for a rank that may use it.
fn pmi_sockets(
    common: &Common<'_>,
    local_rank: usize,
) -> Result<Option<(OwnedFd, OwnedFd)>, Failure> {
    if !common.may_speak_pmi[common.plan.ranks[local_rank].part] {
        return Ok(None);
    }
    // No other child inherits it.
    let flags = SockFlag::SOCK_CLOEXEC;
    socketpair(AddressFamily::Unix, SockType::Stream, None, flags)
        .map(Some)
        .map_err(|e| Failure::system("cannot make a socket (raise `ulimit -n`)", e))
}

struct Streams<'a> {
    stdin: Option<&'a OwnedFd>,
    stdout: &'a OwnedFd,
    stderr: &'a OwnedFd,
    pmi: Option<&'a OwnedFd>,
}

/// What a child was doing when it failed to become its rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChildStep {
    Prepare,
    Bind,
    ChangeDirectory,
    Execute,
}

const CHILD_STEPS: [ChildStep; 4] =
    [ChildStep::Prepare, ChildStep::Bind, ChildStep::ChangeDirectory, ChildStep::Execute];

type Never = std::convert::Infallible;

/// Runs in the child; returns only if it fails.
fn become_rank(
    common: &Common<'_>,
    local_rank: usize,
    streams: &Streams<'_>,
) -> Result<Never, (ChildStep, Errno)> {
    let planned = &common.plan.ranks[local_rank];
    // Those of this plan's ranks were prepared.
    let part = common.parts[planned.part].as_ref().ok_or((ChildStep::Prepare, Errno::EINVAL))?;
    prepare(common, streams).map_err(|e| (ChildStep::Prepare, e))?;
    if let Some(cpus) = &planned.cpus {
        bind(cpus).map_err(|e| (ChildStep::Bind, e))?;
    }
    if let Some(wdir) = &part.wdir {
        chdir(wdir.as_c_str()).map_err(|e| (ChildStep::ChangeDirectory, e))?;
    }
    let pmi = streams.pmi.map(AsFd::as_fd);
    let pass = |fd: BorrowedFd<'_>| pass_on(fd).map_err(|e| (ChildStep::Prepare, e));
    let left = [pass(common.segment)?, pass(common.lifeline.as_fd())?];
    let own = own_variables(common, local_rank, left, pmi.map(pass).transpose()?);
    let env: Vec<&CStr> = part.env.iter().chain(&own).map(CString::as_c_str).collect();
    execve(&part.path, &part.argv, &env).map_err(|e| (ChildStep::Execute, e))
}

fn prepare(common: &Common<'_>, streams: &Streams<'_>) -> nix::Result<()> {
    let this = Pid::from_raw(0);
    setpgid(this, this)?;
    set_pdeathsig(Signal::SIGKILL)?;
    // The launcher may have died before the line above; then nobody would ever end this rank.
    if getppid() != common.launcher {
        return Err(Errno::ESRCH);
    }
    if let Some(stdin) = streams.stdin {
        dup2_stdin(stdin)?;
    }
    dup2_stdout(streams.stdout)?;
    dup2_stderr(streams.stderr)?;
    if let Some((soft, hard)) = common.descriptors {
        setrlimit(Resource::RLIMIT_NOFILE, soft, hard)?;
    }
    // SAFETY: the default disposition runs no code of ours.
    unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) }?;
    sigprocmask(SigmaskHow::SIG_SETMASK, Some(common.signals), None)
}

/// Leaves a descriptor open for the rank, where no script stumbles over it.
fn pass_on(fd: BorrowedFd<'_>) -> nix::Result<RawFd> {
    fcntl(fd, FcntlArg::F_DUPFD(DESCRIPTORS_FROM)).or_else(|_| {
        // Not so many may be open.
        fcntl(fd, FcntlArg::F_SETFD(FdFlag::empty()))?;
        Ok(fd.as_raw_fd())
    })
}

fn bind(cpus: &Cpus) -> nix::Result<()> {
    let mut set = CpuSet::new();
    for &cpu in &cpus.0 {
        set.set(cpu)?;
    }
    sched_setaffinity(Pid::from_raw(0), &set)
}

/// The variables that differ from rank to rank, and the descriptors.
fn own_variables(
    common: &Common<'_>,
    local_rank: usize,
    left: [RawFd; 2],
    pmi: Option<RawFd>,
) -> Vec<CString> {
    let [segment, lifeline] = left.map(|fd| fd as usize);
    let (rank, here) = (common.plan.ranks[local_rank].rank, common.plan.ranks.len());
    let launcher = common.launcher.as_raw() as usize;
    let own = OWN.iter().zip([segment, lifeline, launcher, rank, local_rank, here]);
    let mut set: Vec<_> = own.map(|(name, value)| format!("{name}={value}")).collect();
    if let Some(fd) = pmi {
        let values = [fd as usize, rank, common.world];
        set.extend(TOLD_BY_PMI.iter().zip(values).map(|(name, value)| format!("{name}={value}")));
        set.push(format!("{}={}", JOB_PMI.name, values.map(|value| value.to_string()).join(" ")));
    }
    // Names of ours and digits: no zero byte.
    set.into_iter().map(|text| CString::new(text).unwrap_or_default()).collect()
}

/// Raises the limit of open descriptors to what `ranks` ranks need, if it is lower; answers with
/// the limits before, for the ranks to get back.
fn allow_descriptors(ranks: usize) -> Option<(u64, u64)> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    let needed = DESCRIPTORS_PER_RANK * ranks as u64 + DESCRIPTORS_SPARE;
    // If it is refused, `pipe` will say so.
    (soft < needed && setrlimit(Resource::RLIMIT_NOFILE, needed.min(hard), hard).is_ok())
        .then_some((soft, hard))
}

/// A pipe that no other child inherits.
pub fn pipe() -> Result<(OwnedFd, OwnedFd), Failure> {
    pipe2(OFlag::O_CLOEXEC).map_err(|e| match e {
        Errno::EMFILE | Errno::ENFILE => {
            Failure::system("cannot make a pipe (raise `ulimit -n`: 3 for each rank)", e)
        }
        _ => Failure::system("cannot make a pipe", e),
    })
}

/// The report of a child that could not become its rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trouble {
    /// The rank's place on this host.
    local_rank: usize,
    step: ChildStep,
    errno: Errno,
}

impl Trouble {
    /// Bytes of a report: place, step and errno. Less than `PIPE_BUF`, so reports stay whole.
    pub const BYTES: usize = 12;

    fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&(self.local_rank as u32).to_le_bytes());
        bytes[4..8].copy_from_slice(&(self.step as u32).to_le_bytes());
        bytes[8..].copy_from_slice(&(self.errno as i32).to_le_bytes());
        bytes
    }

    /// Reads a report; `None` if it is none.
    pub fn decode(bytes: &[u8]) -> Option<Trouble> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let step = *CHILD_STEPS.get(word(4)? as usize)?;
        Some(Trouble {
            local_rank: word(0)? as usize,
            step,
            errno: Errno::from_raw(word(8)? as i32),
        })
    }

    /// What it means for the user.
    pub fn explain(&self, plan: &Plan, request: &Request) -> Failure {
        let Trouble { local_rank, step, errno } = *self;
        let (rank, part) =
            (plan.ranks[local_rank].rank, &request.parts[plan.ranks[local_rank].part]);
        let program = part.program.to_string_lossy();
        let why = errno.desc();
        let wdir = part.wdir.as_deref().unwrap_or(Path::new(".")).display();
        let text = match (step, errno) {
            (ChildStep::Execute, Errno::ENOENT) => format!(
                "rank {rank}: `{program}` needs an interpreter or loader that was not found"
            ),
            (ChildStep::Execute, Errno::ENOEXEC) => format!(
                "rank {rank}: `{program}` is not a program for this machine (a script must begin \
                 with `#!`)"
            ),
            (ChildStep::Execute, _) => format!("rank {rank}: `{program}` cannot be run: {why}"),
            (ChildStep::ChangeDirectory, _) => format!("rank {rank}: cannot enter `{wdir}`: {why}"),
            (ChildStep::Bind, _) => format!("rank {rank} cannot be bound to its CPUs: {why}"),
            (ChildStep::Prepare, _) => format!("rank {rank} cannot be prepared: {why}"),
        };
        let not_found = step == ChildStep::Execute && errno == Errno::ENOENT;
        Failure { text, status: if not_found { STATUS_NOT_FOUND } else { STATUS_NOT_RUNNABLE } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        list.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn a_variable_that_is_set_replaces_the_inherited_one() {
        let inherited = pairs(&[("A", "old"), ("B", "kept")]);
        let set = pairs(&[("A", "first"), ("C", "c"), ("A", "last")]);
        let env = environment(inherited.into_iter(), &set);
        assert_eq!(env, pairs(&[("B", "kept"), ("C", "c"), ("A", "last")]));
    }

    #[test]
    fn a_report_survives_the_pipe() {
        for step in CHILD_STEPS {
            let trouble = Trouble { local_rank: 7, step, errno: Errno::EACCES };
            assert_eq!(Trouble::decode(&trouble.encode()), Some(trouble));
        }
        assert_eq!(Trouble::decode(&[9; Trouble::BYTES]), None);
        assert_eq!(Trouble::decode(&[0; 3]), None);
    }
}
