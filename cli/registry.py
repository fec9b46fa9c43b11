"""Commands made of plain functions: options that all share are added, help comes from the one table of texts."""

import inspect
import re
from collections.abc import Callable
from copy import copy
from typing import Annotated, Any, get_args

import typer
from msgspec import Struct

from cli.context import Desk, language
from cli.drawing import Screen
from domain.words import Lang
from projections.words import MESSAGES, say

Command = Callable[..., int | None]
"""What a command does: it takes the desk and its own values, and answers with an exit code (None is fine)."""

Match = Annotated[str, typer.Argument(metavar="MATCH", show_default=False)]
Action = Annotated[list[str], typer.Argument(metavar="ACTION", show_default=False)]
"""An action's words: quoted together or not."""
At = Annotated[int | None, typer.Option("--at", metavar="N", show_default=False)]
Viewer = Annotated[str, typer.Option("--as", metavar="VIEWER")]
Json = Annotated[bool, typer.Option("--json")]
By = Annotated[str, typer.Option("--by", metavar="WHO")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", show_default=False)]
Expect = Annotated[int | None, typer.Option("--expect", metavar="N", show_default=False)]
CommandId = Annotated[str | None, typer.Option("--command-id", metavar="ID", show_default=False)]
Frame = Annotated[str | None, typer.Option("--frame", metavar="FRAME", show_default=False)]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", show_default=False)]
Cards = Annotated[str | None, typer.Option("--cards", metavar="FILE.toml", show_default=False)]
Decks = Annotated[list[str] | None, typer.Option("--deck", metavar="SEAT=DECK", show_default=False)]
Readings = Annotated[list[str] | None, typer.Option("--reading", metavar="OPTION=VALUE", show_default=False)]
Spec = Annotated[str, typer.Argument(metavar="GAME@VERSION", show_default=False)]

_PATH = re.compile(r"\b(FILE|DIR|PATH|STORE)\b")
"""What stands in the metavar of a parameter that takes paths; to the system an empty one is the current folder."""
_STORE = Annotated[str | None, typer.Option("--store", metavar="URL", show_default=False)]
_LANG = Annotated[str | None, typer.Option("--lang", metavar="ja|en", show_default=False)]


class Shared(Struct):
    """What is said before a command's name, and where answers go."""

    screen: Screen
    lang: Lang
    store: str | None = None


def add(app: typer.Typer, shared: Shared, name: str, function: Command, group: str = "") -> None:
    """Make a function a command of this name."""
    key = f"{group}.{name}" if group else name
    lang = shared.lang
    own = list(inspect.signature(function).parameters.values())[1:]
    paths = {one.name: option for one in own if (option := _path_option(one.annotation)) is not None}
    parameters = [
        *own,
        inspect.Parameter("store", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_STORE),
        inspect.Parameter("lang", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_LANG),
    ]
    parameters = [one.replace(annotation=_with_help(one.annotation, one.name, key, lang)) for one in parameters]

    def run(**given: Any) -> int:
        store, asked = given.pop("store"), given.pop("lang")
        spoken = language(asked) if asked is not None else shared.lang
        given_store = store if store is not None else shared.store
        desk = Desk(shared.screen, spoken, given_store)
        if given_store == "":
            raise desk.problem("cli.empty_path", option="--store")
        for name, option in paths.items():
            if given[name] == "" or (isinstance(given[name], list) and "" in given[name]):
                raise desk.problem("cli.empty_path", option=option)
        return function(desk, **given) or 0

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    what, example = say(f"help.{key}", lang), say(f"example.{key}", lang)
    text = f"{what}\n\n\b\n{say('help.example', lang)} {example}"
    app.command(name, help=text, short_help=what)(run)


def _path_option(annotation: Any) -> str | None:
    """As what people know a parameter that names a file, a folder or a store; None for any other."""
    _, info = get_args(annotation)
    if _PATH.search(info.metavar or "") is None:
        return None
    return str(next(iter(info.param_decls or ()), info.metavar))


def _with_help(annotation: Any, name: str, key: str, lang: Lang) -> Any:
    """The annotation with the help of this parameter: the command's own text for it, else the one all share."""
    kind, info = get_args(annotation)
    own = f"help.{key}.{name}"
    info = copy(info)
    info.help = say(own if own in MESSAGES else f"help.value.{name}", lang)
    return Annotated[kind, info]
