#!/bin/sh
# Builds and runs a plain Makefile project. Usage: run.sh PREFIX, an installed Dunlin.
set -eu
prefix=$(cd "${1:?usage: run.sh PREFIX}" && pwd)
source=$(cd "$(dirname "$0")" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

programs="hello_c hello_cxx"
if "$prefix/bin/mpifort" --version > "$build/log" 2>&1; then
    programs="$programs hello_f77 hello_f08"
else
    echo "Fortran is left out: $(tail -1 "$build/log")"
fi
cd "$build"
PATH=$prefix/bin:$PATH make -s -f "$source/Makefile" SOURCES="$source/../cmake" \
    PROGRAMS="$programs" check
# The library is found by its run path: no LD_LIBRARY_PATH is needed.
for program in $programs; do
    readelf -d "$program" | grep -q "R.*PATH.*$prefix/lib"
done
