"""Gate for coverage: the rules cite each binding clause, and a test or case covers it.

A case must reach the clause, or an exception must excuse it. Each value of an option needs a case. `python -m
tools.gate` prints the table of each game.
"""

import sys
from collections.abc import Collection, Iterator

from domain.formats.casebook.load import Case
from domain.formats.casebook.run import rules_of
from domain.games import GAMES
from domain.law.game import Game
from domain.law.rulebook import value_text
from domain.law.rulesets import values
from tools.clause_coverage import table
from tools.evidence import evidence, measure_game_coverage


def find_untried_values(game: Game, cases: Collection[Case]) -> Iterator[str]:
    """Yield the option values that lack a case, and the case to add.

    Each value needs a case. Each value except the default needs one that begins where a case of the default begins.
    """
    played = [(case, values(rules_of(case, game))) for case in cases]
    add = f"add one to fixtures/{game.key}/cases"
    for option in (option for option in game.options if len(option.values) > 1):
        default, *others = option.values
        by_value: dict[str, list[Case]] = {}
        for case, given in played:
            by_value.setdefault(value_text(given[option.key]), []).append(case)
        for value in others:
            found = by_value.get(value, [])
            if not found:
                yield f"{option.key}={value}: no case plays it; {add} that sets {option.key}"
            elif not any(other.given == case.given for case in found for other in by_value.get(default, [])):
                yield f"{option.key}={value}: no case of {option.key}={default} has the same `given`; {add}"


def main() -> int:
    """Print the table of every game. Return 1 if coverage is incomplete or a reference is unknown."""
    failed = False
    for key, game in sorted(GAMES.items()):
        game_evidence = evidence(game)
        found, untried = (
            measure_game_coverage(game, game_evidence),
            tuple(find_untried_values(game, game_evidence.cases.values())),
        )
        wrong = (*found.unknown, *found.unexercised, *found.reached, *untried)
        failed = failed or bool(wrong) or any(row.missing or row.uncited for row in found.rows)
        print(f"== {key}", *table(found), *untried, sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
