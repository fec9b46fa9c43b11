"""Text in an SQLite file that is not UTF-8, read as escaped text and written as the same bytes. Without it, one such
value from another program would make every statement that reads it fail."""

from collections.abc import Iterable, Sequence

from recorder.library.cursor import Cursor

NO_ID = "(null)"
"""Replaces a NULL in an id column. Match ids have no parentheses."""


class OddText(str):
    """Escaped text for bytes that are not UTF-8. As a parameter it matches no row."""

    raw = b""


def read_text(raw: bytes) -> str:
    """Return the text of a column, or OddText for bytes that are not UTF-8."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        odd = OddText(_escape(raw))
        odd.raw = raw
        return odd


def name_id(value: object) -> str:
    """Return the display form of a value in an id column, of any type."""
    if isinstance(value, bytes):
        return _escape(value)
    return NO_ID if value is None else str(value)


def same_id(column: str, value: object) -> tuple[str, tuple[object, ...]]:
    """Return the condition for rows with exactly this value, and its parameters."""
    if value is None:
        return f"{column} IS NULL", ()
    if isinstance(value, OddText):
        return f"{column}=CAST(? AS TEXT)", (value.raw,)
    return f"{column}=?", (value,)


def insert_rows(c: Cursor, statement: str, rows: Iterable[Sequence[object]]) -> None:
    """Insert rows, preserving types and bytes. `statement` ends in the placeholders of one row."""
    plain = list[Sequence[object]]()
    for row in rows:
        if not any(isinstance(value, OddText) for value in row):
            plain.append(row)
            continue
        marks = ",".join("CAST(? AS TEXT)" if isinstance(value, OddText) else "?" for value in row)
        values = [value.raw if isinstance(value, OddText) else value for value in row]
        c.execute(f"{statement[: statement.rindex('VALUES')]}VALUES ({marks})", values)
    c.executemany(statement, plain)


def _escape(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")
