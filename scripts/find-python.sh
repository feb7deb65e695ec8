#!/bin/sh
# Prints a Python of at least 3.11 that can make virtual environments; with `--develop` it must
# also have the header Python.h, which building mpi4py needs. Ends with 1 where there is none.
set -eu

check='
import os, sys, sysconfig
import ensurepip, venv
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
new_enough = sys.version_info >= (3, 11)
sys.exit(not (new_enough and (sys.argv[1:] != ["--develop"] or os.path.exists(header))))
'
for python in "${PYTHON:-python3}" python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$python" >/dev/null 2>&1 && "$python" -c "$check" "$@" 2>/dev/null; then
        command -v "$python"
        exit 0
    fi
done
exit 1
