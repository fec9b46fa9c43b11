"""The base of all entries. The annotations of their fields declare how `projections.seen_entries` redacts them and how
`domain.formats.notation.directives` writes them."""

from enum import Enum
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

Value = TypeVar("Value")


class FieldVisibility(Enum):
    """Visibility of a field of an entry. A field without one is hidden from every viewer."""

    PUBLIC = "public"
    OWN_SEAT = "own seat"
    """Values by seat: each is visible to its seat, all to the judge."""
    JUDGES = "judges"
    """Visible to judges and to the person who recorded the entry."""
    JUDGE_VIEW = "judge view"
    """Visible only in the judge's view."""


class DirectiveField(Struct, frozen=True):
    """The name and form of a field in notation; '' means the field's own name. A `word` is quoted if necessary,
    `quoted` text always. A `sentence` is quoted and has no name."""

    name: str = ""
    form: Literal["word", "quoted", "sentence"] = "word"


Public = Annotated[Value, FieldVisibility.PUBLIC]
OwnSeat = Annotated[Value, FieldVisibility.OWN_SEAT]
Judges = Annotated[Value, FieldVisibility.JUDGES]
JudgeView = Annotated[Value, FieldVisibility.JUDGE_VIEW]
Quoted = Annotated[Value, DirectiveField(form="quoted")]
Sentence = Annotated[str, DirectiveField(form="sentence")]


class Logged(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="entry"):
    """Base of all entries. `at` is the wall-clock time in milliseconds (0: unknown), never input to rules. `directive`
    is the word for the type in notation; '' if it has another form."""

    directive: ClassVar[str] = ""

    at: int = 0


class EntryField(Struct, frozen=True):
    """A field of an entry, or of a struct within one, with its annotations. `default` may be NODEFAULT."""

    name: str
    kind: Any
    default: object
    visibility: FieldVisibility | None
    directive: DirectiveField


@cache
def entry_fields(kind: type[Struct]) -> tuple[EntryField, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_entry_field(field, hints[field.name]) for field in fields(kind))


def default_of(field: FieldInfo) -> object:
    """Return the default of a field, NODEFAULT if it has none."""
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _entry_field(field: FieldInfo, hint: object) -> EntryField:
    kind, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    return EntryField(
        name=field.name,
        kind=kind,
        default=default_of(field),
        visibility=next((extra for extra in extras if isinstance(extra, FieldVisibility)), None),
        directive=next((extra for extra in extras if isinstance(extra, DirectiveField)), DirectiveField()),
    )
