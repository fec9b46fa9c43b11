"""Deck lists as players paste them: counts, names, sections, and errors with their line numbers."""

import pytest

from domain.formats.decklists import read_lists
from domain.formats.decks import DeckList
from domain.formats.errors import FormatError
from domain.games import GAMES

GAME = GAMES["grimoire"]


@pytest.mark.parametrize(
    "line",
    ["2 S02", "2x S02", "S02 x2", "S02×2", "cinder wall x2", "2 cinder wall  # burn", "２　Ｓ０２"],
)
def test_a_card_is_counted_before_or_after_its_name(line: str) -> None:
    assert read_lists(GAME, f"\n{line}\n") == {"": DeckList(("S02", "S02"))}


def test_decks_have_names_and_second_parts() -> None:
    text = "[Aoi]\nC01\n2 S01\nside:\nS14\n\n[ Ren ]\nC02\nサイド：\n2 S15\n"
    assert read_lists(GAME, text) == {
        "Aoi": DeckList(("C01", "S01", "S01"), ("S14",)),
        "Ren": DeckList(("C02",), ("S15", "S15")),
    }
    assert read_lists(GAME, "# nothing yet\n") == {}
    assert read_lists(GAME, "\ufeff[Aoi]\rC01\r") == {"Aoi": DeckList(("C01",))}, "as some editors save it"


def test_every_sample_deck_is_read_back_in_all_games() -> None:
    for game in GAMES.values():
        for name, deck in game.named_decks().items():
            lines = [f"[{name}]", *deck.main, *(["side:", *deck.side] if deck.side else [])]
            assert read_lists(game, "\n".join(lines)) == {name: DeckList(deck.main, deck.side)}


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("S01\n4 nothing\n", 2, "seen.no_card"),
        ("[A]\nS01\n[A]\n", 3, "decklist.twice"),
        ("S01\n[A]\n", 2, "decklist.empty"),
        ("[A]\nside:\nS01\n", 1, "decklist.empty"),
        ("# none\nside:\nS01\n", 3, "decklist.no_cards"),
    ],
)
def test_an_error_names_its_line(text: str, line: int, key: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_lists(GAME, text)
    assert (caught.value.line, caught.value.message.key) == (line, key)


def test_a_deck_has_a_bound() -> None:
    with pytest.raises(FormatError) as caught:
        read_lists(GAME, "99 S01\n" * 21)
    assert caught.value.message.key == "deck.long"
