"""Typing mistakes are named: full-width characters, lines ending in CR alone, a place instead of a seat."""

import pytest

from domain.formats.casebook import Report, load_casebook, run_case
from domain.formats.errors import FormatError
from domain.formats.notation import parse_notation
from domain.games import GAMES
from tests.rows import for_each

HEAD = """
game = "blackpoker"
version = "9.2-lite"
frame = "full54"

[given]
turn = 5
active = "p1"
awaited = ["p1"]
phase = "play"
places = { "p1.life" = ["x12"], "p2.life" = ["x12"] }

[[case]]
id = "slip"
en = "a slip"
"""
NOTATION = '[Game "blackpoker"]\n[Version "8.1-lite"]\n\n'


def report(text: str, game: str = "blackpoker") -> Report:
    (case,) = load_casebook(HEAD + text).cases
    return run_case(case, GAMES[game])


def describe_failure(text: str, lang: str = "en") -> str:
    failure = report(text).failure
    assert failure is not None
    said: str = failure.found.say(lang)
    return said


@for_each(
    "line, char, plain",
    [
        ("p1：pass", "：", ":"),
        ("p1: up H8 S2 ｕ", "ｕ", "u"),
        ("p1:　pass x", "\\u3000", " "),
        ("ｐ1: pass", "ｐ", "p"),
    ],
)
def test_a_full_width_character_in_an_action_of_a_case_is_named(line: str, char: str, plain: str) -> None:
    for lang in ("en", "ja"):
        said = describe_failure(f'[[case.step]]\nwhen = ["{line}"]\n', lang)
        assert f"'{char}'" in said and f"'{plain}'" in said
        assert "half-width" in said or "半角" in said


@for_each("given", ['"p1．hand" = ["S2"]', '"p1.hand" = ["S2　up"]', '"p1.hand" = ["s＝S2"]'])
def test_a_full_width_character_in_a_position_is_named(given: str) -> None:
    assert "full-width character" in describe_failure(f"[case.given.places]\n{given}\n")


@for_each(
    "text, line, column",
    [
        (NOTATION + "p1：pass\n", 4, 3),
        (NOTATION + "２. p1: pass\n", 4, 1),
        ('［Game "blackpoker"]\n', 1, 1),
    ],
)
def test_a_full_width_character_in_notation_is_named_with_its_line_and_column(
    text: str, line: int, column: int
) -> None:
    with pytest.raises(FormatError, match="full-width character") as refused:
        parse_notation(text, GAMES)
    assert (refused.value.line, refused.value.column) == (line, column)


def test_full_width_characters_in_quotes_and_comments_are_text() -> None:
    text = '[Game "blackpoker"]\n[Version "8.1-lite"]\n[Seat "p1" "アオイ：Ａ"]\n[Seat "p2"]\n; ：\n'
    assert len(parse_notation(text, GAMES)) == 1
    with pytest.raises(FormatError, match="this is entry 2"):
        parse_notation(text + '7. %note p1 "：Ａ"\n', GAMES)


@for_each("text", ['game ＝ "toy"\n', "game = “toy”\n", "［given］\n"])
def test_a_full_width_character_in_toml_is_named(text: str) -> None:
    with pytest.raises(FormatError, match=r"^1:\d+: '.' is a full-width character; write"):
        load_casebook(text)


def test_lines_that_end_with_cr_alone_are_named() -> None:
    for read in (lambda text: parse_notation(text, GAMES), load_casebook):
        for text in (NOTATION, HEAD):
            with pytest.raises(FormatError, match="CR alone") as refused:
                read(text.strip().replace("\n", "\r"))  # type: ignore[operator]
            assert "CR" in refused.value.say("ja")
    assert parse_notation(NOTATION.replace("\n", "\r\n"), GAMES)


@for_each(
    "given",
    [
        'case.given.active = "ground:4,1"',
        'case.given.seats."ground:4,1" = { }',
        'case.given.places."p1.hand" = ["S2 owner=p2.hand"]',
        'case.given.frame = [{ kind = "end", by = "p1.hand" }]',
    ],
)
def test_a_place_where_a_seat_is_wanted_is_named_as_one(given: str) -> None:
    key, _, value = given.removeprefix("case.").partition(" = ")
    for lang in ("en", "ja"):
        said = describe_failure(f"{key} = {value}\n", lang)
        assert ("is a place, but a seat is expected here" in said) if lang == "en" else ("は置き場です" in said)
        assert "p1" in said and "p2" in said


def test_a_filler_without_cards_says_what_is_left_and_where_the_others_went() -> None:
    said = describe_failure('[case.given.places]\n"p1.hand" = ["S2", "x30"]\n"p1.grave" = ["x41"]\n')
    assert "'x41' exceeds the rest of the deck: cards of p1 left: 11" in said
    assert "named in this position: 1" in said and "p1.life x12, p1.hand x30" in said


def test_a_case_that_fails_says_who_could_pass_in_which_window() -> None:
    ran = report(
        '[case.given.places]\n"p1.hand" = ["H8", "S2"]\n"p1.soldiers" = ["u = D10"]\n'
        '[[case.step]]\nwhen = ["p1: up H8 S2 u", "p1: pass"]\nthen.stack = []\n'
    )
    assert [text.say("en") for text in ran.may_pass.values()] == ["could pass now: p2 (phase play, stack up)"]
    assert "p2" in ran.may_pass[()].say("ja")


def test_a_case_that_fails_while_a_choice_is_asked_names_no_pass() -> None:
    ran = report('[[case.step]]\nwhen = ["p1: attack", "pp"]\nthen.stack = []\n')
    assert ran.failures and ran.may_pass == {}


def test_newest_means_the_newest_frame_of_whatever_kind() -> None:
    ran = report(
        '[case.given.places]\n"p1.hand" = ["H8", "S2", "C8", "D2", "C9", "D3"]\n"p1.soldiers" = ["u = D10"]\n'
        '[[case.step]]\nwhen = ["p1: up H8 S2 u", "p1: counter C8 D2 @newest", "p1: counter C9 D3 @newest", "pp"]\n'
        'then.stack = ["up"]\n'
    )
    assert ran.passed, ran.failures
