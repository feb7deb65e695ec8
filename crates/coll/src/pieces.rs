//! Long vectors through shared memory: in pieces, each at a stage of its own, which stay in the
//! cache while all ranks work on them. A rank shows a piece while others look at the one before.

use crate::parts::Parts;
use crate::shared::{others, pieces};
use crate::{NodeChannel, STEPS, Shown, View};
use dunlin_base::Result;

/// Step of a stage: what stands in a piece before the part that the rank adds up itself.
const BEFORE: usize = 0;
/// Step of a stage: what stands behind that part.
const AFTER: usize = 1;
/// Step of a stage: the sum of this rank's part of the piece of the stage before.
const SUM: usize = 2;

/// In so many steps a root shows what fits one stage.
const SHOWINGS: usize = 4;
const _: () = assert!(SHOWINGS <= STEPS);

/// A step of a stage.
fn step(stage: usize, step: usize) -> usize {
    stage * STEPS + step
}

/// Hands the root's `data` to all others: it shows one piece while they copy the one before. What
/// fits one stage goes in several of its steps, and so without waiting for room.
pub(crate) async fn hand_out<C: NodeChannel>(ch: &C, root: usize, data: View) -> Result<()> {
    let stage_len = ch.posted_piece(data);
    let steps = if data.len > stage_len { 1 } else { SHOWINGS };
    for (stage, part) in pieces(data, stage_len).enumerate() {
        for (number, piece) in pieces(part, part.len.div_ceil(steps)).enumerate() {
            let step = step(stage, number);
            match ch.rank() == root {
                true => ch.post(step, piece).await?,
                false => ch.take_whole(Shown { step, by: root }, piece).await?,
            }
        }
        ch.leave(stage).await?;
    }
    Ok(())
}

/// Hands every rank's `own` block to all others, which put it into `block` of that rank: a rank
/// shows one piece, and copies those before.
pub(crate) async fn hand_round<C: NodeChannel>(
    ch: &C,
    own: View,
    block: impl Fn(usize) -> View,
) -> Result<()> {
    let stages = ch.slices(own);
    for stage in 0..=stages {
        if stage < stages {
            ch.post_slice(step(stage, 0), own, stage).await?;
        }
        let Some(done) = stage.checked_sub(1) else { continue };
        for by in others(ch) {
            ch.take_slice(Shown { step: step(done, 0), by }, block(by), done).await?;
        }
        ch.leave(done).await?;
    }
    Ok(())
}

/// Puts into `result`, at the ranks that have it, the operator's result over all ranks' `operand`s.
/// At every stage a rank shows one piece, adds up its part of the piece before, which it shows as
/// well, and collects the parts of the piece before that.
pub(crate) async fn add_up<C: NodeChannel>(
    ch: &C,
    operand: View,
    result: Option<View>,
    commutative: bool,
) -> Result<()> {
    let sums = Sums { ch, operand, result, commutative, piece: ch.posted_piece(operand).max(1) };
    let stages = operand.len.div_ceil(sums.piece);
    let longest = Parts::Even { len: sums.piece.min(operand.len), parts: ch.size() }.len(0);
    let scratch = ch.temp(longest)?;
    for stage in 0..stages + 2 {
        if stage < stages {
            sums.show(stage).await?;
        }
        if (1..=stages).contains(&stage) {
            sums.add_part(stage, scratch).await?;
        }
        if stage >= 2 {
            sums.collect(stage).await?;
        }
        if stage >= 1 {
            ch.leave(stage - 1).await?;
        }
    }
    Ok(())
}

/// What [`add_up`] works on.
struct Sums<'c, C> {
    ch: &'c C,
    operand: View,
    result: Option<View>,
    commutative: bool,
    /// Elements of a piece.
    piece: usize,
}

impl<C: NodeChannel> Sums<'_, C> {
    /// A piece of a vector, and its part for each rank.
    fn piece(&self, whole: View, number: usize) -> (View, Parts<'static>) {
        let start = number * self.piece;
        let piece = whole.part(start, self.piece.min(whole.len - start));
        (piece, Parts::Even { len: piece.len, parts: self.ch.size() })
    }

    /// Shows the stage's piece of the operand, but for the part that only this rank needs.
    async fn show(&self, stage: usize) -> Result<()> {
        let ((piece, parts), me) = (self.piece(self.operand, stage), self.ch.rank());
        let after = parts.start(me + 1);
        self.ch.post(step(stage, BEFORE), piece.part(0, parts.start(me))).await?;
        self.ch.post(step(stage, AFTER), piece.part(after, piece.len - after)).await
    }

    /// Adds up this rank's part of the piece before, and shows the sum.
    async fn add_part(&self, stage: usize, scratch: View) -> Result<()> {
        let ((piece, parts), me) = (self.piece(self.operand, stage - 1), self.ch.rank());
        let own = parts.block(piece, me);
        let result = self.result.map(|whole| parts.block(self.piece(whole, stage - 1).0, me));
        let scratch = scratch.part(0, own.len);
        let sum = if self.commutative { result.unwrap_or(scratch) } else { scratch };
        match self.commutative {
            true => self.add_in_any_order(stage, parts, own, sum).await?,
            false => self.add_in_order(stage, parts, own, sum).await?,
        }
        self.ch.post(step(stage, SUM), sum).await?;
        result.map_or(Ok(()), |result| self.ch.copy(sum, result))
    }

    /// In place, `sum` is `own`, at which nobody else looks.
    async fn add_in_any_order(
        &self,
        stage: usize,
        parts: Parts<'_>,
        own: View,
        sum: View,
    ) -> Result<()> {
        let mut ranks = others(self.ch).map(|by| self.shown(stage, parts, by));
        match ranks.next() {
            Some((shown, start)) => self.ch.take_combine(shown, start, own, sum).await?,
            None => self.ch.copy(own, sum)?,
        }
        for (shown, start) in ranks {
            self.ch.take_reduce(shown, start, sum).await?;
        }
        Ok(())
    }

    async fn add_in_order(
        &self,
        stage: usize,
        parts: Parts<'_>,
        own: View,
        sum: View,
    ) -> Result<()> {
        let (ch, last) = (self.ch, self.ch.size() - 1);
        for by in (0..=last).rev() {
            if by == ch.rank() {
                if by == last {
                    ch.copy(own, sum)?
                } else {
                    ch.reduce(own, sum)?
                }
                continue;
            }
            let (shown, start) = self.shown(stage, parts, by);
            match by == last {
                true => ch.take(shown, start, sum).await?,
                false => ch.take_reduce(shown, start, sum).await?,
            }
        }
        Ok(())
    }

    /// Where rank `by` shows this rank's part of the piece before.
    fn shown(&self, stage: usize, parts: Parts<'_>, by: usize) -> (Shown, usize) {
        let me = self.ch.rank();
        match me < by {
            true => (Shown { step: step(stage - 1, BEFORE), by }, parts.start(me)),
            false => {
                let start = parts.start(me) - parts.start(by + 1);
                (Shown { step: step(stage - 1, AFTER), by }, start)
            }
        }
    }

    /// Collects the others' parts of the piece before the last.
    async fn collect(&self, stage: usize) -> Result<()> {
        let Some(result) = self.result else { return Ok(()) };
        let (piece, parts) = self.piece(result, stage - 2);
        for by in others(self.ch) {
            let shown = Shown { step: step(stage - 1, SUM), by };
            self.ch.take(shown, 0, parts.block(piece, by)).await?;
        }
        Ok(())
    }
}
