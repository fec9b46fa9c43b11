"""Clauses on pages: sentences in both languages, URL, outcome, and links to their subjects."""

from collections.abc import Iterable, Sequence
from typing import Literal

from markupsafe import Markup
from msgspec import Struct

from domain.law.clause import Clause
from domain.law.game import Game
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from domain.words import Lang, say
from projections import phrases as P
from projections.findings import about_words, sentence
from projections.knowledge import CardSighting as Learned
from projections.why import CheckSubject, Reason, ShapingClause
from service.context import MatchView
from service.drawing.markup import element, join_markup
from service.drawing.slider import turn_words
from service.match.layout import clause_url, match_urls
from service.requests import Request

CheckState = Literal["holds", "fails", "open"]


class ClauseCitation(Struct, frozen=True):
    """A clause with its sentence in the page's language and in the other one."""

    clause: Clause
    url: str
    says: str
    twin: str


class TrailStep(Struct, frozen=True):
    cited: ClauseCitation
    held: CheckState
    about: Markup


class ClauseInfluence(Struct, frozen=True):
    """A clause that shaped the result. For a number it has the `value` and its layers."""

    cited: ClauseCitation
    about: Markup
    value: int | None
    layers: tuple[tuple[str, str, str, str], ...]


class LearnedCards(Struct, frozen=True):
    """Cards that a player or everyone has learned: their number and faces as far as these are known."""

    who: str
    learned: tuple[tuple[str, str, str], ...]


def other_lang(lang: Lang) -> Lang:
    return "en" if lang == "ja" else "ja"


def cite(request: Request, view: MatchView, clause: Clause) -> ClauseCitation:
    """Return a clause in the edition that the match pins."""
    both = sentence(view.match.law, clause)
    return ClauseCitation(
        clause, clause_url(request, view.match, clause), both.say(request.lang), both.say(other_lang(request.lang))
    )


def turn_at(request: Request, view: MatchView, number: int) -> str:
    return turn_words(request.context.keyframes(view).stretch(number), view.match.names, request.lang)


def trail_steps(request: Request, view: MatchView, reasons: Iterable[Reason], at: int) -> tuple[TrailStep, ...]:
    """Return the checks in order, with links to the table after entry `at`."""
    return tuple(
        TrailStep(
            cite(request, view, step.clause), _read_check_state(step), link_subjects(request, view, step.about, at)
        )
        for step in reasons
    )


def _read_check_state(step: Reason) -> CheckState:
    return "open" if step.holds is None else "holds" if step.holds else "fails"


def link_subjects(request: Request, view: MatchView, about: Sequence[CheckSubject], at: int) -> Markup:
    """Return the subjects of a clause, with links to their histories."""
    urls, lang, game = match_urls(request, view), request.lang, view.match.game
    names = view.match.names
    parts: list[Markup] = []
    for each in about:
        if not each.name:
            continue
        words = about_words(game, each, lang, names)
        link = at and each.kind == "card" and each.thing
        parts.append(
            element("a", "", words, href=urls.entry_url(at, "thing", each.thing)) if link else Markup.escape(words)
        )
    between = Markup.escape(say("list.comma", lang))
    return join_markup(part for each in parts for part in (between, each))[len(between) :] if parts else Markup("")


def list_influences(
    request: Request, view: MatchView, noted: Sequence[ShapingClause], at: int
) -> tuple[ClauseInfluence, ...]:
    """Return the clauses that shaped the result without a fact of their own."""
    game, lang, names = view.match.game, request.lang, view.match.names
    return tuple(
        ClauseInfluence(
            cite(request, view, shaped.clause),
            link_subjects(request, view, shaped.about, at),
            shaped.value,
            tuple(
                (
                    f"={layer.n}" if layer.sets else str(layer.n) if number == 0 else f"{layer.n:+}",
                    about_words(game, layer.of, lang, names),
                    layer.clause,
                    clause_url(request, view.match, layer.clause),
                )
                for number, layer in enumerate(shaped.layers)
            ),
        )
        for shaped in noted
    )


def list_learned(request: Request, view: MatchView, learned: Sequence[Learned]) -> tuple[LearnedCards, ...]:
    """Return what everyone, then each seat, has learned."""
    urls, lang, game = match_urls(request, view), request.lang, view.match.game
    by_learner: list[LearnedCards] = []
    for who in (SPECTATOR, *view.match.opening.seats):
        own_cards = [each for each in learned if each.who == who]
        if own_cards or who != SPECTATOR:
            rows = tuple(
                (_seen_words(game, each, lang), f"#{each.entry}", urls.moment_url(each.entry)) for each in own_cards
            )
            by_learner.append(LearnedCards(_learner_words(view, who, lang), rows))
    return tuple(by_learner)


def _learner_words(view: MatchView, who: Seat, lang: Lang) -> str:
    return say("who.everyone", lang) if who == SPECTATOR else P.seat_name(view.match.names, who, lang)


def _seen_words(game: Game, learned: Learned, lang: Lang) -> str:
    if learned.number is None:
        return say("learned.some", lang)
    key = "learned.one" if learned.number == 1 else "learned.many"
    words = say(key, lang, n=learned.number)
    if not learned.faces:
        return words
    faces = P.listed((P.word(game, face, lang) for face in learned.faces), lang)
    return say("learned.faces", lang, cards=words, faces=faces)
