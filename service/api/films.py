"""Films of matches: what has been, a stretch at a time."""

from typing import Annotated, Final

from msgspec import Meta, field

from domain.law.entries import Closed
from domain.table.redact import SPECTATOR
from domain.words import Lang, Text
from service.access import ANYBODY
from service.api.seeing import MATCH, OPEN, UNSEEN, Query, tell_tagged
from service.asking import NUMBER_MAX, Ask, Reply, Route
from service.draw.film import CHUNK
from service.films import SentFilm, Stretch
from service.house import Sight
from service.problems import halt
from service.security import NO_STORE
from service.tags import drawing

FOREVER: Final = "public, max-age=31536000, immutable"
"""How long what never changes is kept by anybody."""


class FilmQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which chunk, by its first entry or any other; `v`: by what it was drawn, if that is known."""

    first: Annotated[int, Meta(ge=1, le=NUMBER_MAX)] = field(name="from", default=1)
    last: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = field(name="to", default=0)
    lang: Lang = "en"
    v: str = ""


def show(ask: Ask, query: FilmQuery, body: None) -> Reply:
    """A film of the chunk that an entry belongs to."""
    sight = ask.look(query.viewer, bare=True)
    if query.first > sight.head:
        raise halt("unknown", Text("match.no_entry", {"entry": query.first, "last": sight.head}))
    stretch = Stretch(ask.house, sight, query.lang, query.first)
    if query.last and not query.first <= query.last <= stretch.first + CHUNK - 1:
        raise halt("unreadable", Text("live.chunk", {"first": query.first, "last": query.last, "chunk": CHUNK}))
    keep = NO_STORE if not is_for_all(ask, sight) else FOREVER if query.v == drawing() else OPEN
    return tell_tagged(ask, stretch.tag, stretch.draw, {"Cache-Control": keep})


def is_for_all(ask: Ask, sight: Sight) -> bool:
    """Is this what everybody may see by now, of a match that is closed?"""
    closed = isinstance(sight.match.entries[-1], Closed)
    return closed and sight.eyes.viewer == SPECTATOR and ask.house.visible(ANYBODY, sight.match.entries) == sight.head


ROUTES: Final = (
    Route(
        method="GET", path=f"{MATCH}/film", operation="see", call=show, query=FilmQuery, answer=SentFilm,
        limit="films", problems=UNSEEN, tagged=True,
        says="A stretch of a match as markup: every strip shown in it once, and entry by entry which ones change.",
    ),
)  # fmt: skip
