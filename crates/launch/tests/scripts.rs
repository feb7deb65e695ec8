//! Options that scripts carry from other launchers, with the meaning they have there: files of
//! arguments and of output, which variables are passed on, who reads standard input.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{finish, mpirun, run, run_script, sorted};

/// A directory that goes with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("scripts-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_parts_of_a_job_come_from_a_file() {
    let scratch = Scratch::new("parts");
    let file = scratch.path("parts");
    fs::write(&file, "# two\n-n 1 sh -c 'echo \"a  b\"'\n\n-n 2 -env V 1 sh -c 'echo c$V'\n")
        .unwrap();
    for option in ["-configfile", "--app"] {
        let job = run(&[option, &file]);
        assert_eq!(sorted(&job.stdout), ["a  b", "c1", "c1"], "{}", job.stderr);
    }
    assert_eq!(sorted(&run(&["--app", &file, "-l"]).stdout)[0], "[0] a  b");
    assert!(run(&["--app", &file, "true"]).stderr.contains("names them all"));
    assert!(run(&["--app", "/nowhere"]).stderr.contains("`/nowhere` cannot be read"));
    fs::write(&file, "-n 1 true\n-n 1 'true\n").unwrap();
    assert!(run(&["--app", &file]).stderr.contains("line 2: a quotation mark"));
    fs::write(&file, "--app x\n-n 1 true\n").unwrap();
    assert_eq!(run(&["--app", &file]).status, 2);
}

#[test]
fn each_rank_writes_into_files_of_its_own() {
    let scratch = Scratch::new("output");
    let (out, err) = (scratch.path("o.%r"), scratch.path("all"));
    fs::write(scratch.path("o.0"), "what was there before\n").unwrap();
    let options = ["-outfile-pattern", &out, "-errfile-pattern", &err];
    let job = run_script(2, &options, "echo out $r; echo err $r >&2");
    assert_eq!((job.stdout.as_str(), job.stderr.as_str(), job.status), ("", "", 0));
    assert_eq!((scratch.text("o.0"), scratch.text("o.1")), ("out 0\n".into(), "out 1\n".into()));
    assert_eq!(sorted(&scratch.text("all")), ["err 0", "err 1"]);
    let directory = scratch.path("d");
    let job = run_script(2, &["--output-filename", &directory], "echo out $r; echo err $r >&2");
    assert_eq!(sorted(&job.stdout), ["out 0", "out 1"]);
    assert_eq!(scratch.text("d/1/rank.1/stdout"), "out 1\n");
    assert_eq!(scratch.text("d/1/rank.0/stderr"), "err 0\n");
    let job = run_script(1, &["--output-filename", &format!("{directory}:nocopy")], "echo x");
    assert_eq!((job.stdout.as_str(), scratch.text("d/1/rank.0/stdout")), ("", "x\n".into()));
    let job = run_script(1, &["-outfile-pattern", "/proc/nothing"], "echo x; sleep 60");
    assert_eq!(job.status, 1);
    assert!(job.stderr.contains("cannot write the output of rank 0 to `/proc/nothing`"));
}

/// The variables of a rank that this test has set.
fn variables(options: &[&str]) -> String {
    let show = ["-n", "1", "sh", "-c", "echo $TEST_A,$TEST_B,$TEST_C"];
    let mut job = mpirun(&[options, &show].concat());
    let job = finish(job.env("TEST_A", "a").env("TEST_B", "b").spawn().unwrap());
    assert_eq!(job.stderr, "");
    job.stdout.trim_end().to_string()
}

#[test]
fn variables_are_passed_on_as_was_asked() {
    for (options, seen) in [
        (&[][..], "a,b,"),
        (&["-genvnone"], ",,"),
        (&["-genvnone", "-genvlist", "TEST_B", "-genv", "TEST_C", "c"], ",b,c"),
        (&["-envnone", "-x", "TEST_A"], "a,,"),
        (&["--export=NONE"], ",,"),
        (&["--export=TEST_B"], ",b,"),
        (&["--export", "ALL,TEST_C=c"], "a,b,c"),
        (&["--export=TEST_A=1,TEST_B"], "1,b,"),
    ] {
        assert_eq!(variables(options), seen, "{options:?}");
    }
}

#[test]
fn nobody_reads_standard_input_if_that_was_asked() {
    for option in ["-s", "--stdin"] {
        for (word, seen) in [("0", "typed"), ("none", "")] {
            let job = common::run_with_input(&[option, word, "-n", "1", "cat"], "typed");
            assert_eq!(job.stdout, seen, "{option} {word}");
        }
    }
}

#[test]
fn the_limit_of_time_comes_from_a_variable_too() {
    let limited = |limit: &str, options: &[&str]| {
        let mut job = mpirun(&[options, &["-n", "1", "sleep", "1"]].concat());
        finish(job.env("MPIEXEC_TIMEOUT", limit).spawn().unwrap())
    };
    assert_eq!(limited("0.1", &[]).status, 124);
    assert_eq!(limited("0.1", &["--timeout", "600"]).status, 0);
    let job = limited("soon", &[]);
    assert_eq!(job.status, 2);
    assert!(job.stderr.contains("MPIEXEC_TIMEOUT is `soon`"), "{}", job.stderr);
}
