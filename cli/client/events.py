"""Server-sent events as values."""

from collections.abc import Iterable, Iterator

from msgspec import Raw, Struct


class ServerSentEvent(Struct, frozen=True):
    """Something told in a stream: what kind of thing, its JSON, and the number behind which to go on, if it has one."""

    kind: str
    data: Raw
    id: str = ""


def read_events(lines: Iterable[bytes]) -> Iterator[ServerSentEvent]:
    """The events of a stream's lines; one that is not told to its end is none."""
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
