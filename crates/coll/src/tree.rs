//! The binomial tree, and the numbering of ranks relative to a root that most rooted algorithms
//! use.

/// Ranks numbered from a root: the root is 0, its right neighbour 1, and so on round the ring.
/// The binomial tree over them: the parent of `v` is `v` without its lowest set bit, so a subtree
/// is a run of consecutive relative ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binomial {
    /// The rank at the top.
    pub root: usize,
    /// Number of ranks.
    pub size: usize,
    /// This rank, relative to the root.
    pub me: usize,
}

impl Binomial {
    pub fn new(rank: usize, root: usize, size: usize) -> Self {
        Binomial { root, size, me: (rank + size - root) % size }
    }

    /// The rank of relative rank `v`.
    pub fn rank_of(self, v: usize) -> usize {
        (self.root + v) % self.size
    }

    /// The parent's rank; none at the root.
    pub fn parent(self) -> Option<usize> {
        (self.me != 0).then(|| self.rank_of(self.me & (self.me - 1)))
    }

    /// Whether the parent is the root itself.
    pub fn under_root(self) -> bool {
        self.me.is_power_of_two()
    }

    /// This rank's children as relative ranks, the nearest (smallest subtree) first.
    pub fn children(self) -> impl DoubleEndedIterator<Item = usize> {
        let degree = if self.me == 0 { ceil_log2(self.size) } else { self.me.trailing_zeros() };
        (0..degree).map(move |bit| self.me + (1 << bit)).filter(move |&v| v < self.size)
    }

    /// Number of ranks in the subtree under relative rank `v`, itself included.
    pub fn subtree(self, v: usize) -> usize {
        let full = if v == 0 { self.size } else { 1 << v.trailing_zeros() };
        full.min(self.size - v)
    }

    /// The ranks of the subtree under `v` as runs `(first rank, count)` in the order of `v`: two
    /// where the subtree reaches past the last rank, else one.
    pub fn runs(self, v: usize) -> impl Iterator<Item = (usize, usize)> {
        let (first, count) = (self.rank_of(v), self.subtree(v));
        let before_wrap = count.min(self.size - first);
        [(first, before_wrap), (0, count - before_wrap)].into_iter().filter(|run| run.1 > 0)
    }
}

/// The smallest `k` with `2^k >= n`: the rounds of a doubling algorithm on `n` ranks.
pub(crate) fn ceil_log2(n: usize) -> u32 {
    n.next_power_of_two().trailing_zeros()
}

/// The distances 1, 2, 4, ... below `n`.
pub(crate) fn doublings(n: usize) -> impl DoubleEndedIterator<Item = usize> {
    (0..ceil_log2(n)).map(|k| 1 << k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_is_the_child_of_its_parent_and_subtrees_add_up() {
        for size in 1..50 {
            for rank in 0..size {
                let tree = Binomial::new(rank, 3 % size, size);
                let below: usize = tree.children().map(|v| tree.subtree(v)).sum();
                assert_eq!(below + 1, tree.subtree(tree.me), "rank {rank} of {size}");
                for child in tree.children() {
                    let seen = Binomial::new(tree.rank_of(child), 3 % size, size);
                    assert_eq!(seen.parent(), Some(rank));
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
