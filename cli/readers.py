"""Readers of matches, in a store or at a service. Both return the same values."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from msgspec import Struct

from cli.context import CommandContext
from domain.formats.errors import FormatError
from domain.law.entries import Opened, last_described
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.table.redact import TableViewer
from domain.table.schema import Schema
from domain.table.table import JUDGE, Seat
from projections.moments import Moments, moments
from projections.phrases import Names
from projections.seen_entries import SeenEntry
from recorder.match_loader import LoadedMatch

if TYPE_CHECKING:  # a command on a store starts without the client
    from cli.client.service import RemoteMatch, Service

MATCH: Final = "cli.remote.connection:RemoteReader"
SERVICE: Final = "cli.remote.connection:open_service"


class LocalStoreQueries(Struct, frozen=True):
    """Queries over all matches of a store, with the names of `cli.client.service.Service`."""

    ctx: CommandContext


class LocalQueries:
    """Queries over a record, with the names of `cli.client.matches.RemoteMatch`."""

    def __init__(self, ctx: CommandContext, record: LoadedMatch, eyes: TableViewer) -> None:
        self.ctx, self.record, self.eyes = ctx, record, eyes

    @property
    def id(self) -> str:
        return self.record.id


Local = TypeVar("Local", bound=LocalQueries)
LocalStore = TypeVar("LocalStore", bound=LocalStoreQueries)
Value = TypeVar("Value")
Queries = TypeVar("Queries", covariant=True)


class Reader(Protocol[Queries]):
    """A match as one viewer sees it."""

    @property
    def match(self) -> Queries:
        """The queries of the match."""

    @property
    def viewer(self) -> Seat:
        """The seat or role whose view is used."""

    @property
    def law(self) -> Law:
        """The game and its rules."""

    @property
    def names(self) -> Names:
        """The players' names by seat."""

    @property
    def schema(self) -> Schema:
        """The places of the table."""

    @property
    def opening_entry(self) -> Opened | SeenEntry:
        """The first entry."""

    @property
    def occasion(self) -> tuple[Occasion, str]:
        """The event of the match, and the announced result."""

    @property
    def when(self) -> Moments:
        """The times of the entries."""

    def entry(self, number: int | None) -> int:
        """Return an entry by its number, the last one for None. Raises CommandError."""

    def locate_errors(self, text: str) -> AbstractContextManager[None]:
        """Raise CommandError with the column of a parse error in this argument."""

    def ask(self, query: Callable[[], Value], default: Value) -> tuple[Value, str]:
        """Return the answer to a query and ''; or the default and the service's refusal."""


class LocalReader(Generic[Local]):
    """A match of a store, as one viewer sees it."""

    def __init__(self, ctx: CommandContext, queries: type[Local], record: LoadedMatch, eyes: TableViewer) -> None:
        self.ctx, self.record = ctx, record
        self.match, self.viewer, self.law, self.names = (
            queries(ctx, record, eyes),
            eyes.viewer,
            record.law,
            record.names,
        )

    @property
    def opening_entry(self) -> Opened:
        return self.record.opening

    @property
    def schema(self) -> Schema:
        return self.record.opening.schema

    @property
    def occasion(self) -> tuple[Occasion, str]:
        described = last_described(self.record.entries)
        return described.occasion, described.announced

    @cached_property
    def when(self) -> Moments:
        return moments(self.record, self.ctx.zone)

    def entry(self, number: int | None) -> int:
        return self.ctx.entry(self.record, number)

    @contextmanager
    def locate_errors(self, text: str) -> Iterator[None]:
        try:
            yield
        except FormatError as error:
            raise self.ctx.mistyped(text, error) from None

    def ask(self, query: Callable[[], Value], default: Value) -> tuple[Value, str]:
        return query(), ""


def open_reader(
    ctx: CommandContext, local: type[Local], match: str, viewer: str, upto: int | None = None
) -> "Reader[Local | RemoteMatch]":
    """Open a match by its id. The default viewer is the judge in a store, the token's holder at a service.

    A damaged match is read up to entry `upto`. Raises CommandError.
    """
    if ctx.is_remote:
        return open_remote(ctx, match, viewer)
    record = ctx.load(match, upto)
    return LocalReader(ctx, local, record, ctx.find_viewer(record, viewer or JUDGE))


def open_store_queries(ctx: CommandContext, local: type[LocalStore]) -> "LocalStore | Service":
    """Return the queries over all matches of the store or service."""
    return open_service(ctx) if ctx.is_remote else local(ctx)


def open_remote(ctx: CommandContext, match: str, viewer: str = "") -> "Reader[RemoteMatch]":
    """Open a match of the command's service. Raises ServiceError, CommandError."""
    remote: Reader[RemoteMatch] = resolve_name(MATCH)(ctx, match, viewer)
    return remote


def open_service(ctx: CommandContext) -> "Service":
    service: Service = resolve_name(SERVICE)(ctx)
    return service
