"""The page of a dispute: precedents, downloads, views in order, and contradictions."""

from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.formats.casebook import load_casebook
from domain.games import GAMES
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import Closed, opened_of
from domain.law.rulesets import digest, load, values, with_settings
from domain.words import say
from service.access import Role
from service.settings import Settings
from tests.disputed import CANARIES, dispute
from tests.service.harness import SECOND_MS, Served, serve
from tests.service.page_parser import Page
from tests.service.test_pages_rewind import OURS
from tests.shelves import SHELVES

GAME = "blackpoker"
ABOUT, CITED = 47, "BP-10.6"
OPTION = "throwing.damage_suit"
NUMBER = 49
"""The dispute number of every match in this file."""


def lay(
    served: Served,
    match: str,
    verdict: D.Verdict = "wrong_outcome",
    setting: str = "",
    upto: int = 0,
    closed: bool = False,
    late: int = 0,
) -> None:
    """Record a disputed match with a ruling `late` milliseconds after the dispute.

    `setting` replaces the value of the option.
    """
    entries = list(SHELVES[GAME].entries("disputed")[: NUMBER - 1])
    if setting:
        opened = opened_of(entries)
        rules = with_settings(GAMES[GAME], load(GAMES[GAME], opened.rules), {OPTION: setting})
        entries[0] = replace(opened, rules=values(rules), rules_hash=digest(rules))
    made, number = dispute(entries, ABOUT, (CITED,), verdict=verdict)
    assert number == NUMBER
    last = [Closed(by="judge", reason="time")] if closed else []
    timed = [
        replace(entry, at=served.clock.at + number + (late if number > NUMBER else 0))
        for number, entry in enumerate((*made[: upto or None], *last), start=1)
    ]
    served.clock.at += SECOND_MS
    served.context.store.append(match, 0, timed)


def read(served: Served, role: Role = "spectator", match: str = "t1", what: str = "", lang: str = "en") -> Any:
    held = (match,) if role == "seat" else ()
    path = f"/{lang}/m/{match}/disputes/{NUMBER}{what}"
    return served.get(path, role, *held, seat="p1" if role == "seat" else "")


class Judge:
    def __init__(self, served: Served) -> None:
        self.client, self.headers = served.client, served.bearer("head", name="Abe") | OURS

    def get(self, what: str = "", lang: str = "en", match: str = "t1") -> Any:
        path = f"/{lang}/m/{match}/disputes/{NUMBER}{what}"
        return self.client.get(path, headers=self.headers, follow_redirects=False)

    def look(self, viewer: str, moment: str = "") -> Any:
        form = {"viewer": viewer, "moment": moment}
        return self.client.post("/en/m/t1/seal", data=form, headers=self.headers, follow_redirects=False)


def test_a_precedent_stands_with_its_outcome_and_leads_to_its_dispute(served: Served) -> None:
    lay(served, "t0")
    lay(served, "t1")
    for lang, says in (
        ("en", ("resolved wrongly", "the ruling stands", "no change in text or options")),
        ("ja", ("変更なし",)),
    ):
        answer = read(served, lang=lang)
        page = Page(answer.text, f"/{lang}/m/t1/disputes/{NUMBER}")
        assert f"/{lang}/m/t0/disputes/{NUMBER}" in page.paths()
        assert all(each in answer.text for each in (*says, "seen by all", CITED)), lang
    assert "no similar earlier ruling" in read(served, match="t0").text


def test_a_precedent_whose_clause_changed_says_so(served: Served) -> None:
    lay(served, "t0", setting="spade")
    lay(served, "t1")
    english, japanese = (unescape(read(served, lang=lang).text) for lang in ("en", "ja"))
    assert (
        f"The text of {CITED} has changed since then. At that time: " in english
        and "♠ key card → the ♣ key card" in english
    )
    assert f"{CITED}の条文はその後変わりました。当時の条文：" in japanese
    file = unescape(read(served, what="/casefile/players").text)
    assert f"{CITED} at that time:" in file and f"{CITED}の当時の条文：" in file


def test_a_ruling_that_the_delay_holds_back_is_no_precedent_yet() -> None:
    delay = 100 * SECOND_MS
    with serve(Settings(store=":memory:", delay=delay)) as served:
        lay(served, "t0", late=delay)
        lay(served, "t1")
        for wait, told in ((delay, False), (delay, True)):
            served.clock.at += wait
            assert ("/m/t0/disputes" in read(served).text) is told
            assert "/m/t0/disputes" in read(served, "head").text
            assert ("t0" in read(served, what="/casefile/players").text) is told


@pytest.mark.parametrize(
    ("role", "files"),
    [
        ("spectator", ["casefile/players"]), ("seat", ["casefile/players"]), ("scorekeeper", ["casefile/players"]),
        ("floor", ["casefile/players"]), ("head", ["casefile/players"]), ("operator", ["casefile/players"]),
    ],
)  # fmt: skip
def test_each_role_is_offered_the_files_that_it_may_take(served: Served, role: Role, files: list[str]) -> None:
    lay(served, "t1", upto=NUMBER + 2)
    answer = read(served, role)
    offered = [link for link in Page(answer.text, "/en").links if "/casefile/" in link or link.endswith("/case")]
    assert offered == [f"/en/m/t1/disputes/{NUMBER}/{file}" for file in files]
    judges = role in ("floor", "head")
    assert answer.text.count("first break the seal") == (2 if judges else 0)
    assert ("Case file for officials" in answer.text) is judges
    for link in offered:
        assert read(served, role, what=f"/{link.rpartition(f'/{NUMBER}/')[2]}").status_code == 200


def test_a_judge_opens_the_views_in_their_order_and_each_stands_in_the_timeline(served: Served) -> None:
    lay(served, "t1", upto=NUMBER + 4)
    judge = Judge(served)
    for eyes, later in (("p1", ["p2", "judge"]), ("p2", ["judge"]), ("judge", [])):
        page = Page(judge.get().text, "/en")
        offered = [field["value"] for field in page.all("input", name="viewer") if "type" in field]
        assert offered.count(eyes) and [
            view["data-view"] for view in page.all("li") if "data-view" in view
        ] == ["spectator", "p1", "p2", "judge"]  # fmt: skip
        assert page.text.count("after the views above") == len(later), eyes
        opened = judge.look(eyes, str(ABOUT))
        assert (opened.status_code, opened.headers["location"]) == (303, f"/en/m/t1/{ABOUT}/as/{eyes}")
        entry = served.context.match("t1").entries[-1]
        assert isinstance(entry, D.Unsealed) and (entry.by, entry.eyes) == ("head Abe", eyes)
        head = served.context.match("t1").version
        for told in (judge.get().text, read(served).text):
            assert f'/en/m/t1/{head}">#{head}</a>' in told and "head judge Abe views the match as" in told
        assert f"opened in entry {head}" in judge.get().text
    assert "after the views above" not in judge.get().text
    for role in ("spectator", "seat", "scorekeeper", "operator"):
        assert "Views, in order" not in read(served, role).text  # type: ignore[arg-type]


def test_a_judge_opens_the_views_of_a_closed_dispute_one_after_the_other(served: Served) -> None:
    lay(served, "t1")
    judge = Judge(served)
    for eyes, later in (("p1", 2), ("p2", 1), ("judge", 0)):
        page = Page(judge.get().text, "/en")
        assert eyes in [field["value"] for field in page.all("input", name="viewer") if "type" in field]
        assert page.text.count("after the views above") == later
        assert judge.look(eyes, str(ABOUT)).status_code == 303
    text = judge.get("/as/judge").text
    assert "after the views above" not in text and "first break the seal" not in text


def test_the_other_reading_is_for_who_may_know_what_was_found(served: Served) -> None:
    lay(served, "t1", upto=NUMBER + 5)
    judge = Judge(served)
    assert "The other reading" not in judge.get().text
    judge.look("judge")
    text = judge.get("/as/judge").text
    assert "The other reading" in text and "instead of" in text


def test_a_ruling_is_turned_into_a_case_by_who_may_see_all(served: Served) -> None:
    lay(served, "t1", upto=NUMBER + 2)
    judge = Judge(served)
    for what in ("/case", "/case/file"):
        assert judge.get(what).status_code == 403 and read(served, "seat", what=what).status_code == 403
    judge.look("judge")
    assert f"/en/m/t1/disputes/{NUMBER}/case" in Page(judge.get("/as/judge").text, "").links
    file = judge.get("/case/file")
    assert file.headers["content-disposition"] == f'attachment; filename="t1-{NUMBER}.cases.toml"'
    (case,) = load_casebook(file.text).cases
    assert case.clauses == (CITED,) and case.en == "seen by all"
    for lang, says in (("en", "Case made from the ruling"), ("ja", "裁定から作った事例")):
        shown = judge.get("/case", lang)
        assert file.text.strip() in unescape(shown.text) and says in shown.text
        assert f"/{lang}/m/t1/disputes/{NUMBER}/case/file" in Page(shown.text, "").links


def test_a_ruling_that_makes_no_case_says_why(served: Served) -> None:
    for match, upto, why in (("t1", NUMBER, "no ruling in force"), ("t2", NUMBER + 3, "cannot be determined")):
        lay(served, match, "unclear", upto=upto, closed=True)
        answer = read(served, "head", match, "/case")
        assert answer.status_code == 400 and why in answer.text
    assert read(served, "head", "t2", "/nothing").status_code == 404
    assert read(served, "head", "t9", "/case").status_code == 404


def test_rulings_that_contradict_each_other_stand_on_the_pages_of_disputes(served: Served) -> None:
    lay(served, "t0")
    lay(served, "t1", "no_fault")
    lay(served, "t2", "no_fault", setting="spade")
    for lang, says in (("en", "Contradictory rulings"), ("ja", "食い違う裁定")):
        for path in (f"/{lang}/m/t0/disputes", f"/{lang}/m/t1/disputes", f"/{lang}/contradictions"):
            page = Page(served.get(path).text, path)
            assert says in page.text and CITED in page.text
            linked = {link for link in page.links if link.endswith(f"/disputes/{NUMBER}")}
            assert linked == {f"/{lang}/m/{match}/disputes/{NUMBER}" for match in ("t0", "t1")}, path
        other = served.get(f"/{lang}/m/t2/disputes").text
        assert f"/m/t2/disputes/{NUMBER}" in other and "/m/t0/" not in other, (
            "under other rules another ruling is none against it"
        )
    assert not any(canary in page.text for canary in CANARIES)


def test_a_house_without_rulings_has_none_that_contradict(served: Served) -> None:
    lay(served, "t0", upto=NUMBER)
    assert "no contradictory rulings" in served.get("/en/contradictions").text
    assert "食い違う裁定はありません" in served.get("/ja/contradictions").text


def test_a_view_that_is_nobodys_is_refused_and_nothing_is_recorded(served: Served) -> None:
    lay(served, "t1", upto=NUMBER + 2)
    judge, before = Judge(served), served.context.match("t1").version
    assert judge.look("p9", "47").status_code == 400
    assert judge.look("spectator").status_code == 400
    given = {"id": str(uuid4()), "do": "check", "as_decision": "true", "outcome": "upheld", "reason": "x"}
    path = f"/en/m/t1/disputes/{NUMBER}"
    early = served.client.post(path, data=given, headers=judge.headers)
    assert early.status_code == 409 and served.context.match("t1").version == before
    assert Clause(CITED) in early.text


def test_all_disputes_are_listed_for_everybody_and_what_was_claimed_for_nobody(served: Served) -> None:
    lay(served, "t1")
    lay(served, "t9", upto=NUMBER)
    for lang, waiting in (("en", "open"), ("ja", "審議中")):
        page = served.get(f"/{lang}/disputes").text
        assert all(f"/{lang}/m/{match}/disputes/{NUMBER}" in page for match in ("t1", "t9"))
        assert page.index("/m/t9/disputes") < page.index("/m/t1/disputes"), "who waits comes first"
        assert waiting in page and not any(word in page for word in CANARIES)
        only = served.get(f"/{lang}/disputes?standing=waiting").text
        assert "/m/t9/disputes" in only and "/m/t1/disputes" not in only
        assert say("docket.none", lang) in served.get(f"/{lang}/disputes?player=nobody").text
        assert f"/{lang}/disputes" in served.get(f"/{lang}/m/t1/disputes").text
    assert served.get("/en/disputes?standing=pending").status_code == 400
    api = served.get("/api/v1/disputes?standing=waiting")
    assert [row["match"] for row in api.json()] == ["t9"] and not any(word in api.text for word in CANARIES)


def test_a_dispute_that_the_delay_holds_back_is_in_no_list_yet() -> None:
    delay = 60 * SECOND_MS
    with serve(Settings(store=":memory:", delay=delay)) as served:
        lay(served, "t1")
        for path in ("/en/disputes", "/api/v1/disputes"):
            assert "t1" not in served.get(path).text and "t1" in served.get(path, "head").text
        served.clock.at += 2 * delay
        assert "/m/t1/disputes" in served.get("/en/disputes").text
