"""An action recorded."""

from typing import Annotated, Any

from cli.answer import Answer
from cli.context import Desk
from cli.record import outcome
from cli.record.outcome import Refused, Written
from cli.values import Action, CommandId, Expect, Match, Viewer
from domain.formats.errors import FormatError
from domain.formats.faces import split_faces
from domain.formats.typed import read_typed
from domain.law.clause import Refusal
from domain.table.redact import Eyes
from domain.table.table import JUDGE
from domain.words import Text
from projections.phrases import seat_name
from projections.questions import ending_words
from recorder.clock import now
from recorder.loading import Match as Loaded
from recorder.matches import advance, play
from recorder.writing import Terms


def do(
    desk: Desk,
    match: Match,
    action: Action,
    as_played: Annotated[bool, "--as-played"] = False,
    confirm: Annotated[bool, "--confirm"] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
    shows: Annotated[str, "--shows FACE,..."] = "",
) -> Answer[Written | Refused]:
    """Record an action; what followed is printed as the viewer sees it. Names are read as the scorekeeper sees them."""
    text = " ".join(action)
    with desk.changing(match) as (store, before):
        eyes = desk.eyes(before, viewer)
        repeated = store.command(before.id, command_id) if command_id is not None else None
        if repeated is None and expect is not None and expect != before.version:
            raise outcome.conflict(desk, store, before.id, expect, before.version)
        then = split_faces(before.game, (shows,)) if shows.strip() else ()
        if text.split() == ["chance:", "auto"]:
            done = outcome.require_advanced(desk, store, before.id, advance(store, before.id, then, at=now()))
            return outcome.answer_entries(
                desk, store, before.id, done.version - len(done.entries) + 1, done.entries, eyes
            )
        faces: dict[Any, str | None] = {}
        at = None if repeated is None else repeated.first - 1
        actor, meant = _action(desk, before, text, eyes, at, faces)
        if type(meant).ends_match and not confirm:
            raise desk.problem("do.unconfirmed", sure=ending_words(before, actor, meant))
        expected = before.version if expect is None else expect
        terms = Terms(expected=expected, command_id=command_id, at=now())
        answer = play(store, before.id, actor, meant, as_played, faces=faces, shows=then, **terms)
        if isinstance(answer, Refusal):
            return outcome.answer_refused(desk, before, actor, text, meant, eyes.viewer, answer)
        return outcome.answer_written(desk, store, before.id, answer, eyes)


def _action(desk: Desk, loaded: Loaded, text: str, eyes: Eyes, at: int | None, faces: dict[Any, str | None]) -> Any:
    """What is meant, by all that the scorekeeper knows; where that is not clear, an error made of what the viewer sees.

    What the viewer's eyes alone find unambiguous is meant. `faces` takes those named of cards the log does not know.
    """
    table = loaded.table if at is None else loaded.after(at)
    try:
        return read_typed(loaded, table, text, eyes, faces)
    except FormatError as error:
        seen = error.message
        by_name = seen.key.startswith("name.") or seen.values.get("what") in (Text("noun.card"), Text("noun.frame"))
        if eyes.viewer != JUDGE and by_name:
            seen = Text("do.as_seen", {"what": seen, "viewer": seat_name(loaded.names, eyes.viewer, desk.lang)})
        raise desk.mistyped(text, FormatError(seen, error.line, error.column)) from None
