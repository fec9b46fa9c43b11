"""Invariants of Grimoire, numbered as in the dossier. They recompute results and compare the law with them."""

from typing import Final

from domain.games.grimoire.actions import Cast, Play
from domain.games.grimoire.invariants import facts as F, matches as M, tables as T
from domain.law import invariants as law
from domain.table.facts import Arranged, Began, Clocked, Created, Finished, Marked, Moved, Pushed, Stanced

INVARIANTS: Final[tuple[law.Invariant, ...]] = (
    law.of_table(1, T.every_card_lies_once),
    law.of_match(1, law.cards_stay_those_registered),
    law.of_table(2, T.an_owner_has_as_many_cards_as_a_deck, whole=True),
    law.of_table(3, T.characters_stay_in_personal_zones),
    law.of_fact(3, F.a_character_only_ever_moves_out, Moved),
    law.of_fact(3, F.no_card_comes_after_set_up, Created),
    law.of_table(4, T.the_lost_leave_nothing),
    law.of_fact(4, F.who_loses_is_beaten, Marked),
    law.of_table(5, T.numbers_are_never_negative),
    law.of_fact(5, F.no_number_falls_below_nothing, Marked),
    law.of_fact(6, F.only_a_card_gives_od, Marked),
    law.of_table(7, T.what_is_played_waits),
    law.of_table(8, T.the_stack_is_of_the_main_phase),
    law.of_fact(8, F.no_other_phase_begins_with_a_stack, Clocked),
    law.of_table(9, T.nothing_dead_is_left),
    law.of_table(10, T.priority_is_held_by_one),
    law.of_table(11, T.one_decides_and_the_others_can_only_concede),
    law.of_every_game(12, "what_is_offered_is_what_is_accepted", "offered", "refusing", "pure"),
    law.of_deed(13, M.only_the_turn_player_casts, Cast),
    law.of_deed(13, M.who_casts_can_pay, Cast),
    law.of_deed(14, M.a_cast_takes_its_cost, Cast),
    law.of_deed(14, M.casting_leaves_chroma_alone, Cast),
    law.of_fact(14, F.chroma_never_falls, Marked),
    law.of_fact(15, F.turns_go_round, Clocked),
    law.of_match(16, M.opening_hands_are_as_set),
    law.of_fact(17, F.damage_goes_away_by_known_events, Marked),
    law.of_fact(17, F.no_spell_keeps_damage, Clocked),
    law.of_fact(18, F.nothing_of_a_turn_outlives_it, Clocked),
    law.of_fact(18, F.what_is_sent_away_lies_in_the_void, Began),
    law.of_table(18, T.what_comes_back_is_in_the_void),
    law.of_table(19, T.timestamps_are_unique),
    law.of_fact(19, F.ids_only_grow, Began, Pushed),
    law.of_fact(19, F.what_moves_goes_elsewhere, Moved),
    law.of_fact(20, law.nothing_follows_the_end),
    law.of_fact(20, F.one_side_wins, Finished),
    law.of_fact(21, F.cards_are_put_in_order_by_chance, Arranged),
    law.of_deed(21, M.chance_decides_two_things),
    law.of_every_game(21, "deciding_again_is_the_same", "pure", "fold", "audit"),
    law.of_match(22, M.a_view_holds_what_the_matrix_allows),
    law.of_every_game(23, "later_entries_change_no_earlier_table", "fold", "audit"),
    law.of_fact(24, F.a_state_removes_something),
    law.of_deed(24, M.an_action_leads_to_few_facts),
    law.of_table(25, T.no_turn_goes_on_for_ever),
    law.of_fact(25, F.few_cards_extend_in_a_main_phase, Stanced),
    law.of_fact(25, F.what_is_used_is_not_played, Stanced),
    law.of_deed(25, M.a_play_uses_an_extended_spell, Play),
    law.of_match(26, M.one_trance_goes_before_each_main_phase),
    law.of_match(26, M.grimoires_run_out),
    law.of_every_game(27, "what_nobody_saw_shows_nowhere", "leaks"),
    law.of_table(28, T.the_newest_control_decides),
    law.of_fact(28, F.the_base_controller_is_given_on_entering, Marked),
)
"""All invariants, for any rules. Those that depend on an option read it themselves."""
