"""How a field of a fact is said in a line of text, so that one walk writes and reads all facts."""

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
    """What the text of a field looks like; a `struct` says the fields of its own.

    A `named` one is written `name=value`, in any order behind the others, and left out where it is the default, unless
    it is `always` said. `needs` is what is missing if nothing stands there; the field's own name if empty.
    """

    kind: FormKind
    needs: str = ""
    named: bool = False
    always: bool = False


class FactField(Struct, frozen=True):
    """A field with its form, the type of its values and its default."""

    name: str
    form: Form
    type: Any
    default: object


@cache
def parts(said: type[Struct]) -> tuple[FactField, ...]:
    """The parts of a type of fact, in the order in which text says them."""
    hints = get_type_hints(said, include_extras=True)
    return tuple(_part(field.name, hints[field.name], field.default) for field in fields(said))


def _part(name: str, hint: object, default: object) -> FactField:
    annotated = hint if get_origin(hint) is Annotated else get_args(hint)[0]  # what may be None says so outside
    kind, form = get_args(annotated)
    assert isinstance(form, Form), hint
    return FactField(name, form, kind, default)
