"""Entries of a match as events of its stream."""

from typing import Final

from domain.law.entries import Rewound, tables_between
from domain.table.table import Seat, Table
from domain.words import Lang
from projections import retrospective_view
from recorder.match_loader import LoadedMatch
from service.addresses import make_link_patterns, match_urls_of
from service.drawing.timeline import DeltaEncoder
from service.drawing.times import BROWSER_TIMES, Times
from service.live.event_stream import event

REWOUND: Final = "rewound"


class Feed:
    """Draws the entries of a match for one viewer and language, continuing where it stopped."""

    def __init__(self, viewer: Seat, lang: Lang, times: Times = BROWSER_TIMES, judges: bool = False) -> None:
        self._viewer, self._lang, self._times, self._judges = viewer, lang, times, judges
        self._encoder: DeltaEncoder | None = None
        self._at = 0
        self._table: Table | None = None

    def frames(self, match: LoadedMatch, first: int, last: int) -> list[bytes]:
        """Return the events of a range of entries. They reveal nothing of later entries."""
        encoder, table = self._encoder, self._table
        if encoder is None or table is None or self._at != first - 1:
            urls = match_urls_of(self._lang, match.id, self._viewer)
            link_patterns = make_link_patterns(match, urls, self._times)
            encoder = DeltaEncoder(match, match.eyes(self._viewer), self._lang, link_patterns, self._judges)
            table = match.after(first - 1)
            if first > 1:
                encoder.begin(first - 1, table)
        self._encoder = None  # until all is drawn: after an error the next call starts over
        events, looks_back = list[bytes](), match.eyes(self._viewer).look_back is not None
        for number, entry, before, after in tables_between(match.entries, first, last, table):
            picture, table = encoder.show(number, entry, before, after), after
            data: dict[str, object] = {"n": number, "strips": picture.strips, "log": picture.log, "say": picture.says}
            changes_past = isinstance(entry, Rewound) or (looks_back and retrospective_view.discloses_face(entry))
            events.append(event(REWOUND if changes_past else "entry", data, number))
        self._encoder, self._at, self._table = encoder, last, table
        return events
