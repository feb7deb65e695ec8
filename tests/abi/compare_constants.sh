#!/bin/sh
# Compares include/mpi.h with another header of the MPI 5.0 standard ABI: every constant's value,
# the size and alignment of every type, the layout of MPI_Status, every prototype, and which names
# there are. Each header is compiled by itself and prints what it says; the two texts must agree.
#
#     tests/abi/compare_constants.sh /path/to/other/mpi_abi.h
#
# The PyPI wheel `mpich` brings such a header. Exit status 0: no difference. What MPI 3.0 removed
# (mpi_removed.h) and Fortran's handles (mpi_fortran.h) are not part of the ABI, and left out.
set -eu

if [ $# -ne 1 ] || [ ! -f "$1" ]; then
    echo "usage: $0 OTHER_STANDARD_ABI_HEADER" >&2
    exit 2
fi
other=$1
ours=$(dirname "$0")/../../include/mpi.h
cc="${CC:-cc} -DDUNLIN_MPI_REMOVED_H -DDUNLIN_MPI_FORTRAN_H"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Names of the constants of a header: macros and enumerators, without extensions of its vendor.
constants() {
    {
        $cc -E -dM "$1" | sed -nE 's/^#define (MPI_[A-Za-z0-9_]+) .+/\1/p'
        $cc -E -P "$1" | tr ',{' '\n\n' | sed -nE 's/^ *(MPI_[A-Z0-9_]+) *=.*/\1/p'
    } | sort -u
}

# Prototypes of a header without its types and constants.
prototypes() {
    $cc -E -P "$1" | tr '\n' ' ' | tr ';' '\n' | grep -v typedef |
        grep -E '^ *[A-Za-z_]+ P?MPI_[A-Za-z0-9_]+ *\(' | sed 's/$/;/'
}

# Names of the functions of a header.
functions() {
    prototypes "$1" | grep -oE '\bP?MPI_[A-Za-z0-9_]+ *\(' | tr -d ' (' | sort -u
}

# Prints a C program that prints what the header included before it says.
program() {
    cat << 'END'
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#define VALUE(x) printf("%s %lld\n", #x, (long long)(intptr_t)(x));
#define TYPE(t) printf("%s size %zu alignment %zu\n", #t, sizeof(t), _Alignof(t));
#define FIELD(f) printf("MPI_Status." #f " at %zu\n", offsetof(MPI_Status, f));
int main(void) {
END
    constants "$ours" | sed 's/.*/VALUE(&)/'
    for t in Aint Count Offset Comm Datatype Errhandler File Group Info Message Op Request Session \
        Status Win T_cb_safety T_source_order T_enum T_cvar_handle T_pvar_handle T_pvar_session \
        T_event_registration T_event_instance; do
        echo "TYPE(MPI_$t)"
    done
    for f in MPI_SOURCE MPI_TAG MPI_ERROR; do echo "FIELD($f)"; done
    echo 'return 0; }'
}

names_differ=0
for kind in constants functions; do
    $kind "$ours" > "$dir/$kind.ours"
    $kind "$other" > "$dir/$kind.other"
    diff "$dir/$kind.ours" "$dir/$kind.other" > "$dir/$kind.diff" || {
        echo "$kind that only one header has (< ours, > the other):"
        cat "$dir/$kind.diff"
        names_differ=1
    }
done

program > "$dir/program.c"
for side in ours other; do
    eval "header=\$$side"
    $cc -std=c11 -w -include "$header" "$dir/program.c" -o "$dir/$side"
    "$dir/$side" > "$dir/$side.txt"
done
diff "$dir/ours.txt" "$dir/other.txt" || {
    echo "values or types differ (< ours, > the other)"
    exit 1
}

# Redeclaring a function with another type is an error in C.
prototypes "$ours" > "$dir/prototypes.c"
$cc -std=c11 -w -fsyntax-only -include "$other" "$dir/prototypes.c"

values=$(wc -l < "$dir/ours.txt")
echo "compared $values values and types, $(wc -l < "$dir/prototypes.c") prototypes"
exit $names_differ
