"""Search at a service, by its index."""

from itertools import islice

from cli.context import CommandContext
from cli.look import find as here
from cli.remote.connection import open_service
from domain.games import GAMES
from domain.words import LANGS
from recorder.finding.rows import ActionHit, HitRow, MatchHit, RulingRow
from service import payloads
from service.search.queries import EVERY, decided_words

FOUND = frozenset(MatchHit.__struct_fields__) - {"hits", "deeds", "rulings"}
"""Fields of a match that the service returns unchanged."""


def search(ctx: CommandContext, asked: here.FindOptions) -> tuple[here.MatchSearchResult, ...]:
    """Return the newest matches from the service's index. Raises CommandError.

    With `--fresh`, `--did` is the verb of an action with a card that arrived in the same turn.
    """
    fresh = (asked.did or EVERY) if asked.fresh else ""
    for option, given in (("--did", asked.did and not fresh), ("--index", asked.index)):
        if given:
            raise ctx.problem("client.no_scan", option=option)
    words = {name: getattr(asked, name) for name in ("clause", "card", "player", "event", "game", "since", "until")}
    words |= {"verdict": asked.kind, "fresh": fresh, "ruling": asked.ruling, "outcome": asked.ended}
    sought = {name: text for name, text in words.items() if text}
    rows = (row for page in open_service(ctx).find(**sought) for row in page.matches)
    return tuple(_match(row) for row in islice(rows, asked.limit))


def _match(row: payloads.FoundMatch) -> here.MatchSearchResult:
    hits = tuple(HitRow(hit.entry, hit.kind, hit.clause, hit.undone) for hit in row.findings)
    deeds = tuple(ActionHit(deed.entry, deed.verb) for deed in row.deeds)
    rulings = tuple(RulingRow(ruling.entry, ruling.verdict, ruling.outcome) for ruling in row.rulings)
    head = {name: getattr(row, name) for name in FOUND}
    did = (*(_describe_action(row.game, deed) for deed in deeds), *map(_describe_ruling, rulings))
    return here.MatchSearchResult(row.match, MatchHit(**head, hits=hits, deeds=deeds, rulings=rulings), did)


def _describe_action(game: str, deed: ActionHit) -> here.SearchDeed:
    words = (GAMES[game].rulebook.word(deed.verb, lang) if game in GAMES else deed.verb for lang in LANGS)
    return here.SearchDeed(deed.entry, *words)


def _describe_ruling(ruling: RulingRow) -> here.SearchDeed:
    return here.SearchDeed(ruling.entry, *(decided_words(ruling, lang) for lang in LANGS))
