"""A match explored: what if, what changed, who knew what, when did that happen. Only `branch` writes."""

from typing import Annotated, Literal

from msgspec import UNSET, Struct

from cli.answer import Answer
from cli.context import Desk, shown
from cli.record import outcome
from cli.values import At, By, Match, Viewer
from domain.formats.errors import FormatError
from domain.law.game import Game
from projections.answers import Changed, Knew, Learned, Touched, tell_known
from projections.changes import render_changes
from projections.differences import differences
from projections.knowledge import learned, render_knowledge, render_learned
from projections.log_knowledge import render_log_knew
from projections.phrases import Names, seat_name
from projections.when import NotFound, render_traced, when as trace
from recorder import branches
from recorder.clock import now
from recorder.store import Conflict


class Opened(Struct, frozen=True):
    """A match that shares another one's past."""

    match: str
    parent: str
    at: int
    version: int
    unofficial: Literal[True] = True


def branch(
    desk: Desk,
    match: Match,
    at: Annotated[int, "--at N"],
    match_id: Annotated[str | None, "--match ID"] = None,
    seed: Annotated[int | None, "--seed N"] = None,
    by: By = "",
) -> Answer[Opened]:
    """Open an unofficial match that shares another one's past; its id alone is printed."""
    secret = desk.seed(seed)
    with desk.store(writing=True) as store:
        done = branches.branch(store, desk.match(store, match).id, at, match_id, secret, now(), by)
        if isinstance(done, branches.NoBranch):
            raise desk.problem("branch.refused", detail=done.what.say(desk.lang))
        if isinstance(done, Conflict):
            raise desk.problem("cli.match_exists", match=done.match)
        if not isinstance(done, branches.Branched):
            raise outcome.trouble(desk, store, done)
    return answer_opened(desk, Opened(done.match, done.parent, done.at, done.version), done.parent_open, seed)


def answer_opened(desk: Desk, opened: Opened, parent_open: bool, seed: int | None = None) -> Answer[Opened]:
    """A branch that was opened: its id, and beside it what it is."""

    def beside() -> None:
        desk.warn_of(seed)
        desk.hint("branch.of", parent=opened.parent, at=opened.at)
        if parent_open:
            desk.hint("branch.parent_open", parent=opened.parent)

    return Answer(lambda: opened, lambda: desk.screen.line(opened.match), beside=beside)


def diff(
    desk: Desk, match: Match, before: Annotated[int, "N"], after: Annotated[int, "M"], viewer: Viewer = "spectator"
) -> Answer[Changed]:
    """What is otherwise after one entry than after another, zone by zone, as a viewer sees both tables."""
    record, eyes, _ = desk.look(match, viewer)
    old, new = (record.after(desk.entry(record, number)) for number in (before, after))
    return answer_changed(
        desk, record.game, record.names, Changed(record.id, before, after, differences(eyes, new, old))
    )


def answer_changed(desk: Desk, game: Game, names: Names, changed: Changed) -> Answer[Changed]:
    """What is otherwise, zone by zone."""
    told = changed.differences

    def draw() -> None:
        about = {"before": changed.before, "after": changed.after, "viewer": seat_name(names, told.viewer, desk.lang)}
        desk.tell("changes.title", "heading", **about)
        desk.screen.rows(render_changes(told, game, desk.lang, names))

    return Answer(lambda: changed, draw)


def knows(
    desk: Desk,
    match: Match,
    at: At = None,
    diff: Annotated[int | None, "--diff M"] = None,
    viewer: Viewer = "spectator",
) -> Answer[Knew | Learned]:
    """Which faces each seat and everybody have seen, from which entry on; undone entries count."""
    record, eyes, number = desk.look(match, viewer, at)
    if diff is not None:
        first, last = sorted((number, desk.entry(record, diff)))
        told = Learned(record.id, eyes.viewer, first, last, learned(record, eyes, first, last))
        return answer_learned(desk, record.game, record.names, told)
    return answer_known(desk, record.game, record.names, tell_known(record, record.id, eyes, number))


def answer_known(desk: Desk, game: Game, names: Names, knew: Knew) -> Answer[Knew]:
    """Which faces everybody has seen by an entry."""

    def draw() -> None:
        desk.tell("knows.title", "heading", at=knew.at, viewer=seat_name(names, knew.viewer, desk.lang))
        desk.screen.rows(render_knowledge(knew.knowledge, game, desk.lang, names))
        if knew.log is not UNSET:
            desk.screen.rows(render_log_knew(knew.log, game, desk.lang, names))

    return Answer(lambda: knew, draw)


def answer_learned(desk: Desk, game: Game, names: Names, told: Learned) -> Answer[Learned]:
    """Which faces everybody has seen between two entries."""

    def draw() -> None:
        about = {"before": told.before, "after": told.after, "viewer": seat_name(names, told.viewer, desk.lang)}
        desk.tell("knows.diff_title", "heading", **about)
        desk.screen.rows(render_learned(told.learned, game, desk.lang, names))

    return Answer(lambda: told, draw)


def when(
    desk: Desk, match: Match, thing: Annotated[str, "THING"], at: At = None, viewer: Viewer = "spectator"
) -> Answer[Touched]:
    """Which entry last moved, marked, turned or stanced a thing, by which clause."""
    record, eyes, number = desk.look(match, viewer, at)
    try:
        answer = trace(record, eyes, thing, number)
    except FormatError as error:
        raise desk.mistyped(thing, error) from None
    if isinstance(answer, NotFound):
        raise desk.problem(answer.key, thing=shown(thing), viewer=eyes.viewer, at=number, ways=", ".join(answer.ways))

    return answer_touched(desk, record.game, record.names, Touched(record.id, thing, answer))


def answer_touched(desk: Desk, game: Game, names: Names, touched: Touched) -> Answer[Touched]:
    """Which entries last touched a thing."""
    traced = touched.answer

    def draw() -> None:
        about = {"thing": touched.name, "at": traced.at, "viewer": seat_name(names, traced.viewer, desk.lang)}
        desk.tell("when.title", "heading", **about)
        desk.screen.rows(render_traced(traced, game, desk.lang, names))

    return Answer(lambda: touched, draw)
