/* A typical profiling tool: it defines MPI_Send and MPI_Finalize and calls the library by PMPI_. */
/* kind: library */
#include <mpi.h>

int pmpi_tool_sends;
int pmpi_tool_finalizes;

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    pmpi_tool_sends++;
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Finalize(void)
{
    pmpi_tool_finalizes++;
    return PMPI_Finalize();
}
