//! The command line: one table of options, from which arguments are parsed and the help is made.
//! Every option may be spelt with one dash (as Hydra does) or two (as Open MPI does).

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dunlin_base::settings::edit_distance;

use crate::failure::Failure;
use crate::hosts::{self, Host};
use crate::placement::{Binding, Mapping};

/// How long a wait must last before the stall report is printed, unless the user says otherwise.
const STALL_REPORT_DEFAULT: Duration = Duration::from_secs(60);
/// The longest time that can be asked for, 30 years: what is longer is a slip, and would overflow
/// clocks.
const SECONDS_MAX: f64 = 1e9;
/// An option with more than this share of its letters wrong is not worth guessing at.
const GUESS_WRONG_SHARE: usize = 2;

/// What a command line asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Parsed {
    /// Run a job.
    Run(Request),
    /// Print the help.
    Help,
    /// Print the version.
    Version,
}

/// A job, as the user described it.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The parts between `:`; at least one.
    pub parts: Vec<Part>,
    /// What holds for all parts.
    pub common: Common,
}

/// One program of a job and how it is run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Part {
    /// `-n`; absent means one rank per core.
    pub ranks: Option<usize>,
    /// The program as the user named it.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables set for this part.
    pub env: Vec<(OsString, OsString)>,
    /// Variables that must be passed on as they are.
    pub pass: Vec<OsString>,
    /// The directory to start in.
    pub wdir: Option<PathBuf>,
}

/// Options that hold for the whole job.
#[derive(Debug, Clone, PartialEq)]
pub struct Common {
    /// Variables set for every part; a part's own win.
    pub env: Vec<(OsString, OsString)>,
    /// What ranks are bound to; `None` leaves it to the planner.
    pub bind: Option<Binding>,
    /// The order in which cores are handed out.
    pub map: Mapping,
    /// Print what each rank is bound to.
    pub report_bindings: bool,
    /// Put `[rank] ` before each line of output.
    pub tag_output: bool,
    /// End the job after this long.
    pub timeout: Option<Duration>,
    /// Report waits longer than this; `None` is never.
    pub stall_report: Option<Duration>,
    /// Say what is started.
    pub verbose: bool,
    /// The hosts to use; none is this machine.
    pub hosts: Vec<Host>,
    /// Ranks for each host, in place of its slots.
    pub per_host: Option<usize>,
    /// Hosts take turns.
    pub by_node: bool,
    /// More ranks than a batch system has given slots.
    pub oversubscribe: bool,
    /// Hardware threads for each rank, where a batch system was asked for them.
    pub cpus_per_rank: Option<usize>,
    /// The command that starts agents on other hosts, in place of `ssh`.
    pub rsh: Option<OsString>,
}

impl Default for Common {
    fn default() -> Self {
        Common {
            env: Vec::new(),
            bind: None,
            map: Mapping::Slot,
            report_bindings: false,
            tag_output: false,
            timeout: None,
            stall_report: Some(STALL_REPORT_DEFAULT),
            verbose: false,
            hosts: Vec::new(),
            per_host: None,
            by_node: false,
            oversubscribe: false,
            cpus_per_rank: None,
            rsh: None,
        }
    }
}

/// One option: its names without dashes, the names of its values, and what it does.
pub(crate) struct Opt {
    pub(crate) names: &'static [&'static str],
    pub(crate) values: &'static [&'static str],
    pub(crate) doc: &'static str,
    effect: Effect,
}

type Effect = fn(&mut Draft, &str, &[OsString]) -> Result<(), Failure>;

/// The request while it is being read.
#[derive(Default)]
struct Draft {
    part: Part,
    common: Common,
    answer: Option<Parsed>,
}

pub(crate) const OPTIONS: &[Opt] = &[
    Opt {
        names: &["n", "np", "c"],
        values: &["N"],
        doc: "Number of ranks; without it, one per slot of the hosts or the batch system's job, or \
              one per core this process may use.",
        effect: |draft, name, v| {
            draft.part.ranks = Some(count(name, &v[0])?);
            Ok(())
        },
    },
    Opt {
        names: &["host", "hosts", "H"],
        values: &["NAME[:SLOTS],..."],
        doc: "Run on these hosts. A host takes as many ranks as it has slots (1 for each time it \
              is named, unless said) before it is the next one's turn.",
        effect: |draft, name, v| {
            let hosts = hosts::parse_list(name, &v[0].to_string_lossy())?;
            draft.common.hosts.extend(hosts);
            Ok(())
        },
    },
    Opt {
        names: &["hostfile", "machinefile", "f"],
        values: &["FILE"],
        doc: "Run on the hosts of this file, whose lines are `host`, `host:SLOTS` or \
              `host slots=SLOTS`; `#` begins a comment.",
        effect: |draft, name, v| {
            let hosts = hosts::read_file(name, Path::new(&v[0]))?;
            draft.common.hosts.extend(hosts);
            Ok(())
        },
    },
    Opt {
        names: &["ppn", "N", "npernode", "perhost"],
        values: &["N"],
        doc: "Ranks for each host before it is the next one's turn, whatever its slots.",
        effect: |draft, name, v| {
            draft.common.per_host = Some(count(name, &v[0])?);
            Ok(())
        },
    },
    Opt {
        names: &["rsh"],
        values: &["COMMAND"],
        doc: "Start agents on other hosts with `COMMAND host agent...` instead of ssh, or of \
              what belongs to the batch system.",
        effect: |draft, _, v| {
            draft.common.rsh = Some(v[0].clone());
            Ok(())
        },
    },
    Opt {
        names: &["x"],
        values: &["NAME[=VALUE]"],
        doc: "Set a variable for the ranks of this part, or pass it on.",
        effect: |draft, name, v| set_or_pass(&mut draft.part, name, &v[0]),
    },
    Opt {
        names: &["env"],
        values: &["NAME", "VALUE"],
        doc: "Set a variable for the ranks of this part.",
        effect: |draft, _, v| {
            draft.part.env.push((v[0].clone(), v[1].clone()));
            Ok(())
        },
    },
    Opt {
        names: &["genv"],
        values: &["NAME", "VALUE"],
        doc: "Set a variable for the ranks of all parts.",
        effect: |draft, _, v| {
            draft.common.env.push((v[0].clone(), v[1].clone()));
            Ok(())
        },
    },
    Opt {
        names: &["genvlist", "envlist"],
        values: &["NAME,..."],
        doc: "Pass these variables on. All of them are passed on anyway, but for those that belong \
              to a login.",
        effect: |draft, _, v| {
            let names = v[0].as_bytes().split(|&b| b == b',').filter(|name| !name.is_empty());
            draft.part.pass.extend(names.map(|name| OsStr::from_bytes(name).to_owned()));
            Ok(())
        },
    },
    Opt {
        names: &["wdir", "wd"],
        values: &["DIR"],
        doc: "Start the ranks of this part in DIR.",
        effect: |draft, _, v| {
            draft.part.wdir = Some(PathBuf::from(&v[0]));
            Ok(())
        },
    },
    Opt {
        names: &["bind-to"],
        values: &["core|socket|numa|none"],
        doc: "What each rank is bound to. Default: core for 2 or more ranks that do not \
              outnumber the cores, else none.",
        effect: |draft, name, v| {
            draft.common.bind = Some(word(name, &v[0], Binding::WORDS)?);
            Ok(())
        },
    },
    Opt {
        names: &["map-by"],
        values: &["slot|node|core|socket|numa"],
        doc: "Fill one host after the other (slot), or let hosts take turns (node). On each host, \
              hand out cores one after the other (core), or in turn over sockets or NUMA nodes. \
              Default: slot and core.",
        effect: |draft, name, v| {
            match v[0].to_str() {
                Some("node") => draft.common.by_node = true,
                _ => draft.common.map = word(name, &v[0], Mapping::WORDS)?,
            }
            Ok(())
        },
    },
    Opt {
        names: &["report-bindings"],
        values: &[],
        doc: "Say on standard error what each rank is bound to.",
        effect: |draft, _, _| {
            draft.common.report_bindings = true;
            Ok(())
        },
    },
    Opt {
        names: &["l", "tag-output", "prepend-rank"],
        values: &[],
        doc: "Begin each line of output with `[rank] `.",
        effect: |draft, _, _| {
            draft.common.tag_output = true;
            Ok(())
        },
    },
    Opt {
        names: &["timeout"],
        values: &["SECONDS"],
        doc: "End the job after this long with exit status 124 and say what each rank waits for.",
        effect: |draft, name, v| {
            draft.common.timeout = seconds(name, &v[0])?;
            Ok(())
        },
    },
    Opt {
        names: &["stall-report"],
        values: &["SECONDS"],
        doc: "Say what each rank waits for once a wait lasts this long; 0 is never. Default: 60.",
        effect: |draft, name, v| {
            draft.common.stall_report = seconds(name, &v[0])?;
            Ok(())
        },
    },
    Opt {
        names: &["oversubscribe"],
        values: &[],
        doc: "Allow more ranks than the batch system has given slots. Elsewhere it is always so.",
        effect: |draft, _, _| {
            draft.common.oversubscribe = true;
            Ok(())
        },
    },
    Opt {
        names: &["allow-run-as-root", "genvall", "envall"],
        values: &[],
        doc: "Accepted for scripts written for other launchers: it is always so.",
        effect: |_, _, _| Ok(()),
    },
    Opt {
        names: &["v", "verbose"],
        values: &[],
        doc: "Say what is started.",
        effect: |draft, _, _| {
            draft.common.verbose = true;
            Ok(())
        },
    },
    Opt {
        names: &["V", "version"],
        values: &[],
        doc: "Print the version.",
        effect: |draft, _, _| {
            draft.answer.get_or_insert(Parsed::Version);
            Ok(())
        },
    },
    Opt {
        names: &["h", "help"],
        values: &[],
        doc: "Print this help.",
        effect: |draft, _, _| {
            draft.answer.get_or_insert(Parsed::Help);
            Ok(())
        },
    },
];

/// Reads the arguments that follow the launcher's own name.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Parsed, Failure> {
    let mut args: VecDeque<OsString> = args.into_iter().collect();
    let mut draft = Draft::default();
    let mut parts = Vec::new();
    loop {
        let more = read_part(&mut draft, &mut args)?;
        if let Some(answer) = draft.answer {
            return Ok(answer);
        }
        parts.push(std::mem::take(&mut draft.part));
        if !more {
            return Ok(Parsed::Run(Request { parts, common: draft.common }));
        }
    }
}

/// Reads options, program and arguments up to `:`; tells whether there was one.
fn read_part(draft: &mut Draft, args: &mut VecDeque<OsString>) -> Result<bool, Failure> {
    while let Some(arg) = args.pop_front() {
        if arg == "--" {
            draft.part.program = args.pop_front().unwrap_or_default();
        } else if arg.as_bytes().starts_with(b"-") && arg != "-" {
            read_option(draft, &arg, args)?;
            if draft.answer.is_some() {
                return Ok(false);
            }
            continue;
        } else {
            draft.part.program = arg;
        }
        break;
    }
    if draft.part.program.is_empty() || draft.part.program == ":" {
        return Err(Failure::usage(
            "no program was named; write for example `mpirun -n 4 ./a.out` (--help tells more)",
        ));
    }
    while let Some(arg) = args.pop_front() {
        if arg == ":" {
            return Ok(true);
        }
        draft.part.args.push(arg);
    }
    Ok(false)
}

fn read_option(
    draft: &mut Draft,
    arg: &OsStr,
    args: &mut VecDeque<OsString>,
) -> Result<(), Failure> {
    let bytes = arg.as_bytes();
    let bare = bytes.strip_prefix(b"--").or(bytes.strip_prefix(b"-")).unwrap_or(bytes);
    let (name, glued) = match bare.iter().position(|&b| b == b'=') {
        Some(at) => (&bare[..at], Some(OsStr::from_bytes(&bare[at + 1..]).to_owned())),
        None => (bare, None),
    };
    let name = String::from_utf8_lossy(name);
    let Some(option) = OPTIONS.iter().find(|o| o.names.contains(&name.as_ref())) else {
        return Err(unknown(arg, &name));
    };
    let shown = arg.to_string_lossy();
    if glued.is_some() && option.values.is_empty() {
        return Err(Failure::usage(format!("{shown}: this option takes no value")));
    }
    let mut values: Vec<OsString> = glued.into_iter().collect();
    while values.len() < option.values.len() {
        let Some(value) = args.pop_front() else {
            let needs = option.values.join(" ");
            return Err(Failure::usage(format!("{shown} needs a value: {needs}")));
        };
        values.push(value);
    }
    (option.effect)(draft, &dashed(&name), &values)
}

/// The usual spelling of an option: one letter after one dash, a word after two.
pub(crate) fn dashed(name: &str) -> String {
    let dashes = if name.len() == 1 { "-" } else { "--" };
    format!("{dashes}{name}")
}

fn unknown(arg: &OsStr, name: &str) -> Failure {
    let names = OPTIONS.iter().flat_map(|o| o.names);
    let nearest = names.min_by_key(|known| edit_distance(known, name));
    let close = nearest.filter(|k| edit_distance(k, name) <= name.len() / GUESS_WRONG_SHARE);
    let arg = arg.to_string_lossy();
    Failure::usage(match close {
        Some(known) => format!("unknown option {arg}; did you mean {}?", dashed(known)),
        None => format!("unknown option {arg}; --help lists those there are"),
    })
}

fn count(name: &str, value: &OsStr) -> Result<usize, Failure> {
    let parsed = value.to_str().and_then(|text| text.parse().ok()).filter(|&n| n > 0);
    parsed.ok_or_else(|| {
        let value = value.to_string_lossy();
        Failure::usage(format!("{name} is `{value}`; it must be a whole number of at least 1"))
    })
}

/// A length of time; 0 means never.
fn seconds(name: &str, value: &OsStr) -> Result<Option<Duration>, Failure> {
    let parsed = value.to_str().and_then(|text| text.parse().ok());
    let parsed = parsed.filter(|s: &f64| *s <= SECONDS_MAX);
    let duration = parsed.and_then(|s| Duration::try_from_secs_f64(s).ok());
    let duration = duration.ok_or_else(|| {
        let value = value.to_string_lossy();
        let limit = "it must be a number of seconds, from 0 to a thousand million";
        Failure::usage(format!("{name} is `{value}`; {limit}"))
    })?;
    Ok(Some(duration).filter(|d| !d.is_zero()))
}

fn word<T: Copy>(name: &str, value: &OsStr, words: &[(&str, T)]) -> Result<T, Failure> {
    words.iter().find(|w| value == w.0).map(|w| w.1).ok_or_else(|| {
        let known = words.iter().map(|w| w.0).collect::<Vec<_>>().join(", ");
        let value = value.to_string_lossy();
        Failure::usage(format!("{name} is `{value}`; it must be one of: {known}"))
    })
}

fn set_or_pass(part: &mut Part, name: &str, value: &OsStr) -> Result<(), Failure> {
    let bytes = value.as_bytes();
    match bytes.iter().position(|&b| b == b'=') {
        Some(0) => {
            let value = value.to_string_lossy();
            return Err(Failure::usage(format!("{name} is `{value}`; the name is missing")));
        }
        Some(at) => part.env.push((
            OsStr::from_bytes(&bytes[..at]).to_owned(),
            OsStr::from_bytes(&bytes[at + 1..]).to_owned(),
        )),
        None => part.pass.push(value.to_owned()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Parsed, Failure> {
        parse(line.split_whitespace().map(OsString::from))
    }

    fn request(line: &str) -> Request {
        match parse_line(line) {
            Ok(Parsed::Run(request)) => request,
            other => panic!("{other:?}"),
        }
    }

    fn refusal(line: &str) -> String {
        let failure = parse_line(line).unwrap_err();
        assert_eq!(failure.status, 2);
        failure.text
    }

    #[test]
    fn both_dash_spellings_and_glued_values_mean_the_same() {
        for line in ["-np 4 a", "--np 4 a", "-n 4 a", "-n=4 a", "--n=4 -- a", "-c 4 a"] {
            let request = request(line);
            assert_eq!(request.parts[0].ranks, Some(4), "{line}");
            assert_eq!(request.parts[0].program, "a", "{line}");
        }
        assert_eq!(request("-bind-to none a").common.bind, Some(Binding::None));
        assert_eq!(request("--bind-to none a").common.bind, Some(Binding::None));
    }

    #[test]
    fn what_follows_the_program_belongs_to_it() {
        let request = request("-n 2 prog -n 3 --help -l");
        assert_eq!(request.parts[0].args, ["-n", "3", "--help", "-l"]);
        assert!(!request.common.tag_output);
    }

    #[test]
    fn parts_have_their_own_ranks_environment_and_directory() {
        let request = request("-genv G 1 -n 1 -env A b -wdir /x p q : -n 2 -x C=d=e r");
        let [first, second] = &request.parts[..] else { panic!("{request:?}") };
        assert_eq!((first.ranks, second.ranks), (Some(1), Some(2)));
        assert_eq!(first.env, [("A".into(), "b".into())]);
        assert_eq!(second.env, [("C".into(), "d=e".into())]);
        assert_eq!(first.wdir, Some("/x".into()));
        assert_eq!(second.wdir, None);
        assert_eq!(first.args, ["q"]);
        assert_eq!(request.common.env, [("G".into(), "1".into())]);
    }

    #[test]
    fn an_unknown_option_names_the_nearest_one() {
        let text = refusal("--tag-ouput a");
        assert!(text.contains("--tag-ouput") && text.contains("--tag-output"), "{text}");
        for far in ["--mca a b", "--tune x a"] {
            assert!(refusal(far).contains("--help"), "{far}");
        }
    }

    #[test]
    fn wrong_values_are_refused_with_the_value() {
        for line in [
            "-n 0 a",
            "-n -3 a",
            "-n x a",
            "--timeout soon a",
            "--bind-to moon a",
            "--timeout 1e19 a",
        ] {
            let value = line.split(' ').nth(1).unwrap();
            assert!(refusal(line).contains(&format!("`{value}`")), "{line}");
        }
        assert!(refusal("-n").contains("needs a value"));
        assert!(refusal("-l=3 a").contains("takes no value"));
        assert!(refusal("-x =3 a").contains("name is missing"));
    }

    #[test]
    fn a_missing_program_is_said() {
        for line in ["", "-n 3", "-n 2 a : ", "-n 2 a : -n 3", ": a", "--"] {
            assert!(refusal(line).contains("no program"), "{line}");
        }
    }

    #[test]
    fn help_and_version_win_over_the_rest() {
        assert_eq!(parse_line("-n 2 --help"), Ok(Parsed::Help));
        assert_eq!(parse_line("--version --nonsense"), Ok(Parsed::Version));
    }

    #[test]
    fn zero_seconds_turn_a_limit_off() {
        assert_eq!(request("a").common.stall_report, Some(STALL_REPORT_DEFAULT));
        assert_eq!(request("--stall-report 0 a").common.stall_report, None);
        let half = Some(Duration::from_millis(500));
        assert_eq!(request("--timeout 0.5 a").common.timeout, half);
    }

    #[test]
    fn no_two_options_share_a_name() {
        let mut names: Vec<_> = OPTIONS.iter().flat_map(|o| o.names).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
