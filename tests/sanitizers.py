#!/usr/bin/env python3
"""`make sanitizers`: the C programs under AddressSanitizer and UndefinedBehaviorSanitizer.

The library is built with `-Zsanitizer=address` and Rust's own debug assertions, the programs with
`-fsanitize=address,undefined`; both use gcc's runtime. It takes rustup with a nightly toolchain
(stable Rust knows no sanitizers) and gcc with its libasan; `--programs-only` takes gcc alone, and
leaves the library as it is. They run on one host, then on two that are this machine, over UDP and
over TCP. Further arguments go to tests/run.py."""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = "x86_64-unknown-linux-gnu"
BUILD = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "sanitizers"
PREFIX = ROOT / "build" / "sanitizers"
# Line numbers in reports, and runs that end: without any optimisation they take ten times as long.
PROFILE = {"CARGO_PROFILE_DEV_OPT_LEVEL": "1", "CARGO_PROFILE_DEV_DEBUG": "line-tables-only"}
CHECKS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
EXIT_CODE = 99
SETTINGS = {
    # A program that asks for too much memory wants NULL, as without the sanitizer.
    "ASAN_OPTIONS": f"exitcode={EXIT_CODE}:allocator_may_return_null=1"
                    ":detect_stack_use_after_return=1:verify_asan_link_order=0",
    "LSAN_OPTIONS": f"suppressions={ROOT / 'tests' / 'leaks.supp'}:print_suppressions=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
WITHOUT = {
    "segfault": "it ends by the signal that the sanitizer catches",
    "no_memory": "it limits its address space, of which the sanitizer takes 16 TiB",
    "window_many_gets": "it limits its memory, of which the sanitizer keeps what was freed",
    "no_memory_left": "it limits its address space, of which the sanitizer takes 16 TiB",
}
# Both hosts have one name, by which this program tells which ranks share memory.
NOT_BETWEEN_HOSTS = ["comm_kinds"]
# Ranks take the hosts in turn; the stand-in for ssh starts the agents of both here.
HOSTS = (f"--mpirun-args=--rsh {ROOT / 'tests' / 'rsh_here'} -host 127.0.0.1,127.0.0.2 -ppn 2 "
         "--map-by node")


def run_programs(prefix: Path, fabric: str | None, further: list[str]) -> bool:
    """Runs the C programs, between two hosts if a fabric is named; True if all passed."""
    without = [*WITHOUT, *(NOT_BETWEEN_HOSTS if fabric else [])]
    environment = {**os.environ, **SETTINGS}
    if prefix != PREFIX:  # The usual library keeps no frame pointers to name what it keeps by.
        environment["ASAN_OPTIONS"] += ":detect_leaks=0"
    place: list[str] = []
    if fabric:
        environment["DUNLIN_NET_FABRIC"] = fabric
        place = ["-n", "2", "-n", "3", HOSTS]
    print(f"over {fabric}, two hosts:" if fabric else "one host:", flush=True)
    words = [sys.executable, str(ROOT / "tests" / "run.py"), "--prefix", str(prefix),
             f"--cflags={CHECKS}", *place, *further,
             *[word for name in without for word in ("--without", name)]]
    return subprocess.run(words, check=False, env=environment).returncode == 0


def lacking() -> str | None:
    """What this machine has not got, in a sentence."""
    if shutil.which("rustup") is None:
        return "there is no rustup, which finds the nightly toolchain that `-Zsanitizer` takes"
    words = ["rustup", "run", "nightly", "rustc", "--version"]
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        return "there is no nightly toolchain; `rustup toolchain install nightly` fetches it"
    return None


def build_library() -> None:
    """The instrumented library, in a prefix that is otherwise the usual one."""
    environment = {**os.environ, **PROFILE, "RUSTFLAGS": "-Zsanitizer=address",
                   "CARGO_TARGET_DIR": str(BUILD)}
    subprocess.run(["rustup", "run", "nightly", "cargo", "build", "-q", "--target", TARGET,
                    "-p", "dunlin-abi"], cwd=ROOT, env=environment, check=True)
    shutil.rmtree(PREFIX, ignore_errors=True)
    shutil.copytree(ROOT / "build" / "prefix", PREFIX, symlinks=True)
    shutil.copy2(BUILD / TARGET / "debug" / "libmpi_abi.so", PREFIX / "lib" / "libmpi_abi.so.1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs-only", action="store_true",
                        help="the usual library under instrumented programs")
    options, further = parser.parse_known_args()
    if not options.programs_only and (why := lacking()):
        print(f"skipped: {why}")
        return
    if not options.programs_only:
        build_library()
    prefix = ROOT / "build" / "prefix" if options.programs_only else PREFIX
    passed = [run_programs(prefix, fabric, further) for fabric in (None, "udp", "tcp")]
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
