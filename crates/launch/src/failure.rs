//! Why a job was not started: a sentence and the exit status that goes with it.

/// The command line cannot be understood.
pub const STATUS_USAGE: i32 = 2;
/// The operating system refused something the launcher needs.
pub const STATUS_LAUNCH: i32 = 1;
/// The program exists but cannot be run; what a shell answers.
pub const STATUS_NOT_RUNNABLE: i32 = 126;
/// The program does not exist; what a shell answers.
pub const STATUS_NOT_FOUND: i32 = 127;

/// A reason not to start, in words for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// One sentence without the leading `mpirun: `.
    pub text: String,
    /// The exit status of `mpirun`.
    pub status: i32,
}

impl Failure {
    /// The command line is wrong.
    pub fn usage(text: impl Into<String>) -> Failure {
        Failure { text: text.into(), status: STATUS_USAGE }
    }

    /// The system call behind `what` failed.
    pub fn system(what: &str, error: impl std::fmt::Display) -> Failure {
        Failure { text: format!("{what}: {error}"), status: STATUS_LAUNCH }
    }

    /// Prints it on standard error, in one write: others may write there at the same time.
    pub fn say(&self, before: &str) {
        use std::io::Write;
        // If standard error cannot be written, there is nobody to tell.
        let _ = std::io::stderr().write_all(format!("{before}{}\n", self.text).as_bytes());
    }
}
