//! A job of Slurm: SLURM_JOB_NODELIST names the nodes, SLURM_TASKS_PER_NODE the ranks of each.

use super::{Allocation, Outside, System, This, nodelist};
use crate::failure::Failure;
use crate::hosts::Host;

/// One agent on one node, beside whatever else the job runs there, with all its CPUs: the ranks
/// are bound by the agent. Frames are no lines, so nothing may wait for the end of one.
pub const BOOTSTRAP: &[&str] = &[
    "srun",
    "--overlap",
    "--nodes=1",
    "--ntasks=1",
    "--cpu-bind=none",
    "--mpi=none",
    "--unbuffered",
    "--export=ALL",
    "--nodelist",
];

const NODES: &str = "SLURM_JOB_NODELIST";
const TASKS: &str = "SLURM_TASKS_PER_NODE";
const CPUS: &str = "SLURM_JOB_CPUS_PER_NODE";
const CPUS_PER_TASK: &str = "SLURM_CPUS_PER_TASK";

/// The allocation, if this is a job of Slurm.
pub fn find(outside: &Outside<'_>) -> Result<Option<Allocation>, Failure> {
    let var = outside.var;
    let (Some(job), Some(list)) = (var("SLURM_JOB_ID"), var(NODES)) else { return Ok(None) };
    refuse_what_is_not_one_job(outside)?;
    let names = nodelist::hosts(&list).map_err(|word| {
        Failure::usage(format!("{NODES} is `{list}`, in which `{word}` is not understood"))
    })?;
    let cpus_per_rank = number(outside, CPUS_PER_TASK)?;
    let (slots, source) = slots(outside, names.len(), cpus_per_rank.unwrap_or(1))?;
    // A node that none of the tasks were meant for is no place for a rank.
    let hosts = names.into_iter().zip(slots).filter(|(_, slots)| *slots > 0);
    Ok(Some(Allocation {
        system: System::Slurm,
        job,
        hosts: hosts.map(|(name, slots)| Host { name, slots }).collect(),
        cpus_per_rank: cpus_per_rank.filter(|&cpus| cpus > 1),
        source: format!("{NODES}, {source}"),
        this: var("SLURMD_NODENAME").map_or(This::Nobody, This::Named),
    }))
}

/// Parts of a job that srun would start together, and an mpirun that it has started several times.
fn refuse_what_is_not_one_job(outside: &Outside<'_>) -> Result<(), Failure> {
    if let Some(size) = number(outside, "SLURM_HET_SIZE")?.filter(|&size| size > 1) {
        return Err(Failure::usage(format!(
            "this is a heterogeneous job of Slurm (SLURM_HET_SIZE is {size}), over which mpirun \
             cannot spread ranks; start them with srun --mpi=pmix --het-group=..."
        )));
    }
    let tasks = number(outside, "SLURM_STEP_NUM_TASKS")?.filter(|&tasks| tasks > 1);
    if let (Some(tasks), Some(task)) = (tasks, (outside.var)("SLURM_PROCID")) {
        return Err(Failure::usage(format!(
            "srun has started this mpirun as task {task} of {tasks}, and each would start the \
             whole job; call mpirun without srun, or the program with srun --mpi=pmix"
        )));
    }
    Ok(())
}

/// The slots of each of `nodes` nodes, and what says so. Within a step the tasks are those of the
/// step, which may be on fewer nodes.
fn slots(
    outside: &Outside<'_>,
    nodes: usize,
    cpus_per_rank: usize,
) -> Result<(Vec<usize>, &'static str), Failure> {
    let mut seen = Vec::new();
    for (name, cpus_per_slot) in [(TASKS, 1), (CPUS, cpus_per_rank.max(1))] {
        let Some(list) = (outside.var)(name) else { continue };
        match nodelist::counts(&list).filter(|counts| counts.len() == nodes) {
            Some(counts) => {
                return Ok((counts.iter().map(|count| count / cpus_per_slot).collect(), name));
            }
            None => seen.push(format!("{name} is `{list}`")),
        }
    }
    let seen = match seen.is_empty() {
        true => format!("neither {TASKS} nor {CPUS} is set"),
        false => seen.join(" and "),
    };
    let s = if nodes == 1 { "" } else { "s" };
    Err(Failure::usage(format!(
        "{NODES} names {nodes} node{s}, but {seen}; give -host or -hostfile"
    )))
}

fn number(outside: &Outside<'_>, name: &str) -> Result<Option<usize>, Failure> {
    let Some(text) = (outside.var)(name) else { return Ok(None) };
    let number = text.parse().map_err(|_| {
        Failure::usage(format!("{name} is `{text}`; Slurm sets it to a number: do not set it"))
    })?;
    Ok(Some(number))
}
