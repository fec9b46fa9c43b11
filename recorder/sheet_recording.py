"""A match recorded from a score sheet, afterwards: line by line, each once, however often the sheet is taken.

A line is known by all the lines up to it: what stands in the match already is gone past, and a sheet that was mended
further up is taken from there on, behind a rewind that somebody asked for. Nothing is refused for good: what the rules
do not allow is recorded as played. Where a line cannot be recorded, taking ends there, with what stands before it.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Final, assert_never
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.formats.errors import FormatError, moved
from domain.formats.faces import read_learned
from domain.formats.facts import parse_fact
from domain.formats.sheets import OPEN_QUESTION, Acted, AnyLine, ByHand, Late, Sheet, SheetFact, SheetGap, SheetRemark
from domain.formats.tokens import EMPTY
from domain.formats.typed import read_typed
from domain.law import entries as E
from domain.law.clause import Clause, Refusal, Told
from domain.law.entries import Entry, Played, Undealt
from domain.law.face_request import FaceRequest
from domain.law.game import Deck
from domain.law.policy import Policy, policy_of
from domain.law.rulesets import digest, pin_cards
from domain.law.unseen import faces_named
from domain.table.table import CHANCE, JUDGE, CardId, Seat
from domain.words import Text
from recorder import answers as A
from recorder.answers import RecordResult, Reused, Unavailable, Unfit
from recorder.commands import Command
from recorder.identification import learn
from recorder.match_loader import LoadedMatch, load_match
from recorder.match_writer import Answer, Terms
from recorder.matches import correct, gap, note, open_match, play, rewind
from recorder.store import Conflict, Store

OF_SHEETS: Final = "sheet/"
ID_DIGITS: Final = 32
"""How the ids of lines begin, and how many hexadecimal digits follow."""
Ask = Callable[[Acted, FaceRequest], str | None]
"""Asks somebody for the face of a card that a line shows; None if nobody can say."""
Trouble = (
    Refusal
    | FaceRequest
    | A.NotAwaited
    | A.Undetermined
    | A.Withheld
    | A.Impossible
    | Conflict
    | Unavailable
    | Unfit
    | Reused
)
"""Every way in which a line can fail to be recorded."""
Unopened = A.DeckRefused | Unfit | Conflict | Reused | Unavailable
"""Every way in which there is no match to record a sheet in."""


class LineEntries(Struct, frozen=True):
    """A line that stands in the match, from entry `first` to `last`; `known`: it stood there before."""

    line: int
    first: int
    last: int
    known: bool
    violations: tuple[Clause, ...] = ()


class RejectedLine(Struct, frozen=True):
    """The line that cannot be recorded, and what stands against it; nothing behind it was looked at."""

    line: int
    column: int
    why: "Trouble | FormatError"


class SheetConflict(Struct, frozen=True):
    """A sheet that says something else from a line on than the match holds: the entries that would have to go, and the
    one to go back to."""

    line: int
    to: int
    entries: tuple[int, ...]


# -- opening ----------------------------------------------------------------------------------------------------------


def open_sheet(store: Store, sheet: Sheet, match: str, *, at: int = 0, by: str = "") -> str | Unopened:
    """The match a sheet is of: opened by its header (or `by` somebody else than it names), or the one that was. Raises
    StoreError."""
    opened, law = sheet.header.opened, sheet.header.law
    assert law is not None
    if store.version(match):
        loaded = load_match(store, match)
        if isinstance(loaded, Unavailable):
            return loaded
        return match if _is_of(sheet, loaded) else Unfit(Text("paper.other_match", {"match": match}))
    policy = policy_of(opened.policy)
    if isinstance(policy, Text):
        return Unfit(policy)
    return open_match(
        store,
        law,
        opened.version,
        opened.names,
        _decks(sheet),
        match_id=match,
        at=at,
        by=by or opened.by,
        occasion=opened.occasion,
        policy=policy if isinstance(policy, Policy) else None,
        deal=False,
    )


def _decks(sheet: Sheet) -> dict[Seat, Deck] | None:
    """The decks that the header names, none where it leaves them to the game."""
    named = {values[0] for name, values in sheet.pairs if name in ("Deck", "Side")}
    return {seat: deck for seat, deck in sheet.header.decks.items() if seat in named} or None


def _is_of(sheet: Sheet, match: LoadedMatch) -> bool:
    """Can a sheet be of this match: real cards, the same game, rules and decks?"""
    said, there, law = sheet.header.opened, match.opening, sheet.header.law
    if law is None or not isinstance(there, Undealt) or said.game != there.game or said.seats != there.seats:
        return False
    return digest(pin_cards(law.game, law.rules)) == there.rules_hash and all(
        there.decks.get(seat) == deck.main for seat, deck in (_decks(sheet) or {}).items()
    )


# -- line by line -----------------------------------------------------------------------------------------------------


def take_sheet(
    store: Store, sheet: Sheet, match: str, *, at: int = 0, mend: str = "", ask: Ask | None = None
) -> Iterator[LineEntries | RejectedLine | SheetConflict]:
    """Record what a sheet says, each line once; those that stand in the match are told as known.

    It ends with a Halted for a line that cannot be recorded. A sheet that was mended above what stands in the match
    ends with a Behind, unless `mend` gives a reason to go back. Raises StoreError.
    """
    loaded = load_match(store, match)
    if isinstance(loaded, Unavailable):
        yield RejectedLine(0, 1, loaded)
        return
    walk = Walk(store, loaded, sheet.lines)
    yield from walk.find_recorded_lines()
    if walk.at == len(sheet.lines):
        return
    by, undone = sheet.header.opened.by or "scorekeeper", walk.list_later_entries()
    line = sheet.lines[walk.at]
    if undone and not mend:
        yield SheetConflict(line.line, walk.last, undone)
        return
    if undone:
        done = rewind(store, match, walk.last, mend, by, at=at)
        if not isinstance(done, RecordResult):
            yield RejectedLine(line.line, line.column, done)
            return
    for line in sheet.lines[walk.at :]:
        answer = take_line(store, match, line, by, walk.command(line), at, ask)
        if not isinstance(answer, RecordResult):
            yield RejectedLine(*place_of(line, answer), answer)
            return
        broken = answer.entry.violations if isinstance(answer.entry, Played) else ()
        yield LineEntries(line.line, answer.version, answer.last, False, broken)


def place_of(line: AnyLine, why: "Trouble | FormatError") -> tuple[int, int]:
    """The line and the column in which it stands that a line cannot be recorded."""
    if isinstance(why, FormatError):
        return why.line, why.column
    if isinstance(why, A.Impossible) and isinstance(line, ByHand | SheetGap):
        fact = line.facts[why.number - 1]
        return fact.line, fact.column
    return line.line, line.column


class Walk:
    """The lines of a sheet beside the entries they became: how far they stand in the match already."""

    def __init__(self, store: Store, match: LoadedMatch, lines: Sequence[AnyLine]) -> None:
        self.store, self.match, self.lines = store, match, lines
        self.path = E.line(match.entries)
        self.standing = frozenset(self.path)
        self.chain = b""
        self.at, self.last = 0, self._laid_out()

    def _laid_out(self) -> int:
        """The last of the entries with which the match began by itself."""
        last = 1
        for number in self.path[1:]:
            if not happens_by_itself(self.match.entries[number - 1]):
                break
            last = number
        return last

    def find_recorded_lines(self) -> Iterator[LineEntries]:
        """The lines from the first that stand in the match."""
        for line in self.lines:
            before, chain = self._find(line)
            if before is None:
                return
            self.chain, self.at, self.last = chain, self.at + 1, before.last
            yield before

    def _find(self, line: AnyLine) -> tuple[LineEntries | None, bytes]:
        chain = _link(self.chain, line)
        for again in count():
            names = _name(chain, again), _first_name(chain, again)
            recorded = next(filter(None, (self.store.command(self.match.id, name) for name in names)), None)
            if recorded is None:
                return None, chain
            if recorded.last in self.standing:
                entry = self.match.entries[recorded.first - 1]
                broken = entry.violations if isinstance(entry, Played) else ()
                return LineEntries(line.line, recorded.first, recorded.last, True, broken), chain
        raise AssertionError

    def list_later_entries(self) -> tuple[int, ...]:
        """The entries of play that stand behind the last known line: other lines than the sheet has there."""
        entries = self.match.entries
        later = (number for number in self.path if number > self.last)
        return tuple(number for number in later if is_play(entries[number - 1]))

    def command(self, line: AnyLine) -> Command:
        """The command under which the next line is recorded: one that a rewind has not undone."""
        self.chain = _link(self.chain, line)
        again = next(again for again in count() if self.store.command(self.match.id, _name(self.chain, again)) is None)
        return Command(_name(self.chain, again), self.chain[:16])


def _link(chain: bytes, line: AnyLine) -> bytes:
    return sha256(chain + msgspec.msgpack.encode(line.says())).digest()


def _name(chain: bytes, again: int) -> str:
    """No id that anybody can send: whoever guessed a line could try by it whether it stands in a match."""
    return f"{OF_SHEETS}{sha256(chain + again.to_bytes(4, 'big')).hexdigest()[:ID_DIGITS]}"


def _first_name(chain: bytes, again: int) -> str:
    """The same line's as earlier programs called it."""
    return str(UUID(bytes=sha256(chain + again.to_bytes(4, "big")).digest()[:16], version=4))


def is_play(entry: Entry) -> bool:
    """Is it something that a sheet has a line for?"""
    return isinstance(entry, E.Gap) or (isinstance(entry, Played) and not happens_by_itself(entry))


def happens_by_itself(entry: Entry) -> bool:
    """Is it a shuffle of which nobody saw anything?"""
    if not isinstance(entry, Played) or entry.actor != CHANCE:
        return False
    return not any(face is not None for face in faces_named(entry.told).values())


def take_line(
    store: Store, match: str, line: AnyLine, by: str, command: Command, at: int, ask: Ask | None
) -> "Answer | Trouble | FormatError":
    """One line recorded under its command."""
    terms = Terms(command=command, at=at)
    try:
        match line:
            case Acted():
                return _act(store, match, line, terms, ask)
            case SheetGap(most=most, reason=reason, facts=facts):
                return gap(store, match, by, reason, _read_facts(store, match, facts), most, **terms)
            case Late(thing=thing, face=face, reason=reason):
                return learn(store, match, thing, face, reason, by, **terms)
            case ByHand(reason=reason, facts=facts):
                return correct(store, match, by, reason, _read_facts(store, match, facts), **terms)
            case SheetRemark(text=text, open=is_open):
                return note(store, match, by, OPEN_QUESTION + text if is_open else text, **terms)
            case never:
                assert_never(never)
    except FormatError as error:
        return error


def _act(
    store: Store, match: str, line: Acted, terms: Terms, ask: Ask | None
) -> "Answer | Refusal | A.NotAwaited | FaceRequest | A.Undetermined | A.Withheld":
    loaded = load_match(store, match)
    if isinstance(loaded, Unavailable):
        return loaded
    faces: dict[CardId, str | None] = {}
    with moved(line.line or 1, line.begins):
        text = line.typed or " ".join(line.words)
        actor, action = read_typed(loaded, loaded.table, text, loaded.eyes(JUDGE), faces, line.seat)
    shows, as_played = list(line.shows), False
    while True:
        answer = play(store, match, actor, action, as_played, faces=faces, shows=shows, **terms)
        if isinstance(answer, Refusal) and not as_played:
            as_played = True
        elif isinstance(answer, FaceRequest) and ask is not None and (face := ask(line, answer)) is not None:
            shows.append(face)
        else:
            return answer


def _read_facts(store: Store, match: str, facts: Sequence[SheetFact]) -> Told:
    """Facts as they are read on the table as it stands. Raises FormatError."""
    loaded = load_match(store, match)
    if isinstance(loaded, Unavailable):
        return ()
    told = []
    for fact in facts:
        with moved(fact.line or 1, fact.column - 2):
            said = parse_fact(f"{EMPTY} {fact.text}", loaded.table, loaded.opening.schema, loaded.game.display)
            told.append(read_learned(loaded.game, said))
    return tuple(told)


# -- learned late -----------------------------------------------------------------------------------------------------
