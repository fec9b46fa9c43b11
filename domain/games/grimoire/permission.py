"""What cards permit and what they forbid: a card's permission widens the rules, a card's prohibition beats both."""

from domain.games.grimoire.reading import kind, opposed
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import EXTENDED
from domain.games.grimoire.text import Can, Cannot, RuleIs
from domain.games.grimoire.values import NOTHING_STANDS, Lasting, Standing, has_keyword, works_on
from domain.law.clause import EffectRef, Subject
from domain.table.table import AnyTable, CardId, Seat


def bans(
    rules: Rules, t: AnyTable, now: Standing, verb: str, one: CardId, *, by: Seat | None = None, kind_of: str = ""
) -> tuple[Subject, ...]:
    """The cards and effects that forbid this to an object: `by` whom it would be done, `kind_of` what it would hit."""
    if now is NOTHING_STANDS:
        return ()
    thing = t.pieces[one].thing
    banning: list[Subject] = []
    for lasting in now.lasting:
        if works_on(rules, t, lasting, one) and any(
            _forbids(rules, mod, verb, t.pieces[one].controller, by, kind_of) for mod in lasting.ability.mods
        ):
            banning.append(lasting.source)
    for effect, buff in now.buffs:
        if any(meant.card == one and meant.thing == thing for meant in effect.on) and any(
            _forbids(rules, mod, verb, t.pieces[one].controller, by, kind_of) for mod in buff.mods
        ):
            banning.append(EffectRef(effect.id))
    return tuple(banning)


def _forbids(rules: Rules, mod: object, verb: str, whose: Seat, by: Seat | None, kind_of: str) -> bool:
    if not isinstance(mod, Cannot) or mod.verb != verb:
        return False
    if mod.kind is not None and mod.kind != kind_of:
        return False
    return mod.by == "any" or (by is not None and opposed(rules, whose, by))


def player_bans(rules: Rules, t: AnyTable, now: Standing, verb: str, seat: Seat) -> tuple[Subject, ...]:
    """The cards that forbid this to a player."""
    return tuple(
        lasting.source
        for lasting in now.lasting
        if _concerns(rules, lasting, seat)
        and any(isinstance(mod, Cannot) and mod.verb == verb for mod in lasting.ability.mods)
    )


def _concerns(rules: Rules, lasting: Lasting, seat: Seat) -> bool:
    match lasting.ability.on:
        case "you":
            return seat == lasting.by
        case "opponents":
            return opposed(rules, lasting.by, seat)
        case "all_players":
            return True
        case _:
            return False


def may_target(rules: Rules, t: AnyTable, now: Standing, spell: CardId, target: CardId) -> bool:
    """Does a card let this spell target that object, although the rules do not?"""
    if has_keyword(t, spell, "surprise") and kind(t, target) == "character" and stance_is(t, target, EXTENDED):
        return True
    words = (mod for lasting in now.lasting if works_on(rules, t, lasting, spell) for mod in lasting.ability.mods)
    thing = t.pieces[spell].thing
    gained = (
        mod
        for effect, buff in now.buffs
        if any(meant.card == spell and meant.thing == thing for meant in effect.on)
        for mod in buff.mods
    )
    allowing = (mod for mods in (words, gained) for mod in mods if isinstance(mod, Can))
    return any(mod.kind is None or mod.kind == kind(t, target) for mod in allowing)


def stance_is(t: AnyTable, one: CardId, wanted: int) -> bool:
    """Has it this status?"""
    return t.pieces[one].stance == wanted


def number_for(rules: Rules, now: Standing, seat: Seat, parameter: str) -> int:
    """A number of the rules as it is for this player: the newest card that changes it decides."""
    value: int = getattr(rules, parameter)
    for lasting in sorted(now.lasting, key=lambda one: one.since):
        if lasting.by == seat:
            for mod in lasting.ability.mods:
                if isinstance(mod, RuleIs) and mod.parameter == parameter:
                    value = mod.value
    return value
