"""Every casebook and every position in the repository is read, and holds."""

from pathlib import Path

import pytest

from domain.formats.casebook import Case, load_casebook, run_case
from domain.games import GAMES

FIXTURES = Path(__file__).parents[2] / "fixtures"
BOOKS = [
    load_casebook(path.read_text(encoding="utf-8"), str(path.relative_to(FIXTURES)))
    for path in sorted(FIXTURES.glob("*/*/*.cases.toml"))
]
CASES = [pytest.param(case, id=f"{book.file}:{case.line}:{case.id}") for book in BOOKS for case in book.cases]


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case) -> None:
    report = run_case(case, GAMES.get(case.game))
    assert report.passed, report.failure
