"""Reading commands: content, viewer, language and output form."""

import re
from pathlib import Path

import pytest

from domain.games import GAMES
from tests.cli.runs import disputed, fine, inside


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return disputed(tmp_path_factory.mktemp("reading"))


READING = (
    *((command, "table-17") for command in ("show", "log", "stack", "audit")),
    ("matches",),
    ("why", "table-17", "10"),
    ("why-not", "table-17", "p1: attack"),
)


@pytest.mark.parametrize("command", READING, ids=lambda one: one[0])
def test_every_reading_command_speaks_json_and_both_languages_to_every_viewer(
    store: Path, command: tuple[str, ...]
) -> None:
    for viewer in ("spectator", "p1", "p2", "judge"):
        said = inside(store, *command, "--as", viewer, "--json")
        assert said.data is not None
        texts = {lang: inside(store, *command, "--as", viewer, "--lang", lang) for lang in ("en", "ja")}
        assert {one.code for one in (said, *texts.values())} == ({1} if command[0] in ("audit", "why-not") else {0})
        assert texts["en"].out and texts["en"].out != texts["ja"].out
        assert not any("぀" <= letter <= "ヿ" for letter in texts["en"].out), "no kana in English"
        assert any("぀" <= letter <= "ヿ" for letter in texts["ja"].out), "kana in Japanese"


def test_games_and_their_rulebooks() -> None:
    listed = fine("unused.sqlite", "games", "--json").data
    assert [one["game"] for one in listed] == list(GAMES)
    assert "blackpoker" in fine("unused.sqlite", "games").out
    assert not Path("unused.sqlite").exists()


def test_a_rulebook_has_clauses_verbs_with_slots_and_options_with_rows() -> None:
    book = fine("unused.sqlite", "rulebook", "blackpoker", "--json").data
    rules = GAMES["blackpoker"]
    assert [one["clause"] for one in book["clauses"]] == list(rules.rulebook.clauses)
    assert {one["verb"] for one in book["verbs"]} >= {"attack", "pass", "judge_end"}
    throwing = next(one for one in book["verbs"] if one["verb"] == "throwing")
    assert [slot["slot"] for slot in throwing["slots"]] == ["keys", "target"]
    suit = next(one for one in book["options"] if one["option"] == "throwing.damage_suit")
    assert (suit["row"], suit["value"], suit["values"]) == ("A-01", "club", ["club", "spade"])
    text = fine("unused.sqlite", "rulebook", "blackpoker").out
    assert "throwing.damage_suit" in text and "A-01" in text and "keys:cards target:seat" in text


def test_a_clause_is_said_with_the_numbers_in_force() -> None:
    english = fine("unused.sqlite", "rulebook", "blackpoker", "BP-10.6").out
    japanese = fine("unused.sqlite", "rulebook", "blackpoker", "BP-10.6", "--lang", "ja").out
    assert english.startswith("BP-10.6 (rule)") and "♣" in english
    assert japanese.startswith("BP-10.6（ルール）")
    assert "♠" in fine("unused.sqlite", "rulebook", "blackpoker@8.1-lite", "BP-10.6").out
    spade = ("--set", "throwing.damage_suit=spade")
    assert "♠" in fine("unused.sqlite", "rulebook", "blackpoker", "BP-10.6", *spade).out
    both = fine("unused.sqlite", "rulebook", "blackpoker", "BP-10.6", "--json").data
    assert both["en"] in english and both["ja"] in japanese


def test_matches_are_found_by_the_beginning_of_their_ids(store: Path) -> None:
    assert fine(store, "show", "table-17").out == fine(store, "show", "t").out
    (listed,) = fine(store, "matches", "--json").data
    assert (listed["match"], listed["entries"], listed["names"]) == ("table-17", 54, {"p1": "Aoi", "p2": "Ren"})
    assert "Aoi - Ren" in fine(store, "matches").out


def test_a_beginning_that_fits_several_matches_is_named_with_them(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    for match in ("cup-1", "cup-2", "cup-22", "final"):
        fine(store, "new", "blackpoker@8.1-lite", "--match", match)
    for beginning, fitting in (("cup", "cup-1, cup-2, cup-22"), ("cup-", "cup-1, cup-2, cup-22")):
        many = inside(store, "show", beginning)
        assert many.code == 2 and many.message.endswith(f"several matches begin with '{beginning}': {fitting}")
    assert fine(store, "show", "cup-2", "--json").data["match"] == "cup-2", "an id is itself, not a beginning"
    assert fine(store, "show", "f", "--json").data["match"] == "final"
    assert inside(store, "show", "up-1").code == inside(store, "show", "cup%").code == 2


def test_the_default_store_is_in_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cli.context import default_store

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_store() == tmp_path / "shinpan" / "shinpan.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_store() == tmp_path / ".local" / "share" / "shinpan" / "shinpan.sqlite"


def test_a_board_shows_a_hand_to_its_owner_and_to_the_judge_only(store: Path) -> None:
    seen = {viewer: fine(store, "show", "table-17", "--at", "3", "--as", viewer).out for viewer in VIEWERS}
    assert all(("D7 (u45)" in text) == (viewer in ("p1", "judge")) for viewer, text in seen.items())
    held = fine(store, "show", "table-17", "--at", "3", "--as", "p1", "--json").data["hands"]
    own, other = ([card for place in hand["places"] for card in place.get("cards", [])] for hand in held)
    assert len(own) == 8 and other == []
    assert seen["p1"].startswith("after entry 3, seen by Aoi")


VIEWERS = ("spectator", "p1", "p2", "judge")


def test_a_rewind_to_the_set_up_leads_back_before_turn_1(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    fine(store, "rewind", "table-17", "--to", "2", "--reason", "a card too many")
    fine(store, "note", "table-17", "shuffled anew")
    lines = fine(store, "log", "table-17").out.splitlines()
    assert lines[0].startswith("1 BlackPoker"), "nothing is said of it where no turn was before"
    at = lines.index("== before turn 1")
    assert "rewound to entry 2" in lines[at - 1] and lines[at + 1].endswith("note by judge")
    assert re.fullmatch(r"== \d{4}-\d\d-\d\d \(UTC\)", lines[at - 2])
    assert re.match(r"56 \d\d:\d\d:\d\d note", lines[at + 1])


def test_a_board_at_an_entry_is_the_board_of_that_time(store: Path) -> None:
    early, late = (fine(store, "show", "table-17", "--at", str(at)).out for at in (3, 54))
    assert "u63" not in early and early != late
    assert late == fine(store, "show", "table-17").out


def test_a_timeline_from_one_entry_to_another(store: Path) -> None:
    whole = fine(store, "log", "table-17").out
    part = fine(store, "log", "table-17", "--from", "10", "--to", "12").out
    heading, _, entries = part.partition("\n")
    assert heading == "== turn 1, Aoi (p1)" and heading in whole and entries in whole
    assert [line.split()[0] for line in entries.splitlines() if line[0] != " "] == ["10", "11", "12"]
    assert "BP-7.15" in part and "BP-7.16" in part
    numbers = [one["number"] for one in fine(store, "log", "table-17", "--from", "50", "--json").data["entries"]]
    assert numbers == [50, 51, 52, 53, 54]
    assert len(fine(store, "log", "table-17", "--flow").out) > len(whole)


def test_the_stack_tells_what_answered_what(store: Path) -> None:
    text = fine(store, "stack", "table-17", "--at", "30").out
    assert "Twist (Aoi)" in text and "unresolved" in text
    assert "Throwing" not in text and "Throwing" in fine(store, "stack", "table-17").out


def test_only_a_judge_exports_the_record_and_only_that_can_come_back(store: Path, tmp_path: Path) -> None:
    for form, name in (("notation", "a.spn"), ("jsonl", "a.jsonl")):
        record = fine(store, "export", "table-17", "--as", "judge", "--format", form).out
        (tmp_path / name).write_text(record, encoding="utf-8")
        copied = tmp_path / f"{form}.sqlite"
        assert fine(copied, "import", tmp_path / name).out == "table-17\n"
        assert fine(copied, "export", "table-17", "--as", "judge", "--format", form).out == record
        for viewer in ("spectator", "p1"):
            seen = fine(store, "export", "table-17", "--as", viewer, "--format", form).out
            assert "cannot be imported" in seen.splitlines()[0]
            (tmp_path / name).write_text(seen, encoding="utf-8")
            back = inside(tmp_path / "other.sqlite", "import", tmp_path / name)
            assert back.code == 2 and "not a full record" in back.message
    assert "CA" not in fine(store, "export", "table-17").out.split("\n3 ")[0], "no order of a deck"
