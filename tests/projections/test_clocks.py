"""Times at which a match's clock was stopped."""

from domain.law import disputes as D
from domain.law.entries import Entry, Noted, Rewound
from projections.clocks import Stop, list_stops
from tests.rows import for_each

NOW = 10_000
NOTED = Noted(by="p1", text="x", at=1_000)


@for_each(
    "entries, stops, lasted",
    [
        ([], (), []),
        ([NOTED], (), []),
        ([D.Paused(by="a", at=2_000)], (Stop(entry=1, by="a", at=2_000),), [8_000]),
        ([D.Paused(by="a")], (Stop(entry=1, by="a", at=0),), [0]),
        ([D.Paused(by="a", at=NOW + 1)], (Stop(entry=1, by="a", at=NOW + 1),), [0]),
        (
            [NOTED, D.Paused(by="a", at=2_000, reason="r"), NOTED, D.Resumed(by="b", at=5_500, extension=3_000)],
            (Stop(entry=2, by="a", at=2_000, reason="r", until=4, ended=5_500, extension=3_000),),
            [3_500],
        ),
        (
            [D.Resumed(by="b", at=1), D.Paused(by="a", at=2), D.Paused(by="b", at=3), D.Resumed(by="b", at=4)],
            (Stop(entry=2, by="a", at=2, until=4, ended=4),),
            [2],
        ),
        (
            [
                D.Paused(by="a", at=1),
                Rewound(to=0, by="a", reason="r", at=2),
                D.Resumed(by="a", at=3),
                D.Paused(by="a", at=4),
            ],
            (Stop(entry=1, by="a", at=1, until=3, ended=3), Stop(entry=4, by="a", at=4)),
            [2, NOW - 4],
        ),
    ],
)
def test_what_stood_still_is_told_from_the_entries_whichever_line_counts(
    entries: list[Entry], stops: tuple[Stop, ...], lasted: list[int]
) -> None:
    assert list_stops(entries) == stops
    assert [stop.lasted(NOW) for stop in stops] == lasted
