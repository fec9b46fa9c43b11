"""Unordered lists in cases: any matching assignment is found, and none is invented."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

from hypothesis import given, settings, strategies as st

from domain.formats.casebook.bags import arrange
from domain.formats.casebook.pieces import Spec, fits
from domain.formats.names import Labels
from domain.table.table import CardId, Piece, Place, Seat, Table, blank

P1 = Seat("p1")
BAG = Place("p1.soldiers")


def table_of(pieces: dict[CardId, Piece]) -> Table:
    return blank((P1,)).with_changes(pieces=pieces, places={BAG: tuple(pieces)})


def piece(face: str, host: int = 0, **marks: int) -> Piece:
    return Piece(face=face, owner=P1, controller=P1, place=BAG, thing=1, host=CardId(host), marks=marks)


def slowly(specs: Sequence[Spec], table: Table, cards: Sequence[CardId], labels: Labels) -> bool:
    for order in permutations(cards):
        base = CardId(0)
        for spec, card in zip(specs, order, strict=True):
            if not fits(spec, table, card, labels) or (spec.plus and table.pieces[card].host != base):
                break
            base = base if spec.plus else card
        else:
            return True
    return False


@settings(max_examples=300)
@given(st.integers(0, 10**9))
def test_what_is_found_is_what_trying_every_order_finds(seed: int) -> None:
    random = Random(seed)
    pieces: dict[CardId, Piece] = {}
    for number in range(1, random.randint(1, 6) + 1):
        hosts = [0, *(card for card, other in pieces.items() if not other.host)]
        pieces[CardId(number)] = piece(random.choice("AB"), random.choice(hosts), n=random.randint(0, 1))
    table, cards = table_of(pieces), tuple(pieces)
    specs = [
        Spec("?", face=random.choice((None, "A", "B")), plus=bool(at) and random.random() < 0.4, marks=marks)
        for at, marks in enumerate(random.choice(({}, {"n": 0}, {"n": 1})) for _ in cards)
    ]
    labels = Labels({"a": cards[0]})
    order = arrange(specs, table, cards, labels, bag=True)
    assert (order is not None) == slowly(specs, table, cards, labels)
    if order is not None:
        assert sorted(order) == sorted(cards)
        base = CardId(0)
        for spec, card in zip(specs, order, strict=True):
            assert fits(spec, table, card, labels)
            assert not spec.plus or table.pieces[card].host == base
            base = base if spec.plus else card


def test_a_large_bag_is_matched_in_any_order_and_refused_without_trying_all() -> None:
    pieces = {CardId(n): piece("A", n=n) for n in range(1, 301)}
    table, cards = table_of(pieces), tuple(pieces)
    some = [Spec("?") for _ in range(150)]
    named = [Spec("A", face="A", marks={"n": n}) for n in range(300, 150, -1)]
    order = arrange([*some, *named], table, cards, Labels(), bag=True)
    assert order is not None and order[150:] == list(range(300, 150, -1))
    assert arrange([*some, *named[1:], named[1]], table, cards, Labels(), bag=True) is None


def test_many_armed_soldiers_that_look_alike_are_told_apart_by_what_they_bear() -> None:
    pieces: dict[CardId, Piece] = {}
    for n in range(1, 81, 2):
        pieces[CardId(n)] = piece("A")
        pieces[CardId(n + 1)] = piece("B", n, n=n)
    table, cards = table_of(pieces), tuple(pieces)
    backwards = [
        spec
        for n in range(79, 0, -2)
        for spec in (Spec("A", face="A"), Spec("+B", face="B", plus=True, marks={"n": n}))
    ]
    assert arrange(backwards, table, cards, Labels(), bag=True) is not None
    backwards[1] = Spec("+B", face="B", plus=True, marks={"n": 1})
    assert arrange(backwards, table, cards, Labels(), bag=True) is None


def test_in_a_row_the_order_counts() -> None:
    pieces = {CardId(1): piece("A"), CardId(2): piece("B")}
    specs = [Spec("B", face="B"), Spec("A", face="A")]
    assert arrange(specs, table_of(pieces), tuple(pieces), Labels(), bag=False) is None
    assert arrange(specs, table_of(pieces), tuple(pieces), Labels(), bag=True) == [2, 1]
