//! Puts the machine models of `machines/` into the program.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let folder = Path::new("../../machines");
    println!("cargo::rerun-if-changed={}", folder.display());
    let root = std::env::current_dir().expect("cargo runs this in the crate's folder");
    let files = std::fs::read_dir(folder).expect("machines/ is in the tree");
    let mut paths: Vec<_> = files.map(|file| file.expect("it can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let mut text = String::from("&[\n");
    for path in paths {
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let path = root.join(path);
        writeln!(text, "    ({name:?}, include_str!({path:?})),").expect("a string takes all");
    }
    text.push(']');
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("machines.rs"), text).expect("cargo's folder is ours");
}
