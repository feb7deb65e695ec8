//! Options that scripts carry for other launchers: those of Hydra (MPICH, Intel MPI), Open MPI and
//! srun that mean something here under another name or form, and those that mean nothing.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use dunlin_base::settings::NET_INTERFACE;
use dunlin_base::text;

use super::values::set_or_pass;
use super::{Common, Part, count};
use crate::failure::Failure;
use crate::placement::{Binding, Mapping};

/// An option that Dunlin has no use for: its names, and how many values follow it.
pub(crate) struct Unused {
    pub(crate) names: &'static [&'static str],
    pub(crate) values: usize,
    /// Whose it is, and what it is about.
    pub(crate) doc: &'static str,
}

const fn unused(names: &'static [&'static str], values: usize, doc: &'static str) -> Unused {
    Unused { names, values, doc }
}

/// All of them.
pub(crate) const UNUSED: &[Unused] = &[
    unused(&["gmca", "prtemca", "pmixmca", "gpmixmca", "omca"], 2, "Open MPI: parameters"),
    unused(&["am", "tune", "personality", "pmix-prefix"], 1, "Open MPI: files of parameters"),
    unused(&["prefix", "path", "tmpdir", "preload-files"], 1, "Open MPI: where files are"),
    unused(&["noprefix", "no-app-prefix", "preload-binary"], 0, "Open MPI: copies of files"),
    unused(&["rank-by", "rankfile", "rf", "cpu-set", "cpu-list"], 1, "Open MPI: order of ranks"),
    unused(&["npersocket", "pset", "xterm", "display"], 1, "Open MPI: shape of the job"),
    unused(&["nolocal", "use-hwthread-cpus", "hetero-nodes"], 0, "Open MPI: kinds of cores"),
    unused(&["display-topo", "display-devel-map", "xml"], 0, "Open MPI: descriptions"),
    unused(&["timestamp-output", "merge-stderr-to-stdout"], 0, "Open MPI: form of the output"),
    unused(&["output"], 1, "Open MPI: redirection"),
    unused(&["enable-recovery", "disable-recovery", "continuous"], 0, "Open MPI: failed ranks"),
    unused(&["debug-daemons", "debug-devel", "get-stack-traces"], 0, "Open MPI: debugging"),
    unused(&["leave-session-attached", "report-state-on-timeout"], 0, "Open MPI: daemons"),
    unused(&["forward-signals", "max-restarts", "spawn-timeout"], 1, "Open MPI: limits"),
    unused(&["report-pid", "report-uri", "ompi-server"], 1, "Open MPI: servers"),
    unused(&["rmk", "topolib", "membind", "demux", "nameserver"], 1, "Hydra: components"),
    unused(&["prepend-pattern"], 1, "Hydra: form of the output"),
    unused(&["gpus-per-proc", "order-nodes", "usize", "rankmap"], 1, "Hydra: shape of the job"),
    unused(&["memory-alloc-kinds", "localhost"], 1, "Hydra: names"),
    unused(&["disable-auto-cleanup", "skip-launch-node"], 0, "Hydra: which processes run"),
    unused(&["disable-hostname-propagation", "hybrid-hosts", "pmi-port"], 0, "Hydra: hosts"),
    unused(&["enable-x", "disable-x", "profile", "info"], 0, "Hydra: descriptions"),
    unused(&["print-all-exitcodes"], 0, "Hydra: exit statuses"),
    unused(&["hosts-group", "gtool", "gtoolfile", "binding"], 1, "Intel MPI"),
    unused(&["aps", "mps", "silent-abort", "prepend-timestamp", "prot"], 0, "Intel MPI: output"),
    unused(&["mpi", "cpu-bind", "mem-bind", "distribution", "m", "hint"], 1, "srun: placement"),
    unused(&["mem", "mem-per-cpu", "gres", "gpus", "gpus-per-task"], 1, "srun: resources"),
    unused(&["partition", "p", "account", "A", "job-name", "J"], 1, "srun: the job"),
    unused(&["time", "t", "constraint", "C", "qos", "wait", "W"], 1, "srun: limits of the job"),
    unused(&["threads-per-core", "propagate", "nodes", "gpu-bind"], 1, "srun: nodes"),
    unused(&["exclusive", "overlap", "exact", "unbuffered", "u"], 0, "srun: sharing of nodes"),
    unused(&["kill-on-bad-exit", "K"], 0, "srun: failed ranks, always so"),
];

/// The unused option of this name.
pub(crate) fn unused_option(name: &str) -> Option<&'static Unused> {
    UNUSED.iter().find(|option| option.names.contains(&name))
}

/// What `--bind-to` is called elsewhere.
const BINDINGS: &[(&str, Binding)] = &[
    ("hwthread", Binding::Core),
    ("l1cache", Binding::Core),
    ("l2cache", Binding::Core),
    ("package", Binding::Socket),
    ("l3cache", Binding::Numa),
    ("machine", Binding::None),
    ("board", Binding::None),
];
/// What `--map-by` is called elsewhere.
const MAPPINGS: &[(&str, Mapping)] = &[
    ("hwthread", Mapping::Slot),
    ("l1cache", Mapping::Slot),
    ("l2cache", Mapping::Slot),
    ("package", Mapping::Socket),
    ("l3cache", Mapping::Numa),
    ("machine", Mapping::Slot),
    ("board", Mapping::Slot),
];
/// Modifiers behind a colon that ask for what is so, or for what nobody has to ask.
const MODIFIERS: [&str; 9] = [
    "overload-allowed",
    "if-supported",
    "nooversubscribe",
    "span",
    "inherit",
    "noinherit",
    "corecpus",
    "hwtcpus",
    "ordered",
];

fn find<T: Copy>(word: &str, ours: &[(&str, T)], theirs: &[(&str, T)]) -> Option<T> {
    ours.iter().chain(theirs).find(|known| known.0 == word).map(|known| known.1)
}

fn wrong(name: &str, value: &str, words: &str) -> Failure {
    let value = text::shown(value);
    Failure::usage(format!("{name} is `{value}`; it must be one of: {words}"))
}

/// `--bind-to core`, also as `core:overload-allowed`.
pub(super) fn bind_to(common: &mut Common, name: &str, value: &OsStr) -> Result<(), Failure> {
    let value = value.to_string_lossy().to_lowercase();
    let (word, modifiers) = value.split_once(':').unwrap_or((&value, ""));
    let bind = find(word, Binding::WORDS, BINDINGS);
    common.bind = Some(bind.ok_or_else(|| wrong(name, &value, "core, socket, numa, none"))?);
    read_modifiers(common, name, modifiers)
}

/// `--map-by node`, also as `ppr:2:node`, `slot:PE=4` and `:OVERSUBSCRIBE`.
pub(super) fn map_by(common: &mut Common, name: &str, value: &OsStr) -> Result<(), Failure> {
    let value = value.to_string_lossy().to_lowercase();
    let (word, mut modifiers) = value.split_once(':').unwrap_or((&value, ""));
    match word {
        "" => {}
        "node" => common.by_node = true,
        "ppr" => {
            let (number, rest) = modifiers.split_once(':').unwrap_or((modifiers, "node"));
            let (object, rest) = rest.split_once(':').unwrap_or((rest, ""));
            let number = count(name, OsStr::new(number))?;
            modifiers = rest;
            match object {
                "node" => common.per_host = Some(number),
                _ => {
                    let map = find(object, Mapping::WORDS, MAPPINGS);
                    common.map = map.ok_or_else(|| wrong(name, &value, "ppr:N:node"))?;
                    common.unused.push(format!("{name} ppr:{number} for each {object}"));
                }
            }
        }
        _ => {
            let map = find(word, Mapping::WORDS, MAPPINGS);
            let words = "slot, node, core, socket, numa, ppr:N:node";
            common.map = map.ok_or_else(|| wrong(name, &value, words))?;
        }
    }
    read_modifiers(common, name, modifiers)
}

fn read_modifiers(common: &mut Common, name: &str, modifiers: &str) -> Result<(), Failure> {
    for word in modifiers.split([':', ',']).filter(|word| !word.is_empty()) {
        match word.strip_prefix("pe=") {
            Some(number) => common.cpus_per_rank = Some(count(name, OsStr::new(number))?),
            None if word == "oversubscribe" => common.oversubscribe = true,
            None if MODIFIERS.contains(&word) => {}
            None => common.unused.push(format!("{name} :{}", text::shown(word))),
        }
    }
    Ok(())
}

/// `--mca NAME VALUE` of Open MPI: some parameters have a meaning here.
pub(super) fn mca(common: &mut Common, name: &str, parameter: &OsStr, value: &OsStr) {
    match parameter.to_string_lossy().as_ref() {
        "plm_rsh_agent" | "plm_ssh_agent" => common.rsh = Some(value.to_owned()),
        "btl_tcp_if_include" => interface(common, value),
        parameter => {
            let (parameter, value) = (text::shown(parameter), value.to_string_lossy());
            common.unused.push(format!("{name} {parameter} {}", text::shown(&value)));
        }
    }
}

/// Which network is used.
pub(super) fn interface(common: &mut Common, value: &OsStr) {
    common.env.push((NET_INTERFACE.name.into(), value.to_owned()));
}

/// Which command gets to other hosts.
pub(super) fn launcher(common: &mut Common, name: &str, value: &OsStr) {
    match value.to_str() {
        Some("ssh" | "rsh") => {
            common.rsh.get_or_insert_with(|| OsString::from(value));
        }
        _ => common.unused.push(format!("{name} {}", text::shown(&value.to_string_lossy()))),
    }
}

/// Who reads standard input: rank 0, or nobody.
pub(super) fn input(common: &mut Common, name: &str, value: &OsStr) {
    match value.to_str() {
        Some("0") => common.no_input = false,
        Some("none") => common.no_input = true,
        _ => common.unused.push(format!("{name} {}", text::shown(&value.to_string_lossy()))),
    }
}

/// `--output-filename DIR` of Open MPI, also as `DIR:nojobid,nocopy`: files in a directory of each
/// rank.
pub(super) fn output_directory(common: &mut Common, value: &OsStr) {
    let value = value.to_string_lossy();
    let (directory, modifiers) = value.rsplit_once(':').unwrap_or((&value, ""));
    let has = |modifier| modifiers.split(',').any(|word| word.eq_ignore_ascii_case(modifier));
    // The jobs of an mpirun are counted there; here it has one.
    let job = if has("nojobid") { "" } else { "1/" };
    let directory = directory.replace('%', "%%");
    let pattern = |stream| Some(format!("{directory}/{job}rank.%r/{stream}").into());
    (common.out_pattern, common.err_pattern) = (pattern("stdout"), pattern("stderr"));
    common.shows_all = !has("nocopy");
}

/// `--export=ALL|NONE|NAME|NAME=VALUE,...` of srun: without `ALL`, what is named and nothing else.
pub(super) fn export(part: &mut Part, name: &str, value: &OsStr) -> Result<(), Failure> {
    let words = || value.as_bytes().split(|&b| b == b',').filter(|word| !word.is_empty());
    part.only_named = !words().any(|word| word == b"ALL");
    for word in words().filter(|&word| word != b"ALL" && word != b"NONE") {
        set_or_pass(part, name, OsStr::from_bytes(word))?;
    }
    Ok(())
}

/// The line that says what was not used; nothing where all was.
pub(crate) fn notice(unused: &[String]) -> String {
    match unused.is_empty() {
        true => String::new(),
        false => format!(
            "mpirun: not used, because it means nothing to Dunlin: {} (docs/launch.md)\n",
            unused.join(", ")
        ),
    }
}
