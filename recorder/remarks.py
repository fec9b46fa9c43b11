"""Notes that mean something to the service: a judge is called, somebody asks for a rewind.

The log has no entries of their own for these. Such a note begins with its kind in brackets; what it says stands behind
it in both languages, for the log is read in either.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.law.clause import BY_HAND, Clause
from domain.law.disputes import Paused
from domain.law.entries import BESIDE, Entry, Noted, Rewound
from domain.words import Words

Kind = Literal["call", "answered", "seal", "rewind", "refused", "unread", "impossible", "seat"]
"""A judge is called; that call is answered, which the note is about; a seal is broken (in old records: it has
an entry of its own now); a rewind is asked for; that
request, which the note is about, is refused; what somebody typed could not be read; a command was refused that only
hidden cards forbid; somebody was invited to a seat."""

KINDS: Final = get_args(Kind)
_KIND = re.compile(rf"\[({'|'.join(KINDS)})\] ")
_CLAUSE = re.compile(r"\[impossible\] [^()/]*\(([^()\s]+)\) / ")


class Call(Struct, frozen=True):
    """A judge was called, by whom, when (milliseconds), and the entry that says so."""

    entry: int
    by: str
    at: int


def remark(kind: Kind, says: Words, more: str = "") -> str:
    """The text of such a note; `more` is what somebody typed."""
    return f"[{kind}] {says.say('en')} / {says.say('ja')}" + (f": {more}" if more else "")


def kind_of(text: str) -> Kind | None:
    """What a note means to the service; None if it is one like any other."""
    match = _KIND.match(text)
    return next((kind for kind in KINDS if kind == match[1]), None) if match is not None else None


def open_calls(entries: Sequence[Entry], before: Sequence[Call] = (), after: int = 0) -> tuple[Call, ...]:
    """The calls nobody has answered yet, the oldest first. A judge who stops the clock has come.

    Those open `before` are of a match whose entries behind entry `after` these are.
    """
    calls = {call.entry: call for call in before}
    for number, entry in enumerate(entries, start=after + 1):
        match entry:
            case Noted(text=text) if kind_of(text) == "call":
                calls[number] = Call(number, entry.by, entry.at)
            case Noted(text=text, about=about) if kind_of(text) == "answered":
                calls.pop(about, None)
            case Paused():
                calls.clear()
            case _:
                pass
    return tuple(calls.values())


def clause_of(text: str) -> Clause:
    """Return the clause by which hidden cards forbid what such a note says; empty if it names none."""
    match = _CLAUSE.match(text)
    return BY_HAND if match is None else Clause(match[1])


def count_impossible(entries: Sequence[Entry]) -> int:
    """Count the commands of a match that were refused because of hidden cards."""
    return sum(isinstance(entry, Noted) and kind_of(entry.text) == "impossible" for entry in entries)


class Asked(Struct, frozen=True):
    """A request to go back to an entry: by whom, when (milliseconds), why; and whether it still holds.

    `void`: something has happened on the table since.
    """

    entry: int
    by: str
    at: int
    to: int
    reason: str
    void: bool


def asked_rewind(entries: Sequence[Entry], before: Asked | None = None, after: int = 0) -> Asked | None:
    """The last request to go back that nobody has answered.

    `before` is the request among the entries up to entry `after`, which these entries follow.
    """
    refused: set[int] = set()
    void = False
    for number in range(after + len(entries), after, -1):
        match entries[number - after - 1]:
            case Rewound():
                return None
            case Noted(text=text, about=about) if kind_of(text) == "refused":
                refused.add(about)
            case Noted() as note if kind_of(note.text) == "rewind":
                if number in refused:
                    return None
                return Asked(number, note.by, note.at, note.about, note.text.partition(": ")[2], void)
            case entry:
                void = void or not isinstance(entry, BESIDE)
    return None if before is None or before.entry in refused else replace(before, void=before.void or void)
