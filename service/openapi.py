"""OpenAPI 3.1 document of the API, generated from its routes."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, Final, get_args

import msgspec
from msgspec import Raw

from domain.words import Text
from recorder.codec import MATCH_ID
from service import security
from service.access import ANONYMOUS, RIGHTS, ROLES, Operation, Role
from service.api import REVALIDATE_PUBLIC, tagged_response
from service.etags import tag_bytes
from service.problems import STATUS, Problem, Type
from service.requests import JSON, NUMBER_MAX, PROBLEM, Request, Response, Route

OPENAPI: Final = "3.1.0"
PATH: Final = "/api/v1/openapi.json"
REF: Final = "#/components/schemas/{name}"
PART: Final = re.compile(r"\{(\w+):\w+\}")
ALWAYS: Final[tuple[Type, ...]] = (
    "unreadable", "no-token", "too-large", "too-slow", "too-many", "draining", "store-unavailable", "our-fault",
)  # fmt: skip
NUMBER: Final = {"type": "integer", "minimum": 1, "maximum": NUMBER_MAX}
JsonObject = dict[str, Any]
PARTS: Final[dict[str, JsonObject]] = {
    "match": {"type": "string", "pattern": f"^{MATCH_ID.pattern}$"},
    "n": NUMBER,
    "moment": {"type": "string", "pattern": r"^[1-9][0-9]{0,8}(\.[1-9][0-9]{0,8})?$"},
    "thing": NUMBER,
    "ruleset": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
}
"""Schemas of path parameters that are not plain strings."""
TAG: Final = {"description": "tag of this response", "schema": {"type": "string"}}
LINK: Final = {"description": "next page, if any: `rel=next`", "schema": {"type": "string"}}


def describe(routes: Sequence[Route]) -> JsonObject:
    types = [Problem, *dict.fromkeys(named for route in routes for named in _list_types(route))]
    made, components = msgspec.json.schema_components(types, ref_template=REF)
    schemas = dict(zip(types, made, strict=True))
    paths: dict[str, JsonObject] = {}
    for route in routes:
        paths.setdefault(PART.sub(r"{\1}", route.path), {})[route.method.lower()] = _describe_operation(route, schemas)
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "Shinpan",
            "version": version("shinpan"),
            "description": "Match records, their rules, and access by role. "
            "HEAD is supported wherever GET is, with the same status and headers and no body.",
            "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "a token, for programs"},
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": security.cookie_name(secure=True),
                    "description": "the same for browsers; over plain http its name is `" + security.COOKIE + "`",
                },
            },
        },
    }


def list_problems(route: Route) -> tuple[Type, ...]:
    types: list[Type] = [*route.problems, *ALWAYS]
    if not all(_may(route, role) for role in ROLES):
        types.append("no-authority")
    if route.method not in security.SAFE:
        types.append("foreign-origin")
    return tuple(dict.fromkeys(types))


def _may(route: Route, role: Role) -> bool:
    return any(RIGHTS[operation][role] != "no" for operation in (route.operation, *route.also))


def _rights_words(operation: Operation) -> str:
    return ", ".join(f"{role} ({terms})" for role, terms in RIGHTS[operation].items() if terms != "no")


def _list_types(route: Route) -> Iterable[Any]:
    if route.kind == JSON and route.answer is not Raw:
        yield route.answer
    if route.body not in (None, bytes):
        yield route.body


def _describe_operation(route: Route, schemas: dict[Any, JsonObject]) -> JsonObject:
    words = re.findall(r"\w+", PART.sub(r"\1", route.path.removeprefix("/api/v1")))
    operation: JsonObject = {
        "operationId": "_".join((route.method.lower(), *words)),
        "tags": [words[0]],
        "summary": route.says,
        "description": "; ".join(f"`{name}`: {_rights_words(name)}" for name in (route.operation, *route.also)) + ".",
        "security": [*([{}] if _may(route, ANONYMOUS.role) else []), {"bearer": []}, {"cookie": []}],
        "parameters": [*_describe_path(route), *_describe_query(route), *_describe_headers(route)],
        "responses": _describe_responses(route, schemas),
    }
    if route.body is not None:
        kind = "application/octet-stream" if route.body is bytes else JSON
        schema = {} if route.body is bytes else schemas[route.body]
        operation["requestBody"] = {"required": True, "content": {kind: {"schema": schema}}}
    return operation


def _describe_path(route: Route) -> Iterable[JsonObject]:
    for name in PART.findall(route.path):
        yield {"name": name, "in": "path", "required": True, "schema": PARTS.get(name, {"type": "string"})}


def _describe_query(route: Route) -> Iterable[JsonObject]:
    _, parts = msgspec.json.schema_components([route.query])
    struct = next(iter(parts.values()))
    for name, schema in struct["properties"].items():
        yield {"name": name, "in": "query", "required": name in struct.get("required", ()), "schema": schema}


def _describe_headers(route: Route) -> Iterable[JsonObject]:
    if route.follows:
        about = 'number of the last known entry, such as `"206"`; `*` if any is acceptable'
        yield {"name": "If-Match", "in": "header", "schema": {"type": "string"}, "description": about}
    if route.again and _is_command(route.body):
        about = "id of the command, unless its body has one"
        yield {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}, "description": about}
    if route.tagged:
        about = "tag of a cached response; answered with 304 if it is still current"
        yield {"name": "If-None-Match", "in": "header", "schema": {"type": "string"}, "description": about}


def _is_command(body: Any) -> bool:
    return all("id" in getattr(kind, "__struct_fields__", ()) for kind in get_args(body) or (body,))


def _describe_responses(route: Route, schemas: dict[Any, JsonObject]) -> JsonObject:
    headers = {**({"ETag": TAG} if route.tagged else {}), **({"Link": LINK} if route.paged else {})}
    schema = schemas.get(route.answer, {"type": "object"})
    if route.kind != JSON:
        schema = {"type": "object" if route.kind.endswith("+json") else "string"}
    responses: JsonObject = {
        str(route.status): {
            "description": route.says,
            "headers": headers,
            "content": {route.kind: {"schema": schema}},
        }
    }
    if route.again:
        responses["200"] = responses[str(route.status)] | {"description": "Already done, or nothing to do."}
    if route.tagged:
        responses["304"] = {"description": "Nothing has changed.", "headers": headers}
    types: dict[int, list[Type]] = {}
    for type in list_problems(route):
        types.setdefault(STATUS[type], []).append(type)
    for status, some in sorted(types.items()):
        named = {"properties": {"type": {"enum": [f"/problem/{type}" for type in some]}}}
        responses[str(status)] = {
            "description": "; ".join(f"{type}: {Text(f'problem.{type}').say('en')}" for type in some),
            "content": {PROBLEM: {"schema": {"allOf": [schemas[Problem], named]}}},
        }
    return responses


def with_document(routes: Sequence[Route]) -> tuple[Route, ...]:
    """Return these routes and the route of their document."""

    @cache
    def text() -> bytes:
        return msgspec.json.encode(describe(every))

    def show(request: Request, query: object, body: None) -> Response:
        return tagged_response(request, tag_bytes(text()), text, {"Cache-Control": REVALIDATE_PUBLIC})

    document = Route(
        method="GET", path=PATH, operation="public", call=show, says="Return this document.", answer=Raw, tagged=True
    )  # fmt: skip
    every = (*routes, document)
    return every
