"""Gaps and late card names of real tables, recorded by forms and by command."""

from typing import Any

import pytest

from domain.law.entries import Corrected, Entry, Gap, Played
from domain.table.facts import Learned, Stanced
from projections.board import board
from projections.viewing import find_viewer
from recorder.match_loader import LoadedMatch
from service.access import Role
from tests.projections.test_looking_back import LEARNED, PASSED, SET, SHUFFLED, at_the_table, bulwark, untold
from tests.service.commands import uuid
from tests.service.harness import Served, serve
from tests.service.test_pages_recording import hidden, post

pytestmark = pytest.mark.rotates(2)

RECORDING = ("scorekeeper", "floor", "head")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> LoadedMatch:
    return at_the_table(tmp_path_factory.mktemp("s"))


def record_start(served: Served, table: LoadedMatch) -> None:
    served.context.store.append("m", 0, table.entries[:PASSED])


def gap(served: Served, lang: str = "en", id: int = 1, role: Role = "scorekeeper", **fields: str) -> Any:
    return post(served, f"/{lang}/record/m/gap", {"id": uuid(id), "head": str(PASSED), **fields}, role)


def name_card(served: Served, lang: str = "en", id: int = 2, head: int = PASSED, **fields: str) -> Any:
    return post(served, f"/{lang}/record/m/found", {"id": uuid(id), "head": str(head), **fields})


def test_a_gap_is_recorded_with_what_is_seen_behind_it(served: Served, table: LoadedMatch) -> None:
    card, thing = bulwark(table)
    record_start(served, table)
    done = gap(served, reason="the picture was gone", most="3", facts=f"stance u{thing} driven\r\n\r\n")
    assert (done.status_code, done.headers["location"]) == (303, "/en/record/m")
    entry = served.context.match("m").entries[-1]
    assert isinstance(entry, Gap) and (entry.most, entry.reason) == (3, "the picture was gone")
    assert [fact for _, fact in entry.told] == [Stanced((card,), 1)]
    assert gap(served, reason="the picture was gone", most="3", facts=f"stance u{thing} driven").status_code == 303
    assert served.context.match("m").version == PASSED + 1, "sent twice, recorded once"
    assert "at most 3 actions missing" in served.get("/en/record/m", "scorekeeper").text


def test_the_example_of_a_fact_is_read_and_said_in_words(served: Served, table: LoadedMatch) -> None:
    _, thing = bulwark(table)
    record_start(served, table)
    for lang, words in (("en", "says that card u48 is now in the hand of p1"), ("ja", "カードu48がp1の手札にある")):
        text = served.get(f"/{lang}/record/m/after", "scorekeeper").text
        assert "move u48 p1.hand" in text and words in text and "stance" not in text
    assert gap(served, reason="x", facts=f"move u{thing} p1.hand").status_code == 303


def test_the_sheet_of_a_match_is_laid_beside_another_from_here(served: Served, table: LoadedMatch) -> None:
    record_start(served, table)
    assert 'href="/en/paper/compare?match=m"' in served.get("/en/record/m/after", "scorekeeper").text
    form = served.get("/en/paper/compare?match=m", "scorekeeper")
    assert form.status_code == 200 and 'name="a_match" maxlength="64" value="m"' in form.text


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"reason": "   "}, "gap-reason", "理由を書いてください"),
        ({"reason": "x", "most": "many"}, "gap-most", "many：アクションの数として読めません"),
        ({"reason": "x", "facts": "stance u999 driven"}, "gap-facts", "u999"),
    ],
)
def test_a_gap_that_cannot_be_so_is_told_at_its_field_and_nothing_is_recorded(
    served: Served, table: LoadedMatch, fields: dict[str, str], field: str, said: str
) -> None:
    record_start(served, table)
    page = gap(served, "ja", **fields)
    assert page.status_code in (400, 409, 422) and said in page.text
    assert f'<a href="#{field}">' in page.text and page.text.count('aria-invalid="true"') == 1
    assert all(f">{value}<" in page.text or f'value="{value}"' in page.text for value in fields.values())
    assert served.context.match("m").version == PASSED


def test_a_card_found_out_late_was_unknown_then(served: Served, table: LoadedMatch) -> None:
    card, thing = bulwark(table)
    record_start(served, table)
    page = served.get("/en/record/m/after", "scorekeeper").text
    assert f'<option value="u{thing}">u{thing}: p2 bulwarks</option>' in page
    assert 'href="/en/record/m/after"' in served.get("/en/record/m", "scorekeeper").text
    done = name_card(served, thing=f"u{thing}", face="H9", reason="turned over after the match")
    assert done.status_code == 303, done.text
    entry = served.context.match("m").entries[-1]
    assert isinstance(entry, Corrected) and [fact for _, fact in entry.told] == [Learned(card, "H9")]
    then = served.client.get(f"/en/m/m/{SET}/as/judge", headers=unsealed(served)).text
    assert f"u{thing} ? (unknown then; H9 by entry {PASSED + 1})" in then


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"thing": "u999", "face": "H9", "reason": "x"}, "late-thing"),
        ({"thing": "", "face": "H9", "reason": "x"}, "late-thing"),
        ({"face": "ZZ", "reason": "x"}, "late-face"),
        ({"face": "H10", "reason": "it lies open already"}, "late-face"),
        ({"face": "H9", "reason": " "}, "late-reason"),
    ],
)
def test_what_a_card_cannot_be_is_refused(
    served: Served, table: LoadedMatch, fields: dict[str, str], field: str
) -> None:
    record_start(served, table)
    page = name_card(served, **({"thing": f"u{bulwark(table)[1]}"} | fields))
    assert page.status_code == 422 and f'<a href="#{field}">' in page.text
    assert served.context.match("m").version == PASSED


def test_a_form_of_an_older_head_is_shown_again_with_what_was_typed(served: Served, table: LoadedMatch) -> None:
    _, thing = bulwark(table)
    record_start(served, table)
    page = name_card(served, head=PASSED - 1, thing=f"u{thing}", face="H9", reason="turned over")
    assert page.status_code == 412 and f'name="head" value="{PASSED}"' in page.text
    assert f'<option value="u{thing}" selected>' in page.text and 'value="turned over"' in page.text
    assert served.context.match("m").version == PASSED


def test_what_only_the_log_knows_is_told_to_nobody_who_finds_a_card_out(table: LoadedMatch) -> None:
    """A face-down card whose face is in the log is listed like any other, and accepts every face."""
    _, thing = bulwark(table)
    sent = []
    for known in (table.entries[: PASSED + 1], (*table.entries[:PASSED], table.entries[PASSED + 1])):
        with serve() as served:
            served.context.store.append("m", 0, known)
            page = served.get("/en/record/m/after", "scorekeeper").text
            sent.append(page.split("<select")[1].split("</select>")[0])
            assert (
                name_card(served, head=PASSED + 1, thing=f"u{thing}", face="\u2660\uff13", reason="x").status_code
                == 303
            )
    assert sent[0] == sent[1]


def test_the_recorder_asks_for_a_face_that_shows_and_keeps_the_line_until_it_is_named(
    served: Served, table: LoadedMatch
) -> None:
    served.context.store.append("m", 0, table.entries[:SHUFFLED])
    head = served.context.match("m").version
    asked = typed(served, "set_bulwark", head)
    assert asked.status_code == 200 and "Which card was turned up in p2 grave?" in asked.text
    assert served.context.match("m").version == head, "nothing is recorded, not even as a note"
    assert (hidden(asked.text.split('id="asked"')[1], "line"), hidden(asked.text, "shows")) == ("set_bulwark", "")
    unread = typed(served, "set_bulwark", head, id=7, asks="false")
    assert unread.status_code == 400 and 'id="unread-title"' in unread.text, "where others wait it is not asked for"
    assert served.context.match("m").version == head
    wrong = typed(served, "set_bulwark", head, face="D7")
    assert 'aria-invalid="true"' in wrong.text and hidden(wrong.text, "shows") == "", "it lies open elsewhere"
    assert served.context.match("m").version == head
    done = typed(served, "set_bulwark", head, face="C6")
    assert done.status_code == 200 and "asked-title" not in done.text
    played = served.context.match("m").entries[-1]
    assert isinstance(played, Played) and served.context.match("m").version == head + 1


def test_a_card_that_nobody_saw_stays_unknown_where_it_makes_no_difference(served: Served, table: LoadedMatch) -> None:
    served.context.store.append("m", 0, table.entries[:SHUFFLED])
    assert 'value="unseen"' in typed(served, "set_bulwark", SHUFFLED).text
    done = typed(served, "set_bulwark", SHUFFLED, do="unseen")
    assert done.status_code == 200 and "asked-title" not in done.text
    match = served.context.match("m")
    assert isinstance(match.entries[-1], Played) and match.version == SHUFFLED + 1
    (*_, lost) = match.table.places["p2.grave"]  # type: ignore[index]
    assert match.table.pieces[lost].face is None


def typed(served: Served, line: str, head: int, lang: str = "en", id: int = 8, **fields: str) -> Any:
    return post(
        served, f"/{lang}/record/m", {"id": uuid(id), "head": str(head), "line": line, "asks": "true", **fields}
    )


def test_cards_that_were_dealt_here_are_not_found_out_afterwards(served: Served) -> None:
    served.open("blackpoker", match="m")
    assert served.get("/en/record/m/after", "head").status_code == 404
    assert "/record/m/after" not in served.get("/en/record/m", "head").text


def test_a_program_says_a_gap_by_a_command(served: Served, table: LoadedMatch) -> None:
    _, thing = bulwark(table)
    record_start(served, table)
    path, head = "/api/v1/matches/m/entries", {"If-Match": f'"{PASSED}"'}
    said = {"kind": "gap", "id": uuid(3), "reason": "the sheet is torn", "facts": [f"stance u{thing} driven"]}
    tried = served.post(f"{path}:try", said, "scorekeeper")
    assert tried.status_code == 200 and tried.json()["stands"] is True and served.context.match("m").version == PASSED
    done = served.post(path, said, "scorekeeper", headers=head)
    assert done.status_code == 201 and done.json()["entries"][0]["seen"] == "gap"
    assert served.post(path, said, "scorekeeper", headers=head).status_code == 200
    now = {"If-Match": f'"{PASSED + 1}"'}
    assert served.post(path, said | {"id": uuid(4), "reason": " "}, "scorekeeper", headers=now).status_code == 400
    assert served.post(path, said | {"id": uuid(5)}, "spectator", headers=head).status_code in (401, 403)
    assert served.context.match("m").version == PASSED + 1


OURS = {"Origin": "http://testserver.local"}


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> LoadedMatch:
    return at_the_table(tmp_path_factory.mktemp("s"))


def unsealed(served: Served) -> dict[str, str]:
    headers = served.bearer("head") | OURS
    broken = served.client.post("/en/m/m/seal", data={"viewer": "judge"}, headers=headers, follow_redirects=False)
    assert broken.status_code == 303, broken.text
    return headers


def test_a_judge_sees_the_card_as_unknown_and_what_it_was(served: Served, learned: LoadedMatch) -> None:
    _, thing = bulwark(learned)
    served.context.store.append("m", 0, learned.entries)
    headers = unsealed(served)
    page = served.client.get(f"/en/m/m/{SET}/as/judge", headers=headers).text
    assert f"u{thing} ? (unknown then; H9 by entry 7)" in page, "what a screen reader reads of the piece"
    assert '<small class="later">→♥9</small>' in page and f'aria-label="u{thing} ?' in page
    japanese = served.client.get(f"/ja/m/m/{SET}/as/judge", headers=headers).text
    assert f"u{thing} ?（この時点では不明。記録7でH9と判明）" in japanese
    sheet = served.client.get(f"/en/m/m/{SET}/thing/{thing}/as/judge", headers=headers).text
    assert "Unknown at this moment" in sheet and f'href="/en/m/m/{LEARNED}/as/judge"' in sheet
    known = served.client.get(f"/en/m/m/{SET}/known/as/judge", headers=headers).text
    assert "Unknown then, learned later" in known.split('id="mind-log"')[1]
    assert (
        "unknown then"
        not in served.client.get(f"/en/m/m/{LEARNED + 1}/as/judge", headers=headers).text.split('id="log"')[0]
    )


def test_what_is_kept_of_earlier_entries_is_drawn_anew_when_a_card_is_learned(
    served: Served, learned: LoadedMatch
) -> None:
    """Cached timelines, log lines and judge's tags are rebuilt after a card is named."""
    served.context.store.append("m", 0, learned.entries[:PASSED])
    headers = unsealed(served)
    asked = ["/api/v1/matches/m/film?as=judge", f"/api/v1/matches/m/at/{SET}?as=judge"]
    before = [served.client.get(path, headers=headers) for path in asked]
    page = f"/en/m/m/{SET}/as/judge"
    assert "H9 by" not in served.client.get(page, headers=headers).text
    served.context.store.append("m", served.context.store.version("m"), learned.entries[PASSED:])
    after = [served.client.get(path, headers=headers) for path in asked]
    for old, new in zip(before, after, strict=True):
        assert old.status_code == new.status_code == 200, new.text
        assert b"H9" not in old.content and old.headers["etag"] != new.headers["etag"]
        same = served.client.get(str(new.request.url), headers=headers | {"If-None-Match": new.headers["etag"]})
        assert same.status_code == 304
    assert b"H9 by entry" in after[0].content and b'"later"' in after[1].content
    assert served.client.get(page, headers=headers).text.count("unknown then; H9 by entry") > 1


@pytest.mark.parametrize("viewer", ["spectator", "p1"])
def test_pages_of_earlier_moments_are_byte_for_byte_the_same_for_others(learned: LoadedMatch, viewer: str) -> None:
    sent = [pages(learned, entries, viewer) for entries in (list(learned.entries), untold(learned.entries))]
    assert sent[0] == sent[1]
    judged = [pages(learned, entries, "judge") for entries in (list(learned.entries), untold(learned.entries))]
    assert judged[0] != judged[1], "nothing is tried"


def pages(learned: LoadedMatch, entries: list[Entry], viewer: str) -> list[bytes]:
    assert any(isinstance(entry, Corrected) for entry in entries)
    eyes = "" if viewer == "spectator" else f"/as/{viewer}"
    with serve() as served:
        served.context.store.append("m", 0, entries)
        if viewer == "judge":
            headers = unsealed(served)
        else:
            headers = {} if viewer == "spectator" else served.bearer("seat", "m", seat=viewer)
        paths = []
        for number in range(1, LEARNED):
            view = board(learned, find_viewer(learned, viewer), number)
            things = [card.thing for place in view.seats[1].places for card in place.cards if card.thing]
            paths += [f"/{lang}/m/m/{number}{what}{eyes}" for lang in ("en", "ja") for what in ("", "/known", "/why")]
            paths += [f"/en/m/m/{number}/thing/{thing}{eyes}" for thing in things]
            paths += [f"/api/v1/matches/m/at/{number}{what}?as={viewer}" for what in ("", "/known", "/stack")]
            paths.append(f"/api/v1/matches/m/entries/{number}?as={viewer}")
        answers = [served.client.get(path, headers=headers) for path in paths]
        assert {path: a.status_code for path, a in zip(paths, answers, strict=True) if a.status_code != 200} == {}
        return [answer.content for answer in answers]
