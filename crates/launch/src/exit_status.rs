//! What the end of a rank means for the job: pure functions that give messages and exit statuses.

use dunlin_shm::RankState;
use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};

/// Added to a signal's number to make an exit status, as shells do.
pub const STATUS_SIGNAL: i32 = 128;
/// The job ran longer than `--timeout`; what `timeout` answers.
pub const STATUS_TIMEOUT: i32 = 124;
/// Something failed whose own status would say success.
const STATUS_FAILED: i32 = 1;
/// Exit statuses are this wide.
const STATUS_MASK: i32 = 0xff;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

/// Why a job cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub enum Fault {
    /// `MPI_Abort` with this code.
    Aborted(i32),
    /// Killed by this signal.
    Killed(i32),
    /// Ended between `MPI_Init` and `MPI_Finalize`, with this status.
    NotFinalized(i32),
    /// Ended with this status, which is not 0.
    Failed(i32),
    /// Could not go on, for this reason: a peer or the network is gone, which any of the others
    /// explains, and which every rank finds out by itself.
    CutOff(String),
}

/// The end of a rank that called `MPI_Abort`, or whose library did.
pub struct Abort {
    /// The code.
    pub code: i32,
    /// The library's message.
    pub why: Option<String>,
}

impl Fault {
    /// Judges a rank that has aborted.
    pub fn of_abort(abort: Abort) -> Fault {
        abort.why.map_or(Fault::Aborted(abort.code), Fault::CutOff)
    }

    /// Judges a rank that has ended; `None` if all is well.
    pub fn of(exit: Exit, state: RankState, abort: Abort) -> Option<Fault> {
        match (state, exit) {
            (RankState::Aborted, _) => Some(Fault::of_abort(abort)),
            (_, Exit::Signal(signal)) => Some(Fault::Killed(signal)),
            (RankState::Running, Exit::Status(status)) => Some(Fault::NotFinalized(status)),
            (_, Exit::Status(0)) => None,
            (_, Exit::Status(status)) => Some(Fault::Failed(status)),
        }
    }

    /// Of several faults the least is the cause of the others; among equals the first one.
    pub fn order(&self) -> u8 {
        match self {
            Fault::Aborted(_) => 0,
            Fault::Killed(_) => 1,
            Fault::NotFinalized(_) => 2,
            Fault::Failed(_) => 3,
            Fault::CutOff(_) => 4,
        }
    }

    /// The exit status of the job; never 0.
    pub fn status(&self) -> i32 {
        let status = match self {
            Fault::Aborted(code) => code & STATUS_MASK,
            Fault::Killed(signal) => STATUS_SIGNAL + signal,
            Fault::NotFinalized(status) | Fault::Failed(status) => *status,
            Fault::CutOff(_) => STATUS_FAILED,
        };
        // An abort with code 0 is a failure, too.
        if status == 0 { STATUS_FAILED } else { status }
    }

    /// The sentence for the user; `others` tells whether other ranks had to be ended.
    pub fn sentence(&self, rank: usize, pid: i32, host: &str, others: bool) -> String {
        let process = format!("(pid {pid} on {host})");
        let what = match self {
            Fault::Aborted(code) => format!("called MPI_Abort with code {code} {process}"),
            Fault::Killed(signal) => {
                format!("{process} was killed by signal {signal}{}", meaning(*signal))
            }
            Fault::NotFinalized(status) => {
                format!("{process} exited with status {status} without calling MPI_Finalize")
            }
            Fault::Failed(status) => format!("{process} exited with status {status}"),
            Fault::CutOff(why) => format!("{process} cannot go on: {why}"),
        };
        let end = if others { "; the other ranks were ended" } else { "" };
        format!("mpirun: rank {rank} {what}{end}\n")
    }
}

/// What a signal's number stands for, in brackets.
fn meaning(signal: i32) -> String {
    let Ok(signal) = Signal::try_from(signal) else { return String::new() };
    let words = match signal {
        Signal::SIGSEGV => "segmentation fault",
        Signal::SIGABRT => "aborted",
        Signal::SIGBUS => "bus error",
        Signal::SIGFPE => "arithmetic error",
        Signal::SIGILL => "illegal instruction",
        Signal::SIGKILL => "killed, perhaps for lack of memory",
        Signal::SIGTERM => "terminated",
        Signal::SIGPIPE => "nobody reads its output",
        other => other.as_str(),
    };
    format!(" ({words})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(code: i32) -> Abort {
        Abort { code, why: None }
    }

    #[test]
    fn a_normal_end_is_no_fault() {
        assert_eq!(Fault::of(Exit::Status(0), RankState::Finalized, code(0)), None);
        assert_eq!(Fault::of(Exit::Status(0), RankState::Unborn, code(0)), None);
    }

    #[test]
    fn leaving_without_finalize_is_a_fault_even_with_status_0() {
        let fault = Fault::of(Exit::Status(0), RankState::Running, code(0)).unwrap();
        assert_eq!(fault.status(), 1);
        assert_eq!(fault, Fault::NotFinalized(0));
    }

    #[test]
    fn the_status_is_the_failing_ranks() {
        let status = |exit, state, with| Fault::of(exit, state, code(with)).unwrap().status();
        assert_eq!(status(Exit::Status(3), RankState::Finalized, 0), 3);
        assert_eq!(status(Exit::Signal(11), RankState::Running, 0), 139);
        assert_eq!(status(Exit::Status(9), RankState::Aborted, 3), 3);
        assert_eq!(status(Exit::Signal(6), RankState::Aborted, 256), 1);
        assert_eq!(status(Exit::Status(0), RankState::Aborted, -1), 255);
    }

    #[test]
    fn an_abort_is_graver_than_what_follows_from_it() {
        let cut_off = Fault::CutOff("a".into());
        let mut faults = [cut_off.clone(), Fault::Failed(1), Fault::Killed(15), Fault::Aborted(3)];
        faults.sort_by_key(Fault::order);
        assert_eq!(faults[0], Fault::Aborted(3));
        assert_eq!(faults[3], cut_off);
    }

    #[test]
    fn sentences_name_rank_process_host_and_cause() {
        assert_eq!(
            Fault::Killed(11).sentence(1, 4711, "here", true),
            "mpirun: rank 1 (pid 4711 on here) was killed by signal 11 (segmentation fault); the \
             other ranks were ended\n"
        );
        let text = Fault::Aborted(3).sentence(2, 5, "here", false);
        assert_eq!(text, "mpirun: rank 2 called MPI_Abort with code 3 (pid 5 on here)\n");
    }
    #[test]
    fn what_the_library_has_to_say_is_said_for_it() {
        let abort = Abort { code: 1, why: Some("rank 2 on b does not answer".into()) };
        let fault = Fault::of(Exit::Status(1), RankState::Aborted, abort).unwrap();
        assert_eq!(
            fault.sentence(0, 7, "a", true),
            "mpirun: rank 0 (pid 7 on a) cannot go on: rank 2 on b does not answer; the other \
             ranks were ended\n"
        );
    }
}
