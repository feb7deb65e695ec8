//! The short way of blocking collectives: of plain runs of bytes, with predefined operators, among
//! ranks that show each other data. The algorithms are those of the long way, chosen by the same
//! tables; what is saved is all that describes other calls. Where anything is not plain, nothing is
//! done, and the long way does it and says what is wrong if anything is.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::select::Params;
use dunlin_coll::selection::Listed;
use dunlin_coll::{self as coll, Buffer, Member, NodeChannel, Opened, STEPS, Shown, View};
use dunlin_coll::{
    allgather, allreduce, alltoall, barrier, bcast, exscan, gather, reduce, reduce_scatter,
    reduce_scatter_block, scan, scatter,
};
use dunlin_datatype::{Primitive, reduce as kernels};
use dunlin_shm::board as shm;

use crate::board::{Board, Sharing};
use crate::channel::sum_up;
use crate::collective_whole::{plain, reduction};
use crate::comm::{Comm, CommId};
use crate::engine::Engine;
use crate::quick;
use crate::showing::{Piece, piece_bytes};

/// Where bytes begin and how many they are.
pub type Bytes = (*mut u8, usize);

/// A predefined operator, and what it works on.
#[derive(Debug, Clone, Copy)]
pub struct Operator {
    /// The operator; valid on `primitive`.
    pub op: kernels::Op,
    /// What an element is; without gaps.
    pub primitive: Primitive,
}

/// A communicator whose collectives can go the short way.
///
/// Every operation answers `None` where it did nothing.
#[derive(Debug)]
pub struct Plain {
    engine: &'static Engine,
    comm: Rc<Comm>,
    board: Rc<Board>,
}

/// The buffers of an operation.
struct Buffers {
    send: *mut u8,
    recv: *mut u8,
    operator: Option<Operator>,
}

impl Buffers {
    const NONE: Buffers = Buffers::moved(std::ptr::dangling_mut(), std::ptr::dangling_mut());

    const fn moved(send: *mut u8, recv: *mut u8) -> Buffers {
        Buffers { send, recv, operator: None }
    }
}

/// Runs the form that was chosen, if it is one of those over shared memory.
macro_rules! shared_forms {
    (
        $plain:ident.run($buffers:expr), $chosen:expr, $listed:ident,
        $operation:ident($v:ident) { $($form:ident => $algorithm:ident),* }
    ) => {
        match $chosen {
            $($listed::Algorithm::$form => {
                $plain.run($buffers, async |ch| $operation::$algorithm(ch, $v).await)
            })*
            _ => None,
        }
    };
}

impl Plain {
    /// The members of a communicator, if it has a board and this process one thread in MPI.
    #[inline]
    pub fn on(function: &'static str, comm: CommId) -> Option<Plain> {
        let engine = quick::engine()?;
        let comm = engine.comms.try_borrow().ok()?.get(comm)?.clone();
        let board = match &*comm.sharing.borrow() {
            Sharing::With(board) => board.clone(),
            _ => return None,
        };
        engine.function.set(function);
        Some(Plain { engine, comm, board })
    }

    /// Number of members.
    #[inline]
    pub fn size(&self) -> usize {
        self.comm.size() as usize
    }

    /// This process's rank.
    #[inline]
    pub fn rank(&self) -> usize {
        self.comm.rank as usize
    }

    /// A root that the program names.
    #[inline]
    pub fn root(&self, root: i32) -> Option<usize> {
        usize::try_from(root).ok().filter(|root| *root < self.size())
    }

    fn choose<A: Listed>(&self, params: Params, shown: usize) -> A {
        let shape = self.board.shape(params.shape, shown);
        self.engine.choose(&Params { shape, ..params })
    }

    /// For an operation in which every rank shows so many bytes at most.
    fn choose_for<A: Listed>(&self, bytes: usize, shown: usize) -> A {
        self.choose(plain(&self.comm, bytes), shown)
    }

    fn choose_sum<A: Listed>(&self, operator: Operator, bytes: usize) -> A {
        self.choose(reduction(&self.comm, operator.op.is_commutative(), bytes), bytes)
    }

    /// Runs an algorithm.
    #[inline]
    fn run(
        &self,
        buffers: Buffers,
        algorithm: impl AsyncFnOnce(&Seat<'_>) -> Result<()>,
    ) -> Option<Result<()>> {
        let Plain { engine, comm, board } = self;
        // The number that keeps messages apart: it must be counted alike on both ways.
        comm.next_collective();
        engine.begin_on(board);
        let seat = Seat::new(self, buffers);
        Some(engine.drive(comm, Some(board), async {
            let outcome = algorithm(&seat).await;
            board.end(engine).await;
            engine.keep_spares(seat.scratch.take());
            outcome
        }))
    }

    /// `MPI_Barrier`.
    #[inline]
    pub fn barrier(&self) -> Option<Result<()>> {
        match self.choose_for(0, 0) {
            barrier::Algorithm::Posted => {
                self.run(Buffers::NONE, async |ch| barrier::posted(ch).await)
            }
            barrier::Algorithm::PostedTree { radix } => {
                self.run(Buffers::NONE, async |ch| barrier::posted_tree(ch, radix).await)
            }
            _ => None,
        }
    }

    /// `MPI_Bcast`.
    ///
    /// # Safety
    /// Here and below: the program's promises on its buffers.
    #[inline]
    pub unsafe fn bcast(&self, (data, len): Bytes, root: usize) -> Option<Result<()>> {
        let (v, buffers) = (coll::Bcast { root, len }, Buffers::moved(data, data));
        let how = self.choose_for(len, len);
        shared_forms!(self.run(buffers), how, bcast, bcast(v) {
            Posted => posted,
            Lent => lent,
            LentGiven => lent_given
        })
    }

    /// `MPI_Gather`; only the root has `recv`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn gather(
        &self,
        send: Bytes,
        recv: Option<Bytes>,
        root: usize,
    ) -> Option<Result<()>> {
        let recv = recv.unwrap_or((std::ptr::dangling_mut(), send.1));
        if recv.1 != send.1 {
            return None;
        }
        let v = coll::Gather { root, send_block: send.1, recv_block: send.1 };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(send.1, send.1);
        shared_forms!(self.run(buffers), how, gather, gather(v) { Posted => posted, Lent => lent })
    }

    /// `MPI_Scatter`; only the root has `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn scatter(
        &self,
        send: Option<Bytes>,
        recv: Bytes,
        root: usize,
    ) -> Option<Result<()>> {
        let send = send.unwrap_or((std::ptr::dangling_mut(), recv.1));
        if recv.1 != send.1 {
            return None;
        }
        let v = coll::Scatter { root, send_block: recv.1, recv_block: recv.1 };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(recv.1, self.size() * recv.1);
        shared_forms!(self.run(buffers), how, scatter, scatter(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Allgather`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn allgather(&self, send: Bytes, recv: Bytes) -> Option<Result<()>> {
        if send.1 != recv.1 {
            return None;
        }
        let v = coll::Allgather { send_block: send.1, recv_block: recv.1 };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(recv.1, recv.1);
        shared_forms!(self.run(buffers), how, allgather, allgather(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Alltoall`, not in place.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn alltoall(&self, send: Bytes, recv: Bytes) -> Option<Result<()>> {
        if send.1 != recv.1 {
            return None;
        }
        let v = coll::Alltoall { send_block: send.1, recv_block: recv.1, in_place: false };
        let buffers = Buffers::moved(send.0, recv.0);
        let how = self.choose_for(recv.1, self.size() * recv.1);
        shared_forms!(self.run(buffers), how, alltoall, alltoall(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Reduce`; only the root has `recv`, as long as `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn reduce(
        &self,
        send: Bytes,
        recv: Option<Bytes>,
        operator: Operator,
        root: usize,
    ) -> Option<Result<()>> {
        let recv = recv.map_or(std::ptr::dangling_mut(), |recv| recv.0);
        let (len, commutative) = (operator.elements(send.1), operator.op.is_commutative());
        let v = coll::Reduce { root, len, commutative };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, reduce, reduce(v) {
            Posted => posted,
            PostedParts => posted_parts,
            Lent => lent,
            LentParts => lent_parts
        })
    }

    /// `MPI_Allreduce`; `recv` has the length of `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn allreduce(
        &self,
        send: Bytes,
        recv: *mut u8,
        operator: Operator,
    ) -> Option<Result<()>> {
        let (len, commutative) = (operator.elements(send.1), operator.op.is_commutative());
        let v = coll::Allreduce { len, commutative };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, allreduce, allreduce(v) {
            Posted => posted,
            PostedParts => posted_parts,
            Lent => lent,
            LentParts => lent_parts
        })
    }

    /// `MPI_Reduce_scatter`, not in place; `send` is the whole operand, and `starts` says where
    /// each block of it begins and where the last one ends.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn reduce_scatter(
        &self,
        send: Bytes,
        recv: *mut u8,
        starts: &[usize],
        operator: Operator,
    ) -> Option<Result<()>> {
        let commutative = operator.op.is_commutative();
        let v = coll::ReduceScatter { starts, commutative };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, reduce_scatter, reduce_scatter(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Reduce_scatter_block`, not in place; `send` is the whole operand.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn reduce_scatter_block(
        &self,
        send: Bytes,
        recv: *mut u8,
        operator: Operator,
    ) -> Option<Result<()>> {
        let commutative = operator.op.is_commutative();
        let block = operator.elements(send.1) / self.size();
        let v = coll::ReduceScatterBlock { block, commutative };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum::<reduce_scatter_block::Algorithm>(operator, send.1).0;
        shared_forms!(self.run(buffers), how, reduce_scatter, reduce_scatter_block(v) {
            Posted => posted,
            Lent => lent
        })
    }

    /// `MPI_Scan`; `recv` has the length of `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn scan(
        &self,
        send: Bytes,
        recv: *mut u8,
        operator: Operator,
    ) -> Option<Result<()>> {
        let v = coll::Scan { len: operator.elements(send.1) };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, scan, scan(v) { Posted => posted })
    }

    /// `MPI_Exscan`; `recv` has the length of `send`.
    ///
    /// # Safety
    /// See [`Plain::bcast`].
    #[inline]
    pub unsafe fn exscan(
        &self,
        send: Bytes,
        recv: *mut u8,
        operator: Operator,
    ) -> Option<Result<()>> {
        let v = coll::Exscan { len: operator.elements(send.1) };
        let buffers = Buffers { send: send.0, recv, operator: Some(operator) };
        let how = self.choose_sum(operator, send.1);
        shared_forms!(self.run(buffers), how, exscan, exscan(v) { Posted => posted })
    }
}

impl Operator {
    fn elements(self, bytes: usize) -> usize {
        bytes / self.primitive.size()
    }
}

/// One rank of an operation on plain data.
struct Seat<'p> {
    plain: &'p Plain,
    buffers: Buffers,
    /// Bytes of an element.
    unit: usize,
    /// By step: where what this rank has posted still stands.
    posted: [Cell<Option<Bytes>>; STEPS],
    /// Scratch memory, by number; aligned for every predefined datatype.
    scratch: RefCell<Vec<Box<[u128]>>>,
}

impl<'p> Seat<'p> {
    fn new(plain: &'p Plain, buffers: Buffers) -> Seat<'p> {
        let unit = buffers.operator.map_or(1, |operator| operator.primitive.size());
        Seat { plain, buffers, unit, posted: Default::default(), scratch: RefCell::default() }
    }

    /// Where a view lies.
    #[inline]
    fn bytes(&self, view: View) -> Bytes {
        let start = match view.buffer {
            Buffer::Send => self.buffers.send,
            Buffer::Recv => self.buffers.recv,
            Buffer::Temp(n) => self.scratch.borrow()[n as usize].as_ptr().cast::<u8>().cast_mut(),
        };
        (start.wrapping_add(view.start * self.unit), view.len * self.unit)
    }

    #[inline]
    fn data(&self, view: View) -> &[u8] {
        let (start, bytes) = self.bytes(view);
        // SAFETY: a part of a buffer that the program promised, or of scratch memory, which an
        // algorithm does not change while it is read.
        unsafe { std::slice::from_raw_parts(start, bytes) }
    }

    #[inline]
    #[expect(clippy::mut_from_ref, reason = "the memory is the program's, not the seat's")]
    fn room(&self, view: View) -> &mut [u8] {
        let (start, bytes) = self.bytes(view);
        // SAFETY: as for `data`; an algorithm does nothing else with it meanwhile.
        unsafe { std::slice::from_raw_parts_mut(start, bytes) }
    }

    #[inline]
    fn piece_of(&self, shown: Shown, start: usize, bytes: usize) -> Piece {
        Piece { by: shown.by, skip: start * self.unit, bytes }
    }

    /// Notes where an operand that is shown still stands: where it is, or, if the result goes there
    /// too and may come over it, in a copy.
    #[inline]
    fn note_posted(&self, step: usize, view: View) -> Result<()> {
        let Buffers { send, recv, operator } = &self.buffers;
        if view.buffer != Buffer::Send || operator.is_none() {
            return Ok(());
        }
        let mut kept = view;
        if send == recv {
            kept = self.temp(view.len)?;
            self.copy(view, kept)?;
        }
        self.posted[step].set(Some(self.bytes(kept)));
        Ok(())
    }

    /// What is shown, once it is there. This rank's own data it has nearer than on the board, whose
    /// lines the others are reading: a sum of two vectors of 8 bytes takes 220 instead of 310 ns.
    #[inline]
    async fn look(&self, shown: Shown) -> Result<shm::Shown<'_>> {
        if shown.by == self.rank() {
            if let Some((start, bytes)) = self.posted[shown.step].get() {
                // SAFETY: a part of a buffer that the program promised and that does not change.
                return Ok(shm::Shown::Here(unsafe { std::slice::from_raw_parts(start, bytes) }));
            }
        }
        self.plain.engine.look(&self.plain.board, shown).await
    }

    fn operator(&self) -> Result<Operator> {
        self.buffers.operator.ok_or_else(|| {
            let text = "a collective without an operator was asked to reduce";
            Error::new(ErrorClass::Intern, text)
        })
    }
}

impl Member for Seat<'_> {
    #[inline]
    fn rank(&self) -> usize {
        self.plain.rank()
    }

    #[inline]
    fn size(&self) -> usize {
        self.plain.size()
    }

    fn temp(&self, len: usize) -> Result<View> {
        let words = (len * self.unit).div_ceil(size_of::<u128>());
        let mut scratch = self.scratch.borrow_mut();
        scratch.push(self.plain.engine.spare_memory(words));
        Ok(View { buffer: Buffer::Temp(scratch.len() as u32 - 1), start: 0, len })
    }

    #[inline]
    fn copy(&self, from: View, to: View) -> Result<()> {
        let ((from, bytes), (to, _)) = (self.bytes(from), self.bytes(to));
        if from != to {
            // SAFETY: both are parts of promised buffers; views of an algorithm are as long.
            unsafe { std::ptr::copy(from, to, bytes) }
        }
        Ok(())
    }

    fn reduce(&self, left: View, right: View) -> Result<()> {
        let Operator { op, primitive } = self.operator()?;
        sum_up(op, primitive, self.data(left), self.room(right))
    }
}

impl NodeChannel for Seat<'_> {
    #[inline]
    async fn post(&self, step: usize, view: View) -> Result<()> {
        let Plain { engine, board, .. } = self.plain;
        let data = self.data(view);
        self.note_posted(step, view)?;
        board.post(engine, step, data.len(), |to| to.copy_from_slice(data)).await
    }

    async fn lend(&self, step: usize, view: View) -> Result<()> {
        let Plain { engine, board, .. } = self.plain;
        let (start, bytes) = self.bytes(view);
        if Board::better_posted(bytes) {
            return self.post(step, view).await;
        }
        board.lend(engine, step, start as u64, bytes).await;
        Ok(())
    }

    async fn open(&self, step: usize, view: View) -> Result<()> {
        let Plain { engine, board, .. } = self.plain;
        let (start, bytes) = self.bytes(view);
        board.lend(engine, step, start as u64, bytes).await;
        Ok(())
    }

    async fn give(&self, from: View, opened: Opened, start: usize) -> Result<()> {
        let (Plain { engine, board, .. }, by) = (self.plain, opened.shown.by);
        let to = engine.opened(board, opened.shown, opened.len * self.unit).await?;
        board.write(engine, by, self.data(from), to + (start * self.unit) as u64)
    }

    #[inline]
    fn piece(&self, _view: View) -> usize {
        piece_bytes(self.unit) / self.unit
    }

    #[inline]
    async fn seen(&self, shown: Shown) -> Result<()> {
        self.look(shown).await.map(drop)
    }

    #[inline]
    async fn take(&self, shown: Shown, start: usize, into: View) -> Result<()> {
        let Plain { engine, board, .. } = self.plain;
        let data = self.look(shown).await?;
        let to = self.room(into);
        board.copy(engine, data, &self.piece_of(shown, start, to.len()), to)
    }

    #[inline]
    async fn take_reduce(&self, shown: Shown, start: usize, onto: View) -> Result<()> {
        let (Operator { op, primitive }, Plain { engine, board, .. }) =
            (self.operator()?, self.plain);
        let data = self.look(shown).await?;
        let right = self.room(onto);
        let piece = self.piece_of(shown, start, right.len());
        board.visit(engine, data, &piece, piece_bytes(self.unit), |at, left| {
            sum_up(op, primitive, left, &mut right[at..at + left.len()])
        })
    }
}
