"""Rejudge one match of a corpus and summarise it. Its errors become part of its summary."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Literal

import msgspec
from msgspec import Struct

from archive.corpus.sources import (
    CorpusLocation,
    FileLocation,
    Source,
    StoreLocation,
    UnreadableLocation,
    UnreadableMatch,
    digest,
    is_intact,
    load,
)
from archive.regress.index import find_indexed_match
from archive.regress.summary import FactKind, First, Flip, Summary, Task, Value
from domain.games import GAMES
from domain.judging.rejudging.causes import ENGINE, causes, kind_of, spare_none
from domain.judging.rejudging.path import Unreadable as NoAction
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.skipping import Reads, changed_fields, spares_of
from domain.judging.rejudging.target import register_cards, rules_for
from domain.judging.rejudging.verdict import Verdict, winners
from domain.law.clause import CitedFacts, Clause
from domain.law.entries import Entry, Played, entry_facts
from domain.law.game import Game
from domain.law.law import Law
from domain.law.pools import Overlay
from domain.law.record import Record
from domain.law.rulesets import RulesetError, load as load_rules, values
from domain.law.slots import verb
from domain.table import facts as F
from domain.table.table import zone
from domain.words import Text
from domain.words.foreign import escape_undecodable, quoted, render_in_both
from projections.verdicts.seen_verdicts import deciding_clause


def describe(
    before: Law, law: Law, entries: Sequence[Entry], verdict: Verdict, kind: Literal["base"] | None = None
) -> dict[str, Any]:
    """Return the summary fields of a record that differs under `law`; `before` is the law it is compared with. For the
    base, a difference means that other rules recorded the match, or that the program has changed since."""
    clause, flip = deciding_clause(entries, verdict), None
    if kind is None and verdict.kind == "winner":
        flip = Flip(winners(verdict.recorded_result), winners(verdict.rejudged_result))
    entry = _deciding_entry(verdict)
    before_text, after_text = (side.game.rulebook.both(clause, values(side.rules)) for side in (before, law))
    return {
        "kind": kind or verdict.kind,
        "under": verdict.kind if kind else None,
        "entry": entry,
        "clause": clause,
        "sentence": after_text,
        "was": before_text if before_text != after_text else None,
        "first": _describe_first(before, law, verdict),
        "verb": _verb_at(law.game, entries, entry),
        "why": verdict.why,
        "flip": flip,
    }


def _deciding_entry(verdict: Verdict) -> int:
    """Return the entry that decides a verdict: a refused or missing action, else the first difference."""
    if verdict.entry:
        return verdict.entry
    differing = ([verdict.first] if verdict.first is not None else []) + [*verdict.aligned[:1]]
    return min((difference.entry for difference in differing), default=verdict.rejudged_at)


def _verb_at(game: Game, entries: Sequence[Entry], entry: int) -> str:
    played = entries[entry - 1] if 0 < entry <= len(entries) else None
    return verb(game.decoder().decode(played.action)) if isinstance(played, Played) else ""


def _describe_first(before: Law, law: Law, verdict: Verdict) -> First | None:
    first = verdict.first
    if first is None:
        return None
    return First(first.entry, _fact_kind(before, first.recorded), _fact_kind(law, first.rejudged))


def _fact_kind(law: Law, told: CitedFacts) -> FactKind | None:
    if not told:
        return None
    clause, fact = told[0]
    tag = fact.__struct_config__.tag
    assert isinstance(tag, str)
    return FactKind(clause, tag, _subject_of(fact), law.game.rulebook.both(clause, values(law.rules)))


def _subject_of(fact: F.AnyFact) -> str:
    match fact:
        case F.Marked(name=name) | F.Rolled(what=name):
            return name
        case F.Created(place=place) | F.Arranged(place=place) | F.Moved(to=place):
            return zone(place)
        case F.Pushed(frame):
            return frame.kind
        case _:
            return ""


def changed_values(
    game: Game, clauses: Collection[Clause], before: Mapping[str, object], after: Mapping[str, object]
) -> tuple[Value, ...]:
    """Return the changed fields, and those that changed clauses name, which are needed to render them. Card texts are
    excluded."""
    texts = [
        text for clause in clauses for text in (game.rulebook.clauses[clause].en, game.rulebook.clauses[clause].ja)
    ]
    return tuple(
        Value(key, kind_of(game, key), _to_json(before[key]), _to_json(value))
        for key, value in after.items()
        if (game.pools is None or key != game.pools.field)
        and (before[key] != value or any("{" + key + "}" in text for text in texts))
    )


def _to_json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


class TaskRules(Struct, frozen=True):
    """A task applied to the rules of a record: its law, both sets of rules, and what changes.

    `before` and `after` are the fields that differ from the record's own on each side. `clauses` have different
    texts on the two sides, and `values` are the changes between them.
    """

    law: Law
    start: object
    rules: object
    before: frozenset[str]
    after: frozenset[str]
    clauses: frozenset[Clause]
    values: tuple[Value, ...]


class JudgingJob(Struct, frozen=True):
    """A match to decide, with its position in the corpus.

    `sound`: the index says that it is identical under the starting rules, so that check is skipped. `sure`: the index
    says that it is identical under the other rules too, and this is verified. `reads`: the relevant fields that its
    entries read. `verifies_index`: all entries are decided to verify `reads`.
    """

    at: int
    source: Source
    sound: bool = False
    sure: bool = False
    reads: Reads | None = None
    verifies_index: bool = False


def look_up(task: Task, at: int, source: Source) -> Summary | JudgingJob:
    """Return the summary of a match that the task cannot affect, or a job."""
    try:
        indexed = None if task.whole else find_indexed_match(source)
        if indexed is None:
            return JudgingJob(at, source)
        applied = _apply_task(task, indexed.game, indexed.rules)
    except Exception:  # errors in rules are reported by the judgement; a broken index is ignored
        return JudgingJob(at, source)
    sound = indexed.may_skip(applied.before)
    sure = sound and indexed.may_skip(applied.after)
    if sure and not indexed.checked and is_intact(source):
        assert isinstance(source.place, CorpusLocation)
        row = source.place.row
        listed: dict[str, Any] = {"entries": row.entries, "version": row.version, "digest": row.digest.hex()}
        cited = indexed.fact_clauses if applied.clauses else ()
        return Summary(**_describe_match(at, source, applied, cited), **listed, kind="identical", passed=True)
    reads = None if sure else indexed.reads_of(applied.before | applied.after)
    if indexed.checked:
        return JudgingJob(at, source, sure=sure, reads=reads, verifies_index=not sure)
    return JudgingJob(at, source, sound, reads=reads)


def judge(task: Task, todo: JudgingJob) -> Summary:
    at, source = todo.at, todo.source
    try:
        if task.target.cards is not None:
            _register_cards(task.target.cards)
        match = load(source)
        if isinstance(match, UnreadableMatch):
            return bad(at, source, match.why)
        summary = _judge(task, todo, match)
        if todo.sure and summary.kind != "identical":
            return bad(at, source, Text("regress.wrong_index", {"match": source.name}))
        return summary
    except (RulesetError, NoAction) as error:
        return bad(at, source, error.text)
    except Exception as error:  # a law that fails under other rules must not stop the run
        if isinstance(damaged := load(source, checked=True), UnreadableMatch):
            return bad(at, source, damaged.why)
        return bad(at, source, Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)}))


@lru_cache(8)
def _register_cards(cards: Overlay) -> None:
    """Register the cards once per process, for records pinned to an overlay of a published pool."""
    register_cards(cards, GAMES.values())


@lru_cache(64)
def _apply_task(task: Task, key: str, recorded: bytes) -> TaskRules:
    """Return the task's rules for a record, cached for records with equal rules. Raises RulesetError."""
    game = GAMES[key]
    own = load_rules(game, msgspec.json.decode(recorded))
    rules = rules_for(task.target, game, own)
    start = own if task.base is None else rules_for(task.base, game, own)
    before, after = values(start), values(rules)
    sentence, was = game.rulebook.sentence, values(own)
    clauses = frozenset(
        clause for clause in game.rulebook.clauses if sentence(clause, "en", before) != sentence(clause, "en", after)
    )
    return TaskRules(
        Law(game.under(own), own),
        start,
        rules,
        changed_fields(game, was, start),
        changed_fields(game, was, rules),
        clauses,
        changed_values(game, clauses, before, after),
    )


def _judge(task: Task, todo: JudgingJob, match: Record) -> Summary:
    entries = match.entries
    applied = _apply_task(task, match.game.key, msgspec.json.encode(match.opening.rules))
    game, start, rules = applied.law.game, applied.start, applied.rules
    common = partial(_describe_match, todo.at, todo.source, applied)
    listed: dict[str, Any] = {
        "entries": len(entries),
        "version": match.opening.version,
        "digest": digest(todo.source, entries),
    }
    checks_start, has_base = not todo.sound, task.base is not None
    by_index = spares_of(game, applied.law.rules, applied.before | applied.after, todo.reads)
    spares = spare_none if todo.verifies_index else by_index
    if (
        checks_start
        and has_base
        and (verdict := rejudge(game, entries, start, spared=spares(start))).kind != "identical"
    ):
        why = causes(game, entries, applied.law.rules, start, spares=spares)
        described = describe(applied.law, Law(game, start), entries, verdict, "base")
        return Summary(**common(None), **listed, **described, causes=why)
    verdict = rejudge(game, entries, rules, spared=spares(rules))
    if todo.verifies_index and rejudge(game, entries, rules, spared=by_index(rules)) != verdict:
        return bad(todo.at, todo.source, Text("regress.wrong_entries", {"match": todo.source.name}))
    listed |= common(clause for entry in entries for clause, _ in entry_facts(entry))
    if verdict.kind == "identical":
        return Summary(**listed, kind="identical")
    if (
        checks_start
        and not has_base
        and (base := rejudge(game, entries, start, spared=spares(start))).kind != "identical"
    ):
        described = describe(applied.law, Law(game, start), entries, base, "base")
        return Summary(**listed, **described, causes=(ENGINE,))
    why = causes(game, entries, start, rules, sound=True, spares=spares)
    return Summary(**listed, **describe(Law(game, start), Law(game, rules), entries, verdict), causes=why)


def _describe_match(at: int, source: Source, applied: TaskRules, clauses: Iterable[Clause] | None) -> dict[str, Any]:
    """Return the common fields of a summary, with the changed clauses that the match cites and the others."""
    common = {"at": at, "name": escape_undecodable(source.name), "file": file_of(source), "game": applied.law.game.key}
    common["values"] = applied.values
    if clauses is None or not applied.clauses:
        return common
    cited = applied.clauses.intersection(clauses)
    return common | {"told": tuple(sorted(cited)), "untold": tuple(sorted(applied.clauses - cited))}


def bad(at: int, source: Source, why: Text) -> Summary:
    name = escape_undecodable(source.name)
    return Summary(at=at, name=name, kind="bad", file=file_of(source), game=source.game, problem=render_in_both(why))


def file_of(source: Source) -> str:
    match source.place:
        case CorpusLocation(file=file) | FileLocation(file=file) | StoreLocation(store=file):
            return escape_undecodable(file)
        case UnreadableLocation():
            return escape_undecodable(source.name)
