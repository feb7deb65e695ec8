//! What the kernel tells of other processes.

use std::fs;

/// The parent of a process, 0 for none, if the process is there and may be seen. `process` is the
/// name of its directory below `/proc`.
pub fn parent_of(process: &str) -> Option<i32> {
    behind_state(process, 0)
}

/// The process group of a process.
pub fn group_of(process: &str) -> Option<i32> {
    behind_state(process, 1)
}

/// A number of `/proc/PID/stat`, which are counted behind the state.
fn behind_state(process: &str, number: usize) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The program's name before the state may hold any character.
    stat[stat.rfind(')')? + 1..].split_whitespace().nth(1 + number)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_a_parent_and_a_group() {
        let own = std::process::id().to_string();
        assert_eq!(parent_of("self").unwrap() as u32, std::os::unix::process::parent_id());
        assert_eq!(parent_of(&own), parent_of("self"));
        // Of the session's leader or of a pipeline: never of a process that is not there.
        assert!(group_of(&own).unwrap() > 0);
        assert_eq!((parent_of("none"), group_of("none")), (None, None));
    }
}
