"""What can have happened in a gap, as `paper bridge` tells it; and which gaps a match has."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.words import Lang, Text
from projections.bridges import Said, Way as Across, is_gap, list_gaps, said_words, verdict_words, way_words
from projections.findings import gap_words, seen_gaps
from recorder.loading import Match
from service.access import may
from service.asking import Ask, Nothing, Reply
from service.house import Sight
from service.pages.paper import page, said
from service.pages.within import clause_url, way_to, within
from service.problems import halt


class Fact(Struct, frozen=True):
    """A fact as it is written and in words, and the clause it comes from with its address."""

    words: str
    clause: str
    url: str


class Leading(Struct, frozen=True):
    """A way across: where it leads, its actions, and what they tell besides."""

    words: str
    actions: tuple[str, ...]
    more: tuple[Fact, ...]


class Gapped(Struct, frozen=True):
    """A gap of a match: its entry in words, what an audit cannot claim of it, and where the ways across are told;
    nowhere for eyes that may not know them."""

    entry: int
    moment: str
    words: str
    unsure: str
    url: str


def show_bridge(ask: Ask, query: Nothing, body: None) -> Reply:
    """The ways across a gap."""
    sight = ask.look(ask.path.get("viewer", ""), "findings")
    number = ask.number("moment", sight.head)
    match, lang, way = sight.match, ask.lang, way_to(ask, sight)
    if not is_gap(match, number):
        raise halt("unknown", Text("bridge.not_gap", {"n": number, "match": match.id}))
    sight.require_judge()
    value, every = ask.house.across(match, number), list_gaps(match)
    before = max((gap for gap in every if gap < number), default=0)
    behind = min((gap for gap in every if gap > number), default=0)
    return within(
        ask,
        sight,
        "bridge.html",
        said(ask, "bridge.title", match=match.id, n=number),
        number,
        lambda eyes: eyes.at(number, "bridge"),
        what=_words(ask, sight, number),
        verdict=verdict_words(value, lang),
        answer={"bridged": "fine", "unbridged": "bad", "unsearched": "plain"}[value.answer],
        leading=[_leading(ask, match, each, lang) for each in value.ways],
        never=_facts(ask, match, value.never, lang),
        moment=way.moment(number),
        findings=way.all("findings"),
        previous=way.at(before, "bridge") if before else "",
        following=way.at(behind, "bridge") if behind else "",
    )


def list_gapped(ask: Ask, sight: Sight) -> list[Gapped]:
    """The gaps of a match as they stand beside what was found in it."""
    match, way, known = sight.match, way_to(ask, sight), may_know(ask, sight)
    audited = ask.house.audit(match).gaps
    unsure = {gap.entry: gap_words(gap, ask.lang) for gap in seen_gaps(match, sight.eyes, audited)}
    return [
        Gapped(
            number,
            way.moment(number),
            _words(ask, sight, number),
            unsure.get(number, ""),
            way.at(number, "bridge") if known else "",
        )
        for number in list_gaps(match)
    ]


def may_know(ask: Ask, sight: Sight) -> bool:
    """May whoever asks be told what can have happened in a gap, with the eyes they look with?"""
    return sight.knows and may(ask.session, "findings", sight.match.id, closed=sight.over)


def _words(ask: Ask, sight: Sight, number: int) -> str:
    (line,) = ask.house.lines(sight, ask.lang, number, number)
    return line.text


def _leading(ask: Ask, match: Match, each: Across, lang: Lang) -> Leading:
    actions = tuple(said_words(action, lang) for action in each.actions)
    return Leading(way_words(each, lang), actions, _facts(ask, match, each.more, lang))


def _facts(ask: Ask, match: Match, facts: Sequence[Said], lang: Lang) -> tuple[Fact, ...]:
    return tuple(
        Fact(said_words(fact, lang), fact.clause, clause_url(ask, match, fact.clause) if fact.clause else "")
        for fact in facts
    )


ROUTES: Final = (
    page("/m/{match:str}/{moment:str}/bridge", show_bridge, "What leads across a gap.", "findings", limit="tries"),
    page(
        "/m/{match:str}/{moment:str}/bridge/as/{viewer:str}",
        show_bridge,
        "The same with other eyes.",
        "findings",
        limit="tries",
    ),
)
