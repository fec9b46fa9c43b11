"""Servers killed, doubled, locked out and stopped during recording: every acknowledged note exists exactly once."""

import resource
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

import httpx
import pytest
from msgspec import Struct

from domain.law.entries import Noted
from recorder.clock import pause
from recorder.store import Store
from tests.rotation import is_nightly
from tests.service.processes import MAIN, PATIENCE, PATIENT, Server, bearer, begin_store, server, shinpan, wait_for

pytestmark = [pytest.mark.rotates(2), pytest.mark.process]
MATCH = "table-1"
WRITERS, NOTES, KILLS = 3, 16, 3 if is_nightly() else 1
CROWD = 60
"""More than the number of threads."""
FILE_MAX = 512 * 1024
UNDER_WAY = "UNDER_WAY"
"""Environment variable: a file that grows by a byte for each command accepted."""
COUNTING = f"""{PATIENT}
import os
is_write = app.is_write
def count_write(route):
    writes = is_write(route)
    with open(os.environ['{UNDER_WAY}'], 'a') as file:
        file.write('.' * writes)
    return writes
app.is_write = count_write
{MAIN}"""
"""A program whose writers wait patiently for the store, and which counts accepted commands."""
GONE = (httpx.TransportError,)


@pytest.fixture
def store(tmp_path: Path) -> str:
    return begin_store(tmp_path, MATCH)


def write(url: str, held: dict[str, str], text: str, id: str, head: str = "*") -> httpx.Response:
    body = {"kind": "note", "text": text, "id": id}
    return httpx.post(
        f"{url}/api/v1/matches/{MATCH}/entries",
        json=body,
        headers={**held, "If-Match": head},
        timeout=PATIENCE,
        verify=False,
    )


def look(served: Server, held: dict[str, str]) -> httpx.Response:
    """Try a note: the match is read and nothing is recorded."""
    body = {"kind": "note", "text": "only tried"}
    return served.post(f"/api/v1/matches/{MATCH}/entries:try", body, headers=held)


def notes(store: str) -> list[str]:
    with Store.open(store, read_only=True) as opened:
        return [entry.text for entry in opened.read(MATCH) if isinstance(entry, Noted)]


@contextmanager
def locked(where: str) -> Iterator[None]:
    with Store.open(where) as other, other.transaction():
        yield


@contextmanager
def patient(store: str, folder: Path) -> Iterator[tuple[Server, Callable[[], int]]]:
    file = folder / "under-way"
    file.touch()
    with server(store=store, begin=(sys.executable, "-c", COUNTING), **{UNDER_WAY: str(file)}) as served:
        yield served, lambda: file.stat().st_size


def is_caught(served: Server, number: int) -> bool:
    status = Path(f"/proc/{served.process.pid}/status").read_text()
    mask = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(mask >> (number - 1) & 1)


class WrittenNote(Struct, frozen=True):
    text: str
    entry: int


class Writer(Thread):
    """A client that writes notes and retries each until it is acknowledged, across restarts."""

    def __init__(self, url: str, held: dict[str, str], name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.url, self.held = url, held
        self.written: list[WrittenNote] = []
        self.lost = self.repeated = 0
        self.failed: list[str] = []
        self.count = 0
        self.last = Event()
        """Set to stop after at least `NOTES` notes."""

    def run(self) -> None:
        while self.count < NOTES or not self.last.is_set():
            self._write(f"{self.name} {self.count}", str(uuid4()))
            self.count += 1

    def _write(self, text: str, id: str) -> None:
        while True:
            try:
                answer = write(self.url, self.held, text, id)
            except GONE:
                self.lost += 1
                pause(0.05)
                continue
            if answer.status_code in (429, 503):
                pause(0.2)
                continue
            if answer.status_code not in (200, 201):
                self.failed.append(answer.text)
                return
            self.repeated += answer.status_code == 200
            self.written.append(WrittenNote(text, int(answer.headers["location"].rpartition("/")[2])))
            return


def test_killed_while_people_record_it_loses_and_doubles_nothing(store: str) -> None:
    with server(store=store) as first:
        port = int(first.url.rpartition(":")[2])
        writers = [Writer(first.url, bearer(store), f"w{number}") for number in range(WRITERS)]
        for writer in writers:
            writer.start()
        wait_for(lambda: all(writer.written for writer in writers))
        first.end(signal.SIGKILL)
    for number in range(2, KILLS + 1):
        with server(store=store, port=port) as again:
            before = sum(len(writer.written) for writer in writers)
            most = number * WRITERS * NOTES // (KILLS + 1)
            wait_for(
                lambda before=before, most=most: sum(len(writer.written) for writer in writers) > max(before, most)
            )
            again.end(signal.SIGKILL)
    with server(store=store, port=port):
        for writer in writers:
            writer.last.set()
        for writer in writers:
            writer.join(PATIENCE)
            assert not writer.is_alive()
    wanted = sorted(f"{writer.name} {number}" for writer in writers for number in range(writer.count))
    assert [writer.failed for writer in writers] == [[]] * WRITERS
    assert sorted(notes(store)) == wanted
    assert sum(writer.lost for writer in writers) > 0, "nobody ever met a killed server"
    with Store.open(store, read_only=True) as opened:
        entries = opened.read(MATCH)
    for note in (note for writer in writers for note in writer.written):
        entry = entries[note.entry - 1]
        assert isinstance(entry, Noted) and entry.text == note.text, "an answer names another entry"


@pytest.mark.nightly
def test_two_servers_and_the_command_line_record_in_one_store(store: str) -> None:
    held = bearer(store)
    with server(store=store) as one, server(store=store) as other:
        head = write(one.url, held, "by one", str(uuid4())).headers["etag"]
        id = str(uuid4())
        assert write(other.url, held, "by the other", id, head).status_code == 201
        assert write(one.url, held, "by the other", id).status_code == 200, "a command is known to every server"
        typed = shinpan(store, "note", MATCH, "typed")
        assert typed.returncode == 0, typed.stderr
        last = write(other.url, held, "behind what was typed", str(uuid4()), head)
        assert last.status_code == 201
        assert look(one, held).headers["etag"] == last.headers["etag"]
    assert notes(store) == ["by one", "by the other", "typed", "behind what was typed"]


def test_a_store_that_is_locked_is_told_and_the_same_command_holds_later(store: str) -> None:
    held, id = bearer(store), str(uuid4())
    with server(store=store) as served:
        assert write(served.url, held, "before", str(uuid4())).status_code == 201
        with locked(store):
            refused = write(served.url, held, "late", id)
            assert refused.status_code == 503 and refused.json()["type"] == "/problem/store-unavailable"
            assert str(store) not in refused.text
            assert look(served, held).status_code == 200, "it can still be looked at"
        assert write(served.url, held, "late", id).status_code == 201
    assert notes(store) == ["before", "late"]


@pytest.mark.nightly
def test_who_waits_for_a_locked_store_keeps_no_reader_waiting(store: str, tmp_path: Path) -> None:
    held = [bearer(store) for _ in range(CROWD)]
    with patient(store, tmp_path) as (served, count), ThreadPoolExecutor(CROWD) as pool:
        with locked(store):
            texts = [f"note {number}" for number in range(CROWD)]
            waiting = [pool.submit(write, served.url, held[n], text, str(uuid4())) for n, text in enumerate(texts)]
            wait_for(lambda: count() == CROWD)
            assert served.get("/en/floor").status_code == look(served, held[0]).status_code == 200
            assert sum(answer.done() for answer in waiting) < CROWD, "nobody waits any more"
        answers = [answer.result() for answer in waiting]
    assert {answer.status_code for answer in answers} <= {201, 412, 503}
    told = [text for text, answer in zip(texts, answers, strict=True) if answer.status_code == 201]
    assert sorted(notes(store)) == sorted(told)


@pytest.mark.nightly
def test_a_copy_made_while_people_record_is_whole_and_opens_no_door(store: str, tmp_path: Path) -> None:
    held, copy = bearer(store), tmp_path / "copy.sqlite"
    with server(store=store) as served:
        writer = Writer(served.url, held, "w")
        writer.last.set()
        writer.start()
        wait_for(lambda: bool(writer.written))
        made = shinpan(store, "backup", str(copy))
        assert made.returncode == 0, made.stderr
        writer.join(PATIENCE)
    copied = notes(copy)
    assert copied and copied == notes(store)[: len(copied)]
    with server(store=copy) as again:
        assert "Operator" in again.links and look(again, held).status_code == 401


@pytest.mark.nightly
def test_told_to_stop_it_answers_what_is_under_way(store: str, tmp_path: Path) -> None:
    held, answers = bearer(store), []
    with patient(store, tmp_path) as (served, count):

        def ask() -> None:
            answers.append(write(served.url, held, "under way", str(uuid4())))

        with locked(store):
            asking = Thread(target=ask)
            asking.start()
            wait_for(lambda: count() == 1)
            served.process.send_signal(signal.SIGTERM)
            wait_for(lambda: not is_caught(served, signal.SIGTERM))
        asking.join(PATIENCE)
        assert served.process.wait(PATIENCE) == 128 + signal.SIGTERM
    (answer,) = answers
    assert answer.status_code == 201 and notes(store) == ["under way"]


@pytest.mark.nightly
def test_a_full_disk_is_told_and_what_was_answered_stands(sqlite_file: Path) -> None:
    store = begin_store(sqlite_file.parent, MATCH)
    held, text = bearer(store), "x" * 20_000
    with server(store=store) as served:
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX))
        count = 0
        while (answer := write(served.url, held, f"{count} {text}", str(uuid4()))).status_code == 201:
            count += 1
            assert count < FILE_MAX // 1000, "the disk is never full"
        assert answer.status_code == 503 and answer.json()["type"] == "/problem/store-unavailable"
        assert look(served, held).status_code == 200
        served.end()
    assert [note.partition(" ")[0] for note in notes(store)] == [str(number) for number in range(count)]


@pytest.mark.nightly
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_it_at_once(store: str, tmp_path: Path, number: signal.Signals) -> None:
    held = bearer(store)
    with patient(store, tmp_path) as (served, count), locked(store):
        hanging = Thread(target=lambda: _ignore(served, held), daemon=True)
        hanging.start()
        wait_for(lambda: count() == 1)
        served.process.send_signal(number)
        wait_for(lambda: not is_caught(served, number))
        served.process.send_signal(number)
        assert served.process.wait(PATIENCE) == -number


def _ignore(served: Server, held: dict[str, str]) -> None:
    try:
        write(served.url, held, "never", str(uuid4()))
    except GONE:
        return
