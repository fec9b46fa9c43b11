"""What a recorder may take instead of typing it: lines that are known to do now, and the verbs that begin others."""

from msgspec import Struct

from domain.judging.allowed import Doable
from domain.judging.trails import asked_table
from domain.table.table import Seat
from domain.words import Lang
from projections import phrases as P
from projections.verb_keys import verb_keys
from service import deciding
from service.house import House, Sight


class Offered(Struct, frozen=True):
    """What a seat may do by one verb: its key, its words, and lines that do it; there may be others."""

    seat: Seat
    words: str
    key: str
    lines: tuple[str, ...]
    begins: str
    """How its lines begin; empty where the only line there is does without more."""


class Offers(Struct, frozen=True):
    """What may be done now, and the first lines of it."""

    first: tuple[str, ...]
    verbs: tuple[Offered, ...]


def offers_of(house: House, sight: Sight, lang: Lang) -> Offers:
    """All that awaited seats may do, in words."""
    doables, keys = doables_of(house, sight), verb_keys(sight.match.game)
    return Offers(deciding.first_lines(doables), tuple(_offered(sight, doable, keys, lang) for doable in doables))


def doables_of(house: House, sight: Sight) -> tuple[Doable, ...]:
    """All that awaited seats may do as far as the viewer knows; verbs without lines need a card that only they see."""
    match = sight.match
    if match.closed:
        return ()
    known = list(house.doables(sight, sight.head, deciding.LINES))
    named = {(doable.actor, doable.verb) for doable in known}
    table = asked_table(match, sight.eyes, sight.head)
    for seat in table.seats:
        if seat in match.law.awaited(table) and any(actor == seat for actor, _ in named):
            for template in match.law.offers(table, seat):
                if (seat, template.verb) not in named:
                    named.add((seat, template.verb))
                    known.append(Doable(seat, template.verb, (), 1))
    return tuple(known)


def _offered(sight: Sight, doable: Doable, keys: dict[str, str], lang: Lang) -> Offered:
    words = P.word(sight.match.game, doable.verb, lang)
    begins = "" if _is_alone(doable) else f"{doable.actor}: {doable.verb} "
    return Offered(doable.actor, words, keys.get(doable.verb, ""), doable.actions, begins)


def _is_alone(doable: Doable) -> bool:
    return len(doable.actions) == 1 and not doable.more and doable.whole
