"""Search for recorded matches by clause, card, player, finding, ruling, date or action."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, get_args

from msgspec import Struct
from msgspec.structs import replace

from archive.corpus.sources import (
    Source,
    StoreLocation,
    UnreadableMatch,
    count,
    id_of,
    list_newest,
    load,
    make_store_source,
    sources,
)
from cli import files
from cli.answer import Answer
from cli.context import CommandContext
from cli.progress import Asked, LongTask
from cli.values import Viewer
from domain.formats.errors import explain_unknown
from domain.games import GAMES
from domain.judging.audit.audit_findings import FindingKind
from domain.law import disputes as D
from domain.law.logged import Logged
from domain.law.record import Record
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, Seat
from domain.words import LANGS, Text
from projections.moments import stamp
from projections.phrases import NO_NAMES
from projections.rows import INDENT
from projections.seen_entries import seen_entries
from projections.thing_history import mark_fresh_entries
from projections.timeline import entry_words
from recorder.finding import index_queries, scanning
from recorder.finding.index_follower import SUFFIX, SearchIndex
from recorder.finding.rows import MatchHit, MatchQuery, SearchLimits, plain
from service.search import indexing
from service.search.indexing import day_begins, faces_named

SHOWN_MAX = 3
"""Entries or findings of a match shown to people. `--json` has all."""
LIMIT_DEFAULT = 50
HTTP = "cli.remote.search:search"


class SearchDeed(Struct, frozen=True):
    """An entry that matches the query, in words of both languages."""

    entry: int
    en: str
    ja: str


class MatchSearchResult(Struct, frozen=True, omit_defaults=True):
    """A match that was found: its location, and the entries that match the query."""

    name: str
    found: MatchHit
    did: tuple[SearchDeed, ...] = ()


class FindOptions(Struct, frozen=True):
    """Options of a search. `kind` is the kind of a finding, `ended` the outcome of an appeal."""

    clause: Annotated[str, "--clause CLAUSE"] = ""
    kind: Annotated[str, "--finding KIND"] = ""
    card: Annotated[str, "--card NAME"] = ""
    player: Annotated[str, "--player NAME"] = ""
    event: Annotated[str, "--event TEXT"] = ""
    game: Annotated[str, "--game GAME"] = ""
    since: Annotated[str, "--since DAY"] = ""
    until: Annotated[str, "--until DAY"] = ""
    did: Annotated[str, "--did WORDS"] = ""
    fresh: Annotated[bool, "--fresh"] = False
    ruling: Annotated[str, "--ruling VERDICT"] = ""
    ended: Annotated[str, "--outcome OUTCOME"] = ""
    limit: Annotated[int, "--limit N", {"min": 1}] = LIMIT_DEFAULT
    index: Annotated[bool, "--index"] = False
    viewer: Viewer = SPECTATOR

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(plain(self.did).split())

    @property
    def has_entries(self) -> bool:
        return bool(self.words or self.fresh or self.ruling or self.ended)

    @property
    def entry_type(self) -> type[Logged] | None:
        """The entry type that every result must have, if any."""
        return D.Decided if self.ended else D.Ruled if self.ruling else None

    @property
    def limits(self) -> SearchLimits:
        return SearchLimits(hidden=self.viewer == JUDGE)


EVERYTHING = FindOptions()


def find(
    ctx: CommandContext,
    paths: Annotated[list[str] | None, "PATH..."] = None,
    asked: FindOptions = EVERYTHING,
    progress: Asked = False,
) -> Answer[tuple[MatchSearchResult, ...]]:
    wanted, bad = _read_wanted(ctx, asked), list[str]()
    rows: Iterable[MatchSearchResult]
    if ctx.is_remote and not paths:
        rows = resolve_name(HTTP)(ctx, asked)
    else:
        rows = _search(ctx, paths or [], wanted, asked, bad, progress)
    return Answer(lambda: tuple(rows), lambda: _draw(ctx, rows), beside=lambda: ctx.warn(*bad))


def _read_wanted(ctx: CommandContext, asked: FindOptions) -> MatchQuery:
    for what, word, allowed in (
        (Text("noun.finding_kind"), asked.kind, get_args(FindingKind)),
        (Text("noun.verdict"), asked.ruling, get_args(D.Verdict)),
        (Text("noun.outcome"), asked.ended, get_args(D.Outcome)),
        (Text("noun.game"), asked.game, GAMES),
    ):
        if word and word not in allowed:
            raise ctx.refuse(explain_unknown(what, word, allowed))
    if asked.viewer not in (SPECTATOR, JUDGE):
        raise ctx.refuse(explain_unknown("viewer", asked.viewer, (SPECTATOR, JUDGE)))
    first, last = day_begins("since", asked.since, ctx.zone), day_begins("until", asked.until, ctx.zone)
    return MatchQuery(
        clause=asked.clause,
        kind=asked.kind,
        faces=faces_named((asked.game,) if asked.game else tuple(GAMES), asked.card) if asked.card else None,
        player=asked.player,
        event=asked.event,
        game=asked.game,
        since=first,
        before=None if last is None else last + indexing.DAY_MS,
    )


def _search(
    ctx: CommandContext, paths: list[str], wanted: MatchQuery, asked: FindOptions, bad: list[str], progress: bool
) -> Iterable[MatchSearchResult]:
    if asked.index and paths:
        raise ctx.problem("cli.not_both", one="--index", other="PATH")
    named = files.require_paths(ctx, paths)
    if not (named or asked.has_entries) and _has_index(ctx, asked.index):
        with _open_search_index(ctx) as search_index:
            return [
                MatchSearchResult(row.match, row)
                for row in index_queries.find(search_index, wanted, asked.limits, limit=asked.limit)
            ]
    ctx.screen.pages = False  # results appear as they are found, not when a page is full
    candidates = sources(named) if named else _list_candidates(ctx, wanted, asked)
    task = LongTask(ctx, "find.progress", lambda: _count(ctx, named, candidates), progress)
    return _scan(ctx, candidates, task, wanted, asked, bad)


def _has_index(ctx: CommandContext, index: bool) -> bool:
    with ctx.store() as store:
        return index or Path(f"{store.local_prefix}{SUFFIX}").exists()


@contextmanager
def _open_search_index(ctx: CommandContext) -> Iterator[SearchIndex]:
    with (
        ctx.store() as store,
        ctx.convert_errors(),
        SearchIndex(store, indexing.index_rows, indexing.law_digest()) as search_index,
    ):
        search_index.catch_up()
        yield search_index


def _list_candidates(ctx: CommandContext, wanted: MatchQuery, asked: FindOptions) -> Iterable[Source]:
    with ctx.store() as store:
        where, names = store.name, None if asked.entry_type is None else store.list_matches_with(asked.entry_type)[::-1]
    if _has_index(ctx, asked.index):
        with _open_search_index(ctx) as search_index:
            verbs = tuple(index_queries.verbs(search_index).intersection(asked.words))
            candidates = index_queries.list_candidates(
                search_index, replace(wanted, fresh=asked.fresh, verbs=verbs), asked.limits
            )
        matching = frozenset(candidates)
        names = [name for name in (candidates if names is None else names) if name in matching]
    return list_newest(where) if names is None else [make_store_source(where, name) for name in names]


def _scan(
    ctx: CommandContext,
    coming: Iterable[Source],
    task: LongTask,
    wanted: MatchQuery,
    asked: FindOptions,
    bad: list[str],
) -> Iterator[MatchSearchResult]:
    left = asked.limit
    with task as long:
        for source in long.steps(coming):
            record = load(source)
            if isinstance(record, UnreadableMatch):
                bad.append(f"{record.name}: {record.why.say(ctx.lang)}")
            elif (match := search_match(source, record, wanted, asked)) is not None:
                yield match
                left -= 1
                if not left:
                    return


def _count(ctx: CommandContext, named: list[str], coming: Iterable[Source]) -> int:
    if isinstance(coming, list):
        return len(coming)
    if named:
        return count(named)
    with ctx.store() as store:
        return store.count()


def search_match(source: Source, record: Record, wanted: MatchQuery, asked: FindOptions) -> MatchSearchResult | None:
    """Return the search result for one match, or None. A spectator's search covers only what spectators saw."""
    match, entries, limits = id_of(source, record), tuple(record.entries), asked.limits
    whole = not isinstance(source.place, StoreLocation)
    rows = indexing.opening_rows(entries, whole)
    if not scanning.is_candidate(rows, wanted, limits):
        return None
    if wanted.clause or wanted.kind or wanted.faces is not None:
        rows = indexing.index_rows(match, entries, whole)
    found = scanning.find_in(match, rows, wanted, limits)
    if found is None or not asked.has_entries:
        return None if found is None else MatchSearchResult(source.name, found)
    did = tuple(_find_entries(record, record.eyes(Seat(asked.viewer)), asked))
    return MatchSearchResult(source.name, found, did) if did else None


def _find_entries(record: Record, eyes: TableViewer, asked: FindOptions) -> Iterator[SearchDeed]:
    words = asked.words
    for entry, fresh in mark_fresh_entries(record, seen_entries(record, eyes)):
        if (asked.fresh and not fresh) or (asked.ruling and entry.verdict != asked.ruling):
            continue
        if asked.ended and entry.outcome != asked.ended:
            continue
        lines = {lang: entry_words(record.game, entry, lang, record.names) for lang in LANGS}
        by_seat = (entry_words(record.game, entry, lang, NO_NAMES) for lang in LANGS)
        texts = [" ".join((line.text, *(fact.text for fact in line.facts))) for line in (*lines.values(), *by_seat)]
        verb = "" if entry.action is None else entry.action.verb
        plain_texts = [plain(f"{verb} {text}") for text in texts]
        if words and not any(all(word in text for word in words) for text in plain_texts):
            continue
        yield SearchDeed(entry.number, lines["en"].text, lines["ja"].text)


def _draw(ctx: CommandContext, matches: Iterable[MatchSearchResult]) -> None:
    nothing = True
    for match in matches:
        nothing = False
        ctx.screen.status()
        ctx.screen.line(INDENT.join(_head(ctx, match)), "heading")
        if hits := _format_hits(ctx, match):
            ctx.screen.line(INDENT + hits)
        ctx.screen.out.flush()
    if nothing:
        ctx.print_message("find.nothing")


def _head(ctx: CommandContext, match: MatchSearchResult) -> list[str]:
    found = match.found
    names, opened = " - ".join(found.names.values()), stamp(found.at, "%Y-%m-%d %H:%M", ctx.zone)
    return [part for part in (match.name, f"{found.game}@{found.version}", names, opened) if part]


def _format_hits(ctx: CommandContext, match: MatchSearchResult) -> str:
    found = match.found
    hits = [f"{hit.entry} {hit.clause}" for hit in found.hits]
    hits += [f"{did.entry} {ctx.pick(did.en, did.ja)}" for did in match.did]
    uses = ctx.say("find.told", n=found.uses) if found.uses else ""
    more = ctx.say("find.and_more", n=len(hits) - SHOWN_MAX) if len(hits) > SHOWN_MAX else ""
    return ctx.say("list.semicolon").join(text for text in (uses, *hits[:SHOWN_MAX], more) if text)
