//! The CPU time, in cores, that the control groups grant this process. In a container that may use
//! two cores of sixty-four, the affinity mask shows all sixty-four; only the quota shows the limit.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The quota of this process in whole cores, at least 1; `None` if there is none.
pub fn own_cores() -> Option<usize> {
    let memberships = fs::read_to_string("/proc/self/cgroup").ok()?;
    cores(Path::new("/sys/fs/cgroup"), &memberships)
}

/// The quota that `memberships` (the text of `/proc/self/cgroup`) implies below the mount point
/// `root`. Groups nest and each may have a quota, so the smallest one on the path to the root
/// counts.
pub fn cores(root: &Path, memberships: &str) -> Option<usize> {
    let quotas = memberships.lines().flat_map(|line| line_quotas(root, line));
    let least = quotas.min_by(f64::total_cmp)?;
    // Rounded down: half a core cannot run another busy rank.
    Some((least as usize).max(1))
}

/// The quotas of the group that one line, `number:controllers:path`, names.
fn line_quotas(root: &Path, line: &str) -> Vec<f64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { return Vec::new() };
    let group = Path::new(path);
    if controllers.is_empty() {
        // Version 2 is mounted at the root, or beside version 1 in `unified`.
        let mounts = [root.to_path_buf(), root.join("unified")];
        return mounts.iter().flat_map(|m| walk_up(m, group, quota_v2)).collect();
    }
    if !controllers.split(',').any(|name| name == "cpu") {
        return Vec::new();
    }
    // Version 1 names the mount after all its controllers, and usually has a link for each single
    // name.
    let mut mounts = vec![root.join(controllers)];
    if controllers != "cpu" {
        mounts.push(root.join("cpu"));
    }
    mounts.iter().flat_map(|m| walk_up(m, group, quota_v1)).collect()
}

/// The quotas of `group` and all groups above it. Missing directories are skipped: inside a
/// container, the path may be the host's.
fn walk_up(mount: &Path, group: &Path, quota: fn(&Path) -> Option<f64>) -> Vec<f64> {
    let names: PathBuf = group
        .components()
        .take_while(|part| *part != Component::ParentDir)
        .filter(|part| matches!(part, Component::Normal(_)))
        .collect();
    names.ancestors().filter_map(|above| quota(&mount.join(above))).collect()
}

/// `cpu.max` holds `quota period` in microseconds, or `max period` without a limit.
fn quota_v2(group: &Path) -> Option<f64> {
    let text = fs::read_to_string(group.join("cpu.max")).ok()?;
    let (quota, period) = text.trim().split_once(' ')?;
    ratio(quota, period)
}

/// Version 1 holds quota and period in one file each; a quota of -1 means none.
fn quota_v1(group: &Path) -> Option<f64> {
    let quota = fs::read_to_string(group.join("cpu.cfs_quota_us")).ok()?;
    let period = fs::read_to_string(group.join("cpu.cfs_period_us")).ok()?;
    ratio(quota.trim(), period.trim())
}

fn ratio(quota: &str, period: &str) -> Option<f64> {
    let (quota, period): (f64, f64) = (quota.parse().ok()?, period.parse().ok()?);
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    #[test]
    fn the_smallest_quota_on_the_way_up_counts() {
        let tree = FakeTree::new(&[
            ("a/cpu.max", "800000 100000\n"),
            ("a/b/cpu.max", "250000 100000\n"),
            ("a/b/c/cpu.max", "max 100000\n"),
        ]);
        assert_eq!(cores(tree.path(), "0::/a/b/c\n"), Some(2));
        assert_eq!(cores(tree.path(), "0::/a\n"), Some(8));
        assert_eq!(cores(tree.path(), "0::/\n"), None);
    }

    #[test]
    fn less_than_a_core_counts_as_one() {
        let tree = FakeTree::new(&[("cpu.max", "50000 100000\n")]);
        assert_eq!(cores(tree.path(), "0::/\n"), Some(1));
    }

    #[test]
    fn version_1_is_found_under_its_mounts() {
        let joint = FakeTree::new(&[
            ("cpu,cpuacct/x/cpu.cfs_quota_us", "300000\n"),
            ("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n"),
        ]);
        assert_eq!(cores(joint.path(), "4:memory:/x\n3:cpu,cpuacct:/x/y\n"), Some(3));
        let single =
            FakeTree::new(&[("cpu/cpu.cfs_quota_us", "-1\n"), ("cpu/cpu.cfs_period_us", "100000")]);
        assert_eq!(cores(single.path(), "1:cpu:/\n0::/\n"), None);
    }

    #[test]
    fn a_path_of_the_host_still_finds_the_containers_quota() {
        let tree = FakeTree::new(&[("cpu.max", "200000 100000\n")]);
        assert_eq!(cores(tree.path(), "0::/../../docker/abc\n"), Some(2));
        assert_eq!(cores(tree.path(), "0::/docker/abc\n"), Some(2));
    }
}
