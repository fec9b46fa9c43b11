"""Load a casebook: check keys and types, with errors that name file, case and key."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.formats.decks import DeckList
from domain.formats.errors import FormatError, explain_unknown, load_toml, locate_errors, quote_input
from domain.words import Text
from domain.words.foreign import reword

SUFFIX: Final = ".cases.toml"
"""Suffix of casebook files."""

Texts = tuple[str, ...]


class Outcome(Struct, frozen=True):
    """The expected end of a match. Omitted fields are not compared. Without any field the match must go on."""

    winners: Texts | None = None
    reason: str | None = None
    clause: str | None = None


class Look(Struct, frozen=True):
    viewer: str
    place: str
    count: int | None = None
    least: int | None = None
    cards: Texts | None = None


class Rejudged(Struct, frozen=True):
    """Other rules, named as in a case, and the expected verdict on the match. Omitted fields are not compared."""

    verdict: str
    version: str = ""
    frame: str = ""
    set: dict[str, Any] = {}
    entry: int | None = None
    clause: str | None = None


class Then(Struct, frozen=True):
    """Expectations after a step. None is not checked."""

    actor: str | None = None
    refused: str | None = None
    violations: Texts | None = None
    offers: Texts | None = None
    no_offers: Texts | None = None
    places: dict[str, Texts] | None = None
    has: dict[str, Texts] | None = None
    has_not: dict[str, Texts] | None = None
    count: dict[str, int] | None = None
    seats: dict[str, dict[str, int]] | None = None
    marks: dict[str, int] | None = None
    stack: Texts | None = None
    asked: Texts | None = None
    awaited: Texts | None = None
    passed: Texts | None = None
    turn: int | None = None
    active: str | None = None
    first: str | None = None
    phase: str | None = None
    step: str | None = None
    result: Outcome | None = None
    told: Texts | None = None
    untold: Texts | None = None
    readings: dict[str, int | str] | None = None
    views: tuple[Look, ...] | None = None
    knows: dict[str, Texts] | None = None
    knows_not: dict[str, Texts] | None = None
    findings: Texts | None = None
    rejudged: tuple[Rejudged, ...] | None = None


class Ending(Struct, frozen=True):
    """One of several continuations after a step, independent of the others."""

    id: str
    step: "tuple[Step, ...]"
    en: str = ""
    ja: str = ""


class Step(Struct, frozen=True):
    """Actions in sequence, the expectations after them, and optional endings."""

    when: Texts
    then: Then = Then()
    as_played: bool = False
    ending: tuple[Ending, ...] = ()


class GivenColumns(Struct, frozen=True, kw_only=True):
    kind: str
    by: str
    label: str = ""
    face: str = ""
    objs: Texts = ()
    pairs: Texts = ()
    cards: Texts = ()
    frames: Texts = ()
    seats: Texts = ()
    places: Texts = ()
    numbers: tuple[int, ...] = ()
    words: Texts = ()


class GivenFrame(GivenColumns, frozen=True, kw_only=True):
    lane: str = ""
    step: str = ""
    todo: Texts = ()


class GivenEffect(GivenColumns, frozen=True, kw_only=True):
    source: str = ""
    on: Texts = ()
    until: str = ""
    since: int = 0
    path: tuple[int, ...] = ()


class StartPosition(Struct, frozen=True):
    turn: int = 0
    active: str | None = None
    first: str | None = None
    phase: str = ""
    step: str = ""
    awaited: Texts = ()
    passed: Texts = ()
    places: dict[str, Texts] = {}
    seats: dict[str, dict[str, int]] = {}
    marks: dict[str, int] = {}
    frame: tuple[GivenFrame, ...] = ()
    effect: tuple[GivenEffect, ...] = ()
    set_up: dict[str, Texts] | None = None
    decks: dict[str, Texts | DeckList | str] = {}
    match: str = ""
    at: int = 0
    breaks: Texts = ()


class Case(Struct, frozen=True):
    """A ruling: a position, actions and expectations."""

    id: str
    en: str = ""
    ja: str = ""
    clauses: Texts = ()
    game: str = ""
    version: str = ""
    frame: str = ""
    set: dict[str, Any] = {}
    given: StartPosition = StartPosition()
    step: tuple[Step, ...] = ()
    line: int = 1


class Casebook(Struct, frozen=True):
    file: str
    game: str
    cases: tuple[Case, ...]


STEPS_MAX = 500
"""Maximum number of steps in a case with all its endings."""
ACTIONS_MAX = 2_000
"""Maximum number of actions in all steps, enough for a whole match."""
DEEP_MAX = 8
"""Maximum depth of nested endings."""

_FILE_KEYS = ("game", "version", "frame", "set", "given", "case")
_NESTED: dict[type, dict[str, type]] = {
    Case: {"given": StartPosition, "step": Step},
    StartPosition: {"frame": GivenFrame, "effect": GivenEffect},
    Step: {"then": Then, "ending": Ending},
    Ending: {"step": Step},
    Then: {"result": Outcome, "views": Look, "rejudged": Rejudged},
}
_STARTS = ("set_up", "match")
"""Starts that replace a position."""


def load_casebook(text: str, file: str = "") -> Casebook:
    """Load the cases of a file. Raises FormatError naming file, case, key and the allowed values."""
    raw = load_toml(text, file)
    book = _Book(text, file)
    for key in raw:
        if key not in _FILE_KEYS:
            raise book.error("", 1, explain_unknown("key", key, _FILE_KEYS))
    cases = raw.get("case", [])
    if not isinstance(cases, list) or not cases:
        raise book.error("", 1, Text("casebook.no_case"))
    game = raw.get("game")
    if not isinstance(game, str):
        raise book.error("", 1, Text("casebook.no_game"))
    loaded = [book.case(number, case, raw) for number, case in enumerate(cases, start=1)]
    seen: set[str] = set()
    for case in loaded:
        if case.id in seen:
            raise book.error(case.id, case.line, Text("casebook.id_twice"))
        seen.add(case.id)
    return Casebook(file, game, tuple(loaded))


class _Book:
    """A file being loaded, with the line of each case for errors."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.lines = [n for n, line in enumerate(text.split("\n"), start=1) if line.strip().startswith("[[case]]")]

    def error(self, case: str, line: int, message: Text) -> FormatError:
        error = FormatError(message, line, name=self.file)
        return error.within(Text("casebook.case", {"case": case})) if case else error

    def case(self, number: int, raw: Any, file_values: Mapping[str, Any]) -> Case:
        line = self.lines[number - 1] if number <= len(self.lines) else 1
        if not isinstance(raw, dict):
            raise self.error(str(number), line, Text("casebook.no_table"))
        name = raw.get("id")
        if not isinstance(name, str) or not name:
            raise self.error(str(number), line, Text("casebook.no_id"))
        merged = dict(raw)
        for key in ("game", "version", "frame"):
            merged[key] = raw.get(key, file_values.get(key, ""))
        merged["set"] = _merge_tables(file_values.get("set", {}), raw.get("set", {}))
        merged["given"] = _merge_start(file_values.get("given", {}), raw.get("given", {}))
        merged["line"] = line
        try:
            _check_keys(merged, Case, "")
            case = msgspec.convert(merged, Case)
            _check_case(case)
        except ValueError as error:  # errors of msgspec are ValueErrors with the path
            message = error.message if isinstance(error, FormatError) else reword(_count_from_one(str(error)))
            raise self.error(name, line, message) from None
        return case


def _count_from_one(message: str) -> str:
    """Return an error whose paths count from 1, as all errors do."""
    return re.sub(r"\[(\d+)\]", lambda match: f" {int(match[1]) + 1}", message.replace("`$.", "`"))


def _check_case(case: Case) -> None:
    given = case.given
    if given.match and given.set_up is not None:
        raise FormatError(Text("casebook.exclude"))
    if (given.match or given.set_up is not None) and (given.places or given.frame or given.effect or given.breaks):
        raise FormatError(Text("casebook.instead"))
    if given.at and not given.match:
        raise FormatError(Text("casebook.at"))
    steps = [step for _, _, step in every_step(case.step)]
    for what, count, most in (
        ("steps", len(steps), STEPS_MAX),
        ("actions", sum(len(step.when) for step in steps), ACTIONS_MAX),
    ):
        if count > most:
            raise FormatError(Text("casebook.many", {"what": Text(f"casebook.{what}"), "most": most}))
    endings = [(*path, ending.id) for path, _, step in every_step(case.step) for ending in step.ending]
    if twice := next((path for path, times in Counter(endings).items() if times > 1), None):
        raise FormatError(Text("casebook.ending_twice", {"ending": "/".join(twice)}))
    for path, number, step in every_step(case.step):
        with locate_errors(ending_text(path)) if path else nullcontext():
            _check_step(given, step, number, first=number == 1 and not path)


def _check_step(given: StartPosition, step: Step, number: int, first: bool) -> None:
    if step.as_played and not step.when:
        raise FormatError(Text("casebook.no_when", {"step": number, "key": "as_played"}))
    may_refuse_deck = first and given.set_up is not None
    if step.then.refused is not None and not step.when and not may_refuse_deck:
        raise FormatError(Text("casebook.no_when", {"step": number, "key": "refused"}))
    for key in ("findings", "rejudged"):
        if getattr(step.then, key) is not None and not given.match:
            raise FormatError(Text("casebook.no_match", {"step": number, "key": key}))
    for ending in step.ending:
        if not ending.id or "/" in ending.id:
            raise FormatError(Text("casebook.ending_id", {"step": number, "id": quote_input(ending.id)}))
        if not ending.step:
            raise FormatError(Text("casebook.ending_empty", {"step": number, "id": ending.id}))


def every_step(steps: Sequence[Step], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], int, Step]]:
    """Yield every step with its endings and its number in them. Steps of an ending follow their step."""
    for number, step in enumerate(steps, start=1):
        yield path, number, step
        for ending in step.ending:
            yield from every_step(ending.step, (*path, ending.id))


def ending_text(path: Sequence[str]) -> Text:
    return Text("casebook.ending", {"ending": "/".join(path)})


def _merge_start(file: Any, case: Any) -> Any:
    """Merge the file's position with the case's. A case that starts from set-up or a match replaces it."""
    if not isinstance(file, dict) or not isinstance(case, dict):
        return case or file
    if any(key in case for key in _STARTS):
        return case
    if "places" in case and any(key in file for key in _STARTS):
        return case
    return _merge_tables(file, case)


def _merge_tables(file: Any, case: Any) -> Any:
    """Merge tables key by key. Other values are replaced."""
    if not isinstance(file, dict) or not isinstance(case, dict):
        return case
    return file | {key: _merge_tables(file[key], value) if key in file else value for key, value in case.items()}


def _check_keys(raw: Any, kind: type, path: str) -> None:
    if isinstance(raw, list):
        for number, item in enumerate(raw, start=1):
            _check_keys(item, kind, f"{path} {number}")
        return
    if not isinstance(raw, dict):
        return
    if kind is Ending and path.split().count("ending") > DEEP_MAX:
        raise FormatError(Text("casebook.deep", {"most": DEEP_MAX}))
    allowed = kind.__struct_fields__  # type: ignore[attr-defined]
    for key, value in raw.items():
        if key not in allowed:
            error = FormatError(explain_unknown("key", key, [name for name in allowed if name != "line"]))
            raise error.within(path.strip()) if path else error
        nested = _NESTED.get(kind, {}).get(key)
        if nested is not None:
            _check_keys(value, nested, f"{path} {key}")
