"""Card pools: a published pool never changes, and a record is judged by the cards it was played with."""

from collections.abc import Iterator

import msgspec
import pytest

from domain.games.grimoire import GAME
from domain.games.grimoire.cards import BLANK, POOLS, card, load_cards
from domain.games.grimoire.rules import Rules
from domain.judging.audit import audit
from domain.law.entries import Opened, opened_of
from domain.law.law import Law
from domain.law.pools import FIRST, Overlay, PoolError, Pools, digest
from domain.law.rulesets import RulesetError, lay_over, load, pin_cards, stored_values, with_settings
from recorder.match_loader import law_of
from recorder.simulate import simulate
from tests.rows import for_each
from tests.rules.grimoire.errata import DEARER, RENAMED, WITHOUT, erratum

PUBLISHED = {"1": "7e075ca846b6d341"}
"""Hash of every published pool. Only add to it."""
PRINTED = POOLS.newest
"""The current pool, unaffected by pools that tests publish."""


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    pool = POOLS.lay_over(FIRST, load_cards(DEARER, "pools/next.toml", POOLS.cards_by_pool[FIRST]))
    monkeypatch.setitem(POOLS.published, str(len(POOLS.published) + 1), pool)
    yield pool


def test_published_pools_are_frozen() -> None:
    assert POOLS.published == PUBLISHED


def test_a_pool_is_told_by_all_that_is_printed_and_by_nothing_else() -> None:
    cards = dict(POOLS.cards_by_pool[FIRST])
    assert digest(dict(reversed(cards.items()))) == digest(cards)
    for change in ({"cost": 7}, {"ja": "別の名"}, {"abilities": ()}, {"chroma": {}}, {"keywords": ("surprise",)}):
        assert digest(cards | {"S03": msgspec.structs.replace(cards["S03"], **change)}) != digest(cards), change
    colours = msgspec.structs.replace(cards["C03"], chroma=dict(reversed(cards["C03"].chroma.items())))
    assert colours == cards["C03"] and digest(cards | {"C03": colours}) != digest(cards), "their order decides too"
    assert digest({face: one for face, one in cards.items() if face != "S65"}) != digest(cards)


def test_a_publication_holds_only_what_is_new_and_leaves_the_earlier_ones_as_they_were() -> None:
    text = "\n".join(DEARER.split("\n")) + erratum("S99")
    both = Pools("cards", load_cards, [Overlay("pools/1.toml", _first()), Overlay("pools/2.toml", text)])
    assert list(both.published) == ["1", "2"] and both.published["1"] == PUBLISHED["1"]
    assert both.changed_faces(FIRST, both.newest) == ("S01", "S99")
    assert (both.cards_by_pool[FIRST]["S01"].cost, both.cards_by_pool[both.newest]["S01"].cost) == (1, 3)
    assert both.mix(FIRST, both.newest, ("S01", "S99")) == both.newest
    assert both.changed_faces(both.mix(both.newest, FIRST, ("S99",)), both.newest) == ("S99",)


def _first() -> str:
    from importlib.resources import files

    return files("domain.games.grimoire").joinpath("pools/1.toml").read_text(encoding="utf-8")


def test_a_publication_may_speak_of_cards_published_before_and_a_slip_is_refused_by_card_and_field() -> None:
    named = 'abilities = [{ kind = "continuous", on = { name = "%s" }, mods = [{ mod = "power_is", n = 1 }] }]\n'
    assert load_cards(erratum("S98") + named % "S01", "2.toml", POOLS.cards_by_pool[FIRST])
    with pytest.raises(PoolError, match=r"2\.toml, card S98, abilities\[0\]\.on\.name: .*S97"):
        load_cards(erratum("S98") + named % "S97", "2.toml", POOLS.cards_by_pool[FIRST])


def test_rules_that_name_no_cards_keep_their_hash_and_mean_the_first_pool(second: str) -> None:
    assert "cards" not in stored_values(Rules()) and stored_values(Rules(cards=second))["cards"] == second
    assert load(GAME, {}).cards == FIRST
    assert (card(FIRST, "S01").cost, card(second, "S01").cost, card(second, "S99")) == (1, 3, BLANK)


def test_opening_pins_the_newest_pool_unless_the_rules_name_one(second: str) -> None:
    assert _first_entry(simulate(Law(GAME, Rules()), 1, 1)).rules["cards"] == second
    older = with_settings(GAME, Rules(), {"cards": "1"})
    assert older.cards == PUBLISHED["1"] == _first_entry(simulate(Law(GAME, older), 1, 1)).rules["cards"]
    assert pin_cards(GAME, older) is older


def test_a_record_is_audited_under_its_own_cards_whatever_was_published_since(second: str) -> None:
    before = [simulate(Law(GAME, with_settings(GAME, Rules(), {"cards": "1"})), seed) for seed in range(3)]
    for entries in before:
        first = opened_of(entries)
        unsaid = {key: value for key, value in first.rules.items() if key != "cards"}
        old = [msgspec.structs.replace(first, rules=unsaid, rules_hash=_hash(unsaid)), *entries[1:]]
        assert not audit(GAME, entries).findings and not audit(GAME, old).findings
        assert audit(GAME, old, Rules(cards=second)).findings  # type: ignore[arg-type]
    assert not audit(GAME, simulate(Law(GAME, Rules()), 3)).findings


def test_an_unknown_pool_is_refused_by_name_until_a_file_brings_it() -> None:
    text = erratum("S01", cost="4")
    pool = digest({**POOLS.cards_by_pool[FIRST], **load_cards(text, "x.toml")})
    with pytest.raises(RulesetError, match=f"'{pool}'.*1 \\({PUBLISHED['1']}\\).*--cards"):
        load(GAME, {"cards": pool})
    opened = _first_entry(simulate(Law(GAME, Rules()), 1, 1))
    assert "--cards" in str(law_of(msgspec.structs.replace(opened, rules={"cards": pool})))
    assert lay_over(GAME, Rules(), Overlay("x.toml", text)).cards == pool
    assert load(GAME, {"cards": pool}).cards == pool


def test_a_game_reads_in_the_words_of_the_cards_a_record_was_played_with(second: str) -> None:
    named = lay_over(GAME, Rules(), Overlay("x.toml", RENAMED))
    under = GAME.under(named)
    assert GAME.under(Rules(cards=PRINTED)) is GAME is not GAME.under(Rules(cards=second))  # type: ignore[arg-type]
    assert (under.rulebook.word("S01", "en"), GAME.rulebook.word("S01", "en")) == ("S01 Cinder Bolt", "S01 Ember Dart")
    assert under.display.card("S01", "ja")[0] == "S01 燃え殻の矢"
    assert GAME.under(Rules()).display.card("S01", "en") != ()


@for_each("seed", range(6))
def test_an_audit_under_cards_that_say_nothing_any_more_finds_and_never_stumbles(seed: int) -> None:
    entries = simulate(Law(GAME, Rules()), seed)
    assert audit(GAME, entries, lay_over(GAME, Rules(), Overlay("x.toml", WITHOUT))).findings


def _first_entry(entries: list) -> Opened:  # type: ignore[type-arg]
    assert isinstance(entries[0], Opened)
    return entries[0]


def _hash(raw: dict) -> str:  # type: ignore[type-arg]
    from domain.law.rulesets import digest as hashed

    return hashed(raw)
