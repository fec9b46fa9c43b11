"""Stores: matches recorded in a file or a database."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from domain.formats.decklists import read_lists
from domain.formats.decks import deck_of, named_deck
from domain.formats.errors import FormatError
from domain.formats.typed import read_typed
from domain.games import GAMES
from domain.judging.rejudging.target import target_named
from domain.law.croupier import SEED_BYTES
from domain.law.game import Deck, Game
from domain.law.law import Law
from domain.law.rulesets import make_ruleset
from domain.table.table import JUDGE, CardId, Seat
from domain.words import Text
from recorder import codec, matches
from recorder.answers import Advanced, Imported, RecordResult
from recorder.branches import Branched, branch
from recorder.chance import SEED_END
from recorder.clock import read_wall_clock
from recorder.imports import import_records
from recorder.match_list import MatchListItem
from recorder.match_loader import LoadedMatch as Loaded, load_match
from recorder.match_writer import Terms
from recorder.store import Store as RecordStore
from recorder.usecases import commands as C
from recorder.usecases.handlers import handle, read_fact
from shinpan.errors import not_recorded, require, require_fields
from shinpan.records import MS_PER_SECOND, Record

AUTO = "chance: auto"


class Match(Record):
    """A match of a store. Each method commits to disk before it returns."""

    _record: Loaded

    def __init__(self, store: RecordStore, loaded: Loaded) -> None:
        super().__init__(loaded, loaded.id)
        self._store = store

    @property
    def closed(self) -> bool:
        return self._record.closed

    def do(
        self,
        action: str,
        *,
        as_played: bool = False,
        shows: tuple[str, ...] = (),
        confirm: bool = False,
        at: datetime | None = None,
    ) -> tuple[str, ...]:
        """Record an action in notation (`p1: set bulwark`); return the clauses it breaks.

        With `as_played`, record an illegal action too. An action that ends the match needs `confirm`. Raises Refused,
        Conflict or NotRecorded.
        """
        require(action, str, "action")
        terms = Terms(expected=len(self), at=_milliseconds(at))
        if action.split() == AUTO.split():
            self._take(matches.advance(self._store, self.id, shows, **terms))
            return ()
        faces: dict[CardId, str | None] = {}
        try:
            actor, parsed = read_typed(self._record, self._record.table, action, self._record.eyes(JUDGE), faces)
        except FormatError as error:
            raise not_recorded(error) from None
        if type(parsed).ends_match and not confirm:
            raise ValueError(f"{action}: this ends the match; call do(..., confirm=True)")
        answer = matches.play(self._store, self.id, actor, parsed, as_played, faces=faces, shows=shows, **terms)
        recorded = self._take(answer)
        return tuple(getattr(recorded.entry, "violations", ()))

    def execute(self, command: C.Direct, *, by: str = "judge", at: datetime | None = None) -> None:
        """Record any other command of `recorder.usecases.commands`. Raises Conflict or NotRecorded."""
        if not isinstance(command, C.Direct):
            raise TypeError(f"command: a struct of recorder.usecases.commands, not {type(command).__name__}")
        require_fields(command)
        try:
            told = tuple(read_fact(self._record, text) for text in getattr(command, "facts", ()))
        except FormatError as error:
            raise not_recorded(error) from None
        terms = Terms(expected=len(self), at=_milliseconds(at))
        self._take(handle(self._store, self._record, command, by, told, terms=terms))

    def rewind(self, to: int, reason: str, *, by: str = "judge") -> None:
        """Continue from an earlier entry. Nothing is deleted."""
        self.execute(C.Rewind(to=to, reason=reason), by=by)

    def note(self, text: str, *, about: int = 0, by: str = "judge") -> None:
        """Record a note. A note does not change the table."""
        self.execute(C.AddNote(text=text, about=about), by=by)

    def close(self, reason: str = "", *, abandon: bool = False, by: str = "judge") -> None:
        """Close the record for good and publish its seed. `abandon` closes a match that has no result."""
        self.execute(C.Close(reason=reason, abandon=abandon, confirm=True), by=by)

    def branch(self, at: int, match: str = "") -> "Match":
        """Open a what-if match that shares this match's entries up to `at`."""
        answer = branch(self._store, self.id, at, match or None, now=read_wall_clock())
        if not isinstance(answer, Branched):
            raise not_recorded(answer)
        return _load(self._store, answer.match)

    def jsonl(self) -> str:
        """Return the whole record as JSON Lines, byte for byte as stored."""
        return codec.to_json_lines(self._store.read_record(self.id, len(self))).decode()

    def _secret(self) -> bytes | None:
        return self._store.secret(self.id)

    def _take(self, answer: Any) -> Any:
        if not isinstance(answer, RecordResult | Advanced):
            raise not_recorded(answer, self._record.law)
        self._record = _load(self._store, self.id)._record
        return answer


class Store:
    """A store. Iterate over it for the ids of its matches."""

    def __init__(self, store: RecordStore) -> None:
        self._store = store

    def __repr__(self) -> str:
        return f"<Store {self._store.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.shut()

    def __iter__(self) -> Iterator[str]:
        return (row.match for row in self._store.matches() if isinstance(row, MatchListItem))

    def __getitem__(self, match: str) -> Match:
        """Return the match with this id. Raises KeyError."""
        if not self._store.version(match):
            raise KeyError(match)
        return _load(self._store, match)

    def new(
        self,
        edition: str,
        *,
        names: Mapping[str, str] | None = None,
        decks: Mapping[str, str] | None = None,
        settings: Mapping[str, object] | None = None,
        match: str = "",
        seed: int | None = None,
        real_cards: bool = False,
        at: datetime | None = None,
    ) -> Match:
        """Open a match of an edition such as `blackpoker@8.1-lite`, with the rules of that edition.

        `decks` are names of sample decks, or deck lists of several lines. Raises ValueError for unknown rules or decks;
        NotRecorded if the match cannot be opened.
        """
        require(edition, str, "edition")
        require(seed, int | None, "seed")
        require({**(names or {})}, dict[str, str], "names")
        require({**(decks or {})}, dict[str, str], "decks")
        if seed is not None and not 0 <= seed < SEED_END:
            raise ValueError(f"seed: 0 to {SEED_END - 1}, not {seed}")
        target = target_named(edition, GAMES)
        game, version = GAMES[target.game], target.version
        law = Law(game, make_ruleset(game, version, "", {**(settings or {})}))
        answer = matches.open_match(
            self._store,
            law,
            version,
            {Seat(seat): name for seat, name in (names or {}).items()},
            {Seat(seat): _deck(game, text) for seat, text in (decks or {}).items()},
            seed=None if seed is None else seed.to_bytes(SEED_BYTES, "big"),
            match_id=match or None,
            at=_milliseconds(at),
            deal=not real_cards,
        )
        if not isinstance(answer, str):
            raise not_recorded(answer, law)
        return _load(self._store, answer)

    def add(self, record: Record) -> Match:
        """Import a record, or return the stored match if the store already has it. Raises Conflict or NotRecorded."""
        if not isinstance(record, Record):
            raise TypeError(f"record: a Record, not {type(record).__name__}")
        states = [codec.from_json_line(line.encode()) for line in record.jsonl().splitlines()]
        answer = import_records(self._store, [states], record.id)
        if not isinstance(answer, list):
            raise not_recorded(answer)
        (imported,) = answer
        assert isinstance(imported, Imported)
        return _load(self._store, imported.match)

    def shut(self) -> None:
        self._store.close()


def open(place: str | Path, *, read_only: bool = False) -> Store:
    """Open a store by its path or `postgresql://` address. A missing file is created."""
    return Store(RecordStore.open(str(place), read_only=read_only))


def _load(store: RecordStore, match: str) -> Match:
    loaded = load_match(store, match)
    if not isinstance(loaded, Loaded):
        raise not_recorded(loaded)
    return Match(store, loaded)


def _deck(game: Game, text: str) -> Deck:
    if "\n" not in text.strip():
        return named_deck(game, text)
    lists = read_lists(game, text)
    if len(lists) != 1:
        raise ValueError(Text("decklist.one").say("en"))
    return deck_of(game, next(iter(lists.values())))


def _milliseconds(at: datetime | None) -> int:
    if at is None:
        return read_wall_clock()
    require(at, datetime, "at")
    return int(at.astimezone(UTC).timestamp() * MS_PER_SECOND)
