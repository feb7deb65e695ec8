#!/bin/sh
# Builds and runs a plain Makefile project. Usage: run.sh PREFIX, an installed Dunlin.
set -eu
prefix=$(cd "${1:?usage: run.sh PREFIX}" && pwd)
source=$(cd "$(dirname "$0")" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

cd "$build"
PATH=$prefix/bin:$PATH make -s -f "$source/Makefile" SOURCES="$source/../cmake" check
# The library is found by its run path: no LD_LIBRARY_PATH is needed.
readelf -d hello_c | grep -q "R.*PATH.*$prefix/lib"
