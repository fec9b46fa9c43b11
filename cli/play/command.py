"""Command `play`: turn order, offers and end of a session."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Annotated

from msgspec import Struct

from cli.context import CommandContext
from cli.play import other_entries, repairs, rewinds
from cli.play.dialogue import ACTOR, ELSE, READ, REDO, SILENCE, UNDO, Dialogue, choose_seats
from cli.play.keys import Keys, source
from cli.play.labels import other_cards
from cli.play.menu import Menu
from cli.play.offers import ActorPosition, list_offered_templates
from cli.play.paper import Paper
from cli.play.passes import all_pass, toggle_automatic_passes
from cli.play.picker import Back, Outside
from cli.play.session import PlaySession
from cli.values import By, Match
from domain.judging.passing import is_waiting
from domain.law.entries import Played
from domain.law.pledges import awaited_reveals
from domain.table.redact import TableViewer
from domain.table.table import CHANCE, CardId, Seat
from domain.words import listed
from projections.verb_keys import answer_to

SCOREKEEPER = "scorekeeper"
LOCAL, HTTP = "cli.play.command:open_local", "cli.remote.play_session:open_http"


def read_card(session: PlaySession) -> None:
    """Ask for a card known to the acting seat, by number or name, and print its text."""
    keys, picker, words = session.keys, session.picker, [*session.drafts.words]
    taken, others, pieces = len(keys.taken), picker.others, session.table.pieces
    awaited = session.match.game.awaited(session.table)
    seen = session.actor_position(next((seat for seat in session.ours if seat in awaited), session.ours[0]))
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


def _print(session: PlaySession, seen: ActorPosition, card: CardId) -> None:
    known = TableViewer(session.physics, seen.actor).knows(seen.table, card)
    face = seen.table.pieces[card].face if known else None
    for text in session.match.game.display.card(face or "", session.paper.lang) or (session.say("play.no_text"),):
        session.paper.line(text)


class PlayOptions(Struct, frozen=True):
    seats: Annotated[str | None, "--as SEATS"] = None
    by_hand: Annotated[bool, "--chance-by-hand"] = False
    count: Annotated[bool, "--count"] = False
    by: By = SCOREKEEPER


PLAIN = PlayOptions()


def play(ctx: CommandContext, match: Match, asked: PlayOptions = PLAIN) -> int:
    """Record a match as it is played. Every action is on disk before the next prompt."""
    paper = Paper(ctx.screen.out, ctx.lang)
    paper.plain = ctx.screen.plain
    opened: AbstractContextManager[Dialogue] = ctx.backend(LOCAL, HTTP)(ctx, match, asked, paper)
    with opened as dialogue, source(sys.stdin, sys.stdout) as given:
        ctx.lang, ctx.screen = paper.lang, paper
        dialogue.attach(Keys(given, dialogue.keep, paper.echo))
        code = dialogue.run()
        if asked.count:
            for line in dialogue.tally.lines(paper.lang):
                paper.line(line)
    return code


@contextmanager
def open_local(ctx: CommandContext, match: str, asked: PlayOptions, paper: Paper) -> Iterator[PlaySession]:
    """Open a session at a match of the store. Raises CommandError."""
    with ctx.store(writing=True) as store:
        loaded = ctx.match(store, match)
        ours = choose_seats(ctx, loaded.id, loaded.opening, loaded.opening.seats, asked.seats)
        if loaded.closed:
            raise ctx.problem("play.closed", match=loaded.id, entry=loaded.version)
        if (awaited := awaited_reveals(loaded.entries)) and loaded.table.result is None:
            raise ctx.problem("play.reveals", match=loaded.id, seats=listed(awaited))
        session = PlaySession(ctx, store, loaded, ours, paper, asked.by)
        session.by_hand = asked.by_hand
        session.shows[READ] = partial(read_card, session)
        session.begins = {key: partial(begin, session) for key, begin in _BEGINS.items()}
        session.ask = partial(_ask, session)
        yield session


_BEGINS = {
    ELSE: other_entries.ask_other_entry,
    UNDO: repairs.undo,
    REDO: rewinds.redo,
    SILENCE: toggle_automatic_passes,
    ACTOR: PlaySession.change_actor,
}
"""Functions that replace the current input, by key."""


def _ask(session: PlaySession) -> bool:
    before, session.answered = session.match.version, False
    goes_on = _ask_once(session)
    new = session.match.entries[before:]
    acted = any(isinstance(entry, Played) and entry.actor != CHANCE for entry in new)
    if acted and session.silent and not session.answered and is_waiting(session.table):
        all_pass(session)
    return goes_on


def _ask_once(session: PlaySession) -> bool:
    if session.match.closed:
        session.print_message("play.over")
        return False
    awaited = session.match.game.awaited(session.table)
    if CHANCE in awaited and other_entries.chance(session):
        return True
    if not awaited:
        return other_entries.offer_to_close(session)
    actors = session.actors()
    if not any(seat in awaited for seat in actors) and session.preferred is None:
        session.wait(awaited)
        return True
    session.state()
    _act(session, actors[0])
    return True


def _act(session: PlaySession, actor: Seat) -> None:
    verbs = other_entries.omit_ending_verbs(session, list_offered_templates(session.actor_position(actor)))
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
