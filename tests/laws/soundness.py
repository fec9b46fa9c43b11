"""Properties of every recorded match: possible, complete, equal on replay, and free of audit findings."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from domain.judging.audit import audit
from domain.law.driver import decide
from domain.law.entries import Closed, Entry, Played, entry_facts, fold_entries, opened_of, tables
from domain.law.game import Game
from domain.law.outcome import Accepted
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.physics import Physics
from domain.table.table import Table
from recorder import codec
from tests.laws.samples import Sample


class MatchFacts(Struct, frozen=True):
    entries: int
    facts: int
    clauses: frozenset[str]


def require_possible(game: Game, entries: Sequence[Entry]) -> MatchFacts:
    """Check that every fact can happen, that no card is lost or doubled, and that the match ends with a result."""
    opened = opened_of(entries)
    physics = Physics(opened.schema)
    clauses: set[str] = set()
    facts, number, after = 0, 0, None
    for number, entry, before, after in tables(entries):
        draft = Draft(before)
        for clause, fact in entry_facts(entry):
            wrong = physics.explain_impossible(draft, fact)
            assert wrong is None, f"entry {number}: {fact}: {wrong}"
            apply(draft, fact)
            clauses.add(clause)
            facts += 1
        assert _whole(after), f"entry {number}: a card is missing or in two places"
        assert not list(physics.overfull(after)), f"entry {number}: a place holds too much"
        assert after.result is not None or game.awaited(after), f"entry {number}: nobody can go on"
    assert after is not None and after.result is not None, "the match did not end"
    assert isinstance(entries[-1], Closed)
    return MatchFacts(number, facts, frozenset(clauses))


def _whole(table: Table) -> bool:
    lying = Counter(card for row in table.places.values() for card in row)
    return set(lying) == set(table.pieces) and set(lying.values()) <= {1}


def require_replay(one: Sample) -> None:
    """Check that deciding every action again gives the recorded facts and tables."""
    decoder = one.game.decoder()
    after = fold_entries(one.entries[:1])
    for number, entry, before, after in tables(one.entries):
        if isinstance(entry, Played):
            live = decide(one.law, before, entry.actor, decoder.decode(entry.action))
            assert isinstance(live, Accepted), f"entry {number} is refused when it is decided again"
            assert live.told == entry.told, f"entry {number} tells something else when it is decided again"
            assert live.table == after, f"entry {number}: the live table is not the folded one"
    assert fold_entries(one.entries) == after


def read_back(entries: Sequence[Entry]) -> None:
    """Check that every entry survives a round trip through bytes and through JSON."""
    for number, entry in enumerate(entries, start=1):
        packed = codec.encode(entry)
        assert codec.decode(packed) == entry, f"entry {number} is not read back as it was written"
        line = codec.to_json_line(packed)
        again = codec.from_json_line(line)
        assert codec.decode(again) == entry, f"entry {number} is not read back from its line"
        assert codec.to_json_line(again) == line


def faultless(game: Game, entries: Sequence[Entry]) -> None:
    findings = audit(game, entries).findings
    assert findings == (), f"the audit found: {findings[0]}"
