"""Which clauses, cards and options of a game have been exercised."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import files
from cli.context import Desk, is_open, shown
from cli.outputs import distinct, write_whole
from cli.problems import BAD_INPUT, FINDINGS, FINE
from cli.registry import Command, Json
from domain.table.redact import SPECTATOR
from domain.words import Text

if TYPE_CHECKING:
    from corpus.sources import Source
    from domain.judging.coverage import Counting, Coverage, Unreachable
    from domain.law.clause import Clause
    from domain.law.entries import Entry
    from domain.law.game import Game

GameKey = Annotated[str, typer.Argument(metavar="GAME", show_default=False)]
Corpora = Annotated[list[str] | None, typer.Option("--corpus", metavar="PATH", show_default=False)]
Html = Annotated[str | None, typer.Option("--html", metavar="FILE", show_default=False)]

NEVER_SHOWN = 12


def coverage(desk: Desk, key: GameKey, corpora: Corpora = None, html: Html = None, as_json: Json = False) -> int:
    """Count what cases and recorded matches exercise; 1 if a clause that binds was never exercised.

    2 if a folder, a file, a store or a corpus could not be looked into: who knows what it exercises.
    """
    from corpus.sources import Unreadable
    from domain.judging.coverage import Counting
    from pages.coverage import to_html

    game = desk.game(key)
    distinct(desk, {"--html": html}, corpora or [], ())
    counting = Counting(game)
    unread = list(_matches(desk, game, counting, corpora or []))
    bad = [f"{source.name}: {why.say(desk.lang)}" for source, why in unread]
    found = counting.coverage(_cases(desk, game, counting, Path("fixtures") / key))
    if html is not None:
        if Path(html).is_dir():
            raise desk.problem("cli.unwritable", file=shown(html), detail=Text("system.EISDIR"))
        write_whole(desk, Path(html), to_html(game, game.latest, found, desk.lang))
    if as_json:
        desk.screen.json({"coverage": found, "never": found.never, "unspoken": found.unspoken, "bad": bad})
    else:
        _draw(desk, game, found)
    if corpora and not as_json:
        desk.screen.line(desk.say("report.for_judges"))
    for name in bad:
        desk.screen.aside(f"shinpan: {name}")
    if any(isinstance(source.place, Unreadable) for source, _ in unread):
        return BAD_INPUT
    return FINDINGS if found.never else FINE


def _matches(desk: Desk, game: "Game", counting: "Counting", paths: list[str]) -> "Iterator[tuple[Source, Text]]":
    """Count the recorded matches of that game. What cannot be read comes with the reason, the rest goes on."""
    from corpus.sources import Bad, Stored, matches_of

    for source, entries in matches_of(game.key, files.existing(desk, paths)):
        if isinstance(entries, Bad):
            yield source, entries.why
        else:
            hidden = isinstance(source.place, Stored) and is_open(entries)
            counting.match(entries, _shown(game, entries) if hidden else None)


def _shown(game: "Game", entries: "Sequence[Entry]") -> "list[list[Clause]]":
    """The clauses of what a spectator is told, entry by entry."""
    from projections.seen_entries import seen_entries

    return [[fact.clause for fact in entry.facts] for entry in seen_entries(game, entries, SPECTATOR)]


def _cases(desk: Desk, game: "Game", counting: "Counting", folder: Path) -> "tuple[Unreachable, ...]":
    """Execute every case of a game's folder and count it; the clauses that no play reaches, as the folder says."""
    from domain.formats.casebook import load_casebook, run_case
    from domain.formats.errors import FormatError, decode_text
    from domain.judging.coverage import read_unreachable
    from domain.law.clause import Clause

    def text(path: Path) -> tuple[str, str]:
        return decode_text(files.read(desk, str(path)), str(path)), str(path)

    try:
        for path in sorted((folder / "cases").glob("*.cases.toml")):
            for case in load_casebook(*text(path)).cases:
                report = run_case(case, game)
                if report.passed:
                    refused = [Clause(step.then.refused) for step in case.step if step.then.refused]
                    counting.case(report.claimed, report.witnessed, refused, case.set)
        exceptions = folder / "unreachable.toml"
        return read_unreachable(*text(exceptions)) if exceptions.exists() else ()
    except FormatError as error:
        raise desk.misread(error) from None


def _draw(desk: Desk, game: "Game", found: "Coverage") -> None:
    from pages.coverage import COLUMNS

    heads = [desk.say(f"coverage.{one}") for one in ("clause", "kind", *COLUMNS)]
    rows = [(one.clause, one.kind, *(str(getattr(one, name)) for name in COLUMNS)) for one in found.clauses]
    desk.screen.table(heads, rows, drop=[heads.index(desk.say("coverage.kind"))])
    desk.screen.line(
        desk.say("coverage.summary", clauses=len(found.clauses), matches=found.matches, cases=found.cases), "heading"
    )
    desk.screen.line(" ".join((desk.say("coverage.never", n=len(found.never)), *found.never)))
    for one in found.unreachable:
        desk.screen.line(
            desk.say("coverage.unreachable", clause=one.clause, why=one.ja if desk.lang == "ja" else one.en)
        )
    desk.screen.line(" ".join((desk.say("coverage.unspoken", n=len(found.unspoken)), *found.unspoken)))
    for key, used in (("cards", found.cards), ("options", found.options)):
        cold = [one.name for one in used if not one.matches]
        if used:
            more = " ..." if len(cold) > NEVER_SHOWN else ""
            some = " ".join(cold[:NEVER_SHOWN]) + more
            desk.screen.line(desk.say(f"coverage.never_{key}", n=len(cold), all=len(used)) + " " + some)


COMMANDS: dict[str, Command] = {"coverage": coverage}
