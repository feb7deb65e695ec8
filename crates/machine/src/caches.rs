//! The caches that the first CPU uses, from `/sys/devices/system/cpu/cpu0/cache`.

use std::fs;
use std::path::Path;

use crate::cpus::Cpus;

/// A cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    /// 1 is next to the core.
    pub level: usize,
    /// Whether it holds data, and not instructions alone.
    pub holds_data: bool,
    /// Its size.
    pub bytes: usize,
    /// The number of CPUs (hardware threads) that share it.
    pub shared_by: usize,
}

impl Cache {
    /// Those of the first CPU below `system` (`/sys/devices/system`), the nearest first. What the
    /// kernel does not know, as in many virtual machines, is left out.
    pub fn read_all(system: &Path) -> Vec<Cache> {
        let entries = fs::read_dir(system.join("cpu/cpu0/cache")).into_iter().flatten().flatten();
        let mut caches: Vec<Cache> = entries.filter_map(|e| Cache::read(&e.path())).collect();
        caches.sort_by_key(|cache| (cache.level, !cache.holds_data));
        caches
    }

    fn read(index: &Path) -> Option<Cache> {
        let text = |name: &str| fs::read_to_string(index.join(name)).ok();
        let shared = text("shared_cpu_list").and_then(|list| Cpus::parse(&list));
        Some(Cache {
            level: text("level")?.trim().parse().ok()?,
            holds_data: text("type")?.trim() != "Instruction",
            bytes: bytes(text("size")?.trim())?,
            shared_by: shared.map_or(1, |cpus| cpus.0.len().max(1)),
        })
    }
}

/// A size as the kernel writes it: `32K`, `16M` or bytes.
fn bytes(text: &str) -> Option<usize> {
    let (digits, unit) = match text.strip_suffix('K') {
        Some(digits) => (digits, 1 << 10),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1 << 20)),
    };
    digits.parse::<usize>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    #[test]
    fn caches_are_read_and_sorted() {
        let tree = FakeTree::new(&[
            ("cpu/cpu0/cache/index2/level", "3\n"),
            ("cpu/cpu0/cache/index2/type", "Unified\n"),
            ("cpu/cpu0/cache/index2/size", "32M\n"),
            ("cpu/cpu0/cache/index2/shared_cpu_list", "0-7,64-71\n"),
            ("cpu/cpu0/cache/index1/level", "1\n"),
            ("cpu/cpu0/cache/index1/type", "Instruction\n"),
            ("cpu/cpu0/cache/index1/size", "64K\n"),
            ("cpu/cpu0/cache/index0/level", "1\n"),
            ("cpu/cpu0/cache/index0/type", "Data\n"),
            ("cpu/cpu0/cache/index0/size", "32K\n"),
            ("cpu/cpu0/cache/index3/level", "4\n"),
            ("cpu/cpu0/cache/uevent", ""),
        ]);
        let caches = Cache::read_all(tree.path());
        let shown: Vec<_> =
            caches.iter().map(|c| (c.level, c.holds_data, c.bytes >> 10, c.shared_by)).collect();
        assert_eq!(shown, [(1, true, 32, 1), (1, false, 64, 1), (3, true, 32 << 10, 16)]);
        assert!(Cache::read_all(Path::new("/nonexistent")).is_empty());
    }
}
