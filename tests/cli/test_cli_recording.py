"""Recording commands: a match from opening to close, with every event of a table."""

import json
import re
import sqlite3
import subprocess
from pathlib import Path

import pytest

from domain.law.croupier import commitment
from domain.law.entries import Closed, Corrected, Noted, Opened, Played, Rewound
from recorder.store import Store
from tests.cli.forks import PATIENCE
from tests.cli.runs import DISPUTED, PROGRAM, begin, contents, disputed, environment, fine, inside, program, refusal

OPENING = ("new", "blackpoker@8.1-lite", "--seed", "7", "--p1", "Aoi", "--p2", "Ren", "--match", "m1")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    where = tmp_path / "a.sqlite"
    assert fine(where, *OPENING).out == "m1\n"
    return where


def entries(store: Path, match: str = "m1") -> list[object]:
    with Store.open(store, read_only=True) as opened:
        return list(opened.read(match))


@pytest.mark.process
@pytest.mark.smoke
def test_a_whole_story(tmp_path: Path) -> None:
    def shinpan(*arguments: str, code: int = 0) -> str:
        ran = program(tmp_path, *arguments, store="story.sqlite")
        assert ran.code == code, ran
        return ran.out

    opening = ("new", "blackpoker@8.1-lite", "--p1", "葵", "--p2", "Ren", "--seed", "7")
    named = shinpan(*opening).strip()
    assert re.fullmatch("bp-[2-9b-z]{6}", named) and (tmp_path / "story.sqlite").exists()
    # the id seeds the shuffle, so a scripted match needs an id of its own
    match = shinpan(*opening, "--match", "bp-story77").strip()
    assert "葵 - Ren" in shinpan("matches")
    (first,) = json.loads(shinpan("show", match, "--json"))["board"]["clock"]["awaited"]
    other = {"p1": "p2", "p2": "p1"}[first]
    names = {"p1": "葵", "p2": "Ren"}
    assert shinpan("do", match, f"{first}: pass").startswith(f"4 {names[first]}: pass")
    attacked = shinpan("do", match, f"{other}: attack", "--as-played")
    assert attacked.startswith(f"5 {names[other]}: Attack as played; broken: BP-4.4")
    assert f"awaited: {names[other]}" in shinpan("show", match[:8])
    assert f"5 {names[other]}: Attack" in shinpan("rewind", match, "--to", "4", "--dry-run")
    assert shinpan("rewind", match, "--to", "4", "--reason", "not their turn").startswith("6 rewound to entry 4")
    assert "undone by a rewind" in shinpan("log", match)
    found = shinpan("audit", match, "--lang", "ja")
    assert "記録5" in found and "BP-4.4" in found and "指摘：1件" in found


def test_the_croupier_answers_set_up_and_its_seed_is_published_at_the_end(store: Path) -> None:
    recorded = entries(store)
    assert [getattr(one, "actor", None) for one in recorded] == [None, "chance", "chance"]
    assert all(getattr(one, "at", 0) > 1_600_000_000_000 for one in recorded)
    for command in (["close", "m1"], ["close", "m1", "--reason", "done"], ["close", "m1", "--abandon"]):
        refused = inside(store, *command)
        assert refused.code == 2 and "--abandon --reason TEXT" in refused.message and len(entries(store)) == 3
    fine(store, "close", "m1", "--abandon", "--reason", "done")
    last = entries(store)[-1]
    assert isinstance(last, Closed) and last.reason == "done"
    assert commitment("m1", bytes.fromhex(last.seed)) == recorded[0].commitment  # type: ignore[attr-defined]
    refused = inside(store, "do", "m1", "p2: pass")
    assert refused.code == 2 and "closed in entry 4" in refused.message
    assert "closed" in fine(store, "matches").out


def test_without_a_seed_every_match_is_another(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    first, second = (fine(store, "new", "blackpoker@8.1-lite").out.strip() for _ in range(2))
    assert first != second
    held = contents(store)
    assert held[first][2] != held[second][2]


def test_versions_frames_and_options_are_what_is_played(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    options = ("--set", "hand.limit=5", "--set", "throwing.damage_suit=club", "--set", "draw.decide_second=after_first")
    fine(store, "new", "blackpoker@8.1-lite", "--frame", "full54", *options, "--match", "x")
    rules = entries(store, "x")[0].rules  # type: ignore[attr-defined]
    assert (rules["hand.limit"], rules["throwing.damage_suit"], rules["frame"]) == (5, "club", "full54")
    text = fine(store, "export", "x", "--as", "judge").out
    assert '[Frame "full54"]' in text and '[Set "hand.limit" "5"]' in text


def test_a_refusal_says_its_clause_its_sentence_and_its_trail_and_records_nothing(store: Path) -> None:
    before = contents(store)
    refused = inside(store, "do", "m1", "p1: attack")
    assert (refused.code, refused.out) == (1, "")
    assert "BP-4.2" in refused.message and "Only the holder of the chance" in refused.message
    assert "holds BP-13.6" in refused.err and "fails BP-4.2" in refused.err and "--as-played" in refused.err
    japanese = inside(store, "do", "m1", "p1: attack", "--lang", "ja")
    assert "チャンスを持つプレイヤーだけ" in japanese.message
    data = inside(store, "do", "m1", "p1: attack", "--json").data
    assert (data["refused"], data["version"], data["trail"][-1]["clause"]) == ("BP-4.2", 3, "BP-4.2")
    assert contents(store) == before


def test_what_is_not_there_cannot_be_done_even_as_played(store: Path) -> None:
    refused = inside(store, "do", "m1", "p2: summon_soldier u58", "--as-played")
    assert refused.code == 1 and "correct" in refused.err
    assert len(entries(store)) == 3


def test_an_action_is_printed_as_a_viewer_may_see_it(tmp_path: Path) -> None:
    seen: dict[str, str] = {}
    for viewer in ("spectator", "p1", "p2", "judge"):
        store = tmp_path / f"{viewer}.sqlite"
        fine(store, "import", DISPUTED)
        fine(store, "rewind", "table-17", "--to", "42", "--reason", "to see the draw again")
        seen[viewer] = fine(store, "do", "table-17", "p2: pass", "--as", viewer).out
    assert {viewer: "HA" in text for viewer, text in seen.items()} == {
        "spectator": False,
        "p1": True,
        "p2": False,
        "judge": True,
    }
    assert all(text.startswith("56 Ren: pass\n") and "Aoi's life → Aoi's hand" in text for text in seen.values())


def test_a_repeated_command_is_recorded_once(store: Path) -> None:
    do = ("do", "m1", "p2: pass", "--command-id", "k1")
    first, again = fine(store, *do), fine(store, *do)
    assert first == again and len(entries(store)) == 4
    note = ("note", "m1", "heard", "--command-id", "k2")
    assert fine(store, *note) == fine(store, *note)
    fact = ("correct", "m1", "--reason", "seen", "mark p1 attacks 1", "--command-id", "k3")
    assert fine(store, *fact) == fine(store, *fact)
    rewind = ("rewind", "m1", "--to", "4", "--reason", "back", "--command-id", "k4")
    assert fine(store, *rewind).out == fine(store, *rewind).out
    assert [type(one) for one in entries(store)[3:]] == [Played, Noted, Corrected, Rewound]


def test_facts_by_hand_in_the_form_of_notation(store: Path) -> None:
    forms = ("- mark p1 attacks 1", "mark p1 attacks 1", "+ - mark p1 attacks 1", "BP-13.7 mark p1 attacks 1")
    for fact in forms:
        said = fine(store, "correct", "m1", "--reason", "by eye", fact, "turn u58 up", "--by", "Mia").out
        assert "corrected by Mia: by eye" in said and "Aoi: Attacks requested this turn 1" in said
    told = [one.told for one in entries(store) if isinstance(one, Corrected)]
    assert len(told) == 4 and told[0] == told[1] == told[2] != told[3]


def test_the_cost_of_a_rewind_names_faces_to_those_who_learned_them_only(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    rewind = ("rewind", "table-17", "--to", "40", "--dry-run", "--json")
    costs = {viewer: fine(store, *rewind, "--as", viewer).data for viewer in ("spectator", "p1", "p2", "judge")}
    assert all(one["undone"] == list(range(41, 55)) for one in costs.values())
    draw = {viewer: next(one for one in cost["learned"] if one["entry"] == 43) for viewer, cost in costs.items()}
    assert {one["who"] for one in draw.values()} == {"p1"} and {one["number"] for one in draw.values()} == {1}
    assert {viewer: one["faces"] for viewer, one in draw.items()} == {
        "spectator": [],
        "p1": ["HA"],
        "p2": [],
        "judge": ["HA"],
    }
    assert len(entries(store, "table-17")) == 54, "a dry run records nothing"
    done = fine(store, "rewind", "table-17", "--to", "40", "--reason", "the spear")
    assert "entries undone" in done.err and done.out == "55 rewound to entry 40 by judge: the spear\n"
    assert (
        fine(store, "show", "table-17").out.splitlines()[1:]
        == fine(store, "show", "table-17", "--at", "40").out.splitlines()[1:]
    )


def test_chance_goes_on_where_it_was_left(store: Path) -> None:
    assert fine(store, "rewind", "m1", "--to", "1", "--reason", "wrong decks").out.count("shuffle a deck") == 2
    assert [getattr(one, "actor", "") for one in entries(store)[3:]] == ["", "chance", "chance"]
    assert entries(store)[1] != entries(store)[4], "a rewind never repeats a draw"
    again = inside(store, "do", "m1", "chance: auto")
    assert again.code == 2 and "no outcome of chance is needed now" in again.message


def test_an_import_is_whole_and_happens_once(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    assert fine(store, "import", DISPUTED).out == "table-17\n"
    before = contents(store)
    again = fine(store, "import", DISPUTED)
    assert again.out == "table-17\n" and "already" in again.err
    assert fine(store, "import", DISPUTED, "--match", "copy").out == "copy\n"
    assert contents(store) == before | {"copy": before["table-17"]}
    fine(store, "note", "table-17", "something new")
    other = inside(store, "import", DISPUTED)
    assert other.code == 2 and "a different record" in other.message


def test_of_two_writers_one_wins_and_the_other_learns_what_changed(store: Path) -> None:
    fine(store, "do", "m1", "p2: pass", "--expect", "3")
    before = contents(store)
    late = inside(store, "do", "m1", "p2: attack", "--expect", "3")
    assert late.code == 2 and "expected entry 3, but the last entry is 4" in late.message
    assert "4 Ren: pass" in late.err
    assert contents(store) == before


@pytest.mark.process
def test_writers_at_the_same_time_leave_one_entry(store: Path, tmp_path: Path) -> None:
    command = [*PROGRAM, "do", "m1", "p2: pass", "--expect", "3"]
    both = [
        begin(command, environment(tmp_path, store), stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
    ]
    ended = [one.communicate(timeout=PATIENCE)[1].decode() for one in both]
    assert sorted(one.returncode for one in both) == [0, 2], ended
    assert len(entries(store)) == 4


def test_a_store_is_upright_after_all_this(store: Path) -> None:
    fine(store, "do", "m1", "p2: pass")
    with sqlite3.connect(store) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


ENTRY = DISPUTED.parents[1] / "decks" / "entry20.toml"


def test_a_deck_is_named_or_lies_in_a_file(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    fine(store, "new", "blackpoker@8.1-lite", "--deck", "p1=entry20", "--deck", f"p2={ENTRY}", "--match", "x")
    opened = entries(store, "x")[0]
    assert isinstance(opened, Opened)
    assert sorted(opened.decks["p1"]) == sorted(opened.decks["p2"])  # type: ignore[index]
    assert opened.decks["p1"] != opened.decks["p2"], "each in the order of its own list"  # type: ignore[index]
    listed = next(one for one in fine(store, "games", "--json").data if one["game"] == "blackpoker")["decks"]
    assert opened.decks["p1"] == tuple(listed["entry20"]["main"])  # type: ignore[index]
    assert any(line.rstrip().endswith("  entry20 full54 entry16") for line in fine(store, "games").out.splitlines())
    refused = inside(store, "new", "blackpoker@8.1-lite", "--deck", "p2=full54")
    assert refused.code == 2 and "the deck of p2 breaks BP-1.5" in refused.message


def test_simulated_matches_are_played_with_the_decks_given(tmp_path: Path) -> None:
    deck = ("--deck", f"p2={ENTRY}")
    fine("unused.sqlite", "simulate", "blackpoker@8.1-lite", "--matches", "1", *deck, "--out", tmp_path)
    text = (tmp_path / "sim-blackpoker-1.spn").read_text(encoding="utf-8")
    assert '[Deck "p2" "SA HA DA CA' in text and '[Deck "p1"' not in text


def test_a_game_of_two_has_no_third_name(tmp_path: Path) -> None:
    for option in ("--p3", "--p4"):
        ran = inside(tmp_path / "a.sqlite", "new", "blackpoker@8.1-lite", option, "Ume")
        assert ran.code == 2 and f"blackpoker has no seat '{option[2:]}'" in ran.message


DECKS: dict[str, tuple[str, bytes | None, str, str]] = {
    "no form": ("p1", None, "SEAT=NAME", "席=名前"),
    "no name": ("p1=", None, "SEAT=NAME", "席=名前"),
    "seat": ("p7=entry20", None, "there is no seat 'p7'; allowed: p1, p2", "席'p7'"),
    "name": ("p1=entry21", None, "there is no deck 'entry21' (did you mean entry20?)", "デッキ'entry21'"),
    "no file": ("p1=none.toml", None, "'none.toml' cannot be read", "'none.toml'を読めません"),
    "no toml": ("p1=FILE", b"main = [", "mine.toml:1:1: not TOML: Invalid value", "TOMLとして読めません"),
    "no utf-8": ("p1=FILE", b"main = ['\xff']", "not UTF-8", "UTF-8"),
    "key": ("p1=FILE", b"mane = []", "there is no key 'mane' (did you mean main?)", "キー'mane'"),
    "card": ("p1=FILE", b"main = ['S14x2']", "mine.toml:1:1: there is no card 'S14'", "カード'S14'"),
    "empty": ("p1=FILE", b"main = []", "at least one card", "1枚以上"),
}


def test_a_deck_that_cannot_be_used_says_why_and_opens_nothing(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    for given, data, en, ja in DECKS.values():
        file.write_bytes(data or b"")
        option = ("--deck", given.replace("FILE", str(file)))
        for command in (("new", "blackpoker@8.1-lite"), ("simulate", "blackpoker@8.1-lite", "--matches", "1")):
            for lang, words in (("en", en), ("ja", ja)):
                assert words in refusal(tmp_path / "a.sqlite", *command, *option, "--lang", lang), given
    assert not (tmp_path / "a.sqlite").exists()


def test_a_seat_gets_one_deck(tmp_path: Path) -> None:
    twice = ("--deck", "p1=entry20", "--deck", "p1=full54")
    ran = inside(tmp_path / "a.sqlite", "new", "blackpoker@8.1-lite", *twice)
    assert ran.code == 2 and "p1 has two decks" in ran.message


def test_a_command_id_used_again_for_another_command_is_refused(store: Path) -> None:
    fine(store, "note", "m1", "p1 shuffled badly", "--command-id", "k1")
    before = contents(store)
    for command in (
        ("note", "m1", "p2 shuffled badly"), ("correct", "m1", "--reason", "seen", "mark p1 attacks 1"),
        ("rewind", "m1", "--to", "3", "--reason", "back"), ("close", "m1"), ("do", "m1", "p1: pass"),
    ):  # fmt: skip
        ran = inside(store, *command, "--command-id", "k1")
        assert (ran.code, "'k1'" in ran.message, "entry 4" in ran.message) == (2, True, True), (command, ran)
    ran = inside(store, "correct", "m1", "--reason", "seen", "mark p1 attacks 1", "--command-id", "k2")
    other = inside(store, "correct", "m1", "--reason", "seen", "mark p1 attacks 0", "--command-id", "k2")
    assert (ran.code, other.code) == (0, 2)
    assert contents(store)["m1"][:-1] == before["m1"]
