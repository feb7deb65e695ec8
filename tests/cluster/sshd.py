"""A server of OpenSSH for tests, with keys and settings of its own in a folder of its own: nothing
of the machine's, or of the user's, is read or changed. It lets in the user who runs it."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from tests.cluster import cluster

# Distributions keep it out of an ordinary user's PATH.
SBIN = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
# sshd as root wants this to exist; packages make it when the service starts.
PRIVILEGE_SEPARATION = Path("/run/sshd")
PATIENCE_S = 10
POLL_S = 0.02

SERVER = """\
Port {port}
ListenAddress {address}
HostKey {directory}/host_key
AuthorizedKeysFile {directory}/authorized
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
# A shell that starts for a login reads the files of this home: those of the user would run, and may
# print, whatever that user has in them.
SetEnv HOME={directory}
"""
CLIENT_OF_ALL = """\
Host *
    User {user}
    IdentitiesOnly yes
    UserKnownHostsFile {directory}/known
    GlobalKnownHostsFile none
    BatchMode yes
    ConnectTimeout 5
"""
CLIENT_OF_HOST = """\
Host {name}
    HostName {address}
    Port {port}
    HostKeyAlias {alias}
    IdentityFile {key}
"""


def obstacle() -> str | None:
    """Why there can be no server here, in a sentence."""
    for tool, package in [("sshd", "openssh-server"), ("ssh", "openssh-client"),
                          ("ssh-keygen", "openssh-client")]:
        if shutil.which(tool, path=SBIN) is None:
            return f"there is no `{tool}` (Debian: {package})"
    return None


def key(path: Path) -> str:
    """Makes a pair of keys; the public one."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path],
                   check=True)
    return Path(f"{path}.pub").read_text()


def free_port() -> int:
    """A port of this machine that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Login:
    """Keys, servers, and the command line that logs in to them."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.servers: list[subprocess.Popen] = []
        public, host = key(directory / "key"), key(directory / "host_key")
        key(directory / "stranger")
        (directory / "authorized").write_text(public)
        (directory / "known").write_text(f"server {host}")
        self.hosts: list[str] = []
        if os.geteuid() == 0:
            PRIVILEGE_SEPARATION.mkdir(mode=0o755, exist_ok=True)

    def host(self, name: str, address: str, port: int, alias: str = "server",
             key: str = "key") -> None:
        """What the client knows of a host."""
        self.hosts.append(CLIENT_OF_HOST.format(name=name, address=address, port=port,
                                                alias=alias, key=self.directory / key))
        text = "".join(self.hosts) + CLIENT_OF_ALL.format(user=getpass.getuser(),
                                                          directory=self.directory)
        (self.directory / "config").write_text(text)

    def rsh(self) -> str:
        """For mpirun's --rsh."""
        return f"ssh -F {self.directory}/config -x"

    def force(self, command: str) -> None:
        """Whoever logs in gets this command in the place of the one asked for."""
        at = self.directory / "authorized"
        words = at.read_text().split()
        at.write_text(f'command="{command}" {" ".join(words[-3:])}\n')

    def serve(self, address: str, port: int, on: cluster.Host | None = None) -> None:
        """Starts a server, here or on a host, and waits until it listens."""
        settings = self.directory / f"server-{address}-{port}"
        settings.write_text(SERVER.format(address=address, port=port, directory=self.directory))
        command = [shutil.which("sshd", path=SBIN) or "sshd", "-D", "-e", "-f", str(settings)]
        with (self.directory / "server.log").open("a") as log:
            self.servers.append(subprocess.Popen(on.command(*command) if on else command,
                                                 stdin=subprocess.DEVNULL, stderr=log))
        deadline = time.monotonic() + PATIENCE_S
        while not self.answers(address, port, on):
            if self.servers[-1].poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"sshd does not listen: {self.log()}")
            time.sleep(POLL_S)

    def answers(self, address: str, port: int, on: cluster.Host | None) -> bool:
        """Whether somebody listens there."""
        with (on.socket(socket.SOCK_STREAM) if on else socket.socket()) as probe:
            return probe.connect_ex((address, port)) == 0

    def log(self) -> str:
        """What the servers have said."""
        return (self.directory / "server.log").read_text()

    def end(self) -> None:
        """Ends the servers."""
        for server in self.servers:
            server.terminate()
            server.wait(PATIENCE_S)
