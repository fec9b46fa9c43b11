"""Run the command line, as a process or inside the test."""

import errno
import io
import json
import os
import subprocess
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from cli.main import run
from recorder.store import Store
from tests.cli.forks import PATIENCE, PLAIN, PROGRAM, ROOT, child_function
from tests.imports import plain

DISPUTED = ROOT / "fixtures" / "blackpoker" / "matches" / "disputed.spn"
CASES = ROOT / "fixtures" / "blackpoker" / "cases"


class Ran(Struct, frozen=True):
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)

    @property
    def message(self) -> str:
        said = [line for line in self.err.splitlines() if line.startswith("shinpan: ")]
        assert len(said) == 1, self
        return said[0]


def environment(folder: Path, store: Path | str | None, **more: str) -> dict[str, str]:
    """Return an environment without locale, store and home of this machine."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    own = {"PYTHONPATH": str(ROOT), "HOME": str(folder), **PLAIN}
    return kept | own | ({} if store is None else {"SHINPAN_STORE": str(store)}) | more


def begin(command: Sequence[str], environ: dict[str, str], **more: Any) -> "subprocess.Popen[Any]":
    return subprocess.Popen(command, env=environ, preexec_fn=child_function(command, environ), **more)  # noqa: PLW1509


def program(
    folder: Path, *arguments: str | Path, store: Path | str | None = None, given: bytes = b"", **more: str
) -> Ran:
    command, environ = [*PROGRAM, *map(str, arguments)], environment(folder, store, **more)
    done = subprocess.run(
        command,
        cwd=folder,
        env=environ,
        input=given,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        preexec_fn=child_function(command, environ),
    )
    assert b"\x1b" not in done.stdout + done.stderr, "text that is piped has no colours"
    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in ran.err, ran.err
    return ran


def inside(store: Path | str, *arguments: str | Path) -> Ran:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(err):
        code = run(["--lang", "en", "--store", str(store), *map(str, arguments)])
    out.flush()
    err.flush()
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    assert "\x1b" not in "".join(texts)
    assert "Traceback" not in texts[1]
    return Ran(code, *texts)


def fine(store: Path | str, *arguments: str | Path) -> Ran:
    ran = inside(store, *arguments)
    assert ran.code == 0, ran
    return ran


def refusal(store: Path | str, *arguments: str | Path) -> str:
    """Return the message of a command that exits with 2 and prints no answer."""
    ran = inside(store, *arguments)
    assert (ran.code, ran.out) == (2, ""), (arguments, ran)
    return ran.message


def contents(store: Path) -> dict[str, list[bytes]]:
    with Store.open(store, read_only=True) as opened:
        return {one.match: opened.read_bytes(one.match) for one in opened.matches()}


def read_records(store: Path) -> dict[str, list[bytes]]:
    """Return every match of a store without the fields that the store adds."""
    with Store.open(store, read_only=True) as opened:
        return {one.match: plain(opened.read_record(one.match)) for one in opened.matches()}


def shut(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Make folders of this name unreadable, even for root."""
    scandir = os.scandir

    def guarded(path: str) -> Any:
        if Path(path).name == name:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)


def disputed(folder: Path) -> Path:
    store = folder / "shinpan.sqlite"
    fine(store, "import", DISPUTED)
    return store


def clauses(findings: Sequence[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(one["entry"], one["clause"]) for one in findings]
