"""Changed cards laid over a record's own: the card is reported as the cause, with both texts."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import msgspec
import pytest
from msgspec.json import encode as to_json

from archive.corpus.sources import sources
from archive.corpus.writer import pack
from archive.regress import index as indexes
from archive.regress.approvals import read_approvals
from archive.regress.formats import to_junit, to_sarif
from archive.regress.page import to_html
from archive.regress.regressing import regress
from archive.regress.summary import Task
from domain.games.grimoire import GAME
from domain.games.grimoire.cards import POOLS, load_cards
from domain.judging.rejudging.causes import Cause, causes, changes
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.skipping import changed_fields, may_skip, reads
from domain.judging.rejudging.target import RulesTarget, register_cards, rules_for
from domain.law.entries import Entry, faces, opened_of
from domain.law.law import Law
from domain.law.pools import FIRST, Overlay, digest
from domain.law.rulesets import RulesetError, lay_over, pin_cards, values, with_settings
from domain.table.facts import Created
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from projections.verdicts.rendering import card_words, cause_words
from projections.verdicts.seen_verdicts import seen_verdict
from recorder import codec
from recorder.simulate import simulate
from tests.rejudged import restore_pools
from tests.rejudging.records import FOLDERS, law, load_records
from tests.rows import for_each
from tests.rules.grimoire.errata import DEARER, RENAMED, WITHOUT, erratum
from tests.shelves import seen_by

OWN = pin_cards(GAME, GAME.latest)
PLAYED = ("ember", "tide"), ("grove", "tide")
"""Two groups of decks; the second has none of the changed cards."""
BOTH = DEARER + erratum("S03", en='"Flare Lance"', ja='"炎槍"', cost="2", power="3")


def laid(text: str) -> Overlay:
    return Overlay("errata.toml", text)


@cache
def record(seed: int, decks: tuple[str, str] = PLAYED[0]) -> tuple[Entry, ...]:
    named = GAME.named_decks()
    seats = GAME.seats(OWN)
    dealt = {seat: named[deck] for seat, deck in zip(seats, decks, strict=True)}
    return tuple(simulate(Law(GAME, GAME.latest), seed, decks=dealt))


def fixture_entries(name: str) -> tuple[Entry, ...]:
    return next(entries for source, entries in load_records(FOLDERS[1]) if source.name.endswith(name))


def test_cards_are_laid_over_those_of_the_record_and_a_version_leaves_them_alone() -> None:
    other = lay_over(GAME, OWN, laid(erratum("S05")))
    assert rules_for(RulesTarget(game="grimoire", version="1"), GAME, other).cards == other.cards
    assert rules_for(RulesTarget(settings={"lethal": "exceeding"}), GAME, other).cards == other.cards
    assert rules_for(RulesTarget(full={"lethal": "exceeding"}), GAME, other).cards == other.cards
    assert rules_for(RulesTarget(settings={"cards": "1"}), GAME, other).cards == POOLS.hash_of(FIRST)
    assert rules_for(RulesTarget(full={"cards": ""}), GAME, other).cards == FIRST
    over = rules_for(RulesTarget(cards=laid(DEARER)), GAME, other)
    assert POOLS.changed_faces(OWN.cards, over.cards) == ("S01", "S05")
    assert RulesTarget(version="1", cards=laid(DEARER)).label == "1 --cards errata.toml"


def test_cards_that_fit_no_game_are_refused_before_a_record_is_read() -> None:
    from domain.games import GAMES

    with pytest.raises(RulesetError, match=r"errata\.toml, card S01, cost"):
        register_cards(laid(DEARER.replace("cost = 3", "cost = 300")), GAMES.values())
    with pytest.raises(RulesetError, match="blackpoker has no card pools"):
        register_cards(laid(DEARER), [GAMES["blackpoker"]])


@for_each(
    "card, said",
    [
        ('user = "Anon"\npower = 1\ntoughness = 0\ntype = "spell"', "X1, toughness: "),
        ('colour = "red"\npages = 100\ntype = "event"', "X1, pages: "),
        ('colour = "red"\npages = 1\ntype = "event"', "X1, rarity: "),
        ('colour = "red"\nrarity = "C"\ntype = "spell"', "X1, type: .* event"),
    ],
)
def test_a_card_file_is_refused_as_one_of_the_game_that_its_cards_are_most_like(card: str, said: str) -> None:
    from domain.games import GAMES

    text = f'[[cards]]\nid = "X1"\nen = "Made up"\nja = "試作"\n{card}\n'
    for games in ([*GAMES.values()], [*GAMES.values()][::-1]):
        with pytest.raises(RulesetError, match=said):
            register_cards(laid(text), games)


def test_the_card_that_alone_makes_the_difference_is_the_cause_with_its_text_on_both_sides() -> None:
    entries = fixture_entries("random-first.spn")
    _, own = law(entries)
    rules = lay_over(GAME, own, laid(BOTH))
    assert rejudge(GAME, entries, rules).kind == "illegal"
    (cause,) = causes(GAME, entries, own, rules)
    assert (cause.key, cause.kind) == ("card S01", "card")
    assert cause.recorded is not None and cause.rejudged is not None
    assert "cost 1" in cause.recorded.en and "cost 3" in cause.rejudged.en
    assert "コスト1" in cause.recorded.ja and "コスト3" in cause.rejudged.ja
    assert cause_words(cause, None, "en") == "card S01 Ember Dart"
    assert [text.split(": ")[0] for text in card_words(cause, "en")] == ["was", "now"]


def test_a_changed_card_and_a_changed_option_are_held_apart() -> None:
    entries = fixture_entries("random-first.spn")
    _, own = law(entries)
    rules = with_settings(GAME, lay_over(GAME, own, laid(BOTH)), {"initial_od": 5})
    found = changes(GAME, own, rules)
    assert [one.key for one in found] == ["initial_od", "card S01", "card S03"]
    assert {one.key for one in causes(GAME, entries, own, rules)} == {"initial_od", "card S01"}


def test_a_card_that_is_not_in_the_match_is_never_a_cause() -> None:
    entries = record(1, PLAYED[1])
    _, own = law(entries)
    assert not {"S01", "S03"} & faces(entries)
    rules = with_settings(GAME, lay_over(GAME, own, laid(BOTH)), {"initial_od": 5})
    assert [one.key for one in causes(GAME, entries, own, rules)] == ["initial_od"]


def test_a_card_of_one_side_only_has_no_text_on_the_other() -> None:
    rules = lay_over(GAME, OWN, laid(erratum("S91")))
    (there,), (gone,) = changes(GAME, OWN, rules), changes(GAME, rules, OWN)
    assert there.key == gone.key == "card S91" and there.recorded is None is gone.rejudged
    assert card_words(Cause("card S91", "card", None, there.rejudged), "en")[0] == "was: no such card"


def test_only_the_name_changed_and_nothing_else_is_identical() -> None:
    entries = fixture_entries("random-first.spn")
    _, own = law(entries)
    assert rejudge(GAME, entries, lay_over(GAME, own, laid(RENAMED))).kind == "identical"


@for_each("seed", range(4))
def test_cards_that_say_nothing_any_more_are_rejudged_without_stumbling(seed: int) -> None:
    entries = record(seed)
    rules = lay_over(GAME, OWN, laid(WITHOUT))
    assert rejudge(GAME, entries, rules).kind != "identical"


def test_who_never_saw_the_card_is_not_told_its_name() -> None:
    entries = fixture_entries("random-first.spn")
    _, own = law(entries)
    first = opened_of(entries)
    rules = lay_over(GAME, own, laid(BOTH))
    why = causes(GAME, entries, own, rules)

    def visible_causes(some: tuple[Entry, ...], viewer: Any) -> tuple[Cause, ...]:
        return seen_verdict(*seen_by(GAME, some, viewer), Law(GAME, rules), rejudge(GAME, some, rules), why).causes

    assert visible_causes(entries, JUDGE) == visible_causes(entries, SPECTATOR) == why
    dealt = entries[:1]
    assert "S01" in {face for _, fact in first.told if isinstance(fact, Created) for face in fact.faces}
    assert visible_causes(dealt, JUDGE) == why and visible_causes(dealt, SPECTATOR) == (Cause("card", "card"),)


def test_a_match_is_skipped_only_if_none_of_its_cards_changed() -> None:
    skipped = decided = 0
    for text in (DEARER, BOTH, WITHOUT):
        rules = lay_over(GAME, OWN, laid(text))
        for decks in PLAYED:
            entries = record(1, decks)
            changed = changed_fields(GAME, values(OWN), rules)
            assert changed and "cards" not in changed
            if may_skip(reads(GAME, entries), changed):
                assert not {key.removeprefix("card ") for key in changed} & faces(entries)
                assert rejudge(GAME, entries, rules).kind == "identical"
                skipped += 1
            else:
                decided += 1
    assert (skipped, decided) == (2, 4)


def test_naming_the_first_pool_or_none_is_no_change() -> None:
    rules = GAME.latest
    assert not changed_fields(GAME, values(rules), with_settings(GAME, rules, {"cards": "1"}))
    assert not changes(GAME, rules, with_settings(GAME, rules, {"cards": "1"}))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "some.corpus"
    pack(path, [(f"{decks[0]}-{seed}", record(seed, decks)) for decks in PLAYED for seed in range(1, 4)])
    return path


def test_an_index_passes_by_what_the_cards_cannot_touch_and_the_report_is_the_same(corpus: Path) -> None:
    built, bad = indexes.build(corpus, 1)
    assert not bad
    indexes.save(built, corpus)
    target = RulesTarget(cards=laid(DEARER))
    passed = regress(Task(target), sources([corpus]))
    whole = regress(Task(target, None, True), sources([corpus]))
    assert (passed.passed, whole.passed, passed.by_class["identical"]) == (3, 0, 3)
    assert msgspec.structs.replace(passed, passed=0) == whole and len(whole.differences) == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_records_pinned_to_what_only_the_file_gives_are_judged_in_every_process(tmp_path: Path, jobs: int) -> None:
    text = erratum("S01", cost=str(40 + jobs))
    pool = digest({**POOLS.cards_by_pool[FIRST], **load_cards(text, "x.toml")})
    assert pool not in POOLS.cards_by_pool
    entries = list(record(2))
    first = opened_of(entries)
    raw = {**first.rules, "cards": pool}
    from domain.law.rulesets import digest as hashed

    entries[0] = msgspec.structs.replace(first, rules=raw, rules_hash=hashed(raw))
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(codec.to_json_line(codec.encode(e)) + b"\n" for e in entries))
    unknown = regress(Task(RulesTarget(settings={"lethal": "exceeding"})), sources([tmp_path]))
    assert unknown.by_class["bad"] == 2 and pool in str(unknown.bad[0].problem)
    found = regress(Task(RulesTarget(cards=Overlay("x.toml", text))), sources([tmp_path]), jobs=jobs)
    assert found.by_class["bad"] == 0 and found.matches == 2


@cache
def report() -> Any:
    return regress(Task(RulesTarget(cards=laid(BOTH))), sources([FOLDERS[1]]))


def test_the_card_is_counted_as_the_cause_and_told_in_every_report() -> None:
    found = report()
    counted = {one.cause.key: one.matches for one in found.by_cause}
    assert counted["card S01"] > 0 and next(iter(counted)) == "card S01"
    written = json.loads(to_json(found))["by_cause"][0]["cause"]
    assert written["key"] == "card S01" and "cost 1" in written["recorded"]["en"] and "ja" in written["rejudged"]
    page = to_html(found, "en").decode()
    assert "card S01 Ember Dart" in page and "旧：S01" in page and "now: S01 Ember Dart" in page
    failures = [one.text or "" for one in Xml.fromstring(to_junit(found, "ja")).iter("failure")]
    assert any("card S01: 新：S01 火粉の矢" in one for one in failures)
    results = json.loads(to_sarif(found, "en"))["runs"][0]["results"]
    told = [one["properties"]["cards"]["card S01"] for one in results if "cards" in one["properties"]]
    assert told and all("cost 3" in one["rejudged"]["en"] for one in told)


def test_a_difference_can_be_approved_by_the_card_that_causes_it() -> None:
    matches = (each.match for each in report().differences)
    one = next(match for match in matches if [cause.key for cause in match.causes] == ["card S01"])
    text = f'[[approved]]\nclass = "{one.kind}"\nclause = "{one.clause}"\ncause = "card S01"\nreason = "erratum"\n'
    approved = read_approvals(text.encode(), "a.toml", [GAME])
    assert regress(Task(RulesTarget(cards=laid(BOTH))), sources([FOLDERS[1]]), approvals=approved).unapproved < len(
        report().differences
    )
    with pytest.raises(ValueError, match="card S7"):
        read_approvals(text.replace("S01", "S7").encode(), "a.toml", [GAME])


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield from restore_pools(POOLS)
