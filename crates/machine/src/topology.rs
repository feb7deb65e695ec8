//! The cores of this machine with their sockets and NUMA nodes, from `/sys/devices/system`.

use std::fs;
use std::path::Path;

use crate::cpus::Cpus;

/// One core: its hardware threads that this process may use, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Core {
    /// Its hardware threads.
    pub cpus: Cpus,
    /// Its socket, numbered from 0 in the order found.
    pub socket: usize,
    /// Its NUMA node, numbered likewise.
    pub numa: usize,
}

/// The cores that this process may use; those of one socket and NUMA node are adjacent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Topology {
    /// The cores.
    pub cores: Vec<Core>,
}

impl Topology {
    /// Reads the tree `system` (`/sys/devices/system`) and keeps the CPUs in `allowed`. Without
    /// information in the tree, each CPU is a core, all on one socket and NUMA node.
    pub fn read(system: &Path, allowed: &Cpus) -> Topology {
        let nodes = numa_nodes(system, allowed);
        let mut sockets: Vec<Cpus> = Vec::new();
        let mut cores: Vec<Core> = Vec::new();
        let mut seen = Cpus::default();
        for &cpu in &allowed.0 {
            if seen.0.contains(&cpu) {
                continue;
            }
            let shared = |names: [&str; 2]| siblings(system, cpu, names).map(|s| s.and(allowed));
            let cpus = shared(["core_cpus_list", "thread_siblings_list"])
                .unwrap_or_else(|| Cpus::from_iter([cpu]));
            seen.0.extend(&cpus.0);
            let socket = sockets.iter().position(|s| s.0.contains(&cpu)).unwrap_or_else(|| {
                let names = ["package_cpus_list", "core_siblings_list"];
                sockets.push(shared(names).unwrap_or_else(|| allowed.clone()));
                sockets.len() - 1
            });
            let numa = nodes.iter().position(|n| n.0.contains(&cpu)).unwrap_or(0);
            cores.push(Core { cpus, socket, numa });
        }
        // A stable sort: the kernel's order remains within a node.
        cores.sort_by_key(|core| (core.socket, core.numa));
        Topology { cores }
    }
}

/// The CPUs that share a unit with `cpu`. The second name is the one of older kernels.
fn siblings(system: &Path, cpu: usize, names: [&str; 2]) -> Option<Cpus> {
    let topology = system.join(format!("cpu/cpu{cpu}/topology"));
    let text = names.iter().find_map(|name| fs::read_to_string(topology.join(name)).ok())?;
    Cpus::parse(&text).filter(|cpus| cpus.0.contains(&cpu))
}

/// The CPUs of each NUMA node that has allowed ones.
fn numa_nodes(system: &Path, allowed: &Cpus) -> Vec<Cpus> {
    let online = fs::read_to_string(system.join("node/online")).unwrap_or_default();
    let numbers = Cpus::parse(&online).unwrap_or_default();
    let list = |node: &usize| {
        let text = fs::read_to_string(system.join(format!("node/node{node}/cpulist"))).ok()?;
        Some(Cpus::parse(&text)?.and(allowed)).filter(|cpus| !cpus.0.is_empty())
    };
    numbers.0.iter().filter_map(list).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    /// Two sockets of two cores of two threads; threads of a core are 4 apart.
    fn two_sockets() -> FakeTree {
        let mut files = vec![
            ("node/online".to_string(), "0-1\n".to_string()),
            ("node/node0/cpulist".to_string(), "0-1,4-5\n".to_string()),
            ("node/node1/cpulist".to_string(), "2-3,6-7\n".to_string()),
        ];
        for cpu in 0..8 {
            let core = cpu % 4;
            let topology = format!("cpu/cpu{cpu}/topology");
            let socket = if core < 2 { "0-1,4-5\n" } else { "2-3,6-7\n" };
            files.push((format!("{topology}/core_cpus_list"), format!("{core},{}\n", core + 4)));
            files.push((format!("{topology}/package_cpus_list"), socket.to_string()));
        }
        FakeTree::new(&files)
    }

    #[test]
    fn a_core_is_all_its_threads() {
        let tree = two_sockets();
        let topology = Topology::read(tree.path(), &(0..8).collect());
        let shown: Vec<_> =
            topology.cores.iter().map(|c| (c.cpus.to_string(), c.socket, c.numa)).collect();
        let expected = [("0,4", 0, 0), ("1,5", 0, 0), ("2,6", 1, 1), ("3,7", 1, 1)];
        assert_eq!(shown, expected.map(|(cpus, s, n)| (cpus.to_string(), s, n)));
    }

    #[test]
    fn forbidden_cpus_are_left_out() {
        let tree = two_sockets();
        let topology = Topology::read(tree.path(), &Cpus::from_iter([1, 4, 6]));
        let shown: Vec<_> =
            topology.cores.iter().map(|c| (c.cpus.to_string(), c.socket, c.numa)).collect();
        let expected = [("1", 0, 0), ("4", 0, 0), ("6", 1, 1)];
        assert_eq!(shown, expected.map(|(cpus, s, n)| (cpus.to_string(), s, n)));
    }

    #[test]
    fn without_a_tree_each_cpu_is_a_core() {
        let topology = Topology::read(Path::new("/nonexistent"), &(0..3).collect());
        assert_eq!(topology.cores.len(), 3);
        assert!(topology.cores.iter().all(|core| core.socket == 0 && core.numa == 0));
    }
}
