"""Why an entry is as it is, and why something is not allowed."""

from typing import Annotated

import msgspec

from cli.answer import Answer
from cli.context import Desk
from cli.problems import FINDINGS, FINE
from cli.values import Action, At, Match, Viewer
from domain.formats.errors import FormatError
from domain.formats.typed import read_seen
from domain.law.law import Law
from domain.words.foreign import misfit
from projections.answers import Asked, Explained, tell_why, tell_why_not
from projections.findings import render_reasons, render_shaped
from projections.phrases import Names, seat_name
from projections.seen_entries import seen_entries
from projections.timeline import entry_words, render_timeline
from projections.why import Reason, why as explain, why_not as held_against


def why(desk: Desk, match: Match, number: Annotated[int, "N"], viewer: Viewer = "spectator") -> Answer[Explained]:
    """An entry explained: what was checked, what followed, each with its clause."""
    record, eyes, number = desk.look(match, viewer, number)
    try:
        reason = explain(record, eyes, number)
    except msgspec.MsgspecError as error:
        raise desk.unavailable(record.id, misfit(error)) from None
    seen = list(seen_entries(record, eyes, number, flow=True))[-1]
    explained = tell_why(record.id, eyes.viewer, record.law, seen, reason)
    return Answer(lambda: explained, lambda: draw_why(desk, record.law, record.names, explained))


def draw_why(desk: Desk, law: Law, names: Names, explained: Explained) -> None:
    """An entry, what was checked for it, its clauses in words, and what shaped it."""
    seen, clauses = explained.entry, explained.clauses
    desk.screen.rows(render_timeline([entry_words(law.game, seen, desk.lang, names)], desk.lang))
    if explained.trail:
        desk.tell("why.trail", "heading")
        desk.screen.rows(render_reasons(explained.trail, law, desk.lang, names, 1))
    told = dict.fromkeys([fact.clause for fact in seen.facts if fact.clause] + list(seen.violations))
    if told:
        desk.tell("why.clauses", "heading")
        for clause in told:
            desk.screen.line(f"  {clause} {clauses[clause].say(desk.lang)}")
    if explained.shaped:
        desk.tell("why.shaped", "heading", viewer=seat_name(names, explained.viewer, desk.lang))
        desk.screen.rows(render_shaped(explained.shaped, law, desk.lang, names, 1))


def why_not(desk: Desk, match: Match, action: Action, at: At = None, viewer: Viewer = "spectator") -> Answer[Asked]:
    """Every condition an action fails, in order, as far as the one who asks may know."""
    record, eyes, number = desk.look(match, viewer, at)
    seat = eyes.viewer
    own = seat if seat in record.opened.seats else None
    text = " ".join(action)
    try:
        actor, meant = read_seen(record, record.after(number), text, eyes, own)
    except FormatError as error:
        raise desk.mistyped(text, error) from None
    answer = held_against(record, eyes, number, actor, meant)
    return answer_why_not(
        desk, record.law, record.names, number, tell_why_not(record.id, seat, record.law, text, answer)
    )


def answer_why_not(desk: Desk, law: Law, names: Names, number: int, asked: Asked) -> Answer[Asked]:
    """What an action fails, said; the exit code says whether it may be done."""
    answer, viewer = asked.answer, seat_name(names, asked.viewer, desk.lang)

    def draw() -> None:
        desk.tell(_outcome(answer.failing), "heading", entry=number, viewer=viewer)
        desk.screen.rows(render_reasons(answer.failing, law, desk.lang, names, 1))
        if answer.shaped:
            desk.tell("why.shaped_asked", "heading", viewer=viewer)
            desk.screen.rows(render_shaped(answer.shaped, law, desk.lang, names, 1))

    return Answer(lambda: asked, draw, FINE if answer.allowed else FINDINGS)


def _outcome(failing: tuple[Reason, ...]) -> str:
    if not failing:
        return "whynot.allowed"
    return "whynot.unknown" if all(step.holds is None for step in failing) else "whynot.refused"
