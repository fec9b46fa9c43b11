"""Entries that read no changed value are folded, not decided; verdict and final table are the same."""

import ast
from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from archive.corpus.sources import UnreadableMatch, load, sources
from domain.games import GAMES
from domain.judging.rejudging import rejudge
from domain.judging.rejudging.causes import causes
from domain.judging.rejudging.skipping import SETS_MAX, ByEntry, Reads, Sets, changed_fields, reads, spared
from domain.law.actions import CONCEDE
from domain.law.entries import Corrected, Entry, Gap, Noted, Played, Undealt, opened_of
from domain.law.game import Game
from domain.law.law import Law
from domain.law.rulesets import RulesetError, load as load_rules, values, with_settings
from recorder.simulate import simulate
from tests.laws.samples import sample
from tests.rejudging.test_counters import RULES, counting, record as stones
from tests.rejudging.test_rejudging_unseen import dim
from tests.rotation import in_turn, is_nightly

pytestmark = pytest.mark.rotates(2)

ROOT = Path(__file__).parents[2]
KEYS = ("blackpoker", "dea", "grimoire", "skillbook")
FEW = {"blackpoker": 6}
"""Number of matches of the small corpus decided under every value of every option; two for other games."""
VALUES = 12
Match = tuple[tuple[Entry, ...], Any, Reads]


@cache
def load_matches(key: str, folder: str, most: int) -> tuple[Match, ...]:
    game = GAMES[key]
    loaded = (load(source) for source in islice(sources([ROOT / "fixtures" / key / folder]), most))
    return tuple(
        (tuple(match.entries), match.rules, reads(game, match.entries))
        for match in loaded
        if not isinstance(match, UnreadableMatch)
    )


def others(game: Game, rules: Any) -> Iterator[tuple[str, Any]]:
    for option in game.options:
        for value in option.values:
            try:
                other = with_settings(game, rules, {option.key: value})
            except RulesetError:
                continue
            if other != rules:
                yield f"{option.key}={value}", other


def spared_under(game: Game, match: Match, rules: Any) -> bytes:
    return spared(game, match[2], changed_fields(game, values(match[1]), rules))


@pytest.mark.random
@pytest.mark.parametrize("key", KEYS)
def test_every_verdict_under_every_other_value_is_that_of_deciding_everything(key: str) -> None:
    game, entries = GAMES[key], 0
    folded = differing = 0
    for match in load_matches(key, "corpus", FEW.get(key, 2)):
        record, own, known = match
        assert known.own and len(known.by_entry.steps) == len(record)
        for place, (label, rules) in enumerate(in_turn(list(others(game, own)), VALUES)):
            if place >= VALUES and folded and differing and not is_nightly():
                break
            spares = spared_under(game, match, rules)
            verdict = rejudge(game, record, rules)
            assert rejudge(game, record, rules, spared=spares) == verdict, label
            folded += spares.count(1)
            entries += len(spares)
            differing += verdict.kind != "identical"
    assert folded and differing, "the sample tells nothing"
    assert not is_nightly() or (folded > entries / 2 and differing > 10)


@pytest.mark.random
@pytest.mark.parametrize("key", KEYS)
def test_records_with_corrections_rewinds_and_flagged_actions_come_to_the_same(key: str) -> None:
    game, known = GAMES[key], load_matches(key, "matches", 99)
    assert {type(entry).__name__ for record, _, _ in known for entry in record} >= {"Corrected", "Rewound"}
    assert any(entry.violations for record, _, _ in known for entry in record if isinstance(entry, Played))
    values_of: dict[int, Iterator[tuple[str, Any]]] = {}
    for match in known:
        record, own, _ = match
        taken = values_of.setdefault(hash(repr(own)), cycle(list(others(game, own))))
        for label, rules in islice(taken, 4 if is_nightly() else 2):
            spares = spared_under(game, match, rules)
            assert rejudge(game, record, rules, spared=spares) == rejudge(game, record, rules), label


@pytest.mark.parametrize("key", KEYS)
def test_several_changes_at_once_come_to_the_same_and_so_do_their_causes(key: str) -> None:
    game = GAMES[key]
    match = load_matches(key, "corpus", FEW.get(key, 2))[0]
    record, own, _ = match
    rules = own
    for _, other in list(others(game, own))[::3]:
        changed = {name: value for name, value in values(other).items() if value != values(own)[name]}
        try:
            rules = load_rules(game, values(rules) | changed)
        except RulesetError:
            continue
    assert len(changed_fields(game, values(own), rules)) > 2

    def spares(under: Any) -> bytes:
        return spared_under(game, match, under)

    assert any(spares(rules)) and rejudge(game, record, rules, spared=spares(rules)) == rejudge(game, record, rules)
    assert causes(game, record, own, rules, sound=True, spares=spares) == causes(game, record, own, rules, sound=True)


def blackpoker(seed: int) -> tuple[Game, Any, list[Entry]]:
    game = GAMES["blackpoker"]
    rules = game.versions["8.1-lite"]
    return game, rules, simulate(Law(game, rules), seed)


def test_facts_by_hand_are_spared_unless_what_they_are_held_against_changes() -> None:
    game, _, record = blackpoker(1)
    half = len(record) // 2
    for by_hand in (
        Gap(at=1.0, by="kato", reason="asleep"),
        Corrected(at=1.0, by="kato", reason="none"),
        Noted(at=1.0, by="kato", text="well"),
    ):
        entries = [*record[:half], by_hand, *record[half:]]
        known = reads(game, entries)
        set_up, here = (known.by_entry.sets[known.by_entry.steps[at]] for at in (0, half))
        assert known.own and here == (frozenset() if isinstance(by_hand, Noted) else set_up)


def test_what_comes_behind_the_end_is_not_spared() -> None:
    game, rules, record = blackpoker(2)
    decode = game.decoder().decode
    conceding = next(kind for kind in game.action_types if kind.__struct_config__.tag == CONCEDE)
    last = next(entry for entry in reversed(record) if isinstance(entry, Played))
    behind = replace(last, actor=opened_of(record).seats[0], action=msgspec.Raw(msgspec.msgpack.encode(conceding())))
    assert decode(behind.action) == conceding()
    entries = [*record, behind]
    known = reads(game, entries)
    assert known.own and known.by_entry.sets[known.by_entry.steps[-1]] == frozenset(known.fields)
    everything = bytes([1]) * len(entries)
    assert rejudge(game, entries, rules, spared=everything) == rejudge(game, entries, rules)


def test_a_record_that_is_not_what_its_rules_say_to_the_letter_spares_nothing() -> None:
    """If only counters differ, the verdict is identical but the tables are not, so nothing may be folded."""
    game = counting("worn.*")
    record = stones()
    opened = replace(opened_of(record), rules=values(RULES))
    known = reads(game, [opened, *record[1:]])
    assert known.own and known.by_entry == ByEntry()
    literal = reads(counting(), [opened, *record[1:]])
    assert not literal.own and literal.by_entry == ByEntry()


def test_real_cards_spare_nothing_because_more_than_the_table_decides_on_them() -> None:
    one = sample("blackpoker", 1)
    entries = dim(one.entries[:30], set())
    known = reads(GAMES["blackpoker"], entries)
    assert isinstance(opened_of(entries), Undealt) and known.own and known.by_entry == ByEntry()
    assert reads(GAMES["blackpoker"], one.entries[:30]).by_entry.steps


def test_what_was_noted_wrongly_is_found_by_the_full_verdict() -> None:
    """Checks these tests: a changed entry that is wrongly folded must give another verdict."""
    game, own, record = blackpoker(3)
    rules = with_settings(game, own, {"grave_top": "auto_last"})
    whole = rejudge(game, record, rules)
    assert whole.kind != "identical"
    assert rejudge(game, record, rules, spared=bytes([1]) * len(record)).kind == "identical"


def test_sets_that_come_too_late_stand_for_all_that_was_read() -> None:
    sets = Sets()
    numbers = [sets.number(frozenset((str(n),))) for n in range(SETS_MAX + 5)]
    held = sets.list_sets()
    assert numbers == [*range(SETS_MAX), *[SETS_MAX - 1] * 5] and len(held) == SETS_MAX
    assert held[7] == {"7"} and held[-1] == {str(n) for n in range(SETS_MAX + 5)}
    exact = Sets()
    assert [exact.number(frozenset((str(n % SETS_MAX),))) for n in range(2 * SETS_MAX)] == [*range(SETS_MAX)] * 2
    assert exact.list_sets()[-1] == {str(SETS_MAX - 1)}


def test_nothing_that_is_kept_is_kept_by_the_rules() -> None:
    """A value cached by rules would be read only at the first entry, so later entries would seem to read nothing."""
    kept = 0
    for path in sorted((ROOT / "domain").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(map(_keeps, node.decorator_list)):
                kept += 1
                names = [argument.arg for argument in node.args.args]
                assert not {"rules", "law"} & set(names), f"{path.name}: {node.name}"
    assert kept > 20


def _keeps(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id in ("cache", "lru_cache")
