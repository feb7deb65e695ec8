//! A parallel job of Grid Engine: the file that PE_HOSTFILE names has lines of host, slots, queue
//! and processors; a host has a line for each queue that it gives slots from.

use super::{Allocation, Outside, System, This, hosts_of_file};
use crate::failure::Failure;

const FILE: &str = "PE_HOSTFILE";

/// The allocation, if this is a parallel job of Grid Engine.
pub fn find(outside: &Outside<'_>) -> Result<Option<Allocation>, Failure> {
    let var = outside.var;
    let (Some(job), Some(path)) = (var("JOB_ID"), var(FILE)) else { return Ok(None) };
    let slots = |words: &[&str]| words.get(1)?.parse().ok().filter(|&slots| slots > 0);
    Ok(Some(Allocation {
        system: System::GridEngine,
        job,
        hosts: hosts_of_file(FILE, &path, outside, "HOST SLOTS QUEUE PROCESSORS", slots)?,
        cpus_per_rank: None,
        source: FILE.into(),
        this: This::Unknown,
    }))
}
