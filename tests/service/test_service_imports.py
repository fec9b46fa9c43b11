"""Records taken in over HTTP: all of a file or nothing, and what is wrong with one is said by line and column."""

from pathlib import Path

import pytest

from recorder import codec
from service.settings import Settings
from tests.service.serving import Served, serve
from tests.service.writing import send

IMPORTS = "/api/v1/imports"
ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "fixtures").glob("*/matches/*.spn"))[:3]


def test_there_are_records_to_be_taken_in() -> None:
    assert len(RECORDS) == 3


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name)
def test_a_record_in_notation_is_taken_in_once(served: Served, record: Path) -> None:
    woken: list[str] = []
    served.house.wakes.append(woken.append)
    held = served.bearer("head")
    first = served.client.post(IMPORTS, content=record.read_bytes(), headers=held)
    assert first.status_code == 201, first.text
    (taken,) = first.json()["matches"]
    assert taken["new"] and served.house.match(taken["match"]).version == taken["entries"]
    again = served.client.post(IMPORTS, content=record.read_bytes(), headers=held)
    assert again.status_code == 200 and again.json() == {"matches": [taken | {"new": False}]}
    assert woken == [taken["match"]]


def test_json_lines_are_taken_in_and_another_record_of_the_same_match_is_not() -> None:
    with serve() as there, serve() as here:
        match = there.open("blackpoker", match="t0")
        lines = [codec.to_json_line(state) for state in there.house.store.read_bytes(match)]
        held = here.bearer("operator")
        taken = here.client.post(IMPORTS, content=b"\n".join(lines), headers=held)
        assert taken.status_code == 201 and taken.json()["matches"] == [{"match": "t0", "entries": 3, "new": True}]
        assert send(there, match, {"kind": "note", "text": "x"}, id=1).status_code == 201
        more = [codec.to_json_line(state) for state in there.house.store.read_bytes(match)]
        other = here.client.post(IMPORTS, content=b"\n".join(more), headers=held)
        assert other.status_code == 409 and other.json()["type"] == "/problem/exists"
        assert here.house.match(match).version == 3


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda lines: [*lines[:-2], b"p1: attakc", *lines[-2:]], ""),
        (lambda lines: [*lines[:3], b"\xff\xfe", *lines[3:]], "UTF-8"),
        (lambda lines: [], "nothing"),
        (lambda lines: [b"; shinpan view 1"], "copy"),
        (lambda lines: [b'{"shinpan": "view"}'], "copy"),
        (lambda lines: [b'{"entry": "opened"'], ""),
        (lambda lines: [b"[" * 100_000], ""),
        (lambda lines: [b'{"a":' * 100_000], ""),
        (lambda lines: [b"\x00" * 1_000], ""),
    ],
)
def test_a_bad_file_is_refused_and_nothing_is_written(served: Served, change, said: str) -> None:  # type: ignore[no-untyped-def]
    data = b"\n".join(change(RECORDS[0].read_bytes().split(b"\n")))
    answer = served.client.post(IMPORTS, content=data, headers=served.bearer("head"))
    assert answer.status_code == 400, answer.text
    assert said in answer.json()["en"] and answer.json()["ja"]
    assert answer.json().get("line", 0) >= 1 and answer.json().get("column", 0) >= 1
    assert served.house.store.matches() == []


def test_a_record_that_is_none_says_which_entry() -> None:
    with serve() as there, serve() as here:
        match = there.open("blackpoker", match="t0")
        lines = [codec.to_json_line(state) for state in there.house.store.read_bytes(match)]
        answer = here.client.post(IMPORTS, content=b"\n".join((*lines, lines[0])), headers=here.bearer("head"))
        assert answer.status_code == 400 and answer.json()["entry"] == 4
        assert here.house.store.matches() == []


def test_a_file_may_be_larger_than_a_command_and_not_larger_than_that() -> None:
    with serve(Settings(store=":memory:", body_max=1_000, import_max=20_000)) as served:
        held = served.bearer("head")
        data = RECORDS[0].read_bytes()
        assert 1_000 < len(data) < 20_000
        assert served.client.post(IMPORTS, content=data, headers=held).status_code == 201
        assert served.client.post(IMPORTS, content=data + b" " * 20_000, headers=held).status_code == 413
        chunks = (b" " * 1_000 for _ in range(50))
        assert served.client.post(IMPORTS, content=chunks, headers=held).status_code == 413, "no length declared"
        command = {"kind": "note", "text": "x" * 2_000}
        assert served.client.post("/api/v1/matches/x/entries", json=command, headers=held).status_code == 413


def test_only_head_judges_and_operators_take_records_in(served: Served) -> None:
    for role in ("spectator", "seat", "scorekeeper", "floor", "designer"):
        held = served.bearer(role) if role != "spectator" else {"Origin": "http://testserver.local"}  # type: ignore[arg-type]
        assert served.client.post(IMPORTS, content=RECORDS[0].read_bytes(), headers=held).status_code == 403
    assert served.house.store.matches() == []
