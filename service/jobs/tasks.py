"""What a job is asked to do, looked at as far as that goes before any match is read."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from domain.formats.errors import FormatError, unknown
from domain.games import GAMES
from domain.judging.rejudging.target import Target, probe, read_target, target_named
from domain.law.game import Game
from domain.law.law import Law
from domain.law.rulesets import RulesetError, ruleset, values, with_settings
from domain.words import Text
from service.wire import Wire

Kind = Literal["regression", "comparison", "verification", "rejudging", "reading"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
DRAFT: Final = "draft.toml"
VERIFIED_MAX: Final = 1_000
NAMED_MAX: Final = 10_000

Named = Annotated[tuple[str, ...], Meta(max_length=NAMED_MAX)]
"""Matches by their ids; none: all that are closed."""


class OtherRules(Wire, frozen=True):
    """Other rules: a published version or the notes of an edition (`GAME@VERSION`), a frame, options set, or a draft,
    the text of a file as `shinpan regress --rules` takes it."""

    rules: str = ""
    frame: str = ""
    settings: dict[str, Any] = field(name="set", default_factory=dict)
    draft: str = ""


class Regression(OtherRules, frozen=True, kw_only=True):
    """A rule change over many matches. `base` (`GAME@VERSION`): what they are held against instead of their own rules.

    `full` decides every match, whatever an index says.
    """

    base: str = ""
    full: bool = False
    matches: Named = ()


class Comparison(Wire, frozen=True):
    """Two values of an option of a game: which matches tell them apart."""

    game: str
    option: str
    values: tuple[str, str]
    matches: Named = ()


class Verification(Wire, frozen=True, kw_only=True):
    """So many matches played at random from a seed on, under published rules (`GAME@VERSION`)."""

    rules: str
    frame: str = ""
    settings: dict[str, Any] = field(name="set", default_factory=dict)
    matches: Annotated[int, Meta(ge=1, le=VERIFIED_MAX)] = 20
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = 1
    steer: bool = False


class Rejudging(OtherRules, frozen=True, kw_only=True):
    """One match under other rules, as a viewer may know it; `beside` with both tables where they differ first."""

    match: str
    viewer: str = "spectator"
    beside: bool = False


class Reading(Wire, frozen=True):
    """One match under two values of an option, as a viewer may know it."""

    match: str
    option: str
    values: tuple[str, str]
    viewer: str = "spectator"


Task = Regression | Comparison | Verification | Rejudging | Reading
TASKS: Final[Mapping[Kind, type[Task]]] = dict(zip(KINDS, get_args(Task), strict=True))


def target_of(asked: OtherRules) -> Target:
    """The other rules that are meant. Raises RulesetError or FormatError."""
    if not (asked.rules or asked.frame or asked.settings or asked.draft):
        raise RulesetError(Text("job.no_rules"))
    if asked.rules and asked.draft:
        raise RulesetError(Text("job.two_rules"))
    target = Target()
    if asked.draft:
        target = read_target(asked.draft.encode(), DRAFT, GAMES)
        if target.full is not None and (asked.settings or asked.frame):
            raise FormatError(Text("target.both"), name=DRAFT)
    elif asked.rules:
        target = target_named(asked.rules, GAMES)
    target = replace(target, frame=asked.frame or target.frame, settings={**target.settings, **asked.settings})
    if target.game:
        probe(target, GAMES[target.game])
    return target


def base_of(asked: Regression) -> Target | None:
    """What matches are held against, if that is not their own rules."""
    return target_of(OtherRules(rules=asked.base)) if asked.base else None


def reading(option: str, value: str) -> Target:
    """A record's own rules with one option set."""
    return Target(settings={option: value})


def targets_of(asked: Rejudging | Reading) -> tuple[Target, ...]:
    """The rules that one match is held against. Raises RulesetError or FormatError."""
    if isinstance(asked, Rejudging):
        return (target_of(asked),)
    return tuple(reading(asked.option, value) for value in asked.values)


def check_reading(game: Game, option: str, both: tuple[str, str]) -> None:
    """Is there such an option, and may it have both values? Raises RulesetError.

    Whether they fit the other rules of a match, each match says.
    """
    if both[0] == both[1]:
        raise RulesetError(Text("job.one_value", {"option": option}))
    if option in values(game.latest) and option not in {known.key for known in game.options}:
        return
    for value in both:
        probe(reading(option, value), game)


def game_called(key: str) -> Game:
    """A game by its key. Raises RulesetError."""
    if key not in GAMES:
        raise RulesetError(unknown("game", key, GAMES))
    return GAMES[key]


class Laid(Struct, frozen=True):
    """The rules that a verification plays by; `vary` where options may be switched on the way."""

    law: Law
    vary: bool


def law_of(asked: Verification) -> Laid:
    """The law that is verified. Raises RulesetError."""
    key, _, version = asked.rules.partition("@")
    game = game_called(key)
    if version not in (*game.versions, *game.change_notes):
        raise RulesetError(unknown("version", version, game.versions))
    rules = ruleset(game, version, asked.frame)
    return Laid(Law(game, with_settings(game, rules, asked.settings) if asked.settings else rules), not asked.settings)


def check(task: Task) -> None:
    """Raises RulesetError or FormatError where nothing could come of it, whatever match is looked at."""
    match task:
        case Regression():
            target_of(task)
            base_of(task)
        case Comparison():
            check_reading(game_called(task.game), task.option, task.values)
        case Verification():
            law_of(task)
        case Rejudging():
            target_of(task)
        case Reading():
            if task.values[0] == task.values[1]:
                raise RulesetError(Text("job.one_value", {"option": task.option}))
