//! Virtual communication interfaces (VCIs): engines of one process that share nothing, so that
//! threads which communicate on different communicators under `MPI_THREAD_MULTIPLE` do not wait for
//! one another. Each has its lock, its part of the segment, its matching and its requests.
//!
//! The first is the engine of every process, and has all objects. The others have the
//! point-to-point messages of some communicators of the node, all of whose members have said that
//! they use as many VCIs: which one follows from the communicator's context, which all members
//! know. They have copies of those communicators, and look datatypes up in a table of the process.
//! Each is opened when the first communicator that it serves is made, in every member: it makes
//! progress from then on, whether this process communicates there or not. A process of one thread
//! has none of them.

use std::rc::Rc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use dunlin_base::Result;
use dunlin_base::settings::Settings;
use dunlin_base::single_copy::SingleCopy;
use dunlin_coll::Selection;
use dunlin_shm::Node;
use dunlin_shm::layout::VCIS_MAX;

use crate::engine::Engine;
use crate::engine::fast_guard::{self, FastGuard};
use crate::engine::global::{Entered, Shared, enter, installed, made, no_longer};
use crate::memory::pool::SharedPool;
use crate::objects::comm::{Comm, CommId, SPREAD};
use crate::objects::errhandler::Errhandler;
use crate::objects::group::Group;
use crate::objects::inquiry;
use crate::objects::process_table::{ProcessId, Route};
use crate::objects::session::{Session, SessionId};
use crate::objects::status::number_for_one_vci;
use crate::p2p::request::OpInfo;
use crate::threads::lock;

/// All but the first, once they were opened.
static ENGINES: [OnceLock<Shared>; VCIS_MAX] = [const { OnceLock::new() }; VCIS_MAX];
/// Which are open, bit by bit; none while only the first is.
static OPEN: AtomicU32 = AtomicU32::new(0);
/// How many communicators are spread over.
static USED: AtomicUsize = AtomicUsize::new(1);
/// What it takes to open one.
static PLAN: OnceLock<Plan> = OnceLock::new();

/// What the engines of a process have in common.
#[derive(Debug)]
pub(crate) struct Plan {
    pub settings: Settings,
    pub single_copy: SingleCopy,
    pub selection: Selection,
    pub node: &'static Node,
    /// Buffer space of the process.
    pub pool: SharedPool,
    /// How many there may be.
    pub vcis: usize,
}

/// Says what the engines of this process have in common, once.
pub(crate) fn plan(plan: Plan) {
    assert!(PLAN.set(plan).is_ok(), "the first engine is made once");
}

/// After the first user of MPI in this process has begun, before communicators are made: whether
/// several threads may call MPI, and so use VCIs. What is said first stands.
pub fn settle_vcis(threaded: bool) {
    let Some(plan) = PLAN.get() else { return };
    plan.node.publish_vcis(if threaded { plan.vcis } else { 1 });
    let used = plan.node.vcis_of(plan.node.me()).unwrap_or(1);
    USED.store(used, Ordering::Relaxed);
    if used == 1 {
        number_for_one_vci();
    }
}

/// The engine of a VCI other than the first, if it is open.
pub(crate) fn opened(vci: usize) -> Option<&'static Engine> {
    ENGINES.get(vci)?.get().map(|shared| &shared.0)
}

/// The engine of a VCI, where it is known that there is one.
pub(crate) fn of_vci(vci: usize) -> &'static Engine {
    match vci {
        0 => installed(),
        _ => opened(vci).unwrap_or_else(|| unreachable!("VCI {vci} was never opened")),
    }
}

/// Those that are open beside `own`.
fn open_beside(own: usize) -> impl Iterator<Item = usize> {
    let open = OPEN.load(Ordering::Relaxed) & !(1 << own);
    (0..VCIS_MAX).filter(move |vci| open >> vci & 1 != 0)
}

/// Enters a VCI other than the first that is open.
fn enter_opened(function: &'static str, vci: usize, engine: &'static Engine) -> Result<Entered> {
    if !inquiry::is_running() {
        no_longer(function)?;
    }
    let entered = Entered::new(engine, lock::lock_vci(vci));
    entered.function.set(function);
    Ok(entered)
}

/// Takes the lock of a VCI other than the first, which is opened if it is not yet.
fn lock_and_open(vci: usize) -> Entered {
    let guard = lock::lock_vci(vci);
    Entered::new(&ENGINES[vci].get_or_init(|| Shared(open(vci))).0, guard)
}

#[cold]
fn open(vci: usize) -> Engine {
    let plan = PLAN.get().expect("the first engine was made");
    // As long as the process: peers may still read what is in it.
    let node: &'static Node = Box::leak(Box::new(plan.node.open_vci(vci)));
    let engine = Engine::for_vci(vci, node, plan);
    OPEN.fetch_or(1 << vci | 1, Ordering::Relaxed);
    engine
}

/// Enters MPI in the VCI of the request or message of which a handle of the program says so; the
/// first if there is none.
pub fn enter_vci(function: &'static str, vci: usize) -> Result<Entered> {
    match opened(vci) {
        None => enter(function),
        Some(engine) => enter_opened(function, vci, engine),
    }
}

/// The same on the fast path, of a program of several threads and without a progress thread, if
/// that VCI is open.
pub(crate) fn enter_fast(vci: usize) -> Option<FastGuard> {
    if !(lock::is_threaded() && inquiry::is_running()) {
        return None;
    }
    let engine = if vci == 0 { made()? } else { opened(vci)? };
    if engine.has_progress_thread() {
        return None;
    }
    lock::keep_vci(vci);
    // SAFETY: taken just now.
    Some(unsafe { fast_guard::with_lock(engine, vci) })
}

/// The same for messages on a communicator, if its VCI is known.
pub(crate) fn enter_fast_for_messages(comm: CommId) -> Option<FastGuard> {
    if !lock::is_threaded() {
        return None;
    }
    enter_fast(inquiry::COMMS.of(comm)?.get(inquiry::comm::VCI) as usize)
}

/// The same without waiting for other threads.
pub fn try_enter_vci(vci: usize) -> Option<Entered> {
    let engine = if vci == 0 { installed() } else { opened(vci)? };
    let guard = if vci == 0 { lock::try_lock() } else { lock::try_lock_vci(vci) };
    Some(Entered::new(engine, guard?))
}

/// Enters MPI for point-to-point communication on a communicator.
#[inline]
pub fn enter_for_messages(function: &'static str, comm: CommId) -> Result<Entered> {
    if USED.load(Ordering::Relaxed) == 1 {
        return enter(function);
    }
    match inquiry::COMMS.of(comm) {
        Some(row) => enter_vci(function, row.get(inquiry::comm::VCI) as usize),
        None => enter_where_unknown(function, comm),
    }
}

/// The same where the table of answers has no room for the communicator.
#[cold]
fn enter_where_unknown(function: &'static str, comm: CommId) -> Result<Entered> {
    let entered = enter(function)?;
    match entered.comm(comm).map_or(0, |comm| comm.vci.get()) {
        0 => Ok(entered),
        vci => {
            // Nobody waits for another VCI with the lock of the first who need not.
            drop(entered);
            enter_vci(function, vci)
        }
    }
}

/// Whether only the first VCI is open.
#[inline]
pub(crate) fn is_alone() -> bool {
    OPEN.load(Ordering::Relaxed) == 0
}

/// Pushes everything in the VCIs beside `own` in which no other thread is. True if anything moved.
#[inline]
pub(crate) fn progress_elsewhere(own: usize) -> bool {
    !is_alone() && progress_in_open(own)
}

fn progress_in_open(own: usize) -> bool {
    let push = |vci| try_enter_vci(vci).is_some_and(|engine| engine.progress());
    open_beside(own).fold(false, |moved, vci| push(vci) | moved)
}

/// A communicator as another VCI needs it. Nothing of it is the first VCI's alone.
struct Described {
    id: CommId,
    context: u64,
    members: Vec<ProcessId>,
    rank: u32,
    name: String,
    errhandler: Errhandler,
    pool: SharedPool,
    session: Option<(SessionId, SharedPool)>,
}

impl Described {
    fn of(engine: &Engine, comm: &Comm) -> Described {
        let pool_of = |id| engine.session(id).ok().map(|session| (id, session.pool.clone()));
        Described {
            id: comm.id.get(),
            context: comm.context,
            members: comm.group.members().to_vec(),
            rank: comm.rank,
            name: comm.name.borrow().clone(),
            errhandler: comm.errhandler.get(),
            pool: comm.pool.clone(),
            session: comm.group.session().and_then(pool_of),
        }
    }

    fn copy_to(self, engine: &Engine) {
        let group = Group::new(self.members).of_session(self.session.as_ref().map(|s| s.0));
        let comm = Comm::new(self.context, Arc::new(group), self.rank, self.errhandler);
        let comm = comm.with_pool(self.pool);
        comm.id.set(self.id);
        *comm.name.borrow_mut() = self.name;
        engine.comms.borrow_mut().put(self.id, Rc::new(comm));
        if let Some((id, pool)) = self.session {
            let errhandler = self.errhandler.into();
            engine.sessions.borrow_mut().put(id, Rc::new(Session { errhandler, pool }));
        }
    }
}

/// The VCI of a communicator other than the first, if it is open.
fn entered_of(comm: &Comm) -> Option<Entered> {
    let vci = comm.vci.get();
    Some(Entered::new(opened(vci)?, lock::lock_vci(vci)))
}

impl Engine {
    /// Its VCI.
    #[inline]
    pub fn vci(&self) -> usize {
        self.vci
    }

    /// Whether these processes are known to use as many VCIs as this one, and several; `None` while
    /// some have not said how many, because they have not begun MPI.
    fn have_as_many_vcis(&self, members: &[ProcessId]) -> Option<bool> {
        let used = USED.load(Ordering::Relaxed);
        if used == 1 || self.spans_nodes {
            return Some(false);
        }
        let vcis_of = |&process: &ProcessId| match self.route(process) {
            Route::Node(place) => self.node.vcis_of(place),
            Route::Myself => Some(used),
            Route::Net(_) => Some(1),
        };
        members.iter().try_fold(true, |agree, process| Some(agree & (vcis_of(process)? == used)))
    }

    /// Whether these processes are known to use as many VCIs as this one, and several.
    pub(crate) fn known_to_use_as_many_vcis(&self, members: &[ProcessId]) -> bool {
        self.have_as_many_vcis(members) == Some(true)
    }

    /// The same of all whom ranks of a communicator name, and of `others`, in a call that all of
    /// them make: waits until they have begun MPI.
    pub(crate) fn use_as_many_vcis(&self, comm: &Rc<Comm>, others: &[ProcessId]) -> bool {
        let have = || {
            let ranks = self.have_as_many_vcis(comm.peers.members());
            ranks.zip(self.have_as_many_vcis(others)).map(|(ranks, others)| ranks && others)
        };
        let op_info = || Some(OpInfo { comm: comm.clone(), peer: None, tag: None });
        self.wait_until(|| have().is_some(), op_info);
        have() == Some(true)
    }

    /// Marks the serial number of a communicator whose messages may be in another VCI than the
    /// first, if its members agree: the process that tells the number decides for all, or each does
    /// that has heard of all.
    pub(crate) fn spread(&self, serial: u32, agree: bool) -> u32 {
        if agree { serial | SPREAD } else { serial }
    }

    /// A communicator has its context: opens its VCI, and gives it a copy.
    pub(crate) fn settle_vci_of(&self, id: CommId) {
        let Ok(comm) = self.comm(id) else { return };
        let (serial, used) = (comm.serial(), USED.load(Ordering::Relaxed));
        if serial & SPREAD == 0 || comm.is_inter() {
            return;
        }
        let vci = (serial & !SPREAD) as usize % used;
        if vci == 0 {
            return;
        }
        comm.vci.set(vci);
        Described::of(self, &comm).copy_to(&lock_and_open(vci));
        inquiry::COMMS.change(id, inquiry::comm::VCI, vci as i64);
    }

    /// A communicator is freed: another VCI that has it frees it, too. What is in progress on it
    /// still completes, and has its error handler.
    pub(crate) fn free_in_its_vci(&self, comm: &Comm) {
        if let Some(entered) = entered_of(comm) {
            let copy = entered.comms.borrow_mut().take_out(comm.id.get());
            copy.iter().for_each(|copy| copy.errhandler.set(comm.errhandler.get()));
            drop(copy);
        }
    }

    /// A session has ended: other VCIs that have a copy of it forget it, too.
    pub(crate) fn remove_session_elsewhere(&self, id: SessionId) {
        for vci in open_beside(self.vci) {
            let Some(engine) = opened(vci) else { continue };
            let entered = Entered::new(engine, lock::lock_vci(vci));
            drop(entered.sessions.borrow_mut().take_out(id));
        }
    }

    /// Sets the name of a communicator.
    pub fn rename(&self, comm: &Comm, name: &str) {
        *comm.name.borrow_mut() = name.to_string();
        if let Some(entered) = entered_of(comm) {
            let comms = entered.comms.borrow();
            let copy = comms.get(comm.id.get());
            copy.iter().for_each(|copy| *copy.name.borrow_mut() = name.to_string());
        }
    }

    /// Does something in this VCI and in those others that no thread is in.
    pub(crate) fn for_each_free_vci(&self, act: impl Fn(&Engine)) {
        act(self);
        open_beside(self.vci).filter_map(try_enter_vci).for_each(|engine| act(&engine));
    }

    /// Whether collectives that the program has freed are in progress, in any VCI; true where other
    /// threads are in one.
    pub(crate) fn may_have_freed_collectives(&self) -> bool {
        let has_some = |vci| try_enter_vci(vci).is_none_or(|other| other.has_freed_collectives());
        self.has_freed_collectives() || open_beside(self.vci).any(has_some)
    }

    /// Whether what was sent in other VCIs has left this process, as far as can be seen without
    /// waiting for other threads.
    pub(crate) fn are_other_vcis_flushed(&self) -> bool {
        let is_flushed = |engine: Entered| engine.messages.borrow().is_flushed();
        open_beside(self.vci).all(|vci| try_enter_vci(vci).is_some_and(is_flushed))
    }
}
