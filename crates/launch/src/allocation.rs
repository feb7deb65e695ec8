//! What a batch system has given this job: hosts and slots, read from its variables and files.
//! Deriving them is a pure function of both; nothing here starts or changes anything.

mod grid_engine;
mod lsf;
mod nodelist;
mod pbs;
mod slurm;

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use dunlin_base::text;

use crate::failure::Failure;
use crate::hosts::{self, Collected, Host, is_name};
use crate::options::Request;
use crate::rank_map::map_ranks;

/// The most hosts an allocation is believed to have.
const HOSTS_MAX: usize = 1 << 17;

/// Variables and files, as the derivation sees them.
pub struct Outside<'a> {
    /// The value of a variable.
    pub var: &'a dyn Fn(&str) -> Option<String>,
    /// The text of a file.
    pub read: &'a dyn Fn(&Path) -> io::Result<String>,
    /// Hardware threads that this process may use.
    pub cpus: usize,
}

/// A batch system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Slurm.
    Slurm,
    /// PBS Professional and OpenPBS.
    PbsPro,
    /// Torque.
    Torque,
    /// LSF.
    Lsf,
    /// Grid Engine, whoever makes it.
    GridEngine,
}

/// What one of them has given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// Who gave it.
    pub system: System,
    /// What the job is called there.
    pub job: String,
    /// The hosts, with as many slots as ranks were asked for there.
    pub hosts: Vec<Host>,
    /// Hardware threads that were asked for each rank.
    pub cpus_per_rank: Option<usize>,
    /// The variables and files that say so.
    pub source: String,
    /// Who this machine is: by the name the system has for it, nobody of the job, or unknown.
    pub this: This,
}

/// Which of the hosts this machine is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum This {
    /// The one of this name.
    Named(String),
    /// None of them, even if it is called so: what starts here would escape the batch system.
    Nobody,
    /// The one with this machine's own name.
    Unknown,
}

impl System {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            System::Slurm => "Slurm",
            System::PbsPro => "PBS",
            System::Torque => "Torque",
            System::Lsf => "LSF",
            System::GridEngine => "Grid Engine",
        }
    }

    /// How to ask it for more slots.
    fn remedy(self) -> &'static str {
        match self {
            System::Slurm => "-n or --ntasks-per-node of sbatch and salloc",
            System::PbsPro => "mpiprocs, as in `-l select=2:ncpus=8:mpiprocs=8`",
            System::Torque => "ppn, as in `-l nodes=2:ppn=8`",
            System::Lsf => "-n of bsub",
            System::GridEngine => "-pe of qsub",
        }
    }

    /// The words that start an agent on a host whose name follows, if not those of `ssh`: processes
    /// started so belong to the job and end with it. `pbsdsh` passes no input on, so PBS has none.
    pub fn bootstrap(self) -> Option<Vec<OsString>> {
        let words: &[&str] = match self {
            System::Slurm => slurm::BOOTSTRAP,
            System::Lsf => &["blaunch"],
            System::GridEngine => &["qrsh", "-inherit"],
            System::PbsPro | System::Torque => return None,
        };
        Some(words.iter().map(OsString::from).collect())
    }
}

/// Looks for one.
pub fn find(outside: &Outside<'_>) -> Result<Option<Allocation>, Failure> {
    for find in [slurm::find, lsf::find, grid_engine::find, pbs::find] {
        if let Some(allocation) = find(outside)? {
            return allocation.checked().map(Some);
        }
    }
    Ok(None)
}

impl Allocation {
    fn checked(self) -> Result<Allocation, Failure> {
        let Allocation { hosts, source, .. } = &self;
        match hosts.iter().find(|host| !is_name(&host.name)) {
            Some(host) => {
                Err(Failure::usage(format!("{source}: `{}` is no name of a host", host.name)))
            }
            None if hosts.is_empty() => Err(Failure::usage(format!(
                "{source}: no host is named; give -host or -hostfile and set \
                 DUNLIN_ALLOCATION=none"
            ))),
            None => Ok(self),
        }
    }

    /// As in `Slurm job 17`.
    pub fn title(&self) -> String {
        format!("{} job {}", self.system.name(), self.job)
    }

    /// Ranks it has room for.
    pub fn slots(&self) -> usize {
        self.hosts.iter().map(|host| host.slots).fold(0, usize::saturating_add)
    }

    /// For people.
    pub fn text(&self) -> String {
        let (count, slots, hosts) = (self.hosts.len(), self.slots(), hosts::shown(&self.hosts));
        let cpus = self.cpus_per_rank.map_or(String::new(), |n| format!(", {n} CPUs for each"));
        let title = self.title();
        let s = |n: usize| if n == 1 { "" } else { "s" };
        let (hosts_s, slots_s) = (s(count), s(slots));
        format!(
            "{title} has {count} host{hosts_s} with {slots} slot{slots_s}{cpus}: {hosts} ({})",
            self.source
        )
    }

    /// The name by which the hosts are compared with this machine, which is called `own`.
    pub fn this<'a>(&'a self, own: &'a str) -> &'a str {
        match &self.this {
            This::Named(name) => name,
            This::Nobody => "",
            This::Unknown => own,
        }
    }

    /// Lets the job run on its hosts unless the user has named some of them, and refuses what
    /// contradicts it. `own` is this machine's name.
    pub fn apply(&self, request: &mut Request, own: &str) -> Result<(), Failure> {
        let common = &mut request.common;
        common.cpus_per_rank = common.cpus_per_rank.or(self.cpus_per_rank);
        if common.hosts.is_empty() {
            common.hosts = self.hosts.clone();
        }
        let mut hosts = Collected::default();
        let index = Index::of(&self.hosts);
        for host in std::mem::take(&mut common.hosts) {
            let known = self.host(&index, &host.name, own).ok_or_else(|| {
                let (name, title, has) = (&host.name, self.title(), hosts::shown(&self.hosts));
                Failure::usage(format!("host {name} is not in {title}, which has {has}"))
            })?;
            // By one name from here on: the system's own bootstrap command knows no other, and who
            // was named by two is one host with one agent.
            hosts.add(&known.name, host.slots);
        }
        common.hosts = hosts.hosts();
        if common.oversubscribe { Ok(()) } else { self.check_room(request) }
    }

    /// The host that a user calls so. One that the system itself calls localhost, as it may where
    /// there is only one, is meant by that name, and is this machine unless the system says who
    /// this machine is.
    fn host(&self, index: &Index<'_>, name: &str, own: &str) -> Option<&Host> {
        let called = |name: &str| index.find(name).map(|place| &self.hosts[place]);
        let this = self.this(own);
        let here = || {
            let lonely = || self.hosts.iter().find(|host| hosts::is_loopback(&host.name));
            called(this).or_else(|| lonely().filter(|_| self.this == This::Unknown))
        };
        let is_here = hosts::is_loopback(name) || hosts::is_same(name, this);
        called(name).or_else(|| if is_here { here() } else { None })
    }

    /// No host gets more ranks than slots.
    fn check_room(&self, request: &Request) -> Result<(), Failure> {
        let map_ranks = map_ranks(request, &request.common.hosts)?;
        let mut ranks_on = vec![0; map_ranks.hosts.len()];
        map_ranks.ranks.iter().for_each(|(host, _)| ranks_on[*host as usize] += 1);
        let (ranks, slots, title) = (map_ranks.ranks.len(), self.slots(), self.title());
        let has = hosts::shown(&self.hosts);
        let way = format!("ask for more ({}) or give --oversubscribe", self.system.remedy());
        let s = if slots == 1 { "" } else { "s" };
        if ranks > slots {
            return Err(Failure::usage(format!(
                "{ranks} ranks, but {title} has {slots} slot{s} ({has}); {way}"
            )));
        }
        let index = Index::of(&self.hosts);
        for (name, ranks) in map_ranks.hosts.iter().zip(ranks_on) {
            let slots = index.find(name).map_or(0, |place| self.hosts[place].slots);
            if ranks > slots {
                return Err(Failure::usage(format!(
                    "{ranks} ranks on host {name}, but {title} has {slots} there ({has}); {way}"
                )));
            }
        }
        Ok(())
    }
}

/// Hosts by their names: there may be a hundred thousand.
struct Index<'a> {
    hosts: &'a [Host],
    by_name: HashMap<&'a str, usize>,
    by_short: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Index<'a> {
    fn of(hosts: &'a [Host]) -> Index<'a> {
        let (mut by_name, mut by_short) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        for (place, host) in hosts.iter().enumerate() {
            by_name.entry(host.name.as_str()).or_insert(place);
            by_short.entry(hosts::short(&host.name)).or_default().push(place);
        }
        Index { hosts, by_name, by_short }
    }

    /// The place of the host that is called so, with its domain or without.
    fn find(&self, name: &str) -> Option<usize> {
        let alike = || {
            let mut alike = self.by_short.get(hosts::short(name))?.iter().copied();
            alike.find(|&place| hosts::is_same(&self.hosts[place].name, name))
        };
        self.by_name.get(name).copied().or_else(alike)
    }
}

/// Reads a file whose lines begin with a host's name and perhaps say more, as `form` shows; `slots`
/// reads a line's number.
fn hosts_of_file(
    variable: &str,
    path: &str,
    outside: &Outside<'_>,
    form: &str,
    slots: impl Fn(&[&str]) -> Option<usize>,
) -> Result<Vec<Host>, Failure> {
    let lines = (outside.read)(Path::new(path)).map_err(|e| {
        Failure::usage(format!(
            "{variable} is `{path}`, which cannot be read ({e}); call mpirun in the job script, on \
             the job's first host"
        ))
    })?;
    let mut hosts = Collected::default();
    for (number, line) in lines.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(name) = words.first() else { continue };
        let slots = slots(&words).filter(|_| is_name(name)).ok_or_else(|| {
            let (number, line) = (number + 1, text::shown(line));
            Failure::usage(format!("{path} ({variable}), line {number}: `{line}` is not `{form}`"))
        })?;
        hosts.add(name, slots);
        if hosts.len() > HOSTS_MAX {
            return Err(Failure::usage(format!("{path} names more than {HOSTS_MAX} hosts")));
        }
    }
    Ok(hosts.hosts())
}

#[cfg(test)]
mod tests;
