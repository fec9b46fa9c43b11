"""Audit findings for one viewer. Entry and clause are public, details only for those who may know them."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgspec import Struct

from domain.judging.audit import AuditFinding, Certainty
from domain.law.clause import CitedFact, Clause
from domain.law.entries import Played, line, tables
from domain.law.game import Game
from domain.law.law import Law
from domain.law.record import Record
from domain.law.rulesets import values
from domain.table.draft import Draft
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, Place, Table
from domain.words import LANGS, Lang, Message, say
from projections import retrospective_view
from projections.moments import Moments, group_by_headings
from projections.phrases import Names, fact_words, later_words, seat_name
from projections.rows import Cell, Row
from projections.seen_entries import SeenEntry, seen_entry
from projections.seen_facts import SeenFact, see_fact
from projections.timeline import entry_words
from projections.viewing import is_over
from projections.why import CheckSubject, Reason, SeenLayer, ShapingClause, reasons


class Sentence(Message, frozen=True, forbid_unknown_fields=False):
    """A clause in both languages, with the numbers in force."""


class SeenFinding(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A finding for one viewer, with its entry in words.

    `broken` is for the actor and the judge. Until the match is over, `missing`, `extra` and `detail` are for the judge
    only, because they may disclose hidden cards. `undone` is True if a rewind undid the entry.
    """

    entry: int
    kind: str
    clause: Clause
    sentence: Sentence
    what: Sentence
    flagged: bool = False
    broken: tuple[Reason, ...] = ()
    missing: tuple[SeenFact, ...] = ()
    extra: tuple[SeenFact, ...] = ()
    detail: Sentence | None = None
    undone: bool = False
    certainty: Certainty = "certain"


def sentence(law: Law, clause: Clause) -> Sentence:
    """Return a clause in both languages, empty if the rulebook lacks it."""
    both = law.game.rulebook.both(clause, values(law.rules))
    return Sentence(both.en, both.ja)


def counts_as_finding(finding: SeenFinding) -> bool:
    """True if a finding counts: no rewind undid its entry, and no hidden card excludes it."""
    return not finding.undone and finding.certainty != "excluded"


def kind_words(finding: SeenFinding, lang: Lang) -> str:
    """Return the kind of a finding in words, with its certainty unless it is certain."""
    kind = say(f"finding.{finding.kind}", lang)
    if finding.certainty == "certain":
        return kind
    return say("finding.uncertain", lang, kind=kind, certainty=say(f"certainty.{finding.certainty}", lang))


def say_entry(game: Game, entry: SeenEntry, names: Names) -> Sentence:
    return Sentence(*(entry_words(game, entry, lang, names).text for lang in LANGS))


def seen_findings(
    record: Record, eyes: TableViewer, law: Law, findings: Sequence[AuditFinding]
) -> tuple[SeenFinding, ...]:
    """Return findings as a viewer may know them, for an audit under `law`."""
    standing = frozenset(line(record.entries)) if findings else ()
    may_know = eyes.viewer == JUDGE or is_over(record.entries)
    return tuple(
        _see_finding(record, law, eyes, finding, finding.entry not in standing, may_know)
        for finding in findings
        if eyes.viewer == JUDGE or is_public(finding)
    )


def seen_flags(record: Record, eyes: TableViewer) -> tuple[SeenFinding, ...]:
    """Return the actions that the record itself flags, as a viewer sees them. Other findings are omitted for a viewer
    of an open match who may not see every card. They may disclose hidden cards."""
    law, standing = record.law, frozenset(line(record.entries))
    flags: list[SeenFinding] = []
    for number, entry, before, _ in tables(record.entries):
        if isinstance(entry, Played) and (seen := seen_entry(law.game, eyes, number, entry, before).violations):
            finding = AuditFinding(entry=number, kind="not_allowed", clause=seen[0], flagged=True, before=before)
            flags.append(_see_finding(record, law, eyes, finding, number not in standing, eyes.viewer == JUDGE))
    return tuple(flags)


def is_public(finding: AuditFinding) -> bool:
    """True if all viewers may know a finding. An excluded finding discloses cards that only the log knows. It is public
    only if the entry is flagged, to clear the actor."""
    return finding.certainty != "excluded" or finding.flagged


def _see_finding(
    record: Record, law: Law, eyes: TableViewer, finding: AuditFinding, undone: bool, shows_facts: bool
) -> SeenFinding:
    """Return a finding as seen; `shows_facts` is True if the viewer may know the facts of the law."""
    before, then = finding.before, retrospective_view.after(eyes, finding.entry - 1)
    entry = record.entries[finding.entry - 1]
    seen = seen_entry(law.game, eyes, finding.entry, entry, before)
    judge = eyes.viewer == JUDGE
    acted = isinstance(entry, Played) and eyes.viewer == entry.actor
    return SeenFinding(
        entry=finding.entry,
        kind=finding.kind,
        clause=finding.clause,
        sentence=sentence(law, finding.clause),
        what=say_entry(law.game, seen, record.names),
        flagged=finding.flagged,
        broken=reasons(then, before, finding.broken) if judge or acted else (),
        missing=_facts(then, before, finding.missing) if shows_facts else (),
        extra=_facts(then, before, finding.extra) if shows_facts else (),
        detail=Sentence(finding.detail.say("en"), finding.detail.say("ja")) if judge and finding.detail else None,
        undone=undone,
        certainty=finding.certainty,
    )


def _facts(eyes: TableViewer, before: Table, told: Sequence[CitedFact]) -> tuple[SeenFact, ...]:
    """Return facts as seen on the table before the entry, without those that cannot be expressed on it."""
    seen: list[SeenFact | None] = []
    for clause, fact in told:
        with suppress(LookupError, ValueError, AssertionError):
            seen.append(see_fact(eyes, Draft(before), clause, fact))
    return tuple(fact for fact in seen if fact is not None)


def gap_words(gaps: Sequence[int], lang: Lang) -> str:
    """Return the sentence that the actions missing at these entries are not judged."""
    return say("audit.gaps", lang, entries=say("list.comma", lang).join(map(str, gaps)))


def render_findings(
    findings: Iterable[SeenFinding], law: Law, lang: Lang, names: Names, when: Moments | None = None
) -> list[Row]:
    """Render each finding: entry, kind and clause, then its sentence, the action and its details. With `when`, findings
    are grouped by turn and show the time of the entry."""
    parts = (
        (
            (when.turn(finding.entry, lang) if when is not None else "",),
            _render_finding(finding, law, lang, names, when.time(finding.entry) if when is not None else ""),
        )
        for finding in findings
    )
    return group_by_headings(parts, lang)


def _render_finding(finding: SeenFinding, law: Law, lang: Lang, names: Names, time: str) -> list[Row]:
    head = [
        Cell(say("finding.entry", lang, n=finding.entry), "number"),
        Cell(time, "time"),
        Cell(say(f"finding.{finding.kind}", lang), "finding"),
        Cell(finding.clause, "clause", clause=finding.clause),
    ]
    if finding.flagged:
        head.append(Cell(say("finding.flagged", lang), "violation"))
    if finding.certainty != "certain":
        head.append(Cell(say(f"certainty.{finding.certainty}", lang), "certainty"))
    if finding.undone:
        head.append(Cell(say("finding.undone", lang), "undone"))
    rows = [Row("finding", tuple(head))]
    if text := finding.sentence.say(lang):
        rows.append(Row("sentence", (Cell(text, "sentence"),), 1))
    rows.append(Row("what", (Cell(finding.what.say(lang), "what"),), 1))
    rows += render_reasons([step for step in finding.broken if step.clause != finding.clause], law, lang, names, 1)
    for key, facts in (("finding.missing", finding.missing), ("finding.extra", finding.extra)):
        rows += [
            Row(
                "fact",
                (Cell(say(key, lang, fact=fact_words(law.game, fact, lang, names))), Cell(fact.clause, "clause")),
                1,
            )
            for fact in facts
        ]
    if finding.detail is not None:
        rows.append(Row("detail", (Cell(finding.detail.say(lang)),), 1))
    return rows


def about_words(game: Game, about: CheckSubject, lang: Lang, names: Names) -> str:
    face = game.rulebook.word(about.face, lang) if about.face else "?"
    if about.later is not None:
        return later_words(game, about.later, about.thing, lang)
    match about.kind:
        case "card" if about.thing and about.since:
            return say("reason.since", lang, face=face, thing=about.thing, entry=about.since)
        case "card":
            return say("card.both", lang, face=face, thing=about.thing) if about.thing else face
        case "effect":
            return say("reason.effect" if about.face else "reason.effect_alone", lang, id=about.effect, face=face)
        case "missing":
            return say("reason.missing", lang, slot=game.rulebook.word(about.name, lang))
        case "word":
            return game.display.place_name(Place(about.name)) or game.rulebook.word(about.name, lang)
        case "seat":
            return seat_name(names, about.name, lang)
        case _:
            return about.name


def render_reasons(steps: Sequence[Reason], law: Law, lang: Lang, names: Names, depth: int) -> list[Row]:
    """Render the clauses consulted, one per row: result, id, sentence and subject."""
    rows: list[Row] = []
    for step in steps:
        state = "open" if step.holds is None else "holds" if step.holds else "fails"
        cells = [
            Cell(say(f"reason.{state}", lang), "good" if state == "holds" else "bad"),
            Cell(step.clause, "clause", clause=step.clause),
            Cell(sentence(law, step.clause).say(lang)),
        ]
        named = [about_words(law.game, about, lang, names) for about in step.about if about.name]
        if named:
            cells.append(Cell(say("reason.about", lang, about=say("list.comma", lang).join(named))))
        rows.append(Row("reason", tuple(cells), depth))
    return rows


def render_shaped(noted: Sequence[ShapingClause], law: Law, lang: Lang, names: Names, depth: int) -> list[Row]:
    """Render the notes, one per row: clause, sentence and subject, then the layers of its number."""
    rows: list[Row] = []
    for shaped in noted:
        cells = [Cell(shaped.clause, "clause", clause=shaped.clause), Cell(sentence(law, shaped.clause).say(lang))]
        named = [about_words(law.game, about, lang, names) for about in shaped.about if about.name]
        if named:
            cells.append(Cell(say("reason.about", lang, about=", ".join(named))))
        rows.append(Row("shaped", tuple(cells), depth))
        if shaped.layers:
            layers = " ".join(
                _layer_words(law.game, layer, lang, names, at == 0) for at, layer in enumerate(shaped.layers)
            )
            text = say("why.value", lang, value=shaped.value, layers=layers)
            rows.append(Row("layers", (Cell(text, "value"),), depth + 1))
    return rows


def _layer_words(game: Game, layer: SeenLayer, lang: Lang, names: Names, first: bool) -> str:
    n = f"={layer.n}" if layer.sets else str(layer.n) if first else f"{layer.n:+}"
    return say("why.layer", lang, n=n, of=about_words(game, layer.of, lang, names), clause=layer.clause)
