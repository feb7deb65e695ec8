//! Places that are taken and given back, and looking at a member that leaves early.

use dunlin_base::ErrorClass;
use dunlin_base::single_copy::NEVER;
use dunlin_coll::Slot;
use dunlin_shm::job_map::Job;
use dunlin_shm::{Node, Segment};

use std::cell::RefCell;

use dunlin_shm::layout::COLL_AREAS_PER_RANK;

use super::*;
use crate::objects::coll_module::FreeAreas;
use crate::p2p::messages_tests::segments;

/// The two ranks of a node, in one process.
fn nodes() -> [Node; 2] {
    let (a, b) = segments();
    [Node::join(a, 0, &mut |_, _| Ok(())).unwrap(), Node::join(b, 1, &mut |_, _| Ok(())).unwrap()]
}

/// The collective segment of a communicator of both ranks, at rank `me`, over place `area` of each.
fn module(nodes: &[Node; 2], me: usize, area: usize) -> shm::CollSegment<'static> {
    let areas = [0, 1].map(|rank| nodes[me].area(rank, area));
    // SAFETY: a test takes an area again only when it no longer uses what had it before.
    unsafe { shm::CollSegment::new(Box::new(areas), me, areas[me].first_stage(), false) }
}

/// Place 0 of a rank without others.
fn home() -> (usize, Rc<RefCell<FreeAreas>>) {
    (0, Rc::default())
}

/// The same, as the engine has it.
fn coll_module(nodes: &[Node; 2], me: usize) -> CollModule {
    let module = CollModule::new(module(nodes, me, 0), Box::new([0, 1]), home(), 0, false);
    module.whole.set(8);
    module
}

#[test]
fn places_run_out_and_come_back_when_every_member_is_past_them() {
    let nodes = nodes();
    let mut areas = FreeAreas::default();
    for expected in 0..COLL_AREAS_PER_RANK {
        assert_eq!(areas.take(0), Some(expected));
    }
    assert_eq!(areas.take(0), None);
    let (mine, theirs) = (module(&nodes, 0, 3), module(&nodes, 1, 3));
    mine.begin();
    theirs.begin();
    mine.end();
    areas.retire(3, mine);
    assert_eq!(areas.take(0), None, "the other member may still look");
    theirs.end();
    assert_eq!(areas.take(0), Some(3));
    assert_eq!(areas.take(0), None);
}

#[test]
fn who_may_do_without_leaves_some() {
    let mut areas = FreeAreas::default();
    for _ in 1..COLL_AREAS_PER_RANK {
        assert!(areas.take(1).is_some());
    }
    assert_eq!(areas.take(1), None);
    assert!(areas.take(0).is_some());
}

#[test]
fn a_place_that_never_saw_an_operation_comes_back_at_once() {
    let mut areas = FreeAreas::default();
    let first = areas.take(0).unwrap();
    areas.retire(first, module(&nodes(), 0, first));
    assert_eq!(areas.take(0), Some(first));
}

#[test]
fn a_segment_over_used_areas_does_not_see_what_was_published_before() {
    let nodes = nodes();
    let earlier = module(&nodes, 1, 0);
    earlier.begin();
    earlier.copy_in(0, 4, 4, |to| to.fill(7));
    earlier.end();
    // All members begin where the latest of them stands.
    let first = nodes[0].area(1, 0).first_stage();
    let areas = || Box::new([0, 1].map(|rank| nodes[0].area(rank, 0)));
    // SAFETY: the only one with this area.
    let later = unsafe { shm::CollSegment::new(areas(), 0, first, false) };
    later.begin();
    assert!(!later.has_published(0, 1));
    assert!(!later.has_ended(1));
}

#[test]
fn what_comes_late_is_seen_and_what_never_comes_is_an_error() {
    let nodes = nodes();
    let (a, b) = (coll_module(&nodes, 0), coll_module(&nodes, 1));
    let step = |step| Slot { step, by: 1 };
    a.segment.begin();
    b.segment.begin();
    assert!(a.peek(step(0)).is_none() && a.peek_or_fail(step(0)).is_none());
    b.segment.copy_in(0, 3, 8, |to| to.copy_from_slice(b"abc"));
    b.segment.end();
    assert_eq!(a.peek(step(0)).unwrap().data(), shm::SlotData::Copied(b"abc"));
    let late = a.peek_or_fail(step(0)).unwrap().unwrap();
    assert_eq!(late.data(), shm::SlotData::Copied(b"abc"));
    let error = a.peek_or_fail(step(1)).expect("a wait without end").unwrap_err();
    assert_eq!(error.class, ErrorClass::Other);
    assert!(error.text.contains("rank 1 left this collective early"), "{}", error.text);
}

#[test]
fn a_member_that_shows_more_than_its_whole_contribution_is_an_error() {
    let nodes = nodes();
    let a = coll_module(&nodes, 0);
    for bytes in [0, 8] {
        assert!(a.check_length(1, shm::SlotView::own(&[0; 9][..bytes])).is_ok());
    }
    let error = a.check_length(1, shm::SlotView::own(&[0; 9])).unwrap_err();
    assert_eq!(error.class, ErrorClass::Truncate);
    assert!(error.text.contains("rank 1 gave 9 bytes"), "{}", error.text);
}

/// What a member says that has place 0.
fn entry(first: u64, single_copy: usize, oversubscribed: bool) -> [u64; ENTRY_WORDS] {
    [1, first, single_copy as u64, u64::from(oversubscribed), first]
}

fn agreement(entries: &[[u64; ENTRY_WORDS]]) -> Option<Agreement> {
    let bytes: Vec<u8> = entries.iter().flatten().flat_map(|word| word.to_ne_bytes()).collect();
    Agreement::from_entries(&bytes)
}

#[test]
fn members_agree_on_what_all_can_and_on_what_any_of_them_lacks() {
    let alone = entry(5, 0, false);
    let areas = vec![0, 0];
    let localities = [5, 9].map(Locality::from_bits).into();
    let expected =
        Agreement { areas, first: 9, single_copy_bytes_min: 0, oversubscribed: false, localities };
    assert_eq!(agreement(&[alone, entry(9, 0, false)]), Some(expected));
    for one in [entry(5, 0, true), entry(5, 70_000, false), entry(5, NEVER, false)] {
        for entries in [[alone, one], [one, alone]] {
            let agreement = agreement(&entries).unwrap();
            assert_eq!(
                (agreement.single_copy_bytes_min as u64, agreement.oversubscribed),
                (one[2], one[3] == 1)
            );
        }
    }
    assert_eq!(agreement(&[alone, [0, 9, 1, 0, 0]]), None);
}

#[test]
fn ranks_that_share_cores_run_what_tables_say_for_them() {
    use dunlin_coll::bcast::Algorithm;
    use dunlin_coll::select::{AlgorithmSet, CallTraits, Params};
    let nodes = nodes();
    for (oversubscribed, expected) in
        [(false, Algorithm::SingleCopyPut), (true, Algorithm::CicoPipelined)]
    {
        let module =
            CollModule::new(module(&nodes, 0, 0), Box::new([0, 1]), home(), 0, oversubscribed);
        let bytes_per_rank = 64 << 20;
        let shape = module.shape(CallTraits::plain(4), bytes_per_rank);
        assert_eq!(Algorithm::choose(&Params { shape, bytes_per_rank }), expected);
    }
}

#[test]
fn a_call_knows_whether_the_kernel_copies_slowly() {
    use dunlin_base::single_copy::SingleCopy;
    use dunlin_coll::select::{CICO_BYTES_MAX, CallTraits};
    let nodes = nodes();
    for mode in [SingleCopy::Together, SingleCopy::Receiver, SingleCopy::Long, SingleCopy::Off] {
        let from = mode.shared_bytes_min(CICO_BYTES_MAX);
        let module = CollModule::new(module(&nodes, 0, 0), Box::new([0, 1]), home(), from, false);
        for bytes in [8, 1 << 20] {
            let traits = module.traits(CallTraits::plain(2), bytes);
            assert_eq!(traits.slow_copy, mode.is_slow(), "{mode:?}, {bytes} bytes");
        }
    }
}

/// The collective segment of a communicator of three ranks on `cores` cores, at rank 0, which runs
/// on core 0; of the others, 1 and 2 run where `runs_on` says.
fn three(cores: usize, runs_on: [u32; 2]) -> ([Node; 3], [shm::CollSegment<'static>; 3]) {
    let made = Segment::create(&Job::on_one_node("here", 3), cores).unwrap();
    let more = || Segment::open(made.fd().try_clone().unwrap().into()).unwrap();
    let segments = [more(), more(), more()];
    let mut ranks = 0..3;
    let nodes = segments
        .map(|segment| Node::join(segment, ranks.next().unwrap(), &mut |_, _| Ok(())).unwrap());
    for (node, core) in nodes.iter().zip([0, runs_on[0], runs_on[1]]) {
        node.publish_core_number(core);
    }
    let module = |me: usize| {
        let areas = [0, 1, 2].map(|rank| nodes[me].area(rank, 0));
        // SAFETY: each rank takes its own.
        unsafe { shm::CollSegment::new(Box::new(areas), me, 0, false) }
    };
    let coll_modules = [0, 1, 2].map(module);
    (nodes, coll_modules)
}

/// Whether rank 0 polls for what rank 1 shows, before and after rank 2 has shown its part.
fn polls_for_rank_1(cores: usize, runs_on: [u32; 2]) -> (bool, bool) {
    let (nodes, [mine, _, third]) = three(cores, runs_on);
    mine.begin();
    third.begin();
    let mine = CollModule::new(mine, Box::new([0, 1, 2]), home(), 0, true);
    let polls = || mine.misses_one_elsewhere(&nodes[0], Slot { step: 0, by: 1 });
    let before = polls();
    third.copy_in(0, 1, 1, |to| to.fill(1));
    (before, polls())
}

#[test]
fn a_rank_polls_for_the_last_part_if_it_comes_from_another_core_and_cores_are_not_too_full() {
    assert_eq!(polls_for_rank_1(2, [1, 1]), (false, true));
    assert_eq!(polls_for_rank_1(2, [1, 0]), (false, true), "where rank 2 runs is all one");
    assert_eq!(polls_for_rank_1(2, [0, 1]), (false, false), "rank 1 needs this core");
    assert_eq!(polls_for_rank_1(1, [1, 1]), (false, false), "three ranks for one core");
}
