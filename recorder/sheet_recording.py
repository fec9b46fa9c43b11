"""Record a match from a score sheet, line by line. Recording a sheet again adds only new lines.

A line is identified by all lines up to it. Lines that the match has already are skipped. If recorded lines were edited,
recording resumes there after a requested rewind. What the rules do not allow is recorded as played. Recording stops at
a line that cannot be recorded; the lines before it stay.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Final, assert_never
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.formats.errors import FormatError, shift_errors
from domain.formats.faces import read_learned
from domain.formats.facts import parse_fact
from domain.formats.sheets import OPEN_QUESTION, Acted, AnyLine, ByHand, Late, Sheet, SheetFact, SheetGap, SheetRemark
from domain.formats.tokens import EMPTY
from domain.formats.typed import read_typed
from domain.law import entries as E
from domain.law.clause import CitedFacts, Clause, Refusal
from domain.law.entries import Entry, Played, Undealt
from domain.law.face_request import FaceRequest
from domain.law.game import Deck
from domain.law.policy import Policy, policy_of
from domain.law.rulesets import digest, pin_cards
from domain.law.unseen import seen_faces
from domain.table.table import CHANCE, JUDGE, CardId, Seat
from domain.words import Text
from recorder import answers as A
from recorder.answers import RecordResult, Reused, Unavailable, Unfit
from recorder.commands import Command
from recorder.identification import record_identification
from recorder.match_loader import LoadedMatch, load_match
from recorder.match_writer import Answer, Terms
from recorder.matches import correct, note, open_match, play, report_gap, rewind
from recorder.store import Conflict, Store

OF_SHEETS: Final = "sheet/"
ID_DIGITS: Final = 32
"""Prefix of the command ids of lines, and the number of hexadecimal digits after it."""
Ask = Callable[[Acted, FaceRequest], str | None]
"""Callback that returns the face of a card that a line shows, or None if it is unknown."""


class SheetTerms(Struct, frozen=True):
    """Terms of recording a sheet: the recorder, the time, the reason to go back before edited lines, and the callback
    for faces."""

    by: str
    at: int = 0
    mend: str = ""
    ask: Ask | None = None


Trouble = (
    Refusal
    | FaceRequest
    | A.NoSuchActor
    | A.Undetermined
    | A.Withheld
    | A.Impossible
    | Conflict
    | Unavailable
    | Unfit
    | Reused
)
"""Reasons why a line cannot be recorded."""
Unopened = A.DeckRefused | Unfit | Conflict | Reused | Unavailable
"""Reasons why there is no match to record a sheet in."""


class LineEntries(Struct, frozen=True):
    """A recorded line, with its first and last entry. `known`: it was recorded before."""

    line: int
    first: int
    last: int
    known: bool
    violations: tuple[Clause, ...] = ()


class RejectedLine(Struct, frozen=True):
    """A line that cannot be recorded. Lines after it were not tried."""

    line: int
    column: int
    why: "Trouble | FormatError"


class SheetConflict(Struct, frozen=True):
    """The first line that differs from the match, the entries to undo, and the entry `to` go back to."""

    line: int
    to: int
    entries: tuple[int, ...]


# -- opening ----------------------------------------------------------------------------------------------------------


def open_sheet(store: Store, sheet: Sheet, match: str, *, at: int = 0, by: str = "") -> str | Unopened:
    """Return the match of a sheet, opening it by its header if there is none. Raises StoreError. `by` replaces the
    author named in the header."""
    opened, law = sheet.header.opened, sheet.header.law
    assert law is not None
    if store.version(match):
        loaded = load_match(store, match)
        if isinstance(loaded, Unavailable):
            return loaded
        return match if _fits(sheet, loaded) else Unfit(Text("paper.other_match", {"match": match}))
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
    """Return the decks of seats whose deck the header names, or None."""
    named = {values[0] for name, values in sheet.pairs if name in ("Deck", "Side")}
    return {seat: deck for seat, deck in sheet.header.decks.items() if seat in named} or None


def _fits(sheet: Sheet, match: LoadedMatch) -> bool:
    """True if the match can be the sheet's: real cards and the same game, rules and decks."""
    header, opening, law = sheet.header.opened, match.opening, sheet.header.law
    if law is None or not isinstance(opening, Undealt) or header.game != opening.game or header.seats != opening.seats:
        return False
    return digest(pin_cards(law.game, law.rules)) == opening.rules_hash and all(
        opening.decks.get(seat) == deck.main for seat, deck in (_decks(sheet) or {}).items()
    )


# -- line by line -----------------------------------------------------------------------------------------------------


def record_sheet(
    store: Store, sheet: Sheet, match: str, *, at: int = 0, mend: str = "", ask: Ask | None = None
) -> Iterator[LineEntries | RejectedLine | SheetConflict]:
    """Record the lines of a sheet and yield each; those recorded before are `known`.

    The last item is a RejectedLine if a line cannot be recorded. It is a SheetConflict if recorded lines were edited
    and `mend` gives no reason to go back. Raises StoreError.
    """
    loaded = load_match(store, match)
    if isinstance(loaded, Unavailable):
        yield RejectedLine(0, 1, loaded)
        return
    walk = SheetProgress(store, loaded, sheet.lines)
    yield from walk.find_recorded_lines()
    if walk.at == len(sheet.lines):
        return
    terms = SheetTerms(sheet.header.opened.by or "scorekeeper", at, mend, ask)
    undone = walk.list_later_entries()
    line = sheet.lines[walk.at]
    if undone and not mend:
        yield SheetConflict(line.line, walk.last, undone)
        return
    if undone:
        done = rewind(store, match, walk.last, mend, terms.by, at=at)
        if not isinstance(done, RecordResult):
            yield RejectedLine(line.line, line.column, done)
            return
    for line in sheet.lines[walk.at :]:
        answer = record_line(store, match, line, walk.command(line), terms)
        if not isinstance(answer, RecordResult):
            yield RejectedLine(*place_of(line, answer), answer)
            return
        broken = answer.entry.violations if isinstance(answer.entry, Played) else ()
        yield LineEntries(line.line, answer.version, answer.last, False, broken)


def place_of(line: AnyLine, why: "Trouble | FormatError") -> tuple[int, int]:
    """Return the line and column of the problem."""
    if isinstance(why, FormatError):
        return why.line, why.column
    if isinstance(why, A.Impossible) and isinstance(line, ByHand | SheetGap):
        fact = line.facts[why.number - 1]
        return fact.line, fact.column
    return line.line, line.column


class SheetProgress:
    """Match the lines of a sheet to the entries of a match."""

    def __init__(self, store: Store, match: LoadedMatch, lines: Sequence[AnyLine]) -> None:
        self.store, self.match, self.lines = store, match, lines
        self.path = E.line(match.entries)
        self.standing = frozenset(self.path)
        self.chain = b""
        self.at, self.last = 0, self._find_opening_end()

    def _find_opening_end(self) -> int:
        last = 1
        for number in self.path[1:]:
            if not is_blind_shuffle(self.match.entries[number - 1]):
                break
            last = number
        return last

    def find_recorded_lines(self) -> Iterator[LineEntries]:
        """Yield the leading lines that the match has already."""
        for line in self.lines:
            before, chain = self._find_line(line)
            if before is None:
                return
            self.chain, self.at, self.last = chain, self.at + 1, before.last
            yield before

    def _find_line(self, line: AnyLine) -> tuple[LineEntries | None, bytes]:
        chain = _link(self.chain, line)
        for repetition in count():
            ids = _command_id(chain, repetition), _legacy_command_id(chain, repetition)
            recorded = next(filter(None, (self.store.command(self.match.id, id) for id in ids)), None)
            if recorded is None:
                return None, chain
            if recorded.last in self.standing:
                entry = self.match.entries[recorded.first - 1]
                broken = entry.violations if isinstance(entry, Played) else ()
                return LineEntries(line.line, recorded.first, recorded.last, True, broken), chain
        raise AssertionError

    def list_later_entries(self) -> tuple[int, ...]:
        """Return the entries of play after the last known line, which differ from the sheet."""
        entries = self.match.entries
        later = (number for number in self.path if number > self.last)
        return tuple(number for number in later if is_play(entries[number - 1]))

    def command(self, line: AnyLine) -> Command:
        """Return the command for the next line, with an id that no undone entry uses."""
        self.chain = _link(self.chain, line)
        repetition = next(
            repetition
            for repetition in count()
            if self.store.command(self.match.id, _command_id(self.chain, repetition)) is None
        )
        return Command(_command_id(self.chain, repetition), self.chain[:16])


def _link(chain: bytes, line: AnyLine) -> bytes:
    return sha256(chain + msgspec.msgpack.encode(line.says())).digest()


def _command_id(chain: bytes, repetition: int) -> str:
    """Return the command id of a line. Clients cannot send such an id, and so cannot probe a match for a line."""
    return f"{OF_SHEETS}{sha256(chain + repetition.to_bytes(4, 'big')).hexdigest()[:ID_DIGITS]}"


def _legacy_command_id(chain: bytes, repetition: int) -> str:
    """Return the line's id as earlier versions derived it."""
    return str(UUID(bytes=sha256(chain + repetition.to_bytes(4, "big")).digest()[:16], version=4))


def is_play(entry: Entry) -> bool:
    """True for an entry that a sheet has a line for."""
    return isinstance(entry, E.Gap) or (isinstance(entry, Played) and not is_blind_shuffle(entry))


def is_blind_shuffle(entry: Entry) -> bool:
    """True for a shuffle that reveals no face."""
    if not isinstance(entry, Played) or entry.actor != CHANCE:
        return False
    return not any(face is not None for face in seen_faces(entry.told).values())


def record_line(
    store: Store, match: str, line: AnyLine, command: Command, sheet_terms: SheetTerms
) -> "Answer | Trouble | FormatError":
    by, terms = sheet_terms.by, Terms(command=command, at=sheet_terms.at)
    try:
        match line:
            case Acted():
                return _record_action(store, match, line, terms, sheet_terms.ask)
            case SheetGap(most=most, reason=reason, facts=facts):
                return report_gap(store, match, by, reason, _read_facts(store, match, facts), most, **terms)
            case Late(thing=thing, face=face, reason=reason):
                return record_identification(store, match, thing, face, reason, by, **terms)
            case ByHand(reason=reason, facts=facts):
                return correct(store, match, by, reason, _read_facts(store, match, facts), **terms)
            case SheetRemark(text=text, open=is_open):
                return note(store, match, by, OPEN_QUESTION + text if is_open else text, **terms)
            case never:
                assert_never(never)
    except FormatError as error:
        return error


def _record_action(
    store: Store, match: str, line: Acted, terms: Terms, ask: Ask | None
) -> "Answer | Refusal | A.NoSuchActor | FaceRequest | A.Undetermined | A.Withheld":
    loaded = load_match(store, match)
    if isinstance(loaded, Unavailable):
        return loaded
    faces: dict[CardId, str | None] = {}
    with shift_errors(line.line or 1, line.begins):
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


def _read_facts(store: Store, match: str, facts: Sequence[SheetFact]) -> CitedFacts:
    loaded = load_match(store, match)
    if isinstance(loaded, Unavailable):
        return ()
    parsed = []
    for fact in facts:
        with shift_errors(fact.line or 1, fact.column - 2):
            cited_fact = parse_fact(f"{EMPTY} {fact.text}", loaded.table, loaded.opening.schema, loaded.game.display)
            parsed.append(read_learned(loaded.game, cited_fact))
    return tuple(parsed)
