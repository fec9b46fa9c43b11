"""What a case may say of a recorded match as a whole. Judging stands above the formats, so it is handed in."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from domain.formats.casebook.load import Rejudged
from domain.law.clause import Clause
from domain.law.entries import Entry
from domain.law.game import Game


class CaseRuling(Struct, frozen=True):
    """What rejudging says of a match: its class, at which entry, and by which clause."""

    verdict: str
    entry: int
    clause: Clause


class Rulings(Struct, frozen=True):
    """Both ways of judging a record.

    `findings` are what an audit finds, each with entry, kind and clause, under these rules if any are given. `rejudged`
    raises FormatError where the other rules cannot be had. `kinds` and `verdicts` are the words they may say.
    """

    findings: Callable[[Game, Sequence[Entry], Any], Iterable[tuple[int, str, Clause]]]
    rejudged: Callable[[Game, Sequence[Entry], Rejudged], CaseRuling]
    kinds: tuple[str, ...]
    verdicts: tuple[str, ...]
