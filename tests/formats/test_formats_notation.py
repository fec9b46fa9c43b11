"""Notation: entries round-trip exactly, and errors name their positions."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.formats.notation import parse_notation, write_notation
from domain.formats.notation.lines import LINE_MAX, divide
from domain.games import GAMES
from domain.law.clause import BY_HAND, Clause
from domain.law.croupier import make_random_source
from domain.law.entries import (
    Closed,
    Corrected,
    Described,
    Entry,
    Gap,
    Noted,
    Opened,
    Played,
    Restored,
    Rewound,
    opened_of,
    tables,
)
from domain.law.occasion import Occasion
from domain.law.rulesets import make_ruleset, values
from domain.table.facts import Marked, Moved, Shown
from tests.formats.matches import play
from tests.rows import for_each
from tests.toy import TOY

BLACKPOKER = GAMES["blackpoker"]
BOTH = {"toy": TOY, "blackpoker": BLACKPOKER}

HEADER = """[Game "toy"]
[Version "1"]
"""
SHUFFLES = """chance: shuffle p1 S1,S2,S3,S4,S5,H1,H2,H3,H4,H5
chance: shuffle p2 S1,S2,S3,S4,S5,H1,H2,H3,H4,H5
"""


def read(text: str, **more: Any) -> list[Entry]:
    return parse_notation(text, BOTH, **more)


def back(entries: list[Entry], game: Any = TOY) -> list[Entry]:
    return read(write_notation(game, entries))


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.3, 0.7]), st.sampled_from(["1", "2"]))
def test_round_trip_of_a_toy(seed: int, mischief: float, version: str) -> None:
    entries = play(TOY, TOY.versions[version], version, seed, 40, mischief)
    assert back(entries) == entries


@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.sampled_from([0.0, 0.3, 0.7]),
    st.sampled_from(
        [
            ("8.1-lite-seed", "", {}),
            ("8.1-lite", "full54", {}),
            ("8.1-lite", "", {"fog.end_scope": "all", "hand.limit": 5, "block.mandatory": True}),
        ]
    ),
)
def test_round_trip_of_blackpoker(seed: int, mischief: float, rules: tuple[str, str, dict[str, Any]]) -> None:
    version, frame, options = rules
    entries = play(BLACKPOKER, make_ruleset(BLACKPOKER, version, frame, options), version, seed, 60, mischief)
    assert back(entries, BLACKPOKER) == entries


def test_undone_lines_stay_in_the_order_of_the_log() -> None:
    entries = read(HEADER + SHUFFLES + 'p1: draw\np2: draw\n%rewind 4 "misdeal" judge\np2: draw\n')
    assert [type(one) for one in entries] == [Opened, Played, Played, Played, Played, Rewound, Played]
    text = write_notation(TOY, entries)
    assert "5. p2: draw\n" in text and '6. %rewind 4 "misdeal" judge\n7. p2: draw\n' in text


def test_what_people_say_of_a_match_is_kept_and_written_again() -> None:
    pairs = '[Event "Spring Cup; {main}"]\n[Venue "Osaka"]\n[Round "3"]\n[Title "二回戦"]\n'
    body = '%describe judge table=12 announced="p1 2-1" @7\n%note p2 "too slow" about=2\n'
    entries = read(HEADER.rstrip("\n") + "\n" + pairs + "\n" + SHUFFLES + body)
    opened, described, noted = entries[0], *entries[-2:]
    assert isinstance(opened, Opened)
    assert opened.occasion == Occasion(event="Spring Cup; {main}", site="Osaka", round="3", title="二回戦")
    assert described == Described(by="judge", occasion=Occasion(table="12"), announced="p1 2-1", at=7)
    assert noted == Noted(by="p2", text="too slow", about=2)
    text = write_notation(TOY, entries)
    assert '[Site "Osaka"]\n' in text and '%describe judge table="12" announced="p1 2-1" @7\n' in text
    assert '%note p2 "too slow" about=2\n' in text
    assert read(text) == entries


def test_a_comment_in_braces_is_for_people_and_moves_no_number() -> None:
    with_comment = read(
        HEADER + SHUFFLES + "{ a long think\nand a yawn } 4. p1: draw { at last }\n5. p2: draw ; quick\n"
    )
    assert with_comment == read(HEADER + SHUFFLES + "4. p1: draw\n5. p2: draw\n")


def test_a_rewind_to_what_was_undone_is_written_alike_and_read_as_a_restore() -> None:
    text = HEADER + SHUFFLES + 'p1: draw\np2: draw\n%rewind 4 "misdeal" judge\n%rewind 5 "it was not" judge\np1: draw\n'
    entries = read(text)
    assert [type(one) for one in entries[-3:]] == [Rewound, Restored, Played]
    assert '\n7. %rewind 5 "it was not" judge\n' in write_notation(TOY, entries)
    assert read(write_notation(TOY, entries)) == entries
    assert read(text) == entries


def test_what_stands_beside_actions() -> None:
    text = (
        HEADER
        + SHUFFLES
        + "4. p1: draw @1700000000000 ; drew quickly\n"
        + '5. %note judge "p1 hesitated; {really}"\n{ a comment\nover two lines } 6. p2: draw\n'
        + '%close judge "over" seed=00ff @5\n'
    )
    entries = read(text)
    assert entries[3].at == 1_700_000_000_000
    assert entries[4] == Noted(by="judge", text="p1 hesitated; {really}")
    assert entries[6] == Closed(by="judge", reason="over", seed="00ff", at=5)
    assert read(text.replace("\n", "\r\n")) == entries


def test_the_example_of_the_specification() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    section = page[page.index("## 4. Notation") : page.index("### 4.1")]
    text = "\n".join(line[4:] for line in section.split("\n") if line.startswith("    "))
    entries = read(text)
    assert [type(one) for one in entries[-4:]] == [Played, Rewound, Played, Corrected]
    assert back(entries, BLACKPOKER) == entries


def test_as_played_and_what_the_record_says_differently() -> None:
    start = HEADER + SHUFFLES + "p1: draw\n"
    with pytest.raises(FormatError) as caught:
        read(start + "p1: draw\n")
    assert (caught.value.line, caught.value.column, caught.value.clause) == (6, 1, "T-1")
    assert "The seat whose turn it is acts" in caught.value.message
    played = read(start + "p1: draw !\n")[-1]
    assert isinstance(played, Played)
    assert played.violations == ("T-1",)
    others = read(start + "p1: draw !T-1,T-3\n")[-1]
    assert isinstance(others, Played)
    assert others.violations == ("T-1", "T-3")
    bare = read(start + "p1: draw !T-3\n    =\n")
    assert bare[-1] == replace(played, violations=(Clause("T-3"),), told=())
    for entries in (bare, read(start + "p1: draw !\n")):
        assert back(entries) == entries


def test_differences_name_their_place() -> None:
    start = HEADER + SHUFFLES + "p1: draw\n"
    plain = read(start)[-1]
    assert isinstance(plain, Played)
    (first, *rest) = plain.told
    text = start + "    - T-1 clock turn=2 active=p2 first=p1 phase=play awaited=p2\n    + - mark p1 late 1\n"
    changed = read(text)[-1]
    assert isinstance(changed, Played)
    assert changed.told == (first, (BY_HAND, Marked("p1", "late", 1)))  # type: ignore[arg-type]
    behind = read(start + "    +1 - mark p1 late 1\n")[-1]
    assert isinstance(behind, Played)
    assert behind.told == (first, (BY_HAND, Marked("p1", "late", 1)), *rest)  # type: ignore[arg-type]
    ended = read(start + "    + - mark p1 late 1\n")[-1]
    assert isinstance(ended, Played)
    assert ended.told[-1] == (BY_HAND, Marked("p1", "late", 1))  # type: ignore[comparison-overlap]
    for body in ("    +1 - mark p1 late 1\n", "    + - mark p1 late 1\n"):
        entries = read(start + body)
        assert back(entries) == entries


def test_repeated_facts_are_told_apart() -> None:
    entries = read(HEADER + SHUFFLES + "p1: draw\n")
    last = entries[-1]
    assert isinstance(last, Played)
    twice = (last.told[0], (BY_HAND, Shown((3,), ("p1",))), (BY_HAND, Shown((3,), ("p1",))), last.told[1])  # type: ignore[arg-type]
    for told in (twice, twice[1:], (twice[1], *twice), ()):
        spoilt = [*entries[:-1], replace(last, told=told)]
        if told and told[0] != twice[0]:
            spoilt = [*entries[:-1], replace(last, told=told[:1])]
        assert back(spoilt) == spoilt


def test_gaps() -> None:
    fact = "    + - move u2 p1.hand\n"
    text = HEADER + SHUFFLES + 'p1: draw\n%gap judge "the video stood still" most=3 @8\n' + fact
    entries = read(text)
    gap = entries[-1]
    assert isinstance(gap, Gap) and (gap.by, gap.reason, gap.most, gap.at) == ("judge", "the video stood still", 3, 8)
    assert [type(fact) for _, fact in gap.told] == [Moved] and back(entries) == entries
    bare = read(HEADER + SHUFFLES + 'p1: draw\n%gap "Mia K." ""\n')
    assert bare[-1] == Gap(by="Mia K.", reason="") and back(bare) == bare
    for body, words in (
        ('%gap judge "x" most=many\n', "many"),
        ('%gap judge "x" least=3\n', "least"),
        ("%gap judge\n", "reason"),
        ('%gap judge "x"\n    - - move u2 p1.hand\n', "only + lines may follow %gap"),
    ):
        with pytest.raises(FormatError) as caught:
            read(HEADER + SHUFFLES + "p1: draw\n" + body)
        assert words in caught.value.message, body


def test_corrections() -> None:
    text = HEADER + SHUFFLES + 'p1: draw\n%correct judge "two cards drawn"\n    + - move u2 p1.hand\n'
    entries = read(text)
    assert isinstance(entries[-1], Corrected)
    *_, (_, _, _, table) = tables(entries)
    assert len(table.places["p1.hand"]) == 2  # type: ignore[index]
    assert back(entries) == entries


def test_chance_may_be_left_to_a_croupier() -> None:
    body = "chance: shuffle p1 auto\nchance: auto\np1: draw\n"
    seeded = HEADER + '[Match "m-1"]\n[Seed "00112233"]\n' + body
    entries = read(seeded, croupier=make_random_source)
    assert read(seeded, croupier=make_random_source) == entries
    assert back(entries) == entries
    assert read(seeded.replace("m-1", "m-2"), croupier=make_random_source)[1:3] != entries[1:3]
    with pytest.raises(FormatError, match="needs a") as caught:
        read(HEADER + body, croupier=make_random_source)
    assert (caught.value.line, caught.value.column) == (3, 20)
    with pytest.raises(FormatError, match="this match has none"):
        read(seeded)
    with pytest.raises(FormatError, match="not 'coin_toss'"):
        read(seeded.replace("shuffle p1 auto", "coin_toss auto"), croupier=make_random_source)
    with pytest.raises(FormatError, match="no outcome of chance is needed"):
        read(seeded + "chance: auto\n", croupier=make_random_source)


def test_an_outcome_entered_in_the_croupiers_place_says_so() -> None:
    entries = read(HEADER + SHUFFLES.replace("\n", " by-hand @7\n", 1) + '%note by-hand "a name"\n')
    assert [one.by_hand for one in entries[1:3] if isinstance(one, Played)] == [True, False]
    assert back(entries) == entries
    assert "by-hand @7\n" in write_notation(TOY, entries)
    with pytest.raises(FormatError, match="only after an outcome of chance"):
        read(HEADER + SHUFFLES + "p1: draw by-hand\n")


def test_header_says_only_what_is_not_the_default() -> None:
    rules = make_ruleset(BLACKPOKER, "8.1-lite", "full54", {"hand.limit": 5, "block.mandatory": True})
    text = write_notation(BLACKPOKER, play(BLACKPOKER, rules, "8.1-lite", 3, 1))
    found = {pair.name: pair.values for pair in divide(text.split("\n"))[0]}
    assert found["Frame"] == ("full54",)
    assert '[Set "hand.limit" "5"]' in text and '[Set "block.mandatory" "true"]' in text
    assert {"Rules", "RulesHash", "Schema"}.isdisjoint(found)


def test_rules_this_program_cannot_load_are_carried() -> None:
    entries = play(TOY, TOY.versions["1"], "1", 5, 12, 0.0)
    first = opened_of(entries)
    odd = [replace(first, version="0", rules={"goal": "many"}, rules_hash="beef"), *entries[1:]]
    text = write_notation(TOY, odd)
    assert read(text) == odd
    with pytest.raises(FormatError, match="cannot judge"):
        read(text + "p1: draw\n")
    other = [replace(first, version="0", rules={**values(TOY.versions["2"])}, rules_hash="beef"), *entries[1:]]
    assert back(other) == other


def test_what_cannot_be_written() -> None:
    entries = play(TOY, TOY.versions["1"], "1", 5, 6, 0.0)
    with pytest.raises(FormatError, match="not a match of blackpoker"):
        write_notation(BLACKPOKER, entries)
    with pytest.raises(FormatError, match="not a match of toy"):
        write_notation(TOY, [])
    with pytest.raises(FormatError, match="entry 3 cannot be written"):
        write_notation(
            TOY, [entries[0], entries[1], replace(entries[2], told=((BY_HAND, Shown((99,), (), True)),)), entries[3]]
        )  # type: ignore[call-arg, arg-type]


@for_each(
    "text, line, column, message",
    [
        ("", 1, 1, "no header"),
        ("; nothing\n", 1, 1, "no header"),
        ('[Game "no-such-game"]', 1, 1, "there is no game 'no-such-game'"),
        ('[Game "toy"', 1, 1, "a header pair is written"),
        ('[Game "toy"]\n[Version "9"]', 2, 1, "no version '9'"),
        ('[Game "toy"]', 1, 1, "allowed: 1, 2"),
        (HEADER + '[Versoin "1"]', 3, 1, "did you mean Version"),
        (HEADER + '[Version "1"]', 3, 1, "appears twice"),
        (HEADER + '[Set "goal"]', 3, 1, "takes 2 values"),
        (HEADER + '[Set "gaol" "3"]', 3, 1, "did you mean goal"),
        (HEADER + '[Set "goal" "many"]', 3, 1, "ruleset of toy"),
        (HEADER + '[Set "laid" "sideways"]', 3, 1, "is not available"),
        (HEADER + '[Frame "x"]', 2, 1, "has no frame"),
        (HEADER + '[Deck "p3" "S1"]', 3, 1, "there is no seat 'p3'"),
        (HEADER + '[Deck "p1" "S1 S2"]', 1, 1, "the deck of p1"),
        (HEADER + '[Cards "p1" "1 2"]', 3, 1, "10 cards but 2 ids"),
        (HEADER + '[Cards "p1" "1 2 3 4 5 6 7 8 9 11"]', 3, 1, "two cards have the same id"),
        (HEADER + '[Seed "xyz"]', 3, 1, "hexadecimal"),
        (HEADER + '[Schema "{"]', 3, 1, "is not valid JSON"),
        (HEADER + 'p1: draw\n[By "me"]', 4, 1, "before the first entry"),
        (HEADER + "    + - mark p1 late 1", 3, 5, "must come after its entry"),
        (HEADER + "p1: draw", 3, 1, "refused by T-1"),
        (HEADER + SHUFFLES + "5. p1: draw", 5, 1, "this is entry 4, not 5"),
        (HEADER + SHUFFLES + "4. p1: lay S9", 5, 12, "there is no card 'S9'"),
        (HEADER + SHUFFLES + "4. p1: lay S1 !", 5, 4, "cannot be resolved even as played"),
        (HEADER + SHUFFLES + "4. p1 draw", 5, 4, "the actor is missing"),
        (HEADER + SHUFFLES + "4.", 5, 3, "the actor is missing"),
        (HEADER + SHUFFLES + "p1: draw\n    * x", 6, 5, "the actor is missing"),
        (HEADER + SHUFFLES + "p1: draw\n    + T-1", 6, 7, "a fact begins with"),
        (HEADER + SHUFFLES + "p1: draw\n    + - turn u99 up", 6, 14, "there is no u99"),
        (HEADER + SHUFFLES + "p1: draw\n    + - turn #99 up", 5, 1, "cannot happen"),
        (HEADER + SHUFFLES + "p1: draw\n    - - turn #1 up", 6, 1, "do not give this fact"),
        (HEADER + SHUFFLES + "p1: draw\n    -9 - turn #1 up", 6, 1, "at position 9"),
        (HEADER + SHUFFLES + "p1: draw\n    +9 - turn #1 up", 6, 1, "no position 9"),
        (HEADER + SHUFFLES + "p1: draw\n    =\n    + - turn #1 up", 6, 1, "stand alone"),
        (HEADER + SHUFFLES + "p1: draw\n    +", 6, 5, "+ needs a fact"),
        (HEADER + SHUFFLES + '%rewind 9 "x" judge', 5, 9, "cannot be rewound to entry 9"),
        (HEADER + SHUFFLES + '%rewind 1 "x" judge\n%rewind 5 "x" judge', 6, 9, "cannot be rewound to entry 5"),
        (HEADER + SHUFFLES + "%rewind 1 judge", 5, 11, "double quotes"),
        (HEADER + SHUFFLES + '%rewind 1 "x"', 5, 1, "needs who"),
        (HEADER + SHUFFLES + '%close judge "x" "y"', 5, 18, "no part of %close"),
        (HEADER + SHUFFLES + '%note judge "x" "y"', 5, 17, "no part of %note"),
        (HEADER + SHUFFLES + '%note judge "x" about=0', 5, 17, "no entry 0 before this one"),
        (HEADER + SHUFFLES + '%note judge "x" about=4', 5, 17, "no entry 4 before this one"),
        (HEADER + SHUFFLES + '%describe judge evnt="x"', 5, 17, "evnt"),
        (HEADER + SHUFFLES + '%describe judge event="x" event="y"', 5, 27, "event"),
        (HEADER + SHUFFLES + "%describe", 5, 1, "needs who"),
        (HEADER.rstrip("\n") + '\n[Venue "a"]\n[Site "b"]\n\n' + SHUFFLES, 3, 1, "twice"),
        (HEADER + SHUFFLES + '%note judge "x" !', 5, 1, "only after an action"),
        (HEADER + SHUFFLES + '%note judge "x"\n    + - turn #1 up', 6, 5, "no fact lines are allowed below %note"),
        (HEADER + SHUFFLES + '%correct judge "x"\n    = - turn #1 up', 6, 1, "only + lines"),
        (HEADER + SHUFFLES + "%remark x", 5, 1, "there is no directive 'remark'"),
        (HEADER + SHUFFLES + '%entry "{}"', 5, 8, "JSON of an entry"),
        (HEADER + SHUFFLES + "p1: draw { never closed", 5, 10, "never closed"),
        (HEADER + SHUFFLES + '%note judge "never closed', 5, 13, "never closed"),
        (HEADER + "2. open", 3, 1, "1. open"),
        (HEADER + "p1: draw\n" + " " * (LINE_MAX + 1), 4, 1, "1,000,001 characters"),
    ],
)
def test_refused_with_its_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_very_long_line_is_refused_at_once() -> None:
    for filler in ("x", '"', "\\", "{", ";", "[", " -", "\ufeff"):
        with pytest.raises(FormatError) as caught:
            read(HEADER + filler * (10_000_000 // len(filler)))
        assert len(str(caught.value)) < 300


def test_long_lines_that_are_allowed_take_no_time() -> None:
    for body in (
        '"' * 999_999,
        '"\\' * 400_000,
        "a," * 400_000,
        "[" + '"a" ' * 200_000,
        "p1: " + "x" * 900_000,
        "{" * 999_999,
    ):
        with pytest.raises(FormatError):
            read(HEADER + SHUFFLES + body)


TEXT = write_notation(TOY, play(TOY, TOY.versions["1"], "1", 11, 25, 0.5))
LONG = write_notation(BLACKPOKER, play(BLACKPOKER, BLACKPOKER.versions["8.1-lite"], "8.1-lite", 4, 40, 0.5))


@settings(max_examples=150)
@given(st.sampled_from([TEXT, LONG]), st.integers(0, 10**9))
def test_a_damaged_text_is_read_or_refused(text: str, seed: int) -> None:
    random = Random(seed)
    pieces = [
        '"',
        "{",
        "}",
        ";",
        "\n",
        "    + ",
        "    - ",
        "    =\n",
        "!",
        "@9",
        "-",
        "%",
        "p1",
        "u1",
        "#1",
        "#99",
        ",",
        " ",
        "9",
        "\x85",
    ]
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text) + 1)
        kind = random.randrange(4)
        if kind == 0:
            text = text[:at]
        elif kind == 1:
            text = text[:at] + text[at + random.randint(1, 20) :]
        elif kind == 2:
            text = text[:at] + random.choice(pieces) + text[at:]
        else:
            other = random.randrange(len(text) + 1)
            text = text[:at] + text[other : other + 30] + text[at:]
    try:
        entries = read(text, croupier=make_random_source)
    except FormatError as error:
        assert 1 <= error.line <= text.count("\n") + 1
        assert error.column >= 1
        return
    opened = opened_of(entries)
    assert back(entries, BOTH[opened.game]) == entries


@given(st.text(max_size=60))
def test_any_text_is_refused_properly(text: str) -> None:
    for whole in (text, HEADER + text, HEADER + SHUFFLES + text):
        try:
            read(whole)
        except FormatError as error:
            assert error.line >= 1
