"""Elements of HTML as safe strings: whatever is no markup of ours is escaped, and nothing in it breaks its line."""

from collections.abc import Iterable

from markupsafe import Markup, escape

from domain.words.lines import one_line

Content = str | Markup
"""Text to be escaped, or markup that is so already."""
NOTHING = Markup("")


def element(tag: str, classes: str = "", *content: Content, **attributes: str | int | bool) -> Markup:
    """An element. `data_t` is written `data-t`, `for_` is `for`; what is empty or False is left out."""
    opening = f'{tag} class="{escape(classes)}"' if classes else tag
    for name, value in attributes.items():
        if value is True:
            opening += f" {_attribute(name)}"
        elif value or (value == 0 and value is not False):
            opening += f' {_attribute(name)}="{text(str(value))}"'
    return Markup(f"<{opening}>{''.join(map(text, content))}</{tag}>")


def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def text(content: Content) -> Markup:
    """Text, escaped; markup stays."""
    return content if isinstance(content, Markup) else escape(one_line(content))


def joined(parts: Iterable[Content]) -> Markup:
    """One after the other."""
    return Markup("".join(map(text, parts)))
