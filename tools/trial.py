"""Trial of an engine: the casebook, the frozen counts and a few matches run against it.

`python -m tools.trial GAME FIXTURES` runs in a folder with a copy of the packages and prints one line of JSON.
"""

import json
import sys
from pathlib import Path

from archive.verify.verifying import verify
from domain.formats.casebook import load_casebook, run_case
from domain.games import GAMES
from domain.law.entries import Entry
from domain.law.game import Game
from domain.law.law import Law
from tools.frozen import count_anew, positions

MATCHES = 6
CASEBOOK, PERFT, VERIFY = "casebook", "perft", "verify"
WITNESSES = (CASEBOOK, PERFT, VERIFY)


def trial(game: Game, folder: Path, witnesses: tuple[str, ...] = WITNESSES) -> dict[str, str]:
    """Return the first finding of each failed check against the imported engine."""
    by_name = {CASEBOOK: _casebook, PERFT: _perft, VERIFY: _verify}
    against: dict[str, str] = {}
    for name in witnesses:
        try:
            message = by_name[name](game, folder)
        except Exception as error:  # any exception of the engine is a finding
            message = f"{type(error).__name__}: {error}"
        if message:
            against[name] = message[:200]
    return against


def _casebook(game: Game, folder: Path) -> str:
    failed = []
    for path in sorted((folder / "cases").rglob("*.cases.toml")):
        for case in load_casebook(path.read_text(encoding="utf-8"), str(path)).cases:
            if not case.given.match and not run_case(case, game, _no_matches).passed:
                failed.append(case.id)
    return f"{len(failed)}: {failed[0]}" if failed else ""


def _no_matches(name: str) -> list[Entry]:
    raise ValueError(name)


def _perft(game: Game, folder: Path) -> str:
    failed = []
    for position in positions(folder):
        try:
            counts, message = count_anew(game, folder, position), ""
        except Exception as error:
            counts, message = {}, type(error).__name__
        if counts != position.divide:
            failed.append(f"{position.name}: {sum(position.divide.values())} -> {message or sum(counts.values())}")
    return f"{len(failed)}: {failed[0]}" if failed else ""


def _verify(game: Game, folder: Path) -> str:
    version = next(iter(game.versions))
    report = verify(Law(game, game.versions[version]), MATCHES, steer=False)
    if not report.failures:
        return ""
    _, failure = report.failures[0]
    return f"{len(report.failures)} of {report.matches}: {failure.law}: {failure.detail}"


if __name__ == "__main__":
    print(json.dumps(trial(GAMES[sys.argv[1]], Path(sys.argv[2]))))
