//! Looks whether ranks have loaded the library of Open MPI in place of ours. That cannot ask this
//! launcher for the other ranks: each would be a job of its own, which nobody says.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dunlin_base::settings::JOB_RANK;
use dunlin_linkage::{Abi, is_same};
use dunlin_machine::group_of;
use nix::unistd::Pid;

use crate::abi::{self, Choice};

/// When to look, from the start on: most programs load their libraries at once, scripts and what
/// they start later.
const LOOKS: [Duration; 5] = [
    Duration::from_millis(200),
    Duration::from_millis(600),
    Duration::from_secs(2),
    Duration::from_secs(8),
    Duration::from_secs(30),
];
/// By this another launcher, started within a rank, tells its ranks about itself.
const OF_ANOTHER_LAUNCHER: &str = "PMIX_NAMESPACE";

/// The looks at the ranks of a host.
#[derive(Debug)]
pub struct ForeignLibraryCheck {
    start: Instant,
    next: usize,
    choice: Choice,
}

impl ForeignLibraryCheck {
    /// For ranks that start now. A rank that is alone is a job of its own anyway, and who chooses
    /// that ranks run with what they find knows it.
    pub fn new(start: Instant, world: usize, choice: Choice) -> ForeignLibraryCheck {
        let looks = world > 1 && choice != Choice::None;
        ForeignLibraryCheck { start, next: if looks { 0 } else { LOOKS.len() }, choice }
    }

    /// When to look the next time.
    pub fn next_time(&self) -> Option<Instant> {
        LOOKS.get(self.next).map(|&after| self.start + after)
    }

    /// Whether that time has come.
    pub fn is_due(&self, now: Instant) -> bool {
        self.next_time().is_some_and(|at| at <= now)
    }

    /// Looks at the ranks that run and have not begun MPI, each with its number and the leader of
    /// its process group. The sentence for the first that has such a library. It was the last look
    /// if there is one, or no such rank.
    pub fn look(&mut self, now: Instant, not_begun: &[(usize, Pid)]) -> Option<String> {
        self.next = LOOKS.len();
        if not_begun.is_empty() {
            return None;
        }
        let found = processes().find_map(|(pid, group)| {
            let (rank, _) = not_begun.iter().find(|(_, leader)| leader.as_raw() == group)?;
            let (library, has_variables) = foreign_library(&Path::new("/proc").join(&pid))?;
            Some((rank, pid, library, has_variables))
        });
        let Some((rank, pid, library, has_variables)) = found else {
            self.next = LOOKS.iter().take_while(|&&after| self.start + after <= now).count();
            return None;
        };
        let library = library.display();
        let has_ours = abi::lib().is_some_and(|lib| Abi::OpenMpi.installed(&lib).is_some());
        let advice = match self.choice {
            _ if !has_variables => {
                "what has started it has removed mpirun's variables: let them through"
            }
            Choice::OpenMpi => {
                "what stands between mpirun and it has changed LD_PRELOAD and LD_LIBRARY_PATH"
            }
            _ if has_ours => "start it with `mpirun --abi openmpi`, which preloads Dunlin's",
            _ => "start it with the mpirun of that library",
        };
        Some(format!(
            "rank {rank} (pid {pid}) has loaded `{library}`, not Dunlin's library: if it uses MPI, \
             each rank is a job of its own; {advice}"
        ))
    }
}

/// All processes, by the names of their directories below `/proc`, each with its group.
fn processes() -> impl Iterator<Item = (String, i32)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let group = group_of(&name)?;
        // Not `self`, which is a link.
        name.bytes().all(|byte| byte.is_ascii_digit()).then_some((name, group))
    })
}

/// The library of Open MPI that a process has loaded, if it has not loaded ours as well, and
/// whether it has our variables. `process` is its directory below `/proc`.
fn foreign_library(process: &Path) -> Option<(PathBuf, bool)> {
    let environment = fs::read(process.join("environ")).ok()?;
    let has = |name: &str| {
        let is_it =
            |text: &[u8]| text.strip_prefix(name.as_bytes())?.starts_with(b"=").then_some(());
        environment.split(|&byte| byte == 0).any(|text| is_it(text).is_some())
    };
    if has(OF_ANOTHER_LAUNCHER) {
        return None;
    }
    let maps = fs::read(process.join("maps")).ok()?;
    let maps = String::from_utf8_lossy(&maps);
    let ours = abi::lib().map(|lib| Abi::OpenMpi.folder(&lib).join(Abi::OpenMpi.library()));
    let mut libraries = maps.lines().filter_map(library_of_line).peekable();
    let first = *libraries.peek()?;
    let is_ours = |library: &Path| ours.as_ref().is_some_and(|ours| is_same(ours, library));
    (!libraries.any(is_ours)).then(|| (first.to_path_buf(), has(JOB_RANK.name)))
}

/// The file of a mapping, if it is Open MPI's library; it may have more numbers behind its name.
fn library_of_line(line: &str) -> Option<&Path> {
    let path = Path::new(&line[line.find('/')?..]);
    let name = path.file_name()?.to_str()?;
    let numbers = name.strip_prefix(Abi::OpenMpi.library())?;
    (numbers.is_empty() || numbers.starts_with('.')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapped_library_of_open_mpi_is_known_by_its_name() {
        let of = |file: &str| {
            let line = format!("7f00-7f10 r--p 00000000 fe:00 12      {file}");
            library_of_line(&line).map(Path::to_path_buf)
        };
        for file in ["/usr/lib/libmpi.so.40.30.4", "/o p t/libmpi.so.40"] {
            assert_eq!(of(file), Some(file.into()));
        }
        for file in ["/usr/lib/libmpi.so.12", "/usr/lib/libmpi.so.400", "[heap]", ""] {
            assert_eq!(of(file), None, "{file}");
        }
    }

    #[test]
    fn looks_end() {
        let start = Instant::now();
        let check = |world, choice| ForeignLibraryCheck::new(start, world, choice);
        assert_eq!(check(1, Choice::Auto).next_time(), None, "a rank that is alone");
        assert_eq!(check(2, Choice::None).next_time(), None, "as it was chosen");
        let mut some = check(2, Choice::Auto);
        let own = [(0, nix::unistd::getpgrp())];
        assert!(!some.is_due(start) && some.is_due(start + LOOKS[1]));
        assert_eq!(some.look(start + LOOKS[1], &own), None, "no library of Open MPI is here");
        assert_eq!(some.next_time(), Some(start + LOOKS[2]));
        assert_eq!(some.look(start + LOOKS[4], &own), None);
        assert_eq!(some.next_time(), None);
        let mut begun = check(2, Choice::Auto);
        assert_eq!((begun.look(start + LOOKS[0], &[]), begun.next_time()), (None, None));
    }
}
