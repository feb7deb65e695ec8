#!/bin/sh
# prefix.sh TARGET PREFIX: lays out what cargo built in TARGET/release as a prefix a user can put on
# PATH. The prefix may be moved afterwards: nothing in it holds its own path.
set -eu
cd "$(dirname "$0")/.."
built=$1/release
prefix=$2

mkdir -p "$prefix/bin" "$prefix/lib/pkgconfig" "$prefix/include" "$prefix/share/doc/dunlin"
install -m 755 "$built/mpirun" "$built/mpicc" "$built/dunlin-info" "$built/dunlin-sim" \
    "$prefix/bin/"
# mpicc learns from its own name which compiler it stands for.
for name in mpicxx mpic++ mpifort mpif77 mpif90; do ln -sf mpicc "$prefix/bin/$name"; done
ln -sf mpirun "$prefix/bin/mpiexec"
install -m 755 "$built/libmpi_abi.so" "$prefix/lib/libmpi_abi.so.1"
ln -sf libmpi_abi.so.1 "$prefix/lib/libmpi_abi.so"
install -m 755 "$built/libmpi_abi_fortran.so" "$prefix/lib/libmpi_abi_fortran.so.1"
ln -sf libmpi_abi_fortran.so.1 "$prefix/lib/libmpi_abi_fortran.so"
block=$(mktemp -d)
"${CC:-cc}" -c -O2 -fPIC fortran/block.c -o "$block/block.o"
rm -f "$prefix/lib/libdunlin_fortran_block.a"
ar crs "$prefix/lib/libdunlin_fortran_block.a" "$block/block.o"
rm -r "$block"
# The libraries that programs look for which were built for other ABIs: their names, what they are
# made of, and what they need. DT_RPATH: other libraries of MPI bring files of these names too,
# perhaps in LD_LIBRARY_PATH.
family() {
    soname=$1 source=$2
    shift 2
    "${CC:-cc}" -shared -fPIC -O2 "families/$source" -o "$folder/$soname" -Wl,-soname,"$soname" \
        -Wl,--disable-new-dtags,-rpath,'$ORIGIN:$ORIGIN/..' -Wl,-z,defs,--no-as-needed "$@"
}
c=$prefix/lib/libmpi_abi.so.1 fortran=$prefix/lib/libmpi_abi_fortran.so.1
folder=$prefix/lib/mpich
mkdir -p "$folder"
family libmpi.so.12 mpich.c "$c"
family libmpifort.so.12 mpich_fortran.c "$folder/libmpi.so.12" "$fortran"
# Debian's names of them.
ln -sf libmpi.so.12 "$folder/libmpich.so.12"
ln -sf libmpifort.so.12 "$folder/libmpichfort.so.12"
folder=$prefix/lib/openmpi
mkdir -p "$folder"
family libmpi.so.40 openmpi.c "$c"
family libmpi_mpifh.so.40 openmpi_fortran.c "$folder/libmpi.so.40" "$fortran"
family libmpi_usempif08.so.40 openmpi_f08.c "$folder/libmpi_mpifh.so.40" "$folder/libmpi.so.40" \
    "$fortran"
# The module mpi has no subroutines of its own.
family libmpi_usempi_ignore_tkr.so.40 openmpi_usempi.c "$folder/libmpi_mpifh.so.40"
install -m 644 include/*.h "$prefix/include/"
install -m 644 README.md CHANGELOG.md LICENSE-* docs/*.md "$prefix/share/doc/dunlin/"

mkdir -p "$prefix/share/dunlin/fortran" "$prefix/share/modulefiles/dunlin"
# With their times, by which mpifort knows modules that it has built.
install -p -m 644 fortran/*.f90 "$prefix/share/dunlin/fortran/"
install -m 755 packaging/slurm.sh packaging/pbs.sh "$prefix/share/dunlin/"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
cat >"$prefix/lib/pkgconfig/dunlin.pc" <<PC
prefix=\${pcfiledir}/../..
includedir=\${prefix}/include
libdir=\${prefix}/lib

Name: dunlin
Description: MPI 5.0 standard ABI library
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -Wl,-rpath,\${libdir} -lmpi_abi
PC
# For programs that include mpif.h; modules.sh adds the modules.
cat >"$prefix/lib/pkgconfig/dunlin-fortran.pc" <<PC
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib

Name: dunlin-fortran
Description: MPI for Fortran
Version: $version
Requires: dunlin
Libs: -L\${libdir} -Wl,-u,dunlin_fortran_block -ldunlin_fortran_block -lmpi_abi_fortran
PC

install -m 644 packaging/modulefile.tcl "$prefix/share/modulefiles/dunlin/$version"
install -m 644 packaging/modulefile.lua "$prefix/share/modulefiles/dunlin/$version.lua"
