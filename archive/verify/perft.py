"""How many sequences of actions there are from a position, to a depth: a number that changes whenever legality does.

Every expansion of what is offered to whoever is awaited counts, if it passes the checks. Chance takes no depth: where
it has few outcomes all of them are gone through, else the first one stands for all.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from domain.law.clause import Refusal
from domain.law.driver import accepts, decide
from domain.law.entries import fold_entries
from domain.law.law import Law
from domain.law.offers import Below
from domain.law.slots import Action, verb
from domain.table.table import CHANCE, Seat, Table
from recorder.simulate import simulate

DEPTH_MAX = 8
SEQUENCES_MAX = 2_000_000
"""Bound on the sequences counted."""
EXPANDED_MAX = 200_000
"""Bound on the expansions of one template."""
OUTCOMES_MAX = 6
"""Up to so many outcomes of chance are all gone through."""
CHANCE_MAX = 100
"""Bound on the outcomes of chance between two actions."""


class TooMany(ValueError):
    """More sequences than SEQUENCES_MAX, or an offer that stands for more than EXPANDED_MAX."""


Naming = Callable[[Table, Seat, Action], str]
"""Under which name a first action is counted."""


def by_verb(table: Table, actor: Seat, action: Action) -> str:
    """All actions of a verb together."""
    return verb(action)


class _Counting:
    """A count under way, of sequences in which no action has one of the verbs left out."""

    def __init__(self, law: Law, without: Collection[str]) -> None:
        self.law, self.without, self.left = law, without, SEQUENCES_MAX

    def count(self, table: Table, depth: int) -> int:
        if depth == 0:
            return self.spend(1)
        moves = list(self.moves(table))
        if depth == 1:
            return self.spend(len(moves))
        return sum(self.count(after, depth - 1) for move in moves for after in self.after(table, *move))

    def moves(self, table: Table) -> Iterator[tuple[Seat, Action]]:
        yield from (move for move in moves_of(self.law, table) if verb(move[1]) not in self.without)

    def spend(self, number: int) -> int:
        self.left -= number
        if self.left < 0:
            raise TooMany
        return number

    def after(self, table: Table, actor: Seat, action: Action) -> Iterator[Table]:
        outcome = decide(self.law, table, actor, action)
        if isinstance(outcome, Refusal):
            raise AssertionError(f"{actor} {verb(action)} passes the checks and is refused by {outcome.clause}")
        yield from settled_tables(self.law, outcome.table)


def perft(law: Law, table: Table, depth: int, without: Collection[str] = ()) -> int:
    """The number of sequences of so many actions from here; shorter ones that end the match are not counted, nor those
    in which an action has a verb that is left out. Raises TooMany.
    """
    counting = _Counting(law, without)
    return sum(counting.count(start, depth) for start in settled_tables(law, table))


def count_by_action(
    law: Law, table: Table, depth: int, without: Collection[str] = (), name: Naming = by_verb
) -> dict[str, int]:
    """The same number, by the name of the first action. Raises TooMany."""
    counting = _Counting(law, without)
    counts: Counter[str] = Counter()
    for start in settled_tables(law, table):
        for actor, action in counting.moves(start):
            behind = [start] if depth == 1 else counting.after(start, actor, action)
            counts[name(start, actor, action)] += sum(counting.count(after, depth - 1) for after in behind)
    return dict(sorted(counts.items()))


def moves_of(law: Law, table: Table) -> Iterator[tuple[Seat, Action]]:
    """Everything that whoever is awaited may do, each action once. Raises TooMany."""
    for seat in law.game.awaited(table):
        if seat not in table.seats:
            continue
        known: set[Action] = set()
        for template in law.offers(table, seat):
            for number, action in enumerate(template.expansions()):
                if number >= EXPANDED_MAX:
                    raise TooMany
                if action not in known and accepts(law, table, seat, action):
                    known.add(action)
                    yield seat, action


def settled_tables(law: Law, table: Table) -> Iterator[Table]:
    """The tables on which somebody is to act once chance has answered; all of them if they are few."""
    tables = [table]
    for _ in range(CHANCE_MAX):
        if not any(CHANCE in law.game.awaited(before) for before in tables):
            break
        tables = [after for before in tables for after in _outcomes(law, before)]
    yield from tables


def _outcomes(law: Law, table: Table) -> Iterator[Table]:
    if CHANCE not in law.game.awaited(table):
        yield table
        return
    drawn = list(_enumerate_chance(law, table))
    for action in drawn if len(drawn) <= OUTCOMES_MAX else drawn[:1]:
        outcome = decide(law, table, CHANCE, action)
        if isinstance(outcome, Refusal):
            raise AssertionError(f"chance's own {verb(action)} is refused by {outcome.clause}")
        yield outcome.table


def _enumerate_chance(law: Law, table: Table) -> Iterator[Action]:
    """The outcomes of chance, each once; no more than it takes to see that they are not few."""
    known: set[Action] = set()
    script: list[int] = []
    while len(known) <= OUTCOMES_MAX:
        sizes: list[int] = []
        action = law.chance(table, _scripted(script, sizes))
        if action is not None and action not in known:
            known.add(action)
            yield action
        script = [*script, *[0] * (len(sizes) - len(script))][: len(sizes)]
        while script and script[-1] + 1 >= sizes[len(script) - 1]:
            script.pop()
        if not script:
            return
        script[-1] += 1


def _scripted(script: list[int], sizes: list[int]) -> Below:
    def below(n: int) -> int:
        place = len(sizes)
        sizes.append(n)
        return script[place] if place < len(script) else 0

    return below


def opening_table(law: Law) -> Table:
    """The table of a match that has just been opened, always the same."""
    return fold_entries(simulate(law, 1, 1, closing=False))
