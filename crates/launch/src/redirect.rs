//! What ranks write into files of their own: `-outfile-pattern` and `-errfile-pattern` of Hydra,
//! `--output-filename` of Open MPI.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::options::Common;

/// Files that are open at a time: others are opened again when they are written to.
const OPEN_FILES_MAX: usize = 256;

/// The files of a job.
pub struct OutputFiles {
    /// Of standard output and standard error.
    patterns: [Option<OsString>; 2],
    open: HashMap<PathBuf, File>,
    begun: HashSet<PathBuf>,
}

impl OutputFiles {
    /// Those that a command line asks for.
    pub fn new(common: &Common) -> OutputFiles {
        let patterns = [common.out_pattern.clone(), common.err_pattern.clone()];
        OutputFiles { patterns, open: HashMap::new(), begun: HashSet::new() }
    }

    /// Writes what a rank has written to a stream into its file. Says whether there is one.
    pub fn put(
        &mut self,
        rank: u32,
        (node, host): (u32, &str),
        stream: usize,
        text: &[u8],
    ) -> Result<bool, Failure> {
        let Some(pattern) = &self.patterns[stream] else { return Ok(false) };
        let path = path_of(&pattern.to_string_lossy(), rank, node, host);
        self.write(&path, text).map_err(|e| {
            let path = path.display();
            Failure::system(&format!("cannot write the output of rank {rank} to `{path}`"), e)
        })?;
        Ok(true)
    }

    fn write(&mut self, path: &Path, text: &[u8]) -> io::Result<()> {
        if !self.open.contains_key(path) {
            let file = self.open(path)?;
            self.open.insert(path.to_owned(), file);
        }
        self.open.get_mut(path).map_or(Ok(()), |file| file.write_all(text))
    }

    /// A file is emptied the first time, and gone on with after that.
    fn open(&mut self, path: &Path) -> io::Result<File> {
        if self.open.len() >= OPEN_FILES_MAX {
            self.open.clear();
        }
        let is_new = self.begun.insert(path.to_owned());
        if let Some(directory) = path.parent().filter(|_| is_new) {
            fs::create_dir_all(directory)?;
        }
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        let file = options.open(path)?;
        if is_new && file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        Ok(file)
    }
}

/// A pattern with its letters replaced: `%r` is the rank, `%p` and `%g` are the number of its host,
/// `%h` is the host's name, `%%` a percent sign.
fn path_of(pattern: &str, rank: u32, node: u32, host: &str) -> PathBuf {
    let mut path = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            path.push(letter);
            continue;
        }
        match letters.next() {
            Some('r') => path.push_str(&rank.to_string()),
            Some('p' | 'g') => path.push_str(&node.to_string()),
            Some('h') => path.push_str(host),
            Some('%') => path.push('%'),
            other => {
                path.push('%');
                path.extend(other);
            }
        }
    }
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_rank_and_host() {
        assert_eq!(path_of("o.%r.%h.%p.100%%%x", 7, 2, "n2"), Path::new("o.7.n2.2.100%%x"));
    }
}
