"""The games there are and what their rulebooks say."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import beside, looking
from cli.context import NAMED_MAX, Desk
from cli.registry import Command, Frame, Json, Settings
from domain.words import LANGS

if TYPE_CHECKING:
    from domain.law.clause import Clause as ClauseId
    from domain.law.game import Game, Option
    from domain.law.slots import Action, Slot

WORDS_MAX = 8
"""How many words of a slot a row of the rulebook's verbs lists."""

Clause = Annotated[str | None, typer.Argument(metavar="CLAUSE|CARD", show_default=False)]
Search = Annotated[str | None, typer.Option("--search", metavar="WORDS", show_default=False)]
Law = Annotated[bool, typer.Option("--law")]
Cases = Annotated[str | None, typer.Option("--cases", metavar="PATH", show_default=False)]
Which = Annotated[str, typer.Argument(metavar="GAME[@VERSION]", show_default=False)]


def games(desk: Desk, as_json: Json = False) -> None:
    """The games, their versions and frames, and the decks that have names."""
    from domain.games import GAMES

    if as_json:
        desk.screen.json(
            [
                {
                    "game": game.key,
                    "title": {"en": game.rulebook.title.en, "ja": game.rulebook.title.ja},
                    "versions": list(game.versions),
                    "frames": list(game.frames),
                    "frames_of": {version: list(game.frames_in(version)) for version in game.versions},
                    "change_notes": {name: dict(changes) for name, changes in game.change_notes.items()},
                    "seats": list(game.seats(next(iter(game.versions.values())))),
                    "clauses": len(game.rulebook.clauses),
                    "decks": game.named_decks(),
                    "pools": {} if game.pools is None else game.pools.published,
                }
                for game in GAMES.values()
            ]
        )
        return
    rows = [
        (
            game.key,
            game.rulebook.title.ja if desk.lang == "ja" else game.rulebook.title.en,
            " ".join(game.versions),
            " ".join(game.frames),
            str(len(game.rulebook.clauses)),
            " ".join(game.named_decks()),
        )
        for game in GAMES.values()
    ]
    heads = ("game", "title", "versions", "frames", "clauses", "decks")
    desk.screen.table([desk.say(f"head.{one}") for one in heads], rows)
    for game in GAMES.values():
        _editions(desk, game)
        _pools(desk, game)


def _editions(desk: Desk, game: "Game") -> None:
    """The editions of a game that has several: what each is, and in which frames it is played, its own one first."""
    if not (game.frames_of or game.change_notes):
        return
    rows = [
        *((one, game.rulebook.word(one, desk.lang), " ".join(game.frames_in(one))) for one in game.versions),
        *((one, game.rulebook.word(one, desk.lang), desk.say("games.no_opening")) for one in game.change_notes),
    ]
    desk.screen.line()
    desk.screen.table([game.key, *(desk.say(f"head.{one}") for one in ("meaning", "frames"))], rows)


def _pools(desk: Desk, game: "Game") -> None:
    """The published card pools of a game: how many cards each has, and which of them are new or read otherwise."""
    if game.pools is None:
        return
    rows: list[tuple[str, str, str, str]] = []
    before = None
    for name, pool in game.pools.published.items():
        changed = " ".join(game.pools.changed(before, pool)) if before is not None else ""
        rows.append((name, pool, str(len(game.pools.held[pool])), changed))
        before = pool
    desk.screen.line()
    heads = (desk.say(f"head.{one}") for one in ("pool", "hash", "cards", "changed"))
    desk.screen.table([f"{game.key} {next(heads)}", *heads], rows)


def rulebook(
    desk: Desk,
    game: Which,
    clause: Clause = None,
    frame: Frame = None,
    settings: Settings = None,
    search: Search = None,
    law: Law = False,
    cases: Cases = None,
    as_json: Json = False,
) -> None:
    """A rulebook, or one clause of it, with the numbers in force; one card as it is printed; or where a word stands."""
    from domain.law.rulesets import pinned, values

    if search is not None and law:
        raise desk.problem("cli.not_both", one="--law", other="--search")
    if cases is not None and not law:
        raise desk.problem("cli.only_with", one="--cases", other="--law")
    key, at, version = game.partition("@")
    found = desk.game(key)
    _, version, rules = desk.rules(f"{key}@{version if at else next(iter(found.versions))}", frame, settings)
    found = found.under(pinned(found, rules))
    numbers = values(rules)
    if law:
        wanted = None if clause is None else _clause_named(desk, found, clause)
        beside.show(desk, found, version, wanted, numbers, cases, as_json)
    elif search is not None:
        hits = looking.search(found, numbers, f"{clause or ''} {search}")
        if as_json:
            desk.screen.json({"game": found.key, "version": version, "search": search, "found": hits})
        else:
            looking.draw_search(desk, hits, search)
    elif clause is not None:
        _one(desk, found, clause, numbers, as_json)
    elif as_json:
        desk.screen.json(_whole(found, version, numbers))
    else:
        _draw(desk, found, version, numbers)


def _clause_named(desk: Desk, game: "Game", text: str) -> "ClauseId":
    """A clause by its id. Raises Problem."""
    from domain.formats.errors import unknown

    clause = looking.clause_of(game, text)
    if clause is None:
        raise desk.refuse(unknown("clause", text, tuple(game.rulebook.clauses), lists=False))
    return clause


def _one(desk: Desk, game: "Game", text: str, numbers: dict[str, Any], as_json: bool) -> None:
    """A clause or a card by its id or name."""
    from domain.formats.errors import shown, unknown

    clause, cards = looking.clause_of(game, text), looking.cards_of(game, text)
    if clause is not None:
        _one_clause(desk, game, clause, numbers, as_json)
    elif len(cards) == 1:
        _one_card(desk, game, cards[0], as_json)
    elif cards:
        names = ", ".join([game.rulebook.word(face, desk.lang) for face in cards[:NAMED_MAX]])
        names += ", ..." if len(cards) > NAMED_MAX else ""
        raise desk.problem("cli.many_cards", name=shown(text), cards=names)
    else:
        faces = [face for face in game.faces() if game.display.card(face, desk.lang)]
        ways = (
            *game.rulebook.clauses,
            *faces,
            *(looking.name_of(game, face, lang) for face in faces for lang in LANGS),
        )
        raise desk.refuse(unknown("clause_or_card" if faces else "clause", text, ways, lists=False))


def _one_card(desk: Desk, game: "Game", face: str, as_json: bool) -> None:
    if as_json:
        desk.screen.json({"card": face, "en": game.display.card(face, "en"), "ja": game.display.card(face, "ja")})
        return
    name, *lines = game.display.card(face, desk.lang)
    desk.screen.line(name, "title")
    for line in lines:
        desk.screen.line(line)


def _one_clause(desk: Desk, game: "Game", clause: str, numbers: dict[str, Any], as_json: bool) -> None:
    from domain.law.clause import Clause as ClauseId

    book = game.rulebook
    if as_json:
        desk.screen.json(_clause(game, ClauseId(clause), numbers))
        return
    kind = desk.say(f"kind.{book.clauses[ClauseId(clause)].kind}")
    desk.screen.line(f"{clause} ({kind})", "clause")
    desk.screen.line(book.sentence(ClauseId(clause), desk.lang, numbers))


def _clause(game: "Game", clause: Any, numbers: dict[str, Any]) -> dict[str, Any]:
    book = game.rulebook
    entry = book.clauses[clause]
    sentences = {"en": book.sentence(clause, "en", numbers), "ja": book.sentence(clause, "ja", numbers)}
    return {"clause": entry.id, "kind": entry.kind, **sentences, "revisions": list(entry.revisions)}


def _whole(game: "Game", version: str, numbers: dict[str, Any]) -> dict[str, Any]:
    from domain.law.slots import slots

    book = game.rulebook
    return {
        "game": game.key,
        "version": version,
        "versions": list(game.versions),
        "frames": list(game.frames),
        "rules": numbers,
        "chapters": {name: {"en": title.en, "ja": title.ja} for name, title in book.chapters.items()},
        "clauses": [_clause(game, one, numbers) for one in book.clauses],
        "verbs": [
            {
                "verb": _verb(one),
                "en": book.word(_verb(one), "en"),
                "ja": book.word(_verb(one), "ja"),
                "slots": [{"slot": slot.name, "kind": slot.slot.kind, **_where(slot.slot)} for slot in slots(one)],
            }
            for one in _takeable(game)
        ],
        "options": [
            {
                "option": one.key,
                "row": one.row,
                "tier": one.tier,
                "value": _in_force(one, numbers),
                "values": list(one.values),
                "not_offered": list(one.unoffered),
            }
            for one in game.options
        ],
        "numbers": looking.numbers(game, numbers),
    }


def _draw(desk: Desk, game: "Game", version: str, numbers: dict[str, Any]) -> None:
    book, screen, lang = game.rulebook, desk.screen, desk.lang
    title = book.title.ja if lang == "ja" else book.title.en
    screen.line(f"{title}  {game.key}@{version}", "title")
    for chapter, name in book.chapters.items():
        screen.line()
        screen.line(f"{chapter}  {name.ja if lang == 'ja' else name.en}", "heading")
        clauses = [clause for clause, entry in book.clauses.items() if entry.chapter == chapter]
        rows = [(one, desk.say(f"kind.{book.clauses[one].kind}"), book.sentence(one, lang, numbers)) for one in clauses]
        if rows:
            screen.table([desk.say(f"head.{one}") for one in ("clause", "kind", "sentence")], rows)
    screen.line()
    screen.line(desk.say("rulebook.verbs"), "heading")
    headings = [desk.say(f"head.{one}") for one in ("verb", "meaning", "slots")]
    screen.table(headings, [(_verb(one), book.word(_verb(one), lang), _slots(one)) for one in _takeable(game)])
    looking.draw_numbers(desk, game, numbers)


def _takeable(game: "Game") -> "list[type[Action]]":
    """The actions somebody may take: not the one that records an attempt at any other."""
    return [one for one in game.action_types if one not in game.other_verbs.values()]


def _verb(action: "type[Action]") -> str:
    return str(action.__struct_config__.tag)


def _slots(action: "type[Action]") -> str:
    from domain.law.slots import slots

    return " ".join(f"{one.name}:{_words(one.slot) or one.slot.kind}" for one in slots(action)) or "-"


def _words(slot: "Slot") -> str:
    """The words of a slot; of very many the first and the last, and how many they are."""
    words = [word for word in slot.words if word]
    if len(words) <= WORDS_MAX:
        return "|".join(words)
    return f"{words[0]}|{words[1]}|…|{words[-1]} ({len(words)})"


def _where(slot: "Slot") -> dict[str, Any]:
    found: dict[str, Any] = {}
    if slot.areas:
        found["areas"] = list(slot.areas)
    if slot.words:
        found["words"] = list(slot.words)
    return found


def _in_force(option: "Option", numbers: dict[str, Any]) -> str:
    """The option's value in a ruleset; one that the law builds in has its first."""
    return looking.plain(numbers.get(option.key, option.values[0]))


COMMANDS: dict[str, Command] = {"games": games, "rulebook": rulebook}
