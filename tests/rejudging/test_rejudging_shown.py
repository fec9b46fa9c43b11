"""A verdict for viewers: both sides with their clauses, no hidden card, and the changes that cause it."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.judging.rejudging import rejudge
from domain.judging.rejudging.causes import ENGINE, TOGETHER, Cause, causes, changes, kind_of
from domain.judging.rejudging.verdict import KINDS
from domain.law.clause import Clause
from domain.law.entries import fold_entries, opened_of
from domain.law.law import Law
from domain.law.rulesets import with_settings
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, CardId, Effect, EffectId, Frame, FrameId, Obj, Seat
from projections.rows import plain
from projections.verdicts.board_comparison import boards
from projections.verdicts.rendering import render_verdict
from projections.verdicts.seen_verdicts import SeenVerdict, deciding_clause, hide_unknown_faces, seen_verdict
from tests.rejudging.records import CHANGE, FOLDERS, SMALL, WRONG, law, load_records, play_random
from tests.rows import for_each
from tests.shelves import seen_by


@for_each("paths", [*((one,) for one in FOLDERS), (SMALL,)])
def test_under_its_own_rules_every_recorded_match_is_identical(paths: tuple[str, ...]) -> None:
    found = load_records(*paths)
    assert found
    for source, entries in found:
        game, own = law(entries)
        verdict = rejudge(game, entries, own)
        wrong = source.name.rpartition("/")[2] in WRONG
        assert (verdict.kind == "identical") != wrong, (source.name, verdict.kind, verdict.entry, verdict.clause)


@for_each("before, after", [("owner_choice", "auto_last"), ("auto_last", "owner_choice")])
def test_a_cosmetic_choice_that_comes_or_goes_is_no_illegality(before: str, after: str) -> None:
    kinds = set()
    for seed in range(1, 13):
        game, rules, entries = play_random(seed, grave_top=before)
        verdict = rejudge(game, entries, with_settings(game, rules, {"grave_top": after}))
        assert verdict.kind in ("identical", "path"), (seed, verdict.kind, verdict.clause)
        kinds.add(verdict.kind)
    assert "path" in kinds


def verdicts(change: dict[str, Any], most: int | None = None) -> Iterator[tuple[Any, ...]]:
    for _, entries in load_records(SMALL)[:most]:
        game, own = law(entries)
        rules = with_settings(game, own, change)
        verdict = rejudge(game, entries, rules)
        yield game, entries, own, rules, verdict


def test_every_class_is_reached_and_says_by_which_clause() -> None:
    met = set()
    for game, entries, own, rules, verdict in chain(verdicts(CHANGE), verdicts({"grave_top": "auto_last"}, 4)):
        met.add(verdict.kind)
        clause = deciding_clause(entries, verdict)
        assert (clause == "") == (verdict.kind == "identical")
        why = causes(game, entries, own, rules) if verdict.kind != "identical" else ()
        assert [one.kind for one in why] == ["option"] * (verdict.kind != "identical")
        for viewer in (SPECTATOR, JUDGE, "p1"):
            seen = seen_verdict(*seen_by(game, entries, viewer), Law(game, rules), verdict, why)
            assert (seen.kind, seen.clause, seen.causes) == (verdict.kind, clause, why)
            assert bool(seen.sentence.en) == bool(seen.sentence.ja) == (verdict.kind != "identical")
            assert bool(seen.differences) == (verdict.first is not None)
            texts = [plain(render_verdict(seen, Law(game, rules), lang, {})) for lang in ("en", "ja")]
            assert all(texts) and texts[0] != texts[1]
            cited = {one.clause: (one.en, one.ja) for side in (seen.recorded, seen.rejudged) for one in side.clauses}
            assert all(all(pair) for pair in cited.values())
            facts = (*seen.recorded.facts, *seen.rejudged.facts)
            assert {fact.clause for fact in facts if fact.clause} == set(cited)
            assert seen.outcome_changes == (verdict.kind == "winner")
    assert met == set(KINDS)


def test_the_judge_sees_every_fact_that_only_one_side_has() -> None:
    compared = 0
    for game, entries, _, rules, verdict in verdicts({"grave_top": "auto_last"}, 20):
        if verdict.first is None:
            continue
        seen = seen_verdict(*seen_by(game, entries, JUDGE), Law(game, rules), verdict)
        assert set(verdict.first.rejudged) <= set(verdict.first.told)
        assert len(seen.recorded.facts) == len(verdict.first.recorded)
        assert len(seen.rejudged.facts) == len(verdict.first.rejudged)
        assert [one.clause for one in seen.rejudged.facts] == [clause for clause, _ in verdict.first.rejudged]
        compared += 1
    assert compared > 8


def faces(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "face" and isinstance(value, str):
                yield value
            else:
                yield from faces(value)
    elif isinstance(part, list):
        for one in part:
            yield from faces(one)


def visible_faces(seen: SeenVerdict) -> set[str]:
    return set(faces(msgspec.json.decode(msgspec.json.encode((seen.rejudged, seen.differences)))))


@for_each(
    "change",
    [CHANGE, {"grave_top": "auto_last"}, {"draw.mandatory": 2}, {"preset.bulwark_face": "up"}, {"fog.enabled": False}],
)
def test_of_the_side_that_never_happened_only_faces_of_the_record_are_seen(change: dict[str, Any]) -> None:
    looked = told = 0
    for game, entries, _, rules, verdict in verdicts(change, 20):
        if verdict.first is None:
            continue
        opened = opened_of(entries)
        physics, number = Physics(opened.schema), verdict.first.entry
        for viewer in (SPECTATOR, *opened.seats):
            known = set()
            for table in (fold_entries(entries, max(number - 1, 1)), fold_entries(entries, number)):
                known |= {
                    piece.face
                    for card, piece in table.pieces.items()
                    if TableViewer(physics, viewer).knows(table, card)
                }
            seen = visible_faces(seen_verdict(*seen_by(game, entries, viewer), Law(game, rules), verdict))
            both = boards(*seen_by(game, entries, viewer), Law(game, rules), verdict.first)
            seen |= set(faces(msgspec.json.decode(msgspec.json.encode(both))))
            assert seen <= known | {""}, (viewer, seen - known)
            looked += 1
            told += len(visible_faces(seen_verdict(*seen_by(game, entries, JUDGE), Law(game, rules), verdict)) - known)
    assert looked and (told or "draw.mandatory" not in change), "nothing was hidden, so nothing was tried"


def test_a_bulwark_turned_up_by_the_other_rules_stays_hidden_from_who_has_not_seen_it() -> None:
    hidden = 0
    for game, entries, _, rules, verdict in verdicts({"preset.bulwark_face": "up"}, 10):
        assert verdict.first is not None
        judge = seen_verdict(*seen_by(game, entries, JUDGE), Law(game, rules), verdict)
        spectator = seen_verdict(*seen_by(game, entries, SPECTATOR), Law(game, rules), verdict)
        turned = [card.face for fact in judge.rejudged.facts for card in fact.cards if fact.up]
        assert turned and all(turned)
        assert not [card.face for fact in spectator.rejudged.facts for card in fact.cards if fact.up and card.face]
        hidden += len(turned)
    assert hidden


def test_what_sort_of_change_a_field_is() -> None:
    game, _, _ = play_random(1)
    kinds = {key: kind_of(game, key) for key in ("hand.limit", "grave_top", "draw.mode", "fog.enabled", "deck.list")}
    wanted = {"hand.limit": "number", "grave_top": "option", "draw.mode": "rule", "fog.enabled": "rule"}
    assert kinds == {**wanted, "deck.list": "card"}


def test_of_several_changes_those_are_named_that_alone_make_the_difference() -> None:
    game, own, entries = play_random(3)
    rules = with_settings(game, own, {"grave_top": "auto_last", "twist.choose": "at_resolution", "hand.limit": 54})
    assert [one.key for one in changes(game, own, rules)] == ["hand.limit", "grave_top"]
    assert rejudge(game, entries, with_settings(game, own, {"hand.limit": 54})).kind == "identical"
    assert causes(game, entries, own, rules) == (Cause("grave_top", "option"),)


def test_fields_that_can_only_change_together_are_one_cause() -> None:
    game, own, entries = play_random(3)
    rules = with_settings(game, game.in_regulation(own, "entry16"), {"hand.limit": 54})
    assert causes(game, entries, own, rules) == (Cause("frame + deck.list", "rule"),)


def test_changes_of_which_none_alone_makes_the_difference() -> None:
    game, own, entries = play_random(3)
    whole = game.in_regulation(own, "entry16")
    found = causes(game, entries, own, whole)
    assert found == (TOGETHER,)


def test_a_record_that_differs_from_its_own_rules_is_no_rule_change() -> None:
    for source, entries in load_records(FOLDERS[0]):
        if source.name.endswith("disputed.spn"):
            game, own = law(entries)
            assert causes(game, entries, own, with_settings(game, own, {"hand.limit": 5})) == (ENGINE,)
            return
    raise AssertionError("the disputed match is gone")


def test_where_no_clause_speaks_none_is_named() -> None:
    game, own, entries = play_random(1)
    assert deciding_clause(entries, rejudge(game, entries, own)) == Clause("")


def test_a_hidden_card_is_not_named_by_what_it_does_because_another_like_it_is_known() -> None:
    """One of two equal cards is public. An effect of the other on the rejudged side must reveal nothing."""
    entries = next(one for source, one in load_records(FOLDERS[1]) if source.name.endswith("void-control.spn"))
    opened = opened_of(entries)
    physics, table = Physics(opened.schema), fold_entries(entries, 48)
    open_card, hidden = (
        next(card for card in table.pieces if TableViewer(physics, SPECTATOR).knows(table, card) == known)
        for known in (True, False)
    )
    face = table.pieces[open_card].face
    assert face is not None
    alike = table.with_changes(pieces={**table.pieces, hidden: replace(table.pieces[hidden], face=face)})

    def visible_names(card: CardId) -> tuple[list[str], list[str]]:
        thing = Obj(card, alike.pieces[card].thing)
        frame = Frame(id=FrameId(999), lane="waiting", kind="effect", by=Seat("p1"), face=face, objs=(thing,))
        effect = Effect(id=EffectId(999), kind="buff", by=Seat("p1"), source=thing, face=face)
        other = alike.with_changes(waiting=(*alike.waiting, frame), effects=(*alike.effects, effect))
        seen = hide_unknown_faces(TableViewer(physics), alike, other)
        return [one.face for one in seen.waiting[-1:]], [one.face for one in seen.effects[-1:]]

    assert visible_names(open_card) == ([face], [face])
    assert visible_names(hidden) == ([""], [""])
    standing = hide_unknown_faces(TableViewer(physics), table, table)
    assert standing.effects == table.effects and table.effects
