"""Generate docs/casebook-words.md: `python -m tools.casebook_words > docs/casebook-words.md`."""

import sys
from itertools import groupby
from operator import attrgetter

from domain.games import GAMES
from domain.words import say
from projections.case_words import CaseWord, list_case_words

HEAD = """# Words of the casebook

Made from the code by `python -m tools.casebook_words > docs/casebook-words.md`; a test compares the two.
`shinpan rulebook GAME --words` prints the same for any version and options; this page shows each game's newest version.

In [a case](formats.md#3-casebook-casestoml), `given` and `then` take these words, and actions take the words of slots.

- `p1` stands for any seat.
- A mark `used.*` is a family: `used.` and a name.
- A column that ends in `...` takes any number.
- DEA names an ability by its word; Skillbook and Grimoire by its number on the card, from 0.
"""


def page() -> str:
    lines = [HEAD]
    for game in GAMES.values():
        version = tuple(game.versions)[-1]
        lines.append(f"## {game.rulebook.title.en} (`{game.key}@{version}`)\n")
        for kind, words in groupby(list_case_words(game, game.latest), key=attrgetter("kind")):
            lines += [f"### {say(f'words.{kind}', 'en')}\n", *_table(kind, tuple(words)), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(kind: str, words: tuple[CaseWord, ...]) -> list[str]:
    rows = [(f"`{word.word}`", word.where, word.en, word.ja) for word in words]
    if any(word.where for word in words):
        return [
            _row(("word", say(f"head.where_{kind}", "en"), "English", "Japanese")),
            _row(("---",) * 4),
            *map(_row, rows),
        ]
    return [_row(("word", "English", "Japanese")), _row(("---",) * 3), *(_row((row[0], *row[2:])) for row in rows)]


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


if __name__ == "__main__":
    sys.stdout.write(page())
