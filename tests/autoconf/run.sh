#!/bin/sh
# Makes and runs the configure script of a project. Usage: run.sh PREFIX, an installed Dunlin.
set -eu
prefix=$(cd "${1:?usage: run.sh PREFIX}" && pwd)
source=$(cd "$(dirname "$0")" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

cp "$source/configure.ac" "$build"
cd "$build"
# Automake would bring both; what they say of the machine decides nothing here.
for name in config.guess config.sub; do
    printf '#!/bin/sh\necho "${1:-$(uname -m)-pc-linux-gnu}"\n' > $name
    chmod +x $name
done
autoconf
PATH=$prefix/bin:$PATH ./configure || {
    cat config.log
    exit 1
}
