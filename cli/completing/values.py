"""What may stand at the cursor, and what each of it is: match ids, versions, viewers, options, clauses, verbs."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from cli.completing.table import Words
from cli.project import Project, default_store, spoken, store_path
from recorder import glance

MATCHES_MAX = 200
"""How many matches are offered at most: more is no help."""
TEXT_MAX = 72
"""How many columns say what a candidate is."""
WATCHERS = ("spectator", "judge")
CHANCE = "chance"

_PATHS = re.compile(r"\b(FILE|PATH|STORE|DEST|URL|FOLDER)\b")
_FOLDERS = re.compile(r"\bDIR\b")
_ALTERNATIVES = re.compile(r"[a-z]+(\|[a-z]+)+")
_SQUARE = re.compile(r"[^ ,=]*$")
_NUMBER = re.compile(r"\{[^}]*\}")

Candidate = tuple[str, str]
"""A value and what it is."""


class Asked:
    """What is known where completion is asked for: the table, the words before, and the folder's settings."""

    def __init__(self, known: dict[str, Any], words: Words, project: Project, environ: dict[str, str]) -> None:
        self.known, self.words, self.project = known, words, project
        self._environ = environ
        named = (self._option("--lang"), environ.get("SHINPAN_LANG"), project.lang, spoken(environ))
        self._japanese = next(filter(None, named)) == "ja"
        self._opening: dict[str, Any] | None = None

    def _option(self, name: str) -> str:
        return (self.words.options.get(name) or [""])[-1]

    def say(self, texts: list[str]) -> str:
        """One of two texts, as it fits beside a candidate."""
        text = texts[self._japanese] if texts else ""
        most = TEXT_MAX // 2 if self._japanese else TEXT_MAX
        return text if len(text) <= most else text[: most - 1] + "…"

    @property
    def store(self) -> Path | None:
        """The store, if it is there and a file."""
        named = self._option("--store") or self._environ.get("SHINPAN_STORE") or self.project.store
        path = Path(store_path(named) if named else default_store()).absolute()
        return path if path.is_file() else None

    @property
    def opening(self) -> dict[str, Any]:
        """The first entry of the match that was named before, if one was; looked up once."""
        if self._opening is None:
            match, store = self.words.said("MATCH"), self.store
            self._opening = glance.opening(store, match) if match and store is not None else {}
        return self._opening

    def games(self) -> list[str]:
        """The games that are meant: the one named before or played in the match, else the folder's, else any."""
        specs = (self.words.said("GAME"), self._option("--rules"), self.opening.get("game"), self.project.ruleset)
        named = (str(spec).partition("@")[0] for spec in specs if spec)
        game = next((name for name in named if name in self.known["games"]), None)
        return [game] if game else list(self.known["games"])

    def seats(self) -> Iterator[Candidate]:
        """The seats of the match that was named, each with its player."""
        names = self.opening.get("names") or {}
        for seat in self.opening.get("seats") or ():
            yield str(seat), str(names.get(seat, ""))


def files(words: Words) -> str:
    """Is it a file, or a folder, that may stand here, too?"""
    return "files" if _PATHS.search(words.wanted) else "dirs" if _FOLDERS.search(words.wanted) else ""


def candidates(asked: Asked) -> Iterator[Candidate]:
    """Everything that begins as what has been typed, once."""
    words = asked.words
    begin = dict[str, str]()
    for value, text in _all(asked):
        if value.startswith(words.text) and f"{value}{text}".isprintable():
            begin.setdefault(words.prefix + value, text)
    yield from begin.items()


def _all(asked: Asked) -> Iterator[Candidate]:
    wanted = asked.words.wanted
    if not wanted:
        yield from _syntax(asked)
    elif _ALTERNATIVES.fullmatch(wanted):
        yield from ((value, "") for value in wanted.split("|"))
    for part in wanted.split("|"):
        if part.removesuffix("...") in _VALUES:
            yield from _VALUES[part.removesuffix("...")](asked)


def _syntax(asked: Asked) -> Iterator[Candidate]:
    """Options where one has begun, else the commands of a group."""
    command = asked.words.command
    if not asked.words.text.startswith("-"):
        for name, below in command.get("commands", {}).items():
            yield name, asked.say(below["text"])
        return
    own = command.get("options", {})
    for name, (metavar, *texts) in {**own, **asked.known["shared"]}.items():
        if name not in asked.words.options or "=" in metavar:
            yield name, asked.say(texts)


def _matches(asked: Asked) -> Iterator[Candidate]:
    store = asked.store
    for match in glance.matches(store, asked.words.text, MATCHES_MAX) if store is not None else ():
        yield match, ""


def _games(asked: Asked) -> Iterator[Candidate]:
    for key, game in asked.known["games"].items():
        yield key, asked.say(game["title"])


def _versions(asked: Asked) -> Iterator[Candidate]:
    for key, game in asked.known["games"].items():
        for version in game["versions"]:
            yield f"{key}@{version}", asked.say(game["title"])


def _viewers(asked: Asked) -> Iterator[Candidate]:
    yield from asked.seats()
    yield from ((watcher, "") for watcher in WATCHERS)
    yield from ((name, seat) for seat, name in asked.seats() if name)


def _several_seats(asked: Asked) -> Iterator[Candidate]:
    before, comma, _ = asked.words.text.rpartition(",")
    for seat, name in asked.seats():
        if seat not in before.split(","):
            yield f"{before}{comma}{seat}", name


def _options(asked: Asked) -> Iterator[Candidate]:
    """Options with their values, once one has been typed as far as `=`."""
    key, equals, _ = asked.words.text.partition("=")
    for game in asked.games():
        for option, (values, *texts) in asked.known["games"][game]["options"].items():
            if not equals:
                yield f"{option}=", asked.say(texts)
            elif option == key:
                yield from ((f"{option}={value}", "") for value in values)


def _readings(asked: Asked) -> Iterator[Candidate]:
    """The same with two values to be held against each other."""
    first, comma, _ = asked.words.text.partition(",")
    for value, text in _options(asked):
        if not comma:
            yield value, text
        elif value.startswith(first.partition("=")[0]) and "=" in first and value != first:
            yield f"{first},{value.partition('=')[2]}", ""


def _frames(asked: Asked) -> Iterator[Candidate]:
    for game in asked.games():
        yield from ((frame, "") for frame in asked.known["games"][game]["frames"])


def _decks(asked: Asked) -> Iterator[Candidate]:
    seat, equals, _ = asked.words.text.partition("=")
    for game in asked.games():
        for name in asked.known["games"][game]["seats"]:
            if not equals:
                yield f"{name}=", ""
            elif name == seat:
                yield from ((f"{seat}={deck}", "") for deck in asked.known["games"][game]["decks"])


def _verbs(asked: Asked) -> Iterator[Candidate]:
    for game in asked.games():
        for verb, *texts in asked.known["games"][game]["verbs"]:
            yield verb, asked.say(texts)


def _actions(asked: Asked) -> Iterator[Candidate]:
    """Who acts, then the verb, then squares: as words of their own, or as one in quotes."""
    names = asked.words.command["arguments"]
    before = " ".join(asked.words.arguments[names.index("ACTION") :])
    actor, colon, _ = asked.words.text.partition(":")
    if before.endswith(":"):
        yield from _verbs(asked)
    elif not before and not colon:
        yield from ((f"{seat}:", name) for seat, name in (*asked.seats(), (CHANCE, "")))
    elif before or len(asked.words.text.split(" ")) > len((actor, "verb")):
        yield from ((square, "") for square in _squares(asked))
    else:
        gap = " " if asked.words.text.startswith(f"{actor}: ") else ""
        yield from ((f"{actor}:{gap}{verb}", text) for verb, text in _verbs(asked))


def _squares(asked: Asked) -> Iterator[str]:
    """What the game of the match calls the squares of its maps, as many as the match has, behind what stands before
    them: earlier words, the name of a slot, other squares."""
    said = _SQUARE.sub("", asked.words.text)
    sizes = {area["name"]: area["size"] for area in (asked.opening.get("schema") or {}).get("areas", ())}
    for game in asked.games():
        for area, rows in asked.known["games"][game].get("squares", {}).items():
            columns, numbers = sizes.get(area, (0, 0))
            yield from (said + name for row in rows[:numbers] for name in row[:columns])


def _clauses(asked: Asked) -> Iterator[Candidate]:
    """The clauses of the game's rulebook, which is data: no law is loaded for it."""
    rulebooks = Path(__file__).parents[2] / "domain" / "games"
    for game in asked.games():
        book = import_module("tomllib").loads((rulebooks / game / "rulebook.toml").read_text(encoding="utf-8"))
        for clause in book["clause"]:
            yield clause["id"], asked.say([_NUMBER.sub("…", clause[lang]) for lang in ("en", "ja")])


_VALUES: dict[str, Callable[[Asked], Iterator[Candidate]]] = {
    "MATCH": _matches,
    "GAME": _games,
    "GAME@VERSION": _versions,
    "GAME[@VERSION]": lambda asked: (_versions if "@" in asked.words.text else _games)(asked),
    "VIEWER": _viewers,
    "SEATS": _several_seats,
    "OPTION=VALUE": _options,
    "OPTION=A,B": _readings,
    "FRAME": _frames,
    "SEAT=DECK": _decks,
    "VERB": _verbs,
    "ACTION": _actions,
    "CLAUSE": _clauses,
}
"""What may stand where help names a value so."""
