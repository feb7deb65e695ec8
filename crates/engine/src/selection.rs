//! Which algorithm a collective call runs: the tables of this process, read once when it starts.

use dunlin_base::settings::{ALGORITHM, TABLE_FILE};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::select::Params;
use dunlin_coll::selection::{Listed, Selection, TableText};

use crate::engine::Engine;

/// Reads the settings and the file they name.
pub(crate) fn load() -> Result<Selection> {
    let forced = text_of(ALGORITHM)?.unwrap_or_default();
    let Some(name) = text_of(TABLE_FILE)?.filter(|name| !name.is_empty()) else {
        return Selection::new(&forced, None);
    };
    let text = std::fs::read_to_string(&name).map_err(|e| {
        let text =
            format!("{TABLE_FILE} is `{name}`, which cannot be read: {e}; correct or unset it");
        Error::new(ErrorClass::Arg, text)
    })?;
    Selection::new(&forced, Some(TableText { name: &name, text: &text }))
}

fn text_of(setting: &str) -> Result<Option<String>> {
    let Some(value) = std::env::var_os(setting) else { return Ok(None) };
    value.into_string().map(Some).map_err(|value| {
        let text = format!("{setting} is {value:?}, which is not UTF-8; rename what it names");
        Error::new(ErrorClass::Arg, text)
    })
}

impl Engine {
    /// The algorithm for a call; all ranks of the communicator must ask the same.
    #[inline]
    pub(crate) fn choose<A: Listed>(&self, params: &Params) -> A {
        self.selection.choose(params)
    }
}
