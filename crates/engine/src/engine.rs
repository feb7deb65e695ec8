//! One MPI process: what exists between `MPI_Init` and `MPI_Finalize`.

pub(crate) mod clock;
pub(crate) mod domains;
pub(crate) mod fast_guard;
pub(crate) mod global;
pub(crate) mod operation;
pub(crate) mod overlap;
pub(crate) mod progress_turn;
pub(crate) mod selection;
pub(crate) mod tasks;
pub(crate) mod vci;
pub(crate) mod wait;

use std::cell::{Cell, OnceCell, RefCell};
use std::os::fd::RawFd;
use std::rc::Rc;
use std::sync::Arc;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll::{Locality, Nodes, Selection};
use dunlin_shm::Node;
use dunlin_shm::stall::StallCell;
use dunlin_shm::wait::Policy;

use crate::engine::domains::DomainSource;
use crate::engine::operation::Operations;
use crate::engine::overlap::Overlap;
use crate::engine::tasks::Tasks;
use crate::memory::pool::SharedPool;
use crate::memory::scratch::Spares;
use crate::net::address_vector::ProcessManager;
use crate::objects::attribute::Keyvals;
use crate::objects::coll_module::FreeAreas;
use crate::objects::comm::{Comm, CommId, SELF, SPREAD, WORLD, context};
use crate::objects::errhandler::Errhandler;
use crate::objects::group::Group;
use crate::objects::inquiry;
use crate::objects::op::Op;
use crate::objects::process_table::{ProcessId, ProcessTable, Route};
use crate::objects::session::Session;
use crate::objects::staged_arguments::StagedArguments;
use crate::objects::table::Table;
use crate::objects::types::Types;
use crate::objects::window::{NearWindows, Window, WindowId};
use crate::p2p::messages::Messages;
use crate::p2p::request::OpInfo;
use crate::threads::progress_thread::Service;

/// Everything one process knows.
#[derive(Debug)]
pub struct Engine {
    /// Its virtual communication interface.
    pub(crate) vci: usize,
    pub(crate) messages: RefCell<Messages>,
    pub(crate) comms: RefCell<Table<Rc<Comm>>>,
    /// The datatypes.
    pub types: Types,
    /// The keys of attributes.
    pub keyvals: Keyvals,
    pub(crate) ops: RefCell<Table<Rc<Op>>>,
    /// Whether origins reach for memory of their node themselves.
    pub(crate) rma_direct: bool,
    /// The network does puts and gets of so many bytes or more, where it can.
    pub(crate) rma_remote_min: usize,
    /// The windows of one-sided communication.
    pub(crate) windows: RefCell<Table<Rc<Window>>>,
    /// What those share whose operations among processes of this node go as messages.
    pub(crate) near_windows: NearWindows,
    /// The lock for which this process waits, of a window and a rank; or may wait, where only that
    /// rank knows.
    pub(crate) awaited_lock: Cell<Option<(WindowId, Rank)>>,
    /// The lock on another node that was asked for last, of a window and a rank, if it is not known
    /// that it is held.
    pub(crate) unconfirmed_lock: Cell<Option<(WindowId, Rank)>>,
    /// What requests stand for beside sends and receives.
    pub(crate) operations: Operations,
    /// What progress advances beside messages.
    pub(crate) tasks: Tasks,
    /// Space for buffered sends of the process.
    pub(crate) pool: SharedPool,
    /// Which algorithms collective calls run.
    pub(crate) selection: Selection,
    /// Where this rank learns in which cache, NUMA domain and socket it is, and what it has learnt.
    pub(crate) domain_source: DomainSource,
    pub(crate) locality: OnceCell<Locality>,
    /// Where this rank shows the members of its communicators data.
    pub(crate) coll_areas: Rc<RefCell<FreeAreas>>,
    /// Scratch memory that is not in use.
    pub(crate) scratch_buffers: Spares,
    /// Buffers with gaps of the collective on the fast path.
    pub(crate) staged: StagedArguments,
    pub(crate) wait_policy: Policy,
    pub(crate) own_core: Cell<bool>,
    /// Waits inside MPI, of all threads; some may be within others.
    pub(crate) waits: Cell<u32>,
    /// This rank is about to sleep: who waits for another must see now whether that has left.
    pub(crate) falls_asleep: Cell<bool>,
    /// When a call last found nothing, see [`found_nothing`](Self::found_nothing).
    pub(crate) found_nothing_at: Cell<u64>,
    /// The same, kept where the process has several VCIs.
    pub(crate) tried_at: Cell<u64>,
    /// Calls that found nothing.
    pub(crate) tries_in_vain: Cell<u32>,
    /// Calls that may have taken their message without general progress.
    pub(crate) calls_at_once: Cell<u32>,
    /// The MPI function this process is in or was in last.
    pub(crate) function: Cell<&'static str>,
    pub(crate) next_context: Cell<u32>,
    /// Who uses MPI in this process: the world model, and each session.
    pub(crate) users: Cell<u32>,
    /// Whether the last of them has left, and none has come since.
    pub(crate) has_left: Cell<bool>,
    pub(crate) sessions: RefCell<Table<Rc<Session>>>,
    /// Whether there has been one: where one was, another may come after the end of MPI.
    pub(crate) had_sessions: Cell<bool>,
    /// This process's place in the node. It lives as long as the process: peers may still read our
    /// memory, and the launcher our state, after the last MPI call.
    pub(crate) node: &'static Node,
    pub(crate) lifeline: Option<RawFd>,
    /// The launcher that started this process, if it is not ours.
    pub(crate) process_manager: Option<ProcessManager>,
    pub(crate) processes: ProcessTable,
    /// Whether the job runs on several nodes.
    pub(crate) spans_nodes: bool,
    /// When the progress thread serves arriving packets.
    pub(crate) service: Service,
    /// What the program hands over while it computes.
    pub(crate) overlap: Overlap,
    /// Whether it makes all progress that needs no function of the program: for messages of this
    /// node, too, and for collectives.
    pub(crate) serves_all: bool,
    /// Whether to say at the end what the network has seen.
    pub(crate) reports_net: bool,
    /// See [`is_for_threads`](crate::is_for_threads).
    pub(crate) for_threads: bool,
}

impl Engine {
    pub(crate) fn make_predefined(&self, me: Rank, size: u32) {
        let comm = |leader, group: Vec<Rank>, rank, name: &str| {
            let group = Arc::new(Group::new(group));
            // Serial 0 of each leader: the world for rank 0 and, past it, each one's self.
            let comm = Comm::new(leader, group, rank, Errhandler::Fatal);
            *comm.name.borrow_mut() = name.to_string();
            Rc::new(comm)
        };
        let mut comms = self.comms.borrow_mut();
        let world = comm(context(0, 0), (0..size).collect(), me, "MPI_COMM_WORLD");
        let own = comm(context(me, self.draw_context()), vec![me], 0, "MPI_COMM_SELF");
        let op_info = OpInfo { comm: world.clone(), peer: None, tag: None };
        self.messages.borrow_mut().transfers.requests.insert_shared(op_info);
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
        self.next_context.replace(self.next_context.get() + n) & !SPREAD
    }

    /// Whether MPI is between initialisation and finalisation.
    pub fn is_running(&self) -> bool {
        self.users.get() > 0
    }

    /// This process.
    #[inline]
    pub(crate) fn me(&self) -> ProcessId {
        self.processes.me()
    }

    /// This process's rank in `MPI_COMM_WORLD`.
    pub fn world_rank(&self) -> Rank {
        self.me()
    }

    /// The communicator with this number.
    #[inline]
    pub fn comm(&self, id: CommId) -> Result<Rc<Comm>> {
        self.comms.borrow().get(id).cloned().ok_or_else(|| {
            Error::new(ErrorClass::Comm, format!("communicator number {id} does not exist"))
        })
    }

    /// The node this process runs on, counted through the job.
    pub fn node_number(&self) -> u32 {
        self.node.job_map().node() as u32
    }

    /// Which of those that messages on `comm` can name share a node.
    pub(crate) fn nodes_of(&self, comm: &Comm) -> Rc<Nodes> {
        let find = || {
            let node = |&process: &ProcessId| self.processes.node_of(process);
            Rc::new(Nodes::from_labels(&comm.peers.members().iter().map(node).collect::<Vec<_>>()))
        };
        comm.nodes.get_or_init(find).clone()
    }

    /// The way to a process.
    #[inline]
    pub(crate) fn route(&self, process: ProcessId) -> Route {
        self.processes.route(process)
    }

    /// Moves everything that can move. True if anything did.
    #[inline]
    pub(crate) fn progress(&self) -> bool {
        self.progress_by(Messages::progress)
    }

    /// The same within a wait.
    #[inline]
    pub(crate) fn progress_awaited(&self) -> bool {
        self.progress_by(Messages::progress_awaited)
    }

    #[inline(always)]
    fn progress_by(&self, take: impl FnOnce(&mut Messages) -> bool) -> bool {
        let handled = self.near_windows.count.get() > 0 && self.handle_near_messages();
        let moved = take(&mut self.messages.borrow_mut()) | handled;
        if self.spans_nodes {
            self.end_if_cut_off();
        }
        moved | self.push_tasks()
    }

    /// Whether operations are under way that progress pushes on.
    #[inline]
    pub(crate) fn has_tasks(&self) -> bool {
        !self.tasks.is_empty() || self.near_windows.count.get() > 0
    }

    /// Lets every task go as far as it can. True if one ended.
    #[inline]
    pub(crate) fn push_tasks(&self) -> bool {
        !self.tasks.is_empty() && self.tasks.poll()
    }

    /// Whether this process has a progress thread.
    pub(crate) fn has_progress_thread(&self) -> bool {
        self.spans_nodes || self.serves_all
    }

    pub(crate) fn stall_cell(&self) -> &'static StallCell {
        self.node.view(self.node.me()).stall()
    }
}
