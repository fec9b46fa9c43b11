"""Timelines: each entry equals the board drawn directly, and hidden cards stay hidden."""

import re
from random import Random

import msgspec
import pytest

from domain.law.entries import tables
from domain.law.record import Record, record_of
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, Seat
from projections.board import board_of
from projections.timeline import timeline
from projections.viewing import NotInMatch
from service.drawing.board import strips
from service.drawing.log import Links
from service.drawing.timeline import CHUNK, Film, chunk, film
from tests.games import PLAYED
from tests.laws.leak_checks import decide_again
from tests.laws.samples import sample
from tests.rotation import rotate
from tests.service.matches import SHELVED, TOY, match_of, viewers

pytestmark = pytest.mark.rotates(2)

REWOUND = [(key, name) for key, name in SHELVED if name == "rewind"]
STOPS = 50
"""Number of entries at which a timeline is compared with the direct drawing."""
STRETCH = 30


def fragments_at(made: Film, number: int) -> dict[str, str]:
    rows: dict[str, int] = {}
    for changed in made.at[: number - made.first + 1]:
        rows |= changed
    return {key: made.rows[row] for key, row in rows.items()}


def directly(record: Record, eyes: TableViewer, wanted: set[int]) -> dict[int, dict[str, str]]:
    law, schema = record.law, record.opening.schema
    return {
        number: dict(strips(board_of(record, eyes, number, table), law, schema, "en"))
        for number, _, _, table in tables(record.entries)
        if number in wanted
    }


@pytest.mark.parametrize(("key", "name"), rotate([*SHELVED, *TOY], 4))
def test_a_film_shows_what_is_drawn_directly(key: str, name: str) -> None:
    record, random = match_of(key, name), Random(name)
    last = len(record.entries)
    for viewer in viewers(record):
        eyes = record.eyes(viewer)
        first = random.randint(1, last)
        wanted = set(random.choices(range(1, last + 1), k=STOPS // len(viewers(record)))) | {first, last}
        direct = directly(record, eyes, wanted)
        for made in (film(record, eyes, "en", 1, last), film(record, eyes, "en", first, last)):
            assert (made.first, made.last, len(made.at)) == (made.first, last, last - made.first + 1)
            for number in sorted(wanted):
                if number >= made.first:
                    assert fragments_at(made, number) == direct[number], (viewer, number)


@pytest.mark.parametrize(("key", "name"), rotate([*SHELVED, *TOY], 6))
def test_a_film_says_each_thing_once(key: str, name: str) -> None:
    record = match_of(key, name)
    last = len(record.entries)
    made = film(record, record.eyes(), "ja", 1, last)
    assert len(set(made.rows)) == len(made.rows)
    assert {row for changed in made.at for row in changed.values()} == set(range(len(made.rows)))
    assert all(made.at[0].keys() >= changed.keys() for changed in made.at)
    before: dict[str, int] = {}
    for changed in made.at:
        assert not {key for key, row in changed.items() if before.get(key) == row}, "said again"
        before |= changed


@pytest.mark.parametrize(("key", "name"), rotate([*SHELVED, *REWOUND], 4))
def test_the_log_has_a_line_and_a_sentence_for_each_entry(key: str, name: str) -> None:
    record = match_of(key, name)
    last = len(record.entries)
    links = Links("/m/7/{n}", "/rules/{clause}")
    for viewer in (SPECTATOR, JUDGE):
        eyes = record.eyes(viewer)
        made = film(record, eyes, "ja", 1, last, links)
        for line, log, says in zip(timeline(record, eyes, "ja"), made.log, made.says, strict=True):
            assert log.startswith("<li ") and f'href="/m/7/{line.number}"' in log
            assert re.findall(r'class="violation" href="/rules/([^"]*)"', log) == list(line.violations)
            assert ("left" in re.findall(r'class="(.*?)"', log)[0].split()) == line.left
            assert str(line.number) in says and line.text in says


def test_chunks_are_whole_and_lie_side_by_side() -> None:
    assert chunk(1, 300) == (1, CHUNK) and chunk(CHUNK, 300) == (1, CHUNK)
    assert chunk(CHUNK + 1, 300) == (CHUNK + 1, 2 * CHUNK) and chunk(300, 300) == (2 * CHUNK + 1, 300)
    assert chunk(5, 9) == (1, 9)


def test_entries_that_are_not_there_have_no_film() -> None:
    record = match_of(*SHELVED[0])
    last = len(record.entries)
    for first, end in ((0, 3), (1, last + 1), (last + 1, last + 2)):
        with pytest.raises(NotInMatch):
            film(record, record.eyes(), "en", first, end)


def encode_films(record: Record, viewer: Seat, last: int) -> bytes:
    return b"".join(msgspec.json.encode(film(record, record.eyes(viewer), lang, 1, last)) for lang in ("en", "ja"))


@pytest.mark.parametrize("key", rotate(sorted(PLAYED), 2))
def test_films_tell_nothing_by_the_ids_of_cards(key: str) -> None:
    one = sample(key, 0)
    cards = [card for _, _, _, table in tables(one.entries[:1]) for card in table.pieces]
    renamed = dict(zip(cards, Random(0).sample(range(10**6, 10**7), len(cards)), strict=True))
    other = decide_again(one, names=renamed)
    assert other is not None and other != list(one.entries)
    for viewer in (*one.first_entry.seats, SPECTATOR, JUDGE):
        last = min(STRETCH, len(other))
        films = [encode_films(record_of(one.game, each), viewer, last) for each in (one.entries, other)]
        assert films[0] == films[1]
