"""A real Slurm on one machine, for tests: a controller on the first of several hosts made of
network namespaces, where users log in, and a node on each of the others.

    python -m tests.slurm.slurm run [--nodes N] [--] COMMAND...   # where users log in

All its files are in one temporary directory; it uses no control groups, and leaves nothing behind.
Authentication is by munge, with a key of its own."""

import argparse
import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dunlin.watchdog import words_of
from tests.cluster import cluster
from tests.cluster.cluster import Cluster, Host, Unable

# Debian keeps the daemons where only root looks.
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
TOOLS = {"slurmctld": "slurmctld", "slurmd": "slurmd", "srun": "slurm-client", "munged": "munge"}
# More than a test machine has: what Slurm counts is configured, not found.
CPUS_PER_NODE = 8
MUNGE_KEY_BYTES = 1024
PATIENCE_S = 30
POLL_S = 0.05
LOG_LINES_SHOWN = 20

CONFIGURATION = """\
ClusterName=dunlin
SlurmctldHost={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={directory}/munge.socket
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool-%n
TmpFS={directory}/tmp-%n
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd-%n.pid
SlurmctldLogFile={directory}/slurmctld.log
SlurmdLogFile={directory}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
KillWait=2
PropagateResourceLimitsExcept=MEMLOCK
NodeName={nodes} CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=NO State=UP
"""
# Nothing here uses control groups; but asked to find out by itself which kind there is, a daemon
# ends where namespaces show none.
CONTROL_GROUPS = "CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n"


def obstacle() -> str | None:
    """Why there can be no Slurm here, in a sentence; None where there can."""
    for tool, package in TOOLS.items():
        if shutil.which(tool, path=PATH) is None:
            return f"there is no `{tool}` (Debian: {package})"
    return cluster.obstacle()


class Slurm:
    """From `with` to its end."""

    def __init__(self, nodes: int = 2):
        self.net = Cluster(hosts=1 + nodes)
        self.daemons: list[subprocess.Popen] = []

    @property
    def login(self) -> Host:
        """Where users log in, and where the controller runs."""
        return self.net.hosts[0]

    @property
    def nodes(self) -> list[Host]:
        """Where jobs run."""
        return self.net.hosts[1:]

    @property
    def names(self) -> list[str]:
        """The nodes' names."""
        return [node.name for node in self.nodes]

    def environment(self, **more: str) -> dict[str, str]:
        """What a user needs to find this Slurm, and nothing of another."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
        return {**own, "SLURM_CONF": str(self.configuration), "PATH": PATH, **more}

    def command(self, *words) -> list[str]:
        """The command line that runs a command where users log in."""
        return self.login.command(*words)

    def call(self, *words, check: bool = True) -> str:
        """What a command prints there."""
        done = subprocess.run(self.command(*words), env=self.environment(), text=True, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S)
        if check and done.returncode != 0:
            raise Unable(f"`{' '.join(map(str, words))}` failed: {done.stderr.strip()}")
        return done.stdout

    def __enter__(self) -> "Slurm":
        self.stack = contextlib.ExitStack()
        try:
            self.directory = Path(self.stack.enter_context(
                tempfile.TemporaryDirectory(prefix="dunlin-slurm-")))
            self.configuration = self.directory / "slurm.conf"
            # The last to go: what runs on hosts ends with them.
            self.stack.enter_context(self.net)
            self.stack.callback(self.end_daemons)
            self.make()
        except BaseException:
            self.stack.close()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.stack.close()

    def make(self) -> None:
        """Files, daemons, and a wait until the nodes are idle."""
        # Each node its own: Slurm's PMIx makes a directory there that must not be there already.
        own = (f"{what}-{name}" for name in self.names for what in ("spool", "tmp"))
        for name in ("state", *own):
            (self.directory / name).mkdir()
        (self.directory / "cgroup.conf").write_text(CONTROL_GROUPS)
        self.configuration.write_text(CONFIGURATION.format(
            controller=f"{self.login.name}({self.login.address()})", directory=self.directory,
            nodes=",".join(self.names), cpus=CPUS_PER_NODE))
        # Munge refuses keys and sockets in places that others might change.
        self.directory.chmod(0o755)
        self.start_munge()
        self.start(self.login.command("slurmctld", "-D"))
        for i, node in enumerate(self.nodes):
            self.start(node.command("taskset", "--cpu-list", self.cpus_of(i), "slurmd", "-D"))
        self.wait_for("idle nodes", self.is_idle)
        # The daemons, and what they have started for themselves.
        self.own = self.processes()

    def cpus_of(self, number: int) -> str:
        """The node's own part of the machine's cores, which on small ones its ranks then share.
        With all of them they would take cores to be free that another node's ranks use, and wait
        without giving them away."""
        cpus = sorted(os.sched_getaffinity(0))
        each = len(cpus) // len(self.nodes)
        own = cpus[number * each:][:each] or [cpus[number % len(cpus)]]
        return ",".join(map(str, own))

    def start_munge(self) -> None:
        """The daemon that says who somebody is."""
        key, socket = self.directory / "munge.key", self.directory / "munge.socket"
        key.touch(mode=0o400)
        key.write_bytes(secrets.token_bytes(MUNGE_KEY_BYTES))
        files = {"key-file": key, "socket": socket, **{
            f"{kind}-file": self.directory / f"munge.{kind}" for kind in ("pid", "log", "seed")}}
        # Where /tmp itself may be written by all it would refuse to start.
        self.start(["munged", "--foreground", "--force",
                    *(f"--{option}={path}" for option, path in files.items())])
        self.wait_for("socket of munge", socket.exists)

    def start(self, command: list[str]) -> None:
        """A daemon that stays a child."""
        out = (self.directory / f"{len(self.daemons)}.out").open("w")
        self.daemons.append(subprocess.Popen(command, env=self.environment(), stdout=out,
                                             stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL))
        out.close()

    def is_idle(self) -> bool:
        """Whether all nodes wait for jobs."""
        states = self.call("sinfo", "--noheader", "--Node", "--format=%N %T", check=False)
        return states.split("\n")[:-1] == [f"{name} idle" for name in self.names]

    def jobs(self) -> list[str]:
        """The jobs that there are."""
        return self.call("squeue", "--noheader", "--format=%i %T").split("\n")[:-1]

    def wait_for(self, what: str, is_so) -> None:
        """Waits until something is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            if ended := [d.args for d in self.daemons if d.poll() is not None]:
                raise Unable(f"{ended[0]!r} has ended:\n{self.said()}")
            if time.monotonic() > deadline:
                raise Unable(f"no {what} after {PATIENCE_S} s:\n{self.said()}")
            time.sleep(POLL_S)

    def said(self) -> str:
        """The last words of all daemons."""
        texts = []
        for log in sorted([*self.directory.glob("*.log"), *self.directory.glob("*.out")]):
            lines = log.read_text(errors="replace").splitlines()[-LOG_LINES_SHOWN:]
            texts += [f"{log.name}:", *lines]
        return "\n".join(texts)

    def processes(self) -> set[int]:
        """What runs on nodes and login."""
        return {pid for host in self.net.hosts for pid in host.processes()}

    def leftovers(self) -> list[str]:
        """The processes on nodes and login besides Slurm's own, after a short grace."""
        deadline = time.monotonic() + cluster.GRACE_S
        while True:
            pids = self.processes() - self.own
            found = [f"{pid} {line}" for pid in sorted(pids) if (line := " ".join(words_of(pid)))]
            if not found or time.monotonic() > deadline:
                return found
            time.sleep(POLL_S)

    def end_daemons(self) -> None:
        """Slurm's own, nodes first, which end what they have started."""
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(cluster.PATIENCE_S)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    run = verbs.add_parser("run", help="make it, run a command where users log in, remove it")
    run.add_argument("--nodes", type=int, default=2, metavar="N", help="default: %(default)s")
    run.add_argument("command", nargs=argparse.REMAINDER, help="without one: a shell")
    options = parser.parse_args()
    if why := obstacle():
        sys.exit(f"no Slurm: {why}")
    with Slurm(options.nodes) as slurm:
        words = options.command[options.command[:1] == ["--"]:] or [os.environ.get("SHELL", "sh")]
        done = subprocess.run(slurm.command(*words), env=slurm.environment(), check=False)
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
