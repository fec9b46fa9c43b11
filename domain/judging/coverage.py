"""Coverage of clauses, cards and options by matches and cases."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.formats.errors import read_toml
from domain.law.clause import Clause
from domain.law.driver import consult_clauses
from domain.law.entries import Played, entry_facts, tables
from domain.law.game import Game
from domain.law.record import Record
from domain.law.rulebook import ClauseKind, value_text
from domain.law.rulesets import values
from domain.law.slots import cards_of

BINDING: tuple[ClauseKind, ...] = ("rule", "flow", "physical")
"""Kinds of clause that need coverage. Terms only define words."""


class Unreachable(Struct, frozen=True, forbid_unknown_fields=True):
    """A clause that no match or case can show, with the reason in both languages."""

    clause: Clause
    en: str
    ja: str


class _Exceptions(Struct, frozen=True, forbid_unknown_fields=True):
    unreachable: tuple[Unreachable, ...]


def read_unreachable(text: str, name: str) -> tuple[Unreachable, ...]:
    """Read a list of unreachable clauses. Raises FormatError."""
    return read_toml(text, _Exceptions, name).unreachable


class ClauseUsage(Struct, frozen=True, kw_only=True):
    """Counts of one clause: passing cases that claim it, refusals, citing facts, and matches or cases that consult
    it."""

    clause: Clause
    kind: ClauseKind
    cases: int = 0
    refused: int = 0
    applied: int = 0
    matches: int = 0

    @property
    def cold(self) -> bool:
        """True if a binding clause occurs in no match and no case, and never refused an action."""
        return self.kind in BINDING and not (self.matches or self.refused or self.cases)

    @property
    def unspoken(self) -> bool:
        """True if only cases show a binding clause, because it has no fact or check."""
        return self.kind in BINDING and not (self.matches or self.refused) and bool(self.cases)


class UseCount(Struct, frozen=True):
    """A card face or option value, with the number of matches that used it."""

    name: str
    matches: int


class Coverage(Struct, frozen=True, kw_only=True):
    """Coverage of the rulebook, cards and options of a game."""

    game: str
    matches: int
    cases: int
    clauses: tuple[ClauseUsage, ...]
    cards: tuple[UseCount, ...]
    options: tuple[UseCount, ...]
    unreachable: tuple[Unreachable, ...] = ()

    @property
    def unspoken(self) -> tuple[Clause, ...]:
        """Clauses that only cases show."""
        return tuple(usage.clause for usage in self.clauses if usage.unspoken)

    @property
    def never(self) -> tuple[Clause, ...]:
        """Binding clauses that were never exercised and are not listed as unreachable."""
        excused = {exception.clause for exception in self.unreachable}
        return tuple(usage.clause for usage in self.clauses if usage.cold and usage.clause not in excused)


class CoverageCounter:
    """Counter of the clauses, cards and options in matches and cases. It keeps no match or case."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._decode = game.decoder().decode
        self.applied: Counter[Clause] = Counter()
        self.within: Counter[Clause] = Counter()
        self.claimed: Counter[Clause] = Counter()
        self.refused: Counter[Clause] = Counter()
        self.faces: Counter[str] = Counter()
        self.settings: Counter[str] = Counter()
        self.matches = self.cases = 0

    def match(self, record: Record, shown: Sequence[Sequence[Clause]] | None = None) -> None:
        """Count the clauses, cards and options of one recorded match. `shown` lists, by entry, the clauses of the facts
        that a spectator sees. Pass it for a match with hidden cards, so that only what a spectator sees is counted."""
        clauses: set[Clause] = set()
        faces: set[str] = set()
        everybody = record.eyes()
        for number, entry, before, after in tables(record.entries):
            cited = [clause for clause, _ in entry_facts(entry)] if shown is None else shown[number - 1]
            self.applied.update(cited)
            clauses.update(cited)
            if not isinstance(entry, Played):
                continue
            for clause in entry.violations:
                self.refused[clause] += 1
            action = self._decode(entry.action)
            if shown is None:
                clauses.update(
                    step.clause for step in consult_clauses(record.law, before, entry.actor, action) if step.holds
                )
            known = [
                card
                for card in cards_of(action)
                if shown is None or (card in after.pieces and everybody.knows(after, card))
            ]
            named = (before.pieces.get(card) for card in known)
            faces.update(piece.face for piece in named if piece is not None and piece.face)
        self.within.update(clauses)
        self.faces.update(faces)
        self._settings(values(record.rules))
        self.matches += 1

    def case(
        self,
        claimed: Sequence[Clause],
        witnessed: Sequence[Clause],
        refused: Sequence[Clause],
        settings: Mapping[str, object],
    ) -> None:
        """Count one passing case. `witnessed` are the clauses cited or consulted in it; `settings` are its options."""
        self.claimed.update(set(claimed))
        self.within.update(set(witnessed))
        self.refused.update(refused)
        self._settings(settings)
        self.cases += 1

    def _settings(self, settings: Mapping[str, object]) -> None:
        for option in self.game.options:
            if option.key in settings:
                self.settings[f"{option.key}={value_text(settings[option.key])}"] += 1

    def coverage(self, unreachable: tuple[Unreachable, ...] = ()) -> Coverage:
        return Coverage(
            game=self.game.key,
            matches=self.matches,
            cases=self.cases,
            clauses=tuple(self._usage(clause) for clause in self.game.rulebook.clauses),
            cards=tuple(UseCount(face, self.faces[face]) for face in self.game.faces()),
            options=tuple(UseCount(value, self.settings[value]) for value in _values(self.game)),
            unreachable=unreachable,
        )

    def _usage(self, clause: Clause) -> ClauseUsage:
        return ClauseUsage(
            clause=clause,
            kind=self.game.rulebook.clauses[clause].kind,
            cases=self.claimed[clause],
            refused=self.refused[clause],
            applied=self.applied[clause],
            matches=self.within[clause],
        )


def _values(game: Game) -> Iterator[str]:
    for option in game.options:
        if len(option.values) > 1:
            yield from (f"{option.key}={value}" for value in option.values)
