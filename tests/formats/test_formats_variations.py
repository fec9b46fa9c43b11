"""Variations: branches within their match's file, read back as separate records."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.formats.notation import Tree, parse_notation, parse_record, write_notation, write_record
from domain.games import GAMES
from domain.law.entries import Closed, Entry, Noted, Opened, opened_of
from tests.laws.leak_checks import insert_corrections
from tests.laws.samples import sample
from tests.rows import for_each

GAME = GAMES["blackpoker"]


def start(seed: int = 0, *, meddle: bool = False) -> tuple[Entry, ...]:
    one = sample("blackpoker", seed)
    entries = insert_corrections(one, Random(seed)) if meddle else list(one.entries)
    return tuple(entries[:40])


def branch(main: tuple[Entry, ...], at: int, name: str, *rest: Entry, **more: str) -> tuple[Entry, ...]:
    first = opened_of(main)
    own = {"match": name, "parent": first.match, "parent_at": at, "commitment": "", **more}
    return (replace(first, **own), *main[1:at], *rest)


def make_note(text: str) -> Noted:
    return Noted(by="judge", text=text, at=7)


def tree(seed: int = 0, *, meddle: bool = False) -> Tree:
    main = start(seed, meddle=meddle)
    one = branch(main, 20, "one", *main[20:25], make_note("what if ) (branch 3"), commitment="ab12", by="Mia K.")
    inner = branch(one, 12, "inner", *one[12:18])
    other = branch(main, 33, "other", Closed(by="judge", reason="no"), parent="kept elsewhere")
    return Tree(main, (Tree(one, (Tree(inner),)), Tree(other), Tree(branch(main, 1, "bare"))))


@for_each("meddle", [False, True])
@for_each("seed", [0, 1, 2])
def test_a_match_with_branches_reads_back_as_it_was(seed: int, meddle: bool) -> None:
    record = tree(seed, meddle=meddle)
    text = write_record(GAME, record)
    assert parse_record(text, GAMES) == record
    assert [len(one.entries) for one in record.all()] == [len(one.entries) for one in parse_record(text, GAMES).all()]
    assert write_record(GAME, parse_record(text, GAMES)) == text


def test_without_branches_the_text_is_what_it_always_was() -> None:
    main = start()
    assert write_record(GAME, Tree(main)) == write_notation(GAME, main)
    assert parse_record(write_notation(GAME, main), GAMES) == Tree(main)


def test_whoever_wants_the_match_only_passes_over_its_variations() -> None:
    record = tree()
    assert tuple(parse_notation(write_record(GAME, record), GAMES)) == record.entries


def test_a_branch_alone_is_a_record_whose_header_names_its_parent() -> None:
    one = tree().branches[0].entries
    text = write_notation(GAME, one)
    assert '[Parent "sim-blackpoker-0" "20"]' in text
    assert tuple(parse_notation(text, GAMES)) == one
    old = text.replace('" "20"]', '"]')
    first = parse_notation(old, GAMES)[0]
    assert isinstance(first, Opened) and (first.parent, first.parent_at) == ("sim-blackpoker-0", 0)


def test_a_variation_may_stand_anywhere_and_be_written_by_hand() -> None:
    main = start()
    lines = write_notation(GAME, main).split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("25. "))
    block = ["( branch 24 typed   ; what p1 thought of", "", '%note judge "x"  { a comment', "( of two lines }", ")"]
    record = parse_record("\n".join([*lines[:at], *block, *lines[at:]]), GAMES)
    assert record.entries == main
    assert record.branches == (Tree(branch(main, 24, "typed", Noted(by="judge", text="x"))),)


WRONG = {
    "unclosed": (["(branch 4 a"], "is not closed", 0),
    "stray": ([")"], "closes no variation", 0),
    "not a branch": (["(twig 4 a", ")"], "a variation begins (branch", 0),
    "no name": (["(branch 4", ")"], "a variation begins (branch", 0),
    "no number": (["(branch four a", ")"], "", 0),
    "entry 0": (["(branch 0 a", ")"], "cannot begin at entry 0", 0),
    "beyond the end": (["(branch 41 a", ")"], "cannot begin at entry 41", 0),
    "unknown part": (["(branch 4 a seed=12", ")"], "seed", 0),
    "twice": (["(branch 4 a", ")", "(branch 5 a", ")"], "two variations have the id", 2),
    "wrong number inside": (["(branch 4 a", '  9. %note judge "x"', ")"], "5", 1),
    "auto": (["(branch 1 a", "  chance: shuffle_deck p1 auto", ")"], "auto", 1),
    "a header inside": (["(branch 4 a", '  [Seed "00"]', ")"], "header", 1),
    "a fact first": (["(branch 4 a", "    + - turn u57 up", ")"], "fact line", 1),
    "too deep": (["(branch 4 a"] * 40, "deep", 32),
}


@for_each("name", sorted(WRONG))
def test_a_variation_that_cannot_be_read_is_said_with_its_line(name: str) -> None:
    block, words, below = WRONG[name]
    lines = write_notation(GAME, start()).rstrip("\n").split("\n")
    with pytest.raises(FormatError) as error:
        parse_record("\n".join([*lines, *block]), GAMES)
    assert words in str(error.value.message)
    assert error.value.line == len(lines) + 1 + below
    assert error.value.say("ja") != error.value.say("en")


def test_a_variation_needs_the_id_of_its_match() -> None:
    text = write_notation(GAME, start()).replace('[Match "sim-blackpoker-0"]', "")
    with pytest.raises(FormatError, match="needs the id of its match"):
        parse_record(f"{text}(branch 4 a\n)\n", GAMES)


def test_a_record_that_shares_no_past_is_no_variation() -> None:
    main, stranger = start(), branch(start(2), 20, "one")
    changed = (*branch(main, 20, "one")[:10], make_note("x"), *main[11:20])
    for entries in (stranger, changed, branch(main, 0, "one"), branch(main, 20, "one")[:15], branch(main, 4, "")):
        with pytest.raises(FormatError, match="the first entries of match"):
            write_record(GAME, Tree(main, (Tree(entries),)))
