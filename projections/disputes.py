"""The disputes of a match for one viewer, with claims, rulings, appeals and decisions."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, tzinfo
from itertools import islice

from msgspec import Struct

from domain.law import disputes as D
from domain.law.docket import PENDING, Dispute, Standing, docket_of
from domain.law.entries import Closed, Entry, Noted, Rewound, line
from domain.law.game import Game
from domain.law.record import Record
from domain.law.remarks import kind_of
from domain.table.redact import TableViewer
from domain.table.table import Seat
from domain.words import Lang, say
from projections.docket_words import matter_words
from projections.moments import stamp
from projections.phrases import Names
from projections.rows import Cell, Row
from projections.seen_entries import SeenEntry, seen_entry
from projections.timeline import entry_words


class SeenDispute(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A dispute with its state, its subject and all its entries in order. `left` is True if a rewind undid the disputed
    entry. `final` is True if the match is closed, so that rulings can no longer change."""

    viewer: Seat
    match: str
    dispute: int
    standing: Standing
    matter: D.Matter
    entries: tuple[SeenEntry, ...]
    left: bool = False
    final: bool = False

    @property
    def pending(self) -> bool:
        """True if a ruling or a decision is awaited."""
        return self.standing in PENDING


def seen_disputes(
    record: Record, match: str, eyes: TableViewer, by: str | None = None, *, judges: bool = False
) -> tuple[SeenDispute, ...]:
    """Return the disputes of a record, oldest first; `by` and `judges` are as in `seen_entry`."""
    docket = docket_of(record.entries)
    if not docket.disputes:
        return ()
    on_line, nothing = frozenset(line(record.entries)), record.after(0)
    own: dict[int, list[SeenEntry]] = {number: [] for number in docket.disputes}
    for number, entry in enumerate(record.entries, start=1):
        if isinstance(entry, D.Disputed | D.AnyRuling | D.Appealed):
            # these entries have no facts, so the table does not matter
            policy = record.opening.policy
            seen = seen_entry(record.game, eyes, number, entry, nothing, by=by, policy=policy, judges=judges)
            own.get(entry.dispute or number, []).append(seen)
    closed = isinstance(record.entries[-1], Closed)
    return tuple(
        SeenDispute(
            viewer=eyes.viewer,
            match=match,
            dispute=number,
            standing=dispute.standing,
            matter=dispute.matter,
            entries=tuple(own[number]),
            left=bool(dispute.matter.entry)
            and dispute.matter.entry not in on_line
            and not _is_taken_back(record, dispute),
            final=closed,
        )
        for number, dispute in docket.disputes.items()
    )


def _is_taken_back(record: Record, dispute: Dispute) -> bool:
    about, entries = dispute.matter.entry, record.entries
    return any(
        isinstance(ruled := entries[number - 1], D.AnyRuling)
        and ruled.repair.kind == "rewind"
        and about in line(entries, number)
        and about not in line(entries, number + 1)
        for number in (*dispute.rulings, dispute.decision)
        if number
    )


def seen_rewinds(
    record: Record, eyes: TableViewer, dispute: SeenDispute, by: str | None = None, *, judges: bool = False
) -> tuple[SeenEntry, ...]:
    """Return the rewind requests of a dispute's rulings with their answers, and the rewinds applied. A request is
    omitted for viewers who may not read it."""
    nothing, numbers = record.after(0), [*_list_rewinds(record.entries, dispute)]
    seen = (seen_entry(record.game, eyes, n, record.entries[n - 1], nothing, by=by, judges=judges) for n in numbers)
    return tuple(entry for entry in seen if entry.seen != "noted" or entry.text)


def _list_rewinds(entries: Sequence[Entry], dispute: SeenDispute) -> Iterator[int]:
    """Yield the numbers of the rewinds and requests that directly follow a ruling, and of the requests' answers. The
    next rewind, or a refusal about the request, answers it."""
    for ruled in dispute.entries:
        number = ruled.number + 1
        if ruled.verdict is None or number > len(entries):
            continue
        after = entries[number - 1]
        if isinstance(after, Rewound):
            yield number
        elif isinstance(after, Noted) and after.by == ruled.by and kind_of(after.text) == "rewind":
            yield number
            yield from islice(_list_answers(entries, number), 1)


def _list_answers(entries: Sequence[Entry], request: int) -> Iterator[int]:
    for number, entry in enumerate(entries[request:], start=request + 1):
        kind = kind_of(entry.text) if isinstance(entry, Noted) else None
        if kind == "rewind":
            return
        if isinstance(entry, Rewound) or (isinstance(entry, Noted) and kind == "refused" and entry.about == request):
            yield number


def seen_seal_changes(record: Record, eyes: TableViewer, dispute: SeenDispute) -> tuple[SeenEntry, ...]:
    """Return the entries that broke or restored a seal during a dispute, up to its last entry if closed."""
    last = dispute.entries[-1].number if dispute.standing == "closed" else len(record.entries)
    nothing = record.after(0)
    return tuple(
        seen_entry(record.game, eyes, number, entry, nothing)
        for number, entry in enumerate(record.entries[:last], start=1)
        if number > dispute.dispute and isinstance(entry, D.Unsealed | D.Sealed)
    )


def render_disputes(
    game: Game, disputes: Iterable[SeenDispute], names: Names, lang: Lang, zone: tzinfo | None = UTC
) -> list[Row]:
    rows: list[Row] = []
    for dispute in disputes:
        standing = say(f"standing.{dispute.standing}", lang)
        values = {"match": dispute.match, "dispute": dispute.dispute, "matter": matter_words(dispute.matter, lang)}
        cells = [Cell(say("dispute.heading", lang, **values)), Cell(standing, "state")]
        if dispute.left:
            cells.append(Cell(say("line.left", lang), "left"))
        rows.append(Row("heading", tuple(cells)))
        for entry in dispute.entries:
            text = entry_words(game, entry, lang, names).text
            time = Cell(stamp(entry.at, "%H:%M:%S %Z", zone), "time")
            rows.append(Row("entry", (Cell(str(entry.number), "number"), time, Cell(text, entry.seen)), 1))
    return rows
