//! The objects that the loader will load for a program, and where it finds them, as ld.so(8) has
//! it: breadth first, each name once. The loader alone knows what is opened later, by `dlopen`.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::dynamic::Dynamic;

/// Programs have hundreds of them at most.
const OBJECTS_MAX: usize = 4096;
/// Where the loader looks last.
const SYSTEM: [&str; 4] = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"];
/// Stands for the directory of the file that has it.
const ORIGIN: [&str; 2] = ["$ORIGIN", "${ORIGIN}"];

/// A program or library.
#[derive(Debug)]
pub struct Object {
    /// As it is asked for.
    pub name: OsString,
    /// Where it is; `None` if it is not found.
    pub file: Option<PathBuf>,
    /// What it asks for; nothing if it is not found.
    pub dynamic: Dynamic,
    /// The place of the first object that asks for it. The program and what is preloaded have none.
    pub needed_by: Option<usize>,
}

/// All objects of a program, itself first.
#[derive(Debug)]
pub struct Objects(pub Vec<Object>);

impl Objects {
    /// Finds them; `None` if the file is no program for the loader. `env` has the variables with
    /// which it will be started.
    pub fn of(program: &Path, env: impl Fn(&str) -> Option<OsString>) -> Option<Objects> {
        let dynamic = Dynamic::read_file(program)?;
        let search = Search::new(&env);
        let name = program.as_os_str().to_owned();
        let file = Some(program.to_path_buf());
        let mut objects = vec![Object { name, file, dynamic, needed_by: None }];
        let preload = env("LD_PRELOAD").unwrap_or_default();
        for name in preload.as_bytes().split(|byte| b": ".contains(byte)) {
            if !name.is_empty() {
                search.add(&mut objects, OsStr::from_bytes(name), 0);
                objects.last_mut().into_iter().for_each(|object| object.needed_by = None);
            }
        }
        let mut at = 0;
        while at < objects.len() && objects.len() < OBJECTS_MAX {
            for name in objects[at].dynamic.needed.clone() {
                if !objects.iter().any(|object| object.answers_to(&name)) {
                    search.add(&mut objects, &name, at);
                }
            }
            at += 1;
        }
        Some(Objects(objects))
    }

    /// An object, what asks for it, and so on up to the program.
    pub fn chain(&self, at: usize) -> impl Iterator<Item = &Object> {
        let places = std::iter::successors(Some(at), |&at| self.0[at].needed_by);
        places.map(|at| &self.0[at])
    }
}

impl Object {
    fn answers_to(&self, name: &OsStr) -> bool {
        self.name == name || self.dynamic.soname.as_deref() == Some(name)
    }

    /// The directories of a list that stands in this object.
    fn directories(&self, list: &OsStr) -> Vec<PathBuf> {
        let here = self.file.as_deref().and_then(Path::parent).unwrap_or(Path::new("/"));
        split(list).map(|directory| at_origin(&directory, here)).collect()
    }
}

struct Search {
    library_path: Vec<PathBuf>,
    /// Read once a library is in none of the directories that are named.
    cache: OnceCell<Cache>,
}

impl Search {
    fn new(env: impl Fn(&str) -> Option<OsString>) -> Search {
        let library_path = split(&env("LD_LIBRARY_PATH").unwrap_or_default()).collect();
        Search { library_path, cache: OnceCell::new() }
    }

    fn add(&self, objects: &mut Vec<Object>, name: &OsStr, by: usize) {
        let (file, dynamic) = self.find(objects, name, by).unzip();
        let dynamic = dynamic.unwrap_or_default();
        objects.push(Object { name: name.to_owned(), file, dynamic, needed_by: Some(by) });
    }

    fn find(&self, objects: &[Object], name: &OsStr, by: usize) -> Option<(PathBuf, Dynamic)> {
        // The loader, too, passes over files that are none for this machine.
        let read = |file: PathBuf| Dynamic::read_file(&file).map(|dynamic| (file, dynamic));
        if name.as_bytes().contains(&b'/') {
            return read(PathBuf::from(name));
        }
        let mut directories = Vec::new();
        if objects[by].dynamic.runpath.is_empty() {
            let mut above = Some(by);
            while let Some(at) = above {
                let object = &objects[at];
                if object.dynamic.runpath.is_empty() {
                    directories.extend(object.directories(&object.dynamic.rpath));
                }
                above = object.needed_by;
            }
        }
        directories.extend(self.library_path.iter().cloned());
        directories.extend(objects[by].directories(&objects[by].dynamic.runpath));
        let named = directories.into_iter().find_map(|directory| read(directory.join(name)));
        named.or_else(|| {
            let cache = self.cache.get_or_init(Cache::of_this_system);
            let system = SYSTEM.iter().map(|directory| Path::new(directory).join(name));
            cache.find(name).chain(system).find_map(read)
        })
    }
}

fn split(list: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(list).filter(|directory| !directory.as_os_str().is_empty())
}

/// A directory that may be given relative to that of its object.
fn at_origin(directory: &Path, here: &Path) -> PathBuf {
    let rest = ORIGIN.iter().find_map(|word| directory.strip_prefix(OsStr::new(word)).ok());
    rest.map_or_else(|| directory.to_path_buf(), |rest| here.join(rest))
}

#[cfg(test)]
mod tests;
