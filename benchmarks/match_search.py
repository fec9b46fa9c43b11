"""Match search: the service's index against a full scan of the same matches.

The matches are copies of a few recorded ones under many names. The index reads the first of them as the service does,
and is timed. The others reuse the rows of the same record, with the names and times of their opening.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from archive.corpus.sources import Source, UnreadableMatch, list_newest, load, sources, states
from benchmarks.harness import BenchmarkRow, Ratio, SkippedRow, over_pairs
from benchmarks.load import Connection
from benchmarks.service import BEGIN, ROOT, resident, run_server
from cli.look.find import EVERYTHING, LIMIT_DEFAULT, FindOptions, search_match
from domain.law.entries import Entry, Opened
from domain.law.occasion import Occasion
from recorder import codec
from recorder.finding.index_follower import SUFFIX, IndexMatch, SearchIndex
from recorder.finding.rows import MatchQuery, Rows
from recorder.rows import StateRows, WriteBatch
from recorder.store import Store
from service.search import indexing

GROUP = "find"
FIXTURES = ROOT / "fixtures" / "blackpoker"
RECORDED = tuple(FIXTURES / name for name in ("matches/as-played.spn", "matches/disputed.spn", "corpus/small.corpus"))
MATCHES, FEW = 20_000, 40
BASES, FEW_BASES = 52, 4
"""Distinct records among the matches."""
LOOKED, FEW_LOOKED = 500, 10
"""Matches that the index reads while it is timed."""
SCANNED, FEW_SCANNED = 400, 10
"""Matches scanned per query."""
ASKED, FEW_ASKED = 40, 4
"""Repetitions of each query to the service."""
MATCHES_PER_TRANSACTION = 500
MINUTE_MS, BEGAN_MS = 60_000, 1_760_000_000_000
PLAYERS, OTHERS, TABLES = 2_500, 37, 64
"""Distinct names on either side, and matches per event."""
ANSWER_MS = 1_000.0
MEGABYTE, KILOBYTE = 1e6, 1024


class SearchBenchmarkQuery(Struct, frozen=True):
    """A query to the service, and the same query for a scan."""

    name: str
    query: dict[str, str]
    wanted: MatchQuery
    sought: FindOptions = EVERYTHING


class ProgramRun(Struct, frozen=True):
    """A run of the program: seconds to its first line and to its end, and peak memory."""

    first: float
    spent: float
    megabytes: float


COMMON, RARE, VERDICT, CARD, PLAYER, EVENT = "BP-4.11", "BP-7.31", "not_allowed", "H10", "aoki 17", "cup 3"
DEED = "designate_attackers"
DONE = FindOptions(did=DEED, fresh=True)
QUESTIONS = (
    SearchBenchmarkQuery("a clause of every match", {"clause": COMMON}, MatchQuery(clause=COMMON)),
    SearchBenchmarkQuery("a clause of one match in fifty", {"clause": RARE}, MatchQuery(clause=RARE)),
    SearchBenchmarkQuery("a kind of finding", {"verdict": VERDICT}, MatchQuery(kind=VERDICT)),
    SearchBenchmarkQuery("a card", {"card": CARD}, MatchQuery(faces=(CARD,))),
    SearchBenchmarkQuery("a player", {"player": PLAYER}, MatchQuery(player=PLAYER)),
    SearchBenchmarkQuery("an event", {"event": EVENT}, MatchQuery(event=EVENT)),
    SearchBenchmarkQuery("an attack by what arrived in the same turn", {"fresh": DEED}, MatchQuery(), DONE),
    SearchBenchmarkQuery(
        "what is in no match", {"clause": COMMON, "player": "nobody"}, MatchQuery(clause=COMMON, player="nobody")
    ),
)


def rows(quick: bool, folder: Path) -> Iterator[BenchmarkRow | SkippedRow]:
    if not sys.platform.startswith("linux"):
        yield SkippedRow("match search", "the memory of a process is only measured on Linux")
        return
    path, matches, bases = folder / "find.sqlite", FEW if quick else MATCHES, FEW_BASES if quick else BASES
    write_store(path, matches, bases)
    yield from _measure_scan(path, matches)
    yield from _measure_index_build(
        path, matches, bases, FEW_LOOKED if quick else LOOKED, FEW_ASKED if quick else ASKED
    )
    yield from _measure_queries(path, matches, FEW_SCANNED if quick else SCANNED, FEW_ASKED if quick else ASKED)


# -- test data --------------------------------------------------------------------------------------------------------


def write_store(path: Path, matches: int, bases: int) -> None:
    """Write a store of `matches` copies of `bases` records. Each has its players, event and time."""
    recorded = [_load_recording(source) for source in islice(sources(RECORDED), bases)]
    with Store.open(path) as store:
        for begins in range(0, matches, MATCHES_PER_TRANSACTION):
            numbers = range(begins, min(matches, begins + MATCHES_PER_TRANSACTION))
            writings = {f"find-{number}": _named(number, *recorded[number % bases]) for number in numbers}
            assert store.append_matches(writings) is None


def _load_recording(source: Source) -> tuple[Opened, list[bytes]]:
    record = load(source)
    assert not isinstance(record, UnreadableMatch), record
    return record.opening, states(source) or [codec.encode(entry) for entry in record.entries]


def _named(number: int, opened: Opened, recorded: Sequence[bytes]) -> WriteBatch:
    first, second = opened.seats
    names = {first: f"Aoki {number % PLAYERS}", second: f"Baba {number % OTHERS}"}
    event = Occasion(event=f"Cup {number // TABLES}")
    head = replace(opened, match=f"find-{number}", names=names, occasion=event, at=BEGAN_MS + number * MINUTE_MS)
    return WriteBatch(StateRows(head.match, [codec.encode(head), *recorded[1:]]))


# -- search without an index ------------------------------------------------------------------------------------------


def _measure_scan(path: Path, matches: int) -> Iterator[BenchmarkRow]:
    run = _run(path, "--player", PLAYER, "--limit", str(matches))
    yield _row("the first answer without an index, the program's start included", run.first * 1000, "ms")
    yield _row(f"a player among {matches:,} matches without an index", matches / run.spent, "matches/s")
    yield _row("the same, most memory", run.megabytes, "MB")


def _run(path: Path, *asked: str) -> ProgramRun:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    began = perf_counter()
    command = [*BEGIN, "--store", str(path), "find", *asked]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), asked
        first = perf_counter() - began
        process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, asked
    return ProgramRun(first, perf_counter() - began, used.ru_maxrss * KILOBYTE / MEGABYTE)


def _scan(path: Path, question: SearchBenchmarkQuery, many: int) -> float:
    began = perf_counter()
    for source in islice(list_newest(str(path)), many):
        record = load(source)
        assert not isinstance(record, UnreadableMatch), record
        search_match(source, record, question.wanted, question.sought)
    return many / (perf_counter() - began)


# -- search by the index ----------------------------------------------------------------------------------------------


def _measure_index_build(path: Path, matches: int, bases: int, looked: int, asked: int) -> Iterator[BenchmarkRow]:
    with Store.open(path, read_only=True) as store:
        with SearchIndex(store, indexing.index_rows, indexing.law_digest()) as finder:
            began = perf_counter()
            finder.catch_up(2 * looked)  # two steps per match: its opening, and its closing
            spent = perf_counter() - began
            indexed = finder.select("SELECT COUNT(*) FROM found")[0][0]
        yield _row("the index made", indexed / spent, "matches/s")
        yield _row(f"the same for {matches:,}, by that rate", matches * spent / indexed, "s")
        with run_server(path) as (url, _):
            times = asyncio.run(_ask(url, QUESTIONS[0].query, asked))
        yield _row(f"a question while it is made, the longest of {asked}", max(times) * 1000, "ms", ANSWER_MS)
        with SearchIndex(store, _remember(bases), indexing.law_digest()) as finder:
            assert finder.catch_up()
    size = Path(f"{path}{SUFFIX}").stat().st_size
    yield _row(f"the index of {matches:,} matches", size / MEGABYTE, "MB")


def _remember(bases: int) -> IndexMatch:
    """Return an indexing function that reuses the rows of the same record under another name."""
    known: dict[int, Rows] = {}

    def index_match(match: str, entries: tuple[Entry, ...]) -> Rows:
        rows, base = indexing.opening_rows(entries), int(match.rpartition("-")[2]) % bases
        if rows.closed < 0:
            return rows
        if base not in known:
            known[base] = indexing.index_rows(match, entries)
        same = known[base]
        return replace(rows, clauses=same.clauses, hits=same.hits, cards=same.cards, deeds=same.deeds)

    return index_match


def _measure_queries(path: Path, matches: int, scanned: int, asked: int) -> Iterator[BenchmarkRow]:
    with run_server(path) as (url, process):
        (first,) = asyncio.run(_ask(url, QUESTIONS[0].query, 1))
        yield _row("the first question after a start", first * 1000, "ms", ANSWER_MS)
        for question in QUESTIONS:
            times = asyncio.run(_ask(url, question.query, asked))
            scan = _scan(path, question, scanned)
            rate = over_pairs([matches / spent for spent in times], [scan] * len(times))
            yield _compare_with_scan(f"{question.name}, among {matches:,} matches by the index", rate, scanned)
            yield _row(f"the same, the longest of {asked} answers", max(times) * 1000, "ms", ANSWER_MS)
        middle = {"after": f"find-{matches // 2}"}
        times = asyncio.run(_ask(url, QUESTIONS[0].query | middle, asked))
        yield _row(f"a page from the middle, the longest of {asked}", max(times) * 1000, "ms", ANSWER_MS)
        yield _row("the server's memory", resident(process.pid), "MB")
    run = _run(path, "--fresh", "--did", DEED)
    yield _row("an attack by what arrived in the same turn, by the program: the first line", run.first * 1000, "ms")
    yield _row(f"all of a page of {LIMIT_DEFAULT}", run.spent * 1000, "ms")


def _compare_with_scan(name: str, rate: Ratio, scanned: int) -> BenchmarkRow:
    peer = f"a full scan, by its rate over {scanned} of them"
    return BenchmarkRow(group=GROUP, name=name, unit="matches/s", ours=rate.ours, peer=peer, ratio=rate)


async def _ask(url: str, query: dict[str, str], times: int) -> list[float]:
    connection, spent = Connection(url), list[float]()
    while len(spent) < times:
        began = perf_counter()
        status, body = await connection.ask("GET", f"/api/v1/find?{urlencode(query)}", {})
        if status == 429:
            await asyncio.sleep(1)
            continue
        assert status == 200, (query, status, body[:200])
        spent.append(perf_counter() - began)
    connection.close()
    return spent


def _row(name: str, ours: float, unit: str, most: float | None = None) -> BenchmarkRow:
    return BenchmarkRow(group=GROUP, name=name, unit=unit, ours=ours, most=most)
