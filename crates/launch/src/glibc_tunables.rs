//! What the C library is told by its own variable, for ranks that share cores.

use std::ffi::OsString;

/// Settings of the GNU C library, `name=value` with colons between; others do not look at it.
const VARIABLE: &str = "GLIBC_TUNABLES";
/// Whether each thread registers a restartable sequence (glibc 2.35 and later). The kernel then
/// writes to that thread's memory whenever it goes on, which is about a twelfth of a turn.
const SEQUENCES: &str = "glibc.pthread.rseq";

/// Lets ranks that take turns on a core do so without restartable sequences, unless whoever
/// started the job has said something about them.
pub fn disable_rseq(env: &mut Vec<(OsString, OsString)>) {
    let wish = format!("{SEQUENCES}=0");
    match env.iter_mut().find(|(name, _)| name == VARIABLE) {
        None => env.push((VARIABLE.into(), wish.into())),
        Some((_, said)) if said.to_string_lossy().contains(SEQUENCES) => {}
        Some((_, said)) => {
            if !said.is_empty() {
                said.push(":");
            }
            said.push(wish);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(before: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut env = before.iter().map(|(name, value)| (name.into(), value.into())).collect();
        disable_rseq(&mut env);
        let text = |word: OsString| word.into_string().unwrap();
        env.into_iter().map(|(name, value)| (text(name), text(value))).collect()
    }

    fn said(value: &str) -> Vec<(String, String)> {
        vec![("A".into(), "b".into()), (VARIABLE.into(), value.into())]
    }

    #[test]
    fn the_setting_stands_beside_other_tunables() {
        assert_eq!(after(&[("A", "b")]), said("glibc.pthread.rseq=0"));
        assert_eq!(after(&[("A", "b"), (VARIABLE, "")]), said("glibc.pthread.rseq=0"));
        let other = "glibc.malloc.check=1";
        let both = "glibc.malloc.check=1:glibc.pthread.rseq=0";
        assert_eq!(after(&[("A", "b"), (VARIABLE, other)]), said(both));
    }

    #[test]
    fn what_the_user_says_of_sequences_stays() {
        let on = "glibc.pthread.rseq=1";
        assert_eq!(after(&[("A", "b"), (VARIABLE, on)]), said(on));
    }
}
