"""A match explored: what if, what changed, who knew what, when did that happen. Only `branch` writes."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import answers
from cli.context import Desk, clipped, shown
from cli.registry import At, By, Command, Json, Match, Viewer

if TYPE_CHECKING:
    from recorder.loading import Match as Loaded

BranchAt = Annotated[int, typer.Option("--at", metavar="N", show_default=False)]
BranchId = Annotated[str | None, typer.Option("--match", metavar="ID", show_default=False)]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", show_default=False)]
Before = Annotated[int, typer.Argument(metavar="N", show_default=False)]
After = Annotated[int, typer.Argument(metavar="M", show_default=False)]
Diff = Annotated[int | None, typer.Option("--diff", metavar="M", show_default=False)]
Thing = Annotated[str, typer.Argument(metavar="THING", show_default=False)]


def branch(
    desk: Desk,
    match: Match,
    at: BranchAt,
    match_id: BranchId = None,
    seed: Seed = None,
    by: By = "",
    as_json: Json = False,
) -> None:
    """Open an unofficial match that shares another one's past; its id alone is printed."""
    from recorder.branches import Branched, NoBranch
    from recorder.branches import branch as branched
    from recorder.clock import now
    from recorder.croupier import SEED_BYTES
    from recorder.store import Conflict

    if seed is not None and not 0 <= seed < 2 ** (8 * SEED_BYTES):
        raise desk.problem("cli.bad_seed", seed=clipped(seed), bits=8 * SEED_BYTES)
    secret = None if seed is None else seed.to_bytes(SEED_BYTES, "big")
    with desk.store(writing=True) as store:
        found = desk.match(store, match)
        done = branched(store, found.id, at, match_id, secret, now(), by)
        if isinstance(done, NoBranch):
            raise desk.problem("branch.refused", detail=done.what.say(desk.lang))
        if isinstance(done, Conflict):
            raise desk.problem("cli.match_exists", match=done.match)
        if not isinstance(done, Branched):
            raise answers.trouble(desk, store, done)
        version = store.version(done.match)
    if as_json:
        answer = {"match": done.match, "parent": done.parent, "at": done.at, "version": version, "unofficial": True}
        desk.screen.json(answer)
    else:
        desk.screen.line(done.match)
    desk.warn_of(seed)
    desk.screen.aside(desk.say("branch.of", parent=done.parent, at=done.at))
    if done.parent_open:
        desk.screen.aside(desk.say("branch.parent_open", parent=done.parent))


def diff(
    desk: Desk, match: Match, before: Before, after: After, viewer: Viewer = "spectator", as_json: Json = False
) -> None:
    """What is otherwise after one entry than after another, zone by zone, as a viewer sees both tables."""
    from domain.law.entries import fold_entries
    from domain.table.physics import Physics
    from projections.changes import render_changes
    from projections.differences import differences

    found, seat = _found(desk, match, viewer)
    numbers = desk.entry(found, before), desk.entry(found, after)
    old, new = (fold_entries(found.entries, number) for number in numbers)
    changed = differences(Physics(found.opened.schema), new, old, seat)
    if as_json:
        desk.screen.json({"match": found.id, "from": before, "to": after, "differences": changed})
        return
    desk.screen.line(desk.say("changes.title", before=before, after=after, viewer=seat), "heading")
    desk.screen.rows(render_changes(changed, found.game, desk.lang))


def knows(
    desk: Desk,
    match: Match,
    at: At = None,
    diff: Diff = None,
    viewer: Viewer = "spectator",
    as_json: Json = False,
) -> None:
    """Which faces each seat and everybody have seen, from which entry on; undone entries count."""
    from projections.knowledge import knowledge, learned, render_knowledge, render_learned

    found, seat = _found(desk, match, viewer)
    number = desk.entry(found, at if at is not None else found.version)
    if diff is None:
        ledgers = knowledge(found.entries, seat, number)
        if as_json:
            desk.screen.json({"match": found.id, "viewer": seat, "at": number, "knowledge": ledgers})
            return
        desk.screen.line(desk.say("knows.title", at=number, viewer=seat), "heading")
        desk.screen.rows(render_knowledge(ledgers, found.game, desk.lang))
        return
    first, last = sorted((number, desk.entry(found, diff)))
    changes = learned(found.entries, seat, first, last)
    if as_json:
        desk.screen.json({"match": found.id, "viewer": seat, "from": first, "to": last, "learned": changes})
        return
    desk.screen.line(desk.say("knows.diff_title", before=first, after=last, viewer=seat), "heading")
    desk.screen.rows(render_learned(changes, found.game, desk.lang))


def when(
    desk: Desk, match: Match, thing: Thing, at: At = None, viewer: Viewer = "spectator", as_json: Json = False
) -> None:
    """Which entry last moved, marked, turned or stanced a thing, by which clause."""
    from projections.when import NotFound, render_traced
    from projections.when import when as traced

    found, seat = _found(desk, match, viewer)
    number = desk.entry(found, at if at is not None else found.version)
    answer = traced(found.game, found.entries, thing, seat, number)
    if isinstance(answer, NotFound):
        raise desk.problem(answer.key, thing=shown(thing), viewer=seat, at=number, ways=", ".join(answer.ways))
    if as_json:
        desk.screen.json({"match": found.id, "name": thing, "answer": answer})
        return
    desk.screen.line(desk.say("when.title", thing=thing, at=number, viewer=seat), "heading")
    desk.screen.rows(render_traced(answer, found.game, desk.lang))


def _found(desk: Desk, match: str, viewer: str) -> "tuple[Loaded, Any]":
    with desk.store() as store:
        found = desk.match(store, match)
    return found, desk.viewer(found, viewer)


COMMANDS: dict[str, Command] = {"branch": branch, "diff": diff, "knows": knows, "when": when}
