//! What a program's file asks of the loader, read before any rank is started: it tells which MPI
//! library the ranks will use, as long as the program itself is linked with one.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use object::Endianness;
use object::elf::{
    DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_STRSZ, DT_STRTAB, Dyn64, FileHeader64, PT_DYNAMIC, PT_LOAD,
    ProgramHeader64,
};
use object::pod::slice_from_bytes;
use object::read::elf::{Dyn, FileHeader, ProgramHeader};

use crate::failure::{Failure, STATUS_NOT_RUNNABLE};

/// Dunlin's library, by the name of the standard ABI, which other libraries bear too.
const STANDARD: &str = "libmpi_abi.so.1";
/// How names of Open MPI's libraries begin and end.
const OPEN_MPI: (&str, &str) = ("libmpi", ".so.40");
/// Linkers write the headers of segments right behind that of the file.
const HEADERS_BYTES: u64 = 4096;
/// The longest table of a file that is read.
const TABLE_BYTES_MAX: u64 = 64 << 20;
/// Stands for the program's directory where libraries are looked for.
const ORIGIN: [&str; 2] = ["$ORIGIN", "${ORIGIN}"];

/// What is written in a program's file.
#[derive(Debug, Default, PartialEq, Eq)]
struct DynamicSection {
    /// Libraries it needs.
    needed: Vec<OsString>,
    /// Where they are looked for after `LD_LIBRARY_PATH`.
    after: OsString,
    /// And before.
    before: OsString,
}

/// Whether the ranks of a program may have another library than Dunlin's, which asks by PMI. `env`
/// has their variables. That of Open MPI is refused: it asks by PMIx alone, and each of several
/// ranks would be a job of its own.
pub fn may_speak_pmi(
    program: &Path,
    env: impl Fn(&str) -> Option<OsString>,
) -> Result<bool, Failure> {
    // No file of that kind: a script, which starts whatever it wants.
    let file = File::open(program).ok();
    let Some(linkage) = file.and_then(|file| read(|offset, len| part(&file, offset, len))) else {
        return Ok(true);
    };
    let is_open_mpi = |name: &&OsString| {
        let (begin, end) = OPEN_MPI;
        name.as_bytes().starts_with(begin.as_bytes()) && name.as_bytes().ends_with(end.as_bytes())
    };
    if let Some(library) = linkage.needed.iter().find(is_open_mpi) {
        let (program, library) = (program.display(), library.to_string_lossy());
        let text = format!(
            "`{program}` is built with Open MPI (it needs {library}), whose ranks find each other \
             by PMIx alone, which Dunlin's mpirun does not speak: each would be a job of its own; \
             build it with Dunlin's mpicc, or start it with Open MPI's mpirun"
        );
        return Err(Failure { text, status: STATUS_NOT_RUNNABLE });
    }
    let ours = std::env::current_exe().ok().and_then(|me| Some(me.parent()?.join("../lib")));
    let ours = ours.map(|directory| directory.join(STANDARD));
    let found = linkage.find(STANDARD, program, env);
    let is_ours = found.zip(ours).is_some_and(|(found, ours)| is_same(&found, &ours));
    Ok(!is_ours)
}

fn is_same(a: &Path, b: &Path) -> bool {
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
fn read(at: impl Fn(u64, u64) -> Option<Vec<u8>>) -> Option<DynamicSection> {
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
    let mut linkage = DynamicSection::default();
    for entry in dynamic {
        let text = || {
            let text = strings.get(entry.val32(endian)? as usize..)?.split(|&byte| byte == 0);
            text.into_iter().next().map(|text| OsString::from_vec(text.to_vec()))
        };
        match entry.tag32(endian) {
            Some(DT_NEEDED) => linkage.needed.extend(text()),
            Some(DT_RUNPATH) => linkage.after = text()?,
            Some(DT_RPATH) => linkage.before = text()?,
            _ => {}
        }
    }
    Some(linkage)
}

fn limited(bytes: u64) -> Option<u64> {
    (bytes <= TABLE_BYTES_MAX).then_some(bytes)
}

impl DynamicSection {
    /// Where the loader will find a library that the program needs; `None` if only the loader
    /// knows.
    fn find(
        &self,
        name: &str,
        program: &Path,
        env: impl Fn(&str) -> Option<OsString>,
    ) -> Option<PathBuf> {
        if !self.needed.iter().any(|needed| needed == name) || env("LD_PRELOAD").is_some() {
            return None;
        }
        let before = if self.after.is_empty() { self.before.clone() } else { OsString::new() };
        let lists = [before, env("LD_LIBRARY_PATH").unwrap_or_default(), self.after.clone()];
        let directories = lists.iter().flat_map(std::env::split_paths);
        let directories = directories.filter(|directory| !directory.as_os_str().is_empty());
        let mut files = directories.map(|directory| at_origin(&directory, program).join(name));
        files.find(|file| file.exists())
    }
}

/// A directory that may be given relative to the program.
fn at_origin(directory: &Path, program: &Path) -> PathBuf {
    let origin = program.parent().unwrap_or(Path::new("/"));
    let rest = ORIGIN.iter().find_map(|word| directory.strip_prefix(OsStr::new(word)).ok());
    rest.map_or_else(|| directory.to_path_buf(), |rest| origin.join(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    fn read_bytes(file: &[u8]) -> Option<DynamicSection> {
        read(|offset, len| {
            let rest = file.get(usize::try_from(offset).ok()?..)?;
            Some(rest[..rest.len().min(len as usize)].to_vec())
        })
    }

    #[test]
    fn what_this_program_needs_is_read() {
        let linkage = read_bytes(&this()).unwrap();
        assert!(linkage.needed.iter().any(|name| name == "libc.so.6"), "{linkage:?}");
    }

    #[test]
    fn what_is_no_program_may_start_anything() {
        assert_eq!(read_bytes(b"#!/bin/sh\n"), None);
        assert_eq!(may_speak_pmi(Path::new("/nowhere"), |_| None), Ok(true));
    }

    #[test]
    fn libraries_are_looked_for_as_the_loader_does() {
        let at = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (program, here) = (at.join("tests/a"), at.join("src"));
        let needed = vec![OsString::from("lib.rs")];
        let find = |linkage: &DynamicSection, path: Option<&Path>, preload: Option<&str>| {
            linkage.find("lib.rs", &program, |name| match name {
                "LD_LIBRARY_PATH" => path.map(OsString::from),
                _ => preload.map(OsString::from),
            })
        };
        let linkage =
            DynamicSection { needed, after: "$ORIGIN/../src".into(), before: OsString::new() };
        let found = find(&linkage, None, None).unwrap();
        assert!(is_same(&found, &here.join("lib.rs")), "{found:?}");
        assert_eq!(find(&linkage, None, Some("x")), None, "who knows");
        assert_eq!(find(&linkage, Some(&here), None), Some(here.join("lib.rs")));
        let linkage =
            DynamicSection { before: here.clone().into(), after: "/nowhere".into(), ..linkage };
        assert_eq!(find(&linkage, None, None), None, "the newer entry hides the older one");
        let linkage = DynamicSection { after: OsString::new(), ..linkage };
        assert_eq!(find(&linkage, Some(Path::new("/nowhere")), None), Some(here.join("lib.rs")));
        assert_eq!(find(&DynamicSection::default(), Some(&here), None), None, "not needed");
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
