"""Invariants of every BlackPoker match, numbered as in the dossier and computed independently of the game code."""

from typing import Final

from domain.games.blackpoker.actions import Attack, DesignateAttackers, DesignateBlockers
from domain.games.blackpoker.invariants import facts as F, matches as M, tables as T
from domain.law import invariants as law
from domain.table.facts import Clocked, Finished, Moved, Popped, Pushed

INVARIANTS: Final[tuple[law.Invariant, ...]] = (
    law.of_table(1, T.every_card_lies_once, within=True),
    law.of_match(1, law.cards_stay_those_registered),
    law.of_table(2, T.no_card_lies_with_the_other, within=True),
    law.of_fact(3, F.life_only_shrinks, Moved),
    law.of_fact(3, F.life_is_spent_by_known_events, Moved),
    law.of_table(4, T.one_holds_the_chance),
    law.of_table(5, T.only_who_is_awaited_has_anything_to_do),
    law.of_table(6, T.main_requests_lie_lowest, within=True),
    law.of_table(7, T.one_basic_action_at_most),
    law.of_table(8, T.requests_have_their_keys),
    law.of_table(9, T.passes_are_recorded_once),
    law.of_deed(9, M.a_request_clears_the_passes),
    law.of_deed(9, M.two_passes_in_a_row_resolve),
    law.of_table(10, T.the_field_is_in_order),
    law.of_match(11, M.sizes_are_printed_numbers_and_fogs),
    law.of_deed(12, M.down_kills_or_leaves_a_fog),
    law.of_table(12, T.every_soldier_has_a_size),
    law.of_table(13, T.fogs_count_their_number),
    law.of_deed(14, M.attackers_were_fit, DesignateAttackers, Attack),
    law.of_deed(15, M.blockers_were_fit, DesignateBlockers),
    law.of_match(16, M.combat_stands_between_attack_and_damage_judge),
    law.of_match(17, M.one_next_generation_for_each_card_that_fell),
    law.of_match(18, M.no_next_generation_after_cards_from_elsewhere),
    law.of_match(19, M.requests_keep_to_their_limits),
    law.of_table(20, T.nothing_immediate_waits),
    law.of_every_game(21, "a_refusal_changes_nothing_and_names_one_clause", "refusing"),
    law.of_every_game(22, "what_is_offered_is_what_is_accepted", "offered"),
    law.of_fact(23, F.turns_alternate, Clocked),
    law.of_deed(23, M.requests_use_something_up),
    law.of_match(23, M.nothing_comes_back),
    law.of_match(23, M.turns_are_few),
    law.of_every_game(23, "every_match_ends", "ended"),
    law.of_fact(24, F.the_loser_has_no_life, Finished),
    law.of_fact(24, F.nothing_is_begun_after_the_end, Pushed),
    law.of_every_game(25, "deciding_again_is_the_same", "pure", "fold", "audit"),
    law.of_match(26, M.a_view_holds_what_its_viewer_may_see),
    law.of_match(26, M.hands_are_known_by_their_faces),
    law.of_every_game(26, "what_nobody_saw_shows_nowhere", "leaks"),
    law.of_table(27, T.graves_are_seen_on_top),
    law.of_match(27, M.graves_end_with_the_last_batch),
    law.of_fact(28, F.what_is_out_of_reach_never_happens, Pushed, Popped),
)
"""Invariants for all rulesets; those that depend on an option read it themselves."""
