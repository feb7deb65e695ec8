#!/bin/sh
# Builds and runs a project that finds MPI with CMake, in each of the ways that users tell CMake
# where it is. Usage: run.sh PREFIX, an installed Dunlin.
set -eu
prefix=$(cd "${1:?usage: run.sh PREFIX}" && pwd)
source=$(cd "$(dirname "$0")" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
# The first question that CMake asks mpifort builds the modules, and must be answered nevertheless.
export XDG_CACHE_HOME="$build/cache"

# expect NAME=PATH: another MPI on this machine must not have been found instead.
expect() {
    grep -q "^${1%%=*}:[A-Z]*=${1#*=}\$" "$build/project/CMakeCache.txt" || {
        echo "CMake did not find $1:"
        grep "^${1%%=*}" "$build/project/CMakeCache.txt"
        exit 1
    }
}

# check COMMAND...: configures with it, builds, and runs the programs.
check() {
    rm -rf "$build/project"
    "$@" -S "$source" -B "$build/project" > "$build/log" 2>&1 || {
        cat "$build/log"
        exit 1
    }
    expect "MPI_C_COMPILER=$prefix/bin/mpicc"
    expect "MPI_CXX_COMPILER=$prefix/bin/mpicxx"
    if grep -q '^MPI_Fortran_COMPILER:' "$build/project/CMakeCache.txt"; then
        expect "MPI_Fortran_COMPILER=$prefix/bin/mpi\(fort\|f90\)"
    else
        echo "Fortran is left out: CMake found no compiler for it."
    fi
    expect "MPIEXEC_EXECUTABLE=$prefix/bin/mpiexec"
    cmake --build "$build/project" > "$build/log" || {
        cat "$build/log"
        exit 1
    }
    (cd "$build/project" && ctest --output-on-failure)
}

check cmake -DMPI_HOME="$prefix"
check cmake -DCMAKE_PREFIX_PATH="$prefix"
check env PATH="$prefix/bin:$PATH" cmake
# Unless the environment names compilers, CMake itself looks for the usual ones.
check env PATH="$prefix/bin:$PATH" CC=mpicc CXX=mpicxx FC=mpifort cmake
