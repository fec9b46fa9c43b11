"""Messages: hints work, missing values are named, and input is understood."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.entries import Opened
from domain.law.slots import slots
from recorder.store import Store
from tests.cli.runs import fine, inside
from tests.games import tried

pytestmark = pytest.mark.random


@pytest.fixture
def store(tmp_path: Path) -> Path:
    where = tmp_path / "a.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--p1", "Aoi", "--p2", "Ren", "--seed", "2", "--match", "mine")
    fine(where, "new", "grimoire@1", "--p1", "Aya", "--p2", "Bo", "--seed", "4", "--match", "spells")
    return where


# hints of errors


@pytest.mark.parametrize(
    "action", ["p2: destroy_bulwark u55", "p2: set_bulwark", "p1: up", "p2: choose_twist_state charged"]
)
def test_a_hint_says_as_played_only_where_that_records(store: Path, action: str) -> None:
    refused = inside(store, "do", "mine", action)
    assert refused.code == 1
    promised = "use --as-played" in refused.err
    assert promised == (inside(store, "do", "mine", action, "--as-played").code == 0), refused.err
    if not promised:
        assert "`correct`" in refused.err


def test_a_physical_clause_behind_the_one_that_refuses_is_in_the_hint_too(store: Path) -> None:
    refused = inside(store, "do", "mine", "p2: destroy_bulwark")
    assert refused.message.startswith("shinpan: p2: destroy_bulwark is refused by BP-4.2")
    assert "--as-played" not in refused.err
    assert "is incomplete (no key cards named, no target named)" in refused.err
    japanese = inside(store, "do", "mine", "p2: destroy_bulwark", "--lang", "ja")
    assert "対象の指定なし" in japanese.err


def test_notation_promises_as_played_only_where_it_is_recorded(store: Path, tmp_path: Path) -> None:
    whole = fine(store, "export", "mine", "--as", "judge").out
    record = tmp_path / "one.spn"
    record.write_text(whole + "\n4. p2: destroy_bulwark\n", encoding="utf-8")
    refused = inside(store, "audit", record)
    assert refused.code == 2 and "%correct" in refused.message and "write !" not in refused.message


@pytest.mark.parametrize(("match", "key"), [("mine", "blackpoker"), ("spells", "grimoire")])
def test_an_action_that_names_nothing_is_told_what_is_missing(store: Path, match: str, key: str) -> None:
    game = GAMES[key]
    named = 0
    for one in game.action_types:
        if one in game.other_verbs.values() or any(slot.slot.kind in ("text", "word") for slot in slots(one)):
            continue
        told = inside(store, "why-not", match, f"p1: {one.__struct_config__.tag}", "--as", "judge")
        if told.code == 2:
            continue
        assert not re.search(r"\[(.*, )?(\?|r0|#0)(,.*)?\]", told.out), told.out
        named += "named]" in told.out
    assert named >= 3


def test_what_is_missing_is_named_by_its_slot_in_both_languages(store: Path) -> None:
    told = inside(store, "why-not", "mine", "p1: equip", "--as", "p1")
    for line in ("[1, no bulwarks named]", "[no key cards named]", "[no target named]"):
        assert line in told.out
    assert "[対象の指定なし]" in inside(store, "why-not", "mine", "p1: equip", "--as", "p1", "--lang", "ja").out


# names


@pytest.mark.parametrize("viewer", ["Aoi", "aoi", "p1"])
def test_a_players_name_stands_for_the_seat_of_a_viewer(store: Path, viewer: str) -> None:
    assert "seen by Aoi" in fine(store, "show", "mine", "--as", viewer).out


def test_a_players_name_stands_for_the_one_who_acts(store: Path) -> None:
    assert inside(store, "why-not", "mine", "Ren: pass").out.splitlines()[1].endswith("[Ren]")
    refused = inside(store, "do", "mine", "Ren: attack")
    assert refused.code == 1 and "BP-4.2" in refused.message
    wrong = inside(store, "do", "mine", "Aoi: atack")
    assert (wrong.code, "column 6" in wrong.message) == (2, True)
    assert fine(store, "do", "mine", "Aoi : pass").out.startswith("4 Aoi: pass")


def test_a_name_of_several_words_is_read_whole(tmp_path: Path) -> None:
    where = tmp_path / "b.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--p1", "Aoi: K.", "--p2", "p1", "--seed", "2", "--match", "mine")
    assert fine(where, "show", "mine", "--as", "aoi: k.").out.startswith("after entry 3, seen by Aoi: K.")
    assert "seen by Aoi: K." in fine(where, "show", "mine", "--as", "p1").out, "a seat comes before a player's name"
    assert fine(where, "do", "mine", "Aoi: K.: pass").out.startswith("4 Aoi: K.: pass")


def test_a_name_that_two_players_have_is_refused_with_their_seats(tmp_path: Path) -> None:
    where = tmp_path / "b.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--seed", "2", "--match", "other")
    with Store.open(str(where)) as old:  # an earlier version accepted two players of the same name
        opened, *rest = old.read("other")
        assert isinstance(opened, Opened)
        old.append("mine", 0, [replace(opened, names=dict.fromkeys(opened.seats, "Aoi")), *rest])
    for command in (("show", "mine", "--as", "Aoi"), ("do", "mine", "Aoi: pass")):
        refused = inside(where, *command)
        assert refused.code == 2 and "two players are called 'Aoi'" in refused.message and "p1, p2" in refused.message


@pytest.mark.parametrize("name", ["S08", "s08", "Ashen Return", "ashen return", "Ashen", "灰からの帰還"])
def test_a_card_is_looked_up_by_its_id_or_its_name(store: Path, name: str) -> None:
    assert fine(store, "rulebook", "grimoire", name).out.startswith("S08 Ashen Return\n")


def test_a_beginning_of_several_names_is_refused_with_them(store: Path) -> None:
    refused = inside(store, "rulebook", "grimoire", "s")
    assert refused.code == 2 and "several names begin with" in refused.message
    assert "Ashen Return" in inside(store, "rulebook", "grimoire", "Ashen Retrn").message


@pytest.mark.parametrize("text", ["4.2", "bp-4.2", "BP-4.2"])
def test_a_clause_is_looked_up_without_its_prefix(store: Path, text: str) -> None:
    assert fine(store, "rulebook", "blackpoker", text).out.startswith("BP-4.2 (flow)")


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_rulebook_lists_every_number_and_option_in_force_with_what_it_means(store: Path, key: str) -> None:
    game = GAMES[key]
    told = fine(store, "rulebook", key, "--json").data
    listed = {one["key"]: one for one in told["numbers"]}
    assert {*told["rules"], *(one.key for one in game.options)} == set(listed)
    for one in listed.values():
        assert one["en"] != one["key"] != one["ja"], one
        assert one["row"] or one["clauses"] or one["key"] in tried(key).unsaid, one
    for lang in ("en", "ja"):
        page = fine(store, "rulebook", key, "--lang", lang).out
        assert all(one["key"] in page and one[lang] in page for one in listed.values())


def test_a_number_that_is_set_is_the_one_that_is_listed(store: Path) -> None:
    lines = fine(store, "rulebook", "blackpoker", "--set", "hand.limit=5").out.splitlines()
    (line,) = (one for one in lines if one.startswith("hand.limit"))
    assert line.split()[1:3] == ["5", "BP-7.2"]


@pytest.mark.parametrize(
    ("game", "words", "wanted"),
    [
        ("blackpoker", "haste", ["clause BP-11.4", "number armed.haste_from", "word haste"]),
        ("blackpoker", "速攻 エース", ["clause BP-11.4"]),
        ("blackpoker", "hand.limit", ["number hand.limit=7"]),
        ("blackpoker", "BULWARK set", ["action set_bulwark"]),
        ("grimoire", "broken pay put hand", ["card S08  S08 Ashen Return"]),
        ("grimoire", "GR-A33", ["number offturn_spended_spells=false GR-A33"]),
    ],
)
def test_a_search_looks_in_ids_names_sentences_and_cards(store: Path, game: str, words: str, wanted: list[str]) -> None:
    out = fine(store, "rulebook", game, "--search", words).out
    assert all(any(line.startswith(one) for line in out.splitlines()) for one in wanted), out
    found = fine(store, "rulebook", game, "--search", words, "--json").data["found"]
    assert len(found) == sum(not line.startswith("  ") for line in out.splitlines())


def test_a_search_that_finds_nothing_says_so(store: Path) -> None:
    assert "does not occur" in fine(store, "rulebook", "blackpoker", "--search", "xyzzy").out
    assert "searches with results: 'attacker'" in fine(store, "rulebook", "blackpoker", "--search", "atacker").out


# messages


def test_a_game_without_a_version_is_told_the_newest(tmp_path: Path) -> None:
    refused = inside(tmp_path / "b.sqlite", "new", "blackpoker")
    assert refused.code == 2 and "blackpoker@9.2-lite is the newest" in refused.message
    assert "最新はblackpoker@9.2-lite" in inside(tmp_path / "b.sqlite", "new", "blackpoker", "--lang", "ja").message


def test_a_third_name_is_told_the_option_that_makes_room(tmp_path: Path) -> None:
    refused = inside(tmp_path / "b.sqlite", "new", "grimoire@1", "--p3", "Ume")
    assert refused.code == 2 and "add --set player_count=3" in refused.message
    assert inside(tmp_path / "b.sqlite", "new", "grimoire@1", "--p3", "Ume", "--set", "player_count=3").code == 0
    assert "--set" not in inside(tmp_path / "b.sqlite", "new", "blackpoker@8.1-lite", "--p3", "Ume").message


def test_an_action_need_not_be_quoted(store: Path) -> None:
    assert "BP-4.2" in inside(store, "do", "mine", "p2:", "attack").message
    assert inside(store, "why-not", "mine", "p1:", "summon_soldier", "H8", "u55", "--as", "p1").code == 0
    told = fine(store, "do", "mine", "p1:", "summon_soldier", "H8", "u55", "--as", "p1")
    assert told.out.startswith("4 Aoi: Summon soldier: key cards H8")


@pytest.mark.parametrize(
    ("setting", "en", "ja"),
    [
        ("hand.limit=abc", "hand.limit must be a whole number, not 'abc'", "hand.limitには整数を"),
        ("hand.limit=1.5", "hand.limit must be a whole number, not '1.5'", "整数"),
        ("hand.limit=-1", "hand.limit must be at least 0, not '-1'", "0以上"),
        ("hand.limit=99999", "hand.limit must be at most 54, not '99999'", "54以下"),
        ("draw.mode=x", "draw.mode cannot be 'x'; allowed: one_plus_optional, two_or_one", "選べる値"),
        ("deck.list=3", "deck.list must be a list", "リスト"),
        ("deck.list=[3]", "deck.list must be a list", "リスト"),
    ],
)
def test_a_value_of_the_wrong_kind_is_said_in_our_words(tmp_path: Path, setting: str, en: str, ja: str) -> None:
    command = ("new", "blackpoker@8.1-lite", "--set", setting)
    refused = inside(tmp_path / "b.sqlite", *command)
    assert refused.code == 2 and en in refused.message and "Expected" not in refused.message
    assert ja in inside(tmp_path / "b.sqlite", *command, "--lang", "ja").message


def test_a_list_of_another_length_is_said_in_our_words(tmp_path: Path) -> None:
    refused = inside(tmp_path / "b.sqlite", "new", "grimoire@1", "--set", "capacity_by_seat=[1]")
    assert refused.code == 2 and "capacity_by_seat must have 4 values" in refused.message


def test_why_not_exits_with_1_unless_it_is_allowed(store: Path) -> None:
    for more in ((), ("--json",)):
        assert inside(store, "why-not", "mine", "p1: pass", *more).code == 0
        assert inside(store, "why-not", "mine", "p2: pass", *more).code == 1


@pytest.mark.parametrize("key", sorted(GAMES))
def test_no_english_text_says_spended(key: str) -> None:
    game = GAMES[key]
    texts = [one.en for one in (*game.rulebook.clauses.values(), *game.rulebook.words.values())]
    texts += [line for face in game.faces() for line in game.display.card(face, "en")]
    assert [one for one in texts if "spended" in re.sub(r"\{\w*\}", "", one)] == []
