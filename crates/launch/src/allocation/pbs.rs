//! A job of PBS Professional, OpenPBS or Torque: the file that PBS_NODEFILE names has a line for
//! each slot, with the host's name; a host may come again anywhere in it.

use super::{Allocation, Outside, System, This, hosts_of_file};
use crate::failure::Failure;

const FILE: &str = "PBS_NODEFILE";

/// The allocation, if this is a job of one of them.
pub fn find(outside: &Outside<'_>) -> Result<Option<Allocation>, Failure> {
    let var = outside.var;
    let (Some(job), Some(path)) = (var("PBS_JOBID"), var(FILE)) else { return Ok(None) };
    let is_torque = var("PBS_VERSION").is_some_and(|version| version.starts_with("TORQUE"))
        || var("PBS_NUM_PPN").is_some();
    let one_slot = |words: &[&str]| (words.len() == 1).then_some(1);
    Ok(Some(Allocation {
        system: if is_torque { System::Torque } else { System::PbsPro },
        job,
        hosts: hosts_of_file(FILE, &path, outside, "HOST", one_slot)?,
        cpus_per_rank: None,
        source: FILE.into(),
        this: This::Unknown,
    }))
}
