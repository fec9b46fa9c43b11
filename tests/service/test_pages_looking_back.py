"""The console looking back at an earlier moment: what was unknown then, for a judge; for others as it always was."""

import pytest

from domain.law.entries import Corrected, Entry
from projections.board import board
from projections.viewing import look_at
from recorder.loading import Match
from tests.projections.test_looking_back import LEARNED, PASSED, SET, at_the_table, bulwark, untold
from tests.service.serving import Served, serve

OURS = {"Origin": "http://testserver.local"}


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Match:
    return at_the_table(tmp_path_factory.mktemp("s"))


def unsealed(served: Served) -> dict[str, str]:
    headers = served.bearer("head") | OURS
    broken = served.client.post("/en/m/m/seal", data={"viewer": "judge"}, headers=headers, follow_redirects=False)
    assert broken.status_code == 303, broken.text
    return headers


def test_a_judge_sees_the_card_as_unknown_and_what_it_was(served: Served, learned: Match) -> None:
    _, thing = bulwark(learned)
    served.house.store.append("m", 0, learned.entries)
    headers = unsealed(served)
    page = served.client.get(f"/en/m/m/{SET}/as/judge", headers=headers).text
    assert f"u{thing} ? (unknown then; H9 by entry 7)" in page, "what a screen reader reads of the piece"
    assert '<small class="later">→♥9</small>' in page and f'aria-label="u{thing} ?' in page
    japanese = served.client.get(f"/ja/m/m/{SET}/as/judge", headers=headers).text
    assert f"u{thing} ?（この時点では不明。記録7でH9と判明）" in japanese
    sheet = served.client.get(f"/en/m/m/{SET}/thing/{thing}/as/judge", headers=headers).text
    assert "Nobody knew at this moment what it is" in sheet and f'href="/en/m/m/{LEARNED}/as/judge"' in sheet
    known = served.client.get(f"/en/m/m/{SET}/known/as/judge", headers=headers).text
    assert "Unknown then, learned later" in known.split('id="mind-log"')[1]
    assert (
        "unknown then"
        not in served.client.get(f"/en/m/m/{LEARNED + 1}/as/judge", headers=headers).text.split('id="log"')[0]
    )


def test_what_is_kept_of_earlier_entries_is_drawn_anew_when_a_card_is_learned(served: Served, learned: Match) -> None:
    """Films, lines of the log and tags of a judge that were asked for before somebody learned the card."""
    served.house.store.append("m", 0, learned.entries[:PASSED])
    headers = unsealed(served)
    asked = ["/api/v1/matches/m/film?as=judge", f"/api/v1/matches/m/at/{SET}?as=judge"]
    before = [served.client.get(path, headers=headers) for path in asked]
    page = f"/en/m/m/{SET}/as/judge"
    assert "H9 by" not in served.client.get(page, headers=headers).text
    served.house.store.append("m", served.house.store.version("m"), learned.entries[PASSED:])
    after = [served.client.get(path, headers=headers) for path in asked]
    for old, new in zip(before, after, strict=True):
        assert old.status_code == new.status_code == 200, new.text
        assert b"H9" not in old.content and old.headers["etag"] != new.headers["etag"]
        same = served.client.get(str(new.request.url), headers=headers | {"If-None-Match": new.headers["etag"]})
        assert same.status_code == 304
    assert b"H9 by entry" in after[0].content and b'"later"' in after[1].content
    assert served.client.get(page, headers=headers).text.count("unknown then; H9 by entry") > 1


@pytest.mark.parametrize("viewer", ["spectator", "p1"])
def test_pages_of_earlier_moments_are_byte_for_byte_the_same_for_others(learned: Match, viewer: str) -> None:
    sent = [pages(learned, entries, viewer) for entries in (list(learned.entries), untold(learned.entries))]
    assert sent[0] == sent[1]
    judged = [pages(learned, entries, "judge") for entries in (list(learned.entries), untold(learned.entries))]
    assert judged[0] != judged[1], "nothing is tried"


def pages(learned: Match, entries: list[Entry], viewer: str) -> list[bytes]:
    assert any(isinstance(entry, Corrected) for entry in entries)
    eyes = "" if viewer == "spectator" else f"/as/{viewer}"
    with serve() as served:
        served.house.store.append("m", 0, entries)
        if viewer == "judge":
            headers = unsealed(served)
        else:
            headers = {} if viewer == "spectator" else served.bearer("seat", "m", seat=viewer)
        paths = []
        for number in range(1, LEARNED):
            view = board(learned, look_at(learned, viewer), number)
            things = [card.thing for place in view.seats[1].places for card in place.cards if card.thing]
            paths += [f"/{lang}/m/m/{number}{what}{eyes}" for lang in ("en", "ja") for what in ("", "/known", "/why")]
            paths += [f"/en/m/m/{number}/thing/{thing}{eyes}" for thing in things]
            paths += [f"/api/v1/matches/m/at/{number}{what}?as={viewer}" for what in ("", "/known", "/stack")]
            paths.append(f"/api/v1/matches/m/entries/{number}?as={viewer}")
        answers = [served.client.get(path, headers=headers) for path in paths]
        assert {path: a.status_code for path, a in zip(paths, answers, strict=True) if a.status_code != 200} == {}
        return [answer.content for answer in answers]
