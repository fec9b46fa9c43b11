"""The `legal` command: every action that `do` accepts now, and nothing about hidden cards."""

from pathlib import Path
from random import Random

import pytest

from domain.formats.actions import parse_action, write_action
from domain.judging.allowed import CROUPIER, AllowedActions, allowed
from domain.law.entries import Entry
from domain.table.redact import SPECTATOR
from domain.table.table import CHANCE, JUDGE, CardId, Seat
from tests.cli.runs import disputed, fine, inside
from tests.laws.leak_checks import deal_again, never_known, viewers
from tests.laws.presumed import presume
from tests.laws.samples import Sample, few, moments, sample
from tests.shelves import seen_by

ALL = 100_000
EVERY = 7


def verbs(doables: tuple[AllowedActions, ...]) -> dict[tuple[Seat, str], AllowedActions]:
    return {(doable.actor, doable.verb): doable for doable in doables}


def test_every_line_is_what_do_takes(tmp_path: Path) -> None:
    store = tmp_path / "m.sqlite"
    fine(store, "new", "blackpoker@8.1-lite", "--seed", "5", "--match", "m")
    for _ in range(12):
        lines = [line for line in fine(store, "legal", "m", "--as", "judge").out.splitlines() if "concede" not in line]
        assert lines
        fine(store, "do", "m", lines[-1])


def test_lines_of_a_verb_are_bounded_and_the_others_counted(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    all_of_them = fine(store, "legal", "table-17", "--at", "29", "--as", "p2", "--limit", "1000")
    some = fine(store, "legal", "table-17", "--at", "29", "--as", "p2", "--limit", "3")
    ups = [line for line in all_of_them.out.splitlines() if line.startswith("p2: up ")]
    assert [line for line in some.out.splitlines() if line.startswith("p2: up ")] == ups[:3]
    assert f"p2: up: {len(ups) - 3} more" in some.err and "more" not in all_of_them.err
    answer = fine(store, "legal", "table-17", "--at", "29", "--as", "p2", "--limit", "3", "--json").data
    (up,) = (row for row in answer["allowed"] if row["verb"] == "up")
    assert up == {"actor": "p2", "verb": "up", "actions": ups[:3], "more": len(ups) - 3, "whole": True}


def test_who_looks_on_is_told_what_is_public(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    seen = fine(store, "legal", "table-17", "--at", "29")
    assert seen.out == "p2: pass\np2: concede\n" and "--as SEAT" in seen.err
    assert fine(store, "legal", "table-17", "--at", "29", "--as", "p1").out == "p1: concede\n"
    assert "p2: pass" in fine(store, "legal", "table-17", "--at", "29", "--as", "Ren").out, (
        "a player's name is a seat's"
    )
    over = fine(store, "legal", "table-17")
    assert over.out == "" and "54" in over.err


def test_a_closed_match_allows_nothing_more_and_chance_is_asked(tmp_path: Path) -> None:
    store = tmp_path / "m.sqlite"
    fine(store, "new", "blackpoker@8.1-lite", "--match", "real", "--no-deal")
    fine(store, "new", "blackpoker@8.1-lite", "--match", "m", "--seed", "1")
    fine(store, "close", "m", "--abandon", "--reason", "fire")
    assert fine(store, "legal", "m").out == ""
    assert inside(store, "legal", "m", "--as", "p9").code == inside(store, "legal", "m", "--limit", "0").code == 2
    assert inside(store, "legal", "m", "--at", "99").code == inside(store, "legal", "none").code == 2


@pytest.mark.parametrize(("key", "seed"), few(2))
def test_whatever_is_played_was_listed_for_its_seat(key: str, seed: int) -> None:
    """The offers are complete, and the view of a seat is enough to compute them."""
    played = sample(key, seed)
    for moment in [*moments(key, seed)][::EVERY]:
        before = moment.number - 1
        for viewer in (JUDGE, *(seat for seat in played.first_entry.seats if seat == moment.actor)):
            listed = verbs(allowed(*seen_by(played.game, played.entries, viewer), before, ALL))
            if moment.actor not in played.first_entry.seats:
                assert listed[CHANCE, "auto"].actions == (CROUPIER,)
                continue
            text = write_action(played.game, moment.before, moment.actor, moment.action)
            row = listed[moment.actor, text.split()[1]]
            assert row.more == 0
            if row.whole:
                meant = [parse_action(played.game, moment.before, line)[1] for line in row.actions]
                assert moment.action in meant, (text, row)


ENOUGH = 6
"""Number of hidden cards that are unlikely to be dealt the same way by chance."""


def with_secrets(played: Sample) -> tuple[tuple[Entry, ...], dict[Seat, list[CardId]]]:
    """Return the first half of a match and the cards hidden from each viewer, halved again until there are enough."""
    record = played.entries
    while True:
        record = record[: len(record) // 2]
        hidden = {viewer: never_known(record, viewer) for viewer in viewers(played)}
        if all(len(cards) >= ENOUGH for cards in hidden.values()):
            return record, hidden


@pytest.mark.parametrize(("key", "seed"), few(2))
def test_it_tells_nothing_of_what_is_hidden(key: str, seed: int) -> None:
    presume(key, "secrets")
    played, random = sample(key, seed), Random(f"legal {seed}")
    record, hidden = with_secrets(played)
    told: dict[Seat, int] = {}
    for viewer in viewers(played):
        other = deal_again(record, hidden[viewer], random)
        assert other != list(record)
        for number in range(1, len(record) + 1, EVERY):
            ours, theirs = (allowed(*seen_by(played.game, entries, viewer), number, ALL) for entries in (record, other))
            assert ours == theirs
            told[viewer] = told.get(viewer, 0) + len(ours)
            assert viewer == SPECTATOR or {row.actor for row in ours} <= {viewer, "chance"}
    assert all(told.values())
