"""Request and response bodies for score sheets: recording one, comparing and merging two."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from domain.law.clause import Clause
from domain.words import Lang
from recorder.usecases.commands import Payload

SIDE_MAX = 262_144
"""Characters of a sheet. That of a long match has some thousand."""
LINES_MAX = 5_000
"""Lines of a sheet, or of a match compared with one. Two of this length take half a second."""
CELLS_MAX = 150_000
"""Cells of the comparison's cost table: about one second of work. Sheets that need more differ too much."""
QUESTIONS_MAX = 100_000

Side = Literal["a", "b"]
Number = Annotated[int, Meta(ge=1, le=QUESTIONS_MAX)]
LineNumber = Annotated[int, Meta(ge=1, le=SIDE_MAX)]
Shows = Mapping[int, Sequence[str]]


class SheetQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Match to record in, unless the sheet's head names it; and the reason to go back if recorded lines were mended."""

    match: str = ""
    mend: str = ""


class SheetWithFaces(Payload, frozen=True):
    """A sheet with faces asked for, by line number, in order. They are part of the match but not of the sheet, which is
    identified by its own lines when sent again."""

    text: Annotated[str, Meta(max_length=SIDE_MAX)]
    match: str = ""
    mend: str = ""
    shows: dict[LineNumber, tuple[str, ...]] = field(default_factory=dict)


class SheetLineEntries(Payload, frozen=True):
    """A recorded line of a sheet: its entries, and the clauses it broke if recorded as played."""

    line: int
    first: int
    last: int
    known: bool = False
    violations: tuple[Clause, ...] = ()


class SheetResult(Payload, frozen=True):
    """A recorded sheet: its match, the last entry, and the entries of each line."""

    match: str
    head: int
    lines: tuple[SheetLineEntries, ...]
    opened: bool = False


class ComparedSheet(Payload, frozen=True):
    """One of two sheets: its text and a name, or a recorded match."""

    text: Annotated[str, Meta(max_length=SIDE_MAX)] = ""
    match: str = ""
    name: Annotated[str, Meta(max_length=200)] = ""


class Both(Payload, frozen=True):
    """Two sheets to compare."""

    a: ComparedSheet
    b: ComparedSheet


class SettleSheetsRequest(Both, frozen=True):
    """Two sheets to merge. `answers` maps a difference to the sheet that is right. Notes are in `lang`."""

    answers: dict[Number, Side] = field(default_factory=dict)
    lang: Lang = "en"


class Settled(Payload, frozen=True):
    """The merged sheet: differences answered, still open, and joined because one sheet only knew more."""

    text: str
    lines: int
    answered: dict[int, Side]
    open: tuple[int, ...]
    joined: tuple[int, ...]
