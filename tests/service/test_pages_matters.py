"""What a dispute is about beside an entry: a thing, from its page, and a clause, from the rulebook's."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from domain.law import disputes as D
from projections.things import things_on
from projections.viewing import look_at
from tests.service.reading import Page
from tests.service.serving import Served
from tests.service.test_pages_disputes import head, holding, post, read
from tests.service.writing import send

UPTO = 48


def sit(served: Served, match: str = "t1") -> str:
    return served.put("blackpoker", "disputed", match, closed=False, upto=UPTO)


def things(served: Served, viewer: str, number: int = UPTO) -> set[int]:
    record = served.house.match("t1")
    eyes = look_at(record, viewer)
    return {card.thing for card, _ in things_on(eyes.view(record.after(number))) if card.thing}


def offered(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [link for link in Page(answer.text, "").links if link.endswith("#open")]


def follow(served: Served, role: str, link: str, match: str = "t1") -> dict[str, str]:
    path = urlsplit(link)
    page = Page(read(served, role, match, path.path.removeprefix(f"/en/m/{match}") + f"?{path.query}").text, "")
    assert "open" in page.ids
    return {name: next(page.all("input", name=name))["value"] for name in ("about", "thing", "clause")}


def test_a_dispute_is_opened_from_the_page_of_a_thing_and_leads_back_to_it(served: Served) -> None:
    sit(served)
    thing = min(things(served, "spectator"))
    (link,) = offered(read(served, "floor", "t1", f"/{UPTO}/thing/{thing}"))
    filled = follow(served, "floor", link)
    assert filled == {"about": "", "thing": str(thing), "clause": ""}
    opened = post(served, "floor", "t1", "/disputes", **filled)
    assert opened.status_code == 303, opened.text
    assert served.house.match("t1").entries[-1].matter == D.Matter(thing=thing)
    for role in ("spectator", "floor"):
        page = read(served, role, "t1", f"/disputes/{UPTO + 1}")
        back = f"/en/m/t1/{UPTO + 1}/thing/{thing}"
        assert back in Page(page.text, "").links
        assert read(served, role, "t1", back.removeprefix("/en/m/t1")).status_code == 200


def test_a_thing_that_was_looked_at_earlier_is_disputed_as_it_lay_then(served: Served) -> None:
    sit(served)
    thing = min(things(served, "spectator", 40))
    (link,) = offered(read(served, "floor", "t1", f"/40/thing/{thing}"))
    filled = follow(served, "floor", link)
    assert (filled["about"], filled["thing"]) == ("40", str(thing))
    assert post(served, "floor", "t1", "/disputes", **filled).status_code == 303
    assert served.house.match("t1").entries[-1].matter == D.Matter(entry=40, thing=thing)


def test_nobody_disputes_a_thing_that_they_cannot_point_at(served: Served) -> None:
    sit(served)
    hidden = min(things(served, "judge") - things(served, "spectator"))
    assert read(served, "floor", "t1", f"/{UPTO}/thing/{hidden}").status_code == 404
    for thing in (str(hidden), f"u{hidden}", "7777", "seven"):
        answer = post(served, "floor", "t1", "/disputes", thing=thing)
        assert answer.status_code == 400 and "there is no thing u" in answer.text and head(served, "t1") == UPTO
        assert f'value="{thing}"' in answer.text, "what was typed is kept"
    assert post(served, "floor", "t1", "/disputes", thing=f"u{min(things(served, 'spectator'))}").status_code == 303


def test_whoever_cannot_point_at_a_disputed_thing_is_led_nowhere(served: Served) -> None:
    sit(served)
    own = min(things(served, "p1") - things(served, "spectator"))
    told = send(served, "t1", {"kind": "dispute", "thing": own}, "seat", seat="p1", id=1)
    assert told.status_code == 201, told.text
    page = read(served, "spectator", "t1", f"/disputes/{UPTO + 1}")
    assert f"u{own}" in page.text and not any("/thing/" in link for link in Page(page.text, "").links)


@pytest.mark.parametrize("role", ["spectator", "scorekeeper"])
def test_who_opens_no_dispute_is_offered_none_by_a_thing_or_a_clause(served: Served, role: str) -> None:
    sit(served)
    thing = min(things(served, "spectator"))
    assert offered(read(served, role, "t1", f"/{UPTO}/thing/{thing}")) == []
    assert "?match=" not in read(served, role, "t1", f"/{UPTO}").text
    headers = holding(served, role, "t1") if role != "spectator" else {}
    edition = served.house.match("t1").opened.version
    path = f"/en/rules/blackpoker@{edition}/BP-5.1?match=t1"
    assert offered(served.client.get(path, headers=headers)) == []
    assert offered(served.client.get(path, headers=holding(served, "floor", "t1"))), "what is looked for is there"


def test_a_judge_who_came_from_a_match_opens_a_dispute_about_a_clause_there(served: Served) -> None:
    sit(served)
    page = Page(read(served, "head", "t1", "/47").text, "")
    rule = next(link for link in page.links if link.endswith("?match=t1"))
    headers = holding(served, "head", "t1")
    shown = served.client.get(rule, headers=headers)
    (link,) = offered(shown)
    clause = rule.partition("?")[0].rpartition("/")[2]
    assert parse_qs(urlsplit(link).query) == {"clause": [clause]} and "Open a dispute in t1" in shown.text
    filled = follow(served, "head", link)
    assert filled == {"about": "", "thing": "", "clause": clause}
    assert post(served, "head", "t1", "/disputes", **filled).status_code == 303
    assert served.house.match("t1").entries[-1].matter == D.Matter(clause=clause)  # type: ignore[arg-type]
    beside = next(link for link in Page(shown.text, "").links if "?match=t1" in link and clause not in link)
    assert offered(served.client.get(beside, headers=headers)), "the next clause is led to from the same match"
    assert offered(served.client.get(rule.partition("?")[0], headers=headers)) == []


def test_a_seat_disputes_a_clause_in_its_own_match_wherever_it_came_from(served: Served) -> None:
    sit(served)
    edition = served.house.match("t1").opened.version
    own = holding(served, "seat", "t1")
    (link,) = offered(served.client.get(f"/en/rules/blackpoker@{edition}/BP-5.1", headers=own))
    assert link == "/en/m/t1/disputes/as/p1?clause=BP-5.1#open"
    served.put("blackpoker", "normal", "t2", closed=False, upto=30)
    for elsewhere in ("t2", "t9", "..", "x" * 99):
        path = f"/en/rules/blackpoker@{edition}/BP-5.1?match={elsewhere}"
        assert offered(served.client.get(path, headers=own)) == [], elsewhere
    closing = {"kind": "close", "abandon": True, "reason": "time"}
    assert send(served, "t1", closing, "head", id=9).status_code == 201
    assert offered(served.client.get(f"/en/rules/blackpoker@{edition}/BP-5.1", headers=own)) == []
