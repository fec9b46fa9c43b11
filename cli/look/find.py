"""Recorded matches found again: by clause, card, player, finding, ruling, day, or by what was done in them."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, get_args

from msgspec import Struct
from msgspec.structs import replace

from cli import files
from cli.answer import Answer
from cli.context import Desk, is_open
from cli.progress import Asked, Long
from cli.values import Viewer
from corpus.sources import Bad, Source, Stored, count, id_of, load, sources
from domain.formats.errors import unknown
from domain.games import GAMES
from domain.judging.audit.finding import FindingKind
from domain.law import disputes as D
from domain.law.entries import line
from domain.law.record import Record
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import JUDGE
from domain.words import LANGS, Text
from projections.moments import moments, stamp
from projections.seen_entries import SeenEntry, seen_entries
from projections.timeline import entry_words
from projections.when import arrivals_in
from recorder.finding import asking, scanning
from recorder.finding.following import SUFFIX, Finder
from recorder.finding.rows import Found, Limits, Wanted, plain
from service import finding
from service.finding import day_begins, faces_called

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
        before=None if last is None else last + finding.DAY_MS,
    )
    sought = Sought(words=tuple(plain(did).split()), fresh=fresh, ruling=ruling, outcome=ended)
    if index and paths:
        raise desk.problem("cli.not_both", one="--index", other="PATH")
    found, bad = _found(desk, files.require_paths(desk, paths or []), wanted, sought, viewer, limit, index, progress)
    return Answer(lambda: found, lambda: draw_found(desk, found), beside=lambda: desk.warn(*bad))


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
        return day_begins("since", since), day_begins("until", until)


def _found(
    desk: Desk, paths: list[str], wanted: Wanted, sought: Sought, viewer: str, limit: int, index: bool, progress: bool
) -> tuple[tuple[FoundMatch, ...], list[str]]:
    """The matches, and those that could not be read. The store's index answers where there is one and it can."""
    limits = Limits(hidden=viewer == JUDGE)
    bad: list[str] = []
    if not paths:
        with desk.store() as store:
            if index or (not sought and Path(f"{store.name}{SUFFIX}").exists()):
                with desk.refusing(), Finder(store, finding.look, finding.law_digest()) as finder:
                    finder.catch_up()
                    if not sought:
                        indexed = asking.find(finder, wanted, limits, limit=limit)
                        return tuple(FoundMatch(row.match, row) for row in indexed), bad
    # The newest of the store come first, as they do where an index answers.
    coming = sources(paths) if paths else reversed(list(sources([desk.where])))
    rows: list[FoundMatch] = []
    with Long(desk, "find.progress", lambda: count(paths or [desk.where]), progress) as long:
        for source in long.steps(coming):
            record = load(source)
            if isinstance(record, Bad):
                bad.append(f"{record.name}: {record.why.say(desk.lang)}")
            elif (match := look_through(source, record, wanted, sought, limits)) is not None:
                rows.append(match if paths else replace(match, name=match.found.match))
                if len(rows) == limit:
                    break
    return tuple(rows), bad


def look_through(source: Source, record: Record, wanted: Wanted, sought: Sought, limits: Limits) -> FoundMatch | None:
    """A match as it is found by what stands in it; None where it is not wanted.

    In an open match of a store a spectator finds what spectators saw, a judge all.
    """
    match, entries = id_of(source, record), tuple(record.entries)
    whole = not isinstance(source.place, Stored)
    rows = finding.look_first(entries, whole)
    if not scanning.is_worth_a_look(rows, wanted, limits):
        return None
    if wanted.clause or wanted.kind or wanted.faces is not None:
        rows = finding.look(match, entries, whole)
    found = scanning.find_in(match, rows, wanted, limits)
    if found is None or not sought:
        return None if found is None else FoundMatch(source.name, found)
    everything = limits.hidden or whole or not is_open(entries)
    did = tuple(_did(record, record.eyes(JUDGE if everything else SPECTATOR), sought))
    return FoundMatch(source.name, found, did) if did else None


def _did(record: Record, eyes: Eyes, sought: Sought) -> Iterator[Did]:
    """The entries that are asked for."""
    turns = moments(record).turns if sought.fresh else ()
    before: list[SeenEntry] = []
    for entry in seen_entries(record, eyes):
        before.append(entry)
        if sought.ruling and entry.verdict != sought.ruling:
            continue
        if sought.outcome and entry.outcome != sought.outcome:
            continue
        lines = {lang: entry_words(record.game, entry, lang) for lang in LANGS}
        texts = {lang: " ".join((line.text, *(fact.text for fact in line.facts))) for lang, line in lines.items()}
        verb = "" if entry.action is None else entry.action.verb
        told = [plain(f"{verb} {text}") for text in texts.values()]
        if sought.words and not any(all(word in text for word in sought.words) for text in told):
            continue
        if sought.fresh and not _is_fresh(record, before, turns):
            continue
        yield Did(entry.number, lines["en"].text, lines["ja"].text)


def _is_fresh(record: Record, entries: Sequence[SeenEntry], turns: Sequence[object]) -> bool:
    """Does the action of the last of these entries name a thing that arrived in the same turn?"""
    *before, entry = entries
    if entry.action is None or entry.number < 2:
        return False
    cards = (
        card for slot in entry.action.slots for card in (*slot.cards, *(card for pair in slot.pairs for card in pair))
    )
    things = {card.thing for card in cards if card.thing}
    came = arrivals_in(before, frozenset(line(record.entries, entry.number - 1)), things)
    return any(turns[at] == turns[entry.number - 1] for at in came.values())


def draw_found(desk: Desk, matches: Iterable[FoundMatch]) -> None:
    """Matches that were found, one a line."""
    heads = [desk.say(f"head.{name}") for name in ("match", "game", "names", "opened", "found")]
    rows = [_row(desk, match) for match in matches]
    if rows:
        desk.screen.table(heads, rows, (3, 1))
    else:
        desk.tell("find.nothing")


def _row(desk: Desk, match: FoundMatch) -> list[str]:
    found = match.found
    names = " - ".join(found.names.values())
    hits = [f"{hit.entry} {hit.clause}" for hit in found.hits] + [
        f"{did.entry} {did.ja if desk.lang == 'ja' else did.en}" for did in match.did
    ]
    uses = desk.say("find.told", n=found.uses) if found.uses else ""
    more = desk.say("find.and_more", n=len(hits) - SHOWN_MAX) if len(hits) > SHOWN_MAX else ""
    told = desk.say("list.semicolon").join(text for text in (uses, *hits[:SHOWN_MAX], more) if text)
    return [match.name, f"{found.game}@{found.version}", names, stamp(found.at, "%Y-%m-%d %H:%M"), told]
