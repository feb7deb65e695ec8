/* Linked into every program and shared object by mpifort: tells the library where that has the
 * common block /MPI_DUNLIN/ (MPI_IN_PLACE, MPI_BOTTOM, ...). The linker makes the blocks of a
 * program and its libraries one, but not those of libraries that are loaded while it runs. */
extern char mpi_dunlin_[];
void dunlin_fortran_block_begins(const void *block);
void dunlin_fortran_block_ends(const void *block);

/* What mpifort asks the linker for (-u). */
__attribute__((visibility("hidden"))) void dunlin_fortran_block(void) {}

__attribute__((constructor)) static void begin(void) { dunlin_fortran_block_begins(mpi_dunlin_); }

__attribute__((destructor)) static void end(void) { dunlin_fortran_block_ends(mpi_dunlin_); }
