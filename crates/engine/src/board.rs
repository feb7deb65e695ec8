//! Where the members of a communicator show each other data, and the channel verbs that use it. A
//! communicator gets its board when it has shown that it is used for collectives.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::select::Params;
use dunlin_coll::selection::Listed;
use dunlin_coll::{Member, NodeChannel, Shown, View};
use dunlin_shm::board::{self as shm, SLOT_BYTES};
use dunlin_shm::layout::PLACES_PER_RANK;

use crate::buffer::UserBuffer;
use crate::channel::{OpChannel, Uniform, combine};
use crate::comm::Comm;
use crate::engine::Engine;
use crate::global;
use crate::messages::Route;

/// Blocking collectives that a communicator does with messages before it gets a board: many are
/// made for a single one, and places are few.
const MESSAGES_FIRST: u32 = 2;
/// Up to here a copy into a slot costs less than a peer's reach into our memory.
const POST_BYTES_MAX: usize = 8 << 10;
/// Bytes read from a peer's memory at a time where they are added up: what stays in the cache.
const PIECE_BYTES: usize = 32 << 10;
/// Looks in vain at what a member shows before it is asked whether it has left the operation, which
/// it does early only after an error of its own. About 10 us: hardly any wait is slowed by asking.
const POLLS_IN_GOOD_FAITH: u32 = 256;

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
    board: RefCell<shm::Board<'static>>,
    /// The members' places in the node, in the order of their ranks.
    members: Box<[usize]>,
    /// The number of this rank's place.
    place: usize,
    /// Every member can read every other's memory.
    lends: bool,
    /// The operation in progress has shown memory of this process.
    lent: Cell<bool>,
    /// Bytes of a rank's whole contribution to the operation in progress: nobody may show more.
    whole: Cell<usize>,
    /// The member that is waited for.
    pub looks_for: Cell<Option<usize>>,
}

impl Drop for Board {
    fn drop(&mut self) {
        let board = shm::Board::new(Box::default(), 0, 0);
        let board = std::mem::replace(self.board.get_mut(), board);
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

/// What every member says when a board is made.
const WISH_WORDS: usize = 3;

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
        let members = self.members_on_node(comm)?;
        let lends = members.iter().all(|&peer| self.messages.borrow_mut().can_reach(peer));
        let place = self.places.borrow_mut().take();
        let last = place.map_or(0, |place| node.place(me, place).last_operation());
        let wish = [place.map_or(0, |place| place as u64 + 1), last, u64::from(lends)];
        let wishes = self.allgather_bytes(comm, wish.map(u64::to_ne_bytes).as_flattened())?;
        let wishes: Vec<u64> = wishes
            .chunks_exact(size_of::<u64>())
            .map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")))
            .collect();
        let word = |i: usize| wishes.iter().copied().skip(i).step_by(WISH_WORDS);
        let Some(place) = place else { return Ok(None) };
        if word(0).any(|place| place == 0) {
            self.places.borrow_mut().taken[place] = false;
            return Ok(None);
        }
        let at = members.iter().zip(word(0));
        let places = at.map(|(&rank, number)| node.place(rank, number as usize - 1)).collect();
        let first = word(1).max().unwrap_or(0);
        Ok(Some(Board {
            board: RefCell::new(shm::Board::new(places, comm.rank as usize, first)),
            members,
            place,
            lends: word(2).all(|lends| lends != 0),
            lent: Cell::new(false),
            whole: Cell::new(0),
            looks_for: Cell::new(None),
        }))
    }

    fn members_on_node(&self, comm: &Comm) -> Result<Box<[usize]>> {
        let place = |rank| {
            Ok(match self.route(comm.world_rank(rank)?) {
                Route::Myself => self.node.me(),
                Route::Node(place) => place,
            })
        };
        (0..comm.size()).map(place).collect()
    }
}

impl Board {
    /// Begins an operation; every member begins the same ones in the same order.
    pub fn begin(&self) {
        self.board.borrow_mut().begin();
    }

    /// Ends the operation at this rank, and waits for the others if they may still read our memory.
    pub async fn end(&self, engine: &Engine) {
        self.board.borrow().end();
        self.wake(engine);
        if self.lent.take() {
            poll_fn(|_| ready_if(self.board.borrow().all_ended())).await;
        }
    }

    fn wake(&self, engine: &Engine) {
        engine.node.wake_all(self.members.iter().copied());
    }

    async fn has_room(&self) {
        poll_fn(|_| ready_if(self.board.borrow_mut().has_room())).await;
    }

    /// What is shown, once it is there; an error where it will never be.
    async fn look(&self, shown: Shown) -> Result<shm::Shown<'static>> {
        let mut vain = 0;
        poll_fn(|_| {
            let board = self.board.borrow();
            let mut seen = board.look(shown.step, shown.by);
            if seen.is_none() && vain >= POLLS_IN_GOOD_FAITH && board.has_ended(shown.by) {
                // It may have shown this between our looking at the one and at the other.
                seen = board.look(shown.step, shown.by);
                if seen.is_none() {
                    return Poll::Ready(Err(gone(shown.by)));
                }
            }
            let Some(data) = seen else {
                vain += 1;
                self.looks_for.set(Some(shown.by));
                return Poll::Pending;
            };
            self.looks_for.set(None);
            Poll::Ready(Ok(data))
        })
        .await
    }

    /// An error if what `by` shows is more than this rank expects.
    fn check_length(&self, by: usize, data: &shm::Shown<'_>) -> Result<()> {
        let (bytes, whole) = (data.bytes(), self.whole.get());
        if bytes > whole { Err(too_much(by, bytes, whole)) } else { Ok(()) }
    }
}

fn ready_if(ready: bool) -> Poll<()> {
    if ready { Poll::Ready(()) } else { Poll::Pending }
}

/// Bytes `skip..skip + bytes` of what member `by` shows, wherever that is.
struct Piece {
    by: usize,
    skip: usize,
    bytes: usize,
}

impl OpChannel<'_> {
    /// The algorithm for a call in which no rank shows more than `shown` bytes.
    #[inline]
    pub(crate) fn choose<A: Listed>(&self, params: &Params, shown: usize) -> A {
        let (posts, lends) = self.board.map_or((false, false), |board| {
            board.whole.set(shown);
            (shown <= SLOT_BYTES, board.lends)
        });
        self.engine.choose(&Params { shape: params.shape.shared(posts, lends), ..*params })
    }

    fn shared(&self) -> Result<&Board> {
        self.board.ok_or_else(|| {
            let text = "an algorithm for shared memory was to run without it";
            Error::new(ErrorClass::Intern, text)
        })
    }

    /// Where in the shown bytes element `start` of a buffer like that of `view` begins.
    fn offset(&self, view: View, start: usize) -> Result<usize> {
        self.with_region(view.buffer, |region| Ok(start * region.uniform()?.datatype.size()))
    }

    /// Copies a piece of what is shown.
    fn copy_shown(
        &self,
        board: &Board,
        shown: shm::Shown<'_>,
        piece: &Piece,
        into: &mut UserBuffer,
    ) -> Result<()> {
        let end = piece.skip + piece.bytes;
        match shown {
            shm::Shown::Here(data) if end <= data.len() => {
                into.unpack(0, &data[piece.skip..end]);
                Ok(())
            }
            shm::Shown::There { address, bytes } if end <= bytes => {
                let address = address + piece.skip as u64;
                if let Some(to) = into.as_dense_mut(piece.bytes) {
                    return self.read(board, piece.by, address, to);
                }
                self.in_pieces(PIECE_BYTES, piece.bytes, |at, scratch| {
                    self.read(board, piece.by, address + at as u64, scratch)?;
                    into.unpack(at, scratch);
                    Ok(())
                })
            }
            shm::Shown::Here(data) => Err(too_short(piece, data.len())),
            shm::Shown::There { bytes, .. } => Err(too_short(piece, bytes)),
        }
    }

    fn read(&self, board: &Board, by: usize, address: u64, to: &mut [u8]) -> Result<()> {
        self.engine.node.read(board.members[by], address, to).map_err(|e| {
            let text = format!(
                "the memory of rank {by} could not be read any more: {e}; start again with \
                 DUNLIN_CMA=off"
            );
            Error::new(ErrorClass::Other, text)
        })
    }

    /// Runs `use_it` with pieces of scratch memory for `total` bytes, and where each begins.
    fn in_pieces(
        &self,
        piece: usize,
        total: usize,
        mut use_it: impl FnMut(usize, &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        // Taken, because an operator of the program may call MPI and come here again.
        let mut words: Vec<u128> = self.engine.scratch.take();
        words.resize(words.len().max(piece.min(total).div_ceil(size_of::<u128>())), 0);
        // SAFETY: any bytes are valid words and the other way round; the length is that of `words`.
        let scratch = unsafe {
            let bytes = words.len() * size_of::<u128>();
            std::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), bytes)
        };
        let mut steps = (0..total).step_by(piece.max(1));
        let done = steps.try_for_each(|at| use_it(at, &mut scratch[..piece.min(total - at)]));
        self.engine.scratch.replace(words);
        done
    }

    /// `onto := shown op onto` where elements lie one after another without gaps.
    fn reduce_shown(
        &self,
        board: &Board,
        shown: shm::Shown<'_>,
        piece: &Piece,
        onto: &Uniform,
    ) -> Result<()> {
        let op = self.operator()?;
        let size = onto.datatype.size();
        let end = piece.skip + piece.bytes;
        let add = |at: usize, left: &[u8]| {
            let (right, count) = (onto.address.wrapping_add(at), left.len() / size);
            // SAFETY: `left` holds `count` elements, and so does what is at `right`: a part of a
            // promised buffer or of scratch memory, which nobody else touches now.
            unsafe { combine(op, left.as_ptr(), right, count, onto) }
        };
        match shown {
            shm::Shown::Here(data) if end <= data.len() => add(0, &data[piece.skip..end]),
            shm::Shown::There { address, bytes } if end <= bytes => {
                let address = address + piece.skip as u64;
                let step = (PIECE_BYTES / size).max(1) * size;
                self.in_pieces(step, piece.bytes, |at, scratch| {
                    self.read(board, piece.by, address + at as u64, scratch)?;
                    add(at, scratch)
                })
            }
            shm::Shown::Here(data) => Err(too_short(piece, data.len())),
            shm::Shown::There { bytes, .. } => Err(too_short(piece, bytes)),
        }
    }
}

#[cold]
fn gone(by: usize) -> Error {
    let text = format!(
        "rank {by} left this collective early, after an error of its own: counts, datatypes, \
         operators and roots must agree"
    );
    Error::new(ErrorClass::Other, text)
}

#[cold]
fn too_much(by: usize, bytes: usize, whole: usize) -> Error {
    let text = format!(
        "rank {by} gave {bytes} bytes to a collective in which this rank expects {whole} of it: \
         counts and datatypes must agree"
    );
    Error::new(ErrorClass::Truncate, text)
}

#[cold]
fn too_short(piece: &Piece, have: usize) -> Error {
    let text = format!(
        "rank {} gave {have} bytes to a collective in which this rank expects {} from byte {} on: \
         counts and datatypes must agree",
        piece.by, piece.bytes, piece.skip
    );
    Error::new(ErrorClass::Truncate, text)
}

#[cold]
fn too_long(bytes: usize) -> Error {
    let text = format!(
        "{bytes} bytes were to be shown by a copy, which has room for {SLOT_BYTES}: force another \
         algorithm for this size"
    );
    Error::new(ErrorClass::Arg, text)
}

impl NodeChannel for OpChannel<'_> {
    async fn post(&self, step: usize, view: View) -> Result<()> {
        let (board, buffer) = (self.shared()?, self.user_buffer(view));
        if buffer.bytes() > SLOT_BYTES {
            return Err(too_long(buffer.bytes()));
        }
        board.has_room().await;
        board.board.borrow_mut().post(step, buffer.bytes(), |to| buffer.pack(0, to));
        board.wake(self.engine);
        Ok(())
    }

    async fn lend(&self, step: usize, view: View) -> Result<()> {
        let (board, buffer) = (self.shared()?, self.user_buffer(view));
        if buffer.bytes() <= POST_BYTES_MAX {
            return self.post(step, view).await;
        }
        board.has_room().await;
        let address = match buffer.as_dense() {
            Some(data) => data.as_ptr() as u64,
            None => self.memory.keep(buffer.packed()),
        };
        board.lent.set(true);
        board.board.borrow_mut().lend(step, address, buffer.bytes());
        board.wake(self.engine);
        Ok(())
    }

    async fn seen(&self, shown: Shown) -> Result<()> {
        self.shared()?.look(shown).await.map(drop)
    }

    async fn take(&self, shown: Shown, start: usize, into: View) -> Result<()> {
        let board = self.shared()?;
        let mut to = self.user_buffer(into);
        if to.bytes() == 0 {
            return self.seen(shown).await;
        }
        let (skip, bytes) = (self.offset(into, start)?, to.bytes());
        let piece = Piece { by: shown.by, skip, bytes };
        let data = board.look(shown).await?;
        board.check_length(shown.by, &data)?;
        self.copy_shown(board, data, &piece, &mut to)
    }

    async fn take_reduce(&self, shown: Shown, start: usize, onto: View) -> Result<()> {
        let board = self.shared()?;
        let uniform = self.with_region(onto.buffer, |region| region.uniform().cloned())?;
        let size = uniform.datatype.size();
        if onto.len == 0 || size == 0 {
            return self.seen(shown).await;
        }
        if !uniform.is_packed() {
            let left = self.temp(onto.len)?;
            self.take(shown, start, left).await?;
            return self.reduce(left, onto);
        }
        let onto_start = Uniform { address: uniform.element(onto.start), ..uniform };
        let piece = Piece { by: shown.by, skip: start * size, bytes: onto.len * size };
        let data = board.look(shown).await?;
        board.check_length(shown.by, &data)?;
        self.reduce_shown(board, data, &piece, &onto_start)
    }
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
