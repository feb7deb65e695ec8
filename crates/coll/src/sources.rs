//! Where the rules in force come from: those forced by a setting, then the user's table, then the
//! one that is shipped for the machine, then the built-in one.

use crate::selection::Selection;
use crate::shipped;
use crate::table::{TableText, read, read_setting};
use dunlin_base::Result;

impl Default for Selection {
    fn default() -> Self {
        let mut selection = Selection::empty();
        selection.add_built_in();
        selection
    }
}

impl Selection {
    /// The rules of the setting `forced` (`allreduce=ring,bcast=binomial`; may be empty), of the
    /// user's table, and the built-in ones, in this order. Errors name the place in the text.
    pub fn new(forced: &str, table: Option<TableText<'_>>) -> Result<Selection> {
        Selection::on_machine(forced, table, None)
    }

    /// As above, and before the built-in ones those of the table that is shipped for a machine, if
    /// there is one.
    pub fn on_machine(
        forced: &str,
        table: Option<TableText<'_>>,
        machine: Option<&str>,
    ) -> Result<Selection> {
        let mut selection = Selection::empty();
        read_setting(forced, &mut selection)?;
        if let Some(table) = table {
            read(table, &mut selection)?;
        }
        if let Some(table) = machine.and_then(shipped::table) {
            let mut rules = Selection::empty();
            read(TableText { name: table.file, text: table.text }, &mut rules)?;
            selection.add_shipped(&rules);
        }
        selection.add_built_in();
        Ok(selection)
    }
}
