#!/bin/sh
# Builds and runs a project that finds MPI with CMake. Usage: run.sh PREFIX, an installed Dunlin.
set -eu
prefix=$(cd "${1:?usage: run.sh PREFIX}" && pwd)
source=$(cd "$(dirname "$0")" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

cmake -S "$source" -B "$build" -DMPI_HOME="$prefix" > "$build/configure.log" || {
    cat "$build/configure.log"
    exit 1
}
# Another MPI on this machine must not have been found instead.
for found in MPI_C_COMPILER=$prefix/bin/mpicc MPI_CXX_COMPILER=$prefix/bin/mpicxx \
    MPIEXEC_EXECUTABLE=$prefix/bin/mpiexec; do
    grep -q "^${found%%=*}:[A-Z]*=${found#*=}\$" "$build/CMakeCache.txt" || {
        echo "CMake did not find $found:"
        grep "^${found%%=*}" "$build/CMakeCache.txt"
        exit 1
    }
done
cmake --build "$build" > "$build/build.log" || {
    cat "$build/build.log"
    exit 1
}
cd "$build"
ctest --output-on-failure
