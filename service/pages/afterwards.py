"""What is recorded of real cards afterwards: where actions are missing, and what a card was that nobody knew."""

from typing import Annotated, Final, Literal
from uuid import UUID, uuid4

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.formats.faces import read_face
from domain.formats.tokens import word
from domain.law.unseen import not_there
from domain.words import Lang, Text
from projections import phrases as P
from projections.board import board
from projections.things import things_on
from recorder.usecases import commands as C
from service import recording as R
from service.access import may
from service.addresses import to
from service.asking import Ask, Nothing, Reply
from service.house import Sight
from service.pages.paper import form, go, page, said, sheet
from service.pages.within import match_name
from service.problems import Halt, Problem, halt

Head = Annotated[int, Meta(ge=0, le=999_999_999)]
Field = Annotated[str, Meta(max_length=C.LINE_MAX)]
DIGITS: Final = 6
"""So many digits has a number of actions at most."""


class Missing(Struct, frozen=True, forbid_unknown_fields=True):
    """Something is missing: why, at most how many actions, and facts by hand, one a line."""

    id: UUID
    head: Head
    reason: Field = ""
    most: Field = ""
    facts: Annotated[str, Meta(max_length=20 * C.LINE_MAX)] = ""


class Found(Struct, frozen=True, forbid_unknown_fields=True):
    """What a card is, found out afterwards, and how."""

    id: UUID
    head: Head
    thing: Field = ""
    face: Field = ""
    reason: Field = ""


NO_GAP, NO_CARD = Missing(UUID(int=0), 0), Found(UUID(int=0), 0)


class Wrong(Struct, frozen=True):
    """What is wrong with a form, and with which of its fields."""

    form: Literal["gap", "late"]
    field: str
    text: str
    status: int


def show(ask: Ask, query: Nothing, body: None) -> Reply:
    """The forms."""
    return _page(ask, _look(ask))


def record_gap(ask: Ask, query: object, body: Missing) -> Reply:
    """Record that actions are missing."""
    sight, most = _look(ask), body.most.strip()
    if most and not (most.isascii() and most.isdecimal() and len(most) <= DIGITS):
        return _again(ask, sight, _wrong(ask, "gap", "most", Text("problem.no_number", {"text": most})), gap=body)
    facts = tuple(fact.strip() for fact in body.facts.splitlines() if fact.strip())
    command = C.Gap(id=body.id, reason=body.reason, most=int(most or 0), facts=facts)
    stopped = _write(ask, command, body.head)
    if stopped is None:
        return go(to(ask.lang, "record", sight.match.id))
    field = "facts" if body.reason.strip() else "reason"
    return _again(ask, _look(ask), Wrong("gap", f"gap-{field}", stopped.says(ask.lang), stopped.status), gap=body)


def record_face(ask: Ask, query: object, body: Found) -> Reply:
    """Record what a card was found to be."""
    sight = _look(ask)
    unfit = _unfit(sight, body)
    if unfit is not None:
        return _again(ask, sight, _wrong(ask, "late", *unfit), late=body)
    fact = f"learn {body.thing} {word(body.face.strip())}"
    stopped = _write(ask, C.Correct(id=body.id, facts=(fact,), reason=body.reason.strip()), body.head)
    if stopped is None:
        return go(to(ask.lang, "record", sight.match.id))
    return _again(ask, _look(ask), Wrong("late", "late-face", stopped.says(ask.lang), stopped.status), late=body)


def _unfit(sight: Sight, body: Found) -> tuple[str, Text] | None:
    """The field that cannot be so, and why."""
    match = sight.match
    if body.thing not in dict(_things(sight, "en")):
        return "thing", Text("problem.no_thing", {"thing": body.thing or "-"})
    if not body.reason.strip():
        return "reason", Text("problem.no_reason")
    card = next(card for card, piece in match.table.pieces.items() if f"u{piece.thing}" == body.thing)
    known = sight.eyes.blind(match.table)  # what only the log knows must not be told by what it has against a face
    face = read_face(match.game, body.face)
    why = face if isinstance(face, Text) else not_there(match.game, match.opened, known, card, face)
    return None if why is None else ("face", why)


def _write(ask: Ask, command: C.Gap | C.Correct, head: int) -> Problem | None:
    try:
        R.write(ask, "", command, f'"{head}"')
    except FormatError as error:
        return halt("unreadable", error.message).problem
    except Halt as stopped:
        return stopped.problem
    return None


def _look(ask: Ask) -> Sight:
    """A match with real cards that whoever asks may record. Halts where cards were dealt."""
    sight = ask.look("", "record")
    if not sight.match.undealt:
        raise halt("unknown", Text("problem.dealt"))
    if sight.match.closed:
        raise halt("closed")
    return sight


def _wrong(ask: Ask, form: Literal["gap", "late"], field: str, why: Text) -> Wrong:
    return Wrong(form, f"{form}-{field}", why.say(ask.lang), 422)


def _again(ask: Ask, sight: Sight, wrong: Wrong, *, gap: Missing = NO_GAP, late: Found = NO_CARD) -> Reply:
    """The forms with what was typed, and what is wrong with it."""
    return replace(_page(ask, sight, wrong, gap, late), status=wrong.status)


def _page(ask: Ask, sight: Sight, wrong: Wrong | None = None, gap: Missing = NO_GAP, late: Found = NO_CARD) -> Reply:
    match, lang = sight.match, ask.lang
    return sheet(
        ask,
        "afterwards.html",
        said(ask, "after.title", match=match_name(match, ask.lang)),
        match=match.id,
        head=sight.head,
        back=to(lang, "record", match.id),
        compare=f"{to(lang, 'paper', 'compare')}?match={match.id}" if may(ask.session, "hold_sheets") else "",
        gap_url=to(lang, "record", match.id, "gap"),
        late_url=to(lang, "record", match.id, "found"),
        gap_id=uuid4(),
        late_id=uuid4(),
        line_max=C.LINE_MAX,
        gap=gap,
        late=late,
        things=_things(sight, lang),
        faces=[(face, P.word(match.game, face, lang)) for face in sorted(match.game.faces())],
        wrong=wrong.text if wrong is not None else "",
        wrong_form=wrong.form if wrong is not None else "",
        wrong_field=wrong.field if wrong is not None else "",
    )


def _things(sight: Sight, lang: Lang) -> list[tuple[str, str]]:
    """The cards that whoever records can point at and does not know, each with where it lies."""
    game, seen = sight.match.game, things_on(board(sight.match, sight.eyes, sight.head))
    return [
        (f"u{card.thing}", f"u{card.thing}: {P.place_words(game, place.place, lang, sight.match.names)}")
        for card, place in seen
        if card.face is None
    ]


ROUTES: Final = (
    page("/record/{match:str}/after", show, "What is recorded of real cards afterwards.", "record"),
    form("/record/{match:str}/gap", record_gap, "Record that actions are missing.", "record", Missing, "commands"),
    form("/record/{match:str}/found", record_face, "Record what a card was.", "record", Found, "commands"),
)
