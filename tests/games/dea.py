from tests.games import Tried

TRIED = Tried(
    lacks=frozenset(),
    tables=({"map_preset": "5x5"}, {"map_preset": "5x6"}, {"map_preset": "3x5"}, {"map_preset": "5x7"}),
    share=2 / 3,  # of twelve seeds, each map twice
    first=(0, 7, 2, 5),  # different maps, two of them with random readings
    reading="attack_uses_move=no",
    out_of_turn=frozenset(("concede", "use_ability", "play_event", "use_foreshadow", "convert_hand", "convert_pages")),
    after_the_end=frozenset(("give_title",)),
    never_carried_out=frozenset(("give_title", "random_discard", "tie_break")),
    per_chapter=(9, 8, 14, 12, 18, 31, 27, 17, 17, 13, 9),
    unsaid=frozenset(("cards",)),
    invariants=30,
    never_cited_first=frozenset(("FIRST_PLAYER_BY_CHANCE",)),
)
