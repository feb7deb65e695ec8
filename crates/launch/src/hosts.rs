//! The hosts of a job: `-host a:2,b` and host files in either dialect (`a slots=2`, `a:2`).

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use dunlin_base::text;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// A host and how many ranks it takes before the next one's turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Host {
    /// Its name, as the user gave it.
    pub name: String,
    /// Its slots: as said, or the times it was mentioned.
    pub slots: usize,
}

/// Words of host files that say something about a host we have no use for: the most ranks it may
/// get, who logs in, what Hydra would bind to.
const IGNORED: [&str; 7] =
    ["max_slots=", "max-slots=", "ifname=", "binding=", "username=", "user=", "port="];

/// Words by which host files say the number of slots.
const SLOTS: [&str; 4] = ["slots=", "count=", "cpu=", "cpus="];
/// The most hosts a message names.
const SHOWN_MAX: usize = 16;

/// Hosts that are being collected. One that is named again gets more slots.
#[derive(Debug, Default)]
pub struct Collected {
    hosts: Vec<Host>,
    place_of: HashMap<String, usize>,
}

impl Collected {
    /// Adds a mention of a host.
    pub fn add(&mut self, name: &str, slots: usize) {
        match self.place_of.get(name) {
            Some(&place) => {
                let known = &mut self.hosts[place].slots;
                *known = known.saturating_add(slots);
            }
            None => {
                self.place_of.insert(name.to_string(), self.hosts.len());
                self.hosts.push(Host { name: name.to_string(), slots });
            }
        }
    }

    /// How many hosts there are.
    pub fn len(&self) -> usize {
        self.hosts.len()
    }

    /// The hosts, in the order of their first mention.
    pub fn hosts(self) -> Vec<Host> {
        self.hosts
    }
}

/// Reads `a:2,b,c`.
pub fn parse_list(option: &str, list: &str) -> Result<Vec<Host>, Failure> {
    let mut hosts = Collected::default();
    for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let (name, slots) = split_count(word).ok_or_else(|| {
            let word = text::shown(word);
            Failure::usage(format!(
                "{option}: `{word}` is no host; write a name, or a name and a number as in `a:4`"
            ))
        })?;
        hosts.add(name, slots);
    }
    match hosts.len() {
        0 => Err(Failure::usage(format!("{option} is `{}`; it names no host", text::shown(list)))),
        _ => Ok(hosts.hosts()),
    }
}

/// Reads a host file.
pub fn read_file(option: &str, path: &Path) -> Result<Vec<Host>, Failure> {
    let shown = path.display();
    let text = File::open(path)
        .and_then(text::read)
        .map_err(|e| Failure::usage(format!("{option}: `{shown}` cannot be read: {e}")))?;
    parse_file(&shown.to_string(), &text)
}

fn parse_file(path: &str, text: &str) -> Result<Vec<Host>, Failure> {
    let mut hosts = Collected::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        let wrong = |word: &str| {
            let (line, word) = (number + 1, text::shown(word));
            Failure::usage(format!(
                "{path}, line {line}: `{word}` is not understood; a line is `host`, `host:4` or \
                 `host slots=4`"
            ))
        };
        let (name, mut slots) = split_count(first).ok_or_else(|| wrong(first))?;
        for word in words {
            let count = SLOTS.iter().find_map(|slots| word.strip_prefix(slots));
            match count.map(str::parse) {
                Some(Ok(count)) if count > 0 => slots = count,
                None if IGNORED.iter().any(|ignored| word.starts_with(ignored)) => {}
                _ => return Err(wrong(word)),
            }
        }
        hosts.add(name, slots);
    }
    match hosts.len() {
        0 => Err(Failure::usage(format!("{path} names no host"))),
        _ => Ok(hosts.hosts()),
    }
}

/// `name` or `name:count`. An IPv6 address has more than one colon and no count unless it stands
/// in brackets.
fn split_count(word: &str) -> Option<(&str, usize)> {
    let bare = |name: &str| name.matches(':').count() > 1 && !name.starts_with('[');
    let (name, slots) = match word.rsplit_once(':') {
        Some((name, count)) if !bare(word) && !name.is_empty() && !count.ends_with(']') => {
            (name, count.parse().ok().filter(|&count| count > 0)?)
        }
        _ => (word, 1),
    };
    let name = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name);
    is_name(name).then_some((name, slots))
}

/// Whether a host may be called so. A name goes onto a command line: it must not look like an
/// option there.
pub fn is_name(name: &str) -> bool {
    let is_known = |c: char| c.is_alphanumeric() || "-_.:@%".contains(c);
    let is_empty = name.is_empty() || (name.starts_with(':') && !name.starts_with("::"));
    !is_empty && !name.starts_with('-') && name.chars().all(is_known)
}

/// Hosts as `-host` takes them; of many, the first.
pub fn shown(hosts: &[Host]) -> String {
    let shown = hosts.iter().take(SHOWN_MAX).map(|host| format!("{}:{}", host.name, host.slots));
    let shown = shown.collect::<Vec<_>>().join(",");
    match hosts.len().saturating_sub(SHOWN_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Whether a name means the machine called `this`; nothing is no machine.
pub fn is_this(name: &str, this: &str) -> bool {
    !this.is_empty() && (is_loopback(name) || is_same(name, this))
}

/// Whether every machine has this name for itself.
pub fn is_loopback(name: &str) -> bool {
    ["localhost", "127.0.0.1", "::1"].contains(&name)
}

/// Whether two names mean the same host: `node7` and `node7.cluster`, but not `node7.here` and
/// `node7.there`.
pub fn is_same(a: &str, b: &str) -> bool {
    a == b || (short(a) == short(b) && (!a.contains('.') || !b.contains('.')))
}

/// A host's name without its domain: two names of the same host have this in common.
pub fn short(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Result<String, String> {
        parse_list("--host", text).map(|hosts| shown(&hosts)).map_err(|failure| failure.text)
    }

    fn file(text: &str) -> Result<String, String> {
        parse_file("hosts", text).map(|hosts| shown(&hosts)).map_err(|failure| failure.text)
    }

    #[test]
    fn lists_name_hosts_and_slots() {
        assert_eq!(list("a,b:4,c").unwrap(), "a:1,b:4,c:1");
        assert_eq!(list("a,b,a").unwrap(), "a:2,b:1", "named twice is two slots");
        assert_eq!(list("fe80::1,[fe80::2]:3,[::1]").unwrap(), "fe80::1:1,fe80::2:3,::1:1");
        for wrong in ["", ",", "a:0", "a:x", "a:-1", "-oProxyCommand=x", "a b", "a;b", ":3"] {
            assert!(list(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn host_files_are_read_in_both_dialects() {
        let open_mpi = "# our machines\nnode1 slots=4\n\nnode2 slots=2 max_slots=8  # slow\n";
        assert_eq!(file(open_mpi).unwrap(), "node1:4,node2:2");
        assert_eq!(file("node1:4\nnode2:2 ifname=eth1\n").unwrap(), "node1:4,node2:2");
        assert_eq!(file("n1\nn1\nn2\nn1\n").unwrap(), "n1:3,n2:1", "one line for each slot");
    }

    #[test]
    fn host_files_of_other_systems_and_hosts_without_end_are_read() {
        assert_eq!(file("a\r\nb slots=2\r\n\r\n").unwrap(), "a:1,b:2");
        assert_eq!(file("a cpus=3 username=me port=22\n").unwrap(), "a:3");
        let most = usize::MAX;
        assert_eq!(list(&format!("a:{most},a:{most}")).unwrap(), format!("a:{most}"));
        let many: String = (0..200_000).map(|n| format!("node{n}\n")).collect();
        let hosts = parse_file("hosts", &(many.clone() + &many)).unwrap();
        assert_eq!((hosts.len(), hosts[7].slots), (200_000, 2));
        assert!(shown(&hosts).ends_with("node15:2 and 199984 more"));
    }

    #[test]
    fn what_is_wrong_is_shown_as_far_as_it_helps() {
        let text = file("a\n\0b\n").unwrap_err();
        assert!(text.contains("hosts, line 2: `\\u{0}b`"), "{text}");
        let text = file(&"x;".repeat(1_000_000)).unwrap_err();
        assert!(text.len() < 500, "{}", text.len());
        let failure = read_file("-f", Path::new("/dev/zero")).unwrap_err();
        assert!(failure.text.contains("cannot be read: it has more than"), "{failure:?}");
    }

    #[test]
    fn a_wrong_line_is_named() {
        let text = file("a\n\nb slots=many\n").unwrap_err();
        assert!(text.contains("hosts, line 3: `slots=many`"), "{text}");
        assert!(file("a 4\n").unwrap_err().contains("`4`"));
        assert!(file("# nothing\n").unwrap_err().contains("names no host"));
    }

    #[test]
    fn this_machine_has_several_names() {
        for name in ["localhost", "::1", "node7", "node7.cluster"] {
            assert!(is_this(name, "node7.cluster"), "{name}");
        }
        assert!(is_this("node7.cluster", "node7"));
        assert!(!is_this("localhost", ""), "a process that is on no host of the job");
        for name in ["node8", "node7.elsewhere", "node70"] {
            assert!(!is_this(name, "node7.cluster"), "{name}");
        }
    }
}
