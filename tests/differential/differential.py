"""Runs the cases on Dunlin and compares its outcomes with those of MPICH, Open MPI and Intel MPI,
which a table in the tree holds. `--peers` runs these again and writes the table; `--bless` writes
docs/differences.md. Differences without a reason in reasons.toml are an error."""

import argparse
import itertools
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dunlin import checkout, execution
from dunlin.peers import libraries
from dunlin.peers.libraries import OVERSUBSCRIBED, SETTINGS, Contender
from tests.differential import generate, kinds, lifecycle, outcomes, prototypes, reductions
from tests.differential.sweep import Program, sweep

BUILD = checkout.ROOT / "build" / "differential"
PAGE = checkout.ROOT / "docs" / "differences.md"
RANKS = 2
# A peer that crashes often spends its time starting.
PARTS = {"dunlin": 1}
PARTS_OF_PEERS = 4
BUILD_LIMIT_S = 600


def wanted() -> list[prototypes.Function]:
    """The functions whose edges are tried."""
    tried = prototypes.implemented() - kinds.LEFT_OUT
    return prototypes.functions({name for name in tried if not kinds.OF_WINDOWS.fullmatch(name)})


class Library:
    """A library whose outcomes are wanted."""

    def __init__(self, name: str, prefix: Path):
        self.name = name
        self.mpi = checkout.dunlin(prefix) if name == "dunlin" else libraries.peer(name)
        one = Contender(self.mpi, SETTINGS[name])
        oversubscribed = [s for s in one.settings if OVERSUBSCRIBED in s.situations and not s.only]
        self.environment = one.environment(oversubscribed[0])

    def functions(self) -> set[str]:
        """Those it declares."""
        if self.name == "dunlin":
            return {function.name for function in wanted()}
        include = self.mpi.prefix / "include"
        headers = [h for h in include.glob("mpi*.h") if "abi" not in h.name]
        return prototypes.declared(headers)

    def build(self, name: str, source: str) -> Path:
        """Builds one program of cases."""
        at = BUILD / self.name
        at.mkdir(parents=True, exist_ok=True)
        (at / f"{name}.c").write_text(source)
        (at / "classes.inc").write_text(generate.class_table())
        execution.call([self.mpi.mpicc, "-w", "-O0", "-I", at, "-I", outcomes.HERE, "-o", at / name,
                        at / f"{name}.c"], self.environment, BUILD_LIMIT_S)
        return at / name

    def run(self, program: Program) -> dict[str, str]:
        """The outcomes of a program's cases, by name."""
        names = program.names()
        parts = PARTS.get(self.name, PARTS_OF_PEERS)
        cuts = [len(names) * i // parts for i in range(parts + 1)]
        found: dict[int, str] = {}
        with ThreadPoolExecutor(parts) as pool:
            ranges = itertools.pairwise(cuts)
            for part in pool.map(lambda cut: sweep(program, cut[0], cut[1] - 1), ranges):
                found.update(part)
        return {names[i]: outcome for i, outcome in found.items()}

    def outcomes(self) -> dict[str, str]:
        """All of them."""
        edges, _ = generate.program(wanted(), self.functions())
        alone = Program(self.build("edges", edges), [], self.environment)
        launch = [str(self.mpi.launcher), "-n", str(RANKS)]
        pair = Program(self.build("reductions", reductions.program()), launch, self.environment)
        life = Program(self.build("lifecycle", lifecycle.program()), [], self.environment)
        return {**self.run(alone), **self.run(pair), **lifecycle.run(life)}


def refresh_peers(prefix: Path) -> None:
    """Runs the peers and keeps what they did."""
    names = [name for function in wanted() for name in generate.one_function(function).names]
    names += [*reductions.names(), *lifecycle.names()]
    found = {}
    for peer in outcomes.PEERS:
        theirs = Library(peer, prefix).outcomes()
        found[peer] = {name: theirs.get(name, "absent") for name in names}
        print(f"{peer}: {len(theirs)} cases", file=sys.stderr)
    outcomes.write_table(found)


def explained(prefix: Path) -> tuple[int, outcomes.Explained]:
    """Runs Dunlin: the number of cases, and the differences by reason."""
    ours = Library("dunlin", prefix).outcomes()
    differences = outcomes.compare(ours, outcomes.read_table())
    listed = [{"case": d.case, "kind": d.kind, "dunlin": d.ours, **d.theirs} for d in differences]
    (BUILD / "differences.json").write_text(json.dumps(listed, indent=1))
    return len(ours), outcomes.explain(differences)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX)
    parser.add_argument("--peers", action="store_true", help="run the other libraries again")
    parser.add_argument("--bless", action="store_true", help="write docs/differences.md")
    options = parser.parse_args()
    if options.peers:
        refresh_peers(options.prefix)
    cases, found = explained(options.prefix)
    if options.bless:
        PAGE.write_text(outcomes.page(cases, len(wanted()), found))
    differences = sum(len(group) for _, group in found.by_reason) + len(found.without)
    print(f"{cases} cases, {differences} differences, {len(found.without)} without a reason")
    for difference in found.without:
        print(f"  {difference.kind}: {difference.case}: {difference.ours} | {difference.theirs}")
    unused = [reason.title for reason, group in found.by_reason if not group]
    if unused:
        print("reasons without a difference:", *unused, sep="\n  ")
    sys.exit(1 if found.without or unused else 0)


if __name__ == "__main__":
    main()
