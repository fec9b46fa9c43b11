"""Lines of the log, and the caption of an entry for screen readers."""

from typing import Final

from markupsafe import Markup
from msgspec import Struct

from domain.law.clause import Clause
from domain.table.table import Clock
from domain.words import Lang, say
from projections import phrases as P
from projections.timeline import TimelineEntry, back_words
from service.drawing.markup import NOTHING, element
from service.drawing.times import BROWSER_TIMES, Times


class Links(Struct, frozen=True):
    """URL patterns: `{n}` stands for the entry, `{clause}` for the clause. Empty means no link. `times` writes the time
    of an entry."""

    moment: str = ""
    clause: str = ""
    times: Times = BROWSER_TIMES


NO_LINKS: Final = Links()


def log_line(line: TimelineEntry, lang: Lang, links: Links = NO_LINKS, at: int = 0) -> Markup:
    """Return a log line: number, time, what happened, clauses and violations. `at` is the current entry, if any."""
    clauses = dict.fromkeys(fact.clause for fact in line.facts if fact.clause and not fact.flow)
    return element(
        "li",
        " ".join(
            filter(
                None,
                (line.kind, "left" if line.left else "", "" if line.facts else "quiet", "bare" if line.bare else ""),
            )
        ),
        _draw_link(str(line.number), links.moment.replace("{n}", str(line.number)), "n"),
        links.times.write(line.at, "log"),
        element("span", "what", line.text),
        element("em", "", back_words(line.back, lang)) if line.back else NOTHING,
        element("em", "", say("line.left", lang)) if line.left else NOTHING,
        *(clause_link(clause, links, "violation") for clause in line.violations),
        *(clause_link(clause, links) for clause in clauses if clause not in line.violations),
        id=f"e{line.number}",
        data_n=line.number,
        data_by=line.actor or "",
        aria_current="true" if line.number == at else "",
    )


def clause_link(clause: Clause, links: Links, classes: str = "clause") -> Markup:
    return _draw_link(clause, links.clause.replace("{clause}", clause), classes)


def _draw_link(text: str, address: str, classes: str) -> Markup:
    if not address:
        return element("b", classes, text)
    return element("a", classes, text, href=address)


def caption(line: TimelineEntry, clock: Clock, names: P.Names, lang: Lang) -> str:
    """Return the entry as one sentence: its number, the turn, and what happened."""
    number, text = line.number, line.text
    if not clock.turn:
        return say("draw.caption", lang, n=number, text=text)
    seat = P.seat_name(names, clock.active or "", lang)
    return say("draw.caption_turn", lang, n=number, turn=clock.turn, seat=seat, text=text)
