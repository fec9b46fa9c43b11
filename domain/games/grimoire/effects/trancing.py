"""Trance: a card goes to a bookmark, and its player gains mana, capacity and chroma."""

from domain.games.grimoire import clauses as C
from domain.games.grimoire.effects.leaving import depart
from domain.games.grimoire.effects.moves import gain, relocate
from domain.games.grimoire.effects.triggers import those_that_may_trigger, triggers
from domain.games.grimoire.permission import number_for
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import BOOKMARK, CAPACITY, MANA
from domain.games.grimoire.table_queries import bookmark, controller, printed
from domain.games.grimoire.values import standing
from domain.law.clause import Count, carries
from domain.law.live import Live
from domain.law.noting import note
from domain.parts.asking import next_frame
from domain.parts.places import at, obj
from domain.table.table import CardId, Seat


@carries(C.BOOKMARK_GROWS)
def trance_card(rules: Rules, t: Live, seat: Seat, card: CardId) -> None:
    """Trance a card off the field into a bookmark: the player's, or by `zone_destination` the owner's."""
    colours = printed(rules, t, card).colours
    to = t.pieces[card].owner if rules.zone_destination == "owner" else seat
    relocate(rules, t, (card,), at(to, BOOKMARK), C.TRANCE)
    if rules.bookmark_over(len(bookmark(t, to))):
        note(t, C.BOOKMARK_GROWS, to)
    _gain_resources(rules, t, seat, card, colours)


def trance_spell(rules: Rules, t: Live, seat: Seat, card: CardId) -> None:
    """Trance a spell on the field. `seat` gains from it, and the spell goes to a bookmark like any departing spell."""
    colours = printed(rules, t, card).colours
    depart(rules, t, (card,), BOOKMARK, C.TRANCE_OBJECT)
    _gain_resources(rules, t, seat, card, colours)


@carries(C.TRANCE_TWO_COLOURS, C.TRANCE_FIVE_COLOURS, C.TRANCE_COLOURLESS)
def _gain_resources(rules: Rules, t: Live, seat: Seat, card: CardId, colours: tuple[str, ...]) -> None:
    effects = standing(rules, t)
    if len(colours) <= number_for(rules, effects, seat, "trance_mana_max_colours"):
        gain(t, seat, MANA, rules.trance_mana_gain, C.TRANCE)
    else:
        note(t, C.TRANCE_TWO_COLOURS, card, Count(len(colours)))
    if len(colours) <= number_for(rules, effects, seat, "trance_capacity_max_colours"):
        gain(t, seat, CAPACITY, rules.trance_capacity_gain, C.TRANCE)
    else:
        note(t, C.TRANCE_FIVE_COLOURS, card, Count(len(colours)))
    if not colours:
        note(t, C.TRANCE_COLOURLESS, card)
    for colour in colours:
        gain(t, seat, f"chroma.{colour}", rules.trance_chroma_gain, C.TRANCE)
    group = next_frame(t)
    for source in those_that_may_trigger(rules, t, "trance"):
        if controller(t, source) == seat:
            triggers(rules, t, "trance", source, group, that=obj(t, card))
