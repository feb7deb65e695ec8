//! A message of either protocol: a command and its fields, in order.

/// What one side says to the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    /// The name of the command.
    pub command: String,
    fields: Vec<(String, String)>,
}

impl Message {
    /// A command without fields.
    pub fn new(command: &str) -> Message {
        Message { command: command.to_string(), fields: Vec::new() }
    }

    /// The same with one field more.
    pub fn with(mut self, key: &str, value: impl ToString) -> Message {
        self.fields.push((key.to_string(), value.to_string()));
        self
    }

    /// Its fields.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The value of the first field of this name.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The value of a field that is a number.
    pub fn number(&self, key: &str) -> Option<i64> {
        self.get(key)?.parse().ok()
    }

    /// A message of words `key=value`, whose first is the command; `None` if it has none.
    pub(crate) fn of_words(words: impl IntoIterator<Item = String>) -> Option<Message> {
        let mut pairs = words.into_iter().map(|word| match word.split_once('=') {
            Some((key, value)) => (key.to_string(), value.to_string()),
            None => (word, String::new()),
        });
        let (key, command) = pairs.next()?;
        matches!(key.as_str(), "cmd" | "mcmd").then(|| Message { command, fields: pairs.collect() })
    }
}
