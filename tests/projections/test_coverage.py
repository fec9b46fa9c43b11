"""Coverage counts what was exercised, and the page shows the count next to each clause."""

import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from domain.games import GAMES
from domain.judging.coverage import Coverage, CoverageCounter
from domain.law.entries import Played, entry_facts
from domain.law.law import Law
from domain.law.record import Record
from projections.html.coverage import to_html
from recorder.simulate import simulate
from tests.cli.runs import inside, shut

pytestmark = pytest.mark.random

ROOT = Path(__file__).parents[2]


def counted(key: str, count: int) -> tuple[Coverage, list[Any]]:
    game = GAMES[key]
    rules = game.latest
    counting = CoverageCounter(game)
    records = [simulate(Law(game, rules), seed) for seed in range(count)]
    for record in records:
        counting.match(Record(Law(game, rules), record))
    return counting.coverage(), records


@pytest.mark.parametrize("key", sorted(GAMES))
def test_what_was_told_is_applied_and_what_was_not_stays_cold(key: str) -> None:
    found, records = counted(key, 3)
    by_clause = {one.clause: one for one in found.clauses}
    assert set(by_clause) == set(GAMES[key].rulebook.clauses) and found.matches == 3
    facts = [clause for record in records for entry in record for clause, _ in entry_facts(entry)]
    assert sum(one.applied for one in found.clauses) == len(facts)
    for clause in set(facts):
        assert by_clause[clause].applied == facts.count(clause) and 1 <= by_clause[clause].matches <= 3
        assert not by_clause[clause].cold
    assert found.never and all(not by_clause[one].applied for one in found.never)
    played = {face.name for face in found.cards if face.matches}
    assert played and played <= set(GAMES[key].faces())
    values = {one.name: one.matches for one in found.options}
    assert sum(matches == 3 for matches in values.values()) >= min(10, len(GAMES[key].options)) and 0 in values.values()
    assert any(isinstance(entry, Played) for record in records for entry in record)


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, str] = {}
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "tr" and found.get("id"):
            self.rows[str(found["id"])] = str(found["class"])

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_page_has_every_clause_in_both_languages_and_its_heat(key: str) -> None:
    game = GAMES[key]
    found, _ = counted(key, 2)
    rules = game.latest
    for lang in ("en", "ja"):
        text = to_html(game, rules, found, lang).decode()
        read = Page()
        read.feed(text)
        assert set(read.rows) == set(game.rulebook.clauses)
        cold = {clause for clause, heat in read.rows.items() if heat == "h0"}
        assert cold == set(found.never)
        words = "".join(read.words)
        for clause in list(game.rulebook.clauses)[:20]:
            both = game.rulebook.both(clause, {})
            assert "{" in both.en or (both.en in words and both.ja in words)
        assert "http" not in text, "the page needs no other file"


def test_the_command_counts_cases_and_matches_and_names_what_it_cannot_read(tmp_path: Path) -> None:
    broken = tmp_path / "broken.spn"
    broken.write_text("no match", encoding="utf-8")
    out = tmp_path / "rules.html"
    some = str(ROOT / "fixtures" / "blackpoker" / "matches" / "disputed.spn")
    ran = inside(
        "unused", "coverage", "blackpoker", "--corpus", some, "--corpus", str(broken), "--html", str(out), "--json"
    )
    assert ran.code == 0, ran
    found = ran.data["coverage"]
    assert (found["game"], found["matches"]) == ("blackpoker", 1) and found["cases"] > 200
    assert any("broken.spn" in one for one in ran.data["bad"])
    claimed = {one["clause"]: one["cases"] for one in found["clauses"] if one["kind"] == "rule"}
    assert all(claimed.values()) and ran.data["never"] == []
    assert "BP-7.15" in out.read_text(encoding="utf-8")


def test_an_unknown_game_and_a_page_that_cannot_be_written_are_bad_input(tmp_path: Path) -> None:
    assert inside("unused", "coverage", "no-such-game").code == 2
    nowhere = str(tmp_path / "no" / "page.html")
    assert inside("unused", "coverage", "blackpoker", "--html", nowhere).code == 2


def test_a_clause_out_of_reach_is_listed_with_the_reason(tmp_path: Path) -> None:
    page_ja = tmp_path / "rules.html"
    ran = inside("unused", "coverage", "grimoire", "--lang", "ja", "--html", str(page_ja))
    assert ran.code == 0 and "到達できない条項：GR-3.13：自機" in ran.out
    assert "自機を選んで動かせるスペルは一枚もない" in page_ja.read_text(encoding="utf-8")
    data = inside("unused", "coverage", "grimoire", "--json").data
    assert data["never"] == [] and [one["clause"] for one in data["coverage"]["unreachable"]] == ["GR-3.13"]


def test_a_folder_that_may_not_be_entered_is_named_and_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(ROOT / "fixtures" / "blackpoker" / "matches" / "disputed.spn", tmp_path)
    (tmp_path / "shut").mkdir()
    shut(monkeypatch, "shut")
    for named in (tmp_path, tmp_path / "shut"):
        ran = inside("unused", "coverage", "blackpoker", "--corpus", named, "--json")
        assert ran.code == 2 and ran.data["coverage"]["matches"] == (named == tmp_path)
        assert str(tmp_path / "shut") in ran.err and "Permission denied" in ran.err
