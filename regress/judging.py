"""One match of a corpus rejudged, down to its summary. Whatever is wrong with it is said of it, and of it alone."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from corpus.sources import Bad, Filed, Packed, Source, Stored, Unreadable, load, whole
from domain.games import GAMES
from domain.judging.rejudging.causes import ENGINE, Cause, causes
from domain.judging.rejudging.rejudge import Unreadable as NoAction
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.skipping import changed_fields, may_skip
from domain.judging.rejudging.target import offer, rules_for
from domain.judging.rejudging.verdict import Verdict, winners
from domain.law.clause import Clause
from domain.law.entries import Entry, told
from domain.law.game import Game
from domain.law.law import Law
from domain.law.pools import Overlay
from domain.law.rulesets import RulesetError, values
from domain.words import Message, Text
from domain.words.foreign import quoted, written
from projections.verdicts.showing import deciding
from recorder.laws import law_of
from regress.index import Known, known
from regress.summary import Flip, Summary, Task


class Laid(Struct, frozen=True):
    """A task laid over the rules of a record: the rules compared, and what changes by fields and by clauses.

    `before` and `after` are the fields whose values differ from the record's own on each side, `clauses` those that
    read otherwise on one side than on the other.
    """

    start: Any
    rules: Any
    before: frozenset[str]
    after: frozenset[str]
    clauses: frozenset[Clause]


class Todo(Struct, frozen=True):
    """A match that has to be decided, and its place in the corpus.

    `sound`: by the index it is identical under the rules it starts from, so that is not looked at again.
    `sure`: by the index it is identical under the other rules too, and decided all the same to see whether that holds.
    """

    at: int
    source: Source
    sound: bool = False
    sure: bool = False


def looked(task: Task, at: int, source: Source) -> Summary | Todo:
    """A match as far as it can be told before it is read: its summary, if the task cannot touch it."""
    try:
        held = None if task.whole else known(source)
        if held is None:
            return Todo(at, source)
        laid = _laid(task, held.game.key, held.own)
    except Exception:  # what is wrong with the rules is said where the match is decided; a mangled index says nothing
        return Todo(at, source)
    sound = may_skip(held.reads, laid.before)
    sure = sound and may_skip(held.reads, laid.after)
    if held.checked:
        return Todo(at, source, sure=sure)
    if sure and whole(source):
        return _passed(laid, at, source, held)
    return Todo(at, source, sound)


def judged(task: Task, todo: Todo) -> Summary:
    """One match decided again under the task's rules."""
    at, source = todo.at, todo.source
    try:
        if task.target.cards is not None:
            _offered(task.target.cards)
        entries = load(source)
        if isinstance(entries, Bad):
            return bad(at, source, entries.why)
        found = law_of(entries[0])
        if isinstance(found, Text):
            return bad(at, source, found)
        summary = _judged(task, todo, entries, *found)
        if todo.sure and summary.kind != "identical":
            return bad(at, source, Text("regress.wrong_index", {"match": source.name}))
        return summary
    except RulesetError as error:
        return bad(at, source, error.text)
    except NoAction as error:
        return bad(at, source, error.text)
    except Exception as error:  # a law that fails under other rules fails for this match, not for the run
        if isinstance(damaged := load(source, checked=True), Bad):
            return bad(at, source, damaged.why)
        return bad(at, source, Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)}))


@lru_cache(8)
def _offered(cards: Overlay) -> None:
    """Once in each process: records may be pinned to what a card file gives over a published pool."""
    offer(cards, GAMES.values())


@lru_cache(64)
def _laid(task: Task, key: str, own: bytes) -> Laid:
    """Worked out once for all records with the same rules of their own. Raises RulesetError."""
    game = GAMES[key]
    recorded = msgspec.json.decode(own, type=game.rules_type)
    rules = rules_for(task.target, game, recorded)
    start = recorded if task.base is None else rules_for(task.base, game, recorded)
    before, after = values(start), values(rules)
    sentence, was = game.rulebook.sentence, values(recorded)
    return Laid(
        start,
        rules,
        changed_fields(game, was, start),
        changed_fields(game, was, rules),
        frozenset(one for one in game.rulebook.clauses if sentence(one, "en", before) != sentence(one, "en", after)),
    )


def _passed(laid: Laid, at: int, source: Source, held: Known) -> Summary:
    """A match that is identical because nothing it read has changed."""
    return Summary(
        kind="identical",
        at=at,
        name=written(source.name),
        file=file_of(source),
        game=held.game.key,
        entries=held.entries,
        passed=True,
        **_coverage(laid, held.told),
    )


def _judged(task: Task, todo: Todo, entries: Sequence[Entry], game: Game, own: Any) -> Summary:
    laid = _laid(task, game.key, msgspec.json.encode(own))
    start, rules = laid.start, laid.rules
    said: dict[str, Any] = {
        "at": todo.at,
        "name": written(todo.source.name),
        "file": file_of(todo.source),
        "game": game.key,
        "entries": len(entries),
    }
    looks, based = not todo.sound, task.base is not None
    if looks and based and (differs := rejudge(game, entries, start)).kind != "identical":
        return _differs(said, Law(game, start), entries, differs, causes(game, entries, own, start))
    verdict = rejudge(game, entries, rules)
    if laid.clauses:
        said |= _coverage(laid, (clause for entry in entries for clause, _ in told(entry)))
    if verdict.kind == "identical":
        return Summary(kind="identical", **said)
    if looks and not based and (differs := rejudge(game, entries, start)).kind != "identical":
        return _differs(said, Law(game, start), entries, differs, (ENGINE,))
    flip = None
    if verdict.kind == "winner":
        flip = Flip(winners(verdict.recorded_result), winners(verdict.rejudged_result))
    why = causes(game, entries, start, rules, sound=True)
    clause = deciding(entries, verdict)
    return Summary(
        kind=verdict.kind,
        entry=_entry(verdict),
        clause=clause,
        sentence=game.rulebook.both(clause, values(rules)),
        why=verdict.why,
        causes=why,
        flip=flip,
        **said,
    )


def _differs(
    said: dict[str, Any], law: Law, entries: Sequence[Entry], verdict: Verdict, why: tuple[Cause, ...]
) -> Summary:
    """A record that is not what the base says: it was made under other rules, or the program has changed since."""
    clause = deciding(entries, verdict)
    return Summary(
        kind="base",
        under=verdict.kind,
        entry=_entry(verdict),
        clause=clause,
        sentence=law.game.rulebook.both(clause, values(law.rules)),
        causes=why,
        why=verdict.why,
        **said,
    )


def _entry(verdict: Verdict) -> int:
    """Where a verdict is decided: where an action is refused or something is missing, else where it first differs."""
    if verdict.entry:
        return verdict.entry
    places = [verdict.first.entry] if verdict.first is not None else []
    return min((*places, *(one.entry for one in verdict.aligned[:1])), default=verdict.rejudged_at)


def bad(at: int, source: Source, why: Text) -> Summary:
    """A match that cannot be judged."""
    problem = Message(written(why.say("en")), written(why.say("ja")))
    name = written(source.name)
    return Summary(at=at, name=name, kind="bad", file=file_of(source), game=source.game, problem=problem)


def file_of(source: Source) -> str:
    """The file in which a match lies, as reports write it."""
    match source.place:
        case Packed(file=file) | Filed(file=file):
            return written(file)
        case Stored(store=store):
            return written(store)
        case Unreadable():
            return written(source.name)


def _coverage(laid: Laid, clauses: Iterable[Clause]) -> dict[str, Any]:
    """Of the clauses that read otherwise, those that were told, and the others."""
    seen = laid.clauses.intersection(clauses)
    return {"told": tuple(sorted(seen)), "untold": tuple(sorted(laid.clauses - seen))}
