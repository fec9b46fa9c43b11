"""Invariants of Skillbook, numbered as in the dossier. They recompute results and compare the law with them."""

from typing import Final

from domain.games.skillbook.actions import DeclareMove, ExploreInPlace, ShowGraveyard, StartBattle, UseSkill
from domain.games.skillbook.invariants import facts as F, matches as M, tables as T
from domain.law import invariants as law
from domain.table.facts import Altered, Began, Clocked, Created, Marked, Moved, Pushed, Removed, Stanced, Turned

INVARIANTS: Final[tuple[law.Invariant, ...]] = (
    law.of_table(1, T.every_card_lies_once),
    law.of_table(1, T.every_card_lies_where_its_kind_does, within=True),
    law.of_table(1, T.each_square_has_a_terrain, whole=True),
    law.of_table(1, T.what_lies_on_the_stack_is_being_used),
    law.of_match(1, M.decks_stay_those_registered),
    law.of_fact(1, F.a_terrain_stays_where_it_was_laid, Moved),
    law.of_match(2, M.the_skills_of_each_player_stay_as_many),
    law.of_fact(2, F.only_tokens_come_and_go, Created, Removed),
    law.of_table(3, T.tables_and_hands_keep_their_room, within=True),
    law.of_table(3, T.drawn_cards_wait_to_be_placed),
    law.of_table(4, T.a_square_holds_one_unit),
    law.of_table(4, T.each_player_has_a_hero_on_the_board, whole=True),
    law.of_fact(4, F.a_hero_stays_on_the_board, Moved),
    law.of_table(5, T.nobody_has_lost_unseen, whole=True),
    law.of_fact(5, F.numbers_are_never_negative, Marked),
    law.of_table(6, T.no_damage_reaches_its_df),
    law.of_fact(6, F.after_the_reset_nobody_is_hurt, Clocked),
    law.of_fact(7, F.who_has_fought_moves_no_more, Marked),
    law.of_deed(7, M.a_unit_moves_and_fights_once, DeclareMove, ExploreInPlace, StartBattle),
    law.of_table(8, T.exactly_one_is_to_decide),
    law.of_every_game(8, "whoever_is_to_decide_can", "offered", "ended"),
    law.of_table(9, T.the_stack_lies_under_a_window),
    law.of_fact(9, F.nothing_goes_on_over_a_stack, Altered),
    law.of_fact(9, F.the_right_item_is_taken_up, Altered),
    law.of_fact(10, F.a_terrain_is_covered_by_a_card_alone, Turned),
    law.of_table(11, T.what_is_in_force_lies_where_it_works),
    law.of_table(12, T.who_ignores_a_terrain_flies_over_it),
    law.of_fact(12, F.a_choice_to_ignore_is_made_by_who_flies_on_what_lies_open, Marked),
    law.of_match(13, M.a_view_holds_what_the_matrix_allows),
    law.of_every_game(13, "what_nobody_saw_shows_nowhere", "leaks"),
    law.of_every_game(14, "what_was_told_folds_to_the_same_table", "physics", "fold", "bytes", "audit"),
    law.of_every_game(14, "what_is_offered_is_what_is_accepted", "offered", "refusing", "pure"),
    law.of_deed(14, M.chance_is_asked_for_what_it_decides),
    law.of_fact(14, law.ids_only_grow, Began, Pushed),
    law.of_match(15, M.each_turn_takes_a_card_from_a_book),
    law.of_fact(15, F.a_book_grows_by_charging_or_by_a_card, Moved),
    law.of_fact(15, F.an_ability_is_used_up_once_a_turn, Marked),
    law.of_fact(15, F.only_who_is_active_is_tapped, Stanced),
    law.of_fact(15, F.turns_alternate, Clocked),
    law.of_deed(15, M.a_use_takes_its_card, UseSkill),
    law.of_deed(15, M.showing_a_graveyard_changes_nothing, ShowGraveyard),
    law.of_every_game(15, "every_match_ends", "ended"),
    law.of_fact(16, law.nothing_follows_the_end),
    law.of_match(16, M.a_match_has_one_result_at_most),
    law.of_match(17, M.both_sides_are_alike),
)
"""All invariants, for any rules. Those that depend on an option read it themselves."""
