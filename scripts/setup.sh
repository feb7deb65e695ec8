#!/bin/sh
# Finds what building and testing Dunlin needs. What is missing is installed where that is possible
# (root on Debian or Ubuntu); otherwise the script says what to install, and ends with 1. Then it
# makes .venv. Quick when nothing is missing. With `--cluster` it does nothing but install, as root,
# the tools that make hosts out of network namespaces, with `--slurm` Slurm, with `--browser`
# Chromium, with `--open-mpi` Debian's Open MPI; tests that find none of them say so. With
# `--study` it installs the command `dunlin` into .venv.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*"; }

# A compiler without the C library's headers is no compiler.
has_c_compiler() {
    printf '#include <stdio.h>\nint main(void){return puts("") < 0;}\n' |
        "${CC:-cc}" -x c -o /dev/null - >/dev/null 2>&1
}

# curl inside cargo needs the system's list of certificate authorities.
has_certificates() {
    [ -n "${SSL_CERT_FILE:-}" ] && return 0
    for f in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt \
        /etc/ssl/cert.pem; do
        [ -e "$f" ] && return 0
    done
    return 1
}

find_missing() {
    missing=
    has_c_compiler || missing="$missing compiler"
    scripts/find-python.sh --develop >/dev/null || missing="$missing python"
    scripts/find-rust.sh >/dev/null || missing="$missing rust"
    has_certificates || missing="$missing certificates"
}

# Is the version that apt would install at least this one?
apt_offers() {
    offered=$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p')
    [ -n "$offered" ] && [ "$offered" != "(none)" ] && dpkg --compare-versions "$offered" ge "$2"
}

# Debian 12's rustc is 1.63; its web browsers are built with the newer rustc-web. Ubuntu has
# versioned packages beside an old rustc.
rust_packages() {
    if apt_offers rustc 1.85 && apt_offers cargo 1.85; then
        say "rustc cargo"
    elif apt_offers rustc-web 1.85; then
        say "rustc-web cargo-web rustfmt-web rust-web-clippy"
    else
        newest=$(apt-cache pkgnames rustc-1. | sed -n 's/^rustc-1\.\([0-9]*\)$/\1/p' | sort -n |
            tail -1)
        [ -n "$newest" ] && [ "$newest" -ge 85 ] && say "rustc-1.$newest cargo-1.$newest"
    fi
}

python_packages() {
    for version in 3 3.14 3.13 3.12 3.11; do
        if apt_offers "python$version" 3.11; then
            say "python$version python$version-venv python$version-dev"
            return
        fi
    done
}

packages_for() {
    case $1 in
    compiler) say "gcc libc6-dev" ;;
    python) python_packages ;;
    rust) rust_packages ;;
    certificates) say "ca-certificates" ;;
    esac
}

can_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

explain_missing() {
    say "dunlin: something is missing that this script cannot install by itself:"
    for what in $missing; do
        case $what in
        compiler) say "  - a C compiler with its headers: Debian gcc libc6-dev, Fedora gcc" ;;
        python) say "  - Python >= 3.11 with venv and Python.h: Debian python3 python3-venv" \
            "python3-dev, Fedora python3-devel" ;;
        rust) say "  - cargo and rustc >= 1.85: https://rustup.rs (no root needed), Debian 12" \
            "rustc-web cargo-web, Fedora cargo" ;;
        certificates) say "  - the list of certificate authorities: ca-certificates" ;;
        esac
    done
    say "Install them and run \`make setup\` again. As root on Debian or Ubuntu it does so itself."
}

install_missing() {
    if ! can_install; then
        explain_missing >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    say "dunlin: missing:$missing; asking apt-get for it"
    apt-get update -q >/dev/null
    packages=
    for what in $missing; do
        found=$(packages_for "$what")
        [ -n "$found" ] || { explain_missing >&2; exit 1; }
        packages="$packages $found"
    done
    # shellcheck disable=SC2086 # several words on purpose
    apt-get install -y -q --no-install-recommends $packages >/dev/null
    say "dunlin: installed$packages"
    find_missing
    [ -z "$missing" ] || { explain_missing >&2; exit 1; }
}

# The stamp holds what the environment was made from; another Python or another list makes it anew.
make_venv() {
    python=$(scripts/find-python.sh --develop)
    wanted="$("$python" -VV) $(cat scripts/requirements.txt)"
    stamp=.venv/dunlin-stamp
    if [ -x .venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then return; fi
    say "dunlin: making .venv"
    rm -rf .venv
    "$python" -m venv .venv
    if .venv/bin/python -m pip install -q --disable-pip-version-check --retries 1 \
        -r scripts/requirements.txt; then
        printf '%s\n' "$wanted" >"$stamp"
    else
        # Building needs no package of PyPI; the steps that do will say so themselves.
        say "dunlin: PyPI could not be reached; going on without $(sed '/^#/d' \
            scripts/requirements.txt | tr '\n' ' ')"
    fi
}

# install_for WHAT WITHOUT PACKAGES: what only some tests need, and what becomes of them without it.
install_for() {
    what=$1 without=$2 packages=$3
    [ -n "$packages" ] || return 0
    say "dunlin: for $what: asking apt-get for$packages"
    # shellcheck disable=SC2086 # several words on purpose
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
        --no-install-recommends $packages; } >/dev/null ||
        say "dunlin: apt-get failed; $without"
}

install_cluster_tools() {
    can_install || return 0
    packages=
    command -v nft >/dev/null || packages="$packages nftables"
    { command -v ip && command -v tc; } >/dev/null || packages="$packages iproute2"
    command -v hostname >/dev/null || packages="$packages hostname"
    [ -e /usr/share/modules/init/sh ] || packages="$packages environment-modules"
    [ -e /usr/include/rdma/fabric.h ] || packages="$packages libfabric-dev"
    # Where services are started by themselves, whether this machine is one that people log in to
    # is not for a test to decide.
    [ -d /run/systemd/system ] || PATH="$PATH:/usr/sbin" command -v sshd >/dev/null ||
        packages="$packages openssh-server openssh-client"
    install_for "clusters on one machine" "tests on several hosts are left out" "$packages"
    command -v gfortran >/dev/null ||
        install_for "Fortran" "programs in Fortran are left out" " gfortran"
}

# The command `dunlin` and what its tests need. It runs from the sources, so it is made anew only
# when its list of packages changes.
install_study() {
    stamp=.venv/dunlin-study-stamp
    wanted=$(cat study/pyproject.toml)
    if [ -x .venv/bin/dunlin ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then return; fi
    say "dunlin: installing study/ into .venv"
    if .venv/bin/python -m pip install -q --disable-pip-version-check --retries 1 \
        -e './study[test]'; then
        printf '%s\n' "$wanted" >"$stamp"
    else
        say "dunlin: PyPI could not be reached; going on without the command \`dunlin\`"
    fi
}

# Debian's plugin for PMIx looks for the file without a number, which only the developers' package
# has.
install_slurm() {
    can_install || return 0
    # Services that start by themselves are not for a test to bring to a machine.
    [ ! -d /run/systemd/system ] || return 0
    packages=
    for tool in slurmctld slurmd munged; do
        PATH="$PATH:/usr/sbin" command -v $tool >/dev/null ||
            packages="$packages $(say $tool | sed s/munged/munge/)"
    done
    command -v srun >/dev/null || packages="$packages slurm-client"
    ls /usr/lib/*/libpmix.so >/dev/null 2>&1 || packages="$packages libpmix-dev"
    install_for "Slurm on one machine" "tests under Slurm are left out" "$packages"
}

# Beside which programs of Debian are run.
install_open_mpi() {
    can_install || return 0
    { command -v mpirun.openmpi && command -v mpicc.openmpi; } >/dev/null && return 0
    install_for "programs beside Debian's Open MPI" "programs run on Dunlin alone" \
        " openmpi-bin libopenmpi-dev"
}

# Shows the page of `dunlin report` to its tests, which say so if they had to be left out.
install_browser() {
    { command -v chromium || command -v chromium-browser || command -v google-chrome; } \
        >/dev/null && return 0
    can_install || return 0
    install_for "the report's tests" "the report is not tested in a browser" \
        " chromium fonts-dejavu-core"
}

case ${1:-} in
--cluster)
    install_cluster_tools
    exit 0
    ;;
--slurm)
    install_cluster_tools
    install_slurm
    exit 0
    ;;
--browser)
    install_browser
    exit 0
    ;;
--open-mpi)
    install_open_mpi
    exit 0
    ;;
--study)
    install_study
    exit 0
    ;;
esac
find_missing
[ -z "$missing" ] || install_missing
make_venv
