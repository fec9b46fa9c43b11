"""Evaluate the notes of a match: open calls for a judge, and requests to go back."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.law.clause import BY_HAND, Clause
from domain.law.disputes import Paused
from domain.law.entries import RECORD_ENTRIES, Entry, Noted, Rewound
from domain.law.remarks import (
    KINDS as KINDS,
    Kind as Kind,
    kind_of as kind_of,
    read_remark,
    write_remark as write_remark,
)
from domain.words import Text

CLAUSE: Final = "clause"
"""Key of the clause in the values of a refusal note."""
CALLS_FOR_REWIND: Final = "remark.call_rewind"


class Call(Struct, frozen=True):
    """A call for a judge, at a time in milliseconds. `request` is the request to go back it came with (0: none), and
    `to` the entry that this request names."""

    entry: int
    by: str
    at: int
    request: int = 0
    to: int = 0


def open_calls(entries: Sequence[Entry], before: Sequence[Call] = (), after: int = 0) -> tuple[Call, ...]:
    """Return the unanswered calls, oldest first. A stopped clock answers all calls. A call that came with a request to
    go back is answered by its refusal, and by a rewind at least as far. `before` are the calls open at entry `after`,
    which these entries follow."""
    calls = {call.entry: call for call in before}
    for number, entry in enumerate(entries, start=after + 1):
        match entry:
            case Noted(text=text) if kind_of(text) == "call":
                calls[number] = Call(number, entry.by, entry.at, *_request_of(entry))
            case Noted(text=text, about=about) if kind_of(text) == "answered":
                calls.pop(about, None)
            case Noted(text=text, about=about) if kind_of(text) == "refused":
                calls = {at: call for at, call in calls.items() if not call.request or call.request != about}
            case Rewound(to=to):
                calls = {at: call for at, call in calls.items() if not call.request or call.to < to}
            case Paused():
                calls.clear()
            case _:
                pass
    return tuple(calls.values())


def _request_of(call: Noted) -> tuple[int, int]:
    """Return the request that a call came with, and the entry that it names; zeros for a plain call."""
    found = read_remark(call.text)
    if found is None or found.says.key != CALLS_FOR_REWIND:
        return 0, 0
    to = found.says.values.get("to")
    return call.about, to if isinstance(to, int) else 0


def clause_of(text: str) -> Clause:
    """Return the clause that a refusal note names, or ""."""
    found = read_remark(text)
    return BY_HAND if found is None else Clause(str(found.says.values.get(CLAUSE, BY_HAND)))


def count_impossible(entries: Sequence[Entry]) -> int:
    """Count the commands of a match that were refused because of hidden cards."""
    return sum(isinstance(entry, Noted) and kind_of(entry.text) == "impossible" for entry in entries)


def phones_remark() -> str:
    return write_remark("phones", Text("remark.phones"))


def rewind_remark(to: int, reason: str) -> str:
    return write_remark("rewind", Text("remark.rewind", {"to": to}), reason)


def is_played_on_phones(entries: Sequence[Entry]) -> bool:
    """True if the players of a match act on their own phones, without a scorekeeper."""
    return any(isinstance(entry, Noted) and kind_of(entry.text) == "phones" for entry in entries)


class RewindRequest(Struct, frozen=True):
    """A request to go back to an entry, at a time in milliseconds. `void`: the table has changed since."""

    entry: int
    by: str
    at: int
    to: int
    reason: str
    void: bool


def find_rewind_request(
    entries: Sequence[Entry], before: RewindRequest | None = None, after: int = 0
) -> RewindRequest | None:
    """Return the newest request to go back, or None if it was answered. `before` is the open request at entry `after`,
    which these entries follow."""
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
                return RewindRequest(number, note.by, note.at, note.about, _reason(note), void)
            case entry:
                void = void or not isinstance(entry, RECORD_ENTRIES)
    return None if before is None or before.entry in refused else replace(before, void=before.void or void)


def _reason(note: Noted) -> str:
    found = read_remark(note.text)
    return "" if found is None else found.more
