"""Help pages of commands in our layout, instead of the library's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from typer.core import TyperCommand, TyperGroup

from cli.drawing import Screen
from cli.layout import GAP, fold, width
from domain.words import Lang, say

WIDE, PLAIN = 100, 78
"""Widest help, and its width without a terminal."""
LEFT_MAX = 28
"""A wider name has its text below it."""
TEXT_MIN = 16
"""With less room next to the names, texts stand below them."""
MARGIN = 2
VERBATIM = "\b\n"
"""Prefix of a paragraph that stays on one line, for copying."""

SHARED = ("store", "spoken", "lang", "no_pager", "plain", "help")
"""Options listed in the last panel of each command."""

Entry = tuple[str, str]


class _Help:
    """Mixin that renders the help. `lang` and `screen` are set at creation."""

    lang: Lang = "en"
    screen: Screen

    def get_help(self, ctx: object) -> str:
        return "\n".join(_wrap_blocks(self._blocks(ctx), _columns(self.screen)))

    def get_help_option(self, ctx: object) -> Any:
        """Return the library's help option with a callback that prints to our screen."""
        option = super().get_help_option(ctx)  # type: ignore[misc]
        option.help, option.callback = self._say("help.value.help"), self._show
        return option

    def _show(self, ctx: Any, _: object, asked: bool) -> None:
        if asked and not ctx.resilient_parsing:
            show(self.screen, ctx)
            ctx.exit()

    def _blocks(self, ctx: Any) -> Iterator[str | tuple[str, Sequence[Entry]]]:
        this: Any = self
        yield self._say("help.usage", line=" ".join((ctx.command_path, *self._usage(ctx))))
        yield from this.help.split("\n\n")
        yield from self._commands()
        params = list(this.get_params(ctx))
        given = [param for param in params if param.param_type_name == "argument"]
        options = [param for param in params if param not in given and param.name not in SHARED]
        shared = [param for param in params if param.name in SHARED]
        for name, group in (("arguments", given), ("options", options), ("shared", shared)):
            if group:
                yield (
                    self._say(f"help.panel.{name}"),
                    [(_format_parameter(param), self._meaning(param)) for param in group],
                )

    def _usage(self, ctx: object) -> Iterator[str]:
        this: Any = self
        yield self._say("help.options_in_usage")
        for param in this.get_params(ctx):
            if param.param_type_name == "argument":
                yield param.metavar if param.required else f"[{param.metavar}]"
        if isinstance(self, TyperGroup):
            yield self._say("help.command_in_usage")

    def _commands(self) -> Iterator[str | tuple[str, Sequence[Entry]]]:
        return iter(())

    def _meaning(self, param: Any) -> str:
        bounds = param.type
        notes = [self._say("help.needed")] if param.required else []
        shown = param.show_default if isinstance(param.show_default, str) else param.default
        if param.show_default and shown not in (None, "", (), False):
            notes.append(self._say("help.default", value=shown))
        if getattr(bounds, "max", None) is not None:
            notes.append(self._say("help.between", least=bounds.min, most=bounds.max))
        elif getattr(bounds, "min", None) is not None:
            notes.append(self._say("help.at_least", least=bounds.min))
        text = param.help or ""
        return f"{text} [{self._say('list.comma').join(notes)}]".strip() if notes else text

    def _say(self, key: str, **values: object) -> str:
        return say(key, self.lang, **values)


def show(screen: Screen, ctx: Any) -> None:
    with screen.paged():
        for line in ctx.get_help().split("\n"):
            screen.line(line)


def write_panels(screen: Screen, panels: Iterable[tuple[str, Mapping[str, str]]]) -> None:
    """Print commands by heading, with their texts in one column."""
    shown = [(heading, list(texts.items())) for heading, texts in panels]
    wide = max(len(name) for _, entries in shown for name, _ in entries)
    blocks = ((heading, [(name.ljust(wide), text) for name, text in entries]) for heading, entries in shown)
    for line in _wrap_blocks(blocks, _columns(screen)):
        screen.line(line)


def _columns(screen: Screen) -> int:
    return PLAIN if screen.columns is None else min(screen.columns, WIDE)


def _format_parameter(param: Any) -> str:
    if param.param_type_name == "argument":
        return str(param.metavar)
    names = sorted(param.opts, key=len)
    return ", ".join(names) + ("" if param.is_flag or not param.metavar else f" {param.metavar}")


def _wrap_blocks(blocks: Iterable[str | tuple[str, Sequence[Entry]]], columns: int) -> Iterator[str]:
    for number, block in enumerate(blocks):
        if number:
            yield ""
        if isinstance(block, str):
            margin = MARGIN if number else 0
            lines = [block.removeprefix(VERBATIM)] if block.startswith(VERBATIM) else fold(block, columns - margin)
            yield from (" " * margin + line for line in lines)
            continue
        yield from fold(block[0], columns)
        yield from _panel(block[1], columns)


def _panel(entries: Sequence[Entry], columns: int) -> Iterator[str]:
    left = max((wide for name, _ in entries if (wide := width(name)) <= LEFT_MAX), default=0)
    beside = columns - MARGIN - left - len(GAP)
    for name, text in entries:
        below = width(name) > left or beside < TEXT_MIN
        indent = MARGIN * 2 if below else MARGIN + left + len(GAP)
        lines = fold(text, columns - indent)
        if below:
            yield from (" " * MARGIN + line for line in fold(name, columns - MARGIN))
        else:
            first = lines.pop(0) if lines else ""
            yield (" " * MARGIN + name + " " * (left - width(name)) + GAP + first).rstrip()
        yield from (" " * indent + line for line in lines)


class HelpCommand(_Help, TyperCommand):
    """A command with our help layout."""


class Completion(NamedTuple):
    """A completion, as the library's scripts read it."""

    value: str
    help: str
    type: str = "plain"


class HelpGroup(_Help, TyperGroup):
    """Commands in panels. The list needs no command to be imported."""

    panels: Mapping[str, Mapping[str, str]]
    """Text of each command by name, by heading."""
    first: Sequence[str] = ()
    """The commands that the help lists, if not all."""
    ending = ""
    """A paragraph after the commands."""

    def _commands(self) -> Iterator[str | tuple[str, Sequence[Entry]]]:
        for heading, panel in self.panels.items():
            yield heading, [(name, panel[name]) for name in self.first or panel]
        if self.ending:
            yield self.ending

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete command names from the panels, without importing the commands."""
        texts = {name: text for panel in self.panels.values() for name, text in panel.items()}
        named = [Completion(name, text) for name, text in texts.items() if name.startswith(incomplete)]
        return named or super().shell_complete(ctx, incomplete)
