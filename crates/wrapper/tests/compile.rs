//! The built wrapper in a small installation, with a real compiler behind it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An installation with a header and a library of one function, removed when dropped.
struct Prefix(PathBuf);

impl Prefix {
    fn new(name: &str) -> Prefix {
        let root = format!("dunlin-wrapper-{}-{name}", std::process::id());
        let prefix = Prefix(std::env::temp_dir().join(root));
        for directory in ["bin", "include", "lib", "work"] {
            fs::create_dir_all(prefix.0.join(directory)).unwrap();
        }
        fs::copy(env!("CARGO_BIN_EXE_mpicc"), prefix.0.join("bin/mpicc")).unwrap();
        std::os::unix::fs::symlink("mpicc", prefix.0.join("bin/mpicxx")).unwrap();
        let header = "#ifdef __cplusplus\nextern \"C\"\n#endif\nint answer(void);\n";
        prefix.write("include/mpi.h", header);
        prefix.write("work/library.c", "int answer(void) { return 42; }\n");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-o", "lib/libmpi_abi.so", "work/library.c"]);
        assert!(cc.current_dir(&prefix.0).status().unwrap().success());
        prefix
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.0.join(path), text).unwrap();
    }

    fn call(&self, wrapper: &str, args: &[&str]) -> Output {
        self.command(wrapper, args).output().unwrap()
    }

    fn command(&self, wrapper: &str, args: &[&str]) -> Command {
        let mut command = Command::new(self.0.join("bin").join(wrapper));
        command.args(args).current_dir(self.0.join("work"));
        for variable in ["DUNLIN_CC", "DUNLIN_CXX", "OMPI_CC", "OMPI_CXX", "MPICH_CC", "MPICH_CXX"]
        {
            command.env_remove(variable);
        }
        command
    }
}

impl Drop for Prefix {
    fn drop(&mut self) {
        // What is left in the temporary directory harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn succeeded(output: Output) -> Output {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn status_of(program: &Path) -> Option<i32> {
    // cargo lends its tests a search path on which the real library may lie.
    Command::new(program).env_remove("LD_LIBRARY_PATH").status().unwrap().code()
}

const PROGRAM: &str = "#include <mpi.h>\nint main(void) { return answer(); }\n";

#[test]
fn a_c_program_finds_header_and_library_at_build_and_run_time() {
    let prefix = Prefix::new("c");
    prefix.write("work/a.c", PROGRAM);
    succeeded(prefix.call("mpicc", &["a.c", "-o", "a"]));
    assert_eq!(status_of(&prefix.0.join("work/a")), Some(42));
}

#[test]
fn compiling_and_linking_may_be_two_steps() {
    let prefix = Prefix::new("steps");
    prefix.write("work/a.c", PROGRAM);
    let compiled = succeeded(prefix.call("mpicc", &["-Wall", "-Werror", "-c", "a.c"]));
    assert!(compiled.stderr.is_empty(), "no complaint about unused linker flags");
    succeeded(prefix.call("mpicc", &["a.o", "-o", "a"]));
    assert_eq!(status_of(&prefix.0.join("work/a")), Some(42));
}

#[test]
fn the_name_mpicxx_compiles_cxx() {
    // Dunlin itself needs none, and not every machine has one.
    if Command::new("c++").arg("--version").output().is_err() {
        eprintln!("there is no C++ compiler here");
        return;
    }
    let prefix = Prefix::new("cxx");
    let text = "#include <mpi.h>\n#include <vector>\n\
                int main() { return std::vector<int>{answer()}[0]; }\n";
    prefix.write("work/a.cc", text);
    succeeded(prefix.call("mpicxx", &["a.cc", "-o", "a"]));
    assert_eq!(status_of(&prefix.0.join("work/a")), Some(42));
}

#[test]
fn a_link_to_the_wrapper_from_elsewhere_finds_its_installation() {
    let prefix = Prefix::new("link");
    prefix.write("work/a.c", PROGRAM);
    let elsewhere = prefix.0.join("work/mpicc");
    std::os::unix::fs::symlink("../bin/mpicc", &elsewhere).unwrap();
    let mut command = Command::new(elsewhere);
    succeeded(
        command.args(["a.c", "-o", "a"]).current_dir(prefix.0.join("work")).output().unwrap(),
    );
    assert_eq!(status_of(&prefix.0.join("work/a")), Some(42));
}

#[test]
fn questions_about_the_compiler_reach_it() {
    let prefix = Prefix::new("version");
    let version = succeeded(prefix.call("mpicc", &["--version"]));
    assert_eq!(version.stdout, Command::new("cc").arg("--version").output().unwrap().stdout);
}

#[test]
fn the_compilers_status_is_passed_on() {
    let prefix = Prefix::new("status");
    prefix.write("work/bad.c", "int main(void) { return }\n");
    let output = prefix.call("mpicc", &["-c", "bad.c"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_missing_compiler_is_named_with_the_variable_to_set() {
    let prefix = Prefix::new("missing");
    let mut command = prefix.command("mpicc", &["-c", "a.c"]);
    let output = command.env("DUNLIN_CC", "no-such-cc").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(127));
    assert_eq!(text.lines().count(), 1);
    assert!(text.contains("`no-such-cc`") && text.contains("DUNLIN_CC"), "{text}");
}

#[test]
fn answers_name_this_installation() {
    let prefix = Prefix::new("answers");
    let real = prefix.0.canonicalize().unwrap();
    let answer = succeeded(prefix.call("mpicxx", &["-showme:incdirs"]));
    let expected = format!("{}\n", real.join("include").display());
    assert_eq!(String::from_utf8(answer.stdout).unwrap(), expected);
}
