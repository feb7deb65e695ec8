//! The hardware resources to which this process is restricted, as the kernel reports them (MPI 5.0,
//! sections 7.4.2 and 11.2.2).

use std::collections::BTreeSet;
use std::ffi::CStr;
use std::fs;
use std::path::Path;

/// Resource types, larger ones first, and a CPU's file that lists all CPUs of the same resource.
const KINDS: [(&CStr, &str); 4] = [
    (c"linux://package", "topology/package_cpus_list"),
    (c"linux://numa", "node/cpulist"),
    (c"linux://l3", "cache/index3/shared_cpu_list"),
    (c"linux://core", "topology/core_cpus_list"),
];

/// The resource type that every library has: processes that can share memory.
pub const SHARED_MEMORY: &CStr = c"mpi_shared_memory";

/// The names of all resource types, larger ones first.
pub fn kinds() -> impl Iterator<Item = &'static CStr> {
    KINDS.iter().map(|k| k.0)
}

/// The resource of this type to which this process is restricted: a number that is unique among
/// those of its type on this machine. `None` if there is none.
pub fn instance(kind: &CStr) -> Option<u32> {
    let file = KINDS.iter().find(|k| k.0 == kind)?.1;
    within(Path::new("/sys/devices/system/cpu"), &allowed()?, file)
}

fn within(system: &Path, allowed: &BTreeSet<u32>, file: &str) -> Option<u32> {
    let cpu = system.join(format!("cpu{}", allowed.first()?));
    let path = match file.strip_prefix("node/") {
        Some(rest) => node_of(&cpu)?.join(rest),
        None => cpu.join(file),
    };
    let cpus = parse(&fs::read_to_string(path).ok()?)?;
    if allowed.is_subset(&cpus) { cpus.first().copied() } else { None }
}

/// The NUMA node of a CPU: the only entry of its directory named `node` and a number.
fn node_of(cpu: &Path) -> Option<std::path::PathBuf> {
    let is_node = |name: &str| name.strip_prefix("node").is_some_and(|n| n.parse::<u32>().is_ok());
    let mut entries = fs::read_dir(cpu).ok()?.flatten();
    entries.find(|e| e.file_name().to_str().is_some_and(is_node)).map(|e| e.path())
}

/// A list such as `0-3,8`.
fn parse(list: &str) -> Option<BTreeSet<u32>> {
    let mut cpus = BTreeSet::new();
    for part in list.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        cpus.extend(first.parse::<u32>().ok()?..=last.parse().ok()?);
    }
    Some(cpus)
}

/// The CPUs on which this process may run.
fn allowed() -> Option<BTreeSet<u32>> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    parse(status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cpus_are_read() {
        assert_eq!(parse("0-2,8\n"), Some(BTreeSet::from([0, 1, 2, 8])));
        assert_eq!(parse("5"), Some(BTreeSet::from([5])));
        assert_eq!(parse("x"), None);
    }

    #[test]
    fn a_process_is_in_what_holds_all_its_cpus() {
        let tree = std::env::temp_dir().join(format!("dunlin-cpus-{}", std::process::id()));
        let cpu = tree.join("cpu4");
        fs::create_dir_all(cpu.join("topology")).unwrap();
        fs::create_dir_all(cpu.join("node1")).unwrap();
        fs::write(cpu.join("topology/core_cpus_list"), "4-5\n").unwrap();
        fs::write(cpu.join("node1/cpulist"), "2-7\n").unwrap();
        let core = |cpus: &[u32]| {
            within(&tree, &cpus.iter().copied().collect(), "topology/core_cpus_list")
        };
        assert_eq!((core(&[4]), core(&[4, 5]), core(&[4, 6])), (Some(4), Some(4), None));
        assert_eq!(within(&tree, &BTreeSet::from([4, 6]), "node/cpulist"), Some(2));
        fs::remove_dir_all(&tree).unwrap();
    }
}
