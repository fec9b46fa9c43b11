"""The work file of a run: a line for each summary, in order, so that an interrupted run goes on where it was."""

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
from domain.words.foreign import misfit, system
from recorder.files import Closeable, lock

FORMAT = 3
LINE_MAX = 1_000_000


class WorkError(TextError):
    """A work file that does not belong to this run; `text` says which and why."""


class WorkFileHeader(Struct, frozen=True):
    """The first line: which run it is. Summaries of another task or of another law are no part of it."""

    regress: int
    task: str
    law: str


class WorkFileLine(Struct, frozen=True):
    """Any other line: a summary, and what told the content of its match when it was judged."""

    mark: str
    one: Summary


def head_of(task: Task) -> WorkFileHeader:
    """The head of a run of this task by this program."""
    law = "\n".join(f"{key} {code_digest(key)}" for key in sorted(GAMES))
    return WorkFileHeader(FORMAT, _digest(msgspec.json.encode(task, order="sorted")), _digest(law.encode()))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


class WorkFile(Closeable):
    """Summaries on disk, in order. A match whose content has changed is written once more, behind the others.

    What stood there when it was opened is gone through with `known`, while new ones may be added.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file
        self._again: dict[int, int] = {}
        """Where the last line of a match lies that was written more than once."""
        self._begins = self._ends = 0

    @classmethod
    def open(cls, path: Path, task: Task) -> Self:
        """The file of this run, made if it is not there. Raises WorkError."""
        head = msgspec.json.encode(head_of(task))
        with _named(path):
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
        work = cls(path, file)
        try:
            with _named(path):
                if not _free(file):
                    raise WorkError(Text("regress.busy_work", {"file": str(path)}))
                work._begin(head)
                work._look_through()
        except BaseException:
            work.close()
            raise
        return work

    def _begin(self, head: bytes) -> None:
        """Go behind the first line, which is written if it is not there."""
        first = self._file.readline(LINE_MAX)
        if first:
            _look(self.path, first, head)
        if not first.endswith(b"\n"):
            self._file.seek(0)
            self._file.truncate()
            self._file.write(head + b"\n")
            self._file.flush()

    def _look_through(self) -> None:
        """Hold the order of the lines against the matches; one that was not finished is taken away."""
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
                raise self._bad(number, Text("regress.long_line", {"most": LINE_MAX}))
            try:
                at = decode(line).one.at
            except msgspec.MsgspecError as error:
                raise self._bad(number, misfit(error)) from None
            if not 0 <= at <= expected:
                raise self._bad(number, Text("regress.work_order"))
            if at < expected:
                self._again[at] = begins
            else:
                expected += 1

    def _bad(self, number: int, why: Text) -> WorkError:
        return WorkError(Text("regress.bad_work", {"file": str(self.path), "line": number, "why": why}))

    def read_lines(self) -> Generator[WorkFileLine, None, None]:
        """What an earlier run has written: the last word on each match."""
        decode = msgspec.json.Decoder(WorkFileLine).decode
        expected = 0
        with _named(self.path), self.path.open("rb") as file:
            file.seek(self._begins)
            while file.tell() < self._ends:
                line = decode(file.readline())
                if line.one.at != expected:
                    continue
                expected += 1
                if (later := self._again.get(line.one.at)) is not None:
                    here = file.tell()
                    file.seek(later)
                    line = decode(file.readline())
                    file.seek(here)
                yield line

    def add(self, one: Summary, mark: str) -> None:
        """Write one more, at once: a run that is killed loses nothing that was counted."""
        with _named(self.path):
            self._file.write(msgspec.json.encode(WorkFileLine(mark, one)) + b"\n")
            self._file.flush()

    def close(self) -> None:
        """Let go of the file. What could not be written to it was said when it was added."""
        with suppress(OSError):
            self._file.close()


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """What the system says against the file, with its name."""
    try:
        yield
    except OSError as error:
        raise WorkError(Text("regress.no_work", {"file": str(path), "why": system(error)})) from None


def _free(file: BinaryIO) -> bool:
    """Does no other run write on the same file?"""
    try:
        return lock(file)
    except OSError:
        return True  # a file system without locks


def _look(path: Path, first: bytes, head: bytes) -> None:
    """Is this the head of this run, or the beginning of one that was not finished?"""
    if first == head + b"\n" or (not first.endswith(b"\n") and head.startswith(first)):
        return
    try:
        there = msgspec.json.decode(first, type=WorkFileHeader)
    except msgspec.MsgspecError:
        raise WorkError(Text("regress.no_work_file", {"file": str(path)})) from None
    wanted = msgspec.json.decode(head, type=WorkFileHeader)
    if there.regress != wanted.regress:
        raise WorkError(Text("regress.newer_work", {"file": str(path)}))
    key = "regress.other_task" if there.task != wanted.task else "regress.other_law"
    raise WorkError(Text(key, {"file": str(path)}))
