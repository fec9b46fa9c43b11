"""Finding matches: one form, and the matches that are like it, each with the way to what was found in it."""

from collections import Counter
from typing import Final, Literal, get_args
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.games import GAMES
from domain.judging.audit.finding import FindingKind
from domain.law.clause import Clause
from domain.law.disputes import Outcome, Verdict
from domain.law.game import Game
from domain.law.slots import verb
from domain.words import say
from projections.phrases import players_words
from projections.rulebooks import list_takeable
from recorder.finding.rows import Done, Found, Hit, Ruling
from service.addresses import Way
from service.asking import Ask, Reply
from service.pages.paper import page, sheet
from service.problems import Halt
from service.seeking import EVERY, FoundPage, Sought, decided_words, seek

TEXTS: Final = ("clause", "card", "player", "event")
DAYS: Final = ("since", "until")


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """What the form asks for; a field that is empty is not asked."""

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


class Shown(Struct, frozen=True):
    """A match that was found, and where it leads."""

    match: str
    url: str
    players: str
    about: tuple[str, ...]
    uses: str
    hits: tuple[tuple[str, str, bool], ...]
    """What was found in it: in words, where it is, and whether its line was undone."""
    deeds: tuple[tuple[str, str], ...]
    """What was done in it, and where."""
    rulings: tuple[tuple[str, str], ...]
    """How people decided in it, and where."""


def find(ask: Ask, query: Form, body: None) -> Reply:
    """The form, and a page of what it asks for. A field that cannot be read is said, and keeps what it held."""
    asked = replace(query, clause=query.clause.strip().upper())
    try:
        found, wrong, status = seek(ask, _sought(asked)), "", 200
    except Halt as stopped:
        found, wrong, status = FoundPage((), False, True), stopped.problem.says(ask.lang), stopped.problem.status
    filled = {name: value for name, value in asdict(asked).items() if value and name != "zone"}
    beginning = {name: value for name, value in filled.items() if name != "after"}
    more = f"?{urlencode(beginning | {'after': found.rows[-1].match})}" if found.more else ""
    reply = sheet(
        ask,
        "find.html",
        say("find.title", ask.lang),
        say("find.about", ask.lang),
        asked=asdict(asked),
        texts=TEXTS,
        days=DAYS,
        every=EVERY,
        verbs=[(game.rulebook.title.say(ask.lang), _verbs(ask, game)) for game in GAMES.values()],
        kinds=[(kind, say(f"finding.{kind}", ask.lang)) for kind in get_args(FindingKind)],
        rulings=[(verdict, say(f"ruling.{verdict}", ask.lang)) for verdict in get_args(Verdict)],
        outcomes=[(outcome, say(f"outcome.{outcome}", ask.lang)) for outcome in get_args(Outcome)],
        games=[(game.key, game.rulebook.title.say(ask.lang)) for game in GAMES.values()],
        rows=[_shown(ask, query, row) for row in found.rows],
        wrong=wrong,
        filtered=bool(filled),
        more=more,
        first=f"?{urlencode(beginning)}" if query.after else "",
        complete=found.complete,
        share=int(found.share * 100),
    )
    return replace(reply, status=status)


def _verbs(ask: Ask, game: Game) -> list[tuple[str, str]]:
    """What may be done in a game, by the words for it."""
    verbs = [verb(action) for action in list_takeable(game)]
    return sorted(((name, game.rulebook.word(name, ask.lang)) for name in verbs), key=lambda named: named[1])


def _sought(form: Form) -> Sought:
    fields = asdict(form)
    chosen = {name: fields[name] or None for name in ("verdict", "ruling", "outcome")}
    return Sought(**{**fields, **chosen})


def _shown(ask: Ask, query: Form, row: Found) -> Shown:
    lang, way = ask.lang, Way(ask.lang, row.match)
    uses = say("rules.uses_one" if row.uses == 1 else "rules.uses", lang, n=row.uses)
    about = [
        say("moment.closed" if row.closed else "moment.open", lang),
        ask.time(row.at, "day"),
        row.event,
    ]
    return Shown(
        row.match,
        way.live(),
        players_words(row.names, row.names, lang),
        (_game(ask, row), *(part for part in about if part)),
        say("find.uses", lang, clause=query.clause.strip().upper(), uses=uses) if row.uses else "",
        tuple(_hits(ask, way, row.hits)),
        tuple((_deed(ask, row, deed), way.moment(deed.entry)) for deed in row.deeds),
        tuple((_ruling(ask, ruling), way.moment(ruling.entry)) for ruling in row.rulings),
    )


def _ruling(ask: Ask, ruling: Ruling) -> str:
    return say("find.ruled", ask.lang, n=ruling.entry, how=decided_words(ruling, ask.lang))


def _deed(ask: Ask, row: Found, deed: Done) -> str:
    word = GAMES[row.game].rulebook.word(deed.verb, ask.lang) if row.game in GAMES else deed.verb
    return say("find.deed", ask.lang, n=deed.entry, verb=word)


def _game(ask: Ask, row: Found) -> str:
    if row.game not in GAMES:
        return row.game
    book = GAMES[row.game].rulebook
    return say("moment.game", ask.lang, game=book.title.say(ask.lang), edition=book.word(row.version, ask.lang))


def _hits(ask: Ask, way: Way, hits: tuple[Hit, ...]) -> list[tuple[str, str, bool]]:
    """Each finding with its address: which one of its clause in its entry, if there are several."""
    met: Counter[tuple[int, str]] = Counter()
    listed: list[tuple[str, str, bool]] = []
    for hit in hits:
        met[hit.entry, hit.clause] += 1
        kind = say(f"finding.{hit.kind}", ask.lang)
        words = say("find.hit" if hit.clause else "find.hit_bare", ask.lang, n=hit.entry, clause=hit.clause, kind=kind)
        nth = met[hit.entry, hit.clause]
        url = way.finding(hit.entry, Clause(hit.clause), nth) if hit.clause else way.moment(hit.entry)
        listed.append((words, url, hit.undone))
    return listed


ROUTES: Final = (page("/find", find, "Find matches by what was told, found and seen in them.", "public", Form),)
