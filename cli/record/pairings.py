"""The matches of a round opened at once, from the table that an organiser's program writes."""

from collections.abc import Sequence
from typing import Annotated

from cli import files
from cli.answer import Answer
from cli.context import Desk
from cli.decks import find_deck
from cli.problems import Problem
from cli.record import outcome
from cli.record.new import read_kind, read_named
from cli.values import By, Frame, Settings
from domain.formats.csv_tables import decode_csv
from domain.formats.pairings import Pairing, decks_named, read_pairings
from domain.law.law import Law
from domain.law.occasion import occasion_of
from domain.law.timers import read_minutes
from domain.words import Text
from recorder.answers import Reused
from recorder.clock import now
from recorder.pairings import Paired, Round, Unpaired, open_round
from recorder.store import Store


def pairings(
    desk: Desk,
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
) -> Answer[tuple[Paired, ...]]:
    """Open a match for each table of a round; the same file again opens what is not there yet."""
    game, version, rules = desk.rules(spec, frame, settings)
    law = Law(game, rules)
    ruling = None if policy is None else read_named(desk, policy)
    _, rows = read_table(desk, table, law)
    said = {"event": event, "round": round, "site": site, "date": date, "start": start, "limit": limit}
    decks = {name: find_deck(desk, game, name) for name in decks_named(rows)}
    cards, occasion = read_kind(desk, no_deal=no_deal, phones=phones), occasion_of(said)
    shared = Round(
        law=law,
        version=version,
        occasion=occasion,
        decks=decks,
        policy=ruling,
        cards=cards,
        minutes=read_length(desk, minutes) or 0,
        by=by,
        at=now(),
    )
    with desk.store(writing=True) as store:
        paired = open_round(store, shared, rows)
        if isinstance(paired, Unpaired):
            raise _trouble(desk, law, store, paired, table)
    return answer_paired(desk, paired)


def read_length(desk: Desk, minutes: str | None) -> int | None:
    """Return the length of a round, if one is given. Raises Problem where it is none."""
    read = None if minutes is None else read_minutes(minutes)
    if isinstance(read, Text):
        raise desk.problem(read.key, **read.values)
    return read


def read_table(desk: Desk, file: str, law: Law) -> tuple[str, tuple[Pairing, ...]]:
    """The text of a file, and the tables of a round in it. Raises Problem with the line that is wrong."""
    with desk.refusing():
        text = decode_csv(files.read(desk, file), file)
        return text, read_pairings(text, law.seats(), file)


def answer_paired(desk: Desk, paired: Sequence[Paired]) -> Answer[tuple[Paired, ...]]:
    """Tables with their matches, drawn as a table."""
    return Answer(lambda: tuple(paired), lambda: _draw(desk, paired))


def _trouble(desk: Desk, law: Law, store: Store, unpaired: Unpaired, file: str) -> Problem:
    pairing, why = unpaired.pairing, unpaired.why
    match why:
        case Reused(match=match):
            detail = desk.say("pairings.otherwise", table=pairing.table, match=match)
        case _:
            detail = outcome.not_opened(desk, law, store, why).message
    return desk.problem("cli.misread", where=f"{file}:{pairing.line}", detail=detail)


def _draw(desk: Desk, paired: Sequence[Paired]) -> None:
    heads = desk.heads(("table", "match", "names"))
    desk.screen.table(heads, [[row.table, row.match, " - ".join(row.names.values())] for row in paired])
    opened = sum(row.new for row in paired)
    desk.tell("pairings.done", "good", n=opened, there=len(paired) - opened)
