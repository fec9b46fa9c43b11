"""Which pieces belong together: a letter on both ends of every pair, and on all that something open is about."""

from collections.abc import Iterator, Mapping
from itertools import chain
from string import ascii_uppercase

from domain.table.redact import SeenFrame, View
from domain.table.table import LANES
from service.draw.setting import everywhere

Letters = Mapping[int, str]
"""The letters of things, or of frames."""


def circled(letter: str) -> str:
    """A letter in a circle: `Ⓐ`."""
    return chr(ord("Ⓐ") + ord(letter) - ord("A"))


def letters(view: View) -> tuple[Letters, Letters]:
    """The letters of things and of open frames, the oldest frame first; beyond the alphabet there are none."""
    frames = sorted((frame for lane in LANES for frame in getattr(view, lane)), key=lambda frame: frame.id)
    seen = {card.thing for card in everywhere(view)} if frames else set()
    things: dict[int, str] = {}
    open_frames: dict[int, str] = {}
    unused = iter(ascii_uppercase)
    for frame, group in chain.from_iterable(_groups(frame, seen) for frame in frames):
        letter = next(unused, "")
        if not letter:
            break
        for thing in group:
            things[thing] = things.get(thing, "") + circled(letter)
        open_frames[frame] = open_frames.get(frame, "") + circled(letter)
    return things, open_frames


def _groups(frame: SeenFrame, seen: set[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """What a frame joins: each of its pairs, then whatever else it is made with or aimed at."""
    paired: set[int] = set()
    for pair in frame.pairs:
        if things := tuple(card.thing for card in pair if card.thing in seen and card.thing):
            paired.update(things)
            yield frame.id, things
    others = dict.fromkeys(card.thing for card in (*frame.cards, *frame.objs) if card.thing and card.thing in seen)
    if rest := tuple(thing for thing in others if thing not in paired):
        yield frame.id, rest
