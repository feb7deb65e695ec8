//! The settings a user may give through the environment: one table, from which the documentation
//! is generated and against which the environment is checked. A `DUNLIN_*` variable that is not in
//! the table is an error that names the nearest one, because a misspelt setting that is silently
//! ignored costs days.

use crate::{Error, ErrorClass, Result};

/// One setting: its variable, the value used when it is absent, and what it does.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The environment variable, e.g. `DUNLIN_CMA`.
    pub name: &'static str,
    /// What an absent variable means, as a user would write it.
    pub default: &'static str,
    /// One or two sentences: what it does, its values and unit.
    pub doc: &'static str,
    /// Who sets it: `true` for the variables by which the launcher tells a rank who it is.
    pub internal: bool,
}

const fn user(name: &'static str, default: &'static str, doc: &'static str) -> Setting {
    Setting { name, default, doc, internal: false }
}

const fn internal(name: &'static str, doc: &'static str) -> Setting {
    Setting { name, default: "", doc, internal: true }
}

/// Who copies large messages inside a node straight from memory to memory.
pub const CMA: &str = "DUNLIN_CMA";
/// How a rank waits.
pub const WAIT: &str = "DUNLIN_WAIT";
/// Where the launcher left the job's segment: a file descriptor number.
pub const JOB_FD: &str = "DUNLIN_JOB_FD";
/// This process's rank in `MPI_COMM_WORLD`.
pub const JOB_RANK: &str = "DUNLIN_JOB_RANK";
/// Read end of the pipe whose write end only the launcher holds.
pub const JOB_LIFELINE: &str = "DUNLIN_JOB_LIFELINE";
/// Which part of an `mpirun a : b` command line this process belongs to.
pub const JOB_APPNUM: &str = "DUNLIN_JOB_APPNUM";
/// By which protocol a launcher that is not ours is asked.
pub const PMI: &str = "DUNLIN_PMI";
/// Where the library of PMIx is.
pub const LIBPMIX: &str = "DUNLIN_LIBPMIX";
/// The user's table of collective algorithms.
pub const COLL_TUNING: &str = "DUNLIN_COLL_TUNING";
/// Algorithms to be used whatever the tables say.
pub const COLL_ALGORITHM: &str = "DUNLIN_COLL_ALGORITHM";
/// The C compiler behind `mpicc`.
pub const CC: &str = "DUNLIN_CC";
/// The C++ compiler behind `mpicxx`.
pub const CXX: &str = "DUNLIN_CXX";
/// Which fabric carries packets between nodes.
pub const NET_FABRIC: &str = "DUNLIN_NET_FABRIC";
/// Where libfabric is.
pub const NET_LIBFABRIC: &str = "DUNLIN_NET_LIBFABRIC";
/// Which interfaces it uses.
pub const NET_INTERFACE: &str = "DUNLIN_NET_INTERFACE";
/// Which ports it uses.
pub const NET_PORTS: &str = "DUNLIN_NET_PORTS";
/// How much packets between nodes are protected.
pub const NET_SECURITY: &str = "DUNLIN_NET_SECURITY";
/// Over how many flows it spreads packets.
pub const NET_FLOWS: &str = "DUNLIN_NET_FLOWS";
/// After how many seconds without an answer a peer is lost.
pub const NET_TIMEOUT: &str = "DUNLIN_NET_TIMEOUT";
/// Whether ranks say at the end what the network has seen.
pub const NET_REPORT: &str = "DUNLIN_NET_REPORT";
/// Faults of the network, for tests.
pub const NET_FAULTS: &str = "DUNLIN_NET_FAULTS";
/// The command that starts agents on other hosts.
pub const RSH: &str = "DUNLIN_RSH";
/// Whether mpirun looks for a batch system's job around it.
pub const ALLOCATION: &str = "DUNLIN_ALLOCATION";
/// Agents that one process starts.
pub const AGENT_WIDTH: &str = "DUNLIN_AGENT_WIDTH";
/// Silence after which an agent counts as dead.
pub const AGENT_TIMEOUT: &str = "DUNLIN_AGENT_TIMEOUT";

/// Every setting Dunlin reads.
pub const TABLE: &[Setting] = &[
    user(
        CMA,
        "auto",
        "Single copy inside a node by process_vm_readv and process_vm_writev, of large messages \
         and in collectives: `auto` (where it works; receiver and sender of a message copy \
         together), `receiver` (it copies alone) or `off`. Where each rank has a core, each has \
         a second thread for it, which sleeps; with `off` it has not.",
    ),
    user(
        WAIT,
        "auto",
        "How a waiting rank spends its time: `auto` (from cores and ranks), `spin`, `yield` or \
         `sleep`.",
    ),
    user(
        COLL_TUNING,
        "",
        "File with rules that choose the algorithms of collective operations, asked before the \
         built-in ones; docs/selection.md says how to write it. The same for all ranks of a job.",
    ),
    user(
        COLL_ALGORITHM,
        "",
        "Algorithms for experiments, asked before any table, as in \
         `allreduce=ring,bcast=binomial`. The same for all ranks of a job.",
    ),
    user(
        NET_FABRIC,
        "auto",
        "How packets go between nodes: `auto`, `udp`, `tcp`, `udp+tcp`, `ofi` (libfabric) or \
         `ofi:` and one of its providers, as in `ofi:efa-direct`; `dunlin-info network` explains \
         the choice. The same for all ranks of a job.",
    ),
    user(NET_LIBFABRIC, "libfabric.so.1", "The file of libfabric, loaded if it is the fabric."),
    user(
        NET_INTERFACE,
        "",
        "Network interfaces to be used, by name or subnet, as in `eth0` or `10.1.0.0/16`, the best \
         first, separated by commas. By default all that lead to other hosts.",
    ),
    user(
        NET_PORTS,
        "",
        "Ports to be used for messages between nodes, first and last, as in `20000-20999`. Each \
         rank of a host needs as many of them as there are flows (`DUNLIN_NET_FLOWS`), and with \
         `udp` one more, by which it says that it lives while it computes. By default the system \
         chooses.",
    ),
    user(
        NET_FLOWS,
        "4",
        "Over how many flows a process spreads what it sends to another node, so that several \
         routes are used: source ports of `udp`, connections to each peer of `tcp`; 1 to 64.",
    ),
    user(
        NET_SECURITY,
        "off",
        "How much messages between nodes are protected beyond what they always are (the beginning \
         of each packet, 128 bytes, shows that a process of the job has sent it, and once): \
         `off`, `authenticate` (all of each packet does) or `encrypt` (and nobody else can read \
         it). The same for all ranks of a job. docs/security.md says against whom each helps, and \
         what it costs.",
    ),
    user(
        NET_TIMEOUT,
        "20",
        "Seconds after which a peer on another node that does not answer is lost, and the job \
         with it.",
    ),
    user(
        NET_REPORT,
        "off",
        "`end`: in MPI_Finalize each rank says on standard error what it has seen of the network: \
         packets sent, sent again, received twice, and so on.",
    ),
    user(
        NET_FAULTS,
        "",
        "Faults of the network for tests, from a seed, as in \
         `seed=1,drop=0.02,duplicate=0.01,reorder=0.2`; further `distance` (of reordering, in \
         packets), `delay`, `delay_us`, `stall`, `stall_us`, `busy`, `read` (of a peer's memory \
         fails).",
    ),
    user(
        PMI,
        "auto",
        "How a rank that another launcher has started asks it who the others are: `auto` (PMIx, \
         then PMI), `pmix`, `pmi2`, `pmi1`, or `none`: each process is a job of its own.",
    ),
    user(
        LIBPMIX,
        "",
        "The file of the library that speaks PMIx. By default the one that the launcher itself \
         uses, if that can be seen, or else `libpmix.so.2`.",
    ),
    user(
        RSH,
        "ssh",
        "The command by which mpirun starts its agents on other hosts, called with the host's name \
         and the agent's words; `--rsh` goes before it. Within a job of Slurm, LSF or Grid Engine \
         the default is `srun`, `blaunch` or `qrsh`.",
    ),
    user(
        ALLOCATION,
        "auto",
        "Whether mpirun takes hosts and slots from the job of a batch system (Slurm, PBS, LSF, \
         Grid Engine) that it runs in: `auto`, or `none`, which leaves them to the command line.",
    ),
    user(
        AGENT_WIDTH,
        "32",
        "How many agents mpirun, and each agent, starts itself; those start the others.",
    ),
    user(
        AGENT_TIMEOUT,
        "10",
        "Seconds without a word after which mpirun and its agents on other hosts take each other \
         for dead and end the job; 0 is never.",
    ),
    user(
        CC,
        "cc",
        "The compiler that `mpicc` calls, with any arguments of its own; `OMPI_CC` and `MPICH_CC` \
         are looked at next.",
    ),
    user(
        CXX,
        "c++",
        "The compiler that `mpicxx` calls; `OMPI_CXX` and `MPICH_CXX` are looked at next.",
    ),
    internal(JOB_FD, "File descriptor of the job's shared segment; set by mpirun."),
    internal(JOB_RANK, "Rank of this process in MPI_COMM_WORLD; set by mpirun."),
    internal(JOB_LIFELINE, "File descriptor that closes when mpirun is gone; set by mpirun."),
    internal(
        JOB_APPNUM,
        "Number of the `:`-separated part of mpirun's command line; set by mpirun.",
    ),
];

/// Checks that every variable of the environment that begins with `DUNLIN_` is in [`TABLE`].
pub fn check_environment() -> Result<()> {
    check_names(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))
}

fn check_names(names: impl Iterator<Item = String>) -> Result<()> {
    for name in names.filter(|n| n.starts_with("DUNLIN_")) {
        if !TABLE.iter().any(|s| s.name == name) {
            let nearest = nearest_name(&name);
            return Err(Error::new(
                ErrorClass::Arg,
                format!(
                    "environment variable {name} is not a setting of Dunlin; did you mean \
                     {nearest}? Correct or unset it"
                ),
            ));
        }
    }
    Ok(())
}

fn nearest_name(name: &str) -> &'static str {
    let users = TABLE.iter().filter(|s| !s.internal);
    users.min_by_key(|s| edit_distance(s.name, name)).map_or("", |s| s.name)
}

/// The value of a setting that offers a choice; an error lists the words it knows.
pub fn choice<T: Copy>(name: &str, default: T, words: &[(&str, T)]) -> Result<T> {
    let Some(value) = std::env::var_os(name) else { return Ok(default) };
    let value = value.to_string_lossy();
    let known = || words.iter().map(|w| w.0).collect::<Vec<_>>().join(", ");
    words.iter().find(|w| w.0 == value).map(|w| w.1).ok_or_else(|| {
        Error::new(ErrorClass::Arg, format!("{name} is `{value}`; it must be one of: {}", known()))
    })
}

/// The value of a setting that is a number, 0 or more.
pub fn number(name: &str, default: f64) -> Result<f64> {
    let Some(value) = std::env::var_os(name) else { return Ok(default) };
    let value = value.to_string_lossy();
    let parsed = value.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    parsed.ok_or_else(|| {
        let text = format!("{name} is `{value}`; it must be a number, 0 or more");
        Error::new(ErrorClass::Arg, text)
    })
}

/// Levenshtein distance, to find the name a user meant.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replace = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_setting_names_the_nearest_one() {
        let e = check_names(["PATH".into(), "DUNLIN_WIAT".into()].into_iter()).unwrap_err();
        assert!(e.text.contains("DUNLIN_WIAT") && e.text.contains("DUNLIN_WAIT"), "{e}");
    }

    #[test]
    fn known_settings_pass() {
        check_names(TABLE.iter().map(|s| s.name.to_string())).unwrap();
    }

    #[test]
    fn edit_distance_counts_single_changes() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
    }
}
