"""History of a thing: the entries and clauses that moved, turned or marked it. It uses only the record as the viewer
saw it, so that unseen facts are missing."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.names import CARD, FACE, FRAME, THING
from domain.formats.places import PlaceNames
from domain.law.entries import entry_facts, line
from domain.law.game import Game
from domain.law.record import Record
from domain.table.redact import LateFace, SeenCard, SeenPlace, TableViewer
from domain.table.table import JUDGE, CardId, Place, Seat, area
from domain.words import Lang, say
from projections import retrospective_view
from projections.moments import moments
from projections.phrases import Names, fact_words, later_words, stays
from projections.rows import Cell, Row
from projections.seen_entries import SeenEntry, entries_at, seen_entries
from projections.seen_facts import CardReference, SeenFact, subjects
from projections.viewing import resolve_entry

CANDIDATES_MAX = 6
"""Maximum number of things to list for an ambiguous name."""


class ThingFact(Struct, frozen=True, omit_defaults=True, kw_only=True):
    what: str
    entry: int
    clause: str
    fact: SeenFact
    mark: str = ""


class ThingHistory(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A thing with its facts and the earlier things of its card (`was`), both newest first. `thing` is 0 if the viewer
    cannot point at it. A frame has its number in `frame`. `later` is the face that the log learned later."""

    viewer: Seat
    at: int
    thing: int = 0
    frame: int = 0
    face: str | None = None
    last: tuple[ThingFact, ...] = ()
    was: tuple[int, ...] = ()
    later: LateFace | None = None


class NotFound(Struct, frozen=True):
    """The viewer sees no such thing. `key` is the reason; `ways` are candidates for an ambiguous name."""

    key: str
    ways: tuple[str, ...] = ()


def find_latest_facts(record: Record, eyes: TableViewer, text: str, at: int | None = None) -> ThingHistory | NotFound:
    """Return the newest fact of each kind about the thing that a text names, on the line up to an entry. Raises
    NotInMatch, and FormatError for a missing square."""
    traced = history(record, eyes, text, at)
    return traced if isinstance(traced, NotFound) else replace(traced, last=tuple(_latest(traced.last)))


def history(record: Record, eyes: TableViewer, text: str, at: int | None = None) -> ThingHistory | NotFound:
    """Return all facts about the thing, newest first. Raises as `find_latest_facts` does."""
    seat, number = eyes.viewer, resolve_entry(record.entries, at)
    on_line = frozenset(line(record.entries, number))
    if match := FRAME.fullmatch(text):
        return _frame(_read_backwards(record, eyes, sorted(on_line)), seat, number, int(match[1]))
    named = PlaceNames(record.game.display, record.opening.schema)
    places = retrospective_view.after(eyes, number).places(record.after(number))
    resolved = _resolve_name(places, named, text, seat)
    if isinstance(resolved, NotFound):
        return resolved
    card, place = resolved
    numbers = _find_entries(record, sorted(on_line), card, number)
    backwards = _read_backwards(record, eyes, numbers)
    if card is None:
        match = THING.fullmatch(text)
        assert match is not None
        card = SeenCard(thing=int(match[1]))
        if not any(_names(fact, card) for _, fact in backwards):
            return NotFound("when.unknown")
    return _card(backwards, seat, number, card, place)


def _read_backwards(record: Record, eyes: TableViewer, numbers: Sequence[int]) -> Sequence[tuple[SeenEntry, SeenFact]]:
    """Return the facts of some entries, the newest first."""
    entries = tuple(entries_at(record, eyes, numbers, flow=True))
    return [(entry, fact) for entry in reversed(entries) for fact in reversed(entry.facts)]


def _find_entries(record: Record, numbers: Sequence[int], card: SeenCard | None, at: int) -> Sequence[int]:
    """Return the entries whose facts name a card, which has a number on the table after entry `at`; all entries for any
    other card."""
    pieces = record.after(at).pieces if card is not None and card.thing else {}
    ids = [each for each, piece in pieces.items() if card is not None and piece.thing == card.thing]
    if len(ids) != 1:
        return numbers
    return [
        number
        for number in numbers
        if any(ids[0] in subjects(fact) for _, fact in entry_facts(record.entries[number - 1]))
    ]


def _resolve_name(
    places: Sequence[SeenPlace], named: PlaceNames, text: str, viewer: Seat
) -> tuple[SeenCard | None, Place | None] | NotFound:
    """Return the card that a text names; None for the number of a thing that is no longer there."""
    visible = [(card, place.place) for place in places for card in place.cards]
    if match := THING.fullmatch(text):
        if not int(match[1]):  # a thing that cannot be pointed at has no number
            return NotFound("when.unknown")
        return next(((card, place) for card, place in visible if card.thing == int(match[1])), (None, None))
    if match := CARD.fullmatch(text):
        if viewer != JUDGE:
            return NotFound("when.ids")
        matching = ((card, place) for card, place in visible if card.card == CardId(int(match[1])))
        return next(matching, NotFound("when.unknown"))
    squares = named.find(text) or ((text,) if ":" in text else ())
    on_square = [(card, place) for card, place in visible if place in squares and (card.thing or card.face)]
    if on_square:
        return on_square[0] if len(on_square) == 1 else _make_ambiguous(named, on_square)
    match = FACE.fullmatch(text)
    if match is None:
        return NotFound("when.no_name")
    owner, face, place_name = match.groups()
    fitting = [
        (card, place)
        for card, place in visible
        if card.face == face
        and owner in (None, card.owner or place.partition(".")[0])
        and (place_name in (None, place, area(place)) or place in named.find(place_name))
    ]
    if not fitting:
        return NotFound("when.unknown")
    answer = _make_ambiguous(named, fitting)
    return answer if len(answer.ways) > 1 else fitting[0]


def _make_ambiguous(named: PlaceNames, cards: Sequence[tuple[SeenCard, Place]]) -> NotFound:
    candidates = [f"u{card.thing}" if card.thing else f"{card.face}@{named.name(place)}" for card, place in cards]
    return NotFound("when.ambiguous", tuple(dict.fromkeys(candidates))[:CANDIDATES_MAX])


def _frame(
    backwards: Sequence[tuple[SeenEntry, SeenFact]], viewer: Seat, at: int, frame: int
) -> ThingHistory | NotFound:
    about = [(entry, fact) for entry, fact in backwards if fact.frame is not None and fact.frame.id == frame]
    if not about:
        return NotFound("when.unknown")
    return ThingHistory(viewer=viewer, at=at, frame=frame, last=tuple(map(_make_happened, about)))


def _card(
    backwards: Sequence[tuple[SeenEntry, SeenFact]], viewer: Seat, at: int, card: SeenCard, place: Place | None
) -> ThingHistory:
    """Follow a thing back to its beginning. Earlier things of the card are listed without their facts. For a thing that
    is gone, the newest move is its departure."""
    about: list[tuple[SeenEntry, SeenFact]] = []
    was: list[int] = []
    followed, is_present = card, place is not None
    for entry, fact in backwards:
        named = _find_card(fact, followed, place)
        if named is None:
            continue
        if not was:
            about.append((entry, fact))
        if not is_present:
            is_present = fact.fact in ("move", "gone")
        elif not followed.thing or (named.thing == followed.thing and _is_new_thing(fact, named)):
            earlier = named.was or (0 if followed.thing else named.thing)
            if not earlier:
                break
            was.append(earlier)
            followed, place = SeenCard(thing=earlier), None
    last = tuple(map(_make_happened, about))
    return ThingHistory(
        viewer=viewer, at=at, thing=card.thing, face=card.face, last=last, was=tuple(was), later=card.later
    )


def arrivals(record: Record, eyes: TableViewer, at: int, things: Collection[int]) -> dict[int, int]:
    """Return the entries at which these things arrived at their places, if the viewer saw that."""
    on_line = frozenset(line(record.entries, at))
    entry_of: dict[int, int] = {}
    for entry in seen_entries(record, eyes, at):
        if entry.number in on_line:
            entry_of |= dict.fromkeys(_list_arrivals(entry), entry.number)
    return {thing: entry_of[thing] for thing in things if thing in entry_of}


def mark_fresh_entries(record: Record, entries: Iterable[SeenEntry]) -> Iterator[tuple[SeenEntry, bool]]:
    """Yield each entry with True if its action names a thing that arrived in the same turn."""
    turns, before, fresh = moments(record).turns, list[SeenEntry](), set[int]()
    for entry in entries:
        number = entry.number
        yield entry, not fresh.isdisjoint(_things(entry))
        before.append(entry)
        if entry.to is not None:
            on_line = frozenset(line(record.entries, number))
            in_turn = (seen for seen in before if seen.number in on_line and turns[seen.number] == turns[number])
            fresh = {thing for seen in in_turn for thing in _list_arrivals(seen)}
            continue
        if turns[number] != turns[number - 1]:
            fresh.clear()
        fresh.update(_list_arrivals(entry))


def _things(entry: SeenEntry) -> Iterator[int]:
    for slot in entry.action.slots if entry.action is not None else ():
        yield from (card.thing for card in (*slot.cards, *chain.from_iterable(slot.pairs)) if card.thing)


def _list_arrivals(entry: SeenEntry) -> Iterator[int]:
    return (card.thing for fact in entry.facts if _is_arrival(fact) for card in fact.cards if card.thing)


def _is_arrival(fact: SeenFact) -> bool:
    return fact.fact == "new" or (fact.fact == "move" and not stays(fact))


def _is_new_thing(fact: SeenFact, named: CardReference) -> bool:
    """True if the thing came into being here. Within an area a card remains the same thing."""
    if fact.fact == "move":
        return bool(named.was) or not stays(fact)
    return fact.fact == "new"


def _names(fact: SeenFact, card: SeenCard) -> bool:
    return any(card.thing in (named.thing, named.was) for named in _cards(fact))


def _cards(fact: SeenFact) -> tuple[CardReference, ...]:
    return (*fact.cards, *((fact.host,) if fact.host is not None else ()))


def _find_card(fact: SeenFact, card: SeenCard, place: Place | None) -> CardReference | None:
    """Return the card in a fact, by number or, for the top of a pile, by face."""
    for named in _cards(fact):
        if card.thing and card.thing in (named.thing, named.was):
            return named
        if not card.thing and card.face is not None and (named.face, fact.place) == (card.face, place):
            return named
    return None


def _make_happened(event: tuple[SeenEntry, SeenFact]) -> ThingFact:
    entry, fact = event
    mark = fact.name if fact.fact == "mark" else ""
    return ThingFact(what=fact.fact, entry=entry.number, clause=fact.clause, fact=fact, mark=mark)


def _latest(every: Iterable[ThingFact]) -> Iterator[ThingFact]:
    kinds: set[tuple[str, str]] = set()
    for happened in every:
        if (happened.what, happened.mark) not in kinds:
            kinds.add((happened.what, happened.mark))
            yield happened


def render_traced(traced: ThingHistory, game: Game, lang: Lang, names: Names) -> list[Row]:
    rows = [
        Row(
            "fact",
            (
                Cell(say("when.entry", lang, n=last.entry), "number"),
                Cell(last.clause or say("when.by_hand", lang), "clause", clause=last.clause),
                Cell(fact_words(game, last.fact, lang, names)),
            ),
        )
        for last in traced.last
    ]
    if not rows:
        rows = [Row("none", (Cell(say("when.nothing", lang), "none"),))]
    if traced.later is not None:
        text = later_words(game, traced.later, traced.thing, lang)
        rows.insert(0, Row("later", (Cell(text, "back", traced.thing),)))
    if traced.was:
        things = say("list.comma", lang).join(say("card.thing", lang, thing=thing) for thing in traced.was)
        rows.append(Row("was", (Cell(say("when.was", lang, things=things), "was"),)))
    return rows
