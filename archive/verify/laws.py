"""Properties that every game must have at every step. A check returns what is wrong, or None."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from archive.verify.random_actions import is_offered, make_random_action, make_random_action_of
from archive.verify.steps import MatchStep
from domain.judging.audit import audit
from domain.law.clause import Refusal
from domain.law.driver import accepts, consult_clauses, decide
from domain.law.entries import Played, entry_facts
from domain.law.game import Game
from domain.law.invariants import FactCheck, Invariant, PlayedAction, match_of
from domain.law.law import Law
from domain.law.offers import RandomBelow, Template, shuffle
from domain.law.outcome import Accepted
from domain.law.slots import verb
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE, apply, fold
from domain.table.facts import FACTS
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import CHANCE, Seat, Table
from domain.words import Text
from domain.words.foreign import quoted
from recorder import codec

OfFacts = dict[type, tuple[tuple[Invariant, FactCheck[Any]], ...]]


@cache
def _group_by_fact(every: tuple[Invariant, ...]) -> OfFacts:
    checks = [(invariant, invariant.fact) for invariant in every if invariant.fact is not None]
    return {kind: tuple((rule, holds) for rule, holds in checks if kind in (rule.about or FACTS)) for kind in FACTS}


def broken_invariants(law: Law, step: MatchStep) -> Iterator[Invariant]:
    """Yield the invariants that a step breaks; those of whole matches are checked at the last step."""
    every = law.invariants()
    by_fact = _group_by_fact(every)
    draft = Draft(step.before)
    for clause, fact in entry_facts(step.entry):
        for invariant, holds in by_fact[type(fact)]:
            if not holds(law.rules, draft, clause, fact):
                yield invariant
        EVOLVE[type(fact)](draft, fact)
    yield from (rule for rule in every if rule.table is not None and not rule.table(law.rules, step.after))
    if step.action is not None and isinstance(step.entry, Played):
        deed = PlayedAction(step.actor, step.action, step.entry.told, step.before, step.after)
        yield from (rule for rule in every if rule.deed is not None and not rule.deed(law.rules, deed))
    if step.last:
        match = match_of(law.game.decoder(), step.entries)
        yield from (rule for rule in every if rule.match is not None and not rule.match(law.rules, match))


ENCODE = msgspec.msgpack.Encoder().encode
JSON = msgspec.json.Encoder().encode
OFFERED_TRIED, RANDOM_TRIED = 4, 8
"""Actions to try at each step."""
LEAKS_EVERY = 12
"""Steps between comparisons of what viewers receive."""

Check = Callable[[Law, MatchStep], Text | None]


class Property(Struct, frozen=True):
    name: str
    check: Check


def check_determinism(law: Law, step: MatchStep) -> Text | None:
    """Check that deciding is deterministic and changes no table."""
    if step.action is None:
        return None
    before = ENCODE(step.before)
    first, again = (decide(law, step.before, step.actor, step.action) for _ in range(2))
    if ENCODE(step.before) != before:
        return Text("verify.pure.changed", _describe_action(law.game, step))
    return None if first == again else Text("verify.pure.twice", _describe_action(law.game, step))


def check_replay(law: Law, step: MatchStep) -> Text | None:
    """Check that deciding again gives the recorded facts, and that they fold to the next table."""
    if step.action is None or not isinstance(step.entry, Played) or step.entry.violations:
        return None
    outcome = decide(law, step.before, step.actor, step.action)
    if isinstance(outcome, Refusal):
        return Text("verify.fold.refused", {**_describe_action(law.game, step), "clause": outcome.clause})
    if outcome.told != step.entry.told:
        return Text("verify.fold.told", _describe_action(law.game, step))
    same = ENCODE(outcome.table) == ENCODE(step.after) == ENCODE(fold(step.before, [f for _, f in outcome.told]))
    return None if same else Text("verify.fold.table", _describe_action(law.game, step))


def check_physics(law: Law, step: MatchStep) -> Text | None:
    """Check that every fact is physically possible and cites a clause of the rulebook."""
    draft = Draft(step.before)
    for clause, fact in entry_facts(step.entry):
        wrong = step.physics.explain_impossible(draft, fact)
        if wrong is not None:
            return Text("verify.physics", {"fact": type(fact).__name__, "clause": clause, "why": wrong})
        if clause not in law.game.rulebook.clauses:
            return Text("verify.no_clause", {"fact": type(fact).__name__, "clause": clause})
        apply(draft, fact)
    return None


def check_places(law: Law, step: MatchStep) -> Text | None:
    """Check that every card is in exactly one place, and no place is overfull."""
    cards = Counter(card for row in step.after.places.values() for card in row)
    if set(cards) != set(step.after.pieces) or max(cards.values(), default=1) > 1:
        return Text("verify.whole")
    for place, most in step.physics.overfull(step.after):
        return Text("wrong.overfull", {"place": place, "most": most})
    return None


def check_progress(law: Law, step: MatchStep) -> Text | None:
    """Check that there is a result, or an awaited seat with an action that other seats lack."""
    awaited, table = law.game.awaited(step.after), step.after
    if table.result is None and not awaited:
        return Text("verify.nobody")
    if table.result is not None:
        return Text("verify.after_end", {"seat": awaited[0]}) if awaited else None
    draw = law.chance(table, step.chance("draw"))
    if (draw is not None) != (CHANCE in awaited):
        return Text("verify.chance")
    verbs = {seat: {template.verb for template in law.offers(table, seat)} for seat in table.seats}
    always = {verb for seat in verbs if seat not in awaited for verb in verbs[seat]}
    idle = next((seat for seat in awaited if seat in verbs and not verbs[seat] - always), None)
    return None if idle is None else Text("verify.idle", {"seat": idle})


def check_offers(law: Law, step: MatchStep) -> Text | None:
    """Check a sample: offered actions that pass the checks are carried out, and those that pass are offered."""
    table, below = step.after, step.chance("offers")
    for seat in table.seats:
        templates = list(law.offers(table, seat))
        types = law.game.action_types
        tried = [
            make_random_action_of(law.game, table, seat, kind, below)
            for kind in [types[below(len(types))] for _ in range(2)]
        ]
        if seat in law.game.awaited(table):
            wrong = _find_refused_offer(law, table, seat, templates, below)
            if wrong is not None:
                return wrong
            kinds = list(dict.fromkeys(template.action for template in templates))
            tried += [
                make_random_action_of(law.game, table, seat, kind, below)
                for kind in kinds
                for _ in range(RANDOM_TRIED // len(kinds) + 1)
            ]
        for action in tried:
            if accepts(law, table, seat, action) and not is_offered(templates, table, action):
                return Text("verify.not_offered", {"seat": seat, "verb": verb(action)})
    return None


def _find_refused_offer(
    law: Law, table: Table, seat: Seat, templates: Sequence[Template], below: RandomBelow
) -> Text | None:
    for _ in range(min(OFFERED_TRIED, len(templates))):
        action = templates[below(len(templates))].sample(below)
        if action is None or not accepts(law, table, seat, action):
            continue
        outcome = decide(law, table, seat, action)
        if isinstance(outcome, Refusal):
            return Text("verify.offer_refused", {"seat": seat, "verb": verb(action), "clause": outcome.clause})
    return None


def check_refusals(law: Law, step: MatchStep) -> Text | None:
    """Check that a refusal changes nothing and cites the first failing clause, which is in the rulebook."""
    table, below = step.after, step.chance("refusing")
    for _ in range(RANDOM_TRIED):
        seat, action = make_random_action(law.game, table, below)
        before = ENCODE(table)
        outcome = decide(law, table, seat, action)
        named = {"seat": seat, "verb": verb(action)}
        if ENCODE(table) != before:
            return Text("verify.pure.changed", named)
        if isinstance(outcome, Accepted):
            continue
        *passed, failed = outcome.trail
        expected = consult_clauses(law, table, seat, action)
        first = failed.clause == outcome.clause and not failed.holds and all(check.holds for check in passed)
        if (
            not first
            or expected[: len(outcome.trail)] != outcome.trail
            or outcome.clause not in law.game.rulebook.clauses
        ):
            return Text("verify.refusal", {**named, "clause": outcome.clause})
    return None


def check_round_trip(law: Law, step: MatchStep) -> Text | None:
    """Check that entry and table survive a round trip through bytes and JSON."""
    packed = codec.encode(step.entry)
    line = codec.to_json_line(packed)
    again = codec.from_json_line(line)
    if codec.decode(packed) != step.entry or codec.decode(again) != step.entry or codec.to_json_line(again) != line:
        return Text("verify.bytes", {"what": "entry"})
    if msgspec.msgpack.decode(ENCODE(step.after), type=Table) != step.after:
        return Text("verify.bytes", {"what": "table"})
    return None


def check_leaks(law: Law, step: MatchStep) -> Text | None:
    """Check that shuffling the faces hidden from a viewer leaves the bytes sent to them unchanged."""
    if step.number % LEAKS_EVERY and not step.last:
        return None
    below = step.chance("leaks")
    for viewer in (*step.after.seats, SPECTATOR):
        eyes = TableViewer(step.physics, viewer)
        hidden = sorted(card for card in step.after.pieces if not eyes.knows(step.after, card))
        faces = shuffle([step.after.pieces[card].face for card in hidden], below)
        new = dict(zip(hidden, faces, strict=True))
        pieces = {c: replace(piece, face=new[c]) if c in new else piece for c, piece in step.after.pieces.items()}
        other = step.after.with_changes(pieces=pieces)
        if JSON(eyes.view(step.after)) != JSON(eyes.view(other)):
            return Text("verify.leak", {"viewer": viewer})
    return None


def check_audit(law: Law, step: MatchStep) -> Text | None:
    if not step.last:
        return None
    for finding in audit(law.game, step.entries).findings:
        return Text("verify.audit", {"entry": finding.entry, "kind": finding.kind, "clause": finding.clause})
    return None


def check_result(law: Law, step: MatchStep) -> Text | None:
    return Text("verify.endless", {"entries": step.number}) if step.last and step.after.result is None else None


def check_invariants(law: Law, step: MatchStep) -> Text | None:
    failing = next(broken_invariants(law, step), None)
    return None if failing is None else Text("verify.invariant", {"number": failing.number, "name": failing.name})


def _describe_action(game: Game, step: MatchStep) -> dict[str, str]:
    return {"seat": step.actor, "verb": verb(step.action) if step.action is not None else "-"}


LAWS: tuple[Property, ...] = (
    Property("pure", check_determinism),
    Property("fold", check_replay),
    Property("physics", check_physics),
    Property("whole", check_places),
    Property("goes_on", check_progress),
    Property("offered", check_offers),
    Property("refusing", check_refusals),
    Property("bytes", check_round_trip),
    Property("leaks", check_leaks),
    Property("audit", check_audit),
    Property("ended", check_result),
    Property("invariant", check_invariants),
)


def check_property(law: Law, property: Property, step: MatchStep) -> Text | None:
    """Check a property at a step. An exception in the game's law is a finding."""
    try:
        return property.check(law, step)
    except Exception as error:
        return Text("verify.stumbles", {"why": quoted(f"{type(error).__name__}: {error}"[:200])})
