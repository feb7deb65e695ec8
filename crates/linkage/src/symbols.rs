//! The names by which objects find each other's functions and data.

use std::collections::BTreeSet;
use std::path::Path;

use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{Endianness, Object, ObjectSymbol};

/// The dynamic symbols of an object.
#[derive(Debug, Default)]
pub struct Symbols {
    /// Those it has.
    pub defined: BTreeSet<String>,
    /// Those it wants, and does not run without.
    pub wanted: BTreeSet<String>,
}

impl Symbols {
    /// Reads them; `None` if the file is of another kind.
    pub fn read_file(file: &Path) -> Option<Symbols> {
        let bytes = std::fs::read(file).ok()?;
        let parsed = ElfFile::<FileHeader64<Endianness>>::parse(&bytes[..]).ok()?;
        let mut symbols = Symbols::default();
        for symbol in parsed.dynamic_symbols() {
            let Ok(name) = symbol.name() else { continue };
            if symbol.is_definition() {
                symbols.defined.insert(name.into());
            } else if symbol.is_undefined() && !symbol.is_weak() {
                symbols.wanted.insert(name.into());
            }
        }
        Some(symbols)
    }
}
