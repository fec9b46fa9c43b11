"""The question to a seat that may pass distinguishes a response from an action of its own."""

import pytest

from domain.formats.typed import read_seen
from domain.games import GAMES
from domain.games.blackpoker.actions import DesignateBlockers
from domain.games.grimoire.rules import Rules
from domain.law.actions import Concede
from domain.law.entries import Opened, Played
from domain.law.law import Law
from domain.law.record import record_of
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from domain.words import Lang, say
from projections.phrases import action_words
from projections.questions import ending_words, offer_words, question
from projections.seen_entries import seen_action
from recorder.match_opening import build_opening
from tests.games import PLAYED
from tests.laws.samples import moments, sample, seeds_in_turn
from tests.shelves import SHELVES

ACTS, RESPONDS = "question.act", "question.respond"


@pytest.mark.parametrize("key", PLAYED)
def test_a_seat_that_may_pass_in_anothers_turn_is_asked_to_respond(key: str) -> None:
    seed = seeds_in_turn(key)[0]
    record = record_of(sample(key, seed).game, sample(key, seed).entries)
    eyes, asked = record.eyes(SPECTATOR), set[str]()
    for moment in moments(key, seed):
        table = moment.after
        for seat in table.clock.awaited:
            if table.stack or table.asked or table.clock.active is None or seat not in table.seats:
                continue
            words = ACTS if seat == table.clock.active else RESPONDS
            told = question(record, eyes, table, seat, ("pass", "other"), "en")
            if not told.verb:
                asked.add(words)
                assert told.words == say(words, "en", who=told.name)
            alone = question(record, eyes, table, seat, ("pass",), "ja")
            assert alone.verb or alone.words == say(RESPONDS, "ja", who=alone.name)
    assert ACTS in asked


@pytest.mark.parametrize(("lang", "words"), [("en", "Designate blockers: none"), ("ja", "ブロッカーを指定する：なし")])
def test_an_answer_that_names_nobody_says_so_and_can_be_typed(lang: Lang, words: str) -> None:
    shelf = SHELVES["blackpoker"]
    record = record_of(shelf.game, shelf.entries("disputed"))
    number, entry = next(
        (number, entry)
        for number, entry in enumerate(record.entries, 1)
        if isinstance(entry, Played) and record.game.decoder().decode(entry.action) == DesignateBlockers()
    )
    table, eyes = record.after(number - 1), record.eyes(JUDGE)
    assert offer_words(record, eyes, table, entry.actor, DesignateBlockers(), lang) == words
    logged = action_words(record.game, seen_action(record.game, eyes, entry, table), lang, record.names)
    for typed in (words, logged):
        assert read_seen(record, table, typed, eyes, entry.actor) == (entry.actor, DesignateBlockers()), typed


@pytest.mark.parametrize(("players", "words"), [(2, "This ends the match"), (3, "leaves the match")])
def test_conceding_among_three_does_not_say_that_the_match_ends(players: int, words: str) -> None:
    rules = Rules(player_count=players)
    opened = build_opening(Law(GAMES["grimoire"], rules), "1", {}, {}, bytes(16), "m")
    assert isinstance(opened, Opened)
    record = record_of(GAMES["grimoire"], (opened,))
    assert words in ending_words(record, Seat("p1"), Concede()).say("en")
