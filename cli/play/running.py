"""The run of a session: whose turn it is, what is offered, and how it ends."""

import sys

from cli.context import Desk, shown
from cli.play import going_back, otherwise
from cli.play.keys import BACKS, ENTER, Keys, source
from cli.play.naming import seats_of
from cli.play.offering import answer_to, offered
from cli.play.paper import Paper
from cli.play.picking import Aside, Back
from cli.play.session import ELSE, QUIT, REDO, UNDO, Session
from cli.problems import FINE, INTERRUPTED
from domain.law.offers import Template
from domain.table.table import CHANCE, Seat


def record(desk: Desk, match: str, seats: str | None, by_hand: bool, count: bool, by: str) -> int:
    """Record until the keys end; the exit code."""
    paper = Paper(desk.screen.out, desk.lang)
    with desk.store(writing=True) as store:
        found = desk.match(store, match)
        opened = found.opened
        ours = seats_of(opened.seats, seats, opened.names) if seats is not None else opened.seats
        if isinstance(ours, str):
            allowed = ", ".join(found.opened.seats)
            raise desk.problem("play.no_seat", seat=shown(ours), match=found.id, allowed=allowed)
        if found.closed:
            raise desk.problem("play.closed", match=found.id, entry=found.version)
        desk.lang, desk.screen = paper.lang, paper
        with source(sys.stdin, sys.stdout) as given:
            session = Session(desk, store, found, ours, paper, by, by_hand)
            session.attach(Keys(given, session.keep, paper.echo))
            code = _run(session)
        if count:
            _count(session)
    return code


def _run(session: Session) -> int:
    if session.paper.lacks:
        session.line(session.paper.lacks)
    session.line("play.begins", match=session.found.id, seats=", ".join(session.ours))
    try:
        _take_up(session)
        session.keeping = True
        going = True
        while going:
            going = _turn(session)
        _bye(session)
        return FINE
    except EOFError:
        session.paper.said("")
        _bye(session)
        return FINE
    except KeyboardInterrupt:
        session.paper.said("^C")
        _bye(session)
        return INTERRUPTED


def _bye(session: Session) -> None:
    if session.keys.taken and session.keeping:
        session.line("play.kept", keys=" ".join(session.drafts.words) or "".join(session.keys.taken).strip())
    session.line("play.bye", match=session.found.id, entries=session.found.version)


def _count(session: Session) -> None:
    session.line("play.count", **session.counts.summary())
    for keys, n in session.counts.rows():
        session.line("play.count_row", keys=keys, n=n)


def _take_up(session: Session) -> None:
    """What an interruption left behind is offered again."""
    found = session.drafts.read()
    if found is None:
        return
    words = " ".join(part for part in (found.words, f"({shown(found.keys)})") if part)
    session.line("play.draft", keys=words)
    same = found.version == session.found.version
    if not same:
        session.line("play.draft_moved", then=found.version, now=session.found.version)
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
    session.drafts.version = session.found.version
    session.keeping = True
    if same and taken:
        session.keys.again(found.keys)
    else:
        session.keys.clear()


def _turn(session: Session) -> bool:
    """One thing recorded, or looked at; False to end the session."""
    try:
        if not session.refresh():
            return True
        return _asked(session)
    except Aside as aside:
        return _left(session, aside.key)
    except Back:
        session.keys.clear()
        return True


def _left(session: Session, key: str) -> bool:
    session.paper.said(key)
    if key == QUIT:
        session.keys.forget()
        return False
    try:
        match key:
            case _ if key == ELSE:
                session.keys.restart(key)
                otherwise.something_else(session)
            case _ if key == UNDO:
                session.keys.restart(key)
                going_back.undo(session)
            case _ if key == REDO:
                session.keys.restart(key)
                going_back.redo(session)
            case _:
                session.keys.clear()
                _other_actor(session)
    except Aside as aside:
        return _left(session, aside.key)
    except Back:
        session.let_go()
    return True


def _other_actor(session: Session) -> None:
    actors = _actors(session)
    if len(actors) > 1:
        session.preferred = actors[1]
        session.line("play.actor", seat=actors[1])


def _actors(session: Session) -> list[Seat]:
    """Who of our seats may do something, those awaited first; one that was asked for comes before all."""
    awaited = session.found.game.awaited(session.table)
    able = [seat for seat in session.ours if offered(session.seen(seat))]
    able.sort(key=lambda seat: (seat != session.preferred, seat not in awaited))
    return able


def _asked(session: Session) -> bool:
    game, table = session.found.game, session.table
    if session.found.closed:
        session.line("play.over")
        return False
    if CHANCE in game.awaited(table) and otherwise.chance(session):
        return True
    if not game.awaited(table):
        return otherwise.over(session)
    actors = _actors(session)
    awaited = game.awaited(table)
    if not any(seat in awaited for seat in actors) and session.preferred is None:
        head = session.say("play.waiting", seats=", ".join(awaited))
        session.picker.choose(head, {}, enter=session.say("play.look"))
        session.keys.clear()
        return True
    session.state()
    _act(session, actors[0])
    return True


def _act(session: Session, actor: Seat) -> None:
    """What this seat does: the answer it owes at once, else a verb by its key."""
    verbs = offered(session.seen(actor))
    game = session.found.game
    question = next(
        (one for one in session.table.asked if one.by == actor and answer_to(game, one.kind) in verbs), None
    )
    owed = answer_to(game, question.kind) if question is not None else None
    if question is not None:
        session.question(actor, question)
    asker = session.asker(actor, question)
    while True:
        if owed is not None:
            try:
                action = asker.action(verbs[owed], begun=False)
                session.submit(actor, action)
                return
            except Back:
                owed = None
        tag = _verb(session, actor, verbs)
        if tag not in verbs:
            otherwise.refused_verb(session, actor, tag)
            return
        try:
            action = asker.action(verbs[tag], begun=True)
        except Back:
            continue
        session.submit(actor, action)
        return


def _verb(session: Session, actor: Seat, verbs: dict[str, list[Template]]) -> str:
    """The verb a key names; also one that is not offered now, for that may have been done."""
    keys = session.verb_keys
    offers = {keys[tag]: session.word(tag) for tag in verbs}
    known = {key: tag for tag, key in keys.items()}
    again = {REDO: session.say("play.redo")} if going_back.undone_last(session) else {}
    undo = {UNDO: session.say("play.undo"), **again}
    more = {ELSE: session.say("play.other"), **undo, "?": session.say("play.more_keys")}
    session.paper.ask(f"{actor}:", [f"[{key}] {text}" for key, text in {**offers, **more}.items()])
    while True:
        one = session.keys.key().lower()
        if one in known:
            session.paper.said(session.word(known[one]))
            session.heard(session.word(known[one]))
            return known[one]
        if one not in (ENTER, *BACKS) and not session.aside(one):
            session.paper.said(session.say("play.not_here", key=one))
            session.keys.drop(1)
        elif one in (ENTER, *BACKS):
            session.paper.said("")
            session.keys.forget()
        session.paper.ask(f"{actor}:", [f"[{key}] {text}" for key, text in {**offers, **more}.items()])
