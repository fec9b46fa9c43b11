"""Rows stored next to a match's entries: command ids, the croupier's seeds, players' names."""

from collections.abc import Sequence

from domain.evidence.names import PlayerName
from domain.law.croupier import SEED_BYTES
from domain.words import Text
from recorder.files import Closeable
from recorder.library.cursor import SqlRow
from recorder.rows import Repeated
from recorder.troubles import StoreError

PAGE = 1_000


class SideRows(Closeable):
    """Reader of the side rows of a store."""

    name: str
    read_only: bool

    def version(self, match: str) -> int:
        """Return the number of the match's last entry, 0 if there is no such match."""
        raise NotImplementedError

    def _select(self, statement: str, parameters: tuple[object, ...]) -> list[SqlRow]:
        raise NotImplementedError

    def _has_names(self) -> bool:
        """True unless a read-only store was last written before there was a table of names."""
        raise NotImplementedError

    def player_names(self, matches: Sequence[str]) -> dict[str, list[PlayerName]]:
        """Return the stored names of players in these matches. Raises StoreError."""
        found: dict[str, list[PlayerName]] = {match: [] for match in matches}
        for at in range(0, len(matches) if self._has_names() else 0, PAGE):
            part = matches[at : at + PAGE]
            marks = ",".join("?" * len(part))
            for match, seat, name, salt in self._select(
                f"SELECT match, seat, name, salt FROM names WHERE match IN ({marks})", tuple(part)
            ):
                if type(name) is type(salt) is bytes:  # else the row is foreign and the name unknown
                    found[match].append(PlayerName(seat, name.decode("utf-8", "replace"), salt))
        return found

    def command(self, match: str, command_id: str) -> Repeated | None:
        """Return the result of a command, or None."""
        rows = self._select("SELECT first, last FROM commands WHERE match=? AND command=?", (match, command_id))
        if not rows:
            return None
        first, last = rows[0]
        if not (type(first) is type(last) is int and 1 <= first <= last <= self.version(match)):
            raise self._damaged_command(match, command_id)
        # A read-only store from an earlier version may lack this table.
        hashes = "SELECT hash FROM asked WHERE match=? AND command=?"
        rows = [] if self.read_only else self._select(hashes, (match, command_id))
        return Repeated(first, last, rows[0][0] if rows and isinstance(rows[0][0], bytes) else b"")

    def _damaged_command(self, match: str, command: object) -> StoreError:
        named = {"store": self.name, "match": match, "command": repr(command)}
        return StoreError("corrupt", Text("store.command", named))

    def commands_after(self, match: str, after: int) -> list[tuple[str, int, int]]:
        """Return id, first and last entry of commands with entries after entry `after`. Raises StoreError."""
        rows = self._select("SELECT command, first, last FROM commands WHERE match=? AND last>?", (match, after))
        for command, first, last in rows:
            if not type(first) is type(last) is int:
                raise self._damaged_command(match, command)
        return [(str(command), first, last) for command, first, last in rows]

    def command_ids(self, match: str, given: str, beginning: str) -> list[str]:
        """Return the command ids of a match that equal `given` or have the prefix `beginning`. Raises StoreError."""
        rows = self._select(
            "SELECT command FROM commands WHERE match=? AND (command=? OR command>=? AND command<?)",
            (match, given, beginning, beginning + "{"),
        )
        return [str(row[0]) for row in rows]

    def secret(self, match: str) -> bytes | None:
        """Return the croupier's seed of a match opened here. Only for the recorder: it determines all future draws."""
        rows = self._select("SELECT seed FROM secrets WHERE match=?", (match,))
        if not rows:
            return None
        seed = rows[0][0]
        if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
            raise StoreError("corrupt", Text("store.seed", {"store": self.name, "match": match}))
        return seed
