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

    /// Waits until this is shown.
    async fn seen(&self, shown: Shown) -> Result<()>;

    /// Fills `into` with what is shown, from position `start` on, counted in elements of `into`.
    async fn take(&self, shown: Shown, start: usize, into: View) -> Result<()>;

    /// `onto := shown op onto`, with what is shown from position `start` on: what was shown is the
    /// operand of the lower ranks when the operator does not commute.
    async fn take_reduce(&self, shown: Shown, start: usize, onto: View) -> Result<()>;

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
