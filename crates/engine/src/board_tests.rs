//! Places that are taken and given back, and looking at a member that leaves early.

use std::mem::ManuallyDrop;
use std::os::fd::IntoRawFd;

use dunlin_base::ErrorClass;
use dunlin_coll::Shown;
use dunlin_shm::card::Job;
use dunlin_shm::{Node, Segment};

use super::*;
use crate::messages_tests::segments;

/// The two ranks of a node, in one process.
fn nodes() -> [Node; 2] {
    let (a, b) = segments();
    [Node::join(a, 0, &mut |_, _| Ok(())).unwrap(), Node::join(b, 1, &mut |_, _| Ok(())).unwrap()]
}

/// The board of a communicator of both ranks, at rank `me`, over place `place` of each.
fn board(nodes: &[Node; 2], me: usize, place: usize) -> shm::Board<'static> {
    let places = [0, 1].map(|rank| nodes[me].place(rank, place));
    shm::Board::new(Box::new(places), me, places[me].first_stage())
}

/// The same, as the engine has it. It is never dropped: there is no engine to give its place to.
fn engine_board(nodes: &[Node; 2], me: usize) -> ManuallyDrop<Board> {
    let plan = Plan { places: vec![0, 0], first: 0, lends: true, crowded: false };
    let board = Board::new(board(nodes, me, 0), Box::new([0, 1]), 0, &plan);
    board.whole.set(8);
    ManuallyDrop::new(board)
}

#[test]
fn places_run_out_and_come_back_when_every_member_is_past_them() {
    let nodes = nodes();
    let mut places = Places::default();
    for expected in 0..PLACES_PER_RANK {
        assert_eq!(places.take(), Some(expected));
    }
    assert_eq!(places.take(), None);
    let (mut mine, mut theirs) = (board(&nodes, 0, 3), board(&nodes, 1, 3));
    mine.begin();
    theirs.begin();
    mine.end();
    places.retire(3, mine);
    assert_eq!(places.take(), None, "the other member may still look");
    theirs.end();
    assert_eq!(places.take(), Some(3));
    assert_eq!(places.take(), None);
}

#[test]
fn a_place_that_never_saw_an_operation_comes_back_at_once() {
    let mut places = Places::default();
    let first = places.take().unwrap();
    places.retire(first, board(&nodes(), 0, first));
    assert_eq!(places.take(), Some(first));
}

#[test]
fn a_board_over_used_places_does_not_see_what_was_shown_before() {
    let nodes = nodes();
    let mut earlier = board(&nodes, 1, 0);
    earlier.begin();
    earlier.post(0, 4, 4, |to| to.fill(7));
    earlier.end();
    // All members begin where the latest of them stands.
    let first = nodes[0].place(1, 0).first_stage();
    let places = || Box::new([0, 1].map(|rank| nodes[0].place(rank, 0)));
    let mut later = shm::Board::new(places(), 0, first);
    later.begin();
    assert_eq!(later.look(0, 1), None);
    assert!(!later.has_ended(1));
}

#[test]
fn what_comes_late_is_seen_and_what_never_comes_is_an_error() {
    let nodes = nodes();
    let (a, b) = (engine_board(&nodes, 0), engine_board(&nodes, 1));
    let step = |step| Shown { step, by: 1 };
    a.places.borrow_mut().begin();
    b.places.borrow_mut().begin();
    assert!(a.look(step(0)).is_none() && a.look_or_give_up(step(0)).is_none());
    b.places.borrow_mut().post(0, 3, 8, |to| to.copy_from_slice(b"abc"));
    b.places.borrow().end();
    assert_eq!(a.look(step(0)), Some(shm::Shown::Here(b"abc")));
    assert_eq!(a.look_or_give_up(step(0)).unwrap().unwrap(), shm::Shown::Here(b"abc"));
    let error = a.look_or_give_up(step(1)).expect("a wait without end").unwrap_err();
    assert_eq!(error.class, ErrorClass::Other);
    assert!(error.text.contains("rank 1 left this collective early"), "{}", error.text);
}

#[test]
fn a_member_that_shows_more_than_its_whole_contribution_is_an_error() {
    let nodes = nodes();
    let a = engine_board(&nodes, 0);
    for (bytes, fits) in [(0, true), (8, true), (9, false)] {
        let lent = shm::Shown::There { address: 4096, bytes };
        assert_eq!(a.check_length(1, lent).is_ok(), fits);
    }
    let error = a.check_length(1, shm::Shown::Here(&[0; 9])).unwrap_err();
    assert_eq!(error.class, ErrorClass::Truncate);
    assert!(error.text.contains("rank 1 gave 9 bytes"), "{}", error.text);
}

/// What a member says that has place 0.
fn wish(first: u64, lends: bool, crowded: bool) -> [u64; WISH_WORDS] {
    [1, first, u64::from(lends), u64::from(crowded)]
}

fn plan(wishes: &[[u64; WISH_WORDS]]) -> Option<Plan> {
    let bytes: Vec<u8> = wishes.iter().flatten().flat_map(|word| word.to_ne_bytes()).collect();
    Plan::from_wishes(&bytes)
}

#[test]
fn members_agree_on_what_all_can_and_on_what_any_of_them_lacks() {
    let alone = wish(5, true, false);
    let places = vec![0, 0];
    let expected = Plan { places, first: 9, lends: true, crowded: false };
    assert_eq!(plan(&[alone, wish(9, true, false)]), Some(expected));
    for one in [wish(5, true, true), wish(5, false, false)] {
        for wishes in [[alone, one], [one, alone]] {
            let plan = plan(&wishes).unwrap();
            assert_eq!((plan.lends, plan.crowded), (one[2] == 1, one[3] == 1));
        }
    }
    assert_eq!(plan(&[alone, [0, 9, 1, 0]]), None);
}

#[test]
fn ranks_that_share_cores_run_what_tables_say_for_them() {
    use dunlin_coll::bcast::Algorithm;
    use dunlin_coll::select::{Choice, Params, Shape};
    let nodes = nodes();
    for (crowded, expected) in [(false, Algorithm::LentGiven), (true, Algorithm::PostedPieces)] {
        let plan = Plan { places: vec![0, 0], first: 0, lends: true, crowded };
        let board = Board::new(board(&nodes, 0, 0), Box::new([0, 1]), 0, &plan);
        let board = ManuallyDrop::new(board);
        let bytes_per_rank = 1 << 20;
        let shape = board.shape(Shape::plain(4), bytes_per_rank);
        assert_eq!(Algorithm::choose(&Params { shape, bytes_per_rank }), expected);
    }
}

/// The board of a communicator of three ranks on `cores` cores, at rank 0, which runs on core 0; of
/// the others, 1 and 2 run where `runs_on` says.
fn three(cores: usize, runs_on: [u32; 2]) -> ([Node; 3], [shm::Board<'static>; 3]) {
    let made = Segment::create(&Job::on_one_node("here", 3), cores).unwrap();
    let more = || Segment::inherit(made.fd().try_clone().unwrap().into_raw_fd()).unwrap();
    let segments = [more(), more(), more()];
    let mut ranks = 0..3;
    let nodes = segments
        .map(|segment| Node::join(segment, ranks.next().unwrap(), &mut |_, _| Ok(())).unwrap());
    for (node, core) in nodes.iter().zip([0, runs_on[0], runs_on[1]]) {
        node.publish_core_number(core);
    }
    let board = |me: usize| {
        let places = [0, 1, 2].map(|rank| nodes[me].place(rank, 0));
        shm::Board::new(Box::new(places), me, 0)
    };
    let boards = [0, 1, 2].map(board);
    (nodes, boards)
}

/// Whether rank 0 polls for what rank 1 shows, before and after rank 2 has shown its part.
fn polls_for_rank_1(cores: usize, runs_on: [u32; 2]) -> (bool, bool) {
    let (nodes, [mut mine, _, mut third]) = three(cores, runs_on);
    mine.begin();
    third.begin();
    let plan = Plan { places: vec![0; 3], first: 0, lends: true, crowded: true };
    let mine = ManuallyDrop::new(Board::new(mine, Box::new([0, 1, 2]), 0, &plan));
    let polls = || mine.misses_one_elsewhere(&nodes[0], Shown { step: 0, by: 1 });
    let before = polls();
    third.post(0, 1, 1, |to| to.fill(1));
    (before, polls())
}

#[test]
fn a_rank_polls_for_the_last_part_if_it_comes_from_another_core_and_cores_are_not_too_full() {
    assert_eq!(polls_for_rank_1(2, [1, 1]), (false, true));
    assert_eq!(polls_for_rank_1(2, [1, 0]), (false, true), "where rank 2 runs is all one");
    assert_eq!(polls_for_rank_1(2, [0, 1]), (false, false), "rank 1 needs this core");
    assert_eq!(polls_for_rank_1(1, [1, 1]), (false, false), "three ranks for one core");
}
