"""Random play keeps every law. A broken law is found, named, reduced and saved so that it replays."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from archive.verify.failure_files import write
from archive.verify.laws import LAWS
from archive.verify.match_runner import STUMBLES
from archive.verify.shrink import shrink
from archive.verify.steps import steps
from archive.verify.verifying import measure_reach, shrink_failure, verify
from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.entries import Closed, Opened, Played, tables
from domain.law.game import Game
from domain.law.invariants import Invariant, of_deed, of_fact, of_table
from domain.law.law import Law
from domain.law.slots import verb
from domain.table.facts import Finished
from domain.table.table import CHANCE
from domain.words import Text
from recorder.simulate import ENTRIES_MAX, simulate
from tests.cli.runs import fine
from tests.games import PLAYED, tried
from tests.rows import for_each
from tests.toy import TOY

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]


def first(game: Game) -> Any:
    return next(iter(game.versions.values()))


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_every_law_and_invariant_holds_in_random_play(key: str) -> None:
    game, matches = PLAYED[key], tried(key).verified
    report = verify(Law(game, first(game)), matches, seed=40)
    assert [(one.seed, failure.law, str(failure.detail)) for one, failure in report.failures] == []
    assert report.matches == matches and report.entries > 40 * report.matches
    assert len(game.invariants(first(game))) >= tried(key).invariants


def test_a_game_without_invariants_is_verified_too() -> None:
    laws = [one for one in LAWS if one.name != "refusing"]
    report = verify(Law(TOY, first(TOY)), 4, laws=laws)
    assert report.failures == () and report.matches == 4


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_what_a_law_is_shown_is_every_entry_with_the_tables_around_it(key: str) -> None:
    game = PLAYED[key]
    entries = simulate(Law(game, first(game)), 3)
    found = list(steps(game, entries))
    assert [step.number for step in found] == list(range(1, len(entries) + 1))
    assert all(a.after == b.before for a, b in pairwise(found))
    assert [step.last for step in found].count(True) == 1 and found[-1].last


def broken(game: Game, key: str) -> Game:
    verbs = [str(kind.__struct_config__.tag) for kind in game.action_types]
    usual = "pass" if "pass" in verbs else verbs[0]
    holds: dict[str, Invariant] = {
        "table": of_table(91, lambda rules, t: len(t.clock.passed) == 0 and (usual == "pass" or t.clock.turn < 3)),
        "fact": of_fact(92, lambda rules, t, clause, fact: not isinstance(fact, Finished)),
        "deed": of_deed(93, lambda rules, deed: verb(deed.action) != usual),
    }
    return replace(game, invariants=lambda rules: (holds[key],))


@for_each("kind", ["table", "fact", "deed"])
@pytest.mark.parametrize("key", sorted(PLAYED))
def test_an_invariant_that_does_not_hold_is_found_and_shrunken(key: str, kind: str) -> None:
    game = broken(PLAYED[key], kind)
    report = verify(Law(game, first(game)), 1, laws=[one for one in LAWS if one.name == "invariant"], vary=False)
    ((match, failure),) = report.failures
    assert failure.law == "invariant" and failure.detail.values["number"] == {"table": 91, "fact": 92, "deed": 93}[kind]
    entries = shrink_failure(game, match, failure)
    assert 1 < len(entries) <= len(failure.entries)
    assert audit(PLAYED[key], entries).findings == ()
    if kind == "deed":
        assert isinstance(entries[-1], Played)
        taken = [entry for _, entry, before, _ in tables(entries) if isinstance(entry, Played) and before.clock.turn]
        assert sum(entry.actor != "chance" for entry in taken) <= 8, "beside what a set-up takes"


def test_an_error_in_the_law_is_a_failure_and_not_our_end() -> None:
    game = GAMES["blackpoker"]

    def settle(rules: Any, t: Any) -> None:
        if t.clock.turn == 3:
            raise LookupError("a lost trigger")
        game.settle(rules, t)

    wrong = replace(game, settle=settle)
    report = verify(Law(wrong, first(game)), 1, laws=LAWS[:4], vary=False)
    ((match, failure),) = report.failures
    assert failure.law == STUMBLES and "a lost trigger" in str(failure.detail)
    assert shrink_failure(wrong, match, failure)


def test_shrinking_keeps_what_fails_and_plays_by_the_rules() -> None:
    game = GAMES["blackpoker"]
    rules = first(game)
    entries, clause = simulate(Law(game, rules), 7), "BP-12.4"

    def fails(tried: Any) -> bool:
        return any(clause in dict(getattr(one, "told", ())) for one in tried)

    short = shrink(Law(game, rules), entries, fails)
    assert fails(short) and len(short) <= 12 < len(entries) // 2
    assert isinstance(short[0], Opened) and not any(isinstance(one, Closed) for one in short)
    assert audit(game, short).findings == ()


def test_a_shrunken_record_of_a_closed_match_claims_nothing_of_its_chance() -> None:
    game = GAMES["blackpoker"]
    rules = game.in_regulation(game.latest, "full54")
    entries = simulate(Law(game, rules), 24)

    def fails(tried: Any) -> bool:
        late = [one for one in tried[4:] if isinstance(one, Played) and one.actor == CHANCE]
        return isinstance(tried[-1], Closed) and bool(late)

    short = shrink(Law(game, rules), entries, fails)
    assert entries[0].commitment and len(short) < len(entries)  # type: ignore[union-attr]
    assert isinstance(short[-1], Closed) and audit(game, short).findings == ()


def test_shrinking_bears_what_it_is_asked_with() -> None:
    game = GAMES["blackpoker"]
    entries = simulate(Law(game, first(game)), 5)[:40]

    def fails(tried: Any) -> bool:
        if len(tried) < 20:
            raise ValueError("too short to say")
        return True

    assert 20 <= len(shrink(Law(game, first(game)), entries, fails)) <= 25


def test_what_is_written_is_imported_and_its_case_passes(tmp_path: Path) -> None:
    game = GAMES["blackpoker"]
    entries = simulate(Law(game, first(game)), 2)[:30]
    why = Text("verify.whole")
    found = write(game, entries, tmp_path / "out", "failing", why)
    assert found.case is not None and found.entries == len(entries)
    assert fine(tmp_path / "s.sqlite", "case", "run", found.case).code == 0
    assert "30" in fine(tmp_path / "s.sqlite", "verify", "blackpoker@8.1-lite", "--record", found.match).out
    assert not [path for path in (tmp_path / "out").iterdir() if path.name.startswith(".")]


def test_jobs_do_not_change_the_result() -> None:
    game = GAMES["blackpoker"]
    one, two = (verify(Law(game, first(game)), 5, jobs=jobs, steer=True) for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize(("key", "matches", "seed"), [("blackpoker", 24, 1), ("grimoire", 12, 1)])
def test_steering_reaches_no_less_than_plain_play(key: str, matches: int, seed: int) -> None:
    game = GAMES[key]
    report = verify(Law(game, first(game)), matches, seed, steer=True, laws=())
    assert report.plain is not None
    steered = {what: one.reached for what, one in measure_reach(game, report.seen).items()}
    plain = {what: one.reached for what, one in measure_reach(game, report.plain).items()}
    assert all(steered[what] >= plain[what] for what in ("consulted", "exercised", "verbs", "options", "cards")), plain
    assert sum(steered.values()) > sum(plain.values())


def test_steered_matches_end_though_something_may_always_be_done_that_changes_nothing() -> None:
    game = GAMES["skillbook"]
    report = verify(Law(game, first(game)), 5, steer=True, laws=())
    assert report.seen.verbs["show_graveyard"]
    assert report.entries < ENTRIES_MAX
