"""Connections to a service: the match of a command, and refusals.

The service shows what the token's holder may see. A match is named by its full id.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from os import environ
from typing import TypeVar

import msgspec

from cli.client.service import RemoteMatch, Service, ServiceError, connect
from cli.context import CommandContext, quote_input
from cli.problems import CommandError
from domain.games import GAMES
from domain.law.law import Law
from domain.law.occasion import NO_OCCASION, Occasion
from domain.table.schema import Schema
from domain.table.table import Seat
from projections.moments import Moments, list_seen_moments
from projections.seen_entries import SeenEntry
from service.payloads import MatchHead
from service.problems import Problem

Value = TypeVar("Value")

TOKEN = "SHINPAN_TOKEN"
"""Environment variable of the token. Other users could read an argument."""


class RemoteReader:
    def __init__(self, ctx: CommandContext, match: str, viewer: str = "") -> None:
        self.ctx = ctx
        self.match: RemoteMatch = open_service(ctx).match(match.strip(), viewer)
        self.head: MatchHead = self.match.head()
        if (game := GAMES.get(self.head.opening.game)) is None:
            raise ctx.problem("client.other_game", game=self.head.opening.game)
        self.law = Law(game, msgspec.convert(self.head.opening.rules, game.rules_type))

    @property
    def viewer(self) -> Seat:
        return self.head.viewer

    @property
    def opening_entry(self) -> SeenEntry:
        return self.head.opening

    @property
    def schema(self) -> Schema:
        return self.law.schema()

    @property
    def occasion(self) -> tuple[Occasion, str]:
        return self.head.stands.occasion or NO_OCCASION, self.head.stands.announced or ""

    @property
    def names(self) -> dict[Seat, str]:
        return self.head.opening.names

    @cached_property
    def entries(self) -> tuple[SeenEntry, ...]:
        return tuple(self.match.entries(flow=True))

    @cached_property
    def when(self) -> Moments:
        return list_seen_moments(self.names, self.entries, self.ctx.zone)

    def entry(self, number: int | None) -> int:
        return self.ctx.entry_of(self.match.id, self.head.head, number)

    @contextmanager
    def locate_errors(self, text: str) -> Iterator[None]:
        try:
            yield
        except ServiceError as refused:
            raise mistyped(self.ctx, text, refused.problem) if refused.problem.column else refused from None

    def ask(self, query: Callable[[], Value], default: Value) -> tuple[Value, str]:
        try:
            return query(), ""
        except ServiceError as refused:
            return default, refused.problem.says(self.ctx.lang)


def open_service(ctx: CommandContext) -> Service:
    return connect(ctx.where, environ.get(TOKEN, ""))


def mistyped(ctx: CommandContext, text: str, problem: Problem) -> CommandError:
    """Return the error for an argument that the service cannot parse, with its column."""
    return ctx.problem("cli.mistyped", text=quote_input(text), column=problem.column, detail=problem.says(ctx.lang))


@contextmanager
def refusals(ctx: CommandContext) -> Iterator[None]:
    """Convert refusals of the service into CommandError."""
    try:
        yield
    except ServiceError as refused:
        raise CommandError(describe_refusal(ctx, refused.problem)) from None


def describe_refusal(ctx: CommandContext, problem: Problem) -> str:
    """Return the words of a refusal. Without a token, a program gets a hint to set one."""
    return (
        ctx.say("client.no_token") if problem.type == "/problem/foreign-origin" else problem.says_to_commands(ctx.lang)
    )
