"""What is measured of every library: programs, ranks, sizes, and which of a program's figures
counts."""

from dataclasses import dataclass, field, replace
from fnmatch import fnmatch

from dunlin.peers.libraries import CALM, IDLE, ONE_CORE, OVERSUBSCRIBED

KIB, MIB = 1 << 10, 1 << 20
MESSAGE_SIZES = [8, 64, 256, KIB, 4 * KIB, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 256 * KIB, MIB,
                 4 * MIB]
COLLECTIVE_SIZES = [8, KIB, 8 * KIB, 64 * KIB, MIB]
COLLECTIVE_RANKS = [2, 4, 8]
# Only where there is a core for each: elsewhere it says what 8 ranks say.
COLLECTIVE_RANKS_WIDE = 16
OPERATIONS = ["barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall", "gather",
              "scatter", "reduce_scatter"]
OPERATIONS_FULL = [*OPERATIONS, "allgatherv", "alltoallv", "gatherv", "scatterv",
                   "reduce_scatter_block", "scan", "exscan"]
# Beside an operator that MPI does not know.
USER_OP = "allreduce_user_op"
# What lies about while messages go: bench_beside.h.
BESIDE = ["posted", "unexpected", "window", "collective"]
# Derived datatypes of bench_layout.h: a structure with a gap, an irregular list of blocks, a vector
# of structures of structures. Sizes count elements: of 80, 16 (on average) and 79 bytes.
LAYOUTS = ["gap", "indexed", "table"]
LAYOUTS_QUICK = ["gap"]
LAYOUT_SIZES = [64, 4096, 262144]
LAYOUT_SIZES_QUICK = [64, 4096]
LAYOUT_RANKS = [2, 4]
RING_RANKS = [4, 8]
START_RANKS = [2, 16, 64]
START_RANKS_FULL = [2, 16, 128]
MEMORY_RANKS = [2, 16, 64]
PAIRS_RANKS = [4, 8]
THREADS = 2
THREADS_FULL = [2, 4]
# One partition of 8.
PARTITION_SIZES = [KIB, 4 * KIB, 16 * KIB, 64 * KIB]
# Threads that fill partitions.
FILLERS, FILLERS_FULL = [1, 2], [1, 2, 4]
# How pairs of threads share communicators.
COMMUNICATORS = ["shared", "own"]
OVERLAP_SIZES = [8, 8 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB]
# Where much of an operation may be hidden, if somebody has a core for it; operations for that; and
# how much longer ranks sleep than it takes: less than a thread waits before it sleeps itself.
LONG_SIZES = [64 * KIB, 256 * KIB, MIB, 4 * MIB]
FREE_CORE_OPS = ["bcast", "allreduce", "allgather", "alltoall"]
IDLE_US = 100
# Windows from 8 KiB, below which no buffer matters, to 1 MiB: 64 longer ones would fill the memory
# of small machines.
WINDOW_SIZES = [size for size in MESSAGE_SIZES if 8 * KIB <= size <= MIB]
# Calls that complete a window beside `MPI_Waitall`.
COMPLETIONS = ["waitany", "waitsome", "testall", "testany", "testsome"]
# Which buffers a window of `bandwidth` uses. Of 64 in turn, each is cold when it is sent.
BUFFERS = {"one_buffer": ["--one-buffer"], "own_buffers": ["--rotate", "64"]}
WINDOW_FLAVORS = ["allocate", "create", "dynamic"]
WINDOW_FLAVORS_FULL = [*WINDOW_FLAVORS, "shared"]
ONESIDED_SIZES = [8, KIB, 64 * KIB, MIB]
# Operations that one epoch or flush completes, where their rate is measured.
OPERATIONS_IN_FLIGHT = 64
# 64 operations of 1 MiB would measure how the machine writes to memory, for 13 s a launch.
ONESIDED_RATE_SIZES = [8, KIB, 64 * KIB]

# Nonblocking and persistent operations, where one launch takes some four times as long.
APART_RANKS, APART_RANKS_QUICK = [2, 4], [2]

# Where one figure has to do. In these every rank needs something of every other: none can run ahead
# by more than one operation, so the time of one in an unbroken row is the time to completion, free
# of what separating them costs. Of the others a row shows how well they overlap, and completion is
# measured one by one.
ROW_COUNTS = {"barrier", "allreduce", "allgather", "allgatherv", "alltoall", "alltoallv",
              "reduce_scatter", "reduce_scatter_block"}


# Of these the first calls are measured, of one size in each launch.
FIRST_OPS = ["bcast", "allreduce", "allgather", "alltoall", "reduce_scatter"]
FIRST_SIZES = [8 * KIB, 16 * KIB, 64 * KIB, MIB]


# What follows the name of a persistent operation.
PERSISTENT = "_init"


@dataclass(frozen=True)
class Figure:
    """The figure of a benchmark's rows that counts, and its unit."""

    key: str
    unit: str  # of the record's key, as in median_us
    more_is_better: bool = False
    kind: str = ""  # of the further figures of a row: follows its name and its group's

    def names(self, text: str) -> str:
        """A benchmark or a group, with what is measured of it."""
        return f"{text}, {self.kind}" if self.kind else text


MICROSECONDS = Figure("median_us", "us")
MEGABYTES = Figure("median_mb_per_s", "mbps", more_is_better=True)
MESSAGES = Figure("messages_per_s", "messages_per_s", more_is_better=True)
RATE = Figure("operations_per_s", "operations_per_s", more_is_better=True)
COMPUTING = Figure("computing_ms", "ms")
COMPLETE, IN_A_ROW = Figure("complete_us", "us"), Figure("in_a_row_us", "us")
OWN = Figure("local_us", "us", kind="own time")
# What is fast by one clock may be slow by another.
OTHER_CLOCKS = (OWN, Figure("after_barrier_us", "us", kind="own time after a barrier"),
                replace(IN_A_ROW, kind="in a row"))
# Beside the partitions of one message: as many messages.
SEPARATE = Figure("separate_us", "us", kind="separate messages")
# Not the time around a computation, which is as long as each library's own time alone.
ALONE = Figure("pure_us", "us")
# As many calls as OSU's programs measure of long ones, after as many as they leave out; and these.
NEXT, FIRST = Figure("next_us", "us"), Figure("first_us", "us", kind="the first ten")
# What such a computation did not hide.
EXPOSED = Figure("exposed_us", "us")


@dataclass(frozen=True)
class Case:
    """One command that every library runs."""

    benchmark: str
    group: str
    program: str
    ranks: int
    figure: Figure
    arguments: list[str] = field(default_factory=list)
    situation: str = CALM
    from_outside: bool = False  # the wall-clock time of the whole job counts
    cores: int | None = None    # so many of the machine's cores, where fewer than all
    by_row: bool = False        # each row names what it is of: one launch measures many
    more: tuple[Figure, ...] = ()  # that count, too, each under its own name

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.benchmark}, {self.ranks} ranks"


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    cores: int
    full: bool
    ranks: list[int] | None = None
    sizes: list[int] | None = None
    only: list[str] | None = None

    def situation(self, ranks: int) -> str:
        """Is there a core for each rank?"""
        return CALM if ranks <= self.cores else OVERSUBSCRIBED

    def wants(self, case: Case) -> bool:
        """Has the caller asked for it?"""
        named = not self.only or any(fnmatch(name, pattern) for pattern in self.only
                                     for name in (case.benchmark, case.group))
        return named and (not self.ranks or case.ranks in self.ranks)

    def budget(self, full_ms: int, quick_ms: int) -> list[str]:
        """Milliseconds for each size."""
        return ["--budget", str(full_ms if self.full else quick_ms)]

    def sized(self, sizes: list[int]) -> list[str]:
        """The caller's sizes, or these."""
        return ["--sizes", ",".join(map(str, self.sizes or sizes))]

    def multiples(self, usual: list[int]) -> list[int]:
        """The caller's ranks, or these."""
        return self.ranks or usual


def pairs(plan: Plan) -> list[Case]:
    """Two ranks on two cores; the first core of a machine with one serves both."""
    situation = plan.situation(2)
    sizes, budget = plan.sized(MESSAGE_SIZES), plan.budget(100, 40)
    rate = [*plan.sized([8]), *budget]
    cases = [
        Case("latency", "latency", "latency", 2, MICROSECONDS, [*sizes, *budget], situation),
        Case("bandwidth", "bandwidth", "bandwidth", 2, MEGABYTES, [*sizes, *budget], situation),
        Case("bandwidth_both_ways", "bandwidth", "bandwidth", 2, MEGABYTES,
             ["--both-ways", *sizes, *budget], situation),
        Case("message_rate", "message rate", "bandwidth", 2, MESSAGES, rate, situation),
        Case("latency_one_core", "latency on one core", "latency", 2, MICROSECONDS,
             [*plan.sized([8]), *budget], ONE_CORE, cores=1),
        Case("latency_threads", "latency with threads", "latency_threads", 2, MICROSECONDS,
             ["--threads", "1", *plan.sized([8, KIB]), *budget], situation),
    ]
    cases += [*crossing(plan), *beside(plan), *windows(plan), *completions(plan), *threads(plan),
              *partitions(plan),
              Case("exchange", "messages behind a computation", "overlap", 2, ALONE,
                   [*plan.sized(OVERLAP_SIZES), *budget], situation), *beside_free_cores(plan)]
    if plan.full:
        cases += [Case("message_rate", "message rate", "bandwidth", n, MESSAGES, rate,
                       plan.situation(n)) for n in plan.multiples(PAIRS_RANKS)]
    return cases


def beside_free_cores(plan: Plan) -> list[Case]:
    """What is left of long operations where whoever makes progress has a core while ranks compute:
    here ranks sleep instead, so that theirs are free."""
    words = [*plan.sized(LONG_SIZES), "--idle", str(IDLE_US), *plan.budget(100, 60)]
    cases: list[tuple[str, str, list[str]]] = [("exchange", "overlap", [])]
    cases += [(f"i{op}", "collective", ["--mode", "nonblocking", "--op", op])
              for op in FREE_CORE_OPS]
    return [Case(f"{name}_free_cores", "exposed beside free cores", program, 2, EXPOSED,
                 [*how, *words], IDLE) for name, program, how in cases]


def crossing(plan: Plan) -> list[Case]:
    """Messages that cross, whose receives are posted first, and messages of data that were just
    written: what an exchange of halos does, and a ping-pong does not. And messages in synchronous
    mode."""
    words = [*plan.sized(MESSAGE_SIZES), *plan.budget(100, 40)]
    return [Case(name, "messages that cross", "latency", 2, MICROSECONDS, [*how, *words],
                 plan.situation(2))
            for name, how in (("latency_both_ways", ["--both-ways"]),
                              ("latency_written", ["--write"]),
                              ("latency_both_ways_written", ["--both-ways", "--write"]),
                              ("latency_ssend", ["--mode", "ssend"]))]


def beside(plan: Plan) -> list[Case]:
    """Messages while something lies about, as in most programs: a receive that is posted for later,
    a message that nobody has received yet, a window, a collective that others have not begun."""
    words = [*plan.sized([8, 2 * KIB]), *plan.budget(50, 20)]
    return [Case(f"latency{ways}_beside_{name}", "messages beside something", "latency", 2,
                 MICROSECONDS, ["--beside", name, *how, *words], plan.situation(2))
            for name in BESIDE
            for ways, how in (("", []), ("_both_ways", ["--both-ways"]))]


def windows(plan: Plan) -> list[Case]:
    """One buffer for all messages of a window, and one for each."""
    words = [*plan.sized(WINDOW_SIZES), *plan.budget(100, 40)]
    return [Case(f"bandwidth{ways}_{name}", "bandwidth by buffers", "bandwidth", 2, MEGABYTES,
                 [*both, *buffers, *words], plan.situation(2))
            for name, buffers in BUFFERS.items()
            for ways, both in (("", []), ("_both_ways", ["--both-ways"]))]


def completions(plan: Plan) -> list[Case]:
    """8 messages each way, completed by other calls than `MPI_Waitall`."""
    words = ["--both-ways", "--window", "8", *plan.sized([8]), *plan.budget(100, 40)]
    return [Case(f"bandwidth_both_ways_{mode}", "calls that complete some", "bandwidth", 2,
                 MESSAGES, ["--mode", mode, *words], plan.situation(2))
            for mode in COMPLETIONS]


def threads(plan: Plan) -> list[Case]:
    """Several threads of each rank at once."""
    budget, cases = plan.budget(100, 40), []
    for count in THREADS_FULL if plan.full else [THREADS]:
        words = ["--threads", str(count), *budget]
        situation = plan.situation(2 * count)
        cases += [Case(f"message_rate_{count}_threads_{mode}", "message rate with threads",
                       "threads_rate", 2, MESSAGES, ["--mode", mode, *words, *plan.sized([8])],
                       situation) for mode in COMMUNICATORS]
        if plan.full:
            cases.append(Case(f"latency_{count}_threads", "latency with threads",
                              "latency_threads", 2, MICROSECONDS, [*words, *plan.sized([8, KIB])],
                              situation))
    # Threads of one rank that send to themselves: whether one makes another wait.
    for count, name in [(1, "1_thread"), (THREADS, f"{THREADS}_threads")]:
        words = ["--mode", "alone", "--threads", str(count), *budget, *plan.sized([8])]
        cases.append(Case(f"message_rate_{name}_alone", "message rate with threads",
                          "threads_rate", 1, MESSAGES, words, plan.situation(count)))
    one = ["--threads", "1", *budget, *plan.sized([8])]
    return [*cases, Case("message_rate_1_thread", "message rate with threads", "threads_rate", 2,
                         MESSAGES, one, plan.situation(2))]


def partitions(plan: Plan) -> list[Case]:
    """8 partitions of one message that threads fill, beside 8 separate messages of theirs."""
    words = [*plan.sized(PARTITION_SIZES), *plan.budget(100, 40)]
    return [Case(f"partitioned_{count}_thread{'s' if count > 1 else ''}", "partitioned messages",
                 "partitioned", 2, Figure("partitioned_us", "us"),
                 ["--threads", str(count), *words], plan.situation(1 + count), more=(SEPARATE,))
            for count in (FILLERS_FULL if plan.full else FILLERS)]


def collective_figure(op: str) -> Figure:
    """Which of the times of an operation counts, where one has to do."""
    return IN_A_ROW if op in ROW_COUNTS else COMPLETE


def collectives(plan: Plan) -> list[Case]:
    """Each operation by itself, so that libraries take turns within seconds."""
    wide = [COLLECTIVE_RANKS_WIDE] if plan.cores >= COLLECTIVE_RANKS_WIDE else []
    cases = []
    for ranks in plan.multiples(COLLECTIVE_RANKS + wide):
        for op in [*(OPERATIONS_FULL if plan.full or plan.only else OPERATIONS), USER_OP]:
            cases.append(Case(op, f"collectives, {ranks} ranks", "collective", ranks, COMPLETE,
                              ["--op", op, *plan.sized(COLLECTIVE_SIZES), *plan.budget(50, 20)],
                              plan.situation(ranks), more=OTHER_CLOCKS))
    return cases


def first_calls(plan: Plan) -> list[Case]:
    """The first calls that a job makes."""
    return [Case(f"first_{op}", "first calls, 2 ranks", "collective", 2, NEXT,
                 ["--mode", "first", "--op", op, "--sizes", str(size)], plan.situation(2),
                 more=(FIRST,))
            for op in FIRST_OPS for size in plan.sizes or FIRST_SIZES]


def collectives_apart(plan: Plan) -> list[Case]:
    """Operations that begin in one call and end in another: nonblocking as in `ibcast`, persistent
    as in `bcast_init`."""
    cases = []
    usual = APART_RANKS if plan.full or plan.only else APART_RANKS_QUICK
    for ranks in plan.multiples(usual):
        for mode, name in ("nonblocking", "i{}"), ("persistent", "{}" + PERSISTENT):
            cases += [Case(name.format(op), f"{mode} collectives, {ranks} ranks", "collective",
                           ranks, ALONE, ["--mode", mode, "--op", op,
                                          *plan.sized(COLLECTIVE_SIZES), *plan.budget(50, 10)],
                           plan.situation(ranks)) for op in OPERATIONS]
    return cases


def structures(plan: Plan) -> list[Case]:
    """Derived datatypes: packed and unpacked, sent to and fro, broadcast."""
    sizes = LAYOUT_SIZES if plan.full else LAYOUT_SIZES_QUICK
    budget = plan.budget(50, 20)
    cases = []
    for name in LAYOUTS if plan.full or plan.only else LAYOUTS_QUICK:
        packing = ["--layout", name, *plan.sized([1, *sizes]), *budget]
        moving = ["--layout", name, *plan.sized(sizes), *budget]
        cases += [Case(f"{way}_{name}", "structures packed", "pack_layout", 1,
                       Figure(f"{way}_us", "us"), packing) for way in ("pack", "unpack")]
        cases.append(Case(f"latency_{name}", "structures sent", "latency", 2, MICROSECONDS, moving,
                          plan.situation(2)))
        cases += [Case(f"bcast_{name}", "structures broadcast", "collective", n,
                       collective_figure("bcast"), ["--op", "bcast", *moving], plan.situation(n))
                  for n in plan.multiples(LAYOUT_RANKS)]
    return cases


def onesided(plan: Plan) -> list[Case]:
    """Windows of each flavor: every operation with every synchronisation, one by one and many at
    once; and a target that computes."""
    found = []
    many = ["--window", str(OPERATIONS_IN_FLIGHT)]
    for flavor in WINDOW_FLAVORS_FULL if plan.full else WINDOW_FLAVORS:
        words = ["--flavor", flavor, *plan.budget(20, 5)]
        one_by_one = [*words, *plan.sized(ONESIDED_SIZES)]
        at_once = [*words, *many, *plan.sized(ONESIDED_RATE_SIZES)]
        found += [
            Case(f"onesided_{flavor}", f"one-sided, {flavor}", "onesided", 2, MICROSECONDS,
                 one_by_one, plan.situation(2), by_row=True),
            Case(f"onesided_rate_{flavor}", f"one-sided rate, {flavor}", "onesided", 2, RATE,
                 at_once, plan.situation(2), by_row=True),
        ]
    return [*found, from_malloc(plan), *operations_beside(plan), passive_target(plan)]


def from_malloc(plan: Plan) -> Case:
    """Operations from and to memory as `malloc` gives it, on memory that begins with a page: some
    processors copy that slowly."""
    words = ["--offset", "16", "--flavor", "allocate", "--op", "put,get,get_accumulate", "--sync",
             "lock", *plan.sized(ONESIDED_RATE_SIZES), *plan.budget(20, 5)]
    return Case("onesided_malloc", "one-sided, memory of malloc", "onesided", 2, MICROSECONDS,
                words, plan.situation(2), by_row=True)


def operations_beside(plan: Plan) -> list[Case]:
    """Operations while something lies about, as in `beside`."""
    words = ["--flavor", "create", "--op", "put,fetch_and_op", "--sync", "lock", *plan.sized([8]),
             *plan.budget(20, 5)]
    return [Case(f"onesided_beside_{name}", "one-sided beside something", "onesided", 2,
                 MICROSECONDS, ["--beside", name, *words], plan.situation(2), by_row=True)
            for name in ("posted", "unexpected")]


def passive_target(plan: Plan) -> Case:
    """Operations while the target computes."""
    return Case("passive_target", "passive target", "passive_target", 2, COMPUTING, [],
                plan.situation(2), by_row=True)


def jobs(plan: Plan) -> list[Case]:
    """Whole jobs: a token round all ranks, the start and the end, memory."""
    figure = Figure("median_us_per_hop", "us")
    cases = [Case("ring", "ring", "ring", n, figure, plan.budget(200, 50), plan.situation(n))
             for n in plan.multiples(RING_RANKS)]
    starts = START_RANKS_FULL if plan.full else START_RANKS
    cases += [Case("startup", "start-up", "startup", n, Figure("ms", "ms"), [], plan.situation(n),
                   from_outside=True) for n in plan.multiples(starts)]
    cases += [Case("memory", "memory per rank", "memory", n, Figure("init_pss_kib", "kib"), [],
                   plan.situation(n)) for n in plan.multiples(MEMORY_RANKS)]
    return cases


def cases_of(plan: Plan) -> list[Case]:
    """All that is to be measured."""
    every = [*pairs(plan), *collectives(plan), *collectives_apart(plan), *first_calls(plan),
             *structures(plan), *onesided(plan), *jobs(plan)]
    return [c for c in every if plan.wants(c)]
