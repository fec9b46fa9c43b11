"""Pages drawn from templates: what is put in is escaped, what is missing is an error, and words come from the table."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from msgspec import Struct

from domain.words import LANGS, Lang, say
from service.asking import HTML, Ask, Reply
from service.draw.markup import linked

TEMPLATES: Final = Path(__file__).parent / "templates"
STATIC: Final = Path(__file__).parent / "static"
HASH_DIGITS = 12
SECTIONS: Final = ("floor", "rules", "find", "me")
"""The pages that every page leads to."""


class Sheet(Struct, frozen=True):
    """A page to be drawn: its template and what stands in it.

    `title` and `about` go into lists of tabs, histories and previews of links: they say what a spectator sees, whoever
    looks.
    """

    template: str
    values: dict[str, Any] = {}
    title: str = ""
    about: str = ""


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


@cache
def assets() -> dict[str, str]:
    """The address of each static file, by its name. It is another one as soon as the file is."""
    files = sorted(path for path in STATIC.iterdir() if path.is_file())
    return {path.name: f"/static/{path.name}?v={sha256(path.read_bytes()).hexdigest()[:HASH_DIGITS]}" for path in files}


@cache
def read_style(name: str) -> str:
    """Return the text of a style sheet, for a page that loads nothing."""
    return (STATIC / name).read_text(encoding="utf-8")


def draw(ask: Ask, sheet: Sheet, status: int = 200, headers: dict[str, str] | None = None) -> Reply:
    """A page in the language of its address."""

    def t(key: str, **values: object) -> str:
        if any(isinstance(value, Markup) for value in values.values()):
            return linked(key, ask.lang, **{name: escape(value) for name, value in values.items()})
        return say(key, ask.lang, **values)

    text = (
        environment()
        .get_template(sheet.template)
        .render(
            t=t,
            lang=ask.lang,
            session=ask.session,
            here=ask.url,
            other=other(ask),
            assets=assets(),
            sections=SECTIONS,
            public=ask.house.settings.public,
            title=sheet.title,
            about=sheet.about,
            **sheet.values,
        )
    )
    return Reply(text.encode(), status, headers or {}, HTML)


def other(ask: Ask) -> dict[Lang, str]:
    """The same address in each language."""
    parts = ask.url.split("/", 2)
    rest = parts[2] if len(parts) > 2 and parts[1] in LANGS else ""
    query = f"?{ask.query}" if ask.query else ""
    return {lang: f"/{lang}/{rest}{query}" if rest else f"/{lang}/floor" for lang in LANGS}
