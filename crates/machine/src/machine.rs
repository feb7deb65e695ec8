//! The facts about this machine that the planner needs.

use std::path::Path;

use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::{Pid, gethostname};

use crate::cpus::Cpus;
use crate::quota;
use crate::topology::Topology;

/// The cores that this process may use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Machine {
    /// The host's name, for messages.
    pub host: String,
    /// The cores in the affinity mask.
    pub topology: Topology,
    /// The number of hardware threads in the affinity mask.
    pub cpus: usize,
    /// The number of whole cores that the control groups grant; `None` if they set no limit.
    pub quota: Option<usize>,
}

impl Machine {
    /// Reads the facts about this machine.
    pub fn this() -> Machine {
        let allowed = allowed_cpus();
        Machine {
            host: Machine::host_name(),
            topology: Topology::read(Path::new("/sys/devices/system"), &allowed),
            cpus: allowed.0.len(),
            quota: quota::own_cores(),
        }
    }

    /// The name of this host.
    pub fn host_name() -> String {
        gethostname().map_or("this host".into(), |name| name.to_string_lossy().into())
    }

    /// Identifies this machine and the part of it that may be used: two hosts with the same
    /// identity share their cores.
    pub fn identity() -> String {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        format!("{} {}", boot.trim(), allowed_cpus())
    }

    /// Identifies the processes that can share memory: those under this machine's kernel, and in
    /// this container if it has a network namespace of its own.
    pub fn host_identity() -> String {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let network = std::fs::read_link("/proc/self/ns/net").unwrap_or_default();
        format!("{} {}", boot.trim(), network.display())
    }

    /// The number of ranks to start when the user gives none. A core counts once: its hardware
    /// threads share its execution units.
    pub fn slots(&self) -> usize {
        self.within_quota(self.topology.cores.len())
    }

    /// The number of ranks that can run at the same time. It decides how ranks wait for each other.
    pub fn at_once(&self) -> usize {
        self.within_quota(self.cpus)
    }

    /// The hardware threads that this process may use.
    pub fn own_cpus() -> Cpus {
        allowed_cpus()
    }

    /// The number of ranks that can run at the same time on these hardware threads, within the
    /// quota.
    pub fn at_once_on(cpus: &Cpus) -> usize {
        Machine { cpus: cpus.0.len(), quota: quota::own_cores(), ..Machine::default() }.at_once()
    }

    /// Whether the quota is smaller than the number of cores.
    pub fn is_under_quota(&self) -> bool {
        self.quota.is_some_and(|quota| quota < self.topology.cores.len())
    }

    fn within_quota(&self, cores: usize) -> usize {
        cores.min(self.quota.unwrap_or(cores)).max(1)
    }
}

/// The affinity mask. A machine that is too large for the mask has as many CPUs as the standard
/// library counts.
fn allowed_cpus() -> Cpus {
    match sched_getaffinity(Pid::from_raw(0)) {
        Ok(set) => (0..CpuSet::count()).filter(|&cpu| set.is_set(cpu).unwrap_or(false)).collect(),
        Err(_) => (0..std::thread::available_parallelism().map_or(1, usize::from)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Core;

    #[test]
    fn the_smaller_of_affinity_and_quota_counts() {
        let core = |n: usize| Core { cpus: Cpus::from_iter([n, n + 4]), socket: 0, numa: 0 };
        let topology = Topology { cores: (0..4).map(core).collect() };
        let machine =
            |quota| Machine { topology: topology.clone(), cpus: 8, quota, ..Machine::default() };
        assert_eq!((machine(None).slots(), machine(None).at_once()), (4, 8));
        assert_eq!((machine(Some(2)).slots(), machine(Some(2)).at_once()), (2, 2));
        assert_eq!((machine(Some(6)).slots(), machine(Some(6)).at_once()), (4, 6));
        assert!(machine(Some(2)).is_under_quota() && !machine(Some(6)).is_under_quota());
    }
}
