"""Result types of the recorder, one for each outcome of a request."""

from msgspec import UNSET, Struct, UnsetType

from domain.law.clause import BY_HAND, CitedFacts, Clause, Count, Refusal
from domain.law.entries import Entry, Played
from domain.law.face_request import FaceRequest
from domain.law.game import UNKNOWN_FACE
from domain.table.facts import AnyFact
from domain.table.table import CardId, Seat, Table
from domain.words import Text, listed


class RecordResult(Struct, frozen=True):
    """A recorded entry, with the tables before and after everything recorded with it. `also` holds the entries recorded
    in the same transaction: those of a ruling, then the answers of chance."""

    version: int
    entry: Entry
    before: Table
    table: Table
    also: tuple[Entry, ...] = ()

    @property
    def last(self) -> int:
        return self.version + len(self.also)


class Advanced(Struct, frozen=True):
    """The answers of chance, empty if none were due, with the match's version and table after them."""

    version: int
    entries: tuple[Played, ...]
    table: Table


class NoSuchActor(Struct, frozen=True):
    """The actor has no part in this match, so the law was not asked. `awaited` lists the seats to act."""

    actor: Seat
    awaited: tuple[Seat, ...]


class Unavailable(Struct, frozen=True):
    """The match cannot be continued here; `why` gives the reason."""

    match: str
    why: Text

    @property
    def closed(self) -> bool:
        return self.why.key == "match.closed"


class Unfit(Struct, frozen=True):
    """The request does not fit the match. For a refused face, `wanted` is the card it was for, with the faces named
    `before` and `after` it."""

    what: Text
    wanted: FaceRequest | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class PossibleOutcome(Struct, frozen=True):
    """A possible outcome and the number of worlds that lead to it: its facts, or the clause that refuses it."""

    worlds: int
    told: CitedFacts = ()
    refused: Clause = BY_HAND


class Undetermined(Struct, frozen=True):
    """The outcome depends on faces that no player saw; nothing was recorded.

    `ways` lists the possible outcomes, most likely first. If not `complete`, there were too many worlds to try all. A
    player who saw the outcome can enter it by hand. `unnamed` is the first requested card answered with `?`. `areas`:
    this card went to one of them, which all players saw. `lies_open`: an unnamed card lies open to all, and the law
    reads such cards.
    """

    cards: tuple[CardId, ...]
    worlds: int
    ways: tuple[PossibleOutcome, ...]
    complete: bool = True
    unnamed: Unfit | None = None
    lies_open: bool = False
    areas: tuple[str, ...] = ()

    @property
    def what(self) -> Text:
        """Explain why nothing was recorded and what can be done."""
        if self.areas:
            return Text("seen.which_area", {"ways": listed(f"`{UNKNOWN_FACE}{area}`" for area in self.areas)})
        if self.lies_open:
            return Text("seen.lies_open")
        if not self.worlds and self.complete:
            return Text("seen.no_world")
        key = "seen.undetermined" if self.complete else "seen.too_many_worlds"
        return Text(key, {"n": len(self.cards), "worlds": self.worlds, "ways": len(self.ways)})


class Withheld(Struct, frozen=True):
    """The action would have ended the match, which was not confirmed. Nothing was recorded."""


class Reused(Struct, frozen=True):
    """The command id belongs to another command, recorded in entry `first`. Nothing was recorded."""

    match: str
    command: str
    first: int


class Impossible(Struct, frozen=True):
    """A physically impossible fact, with its position among the given facts, from 1."""

    number: int
    clause: Clause
    fact: AnyFact
    why: Text


class DeckRefused(Struct, frozen=True):
    """The rules do not allow a seat's deck."""

    seat: Seat
    refusal: Refusal

    @property
    def what(self) -> str:
        """Return the faces and counts that the refusal names, in brackets, or "" if it names none."""
        named = [subject for subject in self.refusal.about if isinstance(subject, Count | str)]
        about = [str(subject.n) if isinstance(subject, Count) else subject for subject in named]
        return f" ({', '.join(about)})" if about else ""


class RewindCost(Struct, frozen=True):
    """The entries that a rewind undoes. `restored` entries were undone by an earlier rewind and count again. Seen faces
    cannot be undone; `projections.knowledge.sights` lists them for each viewer."""

    to: int
    undone: tuple[int, ...]
    restored: tuple[int, ...] = ()


class Imported(Struct, frozen=True):
    """An imported match. `new` is False if the store already had it."""

    match: str
    version: int
    new: bool


class BadRecord(Struct, frozen=True):
    """A record that was not imported, with the number of its first wrong entry."""

    entry: int
    what: Text


class Interrupted(Struct, frozen=True):
    """Progress of an interrupted request; `rest` holds the options that complete it."""

    done: int
    all: int
    rest: str | UnsetType = UNSET
