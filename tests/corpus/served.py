"""A web server of this process that gives parts of files, counts what it gives, and can be made to fail."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

RANGE = re.compile(r"bytes=(\d+)-(\d+)")
Answer = tuple[int, dict[str, str], bytes]


class Web:
    """Its files by their paths, the ranges it gave, and what it does to an answer before it is sent."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.given: list[tuple[int, int]] = []
        self.spoil: Callable[[int, Answer], Answer | None] = lambda number, answer: answer
        """Given the number of the request and its answer; with None the connection is broken."""
        self.asked = 0
        self.authorized: list[str] = []
        self.url = ""

    @property
    def bytes(self) -> int:
        """How many bytes of files it gave."""
        return sum(last + 1 - first for first, last in self.given)

    def forget(self) -> None:
        """Count from here on."""
        self.given.clear()
        self.authorized.clear()
        self.asked = 0

    def answer(self, path: str, part: str) -> Answer | None:
        """What is said to a request."""
        self.asked += 1
        return self.spoil(self.asked, self._sound(path.partition("?")[0], part))

    def _sound(self, path: str, part: str) -> Answer:
        data = self.files.get(path)
        if data is None:
            return 404, {}, b"no"
        asked = RANGE.fullmatch(part)
        tag = {"ETag": _tag(data)}
        if asked is None:
            return 200, tag, data
        first, last = int(asked[1]), min(int(asked[2]), len(data) - 1)
        if first > last:
            return 416, tag | {"Content-Range": f"bytes */{len(data)}"}, b""
        self.given.append((first, last))
        return 206, tag | {"Content-Range": f"bytes {first}-{last}/{len(data)}"}, data[first : last + 1]


@lru_cache(16)
def _tag(data: bytes) -> str:
    return f'"{sha256(data).hexdigest()[:16]}"'


@contextmanager
def web() -> Iterator[Web]:
    """It runs as long as this does."""
    held = Web()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            held.authorized.append(self.headers.get("Authorization", ""))
            answer = held.answer(self.path, self.headers.get("Range", ""))
            if answer is None:
                self.close_connection = True
                return
            status, headers, data = answer
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(data))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            return

    server = Server(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    held.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield held
    finally:
        server.shutdown()
        server.server_close()
