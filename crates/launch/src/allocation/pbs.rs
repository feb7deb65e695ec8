//! A job of PBS Professional, OpenPBS or Torque: the file that PBS_NODEFILE names has a line for
//! each slot, with the host's name; a host may come again anywhere in it.
//!
//! Of `ompthreads` nothing is seen but OMP_NUM_THREADS, which PBS Professional sets to it, or to
//! `ncpus` where it was not asked for, however many processes share those.

use super::{Allocation, Outside, System, This, hosts_of_file};
use crate::failure::Failure;
use crate::hosts::Host;

const FILE: &str = "PBS_NODEFILE";
const THREADS: &str = "OMP_NUM_THREADS";

/// The allocation, if this is a job of one of them.
pub fn find(outside: &Outside<'_>) -> Result<Option<Allocation>, Failure> {
    let var = outside.var;
    let (Some(job), Some(path)) = (var("PBS_JOBID"), var(FILE)) else { return Ok(None) };
    let is_torque = var("PBS_VERSION").is_some_and(|version| version.starts_with("TORQUE"))
        || var("PBS_NUM_PPN").is_some();
    let one_slot = |words: &[&str]| (words.len() == 1).then_some(1);
    let hosts = hosts_of_file(FILE, &path, outside, "HOST", one_slot)?;
    let cpus_per_rank = if is_torque { None } else { cpus_per_rank(outside, &hosts) };
    Ok(Some(Allocation {
        system: if is_torque { System::Torque } else { System::PbsPro },
        job,
        hosts,
        cpus_per_rank,
        source: if cpus_per_rank.is_some() { format!("{FILE}, {THREADS}") } else { FILE.into() },
        this: This::Unknown,
    }))
}

/// A CPU for each thread of a rank, as far as the ranks of a host do not take each other's. The job
/// script's own host stands for all.
fn cpus_per_rank(outside: &Outside<'_>, hosts: &[Host]) -> Option<usize> {
    // `4,2` means threads that start threads.
    let threads: usize = (outside.var)(THREADS)?.split(',').next()?.trim().parse().ok()?;
    let most = hosts.iter().map(|host| host.slots).max()?;
    Some(threads.min(outside.cpus / most)).filter(|&cpus| cpus > 1)
}
