"""A PostgreSQL server of one's own: a cluster in a temporary folder, reached over loopback, gone in the end.

Tests and benchmarks begin one where its programs are installed; nothing of a server that runs already is used.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, TypeVar
from urllib.parse import quote

PLACES = "/usr/lib/postgresql"
"""Where a distribution's packages lay the server's programs, by version."""
STARTING_SECONDS, PAUSE = 120, 0.02
PORTS = 5
"""So many are tried: a free port may be somebody else's by the time the server takes it."""
USER = "judge"
DIES_WITH_US = ("setpriv", "--pdeathsig", "QUIT", "--") if shutil.which("setpriv") else ()
"""Before a program that is not to outlive us, where the system can have it so."""
MISSING = "there is no PostgreSQL on this machine (apt-get install postgresql)"


def programs() -> Path | None:
    """The folder of the server's programs, the newest; none where there is no server."""
    found = sorted(Path(PLACES).glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


class ServerExitError(Exception):
    """The server does not stay up."""


class PostgresServer:
    """A server that is up."""

    def __init__(self, bin: Path, folder: Path, settings: tuple[str, ...], who: dict[str, Any]) -> None:
        self.folder = folder
        self._bin = bin
        self._quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, **who}
        self._settings = (
            "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}",
            "shared_buffers=16MB", "max_connections=100", "log_min_messages=fatal", *settings,
        )  # fmt: skip
        made = [
            str(bin / "initdb"),
            "-D",
            str(folder / "data"),
            "-U",
            USER,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        ]
        subprocess.run(made, check=True, timeout=STARTING_SECONDS, **self._quiet)
        self.prepare()
        for _ in range(PORTS):
            self.port = free_port()
            with suppress(ServerExitError):
                self.start()
                return
        raise ServerExitError

    def prepare(self) -> None:
        """What is done with its files before it starts."""

    def start(self) -> None:
        """Begin; what was written before is there."""
        settings = (word for setting in (f"port={self.port}", *self._settings) for word in ("-c", setting))
        self._server = self.begin(str(self._bin / "postgres"), "-D", str(self.folder / "data"), *settings)
        # At its own socket, which is there behind that of the port: at the port somebody else's server may answer.
        asked = [str(self._bin / "pg_isready"), "-q", "-h", str(self.folder), "-p", str(self.port)]
        for _ in range(round(STARTING_SECONDS / PAUSE)):
            with suppress(subprocess.TimeoutExpired):
                self._server.wait(PAUSE)
                raise ServerExitError
            if subprocess.run(asked, check=False).returncode == 0:
                return
        raise AssertionError("the server does not answer")

    def begin(self, *command: str) -> "subprocess.Popen[bytes]":
        """Begin a program as whoever may write to the folder. It ends with us."""
        return subprocess.Popen([*DIES_WITH_US, *command], **self._quiet)

    def stop(self) -> None:
        """End at once, as if the power were cut: what it had not written is lost."""
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(STARTING_SECONDS)

    def address(self, schema: str = "", user: str = USER, database: str = "postgres", **more: str) -> str:
        """The address of a schema, or of the database alone."""
        query = ({"options": f"-csearch_path={schema}"} if schema else {}) | more
        said = "&".join(f"{key}={quote(value, safe='')}" for key, value in query.items())
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}" + (f"?{said}" if said else "")


C = TypeVar("C", bound=PostgresServer)
Make = Callable[[Path, Path, tuple[str, ...], dict[str, Any]], C]


@contextmanager
def run_postgres(make: Make[C], bin: Path, settings: tuple[str, ...] = (), where: Path = Path("/tmp")) -> Iterator[C]:
    """A server that ends with the block, and with this process however that ends, out of the programs of a folder."""
    folder = Path(mkdtemp(prefix="shinpan-pg-", dir=where)).absolute()
    who = _somebody()
    try:
        if who:
            os.chown(folder, who["user"], who["group"])
        cluster = make(bin, folder, settings, who)
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _somebody() -> dict[str, Any]:
    """Who the server runs as: it refuses to be root."""
    if os.getuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise AssertionError("no user to run a server as")


def free_port() -> int:
    """A port of this machine at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def is_reached(port: int) -> bool:
    """Does somebody listen at a port of this machine?"""
    with socket.socket() as knocking:
        return knocking.connect_ex(("127.0.0.1", port)) == 0
