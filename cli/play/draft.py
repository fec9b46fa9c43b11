"""Drafts: the keys of an unrecorded action in a small file, so that an interruption loses nothing."""

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from os import environ
from pathlib import Path

import msgspec
from msgspec import Struct

from recorder.store import Store

SUFFIX = ".draft"


class KeystrokeDraft(Struct, frozen=True):
    """Keys typed for a match after an entry. `words` describe them for people."""

    match: str
    version: int
    keys: str
    words: str = ""


class Drafts:
    """Draft of one match and one set of seats."""

    def __init__(self, store: Store, match: str, seats: str, failed: Callable[[OSError], None]) -> None:
        self._match, self._failed = match, failed
        self._path = _path(store.local_prefix, match, seats)
        self.version = 0
        self.words: list[str] = []

    def read(self) -> KeystrokeDraft | None:
        """Return the draft of an interrupted session, if any."""
        try:
            draft = msgspec.json.decode(self._path.read_bytes(), type=KeystrokeDraft)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None
        return draft if draft.match == self._match and draft.keys else None

    def keep(self, keys: str) -> None:
        """Save the keys. Without keys, remove the file."""
        try:
            if not keys:
                self.words = []
                self._path.unlink(missing_ok=True)
                return
            draft = KeystrokeDraft(self._match, self.version, keys, " ".join(self.words))
            beside = self._path.with_suffix(f".{os.getpid()}")
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                beside.write_bytes(msgspec.json.encode(draft))
                beside.replace(self._path)
            finally:
                beside.unlink(missing_ok=True)
        except OSError as error:
            self._failed(error)


def _path(store: str, match: str, seats: str) -> Path:
    """Return a path next to the store if its folder is writable, or else in the user's state folder."""
    name = sha256(f"{match}/{seats}".encode()).hexdigest()[:16] + SUFFIX
    file = Path(store)
    with suppress(OSError):
        if os.access(file.parent, os.W_OK):
            return file.with_name(f"{file.name}.{name}")
    home = environ.get("XDG_STATE_HOME") or "~/.local/state"
    tag = sha256(str(file).encode()).hexdigest()[:16]
    return Path(home).expanduser() / "shinpan" / f"{tag}.{name}"
