"""Penalties on pages: previewed as players read them, given without a dispute, and listed for all."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.formats.policies import standard_policy, stored_policy
from domain.law import disputes as D
from domain.law.entries import opened_of
from projections.results import result_of
from tests.laws.leak_checks import never_known
from tests.laws.samples import sample
from tests.service.commands import send
from tests.service.harness import START, Served
from tests.service.page_parser import Page
from tests.service.test_pages_disputes import head, holding, read
from tests.service.test_service_disputes import APPEALS, OVERTURNS, RULES
from tests.service.twins import MATCH, plain, redeal_within, twins

LATE = {"seat": "p1", "infraction": "late"}


def sit(served: Served, *, policy: bool = True) -> None:
    if not policy:
        served.open("blackpoker", match="t0")
        return
    body = {"id": str(uuid4()), "game": "blackpoker", "version": "8.1-lite", "match": "t0"}
    opened = served.post("/api/v1/matches", {**body, "policy": stored_policy(standard_policy())}, "head")
    assert opened.status_code == 201, opened.text


def post(served: Served, role: str, **fields: Any) -> Any:
    given = {"id": str(uuid4()), "head": head(served), **fields}
    headers = holding(served, role, "t0") if role != "spectator" else {"Origin": "http://testserver.local"}
    return served.client.post("/en/m/t0/penalties", data=given, headers=headers, follow_redirects=False)


def checked(answer: Any) -> dict[str, str]:
    page = Page(answer.text, "/en/m/t0/penalties")
    return {name: next(page.all("input", name=name))["value"] for name in ("checked", "id", "head")}


def list_penalties(served: Served) -> list[D.Penalised]:
    return [entry for entry in served.context.match("t0").entries if isinstance(entry, D.Penalised)]


def test_what_the_policy_proposes_is_shown_before_it_is_recorded_and_recorded_once(served: Served) -> None:
    sit(served)
    form = read(served, "floor", what="/penalties")
    assert "coming late" in form.text and "No penalties." in form.text
    shown = post(served, "floor", do="check", **LATE, reason="three minutes")
    assert shown.status_code == 200 and list_penalties(served) == []
    assert "floor judge Kato gives a penalty: warning for p1: coming late (late); three minutes" in shown.text
    assert "ペナルティを適用：p1に警告（warning）、遅刻（late）" in shown.text
    for _ in range(2):
        done = post(served, "floor", **{**LATE, "reason": "three minutes", **checked(shown), "do": "give"})
        assert (done.status_code, done.headers["location"]) == (303, "/en/m/t0/penalties")
    penalty = D.Penalty("p1", "warning", "late")  # type: ignore[arg-type]
    assert list_penalties(served) == [D.Penalised(at=START, by="floor Kato", penalty=penalty, reason="three minutes")]
    again = post(served, "head", do="check", **LATE)
    assert "loss of the match (match-loss) for p1: coming late (late)" in again.text, "a repeat goes one step up"
    for role in ("spectator", "seat"):
        for lang, words in (
            ("en", "warning for p1: coming late (late)"),
            ("ja", "p1に警告（warning）、遅刻（late）"),
        ):
            told = read(served, role, what="/penalties", lang=lang).text
            assert words in told and 'value="check"' not in told
    assert "/en/m/t0/penalties" in Page(read(served, "spectator", what="").text, "").links


def test_a_penalty_of_a_ruling_is_listed_too(served: Served) -> None:
    sit(served, policy=False)
    opens = {"kind": "dispute", "about": 2}
    rules = {**RULES, "penalties": [{"seat": "p2", "step": "warning"}]}
    for number, command in enumerate((opens, rules), start=1):
        assert send(served, "t0", command, "floor", id=number).status_code == 201
    assert "warning for Player p2" in read(served, "spectator", what="/penalties").text


def test_a_departure_is_given_with_its_reason_alone(served: Served) -> None:
    sit(served)
    milder = {**LATE, "step": "caution"}
    refused = post(served, "floor", do="check", **milder)
    assert refused.status_code == 400 and "the policy proposes warning, not caution" in refused.text
    assert '<option value="caution" selected>' in refused.text, "what was chosen is kept"
    shown = post(served, "floor", do="check", **milder, departure="a child")
    assert "departs from the policy: a child" in shown.text
    done = post(served, "floor", **{**milder, "departure": "a child", **checked(shown), "do": "give"})
    assert done.status_code == 303 and list_penalties(served)[0].departure == "a child"


def test_what_was_changed_since_it_was_shown_is_shown_again(served: Served) -> None:
    sit(served)
    shown = post(served, "floor", do="check", **LATE)
    other = post(served, "floor", **{**LATE, **checked(shown), "do": "give", "seat": "p2"})
    assert (
        other.status_code == 200 and "warning for p2: coming late (late)" in other.text and list_penalties(served) == []
    )
    unseen = post(served, "floor", do="give", **LATE)
    assert unseen.status_code == 200 and list_penalties(served) == []


@pytest.mark.parametrize("infraction", ["late", "cheating"])
def test_two_judges_at_once_penalise_once_and_the_second_is_told(served: Served, infraction: str) -> None:
    asked = {"seat": "p1", "infraction": infraction}
    sit(served)
    first, second = (post(served, role, do="check", **asked) for role in ("floor", "head"))
    assert post(served, "floor", **{**asked, **checked(first), "do": "give"}).status_code == 303
    late = post(served, "head", **{**asked, **checked(second), "do": "give"})
    assert late.status_code == 412 and "another penalty was given in the meantime" in late.text
    assert len(list_penalties(served)) == 1
    meant = post(served, "head", **{**asked, **checked(late), "do": "give"})
    assert meant.status_code == 303 and len(list_penalties(served)) == 2, "who means it gives it then"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({**LATE, "infraction": "dancing"}, "no infraction &#39;dancing&#39;"),
        ({**LATE, "step": "keelhauling"}, "no step &#39;keelhauling&#39;"),
        ({**LATE, "seat": "p9"}, "no seat &#39;p9&#39;"),
        ({**LATE, "seat": ""}, "who gets the penalty"),
        ({"seat": "p1"}, "proposes no penalty for p1"),
        ({"seat": "p1", "step": "warning"}, "no infraction is given for p1"),
        ({**LATE, "reason": "x" * 300}, "reason"),
    ],
)
def test_bad_input_is_told_and_nothing_is_recorded(served: Served, fields: dict[str, str], says: str) -> None:
    sit(served)
    for do in ("check", "give"):
        answer = post(served, "head", do=do, checked="", **fields)
        assert answer.status_code == 400 and says in answer.text, answer.text
        assert list_penalties(served) == []


def test_without_a_policy_a_step_is_typed(served: Served) -> None:
    sit(served, policy=False)
    assert "this match has no policy" in post(served, "floor", do="check", seat="p1").text
    shown = post(served, "floor", do="check", seat="p1", step="warning")
    done = post(served, "floor", **{"seat": "p1", "step": "warning", **checked(shown), "do": "give"})
    assert done.status_code == 303 and list_penalties(served)[0].penalty == D.Penalty("p1", "warning")  # type: ignore[arg-type]


def test_a_judge_of_other_matches_and_a_closed_match_give_none(served: Served) -> None:
    sit(served)
    served.open("blackpoker", match="t1")
    headers = served.bearer("floor", "t1") | {"Origin": "http://testserver.local"}
    fields = {"id": str(uuid4()), "do": "check", **LATE}
    assert served.client.post("/en/m/t0/penalties", data=fields, headers=headers).status_code == 403
    shown = post(served, "floor", do="check", **LATE)
    closing = {"kind": "close", "abandon": True, "reason": "time", "confirm": True}
    assert send(served, "t0", closing, "head", id=9).status_code == 201
    late = post(served, "floor", **{**LATE, **checked(shown), "do": "give"})
    assert late.status_code == 409 and list_penalties(served) == []
    assert 'value="check"' not in read(served, "head", what="/penalties").text


def test_a_disqualification_offers_the_end_of_the_match_and_a_judge_confirms_it(served: Served) -> None:
    sit(served)
    ended = {"id": str(uuid4()), "head": "3", "penalty": "4"}
    path, floor = "/en/m/t0/penalties/end", holding(served, "floor", "t0")
    assert served.client.post(path, data=ended, headers=floor).status_code == 409, "no penalty was given"
    shown = post(served, "floor", do="check", seat="p1", infraction="cheating")
    post(served, "floor", seat="p1", infraction="cheating", **{**checked(shown), "do": "give"})
    for role in ("spectator", "seat", "scorekeeper"):
        assert "penalties/end" not in read(served, role, what="/penalties").text, role
    text = read(served, "floor", what="/penalties").text
    offer = text.partition('id="end-match"')[2].partition("</section>")[0]
    assert "disqualification" in offer and "End the match: p2 wins" in offer and "<details>" in offer
    page = Page(text, "")
    ended = {name: next(page.all("input", name=name))["value"] for name in ("id", "head", "penalty")}
    seat = served.client.post(path, data=ended, headers=holding(served, "seat", "t0"), follow_redirects=False)
    assert seat.status_code == 403 and served.context.match("t0").table.result is None
    for _ in range(2):
        done = served.client.post(path, data=ended, headers=floor, follow_redirects=False)
        assert (done.status_code, done.headers["location"]) == (303, "/en/m/t0")
    match = served.context.match("t0")
    assert match.version == int(ended["head"]) + 1 and match.table.result is not None
    assert (match.table.result.winners, match.table.result.reason) == (
        ("p2",), "disqualification, cheating (standard 1, #4)",
    )  # fmt: skip
    assert result_of("t0", match.entries, START).result == "won"
    assert "p2 won" in served.get("/en/floor").text
    assert "penalties/end" not in read(served, "floor", what="/penalties").text


def test_a_ruling_that_disqualifies_offers_the_end_on_its_page(served: Served) -> None:
    sit(served)
    penalty = {"seat": "p2", "infraction": "cheating"}
    rules = {**RULES, "penalties": [penalty]}
    for number, command in enumerate(({"kind": "dispute", "about": 2}, rules), start=1):
        assert send(served, "t0", command, "floor", id=number).status_code == 201
    assert "End the match: p1 wins" in read(served, "head", what="/disputes/4").text
    assert "penalties/end" not in read(served, "seat", what="/disputes/4").text


def test_the_floor_marks_a_table_until_the_end_by_a_penalty_is_recorded(served: Served) -> None:
    sit(served)
    marks, link = "a penalty ends the match", "/en/m/t0/penalties"
    give = {"kind": "penalise", "penalty": {"seat": "p2", "infraction": "cheating"}}
    assert marks not in served.get("/en/floor", "floor").text
    assert send(served, "t0", give, "floor", id=1).status_code == 201
    page = served.get("/en/floor", "floor")
    assert marks in page.text and link in Page(page.text, "").links
    assert "ペナルティにより対戦終了" in served.get("/ja/floor", "head").text
    for role in ("spectator", "seat", "scorekeeper"):
        text = served.client.get("/en/floor", headers=holding(served, role, "t0")).text
        assert marks not in text and link not in Page(text, "").links, role
    end = {"kind": "play", "by": "judge", "action": {"do": "judge_end", "winner": "p1", "reason": "x"}, "confirm": True}
    assert send(served, "t0", {**end, "mode": "record"}, "floor", id=2).status_code == 201
    assert marks not in served.get("/en/floor", "floor").text


def test_a_ruling_that_is_overturned_takes_its_mark_off_the_floor(served: Served) -> None:
    sit(served)
    rules = {**RULES, "penalties": [{"seat": "p2", "infraction": "cheating"}]}
    commands = [{"kind": "dispute", "about": 2}, rules, APPEALS, OVERTURNS]
    marked = []
    for number, command in enumerate(commands, start=1):
        assert send(served, "t0", command, "head", id=number).status_code == 201
        marked.append("a penalty ends the match" in served.get("/en/floor", "head").text)
    assert marked == [False, True, True, False]


def test_an_end_by_a_penalty_tells_nothing_of_hidden_cards() -> None:
    entries = list(sample("blackpoker", 0).entries[:40])
    entries[0] = replace(opened_of(entries), policy=stored_policy(standard_policy()))
    viewer = opened_of(entries).seats[0]
    penalty = {"kind": "penalise", "penalty": {"seat": viewer, "infraction": "cheating"}}
    with twins(entries, redeal_within(entries, set(never_known(entries, viewer)), Random(1))) as both:
        pages = []
        for served in (both.ours, both.theirs):
            assert send(served, MATCH, penalty, "floor", id=1).status_code == 201
            judge = {"Accept-Encoding": "identity", **served.bearer("floor", name="Kato")}
            offered = served.client.get(f"/en/m/{MATCH}/penalties", headers=judge)
            form = Page(offered.text, "")
            sent = {name: next(form.all("input", name=name))["value"] for name in ("id", "head", "penalty")}
            ended = served.client.post(f"/en/m/{MATCH}/penalties/end", data=sent, headers=judge, follow_redirects=False)
            assert ended.status_code == 303
            pages.append(plain(offered))
        assert pages[0] == pages[1]
        for path in ("penalties", "", "41", "42"):
            assert both.alike(f"/en/m/{MATCH}/{path}".rstrip("/"), viewer) == 200
        assert both.alike("/ja/floor", viewer) == 200
