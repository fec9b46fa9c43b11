"""Evidence for the clauses of a game in a checkout: sources, tests, cases and unreachable clauses."""

from pathlib import Path

from msgspec import Struct

from archive.verify.citations import read_modules
from domain.formats.casebook.load import Case, load_casebook
from domain.judging.coverage import Unreachable, read_unreachable
from domain.law.clause import Clause
from domain.law.game import Game
from tools.clause_coverage import RulebookCoverage, measure_coverage

ROOT = Path(__file__).parents[1]
UNREACHABLE = "unreachable.toml"


class Evidence(Struct, frozen=True):
    """Sources and tests by dotted name, cases by file and id, and the clauses no play reaches."""

    sources: dict[str, str]
    tests: dict[str, str]
    cases: dict[str, Case]
    unreachable: tuple[Unreachable, ...] = ()


def evidence(game: Game, root: Path = ROOT) -> Evidence:
    fixtures = root / "fixtures" / game.key
    paths = sorted((fixtures / "cases").glob("*.cases.toml"))
    books = ((path.name, load_casebook(path.read_text(encoding="utf-8"), path.name)) for path in paths)
    exceptions = fixtures / UNREACHABLE
    return Evidence(
        sources=read_modules(root / "domain" / "games" / game.key),
        tests=read_modules(root / "tests" / "rules" / game.key, "test_*.py"),
        cases={f"{name}: {case.id}": case for name, book in books for case in book.cases},
        unreachable=read_unreachable(exceptions.read_text(encoding="utf-8"), UNREACHABLE)
        if exceptions.exists()
        else (),
    )


def measure_game_coverage(game: Game, found: Evidence) -> RulebookCoverage:
    claimed: dict[str, tuple[Clause | str, ...]] = {name: case.clauses for name, case in found.cases.items()}
    return measure_coverage(game.rulebook, found.sources, found.tests, claimed, found.unreachable)
