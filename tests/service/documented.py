"""Check responses against the API document: status, media type, headers and body."""

import re
from functools import cache
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
from jsonschema_rs import Draft202012Validator

from service.openapi import describe
from service.requests import JSON, PROBLEM
from service.routes import API_ROUTES

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@cache
def document() -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(describe(API_ROUTES)))
    return plain


@cache
def addresses() -> tuple[tuple[re.Pattern[str], str, dict[str, Any]], ...]:
    """Return path patterns with their operations, literal paths first."""
    paths = sorted(document()["paths"].items(), key=lambda item: item[0].count("{"))
    return tuple((re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), path, item) for path, item in paths)


@cache
def validator(path: str, method: str, status: str, kind: str) -> Draft202012Validator:
    pointer = [path, method, "responses", status, "content", kind, "schema"]
    escaped = "/".join(quote(part.replace("~", "~0").replace("/", "~1"), safe="~") for part in pointer)
    return Draft202012Validator({"$schema": DIALECT, **document(), "$ref": f"#/paths/{escaped}"})


def operation_of(method: str, path: str) -> tuple[str, dict[str, Any]] | None:
    """Return the documented path and operation of a request, or None outside the API."""
    for pattern, name, methods in addresses():
        if pattern.fullmatch(path) and method in methods:
            return name, methods[method]
    return None


def misfits(method: str, path: str, status: int, kind: str, headers: Any, body: bytes) -> list[str]:
    """Return the differences between a response and the document."""
    known = operation_of(method.lower(), path)
    if known is None:
        return []
    name, operation = known
    told = operation["responses"].get(str(status))
    if told is None:
        return [f"{method} {path}: {status} is not documented: {body[:300]!r}"]
    missing = [header for header in told.get("headers", {}) if header != "Link" and header not in headers]
    if missing:
        return [f"{method} {path}: {status} without {missing}"]
    if status == 304:
        return [] if not body else [f"{method} {path}: 304 with a body"]
    if kind not in told["content"]:
        return [f"{method} {path}: {status} as {kind}, not {list(told['content'])}"]
    if kind not in (JSON, PROBLEM):
        return []
    errors = validator(name, method.lower(), str(status), kind).iter_errors(msgspec.json.decode(body))
    return [f"{method} {path}: {status}: {error.instance_path}: {error.message[:300]}" for error in errors]


def hold_to_document(response: httpx.Response) -> None:
    request = response.request
    if operation_of(request.method.lower(), request.url.path) is None:
        return
    kind = response.headers.get("content-type", "").removesuffix("; charset=utf-8")
    wrong = misfits(request.method, request.url.path, response.status_code, kind, response.headers, response.read())
    assert wrong == []
