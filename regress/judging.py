"""One match of a corpus rejudged, down to its summary. Whatever is wrong with it is said of it, and of it alone."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from corpus.sources import Bad, Filed, Packed, Source, Stored, Unreadable, load
from domain.games import GAMES
from domain.law.clause import Clause
from domain.law.entries import Entry, told
from domain.law.game import Game
from domain.law.rulesets import RulesetError, values
from domain.words import Message, Text
from domain.words.foreign import quoted
from projections.rejudging.causes import ENGINE, Cause, causes
from projections.rejudging.rejudge import Unreadable as NoAction
from projections.rejudging.rejudge import rejudge
from projections.rejudging.showing import deciding
from projections.rejudging.target import rules_for
from projections.rejudging.verdict import Verdict, winners
from recorder.loading import law_of
from regress.index import Passed, passed_by
from regress.summary import Flip, Summary, Task


def judged(task: Task, at: int, source: Source) -> Summary:
    """One match under the task's rules."""
    try:
        passed = None if task.whole else passed_by(source, lambda game, own: _others(task, game, own))
        if passed is not None and not passed.checked:
            return _passed(task, at, source, passed)
        entries = load(source)
        if isinstance(entries, Bad):
            return bad(at, source, entries.why)
        found = law_of(entries[0])
        if isinstance(found, Text):
            return bad(at, source, found)
        summary = _judged(task, at, source, entries, *found)
        if passed is not None and summary.kind != "identical":
            return bad(at, source, Text("regress.wrong_index", {"match": source.name}))
        return summary
    except RulesetError as error:
        return bad(at, source, error.text)
    except NoAction as error:
        return bad(at, source, quoted(error))
    except Exception as error:  # a law that fails under other rules fails for this match, not for the run
        return bad(at, source, Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)}))


def _others(task: Task, game: Game, own: Any) -> Iterator[Any]:
    """The rules a match has to be identical under if it is to be passed by."""
    yield rules_for(task.target, game, own)
    if task.base is not None:
        yield rules_for(task.base, game, own)


def _passed(task: Task, at: int, source: Source, passed: Passed) -> Summary:
    """A match that is identical because nothing it read has changed."""
    rules = rules_for(task.target, passed.game, passed.own)
    start = passed.own if task.base is None else rules_for(task.base, passed.game, passed.own)
    changed = _changed(passed.game.key, _plain(start), _plain(rules))
    seen = changed & set(passed.reads.clauses)
    return Summary(
        kind="identical",
        at=at,
        name=source.name,
        file=file_of(source),
        game=passed.game.key,
        entries=passed.entries,
        told=tuple(sorted(seen)),
        untold=tuple(sorted(changed - seen)),
        passed=True,
    )


def _judged(task: Task, at: int, source: Source, entries: Sequence[Entry], game: Game, own: Any) -> Summary:
    rules = rules_for(task.target, game, own)
    start = own if task.base is None else rules_for(task.base, game, own)
    said: dict[str, Any] = {
        "at": at,
        "name": source.name,
        "file": file_of(source),
        "game": game.key,
        "entries": len(entries),
    }
    if task.base is not None and (differs := rejudge(game, entries, start)).kind != "identical":
        return _differs(said, game, start, entries, differs, causes(game, entries, own, start))
    verdict = rejudge(game, entries, rules)
    said |= _coverage(game, start, rules, entries)
    if verdict.kind == "identical":
        return Summary(kind="identical", **said)
    if task.base is None and (differs := rejudge(game, entries, start)).kind != "identical":
        return _differs(said, game, start, entries, differs, (ENGINE,))
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
    said: dict[str, Any], game: Game, rules: Any, entries: Sequence[Entry], verdict: Verdict, why: tuple[Cause, ...]
) -> Summary:
    """A record that is not what the base says: it was made under other rules, or the program has changed since."""
    clause = deciding(entries, verdict)
    return Summary(
        kind="base",
        under=verdict.kind,
        entry=_entry(verdict),
        clause=clause,
        sentence=game.rulebook.both(clause, values(rules)),
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
    problem = Message(why.say("en"), why.say("ja"))
    return Summary(at=at, name=source.name, kind="bad", file=file_of(source), game=source.game, problem=problem)


def file_of(source: Source) -> str:
    """The file in which a match lies."""
    match source.place:
        case Packed(file=file) | Filed(file=file):
            return file
        case Stored(store=store):
            return store
        case Unreadable():
            return source.name


def _coverage(game: Game, start: Any, rules: Any, entries: Sequence[Entry]) -> dict[str, Any]:
    changed = _changed(game.key, _plain(start), _plain(rules))
    if not changed:
        return {}
    seen = {clause for entry in entries for clause, _ in told(entry)}
    return {"told": tuple(sorted(changed & seen)), "untold": tuple(sorted(changed - seen))}


@lru_cache(64)
def _changed(key: str, start: bytes, rules: bytes) -> frozenset[Clause]:
    """The clauses that read otherwise under other rules."""
    before, after = msgspec.json.decode(start), msgspec.json.decode(rules)
    book = GAMES[key].rulebook
    return frozenset(one for one in book.clauses if book.sentence(one, "en", before) != book.sentence(one, "en", after))


def _plain(rules: Any) -> bytes:
    return msgspec.json.encode(values(rules), order="sorted")
