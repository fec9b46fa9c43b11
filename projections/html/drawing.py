"""Pages from templates with one style sheet. Each is a single file without scripts or external resources."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from domain.words import LANGS, Lang, say
from domain.words.lines import one_line

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).with_name("templates")


def draw(template: str, lang: Lang, **values: object) -> bytes:
    """Return a page that opens in language `lang`. The reader can switch to the other."""
    return _templates().get_template(template).render(lang=lang, **values).encode()


@cache
def _templates() -> "Environment":
    # imported here because Jinja loads slowly and most commands draw no page
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_force_one_line,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(say=say, langs=LANGS)
    return environment


def _force_one_line(value: object) -> object:
    """Escape line breaks and direction marks in text. Trusted markup is unchanged."""
    return value if hasattr(value, "__html__") or not isinstance(value, str) else one_line(value)
