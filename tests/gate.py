"""The gate: every clause that binds somebody has a witness. `python -m tests.gate` prints the table of each game."""

import sys
from pathlib import Path

from domain.formats.casebook.load import load_casebook
from domain.games import GAMES
from domain.law.game import Game
from projections.witnesses import Witnesses, table, witnesses

ROOT = Path(__file__).parents[1]


def _texts(folder: Path, pattern: str) -> dict[str, str]:
    found = sorted(folder.rglob(pattern))
    return {
        ".".join(path.relative_to(folder).with_suffix("").parts): path.read_text(encoding="utf-8") for path in found
    }


def witnesses_of(game: Game) -> Witnesses:
    """Who bears witness to the clauses of a game: what lies in its folders of sources, tests and cases."""
    cases: dict[str, tuple[str, ...]] = {}
    for path in sorted((ROOT / "fixtures" / game.key / "cases").glob("*.cases.toml")):
        for case in load_casebook(path.read_text(encoding="utf-8"), path.name).cases:
            cases[f"{path.name}: {case.id}"] = case.clauses
    modules = _texts(ROOT / "domain" / "games" / game.key, "*.py")
    tests = _texts(ROOT / "tests" / "rules" / game.key, "test_*.py")
    return witnesses(game.rulebook, modules, tests, cases)


def main() -> int:
    """Print the table of every game; 1 if a clause is without a witness or something names none."""
    failed = False
    for key, game in sorted(GAMES.items()):
        found = witnesses_of(game)
        failed = failed or bool(found.unknown) or any(row.missing for row in found.rows)
        print(f"== {key}", *table(found), sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
