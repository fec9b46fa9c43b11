"""Rule changes that happened, row by row: the differences when a recorded match is rejudged."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES
from domain.judging.audit import audit
from domain.judging.rejudging import Verdict, rejudge
from domain.law.entries import Entry, Opened, Played, opened_of
from domain.law.rulesets import RulesetError, load, make_ruleset, with_changes, with_settings
from domain.table.facts import Moved, Popped, Pushed
from domain.table.table import Place
from tests.rejudged import kind
from tests.rows import for_each

GAME = GAMES["blackpoker"]
MATCHES = Path(__file__).parents[3] / "fixtures" / "blackpoker" / "matches"
CHANGES = sorted(path.stem for path in (MATCHES / "changes").glob("*.spn"))
NOTES = tuple(GAME.change_notes)


@cache
def record(name: str) -> tuple[Entry, ...]:
    folder = MATCHES / "changes" if name in CHANGES else MATCHES
    return tuple(parse_notation((folder / f"{name}.spn").read_text(encoding="utf-8"), GAMES))


def first_entry(name: str) -> Opened:
    return opened_of(record(name))


def pinned(name: str) -> Any:
    return load(GAME, first_entry(name).rules)


def under(name: str, **settings: Any) -> Verdict:
    changed = {key.replace("__", "."): value for key, value in settings.items()}
    return rejudge(GAME, record(name), with_settings(GAME, pinned(name), changed))


def edition(name: str, version: str) -> Verdict:
    """Rejudge a match under another edition: with the whole pack if it was played so, else in the edition's frame."""
    frame = pinned(name).frame
    return rejudge(GAME, record(name), make_ruleset(GAME, version, frame if frame == "full54" else ""))


def notes(name: str, of: str) -> Verdict:
    return rejudge(GAME, record(name), with_changes(GAME, of, pinned(name)))


def faces(verdict: Verdict, place: str) -> list[str | None]:
    return [verdict.table.pieces[card].face for card in verdict.table.places.get(Place(place), ())]


def winners(verdict: Verdict) -> tuple[Sequence[str], Sequence[str]]:
    assert verdict.recorded_result is not None and verdict.rejudged_result is not None
    return verdict.recorded_result.winners, verdict.rejudged_result.winners


def first_clauses(verdict: Verdict) -> tuple[int, set[str]]:
    """Return the first entry that differs and the clauses of the facts only on the rejudged side."""
    assert verdict.first is not None
    return verdict.first.entry, {clause for clause, _ in verdict.first.rejudged}


@for_each("name", CHANGES)
def test_each_match_is_a_sound_record_and_identical_under_its_own_rules(name: str) -> None:
    entries = record(name)
    assert audit(GAME, entries).findings == ()
    assert tuple(parse_notation(write_notation(GAME, entries), GAMES)) == entries
    assert kind(rejudge(GAME, entries, pinned(name))) == ("identical", 0, "")


@for_each("name", ["rc-02", "rc-07", "rc-28"])
@for_each("version", ["8.0-lite", "8.2-lite"])
def test_editions_that_differ_in_names_only_change_nothing(name: str, version: str) -> None:
    assert first_entry(name).version == "8.1-lite"
    changed = with_settings(GAME, make_ruleset(GAME, version), {"setup.hand_size": pinned(name).setup_hand_size})
    assert kind(rejudge(GAME, record(name), changed)) == ("identical", 0, "")


def test_rc_01_throwing_counts_the_spade_and_somebody_else_wins() -> None:
    verdict = under("rc-01", throwing__damage_suit="spade")
    assert kind(verdict) == ("winner", 0, "") and verdict.outcome_changes
    assert winners(verdict) == (("p2",), ("p1",))
    entry, clauses = first_clauses(verdict)
    assert entry == 6 and "BP-10.6" in clauses


def test_rc_01_throwing_counts_the_spade_and_a_later_card_is_missing() -> None:
    assert kind(under("rc-01-card", throwing__damage_suit="spade")) == ("illegal", 15, "BP-5.7")


@for_each("name", ["rc-01-equal", "rc-08", "rc-20"])
def test_rc_01_equal_numbers_and_matches_without_throwing_are_identical(name: str) -> None:
    for suit in ("club", "spade"):
        assert kind(under(name, throwing__damage_suit=suit)) == ("identical", 0, "")


def test_rc_02_with_automatic_pass_the_second_request_is_illegal() -> None:
    assert kind(under("rc-02", chance__after_request="to_opponent")) == ("illegal", 5, "BP-4.2")
    assert kind(notes("rc-02", "5.2-lite")) == ("illegal", 5, "BP-4.2")
    assert notes("rc-02", "6.2-lite").kind == "path"


def test_rc_03_an_undernumbered_counter_is_illegal_at_once() -> None:
    assert kind(under("rc-03", counter__number_check="at_request")) == ("illegal", 6, "BP-9.13")
    assert kind(notes("rc-03", "5.2-lite")) == ("illegal", 6, "BP-9.13")


def test_rc_04_an_empty_attack_goes_on_and_the_next_main_action_is_refused() -> None:
    for verdict in (under("rc-04", attack__empty_chain=True), notes("rc-04", "5.2-lite")):
        assert kind(verdict) == ("illegal", 8, "BP-4.4")
        assert verdict.first is not None and verdict.first.entry == 7
        assert [one.kind for one in verdict.first.rejudged_table.stack] == ["block"]
    assert kind(notes("rc-04", "6.2-lite")) == ("identical", 0, "")


def test_rc_05_both_lives_empty_is_a_draw() -> None:
    for verdict in (
        under("ends-both-empty", winner__both_zero="draw"),
        notes("ends-both-empty", "5.2-lite"),
        notes("ends-both-empty", "6.1-lite"),
    ):
        assert verdict.kind == "winner" and winners(verdict) == (("p2",), ())
    assert notes("ends-both-empty", "7.0-lite").kind != "winner"
    assert kind(under("rc-30", winner__both_zero="draw")) == ("identical", 0, "")


def test_rc_07_without_fogs_the_same_result_by_another_path() -> None:
    for verdict in (under("rc-07", fog__enabled=False), notes("rc-07", "7.0-lite")):
        assert verdict.kind == "path" and not verdict.outcome_changes
        assert verdict.first is not None and verdict.first.entry == 6
        assert {clause for clause, fact in verdict.first.rejudged if isinstance(fact, Moved)} == {"BP-6.5"}
        assert {clause for clause, fact in verdict.first.recorded if isinstance(fact, Moved)} == {"BP-9.3"}


def test_rc_08_the_chains_are_the_same_under_the_notes_of_edition_7() -> None:
    """No option changes the model of chains: triggers are actions here, and the same things happen."""
    assert kind(notes("rc-08", "7.0-lite")) == ("identical", 0, "")
    kinds = {
        fact.frame.kind
        for entry in record("rc-08")
        if isinstance(entry, Played)
        for _, fact in entry.told
        if isinstance(fact, Pushed) and fact.frame.lane == "waiting"
    }
    assert kinds == {"charge", "draw", "block", "damage_judge"}


def test_rc_09_a_second_draw_not_taken_is_a_choice_nobody_asks_for() -> None:
    verdict = edition("rc-09", "9.0-lite")
    assert kind(verdict) == ("illegal", 10, "BP-4.17")
    entry, clauses = first_clauses(verdict)
    assert entry == 9 and "BP-7.8" in clauses
    first = verdict.first
    assert first is not None
    size = {
        place: len(first.rejudged_table.places[Place(place)]) - len(first.recorded_table.places[Place(place)])
        for place in ("p2.hand", "p2.life")
    }
    assert size == {"p2.hand": 1, "p2.life": -1}


def test_rc_09_a_second_draw_taken_comes_to_the_same() -> None:
    verdict = edition("rc-09-yes", "9.0-lite")
    assert kind(verdict) == ("path", 0, "")
    assert [(one.entry, one.how) for one in verdict.aligned] == [(10, "dropped")]


def test_rc_09_at_two_life_the_second_draw_is_impossible_and_nobody_has_lost() -> None:
    verdict = under("rc-09-two", draw__mode="two_or_one")
    assert kind(verdict) == ("winner", 11, "BP-4.17") and verdict.outcome_changes
    assert verdict.recorded_result is not None and verdict.recorded_result.winners == ("p1",)
    assert verdict.rejudged_result is None and len(faces(verdict, "p2.life")) == 1


def test_rc_10_where_end_clears_all_fogs_only_cards_lie_elsewhere() -> None:
    verdict = under("rc-10", fog__end_scope="all")
    assert verdict.kind == "path" and not verdict.outcome_changes
    assert verdict.first is not None and "BP-7.3" in first_clauses(verdict)[1]
    assert verdict.first.rejudged_table.places.get(Place("p2.fog"), ()) == ()
    assert len(verdict.first.recorded_table.places[Place("p2.fog")]) == 1


def test_rc_10_where_a_fog_counts_as_long_as_it_lies_another_may_win() -> None:
    verdict = under("rc-10", fog__end_scope="own_card_active")
    assert verdict.kind == "winner" and winners(verdict) == (("p1",), ("p2",))


@for_each("version", ["9.0-lite", "9.1-lite", "9.2-lite"])
def test_rc_11_a_deck_of_twenty_is_rejected_at_set_up(version: str) -> None:
    assert kind(edition("rc-11", version)) == ("illegal", 1, "BP-1.5")


def test_rc_12_a_joker_as_preset_soldier_is_treated_alike() -> None:
    verdict = edition("rc-12", "9.0-lite")
    assert kind(verdict) == ("identical", 0, "")
    assert "JK" in faces(verdict, "p1.grave") and faces(verdict, "p1.soldiers") == ["D3"]
    with pytest.raises(RulesetError, match=r"preset\.invalid_soldier"):
        with_settings(GAME, pinned("rc-12"), {"preset.invalid_soldier": "keep"})


def test_rc_13_block_of_the_defender_gives_identical_results() -> None:
    assert kind(edition("rc-13", "9.2-lite")) == ("identical", 0, "")


def test_rc_13_with_the_chance_going_to_the_opponent_another_player_is_asked() -> None:
    trigger = {"chance.after_trigger": "opponent_of_controller"}
    asked = {
        version: rejudge(GAME, record("rc-13")[:7], with_settings(GAME, make_ruleset(GAME, version, "full54"), trigger))
        for version in ("9.1-lite", "9.2-lite")
    }
    assert {version: verdict.table.clock.awaited for version, verdict in asked.items()} == {
        "9.1-lite": ("p2",),
        "9.2-lite": ("p1",),
    }


@for_each("name, entry, clause", [("rc-14", 10, "BP-7.21"), ("rc-14-twice", 13, "BP-7.23")])
def test_rc_14_blocks_of_permissive_readings_are_illegal_at_once(name: str, entry: int, clause: str) -> None:
    assert kind(edition(name, "9.2-lite")) == ("illegal", entry, clause)


def test_rc_20_most_equips_are_illegal_where_numbers_must_be_neighbours() -> None:
    assert kind(under("rc-20", equip__consecutive=True)) == ("illegal", 4, "BP-8.9")
    assert kind(under("rc-20-next", equip__consecutive=True)) == ("identical", 0, "")


def test_rc_21_arrival_of_units_is_the_same_and_under_reset_illegal() -> None:
    assert kind(under("rc-21", sickness__model="unit_of_new_cards")) == ("identical", 0, "")
    assert kind(notes("rc-21", "7.0-lite")) == ("identical", 0, "")
    assert kind(under("rc-21", equip__arrival="reset")) == ("illegal", 10, "BP-7.15")


@for_each("name", NOTES)
def test_rc_23_change_notes_keep_the_recorded_set_up(name: str) -> None:
    kept = ("setup.", "deck.", "preset.", "frame", "hand.")
    assert not [key for key in GAME.change_notes[name] if key.startswith(kept)]
    before, after = rejudge(GAME, record("rc-11"), pinned("rc-11")), notes("rc-11", name)
    assert after.table.places == before.table.places and after.kind == "identical"


def test_rc_24_the_prose_of_edition_9_moves_the_chance() -> None:
    assert first_entry("rc-24").version == "9.0-lite" and pinned("rc-24").frame == "entry16"
    assert kind(under("rc-24", chance__after_request="to_opponent")) == ("illegal", 5, "BP-4.2")


def test_rc_25_by_a_literal_pass_record_one_pass_resolves_the_next_request() -> None:
    verdict = under("rc-25", pass_record__reset="on_request_only")
    assert kind(verdict) == ("path", 0, "")
    assert verdict.first is not None and verdict.first.entry == 8
    assert [fact.how for _, fact in verdict.first.rejudged if isinstance(fact, Popped)] == ["resolved"]
    assert [(one.entry, one.how) for one in verdict.aligned] == [(9, "dropped")]


def test_rc_26_a_won_combat_deals_damage_as_well_and_another_wins() -> None:
    verdict = under("rc-26", judge__unblocked_snapshot="at_step3")
    assert verdict.kind == "winner" and winners(verdict) == (("p2",), ("p1",))
    assert first_clauses(verdict)[0] == 12 and "BP-7.33" in first_clauses(verdict)[1]


def test_rc_27_under_revolution_a_combat_of_soldiers_is_reversed() -> None:
    verdict = under("rc-27", judge__smaller_dies=False)
    assert verdict.kind == "winner" and winners(verdict) == (("p1",), ("p2",))
    assert first_clauses(verdict)[0] == 12
    assert faces(verdict, "p1.soldiers") == [] and faces(verdict, "p2.soldiers") == ["S4"]


def test_rc_28_recorded_discards_are_illegal_under_another_hand_limit() -> None:
    assert kind(under("rc-28", hand__limit=8)) == ("illegal", 7, "BP-7.2")
    assert kind(under("rc-28-none", hand__limit=8)) == ("illegal", 7, "BP-4.17")


def test_rc_29_a_second_bulwark_allowed_changes_nothing_that_was_played() -> None:
    assert kind(under("rc-29", set_bulwark__requests_per_turn=2)) == ("identical", 0, "")


def test_rc_30_the_match_ends_one_step_earlier_with_the_same_loser() -> None:
    verdict = under("rc-30", cost__last_life="immediate_loss")
    assert kind(verdict) == ("path", 0, "") and winners(verdict) == (("p2",), ("p2",))
    assert first_clauses(verdict)[0] == 4 and "BP-13.1" in first_clauses(verdict)[1]


def test_rc_30_a_response_recorded_behind_the_new_end_is_illegal() -> None:
    verdict = under("rc-30-answered", cost__last_life="immediate_loss")
    assert kind(verdict) == ("illegal", 6, "BP-13.6") and winners(verdict) == (("p2",), ("p2",))
    assert first_clauses(verdict)[0] == 4 and "BP-13.1" in first_clauses(verdict)[1]


def test_a_grave_top_that_nobody_picks_any_more_is_not_illegal() -> None:
    verdict = under("grave-top", grave_top="auto_last")
    assert kind(verdict) == ("path", 0, "")
    assert [(one.entry, one.how) for one in verdict.aligned] == [(13, "dropped")]


def test_a_shuffle_of_another_life_leaves_the_match_undecided() -> None:
    verdict = under("shuffle", throwing__damage_suit="spade")
    assert kind(verdict) == ("undecided", 12, "BP-4.18") and verdict.why == "chance"
    assert [(one.entry, one.how) for one in verdict.aligned] == [(7, "defaulted")]
