#%Module1.0
# Dunlin, for Environment Modules and Lmod. It lies in PREFIX/share/modulefiles/dunlin/VERSION and finds
# the prefix from there: `module use PREFIX/share/modulefiles; module load dunlin`.
set prefix [file dirname [file dirname [file dirname [file dirname $ModulesCurrentModulefile]]]]
set version [file tail $ModulesCurrentModulefile]

module-whatis "Dunlin $version: an MPI library of the MPI 5.0 standard ABI, and its launcher"

proc ModulesHelp {} {
    global prefix version
    puts stderr "Dunlin $version in $prefix: mpicc, mpicxx, mpifort, mpirun,"
    puts stderr "dunlin-info; see $prefix/share/doc/dunlin/README.md."
}

# One MPI library at a time.
conflict dunlin mpich openmpi mvapich2 intelmpi intel-mpi impi

prepend-path PATH $prefix/bin
prepend-path PKG_CONFIG_PATH $prefix/lib/pkgconfig
# For programs that another library built for the standard ABI.
prepend-path LD_LIBRARY_PATH $prefix/lib
# Where CMake's FindMPI and others look first.
setenv MPI_HOME $prefix
