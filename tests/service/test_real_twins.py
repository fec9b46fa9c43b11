"""The refusal of a face at a table of real cards does not depend on hidden cards."""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from domain.law.clause import BY_HAND
from domain.law.entries import Corrected, Entry
from domain.law.unseen import count_listed_faces
from domain.table.facts import Learned
from domain.table.redact import SPECTATOR
from domain.table.table import CardId, Place, Seat
from recorder.match_loader import LoadedMatch
from service.recording import checks
from tests.laws.samples import sample
from tests.projections.test_looking_back import SHUFFLED, at_the_table
from tests.service.command_twins import P1, Pair, Sender, services

SENDERS = (Sender("scorekeeper"), Sender("seat", P1))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> LoadedMatch:
    folder: Path = tmp_path_factory.mktemp("real")
    return at_the_table(folder)


def pair_that_knows(table: LoadedMatch, ours: dict[CardId, str], theirs: dict[CardId, str], viewer: Seat) -> Pair:
    """Return the match with its hidden faces entered by hand in two ways."""
    before: list[Entry] = list(table.entries[:SHUFFLED])

    def with_faces(faces: dict[CardId, str]) -> list[Entry]:
        told = tuple((BY_HAND, Learned(card, face)) for card, face in faces.items())
        return [*before, Corrected(by="judge", reason="found", told=told)]

    return Pair(sample("blackpoker", 0), viewer, with_faces(ours), with_faces(theirs), ())


def hidden_pairs(table: LoadedMatch) -> list[tuple[dict[CardId, str], dict[CardId, str], list[str]]]:
    """Return faces of the same hidden cards in both matches, and faces to name."""
    at = table.after(SHUFFLED)
    (actor,) = at.clock.awaited
    hand, pile = (at.places[Place(f"{actor}.{area}")] for area in ("hand", "life"))
    seen = sorted({piece.face for piece in at.pieces.values() if piece.face and piece.owner == actor})
    one, two, three, four, *_ = (face for face in sorted(count_listed_faces(table.opening, actor)) if face not in seen)
    named = [one, three, seen[0], "ZZ", "?", "\u2660A"]
    return [
        ({hand[0]: one, pile[0]: two}, {hand[0]: two, pile[0]: one}, named),
        ({hand[0]: one, pile[-1]: two}, {hand[0]: two, pile[-1]: one}, named),
        ({hand[0]: one, hand[1]: two}, {hand[0]: three, hand[1]: four}, named),
    ]


def bodies(named: list[str]) -> Iterator[dict[str, Any]]:
    """Return commands that name faces: visible, in a line, and named late."""
    for face in named:
        for shows in ([face], [face, face], [f"{face},{named[0]}"]):
            yield {"kind": "line", "text": "set_bulwark", "asks": True, "shows": shows}
        yield {"kind": "play", "text": "set_bulwark", "mode": "record", "shows": [face]}
        yield {"kind": "play", "text": "p2: set_bulwark", "shows": [face]}
        for line in (f"p2: up {face}", f"p2: down {face} ?", f"set_bulwark {face}"):
            yield {"kind": "line", "text": line, "asks": True}
    yield {"kind": "line", "text": "set_bulwark", "asks": True}
    yield {"kind": "play", "text": "chance: auto", "shows": named[:1]}


@pytest.mark.parametrize("sender", SENDERS, ids=lambda sender: f"{sender.role}{sender.seat}")
def test_a_face_is_refused_in_the_same_words_whoever_holds_which_hidden_card(
    table: LoadedMatch, sender: Sender
) -> None:
    statuses: Counter[int] = Counter()
    number = count(1)
    for ours, theirs, named in hidden_pairs(table)[: 1 if sender.seat else None]:
        with services(pair_that_knows(table, ours, theirs, sender.seat or SPECTATOR)) as both:
            for body in bodies(named):
                statuses[both.send(sender, body, next(number))] += 1
    assert len(statuses) > (not sender.seat), "some are recorded, some refused"


def test_a_refusal_by_the_whole_table_is_found(table: LoadedMatch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "remembered_table", lambda view: view.match.table)
    with pytest.raises(AssertionError, match=r"MATCH|recorded in one alone"):
        test_a_face_is_refused_in_the_same_words_whoever_holds_which_hidden_card(table, SENDERS[0])
