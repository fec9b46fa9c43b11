"""Undo and redo, as rewinds with their cost shown first."""

from collections.abc import Callable, Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from cli.play.offers import ONE_DIGIT
from cli.play.picker import Back, Item
from cli.play.session import PlaySession
from cli.record import outcome
from domain.law import entries as E
from domain.law.actions import PASS
from domain.law.clause import CitedFacts
from domain.law.slots import verb
from domain.table.table import CHANCE
from projections import undo_plans
from projections.undo_plans import Undo
from recorder import matches
from recorder.answers import RecordResult, RewindCost
from recorder.clock import read_wall_clock
from recorder.commands import read_roles
from recorder.real_cards import unordered

WHY = "w"


class UserEntry(Struct, frozen=True):
    """An entry made by a person: its number, and the entry it follows on the line."""

    number: int
    before: int
    entry: E.Played | E.Corrected | E.Gap


def list_user_entries(session: PlaySession) -> Iterator[UserEntry]:
    """Yield the entries made by people, newest first, without automatic shuffles of real cards."""
    entries = session.match.entries
    for before, at in undo_plans.list_undoable_steps(session.match):
        entry = entries[at - 1]
        assert isinstance(entry, E.Played | E.Corrected | E.Gap)
        if not _is_automatic_shuffle(session, entry):
            yield UserEntry(at, before, entry)


def choose_entered(session: PlaySession) -> UserEntry:
    """Ask for the entry to undo: Enter means the last, a digit one that is not a pass. Raises Back."""
    last = next(list_user_entries(session), None)
    if last is None:
        session.print_message("play.undo_nothing")
        session.keys.clear()
        raise Back
    acts = [done for done in list_user_entries(session) if not passes(session, done.entry)]
    listed = [Item(done, format_entry(session, done.number), ()) for done in islice(acts, ONE_DIGIT)]
    numbered = dict(enumerate(listed, start=1))
    got = session.picker.choose(session.say("play.undo_which"), numbered, enter=format_entry(session, last.number))
    return numbered[got].value if got else last


def format_entry(session: PlaySession, number: int) -> str:
    entries = session.match.entries[number - 1 : number]
    return f"{number} {outcome.lines(session.ctx, session.match, session.eyes, number, entries)[0].text}"


def passes(session: PlaySession, entry: E.Entry) -> bool:
    return isinstance(entry, E.Played) and verb(session.match.game.decoder().decode(entry.action)) == PASS


def plan_undo(session: PlaySession, entry: int) -> Undo:
    """Plan the undo of an entry and all that followed. A judge needs no consent."""
    match = session.match
    plan = undo_plans.plan_undo(match, match.id, session.by, read_roles(session.store, match.id, 0), entry)
    return _as_judge(session, plan)


def plan_redo(session: PlaySession) -> Undo:
    """Plan a redo of the last undo. A judge may redo even after new entries."""
    plan = undo_plans.plan_redo(session.match, session.match.id, session.by)
    if plan.obstacle == "nothing" and undo_plans.is_judge(session.by) and (to := _find_head_before_rewind(session)):
        return replace(plan, to=to, obstacle="")
    return _as_judge(session, plan)


def _as_judge(session: PlaySession, plan: Undo) -> Undo:
    return replace(plan, obstacle="") if plan.obstacle != "nothing" and undo_plans.is_judge(session.by) else plan


def redo(session: PlaySession) -> None:
    go_to(session, plan_redo(session))


def go_to(session: PlaySession, plan: Undo) -> None:
    """Rewind as planned after showing the cost, or call a judge where one is required."""
    way = "redo" if plan.redo else "undo"
    if plan.obstacle == "nothing":
        session.print_message(f"play.{way}_nothing")
        session.keys.clear()
        return
    reason = session.say(f"play.reason_{way}")
    if not plan.is_free:
        tell_obstacle(session, plan)
        key = session.picker.choose(session.say("undo.ask"), {}, session.say("away.call"), build_reason_keys(session))
        call_judge(session, plan, reason_for(session, key, reason))
        return
    show_cost(session, plan.to)
    head = session.say(f"play.{way}_sure", to=plan.to)
    key = session.picker.choose(head, {}, session.say(f"play.{way}"), build_reason_keys(session))
    rewind(session, plan.to, reason_for(session, key, reason))


def tell_obstacle(session: PlaySession, plan: Undo) -> None:
    session.print_message("undo.judge", why=session.say(f"undo.why_{plan.obstacle}"))


def call_judge(session: PlaySession, plan: Undo, reason: str) -> bool:
    about, version = (session.store, session.match.id, plan.to, reason, session.by), session.match.version
    return finish(session, lambda: matches.ask_rewind(*about, calls=True, expected=version, at=read_wall_clock()))


def show_cost(session: PlaySession, to: int) -> None:
    """Print what a rewind takes back, and the faces learned since. Raises Back if it is impossible."""
    cost = session.safely(lambda: matches.rewind_cost(session.store, session.match.id, to))
    if not isinstance(cost, RewindCost):
        raise Back
    outcome.answer_cost(session.ctx, session.match, session.eyes, cost, aside=False).draw()


def build_reason_keys(session: PlaySession) -> dict[str, str]:
    return {WHY: session.say("play.why"), "<": session.say("play.let_go")}


def reason_for(session: PlaySession, key: object, usual: str) -> str:
    return session.reason(usual) if key == WHY else usual


def rewind(session: PlaySession, to: int, reason: str) -> bool:
    """Continue from another entry."""
    version, croupier = session.match.version, not session.by_hand
    about = session.store, session.match.id, to, reason, session.by
    return finish(
        session, lambda: matches.rewind(*about, with_croupier=croupier, expected=version, at=read_wall_clock())
    )


def _find_head_before_rewind(session: PlaySession) -> int:
    entries = session.match.entries
    undone = (at for at in reversed(E.line(entries)) if type(entries[at - 1]) is E.Rewound)
    return next(undone, 1) - 1


def _is_automatic_shuffle(session: PlaySession, entry: E.Entry) -> bool:
    """True for an automatic shuffle of real cards that showed nothing."""
    if not (session.match.undealt and isinstance(entry, E.Played) and entry.actor == CHANCE):
        return False
    action = session.match.game.decoder().decode(entry.action)
    return unordered(action) == action and not E.leading_faces(entry.told)


def need_all(session: PlaySession) -> None:
    """Raise Back unless all seats are recorded here: only then may hidden cards be named."""
    if not session.all_ours:
        session.print_message("play.all_seats")
        raise Back


def correct(session: PlaySession, told: CitedFacts, usual: str) -> None:
    about = session.store, session.match.id, session.by, session.reason(usual), told
    version = session.match.version
    finish(session, lambda: matches.correct(*about, expected=version, at=read_wall_clock()))


def finish(session: PlaySession, ask: Callable[[], object]) -> bool:
    """Record an entry other than an action. Return False if it was not recorded."""
    if not session.confirm_early_input(" ".join(session.drafts.words)):
        return session.discard_input()
    answer = session.safely(ask)
    if isinstance(answer, RecordResult):
        session.complete_entry(answer)
        return True
    if answer is not None:
        session.trouble(answer)
    return session.discard_input()
