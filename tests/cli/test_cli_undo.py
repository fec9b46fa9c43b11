"""Undo without a judge, and rewind requests, on the command line."""

from pathlib import Path

import pytest

from tests.cli.runs import disputed, fine, refusal

pytestmark = pytest.mark.random
MATCH = "table-17"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return disputed(tmp_path)


def test_a_slip_is_taken_back_once_and_restored(store: Path) -> None:
    fine(store, "rewind", MATCH, "--to", "40", "--reason", "back to the throw")
    first = fine(store, "undo", MATCH, "--command-id", "k")
    assert "rewound to entry" in first.out and "recorded by mistake" in first.out
    assert fine(store, "undo", MATCH, "--command-id", "k").out == first.out
    assert "restored by judge: it was right" in fine(store, "undo", MATCH, "--redo", "--reason", "it was right").out


def test_what_needs_a_judge_is_refused_or_asked_for_and_answered(store: Path) -> None:
    why = refusal(store, "undo", MATCH, "--at", "38")
    assert "only a judge can undo this" in why and "a new card has been seen" in why
    assert "No request to go back" in fine(store, "request", MATCH).out
    asked = fine(store, "undo", MATCH, "--at", "38", "--ask", "--reason", "a slip", "--by", "scorekeeper Sato").out
    assert asked.count("scorekeeper Sato") == 2
    assert "asks to go back to entry 37: a slip" in fine(store, "request", MATCH).out
    assert fine(store, "request", MATCH, "--json").data["to"] == 37
    assert "--reason" in refusal(store, "request", MATCH, "--refuse")
    fine(store, "request", MATCH, "--refuse", "--reason", "too late")
    assert "No request to go back" in fine(store, "request", MATCH).out
    assert refusal(store, "request", MATCH, "--refuse", "--reason", "x")
