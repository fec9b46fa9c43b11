"""Queue of automatic effects of characters, equipment and fields."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from domain.games.dea import clauses as C, meaning as M, table_queries as R, text as T
from domain.games.dea.cards import POOLS, work_out
from domain.games.dea.notions import AbilityLine
from domain.games.dea.rules import Rules
from domain.games.dea.statics import bearing
from domain.games.dea.values import Standing, has_keyword, is_lent, is_sealed
from domain.law.clause import carries
from domain.law.live import Live
from domain.law.noting import note
from domain.law.pools import PoolId
from domain.parts.asking import push
from domain.parts.places import obj
from domain.table.table import CardId, Seat, Table, Todo

SPRING: Final[M.KeywordName] = "spring"
SPRING_LIFE: Final = 1


Lines = Mapping[T.Cause, tuple[AbilityLine, ...]]
"""Automatic abilities by cause, in printed order."""


def _lines(card: T.Card) -> Lines:
    abilities = enumerate(card.abilities)
    return _by_cause(AbilityLine(ability, (place,)) for place, ability in abilities if isinstance(ability, T.Automatic))


def _field_lines(card: T.Card) -> Lines:
    return _by_cause(
        AbilityLine(inner, (place, within))
        for place, ability in enumerate(card.abilities)
        if isinstance(ability, T.Field)
        for within, inner in enumerate(ability.abilities)
        if isinstance(inner, T.Automatic)
    )


def _by_cause(lines: Iterable[AbilityLine]) -> Lines:
    caused: dict[T.Cause, tuple[AbilityLine, ...]] = {}
    for line in lines:
        caused[line.said.cause] = (*caused.get(line.said.cause, ()), line)
    return caused


LINES: Final = work_out(_lines)
FIELD_LINES: Final = work_out(_field_lines)
"""Automatic abilities of each face, and those of its field."""


@cache
def acting(pool: PoolId, cause: T.Cause) -> frozenset[str | None]:
    """Return the faces of characters and tokens with an automatic ability of this cause."""
    springing = bearing(pool, (T.Has, SPRING)).on_map if cause == "own_turn_start" else frozenset()
    persons = (card.id for card in POOLS.held[pool].values() if card.type in T.PERSONS)
    return springing | {face for face in persons if cause in LINES[pool][face]}


# -- causes -----------------------------------------------------------------------------------------------------------


@carries(C.AUTOMATIC_EFFECTS)
def queue_turn(rules: Rules, t: Live, starts: bool) -> None:
    """Queue the automatic effects of the start or the end of a turn, those of the turn player first."""
    active, lines_by_face, pieces = t.clock.active, LINES[rules.cards], t.pieces
    for seat in R.by_turn(t):
        if starts:
            cause: T.Cause | None = "own_turn_start" if seat == active else "opponent_turn_start"
        else:
            cause = "own_turn_end" if seat == active else None
        if cause is None:
            continue
        faces, has_spring = acting(rules.cards, cause), cause == "own_turn_start"
        is_lent_spring = has_spring and is_lent(rules, t, SPRING)
        characters = R.characters(rules, t) if faces or is_lent_spring else ()
        for character in (
            characters if is_lent_spring else [character for character in characters if pieces[character].face in faces]
        ):
            if pieces[character].owner != seat:
                continue
            lines = lines_by_face[pieces[character].face].get(cause)
            if lines:
                _queue_unsealed(rules, t, lines, character)
            if has_spring and has_keyword(rules, t, Standing(rules, t), character, SPRING):
                _push(t, AbilityLine(_SPRING, ()), character, seat, SPRING, "")
        for worn in R.worn(t, seat):
            _queue_lines(t, lines_by_face[pieces[worn].face].get(cause, ()), worn)
        field = R.live_field(t, seat) if t.effects else None
        if field is not None:
            _queue_lines(t, FIELD_LINES[rules.cards][field.face].get(cause, ()), field.source.card)


def queue_damaged(rules: Rules, t: Live, character: CardId) -> None:
    lines = _caused(rules, t, character, "self_damaged")
    if lines:
        _queue_unsealed(rules, t, lines, character)


@carries(C.WAS_ATTACKED)
def queue_attacked(rules: Rules, t: Live, character: CardId) -> None:
    """Queue the effects of a blocker's equipment, which follow the battle."""
    worn = R.equipment(t, character)
    lines = () if worn is None else _caused(rules, t, worn, "wearer_attacked")
    if worn is not None and lines:
        note(t, C.WAS_ATTACKED, character)
        _queue_lines(t, lines, worn)


def _caused(rules: Rules, t: Table, source: CardId, cause: T.Cause) -> tuple[AbilityLine, ...]:
    return LINES[rules.cards][t.pieces[source].face].get(cause, ())


def _queue_unsealed(rules: Rules, t: Live, lines: tuple[AbilityLine, ...], character: CardId) -> None:
    if rules.seal_scope == "all" and is_sealed(rules, t, character):
        note(t, C.SEALED, character)
        return
    _queue_lines(t, lines, character)


def _queue_lines(t: Live, lines: tuple[AbilityLine, ...], source: CardId) -> None:
    for line in lines:
        piece = t.pieces[source]
        _push(t, line, source, piece.owner, line.said.name or "", piece.face or "")


_SPRING: Final = T.Automatic(name=SPRING, cause="own_turn_start", do=(T.GainLife(n=SPRING_LIFE),))


def _push(t: Live, line: AbilityLine, source: CardId, by: Seat, name: str, face: str) -> None:
    todo = (Todo((*line.path, 0), by),) if line.path else ()
    push(
        t, C.AUTOMATIC_EFFECTS, "waiting", "automatic", by, objs=(obj(t, source),), words=(name, line.said.cause),
        face=face, todo=todo,
    )  # fmt: skip
