"""Concurrent requests for an action that can happen once: one succeeds, and the others get a conflict."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import uuid4

import httpx
import pytest

from domain.games import GAMES
from domain.law.entries import Closed, Noted, Rewound
from recorder.matches import open_match
from recorder.store import Store
from service import demo
from service.access import Role
from tests.places import place
from tests.service.processes import MAIN, PATIENT, Server, bearer, server

pytestmark = [pytest.mark.process, pytest.mark.nightly]
MANY, ROUNDS = 12, 6
Ask = Callable[[int], httpx.Response]


@pytest.fixture(scope="module")
def served(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = place(tmp_path_factory.mktemp("races") / "cup.sqlite")
    Store.open(path).close()
    with server(store=path, begin=(sys.executable, "-c", PATIENT + MAIN)) as served:
        yield served


def open_one(served: Server) -> str:
    version, law = demo.newest_rules(next(iter(GAMES.values())))
    with Store.open(served.store) as store:
        match = open_match(store, law, version, {})
    assert isinstance(match, str)
    return match


def come_in(served: Server, role: Role, *matches: str, seat: str = "") -> dict[str, str]:
    return bearer(served.store, role, *matches, seat=seat, name=f"{role} {uuid4()}")


def at_once(ask: Ask) -> list[httpx.Response]:
    with ThreadPoolExecutor(MANY) as pool:
        return list(pool.map(ask, range(MANY)))


def write(
    served: Server, match: str, held: dict[str, str], head: str = "*", id: str = "", **body: Any
) -> httpx.Response:
    headers = {**held, "If-Match": head}
    return served.post(f"/api/v1/matches/{match}/entries", {"id": id or str(uuid4()), **body}, headers=headers)


def entries(served: Server, match: str) -> Sequence[Any]:
    with Store.open(served.store, read_only=True) as store:
        return store.read(match)


def statuses(answers: Sequence[httpx.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


def test_an_invitation_lets_one_in(served: Server) -> None:
    operator = come_in(served, "operator")
    invited = served.post("/api/v1/invitations", {"role": "floor", "name": "Kato"}, headers=operator).json()
    ours = {"Origin": served.url}
    body = {"invitation": invited["invitation"]}
    answers = at_once(lambda number: served.post("/api/v1/sessions", body, headers=ours))
    assert statuses(answers) == {201: 1, 404: MANY - 1}
    assert "token" not in "".join(answer.text for answer in answers if answer.status_code == 404)


def test_a_match_is_closed_once(served: Server) -> None:
    match, held = open_one(served), [come_in(served, "head") for _ in range(MANY)]
    head = f'"{len(entries(served, match))}"'
    close = {"kind": "close", "abandon": True, "reason": "fire", "confirm": True}
    answers = at_once(lambda number: write(served, match, held[number], head, **close))
    assert statuses(answers)[201] == 1 and statuses(answers).keys() <= {201, 409, 412}
    assert sum(isinstance(entry, Closed) for entry in entries(served, match)) == 1
    assert isinstance(entries(served, match)[-1], Closed)


def test_what_is_sent_while_a_match_is_closed_stands_before_the_end_or_not_at_all(served: Server) -> None:
    match, held = open_one(served), [come_in(served, "head") for _ in range(MANY)]

    def ask(number: int) -> httpx.Response:
        if number == MANY // 2:
            head = f'"{len(entries(served, match))}"'
            return write(served, match, held[number], head, kind="close", abandon=True, reason="fire", confirm=True)
        return write(served, match, held[number], kind="note", text=f"note {number}")

    answers = at_once(ask)
    assert statuses(answers).keys() <= {201, 409, 412}
    noted = [entry.text for entry in entries(served, match) if isinstance(entry, Noted)]
    told = [f"note {n}" for n, answer in enumerate(answers) if answer.status_code == 201 and n != MANY // 2]
    assert sorted(noted) == sorted(told)
    if answers[MANY // 2].status_code == 201:
        assert isinstance(entries(served, match)[-1], Closed)


def test_a_name_is_given_to_one_match(served: Server) -> None:
    held, game = come_in(served, "head"), next(iter(GAMES.values()))
    version, _ = demo.newest_rules(game)
    body = {"game": game.key, "version": version, "match": f"cup-{uuid4()}"}
    answers = at_once(lambda number: served.post("/api/v1/matches", {**body, "id": str(uuid4())}, headers=held))
    assert statuses(answers) == {201: 1, 409: MANY - 1}, answers[0].text


def test_a_match_goes_back_once(served: Server) -> None:
    match, held = open_one(served), [come_in(served, "head") for _ in range(MANY)]
    assert write(served, match, held[0], kind="note", text="x").status_code == 201
    head = f'"{len(entries(served, match)) - 1}"'
    answers = at_once(lambda number: write(served, match, held[number], head, kind="rewind", to=2, reason="x"))
    assert statuses(answers) == {201: 1, 412: MANY - 1}, [answer.text for answer in answers]
    assert sum(isinstance(entry, Rewound) for entry in entries(served, match)) == 1


def test_an_id_that_somebody_else_used_tells_no_more_than_the_record(served: Server) -> None:
    """A repeated id with the same command returns the recorded entry, limited to what the sender may see."""
    match, other, id = open_one(served), open_one(served), str(uuid4())
    head, seat = come_in(served, "head"), come_in(served, "seat", match, seat="p1")
    call = {"kind": "call", "text": "secret of the head judge"}
    assert write(served, match, head, id=id, **call).status_code == 201
    repeated = write(served, match, seat, id=id, **call)
    assert repeated.status_code == 200 and repeated.json()["viewer"] == "p1"
    number = len(entries(served, match))
    seen = served.get(f"/api/v1/matches/{match}/entries/{number}?as=p1", headers=seat).json()
    assert repeated.json()["entries"] == [seen]
    assert write(served, match, seat, id=id, kind="call", text="other").status_code == 409
    assert write(served, match, come_in(served, "spectator"), id=id, **call).status_code == 403
    assert write(served, other, head, id=id, **call).status_code == 201, "an id is a match's own"


def test_of_two_who_record_at_one_table_one_is_told_what_the_other_did(served: Server) -> None:
    match, both = open_one(served), [come_in(served, "scorekeeper") for _ in range(2)]
    passing = partial(write, kind="line", text="pass")
    for _ in range(ROUNDS):
        at = len(entries(served, match))
        ids = [str(uuid4()) for _ in both]
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(passing, (served,) * 2, (match,) * 2, both, (f'"{at}"',) * 2, ids))
        assert statuses(answers) == {201: 1, 412: 1}, [answer.text for answer in answers]
        (late,) = (number for number, answer in enumerate(answers) if answer.status_code == 412)
        told = answers[late].json()
        assert [entry["number"] for entry in told["since"]] == list(range(at + 1, told["head"] + 1))
        again = passing(served, match, both[late], f'"{told["head"]}"', ids[late])
        assert again.status_code == 201, "the same command, behind what the other did"


def test_a_command_sent_many_times_at_once_is_recorded_once(served: Server) -> None:
    match, held, id = open_one(served), come_in(served, "scorekeeper"), str(uuid4())
    answers = at_once(lambda number: write(served, match, held, "*", id, kind="note", text="once"))
    assert statuses(answers).keys() <= {200, 201} and len({answer.text for answer in answers}) == 1
    assert [entry.text for entry in entries(served, match) if isinstance(entry, Noted)] == ["once"]
