"""What the recorder answers: values, one type for each way a request can end."""

from msgspec import UNSET, Struct, UnsetType

from domain.law.clause import BY_HAND, Clause, Count, Refusal, Told
from domain.law.entries import Entry, Played
from domain.law.face_request import FaceRequest
from domain.table.facts import AnyFact
from domain.table.table import CardId, Seat, Table
from domain.words import Text


class RecordResult(Struct, frozen=True):
    """It is on disk: the entry, its number, and those recorded with it; the tables before and after it all.

    `also`: what chance answered right after it, and before that what a ruling let happen.
    """

    version: int
    entry: Entry
    before: Table
    table: Table
    also: tuple[Entry, ...] = ()

    @property
    def last(self) -> int:
        """The number of the match's last entry after this."""
        return self.version + len(self.also)


class Advanced(Struct, frozen=True):
    """What chance answered (nothing if it was not asked), the match's version and table after it."""

    version: int
    entries: tuple[Played, ...]
    table: Table


class NotAwaited(Struct, frozen=True):
    """The actor is nobody of this match; the law was not asked. `awaited` are those who are to act."""

    actor: Seat
    awaited: tuple[Seat, ...]


class Unavailable(Struct, frozen=True):
    """The match cannot be played on here, and why."""

    match: str
    why: Text

    @property
    def closed(self) -> bool:
        """Is it that the match is closed?"""
        return self.why.key == "match.closed"


class Unfit(Struct, frozen=True):
    """The request itself does not fit the match: what is wrong with it and where.

    Of a face that was refused: the card that it was to be, as `wanted`, and the faces named `before` and `after` it.
    """

    what: Text
    wanted: FaceRequest | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Way(Struct, frozen=True):
    """One thing that may have happened, in so many worlds: these facts, or that it was refused by a clause."""

    worlds: int
    told: Told = ()
    refused: Clause = BY_HAND


class Undetermined(Struct, frozen=True):
    """What an action led to depends on cards whose faces nobody saw: every way it can have gone, the likely first.

    Not all are known unless `complete`: there are more worlds than are tried. Nothing was recorded; whoever saw what
    happened can say so by hand. `unnamed`: the first card that was asked for and answered with `?`.
    """

    cards: tuple[CardId, ...]
    worlds: int
    ways: tuple[Way, ...]
    complete: bool = True
    unnamed: Unfit | None = None

    @property
    def what(self) -> Text:
        """What stands against recording it, and what can be done."""
        if not self.worlds and self.complete:
            return Text("seen.no_world")
        key = "seen.undetermined" if self.complete else "seen.too_many_worlds"
        return Text(key, {"n": len(self.cards), "worlds": self.worlds, "ways": len(self.ways)})


class Withheld(Struct, frozen=True):
    """It would have ended the match, and whoever was asked did not mean that. Nothing was recorded."""


class Reused(Struct, frozen=True):
    """The id of a command stands for another one, recorded in entry `first`. Nothing was recorded."""

    match: str
    command: str
    first: int


class Impossible(Struct, frozen=True):
    """A fact that cannot physically have happened: its place among those told, from 1, and why."""

    number: int
    clause: Clause
    fact: AnyFact
    why: Text


class DeckRefused(Struct, frozen=True):
    """A seat's deck is not one the rules allow."""

    seat: Seat
    refusal: Refusal

    @property
    def what(self) -> str:
        """What the clause was about, in brackets: faces of the deck, how many cards; nothing where it says nothing."""
        named = [subject for subject in self.refusal.about if isinstance(subject, Count | str)]
        about = [str(subject.n) if isinstance(subject, Count) else subject for subject in named]
        return f" ({', '.join(about)})" if about else ""


class RewindCost(Struct, frozen=True):
    """What a rewind undoes; `restored` are entries an earlier rewind had undone, which count again.

    What it cannot undo, faces seen since then, `projections.knowledge.sights` tells each viewer.
    """

    to: int
    undone: tuple[int, ...]
    restored: tuple[int, ...] = ()


class Imported(Struct, frozen=True):
    """A match is in the store; `new` says whether this import put it there."""

    match: str
    version: int
    new: bool


class BadRecord(Struct, frozen=True):
    """A record that was not imported: the number of the first entry that is wrong, and what is."""

    entry: int
    what: Text


class Interrupted(Struct, frozen=True):
    """How much of its work an answer is about that somebody interrupted, and with which options the rest is done."""

    done: int
    all: int
    rest: str | UnsetType = UNSET
