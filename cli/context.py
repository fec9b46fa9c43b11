"""Context of a command: language, store, match, viewer and screen."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import tzinfo
from difflib import get_close_matches
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import UNSET

from cli.drawing import Screen
from cli.problems import CommandError
from cli.project import NO_PROJECT, SERVICE, Project, default_store as default_store
from domain.formats.errors import CLOSE_MAX, FormatError, explain_unknown, quote_input as quote_input
from domain.games import GAMES
from domain.law.croupier import SEED_BYTES
from domain.law.entries import Closed, Entry, fold_entries
from domain.law.game import Game
from domain.law.pools import Overlay
from domain.law.record import Record
from domain.law.rulesets import lay_over, make_ruleset, read_setting, values, with_settings
from domain.table.redact import TableViewer
from domain.table.table import JUDGE
from domain.words import Lang, Text, say
from domain.words.foreign import explain_system_error
from domain.words.lines import clip
from projections.moments import stamp
from projections.viewing import NotInMatch, find_viewer
from recorder.answers import Interrupted, Unavailable
from recorder.chance import SEED_END
from recorder.clock import read_wall_clock
from recorder.files import SUFFIXES
from recorder.match_loader import LoadedMatch, load_match, load_sound
from recorder.store import Store, StoreError
from recorder.store_location import name_of

T = TypeVar("T")

LOCK_SECONDS = 5
NAMED_MAX = 6
"""Most matches that a message lists for an ambiguous prefix."""
COMPARED_MAX = 10_000
"""Most ids to search for a similar one."""


class ReadRecord(Record, frozen=True):
    """A record read from a file: checked like an import, but not stored. Its entries are read on demand."""

    id: str
    stored: bool = False
    """True if the record comes from a store, so that viewers see only their part."""


class CommandContext:
    """Context of one command."""

    def __init__(self, screen: Screen, lang: Lang, store: str | None, project: Project = NO_PROJECT) -> None:
        self.screen = screen
        self.lang = screen.lang = lang
        self.default = store is None
        with self.convert_errors():
            self.where = str(default_store()) if store is None else name_of(store)
        self.project = project
        self.zone = self.read_zone(project.timezone)
        """Time zone of the event, or None for the machine's."""
        self.is_remote = SERVICE.match(self.where) is not None
        self.stopped = 0
        """Exit code after an interruption, else 0."""
        self.interrupted: Interrupted | None = None

    def read_zone(self, name: str) -> tzinfo | None:
        """Return the time zone of an IANA name, or None without one. Raises CommandError."""
        try:
            return ZoneInfo(name) if name else None
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise self.problem("time.no_zone", name=quote_input(name)) from None

    def say(self, key: str, **values: object) -> str:
        return say(key, self.lang, **values)

    def print_message(self, key: str, role: str = "", /, **values: object) -> None:
        self.screen.line(self.say(key, **values), role)

    def hint(self, key: str, /, **values: object) -> None:
        """Print a message to stderr."""
        self.screen.aside(self.say(key, **values))

    def pick(self, en: T, ja: T) -> T:
        """Return the value for the command's language."""
        return ja if self.lang == "ja" else en

    def heads(self, names: Sequence[str]) -> list[str]:
        """Return the column headings of these names. A heading of times names the time zone."""
        zone = stamp(read_wall_clock(), "%Z", self.zone)
        return [self.say(f"head.{name}", zone=zone) for name in names]

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], drop: Sequence[int] = ()) -> None:
        self.screen.table(self.heads(heads), rows, drop)

    def problem(self, key: str, **values: object) -> CommandError:
        return CommandError(self.say(key, **values))

    def refuse(self, text: Text) -> CommandError:
        return CommandError(text.say(self.lang))

    def misread(self, error: FormatError) -> CommandError:
        """Return the error for a file that cannot be parsed, with file, line and column."""
        where = ":".join(part for part in (error.name, str(error.line), str(error.column)) if part)
        return self.problem("cli.misread", where=where, detail=error.message)

    def mistyped(self, text: str, error: FormatError) -> CommandError:
        """Return the error for an argument that cannot be parsed, with its column."""
        return self.problem("cli.mistyped", text=quote_input(text), column=error.column, detail=error.message)

    @contextmanager
    def convert_errors(self) -> Iterator[None]:
        """Convert errors that carry a text for people into CommandError."""
        try:
            yield
        except FormatError as error:
            raise self.misread(error) from None
        except Exception as error:
            if isinstance(text := getattr(error, "text", None), Text):
                raise self.refuse(text) from None
            raise

    @contextmanager
    def name_project_file(self, key: str) -> Iterator[None]:
        """Prefix errors of the block with the project file and the key that caused them."""
        try:
            yield
        except CommandError as problem:
            where = f"{self.project.file}: {key}"
            raise self.problem("cli.misread", where=where, detail=problem.message) from None

    @contextmanager
    def convert_os_errors(self, key: str, file: str) -> Iterator[None]:
        """Convert system errors of the block into CommandError with this message."""
        try:
            yield
        except (OSError, ValueError) as error:
            raise self.problem(key, file=file, detail=explain_system_error(error)) from None

    def print_interruption(self) -> None:
        """After an interruption, print the part of the work done and the options that continue it."""
        if self.interrupted is not None:
            self.print_message("progress.interrupted", "bad", done=self.interrupted.done, all=self.interrupted.all)
            if self.interrupted.rest is not UNSET:
                self.print_message("progress.rest", options=self.interrupted.rest)

    def warn(self, *messages: str) -> None:
        """Print warnings to stderr, a line each."""
        for message in messages:
            self.screen.aside(f"shinpan: {message}")

    # Stores and matches

    @contextmanager
    def store(self, writing: bool = False) -> Iterator[Store]:
        """Open the store. Raises CommandError for errors of the database."""
        self.require_store()
        try:
            with Store.open(self.where, read_only=not writing, lock_seconds=LOCK_SECONDS) as opened:
                yield opened
        except StoreError as error:
            if error.trouble == "corrupt" and error.entry > 1:
                raise self.refuse(Text("store.readable", {"why": error.text, "last": error.entry - 1})) from None
            raise self.refuse(error.text) from None

    def backend(self, local: str, http: str) -> Any:
        """Return the function for a store, or the one for a service. Only the one in use is imported."""
        return resolve_name(http if self.is_remote else local)

    def require_store(self, why: str = "client.not_away") -> None:
        """Raise CommandError if the store is a service; `why` is the message key."""
        if self.is_remote:
            raise self.problem(why)

    def load(self, match: str, upto: int | None = None) -> LoadedMatch:
        """Return a match of the store, and close the store. `upto` is as in `match`."""
        self.require_id(match)
        with self.store() as store:
            return self.match(store, match, upto)

    def match(self, store: Store, text: str, upto: int | None = None) -> LoadedMatch:
        """Return the match with this id, or the only one whose id begins so.

        If the match is damaged after entry `upto`, return the entries before the damage.
        """
        name = self.match_id(store, text)
        try:
            match = load_match(store, name)
        except StoreError as error:
            if upto is None or upto >= error.entry:
                raise
            match, _ = load_sound(store, name)
        if isinstance(match, Unavailable):
            raise self.unavailable(match.match, match.why)
        return match

    def read_seed(self, match: LoadedMatch | ReadRecord) -> bytes | None:
        """Return the croupier's seed of a stored match, to check its record. It must never be printed."""
        if isinstance(match, ReadRecord):
            return None
        with self.store() as store:
            return store.secret(match.id)

    def require_id(self, text: str) -> None:
        """Raise CommandError if the text names a record file instead of a match."""
        with suppress(OSError, ValueError):
            if text.endswith(SUFFIXES) and Path(text).is_file():
                raise self.problem("cli.match_in_file", file=text)

    def match_id(self, store: Store, text: str) -> str:
        """Return the full id of a match from a prefix."""
        self.require_id(text)
        wanted = text.strip()
        ids = store.list_ids_with_prefix(wanted, NAMED_MAX + 1) if wanted else []
        if wanted in ids or len(ids) == 1:
            return wanted if wanted in ids else ids[0]
        if not ids:
            raise self.problem(
                "cli.no_match", match=quote_input(text), store=store.name, hint=self._find_similar_id(store, wanted)
            )
        more = ", ..." if len(ids) > NAMED_MAX else ""
        raise self.problem("cli.many_matches", match=quote_input(text), ids=", ".join(ids[:NAMED_MAX]) + more)

    def _find_similar_id(self, store: Store, wanted: str) -> str:
        close = (
            get_close_matches(wanted, store.list_ids_with_prefix("", COMPARED_MAX), n=1)
            if len(wanted) <= CLOSE_MAX
            else []
        )
        return say("format.meant", self.lang, word=close[0]) if close else ""

    def unavailable(self, match: str, why: Text) -> CommandError:
        return self.problem("cli.unavailable", match=match, detail=why)

    # Arguments of commands

    def find_viewer(self, match: LoadedMatch | ReadRecord, text: str) -> TableViewer:
        """Return the viewer of this name. Raises CommandError."""
        try:
            return find_viewer(match, text)
        except NotInMatch as error:
            if error.text.key == "name.two_players":
                raise self.refuse(error.text) from None
            allowed = ", ".join((*match.opening.seats, "spectator", "judge"))
            raise self.problem("cli.no_viewer", viewer=quote_input(text), match=match.id, allowed=allowed) from None

    def seed(self, number: int | None) -> bytes | None:
        """Return the croupier's seed for a number, or None without one. Raises CommandError if out of range."""
        if number is None:
            return None
        self.check_seeds(number)
        return number.to_bytes(SEED_BYTES, "big")

    def check_seeds(self, first: int, number: int = 1) -> None:
        """Raise CommandError unless `number` seeds exist from `first` on."""
        if not 0 <= first <= SEED_END - number:
            raise self.problem("cli.bad_seed", seed=clip(first), bits=SEED_END.bit_length() - 1)

    def warn_of_seed(self, seed: int | None) -> None:
        """Warn that a chosen seed can be found from its public commitment by trial."""
        if seed is not None:
            self.hint("new.seed")

    def require_judge(self, match: LoadedMatch | ReadRecord, eyes: TableViewer, why: str = "cli.only_judge") -> None:
        """Raise CommandError if a viewer other than the judge applies other rules to an open match.

        The result would reveal hidden cards. Whole records in files are exempt.
        """
        stored = not isinstance(match, ReadRecord) or match.stored
        if stored and eyes.viewer != JUDGE and is_open(match.entries):
            raise self.problem(why, match=match.id)

    def entry(self, match: LoadedMatch | ReadRecord, number: int | None) -> int:
        return self.entry_of(match.id, len(match.entries), number)

    def entry_of(self, match: str, last: int, number: int | None) -> int:
        """Return an entry by its number, the last one for None. Raises CommandError."""
        if number is None:
            return last
        if not 1 <= number <= last:
            raise self.problem("cli.no_entry", number=clip(number), match=match, last=last)
        return number

    def game(self, key: str) -> Game:
        """Return a game by its key. Raises CommandError."""
        if broken := GAMES.find_broken(key):
            raise self.refuse(broken.text)
        if key not in GAMES:
            raise self.refuse(explain_unknown("game", key, GAMES))
        return GAMES[key]

    def rules(self, spec: str, frame: str | None, settings: list[str] | None) -> tuple[Game, str, Any]:
        """Return game, version and rules of `GAME@VERSION` with a frame and options. The default is that of the project
        file."""
        if not spec and not self.project.ruleset:
            raise self.problem("cli.no_ruleset")
        if not spec:
            with self.name_project_file("ruleset"):
                self.rules(self.project.ruleset, None, None)
        key, at, version = (spec or self.project.ruleset).partition("@")
        game = self.game(key)
        if not at:
            versions = ", ".join(game.versions)
            raise self.problem("cli.no_version", game=key, newest=tuple(game.versions)[-1], versions=versions)
        if version not in game.versions and version not in game.change_notes:
            raise self.refuse(explain_unknown("version", version, game.versions))
        with self.convert_errors():
            rules = make_ruleset(game, version, frame or "")
        return game, version, self.options(game, rules, settings)

    def options(self, game: Game, rules: Any, settings: list[str] | None) -> Any:
        """Return the rules with options set as `option=value`."""
        for key, value in map(self.setting, settings or ()):
            current = values(rules)
            keys = dict.fromkeys((*current, *(option.key for option in game.options)))
            if key not in keys:
                raise self.refuse(explain_unknown("option", key, keys, lists=False))
            with self.convert_errors():
                rules = with_settings(game, rules, {key: read_setting(current.get(key, value), value)})
        return rules

    def setting(self, text: str) -> tuple[str, str]:
        """Split `option=value`. Raises CommandError."""
        key, equals, value = text.partition("=")
        if not equals:
            raise self.problem("cli.no_value", setting=quote_input(text))
        return key, value

    def apply_card_overlay(self, game: Game, rules: object, cards: Overlay | None) -> object:
        with self.convert_errors():
            return rules if cards is None else lay_over(game, rules, cards)


def is_open(entries: Sequence[Entry]) -> bool:
    """True if the match is neither closed nor at its end."""
    return not isinstance(entries[-1], Closed) and fold_entries(entries).result is None
