"""Streams over a database: entries of other programs arrive by notification, and by polling without it."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recorder.library import listening
from recorder.store import Store
from service.live import hub
from tests.postgres import Cluster, schema_of
from tests.service.browsing import played, run_loop
from tests.service.listening import PATIENCE_S, Hearing, Stage, stage

CONNECTED = "SELECT pid FROM pg_stat_activity WHERE application_name='{}'"
END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name='{}' AND query LIKE 'LISTEN%'"


@pytest.fixture
def address(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield a database whose connections carry its name, and check that none remains."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(listening, "FIRST_S", 0.05)
    schema = cluster.schema()
    yield cluster.address(schema, application_name=schema)
    run_loop(until(lambda: cluster.run(CONNECTED.format(schema)) == []))


@pytest.fixture
def unlooked(monkeypatch: pytest.MonkeyPatch) -> None:

    async def look(hub: hub.Hub) -> None:
        return None

    monkeypatch.setattr(hub.Hub, "poll", look)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.01)


async def write(staged: Stage, other: Store, upto: int) -> None:
    version = other.version(staged.match)
    news = staged.entries[version:upto]
    assert await asyncio.to_thread(other.append, staged.match, version, news) == upto


@played
async def test_entries_of_another_program_come_as_soon_as_they_are_recorded(address: str, unlooked: None) -> None:
    async with stage(where=address) as staged, staged.listen() as hearing:
        await until(lambda: staged.context.has_change_notifications)
        with Store.open(address) as other:
            for number in range(11, 15):
                await write(staged, other, number)
                await hearing.entries(number)
        assert hearing.silent()


@played
async def test_who_is_told_looks_more_rarely(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with stage(where=address) as staged, staged.listen() as hearing:
        await until(lambda: staged.context.has_change_notifications)
        await staged.record(11)
        await hearing.entries(11)
        asked: list[int | None] = []
        news = Store.list_changes

        def ask(store: Store, after: int | None = None) -> tuple[int, dict[str, int]]:
            asked.append(after)
            return news(store, after)

        monkeypatch.setattr(Store, "list_changes", ask)
        for _ in range(20):  # entries already notified may be polled meanwhile
            asked.clear()
            for _ in range(5):
                await staged.hub.poll()
            if not asked:
                break
        assert asked == []
        monkeypatch.setattr(hub, "IDLE_POLL_S", 0.0)
        await staged.hub.poll()
        assert len(asked) >= 1


@played
async def test_a_connection_that_was_ended_loses_nothing_and_is_made_anew(
    address: str, cluster: Cluster, unlooked: None
) -> None:
    async with stage(where=address) as staged, staged.listen() as hearing:
        with Store.open(address) as other:
            await until(lambda: staged.context.has_change_notifications)
            for number in range(11, 15):
                assert (True,) in cluster.run(END.format(schema_of(address).partition("&")[0]))
                await write(staged, other, number)
                await hearing.entries(number)
                await until(lambda: staged.context.has_change_notifications)
        assert hearing.silent()


@pytest.mark.parametrize("sure", [True, False])
@played
async def test_what_the_database_never_told_is_found_by_a_look(
    address: str, sure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "IDLE_POLL_S", 1.5)
    if not sure:
        monkeypatch.setattr(listening.PostgresListening, "_send_self_test", lambda self: None)

    async def told_nobody(staged: Stage, hearing: Hearing) -> None:
        with Store.open(address) as other:
            other.log.recorder.channel_name = "nobody"  # type: ignore[attr-defined]
            await write(staged, other, 12)
        await hearing.entries(11, 12)

    async with stage(where=address) as staged, staged.listen() as hearing:
        await until(lambda: staged.context.has_change_notifications or not sure)
        await told_nobody(staged, hearing)
        assert staged.context.has_change_notifications == sure and hearing.silent()
