"""Repairs of a wrong entry: undo it, replace it, or note that it stands as played."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from cli.play.menu import Menu
from cli.play.offers import list_offered_templates
from cli.play.picker import Back
from cli.play.rewinds import (
    UserEntry,
    build_reason_keys,
    call_judge,
    choose_entered,
    finish,
    format_entry as named_entry,
    list_user_entries,
    passes,
    plan_undo,
    reason_for,
    rewind,
    show_cost,
    tell_obstacle,
)
from cli.play.session import PlaySession
from domain.law import entries as E
from domain.law.actions import Pass
from domain.law.clause import Refusal
from domain.law.driver import decide, decide_as_played
from domain.law.offers import Template
from domain.law.slots import Action, verb
from domain.table.table import CHANCE, Seat
from projections.verb_keys import answer_to
from recorder import matches
from recorder.answers import RecordResult
from recorder.clock import read_wall_clock

REPLACE, KEEP = "r", "k"


def undo(session: PlaySession) -> None:
    """Ask for an entry, and undo it or repair it in another way. Calls a judge where one is required."""
    done = choose_entered(session)
    plan = plan_undo(session, done.number)
    entry, extra = done.entry, build_reason_keys(session)
    if isinstance(entry, E.Played) and entry.actor != CHANCE:
        extra = {KEEP: session.say("play.keep"), **extra}
    if plan.is_free:
        show_cost(session, plan.to)
    else:
        tell_obstacle(session, plan)
    if isinstance(entry, E.Played) and entry.actor != CHANCE:
        for clause in entry.violations:
            session.cite(clause)
        if plan.is_free and session.all_ours and not session.match.undealt:
            extra = {KEEP: extra.pop(KEEP), REPLACE: session.say("play.replace"), **extra}
    head = session.say("play.undo_sure", to=plan.to) if plan.is_free else session.say("undo.ask")
    enter = session.say("play.undo" if plan.is_free else "away.call")
    match session.picker.choose(head, {}, enter, extra):
        case "r":
            _replace(session, done)
        case "k":
            _keep(session, done)
        case key:
            reason = reason_for(session, key, session.say("play.reason_undo"))
            rewind(session, plan.to, reason) if plan.is_free else call_judge(session, plan, reason)


def _keep(session: PlaySession, done: UserEntry) -> None:
    clauses = ", ".join(done.entry.violations) if isinstance(done.entry, E.Played) else ""
    text = session.say("play.ruling_broken" if clauses else "play.ruling", entry=done.number, clauses=clauses)
    about = session.store, session.match.id, session.by, text
    finish(session, lambda: matches.note(*about, about=done.number, at=read_wall_clock()))


# Replacement


def _replace(session: PlaySession, done: UserEntry) -> None:
    """Ask for the correct action on the earlier table, then enter the later entries again."""
    entry = done.entry
    assert isinstance(entry, E.Played)
    later = [after for after in list_user_entries(session) if after.number > done.number][::-1]
    left = {after.number: named_entry(session, after.number) for after in later}
    present = session.match
    session.match = replace(present, table=present.after(done.before))
    try:
        action = _choose_replacement(session, entry.actor, session.match.game.decoder().decode(entry.action))
        as_played = _is_as_played(session, entry.actor, action)
    finally:
        session.match = present
    if not rewind(session, done.before, session.say("play.reason_replace", entry=done.number)):
        return
    if session.submit(entry.actor, action, as_played):
        _restore_later(session, later, left)


def _choose_replacement(session: PlaySession, actor: Seat, recorded: Action) -> Action:
    verbs, game = list_offered_templates(session.actor_position(actor)), session.match.game
    owing = (frame for frame in session.table.asked if frame.by == actor and answer_to(game, frame.kind) in verbs)
    asker = session.asker(actor, next(owing, None))
    templates: Sequence[Template] = verbs.get(verb(recorded), ())
    while True:
        if templates:
            session.paper.line(session.word(verb(recorded)))
            try:
                return asker.action(templates, begun=True)
            except Back:
                pass
        chosen = Menu(session, actor, verbs).choose()
        if not chosen.verb:
            return Pass()
        templates = chosen.templates
        if not templates:
            session.print_message("play.not_now", verb=session.word(chosen.verb))


def _is_as_played(session: PlaySession, actor: Seat, action: Action) -> bool:
    """True if the action is recorded as played. Raises Back if the user declines."""
    refusal = decide(session.match.law, session.table, actor, action)
    if not isinstance(refusal, Refusal):
        return False
    session.explain(refusal)
    if isinstance(decide_as_played(session.match.law, session.table, actor, action), Refusal):
        session.print_message("play.by_hand_only")
        raise Back
    if not session.confirm(session.text_of(actor, action), session.say("play.as_played")):
        raise Back
    return True


def _restore_later(session: PlaySession, later: Sequence[UserEntry], left: dict[int, str]) -> None:
    """Enter later entries again while they are possible. List the rest with the obstacle."""
    first = session.match.version + 1
    for done in later:
        answer = session.safely(partial(_again, session, done.entry))
        if isinstance(answer, RecordResult):
            session.settle(answer)
        elif answer is None or not passes(session, done.entry):  # a pass without a waiting request is dropped
            if isinstance(answer, Refusal):
                session.explain(answer)
            elif answer is not None:
                session.trouble(answer)
            session.print_message("play.left_out")
            for text in (text for number, text in left.items() if number >= done.number):
                session.paper.line(f"  {text}")
            break
    if session.match.version >= first:
        session.print_message("play.brought_back", first=first, last=session.match.version)
    session.keys.mark()


def _again(session: PlaySession, entry: E.Played | E.Corrected | E.Gap) -> object:
    match, store = session.match, session.store
    if isinstance(entry, E.Corrected):
        return matches.correct(
            store, match.id, entry.by, entry.reason, entry.told, expected=match.version, at=read_wall_clock()
        )
    if isinstance(entry, E.Gap):
        about = store, match.id, entry.by, entry.reason, entry.told, entry.most
        return matches.report_gap(*about, expected=match.version, at=read_wall_clock())
    action = match.game.decoder().decode(entry.action)
    return matches.play(
        store,
        match.id,
        entry.actor,
        action,
        bool(entry.violations),
        expected=match.version,
        at=read_wall_clock(),
        with_croupier=not session.by_hand,
    )
