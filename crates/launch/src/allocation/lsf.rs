//! A job of LSF: the file that LSB_DJOB_HOSTFILE names has a line for each slot; LSB_MCPU_HOSTS has
//! hosts and numbers in turns.

use super::{Allocation, Outside, System, This, hosts_of_file};
use crate::failure::Failure;
use crate::hosts::{Collected, Host};

const FILE: &str = "LSB_DJOB_HOSTFILE";
const LIST: &str = "LSB_MCPU_HOSTS";

/// The allocation, if this is a job of LSF.
pub fn find(outside: &Outside<'_>) -> Result<Option<Allocation>, Failure> {
    let var = outside.var;
    let Some(job) = var("LSB_JOBID") else { return Ok(None) };
    let one_slot = |words: &[&str]| (words.len() == 1).then_some(1);
    let (hosts, source) = match (var(FILE), var(LIST)) {
        (Some(path), _) => (hosts_of_file(FILE, &path, outside, "HOST", one_slot)?, FILE),
        (None, Some(list)) => (hosts_of_list(&list)?, LIST),
        (None, None) => return Ok(None),
    };
    Ok(Some(Allocation {
        system: System::Lsf,
        job,
        hosts,
        cpus_per_rank: None,
        source: source.into(),
        this: This::Unknown,
    }))
}

fn hosts_of_list(list: &str) -> Result<Vec<Host>, Failure> {
    let words: Vec<&str> = list.split_whitespace().collect();
    let mut found = Collected::default();
    for pair in words.chunks(2) {
        let slots = pair.get(1).and_then(|slots| slots.parse().ok()).filter(|&slots| slots > 0);
        let slots = slots.ok_or_else(|| {
            Failure::usage(format!("{LIST} is `{list}`; it must be hosts, each with its slots"))
        })?;
        found.add(pair[0], slots);
    }
    Ok(found.hosts())
}
