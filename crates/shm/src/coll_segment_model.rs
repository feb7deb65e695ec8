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

/// The same where a rank knows only through another that a third is past a slot: rank 2, which has
/// read what rank 0 published, publishes to rank 1, rank 1 to rank 0, which fills the slot again.
#[test]
fn a_slot_is_filled_again_only_after_one_is_past_it_of_whom_another_tells() {
    const STEP: usize = 1;

    fn member(memory: &[Box<AreaMemory>; 3], me: usize) {
        let areas = memory.iter().map(|m| &**m).collect();
        // SAFETY: each thread takes another area.
        let segment = unsafe { CollSegment::new(areas, me, 0, Depth::Few) };
        let see = |step, by| loop {
            if let Some(seen) = segment.peek(step, by) {
                break assert_eq!(seen.data(), SlotData::Copied(&[by as u8]));
            }
            loom::thread::yield_now();
        };
        let publish = |step| {
            assert!(segment.has_room(step, 1), "rank {me} has to ask others");
            segment.copy_in(step, 1, 0, |to| to.fill(me as u8));
        };
        for operation in 0..=STAGES {
            segment.begin();
            match (operation, me) {
                (0, 0) => publish(STEP),
                (0, 2) => see(STEP, 0),
                (STAGES, 2) => publish(0),
                (STAGES, 1) => {
                    see(0, 2);
                    publish(0);
                }
                (STAGES, 0) => {
                    see(0, 1);
                    segment.all_have_begun();
                    publish(STEP);
                }
                _ => {}
            }
            segment.end();
        }
    }

    let mut model = loom::model::Builder::new();
    // With more the model takes minutes.
    model.preemption_bound = Some(1);
    model.max_branches = 20_000;
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
