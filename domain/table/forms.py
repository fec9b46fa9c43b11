"""Text forms of the fields of facts, so that one function writes and reads all facts."""

from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

# fmt: off
FormKind = Literal[
    "at", "card", "cards", "faces", "flag", "host", "ids", "json", "lane", "marked", "number", "numbers", "place",
    "side", "stance", "struct", "word", "words",
]
# fmt: on


class Form(Struct, frozen=True):
    """The text form of a field. The form `struct` takes the forms of the struct's fields.

    A `named` field is written `name=value`, in any order after the others. It is omitted at its default unless it is
    `always` written. `needs` is the name that an error message gives to a missing field; the field's own name if empty.
    """

    kind: FormKind
    needs: str = ""
    named: bool = False
    always: bool = False


class FactField(Struct, frozen=True):
    name: str
    form: Form
    type: Any
    default: object


@cache
def fact_fields(fact_type: type[Struct]) -> tuple[FactField, ...]:
    """Return the fields of a fact type in the order of its text."""
    hints = get_type_hints(fact_type, include_extras=True)
    return tuple(_fact_field(field.name, hints[field.name], field.default) for field in fields(fact_type))


def _fact_field(name: str, hint: object, default: object) -> FactField:
    annotated = hint if get_origin(hint) is Annotated else get_args(hint)[0]  # optional: annotated inside the union
    kind, form = get_args(annotated)
    assert isinstance(form, Form), hint
    return FactField(name, form, kind, default)
