//! Virtual communication interfaces (VCIs): engines of one process that share nothing, so that
//! threads which communicate on different communicators under `MPI_THREAD_MULTIPLE` do not wait for
//! one another. Each has its lock, its part of the segment, its matching and its requests.
//!
//! The first is the engine of every process, and has all objects. The others have the
//! point-to-point messages of some communicators of the node, all of whose members have said that
//! they use as many VCIs: which one follows from the communicator's context, which all members
//! know. They have copies of those communicators, made at the first use, and look datatypes up in a
//! table of the process. Each is opened at its first use; a process of one thread has none of them.

use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

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
use crate::objects::comm::{Comm, CommId, SELF};
use crate::objects::errhandler::Errhandler;
use crate::objects::group::Group;
use crate::objects::inquiry;
use crate::objects::process_table::{ProcessId, Route};
use crate::objects::session::{Session, SessionId};
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
    USED.store(plan.node.vcis_of(plan.node.me()).unwrap_or(1), Ordering::Relaxed);
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

/// Takes the lock of a VCI other than the first, which is opened if it is not yet.
fn lock_and_open(function: &'static str, vci: usize) -> Result<Entered> {
    if !inquiry::is_running() {
        no_longer(function)?;
    }
    let guard = lock::lock_vci(vci);
    let shared = ENGINES[vci].get_or_init(|| Shared(open(vci)));
    let entered = Entered::new(&shared.0, guard);
    entered.function.set(function);
    Ok(entered)
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
    match vci {
        0 => enter(function),
        _ if opened(vci).is_none() => enter(function),
        _ => lock_and_open(function, vci),
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
    let vci = inquiry::COMMS.of(comm)?.get(inquiry::comm::VCI);
    enter_fast(usize::try_from(vci - 1).ok()?)
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
    let vci = match inquiry::COMMS.of(comm).map(|row| row.get(inquiry::comm::VCI)) {
        Some(known) if known > 0 => known as usize - 1,
        _ => enter(function)?.vci_of(comm),
    };
    match vci {
        0 => enter(function),
        _ => enter_with_comm(function, vci, comm),
    }
}

fn enter_with_comm(function: &'static str, vci: usize, comm: CommId) -> Result<Entered> {
    let entered = lock_and_open(function, vci)?;
    if entered.comms.borrow().get(comm).is_some() {
        return Ok(entered);
    }
    // Nobody waits for the first VCI with the lock of another one.
    drop(entered);
    let described = Described::of(&*enter(function)?, comm)?;
    let entered = lock_and_open(function, vci)?;
    described.copy_to(&entered);
    Ok(entered)
}

/// Pushes everything in the VCIs beside `own` in which no other thread is. True if anything moved.
#[inline]
pub(crate) fn progress_elsewhere(own: usize) -> bool {
    OPEN.load(Ordering::Relaxed) != 0 && progress_in_open(own)
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
    fn of(engine: &Engine, id: CommId) -> Result<Described> {
        let comm = engine.comm(id)?;
        let pool_of = |id| engine.session(id).ok().map(|session| (id, session.pool.clone()));
        let described = Described {
            id,
            context: comm.context,
            members: comm.group.members().to_vec(),
            rank: comm.rank,
            name: comm.name.borrow().clone(),
            errhandler: comm.errhandler.get(),
            pool: comm.pool.clone(),
            session: comm.group.session().and_then(pool_of),
        };
        Ok(described)
    }

    fn copy_to(self, engine: &Engine) {
        // Another thread may have been faster.
        if engine.comms.borrow().get(self.id).is_some() {
            return;
        }
        let group = Group::new(self.members).of_session(self.session.as_ref().map(|s| s.0));
        let comm = Comm::new(self.context, Rc::new(group), self.rank, self.errhandler);
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
    let &vci = comm.vci.get()?;
    Some(Entered::new(opened(vci)?, lock::lock_vci(vci)))
}

impl Engine {
    /// Its VCI.
    #[inline]
    pub fn vci(&self) -> usize {
        self.vci
    }

    /// The VCI of the point-to-point messages of a communicator; the first if there is none.
    fn vci_of(&self, id: CommId) -> usize {
        let Ok(comm) = self.comm(id) else { return 0 };
        let vci = comm.vci.get().copied().unwrap_or_else(|| self.find_vci(&comm));
        let vci = *comm.vci.get_or_init(|| vci);
        inquiry::COMMS.change(id, inquiry::comm::VCI, vci as i64 + 1);
        vci
    }

    /// All members must find the same: it follows from what each has said once, and from the
    /// context. A member that has not begun MPI has not said it yet.
    fn find_vci(&self, comm: &Rc<Comm>) -> usize {
        let used = USED.load(Ordering::Relaxed);
        if comm.id.get() <= SELF || comm.is_inter() || self.spans_nodes {
            return 0;
        }
        let vcis_of = |&process: &ProcessId| match self.route(process) {
            Route::Node(place) => self.node.vcis_of(place),
            Route::Myself => Some(used),
            Route::Net(_) => Some(1),
        };
        let members = comm.group.members();
        let silent = || members.iter().position(|process| vcis_of(process).is_none());
        let op_info = |rank| OpInfo { comm: comm.clone(), peer: Some(rank as u32), tag: None };
        self.wait_until(|| silent().is_none(), || silent().map(op_info));
        let agree = members.iter().all(|process| vcis_of(process) == Some(used));
        if agree { comm.serial() as usize % used } else { 0 }
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

    /// Sets the name of a communicator.
    pub fn rename(&self, comm: &Comm, name: &str) {
        *comm.name.borrow_mut() = name.to_string();
        if let Some(entered) = entered_of(comm) {
            let comms = entered.comms.borrow();
            let copy = comms.get(comm.id.get());
            copy.iter().for_each(|copy| *copy.name.borrow_mut() = name.to_string());
        }
    }

    /// At the end of MPI: waits until what was sent in other VCIs has left this process.
    pub(crate) fn flush_other_vcis(&self) {
        for vci in open_beside(self.vci) {
            let Some(engine) = opened(vci) else { continue };
            let entered = Entered::new(engine, lock::lock_vci(vci));
            entered.wait_until(|| entered.messages.borrow().is_flushed(), || None);
        }
    }
}
