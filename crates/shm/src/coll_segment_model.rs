//! Loom models of collective segments.

use super::*;
use loom::sync::Arc;

/// Too many for the line of the number.
const BYTES: usize = INLINE_BYTES + 1;

fn rank(memory: &[Box<AreaMemory>; 2], me: usize, depth: Depth) -> CollSegment<'_> {
    // SAFETY: each thread takes another area.
    unsafe { CollSegment::new(memory.iter().map(|m| &**m).collect(), me, 0, depth) }
}

/// A reader sees what was published for its operation, and never while the slot is filled
/// again.
fn a_slot_is_filled_again_only_after_all_are_past_it<const BYTES: usize>(
    depth: Depth,
    rounds: u64,
) {
    loom::model(move || {
        let memory = Arc::new([AreaMemory::unused(), AreaMemory::unused()]);
        let other = memory.clone();
        let reader = loom::thread::spawn(move || {
            let segment = rank(&other, 1, depth);
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
        let segment = rank(&memory, 0, depth);
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
fn a_slot_of_few_is_filled_again_only_after_all_are_past_it() {
    let rounds = STAGES as u64 + 1;
    a_slot_is_filled_again_only_after_all_are_past_it::<BYTES>(Depth::Few, rounds);
}

#[test]
fn a_slot_of_many_is_filled_again_only_after_all_are_past_it() {
    let rounds = DEPTH_MAX as u64 + 1;
    a_slot_is_filled_again_only_after_all_are_past_it::<BYTES>(Depth::Many, rounds);
}

/// There are fewer long rooms than slots.
#[test]
fn a_long_room_is_filled_again_only_after_all_are_past_it() {
    const LONG: usize = SHORT_BYTES + 1;
    let rounds = STAGES as u64 + 1;
    a_slot_is_filled_again_only_after_all_are_past_it::<LONG>(Depth::Many, rounds);
}

/// The same for the stages of one operation.
#[test]
fn a_slot_is_filled_for_a_later_stage_only_after_all_have_left_the_earlier_one() {
    loom::model(|| {
        let memory = Arc::new([AreaMemory::unused(), AreaMemory::unused()]);
        let other = memory.clone();
        let stages = STAGES + 1;
        let reader = loom::thread::spawn(move || {
            let segment = rank(&other, 1, Depth::Few);
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
        let segment = rank(&memory, 0, Depth::Few);
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

/// The same where a rank knows only through another that a third is past a slot: rank 2 publishes
/// to rank 1, rank 1 to rank 0, and rank 0 to both.
#[test]
fn a_slot_is_filled_again_only_after_one_is_past_it_of_whom_another_tells() {
    fn await_slot(segment: &CollSegment<'_>, step: usize, by: usize, round: u64) {
        let seen = loop {
            if let Some(seen) = segment.peek(step, by) {
                break seen;
            }
            loom::thread::yield_now();
        };
        assert_eq!(seen.data(), SlotData::Copied(&[round as u8; BYTES]));
    }

    fn member(memory: &[Box<AreaMemory>; 3], me: usize) {
        let areas = memory.iter().map(|m| &**m).collect();
        // SAFETY: each thread takes another area.
        let segment = unsafe { CollSegment::new(areas, me, 0, Depth::Few) };
        let publish = |step, round: u64| {
            while !segment.has_room(step, BYTES) {
                loom::thread::yield_now();
            }
            segment.copy_in(step, BYTES, 0, |to| to.fill(round as u8));
        };
        for round in 0..=STAGES as u64 {
            segment.begin();
            if me < 2 {
                await_slot(&segment, 0, me + 1, round);
            }
            if me > 0 {
                publish(0, round);
                await_slot(&segment, 1, 0, round);
            }
            segment.all_have_begun();
            if me == 0 {
                publish(1, round);
            }
            segment.end();
        }
    }

    let mut model = loom::model::Builder::new();
    // Spinning ranks switch all the time: with more, the model does not end.
    model.preemption_bound = Some(1);
    model.check(|| {
        let memory = Arc::new([AreaMemory::unused(), AreaMemory::unused(), AreaMemory::unused()]);
        let others = [1, 2].map(|me| {
            let memory = memory.clone();
            loom::thread::spawn(move || member(&memory, me))
        });
        member(&memory, 0);
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}
