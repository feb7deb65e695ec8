//! Places that are taken and given back, and looking at a member that leaves early.

use std::mem::ManuallyDrop;

use dunlin_base::ErrorClass;
use dunlin_coll::Shown;
use dunlin_shm::Node;

use super::*;
use crate::messages_tests::segments;

/// The two ranks of a node, in one process.
fn nodes() -> [Node; 2] {
    let (a, b) = segments();
    [Node::join(a, 0).unwrap(), Node::join(b, 1).unwrap()]
}

/// The board of a communicator of both ranks, at rank `me`, over place `place` of each.
fn board(nodes: &[Node; 2], me: usize, place: usize) -> shm::Board<'static> {
    let places = [0, 1].map(|rank| nodes[me].place(rank, place));
    shm::Board::new(Box::new(places), me, places[me].first_stage())
}

/// The same, as the engine has it. It is never dropped: there is no engine to give its place to.
fn engine_board(nodes: &[Node; 2], me: usize) -> ManuallyDrop<Board> {
    ManuallyDrop::new(Board {
        places: RefCell::new(board(nodes, me, 0)),
        members: Box::new([0, 1]),
        place: 0,
        lends: true,
        crowded: false,
        lent: Cell::new(false),
        whole: Cell::new(8),
        other: Default::default(),
    })
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
    earlier.post(0, 4, |to| to.fill(7));
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
    b.places.borrow_mut().post(0, 3, |to| to.copy_from_slice(b"abc"));
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
