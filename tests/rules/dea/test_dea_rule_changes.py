"""Rule changes of the dossier, row by row: the differences of recorded matches rejudged after the change."""

from collections.abc import Iterator
from functools import partial

import pytest

from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES
from domain.games.dea.cards import POOLS
from domain.judging.audit import audit
from domain.judging.rejudging import rejudge
from domain.judging.rejudging.causes import causes
from domain.law.entries import opened_of
from domain.law.pools import FIRST, Overlay
from domain.law.rulesets import lay_over, load, with_settings
from tests import rejudged
from tests.rejudged import kind, restore_pools, winners
from tests.rows import for_each
from tests.shelves import SHELVES

SHELF = SHELVES["dea"]
GAME = SHELF.game
text, record, under = SHELF.text, SHELF.entries, partial(rejudged.under, SHELF)
AS_FIRST_PRINTED = {
    "rc-08": (23, "DEA-7.27", "C10"),
    "rc-09": (20, "DEA-7.23", "C14"),
    "rc-09-turn": (23, "DEA-7.27", "C14"),
}
"""Matches with first-printed cards: the entry at which they stop under current cards, and the card responsible."""


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield from restore_pools(POOLS)


def erratum(name: str) -> Overlay:
    return Overlay(f"{name}.toml", (SHELF.folder / f"{name}.toml").read_text(encoding="utf-8"))


@for_each("name", SHELF.changes)
def test_each_match_is_identical_under_its_own_rules_and_lost_in_no_form(name: str) -> None:
    entries = record(name)
    flagged = (
        [(at, "not_allowed", clause) for at, clause, _ in [AS_FIRST_PRINTED[name]]] if name in AS_FIRST_PRINTED else []
    )
    findings = audit(GAME, entries).findings
    assert [(finding.entry, finding.kind, finding.clause) for finding in findings] == flagged
    assert all(finding.flagged for finding in findings)
    assert tuple(parse_notation(write_notation(GAME, entries), GAMES)) == entries
    assert kind(under(name)) == ("identical", 0, "")


def test_rc_01_a_point_for_seven_pages_leaves_a_page_and_the_same_winner() -> None:
    verdict = under("ends-conversion", ep_conversion_cost=7)
    assert verdict.kind == "path" and winners(verdict) == (("p1",), ("p1",))


def test_rc_02_under_a_limit_of_six_a_recorded_discard_is_illegal() -> None:
    assert kind(under("stack-hooks", hand_cut="limit6_to6")) == ("illegal", 27, "DEA-5.16")


def test_rc_03_a_step_straight_forward_is_no_reverse_y_as_printed() -> None:
    assert kind(under("rc-03", reverse_y="literal")) == ("illegal", 19, "DEA-6.8")


def test_rc_04_on_a_larger_map_the_first_placement_stops_it() -> None:
    assert kind(under("normal", map_preset="5x6")) == ("illegal", 4, "DEA-3.3")


def test_rc_05_one_point_fewer_ends_it_earlier_and_one_more_leaves_it_open() -> None:
    verdict = under("normal", ep_to_win=5)
    assert kind(verdict) == ("illegal", 105, "DEA-10.13") and winners(verdict) == (("p2",), ("p2",))
    more = under("ends-line", ep_to_win=5)
    assert more.kind == "undecided" and winners(more) == (("p2",), ())


def test_rc_06_points_that_come_later_come_to_the_same() -> None:
    verdict = under("ends-line", foreshadow_ep_timing="resolve")
    assert verdict.kind == "path" and winners(verdict) == (("p2",), ("p2",))


def test_rc_07_without_a_window_nobody_passes_and_a_hook_that_needs_the_battle_is_illegal() -> None:
    """A pass that is not requested is dropped, so a match stops at the first use that needs the battle."""
    verdict = under("ends-life", attack_window="no")
    assert verdict.kind == "path" and winners(verdict) == (("p1",), ("p1",))
    assert [(aligned.entry, aligned.how) for aligned in verdict.aligned][:2] == [(24, "dropped"), (25, "dropped")]
    assert kind(under("normal", attack_window="no")) == ("illegal", 33, "DEA-7.27")


def test_rc_10_a_draw_by_time_gets_a_winner() -> None:
    verdict = under("stack-hooks", time_result="compare")
    assert verdict.kind == "winner" and winners(verdict) == ((), ("p1",))


def test_rc_11_where_the_other_writer_only_answers_a_cut_in_is_illegal() -> None:
    assert kind(under("ends-tie", ntp_initiative="hook_only")) == ("illegal", 35, "DEA-5.11")


def test_rc_12_where_windows_open_again_a_pass_is_expected() -> None:
    assert kind(under("rewind", stack_resolution="reopen"))[0] == "illegal"


def test_rc_13_a_page_more_breaks_no_cost() -> None:
    verdict = under("rc-15", pages_per_turn=3)
    assert verdict.kind == "path" and winners(verdict) == (("p1",), ("p1",))


def test_rc_14_who_never_draws_from_an_empty_deck_has_the_same_match() -> None:
    for name in SHELF.matches:
        if not SHELF.stated[name].findings:
            assert kind(under(name, empty_draw_scope="any_draw")) == ("identical", 0, "")


def test_rc_16_who_is_pushed_over_the_edge_can_do_nothing_more() -> None:
    assert kind(under("normal", knockback_edge="removed")) == ("illegal", 77, "DEA-7.2")


@for_each("name", AS_FIRST_PRINTED)
def test_rc_08_and_09_uses_as_first_printed_stop_where_the_card_now_forbids_them(name: str) -> None:
    pool = POOLS.lay_over(FIRST, POOLS.read(erratum("erratum-first-printing")))
    played = text(name).replace('[Version "1"]\n', f'[Version "1"]\n[Set "cards" "{pool}"]\n')
    entries = tuple(parse_notation(played, GAMES))
    assert audit(GAME, entries).findings == ()
    own = load(GAME, opened_of(entries).rules)
    rules = with_settings(GAME, own, {"cards": "1"})
    at, clause, card = AS_FIRST_PRINTED[name]
    assert kind(rejudge(GAME, entries, rules)) == ("illegal", at, clause)
    (cause,) = causes(GAME, entries, own, rules)
    assert (cause.key, cause.kind) == (f"card {card}", "card")
    assert cause.recorded is not None and cause.rejudged is not None
    assert ["Only in your turn" in printed.en for printed in (cause.recorded, cause.rejudged)] == [False, True]


def test_rc_09_pulls_on_enemies_in_the_own_turn_stay_what_they_were() -> None:
    entries = record("as-played")
    own = load(GAME, opened_of(entries).rules)
    assert rejudge(GAME, entries, lay_over(GAME, own, erratum("erratum-first-printing"))).kind == "identical"


def test_rc_15_with_a_point_of_attack_less_the_next_step_is_out_of_reach() -> None:
    entries = record("rc-15")
    own = load(GAME, opened_of(entries).rules)
    rules = lay_over(GAME, own, erratum("erratum"))
    verdict = rejudge(GAME, entries, rules)
    assert kind(verdict) == ("illegal", 30, "DEA-6.5")
    assert verdict.first is not None and verdict.first.entry == 24
    (cause,) = causes(GAME, entries, own, rules)
    assert (cause.key, cause.kind) == ("card C01", "card")
    assert cause.recorded is not None and cause.rejudged is not None
    assert "attack 5" in cause.recorded.en and "attack 4" in cause.rejudged.en
    assert "攻撃力5" in cause.recorded.ja and "攻撃力4" in cause.rejudged.ja
