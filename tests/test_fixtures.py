"""Matches of the repository: each parses, folds, round-trips, and ends and audits as declared."""

import re
from pathlib import Path

import pytest

from domain.formats.errors import FormatError
from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.entries import entry_facts, fold_entries
from domain.table.table import Result, Seat
from fixtures.make import GROUPS, FixtureGroup, match, pack, unpack, write
from recorder import codec
from recorder.imports import find_fault
from tests.games import FINISHED
from tests.rotation import rotate
from tests.rows import for_each
from tests.shelves import FIXTURES, SHELVES, Shelf, found_by, from_lines, lines, opened_of

pytestmark = pytest.mark.rotates(2)

each = for_each("shelf, name", [(shelf, name) for shelf in SHELVES.values() for name in shelf.matches])
JAPANESE = re.compile(r"[ぁ-ん一-龯]")


@for_each("key", FINISHED)
def test_every_match_has_something_stated_of_it(key: str) -> None:
    assert sorted(SHELVES[key].stated) == SHELVES[key].matches


@each
def test_it_is_a_record_that_ends_as_stated(shelf: Shelf, name: str) -> None:
    stated, record = shelf.stated[name], shelf.entries(name)
    assert find_fault(record) is None and opened_of(record).game == shelf.key
    result = Result(tuple(Seat(one) for one in stated.winners.split()), stated.reason) if stated.reason else None
    assert shelf.table(name).result == result
    clauses = {clause for one in record for clause, _ in entry_facts(one)}
    assert clauses.issuperset(stated.witness), sorted(set(stated.witness) - clauses)


@each
def test_it_audits_as_stated(shelf: Shelf, name: str) -> None:
    assert found_by(shelf.entries(name)) == list(shelf.stated[name].findings)


def options(shelf: Shelf) -> list[str]:
    return re.findall(r'^\[Set "([^"]+)".*\]\n', shelf.text("options"), re.MULTILINE)


@for_each(
    "shelf, option", [(one, option) for one in SHELVES.values() if "options" in one.matches for option in options(one)]
)
def test_every_option_of_the_options_match_matters(shelf: Shelf, option: str) -> None:
    other = re.sub(rf'^\[Set "{re.escape(option)}".*\]\n', "", shelf.text("options"), flags=re.MULTILINE)
    assert other != shelf.text("options")
    try:
        read = parse_notation(other, GAMES)
    except FormatError as error:
        assert error.clause is not None, error
    else:
        assert [entry_facts(entry) for entry in read] != [entry_facts(entry) for entry in shelf.entries("options")]


@each
def test_nothing_is_lost_in_either_format(shelf: Shelf, name: str) -> None:
    record = shelf.entries(name)
    written = write_notation(shelf.game, record)
    assert tuple(parse_notation(written, GAMES)) == record
    assert write_notation(shelf.game, parse_notation(written, GAMES)).encode() == written.encode()
    again = from_lines(lines(record))
    assert again == record and lines(again) == lines(record)
    assert [codec.encode(one) for one in again] == [codec.encode(one) for one in record]


TITLED = ("grimoire",)
UNTOLD = {("blackpoker", "disputed")}


@each
def test_its_title_and_its_story_are_told_in_both_languages(shelf: Shelf, name: str) -> None:
    first, second = shelf.text(name).splitlines()[:2]
    assert (first[:2], second[:2]) == ("; ", "; ") or (shelf.key, name) in UNTOLD
    title = re.search(r'^\[Title "([^"]+) / ([^"]+)"\]$', shelf.text(name), re.MULTILINE)
    assert (title is not None) == (shelf.key in TITLED)
    pairs = [(first[2:], second[2:])] if (shelf.key, name) not in UNTOLD else []
    pairs += [(title[1], title[2])] if title is not None else []
    for japanese, english in pairs:
        assert JAPANESE.search(japanese) and english.isascii()


@each
def test_the_readme_tells_of_it(shelf: Shelf, name: str) -> None:
    stated, opened, readme = (
        shelf.stated[name],
        shelf.first_entry(name),
        (FIXTURES / "README.md").read_text(encoding="utf-8"),
    )
    played_as = str(opened.rules.get("frame", f"{len(opened.seats)} seats"))
    rows = re.findall(
        rf"^\| `{name}` \| ([\w ]+), (\d+) \|.*\| (p\d(?:, p\d)*|nobody|unfinished)\b[^|]*\|$", readme, re.MULTILINE
    )
    winners = ", ".join(stated.winners.split()) or ("nobody" if stated.reason else "unfinished")
    assert (played_as, str(len(shelf.entries(name))), winners) in rows


@for_each("key", FINISHED)
def test_the_flagged_errors_are_those_the_record_calls_as_played(key: str) -> None:
    findings = audit(GAMES[key], SHELVES[key].entries("disputed")).findings
    assert [finding.flagged for finding in findings] == [finding.kind == "not_allowed" for finding in findings]
    assert {finding.flagged for finding in findings} == {True, False}


@pytest.mark.random
@for_each("group", GROUPS)
def test_simulated_matches_hold(group: FixtureGroup) -> None:
    matches = list(unpack(group.path))
    assert len(matches) == len(group.seeds)
    for seed, one in rotate(list(zip(group.seeds, matches, strict=True)), max(2, len(matches) // 6)):
        record = from_lines(one)
        assert opened_of(record).match == f"sim-{group.game}-{seed}"
        assert find_fault(record) is None and fold_entries(record).result is not None
        assert found_by(record) == []
        assert lines(record) == one


@for_each("game", sorted({group.game for group in GROUPS}))
def test_there_are_a_hundred(game: str) -> None:
    groups = [group for group in GROUPS if group.game == game]
    assert sum(len(group.seeds) for group in groups) == 100
    assert {path.name for path in groups[0].path.parent.iterdir()} == {group.path.name for group in groups}


OPTIONS_GROUP = next(group for group in GROUPS if group.name == "options")
SAMPLE = [(group, at) for group in GROUPS for at in ((0, 17, 49) if len(group.seeds) > 20 else (1, 5))]
SAMPLE.append((OPTIONS_GROUP, 9))


@pytest.mark.random
@for_each("group, at", rotate(SAMPLE, 12))
def test_a_seed_makes_the_same_match_again(group: FixtureGroup, at: int) -> None:
    assert match(group, group.seeds[at]) == list(unpack(group.path))[at]


@pytest.mark.nightly
@for_each("group", GROUPS)
def test_every_seed_makes_the_same_match_again(group: FixtureGroup) -> None:
    assert [match(group, seed) for seed in group.seeds] == list(unpack(group.path))


def test_packing_is_the_same_every_time_and_a_file_that_holds_the_same_is_left_alone(tmp_path: Path) -> None:
    ours = list(unpack(OPTIONS_GROUP.path))
    packed = pack(line for one in ours for line in one)
    assert packed == pack(line for one in ours for line in one)
    copy = tmp_path / "copy.jsonl.gz"
    copy.write_bytes(packed)
    assert list(unpack(copy)) == ours
    before = OPTIONS_GROUP.path.read_bytes()
    assert write(OPTIONS_GROUP) is False and OPTIONS_GROUP.path.read_bytes() == before
