//! The rules in force: what a rank that is started in this environment would read.

use std::fs::File;
use std::path::Path;

use dunlin_base::settings::{COLL_ALGORITHM, COLL_TUNING, MACHINE, Settings};
use dunlin_base::{Error, ErrorClass, Result, text};
use dunlin_coll::select::Origin;
use dunlin_coll::selection::Selection;
use dunlin_coll::shipped;
use dunlin_coll::table::TableText;
use dunlin_machine::{model_named, recognise};

/// The rules, and how the tables are called.
#[derive(Debug)]
pub struct Tables {
    /// The rules.
    pub selection: Selection,
    /// The file of the user's table.
    file: String,
    /// The table that is shipped for the machine.
    shipped: &'static str,
}

/// Reads the settings and the user's table: `file`, or else the one the setting names.
pub fn load(settings: &Settings, file: Option<&Path>) -> Result<Tables> {
    let forced = settings.text(&COLL_ALGORITHM).unwrap_or_default();
    let (who, file) = match file {
        Some(file) => ("--table", Some(file)),
        None => (COLL_TUNING.name, settings.text(&COLL_TUNING).map(Path::new)),
    };
    let name = file.map_or(String::new(), |file| file.display().to_string());
    let text = file.map(|file| File::open(file).and_then(text::read)).transpose().map_err(|e| {
        let text = format!("{who} is `{name}`, which cannot be read: {e}; name another file");
        Error::new(ErrorClass::Arg, text)
    })?;
    let table = text.as_ref().map(|text| TableText { name: &name, text });
    let machine = machine(settings)?;
    let selection = Selection::on_machine(forced, table, machine)?;
    let shipped = machine.and_then(shipped::table).map_or("", |table| table.file);
    Ok(Tables { selection, file: name, shipped })
}

/// The model by whose table a job would choose whose first rank is on this host.
fn machine(settings: &Settings) -> Result<Option<&'static str>> {
    match settings.text(&MACHINE) {
        Some(name) => model_named(name)
            .map_err(|text| Error::new(ErrorClass::Arg, format!("{MACHINE}: {text}"))),
        None => Ok(recognise()),
    }
}

impl Tables {
    /// Which rule this is, for a person; `place` is its number among those of the same origin.
    pub fn name_rule(&self, origin: Origin, place: usize) -> String {
        match origin {
            Origin::BuiltIn => format!("built-in rule {place}"),
            Origin::Table { line } => format!("{}:{line}", self.file),
            Origin::Machine { line } => format!("{}:{line}", self.shipped),
            Origin::Setting => COLL_ALGORITHM.to_string(),
        }
    }
}
