"""Passes and choices on only one side, and those that bring both sides together again."""

from functools import cache
from typing import Any

from domain.judging.rejudging import Verdict, rejudge
from domain.judging.rejudging.verdict import winners
from domain.law.clause import BY_HAND
from domain.law.entries import Corrected, Entry, Played
from domain.law.game import Game
from domain.law.rulesets import with_settings
from domain.law.slots import verb
from domain.table.facts import Finished
from domain.table.table import JUDGE, Result, Seat
from tests.rejudging.records import FOLDERS, MATCHES, SMALL, WRONG, law, load_records
from tests.rows import for_each

GRIMOIRE = FOLDERS[1]


@cache
def named(folder: str, name: str) -> tuple[Entry, ...]:
    return next(entries for source, entries in load_records(folder) if source.name.endswith(f"{name}.spn"))


def under(entries: tuple[Entry, ...], **settings: Any) -> Verdict:
    game, own = law(entries)
    return rejudge(game, entries, with_settings(game, own, {k.replace("__", "."): v for k, v in settings.items()}))


def summarize(verdict: Verdict) -> list[tuple[int, str, str]]:
    return [(one.entry, one.how, one.actor) for one in verdict.aligned]


def acted(game: Game, entries: tuple[Entry, ...], number: int) -> str:
    entry = entries[number - 1]
    assert isinstance(entry, Played)
    return verb(game.decoder().decode(entry.action))


def test_passes_in_another_order_come_to_the_same() -> None:
    verdict = under(named(MATCHES, "rc-09-two"), chance__after_trigger="opponent_of_controller")
    assert verdict.kind == "path" and not verdict.outcome_changes
    assert summarize(verdict) == [(9, "dropped", "p2"), (11, "passed", "p2")]


def test_a_pass_that_came_too_early_still_counts_at_the_end_of_the_record() -> None:
    verdict = under(named(MATCHES, "options"), chance__after_trigger="opponent_of_controller")
    assert verdict.kind == "path" and verdict.rejudged_result is not None
    assert summarize(verdict)[-2:] == [(46, "dropped", "p1"), (48, "passed", "p1")]


def test_where_only_the_order_of_passes_differs_every_match_keeps_its_winner() -> None:
    looked = 0
    for source, entries in load_records(MATCHES, SMALL):
        game, own = law(entries)
        if source.name.rpartition("/")[2] in WRONG:
            continue
        rules = with_settings(game, own, {"chance.after_trigger": "opponent_of_controller"})
        verdict = rejudge(game, entries, rules)
        assert verdict.kind in ("identical", "path"), (source.name, verdict.kind, verdict.entry, verdict.clause)
        looked += verdict.kind == "path"
    assert looked > 20


def test_nobody_passes_on_and_on_where_a_pass_changes_nothing() -> None:
    kinds = set()
    for source, entries in load_records(MATCHES, SMALL):
        verdict = under(entries, pass_record__reset="on_request_only")
        inserted = [one for one in summarize(verdict) if one[1] == "passed"]
        assert len(inserted) == len(set(inserted)), source.name
        assert verdict.clause or verdict.kind in ("identical", "path"), (source.name, verdict.kind)
        kinds.add(verdict.kind)
    assert {"identical", "path", "illegal"} <= kinds


@for_each("setting", ["chance__after_request", "pass_record__reset", "chance__after_trigger"])
def test_no_pass_is_called_illegal_where_two_play(setting: str) -> None:
    value = {"chance__after_request": "to_opponent", "pass_record__reset": "on_request_only"}
    stopped = 0
    for source, entries in load_records(MATCHES, SMALL):
        game, _ = law(entries)
        verdict = under(entries, **{setting: value.get(setting, "opponent_of_controller")})
        if verdict.kind == "illegal":
            assert acted(game, entries, verdict.entry) != "pass", (source.name, verdict.entry)
            stopped += 1
    assert stopped


def test_a_pass_that_would_resolve_a_request_is_not_made_up() -> None:
    """Priority has moved. The other player's decision to let it resolve is unknown and is not requested."""
    stopped = 0
    for source, entries in load_records(SMALL):
        verdict = under(entries, chance__after_request="to_opponent")
        assert verdict.kind != "undecided", (source.name, verdict.entry)
        if verdict.kind == "illegal":
            assert verdict.clause == "BP-4.2" and (verdict.entry, "passed") not in {
                one[:2] for one in summarize(verdict)
            }
            stopped += 1
    assert stopped > 20


def test_passes_that_did_not_help_are_neither_noted_nor_change_the_clause() -> None:
    answered = under(named(MATCHES, "rc-28-none"), hand__limit=8)
    assert (answered.kind, answered.clause, answered.aligned) == ("illegal", "BP-4.17", ())
    other_first = under(named(MATCHES, "grave-top"), setup__hand_size=6)
    assert (other_first.kind, other_first.entry, other_first.clause) == ("illegal", 4, "BP-4.2")
    assert other_first.aligned == ()


def test_passes_on_what_lies_on_the_recorded_stack_only_end_no_phase() -> None:
    verdict = under(named(GRIMOIRE, "disputed"), initialize_heals_character=True)
    assert (68, "dropped", "p1") in summarize(verdict) and verdict.entry == 90


def test_a_choice_asked_anew_is_answered_before_the_record_passes_on() -> None:
    verdict = under(named(MATCHES, "rc-01-card"), hand__limit=5)
    assert verdict.kind == "path" and "any_answer" in {one[1] for one in summarize(verdict)}


def test_giving_up_what_is_lost_already_is_no_illegality() -> None:
    entries = named(MATCHES, "rc-27")
    assert acted(law(entries)[0], entries, len(entries)) == "concede"
    verdict = under(entries, judge__unblocked_snapshot="at_step3")
    assert (verdict.kind, verdict.entry) == ("path", 0)
    assert winners(verdict.recorded_result) == winners(verdict.rejudged_result) == ("p1",)


@for_each("winner", ["p1", "p2"])
def test_what_a_judge_decides_by_hand_stands_behind_a_new_end_too(winner: str) -> None:
    ruled = Corrected(by=JUDGE, reason="", told=((BY_HAND, Finished(Result((Seat(winner),), "judge"))),))
    verdict = under((*named(MATCHES, "rc-27")[:-1], ruled), judge__unblocked_snapshot="at_step3")
    assert verdict.kind == "path" and verdict.first is not None and verdict.first.entry == 12
    assert verdict.rejudged_result == verdict.recorded_result == Result((Seat(winner),), "judge")
