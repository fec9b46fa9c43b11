"""What the law says of a record: findings, reasons, and why something is not allowed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from cli import files
from cli.auditing import audit_many, many
from cli.context import Desk
from cli.problems import FINDINGS, FINE
from cli.registry import Action, At, Cards, Command, Json, Match, Readings, Viewer
from domain.words.foreign import misfit

if TYPE_CHECKING:
    from domain.judging.audit import Fairness
    from domain.law.pools import Overlay
    from projections.corrections import Correction
    from projections.findings import SeenFinding
    from projections.why import Reason
    from recorder.loading import Match as Loaded

T = TypeVar("T", "SeenFinding", "Correction")

Record = Annotated[str, typer.Argument(metavar="MATCH|FILE", show_default=False)]
Records = Annotated[list[str], typer.Argument(metavar="MATCH|PATH...", show_default=False)]
Number = Annotated[int, typer.Argument(metavar="N", show_default=False)]

Junit = Annotated[str | None, typer.Option("--junit", metavar="FILE.xml", show_default=False)]
Sarif = Annotated[str | None, typer.Option("--sarif", metavar="FILE.json", show_default=False)]
Standing = Annotated[bool, typer.Option("--standing")]

SUFFIXES = (".spn", ".jsonl")


def audit(
    desk: Desk,
    records: Records,
    readings: Readings = None,
    cards: Cards = None,
    viewer: Viewer = "spectator",
    standing: Standing = False,
    junit: Junit = None,
    sarif: Sarif = None,
    as_json: Json = False,
) -> int:
    """Hold records against the rules pinned in them, or under another reading of them or other cards."""
    overlay = files.cards(desk, cards)
    outputs = {"--junit": junit, "--sarif": sarif}
    if len(records) > 1 or junit is not None or sarif is not None or many(records[0]):
        return audit_many(desk, records, readings, overlay, viewer, standing, outputs, as_json)
    (record,) = records
    with recorded(desk, record) as found:
        return _audit(desk, found, _secret(desk, found), readings, overlay, viewer, standing, as_json)


def _audit(
    desk: Desk,
    found: "Loaded | files.Record",
    secret: bytes | None,
    readings: Readings,
    cards: "Overlay | None",
    viewer: str,
    standing: bool,
    as_json: bool,
) -> int:
    from domain.judging.audit import audit as audited
    from domain.judging.audit import changed
    from domain.judging.rejudging.causes import changed_cards
    from domain.law.entries import line
    from projections.corrections import corrections, entered
    from projections.findings import render_findings, seen_findings
    from projections.moments import moments
    from projections.verdicts.rendering import card_words, cause_words

    seat = desk.viewer(found, viewer)
    rules = desk.laid_over(found.game, desk.options(found.game, found.rules, readings), cards)
    pinned = audited(found.game, found.entries, secret=secret)
    otherwise = [*(readings or []), *([f"--cards {cards.file}"] if cards is not None else [])]
    if otherwise:
        desk.only_judge(found, seat)
    result = audited(found.game, found.entries, rules, secret) if otherwise else pinned
    stands = frozenset(line(found.entries))
    seen = seen_findings(found.game, rules, found.entries, result.findings, seat)
    corrected = corrections(found.game, found.entries, stands)
    if standing:
        seen, corrected = _standing(seen), _standing(corrected)
    undone = len(seen) - len(_standing(seen))
    code = FINDINGS if len(seen) > undone else FINE
    appear, vanish = changed(pinned, result)
    gone = seen_findings(found.game, found.rules, found.entries, vanish, seat)
    new = {one.entry for one in appear}
    if as_json:
        answer: dict[str, Any] = {"match": found.id, "viewer": seat, "findings": seen}
        answer |= {"entries": result.entries, "actions": result.actions, "facts": result.facts}
        if otherwise:
            answer |= {"reading": otherwise, "appear": [one for one in seen if one.entry in new], "vanish": gone}
        if cards is not None:
            answer |= {"cards": changed_cards(found.game, found.rules, rules)}
        answer |= {"undone": undone, "corrections": corrected, "entered": entered(found.entries)}
        desk.screen.json(answer)
        return code
    desk.screen.rows(render_findings(seen, found.game, rules, desk.lang, moments(found.entries)))
    counted = {"n": len(seen) - undone, "entries": result.entries, "actions": result.actions, "facts": result.facts}
    desk.screen.line(desk.say("audit.summary", **counted), "bad" if code else "good")
    if undone:
        desk.screen.line(desk.say("audit.undone", n=undone))
    _by_hand(desk, corrected, entered(found.entries))
    if otherwise:
        desk.screen.line()
        desk.screen.line(desk.say("audit.reading", reading=" ".join(otherwise)), "heading")
        for cause in changed_cards(found.game, found.rules, rules):
            desk.screen.line(cause_words(cause, found.game, desk.lang))
            for text in card_words(cause, desk.lang):
                desk.screen.line(f"  {text}")
        for key, some in (("audit.appear", [one for one in seen if one.entry in new]), ("audit.vanish", list(gone))):
            desk.screen.line(desk.say(key, n=len(some)))
            for one in some:
                desk.screen.line(f"  {one.entry} {one.clause} {desk.say(f'finding.{one.kind}')}")
    return code


def _standing(some: Sequence[T]) -> tuple[T, ...]:
    """What does not stand on a line that was left by a rewind."""
    return tuple(one for one in some if not one.undone)


def _by_hand(desk: Desk, corrected: "Sequence[Correction]", outcomes: "Sequence[int]") -> None:
    """What somebody entered: no finding, and never out of sight."""
    if corrected:
        desk.screen.line(desk.say("audit.corrected", n=len(corrected)))
    for one in corrected:
        text = desk.say("audit.correction", entry=one.entry, by=one.by, reason=one.reason, facts=one.facts)
        marks = [desk.say("audit.as_play")] if one.as_play else []
        marks += [desk.say("finding.undone")] if one.undone else []
        desk.screen.line("  " + desk.say("list.comma").join((text, *marks)))
    if outcomes:
        desk.screen.line(desk.say("audit.entered", n=len(outcomes), entries=", ".join(map(str, outcomes))))


@contextmanager
def recorded(desk: Desk, text: str) -> "Iterator[Loaded | files.Record]":
    """A record from a file if there is one of that name, else from the store."""
    try:
        is_file = text == files.STDIN or text.endswith(SUFFIXES) or Path(text).is_file()
    except OSError:
        is_file = False
    if is_file:
        with files.record(desk, text) as record:
            yield record
        return
    with desk.store() as store:
        loaded = desk.match(store, text)
    yield loaded


def _secret(desk: Desk, found: "Loaded | files.Record") -> bytes | None:
    """The croupier's seed of a match in the store, to be held against the record and never shown."""
    if isinstance(found, files.Record):
        return None
    with desk.store() as store:
        return store.secret(found.id)


def fairness(desk: Desk, record: Record, as_json: Json = False) -> int:
    """Hold what chance brought against the croupier's seed, and the seed against its commitment."""
    from domain.judging.audit import fairness as judged

    with recorded(desk, record) as found:
        fair = judged(found.game, found.entries, _secret(desk, found))
    unfair = fair.proof == "broken" or bool(fair.differs)
    if as_json:
        desk.screen.json(
            {"match": found.id, "fair": None if not unfair and _open(fair) else not unfair, "chance": fair}
        )
        return FINDINGS if unfair else FINE
    shown = "fairness.kept" if fair.proof == "holds" and not fair.published else f"fairness.{fair.proof}"
    desk.screen.line(desk.say(shown), "bad" if fair.proof == "broken" else "good" if fair.proof == "holds" else "")
    if fair.proof == "holds":
        desk.screen.line(desk.say("fairness.drawn", n=fair.drawn))
    for key, numbers in (("fairness.differs", fair.differs), ("fairness.by_hand", fair.by_hand)):
        if numbers:
            desk.screen.line(desk.say(key, n=len(numbers), entries=", ".join(map(str, numbers))), "bad")
    for key, n in (("fairness.inherited", fair.inherited), ("fairness.unproved", fair.unproved)):
        if n:
            desk.screen.line(desk.say(key, n=n))
    return FINDINGS if unfair else FINE


def _open(fair: "Fairness") -> bool:
    """Is there something of which nothing can be said?"""
    return fair.proof != "holds" or bool(fair.by_hand or fair.inherited or fair.unproved)


def why(desk: Desk, match: Match, number: Number, viewer: Viewer = "spectator", as_json: Json = False) -> None:
    """An entry explained: what was checked, what followed, each with its clause."""
    import msgspec

    from projections.findings import render_reasons, sentence
    from projections.seen_entries import seen_entries
    from projections.timeline import render_timeline, worded
    from projections.why import why as explained

    with desk.store() as store:
        found = desk.match(store, match)
    seat = desk.viewer(found, viewer)
    desk.entry(found, number)
    try:
        reason = explained(found.game, found.rules, found.entries, number, seat)
    except msgspec.MsgspecError as error:
        raise desk.unavailable(found.id, misfit(error)) from None
    seen = list(seen_entries(found.game, found.entries, seat, number, flow=True))[-1]
    cited = [step.clause for step in reason.trail] + [fact.clause for fact in seen.facts] + list(seen.violations)
    clauses = {one: sentence(found.game, found.rules, one) for one in dict.fromkeys(cited) if one}
    if as_json:
        desk.screen.json(
            {
                "match": found.id,
                "viewer": seat,
                "entry": seen,
                "trail": reason.trail,
                "recomputed": reason.recomputed,
                "clauses": clauses,
            }
        )
        return
    desk.screen.rows(render_timeline([worded(found.game, seen, desk.lang)], desk.lang))
    if reason.trail:
        desk.screen.line(desk.say("why.trail"), "heading")
        desk.screen.rows(render_reasons(reason.trail, found.game, found.rules, desk.lang, 1))
    told = dict.fromkeys([fact.clause for fact in seen.facts if fact.clause] + list(seen.violations))
    if told:
        desk.screen.line(desk.say("why.clauses"), "heading")
        both = [(one, clauses[one].ja if desk.lang == "ja" else clauses[one].en) for one in told]
        for clause, text in both:
            desk.screen.line(f"  {clause} {text}")


def why_not(
    desk: Desk, match: Match, action: Action, at: At = None, viewer: Viewer = "spectator", as_json: Json = False
) -> int:
    """Every condition an action fails, in order, as far as the one who asks may know."""
    from domain.formats.actions import parse_action
    from domain.formats.errors import FormatError
    from domain.formats.names import Eyes
    from domain.judging.trails import asked_table
    from domain.table.physics import Physics
    from projections.findings import render_reasons
    from projections.why import why_not as refused

    with desk.store() as store:
        found = desk.match(store, match)
    seat = desk.viewer(found, viewer)
    number = desk.entry(found, at if at is not None else found.version)
    eyes = Eyes(Physics(found.opened.schema), seat)
    table = asked_table(found.entries, number, seat)
    own = seat if seat in found.opened.seats else None
    text = " ".join(action)
    try:
        actor, meant = parse_action(found.game, table, text, actor=own, eyes=eyes, names=found.opened.names)
    except FormatError as error:
        raise desk.mistyped(text, error) from None
    answer = refused(found.game, found.rules, found.entries, number, actor, meant, seat)
    if as_json:
        from projections.findings import sentence

        clauses = {step.clause: sentence(found.game, found.rules, step.clause) for step in answer.consulted}
        desk.screen.json({"match": found.id, "viewer": seat, "action": text, "answer": answer, "clauses": clauses})
        return FINE if answer.allowed else FINDINGS
    desk.screen.line(desk.say(_outcome(answer.failing), entry=number, viewer=seat), "heading")
    desk.screen.rows(render_reasons(answer.failing, found.game, found.rules, desk.lang, 1))
    return FINE if answer.allowed else FINDINGS


def _outcome(failing: "tuple[Reason, ...]") -> str:
    if not failing:
        return "whynot.allowed"
    return "whynot.unknown" if all(step.holds is None for step in failing) else "whynot.refused"


COMMANDS: dict[str, Command] = {"audit": audit, "fairness": fairness, "why": why, "why-not": why_not}
