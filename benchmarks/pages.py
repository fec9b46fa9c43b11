"""Times of pages against an empty route of the same server."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from statistics import quantiles
from time import perf_counter

from msgspec import Struct

from benchmarks.harness import BenchmarkRow
from benchmarks.load import Connection

GROUP = "service"
ROUND, EACH = 40, 5
"""Requests of one kind in a window, and windows of each kind."""
PAGE_RATIO_MAX, FLOOR_RATIO_MAX = 10.0, 8.0
"""Most time of a page (p99) and of the floor (p50), as a multiple of an empty route."""
PACKED_KB_MAX = 30.0
"""Most kilobytes of the floor as sent."""
PACKED = {"Accept-Encoding": "gzip"}
QUANTILES = 100
"""Parts into which quantiles divide the times, so that p99 is the last limit."""


class PageKind(Struct, frozen=True):
    """A page to measure, with its limits: times as long as an empty route, and kilobytes as sent."""

    name: str
    path: str
    token: str = ""
    most_p50: float | None = None
    most_p99: float | None = None
    most_kb: float | None = None


def measure_pages(url: str, match: str, number: int, token: str, quick: bool) -> Iterator[BenchmarkRow]:
    """Yield the times of pages of a match with `number` entries. `token` may read findings."""
    moment = f"{match}/{number}"
    kinds = (
        PageKind("the page of a moment", f"/en/m/{moment}", most_p99=PAGE_RATIO_MAX),
        PageKind("a table as JSON", f"/api/v1/matches/{match}/at/{number}", most_p99=PAGE_RATIO_MAX),
        PageKind("a film of the match", f"/api/v1/matches/{match}/film"),
        PageKind("the findings of a match", f"/en/m/{match}/findings", token=token, most_p50=PAGE_RATIO_MAX),
        PageKind("the floor", "/en/floor", most_p50=FLOOR_RATIO_MAX, most_kb=PACKED_KB_MAX),
    )
    for kind in kinds:
        empty, ours, size = asyncio.run(_measure_both(url, kind, 1 if quick else EACH))
        for share, at, most in (("p50", 50, kind.most_p50), ("p99", 99, kind.most_p99)):
            ratio = _part(ours, at) / _part(empty, at)
            named = f"{kind.name}, {share} against an empty route ({_part(empty, at) * 1000:.2f} ms)"
            yield BenchmarkRow(group=GROUP, name=named, unit="times as long", ours=ratio, most=most)
        yield BenchmarkRow(group=GROUP, name=f"{kind.name}, packed", unit="KB", ours=size / 1000, most=kind.most_kb)


def _part(times: Sequence[float], at: int) -> float:
    return quantiles(times, n=QUANTILES)[at - 1]


async def _measure_both(url: str, page: PageKind, windows: int) -> tuple[list[float], list[float], int]:
    headers = PACKED | ({"Authorization": f"Bearer {page.token}"} if page.token else {})
    with ExitStack() as opened:
        connection = Connection(url)
        opened.callback(connection.close)
        times: tuple[list[float], list[float]] = ([], [])
        status, body = await connection.ask("GET", page.path, headers)
        assert status == 200, f"{page.path}: {status}"
        for window in range(2 * windows + 2):
            kind = window % 2
            for _ in range(ROUND):
                began = perf_counter()
                answered, _ = await connection.ask("GET", page.path if kind else "/api/v1/sessions", headers)
                if window > 1:
                    times[kind].append(perf_counter() - began)
                if answered == 429:
                    await asyncio.sleep(1)
        return *times, len(body)
