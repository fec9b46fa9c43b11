"""One filing of each kind, in a valid order."""

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.table.table import Seat

P1, P2 = Seat("p1"), Seat("p2")


def filings(number: int) -> tuple[D.Filed, ...]:
    """Return two disputes, penalties, a pause and a seal, numbered from `number`; they concern entry 1."""
    warning = D.Penalty(P1, "warning", "misplay")
    again = number + 6
    return (
        D.Disputed(by="p1", matter=D.Matter(entry=1, clause=Clause("X-1")), claims={P1: "mine", P2: "yours"}),
        D.Paused(by="judge", reason="a call"),
        D.Unsealed(by="kato", eyes=P1, until=7),
        D.Sealed(by="kato", eyes=P1),
        D.Ruled(by="kato", dispute=number, verdict="not_allowed", penalties=(warning,), reason="so"),
        D.Resumed(by="judge", extension=60_000),
        D.Disputed(by="judge", matter=D.Matter(entry=1)),
        D.Appealed(by="p1", dispute=number, reason="I saw it"),
        D.Decided(by="abe", dispute=number, outcome="overturned", verdict="unclear", reason="nobody knows"),
        D.Disputed(by="p2", dispute=again, claims={P2: "late"}),
        D.Penalised(by="abe", penalty=warning, reason="late"),
    )
