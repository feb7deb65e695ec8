"""Packages of Debian, sources and binaries, fetched and unpacked without changing how this machine
uses apt or what it has installed."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

SOURCES = Path("/etc/apt/sources.list.d/debian.sources")
WAY_TO_SOURCES = f"there is no {SOURCES}, in which Debian 12 names its mirror"
CONFIGURATION = """\
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "{at}/parts";
Dir::State::lists "{at}/lists";
Dir::Cache "{at}/cache";
APT::Sandbox::User "";
"""


class Unable(Exception):
    """Why a package cannot be had, in a sentence."""


def call(*words: str, **options) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise Unable(f"`{' '.join(words)}` failed: {last}")


def apt_environment(at: Path) -> dict[str, str]:
    """Settings of apt under which everything it keeps lies in `at`, sources enabled."""
    if shutil.which("apt-get") is None:
        raise Unable("there is no apt-get here; the package is taken from Debian 12")
    if not SOURCES.is_file():
        raise Unable(WAY_TO_SOURCES)
    for part in ("parts", "lists/partial", "cache/archives/partial"):
        (at / part).mkdir(parents=True, exist_ok=True)
    text = SOURCES.read_text().replace("Types: deb\n", "Types: deb deb-src\n")
    (at / "parts" / "debian.sources").write_text(text)
    (at / "apt.conf").write_text(CONFIGURATION.format(at=at))
    return {**os.environ, "APT_CONFIG": str(at / "apt.conf")}


def fetch(package: str, at: Path) -> Path:
    """The unpacked original sources of a package, below `at`; fetched unless they are there."""
    place = at / package
    if not place.is_dir():
        raw = at / f"{package}.fetched"
        shutil.rmtree(raw, ignore_errors=True)
        raw.mkdir(parents=True)
        environment = apt_environment(at.resolve() / "apt")
        call("apt-get", "update", env=environment)
        try:
            call("apt-get", "source", "--download-only", package, env=environment, cwd=raw)
        except Unable:
            # A mirror may lack Debian's changes to a package while it has the original.
            if not list(raw.glob("*.orig.tar.*")):
                raise
        originals = sorted(raw.glob("*.orig.tar.*"))
        if not originals:
            raise Unable(f"the source package {package} holds no *.orig.tar.* file")
        for original in originals:
            with tarfile.open(original) as archive:
                archive.extractall(raw, filter="tar")
        (root,) = [path for path in raw.iterdir() if path.is_dir()]
        root.rename(place)
    return place


def unpack(archives: list[Path], root: Path) -> None:
    """Unpacks binary packages into `root`, each once."""
    done = root / ".unpacked"
    done.mkdir(parents=True, exist_ok=True)
    for archive in archives:
        if not (done / archive.stem).exists():
            call("dpkg", "-x", str(archive), str(root))
            (done / archive.stem).touch()


def binary(package: str, at: Path) -> Path:
    """The files of one binary package alone, below `at`."""
    root = at / package
    if not (root / ".unpacked").is_dir():
        root.mkdir(parents=True, exist_ok=True)
        environment = apt_environment(at.resolve() / "apt")
        call("apt-get", "update", env=environment)
        call("apt-get", "download", package, env=environment, cwd=root)
        unpack(list(root.glob("*.deb")), root)
    return root


def with_needed(packages: list[str], at: Path) -> Path:
    """The files of binary packages and of those that they need and this machine lacks, in one tree
    below `at`, as if they were installed there."""
    root, name = at / "root", "+".join(packages)
    if not (root / f".complete-{name}").exists():
        environment = apt_environment(at.resolve() / "apt")
        call("apt-get", "update", env=environment)
        call("apt-get", "install", "-y", "--no-install-recommends", "--download-only",
             "-o", "Debug::NoLocking=1", *packages, env=environment)
        unpack(sorted((at / "apt" / "cache" / "archives").glob("*.deb")), root)
        (root / f".complete-{name}").touch()
    return root
