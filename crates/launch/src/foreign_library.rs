//! Looks whether ranks have loaded the library of Open MPI in place of ours. That cannot ask this
//! launcher for the other ranks, and each would be a job of its own, which nobody says.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dunlin_linkage::{Abi, is_same};
use nix::unistd::Pid;

use crate::abi;

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
const OF_ANOTHER_LAUNCHER: &[u8] = b"PMIX_NAMESPACE=";

/// When the ranks of a host are looked at.
#[derive(Debug)]
pub struct Lookout {
    start: Instant,
    next: usize,
}

impl Lookout {
    /// For ranks that start now. One that is alone is a job of its own anyway, and never looked at.
    pub fn new(start: Instant, world: usize) -> Lookout {
        Lookout { start, next: if world > 1 { 0 } else { LOOKS.len() } }
    }

    /// When to look the next time.
    pub fn next_time(&self) -> Option<Instant> {
        LOOKS.get(self.next).map(|&after| self.start + after)
    }

    /// Whether that time has come.
    pub fn is_due(&self, now: Instant) -> bool {
        self.next_time().is_some_and(|at| at <= now)
    }

    /// Looks at the ranks of which nothing has been heard, each with its number and the leader of
    /// its process group. The sentence for the first that has it; then that was the last look.
    pub fn look(&mut self, now: Instant, silent: &[(usize, Pid)]) -> Option<String> {
        self.next = LOOKS.iter().take_while(|&&after| self.start + after <= now).count();
        if silent.is_empty() {
            return None;
        }
        let (rank, pid, library) = processes().find_map(|(pid, group)| {
            let (rank, _) = silent.iter().find(|(_, leader)| *leader == group)?;
            Some((rank, pid, foreign_library(Path::new("/proc").join(pid.to_string()))?))
        })?;
        self.next = LOOKS.len();
        Some(format!(
            "rank {rank} (pid {pid}) has loaded `{}` of Open MPI, with which each rank is a job of \
             its own: `mpirun --abi openmpi` gives it Dunlin's library instead, whatever it looks \
             for first; or start it with Open MPI's mpirun",
            library.display()
        ))
    }
}

/// All processes, each with its group.
fn processes() -> impl Iterator<Item = (Pid, Pid)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // Behind the name, in which anything may stand: state, parent, group.
        let group = stat[stat.rfind(')')? + 1..].split_whitespace().nth(2)?.parse().ok()?;
        Some((Pid::from_raw(pid), Pid::from_raw(group)))
    })
}

/// The library of Open MPI that a process has loaded, if it is not ours in its place. `process` is
/// its directory below `/proc`.
fn foreign_library(process: PathBuf) -> Option<PathBuf> {
    let environment = fs::read(process.join("environ")).ok()?;
    if environment.split(|&byte| byte == 0).any(|text| text.starts_with(OF_ANOTHER_LAUNCHER)) {
        return None;
    }
    let maps = fs::read_to_string(process.join("maps")).ok()?;
    let library = maps.lines().find_map(library_of_line)?;
    let ours = abi::lib().map(|lib| Abi::OpenMpi.folder(&lib).join(Abi::OpenMpi.library()));
    (!ours.is_some_and(|ours| is_same(&ours, library))).then(|| library.to_path_buf())
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
    fn looks_end_and_a_rank_alone_gets_none() {
        let start = Instant::now();
        assert_eq!(Lookout::new(start, 1).next_time(), None);
        let mut lookout = Lookout::new(start, 2);
        let own = [(0, nix::unistd::getpgrp())];
        assert!(!lookout.is_due(start) && lookout.is_due(start + LOOKS[1]));
        assert_eq!(lookout.look(start + LOOKS[1], &own), None, "no library of Open MPI is here");
        assert_eq!(lookout.next_time(), Some(start + LOOKS[2]));
        assert_eq!(lookout.look(start + LOOKS[4], &own), None);
        assert_eq!(lookout.next_time(), None);
    }
}
