"""Test data: random legal matches and random legal chess games, the same for the same seeds."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import chess
from msgspec import Struct

from archive.corpus.reader import info, open_corpus
from archive.corpus.writer import pack
from domain.games import GAMES
from domain.law.entries import Entry, Played, entry_facts, fold_entries
from domain.law.law import Law
from domain.law.slots import Action, verb
from fixtures.corpora import BUILD, play_match
from recorder.simulate import simulate

BLACKPOKER, GRIMOIRE, DEA, SKILLBOOK = "blackpoker", "grimoire", "dea", "skillbook"
VERSION = {BLACKPOKER: "8.1-lite", GRIMOIRE: "1", DEA: "1", SKILLBOOK: "1"}
GAMES_MEASURED = tuple(VERSION)
PLAYS = frozenset(("cast", "play_event", "play_equipment", "use_foreshadow", "use_skill"))
"""Verbs that play a card."""
MATCHES, CHESS_GAMES = 30, 20
PLIES_MAX = 80


class Matches(Struct, frozen=True):
    """Recorded matches, and their size in every unit that is printed."""

    law: Law
    records: tuple[tuple[Entry, ...], ...]
    entries: int
    actions: int
    facts: int
    cards: int
    turns: int


@cache
def matches(count: int, key: str = BLACKPOKER) -> Matches:
    game = GAMES[key]
    law = Law(game, game.versions[VERSION[key]])
    records = tuple(tuple(simulate(law, seed)) for seed in range(count))
    decode = game.decoder().decode
    played = [entry for record in records for entry in record if isinstance(entry, Played)]
    return Matches(
        law=law,
        records=records,
        entries=sum(len(record) for record in records),
        actions=len(played),
        facts=sum(len(entry_facts(entry)) for record in records for entry in record),
        cards=sum(_cards(decode(entry.action)) for entry in played),
        turns=sum(fold_entries(record).clock.turn for record in records),
    )


def _cards(action: Action) -> int:
    return len(getattr(action, "keys", ())) or int(verb(action) in PLAYS)


@cache
def chess_games(count: int) -> tuple[tuple[str, ...], ...]:
    """Return `count` random games; each ply is text in UCI."""
    draw = random.Random(count)
    return tuple(_chess_game(draw) for _ in range(count))


def _chess_game(draw: random.Random) -> tuple[str, ...]:
    board, plies = chess.Board(), list[str]()
    while len(plies) < PLIES_MAX and (moves := list(board.legal_moves)):
        move = draw.choice(moves)
        plies.append(move.uci())
        board.push(move)
    return tuple(plies)


def push_uci(games: tuple[tuple[str, ...], ...]) -> Callable[[], int]:
    """Return work in which python-chess parses, checks and makes each ply; counts plies."""

    def work() -> int:
        for plies in games:
            board = chess.Board()
            for ply in plies:
                board.push_uci(ply)
        return sum(map(len, games))

    return work


def large(key: str, count: int) -> Path | None:
    """Return the large corpus of a game from `make corpus`, or None if it has fewer than `count` matches."""
    path = BUILD / f"{key}.corpus"
    return path if path.exists() and info(path).matches >= count else None


def packed(key: str, count: int, folder: Path) -> Path:
    """Return a corpus of `count` matches: the first of the large corpus, or the same matches played for this run."""
    path, whole = folder / f"{key}-{count}.corpus", large(key, count)
    if path.exists():
        return path
    if whole is None:
        pack(path, (play_match((key, seed)) for seed in range(1, count + 1)))
        return path
    with open_corpus(whole) as corpus:
        pack(path, ((match, corpus.states(match)) for match in corpus.ids[:count]))
    return path
