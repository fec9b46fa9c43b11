"""A match explored: what if, what changed, who knew what, when did that happen. Only `branch` writes."""

from typing import Annotated, Literal

from msgspec import Struct

from cli.answer import Answer
from cli.context import Desk, shown
from cli.record import outcome
from cli.values import At, By, Match, Viewer
from domain.formats.errors import FormatError
from domain.law.entries import fold_entries
from domain.table.redact import Eyes
from domain.table.table import Seat
from projections.answers import Knew, Touched
from projections.changes import render_changes
from projections.differences import Differences, differences
from projections.knowledge import Learning, knowledge, learned, render_knowledge, render_learned
from projections.phrases import seat_words
from projections.when import NotFound, render_traced, when as trace
from recorder import branches
from recorder.clock import now
from recorder.loading import Match as Loaded
from recorder.store import Conflict


class Opened(Struct, frozen=True):
    """A match that shares another one's past."""

    match: str
    parent: str
    at: int
    version: int
    unofficial: Literal[True] = True


class Changed(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """What is otherwise after one entry than after another."""

    match: str
    before: int
    after: int
    differences: Differences


class Learned(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """Who has seen which face between two entries."""

    match: str
    viewer: Seat
    before: int
    after: int
    learned: tuple[Learning, ...]


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
        opened = Opened(done.match, done.parent, done.at, store.version(done.match))

    def beside() -> None:
        desk.warn_of(seed)
        desk.hint("branch.of", parent=opened.parent, at=opened.at)
        if done.parent_open:
            desk.hint("branch.parent_open", parent=opened.parent)

    return Answer(lambda: opened, lambda: desk.screen.line(opened.match), beside=beside)


def diff(
    desk: Desk, match: Match, before: Annotated[int, "N"], after: Annotated[int, "M"], viewer: Viewer = "spectator"
) -> Answer[Changed]:
    """What is otherwise after one entry than after another, zone by zone, as a viewer sees both tables."""
    record, eyes, _ = desk.look(match, viewer)
    old, new = (fold_entries(record.entries, desk.entry(record, number)) for number in (before, after))
    changed = differences(eyes, new, old)

    def draw() -> None:
        desk.tell("changes.title", "heading", before=before, after=after, viewer=seat_words(eyes.viewer, desk.lang))
        desk.screen.rows(render_changes(changed, record.game, desk.lang))

    return Answer(lambda: Changed(record.id, before, after, changed), draw)


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
        return _learned(desk, record, eyes, *sorted((number, desk.entry(record, diff))))
    ledgers = knowledge(record, eyes, number)

    def draw() -> None:
        desk.tell("knows.title", "heading", at=number, viewer=seat_words(eyes.viewer, desk.lang))
        desk.screen.rows(render_knowledge(ledgers, record.game, desk.lang))

    return Answer(lambda: Knew(record.id, eyes.viewer, number, ledgers), draw)


def _learned(desk: Desk, record: Loaded, eyes: Eyes, first: int, last: int) -> Answer[Learned]:
    changes = learned(record, eyes, first, last)

    def draw() -> None:
        desk.tell("knows.diff_title", "heading", before=first, after=last, viewer=seat_words(eyes.viewer, desk.lang))
        desk.screen.rows(render_learned(changes, record.game, desk.lang))

    return Answer(lambda: Learned(record.id, eyes.viewer, first, last, changes), draw)


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

    def draw() -> None:
        desk.tell("when.title", "heading", thing=thing, at=number, viewer=seat_words(eyes.viewer, desk.lang))
        desk.screen.rows(render_traced(answer, record.game, desk.lang))

    return Answer(lambda: Touched(record.id, thing, answer), draw)
