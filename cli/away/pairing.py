"""The matches of a round opened at a service, from a table of this machine."""

from msgspec import to_builtins

from cli.answer import Answer
from cli.away.asking import service, words
from cli.away.writing import require_own_name, sending
from cli.client.service import Refused
from cli.context import Desk
from cli.decks import find_deck
from cli.record.new import read_kind, read_named
from cli.record.pairings import answer_paired, read_length, read_table
from domain.formats.decks import Written
from domain.formats.pairings import decks_named
from domain.formats.policies import stored_policy
from domain.law.law import Law
from recorder.pairings import Paired
from service import payloads


def pairings(
    desk: Desk,
    spec: str,
    table: str,
    event: str,
    round: str,
    site: str,
    date: str,
    start: str,
    limit: str,
    frame: str | None,
    settings: list[str] | None,
    policy: str | None,
    by: str,
    no_deal: bool,
    phones: bool,
    minutes: str | None,
) -> Answer[tuple[Paired, ...]]:
    """Open a match for each table of a round."""
    require_own_name(desk, by)
    game, version, rules = desk.rules(spec, frame, settings)
    ruling = None if policy is None else stored_policy(read_named(desk, policy))
    text, rows = read_table(desk, table, Law(game, rules))
    decks = {name: find_deck(desk, game, name) for name in decks_named(rows) if name not in game.named_decks()}
    opening = payloads.OpenRound(
        game=game.key,
        version=version,
        rules=to_builtins(rules) if frame or settings else None,
        pairings=text,
        event=event,
        round=round,
        site=site,
        date=date,
        start=start,
        limit=limit,
        minutes=read_length(desk, minutes),
        decks={name: Written(deck.main, deck.side) for name, deck in decks.items()},
        policy=ruling,
        cards=read_kind(desk, no_deal=no_deal, phones=phones),
    )
    try:
        with sending(desk, "client.maybe_paired"):
            opened = service(desk).open_round(opening)
    except Refused as refused:
        told = refused.problem
        if not told.line:
            raise
        raise desk.problem("cli.misread", where=f"{table}:{told.line}", detail=words(desk, told)) from None
    return answer_paired(desk, [Paired(row.table, row.match, row.names, row.new, row.cards) for row in opened])
