"""Forms with files (multipart/form-data)."""

import re
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from domain.formats.errors import not_utf8
from domain.words import Text
from domain.words.foreign import explain_decode_error
from service.problems import http_problem
from service.requests import FIELDS_MAX, Request

FORM: Final = re.compile(r'multipart/form-data *; *boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))', re.IGNORECASE)
NAME: Final = re.compile(rb'\r\ncontent-disposition: *form-data *; *name="([^"\r\n]*)"', re.IGNORECASE)
LINE: Final = b"\r\n"
T = TypeVar("T", bound=Struct)


def read_upload(request: Request, body: bytes, into: type[T]) -> T:
    """Return a form as this type: bytes fields are files, others text. Raises HttpProblem if it does not fit."""
    files = {field.name for field in msgspec.structs.fields(into) if field.type is bytes}
    parts = read_parts(request.headers.get("content-type", ""), body)
    try:
        form = {name: part if name in files else part.decode() for name, part in parts.items()}
        return msgspec.convert(form, into, strict=False)
    except UnicodeDecodeError as error:
        raise http_problem("unreadable", Text("problem.body", {"why": not_utf8(error, error.start)})) from None
    except msgspec.ValidationError as error:
        raise http_problem("unreadable", Text("problem.body", {"why": explain_decode_error(error)})) from None


def read_parts(kind: str, body: bytes) -> dict[str, bytes]:
    """Return the content of each field by name. `kind` is the Content-Type header. Raises HttpProblem if the body is
    malformed or repeats a field."""
    form = FORM.fullmatch(kind)
    if form is None:
        raise http_problem("unreadable", Text("problem.no_upload"))
    boundary = (form[1] or form[2]).encode("latin-1", "replace")
    before, *parts = (LINE + body).split(LINE + b"--" + boundary, FIELDS_MAX + 1)
    if before or not parts or not parts.pop().startswith(b"--"):
        raise http_problem("unreadable", Text("problem.no_upload"))
    fields: dict[str, bytes] = {}
    for part in parts:
        headers, end, content = part.partition(LINE + LINE)
        name = NAME.search(headers)
        if not part.startswith(LINE) or not end or name is None or (field := name[1].decode("latin-1")) in fields:
            raise http_problem("unreadable", Text("problem.no_upload"))
        fields[field] = content
    return fields
