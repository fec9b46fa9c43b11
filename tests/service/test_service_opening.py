"""Matches opened over HTTP: under which rules, with whose decks, and never with a seed from outside."""

from typing import Any

import pytest

from domain.games import GAMES
from domain.law.entries import opened_of
from domain.law.rulesets import stored_values
from tests.service.serving import Served
from tests.service.writing import uuid

MATCHES = "/api/v1/matches"
LITE = {"game": "blackpoker", "version": "8.1-lite"}


def test_a_match_is_opened_and_dealt_and_its_order_comes_from_here_alone(served: Served) -> None:
    woken: list[str] = []
    served.house.wakes.append(woken.append)
    body = LITE | {"names": {"p1": "Ann", "p2": "Bo"}, "occasion": {"event": "Cup", "table": "7"}, "match": "m-1"}
    answer = served.post(MATCHES, body, "scorekeeper")
    assert answer.status_code == 201, answer.text
    assert answer.json()["match"] == "m-1" and answer.json()["head"] > 1
    assert answer.headers["etag"] == f'"{answer.json()["head"]}"'
    opened = opened_of(served.house.match("m-1").entries)
    assert opened.names == {"p1": "Ann", "p2": "Bo"} and opened.occasion.event == "Cup"
    assert opened.commitment and opened.at == served.clock.at and opened.by == "scorekeeper scorekeeper"
    assert woken == ["m-1"]
    for seed in ("seed", "commitment"):
        refused = served.post(MATCHES, LITE | {seed: "00" * 16}, "scorekeeper")
        assert refused.status_code == 400 and seed in refused.json()["en"]
    other = served.post(MATCHES, LITE, "scorekeeper").json()["match"]
    assert opened_of(served.house.match(other).entries).commitment != opened.commitment


def test_opening_again_under_one_id_is_answered_with_the_same_match(served: Served) -> None:
    first = served.post(MATCHES, LITE | {"id": uuid(1)}, "floor")
    again = served.post(MATCHES, LITE, "floor", headers={"Idempotency-Key": uuid(1)})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json() and again.headers["idempotent-replay"] == "1"
    assert len(served.house.store.matches()) == 1
    other = served.post(MATCHES, LITE | {"id": uuid(1), "names": {"p1": "Ann"}}, "floor")
    assert other.status_code == 409 and other.json()["type"] == "/problem/command-reused"
    assert served.post(MATCHES, LITE | {"id": uuid(2)}, "floor").json()["match"] != first.json()["match"]


def test_an_id_that_is_taken_is_said_to_be(served: Served) -> None:
    assert served.post(MATCHES, LITE | {"match": "m"}, "floor").status_code == 201
    answer = served.post(MATCHES, LITE | {"match": "m", "id": uuid(1)}, "floor")
    assert answer.status_code == 409 and answer.json()["type"] == "/problem/exists"


@pytest.mark.parametrize(
    "body, said",
    [
        ({"game": "chess", "version": "1"}, "chess"),
        (LITE | {"version": "99"}, "99"),
        (LITE | {"options": {"nothing": 1}}, "nothing"),
        (LITE | {"options": {"hand.limit": 10**40}}, ""),
        (LITE | {"rules": {"x": 1}}, ""),
        (LITE | {"rules": [], "x": 1}, ""),
        (LITE | {"names": {"p9": "x"}}, "p9"),
        (LITE | {"decks": {"p9": "x"}}, "x"),
        (LITE | {"decks": {"p1": {"main": ["QQ"]}}}, "QQ"),
        (LITE | {"decks": {"p1": {"main": []}}}, ""),
        (LITE | {"match": "a/b"}, "a/b"),
        (LITE | {"occasion": {"event": "x" * 300}}, "event"),
        (LITE | {"occasion": {"referee": "x"}}, "referee"),
        (LITE | {"cards": "marked"}, "marked"),
        (LITE | {"frame": "x"}, "x"),
    ],
)
def test_what_cannot_be_opened_is_refused_by_name_and_nothing_is_written(
    served: Served, body: dict[str, Any], said: str
) -> None:
    answer = served.post(MATCHES, body, "head")
    assert answer.status_code in (400, 422), answer.text
    assert said in answer.json()["en"] and answer.json()["ja"]
    assert served.house.store.matches() == []


def test_a_deck_goes_to_its_seat_and_to_a_judge_and_to_nobody_else(served: Served) -> None:
    decks = list(GAMES["grimoire"].named_decks())
    body = {"game": "grimoire", "version": "1", "match": "g", "decks": {"p1": decks[0]}}
    answer = served.post(MATCHES, body, "scorekeeper")
    assert answer.status_code == 201, answer.text
    assert "decks" not in answer.json()["entries"][0]
    facts = [fact for entry in answer.json()["entries"] for fact in entry.get("facts", ())]
    shown = [fact for fact in facts if any("face" in card for card in fact.get("cards", ()))]
    assert len(shown) > 2
    assert all(fact["fact"] == "turn" or "opening_reveal" in str(fact) for fact in shown), "what the set-up shows all"
    assert served.post(MATCHES + "?as=p1", body | {"match": "h"}, "scorekeeper").status_code == 400


def test_a_deck_that_the_rules_refuse_is_refused_with_the_clause(served: Served) -> None:
    body = {"game": "grimoire", "version": "1", "decks": {"p1": {"main": ["S01x9"]}}}
    answer = served.post(MATCHES, body, "scorekeeper")
    assert answer.status_code == 422 and answer.json()["clause"].startswith("GR-"), answer.text
    assert "p1" in answer.json()["en"] and answer.json()["ja"] != answer.json()["en"]


def test_a_match_is_opened_under_whole_rules_or_under_options(served: Served) -> None:
    game = GAMES["blackpoker"]
    rules = stored_values(game.versions["8.1-lite"])
    whole = served.post(MATCHES, LITE | {"rules": rules, "match": "a"}, "floor")
    assert whole.status_code == 201, whole.text
    plain = served.post(MATCHES, LITE | {"match": "b"}, "floor")
    assert plain.status_code == 201
    hashes = [opened_of(served.house.match(match).entries).rules_hash for match in "ab"]
    assert hashes[0] == hashes[1]
    key = next(option.key for option in game.options if len(option.values) > 1)
    values = next(option.values for option in game.options if option.key == key)
    for n, value in enumerate(values):
        assert served.post(MATCHES, LITE | {"options": {key: value}, "match": f"c{n}"}, "floor").status_code == 201
    other = {opened_of(served.house.match(f"c{n}").entries).rules_hash for n in range(len(values))}
    assert len(other) == len(values)
    both = served.post(MATCHES, LITE | {"rules": rules, "options": {key: values[0]}}, "floor")
    assert both.status_code == 400


def test_with_real_cards_nobody_deals_and_faces_are_told_as_they_show(served: Served) -> None:
    answer = served.post(MATCHES, LITE | {"cards": "real", "match": "r"}, "scorekeeper")
    assert answer.status_code == 201, answer.text
    assert served.house.match("r").undealt
    path = f"{MATCHES}/r/entries"
    command = {"id": uuid(1), "kind": "play", "text": "chance: auto"}
    at = {"If-Match": answer.headers["etag"]}
    offered = served.post(path, command | {"text": "p1: pass"}, "seat", "r", seat="p1", headers=at)
    assert offered.status_code == 400 and "real" in offered.json()["en"].lower()
    shuffled = command | {"text": "chance: shuffle_deck p2"}
    decks = {seat: list(dict.fromkeys(deck)) for seat, deck in opened_of(served.house.match("r").entries).decks.items()}
    shows: list[str] = []
    done = served.post(path, shuffled, "scorekeeper", headers=at)
    while done.status_code == 400 and len(shows) < 20:
        deck = decks[done.json()["place"][:2]]
        shows.append(deck.pop(-1 if deck is decks["p1"] else 0))
        done = served.post(path, shuffled | {"shows": shows}, "scorekeeper", headers=at)
    assert done.status_code == 201 and len(shows) > 1, done.text
    assert all(f'"{face}"' in done.text for face in shows)
