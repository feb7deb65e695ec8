//! The command line: what is asked for, read by the tables of options.
//! Every option may be spelt with one dash (as Hydra does) or two (as Open MPI does).

mod files;
mod others;
mod table;
mod values;

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use dunlin_base::settings::edit_distance;
use dunlin_base::text;

use crate::abi::Choice;
use crate::failure::Failure;
use crate::hosts::Host;
use crate::placement::{Binding, Mapping};

pub(crate) use others::{UNUSED, notice};
use serde::{Deserialize, Serialize};
pub(crate) use table::OPTIONS;
use values::count;

/// How long a wait must last before the stall report is printed, unless the user says otherwise.
const STALL_REPORT_DEFAULT: Duration = Duration::from_secs(60);
/// An option with more than this share of its letters wrong is not worth guessing at.
const GUESS_WRONG_SHARE: usize = 2;

/// What a command line asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Parsed {
    /// Run a job.
    Run(Box<Request>),
    /// Print the help.
    Help,
    /// Print the version.
    Version,
}

/// A job, as the user described it.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Request {
    /// The parts between `:`; at least one.
    pub parts: Vec<Part>,
    /// What holds for all parts.
    pub common: Common,
}

/// One program of a job and how it is run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
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
    #[serde(with = "crate::serial::optional_path")]
    pub wdir: Option<PathBuf>,
    /// Of the launcher's variables only those that must be passed on.
    pub only_named: bool,
}

/// Options that hold for the whole job.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Common {
    /// Variables set for every part; a part's own win.
    pub env: Vec<(OsString, OsString)>,
    /// Of the launcher's variables only those that a part names.
    pub only_named: bool,
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
    /// Rank 0 reads nothing either.
    pub no_input: bool,
    /// The names of files for the ranks' standard output, with letters to be replaced.
    pub out_pattern: Option<OsString>,
    /// The same for standard error.
    pub err_pattern: Option<OsString>,
    /// What goes to such files comes out here as well.
    pub shows_all: bool,
    /// Options for other launchers that were not used, as they were given.
    pub unused: Vec<String>,
    /// Say nothing of them.
    pub quiet: bool,
    /// Whose library the ranks get; absent is the setting.
    pub abi: Option<Choice>,
}

impl Default for Common {
    fn default() -> Self {
        Common {
            env: Vec::new(),
            only_named: false,
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
            no_input: false,
            out_pattern: None,
            err_pattern: None,
            shows_all: false,
            abi: None,
            unused: Vec::new(),
            quiet: false,
        }
    }
}

type Effect = fn(&mut Draft, &str, &[OsString]) -> Result<(), Failure>;

/// The request while it is being read.
#[derive(Default)]
struct Draft {
    part: Part,
    common: Common,
    answer: Option<Parsed>,
    /// The arguments of a file, which come after all others.
    from_file: VecDeque<OsString>,
}

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
            return Ok(Parsed::Run(Box::new(Request { parts, common: draft.common })));
        }
    }
}

/// Reads options, program and arguments up to `:`; tells whether there was one.
fn read_part(draft: &mut Draft, args: &mut VecDeque<OsString>) -> Result<bool, Failure> {
    loop {
        if args.is_empty() {
            args.append(&mut draft.from_file);
        }
        let Some(arg) = args.pop_front() else { break };
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
    if !draft.from_file.is_empty() {
        let text = "a program is named, but the file of --app or -configfile names them all";
        return Err(Failure::usage(text));
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
    let shown = arg.to_string_lossy();
    let Some(option) = OPTIONS.iter().find(|o| o.names.contains(&name.as_ref())) else {
        let Some(unused) = others::unused_option(&name) else { return Err(unknown(arg, &name)) };
        return skip(
            draft,
            &shown,
            unused.values - usize::from(glued.is_some()).min(unused.values),
            args,
        );
    };
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

/// The limit of time that a variable sets.
pub(crate) fn timeout_of(variable: Option<OsString>) -> Result<Option<Duration>, Failure> {
    variable.map_or(Ok(None), |value| values::seconds("MPIEXEC_TIMEOUT", &value))
}

/// Passes over an option that is not used, and over its values, and notes them.
fn skip(
    draft: &mut Draft,
    shown: &str,
    values: usize,
    args: &mut VecDeque<OsString>,
) -> Result<(), Failure> {
    let mut words = vec![text::shown(shown)];
    for _ in 0..values {
        let Some(value) = args.pop_front() else {
            return Err(Failure::usage(format!("{shown} needs a value")));
        };
        words.push(text::shown(&value.to_string_lossy()));
    }
    draft.common.unused.push(words.join(" "));
    Ok(())
}

/// The usual spelling of an option: one letter after one dash, a word after two.
pub(crate) fn dashed(name: &str) -> String {
    let dashes = if name.len() == 1 { "-" } else { "--" };
    format!("{dashes}{name}")
}

fn unknown(arg: &OsStr, name: &str) -> Failure {
    let names = OPTIONS.iter().flat_map(|o| o.names).chain(UNUSED.iter().flat_map(|o| o.names));
    let nearest = names.min_by_key(|known| edit_distance(known, name));
    let close = nearest.filter(|k| edit_distance(k, name) <= name.len() / GUESS_WRONG_SHARE);
    let arg = arg.to_string_lossy();
    Failure::usage(match close {
        Some(known) => format!("unknown option {arg}; did you mean {}?", dashed(known)),
        None => format!("unknown option {arg}; --help lists those there are"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Parsed, Failure> {
        parse(line.split_whitespace().map(OsString::from))
    }

    fn request(line: &str) -> Request {
        match parse_line(line) {
            Ok(Parsed::Run(request)) => *request,
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

    /// Command lines as scripts have them, after the manuals of the other launchers.
    const SCRIPTS: &[(&str, &str)] = &[
        ("--allow-run-as-root --oversubscribe -np 4 a", ""),
        ("--mca btl tcp,self --mca pml ob1 -np 4 a", "--mca btl tcp,self, --mca pml ob1"),
        ("--map-by ppr:2:node:PE=4 --bind-to core:overload-allowed -n 4 a", ""),
        ("--map-by ppr:1:socket -n 4 a", "--map-by ppr:1 for each socket"),
        ("--rank-by core --report-bindings --display-map -n 4 a", "--rank-by core"),
        (
            "--use-hwthread-cpus --timestamp-output -n 4 a",
            "--use-hwthread-cpus, --timestamp-output",
        ),
        ("-bind-to hwthread -map-by l3cache -n 4 a", ""),
        ("-genvall -genv A 1 -rmk slurm -iface ib0 -launcher ssh -n 4 a", "-rmk slurm"),
        (
            "-print-all-exitcodes -prepend-pattern %r -n 4 a",
            "-print-all-exitcodes, -prepend-pattern %r",
        ),
        ("-rr -prepend-rank -s all -silent-abort -n 4 a", "-s all, -silent-abort"),
        (
            "--mpi=pmix --cpu-bind=cores --ntasks=4 --exclusive a",
            "--mpi=pmix, --cpu-bind=cores, --exclusive",
        ),
        ("-q --rank-by slot -n 4 a", "--rank-by slot"),
    ];

    #[test]
    fn what_scripts_carry_for_other_launchers_is_understood_or_noted() {
        for (line, unused) in SCRIPTS {
            let request = request(line);
            assert_eq!(request.parts[0].ranks, Some(4), "{line}");
            assert_eq!(request.parts[0].program, "a", "{line}");
            assert_eq!(request.common.unused.join(", "), *unused, "{line}");
        }
        let common =
            request("--map-by ppr:2:node:PE=4,oversubscribe --mca plm_rsh_agent r a").common;
        assert_eq!((common.per_host, common.cpus_per_rank), (Some(2), Some(4)));
        assert_eq!((common.oversubscribe, common.rsh), (true, Some("r".into())));
        let text = notice(&request("--mca a b -rmk x a").common.unused);
        assert!(text.contains("--mca a b, -rmk x") && text.lines().count() == 1, "{text}");
        assert_eq!(notice(&[]), "");
    }

    /// The row of docs/launch.md for options that are not used.
    fn row(option: &others::Unused) -> String {
        let names: Vec<_> = option.names.iter().map(|name| format!("`{}`", dashed(name))).collect();
        format!("| {} | {} |", names.join(", "), option.doc)
    }

    #[test]
    fn the_page_names_all_options() {
        let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/launch.md");
        let page = std::fs::read_to_string(page).unwrap();
        let rows: Vec<String> = UNUSED.iter().map(row).collect();
        let missing: Vec<_> = rows.iter().filter(|row| !page.contains(row.as_str())).collect();
        assert!(missing.is_empty(), "{missing:#?}");
        for name in OPTIONS.iter().flat_map(|option| option.names) {
            let forms = [format!("-{name}"), dashed(name)].map(|name| format!("`{name}"));
            assert!(forms.iter().any(|form| page.contains(form)), "{name}");
        }
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
        assert!(refusal("--completely-else x a").contains("--help"));
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
        names.extend(UNUSED.iter().flat_map(|o| o.names));
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
