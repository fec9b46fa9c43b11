"""Rule changes of the dossier, row by row: the differences of recorded matches rejudged after the change."""

from collections.abc import Iterator
from functools import partial

import pytest

from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES
from domain.games.skillbook.cards import POOLS
from domain.judging.audit import audit
from domain.judging.rejudging import rejudge
from domain.law.entries import fold_entries, opened_of
from domain.law.pools import Overlay
from domain.law.rulesets import lay_over, load
from tests import rejudged
from tests.rejudged import kind, restore_pools, winners
from tests.rows import for_each
from tests.shelves import SHELVES, actions

SHELF = SHELVES["skillbook"]
GAME = SHELF.game
text, record, under = SHELF.text, SHELF.entries, partial(rejudged.under, SHELF)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield from restore_pools(POOLS)


@for_each("name", SHELF.changes)
def test_each_match_is_identical_under_its_own_rules_and_lost_in_no_form(name: str) -> None:
    entries = record(name)
    assert audit(GAME, entries).findings == ()
    assert tuple(parse_notation(write_notation(GAME, entries), GAMES)) == entries
    assert kind(under(name)) == ("identical", 0, "")


def test_r1_a_book_of_twenty_is_dead_at_set_up_and_one_of_more_is_not() -> None:
    verdict = under("ends-book", setup_short_book="le_min")
    assert verdict.kind == "winner" and winners(verdict) == (("p2",), ())
    assert kind(under("charging", setup_short_book="le_min")) == ("identical", 0, "")


def test_r2_where_books_are_judged_at_the_turn_end_the_turn_goes_on() -> None:
    assert under("ends-book", book_out_check="judgment").kind == "undecided"
    assert kind(under("normal", book_out_check="judgment")) == ("identical", 0, "")


def test_r3_without_its_terrain_an_own_skill_is_illegal_at_once() -> None:
    assert kind(under("ends-hero", own_element_anywhere="no")) == ("illegal", 73, "SB-5.6")


def test_r4_only_the_last_charge_becomes_illegal() -> None:
    assert kind(under("rc-04", charge_at_one_hp="forbidden")) == ("illegal", 66, "SB-4.11")
    assert kind(under("charging", charge_at_one_hp="forbidden")) == ("identical", 0, "")


def test_r5_who_may_act_at_once_did_not_have_to() -> None:
    verdict = under("normal", summoned_unit_state="active")
    assert verdict.kind == "path" and winners(verdict) == (("p1",), ("p1",))


def test_r8_what_was_played_without_passing_friends_stays() -> None:
    assert kind(under("rewind", blocking="enemy_only")) == ("identical", 0, "")


def test_r9_what_is_declared_first_resolves_first() -> None:
    """The toll destroys the serpent before the Undertow, which then has no target."""
    assert kind(under("normal", stack_order="fifo")) == ("illegal", 62, "SB-4.7")


def test_r10_a_card_given_up_for_want_of_room_has_room() -> None:
    assert kind(under("rc-10", hand_max=2)) == ("illegal", 58, "SB-4.20")


def test_r11_a_charge_that_costs_two_is_another_path_to_the_same_end() -> None:
    verdict = under("charging", charge_hp=2)
    assert verdict.kind == "path" and winners(verdict) == (("p2",), ("p2",))


def test_r12_after_the_erratum_the_conflagration_takes_one_card_more() -> None:
    entries = record("rc-12")
    erratum = (SHELF.folder / "erratum.toml").read_text(encoding="utf-8")
    rules = lay_over(GAME, load(GAME, opened_of(entries).rules), Overlay("erratum.toml", erratum))
    verdict = rejudge(GAME, entries, rules)
    fires = {card for card, piece in fold_entries(entries).pieces.items() if piece.face == "S26"}
    (used,) = (n for n, _, done in actions(entries) if done["do"] == "use_skill" and done["card"] in fires)
    assert verdict.kind == "path" and verdict.first is not None and verdict.first.entry == used


def test_r13_where_progress_always_counts_the_draw_has_a_winner() -> None:
    verdict = under("rc-13", adjudication_neither_invaded="progress")
    assert verdict.kind == "winner" and winners(verdict) == ((), ("p1",))


def test_r14_the_card_of_turn_one_is_not_drawn() -> None:
    assert kind(under("normal", first_turn_draw="no")) == ("illegal", 10, "SB-4.7")


def test_r15_a_leap_over_two_is_too_long() -> None:
    assert kind(under("rc-15", flying_leap="single")) == ("illegal", 69, "SB-6.12")
