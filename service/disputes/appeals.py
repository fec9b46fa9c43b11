"""Material for deciding an appeal: views of the moment, other readings of the rules, earlier rulings."""

from typing import Literal

from msgspec import Struct

from domain.games import GAMES
from domain.judging.readings import find_other_readings
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
from service.access import may, view_access
from service.addresses import edition_clause_url, match_urls_of
from service.context import MatchView
from service.disputes import casefiles
from service.idempotency import author_of
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


class OtherReadingRow(Struct, frozen=True):
    """An option whose other value changes the finding on the disputed entry."""

    option: str
    own: str
    value: str
    finding: str
    clause: Clause


class PrecedentRow(Struct, frozen=True):
    """A precedent with its page, and what has changed since."""

    precedent: Precedent
    url: str
    day: str
    clauses: tuple[tuple[Clause, str], ...]
    penalties: str
    shared: str
    changed: tuple[str, ...]


class LinkedRuling(Struct, frozen=True):
    ruling: RulingInForce
    url: str
    day: str


class ContradictionRow(Struct, frozen=True):
    says: str
    clause_url: str
    clause: Clause
    rulings: tuple[LinkedRuling, ...]


def list_views(request: Request, view: MatchView, dispute: SeenDispute) -> list[JudgeViewLink]:
    """Return the views of the disputed moment in the order a judge opens them: spectator, each seat, judge.

    Empty unless the session may break seals. A view that this judge has opened during the dispute can be opened again,
    even after the dispute is closed.
    """
    match, context = view.match, request.context
    if not may(request.session, "see_closed" if view.over else "break_seal", match.id):
        return []
    earlier_looks = {
        entry.eyes: number
        for number, entry in enumerate(match.entries, start=1)
        if number > dispute.dispute and isinstance(entry, D.Unsealed) and entry.by == author_of(request.session)
    }
    broken = context.seals.find_broken(request.session, match.id, context.clock())
    views: list[JudgeViewLink] = []
    is_waiting = False
    for viewer in (SPECTATOR, *match.opening.seats, JUDGE):
        access = view_access(
            request.session, match.id, viewer, broken, closed=view.over, published=context.settings.published
        )
        opened = earlier_looks.get(viewer, 0)
        state: Literal["yes", "next", "later"] = (
            "yes" if access == "yes" else "next" if opened or not is_waiting else "later"
        )
        is_waiting = is_waiting or (access != "yes" and not opened)
        urls, about = match_urls_of(request.lang, match.id, viewer, request.own_seat), dispute.matter.entry
        url = urls.moment_url(about) if about else urls.live_url()
        views.append(JudgeViewLink(viewer, seat_name(match.names, viewer, request.lang), url, state, opened))
    return views


def list_others(request: Request, view: MatchView, number: int) -> list[OtherReadingRow] | None:
    """Return the options that change the finding on the disputed entry; None if the session may not know them."""
    match, game, lang = view.match, view.match.game, request.lang
    if not (view.may_see_hidden and number and may(request.session, "findings", match.id, closed=view.over)):
        return None
    if not isinstance(match.entries[number - 1], Played):
        return []
    return [
        OtherReadingRow(
            option=word(game, other.option, lang),
            own=game.rulebook.setting(other.option, other.own, lang),
            value=game.rulebook.setting(other.option, other.value, lang),
            finding=translate(request, f"finding.{other.finding}")
            if other.finding
            else translate(request, "casefile.nothing_found"),
            clause=other.clause,
        )
        for other in find_other_readings(match, number)
    ]


def list_precedents(request: Request, view: MatchView, number: int) -> list[PrecedentRow]:
    """Return the precedents of a dispute with their pages."""
    return [
        _make_precedent_row(request, view, precedent) for precedent in casefiles.list_precedents(request, view, number)
    ]


def _make_precedent_row(request: Request, view: MatchView, precedent: Precedent) -> PrecedentRow:
    match, lang = view.match, request.lang
    shared = precedent.shared
    faces = (word(match.game, face, lang) for face in shared.faces)
    return PrecedentRow(
        precedent=precedent,
        url=match_urls_of(lang, precedent.match, SPECTATOR).entry_url("disputes", precedent.dispute),
        day=request.time(precedent.at, "date"),
        clauses=tuple((clause, clause_url(request, match, clause)) for clause in precedent.clauses),
        penalties=listed((penalty_words(penalty, lang, NO_NAMES) for penalty in precedent.penalties), lang),
        shared=listed((*shared.clauses, *faces), lang),
        changed=tuple(_list_changes(request, view, precedent)),
    )


def _list_changes(request: Request, view: MatchView, precedent: Precedent) -> list[str]:
    rulebook, lang = view.match.game.rulebook, request.lang
    texts = [
        translate(request, "precedent.text", clause=text.clause, text=text.was.ja if lang == "ja" else text.was.en)
        for text in precedent.texts
    ]
    options = [
        translate(
            request,
            "precedent.option",
            option=rulebook.word(value.key, lang),
            was=rulebook.setting(value.key, value.was, lang),
            now=rulebook.setting(value.key, value.now, lang),
        )
        for value in precedent.options
    ]
    return [*texts, *options, *([translate(request, "casefile.law_changed")] if precedent.law_changed else [])]


def list_contradictions(request: Request, viewer: Seat, game: str = "", match: str = "") -> list[ContradictionRow]:
    """Return contradicting rulings with their pages. With `match`, only contradictions that involve this match."""
    return [
        make_contradiction_row(request, each)
        for each in casefiles.list_contradictions(request, viewer, game)
        if not match or any(ruling.match == match for ruling in each.rulings)
    ]


def make_contradiction_row(request: Request, contradiction: Contradiction) -> ContradictionRow:
    rulebook, lang = GAMES[contradiction.game].rulebook, request.lang
    says = translate(
        request,
        "contradiction.heading",
        clause=contradiction.clause,
        verb=rulebook.word(contradiction.verb, lang),
        game=rulebook.title.say(lang),
        version=rulebook.word(contradiction.version, lang),
    )
    rulings = tuple(
        LinkedRuling(
            ruling,
            match_urls_of(lang, ruling.match, SPECTATOR).entry_url("disputes", ruling.dispute),
            request.time(ruling.at, "date"),
        )
        for ruling in contradiction.rulings
    )
    return ContradictionRow(
        says,
        edition_clause_url(lang, contradiction.game, contradiction.version, contradiction.clause),
        contradiction.clause,
        rulings,
    )
