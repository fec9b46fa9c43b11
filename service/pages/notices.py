"""Notices of judges on a player's page: rulings, penalties that stand, a request to go back, and the last rewind."""

from collections.abc import Iterator

from msgspec import Struct

from domain.law.docket import Docket, docket_of
from domain.law.entries import Played, Rewound
from domain.table.table import CHANCE
from projections.filed import penalty_words
from projections.penalties import see_penalties
from recorder.remarks import asked_rewind
from service.access import may
from service.asking import Ask
from service.house import Sight
from service.pages.paper import said
from service.pages.rewind import request_state
from service.pages.within import way_to


class PlayerNotice(Struct, frozen=True):
    """An entry of a judge in words, and where the player can read on or appeal."""

    words: str
    url: str
    link: str


def list_notices(ask: Ask, sight: Sight) -> tuple[PlayerNotice, ...]:
    """List what judges did at a player's own table."""
    docket = docket_of(sight.match.entries)
    return (
        *_requests(ask, sight),
        *_rewinds(ask, sight),
        *_disputes(ask, sight, docket),
        *_penalties(ask, sight, docket),
    )


def _requests(ask: Ask, sight: Sight) -> Iterator[PlayerNotice]:
    """Yield the request to go back that waits for the head judge, without its reason."""
    request = asked_rewind(sight.match.entries)
    if request is not None and not sight.match.closed and request_state(ask, request) == "open":
        words, url = said(ask, "notice.request", n=request.to), way_to(ask, sight).moment(request.to)
        yield PlayerNotice(words, url, said(ask, "notice.look"))


def _rewinds(ask: Ask, sight: Sight) -> Iterator[PlayerNotice]:
    """Yield the last rewind, until somebody has played on."""
    for number, entry in reversed([*enumerate(sight.match.entries, start=1)]):
        if isinstance(entry, Played) and entry.actor != CHANCE:
            return
        if isinstance(entry, Rewound):
            yield _notice(ask, sight, number, way_to(ask, sight).moment(number), "notice.look")
            return


def _disputes(ask: Ask, sight: Sight, docket: Docket) -> Iterator[PlayerNotice]:
    """Yield the last entry of each dispute, the newest first; a ruling with the way to its appeal."""
    appeals = not sight.match.closed and may(ask.session, "dispute", sight.match.id)
    for dispute in sorted(docket.disputes.values(), key=lambda each: each.last, reverse=True):
        url = way_to(ask, sight).at("disputes", dispute.number)
        if appeals and dispute.standing == "ruled":
            yield _notice(ask, sight, dispute.last, f"{url}#appeal", "disputes.appeal")
        else:
            yield _notice(ask, sight, dispute.last, url, "notice.dispute")


def _penalties(ask: Ask, sight: Sight, docket: Docket) -> Iterator[PlayerNotice]:
    """Yield the penalties of the player that stand, the newest first."""
    match, given = sight.match, [each for each in docket.penalties if each[1].seat == sight.eyes.viewer]
    seen = see_penalties(match.opened.policy, (penalty for _, penalty in given))
    for penalty in reversed(seen):
        words = penalty_words(penalty, ask.lang, match.names)
        yield PlayerNotice(
            said(ask, "notice.penalty", penalty=words),
            way_to(ask, sight).all("penalties"),
            said(ask, "penalties.heading"),
        )


def _notice(ask: Ask, sight: Sight, number: int, url: str, link: str) -> PlayerNotice:
    (line,) = ask.house.lines(sight, ask.lang, number, number)
    return PlayerNotice(line.text, url, said(ask, link))
