"""Worked examples and rule changes that depend on changed cards: cases with a card file."""

from importlib.resources import files

from domain.formats.casebook import load_casebook, run_case
from domain.games import GAMES
from domain.law.pools import Overlay
from tests.rows import for_each

PRINTED = files("domain.games.dea").joinpath("pools/1.toml").read_text(encoding="utf-8")
OWN_TURN = ', timing = "own_turn"'


def reprint(face: str, *changes: tuple[str, str]) -> str:
    (card,) = (text for text in PRINTED.split("[[cards]]") if f'id = "{face}"' in text)
    for old, new in changes:
        assert card.count(old) == 1, old
        card = card.replace(old, new)
    return "[[cards]]" + card.partition("\n# --")[0]


NAMESAKE = reprint("G01", ('"G01"', '"G21"'))
BRACKETED = reprint("G01", ('"G01"', '"G21"'), ("Sudden Ink", "Sudden Ink (Late)"), ("にわか墨", "にわか墨(後)"))
SLIP_AT_ANY_TIME = reprint("C10", (OWN_TURN, ""))
PULL_ANYBODY_AT_ANY_TIME = reprint("C14", (OWN_TURN, ""), ('whose = "enemy"', 'whose = "any"'))
WEAKER_TORCH = reprint("C01", ("atk = 5", "atk = 4"))

POSITION = """
game = "dea"
version = "1"
[[case]]
id = "S0"
[case.given]
turn = 3
active = "p1"
first = "p1"
phase = "main"
step = "open"
awaited = ["p1"]
seats.p1 = {{ life = 21, max_life = 21, pages = 5, turns_taken = 2 }}
seats.p2 = {{ life = 22, max_life = 22, pages = 5, turns_taken = 1 }}
[case.given.places]
"map:3,2" = [{torch}]
"map:3,3" = [{vanguard}]
"map:2,2" = ["C02 owner=p1"]
"map:3,1" = ["C03 owner=p1"]
"map:4,2" = ["C04 owner=p1"]
"map:1,2" = ["C05 owner=p1"]
"map:2,5" = ["C06 owner=p2"]
"map:2,4" = ["C07 owner=p2"]
"map:4,5" = ["{fourth} owner=p2"]
"map:3,4" = ["C09 owner=p2"]
"map:5,4" = ["C10 owner=p2"]
"p1.foreshadow:1" = ["F01"]
"p1.foreshadow:2" = ["F03"]
"p1.foreshadow:3" = ["F10"]
"p2.foreshadow:1" = ["F02"]
"p2.foreshadow:2" = ["F04"]
"p2.foreshadow:3" = ["F05"]
"p1.deck" = ["x12"]
"p2.deck" = ["x12"]
{steps}
"""
PLOT = """
game = "dea"
version = "1"
[[case]]
id = "EX-01/e"
given.set_up = {{ p1 = [], p2 = [] }}
[case.given.decks]
p1 = [
    "C01", "C02", "C03", "C04", "C05", "G01", "G21", "G06", "G08", "G10", "G12", "G13", "G16", "G17", "Q01", "Q06",
    "Q07", "F01", "F03", "F10",
]
[[case.step]]
when = []
{then}
"""


def hold(text: str, cards: str | None) -> None:
    (case,) = load_casebook(text).cases
    overlay = None if cards is None else Overlay("made-up.toml", cards)
    report = run_case(case, GAMES["dea"], cards=overlay)
    assert report.passed, report.failure


def position(steps: str, vanguard: bool = False, fourth: str = "C08") -> str:
    torch = '"C01 owner=p1"'
    places = ("", torch) if vanguard else (torch, "")
    return POSITION.format(torch=places[0], vanguard=places[1], fourth=fourth, steps=steps)


def test_a_name_with_another_suffix_in_brackets_is_another_name() -> None:
    hold(PLOT.format(then='then.asked = ["chance first_player"]'), BRACKETED)
    hold(PLOT.format(then='then.refused = "DEA-2.5"'), NAMESAKE)


SLIP = """
[[case.step]]
when = ["p2: use_ability C10 slip cell=map:4,4"{passes}]
{then}
"""


def test_slip_in_the_other_writers_turn_is_illegal_since_it_was_restricted() -> None:
    """RC-08."""
    then = 'then = { places = { "map:4,4" = ["C10"] }, seats = { p2 = { pages = 3 } } }'
    hold(position(SLIP.format(passes=', "pp"', then=then)), SLIP_AT_ANY_TIME)
    hold(position(SLIP.format(passes="", then='then.refused = "DEA-7.27"')), None)


PULL = """
[[case.step]]
when = ["{turn}p2: use_ability C14 pull targets={target} cell={cell}"{passes}]
{then}
"""
END = 'p1: end_main", "p2: pass", "'


@for_each("turn, target, cell, clause", [("", "C01", "map:3,3", "DEA-7.27"), (END, "C10", "map:5,3", "DEA-7.23")])
def test_pull_was_restricted_to_enemies_and_the_own_turn(turn: str, target: str, cell: str, clause: str) -> None:
    """RC-09."""
    pulled = PULL.format(
        turn=turn, target=target, cell=cell, passes=', "pp"', then=f'then.places = {{ "{cell}" = ["{target}"] }}'
    )
    hold(position(pulled, fourth="C14"), PULL_ANYBODY_AT_ANY_TIME)
    refused = PULL.format(turn=turn, target=target, cell=cell, passes="", then=f'then.refused = "{clause}"')
    hold(position(refused, fourth="C14"), None)


ATTACK = """
[[case.step]]
when = ["p1: attack C01 map:3,4", "pp"]
then.places = {{ "{torch}" = ["C01"], "{mason}" = ["C09"] }}
then.seats = {{ p2 = {{ life = {life} }} }}
[[case.step]]
when = ["p1: end_main", "p2: pass", "p2: end_main", "p1: pass", "p1: move C01 map:4,4"]
{then}
"""


def test_a_weaker_torch_does_no_damage_and_is_not_where_the_record_moves_it_from() -> None:
    """RC-15."""
    moved = ATTACK.format(torch="map:3,4", mason="map:3,5", life=21, then='then.places = { "map:4,4" = ["C01"] }')
    hold(position(moved, vanguard=True), None)
    stays = ATTACK.format(torch="map:3,3", mason="map:3,4", life=22, then='then.refused = "DEA-6.5"')
    hold(position(stays, vanguard=True), WEAKER_TORCH)
