# Everything a person does with this tree. `make` alone explains the targets.

SHELL := /bin/sh
.DEFAULT_GOAL := help

TARGET := $(or $(CARGO_TARGET_DIR),target)
STAGE := build/prefix
PREFIX ?= /usr/local
RUST := scripts/with-rust.sh
PYTHON := .venv/bin/python
# The package behind `dunlin` is that of this tree, whatever .venv has.
export PYTHONPATH := $(CURDIR)/study/src
CARGO_FLAGS ?=
NP ?= 3

.PHONY: help setup build install demo test test-full test-cluster test-slurm differential mpi4py-suite peer-suites fortran-programs test-binaries valgrind sanitizers test-tsan bench bench-peers bench-network bench-simulation bench-startup bench-fortran bench-abis bench-imb study study-demo proofs loom test-arm fmt clean

help: ## This list
	@echo "Dunlin, an MPI library: see README.md. Targets:"
	@echo
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1@\2/p' Makefile | \
	  while IFS=@ read -r name text; do printf '%-18s %s\n' "$$name" "$$text"; done
	@echo
	@echo "Start with \`make demo\`. Install with \`make install PREFIX=\$$HOME/dunlin\`."

setup: ## Find (as root on Debian/Ubuntu: install) what is needed; make .venv
	@scripts/setup.sh

build: setup ## Build the library, mpirun and mpicc into build/prefix
	@$(RUST) cargo build --release --workspace $(CARGO_FLAGS)
	@scripts/prefix.sh $(TARGET) $(STAGE)

install: build ## Install to PREFIX (default /usr/local); put PREFIX/bin on PATH and it works
	@scripts/prefix.sh $(TARGET) "$(PREFIX)"
	@scripts/modules.sh "$(PREFIX)"
	@echo "Installed to $(PREFIX). Use it with: export PATH=$(PREFIX)/bin:\$$PATH"

demo: build ## See it work: Python, C and Fortran programs on several ranks, and how fast it is
	@$(PYTHON) -m scripts.demo

test: build ## All tests (20 to 45 minutes on 2 cores, as fast as they are)
	@scripts/setup.sh --cluster
	@scripts/setup.sh --study
	@scripts/setup.sh --browser
	@$(RUST) $(PYTHON) -m scripts.run_tests

test-full: build ## `make test`, and mpi4py's tests on more ranks, and the build for Arm
	@scripts/setup.sh --study
	@scripts/setup.sh --browser
	@$(RUST) $(PYTHON) -m scripts.run_tests --full

test-cluster: build ## Tests across two hosts made of namespaces; root only; QUICK=1 or WHOLE=1
	@scripts/setup.sh --cluster
	@scripts/setup.sh --study
	@$(PYTHON) -m tests.cluster.across $(if $(WHOLE),--whole) $(if $(QUICK),--quick)

test-slurm: build ## Tests under a Slurm of its own on nodes made of namespaces; root only; WHOLE=1
	@scripts/setup.sh --slurm
	@scripts/setup.sh --study
	@$(PYTHON) -m tests.slurm.suite $(if $(WHOLE),--whole)

differential: build ## Edge cases on Dunlin, MPICH, Open MPI, Intel MPI: docs/differences.md
	@$(PYTHON) -m tests.differential.differential --peers --bless

mpi4py-suite: build ## mpi4py's own tests on NP ranks (default 3)
	@$(PYTHON) -m tests.mpi4py.suite -n $(NP)

peer-suites: build ## MPICH's own tests, from Debian's source package, half an hour; ONLY=pt2pt: a part
	@$(PYTHON) -m tests.peer_suites.mpich $(ONLY)

fortran-programs: build ## Quantum ESPRESSO, hypre, FFTW, SUNDIALS, PETSc from Debian's sources; ONLY=hypre: one
	@scripts/setup.sh --open-mpi
	@$(PYTHON) -m tests.fortran_programs.run $(ONLY)

test-binaries: build ## Debian's own binaries, mpi4py's wheel, C programs of other wrappers; ONLY=lammps: one
	@scripts/setup.sh --study
	@scripts/setup.sh --open-mpi
	@$(PYTHON) -m tests.binaries.debian_programs $(ONLY)
	@$(if $(ONLY),,$(PYTHON) -m tests.binaries.c_programs)
	@$(if $(ONLY),,$(PYTHON) -m tests.binaries.c_programs --cflags=-no-pie)
	@$(if $(ONLY),,$(PYTHON) -m tests.binaries.mpi4py_wheel)

valgrind: build ## The C programs on 1 to 3 ranks under Valgrind's memcheck (20 minutes)
	@DUNLIN_CMA=off $(PYTHON) tests/run.py --prefix $(STAGE) -n 1 -n 2 -n 3 --timeout 600 \
	  --without segfault --under "valgrind -q --error-exitcode=99"

sanitizers: build ## The C programs and the library under AddressSanitizer; takes nightly Rust
	@$(PYTHON) tests/sanitizers.py

test-tsan: build ## The C programs with threads, and the library, under ThreadSanitizer; takes rust-src
	@$(PYTHON) -m tests.thread_sanitizer

bench: build ## Messages, collectives, start-up, memory beside the machine's own limits
	@scripts/setup.sh --study
	@$(PYTHON) -m dunlin.peers.alone

bench-peers: build ## Beside MPICH, Open MPI and Intel MPI from PyPI, in turns; QUICK=1: twenty minutes
	@scripts/setup.sh --study
	@$(PYTHON) -m dunlin.peers.node $(if $(QUICK),--quick)

bench-network: build ## Between two hosts, beside the same and bare sockets; root only; QUICK=1
	@scripts/setup.sh --cluster
	@scripts/setup.sh --study
	@$(PYTHON) -m dunlin.peers.network $(if $(QUICK),--quick)

bench-simulation: build ## `dunlin simulate` beside what this machine takes; QUICK=1: 20 minutes
	@scripts/setup.sh --cluster
	@scripts/setup.sh --study
	@$(PYTHON) -m dunlin.peers.simulated $(if $(QUICK),--quick)

bench-startup: build ## Start-up under each launcher beside MPICH, Open MPI and Intel MPI; QUICK=1
	@scripts/setup.sh --slurm
	@scripts/setup.sh --study
	@$(PYTHON) -m dunlin.peers.startup $(if $(QUICK),--quick)

bench-fortran: build ## 8-byte messages and sums through mpi_f08 beside C, in turns
	@scripts/setup.sh --study
	@$(PYTHON) -m dunlin.peers.fortran

bench-abis: build ## The same through the ABIs of MPICH and Open MPI beside the standard's, in turns
	@scripts/setup.sh --study
	@$(PYTHON) -m dunlin.peers.abis

bench-imb: build ## The binaries of Intel's MPI benchmarks on Dunlin and on Intel MPI, in turns
	@scripts/setup.sh --study
	@$(PYTHON) -m dunlin.peers.imb

study: setup ## Install the command `dunlin` (measure and compare any MPI) into .venv
	@scripts/setup.sh --study
	@echo "Use it with: .venv/bin/dunlin --help"

study-demo: build ## A small study of Dunlin, MPICH, Open MPI, Intel MPI, and its report (5 minutes)
	@scripts/setup.sh --study
	@$(PYTHON) -m scripts.study_demo

proofs: setup ## Prove every collective algorithm, and print in how many cases
	@$(RUST) cargo run -q --release -p dunlin-coll --example proofs $(CARGO_FLAGS)

loom: setup ## Check the lock-free code under the C11 memory model (part of `make test`)
	@RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=$(TARGET)/loom \
	  $(RUST) cargo test -q -p dunlin-shm --profile loom --lib

test-arm: setup ## Cross-build for 64-bit Arm and run a smoke test in an emulator
	@$(RUST) scripts/test-arm.sh

fmt: setup ## Format the Rust sources
	@$(RUST) cargo fmt --all

clean: ## Remove what was built (keeps .venv)
	@rm -rf $(TARGET) build
