"""Pairings: the matches of a round, opened from the pairing program's table."""

from collections.abc import Sequence
from typing import Annotated

from cli import files
from cli.answer import Answer
from cli.context import CommandContext
from cli.decks import find_deck
from cli.record.new import read_kind, read_named
from cli.record.stores import PairingTable, open_store
from cli.values import By, Frame, Settings
from domain.formats.csv_tables import decode_csv
from domain.formats.pairings import count_seats, deck_names, read_pairings
from domain.law.law import Law
from domain.law.occasion import occasion_of
from domain.law.rulesets import with_seats
from domain.law.timers import read_minutes
from domain.words import Text
from recorder.clock import read_wall_clock
from recorder.pairings import Round, TableMatch


def pairings(
    ctx: CommandContext,
    spec: Annotated[str, "GAME@VERSION"],
    table: Annotated[str, "FILE.csv"],
    event: Annotated[str, "--event TEXT"],
    round: Annotated[str, "--round TEXT"],
    site: Annotated[str, "--site TEXT"] = "",
    date: Annotated[str, "--date TEXT"] = "",
    start: Annotated[str, "--start TEXT"] = "",
    limit: Annotated[str, "--limit TEXT"] = "",
    frame: Frame = None,
    settings: Settings = None,
    policy: Annotated[str | None, "--policy standard|FILE.toml"] = None,
    by: By = "",
    no_deal: Annotated[bool, "--no-deal"] = False,
    phones: Annotated[bool, "--phones"] = False,
    minutes: Annotated[str | None, "--minutes N"] = None,
) -> Answer[tuple[TableMatch, ...]]:
    """Open a match for each table of a round. The same file again opens only the missing ones."""
    game, version, rules = ctx.rules(spec, frame, settings)
    ruling = None if policy is None else read_named(ctx, policy)
    with ctx.convert_errors():
        text = decode_csv(files.read(ctx, table), table)
        law = Law(game, with_seats(game, rules, count_seats(text, table)))
        rows = read_pairings(text, law.seats(), table)
    occasion_texts = {"event": event, "round": round, "site": site, "date": date, "start": start, "limit": limit}
    shared = Round(
        law=law,
        version=version,
        occasion=occasion_of(occasion_texts),
        decks={name: find_deck(ctx, game, name) for name in deck_names(rows)},
        policy=ruling,
        cards=read_kind(ctx, no_deal=no_deal, phones=phones),
        minutes=_read_length(ctx, minutes),
        by=by,
        at=read_wall_clock(),
    )
    paired = open_store(ctx).open_round(shared, PairingTable(table, text, rows))
    return Answer(lambda: tuple(paired), lambda: _draw(ctx, paired))


def _read_length(ctx: CommandContext, minutes: str | None) -> int:
    read = 0 if minutes is None else read_minutes(minutes)
    if isinstance(read, Text):
        raise ctx.problem(read.key, **read.values)
    return read


def _draw(ctx: CommandContext, paired: Sequence[TableMatch]) -> None:
    heads = ctx.heads(("table", "match", "names"))
    ctx.screen.table(heads, [[row.table, row.match, " - ".join(row.names.values())] for row in paired])
    opened = sum(row.new for row in paired)
    ctx.print_message("pairings.done", "good", n=opened, there=len(paired) - opened)
