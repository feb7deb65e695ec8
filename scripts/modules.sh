#!/bin/sh
# modules.sh PREFIX: builds the Fortran modules of a prefix for the compilers that are there, so
# that users need none of their own. Without a compiler it says how to get one.
set -eu
prefix=$1
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT

for compiler in ${DUNLIN_FC:-gfortran flang-new flang}; do
    command -v "$compiler" >/dev/null || continue
    DUNLIN_FC=$compiler XDG_CACHE_HOME=$built \
        "$prefix/bin/mpifort" -showme:compile >/dev/null 2>&1 ||
        echo "the MPI modules cannot be built with $compiler; mpifort says why"
done
if [ ! -d "$built/dunlin/fortran" ]; then
    echo "No Fortran compiler: mpifort needs one, such as Debian's gfortran."
    exit
fi
mkdir -p "$prefix/lib/fortran"
cp -r "$built/dunlin/fortran/." "$prefix/lib/fortran/"
