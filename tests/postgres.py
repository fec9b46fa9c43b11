"""A PostgreSQL of the tests' own: a cluster in a temporary folder, reached over loopback, gone with the tests."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import quote

import pytest

REQUIRED = "SHINPAN_POSTGRES"
"""Where the environment says `required`, no test is left out for want of a PostgreSQL: it fails."""
PLACES = "/usr/lib/postgresql"
"""Where a distribution's packages lay the server's programs, by version."""
STARTING_SECONDS = 30
USER = "judge"
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""What makes a server that may forget at a power cut; no test cuts the power."""
GUARDED, PASSWORD = "guarded", "k@rd/9?"
"""A user who is asked for a password, and the password."""
DIES_WITH_US = ("setpriv", "--pdeathsig", "QUIT", "--") if shutil.which("setpriv") else ()
"""Before a program that is not to outlive the tests, where the system can have it so."""


def programs() -> Path | None:
    """The folder of the server's programs, the newest; none where there is no server."""
    found = sorted(Path(PLACES).glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


class Cluster:
    """A server that is up, and its schemas, one for each who asks."""

    def __init__(self, bin: Path, folder: Path, settings: tuple[str, ...], who: dict[str, Any]) -> None:
        self.folder, self.port = folder, _free_port()
        self._bin, self._numbers = bin, count(1)
        self._asked: Any = None
        self._quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, **who}
        self._settings = (
            *settings, f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}",
            "shared_buffers=16MB", "max_connections=100", "log_min_messages=fatal",
        )  # fmt: skip
        made = [bin / "initdb", "-D", folder / "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        subprocess.run(made, check=True, timeout=STARTING_SECONDS, **self._quiet)
        rules = folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all {GUARDED} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
        self.start()
        self.run(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}'")

    def start(self) -> None:
        """Begin; what was written before is there."""
        settings = (word for setting in self._settings for word in ("-c", setting))
        self._server = subprocess.Popen(
            [*DIES_WITH_US, self._bin / "postgres", "-D", self.folder / "data", *settings], **self._quiet
        )
        asked = [self._bin / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        deadline = time.monotonic() + STARTING_SECONDS
        while subprocess.run(asked, check=False).returncode:
            assert self._server.poll() is None, "the server has ended"
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.02)

    def stop(self) -> None:
        """End at once, as if the power were cut: what it had not written is lost."""
        if self._asked is not None:
            self._asked.close()
            self._asked = None
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(STARTING_SECONDS)

    def address(self, schema: str = "", user: str = USER, database: str = "postgres", **more: str) -> str:
        """The address of a schema, or of the database alone."""
        query = ({"options": f"-csearch_path={schema}"} if schema else {}) | more
        said = "&".join(f"{key}={quote(value, safe='')}" for key, value in query.items())
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}" + (f"?{said}" if said else "")

    def run(self, statement: str, schema: str = "") -> list[Any]:
        """Rows of a statement, or of the last of several."""
        import psycopg

        if self._asked is None:
            self._asked = psycopg.connect(self.address(), autocommit=True)
        self._asked.execute(f"SET search_path = {schema or 'public'}")
        cursor = self._asked.execute(statement)
        while cursor.nextset():
            pass
        return cursor.fetchall() if cursor.description else []

    def tables(self, schema: str) -> frozenset[str]:
        """The tables of a schema."""
        return frozenset(name for (name,) in self.run(f"SELECT tablename FROM pg_tables WHERE schemaname='{schema}'"))

    def schema(self) -> str:
        """A new schema."""
        name = f"t{next(self._numbers)}"
        self.run(f"CREATE SCHEMA {name}")
        return name

    def new(self) -> str:
        """The address of an empty place for a store."""
        return self.address(self.schema())


def schema_of(address: str) -> str:
    """The schema that an address names."""
    return address.rpartition("search_path%3D")[2]


@contextmanager
def begun(settings: tuple[str, ...] = QUICK) -> Iterator[Cluster]:
    """A server that ends with the block, and with this process however that ends. Where there is none, whoever asks is
    left out, or fails."""
    bin = programs()
    if bin is None:
        why = "there is no PostgreSQL on this machine (apt-get install postgresql)"
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(f"{why}, and {REQUIRED} is required")
        pytest.skip(why)
    folder = Path(mkdtemp(prefix="shinpan-pg-", dir="/tmp"))
    who = _somebody()
    try:
        if who:
            os.chown(folder, who["user"], who["group"])
        cluster = Cluster(bin, folder, settings, who)
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


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
