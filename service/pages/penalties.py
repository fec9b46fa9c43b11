"""The penalties of a match, and the form by which a judge gives one that no dispute led to."""

from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from domain.formats.errors import FormatError
from domain.law.docket import docket_of
from domain.law.policy import Policy, policy_of
from domain.table.table import Seat
from domain.words import Text
from projections.filed import list_words, penalty_words
from projections.penalties import see_penalties
from projections.phrases import seat_name
from recorder import matches
from recorder.usecases import commands as C
from service import recording as R
from service.access import may
from service.asking import Ask, Nothing, Reply
from service.command_ids import name_command
from service.house import Sight
from service.pages.match_endings import offer_ending
from service.pages.paper import form, go, page, problem_of, said, tell_wrong, with_problem
from service.pages.previews import Preview, show_beforehand
from service.pages.within import form_id, match_name, way_to, within
from service.problems import Halt, Problem, halt


class Giving(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A penalty, once it was shown as players will read it (`check`, known again by `checked`), behind an entry."""

    do: Literal["check", "give"]
    id: UUID
    head: int = 0
    seat: Seat = Seat("")
    infraction: str = ""
    step: str = ""
    reason: str = ""
    departure: str = ""
    checked: str = ""


class Given(Struct, frozen=True):
    """A penalty that stands, in words, with the moment of its entry."""

    entry: int
    url: str
    words: str


def show_penalties(ask: Ask, query: Nothing, body: None) -> Reply:
    """The penalties of a match, those of rulings too."""
    return _draw(ask, ask.look(ask.viewer))


def give_penalty(ask: Ask, query: Nothing, body: Giving) -> Reply:
    """Give a penalty; it is shown first as players will read it, and once more if another was given meanwhile."""
    viewer = ask.viewer
    sight = ask.look(viewer)
    preview = problem = None
    try:
        command = _command(body)
        if body.do == "give" and _was_given(ask, sight, command):
            R.write(ask, viewer, command, "*")
            return go(way_to(ask, sight).all("penalties"))
        preview = show_beforehand(ask, sight, command, checks=True)
        if body.do == "give" and any(number > body.head for number, _ in docket_of(sight.match.entries).penalties):
            problem = halt("conflict", Text("penalties.meanwhile")).problem
        elif body.do == "give" and body.checked == preview.checked:
            R.write(ask, viewer, command, "*")
            return go(way_to(ask, sight).all("penalties"))
    except (Halt, FormatError) as stopped:
        problem, preview = problem_of(stopped), None
    return _draw(ask, sight, body, preview, problem)


def _was_given(ask: Ask, sight: Sight, command: C.Penalise) -> bool:
    return matches.answered_before(ask.house.store, sight.match.id, name_command(ask, command)) is not None


def _command(body: Giving) -> C.Penalise:
    """What the form comes to. Halts where it names nobody."""
    if not body.seat:
        raise halt("unreadable", Text("penalties.nobody"))
    penalty = C.Penalty(seat=body.seat, step=body.step.strip(), infraction=body.infraction.strip())
    return C.Penalise(id=body.id, penalty=penalty, reason=body.reason, departure=body.departure)


def _draw(
    ask: Ask, sight: Sight, sent: Giving | None = None, preview: Preview | None = None, problem: Problem | None = None
) -> Reply:
    match, way, policy = sight.match, way_to(ask, sight), policy_of(sight.match.opened.policy)
    command = form_id(ask, sight, "penalties")
    known = policy if isinstance(policy, Policy) else None
    given = docket_of(match.entries).penalties
    seen = see_penalties(match.opened.policy, (penalty for _, penalty in given))
    drawn = within(
        ask,
        sight,
        "penalties.html",
        said(ask, "penalties.title", match=match_name(match, ask.lang)),
        0,
        lambda eyes: eyes.all("penalties"),
        penalties=[
            Given(number, way.moment(number), penalty_words(penalty, ask.lang, match.names))
            for (number, _), penalty in zip(given, seen, strict=True)
        ],
        gives=not match.closed and not sight.damaged and may(ask.session, "rule", match.id),
        action=way.all("penalties"),
        ending=offer_ending(ask, sight),
        sent=sent if sent is not None else Giving(do="check", id=command),
        command=command,
        preview=preview,
        seats=[(seat, seat_name(match.names, seat, ask.lang)) for seat in match.opened.seats],
        steps=list_words(known.step, ask.lang) if known else [],
        infractions=list_words(known.infraction, ask.lang) if known else [],
        wrong=tell_wrong(ask, problem),
    )
    return with_problem(drawn, problem)


ROUTES: Final = (
    page("/m/{match:str}/penalties", show_penalties, "The penalties of a match."),
    page("/m/{match:str}/penalties/as/{viewer:str}", show_penalties, "The same with other eyes."),
    form("/m/{match:str}/penalties", give_penalty, "Give a penalty.", "rule", Giving, "commands"),
    form("/m/{match:str}/penalties/as/{viewer:str}", give_penalty, "The same.", "rule", Giving, "commands"),
)
