//! Names that ranks of a job publish for each other (`MPI_Publish_name`): one book for all hosts.

use std::collections::BTreeMap;

/// What a rank asks of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Publish this name for this port.
    Publish(String, String),
    /// Which port has this name?
    Lookup(String),
    /// Forget this name.
    Unpublish(String),
}

/// Names that a job may have published at one time, and the bytes of a name and its port: the
/// launcher keeps them all.
const NAMES_MAX: usize = 1 << 16;
const ENTRY_BYTES_MAX: usize = 4096;

/// The book.
#[derive(Debug, Default)]
pub struct Names(BTreeMap<String, String>);

impl Names {
    /// The answer: the port that was looked up, or nothing to say but that it is done; `None` where
    /// a name is taken, or unknown, or the book is full.
    pub fn on_ask(&mut self, ask: Ask) -> Option<String> {
        match ask {
            Ask::Publish(name, port) => {
                let has_room =
                    self.0.len() < NAMES_MAX && name.len() + port.len() <= ENTRY_BYTES_MAX;
                let is_free = has_room && !self.0.contains_key(&name);
                is_free.then(|| self.0.insert(name, port).unwrap_or_default())
            }
            Ask::Lookup(name) => self.0.get(&name).cloned(),
            Ask::Unpublish(name) => self.0.remove(&name).map(|_| String::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_until_it_is_taken_back() {
        let mut names = Names::default();
        let publish = || Ask::Publish("ocean".into(), "port".into());
        let (lookup, unpublish) = (Ask::Lookup("ocean".into()), Ask::Unpublish("ocean".into()));
        assert_eq!(names.on_ask(lookup.clone()), None);
        assert_eq!(names.on_ask(publish()), Some(String::new()));
        assert_eq!(names.on_ask(publish()), None, "taken");
        assert_eq!(names.on_ask(lookup.clone()).as_deref(), Some("port"));
        assert_eq!(names.on_ask(unpublish.clone()), Some(String::new()));
        let long = Ask::Publish("atoll".into(), "x".repeat(ENTRY_BYTES_MAX));
        assert_eq!(names.on_ask(long), None);
        assert_eq!((names.on_ask(unpublish), names.on_ask(lookup)), (None, None));
    }
}
