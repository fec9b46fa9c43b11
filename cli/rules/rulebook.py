"""Rulebook: the whole book, one clause, one card, or a search."""

from collections.abc import Mapping
from importlib.resources import files
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from archive.verify.citations import read_modules
from archive.verify.clause_evidence import ClauseEvidence, collect_clause_evidence
from cli.answer import Answer
from cli.context import NAMED_MAX, CommandContext
from cli.many.case import casebooks, load
from cli.problems import CommandError
from cli.values import Frame, Settings
from domain.formats.casebook import Case
from domain.formats.casebook.load import SUFFIX
from domain.formats.errors import explain_unknown, quote_input
from domain.law.clause import Clause, Clause as ClauseId
from domain.law.game import Game
from domain.law.rulebook import value_text
from domain.law.rulesets import pin_cards, values
from domain.law.slots import Slot, slots, verb
from domain.words import LANGS, Lang
from projections.case_words import CaseWord, list_case_words
from projections.rulebook_search import Hit, find_words, printed_cards, short_value, suggest_searches
from projections.rulebooks import (
    Book,
    ClauseText,
    describe_clause,
    describe_rulebook,
    find_clause,
    list_numbers,
    list_playable_actions,
)


class ClauseListing(Struct, frozen=True):
    """Clauses of a rulebook with the code that implements them."""

    game: str
    version: str
    law: tuple[ClauseEvidence, ...]


def _show_law(
    ctx: CommandContext, game: Game, version: str, clause: Clause | None, numbers: dict[str, object], cases: str | None
) -> Answer[ClauseListing]:
    default_folder = Path("fixtures") / game.key / "cases"
    where = cases if cases is not None else str(default_folder) if any(default_folder.glob(f"*{SUFFIX}")) else None
    claiming = None if where is None else _cases(ctx, game, where)
    sources = read_modules(Path(str(files(f"domain.games.{game.key}"))))
    clauses = tuple(game.rulebook.clauses) if clause is None else (clause,)
    rows = tuple(collect_clause_evidence(game, clauses, numbers, sources, claiming))

    def draw() -> None:
        for row in rows:
            _draw_law(ctx, row)
        if claiming is None:
            ctx.hint("law.no_cases")

    return Answer(lambda: ClauseListing(game.key, version, rows), draw)


def _cases(ctx: CommandContext, game: Game, path: str) -> Mapping[str, Case]:
    unread: list[str] = []
    paths = casebooks(ctx, [path], unread)
    if unread:
        raise CommandError(unread[0])
    books = ((file.name, load(ctx, file)) for file in paths)
    return {f"{name}: {case.id}": case for name, book in books for case in book.cases if case.game == game.key}


def _draw_law(ctx: CommandContext, row: ClauseEvidence) -> None:
    screen = ctx.screen
    screen.line(ctx.say("law.clause", clause=f"{row.clause} {row.name}", kind=ctx.say(f"kind.{row.kind}")), "clause")
    screen.line("  " + ctx.pick(row.en, row.ja))
    for line in row.law:
        key = "law.told" if not line.carried else "law.carried" if line.function else "law.row"
        where = f"{line.file}:{line.line}"
        screen.line("  " + ctx.say(key, where=where, function=line.function or "-", source=line.source))
    for case in row.cases or ():
        screen.line("  " + ctx.say("law.case", case=case.case, says=ctx.pick(case.en, case.ja)))


def cards_of(game: Game, text: str) -> tuple[str, ...]:
    """Return the cards with this face, name or prefix of a name, in either language."""
    cards = printed_cards(game)
    wanted = text.strip().casefold()
    if not wanted:
        return ()
    names = {face: [name_of(game, face, lang).casefold() for lang in LANGS] for face in cards}
    exact = tuple(face for face in cards if wanted in (face.casefold(), *names[face]))
    return exact or tuple(face for face in cards if any(name.startswith(wanted) for name in names[face]))


def name_of(game: Game, face: str, lang: Lang) -> str:
    return game.rulebook.word(face, lang).removeprefix(face).strip()


def draw_numbers(ctx: CommandContext, game: Game, values: dict[str, object]) -> None:
    offered = {option.key: " ".join(option.values) for option in game.options}
    explained = [(number, ctx.pick(number.en, number.ja)) for number in list_numbers(game, values)]
    ctx.screen.line()
    ctx.print_message("rulebook.numbers", "heading")
    number_rows = [
        (n.key, short_value(n.value), " ".join(n.clauses) or "-", meaning) for n, meaning in explained if not n.row
    ]
    ctx.table(("option", "value", "clauses_of", "meaning"), number_rows, drop=(2,))
    ctx.screen.line()
    ctx.print_message("rulebook.options", "heading")
    option_rows = [(n.row, n.key, value_text(n.value), offered[n.key], meaning) for n, meaning in explained if n.row]
    ctx.table(("row", "option", "value", "values", "meaning"), option_rows, drop=(3, 0))


WORDS_MAX = 8


class RulebookSearchResult(Struct, frozen=True):
    """Result of a search in a rulebook."""

    game: str
    version: str
    search: str
    found: tuple[Hit, ...]
    nearest: tuple[str, ...] = ()
    """Similar searches with hits, if there are none."""


def draw_search(ctx: CommandContext, found: RulebookSearchResult) -> None:
    if not found.found:
        ctx.print_message("rulebook.nothing", words=repr(found.search))
    if found.nearest:
        ctx.print_message("rulebook.nearest", searches=ctx.say("list.comma").join(map(repr, found.nearest)))
    for hit in found.found:
        first, *more = ctx.pick(hit.en, hit.ja).split("\n")
        head = ctx.say("rulebook.hit", kind=ctx.say(f"hit.{hit.kind}"), id=hit.id)
        ctx.screen.line(f"{head}  {first}", "clause" if hit.kind == "clause" else "")
        for line in more:
            ctx.screen.line(f"  {line}")


class CaseWords(Struct, frozen=True):
    """Words that cases of a game may use."""

    game: str
    version: str
    words: tuple[CaseWord, ...]


def draw_case_words(ctx: CommandContext, listed: CaseWords) -> None:
    for kind, group in groupby(listed.words, key=attrgetter("kind")):
        words = tuple(group)
        ctx.screen.line()
        ctx.print_message(f"words.{kind}", "heading")
        columns = ("word", f"where_{kind}", "meaning") if any(word.where for word in words) else ("word", "meaning")
        rows = [(word.word, word.where, ctx.pick(word.en, word.ja)) for word in words]
        ctx.table(columns, rows if len(columns) > len(("word", "meaning")) else [(row[0], row[-1]) for row in rows])


class PrintedCard(Struct, frozen=True):
    """A card as printed in each language: its name, then its text."""

    card: str
    en: tuple[str, ...]
    ja: tuple[str, ...]


def rulebook(
    ctx: CommandContext,
    game: Annotated[str, "GAME[@VERSION]"],
    clause: Annotated[str | None, "CLAUSE|CARD"] = None,
    frame: Frame = None,
    settings: Settings = None,
    search: Annotated[str | None, "--search WORDS"] = None,
    law: Annotated[bool, "--law"] = False,
    cases: Annotated[str | None, "--cases PATH"] = None,
    words: Annotated[bool, "--words"] = False,
) -> Answer[Book | ClauseText | PrintedCard | RulebookSearchResult | CaseWords | ClauseListing]:
    if search is not None and law:
        raise ctx.problem("cli.not_both", one="--law", other="--search")
    if words and (law or search is not None or clause is not None):
        other = "--law" if law else "--search" if search is not None else "CLAUSE"
        raise ctx.problem("cli.not_both", one="--words", other=other)
    if cases is not None and not law:
        raise ctx.problem("cli.only_with", one="--cases", other="--law")
    key, at, version = game.partition("@")
    played = ctx.game(key)
    _, version, rules = ctx.rules(f"{key}@{version if at else next(iter(played.versions))}", frame, settings)
    played = played.under(pin_cards(played, rules))
    numbers = values(rules)
    if words:
        listed = CaseWords(played.key, version, list_case_words(played, rules))
        return Answer(lambda: listed, lambda: draw_case_words(ctx, listed))
    if law:
        wanted = None if clause is None else _clause_named(ctx, played, clause)
        return _show_law(ctx, played, version, wanted, numbers, cases)
    if search is not None:
        words_sought = f"{clause or ''} {search}"
        hits = find_words(played, numbers, words_sought)
        nearest = () if hits else suggest_searches(played, numbers, words_sought)
        found = RulebookSearchResult(played.key, version, search, hits, nearest)
        return Answer(lambda: found, lambda: draw_search(ctx, found))
    if clause is not None:
        return _named(ctx, played, clause, numbers)
    return Answer(lambda: describe_rulebook(played, version, numbers), lambda: _draw(ctx, played, version, numbers))


def _clause_named(ctx: CommandContext, game: Game, text: str) -> ClauseId:
    clause = find_clause(game, text)
    if clause is None:
        raise ctx.refuse(explain_unknown("clause", text, tuple(game.rulebook.clauses), lists=False))
    return clause


def _named(ctx: CommandContext, game: Game, text: str, numbers: dict[str, object]) -> Answer[ClauseText | PrintedCard]:
    clause, cards = find_clause(game, text), cards_of(game, text)
    if clause is not None:
        sentence = describe_clause(game, clause, numbers)

        def draw() -> None:
            ctx.screen.line(
                ctx.say("law.clause", clause=sentence.clause, kind=ctx.say(f"kind.{sentence.kind}")), "clause"
            )
            ctx.screen.line(ctx.pick(sentence.en, sentence.ja))

        return Answer(lambda: sentence, draw)
    if len(cards) == 1:
        en, ja = (tuple(game.display.card(cards[0], lang)) for lang in LANGS)
        card = PrintedCard(cards[0], en, ja)

        def draw_card() -> None:
            name, *lines = ctx.pick(card.en, card.ja)
            ctx.screen.line(name, "title")
            for line in lines:
                ctx.screen.line(line)

        return Answer(lambda: card, draw_card)
    if cards:
        named = ctx.say("list.comma").join([game.rulebook.word(face, ctx.lang) for face in cards[:NAMED_MAX]])
        more = ctx.say("list.comma") + "..." if len(cards) > NAMED_MAX else ""
        raise ctx.problem("cli.many_cards", name=quote_input(text), cards=named + more)
    faces = printed_cards(game)
    names = (name_of(game, face, lang) for face in faces for lang in LANGS)
    ways = (*game.rulebook.clauses, *faces, *names)
    raise ctx.refuse(explain_unknown("clause_or_card" if faces else "clause", text, ways, lists=False))


def _draw(ctx: CommandContext, game: Game, version: str, numbers: dict[str, object]) -> None:
    book, screen, lang = game.rulebook, ctx.screen, ctx.lang
    title = ctx.pick(book.title.en, book.title.ja)
    screen.line(f"{title}  {game.key}@{version}", "title")
    for chapter, name in book.chapters.items():
        screen.line()
        screen.line(f"{chapter}  {ctx.pick(name.en, name.ja)}", "heading")
        rows = [
            (clause, ctx.say(f"kind.{entry.kind}"), book.sentence(clause, lang, numbers))
            for clause, entry in book.clauses.items()
            if entry.chapter == chapter
        ]
        if rows:
            ctx.table(("clause", "kind", "sentence"), rows)
    screen.line()
    ctx.print_message("rulebook.verbs", "heading")
    verbs = []
    for action in list_playable_actions(game):
        named = " ".join(f"{named.name}:{_words(named.slot) or named.slot.kind}" for named in slots(action))
        verbs.append((verb(action), book.word(verb(action), lang), named or "-"))
    ctx.table(("verb", "meaning", "slots"), verbs)
    draw_numbers(ctx, game, numbers)


def _words(slot: Slot) -> str:
    words = [word for word in slot.words if word]
    if len(words) <= WORDS_MAX:
        return "|".join(words)
    return f"{words[0]}|{words[1]}|…|{words[-1]} ({len(words)})"
