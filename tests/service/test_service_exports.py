"""Matches to be taken along: the record for who may see all of it, for anybody else what they saw, and no more."""

import re

import msgspec
import pytest

from domain.evidence import chain
from domain.formats.notation import parse_notation
from domain.games import GAMES
from domain.law.entries import faces, opened_of
from domain.table.redact import SPECTATOR
from recorder import codec
from recorder.loading import Match, load_match
from service.settings import Settings
from tests.recorded import SHELVES
from tests.service.serving import Served, serve

MATCH = "/api/v1/matches/m"


def stored(served: Served) -> Match:
    match = load_match(served.house.store, "m")
    assert isinstance(match, Match)
    return match


@pytest.mark.parametrize("key", SHELVES)
def test_who_may_see_everything_takes_the_record_along(served: Served, key: str) -> None:
    served.put(key, SHELVES[key].matches[0], "m")
    entries = stored(served).entries
    lines = served.get(f"{MATCH}/export.jsonl?as=judge", "head")
    bare = [chain.unlink(codec.from_json_line(line)) for line in lines.content.splitlines()]
    assert bare == [codec.encode(entry) for entry in entries]
    assert lines.headers["cache-control"] == "no-store"
    text = served.get(f"{MATCH}/export.spn?as=judge", "head").text
    again = parse_notation(text, GAMES)
    assert len(again) == len(entries) and opened_of(again).rules == opened_of(entries).rules


def test_anybody_else_takes_along_what_they_saw_and_it_says_so(served: Served) -> None:
    served.put("blackpoker", "normal", "m")
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
    served.put("grimoire", SHELVES["grimoire"].matches[0], "m")
    page = served.get(f"{MATCH}/export.html").text
    assert re.findall(r'<section lang="(\w+)">', page) == ["en", "ja"]
    assert not re.search(r"<script|<link|<img|<style|style=|https?://| on\w+=", page)
    assert page.count('<li value="1">') == 2


def test_no_card_that_stayed_hidden_is_in_a_copy(served: Served) -> None:
    served.put("grimoire", SHELVES["grimoire"].matches[0], "m", closed=False)
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
            served.put("blackpoker", "normal", "m", closed=False)
            for role in ("spectator", "seat", "scorekeeper", "designer", "operator"):
                answer = served.get(f"{MATCH}/export.spn?as=judge", role)
                assert answer.json()["type"] == "/problem/not-your-eyes", role
            assert served.get(f"{MATCH}/export.spn?as=judge", "floor").json()["type"] == "/problem/sealed"
            served.put("blackpoker", "normal", "done")
            closed = served.get("/api/v1/matches/done/export.spn?as=judge")
            assert closed.status_code == (200 if published else 403)
