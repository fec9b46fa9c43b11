"""Notices on a player's page: rulings, penalties, rewind requests and the last rewind."""

from collections.abc import Iterator

from msgspec import Struct

from domain.law.docket import Docket, docket_of
from domain.law.entries import Played, Rewound
from domain.table.table import CHANCE
from projections.docket_words import penalty_words
from projections.penalties import see_penalties
from projections.phrases import seat_name
from recorder.remarks import find_rewind_request
from service.access import may
from service.context import MatchView
from service.disputes.rewind_page import request_state
from service.match.layout import match_urls
from service.pages import translate
from service.requests import Request


class PlayerNotice(Struct, frozen=True):
    """A notice in words, and the URL to read on or appeal."""

    words: str
    url: str
    link: str


def list_notices(request: Request, view: MatchView) -> tuple[PlayerNotice, ...]:
    docket = docket_of(view.match.entries)
    return (
        *_list_requests(request, view),
        *_list_rewinds(request, view),
        *_list_disputes(request, view, docket),
        *_list_penalties(request, view, docket),
    )


def _list_requests(request: Request, view: MatchView) -> Iterator[PlayerNotice]:
    pending = find_rewind_request(view.match.entries)
    if pending is not None and not view.match.closed and request_state(request, pending) == "open":
        by = seat_name(view.match.names, pending.by, request.lang)
        words = translate(request, "notice.request", by=by, n=pending.to)
        url = match_urls(request, view).moment_url(pending.to)
        yield PlayerNotice(words, url, translate(request, "notice.look"))


def _list_rewinds(request: Request, view: MatchView) -> Iterator[PlayerNotice]:
    """Yield the last rewind until play goes on."""
    for number, entry in reversed([*enumerate(view.match.entries, start=1)]):
        if isinstance(entry, Played) and entry.actor != CHANCE:
            return
        if isinstance(entry, Rewound):
            yield _make_notice(request, view, number, match_urls(request, view).moment_url(number), "notice.look")
            return


def _list_disputes(request: Request, view: MatchView, docket: Docket) -> Iterator[PlayerNotice]:
    """Yield the last entry of each dispute, newest first. A ruling links to its appeal."""
    appeals = not view.match.closed and may(request.session, "dispute", view.match.id)
    for dispute in sorted(docket.disputes.values(), key=lambda each: each.last, reverse=True):
        url = match_urls(request, view).entry_url("disputes", dispute.number)
        if appeals and dispute.standing == "ruled":
            yield _make_notice(request, view, dispute.last, f"{url}#appeal", "disputes.appeal")
        else:
            yield _make_notice(request, view, dispute.last, url, "notice.dispute")


def _list_penalties(request: Request, view: MatchView, docket: Docket) -> Iterator[PlayerNotice]:
    match, penalties = view.match, [each for each in docket.penalties if each[1].seat == view.eyes.viewer]
    seen = see_penalties(match.opening.policy, (penalty for _, penalty in penalties))
    for penalty in reversed(seen):
        words = penalty_words(penalty, request.lang, match.names)
        yield PlayerNotice(
            translate(request, "notice.penalty", penalty=words),
            match_urls(request, view).match_url("penalties"),
            translate(request, "penalties.heading"),
        )


def _make_notice(request: Request, view: MatchView, number: int, url: str, link: str) -> PlayerNotice:
    (line,) = request.context.lines(view, request.lang, number, number)
    return PlayerNotice(line.text, url, translate(request, link))
