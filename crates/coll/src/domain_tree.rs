//! Trees over the ranks of a node that follow its domains: a line that a rank of another socket has
//! written takes up to eight times as long to read as one of a rank that shares a cache, and many
//! readers of one line wait for each other.

use crate::tree::Knomial;
use crate::{Domains, NodeChannel, STEPS, Slot, View};
use dunlin_base::Result;

/// A rank's place in a tree over the ranks of a node in which groups that share a cache are
/// subtrees, then those that share a NUMA domain, then those that share a socket. Within a group,
/// the tops of the smaller groups are a k-nomial tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DomainTree {
    /// None at the root.
    pub parent: Option<usize>,
    /// The nearest first.
    pub children: Vec<usize>,
}

impl DomainTree {
    pub fn new(domains: &Domains, me: usize, root: usize, radix: usize) -> DomainTree {
        let mut children = Vec::new();
        for level in 0..domains.levels() {
            let peers = domains.leaders(level, me, root);
            let tree = Knomial::with_radix(peers.me, peers.first, peers.ranks.len(), radix);
            children.extend(tree.children().map(|v| peers.ranks[tree.rank_of(v)]));
            if let Some(parent) = tree.parent() {
                return DomainTree { parent: Some(peers.ranks[parent]), children };
            }
        }
        DomainTree { parent: None, children }
    }

    /// The tree of this rank's node down which data goes that has come up another: several ranks
    /// read a line at a time, so it is flat.
    pub fn down<C: NodeChannel>(ch: &C, root: usize) -> DomainTree {
        DomainTree::of(ch, root, DOWN_RADIX)
    }

    /// The tree of this rank's node.
    pub fn of<C: NodeChannel>(ch: &C, root: usize, radix: usize) -> DomainTree {
        DomainTree::new(&ch.domains(), ch.rank(), root, radix)
    }

    /// The same with rank 0 at the top, and every subtree the ranks that follow those before it:
    /// where domains are not in order, without regard to them.
    pub fn in_order<C: NodeChannel>(ch: &C, radix: usize) -> DomainTree {
        let domains = ch.domains();
        if domains.in_order() {
            return DomainTree::new(&domains, ch.rank(), 0, radix);
        }
        DomainTree::new(&Domains::one(ch.size()), ch.rank(), 0, radix)
    }

    /// Waits until all below have published that they have arrived, and publishes the same.
    pub async fn report<C: NodeChannel>(&self, ch: &C) -> Result<()> {
        for &by in &self.children {
            ch.await_slot(Slot { step: UP, by }).await?;
        }
        if self.parent.is_some() { ch.copy_in(UP, View::EMPTY).await } else { Ok(()) }
    }

    /// Waits until the rank above has published that all may go on, and publishes the same.
    pub async fn dismiss<C: NodeChannel>(&self, ch: &C) -> Result<()> {
        if let Some(by) = self.parent {
            ch.await_slot(Slot { step: DOWN, by }).await?;
        }
        ch.all_have_begun()?;
        if self.children.is_empty() { Ok(()) } else { ch.copy_in(DOWN, View::EMPTY).await }
    }

    /// Adds up: a rank publishes the sum of its own operand and what those below it publish; the
    /// root puts it into `result`, which is the same memory as `own` or apart from it. Operators
    /// that do not commute need a tree in order.
    pub async fn add_up<C: NodeChannel>(
        &self,
        ch: &C,
        own: View,
        result: View,
        commutative: bool,
    ) -> Result<()> {
        let below = |by: usize| Slot { step: UP, by };
        let into = match (self.parent, self.children.is_empty()) {
            (None, true) => return ch.copy(own, result),
            (Some(_), true) => return ch.copy_in(UP, own).await,
            (None, false) => result,
            (Some(_), false) => ch.temp(own.len)?,
        };
        let (mut sum, last) = (own, self.children.last().copied());
        for &by in &self.children {
            if commutative && Some(by) == last && self.parent.is_some() {
                return ch.copy_in_combined(UP, below(by), sum, into).await;
            }
            // The ranks below a child follow those that are in the sum.
            match commutative && sum == into {
                true => ch.get_reduce(below(by), 0, into).await?,
                false => ch.get_combine(below(by), 0, sum, into).await?,
            }
            sum = into;
        }
        if self.parent.is_some() { ch.copy_in(UP, sum).await } else { Ok(()) }
    }

    /// Hands the root's `data` down: a rank takes it from the one above and publishes it, at
    /// `step`, to those below.
    pub async fn hand_down<C: NodeChannel>(&self, ch: &C, step: usize, data: View) -> Result<()> {
        if let Some(by) = self.parent {
            ch.get_whole(Slot { step, by }, data).await?;
        }
        if self.children.is_empty() { Ok(()) } else { ch.copy_in(step, data).await }
    }
}

/// What a tree down which data goes branches by: the 8th reader of a line gets it a tenth of a
/// microsecond after the first, another level takes as long or longer.
pub(crate) const DOWN_RADIX: usize = 8;

/// What a tree up which data comes branches by: a rank reads the lines of those below one after
/// another.
pub(crate) const UP_RADIX: usize = 2;

/// The step at which a rank publishes what it has of those below.
const UP: usize = 0;
/// The step at which a rank publishes what it has from above.
pub(crate) const DOWN: usize = 1;

/// Hands down rank 0's `sum` of what all have published on the way up.
pub(crate) async fn hand_down_after_up<C: NodeChannel>(ch: &C, sum: View) -> Result<()> {
    // A rank has published as much on the way up: a stage of its own, where one has no room for
    // both.
    let step = if sum.len <= ch.stage_room(sum, 2) / 2 { DOWN } else { STEPS };
    DomainTree::down(ch, 0).hand_down(ch, step, sum).await?;
    ch.all_have_begun()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Locality;
    use crate::domains::localities;

    #[test]
    fn caches_are_subtrees_then_numa_domains_then_sockets() {
        let domains = Domains::new(&localities(3));
        let tree = |me| DomainTree::new(&domains, me, 0, 64);
        let (top, cache, numa) = (tree(0), tree(3), tree(6));
        assert_eq!(top.children, [1, 2, 3, 6, 12]);
        assert_eq!((cache.parent, cache.children), (Some(0), vec![4, 5]));
        assert_eq!((numa.parent, numa.children), (Some(0), vec![7, 8, 9]));
        assert_eq!(tree(18), DomainTree { parent: Some(12), children: vec![19, 20, 21] });
    }

    #[test]
    fn the_root_leads_its_groups() {
        let domains = Domains::new(&localities(3));
        let tree = |me| DomainTree::new(&domains, me, 16, 64);
        assert_eq!(tree(16).children, [17, 15, 12, 18, 0]);
        assert_eq!(tree(12).children, [13, 14]);
    }

    #[test]
    fn every_rank_is_the_child_of_its_parent_whatever_the_domains() {
        let scattered = |ranks: usize| {
            let place =
                |rank: usize| Locality { cache: rank as u16 % 5, numa: rank as u16 % 2, socket: 0 };
            (0..ranks).map(place).collect::<Vec<_>>()
        };
        for (places, radix) in
            (1..30).flat_map(|n| [2, 3, 8].map(|k| (scattered(n), k))).chain([(localities(5), 2)])
        {
            let (ranks, domains) = (places.len(), Domains::new(&places));
            for root in 0..ranks {
                let tree = |me| DomainTree::new(&domains, me, root, radix);
                let below = |me| tree(me).children.len();
                assert_eq!((0..ranks).map(below).sum::<usize>(), ranks - 1);
                for me in 0..ranks {
                    assert!(tree(me).children.iter().all(|&v| tree(v).parent == Some(me)));
                }
                assert_eq!(tree(root).parent, None);
            }
        }
    }
}
