"""Regressions on pages: started by form, listed by class, approved with a reason, and access by role."""

import json
import re
from collections.abc import Iterator
from html import unescape
from itertools import count
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import urlencode

import pytest

from domain.games import GAMES
from domain.judging.rejudging.causes import ENGINE
from domain.law.rulesets import values
from service.access import ROLES, Role
from service.settings import Settings
from tests.service.harness import Served, serve
from tests.service.page_parser import Page
from tests.service.processes import shinpan
from tests.service.working import archive, ask, wait

RULES = {"game": "blackpoker", "rules": "blackpoker@9.2-lite"}
MATCHES = 8
PAUSE_S = 0.02
ORIGIN = {"Origin": "http://testserver.local", "Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def regression(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    with serve(archive(tmp_path_factory.mktemp("reports"), MATCHES)) as served:
        answer = send(served, "/en/r", RULES, "designer")
        assert answer.status_code == 303, answer.text
        job = answer.headers["location"].rpartition("/")[2]
        wait(served, f"/api/v1/regressions/{job}")
        yield served, job


def send(served: Served, path: str, fields: dict[str, str], role: Role, headers: Any = None) -> Any:
    held = headers if headers is not None else served.bearer(role)
    return served.client.post(path, content=urlencode(fields), headers=ORIGIN | held, follow_redirects=False)


def read(served: Served, path: str, role: Role = "spectator", headers: Any = None) -> Page:
    answer = served.client.get(path, headers=headers) if headers else served.get(path, role)
    assert answer.status_code == 200, (path, answer.text[:400])
    return Page(answer.text, path)


def counts(page: Page) -> dict[str, int]:
    shown = re.findall(r'id="class-(\w+)">\s*<h3>[^<]*<b class="count">(\d+)</b>', page.text)
    return {kind: int(n) for kind, n in shown}


def test_the_numbers_add_up_to_the_archive_and_are_those_of_the_api(regression: tuple[Served, str]) -> None:
    served, job = regression
    page = read(served, f"/en/r/{job}")
    result = served.get(f"/api/v1/regressions/{job}").json()["result"]
    shown = counts(page)
    assert sum(shown.values()) == MATCHES == result["matches"]
    assert {kind: n for kind, n in shown.items() if n} == {kind: n for kind, n in result["by_class"].items() if n}
    assert result["unapproved"] and f"not approved: {result['unapproved']}" in page.text
    for row in result["by_clause"]:
        assert f"/en/r/{job}/{row['kind']}/{row['clause']}" in page.links
    for name in ("junit.xml", "sarif"):
        (url,) = (link for link in page.links if f"results.{name}" in link)
        assert served.get(url).status_code == 200


def test_every_class_leads_to_its_matches_and_every_match_to_both_tables(regression: tuple[Served, str]) -> None:
    served, job = regression
    result = served.get(f"/api/v1/regressions/{job}").json()["result"]
    rows = served.get(f"/api/v1/regressions/{job}/results?limit=500").json()["results"]
    for row in result["by_clause"]:
        page = read(served, f"/ja/r/{job}/{row['kind']}/{row['clause']}")
        listed = [link.rpartition("/")[2] for link in page.links if re.fullmatch(rf"/ja/r/{job}/[^/]+", link)]
        assert sorted(listed) == sorted(
            each["match"] for each in rows if (each["class"], each["clause"]) == (row["kind"], row["clause"])
        )
    for each in rows:
        page = read(served, f"/en/r/{job}/{each['match']}")
        assert f"/en/m/{each['match']}/{each['entry']}" in page.links
        if each.get("first"):
            assert '<dl class="beside">' in page.text and "the record" in page.text
        assert each["match"] in page.title


@pytest.mark.process
def test_the_page_and_the_command_line_agree(tmp_path: Path) -> None:
    settings = archive(tmp_path, MATCHES)
    ran = shinpan(settings.store, "regress", "--rules", RULES["rules"], "--json")
    told = json.loads(ran.stdout)
    with serve(settings) as served:
        job = ask(served, RULES).rpartition("/")[2]
        wait(served, f"/api/v1/regressions/{job}")
        page = read(served, f"/en/r/{job}")
        assert {kind: n for kind, n in counts(page).items() if n} == {k: n for k, n in told["by_class"].items() if n}
        for row in told["by_clause"]:
            listed = read(served, f"/en/r/{job}/{row['kind']}/{row['clause']}")
            assert len(re.findall(r'<li class="card"><h3>', listed.text)) == row["matches"]


def test_what_is_not_there_is_not_there(regression: tuple[Served, str]) -> None:
    served, job = regression
    for path in ("R-99", f"{job}/nobody", f"{job}/illegal/BP-99.9", f"{job}/luck/BP-1.1", f"{job}/bad/-"):
        assert served.get(f"/en/r/{path}").status_code == 404, path


def test_an_approval_is_earned_by_reading_needs_a_reason_and_stands_on_the_report(tmp_path: Path) -> None:
    with serve(archive(tmp_path, MATCHES)) as served:
        address = ask(served, RULES)
        job = address.rpartition("/")[2]
        before = wait(served, address)["result"]
        by = before["by_clause"][0]
        rows = served.get(f"{address}/results?class={by['kind']}&clause={by['clause']}").json()["results"]
        cause = next(each["key"] for row in rows for each in row["causes"] if each["key"] != ENGINE.key)
        place = f"/en/r/{job}/{by['kind']}/{by['clause']}"
        mine = served.bearer("designer", name="Abe")
        given = {"cause": cause, "reason": "the new limit"}
        early = send(served, place, given, "designer", mine)
        assert early.status_code == 428 and "open the shortest matches" in early.text
        assert 'name="reason"' not in read(served, place, headers=mine).text
        for name in before["shortest"][by["kind"]][:3]:
            opened = send(served, f"/en/r/{job}/{name}", {}, "designer", mine)
            assert (opened.status_code, opened.headers["location"]) == (303, f"/en/r/{job}/{name}")
            assert "You have opened this match." in read(served, f"/en/r/{job}/{name}", headers=mine).text
        bare = send(served, place, {"cause": cause, "reason": "  "}, "designer", mine)
        assert bare.status_code == 400 and "an approval needs a reason" in bare.text
        refused = send(served, place, {"cause": ENGINE.key, "reason": "so be it"}, "designer", mine)
        assert refused.status_code == 422 and "cannot be approved" in refused.text
        assert send(served, place, given, "designer", mine).status_code == 303
        report = unescape(read(served, f"/en/r/{job}").text)
        assert "the new limit" in report and "Abe" in report
        after = served.get(address).json()
        covered = sum(any(each["key"] == cause for each in row["causes"]) for row in rows)
        assert after["result"]["unapproved"] == before["unapproved"] - covered
        assert after["approvals"][0]["reason"] == "the new limit"


def test_each_role_is_shown_and_let_do_what_it_may(regression: tuple[Served, str]) -> None:
    served, job = regression
    by = served.get(f"/api/v1/regressions/{job}").json()["result"]["by_clause"][0]
    place = f"/en/r/{job}/{by['kind']}/{by['clause']}"
    for role in ROLES:
        text = read(served, "/en/r?game=blackpoker", role).text
        assert f"/en/r/{job}" in text and ('action="/en/r"' in text) == (role in ("designer", "operator")), role
        assert ('method="post"' in read(served, place, role).text) == (role == "designer"), role
        if role != "designer":
            assert send(served, place, {"cause": "x", "reason": "y"}, role).status_code == 403
        if role not in ("designer", "operator"):
            assert send(served, "/en/r", RULES, role).status_code == 403


def test_a_form_that_asks_for_nothing_that_can_be_is_shown_again_with_what_it_held(
    regression: tuple[Served, str],
) -> None:
    served, _ = regression
    game = {"game": "blackpoker"}
    for fields in (game, game | {"rules": "blackpoker@1.0"}, RULES | {"draft": "x"}, game | {"draft": "luck = <b>"}):
        answer = send(served, "/ja/r", fields, "operator")
        assert answer.status_code == 400, fields
        page = Page(answer.text, "/ja/r")
        assert 'role="alert"' in page.text
        assert all(value in unescape(page.text) for value in fields.values() if value != "blackpoker@1.0")


def test_options_of_the_form_are_the_change(tmp_path: Path) -> None:
    with serve(archive(tmp_path, 2)) as served:
        answer = send(served, "/en/r", {"game": "blackpoker", "option": "hand.limit", "value": "6"}, "designer")
        path = answer.headers["location"]
        for _ in count():
            page = read(served, path)
            if 'id="classes"' in page.text:
                break
            assert path in page.links, "whoever waits can look again without scripts"
            sleep(PAUSE_S)
        task = served.get(f"/api/v1/regressions/{path.rpartition('/')[2]}").json()["asked"]
        assert task["set"] == {"hand.limit": "6"}
        assert sum(counts(page).values()) == 2


MISTYPED = {"game": "blackpoker", "option": "hand.limt", "value": "6"}


def test_mistyped_option_is_refused_with_the_one_meant(regression: tuple[Served, str]) -> None:
    served, _ = regression
    answer = send(served, "/en/r", MISTYPED, "operator")
    assert answer.status_code == 400 and "did you mean hand.limit" in answer.text
    answer = served.post("/api/v1/regressions", {"set": {"hand.limt": "6"}}, "designer")
    assert answer.status_code == 400 and "hand.limit" in answer.text


def test_change_that_is_already_in_force_is_refused(regression: tuple[Served, str]) -> None:
    served, _ = regression
    match, *_ = served.get("/api/v1/matches").json()
    own = values(served.context.match(match["match"]).rules)["hand.limit"]
    fields = {"game": "blackpoker", "option": "hand.limit", "value": str(own)}
    answer = send(served, "/en/r", fields, "operator")
    assert answer.status_code == 400 and "already in force in all 8 matches" in answer.text
    answer = served.post("/api/v1/regressions", {"game": "dea", "set": {"hand_limit": "6"}}, "designer")
    assert answer.status_code == 400 and "No closed match of" in answer.text


def test_form_lists_the_options_of_one_game_and_counts_its_matches(regression: tuple[Served, str]) -> None:
    served, _ = regression
    text = read(served, "/en/r?game=blackpoker", "designer").text
    assert "Closed matches of BlackPoker to compare: 8." in text
    for option in GAMES["blackpoker"].options:
        if len(option.values) > 1 and not option.numbers:
            assert f'name="option" value="{option.key}"' in text
            assert all(f'<option value="{value}">' in text for value in option.values)
    assert 'name="rules"' not in read(served, "/en/r", "designer").text


def test_a_store_in_memory_has_no_reports_and_says_so(sqlite_memory: str) -> None:
    with serve(Settings(store=sqlite_memory)) as served:
        assert "No rule change has been tried" in read(served, "/en/r").text
        assert "an in-memory store cannot run jobs" in read(served, "/en/r", "designer").text
