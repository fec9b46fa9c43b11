"""The ruling form: prefilled from the page, and a rewind lists what it undoes."""

from typing import Any

from msgspec.structs import replace

from domain.formats.policies import standard_policy
from domain.judging.proposals import count_learned, list_undone
from domain.law import disputes as D
from domain.law.entries import line
from domain.law.policy import Limits
from recorder.remarks import find_rewind_request
from tests.service.commands import send
from tests.service.harness import Served
from tests.service.page_parser import Page
from tests.service.test_pages_disputes import checked as checked_of, post, read

MATCH = "t0"
WRONG, DISPUTE = 4, 5
PAGE = f"/disputes/{DISPUTE}"


def table(served: Served, limits: Limits | None = None) -> None:
    policy = standard_policy() if limits is None else replace(standard_policy(), rewind=limits)
    served.open("blackpoker", match=MATCH, policy=policy)
    acts: list[tuple[dict[str, Any], Any]] = [
        ({"kind": "play", "text": "p2: pass"}, "scorekeeper"), ({"kind": "dispute", "about": WRONG}, "floor"),
        ({"kind": "pause"}, "floor"),
    ]  # fmt: skip
    for number, (command, role) in enumerate(acts, start=1):
        assert send(served, MATCH, command, role, id=number).status_code == 201


def chosen(page: Page, name: str) -> list[str]:
    return [field["value"] for field in page.all("input", name=name) if "checked" in field]


def value(page: Page, name: str) -> str:
    return str(next(page.all("input", name=name))["value"])


def test_clause_verdict_and_remedy_are_filled_in_from_the_finding_and_the_policy(served: Served) -> None:
    table(served)
    for role, mend in (("head", "rewind"), ("floor", "ask")):
        page = Page(read(served, role, what=PAGE).text, "")
        assert value(page, "clauses") == "BP-4.2" and value(page, "to") == str(WRONG - 1)
        assert (chosen(page, "verdict"), chosen(page, "mend")) == (["not_allowed"], [mend]), role
        assert "The policy proposes a rewind to #3" in page.text
        (search,) = (link for link in page.links if link.endswith("#search"))
        assert 'id="search"' in served.get(search.partition("#")[0]).text


def test_without_a_finding_or_a_policy_nothing_is_proposed(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    assert send(served, MATCH, {"kind": "play", "text": "p1: pass"}, id=1).status_code == 201
    assert send(served, MATCH, {"kind": "dispute", "about": 4, "clause": "BP-6.1"}, "floor", id=2).status_code == 201
    page = Page(read(served, "head", what=PAGE).text, "")
    assert value(page, "clauses") == "BP-6.1"
    assert (chosen(page, "verdict"), chosen(page, "mend")) == ([], ["leave"])


def test_a_floor_judge_rules_and_asks_the_head_judge_to_go_back(served: Served) -> None:
    table(served)
    asked = {"verdict": "not_allowed", "clauses": "BP-4.2", "reason": "out of turn", "mend": "ask", "to": "3"}
    short = post(served, "floor", what=PAGE, do="check", **{**asked, "reason": ""})
    assert short.status_code == 400 and "give the entry and the reason" in short.text
    shown = post(served, "floor", what=PAGE, do="check", **asked)
    assert shown.status_code == 200, shown.text
    preview = shown.text.partition('id="preview"')[2]
    assert "rewind to entry 3 requested from the head judge" in preview and "play stands as it is" not in preview
    assert "記録3への巻き戻しを主審に申請" in preview
    ruled = post(served, "floor", what=PAGE, **{**asked, **checked_of(shown), "do": "rule"})
    assert ruled.status_code == 303
    entries = served.context.match(MATCH).entries
    ruling = entries[-2]
    assert isinstance(ruling, D.Ruled) and ruling.repair == D.Repair("ask", 3)
    request = find_rewind_request(entries)
    assert request is not None and (request.to, request.reason, request.void) == (3, "out of turn", False)
    assert f"/en/m/{MATCH}/3/rewind" in Page(served.get("/en/floor", "head").text, "").links
    told = served.get(f"/en/m/{MATCH}/7").text
    assert "rewind to entry 3 requested from the head judge" in told
    page = served.get(f"/en/m/{MATCH}/3/rewind", "head").text.partition("<main")[2]
    assert "floor judge Kato" in page and "out of turn" in page, "who asks, and why"
    dispute = {role: read(served, role, what=PAGE).text for role in ("head", "seat", "spectator")}
    assert "asks to go back to entry 3: out of turn" in dispute["head"]
    for role in ("seat", "spectator"):
        assert "from the head judge" in dispute[role] and "asks to go back to entry 3" not in dispute[role], role
    applied = {"kind": "rewind", "to": 3, "reason": "as asked"}
    assert send(served, MATCH, applied, "head", id=8).status_code == 201
    for role in ("head", "seat", "spectator"):
        timeline = read(served, role, what=PAGE).text.partition('id="timeline"')[2].partition("</section>")[0]
        assert "as asked" in timeline and "#9" in timeline, role


def test_an_answered_request_is_listed_by_its_answer_alone(served: Served) -> None:
    table(served)
    asks = {"kind": "rule", "dispute": DISPUTE, "verdict": "unclear", "to": 3, "asks": True, "reason": "who knows"}
    assert send(served, MATCH, {**asks, "reason": ""}, "floor", id=7).status_code == 400
    assert send(served, MATCH, {**asks, "to": 0}, "floor", id=7).status_code == 400
    assert send(served, MATCH, asks, "floor", id=8).status_code == 201
    refuse = {"kind": "refuse-rewind", "request": 8, "reason": "too far"}
    for number, (command, role) in enumerate(
        ((refuse, "head"), ({"kind": "rewind", "to": 2, "reason": "later"}, "head"))
    ):
        assert send(served, MATCH, command, role, id=20 + number).status_code == 201
    timeline = read(served, "head", what=PAGE).text.partition('id="timeline"')[2].partition("</section>")[0]
    assert "too far" in timeline and "later" not in timeline


def test_the_step_of_a_penalty_is_a_list_of_the_policy_or_a_field_of_its_own(served: Served) -> None:
    table(served)
    page = Page(read(served, "head", what=PAGE).text, "")
    assert {"", "caution", "disqualification"} <= {option["value"] for option in page.all("option")}
    assert not list(page.all("input", name="step")) and "as the policy proposes" in page.text
    served.open("blackpoker", match="t2")
    assert send(served, "t2", {"kind": "dispute", "about": 2}, "floor", id=1).status_code == 201
    free = Page(read(served, "head", "t2", "/disputes/4").text, "")
    assert list(free.all("input", name="step")) and "policy" not in free.text.partition('id="rule"')[2]


def test_a_departure_is_explained_in_the_words_of_the_form(served: Served) -> None:
    table(served, Limits(entries=0))
    page = read(served, "head", what=PAGE)
    assert "The policy proposes no rewind" in page.text and chosen(Page(page.text, ""), "mend") == ["leave"]
    asked = {"verdict": "not_allowed", "clauses": "BP-4.2", "reason": "x", "mend": "rewind", "to": "3"}
    refused = post(served, "head", what=PAGE, do="check", **asked)
    assert refused.status_code == 400 and "fill in “Reason for departing from the policy”" in refused.text
    assert "--" not in refused.text.partition('class="errors"')[2].partition("</div>")[0]
    command = {"kind": "rule", "dispute": DISPUTE, "verdict": "not_allowed", "to": 3}
    told = send(served, MATCH, command, "head", id=9).json()
    assert "--departure" not in told["en"] + told["ja"]


def test_the_rewind_page_says_what_stays_and_counts_as_the_policy_does(served: Served) -> None:
    table(served, Limits(entries=0, learned=0))
    page = Page(served.get(f"/en/m/{MATCH}/3/rewind", "head").text, "")
    assert "1 entry is undone" in page.text and "the number of entries undone would be 1" in page.text
    stays = page.text.partition("Not undone:")[2]
    assert [f"#{number}" in stays[:200] for number in (WRONG, DISPUTE, DISPUTE + 1)] == [False, True, True]
    match = served.context.match(MATCH)
    assert list_undone(match, 3) == ((WRONG,), (DISPUTE, DISPUTE + 1))
    assert f"Cards seen since then: {count_learned(match, 3)}." in page.text


def test_a_card_that_everybody_saw_is_one_card_for_page_and_policy(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed", closed=False, upto=38)
    page = served.get(f"/en/m/{match}/37/rewind", "head").text
    assert "Cards seen since then: 1." in page and "1 card:" in page
    assert count_learned(served.context.match(match), 37) == 1


def test_questions_that_come_back_are_named(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed", closed=False, upto=40)
    asked = [
        number for number in range(3, 40) if served.context.match(match).after(number).asked
        and not served.context.match(match).table.asked
    ]  # fmt: skip
    page = served.get(f"/en/m/{match}/{asked[-1]}/rewind", "head").text
    assert "Pending again, as at that entry:" in page


def test_a_ruling_with_a_rewind_says_which_request_it_answers(served: Served) -> None:
    table(served)
    back = {"verdict": "not_allowed", "clauses": "BP-4.2", "mend": "rewind", "to": str(WRONG - 1)}
    assert "request" not in post(served, "head", what=PAGE, do="check", **back).text
    assert send(served, MATCH, {"kind": "ask-rewind", "to": WRONG - 1, "reason": "x"}, "floor", id=9).status_code == 201
    answer = post(served, "head", what=PAGE, do="check", **back).text
    assert f"grants the request of floor judge floor to go back to #{WRONG - 1}" in answer
    other = post(served, "head", what=PAGE, do="check", **back | {"to": str(WRONG - 2), "departure": "x"}).text
    assert "This ruling goes back to another entry" in other
    left = post(served, "head", what=PAGE, do="check", **back | {"mend": "leave", "departure": "x"}).text
    assert "grants the request" not in left


def test_the_forms_for_a_request_and_an_appeal_know_what_they_are_about(served: Served) -> None:
    table(served)
    request = f"/en/m/{MATCH}/{WRONG - 1}/rewind"
    assert value(Page(served.get(request, "floor").text, ""), "reason").startswith(f"dispute {DISPUTE}: ")
    assert value(Page(served.get(request, "head").text, ""), "reason") == ""
    ruling = {"kind": "rule", "dispute": DISPUTE, "verdict": "no_fault", "clauses": ["BP-4.2"], "reason": "x"}
    assert send(served, MATCH, ruling, "head", id=10).status_code == 201
    appeal = read(served, "floor", what=PAGE).text.partition("Ruling under appeal:")[2].partition("</p>")[0]
    assert "#7" in appeal and f"/{WRONG}" in appeal and "BP-4.2" in appeal, appeal


def test_who_overturns_a_ruling_that_went_back_says_what_happens_to_the_play(served: Served) -> None:
    table(served)
    ruled = {"verdict": "not_allowed", "clauses": "BP-4.2", "mend": "rewind", "to": "3"}
    shown = post(served, "head", what=PAGE, do="check", **ruled)
    assert post(served, "head", what=PAGE, **{**ruled, **checked_of(shown), "do": "rule"}).status_code == 303
    ruling = next(n for n, each in enumerate(served.context.match(MATCH).entries, 1) if isinstance(each, D.Ruled))
    assert post(served, "floor", what=PAGE, do="appeal", reason="it was his turn").status_code == 303
    page = Page(read(served, "head", what=PAGE).text, "")
    assert chosen(page, "mend") == [] and value(page, "to") == str(ruling)
    assert "The ruling rewound the match to entry 3. Overturning the ruling" in page.text
    overturned = {"as_decision": "true", "outcome": "overturned", "verdict": "no_fault", "reason": "his turn"}
    assert "the ruling rewound the match to entry 3" in post(served, "head", what=PAGE, do="check", **overturned).text
    stays = post(served, "head", what=PAGE, do="check", **overturned, mend="leave")
    assert stays.status_code == 200 and "play stands as it is" in stays.text.partition('id="preview"')[2]
    brought = {**overturned, "mend": "rewind", "to": str(ruling)}
    shown = post(served, "head", what=PAGE, do="check", **brought)
    assert post(served, "head", what=PAGE, **{**brought, **checked_of(shown), "do": "rule"}).status_code == 303
    assert WRONG in line(served.context.match(MATCH).entries), "what the ruling took back counts again"
