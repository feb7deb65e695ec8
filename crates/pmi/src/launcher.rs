//! Who started this process, as far as its environment tells. A launcher that has started several
//! ranks but cannot be reached must never go unnoticed: each rank would be a job of its own.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::fd::RawFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use dunlin_base::settings::{JOB_PMI, PMI, Scope, Setting, Settings, TABLE};
use dunlin_base::{Error, ErrorClass, Result};

use crate::{Client, Message, Pmi, Pmix, Protocol, version1};

/// What the environment says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launcher {
    /// Nobody: a job of one rank.
    None,
    /// One that speaks PMIx.
    Pmix,
    /// One that uses PMI-1 or PMI-2 over a descriptor that it has passed on.
    Descriptor {
        /// The words.
        protocol: Protocol,
        /// The descriptor.
        fd: RawFd,
        /// This process's rank.
        rank: usize,
        /// Ranks of the job.
        size: usize,
        /// The job's name, if the environment says it.
        job: String,
    },
    /// One that listens for PMI-1 at a port.
    Port {
        /// `host:port`.
        address: String,
        /// What this process calls itself there.
        id: usize,
    },
    /// One that has started several ranks, but offers no way to reach it: the sentence says who,
    /// and what to do.
    Mute(String),
}

/// Which protocol the user wants, by the setting `DUNLIN_PMI`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PmiChoice {
    /// The best that is available.
    Auto,
    /// PMIx alone.
    Pmix,
    /// PMI-1 or PMI-2 alone.
    Text(Protocol),
    /// None: each process is a job of its own.
    None,
}

impl PmiChoice {
    const WORDS: [(&str, PmiChoice); 5] = [
        ("auto", PmiChoice::Auto),
        ("pmix", PmiChoice::Pmix),
        ("pmi2", PmiChoice::Text(Protocol::Two)),
        ("pmi1", PmiChoice::Text(Protocol::One)),
        ("none", PmiChoice::None),
    ];

    /// As the setting says.
    pub fn of(settings: &Settings) -> PmiChoice {
        settings.choice(&PMI, &PmiChoice::WORDS)
    }
}

/// The variables by which a rank that may have a library of PMI is told its socket and its place.
pub const TOLD_BY_PMI: [&str; 3] = ["PMI_FD", "PMI_RANK", "PMI_SIZE"];

/// A process's variables, without those by which `mpirun` says who a rank is, if another launcher
/// has started the process within such a rank: `mpirun` removes the variables of other launchers,
/// so that those which are there have come since.
pub fn of_innermost(
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = (OsString, OsString)> {
    let all: Vec<_> = variables.collect();
    let value = |name: &str| {
        let found = all.iter().find(|(other, _)| other == OsStr::new(name));
        found.map(|(_, value)| value)
    };
    let have = |names: [&str; 2]| names.iter().all(|name| value(name).is_some());
    let told = TOLD_BY_PMI.map(|name| value(name).cloned().unwrap_or_default());
    let has_our_socket = value(JOB_PMI.name) == Some(&told.join(OsStr::new(" ")));
    let is_of_another = have(["PMIX_NAMESPACE", "PMIX_RANK"])
        || have(["PMI_PORT", "PMI_ID"])
        || value("PMI_FD").is_some() && !has_our_socket;
    let is_ours = move |name: &OsStr| {
        let is_identity = |s: &&Setting| s.scope == Scope::Identity && name == s.name;
        TABLE.iter().any(is_identity)
            || has_our_socket && TOLD_BY_PMI.iter().any(|other| name == *other)
    };
    all.into_iter().filter(move |(name, _)| !(is_of_another && is_ours(name)))
}

impl Launcher {
    /// The one that has started this process, if `mpirun` has not.
    pub fn of_this_process(settings: &Settings) -> Launcher {
        let own: HashMap<_, _> = of_innermost(std::env::vars_os()).collect();
        let env = |name: &str| own.get(OsStr::new(name))?.to_str().map(str::to_string);
        Launcher::find(PmiChoice::of(settings), &env)
    }

    /// Finds out from the variables that `env` looks up.
    pub fn find(choice: PmiChoice, env: &dyn Fn(&str) -> Option<String>) -> Launcher {
        let pmix = env("PMIX_NAMESPACE").is_some() && env("PMIX_RANK").is_some();
        match choice {
            PmiChoice::None => Launcher::None,
            PmiChoice::Auto | PmiChoice::Pmix if pmix => Launcher::Pmix,
            PmiChoice::Pmix => wanted("PMIx", "PMIX_NAMESPACE and PMIX_RANK are not"),
            PmiChoice::Text(protocol) => match text(Some(protocol), env) {
                Launcher::None => wanted("PMI", "neither PMI_FD nor PMI_PORT is"),
                found => found,
            },
            PmiChoice::Auto => match text(None, env) {
                Launcher::None => mute(env),
                found => found,
            },
        }
    }

    /// Connects to it; `None` if there is none. `libpmix` is the library of PMIx the user wants,
    /// `open` takes over a descriptor.
    pub fn greet(
        self,
        libpmix: Option<&str>,
        open: impl FnOnce(RawFd) -> Option<UnixStream>,
    ) -> Result<Option<Box<dyn Pmi>>> {
        match self {
            Launcher::None => Ok(None),
            Launcher::Mute(text) => Err(failed(text)),
            Launcher::Pmix => Ok(Some(Box::new(Pmix::greet(libpmix)?))),
            Launcher::Descriptor { protocol, fd, rank, size, job } => {
                let file = open(fd).ok_or_else(|| {
                    failed(format!(
                        "PMI_FD is {fd}, but this descriptor is not open: what stands between \
                         the launcher and this process has closed it; let it pass descriptors on \
                         (in Python, close_fds=False), or use Dunlin's mpirun"
                    ))
                })?;
                Ok(Some(Box::new(Client::greet(file, protocol, rank, size, &job)?)))
            }
            Launcher::Port { address, id } => {
                Ok(Some(Box::new(call(&address, id, ANSWER_TIMEOUT)?)))
            }
        }
    }
}

fn failed(text: String) -> Error {
    Error::new(ErrorClass::Other, text)
}

fn wanted(what: &str, missing: &str) -> Launcher {
    Launcher::Mute(format!(
        "DUNLIN_PMI asks for {what}, but {missing} set: the launcher does not offer it (with \
         Slurm, `srun --mpi=list` shows what there is)"
    ))
}

/// PMI-1 and PMI-2.
fn text(choice: Option<Protocol>, env: &dyn Fn(&str) -> Option<String>) -> Launcher {
    let number = |name: &str| env(name).and_then(|value| value.trim().parse::<usize>().ok());
    if let Some(fd) = number("PMI_FD") {
        let (Some(rank), Some(size)) = (number("PMI_RANK"), number("PMI_SIZE")) else {
            let text = "PMI_FD is set, but PMI_RANK and PMI_SIZE are no numbers: the launcher's \
                        variables did not all reach this process; let all of them through, or use \
                        Dunlin's mpirun";
            return Launcher::Mute(text.into());
        };
        // Slurm's server of PMI-1 leaves out what its PMI-2 has; all others prefer PMI-1.
        let of_slurm = env("SLURM_STEP_ID").or_else(|| env("SLURM_STEPID")).is_some();
        let best = if of_slurm { Protocol::Two } else { Protocol::One };
        let job = env("PMI_JOBID").unwrap_or_default();
        let protocol = choice.unwrap_or(best);
        return Launcher::Descriptor { protocol, fd: fd as RawFd, rank, size, job };
    }
    match (env("PMI_PORT"), number("PMI_ID")) {
        (Some(_), Some(_)) if choice == Some(Protocol::Two) => {
            wanted("PMI-2", "PMI_FD is not set, only PMI_PORT, by which PMI-1 is spoken, is")
        }
        (Some(address), Some(id)) => Launcher::Port { address, id },
        _ => Launcher::None,
    }
}

/// Traces of launchers that have started several ranks without a protocol: a variable
/// with the number of ranks, one with the rank, who it is, and what to do.
const TRACES: [(&str, &str, &str, &str); 5] = [
    (
        "SLURM_STEP_NUM_TASKS",
        "SLURM_PROCID",
        "srun",
        "use `srun --mpi=pmix` or `srun --mpi=pmi2` (`srun --mpi=list` shows what there is), or \
         Dunlin's mpirun inside an allocation",
    ),
    (
        "PMI_SIZE",
        "PMI_RANK",
        "a launcher with PMI",
        "its variables are there without PMI_FD, PMI_PORT or PMIX_NAMESPACE: what stands between \
         it and this process has removed them; let them through, or use Dunlin's mpirun",
    ),
    (
        "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_RANK",
        "Open MPI's mpirun",
        "its PMIX_ variables did not reach this process: let them through, or use Dunlin's mpirun",
    ),
    (
        "MPI_LOCALNRANKS",
        "MPI_LOCALRANKID",
        "mpiexec of MPICH or Intel MPI",
        "its PMI_ variables did not reach this process: let them through, or use Dunlin's mpirun",
    ),
    (
        "PALS_SIZE",
        "PALS_RANKID",
        "PALS",
        "use its option --pmi=pmix, or Dunlin's mpirun inside an allocation",
    ),
];

fn mute(env: &dyn Fn(&str) -> Option<String>) -> Launcher {
    for (size, rank, who, remedy) in TRACES {
        let ranks = env(size).and_then(|value| value.trim().parse::<usize>().ok());
        let (Some(ranks @ 2..), Some(rank)) = (ranks, env(rank)) else { continue };
        return Launcher::Mute(format!(
            "{who} has started this process as rank {rank} of {ranks}, but offers no way to find \
             the others: {remedy}; DUNLIN_PMI=none makes each process a job of its own"
        ));
    }
    Launcher::None
}

/// The time within which a launcher answers the first requests. One that starts thousands of ranks
/// may be busy; if nothing answers for this long, something else listens there.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// The four lines of its first answer have some twenty bytes each.
const FIRST_ANSWER_BYTES_MAX: u64 = 4096;

/// Calls a launcher that listens at a port, and learns there who this process is.
fn call(address: &str, id: usize, patience: Duration) -> Result<Client> {
    let lost = |e: std::io::Error| {
        let why = match e.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                format!("nothing was said for {} s", patience.as_secs())
            }
            _ => e.to_string(),
        };
        failed(format!(
            "PMI_PORT is {address}, but no launcher answers there ({why}): it has gone, or the \
             variable is left over from another job; unset it, or use Dunlin's mpirun"
        ))
    };
    let stream = connect(address, patience).map_err(lost)?;
    let (rank, size) = identify(&stream, id, patience).map_err(lost)?.ok_or_else(|| {
        failed(format!("the launcher at PMI_PORT {address} does not say which rank this is"))
    })?;
    let limits = stream.try_clone().map_err(lost)?;
    let client = Client::greet(stream, Protocol::One, rank, size, "")?;
    // From here on an answer may have to wait for all other ranks.
    limits.set_read_timeout(None).map_err(lost)?;
    Ok(client)
}

/// A connection to the first of the addresses that takes one.
fn connect(address: &str, patience: Duration) -> std::io::Result<TcpStream> {
    let mut last = std::io::Error::from(ErrorKind::AddrNotAvailable);
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, patience) {
            Ok(stream) => return Ok(stream),
            Err(e) => last = e,
        }
    }
    Err(last)
}

/// Tells the launcher who connects; it answers with rank and size.
fn identify(
    mut stream: &TcpStream,
    id: usize,
    patience: Duration,
) -> std::io::Result<Option<(usize, usize)>> {
    stream.set_read_timeout(Some(patience))?;
    stream.write_all(&version1::encode(&Message::new("initack").with("pmiid", id)))?;
    // It answers with four lines, and then waits for the first request: we do not read too far.
    let mut lines = BufReader::new(stream.take(FIRST_ANSWER_BYTES_MAX));
    let (mut rank, mut size) = (None, None);
    for _ in 0..4 {
        let mut line = Vec::new();
        lines.read_until(b'\n', &mut line)?;
        let Some(Ok(message)) = version1::take(&mut line) else { break };
        rank = rank.or(message.number("rank"));
        size = size.or(message.number("size"));
    }
    Ok(rank.zip(size).map(|(rank, size)| (rank as usize, size as usize)))
}

#[cfg(test)]
mod tests {
    use dunlin_base::settings::Kind;

    use super::*;

    fn find(choice: PmiChoice, env: &[(&str, &str)]) -> Launcher {
        Launcher::find(choice, &|name| {
            env.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
        })
    }

    fn is_mute(launcher: Launcher, words: &[&str]) {
        let Launcher::Mute(text) = launcher else { panic!("{launcher:?}") };
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }

    #[test]
    fn launchers_are_known_by_their_variables() {
        assert_eq!(find(PmiChoice::Auto, &[]), Launcher::None);
        let pmix = [("PMIX_NAMESPACE", "x@1"), ("PMIX_RANK", "0")];
        assert_eq!(find(PmiChoice::Auto, &pmix), Launcher::Pmix);
        let hydra = [("PMI_FD", "9"), ("PMI_RANK", "1"), ("PMI_SIZE", "4")];
        let expected = |protocol, job: &str| Launcher::Descriptor {
            protocol,
            fd: 9,
            rank: 1,
            size: 4,
            job: job.into(),
        };
        assert_eq!(find(PmiChoice::Auto, &hydra), expected(Protocol::One, ""));
        assert_eq!(find(PmiChoice::Text(Protocol::Two), &hydra), expected(Protocol::Two, ""));
        let slurm = [&hydra[..], &[("PMI_JOBID", "7.0"), ("SLURM_STEP_ID", "0")]].concat();
        assert_eq!(find(PmiChoice::Auto, &slurm), expected(Protocol::Two, "7.0"));
        let port = [("PMI_PORT", "a:1"), ("PMI_ID", "3")];
        assert_eq!(find(PmiChoice::Auto, &port), Launcher::Port { address: "a:1".into(), id: 3 });
    }

    #[test]
    fn a_launcher_within_a_rank_of_mpirun_goes_before_it() {
        let ours = ["FD", "RANK", "LIFELINE", "APPNUM"].map(|name| format!("DUNLIN_JOB_{name}"));
        let left = |more: &[(&str, &str)]| {
            let more = more.iter().map(|&(name, value)| (name.into(), value.into()));
            let all = ours.iter().map(|name| (name.into(), "1".into()));
            let found = of_innermost(all.chain([("DUNLIN_CMA".into(), "off".into())]).chain(more));
            found.map(|(name, _)| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let told = |fd| {
            let pmi = [("PMI_FD", fd), ("PMI_RANK", "1"), ("PMI_SIZE", "2")];
            left(&[&pmi[..], &[("DUNLIN_JOB_PMI", "102 1 2")]].concat())
        };
        assert_eq!((left(&[]).len(), told("102").len()), (5, 9));
        let pmi = ["PMI_FD", "PMI_RANK", "PMI_SIZE"];
        assert_eq!(told("7"), [&["DUNLIN_CMA"], &pmi[..]].concat());
        let port = [("PMI_PORT", "a:1"), ("PMI_ID", "0")];
        assert_eq!(left(&port), ["DUNLIN_CMA", "PMI_PORT", "PMI_ID"]);
        let pmix = [("PMIX_NAMESPACE", "x"), ("PMIX_RANK", "0")];
        let left_of_pmix = ["DUNLIN_CMA", "PMIX_NAMESPACE", "PMIX_RANK"];
        assert_eq!(left(&pmix), left_of_pmix);
        let ours = [("PMI_FD", "9"), ("PMI_RANK", "0"), ("PMI_SIZE", "2")];
        let both = [&pmix[..], &ours[..], &[("DUNLIN_JOB_PMI", "9 0 2")]].concat();
        assert_eq!(left(&both), left_of_pmix, "nor does its socket count");
    }

    #[test]
    fn each_declared_word_has_a_meaning() {
        let Kind::Choice(words) = PMI.kind else { panic!("{PMI} is no choice") };
        assert_eq!(words, PmiChoice::WORDS.map(|(word, _)| word));
    }

    #[test]
    fn pmix_goes_before_pmi() {
        let both = [("PMIX_NAMESPACE", "x"), ("PMIX_RANK", "0"), ("PMI_FD", "9")];
        assert_eq!(find(PmiChoice::Auto, &both), Launcher::Pmix);
    }

    #[test]
    fn a_launcher_of_several_ranks_that_says_nothing_is_an_error_with_a_remedy() {
        let step = [("SLURM_STEP_NUM_TASKS", "4"), ("SLURM_PROCID", "2")];
        is_mute(
            find(PmiChoice::Auto, &step),
            &["srun", "rank 2 of 4", "--mpi=pmix", "DUNLIN_PMI=none"],
        );
        let bare = [("PMI_SIZE", "2"), ("PMI_RANK", "0")];
        is_mute(find(PmiChoice::Auto, &bare), &["PMI_FD", "rank 0 of 2"]);
        let half = [("PMI_FD", "9"), ("PMI_RANK", "0")];
        is_mute(find(PmiChoice::Auto, &half), &["PMI_SIZE"]);
        let ompi = [("OMPI_COMM_WORLD_SIZE", "3"), ("OMPI_COMM_WORLD_RANK", "1")];
        is_mute(find(PmiChoice::Auto, &ompi), &["Open MPI", "PMIX_"]);
    }

    #[test]
    fn one_rank_needs_no_launcher() {
        assert_eq!(
            find(PmiChoice::Auto, &[("SLURM_STEP_NUM_TASKS", "1"), ("SLURM_PROCID", "0")]),
            Launcher::None
        );
    }

    #[test]
    fn the_users_choice_counts() {
        let pmix = [("PMIX_NAMESPACE", "x"), ("PMIX_RANK", "0")];
        assert_eq!(find(PmiChoice::None, &pmix), Launcher::None);
        is_mute(find(PmiChoice::Text(Protocol::One), &pmix), &["DUNLIN_PMI", "PMI_FD"]);
        is_mute(find(PmiChoice::Pmix, &[]), &["DUNLIN_PMI", "PMIX_RANK"]);
        let port = [("PMI_PORT", "a:1"), ("PMI_ID", "3")];
        is_mute(find(PmiChoice::Text(Protocol::Two), &port), &["asks for PMI-2", "PMI_PORT"]);
    }

    /// What a rank says that is told to call a port where `serve` answers.
    fn said_to_a_port(serve: impl FnOnce(TcpStream) + Send + 'static) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = std::thread::spawn(move || serve(listener.accept().unwrap().0));
        let error = call(&address, 0, Duration::from_secs(1)).unwrap_err();
        server.join().unwrap();
        error.to_string()
    }

    #[test]
    fn a_port_where_nothing_is_said_is_not_waited_at_for_ever() {
        let until_it_leaves = |mut stream: TcpStream| {
            let _ = stream.read_to_end(&mut Vec::new());
        };
        let text = said_to_a_port(until_it_leaves);
        assert!(text.contains("no launcher answers there (nothing was said for 1 s)"), "{text}");
        let falls_silent = move |mut stream: TcpStream| {
            let lines = "cmd=initack\ncmd=set size=2\ncmd=set rank=0\ncmd=set debug=0\n";
            stream.write_all(lines.as_bytes()).unwrap();
            until_it_leaves(stream);
        };
        let text = said_to_a_port(falls_silent);
        assert!(text.contains("the launcher cannot be heard"), "{text}");
    }

    #[test]
    fn a_port_that_never_ends_a_line_is_no_launcher() {
        let text = said_to_a_port(|mut stream| while stream.write_all(&[b'x'; 512]).is_ok() {});
        assert!(text.contains("does not say which rank this is"), "{text}");
    }

    #[test]
    fn a_closed_descriptor_is_named() {
        let hydra = [("PMI_FD", "9"), ("PMI_RANK", "0"), ("PMI_SIZE", "1")];
        let error = find(PmiChoice::Auto, &hydra).greet(None, |_| None).unwrap_err();
        assert!(error.to_string().contains("PMI_FD is 9"), "{error}");
    }
}
