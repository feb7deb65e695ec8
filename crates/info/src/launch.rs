//! What `mpirun` would do here, and who has started this process itself.

use std::ffi::OsString;

use dunlin_base::settings::{JOB_FD, Settings};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_launch::dry_run::{DryRun, Found, HostPlan, dry_run};
use dunlin_pmi::{Launcher, Protocol};
use serde::Serialize;

use crate::Answer;
use crate::paint::{DIM, GOOD, TITLE, painted, wrapped};

/// Columns before a long sentence.
const INDENT: usize = 4;

/// The answer.
#[derive(Debug, Serialize)]
pub struct Launch {
    /// The job of a batch system around this process, if there is one.
    allocation: Option<Allocation>,
    /// Who has started this process, as a rank of a job.
    started_by: String,
    /// How ranks that mpirun starts would get to their hosts.
    way: String,
    ranks: usize,
    hosts: Vec<Host>,
}

#[derive(Debug, Serialize)]
struct Allocation {
    system: &'static str,
    job: String,
    hosts: Vec<Slots>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpus_per_rank: Option<usize>,
    source: String,
    #[serde(skip)]
    text: String,
}

#[derive(Debug, Serialize)]
struct Slots {
    name: String,
    slots: usize,
}

#[derive(Debug, Serialize)]
struct Host {
    name: String,
    ranks: Vec<usize>,
    /// The CPUs of each rank, `null` where it is not bound; absent where the host itself decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    bindings: Option<Vec<Option<String>>>,
}

/// Asks the launcher's own code.
pub fn collect(settings: &Settings, arguments: &[OsString]) -> Result<Launch> {
    let wrong = |text: String| Error::new(ErrorClass::Arg, text);
    let DryRun { allocation, bootstrap, hosts } =
        dry_run(settings, arguments.to_vec()).map_err(wrong)?;
    let hosts: Vec<Host> = hosts.into_iter().map(Host::new).collect();
    let ranks = hosts.iter().map(|host| host.ranks.len()).sum();
    let way = match bootstrap {
        None => "mpirun starts them itself, on this host".into(),
        Some(words) => format!(
            "an agent on each host starts them; agents on other hosts are started by `{} HOST ...`",
            words.join(" ")
        ),
    };
    let launcher = Launcher::of_this_process(settings);
    let started_by = started_by(settings, &launcher);
    Ok(Launch { allocation: allocation.map(Allocation::new), started_by, way, ranks, hosts })
}

/// What a program of MPI would find in this process's place.
fn started_by(settings: &Settings, launcher: &Launcher) -> String {
    if settings.integer_if_set(&JOB_FD).is_some() {
        return "Dunlin's mpirun".into();
    }
    match launcher {
        Launcher::None => {
            "no launcher of ranks: a program of MPI started so is a job of one".into()
        }
        Launcher::Pmix => "a launcher that speaks PMIx".into(),
        Launcher::Descriptor { protocol, rank, size, .. } => {
            let name = match protocol {
                Protocol::One => "PMI-1",
                Protocol::Two => "PMI-2",
            };
            format!("a launcher that speaks {name}, as rank {rank} of {size}")
        }
        Launcher::Port { address, .. } => format!("a launcher that speaks PMI-1 at {address}"),
        Launcher::Mute(text) => text.clone(),
    }
}

impl Allocation {
    fn new(found: Found) -> Allocation {
        let Found { system, job, hosts, cpus_per_rank, source, text } = found;
        let hosts = hosts.into_iter().map(|(name, slots)| Slots { name, slots }).collect();
        Allocation { system, job, hosts, cpus_per_rank, source, text }
    }
}

impl Host {
    fn new(host: HostPlan) -> Host {
        let HostPlan { name, ranks, bindings } = host;
        Host { name, ranks, bindings }
    }

    fn text(&self) -> String {
        let mut text = format!("  {}\n", painted(TITLE, &self.name));
        let Some(bindings) = &self.bindings else {
            let ranks = match (self.ranks.first(), self.ranks.last()) {
                (Some(first), Some(last)) if last - first + 1 == self.ranks.len() => {
                    if first == last {
                        format!("rank {first}")
                    } else {
                        format!("ranks {first}-{last}")
                    }
                }
                _ => {
                    let ranks: Vec<_> = self.ranks.iter().map(usize::to_string).collect();
                    format!("ranks {}", ranks.join(", "))
                }
            };
            let bound = painted(DIM, "bound by what that host offers (mpirun --report-bindings)");
            text.push_str(&wrapped(&format!("{ranks}: {bound}"), INDENT));
            return text;
        };
        for (rank, cpus) in self.ranks.iter().zip(bindings) {
            let bound = match cpus {
                Some(cpus) => format!("bound to CPUs {cpus}"),
                None => painted(DIM, "not bound"),
            };
            text.push_str(&format!("{:INDENT$}rank {rank}: {bound}\n", ""));
        }
        text
    }
}

impl Answer for Launch {
    fn text(&self) -> String {
        let found = self.allocation.as_ref().map(|found| painted(GOOD, &found.text));
        let found =
            found.unwrap_or_else(|| painted(DIM, "no batch system's job around this process"));
        let mut text = format!("{}\n", painted(TITLE, "Allocation"));
        text.push_str(&wrapped(&found, 2));
        text.push_str(&format!("\n{}\n", painted(TITLE, "This process was started by")));
        text.push_str(&wrapped(&self.started_by, 2));
        let s = if self.ranks == 1 { "" } else { "s" };
        let title = format!("mpirun would start {} rank{s}", self.ranks);
        text.push_str(&format!("\n{}\n", painted(TITLE, &title)));
        text.push_str(&wrapped(&self.way, 2));
        self.hosts.iter().for_each(|host| text.push_str(&host.text()));
        text
    }
}
