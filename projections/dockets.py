"""List of the disputes of many matches: state, players and clauses. All of it is public."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from typing import Literal

from msgspec import MsgspecError, Struct

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.docket import PENDING, Dispute, Standing, docket_of
from domain.law.entries import Entry, last_described, opened_of
from domain.law.game import Game
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.law.record import record_of
from domain.table.table import Seat
from domain.words import Lang, say
from projections.docket_words import matter_words
from projections.findings import Sentence, sentence
from projections.moments import stamp
from projections.phrases import listed, players_words
from projections.tables import table_words


class DisputeListItem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A dispute, identified by its match and opening entry.

    `at` is the time of opening, `last` that of the latest entry, both in milliseconds. Verdict and clauses are those of
    the ruling in force, or the disputed clause if there is none.
    """

    match: str
    dispute: int
    game: str
    event: str
    round: str = ""
    table: str = ""
    names: dict[Seat, str]
    standing: Standing
    matter: D.Matter
    at: int = 0
    last: int = 0
    verdict: D.Verdict | None = None
    outcome: D.Outcome | None = None
    clauses: tuple[Clause, ...] = ()
    penalised: tuple[Seat, ...] = ()
    sentence: Sentence = Sentence("", "")
    """Sentence of the first clause, with the match's numbers."""

    @property
    def occasion(self) -> Occasion:
        return Occasion(event=self.event, round=self.round, table=self.table)


Wanted = Literal["any", "waiting", "open", "ruled", "appealed", "closed"]
"""States to filter by. A waiting dispute needs a ruling or a decision."""


class DisputeFilter(Struct, frozen=True, kw_only=True):
    """A filter by state, part of a player's name or of the event's name, clause, and game."""

    standing: Wanted = "any"
    player: str = ""
    clause: str = ""
    event: str = ""
    game: str = ""

    def fits(self, dispute: DisputeListItem) -> bool:
        return (
            self.standing in ("any", dispute.standing, "waiting" if dispute.standing in PENDING else "")
            and self.game in ("", dispute.game)
            and self.clause in ("", *dispute.clauses)
            and self.event.casefold() in dispute.event.casefold()
            and any(self.player.casefold() in name.casefold() for name in (*dispute.names.values(), ""))
        )


ALL = DisputeFilter()


def list_disputes(match: str, entries: Sequence[Entry], games: Mapping[str, Game] = {}) -> Iterator[DisputeListItem]:
    """Yield the disputes of one match, oldest first; `games` provide the sentences of clauses."""
    opened, occasion = opened_of(entries), last_described(entries).occasion
    disputes = docket_of(entries).disputes
    law = _law(entries, games) if disputes else None
    for dispute in disputes.values():
        ruling = dispute.in_force
        named = (dispute.matter.clause, *(() if ruling is None else ruling.clauses))
        clauses = tuple(dict.fromkeys(filter(None, named)))
        yield DisputeListItem(
            match=match,
            dispute=dispute.number,
            game=opened.game,
            event=occasion.event,
            round=occasion.round,
            table=occasion.table,
            names=opened.names,
            standing=dispute.standing,
            matter=dispute.matter,
            at=entries[dispute.number - 1].at,
            last=entries[dispute.last - 1].at,
            verdict=None if ruling is None else ruling.verdict,
            outcome=_outcome(entries, dispute),
            clauses=clauses,
            penalised=() if ruling is None else tuple(dict.fromkeys(penalty.seat for penalty in ruling.penalties)),
            sentence=sentence(law, clauses[0]) if law is not None and clauses else Sentence("", ""),
        )


def _law(entries: Sequence[Entry], games: Mapping[str, Game]) -> Law | None:
    game = games.get(opened_of(entries).game)
    try:
        return None if game is None else record_of(game, entries).law
    except MsgspecError:
        return None


def _outcome(entries: Sequence[Entry], dispute: Dispute) -> D.Outcome | None:
    decided = entries[dispute.decision - 1] if dispute.decision == dispute.last else None
    return decided.outcome if isinstance(decided, D.Decided) else None


def collect(stream: Iterable[DisputeListItem], sought: DisputeFilter) -> tuple[DisputeListItem, ...]:
    """Return the disputes that pass the filter: waiting ones first, oldest first, then the others, newest first."""
    waiting, done = list[DisputeListItem](), list[DisputeListItem]()
    for dispute in stream:
        if sought.fits(dispute):
            (waiting if dispute.standing in PENDING else done).append(dispute)
    waiting.sort(key=lambda dispute: dispute.last)
    return (*waiting, *sorted(done, key=lambda dispute: -dispute.last))


def row_words(dispute: DisputeListItem, lang: Lang, zone: tzinfo | None = UTC) -> tuple[str, ...]:
    """Return a line of the list: match, dispute, round and table, players, state, matter, ruling, time. A clause is
    named once: with the matter, or with the ruling if the dispute is not about it."""
    ruled = "" if dispute.verdict is None else say(f"ruling.{dispute.verdict}", lang)
    ended = "" if dispute.outcome is None else say(f"outcome.{dispute.outcome}", lang)
    return (
        dispute.match,
        str(dispute.dispute),
        table_words(dispute.occasion, lang, event=True),
        players_words(dispute.names, dispute.names, lang),
        say(f"standing.{dispute.standing}", lang),
        matter_words(dispute.matter, lang),
        listed((ruled, *(each for each in dispute.clauses if each != dispute.matter.clause), ended), lang),
        stamp(dispute.last, "%Y-%m-%d %H:%M", zone) or "-",
    )
