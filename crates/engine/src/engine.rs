//! One MPI process: what exists between `MPI_Init` and `MPI_Finalize`.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::os::fd::RawFd;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use dunlin_base::settings::{self, CMA, JOB_LIFELINE, JOB_RANK, NET_REPORT, WAIT};
use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll::{Nodes, Selection};
use dunlin_datatype::Datatype;
use dunlin_shm::card::JobCard;
use dunlin_shm::stall::StallCell;
use dunlin_shm::wait::Policy;
use dunlin_shm::{Node, RankState};

use crate::attribute::Keyvals;
use crate::board::Places;
use crate::boot::{Boot, boot, greeted, number_from};
use crate::buffered::Pool;
use crate::comm::{COLLECTIVE, Comm, CommId, SELF, WORLD, context};
use crate::descriptors::{allow_many, close_on_exec, is_closed};
use crate::directory::{Directory, Starter};
use crate::errhandler::Errhandler;
use crate::fork;
use crate::global;
use crate::group::Group;
use crate::inquiry;
use crate::joint_copy::SingleCopy;
use crate::last_words::{flush_output, leave_at_once, say};
use crate::messages::{Messages, Route};
use crate::net::{Gate, Net};
use crate::nonblocking::Running;
use crate::op::Op;
use crate::progress_thread::{self, Turn};
use crate::quick;
use crate::request::About;
use crate::selection;
use crate::session::Session;
use crate::sole;
use crate::spare::Spare;
use crate::table::Table;
use crate::types::Types;

/// Where buffered sends find their space.
#[derive(Debug, Clone)]
pub enum Place {
    /// At a communicator.
    Comm(Rc<RefCell<Pool>>),
    /// At a session.
    Session(Rc<Session>),
    /// At the process.
    Process,
}

/// Everything one process knows.
#[derive(Debug)]
pub struct Engine {
    pub(crate) messages: RefCell<Messages>,
    pub(crate) comms: RefCell<Table<Rc<Comm>>>,
    pub(crate) types: RefCell<Types>,
    pub(crate) keyvals: RefCell<Keyvals>,
    pub(crate) ops: RefCell<Table<Rc<Op>>>,
    /// Nonblocking collectives in progress.
    pub(crate) collectives: Running,
    /// Space for buffered sends of the process.
    pub(crate) pool: RefCell<Pool>,
    /// Which algorithms collective calls run.
    pub(crate) selection: Selection,
    /// Where this rank shows the members of its communicators data.
    pub(crate) places: RefCell<Places>,
    /// Scratch memory that is not in use.
    pub(crate) spares: RefCell<Vec<Spare>>,
    pub(crate) wait_policy: Policy,
    pub(crate) own_core: Cell<bool>,
    /// The MPI function this process is in or was in last.
    pub(crate) function: Cell<&'static str>,
    next_context: Cell<u32>,
    /// Who uses MPI in this process: the world model, and each session.
    users: Cell<u32>,
    /// Whether the last of them has left, and none has come since.
    has_left: Cell<bool>,
    pub(crate) sessions: RefCell<Table<Rc<Session>>>,
    /// Whether there has been one: where one was, another may come after the end of MPI.
    pub(crate) had_sessions: Cell<bool>,
    /// This process's place in the node. It lives as long as the process: peers may still read our
    /// memory, and the launcher our state, after the last MPI call.
    pub(crate) node: &'static Node,
    lifeline: Option<RawFd>,
    /// The launcher that started this process, if it is not ours.
    starter: Option<Starter>,
    world_rank: Rank,
    /// Whether the job runs on several nodes.
    pub(crate) spans_nodes: bool,
    /// Whether to say at the end what the network has seen.
    reports_net: bool,
    /// The place on this node of each rank of the world, or [`ELSEWHERE`].
    locals: Box<[u32]>,
}

/// A launcher that is asked to end a job drops what ranks have printed and it has not read: Hydra
/// over two hosts has lost the reason of an abort without this.
const LAST_WORDS_HEARD_AFTER: Duration = Duration::from_millis(50);
/// The process at whose end somebody must be told: peers on other nodes, or the launcher. A child
/// that it has forked inherits this, and is no rank. 0 where there is nobody to be told.
static MUST_LEAVE: AtomicU32 = AtomicU32::new(0);
/// Stands for the place of a rank that is on another node.
const ELSEWHERE: u32 = u32::MAX;

/// Lets the world model or a session use MPI in this process; MPI 5.0 sections 11.2 and 11.3. The
/// first makes the engine, which then lives as long as the process: after the last has left,
/// another may come. A process without a launcher is a job of one.
pub fn open() -> Result<()> {
    fork::watch();
    fork::refuse("MPI_Init")?;
    if global::enter_anytime().is_none() {
        settings::check_environment()?;
        let engine = Engine::new()?;
        progress_thread::start(engine.spans_nodes)?;
        global::install(engine);
    }
    // The progress thread looks whether there are users.
    let _entered = global::enter_anytime();
    global::installed().add_user()
}

impl Engine {
    fn new() -> Result<Engine> {
        let single_copy = settings::choice(
            CMA,
            SingleCopy::Together,
            &[
                ("auto", SingleCopy::Together),
                ("receiver", SingleCopy::Receiver),
                ("off", SingleCopy::Off),
            ],
        )?;
        let wait_policy = settings::choice(
            WAIT,
            Policy::Auto,
            &[
                ("auto", Policy::Auto),
                ("spin", Policy::Spin),
                ("yield", Policy::Yield),
                ("sleep", Policy::Sleep),
            ],
        )?;
        let selection = selection::load()?;
        let Boot { node, starter, gate } = boot()?;
        let node: &'static Node = Box::leak(Box::new(node));
        let card = node.card();
        let (me, size) = (card.locals()[node.me()], card.world() as u32);
        let own_core = Cell::new(node.own_core());
        if single_copy != SingleCopy::Off && node.ranks() > 1 && own_core.get() {
            node.have_a_stand_in();
        }
        let mut messages = Messages::new(node, single_copy);
        if card.nodes() > 1 {
            let directory = Directory::new(card, starter.clone());
            let gate = gate.map_or_else(|| open_gate(&card, me), Ok)?;
            messages.net = Some(Box::new(Net::new(gate, directory, me)?));
        }
        if card.nodes() > 1 || starter.is_some() {
            // Relaxed: who ends the process has called MPI_Init, or waited for who has.
            MUST_LEAVE.store(std::process::id(), Ordering::Relaxed);
        }
        let engine = Engine {
            messages: RefCell::new(messages),
            comms: RefCell::default(),
            types: RefCell::default(),
            keyvals: RefCell::default(),
            ops: RefCell::default(),
            collectives: Running::default(),
            pool: RefCell::default(),
            selection,
            places: RefCell::default(),
            spares: RefCell::default(),
            wait_policy,
            own_core,
            function: Cell::new("MPI_Init"),
            next_context: Cell::new(1),
            users: Cell::new(0),
            has_left: Cell::new(false),
            sessions: RefCell::default(),
            had_sessions: Cell::new(false),
            node,
            lifeline: number_from(JOB_LIFELINE)?,
            starter,
            world_rank: me,
            spans_nodes: card.nodes() > 1,
            reports_net: settings::choice(NET_REPORT, false, &[("off", false), ("end", true)])?,
            locals: (0..card.world()).map(|rank| place_of(&card, rank)).collect(),
        };
        engine.make_predefined(me, size);
        die_with_parent();
        Ok(engine)
    }

    fn make_predefined(&self, me: Rank, size: u32) {
        let comm = |leader, group: Vec<Rank>, rank, name: &str| {
            let group = Rc::new(Group::new(group));
            // Serial 0 of each leader: the world for rank 0 and, past it, each one's self.
            let comm = Comm::new(leader, group, rank, Errhandler::Fatal);
            *comm.name.borrow_mut() = name.to_string();
            Rc::new(comm)
        };
        let mut comms = self.comms.borrow_mut();
        let world = comm(context(0, 0), (0..size).collect(), me, "MPI_COMM_WORLD");
        let own = comm(context(me, self.draw_context()), vec![me], 0, "MPI_COMM_SELF");
        let about = About { comm: world.clone(), peer: None, tag: None };
        self.messages.borrow_mut().requests.insert_sent(about);
        for (comm, id) in [(world, WORLD), (own, SELF)] {
            comm.id.set(id);
            inquiry::add_comm(id, &comm);
            assert_eq!(comms.insert(comm), id);
        }
        let mut ops = self.ops.borrow_mut();
        for op in dunlin_datatype::reduce::Op::ALL {
            ops.insert(Rc::new(Op::Predefined(*op)));
        }
    }

    /// A number no other communicator led by this process has.
    pub(crate) fn draw_context(&self) -> u32 {
        self.draw_contexts(1)
    }

    /// The first of `n` such numbers in a row.
    pub(crate) fn draw_contexts(&self, n: u32) -> u32 {
        self.next_context.replace(self.next_context.get() + n)
    }

    /// Whether MPI is between initialisation and finalisation.
    pub fn is_running(&self) -> bool {
        self.users.get() > 0
    }

    /// This process's rank in `MPI_COMM_WORLD`.
    pub fn world_rank(&self) -> Rank {
        self.world_rank
    }

    /// The communicator with this number.
    #[inline]
    pub fn comm(&self, id: CommId) -> Result<Rc<Comm>> {
        self.comms.borrow().get(id).cloned().ok_or_else(|| {
            Error::new(ErrorClass::Comm, format!("communicator number {id} does not exist"))
        })
    }

    /// The datatype with this number.
    pub fn datatype(&self, id: u32) -> Result<Datatype> {
        self.types.borrow().get(id).map(|t| t.datatype.clone()).ok_or_else(|| {
            Error::new(ErrorClass::Type, format!("datatype number {id} does not exist"))
        })
    }

    /// The node this process runs on, counted through the job.
    pub fn node_number(&self) -> u32 {
        self.node.card().node() as u32
    }

    /// Which of those that messages on `comm` can name share a node.
    pub(crate) fn nodes_of(&self, comm: &Comm) -> Rc<Nodes> {
        let find = || {
            let places = self.node.card().places();
            let node = |&rank: &Rank| places[rank as usize].node;
            Rc::new(Nodes::from_labels(&comm.peers.members().iter().map(node).collect::<Vec<_>>()))
        };
        comm.nodes.get_or_init(find).clone()
    }

    /// Where a process of the world is.
    #[inline]
    pub(crate) fn route(&self, world: Rank) -> Route {
        match self.locals[world as usize] {
            _ if world == self.world_rank => Route::Myself,
            ELSEWHERE => Route::Net(world),
            local => Route::Node(local as usize),
        }
    }

    /// Moves everything that can move. True if anything did.
    #[inline]
    pub(crate) fn progress(&self) -> bool {
        let moved = self.messages.borrow_mut().progress();
        if self.spans_nodes {
            self.end_if_cut_off();
        }
        moved | self.push_collectives()
    }

    /// A turn of the progress thread, which has the engine. What ends the job, and what the program
    /// has to do with, waits for its next call.
    pub(crate) fn carry_on(&self) -> Turn {
        match self.messages.try_borrow_mut() {
            Ok(mut messages) if self.is_running() => messages.carry_on(),
            Ok(_) => {
                progress_thread::want(false);
                Turn::Rested
            }
            // The program has left a callback of ours by a jump.
            Err(_) => Turn::Taken,
        }
    }

    fn add_user(&'static self) -> Result<()> {
        if self.users.get() == 0 {
            let came_back = self.has_left.take();
            if came_back && !self.node.come_back() {
                let text = format!(
                    "another program is rank {} now, in a later step of the job",
                    self.world_rank
                );
                return Err(Error::new(ErrorClass::Other, text));
            }
            if came_back {
                sole::hold_again()?;
            }
            self.show_descriptors(false);
            quick::open(Some(self).filter(|_| !global::is_threaded()));
            inquiry::set_running(true, self.world_rank);
            self.node.view(self.node.me()).set_state(RankState::Running);
        }
        self.users.set(self.users.get() + 1);
        Ok(())
    }

    /// In a process that was forked: MPI is over here.
    pub(crate) fn disown(&self) {
        self.users.set(0);
        inquiry::set_running(false, self.world_rank);
    }

    /// Whether a program that this process executes is given the job's descriptors: only where it
    /// can be the rank, once this process is it no more.
    fn show_descriptors(&self, shown: bool) {
        if let Some(lifeline) = self.lifeline {
            close_on_exec(lifeline, !shown);
            self.node.close_on_exec(!shown);
        }
    }

    /// The world model or a session leaves. With the last of them MPI ends: everything that was
    /// handed over leaves this process; MPI 5.0 section 11.4.
    pub fn close(&self) {
        if self.users.get() > 1 {
            self.users.set(self.users.get() - 1);
            return;
        }
        self.wait_until(|| self.messages.borrow().is_flushed(), || None);
        if self.spans_nodes {
            self.leave_network();
        }
        quick::open(None);
        self.users.set(0);
        inquiry::set_running(false, self.world_rank);
        self.show_descriptors(true);
        self.node.leave();
        self.has_left.set(true);
        // A session that comes later may use ranks that only the launcher knows.
        if !(self.spans_nodes && self.had_sessions.get()) {
            self.leave_starter();
        }
    }

    /// Tells the launcher, if it is not ours, that this process needs it no more.
    fn leave_starter(&self) {
        let Some(mut pmi) = self.starter.as_ref().and_then(|starter| starter.lock().take()) else {
            return;
        };
        if let Err(error) = pmi.finalize() {
            say(&format!("rank {}: {}", self.world_rank, error.text));
        }
        drop(pmi);
        sole::let_go();
    }

    /// Ends the job if the network has failed for good: whatever waits for it would wait for ever.
    fn end_if_cut_off(&self) {
        let failure = self.messages.borrow_mut().net_failure();
        if let Some(error) = failure {
            self.node.view(self.node.me()).set_cut_off(1, &error.text);
            self.say_last_words(&error.text);
            self.abort_by_starter(1, &error.text);
            leave_at_once(1);
        }
    }

    /// Where the launcher is not ours, nobody reads them in the segment. One rank of a node says
    /// them for all that end at the same time.
    fn say_last_words(&self, text: &str) {
        let me = self.node.me();
        let mut others = (0..self.node.ranks()).filter(|&rank| rank != me);
        let have_others = others.any(|rank| {
            let view = self.node.view(rank);
            view.state() == RankState::Aborted && view.last_words().is_some()
        });
        if self.starter.is_some() && !have_others {
            let card = self.node.card();
            let host = card.host(card.node());
            say(&format!("rank {} on {host} cannot go on: {text}", self.world_rank));
        }
    }

    /// Asks the launcher, if it is not ours, to end the job.
    fn abort_by_starter(&self, code: i32, why: &str) {
        self.starter.iter().for_each(|starter| end_job(starter, code, why));
    }

    /// The process ends without `MPI_Finalize`. Our own launcher sees that; others may take it for
    /// a good end while the other ranks wait for this one for ever.
    fn end_unfinished(&self, status: i32) {
        if self.starter.is_some() {
            let text = "it has ended without MPI_Finalize";
            self.say_last_words(text);
            self.abort_by_starter(fault_of(status), text);
        }
    }

    /// Goes when the peers on other nodes go: until then they may need answers.
    fn leave_network(&self) {
        let with_net = |act: &dyn Fn(&mut Net) -> bool| {
            self.messages.borrow_mut().net.as_deref_mut().is_none_or(act)
        };
        with_net(&|net| {
            net.leave();
            true
        });
        self.wait_until(|| with_net(&|net| net.may_go()), || None);
        if self.reports_net {
            with_net(&|net| {
                say(&format!("rank {}: {}", self.world_rank, net.report()));
                true
            });
        }
        with_net(&|net| {
            net.come_back();
            true
        });
    }

    /// Ends the job: tells the launcher and leaves. MPI 5.0 section 9.5.
    pub fn abort(&self, code: i32) -> ! {
        self.node.view(self.node.me()).set_aborted(code);
        self.abort_by_starter(code, "MPI_Abort");
        leave_at_once(if code & 0xff == 0 && code != 0 { 1 } else { code & 0xff })
    }

    pub(crate) fn stall_cell(&self) -> &'static StallCell {
        self.node.view(self.node.me()).stall()
    }

    /// A rank that outlives its launcher has nobody to report to and nobody to end it.
    pub(crate) fn leave_if_launcher_is_gone(&self) {
        if self.lifeline.is_some_and(is_closed) {
            say(&format!("mpirun is gone; rank {} ends", self.world_rank));
            self.abort(1);
        }
    }
}

/// Asks a launcher that is not ours to end the job, unless this process has taken leave of it.
fn end_job(starter: &Starter, code: i32, why: &str) {
    if let Some(pmi) = &mut *starter.lock() {
        flush_output();
        std::thread::sleep(LAST_WORDS_HEARD_AFTER);
        pmi.abort(code, why);
    }
}

/// Asks the launcher to end the job if this process has greeted it and then could not join: other
/// ranks would wait for this one for ever.
pub fn give_up(code: i32) {
    if let Some(starter) = greeted() {
        end_job(&starter, code, "it could not join the job");
    }
}

/// Opens the network and tells our own launcher where this process is found.
fn open_gate(card: &JobCard<'_>, me: Rank) -> Result<Gate> {
    allow_many();
    let gate = Gate::open(me)?;
    card.publish(me as usize, &gate.address()?);
    Ok(gate)
}

/// Handlers are called in the reverse of the order in which they were registered. The program's own
/// may call `MPI_Finalize` and may be older than its call of `MPI_Init`: ours must be older still.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    // SAFETY: the function does not look at the pointer, and does nothing that exit handlers may
    // not.
    unsafe { on_exit(at_exit, std::ptr::null_mut()) };
}

unsafe extern "C" {
    /// As `atexit`, of the GNU C library: the handler is told the status of `exit`.
    fn on_exit(handler: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// What a launcher is told of a process that has left the others waiting: its own status, unless
/// that says that all is well.
fn fault_of(status: i32) -> i32 {
    match status & 0xff {
        0 => 1,
        status => status,
    }
}

/// When the process ends in good order, connections are closed so that what was sent still
/// arrives. Not sooner: MPI may be used again after its end, by another session.
extern "C" fn at_exit(status: c_int, _: *mut c_void) {
    if fork::is_forked() {
        return;
    }
    // Relaxed: as where it is set. Looked at first: a lock that another thread had when a child was
    // forked is never let go in the child.
    let must_leave = MUST_LEAVE.load(Ordering::Relaxed) == std::process::id();
    let engine = if must_leave { global::enter_anytime() } else { None };
    let Some(engine) = engine else { return give_up(fault_of(status)) };
    if engine.is_running() {
        engine.end_unfinished(status);
        return;
    }
    if let Ok(mut messages) = engine.messages.try_borrow_mut() {
        messages.net = None;
    }
    engine.leave_starter();
}

/// The collective context of a communicator.
pub(crate) const fn collective(context: u64) -> u64 {
    context | COLLECTIVE
}

fn place_of(card: &JobCard<'_>, rank: usize) -> u32 {
    card.local(rank).map_or(ELSEWHERE, |place| place as u32)
}

/// The kernel ends us when our parent dies: mpirun, or a shell between it and us.
fn die_with_parent() {
    if std::env::var_os(JOB_RANK).is_some() {
        // SAFETY: no memory is passed.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    }
}
