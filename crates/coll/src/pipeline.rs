//! Long vectors through shared memory: in chunks, each at a stage of its own, which stay in the
//! cache while all ranks work on them. A rank publishes a chunk while others read the one
//! before.

use crate::node_channel::{chunks, others, own_step, publish_up_to};
use crate::partition::Partition;
use crate::{NodeChannel, STEPS, Slice, Slot, View};
use dunlin_base::Result;

/// Step of a stage: what precedes, in a chunk, the part that the rank adds up itself.
const BEFORE: usize = 0;
/// Step of a stage: what follows that part.
const AFTER: usize = 1;
/// Step of a stage: the sum of this rank's part of the chunk of the stage before.
const SUM: usize = 2;

/// The number of steps in which a rank publishes what fits into one stage.
const ROOT_STEPS: usize = 4;
const _: () = assert!(ROOT_STEPS <= STEPS);

/// A step of a stage.
fn step(stage: usize, step: usize) -> usize {
    stage * STEPS + step
}

/// Hands the root's `data` to all others: it publishes one chunk while they copy the one before.
/// What fits into one stage goes in several of its steps, and so without waiting for room.
pub(crate) async fn hand_out<C: NodeChannel>(ch: &C, root: usize, data: View) -> Result<()> {
    let stage_len = ch.copy_in_chunk(data);
    let steps = if data.len > stage_len { 1 } else { ROOT_STEPS };
    for (stage, part) in chunks(data, stage_len).enumerate() {
        for (number, chunk) in chunks(part, part.len.div_ceil(steps)).enumerate() {
            let step = step(stage, number);
            match ch.rank() == root {
                true => ch.copy_in(step, chunk).await?,
                false => ch.get_whole(Slot { step, by: root }, chunk).await?,
            }
        }
        ch.release_stage(stage).await?;
    }
    Ok(())
}

/// As [`hand_out`], also where ranks have other datatypes than the root.
pub(crate) async fn hand_out_slices<C: NodeChannel>(ch: &C, root: usize, data: View) -> Result<()> {
    for stage in 0..ch.slices(data, 1) {
        let (step, slice) = (step(stage, 0), Slice { number: stage, per_stage: 1 });
        match ch.rank() == root {
            true => ch.copy_in_slice(step, data, slice).await?,
            false => ch.get_slice(Slot { step, by: root }, data, slice).await?,
        }
        ch.release_stage(stage).await?;
    }
    Ok(())
}

/// Slices of a stage where a block has one reader, which copies a slice while the next is
/// published.
pub(crate) const BLOCK_SLICES: usize = ROOT_STEPS;

/// The slice of a block that begins with the operation's slice `first`, and its step.
fn block_slice(first: usize, number: usize) -> (usize, Slice) {
    let place = first + number;
    let slice = Slice { number, per_stage: BLOCK_SLICES };
    (step(place / BLOCK_SLICES, place % BLOCK_SLICES), slice)
}

/// Publishes a block in slices; it begins with the operation's slice `first`.
pub(crate) async fn publish_block<C: NodeChannel>(ch: &C, first: usize, block: View) -> Result<()> {
    for number in 0..ch.slices(block, BLOCK_SLICES) {
        let (step, slice) = block_slice(first, number);
        ch.copy_in_slice(step, block, slice).await?;
    }
    Ok(())
}

/// Copies a block that rank `by` publishes so. This rank reads nothing else.
pub(crate) async fn get_block<C: NodeChannel>(
    ch: &C,
    by: usize,
    first: usize,
    into: View,
) -> Result<()> {
    let mut stage = first / BLOCK_SLICES;
    if stage > 0 {
        ch.release_stage(stage - 1).await?;
    }
    for number in 0..ch.slices(into, BLOCK_SLICES) {
        let (step, slice) = block_slice(first, number);
        if step / STEPS > stage {
            ch.release_stage(stage).await?;
            stage = step / STEPS;
        }
        ch.get_slice(Slot { step, by }, into, slice).await?;
    }
    Ok(())
}

/// Hands every rank but the root its block, all of one length: the root publishes one after the
/// other, and each rank copies its own. `block` is that of a rank at the root, and this rank's own
/// elsewhere.
pub(crate) async fn deal_out<C: NodeChannel>(
    ch: &C,
    root: usize,
    block: impl Fn(usize) -> View,
) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let slices = ch.slices(block(me), BLOCK_SLICES);
    if me != root {
        return get_block(ch, root, own_step(root, me, p) * slices, block(me)).await;
    }
    publish_up_to(ch, ((p - 1) * slices).saturating_sub(1) / BLOCK_SLICES).await?;
    for (place, rank) in others(ch).enumerate() {
        publish_block(ch, place * slices, block(rank)).await?;
    }
    Ok(())
}

/// What a rank does whose block the root collects: it publishes its slices, and need not wait for
/// anybody unless there are more than fit into all stages.
pub(crate) async fn give_block<C: NodeChannel>(ch: &C, own: View) -> Result<()> {
    publish_up_to(ch, ch.slices(own, BLOCK_SLICES).saturating_sub(1) / BLOCK_SLICES).await?;
    publish_block(ch, 0, own).await
}

/// What the root does that collects the blocks of others: it copies a stage of all, then the next.
pub(crate) async fn collect_blocks<C: NodeChannel>(
    ch: &C,
    block: impl Fn(usize) -> View,
) -> Result<()> {
    let slices = |by| ch.slices(block(by), BLOCK_SLICES);
    let stages = others(ch).map(slices).max().unwrap_or(0).div_ceil(BLOCK_SLICES);
    for stage in 0..stages {
        let of_stage = stage * BLOCK_SLICES..(stage + 1) * BLOCK_SLICES;
        for by in others(ch) {
            for number in of_stage.start..of_stage.end.min(slices(by)) {
                let (step, slice) = block_slice(0, number);
                ch.get_slice(Slot { step, by }, block(by), slice).await?;
            }
        }
        if stage + 1 < stages {
            ch.release_stage(stage).await?;
        }
    }
    Ok(())
}

/// Where sums go from rank to rank, no piece is shorter than what fits into one stage divided by
/// this: 4 KiB, of which a rank spends most of its time on the data.
const SHORTEST_PIECES: usize = 16;

/// Sums that go from each rank to the next, piece by piece. `turn` is told a piece of `operand`,
/// the step at which this rank publishes its sum of it, and where the rank before this one has.
pub(crate) async fn along_ranks<C: NodeChannel>(
    ch: &C,
    operand: View,
    mut turn: impl AsyncFnMut(View, usize, Option<Slot>) -> Result<()>,
) -> Result<()> {
    let stage_len = ch.copy_in_chunk(operand);
    for (stage, part) in chunks(operand, stage_len).enumerate() {
        let piece = part.len.div_ceil(ROOT_STEPS).max(stage_len / SHORTEST_PIECES);
        for (number, own) in chunks(part, piece).enumerate() {
            let step = step(stage, number);
            let before = ch.rank().checked_sub(1).map(|by| Slot { step, by });
            if let Some(slot) = before {
                // Lengths that differ are noticed.
                ch.await_whole(slot, own).await?;
            }
            turn(own, step, before).await?;
        }
        ch.release_stage(stage).await?;
    }
    Ok(())
}

/// Hands every rank's `own` block to all others, which put it into `block` of that rank: a rank
/// publishes one chunk, and copies those before.
pub(crate) async fn hand_round<C: NodeChannel>(
    ch: &C,
    own: View,
    block: impl Fn(usize) -> View,
) -> Result<()> {
    let stages = ch.slices(own, 1);
    let slice = |number| Slice { number, per_stage: 1 };
    for stage in 0..=stages {
        if stage < stages {
            ch.copy_in_slice(step(stage, 0), own, slice(stage)).await?;
        }
        let Some(done) = stage.checked_sub(1) else { continue };
        for by in others(ch) {
            ch.get_slice(Slot { step: step(done, 0), by }, block(by), slice(done)).await?;
        }
        ch.release_stage(done).await?;
    }
    Ok(())
}

/// Puts into `result`, at the ranks that have it, the operator's result over all ranks' `operand`s.
/// At every stage a rank publishes one chunk, adds up its part of the chunk before, which it
/// publishes as well, and collects the parts of the chunk before that.
pub(crate) async fn add_up<C: NodeChannel>(
    ch: &C,
    operand: View,
    result: Option<View>,
    commutative: bool,
) -> Result<()> {
    let sums = Sums { ch, operand, result, commutative, chunk: ch.copy_in_chunk(operand).max(1) };
    let stages = operand.len.div_ceil(sums.chunk);
    let longest = Partition::Even { len: sums.chunk.min(operand.len), parts: ch.size() }.len(0);
    let scratch = ch.temp(longest)?;
    for stage in 0..stages + 2 {
        if stage < stages {
            sums.publish(stage).await?;
        }
        if (1..=stages).contains(&stage) {
            sums.add_part(stage, scratch).await?;
        }
        if stage >= 2 {
            sums.collect(stage).await?;
        }
        if stage >= 1 {
            ch.release_stage(stage - 1).await?;
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
    /// Elements of a chunk.
    chunk: usize,
}

impl<C: NodeChannel> Sums<'_, C> {
    /// A chunk of a vector, and its part for each rank.
    fn chunk(&self, whole: View, number: usize) -> (View, Partition<'static>) {
        let start = number * self.chunk;
        let chunk = whole.part(start, self.chunk.min(whole.len - start));
        (chunk, Partition::Even { len: chunk.len, parts: self.ch.size() })
    }

    /// Publishes the stage's chunk of the operand, but for the part that only this rank needs.
    async fn publish(&self, stage: usize) -> Result<()> {
        let ((chunk, parts), me) = (self.chunk(self.operand, stage), self.ch.rank());
        let after = parts.start(me + 1);
        self.ch.copy_in(step(stage, BEFORE), chunk.part(0, parts.start(me))).await?;
        self.ch.copy_in(step(stage, AFTER), chunk.part(after, chunk.len - after)).await
    }

    /// Adds up this rank's part of the chunk before, and publishes the sum.
    async fn add_part(&self, stage: usize, scratch: View) -> Result<()> {
        let ((chunk, parts), me) = (self.chunk(self.operand, stage - 1), self.ch.rank());
        let own = parts.block(chunk, me);
        let result = self.result.map(|whole| parts.block(self.chunk(whole, stage - 1).0, me));
        let scratch = scratch.part(0, own.len);
        let sum = if self.commutative { result.unwrap_or(scratch) } else { scratch };
        match self.commutative {
            true => self.add_in_any_order(stage, parts, own, sum).await?,
            false => self.add_in_order(stage, parts, own, sum).await?,
        }
        self.ch.copy_in(step(stage, SUM), sum).await?;
        result.map_or(Ok(()), |result| self.ch.copy(sum, result))
    }

    /// In place, `sum` is `own`, which nobody else reads.
    async fn add_in_any_order(
        &self,
        stage: usize,
        parts: Partition<'_>,
        own: View,
        sum: View,
    ) -> Result<()> {
        let mut ranks = others(self.ch).map(|by| self.published(stage, parts, by));
        match ranks.next() {
            Some((slot, start)) => self.ch.get_combine(slot, start, own, sum).await?,
            None => self.ch.copy(own, sum)?,
        }
        for (slot, start) in ranks {
            self.ch.get_reduce(slot, start, sum).await?;
        }
        Ok(())
    }

    async fn add_in_order(
        &self,
        stage: usize,
        parts: Partition<'_>,
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
            let (slot, start) = self.published(stage, parts, by);
            match by == last {
                true => ch.get(slot, start, sum).await?,
                false => ch.get_reduce(slot, start, sum).await?,
            }
        }
        Ok(())
    }

    /// Where rank `by` publishes this rank's part of the previous chunk.
    fn published(&self, stage: usize, parts: Partition<'_>, by: usize) -> (Slot, usize) {
        let me = self.ch.rank();
        match me < by {
            true => (Slot { step: step(stage - 1, BEFORE), by }, parts.start(me)),
            false => {
                let start = parts.start(me) - parts.start(by + 1);
                (Slot { step: step(stage - 1, AFTER), by }, start)
            }
        }
    }

    /// Collects the others' parts of the chunk before the last.
    async fn collect(&self, stage: usize) -> Result<()> {
        let Some(result) = self.result else { return Ok(()) };
        let (chunk, parts) = self.chunk(result, stage - 2);
        for by in others(self.ch) {
            let slot = Slot { step: step(stage - 1, SUM), by };
            self.ch.get(slot, 0, parts.block(chunk, by)).await?;
        }
        Ok(())
    }
}
