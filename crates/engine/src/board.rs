//! Where the members of a communicator show each other data. A communicator gets its board when it
//! has shown that it is used for collectives.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use dunlin_base::Result;
use dunlin_coll::selection::LastChoices;
use dunlin_shm::board as shm;
use dunlin_shm::cma::MemoryFile;
use dunlin_shm::layout::PLACES_PER_RANK;

use crate::comm::Comm;
use crate::engine::Engine;
use crate::global;
use crate::messages::Route;

/// Blocking collectives that a communicator does with messages before it gets a board, and with
/// them what its members say of these: many are made for a single one, and places are few.
const MESSAGES_FIRST: u32 = 2;

/// Whether a communicator has a board.
#[derive(Debug, Default)]
pub(crate) enum Sharing {
    /// Nobody has asked yet.
    #[default]
    Untried,
    /// Its members are agreeing on one.
    Making,
    /// It does without.
    Without,
    /// This is it.
    With(Rc<Board>),
}

/// A communicator's board, as this rank uses it.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) places: RefCell<shm::Board<'static>>,
    /// The members' places in the node, in the order of their ranks: of a communicator on several
    /// nodes, of those on this one.
    pub(crate) members: Box<[usize]>,
    /// Of a communicator on several nodes: where each rank stands among `members`, or
    /// [`ELSEWHERE`].
    seats: Option<Box<[usize]>>,
    /// The number of this rank's place.
    place: usize,
    /// Every member can read every other's memory.
    pub(crate) lends: bool,
    /// Some of them share cores.
    pub(crate) crowded: bool,
    /// The operation in progress has shown memory of this process.
    pub(crate) lent: Cell<bool>,
    /// Bytes of a rank's whole contribution to the operation in progress: nobody may show more.
    pub(crate) whole: Cell<usize>,
    /// What this communicator ran last.
    pub(crate) last_choices: LastChoices,
    /// Of two members: the other's memory as a file, once it was needed.
    pub(crate) other: OnceCell<Option<MemoryFile>>,
}

impl Drop for Board {
    fn drop(&mut self) {
        let board = shm::Board::new(Box::default(), 0, 0);
        let board = std::mem::replace(self.places.get_mut(), board);
        global::installed().places.borrow_mut().retire(self.place, board);
    }
}

/// The places of this rank.
#[derive(Debug, Default)]
pub(crate) struct Places {
    taken: [bool; PLACES_PER_RANK],
    /// Given up here, but perhaps still looked at by slower members.
    retired: Vec<(usize, shm::Board<'static>)>,
}

impl Places {
    fn take(&mut self) -> Option<usize> {
        let taken = &mut self.taken;
        self.retired.retain(|(place, board)| {
            let in_use = !board.all_ended();
            taken[*place] = in_use;
            in_use
        });
        let place = taken.iter().position(|taken| !taken)?;
        taken[place] = true;
        Some(place)
    }

    fn retire(&mut self, place: usize, board: shm::Board<'static>) {
        self.retired.push((place, board));
    }
}

/// What every member says when a board is made: words of a number.
const WISH_WORDS: usize = 4;

/// What a board is like, by what all members say.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    /// The number of every member's place.
    places: Vec<usize>,
    /// The first stage.
    first: u64,
    lends: bool,
    crowded: bool,
}

impl Plan {
    /// `None` if a member has no place.
    fn from_wishes(wishes: &[u8]) -> Option<Plan> {
        let words = wishes.chunks_exact(size_of::<u64>());
        let words: Vec<u64> =
            words.map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes"))).collect();
        let word = |i: usize| words.iter().copied().skip(i).step_by(WISH_WORDS);
        Some(Plan {
            places: word(0).map(|place| (place as usize).checked_sub(1)).collect::<Option<_>>()?,
            first: word(1).max().unwrap_or(0),
            lends: word(2).all(|lends| lends != 0),
            crowded: word(3).any(|crowded| crowded != 0),
        })
    }
}

/// Stands for the seat of a rank on another node.
const ELSEWHERE: usize = usize::MAX;

/// Those of a communicator's members that are on this node.
#[derive(Debug)]
struct Here {
    /// Their places.
    members: Box<[usize]>,
    /// See [`Board::seats`].
    seats: Option<Box<[usize]>>,
    /// The place of each rank, if it is on this node.
    places: Vec<Option<usize>>,
}

impl Board {
    fn new(board: shm::Board<'static>, members: Box<[usize]>, place: usize, plan: &Plan) -> Board {
        Board {
            places: RefCell::new(board),
            members,
            seats: None,
            place,
            lends: plan.lends,
            crowded: plan.crowded,
            lent: Cell::new(false),
            whole: Cell::new(0),
            last_choices: LastChoices::default(),
            other: OnceCell::new(),
        }
    }
}

impl Board {
    /// Where a rank stands among the members. A look at another node is an algorithm's mistake.
    #[inline]
    pub(crate) fn seat(&self, rank: usize) -> usize {
        match &self.seats {
            None => rank,
            Some(seats) => seats[rank],
        }
    }

    /// Whether it is for some of the communicator's ranks alone.
    #[inline]
    pub(crate) fn is_partial(&self) -> bool {
        self.seats.is_some()
    }
}

impl Engine {
    /// The board of a communicator, for a blocking collective that all members are about to begin.
    #[inline]
    pub(crate) fn board_of(&self, comm: &Rc<Comm>) -> Result<Option<Rc<Board>>> {
        match &*comm.sharing.borrow() {
            Sharing::With(board) => return Ok(Some(board.clone())),
            Sharing::Untried if comm.collectives_begun() >= MESSAGES_FIRST => {}
            _ => return Ok(None),
        }
        comm.sharing.replace(Sharing::Making);
        let board = self.make_board(comm)?.map(Rc::new);
        comm.sharing.replace(board.clone().map_or(Sharing::Without, Sharing::With));
        Ok(board)
    }

    fn make_board(&self, comm: &Rc<Comm>) -> Result<Option<Board>> {
        if comm.size() == 1 || comm.is_inter() {
            return Ok(None);
        }
        let (node, me) = (self.node, self.node.me());
        if self.spans_nodes && self.nodes_of(comm).count() == comm.size() as usize {
            return Ok(None);
        }
        let here = self.members_here(comm)?;
        let lends = here.members.iter().all(|&peer| self.messages.borrow_mut().can_reach(peer));
        let place = self.places.borrow_mut().take();
        let first = place.map_or(0, |place| node.place(me, place).first_stage());
        let number = place.map_or(0, |place| place as u64 + 1);
        let wish = [number, first, u64::from(lends), u64::from(!node.own_core())];
        let wishes = self.allgather_bytes(comm, wish.map(u64::to_ne_bytes).as_flattened())?;
        let Some(place) = place else { return Ok(None) };
        let Some(plan) = Plan::from_wishes(&wishes) else {
            self.places.borrow_mut().taken[place] = false;
            return Ok(None);
        };
        let at = here.places.iter().zip(&plan.places);
        let places = at.filter_map(|(&rank, &place)| Some(node.place(rank?, place))).collect();
        let seat = here.seats.as_ref().map_or(comm.rank as usize, |s| s[comm.rank as usize]);
        let board = shm::Board::new(places, seat, plan.first);
        let mut board = Board::new(board, here.members, place, &plan);
        board.seats = here.seats;
        Ok(Some(board))
    }

    fn members_here(&self, comm: &Comm) -> Result<Here> {
        let place = |rank| {
            Ok(match self.route(comm.world_rank(rank)?) {
                Route::Myself => Some(self.node.me()),
                Route::Node(place) => Some(place),
                Route::Net(_) => None,
            })
        };
        let places = (0..comm.size()).map(place).collect::<Result<Vec<Option<usize>>>>()?;
        let members: Box<[usize]> = places.iter().flatten().copied().collect();
        let mut next = 0..;
        let mut seat =
            |place: &Option<usize>| place.map_or(ELSEWHERE, |_| next.next().unwrap_or(0));
        let seats = places.contains(&None).then(|| places.iter().map(&mut seat).collect());
        Ok(Here { members, seats, places })
    }
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
