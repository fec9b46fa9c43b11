"""JSON Schema of the `--json` output: `python -m tools.schemas > docs/json-schema.json`."""

import sys
from pkgutil import resolve_name
from types import UnionType
from typing import Any, get_args

import msgspec

from cli.registry import COMMANDS, answers_with

VERSION = "0.2"
"""Minor version since which no field was removed or changed meaning. STABILITY.md says when it rises."""


def schemas() -> dict[str, Any]:
    """Return one schema for all commands. Its `properties` are the commands by their words."""
    answers = {key: answers_with(resolve_name(where)) for key, where in COMMANDS.items()}
    shapes = {key.replace(".", " "): _shapes(answer) for key, answer in answers.items() if answer is not None}
    every = list(dict.fromkeys(shape for some in shapes.values() for shape in some))
    made, parts = msgspec.json.schema_components(every, ref_template="#/$defs/{name}")
    schema_of = dict(zip(every, made, strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "shinpan --json",
        "version": VERSION,
        "type": "object",
        "properties": {command: {"anyOf": [schema_of[shape] for shape in some]} for command, some in shapes.items()},
        "additionalProperties": False,
        "$defs": dict(sorted(parts.items())),
    }


def _shapes(answer: Any) -> tuple[Any, ...]:
    """Return the types an answer may have. The fields of union members differ, so they need no tag."""
    return get_args(answer) if isinstance(answer, UnionType) else (answer,)


def page() -> bytes:
    return msgspec.json.format(msgspec.json.encode(schemas()), indent=2) + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(page())
