"""Rule change R12, made by a card: cases with a card file."""

from importlib.resources import files

from domain.formats.casebook import load_casebook, run_case
from domain.games import GAMES
from domain.law.pools import Overlay

PRINTED = files("domain.games.skillbook").joinpath("pools/1.toml").read_text(encoding="utf-8")
POSITION = """
game = "skillbook"
version = "1"
[[case]]
id = "R12"
[case.given]
turn = 5
active = "p1"
first = "p1"
phase = "main"
step = "idle"
awaited = ["p1"]
seats = {{ p1 = {{ start_row = 1, laid_out = 1 }}, p2 = {{ start_row = 1, laid_out = 1 }} }}
[case.given.places]
"ground:*,*" = ["wasteland up owner=p1"]
"ground:4,1" = ["mountain up owner=p1"]
"unit:4,1" = ["H01 owner=p1"]
"unit:4,7" = ["H05 owner=p2"]
"unit:4,3" = ["S13 owner=p2"]
"p1.table" = ["S26"]
"p1.book" = ["x{book}"]
"p2.book" = ["x9"]
[[case.step]]
when = ["p1: use_skill S26"]
{then}
"""


def dearer() -> str:
    (card,) = (text for text in PRINTED.split("[[cards]]") if 'id = "S26"' in text)
    assert card.count("double_cost = 4") == 1
    return "[[cards]]" + card.replace("double_cost = 4", "double_cost = 5")


def hold(book: int, then: str, cards: str | None) -> None:
    (case,) = load_casebook(POSITION.format(book=book, then=then)).cases
    overlay = None if cards is None else Overlay("erratum.toml", cards)
    report = run_case(case, GAMES["skillbook"], cards=overlay)
    assert report.passed, report.failures


def test_an_erratum_makes_the_payment_one_card_more() -> None:
    hold(9, 'then.count = { "p1.book" = 5, "p2.graveyard" = 1 }', None)
    hold(9, 'then.count = { "p1.book" = 4, "p2.graveyard" = 1 }', dearer())


def test_an_erratum_may_make_a_skill_unpayable() -> None:
    hold(4, 'then.result = { winners = ["p2"], clause = "SB-3.4" }', None)
    hold(4, 'then.refused = "SB-5.18"', dearer())
