"""CSV files as written by Excel, with any of its encodings, separators and line ends."""

import csv
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from domain.formats.errors import BOM, FormatError, decode_text
from domain.words import Text
from domain.words.foreign import quoted

SEPARATORS: Final = (",", ";", "\t")
UTF16_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")
_SEP: Final = re.compile(r"\"?sep=(.)\"?(?:\r\n|\r|\n|\Z)", re.IGNORECASE)
"""The optional first line that names the separator for Excel."""
_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_WESTERN: Final = re.compile(rb"[A-Za-z][\xc0-\xff][a-z]")
"""An accented letter within a word. The file is then in a Western encoding, even if it decodes as Shift_JIS."""


class CsvRow(Struct, frozen=True):
    """A row that is not blank: its stripped cells and its first line number."""

    line: int
    cells: tuple[str, ...]


def decode_csv(data: bytes, name: str = "") -> str:
    """Decode UTF-8, UTF-16 with a byte order mark, or Shift_JIS. Raises FormatError with line and column."""
    if data.startswith(UTF16_BOMS):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise FormatError(Text("csv.utf16"), name=name) from None
    try:
        return decode_text(data, name)
    except FormatError as error:
        if not _WESTERN.search(data):
            text = data.decode("cp932", "replace")
            if all(unicodedata.category(letter) != "Co" and letter != "\ufffd" for letter in text):
                return text
        raise FormatError(Text("csv.encoding"), error.line, error.column, name=name) from None


def read_csv(text: str, name: str = "") -> Iterator[CsvRow]:
    """Yield the rows of a CSV text. Raises FormatError with the line of a syntax error."""
    text, skipped = text.removeprefix(BOM), 0
    separator = _separator(text)
    if marker := _SEP.match(text):
        text, skipped = text[marker.end() :], 1
    reader, first_line = csv.reader(_LINES.findall(text), delimiter=separator, strict=True), 1
    try:
        for cells in reader:
            row = CsvRow(first_line + skipped, tuple(cell.strip() for cell in cells))
            first_line = reader.line_num + 1
            if any(row.cells):
                yield row
    except csv.Error as error:
        raise FormatError(_explain(f"{error}"), first_line + skipped, name=name) from None


def _separator(text: str) -> str:
    """Return the separator that the file names, or that its first row uses most; a comma if it uses none."""
    if marker := _SEP.match(text):
        return marker[1]
    first = re.sub(r'"[^"]*"', "", text.lstrip()).partition("\n")[0].partition("\r")[0]
    return max(SEPARATORS, key=first.count)


def _explain(error: str) -> Text:
    if "unexpected end" in error:
        return Text("csv.open_quote")
    if "expected after" in error:
        return Text("csv.after_quote")
    return Text("pairings.no_csv", {"why": quoted(error)})
