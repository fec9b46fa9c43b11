"""A connection on which the server says that something was recorded, so that whoever looks need not wait for it.

It says when to look and never what is there: what is lost with a connection, or kept back by a pooler on the way, is
found by the next look. So it has to show that it hears before anybody may look more rarely.
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
"""So long is waited before the next connection: twice as long each time, until one hears."""
ASKED_S: Final = 60.0
"""So often it is tried whether it still hears: a network can swallow a connection without a word."""
HEARD_S: Final = 5.0
"""Within so long what is said is heard, or the connection is of no use."""
ENDING_S: Final = 2.0
"""So long the end waits for one that is just being made."""

Connect = Callable[[], Connection]


class Unheard(Exception):
    """What was said was not heard."""


class PostgresListening:
    """Listens on a connection of its own, in a thread of its own, until it is closed; a broken one is made anew."""

    def __init__(self, listen: Connect, speak: Connect, channel: str, heard: Callable[[], None]) -> None:
        self._listen, self._speak, self._channel, self._heard = listen, speak, channel, heard
        self._own = f"shinpan_{uuid4().hex}"
        """A word that nobody else says, to hear oneself by."""
        self._sure = False
        self._ended = Event()
        self._bell, self._ring = socket.socketpair()
        self._pause = FIRST_S
        self._thread = Thread(target=self._follow, name="listening", daemon=True)
        self._thread.start()

    @property
    def sure(self) -> bool:
        """Has it shown that it hears?"""
        return self._sure

    def close(self) -> None:
        """Hear no more, and let go of the connection."""
        self._ended.set()
        with suppress(OSError):
            self._ring.send(b".")
        self._thread.join(ENDING_S)

    def _follow(self) -> None:
        with self._bell, self._ring, DefaultSelector() as waiting:
            waiting.register(self._bell, EVENT_READ)
            while not self._ended.is_set():
                with suppress(psycopg.Error, PersistenceError, OSError, Unheard), closing(self._listen()) as connection:
                    self._hear(connection)
                if self._sure:
                    self._sure = False
                    self._heard()  # what was said meanwhile is not known
                waiting.select(self._pause)
                self._pause = min(2 * self._pause, LONGEST_S)

    def _hear(self, connection: Connection) -> None:
        """Until it ends. Raises where the connection breaks, and where nothing is heard on it."""
        for channel in (self._channel, self._own):
            connection.execute(SQL("LISTEN {}").format(Identifier(channel)))
        asked, due = False, monotonic()
        with DefaultSelector() as waiting:
            waiting.register(self._bell, EVENT_READ)
            waiting.register(connection, EVENT_READ)
            while not self._ended.is_set():
                if monotonic() >= due:
                    if asked:
                        raise Unheard
                    self._say()
                    asked, due = True, monotonic() + HEARD_S
                waiting.select(max(0.0, due - monotonic()))
                words = set(_words(connection))
                if self._own in words:
                    asked, due, self._pause = False, monotonic() + ASKED_S, FIRST_S
                    if not self._sure:
                        self._sure = True
                        words.add(self._channel)  # what was said before is not known
                if self._channel in words:
                    self._heard()

    def _say(self) -> None:
        """Say the own word as another program would. A connection of its own: one may wait long for its commit."""
        with closing(self._speak()) as connection, connection.transaction():
            connection.execute(f"SET LOCAL statement_timeout = '{HEARD_S:.0f}s'")
            connection.execute(SQL("NOTIFY {}").format(Identifier(self._own)))


def _words(connection: Connection) -> Iterator[str]:
    """The channels on which something came since the last look. Nobody is asked anything."""
    connection.pgconn.consume_input()
    while (told := connection.pgconn.notifies()) is not None:
        yield told.relname.decode()
