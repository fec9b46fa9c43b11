"""Exploration of a match: branches, changes, knowledge and history. Only `branch` writes."""

from typing import Annotated, Literal

from msgspec import UNSET, Struct

from cli.answer import Answer
from cli.backends import open_backend
from cli.context import CommandContext, quote_input
from cli.readers import LocalQueries, open_reader
from cli.values import At, By, Entering, Match, Viewer
from projections.answers import KnowledgeAnswer, KnowledgeDiff, TableDiff, TraceAnswer, make_knowledge_answer
from projections.changes import render_changes
from projections.differences import differences
from projections.knowledge import list_learned, render_knowledge, render_learned
from projections.log_knowledge import render_log_knowledge
from projections.phrases import seat_name
from projections.thing_history import NotFound, find_latest_facts as trace, render_traced


class BranchSummary(Struct, frozen=True):
    """A match that shares the entries of another up to `at`."""

    match: str
    parent: str
    at: int
    version: int
    unofficial: Literal[True] = True


def branch(
    ctx: CommandContext,
    match: Match,
    at: Annotated[int, "--at N"],
    match_id: Annotated[str | None, "--match ID"] = None,
    seed: Annotated[int | None, "--seed N"] = None,
    by: By = "",
) -> Answer[BranchSummary]:
    if ctx.is_remote and seed is not None:
        raise ctx.problem("client.no_seed")
    secret = ctx.seed(seed)
    with open_backend(ctx, match, Entering(by)) as backend:
        done = backend.branch(at, match_id, secret)
    opened = BranchSummary(done.match, done.parent, done.at, done.version)

    def draw_hints() -> None:
        ctx.warn_of_seed(seed)
        ctx.hint("branch.of", parent=opened.parent, at=opened.at)
        if done.parent_open:
            ctx.hint("branch.parent_open", parent=opened.parent)

    return Answer(lambda: opened, lambda: ctx.screen.line(opened.match), beside=draw_hints)


class LocalHistory(LocalQueries):
    def changes(self, number: int, since: int) -> TableDiff:
        old, new = self.record.after(since), self.record.after(number)
        return TableDiff(self.id, since, number, differences(self.eyes, new, old))

    def list_known_faces(self, number: int) -> KnowledgeAnswer:
        return make_knowledge_answer(self.record, self.id, self.eyes, number)

    def list_learned_faces(self, number: int, since: int) -> KnowledgeDiff:
        first, last = sorted((number, since))
        return KnowledgeDiff(self.id, self.eyes.viewer, first, last, list_learned(self.record, self.eyes, first, last))

    def find_last_change(self, number: int, thing: str) -> TraceAnswer:
        """Return the last fact of each kind about a thing up to an entry. Raises FormatError, CommandError."""
        answer = trace(self.record, self.eyes, thing, number)
        if isinstance(answer, NotFound):
            ways = ", ".join(answer.ways)
            raise self.ctx.problem(answer.key, thing=quote_input(thing), viewer=self.eyes.viewer, at=number, ways=ways)
        return TraceAnswer(self.id, thing, answer)


def diff(
    ctx: CommandContext,
    match: Match,
    before: Annotated[int, "N"],
    after: Annotated[int, "M"],
    viewer: Viewer = "spectator",
) -> Answer[TableDiff]:
    reader = open_reader(ctx, LocalHistory, match, viewer)
    old, new = reader.entry(before), reader.entry(after)
    changed = reader.match.changes(new, old)
    differences = changed.differences

    def draw() -> None:
        who = seat_name(reader.names, differences.viewer, ctx.lang)
        ctx.print_message("changes.title", "heading", before=changed.before, after=changed.after, viewer=who)
        ctx.screen.rows(render_changes(differences, reader.law.game, ctx.lang, reader.names))

    return Answer(lambda: changed, draw)


def knows(
    ctx: CommandContext,
    match: Match,
    at: At = None,
    diff: Annotated[int | None, "--diff M"] = None,
    viewer: Viewer = "spectator",
) -> Answer[KnowledgeAnswer | KnowledgeDiff]:
    """Show the faces each seat and all viewers know, and since which entry. Undone entries count."""
    reader = open_reader(ctx, LocalHistory, match, viewer, at)
    number, names, game = reader.entry(at), reader.names, reader.law.game
    answer = (
        reader.match.list_known_faces(number)
        if diff is None
        else reader.match.list_learned_faces(number, reader.entry(diff))
    )
    who = seat_name(names, answer.viewer, ctx.lang)

    def draw() -> None:
        if isinstance(answer, KnowledgeDiff):
            ctx.print_message("knows.diff_title", "heading", before=answer.before, after=answer.after, viewer=who)
            ctx.screen.rows(render_learned(answer.learned, game, ctx.lang, names))
            return
        ctx.print_message("knows.title", "heading", at=answer.at, viewer=who)
        ctx.screen.rows(render_knowledge(answer.knowledge, game, ctx.lang, names))
        if answer.log is not UNSET:
            ctx.screen.rows(render_log_knowledge(answer.log, game, ctx.lang, names))

    return Answer(lambda: answer, draw)


def when(
    ctx: CommandContext, match: Match, thing: Annotated[str, "THING"], at: At = None, viewer: Viewer = "spectator"
) -> Answer[TraceAnswer]:
    reader = open_reader(ctx, LocalHistory, match, viewer, at)
    number = reader.entry(at)
    with reader.locate_errors(thing):
        touched = reader.match.find_last_change(number, thing)
    traced = touched.answer

    def draw() -> None:
        who = seat_name(reader.names, traced.viewer, ctx.lang)
        ctx.print_message("when.title", "heading", thing=touched.name, at=traced.at, viewer=who)
        ctx.screen.rows(render_traced(traced, reader.law.game, ctx.lang, reader.names))

    return Answer(lambda: touched, draw)
