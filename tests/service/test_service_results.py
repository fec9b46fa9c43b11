"""Results of a round as JSON and CSV, with unfinished matches marked."""

import csv
from collections.abc import Iterator
from io import StringIO
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.law.entries import opened_of
from domain.table.redact import SPECTATOR
from service.access import ROLES
from service.settings import Settings
from tests.laws.leak_checks import never_known
from tests.laws.samples import sample
from tests.places import Place, rows
from tests.service.commands import uuid
from tests.service.harness import Served, serve
from tests.service.test_service_pairing import ROUND, ROUNDS
from tests.service.twins import MATCH, redeal_within, twins

TABLES = "table,p1,p2\n1,Ann,Bo\n2,Cy,Di\n10,Eve,Flo\n"
OF = "?event=春の大会&round=1"
NAMED = "filename*=UTF-8''results-%E6%98%A5%E3%81%AE%E5%A4%A7%E4%BC%9A-1.csv"


@pytest.fixture
def played(place: Place) -> Iterator[Served]:
    """Record a round: table 1 conceded, table 2 abandoned with a penalty and an extension, table 10 open."""
    with serve(Settings(store=place())) as served:
        body = ROUND | {"pairings": TABLES}
        first, second, _ = (row["match"] for row in served.post(ROUNDS, body, "head").json())
        write(served, first, kind="play", text="p1: concede", confirm=True)
        write(served, second, kind="penalise", penalty={"seat": "p2", "step": "warning"})
        write(served, second, kind="pause")
        served.clock.at += 60_000
        write(served, second, kind="resume", extension=120)
        write(served, second, kind="close", reason="time", abandon=True, confirm=True)
        yield served


def write(served: Served, match: str, **command: Any) -> None:
    head = f'"{served.context.store.version(match)}"'
    number = served.context.store.version(match)
    body = {"id": uuid(number), **command}
    answer = served.post(f"/api/v1/matches/{match}/entries", body, "head", headers={"If-Match": head})
    assert answer.status_code == 201, answer.text


def test_a_round_is_listed_with_winners_penalties_and_time_to_add(played: Served) -> None:
    answer = played.get(f"/api/v1/results.csv{OF}&excel=true", "head")
    assert answer.status_code == 200 and answer.content.startswith(b"\xef\xbb\xbf")
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment; ") and disposition.endswith(NAMED), disposition
    _, first, second, third = csv.reader(StringIO(answer.content.decode("utf-8-sig"), newline=""))
    assert first[:5] == ["1", "Ann", "Bo", "Bo", "won"]
    assert (second[4], second[6], second[7]) == ("no result", "Di: warning", "180")
    assert third[:5] == ["10", "Eve", "Flo", "", "not finished"]
    listed = played.get(f"/api/v1/results{OF}", "operator").json()
    assert [row["match"] for row in listed] == [first[-1], second[-1], third[-1]]


def test_a_damaged_match_is_listed_as_such(played: Served) -> None:
    match = played.get(f"/api/v1/results{OF}", "head").json()[2]["match"]
    where = "WHERE originator_id=? AND originator_version=?"
    rows(played.context.settings.store, f"UPDATE stored_events SET state=? {where}", b"[]", match, 2)
    listed = played.get(f"/api/v1/results{OF}", "head").json()
    assert [(row["result"], row["players"]) for row in listed][2] == ("damaged", ["Eve", "Flo"])


def test_a_round_that_is_not_there_is_refused_with_those_that_are(played: Served) -> None:
    answer = played.get("/api/v1/results?event=春の大会&round=7", "head")
    assert answer.status_code == 404 and "春の大会 / 1" in answer.json()["en"]


def test_only_who_pairs_takes_results_and_finds_the_link(played: Served) -> None:
    for role in ROLES:
        pairs = role in ("head", "operator")
        assert played.get(f"/api/v1/results.csv{OF}", role).status_code == (200 if pairs else 403), role
        assert ("/api/v1/results.csv?" in played.get("/en/floor", role).text) == pairs, role


def test_results_tell_nothing_of_hidden_cards() -> None:
    entries = list(sample("blackpoker", 0).entries[:40])
    first = opened_of(entries)
    entries[0] = replace(first, occasion=replace(first.occasion, event="Cup", round="1"))
    others = redeal_within(entries, set(never_known(entries, SPECTATOR)), Random(1))
    with twins(entries, others) as both:
        for path in ("results", "results.csv"):
            asked = f"/api/v1/{path}?event=Cup&round=1"
            ours, theirs = (served.get(asked, "head") for served in (both.ours, both.theirs))
            assert ours.status_code == 200 and MATCH in ours.text and ours.content == theirs.content
