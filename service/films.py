"""Films of matches as they are sent: a stretch of a match for one viewer in one language, drawn once."""

import msgspec
from msgspec.structs import asdict

from domain.law.entries import Rewound
from domain.words import Lang
from projections import looking_back
from service.addresses import links, way_of
from service.draw.film import Film, Take, chunk
from service.house import House, Sight
from service.tags import drawing


class SentFilm(Film, frozen=True):
    """A film, and by what it was drawn."""

    v: str


class Stretch:
    """The chunk of a match that an entry belongs to, up to the last entry to be seen, for one viewer in a language."""

    def __init__(self, house: House, sight: Sight, lang: Lang, number: int) -> None:
        self._house, self._sight, self._lang = house, sight, lang
        self.first, self.last = chunk(number, sight.head)
        entries = enumerate(sight.match.entries, start=1)
        # What a rewind leaves is said in the lines of entries long before it.
        rewound = max((at for at, entry in entries if isinstance(entry, Rewound)), default=0)
        since = max(rewound, looking_back.read_since(sight.eyes, sight.match.entries))
        self._going = (sight.match.id, self.first, since, sight.eyes.viewer, lang)
        self._key = (sight.match.id, self.first, self.last, since, sight.eyes.viewer, lang)
        self.tag = f'"{".".join(map(str, self._key))}.{drawing()}"'
        """What it is known by as long as it stays the same."""

    def draw(self) -> bytes:
        """The film, drawn now if nobody has asked for it before; of one that was shorter then, only the rest is."""
        return self._house.films.make(self._key, self._draw)

    def _draw(self) -> bytes:
        take = self._house.takes.make(self._going, self._begin)
        return msgspec.json.encode(SentFilm(**asdict(take.upto(self._sight.match, self.last)), v=drawing()))

    def _begin(self) -> Take:
        match, eyes = self._sight.match, self._sight.eyes
        return Take(match, eyes, self._lang, self.first, links(match, way_of(self._lang, match.id, eyes.viewer)))
