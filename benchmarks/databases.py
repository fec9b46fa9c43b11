"""Stores in PostgreSQL with full syncs: appends, the service under load, and streams of a second service.

The reference is a bare commit of the same bytes in the same database.
"""

import asyncio
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch

import psycopg

from benchmarks import appends, service
from benchmarks.harness import BenchmarkRow, Effort, SkippedRow, Work, measure_pair
from benchmarks.load import Connection
from benchmarks.material import Matches, matches
from benchmarks.pages import QUANTILES
from recorder.store import Store
from tools import cluster

GROUP: Final = "databases"
COMMIT: Final = "psycopg BEGIN, INSERT, COMMIT"
ALONE: Final = "psycopg INSERT alone (autocommit)"
TABLE: Final = "CREATE TABLE {} (match text, number bigint, state bytea, PRIMARY KEY (match, number))"
FLOOR_BYTES: Final = 400
"""Size of a typical entry, for the reference commits of a load."""
FOLLOWED, PER_SECOND, SECONDS = 40, 10, 20.0
"""Matches followed at one service, commands per second sent to the other, and duration."""
FEW_SECONDS: Final = 1.0
COMMANDS_MIN: Final = 5
"""Answers to wait for before the measurement ends, even on a slow machine."""


def rows(effort: Effort, quick: bool, folder: Path) -> Iterator[BenchmarkRow | SkippedRow]:
    programs = cluster.programs()
    if programs is None:
        yield SkippedRow("all of a store in a database", cluster.MISSING)
        return
    with cluster.run_postgres(cluster.PostgresServer, programs) as server, _data_in(folder / "data"):
        ours = appends.shorten(matches(1)) if quick else matches(1)
        yield from _measure_appends(ours, server, effort)
        yield from _measure_load(server, quick)
        yield from _measure_news(server, quick)


@contextmanager
def _data_in(folder: Path) -> Iterator[None]:
    with patch.dict(os.environ, XDG_DATA_HOME=str(folder)):
        yield


def _place(server: cluster.PostgresServer, name: str) -> str:
    with psycopg.connect(server.address(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return server.address(name)


def _make_plain_table(
    server: cluster.PostgresServer, table: str, autocommit: bool = False
) -> "psycopg.Connection[Any]":
    connection = psycopg.connect(server.address(), autocommit=autocommit)
    connection.execute(TABLE.format(table))
    connection.commit()
    return connection


# -- appends ----------------------------------------------------------------------------------------------------------


def _measure_appends(ours: Matches, server: cluster.PostgresServer, effort: Effort) -> Iterator[BenchmarkRow]:
    with ExitStack() as opened:
        store = opened.enter_context(Store.open(_place(server, "appends")))
        connections = [
            opened.enter_context(_make_plain_table(server, f"raw{at}", autocommit))
            for at, autocommit in enumerate((False, False, True))
        ]
        raw, other, bare = (_raw(ours, connection, f"raw{at}") for at, connection in enumerate(connections))
        alone = appends.whole_matches(ours, store, "a", lambda match, number: None)
        named = appends.whole_matches(ours, store, "c", lambda match, number: f"{match}/{number}")
        for name, work, peer, theirs in (
            ("append to a PostgreSQL database, acknowledged and on disk", alone, COMMIT, raw),
            ("the same, with its command id", named, COMMIT, raw),
            ("append to a PostgreSQL database, acknowledged and on disk", alone, ALONE, bare),
        ):
            ratio = measure_pair(work, theirs, effort)
            yield BenchmarkRow(group=GROUP, name=name, unit="entries/s", ours=ratio.ours, peer=peer, ratio=ratio)
        same = measure_pair(raw, other, effort)
        peer = "the same into a second table"
        name = f"control: {COMMIT}"
        yield BenchmarkRow(
            group=GROUP, name=name, unit="commits/s", ours=same.ours, peer=peer, ratio=same, control=True
        )


def _raw(ours: Matches, connection: "psycopg.Connection[Any]", table: str) -> Work:
    insert = f"INSERT INTO {table} VALUES (%s,%s,%s)"

    def insert_row(match: str, number: int, state: bytes) -> None:
        connection.execute(insert, (match, number, state), binary=True)
        if not connection.autocommit:
            connection.commit()

    return appends.row_by_row(ours, insert_row)


# -- the service ------------------------------------------------------------------------------------------------------


def _measure_load(server: cluster.PostgresServer, quick: bool) -> Iterator[BenchmarkRow]:
    floor = _commits(server)
    address = _place(server, "loaded")
    scripts = service.write_store(address, service.FEW_MATCHES if quick else service.MATCHES)
    streams, seconds = (service.FEW_STREAMS, service.FEW_SECONDS) if quick else (service.STREAMS, service.SECONDS)
    with service.run_server(address) as (url, process):
        for offered in (service.FEW_OFFERED,) if quick else (service.COMMANDS_PER_SECOND, service.TOO_MANY):
            before = service.cpu_seconds(process.pid)
            times = asyncio.run(service.load(url, scripts, streams, offered, seconds))
            used = (service.cpu_seconds(process.pid) - before) / times.spent
            under = f"PostgreSQL, {offered:,} offered, {streams:,} streams"
            yield from service.report_load(times, f"{ALONE} in the same database", floor, under, used, offered)


def _commits(server: cluster.PostgresServer) -> float:
    with _make_plain_table(server, "floor", autocommit=True) as connection:
        state, began, number = b"x" * FLOOR_BYTES, perf_counter(), 0
        while perf_counter() - began < 1.0:
            number += 1
            connection.execute("INSERT INTO floor VALUES (%s,%s,%s)", ("raw", number, state), binary=True)
        return number / (perf_counter() - began)


def _measure_news(server: cluster.PostgresServer, quick: bool) -> Iterator[BenchmarkRow]:
    address = _place(server, "heard")
    scripts = service.write_store(address, service.FEW_MATCHES if quick else FOLLOWED)
    with service.run_server(address) as (mine, _), service.run_server(address) as (other, _):
        news = asyncio.run(_news(mine, other, scripts, FEW_SECONDS if quick else SECONDS))
    if len(news) < 2:  # news that precedes the response is not counted
        return
    for name, value in (("p50", median(news)), ("p99", quantiles(news, n=QUANTILES)[-1])):
        named = f"news at a stream of another service over the same database, after the answer, {name}"
        yield BenchmarkRow(group=GROUP, name=named, unit="ms", ours=value * 1000)


async def _news(mine: str, other: str, scripts: list[service.MatchScript], seconds: float) -> list[float]:
    times, random = service.LoadTimes(), Random(0)
    answered: dict[tuple[str, int], float] = {}
    watching = await service.watch(other, scripts, len(scripts), times, answered)
    await asyncio.sleep(service.SETTLE_S)
    connection, ends = Connection(mine), perf_counter() + seconds
    while perf_counter() < ends or len(answered) < COMMANDS_MIN:
        script = random.choice(scripts)
        if script.lines and await service.play_next(connection, script, times.sent):
            answered[script.match, script.head] = perf_counter()
        await asyncio.sleep(1 / PER_SECOND)
    await asyncio.sleep(service.SETTLE_S)
    connection.close()
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return times.news
