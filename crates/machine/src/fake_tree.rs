//! Small directory trees that replace `/sys` in tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory with files in it, removed when dropped.
pub struct FakeTree(PathBuf);

impl FakeTree {
    /// Makes a tree from pairs of relative path and content.
    pub fn new<T: AsRef<str>>(files: &[(T, T)]) -> FakeTree {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("dunlin-machine-test-{}-{number}", std::process::id());
        let root = std::env::temp_dir().join(name);
        for (path, content) in files {
            let path = root.join(path.as_ref());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content.as_ref()).unwrap();
        }
        FakeTree(root)
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for FakeTree {
    fn drop(&mut self) {
        // A tree that stays in the temporary directory harms no later test: names are unique.
        let _ = fs::remove_dir_all(&self.0);
    }
}
