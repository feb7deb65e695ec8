import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import install
from dunlin import plan, studyfile
from dunlin.backends import batch, pbs, slurm
from dunlin.errors import DunlinError
from test_run import ONE_LAUNCH, PREFIX, dunlin, runs_in, wanted

Make = Callable[..., Path]
SLURM = Path(__file__).resolve().parents[2] / "tests" / "slurm" / "slurm.py"
SHORT = "[run]\ntimeout = 2"
TWO_NODES = '[[measure]]\nbenchmarks = ["barrier"]\nscales = ["2:3"]'


def with_pbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dialect: str) -> Path:
    tools, spool = tmp_path / "tools", tmp_path / "spool"
    spool.mkdir()
    install("qsub.py", tools, "qsub")
    install("qstat.py", tools, "qstat", "qselect")
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


def idle(study: Make, tmp_path: Path) -> Path:
    """A study whose jobs do nothing: its launches stay open."""
    (tmp_path / "study").mkdir()
    text = (batch.TEMPLATES / "pbs-pro.sh.j2").read_text().replace("exec {{", "exit; {{")
    (tmp_path / "study" / "own.j2").write_text(text)
    return study(system=pbs_system("pro", 'template = "own.j2"'))


def test_what_is_in_a_job_that_is_alive_is_not_submitted_again(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pbs(tmp_path, monkeypatch, "pro")
    directory = idle(study, tmp_path)
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
    assert "job 1.fake (dunlin-0000) is of the system `here`, which the file does not have" in said
    file.write_text(text)
    monkeypatch.setenv("FAKE_PBS_ALIVE", "")
    dunlin("study", "resume", directory)
    assert len(batch.jobs_of(directory)) == 2, "it has ended and left everything to do"
    with pytest.raises(DunlinError, match="ended and left nothing; their output is in"):
        dunlin("study", "resume", directory, "--wait")


def killed_while_it_submits(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch system has the job, and nobody its number."""
    monkeypatch.setenv("FAKE_PBS_KILLS", "1")
    command = [sys.executable, "-m", "dunlin", "study", "run", str(directory)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    monkeypatch.delenv("FAKE_PBS_KILLS")
    (job,) = batch.jobs_of(directory)
    assert job.id is None


@pytest.mark.parametrize("dialect", ["pro", "torque"])
def test_a_job_whose_number_nobody_wrote_down_is_not_submitted_again(
    dialect: str, study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pbs(tmp_path, monkeypatch, dialect)
    directory = study(system=pbs_system(dialect))
    killed_while_it_submits(directory, monkeypatch)
    assert "dunlin-0000 was being submitted; " in dunlin("study", "status", directory)
    monkeypatch.setenv("FAKE_PBS_ALIVE", "1.fake")
    dunlin("study", "resume", directory)
    assert [job.id for job in batch.jobs_of(directory)] == ["1.fake"]


def test_a_job_that_was_never_submitted_is_replaced_and_does_nothing_should_it_begin(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pbs(tmp_path, monkeypatch, "pro")
    directory = study(ONE_LAUNCH, system=pbs_system("pro"))
    killed_while_it_submits(directory, monkeypatch)
    dunlin("study", "resume", directory, "--wait")
    assert [(job.id, job.lost) for job in batch.jobs_of(directory)] == [
        (None, True), ("2.fake", False),
    ]  # fmt: skip
    with pytest.raises(DunlinError, match="its launches are in others"):
        dunlin("study", "job", directory, "dunlin-0000")


def test_slurm_s_job_is_found_by_its_name_and_on_its_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = with_slurm(tmp_path, monkeypatch)
    (spool / "7.tag").write_text("dunlin-x")
    monkeypatch.setenv("FAKE_SLURM_ALIVE", "7")
    there = slurm.Slurm(["--exclusive", "--clusters=fake"])
    assert there.find("dunlin-x") == "7;fake"
    assert there.find("dunlin-y") is None
    assert there.alive(["7;fake", "8;fake", "7"]) == {"7;fake"}, "7 of this cluster is another"


def test_a_copy_of_a_study_has_none_of_its_jobs(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pbs(tmp_path, monkeypatch, "pro")
    directory = idle(study, tmp_path)
    dunlin("study", "run", directory)
    copy = shutil.copytree(directory, tmp_path / "copy")
    monkeypatch.setenv("FAKE_PBS_ALIVE", "1.fake")
    dunlin("study", "run", copy)
    assert [(job.name, job.id) for job in batch.jobs_of(copy)] == [("dunlin-0001", "2.fake")]
    assert [job.id for job in batch.jobs_of(directory)] == ["1.fake"]


def test_the_batch_system_is_asked_once_for_all_jobs(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = with_pbs(tmp_path, monkeypatch, "pro")
    directory = study(system=pbs_system("pro", "launches_per_job = 4"))
    dunlin("study", "run", directory)
    (spool / "calls").unlink(missing_ok=True)
    monkeypatch.setenv("FAKE_PBS_ALIVE", "2.fake")
    said = dunlin("study", "status", directory)
    assert (spool / "calls").read_text().splitlines() == ["qstat -f 1.fake 2.fake"]
    assert "job 1.fake (dunlin-0000) has ended: 4 of 4 done" in said
    assert "job 2.fake (dunlin-0001) waits or runs: 4 of 4 done" in said


def test_a_job_that_qstat_says_nothing_of_may_be_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_pbs(tmp_path, monkeypatch, "pro")
    install("mpi.py", tmp_path / "tools", "qstat")  # says nothing and ends well
    with pytest.raises(DunlinError, match=r"qstat does not tell the state of 1.fake"):
        pbs.Pbs().alive(["1.fake"])


@pytest.mark.parametrize("system", ["pro", "torque", "slurm"])
def test_a_directory_may_have_spaces_in_its_name(
    system: str, study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if system == "slurm":
        with_slurm(tmp_path, monkeypatch)
        text = 'backend = "slurm"'
    else:
        with_pbs(tmp_path, monkeypatch, system)
        text = pbs_system(system)
    directory = study(ONE_LAUNCH, system=text).rename(tmp_path / "a 100% study")
    dunlin("study", "run", directory, "--wait")
    assert len(runs_in(directory)) == 1
    assert "ok: " in (directory / batch.JOBS / "dunlin-0000.log").read_text()


def test_a_job_takes_what_fits_into_its_time(study: Make) -> None:
    """With 1 s each and 0.9 of the time to use."""
    directory = study(system='backend = "slurm"\ntime = "10s"\nlaunches_per_job = 7', text=SHORT)
    loaded, _ = studyfile.load(directory)
    launches = list(plan.all_launches(loaded)) * 3

    def sizes(seconds: float) -> list[int]:
        return [
            len(part) for part in batch.pack(launches, loaded.systems["here"], lambda _: seconds)
        ]

    assert sizes(0.1) == [7, 7, 7, 3], "launches_per_job"
    assert sizes(1.5) == [6, 6, 6, 6]
    assert sizes(100) == [1] * 24, "what fits nowhere has a job of its own"


def test_a_job_ends_before_its_time_does_and_the_next_one_goes_on(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_slurm(tmp_path, monkeypatch)
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n[1-1]")
    directory = study(system='backend = "slurm"')
    launches = plan.round_of(studyfile.load(directory)[0], 0)
    no_time = 1e-9  # seconds: over before the first launch has ended, however fast the machine is
    job = batch.job_of(launches, "dunlin-0000", "here", no_time, directory)
    (directory / batch.JOBS).mkdir()
    job.save(directory)
    said = dunlin("study", "job", directory, job.name)
    assert "The job's time is nearly over: 3 launches left" in said
    assert [run.run_id for run in runs_in(directory)] == [launches[0].run_id], "one at least"
    replace(job, seconds=600).save(directory)
    said = dunlin("study", "job", directory, job.name)
    assert "nearly over" not in said
    assert {run.run_id for run in runs_in(directory)} == set(job.run_ids)


def test_waiting_goes_on_when_the_batch_system_does_not_answer(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = with_slurm(tmp_path, monkeypatch)
    (spool / "silent").touch()
    directory = study(ONE_LAUNCH, system='backend = "slurm"')
    said = dunlin("study", "run", directory, "--wait")
    assert "squeue does not answer: slurm_load_jobs error" in said
    assert "trying again" in said
    assert "the budget is spent" in said


def test_all_systems_are_looked_at_before_anything_is_submitted(
    study: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_slurm(tmp_path, monkeypatch)
    directory = study(system='backend = "slurm"', measure=f"[systems.other]\n{pbs_system('pro')}")
    with pytest.raises(DunlinError, match=r"`systems.other`: there is no `qsub` .*`--system`"):
        dunlin("study", "run", directory)
    assert batch.jobs_of(directory) == []


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
    done = subprocess.run(["qsub", "-N", "x", script], capture_output=True, text=True, check=False)
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
    with pytest.raises(DunlinError, match=r"`systems.here`: there is no `sbatch` on PATH"):
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
    under_slurm = [sys.executable, str(SLURM), "run", "--nodes", "2", "--"]
    done = subprocess.run(
        [*under_slurm, sys.executable, "-m", "dunlin", "study", "run", str(directory), "--wait"],
        capture_output=True, text=True, check=False, cwd=SLURM.parent,
    )  # fmt: skip
    assert "4 launches done, complete" in done.stdout, done.stdout + done.stderr
    runs = runs_in(directory)
    assert [run.run_id for run in runs] == wanted(directory)
    assert {run.status for run in runs} == {"ok"}
    hosts = {run.nodes: {place.host for place in run.placement} for run in runs}
    assert len(hosts[2]) == 2
