//! One rank of a simulated job: its windows, and what it has begun.

use std::ops::Range;
use std::rc::Rc;

use dunlin_base::{Rank, Result};
use dunlin_datatype::reduce::Op;
use dunlin_datatype::{Datatype, Primitive};

use super::Job;
use super::model::{Change, Event};
use super::plan::{Act, BLOCK, COUNTER, GUARDED, Made, SUMS, SWAPPED, Shape};
use crate::dice::Dice;
use crate::engine::Engine;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::WORLD;
use crate::objects::status::RequestId;
use crate::objects::window::Window;
use crate::rma::create::WindowSource;
use crate::rma::target_buffer::Target;
use crate::threads::progress_thread::Look;

const CELL_BYTES: usize = 8;
/// Numbers that a rank writes begin with it.
const RANK_SHIFT: u32 = 48;

/// A window of this rank.
struct Own {
    window: Rc<Window>,
    shape: Shape,
    /// This rank's part, if the library has not allocated it.
    memory: Box<[u64]>,
}

/// What a pending operation has to return.
enum Awaited {
    /// Nothing: only its buffers must stay.
    Nothing,
    Cells(Vec<u64>),
    Event {
        change: Change,
        called: u64,
    },
}

/// An operation that no synchronisation has completed.
struct Pending {
    window: usize,
    target: Rank,
    /// What it gets, and what it brings.
    result: Vec<u64>,
    brought: Vec<u64>,
    awaited: Awaited,
    text: String,
}

/// A rank.
pub(super) struct Player<'a> {
    job: &'a Job,
    me: usize,
    engine: &'a Engine,
    dice: Dice,
    windows: Vec<Own>,
    pending: Vec<Pending>,
    /// Cells of windows and targets that operations access which may not be done there.
    touched: Vec<(usize, Rank, Range<usize>)>,
    /// What it believes the cells to hold that are swapped.
    seen: Vec<u64>,
    written: u64,
    word: Datatype,
}

impl<'a> Player<'a> {
    pub fn new(job: &'a Job, me: usize, engine: &'a Engine, dice: Dice) -> Player<'a> {
        let (windows, pending, touched) = (Vec::new(), Vec::new(), Vec::new());
        let (seen, word) =
            (vec![0; 2 * job.plan.nodes.len()], Datatype::primitive(Primitive::Uint64));
        Player { job, me, engine, dice, windows, pending, touched, seen, written: 0, word }
    }

    /// Its whole life.
    pub fn play(mut self) {
        for number in 0..self.job.plan.windows.len() {
            let own = self.made(number).unwrap();
            self.windows.push(own);
        }
        for phase in &self.job.plan.phases {
            self.barrier(phase.window);
            for act in &phase.scripts[self.me] {
                let outcome = self.act(phase.window, act);
                assert!(outcome.is_ok(), "{act:?}: {outcome:?}");
            }
            assert!(self.pending.is_empty(), "an epoch has ended");
            self.barrier(phase.window);
            for number in 0..self.windows.len() {
                self.check_own(number, 0..self.windows[number].shape.cells());
            }
        }
        for own in &self.windows {
            let id = own.window.id.get();
            let (origin, target) = (own.window.origin.borrow(), own.window.target.borrow());
            let is_idle = origin.peers.iter().all(|p| p.awaited == 0 && p.replies == 0);
            assert!(is_idle && origin.replies.is_empty(), "answers are awaited at the end");
            assert!(target.held.is_empty() && !target.lock.is_awaited(), "a lock is awaited");
            drop((origin, target));
            self.engine.win_free(id).unwrap();
            assert!(own.window.origin.borrow().bounce_buffers.is_empty(), "buffers are in use");
        }
    }

    fn made(&self, number: usize) -> Result<Own> {
        let shape = self.job.plan.windows[number];
        let (engine, bytes) = (self.engine, shape.cells() * CELL_BYTES);
        let is_own = shape.made != Made::Allocated;
        let mut memory = vec![0; if is_own { shape.cells() } else { 0 }].into_boxed_slice();
        let start = memory.as_mut_ptr().cast();
        let source = match shape.made {
            Made::Created => WindowSource::Program(start, bytes),
            Made::Allocated => WindowSource::Allocated(bytes),
            Made::Dynamic => WindowSource::Dynamic,
        };
        let id = engine.win_create(&engine.comm(WORLD)?, source, shape.unit)?;
        let window = engine.window(id)?;
        if shape.made == Made::Dynamic {
            engine.win_attach(&window, start, bytes)?;
            self.job.model.part(number, self.me).address = start.expose_provenance() as i64;
        } else if shape.made == Made::Allocated {
            // SAFETY: so long it is, and nobody accesses it before the next barrier.
            unsafe { window.base.write_bytes(0, bytes) };
        }
        Ok(Own { window, shape, memory })
    }

    fn barrier(&self, number: usize) {
        self.engine.barrier_of(&self.windows[number].window).unwrap();
    }

    fn check_own(&self, number: usize, cells: Range<usize>) {
        let Own { window, shape, memory } = &self.windows[number];
        let start = match shape.made {
            Made::Allocated => window.base.cast_const().cast(),
            _ => memory.as_ptr(),
        };
        // SAFETY: so many cells, which nobody changes now that are looked at.
        let memory = unsafe { std::slice::from_raw_parts(start, shape.cells()) };
        let outcome = self.job.model.part(number, self.me).check(memory, cells);
        assert!(outcome.is_ok(), "window {number}: {outcome:?}");
    }

    fn act(&mut self, number: usize, act: &Act) -> Result<()> {
        let (engine, window) = (self.engine, self.windows[number].window.clone());
        let (all, one) = (None::<Rank>, Some::<Rank>);
        match *act {
            Act::Fence(opens) => engine.win_fence(&window, opens)?,
            Act::Lock { target, kind, asks } => engine.win_lock(&window, target, kind, asks)?,
            Act::Unlock(target) => engine.win_unlock(&window, target)?,
            Act::LockAll(asks) => engine.win_lock_all(&window, asks)?,
            Act::UnlockAll => engine.win_unlock_all(&window)?,
            Act::LockAllOther => engine.win_lock_all(&self.windows[1 - number].window, true)?,
            Act::UnlockAllOther => engine.win_unlock_all(&self.windows[1 - number].window)?,
            Act::Post(ref group) => engine.win_post(&window, group.clone())?,
            Act::Start(ref group) => engine.win_start(&window, group.clone())?,
            Act::Complete => engine.win_complete(&window)?,
            Act::Wait | Act::Test | Act::BarrierAndTest => return self.end_exposure(number, act),
            Act::Flush(target) => engine.win_flush(&window, target)?,
            Act::FlushLocal(target) => engine.win_flush_local(&window, target)?,
            Act::Compute(turns) => self.compute(turns),
            _ => return self.operation(number, act),
        }
        match *act {
            Act::Fence(_) | Act::UnlockAll | Act::Complete => self.completed(number, all, true),
            Act::UnlockAllOther => self.completed(1 - number, all, true),
            Act::Unlock(target) => self.completed(number, one(target), true),
            Act::Flush(target) => self.completed(number, target, true),
            Act::FlushLocal(target) => self.completed(number, target, false),
            _ => {}
        }
        Ok(())
    }

    fn end_exposure(&mut self, number: usize, act: &Act) -> Result<()> {
        let window = self.windows[number].window.clone();
        let origins = window.target.borrow().posted.clone().unwrap_or_default();
        match act {
            Act::Wait => self.engine.win_wait(&window)?,
            Act::BarrierAndTest => {
                self.barrier(number);
                let is_over = self.engine.win_test(&window)?;
                assert!(is_over, "all have completed before the barrier, but the test is false");
            }
            _ => while !self.engine.win_test(&window)? {},
        }
        // What these origins have put is here now.
        for origin in origins {
            let (shape, origin) = (self.windows[number].shape, origin as usize);
            let start = shape.put_slot(origin);
            self.check_own(number, start..start + 2 * shape.slot);
        }
        Ok(())
    }

    /// Turns without a call of MPI; the progress thread may have some.
    fn compute(&mut self, turns: u64) {
        for _ in 0..turns {
            self.job.turns.pass(self.me);
            if self.job.plan.have_thread && self.dice.chance(50) {
                self.engine.carry_on(Look::Again);
            }
        }
    }

    fn target(&self, number: usize, rank: Rank, at: usize, cells: usize) -> Target {
        let Shape { made, unit, .. } = self.windows[number].shape;
        let bytes = (at * CELL_BYTES) as i64;
        let displacement = match made {
            Made::Dynamic => self.job.model.part(number, rank as usize).address + bytes,
            _ => bytes / unit as i64,
        };
        Target { rank, displacement, count: cells, datatype: self.word.clone() }
    }

    fn number(&mut self) -> u64 {
        self.written += 1;
        (self.me as u64 + 1) << RANK_SHIFT | self.written
    }

    /// Whether an operation may access these cells beside those that are under way.
    fn touch(&mut self, number: usize, target: Rank, cells: Range<usize>) -> bool {
        let meets = |(window, rank, there): &(usize, Rank, Range<usize>)| {
            (*window, *rank) == (number, target)
                && there.start < cells.end
                && cells.start < there.end
        };
        let is_free = !self.touched.iter().any(meets);
        if is_free {
            self.touched.push((number, target, cells));
        }
        is_free
    }

    fn operation(&mut self, number: usize, act: &Act) -> Result<()> {
        let slot = self.windows[number].shape.put_slot(self.me);
        match *act {
            Act::Put { target, at, cells, strided, by_request } => {
                // Every second cell.
                let cells = if strided { cells.div_ceil(2) } else { cells };
                let span = if strided { 2 * cells - 1 } else { cells };
                if !self.touch(number, target, slot + at..slot + at + span) {
                    return Ok(());
                }
                let brought = (0..cells).map(|_| self.number()).collect::<Vec<_>>();
                let step = if strided { 2 } else { 1 };
                let mut to = self.target(number, target, slot + at, cells);
                if strided {
                    to.datatype = Datatype::vector(cells as i64, 1, 2, &self.word)?;
                    to.count = 1;
                }
                let request = self.put(number, to, slot + at, step, brought)?;
                self.finish(request, by_request)
            }
            Act::Get { target, at, cells, by_request } => {
                let place = slot + at..slot + at + cells;
                if !self.touch(number, target, place.clone()) {
                    return Ok(());
                }
                let expected = self.expected(number, target, place.clone());
                let from = self.target(number, target, place.start, cells);
                let awaited = Awaited::Cells(expected);
                let request = self.get(number, &from, awaited, format!("{act:?}"))?;
                self.finish(request, by_request)
            }
            Act::InOrder { target, at, cells, replaces, fetches } => {
                let start = self.windows[number].shape.sum_slot(self.me) + at;
                self.in_order((number, target), start..start + cells, replaces, fetches)
            }
            Act::Add { target, sum } => {
                let (at, amount) = (SUMS.start + sum, self.number());
                {
                    let cells = &mut self.job.model.part(number, target as usize).cells;
                    cells[at] = cells[at].wrapping_add(amount);
                }
                let to = self.target(number, target, at, 1);
                let brought = vec![amount];
                self.begin(number, &to, (Vec::new(), brought), Awaited::Nothing, "", |p, w| {
                    p.engine.accumulate(w, &brought_of(p), &to, Op::Sum, false)
                })
                .map(|_| ())
            }
            Act::Count(target) => self.count(number, target),
            Act::Swap(target) => self.swap(number, target),
            Act::Increment { target, in_other: false } => self.increment(number, target),
            Act::Increment { target, in_other: true } => self.increment_other(number, target),
            Act::WriteBlock(target) => {
                let value = self.number();
                let (half, cells) = (BLOCK.start + BLOCK.len() / 2, BLOCK.len() / 2);
                for start in [BLOCK.start, half] {
                    let to = self.target(number, target, start, cells);
                    let request = self.put(number, to, start, 1, vec![value; cells])?;
                    self.finish(request, false)?;
                    self.compute(2);
                }
                Ok(())
            }
            Act::ReadBlock(target) => self.read(number, target, BLOCK),
            _ => unreachable!("no operation: {act:?}"),
        }
    }

    fn expected(&self, number: usize, target: Rank, cells: Range<usize>) -> Vec<u64> {
        self.job.model.part(number, target as usize).cells[cells].to_vec()
    }

    /// Begins an operation, whose buffers stay until it is complete.
    fn begin(
        &mut self,
        number: usize,
        target: &Target,
        (result, brought): (Vec<u64>, Vec<u64>),
        awaited: Awaited,
        text: &str,
        operation: impl FnOnce(&mut Self, &Window) -> Result<Option<RequestId>>,
    ) -> Result<Option<RequestId>> {
        let (target, text) = (target.rank, text.to_string());
        let pending = Pending { window: number, target, result, brought, awaited, text };
        self.pending.push(pending);
        let window = self.windows[number].window.clone();
        operation(self, &window)
    }

    fn put(
        &mut self,
        number: usize,
        to: Target,
        at: usize,
        step: usize,
        brought: Vec<u64>,
    ) -> Result<Option<RequestId>> {
        {
            let mut part = self.job.model.part(number, to.rank as usize);
            let places = part.cells[at..].iter_mut().step_by(step);
            places.zip(&brought).for_each(|(place, value)| *place = *value);
        }
        let buffers = (Vec::new(), brought);
        self.begin(number, &to, buffers, Awaited::Nothing, "", |p, window| {
            p.engine.put(window, &brought_of(p), &to)
        })
    }

    fn get(
        &mut self,
        number: usize,
        from: &Target,
        awaited: Awaited,
        text: String,
    ) -> Result<Option<RequestId>> {
        let buffers = (vec![u64::MAX; from.count], Vec::new());
        self.begin(number, from, buffers, awaited, &text, |p, window| {
            p.engine.get(window, result_of(p), from)
        })
    }

    /// Waits for a request, or leaves it to the next synchronisation.
    fn finish(&mut self, request: Option<RequestId>, by_request: bool) -> Result<()> {
        match request {
            Some(request) if by_request => {
                self.engine.wait_any(&[request], || false);
                let finished = self.engine.finish(request)?;
                assert!(finished.is_some(), "it is complete");
                let mut last = self.pending.pop().expect("it was the last");
                // As a program may.
                last.brought.fill(u64::MAX);
                self.check(last);
            }
            Some(request) => self.engine.leave_to_epoch(request),
            None => {}
        }
        Ok(())
    }

    /// Accumulates to cells that no other rank changes, whose values are known at every moment.
    fn in_order(
        &mut self,
        (number, target): (usize, Rank),
        cells: Range<usize>,
        replaces: bool,
        fetches: bool,
    ) -> Result<()> {
        let before = self.expected(number, target, cells.clone());
        let brought: Vec<u64> = cells.clone().map(|_| self.number()).collect();
        let to = self.target(number, target, cells.start, cells.len());
        {
            let mut part = self.job.model.part(number, target as usize);
            for (place, value) in part.cells[cells.clone()].iter_mut().zip(&brought) {
                *place = if replaces { *value } else { place.wrapping_add(*value) };
            }
        }
        let op = if replaces { Op::Replace } else { Op::Sum };
        let result = vec![u64::MAX; if fetches { cells.len() } else { 0 }];
        let awaited = if fetches { Awaited::Cells(before) } else { Awaited::Nothing };
        let text = format!("in order, {op:?} at {cells:?}");
        let buffers = (result, brought);
        let request =
            self.begin(number, &to, buffers, awaited, &text, |p, window| match fetches {
                true => p.engine.get_accumulate(window, &brought_of(p), result_of(p), &to, op),
                false => p.engine.accumulate(window, &brought_of(p), &to, op, false),
            })?;
        self.finish(request, false)
    }

    fn count(&mut self, number: usize, target: Rank) -> Result<()> {
        let to = self.target(number, target, COUNTER, 1);
        let awaited = Awaited::Event { change: Change::Count, called: self.job.turns.now() };
        let buffers = (vec![u64::MAX], vec![1]);
        let request = self.begin(number, &to, buffers, awaited, "", |p, window| {
            p.engine.get_accumulate(window, &brought_of(p), result_of(p), &to, Op::Sum)
        })?;
        self.finish(request, false)
    }

    fn swap(&mut self, number: usize, target: Rank) -> Result<()> {
        let to = self.target(number, target, SWAPPED, 1);
        let (new, compare) = (self.number(), self.seen[self.seen_at(number, target)]);
        let change = Change::Swap(compare, new);
        let awaited = Awaited::Event { change, called: self.job.turns.now() };
        let buffers = (vec![u64::MAX], vec![new, compare]);
        let request = self.begin(number, &to, buffers, awaited, "", |p, window| {
            let [new, compare] = [0, 1].map(|n| {
                let cell = &p.last().brought[n..=n];
                // SAFETY: it stays until the operation is complete.
                unsafe { UserBuffer::dense(cell.as_ptr().cast_mut().cast(), CELL_BYTES) }
            });
            p.engine.compare_and_swap(window, [&new, &compare], result_of(p), &to)
        })?;
        self.finish(request, false)
    }

    fn seen_at(&self, number: usize, target: Rank) -> usize {
        number * self.job.plan.nodes.len() + target as usize
    }

    /// Reads cells that the lock protects, and waits for them.
    fn read(&mut self, number: usize, target: Rank, cells: Range<usize>) -> Result<()> {
        let from = self.target(number, target, cells.start, cells.len());
        let request = self.get(number, &from, Awaited::Nothing, String::new())?;
        self.finish(request, false)?;
        self.engine.win_flush(&self.windows[number].window.clone(), Some(target))?;
        let found = self.last().result.to_vec();
        // What the holders before have written, and nobody since.
        let expected = self.expected(number, target, cells.clone());
        assert!(found == expected, "the lock does not hold: {cells:?} are {found:x?}");
        self.completed(number, Some(target), true);
        Ok(())
    }

    fn increment(&mut self, number: usize, target: Rank) -> Result<()> {
        self.read(number, target, GUARDED..GUARDED + 1)?;
        self.compute(3);
        let next = self.expected(number, target, GUARDED..GUARDED + 1)[0] + 1;
        let to = self.target(number, target, GUARDED, 1);
        let request = self.put(number, to, GUARDED, 1, vec![next])?;
        self.finish(request, false)
    }

    /// The same in the other window, while this one's lock is held.
    fn increment_other(&mut self, number: usize, target: Rank) -> Result<()> {
        let other = 1 - number;
        self.increment(other, target)?;
        // To give the lock of this window back completes nothing in the other one.
        self.engine.win_flush(&self.windows[other].window, Some(target))?;
        self.completed(other, Some(target), true);
        Ok(())
    }

    fn last(&self) -> &Pending {
        self.pending.last().expect("it has just begun")
    }

    /// What was begun towards a target, or all, is complete here, and there if `everywhere`.
    fn completed(&mut self, number: usize, target: Option<Rank>, everywhere: bool) {
        let is_it =
            |window: usize, rank: Rank| window == number && target.is_none_or(|t| t == rank);
        let pending = std::mem::take(&mut self.pending);
        let (done, left) = pending.into_iter().partition(|p| is_it(p.window, p.target));
        self.pending = left;
        let done: Vec<Pending> = done;
        done.into_iter().for_each(|pending| self.check(pending));
        if everywhere {
            self.touched.retain(|(window, rank, _)| !is_it(*window, *rank));
        }
    }

    fn check(&mut self, pending: Pending) {
        let Pending { window, target, result, awaited, text, .. } = pending;
        match awaited {
            Awaited::Nothing => {}
            Awaited::Cells(expected) => {
                assert!(result[..] == expected[..], "{text} of rank {target} got something else");
            }
            Awaited::Event { change, called } => {
                let (found, done) = (result[0], self.job.turns.now());
                let at = self.seen_at(window, target);
                if let Change::Swap(compare, new) = change {
                    self.seen[at] = if found == compare { new } else { found };
                }
                let event = Event { called, done, change, found };
                self.job.model.part(window, target as usize).note(event);
            }
        }
    }
}

/// The buffers of the operation that begins.
fn brought_of(player: &Player<'_>) -> UserBuffer {
    let brought = &player.last().brought;
    // SAFETY: it stays until the operation is complete; the library only reads it.
    unsafe { UserBuffer::dense(brought.as_ptr().cast_mut().cast(), size_of_val(&brought[..])) }
}

fn result_of(player: &mut Player<'_>) -> UserBuffer {
    let result = &mut player.pending.last_mut().expect("it has just begun").result;
    // SAFETY: it stays until the operation is complete, and is read only then.
    unsafe { UserBuffer::dense(result.as_mut_ptr().cast(), size_of_val(&result[..])) }
}
