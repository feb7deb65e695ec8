/* Where each rank runs, seen from inside the job: what a launcher was asked for and what it did are
 * not always the same. */
#ifndef DUNLIN_BENCH_PLACEMENT_H
#define DUNLIN_BENCH_PLACEMENT_H

#include "bench.h"
#include <mpi.h>
#include <unistd.h>

enum { BENCH_HOST_BYTES = 256, BENCH_CPUS_BYTES = 512 };

struct bench_place {
    char host[BENCH_HOST_BYTES];
    char cpus[BENCH_CPUS_BYTES]; /* as in 0-3,8 */
    int usable;                  /* cores, before it pinned itself */
};

static inline void bench_read_host(char host[BENCH_HOST_BYTES])
{
    if (gethostname(host, BENCH_HOST_BYTES - 1) != 0)
        bench_die("the name of this host cannot be read: %s", strerror(errno));
}

/* What tells the machine of this rank from others: its kernel's number, which namespaces and
 * containers that look like hosts share, as they share its cores; else the host's name. */
static inline void bench_read_machine(char machine[BENCH_HOST_BYTES])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    bool is_read = file != NULL && fgets(machine, BENCH_HOST_BYTES, file) != NULL;
    if (file != NULL) fclose(file);
    if (!is_read) bench_read_host(machine);
}

/* FNV-1a: two machines of one job with the same number are not to be expected. */
static inline uint64_t bench_machine_number(void)
{
    char machine[BENCH_HOST_BYTES] = {0};
    uint64_t number = 0xcbf29ce484222325u;
    bench_read_machine(machine);
    for (const char *c = machine; *c != '\0'; c++)
        number = (number ^ (unsigned char)*c) * 0x100000001b3u;
    return number;
}

/* This rank's number among those of its machine. A communicator of these would tell it too, and be
 * one that the program itself did not ask for. */
static inline int bench_local_rank(int rank, int ranks)
{
    uint64_t mine = bench_machine_number();
    uint64_t *all = (uint64_t *)(void *)bench_alloc((size_t)ranks * sizeof mine);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    int before = 0;
    for (int i = 0; i < rank; i++) before += all[i] == mine;
    free(all);
    return before;
}

/* As much of the list as there is room for; a machine with so many gaps is not known. */
static inline void bench_list_cpus(char *text, size_t bytes)
{
    cpu_set_t allowed;
    size_t used = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    for (int first = 0; first < CPU_SETSIZE; first++) {
        if (!CPU_ISSET(first, &allowed)) continue;
        int last = first;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &allowed)) last++;
        const char *comma = used == 0 ? "" : ",";
        int more = last > first
                       ? snprintf(text + used, bytes - used, "%s%d-%d", comma, first, last)
                       : snprintf(text + used, bytes - used, "%s%d", comma, first);
        if (more < 0 || (size_t)more >= bytes - used) {
            text[used] = '\0';
            return;
        }
        used += (size_t)more;
        first = last;
    }
}

static inline void bench_tell_placement(int rank, int ranks, int usable)
{
    struct bench_place mine = {.usable = usable}, *all = NULL;
    bench_read_host(mine.host);
    bench_list_cpus(mine.cpus, sizeof mine.cpus);
    if (rank == 0) all = (struct bench_place *)bench_alloc((size_t)ranks * sizeof *all);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank != 0) return;
    printf("{\"placement\": [");
    for (int i = 0; i < ranks; i++)
        printf("%s{\"rank\": %d, \"host\": \"%s\", \"cpus\": \"%s\", \"usable\": %d}",
               i == 0 ? "" : ", ", i, all[i].host, all[i].cpus, all[i].usable);
    puts("]}");
    fflush(stdout);
    free(all);
}

#endif
