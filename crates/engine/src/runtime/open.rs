//! MPI starts and ends in this process: `MPI_Init`, sessions, `MPI_Finalize`, `MPI_Abort`, and the
//! exit of the process.

use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::{c_int, c_void};
use std::io;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use dunlin_base::one_sided;
use dunlin_base::settings::{
    JOB_APPNUM, JOB_LIFELINE, JOB_RANK, NET_REPORT, PROGRESS, Settings, THREAD_LEVEL, VCIS, WAIT,
};
use dunlin_base::single_copy::SingleCopy;
use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll::Selection;
use dunlin_shm::job_map::JobMap;
use dunlin_shm::wait::Policy;
use dunlin_shm::{Node, RankState};

use crate::calls::buffered::BufferOwner;
use crate::coll::fast_path_alone;
use crate::engine::Engine;
use crate::engine::domains::DomainSource;
use crate::engine::fast_guard;
use crate::engine::global;
use crate::engine::operation::Operations;
use crate::engine::overlap::Overlap;
use crate::engine::progress_turn;
use crate::engine::selection;
use crate::engine::tasks::Tasks;
use crate::engine::vci::{self, Plan};
use crate::engine::wait::has_own_core;
use crate::memory::pool::SharedPool;
use crate::memory::scratch::Spares;
use crate::net::address_vector::{AddressVector, ProcessManager};
use crate::net::network::Net;
use crate::net::open_fabric::{OpenFabric, OpenedFabric};
use crate::objects::attribute::Keyvals;
use crate::objects::comm::WORLD;
use crate::objects::errhandler::Errhandler;
use crate::objects::group::Group;
use crate::objects::inquiry;
use crate::objects::process_table::ProcessTable;
use crate::objects::session::{ProcessSet, Session, SessionId};
use crate::objects::staged_arguments::StagedArguments;
use crate::objects::types::Types;
use crate::objects::window::NearWindows;
use crate::p2p::messages::Messages;
use crate::p2p::remote::NetTransport;
use crate::p2p::unreceived::set_finalizing;
use crate::runtime::boot::{Boot, boot, descriptor, greeted};
use crate::runtime::descriptors::{allow_many, close_on_exec, is_closed};
use crate::runtime::exit::{flush_output, leave_at_once, say};
use crate::runtime::init_wait::InitWait;
use crate::runtime::rank_lock;
use crate::threads::fork;
use crate::threads::lock;
use crate::threads::progress_thread::{self, Service};

/// A launcher that is asked to end a job drops output that it has not read yet: without this pause,
/// Hydra over two hosts has lost the message of an abort.
const ABORT_MESSAGE_READ_AFTER: Duration = Duration::from_millis(50);
/// Words of the settings and what they mean.
const WAIT_POLICIES: [(&str, Policy); 4] = [
    ("auto", Policy::Auto),
    ("spin", Policy::Spin),
    ("yield", Policy::Yield),
    ("sleep", Policy::Sleep),
];
const SERVICES: [(&str, Service); 4] = [
    ("auto", Service::Windows),
    ("overlap", Service::Overlap),
    ("thread", Service::Always),
    ("none", Service::Never),
];
const FOR_THREADS: [(&str, bool); 2] = [("asked", false), ("multiple", true)];
const REPORTS: [(&str, bool); 2] = [("off", false), ("end", true)];
/// The process that must tell peers on other nodes, or the launcher, when it ends; 0 if there is
/// none to be told. A forked child inherits the number, and is another process.
static MUST_LEAVE: AtomicU32 = AtomicU32::new(0);

/// Lets the world model or a session use MPI in this process; MPI 5.0 sections 11.2 and 11.3. The
/// first makes the engine, which then lives as long as the process: after the last has left,
/// another may come. A process without a launcher is a job of one.
///
/// # Safety
/// From now on one thread at a time may use this crate, until [`crate::set_threaded`] is called:
/// what `MPI_Init_thread` has the program promise.
pub unsafe fn open() -> Result<()> {
    fork::watch(disown);
    fork::refuse("MPI_Init")?;
    if global::enter_anytime().is_none() {
        let engine =
            Engine::new(Settings::checked(dunlin_pmi::of_innermost(std::env::vars_os()))?)?;
        if engine.decide_on_overlap() || engine.has_progress_thread() {
            progress_turn::share(&engine);
        }
        if engine.has_progress_thread() {
            engine.start_progress_thread()?;
        }
        fork::set_rank(engine.world_rank());
        global::install(engine);
    }
    // The progress thread reads the number of users.
    let _entered = global::enter_anytime();
    global::installed().add_user()
}

/// Whether several threads may call MPI at once whatever level the program asks for; known once it
/// is open.
pub fn is_for_threads() -> bool {
    global::installed().for_threads
}

/// Shuts the engine in a forked process.
fn disown() {
    global::shut();
    rank_lock::release_rank();
}

impl Engine {
    fn new(settings: Settings) -> Result<Engine> {
        let named = selection::Named::read(&settings)?;
        DomainSource::read(&settings)?;
        let Boot { node, process_manager, fabric } = boot(&settings)?;
        let node: &'static Node = Box::leak(Box::new(node));
        let single_copy = match node.ranks() {
            1 => SingleCopy::Off,
            _ => SingleCopy::of(&settings, || node.has_slow_copies()),
        };
        let job_map = node.job_map();
        if single_copy != SingleCopy::Off && node.own_core() {
            node.start_cma_target();
        }
        let mut messages = Messages::new(node, single_copy);
        if job_map.nodes() > 1 {
            let net = open_net(fabric, &settings, node, process_manager.clone())?;
            messages.net = Some(Box::new(NetTransport::new(net)));
        }
        if job_map.nodes() > 1 || process_manager.is_some() {
            // Relaxed: the thread that ends the process has called MPI_Init, or joined one that
            // has.
            MUST_LEAVE.store(std::process::id(), Ordering::Relaxed);
        }
        let selection = named.rules(job_map.machine().as_deref())?;
        if named.forces() {
            fast_path_alone::run_algorithms();
        }
        let engine = Engine::over(node, messages, process_manager, &settings, selection);
        let wanted = settings.integer(&VCIS) as usize;
        let vcis = if engine.has_progress_thread() { 1 } else { wanted.min(node.vcis_max()) };
        let app_number = settings.integer_if_set(&JOB_APPNUM).unwrap_or(0);
        inquiry::set_job(app_number as u32, engine.spans_nodes);
        if engine.service == Service::Always {
            engine.messages.borrow_mut().serve(true);
            progress_thread::serve(engine.has_progress_thread());
        }
        if settings.integer_if_set(&JOB_RANK).is_some() {
            die_with_parent();
        }
        let (selection, pool) = (engine.selection.clone(), engine.pool.clone());
        vci::plan(Plan { settings, single_copy, selection, node, pool, vcis });
        Ok(engine)
    }

    /// The engine of a VCI other than the first, for the messages of some communicators.
    pub(crate) fn for_vci(vci: usize, node: &'static Node, plan: &Plan) -> Engine {
        let messages = Messages::new(node, plan.single_copy);
        let engine = Engine::over(node, messages, None, &plan.settings, plan.selection.clone());
        Engine { vci, pool: plan.pool.clone(), ..engine }
    }

    /// The engine of a rank of a node, over its message layer.
    pub(crate) fn over(
        node: &'static Node,
        mut messages: Messages,
        process_manager: Option<ProcessManager>,
        settings: &Settings,
        selection: Selection,
    ) -> Engine {
        let wait_policy = settings.choice(&WAIT, &WAIT_POLICIES);
        let own_core = has_own_core(node, wait_policy);
        messages.node.share_core(!own_core);
        let job_map = node.job_map();
        let (me, size) = (job_map.locals()[node.me()], job_map.world() as u32);
        let service = settings.choice(&PROGRESS, &SERVICES);
        let engine = Engine {
            vci: 0,
            messages: RefCell::new(messages),
            comms: RefCell::default(),
            types: Types::default(),
            keyvals: Keyvals::default(),
            ops: RefCell::default(),
            rma_direct: one_sided::by_origin(settings),
            rma_remote_min: one_sided::remote_bytes_min(settings),
            windows: RefCell::default(),
            near_windows: NearWindows::default(),
            awaited_lock: Cell::new(None),
            unconfirmed_lock: Cell::new(None),
            operations: Operations::default(),
            tasks: Tasks::default(),
            pool: SharedPool::default(),
            selection,
            // What is wrong with it was told when the process began.
            domain_source: DomainSource::read(settings).unwrap_or_default(),
            locality: OnceCell::new(),
            coll_areas: Rc::default(),
            scratch_buffers: Spares::default(),
            staged: StagedArguments::default(),
            wait_policy,
            own_core: Cell::new(own_core),
            waits: Cell::default(),
            falls_asleep: Cell::default(),
            found_nothing_at: Cell::new(0),
            tried_at: Cell::new(0),
            tries_in_vain: Cell::default(),
            calls_at_once: Cell::default(),
            function: Cell::new("MPI_Init"),
            next_context: Cell::new(1),
            users: Cell::new(0),
            has_left: Cell::new(false),
            sessions: RefCell::default(),
            had_sessions: Cell::new(false),
            node,
            lifeline: descriptor(settings, &JOB_LIFELINE),
            process_manager,
            processes: ProcessTable::new(me, job_map.locations()),
            spans_nodes: job_map.nodes() > 1,
            service,
            overlap: Overlap::default(),
            serves_all: service == Service::Always && size > 1,
            reports_net: settings.choice(&NET_REPORT, &REPORTS),
            for_threads: settings.choice(&THREAD_LEVEL, &FOR_THREADS),
        };
        engine.make_predefined(me, size);
        engine
    }

    fn add_user(&'static self) -> Result<()> {
        if self.users.get() == 0 {
            let came_back = self.has_left.take();
            if came_back && !self.node.reclaim() {
                let text = format!(
                    "another program is rank {} now, in a later step of the job",
                    self.world_rank()
                );
                return Err(Error::new(ErrorClass::Other, text));
            }
            if came_back {
                rank_lock::reacquire()?;
            }
            self.show_descriptors(false);
            fast_guard::open(Some(self).filter(|_| !lock::is_threaded()));
            self.begin_overlap();
            // While MPI does not run, the progress thread says that nothing is left for it.
            self.messages.borrow().note_what_is_left();
            inquiry::set_running(true, self.world_rank());
            self.node.process(self.node.me()).set_state(RankState::Running);
        }
        self.users.set(self.users.get() + 1);
        set_finalizing(false);
        Ok(())
    }

    /// Shuts the engine in a forked process.
    pub(crate) fn disown(&self) {
        self.users.set(0);
        self.end_overlap();
        inquiry::set_running(false, self.world_rank());
    }

    /// Whether a program that this process executes inherits the job's descriptors: only after MPI
    /// has ended here, when that program may become the rank.
    fn show_descriptors(&self, shown: bool) {
        if let Some(lifeline) = self.lifeline {
            close_on_exec(lifeline, !shown);
            self.node.close_on_exec(!shown);
        }
    }

    /// The world model or a session ends. With the last user, MPI ends: all queued messages leave
    /// this process; MPI 5.0 section 11.4.
    pub fn close(&self) {
        if self.is_left_to_others() {
            return;
        }
        self.flush_at_end();
        if self.spans_nodes {
            self.leave_network();
        }
        set_finalizing(false);
        // Another thread may have begun a session meanwhile.
        if self.is_left_to_others() {
            return;
        }
        self.end_overlap();
        fast_guard::open(None);
        self.users.set(0);
        inquiry::set_running(false, self.world_rank());
        // From here on the progress thread changes nothing in the segment, either.
        progress_thread::end_sleep(|| self.node.wake_helper());
        self.show_descriptors(true);
        self.node.leave();
        self.has_left.set(true);
        // A session that comes later may use ranks that only the launcher knows.
        if !(self.spans_nodes && self.had_sessions.get()) {
            self.leave_process_manager();
        }
    }

    /// Counts one user less, if it is not the last.
    fn is_left_to_others(&self) -> bool {
        let others = self.users.get() - 1;
        if others > 0 {
            self.users.set(others);
        }
        others > 0
    }

    /// Finalizes the connection to another library's launcher.
    fn leave_process_manager(&self) {
        let Some(mut pmi) =
            self.process_manager.as_ref().and_then(|process_manager| process_manager.lock().take())
        else {
            return;
        };
        if let Err(error) = pmi.finalize() {
            say(&format!("rank {}: {}", self.world_rank(), error.text));
        }
        drop(pmi);
        rank_lock::release_rank();
    }

    /// Ends the job if the network has failed: waits for other nodes would last for ever. Prints
    /// what else it has to tell.
    pub(crate) fn end_if_cut_off(&self) {
        let (failure, notice) = {
            let mut messages = self.messages.borrow_mut();
            (messages.net_failure(), messages.net_notice())
        };
        if let Some(text) = notice {
            say(&text);
        }
        if let Some(error) = failure {
            self.cut_off(&error.text);
        }
    }

    /// Ends the job if the kernel could not copy because the process of this rank of the node has
    /// ended. What ended it says more than an error of this rank's would.
    #[cold]
    pub(crate) fn end_if_ended(&self, peer: usize, copied: &io::Error) {
        // The memory of a process that the kernel ends for want of memory goes first.
        let may_have_ended = matches!(copied.raw_os_error(), Some(libc::ESRCH | libc::EFAULT));
        if !may_have_ended || self.node.can_read(peer) {
            return;
        }
        let (rank, view) = (self.node.job_map().locals()[peer], self.node.process(peer));
        let reason = (view.state() == RankState::Aborted).then(|| view.abort_message()).flatten();
        self.cut_off(&reason.unwrap_or_else(|| match view.state() {
            RankState::Finalized => format!("rank {rank}, on the same node, has finalized MPI"),
            RankState::Aborted => format!("rank {rank}, on the same node, has aborted"),
            _ => format!("rank {rank}, on the same node, has ended without MPI_Finalize"),
        }));
    }

    /// Ends the job for a reason that is another's, which the launcher says once for all ranks.
    fn cut_off(&self, why: &str) -> ! {
        self.node.process(self.node.me()).set_cut_off(1, why);
        self.say_why_it_ends(why);
        self.abort_by_process_manager(1, why);
        leave_at_once(1)
    }

    /// Under another library's launcher nobody reads them in the segment. One rank of a node prints
    /// them for all ranks that end at the same time.
    fn say_why_it_ends(&self, text: &str) {
        let me = self.node.me();
        let mut others = (0..self.node.ranks()).filter(|&rank| rank != me);
        let have_others = others.any(|rank| {
            let view = self.node.process(rank);
            view.state() == RankState::Aborted && view.abort_message().is_some()
        });
        if self.process_manager.is_some() && !have_others {
            let job_map = self.node.job_map();
            let host = job_map.host(job_map.node());
            say(&format!("rank {} on {host} cannot go on: {text}", self.world_rank()));
        }
    }

    /// Asks another library's launcher to end the job.
    fn abort_by_process_manager(&self, code: i32, why: &str) {
        self.process_manager.iter().for_each(|process_manager| end_job(process_manager, code, why));
    }

    /// The process ends without `MPI_Finalize`. `mpirun` notices; other launchers may take it for a
    /// normal end while other ranks wait for this one for ever.
    fn end_unfinished(&self, status: i32) {
        if self.process_manager.is_some() {
            let text = "it has ended without MPI_Finalize";
            self.say_why_it_ends(text);
            self.abort_by_process_manager(fault_of(status), text);
        }
    }

    /// Waits until the peers on other nodes have finalized, if they may need acknowledgements until
    /// then.
    pub(crate) fn leave_network(&self) {
        let with_net = |act: &dyn Fn(&mut Net) -> bool| {
            self.messages.borrow_mut().net.as_mut().is_none_or(|net| act(&mut net.net))
        };
        with_net(&|net| {
            net.leave(self.had_sessions.get());
            true
        });
        self.wait_until(
            || {
                self.drop_unreceived();
                with_net(&|net| net.may_go())
            },
            || None,
        );
        if self.reports_net {
            with_net(&|net| {
                say(&format!("rank {}: {}", self.world_rank(), net.report(self.node.counters())));
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
        self.node.process(self.node.me()).set_aborted(code);
        self.abort_by_process_manager(code, "MPI_Abort");
        leave_at_once(if code & 0xff == 0 && code != 0 { 1 } else { code & 0xff })
    }

    /// Ends this rank if its launcher is gone, which alone could report on it or end it.
    pub(crate) fn leave_if_launcher_is_gone(&self) {
        if self.lifeline.is_some_and(is_closed) {
            say(&format!("mpirun is gone; rank {} ends", self.world_rank()));
            self.abort(1);
        }
    }
}

/// Asks a launcher that is not ours to end the job, unless this process has taken leave of it.
fn end_job(process_manager: &ProcessManager, code: i32, why: &str) {
    if let Some(pmi) = &mut *process_manager.lock() {
        flush_output();
        std::thread::sleep(ABORT_MESSAGE_READ_AFTER);
        pmi.abort(code, why);
    }
}

/// Asks the launcher to end the job if this process is connected to it and then could not join:
/// other ranks would wait for this one for ever.
pub fn give_up(code: i32) {
    if let Some(process_manager) = greeted() {
        end_job(&process_manager, code, "it could not join the job");
    }
}

/// Opens the network and publishes this process's address in the job map.
fn open_fabric(settings: &Settings, job_map: &JobMap<'_>, me: Rank) -> Result<OpenedFabric> {
    allow_many();
    let fabric = OpenedFabric::open(settings, me)?;
    job_map.publish(me as usize, &fabric.address()?);
    Ok(fabric)
}

/// The network, over what was opened already, or else is opened now.
fn open_net(
    opened: Option<OpenedFabric>,
    settings: &Settings,
    node: &'static Node,
    process_manager: Option<ProcessManager>,
) -> Result<Net> {
    let job_map = node.job_map();
    let me = job_map.locals()[node.me()];
    let address_vector = AddressVector::new(job_map, process_manager);
    let opened = opened.map_or_else(|| open_fabric(settings, &job_map, me), Ok)?;
    let fabric = agree(opened, settings, node, &address_vector)?;
    Net::new(fabric, address_vector, me)
}

/// Settles with the other ranks which fabric is used, and tells the user what was found on the way.
fn agree(
    opened: OpenedFabric,
    settings: &Settings,
    node: &Node,
    address_vector: &AddressVector,
) -> Result<OpenFabric> {
    let me = address_vector.job_map.locals()[node.me()];
    let mut wait = InitWait::new(descriptor(settings, &JOB_LIFELINE), "MPI_Init");
    let own = node.process(node.me());
    let (fabric, notice) = opened.agree(me, address_vector, &mut |awaited| {
        wait.doze(own, awaited).map_err(|e| Error::new(ErrorClass::Other, e.to_string()))
    })?;
    own.stall().publish(None);
    if let Some(text) = notice {
        say(&text);
    }
    Ok(fabric)
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

/// The exit status that a launcher is told for a process that ended without `MPI_Finalize`: its
/// own, unless that is 0.
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
    // Relaxed: as where it is set. Read before any lock is taken: a lock that another thread held
    // at a fork is never released in the child.
    let must_leave = MUST_LEAVE.load(Ordering::Relaxed) == std::process::id();
    let engine = if must_leave { global::enter_anytime() } else { None };
    let Some(engine) = engine else { return give_up(fault_of(status)) };
    if engine.is_running() {
        engine.end_unfinished(status);
        // Keeps the progress thread out of the network, whose library may be unloaded next.
        std::mem::forget(engine);
        return;
    }
    if let Ok(mut messages) = engine.messages.try_borrow_mut() {
        messages.net = None;
    }
    engine.leave_process_manager();
}

/// The kernel kills this process when its parent dies: mpirun, or a shell between the two.
fn die_with_parent() {
    // SAFETY: no memory is passed.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
}

impl Engine {
    /// Adds a session; `open` was called for it.
    pub fn add_session(&self, errhandler: Errhandler) -> SessionId {
        let errhandler = Cell::new(errhandler);
        self.had_sessions.set(true);
        let session = Session { errhandler, pool: SharedPool::default() };
        self.sessions.borrow_mut().insert(Rc::new(session))
    }

    /// The session with this number.
    pub fn session(&self, id: SessionId) -> Result<Rc<Session>> {
        self.sessions.borrow().get(id).cloned().ok_or_else(|| {
            Error::new(ErrorClass::Session, format!("session number {id} does not exist"))
        })
    }

    /// Ends a session: its buffered messages leave, then it does.
    pub fn remove_session(&self, id: SessionId) -> Result<()> {
        self.buffer_flush(&BufferOwner::Session(self.session(id)?));
        self.sessions.borrow_mut().remove(id);
        self.remove_session_elsewhere(id);
        self.close();
        Ok(())
    }

    /// The processes of a set, as a group of a session.
    pub fn process_set(&self, set: ProcessSet, session: SessionId) -> Result<Group> {
        let members = match set {
            ProcessSet::World => (0..self.comm(WORLD)?.size()).collect(),
            ProcessSet::Myself => vec![self.me()],
        };
        Ok(Group::new(members).of_session(Some(session)))
    }
}

#[cfg(test)]
mod tests {
    use dunlin_base::settings::{Kind, Setting};

    use super::*;

    fn declared(setting: &Setting) -> &'static [&'static str] {
        match setting.kind {
            Kind::Choice(words) => words,
            _ => panic!("{setting} is no choice"),
        }
    }

    #[test]
    fn each_declared_word_has_a_meaning() {
        assert_eq!(declared(&WAIT), WAIT_POLICIES.map(|(word, _)| word));
        assert_eq!(declared(&PROGRESS), SERVICES.map(|(word, _)| word));
        assert_eq!(declared(&THREAD_LEVEL), FOR_THREADS.map(|(word, _)| word));
        assert_eq!(declared(&NET_REPORT), REPORTS.map(|(word, _)| word));
    }
}
