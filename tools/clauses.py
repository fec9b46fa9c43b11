"""Writes each game's `clauses.py` from its `rulebook.toml`: `python -m tools.clauses`, or with the names of games.

So any editor shows the sentences of a clause where the law cites it.
"""

import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from unicodedata import east_asian_width

from domain.law.rulebook import Entry, Rulebook, parse_rulebook

GAMES = Path(__file__).parents[1] / "domain" / "games"
BOOK, MODULE = "rulebook.toml", "clauses.py"
WIDTH = 120

_PIECE = re.compile(r"(?:\{[^}]*\}|[!-z|~]+|.)[、。」』)）：]*")
"""What stays together in Japanese: a number to be put in, a word in Latin letters, a letter with what closes it."""


def module(book: Rulebook) -> str:
    """The module that names the clauses of a rulebook. A clause without a name raises ValueError."""
    head = f'"""The clauses of {book.title.en}, made from `{BOOK}` by `python -m tools.clauses`; change them there."""'
    imports = "from typing import Final\n\nfrom domain.law.clause import Clause"
    chapters = (_chapter(book, chapter) for chapter in book.chapters)
    return "\n\n".join((head, imports, *chapters)) + "\n"


def _chapter(book: Rulebook, chapter: str) -> str:
    clauses = (_constant(entry) for entry in book.clauses.values() if entry.chapter == chapter)
    return "\n\n".join((f"# {book.chapters[chapter].en}", *clauses))


def _constant(entry: Entry) -> str:
    if not entry.name:
        raise ValueError(f"clause {entry.id} has no name")
    en = "\n".join(textwrap.wrap(f'"""{entry.en}', WIDTH, break_long_words=False, break_on_hyphens=False))
    ja = "\n".join(_wrapped(f'{entry.ja}"""'))
    return f'{entry.name}: Final = Clause("{entry.id}")\n{en}\n\n{ja}'


def _wrapped(text: str) -> Iterator[str]:
    """Lines of Japanese, whose letters are two columns wide each."""
    line = ""
    for piece in _PIECE.findall(text):
        if _columns(line + piece) > WIDTH:
            yield line.rstrip()
            line = ""
        line += piece if line else piece.lstrip()
    yield line


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def main(names: Sequence[str]) -> int:
    """Write the modules of the games named, or of all that have a rulebook; 2 if one has none or it is wrong."""
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
