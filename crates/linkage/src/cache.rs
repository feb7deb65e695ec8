//! The loader's list of libraries in the system's directories, `/etc/ld.so.cache`, in the form
//! that glibc 2.2 brought: a header, entries of 24 bytes, and strings that these point at, all in
//! the machine's own byte order.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

const FILE: &str = "/etc/ld.so.cache";
const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
/// Where the number of entries stands.
const COUNT_AT: usize = 20;
const HEADER_BYTES: usize = 48;
const ENTRY_BYTES: usize = 24;

/// The file's content; nothing where there is no such file, as with other C libraries.
pub struct Cache(Vec<u8>);

impl Cache {
    /// That of this system.
    pub fn of_this_system() -> Cache {
        Cache(std::fs::read(FILE).unwrap_or_default())
    }

    /// Files with this name, the preferred one first.
    pub fn find(&self, name: &OsStr) -> impl Iterator<Item = PathBuf> {
        // Older systems put the list of an older form before it.
        let begin = self.0.windows(MAGIC.len()).position(|window| window == MAGIC);
        let bytes = begin.map_or(&[][..], |begin| &self.0[begin..]);
        let count = number(bytes, COUNT_AT).unwrap_or(0);
        let entries = (0..count).map_while(move |at| entry(bytes, at));
        let named = entries.filter(move |(key, _)| *key == name.as_bytes());
        named.map(|(_, value)| PathBuf::from(OsStr::from_bytes(value)))
    }
}

/// A name and a path.
fn entry(bytes: &[u8], at: usize) -> Option<(&[u8], &[u8])> {
    let begin = HEADER_BYTES.checked_add(at.checked_mul(ENTRY_BYTES)?)?;
    let text = |at| bytes.get(number(bytes, at)?..)?.split(|&byte| byte == 0).next();
    Some((text(begin + 4)?, text(begin + 8)?))
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..)?.first_chunk().copied()?;
    usize::try_from(u32::from_ne_bytes(number)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_found_by_name_in_the_order_of_the_list() {
        let strings = b"liba.so.1\0/x/liba.so.1\0/y/liba.so.1\0";
        let mut bytes = [MAGIC, &2u32.to_ne_bytes()].concat();
        bytes.resize(HEADER_BYTES, 0);
        let text = HEADER_BYTES + 2 * ENTRY_BYTES;
        for value in [text + 10, text + 23] {
            let numbers = [0x303, text as u32, value as u32, 0, 0, 0];
            bytes.extend(numbers.map(u32::to_ne_bytes).concat());
        }
        bytes.extend(strings);
        let found = |bytes: &[u8], name| -> Vec<PathBuf> {
            Cache(bytes.to_vec()).find(OsStr::new(name)).collect()
        };
        let both = [PathBuf::from("/x/liba.so.1"), "/y/liba.so.1".into()];
        assert_eq!(found(&bytes, "liba.so.1"), both);
        assert_eq!(found(&[b"older form", &bytes[..]].concat(), "liba.so.1"), both);
        assert!(found(&bytes, "liba.so").is_empty());
        for end in 0..bytes.len() {
            let _ = found(&bytes[..end], "liba.so.1");
        }
    }
}
