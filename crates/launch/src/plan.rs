//! Who runs where: a request and a machine give a plan, which is plain data.

use std::ffi::OsString;

use dunlin_shm::layout::RANKS_MAX;

use crate::failure::Failure;
use crate::glibc_tunables;
use crate::options::Request;
use crate::placement::{Binding, place, room};
use dunlin_machine::Cpus;
use dunlin_machine::Machine;

/// A job that can be started.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The host, for messages.
    pub host: String,
    /// Ranks that can run at the same time there.
    pub cores: usize,
    /// In the order of the ranks.
    pub ranks: Vec<RankPlan>,
}

/// One rank of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankPlan {
    /// Its rank in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// The part of the command line it belongs to, which is its `MPI_APPNUM`.
    pub part: usize,
    /// What it is bound to.
    pub cpus: Option<Cpus>,
}

/// Plans a job.
pub fn plan(request: &Request, machine: &Machine) -> Result<Plan, Failure> {
    let mut parts = Vec::new();
    for (number, part) in request.parts.iter().enumerate() {
        let ranks = part.ranks.unwrap_or(machine.slots());
        // Checked before the sum, so that absurd numbers allocate nothing.
        if ranks > RANKS_MAX || parts.len() + ranks > RANKS_MAX {
            let seen = parts.len().saturating_add(ranks);
            return Err(Failure::usage(format!(
                "{seen} ranks on one machine; the limit is {RANKS_MAX}"
            )));
        }
        parts.extend(std::iter::repeat_n(number, ranks));
    }
    let ranks: Vec<(usize, usize)> = parts.into_iter().enumerate().collect();
    Ok(plan_ranks(request, machine, &ranks, ranks.len()))
}

/// Plans `ranks`, each with its part, on a machine that runs `sharers` ranks of the job in all.
/// Those of different hosts would not know which cores the others take.
pub fn plan_ranks(
    request: &Request,
    machine: &Machine,
    ranks: &[(usize, usize)],
    sharers: usize,
) -> Plan {
    let (map, cpus) = (request.common.map, request.common.cpus_per_rank.unwrap_or(1));
    let cores = room(&machine.topology, map, cpus);
    let default = match sharers > ranks.len() {
        true => Binding::None,
        false => Binding::default_for(ranks.len(), cores, machine.is_under_quota()),
    };
    let bind = request.common.bind.unwrap_or(default);
    let places = place(&machine.topology, ranks.len(), map, bind, cpus);
    let plan = |(&(rank, part), cpus)| RankPlan { rank, part, cpus };
    let planned = ranks.iter().zip(places).map(plan).collect();
    let share = machine.at_once() * ranks.len() / sharers.max(ranks.len());
    Plan { host: machine.host.clone(), cores: share.max(1), ranks: planned }
}

impl Plan {
    /// The environment its ranks inherit, given the launcher's.
    pub fn environment(&self, mut env: Vec<(OsString, OsString)>) -> Vec<(OsString, OsString)> {
        if self.ranks.len() > self.cores {
            glibc_tunables::disable_rseq(&mut env);
        }
        env
    }

    /// The lines of `--report-bindings`.
    pub fn bindings(&self) -> String {
        let line = |RankPlan { rank, cpus, .. }: &RankPlan| match cpus {
            Some(cpus) => format!("mpirun: rank {rank} on {} is bound to CPUs {cpus}\n", self.host),
            None => format!("mpirun: rank {rank} on {} is not bound\n", self.host),
        };
        self.ranks.iter().map(line).collect()
    }
}

/// The variables that must be passed on but are not set.
pub fn unset_variables(request: &Request, is_set: impl Fn(&OsString) -> bool) -> Vec<&OsString> {
    let named = request.parts.iter().flat_map(|part| &part.pass);
    named.filter(|name| !is_set(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Parsed, parse};
    use dunlin_machine::{Core, Topology};

    fn machine(cores: usize) -> Machine {
        let core = |n| Core { cpus: Cpus::from_iter([n]), socket: 0, numa: 0 };
        let topology = Topology { cores: (0..cores).map(core).collect() };
        Machine { host: "here".into(), topology, cpus: cores, quota: None }
    }

    fn planned(line: &str, machine: &Machine) -> Result<Plan, Failure> {
        match parse(line.split_whitespace().map(OsString::from)).unwrap() {
            Parsed::Run(request) => plan(&request, machine),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn without_a_number_every_core_gets_a_rank() {
        let plan = planned("a", &machine(3)).unwrap();
        assert_eq!(plan.ranks.len(), 3);
        assert_eq!(plan.ranks[2].cpus, Some(Cpus::from_iter([2])));
    }

    #[test]
    fn only_ranks_that_share_cores_do_without_restartable_sequences() {
        let environment =
            |ranks| planned(&format!("-n {ranks} a"), &machine(2)).unwrap().environment(Vec::new());
        assert_eq!(environment(2), []);
        assert_eq!(environment(3).len(), 1);
    }

    #[test]
    fn ranks_count_through_the_parts() {
        let plan = planned("-n 1 a : -n 2 b", &machine(8)).unwrap();
        let parts: Vec<usize> = plan.ranks.iter().map(|rank| rank.part).collect();
        assert_eq!(parts, [0, 1, 1]);
    }

    #[test]
    fn hosts_that_share_a_machine_share_its_cores_and_bind_nothing() {
        let Ok(Parsed::Run(request)) = parse(["a"].map(OsString::from)) else { panic!() };
        let ranks = [(2, 0), (3, 0)];
        let plan = plan_ranks(&request, &machine(4), &ranks, 8);
        assert_eq!((plan.cores, plan.ranks[1].rank), (1, 3));
        assert!(plan.ranks.iter().all(|rank| rank.cpus.is_none()));
        let plan = plan_ranks(&request, &machine(4), &ranks, 2);
        assert_eq!((plan.cores, &plan.ranks[1].cpus), (4, &Some(Cpus::from_iter([1]))));
    }

    #[test]
    fn more_ranks_than_cores_are_allowed_and_free() {
        let plan = planned("-n 9 a", &machine(2)).unwrap();
        assert!(plan.ranks.iter().all(|rank| rank.cpus.is_none()));
        assert!(plan.bindings().contains("rank 8 on here is not bound"));
    }

    #[test]
    fn too_many_ranks_are_refused_with_the_limit() {
        for line in ["-n 1025 a", "-n 1000 a : -n 1000 b", "-n 18446744073709551615 a"] {
            let failure = planned(line, &machine(2)).unwrap_err();
            assert!(failure.text.contains("1024"), "{failure:?}");
        }
    }

    #[test]
    fn the_report_names_the_cpus() {
        let plan = planned("-n 2 a", &machine(2)).unwrap();
        assert!(plan.bindings().contains("rank 1 on here is bound to CPUs 1\n"));
    }
}
