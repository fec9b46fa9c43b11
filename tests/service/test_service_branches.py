"""Branches of open matches: closing the branch reveals nothing hidden in its parent."""

from typing import Any

import pytest

from domain.games import GAMES
from domain.law.entries import opened_of
from domain.law.rulesets import stored_values
from recorder.branches import branch
from recorder.matches import close
from service.access import Role
from service.settings import Settings
from tests.service.commands import uuid
from tests.service.harness import Served, serve

BRANCH = "bp-branch1"


def send(served: Served, role: Role, body: dict[str, Any], *matches: str, match: str = "m", **headers: str) -> Any:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    seat = "p1" if role == "seat" else ""
    return served.post(f"/api/v1/matches/{match}/branches", body, role, *matches, seat=seat, headers=given)


def test_a_closed_branch_of_an_open_match_shows_nobody_its_hands() -> None:
    with serve(Settings(store=":memory:", published=True)) as served:
        match, store = served.open("blackpoker"), served.context.store
        branch(store, match, served.context.match(match).version, BRANCH, b"\1" * 16)
        for name in (BRANCH, match):
            close(store, name, "judge", "over", abandon=True)
            if name == BRANCH:
                assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=p1").status_code == 403
                assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=judge", "head").json()["type"] == "/problem/sealed"
                offered = served.get(f"/en/m/{BRANCH}/1").text
                assert f"/en/m/{BRANCH}/1/as/p1" not in offered and f"/en/m/{BRANCH}/findings" not in offered
        assert served.get(f"/api/v1/matches/{match}/at/1?as=p1").status_code == 200, "a closed match is published"
        offered = served.get(f"/en/m/{match}/1").text
        assert f"/en/m/{match}/1/as/p1" in offered and f"/en/m/{match}/findings" in offered
        assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=p1").status_code == 403


def test_a_branch_shares_what_it_goes_on_from_and_is_opened_once(served: Served) -> None:
    served.record_match("blackpoker", "normal", "m")
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    body, held = {"at": 9, "match": BRANCH}, served.person("head")
    first = send(served, "head", {"id": uuid(1), **body}, **held)
    assert first.status_code == 201, first.text
    assert first.json() == {"match": BRANCH, "parent": "m", "at": 9, "head": served.context.match(BRANCH).version}
    assert first.headers["location"] == f"/api/v1/matches/{BRANCH}"
    again = send(served, "head", body, Idempotency_Key=uuid(1))
    assert (again.status_code, again.json(), again.headers["idempotent-replay"]) == (200, first.json(), "1")
    own, parent = served.context.match(BRANCH).entries, served.context.match("m").entries
    assert own[1:9] == parent[1:9] and woken == [BRANCH]
    opened, dealt = opened_of(own), opened_of(parent)
    assert (opened.parent, opened.parent_at, opened.by) == ("m", 9, "head head")
    assert opened.commitment not in ("", dealt.commitment) and opened.told == dealt.told
    other = send(served, "head", {"id": uuid(1), "at": 8, "match": BRANCH}, **held)
    assert (other.status_code, other.json()["type"]) == (409, "/problem/command-reused")
    taken = send(served, "head", body)
    assert (taken.status_code, taken.json()["type"]) == (409, "/problem/exists")
    named = [send(served, "head", {"at": 9, "id": uuid(2)}).json()["match"] for _ in range(2)]
    assert named[0] == named[1] not in ("m", BRANCH) and len(served.context.store.matches()) == 3


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"at": 0}, "1 to"),
        ({"at": 999}, "999"),
        ({"at": 13}, "13"),
        ({"at": -1}, "at"),
        ({"at": 9, "match": "a/b"}, "a/b"),
        ({"at": 9, "seed": 7}, "seed"),
        ({}, "at"),
    ],
)
def test_what_is_no_branch_is_refused_by_name_and_nothing_is_written(
    served: Served, body: dict[str, Any], said: str
) -> None:
    served.record_match("blackpoker", "normal", "m", upto=12)
    refused = send(served, "head", body)
    assert (refused.status_code, refused.json()["type"]) == (400, "/problem/unreadable"), refused.text
    assert said in refused.json()["en"] and refused.json()["ja"]
    assert [listed.match for listed in served.context.store.matches()] == ["m"]


def test_a_branch_of_an_open_match_is_for_whoever_has_broken_its_seal_for_all_of_it(served: Served) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=12)
    head = served.bearer("head")
    path = "/api/v1/matches/m"
    for viewer in ("", "p1"):
        if viewer:
            assert served.post(f"{path}/seal", {"viewer": viewer}, headers=head).status_code == 201
        sealed = served.post(f"{path}/branches", {"at": 9}, headers=head)
        assert (sealed.status_code, sealed.json()["type"]) == (403, "/problem/sealed")
    assert served.post(f"{path}/seal", {"viewer": "judge"}, headers=head).status_code == 201
    done = served.post(f"{path}/branches", {"at": 9, "match": BRANCH}, headers=head)
    assert done.status_code == 201 and done.json()["parent_open"]
    assert served.get(f"/api/v1/matches/{BRANCH}/at/1?as=judge", "head").status_code == 403
    assert len(served.context.store.matches()) == 2


MATCHES = "/api/v1/matches"
LITE = {"game": "blackpoker", "version": "8.1-lite"}


def test_a_match_is_opened_and_dealt_and_its_order_comes_from_here_alone(served: Served) -> None:
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    body = LITE | {"names": {"p1": "Ann", "p2": "Bo"}, "occasion": {"event": "Cup", "table": "7"}, "match": "m-1"}
    answer = served.post(MATCHES, body, "scorekeeper")
    assert answer.status_code == 201, answer.text
    assert answer.json()["match"] == "m-1" and answer.json()["head"] > 1
    assert answer.headers["etag"] == f'"{answer.json()["head"]}"'
    opened = opened_of(served.context.match("m-1").entries)
    assert opened.names == {"p1": "Ann", "p2": "Bo"} and opened.occasion.event == "Cup"
    assert opened.commitment and opened.at == served.clock.at and opened.by == "scorekeeper scorekeeper"
    assert woken == ["m-1"]
    for seed in ("seed", "commitment"):
        refused = served.post(MATCHES, LITE | {seed: "00" * 16}, "scorekeeper")
        assert refused.status_code == 400 and seed in refused.json()["en"]
    other = served.post(MATCHES, LITE, "scorekeeper").json()["match"]
    assert opened_of(served.context.match(other).entries).commitment != opened.commitment


def test_opening_again_under_one_id_is_answered_with_the_same_match(served: Served) -> None:
    held = served.person("floor")
    first = served.post(MATCHES, LITE | {"id": uuid(1)}, headers=held)
    again = served.post(MATCHES, LITE, "floor", headers={"Idempotency-Key": uuid(1)})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json() and again.headers["idempotent-replay"] == "1"
    assert len(served.context.store.matches()) == 1
    other = served.post(MATCHES, LITE | {"id": uuid(1), "names": {"p1": "Ann"}}, headers=held)
    assert other.status_code == 409 and other.json()["type"] == "/problem/command-reused"
    assert served.post(MATCHES, LITE | {"id": uuid(2)}, "floor").json()["match"] != first.json()["match"]
    theirs = served.post(MATCHES, LITE | {"id": uuid(1)}, "scorekeeper")
    assert theirs.status_code == 201 and theirs.json()["match"] != first.json()["match"], "an id of another sender"


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
    assert served.context.store.matches() == []


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
    hashes = [opened_of(served.context.match(match).entries).rules_hash for match in "ab"]
    assert hashes[0] == hashes[1]
    key = "draw.mode"
    values = ("one_plus_optional", "two_or_one")
    for n, value in enumerate(values):
        assert served.post(MATCHES, LITE | {"options": {key: value}, "match": f"c{n}"}, "floor").status_code == 201
    other = {opened_of(served.context.match(f"c{n}").entries).rules_hash for n in range(len(values))}
    assert len(other) == len(values)
    both = served.post(MATCHES, LITE | {"rules": rules, "options": {key: values[0]}}, "floor")
    assert both.status_code == 400


def test_with_real_cards_nobody_deals_and_faces_are_told_as_they_show(served: Served) -> None:
    answer = served.post(MATCHES, LITE | {"cards": "real", "match": "r"}, "scorekeeper")
    assert answer.status_code == 201, answer.text
    assert served.context.match("r").undealt
    path = f"{MATCHES}/r/entries"
    command = {"id": uuid(1), "kind": "play", "text": "chance: auto"}
    at = {"If-Match": answer.headers["etag"]}
    offered = served.post(path, command | {"text": "p1: pass"}, "seat", "r", seat="p1", headers=at)
    assert offered.status_code == 400 and "real" in offered.json()["en"].lower()
    shuffled = command | {"text": "chance: shuffle_deck p2"}
    decks = {
        seat: list(dict.fromkeys(deck)) for seat, deck in opened_of(served.context.match("r").entries).decks.items()
    }
    shows: list[str] = []
    done = served.post(path, shuffled, "scorekeeper", headers=at)
    while done.status_code == 400 and len(shows) < 20:
        deck = decks[done.json()["place"][:2]]
        shows.append(deck.pop(-1 if deck is decks["p1"] else 0))
        done = served.post(path, shuffled | {"shows": shows}, "scorekeeper", headers=at)
    assert done.status_code == 201 and len(shows) > 1, done.text
    assert all(f'"{face}"' in done.text for face in shows)
