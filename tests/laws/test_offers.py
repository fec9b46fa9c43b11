"""Offers equal the accepted actions: everything offered is accepted, and everything accepted is offered."""

from random import Random

import pytest

from domain.law.driver import accepts, decide
from domain.law.law import Law
from domain.law.offers import Template
from domain.law.outcome import Accepted
from domain.law.slots import Action
from domain.table.table import CHANCE, JUDGE, Seat, Table
from tests.games import tried
from tests.laws.presumed import presume
from tests.laws.samples import MATCHES, Sample, moments, sample
from tests.laws.wild import by_hosts, expand, neighbours, normal, universe

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

STATES = 12
MOST = 150
STEMS, NEIGHBOURS = 3, 8


def states(one: Sample, key: str, seed: int, random: Random) -> list[Table]:
    tables = [at.before for at in moments(key, seed)] + [moments(key, seed)[-1].after]
    return [*tables[:3], *random.sample(tables[3:-1], min(STATES, len(tables) - 4)), tables[-1]]


def by_type(templates: list[Template]) -> dict[type[Action], list[Template]]:
    found: dict[type[Action], list[Template]] = {}
    for template in templates:
        found.setdefault(template.action, []).append(template)
    return found


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_what_is_offered_is_what_is_accepted(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(seed)
    game, rules = one.game, one.rules
    met = compared = 0
    for table in states(one, key, seed, random):
        for seat in game.seats(one.rules):
            offered = by_type(list(game.offers(rules, table, seat)))
            for action_type in game.action_types:
                templates = offered.get(action_type, [])
                every = [expand(template) for template in templates]
                if None in every:
                    continue
                passing = [
                    action for some in every for action in some or () if accepts(Law(game, rules), table, seat, action)
                ]
                known = {normal(templates, action) for action in passing}
                compared += 1
                for action in random.sample(passing, min(4, len(passing))):
                    assert isinstance(decide(Law(game, rules), table, seat, action), Accepted)
                tried = universe(game, table, seat, action_type, random, MOST)
                for stem in random.sample(passing, min(STEMS, len(passing))):
                    tried += neighbours(game, table, seat, stem, random, NEIGHBOURS)
                for action in tried:
                    if accepts(Law(game, rules), table, seat, action):
                        met += 1
                        names = (normal(templates, action), normal(templates, by_hosts(table, action)))
                        assert not known.isdisjoint(names), f"{seat}: {action} is accepted but not offered"
    assert compared > 10 * len(one.first_entry.seats) * len(game.action_types), "too few states were compared"
    assert met > 30, "the search for what is not offered found hardly anything that is accepted"


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_an_awaited_seat_has_something_to_do_and_others_only_what_is_always_theirs(key: str, seed: int) -> None:
    one = sample(key, seed)
    game, stated = one.game, tried(key).out_of_turn
    for at in moments(key, seed):
        awaited = game.awaited(at.before)
        verbs = {
            seat: {str(template.action.__struct_config__.tag) for template in game.offers(one.rules, at.before, seat)}
            for seat in game.seats(one.rules)
        }
        waiting = {verb for seat in verbs if seat not in awaited for verb in verbs[seat]}
        allowed = waiting if stated is None else stated
        assert waiting <= allowed, f"somebody is not awaited and offered {waiting - allowed}"
        for seat in verbs:
            assert seat not in awaited or verbs[seat] - allowed, f"{seat} is to act but has no action"
    assert not game.awaited(moments(key, seed)[-1].after)


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_nothing_is_offered_after_the_end_nor_to_anybody_without_a_seat(key: str, seed: int) -> None:
    one = sample(key, seed)
    last = moments(key, seed)[-1].after
    assert last.result is not None
    for seat in (*one.first_entry.seats, CHANCE, JUDGE, Seat("p9")):
        offered = {template.verb for template in one.game.offers(one.rules, last, seat)}
        assert offered <= (tried(key).after_the_end if seat in last.result.winners else set())
    for at in moments(key, seed):
        assert all(not list(one.game.offers(one.rules, at.before, seat)) for seat in (CHANCE, JUDGE, Seat("p9")))


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_chance_is_accepted_when_it_is_asked_and_only_then(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(seed)
    asked = 0
    for at in moments(key, seed):
        drawn = one.game.chance(one.rules, at.before, random.randrange)
        assert (drawn is not None) == (CHANCE in one.game.awaited(at.before))
        if drawn is not None:
            asked += 1
            assert isinstance(decide(one.law, at.before, CHANCE, drawn), Accepted)
            for seat in one.first_entry.seats:
                assert not accepts(one.law, at.before, seat, drawn), f"{seat} acted for chance"
    if not asked:
        presume(key, "chance")
    assert asked
