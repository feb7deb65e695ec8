/* The part of abi_vs_standard that is compiled with the standard's header. The library is in the
 * process already; its functions have the names of the other ABI's, so they are asked for one by
 * one. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

enum { TAG = 1, WINDOW = 64 };

#define DECLARE(name) static __typeof(&MPI_##name) standard_##name;
#define FIND(name) standard_##name = (__typeof(&MPI_##name))dlsym(library, "MPI_" #name);
#define ALL(DO) DO(Send) DO(Recv) DO(Isend) DO(Irecv) DO(Waitall) DO(Allreduce)
ALL(DECLARE)

void find_standard(void);
void find_standard(void)
{
    void *library = dlopen("libmpi_abi.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL) {
        fputs("abi_vs_standard: it runs without libmpi_abi.so.1: start it with Dunlin's mpirun\n",
              stderr);
        exit(2);
    }
    ALL(FIND)
}

#define CALLS(name) standard_##name
#define FUNCTION(name) standard_##name
#include "abi_vs_standard.h"
