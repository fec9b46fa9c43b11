"""Decks in two parts: as text, in a casebook, and in a record's notation."""

import pytest
from msgspec.structs import replace

from domain.formats.casebook import Report, load_casebook, run_case
from domain.formats.decks import DECK_MAX, expand_copies, named_deck, read_deck
from domain.formats.errors import FormatError
from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.entries import Entry, opened_of
from domain.law.game import Deck, decks_of
from domain.law.law import Law
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Place, Seat
from projections.seen_entries import seen_entries
from recorder import codec
from recorder.imports import find_fault
from recorder.simulate import simulate
from tests.rows import for_each
from tests.shelves import seen_by
from tests.toy import GAMES as TOYS, TOY, Rules

P1, P2 = Seat("p1"), Seat("p2")
SIDED = named_deck(TOY, "sided")


def test_a_list_says_how_often_a_face_is_in_it() -> None:
    assert expand_copies(["S01x4", "S03", "Jx2", "x9", "S2x0"]) == (*["S01"] * 4, "S03", "J", "J", "x9", "S2x0")


def test_a_deck_file_has_a_main_part_and_may_have_a_side() -> None:
    assert read_deck(TOY, 'main = ["S1x2", "H3"]\nside = ["X1"]') == Deck(("S1", "S1", "H3"), ("X1",))
    assert read_deck(TOY, 'main = ["S1"]') == Deck(("S1",))
    assert SIDED.faces == SIDED.main + SIDED.side and len(SIDED.side) == 3


@for_each(
    "text, line, en, ja",
    [
        ("main = [", 1, "Invalid value", "TOML"),
        ("deck = []", 1, "there is no key 'deck'", "キー"),
        ("main = 4", 1, "Expected `array`", "`array`"),
        ('main = ["S4", 4]', 1, "main[1]", "main[1]"),
        ("side = []", 1, "main = [...]", "main = [...]"),
        ('main = ["S4", "S44"]', 1, "there is no card 'S44' (did you mean S4?)", "S44"),
        ("main = [" + '"S4x99",' * (DECK_MAX // 99 + 1) + "]", 1, f"at most {DECK_MAX}", f"{DECK_MAX}枚まで"),
    ],
)
def test_a_file_that_is_no_deck_says_why(text: str, line: int, en: str, ja: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_deck(GAMES["blackpoker"], text, "mine.toml")
    error = caught.value
    assert (error.name, error.line) == ("mine.toml", line)
    assert en in error.message.say("en") and ja in error.message.say("ja")


def test_a_name_that_no_deck_has_says_which_there_are() -> None:
    with pytest.raises(FormatError, match="there is no deck 'shrt'"):
        named_deck(TOY, "shrt")


def toy_case(body: str) -> Report:
    book = load_casebook(f'game = "toy"\nversion = "1"\n[[case]]\nid = "c"\n{body}', "toy.cases.toml")
    return run_case(book.cases[0], TOY)


STEP = "\n[[case.step]]\nwhen = []\n"


@for_each(
    "deck, then",
    [
        ('["S1x4", "S9"]', 'then.count = { "p1.deck" = 5, "p1.hand" = 0 }'),
        ('{ main = ["S1x4"], side = ["X1", "X2"] }', 'then.has = { "p1.hand" = ["X1", "X2"], "p1.deck" = ["S1"] }'),
        ('"sided"', 'then.count = { "p1.deck" = 5, "p1.hand" = 3, "p2.deck" = 10, "p2.hand" = 0 }'),
        ('["S1"]', 'then.refused = "T-6"'),
    ],
)
def test_a_case_lists_a_deck_writes_both_parts_or_names_one(deck: str, then: str) -> None:
    report = toy_case(f"given.set_up = {{}}\ngiven.decks.p1 = {deck}{STEP}{then}")
    assert report.passed, report.failure


def test_fillers_come_from_the_seats_own_deck_its_main_part_first() -> None:
    body = 'given.places = { "p1.deck" = ["x4"], "p2.deck" = ["x4"], "p2.hand" = ["S1"] }\ngiven.decks.p1 = "sided"'
    then = 'then.places = { "p1.deck" = ["H1", "H2", "H3", "H4"], "p2.deck" = ["S2", "S3", "S4", "S5"] }'
    report = toy_case(body + STEP + then)
    assert report.passed, report.failure
    report = toy_case(body.replace('"x4"], "p2', '"x6"], "p2') + STEP + 'then.has."p1.deck" = ["H5", "X1"]')
    assert report.passed, report.failure
    report = toy_case(body.replace('"x4"], "p2', '"x9"], "p2') + STEP + "then.turn = 0")
    assert report.failure is not None and "exceeds the rest of the deck" in str(report.failure.found)


@for_each(
    "deck, why",
    [
        ('decks.p1 = "shrt"', "there is no deck 'shrt'"),
        ('decks.p9 = "short"', "there is no seat 'p9'"),
    ],
)
def test_a_case_with_a_wrong_deck_does_not_hold(deck: str, why: str) -> None:
    report = toy_case(f"given.set_up = {{}}\ngiven.{deck}{STEP}then.turn = 0")
    assert report.failure is not None and why in str(report.failure.found)


@for_each("deck, why", [("{ top = [] }", "unknown field `top`"), ("4", "Expected `"), ("{ main = [4] }", "main")])
def test_a_case_with_a_deck_of_another_form_is_not_read(deck: str, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        toy_case(f"given.set_up = {{}}\ngiven.decks.p1 = {deck}{STEP}then.turn = 0")


@pytest.fixture(scope="module")
def record() -> list[Entry]:
    return simulate(Law(TOY, Rules()), 1, decks={P2: SIDED})


def test_a_record_keeps_both_parts_and_is_found_sound(record: list[Entry]) -> None:
    first = opened_of(record)
    assert first.decks[P2] == SIDED.main and first.sides == {P2: SIDED.side}
    assert decks_of(first) == {P1: TOY.deck(Rules(), P1), P2: SIDED}
    assert find_fault(record, TOYS) is None and audit(TOY, record).findings == ()
    assert audit(TOY, [replace(first, sides={P2: ("X1", "X1", "X2")}), *record[1:]]).findings != ()


def test_a_side_goes_through_json_and_notation_and_back(record: list[Entry]) -> None:
    lines = [codec.to_json_line(codec.encode(one)) for one in record]
    assert [codec.decode(codec.from_json_line(one)) for one in lines] == record
    text = write_notation(TOY, record)
    assert '[Side "p2" "X1 X2 X2"]' in text and '[Side "p1"' not in text
    assert parse_notation(text, TOYS) == record


@pytest.mark.parametrize(
    ("decks", "sides", "written"),
    [
        ({P1: ("S1",), P2: ("S1",)}, {P1: ()}, '[Side "p1" ""]'),
        ({P1: ("S1",)}, {}, '[Deck "p2" "-"]'),
        ({P1: ("S1",)}, {P2: ("X1", 'odd "face"')}, '[Side "p2" "X1 '),
    ],
)
def test_what_a_record_holds_of_a_deck_is_written_exactly(
    record: list[Entry], decks: dict[Seat, tuple[str, ...]], sides: dict[Seat, tuple[str, ...]], written: str
) -> None:
    first = replace(opened_of(record), decks=decks, sides=sides)
    text = write_notation(TOY, [first, *record[1:]])
    assert written in text
    assert parse_notation(text, TOYS) == [first, *record[1:]]


def test_where_the_rules_have_a_side_a_record_may_have_none(record: list[Entry]) -> None:
    sided = replace(TOY, deck=lambda rules, seat: SIDED)
    entries = simulate(Law(sided, Rules()), 2)
    text = write_notation(sided, entries)
    assert "[Deck" not in text and "[Side" not in text
    assert parse_notation(text, {"toy": sided}) == entries
    bare = simulate(Law(sided, Rules()), 2, decks={P1: Deck(SIDED.main)})
    text = write_notation(sided, bare)
    assert '[Side "p1" "-"]' in text and parse_notation(text, {"toy": sided}) == bare


def test_a_side_of_a_seat_that_is_not_there_is_refused(record: list[Entry]) -> None:
    text = write_notation(TOY, record).replace('[Side "p2"', '[Side "p7"')
    with pytest.raises(FormatError, match="there is no seat 'p7'"):
        parse_notation(text, TOYS)


def test_a_seat_that_is_no_chair_of_the_rules_has_the_first_ones_deck(record: list[Entry]) -> None:
    text = '[Game "toy"]\n[Version "1"]\n[Seat "p1"]\n[Seat "p9"]\n'
    chairs = replace(TOY, deck=lambda rules, seat: {P1: SIDED, P2: Deck(("S1",))}[seat])
    first = opened_of(parse_notation(text, {"toy": chairs}))
    assert first.decks == {P1: SIDED.main, Seat("p9"): SIDED.main}
    assert list(first.sides.values()) == [SIDED.side, SIDED.side]


def test_a_side_is_seen_by_its_owner_and_the_judge(record: list[Entry]) -> None:
    seen = {viewer: next(iter(seen_entries(*seen_by(TOY, record, viewer)))) for viewer in (P1, P2, SPECTATOR, JUDGE)}
    assert {viewer: sorted(one.sides) for viewer, one in seen.items()} == {P1: [], P2: [P2], SPECTATOR: [], JUDGE: [P2]}
    made = [fact for fact in seen[P1].facts if fact.place == Place("p2.hand")]
    assert made and all(card.face is None for fact in made for card in fact.cards)
