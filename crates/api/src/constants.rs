//! Reads the file of the constants.

use std::path::Path;

use crate::cursor::{Error, lines};
use crate::parse::{named, names};
use crate::table::{Class, Group};

/// Reads its text.
pub fn parse(file: &Path, text: &str) -> Result<Vec<Group>, Error> {
    let mut groups: Vec<Group> = Vec::new();
    for line in lines(file, text) {
        if line.is_indented {
            let group = groups.last_mut();
            let group = group.ok_or_else(|| line.place.error("names must follow a group"))?;
            group.names.extend(line.text.split_whitespace().map(str::to_string));
            continue;
        }
        let (class, purpose) = line.text.split_once(' ').unwrap_or((line.text, ""));
        let class = named(&Class::ALL, class).ok_or_else(|| {
            let known = names(&Class::ALL);
            line.place.error(format!("`{class}` is no type of constants; these are: {known}"))
        })?;
        let purpose = purpose.to_string();
        groups.push(Group { place: line.place, class, purpose, names: Vec::new() });
    }
    Ok(groups)
}
