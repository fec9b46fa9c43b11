"""Disputes at a service: who may state, rule, appeal and decide, in which order, and who may read it."""

from typing import Any

import pytest

from domain.law import disputes as D
from domain.law.entries import Corrected, Rewound
from service.access import Role
from tests.service.commands import head, send, uuid
from tests.service.harness import Served

OPENS = {"kind": "dispute", "about": 2, "claims": {"p1": "I had two left"}}
RULES = {"kind": "rule", "dispute": 4, "verdict": "not_allowed", "clauses": ["BP-5.1"], "reason": "it was seen"}
APPEALS = {"kind": "appeal", "dispute": 4, "reason": "the judge was elsewhere"}
UPHOLDS = {"kind": "decide", "dispute": 4, "outcome": "upheld", "reason": "as ruled"}
OVERTURNS = {"kind": "decide", "dispute": 4, "outcome": "overturned", "verdict": "no_fault", "reason": "not so"}


def disputed(served: Served, *further: tuple[dict[str, Any], Role]) -> str:
    match = served.open("blackpoker", match="t0")
    assert head(served, match) == 3
    assert send(served, match, OPENS, "seat", seat="p1", id=1).status_code == 201
    for number, (command, role) in enumerate(further, start=2):
        seat = "p2" if role == "seat" else ""
        answer = send(served, match, command, role, seat=seat, id=number)
        assert answer.status_code == 201, answer.text
    return match


def see(served: Served, match: str, role: Role = "spectator", viewer: str = "", **held: str) -> Any:
    path = f"/api/v1/matches/{match}/disputes/4" + (f"?as={viewer}" if viewer else "")
    return served.get(path, role, *([match] if held else []), **held)


def test_a_dispute_goes_its_way_and_each_step_is_an_entry_by_whoever_took_it(served: Served) -> None:
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    match = disputed(served, (RULES, "floor"), (APPEALS, "seat"), (OVERTURNS, "head"))
    assert woken == [match] * 4
    entries = served.context.match(match).entries[3:]
    assert [(type(entry), entry.by) for entry in entries] == [
        (D.Disputed, "p1"), (D.Ruled, "floor floor"), (D.Appealed, "p2"), (D.Decided, "head head"),
    ]  # fmt: skip
    assert isinstance(entries[1], D.Ruled) and entries[1].opinion.law, "what the law itself says is pinned"
    told = see(served, match).json()
    assert (told["standing"], [entry["seen"] for entry in told["entries"]]) == (
        "closed", ["disputed", "ruled", "appealed", "decided"],
    )  # fmt: skip
    listed = served.get(f"/api/v1/matches/{match}/disputes").json()
    assert listed == [told] and served.get(f"/api/v1/matches/{match}/disputes?open=true").json() == []


@pytest.mark.parametrize(
    ("done", "command", "role", "status", "type", "says"),
    [
        ((), {**RULES, "dispute": 2}, "floor", 400, "unreadable", "opens no dispute"),
        ((), {**RULES, "clauses": ["BP-99"]}, "floor", 400, "unreadable", "BP-99"),
        ((), {**RULES, "verdict": "guilty"}, "floor", 400, "unreadable", "verdict"),
        ((), {**RULES, "penalties": [{"seat": "p9", "step": "warning"}]}, "floor", 400, "unreadable", "p9"),
        ((), {**RULES, "to": 99}, "head", 400, "unreadable", "99"),
        ((), {**RULES, "to": 1, "facts": ["clock turn=9"]}, "head", 400, "unreadable", "to"),
        ((), {**RULES, "facts": ["nonsense"]}, "floor", 400, "unreadable", "a fact begins"),
        ((), {**RULES, "to": 2}, "floor", 403, "no-authority", "approve a rewind"),
        ((), RULES, "scorekeeper", 403, "no-authority", ""),
        ((), APPEALS, "head", 409, "out-of-order", "no ruling in force"),
        ((), UPHOLDS, "head", 409, "out-of-order", "no ruling in force"),
        ((), {"kind": "dispute"}, "floor", 400, "unreadable", "needs a subject"),
        ((), {"kind": "dispute", "about": 99}, "floor", 400, "unreadable", "99"),
        ((), {"kind": "dispute", "thing": 7777}, "floor", 400, "unreadable", "u7777"),
        ((), {"kind": "dispute", "dispute": 4, "claims": {"p2": " "}}, "floor", 400, "unreadable", "claim"),
        ((), {"kind": "dispute", "about": 2, "claims": {"p1": "x" * 300}}, "floor", 400, "unreadable", "claim p1"),
        ((), {"kind": "resume"}, "floor", 409, "out-of-order", "clock"),
        ((), {"kind": "resume", "extension": -1}, "floor", 400, "unreadable", "extension"),
        ((), {"kind": "penalise", "penalty": {"seat": "p1", "step": " "}}, "floor", 400, "unreadable", "policy"),
        (((RULES, "floor"),), RULES, "head", 409, "out-of-order", "entry 5"),
        (((RULES, "floor"),), UPHOLDS, "head", 409, "out-of-order", "ruled"),
        (((RULES, "floor"), (APPEALS, "seat")), UPHOLDS, "floor", 403, "no-authority", ""),
        (((RULES, "floor"), (APPEALS, "seat")), {**UPHOLDS, "verdict": "unclear"}, "head", 400, "unreadable",
         "overturned"),
        (((RULES, "floor"), (APPEALS, "seat")), {**UPHOLDS, "to": 2}, "head", 400, "unreadable", "overturned"),
        (((RULES, "floor"), (APPEALS, "seat"), (UPHOLDS, "head")), APPEALS, "head", 409, "out-of-order", "final"),
        ((({"kind": "pause"}, "floor"),), {"kind": "pause"}, "head", 409, "out-of-order", "entry 5"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told_in_one_message_and_leaves_nothing(
    served: Served, done: tuple[Any, ...], command: dict[str, Any], role: Role, status: int, type: str, says: str
) -> None:
    match = disputed(served, *done)
    before = head(served, match)
    answer = send(served, match, command, role, id=99)
    assert answer.status_code == status, answer.text
    told = answer.json()
    assert told["type"] == f"/problem/{type}" and says in told["en"] and told["ja"] != told["en"]
    assert head(served, match) == before


def test_a_seat_disputes_and_appeals_in_its_own_match_and_claims_for_itself_alone(served: Served) -> None:
    match, other = served.open("blackpoker", match="t0"), served.open("blackpoker", match="t1")
    for_both = {"kind": "dispute", "about": 2, "claims": {"p1": "mine", "p2": "yours"}}
    refused = send(served, match, for_both, "seat", seat="p1", id=1)
    assert refused.status_code == 403 and "p1" in refused.json()["en"]
    elsewhere = {**served.bearer("seat", match, seat="p1"), "If-Match": "*"}
    path = f"/api/v1/matches/{other}/entries"
    assert served.client.post(path, json={"id": uuid(2), **OPENS}, headers=elsewhere).status_code == 403
    for command in (RULES, {"kind": "pause"}, {"kind": "penalise", "penalty": {"seat": "p2", "step": "x"}}):
        assert send(served, match, command, "seat", seat="p1", id=3).status_code == 403, command
    assert send(served, match, for_both, "floor", id=4, at="*").status_code == 201
    adds = {"kind": "dispute", "dispute": 4, "claims": {"p2": "I saw it"}}
    assert send(served, match, adds, "seat", seat="p2", id=5, at="*").status_code == 201
    assert send(served, match, RULES, "floor", id=6).status_code == 201
    assert send(served, match, APPEALS, "seat", seat="p2", id=7).status_code == 201


def test_nobody_learns_by_a_dispute_which_things_lie_where_they_do_not_see_them(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    whole = served.context.match(match)
    things = {piece.thing for piece in whole.table.pieces.values()}
    own, unseen = (
        {
            piece.thing
            for card, piece in whole.table.pieces.items()
            if whole.eyes(piece.owner).follows(whole.table, card) is sees and piece.owner == "p1"
        }
        for sees in (True, False)
    )
    for number, thing in enumerate((min(unseen), max(things) + 1)):
        answer = send(served, match, {"kind": "dispute", "thing": thing}, "seat", seat="p1", id=number + 1)
        assert answer.status_code == 400 and answer.json()["en"] == (
            f"there is no card or piece u{thing} on the table after entry 3"
        )
    assert send(served, match, {"kind": "dispute", "thing": min(own)}, "seat", seat="p1", id=9).status_code == 201


def test_what_is_claimed_goes_to_its_seat_to_judges_and_to_whoever_wrote_it_and_the_laws_view_to_judges(
    served: Served,
) -> None:
    match = disputed(served, (RULES, "floor"))
    claim, law = "I had two left", '"opinion"'
    sealed = served.bearer("head", name="Kato")
    for answer in (
        see(served, match),
        see(served, match, "seat", "p2", seat="p2"),
        see(served, match, "scorekeeper"),
    ):
        assert answer.status_code == 200 and claim not in answer.text and law not in answer.text
        assert answer.json()["entries"][0]["claims"] == {"p1": ""}, "that something is claimed is for all"
    by_role = see(served, match, "floor").text
    assert claim in by_role and law not in by_role, "claims are said to judges; the law's view tells of hidden cards"
    own = see(served, match, "seat", "p1", seat="p1")
    assert claim in own.text and law not in own.text
    path = f"/api/v1/matches/{match}/disputes/4"
    assert served.client.get(path + "?as=judge", headers=sealed).status_code == 403
    served.client.post(f"/api/v1/matches/{match}/seal", json={"viewer": "judge"}, headers=sealed)
    judged = served.client.get(path + "?as=judge", headers=sealed)
    assert claim in judged.text and law in judged.text
    taken = {"kind": "dispute", "dispute": 4, "about": 0, "claims": {"p1": "x"}}
    assert send(served, match, taken, "floor", id=8).status_code == 409, "it is ruled on"
    again = {"kind": "dispute", "about": 3, "claims": {"p2": "taken down by a judge"}}
    number = send(served, match, again, "floor", id=9).json()["head"]
    path = f"/api/v1/matches/{match}/disputes/{number}"
    assert all("taken down" in served.get(path, role).text for role in ("floor", "head"))
    assert "taken down" not in served.get(path, "scorekeeper").text


def test_a_ruling_is_mended_with_it_and_answered_with_all_that_was_recorded(served: Served) -> None:
    match = disputed(served)
    back = send(served, match, {**RULES, "to": 3}, "head", id=2)
    assert [entry["seen"] for entry in back.json()["entries"]] == ["ruled", "rewound"]
    assert isinstance(served.context.match(match).entries[5], Rewound) and back.json()["head"] == 6
    assert send(served, match, {**OPENS, "about": 1}, "seat", seat="p1", id=3).status_code == 201
    now = served.context.match(match)
    thing = min(piece.thing for card, piece in now.table.pieces.items() if now.eyes().follows(now.table, card))
    fact = {**RULES, "dispute": 7, "facts": [f"stance u{thing} driven"]}
    mended = send(served, match, fact, "floor", id=4)
    assert mended.status_code == 201, mended.text
    assert [entry["seen"] for entry in mended.json()["entries"]] == ["ruled", "corrected"]
    assert isinstance(served.context.match(match).entries[-1], Corrected)


def test_of_two_judges_who_rule_at_once_one_is_told_and_a_repetition_is_answered_again(served: Served) -> None:
    match = disputed(served)
    first, second = (send(served, match, RULES, role, id=id, at=4) for role, id in (("floor", 2), ("head", 3)))
    assert (first.status_code, second.status_code) == (201, 409)
    assert second.json()["type"] == "/problem/out-of-order" and "entry 5" in second.json()["en"]
    again = send(served, match, RULES, "floor", id=2, at=4)
    assert again.status_code == 200 and again.json()["entries"] == first.json()["entries"]
    assert head(served, match) == 5
    assert send(served, match, RULES, "floor", id=4, at="*").status_code == 428, "a ruling says on which head it is"


def test_a_ruling_on_a_table_that_went_on_is_told_what_came_and_whether_it_would_stand(served: Served) -> None:
    match = disputed(served)
    back = {"kind": "rewind", "to": 3, "reason": "x"}
    assert send(served, match, back, "head", id=2).status_code == 201
    late = send(served, match, RULES, "floor", id=3, at=4)
    assert late.status_code == 412 and late.json()["would_stand"] is True
    assert [entry["seen"] for entry in late.json()["since"]] == ["rewound"]


def test_no_dispute_is_where_none_is_and_an_answer_that_is_known_is_not_sent_again(served: Served) -> None:
    match = disputed(served)
    for number in ("2", "99", "x", "4.1"):
        assert served.get(f"/api/v1/matches/{match}/disputes/{number}").status_code == 404, number
    first = see(served, match)
    tag = {"If-None-Match": first.headers["etag"]}
    path = f"/api/v1/matches/{match}/disputes/4"
    assert served.get(path, headers=tag).status_code == 304
    assert send(served, match, RULES, "floor", id=2).status_code == 201
    assert served.get(path, headers=tag).status_code == 200
