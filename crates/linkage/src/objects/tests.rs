use std::fs;
use std::process::Command;

use super::*;

/// A folder of libraries and programs that a compiler makes.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("dunlin-{name}-{}", std::process::id()));
        for folder in ["a", "b"] {
            fs::create_dir_all(path.join(folder)).unwrap();
        }
        fs::write(path.join("empty.c"), "").unwrap();
        fs::write(path.join("main.c"), "int main(void) { return 0; }").unwrap();
        Folder(path)
    }

    fn compile(&self, words: &str) -> PathBuf {
        let mut words = words.split(' ');
        let made = self.0.join(words.next().unwrap());
        let mut compiler = Command::new("cc");
        compiler.current_dir(&self.0).arg("-Wl,--no-as-needed").arg("-o").arg(&made);
        let done = compiler.args(words).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        made
    }

    fn library(&self, file: &str, more: &str) -> PathBuf {
        let soname = file.rsplit('/').next().unwrap();
        self.compile(&format!("{file} -shared -fPIC -Wl,-soname,{soname} empty.c{more}"))
    }

    fn found(&self, program: &Path, library_path: &str, preload: &str) -> Vec<String> {
        let variable = |name: &str| match name {
            "LD_LIBRARY_PATH" => Some(self.0.join(library_path).into_os_string()),
            _ => Some(preload.into()),
        };
        let objects = Objects::of(program, variable).unwrap().0.into_iter();
        // What every program needs: the loader is among it with some linkers.
        let is_systems = |name: &str| name.contains("libc.so") || name.starts_with("ld-linux");
        let objects = objects.filter(|object| !is_systems(&object.name.to_string_lossy()));
        let file = |object: Object| object.file.unwrap_or("none".into());
        let place =
            |file: PathBuf| file.strip_prefix(&self.0).map(Path::to_path_buf).unwrap_or(file);
        objects.map(|object| place(file(object)).to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn libraries_are_found_where_the_loader_finds_them() {
    let folder = Folder::new("found");
    folder.library("a/libx.so.1", "");
    folder.library("b/libx.so.1", "");
    folder.library("a/liby.so.1", " a/libx.so.1");
    let plain = folder.compile("plain main.c a/liby.so.1");
    assert_eq!(folder.found(&plain, "a", ""), ["plain", "a/liby.so.1", "a/libx.so.1"]);
    assert_eq!(folder.found(&plain, "b", ""), ["plain", "none"]);
    let newer = folder.compile("newer main.c a/libx.so.1 -Wl,--enable-new-dtags,-rpath,$ORIGIN/b");
    assert_eq!(folder.found(&newer, "a", ""), ["newer", "a/libx.so.1"]);
    assert_eq!(folder.found(&newer, "no", ""), ["newer", "b/libx.so.1"]);
    let older = "older main.c a/liby.so.1 -Wl,--disable-new-dtags,-rpath,$ORIGIN/b:$ORIGIN/a";
    let older = folder.compile(older);
    assert_eq!(folder.found(&older, "a", ""), ["older", "a/liby.so.1", "b/libx.so.1"]);
    let preload = folder.0.join("a/libx.so.1");
    let preloaded = folder.found(&older, "no", preload.to_str().unwrap());
    assert_eq!(preloaded, ["older", "a/libx.so.1", "a/liby.so.1"], "its name is taken");
}

#[test]
fn system_libraries_are_found_and_the_chain_is_known() {
    let folder = Folder::new("chain");
    folder.library("a/libx.so.1", " -lm");
    let program = folder.compile("program main.c a/libx.so.1 -Wl,-rpath,$ORIGIN/a");
    let objects = Objects::of(&program, |_| None).unwrap();
    let at = objects.0.iter().position(|object| object.name == "libm.so.6").unwrap();
    assert!(objects.0[at].file.as_ref().is_some_and(|file| file.is_absolute()));
    let chain: Vec<_> = objects.chain(at).map(|object| object.name.clone()).collect();
    assert_eq!(chain, ["libm.so.6".into(), "libx.so.1".into(), program.into_os_string()]);
    assert!(Objects::of(&folder.0.join("main.c"), |_| None).is_none());
}
