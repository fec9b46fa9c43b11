"""Every sample card is used in a case or a match of the repository: cast, or as a seat's character."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from domain.formats.casebook import run
from domain.formats.casebook.load import load_casebook
from domain.formats.notation import parse_notation
from domain.games import GAMES
from domain.games.grimoire import GAME
from domain.games.grimoire.actions import Cast
from domain.games.grimoire.cards import CARDS
from domain.games.grimoire.table_queries import character
from domain.law.driver import decide
from domain.law.entries import Played, tables
from domain.law.law import Law
from domain.law.outcome import Accepted, Outcome
from domain.law.slots import Action
from domain.table.table import CardId, Seat, Table

FOLDER = Path(__file__).parents[3] / "fixtures" / "grimoire"
CHARACTERS = frozenset(face for face, one in CARDS.items() if one.type == "character")


def face(table: Table, card: CardId) -> str:
    return table.pieces[card].face or ""


def used(table: Table, action: Action) -> Counter[str]:
    found = Counter(face(table, one) for seat in table.seats if (one := character(table, seat)) is not None)
    if isinstance(action, Cast):
        found[face(table, action.card)] += 1
    return found


@cache
def in_cases() -> Counter[str]:
    found: Counter[str] = Counter()

    def record_use(law: Law, table: Table, actor: Seat, action: Action) -> Outcome:
        outcome = decide(law, table, actor, action)
        if isinstance(outcome, Accepted):
            found.update(used(table, action))
        return outcome

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(run, "decide", record_use)
        for path in sorted((FOLDER / "cases").glob("*.cases.toml")):
            for case in load_casebook(path.read_text(encoding="utf-8"), path.name).cases:
                assert run.run_case(case, GAME).passed, case.id
    return found


@cache
def in_matches() -> Counter[str]:
    found: Counter[str] = Counter()
    decoder = GAME.decoder()
    for path in sorted((FOLDER / "matches").glob("*.spn")):
        for _, entry, before, _ in tables(tuple(parse_notation(path.read_text(encoding="utf-8"), GAMES))):
            if isinstance(entry, Played) and not entry.violations:
                found.update(used(before, decoder.decode(entry.action)))
    return found


def test_every_card_is_used_in_a_case_or_a_match() -> None:
    found = in_cases() + in_matches()
    assert sorted(set(CARDS) - set(found)) == []
    assert set(found) <= set(CARDS)


def test_neither_cases_nor_matches_do_it_alone_by_a_slip() -> None:
    assert "S15" not in in_cases() and len(set(in_cases()) & set(CARDS)) > len(CARDS) / 4
    assert len(set(in_matches()) - CHARACTERS) > len(CARDS) / 2
