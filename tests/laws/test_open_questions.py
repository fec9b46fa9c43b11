"""As played: a wrong action leaves open questions open, and is one finding however it is answered."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from domain.formats.notation import parse_notation, write_notation
from domain.judging.audit import audit
from domain.judging.rejudging import rejudge
from domain.law.actions import CONCEDE, Pass
from domain.law.clause import Refusal
from domain.law.driver import accepts, decide, decide_as_played
from domain.law.entries import Entry, Played
from domain.law.outcome import Accepted
from domain.law.slots import Action
from domain.parts.asking import open_question
from domain.table.facts import Popped
from domain.table.table import CHANCE, Seat, Table
from recorder import codec
from tests.games import PLAYED
from tests.laws.samples import FURTHER, MATCHES, Moment, Sample, moments, sample
from tests.laws.wild import wild

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

ANSWERS = 8
STATES = 20
RECORDS = 3


def legal(one: Sample, table: Table, actor: Seat) -> Iterator[Action]:
    """Yield the first legal actions of each kind for this seat, except conceding."""
    if actor == CHANCE:
        drawn = one.game.chance(one.rules, table, Random(0).randrange)
        assert drawn is not None
        yield drawn
        return
    for template in one.law.offers(table, actor):
        if template.verb != CONCEDE:
            for action in islice(template.expansions(), ANSWERS):
                if accepts(one.law, table, actor, action):
                    yield action


@cache
def states(key: str, seed: int) -> tuple[Moment, ...]:
    """Return some states of a match, taking each kind of question in turn before states without questions."""
    every = list(moments(key, seed))
    Random(f"open {key} {seed}").shuffle(every)
    seen: dict[str, int] = {}
    rank: list[tuple[int, int, Moment]] = []
    for place, at in enumerate(every):
        asked = open_question(at.before)
        kind = f"{at.before.clock.phase} {at.before.clock.step}" if asked is None else asked.kind
        seen[kind] = seen.get(kind, 0) + 1
        rank.append((seen[kind], place, at))
    return tuple(at for _, _, at in sorted(rank, key=lambda ranked: ranked[:2])[:STATES])


def wrong_passes(one: Sample, table: Table) -> Iterator[tuple[Seat, Accepted]]:
    """Yield a pass for every seat that may not pass now."""
    if Pass not in one.game.action_types:
        return
    for seat in table.seats:
        if not accepts(one.law, table, seat, Pass()):
            outcome = decide_as_played(one.law, table, seat, Pass())
            if isinstance(outcome, Accepted):
                yield seat, outcome


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_what_is_open_can_be_answered_after_a_wrong_pass(key: str, seed: int) -> None:
    one = sample(key, seed)
    for at in states(key, seed):
        for seat, passed in wrong_passes(one, at.before):
            assert passed.violations and one.game.awaited(passed.table) == one.game.awaited(at.before)
            for actor in one.game.awaited(at.before):
                for action in legal(one, at.before, actor):
                    refusal = decide(one.law, passed.table, actor, action)
                    assert not isinstance(refusal, Refusal), (at.number, seat, actor, action, refusal)


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_only_who_is_asked_takes_a_question_from_the_table(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(f"beside {key} {seed}")
    for at in states(key, seed):
        asked = open_question(at.before)
        for _ in range(10 if asked is not None else 0):
            assert asked is not None
            actor, action = wild(one.game, at.before, random)
            outcome = decide_as_played(one.law, at.before, actor, action)
            if isinstance(outcome, Refusal) or not outcome.violations or outcome.table.result is not None:
                continue
            gone = [fact.how for _, fact in outcome.told if isinstance(fact, Popped) and fact.id == asked.id]
            assert gone in ([], ["skipped"]) or actor == asked.by, (at.number, actor, action, gone)
            if gone == ["skipped"]:  # the action left it unanswered
                assert actor != CHANCE and outcome.table.places != at.before.places


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_a_wrong_pass_and_the_answer_after_it_are_one_finding(key: str, seed: int) -> None:
    one = sample(key, seed)
    left = RECORDS
    for at in states(key, seed):
        passes = list(wrong_passes(one, at.before))
        if not passes or left == 0:
            continue
        left -= 1
        seat, passed = passes[-1]
        entries: list[Entry] = [*one.entries[: at.number - 1], entry(seat, Pass(), passed)]
        (actor, *_) = one.game.awaited(at.before)
        action = next(iter(legal(one, at.before, actor)))
        answered = decide(one.law, passed.table, actor, action)
        assert isinstance(answered, Accepted)
        entries.append(entry(actor, action, answered))
        (finding,) = audit(one.game, entries).findings
        assert (finding.entry, finding.kind, finding.flagged) == (at.number, "not_allowed", True)
        assert not finding.missing and not finding.extra
        assert rejudge(one.game, entries, one.rules).kind == "identical"
        assert parse_notation(write_notation(one.game, entries), PLAYED) == entries


def entry(actor: Seat, action: Action, outcome: Accepted) -> Played:
    return Played(actor=actor, action=codec.raw_action(action), told=outcome.told, violations=outcome.violations)


def test_records_of_the_earlier_meaning_keep_it() -> None:
    kept: set[str] = set()
    for key, seed in (*MATCHES, *FURTHER):
        if key not in kept and any(keeps_earlier_meaning(sample(key, seed), at) for at in states(key, seed)):
            kept.add(key)
    assert len(kept) >= 4, f"the earlier meaning differs in these games alone: {kept}"


def keeps_earlier_meaning(one: Sample, at: Moment) -> bool:
    """Audit and rejudge a record in which a wrong pass skipped a question; return False if it skips none here."""
    for seat, now in wrong_passes(one, at.before):
        then = decide_as_played(one.law, at.before, seat, Pass(), skips=True)
        if not isinstance(then, Accepted) or then.told == now.told:
            continue
        entries: list[Entry] = [*one.entries[: at.number - 1], entry(seat, Pass(), then)]
        for actor in one.game.awaited(then.table)[:1]:
            action = next(iter(legal(one, then.table, actor)))
            after = decide(one.law, then.table, actor, action)
            assert isinstance(after, Accepted)
            entries.append(entry(actor, action, after))
        (finding,) = audit(one.game, entries).findings
        assert (finding.entry, finding.missing, finding.extra) == (at.number, (), ())
        assert rejudge(one.game, entries, one.rules).kind == "identical"
        text = write_notation(one.game, entries)
        assert " !" in text and parse_notation(text, PLAYED) == entries
        assert not any(line.lstrip().startswith("=") for line in text.splitlines()), "a bare ! is the earlier meaning"
        return True
    return False
