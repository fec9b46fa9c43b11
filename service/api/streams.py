"""Streams of matches: what is recorded from now on."""

from typing import Final

from domain.words import Lang, Text
from service import events, live
from service.api.seeing import MATCH, UNSEEN, Query
from service.asking import NUMBER_DIGITS, Ask, Reply, Route
from service.problems import halt


class LiveQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """From behind which entry on, in which language."""

    after: str = ""
    lang: Lang = "en"


def follow(ask: Ask, query: LiveQuery, body: None) -> Reply:
    """Begin a stream: behind the entry named by the address or, if that is later, by the last event that came."""
    sight = ask.look(query.viewer)
    places = [("after", query.after), ("Last-Event-ID", ask.headers.get("last-event-id", ""))]
    named = [entry_number(name, text) for name, text in places if text]
    after = max(named, default=sight.head)
    gap = not 0 <= sight.head - after <= live.MOST
    viewer, at = sight.eyes.viewer, sight.head if gap else after
    follower = live.Watcher(ask.session, sight.match.id, viewer, query.lang, at, gap, judges=sight.judges)
    return Reply(follower, kind=events.KIND)


def entry_number(name: str, text: str) -> int:
    """The number of an entry that a client says it has. Halts where it is none."""
    if not (text.isascii() and text.isdecimal() and len(text) <= NUMBER_DIGITS):
        raise halt("unreadable", Text("live.number", {"name": name}))
    return int(text)


ROUTES: Final = (
    Route(
        method="GET", path=f"{MATCH}/live", operation="see", call=follow, query=LiveQuery, kind=events.KIND,
        problems=(*UNSEEN, "crowded"), says="What is recorded from now on, as server-sent events.",
    ),
)  # fmt: skip
