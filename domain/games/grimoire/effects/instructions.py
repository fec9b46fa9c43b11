"""Instructions that emit facts without asking a question. The parts that cannot be done are left out."""

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


def _damage(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Damage) -> None:
    n = number(rules, t, effect, words.n)
    hit = [card for card in cards_meant(rules, t, effect, words.to) if R.in_play(t, card)]
    hurt(t, dict.fromkeys(hit, n), C.ABILITY_DAMAGE)


def _heal(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Heal) -> None:
    for card in R.by_turn(t, tuple(card for card in cards_meant(rules, t, effect, words.of) if R.in_play(t, card))):
        damage = R.damage(t, card)
        remaining = 0 if words.n is None else max(0, damage - number(rules, t, effect, words.n))
        if remaining < damage:
            t.tell(C.DAMAGE_GOES_AWAY, F.Marked((card,), S.DAMAGE, remaining))


@carries(C.BROKEN_JUNKED)
def _break(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Break) -> None:
    now = standing(rules, t)
    hit = cards_meant(rules, t, effect, words.what)
    broken = tuple(card for card in hit if R.on_field(t, card) and not forbidden(rules, t, now, "be_broken", card))
    depart(rules, t, broken, S.JUNKYARD, C.BROKEN, broken=True)
    characters = [card for card in hit if R.is_character(t, card) and not forbidden(rules, t, now, "be_beaten", card)]
    beat(rules, t, dict.fromkeys((t.pieces[card].owner for card in characters), C.BEAT))


@carries(C.JUNK_NO_BREAK)
def _junk(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Junk) -> None:
    cards = cards_meant(rules, t, effect, words.what)
    note_unbroken(rules, t, cards)
    depart(rules, t, cards, S.JUNKYARD, C.JUNKED)


def _spend(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Spend) -> None:
    able = [
        card
        for card in cards_meant(rules, t, effect, words.what)
        if R.in_play(t, card) and t.pieces[card].stance == S.EXTENDED
    ]
    if able:
        t.tell(C.STATUS_CHANGE, F.Stanced(tuple(able), S.SPENDED))


def _extend(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Extend) -> None:
    able = extendable(rules, t, cards_meant(rules, t, effect, words.what))
    if able:
        t.tell(C.STATUS_CHANGE, F.Stanced(able, S.EXTENDED))


@carries(C.IMPOSSIBLE_IGNORED)
def extendable(rules: Rules, t: Table, cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """Return the objects that are spended and not forbidden to extend."""
    spended = [card for card in cards if R.in_play(t, card) and t.pieces[card].stance == S.SPENDED]
    if not spended:
        return ()
    now = standing(rules, t)
    return tuple([card for card in spended if not forbidden(rules, t, now, "extend", card)])


@carries(C.CHARACTER_STAYS)
def _move(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Move) -> None:
    where = 0 if words.to == "grimoire" and words.at == "top" else -1
    cards = cards_meant(rules, t, effect, words.what)
    lying = [card for card in cards if not R.on_field(t, card)]
    depart(rules, t, cards, words.to, C.ZONE_OF_CONTROLLER, where=where)
    for card in lying:
        place = t.pieces[card].place
        seat = whose(place)
        if seat is None or zone(place) == words.to or R.is_character(t, card):
            continue
        to = t.pieces[card].owner if rules.zone_destination == "owner" else seat
        if words.to == S.HAND:
            to_hand(rules, t, to, (card,), C.EFFECTS_ONE_BY_ONE)
        else:
            relocate(rules, t, (card,), at(to, words.to), C.EFFECTS_ONE_BY_ONE, where)


def _void(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Void) -> None:
    banish(rules, t, effect, cards_meant(rules, t, effect, words.what), words.until)


def _draw(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Draw) -> None:
    for seat in players(rules, t, effect, words.who, part):
        moves.draw(rules, t, seat, words.n, C.DRAW_SEVERAL if words.n > 1 else C.DRAW)


@carries(C.CHARACTER_STAYS)
def _trance(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Trance) -> None:
    for card in cards_meant(rules, t, effect, words.what):
        if R.on_field(t, card):
            trance_spell(rules, t, effect.by, card)
        elif not R.is_character(t, card):
            trance_card(rules, t, effect.by, card)
        else:
            note(t, C.CHARACTER_STAYS, card)


def _gain(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.GainRes | T.LoseRes) -> None:
    resource: str = words.res
    if resource == "chroma":
        colour = R.colour_of(effect)
        if not colour:
            return
        resource = f"chroma.{colour}"
    n = words.n if isinstance(words, T.GainRes) else -words.n
    for seat in players(rules, t, effect, words.who, part):
        moves.gain(t, seat, resource, n, C.RESOURCES_BOUNDED)


@carries(C.SOURCE_GONE_NO_START)
def _begins_too_late(t: Live, effect: Frame, until: str) -> bool:
    """True if a buff would last only while its source is in play and the source has already left."""
    late = until == "while_source" and not is_same_in_play(t, R.source_of(effect))
    if late:
        note(t, C.SOURCE_GONE_NO_START, FrameRef(effect.id), R.source_of(effect))
    return late


def _buff(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Buff) -> None:
    on = tuple(card for card in cards_meant(rules, t, effect, words.what) if R.in_play(t, card))
    if not on or _begins_too_late(t, effect, words.until):
        return
    numbers = tuple(
        number(rules, t, effect, mod.n) if isinstance(mod, T.Plus) else mod.n if isinstance(mod, T.PowerIs) else 0
        for mod in words.mods
    )
    timed_effects.begin(t, C.BUFF, effect, "buff", on, words.until, t.minted, numbers=numbers)


def _control(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Control) -> None:
    on = tuple(card for card in cards_meant(rules, t, effect, words.what) if R.on_field(t, card))
    if not on or _begins_too_late(t, effect, words.until):
        return
    timed_effects.begin(t, C.NEWEST_CONTROL, effect, "control", on, words.until, t.minted, seats=(effect.by,))
    settle_control(rules, t, on)


def _unplay(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Unplay) -> None:
    for card in cards_meant(rules, t, effect, words.what):
        if R.is_played(t, card):
            unplay(t, card, C.LEFT_STACK, S.SPENDED)


def _reveal(rules: Rules, t: Live, effect: Frame, part: Seat, words: T.Reveal) -> None:
    cards = cards_meant(rules, t, effect, words.what)
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
