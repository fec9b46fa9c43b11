"""Names of clauses: defined once, in `rulebook.toml`, and generated as constants."""

import ast
from pathlib import Path

import pytest

from domain.law.clause import Clause
from domain.law.rulebook import Rulebook, RulebookClause, parse_rulebook
from domain.words import Message
from tests.rows import for_each
from tools import clauses

FOLDERS = sorted(path.parent for path in clauses.GAMES.glob(f"*/{clauses.BOOK}"))
FOLDERS.append(Path(__file__).parents[1] / "toys" / "stones")
ONE = RulebookClause(Clause("T-1.1"), "rule", "At most {hand.limit} cards.", "{hand.limit}枚まで。", name="ONE")

BOOK = """
[title]
en = "Toy"
ja = "おもちゃ"
[word]
[chapter.T-1]
en = "All"
ja = "すべて"
"""


def clause(id_: str, name: str) -> str:
    return f'[[clause]]\nid = "{id_}"\nname = "{name}"\nkind = "rule"\nen = "A."\nja = "あ。"\n'


@for_each("folder", FOLDERS)
def test_the_constants_of_a_game_are_what_its_rulebook_says(folder: Path) -> None:
    book = parse_rulebook((folder / clauses.BOOK).read_text(encoding="utf-8"), folder.name)
    made = clauses.module(book)
    assert (folder / clauses.MODULE).read_text(encoding="utf-8") == made, "run `python -m tools.clauses`"
    constants = [node for node in ast.parse(made).body if isinstance(node, ast.AnnAssign)]
    assert [ast.unparse(node.value) for node in constants if node.value] == [f"Clause({one!r})" for one in book.clauses]


def test_a_constant_is_one_line_with_its_english_sentence() -> None:
    made = clauses.module(Rulebook(Message("Toy", "おもちゃ"), {ONE.id: ONE}, {"T-1": Message("All", "すべて")}, {}))
    assert made.endswith('\n# All\nONE: Final = Clause("T-1.1")  # At most {hand.limit} cards.\n')


def test_what_cannot_be_made_is_said_and_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=r"T-1\.1"):
        clauses.module(parse_rulebook(BOOK + clause("T-1.1", ""), "toy"))
    assert clauses.main(["no_such_game"]) == 2
    assert "no_such_game" in capsys.readouterr().err


@for_each(
    "text, said",
    [
        (clause("T-1.7.3", "ONE"), r"toy: clause T-1\.7\.3 .*chapter\.T-1\.7\]"),
        (clause("T-2.1", "ONE"), r"chapter\.T-2\]"),
        (clause("T-1.1", "ONE") + clause("T-1.2", "ONE"), "clause name ONE appears twice"),
        (clause("T-1.1", "ONE") + clause("T-1.1", "TWO"), r"clause id T-1\.1 appears twice"),
        (clause("T-1.1", "two words"), "two words"),
    ],
)
def test_a_clause_of_no_chapter_or_with_a_name_that_is_none_is_an_error_when_loaded(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_rulebook(BOOK + text, "toy")
    assert list(parse_rulebook(BOOK + clause("T-1.1", "ONE"), "toy").clauses) == ["T-1.1"]
