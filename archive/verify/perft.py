"""Count the sequences of actions from a position to a depth (perft), a number that changes if legality does.

Every expansion of an offer to an awaited seat counts if it passes the checks. Chance takes no depth. Up to OUTCOMES_MAX
of its outcomes are all followed; of more, only the first.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from domain.law.clause import Refusal
from domain.law.driver import accepts, decide
from domain.law.entries import fold_entries
from domain.law.law import Law
from domain.law.offers import RandomBelow
from domain.law.slots import Action, verb
from domain.table.table import CHANCE, Seat, Table
from recorder.simulate import simulate

DEPTH_MAX = 8
SEQUENCES_MAX = 2_000_000
EXPANDED_MAX = 200_000
OUTCOMES_MAX = 6
"""Largest number of outcomes of chance that are all followed."""
CHANCE_MAX = 100
"""Limit of chance's consecutive answers."""


class TooMany(ValueError):
    """The count exceeds SEQUENCES_MAX, or the expansions of an offer exceed EXPANDED_MAX."""


Naming = Callable[[Table, Seat, Action], str]
"""Function that returns the name under which a first action is counted."""


def by_verb(table: Table, actor: Seat, action: Action) -> str:
    return verb(action)


class _SequenceCounter:
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
    """Return the number of sequences of `depth` actions; raises TooMany. Shorter sequences that end the match, and
    those with an excluded verb, are not counted."""
    counter = _SequenceCounter(law, without)
    return sum(counter.count(start, depth) for start in settled_tables(law, table))


def count_by_action(
    law: Law, table: Table, depth: int, without: Collection[str] = (), name: Naming = by_verb
) -> dict[str, int]:
    """Return the counts by the name of the first action. Raises TooMany."""
    counter = _SequenceCounter(law, without)
    counts: Counter[str] = Counter()
    for start in settled_tables(law, table):
        for actor, action in counter.moves(start):
            tables = [start] if depth == 1 else counter.after(start, actor, action)
            counts[name(start, actor, action)] += sum(counter.count(after, depth - 1) for after in tables)
    return dict(sorted(counts.items()))


def moves_of(law: Law, table: Table) -> Iterator[tuple[Seat, Action]]:
    """Yield the legal actions of awaited seats, each once. Raises TooMany."""
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
    """Yield the tables after chance has answered; all of them if they are few."""
    tables = [table]
    for _ in range(CHANCE_MAX):
        if not any(CHANCE in law.game.awaited(before) for before in tables):
            break
        tables = [after for before in tables for after in _follow_chance(law, before)]
    yield from tables


def _follow_chance(law: Law, table: Table) -> Iterator[Table]:
    if CHANCE not in law.game.awaited(table):
        yield table
        return
    outcomes = list(_enumerate_chance(law, table))
    for action in outcomes if len(outcomes) <= OUTCOMES_MAX else outcomes[:1]:
        outcome = decide(law, table, CHANCE, action)
        if isinstance(outcome, Refusal):
            raise AssertionError(f"chance's own {verb(action)} is refused by {outcome.clause}")
        yield outcome.table


def _enumerate_chance(law: Law, table: Table) -> Iterator[Action]:
    """Yield distinct outcomes of chance, stopping when they are not few."""
    known: set[Action] = set()
    script: list[int] = []
    while len(known) <= OUTCOMES_MAX:
        sizes: list[int] = []
        action = law.chance(table, _draw_from_script(script, sizes))
        if action is not None and action not in known:
            known.add(action)
            yield action
        script = [*script, *[0] * (len(sizes) - len(script))][: len(sizes)]
        while script and script[-1] + 1 >= sizes[len(script) - 1]:
            script.pop()
        if not script:
            return
        script[-1] += 1


def _draw_from_script(script: list[int], sizes: list[int]) -> RandomBelow:
    def below(n: int) -> int:
        place = len(sizes)
        sizes.append(n)
        return script[place] if place < len(script) else 0

    return below


def opening_table(law: Law) -> Table:
    """Return the table of a new match, always the same."""
    return fold_entries(simulate(law, 1, 1, closing=False))
