"""The rulebooks: every clause in both languages with the numbers in force, and how hot each is in closed matches."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Annotated, Any, Final, Literal
from urllib.parse import parse_qsl, quote, urlencode

from msgspec import Meta, Struct

from archive.verify.beside import beside
from domain.formats.errors import unknown
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
from projections.rulebooks import Number, list_numbers, list_takeable, tell_clause
from projections.tables import TableNow
from projections.verdicts.rendering import value_words
from recorder.finding.rows import Heat
from recorder.listing import damage_in
from recorder.troubles import StoreError
from service.access import may
from service.addresses import Way, to, to_clause
from service.asking import Ask, Reply
from service.editions import edition_of
from service.pages.paper import page, sheet
from service.problems import halt
from service.seeking import Sought, heat_of, seek

HOTTEST: Final = 4
"""The highest of the steps in which uses are drawn."""
MATCHES_SHOWN: Final = 5
SEARCH_MAX: Final = 100
"""Most characters of a search."""

Sort = Literal["", "clause", "kind", "uses", "matches", "findings"]
SORTS: Final[tuple[Sort, ...]] = ("clause", "kind", "uses", "matches", "findings")


class Shown(Struct, frozen=True, forbid_unknown_fields=True):
    """How a rulebook is shown: by chapters, as a sorted table, or what a search finds; and under which regulation."""

    sort: Sort = ""
    frame: str = ""
    q: Annotated[str, Meta(max_length=SEARCH_MAX)] = ""


class Framed(Struct, frozen=True, forbid_unknown_fields=True):
    """Under which regulation a clause is shown, and from which match somebody came to it."""

    frame: str = ""
    match: str = ""


class Line(Struct, frozen=True):
    """A clause as it is drawn: chosen language first, how hot it is, and the step of that from 0 (never) on."""

    clause: Clause
    short: str
    url: str
    kind: str
    says: str
    twin: str
    revisions: str
    heat: Heat
    step: int
    words: str


class Chapter(Struct, frozen=True):
    """A chapter with its clauses."""

    chapter: str
    title: str
    lines: tuple[Line, ...]


class ShownHit(Struct, frozen=True):
    """A result of a search: chosen language first, and where it stands ('' for words and cards)."""

    id: str
    url: str
    kind: str
    says: str
    twin: str


class Link(Struct, frozen=True):
    """Somewhere to go; `current` if one is there."""

    words: str
    url: str
    current: bool = False


class Setting(Struct, frozen=True):
    """A number or an option in force, what it may be instead, and the clauses that name it."""

    number: Number
    meaning: str
    value: str
    others: tuple[str, ...]
    not_offered: tuple[str, ...]
    clauses: tuple[tuple[str, str], ...]


def list_rulebooks(ask: Ask, query: object, body: None) -> Reply:
    """The games there are."""
    games = [
        (
            game.rulebook.title.say(ask.lang),
            game.rulebook.title.say(_twin(ask.lang)),
            to(ask.lang, "rules", game.key),
            say("rules.clauses", ask.lang, n=len(game.rulebook.clauses)),
            _editions(ask, game, ""),
        )
        for game in GAMES.values()
    ]
    return sheet(
        ask,
        "rulebooks.html",
        say("rules.title", ask.lang),
        say("rules.about", ask.lang),
        games=games,
        changes=may(ask.session, "run_jobs"),
    )


def show_rulebook(ask: Ask, query: Shown, body: None) -> Reply:
    """A rulebook in an edition: chapter by chapter, or as a table by heat."""
    game, version, rules, named = _book(ask, query.frame)
    numbers, book = values(rules), game.rulebook
    heats, complete = heat_of(ask, game.key)
    lines = tuple(_line(ask, game, numbers, heat, heats) for heat in heats)
    chapters = tuple(
        Chapter(key, name.say(ask.lang), tuple(line for line in lines if book.clauses[line.clause].chapter == key))
        for key, name in book.chapters.items()
    )
    title, words = _title(ask, game, version), query.q.strip()
    hits = find_words(game, numbers, words)
    nearest = suggest_searches(game, numbers, words) if words and not hits else ()
    return sheet(
        ask,
        "rulebook.html",
        title,
        say("rules.about_book", ask.lang, book=title, n=len(lines)),
        heading=title,
        named=named,
        chapters=chapters,
        lines=_sorted(lines, query.sort),
        sort=query.sort,
        sorts=[
            Link(say(f"rules.by_{sort}", ask.lang), _shown(sort, query.frame), sort == query.sort) for sort in SORTS
        ],
        book_url=to(ask.lang, "rules", ask.path["book"]),
        frame=query.frame,
        q=words,
        search_max=SEARCH_MAX,
        hits=[_hit(ask, hit) for hit in hits],
        nearest=[Link(near, _shown("", query.frame, near)) for near in nearest],
        by_chapter=_shown("", query.frame),
        by_heat=_shown("uses", query.frame),
        editions=_editions(ask, game, version),
        frames=_frames(ask, game, version, query),
        settings=_settings(ask, game, numbers),
        verbs=[(verb(action), *_both(ask.lang, game, verb(action))) for action in list_takeable(game)],
        unused=sum(not _hot(line.heat) for line in lines),
        complete=complete,
        change=f"{to(ask.lang, 'r')}?game={game.key}#start" if may(ask.session, "run_jobs") else "",
    )


def show_clause(ask: Ask, query: Framed, body: None) -> Reply:
    """A clause in an edition, what stands in it, and where it was used."""
    game, version, rules, _ = _book(ask, query.frame)
    known, clause, numbers = tuple(game.rulebook.clauses), Clause(ask.path["clause"]), values(rules)
    if clause not in known:
        raise halt("unknown", unknown("clause", clause, known, lists=False))
    heats, complete = heat_of(ask, game.key)
    at = known.index(clause)
    line = _line(ask, game, numbers, heats[at], heats)
    chapter = game.rulebook.clauses[clause].chapter
    around = {"back": known[at - 1] if at else "", "next": known[at + 1] if at + 1 < len(known) else ""}
    claimed = _cases(ask, game, clause, numbers)
    found = seek(ask, Sought(clause=clause, limit=MATCHES_SHOWN))
    title = say("rules.clause_of", ask.lang, clause=clause, book=_title(ask, game, version))
    return sheet(
        ask,
        "clause.html",
        title,
        line.says,
        line=line,
        book=_title(ask, game, version),
        book_url=f"{to(ask.lang, 'rules', ask.path['book'])}#{clause}",
        chapter=(chapter, game.rulebook.chapters[chapter].say(ask.lang)),
        around={name: (other, _clause_url(ask, other)) for name, other in around.items() if other},
        settings=[each for each in _settings(ask, game, numbers) if clause in each.number.clauses],
        editions=[
            Link(game.rulebook.word(each, ask.lang), to_clause(ask.lang, game.key, each, clause), each == version)
            for each in game.versions
        ],
        matches=[
            (row.match, Way(ask.lang, row.match).live(), _used(ask, row.uses, len(row.hits))) for row in found.rows
        ],
        cases=claimed,
        disputes=_disputes(ask, game, version, clause, query.match),
        all_url=f"{to(ask.lang, 'find')}?clause={clause}",
        complete=complete and found.complete,
    )


def _disputes(ask: Ask, game: Game, version: str, clause: Clause, match: str) -> list[tuple[str, str]]:
    """Where somebody opens a dispute about a clause: in the match they came from, else in their own."""
    ways: list[tuple[str, str]] = []
    for name in (match,) if match else (own for own, _ in ask.house.list_matches(ask.session)):
        session = ask.house.in_match(ask.session, name)
        table = _glance(ask, name) if may(session, "dispute", name) else None
        if table is not None and not table.closed and (table.game, table.edition) == (game.key, version):
            url = f"{Way(ask.lang, name).all('disputes')}?{urlencode({'clause': clause})}#open"
            ways.append((say("disputes.open_in", ask.lang, match=name), url))
    return ways


def _glance(ask: Ask, match: str) -> TableNow | None:
    """How a match stands; nothing of one whose record cannot be read whole."""
    try:
        now = ask.house.glance(ask.session, match)
        return None if now is None or now.damaged else now
    except StoreError as error:
        damage_in(match, error)
        return None


def _cases(ask: Ask, game: Game, clause: Clause, numbers: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """The cases that show a clause: id and address, what each says, and what it decides."""
    cases = ask.house.casebooks.cases(game.key)
    (row,) = beside(game, (clause,), numbers, {}, cases)
    return [
        (
            cases[claimed.case].id,
            _case_url(ask, *claimed.case.split("#", 1)),
            claimed.ja if ask.lang == "ja" else claimed.en,
            ruling_words(cases[claimed.case], ask.lang),
        )
        for claimed in row.cases or ()
    ]


def _case_url(ask: Ask, book: str, place: str) -> str:
    return f"{to(ask.lang, 'rules', ask.path['book'], 'cases', book)}#{quote(place)}"


def _book(ask: Ask, frame: str) -> tuple[Game, str, Any, bool]:
    """The game, edition and rules that the address names; and whether it names the edition."""
    name, at, version = ask.path["book"].partition("@")
    if at and not version:
        raise halt("unknown")
    return *edition_of(name, version, frame), bool(at)


def _title(ask: Ask, game: Game, version: str) -> str:
    book = game.rulebook
    return say("moment.game", ask.lang, game=book.title.say(ask.lang), edition=book.word(version, ask.lang))


def _line(ask: Ask, game: Game, numbers: dict[str, Any], heat: Heat, heats: Sequence[Heat]) -> Line:
    clause = Clause(heat.clause)
    told, lang = tell_clause(game, clause, numbers), ask.lang
    most = max((each.uses for each in heats), default=0)
    return Line(
        clause=clause,
        short=clause.rpartition("-")[2],
        url=_clause_url(ask, clause),
        kind=say(f"kind.{told.kind}", lang),
        says=told.ja if lang == "ja" else told.en,
        twin=told.en if lang == "ja" else told.ja,
        revisions=say("list.comma", lang).join(told.revisions),
        heat=heat,
        step=step_of(heat.uses, most),
        words=_used(ask, heat.uses, heat.findings),
    )


def step_of(uses: int, most: int) -> int:
    """How hot a clause is drawn, by the logarithm of its uses: 0 only if it was never used."""
    if not uses:
        return 0
    return max(1, min(HOTTEST, 1 + int((HOTTEST - 1) * log10(uses) / log10(most)))) if most > 1 else HOTTEST


def _hot(heat: Heat) -> bool:
    return bool(heat.uses or heat.findings)


def _used(ask: Ask, uses: int, findings: int) -> str:
    """How hot a clause is, in words."""
    if not uses and not findings:
        return say("rules.never", ask.lang)
    used = say("rules.uses_one" if uses == 1 else "rules.uses", ask.lang, n=uses)
    if not findings:
        return used
    against = say("rules.findings_one" if findings == 1 else "rules.findings", ask.lang, n=findings)
    return say("rules.used", ask.lang, uses=used, findings=against)


def _sorted(lines: Sequence[Line], sort: Sort) -> Sequence[Line]:
    """The lines of the table; what is alike stays as the rulebook has it."""
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


def _query(ask: Ask) -> str:
    """What a clause keeps of the address of its rulebook, or of another clause: the regulation, the match."""
    kept = {name: value for name, value in parse_qsl(ask.query) if name in ("frame", "match")}
    return f"?{urlencode(kept)}" if kept else ""


def _clause_url(ask: Ask, clause: str) -> str:
    return to(ask.lang, "rules", ask.path["book"], clause) + _query(ask)


def _shown(sort: Sort, frame: str, words: str = "") -> str:
    """The query that shows a rulebook so."""
    asked = (("sort", sort), ("frame", frame), ("q", words))
    return f"?{urlencode({name: value for name, value in asked if value})}"


def _hit(ask: Ask, hit: Hit) -> ShownHit:
    book = to(ask.lang, "rules", ask.path["book"]) + _query(ask)
    match hit.kind:
        case "clause":
            url = _clause_url(ask, hit.id)
        case "number":
            url = f"{book}#n-{hit.id.partition('=')[0]}"
        case "verb":
            url = f"{book}#verbs"
        case _:
            url = ""
    says, twin = (hit.ja, hit.en) if ask.lang == "ja" else (hit.en, hit.ja)
    return ShownHit(hit.id, url, say(f"hit.{hit.kind}", ask.lang), says, twin)


def _editions(ask: Ask, game: Game, version: str) -> list[Link]:
    return [
        Link(game.rulebook.word(each, ask.lang), to(ask.lang, "rules", f"{game.key}@{each}"), each == version)
        for each in reversed(tuple(game.versions))
    ]


def _frames(ask: Ask, game: Game, version: str, query: Shown) -> list[Link]:
    return [
        Link(
            game.rulebook.setting("frame", each, ask.lang) if each else say("rules.no_frame", ask.lang),
            _shown(query.sort, each, query.q),
            each == query.frame,
        )
        for each in ("", *game.regulations_in(version))
    ]


def _settings(ask: Ask, game: Game, numbers: dict[str, Any]) -> list[Setting]:
    """Every number and option in force."""
    book, options = game.rulebook, {option.key: option for option in game.options}

    def words(key: str, value: object) -> str:
        return book.setting(key, value, ask.lang)

    return [
        Setting(
            number,
            book.word(number.key, ask.lang),
            value_words(game, number.key, number.value, number.value, ask.lang),
            tuple(words(number.key, value) for value in _values(options, number) if value != value_text(number.value)),
            tuple(words(number.key, value) for value in options[number.key].unoffered) if number.key in options else (),
            tuple((clause, _clause_url(ask, clause)) for clause in number.clauses),
        )
        for number in list_numbers(game, numbers)
    ]


def _values(options: Mapping[str, Option], number: Number) -> Sequence[str]:
    return options[number.key].values if number.key in options else ()


def _both(lang: Lang, game: Game, code: str) -> tuple[str, str]:
    """A word of the game in the chosen language and in the other."""
    return game.rulebook.word(code, lang), game.rulebook.word(code, _twin(lang))


def _twin(lang: Lang) -> Lang:
    return "en" if lang == "ja" else "ja"


ROUTES: Final = (
    page("/rules", list_rulebooks, "The rulebooks there are.", "public"),
    page("/rules/{book:str}", show_rulebook, "A rulebook in an edition, and how hot its clauses are.", "public", Shown),
    page("/rules/{book:str}/{clause:str}", show_clause, "A clause, and where it was used.", "public", Framed),
)
