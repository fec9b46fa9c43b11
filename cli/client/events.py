"""Parser for server-sent events."""

from collections.abc import Iterable, Iterator

from msgspec import Raw, Struct


class ServerSentEvent(Struct, frozen=True):
    """An event of a stream: its kind, its JSON, and the number to resume after, or ''."""

    kind: str
    data: Raw
    id: str = ""


def read_events(lines: Iterable[bytes]) -> Iterator[ServerSentEvent]:
    """Yield the events in the lines of a stream, without an incomplete last one."""
    kind, number, data = "message", "", list[bytes]()
    for line in lines:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"event":
                kind = value.decode()
            case b"id":
                number = value.decode()
            case b"data":
                data.append(value)
            case b"" if not line and data:
                yield ServerSentEvent(kind, Raw(b"\n".join(data)), number)
        if not line:
            kind, number, data = "message", "", []
