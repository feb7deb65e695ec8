//! Making a power of two: algorithms that halve and double run among a core of ranks; the others
//! fold into a neighbour before and get the result after.

use crate::partition::Partition;
use crate::tree::{doublings, powers};
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

    /// Whether nobody stands aside.
    pub fn is_all(&self) -> bool {
        self.extra == 0
    }

    /// The first swap between members at distance 1: the other's operand comes where the result
    /// will be and this rank's is added to it there, which spares a copy. Operands meet in any
    /// order, so the operator must commute.
    pub async fn begin<C: Channel>(&self, ch: &C, own: View, result: View) -> Result<()> {
        let peer = self.rank_of(self.me ^ 1);
        ch.exchange(peer, own, peer, result).await?;
        ch.reduce(own, result)
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

    /// Sends the result, which a core rank has in `own`, to the neighbour that stands aside.
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
    /// block i. `held(first, count)` is where the blocks of those members are; `incoming` has
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
            let put = held(peer & !(distance - 1), distance);
            let arriving = incoming.part(0, keep.len);
            ch.exchange(self.rank_of(peer), put, self.rank_of(peer), arriving).await?;
            ch.reduce(arriving, keep)?;
        }
        Ok(())
    }
}

/// `number` as a product of numbers up to `most`, if it is one.
fn factors(mut number: usize, most: usize) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for factor in (2..=most.min(number)).rev() {
        while number % factor == 0 {
            found.push(factor);
            number /= factor;
        }
    }
    (number == 1).then_some(found)
}

/// All ranks, divided into groups of neighbours, led by their first ranks: what leaders hold then
/// still covers consecutive ranks. The number of groups is a product of radices of up to `k`.
pub(crate) struct FoldGroup {
    rank: usize,
    parts: Partition<'static>,
    /// Their product is the number of groups.
    radices: Vec<usize>,
    /// This rank's group.
    pub me: usize,
}

impl FoldGroup {
    pub fn new(rank: usize, ranks: usize, k: usize) -> FoldGroup {
        let radices = factors(ranks, k).unwrap_or_else(|| {
            powers(k).skip(1).take_while(|&power| power <= ranks).map(|_| k).collect()
        });
        let count = radices.iter().product();
        let parts = Partition::Even { len: ranks, parts: count };
        let me = (0..count).rfind(|&fold_group| parts.start(fold_group) <= rank).unwrap_or(0);
        FoldGroup { rank, parts, radices, me }
    }

    /// The rank that leads group `fold_group`.
    pub fn leader(&self, fold_group: usize) -> usize {
        self.parts.start(fold_group)
    }

    pub fn leads(&self) -> bool {
        self.rank == self.leader(self.me)
    }

    /// The ranks that this rank leads.
    fn followers(&self) -> std::ops::Range<usize> {
        self.rank + 1..self.parts.start(self.me + 1)
    }

    /// Combines the operands of a group at its leader; returns where the sum is.
    pub async fn fold_in<C: Channel>(&self, ch: &C, own: View) -> Result<View> {
        if !self.leads() {
            ch.send(self.leader(self.me), own).await?;
            return Ok(own);
        }
        let mut arriving = Vec::new();
        for follower in self.followers() {
            let into = ch.temp(own.len)?;
            arriving.push((ch.irecv(follower, into)?, into));
        }
        let mut sum = own;
        for (request, into) in arriving {
            ch.wait(request).await?;
            ch.reduce(sum, into)?;
            sum = into;
        }
        Ok(sum)
    }

    /// Leaders whose numbers differ in digit j, in base `radices[j]`, tell each other their partial
    /// results, for each j. Returns where the sum is.
    pub async fn multiply<C: Channel>(&self, ch: &C, own: View) -> Result<View> {
        let (mut partial, mut spare, mut distance) = (own, Vec::new(), 1);
        for &k in &self.radices {
            let digit = self.me / distance % k;
            let peer = |other: usize| self.leader(self.me + other * distance - digit * distance);
            let others = || (0..k).filter(|&other| other != digit);
            spare.truncate(k - 1);
            while spare.len() < k - 1 {
                spare.push(ch.temp(own.len)?);
            }
            let mut requests = Vec::with_capacity(2 * (k - 1));
            for (other, &into) in others().zip(&spare) {
                requests.push(ch.irecv(peer(other), into)?);
            }
            for other in others() {
                requests.push(ch.isend(peer(other), partial)?);
            }
            ch.wait_all(requests).await?;
            spare.insert(digit, partial);
            for pair in spare.windows(2) {
                ch.reduce(pair[0], pair[1])?;
            }
            partial = spare.pop().unwrap_or(partial);
            distance *= k;
        }
        Ok(partial)
    }

    /// Sends a group the result, which its leader has in `sum` and the others need in `result`.
    pub async fn fold_out<C: Channel>(&self, ch: &C, sum: View, result: View) -> Result<()> {
        if !self.leads() {
            return ch.recv(self.leader(self.me), result).await;
        }
        let leaving = self.followers().map(|follower| ch.isend(follower, sum));
        ch.wait_all(leaving.collect::<Result<Vec<_>>>()?).await
    }
}
