"""Small BlackPoker records, laid out and played by hand in notation."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.formats.actions import parse_action
from domain.games import GAMES
from domain.law.clause import BY_HAND, CitedFacts, Clause
from domain.law.driver import decide, decide_as_played
from domain.law.entries import Corrected, Entry, Opened, Played, fold_entries, opened_of
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.rulesets import digest, make_ruleset, values
from domain.table import facts as F
from domain.table.table import CardId, Clock, Place, Seat
from recorder.codec import raw_action

GAME = GAMES["blackpoker"]
RULES = make_ruleset(GAME, "8.1-lite-seed", "entry20")
P1, P2 = Seat("p1"), Seat("p2")
LIFE = "C5 C6 D10 S3 S5 H9 C10 H10 D7 CA DA"
"""More cards than a life may hold while other players can still count it."""


def laid_out(places: Mapping[str, str]) -> list[Entry]:
    """Return a match that starts with these faces, soldiers and graves face up, in turn 3 of p1."""
    told: list[tuple[Clause, F.AnyFact]] = []
    next_card = 1
    for place, faces in ({"p1.life": LIFE, "p2.life": LIFE} | dict(places)).items():
        row = tuple(faces.split())
        cards = tuple(CardId(next_card + at) for at in range(len(row)))
        next_card += len(row)
        told.append((Clause("BP-3.2"), F.Created(Place(place), cards, row, Seat(place[:2]))))
        if place.endswith((".soldiers", ".grave")):
            told.append((Clause("BP-3.5"), F.Turned(cards, up=True)))
    told.append((Clause("BP-3.11"), F.Clocked(Clock(3, P1, P1, "play", "", (P1,)))))
    return [
        Opened(
            game=GAME.key,
            version="8.1-lite-seed",
            rules=values(RULES),
            rules_hash=digest(RULES),
            schema=GAME.schema(RULES),
            seats=(P1, P2),
            names={P1: "Aoi"},
            decks={P1: ("H8",), P2: ("S4",)},
            match="hand-made",
            commitment="ab12",
            told=tuple(told),
        )
    ]


def play(entries: list[Entry], *lines: str) -> list[Entry]:
    """Return the record after these actions. `pp` passes twice; a trailing ` !` records the action as played."""
    played = list(entries)
    for text in lines:
        for one in ("p?: pass", "p?: pass") if text == "pp" else (text,):
            played.append(_decide(played, one))
    return played


def _decide(entries: list[Entry], text: str) -> Played:
    table = fold_entries(entries)
    (awaited, *_) = GAME.awaited(table)
    words = text.replace("p?", awaited).removesuffix(" !")
    actor, action = parse_action(GAME, table, words)
    outcome = (decide_as_played if text.endswith(" !") else decide)(Law(GAME, RULES), table, actor, action)
    assert isinstance(outcome, Accepted), (text, outcome)
    return Played(actor=actor, action=raw_action(action), told=outcome.told, violations=outcome.violations)


def by_hand(*facts: F.AnyFact) -> Corrected:
    told: CitedFacts = tuple((BY_HAND, fact) for fact in facts)
    return Corrected(by="judge", reason="seen on the table", told=told)


def with_telling(entries: list[Entry], *clauses: str) -> list[Entry]:
    """Return the record with these clauses marked as revealing a hidden card."""
    opened = opened_of(entries)
    return [replace(opened, schema=replace(opened.schema, telling=clauses)), *entries[1:]]
