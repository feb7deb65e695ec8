/* libmpi_usempi_ignore_tkr.so.40: what programs look for that use Open MPI's module mpi. All that
   they call is in libmpi_mpifh.so.40, which this library needs. */

int dunlin_openmpi_usempi;
