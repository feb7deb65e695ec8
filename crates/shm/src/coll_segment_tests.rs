//! Slots and rooms of collective segments, and what is not read of them.

use super::*;
use std::thread::yield_now;

/// What a view shows.
fn data<'s>(view: Option<&'s SlotView<'_>>) -> Option<SlotData<'s>> {
    view.map(SlotView::data)
}

#[test]
#[should_panic(expected = "a slot is in use")]
fn a_stage_does_not_end_while_somebody_looks_at_it() {
    let memory = [AreaMemory::unused()];
    let segments = segments(&memory, 0);
    segments[0].begin();
    segments[0].copy_in(0, 1, 0, |to| to.fill(1));
    let _view = segments[0].peek(0, 0).unwrap();
    segments[0].end();
}

#[test]
#[should_panic(expected = "a slot is in use")]
fn a_slot_is_not_filled_from_within_another() {
    let memory = [AreaMemory::unused()];
    let segments = segments(&memory, 0);
    segments[0].begin();
    segments[0].copy_in(0, 1, 0, |_| segments[0].copy_in(0, 1, 0, |to| to.fill(1)));
}

fn segments(memory: &[Box<AreaMemory>], first: u64) -> Vec<CollSegment<'_>> {
    segments_of(memory, first, false)
}

fn segments_of(memory: &[Box<AreaMemory>], first: u64, is_wide: bool) -> Vec<CollSegment<'_>> {
    let areas = || memory.iter().map(|m| &**m).collect();
    // SAFETY: each test takes each area for one of them.
    let segment = |me| unsafe { CollSegment::new(areas(), me, first, is_wide) };
    (0..memory.len()).map(segment).collect()
}

#[test]
fn what_is_copied_in_or_exposed_is_seen_at_its_step_alone() {
    let memory = [AreaMemory::unused(), AreaMemory::unused()];
    let segments = segments(&memory, 7);
    let (a, b) = (&segments[0], &segments[1]);
    let lengths = [0, 1, INLINE_BYTES, INLINE_BYTES + 1, SHORT_BYTES, SHORT_BYTES + 1, ROOM_BYTES];
    for bytes in lengths {
        a.begin();
        b.begin();
        assert!(a.has_room(0, bytes));
        a.copy_in(0, bytes, 2 * bytes as u64, |to| to.fill(bytes as u8));
        a.expose(1, 4096, bytes);
        assert_eq!(data(b.peek(0, 0).as_ref()), Some(SlotData::Copied(&vec![bytes as u8; bytes])));
        assert_eq!(data(b.peek(1, 0).as_ref()), Some(SlotData::Exposed { address: 4096, bytes }));
        assert_eq!((b.total(0, 0), b.total(1, 0)), (Some(2 * bytes as u64), None));
        assert!(b.peek(2, 0).is_none() && b.peek(0, 1).is_none());
        a.end();
        assert!(!a.all_ended() && b.has_ended(0) && !a.has_ended(1));
        b.end();
        assert!(a.all_ended());
    }
}

#[test]
fn the_steps_of_an_operation_share_its_room_and_the_next_begins_anew() {
    let memory = [AreaMemory::unused(), AreaMemory::unused()];
    let segments = segments(&memory, 0);
    let (a, b) = segments.split_at(1);
    for _ in 0..2 {
        a[0].begin();
        b[0].begin();
        let sizes = [ROOM_BYTES / 2 + 1, 1, CACHE_LINE, ROOM_BYTES / 4];
        for (step, &bytes) in sizes.iter().enumerate() {
            a[0].copy_in(step, bytes, 0, |to| to.fill(step as u8));
        }
        for (step, &bytes) in sizes.iter().enumerate() {
            assert_eq!(
                data(b[0].peek(step, 0).as_ref()),
                Some(SlotData::Copied(&vec![step as u8; bytes]))
            );
        }
        assert_eq!(a[0].bytes_left(sizes.len() - 1), ROOM_BYTES / 4 - CACHE_LINE);
        a[0].end();
        b[0].end();
    }
}

/// Bytes of the rooms of the areas of these tests.
const ROOMS: usize = LONG_START + WIDE_BYTES;

/// What a member says of a slot that others, or it by mistake, have overwritten.
fn peek_at(bytes: u64, start: u64) {
    let memory = [AreaMemory::unused(), AreaMemory::unused()];
    let segments = segments(&memory, 0);
    segments.iter().for_each(CollSegment::begin);
    segments[0].copy_in(0, INLINE_BYTES + 1, 0, |_| ());
    memory[0].heads[0].body.with_mut(|body| {
        // SAFETY: nobody else touches it.
        unsafe {
            (*body).bytes = bytes;
            (&raw mut (*body).inline).cast::<u64>().write_unaligned(start);
        }
    });
    segments[1].peek(0, 0);
}

#[test]
fn a_copy_may_be_anywhere_in_the_rooms() {
    peek_at(ROOM_BYTES as u64, 0);
    peek_at(64, ROOMS as u64 - 64);
    peek_at(INLINE_BYTES as u64, u64::MAX);
}

#[test]
#[should_panic(expected = "is damaged")]
fn a_length_that_no_member_writes_is_not_read() {
    peek_at(ROOM_BYTES as u64 + 1, 0);
}

#[test]
#[should_panic(expected = "is damaged")]
fn a_place_that_no_member_writes_is_not_read() {
    peek_at(64, ROOMS as u64 - 63);
}

#[test]
#[should_panic(expected = "is damaged")]
fn a_place_and_a_length_that_overflow_are_not_read() {
    peek_at(u64::MAX >> 1, u64::MAX);
}

/// Where this rank writes to itself is not for others to say.
#[test]
fn what_a_rank_has_exposed_it_knows_by_itself() {
    let memory = [AreaMemory::unused()];
    let segments = segments(&memory, 0);
    segments[0].begin();
    segments[0].expose(0, 4096, 100);
    memory[0].heads[0].body.with_mut(|body| {
        // SAFETY: nobody else touches it.
        unsafe { (*body).whole_or_address = 8 };
    });
    let own = SlotData::Exposed { address: 4096, bytes: 100 };
    assert_eq!(data(segments[0].peek(0, 0).as_ref()), Some(own));
}

/// How many operations with so many bytes the first of two members is let ahead of the other.
fn ahead(bytes: usize) -> usize {
    let memory = [AreaMemory::unused(), AreaMemory::unused()];
    let segments = segments(&memory, 0);
    let (a, b) = (&segments[0], &segments[1]);
    let begun = (0..).take_while(|_| {
        a.begin();
        let has_room = a.has_room(0, bytes);
        if has_room {
            a.copy_in(0, bytes, bytes as u64, |to| to.fill(1));
            a.end();
        }
        has_room
    });
    let begun = begun.count();
    // Where no slot was free half of them must be, else one room.
    let needed = begun.saturating_sub(DEPTH_MAX / 2).max(1);
    for _ in 0..needed {
        assert!(!a.has_room(0, bytes));
        b.begin();
        b.end();
    }
    assert!(a.has_room(0, bytes));
    begun
}

#[test]
fn a_rank_that_runs_ahead_is_held_back() {
    for bytes in [1, INLINE_BYTES] {
        assert_eq!(ahead(bytes), DEPTH_MAX);
    }
    for bytes in [INLINE_BYTES + 1, SHORT_BYTES] {
        assert_eq!(ahead(bytes), SHORT_ROOMS);
    }
    for bytes in [SHORT_BYTES + 1, ROOM_BYTES] {
        assert_eq!(ahead(bytes), STAGES);
    }
}

#[test]
fn short_data_may_follow_where_long_data_waits() {
    let memory = [AreaMemory::unused(), AreaMemory::unused()];
    let a = &segments(&memory, 0)[0];
    for _ in 0..STAGES {
        a.begin();
        a.copy_in(0, ROOM_BYTES, 0, |to| to.fill(1));
        a.end();
    }
    a.begin();
    assert!(!a.has_room(0, ROOM_BYTES) && a.has_room(0, SHORT_BYTES));
    a.copy_in(0, SHORT_BYTES, 0, |to| to.fill(1));
    assert!(a.has_room(1, INLINE_BYTES) && !a.has_room(1, INLINE_BYTES + 1));
}

#[test]
fn stages_have_a_room_each_that_is_used_again_when_all_have_left_it() {
    let memory = [AreaMemory::unused(), AreaMemory::unused()];
    let segments = segments(&memory, 0);
    let (a, b) = (&segments[0], &segments[1]);
    for _ in 0..2 {
        a.begin();
        b.begin();
        let show = |stage: usize| {
            let step = stage * STEPS + 1;
            a.release(stage);
            let has_room = a.has_room(step, ROOM_BYTES);
            if has_room {
                assert_eq!(a.bytes_left(step), ROOM_BYTES);
                a.copy_in(step, ROOM_BYTES, 0, |to| to.fill(stage as u8));
            }
            has_room
        };
        let seen = |stage: usize, byte: u8| {
            let view = b.peek(stage * STEPS + 1, 0).unwrap();
            assert_eq!(view.data(), SlotData::Copied(&[byte; ROOM_BYTES]));
        };
        assert!((0..STAGES).all(&show) && !show(STAGES));
        for stage in 0..STAGES {
            seen(stage, stage as u8);
            b.release(stage);
        }
        assert!(show(STAGES) && !a.has_ended(1));
        seen(STAGES, STAGES as u8);
        a.end();
        b.end();
        assert!(a.all_ended() && b.all_ended());
    }
}

#[test]
fn threads_that_sum_each_others_numbers_agree_over_many_operations() {
    for is_wide in [false, true] {
        threads_sum_each_others_numbers(is_wide);
    }
}

fn threads_sum_each_others_numbers(is_wide: bool) {
    const RANKS: usize = 3;
    let memory: Vec<_> = (0..RANKS).map(|_| AreaMemory::unused()).collect();
    std::thread::scope(|s| {
        for segment in segments_of(&memory, 5, is_wide) {
            s.spawn(move || {
                for round in 0..2000u64 {
                    segment.begin();
                    let bytes = [8, 80, SHORT_BYTES + 1, ROOM_BYTES][round as usize % 4];
                    while !segment.has_room(0, bytes) {
                        yield_now();
                    }
                    let mine = round * RANKS as u64 + segment.me as u64;
                    segment.copy_in(0, bytes, 0, |to| to[..8].copy_from_slice(&mine.to_le_bytes()));
                    let mut sum = 0;
                    for by in 0..RANKS {
                        sum += loop {
                            let view = segment.peek(0, by);
                            if let Some(SlotData::Copied(data)) = data(view.as_ref()) {
                                break u64::from_le_bytes(data[..8].try_into().unwrap());
                            }
                            yield_now();
                        };
                    }
                    assert_eq!(sum, RANKS as u64 * (round * RANKS as u64 + 1));
                    segment.end();
                }
            });
        }
    });
}

#[test]
fn who_knows_that_all_have_begun_asks_nobody_whether_they_have_ended_what_was_before() {
    let memory = [AreaMemory::unused(), AreaMemory::unused(), AreaMemory::unused()];
    let segments = segments(&memory, 0);
    for _ in 0..=DEPTH_MAX {
        for segment in &segments {
            segment.begin();
            segment.copy_in(0, 1, 1, |to| to.fill(1));
        }
        segments[0].all_have_begun();
        // What it has asked others it would know.
        assert!(segments[0].has_room(1, 1));
        assert!(segments[0].ended.iter().all(|ended| ended.get() == 0));
        segments.iter().for_each(CollSegment::end);
    }
    // Another asks.
    segments[1].begin();
    assert!(segments[1].has_room(0, 1) && segments[1].ended[2].get() > 0);
}

#[test]
fn readers_tell_how_long_they_read_what_is_timed() {
    let memory = [AreaMemory::unused(), AreaMemory::unused(), AreaMemory::unused()];
    let segments = segments(&memory, 0);
    segments.iter().for_each(CollSegment::begin);
    let past = Stores { past_cache: true, is_timed: true };
    let usual = Stores { past_cache: false, is_timed: true };
    let bytes = SHORT_BYTES + 1;
    segments[0].copy_in_by(past, 0, bytes, 0, |to| to.fill(3));
    segments[0].copy_in_by(Stores { is_timed: false, ..past }, 1, bytes, 0, |to| to.fill(4));
    for (step, byte, timed) in [(0, 3, Some(past)), (1, 4, None)] {
        let view = segments[1].peek(step, 0).unwrap();
        assert_eq!(view.data(), SlotData::Copied(&vec![byte; bytes]));
        assert_eq!(segments[1].timed_stores(), timed);
    }
    let told = |stores| segments[0].reading_time(stores);
    assert_eq!((told(past), told(usual)), (None, None));
    let ns = Duration::from_nanos;
    segments[1].tell_reading(past, ns(100));
    assert_eq!((told(past), told(usual)), (Some((ns(100), 1)), None));
    segments[2].tell_reading(past, ns(300));
    assert_eq!(told(past), Some((ns(200), 2)));
    // What this rank itself has read does not count.
    assert_eq!(segments[1].reading_time(past), Some((ns(300), 1)));
    // Less counts more than what is more; an outlier counts little.
    segments[1].tell_reading(past, ns(50));
    segments[2].tell_reading(past, ns(1_000_000));
    assert_eq!(told(past), Some((ns((75 + 525) / 2), 4)));
}
