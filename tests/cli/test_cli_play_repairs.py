"""Shortcuts: a pass of all players, corrections of an entry, missed entries, cards outside the offers."""

from pathlib import Path

import pytest

from domain.law.entries import Corrected, Noted, Played, Restored, Rewound, line
from domain.law.slots import verb
from domain.words import Lang
from recorder.match_loader import LoadedMatch
from recorder.remarks import find_rewind_request
from tests.cli.runs import fine, inside
from tests.cli.test_cli_play import drafts, open_match, stored
from tests.cli.typist import lines, offers, play


def verbs(match: LoadedMatch) -> list[tuple[str, str]]:
    """Return actor and verb of the actions after the deal that still count."""
    played = (match.entries[number - 1] for number in line(match.entries) if number > 3)
    decode = match.game.decoder().decode
    return [(entry.actor, verb(decode(entry.action))) for entry in played if isinstance(entry, Played)]


def test_enter_lets_all_pass_until_it_resolves_and_says_so_in_a_line(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", "--count", answers=lines("s1//p"))
    assert verbs(stored(store))[:3] == [("p2", "summon_soldier"), ("p2", "pass"), ("p1", "pass")], ran.out
    assert "5-6 all pass: p2, p1\n  BP-8.5 C6" in ran.out
    assert "passes: 3, other actions: 1, keys per action: 2.00, including passes: 4.00" in ran.out
    entries = stored(store).entries
    assert all(isinstance(entry, Played) and len(entry.told) for entry in entries[3:6])


def test_all_pass_stops_at_a_question_at_a_new_request_and_where_somebody_else_records(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("a/"))
    assert verbs(stored(store)) == [("p2", "attack"), ("p2", "pass"), ("p1", "pass")], ran.out
    assert "designate attackers" in ran.out.rsplit("all pass: p2, p1", 1)[1]
    play(store, "t1", answers=lines(",/1"))  # after the attackers all pass, up to the choice of blockers
    assert [did for _, did in verbs(stored(store))[3:]] == ["designate_attackers", "pass", "pass"]
    fresh = open_match(tmp_path / "end")
    ended = play(fresh, "t1", answers=lines("s1//e/"))  # the law itself has put a Draw on the stack
    assert [did for _, did in verbs(stored(fresh))[3:]] == ["end", "pass", "pass"]
    assert "Draw (p1)" in ended.out.rsplit("all pass: p2, p1", 1)[1]
    other = open_match(tmp_path / "seat")
    alone = play(other, "t1", "--as", "p2", answers=lines("e/"))
    assert verbs(stored(other)) == [("p2", "end"), ("p2", "pass")] and "waiting for p1" in alone.out


def test_nobody_answers_from_a_key_on_but_for_one_action(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines(",/s1/M/1"))
    did = verbs(stored(store))
    assert did == [("p2", "summon_soldier"), ("p2", "pass"), ("p1", "pass"), ("p2", "summon_ace")], ran.out
    assert ran.out.count("responses off") == 1
    switched = play(store, "t1", answers=lines(",/,"))
    assert "every action waits for responses" in switched.out and verbs(stored(store))[4:] == [
        ("p2", "pass"),
        ("p1", "pass"),
    ]


def test_an_ending_is_asked_for_before_anybody_passes_into_it(tmp_path: Path) -> None:
    from tests.cli.scorekeeper import Scorekeeper

    store, keeper = open_match(tmp_path, 8), Scorekeeper(8)

    def typing(typist: object) -> object:
        while "this ends the match" not in (shown := typist.output):  # type: ignore[attr-defined]
            key = keeper.press(shown)
            yield key if key == "\n" else f"{key}\n"
        yield "<\n"

    ran = play(store, "t1", answers=typing)  # type: ignore[arg-type]
    assert stored(store).table.result is None and "nothing was recorded" in ran.out


@pytest.mark.parametrize("typed", [["s1pppesm\n"], ["s1\n", "ppse\n"]])
def test_a_burst_of_keys_records_one_action_at_most(tmp_path: Path, typed: list[str]) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=typed)
    assert len(verbs(stored(store))) == len(typed), ran.out
    assert "typed before the last entry was shown" in ran.out


def test_an_entry_is_undone_by_three_keys_and_redone_by_two(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", "--by", "head Ito", answers=lines("s1//e//-/2/"))
    match = stored(store)
    last = match.entries[-1]
    assert isinstance(last, Rewound) and last.to == 3 and "4 p2: Summon soldier" in ran.out, ran.out
    play(store, "t1", "--by", "head Ito", answers=lines("+/"))
    again = stored(store)
    assert isinstance(again.entries[-1], Restored) and again.entries[-1].to == 9
    assert len(verbs(again)) == 6


def test_a_scorekeeper_undoes_and_redoes_alone_what_nobody_learned_from(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=lines("e/-///+/"))
    kinds = [type(entry) for entry in stored(store).entries[3:]]
    assert kinds == [Played, Rewound, Restored], kinds


def test_a_scorekeeper_calls_a_judge_once_somebody_has_seen_a_card_since(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("s1//e//-/2/r/<"))
    assert len(stored(store).entries) == 9 and "a new card has been seen since then" in ran.out, ran.out
    play(store, "t1", answers=lines("-/2/"))
    match = stored(store)
    asked = find_rewind_request(match.entries)
    assert asked is not None and asked.to == 3 and len(verbs(match)) == 6
    play(store, "t1", "--by", "head Ito", answers=lines("-/2/"))
    ran = play(store, "t1", answers=lines("+/<"))
    assert isinstance(stored(store).entries[-1], Rewound) and "a judge has acted in this match since then" in ran.out


def test_another_card_is_entered_in_its_place_and_what_came_later_again(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=lines("s1//e/"))
    before = stored(store)
    ran = play(store, "t1", "--by", "judge", answers=lines("-/2/r/2"))
    match = stored(store)
    assert verbs(match) == verbs(before), ran.out
    soldiers = [match.table.pieces[card].face for card in match.table.places["p2.soldiers"]]  # type: ignore[index]
    assert "C10" in soldiers and "C6" not in soldiers
    assert "recorded again unchanged" in ran.out
    assert inside(store, "audit", "t1").code == 0
    play(store, "t1", "--by", "judge", answers=lines("+/"))
    assert stored(store).table == before.table


def test_what_does_not_stand_any_more_is_left_and_named(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=lines("s1//m/1//e"))
    taken = stored(store)
    assert [did for _, did in verbs(taken)].count("summon_ace") == 1
    ran = play(store, "t1", "--by", "judge", answers=lines("-/3/r/</e"))  # the turn ended here, so no ace was summoned
    assert "not recorded again" in ran.out and "p2: Summon ace" in ran.out.split("not recorded again")[1], ran.out
    assert verbs(stored(store))[0] == ("p2", "end")
    assert inside(store, "audit", "t1").code == 0


def test_what_was_illegal_is_recorded_in_its_place_as_played(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=lines("a//1"))
    thing = next(piece.thing for piece in stored(store).table.pieces.values() if piece.place == "p2.bulwarks")
    ran = play(store, "t1", answers=lines(f"-/1/r/u{thing}//"))
    entry = stored(store).entries[8]
    assert isinstance(entry, Played) and entry.violations, ran.out
    assert "not allowed by BP-" in ran.out and inside(store, "audit", "t1").code == 1


def test_an_entry_stands_by_a_ruling_that_names_what_it_broke(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    fine(store, "do", "t1", "p1: end", "--as-played")
    ran = play(store, "t1", answers=lines("-//k"))
    note = stored(store).entries[-1]
    assert isinstance(note, Noted) and note.about == 4, ran.out
    assert "BP-" in note.text and "stands as played" in note.text


def test_a_card_that_is_not_offered_is_explained_and_recorded_as_played(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=lines("a/"))
    thing = next(piece.thing for piece in stored(store).table.pieces.values() if piece.place == "p2.bulwarks")
    refused = play(store, "t1", answers=lines(f"u{thing}/<"))
    assert "not allowed by BP-7" in refused.out and "nothing was recorded" in refused.out, refused.out
    ran = play(store, "t1", answers=lines(f"u{thing}/"))
    entry = stored(store).entries[-1]
    assert isinstance(entry, Played) and entry.violations, ran.out
    assert f"u{thing}" in fine(store, "log", "t1", "--as", "p2").out


@pytest.mark.parametrize(
    ("before", "typed", "clause"), [(",/a/1", "c6", "BP-7."), ("", "s/ha/", "BP-5.8"), ("", "sc9", "")]
)
def test_it_is_explained_in_pairs_and_where_more_is_to_be_named(
    tmp_path: Path, before: str, typed: str, clause: str
) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=lines(before))
    version = len(stored(store).entries)
    ran = play(store, "t1", answers=lines(f"{typed}/<"))
    assert (f"not allowed by {clause}" in ran.out) == bool(clause), ran.out
    assert clause or "c9: not available here" in ran.out  # no player at the table has this card
    assert len(stored(store).entries) == version


def test_what_the_table_forgot_is_picked_and_its_clause_is_the_reason(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=lines("s1//e//"))
    before = stored(store).table
    ran = play(store, "t1", answers=lines("!m/3/"))
    entry = stored(store).entries[-1]
    assert isinstance(entry, Corrected), ran.out
    assert entry.reason in ran.out and "not done at the table: BP-" in entry.reason
    assert stored(store).table != before
    refused = play(store, "t1", "--as", "p1", answers=lines("!m"))
    assert "only the recorder of all seats" in refused.out


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_card_is_read_at_any_prompt(tmp_path: Path, lang: Lang) -> None:
    store = tmp_path / "s.sqlite"
    fine(store, "new", "grimoire@1", "--seed", "5", "--match", "t1")
    before = stored(store)
    seat = before.table.asked[0].by
    hidden = before.table.pieces[before.table.places[f"{seat}.grimoire"][0]].face  # type: ignore[index]
    ran = play(store, "t1", answers=lines(":1/:c02/:"), lang=lang)
    first = offers(ran.out.split(" > ")[0] + " > ")["1"].split()[0]
    for face in (first, "C02"):
        assert "\n".join(before.game.display.card(face, lang)[1:]).replace("\n", " ")[:30] in " ".join(ran.out.split())
    assert hidden is not None and before.game.display.card(hidden, lang)[-1] not in ran.out
    assert len(stored(store).entries) == before.version and drafts(store) == []


def test_no_face_is_read_that_the_seat_may_not_know(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    table = stored(store).table
    thing = next(piece.thing for piece in table.pieces.values() if piece.place == "p1.bulwarks")
    ran = play(store, "t1", "--as", "p2", answers=lines(f":u{thing}"))
    assert f"card to read > u{thing}" in ran.out.replace("\n", "")[-400:] or "this card has no text" in ran.out


def test_few_whole_actions_have_a_digit_each(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("2"))
    assert verbs(stored(store)) == [("p2", "summon_soldier")] and "key cards C10" in ran.out
    assert offers(ran.out.split(" > ")[0] + " > ")["2"] == "C10"
