"""Games by key, each imported at its first use."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from traceback import extract_tb

from msgspec import Struct

from domain.law.game import Game
from domain.words import Text


class BrokenGame(Struct, frozen=True):
    game: str
    file: str
    line: int
    error: str

    @property
    def text(self) -> Text:
        return Text("game.broken", {"game": self.game, "file": self.file, "line": self.line, "error": self.error})


class GameRegistry(Mapping[str, Game]):
    """The games of a package by key. Games that cannot be imported are left out and listed in `broken`. `loaded` has
    the games used so far, and any added by hand."""

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
        """Return the import failure of a game; None if it is fine or unknown."""
        return None if key in self else self.broken.get(key)

    def load_all(self) -> tuple[BrokenGame, ...]:
        """Import every game, and return the failures."""
        return tuple(broken for key in self._keys if (broken := self.find_broken(key)))

    def _load(self, key: str) -> Game | None:
        if key not in self._keys or key in self.broken:
            return None
        name = f"{self._package}.{key}"
        try:
            game: Game = import_module(name).GAME
        except Exception as error:  # a game's files may raise anything
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
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return BrokenGame(key, file, line, f"{type(error).__name__}: {' '.join(message.split())}")
