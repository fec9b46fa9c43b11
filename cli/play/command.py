"""The run of a session: whose turn it is, what is offered, and how it ends."""

import sys
from contextlib import suppress
from functools import partial
from typing import Annotated

from cli.context import Desk, shown
from cli.play import other_entries, repairs, rewinds
from cli.play.dialogue import ACTOR, ELSE, QUIT, READ, REDO, SILENCE, UNDO
from cli.play.keys import Keys, source
from cli.play.labels import other_cards, seats_of
from cli.play.menu import Menu
from cli.play.offers import Seen, offered
from cli.play.paper import Paper
from cli.play.passes import all_pass, change_silence
from cli.play.picker import Aside, Back, Outside
from cli.play.session import Session
from cli.problems import FINE, INTERRUPTED
from cli.values import By, Match
from domain.judging.passing import is_waiting
from domain.law.entries import Played
from domain.law.pledges import awaited_reveals
from domain.table.redact import Eyes
from domain.table.table import CHANCE, CardId, Seat
from domain.words import listed
from projections.verb_keys import answer_to


def read_card(session: Session) -> None:
    """Ask for a card that the acting seat knows, by number or name, and print its text."""
    keys, picker, words = session.keys, session.picker, [*session.drafts.words]
    taken, others, pieces = len(keys.taken), picker.others, session.table.pieces
    awaited = session.match.game.awaited(session.table)
    seen = session.seen(next((seat for seat in session.ours if seat in awaited), session.ours[0]))
    offered = {n: item for n, item in picker.listed.items() if isinstance(item.value, int) and item.value in pieces}
    listed = [item.value for item in offered.values()]
    picker.others = other_cards(seen, session.physics, None, listed, session.paper.lang)
    try:
        _print(session, seen, offered[picker.choose(session.say("play.read"), offered, again=True)].value)
    except Outside as outside:
        _print(session, seen, outside.card)
    except Back:
        pass
    except EOFError:
        keys.forget()
        raise
    finally:
        picker.others, session.drafts.words = others, words
        if more := len(keys.taken) - taken:
            keys.forget(more)


def _print(session: Session, seen: Seen, card: CardId) -> None:
    known = Eyes(session.physics, seen.actor).knows(seen.table, card)
    face = seen.table.pieces[card].face if known else None
    for text in session.match.game.display.card(face or "", session.paper.lang) or (session.say("play.no_text"),):
        session.paper.line(text)


def play(
    desk: Desk,
    match: Match,
    seats: Annotated[str | None, "--as SEATS"] = None,
    by_hand: Annotated[bool, "--chance-by-hand"] = False,
    count: Annotated[bool, "--count"] = False,
    by: By = "scorekeeper",
) -> int:
    """Record a match as it is played; every action is on disk before the next is asked for."""
    paper = Paper(desk.screen.out, desk.lang)
    paper.plain = desk.screen.plain
    with desk.store(writing=True) as store:
        loaded = desk.match(store, match)
        opened = loaded.opened
        ours = seats_of(opened.seats, seats, opened.names) if seats is not None else opened.seats
        if isinstance(ours, str):
            raise desk.problem("play.no_seat", seat=shown(ours), match=loaded.id, allowed=", ".join(opened.seats))
        if loaded.closed:
            raise desk.problem("play.closed", match=loaded.id, entry=loaded.version)
        if (awaited := awaited_reveals(loaded.entries)) and loaded.table.result is None:
            raise desk.problem("play.reveals", match=loaded.id, seats=listed(awaited))
        desk.lang, desk.screen = paper.lang, paper
        with source(sys.stdin, sys.stdout) as given:
            session = Session(desk, store, loaded, ours, paper, by, by_hand)
            session.attach(Keys(given, session.keep, paper.echo))
            session.shows[READ] = partial(read_card, session)
            session.begins = {key: partial(begin, session) for key, begin in _BEGINS.items()}
            code = _run(session)
        if count:
            for line in session.tally.lines(paper.lang):
                paper.line(line)
    return code


def _run(session: Session) -> int:
    if session.paper.lacks:
        session.tell(session.paper.lacks)
    session.tell("play.begins", match=session.match.id, seats=session.list_names(session.ours))
    code = FINE
    try:
        _take_up(session)
        session.keeping = True
        while _take_turn(session):
            pass
    except (EOFError, KeyboardInterrupt) as ended:
        code = INTERRUPTED if isinstance(ended, KeyboardInterrupt) else FINE
        session.paper.said("^C" if code else "")
    if session.keys.taken and session.keeping:
        session.tell("play.kept", keys=" ".join(session.drafts.words) or "".join(session.keys.taken).strip())
    session.tell("play.bye", match=session.match.id, entries=session.match.version)
    return code


def _take_up(session: Session) -> None:
    """What an interruption left behind is offered again."""
    draft = session.drafts.read()
    if draft is None:
        return
    words = " ".join(part for part in (draft.words, f"({shown(draft.keys)})") if part)
    session.tell("play.draft", keys=words)
    same = draft.version == session.match.version
    if not same:
        session.tell("play.draft_moved", then=draft.version, now=session.match.version)
    go = session.say("play.draft_go" if same else "play.let_go")
    while True:
        try:
            taken = session.sure(session.say("play.not_lost"), go)
            break
        except Aside as aside:
            if aside.key == QUIT:
                raise EOFError from None
            session.paper.said(session.say("play.not_here", key=aside.key))
    session.keys.taken.clear()
    session.drafts.words.clear()
    session.drafts.version = session.match.version
    session.keeping = True
    if same and taken:
        session.keys.again(draft.keys)
    else:
        session.keys.clear()


def _take_turn(session: Session) -> bool:
    """One thing recorded, or looked at; False to end the session."""
    try:
        if not session.refresh():
            return True
        before, session.answered = session.match.version, False
        going = _ask(session)
        new = session.match.entries[before:]
        acted = any(isinstance(entry, Played) and entry.actor != CHANCE for entry in new)
        if acted and session.silent and not session.answered and is_waiting(session.table):
            all_pass(session)
        return going
    except Aside as aside:
        return session.leave(aside.key)
    except Back:
        session.keys.clear()
        return True


def _change_actor(session: Session) -> None:
    """Another of those who may do something acts."""
    session.keys.clear()
    if len(actors := _actors(session)) > 1:
        session.preferred = actors[1]
        session.tell("play.actor", seat=session.list_names(actors[1:2]))


_BEGINS = {
    ELSE: other_entries.something_else,
    UNDO: repairs.undo,
    REDO: rewinds.redo,
    SILENCE: change_silence,
    ACTOR: _change_actor,
}
"""What some keys begin instead of what is left."""


def _actors(session: Session) -> list[Seat]:
    """Who of our seats may do something, those awaited first; one that was asked for comes before all."""
    awaited = session.match.game.awaited(session.table)
    able = [seat for seat in session.ours if offered(session.seen(seat))]
    able.sort(key=lambda seat: (seat != session.preferred, seat not in awaited))
    return able


def _ask(session: Session) -> bool:
    """What is to be done next is asked for."""
    if session.match.closed:
        session.tell("play.over")
        return False
    awaited = session.match.game.awaited(session.table)
    if CHANCE in awaited and other_entries.chance(session):
        return True
    if not awaited:
        return other_entries.over(session)
    actors = _actors(session)
    if not any(seat in awaited for seat in actors) and session.preferred is None:
        head = session.say("play.waiting", seats=session.list_names(awaited))
        session.picker.choose(head, {}, enter=session.say("play.look"))
        session.keys.clear()
        return True
    session.state()
    _act(session, actors[0])
    return True


def _act(session: Session, actor: Seat) -> None:
    """What this seat does: the answer it owes at once, else what a key of the menu means."""
    verbs = other_entries.going_on(session, offered(session.seen(actor)))
    game = session.match.game
    owing = (frame for frame in session.table.asked if frame.by == actor and answer_to(game, frame.kind) in verbs)
    question = next(owing, None)
    asker = session.asker(actor, question)
    if question is not None:
        session.question(actor, question)
        with suppress(Back):
            session.submit(actor, asker.action(verbs[answer_to(game, question.kind)], begun=False))
            return
    while True:
        chosen = Menu(session, actor, verbs).choose()
        if not chosen.verb:
            all_pass(session)
            return
        if not chosen.templates:
            other_entries.refused_verb(session, actor, chosen.verb)
            return
        with suppress(Back):
            action = asker.action(chosen.templates, begun=True)
            break
    session.submit(actor, action)
