"""`rulebook GAME --law`: the rulebook beside the law, for who wants to check that one says what the other does."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import Struct

from archive.verify.beside import Beside, beside
from archive.verify.citations import read_modules
from cli.answer import Answer
from cli.context import Desk
from cli.many.case import casebooks, load
from cli.problems import Problem
from domain.formats.casebook import Case
from domain.formats.casebook.load import SUFFIX
from domain.law.clause import Clause
from domain.law.game import Game


class Law(Struct, frozen=True):
    """Clauses of a rulebook beside the law."""

    game: str
    version: str
    law: tuple[Beside, ...]


def show(
    desk: Desk, game: Game, version: str, clause: Clause | None, numbers: dict[str, Any], cases: str | None
) -> Answer[Law]:
    """Every clause, or one, with its lines of code and the cases of a folder or file, else of ours if they are here."""
    own = Path("fixtures") / game.key / "cases"
    where = cases if cases is not None else str(own) if any(own.glob(f"*{SUFFIX}")) else None
    claiming = None if where is None else _cases(desk, game, where)
    sources = read_modules(Path(str(files(f"domain.games.{game.key}"))))
    clauses = tuple(game.rulebook.clauses) if clause is None else (clause,)
    rows = tuple(beside(game, clauses, numbers, sources, claiming))

    def draw() -> None:
        for row in rows:
            _draw(desk, row)
        if claiming is None:
            desk.hint("law.no_cases")

    return Answer(lambda: Law(game.key, version, rows), draw)


def _cases(desk: Desk, game: Game, path: str) -> Mapping[str, Case]:
    """The cases of this game in a folder or a file."""
    unread: list[str] = []
    paths = casebooks(desk, [path], unread)
    if unread:
        raise Problem(unread[0])
    books = ((file.name, load(desk, file)) for file in paths)
    return {f"{name}: {case.id}": case for name, book in books for case in book.cases if case.game == game.key}


def _draw(desk: Desk, row: Beside) -> None:
    screen = desk.screen
    screen.line(desk.say("law.clause", clause=f"{row.clause} {row.name}", kind=desk.say(f"kind.{row.kind}")), "clause")
    screen.line("  " + desk.pick(row.en, row.ja))
    for line in row.law:
        key = "law.told" if not line.carried else "law.carried" if line.function else "law.row"
        where = f"{line.file}:{line.line}"
        screen.line("  " + desk.say(key, where=where, function=line.function or "-", source=line.source))
    for case in row.cases or ():
        screen.line("  " + desk.say("law.case", case=case.case, says=desk.pick(case.en, case.ja)))
