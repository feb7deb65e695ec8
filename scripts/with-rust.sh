#!/bin/sh
# Runs a command with a new enough cargo and rustc first on PATH.
set -eu
here=$(dirname "$0")
if ! rust=$("$here/find-rust.sh"); then
    echo "dunlin: no cargo and rustc >= 1.85 found; run \`make setup\`" >&2
    exit 1
fi
PATH="$rust:$PATH"
export PATH
exec "$@"
