"""Later records of real cards: gaps of missing actions, and faces that became known."""

from typing import Annotated, Final, Literal
from uuid import UUID, uuid4

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.formats.faces import read_face
from domain.formats.tokens import write_word
from domain.law.unseen import explain_impossible_face
from domain.words import Lang, Text
from projections import phrases as P
from projections.board import board
from projections.things import things_on
from recorder.usecases import commands as C
from service.access import may
from service.addresses import page_url
from service.context import MatchView
from service.match.layout import match_name
from service.pages import form_route, page_route, redirect, template_page, translate
from service.problems import HttpProblem, Problem, http_problem
from service.recording import commands as R
from service.requests import EmptyPayload, Request, Response

Head = Annotated[int, Meta(ge=0, le=999_999_999)]
Field = Annotated[str, Meta(max_length=C.LINE_MAX)]
DIGITS: Final = 6
"""Digits of a number of actions at most."""


class GapForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A gap: the reason, the number of missing actions at most, and facts by hand, one per line. `under_way` says
    whether an unfinished action ended in the gap; it is required if there is one."""

    id: UUID
    head: Head
    reason: Field = ""
    most: Field = ""
    facts: Annotated[str, Meta(max_length=20 * C.LINE_MAX)] = ""
    under_way: Literal["", "finished", "continues"] = ""


class LateFaceForm(Struct, frozen=True, forbid_unknown_fields=True):
    id: UUID
    head: Head
    thing: Field = ""
    face: Field = ""
    reason: Field = ""


NO_GAP, NO_CARD = GapForm(UUID(int=0), 0), LateFaceForm(UUID(int=0), 0)


class GapFormError(Struct, frozen=True):
    form: Literal["gap", "late"]
    field: str
    text: str
    status: int


def show_forms(request: Request, query: EmptyPayload, body: None) -> Response:
    return _draw_page(request, _look(request))


def record_gap(request: Request, query: object, body: GapForm) -> Response:
    view, most = _look(request), body.most.strip()
    if most and not (most.isascii() and most.isdecimal() and len(most) <= DIGITS):
        return _draw_again(
            request, view, _make_error(request, "gap", "most", Text("problem.no_number", {"text": most})), gap=body
        )
    if not body.under_way and _list_under_way(view, request.lang):
        return _draw_again(request, view, _make_error(request, "gap", "under-way", Text("problem.under_way")), gap=body)
    facts = tuple(fact.strip() for fact in body.facts.splitlines() if fact.strip())
    finished = body.under_way == "finished"
    command = C.ReportGap(id=body.id, reason=body.reason, most=int(most or 0), facts=facts, finished=finished)
    problem = _write(request, command, body.head)
    if problem is None:
        return redirect(page_url(request.lang, "record", view.match.id))
    field = "facts" if body.reason.strip() else "reason"
    return _draw_again(
        request,
        _look(request),
        GapFormError("gap", f"gap-{field}", problem.says(request.lang), problem.status),
        gap=body,
    )


def record_face(request: Request, query: object, body: LateFaceForm) -> Response:
    view = _look(request)
    unfit = _find_error(view, body)
    if unfit is not None:
        return _draw_again(request, view, _make_error(request, "late", *unfit), late=body)
    fact = f"learn {body.thing} {write_word(body.face.strip())}"
    problem = _write(request, C.Correct(id=body.id, facts=(fact,), reason=body.reason.strip()), body.head)
    if problem is None:
        return redirect(page_url(request.lang, "record", view.match.id))
    return _draw_again(
        request,
        _look(request),
        GapFormError("late", "late-face", problem.says(request.lang), problem.status),
        late=body,
    )


def _find_error(view: MatchView, body: LateFaceForm) -> tuple[str, Text] | None:
    match = view.match
    if body.thing not in dict(_list_unknown_cards(view, "en")):
        return "thing", Text("problem.no_thing", {"thing": body.thing or "-"})
    if not body.reason.strip():
        return "reason", Text("problem.no_reason")
    card = next(card for card, piece in match.table.pieces.items() if f"u{piece.thing}" == body.thing)
    known = view.eyes.without_hidden_faces(match.table)  # an error based on the log's knowledge would reveal it
    face = read_face(match.game, body.face)
    why = face if isinstance(face, Text) else explain_impossible_face(match.game, match.opening, known, card, face)
    return None if why is None else ("face", why)


def _write(request: Request, command: C.ReportGap | C.Correct, head: int) -> Problem | None:
    try:
        R.write(request, "", command, f'"{head}"')
    except FormatError as error:
        return http_problem("unreadable", error.message).problem
    except HttpProblem as error:
        return error.problem
    return None


def _look(request: Request) -> MatchView:
    """Return a match with real cards that the session may record. Raises HttpProblem if cards were dealt."""
    view = request.look("", "record")
    if not view.match.undealt:
        raise http_problem("unknown", Text("problem.dealt"))
    if view.match.closed:
        raise http_problem("closed")
    return view


def _make_error(request: Request, form: Literal["gap", "late"], field: str, why: Text) -> GapFormError:
    return GapFormError(form, f"{form}-{field}", why.say(request.lang), 422)


def _draw_again(
    request: Request, view: MatchView, wrong: GapFormError, *, gap: GapForm = NO_GAP, late: LateFaceForm = NO_CARD
) -> Response:
    return replace(_draw_page(request, view, wrong, gap, late), status=wrong.status)


def _draw_page(
    request: Request,
    view: MatchView,
    wrong: GapFormError | None = None,
    gap: GapForm = NO_GAP,
    late: LateFaceForm = NO_CARD,
) -> Response:
    match, lang = view.match, request.lang
    return template_page(
        request,
        "afterwards.html",
        translate(request, "after.title", match=match_name(match, request.lang)),
        match=match.id,
        head=view.head,
        back=page_url(lang, "record", match.id),
        compare=f"{page_url(lang, 'paper', 'compare')}?match={match.id}" if may(request.session, "hold_sheets") else "",
        gap_url=page_url(lang, "record", match.id, "gap"),
        late_url=page_url(lang, "record", match.id, "found"),
        gap_id=uuid4(),
        late_id=uuid4(),
        line_max=C.LINE_MAX,
        gap=gap,
        late=late,
        things=_list_unknown_cards(view, lang),
        under_way=_list_under_way(view, lang),
        faces=[(face, P.word(match.game, face, lang)) for face in sorted(match.game.faces())],
        wrong=wrong.text if wrong is not None else "",
        wrong_form=wrong.form if wrong is not None else "",
        wrong_field=wrong.field if wrong is not None else "",
    )


def _list_under_way(view: MatchView, lang: Lang) -> list[str]:
    """Return the unfinished actions and questions in words, the newest first."""
    seen, game, names = board(view.match, view.eyes, view.head), view.match.game, view.match.names
    frames = (*seen.asked, *seen.running, *seen.waiting, *reversed(seen.stack))
    return list(dict.fromkeys(P.frame_words(game, frame, lang, names) for frame in frames))


def _list_unknown_cards(view: MatchView, lang: Lang) -> list[tuple[str, str]]:
    """Return the unknown cards that the session can point at, with their places."""
    game, seen = view.match.game, things_on(board(view.match, view.eyes, view.head))
    return [
        (f"u{card.thing}", f"u{card.thing}: {P.place_words(game, place.place, lang, view.match.names)}")
        for card, place in seen
        if card.face is None
    ]


ROUTES: Final = (
    page_route("/record/{match:str}/after", show_forms, "Show the forms for later records of real cards.", "record"),
    form_route(
        "/record/{match:str}/gap", record_gap, "Record that actions are missing.", "record", GapForm, "commands"
    ),
    form_route("/record/{match:str}/found", record_face, "Record a late face.", "record", LateFaceForm, "commands"),
)
