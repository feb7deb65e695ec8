//! What ranks find when they start: arguments, environment, directory, CPUs; and what is said when
//! they cannot be started.

mod common;

use common::{finish, mpirun, run, run_script, run_with_input, sorted};

#[test]
fn without_a_number_there_is_a_rank_for_each_core() {
    let cores = run(&["sh", "-c", "echo $MPI_LOCALNRANKS"]).stdout;
    let ranks = cores.lines().count();
    assert!(cores.lines().all(|line| line == ranks.to_string()), "{cores}");
    assert!(ranks <= std::thread::available_parallelism().unwrap().get());
}

#[test]
fn ranks_know_who_they_are() {
    let script = "echo $r $MPI_LOCALRANKID $MPI_LOCALNRANKS $DUNLIN_JOB_APPNUM";
    let outcome = run_script(3, &[], script);
    assert_eq!(sorted(&outcome.stdout), ["0 0 3 0", "1 1 3 0", "2 2 3 0"]);
}

#[test]
fn ranks_inherit_the_segment_the_lifeline_and_a_socket_and_nothing_else() {
    let script = "cd /proc/self/fd; readlink $DUNLIN_JOB_FD $DUNLIN_JOB_LIFELINE; echo --; \
                  exec ls -l /proc/self/fd";
    let outcome = run_script(2, &["-l"], script);
    // What this test was itself started with passes through, and `ls` looks at a directory.
    let own: Vec<_> = std::fs::read_dir("/proc/self/fd").unwrap().collect();
    let own: Vec<_> =
        own.iter().filter_map(|fd| fd.as_ref().ok()?.path().read_link().ok()).collect();
    for rank in ["[0] ", "[1] "] {
        let lines = outcome.stdout.lines().filter_map(|line| line.strip_prefix(rank));
        let lines: Vec<&str> = lines.collect();
        let [segment, lifeline, "--", rest @ ..] = &lines[..] else { panic!("{lines:?}") };
        assert!(segment.starts_with("/memfd:dunlin"), "{segment}");
        assert!(lifeline.starts_with("pipe:"), "{lifeline}");
        let targets = rest.iter().filter_map(|line| Some(line.split_once(" -> ")?.1));
        let new = targets.filter(|t| !own.contains(&t.into()) && !t.starts_with("/proc/"));
        let new: Vec<&str> = new.filter(|t| *t != "/dev/null" && t != lifeline).collect();
        let is_pipe = |target: &&&str| target.starts_with("pipe:");
        assert_eq!(new.iter().filter(is_pipe).count(), 2, "its own output: {new:?}");
        let is_socket = |target: &&&str| target.starts_with("socket:");
        assert_eq!(new.iter().filter(is_socket).count(), 1, "for PMI: {new:?}");
        assert_eq!(new.len(), 4, "and the segment: {new:?}");
    }
}

#[test]
fn only_ranks_that_share_cores_are_told_to_do_without_restartable_sequences() {
    let told = |ranks: usize| {
        let mut command = mpirun(&["-n", &ranks.to_string(), "sh", "-c", "echo $GLIBC_TUNABLES"]);
        command.env("GLIBC_TUNABLES", "glibc.malloc.check=0");
        finish(command.spawn().unwrap()).stdout
    };
    let more_than_cores = std::thread::available_parallelism().unwrap().get() + 1;
    assert_eq!(told(1), "glibc.malloc.check=0\n");
    let expected = "glibc.malloc.check=0:glibc.pthread.rseq=0\n".repeat(more_than_cores);
    assert_eq!(told(more_than_cores), expected);
}

#[test]
fn several_programs_make_one_job() {
    let show = "echo $0 $DUNLIN_JOB_RANK $DUNLIN_JOB_APPNUM";
    let outcome = run(&["-n", "1", "sh", "-c", show, "a", ":", "-n", "2", "sh", "-c", show, "b"]);
    assert_eq!(sorted(&outcome.stdout), ["a 0 0", "b 1 1", "b 2 1"]);
}

#[test]
fn variables_are_set_for_all_or_for_a_part() {
    let show = "echo $ALL $ONE $TWO $TAKEN";
    let args = [
        "-genv", "ALL", "all", "-n", "1", "-x", "ONE=1", "-x", "TAKEN", "sh", "-c", show, ":",
        "-n", "1", "-env", "TWO", "2", "sh", "-c", show,
    ];
    let outcome = finish(mpirun(&args).env("TAKEN", "from outside").spawn().unwrap());
    assert_eq!(sorted(&outcome.stdout), ["all 1 from outside", "all 2 from outside"]);
}

#[test]
fn a_variable_that_cannot_be_passed_on_is_said() {
    let outcome = run(&["-n", "1", "-x", "DEFINITELY_NOT_SET", "true"]);
    assert_eq!(outcome.status, 0);
    assert_eq!(
        outcome.stderr,
        "mpirun: variable DEFINITELY_NOT_SET is not set and not passed on\n"
    );
}

#[test]
fn ranks_start_in_their_directory() {
    for option in ["-wdir", "--wdir", "-wd"] {
        assert_eq!(run(&["-n", "1", option, "/usr", "pwd"]).stdout, "/usr\n");
    }
    let outcome = run(&["-n", "1", "-wdir", "/usr", "pwd", ":", "-n", "1", "-wdir", "/", "pwd"]);
    assert_eq!(sorted(&outcome.stdout), ["/", "/usr"]);
}

#[test]
fn a_program_is_found_in_the_current_directory() {
    let mut command = mpirun(&["-n", "1", "sh", "-c", "echo found"]);
    let outcome = finish(command.current_dir("/bin").env("PATH", "").spawn().unwrap());
    assert_eq!((outcome.status, outcome.stdout.as_str()), (0, "found\n"));
}

#[test]
fn bindings_are_reported_and_real() {
    let script = "sed -n 's/Cpus_allowed_list:\t//p' /proc/self/status";
    let outcome = run_script(1, &["--bind-to", "core", "--report-bindings"], script);
    let cpus = outcome.stdout.trim();
    let suffix = format!(" is bound to CPUs {cpus}\n");
    assert!(outcome.stderr.starts_with("mpirun: rank 0 on "), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with(&suffix), "{} / {cpus}", outcome.stderr);
    let free = run_script(1, &["-bind-to", "none", "-report-bindings"], script);
    assert!(free.stderr.contains("is not bound"), "{}", free.stderr);
}

#[test]
fn a_missing_program_is_named() {
    let outcome = run(&["-n", "2", "no-such-program"]);
    assert_eq!(outcome.status, 127);
    assert_eq!(outcome.stderr, "mpirun: the program `no-such-program` was not found\n");
}

#[test]
fn what_is_no_program_is_named() {
    let outcome = run(&["-n", "2", "/etc/passwd"]);
    assert_eq!(outcome.status, 126);
    assert!(outcome.stderr.contains("`/etc/passwd` is not executable"), "{}", outcome.stderr);
}

#[test]
fn a_file_that_cannot_be_executed_is_said_once() {
    let directory = std::env::temp_dir().join(format!("dunlin-setup-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let write = |name: &str, text: &str| {
        use std::os::unix::fs::PermissionsExt;
        let path = directory.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let rubbish = run(&["-n", "3", &write("rubbish", "\u{1}\u{2}\u{3}")]);
    let orphan = run(&["-n", "3", &write("orphan", "#!/nonexistent/interpreter\n")]);
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(rubbish.status, 126);
    assert!(rubbish.stderr.contains("is not a program for this machine"), "{}", rubbish.stderr);
    assert_eq!(orphan.status, 127);
    assert!(orphan.stderr.contains("interpreter"), "{}", orphan.stderr);
    assert_eq!((rubbish.stderr.lines().count(), orphan.stderr.lines().count()), (1, 1));
}

#[test]
fn a_wrong_command_line_costs_status_2_and_one_sentence() {
    for args in [&["-n", "x", "true"][..], &["--tag-ouput", "true"], &["-n", "2"], &[]] {
        let outcome = run(args);
        assert_eq!(outcome.status, 2, "{args:?}");
        assert!(outcome.stderr.starts_with("mpirun: "), "{}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    }
}

#[test]
fn an_unknown_setting_is_said_once() {
    let outcome = finish(mpirun(&["-n", "4", "true"]).env("DUNLIN_WIAT", "spin").spawn().unwrap());
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("DUNLIN_WAIT"), "{}", outcome.stderr);
    assert_eq!(outcome.stderr.lines().count(), 1);
}

#[test]
fn help_and_version_go_to_standard_output() {
    let help = run(&["--help"]);
    assert!(help.status == 0 && help.stdout.contains("Examples:") && help.stderr.is_empty());
    let version = run(&["-version"]);
    assert!(version.stdout.contains(env!("CARGO_PKG_VERSION")), "{}", version.stdout);
}

#[test]
fn more_ranks_than_descriptors_by_default_still_start() {
    let script =
        format!("ulimit -Sn 128; exec {} -n 200 sh -c 'ulimit -Sn'", env!("CARGO_BIN_EXE_mpirun"));
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(stdout, "128\n".repeat(200), "the ranks keep the limit they were given");
}

#[test]
fn a_job_within_a_job_has_ranks_of_its_own() {
    let inner = env!("CARGO_BIN_EXE_mpirun");
    let script = "env | grep DUNLIN_JOB_RANK; env | grep MPI_LOCALNRANKS";
    let outcome = run(&["-n", "1", inner, "-n", "2", "sh", "-c", script]);
    let expected = ["DUNLIN_JOB_RANK=0", "DUNLIN_JOB_RANK=1"];
    assert_eq!(sorted(&outcome.stdout)[..2], expected);
    assert_eq!(sorted(&outcome.stdout)[2..], ["MPI_LOCALNRANKS=2"; 2]);
}

#[test]
fn input_is_not_consumed_by_a_rank_that_does_not_read() {
    assert_eq!(run_with_input(&["-n", "2", "true"], "unread\n").status, 0);
}
