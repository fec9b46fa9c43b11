"""Rulesets as full values: every number and option is spelled out and hashed. Only offered values can be loaded."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo, replace

from domain.law.game import Game, R
from domain.law.options import Option
from domain.law.pools import FIRST, Overlay, PoolError, PoolId
from domain.law.rulebook import value_text
from domain.law.slots import A
from domain.words import Text, TextError, listed
from domain.words.foreign import explain_decode_error


class RulesetError(TextError):
    """A ruleset that cannot be loaded; `text` names the option, the value and the allowed values."""


def read_setting(current: object, text: str) -> object:
    """Return an option's value from text: its JSON value, or the text itself for a text option or malformed JSON."""
    if isinstance(current, str):
        return text
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError):
        return text


def values(rules: Struct) -> dict[str, Any]:
    """Return the encoded numbers and options of a ruleset by key."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(rules))
    return plain


def stored_values(rules: Struct) -> dict[str, Any]:
    """Return the values as a record stores them, without later additions at their default. So a ruleset from before
    such an addition keeps its hash."""
    plain = values(rules)
    later: frozenset[str] = getattr(type(rules), "LATER", frozenset())
    if later:
        first = values(type(rules)())
        for key in later:
            if plain[key] == first[key]:
                del plain[key]
    return plain


def digest(rules: Struct | dict[str, Any]) -> str:
    """Return the hash that identifies a ruleset apart from its names. It takes a ruleset or stored values."""
    plain = rules if isinstance(rules, dict) else stored_values(rules)
    return sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()[:16]


def make_ruleset(game: Game[R, A], version: str, regulation: str = "", settings: Mapping[str, Any] | None = None) -> R:
    """Return a published version under a regulation, with options set. Raises RulesetError."""
    if version in game.change_notes:
        named = {"game": game.key, "version": version, "versions": listed(game.versions)}
        raise RulesetError(Text("ruleset.change_notes", named))
    if version not in game.versions:
        named = {"game": game.key, "version": repr(version), "versions": listed(game.versions)}
        raise RulesetError(Text("ruleset.no_version", named))
    rules = game.versions[version]
    if regulation:
        regulations = listed(game.regulations_in(version))
        if regulation not in game.regulations:
            raise RulesetError(
                Text("ruleset.no_frame", {"game": game.key, "frame": repr(regulation), "frames": regulations})
            )
        if regulation not in game.regulations_in(version):
            other = {"game": game.key, "version": version, "frame": repr(regulation), "frames": regulations}
            raise RulesetError(Text("ruleset.other_frame", other))
        rules = game.in_regulation(rules, regulation)
    return with_settings(game, rules, settings or {})


def with_changes(game: Game[R, A], name: str, rules: R) -> R:
    """Return rules with the change notes of an edition laid over them, for a comparison. Raises RulesetError."""
    if name not in game.change_notes:
        known = listed(game.change_notes)
        named = {"game": game.key, "name": repr(name), "known": known}
        raise RulesetError(Text("ruleset.no_change_notes", named))
    return with_settings(game, rules, dict(game.change_notes[name]))


def with_settings(game: Game[R, A], rules: R, settings: Mapping[str, Any]) -> R:
    """Return a ruleset with options set. Raises RulesetError for an unknown key or a value that is not offered."""
    current = values(rules)
    fixed = {option.key for option in game.options if option.key not in current}
    for key, value in settings.items():
        if key not in current and key not in fixed:
            raise RulesetError(Text("ruleset.no_option", {"game": game.key, "option": repr(key)}))
        pools = game.pools
        current[key] = pools.by_name(str(value)) if pools is not None and key == pools.field else value
    return load(game, current)


def find_seat_option(game: Game[R, A], rules: R, wanted: int) -> str:
    """Return the option that seats `wanted` players; '' if there is none."""
    for key, value in values(rules).items():
        if value != len(game.seats(rules)) or isinstance(value, bool):
            continue
        try:
            other = with_settings(game, rules, {key: wanted})
        except RulesetError:
            continue
        if len(game.seats(other)) == wanted:
            return key
    return ""


def with_seats(game: Game[R, A], rules: R, wanted: int) -> R:
    """Return the ruleset with the option set that seats at least `wanted` players, or unchanged if none does."""
    key = find_seat_option(game, rules, wanted) if wanted > len(game.seats(rules)) else ""
    return with_settings(game, rules, {key: wanted}) if key else rules


def load(game: Game[R, A], raw: object) -> R:
    """Return a ruleset from stored values. Raises RulesetError, also for unknown cards."""
    try:
        rules: R = _load_rules(game, msgspec.msgpack.encode(raw))
    except (RulesetError, TypeError, ValueError, OverflowError, RecursionError):
        return _read(game, raw)  # report errors on the values as given
    return rules


RULESETS_CACHED_MAX: Final = 64


@lru_cache(RULESETS_CACHED_MAX)
def _load_rules(game: Game, recorded: bytes) -> Any:
    """Cached: nearly all matches of a corpus use a few rulesets."""
    return _read(game, msgspec.msgpack.decode(recorded))


def _read(game: Game[R, A], raw: object) -> R:
    for option in game.options:
        value = raw.get(option.key) if isinstance(raw, dict) else None
        if value is not None and (why := explain_not_offered(option, value)) is not None:
            raise RulesetError(why)
    if isinstance(raw, dict):
        # Drop fixed options. They may be spelled out, but have no field because they have no other value.
        fixed = {option.key for option in game.options} - fields_by_key(game).keys()
        raw = {key: value for key, value in raw.items() if key not in fixed}
    try:
        rules: R = msgspec.convert(raw, game.rules_type, strict=False)
    except msgspec.ValidationError as error:
        why = _explain_misfit(game, raw, explain_decode_error(error))
        raise RulesetError(Text("ruleset.misfit", {"game": game.key, "why": why})) from None
    if game.pools is not None and (named := pool_of(game, rules)) not in game.pools.cards_by_pool:
        known = listed(f"{name} ({pool})" for name, pool in game.pools.published.items())
        raise RulesetError(Text("pool.unknown", {"game": game.key, "pool": repr(named), "known": known}))
    return rules


def explain_not_offered(option: Option, value: object) -> Text | None:
    """Return why an option cannot have a value; None if it can."""
    text = value_text(value)
    if text in option.values or (option.numbers and text.isdecimal()):
        return None
    about = {"option": option.key, "row": option.row, "given": repr(text)}
    if text in option.unoffered:
        return Text("ruleset.fixed", {**about, "value": repr(option.values[0])})
    return Text("ruleset.value", {**about, "values": listed(option.values)})


def fields_by_key(game: Game) -> Mapping[str, FieldInfo]:
    rules_type: type[Struct] = game.rules_type
    return _fields(rules_type)


@cache
def _fields(rules_type: type[Struct]) -> Mapping[str, FieldInfo]:
    """Cached, because every record that is read needs them."""
    return {field.encode_name: field for field in msgspec.structs.fields(rules_type)}


_PATH: Final = re.compile(r"\$\.(?P<key>[\w.]+?)(?:\[.*)?")
_BOUNDS: Final = {">=": "ruleset.least", "<=": "ruleset.most"}


def _explain_misfit(game: Game, raw: object, why: Text) -> Text:
    path = _PATH.fullmatch(why.values.get("path", ""))
    if path is None or not isinstance(raw, dict) or path["key"] not in raw:
        return why
    key, inner = path["key"], why.values["what"]
    named = {"option": key, "given": repr(value_text(raw[key]))}
    match inner.key, inner.values.get("wanted"), inner.values.get("sign"):
        case "misfit.kind", "int", _:
            return Text("ruleset.whole", named)
        case "misfit.kind", "array" | "str", _:
            return Text("ruleset.list", named)
        case "misfit.parts", _, _:
            return Text("ruleset.parts", {**named, "bound": inner.values["bound"]})
        case "misfit.range", _, str(sign) if sign in _BOUNDS:
            return Text(_BOUNDS[sign], {**named, "bound": inner.values["bound"]})
        case "misfit.value", _, _:
            allowed = get_args(fields_by_key(game)[key].type)
            return Text("ruleset.one_of", {**named, "values": listed(map(str, allowed))})
    return why


# -- cards ------------------------------------------------------------------------------------------------------------


def pool_of(game: Game[R, A], rules: R) -> PoolId:
    return FIRST if game.pools is None else getattr(rules, game.pools.field)


def with_pool(game: Game[R, A], rules: R, pool: PoolId) -> R:
    return rules if game.pools is None or pool_of(game, rules) == pool else replace(rules, **{game.pools.field: pool})


def pin_cards(game: Game[R, A], rules: R) -> R:
    """Return the rules for a new match, with the newest pool if they name none."""
    return rules if game.pools is None or pool_of(game, rules) else with_pool(game, rules, game.pools.newest)


def published_as(game: Game[R, A], rules: R) -> tuple[str, ...]:
    """Return the versions with exactly these rules under one of their regulations; () for customised rules."""
    return _published(game).get(digest(pin_cards(game, rules)), ())


@lru_cache
def _published(game: Game[Any, Any]) -> Mapping[str, tuple[str, ...]]:
    named: dict[str, tuple[str, ...]] = {}
    for version, published in game.versions.items():
        regulated = (game.in_regulation(published, regulation) for regulation in game.regulations_in(version))
        for hashed in {digest(pin_cards(game, rules)) for rules in (published, *regulated)}:
            named[hashed] = (*named.get(hashed, ()), version)
    return named


def lay_over(game: Game[R, A], rules: R, overlay: Overlay) -> R:
    """Lay cards over those of the rules, and return the new rules. Raises RulesetError."""
    if game.pools is None:
        raise RulesetError(Text("pool.none", {"game": game.key}))
    try:
        cards = game.pools.read(overlay)
    except PoolError as error:
        raise RulesetError(error.text) from None
    return with_pool(game, rules, game.pools.lay_over(pool_of(game, rules), cards))
