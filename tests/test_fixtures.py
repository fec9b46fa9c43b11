"""The matches in the repository: each parses, folds, ends as it says, survives both formats and audits as stated."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

from domain.formats.decks import read_deck
from domain.formats.errors import FormatError
from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES
from domain.law.entries import Entry, Opened, Rewound, fold_entries, line, told
from domain.law.rulesets import load, ruleset, with_settings
from domain.table.physics import Physics
from domain.table.redact import see_place
from domain.table.table import Place, Result, Seat, Table
from fixtures.make import GROUPS, Group, match, pack, unpack, write
from projections.audit import audit
from recorder import codec
from recorder.answers import DeckRefused
from recorder.imports import fault
from recorder.matches import opening

GAME = GAMES["blackpoker"]
FOLDER = Path(__file__).parents[1] / "fixtures" / "blackpoker"
MATCHES = sorted(path.stem for path in (FOLDER / "matches").glob("*.spn"))
P1, P2 = Seat("p1"), Seat("p2")


class Stated(Struct, frozen=True):
    """What is said of a match: its end, its findings, and clauses that it bears witness to."""

    winner: str
    reason: str
    witness: tuple[str, ...]
    findings: tuple[tuple[int, str, str], ...] = ()


STATED = {
    "normal": Stated("p1", "life", ("BP-7.8", "BP-8.6", "BP-9.14", "BP-9.15", "BP-10.6", "BP-13.1")),
    "ends-life": Stated("p1", "life", ("BP-7.33", "BP-13.1")),
    "ends-both-empty": Stated("p2", "life", ("BP-9.19", "BP-13.2")),
    "ends-preset": Stated("p2", "preset", ("BP-3.6",)),
    "ends-concede": Stated("p1", "concede", ("BP-13.4",)),
    "ends-judge": Stated("p1", "time: eight cards of life against seven", ("BP-13.5",)),
    "stage-fight": Stated(
        "p1", "course over: p2 has no soldier left", ("BP-7.34", "BP-9.7", "BP-9.14", "BP-9.16", "BP-9.20")
    ),
    "next-generation": Stated("p1", "life", ("BP-7.27", "BP-7.31", "BP-7.36", "BP-7.37", "BP-7.38", "BP-13.1")),
    "fogs-and-equips": Stated("", "", ("BP-7.3", "BP-8.10", "BP-9.3", "BP-9.7", "BP-9.8", "BP-12.4")),
    "search-full54": Stated(
        "p1",
        "end of the round: thirty-seven cards of life against thirty-four",
        ("BP-3.6", "BP-7.30", "BP-9.19", "BP-9.20"),
    ),
    "tie-first-player": Stated("p1", "life", ("BP-2.9", "BP-3.7", "BP-3.8", "BP-3.9")),
    "options": Stated("p1", "life", ("BP-7.2", "BP-7.33")),
    "rewind": Stated("p1", "life", ("BP-7.33", "BP-9.15", "BP-13.1")),
    "as-played": Stated(
        "p1", "life", ("BP-8.3", "BP-9.3"), ((9, "not_allowed", "BP-8.2"), (24, "not_allowed", "BP-5.8"))
    ),
    "disputed": Stated(
        "p1",
        "life",
        ("BP-10.6",),
        ((10, "not_allowed", "BP-7.15"), (30, "not_allowed", "BP-4.2"), (47, "consequences", "BP-10.6")),
    ),
}


def text(name: str) -> str:
    return (FOLDER / "matches" / f"{name}.spn").read_text(encoding="utf-8")


@cache
def entries(name: str) -> tuple[Entry, ...]:
    return tuple(parse_notation(text(name), GAMES))


def table(name: str, upto: int | None = None) -> Table:
    return fold_entries(entries(name), upto)


def number(name: str, holds: Callable[[Table], bool]) -> int:
    """The first entry after which something holds."""
    found = entries(name)
    return next(one for one in range(1, len(found) + 1) if holds(fold_entries(found, one)))


def faces(of: Table, place: str) -> list[str | None]:
    return [of.pieces[card].face for card in of.places.get(Place(place), ())]


def found_by(record: tuple[Entry, ...], rules: object = None) -> list[tuple[int, str, str]]:
    opened = record[0]
    assert isinstance(opened, Opened)
    return [(one.entry, one.kind, one.clause) for one in audit(GAMES[opened.game], record, rules).findings]


def lines(record: tuple[Entry, ...]) -> list[bytes]:
    return [codec.to_json_line(codec.encode(one)) for one in record]


def from_lines(record: list[bytes]) -> tuple[Entry, ...]:
    return tuple(codec.decode(codec.from_json_line(one)) for one in record)


# -- matches by hand --------------------------------------------------------------------------------------------------


def test_every_match_has_something_stated_of_it() -> None:
    assert sorted(STATED) == MATCHES


@pytest.mark.parametrize("name", MATCHES)
def test_it_is_a_record_that_ends_as_stated(name: str) -> None:
    stated = STATED[name]
    assert fault(entries(name)) is None
    result = Result((Seat(stated.winner),), stated.reason) if stated.winner else None
    assert table(name).result == result
    clauses = {clause for one in entries(name) for clause, _ in told(one)}
    assert clauses.issuperset(stated.witness), sorted(set(stated.witness) - clauses)


@pytest.mark.parametrize("name", MATCHES)
def test_it_audits_as_stated(name: str) -> None:
    assert found_by(entries(name)) == list(STATED[name].findings)


@pytest.mark.parametrize("name", MATCHES)
def test_nothing_is_lost_in_either_format(name: str) -> None:
    record = entries(name)
    assert tuple(parse_notation(write_notation(GAME, record), GAMES)) == record
    assert from_lines(lines(record)) == record
    assert [codec.encode(one) for one in from_lines(lines(record))] == [codec.encode(one) for one in record]


@pytest.mark.parametrize("name", MATCHES)
def test_the_readme_tells_of_it(name: str) -> None:
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `{name}` \| (\w+), (\d+) \|.*\| (p1|p2|unfinished)\b[^|]*\|$", readme, re.MULTILINE)
    assert row is not None
    frame, length, winner = row.groups()
    opened = entries(name)[0]
    assert isinstance(opened, Opened)
    assert (frame, int(length)) == (opened.rules["frame"], len(entries(name)))
    assert winner == (STATED[name].winner or "unfinished")


def test_the_damage_in_dispute_is_right_where_the_spade_counts() -> None:
    opened = entries("disputed")[0]
    assert isinstance(opened, Opened)
    rules = with_settings(GAME, load(GAME, opened.rules), {"throwing.damage_suit": "spade"})
    assert found_by(entries("disputed"), rules) == list(STATED["disputed"].findings[:2])


def test_the_flagged_errors_are_those_the_record_calls_as_played() -> None:
    assert all(one.flagged for one in audit(GAME, entries("as-played")).findings)
    assert [one.flagged for one in audit(GAME, entries("disputed")).findings] == [True, True, False]


def test_both_lives_are_empty_and_no_shuffle_is_asked() -> None:
    last = table("ends-both-empty")
    assert faces(last, "p1.life") == faces(last, "p2.life") == []
    assert "BP-9.20" not in {clause for one in entries("ends-both-empty") for clause, _ in told(one)}


def test_a_concession_leaves_the_stage_as_it_is() -> None:
    last = table("ends-concede")
    assert [one.kind for one in last.stack] == ["throwing"]
    assert faces(last, "stage") == ["S5", "CK"]


def test_the_stage_of_the_fight_is_seven_requests_high() -> None:
    highest = max((fold_entries(entries("stage-fight"), one).stack for one in range(1, 80)), key=len)
    assert [one.kind for one in highest] == ["damage_judge", "up", "down", "counter", "counter", "counter", "down"]


def test_one_combat_calls_five_runs() -> None:
    at = number("next-generation", lambda one: bool(one.waiting) and bool(one.asked))
    runs = [fact for one in entries("next-generation")[at - 1 :] for clause, fact in told(one) if clause == "BP-7.36"]
    assert len(runs) == 5


def test_fogs_of_both_players_live_through_a_turn_change_of_the_other() -> None:
    after = number("fogs-and-equips", lambda one: one.clock.turn == 2)
    assert faces(table("fogs-and-equips", after), "p2.fog") == ["S6"]
    after = number("fogs-and-equips", lambda one: one.clock.turn == 3)
    assert faces(table("fogs-and-equips", after), "p1.fog") == ["H3"]
    assert not table("fogs-and-equips", after).effects


def test_a_card_shown_by_search_is_lost_from_sight_when_a_bulwark_is_set() -> None:
    opened = entries("search-full54")[0]
    assert isinstance(opened, Opened)
    physics = Physics(opened.schema)

    def seen(upto: int) -> list[str]:
        shown = see_place(physics, table("search-full54", upto), P2, Place("p1.hand"))
        assert shown is not None
        return [card.face for card in shown.cards if card.face]

    found = number("search-full54", lambda one: "SK" in faces(one, "p1.hand"))
    placed = number("search-full54", lambda one: len(one.places.get(Place("p1.bulwarks"), ())) == 2)
    assert seen(found - 1) == []
    assert seen(found) == seen(placed - 1) == ["SK"]
    assert seen(placed) == []
    assert "SK" in faces(table("search-full54", placed), "p1.hand")


def test_the_rewound_match_goes_on_from_the_open_block() -> None:
    record = entries("rewind")
    at, rewound = next((at, one) for at, one in enumerate(record, start=1) if isinstance(one, Rewound))
    assert table("rewind", at) == table("rewind", rewound.to)
    assert [one.kind for one in table("rewind", at).asked] == ["designate_blockers"]
    assert set(range(rewound.to + 1, at)).isdisjoint(line(record))
    undone = table("rewind", at - 1)
    assert len(undone.places[Place("p2.life")]) == 1 and len(table("rewind", at).places[Place("p2.life")]) == 10


OPTIONS = re.findall(r'^\[Set "([^"]+)".*\]\n', text("options"), re.MULTILINE)


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_of_the_options_match_matters(option: str) -> None:
    other = re.sub(rf'^\[Set "{re.escape(option)}".*\]\n', "", text("options"), flags=re.MULTILINE)
    assert other != text("options")
    try:
        read = parse_notation(other, GAMES)
    except FormatError as error:
        assert error.clause is not None, error
    else:
        assert [told(one) for one in read] != [told(one) for one in entries("options")]


# -- decks ------------------------------------------------------------------------------------------------------------


def handed_in(name: str, frame: str) -> Opened | str:
    """What becomes of a match in which both play this deck: its first entry, or the clause that refuses it."""
    deck = read_deck(GAME, (FOLDER / "decks" / f"{name}.toml").read_text(encoding="utf-8"), name)
    opened = opening(GAME, ruleset(GAME, "8.1-lite", frame), "8.1-lite", {}, {P1: deck, P2: deck}, bytes(16), "m")
    if isinstance(opened, DeckRefused):
        return opened.refusal.clause
    assert isinstance(opened, Opened), opened
    assert opened.decks == {P1: deck.main, P2: deck.main} and opened.sides == {}
    return opened


def test_decks_are_allowed_in_their_frame_and_in_no_other() -> None:
    assert isinstance(handed_in("entry20", "entry20"), Opened)
    assert isinstance(handed_in("full54", "full54"), Opened)
    assert handed_in("entry20-broken", "entry20") == "BP-1.5"
    assert handed_in("full54", "entry20") == "BP-1.5"
    assert handed_in("entry20", "full54") == "BP-1.10"


# -- simulated matches ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.game}-{group.name}")
def test_simulated_matches_hold(group: Group) -> None:
    matches = list(unpack(group.path))
    assert len(matches) == len(group.seeds)
    for seed, one in zip(group.seeds, matches, strict=True):
        record = from_lines(one)
        opened = record[0]
        assert isinstance(opened, Opened) and opened.match == f"sim-{group.game}-{seed}"
        assert fault(record) is None and fold_entries(record).result is not None
        assert found_by(record) == []
        assert lines(record) == one


@pytest.mark.parametrize("game", ["blackpoker", "grimoire"])
def test_there_are_a_hundred(game: str) -> None:
    groups = [group for group in GROUPS if group.game == game]
    assert sum(len(group.seeds) for group in groups) == 100
    assert {path.name for path in groups[0].path.parent.iterdir()} == {group.path.name for group in groups}


OPTIONS_GROUP = next(group for group in GROUPS if group.name == "options")
SAMPLE = [(group, at) for group in GROUPS for at in ((0, 17, 49) if len(group.seeds) > 20 else (1, 5))]
SAMPLE.append((OPTIONS_GROUP, 9))


@pytest.mark.parametrize(
    ("group", "at"), SAMPLE, ids=lambda one: f"{one.game}-{one.name}" if isinstance(one, Group) else str(one)
)
def test_a_seed_makes_the_same_match_again(group: Group, at: int) -> None:
    assert match(group, group.seeds[at]) == list(unpack(group.path))[at]


def test_packing_is_the_same_every_time_and_a_file_that_holds_the_same_is_left_alone(tmp_path: Path) -> None:
    ours = list(unpack(OPTIONS_GROUP.path))
    packed = pack(line for one in ours for line in one)
    assert packed == pack(line for one in ours for line in one)
    copy = tmp_path / "copy.jsonl.gz"
    copy.write_bytes(packed)
    assert list(unpack(copy)) == ours
    before = OPTIONS_GROUP.path.read_bytes()
    assert write(OPTIONS_GROUP) is False and OPTIONS_GROUP.path.read_bytes() == before
