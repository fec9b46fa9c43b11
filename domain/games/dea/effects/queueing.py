"""Queue of automatic effects of characters, equipment and fields."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from domain.games.dea import card_vocabulary as M, clauses as C, table_queries as R, text as T
from domain.games.dea.cards import POOLS, index_cards
from domain.games.dea.rules import Rules
from domain.games.dea.static_index import faces_with_modifier
from domain.games.dea.value_types import AutomaticAbility
from domain.games.dea.values import ModifierCache, has_keyword, is_sealed, may_have_unprinted_keyword
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.law.pools import PoolId
from domain.parts.asking import push
from domain.parts.places import obj
from domain.table.table import CardId, Seat, Table, Todo

SPRING: Final[M.KeywordName] = "spring"
SPRING_LIFE: Final = 1


Lines = Mapping[T.Cause, tuple[AutomaticAbility, ...]]
"""Automatic abilities by cause, in printed order."""


def _lines(card: T.Card) -> Lines:
    abilities = enumerate(card.abilities)
    return _by_cause(
        AutomaticAbility(ability, (place,)) for place, ability in abilities if isinstance(ability, T.Automatic)
    )


def _field_lines(card: T.Card) -> Lines:
    return _by_cause(
        AutomaticAbility(inner, (place, within))
        for place, ability in enumerate(card.abilities)
        if isinstance(ability, T.Field)
        for within, inner in enumerate(ability.abilities)
        if isinstance(inner, T.Automatic)
    )


def _by_cause(lines: Iterable[AutomaticAbility]) -> Lines:
    caused: dict[T.Cause, tuple[AutomaticAbility, ...]] = {}
    for line in lines:
        caused[line.said.cause] = (*caused.get(line.said.cause, ()), line)
    return caused


AUTOMATIC_ABILITIES: Final = index_cards(_lines)
FIELD_AUTOMATIC_ABILITIES: Final = index_cards(_field_lines)
"""Automatic abilities of each face, and those of its field."""


@cache
def acting(pool: PoolId, cause: T.Cause) -> frozenset[str | None]:
    """Return the faces of characters and tokens with an automatic ability of this cause."""
    springing = faces_with_modifier(pool, (T.Has, SPRING)).on_map if cause == "own_turn_start" else frozenset()
    persons = (card.id for card in POOLS.cards_by_pool[pool].values() if card.type in T.MAP_CARD_TYPES)
    return springing | {face for face in persons if cause in AUTOMATIC_ABILITIES[pool][face]}


# -- causes -----------------------------------------------------------------------------------------------------------


@implements(C.AUTOMATIC_EFFECTS)
def queue_turn(rules: Rules, t: LiveTable, starts: bool) -> None:
    """Queue the automatic effects of the start or the end of a turn, those of the turn player first."""
    active, lines_by_face, pieces = t.clock.active, AUTOMATIC_ABILITIES[rules.cards], t.pieces
    for seat in R.seats_in_turn_order(t):
        if starts:
            cause: T.Cause | None = "own_turn_start" if seat == active else "opponent_turn_start"
        else:
            cause = "own_turn_end" if seat == active else None
        if cause is None:
            continue
        faces, has_spring = acting(rules.cards, cause), cause == "own_turn_start"
        has_unprinted_spring = has_spring and may_have_unprinted_keyword(rules, t, SPRING)
        characters = R.characters(rules, t) if faces or has_unprinted_spring else ()
        for character in (
            characters
            if has_unprinted_spring
            else [character for character in characters if pieces[character].face in faces]
        ):
            if pieces[character].owner != seat:
                continue
            lines = lines_by_face[pieces[character].face].get(cause)
            if lines:
                _queue_unsealed(rules, t, lines, character)
            if has_spring and has_keyword(rules, t, ModifierCache(rules, t), character, SPRING):
                _push(t, AutomaticAbility(_SPRING, ()), character, seat, SPRING, "")
        for worn in R.worn(t, seat):
            _queue_lines(t, lines_by_face[pieces[worn].face].get(cause, ()), worn)
        field = R.live_field(t, seat) if t.effects else None
        if field is not None:
            _queue_lines(t, FIELD_AUTOMATIC_ABILITIES[rules.cards][field.face].get(cause, ()), field.source.card)


def queue_damaged(rules: Rules, t: LiveTable, character: CardId) -> None:
    lines = _caused(rules, t, character, "self_damaged")
    if lines:
        _queue_unsealed(rules, t, lines, character)


@implements(C.WAS_ATTACKED)
def queue_attacked(rules: Rules, t: LiveTable, character: CardId) -> None:
    """Queue the effects of a blocker's equipment, which follow the battle."""
    worn = R.equipment(t, character)
    lines = () if worn is None else _caused(rules, t, worn, "wearer_attacked")
    if worn is not None and lines:
        note(t, C.WAS_ATTACKED, character)
        _queue_lines(t, lines, worn)


def _caused(rules: Rules, t: Table, source: CardId, cause: T.Cause) -> tuple[AutomaticAbility, ...]:
    return AUTOMATIC_ABILITIES[rules.cards][t.pieces[source].face].get(cause, ())


def _queue_unsealed(rules: Rules, t: LiveTable, lines: tuple[AutomaticAbility, ...], character: CardId) -> None:
    if rules.seal_scope == "all" and is_sealed(rules, t, character):
        note(t, C.SEALED, character)
        return
    _queue_lines(t, lines, character)


def _queue_lines(t: LiveTable, lines: tuple[AutomaticAbility, ...], source: CardId) -> None:
    for line in lines:
        piece = t.pieces[source]
        _push(t, line, source, piece.owner, line.said.name or "", piece.face or "")


_SPRING: Final = T.Automatic(name=SPRING, cause="own_turn_start", do=(T.GainLife(n=SPRING_LIFE),))


def _push(t: LiveTable, line: AutomaticAbility, source: CardId, by: Seat, name: str, face: str) -> None:
    todo = (Todo((*line.path, 0), by),) if line.path else ()
    push(
        t, C.AUTOMATIC_EFFECTS, "waiting", "automatic", by, objs=(obj(t, source),), words=(name, line.said.cause),
        face=face, todo=todo,
    )  # fmt: skip
