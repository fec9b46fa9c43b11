"""The clauses of BlackPoker, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# Scope, cards, numbers
TWO_PLAYERS: Final = Clause("BP-1.1")  # The game is for two players, each with an own deck.
DECK_LIMITS: Final = Clause("BP-1.2")  # A deck holds each pair of suit and rank at most once, and at most {deck.jokers_max} Jokers.
CARD_NUMBERS: Final = Clause("BP-1.3")  # As numbers A counts 1, 2 to 10 as printed, J 11, Q 12, K 13 and a Joker 0.
REGULATION: Final = Clause("BP-1.4")  # A match is played under a regulation, a format with a frame: here Lite with {frame}.
DECK_LIST: Final = Clause("BP-1.5")  # A deck consists of exactly the cards that its frame lists.
OWNERS_ZONES: Final = Clause("BP-1.6")  # A card that goes to a grave, hand, life or fog goes to the one of its owner's side.
UNLISTED: Final = Clause("BP-1.7")  # An item that an action does not list (cost, key card, target, choice) does not exist for it and cannot be given.
HEADER: Final = Clause("BP-1.8")  # An action's header gives its trigger, speed and timing, its cost ($) and its key cards (★); ☆ says which cards make a unit.
IN_FORMAT: Final = Clause("BP-1.9")  # Only actions of the format and frame in play can be requested.
FULL_DECK: Final = Clause("BP-1.10")  # The test frame Full54 uses all fifty-four cards, each suit and rank once and two Jokers.

# Zones and disclosure
ZONES: Final = Clause("BP-2.1")  # Each player has a life, a hand, a field, a fog and a grave; both share the stage.
LIFE_PILE: Final = Clause("BP-2.2")  # Life is an ordered face-down pile; cards leave it from the top unless an effect says otherwise.
GRAVE_PILE: Final = Clause("BP-2.3")  # A grave is a face-up pile: its top card is public, the others may be looked at by its owner only.
HAND_COUNTED: Final = Clause("BP-2.4")  # The number of cards in a hand is public, their faces are known to its owner only.
FIELD_FACES: Final = Clause("BP-2.5")  # Face-up cards on the field are public; a face-down card is known to its owner only, but for what the preset showed.
FOG_OPEN: Final = Clause("BP-2.6")  # Fog cards lie face up and are public.
STAGE_OPEN: Final = Clause("BP-2.7")  # A request on the stage shows its action, key cards and targets to all.
LIFE_COUNT: Final = Clause("BP-2.8")  # Below {life.public_threshold} life cards the exact count is public; from there on '{life.public_threshold} or more' is enough of an answer.
GRAVE_TOP: Final = Clause("BP-2.9")  # Of cards that go to a grave together {grave_top} becomes the visible top; older cards are not shown again.
BULWARK_ROW: Final = Clause("BP-2.10")  # A new bulwark is put at the end of the row, the row being closed up towards life; bulwarks never swap places.
TRUTHFUL: Final = Clause("BP-2.11")  # A player asked for public information answers truthfully.
UNIT_AS_ONE: Final = Clause("BP-2.12")  # A unit of several cards moves, turns and dies as one.

# Set-up
DECKS_SHUFFLED: Final = Clause("BP-3.1")  # Each deck is shuffled.
DECK_TO_LIFE: Final = Clause("BP-3.2")  # The shuffled deck becomes its owner's life, face down.
OPENING_HAND: Final = Clause("BP-3.3")  # Each player takes the top {setup.hand_size} life cards as the opening hand.
PRESET_BULWARK: Final = Clause("BP-3.4")  # The life card after the opening hand becomes a charged bulwark, the preset bulwark, which {preset.bulwark_face}.
PRESET_SOLDIER: Final = Clause("BP-3.5")  # The life card after the preset bulwark becomes a charged, face-up soldier, the preset soldier.
PRESET_RETRIED: Final = Clause("BP-3.6")  # A preset card that cannot be a soldier of the format goes to the grave and the next one is tried; whoever runs out of life this way loses.
HIGHER_GOES_FIRST: Final = Clause("BP-3.7")  # To find the first player both turn up their top life card; the higher number goes first.
TIE_REPEATS: Final = Clause("BP-3.8")  # If these numbers are equal both turn up the next card and compare only that; if a life has run out a coin decides.
TURNED_UP_TO_GRAVE: Final = Clause("BP-3.9")  # All cards turned up to find the first player go to their owners' graves.
FIRST_PLAYER_DRAWS: Final = Clause("BP-3.10")  # The first player then draws {setup.first_player_draw} from the top of life; the other player draws none.
FIRST_TURN: Final = Clause("BP-3.11")  # The first player holds the first turn and the chance.
NO_FIRST_DRAW: Final = Clause("BP-3.12")  # No Charge and no Draw precede the first turn.
QUIET_SET_UP: Final = Clause("BP-3.13")  # During set-up nothing triggers and no win check is made, but for running out of life at the preset.

# Turn, chance, stage
ONE_TURN_PLAYER: Final = Clause("BP-4.1")  # The turn is a mark that exactly one player holds; there are no phases.
HOLDS_CHANCE: Final = Clause("BP-4.2")  # Only the holder of the chance may request an action or pass.
CHANCE_STAYS: Final = Clause("BP-4.3")  # The holder of the chance may go on requesting; once a normal request is on the stage {chance.after_request}.
MAIN_TIMING: Final = Clause("BP-4.4")  # A main action can be requested in one's own turn only, while the stage is empty.
QUICK_TIMING: Final = Clause("BP-4.5")  # A quick action needs nothing but the chance.
PASSES_CLEARED: Final = Clause("BP-4.6")  # When a player makes a request the pass record is emptied.
PASS_RECORDED: Final = Clause("BP-4.7")  # A pass is recorded; if the other player has not passed yet the chance moves there.
BOTH_PASSED: Final = Clause("BP-4.8")  # When both players have passed the newest request on the stage resolves.
CHANCE_TO_TURN_PLAYER: Final = Clause("BP-4.9")  # After a resolution from the stage {pass_record.reset} and the turn player holds the chance.
EMPTY_STAGE_ROUND: Final = Clause("BP-4.10")  # When both have passed on an empty stage nothing resolves: {pass_record.reset} and the turn player holds the chance.
LAST_IN_FIRST_OUT: Final = Clause("BP-4.11")  # The stage is last in, first out, with one resolution per round of passes.
SPEED: Final = Clause("BP-4.12")  # A normal request waits on the stage; an immediate one resolves at once, never enters the stage and cannot be answered.
CHANCE_STAYS_AFTER_IMMEDIATE: Final = Clause("BP-4.13")  # After an immediate request of a player that player still holds the chance.
NOT_BY_PLAYERS: Final = Clause("BP-4.14")  # A triggered action requests itself; no player can request it.
CHOICE_OPEN: Final = Clause("BP-4.15")  # While a choice is open only the asked player may act, by answering it; while an outcome of chance is awaited nobody may; conceding stays possible.
LIMITS_RESET: Final = Clause("BP-4.16")  # A limit per turn counts requests and starts anew when the turn changes hands.
NOTHING_ASKED: Final = Clause("BP-4.17")  # A choice that nobody was asked for cannot be answered.
CHANCE_OUTCOME: Final = Clause("BP-4.18")  # An outcome of chance is recorded once when it is asked for, must be a possible one, and is never drawn again on replay.

# Requesting
ONE_ACT: Final = Clause("BP-5.1")  # A request is announced, its cost paid, its key cards put out and its targets named, in this order and as one act.
ALL_OR_NOTHING: Final = Clause("BP-5.2")  # If any part of this cannot be done the request is not made and nothing changes.
COST_BULWARK: Final = Clause("BP-5.3")  # Each B is paid by driving one of one's own charged bulwarks; exactly as many are named as there are Bs.
COST_LIFE: Final = Clause("BP-5.4")  # Each L is paid by taking 1 damage, so a life card is needed; the last life card {cost.last_life}.
COST_DISCARD: Final = Clause("BP-5.5")  # Each D is paid by discarding one card from the hand; exactly as many are named as there are Ds.
PAID_ONCE: Final = Clause("BP-5.6")  # A card or bulwark pays for one cost letter only, and a discarded card is not also a key card.
KEYS_IN_HAND: Final = Clause("BP-5.7")  # Key cards come from the hand and stay with the request until it ends.
KEYS_MATCH: Final = Clause("BP-5.8")  # Key cards match the stated number of cards, suits and numbers exactly.
TARGET_THERE: Final = Clause("BP-5.9")  # An action that needs a target can be requested only by naming one that is there.
NOT_ITSELF: Final = Clause("BP-5.10")  # A request cannot be its own target.
EITHER_PLAYERS: Final = Clause("BP-5.11")  # A target that is named without 'own' or 'opponent' may belong to either player.
COSTS_STAY_PAID: Final = Clause("BP-5.12")  # A cost once paid is never returned.
PAYING_IS_NO_CHECK: Final = Clause("BP-5.13")  # As payment of L the last life card {cost.last_life}.
CONTROLLER: Final = Clause("BP-5.14")  # The controller of a request is whoever made it; 'own' and 'opponent' are read from there.
FIRST_FAILURE: Final = Clause("BP-5.15")  # If several conditions fail, the refusal cites the first in the order in which they are looked at.

# Resolution, win check, triggers
RESOLVED: Final = Clause("BP-6.1")  # To resolve a request: check its target, carry out its effect, take it off the stage, send its key cards to the grave.
TARGET_GONE: Final = Clause("BP-6.2")  # If the target is gone or was split, the effect is skipped and the request still counts as resolved.
AS_FAR_AS_POSSIBLE: Final = Clause("BP-6.3")  # Of an effect the possible parts are done and the impossible ones skipped.
STAYS_ON_STAGE: Final = Clause("BP-6.4")  # While its effect runs the request is still on the stage.
KEYS_TO_GRAVE: Final = Clause("BP-6.5")  # Key cards go to their owner's grave unless the effect put them elsewhere.
NULLIFIED: Final = Clause("BP-6.6")  # A nullified request leaves the stage, its key cards go to the grave, and it does not count as resolved.
WIN_CHECK: Final = Clause("BP-6.7")  # After every resolution a win check is made.
TRIGGER_CHECK: Final = Clause("BP-6.8")  # A trigger check follows every request made, every push on the stage and every resolution.
TRIGGER_ORDER: Final = Clause("BP-6.9")  # A trigger check takes immediate requests before normal ones, the turn player's before the other's, main before quick.
ORDER_CHOSEN: Final = Clause("BP-6.10")  # A player with several different triggered requests of one class says which of them comes first.
TRIGGER_STAGED: Final = Clause("BP-6.11")  # A triggered normal main request is staged only on an empty stage, else discarded; a quick one is always staged. Once one is staged {chance.after_trigger}.
TRIGGERS_JOIN: Final = Clause("BP-6.12")  # What triggers meanwhile joins the same trigger check until none is left.
TRIGGER_CONTROLLER: Final = Clause("BP-6.13")  # The controller of a triggered request is the turn player for Charge, Draw and Damage judge, for Block {block.controller}, for Next generation the player whose field the card left.
CHOSEN_AT_RESOLUTION: Final = Clause("BP-6.14")  # Choices inside an effect are made at resolution and by the controller, unless the effect says otherwise.
DAMAGE: Final = Clause("BP-6.15")  # Each point of damage moves one card from the top of life to the grave; the cards need not be shown.
DAMAGE_BEYOND_LIFE: Final = Clause("BP-6.16")  # Damage beyond the remaining life takes what is there.
ONLY_PLAYERS_DAMAGED: Final = Clause("BP-6.17")  # Only players take damage, characters never do.
TURN_PLAYER_ANSWERS_FIRST: Final = Clause("BP-6.18")  # If one step asks both players something the turn player answers first; before the first turn it is the first player.

# Basic actions
END: Final = Clause("BP-7.1")  # End is requested directly, normal, main, without cost, key card or target.
END_DISCARDS: Final = Clause("BP-7.2")  # End first makes its controller discard down to {hand.limit} cards if the hand holds more.
END_CLEARS_FOG: Final = Clause("BP-7.3")  # After discarding, End moves fog cards to their owners' graves: {fog.end_scope}.
END_TURN_PASSES: Final = Clause("BP-7.4")  # Last of all, End passes the turn to the opponent.
CHARGE: Final = Clause("BP-7.5")  # Charge triggers for the new turn player when End has resolved; it is immediate and main.
CHARGE_ALL: Final = Clause("BP-7.6")  # Charge sets every character of the turn player to charged.
DRAW: Final = Clause("BP-7.7")  # Draw triggers for the turn player when Charge has resolved; it is normal and main.
DRAW_FIRST: Final = Clause("BP-7.8")  # Draw: its controller takes {draw.mode} to hand; the fixed number is {draw.mandatory}, low life is {draw.low_life} or fewer.
DRAW_SECOND: Final = Clause("BP-7.9")  # After a fixed number of cards the controller of Draw may take up to {draw.optional} more; after two or one there is no choice.
ATTACK: Final = Clause("BP-7.10")  # Attack is requested directly, normal, main, without cost, key card or target.
ATTACK_LIMIT: Final = Clause("BP-7.11")  # A player's requests of Attack are limited to {attack.requests_per_turn} per turn.
ATTACKER_LABEL: Final = Clause("BP-7.12")  # The controller of Attack designates attackers {attack.designate}, each once, among own characters with the attacker label.
ATTACKER_CHARGED: Final = Clause("BP-7.13")  # A driven character cannot be designated as attacker.
ATTACKERS_ANY: Final = Clause("BP-7.14")  # Any number of attackers may be designated; {attack.empty}.
ATTACKER_ARRIVED: Final = Clause("BP-7.15")  # A character that arrived this turn cannot be designated as attacker unless it has haste; newly arrived are {sickness.model}; a preset soldier {preset.soldier_can_attack_turn1} in turn 1.
ATTACKERS_DRIVEN: Final = Clause("BP-7.16")  # Designated attackers become driven.
BLOCK: Final = Clause("BP-7.17")  # Block triggers when Attack has resolved {attack.empty_chain}; it is normal and main.
BLOCKERS: Final = Clause("BP-7.18")  # When Block resolves the opponent of the turn player designates blockers among own characters for each attacker still on the field; {block.mandatory}.
BLOCKER_LABEL: Final = Clause("BP-7.19")  # A blocker needs the blocker label.
SEVERAL_SOLDIERS_BLOCK: Final = Clause("BP-7.20")  # One attacker may be blocked by several soldiers.
BULWARK_ALONE: Final = Clause("BP-7.21")  # Among the blockers of one attacker {block.mixed}.
BLOCKER_CHARGED: Final = Clause("BP-7.22")  # A driven character cannot be designated as blocker.
BLOCKS_ONCE: Final = Clause("BP-7.23")  # One character {block.exclusive}.
BLOCKER_NOT_DRIVEN: Final = Clause("BP-7.24")  # Blocking does not drive the blocker.
DAMAGE_JUDGE: Final = Clause("BP-7.25")  # Damage judge triggers when Block has resolved; it is normal and main.
SMALLER_DIES: Final = Clause("BP-7.26")  # Soldier against soldier: each side's {judge.compare} is compared and {judge.smaller_dies}.
EQUAL_DIE: Final = Clause("BP-7.27")  # In a combat of soldiers with both sides equal both go to the grave.
BLOCKERS_ADD_UP: Final = Clause("BP-7.28")  # Several blocking soldiers compare as one sum and share the outcome.
BULWARK_TURNED_UP: Final = Clause("BP-7.29")  # Soldier against bulwark: the bulwark is turned up.
JOKER_BULWARK: Final = Clause("BP-7.30")  # A blocking bulwark that is a Joker sends the attacker to the grave.
NUMBER_MATCHED: Final = Clause("BP-7.31")  # A blocking bulwark whose printed number is among the attacker's cards sends the attacker to the grave.
BULWARK_DIES: Final = Clause("BP-7.32")  # A bulwark that blocked goes to the grave in every case.
UNBLOCKED_DAMAGE: Final = Clause("BP-7.33")  # An attacker deals damage equal to its {judge.compare} to the opponent if it {judge.unblocked_snapshot}; below 0 counts as 0.
ATTACKER_GONE: Final = Clause("BP-7.34")  # An attacker that has left the field does nothing, and its blockers stay.
ROLES_END: Final = Clause("BP-7.35")  # The roles of attacker and blocker end when Damage judge has resolved; until then {combat.role_lost_by_stance}.
NEXT_GENERATION: Final = Clause("BP-7.36")  # Next generation triggers once for each Joker, A, J, Q or K that goes from its owner's field to the grave; it is immediate and quick.
GENERATION_FOUND: Final = Clause("BP-7.37")  # Next generation moves life cards one by one to the grave until a Joker, A, J, Q or K appears, which goes to hand.
GENERATION_NOT_FOUND: Final = Clause("BP-7.38")  # If Next generation finds none, all of life lies in the grave and no card is gained.
ONLY_FROM_FIELD: Final = Clause("BP-7.39")  # Cards that reach the grave from life, hand, stage or fog cause no next generation.
NOBODY_TO_BLOCK: Final = Clause("BP-7.40")  # If no attacker is left on the field when Block resolves nobody is asked; Block and Damage judge still resolve.
STEPS_TOGETHER: Final = Clause("BP-7.41")  # The soldier step and the bulwark step of Damage judge each read the table at their own start and make all their moves together; damage is then dealt attacker by attacker, as designated.

# Summons
SET_BULWARK: Final = Clause("BP-8.1")  # Set bulwark is requested directly, immediate, main, at cost L, without key card or target.
BULWARK_LIMIT: Final = Clause("BP-8.2")  # A player's requests of Set bulwark are limited to {set_bulwark.requests_per_turn} per turn.
BULWARK_PLACED: Final = Clause("BP-8.3")  # By Set bulwark one card of its controller's hand enters the field as a charged, face-down bulwark.
SUMMON_SOLDIER: Final = Clause("BP-8.4")  # Summon soldier is requested directly, normal, main, at cost BL, with one 2 to 10 as key card.
SOLDIER_ENTERS: Final = Clause("BP-8.5")  # The key card of Summon soldier enters the field as a charged, face-up common soldier.
SUMMON_HERO: Final = Clause("BP-8.6")  # Summon hero is requested directly, normal, main, at cost BBL, with one J, Q or K as key card, which enters as a charged, face-up hero.
SUMMON_ACE: Final = Clause("BP-8.7")  # Summon ace is requested directly, normal, main, at cost L, with one A as key card, which enters as a charged, face-up ace.
EQUIP: Final = Clause("BP-8.8")  # Equip is requested directly, normal, main, at cost BL, with one A to K as key card.
EQUIP_TARGET: Final = Clause("BP-8.9")  # The target of Equip is one own soldier of the key card's suit; {equip.consecutive}.
EQUIPPED: Final = Clause("BP-8.10")  # The key card of Equip is put on top of the target, which is then an armed soldier.
EQUIP_KEEPS: Final = Clause("BP-8.11")  # An equipped unit {equip.stance} and {equip.arrival}.
EQUIP_SAME_UNIT: Final = Clause("BP-8.12")  # An equipped soldier stays the same unit; fogs on it go on counting.
EQUIP_AGAIN: Final = Clause("BP-8.13")  # An armed soldier may be equipped again with a card of its suit.

# Quick magic
UP: Final = Clause("BP-9.1")  # Up is requested directly, normal, quick, at cost D, with one ♡ A to 10 as key card.
UP_TARGET: Final = Clause("BP-9.2")  # The target of Up is one soldier of either player.
UP_GROWS: Final = Clause("BP-9.3")  # Up raises the target's size by the key card's number for as long as fogs count (BP-12.4); the key card {fog.enabled}.
DOWN: Final = Clause("BP-9.4")  # Down is requested directly, normal, quick, at cost D, with one ♠ A to 10 as key card.
DOWN_TARGET: Final = Clause("BP-9.5")  # The target of Down is one soldier of either player.
DOWN_SHRINKS: Final = Clause("BP-9.6")  # Down lowers the target's size by the key card's number for as long as fogs count (BP-12.4).
DOWN_KILLS: Final = Clause("BP-9.7")  # If Down leaves its target with a size of 0 or less the target goes to the grave.
DOWN_IN_FOG: Final = Clause("BP-9.8")  # If Down leaves its target with a size above 0 the key card {fog.enabled}.
TWIST: Final = Clause("BP-9.9")  # Twist is requested directly, normal, quick, at cost D, with one ♢ A to 10 as key card.
TWIST_TARGET: Final = Clause("BP-9.10")  # The target of Twist is one character of either player.
TWIST_STATE: Final = Clause("BP-9.11")  # The target of Twist becomes charged or driven, which its controller names {twist.choose}.
COUNTER: Final = Clause("BP-9.12")  # Counter is requested directly, normal, quick, at cost D, with one ♣ A to 10 as key card.
COUNTER_TARGET: Final = Clause("BP-9.13")  # The target of Counter is a request with at least one and at most {counter.max_keys} key cards; {counter.number_check}, and {counter.own_requests}.
COUNTER_ONE_KEY: Final = Clause("BP-9.14")  # Counter nullifies a target with one key card if its own number is at least that card's number.
COUNTER_TWO_KEYS: Final = Clause("BP-9.15")  # Counter nullifies a target with two or more key cards whatever the numbers.
COUNTER_REMOVES: Final = Clause("BP-9.16")  # Nullifying takes the target off the stage and sends its key cards to the grave.
COUNTER_FAILS: Final = Clause("BP-9.17")  # If its number is too low for a target with one key card, Counter does nothing and the target stays.
SEARCH: Final = Clause("BP-9.18")  # Search is requested directly, immediate, quick, without cost, with one Joker as key card.
SEARCH_FINDS: Final = Clause("BP-9.19")  # The controller of Search picks any card of the own life, shows it to the opponent and takes it to hand.
SEARCH_SHUFFLES: Final = Clause("BP-9.20")  # After Search that life is shuffled.

# Normal magic
DESTROY_BULWARK: Final = Clause("BP-10.1")  # Destroy bulwark is requested directly, normal, main, without cost, with one ♡ and one ♢, each A to K, as key cards.
DESTROY_TARGET: Final = Clause("BP-10.2")  # The target of Destroy bulwark is one bulwark of either player.
DESTROYED: Final = Clause("BP-10.3")  # Destroy bulwark moves its target from the field to the grave.
THROWING: Final = Clause("BP-10.4")  # Throwing is requested directly, normal, main, without cost, with one ♠ and one ♣, each A to K, as key cards.
THROWING_TARGET: Final = Clause("BP-10.5")  # The target of Throwing is the opponent.
THROWING_DAMAGE: Final = Clause("BP-10.6")  # Throwing deals damage equal to the number of {throwing.damage_suit}.

# Characters
CHARACTERS: Final = Clause("BP-11.1")  # A character is either a soldier or a bulwark.
COMMON_SOLDIER: Final = Clause("BP-11.2")  # Common soldier: one face-up 2 to 10; its size is its number; labels attacker and blocker.
HERO: Final = Clause("BP-11.3")  # Hero: one face-up J, Q or K; size 11, 12 or 13; labels attacker and blocker.
ACE: Final = Clause("BP-11.4")  # Ace: one face-up A; size 1; labels attacker, blocker and haste.
ARMED_SOLDIER: Final = Clause("BP-11.5")  # Armed soldier: two or more face-up cards of one suit; its size is the sum of their numbers; labels attacker and blocker, and haste if {armed.haste_from}.
BULWARK: Final = Clause("BP-11.6")  # Bulwark: any one face-down card (a preset one may lie face up, BP-3.4); no size; label blocker.
SIZE: Final = Clause("BP-11.7")  # A soldier's size is its base size plus all fogs on it that count.
SMALL_SIZE_STAYS: Final = Clause("BP-11.8")  # A size of 0 or less does not by itself send a soldier to the grave.
STANCES: Final = Clause("BP-11.9")  # Charged means unused, driven means used; there is no third stance.
RECOGNISED: Final = Clause("BP-11.10")  # Which character a unit is follows from its cards and their facing, and is read anew whenever these change.

# Fog
FOG_UP: Final = Clause("BP-12.1")  # An Up in the fog raises its target's size by its card's number while it counts.
FOG_DOWN: Final = Clause("BP-12.2")  # A Down in the fog lowers its target's size by its card's number while it counts.
FOG_LIES_WITH_CONTROLLER: Final = Clause("BP-12.3")  # A fog card lies in the fog of the request's controller, whoever owns the target.
FOG_STOPS: Final = Clause("BP-12.4")  # How long fogs count and lie: {fog.end_scope}.
FOG_LEAVES: Final = Clause("BP-12.5")  # A fog card leaves the fog only in an End that clears it.
FOG_OUTLIVES_TARGET: Final = Clause("BP-12.6")  # If the target of a fog leaves the field the fog stays, without effect.
FOGS_ADD_UP: Final = Clause("BP-12.7")  # Several fogs on one soldier add up.

# End of the match, conduct
LIFE_EMPTY: Final = Clause("BP-13.1")  # A player whose life is empty at a win check loses.
TURN_PLAYER_CHECKED_FIRST: Final = Clause("BP-13.2")  # The turn player's life is looked at first; if both are empty {winner.both_zero}.
NO_DRAWN_MATCH: Final = Clause("BP-13.3")  # A match is not drawn unless BP-13.2 says so.
CONCESSION: Final = Clause("BP-13.4")  # A player may concede at any time and then loses.
JUDGE_DECISION: Final = Clause("BP-13.5")  # A judge may end a match by naming the winner and giving a reason, both of which are recorded.
MATCH_GOES_ON: Final = Clause("BP-13.6")  # After the end of the match no action is accepted.
SHORTCUTS: Final = Clause("BP-13.7")  # Spoken shortcuts stand for the passes they imply; where the players meant different things the match goes back to the last point both agree on.
