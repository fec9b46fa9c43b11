"""Server processes on a free port over a store in a folder."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import httpx
from msgspec import Struct

from domain.games import GAMES
from domain.table.table import Seat
from recorder.clock import pause, read_monotonic_seconds
from recorder.keyring import Holder, Keyring
from recorder.matches import open_match
from recorder.store import Store
from service import demo
from service.access import Role
from tests.places import files_base, place
from tests.service.harness import YEAR_MS

ROOT = Path(__file__).parents[2]
BEGIN = (sys.executable, "-c", "from cli.main import main; main()")
SERVED = re.compile(r"^Serving (.*); press", re.M)
"""The last line printed before the server answers."""
PATIENCE = 120.0
"""Seconds after which a silent process has failed."""
LOOK = 0.02
MAIN = "from cli.main import main; main()"
PATIENT = (
    "from recorder import store_location\n"
    f"store_location.LOCK_SECONDS = {PATIENCE:.0f}\n"
    "from service import app\n"
    f"app.WRITE_WAIT_S = {PATIENCE}\n"
)
"""A prologue for programs in which writers wait patiently for the store and their turn."""


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SHINPAN", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONPATH": str(ROOT), **more}


def capped(files: int) -> tuple[str, ...]:
    """Return a command prefix that limits open files; 0 means no limit."""
    return ("sh", "-c", 'ulimit -n "$0" && exec "$@"', str(files)) if files else ()


def begin_store(folder: Path, match: str, seed: int | None = None) -> str:
    """Create a store with a new match, shuffled by the seed."""
    path = place(folder / "cup.sqlite")
    version, law = demo.newest_rules(next(iter(GAMES.values())))
    with Store.open(path) as opened:
        secret = None if seed is None else seed.to_bytes(16, "big")
        assert open_match(opened, law, version, {}, seed=secret, match_id=match) == match
    return path


def token_of(store: Path | str, holder: Holder) -> str:
    """Issue a token that every server over a store accepts."""
    with Keyring.open_for_store(files_base(store)) as keys:
        return keys.issue(holder, YEAR_MS * 1000)


def bearer(store: Path | str, role: Role = "head", *matches: str, seat: str = "", name: str = "") -> dict[str, str]:
    holder = Holder(role=role, name=name or role, matches=matches, seat=Seat(seat))
    return {"Authorization": f"Bearer {token_of(store, holder)}"}


def shinpan(store: Path | str, *arguments: str, files: int = 0, **more: str) -> "subprocess.CompletedProcess[str]":
    command = [*capped(files), *BEGIN, "--store", str(store), *arguments]
    return subprocess.run(
        command, env=environment(**more), cwd=ROOT, check=False, text=True, capture_output=True, timeout=PATIENCE
    )


class Server(Struct, frozen=True):
    """A running server: its process, its URL, and its invitation links by role."""

    process: "subprocess.Popen[str]"
    url: str
    links: dict[str, str]
    store: str
    text: str
    """The output up to the first answer."""

    def sign_in(self, role: str = "Operator") -> dict[str, str]:
        """Accept an invitation link and return the authorization header."""
        invitation = self.links[role].partition("#")[2]
        headers = {"Origin": self.url}
        answer = httpx.post(f"{self.url}/api/v1/sessions", json={"invitation": invitation}, headers=headers)
        assert answer.status_code == 201, answer.text
        return {"Authorization": f"Bearer {answer.json()['token']}"}

    def get(self, path: str, **more: Any) -> httpx.Response:
        return httpx.get(f"{self.url}{path}", timeout=PATIENCE, **more)

    def post(self, path: str, body: Any, **more: Any) -> httpx.Response:
        return httpx.post(f"{self.url}{path}", json=body, timeout=PATIENCE, **more)

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def server(
    *arguments: str,
    store: Path | str | None = None,
    port: int = 0,
    files: int = 0,
    begin: Sequence[str] = BEGIN,
    **more: str,
) -> Iterator[Server]:
    """Run a server process, and kill it at the end if it still runs."""
    where = () if store is None else ("--store", str(store))
    command = [*capped(files), *begin, *where, "serve", "--port", str(port), *arguments]
    process = subprocess.Popen(
        command, env=environment(**more), cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        yield answering(process)
    finally:
        process.kill()
        process.wait()


def answering(process: "subprocess.Popen[str]") -> Server:
    said: list[str] = []
    late = Timer(PATIENCE, process.kill)
    late.start()
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if SERVED.match(line):
            break
    late.cancel()
    text = "".join(said)
    served, url = SERVED.search(text), re.search(r"^ +(https?://\S+)/en/floor$", text, re.M)
    assert served is not None and url is not None, text
    files = re.findall(r"^(.+): the sign-in address .*:\n +(.+)$", text, re.M)
    links = {role: Path(file).read_text(encoding="utf-8").strip() for role, file in files}
    return Server(process, url[1], links, served[1], text)


def wait_for(done: Callable[[], bool]) -> None:
    """Wait until a condition holds, at most `PATIENCE` seconds."""
    ends = read_monotonic_seconds() + PATIENCE
    while not done():
        assert read_monotonic_seconds() < ends, "it never came to that"
        pause(LOOK)


HOLD = (
    "import sys; from recorder.store import Store; store = Store.open(sys.argv[1]);"
    " writing = store.transaction(); writing.__enter__(); print('held', flush=True); sys.stdin.read()"
)


@contextmanager
def lock_store(store: Path | str) -> Iterator[None]:
    """Lock a store by a write transaction of another process."""
    command = [sys.executable, "-c", HOLD, str(store)]
    with subprocess.Popen(
        command, env=environment(), cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield
