"""Records that cannot be decided again are refused with a message, without an exception."""

from functools import cache
from typing import Any

import msgspec
import pytest

from domain.games import GAMES
from domain.judging.audit import audit
from domain.judging.rejudging import Unreadable, rejudge
from domain.judging.rejudging.comparing import separate
from domain.law.entries import Entry, Opened
from tests.corpus.small_files import real
from tests.rows import for_each

KEYS = ("blackpoker", "grimoire")


@cache
def undealt(key: str, facts: int = 0) -> tuple[Entry, ...]:
    opened = real(key, 1)[0]
    assert isinstance(opened, Opened) and len(opened.told) > facts
    return (msgspec.structs.replace(opened, told=opened.told[:facts]),)


@for_each("facts", [0, 1])
@pytest.mark.parametrize("key", KEYS)
def test_decks_that_were_not_dealt_are_refused_and_not_stumbled_over(key: str, facts: int) -> None:
    game, entries = GAMES[key], undealt(key, facts)
    with pytest.raises(Unreadable, match="does not match its deck") as refused:
        rejudge(game, entries, game.latest)
    assert "デッキ" in refused.value.text.say("ja")
    with pytest.raises(Unreadable, match="does not match its deck"):
        separate(game, entries, game.latest, game.latest)


def test_a_deck_that_the_rules_do_not_allow_is_illegal_whether_dealt_or_not() -> None:
    game = GAMES["blackpoker"]
    opened = undealt("blackpoker")[0]
    assert isinstance(opened, Opened)
    short = msgspec.structs.replace(opened, decks={seat: deck[:5] for seat, deck in opened.decks.items()})
    assert rejudge(game, (short,), game.latest).kind == "illegal"


@pytest.mark.parametrize("key", KEYS)
def test_an_audit_finds_that_they_were_not_dealt(key: str) -> None:
    found: Any = audit(GAMES[key], undealt(key)).findings
    assert [(one.entry, one.kind) for one in found] == [(1, "consequences")] and found[0].missing
