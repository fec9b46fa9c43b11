"""Match lists read only new entries of open matches; the tests count entries read."""

import threading
from collections import Counter

import pytest
from msgspec.structs import replace

import recorder.store
from domain.law.disputes import Paused, Resumed
from domain.law.entries import Closed, Noted, Rewound
from domain.words import Text
from projections.tables import read_table_status
from recorder import codec
from recorder.remarks import write_remark
from service.access import Role
from service.search import follower
from service.settings import Settings
from tests.service.harness import SECOND_MS, Served, serve
from tests.service.listening import random_match

pytestmark = pytest.mark.rotates(2)

TABLES, LENGTH = 64, 40
ASKED: tuple[tuple[str, Role], ...] = (
    ("/en/floor", "spectator"),
    ("/api/v1/matches?limit=100", "spectator"),
    ("/en/floor", "head"),
    ("/api/v1/matches?limit=100", "head"),
)
DELAY_MS = 10 * SECOND_MS
BEFORE = 2


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the entries and openings that requests read from a store.

    Reads of the search index thread do not count.
    """
    counts: Counter[str] = Counter()
    whole, head = codec.DECODE, recorder.store.HEAD

    class Counting:
        def decode(self, state: bytes) -> object:
            counts["heads"] += is_asked_for()
            return head.decode(state)

    def decode(state: bytes) -> object:
        counts["entries"] += is_asked_for()
        return whole(state)

    def is_asked_for() -> bool:
        return threading.current_thread().name != follower.THREAD_NAME

    monkeypatch.setattr(codec, "DECODE", decode)
    monkeypatch.setattr(recorder.store, "HEAD", Counting())
    return counts


def begin(served: Served) -> None:
    entries = random_match("blackpoker", 3, LENGTH + 8)[: LENGTH - 4]
    began = served.clock.at - (len(entries) - 1) * SECOND_MS
    timed = [replace(entry, at=began + at * SECOND_MS) for at, entry in enumerate(entries)]
    for table in range(TABLES):
        assert served.context.store.append(f"t{table}", 0, timed) == len(timed)


def go_on(served: Served, match: str) -> None:
    version = served.context.store.version(match)
    entry = random_match("blackpoker", 3, LENGTH + 8)[version]
    assert served.context.store.append(match, version, [replace(entry, at=served.clock.at)]) == version + 1


def ask_all(served: Served, read: Counter[str]) -> dict[str, int]:
    read.clear()
    for path, role in ASKED:
        answer = served.get(path, role)
        assert answer.status_code == 200 and answer.text.count("t7") >= 1
    return dict(+read)


@pytest.mark.parametrize("delay", [0, DELAY_MS])
def test_a_hall_of_live_tables_costs_what_is_new_at_them(delay: int, read: Counter[str]) -> None:
    with serve(Settings(store=":memory:", delay=delay)) as served:
        begin(served)
        assert ask_all(served, read)["heads"] == TABLES
        served.clock.at += DELAY_MS  # every delay has passed
        ask_all(served, read)
        assert ask_all(served, read) == {}
        go_on(served, "t7")
        assert ask_all(served, read) == {"entries": 1}
        assert ask_all(served, read) == {}
        served.clock.at += DELAY_MS
        ask_all(served, read)
        assert ask_all(served, read) == {}


@pytest.mark.parametrize("delay", [0, DELAY_MS])
def test_what_is_told_step_by_step_is_what_a_service_tells_that_looks_for_the_first_time(delay: int) -> None:
    steps = [
        Noted(by="p1", text=write_remark("call", Text("remark.call"))),
        Noted(
            by="head", text=write_remark("answered", Text("remark.answered", {"entry": LENGTH - 3})), about=LENGTH - 3
        ),
        Noted(by="p2", text=write_remark("call", Text("remark.call"))),
        Paused(by="head"),
        Resumed(by="head", extension=60_000),
        Paused(by="head"),
        Rewound(to=BEFORE, reason="slip", by="head"),
        Noted(by="p2", text="hm"),
        Closed(by="head", reason="time"),
    ]
    with serve(Settings(store=":memory:", delay=delay)) as served:
        begin(served)
        for step in [None, *steps]:
            if step is not None:
                version = served.context.store.version("t7")
                assert served.context.store.append("t7", version, [replace(step, at=served.clock.at)]) == version + 1
            for _ in range(3):
                told = [served.get(path, role).text for path, role in ASKED]
                served.context.match_summaries = type(served.context.match_summaries)(served.context.store)
                anew = [served.get(path, role).text for path, role in ASKED]
                assert told == anew
                served.clock.at += DELAY_MS // 2
        entries = served.context.store.read("t7")
        assert read_table_status("t7", entries[: LENGTH - 4]).turn != read_table_status("t7", entries).turn, (
            "it went back a turn"
        )
        now = served.context.match_summaries.read("t7", len(entries))
        assert now == read_table_status("t7", entries) and now is not None and now.over and not now.calls
