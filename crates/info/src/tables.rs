//! The rules in force: what a rank that is started in this environment would read.

use std::fs::File;
use std::path::Path;

use dunlin_base::settings::{COLL_ALGORITHM, COLL_TUNING, Settings};
use dunlin_base::{Error, ErrorClass, Result, text};
use dunlin_coll::select::Origin;
use dunlin_coll::selection::{Selection, TableText};

/// The rules, and how the user's table is called.
#[derive(Debug)]
pub struct Tables {
    /// The rules.
    pub selection: Selection,
    /// The file of the user's table.
    file: String,
}

/// Reads the settings and the user's table: `file`, or else the one the setting names.
pub fn load(settings: &Settings, file: Option<&Path>) -> Result<Tables> {
    let forced = settings.text(&COLL_ALGORITHM).unwrap_or_default();
    let (who, file) = match file {
        Some(file) => ("--table", Some(file)),
        None => (COLL_TUNING.name, settings.text(&COLL_TUNING).map(Path::new)),
    };
    let Some(file) = file else {
        return Ok(Tables { selection: Selection::new(forced, None)?, file: String::new() });
    };
    let name = file.display().to_string();
    let text = File::open(file).and_then(text::read).map_err(|e| {
        let text = format!("{who} is `{name}`, which cannot be read: {e}; name another file");
        Error::new(ErrorClass::Arg, text)
    })?;
    let selection = Selection::new(forced, Some(TableText { name: &name, text: &text }))?;
    Ok(Tables { selection, file: name })
}

impl Tables {
    /// Which rule this is, for a person; `place` is its number among those of the same origin.
    pub fn name_rule(&self, origin: Origin, place: usize) -> String {
        match origin {
            Origin::BuiltIn => format!("built-in rule {place}"),
            Origin::Table { line } => format!("{}:{line}", self.file),
            Origin::Setting => COLL_ALGORITHM.to_string(),
        }
    }
}
