"""A thing looked at backwards: which entry moved it, turned it, gave it a stance or a mark, and by which clause.

Made from the record as the viewer saw it and nothing else: what a viewer could not see happen is not found.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.names import CARD, FACE, FRAME, THING
from domain.formats.places import PlaceNames
from domain.law.entries import line
from domain.law.game import Game
from domain.law.record import Record
from domain.table.redact import LateFace, SeenCard, SeenPlace, TableViewer
from domain.table.table import JUDGE, CardId, Place, Seat, area
from domain.words import Lang, say
from projections import retrospective_view
from projections.moments import moments
from projections.phrases import Names, fact_words, later_words, stays
from projections.rows import Cell, Row
from projections.seen_entries import SeenEntry, seen_entries
from projections.seen_facts import CardReference, SeenFact
from projections.viewing import entry_in

WAYS_MAX = 6
"""How many things an answer names when a name fits several."""


class Happened(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A fact that happened to a thing; `mark` says which mark it was about."""

    what: str
    entry: int
    clause: str
    fact: SeenFact
    mark: str = ""


class Traced(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A thing and what happened to it, all of it or the last fact of each kind; `was` are the things its card was
    before. The newest comes first in both.

    `thing` is its number, or 0 where the viewer cannot point at it; a frame has its number in `frame`. `later` is what
    the log learned of a card that was unknown then.
    """

    viewer: Seat
    at: int
    thing: int = 0
    frame: int = 0
    face: str | None = None
    last: tuple[Happened, ...] = ()
    was: tuple[int, ...] = ()
    later: LateFace | None = None


class NotFound(Struct, frozen=True):
    """This viewer sees no such thing: `ways` are the things a name could mean if it means several. `key` says why."""

    key: str
    ways: tuple[str, ...] = ()


def when(record: Record, eyes: TableViewer, text: str, at: int | None = None) -> Traced | NotFound:
    """What last happened to the thing a text names, on the line that leads to an entry: the newest fact of each kind.

    Raises NotInMatch, and FormatError for a square that is not there.
    """
    traced = history(record, eyes, text, at)
    return traced if isinstance(traced, NotFound) else replace(traced, last=tuple(_latest(traced.last)))


def history(record: Record, eyes: TableViewer, text: str, at: int | None = None) -> Traced | NotFound:
    """The same with everything that happened to the thing, the newest first."""
    seat, number = eyes.viewer, entry_in(record.entries, at)
    on_line = frozenset(line(record.entries, number))
    told = [entry for entry in seen_entries(record, eyes, number, flow=True) if entry.number in on_line]
    backwards = [(entry, fact) for entry in reversed(told) for fact in reversed(entry.facts)]
    if match := FRAME.fullmatch(text):
        return _frame(backwards, seat, number, int(match[1]))
    named = PlaceNames(record.game.display, record.opening.schema)
    places = retrospective_view.after(eyes, number).places(record.after(number))
    meant = _resolve_name(places, named, text, seat)
    if isinstance(meant, NotFound):
        return meant
    card, place = meant
    if card is None:
        match = THING.fullmatch(text)
        assert match is not None
        card = SeenCard(thing=int(match[1]))
        if not any(_names(fact, card) for _, fact in backwards):
            return NotFound("when.unknown")
    return _card(backwards, seat, number, card, place)


def _resolve_name(
    places: Sequence[SeenPlace], named: PlaceNames, text: str, viewer: Seat
) -> tuple[SeenCard | None, Place | None] | NotFound:
    """The card that a text names; None for the number of a thing that is not there (any more)."""
    lying = [(card, place.place) for place in places for card in place.cards]
    if match := THING.fullmatch(text):
        if not int(match[1]):  # what cannot be pointed at has no number
            return NotFound("when.unknown")
        return next(((card, place) for card, place in lying if card.thing == int(match[1])), (None, None))
    if match := CARD.fullmatch(text):
        if viewer != JUDGE:
            return NotFound("when.ids")
        meant = ((card, place) for card, place in lying if card.card == CardId(int(match[1])))
        return next(meant, NotFound("when.unknown"))
    squares = named.called(text) or ((text,) if ":" in text else ())
    standing = [(card, place) for card, place in lying if place in squares and (card.thing or card.face)]
    if standing:
        return standing[0] if len(standing) == 1 else _ambiguous(named, standing)
    match = FACE.fullmatch(text)
    if match is None:
        return NotFound("when.no_name")
    owner, face, where = match.groups()
    fitting = [
        (card, place)
        for card, place in lying
        if card.face == face
        and owner in (None, card.owner or place.partition(".")[0])
        and (where in (None, place, area(place)) or place in named.called(where))
    ]
    if not fitting:
        return NotFound("when.unknown")
    answer = _ambiguous(named, fitting)
    return answer if len(answer.ways) > 1 else fitting[0]


def _ambiguous(named: PlaceNames, cards: Sequence[tuple[SeenCard, Place]]) -> NotFound:
    """Several cards are meant: how each is named."""
    ways = [f"u{card.thing}" if card.thing else f"{card.face}@{named.name(place)}" for card, place in cards]
    return NotFound("when.ambiguous", tuple(dict.fromkeys(ways))[:WAYS_MAX])


def _frame(backwards: Sequence[tuple[SeenEntry, SeenFact]], viewer: Seat, at: int, frame: int) -> Traced | NotFound:
    about = [(entry, fact) for entry, fact in backwards if fact.frame is not None and fact.frame.id == frame]
    if not about:
        return NotFound("when.unknown")
    return Traced(viewer=viewer, at=at, frame=frame, last=tuple(map(_happened, about)))


def _card(
    backwards: Sequence[tuple[SeenEntry, SeenFact]], viewer: Seat, at: int, card: SeenCard, place: Place | None
) -> Traced:
    """Back to where the thing began; the card's earlier things are named, not followed further.

    Of a thing that is there no more the newest move is how it went, not how it came.
    """
    about: list[tuple[SeenEntry, SeenFact]] = []
    was: list[int] = []
    wanted, there = card, place is not None
    for entry, fact in backwards:
        named = _named(fact, wanted, place)
        if named is None:
            continue
        if not was:
            about.append((entry, fact))
        if not there:
            there = fact.fact in ("move", "gone")
        elif not wanted.thing or (named.thing == wanted.thing and _is_born(fact, named)):
            earlier = named.was or (0 if wanted.thing else named.thing)
            if not earlier:
                break
            was.append(earlier)
            wanted, place = SeenCard(thing=earlier), None
    last = tuple(map(_happened, about))
    return Traced(viewer=viewer, at=at, thing=card.thing, face=card.face, last=last, was=tuple(was), later=card.later)


def arrivals(record: Record, eyes: TableViewer, at: int, things: Collection[int]) -> dict[int, int]:
    """Since which entry each of these things lies where it lies, as far as the viewer saw it come there."""
    on_line = frozenset(line(record.entries, at))
    came: dict[int, int] = {}
    for entry in seen_entries(record, eyes, at):
        if entry.number in on_line:
            came |= dict.fromkeys(_arrived(entry), entry.number)
    return {thing: came[thing] for thing in things if thing in came}


def fresh_entries(record: Record, entries: Iterable[SeenEntry]) -> Iterator[tuple[SeenEntry, bool]]:
    """Each entry of a record as it was seen, and whether its action names a thing that arrived in the same turn."""
    turns, before, fresh = moments(record).turns, list[SeenEntry](), set[int]()
    for entry in entries:
        number = entry.number
        yield entry, not fresh.isdisjoint(_things(entry))
        before.append(entry)
        if entry.to is not None:
            on_line = frozenset(line(record.entries, number))
            in_turn = (seen for seen in before if seen.number in on_line and turns[seen.number] == turns[number])
            fresh = {thing for seen in in_turn for thing in _arrived(seen)}
            continue
        if turns[number] != turns[number - 1]:
            fresh.clear()
        fresh.update(_arrived(entry))


def _things(entry: SeenEntry) -> Iterator[int]:
    for slot in entry.action.slots if entry.action is not None else ():
        yield from (card.thing for card in (*slot.cards, *chain.from_iterable(slot.pairs)) if card.thing)


def _arrived(entry: SeenEntry) -> Iterator[int]:
    return (card.thing for fact in entry.facts if _comes(fact) for card in fact.cards if card.thing)


def _comes(fact: SeenFact) -> bool:
    return fact.fact == "new" or (fact.fact == "move" and not stays(fact))


def _is_born(fact: SeenFact, named: CardReference) -> bool:
    """Did the thing come to be here? Within an area a card stays the thing it is."""
    if fact.fact == "move":
        return bool(named.was) or not stays(fact)
    return fact.fact == "new"


def _names(fact: SeenFact, card: SeenCard) -> bool:
    return any(card.thing in (named.thing, named.was) for named in _cards(fact))


def _cards(fact: SeenFact) -> tuple[CardReference, ...]:
    return (*fact.cards, *((fact.host,) if fact.host is not None else ()))


def _named(fact: SeenFact, card: SeenCard, place: Place | None) -> CardReference | None:
    """The card among those of a fact: by its number, or, on top of a pile, by what came face up to that pile."""
    for named in _cards(fact):
        if card.thing and card.thing in (named.thing, named.was):
            return named
        if not card.thing and card.face is not None and (named.face, fact.place) == (card.face, place):
            return named
    return None


def _happened(told: tuple[SeenEntry, SeenFact]) -> Happened:
    entry, fact = told
    mark = fact.name if fact.fact == "mark" else ""
    return Happened(what=fact.fact, entry=entry.number, clause=fact.clause, fact=fact, mark=mark)


def _latest(every: Iterable[Happened]) -> Iterator[Happened]:
    """The newest fact of each kind, and of marks the newest of each name."""
    done: set[tuple[str, str]] = set()
    for happened in every:
        if (happened.what, happened.mark) not in done:
            done.add((happened.what, happened.mark))
            yield happened


def render_traced(traced: Traced, game: Game, lang: Lang, names: Names) -> list[Row]:
    """What last happened as rows: the entry, the clause, the fact."""
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
        said = later_words(game, traced.later, traced.thing, lang)
        rows.insert(0, Row("later", (Cell(said, "back", traced.thing),)))
    if traced.was:
        things = say("list.comma", lang).join(say("card.thing", lang, thing=thing) for thing in traced.was)
        rows.append(Row("was", (Cell(say("when.was", lang, things=things), "was"),)))
    return rows
