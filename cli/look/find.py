"""Recorded matches found again: by clause, card, player, finding, ruling, day, or by what was done in them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, get_args

from msgspec import Struct
from msgspec.structs import replace

from archive.corpus.sources import Bad, Source, Stored, count, id_of, load, newest_first, sources, stored
from cli import files
from cli.answer import Answer
from cli.context import Desk
from cli.progress import Asked, Long
from cli.values import Viewer
from domain.formats.errors import unknown
from domain.games import GAMES
from domain.judging.audit.finding import FindingKind
from domain.law import disputes as D
from domain.law.logged import Logged
from domain.law.record import Record
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import JUDGE
from domain.words import LANGS, Text
from projections.moments import stamp
from projections.phrases import NO_NAMES
from projections.rows import INDENT
from projections.seen_entries import seen_entries
from projections.timeline import entry_words
from projections.when import fresh_entries
from recorder.finding import asking, scanning
from recorder.finding.following import SUFFIX, Finder
from recorder.finding.rows import Found, Limits, Wanted, plain
from service.search import indexing
from service.search.indexing import day_begins, faces_called

SHOWN_MAX = 3
"""How many entries or findings of a match are shown for people; `--json` has all that were told."""
NEWEST = 50


class Did(Struct, frozen=True):
    """Something that was done, by the number of its entry, in words of both languages."""

    entry: int
    en: str
    ja: str


class FoundMatch(Struct, frozen=True, omit_defaults=True):
    """A match that was found, where it lies, and what was done in it that was asked for."""

    name: str
    found: Found
    did: tuple[Did, ...] = ()


class Sought(Struct, frozen=True, kw_only=True):
    """What is looked for in entries: words, things that arrived in the same turn, how a dispute was ruled or ended."""

    words: tuple[str, ...] = ()
    fresh: bool = False
    ruling: str = ""
    outcome: str = ""

    def __bool__(self) -> bool:
        return bool(self.words or self.fresh or self.ruling or self.outcome)

    @property
    def kind(self) -> type[Logged] | None:
        """The kind of entry that a match with any of it holds, if there is one."""
        return D.Decided if self.outcome else D.Ruled if self.ruling else None


def find(
    desk: Desk,
    paths: Annotated[list[str] | None, "PATH..."] = None,
    clause: Annotated[str, "--clause CLAUSE"] = "",
    kind: Annotated[str, "--finding KIND"] = "",
    card: Annotated[str, "--card NAME"] = "",
    player: Annotated[str, "--player NAME"] = "",
    event: Annotated[str, "--event TEXT"] = "",
    game: Annotated[str, "--game GAME"] = "",
    since: Annotated[str, "--since DAY"] = "",
    until: Annotated[str, "--until DAY"] = "",
    did: Annotated[str, "--did WORDS"] = "",
    fresh: Annotated[bool, "--fresh"] = False,
    ruling: Annotated[str, "--ruling VERDICT"] = "",
    ended: Annotated[str, "--outcome OUTCOME"] = "",
    limit: Annotated[int, "--limit N", {"min": 1}] = NEWEST,
    index: Annotated[bool, "--index"] = False,
    viewer: Viewer = SPECTATOR,
    progress: Asked = False,
) -> Answer[tuple[FoundMatch, ...]]:
    """Find recorded matches: in the store, or in these stores, folders, files and corpora."""
    first, last = check(desk, kind=kind, ruling=ruling, ended=ended, game=game, viewer=viewer, since=since, until=until)
    wanted = Wanted(
        clause=clause,
        kind=kind,
        faces=faces_called((game,) if game else tuple(GAMES), card) if card else None,
        player=player,
        event=event,
        game=game,
        since=first,
        before=None if last is None else last + indexing.DAY_MS,
    )
    sought = Sought(words=tuple(plain(did).split()), fresh=fresh, ruling=ruling, outcome=ended)
    if index and paths:
        raise desk.problem("cli.not_both", one="--index", other="PATH")
    named, limits, bad = files.require_paths(desk, paths or []), Limits(hidden=viewer == JUDGE), list[str]()
    rows: Iterable[FoundMatch]
    if named or sought or not _has_index(desk, index):
        desk.screen.pages = False  # each match is told as it is found: nobody waits until a screen is full
        coming = sources(named) if named else _coming(desk, wanted, sought, limits, index)
        rows = _scan(desk, coming, lambda: _count(desk, named, coming), wanted, sought, limits, limit, bad, progress)
    else:
        with _finder(desk) as finder:
            rows = [FoundMatch(row.match, row) for row in asking.find(finder, wanted, limits, limit=limit)]
    return Answer(lambda: tuple(rows), lambda: draw_found(desk, rows), beside=lambda: desk.warn(*bad))


def check(
    desk: Desk, *, kind: str, ruling: str, ended: str, game: str, viewer: str, since: str, until: str
) -> tuple[int | None, int | None]:
    """When the days begin that are asked for. Raises Problem for a word that nothing is called."""
    for what, word, allowed in (
        (Text("noun.finding_kind"), kind, get_args(FindingKind)),
        (Text("noun.verdict"), ruling, get_args(D.Verdict)),
        (Text("noun.outcome"), ended, get_args(D.Outcome)),
        (Text("noun.game"), game, GAMES),
    ):
        if word and word not in allowed:
            raise desk.refuse(unknown(what, word, allowed))
    if viewer not in (SPECTATOR, JUDGE):
        raise desk.refuse(unknown("viewer", viewer, (SPECTATOR, JUDGE)))
    with desk.refusing():
        return day_begins("since", since, desk.zone), day_begins("until", until, desk.zone)


def _has_index(desk: Desk, index: bool) -> bool:
    """Is there an index of the store, or is there to be one?"""
    with desk.store() as store:
        return index or Path(f"{store.beside}{SUFFIX}").exists()


@contextmanager
def _finder(desk: Desk) -> Iterator[Finder]:
    """The store's index, as far as the store goes now."""
    with desk.store() as store, desk.refusing(), Finder(store, indexing.look, indexing.law_digest()) as finder:
        finder.catch_up()
        yield finder


def _coming(desk: Desk, wanted: Wanted, sought: Sought, limits: Limits, index: bool) -> Iterable[Source]:
    """The matches of the store in which it is worth to look, the newest first, by its entries' kinds and its index."""
    with desk.store() as store:
        where, names = store.name, None if sought.kind is None else store.having(sought.kind)[::-1]
    if _has_index(desk, index):
        with _finder(desk) as finder:
            verbs = tuple(asking.verbs(finder).intersection(sought.words))
            held = asking.worth_a_look(finder, replace(wanted, fresh=sought.fresh, verbs=verbs), limits)
        worth = frozenset(held)
        names = [name for name in (held if names is None else names) if name in worth]
    return newest_first(where) if names is None else [stored(where, name) for name in names]


def _scan(
    desk: Desk,
    coming: Iterable[Source],
    many: Callable[[], int],
    wanted: Wanted,
    sought: Sought,
    limits: Limits,
    limit: int,
    bad: list[str],
    progress: bool,
) -> Iterator[FoundMatch]:
    """The matches as they are come upon; what cannot be read is said in `bad`."""
    with Long(desk, "find.progress", many, progress) as long:
        for source in long.steps(coming):
            record = load(source)
            if isinstance(record, Bad):
                bad.append(f"{record.name}: {record.why.say(desk.lang)}")
            elif (match := look_through(source, record, wanted, sought, limits)) is not None:
                yield match
                limit -= 1
                if not limit:
                    return


def _count(desk: Desk, named: list[str], coming: Iterable[Source]) -> int:
    """How many matches are looked through."""
    if isinstance(coming, list):
        return len(coming)
    if named:
        return count(named)
    with desk.store() as store:
        return store.count()


def look_through(source: Source, record: Record, wanted: Wanted, sought: Sought, limits: Limits) -> FoundMatch | None:
    """A match as it is found by what stands in it; None where it is not wanted.

    A spectator finds what spectators saw, a judge all.
    """
    match, entries = id_of(source, record), tuple(record.entries)
    whole = not isinstance(source.place, Stored)
    rows = indexing.look_first(entries, whole)
    if not scanning.is_worth_a_look(rows, wanted, limits):
        return None
    if wanted.clause or wanted.kind or wanted.faces is not None:
        rows = indexing.look(match, entries, whole)
    found = scanning.find_in(match, rows, wanted, limits)
    if found is None or not sought:
        return None if found is None else FoundMatch(source.name, found)
    did = tuple(_did(record, record.eyes(JUDGE if limits.hidden else SPECTATOR), sought))
    return FoundMatch(source.name, found, did) if did else None


def _did(record: Record, eyes: Eyes, sought: Sought) -> Iterator[Did]:
    """The entries that are asked for."""
    for entry, fresh in fresh_entries(record, seen_entries(record, eyes)):
        if sought.fresh and not fresh:
            continue
        if sought.ruling and entry.verdict != sought.ruling:
            continue
        if sought.outcome and entry.outcome != sought.outcome:
            continue
        lines = {lang: entry_words(record.game, entry, lang, record.names) for lang in LANGS}
        by_seat = (entry_words(record.game, entry, lang, NO_NAMES) for lang in LANGS)
        texts = [" ".join((line.text, *(fact.text for fact in line.facts))) for line in (*lines.values(), *by_seat)]
        verb = "" if entry.action is None else entry.action.verb
        told = [plain(f"{verb} {text}") for text in texts]
        if sought.words and not any(all(word in text for word in sought.words) for text in told):
            continue
        yield Did(entry.number, lines["en"].text, lines["ja"].text)


def draw_found(desk: Desk, matches: Iterable[FoundMatch]) -> None:
    """Matches that were found, each as soon as it is."""
    nothing = True
    for match in matches:
        nothing = False
        desk.screen.status()
        desk.screen.line(INDENT.join(_head(desk, match)), "heading")
        if told := _told(desk, match):
            desk.screen.line(INDENT + told)
        desk.screen.out.flush()
    if nothing:
        desk.tell("find.nothing")


def _head(desk: Desk, match: FoundMatch) -> list[str]:
    found = match.found
    names, opened = " - ".join(found.names.values()), stamp(found.at, "%Y-%m-%d %H:%M", desk.zone)
    return [part for part in (match.name, f"{found.game}@{found.version}", names, opened) if part]


def _told(desk: Desk, match: FoundMatch) -> str:
    """What was found in a match, as far as a line holds it."""
    found = match.found
    hits = [f"{hit.entry} {hit.clause}" for hit in found.hits]
    hits += [f"{did.entry} {desk.pick(did.en, did.ja)}" for did in match.did]
    uses = desk.say("find.told", n=found.uses) if found.uses else ""
    more = desk.say("find.and_more", n=len(hits) - SHOWN_MAX) if len(hits) > SHOWN_MAX else ""
    return desk.say("list.semicolon").join(text for text in (uses, *hits[:SHOWN_MAX], more) if text)
