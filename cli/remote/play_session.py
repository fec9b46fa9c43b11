"""Keyboard recorder for a match at a service.

The service offers the legal actions that the user may know of. Actions with hidden cards are typed as lines.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from cli.client.service import ServiceError
from cli.context import CommandContext
from cli.play.command import SCOREKEEPER, PlayOptions
from cli.play.dialogue import ACTOR, BOARD, ELSE, HELP, READ, SILENCE, UNDO, choose_seats
from cli.play.keys import ENTER
from cli.play.labels import ending_verbs, form_of
from cli.play.paper import Paper
from cli.play.picker import Item
from cli.problems import CommandError
from cli.remote import other_entries
from cli.remote.backend import require_own_name
from cli.remote.connection import RemoteReader, open_service
from cli.remote.recorder import Recorder
from domain.judging.allowed import AllowedActions
from domain.judging.passing import is_waiting, only_passed
from domain.law.actions import PASS
from domain.law.slots import slots, verb
from domain.table.redact import View
from domain.table.table import CHANCE, Seat
from domain.words import TextError, listed
from projections.timeline import entry_words
from projections.verb_keys import verb_keys
from service import payloads


@contextmanager
def open_http(ctx: CommandContext, match: str, asked: PlayOptions, paper: Paper) -> Iterator[Recorder]:
    """Open a session at a match of the command's service. Raises CommandError, ServiceError."""
    require_own_name(ctx, "" if asked.by == SCOREKEEPER else asked.by)
    if asked.by_hand:
        raise ctx.problem("client.by_hand")
    remote = open_service(ctx)
    if not (me := remote.session()).name and not remote.token:
        raise ctx.problem("client.no_token")
    reader = RemoteReader(ctx, match, me.seat if match.strip() in me.matches else "")
    allowed = (me.seat,) if me.seat else reader.opening_entry.seats
    ours = choose_seats(ctx, reader.match.id, reader.opening_entry, allowed, asked.seats)
    if reader.head.stands.closed:
        raise ctx.problem("play.closed", match=reader.match.id, entry=reader.head.head)
    if awaited := _unrevealed(reader):
        raise ctx.problem("play.reveals", match=reader.match.id, seats=listed(awaited))
    recorder = Recorder(ctx, reader, me, ours, paper)
    shows = {HELP: other_entries.show_help, BOARD: Recorder.board, READ: other_entries.read_card}
    begins = {
        ELSE: other_entries.something_else,
        UNDO: other_entries.undo,
        SILENCE: _toggle_automatic_passes,
        ACTOR: Recorder.change_actor,
    }
    recorder.shows = {key: partial(show, recorder) for key, show in shows.items()}
    recorder.begins = {key: partial(begin, recorder) for key, begin in begins.items()}
    recorder.ask = partial(_ask, recorder)
    try:
        yield recorder
    except (ServiceError, TextError, CommandError):
        recorder.end()
        raise


def _unrevealed(reader: RemoteReader) -> list[Seat]:
    pledges = reader.match.entry(1).pledges
    if not pledges or reader.match.moment(reader.head.head).board.result is not None:
        return []
    revealed = {entry.seat for entry in reader.entries if entry.seen == "revealed"}
    return [seat for seat in reader.opening_entry.seats if seat in pledges and seat not in revealed]


def _ask(recorder: Recorder) -> bool:
    next_actions = recorder.next
    if next_actions.closed:
        recorder.print_message("play.over")
        return False
    if recorder.view.result is not None or not next_actions.awaited:
        return other_entries.over(recorder)
    if CHANCE in next_actions.awaited:
        other_entries.let_draw(recorder)
        return True
    actors = recorder.actors()
    if not actors:
        recorder.wait(next_actions.awaited)
        return True
    recorder.state()
    recorder.answered = False
    line = _choose(recorder, actors[0])
    if not line:
        _all_pass(recorder)
        return True
    entered = recorder.act(line)
    if entered is not None:
        recorder.complete_entry(entered, count=True)
        if recorder.silent and not recorder.answered and recorder.refresh() and is_waiting(recorder.view):
            _all_pass(recorder)
    return True


# -- actions by key ---------------------------------------------------------------------------------------------------


def _choose(recorder: Recorder, actor: Seat) -> str:
    keys = verb_keys(recorder.law.game)
    ends = ending_verbs(recorder.law.game)
    verbs = {key: name for name, key in keys.items() if not key.isdigit() and name not in ends}
    playable = (doable for doable in recorder.next.allowed if doable.actor == actor and doable.verb not in ends)
    doables = {keys[doable.verb]: doable for doable in playable}
    passing = is_waiting(recorder.view) and _next_pass(recorder) != ""
    shown = [f"[{recorder.say('play.enter')}] {recorder.say('play.all_pass')}"] if passing else []
    shown += [f"[{key}] {recorder.word(doable.verb)}" for key, doable in doables.items()]
    more = {ELSE: "play.other", UNDO: "play.undo", HELP: "play.more_keys"}
    shown += [f"[{key}] {recorder.say(text)}" for key, text in more.items()]
    key = recorder.choose_key(actor, shown, {*doables, *verbs, *((ENTER,) if passing else ())})
    if key in doables:
        recorder.paper.finish_prompt(recorder.word(doables[key].verb))
        return _line_of(recorder, doables[key])
    if key in verbs:  # may name cards that are hidden here
        recorder.paper.finish_prompt(recorder.word(verbs[key]))
        return _type_values(recorder, actor, verbs[key])
    recorder.paper.finish_prompt(recorder.say("play.all_pass"))
    return ""


def _line_of(recorder: Recorder, doable: AllowedActions) -> str:
    """Return an offered line of a verb, or a typed one. Raises Back."""
    begins, lines = f"{doable.actor}: {doable.verb}", doable.actions
    if len(lines) == 1 and doable.whole and not doable.more:
        return lines[0]
    if lines:
        labels = (line.removeprefix(begins).strip() for line in lines)
        listed = [
            Item(line, label or recorder.say("play.none"), (label.lower().replace(" ", ""),) if label else ())
            for line, label in zip(lines, labels, strict=True)
        ]
        numbered = dict(enumerate(listed, start=1))
        got = recorder.picker.choose(recorder.word(doable.verb), numbered, enter=recorder.say("away.type_it"))
        if got:
            return str(numbered[got].value)
    return _type_values(recorder, doable.actor, doable.verb)


def _type_values(recorder: Recorder, actor: Seat, named: str) -> str:
    action = next(kind for kind in recorder.law.game.action_types if verb(kind) == named)
    head = recorder.say("play.values", verb=form_of(action))
    return f"{actor}: {named} {recorder.text(head) if slots(action) else ''}".rstrip()


# -- passes by all seats ----------------------------------------------------------------------------------------------


def _next_pass(recorder: Recorder, before: View | None = None) -> str:
    """Return our next pass, or ''. With `before`, only if nothing but passes happened since that table."""
    view, awaited = recorder.view, recorder.next.awaited
    if view.asked or view.result is not None or not awaited or awaited[0] not in recorder.ours:
        return ""
    if before is not None and not only_passed(before, view):
        return ""
    lines = (doable.actions for doable in recorder.next.allowed if (doable.actor, doable.verb) == (awaited[0], PASS))
    return next((line for some in lines for line in some), "")


def _all_pass(recorder: Recorder) -> None:
    first, seats = recorder.told + 1, list[str]()
    entered: payloads.EntriesWithFlags | None = None
    before: View | None = None
    while line := _next_pass(recorder, before):
        before, seat = recorder.view, recorder.next.awaited[0]
        done = recorder.act(line)
        if done is None:
            break
        recorder.begin_anew(done, count=True)
        seats.append(seat)
        entered, followed = done, recorder.told == done.head - len(done.entries)
        recorder.told = done.head if followed else recorder.told
        if not followed or not recorder.refresh():
            break
    if entered is not None:
        entries = "-".join(dict.fromkeys((str(first), str(entered.head - len(entered.entries) + 1))))
        recorder.print_message("play.all_passed", entries=entries, seats=recorder.list_names(seats))
        game, lang, names = recorder.law.game, recorder.paper.lang, recorder.names
        lines = [entry_words(game, entry, lang, names) for entry in entered.entries]
        recorder.tell_lines(lines, named=False)


def _toggle_automatic_passes(recorder: Recorder) -> None:
    recorder.keys.clear()
    recorder.silent = not recorder.silent
    recorder.print_message("play.silent" if recorder.silent else "play.heard")
    if recorder.silent and is_waiting(recorder.view):
        _all_pass(recorder)
