"""The clauses of Skillbook, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# Decks
DECK_PARTS: Final = Clause("SB-1.1")  # A deck consists of exactly a skill book, an area map and a hero; the size of the book and the limits on copies are {enforce_construction}.
BOOK_SIZE: Final = Clause("SB-1.2")  # A skill book holds at least {book_min} and at most {book_max} skill cards.
SAME_NAME_LIMIT: Final = Clause("SB-1.3")  # The most cards of one name in a book: {same_name_max}.
CAST_LIMIT: Final = Clause("SB-1.4")  # The most copies of one card marked "cast" in a book: {cast_max}.
MAP_SIZE: Final = Clause("SB-1.5")  # An area map is exactly {map_size} terrain cards.
BASIC_TERRAINS_UNLIMITED: Final = Clause("SB-1.6")  # Each basic terrain may be used any number of times.
SPECIAL_TERRAIN_LIMIT: Final = Clause("SB-1.7")  # The most copies of one special terrain in a map: {special_terrain_max}.
START_POINTS: Final = Clause("SB-1.8")  # The number of start points in a map is {start_cards} {start_cards_min}; they count among its {map_size} terrains.
HEROES_IN_DECK: Final = Clause("SB-1.9")  # The number of heroes in a deck is exactly {heroes}.
UNUSABLE_SKILLS_LEGAL: Final = Clause("SB-1.10")  # Skills the hero can never use may still be put into the book.
TERRAIN_ELEMENTS: Final = Clause("SB-1.11")  # Mountain is fire, forest earth, plain wind, spring water, town dark; wasteland has no element and no effect.

# Set-up
DECK_SEPARATED: Final = Clause("SB-2.1")  # Before the game each deck is separated into hero, book and map.
SHORT_BOOK_LOSES: Final = Clause("SB-2.2")  # A player whose book is {setup_short_book} of {book_min} cards at this point of the set-up loses the match; if both are, it is a draw.
BOOKS_SHUFFLED: Final = Clause("SB-2.3")  # The players exchange books and shuffle each other's; the order names exactly the cards of the book.
NEUTRAL_ROW: Final = Clause("SB-2.4")  # {board_width} neutral terrains, officially all wastelands, are laid face up across the middle.
MAP_LAID_OUT: Final = Clause("SB-2.5")  # Each player lays all {map_size} terrains face down in its own area, choosing the place of each while looking at the faces.
TOSS_AND_ORDER: Final = Clause("SB-2.6")  # A toss is made; its winner chooses to be first or second player.
HERO_ON_START_POINT: Final = Clause("SB-2.7")  # When both areas are complete, the first player, then the second, places its hero on one of its own start points; the second sees where the first stands.
START_POINT_TURNED_UP: Final = Clause("SB-2.8")  # The chosen start point is turned face up.
OPENING_TABLE: Final = Clause("SB-2.9")  # The game begins with empty hands; how many cards are put on each skill table from the top of its owner's book: {opening_table}.
BOARD: Final = Clause("SB-2.10")  # The board has {board_width} columns; the players face each other, each with {own_rows} rows of their own; number of neutral rows between them: {neutral_rows}.

# Winning, losing, drawing
HERO_DEATH_LOSES: Final = Clause("SB-3.1")  # When a hero's HP is 0 or less its player dies and loses at once.
SURVIVOR_WINS: Final = Clause("SB-3.2")  # The survivor wins even if it could not have won by itself.
BOTH_HEROES_DEAD: Final = Clause("SB-3.3")  # If both heroes come to 0 HP at the same time the match is a draw.
EMPTY_BOOK_LOSES: Final = Clause("SB-3.4")  # A player whose book has no card left loses; this happens {book_out_check}.
BOTH_LOSE: Final = Clause("SB-3.5")  # If both players lose at the same moment for any reasons the match is a draw.
GOAL_LINE: Final = Clause("SB-3.6")  # The goal line of a player is the opponent's row closest to the opponent.
GOAL_WINS: Final = Clause("SB-3.7")  # At the judgment step a player whose hero is on its goal line wins; heroes looked at: {goal_check}.
BOTH_AT_GOAL: Final = Clause("SB-3.8")  # When both heroes are looked at and both are on their goal lines at the judgment step, the match is a draw.
ADJUDICATION: Final = Clause("SB-3.9")  # A tournament may set a time limit and adjudicate the match in the following order.
INVADER_WINS: Final = Clause("SB-3.10")  # At adjudication, if only one hero stands in the opponent's area, it wins.
FURTHER_WINS: Final = Clause("SB-3.11")  # The hero nearer to its goal line wins if {adjudication_neither_invaded}.
STARTED_BEHIND_WINS: Final = Clause("SB-3.12")  # If both are equally near, the one that started further back wins.
LESS_LIFE_LOST_WINS: Final = Clause("SB-3.13")  # If still undecided, the hero with the smaller difference of maximum and current life wins.
ADJUDICATED_DRAW: Final = Clause("SB-3.14")  # If even that does not decide, the match is a draw.
CONCEDING: Final = Clause("SB-3.15")  # A player may concede at any time and loses at once.
NOTHING_AFTER_END: Final = Clause("SB-3.16")  # After the end of the match no action is possible.
TIME_CALLED: Final = Clause("SB-3.17")  # When time is called, once in a match, the current turn is played to its judgment step and then adjudicated; turn at whose beginning time is called by itself: {time_limit_turns}.

# Turn structure
GAME_START_PHASE: Final = Clause("SB-4.1")  # There is one game start phase, once per game, before the first turn.
GAME_START_EFFECTS: Final = Clause("SB-4.2")  # Game-start effects happen in order from the first player.
OWN_EFFECTS_ORDERED: Final = Clause("SB-4.3")  # Several effects of one player at the same time happen in the order that player chooses.
TURNS_ALTERNATE: Final = Clause("SB-4.4")  # The first player takes the first turn; turns alternate.
RECOVERY: Final = Clause("SB-4.5")  # In the recovery step all resting and exhausted units of the turn player become active.
TURN_START_EFFECTS: Final = Clause("SB-4.6")  # Turn-start abilities happen in order from the first player.
TURN_DRAW: Final = Clause("SB-4.7")  # In the draw phase the turn player draws cards from its book ({draw_per_turn}), looks at them, and puts each on the skill table or into the hand as trump; in the first turn of the match {first_turn_draw}.
ROOM: Final = Clause("SB-4.8")  # The most cards on a skill table: {table_slots}; in a hand: {hand_max}.
OVERFLOW: Final = Clause("SB-4.9")  # If neither the skill table nor the hand has room, one card among the drawn one, the hand and the table goes to the graveyard.
TRUMP_SHIFTED: Final = Clause("SB-4.10")  # If neither has room, it is also allowed to send a table card to the graveyard, move the trump to the table and keep the drawn card as trump; while the table has room, the trump {draw_rearrange}.
CHARGING: Final = Clause("SB-4.11")  # In the charge phase the turn player may do nothing else and end the turn at once (charging), going to the turn end phase; with {charge_hp} HP or less this is {charge_at_one_hp}, and in the first step of the turn end the charging player {charging_player_may_respond}.
MAIN_PHASE: Final = Clause("SB-4.12")  # In the main phase the turn player may use skills and abilities, move units and fight.
END_DECLARED: Final = Clause("SB-4.13")  # A player with nothing left to do in the main phase declares the end of the turn.
LAST_CHANCE: Final = Clause("SB-4.14")  # The first step of the turn end is the last moment of the turn to use skills and abilities; there {end_start_use}.
CHARGE: Final = Clause("SB-4.15")  # A player who charged this turn loses {charge_hp} HP, makes a new book of its graveyard and book together, and removes cards from its top from the game; number of cards: {charge_removed}.
TURN_END_EFFECTS: Final = Clause("SB-4.16")  # In the reset step turn-end effects happen in order from the current player.
TURN_EFFECTS_END: Final = Clause("SB-4.17")  # In the reset step all effects lasting until end of turn end.
DAMAGE_HEALED: Final = Clause("SB-4.18")  # In the reset step all damage on objects that are not heroes is healed, {reset_check_between}.
JUDGMENT: Final = Clause("SB-4.19")  # In the judgment step the end conditions are examined.
NO_DISCARD_WITH_ROOM: Final = Clause("SB-4.20")  # While there is room no card may be discarded by the placing of a drawn card.
CHARGE_ORDER: Final = Clause("SB-4.21")  # The charge step is carried out in this order: HP loss, death check, mixing, shuffle, removal, empty-book check.
CHARGE_LOSS: Final = Clause("SB-4.22")  # HP lost by charging is a loss, not damage; it cannot be prevented.

# Skills, abilities, costs, responses
MILL_COST: Final = Clause("SB-5.1")  # A skill is used by paying its cost: that many cards from the top of one's own book to one's graveyard.
TAP_COST: Final = Clause("SB-5.2")  # T means the unit must be made exhausted as a cost; only an active unit can pay it.
SUITABLE_TARGET: Final = Clause("SB-5.3")  # A skill or ability without a suitable target cannot be used.
OWN_MAIN_PHASE: Final = Clause("SB-5.4")  # Non-response skills and abilities, moves, battles and table upkeep are possible only in one's own main phase while nothing is in progress, or where the end of the turn allows it.
RESPONSE_TIMING: Final = Clause("SB-5.5")  # A response skill may also be used in a response window, in either player's turn, during moves, battles and other skills.
BOON_NEEDED: Final = Clause("SB-5.6")  # A skill with an element is usable while the hero stands on a face-up terrain of that element (boon); a skill of the hero's own element {own_element_anywhere}, and a skill without an element needs none.
DOUBLE_BOON: Final = Clause("SB-5.7")  # While the hero stands on a face-up terrain of its own element, the cost of a skill of that element is reduced (double boon).
DISCOUNT: Final = Clause("SB-5.8")  # Without a note on the card the reduction is {double_boon_discount}, never below 0.
PRINTED_DISCOUNT: Final = Clause("SB-5.9")  # A cost written 10(4) is 4 under double boon.
HERO_REQUIREMENT: Final = Clause("SB-5.10")  # A skill with a hero requirement is usable only by a hero that meets it.
ACTIVATED: Final = Clause("SB-5.11")  # A + ability takes effect when its user activates it by paying its cost.
CONTINUOUS: Final = Clause("SB-5.12")  # A - ability is always in effect. Some have a trigger; then they act whenever its event happens.
RESPONSE_ABILITY: Final = Clause("SB-5.13")  # A response ability has the timing of a response skill.
USED_FROM: Final = Clause("SB-5.14")  # A skill is used from one's hand or, if not in force, from one's own table; it goes to the stack and afterwards to where its kind says.
STACK: Final = Clause("SB-5.15")  # Declared skills and abilities form a stack; {stack_order}.
CHANCE_ALTERNATES: Final = Clause("SB-5.16")  # In a window the chance alternates; two passes in a row resolve the next item or close the window.
TARGETS_RECHECKED: Final = Clause("SB-5.17")  # Targets are examined again on resolution; illegal ones are skipped, and if all are illegal nothing happens.
COST_PAYABLE: Final = Clause("SB-5.18")  # A cost larger than one's book cannot be paid, so the skill cannot be used; to pay with the last card of the book is {pay_last_card}.
COST_FIXED: Final = Clause("SB-5.19")  # The cost is fixed and paid on declaration and never given back.
TRIGGERS_AT_ONCE: Final = Clause("SB-5.20")  # Triggers are handled at once after the event group that caused them, before any window.
ORIGIN: Final = Clause("SB-5.21")  # Ranges of a skill start at the user's hero, ranges of an ability at its unit.
NO_USE_LIMIT: Final = Clause("SB-5.22")  # Any number of skills and abilities may be used in a turn; using a skill does not exhaust the hero.
BOON_AT_DECLARATION: Final = Clause("SB-5.23")  # The boon is examined on declaration only.
CANNOT_WINS: Final = Clause("SB-5.24")  # Card text beats these rules; "cannot" beats "can".
FACE_DOWN_IDLE: Final = Clause("SB-5.25")  # A face-down terrain gives no boon and has no effect.
ONCE_PER_TURN: Final = Clause("SB-5.26")  # An ability marked once per turn can be used once in each turn, counted for each source object by itself.
TRIGGER_OUTLIVES_SOURCE: Final = Clause("SB-5.27")  # A trigger that has happened is carried out even if its source is gone by then.
BOON_OF_ANY_TERRAIN: Final = Clause("SB-5.28")  # The terrain that gives a boon may belong to anyone: either player or the neutral row.

# Movement and exploration
MOVES_PER_TURN: Final = Clause("SB-6.1")  # How often a unit may move in a turn: {moves_per_turn}.
SQUARES_PER_SP: Final = Clause("SB-6.2")  # To move, a unit is exhausted and goes up to one square per point of SP.
STEP_BY_STEP: Final = Clause("SB-6.3")  # A move of n squares is n moves of one square, each complete with its consequences.
EXPLORE_ON_ENTERING: Final = Clause("SB-6.4")  # On entering an unexplored terrain, exploring is optional on one's own and forced on any other.
FLYING_EXPLORES_FREELY: Final = Clause("SB-6.5")  # A flying unit may choose on any terrain whether to explore.
EXPLORE_IN_PLACE: Final = Clause("SB-6.6")  # A unit may exhaust itself, as if moving 0 squares but without counting as moved, to explore the terrain it stands on.
FIGHT_AFTER_MOVE: Final = Clause("SB-6.7")  # A unit that moved may fight once afterwards, without being exhausted again; a unit that only explored in place {explore_then_fight}, and any other exhausted unit may not.
FIGHT_WITHOUT_MOVE: Final = Clause("SB-6.8")  # An active unit may fight without moving, exhausting itself; this is not a move.
NO_MOVE_AFTER_BATTLE: Final = Clause("SB-6.9")  # After its battle a unit cannot move or explore in place in that turn.
STEP_TO_NEIGHBOUR: Final = Clause("SB-6.10")  # A step goes to an orthogonally adjacent square of the board.
ONE_UNIT_PER_SQUARE: Final = Clause("SB-6.11")  # A square holds at most one unit, so no move ends on an occupied square; a move is blocked by {blocking}.
FLYING_LEAP: Final = Clause("SB-6.12")  # A flying unit may leap over squares occupied by non-flying units and must land on an empty square; it leaps over {flying_leap}.
STEPS_FOLLOW_SP: Final = Clause("SB-6.13")  # The number of steps follows {sp_recompute}.
RESPONSES_TO_STEPS: Final = Clause("SB-6.14")  # Responses may be used after the declaration of a move and after each step.
ACTIVE_TO_BEGIN: Final = Clause("SB-6.15")  # Only an active unit can begin a move, an exploration in place or a battle without moving.
SUMMON_SQUARE: Final = Clause("SB-6.16")  # A monster skill puts its unit on {summon_site}.
SUMMONED_STATE: Final = Clause("SB-6.17")  # A summoned or created unit comes onto the board {summoned_unit_state}.
EXPLORED_FOR_GOOD: Final = Clause("SB-6.18")  # An explored terrain is turned face up for good and has its effects from then on.
RESTING: Final = Clause("SB-6.19")  # A resting unit cannot begin a move, explore in place, fight or pay T; {resting_may_counter}.
AT_LEAST_ONE_STEP: Final = Clause("SB-6.20")  # A declared move makes at least one step if one is possible; after that it may be stopped at any time.
SUMMONING_IS_NOT_ENTERING: Final = Clause("SB-6.21")  # A unit that is summoned, created or set up does not enter its square: it explores nothing and sets off no enter trigger.

# Battle
ONE_ATTACKER: Final = Clause("SB-7.1")  # A battle is fought by one attacker, known from its beginning.
BATTLE_START_EFFECTS: Final = Clause("SB-7.2")  # Battle-start effects happen first.
MELEE_REACH: Final = Clause("SB-7.3")  # The attacker chooses a unit it can reach with line {melee_line}.
FLYING_OUT_OF_REACH: Final = Clause("SB-7.4")  # A unit without flying cannot attack a flying unit.
COUNTER: Final = Clause("SB-7.5")  # If the target is active, or is resting and may counter, its controller may exhaust it to counter.
DAMAGE_IS_AT: Final = Clause("SB-7.6")  # The damage is determined: the AT of the one who strikes.
DESTROYED_AT_DF: Final = Clause("SB-7.7")  # A non-hero unit whose damage reaches its DF is destroyed; {damage_model}.
ATTACKER_DAMAGED: Final = Clause("SB-7.8")  # If there was a counter the attacker is dealt damage too, with the same consequence.
COUNTER_IGNORES_FLYING: Final = Clause("SB-7.9")  # Countering does not depend on who has flying, unless the attack is ranged and the rule for that asks for it.
BATTLE_END_EFFECTS: Final = Clause("SB-7.10")  # After battle-end effects play returns to the phase that called the battle.
ENEMIES_ATTACKED: Final = Clause("SB-7.11")  # Only enemy units can be attacked.
DAMAGE_AT_ONCE: Final = Clause("SB-7.12")  # Attack and counter damage are dealt at the same time.
FIGHTS_PER_TURN: Final = Clause("SB-7.13")  # How often a unit may fight as attacker in a turn: {fights_per_turn}.
RANGED_REACH: Final = Clause("SB-7.14")  # A ranged X unit may attack a unit up to line X away.
ALWAYS_RANGED: Final = Clause("SB-7.15")  # Every normal attack of a ranged unit is a ranged attack, even at distance 1.
RANGED_HITS_FLYING: Final = Clause("SB-7.16")  # A ranged attack may be made against flying units.
RANGED_COUNTER: Final = Clause("SB-7.17")  # A ranged attack can be countered only by a target {ranged_counter}.
PAIRING_BROKEN: Final = Clause("SB-7.18")  # If attacker or target has gone when damage is determined, nobody is dealt battle damage; if the target is only no longer legal, {attack_target_moved}.
HERO_HP: Final = Clause("SB-7.19")  # A hero has HP instead of DF; damage on it accumulates.
DESTROYED_TO_GRAVEYARD: Final = Clause("SB-7.20")  # A destroyed unit's card goes to its owner's graveyard.
BATTLE_WITHOUT_TARGET: Final = Clause("SB-7.21")  # If after the battle-start effects the attacker is gone or can reach no legal target, the battle ends without a target; the attacker has fought.

# Ranges
LINE: Final = Clause("SB-8.1")  # Line X selects a square (or a target on it) that can be reached by at most X steps; the path {line_path}.
NO_DIAGONALS: Final = Clause("SB-8.2")  # There are no diagonal steps.
OBSTRUCTED: Final = Clause("SB-8.3")  # Without piercing a path ends at the first square with a unit; that square is then the selected one.
PIERCING: Final = Clause("SB-8.4")  # With piercing a path passes anything. All squares of the path other than the start and the target are pierced squares.
START_IN_RANGE: Final = Clause("SB-8.5")  # The start square, and a unit on it, belongs to the range (0 steps); it does not use up a step.
AREA: Final = Clause("SB-8.6")  # Area X is every square reachable by line X with piercing, normally with the start square.
ONLY_UNITS_OBSTRUCT: Final = Clause("SB-8.7")  # Only units obstruct a line; terrains, binds and face-down cards do not; allies obstruct like enemies.
DECLARED_PATH: Final = Clause("SB-8.8")  # A declared path consists of neighbouring squares without repetition, leads from the start to the target, and is given exactly when the card or attack uses pierced squares; the start square never obstructs.

# Zones and information
GRAVEYARD_TOP_PUBLIC: Final = Clause("SB-9.1")  # Of a graveyard only the top card is public.
COST_COUNTED_FACE_DOWN: Final = Clause("SB-9.2")  # Cards paid as cost may be counted face down and then turned up together.
REMOVED_HIDDEN: Final = Clause("SB-9.3")  # Cards removed by charging are not public.
OWNER_LOOKS: Final = Clause("SB-9.4")  # The owner may look through its own graveyard and removed cards at any time without changing their order.
REVEALED_FOR_EFFECT: Final = Clause("SB-9.5")  # A card with an effect on going to the graveyard or being removed must be revealed when that happens, and the effect occurs; which way of going there counts is said by the card.
TOKENS_REMOVED: Final = Clause("SB-9.6")  # What an effect creates is a token, not a card; on leaving the board in any way it is removed from the game.
GRAVEYARD_ORDER: Final = Clause("SB-9.7")  # Of cards put from a book into the graveyard one after another the {mill_order} one lies on top; other cards arriving together are ordered by their owner.
TABLE_PUBLIC_HAND_SECRET: Final = Clause("SB-9.8")  # The skill table is public, the hand is secret.
GRAVEYARD_SHOWN: Final = Clause("SB-9.9")  # A player may show cards of its own graveyard voluntarily.
REMOVED_IN_PUBLIC: Final = Clause("SB-9.10")  # A card removed from the game by a card's text while it was public stays public.

# Keywords and kinds of skill
FLYING: Final = Clause("SB-10.1")  # Flying: may leap over non-flying units, is not normally attacked by non-flying units, explores as it likes, may ignore terrain effects.
TERRAIN_IGNORED: Final = Clause("SB-10.2")  # A flying unit that enters (or is summoned onto) a face-up terrain may ignore the continuous effects of that terrain while it stays; the boon is not such an effect.
NOT_IGNORED: Final = Clause("SB-10.3")  # Triggered and activated effects of a terrain cannot be ignored.
EXPLORER_SUBJECT: Final = Clause("SB-10.4")  # A flying unit that explores the terrain itself is subject to it like any other unit.
RECALL: Final = Clause("SB-10.5")  # Recall puts a non-hero unit from the board back to its owner, normally into the hand.
RECALL_OVERFLOW: Final = Clause("SB-10.6")  # If neither hand nor table has room, the owner sends the recalled unit, its hand card or a table card to the graveyard.
HEROES_NOT_RECALLED: Final = Clause("SB-10.7")  # A hero cannot be recalled.
TELEPORT_DESPITE_BAN: Final = Clause("SB-10.8")  # A teleport works on a unit that is forbidden to move.
TELEPORT_SKIPS_WAY: Final = Clause("SB-10.9")  # A teleport disregards everything between: no exploring and no terrain effect on the way, even for flying units.
TELEPORT_IS_ONE: Final = Clause("SB-10.10")  # A teleport of n squares is one displacement, not n.
TELEPORT_ARRIVAL: Final = Clause("SB-10.11")  # A teleport ends on an empty square and does not exhaust the unit; {teleport_arrival}.
BIND: Final = Clause("SB-10.12")  # A bind is attached to one object when it resolves.
BINDS_UNLIMITED: Final = Clause("SB-10.13")  # One unit may carry any number of binds.
BIND_FALLS: Final = Clause("SB-10.14")  # When its object leaves the board a bind goes to its owner's graveyard.
AURA: Final = Clause("SB-10.15")  # An aura is paid for and installed on one's own table.
AURA_ROOM: Final = Clause("SB-10.16")  # Without a free slot room must be made for an aura by sending an own table card to the graveyard; if that is impossible the aura cannot be used.
AURA_SIDEWAYS: Final = Clause("SB-10.17")  # An aura in force lies sideways, apart from the unused skills.
AURA_TAKES_SLOT: Final = Clause("SB-10.18")  # An aura in force uses up a slot and affects the whole game as it says.
AURA_DISCARDED: Final = Clause("SB-10.19")  # A player may discard its own auras in its main phase.
CURSE: Final = Clause("SB-10.20")  # A curse is installed on the opponent's table.
CURSE_NEEDS_SLOT: Final = Clause("SB-10.21")  # A curse cannot be installed without a free slot on the opponent's table.
CURSE_DISPELLED: Final = Clause("SB-10.22")  # The cursed player may remove a curse in its main phase by paying the curse's cost.
CURSE_TAKES_SLOT: Final = Clause("SB-10.23")  # A curse uses up a slot of the cursed player.
CURSE_STAYS_ITS_OWNERS: Final = Clause("SB-10.24")  # A curse stays its caster's card; the cursed player cannot discard it otherwise, and it goes to its owner's graveyard.
DISCARDED_AURA_TO_GRAVEYARD: Final = Clause("SB-10.25")  # A discarded aura goes to its owner's graveyard.
BIND_ON_FACE_DOWN: Final = Clause("SB-10.26")  # A bind on a terrain that is turned face down stays attached, without effect until the terrain is face up again.

# Order of play (recording)
DECIDER_ACTS: Final = Clause("SB-11.1")  # Only the player who has the current decision may act.
DECISION_FIRST: Final = Clause("SB-11.2")  # A pending decision must be answered before anything else.
EXISTING_AND_USABLE: Final = Clause("SB-11.3")  # An action names only existing things the player may use for it.
CHANCE_RECORDED: Final = Clause("SB-11.4")  # Every random result is recorded as an event when it is asked for, and must be a possible one.
