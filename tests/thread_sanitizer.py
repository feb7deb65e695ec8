#!/usr/bin/env python3
"""`make test-tsan`: the C programs whose threads call MPI, under ThreadSanitizer.

Library, Rust's standard library and programs are instrumented, so that every access of every thread
of a rank is seen. It takes the stable toolchain (`RUSTC_BOOTSTRAP=1` lets it take `-Z`), the source
of the standard library, and gcc, whose runtime both halves use. The programs run on one host, then
on two that are this machine, over UDP and over TCP, where each rank has a progress thread.

What ranks write in memory that they share is seen only as this rank's: the other processes have
sanitizers of their own. The protocols there are checked by `make loom`.

Further arguments go to tests/run.py."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "tsan"
PREFIX = ROOT / "build" / "tsan"
# Line numbers in reports, and programs that end: without any optimisation they take ten times as
# long.
BUILDING = {"CARGO_PROFILE_DEV_OPT_LEVEL": "1", "CARGO_PROFILE_DEV_DEBUG": "line-tables-only",
            "RUSTC_BOOTSTRAP": "1", "RUSTFLAGS": "-Zsanitizer=thread"}
CHECK = "-fsanitize=thread"
EXIT_CODE = 66
SETTINGS = {"TSAN_OPTIONS": f"exitcode={EXIT_CODE}:halt_on_error=1:history_size=5"}
# Every thread is several times slower, and they may share two cores.
TIMEOUT_S = 300
# Programs that have threads; among them those that say so themselves, by this.
THREADED = re.compile(r'pthread_create|"threads\.h"')
WITHOUT = {
    "abort_reading": "its thread reads from a terminal, and calls no MPI",
    "threads_in_callback": "its session gets a lower level, so that it starts no thread",
}
# What else runs between two hosts: targets that compute while the progress thread serves windows.
SERVED = ["window_computing", "window_epochs", "window_locks"]
# Ranks take the hosts in turn; the stand-in for ssh starts the agents of both here.
HOSTS = (f"--mpirun-args=--rsh {ROOT / 'tests' / 'rsh_here'} -host 127.0.0.1,127.0.0.2 -ppn 2 "
         "--map-by node")
# A program that races in the library by its own fault, which every run must find first.
CONTROL = "threads_unlocked"
# Newer LLVM calls these, which gcc's runtime lacks (12) or has (13); what they call is watched.
MEMORY = """#include <string.h>
void *__tsan_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }
void *__tsan_memmove(void *to, const void *from, size_t n) { return memmove(to, from, n); }
void *__tsan_memset(void *at, int byte, size_t n) { return memset(at, byte, n); }
"""
# Two threads without a lock: what the machine's tools must find before they are believed.
RACE = """#include <pthread.h>
static int number;
static void *add(void *unused) { number++; return unused; }
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    number++;
    return pthread_join(other, 0);
}
"""


def threaded() -> list[str]:
    """The names of the C programs whose threads call MPI."""
    found = (ROOT / "tests" / "c").glob("*.c")
    return sorted(source.stem for source in found
                  if THREADED.search(source.read_text())
                  and source.stem not in WITHOUT and source.stem != CONTROL)


def rust(*words: str, **settings: str) -> subprocess.CompletedProcess:
    """Runs a command with the toolchain that builds Dunlin."""
    return subprocess.run([ROOT / "scripts" / "with-rust.sh", *words], cwd=ROOT, check=True,
                          env={**os.environ, **settings}, text=True,
                          stdout=subprocess.PIPE if words[0] == "rustc" else None)


def lacking() -> str | None:
    """What this machine has not got, and how to get it; None if all is there."""
    root = rust("rustc", "--print", "sysroot").stdout.strip()
    if not Path(root, "lib", "rustlib", "src", "rust", "library", "Cargo.lock").exists():
        return (f"{root} has no source of the standard library, which is instrumented, too; "
                "`rustup component add rust-src` fetches it; Debian's is in rust-web-src")
    with tempfile.TemporaryDirectory() as place:
        source, program = Path(place, "race.c"), Path(place, "race")
        source.write_text(RACE)
        built = subprocess.run(["cc", CHECK, "-pthread", "-o", program, source], text=True,
                               capture_output=True, check=False)
        if built.returncode != 0:
            return f"cc cannot link with {CHECK} (gcc's runtime is libtsan2): {built.stderr}"
        ran = subprocess.run([program], env={**os.environ, **SETTINGS}, text=True,
                             capture_output=True, check=False)
    if ran.returncode != EXIT_CODE:
        return ("cc's ThreadSanitizer does not find a race made for it (older ones fail where "
                f"`sysctl vm.mmap_rnd_bits` is above 28): {ran.stderr or 'it is silent'}")
    return None


def build_library() -> None:
    """The instrumented library, in a prefix that is otherwise the usual one."""
    target = rust("rustc", "--print", "host-tuple").stdout.strip()
    BUILD.mkdir(parents=True, exist_ok=True)
    memory = BUILD / "memory.o"
    subprocess.run(["cc", "-c", "-O1", "-fPIC", "-fno-builtin", "-x", "c", "-", "-o", memory],
                   input=MEMORY, text=True, check=True)
    rust("cargo", "rustc", "-q", "-Zbuild-std=std,panic_abort", "--target", target, "--lib",
         "-p", "dunlin-abi", "--", f"-Clink-arg={memory}", CARGO_TARGET_DIR=str(BUILD), **BUILDING)
    shutil.rmtree(PREFIX, ignore_errors=True)
    shutil.copytree(ROOT / "build" / "prefix", PREFIX, symlinks=True)
    shutil.copy2(BUILD / target / "debug" / "libmpi_abi.so", PREFIX / "lib" / "libmpi_abi.so.1")


def sees() -> bool:
    """Whether a race in the library is reported."""
    with tempfile.TemporaryDirectory() as place:
        program = Path(place, CONTROL)
        subprocess.run([PREFIX / "bin" / "mpicc", "-D_GNU_SOURCE", "-g", "-pthread", CHECK,
                        ROOT / "tests" / "c" / f"{CONTROL}.c", "-o", program], check=True)
        try:
            ran = subprocess.run([PREFIX / "bin" / "mpirun", "-n", "1", program], check=False,
                                 env={**os.environ, **SETTINGS}, text=True, capture_output=True,
                                 timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return False
    return ran.returncode == EXIT_CODE and "ThreadSanitizer: data race" in ran.stderr


def named(fabric: str | None, wanted: list[str]) -> list[str]:
    """The programs that run, between two hosts if a fabric is named."""
    names = [*threaded(), *SERVED] if fabric else threaded()
    return [name for name in names if any(text in name for text in wanted)]


def run_programs(fabric: str | None, names: list[str], further: list[str]) -> bool:
    """Runs the programs, between two hosts if a fabric is named; True if all passed."""
    environment = {**os.environ, **SETTINGS}
    place = []
    if fabric:
        environment["DUNLIN_NET_FABRIC"] = fabric
        place = ["-n", "2", "-n", "3", HOSTS]
    print(f"over {fabric}, two hosts:" if fabric else "one host:", flush=True)
    words: list[str | Path] = [
        sys.executable, ROOT / "tests" / "run.py", "--prefix", PREFIX, f"--cflags={CHECK}",
        "--timeout", str(TIMEOUT_S), *place, *[word for name in names for word in ("-k", name)],
        *[word for name in WITHOUT for word in ("--without", name)], *further]
    return subprocess.run(words, check=False, env=environment).returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", action="store_true", help="run with what was built before")
    parser.add_argument("-k", metavar="TEXT", action="append",
                        help="only names that contain TEXT, or another one")
    options, further = parser.parse_known_args()
    programs = {fabric: named(fabric, options.k or [""]) for fabric in (None, "udp", "tcp")}
    if not any(programs.values()):
        sys.exit(f"no program with threads has {' or '.join(options.k)} in its name; there are: "
                 f"{', '.join(named('udp', ['']))}")
    if why := lacking():
        sys.exit(f"make test-tsan cannot run: {why}")
    if not options.built:
        build_library()
    if not sees():
        sys.exit(f"no report of the race in {CONTROL}.c: silence about others means nothing")
    passed = [run_programs(fabric, names, further) for fabric, names in programs.items() if names]
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
