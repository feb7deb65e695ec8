//! The shared cache, NUMA node and socket in which a process runs, if it may run in no other, from
//! `/sys/devices/system`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cpus::Cpus;
use crate::machine::Machine;

/// Each is 1 and the number of its first CPU, so the same for all processes there; 0 if the process
/// may run in several of them, or nothing is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuDomains {
    /// The last-level cache.
    pub cache: usize,
    /// The NUMA node.
    pub numa: usize,
    /// The socket.
    pub socket: usize,
}

impl CpuDomains {
    /// Those of this process.
    pub fn own() -> CpuDomains {
        CpuDomains::read(Path::new("/sys/devices/system"), &Machine::own_cpus())
    }

    /// Those of a process that may use the CPUs `allowed`.
    fn read(system: &Path, allowed: &Cpus) -> CpuDomains {
        let Some(cpu) = allowed.0.first() else { return CpuDomains::default() };
        let cpu = system.join(format!("cpu/cpu{cpu}"));
        let number = |list: Option<PathBuf>| {
            let cpus = list.and_then(|list| Cpus::parse(&fs::read_to_string(list).ok()?));
            let cpus = cpus.filter(|cpus| allowed.0.is_subset(&cpus.0))?;
            Some(cpus.0.first()? + 1)
        };
        let socket = ["package_cpus_list", "core_siblings_list"];
        let socket = socket.iter().find_map(|name| number(Some(cpu.join("topology").join(name))));
        CpuDomains {
            cache: number(last_cache(&cpu)).unwrap_or(0),
            numa: number(numa_node(&cpu).map(|node| node.join("cpulist"))).unwrap_or(0),
            socket: socket.unwrap_or(0),
        }
    }
}

/// Who shares the last of a CPU's caches.
fn last_cache(cpu: &Path) -> Option<PathBuf> {
    let level = |index: &PathBuf| fs::read_to_string(index.join("level")).ok()?.trim().parse().ok();
    let caches = fs::read_dir(cpu.join("cache")).into_iter().flatten().flatten();
    let with_levels = caches.filter_map(|entry| Some((level(&entry.path())?, entry.path())));
    let (_, last): (usize, PathBuf) = with_levels.max_by_key(|(level, _)| *level)?;
    Some(last.join("shared_cpu_list"))
}

/// The NUMA node of a CPU, which has a link to it.
fn numa_node(cpu: &Path) -> Option<PathBuf> {
    let is_node = |name: &str| {
        let number = name.strip_prefix("node");
        number.is_some_and(|number| number.parse::<usize>().is_ok())
    };
    let entries = fs::read_dir(cpu).ok()?.flatten();
    entries
        .map(|entry| entry.path())
        .find(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    /// CPUs 4 and 5 of a machine with two caches of four CPUs on one socket and NUMA node.
    fn tree() -> FakeTree {
        let of = |cpu: usize| {
            [
                ("cache/index0/level", "1\n", "cache/index0/shared_cpu_list", format!("{cpu}\n")),
                ("cache/index3/level", "3\n", "cache/index3/shared_cpu_list", "4-7\n".to_string()),
                ("topology/core_id", "0\n", "topology/package_cpus_list", "0-7\n".to_string()),
                ("node0/online", "1\n", "node0/cpulist", "0-7\n".to_string()),
            ]
            .map(|(one, text, other, list)| {
                let path = |name| format!("cpu/cpu{cpu}/{name}");
                [(path(one), text.to_string()), (path(other), list)]
            })
        };
        let files: Vec<(String, String)> = [4, 5].map(of).into_iter().flatten().flatten().collect();
        FakeTree::new(&files)
    }

    #[test]
    fn a_bound_process_knows_its_cache_its_node_and_its_socket() {
        let tree = tree();
        let own = |cpus: &[usize]| CpuDomains::read(tree.path(), &cpus.iter().copied().collect());
        assert_eq!(own(&[5]), CpuDomains { cache: 5, numa: 1, socket: 1 });
        assert_eq!(own(&[4, 5]), own(&[5]), "two CPUs of one cache are one place");
        assert_eq!(own(&[4, 5, 8]), CpuDomains::default(), "it may run elsewhere");
        assert_eq!(own(&[1, 4]), CpuDomains::default(), "nothing is known of CPU 1");
        assert_eq!(own(&[4, 5, 7]), own(&[5]));
        assert_eq!(own(&[]), CpuDomains::default());
    }
}
