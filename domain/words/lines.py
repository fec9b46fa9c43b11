"""Escaping of characters that break a line or change its direction, and times as text."""

from unicodedata import normalize

_CONTROLS = (
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
"""Control characters, other line ends (U+0085, U+2028, U+2029) and characters that change the text direction."""

TAB = 9
_ESCAPES = {code: f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" for code in _CONTROLS if code != TAB}
_JSON_ESCAPES = {code: f"\\u{code:04x}" for code in _CONTROLS if code > 31}
_LINE_END_ESCAPES = {character.encode(): b"\\u%04x" % ord(character) for character in "\x85\u2028\u2029"}


def one_line(text: str) -> str:
    """Escape control characters for display. Names, notes and file names may hold any of them."""
    return text if text.isprintable() else text.translate(_ESCAPES)


def has_control_character(text: str) -> bool:
    """True if a text holds a control character, a tab included."""
    return any(ord(letter) in _CONTROLS for letter in text)


def clip(number: int) -> str:
    text = str(number)
    return text if len(text) <= 24 else f"{text[:20]}..."


def escape_in_json(json: str) -> str:
    """Escape control characters in the JSON of a string, so that it stays on one line."""
    return json if json.isprintable() else json.translate(_JSON_ESCAPES)


def escape_line_ends(json: bytes) -> bytes:
    """Escape characters in UTF-8 JSON that are line ends for other programs, but not in JSON."""
    for raw, escaped in _LINE_END_ESCAPES.items():
        json = json.replace(raw, escaped)
    return json


def clock_time(seconds: int) -> str:
    """Return `h:mm:ss` or `m:ss`."""
    minutes, seconds = divmod(max(seconds, 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def read_seconds(text: str) -> int | None:
    """Return the seconds of a time such as `180`, `3:00` or `1:02:03`, in any width; None if it is malformed."""
    parts = normalize("NFKC", text).strip().split(":")
    if not 1 <= len(parts) <= 3 or not all(part.isascii() and part.isdecimal() and len(part) <= 5 for part in parts):
        return None
    if any(len(part) != 2 or int(part) > 59 for part in parts[1:]):
        return None
    seconds = 0
    for part in parts:
        seconds = 60 * seconds + int(part)
    return seconds
