"""Lines in a game's own words: labels of buttons and log lines parse as the action that they show."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.formats.actions import decode_action
from domain.formats.errors import FormatError
from domain.formats.notation import parse_notation
from domain.formats.sentences import to_notation
from domain.formats.typed import read_seen
from domain.games import GAMES
from domain.law.entries import Played, opened_of, tables
from domain.law.law import Law
from domain.law.record import Record
from domain.table.table import JUDGE, Seat
from domain.words import LANGS, say
from projections.seen_entries import seen_entry
from projections.timeline import entry_words
from recorder.laws import law_of
from tests.projections.records import laid_out
from tests.rows import for_each

FIXTURES = Path("fixtures")


def fixtures(key: str) -> Iterator[tuple[str, Record]]:
    for path in sorted(FIXTURES.glob(f"{key}/matches/*.spn")):
        entries = parse_notation(path.read_text(encoding="utf-8"), GAMES)
        law = law_of(opened_of(entries))
        assert isinstance(law, Law)
        yield path.name, Record(law, entries)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_action_that_a_log_prints_reads_back(key: str) -> None:
    count = 0
    for name, record in fixtures(key):
        eyes, printed = record.eyes(JUDGE), set[str]()
        for number, entry, before, _ in tables(record.entries):
            if not isinstance(entry, Played):
                continue
            meant = (entry.actor, decode_action(record.game, entry.action))
            seen = seen_entry(record.game, eyes, number, entry, before)
            for lang in LANGS:
                line = entry_words(record.game, seen, lang, record.names)
                if line.bare and line.text in printed:
                    continue
                printed.add(line.text)
                read = read_seen(record, before, f"#{number} {line.text}", eyes)
                assert read == meant, (name, number, line.text, to_notation(record, before, line.text, eyes))
                count += 1
    assert count > 100


def with_names(record: Record, *names: str) -> Record:
    opened = record.opening
    given = dict(zip(opened.seats, names, strict=False))
    return Record(record.law, (replace(opened, names=given), *record.entries[1:]))


@for_each("names", [("Aoi", "Ben Ito"), ("Aoi", "aoi"), ("p2", "Ben")])
@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_log_line_reads_back_for_the_seat_that_acted(key: str, names: tuple[str, ...]) -> None:
    name, unnamed = next(one for one in fixtures(key) if one[0] in ("normal.spn", "stack-fight.spn"))
    record = with_names(unnamed, *names)
    count = 0
    for number, entry, before, _ in tables(record.entries):
        if isinstance(entry, Played) and entry.actor in record.opening.seats:
            eyes = record.eyes(entry.actor)
            line = entry_words(record.game, seen_entry(record.game, eyes, number, entry, before), "ja", record.names)
            if "?" in line.text or say("card.hidden", "ja") in line.text:
                continue
            read = read_seen(record, before, line.text, eyes)
            assert read == (entry.actor, decode_action(record.game, entry.action)), (name, number, line.text)
            count += 1
    assert count > 20


@pytest.fixture(scope="module")
def table() -> Record:
    """Return a match in which p1, named Aoi, is to act."""
    hand = {"p1.hand": "H7 C2 S2", "p2.hand": "D4 JK", "p1.soldiers": "H9", "p2.soldiers": "C3"}
    entries = laid_out(hand)
    law = law_of(opened_of(entries))
    assert isinstance(law, Law)
    return Record(law, entries)


@pytest.mark.parametrize(
    ("typed", "notation"),
    [
        ("p1: set bulwark", "p1: set_bulwark"),
        ("Set Bulwark", "set_bulwark"),
        ("Aoi: set-bulwark", "p1: set_bulwark"),
        ("aoi set bulwark", "p1: set_bulwark"),
        ("ｐ１：防壁設置", "p1: set_bulwark"),
        ("p1: summon soldier h7, c2", "p1: summon_soldier keys=H7,C2"),
        ("p1: summon soldier: key cards H7\u3001C2", "p1: summon_soldier keys=H7,C2"),
        ("p1: summon_soldier keys=H7,C2 u4", "p1: summon_soldier keys=H7,C2 u4"),
        ("p2: search joker", "p2: search keys=JK"),
        ("p2: search jok", "p2: search keys=JK"),
        ("#72 Aoi: End", "p1: end"),
        ("72  12:30:05  Aoi: End  undone by a rewind", "p1: end"),
        ("12:30 #72 p1: End ok", "p1: end"),
        ("p1: choose_second_draw yes", "p1: choose_second_draw yes"),
        ("p1: choose_second_draw \u306f\u3044", "p1: choose_second_draw draw=yes"),
        ("p1: quick summon", "p1: quick_summon"),
    ],
)
def test_a_line_in_words_is_notation(table: Record, typed: str, notation: str) -> None:
    read = to_notation(table, table.after(1), typed, table.eyes(), None)
    assert read == notation


@pytest.mark.parametrize(
    ("typed", "notation"),
    [
        ("p1: play_event G16 C09 east", "p1: play_event card=G16 targets=C09 direction=east"),
        ("p1: play_event gale cue C09 {east}", "p1: play_event card=G16 targets=C09 direction=east"),
        ("p1: play_event G16 C09 cell=d4 east", "p1: play_event card=G16 targets=C09 cell=map:4,4 direction=east"),
    ],
)
def test_a_word_that_one_slot_takes_fills_it(typed: str, notation: str) -> None:
    _, record = next(fixtures("dea"))
    typed = typed.format(east=record.game.rulebook.word("east", "ja"))
    assert to_notation(record, record.after(len(record.entries)), typed, record.eyes(JUDGE), None) == notation


@pytest.mark.parametrize(
    ("typed", "near"),
    [("p1: set bulwrak", "Set bulwark"), ("Aoi: attakc u4", "Attack"), ("p1: designate", "designate attackers")],
)
def test_an_unknown_verb_is_answered_with_the_nearest_ones(table: Record, typed: str, near: str) -> None:
    with pytest.raises(FormatError) as raised:
        to_notation(table, table.after(1), typed, table.eyes())
    said = raised.value.message.say("en")
    assert near in said.partition(";")[0] and len(said) < 200
    assert raised.value.message.say("ja") != said


def test_what_a_beginning_means_is_the_same_whatever_others_hold(table: Record) -> None:
    eyes = table.eyes(Seat("p1"))
    hands = {"p1.hand": "H7 C2 S2", "p2.hand": "DK S9", "p1.soldiers": "H9", "p2.soldiers": "C3"}
    other = Record(table.law, laid_out(hands))
    for begun in ("J", "Jo", "H", "D"):
        ours, theirs = (to_notation(each, each.after(1), f"p1: up {begun}", eyes) for each in (table, other))
        assert ours == theirs
