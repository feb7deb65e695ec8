//! Barrier: no rank leaves before every rank has entered. Messages are [`View::EMPTY`].

use crate::select::{Choice, Rule, Shape, check};
use crate::tree::doublings;
use crate::{Channel, View};
use dunlin_base::Result;

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`dissemination`].
    Dissemination,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "barrier";
    const ALL: &'static [Self] = &[Algorithm::Dissemination];
    const TABLE: &'static [Rule<Self>] = &[Rule::otherwise(Algorithm::Dissemination)];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Dissemination => "dissemination",
        }
    }

    fn fits(self, _: &Shape) -> bool {
        true
    }
}

/// Runs a barrier by algorithm `how`.
pub async fn barrier<C: Channel>(ch: &C, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()))?;
    match how {
        Algorithm::Dissemination => dissemination(ch).await,
    }
}

/// Dissemination: in round k every rank tells the rank 2^k to its right that it has come, and waits
/// for word from the rank 2^k to its left; what it hears stands for 2^k ranks.
/// ceil(log2 p) rounds of one empty message per rank, and any p is as good as a power of two: best
/// wherever messages are all one has. Hensgen, Finkel, Manber (1988).
pub async fn dissemination<C: Channel>(ch: &C) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    for distance in doublings(p) {
        let (right, left) = ((me + distance) % p, (me + p - distance) % p);
        ch.exchange(right, View::EMPTY, left, View::EMPTY).await?;
    }
    Ok(())
}
