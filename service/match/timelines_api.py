"""API of timelines, by chunk."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta, field
from msgspec.structs import asdict

from domain.law.entries import Closed, Rewound
from domain.table.redact import SPECTATOR
from domain.words import Lang, Text
from projections import retrospective_view
from service.access import ANONYMOUS
from service.addresses import make_link_patterns, match_urls_of
from service.api import MATCH, REVALIDATE_PUBLIC, VIEW_PROBLEMS, Query, tagged_response
from service.context import AppContext, MatchView
from service.drawing.timeline import CHUNK, Film, Snapshot, chunk
from service.problems import http_problem
from service.requests import NUMBER_MAX, Request, Response, Route
from service.security import NO_STORE


class SentFilm(Film, frozen=True):
    """A timeline, and the version of its drawing."""

    v: str


class TimelineChunk:
    """One chunk of a match, up to the last visible entry, for a viewer and a language."""

    def __init__(self, context: AppContext, view: MatchView, lang: Lang, number: int) -> None:
        self._context, self._view, self._lang = context, view, lang
        self.first, self.last = chunk(number, view.head)
        entries = enumerate(view.match.entries, start=1)
        # A rewind changes the log lines of much earlier entries.
        rewound = max((at for at, entry in entries if isinstance(entry, Rewound)), default=0)
        since = max(rewound, retrospective_view.find_last_disclosure(view.eyes, view.match.entries))
        viewer = f"{view.eyes.viewer}+judge" if view.judges else view.eyes.viewer
        self._snapshot_key = (view.match.id, self.first, since, viewer, lang)
        self._key = (view.match.id, self.first, self.last, since, viewer, lang)
        self.tag = f'"{".".join(map(str, self._key))}.{context.drawing_version}"'

    def draw(self) -> bytes:
        """Return the timeline from the cache, or draw what is new in it."""
        return self._context.timelines.make(self._key, self._draw)

    def _draw(self) -> bytes:
        snapshot = self._context.snapshots.make(self._snapshot_key, self._begin)
        return msgspec.json.encode(
            SentFilm(**asdict(snapshot.upto(self._view.match, self.last)), v=self._context.drawing_version)
        )

    def _begin(self) -> Snapshot:
        match, eyes = self._view.match, self._view.eyes
        link_patterns = make_link_patterns(match, match_urls_of(self._lang, match.id, eyes.viewer), self._context.times)
        return Snapshot(match, eyes, self._lang, self.first, link_patterns, self._view.judges)


FOREVER: Final = "public, max-age=31536000, immutable"
"""Cache header of a timeline that never changes."""


class FilmQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Chunk that contains entry `from`. `to` must be in the same chunk, and does not shorten the response. `v` is the
    version of the drawing, if known."""

    first: Annotated[int, Meta(ge=1, le=NUMBER_MAX)] = field(name="from", default=1)
    last: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = field(name="to", default=0)
    lang: Lang = "en"
    v: str = ""


def show_timeline(request: Request, query: FilmQuery, body: None) -> Response:
    view = request.look(query.viewer, bare=True)
    if query.first > view.head:
        raise http_problem("unknown", Text("match.no_entry", {"entry": query.first, "last": view.head}))
    timeline = TimelineChunk(request.context, view, query.lang, query.first)
    if query.last and not query.first <= query.last <= timeline.first + CHUNK - 1:
        raise http_problem("unreadable", Text("live.chunk", {"first": query.first, "last": query.last, "chunk": CHUNK}))
    cache_control = (
        NO_STORE
        if not is_for_all(request, view)
        else FOREVER
        if query.v == request.context.drawing_version
        else REVALIDATE_PUBLIC
    )
    return tagged_response(request, timeline.tag, timeline.draw, {"Cache-Control": cache_control})


def is_for_all(request: Request, view: MatchView) -> bool:
    """True for a spectator's view of a closed match after the delay. A judge of the match sees more in it."""
    if view.judges:
        return False
    closed = isinstance(view.match.entries[-1], Closed)
    return (
        closed
        and view.eyes.viewer == SPECTATOR
        and request.context.count_visible(ANONYMOUS, view.match.entries) == view.head
    )


ROUTES: Final = (
    Route(
        method="GET", path=f"{MATCH}/film", operation="see", call=show_timeline, query=FilmQuery, answer=SentFilm,
        limit="films", problems=VIEW_PROBLEMS, tagged=True,
        says="Return a range of entries as markup: each strip once, and the strips that each entry changes.",
    ),
)  # fmt: skip
