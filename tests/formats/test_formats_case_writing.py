"""Writing cases: skeletons that pass as written, and expectations updated in place."""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from domain.formats.casebook import load_casebook, run_case
from domain.formats.casebook.amend import amend, changes, spans
from domain.formats.casebook.skeleton import NoPosition, write_case
from domain.formats.notation import parse_notation
from domain.games import GAMES
from domain.law import croupier
from domain.law.entries import Entry, Played, fold_entries, opened_of
from domain.law.game import Game
from tests.formats.test_formats_casebook import FIXTURES, HEAD, STEP, case
from tests.games import PLAYED
from tests.laws.samples import sample
from tests.rotation import rotate
from tests.rows import for_each

pytestmark = pytest.mark.rotates(2)

MATCHES = sorted(FIXTURES.glob("*/matches/*.spn"))
BOOKS = sorted(FIXTURES.glob("*/*/*.toml"))
TRIED_MOST = 12


def holds(game: Game, entries: Sequence[Entry], at: int) -> bool:
    text = write_case(game, entries, at, f'a "case" of {at}')
    (written,) = load_casebook(text, "skeleton.cases.toml").cases
    report = run_case(written, game)
    assert report.passed, (at, report.failures, text)
    following = entries[at] if at < len(entries) else None
    return isinstance(following, Played) and bool(written.step[0].when)


def positions(entries: Sequence[Entry]) -> Iterator[int]:
    step = max(1, len(entries) // TRIED_MOST)
    return (at for at in range(1, len(entries) + 1, step) if fold_entries(entries, at).result is None)


@pytest.mark.random
@for_each("seed", rotate(range(6), 2))
@pytest.mark.parametrize("key", PLAYED)
def test_the_skeleton_of_any_position_is_a_case_that_holds(key: str, seed: int) -> None:
    entries = sample(key, seed).entries
    acted = [holds(PLAYED[key], entries, at) for at in positions(entries)]
    assert any(acted)


@pytest.mark.random
@for_each("path", MATCHES)
def test_so_is_that_of_matches_recorded_by_hand(path: Path) -> None:
    entries = parse_notation(path.read_text(encoding="utf-8"), GAMES, croupier.make_random_source)
    game = GAMES[opened_of(entries).game]
    for at in positions(entries):
        holds(game, entries, at)


def test_what_was_recorded_as_played_is_played_so_in_the_skeleton() -> None:
    path = FIXTURES / "blackpoker" / "matches" / "disputed.spn"
    entries = parse_notation(path.read_text(encoding="utf-8"), GAMES, croupier.make_random_source)
    text = write_case(GAMES["blackpoker"], entries, 9, "x")
    assert 'when = ["p1: designate_attackers d3,s4"]\nas_played = true\nthen.violations = ["BP-7.15"]\n' in text


def test_of_a_match_that_is_over_there_is_no_position() -> None:
    path = FIXTURES / "blackpoker" / "matches" / "normal.spn"
    entries = parse_notation(path.read_text(encoding="utf-8"), GAMES, croupier.make_random_source)
    last = next(at for at in range(1, len(entries) + 1) if fold_entries(entries, at).result is not None)
    with pytest.raises(NoPosition, match=f"the match is over after entry {last}"):
        write_case(GAMES["blackpoker"], entries, last, "x")


@for_each("path", BOOKS)
def test_every_value_of_a_file_is_found_where_it_stands(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    whole = tomllib.loads(text)
    reached = 0
    for way, (start, end) in spans(text):
        value: Any = whole
        for key in way:
            value = value[key]
        assert tomllib.loads(f"value = {text[start:end]}")["value"] == value, way
        reached += 1
    assert reached


ODD = '''
a."b.c" = [1, { d = "x]" }, """two
lines""", [],] # a = 7
'e f' = 'raw \\' # [no]
[g]
h = 2020-01-01 00:00:00
[[i.j]]
k = { l.m = 1, n = [ # here
  "o", # there
] }
[[i.j]]
k = "p"
'''


def test_values_are_found_in_any_toml() -> None:
    found = {way: ODD[start:end] for way, (start, end) in spans(ODD)}
    assert found[("a", "b.c", 1, "d")] == '"x]"' and found[("a", "b.c", 2)] == '"""two\nlines"""'
    assert found[("e f",)] == "'raw \\'" and found[("g", "h")] == "2020-01-01 00:00:00"
    assert found[("i", "j", 0, "k", "l", "m")] == "1" and found[("i", "j", 0, "k", "n", 0)] == '"o"'
    assert found[("i", "j", 1, "k")] == '"p"'


@for_each(
    "then, now",
    [
        ("then.turn = 6", "then.turn = 5"),
        ("then = { turn = 5, awaited = ['p1'] } # kept", 'then = { turn = 5, awaited = ["p2"] } # kept'),
        ("[case.step.then]\npassed = [\n  # whoever\n]", '[case.step.then]\npassed = ["p1"]'),
        ('then.places."p1.hand" = ["S4", "S5"]', 'then.places."p1.hand" = ["S4", "S2"]'),
        ('then.places = { "p1.bulwarks" = ["n = C6 driven"] }', 'then.places = { "p1.bulwarks" = ["C6 charged"] }'),
        ('then.count = { "p1.hand" = 9, "p1.life" = 12 }', 'then.count = { "p1.hand" = 2, "p1.life" = 12 }'),
        ('then.result = { winners = ["p1"] }', "then.result = {}"),
        ('then.told = ["move"]', 'then.told = ["clock"]'),
        (
            'then.views = [{ viewer = "p2", place = "p1.hand", count = 3, cards = ["S4"] }]',
            'then.views = [{ viewer = "p2", place = "p1.hand", count = 2, cards = [] }]',
        ),
        ('then.readings = { "b component" = "ace" }', 'then.readings = { "b component" = "bulwark" }'),
    ],
)
def test_expectations_are_written_anew_where_they_stand(then: str, now: str) -> None:
    text = f'{HEAD}[[case]]\nid = "other"\n[[case]]\nid = "c"\n' + STEP % '"p1: pass"' + then + "\n"
    book = load_casebook(text, "my.cases.toml")
    report = run_case(book.cases[1], GAMES["blackpoker"])
    new = amend(text, changes(1, book.cases[1], report.failures))
    assert new == text.replace(then, now) != text
    assert run_case(load_casebook(new, "").cases[1], GAMES["blackpoker"]).passed


@for_each("then", ['then.offers = ["p1: pass"]', 'then.has."p1.hand" = ["H8"]', 'then.refused = "BP-4.2"'])
def test_what_no_other_value_says_is_left_to_people(then: str) -> None:
    report = run_case(case(STEP % '"p1: pass"' + then), GAMES["blackpoker"])
    assert not report.passed and changes(0, case(STEP % '"p1: pass"' + then), report.failures) == {}


def test_an_ending_is_written_anew_where_it_stands() -> None:
    ending = '[[case.step.ending]]\nid = "{id}"\n[[case.step.ending.step]]\nwhen = ["{when}"]\nthen.turn = {turn}\n'
    text = f'{HEAD}[[case]]\nid = "c"\n[[case.step]]\nwhen = []\n[[case.step]]\nwhen = ["p1: pass"]\n'
    endings = [("a", "p2: pass", 5), ("b", "p2: concede", 6)]
    text += "".join(ending.format(id=name, when=when, turn=turn) for name, when, turn in endings)
    (wrong,) = load_casebook(text, "").cases
    new = amend(text, changes(0, wrong, run_case(wrong, GAMES["blackpoker"]).failures))
    assert new == text.replace("turn = 6", "turn = 5")
