//! `mpirun` in the jobs of batch systems. Their variables are set here, and their commands are
//! scripts that run the agent on this machine.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use common::{Outcome, finish, mpirun, sorted};

/// A directory with stand-ins for commands, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("dunlin-allocation-test-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().into()
    }

    fn command(&self, name: &str, script: &str) {
        let path = self.file(name, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs `mpirun` with these variables and commands.
    fn run(&self, variables: &[(&str, &str)], args: &[&str]) -> Outcome {
        let path = format!("{}:{}", self.0.display(), std::env::var("PATH").unwrap());
        let mut command = mpirun(args);
        command.env_remove("DUNLIN_ALLOCATION").env("PATH", path);
        command.envs(variables.iter().copied());
        finish(command.spawn().unwrap())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that stays harms no later test: names are unique.
        let _ = fs::remove_dir_all(&self.0);
    }
}

const SLURM: [(&str, &str); 5] = [
    ("SLURM_JOB_ID", "17"),
    ("SLURM_JOB_NODELIST", "alpha,beta"),
    ("SLURM_TASKS_PER_NODE", "2,1"),
    ("SLURM_NTASKS", "3"),
    ("SLURM_CONF", "/some/slurm.conf"),
];
/// Notes its words and variables, and runs the agent here.
const SRUN: &str = "echo \"$* JOB=$SLURM_JOB_ID CONF=$SLURM_CONF NTASKS=$SLURM_NTASKS\" \
                    >>\"${0%/*}/calls\"; while [ \"$1\" != --nodelist ]; do shift; done; shift 2; \
                    exec \"$@\"";
const SAY: [&str; 3] = ["sh", "-c", "echo $DUNLIN_JOB_RANK of $MPI_LOCALNRANKS, $SLURM_NTASKS"];

#[test]
fn in_a_job_of_slurm_every_slot_gets_a_rank_by_way_of_srun() {
    let scratch = Scratch::new("slurm");
    scratch.command("srun", SRUN);
    let outcome = scratch.run(&SLURM, &[&["-v"], &SAY[..]].concat());
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    assert_eq!(sorted(&outcome.stdout), ["0 of 2, 3", "1 of 2, 3", "2 of 1, 3"]);
    let said = "mpirun: Slurm job 17 has 2 hosts with 3 slots: alpha:2,beta:1 (";
    assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("are started by `srun --overlap"), "{}", outcome.stderr);
    let calls = fs::read_to_string(scratch.0.join("calls")).unwrap();
    let calls = sorted(&calls);
    assert_eq!(calls.len(), 2, "one for each node: {calls:?}");
    for (call, node) in calls.iter().zip(["alpha", "beta"]) {
        assert!(call.contains(&format!(" --nodelist {node} /")), "{call}");
        // The whole job's variables would make several tasks of one agent.
        assert!(call.ends_with(" JOB=17 CONF=/some/slurm.conf NTASKS="), "{call}");
    }
}

#[test]
fn in_the_batch_script_the_first_node_needs_no_srun() {
    let scratch = Scratch::new("batch");
    scratch.command("srun", SRUN);
    let variables = [&SLURM[..], &[("SLURMD_NODENAME", "alpha")]].concat();
    let outcome = scratch.run(&variables, &[&["-n", "3"], &SAY[..]].concat());
    assert_eq!(sorted(&outcome.stdout), ["0 of 2, 3", "1 of 2, 3", "2 of 1, 3"]);
    let calls = fs::read_to_string(scratch.0.join("calls")).unwrap();
    assert!(calls.lines().count() == 1 && calls.contains("--nodelist beta"), "{calls}");
    let outcome = scratch.run(&variables, &[&["-n", "2"], &SAY[..]].concat());
    assert_eq!(sorted(&outcome.stdout), ["0 of 2, 3", "1 of 2, 3"]);
}

#[test]
fn what_contradicts_the_job_is_refused_before_anything_starts() {
    let scratch = Scratch::new("refused");
    let refused = |args: &[&str], text: &str| {
        let outcome = scratch.run(&SLURM, &[args, &["true"]].concat());
        assert_eq!((outcome.status, outcome.stderr.lines().count()), (2, 1), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(text), "{}", outcome.stderr);
    };
    refused(&["-n", "4"], "4 ranks, but Slurm job 17 has 3 slots (alpha:2,beta:1)");
    refused(&["-host", "gamma"], "host gamma is not in Slurm job 17, which has alpha:2,beta:1");
    let variables = [&SLURM[..], &[("DUNLIN_ALLOCATION", "none")]].concat();
    let outcome = scratch.run(&variables, &["-n", "4", "true"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
    let variables = [&SLURM[..], &[("DUNLIN_ALLOCATION", "slurm")]].concat();
    let outcome = scratch.run(&variables, &["-n", "1", "true"]);
    assert!(outcome.stderr.contains("must be one of: auto, none"), "{}", outcome.stderr);
}

#[test]
fn a_job_of_pbs_on_this_host_needs_nobody_else() {
    let scratch = Scratch::new("pbs");
    let host = nix::unistd::gethostname().unwrap().into_string().unwrap();
    let file = scratch.file("nodes", &format!("{host}\n{host}\n{host}\n"));
    let job = [("PBS_JOBID", "5.pbs"), ("PBS_NODEFILE", file.as_str())];
    let outcome = scratch.run(&job, &SAY);
    assert_eq!(sorted(&outcome.stdout), ["0 of 3,", "1 of 3,", "2 of 3,"], "{}", outcome.stderr);
    let outcome = scratch.run(&job, &["-n", "4", "--oversubscribe", "echo"]);
    assert_eq!((outcome.status, outcome.stdout.as_str()), (0, "\n\n\n\n"));
    let outcome = scratch.run(&job, &["-n", "4", "echo"]);
    assert!(
        outcome.stderr.contains("4 ranks, but PBS job 5.pbs has 3 slots"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn lsf_and_grid_engine_get_to_hosts_in_their_own_way() {
    let scratch = Scratch::new("others");
    scratch.command("blaunch", "echo \"$1\" >>\"${0%/*}/calls\"; shift; exec \"$@\"");
    scratch.command("qrsh", "echo \"$1 $2\" >>\"${0%/*}/calls\"; shift 2; exec \"$@\"");
    let lsf = [("LSB_JOBID", "8"), ("LSB_MCPU_HOSTS", "far 1 off 1")];
    assert_eq!(scratch.run(&lsf, &SAY).stdout.lines().count(), 2);
    let file = scratch.file("pe", "there 2 all.q@there UNDEFINED\n");
    let grid_engine = [("JOB_ID", "9"), ("PE_HOSTFILE", file.as_str())];
    assert_eq!(scratch.run(&grid_engine, &SAY).stdout.lines().count(), 2);
    let calls = fs::read_to_string(scratch.0.join("calls")).unwrap();
    assert_eq!(sorted(&calls), ["-inherit there", "far", "off"]);
}

#[test]
fn in_a_job_of_grid_engine_the_first_host_starts_all_agents() {
    let scratch = Scratch::new("grid-engine");
    scratch.command("qrsh", "echo \"$PPID\" >>\"${0%/*}/callers\"; shift 2; exec \"$@\"");
    let line = |host| format!("{host} 1 all.q@{host} UNDEFINED\n");
    let file = scratch.file("pe", &["one", "two", "three"].map(line).concat());
    let job = [("JOB_ID", "9"), ("PE_HOSTFILE", file.as_str()), ("DUNLIN_AGENT_WIDTH", "1")];
    let outcome = scratch.run(&job, &SAY);
    assert_eq!(outcome.stdout.lines().count(), 3, "{}", outcome.stderr);
    let callers = fs::read_to_string(scratch.0.join("callers")).unwrap();
    let callers: Vec<&str> = callers.lines().collect();
    assert!(callers.len() == 3 && callers.iter().all(|c| *c == callers[0]), "{callers:?}");
}
