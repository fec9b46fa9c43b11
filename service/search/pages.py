"""Search page: the form, and the matches found with links to each hit."""

from collections import Counter
from typing import Final, Literal, get_args
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.games import GAMES
from domain.judging.audit.audit_findings import FindingKind
from domain.law.clause import Clause
from domain.law.disputes import Outcome, Verdict
from domain.law.game import Game
from domain.law.slots import verb
from domain.words import say
from projections.phrases import players_words
from projections.rulebooks import list_playable_actions
from recorder.finding.rows import ActionHit, HitRow, MatchHit, RulingRow
from service.addresses import MatchUrls
from service.pages import page_route, template_page
from service.problems import HttpProblem
from service.requests import Request, Response
from service.search.queries import EVERY, FoundPage, SearchQuery, decided_words, find_page

TEXTS: Final = ("clause", "card", "player", "event")
DAYS: Final = ("since", "until")


class SearchForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields of the form. Empty fields are ignored."""

    clause: str = ""
    verdict: FindingKind | Literal[""] = ""
    card: str = ""
    player: str = ""
    event: str = ""
    fresh: str = ""
    ruling: Verdict | Literal[""] = ""
    outcome: Outcome | Literal[""] = ""
    game: str = ""
    since: str = ""
    until: str = ""
    zone: str = ""
    after: str = ""


class SearchResultRow(Struct, frozen=True):
    match: str
    url: str
    players: str
    about: tuple[str, ...]
    uses: str
    hits: tuple[tuple[str, str, bool], ...]
    """Findings: words, URL, and whether a rewind has undone the entry."""
    deeds: tuple[tuple[str, str], ...]
    rulings: tuple[tuple[str, str], ...]


def show_search(request: Request, query: SearchForm, body: None) -> Response:
    """Show the form and a page of results. An invalid field is reported and keeps its value."""
    form = replace(query, clause=query.clause.strip().upper())
    try:
        results, wrong, status = find_page(request, _make_query(form)), "", 200
    except HttpProblem as error:
        results, wrong, status = FoundPage((), False, True), error.problem.says(request.lang), error.problem.status
    filled = {name: value for name, value in asdict(form).items() if value and name != "zone"}
    beginning = {name: value for name, value in filled.items() if name != "after"}
    more = f"?{urlencode(beginning | {'after': results.rows[-1].match})}" if results.more else ""
    response = template_page(
        request,
        "find.html",
        say("find.title", request.lang),
        say("find.about", request.lang),
        asked=asdict(form),
        texts=TEXTS,
        days=DAYS,
        every=EVERY,
        verbs=[(game.rulebook.title.say(request.lang), _list_verbs(request, game)) for game in GAMES.values()],
        kinds=[(kind, say(f"finding.{kind}", request.lang)) for kind in get_args(FindingKind)],
        rulings=[(verdict, say(f"ruling.{verdict}", request.lang)) for verdict in get_args(Verdict)],
        outcomes=[(outcome, say(f"outcome.{outcome}", request.lang)) for outcome in get_args(Outcome)],
        games=[(game.key, game.rulebook.title.say(request.lang)) for game in GAMES.values()],
        rows=[_make_result_row(request, query, row) for row in results.rows],
        wrong=wrong,
        filtered=bool(filled),
        more=more,
        first=f"?{urlencode(beginning)}" if query.after else "",
        complete=results.complete,
        share=int(results.share * 100),
    )
    return replace(response, status=status)


def _list_verbs(request: Request, game: Game) -> list[tuple[str, str]]:
    """Return the verbs of a game and their words, sorted by word."""
    verbs = [verb(action) for action in list_playable_actions(game)]
    return sorted(((name, game.rulebook.word(name, request.lang)) for name in verbs), key=lambda named: named[1])


def _make_query(form: SearchForm) -> SearchQuery:
    fields = asdict(form)
    chosen = {name: fields[name] or None for name in ("verdict", "ruling", "outcome")}
    return SearchQuery(**{**fields, **chosen})


def _make_result_row(request: Request, query: SearchForm, row: MatchHit) -> SearchResultRow:
    lang, urls = request.lang, MatchUrls(request.lang, row.match)
    uses = say("rules.uses_one" if row.uses == 1 else "rules.uses", lang, n=row.uses)
    about = [
        say("moment.closed" if row.closed else "moment.open", lang),
        request.time(row.at, "day"),
        row.event,
    ]
    return SearchResultRow(
        row.match,
        urls.live_url(),
        players_words(row.names, row.names, lang),
        (_game_words(request, row), *(part for part in about if part)),
        say("find.uses", lang, clause=query.clause.strip().upper(), uses=uses) if row.uses else "",
        tuple(_list_hits(request, urls, row.hits)),
        tuple((_action_words(request, row, deed), urls.moment_url(deed.entry)) for deed in row.deeds),
        tuple((_ruling_words(request, ruling), urls.moment_url(ruling.entry)) for ruling in row.rulings),
    )


def _ruling_words(request: Request, ruling: RulingRow) -> str:
    return say("find.ruled", request.lang, n=ruling.entry, how=decided_words(ruling, request.lang))


def _action_words(request: Request, row: MatchHit, deed: ActionHit) -> str:
    word = GAMES[row.game].rulebook.word(deed.verb, request.lang) if row.game in GAMES else deed.verb
    return say("find.deed", request.lang, n=deed.entry, verb=word)


def _game_words(request: Request, row: MatchHit) -> str:
    if row.game not in GAMES:
        return row.game
    book = GAMES[row.game].rulebook
    return say(
        "moment.game", request.lang, game=book.title.say(request.lang), edition=book.word(row.version, request.lang)
    )


def _list_hits(request: Request, urls: MatchUrls, hits: tuple[HitRow, ...]) -> list[tuple[str, str, bool]]:
    """Return the findings with their URLs, numbered within clause and entry."""
    counts: Counter[tuple[int, str]] = Counter()
    listed: list[tuple[str, str, bool]] = []
    for hit in hits:
        counts[hit.entry, hit.clause] += 1
        kind = say(f"finding.{hit.kind}", request.lang)
        words = say(
            "find.hit" if hit.clause else "find.hit_bare", request.lang, n=hit.entry, clause=hit.clause, kind=kind
        )
        nth = counts[hit.entry, hit.clause]
        url = urls.finding_url(hit.entry, Clause(hit.clause), nth) if hit.clause else urls.moment_url(hit.entry)
        listed.append((words, url, hit.undone))
    return listed


ROUTES: Final = (
    page_route("/find", show_search, "Find matches by clause, finding, card and more.", "public", SearchForm),
)
