"""Rounds opened over HTTP: all matches or none, each once, with the rights of the organiser."""

from typing import Any

import pytest

from domain.formats.policies import standard_policy, stored_policy
from domain.games import GAMES
from domain.law.entries import opened_of
from service.settings import Settings
from tests.service.commands import send
from tests.service.harness import Served, serve

ROUNDS = "/api/v1/rounds"
PAIRINGS = "table,p1,p2\n1,Ann,Bo\n2,Cy,Di\n"
ROUND = {"game": "blackpoker", "version": "8.1-lite", "event": "春の大会", "round": "1", "pairings": PAIRINGS}
GRIMOIRE = {"game": "grimoire", "version": "1", "event": "Cup", "round": "1"}


def test_a_round_is_opened_each_table_with_a_match_of_its_own(served: Served) -> None:
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    answer = served.post(ROUNDS, ROUND | {"policy": stored_policy(standard_policy()), "limit": "50'"}, "operator")
    assert answer.status_code == 201, answer.text
    paired = answer.json()
    assert [(row["table"], row["names"], row["new"]) for row in paired] == [
        ("1", {"p1": "Ann", "p2": "Bo"}, True), ("2", {"p1": "Cy", "p2": "Di"}, True),
    ]  # fmt: skip
    assert woken == [row["match"] for row in paired] == [row.match for row in served.context.store.matches()]
    for row in paired:
        opened = opened_of(served.context.match(row["match"]).entries)
        said = opened.occasion
        assert (said.event, said.round, said.table, said.limit) == ("春の大会", "1", row["table"], "50'")
        assert (opened.by, opened.at, opened.names) == ("operator operator", served.clock.at, row["names"])
        assert opened.commitment and opened.policy == stored_policy(standard_policy())


def test_a_round_sent_again_opens_what_is_missing_and_nothing_twice(served: Served) -> None:
    first = served.post(ROUNDS, ROUND, "head")
    again = served.post(ROUNDS, ROUND, "operator", headers={"Idempotency-Key": "anything"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == [row | {"new": False} for row in first.json()]
    more = served.post(ROUNDS, ROUND | {"pairings": f"\ufeff{PAIRINGS}3,Eve,Flo\n"}, "head")
    assert more.status_code == 201 and [row["new"] for row in more.json()] == [False, False, True]
    other = served.post(ROUNDS, ROUND | {"round": "2"}, "head")
    assert all(row["new"] for row in other.json()) and len(served.context.store.matches()) == 5


@pytest.mark.parametrize(
    ("body", "status", "line", "words"),
    [
        (ROUND | {"pairings": "table,p1,p2\n1,Ann\n"}, 400, 2, "2 cells"),
        (ROUND | {"pairings": "table,p1,p3\n1,Ann,Bo\n"}, 400, 1, "p3"),
        (ROUND | {"pairings": "table,p1,p2\n1,Ann,Bo\n1,Cy,Di\n"}, 400, 3, "table 1"),
        (ROUND | {"pairings": 'table,p1\n1,"Ann\n'}, 400, 2, "never closes"),
        (ROUND | {"pairings": f"table,p1\n1,{'x' * 201}\n"}, 400, 2, "200"),
        (ROUND | {"pairings": "table,p1\n1,A\u2028B\n"}, 400, 2, "control character"),
        (ROUND | {"pairings": "table,p1\n1,A\u200bB\n", "event": "x\u202e"}, 400, 2, "event"),
        (ROUND | {"pairings": ""}, 400, 1, "table"),
        (ROUND | {"pairings": "table,p1,p2\n1,Ann,Bo\n2,Cy,Ann\n"}, 400, 3, "Ann already plays at table 1"),
        (ROUND | {"pairings": "table;p1;p2\n1;Ann;Bo\n2;Cy;ＡＮＮ\n"}, 400, 3, "looks like Ann at table 1 (line 2)"),
        (ROUND | {"pairings": "table,p1,p2\n1,A\u200bnn,Bo\n2,Cy,Ann\n"}, 400, 3, "looks like A"),
        (ROUND | {"pairings": "table,p1,p2\n1,Аnn,Bo\n2,Cy,Ann\n"}, 400, 3, "looks like Аnn"),
        (ROUND | {"pairings": "table,p1,p2\n1,Ann,ann\n"}, 400, 2, "looks like Ann (p1)"),
        (ROUND | {"pairings": "table,p1,p2,cards\n1,Ann,Bo,phone\n"}, 400, 2, "phones"),
        (ROUND | {"cards": "cloth"}, 400, 0, "cards"),
        (ROUND | {"pairings": "table,p1\n" + "".join(f"{n},A\n" for n in range(10_001))}, 400, 10_002, "10,000"),
        (ROUND | {"pairings": "table,p1,p1_deck\n1,Ann,gone\n"}, 400, 1, "gone"),
        (ROUND | {"event": "x" * 201}, 400, 2, "event"),
        (ROUND | {"pairings": 7}, 400, 0, "pairings"),
        (ROUND | {"seed": "00"}, 400, 0, "seed"),
        (ROUND | {"game": "chess"}, 400, 1, "chess"),
        (ROUND | {"version": "99"}, 400, 0, "99"),
        (ROUND | {"frame": "x"}, 400, 0, "x"),
        (ROUND | {"options": {"nothing": 1}}, 400, 0, "nothing"),
        (ROUND | {"rules": {"x": 1}}, 400, 0, ""),
        (ROUND | {"policy": {"x": 1}}, 400, 1, ""),
        (GRIMOIRE | {"pairings": "table,p1,p2_deck\n1,A,\n2,B,d\n", "decks": {"d": {"main": ["S01x9"]}}}, 422, 3, "p2"),
        (GRIMOIRE | {"pairings": "table,p1,p2_deck\n1,A,d\n", "decks": {"d": {"main": ["QQ"]}}}, 400, 1, "QQ"),
        (GRIMOIRE | {"pairings": "table,p1\n1,A\n", "decks": {"d": 3}}, 400, 0, "decks"),
    ],
)
def test_what_cannot_be_opened_is_refused_by_its_line_and_nothing_is_written(
    served: Served, body: dict[str, Any], status: int, line: int, words: str
) -> None:
    answer = served.post(ROUNDS, body, "head")
    told = answer.json()
    assert (answer.status_code, told.get("line", 0)) == (status, line), answer.text
    assert words in told["en"] and told["ja"] != told["en"]
    assert bool(told.get("clause")) is (status == 422)
    assert served.context.store.matches() == []


def test_a_table_that_was_paired_otherwise_is_named_and_none_is_opened() -> None:
    with serve() as served:
        first = served.post(ROUNDS, ROUND, "head").json()
        other = served.post(ROUNDS, ROUND | {"pairings": "table,p1,p2\n3,Eve,Flo\n1,Ann,Cy\n"}, "head")
        told = other.json()
        assert (other.status_code, told["type"], told["line"]) == (409, "/problem/exists", 3), other.text
        assert first[0]["match"] in told["en"] and len(served.context.store.matches()) == 2
    with serve() as beside:
        beside.record_match("blackpoker", "normal", first[1]["match"])
        longer = beside.post(ROUNDS, ROUND, "head").json()
        assert longer[1]["match"].startswith(first[1]["match"]) and longer[1]["match"] != first[1]["match"]
        assert beside.post(ROUNDS, ROUND, "head").json()[1] == longer[1] | {"new": False}


def test_a_table_is_paired_again_after_its_match_was_abandoned(served: Served) -> None:
    first = served.post(ROUNDS, ROUND, "head").json()[0]
    others = ROUND | {"pairings": "table,p1,p2\n1,Eve,Flo\n"}
    assert served.post(ROUNDS, others, "head").status_code == 409
    gives_up = {"kind": "close", "reason": "paired wrongly", "abandon": True, "confirm": True}
    given_up = send(served, first["match"], gives_up, "head", id=1)
    assert given_up.status_code == 201, given_up.text
    (again,) = served.post(ROUNDS, others, "head").json()
    assert again["new"] and again["match"] != first["match"]
    assert opened_of(served.context.match(again["match"]).entries).names == {"p1": "Eve", "p2": "Flo"}
    assert served.post(ROUNDS, others, "head").json() == [again | {"new": False}]
    assert served.post(ROUNDS, ROUND | {"pairings": "table,p1,p2\n1,Eve,Gil\n"}, "head").status_code == 409


def test_broken_bytes_and_bodies_without_end_are_refused() -> None:
    with serve(Settings(store=":memory:", import_max=1_000)) as served:
        headers = served.bearer("head") | {"Content-Type": "application/json"}
        for body, status in ((b'{"pairings": "\xff"}', 400), (b"{", 400), (b"x" * 1_001, 413)):
            answer = served.client.post(ROUNDS, content=body, headers=headers)
            assert answer.status_code == status and answer.json()["ja"], answer.text
        assert served.context.store.matches() == []


def test_decks_that_are_brought_along_go_to_their_seats_and_into_no_answer(served: Served) -> None:
    samples = GAMES["grimoire"].named_decks()
    (first, brought), (second, _) = list(samples.items())[:2]
    table = f"table,p1,p2,p1_deck,p2_deck\n1,Ann,Bo,mine.toml,{second}\n"
    mine = {"main": brought.main, "side": brought.side}
    answer = served.post(ROUNDS, GRIMOIRE | {"pairings": table, "decks": {"mine.toml": mine}}, "head")
    assert answer.status_code == 201 and brought.main[0] not in answer.text, answer.text
    opened = opened_of(served.context.match(answer.json()[0]["match"]).entries)
    assert opened.decks == {"p1": brought.main, "p2": samples[second].main} and first != second
