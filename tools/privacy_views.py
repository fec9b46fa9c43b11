"""Measure how much of the hidden information of a match of each game a session sees."""

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import Final, Literal, get_args

from domain.games import GAMES
from domain.law import entries as E
from domain.law.disputes import Disputed, Matter
from domain.law.law import Law
from domain.table.physics import physics_of
from domain.table.redact import TableViewer
from domain.table.table import EVERYONE, Place, Seat
from projections.seen_entries import seen_entry
from recorder.keyring import Keyring
from recorder.match_loader import LoadedMatch
from recorder.matches import close, open_match
from recorder.store import Store
from service.access import Session, may
from service.context import AppContext
from service.idempotency import author_of
from service.settings import Settings

Kind = Literal["faces", "numbers", "deck order", "counts", "seed", "deck lists", "claims", "notes"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Part = tuple[Kind, str, object]
"""One piece of hidden information: its kind, its owner (a seat, or an author) and its key."""
P1, P2, MATCH, START_MS, OTHER = Seat("p1"), Seat("p2"), "m", 1_000, "somebody else"


def make_context(key: str, closed: bool) -> AppContext:
    store, game = Store.open(":memory:"), GAMES[key]
    edition, rules = list(game.versions.items())[-1]
    assert open_match(store, Law(game, rules), edition, {}, seed=bytes(16), match_id=MATCH, at=START_MS) == MATCH
    if closed:
        close(store, MATCH, OTHER, "x", abandon=True)
    return AppContext(store, Keyring.open(":memory:"), Settings(store=":memory:"), lambda: START_MS)


@cache
def load(game: str, closed: bool) -> LoadedMatch:
    with closing(make_context(game, closed)) as context:
        return context.match(MATCH)


def parts_on_table(match: LoadedMatch, eyes: TableViewer) -> Iterator[tuple[Part, bool]]:
    """Yield each piece of information that the table hides from spectators, and whether a viewer sees it."""
    table, physics, key = match.table, physics_of(match.opening.schema), match.game.key
    for place, cards in table.places.items():
        area, seat, seen = physics.area(place), physics.seat(place), eyes.place(table, place)
        assert area is not None
        others = area.sight.others
        for card in cards:
            piece = table.pieces[card]
            if not piece.up and EVERYONE not in piece.seen and others != "all":
                owner = seat or piece.controller
                yield ("faces", owner, (key, card)), eyes.knows(table, card)
                if others != "each":
                    yield ("numbers", owner, (key, card)), eyes.follows(table, card)
        if area.order == "pile" and others in ("nothing", "count", "below") and len(cards) > 1:
            order = [table.pieces[card].face for card in cards]
            yield ("deck order", str(seat), (key, place)), seen is not None and [c.face for c in seen.cards] == order
    for area in match.opening.schema.areas:
        if area.per_seat and (area.sight.others in ("nothing", "below") or not area.counted):
            for seat in table.seats:
                place = Place(f"{seat}.{area.name}")
                if area.sight.others != "below" or len(table.places.get(place, ())) >= area.sight.below:
                    yield ("counts", seat, (key, place)), eyes.knows_count(table, place)


def parts_of_entries(match: LoadedMatch, session: Session, eyes: TableViewer) -> Iterator[tuple[Part, bool]]:
    """Yield the hidden information of a record, and whether a viewer sees it who wrote some notes and claims."""
    own, claims = author_of(session), {P1: "x", P2: "x"}
    texts: list[E.Entry] = [E.Noted(by=OTHER, text="x"), Disputed(by=OTHER, matter=Matter(entry=1), claims=claims)]
    if any(may(session, operation, MATCH) for operation in ("record", "call")):
        texts.append(E.Noted(by=own, text="x"))
    if may(session, "dispute", MATCH) and not session.seat:
        texts.append(Disputed(by=own, matter=Matter(entry=1), claims=claims))
    opened, *rest = match.entries
    seeds: set[str] = set()
    for number, entry, before, _ in E.tables([opened, *texts, *rest]):
        seen = seen_entry(match.game, eyes, number, entry, before, by=own)
        seeds |= {seen.seed} - {""}
        if isinstance(entry, E.Opened):
            yield from ((("deck lists", seat, match.game.key), seat in seen.decks) for seat in entry.decks)
        elif isinstance(entry, E.Noted):
            yield ("notes", entry.by, entry.by), bool(seen.text)
        elif isinstance(entry, Disputed):
            for seat in claims:
                yield ("claims", own if entry.by == own else seat, (entry.by, seat)), bool(seen.claims[seat])
    yield ("seed", "", match.game.key), bool(seeds)


def measure(session: Session, viewer: Seat, closed: bool, mine: str = "own") -> tuple[str, ...]:
    """Return how much of each kind a session sees as a viewer. `mine` is the word for the part of its seat."""
    parts: list[tuple[Part, bool]] = []
    for game in GAMES:
        match = load(game, closed)
        parts += parts_on_table(match, match.eyes(viewer))
        parts += parts_of_entries(match, session, match.eyes(viewer))

    def extent(kind: Kind) -> str:
        known = [part for part, is_seen in parts if part[0] == kind and is_seen]
        if len(known) in (0, sum(part[0] == kind for part, _ in parts)):
            return "all" if known else "–"
        return mine if {owner for _, owner, _ in known} == {author_of(session)} else "some"

    return tuple(map(extent, KINDS))
