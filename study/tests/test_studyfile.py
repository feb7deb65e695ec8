from pathlib import Path

import pytest

from dunlin import studyfile
from dunlin.errors import DunlinError
from dunlin.studyfile import Profile, Settings, System, expand_sizes, parse_seconds

GOOD = """name = "s"
[systems.here]
[libraries.dunlin]
[libraries.mpich]
[profiles.none]
[profiles.yield]
libraries = ["mpich"]
[[measure]]
benchmarks = ["latency"]
scales = ["1:2"]
sizes = [8, "4K"]
[[measure]]
benchmarks = ["barrier"]
scales = ["1:4"]
"""
FILE = Path("s.toml")


def test_a_study_is_read() -> None:
    study = studyfile.parse(GOOD, FILE)
    assert study.measure[0].sizes == [8, 4096]
    assert study.measure[1].scales == [(1, 4)]
    assert study.systems["here"].backend == "local"


def test_sizes_and_times_are_written_as_people_do() -> None:
    assert expand_sizes("8..64") == [8, 16, 32, 64]
    assert expand_sizes(["0..4", "1M"]) == [0, 1, 2, 4, 1 << 20]
    assert [parse_seconds(t) for t in (3, "30s", "1.5m", "2h")] == [3, 30, 90, 7200]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('name = "s"', 'name = "s', "s.toml:1: this is no TOML"),
        ('name = "s"', 'name = "a/b"', "s.toml:1: `name`: `a/b` is no name"),
        ("[systems.here]", '[systems.here]\nbackend = "lsf"', "s.toml:3: `systems.here.backend`"),
        ("[systems.here]", "[systems.here]\nquue = 1", "s.toml:3: `systems.here.quue`: there "
         "is no key `quue`; did you mean `queue`? There are: backend, hosts"),
        ("[profiles.yield]", "[profiles.yield.library.mpich]\noption = []\n[profiles.yield]",
         "s.toml:7: `profiles.yield.library.mpich.option`: there is no key `option`; did you mean "
         "`options`? There are: environment, options"),
        ('name = "s"', 'name = "s"\nprofile = 1', "s.toml:2: `profile`: there is no key `profile`; "
         "did you mean `profiles`?"),
        ("[libraries.dunlin]", '[libraries.dunlin]\nlaunch = "srun -n {rank}"',
         "s.toml:4: `libraries.dunlin.launch`: `srun -n {rank}` uses {rank}; there are {ranks}"),
        ("[libraries.dunlin]", "[libraries.dunlin]\nlaunch = \"srun '\"",
         "s.toml:4: `libraries.dunlin.launch`: `srun '` is no command: No closing quotation"),
        ("[systems.here]", '[systems.here]\ntime = "30"',
         "s.toml:3: `systems.here.time`: `30` is no time of a job; write 02:00:00, 90m or 2h"),
        ("[systems.here]", '[systems.here]\nbackend = "slurm"\ntime = "2m"',
         "s.toml:4: `systems.here.time`: a job has 120 s and a launch up to 120 s (`timeout` of"),
        ('["latency"]', '["latncy"]', "s.toml:9: `measure.0.benchmarks`: there is no benchmark "
         "`latncy`; did you mean `latency`? There are: latency,"),
        ('"1:4"', '"4"', "s.toml:14: `measure.1.scales.0`: `4` is no scale"),
        ('"1:4"', '"3:4"', "s.toml:14: `measure.1.scales`: 3:4 needs 3 hosts"),
        ('"1:2"', '"1:1"', "s.toml:10: `measure.0.scales`: 1:1 is too small for `latency`"),
        ('sizes = [8, "4K"]', "", "s.toml:8: `measure.0.sizes`: `latency` needs sizes"),
        ('"4K"', '"4Q"', "s.toml:11: `measure.0.sizes`: `4Q` is no size"),
        ('["mpich"]', '["mpch"]', "s.toml:7: `profiles.yield.libraries`: `mpch` is none of"),
        ('scales = ["1:4"]', "", "s.toml:12: `measure.1.scales`: it is missing"),
    ],
)  # fmt: skip
def test_a_mistake_is_answered_with_its_line_and_key(old: str, new: str, complaint: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(DunlinError) as caught:
        studyfile.parse(GOOD.replace(old, new), FILE)
    assert str(caught.value).startswith(complaint)


def test_the_time_of_a_job_is_given_to_batch_systems_in_the_one_way_that_all_read_alike() -> None:
    given = ["01:30:00", "1:30:00", "90m", "1.5h", "2-00:00:00", "100:00:00"]
    read = [System(time=text) for text in given]
    assert [s.time for s in read] == ["01:30:00"] * 4 + ["48:00:00", "100:00:00"]
    assert read[0].seconds == 5400


def test_a_profile_may_say_something_else_to_one_library() -> None:
    profile = Profile(
        environment={"A": "1"}, library={"mpich": Settings(environment={"A": "2"}, options=["-x"])}
    )
    assert profile.settings("dunlin") == Settings(environment={"A": "1"})
    assert profile.settings("mpich") == Settings(environment={"A": "2"}, options=["-x"])


def test_a_missing_study_is_named(tmp_path: Path) -> None:
    with pytest.raises(DunlinError, match=r"study.toml: there is no such file"):
        studyfile.load(tmp_path)
