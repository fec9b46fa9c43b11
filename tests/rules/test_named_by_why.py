"""Clauses without facts are named by `why` where they matter, or listed here with a reason.

A clause is nameable if the rules note it. Each nameable clause is named in a case, in a random match, or in a test of
`test_why.py` with its number.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.formats.casebook import run
from domain.games import GAMES
from domain.judging.trails import explain_action, hypothetical_notes
from domain.law.clause import Clause, Refusal
from domain.law.noting import Note
from tests.laws.samples import moments, sample
from tests.rows import for_each
from tools.clause_coverage import ClauseCoverage
from tools.evidence import evidence, measure_game_coverage

NOTING = re.compile(r"\b(note|note_permission|note_layers|ValueLayer)\(")
SEEDS = range(4)

UNNAMED: dict[str, dict[str, str]] = {
    "blackpoker": {
        "who sees what: it shapes what is shown, and nothing that happens": (
            "GRAVE_PILE FIELD_FACES FOG_OPEN STAGE_OPEN LIFE_COUNT"
        ),
        "no card ever lies on the other player's side, so it makes no difference in this edition": "OWNERS_ZONES",
        "the place in the row is the fact that moves the card": "BULWARK_ROW",
        "the order of the facts of one act, each of which is told": "ONE_ACT",
        "of a request that is refused nothing is left to explain but the clause that refuses it": "ALL_OR_NOTHING",
        "the frame that is told names the controller": "CONTROLLER",
        "when triggers are looked at: each that is found is told by its own clause": "TRIGGER_CHECK TRIGGERS_JOIN",
        "nothing in the law could damage a character": "ONLY_PLAYERS_DAMAGED",
        "what the action consists of: each part is checked and told by its own clause": (
            "END ATTACK SET_BULWARK SUMMON_SOLDIER EQUIP UP DOWN TWIST COUNTER SEARCH DESTROY_BULWARK THROWING"
        ),
        "which component a unit is, for people: no outcome reads it": "COMMON_SOLDIER HERO BULWARK RECOGNISED",
    },
    "dea": {
        "who sees what: it shapes what is shown, and nothing that happens": (
            "OWN_FORESHADOWS_SEEN SLEEVE_PUBLIC COUNTERS_PUBLIC"
        ),
        "what there is to play with": "TWO_WRITERS GIMMICK_MIX PAGES EP_SOURCES TOKENS_ARE_CHARACTERS",
        "how words of other clauses are read": "DIRECTIONS LAST_LINE FROM_PRESENT_CELL",
        "the frame that is told names the two": "ATTACKER_AND_BLOCKER",
        "the check that refuses is cited by its own clause": "TURN_PLAYER_ONLY OPENED_STAYS",
        "the facts that are told show it: no move is used up, nothing waits, nobody is damaged": (
            "KNOCKBACK_NO_NORMAL_MOVE NO_HOOK_SAME_WAY LIFE_LOSS_NO_DAMAGE"
        ),
    },
    "grimoire": {
        "who sees what: it shapes what is shown, and nothing that happens": (
            "FRIENDS_SEE HAND_HIDDEN GRIMOIRE_HIDDEN BOOKMARK_OWN PUBLIC_ZONES COUNTS_PUBLIC OUT_SEES"
        ),
        "what the table can hold at all": "ONE_STATUS OWNER",
        "the check that refuses is cited by its own clause": "CONTROLS OUTSIDE_MAIN FIELD",
        "how words of cards are read": "YOURS",
        "the layers of power and toughness show that damage is none of them": "DAMAGE_LEAVES_VALUES",
        "what the action is: its facts show that nothing was paid, waited for or turned": (
            "CAST_AT_ONCE ONE_TARGET PLAY_IS_FREE OD_EXPLOSION OD_AT_ONCE OD_KEEPS_STATUS"
        ),
        "the move that junks names what broke the spell": "BROKEN_JUNKED",
        "the order of seats and of effects, each of which is told in its place": (
            "SEATS_IN_ORDER NEW_EFFECTS_LAST ONE_EVENT_GROUP"
        ),
        "there is no step that could offer it": "NO_MULLIGAN",
        "the effect that is generated names its clause": "ON_RESOLUTION",
        "a continuous ability makes no frame; its layers are those of continuous abilities": "CONTINUOUS",
        "of an action that is refused nothing is left to explain but the clause that refuses it": "REJECTION",
    },
    "skillbook": {
        "who sees what: it shapes what is shown, and nothing that happens": (
            "GRAVEYARD_TOP_PUBLIC COST_COUNTED_FACE_DOWN REMOVED_HIDDEN OWNER_LOOKS"
        ),
        "what there is to play with": "BASIC_TERRAINS_UNLIMITED UNUSABLE_SKILLS_LEGAL BOARD",
        "how words of other clauses are read": "GOAL_LINE ORIGIN NO_DIAGONALS START_IN_RANGE AREA FLYING",
        "the facts that are told show it: who wins, what is lost, what is used up, where a card goes or stands": (
            "SURVIVOR_WINS CHARGE_LOSS NO_USE_LIMIT TELEPORT_SKIPS_WAY "
            "AURA_TAKES_SLOT CURSE_TAKES_SLOT DISCARDED_AURA_TO_GRAVEYARD"
        ),
        "what it consists of: each part is checked and told by its own clause": "ADJUDICATION ACTIVATED",
        "the order of effects, each of which is told in its place": "GAME_START_EFFECTS BATTLE_START_EFFECTS",
    },
}
"""Clauses that nothing names, by reason, as the names of their constants."""


@cache
def carried(key: str) -> dict[str, ClauseCoverage]:
    rows = measure_game_coverage(GAMES[key], evidence(GAMES[key])).rows
    return {row.name: row for row in rows if row.citations and not row.has_direct_citation}


def nameable(row: ClauseCoverage) -> bool:
    return any(NOTING.search(citation.source) for citation in row.citations)


def noted(key: str, patch: pytest.MonkeyPatch) -> set[Clause]:
    found: list[Note] = []

    def listening(decide: Any) -> Any:
        def decide_and_note(law: Any, table: Any, actor: Any, action: Any, **how: Any) -> Any:
            outcome = decide(law, table, actor, action, **how)
            if isinstance(outcome, Refusal):
                found.extend(hypothetical_notes(law, table, actor, action))
            else:
                heard = explain_action(law, table, actor, action, as_played=bool(outcome.violations))
                assert heard.told == outcome.told, "who listens changes nothing"
                found.extend(heard.checked + heard.notes)
            return outcome

        return decide_and_note

    patch.setattr(run, "decide", listening(run.decide))
    patch.setattr(run, "decide_as_played", listening(run.decide_as_played))
    for case in evidence(GAMES[key]).cases.values():
        assert run.run_case(case, GAMES[key]).passed
    for seed in SEEDS:
        law = sample(key, seed).law
        for at in moments(key, seed):
            heard = explain_action(law, at.before, at.actor, at.action)
            assert heard.told == at.entry.told, "who listens changes nothing"
            found += heard.checked + heard.notes
    return {clause for note in found for clause in (note.clause, *(layer.clause for layer in note.layers))}


def named_in_tests(key: str) -> set[str]:
    text = (Path(__file__).parent / key / "test_why.py").read_text(encoding="utf-8")
    return {number.replace("_", ".") for number in re.findall(r"def test_(\d+_\d+)_", text)}


@for_each("key", sorted(UNNAMED))
def test_a_clause_that_is_carried_is_noted_somewhere_or_said_why_it_is_not(key: str) -> None:
    excused = [name for names in UNNAMED[key].values() for name in names.split()]
    assert len(excused) == len(set(excused))
    assert sorted(excused) == sorted(name for name, row in carried(key).items() if not nameable(row))


@pytest.mark.random
@pytest.mark.parametrize("key", sorted(UNNAMED))
def test_a_clause_that_can_be_named_is_named_in_a_case_or_a_match_or_a_test(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = noted(key, monkeypatch)
    silent = {row.name for row in carried(key).values() if nameable(row) and row.clause not in named}
    tested = {row.name for row in carried(key).values() if row.clause.partition("-")[2] in named_in_tests(key)}
    assert silent <= tested, sorted(silent - tested)


def test_a_game_that_carries_clauses_is_looked_at() -> None:
    assert {key for key in GAMES if carried(key)} == set(UNNAMED)
