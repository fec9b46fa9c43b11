"""Words of a game for writers of cases: phases, steps, places, stances, marks, frames, effects, slots, abilities."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from domain.formats.places import PlaceNames
from domain.law.game import Game
from domain.law.slots import slots, verb
from domain.table.schema import Area, Mark, Schema
from domain.table.table import Place
from projections.rulebooks import list_playable_actions

WordKind = Literal["phase", "step", "place", "stance", "mark", "frame", "effect", "until", "slot", "family"]


class CaseWord(Struct, frozen=True):
    """A word that a case may use, with its meaning in both languages ('' if it has none).

    `where` depends on the kind. It is the phases of a step, the notation of a place, or the bearer and range of a mark.
    It is the lanes, steps and columns of a frame, the verb and slot of a word, or the mark of a family.
    """

    kind: WordKind
    word: str
    where: str
    en: str
    ja: str


def list_case_words(game: Game, rules: object) -> tuple[CaseWord, ...]:
    """Return the words of a game under these rules by kind."""
    schema = game.schema(rules)
    rows = (*_clock(schema), *_places(game, schema), *_things(schema), *_slots(game), *_families(game, schema))
    return tuple(CaseWord(kind, word, where, *_meaning(game, kind, word)) for kind, word, where in rows)


Row = tuple[WordKind, str, str]


def _clock(schema: Schema) -> Iterator[Row]:
    for phase in filter(None, schema.phases):
        yield "phase", phase, ", ".join(schema.steps.get(phase, ()))
    steps = dict.fromkeys(step for phase in schema.phases for step in schema.steps.get(phase, ()))
    for step in filter(None, steps):
        yield "step", step, ", ".join(phase for phase in schema.phases if step in schema.steps.get(phase, ()))


def _places(game: Game, schema: Schema) -> Iterator[Row]:
    names = PlaceNames(game.display, schema)
    for area in schema.areas:
        head = f"p1.{area.name}" if area.per_seat else area.name
        first, last = _ends(area)
        if not first:
            yield "place", area.name, head
            continue
        long = [f"{head}:{first}", f"{head}:{last}"]
        short = [names.name(Place(place)) for place in long]
        yield "place", area.name, " … ".join(long) + (f" = {' … '.join(short)}" if short != long else "")


def _ends(area: Area) -> tuple[str, str]:
    if area.order == "grid":
        return "1,1", ",".join(map(str, area.size))
    return ("1", str(area.size[0])) if area.order == "slots" else ("", "")


def _things(schema: Schema) -> Iterator[Row]:
    yield from (("stance", stance, "") for stance in schema.stances if stance)
    yield from (("mark", mark.name, f"{mark.of} = {_range(mark)}") for mark in schema.marks)
    for kind in schema.kinds:
        columns = [f"{name} = {', '.join(meanings)}" for name, meanings in kind.columns.items()]
        steps = [f"step = {', '.join(kind.steps)}"] if kind.steps else []
        yield "frame", kind.name, "; ".join([f"lane = {', '.join(kind.lanes)}", *steps, *columns])
    yield from (("effect", effect, "") for effect in schema.effects)
    yield from (("until", until, "") for until in schema.untils)


def _range(mark: Mark) -> str:
    return f"{mark.least}…" if mark.most is None else f"{mark.least}…{mark.most}"


def _slots(game: Game) -> Iterator[Row]:
    used: dict[str, list[str]] = {}
    for action in list_playable_actions(game):
        for named in slots(action):
            for word in filter(None, named.slot.words):
                used.setdefault(word, []).append(f"{verb(action)} {named.name}")
    yield from (("slot", word, ", ".join(where)) for word, where in used.items())


def _families(game: Game, schema: Schema) -> Iterator[Row]:
    """Yield the names in each family of marks, such as abilities in `used.*`."""
    heads = dict.fromkeys(mark.name.removesuffix("*") for mark in schema.marks if mark.name.endswith(".*"))
    for head in heads:
        names = (code.removeprefix(head) for code in game.rulebook.words if code.startswith(head))
        yield from (("family", name, f"{head}{name}") for name in names if name in game.rulebook.words)


def _meaning(game: Game, kind: WordKind, word: str) -> tuple[str, str]:
    words = game.rulebook.words
    meaning = words.get(f"until.{word}" if kind == "until" else word)
    return ("", "") if meaning is None else (meaning.en, meaning.ja)
