"""What the recorder answers, as a command says it: what followed, or the one thing that stood against it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cli.context import Desk, clipped
from cli.problems import FINDINGS, Problem

if TYPE_CHECKING:
    from domain.law.clause import Refusal
    from domain.law.entries import Entry
    from domain.law.game import Game
    from domain.table.table import Table
    from projections.seen_entries import SeenEntry
    from projections.timeline import Line
    from recorder.answers import Advanced, Cost, Recorded
    from recorder.loading import Match
    from recorder.store import Store

CHANGED_MAX = 20
"""How many entries of another writer a conflict shows, the newest."""


def trouble(desk: Desk, store: "Store", answer: Any) -> Problem:
    """What stands against something that was not recorded."""
    from domain.law.unseen import FaceWanted
    from recorder.answers import Impossible, NotAwaited, Reused, Unavailable, Unfit
    from recorder.store import Conflict

    match answer:
        case Conflict(match=match, expected=expected, actual=actual):
            return conflict(desk, store, match, expected, actual)
        case Unavailable(match=match, why=why):
            return desk.unavailable(match, why)
        case Unfit(what=what):
            return desk.refuse(what)
        case Reused(match=match, command=command, first=first):
            return desk.problem("cli.reused", match=match, command=repr(command), entry=first)
        case FaceWanted(place=place):
            return desk.problem("cli.face_wanted", place=place)
        case NotAwaited(actor=actor, awaited=awaited):
            return desk.problem("cli.not_awaited", actor=actor, awaited=", ".join(awaited) or "-")
        case Impossible(number=number, why=why, fact=fact):
            tag = fact.__struct_config__.tag
            return desk.problem("cli.impossible", number=number, fact=tag, detail=why)
        case _:
            raise AssertionError(f"an answer without words: {answer}")


def conflict(desk: Desk, store: "Store", match: str, expected: int, actual: int) -> Problem:
    """Somebody else wrote first: what is there now that was not expected."""
    changed: list[str] = []
    if 0 <= expected < actual:
        from projections.rows import plain
        from projections.timeline import render_timeline

        now = desk.match(store, match)
        first = max(expected + 1, now.version - CHANGED_MAX + 1)
        changed = ["..."] if first > expected + 1 else []
        news = lines(desk, now, first, now.entries[first - 1 :], "spectator")
        changed += plain(render_timeline(news, desk.lang)).split("\n")
    message = desk.say("cli.conflict", match=match, expected=clipped(expected), actual=actual)
    return Problem(message, more=changed)


def recorded(desk: Desk, store: "Store", answer: Any) -> "Recorded":
    """The answer if something was recorded. Raises Problem."""
    from recorder.answers import Recorded

    if isinstance(answer, Recorded):
        return answer
    raise trouble(desk, store, answer)


def opened(desk: Desk, game: "Game", rules: Any, store: "Store", answer: Any) -> str:
    """The id of a match that was opened. Raises Problem."""
    from projections.findings import sentence
    from recorder.answers import DeckRefused
    from recorder.store import Conflict

    if isinstance(answer, str):
        return answer
    if isinstance(answer, DeckRefused):
        both = sentence(game, rules, answer.refusal.clause)
        words = both.ja if desk.lang == "ja" else both.en
        detail = {"seat": answer.seat, "clause": answer.refusal.clause, "what": answer.what, "sentence": words}
        raise desk.problem("cli.deck_refused", **detail)
    if isinstance(answer, Conflict):
        raise desk.problem("cli.match_exists", match=answer.match)
    raise trouble(desk, store, answer)


def advanced(desk: Desk, store: "Store", match: str, answer: Any) -> "Advanced":
    """What chance answered; where its seed is not known, a hint beside the answer, for people can enter it."""
    from recorder.answers import Advanced, Unavailable

    if isinstance(answer, Advanced):
        return answer
    if isinstance(answer, Unavailable):
        desk.screen.aside(desk.say("cli.no_croupier", match=match))
        found = desk.match(store, match)
        return Advanced(found.version, (), found.table)
    raise trouble(desk, store, answer)


def undrawn(desk: Desk, store: "Store", found: "Match", table: "Table") -> None:
    """A hint beside the answer where chance is asked and its seed is not known: people can enter what it decides."""
    from domain.table.table import CHANCE

    if CHANCE in found.game.awaited(table) and store.secret(found.id) is None:
        desk.screen.aside(desk.say("cli.no_croupier", match=found.id))


def refused(
    desk: Desk, found: "Match", actor: Any, action: str, meant: Any, viewer: Any, refusal: "Refusal", as_json: bool
) -> None:
    """An action the law does not allow: the clause and everything consulted before it.

    What was consulted is said as the seat that looks knows it, to nobody in particular as the one who acts does.
    """
    from domain.law.clause import Refusal
    from domain.law.driver import decide_as_played
    from domain.table.physics import Physics
    from domain.table.table import JUDGE
    from projections.findings import about_words, render_reasons, sentence
    from projections.why import reasons

    eyes = next((one for one in (viewer, actor) if one in (*found.opened.seats, JUDGE)), JUDGE)
    physics = Physics(found.opened.schema)
    steps = reasons(physics, found.table, eyes, refusal.trail)
    both = sentence(found.game, found.rules, refusal.clause)
    again = decide_as_played(found.game, found.rules, found.table, actor, meant)
    by_hand = isinstance(again, Refusal)
    if as_json:
        desk.screen.json(
            {
                "match": found.id,
                "version": found.version,
                "action": action,
                "refused": refusal.clause,
                "sentence": both,
                "by_hand": by_hand,
                "trail": steps,
                "code": FINDINGS,
            }
        )
    words = both.ja if desk.lang == "ja" else both.en
    message = desk.say("do.not_allowed", action=action.strip(), clause=refusal.clause, sentence=words)
    desk.screen.aside(f"shinpan: {message}")
    desk.screen.aside_rows(render_reasons(steps, found.game, found.rules, desk.lang, 1))
    lacks: dict[str, None] = {}
    if isinstance(again, Refusal):
        abouts = [about for step in reasons(physics, found.table, eyes, again.trail) for about in step.about]
        lacks = dict.fromkeys(about_words(found.game, one, desk.lang) for one in abouts if one.kind == "missing")
    key = "do.refused" if not by_hand else "do.incomplete" if lacks else "do.by_hand"
    desk.screen.aside(desk.say(key, what=desk.say("list.comma").join(lacks)))


def followed(
    desk: Desk, store: "Store", match: str, first: int, entries: "Sequence[Entry]", viewer: Any, as_json: bool
) -> None:
    """The entries just recorded, as a viewer sees them."""
    from projections.timeline import render_timeline

    found = desk.match(store, match)
    if as_json:
        seen = _seen(found, first, entries, viewer)
        desk.screen.json({"match": found.id, "first": first, "version": first + len(entries) - 1, "entries": seen})
        return
    desk.screen.rows(render_timeline(lines(desk, found, first, entries, viewer), desk.lang))


def lines(
    desk: Desk, found: "Match", first: int, entries: "Sequence[Entry]", viewer: Any, before: "Table | None" = None
) -> "list[Line]":
    """Entries from number `first` on in words; `before` is the table on which the first of them was entered."""
    from projections.timeline import worded

    return [worded(found.game, seen, desk.lang) for seen in _seen(found, first, entries, viewer, before)]


def _seen(
    found: "Match", first: int, entries: "Sequence[Entry]", viewer: Any, before: "Table | None" = None
) -> "list[SeenEntry]":
    from domain.law.entries import Rewound, fold_entries, follow
    from domain.table.physics import Physics
    from projections.seen_entries import seen_entry

    physics = Physics(found.opened.schema)
    seen: list[SeenEntry] = []
    for number, entry in enumerate(entries, start=first):
        table = fold_entries(found.entries, number - 1) if before is None else before
        seen.append(seen_entry(found.game, physics, number, entry, table, viewer))
        before = None if isinstance(entry, Rewound) else follow(table, entry)
    return seen


def costs(desk: Desk, found: "Match", cost: "Cost", viewer: Any, as_json: bool, aside: bool) -> None:
    """What a rewind undoes and brings back, and who has learned what in what it undoes; faces only for a judge or
    whoever learned them."""
    from domain.table.physics import Physics
    from projections.knowledge import sights
    from projections.moments import moments, under_headings
    from projections.rows import Cell, Row
    from projections.seeking import Seeker
    from projections.seen_entries import seen_entry
    from projections.timeline import worded

    learned = sights(found.entries, viewer, cost.undone)
    if as_json:
        lines = {"undone": cost.undone, "restored": cost.restored}
        desk.screen.json({"match": found.id, "viewer": viewer, "to": cost.to, **lines, "learned": learned})
        return
    write, draw = (desk.screen.aside, desk.screen.aside_rows) if aside else (desk.screen.line, desk.screen.rows)
    physics, before, when = Physics(found.opened.schema), Seeker(found.entries), moments(found.entries)
    for key, numbers in (("cost", cost.undone), ("restored", cost.restored)):
        if numbers or key == "cost":
            write(desk.say(f"rewind.{key}", to=cost.to, n=len(numbers)))
        parts = []
        for number in numbers:
            entry = found.entries[number - 1]
            seen = seen_entry(found.game, physics, number, entry, before(number - 1), viewer)
            text = f"{number} {worded(found.game, seen, desk.lang).text}"
            parts.append(((when.turn(number, desk.lang),), (Row("entry", (Cell(text),), 1),)))
        draw(under_headings(parts, desk.lang))
    for one in learned:
        who = desk.say("who.everyone") if one.who == "spectator" else one.who
        key = "rewind.looked" if one.number is None else "rewind.learned_faces" if one.faces else "rewind.learned"
        write(desk.say(key, who=who, n=one.number, entry=one.entry, faces=" ".join(one.faces)))
    if not learned:
        write(desk.say("rewind.nothing_learned"))
