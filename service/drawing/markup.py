"""HTML elements as safe strings. All other text is escaped and kept on one line."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from markupsafe import Markup, escape

from domain.words import Lang, say
from domain.words.lines import one_line

Content = str | Markup
NOTHING: Final = Markup("")


def element(tag: str, classes: str = "", *content: Content, **attributes: str | int | bool) -> Markup:
    """Return an element. `data_t` becomes `data-t`; attributes that are empty or False are left out."""
    parts = [f'<{tag} class="{escape_line(classes)}"' if classes else f"<{tag}"]
    for name, value in attributes.items():
        if value is True:
            parts.append(f" {name.replace('_', '-')}")
        elif value not in (False, ""):
            parts.append(f' {name.replace("_", "-")}="{escape_line(str(value))}"')
    parts.append(">")
    parts += (part if isinstance(part, Markup) else escape_line(part) for part in content)
    parts.append(f"</{tag}>")
    return _mark_safe("".join(parts))


def join_markup(parts: Iterable[Content]) -> Markup:
    return _mark_safe("".join(part if isinstance(part, Markup) else escape_line(part) for part in parts))


@lru_cache(maxsize=8192)
def escape_line(text: str) -> str:
    return str(escape(one_line(text)))


def say_markup(key: str, lang: Lang, **parts: Markup) -> Markup:
    """Return a message with markup for its values."""
    return escape(say(key, lang, **{name: f"{{{name}}}" for name in parts})).format(**parts)


def _mark_safe(html: str) -> Markup:
    # `Markup(made)` checks its argument again, which takes as long as the rest of an element.
    return str.__new__(Markup, html)
