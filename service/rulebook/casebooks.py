"""Casebooks of a folder, read on first use."""

import logging
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct

from domain.formats.casebook import Case, Casebook, load_casebook
from domain.formats.casebook.load import SUFFIX
from domain.formats.errors import FormatError, decode_text
from domain.words import tomls
from recorder.files import open_regular

LOG: Final = logging.getLogger(__name__)
BYTES_MAX: Final = 4 * tomls.TEXT_MAX + 1
"""Bytes read of a file, enough for the longest casebook allowed."""


class CaseSource(Struct, frozen=True):
    case: Case
    text: str


class GameCasebook(Struct, frozen=True):
    """The cases of one file about one game. `head` is the text before the first case of the file."""

    name: str
    head: str
    cases: tuple[CaseSource, ...]


class Casebooks:
    """The casebooks of a folder or file; none for ''. An unreadable file is logged."""

    def __init__(self, where: str) -> None:
        self._where = where

    def of(self, game: str) -> Mapping[str, GameCasebook]:
        """Return the casebooks about a game by name."""
        return self._books.get(game, {})

    def cases(self, game: str) -> dict[str, Case]:
        """Return all cases of a game by `book#anchor`."""
        return {
            f"{name}#{make_anchor(written.case)}": written.case
            for name, book in self.of(game).items()
            for written in book.cases
        }

    @cached_property
    def _books(self) -> dict[str, dict[str, GameCasebook]]:
        books: dict[str, dict[str, GameCasebook]] = {}
        for path in _list_files(self._where):
            try:
                with open_regular(path) as stream:
                    text = decode_text(stream.read(BYTES_MAX), str(path))
                book = load_casebook(text, str(path))
            except (OSError, FormatError) as error:
                LOG.error("%s: %s", path, error)
                continue
            for game in dict.fromkeys(case.game for case in book.cases):
                name = path.name.removesuffix(SUFFIX)
                books.setdefault(game, {}).setdefault(name, _cut_game(name, text, book, game))
        return books


def make_anchor(case: Case) -> str:
    return "-".join(case.id.split())


def _list_files(where: str) -> Iterator[Path]:
    path = Path(where)
    if path.is_file():
        yield path
    elif where:
        yield from sorted(path.rglob(f"*{SUFFIX}"))


def _cut_game(name: str, text: str, book: Casebook, game: str) -> GameCasebook:
    lines = text.split("\n")
    begins = [case.line - 1 for case in book.cases]
    ends = [*begins[1:], len(lines)]
    written = tuple(
        CaseSource(case, "\n".join(lines[begin:end]).strip())
        for case, begin, end in zip(book.cases, begins, ends, strict=True)
        if case.game == game
    )
    return GameCasebook(name, "\n".join(lines[: begins[0]]).strip(), written)
