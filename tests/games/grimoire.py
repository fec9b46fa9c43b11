from tests.games import Tried

TRIED = Tried(
    lacks=frozenset(),
    tables=(
        {"player_count": 2},
        {"player_count": 3},
        {"player_count": 4},
        {"player_count": 4, "teams": "p1+p3/p2+p4"},
    ),
    concede=0.006,
    share=2 / 3,  # of twelve seeds, each table twice
    first=(0, 7, 2, 5),  # different tables, two of them with random readings
    reading="lethal=exceeding",
    out_of_turn=frozenset(("concede",)),
    never_carried_out=frozenset(("judge_release", "judge_time_call")),
    per_chapter=(9, 15, 14, 7, 7, 8, 12, 15, 18, 10, 10, 7, 13, 14, 17, 15, 17, 14, 11),
    unsaid=frozenset(("cards",)),
    silent="column.",
    never_cited_first=frozenset(("CARD_OVER_RULE",)),
    invariants=28,
    schemas={"fb89abca7ac2508c": "8218929e980da146", "9351fd967f741e75": "736bf9d4c029daa5"},
)
