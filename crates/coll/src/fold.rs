//! Making a power of two: algorithms that halve and double run among a core of ranks; the others
//! fold into a neighbour before and are told the result after.

use crate::tree::doublings;
use crate::{Channel, View};
use dunlin_base::Result;

/// The largest power of two of ranks, made by letting each of the first few even ranks stand aside
/// for its right neighbour: what core ranks hold then still covers consecutive ranks.
pub(crate) struct Core {
    rank: usize,
    /// Number of core ranks.
    pub size: usize,
    /// How many ranks stand aside.
    extra: usize,
    /// This rank's number in the core; at a rank that stands aside, its neighbour's.
    pub me: usize,
}

impl Core {
    pub fn new(rank: usize, ranks: usize) -> Core {
        let size = 1 << ranks.ilog2();
        let extra = ranks - size;
        let me = if rank < 2 * extra { rank / 2 } else { rank - extra };
        Core { rank, size, extra, me }
    }

    /// The rank of core member `me`.
    pub fn rank_of(&self, me: usize) -> usize {
        if me < self.extra { 2 * me + 1 } else { me + self.extra }
    }

    pub fn stands_aside(&self) -> bool {
        self.rank < 2 * self.extra && self.rank % 2 == 0
    }

    /// Whether this rank is in the core and has a neighbour that stands aside for it.
    pub fn has_neighbour(&self) -> bool {
        self.rank < 2 * self.extra && self.rank % 2 == 1
    }

    /// The lowest rank that core member `me` stands for; ranks up to the next member's follow.
    pub fn first_rank(&self, me: usize) -> usize {
        if me < self.extra { 2 * me } else { me + self.extra }
    }

    /// Takes the operand of the neighbour that stands aside. Says whether this rank is in the core.
    pub async fn fold_in<C: Channel>(&self, ch: &C, own: View, spare: View) -> Result<bool> {
        if self.stands_aside() {
            ch.send(self.rank + 1, own).await?;
        } else if self.has_neighbour() {
            ch.recv(self.rank - 1, spare).await?;
            ch.reduce(spare, own)?;
        }
        Ok(!self.stands_aside())
    }

    /// Tells the neighbour that stands aside the result, which a core rank has in `own`.
    pub async fn fold_out<C: Channel>(&self, ch: &C, own: View, result: View) -> Result<()> {
        if self.stands_aside() {
            ch.recv(self.rank + 1, result).await
        } else if self.has_neighbour() {
            ch.send(self.rank - 1, own).await
        } else {
            Ok(())
        }
    }

    /// Recursive halving: members whose numbers differ in the highest bit swap halves of what they
    /// hold and add up, then those that differ in the next bit, until member i holds the sum of
    /// block i. `held(first, count)` is where the blocks of those members stand; `incoming` has
    /// room for the larger half. Operands meet out of order, so the operator must commute.
    pub async fn halve<C: Channel>(
        &self,
        ch: &C,
        held: impl Fn(usize, usize) -> View,
        incoming: View,
    ) -> Result<()> {
        for distance in doublings(self.size).rev() {
            let peer = self.me ^ distance;
            let keep = held(self.me & !(distance - 1), distance);
            let give = held(peer & !(distance - 1), distance);
            let arriving = incoming.part(0, keep.len);
            ch.exchange(self.rank_of(peer), give, self.rank_of(peer), arriving).await?;
            ch.reduce(arriving, keep)?;
        }
        Ok(())
    }
}
