"""Knowledge cached for a record also applies to records with the same beginning, without changing the verdict."""

from random import Random

import pytest

from archive.verify.shrink import replay
from domain.games import GAMES
from domain.judging.rejudging import rejudge
from domain.judging.rejudging.shared_prefix import SharedPrefix
from domain.law.entries import Rewound
from domain.law.law import Law
from domain.law.rulesets import pin_cards, with_settings
from recorder.simulate import simulate
from tests.rejudging.records import MATCHES, law, load_records

CHANGES = {
    "blackpoker": ("8.1-lite", ({"judge.compare": "printed"}, {"hand.limit": "3"}, {"counter.own_requests": "false"})),
    "grimoire": ("1", ({"od_targets": "any_spell"}, {"hand_limit": "6"}, {"first_turn_draw": "false"})),
}
TRIES = {"blackpoker": 12, "grimoire": 4}


@pytest.mark.parametrize("key", sorted(CHANGES))
def test_a_record_that_was_shortened_comes_to_the_same(key: str) -> None:
    game, random = GAMES[key], Random(key)
    version, changes = CHANGES[key]
    own = pin_cards(game, game.versions[version])
    others = [with_settings(game, own, change) for change in changes]
    entries = simulate(Law(game, own), 6)
    beginning = SharedPrefix(game, own, others)
    assert not any(any(beginning.spares(entries)(rules)) for rules in others), "nothing was noted yet"
    assert beginning.note(entries) == "identical"
    spared = differing = 0
    for _ in range(TRIES[key]):
        start = random.randrange(1, len(entries) - 1)
        shorter = replay(Law(game, own), [*entries[:start], *entries[start + random.randint(1, 5) :]], start)
        for tried in (entries[:start], *([] if shorter is None else [shorter])):
            for rules in others:
                spares = beginning.spares(tried)(rules)
                verdict = rejudge(game, tried, rules)
                assert rejudge(game, tried, rules, spared=spares) == verdict
                spared += spares.count(1)
                differing += verdict.kind != "identical"
    assert spared > 500 and differing


def test_of_a_record_that_goes_back_nothing_is_known_and_of_other_rules_neither() -> None:
    records = [entries for _, entries in load_records(MATCHES) if any(isinstance(entry, Rewound) for entry in entries)]
    assert records
    for entries in records:
        game, own = law(entries)
        other = with_settings(game, own, {"hand.limit": "9"})
        beginning = SharedPrefix(game, own, [other])
        beginning.note(entries)
        assert not any(beginning.spares(entries)(other))
    straight = next(entries for _, entries in load_records(MATCHES) if not any(isinstance(e, Rewound) for e in entries))
    game, own = law(straight)
    beginning = SharedPrefix(game, own, [with_settings(game, own, {"hand.limit": "9"})])
    assert beginning.note(straight) == "identical"
    assert beginning.spares(straight)(with_settings(game, own, {"hand.limit": "8"})) == b""
