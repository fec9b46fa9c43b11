"""Instructions that emit facts without asking a question. Parts that cannot be carried out are ignored."""

from collections.abc import Callable
from typing import Any, Final

from domain.games.grimoire import clauses as C, schema as S, table_queries as R, text as T
from domain.games.grimoire.effects import moves
from domain.games.grimoire.effects.conditions import cards_meant, number, players
from domain.games.grimoire.effects.leaving import banish, depart, note_unbroken, settle_control, unplay
from domain.games.grimoire.effects.losing import beat
from domain.games.grimoire.effects.moves import hurt, relocate, to_hand
from domain.games.grimoire.effects.trancing import trance_card, trance_spell
from domain.games.grimoire.permission import forbidden
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.values import is_same_in_play, standing
from domain.law.clause import FrameRef, carries
from domain.law.live import Live
from domain.law.noting import note
from domain.parts import timed_effects
from domain.parts.places import at
from domain.table import facts as F
from domain.table.table import EVERYONE, CardId, Frame, Seat, Table, whose, zone


def _damage(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Damage) -> None:
    n = number(rules, t, effect, instruction.n)
    damaged = [card for card in cards_meant(rules, t, effect, instruction.to) if R.in_play(t, card)]
    hurt(t, dict.fromkeys(damaged, n), C.ABILITY_DAMAGE)


def _heal(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Heal) -> None:
    for card in R.by_turn(
        t, tuple(card for card in cards_meant(rules, t, effect, instruction.of) if R.in_play(t, card))
    ):
        damage = R.damage(t, card)
        remaining = 0 if instruction.n is None else max(0, damage - number(rules, t, effect, instruction.n))
        if remaining < damage:
            t.tell(C.DAMAGE_GOES_AWAY, F.Marked((card,), S.DAMAGE, remaining))


@carries(C.BROKEN_JUNKED)
def _break(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Break) -> None:
    effects = standing(rules, t)
    cards = cards_meant(rules, t, effect, instruction.what)
    broken = tuple(
        card for card in cards if R.on_field(t, card) and not forbidden(rules, t, effects, "be_broken", card)
    )
    depart(rules, t, broken, S.JUNKYARD, C.BROKEN, broken=True)
    characters = [
        card for card in cards if R.is_character(t, card) and not forbidden(rules, t, effects, "be_beaten", card)
    ]
    beat(rules, t, dict.fromkeys((t.pieces[card].owner for card in characters), C.BEAT))


@carries(C.JUNK_NO_BREAK)
def _junk(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Junk) -> None:
    cards = cards_meant(rules, t, effect, instruction.what)
    note_unbroken(rules, t, cards)
    depart(rules, t, cards, S.JUNKYARD, C.JUNKED)


def _spend(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Spend) -> None:
    extended = [
        card
        for card in cards_meant(rules, t, effect, instruction.what)
        if R.in_play(t, card) and t.pieces[card].stance == S.EXTENDED
    ]
    if extended:
        t.tell(C.STATUS_CHANGE, F.Stanced(tuple(extended), S.SPENDED))


def _extend(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Extend) -> None:
    cards = extendable(rules, t, cards_meant(rules, t, effect, instruction.what))
    if cards:
        t.tell(C.STATUS_CHANGE, F.Stanced(cards, S.EXTENDED))


@carries(C.IMPOSSIBLE_IGNORED)
def extendable(rules: Rules, t: Table, cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """Return the objects that are spended and not forbidden to extend."""
    spended = [card for card in cards if R.in_play(t, card) and t.pieces[card].stance == S.SPENDED]
    if not spended:
        return ()
    effects = standing(rules, t)
    return tuple([card for card in spended if not forbidden(rules, t, effects, "extend", card)])


@carries(C.CHARACTER_STAYS)
def _move(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Move) -> None:
    where = 0 if instruction.to == "grimoire" and instruction.at == "top" else -1
    cards = cards_meant(rules, t, effect, instruction.what)
    off_field = [card for card in cards if not R.on_field(t, card)]
    depart(rules, t, cards, instruction.to, C.ZONE_OF_CONTROLLER, where=where)
    for card in off_field:
        place = t.pieces[card].place
        seat = whose(place)
        if seat is None or zone(place) == instruction.to or R.is_character(t, card):
            continue
        to = t.pieces[card].owner if rules.zone_destination == "owner" else seat
        if instruction.to == S.HAND:
            to_hand(rules, t, to, (card,), C.EFFECTS_ONE_BY_ONE)
        else:
            relocate(rules, t, (card,), at(to, instruction.to), C.EFFECTS_ONE_BY_ONE, where)


def _void(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Void) -> None:
    banish(rules, t, effect, cards_meant(rules, t, effect, instruction.what), instruction.until)


def _draw(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Draw) -> None:
    for seat in players(rules, t, effect, instruction.who, each_player):
        moves.draw(rules, t, seat, instruction.n, C.DRAW_SEVERAL if instruction.n > 1 else C.DRAW)


@carries(C.CHARACTER_STAYS)
def _trance(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Trance) -> None:
    for card in cards_meant(rules, t, effect, instruction.what):
        if R.on_field(t, card):
            trance_spell(rules, t, effect.by, card)
        elif not R.is_character(t, card):
            trance_card(rules, t, effect.by, card)
        else:
            note(t, C.CHARACTER_STAYS, card)


def _gain(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.GainRes | T.LoseRes) -> None:
    resource: str = instruction.res
    if resource == "chroma":
        colour = R.colour_of(effect)
        if not colour:
            return
        resource = f"chroma.{colour}"
    n = instruction.n if isinstance(instruction, T.GainRes) else -instruction.n
    for seat in players(rules, t, effect, instruction.who, each_player):
        moves.gain(t, seat, resource, n, C.RESOURCES_BOUNDED)


@carries(C.SOURCE_GONE_NO_START)
def _begins_too_late(t: Live, effect: Frame, until: str) -> bool:
    """True if an effect would last while its source is in play, but the source has already left."""
    is_late = until == "while_source" and not is_same_in_play(t, R.source_of(effect))
    if is_late:
        note(t, C.SOURCE_GONE_NO_START, FrameRef(effect.id), R.source_of(effect))
    return is_late


def _buff(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Buff) -> None:
    on = tuple(card for card in cards_meant(rules, t, effect, instruction.what) if R.in_play(t, card))
    if not on or _begins_too_late(t, effect, instruction.until):
        return
    numbers = tuple(
        number(rules, t, effect, mod.n) if isinstance(mod, T.Plus) else mod.n if isinstance(mod, T.PowerIs) else 0
        for mod in instruction.mods
    )
    timed_effects.begin(t, C.BUFF, effect, "buff", on, instruction.until, t.minted, numbers=numbers)


def _control(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Control) -> None:
    on = tuple(card for card in cards_meant(rules, t, effect, instruction.what) if R.on_field(t, card))
    if not on or _begins_too_late(t, effect, instruction.until):
        return
    timed_effects.begin(t, C.NEWEST_CONTROL, effect, "control", on, instruction.until, t.minted, seats=(effect.by,))
    settle_control(rules, t, on)


def _unplay(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Unplay) -> None:
    for card in cards_meant(rules, t, effect, instruction.what):
        if R.is_played(t, card):
            unplay(t, card, C.LEFT_STACK, S.SPENDED)


def _reveal(rules: Rules, t: Live, effect: Frame, each_player: Seat, instruction: T.Reveal) -> None:
    cards = cards_meant(rules, t, effect, instruction.what)
    if cards:
        t.tell(C.REVEALED, F.Shown(cards, (EVERYONE,)))


PERFORM: Final[dict[type, Callable[[Rules, Live, Frame, Seat, Any], None]]] = {
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
