"""What every action keeps: what it takes, and what it leads to."""

from collections.abc import Mapping
from typing import Final

from domain.games.grimoire.actions import Cast, Play
from domain.games.grimoire.cards import card
from domain.games.grimoire.invariants.tables import COLOURS
from domain.games.grimoire.reading import character, chroma, has, spells
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import EXTENDED, MANA, PLAYED
from domain.law.invariants import Deed
from domain.law.slots import verb
from domain.table import facts as F
from domain.table.table import CHANCE, Obj

STONE: Final = "S34"
SILENCER: Final = "S36"
FACTS_MOST: Final = 1_000
"""The largest action of a match leads to fewer."""


def price(rules: Rules, deed: Deed, face: str) -> int:
    """What a cast takes, recomputed: a stone makes the spells of one's own character's user cheaper."""
    t = deed.before
    words, mine = card(rules.cards, face), character(t, deed.actor)
    stones = 0
    for spell in spells(t):
        piece = t.pieces[spell]
        silent = any(e.face == SILENCER and Obj(spell, piece.thing) in e.on for e in t.effects if e.kind == "buff")
        stones += piece.face == STONE and piece.controller == deed.actor and not silent
    same_user = mine is not None and words.user == card(rules.cards, t.pieces[mine].face).user
    return max(0, words.cost - (stones if same_user else 0))


def only_the_turn_player_casts(rules: Rules, deed: Deed[Cast]) -> bool:
    """But for cards that say so."""
    keywords = card(rules.cards, deed.before.pieces[deed.action.card].face).keywords
    return deed.actor == deed.before.clock.active or "quick_cast" in keywords


def who_casts_can_pay(rules: Rules, deed: Deed[Cast]) -> bool:
    """Chroma suffices in every colour, mana for the cost; or neither exceeds it, where the text is taken literally."""
    face = deed.before.pieces[deed.action.card].face or ""
    wanted: Mapping[str, int] = {str(colour): degree for colour, degree in card(rules.cards, face).chroma.items()}
    held = {colour: chroma(deed.before, deed.actor, colour) for colour in COLOURS}
    due, mana = price(rules, deed, face), has(deed.before, deed.actor, MANA)
    if rules.cast_inequality == "sufficient":
        return mana >= due and all(held[colour] >= degree for colour, degree in wanted.items())
    return mana <= due and all(held[colour] <= wanted.get(colour, 0) for colour in COLOURS)


def a_cast_takes_its_cost(rules: Rules, deed: Deed[Cast]) -> bool:
    """Exactly, from mana, before the spell enters."""
    face = deed.before.pieces[deed.action.card].face or ""
    mana = before = has(deed.before, deed.actor, MANA)
    for _, fact in deed.told:
        if isinstance(fact, F.Marked) and (fact.on, fact.name) == (deed.actor, MANA):
            mana = fact.to
        if isinstance(fact, F.Moved) and deed.action.card in fact.cards:
            break
    return mana == max(0, before - price(rules, deed, face))


def casting_leaves_chroma_alone(rules: Rules, deed: Deed[Cast]) -> bool:
    """So does whatever a cast leads to."""
    return not any(isinstance(fact, F.Marked) and fact.name.startswith("chroma.") for _, fact in deed.told)


def a_play_uses_an_extended_spell(rules: Rules, deed: Deed[Play]) -> bool:
    """It waits afterwards, unless what the play triggered took it away."""
    was, now = deed.before.pieces[deed.action.spell], deed.after.pieces[deed.action.spell]
    ended = deed.after.result is not None
    return was.stance == EXTENDED and (now.stance == PLAYED or now.thing != was.thing or ended)


def chance_decides_two_things(rules: Rules, deed: Deed) -> bool:
    """The order of a grimoire and who begins: nothing else is drawn, and by nobody else."""
    by_chance = deed.actor == CHANCE
    drawn = any(isinstance(fact, (F.Arranged, F.Rolled)) for _, fact in deed.told)
    named = verb(deed.action) in ("shuffle_grimoire", "random_first_player")
    return drawn == named == by_chance


def an_action_leads_to_few_facts(rules: Rules, deed: Deed) -> bool:
    """Checks end, far from every bound."""
    return len(deed.told) < FACTS_MOST
