"""A match with a dispute: claimed, ruled on, appealed and decided. Words for judges only are canaries."""

from collections.abc import Sequence

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import Entry, opened_of

CANARIES = ("canary-claim", "canary-appeal", "canary-finding", "canary-law")


def dispute(
    entries: Sequence[Entry],
    about: int,
    clauses: tuple[str, ...] = (),
    at: int = 0,
    opinion: D.Opinion | None = None,
    verdict: D.Verdict = "wrong_outcome",
) -> tuple[tuple[Entry, ...], int]:
    number, seats = len(entries) + 1, opened_of(entries).seats
    said = opinion or D.Opinion("canary-law", "canary-finding")
    ruled = tuple(map(Clause, clauses))
    penalty = D.Penalty(seats[0], "warning", "misplay")
    claims = dict.fromkeys(seats, "canary-claim")
    filed: tuple[D.Filed, ...] = (
        D.Disputed(by="judge", matter=D.Matter(entry=about), claims=claims, at=at),
        D.Unsealed(by="kato", eyes=seats[0], at=at),
        D.Ruled(
            by="kato",
            dispute=number,
            verdict=verdict,
            clauses=ruled,
            penalties=(penalty,),
            reason="seen by all",
            opinion=said,
            at=at,
        ),
        D.Sealed(by="kato", eyes=seats[0], at=at),
        D.Appealed(by=seats[0], dispute=number, reason="canary-appeal", at=at),
        D.Decided(by="abe", dispute=number, outcome="upheld", reason="published", at=at),
    )
    return (*entries, *filed), number
