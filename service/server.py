"""Server process: listening, readiness and shutdown."""

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from typing import Final

from granian.constants import HTTPModes, Interfaces, SSLProtocols
from granian.http import HTTP1Settings
from granian.server.embed import Server
from msgspec import Struct

from service.app import create_app
from service.context import AppContext

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SHUTDOWN_S: Final = 10.0
"""Seconds that open requests and streams have to end."""
READY_POLL_S: Final = 0.02
"""Seconds between readiness checks."""
BACKLOG: Final = 1024
"""Connections waiting to be accepted."""
HEADER_MS: Final = 15_000
"""Milliseconds to send the head of a request, which is also the idle limit of a connection."""
HEAD_MAX: Final = 65_536
"""Bytes of the head of a request."""
TCP_TIMEOUT_MS: Final = 60_000
"""Milliseconds without acknowledgement after which a connection ends, for clients that left or do not read."""
DESCRIPTORS: Final = Path("/proc/self/fd")
COLLECTIONS: Final = 50_000, 10, 10
"""Thresholds of the garbage collector.

A large event holds a million long-lived objects. Scanning them at Python's default rate took a fifth of the CPU time.
Nearly all garbage of a request is freed by reference counts.
"""
TEST_NET: Final = ("192.0.2.1", 9)
"""A documentation address (RFC 5737), used to find the outgoing interface. Nothing is sent to it."""


class ListenAddress(Struct, frozen=True):
    """Address and port to listen on, with TLS if there is a certificate and its key. `held` reserves the port until the
    server has opened it."""

    address: str
    port: int
    certificate: Path | None = None
    key: Path | None = None
    held: socket.socket | None = None

    @property
    def url(self) -> str:
        scheme = "http" if self.certificate is None else "https"
        address = ip_address(self.address)
        host = find_lan_address() if address.is_unspecified else self.address
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def is_readable_on_network(self) -> bool:
        """True if others on the network could read the traffic."""
        return self.certificate is None and not ip_address(self.address).is_loopback


def check_certificate(certificate: Path, key: Path) -> None:
    """Check that a certificate and its key can be used. Raises OSError (SSLError is one)."""
    SSLContext(PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")


def find_lan_address() -> str:
    """Return the address of this machine on the local network."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(TEST_NET)
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def listen(host: str, port: int, certificate: Path | None = None, key: Path | None = None) -> ListenAddress:
    """Return the address to listen on. Port 0 is any free port. Raises OSError if it cannot be used."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    probe = socket.socket(family, kind, protocol)
    try:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
        bound = probe.getsockname()
    except OSError:
        probe.close()
        raise
    return ListenAddress(bound[0], bound[1], certificate, key, _reserve_port(probe))


def _reserve_port(probe: socket.socket) -> socket.socket | None:
    """Keep a free port reserved until the server opens it, sharing it by SO_REUSEPORT. Address reuse is switched off,
    because two programs started at once would each get some connections."""
    if sys.platform != "linux":
        probe.close()
        return None
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return probe


def serve(context: AppContext, listening: ListenAddress, ready: Callable[[], None]) -> int:
    """Serve until a signal, and return its number. `ready` is called once the server answers."""
    collect_rarely()
    return asyncio.run(_serve(context, listening, ready))


async def _serve(context: AppContext, listening: ListenAddress, ready: Callable[[], None]) -> int:
    server = Server(
        create_app(context),
        listening.address,
        listening.port,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,  # granian lets a silent client that might speak HTTP/2 stay forever
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_MS, max_buffer_size=HEAD_MAX),
        websockets=False,
        backlog=BACKLOG,
        backpressure=context.settings.connections_max,
        log_enabled=False,
        ssl_cert=listening.certificate,
        ssl_key=listening.key,
        ssl_protocol_min=SSLProtocols.tls12,
    )
    stop = asyncio.Event()
    ended = 0
    loop = asyncio.get_running_loop()

    def end(number: int) -> None:
        nonlocal ended
        if stop.is_set():
            return
        ended = number
        for ending in SIGNALS:
            loop.remove_signal_handler(ending)
            signal.signal(ending, signal.SIG_DFL)  # a second signal ends the process at once
        context.drain()
        stop.set()

    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # an ignored signal, as with `nohup`, stays ignored
            on_signal(loop, number, end)
    serving, stopping = asyncio.create_task(server.serve()), asyncio.create_task(stop.wait())
    await _wait_until_ready(listening, serving)
    if listening.held is not None:
        listening.held.close()
    set_tcp_timeouts()
    ready()
    await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    server.stop()  # type: ignore[no-untyped-call]
    await asyncio.wait((serving,), timeout=SHUTDOWN_S)
    if serving.done():
        serving.result()
    return ended


def collect_rarely() -> None:
    """Run the garbage collector rarely, and never over objects from startup."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)


def on_signal(loop: asyncio.AbstractEventLoop, number: int, call: Callable[[int], None]) -> None:
    """Call a function on a signal, once or twice, even under load.

    asyncio reports signals through the pipe that also wakes the loop, and a burst of disconnects can fill this pipe. A
    plain handler is therefore installed too. The one of asyncio wakes an idle loop.
    """

    def handle(number: int, frame: object) -> None:
        loop.call_soon_threadsafe(call, number)

    loop.add_signal_handler(number, call, number)
    signal.signal(number, handle)


def set_tcp_timeouts() -> None:
    """Set TCP_USER_TIMEOUT where available, so that dead connections end. The server does not expose its socket, so it
    is found by descriptor. Accepted connections inherit the option."""
    if not hasattr(socket, "TCP_USER_TIMEOUT") or not DESCRIPTORS.is_dir():
        return
    for descriptor in list(DESCRIPTORS.iterdir()):
        with suppress(OSError):
            listener = socket.socket(fileno=int(descriptor.name))
            if listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TCP_TIMEOUT_MS)
            listener.detach()


async def _wait_until_ready(listening: ListenAddress, serving: asyncio.Task[None]) -> None:
    """Wait until the server accepts connections or has failed."""
    while not serving.done():
        with suppress(OSError):
            _, writer = await asyncio.open_connection(listening.address, listening.port)
            writer.close()
            return
        await asyncio.sleep(READY_POLL_S)
    serving.result()
