"""What lies encrypted in a store until it is published: the entries of matches that go on, and their croupiers' seeds.

    stored = C1 01, a nonce of 12 bytes by chance, ChaCha20-Poly1305(key of the match, nonce, what it is, content)
    what it is = "shinpan/at-rest/1" NUL match NUL, "entry" NUL number, "seed" NUL, "draft" NUL,
        "asked" NUL command or "name" NUL seat
    content = the bytes, 80, and zeros: an entry up to a multiple of 256 bytes, so that its length names no card

Nothing begins with C1 in msgpack, so that it is taken for no entry. What it is, is bound: no row opens in another's
place.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from secrets import token_bytes
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.law.entries import NAME
from domain.words import Text
from recorder.kept import Kept
from recorder.troubles import StoreError, clear
from recorder.vault import KEY_BYTES, Vault, place_of

MARK: Final = b"\xc1\x01"
NONCE_BYTES: Final = 12
UNIT: Final = 256
"""Entries are as long as so many bytes or a multiple of it."""
NAME_UNIT: Final = 48
END: Final = b"\x80"
TOKEN: Final = NAME.encode()
TOKEN_END: Final = TOKEN[-1:]
BOXES_MAX: Final = 4_096
"""Of so many matches the key is remembered."""

FIRST: Final = "SELECT state FROM stored_events WHERE originator_id=? AND originator_version=1"
NUMBER: Final = "SELECT value FROM meta WHERE key='vault'"

TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS published (match TEXT PRIMARY KEY, key BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS waiting (match TEXT PRIMARY KEY, parent TEXT NOT NULL) WITHOUT ROWID",
)
"""What a store with a vault has more than others: keys of closed matches, closed branches of one that goes on."""

WAITING: Final = "INSERT INTO waiting VALUES (?,?) ON CONFLICT (match) DO UPDATE SET parent=excluded.parent"
PUBLISHED: Final = "INSERT INTO published VALUES (?,?) ON CONFLICT (match) DO UPDATE SET key=excluded.key"

Select = Callable[[str, tuple[Any, ...]], list[tuple[Any, ...]]]
"""Rows of the store by a statement."""


class Parent(Struct, frozen=True):
    """Which match one is a branch of, as its first entry says."""

    parent: str = ""


PARENT: Final = msgspec.msgpack.Decoder(Parent)


class Altered(Exception):
    """What lies in a box is not what was put there, or this is not its key."""


class Box:
    """What is encrypted under the key of one match."""

    def __init__(self, match: str, key: bytes) -> None:
        self.key = key
        self._cipher, self._altered = _cipher(key)
        self._about = f"shinpan/at-rest/1\0{match}\0".encode()

    def encrypt_entry(self, number: int, state: bytes) -> bytes:
        """An entry as it lies in the store."""
        return self._encrypt(f"entry\0{number}", _pad(state, UNIT))

    def entry(self, number: int, stored: bytes) -> bytes:
        """The entry that lies so in the store. Raises Altered."""
        return self._decrypt(f"entry\0{number}", stored)

    def encrypt_draft(self, draft: bytes) -> bytes:
        """What was typed for an entry that is not recorded yet, in a file beside the store."""
        return self._encrypt("draft\0", _pad(draft, UNIT))

    def draft(self, stored: bytes) -> bytes:
        """What lies so in that file. Raises Altered."""
        return self._decrypt("draft\0", stored)

    def encrypt_seed(self, seed: bytes) -> bytes:
        """The croupier's seed as it lies in the store."""
        return self._encrypt("seed\0", _pad(seed))

    def seed(self, stored: bytes) -> bytes:
        """The seed that lies so in the store. Raises Altered."""
        return self._decrypt("seed\0", stored)

    def encrypt_asked(self, command: str, asked: bytes) -> bytes:
        """The hash of what a command asks for: whoever had it could try which card was meant."""
        return self._encrypt(f"asked\0{command}", _pad(asked))

    def asked(self, command: str, stored: bytes) -> bytes:
        """The hash that lies so in the store. Raises Altered."""
        return self._decrypt(f"asked\0{command}", stored)

    def encrypt_name(self, seat: str, name: str) -> str:
        """What stands for a player's name in the bytes of an opening; this box is of the name's own key."""
        stored = self._encrypt(f"name\0{seat}", _pad(_bytes(name), NAME_UNIT))
        return NAME + urlsafe_b64encode(stored).decode()

    def name(self, seat: str, token: str) -> str:
        """The name. Raises Altered."""
        try:
            stored = urlsafe_b64decode(token.removeprefix(NAME).encode())
            return self._decrypt(f"name\0{seat}", stored).decode("utf-8", "surrogatepass")
        except (ValueError, UnicodeError):
            raise Altered from None

    def _encrypt(self, what: str, content: bytes) -> bytes:
        nonce = token_bytes(NONCE_BYTES)
        return MARK + nonce + bytes(self._cipher.encrypt(nonce, content, self._about + _bytes(what)))

    def _decrypt(self, what: str, stored: bytes) -> bytes:
        nonce, hidden = stored[len(MARK) : len(MARK) + NONCE_BYTES], stored[len(MARK) + NONCE_BYTES :]
        try:
            content = bytes(self._cipher.decrypt(nonce, hidden, self._about + _bytes(what)))
        except (self._altered, ValueError):
            raise Altered from None
        return content[: content.rindex(END)]


def _cipher(key: bytes) -> tuple[Any, type[Exception]]:
    """What encrypts under a key, and what it raises for what does not fit it."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(key), InvalidTag


def _pad(content: bytes, unit: int = 1) -> bytes:
    """Content up to a multiple of so many bytes, its end marked."""
    ended = content + END
    return ended + bytes(-len(ended) % unit)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def is_encrypted(stored: bytes) -> bool:
    """Does it lie so in a box? Seeds and hashes may begin so by chance: those that do lie in one are longer."""
    return stored[: len(MARK)] == MARK


def holds_names(opening: bytes) -> bool:
    """Does an opening hold names that are encrypted?"""
    return TOKEN_END in opening and TOKEN in opening  # a single byte is found, or not, in a tenth of the time


class Boxes:
    """The boxes of a store, by keys that it publishes itself or that lie in its vault. All of it raises StoreError."""

    def __init__(self, select: Select) -> None:
        self.store = self.beside = ""
        """The store as it is named to people; beside which path its vault lies."""
        self._select = select
        self._kept: Kept[str, Box] = Kept(BOXES_MAX)
        self._vault: Vault | None = None

    def close(self) -> None:
        """Let go of the vault."""
        if self._vault is not None:
            self._vault.close()

    @staticmethod
    def are_used(c: Any) -> bool:
        """Has the store a vault, as the transaction `c` sees it?"""
        c.execute(NUMBER)
        return c.fetchone() is not None

    def new(self, match: str) -> Box:
        """The box for a match that is about to be opened in a store with a vault."""
        return self._kept.make(match, lambda: Box(match, self.vault().new_key(match)))

    def of(self, match: str) -> Box:
        """The box of a match that lies in one."""
        return self._kept.make(match, lambda: Box(match, self.published(match) or self.vault().key(match)))

    def open(self, match: str, number: int, stored: bytes) -> bytes:
        """The bytes of an entry, out of what lies in the store."""
        if not is_encrypted(stored):
            return stored
        try:
            return self.of(match).entry(number, stored)
        except Altered:
            raise self._altered(match, number) from None
        except StoreError as error:
            if error.trouble != "vault":
                raise
            named = {"store": self.store, "match": match, "why": error.text}
            raise StoreError("vault", Text("vault.shut", named), number) from error

    def _altered(self, match: str, number: int) -> StoreError:
        named = {"store": self.store, "match": match, "entry": number}
        return StoreError("corrupt", Text("vault.altered", named), number)

    def open_all(self, match: str, rows: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
        """The same of many, with their numbers; as they are where not all of them open, to be told one by one."""
        try:
            entry = self.of(match).entry
            return [(number, entry(number, stored) if is_encrypted(stored) else stored) for number, stored in rows]
        except (Altered, StoreError, TypeError):
            return rows

    def hides(self, match: str, first: bytes) -> bool:
        """Is a match with this first entry encrypted, and its key not published yet?"""
        return is_encrypted(first) and self.published(match) is None

    def conceal(self, match: str, state: bytes) -> tuple[bytes, Box | None]:
        """The opening of a new match, with what stands for the names in their place; and the box for what else would
        tell them. As it is where there are no names."""
        fields = msgspec.msgpack.decode(state)
        names = fields.get("names")
        if not names:
            return state, None
        keys = self.vault().new_name_keys(match, ("", *names))
        fields["names"] = {seat: Box(match, keys[seat]).encrypt_name(seat, name) for seat, name in names.items()}
        return msgspec.msgpack.encode(fields), Box(match, keys[""])

    def reveal(self, match: str, state: bytes) -> bytes:
        """An opening with the names that can be read in it; those of which the key is not there (any more) are not."""
        if not holds_names(state):
            return state
        fields = msgspec.msgpack.decode(state)
        if not isinstance(fields, dict) or not isinstance(fields.get("names"), dict):
            return state
        if names := self._names(match, fields.pop("names")):
            fields["names"] = names
        return msgspec.msgpack.encode(fields)

    def _names(self, match: str, names: Mapping[str, str]) -> dict[str, str]:
        keys = self.name_keys(match)
        known = {seat: name for seat, name in names.items() if not name.startswith(NAME)}
        for seat in names.keys() & keys.keys() - known.keys():
            with suppress(Altered):
                known[seat] = Box(match, keys[seat]).name(seat, names[seat])
        return {seat: known[seat] for seat in names if seat in known}

    def name_keys(self, match: str) -> dict[str, bytes]:
        """The keys of a match's names, as far as they are here."""
        try:
            return self.vault().name_keys(match) if self.number() else {}
        except StoreError as error:
            if error.trouble != "vault":
                raise
            return {}

    def asked(self, match: str, command: str, first: int, stored: bytes) -> bytes:
        """The hash of what a command asked for; nothing where it is not to be had. That of the command which opened a
        match tells its names, and is read by a key of theirs: names could be tried by it."""
        keys = self.name_keys(match) if first == 1 else {}
        try:
            return (Box(match, keys[""]) if "" in keys else self.of(match)).asked(command, stored)
        except Altered:
            return b""
        except StoreError as error:
            if first > 1 or error.trouble != "vault":
                raise
            return b""

    def publish(self, c: Any, match: str, box: Box) -> None:
        """Let everybody who has the store read a match that is closed, in the transaction `c`; and closed branches of
        it: they waited, for they hold what it hid."""
        parent = PARENT.decode(self._first(c, match, box)).parent
        if parent and self._goes_on(c, parent):
            c.execute(WAITING, (match, parent))
            return
        c.execute(PUBLISHED, (match, box.key))
        c.execute("DELETE FROM waiting WHERE parent=? RETURNING match", (match,))
        for (branch,) in c.fetchall():
            self.publish(c, str(branch), self.of(str(branch)))

    def _first(self, c: Any, match: str, box: Box) -> bytes:
        c.execute(FIRST, (match,))
        try:
            return box.entry(1, c.fetchone()[0])
        except Altered:
            raise self._altered(match, 1) from None

    def _goes_on(self, c: Any, match: str) -> bool:
        """Is a match encrypted and not published yet?"""
        c.execute("SELECT 1 FROM published WHERE match=?", (match,))
        if c.fetchone() is not None:
            return False
        c.execute(FIRST, (match,))
        row = c.fetchone()
        return row is not None and is_encrypted(row[0])

    def published(self, match: str) -> bytes | None:
        """The key of a match that was closed."""
        with clear(self.store):
            rows = self._select("SELECT key FROM published WHERE match=?", (match,))
        key = rows[0][0] if rows else None
        return key if isinstance(key, bytes) and len(key) == KEY_BYTES else None

    def number(self) -> str:
        """The number of the store's vault; nothing where it has none."""
        with clear(self.store):
            rows = self._select(NUMBER, ())
        return str(rows[0][0]) if rows else ""

    def vault(self) -> Vault:
        """The vault of the store."""
        if self._vault is None:
            number = self.number()
            self._vault = Vault.open(place_of(self.beside, number), number)
        return self._vault
