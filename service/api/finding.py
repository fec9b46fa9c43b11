"""Finding matches by what was told, found, seen and said in them; and how hot each clause of a game is."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import cache
from typing import Annotated, Final

from msgspec import Meta

from domain.formats.errors import unknown
from domain.games import GAMES
from domain.judging.audit.finding import FindingKind
from domain.words import LANGS, Text
from domain.words.foreign import quoted
from recorder.finding import asking
from recorder.finding.rows import Found, Limits, Wanted, plain
from service import wire
from service.access import is_delayed, may
from service.api.seeing import link_next
from service.asking import Ask, Reply, Route
from service.problems import halt

PAGE: Final = 50
PAGE_MAX: Final = 500
DAY_MS: Final = 86_400_000
ANY: Final = "?"
"""Stands for whichever match; none is called so."""
NEW_MAX: Final = 20
"""How many matches that the finder does not hold yet are looked at while somebody waits for an answer."""


class Sought(wire.Wire, frozen=True):
    """What is looked for. `verdict` is the kind of a finding; days are those of UTC on which matches were opened."""

    clause: str = ""
    verdict: FindingKind | None = None
    card: str = ""
    player: str = ""
    event: str = ""
    game: str = ""
    since: str = ""
    until: str = ""
    after: str = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE


def find(ask: Ask, query: Sought, body: None) -> Reply:
    """A page of matches, the newest in the store first."""
    games = _game(query.game)
    wanted = Wanted(
        clause=query.clause,
        kind=query.verdict or "",
        faces=faces_called(games, query.card) if query.card else None,
        player=query.player,
        event=query.event,
        game=query.game,
        since=_day("since", query.since),
        before=None if (last := _day("until", query.until)) is None else last + DAY_MS,
    )
    complete = ask.house.finder.catch_up(NEW_MAX)
    rows = asking.find(ask.house.finder, wanted, limits(ask), query.after, query.limit + 1)
    some, more = rows[: query.limit], len(rows) > query.limit
    headers = link_next(ask, query, after=some[-1].match) if more else {}
    return Reply(wire.Found(matches=tuple(map(_match, some)), complete=complete), headers=headers)


def heat(ask: Ask, query: object, body: None) -> Reply:
    """How hot each clause of a game is. Only what is closed counts: a live count would tell hidden play."""
    game = ask.path["game"]
    if game not in GAMES:
        raise halt("unknown", unknown("game", game, GAMES))
    complete = ask.house.finder.catch_up(NEW_MAX)
    rows = {row.clause: row for row in asking.heat(ask.house.finder, game, limits(ask))}
    known = GAMES[game].rulebook.clauses
    counted = (rows.get(clause) for clause in known)
    clauses = tuple(
        wire.ClauseHeat(clause=clause)
        if row is None
        else wire.ClauseHeat(clause=clause, uses=row.uses, matches=row.matches, findings=row.findings)
        for clause, row in zip(known, counted, strict=True)
    )
    return Reply(wire.Heat(game=game, clauses=clauses, complete=complete))


def limits(ask: Ask) -> Limits:
    """As far as whoever asks may look over all matches at once."""
    house, session = ask.house, ask.session
    return Limits(
        opened=may(session, "see", ANY),
        until=house.clock() - house.settings.delay if house.settings.delay and is_delayed(session) else None,
        hidden=house.settings.published or may(session, "see_closed"),
    )


def faces_called(games: Sequence[str], card: str) -> tuple[str, ...]:
    """The faces that are called so in either language; where none is, those whose names hold it."""
    called = [(name, face) for game in games for name, face in _names(game)]
    wanted = plain(card)
    exactly = [face for name, face in called if name == wanted]
    return tuple(dict.fromkeys(exactly or [face for name, face in called if wanted in name]))


@cache
def _names(game: str) -> tuple[tuple[str, str], ...]:
    word = GAMES[game].rulebook.word
    return tuple(
        (plain(name), face)
        for face in dict.fromkeys(GAMES[game].faces())
        for name in (face, *(word(face, lang) for lang in LANGS))
    )


def _game(game: str) -> Sequence[str]:
    if not game:
        return tuple(GAMES)
    if game not in GAMES:
        raise halt("unreadable", unknown("game", game, GAMES))
    return (game,)


def _day(name: str, text: str) -> int | None:
    """When a day begins, in milliseconds."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise halt("unreadable", Text("find.no_day", {"name": name, "given": quoted(text)})) from None
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000


def _match(found: Found) -> wire.FoundMatch:
    return wire.FoundMatch(
        match=found.match,
        game=found.game,
        version=found.version,
        names=found.names,
        event=found.event,
        at=found.at,
        closed=found.closed,
        entries=found.entries,
        uses=found.uses,
        findings=tuple(
            wire.FoundFinding(entry=hit.entry, kind=hit.kind, clause=hit.clause, undone=hit.undone)
            for hit in found.hits
        ),
    )


ROUTES: Final = (
    Route(
        method="GET", path="/api/v1/find", operation="public", call=find, query=Sought, answer=wire.Found, paged=True,
        says="Find matches by clause, verdict, card, player, event, game and day.", problems=("unreadable",),
    ),
    Route(
        method="GET", path="/api/v1/games/{game:str}/heat", operation="public", call=heat, answer=wire.Heat,
        says="How often each clause was told and found against in closed matches.", problems=("unknown",),
    ),
)  # fmt: skip
