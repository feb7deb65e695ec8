//! What the memory of the windows must hold, and what swaps and counters have returned.

use std::ops::Range;

use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};

use super::plan::{COUNTER, Plan, SWAPPED};

/// An operation that reads a cell and changes it, and when it may have happened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub called: u64,
    pub done: u64,
    pub change: Change,
    /// What was there before.
    pub found: u64,
}

/// What it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Adds one.
    Count,
    /// To a number that no other operation writes, if the cell holds the first one.
    Swap(u64, u64),
}

/// The part of one rank in one window.
#[derive(Debug)]
pub(super) struct Part {
    /// Its cells, once all is done that has begun. Not of the one that is swapped.
    pub cells: Vec<u64>,
    /// Where it begins, in a dynamic window.
    pub address: i64,
    counts: Vec<Event>,
    swaps: Vec<Event>,
}

/// The model of a job.
#[derive(Debug)]
pub(super) struct Model {
    ranks: usize,
    parts: Mutex<Vec<Part>>,
}

impl Model {
    pub fn new(plan: &Plan) -> Model {
        let ranks = plan.nodes.len();
        let parts = plan.windows.iter().flat_map(|shape| {
            (0..ranks).map(|_| Part {
                cells: vec![0; shape.cells()],
                address: 0,
                counts: Vec::new(),
                swaps: Vec::new(),
            })
        });
        Model { ranks, parts: Mutex::new(parts.collect()) }
    }

    /// The part of a rank.
    pub fn part(&self, window: usize, rank: usize) -> MappedMutexGuard<'_, Part> {
        MutexGuard::map(self.parts.lock(), |parts| &mut parts[window * self.ranks + rank])
    }

    /// Whether counters and swaps could have happened one after the other.
    pub fn check_histories(&self) -> Result<(), String> {
        self.parts.lock().iter().try_for_each(|part| {
            check_counts(&part.counts)?;
            check_swaps(&part.swaps).map(|_| ())
        })
    }
}

impl Part {
    /// An operation that has ended.
    pub fn note(&mut self, event: Event) {
        match event.change {
            Change::Count => self.counts.push(event),
            Change::Swap(..) => self.swaps.push(event),
        }
    }

    /// Whether its memory is as it should be while nobody accesses these cells.
    pub fn check(&self, memory: &[u64], cells: Range<usize>) -> Result<(), String> {
        for at in cells {
            let expected = match at {
                COUNTER => self.counts.len() as u64,
                SWAPPED => check_swaps(&self.swaps)?,
                _ => self.cells[at],
            };
            if memory[at] != expected {
                return Err(format!("cell {at} is {:#x}, not {expected:#x}", memory[at]));
            }
        }
        Ok(())
    }
}

/// Every number was found once, by operations that could have come in this order.
fn check_counts(counts: &[Event]) -> Result<(), String> {
    let mut found: Vec<u64> = counts.iter().map(|event| event.found).collect();
    found.sort_unstable();
    if let Some((at, found)) = found.iter().enumerate().find(|(at, found)| *at as u64 != **found) {
        return Err(format!("a counter gave {found} where {at} comes next"));
    }
    check_order(counts.iter().map(|event| (*event, event.found)).collect())
}

/// Each swap found the number of the one before it. Returns the last number.
fn check_swaps(swaps: &[Event]) -> Result<u64, String> {
    let (mut value, mut steps) = (0, vec![0]);
    let has_swapped =
        |event: &&Event| matches!(event.change, Change::Swap(c, _) if c == event.found);
    let mut left: Vec<&Event> = swaps.iter().filter(has_swapped).collect();
    while let Some(next) = left.iter().position(|event| event.found == value) {
        let Change::Swap(_, new) = left.swap_remove(next).change else { unreachable!("a swap") };
        value = new;
        steps.push(value);
    }
    if let Some(event) = left.first() {
        return Err(format!("two swaps found the same number, or one that never was: {event:?}"));
    }
    let place = |event: &Event| {
        let step = steps.iter().position(|step| *step == event.found);
        let step = step.ok_or_else(|| format!("a swap found what never was: {event:?}"))? as u64;
        // Those that change nothing come before the one that does.
        Ok::<_, String>((*event, 2 * step + u64::from(has_swapped(&event))))
    };
    check_order(swaps.iter().map(place).collect::<Result<_, _>>()?)?;
    Ok(value)
}

/// Whether operations with these places may be in this order: none ended before one of an earlier
/// place was called.
fn check_order(mut placed: Vec<(Event, u64)>) -> Result<(), String> {
    placed.sort_by_key(|(_, place)| *place);
    let (mut called, mut last) = (0, None);
    for group in placed.chunk_by(|(_, a), (_, b)| a == b) {
        if let Some((event, _)) = group.iter().find(|(event, _)| event.done < called) {
            return Err(format!("{event:?} had ended before this was called: {last:?}"));
        }
        let latest = group.iter().map(|(event, _)| *event).max_by_key(|event| event.called);
        if let Some(event) = latest.filter(|event| event.called >= called) {
            (called, last) = (event.called, Some(event));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(called: u64, done: u64, change: Change, found: u64) -> Event {
        Event { called, done, change, found }
    }

    #[test]
    fn counts_out_of_order_or_lost_are_noticed() {
        let count = |called, done, found| event(called, done, Change::Count, found);
        assert_eq!(check_counts(&[count(0, 9, 1), count(1, 5, 0)]), Ok(()));
        assert!(check_counts(&[count(0, 9, 0), count(1, 5, 0)]).is_err());
        assert!(check_counts(&[count(0, 4, 1), count(5, 9, 0)]).is_err());
    }

    #[test]
    fn swaps_that_lose_or_see_too_early_are_noticed() {
        let swap = |called, done, [compare, new, found]: [u64; 3]| {
            event(called, done, Change::Swap(compare, new), found)
        };
        let first = swap(0, 4, [0, 7, 0]);
        assert_eq!(check_swaps(&[swap(1, 9, [7, 8, 7]), first]), Ok(8));
        assert_eq!(check_swaps(&[swap(1, 9, [3, 8, 0]), first]), Ok(7));
        assert!(check_swaps(&[swap(1, 9, [0, 8, 0]), first]).is_err());
        assert!(check_swaps(&[swap(5, 9, [3, 8, 0]), first]).is_err());
        assert!(check_swaps(&[swap(1, 9, [5, 8, 6]), first]).is_err());
    }
}
