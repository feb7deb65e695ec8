//! What `mpirun` would do with a command line, and why, without doing any of it.

use std::ffi::OsString;

use dunlin_base::settings::Settings;
use dunlin_machine::Machine;

use crate::failure::Failure;
use crate::options::{Parsed, Request, parse};
use crate::plan::Plan;
use crate::{allocation_around, cluster, plan, rank_map, within};

/// The answer.
#[derive(Debug)]
pub struct DryRun {
    /// The job of a batch system around this process.
    pub allocation: Option<Found>,
    /// The words of the command that would start agents on other hosts; `None` if all ranks would
    /// be here.
    pub bootstrap: Option<Vec<String>>,
    /// The hosts that would get ranks.
    pub hosts: Vec<HostPlan>,
}

/// An allocation.
#[derive(Debug)]
pub struct Found {
    /// The batch system.
    pub system: &'static str,
    /// The job's name there.
    pub job: String,
    /// Hosts and slots.
    pub hosts: Vec<(String, usize)>,
    /// CPUs that each rank was promised.
    pub cpus_per_rank: Option<usize>,
    /// The variables that say so.
    pub source: String,
    /// All of it in a line.
    pub text: String,
}

/// A host and its ranks.
#[derive(Debug)]
pub struct HostPlan {
    /// The host.
    pub name: String,
    /// Its ranks.
    pub ranks: Vec<usize>,
    /// What each of them would be bound to; `None` for nothing. Absent where only the host itself
    /// knows: it counts its cores when it is asked to start ranks.
    pub bindings: Option<Vec<Option<String>>>,
}

/// What `mpirun` would do with these arguments here; without any, with a program alone.
pub fn dry_run(settings: &Settings, args: Vec<OsString>) -> Result<DryRun, String> {
    look(settings, args).map_err(|failure| failure.text)
}

fn look(settings: &Settings, mut args: Vec<OsString>) -> Result<DryRun, Failure> {
    // Only where ranks run matters, not what.
    args.push("program".into());
    let Parsed::Run(mut request) = parse(args)? else {
        return Err(Failure::usage("--help and --version start nothing"));
    };
    let machine = Machine::this();
    let allocation = allocation_around(settings, &machine)?;
    let this = within(allocation.as_ref(), &mut request, &machine)?;
    let map_ranks = rank_map::elsewhere(&mut request, &this)?;
    let bootstrap = allocation.as_ref().and_then(|allocation| allocation.system.bootstrap());
    let found = allocation.map(|allocation| Found {
        system: allocation.system.name(),
        text: allocation.text(),
        hosts: allocation.hosts.into_iter().map(|host| (host.name, host.slots)).collect(),
        job: allocation.job,
        cpus_per_rank: allocation.cpus_per_rank,
        source: allocation.source,
    });
    let Some(map_ranks) = map_ranks else {
        let here = here(plan::plan(&request, &machine)?);
        return Ok(DryRun { allocation: found, bootstrap: None, hosts: vec![here] });
    };
    let words = cluster::rsh(settings, &request, bootstrap)?;
    let words = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let hosts = elsewhere(&request, &map_ranks, &this, &machine);
    Ok(DryRun { allocation: found, bootstrap: Some(words), hosts })
}

fn here(plan: Plan) -> HostPlan {
    HostPlan {
        name: plan.host,
        ranks: plan.ranks.iter().map(|planned| planned.rank).collect(),
        bindings: Some(plan.ranks.iter().map(|p| p.cpus.as_ref().map(|c| c.to_string())).collect()),
    }
}

fn elsewhere(
    request: &Request,
    map_ranks: &rank_map::RankMap,
    this: &str,
    machine: &Machine,
) -> Vec<HostPlan> {
    let mut hosts = Vec::new();
    for (node, name) in (0..).zip(&map_ranks.hosts) {
        let ranks = map_ranks.ranks.iter().enumerate().filter(|(_, (host, _))| *host == node);
        let ranks: Vec<(usize, usize)> = ranks.map(|(rank, at)| (rank, at.1 as usize)).collect();
        if crate::hosts::is_this(name, this) {
            let plan = plan::plan_ranks(request, machine, &ranks, ranks.len());
            hosts.push(HostPlan { name: name.clone(), ..here(plan) });
        } else {
            let ranks = ranks.into_iter().map(|(rank, _)| rank).collect();
            hosts.push(HostPlan { name: name.clone(), ranks, bindings: None });
        }
    }
    hosts
}
