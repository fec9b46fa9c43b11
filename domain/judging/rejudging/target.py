"""Target rules of a comparison: a published version, change notes, options, full values, or other cards. Change notes,
options and cards are applied to the rules of each record, so that nothing else differs."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from domain.formats.errors import FormatError, decode_text, explain_unknown, read_toml
from domain.law import rulesets
from domain.law.game import Game, R
from domain.law.pools import Overlay, PoolError
from domain.law.rulesets import read_setting
from domain.law.slots import A
from domain.words import Text, listed


class RulesTarget(Struct, frozen=True, kw_only=True):
    """Rules by name or by value.

    Defaults: no `game` means the game of the record; no `version` means the record's own rules. No `frame` means the
    record's frame, if the version supports it. A version leaves the cards of the record unchanged; `cards` are applied
    to them.
    """

    game: str = ""
    version: str = ""
    frame: str = ""
    settings: dict[str, object] = {}
    full: dict[str, object] | None = None
    cards: Overlay | None = None

    @property
    def label(self) -> str:
        """The target in words, the same on every run."""
        named = "@".join(part for part in (self.game, self.version) if part)
        parts = [named, self.frame, *(f"{key}={_plain(value)}" for key, value in self.settings.items())]
        if self.full is not None:
            parts.append(msgspec.json.encode(self.full, order="sorted").decode())
        if self.cards is not None:
            parts.append(f"--cards {self.cards.file}")
        return " ".join(part for part in parts if part)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    game: str = ""
    version: str = ""
    frame: str = ""
    set: dict[str, object] = {}
    rules: dict[str, object] | None = None


def target_named(spec: str, games: Mapping[str, Game]) -> RulesTarget:
    """Return the target of `GAME@VERSION`. Raises RulesetError."""
    key, _, version = spec.partition("@")
    if key not in games:
        raise rulesets.RulesetError(explain_unknown("game", key, games))
    _check_version(games[key], version)
    return RulesTarget(game=key, version=version)


def read_target(data: bytes, name: str, games: Mapping[str, Game]) -> RulesTarget:
    """Read a target file. Raises FormatError or RulesetError with the error found."""
    file = read_toml(decode_text(data, name), _File, name)
    if file.rules is not None and (file.version or file.frame or file.set):
        raise FormatError(Text("target.both"), name=name)
    settings = _flatten(file.set, name)
    if not (file.version or file.frame or settings or file.rules is not None):
        raise FormatError(Text("target.empty"), name=name)
    key, at, version = file.version.rpartition("@")
    if at and file.game and key != file.game:
        raise FormatError(Text("target.two_games", {"one": key, "other": file.game}), name=name)
    full = None if file.rules is None else _flatten(file.rules, name)
    target = RulesTarget(game=key or file.game, version=version, frame=file.frame, settings=settings, full=full)
    if at and not key:
        raise rulesets.RulesetError(explain_unknown("game", key, games))
    if target.game and target.game not in games:
        raise rulesets.RulesetError(explain_unknown("game", target.game, games))
    if target.game and file.version:
        _check_version(games[target.game], version)
    return target


def _check_version(game: Game, version: str) -> None:
    known = (*game.versions, *game.change_notes)
    if version not in known:
        raise rulesets.RulesetError(explain_unknown("version", version, known))


def _flatten(table: Mapping[str, object], name: str) -> dict[str, object]:
    """Flatten nested tables: `hand.limit = 5` without quotes is a table in a table. Raises FormatError."""
    flat: dict[str, object] = {}
    pending: list[tuple[str, object]] = list(table.items())
    while pending:
        key, value = pending.pop(0)
        if isinstance(value, dict):
            pending = [*((f"{key}.{under}", inner) for under, inner in value.items()), *pending]
        elif key in flat:  # TOML accepts a key once in quotes and once without
            raise FormatError(Text("format.twice", {"what": repr(key)}), name=name)
        else:
            flat[key] = value
    return flat


def games_of(target: RulesTarget, games: Mapping[str, Game]) -> tuple[str, ...]:
    """Return the games that have all that the target names, or its own game. Raises RulesetError if there is none."""
    if target.game:
        return (target.game,)
    known = {option for game in games.values() for option in _options(game, rulesets.values(game.latest))}
    for key in target.settings:
        if key not in known:
            raise rulesets.RulesetError(explain_unknown("option", key, sorted(known), lists=False))
    fitting: list[str] = []
    refused: rulesets.RulesetError | None = None
    for key, game in games.items():
        try:
            probe(target, game)
            fitting.append(key)
        except rulesets.RulesetError as error:
            refused = refused or error
    if not fitting and refused is not None:
        raise refused
    return tuple(fitting)


def rules_for(target: RulesTarget, game: Game[R, A], own: R) -> R:
    """Return the target's rules for a record with rules `own`. Raises RulesetError."""
    if target.game and target.game != game.key:
        raise rulesets.RulesetError(Text("target.other_game", {"game": target.game, "other": game.key}))
    rules = _resolve_rules(target, game, own)
    return rules if target.cards is None else rulesets.lay_over(game, rules, target.cards)


def _resolve_rules(target: RulesTarget, game: Game[R, A], own: R) -> R:
    """Return the target's rules before `cards` apply. The record's pool stays unless the target sets it."""
    if target.full is not None:
        rules = rulesets.load(game, _check_options(game, rulesets.values(own), target.full))
        sets_pool = game.pools is not None and game.pools.field in target.full
        return rules if sets_pool else rulesets.with_pool(game, rules, rulesets.pool_of(game, own))
    rules = own
    if target.version in game.change_notes:
        rules = rulesets.with_changes(game, target.version, own)
    elif target.version:
        rules = rulesets.make_ruleset(game, target.version, target.frame or _recorded_frame(game, target.version, own))
        rules = rulesets.with_pool(game, rules, rulesets.pool_of(game, own))
    elif target.frame:
        rules = game.in_regulation(own, _check_frame(game, target.frame))
    current = rulesets.values(rules)
    given = _check_options(game, current, target.settings)
    wanted = {
        key: read_setting(current.get(key, value), value) if isinstance(value, str) else value
        for key, value in given.items()
    }
    return rulesets.with_settings(game, rules, wanted) if wanted else rules


def register_cards(cards: Overlay, games: Iterable[Game]) -> None:
    """Register the pools that a card file produces for these games, so that a record may refer to them. Raises
    RulesetError if the file fits no game. The error is that of the most similar game."""
    none: Text | None = None
    refused: list[PoolError] = []
    offered = False
    for game in games:
        if game.pools is None:
            none = none or Text("pool.none", {"game": game.key})
            continue
        try:
            game.pools.read(cards)
            offered = True
        except PoolError as error:
            refused.append(error)
    wrong = max(refused, key=lambda error: error.likeness).text if refused else none
    if not offered and wrong is not None:
        raise rulesets.RulesetError(wrong)


def probe(target: RulesTarget, game: Game[R, A]) -> R:
    """Return the target's rules for the first version, to find errors before a record is read."""
    return rules_for(target, game, next(iter(game.versions.values())))


def _check_options(game: Game, current: Mapping[str, object], given: Mapping[str, object]) -> Mapping[str, object]:
    keys = _options(game, current)
    for key in given:
        if key not in keys:
            raise rulesets.RulesetError(explain_unknown("option", key, keys, lists=False))
    return given


def _options(game: Game, current: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*current, *(option.key for option in game.options))))


def _recorded_frame(game: Game[R, A], version: str, own: R) -> str:
    frame = rulesets.values(own).get("frame")
    return frame if frame in game.regulations_in(version) else ""


def _check_frame(game: Game, frame: str) -> str:
    if frame not in game.regulations:
        frames = listed(game.regulations)
        raise rulesets.RulesetError(
            Text("ruleset.no_frame", {"game": game.key, "frame": repr(frame), "frames": frames})
        )
    return frame


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
