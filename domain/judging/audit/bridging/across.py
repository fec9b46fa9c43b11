"""Whether so many actions of the law lead across a gap, and which."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from domain.judging.audit.bridging.searching import TABLES_MAX, Ground, Path, Reached, Search, Why
from domain.judging.audit.bridging.wanted import Wanted, start_of
from domain.judging.audit.comparing import compared, hands
from domain.law.clause import BY_HAND, Telling, Told
from domain.table import facts as F
from domain.table.evolve import evolve
from domain.table.table import CHANCE, Table, frame

BRIDGES_MAX: Final = 5
"""So many bridges are handed out."""


class Bridge(Struct, frozen=True):
    """Actions that lead across. `exact`: to nothing else than is told of the gap; else `more` is what they tell
    besides, as far as it still lies so in the end."""

    steps: Path
    exact: bool
    more: Told = ()

    @property
    def length(self) -> int:
        """How many actions of people it takes; chance answers by itself."""
        return sum(step.actor != CHANCE for step in self.steps)


class Bridged(Struct, frozen=True):
    """Allowed actions lead across: the shortest ways, those first that lead to nothing else.

    `count` are all of that length (`counted` at least so many). `only`: no other sequence of allowed actions leads to
    what is told, but for what leaves the table as it was, so this is what happened; else it is possible.
    """

    bridges: tuple[Bridge, ...]
    count: int
    counted: bool
    only: bool
    tables: int


class Unbridged(Struct, frozen=True):
    """No sequence of so many allowed actions leads to what is told of the gap; all were gone through, over so many
    tables. `never` are the facts that none of these tables shows, each by itself."""

    most: int
    tables: int
    never: Told = ()


class Unsearched(Struct, frozen=True):
    """Nothing is claimed: none was found, over so many tables, and there may be others."""

    tables: int
    why: Why


Bridging = Bridged | Unbridged | Unsearched


def bridge(
    ground: Ground, before: Table, told: Told, most: int, *, tables: int = TABLES_MAX, first: bool = False
) -> Bridging:
    """Look for at most `most` allowed actions (0: nobody knows how many) from a table to what is told behind it.

    What chance answers takes none of them. `tables` bounds the search; `first` says that it is enough to know whether
    there is any. The facts are physically possible, one after the other.
    """
    start = start_of(ground.physics, before, told)
    wanted = Wanted(ground.physics, start, told)
    search = Search(ground, wanted.alike, told, tables)
    there: list[tuple[int, Reached]] = []
    for length, layer in enumerate(search.layers(start)):
        there += [(length, reached) for reached in layer if wanted.reached(reached.table)]
        if (there and first) or length == most > 0:
            break
    if there:
        return _bridged(wanted, told, there, search, first)
    if search.left_out:
        return Unsearched(len(search.tables), search.left_out[0])
    if start.result != wanted.after.result:
        return Unsearched(len(search.tables), "judge")
    return Unbridged(most, len(search.tables), _never(wanted, told, search.tables))


def _bridged(wanted: Wanted, told: Told, there: list[tuple[int, Reached]], search: Search, first: bool) -> Bridged:
    exact = [(length, reached) for length, reached in there if wanted.equals(reached.table)]
    meant = exact or there
    shortest = [reached for length, reached in meant if length == meant[0][0]]
    paths = {key: (path, reached.table) for reached in shortest for key, path in reached.paths.items()}
    bridges = tuple(
        Bridge(path, bool(exact), () if exact else tuple(_besides(wanted, told, path, table)))
        for path, table in list(paths.values())[:BRIDGES_MAX]
    )
    every = {key for _, reached in there for key in reached.paths}
    counted = not any(reached.more for _, reached in there) and "tables" not in search.left_out and not first
    only = counted and len(every) == 1 and not search.left_out and not search.shorter
    return Bridged(bridges, len(paths), counted, only, len(search.tables))


def _besides(wanted: Wanted, told: Told, path: Path, table: Table) -> Iterator[Telling]:
    """What actions tell besides what is told of the gap, as far as it still lies so in the end."""
    said = {fact for _, fact in told}
    law = tuple(telling for step in path for telling in step.told)
    for telling in dict.fromkeys(compared(wanted.start, law)):
        fact = telling[1]
        if fact not in said and _holds(wanted, table, fact) and not _holds(wanted, wanted.after, fact):
            yield telling
    if hands(table.clock) != hands(wanted.after.clock):
        yield BY_HAND, F.Clocked(table.clock)


def _never(wanted: Wanted, told: Told, tables: list[Table]) -> Told:
    """The facts that lie so behind the gap, and on none of these tables."""
    return tuple(
        telling
        for telling in told
        if wanted.is_of_one(telling[1])
        and _holds(wanted, wanted.after, telling[1])
        and not any(_holds(wanted, table, telling[1]) for table in tables)
    )


def _holds(wanted: Wanted, table: Table, fact: F.AnyFact) -> bool:
    """Does it lie so on this table? What only happened and left nothing holds everywhere."""
    match fact:
        case F.Moved(cards, to):
            return all(card in table.pieces and table.pieces[card].place == to for card in cards)
        case F.Created(_, cards):
            return all(card in table.pieces for card in cards)
        case F.Removed(cards):
            return not any(card in table.pieces for card in cards)
        case F.Pushed(pushed):
            return frame(table, pushed.id) is not None
        case F.Began(began):
            return any(effect.id == began.id for effect in table.effects)
        case F.Learned() | F.Identified() | F.Rolled() | F.Shown(lasting=False):
            return True
        case F.Clocked(clock):
            return hands(table.clock) == hands(clock)
        case _:
            try:
                return wanted.alike.reads(evolve(table, fact)) == wanted.alike.reads(table)
            except LookupError:  # a card that is not there, or a place
                return False
