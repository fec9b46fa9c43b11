"""Pages drawn from templates: what is put in is escaped, what is missing is an error, and words come from the table."""

from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

from domain.words import LANGS, Lang, say
from service.asking import HTML, Ask, Reply

TEMPLATES: Final = Path(__file__).parent / "templates"


class Sheet(Struct, frozen=True):
    """A page to be drawn: its template and what stands in it."""

    template: str
    values: dict[str, Any] = {}


@cache
def environment() -> Environment:
    """Where templates come from and how they are filled."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def draw(ask: Ask, sheet: Sheet, status: int = 200, headers: dict[str, str] | None = None) -> Reply:
    """A page in the language of its address."""

    def t(key: str, **values: object) -> str:
        return say(key, ask.lang, **values)

    text = (
        environment()
        .get_template(sheet.template)
        .render(t=t, lang=ask.lang, session=ask.session, here=ask.url, other=other(ask), **sheet.values)
    )
    return Reply(text.encode(), status, headers or {}, HTML)


def other(ask: Ask) -> dict[Lang, str]:
    """The same address in each language."""
    parts = ask.url.split("/", 2)
    rest = parts[2] if len(parts) > 2 and parts[1] in LANGS else ""
    return {lang: f"/{lang}/{rest}" for lang in LANGS}
