"""Published editions as values: hashes, frames, and change notes without open options."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.formats.notation import parse_notation, write_notation
from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.entries import Opened
from domain.law.law import Law
from domain.law.rulesets import (
    RulesetError,
    digest,
    load,
    make_ruleset,
    stored_values,
    values,
    with_changes,
    with_settings,
)
from recorder import codec
from recorder.simulate import simulate
from tests.rows import for_each

GAME = GAMES["blackpoker"]
NOTES = tuple(GAME.change_notes)

HASHES = {
    "8.1-lite-seed": "7cbd7785b50a2cfb",
    "8.1-lite": "53caae02b4a5f1a8",
    "8.0-lite": "53caae02b4a5f1a8",
    "8.2-lite": "53caae02b4a5f1a8",
    "9.0-lite": "a1ad1a4941782099",
    "9.1-lite": "4c2f168da6d4b8c8",
    "9.2-lite": "e773fc821647c048",
}
"""Hashes that records of these versions contain; they never change."""

FIRST_PUBLISHED = {"9.0-lite": "4c2f168da6d4b8c8"}
"""Hashes of versions before their correction, which records also contain."""


def test_no_published_ruleset_has_changed() -> None:
    assert {version: digest(rules) for version, rules in GAME.versions.items()} == HASHES


def before_correction(version: str) -> list[Any]:
    """Return a match with timestamps, recorded before the version was corrected."""
    rules = with_settings(GAME, GAME.versions[version], dict(GAME.corrected[version]))
    entries = simulate(Law(GAME, rules), 3, max_entries=60)
    assert isinstance(entries[0], Opened)
    return [replace(entries[0], version=version, at=1), *entries[1:]]


@for_each("version", FIRST_PUBLISHED)
def test_a_record_made_before_a_correction_keeps_its_values(version: str) -> None:
    first, *_ = again = [codec.decode(codec.encode(entry)) for entry in before_correction(version)]
    assert isinstance(first, Opened) and (first.version, first.rules_hash) == (version, FIRST_PUBLISHED[version])
    assert audit(GAME, again).findings == ()
    assert values(load(GAME, first.rules)).items() >= GAME.corrected[version].items()


@for_each("version", FIRST_PUBLISHED)
def test_notation_written_before_a_correction_is_read_as_it_was_written(version: str) -> None:
    entries = before_correction(version)
    written = write_notation(GAME, entries)
    assert parse_notation(written, GAMES) == entries
    earlier = "".join(line for line in written.splitlines(keepends=True) if not line.startswith("[Set "))
    assert earlier != written and parse_notation(earlier, GAMES) == entries


@for_each("version", FIRST_PUBLISHED)
def test_notation_of_a_corrected_version_says_its_values(version: str) -> None:
    entries = simulate(Law(GAME, GAME.versions[version]), 3, max_entries=60)
    recorded = [replace(entries[0], version=version, at=1), *entries[1:]]
    assert parse_notation(write_notation(GAME, recorded), GAMES) == recorded
    by_hand = f'[Game "blackpoker"]\n[Version "{version}"]\n'
    (opened,) = parse_notation(by_hand, GAMES)
    assert isinstance(opened, Opened) and opened.rules_hash == HASHES[version]


@for_each("version", HASHES)
def test_an_edition_opens_in_its_own_frame_and_in_the_whole_pack(version: str) -> None:
    own, other = ("entry16", "entry20") if version.startswith("9") else ("entry20", "entry16")
    for frame, opens in (("", own), (own, own), ("full54", "full54")):
        rules = make_ruleset(GAME, version, frame)
        assert rules.frame == opens and len(rules.deck_list) == {"entry20": 20, "entry16": 16, "full54": 54}[opens]
        entries = simulate(Law(GAME, rules), 3, max_entries=60)
        assert audit(GAME, entries).findings == ()
    with pytest.raises(RulesetError, match=f"cannot be played in frame '{other}'"):
        make_ruleset(GAME, version, other)


@for_each("name", NOTES)
def test_nothing_opens_under_change_notes(name: str) -> None:
    for frame in ("", "full54"):
        with pytest.raises(RulesetError, match="only the change notes"):
            make_ruleset(GAME, name, frame)
    changed = with_changes(GAME, name, GAME.versions["9.2-lite"])
    assert all(values(changed)[key] == value for key, value in GAME.change_notes[name].items())
    assert changed.frame == "entry16"


def test_notes_of_an_unknown_edition_are_refused() -> None:
    with pytest.raises(RulesetError, match="'3-lite'"):
        with_changes(GAME, "3-lite", GAME.versions["8.1-lite"])


@for_each(
    "settings",
    [
        {"fog.enabled": False, "fog.end_scope": "own_card_active"},
        {"sickness.model": "unit_of_new_cards", "equip.arrival": "reset"},
    ],
)
def test_options_that_contradict_each_other_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(RulesetError, match=r"cannot be '.*' while"):
        with_settings(GAME, GAME.versions["8.1-lite"], settings)


def test_a_value_younger_than_a_record_is_left_out_at_its_default_and_kept_otherwise() -> None:
    plain = GAME.versions["8.1-lite"]
    later = type(plain).LATER
    assert later.isdisjoint(stored_values(plain)) and later <= set(values(plain))
    changed = with_settings(GAME, plain, {"judge.smaller_dies": False})
    assert stored_values(changed) == {**stored_values(plain), "judge.smaller_dies": False}
    entries = simulate(Law(GAME, changed), 5, max_entries=40)
    again = [codec.decode(codec.encode(entry)) for entry in entries]
    first = again[0]
    assert isinstance(first, Opened) and load(GAME, first.rules) == changed and digest(first.rules) == digest(changed)
    assert tuple(parse_notation(write_notation(GAME, entries), GAMES)) == tuple(entries)
