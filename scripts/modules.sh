#!/bin/sh
# modules.sh PREFIX: builds the Fortran modules of a prefix for the compilers that are there, so
# that users need none of their own. Without a compiler it says how to get one.
set -eu
prefix=$1
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT

# Nothing finds those of an earlier installation any more.
for library in "$prefix"/lib/fortran/*/libdunlin_modules.a; do
    [ ! -e "$library" ] || rm -r "$(dirname "$library")"
done

first=
for compiler in ${DUNLIN_FC:-gfortran flang-new flang}; do
    command -v "$compiler" >/dev/null || continue
    modules=$(DUNLIN_FC=$compiler XDG_CACHE_HOME=$built "$prefix/bin/mpifort" -showme:compile |
        sed -n "s|.* -I$built/dunlin/fortran/\([^ ]*\).*|\1|p")
    [ -n "$modules" ] || echo "the MPI modules cannot be built with $compiler; mpifort says why"
    first=${first:-$modules}
done
if [ -z "$first" ]; then
    echo "No Fortran compiler: mpifort needs one (apt-get install gfortran)."
    exit
fi
mkdir -p "$prefix/lib/fortran"
cp -r "$built/dunlin/fortran/." "$prefix/lib/fortran/"
# pkg-config is not asked for a compiler: it names the modules for the first one.
sed -i "s|^Libs:|modules=\${libdir}/fortran/$first\nCflags: -I\${modules}\n\
Libs: -L\${modules} -ldunlin_modules|" "$prefix/lib/pkgconfig/dunlin-fortran.pc"
