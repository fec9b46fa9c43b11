"""Pages for people, from templates with one style sheet: each a single file without scripts that loads nothing else."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from domain.words import LANGS, Lang, say
from domain.words.lines import one_line

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).with_name("templates")


def draw(template: str, lang: Lang, **values: object) -> bytes:
    """A page; `lang` is the language that it opens in, the other is a touch away."""
    return _templates().get_template(template).render(lang=lang, **values).encode()


@cache
def _templates() -> "Environment":
    # Here, because Jinja takes a while to load and most commands draw no page.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_force_one_line,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(say=say, langs=LANGS)
    return made


def _force_one_line(value: object) -> object:
    """Text is shown on one line: what would break or turn it round is shown escaped. Markup of ours stays."""
    return value if hasattr(value, "__html__") or not isinstance(value, str) else one_line(value)
