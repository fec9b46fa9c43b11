"""Registry of commands. Each is a plain function, imported when it is called; help comes from the message catalogue.

A function's parameters are the parameters of its command. The annotation gives the syntax: `MATCH` is an argument,
`--at N` an option, `--open` a flag. Bounds of numbers may follow. A struct stands for its fields. Shared options are
added to every command.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from inspect import Parameter
from os import environ
from pkgutil import resolve_name
from typing import Annotated, Any, get_args, get_origin

import typer
from msgspec import Struct

from cli import help as H
from cli.answer import Answer
from cli.drawing import Screen
from cli.problems import FINE, CommandError
from cli.project import NO_PROJECT, SERVICE, Project, default_store, spoken
from domain.words import LANGS, Lang, load_messages, say
from domain.words.foreign import quoted

LANG = "SHINPAN_LANG"
"""Environment variable with the language."""

Command = Callable[..., Answer[object] | int | None]
"""Implementation of a command. It takes the context and the options. It returns an answer, an exit code, or None for
success without a value."""

PANELS: dict[str, dict[str, str]] = {
    "rules": {"games": "cli.rules.games:games", "rulebook": "cli.rules.rulebook:rulebook"},
    "record": {
        "new": "cli.record.new:new",
        "pairings": "cli.record.pairings:pairings",
        "paper.take": "cli.record.paper:take",
        "paper.learn": "cli.record.paper:learn",
        "paper.gap": "cli.record.paper:gap",
        "paper.compare": "cli.record.papers:compare",
        "paper.settle": "cli.record.papers:settle",
        "do": "cli.record.entries:do",
        "import": "cli.record.imports:take_in",
        "rewind": "cli.record.entries:rewind",
        "undo": "cli.record.entries:undo",
        "request": "cli.record.entries:request",
        "correct": "cli.record.entries:correct",
        "note": "cli.record.entries:note",
        "close": "cli.record.entries:close",
        "describe": "cli.record.entries:describe",
        "play": "cli.play.command:play",
    },
    "look": {
        "matches": "cli.look.matches:matches",
        "show": "cli.look.show:show",
        "log": "cli.look.show:log",
        "stack": "cli.look.show:stack",
        "legal": "cli.look.legal:legal",
        "watch": "cli.look.watch:watch",
        "find": "cli.look.find:find",
        "export": "cli.look.export:export",
        "results": "cli.look.results:results",
        "backup": "cli.look.maintenance:backup",
        "store.copy": "cli.look.maintenance:copy",
        "quarantine": "cli.look.maintenance:quarantine",
    },
    "judge": {
        "audit": "cli.judge.audit:audit",
        "fairness": "cli.judge.fairness:fairness",
        "why": "cli.judge.why:why",
        "why-not": "cli.judge.why:why_not",
    },
    "dispute": {
        "dispute": "cli.dispute.disputes:dispute",
        "rule": "cli.dispute.disputes:rule",
        "appeal": "cli.dispute.disputes:appeal",
        "decide": "cli.dispute.disputes:decide",
        "disputes": "cli.dispute.disputes:disputes",
        "docket": "cli.dispute.docket:docket",
        "casefile": "cli.dispute.casefile:casefile",
        "contradictions": "cli.dispute.contradictions:contradictions",
        "penalise": "cli.dispute.disputes:penalise",
        "pause": "cli.dispute.disputes:pause",
        "resume": "cli.dispute.disputes:resume",
        "unseal": "cli.dispute.disputes:unseal",
        "reseal": "cli.dispute.disputes:reseal",
    },
    "evidence": {
        "keygen": "cli.evidence.seals:keygen",
        "seal": "cli.evidence.seals:seal",
        "proof": "cli.evidence.seals:proof",
        "check": "cli.evidence.checks:check",
        "dossier": "cli.evidence.dossier:dossier",
        "pledge": "cli.evidence.pledges:pledge",
        "reveal": "cli.evidence.pledges:reveal",
        "forget": "cli.evidence.erasure:forget",
    },
    "explore": {
        "branch": "cli.explore:branch",
        "diff": "cli.explore:diff",
        "knows": "cli.explore:knows",
        "when": "cli.explore:when",
    },
    "many": {
        "simulate": "cli.many.simulate:simulate",
        "coverage": "cli.many.coverage:coverage",
        "compare": "cli.many.compare:compare",
        "rejudge": "cli.many.rejudge:rejudge",
        "regress": "cli.many.regress:regress",
        "verify": "cli.many.verify:verify",
        "perft": "cli.many.perft:perft",
        "shrink": "cli.many.shrink:shrink",
        "case.run": "cli.many.case:run",
        "case.new": "cli.many.case:new",
        "corpus.pack": "cli.many.corpus:pack",
        "corpus.unpack": "cli.many.corpus:unpack",
        "corpus.info": "cli.many.corpus:info",
        "corpus.sample": "cli.many.corpus:sample",
        "corpus.index": "cli.many.corpus:index",
    },
    "serve": {"serve": "cli.serve:serve", "invite": "cli.invitations:invite", "people": "cli.invitations:people"},
}
"""Every command by its panel in `--help`, with its function. A panel's modules share a folder."""
FIRST = ("new", "play", "do", "undo", "show", "log", "audit", "why", "dispute", "rule", "serve", "help")
"""Commands on the first help screen. `shinpan help` lists the others by topic."""
COMMANDS = {name: where for panel in PANELS.values() for name, where in panel.items()} | {
    "help": "cli.topics:show_topic"
}

REFUSALS = "cli.remote.connection:refusals"
COMPLETING = "cli.completion:complete_match_ids"

_PATH = re.compile(r"\b(FILE|DIR|PATH|STORE|DEST|SRC|DST)\b")
"""Metavars of path parameters. An empty path would mean the current folder."""
_MATCH = re.compile(r"\bMATCH\b")
_JSON = Parameter("json", Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, "--json"])
_ALL_SHARE = tuple(
    Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
    for name, default, annotation in (
        ("store", None, Annotated[str | None, "--store URL"]),
        ("lang", None, Annotated[str | None, "--lang ja|en"]),
        ("no_pager", False, Annotated[bool, "--no-pager"]),
        ("plain", False, Annotated[bool, "--plain"]),
    )
)

SETTINGS: dict[str, object] = {"help_option_names": ["--help", "-h"]}


class Shared(Struct):
    """Global options and the screen."""

    screen: Screen
    lang: Lang
    store: str | None = None
    project: Project = NO_PROJECT


def language(asked: str | None, project: Project = NO_PROJECT) -> Lang:
    """Return the language from the option, the environment, the project file or the locale. Raises CommandError."""
    named = (("", asked), (LANG, environ.get(LANG) or None), (project.file, project.lang))
    where, chosen = next((pair for pair in named if pair[1] is not None), ("", None))
    if chosen is not None:
        for lang in LANGS:
            if chosen == lang:
                return lang
        allowed = {"lang": repr(chosen), "allowed": ", ".join(LANGS)}
        problem = say("cli.unknown_lang", _spoken(), **allowed)
        raise CommandError(say("cli.misread", _spoken(), where=where, detail=problem) if where else problem)
    return _spoken()


def _spoken() -> Lang:
    return "ja" if spoken(environ) == "ja" else "en"


class Loaded(Mapping[str, object]):
    """Commands of a group by name, imported when looked up."""

    def __init__(self, shared: Shared, keys: Mapping[str, str]) -> None:
        self._shared, self._keys = shared, keys
        self._made: dict[str, object] = {}

    def __getitem__(self, name: str) -> object:
        if name not in self._made:
            key = self._keys[name]
            self._made[name] = _command(self._shared, key) if key in COMMANDS else subgroup(self._shared, key)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def panel_texts(lang: Lang) -> dict[str, tuple[str, dict[str, str]]]:
    """Return the heading of each panel, and the text of each of its commands."""
    names = {panel: dict.fromkeys(key.partition(".")[0] for key in commands) for panel, commands in PANELS.items()}
    return {
        panel: (say(f"help.panel.{panel}", lang), {name: say(f"help.{name}", lang) for name in commands})
        for panel, commands in names.items()
    }


def fill(group: H.HelpGroup, shared: Shared) -> None:
    """Add every command to the program. Its help lists the first ones, and the topics of the others."""
    names = dict.fromkeys(key.partition(".")[0] for key in COMMANDS)
    _fill(group, shared, "", {say("help.panel.first", shared.lang): {name: f"help.{name}" for name in names}})
    group.first = FIRST
    group.ending = say("help.topics", shared.lang, topics=", ".join(PANELS))


def subgroup(shared: Shared, name: str) -> H.HelpGroup:
    app = typer.Typer(cls=H.HelpGroup, name=name, help=say(f"help.{name}", shared.lang), **PLAIN)
    group: H.HelpGroup = typer.main.get_group(app)  # type: ignore[assignment]
    keys = [key for key in COMMANDS if key.startswith(f"{name}.")]
    texts = {key.partition(".")[2]: f"help.{key}" for key in keys}
    _fill(group, shared, f"{name}.", {say("help.panel.commands", shared.lang): texts})
    return group


def _fill(group: H.HelpGroup, shared: Shared, prefix: str, panels: Mapping[str, Mapping[str, str]]) -> None:
    group.commands = Loaded(shared, {name: prefix + name for panel in panels.values() for name in panel})  # type: ignore[assignment]
    group.lang, group.screen = shared.lang, shared.screen
    group.panels = {
        heading: {name: say(key, shared.lang) for name, key in panel.items()} for heading, panel in panels.items()
    }


PLAIN: dict[str, Any] = {
    "add_completion": False,
    "no_args_is_help": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": SETTINGS,
}


def answers_with(function: Command) -> object:
    """Return the type of a command's answer, or None if it returns only an exit code."""
    answer = inspect.signature(function).return_annotation
    return get_args(answer)[0] if get_origin(answer) is Answer else None


def _command(shared: Shared, key: str) -> object:
    lang, function = shared.lang, resolve_name(COMMANDS[key])
    first, *own = inspect.signature(function).parameters.values()
    groups = {value.name: value.annotation for value in own if _is_group(value)}
    singles = [single for value in own for single in (_fields(value.annotation) if _is_group(value) else (value,))]
    paths = {value.name: option for value in singles if (option := _path_option(value.annotation)) is not None}
    added = _ALL_SHARE if answers_with(function) is None else (_JSON, *_ALL_SHARE)
    parameters = [_declare(value, key, shared) for value in (*singles, *added)]

    def run(**given: Any) -> int:
        store, asked, json = given.pop("store"), given.pop("lang"), given.pop("json", False)
        shared.screen.pages &= not given.pop("no_pager")
        shared.screen.plain |= given.pop("plain")
        spoken = language(asked) if asked is not None else lang
        where = store if store is not None else shared.store
        texts = {name: given[name] if isinstance(given[name], list) else [given[name]] for name in paths}
        empty = [option for name, option in paths.items() if "" in texts[name]]
        for option in ["--store"] if where == "" else empty:
            raise CommandError(say("cli.empty_path", spoken, option=option))
        for text in (text for named in texts.values() for text in named or () if text and SERVICE.match(text)):
            raise CommandError(say("client.no_file", spoken, url=quoted(text)))
        ctx = first.annotation(shared.screen, spoken, where, shared.project)
        for name, group in groups.items():
            given[name] = group(**{value.name: given.pop(value.name) for value in _fields(group)})
        with ctx.convert_errors(), resolve_name(REFUSALS)(ctx) if ctx.is_remote else nullcontext():
            answer = function(ctx, **given)
            if not isinstance(answer, Answer):
                ctx.print_interruption()
                return ctx.stopped or answer or FINE
            with shared.screen.paged():
                if json:
                    shared.screen.json(answer.value())
                else:
                    answer.draw()
                    ctx.print_interruption()
            answer.beside()
            return ctx.stopped or answer.code

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {value.name: value.annotation for value in parameters}
    what, example = say(f"help.{key}", lang), say(f"example.{key}", lang)
    app = typer.Typer(**PLAIN)
    text = f"{what}\n\n{H.VERBATIM}{say('help.example', lang, line=example)}"
    app.command(key.rpartition(".")[2], cls=H.HelpCommand, help=text, short_help=what)(run)
    command: Any = typer.main.get_command(app)
    command.lang, command.screen = lang, shared.screen
    return command


def _is_group(value: Parameter) -> bool:
    return isinstance(value.annotation, type) and issubclass(value.annotation, Struct)


def _fields(group: type[Struct]) -> Iterable[Parameter]:
    return inspect.signature(group).parameters.values()


def _split_annotation(annotation: object) -> tuple[list[str], str]:
    words = get_args(annotation)[1].split()
    names = [word for word in words if word.startswith("-")]
    return names, " ".join(words[len(names) :])


def _path_option(annotation: object) -> str | None:
    names, metavar = _split_annotation(annotation)
    return None if _PATH.search(metavar) is None else next(iter(names), metavar)


def _match_ids(shared: Shared) -> Callable[[typer.Context, str], list[str]]:
    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        store = ctx.params.get("store") or ctx.find_root().params.get("store") or shared.store or str(default_store())
        ids: list[str] = resolve_name(COMPLETING)(store, incomplete)
        return ids

    return complete


def _declare(value: Parameter, key: str, shared: Shared) -> Parameter:
    kind, _, *bounds = get_args(value.annotation)
    names, metavar = _split_annotation(value.annotation)
    own, lang = f"help.{key}.{value.name}", shared.lang
    text = say(own if own in load_messages() else f"help.value.{value.name}", lang)
    settings: dict[str, object] = {
        "help": text,
        "metavar": metavar or None,
        "show_default": value.default not in (None, ""),
        "autocompletion": _match_ids(shared) if _MATCH.search(metavar) else None,
    }
    info = (typer.Option if names else typer.Argument)(*names, **{**settings, **dict(*bounds)})
    return value.replace(annotation=Annotated[kind, info])
