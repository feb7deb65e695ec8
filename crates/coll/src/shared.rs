//! The richer channel of ranks that share memory: a rank shows data to all the others, and each
//! copies or reduces straight out of what it sees. No message is sent, nothing is matched.

use crate::{Member, View};
use dunlin_base::Result;

/// Steps that one operation can number, from 0. At each, a rank shows one view at most, and only
/// once.
pub const STEPS: usize = 4;

/// What one rank shows at one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The step, below [`STEPS`].
    pub step: usize,
    /// The rank that shows it.
    pub by: usize,
}

/// Memory that a rank has opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Where it was.
    pub shown: Shown,
    /// Its length, in elements of what is given.
    pub len: usize,
}

/// The world of a collective algorithm whose ranks share memory.
///
/// Whoever looks at what is not shown yet waits for it. That a rank has shown something also says
/// that it has come as far as that.
#[allow(async_fn_in_trait, reason = "one process polls its own futures; none needs to be Send")]
pub trait NodeChannel: Member {
    /// Shows a copy of `view`, which may be changed at once. [`Shape::posts`] says whether there is
    /// room for a rank's whole contribution.
    ///
    /// [`Shape::posts`]: crate::Shape::posts
    async fn post(&self, step: usize, view: View) -> Result<()>;

    /// Shows `view` itself: what others may still look at must not change before the operation has
    /// ended everywhere, which the executor waits for. [`Shape::lends`] says whether it can be
    /// done.
    ///
    /// [`Shape::lends`]: crate::Shape::lends
    async fn lend(&self, step: usize, view: View) -> Result<()>;

    /// Shows memory that the ranks fill by [`NodeChannel::give`]. This rank as well touches what is
    /// given there by that verb alone; the executor waits until all ranks have ended the operation.
    /// Only where memory can be lent.
    async fn open(&self, step: usize, view: View) -> Result<()>;

    /// Waits until this is shown.
    async fn seen(&self, shown: Shown) -> Result<()>;

    /// Fills `into` with what is shown, from position `start` on, counted in elements of `into`.
    async fn take(&self, shown: Shown, start: usize, into: View) -> Result<()>;

    /// `onto := shown op onto`, with what is shown from position `start` on: what was shown is the
    /// operand of the lower ranks when the operator does not commute.
    async fn take_reduce(&self, shown: Shown, start: usize, onto: View) -> Result<()>;

    /// Fills what is opened with `from`, from position `start` on, counted in elements of `from`.
    /// Each place is given to by one rank.
    async fn give(&self, from: View, opened: Opened, start: usize) -> Result<()>;

    /// As many elements like those of `view` as are best worked on at a time: they stay in a cache.
    fn piece(&self, view: View) -> usize;

    /// Waits until every other rank has shown this step.
    async fn seen_all(&self, step: usize) -> Result<()>
    where
        Self: Sized,
    {
        for by in others(self) {
            self.seen(Shown { step, by }).await?;
        }
        Ok(())
    }
}

/// Up to here two ranks copy data to shared memory and out of it; beyond, one copy out of the
/// other's own memory is faster, though it takes a call of the kernel. A bcast of 2 KiB takes 1.2
/// us by copies and 1.3 by the call, of 4 KiB 1.6 and 1.4, of 8 KiB 2.4 and 1.4. More ranks do
/// better with copies for longer, since what lies in a cache is copied by several.
pub(crate) const PAIR_COPIED_BYTES: usize = 4 << 10;

/// How a rank shows its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hand {
    /// [`NodeChannel::post`]
    Post,
    /// [`NodeChannel::lend`]
    Lend,
}

impl Hand {
    /// Shows `view` this way.
    pub async fn show<C: NodeChannel>(self, ch: &C, step: usize, view: View) -> Result<()> {
        match self {
            Hand::Post => ch.post(step, view).await,
            Hand::Lend => ch.lend(step, view).await,
        }
    }
}

/// The other ranks, beginning with the right neighbour, so that not all look at the same one.
pub(crate) fn others<C: Member>(ch: &C) -> impl Iterator<Item = usize> + use<C> {
    let (me, p) = (ch.rank(), ch.size());
    (1..p).map(move |distance| (me + distance) % p)
}

/// `onto :=` the operator's result over what all ranks show at `step`, from `start` on, combined in
/// the order of ranks. `onto` is none of the memory shown.
pub(crate) async fn combine_in_order<C: NodeChannel>(
    ch: &C,
    step: usize,
    start: usize,
    onto: View,
) -> Result<()> {
    let last = Shown { step, by: ch.size() - 1 };
    ch.take(last, start, onto).await?;
    for by in (0..last.by).rev() {
        ch.take_reduce(Shown { step, by }, start, onto).await?;
    }
    Ok(())
}

/// Puts into `sum` the operator's result over what all ranks show at `step`, of which `operand` is
/// this rank's own part, at the place it has in what is shown. `sum` is none of the memory shown.
pub(crate) async fn combine_with_own<C: NodeChannel>(
    ch: &C,
    step: usize,
    operand: View,
    sum: View,
    commutative: bool,
) -> Result<()> {
    let (me, start) = (ch.rank(), operand.start);
    let mut ranks: Vec<usize> = match commutative {
        // Own memory is added to what was read from another's, which saves a copy.
        true => others(ch).take(1).chain([me]).chain(others(ch).skip(1)).collect(),
        false => (0..ch.size()).rev().collect(),
    };
    let by = ranks.remove(0);
    if by == me {
        ch.copy(operand, sum)?;
    } else {
        ch.take(Shown { step, by }, start, sum).await?;
    }
    for by in ranks {
        if by == me {
            ch.reduce(operand, sum)?;
        } else {
            ch.take_reduce(Shown { step, by }, start, sum).await?;
        }
    }
    Ok(())
}

/// `whole` in parts of `piece` elements at most.
pub(crate) fn pieces(whole: View, piece: usize) -> impl Iterator<Item = View> {
    let piece = piece.max(1);
    let starts = (0..whole.len).step_by(piece);
    starts.map(move |start| whole.part(start, piece.min(whole.len - start)))
}

/// Hands `deliver` the operator's result over what all ranks show at step 0, of which `mine` is
/// this rank's own part, in pieces that stay in a cache, and where in the vector each begins. The
/// pieces come in scratch memory, which is used again.
pub(crate) async fn sum_in_pieces<C: NodeChannel>(
    ch: &C,
    mine: View,
    commutative: bool,
    mut deliver: impl AsyncFnMut(View, usize) -> Result<()>,
) -> Result<()> {
    let piece = ch.piece(mine);
    let sum = ch.temp(piece.min(mine.len))?;
    for operand in pieces(mine, piece) {
        let sum = sum.part(0, operand.len);
        combine_with_own(ch, 0, operand, sum, commutative).await?;
        deliver(sum, operand.start).await?;
    }
    Ok(())
}

/// `onto`, which holds this rank's operand, becomes the operator's result over all ranks'; the
/// operator commutes.
pub(crate) async fn combine_others<C: NodeChannel>(
    ch: &C,
    step: usize,
    start: usize,
    onto: View,
) -> Result<()> {
    for by in others(ch) {
        ch.take_reduce(Shown { step, by }, start, onto).await?;
    }
    Ok(())
}
