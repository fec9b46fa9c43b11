"""Repeated commands: recognised by their content before any other check, including commands that open a match."""

import pytest

from domain.law.entries import Described, Noted, Played
from domain.law.law import Law
from domain.law.remarks import KINDS, Kind, kind_of, note_words, write_remark
from domain.words import Text
from recorder.answers import Advanced, RecordResult, Reused
from recorder.commands import Command, Sender, command_of
from recorder.match_ids import LENGTH, SIGNS, id_of, opened_by
from recorder.matches import advance, answered_before, note, open_match, rewind
from recorder.remarks import clause_of, find_rewind_request, open_calls
from recorder.store import Conflict, Repeated, Store
from tests.toy import GAMES, TOY

LAW = Law(TOY, TOY.versions["1"])


def command(id: str, *words: object) -> Command:
    made = command_of(id, *words)
    assert made is not None
    return made


def test_a_whole_command_is_known_by_its_words_and_not_by_what_they_came_to(where: str) -> None:
    with Store.open(where) as store:
        assert open_match(store, LAW, "1", {}, match_id="m") == "m"
        said = command("c", "note", "x")
        assert answered_before(store, "m", said, GAMES) is None
        done = note(store, "m", "a", "x", command=said, games=GAMES)
        assert isinstance(done, RecordResult)
        assert answered_before(store, "m", said, GAMES) == done
        assert note(store, "m", "somebody else", "other text", command=said, games=GAMES) == done
        assert isinstance(answered_before(store, "m", command("c", "note", "y"), GAMES), Reused)
        assert isinstance(note(store, "m", "a", "x", command=command("c", "y"), games=GAMES), Reused)


ITO, AGAIN, OTHER = Sender("Ito", "a"), Sender("Ito", "b"), Sender("Abe", "c")


def make_command(sender: Sender, *words: object, id: str = "c") -> Command:
    made = command_of(id, *words, sender=sender)
    assert made is not None
    return made


def test_the_id_of_a_command_belongs_to_its_sender(where: str) -> None:
    with Store.open(where) as store:
        assert open_match(store, LAW, "1", {}, match_id="m") == "m"
        done = note(store, "m", "Ito", "x", command=make_command(ITO, "x"), games=GAMES)
        assert isinstance(done, RecordResult)
        assert note(store, "m", "Ito", "x", command=make_command(ITO, "x"), games=GAMES) == done
        assert note(store, "m", "Ito", "x", command=make_command(AGAIN, "x"), games=GAMES) == done, "signed in again"
        assert isinstance(note(store, "m", "Ito", "y", command=make_command(ITO, "y"), games=GAMES), Reused)
        for sender, words in ((OTHER, "x"), (AGAIN, "y")):
            assert answered_before(store, "m", make_command(sender, words), GAMES) is None
            own = note(store, "m", sender.name, words, command=make_command(sender, words), games=GAMES)
            assert isinstance(own, RecordResult) and own.version > done.version


def test_a_command_that_an_earlier_version_recorded_is_known_by_its_words(where: str) -> None:
    with Store.open(where) as store:
        assert open_match(store, LAW, "1", {}, match_id="m") == "m"
        done = note(store, "m", "Ito", "x", command=command("c", "x"), games=GAMES)
        assert answered_before(store, "m", make_command(ITO, "x"), GAMES) == done
        assert answered_before(store, "m", make_command(ITO, "y"), GAMES) is None


def test_each_sender_opens_a_match_under_an_id_and_earlier_ones_are_found(where: str) -> None:
    with Store.open(where) as store:
        before = id_of(TOY, "c")
        assert open_match(store, LAW, "1", {}, match_id=before, command=command("c", "old")) == before
        assert opened_by(store, TOY, make_command(ITO, "old")) == before
        ids = {}
        for sender, words in ((ITO, "x"), (AGAIN, "y"), (OTHER, "x")):
            said = make_command(sender, words)
            ids[sender] = opened_by(store, TOY, said)
            assert open_match(store, LAW, "1", {}, match_id=ids[sender], command=said) == ids[sender]
            assert opened_by(store, TOY, said) == ids[sender]
        assert len({before, *ids.values()}) == 4
        assert opened_by(store, TOY, make_command(ITO, "z")) == ids[ITO], "its sender has used the id"


def test_a_command_that_is_recorded_between_two_looks_of_a_second_one_is_answered_as_recorded(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second sender reads the match before the first records, and looks up the command afterwards."""
    with Store.open(where) as store, Store.open(where) as other:
        assert open_match(store, LAW, "1", {}, match_id="m") == "m"
        said, ask, firsts = command("c", "note", "x"), store.command, list[object]()

        def ask_late(match: str, id: str) -> Repeated | None:
            firsts.append(note(other, "m", "a", "x", command=said, games=GAMES))
            return ask(match, id)

        monkeypatch.setattr(store, "command", ask_late)
        assert note(store, "m", "a", "x", command=said, games=GAMES) == firsts[0]
        assert isinstance(firsts[0], RecordResult) and store.version("m") == firsts[0].version


def test_letting_the_croupier_answer_may_be_a_command_too(where: str) -> None:
    with Store.open(where) as store:
        assert open_match(store, LAW, "1", {}, match_id="m", with_croupier=False) == "m"
        assert isinstance(advance(store, "m", games=GAMES, expected=9), Conflict)
        said = command("c", "auto")
        done = advance(store, "m", games=GAMES, command=said, expected=1)
        assert isinstance(done, Advanced) and done.entries and all(isinstance(entry, Played) for entry in done.entries)
        assert advance(store, "m", games=GAMES, command=said, expected=1) == done
        assert isinstance(advance(store, "m", games=GAMES, command=command("c", "other")), Reused)
        assert isinstance(rewind(store, "m", 1, "x", "judge", games=GAMES, command=said), RecordResult)


def test_opening_is_repeated_under_its_command_and_under_no_other(where: str) -> None:
    with Store.open(where) as store:
        said = command("c", "open")
        assert open_match(store, LAW, "1", {}, match_id="m", command=said) == "m"
        assert open_match(store, LAW, "1", {}, match_id="m", command=said) == "m"
        assert isinstance(open_match(store, LAW, "1", {}, match_id="m", command=command("c", "other")), Reused)
        assert isinstance(open_match(store, LAW, "1", {}, match_id="m", command=command("d", "open")), Conflict)
        assert isinstance(open_match(store, LAW, "1", {}, match_id="m"), Conflict)
        first = answered_before(store, "m", said, GAMES)
        assert isinstance(first, RecordResult) and first.version == 1 and first.last == store.version("m")


def test_an_id_made_of_a_command_is_the_same_once_more() -> None:
    made = id_of(TOY, "c")
    assert made == id_of(TOY, "c") != id_of(TOY, "d")
    letters, _, code = made.partition("-")
    assert letters == "toy" or letters.islower()
    assert len(code) == 2 * LENGTH and set(code) <= set(SIGNS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_remark_says_its_kind_and_is_shown_in_the_language_of_its_reader(kind: Kind) -> None:
    text = write_remark(kind, Text("remark.call_impossible", {"n": 3}), "typed / 入力: x")
    assert kind_of(text) == kind and "judge" not in text
    assert note_words(text, "en") == "3 commands were refused because of hidden cards: typed / 入力: x"
    assert note_words(text, "ja") == "非公開のカードと合わない操作が3回あった: typed / 入力: x"


@pytest.mark.parametrize(
    ("text", "en", "ja"),
    [
        ("[call] a judge is called / 審判の呼び出し", "a judge is called", "審判の呼び出し"),
        (
            "[rewind] asks to go back to entry 12 / 記録12への巻き戻しの申請: hand: two",
            "asks to go back to entry 12: hand: two",
            "記録12への巻き戻しの申請: hand: two",
        ),
        (
            "[unread] typed, and not read as an action / 入力のまま（アクションとして読めず）: 遅刻",
            "typed, and not read as an action: 遅刻",
            "入力のまま（アクションとして読めず）: 遅刻",
        ),
        ("[seal] looked at by {x} / {x}の閲覧", "looked at by {x}", "{x}の閲覧"),
        ("[rewind] of another program", "[rewind] of another program", "[rewind] of another program"),
        ("a note", "a note", "a note"),
    ],
)
def test_a_remark_of_an_earlier_version_is_shown_in_one_language(text: str, en: str, ja: str) -> None:
    assert (note_words(text, "en"), note_words(text, "ja")) == (en, ja)


def test_what_an_old_and_a_new_note_say_is_found_in_them() -> None:
    says = "not recorded: the cards on the table do not allow it (BP-4.4)"
    old = f"[impossible] {says} / 記録されず：実際の盤面のカードと合わない（BP-4.4）: p1: up"
    new = write_remark("impossible", Text("remark.impossible_by", {"clause": "BP-4.4"}), "p1: up")
    assert clause_of(old) == clause_of(new) == "BP-4.4" and clause_of("x") == ""
    asked = [
        Noted(by="x", text=text, about=1) for text in (write_remark("rewind", Text("remark.rewind", {"to": 1}), "why"),)
    ]
    request = find_rewind_request(asked)
    assert request is not None and request.reason == "why"


@pytest.mark.parametrize("text", ["", "x", "[calls] x", "[call to=x] y", " [call] x", "call: x", "[Call] x", "[] x"])
def test_another_note_is_no_remark(text: str) -> None:
    assert kind_of(text) is None


def test_calls_are_open_until_they_are_answered() -> None:
    call, answered = write_remark("call", Text("remark.call")), write_remark("answered", Text("remark.call"))
    entries = [Noted(by="p1", text=call, at=5), Noted(by="p2", text=call), Noted(by="x", text=answered, about=1)]
    assert [(open_call.entry, open_call.by, open_call.at) for open_call in open_calls(entries[:2])] == [
        (1, "p1", 5),
        (2, "p2", 0),
    ]
    assert [open_call.entry for open_call in open_calls(entries)] == [2]
    assert open_calls([*entries, Noted(by="x", text=answered, about=9)]) == open_calls(entries)
    refused = Noted(by="x", text=write_remark("refused", Text("remark.call")))
    assert open_calls([*entries, refused]) == open_calls(entries), "a refusal that names no request"


def test_asking_to_go_back_is_void_once_anything_happens_on_the_table() -> None:
    asked = Noted(by="x", text=write_remark("rewind", Text("remark.call")), about=3)
    aside = [Noted(by="x", text="x"), Described(by="x")]
    standing = find_rewind_request([asked, *aside])
    assert standing is not None and (standing.to, standing.void) == (3, False)
    assert find_rewind_request(aside) is None
    gone = find_rewind_request([asked, Played(actor="p1", action=b"")])  # type: ignore[arg-type]
    assert gone is not None and gone.void
