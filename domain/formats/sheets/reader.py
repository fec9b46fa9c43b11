"""Read a sheet: the header of notation, then a line in notation for each event that was seen. Nothing is played here.
Only seats, verbs, faces and tags of facts are checked, which need no table."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.actions import PREFIX, verbs
from domain.formats.errors import FormatError, explain_unknown, quote_input, shift_errors
from domain.formats.faces import read_face
from domain.formats.facts import FACT_TYPES
from domain.formats.names import seats_of_player
from domain.formats.notation.directives import take
from domain.formats.notation.header import NAMES, NO_DEAL, Header, read as read_header
from domain.formats.notation.lines import EntryLines, Line, Pair, divide
from domain.formats.sheets.lines import NO_BOUND, Acted, AnyLine, ByHand, Late, SheetFact, SheetGap, SheetRemark
from domain.formats.tokens import Token, field, items, read_integer, read_word, tokens, unquote
from domain.law.game import UNKNOWN_FACE, Game
from domain.table.physics import ACTORS
from domain.table.table import Seat
from domain.words import Text

LINES_MAX = 10_000
"""Maximum number of lines in a sheet. A long match has a few hundred."""
MOST_MAX = 1_000
"""Maximum number of actions in a gap."""
FAULTS_MAX = 20
"""Maximum number of unreadable lines to report at once."""
CARDS_MAX = 1_000
"""Maximum number of cards that a list leaves unknown."""
SHOWS: Final = "shows"
WORDS: Final = ("gap", "learn", "correct", "note", "question")
"""First words of lines that are not actions."""
_WITH_FACTS: Final = ("gap", "correct")
WITHOUT: Final = ("Seed", "Commitment", "Parent", "Cards", "Schema", "RulesHash")
"""Header pairs that sheets cannot have, because they belong to a croupier or record."""
_NUMBER = re.compile(r"\s*(?:[0-9]{1,9}\.(?=\s|$))?\s*")
_THING = re.compile(r"u([0-9]{1,9})")
_MANY = re.compile(r"(?<!\S)\?x([0-9]{1,3})(?!\S)")
_FACT = re.compile(r"\s*\+\s+(\S.*)")


class Sheet(Struct, frozen=True):
    pairs: tuple[tuple[str, tuple[str, ...]], ...]
    header: Header
    lines: tuple[AnyLine, ...]
    name: str = ""


def read_sheet(text: str, games: Mapping[str, Game], name: str = "") -> Sheet:
    """Parse a sheet. Raises FormatError with file, line and column."""
    try:
        return _read(text, games, name)
    except FormatError as error:
        raise error.with_file(name) from None


def _read(text: str, games: Mapping[str, Game], name: str) -> Sheet:
    pairs, entries = divide(text.split("\n"))
    header = _read_sheet_header(pairs, games)
    lines: list[AnyLine] = []
    for written in entries:
        if len(lines) >= LINES_MAX:
            raise written.line.error(Text("sheet.many", {"most": LINES_MAX}))
        lines.append(_read_line(header, written))
    return Sheet(tuple((pair.name, pair.values) for pair in pairs), header, tuple(lines), name)


def list_faults(text: str, games: Mapping[str, Game]) -> tuple[FormatError, ...]:
    """Return the errors of a sheet, up to `FAULTS_MAX`, or only the error of its header. Lines after one that cannot be
    divided into entries, such as a header after the first entry, are not read."""
    try:
        pairs, entries = divide(text.split("\n"))
        header = _read_sheet_header(pairs, games)
    except FormatError as error:
        return (error,)
    faults: list[FormatError] = []
    remaining = islice(entries, LINES_MAX)
    while len(faults) < FAULTS_MAX:
        try:
            written = next(remaining, None)  # also raises FormatError, and then yields nothing more
            if written is None:
                break
            _read_line(header, written)
        except FormatError as error:
            faults.append(error)
    return tuple(faults)


def _read_sheet_header(pairs: list[Pair], games: Mapping[str, Game]) -> Header:
    for pair in pairs:
        if pair.name in WITHOUT:
            raise pair.line.error(explain_unknown("header", pair.name, [name for name in NAMES if name not in WITHOUT]))
    expanded = [replace(pair, values=_expand_unknown_cards(pair)) for pair in pairs]
    if not any(pair.name == "Deal" for pair in pairs):
        expanded.append(Pair(Line(1, ""), "Deal", (NO_DEAL,)))
    header = read_header(expanded, games)
    if header.law is None:
        raise FormatError(header.why or Text("header.none"))
    return header


def _expand_unknown_cards(pair: Pair) -> tuple[str, ...]:
    """Return the pair with `?x40` in a list of cards expanded to 40 unknown cards."""
    if pair.name not in ("Deck", "Side") or len(pair.values) < 2:
        return pair.values
    seat, cards = pair.values
    if sum(int(many) for many in _MANY.findall(cards)) > CARDS_MAX:
        raise pair.line.error(Text("sheet.many_cards", {"most": CARDS_MAX}))
    return seat, _MANY.sub(lambda many: " ".join([UNKNOWN_FACE] * int(many[1])), cards)


def _read_line(header: Header, written: EntryLines) -> AnyLine:
    line = written.line
    match = _NUMBER.match(line.text)
    assert match is not None
    text, column = line.text[match.end() :].rstrip(), match.end() + 1
    if not text:
        raise line.error(Text("sheet.empty"))
    first_word = text.partition(" ")[0]
    if written.facts and first_word not in _WITH_FACTS:
        raise written.facts[0].error(Text("sheet.no_facts"))
    facts = tuple(map(_read_fact, written.facts))
    with shift_errors(line.number, 1):
        if first_word not in WORDS:
            sheet_line: AnyLine = _read_action(header, line.number, text, column)
        else:
            words = tokens(text, column)
            sheet_line = _read_directive(line.number, words, facts)
            if len(words) > 1:
                raise words[1].error(Text("format.nothing_more", {"what": words[0].text}))
    if isinstance(sheet_line, Acted):
        return replace(sheet_line, shows=tuple(_resolve_face(header, line, face) for face in sheet_line.shows))
    return (
        replace(sheet_line, face=_resolve_face(header, line, sheet_line.face))
        if isinstance(sheet_line, Late)
        else sheet_line
    )


def _resolve_face(header: Header, line: Line, text: str) -> str:
    face = read_face(header.game, text)
    if isinstance(face, Text):
        at = line.text.rfind(text)
        raise line.error(face, at + 1 if at >= 0 else None)
    return face


# -- lines that are not actions ---------------------------------------------------------------------------------------


def _read_directive(number: int, words: list[Token], facts: tuple[SheetFact, ...]) -> AnyLine:
    head = words[0]
    match head.text:
        case "gap":
            most = NO_BOUND
            if len(words) > 1 and not words[1].text.startswith('"'):
                token = words.pop(1)
                most = read_integer(token)
                if not 1 <= most <= MOST_MAX:
                    raise token.error(Text("sheet.most", {"n": most, "most": MOST_MAX}))
            return SheetGap(number, head.column, most, unquote(take(words, "reason")), facts)
        case "learn":
            thing = _read_thing(take(words, "thing"))
            face = take(words, "face")
            if face.text == UNKNOWN_FACE:
                raise face.error(Text("sheet.learn_nothing"))
            reason = unquote(words.pop(1)) if len(words) > 1 else ""
            return Late(number, head.column, thing, read_word(face), reason)
        case "correct":
            reason = unquote(take(words, "reason"))
            if not facts:
                raise head.error(Text("match.no_fact"))
            return ByHand(number, head.column, reason, facts)
        case _:
            token = take(words, "text")
            text = unquote(token)
            if not text.strip():
                raise token.error(Text("match.no_words"))
            return SheetRemark(number, head.column, text, head.text == "question")


def _read_thing(token: Token) -> int:
    match = _THING.fullmatch(token.text)
    if match is None:
        raise token.error(Text("sheet.no_thing", {"text": quote_input(token.text)}))
    return int(match[1])


def _read_fact(line: Line) -> SheetFact:
    match = _FACT.fullmatch(line.text)
    if match is None:
        raise line.error(Text("sheet.fact"))
    column = match.start(1) + 1
    with shift_errors(line.number, 1):
        words = tokens(match[1], column)
        if words[0].text not in FACT_TYPES:
            raise words[0].error(explain_unknown("fact", words[0].text, FACT_TYPES))
    return SheetFact(" ".join(word.text for word in words), line.number, column)


# -- actions ----------------------------------------------------------------------------------------------------------


def _read_action(header: Header, number: int, text: str, column: int) -> Acted:
    seat, begin = _read_actor(header, text, column)
    words = tokens(text[begin:], column + begin)
    if not words:
        raise FormatError(Text("action.no_verb"), 1, column + len(text))
    shows: tuple[str, ...] = ()
    if len(words) > 1 and (last := field(words[-1])) is not None and last[0] == SHOWS:
        token = words.pop()
        shows = tuple(read_word(part) for part in items(last[1]))
        text = text[: token.column - column].rstrip()
    known = verbs(header.game)
    bare = words[0].text.removeprefix(PREFIX)
    if bare not in known and bare not in header.game.other_verbs:
        other_words = () if seat else WORDS
        raise words[0].error(explain_unknown("verb", bare, (*known, *header.game.other_verbs, *other_words)))
    spoken = (bare, *(word.text for word in words[1:]))
    return Acted(number, column, seat, spoken, shows, text[begin:], column + begin)


def _read_actor(header: Header, text: str, column: int) -> tuple[Seat, int]:
    seats = (*header.opened.seats, *ACTORS)
    for colon in re.finditer(r":\s*", text):
        name = text[: colon.start()].strip()
        if name in seats:
            return Seat(name), colon.end()
        named = seats_of_player(header.opened.names, name)
        if len(named) > 1:
            about = {"name": quote_input(name), "seats": ", ".join(named)}
            raise FormatError(Text("name.two_players", about), 1, column)
        if named:
            return named[0], colon.end()
    first = text.partition(" ")[0].partition(":")[0]
    raise FormatError(explain_unknown("line_begin", first, (*(f"{seat}:" for seat in seats), *WORDS)), 1, column)
