//! How a vector is divided into one block per rank.

use crate::View;

/// Consecutive blocks of a vector, numbered from 0.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Partition<'a> {
    /// Blocks of this many elements each.
    Equal(usize),
    /// `len` elements in `parts` blocks whose lengths differ by at most one, longer ones first.
    Even { len: usize, parts: usize },
    /// Block i is elements `starts[i]..starts[i + 1]`.
    Starts(&'a [usize]),
}

impl Partition<'_> {
    /// Where block `i` begins; one past the last block, the end of the vector.
    pub fn start(self, i: usize) -> usize {
        match self {
            Partition::Equal(block) => i * block,
            Partition::Even { len, parts } => i * (len / parts) + i.min(len % parts),
            Partition::Starts(starts) => starts[i],
        }
    }

    /// Number of elements of block `i`.
    pub fn len(self, i: usize) -> usize {
        self.start(i + 1) - self.start(i)
    }

    /// Blocks `first..first + count` of `whole`, which holds all of them.
    pub fn run(self, whole: View, first: usize, count: usize) -> View {
        let start = self.start(first);
        whole.part(start, self.start(first + count) - start)
    }

    /// Block `i` of `whole`.
    pub fn block(self, whole: View, i: usize) -> View {
        self.run(whole, i, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_blocks_are_consecutive_and_cover_the_vector() {
        for (len, parts) in [(0, 3), (2, 5), (7, 7), (23, 4)] {
            let even = Partition::Even { len, parts };
            assert_eq!((even.start(0), even.start(parts)), (0, len));
            let longest = even.len(0);
            for i in 0..parts {
                let block = even.block(View::recv(0, len), i).len;
                assert!(block == longest || block + 1 == longest, "{block} of {longest}");
            }
        }
    }

    #[test]
    fn blocks_of_given_lengths_stand_where_their_starts_say() {
        let parts = Partition::Starts(&[0, 4, 4, 9]);
        assert_eq!(parts.block(View::send(1, 9), 1), View::send(5, 0));
        assert_eq!(parts.run(View::send(1, 9), 1, 2), View::send(5, 5));
    }
}
