"""A fluent API for tests of rules: small positions by name, typed actions, and expectations.

position({"p1.soldiers": ("s = S4 driven",)}).when("p1: attack", "pp").refused_by("...")
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.formats.actions import parse_action
from domain.formats.casebook.expect import Scene, mismatches
from domain.formats.casebook.load import StartPosition, Then
from domain.formats.casebook.start_position import build, from_deck
from domain.law.clause import Clause, Refusal
from domain.law.driver import decide, decide_as_played
from domain.law.game import Game
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.rulesets import make_ruleset
from domain.table.facts import Finished
from domain.table.physics import Physics
from domain.table.table import CHANCE, Seat

PASSES = "pp"
"""Pass for the holder of the chance, then for the next awaited seat."""
CHANCES_MAX = 20


class Scenario(Struct, frozen=True):
    scene: Scene
    refusal: Refusal | None = None

    def when(self, *lines: str, as_played: bool = False) -> "Scenario":
        """Play lines in order. Only the last one may be refused, or be recorded as played."""
        now = self
        for number, line in enumerate(lines, start=1):
            assert now.refusal is None, f"{lines[number - 2]!r} was refused by {now.refusal.clause}"
            now = now._play(line, as_played and number == len(lines))
        return now

    def _play(self, line: str, as_played: bool) -> "Scenario":
        law = self.scene.law
        if line == PASSES:
            (first,) = law.awaited(self.scene.table)
            passed = self._take(first, f"{first}: pass")
            (second,) = law.awaited(passed.scene.table)
            return passed._take(second, f"{second}: pass")
        if line == CHANCE:
            now = self
            for _ in range(CHANCES_MAX):
                drawn = law.chance(now.scene.table, lambda below: 0)
                if drawn is None:
                    return now
                now = now._decide(CHANCE, drawn, False)
            raise AssertionError("chance is asked without end")
        return self._take(Seat(""), line, as_played)

    def _take(self, seat: Seat, line: str, as_played: bool = False) -> "Scenario":
        game, schema = self.scene.law.game, self.scene.physics.schema
        who, action = parse_action(game, self.scene.table, line, self.scene.labels, actor=seat or None, schema=schema)
        return self._decide(who, action, as_played)

    def _decide(self, who: Seat, action: Any, as_played: bool) -> "Scenario":
        scene = self.scene
        outcome = (decide_as_played if as_played else decide)(scene.law, scene.table, who, action)
        if isinstance(outcome, Refusal):
            return Scenario(replace(scene, told=(), violations=(), refused=outcome.clause), outcome)
        assert isinstance(outcome, Accepted)
        ended = next((clause for clause, fact in outcome.told if isinstance(fact, Finished)), scene.ended)
        told = (outcome.told, outcome.table, outcome.violations, ended)
        return Scenario(replace(scene, told=told[0], table=told[1], violations=told[2], refused=None, ended=told[3]))

    def refused_by(self, clause: str) -> "Scenario":
        """Check that this clause refused the last line, as the only failure and the end of its trail."""
        assert self.refusal is not None, f"accepted: {self.scene.told}"
        assert self.refusal.clause == clause, f"{self.refusal.clause} was cited, after {self.refusal.trail}"
        assert [step.clause for step in self.refusal.trail if not step.holds] == [clause]
        return Scenario(replace(self.scene, refused=None))

    def emits(self, *patterns: str) -> "Scenario":
        """Check that the last line emitted these facts in order: `clause`, `fact` or `clause fact`."""
        return self.then(told=patterns)

    def then(self, **wanted: Any) -> "Scenario":
        """Check expectations in the form of a casebook's `then`."""
        assert self.refusal is None, f"refused by {self.refusal.clause}"
        plain = {key: list(value) if isinstance(value, tuple) else value for key, value in wanted.items()}
        wrong = list(mismatches(self.scene, msgspec.convert(plain, Then)))
        assert wrong == []
        return self

    @property
    def clauses(self) -> list[Clause]:
        return [clause for clause, _ in self.scene.told]


def scenario(
    game: Game,
    places: Mapping[str, Sequence[str]],
    *,
    version: str,
    regulation: str = "",
    options: Mapping[str, Any] | None = None,
    frames: Sequence[Mapping[str, Any]] = (),
    **given: Any,
) -> Scenario:
    law = Law(game, make_ruleset(game, version, regulation, dict(options or {})))
    schema = law.schema()
    laid = {place: list(pieces) for place, pieces in places.items()}
    wanted = msgspec.convert({"places": laid, "frame": list(frames), **given}, StartPosition)
    fillers = from_deck(law.default_deck, lambda face: game.plain(law.rules, face))
    position = build(schema, law.seats(), wanted, fillers, game.display)
    return Scenario(Scene(law, Physics(schema), position.table, position.labels))
