"""Generate the tables of docs/privacy.md: what each role can learn of hidden information, and what that records.

`python -m tools.privacy` writes them into the page. Each cell is measured: rights are asked, views are compared with
the whole table of a match of each game, and each act is carried out.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args
from uuid import UUID

from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.games import GAMES
from domain.law import entries as E
from domain.law.disputes import Disputed, Matter
from domain.law.law import Law
from domain.table.physics import physics_of
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import EVERYONE, JUDGE, Place, Seat
from projections.seen_entries import seen_entry
from recorder.keyring import Keyring
from recorder.loading import Match
from recorder.matches import close, open_match
from recorder.remarks import kind_of
from recorder.store import Store
from service import commands as C, wire
from service.access import ROLES, Broken, Role, Session, is_delayed, may, may_look
from service.api import seals, sessions
from service.asking import Ask
from service.command_ids import writer
from service.house import House
from service.problems import Halt
from service.recording import write
from service.settings import Settings

PAGE: Final = Path(__file__).parents[1] / "docs" / "privacy.md"
BEGIN, END = "<!-- written by python -m tools.privacy -->", "<!-- end of what it writes -->"
Kind = Literal["faces", "numbers", "deck order", "counts", "seed", "deck lists", "claims", "notes"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Part = tuple[Kind, str, object]
"""One piece of hidden information: its kind, its owner (a seat, or an author) and its key."""
P1, P2, MATCH, START_MS = Seat("p1"), Seat("p2"), "m", 1_000
GAME: Final = "blackpoker"
"""The game in which acts are carried out."""
OTHER: Final = "somebody else"


Row = tuple[str, tuple[str, ...], str]
"""An act, how much of each kind it teaches, and the entries that it leaves."""
Act = Callable[[Ask, UUID], object]


def make_house(key: str, closed: bool) -> House:
    """Return a service over one match of a game, dealt by a fixed seed."""
    store, game = Store.open(":memory:"), GAMES[key]
    edition, rules = list(game.versions.items())[-1]
    assert open_match(store, Law(game, rules), edition, {}, seed=bytes(16), match_id=MATCH, at=START_MS) == MATCH
    if closed:
        close(store, MATCH, OTHER, "x", abandon=True)
    return House(store, Keyring.open(":memory:"), Settings(store=":memory:"), lambda: START_MS)


@cache
def load(game: str, closed: bool) -> Match:
    """Return the match of such a service."""
    with closing(make_house(game, closed)) as house:
        return house.match(MATCH)


def parts_on_table(match: Match, eyes: Eyes) -> Iterator[tuple[Part, bool]]:
    """Yield each piece of information that the table hides from spectators, and whether a viewer sees it."""
    table, physics, key = match.table, physics_of(match.opened.schema), match.game.key
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
    for area in match.opened.schema.areas:
        if area.per_seat and (area.sight.others in ("nothing", "below") or not area.counted):
            for seat in table.seats:
                place = Place(f"{seat}.{area.name}")
                if area.sight.others != "below" or len(table.places.get(place, ())) >= area.sight.below:
                    yield ("counts", seat, (key, place)), eyes.counts(table, place)


def parts_of_entries(match: Match, session: Session, eyes: Eyes) -> Iterator[tuple[Part, bool]]:
    """Yield the hidden information of a record with notes and claims, and whether a viewer who writes sees it."""
    own, claims = writer(session), {P1: "x", P2: "x"}
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
    """Return how much of each kind a session sees with these eyes; `mine` is the word for what its own seat holds."""
    parts: list[tuple[Part, bool]] = []
    for game in GAMES:
        match = load(game, closed)
        parts += parts_on_table(match, match.eyes(viewer))
        parts += parts_of_entries(match, session, match.eyes(viewer))

    def extent(kind: Kind) -> str:
        known = [part for part, is_seen in parts if part[0] == kind and is_seen]
        if len(known) in (0, sum(part[0] == kind for part, _ in parts)):
            return "all" if known else "–"
        return mine if {owner for _, owner, _ in known} == {writer(session)} else "some"

    return tuple(map(extent, KINDS))


def carry_out(session: Session, closed: bool, act: Act, times: int = 1) -> tuple[str, str]:
    """Do an act so many times in a new match. Returns the last answer, and the entries that it left."""
    with closing(make_house(GAME, closed)) as house:
        before, answer = 0, ""
        for n in range(times):
            before = house.store.version(MATCH)
            try:
                act(Ask(house=house, session=session, path={"match": MATCH}), UUID(int=n))
                answer = "done"
            except Halt as stopped:
                answer = stopped.problem.type
            except FormatError:
                answer = "unreadable"
        return answer, " and ".join(map(name_entry, house.store.read(MATCH, after=before)))


def name_entry(entry: E.Entry) -> str:
    kind = kind_of(entry.text) if isinstance(entry, E.Noted) else None
    return f"note `{kind}`" if kind else f"`{str(entry.__struct_config__.tag).partition('/')[0]}`"


def break_seal(ask: Ask, key: UUID) -> object:
    return seals.break_seal(ask, None, C.BreakSeal(viewer=JUDGE, id=key))


def invite(ask: Ask, key: UUID) -> object:
    return sessions.invite(ask, None, wire.Invite(role="seat", name=str(key), matches=(MATCH,), seat=P1))


def send(command: C.AnyCommand) -> Act:
    return lambda ask, key: write(ask, "", replace(command, id=key), f'"{ask.house.store.version(MATCH)}"')


WRONG: Final = C.Play(text="p2: up SK D5 u50")
GUESSES: Final[dict[Kind, tuple[C.AnyCommand, C.AnyCommand]]] = {
    "faces": (C.Play(text="p2: up H4 D5 u50"), WRONG),
    "numbers": (C.Correct(facts=("turn u40 up",), reason="x"), C.Correct(facts=("turn u200 up",), reason="x")),
}
"""Pairs of commands that guess right and wrong: p2 holds H4 (u40) and D5, and not SK; u200 is the number of no card."""


def guess(session: Session, closed: bool) -> Iterator[Row]:
    """Yield what refused commands teach, if right and wrong guesses have different answers."""
    answers = {kind: {carry_out(session, closed, send(body))[0] for body in GUESSES[kind]} for kind in GUESSES}
    if taught := [kind for kind in GUESSES if len(answers[kind]) > 1]:
        once, third = (carry_out(session, closed, send(WRONG), times)[1] for times in (1, 3))
        extents = tuple("yes or no" if kind in taught else "–" for kind in KINDS)
        yield "is refused a command", extents, once if once == third else f"{once}; the third time {third}"


def rows_of(role: Role, closed: bool) -> Iterator[Row]:
    """Yield all acts by which a role may learn something."""
    session = Session(role, "x", (MATCH,), P1) if role == "seat" else Session(role, "x", number="00")

    def looks(viewer: Seat, broken: Broken | None = None, *, published: bool = False) -> bool:
        return may_look(session, MATCH, viewer, broken, closed=closed, published=published) == "yes"

    if looks(SPECTATOR):
        act = "looks after the delay" if is_delayed(session) else "looks"
        yield act, measure(session, SPECTATOR, closed), ""
    if session.seat and looks(session.seat):
        yield "looks from its seat", measure(session, session.seat, closed), ""
    if looks(JUDGE):
        yield "looks as judge", measure(session, JUDGE, closed), ""
    elif looks(JUDGE, Broken(JUDGE, START_MS)):
        yield "breaks the seal", measure(session, JUDGE, closed), carry_out(session, closed, break_seal)[1]
    elif looks(JUDGE, published=True):
        yield "looks, with `--published`", measure(session, JUDGE, closed), ""
    for times, act in ((1, "invites to a free seat"), (2, "invites to a held seat")):
        answer, leaves = carry_out(session, closed, invite, times)
        if answer == "done":
            yield act, measure(Session("seat", "x", (MATCH,), P1), P1, closed, "that seat's"), leaves
    yield from guess(session, closed)


def table(closed: bool) -> str:
    """Return one table: a line for each act of each role."""
    lines = [f"| role | act | {' | '.join(KINDS)} | leaves |", "|---" * (len(KINDS) + 3) + "|"]
    for role in ROLES:
        rows = list(rows_of(role, closed)) or [("cannot look", ("–",) * len(KINDS), "")]
        lines += (f"| {role} | {act} | {' | '.join(extents)} | {leaves or '–'} |" for act, extents, leaves in rows)
    return "\n".join(lines)


def page(text: str) -> str:
    """Return the page with tables of what the code does now."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    parts = ("While a match goes on:", table(closed=False), "After a match is closed:", table(closed=True))
    return "\n\n".join((f"{head}{BEGIN}", *parts, f"{END}{tail}"))


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
