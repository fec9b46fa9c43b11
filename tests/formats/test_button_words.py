"""The label of every button, typed, means the same as tapping the button."""

from collections.abc import Iterator
from random import Random

import pytest

from domain.formats.actions import parse_action, write_action
from domain.formats.typed import read_seen
from domain.games import GAMES
from domain.judging.allowed import CROUPIER, allowed
from domain.judging.trails import known_table
from domain.law.entries import Played, fold_entries
from domain.law.record import Record, record_of
from domain.law.slots import Action, slots, verb
from domain.table.redact import SPECTATOR
from domain.table.table import Seat, Table
from domain.words import LANGS
from projections.questions import offer_words
from tests.laws.samples import sample

pytestmark = pytest.mark.random
MOMENTS = 12
LINES_MAX = 400
OF_A_VERB = 6


def buttons(record: Record, at: int, viewer: Seat, random: Random) -> Iterator[tuple[Table, Seat, Action]]:
    """Yield some actions of each verb offered to a viewer after an entry, as each line is parsed."""
    eyes = record.eyes(viewer)
    table = known_table(record, eyes, at)
    for doable in allowed(record, eyes, at, LINES_MAX):
        lines = [line for line in doable.actions if line != CROUPIER]
        for line in random.sample(lines, min(OF_A_VERB, len(lines))):
            yield (table, *parse_action(record.game, table, line, eyes=eyes, schema=record.opening.schema))


@pytest.mark.parametrize("viewer", [SPECTATOR, Seat("p1"), Seat("p2")])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", GAMES)
def test_the_words_of_a_button_mean_the_same_typed(game: str, seed: int, viewer: Seat) -> None:
    random = Random(f"{game} {seed} {viewer}")
    one = sample(game, seed)
    found = 0
    for at in sorted(random.sample(range(2, len(one.entries)), min(MOMENTS, len(one.entries) - 2))):
        record = record_of(one.game, one.entries[:at])
        eyes, whole = record.eyes(viewer), fold_entries(record.entries)
        for table, actor, action in buttons(record, at, viewer, random):
            for lang in LANGS:
                words = offer_words(record, eyes, table, actor, action, lang)
                assert read_seen(record, whole, words, eyes, actor) == (actor, action), (at, words)
                found += 1
    assert found


@pytest.mark.parametrize("seed", range(9))
@pytest.mark.parametrize("game", GAMES)
def test_a_played_action_typed_in_notation_means_itself(game: str, seed: int) -> None:
    one = sample(game, seed)
    record, decode, found = record_of(one.game, one.entries), one.game.decoder().decode, set[str]()
    schema = record.opening.schema
    for number, entry in enumerate(one.entries, start=1):
        if isinstance(entry, Played) and entry.actor in record.opening.seats:
            action, table, eyes = decode(entry.action), record.after(number - 1), record.eyes(entry.actor)
            line = write_action(one.game, eyes.without_hidden_faces(table), entry.actor, action, schema=schema)
            assert read_seen(record, table, line, eyes) == (entry.actor, action), (number, line)
            found.add(verb(action))
    assert len(found) > 3


@pytest.mark.parametrize("game", ["dea", "skillbook"])
def test_a_square_typed_without_its_slot_is_never_taken_for_the_piece_on_it(game: str) -> None:
    """The text names the square or is ambiguous, depending on what the rules offer."""
    random = Random(game)
    one, meant = sample(game, 0), 0
    for at in random.sample(range(2, len(one.entries)), 60):
        record = record_of(one.game, one.entries[:at])
        whole = fold_entries(record.entries)
        for seat in (Seat("p1"), Seat("p2")):
            eyes = record.eyes(seat)
            for table, actor, action in buttons(record, at, seat, random):
                line = write_action(record.game, table, actor, action, schema=record.opening.schema)
                named = [each for each in slots(type(action)) if each.slot.kind == "place"]
                bare = line.replace(f"{named[0].name}=", "") if len(named) == 1 else line
                if bare == line or bare.count("=") or " - " in bare:
                    continue
                assert read_seen(record, whole, bare, eyes, actor) == (actor, action), (at, bare)
                meant += 1
    assert meant
