"""A private PostgreSQL server for tests and benchmarks: a cluster in a temporary folder, on the loopback interface.

Needs the server's programs. Never uses a server that already runs.
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

INSTALLED_FOLDER = "/usr/lib/postgresql"
"""Folder in which Linux distributions install the server's programs, by version."""
STARTING_SECONDS, PAUSE = 120, 0.02
PORTS_TRIED_MAX = 5
"""More than one, because another process may take a free port before the server binds it."""
USER = "judge"
END_WITH_PARENT = ("setpriv", "--pdeathsig", "QUIT", "--") if shutil.which("setpriv") else ()
"""Prefix of a command that must end with this process, where the system supports it."""
MISSING = "there is no PostgreSQL on this machine (apt-get install postgresql)"


def programs() -> Path | None:
    """Return the folder of the newest server's programs, or None if PostgreSQL is not installed."""
    found = sorted(Path(INSTALLED_FOLDER).glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


class ServerExitError(Exception):
    """The server exited during startup."""


class PostgresServer:
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
        for _ in range(PORTS_TRIED_MAX):
            self.port = free_port()
            with suppress(ServerExitError):
                self.start()
                return
        raise ServerExitError

    def prepare(self) -> None:
        """Change the cluster's files before the first start. For subclasses."""

    def start(self) -> None:
        settings = (word for setting in (f"port={self.port}", *self._settings) for word in ("-c", setting))
        self._server = self.begin(str(self._bin / "postgres"), "-D", str(self.folder / "data"), *settings)
        # Ask the Unix socket, which opens after the TCP port: another server may answer at the port.
        asked = [str(self._bin / "pg_isready"), "-q", "-h", str(self.folder), "-p", str(self.port)]
        for _ in range(round(STARTING_SECONDS / PAUSE)):
            with suppress(subprocess.TimeoutExpired):
                self._server.wait(PAUSE)
                raise ServerExitError
            if subprocess.run(asked, check=False).returncode == 0:
                return
        raise AssertionError("the server does not answer")

    def begin(self, *command: str) -> "subprocess.Popen[bytes]":
        """Start a program as the user who may write to the folder. It ends with this process."""
        return subprocess.Popen([*END_WITH_PARENT, *command], **self._quiet)

    def stop(self) -> None:
        """Stop at once, as a power cut would: unwritten data is lost."""
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(STARTING_SECONDS)

    def address(self, schema: str = "", user: str = USER, database: str = "postgres", **more: str) -> str:
        """Return the URL of a schema, or of the database alone."""
        query = ({"options": f"-csearch_path={schema}"} if schema else {}) | more
        encoded = "&".join(f"{key}={quote(value, safe='')}" for key, value in query.items())
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}" + (f"?{encoded}" if encoded else "")


C = TypeVar("C", bound=PostgresServer)
Make = Callable[[Path, Path, tuple[str, ...], dict[str, Any]], C]


@contextmanager
def run_postgres(make: Make[C], bin: Path, settings: tuple[str, ...] = (), where: Path = Path("/tmp")) -> Iterator[C]:
    """Run a server built from the programs in `bin`. It ends with the block, or with this process."""
    folder = Path(mkdtemp(prefix="shinpan-pg-", dir=where)).absolute()
    who = _server_user()
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


def _server_user() -> dict[str, Any]:
    """Return the user options of `Popen`: PostgreSQL refuses to run as root."""
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
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def is_reached(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
