//! What the kernel tells of other processes.

use std::fs;

/// The parent of a process and its process group, if it is there and may be seen. `process` is the
/// name of its directory below `/proc`.
pub fn parent_and_group(process: &str) -> Option<(i32, i32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind the program's name, which may hold any character: the state, the parent, the group.
    let mut behind = stat[stat.rfind(')')? + 1..].split_whitespace().skip(1);
    Some((behind.next()?.parse().ok()?, behind.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_a_parent_and_a_group() {
        let own = parent_and_group("self");
        assert_eq!(own, parent_and_group(&std::process::id().to_string()));
        assert_eq!(own.unwrap().0 as u32, std::os::unix::process::parent_id());
        assert_eq!(parent_and_group("none"), None);
    }
}
