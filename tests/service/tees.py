"""All bytes that a service sent to each person, and where those that two services sent part.

They stand before the compression, headers and streams included; only `date` and `set-cookie` are left out.
"""

from pathlib import Path
from threading import Condition
from typing import Any
from zlib import MAX_WBITS, decompressobj

from litestar import Litestar
from msgspec import Struct, json

from service.events import PING

LEFT_OUT = frozenset((b"date", b"set-cookie"))
PATIENCE_S = 60
GZIP = b"\x1f\x8b"
STREAM = "/live?"
"""What has no end: how much of it was sent hangs on when its page was left."""

Answer = tuple[int, tuple[tuple[bytes, bytes], ...], bytes]
"""What came back: the status, the headers, and the body."""


class Sent(Struct):
    """One answer, to what was asked; `ended`: all of it was sent."""

    asked: str
    status: int = 0
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""
    ended: bool = False

    @property
    def answer(self) -> Answer:
        """The answer, unpacked as far as it was sent."""
        packed = self.body.startswith(GZIP)
        return self.status, self.headers, decompressobj(MAX_WBITS | 16).decompress(self.body) if packed else self.body


class Line(Struct, array_like=True):
    """An answer as it stands in a file: to whom it was sent, the how many-th of theirs, and how far."""

    name: str
    number: int
    sent: Sent


class Tee:
    """The application, and every byte that it sends, by who asked: a browser says its person's name as its own.

    `kept`: the file that all of it is written into, too, as soon as it is sent.
    """

    def __init__(self, app: Litestar | None = None, kept: Path | None = None) -> None:
        self.app = app
        self.kept = kept and kept.open("ab", buffering=0)
        self.sent: dict[str, list[Sent]] = {}
        self.ended = Condition()
        self.over = False
        """Nothing is written down any more: the service is about to stop, and says so to whoever still listens."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve, and write down what is sent."""
        assert self.app is not None
        if self.over or scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        name = dict(scope["headers"]).get(b"user-agent", b"").decode()
        sent = Sent(f"{scope['method']} {scope['path']}?{scope['query_string'].decode()}")
        of_name = self.sent.setdefault(name, [])
        of_name.append(sent)
        number = len(of_name)

        async def write(message: Any) -> None:
            if self.over:
                pass
            elif message["type"] == "http.response.start":
                kept = ((bytes(name).lower(), bytes(value)) for name, value in message["headers"])
                sent.status = message["status"]
                sent.headers = tuple(sorted(pair for pair in kept if pair[0] not in LEFT_OUT))
            elif message["type"] == "http.response.body":
                sent.body += message.get("body", b"")
                with self.ended:
                    sent.ended = not message.get("more_body", False)
                    self.ended.notify_all()
                if self.kept:
                    self.kept.write(json.encode(Line(name, number, sent)) + b"\n")
            await send(message)

        await self.app(scope, receive, write)

    def wait(self, name: str, asked: str) -> None:
        """Wait until somebody has been answered what they asked for by themselves."""
        with self.ended:
            sent = self.sent.setdefault(name, [])
            assert self.ended.wait_for(lambda: any(each.ended and each.asked == asked for each in sent), PATIENCE_S)

    def hear(self, name: str, text: bytes) -> None:
        """Wait until somebody has heard this of what goes on."""
        with self.ended:
            assert self.ended.wait_for(lambda: text in self.stream_to(name), PATIENCE_S)

    def text_to(self, name: str) -> str:
        """All that somebody was sent as one text, the headers too."""
        return "\n".join(
            f"{sent.asked} {sent.status} {sent.headers} {sent.answer[2].decode(errors='replace')}"
            for sent in self.sent.get(name, [])
        )

    def stream_to(self, name: str) -> bytes:
        """What somebody heard of matches that went on: of streams from behind the same entry the longest.

        What keeps a silent line open is left out: how often it is sent hangs on how long nothing happens.
        """
        return b"".join(body for _, body in sorted(self._streams(name).items()))

    def _streams(self, name: str) -> dict[str, bytes]:
        heard: dict[str, bytes] = {}
        for sent in self.sent.get(name, []):
            if STREAM in sent.asked:
                heard[sent.asked] = max(heard.get(sent.asked, b""), sent.answer[2].replace(PING, b""), key=len)
        return heard

    def _answers(self, name: str) -> dict[str, set[Answer]]:
        """Whole answers by what was asked: pages ask for several things at once, and for some again."""
        answers: dict[str, set[Answer]] = {}
        for sent in self.sent.get(name, []):
            if sent.ended and STREAM not in sent.asked:
                answers.setdefault(sent.asked, set()).add(sent.answer)
        return answers

    def parts_from(self, other: "Tee", name: str) -> list[str]:
        """What somebody asked of both and was answered otherwise; of streams, what one heard must begin the other."""
        ours, theirs = self._answers(name), other._answers(name)
        parted = [asked for asked in sorted({*ours, *theirs}) if ours.get(asked) != theirs.get(asked)]
        heard, other_heard = self._streams(name), other._streams(name)
        for asked in sorted({*heard, *other_heard}):
            short, long = sorted((heard.get(asked, b""), other_heard.get(asked, b"")), key=len)
            parted += [] if long.startswith(short) else [asked]
        return parted


def read_tee(folder: Path) -> Tee:
    """What servers in processes of their own have sent, as each of them wrote it into a file of this folder."""
    tee = Tee()
    for file in sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns):
        lines = [json.decode(line, type=Line) for line in file.read_bytes().splitlines()]
        for line in {(line.name, line.number): line for line in lines}.values():
            tee.sent.setdefault(line.name, []).append(line.sent)
    return tee
