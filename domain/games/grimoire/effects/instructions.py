"""Instructions that emit facts without asking a question. Parts that cannot be carried out are ignored."""

from collections.abc import Callable
from typing import Any, Final

from domain.games.grimoire import clauses as C, schema as S, table_queries as R, text as T
from domain.games.grimoire.effects import moves
from domain.games.grimoire.effects.conditions import resolve_cards, resolve_number, resolve_players
from domain.games.grimoire.effects.leaving import banish, leave_field, note_unbroken, remove_from_stack, settle_control
from domain.games.grimoire.effects.losing import beat
from domain.games.grimoire.effects.moves import deal_damage, put_in_hand, relocate
from domain.games.grimoire.effects.trancing import trance_card, trance_spell
from domain.games.grimoire.permission import is_forbidden
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.values import effects_in_force, is_same_in_play
from domain.law.clause import FrameRef, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts import timed_effects
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.table import EVERYONE, CardId, Frame, Seat, Table, seat_of, zone


def _damage(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Damage) -> None:
    n = resolve_number(rules, t, effect, instruction.n)
    damaged = [card for card in resolve_cards(rules, t, effect, instruction.to) if R.in_play(t, card)]
    deal_damage(t, dict.fromkeys(damaged, n), C.ABILITY_DAMAGE)


def _heal(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Heal) -> None:
    for card in R.sort_by_turn(
        t, tuple(card for card in resolve_cards(rules, t, effect, instruction.of) if R.in_play(t, card))
    ):
        damage = R.damage(t, card)
        remaining = 0 if instruction.n is None else max(0, damage - resolve_number(rules, t, effect, instruction.n))
        if remaining < damage:
            t.emit(C.DAMAGE_GOES_AWAY, F.Marked((card,), S.DAMAGE, remaining))


@implements(C.BROKEN_JUNKED)
def _break(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Break) -> None:
    effects = effects_in_force(rules, t)
    cards = resolve_cards(rules, t, effect, instruction.what)
    broken = tuple(
        card for card in cards if R.on_field(t, card) and not is_forbidden(rules, t, effects, "be_broken", card)
    )
    leave_field(rules, t, broken, S.JUNKYARD, C.BROKEN, broken=True)
    characters = [
        card for card in cards if R.is_character(t, card) and not is_forbidden(rules, t, effects, "be_beaten", card)
    ]
    beat(rules, t, dict.fromkeys((t.pieces[card].owner for card in characters), C.BEAT))


@implements(C.JUNK_NO_BREAK)
def _junk(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Junk) -> None:
    cards = resolve_cards(rules, t, effect, instruction.what)
    note_unbroken(rules, t, cards)
    leave_field(rules, t, cards, S.JUNKYARD, C.JUNKED)


def _spend(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Spend) -> None:
    extended = [
        card
        for card in resolve_cards(rules, t, effect, instruction.what)
        if R.in_play(t, card) and t.pieces[card].stance == S.EXTENDED
    ]
    if extended:
        t.emit(C.STATUS_CHANGE, F.Stanced(tuple(extended), S.SPENDED))


def _extend(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Extend) -> None:
    cards = extendable(rules, t, resolve_cards(rules, t, effect, instruction.what))
    if cards:
        t.emit(C.STATUS_CHANGE, F.Stanced(cards, S.EXTENDED))


@implements(C.IMPOSSIBLE_IGNORED)
def extendable(rules: Rules, t: Table, cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """Return the objects that are spended and not forbidden to extend."""
    spended = [card for card in cards if R.in_play(t, card) and t.pieces[card].stance == S.SPENDED]
    if not spended:
        return ()
    effects = effects_in_force(rules, t)
    return tuple([card for card in spended if not is_forbidden(rules, t, effects, "extend", card)])


@implements(C.CHARACTER_STAYS)
def _move(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Move) -> None:
    where = 0 if instruction.to == "grimoire" and instruction.at == "top" else -1
    cards = resolve_cards(rules, t, effect, instruction.what)
    off_field = [card for card in cards if not R.on_field(t, card)]
    leave_field(rules, t, cards, instruction.to, C.ZONE_OF_CONTROLLER, where=where)
    for card in off_field:
        place = t.pieces[card].place
        seat = seat_of(place)
        if seat is None or zone(place) == instruction.to or R.is_character(t, card):
            continue
        to = t.pieces[card].owner if rules.zone_destination == "owner" else seat
        if instruction.to == S.HAND:
            put_in_hand(rules, t, to, (card,), C.EFFECTS_ONE_BY_ONE)
        else:
            relocate(rules, t, (card,), place_in(to, instruction.to), C.EFFECTS_ONE_BY_ONE, where)


def _void(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Void) -> None:
    banish(rules, t, effect, resolve_cards(rules, t, effect, instruction.what), instruction.until)


def _draw(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Draw) -> None:
    for seat in resolve_players(rules, t, effect, instruction.who, each_player):
        moves.draw(rules, t, seat, instruction.n, C.DRAW_SEVERAL if instruction.n > 1 else C.DRAW)


@implements(C.CHARACTER_STAYS)
def _trance(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Trance) -> None:
    for card in resolve_cards(rules, t, effect, instruction.what):
        if R.on_field(t, card):
            trance_spell(rules, t, effect.by, card)
        elif not R.is_character(t, card):
            trance_card(rules, t, effect.by, card)
        else:
            note(t, C.CHARACTER_STAYS, card)


def _gain(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.GainRes | T.LoseRes) -> None:
    resource: str = instruction.res
    if resource == "chroma":
        colour = R.colour_of(effect)
        if not colour:
            return
        resource = f"chroma.{colour}"
    n = instruction.n if isinstance(instruction, T.GainRes) else -instruction.n
    for seat in resolve_players(rules, t, effect, instruction.who, each_player):
        moves.change_resource(t, seat, resource, n, C.RESOURCES_BOUNDED)


@implements(C.SOURCE_GONE_NO_START)
def _begins_too_late(t: LiveTable, effect: Frame, until: str) -> bool:
    """True if an effect would last while its source is in play, but the source has already left."""
    is_late = until == "while_source" and not is_same_in_play(t, R.source_of(effect))
    if is_late:
        note(t, C.SOURCE_GONE_NO_START, FrameRef(effect.id), R.source_of(effect))
    return is_late


def _buff(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Buff) -> None:
    on = tuple(card for card in resolve_cards(rules, t, effect, instruction.what) if R.in_play(t, card))
    if not on or _begins_too_late(t, effect, instruction.until):
        return
    numbers = tuple(
        resolve_number(rules, t, effect, mod.n)
        if isinstance(mod, T.Plus)
        else mod.n
        if isinstance(mod, T.PowerIs)
        else 0
        for mod in instruction.mods
    )
    timed_effects.begin(t, C.BUFF, effect, "buff", on, instruction.until, t.minted, numbers=numbers)


def _control(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Control) -> None:
    on = tuple(card for card in resolve_cards(rules, t, effect, instruction.what) if R.on_field(t, card))
    if not on or _begins_too_late(t, effect, instruction.until):
        return
    timed_effects.begin(t, C.NEWEST_CONTROL, effect, "control", on, instruction.until, t.minted, seats=(effect.by,))
    settle_control(rules, t, on)


def _unplay(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Unplay) -> None:
    for card in resolve_cards(rules, t, effect, instruction.what):
        if R.is_played(t, card):
            remove_from_stack(t, card, C.LEFT_STACK, S.SPENDED)


def _reveal(rules: Rules, t: LiveTable, effect: Frame, each_player: Seat, instruction: T.Reveal) -> None:
    cards = resolve_cards(rules, t, effect, instruction.what)
    if cards:
        t.emit(C.REVEALED, F.Shown(cards, (EVERYONE,)))


PERFORM: Final[dict[type, Callable[[Rules, LiveTable, Frame, Seat, Any], None]]] = {
    T.Damage: _damage,
    T.Heal: _heal,
    T.Break: _break,
    T.Junk: _junk,
    T.Spend: _spend,
    T.Extend: _extend,
    T.Move: _move,
    T.Void: _void,
    T.Draw: _draw,
    T.Trance: _trance,
    T.GainRes: _gain,
    T.LoseRes: _gain,
    T.Buff: _buff,
    T.Control: _control,
    T.Unplay: _unplay,
    T.Reveal: _reveal,
}
"""Handlers by instruction. The interpreter handles those that contain programs or ask questions."""
