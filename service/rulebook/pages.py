"""Rulebook pages: clauses in both languages with their current numbers, and how often closed matches use them."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Annotated, Any, Final, Literal
from urllib.parse import parse_qsl, quote, urlencode

from msgspec import Meta, Struct

from archive.verify.clause_evidence import collect_clause_evidence
from domain.formats.errors import explain_unknown
from domain.games import GAMES
from domain.law.clause import Clause
from domain.law.game import Game
from domain.law.options import Option
from domain.law.rulebook import value_text
from domain.law.rulesets import values
from domain.law.slots import verb
from domain.words import Lang, say
from projections.casebooks import ruling_words
from projections.rulebook_search import Hit, find_words, suggest_searches
from projections.rulebooks import Number, describe_clause, list_numbers, list_playable_actions
from projections.tables import TableStatus
from projections.verdicts.rendering import value_words
from recorder.finding.rows import ClauseTally
from recorder.match_list import damage_in
from recorder.troubles import StoreError
from service.access import may
from service.addresses import MatchUrls, edition_clause_url, page_url
from service.pages import page_route, template_page
from service.problems import http_problem
from service.requests import Request, Response
from service.rulebook.editions import edition_of
from service.search.queries import SearchQuery, find_page, heat_of

HOTTEST: Final = 4
"""Highest usage level that is drawn."""
MATCHES_SHOWN: Final = 5
SEARCH_MAX: Final = 100

Sort = Literal["", "clause", "kind", "uses", "matches", "findings"]
SORTS: Final[tuple[Sort, ...]] = ("clause", "kind", "uses", "matches", "findings")


class RulebookQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a rulebook page: sorted table or chapters, regulation, search."""

    sort: Sort = ""
    frame: str = ""
    q: Annotated[str, Meta(max_length=SEARCH_MAX)] = ""


class ClauseQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Regulation of a clause page, and the match that linked to it."""

    frame: str = ""
    match: str = ""


class ClauseRow(Struct, frozen=True):
    """A clause as drawn: sentences in both languages, usage, and its usage level from 0 (never)."""

    clause: Clause
    short: str
    url: str
    kind: str
    says: str
    twin: str
    revisions: str
    heat: ClauseTally
    step: int
    words: str


class Chapter(Struct, frozen=True):
    chapter: str
    title: str
    lines: tuple[ClauseRow, ...]


class ShownHit(Struct, frozen=True):
    """A search result; `url` is '' for words and cards."""

    id: str
    url: str
    kind: str
    says: str
    twin: str


class Link(Struct, frozen=True):
    """A link. `current`: it leads to this page."""

    words: str
    url: str
    current: bool = False


class RuleSetting(Struct, frozen=True):
    """A number or option in force, its other values, and the clauses that name it."""

    number: Number
    meaning: str
    value: str
    others: tuple[str, ...]
    not_offered: tuple[str, ...]
    clauses: tuple[tuple[str, str], ...]


def list_rulebooks(request: Request, query: object, body: None) -> Response:
    games = [
        (
            game.rulebook.title.say(request.lang),
            game.rulebook.title.say(_twin(request.lang)),
            page_url(request.lang, "rules", game.key),
            say("rules.clauses", request.lang, n=len(game.rulebook.clauses)),
            _list_editions(request, game, ""),
        )
        for game in GAMES.values()
    ]
    return template_page(
        request,
        "rulebooks.html",
        say("rules.title", request.lang),
        say("rules.about", request.lang),
        games=games,
        changes=may(request.session, "run_jobs"),
    )


def show_rulebook(request: Request, query: RulebookQuery, body: None) -> Response:
    game, version, rules, is_edition = _read_edition(request, query.frame)
    numbers, book = values(rules), game.rulebook
    heats, complete = heat_of(request, game.key)
    lines = tuple(_make_clause_row(request, game, numbers, heat, heats) for heat in heats)
    chapters = tuple(
        Chapter(key, name.say(request.lang), tuple(line for line in lines if book.clauses[line.clause].chapter == key))
        for key, name in book.chapters.items()
    )
    title, words = _book_title(request, game, version), query.q.strip()
    hits = find_words(game, numbers, words)
    nearest = suggest_searches(game, numbers, words) if words and not hits else ()
    return template_page(
        request,
        "rulebook.html",
        title,
        say("rules.about_book", request.lang, book=title, n=len(lines)),
        heading=title,
        named=is_edition,
        chapters=chapters,
        lines=_sort_rows(lines, query.sort),
        sort=query.sort,
        sorts=[
            Link(say(f"rules.by_{sort}", request.lang), _make_query_string(sort, query.frame), sort == query.sort)
            for sort in SORTS
        ],
        book_url=page_url(request.lang, "rules", request.path["book"]),
        frame=query.frame,
        q=words,
        search_max=SEARCH_MAX,
        hits=[_make_hit(request, hit) for hit in hits],
        nearest=[Link(near, _make_query_string("", query.frame, near)) for near in nearest],
        by_chapter=_make_query_string("", query.frame),
        by_heat=_make_query_string("uses", query.frame),
        editions=_list_editions(request, game, version),
        frames=_list_frames(request, game, version, query),
        settings=_list_settings(request, game, numbers),
        verbs=[
            (verb(action), *_word_in_both(request.lang, game, verb(action))) for action in list_playable_actions(game)
        ],
        unused=sum(not _is_used(line.heat) for line in lines),
        complete=complete,
        change=f"{page_url(request.lang, 'r')}?game={game.key}#start" if may(request.session, "run_jobs") else "",
    )


def show_clause(request: Request, query: ClauseQuery, body: None) -> Response:
    game, version, rules, _ = _read_edition(request, query.frame)
    known, clause, numbers = tuple(game.rulebook.clauses), Clause(request.path["clause"]), values(rules)
    if clause not in known:
        raise http_problem("unknown", explain_unknown("clause", clause, known, lists=False))
    heats, complete = heat_of(request, game.key)
    at, lang = known.index(clause), request.lang
    line = _make_clause_row(request, game, numbers, heats[at], heats)
    chapter = game.rulebook.clauses[clause].chapter
    around = {"back": known[at - 1] if at else "", "next": known[at + 1] if at + 1 < len(known) else ""}
    claimed = _list_cases(request, game, clause, numbers)
    found = find_page(request, SearchQuery(clause=clause, limit=MATCHES_SHOWN))
    title = say("rules.clause_of", request.lang, clause=clause, book=_book_title(request, game, version))
    return template_page(
        request,
        "clause.html",
        title,
        line.says,
        line=line,
        book=_book_title(request, game, version),
        book_url=f"{page_url(request.lang, 'rules', request.path['book'])}#{clause}",
        chapter=(chapter, game.rulebook.chapters[chapter].say(request.lang)),
        around={name: (other, _clause_url(request, other)) for name, other in around.items() if other},
        settings=[each for each in _list_settings(request, game, numbers) if clause in each.number.clauses],
        editions=[
            Link(game.rulebook.word(each, lang), edition_clause_url(lang, game.key, each, clause), each == version)
            for each in game.versions
        ],
        matches=[
            (row.match, MatchUrls(request.lang, row.match).live_url(), _usage_words(request, row.uses, len(row.hits)))
            for row in found.rows
        ],
        cases=claimed,
        disputes=_dispute_links(request, game, version, clause, query.match),
        all_url=f"{page_url(request.lang, 'find')}?clause={clause}",
        complete=complete and found.complete,
    )


def _dispute_links(request: Request, game: Game, version: str, clause: Clause, match: str) -> list[tuple[str, str]]:
    """Return links to the new-dispute form for a clause, in the linked match or in the session's own matches."""
    links: list[tuple[str, str]] = []
    for name in (match,) if match else (own for own, _ in request.context.list_matches(request.session)):
        session = request.context.in_match(request.session, name)
        table = _read_summary(request, name) if may(session, "dispute", name) else None
        if table is not None and not table.closed and (table.game, table.edition) == (game.key, version):
            url = f"{MatchUrls(request.lang, name).match_url('disputes')}?{urlencode({'clause': clause})}#open"
            links.append((say("disputes.open_in", request.lang, match=name), url))
    return links


def _read_summary(request: Request, match: str) -> TableStatus | None:
    """Return the summary of a match; None if its record is damaged."""
    try:
        summary = request.context.read_table_summary(request.session, match)
        return None if summary is None or summary.damaged else summary
    except StoreError as error:
        damage_in(match, error)
        return None


def _list_cases(
    request: Request, game: Game, clause: Clause, numbers: dict[str, Any]
) -> list[tuple[str, str, str, str]]:
    """Return the cases that show a clause: id, URL, sentence and decision."""
    cases = request.context.casebooks.cases(game.key)
    (row,) = collect_clause_evidence(game, (clause,), numbers, {}, cases)
    return [
        (
            cases[claimed.case].id,
            _case_url(request, *claimed.case.split("#", 1)),
            claimed.ja if request.lang == "ja" else claimed.en,
            ruling_words(cases[claimed.case], request.lang),
        )
        for claimed in row.cases or ()
    ]


def _case_url(request: Request, book: str, place: str) -> str:
    return f"{page_url(request.lang, 'rules', request.path['book'], 'cases', book)}#{quote(place)}"


def _read_edition(request: Request, frame: str) -> tuple[Game, str, Any, bool]:
    """Return the game, edition and rules in the path, and whether it names the edition."""
    name, at, version = request.path["book"].partition("@")
    if at and not version:
        raise http_problem("unknown")
    return *edition_of(name, version, frame), bool(at)


def _book_title(request: Request, game: Game, version: str) -> str:
    book = game.rulebook
    return say("moment.game", request.lang, game=book.title.say(request.lang), edition=book.word(version, request.lang))


def _make_clause_row(
    request: Request, game: Game, numbers: dict[str, Any], heat: ClauseTally, heats: Sequence[ClauseTally]
) -> ClauseRow:
    clause = Clause(heat.clause)
    clause_text, lang = describe_clause(game, clause, numbers), request.lang
    most = max((each.uses for each in heats), default=0)
    return ClauseRow(
        clause=clause,
        short=clause.rpartition("-")[2],
        url=_clause_url(request, clause),
        kind=say(f"kind.{clause_text.kind}", lang),
        says=clause_text.ja if lang == "ja" else clause_text.en,
        twin=clause_text.en if lang == "ja" else clause_text.ja,
        revisions=say("list.comma", lang).join(clause_text.revisions),
        heat=heat,
        step=step_of(heat.uses, most),
        words=_usage_words(request, heat.uses, heat.findings),
    )


def step_of(uses: int, most: int) -> int:
    """Return the usage level of a clause on a logarithmic scale; 0 only if it was never used."""
    if not uses:
        return 0
    return max(1, min(HOTTEST, 1 + int((HOTTEST - 1) * log10(uses) / log10(most)))) if most > 1 else HOTTEST


def _is_used(heat: ClauseTally) -> bool:
    return bool(heat.uses or heat.findings)


def _usage_words(request: Request, uses: int, findings: int) -> str:
    if not uses and not findings:
        return say("rules.never", request.lang)
    used = say("rules.uses_one" if uses == 1 else "rules.uses", request.lang, n=uses)
    if not findings:
        return used
    against = say("rules.findings_one" if findings == 1 else "rules.findings", request.lang, n=findings)
    return say("rules.used", request.lang, uses=used, findings=against)


def _sort_rows(lines: Sequence[ClauseRow], sort: Sort) -> Sequence[ClauseRow]:
    """Return the sorted lines. Ties keep the order of the rulebook."""
    match sort:
        case "" | "clause":
            return lines
        case "kind":
            return sorted(lines, key=lambda line: line.kind)
        case "uses":
            return sorted(lines, key=lambda line: -line.heat.uses)
        case "matches":
            return sorted(lines, key=lambda line: -line.heat.matches)
        case "findings":
            return sorted(lines, key=lambda line: -line.heat.findings)


def _kept_query(request: Request) -> str:
    """Return the query string that clause links keep: regulation and match."""
    params = {name: value for name, value in parse_qsl(request.query) if name in ("frame", "match")}
    return f"?{urlencode(params)}" if params else ""


def _clause_url(request: Request, clause: str) -> str:
    return page_url(request.lang, "rules", request.path["book"], clause) + _kept_query(request)


def _make_query_string(sort: Sort, frame: str, words: str = "") -> str:
    params = (("sort", sort), ("frame", frame), ("q", words))
    return f"?{urlencode({name: value for name, value in params if value})}"


def _make_hit(request: Request, hit: Hit) -> ShownHit:
    book = page_url(request.lang, "rules", request.path["book"]) + _kept_query(request)
    match hit.kind:
        case "clause":
            url = _clause_url(request, hit.id)
        case "number":
            url = f"{book}#n-{hit.id.partition('=')[0]}"
        case "verb":
            url = f"{book}#verbs"
        case _:
            url = ""
    says, twin = (hit.ja, hit.en) if request.lang == "ja" else (hit.en, hit.ja)
    return ShownHit(hit.id, url, say(f"hit.{hit.kind}", request.lang), says, twin)


def _list_editions(request: Request, game: Game, version: str) -> list[Link]:
    return [
        Link(
            game.rulebook.word(each, request.lang),
            page_url(request.lang, "rules", f"{game.key}@{each}"),
            each == version,
        )
        for each in reversed(tuple(game.versions))
    ]


def _list_frames(request: Request, game: Game, version: str, query: RulebookQuery) -> list[Link]:
    return [
        Link(
            game.rulebook.setting("frame", each, request.lang) if each else say("rules.no_frame", request.lang),
            _make_query_string(query.sort, each, query.q),
            each == query.frame,
        )
        for each in ("", *game.regulations_in(version))
    ]


def _list_settings(request: Request, game: Game, numbers: dict[str, Any]) -> list[RuleSetting]:
    book, options = game.rulebook, {option.key: option for option in game.options}

    def words(key: str, value: object) -> str:
        return book.setting(key, value, request.lang)

    return [
        RuleSetting(
            number,
            book.word(number.key, request.lang),
            value_words(game, number.key, number.value, number.value, request.lang),
            tuple(words(number.key, value) for value in _values(options, number) if value != value_text(number.value)),
            tuple(words(number.key, value) for value in options[number.key].unoffered) if number.key in options else (),
            tuple((clause, _clause_url(request, clause)) for clause in number.clauses),
        )
        for number in list_numbers(game, numbers)
    ]


def _values(options: Mapping[str, Option], number: Number) -> Sequence[str]:
    return options[number.key].values if number.key in options else ()


def _word_in_both(lang: Lang, game: Game, code: str) -> tuple[str, str]:
    """Return a word of the game in the chosen language and in the other one."""
    return game.rulebook.word(code, lang), game.rulebook.word(code, _twin(lang))


def _twin(lang: Lang) -> Lang:
    return "en" if lang == "ja" else "ja"


ROUTES: Final = (
    page_route("/rules", list_rulebooks, "List the rulebooks.", "public"),
    page_route("/rules/{book:str}", show_rulebook, "Show a rulebook and its usage.", "public", RulebookQuery),
    page_route(
        "/rules/{book:str}/{clause:str}", show_clause, "Show a clause and where it was used.", "public", ClauseQuery
    ),
)
