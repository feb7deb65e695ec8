//! Which host each rank runs on: from hosts with slots and a number of ranks, as plain data.

use std::collections::BTreeSet;

use crate::failure::Failure;
use crate::hosts::{Host, is_this};
use crate::options::Request;

/// The most ranks of a job.
const WORLD_MAX: usize = 1 << 20;

/// The hosts that get ranks, and who runs where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankMap {
    /// Their names, in the order of the list.
    pub hosts: Vec<String>,
    /// The host and the part of each rank.
    pub ranks: Vec<(u32, u32)>,
}

/// Where the ranks of `request` run if not on the host called `this` alone; else how many there are
/// here is put into the request.
pub fn elsewhere(request: &mut Request, this: &str) -> Result<Option<RankMap>, Failure> {
    let common = &request.common;
    let slots = match &common.hosts[..] {
        [] => common.per_host,
        hosts if hosts.iter().all(|host| is_this(&host.name, this)) => {
            let slots = hosts.iter().map(|host| common.per_host.unwrap_or(host.slots));
            Some(slots.fold(0, usize::saturating_add))
        }
        hosts => return map_ranks(request, hosts).map(Some),
    };
    request.parts.iter_mut().for_each(|part| part.ranks = part.ranks.or(slots));
    Ok(None)
}

/// Spreads the ranks of `request` over `hosts`. Without a number, a part takes every slot.
pub fn map_ranks(request: &Request, hosts: &[Host]) -> Result<RankMap, Failure> {
    let common = &request.common;
    let slots = |host: &Host| common.per_host.unwrap_or(host.slots);
    let total: usize = hosts.iter().map(slots).fold(0, usize::saturating_add);
    let mut parts = Vec::new();
    for (number, part) in request.parts.iter().enumerate() {
        let ranks = part.ranks.unwrap_or(total);
        if ranks > WORLD_MAX || parts.len() + ranks > WORLD_MAX {
            let seen = parts.len().saturating_add(ranks);
            return Err(Failure::usage(format!("{seen} ranks; the limit is {WORLD_MAX}")));
        }
        parts.extend(std::iter::repeat_n(number as u32, ranks));
    }
    let slots: Vec<usize> = hosts.iter().map(slots).collect();
    let order = if common.by_node { by_node } else { by_slot };
    // More ranks than slots go round again.
    let place_of = order(&slots, parts.len());
    let place_of: Vec<usize> = place_of.into_iter().cycle().take(parts.len()).collect();
    let used: BTreeSet<usize> = place_of.iter().copied().collect();
    let used: Vec<usize> = used.into_iter().collect();
    let number = |host: usize| used.binary_search(&host).expect("it is used") as u32;
    Ok(RankMap {
        hosts: used.iter().map(|&host| hosts[host].name.clone()).collect(),
        ranks: place_of.iter().zip(parts).map(|(&host, part)| (number(host), part)).collect(),
    })
}

/// Each host filled before the next; no more places than `ranks`, whatever slots are said to be.
fn by_slot(slots: &[usize], ranks: usize) -> Vec<usize> {
    let places = slots.iter().enumerate();
    places.flat_map(|(host, &slots)| std::iter::repeat_n(host, slots)).take(ranks).collect()
}

/// Hosts in turn, as long as they have slots; no more places than `ranks`.
fn by_node(slots: &[usize], ranks: usize) -> Vec<usize> {
    let mut places = Vec::new();
    let mut left: Vec<usize> = (0..slots.len()).collect();
    for round in 0.. {
        left.retain(|&host| slots[host] > round);
        places.extend(left.iter().copied().take(ranks - places.len()));
        if left.is_empty() || places.len() == ranks {
            break;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Parsed, parse};
    use std::ffi::OsString;

    /// The hosts of the ranks, as numbers.
    fn placed(line: &str) -> String {
        let Ok(Parsed::Run(request)) = parse(line.split_whitespace().map(OsString::from)) else {
            panic!("{line}")
        };
        let map_ranks = map_ranks(&request, &request.common.hosts).unwrap();
        map_ranks.ranks.iter().map(|(host, _)| map_ranks.hosts[*host as usize].as_str()).collect()
    }

    #[test]
    fn slots_are_filled_host_by_host() {
        assert_eq!(placed("-host a:2,b:3 x"), "aabbb");
        assert_eq!(placed("-n 3 -host a:2,b:3 x"), "aab");
        assert_eq!(placed("-n 2 -host a,b x"), "ab");
    }

    #[test]
    fn nodes_take_turns_while_they_have_slots() {
        assert_eq!(placed("--map-by node -host a:1,b:3,c:2 x"), "abcbcb");
    }

    #[test]
    fn absurd_slots_cost_nothing() {
        let most = usize::MAX;
        assert_eq!(placed(&format!("-n 3 -host a:{most},b:{most} x")), "aaa");
        assert_eq!(placed(&format!("-n 3 --map-by node -host a:{most},b x")), "aba");
        assert_eq!(placed(&format!("-n 3 -ppn {most} --map-by node -host a,b x")), "aba");
        let hosts = (0..100_000).map(|n| Host { name: format!("n{n}"), slots: 1 + n / 99_999 * 9 });
        let slots: Vec<usize> = hosts.map(|host| host.slots).collect();
        assert_eq!(by_node(&slots, 1 << 20).len(), 100_009);
    }

    #[test]
    fn a_number_for_each_host_replaces_the_slots() {
        assert_eq!(placed("-ppn 2 -host a,b:7 x"), "aabb");
        assert_eq!(placed("-N 1 -n 2 -host a:4,b:4 x"), "ab");
    }

    #[test]
    fn more_ranks_than_slots_go_round_again() {
        assert_eq!(placed("-n 7 -host a:2,b:1 x"), "aabaaba");
    }

    #[test]
    fn this_machine_alone_needs_no_agents() {
        for (line, ranks) in
            [("-host here:3,localhost x", Some(4)), ("-N 2 x", Some(2)), ("x", None)]
        {
            let line = line.split_whitespace().map(OsString::from);
            let Ok(Parsed::Run(mut request)) = parse(line) else { panic!() };
            assert_eq!(elsewhere(&mut request, "here").unwrap(), None);
            assert_eq!(request.parts[0].ranks, ranks);
        }
        let line = ["-host", "here,there", "x"].map(OsString::from);
        let Ok(Parsed::Run(mut request)) = parse(line) else { panic!() };
        assert!(elsewhere(&mut request, "here").unwrap().is_some());
    }

    #[test]
    fn hosts_without_ranks_are_left_out() {
        let line = "-n 1 -host a,b,c x".split_whitespace().map(OsString::from);
        let Ok(Parsed::Run(request)) = parse(line) else { panic!() };
        assert_eq!(map_ranks(&request, &request.common.hosts).unwrap().hosts, ["a"]);
    }

    #[test]
    fn parts_follow_each_other_over_the_hosts() {
        let line = "-host a:2,b:2 -n 1 x : -n 3 y".split_whitespace().map(OsString::from);
        let Ok(Parsed::Run(request)) = parse(line) else { panic!() };
        let map_ranks = map_ranks(&request, &request.common.hosts).unwrap();
        assert_eq!(map_ranks.ranks, [(0, 0), (0, 1), (1, 1), (1, 1)]);
    }
}
