"""Games by key, each imported when it is first asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from traceback import extract_tb

from msgspec import Struct

from domain.law.game import Game
from domain.words import Text


class BrokenGame(Struct, frozen=True):
    """A game that cannot be imported: the file and line where that fails, and the error."""

    game: str
    file: str
    line: int
    error: str

    @property
    def text(self) -> Text:
        """The sentence that names all of it."""
        return Text("game.broken", {"game": self.game, "file": self.file, "line": self.line, "error": self.error})


class GameRegistry(Mapping[str, Game]):
    """The games of a package by key. Those that cannot be imported are left out and named in `broken`.

    `loaded` has those that were asked for, and any that was put there by hand.
    """

    def __init__(self, package: str, *keys: str) -> None:
        self.broken: dict[str, BrokenGame] = {}
        self._package, self._keys = package, keys
        self.loaded: dict[str, Game] = {}

    def __getitem__(self, key: str) -> Game:
        game = self.loaded.get(key) or self._load(key)
        if game is None:
            raise KeyError(key)
        return game

    def __iter__(self) -> Iterator[str]:
        return (key for key in dict.fromkeys((*self._keys, *self.loaded)) if key in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def find_broken(self, key: str) -> BrokenGame | None:
        """Return what is wrong with the game of a key; None where nothing is, or no such game belongs here."""
        return None if key in self else self.broken.get(key)

    def load_all(self) -> tuple[BrokenGame, ...]:
        """Import every game, and return those that cannot be."""
        return tuple(broken for key in self._keys if (broken := self.find_broken(key)))

    def _load(self, key: str) -> Game | None:
        if key not in self._keys or key in self.broken:
            return None
        name = f"{self._package}.{key}"
        try:
            game: Game = import_module(name).GAME
        except Exception as error:  # whatever a game's files do when they are imported
            self.broken[key] = _describe(key, name, error)
            return None
        return self.loaded.setdefault(key, game)


def _describe(key: str, package: str, error: Exception) -> BrokenGame:
    folder = "/".join(package.split("."))
    places = [(frame.filename, frame.lineno or 0) for frame in extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno or 0))
    inside = [(file, line) for file, line in places if folder in file.replace("\\", "/")]
    file, line = (inside or places)[-1]
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return BrokenGame(key, file, line, f"{type(error).__name__}: {' '.join(said.split())}")
