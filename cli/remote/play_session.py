"""A match of a service recorded key by key. What may be done comes from there, as far as whoever records may know it;
what names a card that they do not see is typed as a line."""

import sys
from functools import partial
from typing import Final

from cli.context import Desk, shown
from cli.play.dialogue import ACTOR, BOARD, ELSE, HELP, READ, SILENCE, UNDO
from cli.play.keys import BACKS, ENTER, Keys, source
from cli.play.labels import seats_of
from cli.play.paper import Paper
from cli.play.picker import Aside, Back, Item
from cli.problems import FINE, INTERRUPTED
from cli.remote import other_entries
from cli.remote.backend import require_own_name
from cli.remote.connection import RemoteReader, service
from cli.remote.recorder import Recorder
from domain.judging.allowed import Doable
from domain.judging.passing import is_waiting, only_passed
from domain.law.actions import PASS
from domain.law.slots import slots, verb
from domain.table.redact import View
from domain.table.table import CHANCE, Seat
from domain.words import listed
from domain.words.foreign import quoted
from projections.phrases import seat_name
from projections.timeline import entry_words
from projections.verb_keys import verb_keys
from service import payloads

UNSAID: Final = "scorekeeper"
"""What `--by` says where nobody has said it."""


def play(desk: Desk, match: str, seats: str | None, by_hand: bool, count: bool, by: str) -> int:
    """Record a match as it is played; the service has every action before the next is asked for."""
    require_own_name(desk, by if by != UNSAID else "")
    if by_hand:
        raise desk.problem("client.by_hand")
    there = service(desk)
    if not (me := there.who()).name and not there.token:
        raise desk.problem("client.no_token")
    away = RemoteReader(desk, match, me.seat if match.strip() in me.matches else "")
    chairs, names = away.head.opening.seats, away.head.opening.names
    allowed = (me.seat,) if me.seat else chairs
    ours = allowed if seats is None else seats_of(chairs, seats, names)
    if isinstance(ours, str) or not set(ours) <= set(allowed):
        wrong = ours if isinstance(ours, str) else next(seat for seat in ours if seat not in allowed)
        raise desk.problem("play.no_seat", seat=shown(wrong), match=away.match.id, allowed=", ".join(allowed))
    if away.head.stands.closed:
        raise desk.problem("play.closed", match=away.match.id, entry=away.head.head)
    if awaited := _unrevealed(away):
        raise desk.problem("play.reveals", match=away.match.id, seats=listed(awaited))
    paper = Paper(desk.screen.out, desk.lang)
    paper.plain = desk.screen.plain
    desk.lang, desk.screen = paper.lang, paper
    with source(sys.stdin, sys.stdout) as given:
        recorder = Recorder(desk, away, me, ours, paper)
        recorder.attach(Keys(given, lambda _: None, paper.echo))
        recorder.shows = {
            HELP: partial(other_entries.show_help, recorder),
            BOARD: recorder.board,
            READ: partial(other_entries.read_card, recorder),
        }
        begins = {
            ELSE: other_entries.something_else,
            UNDO: other_entries.undo,
            SILENCE: _change_silence,
            ACTOR: _change_actor,
        }
        recorder.begins = {key: partial(begin, recorder) for key, begin in begins.items()}
        code = _run(recorder)
    if count:
        for line in recorder.tally.lines(paper.lang):
            paper.line(line)
    return code


def _unrevealed(away: RemoteReader) -> list[Seat]:
    """The seats whose secret chance waits for; none where they have pledged nothing, or the match is decided."""
    pledges = away.match.entry(1).pledges
    if not pledges or away.match.moment(away.head.head).board.result is not None:
        return []
    revealed = {entry.seat for entry in away.entries if entry.seen == "revealed"}
    return [seat for seat in away.head.opening.seats if seat in pledges and seat not in revealed]


def _run(recorder: Recorder) -> int:
    if recorder.paper.lacks:
        recorder.tell(recorder.paper.lacks)
    url, seats = recorder.match.service.url, recorder.list_names(recorder.ours)
    recorder.tell("play.begins", match=recorder.match.id, seats=seats)
    viewer = seat_name(recorder.opening.names, recorder.next.viewer, recorder.paper.lang)
    recorder.tell("away.begins", url=quoted(url), viewer=viewer)
    code = FINE
    try:
        while _take_turn(recorder):
            pass
    except (EOFError, KeyboardInterrupt) as ended:
        code = INTERRUPTED if isinstance(ended, KeyboardInterrupt) else FINE
        recorder.paper.said("^C" if code else "")
    finally:
        if recorder.sending:
            recorder.tell("away.maybe")
        recorder.tell("away.bye", match=recorder.match.id, entry=recorder.told)
    return code


def _take_turn(recorder: Recorder) -> bool:
    """One thing recorded, or looked at; False to end the session."""
    try:
        return recorder.look() is False or _ask(recorder)
    except Aside as aside:
        return recorder.leave(aside.key)
    except Back:
        recorder.keys.clear()
        return True


def _ask(recorder: Recorder) -> bool:
    """What is to be done next is asked for."""
    coming = recorder.next
    if coming.closed:
        recorder.tell("play.over")
        return False
    if recorder.view.result is not None or not coming.awaited:
        return other_entries.over(recorder)
    if CHANCE in coming.awaited:
        other_entries.let_draw(recorder)
        return True
    actors = recorder.actors()
    if not actors:
        head = recorder.say("play.waiting", seats=recorder.list_names(coming.awaited))
        recorder.picker.choose(head, {}, enter=recorder.say("play.look"))
        recorder.keys.clear()
        return True
    recorder.state()
    recorder.answered = False
    line = _choose(recorder, actors[0])
    if not line:
        _all_pass(recorder)
        return True
    entered = recorder.act(line)
    if entered is not None:
        recorder.done(entered, count=True)
        if recorder.silent and not recorder.answered and recorder.look() and is_waiting(recorder.view):
            _all_pass(recorder)
    return True


def _change_actor(recorder: Recorder) -> None:
    """Another of those who may do something acts."""
    recorder.keys.clear()
    if len(actors := recorder.actors()) > 1:
        recorder.preferred = actors[1]
        recorder.tell("play.actor", seat=recorder.list_names(actors[1:2]))


# -- an action by keys ------------------------------------------------------------------------------------------------


def _choose(recorder: Recorder, actor: Seat) -> str:
    """The line that keys mean; an empty one lets all pass."""
    keys = verb_keys(recorder.law.game)
    ends = {verb(kind) for kind in recorder.law.game.action_types if kind.ends_match}
    verbs = {key: named for named, key in keys.items() if not key.isdigit() and named not in ends}
    own = (doable for doable in recorder.next.allowed if doable.actor == actor and doable.verb not in ends)
    doables = {keys[doable.verb]: doable for doable in own}
    passing = is_waiting(recorder.view) and _passes(recorder) != ""
    shown = [f"[{recorder.say('play.enter')}] {recorder.say('play.all_pass')}"] if passing else []
    shown += [f"[{key}] {recorder.word(doable.verb)}" for key, doable in doables.items()]
    more = {ELSE: "play.other", UNDO: "play.undo", HELP: "play.more_keys"}
    shown += [f"[{key}] {recorder.say(text)}" for key, text in more.items()]
    while True:
        recorder.paper.ask(f"{recorder.list_names((actor,))}:", shown)
        typed = recorder.keys.key()
        key, recorder.answered = typed.lower(), typed.isupper()
        if key in doables:
            recorder.paper.said(recorder.word(doables[key].verb))
            return _line_of(recorder, doables[key])
        if key in verbs:  # it may name cards that do not show here
            recorder.paper.said(recorder.word(verbs[key]))
            return _typed(recorder, actor, verbs[key])
        if key == ENTER and passing:
            recorder.paper.said(recorder.say("play.all_pass"))
            return ""
        if key in (ENTER, *BACKS):
            recorder.paper.said("")
            recorder.keys.forget()
        elif not recorder.aside(key):
            recorder.paper.said(recorder.say("play.not_here", key=key))
            recorder.keys.drop(1)


def _line_of(recorder: Recorder, doable: Doable) -> str:
    """One of the lines that are offered of a verb, or one that is typed. Raises Back."""
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
    return _typed(recorder, doable.actor, doable.verb)


def _typed(recorder: Recorder, actor: Seat, named: str) -> str:
    """A line whose values are typed."""
    action = next(kind for kind in recorder.law.game.action_types if verb(kind) == named)
    head = recorder.say("play.values", verb=other_entries.form_of(action))
    return f"{actor}: {named} {recorder.text(head) if slots(action) else ''}".rstrip()


# -- all pass ---------------------------------------------------------------------------------------------------------


def _passes(recorder: Recorder, before: View | None = None) -> str:
    """The line by which who is to pass now does so, or next behind a table `before`; nothing if something happened."""
    view, awaited = recorder.view, recorder.next.awaited
    if view.asked or view.result is not None or not awaited or awaited[0] not in recorder.ours:
        return ""
    if before is not None and not only_passed(before, view):
        return ""
    lines = (doable.actions for doable in recorder.next.allowed if (doable.actor, doable.verb) == (awaited[0], PASS))
    return next((line for some in lines for line in some), "")


def _all_pass(recorder: Recorder) -> None:
    """Everybody passes until something happens; said in one line, then what followed the last of it."""
    first, seats = recorder.told + 1, list[str]()
    entered: payloads.Entered | None = None
    before: View | None = None
    while line := _passes(recorder, before):
        before, seat = recorder.view, recorder.next.awaited[0]
        done = recorder.act(line)
        if done is None:
            break
        recorder.begin_anew(done, count=True)
        seats.append(seat)
        entered, followed = done, recorder.told == done.head - len(done.entries)
        recorder.told = done.head if followed else recorder.told
        if not followed or not recorder.look():
            break
    if entered is not None:
        entries = "-".join(dict.fromkeys((str(first), str(entered.head - len(entered.entries) + 1))))
        recorder.tell("play.all_passed", entries=entries, seats=recorder.list_names(seats))
        game, lang, names = recorder.law.game, recorder.paper.lang, recorder.opening.names
        lines = [entry_words(game, entry, lang, names) for entry in entered.entries]
        recorder.tell_lines(lines, named=False)


def _change_silence(recorder: Recorder) -> None:
    """From now on nobody answers, and all pass by themselves behind every action; or somebody may again."""
    recorder.keys.clear()
    recorder.silent = not recorder.silent
    recorder.tell("play.silent" if recorder.silent else "play.heard")
    if recorder.silent and is_waiting(recorder.view):
        _all_pass(recorder)
