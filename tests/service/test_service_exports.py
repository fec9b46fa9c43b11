"""Exported matches: the record for viewers with full access, and a redacted view for others."""

import re
from pathlib import Path
from random import Random

import msgspec
import pytest

from domain.formats.notation import parse_notation
from domain.games import GAMES
from domain.law.entries import faces, opened_of
from domain.table.redact import SPECTATOR
from recorder import codec
from recorder.match_loader import LoadedMatch, load_match
from service.settings import Settings
from tests.imports import plain
from tests.laws.leak_checks import deal_again, never_known
from tests.laws.samples import few, sample
from tests.service.commands import send
from tests.service.harness import Served, serve
from tests.service.page_parser import Page
from tests.service.twins import MATCH as TWIN, twins
from tests.shelves import SHELVES

MATCH = "/api/v1/matches/m"
HIDING = ("blackpoker", "grimoire", "dea", "skillbook")


def stored(served: Served) -> LoadedMatch:
    match = load_match(served.context.store, "m")
    assert isinstance(match, LoadedMatch)
    return match


@pytest.mark.parametrize("key", SHELVES)
def test_who_may_see_everything_takes_the_record_along(served: Served, key: str) -> None:
    served.record_match(key, SHELVES[key].matches[0], "m")
    entries = stored(served).entries
    lines = served.get(f"{MATCH}/export.jsonl?as=judge", "head")
    record = [codec.from_json_line(line) for line in lines.content.splitlines()]
    assert plain(record) == [codec.encode(entry) for entry in entries]
    assert lines.headers["cache-control"] == "no-store"
    text = served.get(f"{MATCH}/export.spn?as=judge", "head").text
    again = parse_notation(text, GAMES)
    assert len(again) == len(entries) and opened_of(again).rules == opened_of(entries).rules


def test_anybody_else_takes_along_what_they_saw_and_it_says_so(served: Served) -> None:
    served.record_match("blackpoker", "normal", "m")
    for path in ("export.spn", "export.jsonl", "export.html"):
        answer = served.get(f"{MATCH}/{path}")
        assert answer.status_code == 200 and "spectator" in answer.text and "cannot be imported" in answer.text
        assert answer.headers["cache-control"] == "private, no-cache"
        name = answer.headers["content-disposition"]
        assert name == f'attachment; filename="m.{path.partition(".")[2]}"'
        assert served.get(f"{MATCH}/{path}?as=judge", "head").headers["content-disposition"] == name
    head, *entries = map(msgspec.json.decode, served.get(f"{MATCH}/export.jsonl").content.splitlines())
    assert head["viewer"] == SPECTATOR and len(entries) == stored(served).version
    with pytest.raises(codec.CodecError):
        codec.from_json_line(served.get(f"{MATCH}/export.jsonl").content.splitlines()[1])
    assert "この視点" in served.get(f"{MATCH}/export.spn?lang=ja").text


def test_a_page_to_take_along_speaks_both_languages_and_needs_nothing_else(served: Served) -> None:
    served.record_match("grimoire", SHELVES["grimoire"].matches[0], "m")
    page = served.get(f"{MATCH}/export.html").text
    assert re.findall(r'<section id="\w+" lang="(\w+)">', page) == ["en", "ja"]
    assert not re.search(r"<script|<link|<img|style=|https?://| on\w+=|url\(|@import| src=", page)
    assert set(re.findall(r'href="([^"]*)"', page)) == {"#en", "#ja"}
    assert page.count('<li value="1">') == 2


def test_the_page_shows_the_board_as_its_viewer_sees_it(served: Served) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False)
    page = served.get(f"{MATCH}/export.html?as=p1", "seat", "m", seat="p1").text
    assert page.count('<div class="board facing" data-near="p1">') == 2
    shown = served.get("/en/play/m", "seat", "m", seat="p1").text
    hand = re.search(r'<section[^>]* data-strip="p1.hand".*?</section>', shown, re.DOTALL)
    assert hand is not None and re.sub(r' id="t\d+"', "", hand[0]) in page


@pytest.mark.parametrize(("key", "seed"), [each for each in few(1) if each[0] in HIDING])
def test_a_player_takes_home_the_same_bytes_whatever_stayed_hidden_from_them(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(f"home {seed}")
    entries = list(one.entries[:60])
    viewer = random.choice(opened_of(entries).seats)
    with twins(entries, deal_again(entries, never_known(entries, viewer), random)) as both:
        assert both.alike(f"/api/v1/matches/{TWIN}/export.html?as={viewer}", viewer) == 200


def test_players_find_the_page_to_take_home_and_nobody_else_does(served: Served) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False)
    url = "/api/v1/matches/m/export.html?as=p1"
    for path in ("/en/m/m", "/ja/m/m/as/p1", "/en/play/m", "/en/me"):
        text = served.get(path, "seat", "m", seat="p1").text
        (link,) = [each for each in Page(text, path).all("a") if "/export.html" in each.get("href", "")]
        assert link["href"] == url and "download" in link, path
        for role in ("spectator", "scorekeeper", "head"):
            assert "export.html" not in served.get(path.replace("/as/p1", ""), role).text, (path, role)
    assert "自分の記録を保存" in served.get("/ja/m/m", "seat", "m", seat="p1").text


def test_no_card_that_stayed_hidden_is_in_a_copy(served: Served) -> None:
    served.record_match("grimoire", SHELVES["grimoire"].matches[0], "m", closed=False)
    match = stored(served)
    seen = served.get(f"{MATCH}/export.jsonl?lang=en").text
    hidden = [face for face in sorted(faces(match.entries)) if f'"{face}"' not in seen]
    assert hidden
    for path in ("export.spn", "export.html"):
        for viewer in ("", "?as=p1"):
            copy = served.get(f"{MATCH}/{path}{viewer}", "seat", "m", seat="p1").text
            named = {face for face in hidden if re.search(rf"\b{re.escape(face)}\b", copy)}
            assert not named if not viewer else len(named) < len(hidden)


def test_a_record_is_no_ones_who_may_not_see_all_of_it() -> None:
    for published in (False, True):
        with serve(Settings(store=":memory:", published=published)) as served:
            served.record_match("blackpoker", "normal", "m", closed=False)
            for role in ("spectator", "seat", "scorekeeper", "designer", "operator"):
                answer = served.get(f"{MATCH}/export.spn?as=judge", role)
                assert answer.json()["type"] == "/problem/not-your-eyes", role
            assert served.get(f"{MATCH}/export.spn?as=judge", "floor").json()["type"] == "/problem/sealed"
            served.record_match("blackpoker", "normal", "done")
            closed = served.get("/api/v1/matches/done/export.spn?as=judge")
            assert closed.status_code == (200 if published else 403)


IMPORTS = "/api/v1/imports"
ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "fixtures").glob("*/matches/*.spn"))[:3]


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.name)
def test_a_record_in_notation_is_taken_in_once(served: Served, record: Path) -> None:
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    held = served.bearer("head")
    first = served.client.post(IMPORTS, content=record.read_bytes(), headers=held)
    assert first.status_code == 201, first.text
    (taken,) = first.json()["matches"]
    assert taken["new"] and served.context.match(taken["match"]).version == taken["entries"]
    again = served.client.post(IMPORTS, content=record.read_bytes(), headers=held)
    assert again.status_code == 200 and again.json() == {"matches": [taken | {"new": False}]}
    assert woken == [taken["match"]]


def test_json_lines_are_taken_in_and_another_record_of_the_same_match_is_not() -> None:
    with serve() as there, serve() as here:
        match = there.open("blackpoker", match="t0")
        lines = [codec.to_json_line(state) for state in there.context.store.read_bytes(match)]
        held = here.bearer("operator")
        taken = here.client.post(IMPORTS, content=b"\n".join(lines), headers=held)
        assert taken.status_code == 201 and taken.json()["matches"] == [{"match": "t0", "entries": 3, "new": True}]
        assert send(there, match, {"kind": "note", "text": "x"}, id=1).status_code == 201
        more = [codec.to_json_line(state) for state in there.context.store.read_bytes(match)]
        other = here.client.post(IMPORTS, content=b"\n".join(more), headers=held)
        assert other.status_code == 409 and other.json()["type"] == "/problem/exists"
        assert here.context.match(match).version == 3


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda lines: [*lines[:-2], b"p1: attakc", *lines[-2:]], ""),
        (lambda lines: [*lines[:3], b"\xff\xfe", *lines[3:]], "UTF-8"),
        (lambda lines: [], "the file is empty"),
        (lambda lines: [b"; shinpan view 1"], "the view of one viewer"),
        (lambda lines: [b'{"shinpan": "view"}'], "the view of one viewer"),
        (lambda lines: [b'{"entry": "opened"'], ""),
        (lambda lines: [b"[" * 100_000], ""),
        (lambda lines: [b'{"a":' * 100_000], ""),
        (lambda lines: [b"\x00" * 1_000], ""),
    ],
)
def test_a_bad_file_is_refused_and_nothing_is_written(served: Served, change, said: str) -> None:  # type: ignore[no-untyped-def]
    data = b"\n".join(change(RECORDS[0].read_bytes().split(b"\n")))
    answer = served.client.post(IMPORTS, content=data, headers=served.bearer("head"))
    assert answer.status_code == 400, answer.text
    assert said in answer.json()["en"] and answer.json()["ja"]
    assert answer.json().get("line", 0) >= 1 and answer.json().get("column", 0) >= 1
    assert served.context.store.matches() == []


def test_a_record_that_is_none_says_which_entry() -> None:
    with serve() as there, serve() as here:
        match = there.open("blackpoker", match="t0")
        lines = [codec.to_json_line(state) for state in there.context.store.read_bytes(match)]
        answer = here.client.post(IMPORTS, content=b"\n".join((*lines, lines[0])), headers=here.bearer("head"))
        assert answer.status_code == 400 and answer.json()["entry"] == 4
        assert here.context.store.matches() == []


def test_a_file_may_be_larger_than_a_command_and_not_larger_than_that() -> None:
    with serve(Settings(store=":memory:", body_max=1_000, import_max=20_000)) as served:
        held = served.bearer("head")
        data = RECORDS[0].read_bytes()
        assert 1_000 < len(data) < 20_000
        assert served.client.post(IMPORTS, content=data, headers=held).status_code == 201
        assert served.client.post(IMPORTS, content=data + b" " * 20_000, headers=held).status_code == 413
        chunks = (b" " * 1_000 for _ in range(50))
        assert served.client.post(IMPORTS, content=chunks, headers=held).status_code == 413, "no length declared"
        command = {"kind": "note", "text": "x" * 2_000}
        assert served.client.post("/api/v1/matches/x/entries", json=command, headers=held).status_code == 413
