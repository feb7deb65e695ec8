/* For LD_PRELOAD: a machine of 16 cores, as mpirun and the library see it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

enum { CORES = 16 };

int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    int (*real)(pid_t, size_t, cpu_set_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "sched_getaffinity");
    int result = real(pid, bytes, set);
    for (int core = 0; result == 0 && core < CORES; core++)
        CPU_SET_S(core, bytes, set);
    return result;
}
