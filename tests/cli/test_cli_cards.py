"""Card files: given to every command that judges, and the published pools."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games.grimoire.cards import POOLS, load_cards
from domain.law.pools import FIRST, digest
from tests.cli.runs import ROOT, fine, inside, program
from tests.rejudged import restore_pools
from tests.rules.grimoire.errata import RENAMED, erratum

FIXTURES = ROOT / "fixtures" / "grimoire"
MATCH = FIXTURES / "matches" / "random-first.spn"
ERRATUM = FIXTURES / "erratum.toml"
STORE = "unused.sqlite"


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield from restore_pools(POOLS)


def test_an_audit_under_other_cards_names_those_that_changed_with_both_texts() -> None:
    assert fine(STORE, "audit", MATCH).out.startswith("findings: 0")
    ran = inside(STORE, "audit", MATCH, "--cards", ERRATUM)
    assert ran.code == 1
    assert f"with --cards {ERRATUM}, compared with the recorded rules\ncard S01 Ember Dart\n  was: S01" in ran.out
    told = inside(STORE, "audit", MATCH, "--cards", ERRATUM, "--json").data
    assert [(one["entry"], one["clause"]) for one in told["appear"]] == [(19, "GR-7.5")]
    (card,) = told["cards"]
    assert card["key"] == "card S01" and "cost 1" in card["recorded"]["en"] and "コスト3" in card["rejudged"]["ja"]


@pytest.mark.random
def test_rejudge_and_regress_name_the_card_as_the_cause() -> None:
    ran = inside(STORE, "rejudge", MATCH, "--cards", ERRATUM)
    assert ran.code == 1 and "change" in ran.out
    assert "  card S01 Ember Dart\n    was: S01 Ember Dart / Spell · user Kaida · cost 1" in ran.out
    told = inside(STORE, "rejudge", MATCH, "--cards", ERRATUM, "--json").data
    assert told["rules"] == f"--cards {ERRATUM}"
    assert [one["key"] for one in told["changes"]] == [one["key"] for one in told["verdict"]["causes"]] == ["card S01"]
    ran = inside(STORE, "regress", FIXTURES / "matches", "--cards", ERRATUM, "--jobs", "1")
    assert ran.code == 1 and "card S01: now: S01 Ember Dart / Spell · user Kaida · cost 3" in ran.out


@pytest.mark.random
def test_compare_and_case_run_take_other_cards() -> None:
    arguments = ("compare", "grimoire", FIXTURES / "matches", "--reading", "lethal=at_least,exceeding", "--json")
    without, under = inside(STORE, *arguments).data, inside(STORE, *arguments, "--cards", ERRATUM).data
    assert without["matches"] == under["matches"] and without["separating"] != under["separating"]
    assert fine(STORE, "case", "run", FIXTURES / "cases").code == 0
    ran = inside(STORE, "case", "run", FIXTURES / "cases", "--cards", ERRATUM)
    assert ran.code == 1 and "failed: 12" in ran.out


def test_two_published_pools_are_compared_like_any_two_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    text = ERRATUM.read_text(encoding="utf-8")
    monkeypatch.setitem(POOLS.published, "2", POOLS.lay_over(FIRST, load_cards(text, "2.toml")))
    told = inside(STORE, "compare", "grimoire", MATCH, "--reading", "cards=1,2", "--jobs", "1", "--json").data
    assert [(one["entry"], one["verdicts"]) for one in told["separating"]] == [(19, ["identical", "illegal"])]


def test_the_cards_are_looked_at_before_the_record(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(erratum("S01", cost='"dear"'), encoding="utf-8")
    for command in (("audit", MATCH), ("rejudge", MATCH), ("regress", MATCH), ("case", "run", FIXTURES / "cases")):
        ran = inside(STORE, *command, "--cards", bad)
        assert ran.code == 2 and f"{bad}, card S01, cost" in ran.message
        assert inside(STORE, *command, "--cards", tmp_path / "none.toml").code == 2
    bad.write_bytes(b"\xff")
    assert inside(STORE, "audit", MATCH, "--cards", bad).code == 2
    blackpoker = ROOT / "fixtures" / "blackpoker" / "matches" / "normal.spn"
    ran = inside(STORE, "rejudge", blackpoker, "--cards", ERRATUM)
    assert ran.code == 2 and "blackpoker has no card pools" in ran.message


@pytest.mark.process
def test_a_record_pinned_to_unknown_cards_says_which_and_a_file_brings_them(tmp_path: Path) -> None:
    pool = digest({**POOLS.cards_by_pool[FIRST], **load_cards(RENAMED, "x.toml")})
    text = MATCH.read_text(encoding="utf-8")
    assert '[Set "cards"' not in text
    path, cards = tmp_path / "pinned.spn", tmp_path / "renamed.toml"
    path.write_text(text.replace('[Version "1"]', f'[Version "1"]\n[Set "cards" "{pool}"]'), encoding="utf-8")
    cards.write_text(RENAMED, encoding="utf-8")
    for command in ("audit", "rejudge", "import"):
        more = ("--set", "lethal=exceeding") if command == "rejudge" else ()
        ran = program(tmp_path, command, path, *more, store=tmp_path / "a.sqlite")
        assert ran.code == 2 and pool in ran.message and "1 (" in ran.message and "--cards" in ran.message
    done = program(tmp_path, "audit", path, "--cards", cards, store=tmp_path / "a.sqlite")
    assert (done.code, done.out.splitlines()[0]) == (0, "findings: 0 (entries 78, actions 76, facts 419)")
    assert "Cinder Bolt" not in done.out, "laid over what it gave before it changes nothing"
    assert program(tmp_path, "rejudge", path, "--cards", cards, store=tmp_path / "a.sqlite").code == 0


def test_a_new_match_is_pinned_to_the_newest_cards_and_its_notation_says_so(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    fine(store, "new", "grimoire@1", "--match", "m", "--seed", "1")
    written = fine(store, "export", "m", "--as", "judge").out
    assert f'[Set "cards" "{POOLS.newest}"]' in written
    (tmp_path / "m.spn").write_text(written, encoding="utf-8")
    fine(tmp_path / "b.sqlite", "import", tmp_path / "m.spn")
    again = fine(tmp_path / "b.sqlite", "export", "m", "--as", "judge").out
    assert again == written


def test_an_old_match_is_shown_in_the_words_of_its_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "a.sqlite"
    fine(store, "import", MATCH)
    match = fine(store, "matches", "--json").data[0]["match"]
    before = fine(store, "log", match, "--as", "judge").out
    assert "S01 Ember Dart" in before
    monkeypatch.setitem(POOLS.published, "2", POOLS.lay_over(FIRST, load_cards(RENAMED, "2.toml")))
    assert fine(store, "log", match, "--as", "judge").out == before
    fine(store, "new", "grimoire@1", "--match", "new", "--seed", "1")
    assert fine(store, "export", "new", "--as", "judge").out.count(POOLS.newest) == 1


def test_published_pools_are_listed_and_a_card_is_looked_up_in_any(monkeypatch: pytest.MonkeyPatch) -> None:
    text = ERRATUM.read_text(encoding="utf-8")
    pool = POOLS.lay_over(FIRST, load_cards(text, "2.toml"))
    assert "cost 1" in fine(STORE, "rulebook", "grimoire", "S01").out
    monkeypatch.setitem(POOLS.published, "2", pool)
    listed = fine(STORE, "games").out
    rows = [line.split() for line in listed[listed.index("grimoire card pool") :].splitlines()]
    assert rows[1:3] == [["1", POOLS.published["1"], "70"], ["2", POOLS.published["2"], "70", "S01"]]
    pools = {one["game"]: one["pools"] for one in fine(STORE, "games", "--json").data}
    assert pools["grimoire"] == POOLS.published and pools["dea"] and not pools["blackpoker"]
    assert "cost 1" in fine(STORE, "rulebook", "grimoire", "S01", "--set", "cards=1").out
    assert "cost 3" in fine(STORE, "rulebook", "grimoire", "S01", "--set", f"cards={pool}").out
    assert inside(STORE, "rulebook", "grimoire", "S01", "--set", "cards=3").code == 2


def test_a_case_may_name_its_cards_and_plays_with_the_newest_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ERRATUM.read_text(encoding="utf-8")
    monkeypatch.setitem(POOLS.published, "2", POOLS.lay_over(FIRST, load_cards(text, "2.toml")))
    path = tmp_path / "a.cases.toml"
    path.write_text(
        """
game = "grimoire"
version = "1"
[given]
turn = 7
active = "p1"
first = "p1"
phase = "main"
step = "priority"
awaited = ["p1"]
seats = { p1 = { mana = 1, "chroma.R" = 1 } }
places = { "p1.personal" = ["C01"], "p2.personal" = ["C02"], "p1.hand" = ["S01"] }
[[case]]
id = "then"
set = { cards = "1" }
[[case.step]]
when = ["p1: cast S01"]
[[case]]
id = "now"
[[case.step]]
when = ["p1: cast S01"]
then = { refused = "GR-7.5" }
""",
        encoding="utf-8",
    )
    ran = inside(STORE, "case", "run", path)
    assert ran.code == 0, ran


@pytest.mark.parametrize(
    ("game", "match", "face", "kind"), [("skillbook", "normal", "S01", "monster"), ("dea", "normal", "G01", "event")]
)
def test_a_file_that_fits_no_game_is_refused_as_one_of_the_game_it_is_most_like(
    game: str, match: str, face: str, kind: str, tmp_path: Path
) -> None:
    """Cards of several games share these fields; their values tell the game."""
    file = tmp_path / "my.toml"
    card = f'[[cards]]\nid = "{face}"\nen = "Mine"\nja = "私の"\ntype = "{kind}"\n'
    file.write_text(f'{card}abilities = [{{ kind = "triggered", do = [{{ do = "explode" }}] }}]\n', encoding="utf-8")
    ran = inside(STORE, "audit", ROOT / "fixtures" / game / "matches" / f"{match}.spn", "--cards", file)
    assert ran.code == 2 and f"card {face}" in ran.message, ran.message
    assert f"Invalid value '{kind}'" not in ran.message and "abilities" in ran.message, ran.message
