"""Queries about knowledge, changes and times leak nothing hidden, and neither do their errors."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from domain.formats.errors import FormatError
from domain.formats.names import resolve_card
from domain.law.clause import BY_HAND
from domain.law.driver import decide
from domain.law.entries import Corrected, Entry, Played, fold_entries, tables
from domain.law.outcome import Accepted
from domain.law.slots import cards_of
from domain.table.facts import Shown
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import EVERYONE, JUDGE, CardId, Place, Seat
from domain.words import say
from projections.changes import render_changes
from projections.differences import differences
from projections.knowledge import knowledge, list_learned, render_knowledge, render_learned, sights
from projections.rows import plain
from projections.thing_history import NotFound, find_latest_facts, history, render_traced
from recorder.codec import raw_action
from tests.games import PLAYED
from tests.laws.leak_checks import (
    JSON,
    deal_again,
    decide_again,
    insert_corrections,
    learned_within,
    never_known,
    place_of,
    replace_cards,
    same as screens_alike,
    screens,
    viewers,
)
from tests.laws.presumed import presume
from tests.laws.samples import Moment, Sample, few, moments, sample, seeds_in_turn
from tests.projections.records import GAME, P2, RULES, by_hand, laid_out, play
from tests.rotation import rotate
from tests.shelves import seen_by

pytestmark = [pytest.mark.rotates(3), pytest.mark.random]

SOME = few(3)
LONG, NAMED = 80, 12
EARLY = 24
"""By this entry something is certainly hidden; late in a match with small decks, nothing may be."""
ENOUGH = 70
Answer = tuple[str, object, bytes]


def names(entries: Sequence[Entry]) -> list[str]:
    """Return everything a viewer can query: every thing, frame, face and place, and some that do not exist."""
    table = fold_entries(entries)
    faces = sorted({piece.face or "?" for piece in table.pieces.values()})
    listed = [f"u{thing}" for thing in range(1, table.minted + 2)] + [f"r{one}" for one in range(1, table.framed + 2)]
    listed += faces + [f"{seat}:{face}" for seat in table.seats for face in faces]
    listed += [f"{face}@{place}" for face in faces for place in table.places]
    return [*listed, "#1", f"#{max(table.pieces)}", "#999", "nobody", "@@", ""]


def collect_answers(one: Sample, entries: Sequence[Entry], viewer: Seat, numbers: Sequence[int]) -> Iterator[Answer]:
    first, last = numbers
    game, (record, eyes) = one.game, seen_by(one.game, entries, viewer)
    for number in numbers:
        ledgers = knowledge(record, eyes, number)
        yield "knows", number, JSON(ledgers)
        yield "knows in words", number, plain(render_knowledge(ledgers, game, "en", {})).encode()
    changes = list_learned(record, eyes, first, last)
    yield "learned", first, JSON(changes) + plain(render_learned(changes, game, "ja", {})).encode()
    yield "sights", first, JSON(sights(record, eyes, range(1, last + 1)))
    old, new = fold_entries(entries, first), fold_entries(entries, last)
    found = differences(eyes, new, old)
    yield "diff", first, JSON(found) + plain(render_changes(found, game, "en", {})).encode()


def trace(one: Sample, entries: Sequence[Entry], viewer: Seat, texts: Sequence[str]) -> Iterator[Answer]:
    for text in texts:
        answer = find_latest_facts(*seen_by(one.game, entries, viewer), text)
        if isinstance(answer, NotFound):
            yield "not found", text, say(answer.key, "en", thing=text, viewer=viewer, at=1, ways=answer.ways).encode()
        else:
            every = JSON(history(*seen_by(one.game, entries, viewer), text))
            yield "when", text, JSON(answer) + every + plain(render_traced(answer, one.game, "en", {})).encode()


def same(ours: Iterator[Answer], theirs: Iterator[Answer]) -> int:
    number = 0
    for one, other in zip(ours, theirs, strict=True):
        assert one == other
        number += 1
    return number


@pytest.mark.parametrize("meddle", rotate([False, True], 1))
@pytest.mark.parametrize(("key", "seed"), SOME)
def test_faces_never_known_are_told_by_no_answer(key: str, seed: int, meddle: bool) -> None:
    presume(key, "secrets")
    one, random = sample(key, seed), Random(seed)
    whole = insert_corrections(one, random) if meddle else list(one.entries)
    for viewer in viewers(one):
        upto = random.randrange(20, min(len(whole), LONG))
        entries = whole[:upto]
        hidden = never_known(entries, viewer)
        other = deal_again(entries, hidden, random)
        assert other != entries and len(hidden) > 1
        numbers = sorted((random.randrange(1, upto + 1), upto))
        assert same(collect_answers(one, entries, viewer, numbers), collect_answers(one, other, viewer, numbers))
        texts = random.sample(names(entries), NAMED)
        assert same(trace(one, entries, viewer, texts), trace(one, other, viewer, texts)) == NAMED


@pytest.mark.parametrize(("key", "seed"), SOME)
def test_card_ids_change_no_answer(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(seed)
    cards = sorted(next(iter(tables(one.entries)))[3].pieces)
    others = [CardId(card) for card in random.sample(range(1, 10 * len(cards)), len(cards))]
    entries = decide_again(one, names=dict(zip(cards, others, strict=True)))
    assert entries is not None
    ours, entries = one.entries[:LONG], entries[:LONG]
    numbers = [len(entries) // 2, len(entries)]
    texts = [text for text in names(ours) if not text.startswith("#")]
    for viewer in viewers(one):
        assert same(collect_answers(one, ours, viewer, numbers), collect_answers(one, entries, viewer, numbers))
        some = random.sample(texts, NAMED)
        assert same(trace(one, ours, viewer, some), trace(one, entries, viewer, some)) == NAMED


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_which_card_left_a_hand_unseen_is_told_by_no_answer(key: str) -> None:
    presume(key, "secrets")
    made = 0
    for seed in seeds_in_turn(key):
        if made >= ENOUGH:
            break
        one = sample(key, seed)
        for at in moments(key, seed):
            for viewer in viewers(one):
                if viewer != at.actor and made < ENOUGH:
                    made += _alternatives(one, at, viewer)
    assert made >= ENOUGH


def _alternatives(one: Sample, at: Moment, viewer: Seat) -> int:
    physics, made = Physics(one.first_entry.schema), 0
    for card in cards_of(at.action)[:1]:
        place = place_of(at.before, card)
        found = physics.area(place)
        if found is None or found.order != "bag" or TableViewer(physics, viewer).follows(at.before, card):
            continue
        if learned_within(physics, at.before, at.entry.told, viewer, card):
            continue
        hand = at.before.places[place]
        glance = Shown(hand, (EVERYONE if viewer == SPECTATOR else viewer,))
        past = (*one.entries[: at.number - 1], Corrected(by="judge", reason="dropped", told=((BY_HAND, glance),)))
        numbers = [at.number, at.number + 1]
        for other in hand:
            instead = replace_cards(at.action, {card: other})
            outcome = decide(one.law, at.before, at.actor, instead)
            if other in cards_of(at.action) or not isinstance(outcome, Accepted):
                continue
            if not learned_within(physics, at.before, outcome.told, viewer, other):
                played = Played(actor=at.actor, action=raw_action(instead), told=outcome.told)
                ours, theirs = (*past, at.entry), (*past, played)
                made += same(collect_answers(one, ours, viewer, numbers), collect_answers(one, theirs, viewer, numbers))
    return made


@pytest.mark.parametrize("line", ["p1: search #{}", "p1: up H8 #{} D3"])
def test_which_of_two_equal_cards_left_a_hand_is_told_by_nothing(line: str) -> None:
    """One of two Jokers was shown. No viewer can tell whether it was the one played or discarded."""
    start = laid_out({"p1.hand": "JK JK S9 H8", "p1.soldiers": "D3"})
    known, other, nine, _ = fold_entries(start).places[Place("p1.hand")]
    start.append(by_hand(Shown((known, nine), (EVERYONE,), lasting=True)))
    ours, theirs = (tuple(play(start, line.format(card))) for card in (known, other))
    one, numbers = Sample(GAME, RULES, ours), [len(start), len(ours)]
    assert ours != theirs
    for viewer in (P2, SPECTATOR):
        assert same(collect_answers(one, ours, viewer, numbers), collect_answers(one, theirs, viewer, numbers))
        texts = ["JK", "S9", "JK@p1.hand", "p1:JK"]
        assert same(trace(one, ours, viewer, texts), trace(one, theirs, viewer, texts)) == len(texts)
        screens_alike(screens(one, ours, viewer, numbers), screens(one, theirs, viewer, numbers))
        for entries in (ours, theirs):
            table = fold_entries(entries)
            hand = next(
                place
                for place in TableViewer(Physics(one.first_entry.schema), viewer).places(table)
                if place.place == "p1.hand"
            )
            assert [card.face for card in hand.cards] == ["S9"]


@pytest.mark.parametrize(("key", "seed"), SOME)
def test_a_number_means_a_card_only_where_the_viewer_sees_that_number(key: str, seed: int) -> None:
    """The top of a grave is visible, its number is not. A guessed number gets the same answer as any other."""
    one, random = sample(key, seed), Random(seed)
    physics, unseen = Physics(one.first_entry.schema), 0
    for _, _, _, table in random.sample(list(tables(one.entries)), 5):
        for viewer in viewers(one):
            seen = {card.thing for place in TableViewer(physics, viewer).places(table) for card in place.cards}
            for number in range(1, table.minted + 2):
                try:
                    resolve_card(table, f"u{number}", viewer, eyes=TableViewer(physics, viewer))
                except FormatError as error:
                    unseen += 1
                    assert (
                        number not in seen
                        and str(error.message).replace(str(number), "") == "there is no u on the table"
                    )
                else:
                    assert number in seen, (number, viewer)
    assert unseen


@pytest.mark.parametrize(("key", "seed"), few(2))
def test_the_judge_is_told_more(key: str, seed: int) -> None:
    """Ensures that the laws above do not pass because the answers are empty."""
    presume(key, "secrets")
    one = sample(key, seed)
    numbers = [EARLY // 2, EARLY]
    told = {
        viewer: dict(_count(collect_answers(one, one.entries, viewer, numbers))) for viewer in (*viewers(one), JUDGE)
    }
    assert told[JUDGE]["knows"] > told[Seat("p1")]["knows"] > told[SPECTATOR]["knows"]
    assert told[JUDGE]["diff"] > told[SPECTATOR]["diff"]


def _count(answers: Iterator[Answer]) -> Iterator[tuple[str, int]]:
    yield from ((what, len(sent)) for what, _, sent in answers)
