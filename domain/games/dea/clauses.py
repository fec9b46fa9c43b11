"""The clauses of DEA, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# General
TWO_WRITERS: Final = Clause("DEA-1.1")  # Two writers play, each with a plot of their own.
CARD_OVER_RULE: Final = Clause("DEA-1.2")  # Where a card's text differs from a rule, the card is followed for exactly what it says.
PROHIBITION_WINS: Final = Clause("DEA-1.3")  # A prohibition ("cannot") is stronger than any permission, whichever is older.
AS_FAR_AS_POSSIBLE: Final = Clause("DEA-1.4")  # An effect that can be done only in part is done as far as possible; costs are never paid in part.
TO_OWNERS_ZONE: Final = Clause("DEA-1.5")  # A card that leaves the map, the stack or a hand goes to its owner's zone.
CHANCE_RECORDED: Final = Clause("DEA-1.6")  # An outcome of chance is recorded when it is asked for, must be a possible one, and is never drawn again on replay.
MAP: Final = Clause("DEA-1.7")  # The map is a grid with a home area at each end and a central area between; preset: {map_preset}; columns: {map_columns}; rows of a home area: {home_rows}; rows of the central area: {centre_rows}.
DIRECTIONS: Final = Clause("DEA-1.8")  # Directions are read from the character's own writer: forward is towards the enemy edge of the map.
LAST_LINE: Final = Clause("DEA-1.9")  # A writer's last line is the row at the enemy edge of the map.

# Plot
PLOT_SIZE: Final = Clause("DEA-2.1")  # A plot has {characters_per_plot} characters, {gimmicks_per_plot} gimmicks and {foreshadows_per_plot} foreshadows.
COST_LIMIT: Final = Clause("DEA-2.2")  # The costs of a plot's characters total at most {character_cost_limit}.
GIMMICK_MIX: Final = Clause("DEA-2.3")  # The gimmicks may be any mix of events and equipment.
FORESHADOW_COUNT: Final = Clause("DEA-2.4")  # A plot has exactly {foreshadows_per_plot} foreshadows.
COPY_LIMIT: Final = Clause("DEA-2.5")  # The most cards of one name in a plot: {copies_per_name}; a name with a different bracketed suffix is a different name.
NO_OTHER_LIMIT: Final = Clause("DEA-2.6")  # Colour, rarity and sex put no limit on a plot.
NO_TOKENS_IN_PLOT: Final = Clause("DEA-2.7")  # Tokens are not part of a plot; they appear only through effects.
SAME_PLOT_ALL_DAY: Final = Clause("DEA-2.8")  # In a tournament one plot is used unchanged in all rounds; a match does not check this.

# Set-up (standby mode)
FIRST_PLAYER_BY_CHANCE: Final = Clause("DEA-3.1")  # The first player is decided by chance.
PLACE_IN_TURN: Final = Clause("DEA-3.2")  # Starting with the first player, the writers place one character each in turn until all are placed.
PLACE_AT_HOME: Final = Clause("DEA-3.3")  # A character may be placed only in its writer's home area, in any cell of it.
PLACE_IN_EMPTY_CELL: Final = Clause("DEA-3.4")  # A cell takes one character only.
PLACED_FACE_DOWN: Final = Clause("DEA-3.5")  # Placed characters stay face-down until all are turned face-up.
LAY_FORESHADOWS: Final = Clause("DEA-3.6")  # Each writer, the first player first, lays their own foreshadows face-down outside the map, one in each slot.
OWN_FORESHADOWS_SEEN: Final = Clause("DEA-3.7")  # A writer may look at their own face-down foreshadows at any time, hidden from the opponent.
GIMMICKS_SHUFFLED: Final = Clause("DEA-3.8")  # The opponent shuffles a writer's gimmicks, which become the deck; the order names exactly these cards.
OPENING_HAND: Final = Clause("DEA-3.9")  # Each writer draws an opening hand of {opening_hand} cards and may not draw another.
SLEEVE: Final = Clause("DEA-3.10")  # Beside the deck lies the sleeve, the pile of used cards.
CHARACTERS_REVEALED: Final = Clause("DEA-3.11")  # When both are ready, all characters are turned face-up together.
LIFE_FROM_SURVIVAL: Final = Clause("DEA-3.12")  # Life and maximum life start as the sum of the survival values of the writer's characters.
OPENING_PAGES: Final = Clause("DEA-3.13")  # Both writers start with {opening_pages} pages and 0 EP.
FIRST_TURN: Final = Clause("DEA-3.14")  # Then writing mode begins with the first player's turn.

# Pages, life, ending points, hand, deck
PAGES: Final = Clause("DEA-4.1")  # Pages pay for moves, gimmicks and abilities; effects may add or remove them.
PAGES_SUFFICE: Final = Clause("DEA-4.2")  # Without enough pages a use, a move or an attack cannot be declared.
PAGE_CAP: Final = Clause("DEA-4.3")  # Pages above {page_cap} become {page_cap} at that very moment.
PAGE_FLOOR: Final = Clause("DEA-4.4")  # Pages below {page_floor} become {page_floor}.
LIFE_CEILING: Final = Clause("DEA-4.5")  # Life cannot be raised above maximum life.
LIFE_BELOW_ZERO: Final = Clause("DEA-4.6")  # Life has no lower bound, so that what it is below 0 can be compared.
LIFE_COST: Final = Clause("DEA-4.7")  # A cost in life can be paid {life_payment}; a writer who pays down to 0 or less loses.
HAND_LIMIT: Final = Clause("DEA-4.8")  # The hand limit is checked only in the down phase; preset: {hand_cut}; limit: {hand_limit}.
EMPTY_DECK: Final = Clause("DEA-4.9")  # A writer whose deck is empty does not lose for it, and the deck is not refilled from the sleeve.
SLEEVE_PUBLIC: Final = Clause("DEA-4.10")  # The sleeve is face-up and public.
EP_BOUNDS: Final = Clause("DEA-4.11")  # EP never fall below 0 and have no upper bound.
COUNTERS_PUBLIC: Final = Clause("DEA-4.12")  # Pages, life, EP and all counters are public.

# Turn and phases
PHASES: Final = Clause("DEA-5.1")  # Turns alternate; a turn has an up, a main and a down phase.
RECORDS_CLEARED: Final = Clause("DEA-5.2")  # At each turn start the per-turn records of moves, attacks and limited abilities are cleared.
PAGE_INCOME: Final = Clause("DEA-5.3")  # Up phase, first: the turn player gains {pages_per_turn} pages.
TURN_DRAW: Final = Clause("DEA-5.4")  # Up phase, second: the turn player draws from the deck; number of cards: {cards_per_turn}.
FIRST_TURN_SKIPS: Final = Clause("DEA-5.5")  # On the first player's first turn {first_turn_skips}.
PAGE_FOR_CARD: Final = Clause("DEA-5.6")  # If a card cannot be drawn {empty_draw_scope} because the deck is empty, pages are gained instead: {empty_draw_pages}.
START_EFFECTS: Final = Clause("DEA-5.7")  # Up phase, third: start-of-turn effects are processed, in the order the turn player chooses.
MAIN_BEGINS: Final = Clause("DEA-5.8")  # After the up phase the main phase begins.
FREE_ORDER: Final = Clause("DEA-5.9")  # In the main phase moves, attacks, uses and conversions may be made in any order and number their conditions and costs allow.
TURN_PLAYER_ONLY: Final = Clause("DEA-5.10")  # Moves, attacks, equipment and the end declaration belong to the turn player alone.
OPEN_TO_BOTH: Final = Clause("DEA-5.11")  # Abilities, events, foreshadows and both conversions are open to both writers in either's main phase; {ntp_initiative}.
END_DECLARED: Final = Clause("DEA-5.12")  # The turn player ends the main phase by declaring it, while the stack is empty and no window is open.
END_WINDOW: Final = Clause("DEA-5.13")  # After that declaration {end_main_window}.
TURN_EFFECTS_EXPIRE: Final = Clause("DEA-5.14")  # In the down phase effects limited to the turn end, {down_order}.
END_EFFECTS: Final = Clause("DEA-5.15")  # In the down phase the end-of-turn effects are processed, in the order the turn player chooses.
DISCARD_TO_LIMIT: Final = Clause("DEA-5.16")  # Down phase, last: a turn player above the hand limit puts chosen cards face-up into the sleeve one by one; preset: {hand_cut}; size cut to: {discard_down_to}.
OPPONENTS_TURN: Final = Clause("DEA-5.17")  # Then the opponent's up phase begins.
NO_USE_OUTSIDE_MAIN: Final = Clause("DEA-5.18")  # In the up and down phases nothing can be used or converted; only required choices are made.

# Movement and attack
MOVE_IN_OWN_MAIN: Final = Clause("DEA-6.1")  # A normal move is made only in the mover's own main phase, while the stack is empty and no window is open.
OWN_CHARACTER: Final = Clause("DEA-6.2")  # A writer can move and attack only with their own characters.
MOVES_A_TURN: Final = Clause("DEA-6.3")  # Normal moves of each character in a turn: {moves_per_character}; an attack {attack_uses_move}.
MOVE_COST: Final = Clause("DEA-6.4")  # The page cost of a normal move is {move_cost}.
TYPE_CROSS: Final = Clause("DEA-6.5")  # Move type cross: one cell forward, back, right or left.
TYPE_X: Final = Clause("DEA-6.6")  # Move type x: one cell along any of the four diagonals.
TYPE_Y: Final = Clause("DEA-6.7")  # Move type Y: one cell straight back or diagonally forward.
TYPE_REVERSE_Y: Final = Clause("DEA-6.8")  # Move type reverse Y: one cell {reverse_y} or diagonally back.
TYPE_ALL: Final = Clause("DEA-6.9")  # Move type all: one cell in any of the eight directions.
TYPE_NONE: Final = Clause("DEA-6.10")  # Move type none: no normal move and no attack.
FROM_PRESENT_CELL: Final = Clause("DEA-6.11")  # The cells of a move type are counted from the character's present cell.
ON_THE_MAP: Final = Clause("DEA-6.12")  # A cell outside the map cannot be chosen.
NO_OWN_CHARACTER_THERE: Final = Clause("DEA-6.13")  # A cell with a character of the mover's own side cannot be chosen.
ENEMY_THERE_IS_ATTACK: Final = Clause("DEA-6.14")  # Moving to a cell with an enemy character is an attack and must be declared as one.
ATTACK_IN_OWN_MAIN: Final = Clause("DEA-6.15")  # An attack is declared only in the attacker's own main phase, while the stack is empty and no window is open, against a cell holding an enemy character.
ATTACKS_A_TURN: Final = Clause("DEA-6.16")  # Attacks of each character in a turn: {attacks_per_character}.
ATTACK_COST: Final = Clause("DEA-6.17")  # An attack costs what the move costs.
BOTH_IN_TARGET_CELL: Final = Clause("DEA-6.18")  # During the battle the attacker counts as standing in the target cell beside the blocker, for every effect, until an effect moves one of them.
ATTACKER_AND_BLOCKER: Final = Clause("DEA-6.19")  # The declaring character is the attacker, the other the blocker.
ATTACK_HOOKED: Final = Clause("DEA-6.20")  # Between the declaration of an attack and its damage {attack_window}.
BATTLE_DAMAGE: Final = Clause("DEA-6.21")  # Damage is the attacker's attack minus the blocker's defence at that time.
ATTACK_REPELLED: Final = Clause("DEA-6.22")  # If the damage is 0 or less, the attacker returns to the cell it came from and nobody loses life.
BLOCKER_STRUCK: Final = Clause("DEA-6.23")  # If the damage is 1 or more, the blocker's writer loses that much life and knockback follows.
KNOCKBACK: Final = Clause("DEA-6.24")  # Knockback shifts the blocker one cell further along the attacker's direction of travel, diagonals included.
KNOCKBACK_BLOCKED: Final = Clause("DEA-6.25")  # If that cell is occupied or reserved, or knockback is forbidden, the blocker stays and the attacker returns; if it is off the map, {knockback_edge}.
KNOCKBACK_NO_NORMAL_MOVE: Final = Clause("DEA-6.26")  # Knockback and the attacker's return or stay are not normal moves for anyone.
ATTACKER_ADVANCES: Final = Clause("DEA-6.27")  # After a carried-out knockback the attacker {attacker_after_knockback}.
BLOCKER_LEFT: Final = Clause("DEA-6.28")  # If the blocker has left the target cell before damage, {blocker_left}.
BATTLE_CANCELLED: Final = Clause("DEA-6.29")  # If an effect has moved or removed the attacker before damage, the battle ends without damage and it stays where it now is; otherwise a cancelled battle ends without damage and the attacker returns.
ORIGIN_RESERVED: Final = Clause("DEA-6.30")  # The attacker's origin cell is reserved until the battle ends; no effect may put anything into it, not even the attacker.
MOVE_AT_ONCE: Final = Clause("DEA-6.31")  # A normal move into an empty cell is carried out at once and cannot be hooked.

# Using abilities, cards and conversions
ABILITY_IN_MAIN: Final = Clause("DEA-7.1")  # Either writer may use a character's ability at any time in a main phase, as costs and conditions allow.
OWN_CHARACTERS_ABILITY: Final = Clause("DEA-7.2")  # An ability is used by declaring it, paying and naming one's own character; it takes effect when it resolves.
PASSIVES_NOT_DECLARED: Final = Clause("DEA-7.3")  # Passive abilities always work and are not declared; nP costs n pages, nL costs n life.
EVENT_IN_MAIN: Final = Clause("DEA-7.4")  # Either writer may use events at any time in a main phase, as costs and conditions allow.
EVENT_FROM_HAND: Final = Clause("DEA-7.5")  # An event is used by declaring it, paying and opening the card from one's own hand; it takes effect when it resolves.
EQUIPMENT_IN_OWN_MAIN: Final = Clause("DEA-7.6")  # Equipment is used only in its user's own main phase; there it may also be a hook.
EQUIPMENT_FROM_HAND: Final = Clause("DEA-7.7")  # Equipment is used by declaring it, paying and opening the card from one's own hand; it is laid on its wearer when it resolves.
WEARER: Final = Clause("DEA-7.8")  # The wearer is one character {equip_scope}.
OLD_EQUIPMENT_LEAVES: Final = Clause("DEA-7.9")  # The most equipment a character carries: {equipment_per_character}; when one more is laid on it, the oldest goes to the sleeve.
FORESHADOW_IN_MAIN: Final = Clause("DEA-7.10")  # Either writer may use a foreshadow of their own at any time in a main phase, as conditions allow.
OWN_FACE_DOWN_FORESHADOW: Final = Clause("DEA-7.11")  # A foreshadow is used by declaring one's own face-down foreshadow and opening it; it takes effect when it resolves and has no page cost.
FORESHADOW_CONDITION: Final = Clause("DEA-7.12")  # The printed use-condition of a foreshadow is looked at when it is declared and not again later: {foreshadow_open}.
ADDITIONAL_CONDITION: Final = Clause("DEA-7.13")  # A printed additional condition is carried out first, when the foreshadow resolves; if it is not, the effect fails.
LIVE_FIELDS: Final = Clause("DEA-7.14")  # Live field effects of each writer: {fields_per_player}; the older one ends {field_replace}.
OPENED_STAYS: Final = Clause("DEA-7.15")  # An opened foreshadow stays face-up in its slot and cannot be used again.
CONVERT_HAND_IN_MAIN: Final = Clause("DEA-7.16")  # Either writer may convert a hand card into pages at any time in a main phase.
HAND_CARD_CONVERTED: Final = Clause("DEA-7.17")  # One card from the writer's own hand goes to the sleeve and pages are gained: {hand_conversion_pages}.
CONVERT_HAND_AT_ONCE: Final = Clause("DEA-7.18")  # Hand conversion is not stacked and happens immediately.
CONVERT_PAGES_IN_MAIN: Final = Clause("DEA-7.19")  # Either writer may convert pages into an ending point at any time in a main phase.
CONVERT_PAGES_COST: Final = Clause("DEA-7.20")  # Page conversion costs {ep_conversion_cost} pages and gives 1 EP, any number of times in a match.
CONVERT_PAGES_STACKED: Final = Clause("DEA-7.21")  # Page conversion is a stack item: it can be hooked, and its EP comes when it resolves.
CONVERT_AT_CAP: Final = Clause("DEA-7.22")  # A hand card may be converted even at {page_cap} pages, and what is above the cap is lost.
TARGETS_AT_DECLARATION: Final = Clause("DEA-7.23")  # Targets, cells, modes and the wearer are chosen at declaration and are public.
COST_NOT_RETURNED: Final = Clause("DEA-7.24")  # Costs are paid at declaration and are never given back.
LEGAL_TARGETS_EXIST: Final = Clause("DEA-7.25")  # An ability or gimmick that needs targets cannot be declared when no legal set of them exists; {foreshadow_open}.
SEALED: Final = Clause("DEA-7.26")  # A sealed character's abilities cannot be declared and {seal_scope}; its equipment and effects of other cards on it go on working.
PRINTED_LIMITS: Final = Clause("DEA-7.27")  # Printed limits (own turn only, during a battle, once per turn, once per match) must hold at declaration, and a declared use counts even if it fails; "once per match" counts per writer and ability name.

# Trigger, hook and stack
TRIGGER: Final = Clause("DEA-8.1")  # Declaring a use while nothing is waiting is a trigger.
HOOK: Final = Clause("DEA-8.2")  # Declaring a use before the trigger is processed is a hook; both writers may hook, also their own trigger.
HOOK_A_HOOK: Final = Clause("DEA-8.3")  # A hook may itself be hooked.
STACK_ITEMS: Final = Clause("DEA-8.4")  # Stack items are abilities, events, equipment, foreshadows, page conversions and attacks; normal moves and hand conversions are not.
LAST_DECLARED_FIRST: Final = Clause("DEA-8.5")  # Items resolve in reverse order of declaration.
OPPONENT_FIRST: Final = Clause("DEA-8.6")  # After a declaration the opponent of the declarer may act first.
HOOK_OR_PASS: Final = Clause("DEA-8.7")  # A writer who has the opportunity hooks or passes; after a pass the other has it.
TWO_PASSES: Final = Clause("DEA-8.8")  # Two passes in a row close the window and resolution starts.
NOTHING_WHILE_RESOLVING: Final = Clause("DEA-8.9")  # Once resolution has started, nothing is declared or converted until {stack_resolution}.
NEGATED: Final = Clause("DEA-8.10")  # A negated item does nothing; its card still goes where it would go.
ABILITY_FAILS: Final = Clause("DEA-8.11")  # An ability fails if its character is sealed, or gone, when it would resolve.
CELL_CHOSEN_AGAIN: Final = Clause("DEA-8.12")  # A destination cell that became illegal is chosen again; if there is none, or a target became illegal, that part fails.
CARD_AFTER_RESOLUTION: Final = Clause("DEA-8.13")  # Events go to the sleeve after resolution, equipment onto its wearer, or into the sleeve if it failed.
BACK_TO_MAIN: Final = Clause("DEA-8.14")  # When the stack is empty the main phase goes on with the turn player.
OPPORTUNITY: Final = Clause("DEA-8.15")  # While a window is open only the writer who has the opportunity may act, and one can pass only then.
NO_HOOK_SAME_WAY: Final = Clause("DEA-8.16")  # A trigger without hooks resolves in the same way.
OPENED_BY_EFFECT: Final = Clause("DEA-8.17")  # A foreshadow opened by an effect is not declared: its item comes on top of the stack being resolved and resolves next, without a window.

# Automatic processing
STATE_CHECKED: Final = Clause("DEA-9.1")  # After every instruction, move and payment the bounds and the last line are checked; victory is checked {victory_check}.
CHECK_ORDER: Final = Clause("DEA-9.2")  # The order of the check is bounds, last-line EP, victory.
STANDS_ON_LAST_LINE: Final = Clause("DEA-9.3")  # A character standing on its last line earns its writer {ep_per_line} EP, {line_ep_cause}.
LINE_ONCE: Final = Clause("DEA-9.4")  # Each character earns that point once per match.
TOKENS_EARN_NOTHING: Final = Clause("DEA-9.5")  # Tokens never earn that point.
ATTACKER_NOT_ARRIVED: Final = Clause("DEA-9.6")  # The attacker of an unfinished battle has not yet arrived on the last line.
FORESHADOW_EP: Final = Clause("DEA-9.7")  # An opened foreshadow earns its owner {ep_per_foreshadow} EP {foreshadow_ep_timing}.
FORESHADOW_EP_KEPT: Final = Clause("DEA-9.8")  # That EP is kept when the effect fails or is negated.
AUTOMATIC_EFFECTS: Final = Clause("DEA-9.9")  # Automatic effects are not declared and cannot be hooked; they follow the item or move that caused them, in the order the turn player chooses; an "if" in one is looked at when it is processed.
DURATIONS: Final = Clause("DEA-9.10")  # Effects last as printed: this battle, this turn, while attached, while the field lives.
KEYWORD_ONCE: Final = Clause("DEA-9.11")  # The same keyword on one character works once; numeric changes add up.
NOT_BELOW_ZERO: Final = Clause("DEA-9.12")  # Attack and defence are not below 0 and are computed when needed.
CHOICE_PENDING: Final = Clause("DEA-9.13")  # While a required choice is open, only the chooser may act and only with that choice, though anyone may concede; an answer to a choice that is not open is not accepted.
SAME_TIME: Final = Clause("DEA-9.14")  # Changes made by one instruction to both writers happen at the same time.
TOKENS_ARE_CHARACTERS: Final = Clause("DEA-9.15")  # Tokens are characters for every rule but those of last-line EP and of starting life.
TOKEN_REMOVED: Final = Clause("DEA-9.16")  # A removed token leaves the match; its equipment goes to the sleeve.
WAS_ATTACKED: Final = Clause("DEA-9.17")  # A blocker "was attacked" when its battle came to the damage calculation, whatever the result; an avoided or cancelled battle does not count.

# End of the match
LIFE_GONE: Final = Clause("DEA-10.1")  # A writer whose life is 0 or less while the other's is above 0 loses, whatever the cause.
LOWER_LIFE_LOSES: Final = Clause("DEA-10.2")  # If both reach 0 or less at the same time, the one further below loses.
EQUAL_LIFE_BY_CHANCE: Final = Clause("DEA-10.3")  # If both lives are gone at the same time and equal, chance decides the winner.
EP_REACHED: Final = Clause("DEA-10.4")  # A writer with {ep_to_win} or more EP wins.
EP_SOURCES: Final = Clause("DEA-10.5")  # EP come from the last line, opened foreshadows, page conversion and card effects.
HIGHER_EP_WINS: Final = Clause("DEA-10.6")  # If both have {ep_to_win} or more EP at one check, the higher total wins; equal totals are decided by chance.
SPECIAL_VICTORY: Final = Clause("DEA-10.7")  # A card may state a victory of its own; it counts when that instruction is performed.
CONCEDED: Final = Clause("DEA-10.8")  # A writer may concede at any time; the other wins.
LIFE_AND_EP: Final = Clause("DEA-10.9")  # When a life condition and an EP condition come true at one check, {simultaneous_win}.
TIME_CALLED: Final = Clause("DEA-10.10")  # When a judge calls time in writing mode (minutes allowed: {match_minutes}), {time_result}; when the last turn is over (turns allowed: {max_turns}), the match is a draw; a judge may also end it by naming the winner or nobody, with a reason.
TITLE: Final = Clause("DEA-10.11")  # The winner may once give the battle a title; it has no effect on the result.
CARDS_RETURNED: Final = Clause("DEA-10.12")  # After the match every card goes back to its owner.
NOTHING_AFTER_END: Final = Clause("DEA-10.13")  # When the match has ended nothing more is processed and only a title may be given.

# Cards
CARD_KINDS: Final = Clause("DEA-11.1")  # There are characters, gimmicks (events, equipment), foreshadows and tokens.
CHARACTER_SHOWS: Final = Clause("DEA-11.2")  # A character has name, sex, colour, rarity, cost, move type, attack, defence, survival and abilities.
GIMMICK_SHOWS: Final = Clause("DEA-11.3")  # A gimmick has name, kind, colour, rarity, page cost and text.
FORESHADOW_SHOWS: Final = Clause("DEA-11.4")  # A foreshadow has name, colour, rarity, use-condition, optional additional condition, field mark and text.
DAMAGE_TO_CHARACTER: Final = Clause("DEA-11.5")  # A damage effect aimed at a character lowers its writer's life and counts as damage to that character.
EFFECT_MOVES: Final = Clause("DEA-11.6")  # A push or shift by an effect is not a normal move and never causes an attack.
LIFE_LOSS_NO_DAMAGE: Final = Clause("DEA-11.7")  # A loss or payment of life is not damage.
SWAP: Final = Clause("DEA-11.8")  # A swap exchanges the cells of two different characters; the attacker of a running battle cannot be one of them.
FORBIDDEN_DECLARATION: Final = Clause("DEA-11.9")  # A prohibition of an action stops its declaration; what was declared before still resolves.
