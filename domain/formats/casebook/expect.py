"""Compare the expectations of a step with the table, with one small function per key of `then`."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any

from msgspec import Struct

from domain.formats.actions import parse_action
from domain.formats.casebook.bags import arrange
from domain.formats.casebook.load import Look, Outcome, Rejudged, Then
from domain.formats.casebook.name_checks import TAGS
from domain.formats.casebook.pieces import Spec, describe, fits, list_parts, parse_piece
from domain.formats.casebook.rulings import Rulings
from domain.formats.errors import FormatError, explain_unknown, quote_input
from domain.formats.names import Labels, resolve_card
from domain.formats.places import PlaceNames
from domain.law.actions import Pass
from domain.law.clause import CitedFacts, Clause
from domain.law.driver import accepts
from domain.law.entries import Entry
from domain.law.law import Law
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, CardId, Place, Seat, Table
from domain.words import Text, listed

BACK = "?"
ANY = "x"


class Scene(Struct):
    """The state of a running case: table, labels and facts of the last step. Steps may add labels. `record` is the
    recorded match that the case starts from, with the entries played since. `reading` are other rules for its audit."""

    law: Law
    physics: Physics
    table: Table
    labels: Labels
    told: CitedFacts = ()
    violations: tuple[Clause, ...] = ()
    refused: Clause | None = None
    ended: Clause | None = None
    record: tuple[Entry, ...] = ()
    reading: object = None
    rulings: Rulings | None = None

    @property
    def places(self) -> PlaceNames:
        return PlaceNames(self.law.game.display, self.physics.schema)


def describe_pass(scene: Scene) -> Text | None:
    """Return the seats that may pass now, with their window; None if none may."""
    table, law = scene.table, scene.law
    if Pass not in law.game.action_types:
        return None
    seats = [seat for seat in law.awaited(table) if accepts(law, table, seat, Pass())]
    if not seats:
        return None
    clock = table.clock
    where = [f"phase {clock.phase}", f"step {clock.step}"] if clock.step else [f"phase {clock.phase}"]
    where += [" ".join(("running", frame.kind, *frame.words)) for frame in table.running[-1:]]
    where += ["stack " + " ".join(frame.kind for frame in table.stack)] if table.stack else []
    return Text("case.may_pass", {"seats": listed(seats), "where": listed(where)})


class Mismatch(Struct, frozen=True):
    """An expectation that does not hold. It would hold if the value at path `at` in `then` were `now`. `at` is
    empty if no value would."""

    what: str
    expected: object
    found: object
    at: tuple[str | int, ...] = ()
    now: object = None


def mismatches(scene: Scene, then: Then) -> Iterator[Mismatch]:
    """Yield all mismatches, in the order of the keys of `then`."""
    for key in then.__struct_fields__:
        value = getattr(then, key)
        if value is None or key == "actor":
            continue
        try:
            if key in _PLAIN:
                actual = _PLAIN[key](scene)
                if actual != value:
                    yield _make_mismatch(key, value, actual)
            elif key in _SETS:
                actual = _SETS[key](scene)
                if set(actual) != set(value):
                    yield _make_mismatch(key, value, actual)
            elif key in ("offers", "no_offers"):
                yield from _check_offers(scene, key, value, then.actor)
            else:
                yield from _CHECKS[key](scene, value)
        except FormatError as error:
            yield Mismatch(key, value, error.message)


def _make_mismatch(key: str, expected: object, found: object, *path: str | int) -> Mismatch:
    """Return a mismatch whose actual value could replace the expected one at this key and path."""
    at = (key, *path) if found is not None else ()
    return Mismatch(" ".join(map(str, (key, *path))), expected, found, at, found)


_SETS: dict[str, Callable[[Scene], tuple[str, ...]]] = {
    "violations": lambda scene: scene.violations,
    "awaited": lambda scene: scene.law.awaited(scene.table),
}

_PLAIN: dict[str, Callable[[Scene], object]] = {
    **{name: attrgetter(f"table.clock.{name}") for name in ("passed", "turn", "active", "first", "phase", "step")},
    "refused": attrgetter("refused"),
    "stack": lambda scene: tuple(frame.kind for frame in scene.table.stack),
    "asked": lambda scene: tuple(f"{frame.by} {frame.kind}" for frame in scene.table.asked),
}


def _check_offers(scene: Scene, key: str, value: tuple[str, ...], actor: str | None) -> Iterator[Mismatch]:
    awaited = scene.law.awaited(scene.table)
    default = Seat(actor) if actor is not None else awaited[0] if len(awaited) == 1 else None
    wanted = key == "offers"
    for text in value:
        game, schema = scene.law.game, scene.physics.schema
        who, action = parse_action(game, scene.table, text, scene.labels, actor=default, schema=schema)
        if accepts(scene.law, scene.table, who, action) != wanted:
            yield Mismatch(key, text, Text("case.refused" if wanted else "case.accepted"))


def _find_row(scene: Scene, place: str) -> tuple[Place, tuple[CardId, ...]]:
    name = next(iter(scene.places.find(place)), Place(place))
    seat = scene.physics.seat(name)
    if scene.physics.area(name) is None or (seat is not None and seat not in scene.table.seats):
        raise FormatError(explain_unknown("place", place, scene.physics.areas))
    return name, scene.table.places.get(name, ())


def _check_places(scene: Scene, value: dict[str, tuple[str, ...]]) -> Iterator[Mismatch]:
    for name, texts in value.items():
        place, cards = _find_row(scene, name)
        specs = [parse_piece(text, scene.physics, tuple(scene.table.seats)) for text in texts]
        order = arrange(specs, scene.table, cards, scene.labels, bag=_is_bag(scene, place))
        if order is None:
            actual = _describe_all(scene, cards, list_parts(specs))
            now = None if any(spec.fill for spec in specs) else _rewrite_row(scene, specs, cards)
            yield Mismatch(f"places {name}", texts, actual, ("places", name) if now is not None else (), now)
        elif not any(spec.fill for spec in specs):
            _add_labels(scene, specs, order)


def _rewrite_row(scene: Scene, specs: list[Spec], cards: tuple[CardId, ...]) -> tuple[str, ...]:
    left = list(specs)
    texts: list[str] = []
    for card in cards:
        fitting = next((spec for spec in left if fits(spec, scene.table, card, scene.labels)), None)
        if fitting is not None:
            left.remove(fitting)
        text = describe(scene.physics, scene.table, card, scene.labels, list_parts(specs))
        texts.append(text if fitting is None else fitting.text)
    return tuple(texts)


def _is_bag(scene: Scene, place: Place) -> bool:
    area = scene.physics.area(place)
    return area is not None and area.order == "bag"


def _add_labels(scene: Scene, specs: list[Spec], cards: list[CardId]) -> None:
    """Add the labels given in `then`, for later steps."""
    new = {spec.label: card for spec, card in zip(specs, cards, strict=True) if spec.label}
    if new:
        scene.labels = Labels({**scene.labels.cards, **new}, scene.labels.frames)


def _check_presence(scene: Scene, key: str, value: dict[str, tuple[str, ...]], wanted: bool) -> Iterator[Mismatch]:
    """Yield named cards that are missing although wanted, or present although not. Repeated faces are counted."""
    for place, texts in value.items():
        _, cards = _find_row(scene, place)
        faces = Counter(scene.table.pieces[card].face for card in cards)
        for text, count in Counter(texts).items():
            label = scene.labels.cards.get(text)
            is_present = faces[text] >= (count if wanted else 1) if label is None else label in cards
            if is_present != wanted:
                yield Mismatch(f"{key} {place}", text, _describe_all(scene, cards))


def _describe_all(scene: Scene, cards: tuple[CardId, ...], also: frozenset[str] = frozenset()) -> tuple[str, ...]:
    return tuple(describe(scene.physics, scene.table, card, scene.labels, also) for card in cards)


def _check_count(scene: Scene, value: dict[str, int]) -> Iterator[Mismatch]:
    for place, wanted in value.items():
        actual = len(_find_row(scene, place)[1])
        if actual != wanted:
            yield _make_mismatch("count", wanted, actual, place)


def _check_seats(scene: Scene, value: dict[str, dict[str, int]]) -> Iterator[Mismatch]:
    for seat, marks in value.items():
        if seat not in scene.table.seats:
            raise FormatError(explain_unknown("seat", seat, scene.table.seats))
        yield from _compare_marks(scene, ("seats", seat), "seat", marks, scene.table.seats[Seat(seat)])


def _check_marks(scene: Scene, value: dict[str, int]) -> Iterator[Mismatch]:
    yield from _compare_marks(scene, ("marks",), "table", value, scene.table.marks)


def _compare_marks(
    scene: Scene, where: tuple[str, ...], of: str, wanted: dict[str, int], actual: Mapping[str, int]
) -> Iterator[Mismatch]:
    for name, number in wanted.items():
        if scene.physics.mark(of, name) is None:
            known = [mark.name for mark in scene.physics.schema.marks]
            raise FormatError(explain_unknown("seat_mark" if of == "seat" else "table_mark", name, known))
        if actual.get(name, 0) != number:
            yield _make_mismatch(where[0], number, actual.get(name, 0), *where[1:], name)


def _check_result(scene: Scene, value: Outcome) -> Iterator[Mismatch]:
    result = scene.table.result
    if value == Outcome():
        if result is not None:
            now = {"winners": result.winners, "reason": result.reason}
            yield Mismatch("result", Text("case.no_result"), (result.winners, result.reason), ("result",), now)
        return
    if result is None:
        yield Mismatch("result", value, Text("case.no_result"), ("result",), {})
        return
    if value.winners is not None and set(value.winners) != set(result.winners):
        yield _make_mismatch("result", value.winners, result.winners, "winners")
    for name, wanted, actual in (("reason", value.reason, result.reason), ("clause", value.clause, scene.ended)):
        if wanted not in (None, actual):
            yield _make_mismatch("result", wanted, actual, name)


def _matches_pattern(pattern: str, clause: Clause, tag: str) -> bool:
    first, _, rest = pattern.partition(" ")
    if rest:
        return first == clause and rest == tag
    return pattern == tag if pattern in TAGS else pattern == clause


def _list_facts(scene: Scene) -> list[tuple[Clause, str]]:
    return [(clause, str(fact.__struct_config__.tag)) for clause, fact in scene.told]


def _check_facts(scene: Scene, value: tuple[str, ...]) -> Iterator[Mismatch]:
    rest = iter(_list_facts(scene))
    if not all(any(_matches_pattern(pattern, *what) for what in rest) for pattern in value):
        facts = _list_facts(scene)
        now = _format_facts(facts, value)
        yield Mismatch("told", value, tuple(f"{clause} {tag}" for clause, tag in facts), ("told",), now)


def _format_facts(facts: list[tuple[Clause, str]], patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the facts in the form of the patterns: clauses, kinds of fact, or both."""
    if patterns and all(pattern in TAGS for pattern in patterns):
        return tuple(tag for _, tag in facts)
    if patterns and not any(" " in pattern or pattern in TAGS for pattern in patterns):
        return tuple(dict.fromkeys(clause for clause, _ in facts))
    return tuple(f"{clause} {tag}" for clause, tag in facts)


def _check_absent_facts(scene: Scene, value: tuple[str, ...]) -> Iterator[Mismatch]:
    for pattern in value:
        matching = next((what for what in _list_facts(scene) if _matches_pattern(pattern, *what)), None)
        if matching is not None:
            yield Mismatch("untold", pattern, " ".join(matching))


def _check_readings(scene: Scene, value: dict[str, int | str]) -> Iterator[Mismatch]:
    amounts = {(reading.card, reading.name): reading.value for reading in scene.law.readings(scene.table)}
    for key, wanted in value.items():
        text, _, name = key.rpartition(" ")
        if not text:
            raise FormatError(Text("casebook.reading", {"text": quote_input(key)}))
        card = resolve_card(scene.table, text, Seat(""), labels=scene.labels, places=scene.places)
        read = amounts.get((card, name))
        if read is None:
            noun = Text("noun.reading_of", {"card": text})
            raise FormatError(explain_unknown(noun, name, [known for of, known in amounts if of == card]))
        if read != wanted:
            yield _make_mismatch("readings", wanted, read, key)


def _check_views(scene: Scene, value: tuple[Look, ...]) -> Iterator[Mismatch]:
    for number, look in enumerate(value):
        place, _ = _find_row(scene, look.place)
        seen = TableViewer(scene.physics, _resolve_viewer(scene, look.viewer)).place(scene.table, place)
        where = f"views {look.viewer} {look.place}"
        for name in ("count", "least"):
            wanted, actual = getattr(look, name), getattr(seen, name, None)
            if wanted not in (None, actual):
                at = () if actual is None else ("views", number, name)
                yield Mismatch(f"{where} {name}", wanted, actual, at, actual)
        if look.cards is not None:
            faces = tuple(card.face or BACK for card in seen.cards) if seen is not None else ()
            if not _matches_view(_expand_cards(look.cards), list(faces), bag=_is_bag(scene, place)):
                yield Mismatch(f"{where} cards", look.cards, faces, ("views", number, "cards"), faces)


def _resolve_viewer(scene: Scene, text: str) -> Seat:
    viewers = (*scene.table.seats, SPECTATOR, JUDGE)
    if text not in viewers:
        raise FormatError(explain_unknown("viewer", text, viewers))
    return Seat(text)


def _check_known_cards(scene: Scene, key: str, value: dict[str, tuple[str, ...]], wanted: bool) -> Iterator[Mismatch]:
    """Yield named cards that a viewer should know and does not, or knows and should not."""
    for name, texts in value.items():
        viewer = _resolve_viewer(scene, name)
        for text in texts:
            card = resolve_card(scene.table, text, viewer, labels=scene.labels, places=scene.places)
            if TableViewer(scene.physics, viewer).knows(scene.table, card) != wanted:
                yield Mismatch(f"{key} {name}", text, Text("case.unknown" if wanted else "case.known"))


def _check_findings(scene: Scene, value: tuple[str, ...]) -> Iterator[Mismatch]:
    audited = _require_rulings(scene).findings(scene.law.game, scene.record, scene.reading)
    findings = tuple(" ".join(map(str, finding)) for finding in audited)
    if Counter(findings) != Counter(value):
        yield _make_mismatch("findings", value, findings)


def _check_rejudged(scene: Scene, value: tuple[Rejudged, ...]) -> Iterator[Mismatch]:
    for number, wanted in enumerate(value):
        actual = _require_rulings(scene).rejudged(scene.law.game, scene.record, wanted)
        rules = wanted.version or ", ".join(f"{key}={chosen}" for key, chosen in wanted.set.items()) or str(number + 1)
        for name in ("verdict", "entry", "clause"):
            expected, ruled = getattr(wanted, name), getattr(actual, name)
            if expected not in (None, ruled):
                yield Mismatch(f"rejudged {rules} {name}", expected, ruled, ("rejudged", number, name), ruled)


def _require_rulings(scene: Scene) -> Rulings:
    if scene.rulings is None:
        raise FormatError(Text("case.no_rulings"))
    return scene.rulings


def _expand_cards(texts: tuple[str, ...]) -> list[str]:
    """Return the cards of a view singly: a face, `?` for a back, `x` for any card, `x3` for three of them."""
    cards: list[str] = []
    for text in texts:
        first = text.split()[0] if text.split() else text
        if first == ANY or (first.startswith(ANY) and first[1:].isdigit() and len(first) <= len("x500")):
            cards += [ANY] * int(first[1:] or 1)
        else:
            cards.append(first)
    return cards


def _matches_view(wanted: list[str], actual: list[str], bag: bool) -> bool:
    if len(wanted) != len(actual):
        return False
    if not bag:
        return all(face in (ANY, other) for face, other in zip(wanted, actual, strict=True))
    return not (Counter(face for face in wanted if face != ANY) - Counter(actual))


_CHECKS: dict[str, Callable[[Scene, Any], Iterator[Mismatch]]] = {
    "places": _check_places,
    "has": lambda scene, value: _check_presence(scene, "has", value, True),
    "has_not": lambda scene, value: _check_presence(scene, "has_not", value, False),
    "count": _check_count,
    "seats": _check_seats,
    "marks": _check_marks,
    "result": _check_result,
    "told": _check_facts,
    "untold": _check_absent_facts,
    "readings": _check_readings,
    "views": _check_views,
    "knows": lambda scene, value: _check_known_cards(scene, "knows", value, True),
    "knows_not": lambda scene, value: _check_known_cards(scene, "knows_not", value, False),
    "findings": _check_findings,
    "rejudged": _check_rejudged,
}

assert {*_CHECKS, *_PLAIN, *_SETS, "actor", "offers", "no_offers"} == set(Then.__struct_fields__)
