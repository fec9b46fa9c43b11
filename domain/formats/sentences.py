"""Translate lines in a game's own words, as its buttons and logs print them, into notation.

Seats, verbs, slots, cards and places are named by the printed words of either language. Notation is returned unchanged.
Only public words and the sender's view are consulted, so that a translation discloses no hidden cards.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from domain.formats import names as N
from domain.formats.actions import PREFIX, verbs
from domain.formats.errors import FormatError, quote_input
from domain.formats.lexicons import (
    Lexicon,
    actor_lexicon,
    begins_face,
    card_lexicon,
    fold,
    label_lexicon,
    none_lexicon,
    place_lexicon,
    plain,
    preposition_lexicon,
    slot_lexicon,
    value_separator,
    verb_lexicon,
)
from domain.formats.tokens import EMPTY, quote, write_word
from domain.formats.typed_squares import Typist, square_slot
from domain.law.game import Game
from domain.law.hidden_hands import hand_verbs, possible_verbs
from domain.law.record import Record
from domain.law.slots import LIST_KINDS, NamedSlot, preposition, slots
from domain.table.physics import ACTORS
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, Seat, Table
from domain.words import LANGS, Text, listed, say

CLOSE_VERBS_MAX = 3
"""Maximum number of verbs that an error suggests."""
CLOSE_RATIO = 0.65
OFFERED_SCORE = 0.15
"""Bonus to the similarity of a verb that is offered now."""
TYPED_MAX = 200
"""Maximum length of a line to compare with verbs."""
WORDS_MAX = 2_000
"""Maximum length of a line to translate, because the time is quadratic. Longer lines must be notation."""
CARDS = ("card", "cards", "order", "pairs")
NEVER_FRAMES = (*CARDS, "seat", "place", "places", "flag", "number")
"""Kinds of slots that no frame's number can mean."""

_TIME = r"\d{1,2}:\d{2}(?::\d{2})?\s+"
_ENTRY = re.compile(rf"(?:#?\d{{1,9}}[.:]?\s+(?:{_TIME})?|{_TIME}(?:#?\d{{1,9}}[.:]?\s+)?)")
_COLON = re.compile(r"\s*:\s*")
_SPACE = re.compile(r"\s*")
_COMMA = re.compile(r"\s*[,、]\s*")
_AGAINST = re.compile(r"\s*>\s*")
_THING = re.compile(r"\s*\(u(\d{1,18})\)")
_RAW = re.compile(r'"(?:[^"\\]|\\.)*"|[\w.@\']*:\d+,\d+|[^\s,、>]+')
_NOTATION = re.compile(r"u\d+|#\d+|r\d+|[@-].*|.*\?.*|.*[:@.].*")
_FRAME = re.compile(r"r\d+")
_POINTED = re.compile(r"[ur]\d+\b")
_PHRASE = re.compile(r"[^,、>]+")


def to_notation(record: Record, table: Table, text: str, eyes: TableViewer, actor: Seat | None = None) -> str:
    """Return a typed line, or a line of the log, in notation. `actor` is the default if the line names none. Raises
    FormatError for an unknown verb, with the nearest ones and those offered now."""
    if len(text) > WORDS_MAX:
        return text
    game, line = record.game, plain(text)
    addressed = _actor(record, table, line)
    if addressed is None and (entry := _ENTRY.match(line)):
        addressed = _actor(record, table, _without_marks(line[entry.end() :]), colon=True)
    if addressed is None:
        by, rest = actor, line
        if _names_two_players(record, line):
            return line
    else:
        by, rest = addressed
    found = verb_lexicon(game).match(rest) or _find_answer(record, table, rest, eyes, by)
    if found is None:
        if by is None or not rest:
            return line
        raise FormatError(_unknown_verb(record, table, rest, eyes, by), 1, line.rindex(rest) + 1)
    verb, end = found
    colon = _COLON.match(rest, end)
    head = f"{by}: " if addressed is not None else ""
    if verb in game.other_verbs:
        return f"{head}{verb}"
    scan = _ValueScanner(record, table, eyes, rest[colon.end() if colon else end :].strip(), verb, by)
    values = scan.values()
    if rest[:end] in (verb, PREFIX + verb) and colon is None and not scan.changed:
        return f"{head}{rest}"
    return " ".join((f"{head}{verb}", *values))


# -- actors and verbs -------------------------------------------------------------------------------------------------


def _actor(record: Record, table: Table, line: str, colon: bool = False) -> tuple[Seat, str] | None:
    """Return the actor and the rest of the line: `Aoi: pass`, or `Aoi pass` if `pass` is a verb."""
    names = record.opening.names
    seats, called = tuple(table.seats), tuple(names.items())
    found = actor_lexicon(seats, called, ends=r"(?=\s*:)").match(line)
    if found is not None:
        exact = N.seats_of_player(names, line[: found[1]])
        who = line[: found[1]] if line[: found[1]] in (*table.seats, *ACTORS) else exact[0] if exact else found[0]
        return Seat(who), line[found[1] :].lstrip()[1:].strip()
    found = None if colon else actor_lexicon(seats, called, ends=r"(?=\s)").match(line)
    if found is None or verb_lexicon(record.game).match(line) is not None:
        return None
    rest = line[found[1] :].strip()
    return (Seat(found[0]), rest) if found[0] in table.seats or verb_lexicon(record.game).match(rest) else None


def _names_two_players(record: Record, line: str) -> bool:
    return any(
        len(N.seats_of_player(record.opening.names, line[: colon.start()])) > 1 for colon in _COLON.finditer(line)
    )


def _without_marks(line: str) -> str:
    for lang in LANGS:
        for mark in (say("line.left", lang), say("line.violations", lang, clauses=""), "\u2691"):
            line = line.partition(f" {mark}")[0]
        line = line.removesuffix(f" {say('record.ok', lang)}")
    return line.strip()


def _unknown_verb(record: Record, table: Table, rest: str, eyes: TableViewer, actor: Seat) -> Text:
    game = record.game
    typed, colon, _ = rest.partition(":")
    offered = _list_offered_verbs(record, eyes.without_hidden_faces(table), eyes, actor)
    nearest = _nearest(game, fold(typed), offered)
    hint = Text("format.meant", {"word": listed(map(game.rulebook.both_words, nearest))}) if nearest else ""
    offered_text = Text("sentence.now", {"words": listed(map(game.rulebook.both_words, offered))}) if offered else ""
    text = quote_input(typed.strip() if colon else typed.split()[0])
    return Text("format.unknown", {"what": Text("noun.verb"), "text": text, "hint": hint, "rest": offered_text})


def _nearest(game: Game, typed: str, offered: Sequence[str]) -> list[str]:
    """Return the verbs most similar to the start of a line, offered ones first."""
    typed_words, known = typed.split(" "), verbs(game)
    scores: dict[str, float] = {}
    for spelling, verb in verb_lexicon(game).meanings.items() if len(typed) <= TYPED_MAX else ():
        begins = " ".join(typed_words[: spelling.count(" ") + 1])
        score = 1.0 if spelling.startswith(typed) else SequenceMatcher(None, begins, spelling).ratio()
        if score >= CLOSE_RATIO and verb in known:
            scores[verb] = max(scores.get(verb, 0.0), score + OFFERED_SCORE * (verb in offered))
    return sorted(scores, key=lambda verb: -scores[verb])[:CLOSE_VERBS_MAX]


def _list_offered_verbs(record: Record, blind: Table, eyes: TableViewer, actor: Seat) -> list[str]:
    """Return the verbs that the law offers a seat, as the viewer knows the table. Secret answers are omitted."""
    if actor not in record.law.awaited(blind):
        return []
    kinds = (eyes.physics.kinds.get(frame.kind) for frame in blind.asked if frame.by == actor)
    if eyes.viewer not in (actor, JUDGE) and any(kind is not None and kind.secret for kind in kinds):
        return []
    known = possible_verbs(record.law, blind, actor, record.law.offers(blind, actor))
    faces = sorted(record.game.faces())
    return [*known, *hand_verbs(record.law, eyes.physics, blind, actor, faces, known)]


def _find_answer(
    record: Record, table: Table, rest: str, eyes: TableViewer, actor: Seat | None
) -> tuple[str, int] | None:
    """Return the verb of the open question, and 0, if the line holds only an answer, as buttons write it."""
    for asked in eyes.without_hidden_faces(table).asked:
        kind = eyes.physics.kinds.get(asked.kind)
        if asked.by != actor or (eyes.viewer not in (actor, JUDGE) and kind is not None and kind.secret):
            continue
        verb = record.game.display.answers.get(asked.kind, asked.kind)
        if verb in verbs(record.game) and _ValueScanner(record, table, eyes, rest, verb, actor).begins_with_value():
            return verb, 0
    return None


# -- values -----------------------------------------------------------------------------------------------------------


class _ValueScanner:
    def __init__(
        self, record: Record, table: Table, eyes: TableViewer, text: str, verb: str, actor: Seat | None
    ) -> None:
        self.game, self.opened, self.table, self.eyes, self.text = record.game, record.opening, table, eyes, text
        self.record, self.verb, self.actor, self.action = record, verb, actor, verbs(record.game)[verb]
        self.changed = False
        """True if any part differs from notation."""

    def values(self) -> list[str]:
        """Return the values in notation, each after the name of its slot."""
        given: dict[str, list[str]] = {}
        at, slot = 0, None
        while at < len(self.text):
            label = self._match_label(at, given)
            if label is not None:
                slot, at = label
                given[slot.name] = []
            elif slot is None:
                slot = self._next_slot(at, given)
                if slot is None:
                    return [*self._write_values(given), self.text[at:]]
                given[slot.name] = []
            value, at = self._scan_value(slot, at)
            given[slot.name].append(value)
            comma = _COMMA.match(self.text, at)
            if comma is not None and slot.slot.kind in LIST_KINDS:
                self.changed = self.changed or comma[0] != ","
                at = comma.end()
                if self._match_label(at, given) is not None:
                    slot = None
            else:
                self.changed = self.changed or comma is not None
                at = _blanks(self.text, at) if comma is None else comma.end()
                slot = None
        return self._write_values(given)

    def _next_slot(self, at: int, given: Mapping[str, Sequence[str]]) -> NamedSlot | None:
        """Return the slot of an unnamed value; None if no slot is free. A frame's number is the value of a frame, and a
        word that only one slot takes is its value."""
        free = [named for named in slots(self.action) if named.name not in given]
        if (of_word := self._find_word_slot(at, free)) is not None:
            self.changed = True
            return of_word
        raw = _RAW.match(self.text, at)
        frames = (named for named in free if named.slot.kind in ("frame", "frames"))
        if raw is not None and _FRAME.fullmatch(raw[0]) and free and free[0].slot.kind in NEVER_FRAMES:
            slot = next(frames, free[0])
            self.changed = self.changed or slot != free[0]
            return slot
        before = next((number for number, named in enumerate(free) if named.slot.kind == "place"), len(free))
        has_all = len(self.text[at:].split()) > before  # so the values are in the order of the slots
        if not free or raw is None or has_all or self.actor not in self.table.seats:
            return next(iter(free), None)
        line = " ".join((self.verb, *self._write_values(given)))
        typist = Typist(self.record, self.table, self.eyes, Seat(self.actor or ""))
        slot = square_slot(typist, line, raw[0], free)
        self.changed = self.changed or slot != free[0]
        return slot

    def _find_word_slot(self, at: int, free: Sequence[NamedSlot]) -> NamedSlot | None:
        """Return the later slot that alone takes the word here, such as a direction; None if the first one takes it."""
        taking = [each for each in free if each.slot.words and self._lexicon(each).match(self.text, at) is not None]
        if len(taking) != 1 or taking[0] == free[0] or self._lexicon(free[0]).match(self.text, at) is not None:
            return None
        raw = _RAW.match(self.text, at)
        is_square = raw is not None and any(self.game.display.find_places(raw[0]))
        is_card = free[0].slot.kind in CARDS and self._match_face_prefix(at) is not None
        return None if is_square or is_card or free[0].slot.kind == "text" else taking[0]

    def _write_values(self, given: Mapping[str, Sequence[str]]) -> list[str]:
        return [f"{name}={','.join(values) or EMPTY}" for name, values in given.items()]

    def _match_label(self, at: int, given: Mapping[str, object]) -> tuple[NamedSlot, int] | None:
        """Return the slot named at this position, and the start of its value."""
        if (preposed := self._match_preposition(at, given)) is not None:
            self.changed = True
            return preposed
        found = label_lexicon(self.game, self.action).match(self.text, at)
        if found is None or found[0] in given:
            return None
        slot = next(named for named in slots(self.action) if named.name == found[0])
        name, end = self.text[at : found[1]], found[1]
        sign = value_separator().match(self.text, end)
        other = self._lexicon(slot).match(self.text, at)
        if end == len(self.text):
            return None
        if sign is None and other is not None:  # the word may be the value itself, as `yes` of the slot `yes`
            value = self._lexicon(slot).match(self.text, _blanks(self.text, end))
            if other[1] > end or value is None:
                return None
        if self.text[end] != "=" or name != slot.name:
            self.changed = True
        return slot, sign.end() if sign is not None else _blanks(self.text, end)

    def _match_preposition(self, at: int, given: Mapping[str, object]) -> tuple[NamedSlot, int] | None:
        """Return the slot that a button's `on` or `at` names at this position, and the start of its value."""
        found = preposition_lexicon().match(self.text, at)
        if found is None or found[1] == len(self.text):
            return None
        preposition_word, end = found
        free = (named for named in slots(self.action) if named.name not in given)
        slot = next((named for named in free if preposition(named.name, named.slot.kind) == preposition_word), None)
        other = self._lexicon(slot).match(self.text, at) if slot is not None else None
        return None if slot is None or (other is not None and other[1] > end) else (slot, _blanks(self.text, end))

    def begins_with_value(self) -> bool:
        """True if the text begins with a value of the first slot, or with the name of a slot."""
        first = next(iter(slots(self.action)), None)
        if first is None or not self.text:
            return False
        known = self._match_label(0, {}) or self._lexicon(first).match(self.text) or none_lexicon().match(self.text)
        return known is not None or _POINTED.match(self.text) is not None

    def _lexicon(self, slot: NamedSlot) -> Lexicon:
        match slot.slot.kind:
            case "card" | "cards" | "order" | "pairs" | "frames":
                return card_lexicon(self.game)
            case "seat":
                return actor_lexicon(tuple(self.table.seats), tuple(self.opened.names.items()))
            case "place" | "places":
                seats, players = tuple(self.table.seats), tuple(self.opened.names.items())
                return place_lexicon(self.game, self.opened.schema.areas, seats, players)
            case _:
                return slot_lexicon(self.game, slot.slot)

    def _scan_value(self, slot: NamedSlot, at: int) -> tuple[str, int]:
        kind = slot.slot.kind
        if kind == "text":
            return self._quote_rest(at)
        if (none := none_lexicon().match(self.text, at)) is not None:
            self.changed = self.changed or self.text[at : none[1]] != EMPTY
            return EMPTY, none[1]
        value, end = self._scan_item(slot, at)
        against = _AGAINST.match(self.text, end) if kind == "pairs" else None
        if against is not None:
            self.changed = self.changed or against[0] != ">"
            other, end = self._scan_item(slot, against.end())
            value = f"{value}>{other}"
        return value, end

    def _quote_rest(self, at: int) -> tuple[str, int]:
        if self.text.startswith('"', at):
            raw = _RAW.match(self.text, at)
            return (raw[0], raw.end()) if raw is not None else (self.text[at:], len(self.text))
        self.changed = True
        return quote(self.text[at:]), len(self.text)

    def _scan_item(self, slot: NamedSlot, at: int) -> tuple[str, int]:
        kind = slot.slot.kind
        found = self._lexicon(slot).match(self.text, at)
        if found is not None and self.text[found[1] : found[1] + 1] not in ("@", ":"):
            return self._translate_word(slot, at, *found)
        if kind in CARDS and (begun := self._match_face_prefix(at)) is not None:
            self.changed = True
            return begun
        raw = _RAW.match(self.text, at)
        if raw is None:
            return self.text[at:], len(self.text)
        end = raw.end()
        if kind == "number" and raw[0].isdecimal() and self._is_last(slot):
            meaning = _PHRASE.match(self.text, end)
            if meaning is not None and meaning.end() == len(self.text):
                self.changed, end = True, meaning.end()
        return raw[0], end

    def _translate_word(self, slot: NamedSlot, at: int, meaning: str, end: int) -> tuple[str, int]:
        """Return a value of the lexicon. A card becomes its thing number if the viewer can follow it."""
        value = write_word(meaning) if slot.slot.kind == "word" else meaning
        thing = _THING.match(self.text, end) if slot.slot.kind in CARDS else None
        if thing is not None:
            end = thing.end()
            value = f"u{thing[1]}" if self._is_followed(int(thing[1])) else value
        self.changed = self.changed or self.text[at:end] != value
        return value, end

    def _is_last(self, slot: NamedSlot) -> bool:
        return slots(self.action)[-1].name == slot.name

    def _is_followed(self, thing: int) -> bool:
        pieces = self.table.pieces.items()
        return any(piece.thing == thing and self.eyes.follows(self.table, card) for card, piece in pieces)

    def _match_face_prefix(self, at: int) -> tuple[str, int] | None:
        """Return the only card whose name begins with this text, among those that the viewer sees, or in the game."""
        raw, phrase = _RAW.match(self.text, at), _PHRASE.match(self.text, at)
        if raw is None or phrase is None or _NOTATION.fullmatch(raw[0]) or any(self.game.display.find_places(raw[0])):
            return None
        pieces = self.table.pieces.items()
        seen = {piece.face for card, piece in pieces if piece.face and self.eyes.knows(self.table, card)}
        words = phrase[0].rstrip().split(" ")
        for number in range(len(words), 0, -1):
            prefix = " ".join(words[:number])
            for faces in (seen, card_lexicon(self.game).meanings.values()):
                meant = {face for face in faces if begins_face(self.game, face, fold(prefix))}
                if len(meant) == 1:
                    return meant.pop(), at + len(prefix)
        return None


def _blanks(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()
