//! Recorded environments, written after the documentation of each system, and what follows.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::options::{Parsed, parse};

/// An environment and the files it names.
#[derive(Default)]
struct Recorded {
    variables: HashMap<String, String>,
    files: HashMap<String, String>,
}

impl Recorded {
    /// From a file of the tests: `NAME=value` lines, then for each file a line `== path` and its
    /// text.
    fn read(text: &str) -> Recorded {
        let mut recorded = Recorded::default();
        let mut sections = text.split("\n== ");
        let variables = sections.next().unwrap_or_default().lines();
        for line in variables.filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (name, value) = line.split_once('=').unwrap();
            recorded.variables.insert(name.into(), value.into());
        }
        for section in sections {
            let (path, text) = section.split_once('\n').unwrap();
            recorded.files.insert(path.into(), text.into());
        }
        recorded
    }

    fn of(variables: &[(&str, &str)]) -> Recorded {
        let variables = variables.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        Recorded { variables: variables.collect(), files: HashMap::new() }
    }

    fn find(&self) -> Result<Option<Allocation>, String> {
        self.find_with(36)
    }

    /// Where the machine has so many CPUs.
    fn find_with(&self, cpus: usize) -> Result<Option<Allocation>, String> {
        let var = |name: &str| self.variables.get(name).cloned();
        let read = |path: &Path| {
            let text = self.files.get(path.to_str().unwrap()).cloned();
            text.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
        };
        find(&Outside { var: &var, read: &read, cpus }).map_err(|failure| failure.text)
    }

    #[track_caller]
    fn found(&self) -> Allocation {
        self.find().unwrap().expect("an allocation")
    }
}

macro_rules! recorded {
    ($name:literal) => {
        Recorded::read(include_str!(concat!("../../tests/allocations/", $name)))
    };
}

/// What the request becomes in an allocation.
fn applied(allocation: &Allocation, own: &str, line: &str) -> Result<Request, String> {
    let Ok(Parsed::Run(mut request)) = parse(line.split_whitespace().map(OsString::from)) else {
        panic!("{line}")
    };
    allocation.apply(&mut request, own).map(|()| *request).map_err(|failure| failure.text)
}

#[test]
fn without_a_batch_system_there_is_nothing() {
    assert_eq!(Recorded::default().find(), Ok(None));
    let traces = [("SLURM_CONF", "/etc/slurm.conf"), ("PBS_SERVER", "head"), ("JOB_ID", "3")];
    assert_eq!(Recorded::of(&traces).find(), Ok(None), "a login node knows of them too");
}

#[test]
fn slurm_names_nodes_and_tasks() {
    let found = recorded!("slurm-uneven").found();
    assert_eq!(hosts::shown(&found.hosts), "c5n-01:2,c5n-02:2,c5n-03:2,c5n-07:1");
    assert_eq!((found.system, found.job.as_str()), (System::Slurm, "4711"));
    assert_eq!(found.this, This::Named("c5n-01".into()), "this is the batch script's node");
    assert_eq!(
        found.text(),
        "Slurm job 4711 has 4 hosts with 7 slots: c5n-01:2,c5n-02:2,c5n-03:2,c5n-07:1 \
         (SLURM_JOB_NODELIST, SLURM_TASKS_PER_NODE)"
    );
}

#[test]
fn slurm_promises_cpus_to_each_task() {
    let found = recorded!("slurm-hybrid").found();
    assert_eq!((hosts::shown(&found.hosts).as_str(), found.cpus_per_rank), ("g1:4,g2:4", Some(8)));
    assert_eq!(found.this, This::Nobody, "salloc's shell is on no node");
    let request = applied(&found, "g1", "a").unwrap();
    assert_eq!(request.common.cpus_per_rank, Some(8));
    assert_eq!(found.this("g1"), "", "what starts on a node outside of a step escapes Slurm");
}

#[test]
fn within_a_step_on_fewer_nodes_the_cpus_count() {
    let found = recorded!("slurm-step").found();
    assert_eq!(hosts::shown(&found.hosts), "n1:8,n2:8");
    assert!(found.source.contains("SLURM_JOB_CPUS_PER_NODE"));
}

#[test]
fn what_slurm_cannot_have_said_is_refused_with_the_value() {
    let of = |more: &[(&str, &str)]| {
        let job = [("SLURM_JOB_ID", "1"), ("SLURM_JOB_NODELIST", "n[1-2]")];
        Recorded::of(&[&job[..], more].concat()).find().unwrap_err()
    };
    assert!(of(&[]).contains("neither SLURM_TASKS_PER_NODE nor SLURM_JOB_CPUS_PER_NODE is set"));
    let text = of(&[("SLURM_TASKS_PER_NODE", "2(x3)")]);
    assert!(text.contains("names 2 nodes, but SLURM_TASKS_PER_NODE is `2(x3)`"), "{text}");
    let tasks = ("SLURM_TASKS_PER_NODE", "2(x2)");
    let text = of(&[tasks, ("SLURM_CPUS_PER_TASK", "many")]);
    assert!(text.contains("SLURM_CPUS_PER_TASK is `many`"), "{text}");
    assert!(of(&[tasks, ("SLURM_HET_SIZE", "2")]).contains("heterogeneous"));
    let list = of(&[tasks, ("SLURM_JOB_NODELIST", "n[1-")]);
    assert!(list.contains("`n[1-` is not understood"), "{list}");
    assert!(of(&[("SLURM_TASKS_PER_NODE", "0(x2)")]).contains("no host is named"));
}

#[test]
fn an_mpirun_that_srun_has_started_several_times_starts_nothing() {
    let mut twice = recorded!("slurm-uneven");
    twice.variables.insert("SLURM_STEP_NUM_TASKS".into(), "7".into());
    twice.variables.insert("SLURM_PROCID".into(), "3".into());
    let text = twice.find().unwrap_err();
    assert!(text.contains("task 3 of 7"), "{text}");
    twice.variables.insert("SLURM_STEP_NUM_TASKS".into(), "1".into());
    assert!(twice.find().is_ok(), "an interactive shell is a step of one task");
}

#[test]
fn pbs_pro_writes_a_line_for_each_rank_of_each_chunk() {
    let found = recorded!("pbs-pro-chunks").found();
    assert_eq!(found.title(), "PBS job 1234.pbsserver");
    assert_eq!(
        hosts::shown(&found.hosts),
        "r1i0n3.cluster:3,r1i0n7.cluster:1,r2i4n0.cluster:2",
        "hosts in the order of their first line, also if a chunk comes back to one"
    );
    let one = recorded!("pbs-pro-no-mpiprocs").found();
    assert_eq!(hosts::shown(&one.hosts), "n1:1,n2:1");
    let text = applied(&one, "n1", "-n 72 a").unwrap_err();
    assert_eq!(
        text,
        "72 ranks, but PBS job 99.pbs has 2 slots (n1:1,n2:1); ask for more (mpiprocs, as in `-l \
         select=2:ncpus=8:mpiprocs=8`) or give --oversubscribe"
    );
}

#[test]
fn pbs_pro_promises_cpus_for_the_threads_of_a_rank() {
    let job = |threads: &str, lines: usize| {
        let mut job = recorded!("pbs-pro-no-mpiprocs");
        job.variables.insert("OMP_NUM_THREADS".into(), threads.into());
        let file = job.files.values_mut().next().unwrap();
        *file = ["n1\n".repeat(lines), "n2\n".repeat(lines)].concat();
        job.find_with(36).unwrap().unwrap().cpus_per_rank
    };
    assert_eq!(job("9", 4), Some(9), "ncpus=36:mpiprocs=4:ompthreads=9");
    assert_eq!(job("9,2", 4), Some(9));
    assert_eq!(job("4", 4), Some(4), "fewer threads than there is room for");
    assert_eq!(job("36", 1), Some(36), "ncpus=36, one process for each chunk");
    assert_eq!(job("36", 4), Some(9), "ncpus=36:mpiprocs=4, of which PBS says 36 threads each");
    assert_eq!(job("36", 36), None, "ncpus=36:mpiprocs=36, of which it says the same");
    assert_eq!(job("36", 72), None);
    for odd in ["1", "", "many", "0", "-3"] {
        assert_eq!(job(odd, 4), None, "{odd}");
    }
    let mut torque = recorded!("torque-uneven");
    torque.variables.insert("OMP_NUM_THREADS".into(), "4".into());
    assert_eq!(torque.found().cpus_per_rank, None, "its lines are processors");
}

#[test]
fn a_node_that_the_system_calls_localhost_is_itself() {
    let named = |own: &str, more: &[(&str, &str)]| {
        let tasks = ("SLURM_TASKS_PER_NODE", "2");
        let job = [("SLURM_JOB_ID", "1"), ("SLURM_JOB_NODELIST", "localhost"), tasks];
        let found = Recorded::of(&[&job[..], more].concat()).found();
        let request = applied(&found, own, "-host localhost a").unwrap();
        let is_here = hosts::is_this(&request.common.hosts[0].name, found.this(own));
        (hosts::shown(&request.common.hosts), is_here)
    };
    let inside = [("SLURMD_NODENAME", "localhost")];
    assert_eq!(named("head", &inside), ("localhost:1".into(), true));
    assert_eq!(named("head", &[]), ("localhost:1".into(), false), "salloc's shell is on no node");
    let mut pbs = recorded!("pbs-pro-no-mpiprocs");
    *pbs.files.values_mut().next().unwrap() = "localhost\nn2\n".into();
    let found = pbs.found();
    for (line, expected) in [("-host n2 a", "n2:1"), ("-host head a", "localhost:1")] {
        let request = applied(&found, "head", line).unwrap();
        assert_eq!(hosts::shown(&request.common.hosts), expected, "{line}");
    }
    assert!(applied(&found, "head", "-host n3 a").is_err());
}

#[test]
fn torque_repeats_hosts_as_it_likes() {
    let found = recorded!("torque-uneven").found();
    assert_eq!(found.title(), "Torque job 55.head.cluster");
    assert_eq!(hosts::shown(&found.hosts), "node12:4,node03:1,node07:3");
}

#[test]
fn a_node_file_that_is_missing_or_odd_is_named() {
    let mut job = recorded!("torque-uneven");
    job.variables.insert("PBS_NODEFILE".into(), "/nowhere".into());
    let text = job.find().unwrap_err();
    assert!(text.contains("PBS_NODEFILE is `/nowhere`, which cannot be read"), "{text}");
    for (odd, line) in
        [("node1\nnode2 4\n", "line 2: `node2 4` is not `HOST`"), ("-x\n", "line 1: `-x`")]
    {
        job.files.insert("/nowhere".into(), odd.into());
        assert!(job.find().unwrap_err().contains(line), "{odd}");
    }
    job.files.insert("/nowhere".into(), "\n".into());
    assert!(job.find().unwrap_err().contains("no host is named"));
}

#[test]
fn lsf_has_a_file_or_a_list() {
    let found = recorded!("lsf-file").found();
    assert_eq!(
        (found.title().as_str(), found.source.as_str()),
        ("LSF job 808", "LSB_DJOB_HOSTFILE")
    );
    assert_eq!(hosts::shown(&found.hosts), "hostA:2,hostB:1");
    let list = [("LSB_JOBID", "1"), ("LSB_MCPU_HOSTS", "hostA 4 hostB 2 ")];
    assert_eq!(hosts::shown(&Recorded::of(&list).found().hosts), "hostA:4,hostB:2");
    for wrong in ["hostA", "hostA x", "hostA 0", "hostA 4 hostB"] {
        let text = Recorded::of(&[("LSB_JOBID", "1"), ("LSB_MCPU_HOSTS", wrong)]).find();
        assert!(text.unwrap_err().contains(&format!("`{wrong}`")), "{wrong}");
    }
}

#[test]
fn grid_engine_has_a_line_for_each_queue() {
    let found = recorded!("grid-engine").found();
    assert_eq!(hosts::shown(&found.hosts), "node1.cluster:6,node2.cluster:8");
    assert_eq!(found.system.bootstrap().unwrap(), ["qrsh", "-inherit"]);
}

#[test]
fn a_job_fills_the_allocation_and_nothing_else() {
    let found = recorded!("slurm-uneven").found();
    let text = applied(&found, "c5n-01", "-host c5n-02,elsewhere a").unwrap_err();
    assert!(
        text.starts_with("host elsewhere is not in Slurm job 4711, which has c5n-01:2"),
        "{text}"
    );
    let text = applied(&found, "c5n-01", "-n 8 a").unwrap_err();
    assert!(text.starts_with("8 ranks, but Slurm job 4711 has 7 slots ("), "{text}");
    assert!(
        text.ends_with("(-n or --ntasks-per-node of sbatch and salloc) or give --oversubscribe")
    );
    let text = applied(&found, "c5n-01", "-host c5n-07:2 a").unwrap_err();
    assert!(text.starts_with("2 ranks on host c5n-07, but Slurm job 4711 has 1 there"), "{text}");
    assert!(applied(&found, "c5n-01", "-ppn 2 a").is_err(), "the last one has one slot");
    for line in ["a", "-n 7 a", "-n 1 a", "-n 3 a : -n 4 b", "-n 9 --oversubscribe a", "-ppn 1 a"] {
        assert!(applied(&found, "c5n-01", line).is_ok(), "{line}");
    }
}

#[test]
fn hosts_are_called_by_the_names_that_the_system_has_for_them() {
    let found = recorded!("pbs-pro-chunks").found();
    let request = applied(&found, "r1i0n3", "-host localhost,r2i4n0 a").unwrap();
    assert_eq!(hosts::shown(&request.common.hosts), "r1i0n3.cluster:1,r2i4n0.cluster:1");
}

#[test]
fn a_host_that_is_named_in_two_ways_is_one_host() {
    let found = recorded!("pbs-pro-chunks").found();
    let request = applied(&found, "r1i0n3", "-host localhost,r2i4n0,r1i0n3:2 a").unwrap();
    assert_eq!(hosts::shown(&request.common.hosts), "r1i0n3.cluster:3,r2i4n0.cluster:1");
    let text = applied(&found, "r1i0n3", "-host localhost:2,r1i0n3:2 a").unwrap_err();
    assert!(text.starts_with("4 ranks on host r1i0n3.cluster, but PBS job"), "{text}");
}

/// Lines of a node file, and the slots of each host in the order of their first lines.
fn node_file() -> impl Strategy<Value = (String, Vec<(String, usize)>)> {
    prop::collection::vec(0usize..6, 1..60).prop_map(|lines| {
        let mut counted: Vec<(String, usize)> = Vec::new();
        let mut text = String::new();
        for host in lines {
            let name = format!("node{host}.cluster");
            text.push_str(&format!("{name}\n"));
            match counted.iter_mut().find(|(known, _)| *known == name) {
                Some((_, slots)) => *slots += 1,
                None => counted.push((name, 1)),
            }
        }
        (text, counted)
    })
}

proptest! {
    #[test]
    fn every_line_of_a_node_file_is_a_slot((text, counted) in node_file(), more in 1usize..9) {
        let mut job = recorded!("torque-uneven");
        job.files.insert("/file".into(), text.clone());
        job.variables.insert("PBS_NODEFILE".into(), "/file".into());
        let found = job.found();
        let hosts: Vec<_> = found.hosts.iter().map(|h| (h.name.clone(), h.slots)).collect();
        prop_assert_eq!(hosts, counted);
        prop_assert_eq!(found.slots(), text.lines().count());
        // As many ranks as there are slots have room, on the hosts of their lines; more have not.
        let slots = found.slots();
        let lines = ["a".into(), format!("-n {slots} a"), format!("-n {slots} --map-by node a")];
        for line in lines {
            let request = applied(&found, "node0", &line).unwrap();
            let map_ranks = map_ranks(&request, &request.common.hosts).unwrap();
            for (number, host) in map_ranks.hosts.iter().enumerate() {
                let is_there = |rank: &&(u32, u32)| rank.0 as usize == number;
                let ranks = map_ranks.ranks.iter().filter(is_there).count();
                let lines = text.lines().filter(|line| line == host).count();
                prop_assert_eq!(ranks, lines);
            }
        }
        let refused = applied(&found, "node0", &format!("-n {} a", slots + more)).is_err();
        prop_assert!(refused);
    }
}
