"""What shaped an entry tells nobody what is hidden: which clauses are named, of what, and the numbers among them."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from domain.law.driver import decide
from domain.law.entries import Entry, Played, tables
from domain.law.outcome import Accepted
from domain.law.slots import cards_of
from domain.table.physics import Physics
from domain.table.redact import Eyes
from domain.table.table import JUDGE, CardId, Seat
from projections.why import shaping_of
from recorder.codec import raw_action
from tests.games import PLAYED
from tests.laws.presumed import presume
from tests.laws.samples import Moment, Sample, few, moments, sample, seeds_of
from tests.laws.watching import (
    JSON,
    dealt_otherwise,
    decided_again,
    facts,
    learned_within,
    meddled,
    never_known,
    place_of,
    renamed,
    same,
    viewers,
)

pytestmark = pytest.mark.random

FEW = few(4)
LONG = 200
"""How many entries of a match are looked at at most."""
SWAPS = 3
"""How many pairs of cards change faces when the law has to go along."""


def shapings(one: Sample, entries: Sequence[Entry], viewer: Seat) -> Iterator[tuple[int, bytes]]:
    """What shaped each entry, as it is sent."""
    eyes = Eyes(Physics(one.opened.schema), viewer)
    for number, entry, before, after in tables(entries):
        if isinstance(entry, Played):
            yield number, JSON(shaping_of(one.law, eyes, entry, before, after))


@pytest.mark.parametrize("meddle", [False, True])
@pytest.mark.parametrize(("key", "seed"), FEW)
def test_faces_never_known_shape_nothing_that_is_said(key: str, seed: int, meddle: bool) -> None:
    presume(key, "secrets")
    one, random = sample(key, seed), Random(seed)
    entries = (meddled(one, random) if meddle else list(one.entries))[:LONG]
    for viewer in viewers(one):
        other = dealt_otherwise(entries, never_known(entries, viewer), random)
        same(shapings(one, entries, viewer), shapings(one, other, viewer))


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_where_the_law_goes_along_the_same_is_said(key: str) -> None:
    presume(key, "secrets")
    usable = said = 0
    for seed in seeds_of(key)[:2]:
        one, random = sample(key, seed), Random(seed)
        for viewer in viewers(one):
            hidden = never_known(one.entries, viewer)
            ours: list[tuple[int, bytes]] = []
            for _ in range(SWAPS if len(hidden) > 1 else 0):
                first, second = random.sample(hidden, 2)
                printed = {card: piece.face or "" for card, piece in next(iter(tables(one.entries)))[3].pieces.items()}
                other = decided_again(one, {first: printed[second], second: printed[first]})
                if other is None or facts(other) != facts(one.entries):
                    continue
                usable += 1
                ours = ours or list(shapings(one, one.entries, viewer))
                said += sum(sent != b"[]" for _, sent in ours)
                same(ours, shapings(one, other, viewer))
    assert usable and said


@pytest.mark.parametrize(("key", "seed"), FEW)
def test_card_ids_shape_nothing_that_is_said(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(seed)
    cards = sorted(next(iter(tables(one.entries)))[3].pieces)
    others = [CardId(card) for card in random.sample(range(1, 10 * len(cards)), len(cards))]
    renamed_ones = decided_again(one, names=dict(zip(cards, others, strict=True)))
    assert renamed_ones is not None
    for viewer in (*viewers(one), JUDGE):
        same(shapings(one, one.entries[:LONG], viewer), shapings(one, renamed_ones[:LONG], viewer))


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_which_card_left_a_hand_unseen_shapes_nothing_that_is_said(key: str) -> None:
    presume(key, "secrets")
    usable = 0
    for seed in seeds_of(key):
        one = sample(key, seed)
        for at in moments(key, seed):
            usable += sum(_alternatives(one, at, viewer) for viewer in viewers(one))
    assert usable > 20, "too few choices had an alternative"


def _alternatives(one: Sample, at: Moment, viewer: Seat) -> int:
    """Try the entry with one card exchanged for each other of its place; how many comparisons were made."""
    entry, action, before = at.entry, at.action, at.before
    physics, made = Physics(one.opened.schema), 0
    eyes = Eyes(physics, viewer)
    for card in cards_of(action) if viewer != entry.actor else ():
        found = physics.area(place_of(before, card))
        if found is None or found.order != "bag" or eyes.follows(before, card):
            continue
        if learned_within(physics, before, entry.told, viewer, card):
            continue
        ours = JSON(shaping_of(one.law, eyes, entry, before, at.after))
        for other in before.places[place_of(before, card)]:
            if other in cards_of(action):
                continue
            instead = renamed(action, {card: other})
            outcome = decide(one.law, before, entry.actor, instead)
            if not isinstance(outcome, Accepted) or learned_within(physics, before, outcome.told, viewer, other):
                continue
            played = Played(actor=entry.actor, action=raw_action(instead), told=outcome.told)
            assert ours == JSON(shaping_of(one.law, eyes, played, before, outcome.table))
            made += 1
    return made
