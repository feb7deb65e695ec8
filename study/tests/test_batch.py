import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import install
from test_run import PREFIX, dunlin, runs_in, wanted

from dunlin.backends import batch, pbs
from dunlin.errors import DunlinError

Make = Callable[..., Path]
SLURM = Path(__file__).resolve().parents[2] / "tests" / "slurm" / "slurm.py"
TWO_NODES = '[[measure]]\nbenchmarks = ["barrier"]\nscales = ["2:3"]'


def with_pbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialect: str) -> Path:
    tools, spool = tmp_path / "tools", tmp_path / "spool"
    spool.mkdir()
    install("qsub.py", tools, "qsub")
    install("qstat.py", tools, "qstat")
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_PBS", str(spool))
    monkeypatch.setenv("FAKE_PBS_DIALECT", dialect)
    return spool


def with_slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tools, spool = tmp_path / "tools", tmp_path / "spool"
    spool.mkdir()
    install("sbatch.py", tools, "sbatch", "squeue", "scontrol")
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_SLURM", str(spool))
    return spool


def pbs_system(dialect: str, more: str = "") -> str:
    return f'backend = "pbs"\ndialect = "{dialect}"\ncores_per_node = 8\n{more}'


@pytest.mark.parametrize("dialect", ["pro", "torque"])
def test_a_study_runs_under_pbs(
    dialect: str, study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = with_pbs(tmp_path, monkeypatch, dialect)
    more = 'queue = "long"\naccount = "x1"\noptions = ["-W group_list=g1"]'
    directory = study(system=pbs_system(dialect, more), measure=TWO_NODES)
    dunlin("study", "run", directory, "--wait")
    assert [run.run_id for run in runs_in(directory)] == wanted(directory)
    assert {run.status for run in runs_in(directory)} == {"ok"}
    jobs = batch.jobs_of(directory)
    assert [(job.nodes, job.ranks_per_node, len(job.run_ids)) for job in jobs] == [
        (1, 2, 8), (2, 3, 4),
    ]  # fmt: skip
    nodes = sorted(file.read_text().split() for file in spool.glob("*.nodes"))
    assert nodes == [["node0"] * 2, ["node0"] * 3 + ["node1"] * 3]
    two = [run for run in runs_in(directory) if run.nodes == 2]
    assert {place.host for place in two[0].placement} == {"node0", "node1"}


def test_a_study_runs_under_slurm(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_slurm(tmp_path, monkeypatch)
    system = 'backend = "slurm"\nqueue = "q"\noptions = ["--constraint=mil"]\nlaunches_per_job = 5'
    directory = study(system=system, measure=TWO_NODES)
    dunlin("study", "run", directory, "--wait")
    assert [run.run_id for run in runs_in(directory)] == wanted(directory)
    assert [len(job.run_ids) for job in batch.jobs_of(directory)] == [5, 3, 4]
    assert {run.machine["host"] for run in runs_in(directory)} == {os.uname().nodename}


def test_what_is_in_a_job_that_is_alive_is_not_submitted_again(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pbs(tmp_path, monkeypatch, "pro")
    # The job does nothing: its launches stay open.
    (tmp_path / "study").mkdir()
    text = (batch.TEMPLATES / "pbs-pro.sh.j2").read_text().replace("exec {{", "exit; {{")
    (tmp_path / "study" / "own.j2").write_text(text)
    directory = study(system=pbs_system("pro", 'template = "own.j2"'))
    dunlin("study", "run", directory)
    assert len(batch.jobs_of(directory)) == 1
    monkeypatch.setenv("FAKE_PBS_ALIVE", "1.fake")
    dunlin("study", "resume", directory)
    assert len(batch.jobs_of(directory)) == 1, "it is alive"
    assert "job 1.fake (dunlin-0000) waits or runs: 0 of 8 done" in dunlin(
        "study", "status", directory
    )
    file = directory / "study.toml"
    text = file.read_text()
    file.write_text(text.replace("[systems.here]", "[systems.renamed]"))
    said = dunlin("study", "status", directory)
    assert "job 1.fake (dunlin-0000): the file has no system `here` any more" in said
    file.write_text(text)
    monkeypatch.setenv("FAKE_PBS_ALIVE", "")
    dunlin("study", "resume", directory)
    assert len(batch.jobs_of(directory)) == 2, "it has ended and left everything to do"
    with pytest.raises(DunlinError, match="ended and left nothing; their output is in"):
        dunlin("study", "resume", directory, "--wait")


def test_a_mistake_in_a_site_s_template_is_named(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pbs(tmp_path, monkeypatch, "pro")
    directory = study(system=pbs_system("pro", 'template = "own.j2"'))
    with pytest.raises(DunlinError, match=r"own.j2: there is no such template"):
        dunlin("study", "run", directory)
    (directory / "own.j2").write_text("#!/bin/bash\n{% if %}\n")
    with pytest.raises(DunlinError, match=r"own.j2:2: "):
        dunlin("study", "run", directory)
    (directory / "own.j2").write_text("#!/bin/bash\n{{ jab.name }}\n")
    with pytest.raises(DunlinError, match=r"own.j2: it uses something .* 'jab' is undefined"):
        dunlin("study", "run", directory)


def test_the_fake_qsub_is_strict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_pbs(tmp_path, monkeypatch, "pro")
    script = tmp_path / "x.sh"
    script.write_text("#!/bin/bash\n#PBS -N x\n#PBS --nodes=4\n")
    done = subprocess.run(["qsub", script], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "illegal directive in line 3" in done.stderr


def test_nodes_and_ranks_are_counted_where_pbs_tells_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodefile = tmp_path / "nodes"
    nodefile.write_text("b\nb\na\na\n")
    monkeypatch.setenv("PBS_NODEFILE", str(nodefile))
    assert pbs.Pbs().hosts() == ("b", "a")
    monkeypatch.delenv("PBS_NODEFILE")
    with pytest.raises(DunlinError, match="PBS_NODEFILE is not set; this is no job of PBS"):
        pbs.Pbs().hosts()


def test_a_batch_system_that_is_not_there_is_named(
    study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(DunlinError, match="there is no `sbatch` on PATH"):
        dunlin("study", "run", study(system='backend = "slurm"'))


def slurm_obstacle() -> str | None:
    command = [sys.executable, "-c", "import slurm; print(slurm.obstacle() or '')"]
    done = subprocess.run(command, cwd=SLURM.parent, capture_output=True, text=True, check=False)
    if not (PREFIX / "bin" / "mpicc").exists():
        return "Dunlin is not built"
    return done.stdout.strip() or (done.stderr.strip()[-200:] if done.returncode else None)


def test_a_study_runs_under_a_real_slurm(study: Make) -> None:
    if obstacle := slurm_obstacle():
        pytest.skip(obstacle)
    directory = study()
    (directory / "study.toml").write_text(f"""
name = "t"
[systems.two]
backend = "slurm"
time = "00:05:00"
[libraries.dunlin]
prefix = "{PREFIX}"
[[measure]]
benchmarks = ["latency"]
scales = ["1:2", "2:1"]
sizes = [8]
[repeat]
launches = 2
""")
    slurm = [sys.executable, str(SLURM), "run", "--nodes", "2", "--"]
    done = subprocess.run(
        [*slurm, sys.executable, "-m", "dunlin", "study", "run", str(directory), "--wait"],
        capture_output=True, text=True, check=False, cwd=SLURM.parent,
    )  # fmt: skip
    assert "4 launches done, complete" in done.stdout, done.stdout + done.stderr
    runs = runs_in(directory)
    assert [run.run_id for run in runs] == wanted(directory)
    assert {run.status for run in runs} == {"ok"}
    hosts = {run.nodes: {place.host for place in run.placement} for run in runs}
    assert len(hosts[2]) == 2
