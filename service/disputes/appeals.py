"""Material for deciding an appeal: views of the moment, other readings of the rules, earlier rulings."""

from typing import Literal

from msgspec import Struct

from domain.games import GAMES
from domain.judging.readings import read_otherwise
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import Played
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.contradictions import Contradiction, RulingInForce
from projections.disputes import SeenDispute
from projections.docket_words import penalty_words
from projections.phrases import NO_NAMES, listed, seat_name, word
from projections.precedents import Precedent
from service.access import may, may_look
from service.addresses import to_clause, way_of
from service.context import MatchView
from service.disputes import casefiles
from service.idempotency import writer
from service.match.layout import clause_url
from service.pages import translate
from service.requests import Request


class JudgeViewLink(Struct, frozen=True):
    """Link to a view of the disputed moment. `state` is "yes" if open now, "next" if it may be opened, "later" if
    others come first. `opened` is the entry that recorded an earlier look."""

    viewer: Seat
    words: str
    url: str
    state: Literal["yes", "next", "later"]
    opened: int = 0


class Other(Struct, frozen=True):
    """An option whose other value changes the finding on the disputed entry."""

    option: str
    own: str
    value: str
    finding: str
    clause: Clause


class Earlier(Struct, frozen=True):
    """A precedent with its page, and what has changed since."""

    told: Precedent
    url: str
    day: str
    clauses: tuple[tuple[Clause, str], ...]
    penalties: str
    shared: str
    changed: tuple[str, ...]


class Linked(Struct, frozen=True):
    told: RulingInForce
    url: str
    day: str


class ContradictionRow(Struct, frozen=True):
    says: str
    clause_url: str
    clause: Clause
    rulings: tuple[Linked, ...]


def list_views(request: Request, view: MatchView, dispute: SeenDispute) -> list[JudgeViewLink]:
    """Return the views of the disputed moment in the order a judge opens them: spectator, each seat, judge.

    Empty unless the session may break seals. A view that this judge has opened during the dispute can be opened again,
    even after the dispute is closed.
    """
    match, context = view.match, request.context
    if not may(request.session, "see_closed" if view.over else "break_seal", match.id):
        return []
    own_looks = {
        entry.eyes: number
        for number, entry in enumerate(match.entries, start=1)
        if number > dispute.dispute and isinstance(entry, D.Unsealed) and entry.by == writer(request.session)
    }
    broken = context.seals.broken(request.session, match.id, context.clock())
    views: list[JudgeViewLink] = []
    waits = False
    for viewer in (SPECTATOR, *match.opening.seats, JUDGE):
        looking = may_look(
            request.session, match.id, viewer, broken, closed=view.over, published=context.settings.published
        )
        opened = own_looks.get(viewer, 0)
        state: Literal["yes", "next", "later"] = (
            "yes" if looking == "yes" else "next" if opened or not waits else "later"
        )
        waits = waits or (looking != "yes" and not opened)
        urls, about = way_of(request.lang, match.id, viewer, request.own_seat), dispute.matter.entry
        url = urls.moment(about) if about else urls.live()
        views.append(JudgeViewLink(viewer, seat_name(match.names, viewer, request.lang), url, state, opened))
    return views


def list_others(request: Request, view: MatchView, number: int) -> list[Other] | None:
    """Return the options that change the finding on the disputed entry; None if the session may not know them."""
    match, game, lang = view.match, view.match.game, request.lang
    if not (view.knows and number and may(request.session, "findings", match.id, closed=view.over)):
        return None
    if not isinstance(match.entries[number - 1], Played):
        return []
    return [
        Other(
            option=word(game, other.option, lang),
            own=game.rulebook.setting(other.option, other.own, lang),
            value=game.rulebook.setting(other.option, other.value, lang),
            finding=translate(request, f"finding.{other.finding}")
            if other.finding
            else translate(request, "casefile.nothing_found"),
            clause=other.clause,
        )
        for other in read_otherwise(match, number)
    ]


def list_earlier(request: Request, view: MatchView, number: int) -> list[Earlier]:
    """Return the precedents of a dispute with their pages."""
    return [_earlier(request, view, precedent) for precedent in casefiles.list_precedents(request, view, number)]


def _earlier(request: Request, view: MatchView, told: Precedent) -> Earlier:
    match, lang = view.match, request.lang
    shared = told.shared
    faces = (word(match.game, face, lang) for face in shared.faces)
    return Earlier(
        told=told,
        url=way_of(lang, told.match, SPECTATOR).at("disputes", told.dispute),
        day=request.time(told.at, "date"),
        clauses=tuple((clause, clause_url(request, match, clause)) for clause in told.clauses),
        penalties=listed((penalty_words(penalty, lang, NO_NAMES) for penalty in told.penalties), lang),
        shared=listed((*shared.clauses, *faces), lang),
        changed=tuple(_changes(request, view, told)),
    )


def _changes(request: Request, view: MatchView, told: Precedent) -> list[str]:
    rulebook, lang = view.match.game.rulebook, request.lang
    texts = [
        translate(request, "precedent.text", clause=text.clause, text=text.was.ja if lang == "ja" else text.was.en)
        for text in told.texts
    ]
    options = [
        translate(
            request,
            "precedent.option",
            option=rulebook.word(value.key, lang),
            was=rulebook.setting(value.key, value.was, lang),
            now=rulebook.setting(value.key, value.now, lang),
        )
        for value in told.options
    ]
    return [*texts, *options, *([translate(request, "casefile.law_changed")] if told.law_changed else [])]


def list_parted(request: Request, viewer: Seat, game: str = "", match: str = "") -> list[ContradictionRow]:
    """Return contradicting rulings with their pages. With `match`, only contradictions that involve this match."""
    return [
        _parted(request, each)
        for each in casefiles.list_contradictions(request, viewer, game)
        if not match or any(ruling.match == match for ruling in each.rulings)
    ]


def _parted(request: Request, told: Contradiction) -> ContradictionRow:
    rulebook, lang = GAMES[told.game].rulebook, request.lang
    says = translate(
        request,
        "contradiction.heading",
        clause=told.clause,
        verb=rulebook.word(told.verb, lang),
        game=rulebook.title.say(lang),
        version=rulebook.word(told.version, lang),
    )
    rulings = tuple(
        Linked(
            ruling,
            way_of(lang, ruling.match, SPECTATOR).at("disputes", ruling.dispute),
            request.time(ruling.at, "date"),
        )
        for ruling in told.rulings
    )
    return ContradictionRow(says, to_clause(lang, told.game, told.version, told.clause), told.clause, rulings)
