import os
import stat
from pathlib import Path

import pytest

from dunlin import discover, libraries
from dunlin.errors import DunlinError
from dunlin.libraries import Library, Place, identify

SAYS = {
    "Dunlin 0.1.0\nan MPI 5.0 library": ("dunlin", "0.1.0"),
    "Intel(R) MPI Library 2021.18.1 for Linux* OS\n": ("intel", "2021.18.1"),
    "MPICH Version:      5.0.2\nMPICH Release date: x": ("mpich", "5.0.2"),
    "Open MPI v5.0.11, package: Open MPI user@localhost": ("openmpi", "5.0.11"),
    "MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release": ("mvapich", "2.3.7"),
    "MPI VERSION    : CRAY MPICH version 8.1.28 (ANL base 3.4a2)": ("cray", "8.1.28"),
    "something new": ("unknown", ""),
}


def a_library(vendor: str = "mpich", launch: tuple[str, ...] = ()) -> Library:
    at = Path("/p/bin")
    return Library("x", at / "mpicc", at / "mpiexec", vendor=vendor, launch=launch)


def test_a_library_is_known_by_its_own_words() -> None:
    assert {text: identify(text) for text in SAYS} == SAYS


@pytest.mark.parametrize(
    ("vendor", "words", "lines"),
    [
        ("mpich", "-n 8 -ppn 4 -f hosts", "a:4\nb:4\n"),
        ("dunlin", "-n 8 -ppn 4 -f hosts", "a:4\nb:4\n"),
        ("openmpi", "-n 8 --map-by ppr:4:node:OVERSUBSCRIBE --hostfile hosts",
         "a slots=4\nb slots=4\n"),
        ("unknown", "-n 8 -machinefile hosts", "a\nb\n"),
    ],
)  # fmt: skip
def test_each_launcher_hears_of_hosts_in_its_own_dialect(
    vendor: str, words: str, lines: str, tmp_path: Path
) -> None:
    library, place = a_library(vendor), Place(2, 4, ("a", "b", "c"))
    command = libraries.launcher_words(library, place, Path("hosts"))
    assert command == ["/p/bin/mpiexec", *words.split()]
    libraries.write_hostfile(library, place, tmp_path / "hosts")
    assert (tmp_path / "hosts").read_text() == lines


def test_a_site_may_start_ranks_its_own_way() -> None:
    library = a_library(launch=("srun", "-N{nodes}", "-n{ranks}", "--x={ranks_per_node}"))
    words = libraries.launcher_words(library, Place(2, 4), None)
    assert words == ["srun", "-N2", "-n8", "--x=4"]


def test_binding_is_left_to_the_programs_where_they_bind() -> None:
    assert libraries.necessary_environment(a_library("intel"), bound_by_program=True) == {
        "I_MPI_PIN": "off"
    }
    assert libraries.necessary_environment(a_library("intel"), bound_by_program=False) == {}
    openmpi = libraries.necessary_environment(a_library("openmpi"), bound_by_program=True)
    assert openmpi["PRTE_MCA_hwloc_default_binding_policy"] == "none"


def an_installation(at: Path, suffix: str = "") -> Path:
    (at / "bin").mkdir(parents=True)
    for name in ("mpicc", "mpiexec"):
        tool = at / "bin" / f"{name}{suffix}"
        tool.write_text("#!/bin/sh\nexit 7\n")
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    return at


def test_libraries_are_found_on_path_by_variable_and_in_directories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = an_installation(tmp_path / "one"), an_installation(tmp_path / "two")
    three, wheel = an_installation(tmp_path / "three"), an_installation(tmp_path / "w" / "wheel")
    (wheel / "pyvenv.cfg").write_text("")
    monkeypatch.setenv("PATH", f"{one / 'bin'}{os.pathsep}/usr/bin")
    monkeypatch.setenv("I_MPI_ROOT", str(two))
    found = discover.candidates([three, tmp_path / "w"])
    at = {c.mpicc.parent.parent: c.source for c in found}
    assert at[one] == "PATH"
    assert at[two] == "$I_MPI_ROOT"
    assert at[three] == "directory"
    assert wheel in at


def test_an_installation_is_found_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = an_installation(tmp_path / "one")
    (tmp_path / "link").symlink_to(one)
    monkeypatch.setenv("PATH", f"{one / 'bin'}{os.pathsep}{tmp_path / 'link' / 'bin'}")
    assert [c.mpicc for c in discover.on_path()] == [
        one / "bin" / "mpicc", tmp_path / "link" / "bin" / "mpicc",
    ]  # fmt: skip
    ours = [c for c in discover.candidates([]) if tmp_path in c.mpicc.parents]
    assert len(ours) == 1


def test_a_library_that_does_not_work_says_why(tmp_path: Path) -> None:
    broken = an_installation(tmp_path / "broken")
    candidate = discover.pair_in(broken / "bin", "here")
    assert candidate is not None
    library = discover.probe(candidate)
    assert library.fault is not None
    assert "ended with 7" in library.fault


def test_two_of_one_kind_get_names_of_their_own() -> None:
    found = [
        Library(name, Path("m"), Path("l"), version=version)
        for name, version in [("mpich", "5"), ("mpich", "4"), ("mpich", "4"), ("dunlin", "1")]
    ]
    names = [library.name for library in discover.named(found)]
    assert names == ["mpich", "mpich-4", "mpich-4-2", "dunlin"]


def test_a_module_is_what_its_shell_script_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEPT", "same")
    changed = discover.environment_of("export NEW='a b'; export PATH=/x:$PATH; export KEPT=same")
    assert changed["NEW"] == "a b"
    assert changed["PATH"].startswith("/x:")
    assert "KEPT" not in changed
    with pytest.raises(DunlinError, match="no-such-command"):
        discover.environment_of("no-such-command")


def test_names_of_modules_that_hold_an_mpi() -> None:
    hold = ["openmpi/5.0.3", "mpi/impi/2021.13", "impi/2021.13", "cray-mpich/8.1.28", "mpich"]
    others = ["gcc/12.3", "impish/1", "empire/2", "hdf5/1.14"]
    assert [n for n in hold + others if discover.MODULE.search(n)] == hold
