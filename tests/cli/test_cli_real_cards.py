"""Real cards on the command line: cards are named by hand, and no dealer is offered."""

from pathlib import Path

import pytest

from domain.law.entries import Played, Undealt, line
from tests.cli.runs import fine, inside
from tests.cli.test_cli_play import stored
from tests.cli.typist import lines, play


@pytest.fixture
def store(tmp_path: Path) -> Path:
    found = tmp_path / "s.sqlite"
    assert fine(found, "new", "blackpoker@8.1-lite", "--no-deal", "--match", "t1").out == "t1\n"
    return found


def test_a_match_is_opened_without_a_deal_and_what_shows_is_named(store: Path) -> None:
    assert isinstance(stored(store).opening, Undealt) and stored(store).version == 2
    asked = inside(store, "do", "t1", "chance: shuffle_deck p2")
    assert asked.code == 2 and "p1.life" in asked.err and "--shows" in asked.err
    assert "S4" in fine(store, "do", "t1", "chance: shuffle_deck p2", "--shows", "S4,H10,C5,D7").out
    assert "H8" in fine(store, "do", "t1", "p2: up H8 S2 u58").out.replace("S2", "")
    assert inside(store, "audit", "t1").code == 0
    assert inside(store, "do", "t1", "p2: pass", "--shows", "S4").code == 2
    for command in ("show", "log", "knows", "stack"):
        for viewer in ("p1", "spectator", "judge"):
            assert inside(store, command, "t1", *(() if command == "stack" else ("--as", viewer))).code == 0


def test_a_seed_deals_and_so_cannot_stand_beside_no_deal(tmp_path: Path) -> None:
    ran = inside(tmp_path / "s", "new", "blackpoker@8.1-lite", "--no-deal", "--seed", "5")
    assert ran.code == 2 and "--seed" in ran.err


def test_a_deck_file_may_keep_its_cards_to_itself(tmp_path: Path) -> None:
    deck = tmp_path / "d.toml"
    deck.write_text('main = ["C01", "?x40"]\nside = ["?x10"]\n', encoding="utf-8")
    named = ["--deck", f"p1={deck}", "--deck", f"p2={deck}"]
    fine(tmp_path / "s", "new", "grimoire@1", "--no-deal", "--match", "t1", *named)
    assert inside(tmp_path / "s", "new", "grimoire@1", *named).code == 2
    assert inside(tmp_path / "s", "new", "grimoire@1", "--no-deal").code == 2


def test_play_asks_what_shows_and_never_for_what_nobody_knows(store: Path) -> None:
    ran = play(store, "t1", "--chance-by-hand", answers=lines("S4 H10 C5 ZZ/S4 H10/C5 D7/b/C6/s/H9 u57"))
    assert "croupier" not in ran.out and "top first" not in ran.out, ran.out
    assert "not a card of this game" in ran.out
    did = [one for one in stored(store).entries if isinstance(one, Played) and one.actor == "p2"]
    assert did and "C6" in fine(store, "log", "t1").out
    assert inside(store, "audit", "t1").code == 0


def test_an_unknown_key_card_is_named_behind_its_verb(store: Path) -> None:
    ran = play(store, "t1", answers=lines("S4 H10 C5 D7/u/H8 S2 u58"))
    assert "H8" in fine(store, "log", "t1").out, ran.out
    assert b"up" in bytes(stored(store).entries[-1].action)  # type: ignore[union-attr]


def test_undo_goes_back_before_what_somebody_entered_not_before_a_shuffle_that_recorded_itself(store: Path) -> None:
    play(store, "t1", "--by", "judge", answers=lines("S4 H10 C5 D7/-///"))
    assert line(stored(store).entries)[:2] == (1, 2) and 3 not in line(stored(store).entries)


def test_a_match_whose_croupier_is_elsewhere_offers_none(tmp_path: Path) -> None:
    here, there = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    fine(here, "new", "blackpoker@8.1-lite", "--match", "t1", "--seed", "5")
    opened = fine(here, "export", "t1", "--format", "jsonl", "--as", "judge").out.splitlines()[0]
    record = tmp_path / "r.jsonl"
    record.write_text(f"{opened}\n", encoding="utf-8")
    fine(there, "import", str(record))
    ran = play(there, "t1", "--chance-by-hand", answers=lines("/S2 S3/"))
    assert "croupier draws" not in ran.out and "order unknown" in ran.out
    faces = [stored(there).table.pieces[card].face for card in stored(there).table.places["p1.life"]]  # type: ignore[index]
    assert set(faces) == {None}


def test_all_pass_with_real_cards_too(store: Path) -> None:
    ran = play(store, "t1", answers=lines("S4 H10 C5 D7/s/H9 u57/S3/"))
    passed = [entry for entry in stored(store).entries if isinstance(entry, Played) and b"pass" in bytes(entry.action)]
    assert sorted(entry.actor for entry in passed) == ["p1", "p2"], ran.out
    assert "all pass: " in ran.out and inside(store, "audit", "t1").code == 0
