"""Score sheets: every line is parsed or reported, and two sheets are compared by content alone."""

import time

import pytest
from hypothesis import given, strategies as st

from domain.formats.errors import FormatError
from domain.formats.sheets import (
    Acted,
    AnyLine,
    ByHand,
    Kind,
    Late,
    Reconciliation,
    Sheet,
    SheetDifference,
    SheetGap,
    SheetRemark,
    played,
    read_sheet,
    reconcile,
    settle,
    write_sheet,
)
from domain.formats.sheets.reader import LINES_MAX
from domain.games import GAMES
from domain.words import Text
from projections.sheets import compare_sheets
from tests.formats.sheets import HEAD, sheet
from tests.rows import for_each


def test_every_kind_of_line_is_read() -> None:
    read = sheet(
        "; what Kana saw",
        "chance: shuffle_deck p2 shows=S4,H10,C5,D7",
        "3. Ren: up H8 S2 u58 {quick}",
        'gap 3 "the camera was moved"',
        "    + turn u57 up",
        'gap "nobody wrote"',
        'learn u57 H9 "shown after the match"',
        'correct "the judge put it back"',
        "    + move u58 p2.hand",
        'note "late by two minutes"',
        'question "who attacked?"',
    )
    first, second, *rest = read.lines
    assert isinstance(first, Acted) and first.shows == ("S4", "H10", "C5", "D7") and first.line == 9
    assert isinstance(second, Acted) and (second.seat, second.words) == ("p2", ("up", "H8", "S2", "u58"))
    assert [type(line) for line in rest] == [SheetGap, SheetGap, Late, ByHand, SheetRemark, SheetRemark]
    assert isinstance(rest[0], SheetGap) and rest[0].most == 3 and rest[0].facts[0].text == "turn u57 up"
    assert isinstance(rest[1], SheetGap) and rest[1].most == 0
    again = read_sheet(write_sheet(read.pairs, read.lines), GAMES)
    assert [line.says() for line in again.lines] == [line.says() for line in read.lines]
    assert again.header.opened == read.header.opened


WRONG = {
    "verb": ("p1: atack", "8:5", "did you mean attack"),
    "seat": ("p3: pass", "8:1", "p1:"),
    "no line": ("gasp 3", "8:1", "did you mean gap"),
    "a number alone": ("7.", "8:1", "no content"),
    "no verb": ("p1:", "8:4", "verb"),
    "face shown": ("p1: set_bulwark shows=ZZ", "8:23", "ZZ"),
    "face learned": ("learn u57 ZZ", "8:11", "ZZ"),
    "thing": ("learn 57 H9", "8:7", "u57"),
    "nothing learned": ("learn u57 ?", "8:11", "not `?`"),
    "gap too large": ('gap 9999 "x"', "8:5", "1 to 1000"),
    "gap without a reason": ("gap 3", "8:1", "a reason"),
    "words behind": ('note "x" more', "8:10", "nothing may follow note"),
    "open quote": ('note "x', "8:6", "quote"),
    "empty note": ('note " "', "8:6", "a note cannot be empty"),
    "facts below an action": ("p1: pass\n    + turn u57 up", "9:5", "gap or a correction"),
    "no fact": ('correct "x"', "8:1", "fact"),
    "unknown fact": ('gap "x"\n    + explode u57', "9:7", "'explode'"),
    "another sign": ('gap "x"\n    - turn u57 up', "9:5", "+ fact"),
    "late header": ('p1: pass\n[Site "x"]', "9:1", "before the first"),
    "a croupier": ('[Seed "00"]', "8:1", "Seed"),
}


@for_each("name", WRONG)
def test_what_cannot_be_read_is_named_by_line_and_column(name: str) -> None:
    lines, where, part = WRONG[name]
    with pytest.raises(FormatError) as raised:
        sheet(lines)
    assert str(raised.value).startswith(f"a.sheet:{where}: "), str(raised.value)
    assert part in str(raised.value), str(raised.value)
    assert raised.value.say("ja") != str(raised.value)


def test_a_sheet_is_of_a_game_and_bounded() -> None:
    with pytest.raises(FormatError):
        sheet("p1: pass", head="")
    with pytest.raises(FormatError, match="at most"):
        sheet(*["p1: pass"] * (LINES_MAX + 1))
    with pytest.raises(FormatError, match="no seat"):
        sheet("p1: pass", head=HEAD + '[Deck "p9" "?x40"]\n')
    told = sheet("p1: pass", head=HEAD + '[Deck "p1" "S4 ?x51"]\n')
    assert told.header.opened.decks["p1"] == ("S4", *"?" * 51)  # type: ignore[index]


def reconciled(a: Sheet, b: Sheet) -> Reconciliation:
    both = reconcile(a, b)
    assert isinstance(both, Reconciliation), both
    return both


def kinds(*pairs: tuple[list[str], list[str]]) -> list[list[tuple[Kind, bool]]]:
    told = [reconciled(sheet(*a), sheet(*b)).differences for a, b in pairs]
    return [[(difference.kind, difference.is_question) for difference in row] for row in told]


MATCH = ["p2: summon_ace HA", "p2: pass", "p1: pass", "p2: attack", "p1: set_bulwark shows=C6", "p1: end"]


def test_each_kind_of_difference_is_told_for_what_it_is() -> None:
    changed = [*MATCH[:4], "p1: set_bulwark shows=C7", MATCH[5]]
    other = [*MATCH[:3], "p2: end", *MATCH[4:]]
    unknown = [*MATCH[:4], "p1: set_bulwark shows=?", MATCH[5]]
    gap = [*MATCH[:2], 'gap 3 "x"', MATCH[5]]
    crossed = [*MATCH[:4], MATCH[5], MATCH[4]]
    noted = [MATCH[0], 'note "x"', *MATCH[1:]]
    assert kinds(
        (MATCH, MATCH[:3] + MATCH[4:]),
        (MATCH[:3] + MATCH[4:], MATCH),
        (MATCH, changed),
        (MATCH, other),
        (MATCH, unknown),
        (MATCH, gap),
        (gap, MATCH),
        (MATCH, crossed),
        (MATCH, noted),
    ) == [
        [("missing_b", True)],
        [("missing_a", True)],
        [("different", True)],
        [("different", True)],
        [("knows_more", False)],
        [("filled_b", True)],
        [("filled_a", True)],
        [("swapped", True)],
        [],
    ]


def test_a_gap_holds_no_more_actions_than_it_says() -> None:
    ((first, *_),) = kinds((MATCH, [MATCH[0], 'gap 2 "x"', MATCH[5]]))
    assert first != ("filled_b", True) or len(kinds((MATCH, [MATCH[0], 'gap 2 "x"', MATCH[5]]))[0]) > 1
    assert kinds((MATCH, [MATCH[0], 'gap "x"', MATCH[5]])) == [[("filled_b", True)]]


def test_what_each_of_two_lines_knows_is_put_together() -> None:
    both = reconciled(sheet("p1: up ? S2 u58 shows=C6,?"), sheet("p1: up H8 ? u58 shows=?,D7"))
    (difference,) = both.differences
    assert isinstance(difference.joined, Acted) and not both.questions
    assert (difference.joined.words, difference.joined.shows) == (("up", "H8", "S2", "u58"), ("C6", "D7"))
    assert settle(both, {}) == (difference.joined,)
    assert [settle(both, {1: side}) for side in ("a", "b")] == [both.a.lines, both.b.lines]


def test_sheets_of_other_matches_are_not_compared() -> None:
    grimoire = '[Game "grimoire"]\n[Version "1"]\n'
    others = {
        "paper.other_game": sheet("p1: pass", head=grimoire),
        "paper.other_rules": sheet("p1: pass", head=HEAD.rstrip() + '\n[Frame "full54"]\n\n'),
    }
    for key, other in others.items():
        why = reconcile(sheet("p1: pass"), other)
        assert isinstance(why, Text) and why.key == key


def test_an_answer_is_to_a_difference_that_is_there() -> None:
    both = reconciled(sheet(*MATCH), sheet(*MATCH[1:]))
    for answers in ({2: "a"}, {0: "a"}, {1: "c"}):
        with pytest.raises(FormatError):
            settle(both, answers)  # type: ignore[arg-type]


def test_remarks_of_both_sheets_stay_and_an_open_question_is_written_down() -> None:
    both = reconciled(sheet('note "one"', *MATCH), sheet('note "one"', 'note "two"', *MATCH[1:], 'note "end"'))
    lines = settle(both, {}, ask={1: "did it happen?"})
    assert [line.text for line in lines if isinstance(line, SheetRemark)] == ["one", "did it happen?", "two", "end"]
    assert [line.open for line in lines if isinstance(line, SheetRemark)] == [False, True, False, False]
    assert [line.says() for line in played(lines)] == [line.says() for line in played(both.a.lines)]


LINES = (
    *("p1: pass", "p2: pass", "p1: attack", "p2: attack", "p2: up H8 S2 u58", "p2: up ? S2 u58", "p2: up H9 ? u58"),
    *("p1: set_bulwark", "p1: set_bulwark shows=?", "p1: set_bulwark shows=C6", 'gap 2 "x"', 'gap "y"'),
    *("learn u57 H9", "learn u57 S3", 'note "n"', 'question "q"', 'correct "c"\n    + turn u57 up'),
)
SHEETS = st.lists(st.sampled_from(LINES), max_size=9).map(lambda lines: sheet(*lines))

MIRRORED: dict[Kind, Kind] = {
    "missing_a": "missing_b",
    "missing_b": "missing_a",
    "filled_a": "filled_b",
    "filled_b": "filled_a",
}


def acts(lines: tuple[AnyLine, ...]) -> list[tuple[object, ...]]:
    return [line.says() for line in played(lines)]


@given(SHEETS, SHEETS)
def test_the_other_way_round_the_same_is_asked_mirrored(a: Sheet, b: Sheet) -> None:
    there, back = reconciled(a, b).differences, reconciled(b, a).differences
    assert [(one.number, MIRRORED.get(one.kind, one.kind), one.is_question) for one in there] == [
        (one.number, one.kind, one.is_question) for one in back
    ]
    for one, other in zip(there, back, strict=True):
        assert (one.a, one.b, one.last_lines_before) == (other.b, other.a, other.last_lines_before[::-1])
        assert (one.joined is None) == (other.joined is None)
        assert one.joined is None or other.joined is None or one.joined.says() == other.joined.says()


@given(SHEETS, SHEETS)
def test_all_answers_for_one_sheet_give_that_sheet(a: Sheet, b: Sheet) -> None:
    both = reconciled(a, b)
    numbers = [difference.number for difference in both.differences]
    assert acts(settle(both, dict.fromkeys(numbers, "a"))) == acts(a.lines)
    assert acts(settle(both, dict.fromkeys(numbers, "b"))) == acts(b.lines)


@given(SHEETS)
def test_a_sheet_asks_nothing_of_itself(a: Sheet) -> None:
    both = reconciled(a, a)
    assert both.differences == () and compare_sheets(both).questions == ()
    assert acts(settle(both, {})) == acts(a.lines)


@given(SHEETS, SHEETS)
def test_every_line_stands_in_one_place(a: Sheet, b: Sheet) -> None:
    both = reconciled(a, b)
    assert [line for part in both.parts for line in part.a] == list(played(a.lines))
    assert [line for part in both.parts for line in part.b] == list(played(b.lines))
    assert [part.number for part in both.differences] == [*range(1, len(both.differences) + 1)]
    assert all(isinstance(part, SheetDifference) or [*map(type, part.a)] == [*map(type, part.b)] for part in both.parts)


@pytest.mark.nightly
def test_long_sheets_are_compared_in_bounded_time_or_said_to_be_too_different() -> None:
    long = [LINES[at % 7] for at in range(4_000)]
    fewer = [line for at, line in enumerate(long) if at % 200 != 3]
    begun = time.process_time()
    assert len(reconciled(sheet(*long), sheet(*fewer)).questions) >= 20
    why = reconcile(sheet(*["p1: pass", "p1: attack"] * 2_000), sheet(*["p2: pass", "p2: attack"] * 2_000))
    assert isinstance(why, Text) and why.key == "paper.too_different"
    assert time.process_time() - begun < 60
