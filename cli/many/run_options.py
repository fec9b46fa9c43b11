"""Reproduction of a run: its command with all relevant options, and the versions that made it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from os import environ
from platform import python_version
from shlex import quote

from archive.regress.counting import RegressionReport
from archive.regress.page import Run
from cli.context import CommandContext, quote_input
from domain.games import GAMES
from domain.judging.rejudging.skipping import code_digest
from recorder.clock import read_wall_clock

Given = str | Sequence[str] | bool | None
EPOCH = "SOURCE_DATE_EPOCH"
"""Environment variable of reproducible builds: seconds since 1970 that replace the date."""


def write_options(options: Mapping[str, Given]) -> str:
    """Return options as shell words, without those not set."""
    words: list[str] = []
    for option, given in options.items():
        if given is True:
            words.append(option)
        elif given:
            values = [given] if isinstance(given, str) else list(given)
            words += [word for value in values for word in (option, quote(value))]
    return " ".join(words)


def date_of(ctx: CommandContext) -> str:
    """Return the date of a report, in UTC. Raises CommandError for an invalid date from the environment."""
    given = environ.get(EPOCH)
    try:
        seconds = read_wall_clock() // 1000 if given is None else int(given)
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise ctx.problem("regress.no_date", name=EPOCH, given=quote_input(given or "")) from None


def run_of(report: RegressionReport, date: str, command: str, rules: str) -> Run:
    try:
        release = version("shinpan")
    except PackageNotFoundError:
        release = "0"
    games = sorted({game for game, _, _ in (version.partition("@") for version in report.versions)} & GAMES.keys())
    laws = {game: code_digest(game) for game in games}
    return Run(date, f"Shinpan {release}, Python {python_version()}", laws, command, rules)
