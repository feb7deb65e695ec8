import json
import os
import subprocess
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from dunlin import rulefiles
from dunlin.commands import simulate
from dunlin.errors import DunlinError
from dunlin.peers import libraries
from dunlin.rulefiles import MPICH, OPENMPI, Choice, Choices
from dunlin.simulation import Request, Result
from test_run import dunlin

PROGRAM = Path(__file__).with_name("collectives.c")
RANKS = 4
SIZES = [8, 128, 2048, 32 << 10, 512 << 10]


def result(operation: str, ranks: int, size: int, name: str, us: float) -> Result:
    return Result(operation, 1, ranks, size, name, None, False, False, us, us, 0, 0, ())


def all_of(library: str) -> list[Result]:
    """Each algorithm that the library has is the fastest at a size."""
    operations = OPENMPI if library == "openmpi" else MPICH
    return [
        result(operation, RANKS, size, name, 1.0 if at % len(names) == place else 2.0)
        for operation in operations
        for names in [rulefiles.known(library, operation)]
        for at, size in enumerate(SIZES)
        for place, name in enumerate(names)
    ]


def test_algorithms_that_the_library_lacks_are_not_chosen() -> None:
    results = [
        result("bcast", 4, 8, "cico", 0.1),
        result("bcast", 4, 8, "binomial", 2.0),
        result("bcast", 4, 8, "knomial:4", 1.0),
        result("barrier", 4, 8, "dissemination", 1.0),
    ]
    choices, left_out = rulefiles.choices_of("openmpi", results)
    assert choices == {"bcast": [Choices((4, 4), (Choice("knomial:4", None),))]}
    assert left_out == ["barrier"]
    assert rulefiles.choices_of("mpich", results)[0]["bcast"][0].by_size[0].algorithm == "binomial"


def test_the_choice_of_dunlins_rules_does_not_stand_for_all_others() -> None:
    results = [
        replace(result("bcast", 4, 8, "binomial", 2.0), selected=True),
        result("bcast", 4, 8, "binomial", 2.0),
        result("bcast", 4, 8, "knomial:4", 1.0),
    ]
    choices, _ = rulefiles.choices_of("openmpi", results)
    assert choices["bcast"][0].by_size == (Choice("knomial:4", None),)


def test_what_leaves_nothing_to_choose_is_told() -> None:
    with pytest.raises(DunlinError, match="Open MPI 5 has too few of the algorithms of barrier"):
        rulefiles.choices_of("openmpi", [result("barrier", 4, 8, "dissemination", 1.0)])
    results = [
        result("bcast", 4, 8, "binomial", 1.0),
        result("bcast", 4, 1024, "cico", 1.0),
    ]
    with pytest.raises(DunlinError, match="bcast of 1 KiB on 4 ranks: none of the algorithms"):
        rulefiles.choices_of("openmpi", results)
    results = [
        result("barrier", 4, 8, "dissemination", 1.0),
        result("barrier", 4, 64, "k_dissemination:4", 1.0),
    ]
    with pytest.raises(DunlinError, match="barrier of 0 B on 4 ranks: none"):
        rulefiles.choices_of("mpich", results)


def test_ranks_that_choose_alike_share_rules_unless_their_bytes_are_counted_together() -> None:
    def of(operation: str) -> list[Choices]:
        results = [
            result(operation, ranks, size, name, us)
            for ranks in (4, 16, 64)
            for size, fast, slow in ((8, "bruck", "ring"), (2048, "ring", "bruck"))
            for name, us in ((fast, 1.0), (slow, 2.0))
        ]
        return rulefiles.choices_of("openmpi", results)[0][operation]

    by_size = (Choice("bruck", 128), Choice("ring", None))
    limits = [(4, 8), (9, 32), (33, 64)]
    assert of("allgather") == [Choices(limit, by_size) for limit in limits]
    text = rulefiles.openmpi({"allgather": of("allgather")})
    numbers = [line.partition(" #")[0] for line in text.splitlines()]
    # Limits in bytes of all ranks, where a rank has 128; other communicators: algorithm 0.
    assert numbers == [
        "1", "0", "4",
        "4", "2", "0 2 0 0", f"{128 * 5 + 1} 4 0 0",
        "9", "2", "0 2 0 0", f"{128 * 16 + 1} 4 0 0",
        "33", "2", "0 2 0 0", f"{128 * 45 + 1} 4 0 0",
        "65", "1", "0 0 0 0",
    ]  # fmt: skip


def test_what_mpich_chooses_by_itself_stays_for_all_other_calls(tmp_path: Path) -> None:
    intra: rulefiles.Tree = {"algorithm=own": {}}
    own = {
        f"collective={name}": {"comm_type=intra": intra, "comm_type=inter": {"algorithm=other": {}}}
        for name in ("bcast", "allreduce", "ibcast")
    }
    library = tmp_path / "libmpi.so"
    text = json.dumps(own, separators=(",", ":")).encode()
    library.write_bytes(b"\x7fELF\0" + text.replace(b"ibcast", b"other") + b"\0" + text + b"\0")
    assert rulefiles.mpich_own(library) == own
    by_size = (Choice("scatter_doubling", 4096), Choice("binomial", None))
    choices = {
        "bcast": [Choices((4, 8), by_size)],
        "allreduce": [Choices((4, 8), (Choice("rabenseifner", None),))],
    }
    tree = json.loads(rulefiles.mpich(choices, own))
    assert tree["collective=ibcast"] == own["collective=ibcast"]
    bcast = tree["collective=bcast"]
    assert bcast["comm_type=inter"] == {"algorithm=other": {}}
    doubling = "algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather"
    assert bcast["comm_type=intra"] == {
        "comm_size<=3": intra,
        "comm_size<=8": {
            "avg_msg_size<=4096": {"comm_size=pow2": {doubling: {}}, "comm_size=any": intra},
            "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_binomial": {}},
        },
        "comm_size=any": intra,
    }
    scatter: rulefiles.Tree = {"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather": {}}
    assert tree["collective=allreduce"]["comm_type=intra"]["comm_size<=8"] == {
        "is_op_built_in=yes": {"count<pow2": intra, "count=any": scatter},
        "is_op_built_in=no": intra,
    }
    library.write_bytes(b"no library")
    with pytest.raises(DunlinError, match="no library of MPICH 4 or 5"):
        rulefiles.mpich_own(library)
    library.write_bytes(text[:-1])
    with pytest.raises(DunlinError, match="is damaged"):
        rulefiles.mpich_own(library)
    library.write_bytes(text)
    assert rulefiles.mpich_own(library) == own


def test_the_command_writes_them_and_says_what_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(request: Request) -> list[Result]:
        assert (request.algorithms, request.give_up) == (["all"], inf)
        return [r for r in all_of("openmpi") if r.operation in request.operations] + [
            result(operation, 4, 8, "dissemination", 1.0)
            for operation in request.operations
            if operation == "barrier"
        ]

    monkeypatch.setattr(simulate, "results_of", answers)
    out = tmp_path / "rules"
    said = " ".join(dunlin("tune", out, "--machine", "m", "--for", "openmpi").split())
    assert out.read_text().startswith("8 # operations\n0 # allgather\n")
    assert "It has too few of the algorithms of barrier." in said
    assert "--mca coll_han_priority 0 " in said
    assert f"--mca coll_tuned_dynamic_rules_filename {out}" in said
    own: rulefiles.Tree = {
        f"collective={operation}": {"comm_type=intra": {}} for operation in MPICH
    }
    monkeypatch.setattr(rulefiles, "mpich_own", lambda _: own)
    said = " ".join(dunlin("tune", out, "--for", "mpich", "--mpich", "libmpi.so").split())
    file = f"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={out}"
    assert f"`MPIR_CVAR_DEVICE_COLLECTIVES=none {file}` tries" in said
    with pytest.raises(DunlinError, match="name its library"):
        dunlin("tune", out, "--for", "mpich")
    with pytest.raises(DunlinError, match="`intel` is none of"):
        dunlin("tune", out, "--for", "intel")


def installed(name: str) -> Path:
    at = libraries.PEERS_AT / libraries.PACKAGES[name][0].replace("==", "-")
    if not (at / "bin" / "mpicc").exists():
        pytest.skip(f"{at} is not there")
    return at


def built(at: Path, folder: Path) -> Path:
    program = folder / "collectives"
    subprocess.run([at / "bin" / "mpicc", "-o", program, PROGRAM], check=True)
    return program


def run(
    at: Path, program: Path, environment: dict[str, str], *arguments: object
) -> subprocess.CompletedProcess[str]:
    words = [str(at / "bin" / "mpiexec"), "-n", str(RANKS), str(program), *map(str, arguments)]
    if "openmpi" in at.name:
        words[1:1] = ["--oversubscribe"]
    return subprocess.run(
        words, env=os.environ | environment, capture_output=True, text=True, timeout=120
    )


def by_rules(rules: Path) -> dict[str, str]:
    """The environment in which Open MPI runs by a file."""
    return libraries.OPENMPI | libraries.OPENMPI_YIELDS | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(rules),
    }  # fmt: skip


def test_open_mpi_reads_the_file_to_its_end_and_runs_every_algorithm(tmp_path: Path) -> None:
    at = installed("openmpi")
    program, rules = built(at, tmp_path), tmp_path / "rules"
    environment = by_rules(rules)
    choices = rulefiles.choices_of("openmpi", all_of("openmpi"))[0]
    text = rulefiles.openmpi(choices)
    rules.write_text(text)
    done = run(at, program, environment)
    assert (done.returncode, done.stdout) == (0, "rank 0 has right results\n"), done.stderr
    # It says nothing of a file that it cannot read, but it drops all of it. An algorithm that is
    # not there, in the rules for the last operation, shows that it has read them.
    operation = list(choices)[-1]
    number, algorithms = OPENMPI[operation]
    first = choices[operation][0].by_size[0].algorithm
    before, _, after = text.partition(f"{number} # {operation}\n")
    broken = after.replace(f"0 {algorithms[first][0]} 0 0", "0 99 0 0", 1)
    assert broken != after
    rules.write_text(f"{before}{number} # {operation}\n{broken}")
    done = run(at, program, environment)
    assert done.returncode != 0, done.stdout
    assert "MPI_ERR" in done.stderr


@pytest.mark.parametrize("operation", OPENMPI)
def test_open_mpi_counts_the_bytes_that_limits_are_written_for(
    operation: str, tmp_path: Path
) -> None:
    at, size = installed("openmpi"), 4096
    program, rules = built(at, tmp_path), tmp_path / "rules"
    # Of reduce_scatter the simulation counts the bytes of all results, too.
    of_program = size // RANKS if operation == "reduce_scatter" else size
    fast, slow = rulefiles.known("openmpi", operation)[:2]
    by_size = (Choice(fast, size), Choice(slow, None))
    text = rulefiles.openmpi({operation: [Choices((RANKS, RANKS), by_size)]})
    # From one byte more on the program calls an algorithm that is not there.
    lines = text.splitlines()
    above = next(at for at, line in enumerate(lines) if line.endswith(f"# {slow}"))
    lines[above] = f"{lines[above].split()[0]} 99 0 0"
    rules.write_text("\n".join(lines) + "\n")
    done = run(at, program, by_rules(rules), of_program)
    assert (done.returncode, done.stdout) == (0, "rank 0 has right results\n"), done.stderr
    assert run(at, program, by_rules(rules), 4 * of_program).returncode != 0


def test_mpich_reads_the_file_and_runs_every_algorithm(tmp_path: Path) -> None:
    at = installed("mpich")
    program, rules = built(at, tmp_path), tmp_path / "rules.json"
    own = rulefiles.mpich_own(at / "lib" / "libmpi.so.12")
    environment = libraries.MPICH_YIELDS | {
        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(rules),
        "MPIR_CVAR_DEBUG_SUMMARY": "1",
        # The rules come to use under no others that MPICH has for shared memory.
        "MPIR_CVAR_DEVICE_COLLECTIVES": "none",
    }
    rules.write_text(rulefiles.mpich(rulefiles.choices_of("mpich", all_of("mpich"))[0], own))
    done = run(at, program, environment)
    assert done.returncode == 0, done.stderr
    assert f"MPIR: {rules}" in done.stdout
    assert "rank 0 has right results" in done.stdout
    name = "MPIR_Allgather_intra_brucks"
    rules.write_text(rules.read_text().replace(name, "MPIR_Allgather_intra_nothing"))
    assert run(at, program, environment).returncode != 0
