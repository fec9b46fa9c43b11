"""Undo by the scorekeeper alone, and undo that needs a judge."""

from random import Random
from typing import Any

import pytest

from domain.law.entries import Closed, Noted, Restored, Rewound, line
from domain.law.record import record_of
from domain.law.remarks import write_remark
from domain.table.redact import SPECTATOR
from domain.table.table import CHANCE
from domain.words import Text
from projections.undo_plans import plan_undo
from recorder.remarks import find_rewind_request, kind_of, open_calls
from tests.laws.samples import sample
from tests.service.command_twins import Sender, pair_of, services
from tests.service.commands import head, send, uuid
from tests.service.harness import Served
from tests.service.page_parser import Page

MATCH = "t0"


@pytest.fixture(autouse=True)
def _match(served: Served) -> None:
    served.open("blackpoker", match=MATCH)


def play(served: Served, *texts: str, role: Any = "scorekeeper", confirm: bool = False, **more: Any) -> None:
    for text in texts:
        answer = send(
            served,
            MATCH,
            {"kind": "play", "text": text, "confirm": confirm},
            role,
            id=100 + head(served, MATCH),
            **more,
        )
        assert answer.status_code == 201, answer.text


def undo(served: Served, role: Any = "scorekeeper", *, seat: str = "", **more: Any) -> Any:
    return send(served, MATCH, {"kind": "undo", **more}, role, id=500 + head(served, MATCH), seat=seat)


def entries(served: Served) -> Any:
    return served.context.match(MATCH).entries


def plan(served: Served, role: Any = "scorekeeper", query: str = "", **more: Any) -> dict[str, Any]:
    answer = served.get(f"/api/v1/matches/{MATCH}/undo{query}", role, *([MATCH] if more else []), **more)
    assert answer.status_code == 200, answer.text
    value: dict[str, Any] = answer.json()
    return value


def test_a_slip_is_taken_back_and_again_restored_without_a_judge(served: Served) -> None:
    at = head(served, MATCH)
    play(served, "p1: pass")
    assert plan(served) == {"match": MATCH, "head": at + 1, "to": at, "undone": [at + 1]}
    assert undo(served).status_code == 201
    last = entries(served)[-1]
    assert (
        type(last) is Rewound and (last.to, last.by) == (at, "scorekeeper scorekeeper") and "by mistake" in last.reason
    )
    assert undo(served, redo=True, reason="it was right").status_code == 201
    assert type(entries(served)[-1]) is Restored and entries(served)[-1].reason == "it was right"
    assert at + 1 in line(entries(served))
    assert undo(served, redo=True).status_code == 400


def test_a_concession_by_a_slip_is_taken_back(served: Served) -> None:
    play(served, "p1: concede", confirm=True)
    assert served.context.match(MATCH).table.result is not None
    assert undo(served).status_code == 201
    assert served.context.match(MATCH).table.result is None


def record_reveal(served: Served) -> str:
    return served.record_match("blackpoker", "disputed", closed=False, upto=38)


def test_what_showed_a_card_needs_a_judge_who_is_called_with_the_request(served: Served) -> None:
    match = record_reveal(served)
    answer = served.get(f"/api/v1/matches/{match}/undo", "scorekeeper").json()
    assert (answer["to"], answer["undone"], answer["obstacle"]) == (37, [38], "learned")
    refused = send(served, match, {"kind": "undo"}, id=1)
    assert refused.status_code == 403 and head(served, match) == 38 and "a new card has been seen" in refused.text
    assert send(served, match, {"kind": "undo", "ask": True, "reason": "a slip"}, id=2).status_code == 201
    request, call = served.context.match(match).entries[-2:]
    asked = find_rewind_request(served.context.match(match).entries)
    assert asked is not None and (asked.entry, asked.to, asked.reason) == (39, 37, "a slip")
    assert isinstance(call, Noted) and kind_of(call.text) == "call" and call.about == 39
    assert [each.entry for each in open_calls(served.context.match(match).entries)] == [40]
    entries = served.context.match(match).entries
    refused = Noted(by="head Abe", text=write_remark("refused", Text("remark.refused")), about=39)
    went_back = Rewound(by="head Abe", to=37, reason="a slip")
    for answer in (refused, went_back):
        assert open_calls([*entries, answer]) == open_calls([answer], open_calls(entries), len(entries)) == ()
    assert isinstance(request, Noted) and kind_of(request.text) == "rewind"


def test_a_call_that_came_with_a_request_stays_until_it_is_answered_or_the_match_goes_back_as_far(
    served: Served,
) -> None:
    match = record_reveal(served)
    assert send(served, match, {"kind": "undo", "ask": True}, id=1).status_code == 201
    seat = served.context.match(match).table.clock.active
    assert send(served, match, {"kind": "play", "text": f"{seat}: concede", "confirm": True}, id=2).status_code == 201
    assert send(served, match, {"kind": "undo"}, id=3).status_code == 201
    noted = served.context.match(match).entries
    assert type(noted[-1]) is Rewound and find_rewind_request(noted) is None
    assert [(call.entry, call.to) for call in open_calls(noted)] == [(40, 37)]
    assert "◆" in served.get("/en/floor", "floor").text
    assert send(served, match, {"kind": "rewind", "to": 36, "reason": "a slip"}, "head", id=4).status_code == 201
    assert open_calls(served.context.match(match).entries) == ()
    assert "◆" not in served.get("/en/floor", "floor").text


@pytest.mark.parametrize(
    "acts",
    [
        {"kind": "pause"},
        {"kind": "note", "text": "stays as it is"},
        {"kind": "correct", "facts": ["stance u48 driven"], "reason": "seen late"},
        {"kind": "dispute", "about": 4, "claims": {}},
    ],
)
def test_what_a_judge_has_dealt_with_since_needs_a_judge(served: Served, acts: dict[str, Any]) -> None:
    play(served, "p1: pass")
    assert send(served, MATCH, acts, "floor", id=7).status_code == 201
    assert plan(served, query="?entry=4")["obstacle"] == "judged"
    assert undo(served, entry=4).status_code == 403


def test_a_judges_own_rewind_is_not_redone_by_the_scorekeeper(served: Served) -> None:
    play(served, "p1: pass")
    assert send(served, MATCH, {"kind": "rewind", "to": 3, "reason": "no"}, "head", id=7).status_code == 201
    assert plan(served, query="?redo=true")["obstacle"] == "judged"


def test_what_a_player_entered_is_not_the_scorekeepers_and_a_player_asks(served: Served) -> None:
    play(served, "p1: pass", role="seat", seat="p1")
    assert plan(served)["obstacle"] == "others"
    assert plan(served, "seat", seat="p1")["obstacle"] == "seat"
    assert undo(served, "seat", seat="p1").status_code == 403
    assert undo(served, "seat", seat="p1", ask=True).status_code == 201
    assert len(open_calls(entries(served))) == 1 and not any(isinstance(entry, Rewound) for entry in entries(served))


def test_what_an_earlier_version_recorded_is_not_counted_as_the_scorekeepers(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(served, "p1: pass")
    rows = served.context.store.commands_after(MATCH, 0)
    shorter = [(command.rpartition("/")[0], first, last) for command, first, last in rows]
    monkeypatch.setattr(type(served.context.store), "commands_after", lambda *_: shorter)
    assert plan(served)["obstacle"] == "others"


def test_chance_is_not_asked_again_by_an_undo() -> None:
    """A repeated chance event would draw another result even if it showed no card."""
    one = sample("dea", 0)
    records = (record_of(one.game, one.entries[:number]) for number in range(3, 80))
    plans = [(record, plan_undo(record, "m", "scorekeeper", {})) for record in records]
    drawn = [(record, plan) for record, plan in plans if plan.obstacle == "chance"]
    assert drawn and any(plan.is_free for _, plan in plans)
    for record, plan in plans:
        if plan.is_free:
            assert all(getattr(record.entries[number - 1], "actor", "") != CHANCE for number in plan.undone)


def test_the_page_shows_what_goes_and_one_button(served: Served) -> None:
    play(served, "p1: pass")
    recorder = Page(served.get(f"/en/record/{MATCH}", "scorekeeper").text, "")
    assert f"/en/record/{MATCH}/undo" in recorder.links and f"/en/record/{MATCH}/undo?redo=true" not in recorder.links
    shown = served.get(f"/en/record/{MATCH}/undo", "scorekeeper")
    assert shown.status_code == 200 and "Undo #4?" in shown.text and "no judge is needed" in shown.text
    form = {"id": uuid(1), "head": "4", "redo": "false", "reason": "a slip"}
    headers = served.bearer("scorekeeper", name="Sato") | {"Origin": "http://testserver.local"}
    done = served.client.post(f"/en/record/{MATCH}/undo", data=form, headers=headers, follow_redirects=False)
    assert (done.status_code, done.headers["location"]) == (303, f"/en/record/{MATCH}")
    assert (entries(served)[-1].to, entries(served)[-1].reason) == (3, "a slip")
    again = Page(served.client.get(f"/en/record/{MATCH}", headers=headers).text, "")
    assert f"/en/record/{MATCH}/undo" not in again.links and f"/en/record/{MATCH}/undo?redo=true" in again.links
    redo = served.client.get(f"/ja/record/{MATCH}/undo?redo=true", headers=headers)
    assert redo.status_code == 200 and "取り消しを元に戻しますか" in redo.text


def test_the_page_calls_a_judge_where_one_is_necessary_and_sends_a_judge_to_the_rewind(served: Served) -> None:
    match = record_reveal(served)
    page = served.get(f"/en/record/{match}/undo", "scorekeeper")
    above, _, below = page.text.partition('<ol class="acts">')
    assert "Only a judge" in above and "Call a judge and ask to go back" in above, "before a list of any length"
    assert "will no longer count" in above and "<button" not in below.partition("</main>")[0]
    judge = served.get(f"/en/record/{match}/undo", "floor")
    assert f"/en/m/{match}/37/rewind" in Page(judge.text, "").links and "Call a judge" not in judge.text
    form = {"id": uuid(1), "head": "38", "ask": "true", "reason": "a slip"}
    headers = served.bearer("scorekeeper") | {"Origin": "http://testserver.local"}
    assert (
        served.client.post(f"/en/record/{match}/undo", data=form, headers=headers, follow_redirects=False).status_code
        == 303
    )
    noted = served.context.match(match).entries
    assert find_rewind_request(noted) is not None and len(open_calls(noted)) == 1


def test_an_undo_on_an_old_head_is_shown_again(served: Served) -> None:
    play(served, "p1: pass")
    form = {"id": uuid(1), "head": "3"}
    headers = served.bearer("scorekeeper") | {"Origin": "http://testserver.local"}
    answer = served.client.post(f"/en/record/{MATCH}/undo", data=form, headers=headers, follow_redirects=False)
    assert answer.status_code == 412 and head(served, MATCH) == 4 and 'name="head" value="4"' in answer.text


def test_nothing_is_undone_where_nothing_was_entered_or_all_is_closed(served: Served) -> None:
    assert plan(served)["obstacle"] == "nothing"
    assert undo(served).status_code == 400
    assert served.get(f"/en/record/{MATCH}/undo", "scorekeeper").status_code == 400
    served.context.store.append(MATCH, head(served, MATCH), [Closed(by="head", reason="time")])
    assert served.get(f"/api/v1/matches/{MATCH}/undo", "scorekeeper").status_code == 409
    assert undo(served).status_code == 409


@pytest.mark.parametrize("seed", range(2))
def test_a_plan_tells_nothing_of_hidden_cards(seed: int) -> None:
    random = Random(f"undo {seed}")
    pair = pair_of(random.choice(("blackpoker", "grimoire")), seed, SPECTATOR, random)
    sender = Sender("scorekeeper")
    with services(pair) as both:
        for entry in (0, *random.sample(range(1, len(pair.ours)), 6)):
            assert both.read(sender, f"/api/v1/matches/MATCH/undo?entry={entry}") == 200
        assert both.read(sender, "/en/record/MATCH/undo") in (200, 400)
