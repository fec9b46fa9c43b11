"""One line stays one line: characters that break, turn round or steer text are shown escaped wherever people read."""

from unicodedata import normalize

_STEERING = (
    *range(32),
    *range(127, 160),
    0x061C,
    0x200E,
    0x200F,
    0x2028,
    0x2029,
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
)
"""Controls, other line ends (U+0085, U+2028, U+2029) and what changes the direction of text."""

TAB = 9
_SHOWN = {code: f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" for code in _STEERING if code != TAB}
_JSON = {code: f"\\u{code:04x}" for code in _STEERING if code > 31}
_SPLITTING = {character.encode(): b"\\u%04x" % ord(character) for character in "\x85\u2028\u2029"}


def one_line(text: str) -> str:
    """Text as people may see it: names, notes, reasons and file names come from outside and may hold anything."""
    return text if text.isprintable() else text.translate(_SHOWN)


def steers(text: str) -> bool:
    """Does it hold a character that breaks, turns round or steers text?"""
    return any(ord(letter) in _STEERING for letter in text)


def clip(number: int) -> str:
    """A number as a message repeats it."""
    text = str(number)
    return text if len(text) <= 24 else f"{text[:20]}..."


def in_string(json: str) -> str:
    """The JSON of a string with these characters as its own escapes, so that it stands on a line of text."""
    return json if json.isprintable() else json.translate(_JSON)


def unsplit(json: bytes) -> bytes:
    """JSON in UTF-8 that nobody takes for several lines: what ends a line elsewhere than in JSON is escaped."""
    for raw, escaped in _SPLITTING.items():
        json = json.replace(raw, escaped)
    return json


def clock_time(seconds: int) -> str:
    """Hours, minutes and seconds, as a stop-watch shows them."""
    minutes, seconds = divmod(max(seconds, 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def read_seconds(text: str) -> int | None:
    """Return the seconds of a time written as `180`, `3:00` or `1:02:03`, in any width; None if it is none."""
    parts = normalize("NFKC", text).strip().split(":")
    if not 1 <= len(parts) <= 3 or not all(part.isascii() and part.isdecimal() and len(part) <= 5 for part in parts):
        return None
    if any(len(part) != 2 or int(part) > 59 for part in parts[1:]):
        return None
    seconds = 0
    for part in parts:
        seconds = 60 * seconds + int(part)
    return seconds
