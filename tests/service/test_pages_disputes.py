"""Disputes on pages without scripts: opened, ruled on, appealed and decided by the permitted roles."""

from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest

from domain.formats.policies import standard_policy
from domain.law import disputes as D
from domain.law.entries import Rewound
from domain.law.policy import Policy
from projections.tables import read_table_status
from projections.things import things_on
from projections.viewing import find_viewer
from tests.service.commands import send
from tests.service.harness import Served, serve
from tests.service.page_parser import Page
from tests.service.test_pages_rewind import OURS
from tests.service.test_service_disputes import APPEALS, OPENS, RULES

RULING = {"verdict": "not_allowed", "clauses": "BP-5.1", "reason": "it was seen"}
NAMES = {"floor": "Kato", "head": "Abe"}


def table(served: Served, *further: tuple[dict[str, Any], str], policy: Policy | None = None) -> str:
    match = served.open("blackpoker", match="t0", policy=policy)
    for number, (command, role) in enumerate(((OPENS, "seat"), *further), start=1):
        answer = send(served, match, command, role, seat="p1" if role == "seat" else "", id=number)  # type: ignore[arg-type]
        assert answer.status_code == 201, answer.text
    return match


def holding(served: Served, role: str, match: str) -> dict[str, str]:
    held = ((match,), "p1") if role == "seat" else ((), "")
    return served.bearer(role, *held[0], seat=held[1], name=NAMES.get(role, role)) | OURS  # type: ignore[arg-type]


def read(served: Served, role: str, match: str = "t0", what: str = "/disputes/4", lang: str = "en") -> Any:
    headers = holding(served, role, match) if role != "spectator" else {}
    return served.client.get(f"/{lang}/m/{match}{what}", headers=headers, follow_redirects=False)


def post(served: Served, role: str, match: str = "t0", what: str = "/disputes/4", **fields: Any) -> Any:
    given = {"id": str(uuid4()), "head": head(served, match), **fields}
    if what == "/disputes":
        del given["head"]
    return served.client.post(
        f"/en/m/{match}{what}", data=given, headers=holding(served, role, match), follow_redirects=False
    )


def head(served: Served, match: str = "t0") -> int:
    return served.context.match(match).version


def checked(answer: Any) -> dict[str, str]:
    page = Page(answer.text, "/en/m/t0/disputes/4")
    return {name: next(page.all("input", name=name))["value"] for name in ("checked", "id", "head", "as_decision")}


def test_a_ruling_is_shown_as_players_will_read_it_and_recorded_once(served: Served) -> None:
    table(served)
    asked = {**RULING, "mend": "rewind", "to": "3", "against": "p2", "step": "warning", "infraction": "misplay"}
    shown = post(served, "head", do="check", **asked)
    assert shown.status_code == 200 and head(served) == 4, "nothing is recorded by looking"
    for says in (
        "head judge Abe rules on dispute 4: not allowed by BP-5.1; back to entry 3; warning for Player p2",
        "を裁定",
    ):
        assert says in shown.text
    ruled = post(served, "head", **{**asked, **checked(shown), "do": "rule"})
    assert (ruled.status_code, ruled.headers["location"]) == (303, "/en/m/t0/disputes/4")
    entries = served.context.match("t0").entries[4:]
    assert isinstance(entries[0], D.Ruled) and isinstance(entries[1], Rewound) and len(entries) == 2
    again = post(served, "head", **{**asked, **checked(shown), "do": "rule"})
    assert again.status_code == 303 and head(served) == 6, "the same once more is recorded no more"
    page = read(served, "spectator").text
    assert "ruled" in page and "not allowed by BP-5.1" in page


def test_what_was_changed_since_it_was_shown_is_shown_again(served: Served) -> None:
    table(served)
    shown = post(served, "floor", do="check", **RULING)
    other = post(served, "floor", **{**RULING, **checked(shown), "do": "rule", "verdict": "no_fault"})
    assert other.status_code == 200 and "no infraction" in other.text and head(served) == 4
    claims = {"kind": "dispute", "dispute": 4, "claims": {"p1": "he looked at my hand"}}
    assert send(served, "t0", claims, "seat", seat="p1", id=90).status_code == 201
    late = post(served, "floor", **{**RULING, **checked(shown), "do": "rule"})
    assert late.status_code == 409 and "A claim was added" in late.text and head(served) == 5
    assert post(served, "floor", **{**RULING, **checked(late), "do": "rule"}).status_code == 303


def test_a_ruling_is_previewed_first(served: Served) -> None:
    table(served)
    unseen = post(served, "floor", do="rule", **RULING)
    assert unseen.status_code == 200 and head(served) == 4


def test_an_appeal_is_decided_by_the_head_judge_alone(served: Served) -> None:
    table(served, (RULES, "floor"))
    appealed = post(served, "seat", do="appeal", reason="the judge was elsewhere")
    assert appealed.status_code == 303 and isinstance(served.context.match("t0").entries[-1], D.Appealed)
    decision = {"outcome": "overturned", "verdict": "no_fault", "reason": "not so", "as_decision": "true"}
    assert post(served, "floor", do="check", **decision).status_code == 403
    shown = post(served, "head", do="check", **decision)
    assert "the ruling is overturned" in shown.text and "裁定を変更" in shown.text
    done = post(served, "head", **{**decision, **checked(shown), "do": "rule"})
    assert done.status_code == 303 and isinstance(served.context.match("t0").entries[-1], D.Decided)
    assert not list(Page(read(served, "head").text, "").all("button", name="do")), "it is over"


@pytest.mark.parametrize(
    ("further", "role", "buttons"),
    [
        ((), "spectator", []), ((), "scorekeeper", []), ((), "seat", ["add"]), ((), "floor", ["add", "check"]),
        ((), "head", ["add", "check"]), (((RULES, "floor"),), "seat", ["appeal"]),
        (((RULES, "floor"),), "head", ["appeal"]), (((RULES, "floor"), (APPEALS, "seat")), "floor", []),
        (((RULES, "floor"), (APPEALS, "seat")), "head", ["check"]),
        (((RULES, "floor"), (APPEALS, "seat")), "seat", []),
    ],
)  # fmt: skip
def test_each_role_is_offered_what_it_may_do_now_and_no_more(
    served: Served, further: tuple[Any, ...], role: str, buttons: list[str]
) -> None:
    table(served, *further)
    for lang in ("en", "ja"):
        answer = read(served, role, lang=lang)
        assert answer.status_code == 200
        page = Page(answer.text, f"/{lang}/m/t0/disputes/4")
        assert [button["value"] for button in page.all("button", name="do")] == buttons
        assert bool(list(page.all("input", value="rewind"))) is (role == "head" and "check" in buttons)
        assert ("Finding" in answer.text or "ルールの見解" in answer.text) is (role in ("floor", "head"))


@pytest.mark.parametrize(
    ("fields", "status", "says"),
    [
        ({"do": "check"}, 400, "choose a verdict"),
        ({"do": "check", **RULING, "clauses": "BP-99.9"}, 400, "BP-99.9"),
        ({"do": "check", **RULING, "mend": "rewind", "to": "99"}, 400, "99"),
        ({"do": "check", **RULING, "mend": "rewind"}, 400, "999999999"),
        ({"do": "check", **RULING, "mend": "by_hand"}, 400, "fact"),
        ({"do": "check", **RULING, "mend": "by_hand", "facts": "nonsense"}, 400, "a fact begins"),
        ({"do": "check", **RULING, "against": "p9", "step": "x"}, 400, "p9"),
        ({"do": "check", **RULING, "against": "p1"}, 400, "no policy"),
        ({"do": "check", "as_decision": "true", "outcome": "upheld", "reason": "x"}, 409, "no ruling in force"),
        ({"do": "check", "as_decision": "true"}, 400, "the outcome of the appeal"),
        ({"do": "appeal", "reason": "x"}, 409, "no ruling in force"),
        ({"do": "add"}, 400, "claims"),
        ({"do": "dance"}, 400, "do"),
    ],
)
def test_bad_input_is_told_once_and_nothing_is_recorded(
    served: Served, fields: dict[str, str], status: int, says: str
) -> None:
    table(served)
    answer = post(served, "head", **fields)
    assert answer.status_code == status, answer.text
    assert says in answer.text and head(served) == 4
    if "reason" in fields and status == 400:
        assert 'value="it was seen"' in answer.text, "what was typed is kept"


def test_two_judges_who_rule_at_once_one_is_told(served: Served) -> None:
    table(served)
    first, second = post(served, "floor", do="check", **RULING), post(served, "head", do="check", **RULING)
    assert post(served, "floor", **{**RULING, **checked(first), "do": "rule"}).status_code == 303
    late = post(served, "head", **{**RULING, **checked(second), "do": "rule"})
    assert late.status_code == 409 and "was ruled on in entry 5" in late.text and head(served) == 5


def test_a_dispute_is_opened_from_a_finding_and_marked_on_the_match(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed", "t1", closed=False)
    page = Page(read(served, "floor", match, "/findings").text, "")
    finding = next(link for link in page.links if "/f/" in link)
    told = read(served, "floor", match, finding.removeprefix(f"/en/m/{match}"))
    link = next(link for link in Page(told.text, "").links if "/disputes?" in link)
    opening = read(served, "floor", match, link.removeprefix(f"/en/m/{match}"))
    fields = Page(opening.text, "")
    about = next(fields.all("input", name="about"))["value"]
    clause = next(fields.all("input", name="clause"))["value"]
    assert finding.endswith(f"/{about}/f/{clause}")
    assert "waits for a judge" not in read(served, "spectator", match, "").text
    opened = post(served, "floor", match, "/disputes", about=about, clause=clause,
                  seat=["p1", "p2"], claim=["mine", ""])  # fmt: skip
    assert opened.status_code == 303, opened.text
    disputed = served.context.match(match).entries[-1]
    assert disputed.matter == D.Matter(entry=int(about), clause=clause) and disputed.claims == {"p1": "mine"}
    assert "A dispute waits for a judge" in read(served, "spectator", match, "").text
    assert "審判を待つ異議が1件" in read(served, "spectator", match, "", "ja").text
    shown = read(served, "floor", match, opened.headers["location"].removeprefix(f"/en/m/{match}")).text
    assert finding in shown, "the law's view leads to the finding"
    assert clause in shown and "mine" in shown and "mine" not in read(
        served, "spectator", match, f"/disputes/{head(served, match)}"
    ).text  # fmt: skip


def test_a_seat_opens_one_with_its_own_claim_and_is_told_what_is_wrong(served: Served) -> None:
    table(served)
    form = Page(read(served, "seat", what="/disputes").text, "")
    assert [field["value"] for field in form.all("input", name="seat")] == ["p1"]
    nothing = post(served, "seat", what="/disputes", about="", seat="p1", claim="I think so")
    assert (
        nothing.status_code == 400
        and "a dispute needs a subject" in nothing.text
        and 'value="I think so"' in nothing.text
    )
    other = post(served, "seat", what="/disputes", about="2", seat="p2", claim="theirs")
    assert other.status_code == 403 and head(served) == 4
    assert post(served, "seat", what="/disputes", about="2", seat="p1", claim="mine").status_code == 303
    assert not list(Page(read(served, "spectator", what="/disputes").text, "").all("form", action="/en/m/t0/disputes"))
    assert read(served, "spectator", what="/disputes/2").status_code == 404


def test_the_floor_counts_the_tables_whose_disputes_wait_for_a_judge_and_marks_them() -> None:
    def marked(role: str) -> list[bool]:
        answers = [served.get(f"/en/floor{show}", role) for show in ("", "?show=disputes")]  # type: ignore[arg-type]
        return ["disputed, waiting for a judge" in answer.text for answer in answers]

    with serve() as served:
        match = table(served)
        assert marked("head") == [True, True]
        for number, (command, role, waits) in enumerate(
            (
                (RULES, "floor", False),
                (APPEALS, "seat", True),
                ({"kind": "decide", "dispute": 4, "outcome": "remanded", "reason": "again"}, "head", True),
                (RULES, "floor", False),
                ({"kind": "dispute", "clause": "BP-5.1"}, "floor", True),
                ({"kind": "close", "abandon": True, "reason": "time", "confirm": True}, "head", False),
            ),
            start=10,
        ):
            seat = "p1" if role == "seat" else ""
            answer = send(served, match, command, role, seat=seat, id=number)  # type: ignore[arg-type]
            assert answer.status_code == 201, answer.text
            assert marked("head") == [waits, waits], command
            fresh = read_table_status(match, served.context.match(match).entries)
            assert bool(fresh.disputes) is waits, "looked at anew it is the same as followed"


def test_penalties_are_offered_and_told_in_the_words_of_the_policy(served: Served) -> None:
    table(served, policy=standard_policy())
    offered = read(served, "floor", lang="ja").text
    assert (
        '<option value="warning">警告（warning）</option>' in offered
        and '<option value="late">遅刻（late）</option>' in offered
    )
    shown = post(served, "floor", do="check", **RULING, against="p1", infraction="late").text
    assert "warning for Player p1: coming late (late)" in shown and "Player p1に警告（warning）、遅刻（late）" in shown


UPTO = 48


def sit(served: Served, match: str = "t1") -> str:
    return served.record_match("blackpoker", "disputed", match, closed=False, upto=UPTO)


def things_seen(served: Served, viewer: str, number: int = UPTO) -> set[int]:
    record = served.context.match("t1")
    eyes = find_viewer(record, viewer)
    return {card.thing for card, _ in things_on(eyes.view(record.after(number))) if card.thing}


def offer_links(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [link for link in Page(answer.text, "").links if link.endswith("#open")]


def follow(served: Served, role: str, link: str, match: str = "t1") -> dict[str, str]:
    path = urlsplit(link)
    page = Page(read(served, role, match, path.path.removeprefix(f"/en/m/{match}") + f"?{path.query}").text, "")
    assert "open" in page.ids
    return {name: next(page.all("input", name=name))["value"] for name in ("about", "thing", "clause")}


def test_a_dispute_is_opened_from_the_page_of_a_thing_and_leads_back_to_it(served: Served) -> None:
    sit(served)
    thing = min(things_seen(served, "spectator"))
    (link,) = offer_links(read(served, "floor", "t1", f"/{UPTO}/thing/{thing}"))
    filled = follow(served, "floor", link)
    assert filled == {"about": "", "thing": str(thing), "clause": ""}
    opened = post(served, "floor", "t1", "/disputes", **filled)
    assert opened.status_code == 303, opened.text
    assert served.context.match("t1").entries[-1].matter == D.Matter(thing=thing)
    for role in ("spectator", "floor"):
        page = read(served, role, "t1", f"/disputes/{UPTO + 1}")
        back = f"/en/m/t1/{UPTO + 1}/thing/{thing}"
        assert back in Page(page.text, "").links
        assert read(served, role, "t1", back.removeprefix("/en/m/t1")).status_code == 200


def test_a_thing_that_was_looked_at_earlier_is_disputed_as_it_lay_then(served: Served) -> None:
    sit(served)
    thing = min(things_seen(served, "spectator", 40))
    (link,) = offer_links(read(served, "floor", "t1", f"/40/thing/{thing}"))
    filled = follow(served, "floor", link)
    assert (filled["about"], filled["thing"]) == ("40", str(thing))
    assert post(served, "floor", "t1", "/disputes", **filled).status_code == 303
    assert served.context.match("t1").entries[-1].matter == D.Matter(entry=40, thing=thing)


def test_nobody_disputes_a_thing_that_they_cannot_point_at(served: Served) -> None:
    sit(served)
    hidden = min(things_seen(served, "judge") - things_seen(served, "spectator"))
    assert read(served, "floor", "t1", f"/{UPTO}/thing/{hidden}").status_code == 404
    for thing in (str(hidden), f"u{hidden}", "7777", "seven"):
        answer = post(served, "floor", "t1", "/disputes", thing=thing)
        assert answer.status_code == 400 and "there is no card or piece u" in answer.text and head(served, "t1") == UPTO
        assert f'value="{thing}"' in answer.text, "what was typed is kept"
    assert (
        post(served, "floor", "t1", "/disputes", thing=f"u{min(things_seen(served, 'spectator'))}").status_code == 303
    )


def test_whoever_cannot_point_at_a_disputed_thing_is_led_nowhere(served: Served) -> None:
    sit(served)
    own = min(things_seen(served, "p1") - things_seen(served, "spectator"))
    told = send(served, "t1", {"kind": "dispute", "thing": own}, "seat", seat="p1", id=1)
    assert told.status_code == 201, told.text
    page = read(served, "spectator", "t1", f"/disputes/{UPTO + 1}")
    assert f"u{own}" in page.text and not any("/thing/" in link for link in Page(page.text, "").links)


@pytest.mark.parametrize("role", ["spectator", "scorekeeper"])
def test_who_opens_no_dispute_is_offered_none_by_a_thing_or_a_clause(served: Served, role: str) -> None:
    sit(served)
    thing = min(things_seen(served, "spectator"))
    assert offer_links(read(served, role, "t1", f"/{UPTO}/thing/{thing}")) == []
    assert "?match=" not in read(served, role, "t1", f"/{UPTO}").text
    headers = holding(served, role, "t1") if role != "spectator" else {}
    edition = served.context.match("t1").opening.version
    path = f"/en/rules/blackpoker@{edition}/BP-5.1?match=t1"
    assert offer_links(served.client.get(path, headers=headers)) == []
    assert offer_links(served.client.get(path, headers=holding(served, "floor", "t1"))), "what is looked for is there"


def test_a_judge_who_came_from_a_match_opens_a_dispute_about_a_clause_there(served: Served) -> None:
    sit(served)
    page = Page(read(served, "head", "t1", "/47").text, "")
    rule = next(link for link in page.links if link.endswith("?match=t1"))
    headers = holding(served, "head", "t1")
    shown = served.client.get(rule, headers=headers)
    (link,) = offer_links(shown)
    clause = rule.partition("?")[0].rpartition("/")[2]
    assert parse_qs(urlsplit(link).query) == {"clause": [clause]} and "Open a dispute in t1" in shown.text
    filled = follow(served, "head", link)
    assert filled == {"about": "", "thing": "", "clause": clause}
    assert post(served, "head", "t1", "/disputes", **filled).status_code == 303
    assert served.context.match("t1").entries[-1].matter == D.Matter(clause=clause)  # type: ignore[arg-type]
    beside = next(link for link in Page(shown.text, "").links if "?match=t1" in link and clause not in link)
    assert offer_links(served.client.get(beside, headers=headers)), "the next clause is led to from the same match"
    assert offer_links(served.client.get(rule.partition("?")[0], headers=headers)) == []


def test_a_seat_disputes_a_clause_in_its_own_match_wherever_it_came_from(served: Served) -> None:
    sit(served)
    edition = served.context.match("t1").opening.version
    own = holding(served, "seat", "t1")
    (link,) = offer_links(served.client.get(f"/en/rules/blackpoker@{edition}/BP-5.1", headers=own))
    assert link == "/en/m/t1/disputes?clause=BP-5.1#open"
    served.record_match("blackpoker", "normal", "t2", closed=False, upto=30)
    for elsewhere in ("t2", "t9", "..", "x" * 99):
        path = f"/en/rules/blackpoker@{edition}/BP-5.1?match={elsewhere}"
        assert offer_links(served.client.get(path, headers=own)) == [], elsewhere
    closing = {"kind": "close", "abandon": True, "reason": "time", "confirm": True}
    assert send(served, "t1", closing, "head", id=9).status_code == 201
    assert offer_links(served.client.get(f"/en/rules/blackpoker@{edition}/BP-5.1", headers=own)) == []
