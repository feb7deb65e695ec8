//! What the file of a program or library asks of the loader: its dynamic section.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use object::Endianness;
use object::elf::{
    DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_SONAME, DT_STRSZ, DT_STRTAB, Dyn64, FileHeader64,
    PT_DYNAMIC, PT_LOAD, ProgramHeader64,
};
use object::pod::slice_from_bytes;
use object::read::elf::{Dyn, FileHeader, ProgramHeader};

/// Linkers write the headers of segments right behind that of the file.
const HEADERS_BYTES: u64 = 4096;
/// The longest table of a file that is read.
const TABLE_BYTES_MAX: u64 = 64 << 20;

/// What is written in such a file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Dynamic {
    /// Libraries it needs.
    pub needed: Vec<OsString>,
    /// By which name others need it.
    pub soname: Option<OsString>,
    /// Where libraries are looked for after `LD_LIBRARY_PATH`.
    pub runpath: OsString,
    /// And before, unless there is a `runpath`.
    pub rpath: OsString,
}

impl Dynamic {
    /// Reads it; `None` if the file is of another kind, such as a script.
    pub fn read_file(file: &Path) -> Option<Dynamic> {
        let file = File::open(file).ok()?;
        read(|offset, len| part(&file, offset, len))
    }
}

/// Whether both paths lead to the same file.
pub fn is_same(a: &Path, b: &Path) -> bool {
    let file = |path: &Path| path.metadata().ok().map(|data| (data.dev(), data.ino()));
    file(a).is_some_and(|a| Some(a) == file(b))
}

fn part(file: &File, offset: u64, len: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; len as usize];
    let count = file.read_at(&mut bytes, offset).ok()?;
    bytes.truncate(count);
    Some(bytes)
}

/// Reads what `at` gives of a file: so many bytes from an offset, fewer at its end. `None` if it is
/// none of this kind. Three reads, because programs are large and this is a part of every start.
fn read(at: impl Fn(u64, u64) -> Option<Vec<u8>>) -> Option<Dynamic> {
    let begin = at(0, HEADERS_BYTES)?;
    let header = FileHeader64::<Endianness>::parse(&begin[..]).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, &begin[..]).ok()?;
    let dynamic = segments.iter().find(|s| s.p_type(endian) == PT_DYNAMIC)?;
    let dynamic = at(dynamic.p_offset(endian), limited(dynamic.p_filesz(endian))?)?;
    let count = dynamic.len() / size_of::<Dyn64<Endianness>>();
    let (dynamic, _) = slice_from_bytes::<Dyn64<Endianness>>(&dynamic, count).ok()?;
    let value = |tag| dynamic.iter().find(|d| d.tag32(endian) == Some(tag));
    let (address, length) = (value(DT_STRTAB)?.d_val(endian), value(DT_STRSZ)?.d_val(endian));
    // The table's address is that in memory.
    let loaded = |s: &&ProgramHeader64<Endianness>| {
        let begin = s.p_vaddr(endian);
        let end = begin.saturating_add(s.p_filesz(endian));
        s.p_type(endian) == PT_LOAD && (begin..end).contains(&address)
    };
    let segment = segments.iter().find(loaded)?;
    let offset = segment.p_offset(endian).checked_add(address - segment.p_vaddr(endian))?;
    let strings = at(offset, limited(length)?)?;
    let mut found = Dynamic::default();
    for entry in dynamic {
        let text = || {
            let text = strings.get(entry.val32(endian)? as usize..)?.split(|&byte| byte == 0);
            text.into_iter().next().map(|text| OsString::from_vec(text.to_vec()))
        };
        match entry.tag32(endian) {
            Some(DT_NEEDED) => found.needed.extend(text()),
            Some(DT_SONAME) => found.soname = text(),
            Some(DT_RUNPATH) => found.runpath = text()?,
            Some(DT_RPATH) => found.rpath = text()?,
            _ => {}
        }
    }
    Some(found)
}

fn limited(bytes: u64) -> Option<u64> {
    (bytes <= TABLE_BYTES_MAX).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    fn read_bytes(file: &[u8]) -> Option<Dynamic> {
        read(|offset, len| {
            let rest = file.get(usize::try_from(offset).ok()?..)?;
            Some(rest[..rest.len().min(len as usize)].to_vec())
        })
    }

    #[test]
    fn what_this_program_needs_is_read() {
        let found = read_bytes(&this()).unwrap();
        assert!(found.needed.iter().any(|name| name == "libc.so.6"), "{found:?}");
    }

    #[test]
    fn what_is_no_program_is_not_read() {
        assert_eq!(read_bytes(b"#!/bin/sh\n"), None);
        assert_eq!(Dynamic::read_file(Path::new("/nowhere")), None);
    }

    #[test]
    fn changed_files_are_read_or_refused_but_never_a_panic() {
        let good = this();
        let mut state = 0x5eed_u64;
        let mut next = || {
            // Steele and Vigna's splitmix64.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (z ^ (z >> 27)) as usize
        };
        let mut file = good;
        for _ in 0..2000 {
            // Headers and what they lead to lie within this; each change is taken back.
            let at = next() % 1024;
            let before = std::mem::replace(&mut file[at], next() as u8);
            let _ = read_bytes(&file);
            file[at] = before;
        }
    }
}
