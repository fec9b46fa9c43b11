"""What a case says must hold after a step, compared with what does: one small function per key of `then`."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from domain.formats.actions import parse_action
from domain.formats.casebook.load import Look, Outcome, Then
from domain.formats.casebook.pieces import Spec, arranged, describe, parse_piece
from domain.formats.errors import FormatError, shown, unknown
from domain.formats.names import Labels, resolve_card
from domain.law.clause import Clause, Told
from domain.law.driver import accepts
from domain.law.law import Law
from domain.table.facts import FACTS
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, see_place
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
                found = _PLAIN[key](scene)
                if found != value:
                    yield key, value, found
            elif key in ("offers", "no_offers"):
                yield from _offers(scene, key, value, then.actor)
            else:
                yield from _CHECKS[key](scene, value)
        except FormatError as error:
            yield key, value, error.message


_PLAIN: dict[str, Callable[[Scene], Any]] = {
    "refused": lambda scene: scene.refused,
    "stack": lambda scene: tuple(frame.kind for frame in scene.table.stack),
    "asked": lambda scene: tuple(f"{frame.by} {frame.kind}" for frame in scene.table.asked),
    "passed": lambda scene: scene.table.clock.passed,
    "turn": lambda scene: scene.table.clock.turn,
    "active": lambda scene: scene.table.clock.active,
    "first": lambda scene: scene.table.clock.first,
    "phase": lambda scene: scene.table.clock.phase,
    "step": lambda scene: scene.table.clock.step,
}


def _violations(scene: Scene, value: tuple[str, ...]) -> Iterator[Mismatch]:
    if set(value) != set(scene.violations):
        yield "violations", value, scene.violations


def _awaited(scene: Scene, value: tuple[str, ...]) -> Iterator[Mismatch]:
    found = scene.law.awaited(scene.table)
    if set(value) != set(found):
        yield "awaited", value, found


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
        found = scene.physics.area(place)
        order = arranged(specs, scene.table, cards, scene.labels, bag=found is not None and found.order == "bag")
        if len(order) != len(cards) or sum(max(spec.fill, 1) for spec in specs) != len(cards):
            yield f"places {name}", texts, tuple(describe(scene.physics, scene.table, card) for card in cards)
        elif not any(spec.fill for spec in specs):
            _learn(scene, specs, order)


def _learn(scene: Scene, specs: list[Spec], cards: list[CardId]) -> None:
    """A label given in `then` names the card for the steps to come."""
    new = {spec.label: card for spec, card in zip(specs, cards, strict=True) if spec.label}
    if new:
        scene.labels = Labels({**scene.labels.cards, **new}, scene.labels.frames)


def _lying(scene: Scene, place: str, texts: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    _, cards = _row(scene, place)
    faces = Counter(scene.table.pieces[card].face for card in cards)
    for text, wanted in Counter(texts).items():
        if text in scene.labels.cards:
            yield text, scene.labels.cards[text] in cards
        else:
            yield text, faces[text] >= wanted


def _has(scene: Scene, value: dict[str, tuple[str, ...]]) -> Iterator[Mismatch]:
    for place, texts in value.items():
        for text, there in _lying(scene, place, texts):
            if not there:
                yield f"has {place}", text, _described(scene, place)


def _has_not(scene: Scene, value: dict[str, tuple[str, ...]]) -> Iterator[Mismatch]:
    for place, texts in value.items():
        for text, there in _lying(scene, place, tuple(dict.fromkeys(texts))):
            if there:
                yield f"has_not {place}", text, _described(scene, place)


def _described(scene: Scene, place: str) -> tuple[str, ...]:
    return tuple(describe(scene.physics, scene.table, card) for card in _row(scene, place)[1])


def _count(scene: Scene, value: dict[str, int]) -> Iterator[Mismatch]:
    for place, wanted in value.items():
        found = len(_row(scene, place)[1])
        if found != wanted:
            yield f"count {place}", wanted, found


def _seats(scene: Scene, value: dict[str, dict[str, int]]) -> Iterator[Mismatch]:
    for seat, marks in value.items():
        if seat not in scene.table.seats:
            raise FormatError(unknown("seat", seat, scene.table.seats))
        yield from _stand(scene, f"seats {seat}", "seat", marks, scene.table.seats[Seat(seat)])


def _marks(scene: Scene, value: dict[str, int]) -> Iterator[Mismatch]:
    yield from _stand(scene, "marks", "table", value, scene.table.marks)


def _stand(scene: Scene, where: str, of: str, wanted: dict[str, int], found: Any) -> Iterator[Mismatch]:
    for name, number in wanted.items():
        if scene.physics.mark(of, name) is None:
            raise FormatError(
                unknown(
                    "seat_mark" if of == "seat" else "table_mark", name, [m.name for m in scene.physics.schema.marks]
                )
            )
        if found.get(name, 0) != number:
            yield f"{where} {name}", number, found.get(name, 0)


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
    if value.reason is not None and value.reason != result.reason:
        yield "result reason", value.reason, result.reason
    if value.clause is not None and value.clause != scene.ended:
        yield "result clause", value.clause, scene.ended


TAGS = frozenset(str(one.__struct_config__.tag) for one in FACTS)


def _says(scene: Scene, pattern: str, clause: Clause, tag: str) -> bool:
    first, _, rest = pattern.partition(" ")
    if rest:
        return first == clause and rest == tag
    return pattern == tag if pattern in TAGS else pattern == clause


def _patterns(scene: Scene, value: tuple[str, ...]) -> None:
    for pattern in value:
        first, _, rest = pattern.partition(" ")
        if rest and rest not in TAGS:
            raise FormatError(unknown("fact", rest, sorted(TAGS)))
        if (rest or first not in TAGS) and first not in scene.law.game.rulebook.clauses:
            raise FormatError(unknown("clause_or_fact", first, scene.law.game.rulebook.clauses, lists=False))


def _what(scene: Scene) -> list[tuple[Clause, str]]:
    return [(clause, str(fact.__struct_config__.tag)) for clause, fact in scene.told]


def _told(scene: Scene, value: tuple[str, ...]) -> Iterator[Mismatch]:
    _patterns(scene, value)
    rest = iter(_what(scene))
    for pattern in value:
        if not any(_says(scene, pattern, clause, tag) for clause, tag in rest):
            yield "told", value, tuple(f"{clause} {tag}" for clause, tag in _what(scene))
            return


def _untold(scene: Scene, value: tuple[str, ...]) -> Iterator[Mismatch]:
    _patterns(scene, value)
    for pattern in value:
        for clause, tag in _what(scene):
            if _says(scene, pattern, clause, tag):
                yield "untold", pattern, f"{clause} {tag}"
                break


def _readings(scene: Scene, value: dict[str, int | str]) -> Iterator[Mismatch]:
    found = {(one.card, one.name): one.value for one in scene.law.readings(scene.table)}
    for key, wanted in value.items():
        text, _, name = key.rpartition(" ")
        if not text:
            raise FormatError(Text("casebook.reading", {"text": shown(key)}))
        card = resolve_card(scene.table, text, Seat(""), labels=scene.labels)
        read = found.get((card, name))
        if read is None:
            noun = Text("noun.reading_of", {"card": text})
            raise FormatError(unknown(noun, name, [one for c, one in found if c == card]))
        if read != wanted:
            yield f"readings {key}", wanted, read


def _views(scene: Scene, value: tuple[Look, ...]) -> Iterator[Mismatch]:
    viewers = (*scene.table.seats, SPECTATOR, JUDGE)
    for look in value:
        place, _ = _row(scene, look.place)
        if look.viewer not in viewers:
            raise FormatError(unknown("viewer", look.viewer, viewers))
        seen = see_place(scene.physics, scene.table, Seat(look.viewer), place)
        where = f"views {look.viewer} {look.place}"
        if look.count is not None and (seen is None or seen.count != look.count):
            yield f"{where} count", look.count, seen and seen.count
        if look.least is not None and (seen is None or seen.least != look.least):
            yield f"{where} least", look.least, seen and seen.least
        if look.cards is not None:
            faces = [card.face or BACK for card in seen.cards] if seen is not None else []
            found = scene.physics.area(place)
            if not _same(_looked(look.cards), faces, bag=found is not None and found.order == "bag"):
                yield f"{where} cards", look.cards, tuple(faces)


def _looked(texts: tuple[str, ...]) -> list[str]:
    """The cards of a view one by one: a face, `?` for a back, `x` for one that is not compared, `x3` for three."""
    cards: list[str] = []
    for text in texts:
        first = text.split()[0] if text.split() else text
        if first == ANY or (first.startswith(ANY) and first[1:].isdigit() and len(first) <= len("x500")):
            cards += [ANY] * int(first[1:] or 1)
        else:
            cards.append(first)
    return cards


def _same(wanted: list[str], found: list[str], bag: bool) -> bool:
    if len(wanted) != len(found):
        return False
    if not bag:
        return all(one in (ANY, other) for one, other in zip(wanted, found, strict=True))
    return not (Counter(one for one in wanted if one != ANY) - Counter(found))


_CHECKS: dict[str, Callable[[Scene, Any], Iterator[Mismatch]]] = {
    "violations": _violations,
    "places": _places,
    "has": _has,
    "has_not": _has_not,
    "count": _count,
    "seats": _seats,
    "marks": _marks,
    "awaited": _awaited,
    "result": _result,
    "told": _told,
    "untold": _untold,
    "readings": _readings,
    "views": _views,
}

assert set(_CHECKS) | set(_PLAIN) | {"actor", "offers", "no_offers"} == set(Then.__struct_fields__)
