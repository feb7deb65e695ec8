//! Which rank runs on which CPUs: from a topology, a number of ranks and two options of the user.

use dunlin_machine::Cpus;
use dunlin_machine::{Core, Topology};
use serde::{Deserialize, Serialize};

/// What a rank is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Binding {
    /// All threads of one core.
    Core,
    /// All cores of the socket.
    Socket,
    /// All cores of the NUMA node.
    Numa,
    /// Nothing: the kernel may move it.
    None,
}

impl Binding {
    /// The words of `--bind-to`.
    pub const WORDS: &[(&str, Binding)] = &[
        ("core", Binding::Core),
        ("socket", Binding::Socket),
        ("numa", Binding::Numa),
        ("none", Binding::None),
    ];

    /// What is done when the user does not say: a core each, if there are enough of them and they
    /// are ours alone. A single rank is left free because it may well run threads, and ranks under
    /// a quota because they share the machine's cores with other users.
    pub fn default_for(ranks: usize, cores: usize, under_quota: bool) -> Binding {
        if ranks > 1 && ranks <= cores && !under_quota { Binding::Core } else { Binding::None }
    }
}

/// In which order cores are handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Mapping {
    /// One after the other.
    Slot,
    /// In turn over the sockets.
    Socket,
    /// In turn over the NUMA nodes.
    Numa,
}

impl Mapping {
    /// The words of `--map-by`.
    pub const WORDS: &[(&str, Mapping)] = &[
        ("slot", Mapping::Slot),
        ("core", Mapping::Slot),
        ("socket", Mapping::Socket),
        ("numa", Mapping::Numa),
    ];
}

/// The CPUs of each of `ranks` ranks, of which each wants `cpus`; `None` for a rank that is not
/// bound. More ranks than there is room for go round again.
pub fn place(
    top: &Topology,
    ranks: usize,
    map: Mapping,
    bind: Binding,
    cpus: usize,
) -> Vec<Option<Cpus>> {
    if bind == Binding::None || top.cores.is_empty() {
        return vec![None; ranks];
    }
    let bundles = bundles(&top.cores, map, cpus);
    let reach_of = |rank: usize| {
        let bundle = &bundles[rank % bundles.len()];
        Cpus(bundle.iter().flat_map(|core| reach(top, core, bind).0).collect())
    };
    (0..ranks).map(|rank| Some(reach_of(rank))).collect()
}

/// How many ranks that want `cpus` CPUs each have cores of their own.
pub fn room(top: &Topology, map: Mapping, cpus: usize) -> usize {
    if cpus <= 1 { top.cores.len() } else { bundles(&top.cores, map, cpus).len() }
}

/// The cores of each rank: as many as have `cpus` CPUs together. What is left over is nobody's,
/// unless there is nothing else.
fn bundles(cores: &[Core], map: Mapping, cpus: usize) -> Vec<Vec<&Core>> {
    let (mut bundles, mut bundle, mut held) = (Vec::new(), Vec::new(), 0);
    for core in ordered(cores, map) {
        bundle.push(core);
        held += core.cpus.0.len();
        if held >= cpus {
            bundles.push(std::mem::take(&mut bundle));
            held = 0;
        }
    }
    if bundles.is_empty() {
        bundles.push(bundle);
    }
    bundles
}

/// The cores in the order in which ranks get them.
fn ordered(cores: &[Core], map: Mapping) -> Vec<&Core> {
    let group = |core: &Core| match map {
        Mapping::Slot => 0,
        Mapping::Socket => core.socket,
        Mapping::Numa => core.numa,
    };
    let place_in_group =
        |at: usize| cores[..at].iter().filter(|c| group(c) == group(&cores[at])).count();
    let mut order: Vec<usize> = (0..cores.len()).collect();
    order.sort_by_cached_key(|&at| (place_in_group(at), group(&cores[at])));
    order.into_iter().map(|at| &cores[at]).collect()
}

fn reach(top: &Topology, core: &Core, bind: Binding) -> Cpus {
    let together = |other: &&Core| match bind {
        Binding::Core | Binding::None => other.cpus == core.cpus,
        Binding::Socket => other.socket == core.socket,
        Binding::Numa => other.numa == core.numa,
    };
    top.cores.iter().filter(together).flat_map(|c| c.cpus.0.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sockets of two cores of two threads, each socket a NUMA node.
    fn machine() -> Topology {
        let core =
            |n: usize| Core { cpus: [n, n + 4].into_iter().collect(), socket: n / 2, numa: n / 2 };
        Topology { cores: (0..4).map(core).collect() }
    }

    fn placed(ranks: usize, map: Mapping, bind: Binding) -> Vec<String> {
        let places = place(&machine(), ranks, map, bind, 1);
        places.into_iter().map(|p| p.map_or("free".into(), |cpus| cpus.to_string())).collect()
    }

    #[test]
    fn slots_fill_one_core_after_the_other() {
        assert_eq!(placed(3, Mapping::Slot, Binding::Core), ["0,4", "1,5", "2,6"]);
    }

    #[test]
    fn sockets_take_turns() {
        let expected = ["0,4", "2,6", "1,5", "3,7"];
        assert_eq!(placed(4, Mapping::Socket, Binding::Core), expected);
        assert_eq!(placed(4, Mapping::Numa, Binding::Core), expected);
    }

    #[test]
    fn binding_wider_keeps_the_socket() {
        assert_eq!(placed(2, Mapping::Socket, Binding::Socket), ["0-1,4-5", "2-3,6-7"]);
        assert_eq!(placed(2, Mapping::Slot, Binding::Numa), ["0-1,4-5", "0-1,4-5"]);
    }

    #[test]
    fn more_ranks_than_cores_go_round_again() {
        assert_eq!(placed(5, Mapping::Slot, Binding::Core)[4], "0,4");
    }

    #[test]
    fn a_rank_that_wants_several_cpus_gets_as_many_cores_as_have_them() {
        let placed = |ranks, map, bind, cpus| -> Vec<String> {
            let places = place(&machine(), ranks, map, bind, cpus);
            places.into_iter().map(|p| p.unwrap().to_string()).collect()
        };
        assert_eq!(placed(2, Mapping::Slot, Binding::Core, 4), ["0-1,4-5", "2-3,6-7"]);
        assert_eq!(placed(2, Mapping::Slot, Binding::Core, 3), ["0-1,4-5", "2-3,6-7"]);
        assert_eq!(placed(1, Mapping::Slot, Binding::Core, 99), ["0-7"], "all there is");
        assert_eq!(placed(2, Mapping::Slot, Binding::Core, 6), ["0-2,4-6", "0-2,4-6"]);
        assert_eq!(placed(1, Mapping::Slot, Binding::Socket, 2), ["0-1,4-5"]);
        let rooms = [0, 1, 2, 3, 4, 6, 99].map(|cpus| room(&machine(), Mapping::Slot, cpus));
        assert_eq!(rooms, [4, 4, 4, 2, 2, 1, 1]);
    }

    #[test]
    fn unbound_ranks_are_free() {
        assert_eq!(placed(2, Mapping::Slot, Binding::None), ["free", "free"]);
        let nothing = place(&Topology::default(), 1, Mapping::Slot, Binding::Core, 1);
        assert_eq!(nothing, [None]);
    }

    #[test]
    fn only_ranks_with_cores_of_their_own_are_bound_by_default() {
        assert_eq!(Binding::default_for(4, 4, false), Binding::Core);
        assert_eq!(Binding::default_for(5, 4, false), Binding::None);
        assert_eq!(Binding::default_for(1, 4, false), Binding::None);
        assert_eq!(Binding::default_for(2, 4, true), Binding::None);
    }
}
