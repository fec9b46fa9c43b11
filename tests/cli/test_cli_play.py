"""Recording with keys: whole matches, offers, other events, and going back."""

import io
import re
from pathlib import Path

import pytest

from cli.play.keys import Keys, LineKeySource
from cli.play.offers import OpenSlot
from cli.play.paper import Paper
from cli.play.picker import Item, Picker
from domain.law.entries import Closed, Corrected, Noted, Played, Restored, Rewound, fold_entries
from domain.law.offers import SlotChoice
from recorder.match_loader import LoadedMatch, load_match
from recorder.store import Store
from tests.cli.runs import ROOT, fine, inside, program
from tests.cli.typist import at_random, lines, offers, play


def open_match(folder: Path, seed: int = 5) -> Path:
    folder.mkdir(exist_ok=True)
    store = folder / "s.sqlite"
    fine(store, "new", "blackpoker@8.1-lite", "--seed", str(seed), "--match", "t1")
    return store


def stored(store: Path, name: str = "t1") -> LoadedMatch:
    with Store.open(store, read_only=True) as one:
        found = load_match(one, name)
    assert isinstance(found, LoadedMatch)
    return found


def drafts(store: Path) -> list[Path]:
    return list(store.parent.glob("*.draft*"))


@pytest.mark.parametrize(("lang", "seed"), [("en", 5), ("ja", 6)])
def test_a_whole_match_is_typed_line_by_line(tmp_path: Path, lang: str, seed: int) -> None:
    store = open_match(tmp_path, seed)
    ran = play(store, "t1", "--count", answers=at_random(seed), lang=lang)
    assert ran.code == 0, ran.out[-2000:]
    found = stored(store)
    assert found.closed and found.table.result is not None
    played = [one for one in found.entries if isinstance(one, Played) and one.actor in found.opening.seats]
    assert not any(one.violations for one in played)
    assert inside(store, "audit", "t1").code == 0
    counted = re.search(r"(?:actions: |アクション：)(\d+)", ran.out)
    assert counted is not None and int(counted[1]) == len(played)
    assert max(len(line.encode("utf-8")) for line in ran.out.splitlines()) < 79 * 3
    assert drafts(store) == []


def test_a_verb_is_one_key_and_what_leaves_no_choice_is_not_asked(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("b/8/p/p"))
    assert ran.code == 0
    did = [one for one in stored(store).entries if isinstance(one, Played) and one.actor in ("p1", "p2")]
    assert len(did) == 4
    menu = ran.out.split("p2:  ")[1]
    assert "[p] pass" in menu and "[e] End" in menu and "Search" not in menu.split(" > ")[0]
    assert "BP-8.2" in ran.out


def test_cards_are_meant_by_number_by_face_and_by_thing(tmp_path: Path) -> None:
    for number, typed in enumerate(("s1", "sc6", "s c 6")):
        folder = tmp_path / str(number)
        folder.mkdir()
        store = open_match(folder)
        play(store, "t1", answers=lines(typed))
        entry = stored(store).entries[3]
        assert isinstance(entry, Played) and b"summon_soldier" in bytes(entry.action), typed
        assert "C6" in fine(store, "log", "t1", "--from", "4", "--to", "4").out


def test_a_step_is_taken_back_before_it_is_recorded(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("s</e"))
    entry = stored(store).entries[3]
    assert isinstance(entry, Played) and b"end" in bytes(entry.action), ran.out


def test_garbage_records_nothing(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    garbage = ["\x00\x01\x1b[A\x7f\n", "%%%%\n", "0" * 5000 + "\n", "\n", "ｚ\n", "\ufeff\n", "s99\n", "<\n", "🂡\n"]
    ran = play(store, "t1", answers=garbage)
    assert ran.code == 0 and len(stored(store).entries) == 3
    assert "\x1b" not in ran.out and "\x00" not in ran.out
    assert len(ran.out) < 20_000


def test_full_width_keys_of_a_japanese_keyboard_are_understood(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=["ｓ１\n"], lang="ja")
    assert len(stored(store).entries) == 4


def test_a_verb_that_is_not_offered_says_why_and_is_recorded_as_played(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    fine(store, "do", "t1", "p2: set_bulwark")
    fine(store, "do", "t1", "p2: choose_bulwark_card C6")
    ran = play(store, "t1", answers=lines("b/<"))
    assert (
        len(stored(store).entries) == 5
        and "not allowed now" in ran.out
        and re.search(r"not allowed by BP-\d+\.\d+: ", ran.out)
    )
    ran = play(store, "t1", answers=["b\n", "\n", "\n"])
    entry = stored(store).entries[-1]
    assert isinstance(entry, Played) and entry.violations, ran.out
    assert "as played" in ran.out


def test_any_action_as_played_in_notation(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("!a/nonsense/p1: end/"))
    assert "nonsense" in ran.out
    entry = stored(store).entries[3]
    assert isinstance(entry, Played) and (entry.actor, bool(entry.violations)) == ("p1", True)
    assert inside(store, "audit", "t1").code == 1


def test_what_was_refused_may_be_let_go(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("!a/p1: end/<"))
    assert len(stored(store).entries) == 3 and "nothing was recorded" in ran.out


def test_facts_by_hand_a_note_and_another_card(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("!f/turn u57 sideways/turn u57 up//it lay open/!n/p2 asked/!x/C6/C4//"))
    found = stored(store)
    kinds = [type(one) for one in found.entries[3:]]
    assert kinds[:2] == [Corrected, Noted], ran.out
    fact, note = found.entries[3:5]
    assert isinstance(fact, Corrected) and fact.reason == "it lay open"
    assert isinstance(note, Noted) and note.text == "p2 asked"


def test_a_card_that_is_another_changes_places_in_the_record(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    before = stored(store).table
    life = before.pieces[before.places["p2.life"][3]].face  # type: ignore[index]
    ran = play(store, "t1", answers=lines(f"!x/C6/{life}@p2.life//"))
    after = stored(store).table
    hand = {after.pieces[card].face for card in after.places["p2.hand"]}  # type: ignore[index]
    assert life in hand and "C6" not in hand, ran.out
    assert after.pieces[after.places["p2.life"][3]].face == "C6"  # type: ignore[index]


def growing(folder: Path) -> tuple[Path, str]:
    """Return a store and the key of Up, which the first player has requested on the stage."""
    for seed in range(1, 40):
        store = open_match(folder / str(seed), seed)
        table = stored(store).table
        seat = table.clock.awaited[0]
        hand = [str(table.pieces[card].face) for card in table.places[f"{seat}.hand"]]  # type: ignore[index]
        for key in (one for one in hand if one[0] == "H" and one[1:].isdigit()):
            paid = next(one for one in hand if one != key)
            soldier = table.pieces[table.places[f"{seat}.soldiers"][0]].thing  # type: ignore[index]
            fine(store, "do", "t1", f"{seat}: up {key} {paid} u{soldier}")
            return store, f"{seat}:{key}"
    raise AssertionError("nobody is dealt a key for Up")


def other_of(store: Path) -> str:
    table = stored(store).table
    cards = (table.pieces[card] for card in table.places[f"{table.clock.first}.life"])  # type: ignore[index]
    return str(next(piece.face for piece in cards if piece.face and piece.face[1:].isdigit()))


def test_what_still_counts_a_card_that_is_another_is_listed_and_entered_again(tmp_path: Path) -> None:
    store, key = growing(tmp_path)
    ran = play(store, "t1", "--by", "judge", answers=lines(f"!x/{key}/{other_of(store)}////"))
    assert "effects still depend on" in ran.out and "enter the action again" in ran.out, ran.out
    last = stored(store).entries[-1]
    assert isinstance(last, Rewound) and last.to == 3


def test_only_the_cards_change_if_that_is_wanted_and_an_audit_says_what_is_left(tmp_path: Path) -> None:
    store, key = growing(tmp_path)
    for _ in range(2):  # both pass and the request resolves: the card is in the fog and counts
        active = stored(store).table.clock.awaited[0]
        fine(store, "do", "t1", f"{active}: pass")
    assert stored(store).table.effects
    ran = play(store, "t1", answers=lines(f"!x/{key}/{other_of(store)}/k//"))
    assert "effects still depend on" in ran.out and isinstance(stored(store).entries[-1], Corrected), ran.out
    found = inside(store, "audit", "t1", "--as", "judge")
    assert found.code == 1 and "still uses the number of" in found.out, found.out


def test_the_other_card_is_looked_for_in_the_same_deck_first(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    table = stored(store).table
    mine, theirs = table.places["p1.hand"], table.places["p2.hand"]  # type: ignore[index]
    twin = next(
        piece.face
        for piece in (table.pieces[card] for card in table.places["p1.life"])  # type: ignore[index]
        if piece.face in {table.pieces[card].face for card in theirs}
    )
    ran = play(store, "t1", answers=lines(f"!x/p1:{table.pieces[mine[0]].face}/{twin}//"))
    after = stored(store).table
    assert twin in {after.pieces[card].face for card in after.places["p1.hand"]}, ran.out  # type: ignore[index]


def test_undo_adds_a_rewind_and_shows_its_cost(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("e/-//wwrong key"))
    found = stored(store)
    last = found.entries[-1]
    assert isinstance(last, Rewound) and (last.to, last.reason) == (3, "wrong key")
    assert "entries undone by a rewind to entry 3: 1" in ran.out
    assert len(found.entries) == 5
    again = play(store, "t1", answers=lines("-/"))
    assert "nothing to undo" in again.out and len(stored(store).entries) == 5


def test_redo_takes_the_last_undo_back_and_then_the_one_before(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("+/e/p/-///-///+//+/wit was right/+"))
    found = stored(store)
    assert [type(one) for one in found.entries[3:]] == [Played, Played, Rewound, Rewound, Restored, Restored], ran.out
    first, second = found.entries[7:]
    assert isinstance(first, Restored) and isinstance(second, Restored)
    assert (first.to, second.to, second.reason) == (6, 5, "it was right")
    assert found.table == fold_entries(found.entries, 5)
    assert "entries restored: 1" in ran.out and ran.out.count("nothing to redo") == 2
    play(store, "t1", answers=lines("-//"))
    assert isinstance(stored(store).entries[-1], Rewound) and stored(store).table == fold_entries(found.entries, 4)


def test_redo_is_offered_behind_an_undo_only_and_may_be_let_go(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("e/-///+/</p"))
    prompts = [one.partition("> ")[0] for one in ran.out.split("[-] undo")[1:]]
    assert ["[+] redo" in one for one in prompts] == [False, False, True, True, False], ran.out
    assert [type(one) for one in stored(store).entries[3:]] == [Played, Rewound, Played]


def test_undo_may_be_let_go(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=lines("e/-/<"))
    assert len(stored(store).entries) == 4


def test_one_seat_alone_sees_and_types_its_own(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", "--as", "p1", answers=["=\n", "\n"])
    assert "waiting for p2" in ran.out
    hand = {piece.face for piece in stored(store).table.pieces.values() if piece.place == "p2.hand"}
    shown = set(re.findall(r"\b[SHDC](?:10|[2-9AJQK])\b", ran.out))
    own = stored(store).table
    known = ("p1.hand", "p1.bulwarks", "p1.grave", "p2.grave")
    public = {piece.face for piece in own.pieces.values() if piece.up or piece.place in known}
    assert hand - public and shown and shown <= public
    refused = play(store, "t1", "--as", "p1", answers=lines("!f/"))
    assert "only the recorder of all seats" in refused.out
    other = play(store, "t1", "--as", "p1", answers=lines("!a/p2: end/"))
    assert "only the recorder of all seats" in other.out and len(stored(store).entries) == 3


def test_what_ends_the_match_is_asked_twice(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    shown = play(store, "t1", answers=lines("n/!e2/<")).out
    assert "] concede" not in shown.partition("how the match ends")[0], "no key beside the others"
    play(store, "t1", answers=lines("!e2//<"))
    assert stored(store).table.result is None, "an empty Enter does not end it"
    ran = play(store, "t1", answers=lines("!e2/y/c/y"))
    found = stored(store)
    assert found.table.result is not None and isinstance(found.entries[-1], Closed), ran.out
    closed = play(store, "t1", answers=[])
    assert closed.code == 2 and "closed in entry" in closed.err


def test_a_match_in_which_nobody_acts_and_nobody_has_won_is_given_up_for_a_reason(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    fine(store, "correct", "t1", "clock turn=1 active=p1 first=p1 phase=play", "--reason", "both have left")
    ran = play(store, "t1", answers=lines("c//c/p1 fell ill/<"))
    assert "reason for abandoning it" in ran.out and not stored(store).closed
    play(store, "t1", answers=lines("c/p1 fell ill/y"))
    last = stored(store).entries[-1]
    assert isinstance(last, Closed) and last.reason == "p1 fell ill" and last.seed


def test_chance_is_typed_by_hand(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    fine(store, "rewind", "t1", "--to", "1", "--reason", "a real table")
    fresh = tmp_path / "real.sqlite"
    exported = fine(store, "export", "t1", "--as", "judge", "--format", "jsonl").out.splitlines()[0]
    record = tmp_path / "one.jsonl"
    record.write_text(exported + "\n", encoding="utf-8")
    fine(fresh, "import", record)
    ran = play(fresh, "t1", "--chance-by-hand", answers=lines("XX/S2 S3 H8/d10,h10,C5"))
    table = stored(fresh)
    assert "XX is not among these cards" in ran.out
    assert len(table.entries) >= 3, ran.out
    faces = [table.table.pieces[card].face for entry in table.entries[1:2] for card in _order(entry)]
    assert faces[:3] == ["S2", "S3", "H8"]
    assert isinstance(table.entries[1], Played) and table.entries[1].by_hand


def _order(entry: object) -> list[int]:
    import msgspec

    assert isinstance(entry, Played)
    order: list[int] = msgspec.msgpack.decode(entry.action)["order"]
    return order


def test_every_prompt_offers_help_board_and_viewer(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("?/=/@/s?1"))
    assert "Press a key" in ran.out and "after entry 3, seen by spectator" in ran.out
    assert "view: judge" in ran.out and len(stored(store).entries) == 4
    assert offers("x\np1:  [p] pass  [e] End > ") == {"p": "pass", "e": "End"}


@pytest.mark.process
def test_bad_seats_and_help(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    wrong = play(store, "t1", "--as", "p9", answers=[])
    assert wrong.code == 2 and "p9" in wrong.err
    for lang in ("en", "ja"):
        text = inside(store, "play", "--help", "--lang", lang)
        assert text.code == 0 and "shinpan play table-17 --as p1,p2" in text.out
    raw = program(tmp_path, "play", "t1", store=store, given=b"\xff\xfe%\n\x80" * 50)
    assert raw.code == 0 and len(stored(store).entries) == 3
    piped = program(tmp_path, "play", "t1", store=store, given=b"e\np\n")
    assert piped.code == 0 and len(stored(store).entries) == 5


def test_the_page_about_play_shows_what_it_does(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    (commands, *_), (transcript, *_) = (
        re.findall(r"(?:^    .*\n)+", page, re.M),
        re.findall(r"```text\n(.*?)```", page, re.S),
    )
    shown = [line for line in transcript.splitlines() if line.strip() != "..."]
    store = open_match(tmp_path)
    printed = play(store, "t1", answers=lines("s2")).out.splitlines()
    assert [line for line in shown if line not in printed] == []
    for line in commands.splitlines():
        command = line.split("#")[0].split()
        assert command[:3] == ["shinpan", "play", "MATCH"]
        assert play(store, "t1", *command[3:], answers=[]).code == 0
    offered = set(re.findall(r"^\| (`.`(?: `.`)?)", page, re.M))
    assert {"`!`", "`-`", "`+`", "`=` `@`", "`/`", "`?`", "`.`"} <= offered


def picker(typed: str) -> Picker:
    paper = Paper(io.StringIO(), "en")
    return Picker(Keys(LineKeySource(io.StringIO(typed)), lambda _: None, paper.echo), paper, lambda _: False)


def named(value: int) -> Item:
    return Item(value, f"card {value}", (f"c{value}",))


@pytest.mark.parametrize(
    ("typed", "picked"),
    [
        ("2 1 2 3\n", (1, 3)),
        ("3\n1\n", (3,)),
        ("c3 c1\n", (3, 1)),
        ("*", (1, 2, 3)),
        ("2*", (2, 1, 3)),
        ("\n", ()),
        ("321", (3, 2, 1)),
        ("1<2\n", (2,)),
    ],
)
def test_lists_are_toggled_in_the_order_that_is_meant(typed: str, picked: tuple[int, ...]) -> None:
    choice = SlotChoice("units", (1, 2, 3), 0, 3, many=True, ordered=True)
    for slot in (OpenSlot(choice, tuple(choice.fillings()), True), OpenSlot(choice, (), False)):
        assert picker(typed).several("units", [named(n) for n in (1, 2, 3)], slot) == picked


@pytest.mark.parametrize(
    ("typed", "picked"),
    [
        ("\n", ()),
        ("1 2 2 1", ((11, 2), (12, 1))),
        ("1 1 1 1 2\n", ((11, 2),)),
        ("1 1 <\n\n", ()),
        ("2 < 1 1\n", ((11, 1),)),
    ],
)
def test_blockers_are_bound_one_by_one(typed: str, picked: tuple[tuple[int, int], ...]) -> None:
    choice = SlotChoice("blocks", ((11, 1), (11, 2), (12, 1), (12, 2)), 0, 4, many=True, once=True)
    slot = OpenSlot(choice, tuple(choice.fillings()), True)
    assert picker(typed).pairs("blocks", "against", named, slot) == picked


def test_verbs_have_one_key_each_for_good() -> None:
    from domain.games import GAMES
    from projections.verb_keys import verb_keys

    for game in GAMES.values():
        keys = verb_keys(game)
        assert len(set(keys.values())) == len(keys)
        assert all(len(key) == 1 and key not in "!-=@?./<*" for key in keys.values())
        unoffered = set(game.other_verbs.values())
        assert len(keys) == sum(one not in unoffered for one in game.action_types)


def test_a_prompt_names_the_player(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    fine(store, "new", "blackpoker@8.1-lite", "--seed", "5", "--match", "t1", "--p1", "Aoi", "--p2", "Ren")
    ran = play(store, "t1", answers=[".\n"])
    assert "\nRen:  [" in ran.out and "\np2:" not in ran.out
