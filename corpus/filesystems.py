"""Ranges over whatever file system fsspec has a driver for: object stores, servers, memory, this machine."""

from typing import Any, Final

import fsspec
from fsspec.core import url_to_fs

from corpus import troubles
from corpus.addresses import address_of
from corpus.troubles import AddressError
from domain.words import Text

TOLD: Final = ("etag", "mtime", "lastmodified", "last_modified", "updated", "generation", "created", "size")
"""By what a file system says that a content is another one."""


class Filesystem:
    """A file in such a file system. Raises AddressError."""

    def __init__(self, name: str) -> None:
        self.name, self.first = name, b""
        scheme, whole = name.partition("://")[0].lower(), address_of(name)
        try:
            fsspec.get_filesystem_class(scheme)
        except ImportError as error:
            cause = error if isinstance(error, ModuleNotFoundError) else error.__cause__ or error.__context__
            lacking = getattr(cause, "name", None) or scheme
            raise troubles.away("package", name, scheme=scheme, package=lacking.partition(".")[0]) from None
        except ValueError:
            raise troubles.away("scheme", name, scheme=scheme) from None
        try:
            self._files, self._path = url_to_fs(whole)
        except Exception as error:
            raise self._gone(error) from None
        about = self._about()
        self.size, self.stamp = int(about["size"]), _stamp(about)

    def fetch(self, start: int, end: int) -> bytes:
        """These bytes; what is too short is not what was found first."""
        try:
            data: bytes = self._files.cat_file(self._path, start=start, end=end)
        except Exception as error:
            raise self._gone(error) from None
        if len(data) == end - start:
            return data
        if self.stamp_now() != self.stamp:
            raise troubles.away("changed", self.name)
        if len(data) > end - start:
            raise troubles.away("no_ranges", self.name)
        raise troubles.away("broken", self.name, why=Text("corpus.why.cut"))

    def stamp_now(self) -> str:
        """What is said of the content by now."""
        return _stamp(self._about())

    def _about(self) -> dict[str, Any]:
        try:
            self._files.invalidate_cache()
            about: dict[str, Any] = self._files.info(self._path)
        except Exception as error:
            raise self._gone(error) from None
        if about.get("type") == "directory":
            raise troubles.away("folder", self.name)
        if not isinstance(about.get("size"), int):
            raise troubles.away("no_ranges", self.name)
        return about

    def _gone(self, error: Exception) -> AddressError:
        """What a driver says, in our own words: its own may hold the address, or a key."""
        if isinstance(error, FileNotFoundError):
            return troubles.away("missing", self.name)
        if isinstance(error, IsADirectoryError):
            return troubles.away("folder", self.name)
        if isinstance(error, PermissionError):
            return troubles.away("shut", self.name, status=type(error).__name__)
        if isinstance(error, TimeoutError):
            return troubles.away("broken", self.name, why=Text("corpus.why.late"))
        if isinstance(error, ConnectionError):
            return troubles.away("broken", self.name, why=Text("corpus.why.cut"))
        return troubles.away("failed", self.name, error=type(error).__name__)


def _stamp(about: dict[str, Any]) -> str:
    """What tells a content from any other one, as far as it is said."""
    return " ".join(f"{key}={about[key]}" for key in sorted(about) if key.lower() in TOLD)
