"""Match slider: a bar with a part for each turn, and a row of links to the entries of one turn."""

from collections.abc import Mapping, Sequence
from itertools import chain
from math import ceil
from typing import Final

from markupsafe import Markup

from domain.table.table import Seat
from domain.words import Lang, say
from projections.keyframes import EntryMark, Keyframes, MarkKind, Stretch
from projections.phrases import Names, seat_name
from service.drawing.markup import NOTHING, element, join_markup

HEIGHT, ABOVE, LOW, STEP, DEEP = 48, 14, 14, 5, 4
"""Pixels of the bar: height, room for marks, lowest turn, step for each waiting frame; and steps at most."""
REACH = 24
"""Touch target of a mark, in pixels."""
PARTS_MAX: Final = 200
"""Parts of the bar at most. A longer match joins neighbouring turns to one part."""
LABELLED = 0.055
"""Turns with at least this share of the width show their number."""
HATCHES: Final = ("", "", "M0 6l6-6", "M0 3h6", "M3 0v6")
"""Hatching by seat number, so that turns differ without colours."""
SIGNS: Final[Mapping[MarkKind, str]] = {"broken": "▲", "note": "◆", "rewind": "↶", "closed": "■", "gap": "⋯"}
SHAPES: Final[Mapping[MarkKind, str]] = {
    "broken": "M0 1l6 10h-12z",
    "note": "M0 0l6 6-6 6-6-6z",
    "rewind": "M-6 6l6-5v3h6v4h-6v3z",
    "closed": "M-4 2h8v8h-8z",
    "gap": "M-6 5h3v3h-3zM-1.500 5h3v3h-3zM3 5h3v3h-3z",
}


def draw_bar(frames: Keyframes, at: int, head: int, numbers: Mapping[Seat, int], lang: Lang, moment: str) -> Markup:
    """Return the bar of all turns. Width is the number of entries, height the stack's depth. `moment` is a URL with
    `{n}` for the entry. Of marks of one kind that would cover each other, the first is drawn."""
    each = ceil(len(frames.stretches) / PARTS_MAX)
    parts = [frames.stretches[first : first + each] for first in range(0, len(frames.stretches), each or 1)]
    turns = (_draw_part(part, frames.names, head, numbers, lang, moment) for part in parts)
    apart = {(mark.kind, mark.entry * PARTS_MAX // max(head, PARTS_MAX)): mark for mark in reversed(frames.marks)}
    marks = (_draw_mark(mark, head, lang, moment) for mark in reversed(apart.values()))
    cursor = element(
        "rect", "cursor", id="cursor", x=_percent(at - 1, head), y="0", width=_percent(1, head), height=HEIGHT
    )
    return element(
        "svg",
        "turns",
        element("defs", "", *(_draw_hatch(number) for number in range(len(HATCHES)))),
        join_markup(chain(turns, marks)),
        cursor,
        width="100%",
        height=HEIGHT,
        role="group",
        aria_label=say("scrub.turns", lang),
        data_strip_of=head,
    )


def _percent(entries: float, head: int) -> str:
    return f"{100 * entries / head:.3f}%"


def _draw_part(
    part: Sequence[Stretch], names: Names, head: int, numbers: Mapping[Seat, int], lang: Lang, moment: str
) -> Markup:
    """Return the part of one turn, or of several that have no room of their own."""
    first, last = part[0], part[-1]
    width = last.last - first.first + 1
    height = LOW + STEP * min(max(stretch.deepest for stretch in part), DEEP)
    number = numbers.get(first.seat, 0) if first.seat and first is last else 0
    shape = {
        "x": _percent(first.first - 1, head),
        "y": str(HEIGHT - height),
        "width": _percent(width, head),
        "height": str(height),
    }
    drawn = [
        element("title", "", part_words(part, names, lang)),
        element("rect", f"turn o{number}", **shape),
        element("rect", "", fill=f"url(#hatch{number})", **shape),
    ]
    if first is last and first.turn and width / head >= LABELLED:
        middle = _percent(first.first - 1 + width / 2, head)
        drawn.append(element("text", "", str(first.turn), x=middle, y=str(HEIGHT - 3), text_anchor="middle"))
    return element("a", "", *drawn, href=entry_url(moment, first.first))


def part_words(part: Sequence[Stretch], names: Names, lang: Lang) -> str:
    """Return the words of one turn or of several, with their entries."""
    first, last = part[0], part[-1]
    words = turn_words(first, names, lang)
    if first is not last:
        words = say("turn.several", lang, first=words, last=turn_words(last, names, lang))
    return say("turn.entries", lang, turn=words, first=first.first, last=last.last)


def _draw_mark(mark: EntryMark, head: int, lang: Lang, moment: str) -> Markup:
    name = say("scrub.mark", lang, n=mark.entry, what=say(f"mark.{mark.kind}", lang))
    reach = element("rect", "", x=f"{-REACH / 2:g}", y="0", width=str(REACH), height=str(REACH), fill="transparent")
    shape = element("path", "", d=SHAPES[mark.kind])
    box = {"x": _percent(mark.entry - 0.5, head), "y": "0", "width": "1", "height": str(ABOVE), "overflow": "visible"}
    link = entry_url(moment, mark.entry)
    return element(
        "a", f"mark {mark.kind}", element("title", "", name), element("svg", "", reach, shape, **box), href=link
    )


def _draw_hatch(number: int) -> Markup:
    lines = element("path", "hatch", d=HATCHES[number]) if HATCHES[number] else NOTHING
    return element("pattern", "", lines, id=f"hatch{number}", width="6", height="6", patternUnits="userSpaceOnUse")


def turn_words(stretch: Stretch, names: Names, lang: Lang) -> str:
    """Return the words of a turn: its number and seat."""
    if not stretch.turn:
        return say("heading.before", lang)
    if stretch.seat:
        return say("turn.of", lang, n=stretch.turn, seat=seat_name(names, stretch.seat, lang))
    return say("clock.turn", lang, n=stretch.turn)


def draw_entry_links(frames: Keyframes, at: int, head: int, lang: Lang, moment: str, most: int) -> Markup:
    """Return links to the entries of the current turn, at most `most`."""
    stretch = frames.stretch(at)
    first = at - (at - stretch.first) % most
    last = min(stretch.last, first + most - 1)
    marks = {mark.entry: mark.kind for mark in frames.marks}
    links = [_draw_entry(number, number == at, marks.get(number), lang, moment) for number in range(first, last + 1)]
    if first > 1:
        links.insert(0, _draw_step_link(first - 1, "‹", lang, moment))
    if last < head:
        links.append(_draw_step_link(last + 1, "›", lang, moment))
    name = turn_words(stretch, frames.names, lang)
    return element("ol", "lens", *links, id="lens", aria_label=name, data_first=first, data_last=last)


def _draw_entry(number: int, current: bool, kind: MarkKind | None, lang: Lang, moment: str) -> Markup:
    sign = element("i", kind, SIGNS[kind], title=say(f"mark.{kind}", lang)) if kind else NOTHING
    state = "step" if current else ""
    link = element("a", "", str(number), sign, href=entry_url(moment, number), data_n=number, aria_current=state)
    return element("li", "", link)


def _draw_step_link(number: int, arrow: str, lang: Lang, moment: str) -> Markup:
    name = say("scrub.entry", lang, n=number)
    return element("li", "beside", element("a", "", arrow, href=entry_url(moment, number), aria_label=name))


def entry_url(moment: str, number: int) -> str:
    return moment.replace("{n}", str(number))
