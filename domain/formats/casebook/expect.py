"""What a case says must hold after a step, compared with what does: one small function per key of `then`."""

from collections import Counter
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from msgspec import Struct

from domain.formats.actions import parse_action
from domain.formats.casebook.load import Look, Outcome, Then
from domain.formats.casebook.pieces import Spec, arrange, describe, parse_piece
from domain.formats.errors import FormatError, shown, unknown
from domain.formats.facts import TYPES
from domain.formats.names import Labels, resolve_card
from domain.law.clause import Clause, Told
from domain.law.driver import accepts
from domain.law.law import Law
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import JUDGE, CardId, Place, Seat, Table
from domain.words import Text

BACK = "?"
ANY = "x"


class Scene(Struct):
    """Where a case stands: the table, its names, and what the last step told. Labels may be added on the way."""

    law: Law
    physics: Physics
    table: Table
    labels: Labels
    told: Told = ()
    violations: tuple[Clause, ...] = ()
    refused: Clause | None = None
    ended: Clause | None = None


Mismatch = tuple[str, Any, Any]
"""What was expected of what, and what was found."""


def mismatches(scene: Scene, then: Then) -> Iterator[Mismatch]:
    """Everything that does not hold, in the order of the keys of `then`."""
    for key in then.__struct_fields__:
        value = getattr(then, key)
        if value is None or key == "actor":
            continue
        try:
            if key in _PLAIN:
                actual = _PLAIN[key](scene)
                if actual != value:
                    yield key, value, actual
            elif key in _SETS:
                actual = _SETS[key](scene)
                if set(actual) != set(value):
                    yield key, value, actual
            elif key in ("offers", "no_offers"):
                yield from _offers(scene, key, value, then.actor)
            else:
                yield from _CHECKS[key](scene, value)
        except FormatError as error:
            yield key, value, error.message


_SETS: dict[str, Callable[[Scene], tuple[str, ...]]] = {
    "violations": lambda scene: scene.violations,
    "awaited": lambda scene: scene.law.awaited(scene.table),
}

_PLAIN: dict[str, Callable[[Scene], Any]] = {
    **{name: attrgetter(f"table.clock.{name}") for name in ("passed", "turn", "active", "first", "phase", "step")},
    "refused": attrgetter("refused"),
    "stack": lambda scene: tuple(frame.kind for frame in scene.table.stack),
    "asked": lambda scene: tuple(f"{frame.by} {frame.kind}" for frame in scene.table.asked),
}


def _offers(scene: Scene, key: str, value: tuple[str, ...], actor: str | None) -> Iterator[Mismatch]:
    awaited = scene.law.awaited(scene.table)
    default = Seat(actor) if actor is not None else awaited[0] if len(awaited) == 1 else None
    wanted = key == "offers"
    for text in value:
        who, action = parse_action(scene.law.game, scene.table, text, scene.labels, actor=default)
        if accepts(scene.law, scene.table, who, action) != wanted:
            yield key, text, Text("case.refused" if wanted else "case.accepted")


def _row(scene: Scene, place: str) -> tuple[Place, tuple[CardId, ...]]:
    name = Place(place)
    seat = scene.physics.seat(name)
    if scene.physics.area(name) is None or (seat is not None and seat not in scene.table.seats):
        raise FormatError(unknown("place", place, scene.physics.areas))
    return name, scene.table.places.get(name, ())


def _places(scene: Scene, value: dict[str, tuple[str, ...]]) -> Iterator[Mismatch]:
    for name, texts in value.items():
        place, cards = _row(scene, name)
        specs = [parse_piece(text, scene.physics, tuple(scene.table.seats)) for text in texts]
        order = arrange(specs, scene.table, cards, scene.labels, bag=_is_bag(scene, place))
        if len(order) != len(cards) or sum(max(spec.fill, 1) for spec in specs) != len(cards):
            yield f"places {name}", texts, _describe_all(scene, cards)
        elif not any(spec.fill for spec in specs):
            _learn(scene, specs, order)


def _is_bag(scene: Scene, place: Place) -> bool:
    area = scene.physics.area(place)
    return area is not None and area.order == "bag"


def _learn(scene: Scene, specs: list[Spec], cards: list[CardId]) -> None:
    """A label given in `then` names the card for the steps to come."""
    new = {spec.label: card for spec, card in zip(specs, cards, strict=True) if spec.label}
    if new:
        scene.labels = Labels({**scene.labels.cards, **new}, scene.labels.frames)


def _lying(scene: Scene, key: str, value: dict[str, tuple[str, ...]], wanted: bool) -> Iterator[Mismatch]:
    """Of the cards named, those that do not lie there though wanted, or that do though not; of a face so many."""
    for place, texts in value.items():
        _, cards = _row(scene, place)
        faces = Counter(scene.table.pieces[card].face for card in cards)
        for text, count in Counter(texts).items():
            label = scene.labels.cards.get(text)
            there = faces[text] >= (count if wanted else 1) if label is None else label in cards
            if there != wanted:
                yield f"{key} {place}", text, _describe_all(scene, cards)


def _describe_all(scene: Scene, cards: tuple[CardId, ...]) -> tuple[str, ...]:
    return tuple(describe(scene.physics, scene.table, card) for card in cards)


def _count(scene: Scene, value: dict[str, int]) -> Iterator[Mismatch]:
    for place, wanted in value.items():
        actual = len(_row(scene, place)[1])
        if actual != wanted:
            yield f"count {place}", wanted, actual


def _seats(scene: Scene, value: dict[str, dict[str, int]]) -> Iterator[Mismatch]:
    for seat, marks in value.items():
        if seat not in scene.table.seats:
            raise FormatError(unknown("seat", seat, scene.table.seats))
        yield from _stand(scene, f"seats {seat}", "seat", marks, scene.table.seats[Seat(seat)])


def _marks(scene: Scene, value: dict[str, int]) -> Iterator[Mismatch]:
    yield from _stand(scene, "marks", "table", value, scene.table.marks)


def _stand(scene: Scene, where: str, of: str, wanted: dict[str, int], actual: Any) -> Iterator[Mismatch]:
    for name, number in wanted.items():
        if scene.physics.mark(of, name) is None:
            known = [mark.name for mark in scene.physics.schema.marks]
            raise FormatError(unknown("seat_mark" if of == "seat" else "table_mark", name, known))
        if actual.get(name, 0) != number:
            yield f"{where} {name}", number, actual.get(name, 0)


def _result(scene: Scene, value: Outcome) -> Iterator[Mismatch]:
    result = scene.table.result
    if value == Outcome():
        if result is not None:
            yield "result", Text("case.no_result"), (result.winners, result.reason)
        return
    if result is None:
        yield "result", value, Text("case.no_result")
        return
    if value.winners is not None and set(value.winners) != set(result.winners):
        yield "result winners", value.winners, result.winners
    for name, wanted, actual in (("reason", value.reason, result.reason), ("clause", value.clause, scene.ended)):
        if wanted not in (None, actual):
            yield f"result {name}", wanted, actual


TAGS = frozenset(TYPES)


def _says(pattern: str, clause: Clause, tag: str) -> bool:
    first, _, rest = pattern.partition(" ")
    if rest:
        return first == clause and rest == tag
    return pattern == tag if pattern in TAGS else pattern == clause


def _check_patterns(scene: Scene, value: tuple[str, ...]) -> None:
    for pattern in value:
        first, _, rest = pattern.partition(" ")
        if rest and rest not in TAGS:
            raise FormatError(unknown("fact", rest, sorted(TAGS)))
        if (rest or first not in TAGS) and first not in scene.law.game.rulebook.clauses:
            raise FormatError(unknown("clause_or_fact", first, scene.law.game.rulebook.clauses, lists=False))


def _what(scene: Scene) -> list[tuple[Clause, str]]:
    return [(clause, str(fact.__struct_config__.tag)) for clause, fact in scene.told]


def _told(scene: Scene, value: tuple[str, ...]) -> Iterator[Mismatch]:
    _check_patterns(scene, value)
    rest = iter(_what(scene))
    if not all(any(_says(pattern, *what) for what in rest) for pattern in value):
        yield "told", value, tuple(f"{clause} {tag}" for clause, tag in _what(scene))


def _untold(scene: Scene, value: tuple[str, ...]) -> Iterator[Mismatch]:
    _check_patterns(scene, value)
    for pattern in value:
        told = next((what for what in _what(scene) if _says(pattern, *what)), None)
        if told is not None:
            yield "untold", pattern, " ".join(told)


def _readings(scene: Scene, value: dict[str, int | str]) -> Iterator[Mismatch]:
    amounts = {(reading.card, reading.name): reading.value for reading in scene.law.readings(scene.table)}
    for key, wanted in value.items():
        text, _, name = key.rpartition(" ")
        if not text:
            raise FormatError(Text("casebook.reading", {"text": shown(key)}))
        card = resolve_card(scene.table, text, Seat(""), labels=scene.labels)
        read = amounts.get((card, name))
        if read is None:
            noun = Text("noun.reading_of", {"card": text})
            raise FormatError(unknown(noun, name, [known for of, known in amounts if of == card]))
        if read != wanted:
            yield f"readings {key}", wanted, read


def _views(scene: Scene, value: tuple[Look, ...]) -> Iterator[Mismatch]:
    viewers = (*scene.table.seats, SPECTATOR, JUDGE)
    for look in value:
        place, _ = _row(scene, look.place)
        if look.viewer not in viewers:
            raise FormatError(unknown("viewer", look.viewer, viewers))
        seen = Eyes(scene.physics, Seat(look.viewer)).place(scene.table, place)
        where = f"views {look.viewer} {look.place}"
        for name in ("count", "least"):
            wanted, actual = getattr(look, name), getattr(seen, name, None)
            if wanted not in (None, actual):
                yield f"{where} {name}", wanted, actual
        if look.cards is not None:
            faces = [card.face or BACK for card in seen.cards] if seen is not None else []
            if not _same(_cards_of(look.cards), faces, bag=_is_bag(scene, place)):
                yield f"{where} cards", look.cards, tuple(faces)


def _cards_of(texts: tuple[str, ...]) -> list[str]:
    """The cards of a view one by one: a face, `?` for a back, `x` for one that is not compared, `x3` for three."""
    cards: list[str] = []
    for text in texts:
        first = text.split()[0] if text.split() else text
        if first == ANY or (first.startswith(ANY) and first[1:].isdigit() and len(first) <= len("x500")):
            cards += [ANY] * int(first[1:] or 1)
        else:
            cards.append(first)
    return cards


def _same(wanted: list[str], actual: list[str], bag: bool) -> bool:
    if len(wanted) != len(actual):
        return False
    if not bag:
        return all(face in (ANY, other) for face, other in zip(wanted, actual, strict=True))
    return not (Counter(face for face in wanted if face != ANY) - Counter(actual))


_CHECKS: dict[str, Callable[[Scene, Any], Iterator[Mismatch]]] = {
    "places": _places,
    "has": lambda scene, value: _lying(scene, "has", value, True),
    "has_not": lambda scene, value: _lying(scene, "has_not", value, False),
    "count": _count,
    "seats": _seats,
    "marks": _marks,
    "result": _result,
    "told": _told,
    "untold": _untold,
    "readings": _readings,
    "views": _views,
}

assert {*_CHECKS, *_PLAIN, *_SETS, "actor", "offers", "no_offers"} == set(Then.__struct_fields__)
