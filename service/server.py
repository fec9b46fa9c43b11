"""The service as a process: where it listens, from when on it answers, and how it stops."""

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

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What lets it stop."""
GRACE: Final = 10.0
"""Seconds that requests under way and streams have to end by themselves."""
KNOCK: Final = 0.02
"""Seconds between two looks whether it answers already."""
BACKLOG: Final = 1024
"""So many who are not let in yet wait at the door."""
HEADER_MS: Final = 15_000
"""So long a connection may take to send the head of a request; it is also how long it may stay without asking."""
HEAD_MAX: Final = 65_536
"""How many bytes the head of a request may have."""
GONE_MS: Final = 60_000
"""So long somebody may take nothing of what is sent to them: a phone that has left, or one that never reads."""
DESCRIPTORS: Final = Path("/proc/self/fd")
COLLECTIONS: Final = 50_000, 10, 10
"""After so many new objects garbage is looked for among them; after so many times among older ones, and so on to all.

A hall that is watched holds a million objects that stay, and going through them as often as Python does by itself was a
fifth of what the service did. What one request leaves is nearly all let go of at once, without being looked for.
"""
ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address of nobody: the way to it begins where the network would reach this machine. Nothing is sent there."""


class ListenAddress(Struct, frozen=True):
    """Where it listens: an address and a port of this machine, with TLS where there is a certificate and its key.

    `held` keeps the port until the server has taken it.
    """

    address: str
    port: int
    certificate: Path | None = None
    key: Path | None = None
    held: socket.socket | None = None

    @property
    def url(self) -> str:
        """What people of the same network can type."""
        scheme = "http" if self.certificate is None else "https"
        address = ip_address(self.address)
        host = find_lan_address() if address.is_unspecified else self.address
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def in_the_open(self) -> bool:
        """Can others read what is sent, on its way through a network?"""
        return self.certificate is None and not ip_address(self.address).is_loopback


def check_certificate(certificate: Path, key: Path) -> None:
    """Look whether a certificate and its key can be used. Raises OSError, of which SSLError is one."""
    SSLContext(PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")


def find_lan_address() -> str:
    """By which address others on the network reach this machine."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect(ELSEWHERE)
        return str(way.getsockname()[0])
    return "127.0.0.1"


def listen(host: str, port: int, certificate: Path | None = None, key: Path | None = None) -> ListenAddress:
    """Where to listen, by a name or address and a port (0: any that is free). Raises OSError where that cannot be."""
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
    """Keep a port that was found free until the server has it, which is begun later and shares it with whoever shares.

    Of two programs begun at once each would answer to some. So it is not shared while somebody asks whether it is free.
    """
    if sys.platform != "linux":
        probe.close()
        return None
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return probe


def serve(context: AppContext, listening: ListenAddress, ready: Callable[[], None]) -> int:
    """Serve until a signal ends it; the signal's number. `ready` is called when it answers."""
    collect_rarely()
    return asyncio.run(_serve(context, listening, ready))


async def _serve(context: AppContext, listening: ListenAddress, ready: Callable[[], None]) -> int:
    server = Server(
        create_app(context),
        listening.address,
        listening.port,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,  # granian lets one who might yet speak HTTP/2, and says nothing, stay for ever
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
        for ending in ENDING:
            loop.remove_signal_handler(ending)
            signal.signal(ending, signal.SIG_DFL)  # one more ends it at once
        context.drain()
        stop.set()

    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # what somebody wants ignored, as `nohup` does, stays so
            hear(loop, number, end)
    serving, stopping = asyncio.create_task(server.serve()), asyncio.create_task(stop.wait())
    await _answers(listening, serving)
    if listening.held is not None:
        listening.held.close()
    set_tcp_timeouts()
    ready()
    await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    server.stop()  # type: ignore[no-untyped-call]
    await asyncio.wait((serving,), timeout=GRACE)
    if serving.done():
        serving.result()
    return ended


def collect_rarely() -> None:
    """Have the process look for garbage seldom, and never among what it has begun with."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)


def hear(loop: asyncio.AbstractEventLoop, number: int, call: Callable[[int], None]) -> None:
    """Have a signal call this, once or twice, whatever else goes on.

    A loop is told of a signal by a byte beside those that wake it: when a crowd leaves at once these are so many that
    none is taken any more. So the process hears it, too; the byte wakes the loop while it waits.
    """

    def heard(number: int, frame: object) -> None:
        loop.call_soon_threadsafe(call, number)

    loop.add_signal_handler(number, call, number)
    signal.signal(number, heard)


def set_tcp_timeouts() -> None:
    """Have the system end connections whose other side takes nothing any more, where it can: they would stay for long.

    The server opens its socket by itself and gives it to nobody; every connection takes over what is set on it.
    """
    if not hasattr(socket, "TCP_USER_TIMEOUT") or not DESCRIPTORS.is_dir():
        return
    for descriptor in list(DESCRIPTORS.iterdir()):
        with suppress(OSError):
            held = socket.socket(fileno=int(descriptor.name))
            if held.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                held.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
            held.detach()


async def _answers(listening: ListenAddress, serving: asyncio.Task[None]) -> None:
    """Wait until somebody can connect, or until it has failed."""
    while not serving.done():
        with suppress(OSError):
            _, writer = await asyncio.open_connection(listening.address, listening.port)
            writer.close()
            return
        await asyncio.sleep(KNOCK)
    serving.result()
