"""Why an entry went as it did, and why something else may not be done: clause by clause, with the viewer's own eyes."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.formats.typed import read_seen
from domain.law.clause import Clause
from domain.table.table import Seat
from domain.words.foreign import misfit
from projections.phrases import fact_words, seat_name
from projections.seen_entries import SeenEntry, seen_entries
from projections.timeline import entry_words
from projections.why import WhyNot, looked_at, why, why_not
from recorder.loading import cut
from service.asking import Ask, Nothing, Reply, Route
from service.house import Sight
from service.offering import Offered, Offers, offers_of
from service.pages.finding import differing_facts, list_findings, may_read_findings
from service.pages.naming import Form, draw_form, write_line
from service.pages.paper import FOUND, go, page, said
from service.pages.trail import Cited, cite, follow, shape, turn_at
from service.pages.within import match_name, way_to, within
from service.problems import halt

DO_MAX: Final = 1_000
Answer = Literal["fine", "bad", "unsure", "plain"]


class Do(Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked about: an action in notation, or a verb with what it names; `go`: that is all of it."""

    do: Annotated[str, Meta(max_length=DO_MAX)] = ""
    by: Annotated[str, Meta(max_length=DO_MAX)] = ""
    verb: Annotated[str, Meta(max_length=DO_MAX)] = ""
    slot: tuple[str, ...] = ()
    go: str = ""


class Against(Struct, frozen=True):
    """A finding about the entry: its kind in words, its clause, the facts that differ, and its page."""

    kind: str
    cited: Cited | None
    facts: tuple[str, ...] = ()
    url: str = ""


class Told(Struct, frozen=True):
    """A fact in words, the clause it comes from, and whether it only says how play goes on."""

    words: str
    cited: Cited | None
    flow: bool


def show_why(ask: Ask, query: Nothing, body: None) -> Reply:
    """An entry explained: what was looked at, what it led to, and what shaped that."""
    sight = ask.look(ask.viewer, "explain")
    number = ask.number("moment", sight.head)
    match, eyes, lang, way = sight.match, sight.eyes, ask.lang, way_to(ask, sight)
    try:
        trail, reason = looked_at(match, eyes, number), why(match, eyes, number)
    except msgspec.MsgspecError as error:  # an action that is none of the game any more
        raise halt("unknown", misfit(error)) from None
    entry = list(seen_entries(match, eyes, number, flow=True, judges=sight.judges))[-1]
    against = _find(ask, sight, entry)
    return within(
        ask,
        sight,
        "why.html",
        said(ask, "why.title", match=match_name(match, ask.lang), n=number),
        number,
        lambda eyes: eyes.at(number, "why"),
        what=entry_words(match.game, entry, lang, match.names).text,
        turn=turn_at(sight, number, lang),
        answer=_of_entry(entry, against),
        against=against,
        steps=follow(ask, sight, trail, number - 1),
        facts=_facts(ask, sight, entry),
        shaped=shape(ask, sight, reason.shaped, number),
        moment=way.moment(number),
        previous=way.at(number - 1, "why") if number > 1 else "",
        following=way.at(number + 1, "why") if number < sight.head else "",
        whynot=way.at(number - 1, "whynot") if number > 1 and not _over(sight, number - 1) else "",
    )


def _find(ask: Ask, sight: Sight, entry: SeenEntry) -> list[Against]:
    """List what counts against an entry: the findings the session may read, then the clauses it is flagged with."""
    listed = [
        Against(
            said(ask, f"finding.{each.finding.kind}"),
            cite(ask, sight, each.finding.clause) if each.finding.clause else None,
            differing_facts(sight.match, each.finding, ask.lang),
            each.url,
        )
        for each in (list_findings(ask, sight) if may_read_findings(ask, sight) else ())
        if each.finding.entry == entry.number and each.finding.certainty != "excluded"
    ]
    known = {each.cited.clause for each in listed if each.cited is not None}
    kind = said(ask, "finding.not_allowed")
    return listed + [Against(kind, cite(ask, sight, each)) for each in entry.violations if each not in known]


def _of_entry(entry: SeenEntry, against: Sequence[Against]) -> Answer:
    if against:
        return "bad"
    return "fine" if entry.seen == "played" else "plain"


def _facts(ask: Ask, sight: Sight, entry: SeenEntry) -> list[Told]:
    match, lang = sight.match, ask.lang
    return [
        Told(
            fact_words(match.game, fact, lang, match.names),
            cite(ask, sight, fact.clause) if fact.clause else None,
            fact.flow,
        )
        for fact in entry.facts
    ]


def _over(sight: Sight, number: int) -> bool:
    return sight.match.closed and number == sight.head


class ActorOffers(Struct, frozen=True):
    """What an actor is asked and may do: actions in words, verbs that need more to be said, and what ends the match."""

    who: str
    questions: tuple[str, ...]
    lines: tuple[str, ...]
    more: tuple[str, ...]
    endings: tuple[str, ...]


def _list_offers(ask: Ask, sight: Sight, number: int) -> list[ActorOffers]:
    """List what may be done after an entry, actor by actor, from the viewer's own table."""
    then = sight if number == sight.head else replace(sight, match=cut(sight.match, number))
    offers = offers_of(ask.house, then, ask.lang)
    actors = dict.fromkeys(each.seat for each in (*offers.verbs, *offers.endings))
    return [_offers_of_actor(ask, sight, offers, actor) for actor in actors]


def _offers_of_actor(ask: Ask, sight: Sight, offers: Offers, actor: Seat) -> ActorOffers:
    who = seat_name(sight.match.opened.names, actor, ask.lang)

    def lines(all: Sequence[Offered]) -> tuple[str, ...]:
        return tuple(line.words.removeprefix(f"{who}: ") for each in all if each.seat == actor for line in each.lines)

    more = tuple(
        said(ask, "whynot.more", verb=each.words, named=each.form) if each.form else each.words
        for each in (*offers.verbs, *offers.endings)
        if each.seat == actor and not each.lines
    )
    questions = tuple(each.words for each in offers.questions if each.seat == actor and each.words)
    return ActorOffers(who, questions, lines(offers.verbs), more, lines(offers.endings))


def show_why_not(ask: Ask, query: Do, body: None) -> Reply:
    """Something that somebody might do, held against the table as the viewer knows it."""
    sight = ask.look(ask.viewer, "explain")
    number = ask.number("moment", sight.head)
    form = draw_form(ask, sight, number, query.by, query.verb)
    if query.go and form.verb:
        line = write_line(form, query.slot)
        return go("?".join((ask.url, urlencode({"do": line}))), status=FOUND)
    if not query.do:
        return _ask_which(ask, sight, number, form)
    try:
        asked = _decide(sight, number, query.do)
    except FormatError as error:
        return replace(_ask_which(ask, sight, number, form, query.do, error.message.say(ask.lang)), status=422)
    return _ask_which(ask, sight, number, form, query.do, asked=asked)


def _decide(sight: Sight, number: int, text: str) -> WhyNot:
    """Raises FormatError for what cannot be read with these eyes."""
    match, eyes, opened = sight.match, sight.eyes, sight.match.opened
    own = eyes.viewer if eyes.viewer in opened.seats else None
    actor, action = read_seen(match, match.after(number), text, eyes, own)
    return why_not(match, eyes, number, actor, action)


def _ask_which(
    ask: Ask, sight: Sight, number: int, form: Form, do: str = "", wrong: str = "", asked: WhyNot | None = None
) -> Reply:
    way, match = way_to(ask, sight), sight.match
    failing = [step.clause for step in asked.failing if step.holds is False] if asked is not None else []
    return within(
        ask,
        sight,
        "whynot.html",
        said(ask, "whynot.title", match=match_name(match, ask.lang), n=number),
        number,
        lambda eyes: eyes.at(number, "whynot") + (f"?{ask.query}" if ask.query else ""),
        offered=[] if do or form.verb else _list_offers(ask, sight, number),
        over=_over(sight, number),
        form=form,
        do=do,
        wrong=[("do", wrong)] if wrong else [],
        answer=_answer(asked) if asked is not None else "",
        cited=cite(ask, sight, Clause(failing[0])) if failing else None,
        steps=follow(ask, sight, asked.consulted, number) if asked is not None else (),
        shaped=shape(ask, sight, asked.shaped, number) if asked is not None else (),
        moment=way.moment(number),
        action=way.at(number, "whynot"),
    )


def _answer(asked: WhyNot) -> Answer:
    if any(step.holds is False for step in asked.failing):
        return "bad"
    return "unsure" if asked.failing else "fine"


def _tried(path: str) -> Route:
    """Whoever asks what may be done lets the law work each time."""
    return replace(page(path, show_why_not, "Why something may not be done.", "explain", Do), limit="tries")


ROUTES: Final = (
    page("/m/{match:str}/{moment:str}/why", show_why, "Why an entry went as it did.", "explain"),
    page("/m/{match:str}/{moment:str}/why/as/{viewer:str}", show_why, "The same with other eyes.", "explain"),
    _tried("/m/{match:str}/{moment:str}/whynot"),
    _tried("/m/{match:str}/{moment:str}/whynot/as/{viewer:str}"),
)
