//! The settings a user may give through the environment: a table of typed declarations, from which
//! the documentation is generated, and the values that a process has found for them, read once
//! when it starts. A `DUNLIN_*` variable that is not in the table is an error that names the
//! nearest one, because a misspelt setting that is silently ignored costs days.

mod table;

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use crate::{Error, ErrorClass, Result};

pub use table::*;

/// One setting: its variable, what it may be, the value used when it is absent, and what it does.
#[derive(Debug)]
pub struct Setting {
    /// The environment variable, e.g. `DUNLIN_CMA`.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// Whom it concerns.
    pub scope: Scope,
    /// What an absent variable means, as a user would write it; empty where that is no value.
    pub default: &'static str,
    /// One or two sentences: what it does.
    pub doc: &'static str,
}

/// What values a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number in this range.
    Integer {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// A time in seconds, with or without a fraction.
    Seconds {
        /// The shortest.
        min: u64,
        /// The longest.
        max: u64,
    },
    /// A file, by its path or its name.
    Path,
    /// Text of a form that its reader knows and checks.
    Text,
}

/// Whom a setting concerns, and so who must agree on it. Each is read once, when a process starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All ranks of a job, for which it must be the same.
    Job,
    /// Each rank for itself.
    Rank,
    /// `mpirun` and its agents.
    Launcher,
    /// The compiler wrappers.
    Compiler,
    /// A rank, which the launcher tells by it who it is: not for users.
    Identity,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Nobody has set it.
    Default,
    /// The environment.
    Environment,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Scope {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Job => "whole job",
            Scope::Rank => "each rank",
            Scope::Launcher => "mpirun",
            Scope::Compiler => "mpicc, mpicxx, mpifort",
            Scope::Identity => "a rank's identity",
        }
    }
}

/// As documentation has it: `1 to 64`, `auto, off`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Kind::Choice(words) => f.write_str(&words.join(", ")),
            Kind::Integer { min, max } if max >= UNLIMITED => write!(f, "whole number from {min}"),
            Kind::Integer { min, max } => write!(f, "whole number from {min} to {max}"),
            Kind::Seconds { min, max } => write!(f, "seconds from {min} to {max}"),
            Kind::Path => f.write_str("file"),
            Kind::Text => f.write_str("text"),
        }
    }
}

/// A limit from here on is that of a type, which nobody reaches and no reader wants to see.
const UNLIMITED: u64 = i32::MAX as u64;

/// A value of the kind that its setting declares.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    /// Of paths and texts; and of a choice the word, which is one of those declared.
    Text(String),
    Integer(u64),
    Seconds(Duration),
}

impl Kind {
    fn parse(self, text: &str) -> Option<Value> {
        match self {
            Kind::Path | Kind::Text => Some(Value::Text(text.into())),
            Kind::Choice(words) => words.contains(&text).then(|| Value::Text(text.into())),
            Kind::Integer { min, max } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(Value::Integer)
            }
            Kind::Seconds { min, max } => {
                let range = min as f64..=max as f64;
                let seconds = text.parse().ok().filter(|seconds| range.contains(seconds));
                seconds.map(Duration::from_secs_f64).map(Value::Seconds)
            }
        }
    }
}

/// The values of all settings in one process.
#[derive(Debug)]
pub struct Settings {
    /// In the order of the table.
    states: Vec<State>,
    /// The first thing that is wrong.
    problem: Option<Error>,
}

#[derive(Debug)]
struct State {
    setting: &'static Setting,
    /// As it was written, or the default.
    text: String,
    origin: Origin,
    /// None where nobody has set it and there is no default.
    value: Option<Value>,
}

impl Settings {
    /// The values in an environment, which must be right.
    pub fn checked(environment: impl Iterator<Item = (OsString, OsString)>) -> Result<Settings> {
        let settings = Settings::read(environment);
        settings.check().map(|()| settings)
    }

    /// The values in an environment, for one who wants to see them even if some are wrong, which
    /// then count as not set. So do empty ones.
    pub fn read(environment: impl Iterator<Item = (OsString, OsString)>) -> Settings {
        let states = TABLE.iter().map(|setting| State::default_of(setting)).collect();
        let mut settings = Settings { states, problem: None };
        for (name, value) in environment {
            let Some(name) = name.to_str().filter(|name| name.starts_with("DUNLIN_")) else {
                continue;
            };
            let state = settings.states.iter_mut().find(|state| state.setting.name == name);
            let done = state.map_or_else(|| Err(unknown(name)), |state| state.set(value));
            settings.problem = settings.problem.or(done.err());
        }
        settings
    }

    /// What is wrong.
    pub fn check(&self) -> Result<()> {
        self.problem.clone().map_or(Ok(()), Err)
    }

    fn state(&self, setting: &Setting) -> &State {
        let state = self.states.iter().find(|state| state.setting.name == setting.name);
        state.expect("each setting is in the table")
    }

    /// The value as a user would write it (empty if there is none), and where it comes from.
    pub fn shown(&self, setting: &Setting) -> (&str, Origin) {
        let state = self.state(setting);
        (&state.text, state.origin)
    }

    /// The value of a text, a path or a choice.
    pub fn text(&self, setting: &Setting) -> Option<&str> {
        match self.state(setting).value.as_ref()? {
            Value::Text(text) => Some(text),
            _ => panic!("{setting} is no text"),
        }
    }

    /// What the word of a choice stands for; `words` has all that are declared.
    pub fn choice<T: Copy>(&self, setting: &Setting, words: &[(&str, T)]) -> T {
        let chosen = self.text(setting).expect("a choice has a default");
        let known = words.iter().find(|(word, _)| *word == chosen);
        known.unwrap_or_else(|| panic!("{setting} declares `{chosen}`, which its reader lacks")).1
    }

    /// The value of a whole number that may be absent.
    pub fn integer_if_set(&self, setting: &Setting) -> Option<u64> {
        match *self.state(setting).value.as_ref()? {
            Value::Integer(number) => Some(number),
            _ => panic!("{setting} is no whole number"),
        }
    }

    /// The value of a whole number that has a default.
    pub fn integer(&self, setting: &Setting) -> u64 {
        self.integer_if_set(setting).expect("it has a default")
    }

    /// The value of a time.
    pub fn duration(&self, setting: &Setting) -> Duration {
        match self.state(setting).value {
            Some(Value::Seconds(duration)) => duration,
            _ => panic!("{setting} is no time with a default"),
        }
    }
}

impl State {
    fn default_of(setting: &'static Setting) -> State {
        let text = setting.default.to_string();
        let value = if text.is_empty() { None } else { setting.kind.parse(&text) };
        State { setting, text, origin: Origin::Default, value }
    }

    fn set(&mut self, given: OsString) -> Result<()> {
        let Setting { name, kind, .. } = self.setting;
        let wrong = |text: String| Err(Error::new(ErrorClass::Arg, text));
        let given = match given.into_string() {
            Ok(given) => given,
            Err(given) => {
                return wrong(format!(
                    "{name} is {given:?}, which is not UTF-8; write it in UTF-8"
                ));
            }
        };
        let text = given.trim();
        if text.is_empty() {
            return Ok(());
        }
        let Some(value) = kind.parse(text) else { return wrong(self.refusal(text)) };
        (self.text, self.origin, self.value) = (text.into(), Origin::Environment, Some(value));
        Ok(())
    }

    fn refusal(&self, text: &str) -> String {
        let Setting { name, kind, scope, default, .. } = self.setting;
        let must = match kind {
            Kind::Choice(_) => format!("one of: {kind}"),
            Kind::Seconds { .. } => format!("a number of {kind}"),
            _ => format!("a {kind}"),
        };
        match scope {
            Scope::Identity => {
                format!("{name} is `{text}`; mpirun sets it to a number: do not set it")
            }
            _ => format!(
                "{name} is `{text}`; it must be {must}; correct it, or unset it for {default}"
            ),
        }
    }
}

fn unknown(name: &str) -> Error {
    let users = TABLE.iter().filter(|setting| setting.scope != Scope::Identity);
    let nearest = users.min_by_key(|setting| edit_distance(setting.name, name));
    let nearest = nearest.map_or("", |setting| setting.name);
    Error::new(
        ErrorClass::Arg,
        format!(
            "environment variable {name} is not a setting of Dunlin; did you mean {nearest}? \
             Correct or unset it"
        ),
    )
}

/// Levenshtein distance, to find the name a user meant.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replace = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Settings {
        Settings::read(variables.iter().map(|(name, value)| (name.into(), value.into())))
    }

    fn refusal(name: &str, value: &str) -> String {
        read(&[(name, value)]).check().unwrap_err().text.to_string()
    }

    #[test]
    fn an_unknown_setting_names_the_nearest_one() {
        let text = refusal("DUNLIN_WIAT", "spin");
        read(&[("PATH", "x")]).check().unwrap();
        assert!(text.contains("DUNLIN_WIAT") && text.contains("mean DUNLIN_WAIT?"), "{text}");
    }

    #[test]
    fn names_are_unique_and_defaults_are_of_their_kind() {
        let settings = read(&[]);
        for (i, setting) in TABLE.iter().enumerate() {
            assert!(TABLE[..i].iter().all(|other| other.name != setting.name), "{setting}");
            assert_eq!(settings.shown(setting), (setting.default, Origin::Default));
            assert_eq!(settings.state(setting).value.is_some(), !setting.default.is_empty());
        }
    }

    #[test]
    fn values_are_read_by_their_kind() {
        let settings = read(&[
            (CMA.name, "receiver"),
            (NET_FLOWS.name, " 8 "),
            (AGENT_TIMEOUT.name, "0.5"),
            (NET_LIBFABRIC.name, "/opt/x.so"),
            (JOB_RANK.name, ""),
        ]);
        settings.check().unwrap();
        assert_eq!(settings.choice(&CMA, &[("auto", 0), ("receiver", 1)]), 1);
        assert_eq!(settings.shown(&CMA), ("receiver", Origin::Environment));
        assert_eq!(settings.integer(&NET_FLOWS), 8);
        assert_eq!(settings.duration(&AGENT_TIMEOUT), Duration::from_millis(500));
        assert_eq!(settings.duration(&NET_TIMEOUT), Duration::from_secs(20));
        assert_eq!(settings.text(&NET_LIBFABRIC), Some("/opt/x.so"));
        assert_eq!((settings.text(&NET_PORTS), settings.integer_if_set(&JOB_RANK)), (None, None));
    }

    #[test]
    fn a_wrong_value_is_named_with_what_it_must_be_and_counts_as_not_set() {
        assert_eq!(
            refusal("DUNLIN_WAIT", "spni"),
            "DUNLIN_WAIT is `spni`; it must be one of: auto, spin, yield, sleep; correct it, or \
             unset it for auto"
        );
        let text = refusal("DUNLIN_NET_FLOWS", "65");
        assert!(text.contains("`65`; it must be a whole number from 1 to 64;"), "{text}");
        for wrong in ["-1", "NaN", "inf", "1e9", "x"] {
            let text = refusal("DUNLIN_AGENT_TIMEOUT", wrong);
            assert!(text.contains("it must be a number of seconds from 0 to 4294967"), "{text}");
        }
        let text = refusal("DUNLIN_JOB_FD", "x");
        assert!(text.contains("do not set it"), "{text}");
        assert_eq!(read(&[("DUNLIN_NET_FLOWS", "0")]).integer(&NET_FLOWS), 4);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_utf_8_is_named() {
        use std::os::unix::ffi::OsStringExt;
        let given = (COLL_TUNING.name.into(), OsString::from_vec(vec![b'a', 0xff]));
        let text = Settings::checked([given].into_iter()).unwrap_err().to_string();
        assert!(text.contains("DUNLIN_COLL_TUNING") && text.contains("UTF-8"), "{text}");
    }

    #[test]
    fn edit_distance_counts_single_changes() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
    }
}
