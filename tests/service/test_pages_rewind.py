"""Rewinds on pages: their cost for each viewer, the request, the decision, and what voids it."""

import re
from typing import Any

from domain.law.entries import Noted, Rewound
from recorder.remarks import kind_of
from tests.service.commands import send
from tests.service.harness import Served
from tests.service.page_parser import Page

OURS = {"Origin": "http://testserver.local"}
TO = 29


def at(match: str, lang: str = "en") -> str:
    return f"/{lang}/m/{match}/{TO}/rewind"


def table(served: Served) -> str:
    return served.record_match("blackpoker", "disputed", closed=False, upto=40)


def post(served: Served, match: str, role: str, **fields: Any) -> Any:
    headers = served.bearer(role, name={"floor": "Kato", "head": "Abe"}.get(role, role)) | OURS  # type: ignore[arg-type]
    given = {"head": len(entries(served, match)), **fields}
    return served.client.post(at(match), data=given, headers=headers, follow_redirects=False)


def entries(served: Served, match: str) -> Any:
    return served.context.match(match).entries


def test_the_cost_is_told_to_judges_as_far_as_their_eyes_see(served: Served) -> None:
    match = table(served)
    for role in ("spectator", "seat", "scorekeeper", "designer", "operator"):
        refused = [served.get(f"/en/m/{match}/{n}/rewind", role) for n in (TO, 30, 4000)]
        assert {answer.status_code for answer in refused} == {403}
        assert len({answer.content for answer in refused}) == 1
    answer = served.get(at(match), "floor")
    page = Page(answer.text, at(match))
    gone = [link for link in page.links if link.startswith(f"/en/m/{match}/")]
    assert [f"/en/m/{match}/{n}" for n in range(40, TO, -1)] == [link for link in gone if link[-2:].isdecimal()][-12:-1]
    assert "2 cards: C5, D7" in answer.text and "Aoi&#39;s hand: 5 → 7 cards" in answer.text
    assert list(page.all("button", value="ask")) and not list(page.all("button", value="apply"))
    assert not list(page.all("input", type="checkbox"))
    assert list(Page(served.get(at(match), "head").text, "").all("button", value="apply"))


def test_a_floor_judge_asks_and_the_head_judge_goes_back(served: Served) -> None:
    match = table(served)
    asked = post(served, match, "floor", do="ask", reason="nobody saw it")
    assert (asked.status_code, asked.headers["location"]) == (303, at(match))
    note = entries(served, match)[-1]
    assert isinstance(note, Noted) and kind_of(note.text) == "rewind" and (note.about, note.by) == (TO, "floor Kato")
    page = served.get(at(match), "head").text
    told = re.sub("</?time[^>]*>", "", page)
    assert "Requested by floor judge Kato at 08:00 UTC; valid until 08:10 UTC" in told and "nobody saw it" in told
    done = post(served, match, "head", do="apply", reason="nobody saw it", no_table="true")
    assert (done.status_code, done.headers["location"]) == (303, f"/en/m/{match}/42")
    rewound = entries(served, match)[-1]
    assert isinstance(rewound, Rewound) and (rewound.to, rewound.by) == (TO, "head Abe")
    assert "Requested" not in served.get(at(match), "head").text


def test_a_floor_judge_decides_nothing(served: Served) -> None:
    match = table(served)
    for do in ("apply", "refuse"):
        answer = post(served, match, "floor", do=do, reason="so", no_table="true")
        assert answer.status_code == 403 and len(entries(served, match)) == 40
    assert post(served, match, "scorekeeper", do="ask", reason="so").status_code == 403


def test_nothing_is_applied_before_all_is_done_at_the_table(served: Served) -> None:
    match = table(served)
    ticks = [box["value"] for box in Page(served.get(at(match), "head").text, "").all("input", name="tick")]
    assert len(ticks) > 2
    answer = post(served, match, "head", do="apply", reason="seen late", tick=ticks[1:])
    page = Page(answer.text, at(match))
    assert answer.status_code == 422 and len(entries(served, match)) == 40
    assert "#tick-0" in page.links and "autofocus" in next(page.all("div", class_="errors"))
    boxes = list(page.all("input", name="tick"))
    assert [box["value"] for box in boxes if "checked" in box] == ticks[1:]
    assert next(page.all("input", id="reason"))["value"] == "seen late"
    assert post(served, match, "head", do="apply", reason="seen late", tick=ticks).status_code == 303
    assert isinstance(entries(served, match)[-1], Rewound)


def test_cards_that_the_program_dealt_need_nothing_done_at_the_table(served: Served) -> None:
    match = served.open("blackpoker")
    begun = len(entries(served, match))
    assert send(served, match, {"kind": "play", "text": "p1: pass"}, id=1).status_code == 201
    path = f"/en/m/{match}/{begun - 1}/rewind"
    page = Page(served.get(path, "head").text, path)
    assert "What goes back" in page.text and not list(page.all("input", type="checkbox"))
    given = {"head": len(entries(served, match)), "do": "apply", "reason": "seen late"}
    done = served.client.post(path, data=given, headers=served.bearer("head") | OURS, follow_redirects=False)
    assert done.status_code == 303 and any(isinstance(entry, Rewound) for entry in entries(served, match))


def test_a_reason_is_needed(served: Served) -> None:
    match = table(served)
    for role, do in (("floor", "ask"), ("head", "apply")):
        answer = post(served, match, role, do=do, reason="  ", no_table="true")
        page = Page(answer.text, "")
        assert answer.status_code == 422 and "#reason" in page.links
        assert next(page.all("input", id="reason"))["aria-describedby"] == "reason-wrong"
    assert len(entries(served, match)) == 40


def test_a_new_entry_voids_a_request_and_says_so(served: Served) -> None:
    match = table(served)
    assert post(served, match, "floor", do="ask", reason="so").status_code == 303
    seen = len(entries(served, match))
    note = {"kind": "note", "text": "the judge looks at it"}
    assert send(served, match, note, id=1).status_code == 201
    assert "Requested by" in served.get(at(match), "head").text
    played = send(served, match, {"kind": "play", "text": "p1: pass"}, id=2)
    assert played.status_code == 201, played.text
    assert "the request is void" in served.get(at(match), "head").text
    stale = post(served, match, "head", do="apply", reason="so", no_table="true", head=seen)
    page = Page(stale.text, at(match))
    assert stale.status_code == 412 and f"The match is now at #{len(entries(served, match))}" in stale.text
    assert next(page.all("input", name="head"))["value"] == str(len(entries(served, match)))
    assert not any(isinstance(entry, Rewound) for entry in entries(served, match))


def test_a_request_runs_out(served: Served) -> None:
    match = table(served)
    post(served, match, "floor", do="ask", reason="so")
    served.clock.at += served.context.settings.rewind_ms
    assert "the request expired" in served.get(at(match), "head").text


def test_a_request_is_applied_with_its_own_reason_and_refused_with_another(served: Served) -> None:
    match = table(served)
    post(served, match, "floor", do="ask", reason="nobody saw it")
    form = served.get(at(match), "head").text
    assert 'name="reason" maxlength="300" autocomplete="off" value=""' in form
    assert post(served, match, "head", do="refuse", reason="").status_code == 422
    unticked = post(served, match, "head", do="apply", reason="")
    assert unticked.status_code == 422 and 'autocomplete="off" value=""' in unticked.text, "its reason refuses nothing"
    applied = post(served, match, "head", do="apply", reason="", no_table="true")
    assert applied.status_code == 303, applied.text
    rewound = entries(served, match)[-1]
    assert isinstance(rewound, Rewound) and rewound.reason == "nobody saw it"


def test_a_request_is_refused_with_a_reason(served: Served) -> None:
    match = table(served)
    assert post(served, match, "head", do="refuse", reason="too late").status_code == 422
    post(served, match, "floor", do="ask", reason="so")
    refused = post(served, match, "head", do="refuse", reason="too late")
    assert (refused.status_code, refused.headers["location"]) == (303, f"/en/m/{match}/42")
    note = entries(served, match)[-1]
    assert kind_of(note.text) == "refused" and note.about == 41 and "too late" in note.text
    assert "Requested" not in served.get(at(match), "head").text


def test_a_closed_match_goes_nowhere(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed")
    assert served.get(at(match), "head").status_code == 409
    assert post(served, match, "head", do="apply", reason="so", no_table="true").status_code == 409
    assert served.get(f"/en/m/{match}/{len(entries(served, match))}/rewind", "head").status_code == 409
