"""Rows of the search index: public facts of open matches, facts and findings of closed ones."""

import logging
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, date, datetime, tzinfo
from functools import cache
from hashlib import sha256
from typing import Final

import msgspec

from domain.games import GAMES
from domain.judging.audit import audit
from domain.judging.rejudging.skipping import code_digest
from domain.law import disputes as D
from domain.law.entries import Closed, Entry, entry_facts, faces, last_described, line, opened_of
from domain.law.record import Record
from domain.table.table import JUDGE
from domain.words import LANGS, Text, TextError
from domain.words.foreign import quoted
from projections.seen_entries import seen_entries
from projections.thing_history import mark_fresh_entries
from recorder.finding.rows import ActionRow, ClauseUseRow, FaceRow, HitRow, Rows, RulingRow, plain
from recorder.laws import law_of

LOG: Final = logging.getLogger(__name__)
DAY_MS: Final = 86_400_000


@cache
def law_digest() -> str:
    """Return a hash of the code that judges. When it changes, all matches are indexed again."""
    return sha256("\n".join(f"{key} {code_digest(key)}" for key in sorted(GAMES)).encode()).hexdigest()


def opening_rows(entries: tuple[Entry, ...], whole: bool = False) -> Rows:
    """Return the rows that need no rules: players, game, time, and whether the match is closed. `whole` treats an open
    match as closed, as for a record in a file, which is fully visible anyway."""
    opened = opened_of(entries)
    rows = Rows(game=opened.game, version=opened.version, names=opened.names, event=opened.occasion.event, at=opened.at)
    if not (whole or isinstance(entries[-1], Closed)):
        return rows
    event = last_described(entries).occasion.event
    ends = max(entry.at for entry in entries)
    branch = bool(opened.parent)
    closed_rows = msgspec.structs.replace(rows, closed=ends, entries=len(entries), closed_event=event, branch=branch)
    return closed_rows if branch else msgspec.structs.replace(closed_rows, rulings=tuple(_list_rulings(entries)))


def _list_rulings(entries: Sequence[Entry]) -> Iterator[RulingRow]:
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, D.Ruled):
            yield RulingRow(number, entry.verdict)
        elif isinstance(entry, D.Decided):
            yield RulingRow(number, entry.verdict if entry.outcome == "overturned" else "", entry.outcome)


def index_rows(match: str, entries: tuple[Entry, ...], whole: bool = False) -> Rows:
    """Return the rows of a match. A branch shares hidden cards with its parent, so it is indexed like an open match. If
    the rules fail on a match, only its opening is indexed."""
    rows, opened = opening_rows(entries, whole), opened_of(entries)
    law = law_of(opened)
    if rows.closed < 0 or opened.parent or isinstance(law, Text):
        return rows
    record = Record(law, entries)
    try:
        return msgspec.structs.replace(rows, hits=_list_findings(record), **_index_facts(record))
    except Exception:
        LOG.exception("match %s cannot be indexed beyond its opening", match)
        return rows


def _index_facts(record: Record) -> dict[str, object]:
    """Return the index rows of clauses, cards and actions, and which of them were public."""
    uses = Counter(clause for entry in record.entries for clause, _ in entry_facts(entry))
    seen: Counter[str] = Counter()
    shown: set[str] = set()
    fresh: set[int] = set()
    for entry, is_fresh in mark_fresh_entries(record, seen_entries(record, record.eyes(), flow=True)):
        seen.update(fact.clause for fact in entry.facts)
        shown.update(_find_faces(msgspec.to_builtins((entry.action, entry.facts))))
        if is_fresh:
            fresh.add(entry.number)
    return {
        "deeds": tuple(_list_actions(record, fresh)),
        "clauses": tuple(ClauseUseRow(clause, uses[clause], seen[clause]) for clause in sorted(uses)),
        "cards": tuple(FaceRow(face, face in shown) for face in sorted(faces(record.entries))),
    }


def _list_actions(record: Record, seen: Collection[int]) -> Iterator[ActionRow]:
    """Yield the actions that name a thing which arrived in the same turn, in everyone's view or in the judge's."""
    for entry, fresh in mark_fresh_entries(record, seen_entries(record, record.eyes(JUDGE))):
        if entry.action is not None and (fresh or entry.number in seen):
            yield ActionRow(entry.number, entry.action.verb, entry.number in seen, fresh)


def _list_findings(record: Record) -> tuple[HitRow, ...]:
    standing = frozenset(line(record.entries))
    findings = audit(record.game, record.entries).findings
    counted = (row for row in findings if row.certainty != "excluded")
    return tuple(HitRow(row.entry, row.kind, row.clause, row.entry not in standing) for row in counted)


def _find_faces(value: object) -> Iterator[str]:
    match value:
        case dict():
            for name, inner in value.items():
                if name == "face" and isinstance(inner, str):
                    yield inner
                else:
                    yield from _find_faces(inner)
        case list() | tuple():
            for inner in value:
                yield from _find_faces(inner)
        case _:
            pass


def faces_named(games: Sequence[str], card: str) -> tuple[str, ...]:
    """Return the faces with this name in either language, or those whose names contain it."""
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


def day_begins(name: str, text: str, zone: tzinfo | None = UTC) -> int | None:
    """Return when a day begins in a time zone, in milliseconds; None without a day. Zone None is the machine's. Raises
    TextError, with the name of the day."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise TextError(Text("find.no_day", {"name": name, "given": quoted(text)})) from None
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()) * 1000
