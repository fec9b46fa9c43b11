"""Positions of cases, checked against the card list and the invariants of the game's tables."""

from pathlib import Path

from domain.formats.casebook import Case, load_casebook, run_case
from domain.games import GAMES
from tests.cli.runs import inside
from tests.formats.test_formats_casebook import FIXTURES, HEAD as BLACKPOKER
from tests.rows import for_each

GRIMOIRE = """
game = "grimoire"
version = "1"
[given]
turn = 7
active = "p1"
first = "p1"
phase = "main"
step = "priority"
awaited = ["p1"]
places = { "p1.personal" = ["C01"], "p2.personal" = ["C02"] }
"""
DEA = 'game = "dea"\nversion = "1"\n[given]\nphase = "standby"\nstep = "placing"\n'
SKILLBOOK = 'game = "skillbook"\nversion = "1"\n[given]\nphase = "set_up"\nstep = "layout"\nawaited = ["p1", "p2"]\n'


def failures(head: str, body: str) -> list[str]:
    (case,) = load_casebook(f'{head}\n[[case]]\nid = "c"\n{body}', "my.cases.toml").cases
    report = run_case(case, GAMES.get(case.game))
    assert all((failure.step, failure.what) == (0, "position") for failure in report.failures), report
    return [failure.found.say("en") for failure in report.failures]


@for_each(
    "head, body, wrong",
    [
        (BLACKPOKER, 'given.places."p1.hand" = ["S99"]', "p1.hand: there is no card 'S99'"),
        (BLACKPOKER, 'given.places."p1.hand" = ["SQ"]', "p1 has 1 copies of SQ; the maximum is 0"),
        (BLACKPOKER, 'given.places."p1.hand" = ["SA", "SA"]', "p1 has 2 copies of SA; the maximum is 1"),
        (BLACKPOKER, 'frame = "full54"\ngiven.places."p1.hand" = ["JK", "JK", "JK"]', "p1 has 3 copies of JK"),
        (
            BLACKPOKER,
            'given.decks.p1 = ["S2x20"]\ngiven.places."p1.hand" = ["S3"]',
            "p1 has 1 copies of S3; the maximum is 0",
        ),
        (BLACKPOKER, 'given.places."p1.bulwarks" = ["S2 up"]', "`the_field_is_in_order` does not hold"),
        (GRIMOIRE, 'given.places."p1.hand" = ["S4"]', "p1.hand: there is no card 'S4'"),
        (
            GRIMOIRE,
            'given.places."p1.hand" = ["S01", "S01", "S01", "S01", "S01"]',
            "p1 has 5 copies of S01; the maximum is 4",
        ),
        (GRIMOIRE, 'given.places.field = ["S01 owner=p1 played"]', "`what_is_played_waits` does not hold"),
        (GRIMOIRE, 'given.breaks = ["what_is_playd"]', "there is no invariant 'what_is_playd' (did you mean what_is"),
        (GRIMOIRE, 'given.breaks = ["what_is_played_waits"]', "breaks: `what_is_played_waits` holds on this table"),
        (
            GRIMOIRE,
            'given.effect = [{ kind = "buff", by = "p1", face = "S4", until = "this_turn" }]',
            "buff: there is no card 'S4'",
        ),
        (DEA, 'given.places."p1.hand" = ["G99"]', "p1.hand: there is no card 'G99'"),
        (DEA, 'given.places."p1.hand" = ["G01", "G01"]', "p1 has 2 copies of G01; the maximum is 1"),
        (DEA, "set = { hand_cutt = 5 }", "dea has no option 'hand_cutt'"),
        (DEA, 'set = { hand_cut = "limit7" }', "cannot be 'limit7'; allowed: limit5_to5, limit6_to6, literal_6"),
        (SKILLBOOK, 'given.places."p1.hand" = ["S99"]', "p1.hand: there is no card 'S99'"),
        (SKILLBOOK, 'given.places."p1.book" = ["S26", "S26"]', "p1 has 2 copies of S26; the maximum is 1"),
        (
            SKILLBOOK,
            'given.places."p1.layout" = ["T01", "T01", "T01", "T01"]',
            "p1 has 4 copies of T01; the maximum is 3",
        ),
        (SKILLBOOK, 'set = { book_total = "all_cards" }', "is fixed at 'pile'; 'all_cards' is not available"),
    ],
)
def test_what_cannot_be_is_said(head: str, body: str, wrong: str) -> None:
    found = failures(head, body)
    assert len(found) == 1 and wrong in found[0], found


@for_each(
    "head, body",
    [
        (BLACKPOKER, 'given.places."p1.hand" = ["?", "?"]'),
        (BLACKPOKER, 'given.decks.p1 = ["S2x20"]\ngiven.places."p1.hand" = ["S2", "S2"]'),
        (BLACKPOKER, 'given.places."p1.bulwarks" = ["S2 up"]\ngiven.breaks = ["the_field_is_in_order"]'),
        (GRIMOIRE, 'set = { copy_limit = 0 }\ngiven.places."p1.hand" = ["S01", "S01", "S01", "S01", "S01"]'),
        (DEA, 'set = { copies_per_name = 2, hand_cut = "limit6_to6" }\ngiven.places."p1.hand" = ["G01", "G01"]'),
        (DEA, 'set.ep_conversion_cost = 5\ngiven.places."map:1,1" = ["T02 owner=p1"]'),
        (SKILLBOOK, 'given.places."p1.layout" = ["mountain", "mountain", "mountain", "mountain", "T01"]'),
        (SKILLBOOK, 'set.enforce_construction = false\ngiven.places."p1.book" = ["S26", "S26"]'),
    ],
)
def test_what_can_be_stands(head: str, body: str) -> None:
    assert failures(head, body) == []


def test_all_that_is_wrong_with_a_position_is_said_at_once() -> None:
    body = 'given.places."p1.hand" = ["S99", "SA", "SA"]\ngiven.places."p2.bulwarks" = ["S2 up"]'
    assert len(failures(BLACKPOKER, body)) == 3


def test_a_case_says_which_of_its_games_invariants_it_breaks_or_breaks_none() -> None:
    breaking = {case.id: case.given.breaks for case in _cases() if case.given.breaks}
    assert breaking == dict.fromkeys(("BP-6.9", "BP-6.10", "BP-6.11"), ("nothing_immediate_waits",))


def _cases() -> list[Case]:
    paths = sorted(FIXTURES.glob("*/*/*.cases.toml"))
    return [case for path in paths for case in load_casebook(path.read_text(encoding="utf-8"), path.name).cases]


def test_a_failure_of_a_position_is_told_on_the_screen(tmp_path: Path) -> None:
    book = tmp_path / "a.cases.toml"
    book.write_text(f'{BLACKPOKER}\n[[case]]\nid = "c"\ngiven.places."p1.hand" = ["S99"]', encoding="utf-8")
    ran = inside("unused.sqlite", "case", "run", book)
    assert ran.code == 1 and f"{book}:12 c" in ran.out and "p1.hand: there is no card 'S99'" in ran.out
