//! A vector cut into nearly equal consecutive chunks, one per rank.

use crate::View;

/// `len` elements cut into `parts` chunks whose lengths differ by at most one, longer ones first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub len: usize,
    pub parts: usize,
}

impl Split {
    /// Where chunk `i` begins; `i == parts` gives the end of the last.
    pub fn start(self, i: usize) -> usize {
        i * (self.len / self.parts) + i.min(self.len % self.parts)
    }

    /// Chunks `first..first + count` of `whole`, which holds all of them.
    pub fn run(self, whole: View, first: usize, count: usize) -> View {
        let start = self.start(first);
        whole.part(start, self.start(first + count) - start)
    }

    /// Chunk `i` of `whole`.
    pub fn chunk(self, whole: View, i: usize) -> View {
        self.run(whole, i, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_consecutive_and_cover_the_vector() {
        for (len, parts) in [(0, 3), (2, 5), (7, 7), (23, 4)] {
            let split = Split { len, parts };
            assert_eq!((split.start(0), split.start(parts)), (0, len));
            let longest = split.start(1);
            for i in 0..parts {
                let chunk = split.chunk(View::recv(0, len), i).len;
                assert!(chunk == longest || chunk + 1 == longest, "{chunk} of {longest}");
            }
        }
    }
}
