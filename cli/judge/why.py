"""Explanations of entries and of illegal actions."""

from typing import Annotated

import msgspec

from cli.answer import Answer
from cli.context import CommandContext
from cli.problems import FINDINGS, FINE
from cli.readers import LocalQueries, open_reader
from cli.values import Action, At, Match, Viewer
from domain.formats.typed import read_seen
from domain.law.law import Law
from domain.words.foreign import explain_decode_error
from projections.answers import Explained, WhyNotAnswer, make_explanation, make_why_not_answer
from projections.findings import render_reasons, render_shaped
from projections.phrases import Names, seat_name
from projections.seen_entries import see_entry_at
from projections.timeline import entry_words, render_timeline
from projections.why import Reason, why as explain, why_not as explain_not


class LocalReasons(LocalQueries):
    def why(self, number: int) -> Explained:
        record, eyes = self.record, self.eyes
        try:
            reason = explain(record, eyes, number)
        except msgspec.MsgspecError as error:
            raise self.ctx.unavailable(record.id, explain_decode_error(error)) from None
        seen = see_entry_at(record, eyes, number)
        return make_explanation(record.id, eyes.viewer, record.law, seen, reason)

    def why_not(self, number: int, action: str) -> WhyNotAnswer:
        """Return the reasons why an action is illegal after an entry, if it is. Raises FormatError."""
        record, eyes = self.record, self.eyes
        own_seat = eyes.viewer if eyes.viewer in record.opening.seats else None
        actor, meant = read_seen(record, record.after(number), action, eyes, own_seat)
        answer = explain_not(record, eyes, number, actor, meant)
        return make_why_not_answer(record.id, eyes.viewer, record.law, action, answer)


def why(
    ctx: CommandContext, match: Match, number: Annotated[int, "N"], viewer: Viewer = "spectator"
) -> Answer[Explained]:
    reader = open_reader(ctx, LocalReasons, match, viewer, number)
    explained = reader.match.why(reader.entry(number))
    return Answer(lambda: explained, lambda: _draw_why(ctx, reader.law, reader.names, explained))


def _draw_why(ctx: CommandContext, law: Law, names: Names, explained: Explained) -> None:
    seen, clauses = explained.entry, explained.clauses
    ctx.screen.rows(render_timeline([entry_words(law.game, seen, ctx.lang, names)], ctx.lang))
    if explained.trail:
        ctx.print_message("why.trail", "heading")
        ctx.screen.rows(render_reasons(explained.trail, law, ctx.lang, names, 1))
    cited = dict.fromkeys([fact.clause for fact in seen.facts if fact.clause] + list(seen.violations))
    if cited:
        ctx.print_message("why.clauses", "heading")
        for clause in cited:
            ctx.screen.line(f"  {clause} {clauses[clause].say(ctx.lang)}")
    if explained.shaped:
        ctx.print_message("why.shaped", "heading", viewer=seat_name(names, explained.viewer, ctx.lang))
        ctx.screen.rows(render_shaped(explained.shaped, law, ctx.lang, names, 1))


def why_not(
    ctx: CommandContext, match: Match, action: Action, at: At = None, viewer: Viewer = "spectator"
) -> Answer[WhyNotAnswer]:
    reader = open_reader(ctx, LocalReasons, match, viewer, at)
    number, text = reader.entry(at), " ".join(action)
    with reader.locate_errors(text):
        asked = reader.match.why_not(number, text)
    law, names = reader.law, reader.names
    answer, viewer = asked.answer, seat_name(names, asked.viewer, ctx.lang)

    def draw() -> None:
        ctx.print_message(_outcome(answer.failing), "heading", entry=number, viewer=viewer)
        ctx.screen.rows(render_reasons(answer.failing, law, ctx.lang, names, 1))
        if answer.shaped:
            ctx.print_message("why.shaped_asked", "heading", viewer=viewer)
            ctx.screen.rows(render_shaped(answer.shaped, law, ctx.lang, names, 1))

    return Answer(lambda: asked, draw, FINE if answer.allowed else FINDINGS)


def _outcome(failing: tuple[Reason, ...]) -> str:
    if not failing:
        return "whynot.allowed"
    return "whynot.unknown" if all(step.holds is None for step in failing) else "whynot.refused"
