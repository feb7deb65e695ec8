//! The k-nomial tree, what goes down and up it in messages, and the numbering of ranks relative to
//! a root that most rooted algorithms use.

use crate::{Channel, View};
use dunlin_base::Result;

/// What a table that names no radix means: one round of 3 messages replaces two rounds, which pays
/// while a rank can keep that many in flight at once.
pub(crate) const RADIX: usize = 4;

/// Ranks numbered from a root: the root is 0, its right neighbour 1, and so on round the ring.
/// The k-nomial tree over them: the parent of `v` is `v` with its lowest digit that is not 0, in
/// base `radix`, set to 0. So a subtree is a run of consecutive relative ranks, and a rank has up
/// to `radix - 1` children of each size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knomial {
    /// The rank at the top.
    pub root: usize,
    /// Number of ranks.
    pub size: usize,
    /// This rank, relative to the root.
    pub me: usize,
    /// At least 2.
    pub radix: usize,
}

/// The tree by the name it has with radix 2, which is what `new` makes.
pub(crate) type Binomial = Knomial;

impl Knomial {
    pub fn new(rank: usize, root: usize, size: usize) -> Self {
        Knomial::with_radix(rank, root, size, 2)
    }

    pub fn with_radix(rank: usize, root: usize, size: usize, radix: usize) -> Self {
        Knomial { root, size, me: (rank + size - root) % size, radix }
    }

    /// The rank of relative rank `v`.
    pub fn rank_of(self, v: usize) -> usize {
        (self.root + v) % self.size
    }

    /// What a 1 in the place of the lowest digit of `v` that is not 0 stands for; at the root, of
    /// the first place that no rank has a digit in.
    fn weight(self, v: usize) -> usize {
        let unused = |weight: usize| match v {
            0 => weight < self.size,
            _ => v % weight.saturating_mul(self.radix) == 0,
        };
        powers(self.radix).find(|&weight| !unused(weight)).unwrap_or(usize::MAX)
    }

    /// The parent's relative rank.
    fn above(self) -> usize {
        self.me - self.me % self.weight(self.me).saturating_mul(self.radix)
    }

    /// The parent's rank; none at the root.
    pub fn parent(self) -> Option<usize> {
        (self.me != 0).then(|| self.rank_of(self.above()))
    }

    /// Whether the parent is the root itself.
    pub fn under_root(self) -> bool {
        self.me != 0 && self.above() == 0
    }

    /// This rank's children as relative ranks, the nearest (smallest subtree) first. All levels but
    /// the last are full.
    pub fn children(self) -> std::vec::IntoIter<usize> {
        let (top, mut list) = (self.weight(self.me), Vec::new());
        for weight in powers(self.radix).take_while(|&weight| weight < top) {
            let level = (1..self.radix).map(|digit| self.me + digit * weight);
            list.extend(level.take_while(|&v| v < self.size));
        }
        list.into_iter()
    }

    /// Number of ranks in the subtree under relative rank `v`, itself included.
    pub fn subtree(self, v: usize) -> usize {
        self.weight(v).min(self.size - v)
    }

    /// The ranks of the subtree under `v` as runs `(first rank, count)` in the order of `v`: two
    /// where the subtree reaches past the last rank, else one.
    pub fn runs(self, v: usize) -> impl Iterator<Item = (usize, usize)> {
        let (first, count) = (self.rank_of(v), self.subtree(v));
        let before_wrap = count.min(self.size - first);
        [(first, before_wrap), (0, count - before_wrap)].into_iter().filter(|run| run.1 > 0)
    }

    /// Hands the root's `data` down the tree: a rank takes it from its parent and hands it to its
    /// children, the largest subtree first.
    pub async fn hand_down<C: Channel>(self, ch: &C, data: View) -> Result<()> {
        if let Some(parent) = self.parent() {
            ch.recv(parent, data).await?;
        }
        let leaving = self.children().rev().map(|child| ch.isend(self.rank_of(child), data));
        ch.wait_all(leaving.collect::<Result<Vec<_>>>()?).await
    }

    /// Collects the partial results of this rank's subtree, of `len` elements in the send buffer,
    /// and passes them on to the parent. Returns where they stand: at the top of the tree, the
    /// result of all.
    pub async fn climb<C: Channel>(self, ch: &C, len: usize) -> Result<View> {
        let mut partial = View::send(0, len);
        let mut spare: Vec<View> = Vec::new();
        let children: Vec<usize> = self.children().collect();
        for level in children.chunks(self.radix - 1) {
            let mut arriving = Vec::with_capacity(level.len());
            for &child in level {
                let incoming = spare.pop().map_or_else(|| ch.temp(len), Ok)?;
                arriving.push((ch.irecv(self.rank_of(child), incoming)?, incoming));
            }
            for (request, incoming) in arriving {
                ch.wait(request).await?;
                // A child's subtree lies to the right of what is here: its result is the right
                // operand.
                ch.reduce(partial, incoming)?;
                if partial != View::send(0, len) {
                    spare.push(partial);
                }
                partial = incoming;
            }
        }
        if let Some(parent) = self.parent() {
            ch.send(parent, partial).await?;
        }
        Ok(partial)
    }
}

/// 1, k, k^2, ... as long as they can be counted.
pub(crate) fn powers(k: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1usize), move |power| power.checked_mul(k))
}

/// The smallest `k` with `2^k >= n`: the rounds of a doubling algorithm on `n` ranks.
pub(crate) fn ceil_log2(n: usize) -> u32 {
    n.next_power_of_two().trailing_zeros()
}

/// The distances 1, 2, 4, ... below `n`.
pub(crate) fn doublings(
    n: usize,
) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator<Item = usize> {
    (0..ceil_log2(n)).map(|k| 1 << k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_is_the_child_of_its_parent_and_subtrees_add_up() {
        for (size, radix) in (1..50).flat_map(|size| [2, 3, 4, 50].map(|radix| (size, radix))) {
            let tree_of = |rank| Knomial::with_radix(rank, 3 % size, size, radix);
            for tree in (0..size).map(tree_of) {
                let below: usize = tree.children().map(|v| tree.subtree(v)).sum();
                assert_eq!(below + 1, tree.subtree(tree.me), "{tree:?}");
                for child in tree.children() {
                    let theirs = tree_of(tree.rank_of(child));
                    assert_eq!(theirs.parent(), Some(tree.rank_of(tree.me)));
                    assert_eq!(theirs.under_root(), tree.me == 0);
                }
            }
        }
    }

    #[test]
    fn doublings_stop_below_the_size() {
        assert_eq!(doublings(1).count(), 0);
        assert_eq!(doublings(5).collect::<Vec<_>>(), [1, 2, 4]);
        assert_eq!(doublings(8).collect::<Vec<_>>(), [1, 2, 4]);
    }
}
