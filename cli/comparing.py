"""Two readings of an ambiguous clause over recorded matches: which of them tell the two apart."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from msgspec import Struct

from cli.context import Desk, shown
from cli.coverage import GameKey
from cli.problems import FINDINGS, FINE
from cli.registry import Command, Json
from domain.words.foreign import misfit, quoted

if TYPE_CHECKING:
    from domain.law.game import Game
    from projections.rejudging.comparing import Separation

Reading = Annotated[str, typer.Option("--reading", metavar="OPTION=A,B", show_default=False)]
Paths = Annotated[list[str], typer.Argument(metavar="PATH...", show_default=False)]

SHOWN_MAX = 20
"""How many matches are listed for people; `--json` has all."""


class Apart(Struct, frozen=True):
    """A match that tells the two readings apart: from which entry on, and what each says of it."""

    match: str
    entry: int
    entries: int
    verdicts: tuple[str, str]
    clauses: tuple[str, str]
    outcome_changes: bool


def compare(desk: Desk, key: GameKey, paths: Paths, reading: Reading, as_json: Json = False) -> int:
    """List the recorded matches that separate two readings, the shortest first; 1 if there are any."""
    game = desk.game(key)
    option, values = asked_reading(desk, reading)
    apart: list[Apart] = []
    bad: list[str] = []
    seen = _matches(desk, game, paths, option, values, apart, bad)
    apart.sort(key=lambda one: (one.entry, one.entries, one.match))
    if as_json:
        desk.screen.json(
            {"game": key, "option": option, "values": values, "matches": seen, "separating": apart, "bad": bad}
        )
    else:
        _draw(desk, option, values, seen, apart)
    for one in bad:
        desk.screen.aside(f"shinpan: {one}")
    return FINDINGS if apart else FINE


def asked_reading(desk: Desk, reading: str) -> tuple[str, tuple[str, str]]:
    """The option and its two values."""
    option, equals, values = reading.partition("=")
    one, comma, other = values.partition(",")
    if not (equals and comma and one and other) or "," in other or one == other:
        raise desk.problem("compare.two_values", reading=shown(reading))
    return option, (one, other)


def _matches(
    desk: Desk,
    game: "Game",
    paths: list[str],
    option: str,
    values: tuple[str, str],
    apart: list[Apart],
    bad: list[str],
) -> int:
    """Go through the matches of the game; how many there were."""
    from corpus.sources import Bad, load, sources
    from domain.law.entries import Opened
    from projections.rejudging import Unreadable
    from projections.rejudging.comparing import separated

    latest = tuple(game.versions.values())[-1]
    for value in values:
        desk.options(game, latest, [f"{option}={value}"])
    seen = 0
    for source in sources(paths):
        entries = load(source)
        if isinstance(entries, Bad):
            bad.append(f"{source.name}: {entries.why.say(desk.lang)}")
            continue
        opened = entries[0]
        if not isinstance(opened, Opened) or opened.game != game.key:
            continue
        try:
            rules = msgspec.convert(opened.rules, game.rules_type)
            one, other = (desk.options(game, rules, [f"{option}={value}"]) for value in values)
            found = separated(game, entries, one, other)
        except msgspec.ValidationError as error:
            bad.append(f"{source.name}: {misfit(error).say(desk.lang)}")
            continue
        except Unreadable as error:
            bad.append(f"{source.name}: {quoted(str(error))}")
            continue
        seen += 1
        if found is not None:
            apart.append(_apart(source.name, found, len(entries)))
    return seen


def _apart(name: str, found: "Separation", entries: int) -> Apart:
    return Apart(
        match=name,
        entry=found.entry,
        entries=entries,
        verdicts=(found.one.kind, found.other.kind),
        clauses=(found.one.clause, found.other.clause),
        outcome_changes=found.outcome_changes,
    )


def _draw(desk: Desk, option: str, values: tuple[str, str], seen: int, apart: list[Apart]) -> None:
    if apart:
        heads = [desk.say("head.match"), desk.say("head.entry"), *(f"{option}={value}" for value in values)]
        rows: list[tuple[Any, ...]] = [
            (
                one.match,
                str(one.entry),
                *(
                    desk.say(f"verdict.{kind}") + (f" {clause}" if clause else "")
                    for kind, clause in zip(one.verdicts, one.clauses, strict=True)
                ),
            )
            for one in apart[:SHOWN_MAX]
        ]
        desk.screen.table(heads, rows)
    flips = sum(one.outcome_changes for one in apart)
    desk.screen.line(desk.say("compare.summary", n=len(apart), all=seen, flips=flips), "bad" if apart else "good")


COMMANDS: dict[str, Command] = {"compare": compare}
