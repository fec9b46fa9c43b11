"""The work file of a run, with a line for each summary, so that an interrupted run can resume."""

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Self

import msgspec
from msgspec import Struct

from archive.regress.summary import Summary, Task
from domain.games import GAMES
from domain.judging.rejudging.skipping import code_digest
from domain.words import Text, TextError
from domain.words.foreign import explain_decode_error, explain_system_error
from recorder.files import Closeable, lock

FORMAT = 3
LINE_MAX = 1_000_000


class WorkError(TextError):
    """A work file of another run, or an invalid one; `text` explains it."""


class WorkFileHeader(Struct, frozen=True):
    """The first line, which identifies the run. Summaries of another task or law are not reused."""

    regress: int
    task: str
    law: str


class WorkFileLine(Struct, frozen=True):
    """A line with a summary, and the mark of its match when it was judged."""

    mark: str
    one: Summary


def head_of(task: Task) -> WorkFileHeader:
    law = "\n".join(f"{key} {code_digest(key)}" for key in sorted(GAMES))
    return WorkFileHeader(FORMAT, _digest(msgspec.json.encode(task, order="sorted")), _digest(law.encode()))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


class WorkFile(Closeable):
    """Summaries on disk, in order. A match that changed is appended again. `read_lines` iterates over the lines present
    at opening, while new ones may be added."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file
        self._again: dict[int, int] = {}
        """Position of the last line of each repeated match."""
        self._begins = self._ends = 0

    @classmethod
    def open(cls, path: Path, task: Task) -> Self:
        """Open the file of this run, creating it if needed. Raises WorkError."""
        head = msgspec.json.encode(head_of(task))
        with _convert_errors(path):
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
        work = cls(path, file)
        try:
            with _convert_errors(path):
                if not _try_lock(file):
                    raise WorkError(Text("regress.busy_work", {"file": str(path)}))
                work._read_header(head)
                work._check_lines()
        except BaseException:
            work.close()
            raise
        return work

    def _read_header(self, head: bytes) -> None:
        first = self._file.readline(LINE_MAX)
        if first:
            _require_header(self.path, first, head)
        if not first.endswith(b"\n"):
            self._file.seek(0)
            self._file.truncate()
            self._file.write(head + b"\n")
            self._file.flush()

    def _check_lines(self) -> None:
        """Verify the order of the lines, and remove an incomplete last one."""
        decode = msgspec.json.Decoder(WorkFileLine).decode
        self._begins = self._file.tell()
        number, expected = 1, 0
        while True:
            number += 1
            begins = self._file.tell()
            line = self._file.readline(LINE_MAX)
            if len(line) < LINE_MAX and not line.endswith(b"\n"):
                self._file.seek(begins)
                self._file.truncate()
                self._ends = begins
                return
            if not line.endswith(b"\n"):
                raise self._line_error(number, Text("regress.long_line", {"most": LINE_MAX}))
            try:
                at = decode(line).one.at
            except msgspec.MsgspecError as error:
                raise self._line_error(number, explain_decode_error(error)) from None
            if not 0 <= at <= expected:
                raise self._line_error(number, Text("regress.work_order"))
            if at < expected:
                self._again[at] = begins
            else:
                expected += 1

    def _line_error(self, number: int, why: Text) -> WorkError:
        return WorkError(Text("regress.bad_work", {"file": str(self.path), "line": number, "why": why}))

    def read_lines(self) -> Generator[WorkFileLine, None, None]:
        """Yield the latest line of each match from an earlier run."""
        decode = msgspec.json.Decoder(WorkFileLine).decode
        expected = 0
        with _convert_errors(self.path), self.path.open("rb") as file:
            file.seek(self._begins)
            while file.tell() < self._ends:
                line = decode(file.readline())
                if line.one.at != expected:
                    continue
                expected += 1
                if (later := self._again.get(line.one.at)) is not None:
                    position = file.tell()
                    file.seek(later)
                    line = decode(file.readline())
                    file.seek(position)
                yield line

    def add(self, one: Summary, mark: str) -> None:
        """Append a summary and flush it, so that a killed run loses nothing."""
        with _convert_errors(self.path):
            self._file.write(msgspec.json.encode(WorkFileLine(mark, one)) + b"\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file. Write errors were raised by `add`."""
        with suppress(OSError):
            self._file.close()


@contextmanager
def _convert_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WorkError(Text("regress.no_work", {"file": str(path), "why": explain_system_error(error)})) from None


def _try_lock(file: BinaryIO) -> bool:
    try:
        return lock(file)
    except OSError:
        return True  # a file system without locks


def _require_header(path: Path, first: bytes, head: bytes) -> None:
    """Raise WorkError unless this is the header of this run, or the start of it."""
    if first == head + b"\n" or (not first.endswith(b"\n") and head.startswith(first)):
        return
    try:
        found = msgspec.json.decode(first, type=WorkFileHeader)
    except msgspec.MsgspecError:
        raise WorkError(Text("regress.no_work_file", {"file": str(path)})) from None
    expected = msgspec.json.decode(head, type=WorkFileHeader)
    if found.regress != expected.regress:
        raise WorkError(Text("regress.newer_work", {"file": str(path)}))
    key = "regress.other_task" if found.task != expected.task else "regress.other_law"
    raise WorkError(Text(key, {"file": str(path)}))
