"""The Python client: requests as programs send them, and responses decoded to the values of the service."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar
from uuid import UUID

import msgspec
import pytest

from cli.client.events import read_events
from cli.client.service import Service, ServiceError, connect
from cli.client.transport import BUSY_TRIES, ClientRequest, ClientResponse, ServiceUnreachable
from domain.games import GAMES as LAWS
from domain.table.table import Seat
from projections.board import board
from projections.seen_entries import seen_entries
from recorder.match_loader import LoadedMatch as Loaded, load_match
from recorder.usecases import commands as C
from service import payloads
from service.access import Role
from service.problems import problem
from tests.cli.runs import Ran
from tests.service.harness import Served
from tests.shelves import SHELVES

GAMES = tuple(SHELVES)
URL = "http://service.example"
Begin = Callable[..., Callable[..., Ran]]
"""A function that takes a service and a role, and returns one that runs commands there."""
COMMAND = UUID("00000000-0000-4000-8000-000000000001")


def client(served: Served, role: Role = "spectator", *matches: str, seat: str = "") -> Service:

    def send(request: ClientRequest) -> ClientResponse:
        answer = served.client.request(
            request.method, request.path, headers=dict(request.headers), content=request.body, follow_redirects=False
        )
        return ClientResponse(answer.status_code, {k.lower(): v for k, v in answer.headers.items()}, answer.content)

    def stream(request: ClientRequest) -> Iterator[bytes]:
        return iter(send(request).body.split(b"\n"))

    header = {} if role == "spectator" else served.bearer(role, *matches, seat=seat)
    return Service("http://testserver.local", send, stream, header.get("Authorization", "").removeprefix("Bearer "))


def loaded(served: Served, match: str) -> Loaded:
    match_there = load_match(served.context.store, match)
    assert isinstance(match_there, Loaded)
    return match_there


@pytest.mark.parametrize("game", GAMES)
def test_what_is_read_of_a_match_is_what_projections_show(served: Served, game: str) -> None:
    match = served.record_match(game, SHELVES[game].matches[0], closed=True)
    record = loaded(served, match)
    head = len(record.entries)
    seen = client(served).match(match)
    assert seen.head().head == head and seen.head().stands.closed
    assert tuple(seen.entries(flow=True)) == tuple(seen_entries(record, record.eyes(), head, flow=True))
    assert seen.entry(1) == next(iter(seen_entries(record, record.eyes(), 1, flow=True)))
    assert seen.moment(head).board == board(record, record.eyes(), head)
    for value in (seen.stack(head), seen.offers(head), seen.why(2), seen.list_known_faces(head)):
        assert value.match == match
    assert seen.findings() == seen.audit().findings
    with pytest.raises(ServiceError) as closed:
        client(served, "head").match(match).cost(1)
    assert closed.value.problem.type == "/problem/closed"
    assert seen.export("html").startswith(b"<!doctype html>")


def test_what_there_is_is_listed_page_after_page(served: Served) -> None:
    ids = [served.open("grimoire", seed=number, match=f"m-{number:03}") for number in range(103)]
    assert [row.match for row in client(served).matches()] == ids
    asked = client(served)
    assert {listed.game for listed in asked.games()} == set(GAMES)
    book = asked.game("grimoire")
    clause = next(iter(asked.heat("grimoire").clauses)).clause
    assert asked.clause("grimoire", clause).clause == clause and book.game == "grimoire"
    pages = list(asked.find(game="grimoire", player="Player p1"))
    while not pages[0].complete:
        pages = list(asked.find(game="grimoire", player="Player p1"))
    assert [found.match for page in pages for found in page.matches] == ids[::-1]


def test_whoever_was_invited_signs_in_and_out(served: Served) -> None:
    invited = client(served, "operator").invite(payloads.Invite(role="head", name="Aiko"))
    mine = client(served).sign_in(invited.invitation)
    assert (mine.session().role, mine.session().name) == ("head", "Aiko")
    mine.sign_out()
    with pytest.raises(ServiceError) as refused:
        mine.session()
    assert refused.value.problem.type == "/problem/no-token"
    with pytest.raises(ServiceError):
        client(served).sign_in(invited.invitation)


def test_a_match_is_opened_written_to_gone_back_in_and_closed(served: Served) -> None:
    head = client(served, "head")
    opened = head.open(payloads.OpenMatch(game="grimoire", version=tuple(LAWS["grimoire"].versions)[-1], match="final"))
    match = head.match("final")
    noted = match.note("a card fell", id=COMMAND)
    assert noted.head == opened.head + 1 and match.note("a card fell", id=COMMAND) == noted
    assert match.call("slow play").head == noted.head + 1
    assert match.attempt(C.AddNote(text="later")).head == noted.head + 1
    gone = match.rewind(opened.head, "once more", noted.head + 1)
    assert gone.entries[0].to == opened.head
    with pytest.raises(ServiceError) as stale:
        match.close(noted.head, "time", abandon=True)
    assert stale.value.problem.type == "/problem/conflict" and stale.value.problem.head == gone.head
    unsealed = match.break_seal("judge")
    assert unsealed.viewer == "judge" and head.match("final", "judge").moment(1).board.viewer == "judge"
    match.seal()
    closed = match.close(match.head().head, "time", abandon=True)
    assert closed.entries[-1].seen == "closed"
    with pytest.raises(ServiceError) as late:
        match.note("too late")
    assert late.value.problem.says("ja")
    record = head.match("final", "spectator").export("jsonl")
    assert record


def test_whole_records_are_taken_in_once(served: Served) -> None:
    shelf = SHELVES[GAMES[0]]
    head = client(served, "head")
    first = head.import_record(shelf.text(shelf.matches[0]).encode())
    again = head.import_record(shelf.text(shelf.matches[0]).encode())
    assert [taken.new for taken in (*first.matches, *again.matches)] == [True, False]
    assert head.match(first.matches[0].match).head().head == first.matches[0].entries


class Fickle(BaseHTTPRequestHandler):
    """A server that gives scripted responses: None closes the connection, and an error status has a `Retry-After`."""

    said: ClassVar[list[tuple[str, bytes] | tuple[int, str] | None]] = []
    heard: ClassVar[list[tuple[str, str, bytes]]] = []

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.heard.append((self.path, self.headers.get("Last-Event-ID", ""), body))
        if (told := self.said.pop(0)) is None:
            self.close_connection = True
            return
        match told:
            case int() as status, str() as wait:
                self.send_response(status)
                self.send_header("Retry-After", wait)
                self.send_header("Content-Type", "application/problem+json")
                self.end_headers()
                self.wfile.write(msgspec.json.encode(problem("store-unavailable")))
            case kind, text:
                self.send_response(200)
                self.send_header("Content-Type", str(kind))
                self.end_headers()
                self.wfile.write(text)

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def fickle(*said: tuple[str, bytes] | tuple[int, str] | None) -> Iterator[Service]:
    Fickle.said[:], Fickle.heard[:] = said, []
    with ThreadingHTTPServer(("127.0.0.1", 0), Fickle) as server:
        Thread(target=server.serve_forever, args=(0.01,)).start()
        try:
            yield connect(f"http://127.0.0.1:{server.server_port}", "secret")
        finally:
            server.shutdown()


ENTERED = (
    "application/json",
    msgspec.json.encode(payloads.EntriesWithFlags(match="m", viewer=Seat("p1"), head=2, entries=())),
)


def test_a_command_whose_answer_is_lost_is_sent_again_under_the_same_id() -> None:
    with fickle(None, ENTERED) as service:
        assert service.match("m").note("a card fell").head == 2
        (_, _, first), (_, _, again) = Fickle.heard
        assert first == again and msgspec.json.decode(first)["id"]


def test_what_is_told_to_come_back_is_sent_again_as_it_is_and_not_for_ever() -> None:
    with fickle((503, "0"), (429, "0"), ENTERED) as service:
        assert service.match("m").note("a card fell").head == 2
        assert len(Fickle.heard) == 3 and len({body for _, _, body in Fickle.heard}) == 1
    for said in ([(503, "0")] * (BUSY_TRIES + 1), [(429, "1200")], [(503, "")]):
        with fickle(*said) as service:
            with pytest.raises(ServiceError) as refused:
                service.match("m").note("a card fell")
            assert len(Fickle.heard) == len(said) and refused.value.problem.type == "/problem/store-unavailable"


def test_what_would_happen_twice_is_sent_once() -> None:
    with fickle(None, ENTERED) as service:
        with pytest.raises(ServiceUnreachable):
            service.match("m").break_seal("judge")
        with pytest.raises(ServiceUnreachable):
            service.sign_in("invitation")  # the response is of another type
        assert len(Fickle.heard) == 2
    with fickle((503, "0")) as service, pytest.raises(ServiceError):
        service.match("m").break_seal("judge")


def test_a_stream_goes_on_behind_the_last_event_that_came() -> None:
    first = b'retry: 2000\n\n: ping\n\nid: 7\nevent: entry\ndata: {"n": 7}\n\nid: 8\nevent: entry\ndata: {"n"'
    rest = b'id: 8\nevent: entry\ndata: {"n": 8}\n\nevent: bye\ndata: {}\n\n'
    end = b"event: sealed\ndata: {}\n\n"
    kind = "text/event-stream"
    with fickle((kind, first), (kind, rest), (kind, end)) as service:
        came = [(event.kind, event.id, bytes(event.data)) for event in service.match("m").live(6)]
    assert came == [("entry", "7", b'{"n": 7}'), ("entry", "8", b'{"n": 8}'), ("sealed", "", b"{}")]
    assert [(path, after) for path, after, _ in Fickle.heard] == [
        ("/api/v1/matches/m/live?after=6", after) for after in ("", "7", "8")
    ]


def test_what_is_no_service_is_said_to_be_none() -> None:
    with fickle(("text/html", b"<p>hello"), ("application/json", b'{"role": 7}')) as service:
        for _ in range(2):
            with pytest.raises(ServiceUnreachable) as foreign:
                service.session()
            assert foreign.value.text.key == "client.foreign"
    with pytest.raises(ServiceUnreachable) as gone:
        service.session()
    assert gone.value.text.key == "client.unreachable" and "secret" not in str(gone.value)


def test_who_does_not_answer_in_time_may_have_got_what_was_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with pytest.raises(ServiceUnreachable) as slow:
            connect(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.05).session()
        assert slow.value.sent and "0.05" in slow.value.text.say("en")
    with pytest.raises(ServiceUnreachable) as gone:
        connect("http://127.0.0.1:1").session()
    assert not gone.value.sent


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("ftp://host", "client.bad_address"),
        ("http://", "client.bad_address"),
        ("http://host:99999", "client.bad_address"),
        ("http://host/path", "client.bad_address"),
        ("http://token@host", "client.token_in_address"),
        ("http://a:b@host", "client.token_in_address"),
    ],
)
def test_an_address_is_a_host_and_nothing_more(url: str, key: str) -> None:
    with pytest.raises(ServiceUnreachable) as bad:
        connect(url)
    assert bad.value.text.key == key


def test_a_token_that_could_not_be_sent_is_not_repeated() -> None:
    with pytest.raises(ServiceUnreachable) as bad:
        connect("http://host", "to\nken")
    assert bad.value.text.key == "client.bad_token" and "ken" not in bad.value.text.say("en").replace("token", "")


def test_events_are_told_to_their_end_or_not_at_all() -> None:
    lines = [b"event: a", b"data: [1,", b"data: 2]", b"", b": note", b"", b"id: 3", b"data: {}", b"", b"data: {}"]
    assert [(e.kind, msgspec.json.decode(e.data), e.id) for e in read_events(lines)] == [
        ("a", [1, 2], ""),
        ("message", {}, "3"),
    ]
