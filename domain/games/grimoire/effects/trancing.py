"""Trance: a card goes to a bookmark, and its player gains mana, capacity and chroma."""

from domain.games.grimoire import clauses as C
from domain.games.grimoire.effects.leaving import leave_field
from domain.games.grimoire.effects.moves import change_resource, relocate
from domain.games.grimoire.effects.triggers import objects_that_may_trigger, trigger_abilities
from domain.games.grimoire.permission import rule_number
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import BOOKMARK, CAPACITY, MANA
from domain.games.grimoire.table_queries import bookmark, controller, printed
from domain.games.grimoire.values import effects_in_force
from domain.law.clause import Count, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import next_frame
from domain.parts.places import obj, place_in
from domain.table.table import CardId, Seat


@implements(C.BOOKMARK_GROWS)
def trance_card(rules: Rules, t: LiveTable, seat: Seat, card: CardId) -> None:
    """Trance a card off the field into a bookmark: the player's, or by `zone_destination` the owner's."""
    colours = printed(rules, t, card).colours
    to = t.pieces[card].owner if rules.zone_destination == "owner" else seat
    relocate(rules, t, (card,), place_in(to, BOOKMARK), C.TRANCE)
    if rules.bookmark_over(len(bookmark(t, to))):
        note(t, C.BOOKMARK_GROWS, to)
    _gain_resources(rules, t, seat, card, colours)


def trance_spell(rules: Rules, t: LiveTable, seat: Seat, card: CardId) -> None:
    """Trance a spell on the field. `seat` gains from it, and the spell goes to a bookmark like any departing spell."""
    colours = printed(rules, t, card).colours
    leave_field(rules, t, (card,), BOOKMARK, C.TRANCE_OBJECT)
    _gain_resources(rules, t, seat, card, colours)


@implements(C.TRANCE_TWO_COLOURS, C.TRANCE_FIVE_COLOURS, C.TRANCE_COLOURLESS)
def _gain_resources(rules: Rules, t: LiveTable, seat: Seat, card: CardId, colours: tuple[str, ...]) -> None:
    effects = effects_in_force(rules, t)
    if len(colours) <= rule_number(rules, effects, seat, "trance_mana_max_colours"):
        change_resource(t, seat, MANA, rules.trance_mana_gain, C.TRANCE)
    else:
        note(t, C.TRANCE_TWO_COLOURS, card, Count(len(colours)))
    if len(colours) <= rule_number(rules, effects, seat, "trance_capacity_max_colours"):
        change_resource(t, seat, CAPACITY, rules.trance_capacity_gain, C.TRANCE)
    else:
        note(t, C.TRANCE_FIVE_COLOURS, card, Count(len(colours)))
    if not colours:
        note(t, C.TRANCE_COLOURLESS, card)
    for colour in colours:
        change_resource(t, seat, f"chroma.{colour}", rules.trance_chroma_gain, C.TRANCE)
    group = next_frame(t)
    for source in objects_that_may_trigger(rules, t, "trance"):
        if controller(t, source) == seat:
            trigger_abilities(rules, t, "trance", source, group, that=obj(t, card))
