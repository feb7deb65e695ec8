/* A page that all ranks of a node share, made without the library that is measured, and a barrier
 * in it that lets the ranks go within a fraction of a microsecond of each other. */
#ifndef DUNLIN_BENCH_SHARED_H
#define DUNLIN_BENCH_SHARED_H

#include "bench_mpi.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BENCH_PATH_BYTES = 64 };

/* Where rank 0's file is, and how others know that it is this one: on another node a process may
 * happen to have the same number. */
struct bench_notice {
    char path[BENCH_PATH_BYTES];
    uint64_t word;
    uint64_t inode;
};

static inline int bench_offer(struct bench_notice *notice, size_t bytes)
{
    struct stat status;
    int fd = memfd_create("bench-shared", 0);
    if (fd < 0 || ftruncate(fd, (off_t)(bytes + sizeof notice->word)) != 0
        || fstat(fd, &status) != 0)
        bench_die("cannot make a file in memory: %s", strerror(errno));
    snprintf(notice->path, sizeof notice->path, "/proc/%ld/fd/%d", (long)getpid(), fd);
    notice->word = bench_now_ns() ^ (uint64_t)getpid() << 48;
    notice->inode = (uint64_t)status.st_ino;
    if (pwrite(fd, &notice->word, sizeof notice->word, (off_t)bytes) != sizeof notice->word)
        bench_die("cannot write to a file in memory: %s", strerror(errno));
    return fd;
}

/* Rank 0 makes a nameless file in memory and tells the others where the system shows it: nothing is
 * left behind, however the program ends. The memory is zero at first. NULL, on all ranks alike,
 * where some rank is on another node. */
static inline void *bench_share_if_one_node(int rank, size_t bytes)
{
    struct bench_notice notice = {{0}, 0, 0};
    int fd = rank == 0 ? bench_offer(&notice, bytes) : -1;
    MPI_Bcast(&notice, sizeof notice, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank != 0) fd = open(notice.path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    uint64_t word = 0;
    struct stat status = {0};
    int seen = fd >= 0 && fstat(fd, &status) == 0 && (uint64_t)status.st_ino == notice.inode
               && pread(fd, &word, sizeof word, (off_t)bytes) == sizeof word
               && word == notice.word;
    int all = 0; /* also keeps rank 0's descriptor until all have opened it */
    MPI_Allreduce(&seen, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    void *memory = NULL;
    if (all) memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) bench_die("cannot map shared memory: %s", strerror(errno));
    if (fd >= 0) close(fd);
    return memory;
}

/* The same for a program that means nothing on several nodes. */
static inline void *bench_share(int rank, size_t bytes)
{
    void *memory = bench_share_if_one_node(rank, bytes);
    if (memory == NULL)
        bench_die("the ranks do not share memory; all of them must run on one node");
    return memory;
}

/* Arrivals and departures lie apart: those who wait do not disturb those who arrive. */
struct bench_gate {
    _Alignas(128) uint64_t arrived;
    _Alignas(128) uint64_t opened;
    uint64_t leave_ns; /* when all go; set before `opened` */
};

enum {
    /* Who waits here helps the library along now and then: a message may need its sender. */
    BENCH_GATE_TRIES_PER_PROBE = 4096,
    /* From the last arrival to the instant at which all go: by then all have seen it. Without such
     * an instant the last one would go a cache line's way (60 to 100 ns) before the others. */
    BENCH_GATE_LEAD_NS = 2000,
    BENCH_GATE_DAWDLE_NS = 5000,
};

static inline void bench_gate_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Where ranks share cores, who arrives last decides whose turn on its core comes first, and the
 * library's last barrier would decide who that is: the same pattern again and again, in one launch
 * one, in the next another (a broadcast to 8 ranks 6 us or 9). So each rank dawdles a random while
 * before it arrives, up to a few turns. */
static inline void bench_gate_dawdle(int rank)
{
    static uint64_t state;
    if (state == 0) state = 0x9e3779b97f4a7c15u * (uint64_t)(rank + 1);
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    uint64_t until_ns = bench_now_ns() + state % BENCH_GATE_DAWDLE_NS;
    while (bench_now_ns() < until_ns) bench_gate_pause();
}

/* Waits for all ranks, and lets them go at one instant of the clock they share. `oversubscribed`:
 * more
 * ranks than cores, so each try gives the core away, and they go as they get theirs. */
static inline void bench_gate_pass(struct bench_gate *gate, int ranks, bool oversubscribed)
{
    /* Read before arriving: the gate cannot open for this round before this rank has arrived. */
    uint64_t round = __atomic_load_n(&gate->opened, __ATOMIC_ACQUIRE);
    /* The last arrival has seen all others (acq_rel), and its release opens the gate for them. */
    uint64_t before = __atomic_fetch_add(&gate->arrived, 1, __ATOMIC_ACQ_REL);
    if (before + 1 == (round + 1) * (uint64_t)ranks) {
        gate->leave_ns = oversubscribed ? 0 : bench_now_ns() + BENCH_GATE_LEAD_NS;
        __atomic_store_n(&gate->opened, round + 1, __ATOMIC_RELEASE);
    }
    for (long tries = 1; __atomic_load_n(&gate->opened, __ATOMIC_ACQUIRE) == round; tries++) {
        int flag = 0;
        if (tries % BENCH_GATE_TRIES_PER_PROBE == 0)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        if (oversubscribed) sched_yield();
        bench_gate_pause();
    }
    /* Not written again before this rank arrives again. */
    uint64_t leave_ns = gate->leave_ns;
    while (bench_now_ns() < leave_ns) bench_gate_pause();
}

#endif
