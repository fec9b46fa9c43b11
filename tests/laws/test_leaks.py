"""Hidden information does not leak, in random matches of every game with inserted corrections."""

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random

import msgspec
import pytest

from domain.law.driver import decide
from domain.law.entries import Entry, Played, tables
from domain.law.outcome import Accepted
from domain.law.slots import Action, cards_of, slots
from domain.table.facts import Created
from domain.table.physics import Physics
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, CardId, Seat, Table
from projections.seen_entries import seen_entries, seen_entry
from projections.why import list_shaping_clauses
from recorder.codec import CodecError, from_json_line, raw_action
from tests.games import PLAYED
from tests.laws.leak_checks import (
    JSON,
    Screen,
    decide_again,
    facts,
    history_law,
    history_screens,
    insert_corrections,
    learned_within,
    never_known,
    place_of,
    replace_cards,
    same,
    screens,
    shapings,
    table_law,
    table_screens,
    viewers,
)
from tests.laws.presumed import presume
from tests.laws.samples import MATCHES, Moment, Sample, few, moments, sample, seeds_in_turn, seeds_of
from tests.rotation import is_nightly, seed as today
from tests.shelves import seen_by

pytestmark = [pytest.mark.rotates(3), pytest.mark.random]

STATES = 6
SWAPS = 3
BEGINNINGS = 4
EARLY = 12
"""A beginning that certainly hides something; late in a match with small decks, nothing may be hidden."""
LONG = 200
HISTORIES = [
    (key, seed, meddle)
    for place, (key, seed) in enumerate(MATCHES)
    for meddle in ((False, True) if is_nightly() else ((place + today()) % 2 == 0,))
]
"""Matches as played and with corrections. A run that is not nightly takes one of the two."""
FEW = few(4)


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_a_table_tells_nothing_of_hidden_faces(key: str, seed: int) -> None:
    presume(key, "secrets")
    one, random = sample(key, seed), Random(seed)
    states = list(tables(insert_corrections(one, random)))
    dealt = 0
    for viewer in viewers(one):
        for number, _, _, table in random.sample(states, STATES):
            dealt += table_law(one, number, table, viewer, random)
    assert dealt > STATES


@pytest.mark.parametrize(("key", "seed", "meddle"), HISTORIES)
def test_a_history_tells_nothing_of_faces_never_known(key: str, seed: int, meddle: bool) -> None:
    presume(key, "secrets")
    one, random = sample(key, seed), Random(seed)
    whole = insert_corrections(one, random) if meddle else list(one.entries)
    for viewer in viewers(one):
        beginnings = chain((random.randrange(4, min(len(whole), LONG)) for _ in range(BEGINNINGS)), (EARLY,))
        tried = (
            history_law(one, whole[:upto], viewer, [random.randrange(1, upto + 1), upto], random) for upto in beginnings
        )
        assert any(tried), "nothing is hidden: the law is not tried"


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_clauses_tell_nothing_of_faces_never_known(key: str) -> None:
    """The rules decide the swapped match again. If the same happens, the same is reported."""
    presume(key, "secrets")
    usable = tried = changed = shaped = 0
    for place, seed in enumerate(seeds_in_turn(key)):
        if place and not is_nightly() and shaped and usable > tried // 2 and changed > usable // 2:
            break
        one, random = sample(key, seed), Random(seed)
        for viewer in viewers(one):
            ours: list[Screen] = []
            for pair in _pairs(one, never_known(one.entries, viewer), random):
                tried += 1
                faces = _faces(one)
                other = decide_again(one, {pair[0]: faces[pair[1]], pair[1]: faces[pair[0]]})
                if other is None or facts(other) != facts(one.entries):
                    continue
                usable += 1
                changed += faces[pair[0]] != faces[pair[1]]
                ours = ours or list(_entries_sent(one, one.entries, viewer))
                same(ours, _entries_sent(one, other, viewer))
                shaped += sum(sent != b"[]" for what, _, sent in ours if what == "why")
    assert usable > tried // 2, "too few matches could be decided again"
    assert changed > usable // 2
    assert shaped


def _entries_sent(one: Sample, entries: Sequence[Entry], viewer: Seat) -> Iterator[Screen]:
    """Yield the entries and the explanations of them, as sent to a viewer."""
    for seen in seen_entries(*seen_by(one.game, entries, viewer), flow=True):
        yield "entry", seen.number, JSON(seen)
    yield from shapings(one, entries, viewer)


def _pairs(one: Sample, hidden: list[CardId], random: Random) -> list[tuple[CardId, CardId]]:
    """Return pairs of hidden cards from one part of a deck, starting with cards that a player has used."""
    dealt = (fact for _, fact in one.first_entry.told if isinstance(fact, Created))
    part = {card: fact.place for fact in dealt for card in fact.cards}
    decoder = one.game.decoder()
    actions = [decoder.decode(entry.action) for entry in one.entries if isinstance(entry, Played)]
    named = {card for action in actions for card in cards_of(action) if not _shuffles(action)}
    pairs = [(a, b) for a in hidden for b in hidden if a != b and part.get(a) == part.get(b)]
    random.shuffle(pairs)
    pairs.sort(key=lambda pair: pair[0] not in named)
    return pairs[:SWAPS]


def _shuffles(action: Action) -> bool:
    return any(one.slot.secret for one in slots(type(action)))


def _faces(one: Sample) -> dict[CardId, str]:
    first = next(iter(tables(one.entries)))[3]
    return {card: piece.face or "" for card, piece in first.pieces.items()}


@pytest.mark.parametrize(("key", "seed"), FEW)
def test_card_ids_are_nobody_s_business(key: str, seed: int) -> None:
    """With all ids changed and the match decided again, everyone except the judge receives the same bytes.

    Explanations contain no ids, for the judge either.
    """
    one, random = sample(key, seed), Random(seed)
    cards = sorted(next(iter(tables(one.entries)))[3].pieces)
    others = [CardId(card) for card in random.sample(range(1, 10 * len(cards)), len(cards))]
    renamed_ones = decide_again(one, names=dict(zip(cards, others, strict=True)))
    assert renamed_ones is not None
    entries, mine = renamed_ones[: LONG // 2], one.entries[: LONG // 2]
    numbers = [len(entries) // 2, len(entries)]
    for viewer in viewers(one):
        same(screens(one, mine, viewer, numbers), screens(one, entries, viewer, numbers))
    ours, theirs = (list(history_screens(one, these, JUDGE, numbers)) for these in (mine, entries))
    assert ours != theirs, "the judge is to see card ids"
    same(shapings(one, mine, JUDGE), shapings(one, entries, JUDGE))


@pytest.mark.parametrize(("key", "seed"), FEW)
def test_no_field_holds_a_card_id(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(seed)
    entries = insert_corrections(one, random)[: LONG // 2]
    for viewer in viewers(one):
        for what, number, sent in screens(one, entries, viewer, [len(entries)]):
            if what.endswith("in words"):
                assert b"#" not in sent
            else:
                fields = set(_fields(msgspec.json.decode(sent)))
                assert not fields & {"card", "order"}, f"{what} at {number} for {viewer}"


def _fields(value: object) -> list[str]:
    if isinstance(value, dict):
        inner = [name for one in value.values() for name in _fields(one)]
        return [*(str(name) for name in value), *inner]
    if isinstance(value, list):
        return [name for one in value for name in _fields(one)]
    return []


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_which_card_left_a_hand_unseen_is_not_told(key: str) -> None:
    """Viewers who cannot tell two cards apart receive the same bytes, whichever a player uses."""
    presume(key, "secrets")
    usable = 0
    for seed in seeds_in_turn(key):
        if seed not in seeds_of(key) and usable > 20:
            break
        one = sample(key, seed)
        for at in moments(key, seed):
            usable += sum(_alternatives(one, at, viewer) for viewer in viewers(one))
    assert usable > 20, "too few choices had an alternative"


def _alternatives(one: Sample, at: Moment, viewer: Seat) -> int:
    """Repeat the entry with each indistinguishable card of its place and return the number of comparisons."""
    number, entry, action, before = at.number, at.entry, at.action, at.before
    if not cards_of(action) or viewer == entry.actor:
        return 0
    physics, made = Physics(one.first_entry.schema), 0
    eyes = TableViewer(physics, viewer)

    def sent_after(played: Played, after: Table) -> list[object]:
        seen = seen_entry(one.game, eyes, number, played, before, flow=True)
        why = list_shaping_clauses(one.law, eyes, played, before, after)
        return [JSON(seen), JSON(why), *table_screens(one, number, after, viewer)]

    for card in cards_of(action):
        found = physics.area(place_of(before, card))
        if found is None or found.order != "bag" or eyes.follows(before, card):
            continue
        if learned_within(physics, before, entry.told, viewer, card):
            continue
        ours = sent_after(entry, at.after)
        for other in before.places[place_of(before, card)]:
            if other in cards_of(action):
                continue
            instead = replace_cards(action, {card: other})
            outcome = decide(one.law, before, entry.actor, instead)
            if not isinstance(outcome, Accepted) or learned_within(physics, before, outcome.told, viewer, other):
                continue
            played = Played(actor=entry.actor, action=raw_action(instead), told=outcome.told)
            same(ours, sent_after(played, outcome.table))
            made += 1
    return made


@pytest.mark.parametrize(("key", "seed"), FEW)
def test_what_a_viewer_was_sent_is_no_record(key: str, seed: int) -> None:
    one = sample(key, seed)
    for viewer in (*viewers(one), JUDGE):
        for seen in seen_entries(*seen_by(one.game, one.entries, viewer)):
            assert f'"viewer":"{viewer}"'.encode() in JSON(seen)
            with pytest.raises(CodecError):
                from_json_line(JSON(seen))
