"""Matches to read: in a store on this machine, or at a service over HTTP. Both answer queries with the same values."""

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
SERVICE: Final = "cli.remote.connection:service"


class LocalStoreQueries(Struct, frozen=True):
    """Queries answered from the store, named as those of `cli.client.service.Service`."""

    ctx: CommandContext


class LocalQueries:
    """Queries answered from a record, named as those of `cli.client.matches.Match`."""

    def __init__(self, ctx: CommandContext, record: LoadedMatch, eyes: TableViewer) -> None:
        self.ctx, self.record, self.eyes = ctx, record, eyes

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.record.id


Local = TypeVar("Local", bound=LocalQueries)
LocalStore = TypeVar("LocalStore", bound=LocalStoreQueries)
Value = TypeVar("Value")
Queries = TypeVar("Queries", covariant=True)


class Reader(Protocol[Queries]):
    """A match as one viewer sees it."""

    @property
    def match(self) -> Queries:
        """Answers queries."""

    @property
    def viewer(self) -> Seat:
        """The seat whose eyes are used."""

    @property
    def law(self) -> Law:
        """The law of the match."""

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
        """The occasion of the match, and the result that was announced."""

    @property
    def when(self) -> Moments:
        """The times of its entries."""

    def entry(self, number: int | None) -> int:
        """Return an entry by its number, the last one for None. Raises Problem."""

    def locate_errors(self, text: str) -> AbstractContextManager[None]:
        """Raise Problem with the column where this text from the command line cannot be read."""

    def ask(self, query: Callable[[], Value], default: Value) -> tuple[Value, str]:
        """Return the answer to a query; or the default, and why the service refuses an answer."""


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
    """Open a match by its id. The default viewer is a judge in a store, the holder of the token at a service.

    A damaged match is read up to entry `upto`. Raises Problem.
    """
    if ctx.is_remote:
        return open_remote(ctx, match, viewer)
    record = ctx.load(match, upto)
    return LocalReader(ctx, local, record, ctx.eyes(record, viewer or JUDGE))


def open_store_queries(ctx: CommandContext, local: type[LocalStore]) -> "LocalStore | Service":
    """Return what answers queries about all matches."""
    return open_service(ctx) if ctx.is_remote else local(ctx)


def open_remote(ctx: CommandContext, match: str, viewer: str = "") -> "Reader[RemoteMatch]":
    """Open a match of the service that the command names. Raises Refused, Problem."""
    remote: Reader[RemoteMatch] = resolve_name(MATCH)(ctx, match, viewer)
    return remote


def open_service(ctx: CommandContext) -> "Service":
    """Return the client of the service that the command names."""
    service: Service = resolve_name(SERVICE)(ctx)
    return service
