"""The service under load: response times against an empty route, and 2,000 live matches at once.

The server is a process with one core's worth of Python; the clients share this process. The processor time of each
shows which one saturates.
"""

import asyncio
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from statistics import median, quantiles
from time import perf_counter, process_time
from uuid import uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from benchmarks.appends import open_plain_log
from benchmarks.harness import BenchmarkRow, Effort, SkippedRow
from benchmarks.load import (
    ACKNOWLEDGED,
    LATE,
    REFUSED,
    RESET,
    WRONG,
    Connection,
    call_at_rate,
    follow,
    send_until_acknowledged,
)
from benchmarks.pages import GROUP, QUANTILES, measure_pages
from domain.formats.actions import write_action
from domain.games import GAMES
from domain.law.entries import Entry, Played, apply_entry as fold_one, opened_of
from domain.law.law import Law
from domain.law.record import record_of
from domain.law.unseen import with_faces
from domain.table.redact import SPECTATOR
from domain.table.table import CHANCE, blank, zone
from recorder.keyring import Holder, Keyring
from recorder.simulate import simulate
from recorder.store import Store

GAME = "blackpoker"
ROOT = Path(__file__).parents[1]
BEGIN = (sys.executable, "-c", "from cli.main import main; main()")
SERVED = re.compile(r"^ +(http://\S+)/en/floor$", re.M)
YEAR_MS = 365 * 86_400_000
FAR_MS = 4_000_000_000_000
MATCHES, STREAMS, SECONDS = 2_000, 2_000, 10.0
COMMANDS_PER_SECOND, FAST, TOO_MANY = 100, 450, 5_000
"""Rates offered: a hall in which everyone plays at once, a little more than it must bear, and an overload."""
ACKNOWLEDGED_LEAST = 400
"""Commands per second that it must bear."""
FEW_MATCHES, FEW_STREAMS, FEW_OFFERED, FEW_SECONDS = 5, 5, 50, 1.0
WATCHERS, WATCHED_RATE, WATCHED_MS = 300, 2, 300.0
"""Streams of the table that most people watch, its commands per second, and the most milliseconds of one."""
DESCRIPTORS = 8_192
"""Open files of the clients: a connection and a stream for each match."""
ENTRIES_BEFORE_LOAD = 6
BY_FACE = ("hand", "grave")
"""Zones whose face-down cards a line names by face, though everybody can follow them."""
ENTRIES_MAX = 60
STREAMS_OPENED_AT_ONCE = 64
MATCH_KB_MAX = 100.0
"""Most kilobytes of memory for each live match."""
COMMAND_MS, NEWS_MS, ACCEPTED_MS = 250.0, 100.0, 1_000.0
"""Most milliseconds of a command; from its response to the news on all streams; and of an accepted command while more
are offered than can be done."""
BEST_SHARE = 0.9
"""Share of its best rate that the service keeps under an overload."""
SETTLE_S = 2.0
"""Seconds that streams stay open after the last command."""
COMMITS = "sqlite3 commits in the same folder"


class MatchScript(Struct):
    """Script of one match: the remaining lines with their actors, and the entry number they follow."""

    match: str
    token: str
    lines: list[tuple[str, str]]
    head: int
    busy: bool = False


class LoadTimes(Struct):
    """Results of a load; times in seconds."""

    waited: list[float] = []
    """From the time when a command was due."""
    accepted: list[float] = []
    """From the attempt that was accepted."""
    news: list[float] = []
    sent: Counter[str] = msgspec.field(default_factory=Counter)
    """Attempts of commands by outcome."""
    done: int = 0
    spent: float = 0.0
    ours: float = 0.0


def rows(effort: Effort, quick: bool, folder: Path) -> Iterator[BenchmarkRow | SkippedRow]:
    if not sys.platform.startswith("linux"):
        yield SkippedRow("the service under load", "the processor time of a process is only measured on Linux")
        return
    matches = FEW_MATCHES if quick else MATCHES
    store = folder / "service.sqlite"
    scripts, floor = write_store(store, matches), commits(folder)
    with run_server(store) as (url, process):
        idle = resident(process.pid)
        yield from measure_pages(url, scripts[0].match, ENTRIES_BEFORE_LOAD, issue_head_token(store), quick)
        streams, seconds = (FEW_STREAMS, FEW_SECONDS) if quick else (STREAMS, SECONDS)
        yield from _measure_watched_table(url, process.pid, store, scripts.pop(), quick)
        best = 0.0
        for offered in (FEW_OFFERED,) if quick else (COMMANDS_PER_SECOND, FAST, TOO_MANY):
            before = cpu_seconds(process.pid)
            times = asyncio.run(load(url, scripts, streams, offered, seconds))
            server = (cpu_seconds(process.pid) - before) / times.spent
            under = f"{offered:,} offered, {streams:,} streams"
            yield from report_load(times, COMMITS, floor, under, server, offered)
            rate = times.done / times.spent
            if offered == TOO_MANY:
                yield BenchmarkRow(
                    group=GROUP, name="the same, part of the best rate", unit="", ours=rate / best, budget=BEST_SHARE
                )
            best = max(best, rate)
        yield BenchmarkRow(
            group=GROUP,
            name="the server's memory, all matches and streams",
            unit="MB",
            ours=resident(process.pid),
        )
        yield BenchmarkRow(
            group=GROUP,
            name="the same for each live match, without that of an idle server",
            unit="KB",
            ours=(resident(process.pid) - idle) * 1024 / matches,
            most=MATCH_KB_MAX,
        )


def _measure_watched_table(url: str, pid: int, store: Path, script: MatchScript, quick: bool) -> Iterator[BenchmarkRow]:
    """Yield the cost of a command in a match that many people watch, each with a token of their own."""
    with Store.open(store) as opened, Keyring.open_for_store(opened.local_prefix) as keys:
        holders = [Holder(role="floor", name=f"watcher {at}") for at in range(FEW_STREAMS if quick else WATCHERS)]
        watchers = [replace(script, token=keys.issue(holder, FAR_MS)) for holder in holders]
    before = cpu_seconds(pid)
    seconds = FEW_SECONDS if quick else SECONDS
    times = asyncio.run(load(url, [script], len(watchers), WATCHED_RATE, seconds, watchers))
    spent = (cpu_seconds(pid) - before) * 1000 / max(1, times.done)
    name = f"a command of one table with {len(watchers)} streams"
    yield BenchmarkRow(group=GROUP, name=f"{name}, processor time", unit="ms", ours=spent, most=WATCHED_MS)
    for what, waits in (("answer", times.waited), ("news after it", times.news)):
        if len(waits) > 1:
            slowest = quantiles(waits, n=QUANTILES)[-1] * 1000
            yield BenchmarkRow(group=GROUP, name=f"{name}, {what}, p99", unit="ms", ours=slowest, most=WATCHED_MS)


def report_load(
    times: LoadTimes, peer: str, floor: float, under: str, server: float, offered: int
) -> Iterator[BenchmarkRow]:
    """Yield the results of a load; `floor` is the bare commits per second of `peer`."""
    rate, is_overload = times.done / times.spent, offered == TOO_MANY
    least = ACKNOWLEDGED_LEAST if offered >= FAST else None
    yield BenchmarkRow(group=GROUP, name=f"commands acknowledged ({under})", unit="1/s", ours=rate, budget=least)
    yield BenchmarkRow(group=GROUP, name=f"the same per commit: {peer}", unit="commands a commit", ours=rate / floor)
    for name, waits, budget in (
        ("a command, from when it was due", times.waited, None if is_overload else COMMAND_MS),
        ("a command, from the attempt that was accepted", times.accepted, ACCEPTED_MS if is_overload else None),
        ("news at a stream, after the answer", times.news, None if is_overload else NEWS_MS),
    ):
        if len(waits) > 1:
            part = quantiles(waits, n=QUANTILES)
            yield BenchmarkRow(group=GROUP, name=f"{name}, p50", unit="ms", ours=median(waits) * 1000)
            yield BenchmarkRow(group=GROUP, name=f"{name}, p99", unit="ms", ours=part[-1] * 1000, most=budget)
    yield from _report_outcomes(times.sent)
    yield BenchmarkRow(group=GROUP, name="the server's processor time", unit="cores", ours=server)
    yield BenchmarkRow(group=GROUP, name="the clients' processor time", unit="cores", ours=times.ours / times.spent)


def _report_outcomes(sent: Counter[str]) -> Iterator[BenchmarkRow]:
    for name in (ACKNOWLEDGED, REFUSED, RESET, LATE, WRONG):
        numbers = {outcome: number for outcome, number in sorted(sent.items()) if outcome.startswith(name)}
        statuses = ", ".join(
            f"{number} with {outcome[len(name) :].strip()}" for outcome, number in numbers.items() if outcome != name
        )
        named = f"commands sent: {name}" + (f" ({statuses})" if statuses else "")
        yield BenchmarkRow(group=GROUP, name=named, unit="", ours=sum(numbers.values()))


# -- stores and servers -----------------------------------------------------------------------------------------------


def write_store(where: Path | str, matches: int) -> list[MatchScript]:
    """Write a store of started matches; return the script of each, with its scorekeeper's token."""
    game = GAMES[GAME]
    law = Law(game, game.versions[tuple(game.versions)[-1]])
    scripts: list[MatchScript] = []
    with Store.open(where) as store, Keyring.open_for_store(store.local_prefix) as keys:
        for number in range(matches):
            match = f"load-{number}"
            record = simulate(law, number, match=match, max_entries=ENTRIES_MAX, closing=False)
            secret = number.to_bytes(16, "big")
            assert store.append(match, 0, record[:ENTRIES_BEFORE_LOAD], secret=secret) == ENTRIES_BEFORE_LOAD
            holder = Holder(role="scorekeeper", name="load", matches=(match,))
            token = keys.issue(holder, FAR_MS)
            scripts.append(MatchScript(match, token, lines(law, record), ENTRIES_BEFORE_LOAD))
    return scripts


def issue_head_token(where: Path) -> str:
    with Store.open(where) as store, Keyring.open_for_store(store.local_prefix) as keys:
        return keys.issue(Holder(role="head", name="load"), FAR_MS)


def lines(law: Law, record: Sequence[Entry], begun: int = ENTRIES_BEFORE_LOAD) -> list[tuple[str, str]]:
    """Return the actions of a record after its first `begun` entries, as a scorekeeper types them.

    A card that not everybody can follow, or in a hand or graveyard, is named by its face, any other by its number.
    """
    opened = opened_of(record)
    played = record_of(law.game, record)
    everybody = played.eyes(SPECTATOR)
    table = blank(opened.seats)
    typed: list[tuple[str, str]] = []
    decode = law.game.decoder().decode
    for number, entry in enumerate(record, start=1):
        if isinstance(entry, Played) and entry.actor != CHANCE and number > begun:
            own = played.eyes(entry.actor).without_hidden_faces(table).pieces
            named = {
                card: piece.face
                for card, piece in own.items()
                if piece.face and (zone(piece.place) in BY_FACE or not everybody.follows(table, card))
            }
            seen = with_faces(everybody.without_hidden_faces(table), named)
            text = write_action(law.game, seen, entry.actor, decode(entry.action), schema=opened.schema)
            typed.append((entry.actor, text.partition(": ")[2]))
        table = fold_one(table, entry)
    return typed


@contextmanager
def run_server(store: Path | str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Run a server over a store; yield its URL and process once it responds."""
    command = [*BEGIN, "--store", str(store), "serve", "--port", "0"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("SHINPAN", "LC_", "LANG"))}
    environment = {**inherited, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert process.stdout is not None
        output = ""
        while not output.endswith("to stop.\n") and (line := process.stdout.readline()):
            output += line
        address = SERVED.search(output)
        if address is None:
            raise RuntimeError(f"the server did not begin: {output}")
        yield address[1], process
    finally:
        process.terminate()
        process.wait()


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.M)
    return int(found[1]) / 1024 if found else 0.0


def commits(folder: Path) -> float:
    """Return the bare commits per second of entries of this size."""
    with closing(open_plain_log(folder / "service-raw.sqlite")) as file:
        state, began, number = b"x" * 400, perf_counter(), 0
        while perf_counter() - began < 1.0:
            number += 1
            file.execute("INSERT INTO log VALUES (?,?,?)", ("raw", number, state))
            file.commit()
        return number / (perf_counter() - began)


# -- load on all matches ----------------------------------------------------------------------------------------------


async def load(
    url: str,
    scripts: list[MatchScript],
    streams: int,
    offered: int,
    seconds: float,
    watchers: Sequence[MatchScript] = (),
) -> LoadTimes:
    """Send commands at a fixed rate, regardless of their outcome, while all streams are open. `watchers` have the
    tokens of the streams, if these are not those of the scripts."""
    times, random = LoadTimes(waited=[], accepted=[], news=[]), Random(0)
    answered: dict[tuple[str, int], float] = {}
    setrlimit(RLIMIT_NOFILE, (min(DESCRIPTORS, getrlimit(RLIMIT_NOFILE)[1]), getrlimit(RLIMIT_NOFILE)[1]))
    watching = await watch(url, watchers or scripts, streams, times, answered)
    connections = {script.match: Connection(url) for script in scripts}
    tasks: set[asyncio.Task[None]] = set()

    def begin(due: float) -> None:
        script = random.choice(scripts)
        if script.busy or not script.lines:
            return
        script.busy = True
        task = asyncio.ensure_future(_play(connections[script.match], script, due, times, answered))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    began, used = perf_counter(), process_time()
    await call_at_rate(offered, seconds, begin)
    times.spent, times.ours = perf_counter() - began, process_time() - used
    times.done = len(times.waited)
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(SETTLE_S)
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    for connection in connections.values():
        connection.close()
    return times


async def watch(
    url: str, scripts: Sequence[MatchScript], streams: int, times: LoadTimes, answered: dict[tuple[str, int], float]
) -> list["asyncio.Task[None]"]:
    """Open `streams` streams over the matches, with the scorekeepers' tokens in turn."""
    gate, opened = asyncio.Semaphore(STREAMS_OPENED_AT_ONCE), asyncio.Semaphore(0)

    async def follow_script(script: MatchScript) -> None:
        def record_news(number: int, at: float) -> None:
            if (answer := answered.get((script.match, number))) is not None:
                times.news.append(max(0.0, at - answer))

        def release() -> None:
            gate.release()
            opened.release()

        path = f"/api/v1/matches/{script.match}/live?after={ENTRIES_BEFORE_LOAD}"
        await gate.acquire()
        await follow(url, path, {"Authorization": f"Bearer {script.token}"}, record_news, release)

    tasks = [asyncio.ensure_future(follow_script(scripts[number % len(scripts)])) for number in range(streams)]
    for _ in range(streams):
        await asyncio.wait_for(opened.acquire(), 60)
    return tasks


async def play_next(connection: Connection, script: MatchScript, sent: Counter[str]) -> bool:
    """Send the next line of a match under a new command id. Return True if it was recorded."""
    actor, text = script.lines.pop(0)
    command = {"kind": "play", "id": str(uuid4()), "by": actor, "text": text}
    headers = {
        "Authorization": f"Bearer {script.token}",
        "If-Match": f'"{script.head}"',
        "Content-Type": "application/json",
    }
    path = f"/api/v1/matches/{script.match}/entries"
    body = await send_until_acknowledged(connection, path, headers, msgspec.json.encode(command), sent)
    if body is None:
        script.lines.clear()  # later lines depend on the one that was not recorded
        return False
    script.head = msgspec.json.decode(body)["head"]
    return True


async def _play(
    connection: Connection,
    script: MatchScript,
    due: float,
    times: LoadTimes,
    answered: dict[tuple[str, int], float],
) -> None:
    try:
        if await play_next(connection, script, times.sent):
            answered[script.match, script.head] = done = perf_counter()
            times.waited.append(done - due)
            times.accepted.append(done - connection.began)
    finally:
        script.busy = False
