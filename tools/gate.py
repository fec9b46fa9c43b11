"""The gate: every clause that binds somebody is cited by the law, has a witness, and a case shows it or nothing can.

`python -m tools.gate` prints the table of each game.
"""

import sys

from domain.games import GAMES
from tools.evidence import evidence, witnesses_of
from tools.witnesses import table


def main() -> int:
    """Print the table of every game; 1 if a clause is uncited, without a witness or a case, or something names none."""
    failed = False
    for key, game in sorted(GAMES.items()):
        found = witnesses_of(game, evidence(game))
        wrong = (*found.unknown, *found.unexercised, *found.reached)
        failed = failed or bool(wrong) or any(row.missing or row.uncited for row in found.rows)
        print(f"== {key}", *table(found), sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
