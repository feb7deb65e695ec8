//! Loom models of collective segments.

use super::*;
use loom::sync::Arc;

/// Too many for the line of the number.
const BYTES: usize = INLINE_BYTES + 1;

fn rank(memory: &[Box<AreaMemory>; 2], me: usize) -> CollSegment<'_> {
    rank_of(memory, me, false)
}

fn rank_of(memory: &[Box<AreaMemory>; 2], me: usize, is_wide: bool) -> CollSegment<'_> {
    // SAFETY: each thread takes another area.
    unsafe { CollSegment::new(memory.iter().map(|m| &**m).collect(), me, 0, is_wide) }
}

/// A reader sees what was published for its operation, and never while the slot is filled
/// again.
fn a_slot_is_filled_again_only_after_all_are_past_it<const BYTES: usize>(
    rounds: u64,
    is_wide: bool,
) {
    // Without a bound this takes a minute.
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(4);
    builder.check(move || {
        let memory = Arc::new([AreaMemory::unused(), AreaMemory::unused()]);
        let other = memory.clone();
        let reader = loom::thread::spawn(move || {
            let segment = rank_of(&other, 1, is_wide);
            for round in 0..rounds {
                segment.begin();
                let seen = loop {
                    if let Some(seen) = segment.peek(0, 0) {
                        break seen;
                    }
                    loom::thread::yield_now();
                };
                assert_eq!(seen.data(), SlotData::Copied(&[round as u8; BYTES]));
                drop(seen);
                segment.end();
            }
        });
        let segment = rank_of(&memory, 0, is_wide);
        for round in 0..rounds {
            segment.begin();
            while !segment.has_room(0, BYTES) {
                loom::thread::yield_now();
            }
            segment.copy_in(0, BYTES, 0, |to| to.fill(round as u8));
            segment.end();
        }
        reader.join().unwrap();
    });
}

#[test]
fn a_slot_of_inline_data_is_filled_again_only_after_all_are_past_it() {
    let rounds = DEPTH_MAX as u64 + 1;
    a_slot_is_filled_again_only_after_all_are_past_it::<1>(rounds, false);
}

#[test]
fn a_short_room_is_filled_again_only_after_all_are_past_it() {
    let rounds = SHORT_ROOMS as u64 + 1;
    a_slot_is_filled_again_only_after_all_are_past_it::<BYTES>(rounds, false);
}

/// There are fewer long rooms than slots.
#[test]
fn a_long_room_is_filled_again_only_after_all_are_past_it() {
    const LONG: usize = SHORT_BYTES + 1;
    let rounds = STAGES as u64 + 1;
    a_slot_is_filled_again_only_after_all_are_past_it::<LONG>(rounds, false);
}

/// The same where long data goes round in more rooms.
#[test]
fn a_wide_rank_fills_a_room_again_only_after_all_are_past_it() {
    let rounds = WIDE_BYTES.div_ceil(ROOM_BYTES) as u64 + 1;
    a_slot_is_filled_again_only_after_all_are_past_it::<ROOM_BYTES>(rounds, true);
}

/// The same for the stages of one operation.
#[test]
fn a_slot_is_filled_for_a_later_stage_only_after_all_have_left_the_earlier_one() {
    loom::model(|| {
        let memory = Arc::new([AreaMemory::unused(), AreaMemory::unused()]);
        let other = memory.clone();
        let stages = STAGES + 1;
        let reader = loom::thread::spawn(move || {
            let segment = rank(&other, 1);
            segment.begin();
            for stage in 0..stages {
                let seen = loop {
                    if let Some(seen) = segment.peek(stage * STEPS, 0) {
                        break seen;
                    }
                    loom::thread::yield_now();
                };
                assert_eq!(seen.data(), SlotData::Copied(&[stage as u8; BYTES]));
                drop(seen);
                segment.release(stage);
            }
            segment.end();
        });
        let segment = rank(&memory, 0);
        segment.begin();
        for stage in 0..stages {
            let step = stage * STEPS;
            while !segment.has_room(step, BYTES) {
                loom::thread::yield_now();
            }
            segment.copy_in(step, BYTES, 0, |to| to.fill(stage as u8));
            segment.release(stage);
        }
        segment.end();
        reader.join().unwrap();
    });
}

/// The same where a rank does not ask whether the other has ended what was before, but knows it by
/// what that has published since.
#[test]
fn a_slot_is_filled_again_after_all_have_begun_what_follows() {
    const STEP: usize = 1;
    loom::model(|| {
        let memory = Arc::new([AreaMemory::unused(), AreaMemory::unused()]);
        let other = memory.clone();
        let see = |segment: &CollSegment<'_>, step, by| loop {
            if let Some(seen) = segment.peek(step, by) {
                break assert_eq!(seen.data(), SlotData::Copied(&[by as u8]));
            }
            loom::thread::yield_now();
        };
        let reader = loom::thread::spawn(move || {
            let segment = rank(&other, 1);
            for operation in 0..=DEPTH_MAX {
                segment.begin();
                match operation {
                    0 => see(&segment, STEP, 0),
                    DEPTH_MAX => segment.copy_in(0, 1, 0, |to| to.fill(1)),
                    _ => {}
                }
                segment.end();
            }
        });
        let segment = rank(&memory, 0);
        for operation in 0..=DEPTH_MAX {
            segment.begin();
            if operation == DEPTH_MAX {
                see(&segment, 0, 1);
                segment.all_have_begun();
            }
            if operation == 0 || operation == DEPTH_MAX {
                assert!(segment.has_room(STEP, 1));
                segment.copy_in(STEP, 1, 0, |to| to.fill(0));
            }
            segment.end();
        }
        reader.join().unwrap();
    });
}
