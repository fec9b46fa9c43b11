"""Write each game's `clauses.py` from its `rulebook.toml`: `python -m tools.clauses`, or with the names of games."""

import sys
from collections.abc import Sequence
from pathlib import Path

from domain.law.rulebook import Rulebook, RulebookClause, parse_rulebook

GAMES = Path(__file__).parents[1] / "domain" / "games"
BOOK, MODULE = "rulebook.toml", "clauses.py"


def module(book: Rulebook) -> str:
    """Return the source of the module that names a rulebook's clauses. Raises ValueError for a clause without a name.
    """
    head = f'"""The clauses of {book.title.en}, made from `{BOOK}` by `python -m tools.clauses`; change them there."""'
    imports = "from typing import Final\n\nfrom domain.law.clause import Clause"
    chapters = (_chapter(book, chapter) for chapter in book.chapters)
    return "\n\n".join((head, imports, "\n".join(chapters))) + "\n"


def _chapter(book: Rulebook, chapter: str) -> str:
    clauses = (_constant(entry) for entry in book.clauses.values() if entry.chapter == chapter)
    return "\n".join((f"# {book.chapters[chapter].en}", *clauses))


def _constant(entry: RulebookClause) -> str:
    if not entry.name:
        raise ValueError(f"clause {entry.id} has no name")
    return f'{entry.name}: Final = Clause("{entry.id}")  # {entry.en}'


def main(names: Sequence[str]) -> int:
    """Write the modules of the named games, by default all. Return 2 if a rulebook is missing or invalid."""
    folders = [GAMES / name for name in names] or sorted(path.parent for path in GAMES.glob(f"*/{BOOK}"))
    for folder in folders:
        try:
            book = parse_rulebook((folder / BOOK).read_text(encoding="utf-8"), folder.name)
            (folder / MODULE).write_text(module(book), encoding="utf-8")
        except (OSError, ValueError) as error:
            print(f"{folder.name}: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
