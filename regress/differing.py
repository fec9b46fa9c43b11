"""What is said of a match that other rules decide otherwise: its class, where, by which clause, what differs first."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import msgspec

from domain.judging.rejudging.causes import kind_of
from domain.judging.rejudging.verdict import Verdict, winners
from domain.law.clause import Clause, Told
from domain.law.entries import Entry, Played
from domain.law.game import Game
from domain.law.law import Law
from domain.law.rulesets import values
from domain.law.slots import verb
from domain.table import facts as F
from domain.table.table import zone
from projections.verdicts.showing import deciding_clause
from regress.summary import FactKind, First, Flip, Value


def describe(
    before: Law, law: Law, entries: Sequence[Entry], verdict: Verdict, kind: Literal["base"] | None = None
) -> dict[str, Any]:
    """What a summary says of a record that is not what this law says; `before` is the law it is held against.

    Of the base that means: it was made under other rules, or the program has changed since.
    """
    clause, flip = deciding_clause(entries, verdict), None
    if kind is None and verdict.kind == "winner":
        flip = Flip(winners(verdict.recorded_result), winners(verdict.rejudged_result))
    entry = _entry(verdict)
    was, now = (side.game.rulebook.both(clause, values(side.rules)) for side in (before, law))
    return {
        "kind": kind or verdict.kind,
        "under": verdict.kind if kind else None,
        "entry": entry,
        "clause": clause,
        "sentence": now,
        "was": was if was != now else None,
        "first": _first(before, law, verdict),
        "verb": _verb(law.game, entries, entry),
        "why": verdict.why,
        "flip": flip,
    }


def _entry(verdict: Verdict) -> int:
    """Where a verdict is decided: where an action is refused or something is missing, else where it first differs."""
    if verdict.entry:
        return verdict.entry
    differing = ([verdict.first] if verdict.first is not None else []) + [*verdict.aligned[:1]]
    return min((difference.entry for difference in differing), default=verdict.rejudged_at)


def _verb(game: Game, entries: Sequence[Entry], entry: int) -> str:
    """The verb of what somebody did at an entry."""
    played = entries[entry - 1] if 0 < entry <= len(entries) else None
    return verb(game.decoder().decode(played.action)) if isinstance(played, Played) else ""


def _first(before: Law, law: Law, verdict: Verdict) -> First | None:
    first = verdict.first
    if first is None:
        return None
    return First(first.entry, _kind(before, first.recorded), _kind(law, first.rejudged))


def _kind(law: Law, told: Told) -> FactKind | None:
    """Of which sort the first of these facts is."""
    if not told:
        return None
    clause, fact = told[0]
    tag = fact.__struct_config__.tag
    assert isinstance(tag, str)
    return FactKind(clause, tag, _about(fact), law.game.rulebook.both(clause, values(law.rules)))


def _about(fact: F.AnyFact) -> str:
    match fact:
        case F.Marked(name=name) | F.Rolled(what=name):
            return name
        case F.Created(place=place) | F.Arranged(place=place) | F.Moved(to=place):
            return zone(place)
        case F.Pushed(frame):
            return frame.kind
        case _:
            return ""


def changed_values(
    game: Game, clauses: Collection[Clause], before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[Value, ...]:
    """The fields that change, and those that the changed clauses name, so that these can be said as they stand there.

    What is printed on cards is not among them.
    """
    texts = [
        text for clause in clauses for text in (game.rulebook.clauses[clause].en, game.rulebook.clauses[clause].ja)
    ]
    return tuple(
        Value(key, kind_of(game, key), _plain(before[key]), _plain(now))
        for key, now in after.items()
        if (game.pools is None or key != game.pools.field)
        and (before[key] != now or any("{" + key + "}" in text for text in texts))
    )


def _plain(value: Any) -> str:
    return msgspec.json.encode(value, order="sorted").decode()
