"""Command line entry point: parses arguments, runs a command, and reports any error in one line."""

import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, TextIO

import typer

from cli import help as H, registry
from cli.drawing import Screen
from cli.problems import BAD_INPUT, BUG, CLOSED_PIPE, ENDED, FINE, INTERRUPTED, CommandError
from cli.project import BadProject, Project, load_project
from domain.words import Lang, Text, Texts, listed, say
from domain.words.foreign import explain_decode_error, explain_system_error, quoted

_INVALID = r"Invalid value for '(?P<name>.+?)': "
_USAGE_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (f"usage.{name}", re.compile(pattern, re.DOTALL))
    for name, pattern in (
        ("no_option", r"No such option: (?P<name>.+?)\.?(?P<hint> Did you mean .+| \(.+\))?"),
        ("no_command", r"No such command '(?P<name>.*?)'\.(?P<hint> Did you mean .+| \(.+\))?"),
        ("no_argument", r"Missing argument '(?P<name>.+)'\."),
        ("missing_option", r"Missing option '(?P<name>.+?)'\.(?: Choose from:\s+(?P<choices>.+))?"),
        ("missing_command", r"Missing command\."),
        ("out_of_range", _INVALID + r"(?P<value>-?\d+) is not in the range (?P<least>\d+)<=x<=(?P<most>\d+)\."),
        ("too_small", _INVALID + r"(?P<value>-?\d+) is not in the range x>=(?P<least>\d+)\."),
        ("no_choice", r"Invalid value for '--(?P<name>.+?)': (?P<value>'.*') is not one of (?P<allowed>.+)\."),
        ("no_whole", r"Invalid value for '?(?P<name>.+?)'?: .*\bint(?:eger)?\b.*"),
        ("bad_value", r"Invalid value for '?(?P<name>.+?)'?: (?P<why>.+)"),
        ("needs_value", r"Option '(?P<name>.+)' requires an argument\."),
        ("no_value", r"Option '(?P<name>.+)' does not take a value\."),
        ("too_many", r"Got unexpected extra argument(?:s|\(s\))? \((?P<rest>.*)\)"),
    )
)
_LIKELY = re.compile(r"-{0,2}\w[\w-]*")
SHOWN_MAX = 60


def usage(error: Any) -> Text:
    """Return the reason why arguments are invalid. `error` is the library's UsageError."""
    message = str(error.format_message())
    for key, pattern in _USAGE_PATTERNS:
        if match := pattern.fullmatch(message):
            return Text(key, {name: _value(name, text) for name, text in match.groupdict().items()})
    return quoted(" ".join(message.split()))


def _value(name: str, text: str | None) -> object:
    match name:
        case "hint":
            meant = [] if text is None else _LIKELY.findall(re.sub(r"^ (Did you mean|\(Possible options:)", "", text))
            return Text("format.meant", {"word": Texts(tuple(meant))}) if meant else ""
        case "allowed":
            return str(text).replace("'", "")
        case "why":
            return quoted(text)
        case "choices":
            words = listed(re.split(r"[\s,]+", text.strip())) if text else ""
            return Text("format.allowed", {"words": words}) if words else ""
        case _:
            return text if text is None or len(text) <= SHOWN_MAX else text[:SHOWN_MAX] + "..."


NAME = "shinpan"
STORE = "SHINPAN_STORE"
"""Environment variable with the default store."""
DEBUG = "SHINPAN_DEBUG"
"""Environment variable that shows tracebacks of internal errors."""

COMPLETION = {"install_completion": "help.install_completion", "show_completion": "help.show_completion"}
"""Completion options of the library, with our help keys."""
COMPLETE = "_SHINPAN_COMPLETE"
"""Environment variable set by a shell that requests completions."""
OLD_COMPLETE = "_SHINPAN_TAB"
"""Set by completion scripts of an earlier version, which pass the typed words as arguments. They must not run."""

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals handled like an interruption. `play` and long tasks (`cli/progress.py`) replace the handler."""

RELEASE, ENDLESS = "importlib.metadata:version", "domain.law.outcome:EndlessError"
"""Imported only when needed, for a faster start."""

MORE_MAX = 20

_VALUE = re.compile(r"-[\s0-9]")
"""A manual fact (`- turn u57 up`) or a negative number is a value, not an option."""

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""The library's usage error. Its module differs between versions."""


def main() -> None:
    """Run the program. A signal that ends it still removes partial files and child processes."""
    if OLD_COMPLETE in os.environ:
        return
    for number in ENDING:
        if signal.getsignal(number) == signal.SIG_DFL:  # leave ignored signals ignored, as under `nohup`
            signal.signal(number, _end)
    sys.exit(run(sys.argv[1:]))


def _end(number: int, _: object) -> None:
    raise SystemExit(ENDED + number)


def run(arguments: Sequence[str]) -> int:
    """Run a command; return the exit code."""
    out, err = _tolerant(sys.stdout), _tolerant(sys.stderr)
    screen = Screen(out, err)
    lang: Lang = "en"
    try:
        lang = registry.language(asked := _find_language(arguments))
        _check_readable(arguments, lang)
        project = _project(lang)
        lang = registry.language(asked, project)
        store = os.environ.get(STORE) or project.store
        code = _run(arguments, registry.Shared(screen, lang, store, project))
        out.flush()
        err.flush()
        return code
    except SystemExit as done:
        if isinstance(done.code, int) and done.code > ENDED:
            _silence()
            return done.code
        # the library exits after completion, and when the output pipe is closed
        if _completing(arguments):
            return BAD_INPUT if done.code else FINE
        _silence()
        return CLOSED_PIPE
    except BrokenPipeError:
        _silence()
        return CLOSED_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except CommandError as problem:
        return _complain(screen, problem.message, problem.more, problem.code)
    except UsageError as error:
        where = getattr(getattr(error, "ctx", None), "command_path", NAME)
        return _complain(screen, say("cli.usage", lang, detail=usage(error), command=where), (), BAD_INPUT)
    except OSError as error:
        code = _complain(screen, say("cli.system", lang, detail=explain_system_error(error)), (), BAD_INPUT)
        _silence()
        return code
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        if isinstance(error, resolve_name(ENDLESS)):
            return _complain(screen, say("cli.endless", lang, detail=str(error)), (), BUG)
        what = f"{type(error).__name__}: {error}"
        return _complain(screen, say("cli.bug", lang, detail=what[:300], debug=DEBUG), (), BUG)


def _project(lang: Lang) -> Project:
    try:
        return load_project()
    except BadProject as error:
        values = {name: _describe_value(value) for name, value in error.values.items()}
        raise CommandError(say(error.key, lang, **values)) from None


def _describe_value(value: object) -> object:
    match value:
        case OSError():
            return explain_system_error(value)
        case Exception():
            return explain_decode_error(value)
        case _:
            return value


def _run(arguments: Sequence[str], shared: registry.Shared) -> int:
    command = program(shared)
    values = [f" {argument}" if _VALUE.match(argument) else argument for argument in arguments]
    done = command.main(args=values, prog_name=NAME, standalone_mode=False)
    return done if isinstance(done, int) else FINE


def program(shared: registry.Shared) -> Any:
    """Return the commands as the library runs them, with our help for its options."""
    group = typer.main.get_command(_build(shared))
    assert isinstance(group, H.HelpGroup)
    registry.fill(group, shared)
    for option in group.params:
        if (help_key := COMPLETION.get(option.name or "")) is not None:
            option.help = say(help_key, shared.lang)  # type: ignore[attr-defined]
    return group


def _completing(arguments: Sequence[str]) -> bool:
    asked = {f"--{name.replace('_', '-')}" for name in COMPLETION}
    return COMPLETE in os.environ or not asked.isdisjoint(arguments)


def _build(shared: registry.Shared) -> typer.Typer:
    lang = shared.lang
    app = typer.Typer(cls=H.HelpGroup, help=say("help.shinpan", lang), **{**registry.PLAIN, "add_completion": True})

    @app.callback(invoke_without_command=True)
    def begin(
        context: typer.Context,
        store: Annotated[
            str | None, typer.Option("--store", metavar="URL", help=say("help.value.store", lang), show_default=False)
        ] = None,
        spoken: Annotated[
            str | None, typer.Option("--lang", metavar="ja|en", help=say("help.value.lang", lang), show_default=False)
        ] = None,
        no_pager: Annotated[bool, typer.Option("--no-pager", help=say("help.value.no_pager", lang))] = False,
        plain: Annotated[bool, typer.Option("--plain", help=say("help.value.plain", lang))] = False,
        release: Annotated[bool, typer.Option("--version", help=say("help.version", lang))] = False,
    ) -> None:
        shared.screen.pages &= not no_pager
        shared.screen.plain |= plain
        shared.store = store if store is not None else shared.store
        if release:
            version = "0"
            with suppress(ImportError):  # not installed
                version = resolve_name(RELEASE)(NAME)
            shared.screen.line(f"{NAME} {version}")
            raise typer.Exit
        if context.invoked_subcommand is None:
            H.show(shared.screen, context)

    return app


def _find_language(arguments: Sequence[str]) -> str | None:
    """Return the value of `--lang`, before the library parses the arguments: help needs it earlier."""
    asked = None
    for argument, following in zip_longest(arguments, arguments[1:]):
        if argument == "--":
            break
        if argument == "--lang" and following is not None:
            asked = following
        elif argument.startswith("--lang="):
            asked = argument.removeprefix("--lang=")
    return asked


def _check_readable(arguments: Sequence[str], lang: Lang) -> None:
    for number, argument in enumerate(arguments, start=1):
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise CommandError(say("cli.not_utf8", lang, number=number)) from None


def _complain(screen: Screen, message: str, more: Sequence[str], code: int) -> int:
    if COMPLETE in os.environ:  # a message would appear in the middle of the typed line
        return code
    try:
        with suppress(OSError):
            screen.out.flush()
        screen.aside(f"{NAME}: {message}")
        for line in more[:MORE_MAX]:
            screen.aside(line)
        screen.err.flush()
    except OSError:
        _silence()
    return code


def _tolerant(stream: TextIO | None) -> TextIO:
    """Return a stream that replaces unencodable characters with question marks. A closed stream becomes os.devnull."""
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    return stream


def _silence() -> None:
    """Redirect buffered output to os.devnull, so that Python does not complain at exit about a closed pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nowhere, stream.fileno())
        except (OSError, ValueError, AttributeError):
            continue


if __name__ == "__main__":
    main()
