"""Lexicons of the words that may be typed for actors, verbs, slots, cards and places, in both languages."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from unicodedata import normalize

from msgspec import Struct

from domain.formats import names as N
from domain.formats.actions import PREFIX, verbs
from domain.formats.places import NO_PLAYERS, place_words, player_name
from domain.formats.tokens import EMPTY
from domain.law.game import Game
from domain.law.slots import Action, Slot, slots
from domain.table.physics import ACTORS
from domain.table.schema import Area
from domain.table.table import Place, Seat
from domain.words import LANGS, say

GAMES_MAX, TABLES_MAX, SLOTS_MAX = 16, 64, 512
"""Cache sizes for lexicons of games, of seats with players and places, and of slots."""

_PUNCTUATION = " ,、"
_QUOTED = re.compile(r'("(?:[^"\\]|\\.)*")')
_PICTURE_SELECTOR = "\ufe0f"
"""Variation selector that phones insert after a sign shown as a picture."""
_BLANKS = re.compile(r"[\s_-]+")


def plain(text: str) -> str:
    """Return a line in plain characters (NFKC, no picture selectors). Quoted text stays unchanged."""
    parts = _QUOTED.split(text.replace("\u2019", "'"))
    return "".join(part if at % 2 else _plain(part) for at, part in enumerate(parts)).strip()


def _plain(text: str) -> str:
    return normalize("NFKC", text.replace(_PICTURE_SELECTOR, ""))


class Lexicon(Struct, frozen=True):
    """Spellings and their meanings. The longest matching spelling wins."""

    pattern: re.Pattern[str]
    meanings: Mapping[str, str]

    def match(self, text: str, at: int = 0) -> tuple[str, int] | None:
        """Return the meaning of the text at this position, and its end."""
        found = self.pattern.match(text, at)
        meaning = None if found is None else self.meanings.get(fold(found[0]))
        return None if found is None or meaning is None else (meaning, found.end())


def build_lexicon(spelled: Iterable[tuple[str, str]], ends: str = "") -> Lexicon:
    """Build a lexicon from (spelling, meaning) pairs. The first meaning of a spelling wins. `ends` is a
    pattern that must follow each spelling."""
    meanings: dict[str, str] = {}
    for spelling, meaning in spelled:
        if folded := fold(spelling):
            meanings.setdefault(folded, meaning)
    longest = sorted(meanings, key=len, reverse=True)
    pattern = "|".join(_pattern(spelling) + ends for spelling in longest)
    return Lexicon(re.compile(pattern or r"(?!)", re.IGNORECASE), meanings)


def _pattern(spelling: str) -> str:
    """Return the pattern of a folded spelling. A Latin word ends where no further letter follows."""
    pattern = re.escape(spelling).replace(r"\ ", r"[\s_-]+")
    return pattern + (r"(?!\w)" if spelling[-1].isascii() and spelling[-1].isalnum() else "")


def fold(spelling: str) -> str:
    return _BLANKS.sub(" ", plain(spelling).lower()).strip()


def _spellings(game: Game, code: str) -> Iterator[tuple[str, str]]:
    yield code, code
    for lang in LANGS:
        yield game.rulebook.word(code, lang), code


@lru_cache(GAMES_MAX)
def verb_lexicon(game: Game) -> Lexicon:
    """Return the verbs of a game: code names, with blanks for underscores, and the game's words."""
    known = (*verbs(game), *game.other_verbs)
    spelled = [pair for verb in known for pair in (*_spellings(game, verb), (PREFIX + verb, verb))]
    return build_lexicon(spelled, ends=r"(?=$|[\s:,、])")


@lru_cache(TABLES_MAX)
def actor_lexicon(seats: tuple[Seat, ...], players: tuple[tuple[Seat, str], ...], ends: str = "") -> Lexicon:
    """Return the actors: seats, player names, and words for chance and judge."""
    names = dict(players)
    spelled = [(str(seat), str(seat)) for seat in (*seats, *ACTORS)]
    spelled += [(say(f"who.{actor}", lang), str(actor)) for actor in ACTORS for lang in LANGS]
    spelled += [(name, str(seat)) for seat, name in players if len(N.seats_of_player(names, name)) == 1]
    spelled += [(player_name(names, seat, lang), str(seat)) for seat, _ in players for lang in LANGS]
    return build_lexicon(spelled, ends)


@lru_cache(GAMES_MAX)
def card_lexicon(game: Game) -> Lexicon:
    """Return the cards of a game by face, by name in both languages, and by unique sign."""
    known = game.faces()
    signs = [(game.display.short(face, lang), face) for face in known for lang in LANGS]
    faces_by_sign = {sign: {face for same, face in signs if same == sign} for sign, _ in signs}
    named = [pair for face in known for pair in card_names(game, face)]
    return build_lexicon([*named, *((sign, face) for sign, face in signs if len(faces_by_sign[sign]) == 1)])


def card_names(game: Game, face: str) -> Iterator[tuple[str, str]]:
    for spelling, _ in _spellings(game, face):
        yield spelling, face
        yield spelling.removeprefix(face), face


def begins_face(game: Game, face: str, prefix: str) -> bool:
    """True if a name of the card begins with this folded prefix."""
    return bool(prefix) and any(fold(spelling).startswith(prefix) for spelling, _ in card_names(game, face))


@lru_cache(SLOTS_MAX)
def slot_lexicon(game: Game, slot: Slot) -> Lexicon:
    """Return the words that a slot accepts, or yes and no for a flag."""
    if slot.kind == "flag":
        return build_lexicon((say(code, lang), code) for code in ("yes", "no") for lang in LANGS)
    codes = (slot.words or game.rulebook.words) if slot.kind == "word" else ()
    return build_lexicon(pair for code in codes if code for pair in _spellings(game, code))


@lru_cache(TABLES_MAX)
def place_lexicon(
    game: Game, areas: tuple[Area, ...], seats: tuple[Seat, ...], players: tuple[tuple[Seat, str], ...]
) -> Lexicon:
    """Return the places of a table by their printed names, with player names or seats."""
    owned = [
        Place(f"{owner}{area.name}{square}")
        for area in areas
        for owner in ([f"{seat}." for seat in seats] if area.per_seat else [""])
        for square in _squares(area)
    ]
    player_names = (NO_PLAYERS, dict(players)) if players else (NO_PLAYERS,)
    return build_lexicon(
        (place_words(game, place, lang, names), place) for names in player_names for place in owned for lang in LANGS
    )


@lru_cache(SLOTS_MAX)
def label_lexicon(game: Game, action: type[Action]) -> Lexicon:
    """Return the slots of a verb by name and by the game's words."""
    return build_lexicon(pair for named in slots(action) for pair in _spellings(game, named.name))


def _squares(area: Area) -> Iterator[str]:
    """Yield the square suffixes of a grid or row of slots; an empty suffix for other areas."""
    columns, rows = area.size
    if area.order == "grid":
        yield from (f":{column},{row}" for column in range(1, columns + 1) for row in range(1, rows + 1))
    elif area.order == "slots":
        yield from (f":{slot}" for slot in range(1, columns + 1))
    else:
        yield ""


@cache
def none_lexicon() -> Lexicon:
    """Return the words for an empty value."""
    return build_lexicon([(EMPTY, EMPTY), *((say("cards.none", lang), EMPTY) for lang in LANGS)], ends=r"(?=$|[\s,、])")


@cache
def preposition_lexicon() -> Lexicon:
    """Return the words of buttons before a target and before a place: `on`, `at`."""
    return build_lexicon(
        (say(f"offer.{name}", lang, what="").strip(_PUNCTUATION), name) for name in ("on", "at") for lang in LANGS
    )


@cache
def value_separator() -> re.Pattern[str]:
    """Return the separator of slot name and value: an equals sign, a colon, or the words of buttons."""
    signs = (say("offer.slot", lang, slot="@", what="").partition("@")[2].strip() for lang in LANGS)
    return re.compile("|".join((r"\s*[=:]\s*", *(re.escape(sign) for sign in signs if sign))))
