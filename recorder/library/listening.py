"""Listen for a PostgreSQL server's notifications of new entries, so that polling can be rare.

A notification only says when to look. The next poll makes up for one that is lost with a connection or in a pooler.
So polling may be rare only after a self-test has arrived.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from selectors import EVENT_READ, DefaultSelector
from threading import Event, Thread
from time import monotonic
from typing import Final
from uuid import uuid4

import psycopg
from eventsourcing.persistence import PersistenceError
from psycopg.sql import SQL, Identifier

from recorder.library.statements import Connection

FIRST_S, LONGEST_S = 0.5, 60.0
"""Seconds before a reconnection: the first, doubled until one works, and the maximum."""
SELF_TEST_INTERVAL_S: Final = 60.0
"""Interval of the self-test, since a network can drop a connection silently."""
SELF_TEST_TIMEOUT_S: Final = 5.0
"""Timeout of the self-test, after which the connection is replaced."""
CLOSE_TIMEOUT_S: Final = 2.0
"""Timeout of closing, which may have to wait for a connection being made."""

Connect = Callable[[], Connection]


class Unheard(Exception):
    """The self-test's notification did not arrive."""


class PostgresListening:
    """Listens on a connection and thread of its own until closed, and reconnects if the connection breaks."""

    def __init__(self, listen: Connect, speak: Connect, channel: str, heard: Callable[[], None]) -> None:
        self._listen, self._connect_sender, self._channel, self._heard = listen, speak, channel, heard
        self._test_channel = f"shinpan_{uuid4().hex}"
        """A private channel for the self-test."""
        self._sure = False
        self._ended = Event()
        self._wakeup_reader, self._wakeup_writer = socket.socketpair()
        self._pause = FIRST_S
        self._thread = Thread(target=self._follow, name="listening", daemon=True)
        self._thread.start()

    @property
    def is_reliable(self) -> bool:
        """True if notifications are known to arrive."""
        return self._sure

    def close(self) -> None:
        """Stop listening and close the connection."""
        self._ended.set()
        with suppress(OSError):
            self._wakeup_writer.send(b".")
        self._thread.join(CLOSE_TIMEOUT_S)

    def _follow(self) -> None:
        with self._wakeup_reader, self._wakeup_writer, DefaultSelector() as waiting:
            waiting.register(self._wakeup_reader, EVENT_READ)
            while not self._ended.is_set():
                with suppress(psycopg.Error, PersistenceError, OSError, Unheard), closing(self._listen()) as connection:
                    self._receive(connection)
                if self._sure:
                    self._sure = False
                    self._heard()  # notifications may have been missed meanwhile
                waiting.select(self._pause)
                self._pause = min(2 * self._pause, LONGEST_S)

    def _receive(self, connection: Connection) -> None:
        """Listen until closed. Raises if the connection breaks or the self-test fails."""
        for channel in (self._channel, self._test_channel):
            connection.execute(SQL("LISTEN {}").format(Identifier(channel)))
        pending, due = False, monotonic()
        with DefaultSelector() as waiting:
            waiting.register(self._wakeup_reader, EVENT_READ)
            waiting.register(connection, EVENT_READ)
            while not self._ended.is_set():
                if monotonic() >= due:
                    if pending:
                        raise Unheard
                    self._send_self_test()
                    pending, due = True, monotonic() + SELF_TEST_TIMEOUT_S
                waiting.select(max(0.0, due - monotonic()))
                channels = set(_read_channels(connection))
                if self._test_channel in channels:
                    pending, due, self._pause = False, monotonic() + SELF_TEST_INTERVAL_S, FIRST_S
                    if not self._sure:
                        self._sure = True
                        channels.add(self._channel)  # earlier notifications may have been missed
                if self._channel in channels:
                    self._heard()

    def _send_self_test(self) -> None:
        """Notify the private channel on a connection of its own, since a commit may take long."""
        with closing(self._connect_sender()) as connection, connection.transaction():
            connection.execute(f"SET LOCAL statement_timeout = '{SELF_TEST_TIMEOUT_S:.0f}s'")
            connection.execute(SQL("NOTIFY {}").format(Identifier(self._test_channel)))


def _read_channels(connection: Connection) -> Iterator[str]:
    """Yield the channels notified since the last call, without a query."""
    connection.pgconn.consume_input()
    while (notification := connection.pgconn.notifies()) is not None:
        yield notification.relname.decode()
