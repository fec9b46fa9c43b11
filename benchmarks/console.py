"""Performance budgets of the web console: transfer sizes, drawing time, response time, and the player's frame rate.

Sizes are bytes on the wire, compressed. Browser rows run in Chromium, with the CPU and network of a phone in a crowded
hall. They are skipped if no browser is installed.
"""

import asyncio
import gzip
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any

import msgspec
from msgspec.structs import replace

from benchmarks.harness import BenchmarkRow, Effort, SkippedRow
from benchmarks.load import Connection
from benchmarks.material import GAMES_MEASURED
from benchmarks.service import BEGIN, FAR_MS, ROOT, MatchScript, lines, play_next, run_server
from domain.games import GAMES
from domain.law.entries import Entry, fold_entries
from domain.law.law import Law
from domain.law.record import record_of
from domain.table.redact import SPECTATOR
from domain.words import Lang
from projections.board import board_of
from recorder.keyring import Holder, Keyring
from recorder.simulate import simulate
from recorder.store import Store
from service.drawing import board
from service.drawing.setting import DrawingContext
from service.drawing.timeline import CHUNK, film
from tools import chromium

GROUP = "console"
LENGTH = 1_000
"""Entries of the match that is shown."""
FEW = 150
TYPED, FEW_TYPED = 40, 3
"""Lines typed in each game."""
ENTRIES_BEFORE_LOAD = 12
SEEDS = 6
DISPUTED = ROOT / "fixtures" / "blackpoker" / "matches" / "disputed.spn"
DISPUTED_ID = "table-17"
FIRST_LOAD_KB, HTML_KB, CSS_KB, SCRIPTS_KB, CHUNK_KB = 60.0, 14.0, 10.0, 9.0, 10.0
BOARD_MS, COLD_MS, WARM_MS, ANSWER_MS = 0.5, 40.0, 3.0, 80.0
BOARDS, WARM = 64, 40
FINDING_S = 2.0
FINDINGS = 5
FRAMES_PER_SECOND_MIN = 57.0
"""60, less a margin for an occasional late frame."""
SEED = (1).to_bytes(16)
"""Seed of the started matches."""
FRAME_MS = 100.0
KB = 1_000
QUANTILES = 100
LANG: Lang = "ja"
"""Japanese, the longer of the two languages."""
NETWORK = {"downloadThroughput": 200_000, "uploadThroughput": 94_000, "latency": 150}
"""Network of a crowded hall: bytes per second, and latency in milliseconds."""
CPU_SLOWDOWN = 6
"""CPU slowdown of a phone relative to this machine."""
HELD_STEPS = 240
"""Steps of a held key, 60 per second."""
STYLE, SCRIPT = re.compile(r'<link rel="stylesheet" href="([^"]+)"'), re.compile(r'<script[^>]* src="([^"]+)"')
NARROW = {"width": 390, "height": 844}


def rows(effort: Effort, quick: bool, folder: Path) -> Iterator[BenchmarkRow | SkippedRow]:
    if not sys.platform.startswith("linux"):
        yield SkippedRow("the console's budgets", "only measured on Linux")
        return
    length = FEW if quick else LENGTH
    scripts = write_store(folder / "console.sqlite", length)
    for key in GAMES_MEASURED:
        yield from _measure_drawing(key, length)
    with run_server(folder / "console.sqlite") as (url, _):
        yield from asyncio.run(_measure_transfers(url, length))
        yield from asyncio.run(_measure_answers(url, scripts, FEW_TYPED if quick else TYPED))
        where = chromium.find()
        if where is None or find_spec("playwright") is None:
            yield SkippedRow("the player, and a page over a slow line", "there is no Chromium here, or no Playwright")
        else:
            yield from _measure_browser(url, where, folder / "console.sqlite", length)


def write_store(path: Path, length: int) -> list[MatchScript]:
    """Write a long match of each game and a started match of each; return scripts that continue those."""
    scripts: list[MatchScript] = []
    with Store.open(path) as store, Keyring.open_for_store(str(path)) as keys:
        for key in GAMES_MEASURED:
            record = long_match(key, length)
            assert store.append(f"long-{key}", 0, [replace(record[0], match=f"long-{key}"), *record[1:]]) == len(record)
            typed = simulate(law_of(key), int.from_bytes(SEED), match=f"typed-{key}", max_entries=200, closing=False)
            assert store.append(f"typed-{key}", 0, typed[:ENTRIES_BEFORE_LOAD], secret=SEED) == ENTRIES_BEFORE_LOAD
            token = keys.issue(Holder(role="scorekeeper", name="load", matches=(f"typed-{key}",)), FAR_MS)
            scripts.append(
                MatchScript(f"typed-{key}", token, lines(law_of(key), typed, ENTRIES_BEFORE_LOAD), ENTRIES_BEFORE_LOAD)
            )
    return scripts


def law_of(key: str) -> Law:
    game = GAMES[key]
    return Law(game, tuple(game.versions.values())[-1])


@cache
def long_match(key: str, length: int) -> list[Entry]:
    played = (simulate(law_of(key), seed, max_entries=length, closing=False) for seed in range(1, SEEDS + 1))
    return max(played, key=len)


# -- drawing ----------------------------------------------------------------------------------------------------------


def _measure_drawing(key: str, length: int) -> Iterator[BenchmarkRow]:
    record = record_of(GAMES[key], long_match(key, length))
    eyes, schema, last = record.eyes(SPECTATOR), record.opening.schema, len(record.entries)
    anew: list[float] = []
    again: list[float] = []
    setting = DrawingContext(record.law, schema, LANG)
    for number in range(max(1, last - BOARDS), last + 1):
        view = board_of(record, eyes, number, fold_entries(record.entries, number))
        for spent, drawing_setting in ((anew, DrawingContext(record.law, schema, LANG)), (again, setting)):
            began = process_time()
            str(board.frame_in(view, drawing_setting))
            spent.append(process_time() - began)
    yield _row(f"a board of {key} drawn with an empty cache, p50", median(anew) * 1000, "ms")
    yield _row("the board of its next entry drawn, p50", median(again[1:]) * 1000, "ms", BOARD_MS)
    cold = []
    for first in range(1, last - CHUNK + 2, CHUNK):
        began = process_time()
        drawn = msgspec.json.encode(film(record, eyes, LANG, first, first + CHUNK - 1))
        cold.append((process_time() - began, len(gzip.compress(drawn, 6))))
    if cold:
        yield _row(f"{CHUNK} entries of {key} filmed, p50", median(time for time, _ in cold) * 1000, "ms", COLD_MS)
        yield _row(f"the same, the most that is sent of {key}", max(size for _, size in cold) / KB, "KB", CHUNK_KB)


# -- transfer sizes ---------------------------------------------------------------------------------------------------


async def _measure_transfers(url: str, length: int) -> list[BenchmarkRow]:
    rows: list[BenchmarkRow] = []
    connection = Connection(url)
    packed = {"Accept-Encoding": "gzip"}
    whole = []
    for key in GAMES_MEASURED:
        match = f"long-{key}"
        number = min(length, len(long_match(key, length)))
        page = await _get(connection, f"/{LANG}/m/{match}/{number}", packed)
        text = gzip.decompress(page).decode()
        styles = [
            await _get(connection, path, packed) for path in re.findall(r'<link rel="stylesheet" href="([^"]+)"', text)
        ]
        scripts = [await _get(connection, path, packed) for path in re.findall(r'<script[^>]* src="([^"]+)"', text)]
        path = f"/api/v1/matches/{match}/film?lang={LANG}&from={number}"
        chunk = await _get(connection, path, packed)
        sizes = {
            f"the page of a moment of {key}": (len(page), HTML_KB),
            "its styles": (sum(map(len, styles)), CSS_KB),
            "its scripts": (sum(map(len, scripts)), SCRIPTS_KB),
        }
        rows += [_row(f"{name}, sent", size / KB, "KB", most) for name, (size, most) in sizes.items()]
        whole.append(sum(size for size, _ in sizes.values()) + len(chunk))
        spent = []
        for _ in range(WARM):
            began = perf_counter()
            await _get(connection, path, packed)
            spent.append(perf_counter() - began)
        rows.append(_row(f"a film of {key} that is kept, p50", median(spent) * 1000, "ms", WARM_MS))
    rows.append(_row("the first look at a moment, all of it, the most", max(whole) / KB, "KB", FIRST_LOAD_KB))
    connection.close()
    return rows


async def _get(connection: Connection, path: str, headers: Mapping[str, str]) -> bytes:
    status, body = await connection.ask("GET", path, headers)
    while status == 429:
        await asyncio.sleep(1)
        status, body = await connection.ask("GET", path, headers)
    assert status == 200, (path, status, body[:200])
    return body


async def _measure_answers(url: str, scripts: Sequence[MatchScript], most: int) -> list[BenchmarkRow]:
    rows: list[BenchmarkRow] = []
    connection = Connection(url)
    for script in scripts:
        waited: list[float] = []
        while script.lines and len(waited) < most:
            began = perf_counter()
            if not await play_next(connection, script, Counter()):
                break
            waited.append(perf_counter() - began)
        game = script.match.removeprefix("typed-")
        rows.append(_row(f"a line of {game} answered, p50", median(waited) * 1000, "ms"))
        rows.append(_row(f"a line of {game} answered, p99", quantiles(waited, n=QUANTILES)[-1] * 1000, "ms", ANSWER_MS))
    connection.close()
    return rows


# -- in a browser -----------------------------------------------------------------------------------------------------


def _measure_browser(url: str, where: str, store: Path, length: int) -> Iterator[BenchmarkRow]:
    from playwright.sync_api import sync_playwright  # imported only if a browser is installed

    command = [*BEGIN, "--store", str(store), "import", str(DISPUTED)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with Keyring.open_for_store(str(store)) as keys:
        token = keys.issue(Holder(role="head", name="load"), FAR_MS)
    key = max(GAMES_MEASURED, key=lambda key: len(long_match(key, length)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=where, args=list(chromium.ARGUMENTS))
        yield _row(
            "a finding over a line of 1.6 Mbit/s, no scripts", _time_finding_page(browser, url, token), "s", FINDING_S
        )
        yield from _measure_held_key(browser, f"{url}/{LANG}/m/long-{key}/{len(long_match(key, length))}")
        browser.close()


def _time_finding_page(browser: Any, url: str, token: str) -> float:
    signed = {"Authorization": f"Bearer {token}"}
    spent = []
    for _ in range(FINDINGS):
        context = browser.new_context(viewport=NARROW, java_script_enabled=False, extra_http_headers=signed)
        page = context.new_page()
        page.goto(f"{url}/{LANG}/m/{DISPUTED_ID}/findings")
        address = page.locator("a[href*='/f/']").first.get_attribute("href")
        context.close()
        context = browser.new_context(viewport=NARROW, java_script_enabled=False, extra_http_headers=signed)
        page = context.new_page()
        line = context.new_cdp_session(page)
        line.send("Network.emulateNetworkConditions", {"offline": False, **NETWORK})
        began = perf_counter()
        page.goto(url + address, wait_until="load")
        spent.append(perf_counter() - began)
        context.close()
    return median(spent)


HOLD = """(steps) => new Promise((done) => {
  const drawn = new Set(), began = performance.now();
  let left = steps, last = began, longest = 0;
  const step = (now) => {
    drawn.add(document.body.dataset.at);
    longest = Math.max(longest, now - last);
    last = now;
    if (!left--) return done([drawn.size - 1, performance.now() - began, longest]);
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""


def _measure_held_key(browser: Any, address: str) -> Iterator[BenchmarkRow]:
    context = browser.new_context(viewport=NARROW)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    page.evaluate(HOLD, HELD_STEPS)  # fetch each chunk once, before measuring
    page.keyboard.press("End")
    page.wait_for_selector("body[data-state=rest]")
    steps, spent, longest = page.evaluate(HOLD, HELD_STEPS)
    context.close()
    yield BenchmarkRow(
        group=GROUP, name=f"steps drawn while a key is held, {CPU_SLOWDOWN} times slowed", unit="1/s",
        ours=steps / (spent / 1000), budget=FRAMES_PER_SECOND_MIN,
    )  # fmt: skip
    yield _row("the longest wait between two of them", longest, "ms", FRAME_MS)


def _row(name: str, ours: float, unit: str, most: float | None = None) -> BenchmarkRow:
    return BenchmarkRow(group=GROUP, name=name, unit=unit, ours=ours, most=most)
