"""The glossary: one row per word, in both languages, and every name in it exists."""

import re
from collections import Counter
from pathlib import Path

from domain.formats.notation.directives import DIRECTIVES
from tests.rows import for_each
from tools.architecture import PACKAGES

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


def rows() -> list[list[str]]:
    table = PAGE.partition("\n## ")[0]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")
    ]
    return cells[2:]


def words(column: int, between: str) -> Counter[str]:
    named = (re.sub(r" ?[(（].*?[)）]", "", row[column]) for row in rows())
    return Counter(word.strip() for cell in named for word in re.split(between, cell))


def test_rows_are_whole() -> None:
    assert len(rows()) > 70
    assert [row for row in rows() if len(row) != 4 or not all(row)] == []


@for_each("column, between", [(0, ", "), (1, "・")])
def test_a_word_has_one_row(column: int, between: str) -> None:
    assert [word for word, times in words(column, between).items() if times > 1] == []


def test_what_the_glossary_names_in_code_is_there() -> None:
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.*")
        if path.suffix in (".py", ".toml")
    )
    sources += "".join(f"\n%{name}" for name in DIRECTIVES)
    known = set(re.findall(r"\w+", sources))
    missing = []
    for row in rows():
        for name in re.findall(r"`([^`]+)`", row[2]):
            there = (
                (ROOT / name).exists()
                if "/" in name
                else all(
                    part in known or re.search(rf"(?<!\w){re.escape(part)}(?!\w)", sources) for part in name.split(".")
                )
            )
            if not there:
                missing.append(f"{row[0]}: {name}")
    assert missing == []
