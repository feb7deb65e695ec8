//! The table of settings: each one's name, kind, scope, default and meaning, said once. What reads,
//! explains or documents settings goes through it.

use super::{Kind, Scope, Setting};

/// A peer that is silent for longer is given up in any case.
const DAY_S: u64 = 24 * 3600;
/// The number of a file descriptor.
const DESCRIPTOR: Kind = Kind::Integer { min: 0, max: i32::MAX as u64 };

/// Who copies large messages inside a node straight from memory to memory.
pub static CMA: Setting = Setting {
    name: "DUNLIN_CMA",
    kind: Kind::Choice(&["auto", "on", "receiver", "long", "off"]),
    scope: Scope::Job,
    default: "auto",
    doc: "Single copy inside a node by process_vm_readv and process_vm_writev, of large messages \
         and in collectives: `on` (receiver and sender of a message copy together where that \
         takes less time), `receiver` (it copies alone; with both, messages of 8 to 256 KiB go \
         at once through shared memory instead where that takes less time), `long` (in \
         collectives in which a rank shares more than 64 KiB or, as in gatherv, scatterv and \
         alltoallv, an unknown amount, and of messages what their senders do not put into \
         shared memory: up to 256 KiB at once while there is room, more while sender and \
         receiver are inside MPI; while up to 8 ranks have a core each, from 64 KiB on whichever \
         takes less time), `off`, or `auto`: `on` where the kernel copies 8 KiB in less than 1.3 \
         us, except on AMD Zen 3 and 4, else `long`. Where each rank has a core, each has a second \
         thread for it, which sleeps; with `off` it has not.",
};

/// How one-sided operations go.
pub static RMA: Setting = Setting {
    name: "DUNLIN_RMA",
    kind: Kind::Choice(&["auto", "messages"]),
    scope: Scope::Job,
    default: "auto",
    doc: "One-sided operations: `auto`, inside a node by the origin alone where it has mapped the \
         target's memory, otherwise by a message or by the kernel (`DUNLIN_CMA`), whichever takes \
         less time, and by the kernel while the target computes, unless the target's elements \
         have gaps; between nodes long ones by remote reads and writes, where the network has \
         them, others by messages. `messages`: all with the target's help. `dunlin-info explain \
         put` says which way an operation goes.",
};

/// From how many bytes on the network does one-sided operations.
pub static RMA_REMOTE_MIN: Setting = Setting {
    name: "DUNLIN_RMA_REMOTE_MIN",
    kind: Kind::Integer { min: 1, max: 1 << 40 },
    scope: Scope::Job,
    default: "65536",
    doc: "Puts and gets between nodes of so many bytes or more are remote reads and writes of the \
         network, where it has them: for less, to register the origin's memory takes longer than \
         to copy it into packets. Two puts to one place are ordered by a flush between them alone; \
         as messages, those of one process come in order, too.",
};

/// How a rank waits.
pub static WAIT: Setting = Setting {
    name: "DUNLIN_WAIT",
    kind: Kind::Choice(&["auto", "spin", "yield", "sleep"]),
    scope: Scope::Rank,
    default: "auto",
    doc: "How a waiting rank spends its time: `auto` (from cores and ranks), `spin`, `yield` (it \
         gives its core away at every poll: for ranks in containers that share cores) or `sleep`.",
};

/// When the progress thread serves arriving messages.
pub static PROGRESS: Setting = Setting {
    name: "DUNLIN_PROGRESS",
    kind: Kind::Choice(&["auto", "overlap", "thread", "none"]),
    scope: Scope::Rank,
    default: "auto",
    doc: "What a thread does while the program computes. Between nodes, messages that sends have \
         left behind always go on. `auto`: others' operations on a window of several nodes, too, \
         while there is one; and on one node, messages of 32 KiB and more and nonblocking \
         collectives, of programs that are seen to compute meanwhile, where `mpirun` has as many \
         cpus left as ranks; `overlap`: the same on one node wherever ranks run, for cores that \
         are free although `mpirun` does not know; `thread`: everything that has begun, also \
         within the node, which costs each call some nanoseconds; `none`: nothing else. \
         docs/network.md says more.",
};

/// The thread level that a process gets.
pub static THREAD_LEVEL: Setting = Setting {
    name: "DUNLIN_THREAD_LEVEL",
    kind: Kind::Choice(&["asked", "multiple"]),
    scope: Scope::Job,
    default: "asked",
    doc: "The thread level of a process: the one that it asks for, or `multiple` whatever it asks \
         for: for programs that call MPI from several threads at once without having asked for \
         `MPI_THREAD_MULTIPLE`, as dolfinx 0.5 does by way of PT-Scotch.",
};

/// How many virtual communication interfaces a process of several threads has.
pub static VCIS: Setting = Setting {
    name: "DUNLIN_VCIS",
    kind: Kind::Integer { min: 1, max: 8 },
    scope: Scope::Job,
    default: "4",
    doc: "Over how many virtual communication interfaces (VCIs) a process spreads the \
         point-to-point messages of its communicators under `MPI_THREAD_MULTIPLE`: threads in \
         different ones do not wait for one another. On one host; at most 8 there for up to 8 \
         ranks, 4 for up to 32, 1 for more. Programs of other thread levels have one.",
};

/// The user's table of collective algorithms.
pub static COLL_TUNING: Setting = Setting {
    name: "DUNLIN_COLL_TUNING",
    kind: Kind::Path,
    scope: Scope::Job,
    default: "",
    doc: "File with rules that choose the algorithms of collective operations, asked before \
         those that are shipped; docs/selection.md says how to write it.",
};

/// Algorithms to be used whatever the tables say.
pub static COLL_ALGORITHM: Setting = Setting {
    name: "DUNLIN_COLL_ALGORITHM",
    kind: Kind::Text,
    scope: Scope::Job,
    default: "",
    doc: "Algorithms for experiments, asked before any table, as in \
         `allreduce=ring,bcast=binomial`.",
};

/// Which ranks of a node share caches.
pub static DOMAINS: Setting = Setting {
    name: "DUNLIN_DOMAINS",
    kind: Kind::Text,
    scope: Scope::Job,
    default: "",
    doc: "How many consecutive ranks of a node share a last-level cache, a NUMA domain and a \
         socket, as in `8,24,48`, for collective algorithms that follow them (`cico_tree`); or \
         `none`. By default found from where ranks are bound.",
};

/// The model of this machine.
pub static MACHINE: Setting = Setting {
    name: "DUNLIN_MACHINE",
    kind: Kind::Text,
    scope: Scope::Job,
    default: "",
    doc: "The machine that this one is like, by the name of its model in `machines/`, as in \
         `hpc7g`, or `none`. It chooses the table of collective algorithms that is shipped for it. \
         By default found from instance, processor and adapters; `dunlin-info machine` shows which \
         one, and why.",
};

/// Which fabric carries packets between nodes.
pub static NET_FABRIC: Setting = Setting {
    name: "DUNLIN_NET_FABRIC",
    kind: Kind::Text,
    scope: Scope::Job,
    default: "auto",
    doc: "How packets go between nodes: `auto`, `udp`, `tcp`, `udp+tcp`, `ofi` (libfabric), \
         `ofi:` and one of its providers, as in `ofi:efa-direct`, or `ofi+tcp` (libfabric, and TCP \
         to peers that it does not reach). `auto` is `ofi+tcp` where all hosts have a device such \
         as EFA, else `udp+tcp`; `dunlin-info network` explains the choice.",
};

/// Where devices of fast networks are listed.
pub static NET_DEVICES: Setting = Setting {
    name: "DUNLIN_NET_DEVICES",
    kind: Kind::Text,
    scope: Scope::Rank,
    default: "/sys/class/infiniband:/sys/class/cxi",
    doc: "Directories in which `auto` looks for devices of fast networks, separated by colons; \
         `none`: it does not look. Only where there is one is libfabric loaded and tried.",
};

/// Where libfabric is.
pub static NET_LIBFABRIC: Setting = Setting {
    name: "DUNLIN_NET_LIBFABRIC",
    kind: Kind::Path,
    scope: Scope::Rank,
    default: "libfabric.so.1",
    doc: "The file of libfabric, loaded if it is the fabric, or may be.",
};

/// Which interfaces it uses.
pub static NET_INTERFACE: Setting = Setting {
    name: "DUNLIN_NET_INTERFACE",
    kind: Kind::Text,
    scope: Scope::Rank,
    default: "",
    doc: "Network interfaces to be used, by name or subnet, as in `eth0` or `10.1.0.0/16`, the \
         best first, separated by commas. By default all that lead to other hosts.",
};

/// Which ports it uses.
pub static NET_PORTS: Setting = Setting {
    name: "DUNLIN_NET_PORTS",
    kind: Kind::Text,
    scope: Scope::Rank,
    default: "",
    doc: "Ports to be used for messages between nodes, first and last, as in `20000-20999`. Each \
         rank of a host needs as many of them as there are flows (`DUNLIN_NET_FLOWS`), and with \
         `udp` one more, by which it says that it lives while it computes. By default the system \
         chooses.",
};

/// Over how many flows it spreads packets. Measured: four carry what one link can, and more only
/// reorder; more sockets than 64 help nobody.
pub static NET_FLOWS: Setting = Setting {
    name: "DUNLIN_NET_FLOWS",
    kind: Kind::Integer { min: 1, max: 64 },
    scope: Scope::Job,
    default: "4",
    doc: "Over how many flows a process spreads what it sends to another node, so that several \
         routes are used: source ports of `udp`, connections to each peer of `tcp`.",
};

/// How much packets between nodes are protected.
pub static NET_SECURITY: Setting = Setting {
    name: "DUNLIN_NET_SECURITY",
    kind: Kind::Choice(&["off", "authenticate", "encrypt"]),
    scope: Scope::Job,
    default: "off",
    doc: "How much messages between nodes are protected beyond what they always are (the beginning \
         of each packet, 128 bytes, shows that a process of the job has sent it, and once): \
         `off`, `authenticate` (all of each packet does) or `encrypt` (and nobody else can read \
         it). docs/security.md says against whom each helps, and \
         what it costs.",
};

/// After how many seconds without an answer a peer is lost.
pub static NET_TIMEOUT: Setting = Setting {
    name: "DUNLIN_NET_TIMEOUT",
    kind: Kind::Seconds { min: 1, max: DAY_S },
    scope: Scope::Rank,
    default: "20",
    doc: "After how long a peer on another node that does not answer is lost, and the job with \
         it.",
};

/// Whether ranks say at the end what the network has seen.
pub static NET_REPORT: Setting = Setting {
    name: "DUNLIN_NET_REPORT",
    kind: Kind::Choice(&["off", "end"]),
    scope: Scope::Rank,
    default: "off",
    doc: "`end`: in MPI_Finalize each rank says on standard error what it has seen of the network: \
         packets sent, sent again, received twice, and so on.",
};

/// Faults of the network, for tests.
pub static NET_FAULTS: Setting = Setting {
    name: "DUNLIN_NET_FAULTS",
    kind: Kind::Text,
    scope: Scope::Rank,
    default: "",
    doc: "Faults of the network for tests, from a seed, as in \
         `seed=1,drop=0.02,duplicate=0.01,reorder=0.2`; further `distance` (of reordering, in \
         packets), `delay`, `delay_us`, `stall`, `stall_us`, `busy`, `read` (of a peer's memory \
         fails).",
};

/// By which protocol a launcher that is not ours is asked.
pub static PMI: Setting = Setting {
    name: "DUNLIN_PMI",
    kind: Kind::Choice(&["auto", "pmix", "pmi2", "pmi1", "none"]),
    scope: Scope::Job,
    default: "auto",
    doc: "How a rank that another launcher has started asks it who the others are: `auto` (PMIx, \
         then PMI), `pmix`, `pmi2`, `pmi1`, or `none`: each process is a job of its own.",
};

/// Where the library of PMIx is.
pub static LIBPMIX: Setting = Setting {
    name: "DUNLIN_LIBPMIX",
    kind: Kind::Path,
    scope: Scope::Rank,
    default: "",
    doc: "The file of the library that speaks PMIx. By default the one that the launcher itself \
         uses, if that can be seen, or else `libpmix.so.2`.",
};

/// The command that starts agents on other hosts.
pub static RSH: Setting = Setting {
    name: "DUNLIN_RSH",
    kind: Kind::Text,
    scope: Scope::Launcher,
    default: "",
    doc: "The command by which mpirun starts its agents on other hosts, called with the host's \
          name and the agent's words; `--rsh` goes before it. By default `ssh`, and within a job \
          of Slurm, LSF or Grid Engine `srun`, `blaunch` or `qrsh`.",
};

/// Whether mpirun looks for a batch system's job around it.
pub static ALLOCATION: Setting = Setting {
    name: "DUNLIN_ALLOCATION",
    kind: Kind::Choice(&["auto", "none"]),
    scope: Scope::Launcher,
    default: "auto",
    doc: "Whether mpirun takes hosts and slots from the job of a batch system (Slurm, PBS, LSF, \
         Grid Engine) that it runs in: `auto`, or `none`, which leaves them to the command line.",
};

/// Which ABI's library ranks get.
pub static ABI: Setting = Setting {
    name: "DUNLIN_ABI",
    kind: Kind::Choice(&["auto", "standard", "mpich", "openmpi", "none"]),
    scope: Scope::Launcher,
    default: "auto",
    doc: "Which of Dunlin's libraries mpirun puts before others for the ranks: `auto` (that of the \
         ABI for which the program was built; for scripts and interpreters those of MPICH's and \
         Open MPI's), `standard`, `mpich`, `openmpi`, or `none`; `--abi` \
         goes before it.",
};

/// Agents that one process starts.
pub static AGENT_WIDTH: Setting = Setting {
    name: "DUNLIN_AGENT_WIDTH",
    kind: Kind::Integer { min: 1, max: u32::MAX as u64 },
    scope: Scope::Launcher,
    default: "32",
    doc: "How many agents mpirun, and each agent, starts itself; those start the others.",
};

/// Silence after which an agent counts as dead.
pub static AGENT_TIMEOUT: Setting = Setting {
    name: "DUNLIN_AGENT_TIMEOUT",
    kind: Kind::Seconds { min: 0, max: u32::MAX as u64 / 1000 },
    scope: Scope::Launcher,
    default: "10",
    doc: "After how long without a word mpirun and its agents on other hosts take each other for \
         dead and end the job; 0 is never.",
};

/// The C compiler behind `mpicc`.
pub static CC: Setting = Setting {
    name: "DUNLIN_CC",
    kind: Kind::Text,
    scope: Scope::Compiler,
    default: "cc",
    doc: "The compiler that `mpicc` calls, with any arguments of its own; `OMPI_CC` and `MPICH_CC` \
         are looked at next.",
};

/// The C++ compiler behind `mpicxx`.
pub static CXX: Setting = Setting {
    name: "DUNLIN_CXX",
    kind: Kind::Text,
    scope: Scope::Compiler,
    default: "c++",
    doc: "The compiler that `mpicxx` calls; `OMPI_CXX` and `MPICH_CXX` are looked at next.",
};

/// The Fortran compiler behind `mpifort`.
pub static FC: Setting = Setting {
    name: "DUNLIN_FC",
    kind: Kind::Text,
    scope: Scope::Compiler,
    default: "gfortran",
    doc: "The compiler that `mpifort` calls; `OMPI_FC` and `MPICH_FC` are looked at next. \
          Without gfortran it is `flang-new` or `flang`.",
};

/// Where the launcher left the job's segment: a file descriptor number.
pub static JOB_FD: Setting = Setting {
    name: "DUNLIN_JOB_FD",
    kind: DESCRIPTOR,
    scope: Scope::Identity,
    default: "",
    doc: "File descriptor of the job's shared segment; set by mpirun.",
};

/// This process's rank in `MPI_COMM_WORLD`.
pub static JOB_RANK: Setting = Setting {
    name: "DUNLIN_JOB_RANK",
    kind: Kind::Integer { min: 0, max: u32::MAX as u64 },
    scope: Scope::Identity,
    default: "",
    doc: "Rank of this process in MPI_COMM_WORLD; set by mpirun.",
};

/// Read end of the pipe whose write end only the launcher holds.
pub static JOB_LIFELINE: Setting = Setting {
    name: "DUNLIN_JOB_LIFELINE",
    kind: DESCRIPTOR,
    scope: Scope::Identity,
    default: "",
    doc: "File descriptor that closes when mpirun is gone; set by mpirun.",
};

/// The process of the launcher that has started this rank.
pub static JOB_LAUNCHER: Setting = Setting {
    name: "DUNLIN_JOB_LAUNCHER",
    kind: Kind::Integer { min: 1, max: i32::MAX as u64 },
    scope: Scope::Identity,
    default: "",
    doc: "Process number of the mpirun, or agent of it, that has started this rank; set by mpirun.",
};

/// What the launcher has told a rank by `PMI_FD`, `PMI_RANK` and `PMI_SIZE`: a process that is told
/// something else was started by another launcher, within a rank.
pub static JOB_PMI: Setting = Setting {
    name: "DUNLIN_JOB_PMI",
    kind: Kind::Text,
    scope: Scope::Identity,
    default: "",
    doc: "What mpirun has set PMI_FD, PMI_RANK and PMI_SIZE to, where it has: a process with other \
          values was started by another launcher; set by mpirun.",
};

/// Which part of an `mpirun a : b` command line this process belongs to.
pub static JOB_APPNUM: Setting = Setting {
    name: "DUNLIN_JOB_APPNUM",
    kind: Kind::Integer { min: 0, max: u32::MAX as u64 },
    scope: Scope::Identity,
    default: "",
    doc: "Number of the `:`-separated part of mpirun's command line; set by mpirun.",
};

/// Every setting Dunlin reads.
pub static TABLE: [&Setting; 37] = [
    &CMA,
    &RMA,
    &RMA_REMOTE_MIN,
    &WAIT,
    &PROGRESS,
    &THREAD_LEVEL,
    &VCIS,
    &COLL_TUNING,
    &COLL_ALGORITHM,
    &DOMAINS,
    &MACHINE,
    &NET_FABRIC,
    &NET_DEVICES,
    &NET_LIBFABRIC,
    &NET_INTERFACE,
    &NET_PORTS,
    &NET_FLOWS,
    &NET_SECURITY,
    &NET_TIMEOUT,
    &NET_REPORT,
    &NET_FAULTS,
    &PMI,
    &LIBPMIX,
    &RSH,
    &ALLOCATION,
    &ABI,
    &AGENT_WIDTH,
    &AGENT_TIMEOUT,
    &CC,
    &CXX,
    &FC,
    &JOB_FD,
    &JOB_RANK,
    &JOB_LIFELINE,
    &JOB_LAUNCHER,
    &JOB_PMI,
    &JOB_APPNUM,
];
