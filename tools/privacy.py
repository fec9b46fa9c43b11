"""Generate the tables of docs/privacy.md: what each role can learn of hidden information, and the entries that leaves.

`python -m tools.privacy` writes them into the page. Each cell is measured: the tool queries rights, compares views with
the full table of a match of each game, and performs each act.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.law import entries as E
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from recorder.remarks import kind_of
from recorder.usecases import commands as C
from service import payloads
from service.access import ROLES, BrokenSeal, Role, Session, is_delayed, view_access
from service.disputes import seals_api
from service.problems import HttpProblem
from service.recording.commands import write
from service.requests import Request
from service.sign_in import api
from tools.privacy_views import KINDS, MATCH, P1, START_MS, Kind, make_context, measure

PAGE: Final = Path(__file__).parents[1] / "docs" / "privacy.md"
BEGIN, END = "<!-- written by python -m tools.privacy -->", "<!-- end of what it writes -->"
GAME: Final = "blackpoker"
"""Game in which the acts are performed."""
Row = tuple[str, tuple[str, ...], str]
"""An act, how much of each kind it reveals, and the entries it leaves."""
Act = Callable[[Request, UUID], object]


def carry_out(session: Session, closed: bool, act: Act, times: int = 1) -> tuple[str, str]:
    """Do an act in a new match `times` times. Return the last answer and the entries it left."""
    with closing(make_context(GAME, closed)) as context:
        before, answer = 0, ""
        for n in range(times):
            before = context.store.version(MATCH)
            try:
                act(Request(context=context, session=session, path={"match": MATCH}), UUID(int=n))
                answer = "done"
            except HttpProblem as stopped:
                answer = stopped.problem.type
            except FormatError:
                answer = "unreadable"
        return answer, " and ".join(map(name_entry, context.store.read(MATCH, after=before)))


def name_entry(entry: E.Entry) -> str:
    kind = kind_of(entry.text) if isinstance(entry, E.Noted) else None
    return f"note `{kind}`" if kind else f"`{str(entry.__struct_config__.tag).partition('/')[0]}`"


def send(command: C.AnyCommand) -> Act:
    return lambda request, key: write(
        request, "", replace(command, id=key), f'"{request.context.store.version(MATCH)}"'
    )


UNSEAL: Final = payloads.BreakSeal(viewer=JUDGE)
INVITED: Final = payloads.Invite(role="seat", name="x", matches=(MATCH,), seat=P1)
WRONG: Final = C.PlayAction(text="p2: up SK D5 u50")
GUESSES: Final[dict[Kind, tuple[C.AnyCommand, C.AnyCommand]]] = {
    "faces": (C.PlayAction(text="p2: up H4 D5 u50"), WRONG),
    "numbers": (C.Correct(facts=("turn u40 up",), reason="x"), C.Correct(facts=("turn u200 up",), reason="x")),
}
"""Pairs of commands with a right and a wrong guess: p2 holds H4 (u40) and D5, and not SK. No card has the number u200.
"""


def guess(session: Session, closed: bool) -> Iterator[Row]:
    """Yield what refused commands reveal, if right and wrong guesses get different answers."""
    answers = {kind: {carry_out(session, closed, send(body))[0] for body in GUESSES[kind]} for kind in GUESSES}
    if revealed := [kind for kind in GUESSES if len(answers[kind]) > 1]:
        once, third = (carry_out(session, closed, send(WRONG), times)[1] for times in (1, 3))
        extents = tuple("yes or no" if kind in revealed else "–" for kind in KINDS)
        yield "is refused a command", extents, once if once == third else f"{once}; the third time {third}"


def rows_of(role: Role, closed: bool) -> Iterator[Row]:
    session = Session(role, "x", (MATCH,), P1) if role == "seat" else Session(role, "x", number="00")

    def looks(viewer: Seat, broken: BrokenSeal | None = None, *, published: bool = False) -> bool:
        return view_access(session, MATCH, viewer, broken, closed=closed, published=published) == "yes"

    if looks(SPECTATOR):
        act = "looks after the delay" if is_delayed(session) else "looks"
        yield act, measure(session, SPECTATOR, closed), ""
    if session.seat and looks(session.seat):
        yield "looks from its seat", measure(session, session.seat, closed), ""
    if looks(JUDGE):
        yield "looks as judge", measure(session, JUDGE, closed), ""
    elif looks(JUDGE, BrokenSeal(JUDGE, START_MS)):
        leaves = carry_out(session, closed, lambda request, _: seals_api.break_seal(request, None, UNSEAL))[1]
        yield "breaks the seal", measure(session, JUDGE, closed), leaves
    elif looks(JUDGE, published=True):
        yield "looks, with `--published`", measure(session, JUDGE, closed), ""
    answer, leaves = carry_out(session, closed, lambda request, _: api.post_invitation(request, None, INVITED))
    if answer == "done":
        yield "invites to a seat", measure(Session("seat", "x", (MATCH,), P1), P1, closed, "that seat's"), leaves
    yield from guess(session, closed)


def table(closed: bool) -> str:
    lines = [f"| role | act | {' | '.join(KINDS)} | leaves |", "|---" * (len(KINDS) + 3) + "|"]
    for role in ROLES:
        rows = list(rows_of(role, closed)) or [("cannot look", ("–",) * len(KINDS), "")]
        lines += (f"| {role} | {act} | {' | '.join(extents)} | {leaves or '–'} |" for act, extents, leaves in rows)
    return "\n".join(lines)


def page(text: str) -> str:
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    parts = ("While a match goes on:", table(closed=False), "After a match is closed:", table(closed=True))
    return "\n\n".join((f"{head}{BEGIN}", *parts, f"{END}{tail}"))


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
