"""Other entries of a session at a service: typed actions, notes, undo and the end."""

from functools import partial
from itertools import pairwise
from typing import Final

from cli.client.service import ServiceError
from cli.play.labels import ending_verbs, form_of
from cli.play.offers import ONE_DIGIT
from cli.play.other_entries import FACTS_MAX
from cli.play.picker import Back, Item
from cli.record.outcome import draw_cost
from cli.remote.recorder import Recorder
from domain.law.actions import PASS
from domain.table.table import CHANCE
from projections.moments import list_seen_moments
from projections.seen_entries import SeenEntry, line_seen
from projections.timeline import entry_words
from projections.verb_keys import answer_to, verb_keys
from recorder.usecases import commands as C

DRAWN: Final = "chance: auto"
"""Line with which the service's croupier resolves chance."""
TYPED, WHY = "t", "w"
"""Keys to type something other than the default: a result of chance, a reason."""


def something_else(recorder: Recorder) -> None:
    """Ask for an action that is not offered, facts, a note, or a call of the judge."""
    does = {"e": _end, "a": _any_action, "f": _facts, "n": _note, "k": _call}
    extra = {key: recorder.say(text) for key, text in _ELSE.items() if recorder.may("record") or key in "ake"}
    if not _endings(recorder):
        del extra["e"]
    does[recorder.picker.choose(recorder.say("play.other"), {}, extra=extra)](recorder)


_ELSE: Final = {"a": "play.other.a", "f": "play.other.f", "n": "play.other.n", "k": "away.call", "e": "play.other.e"}


def _endings(recorder: Recorder) -> tuple[str, ...]:
    ends = ending_verbs(recorder.law.game)
    return tuple(line for doable in recorder.next.allowed if doable.verb in ends for line in doable.actions)


def _end(recorder: Recorder) -> None:
    listed = {n: Item(line, line, ()) for n, line in enumerate(_endings(recorder), start=1)}
    entered = recorder.act(listed[recorder.picker.choose(recorder.say("play.ending"), listed)].value)
    if entered is not None:
        recorder.complete_entry(entered, count=True)


def _any_action(recorder: Recorder) -> None:
    game, actors = recorder.law.game, recorder.actors()
    while (text := recorder.need(recorder.say("play.action"))) == "?":
        recorder.paper.line("; ".join(map(form_of, game.action_types)))
    entered = recorder.act(text, actors[0] if actors else None)
    if entered is not None:
        recorder.complete_entry(entered, count=True)


def _facts(recorder: Recorder) -> None:
    facts: list[str] = []
    while len(facts) < FACTS_MAX and (text := recorder.text(recorder.say("play.facts", n=len(facts) + 1))):
        facts.append(text)
    if not facts:
        raise Back
    recorder.record(C.Correct(facts=tuple(facts), reason=recorder.reason(recorder.say("play.reason_fact"))))


def _note(recorder: Recorder) -> None:
    recorder.record(C.AddNote(text=recorder.need(recorder.say("play.note"))))


def _call(recorder: Recorder) -> None:
    recorder.record(C.CallJudge(text=recorder.text(recorder.say("away.why_call"))))


def show_help(recorder: Recorder) -> None:
    """Print the keys, including those of verbs that need hidden cards and are not offered."""
    keys = sorted((key, recorder.word(named)) for named, key in verb_keys(recorder.law.game).items())
    recorder.print_message("away.help", verbs="  ".join(f"[{key}] {word}" for key, word in keys if not key.isdigit()))


def read_card(recorder: Recorder) -> None:
    face = recorder.text(recorder.say("play.read")).upper()
    texts = recorder.law.game.display.card(face, recorder.paper.lang)
    for text in texts or (recorder.say("play.no_text"),):
        recorder.paper.line(text)


def let_draw(recorder: Recorder) -> None:
    """Resolve chance that the service left open: a draw by its croupier, an unseen result, or a typed one."""
    recorder.state()
    game = recorder.law.game
    asked = next(frame for frame in recorder.view.asked if frame.by == CHANCE)
    unseen = " ".join((f"{CHANCE}: {answer_to(game, asked.kind)}", *asked.seats[:1]))
    line = DRAWN if recorder.opening.commitment else unseen
    head = recorder.say("play.chance_text", verb=recorder.word(asked.kind), what=" ".join(asked.seats))
    if recorder.picker.choose(head, {}, line, {TYPED: recorder.say("away.type_it")}):
        line = recorder.need(recorder.say("away.chance"))
    entered = recorder.send(C.PlayAction(text=line, by=CHANCE))
    if entered is None:
        return
    recorder.complete_entry(entered)
    if not entered.entries:
        recorder.print_message("cli.no_croupier", match=recorder.match.id)


# -- undo and end -----------------------------------------------------------------------------------------------------


def undo(recorder: Recorder) -> None:
    """Ask for an entry, show the cost, and rewind. Without that right, ask for the rewind or call a judge."""
    entries: tuple[SeenEntry, ...] | None = recorder.safely(lambda: tuple(recorder.match.entries(flow=True)))
    if entries is None:
        raise Back
    on_line = reversed([*pairwise(sorted(line_seen(entries)))])
    done = {at: before for before, at in on_line if _is_entered(entries[at - 1])}
    if not done:
        recorder.print_message("play.undo_nothing")
        raise Back
    acts = [at for at in done if not _is_pass(entries[at - 1])][:ONE_DIGIT]
    listed = {n: Item(at, _format_entry(recorder, entries[at - 1]), ()) for n, at in enumerate(acts, start=1)}
    last = next(iter(done))
    got = recorder.picker.choose(
        recorder.say("play.undo_which"), listed, enter=_format_entry(recorder, entries[last - 1])
    )
    at = listed[got].value if got else last
    _go_back(recorder, entries, at, done[at])


def _go_back(recorder: Recorder, entries: tuple[SeenEntry, ...], at: int, to: int) -> None:
    if not recorder.may("ask_rewind"):
        _undo_or_ask(recorder, at, to)
        return
    try:
        cost = recorder.safely(partial(recorder.match.cost, to))
    except ServiceError as refused:
        recorder.explain(refused.problem)
        raise Back from None
    if cost is None:
        raise Back
    when = list_seen_moments(recorder.opening.names, entries, recorder.ctx.zone)
    draw_cost(recorder.ctx, recorder.law.game, cost, lambda number: entries[number - 1], when, aside=False)
    approves = recorder.may("approve_rewind")
    enter = recorder.say("play.undo" if approves else "rewind.ask")
    extra = {WHY: recorder.say("play.why"), "<": recorder.say("play.let_go")}
    key = recorder.picker.choose(recorder.say("play.undo_sure", to=to), {}, enter, extra)
    usual = recorder.say("play.reason_undo")
    reason = recorder.reason(usual) if key == WHY else usual
    recorder.record(C.Rewind(to=to, reason=reason) if approves else C.AskRewind(to=to, reason=reason))


def _undo_or_ask(recorder: Recorder, at: int, to: int) -> None:
    try:
        plan = recorder.safely(partial(recorder.match.undo, at))
    except ServiceError as refused:
        recorder.explain(refused.problem)
        raise Back from None
    if plan is None:
        raise Back
    if plan.is_free:
        sure = recorder.confirm(recorder.say("play.undo_sure", to=to), recorder.say("play.undo"))
    else:
        recorder.print_message("undo.judge", why=recorder.say(f"undo.why_{plan.obstacle}"))
        sure = recorder.confirm(recorder.say("undo.ask"), recorder.say("away.call"))
    if not sure:
        raise Back
    recorder.record(C.UndoEntries(entry=at, ask=not plan.is_free, reason=recorder.say("play.reason_undo")))


def _is_entered(entry: SeenEntry) -> bool:
    return entry.seen in ("played", "corrected") and entry.actor != CHANCE


def _is_pass(entry: SeenEntry) -> bool:
    return entry.action is not None and entry.action.verb == PASS


def _format_entry(recorder: Recorder, entry: SeenEntry) -> str:
    return f"{entry.number} {entry_words(recorder.law.game, entry, recorder.paper.lang, recorder.names).text}"


def over(recorder: Recorder) -> bool:
    """Offer to close a match without awaited seats. Return False to end the session."""
    result = recorder.view.result
    if (reason := recorder.ask_to_close(result)) is None:
        return not recorder.discard_input()
    return not recorder.record(C.Close(reason=reason, abandon=result is None, confirm=True))
