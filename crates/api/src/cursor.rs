//! Lines of a file without comments, and errors that name file and line.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    place: Place,
    text: String,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    file: Arc<PathBuf>,
    /// Counted from 1; 0 stands for the whole file.
    line: usize,
}

impl Error {
    /// An error of a whole file.
    pub fn file(file: &Path, text: &str) -> Error {
        Place { file: Arc::new(file.to_path_buf()), line: 0 }.error(text)
    }
}

impl Place {
    /// Says what is wrong there.
    pub fn error(&self, text: impl Into<String>) -> Error {
        Error { place: self.clone(), text: text.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.line {
            0 => write!(f, "{}: {}", self.place.file.display(), self.text),
            line => write!(f, "{}:{line}: {}", self.place.file.display(), self.text),
        }
    }
}

impl std::error::Error for Error {}

/// A line that says something.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// Where it stands.
    pub place: Place,
    /// Whether it belongs to the line before it that is not indented.
    pub is_indented: bool,
    /// Its words, without blanks around them and without a comment.
    pub text: &'a str,
}

/// The lines of a file that are more than blanks and comments, which begin with `#`.
pub fn lines<'a>(file: &Path, text: &'a str) -> impl Iterator<Item = Line<'a>> + use<'a> {
    let file = Arc::new(file.to_path_buf());
    text.lines().enumerate().filter_map(move |(i, line)| {
        let said = line.split('#').next().unwrap_or("").trim_end();
        let text = said.trim_start();
        let place = Place { file: file.clone(), line: i + 1 };
        (!text.is_empty()).then_some(Line { place, is_indented: text.len() < said.len(), text })
    })
}
