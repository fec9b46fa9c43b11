"""Check of a record's schema. The game, not the record, decides what is hidden from which viewer."""

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Final

import msgspec
import tomli
from msgspec import Struct
from msgspec.structs import fields

from domain.law.entries import Opened
from domain.law.game import Game, R
from domain.law.logged import default_of
from domain.law.rulesets import digest as rules_digest
from domain.law.slots import A
from domain.table.schema import Schema

Published = Mapping[str, tuple[str, ...]]
"""Hashes of the published schemas by the hash of their ruleset, oldest first."""

FILE: Final = "schemas.toml"


def load_schemas(package: str) -> Published:
    """Read a game's `schemas.toml`. Raises msgspec.ValidationError for a malformed file."""
    raw = files(package).joinpath(FILE).read_text(encoding="utf-8")
    return msgspec.convert(tomli.loads(raw), dict[str, tuple[str, ...]])


def digest(schema: Schema) -> str:
    """Return the hash of a schema. Defaults do not count, so that a later field does not change old hashes."""
    return sha256(msgspec.json.encode(_plain(schema), order="sorted")).hexdigest()[:16]


def _plain(value: object) -> object:
    if isinstance(value, Struct):
        values = {field.encode_name: (getattr(value, field.name), field) for field in fields(type(value))}
        return {name: _plain(part) for name, (part, field) in values.items() if part != default_of(field)}
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def is_published(game: Game[R, A], rules: R, opened: Opened) -> bool:
    """True if the schema of a record belongs to its rules, in the present form or a published earlier one."""
    if opened.schema == game.schema(rules):
        return True
    return digest(opened.schema) in game.schemas().get(rules_digest(opened.rules), ())


def differing_parts(game: Game[R, A], rules: R, opened: Opened) -> str:
    """Return the names of the parts in which a record's schema differs from the law's: areas by name, other fields."""
    theirs, ours = opened.schema, game.schema(rules)
    areas = (area.name for area in (*theirs.areas, *ours.areas) if (area in theirs.areas) != (area in ours.areas))
    others = (field.name for field in fields(Schema) if field.name != "areas")
    return (
        ", ".join((*dict.fromkeys(areas), *(name for name in others if getattr(theirs, name) != getattr(ours, name))))
        or "areas"
    )
