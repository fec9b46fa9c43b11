"""Judgments that a case may expect of a whole recorded match. Judging depends on the formats, so it is passed in."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from domain.formats.casebook.load import Rejudged
from domain.law.clause import Clause
from domain.law.entries import Entry
from domain.law.game import Game


class CaseRuling(Struct, frozen=True):
    verdict: str
    entry: int
    clause: Clause


class Rulings(Struct, frozen=True):
    """The functions that judge a record.

    `findings` returns the audit findings as (entry, kind, clause), under other rules if given. `rejudged` raises
    FormatError if the other rules do not exist. `kinds` and `verdicts` are the possible words.
    """

    findings: Callable[[Game, Sequence[Entry], Any], Iterable[tuple[int, str, Clause]]]
    rejudged: Callable[[Game, Sequence[Entry], Rejudged], CaseRuling]
    kinds: tuple[str, ...]
    verdicts: tuple[str, ...]
