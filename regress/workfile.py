"""The work file of a run: a line for each summary, in order, so that an interrupted run goes on where it was."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Self

import msgspec
from msgspec import Struct

from domain.games import GAMES
from domain.words import Text
from domain.words.foreign import misfit, system
from projections.rejudging.skipping import code_digest
from regress.summary import Summary, Task

FORMAT = 1
LINE_MAX = 1_000_000


class WorkError(ValueError):
    """A work file that does not belong to this run; `text` says which and why."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


class Head(Struct, frozen=True):
    """The first line: which run it is. Summaries of another task or of another law are no part of it."""

    regress: int
    task: str
    law: str


def head_of(task: Task) -> Head:
    """The head of a run of this task by this program."""
    law = "\n".join(f"{key} {code_digest(key)}" for key in sorted(GAMES))
    return Head(FORMAT, _digest(msgspec.json.encode(task, order="sorted")), _digest(law.encode()))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


class WorkFile:
    """Summaries on disk. What stood there already is gone through once with `known`; then new ones are added."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file

    @classmethod
    def open(cls, path: Path, task: Task) -> Self:
        """The file of this run, made if it is not there. Raises WorkError."""
        head = msgspec.json.encode(head_of(task))
        try:
            file = path.open("r+b" if path.exists() else "w+b")
        except OSError as error:
            raise WorkError(Text("regress.no_work", {"file": str(path), "why": system(error)})) from None
        first = file.readline(LINE_MAX)
        if first.endswith(b"\n") or first:
            _look(path, first, head)
        if not first.endswith(b"\n"):
            file.seek(0)
            file.truncate()
            file.write(head + b"\n")
            file.flush()
        return cls(path, file)

    def known(self) -> Iterator[Summary]:
        """What an earlier run has written; a line that it did not finish is taken away."""
        decode = msgspec.json.Decoder(Summary).decode
        number = 1
        while True:
            begins = self._file.tell()
            line = self._file.readline(LINE_MAX)
            if not line.endswith(b"\n"):
                self._file.seek(begins)
                self._file.truncate()
                return
            number += 1
            try:
                one = decode(line)
            except msgspec.MsgspecError as error:
                found = {"file": str(self.path), "line": number, "why": misfit(error)}
                raise WorkError(Text("regress.bad_work", found)) from None
            if one.at != number - 2:
                found = {"file": str(self.path), "line": number, "why": Text("regress.work_order")}
                raise WorkError(Text("regress.bad_work", found))
            yield one

    def add(self, one: Summary) -> None:
        """Write one more, at once: a run that is killed loses nothing that was counted."""
        self._file.write(msgspec.json.encode(one) + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _look(path: Path, first: bytes, head: bytes) -> None:
    """Is this the head of this run, or the beginning of one that was not finished?"""
    if first == head + b"\n" or (not first.endswith(b"\n") and head.startswith(first)):
        return
    try:
        found = msgspec.json.decode(first, type=Head)
    except msgspec.MsgspecError:
        raise WorkError(Text("regress.no_work_file", {"file": str(path)})) from None
    wanted = msgspec.json.decode(head, type=Head)
    if found.regress != wanted.regress:
        raise WorkError(Text("regress.newer_work", {"file": str(path)}))
    key = "regress.other_task" if found.task != wanted.task else "regress.other_law"
    raise WorkError(Text(key, {"file": str(path)}))
