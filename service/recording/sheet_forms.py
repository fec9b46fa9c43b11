"""What is sent and answered about score sheets: one to be recorded, two to be laid side by side and made into one."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from domain.law.clause import Clause
from domain.words import Lang
from recorder.usecases.commands import Payload

SIDE_MAX = 262_144
"""A sheet has so many characters at most; one of a long match has some thousand."""
LINES_MAX = 5_000
"""Lines of a sheet that is sent, or of a match laid beside one. Two of that length take half a second to compare."""
CELLS_MAX = 150_000
"""Bound on the costs kept while two sheets are compared: a second of work. More differ too much."""
QUESTIONS_MAX = 100_000
"""Numbers of differences are smaller."""

Side = Literal["a", "b"]
Number = Annotated[int, Meta(ge=1, le=QUESTIONS_MAX)]
LineNumber = Annotated[int, Meta(ge=1, le=SIDE_MAX)]
Shows = Mapping[int, Sequence[str]]


class SheetQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """In which match a sheet is recorded, where its head does not say it; and why to go back where lines were mended
    above what is recorded."""

    match: str = ""
    mend: str = ""


class SheetWithFaces(Payload, frozen=True):
    """A sheet with the faces that somebody named where a line showed a card: by the line's number, in order. They stand
    in the match and not in the sheet, which is known by its own lines when it is sent again."""

    text: Annotated[str, Meta(max_length=SIDE_MAX)]
    match: str = ""
    mend: str = ""
    shows: dict[LineNumber, tuple[str, ...]] = field(default_factory=dict)


class SheetLineEntries(Payload, frozen=True):
    """A line of a sheet as it stands in the match: its entries, and what it broke where it was recorded as played."""

    line: int
    first: int
    last: int
    known: bool = False
    violations: tuple[Clause, ...] = ()


class SheetResult(Payload, frozen=True):
    """A sheet that is recorded, all of it: its match, the number of the last entry, and where each line stands."""

    match: str
    head: int
    lines: tuple[SheetLineEntries, ...]
    opened: bool = False


class ComparedSheet(Payload, frozen=True):
    """One of two sheets: its text, under a name to tell it by, or what a recorded match would be as one."""

    text: Annotated[str, Meta(max_length=SIDE_MAX)] = ""
    match: str = ""
    name: Annotated[str, Meta(max_length=200)] = ""


class Both(Payload, frozen=True):
    """Two sheets to be laid side by side."""

    a: ComparedSheet
    b: ComparedSheet


class SettleSheetsRequest(Both, frozen=True):
    """The same with answers: by the number of a difference, the sheet that is right about it. Notes are in `lang`."""

    answers: dict[Number, Side] = field(default_factory=dict)
    lang: Lang = "en"


class Settled(Payload, frozen=True):
    """The sheet made of two: which differences were answered and how, which are open still, and which asked for no
    answer, for one sheet only knew more."""

    text: str
    lines: int
    answered: dict[int, Side]
    open: tuple[int, ...]
    joined: tuple[int, ...]
