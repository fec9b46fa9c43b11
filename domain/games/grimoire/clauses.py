"""The clauses of Grimoire, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# Objective and golden rules
BEATEN_ALL_OPPONENTS: Final = Clause("GR-1.1")  # A player or team wins as soon as the characters of all their opponents have been beaten.
BEATEN_IN_TURN_ORDER: Final = Clause("GR-1.2")  # If several characters are beaten at the same time, their players lose {simultaneous_loss}.
LAST_SIDE_WINS: Final = Clause("GR-1.3")  # The match ends the moment one side remains, and losses still pending are dropped, so of players losing one by one the last wins; if a loss together leaves no side, it is a draw.
CARD_OVER_RULE: Final = Clause("GR-1.4")  # Where a card contradicts a rule, the card is followed, for exactly what it says.
CARD_FORBIDS: Final = Clause("GR-1.5")  # Where one thing permits and another forbids, the prohibition wins.
IMPOSSIBLE_IGNORED: Final = Clause("GR-1.6")  # An instruction, or the part of it, that cannot be carried out is ignored; the rest is carried out.
SEVERAL_IN_TURN_ORDER: Final = Clause("GR-1.7")  # Whatever concerns several players at once is done in turn order beginning with the turn player.
COST_IN_FULL: Final = Clause("GR-1.8")  # A cost is not an instruction: a player who cannot pay all of it cannot take the action.
PROHIBITION_BEATS_PERMISSION: Final = Clause("GR-1.9")  # Only rules can be overridden by a card's permission; a card's prohibition beats every card's permission, whichever is newer.
# Cards and decks
CARD_SHOWS: Final = Clause("GR-2.1")  # A card is a part of a deck and shows name, type, user name, cost, chroma, power, toughness and abilities.
CARD_NAME: Final = Clause("GR-2.2")  # The name identifies the card, and other cards may refer to it.
CARD_TYPE: Final = Clause("GR-2.3")  # The type is character or spell.
USER_NAME: Final = Clause("GR-2.4")  # The user name is the character's own name, or on a spell the name of its original user; cards may refer to it.
CHROMA: Final = Clause("GR-2.5")  # Chroma is a degree for each of seven colours: red, orange, yellow, green, blue, indigo, violet.
COLOURS: Final = Clause("GR-2.6")  # A card has the colours in which its chroma is at least 1; a card with none is colourless.
COST: Final = Clause("GR-2.7")  # The cost is a number of mana, zero or more.
POWER: Final = Clause("GR-2.8")  # Power is what a spell deals in a collision and what a character deals with an od explosion.
TOUGHNESS: Final = Clause("GR-2.9")  # Toughness is what the damage on an object is measured against.
ABILITIES: Final = Clause("GR-2.10")  # Abilities are what the card's text lets it do.
DECK_SIZES: Final = Clause("GR-2.11")  # A deck is {character_cards} character card, at least {grimoire_min} and at most {grimoire_max} spell cards for the grimoire, and at least {bookmark_min} and at most {bookmark_max} for the bookmark.
DECK_PARTS: Final = Clause("GR-2.12")  # When the game begins these three parts become the character, the grimoire and the bookmark.
ONE_CHARACTER: Final = Clause("GR-2.13")  # Every character card needs a deck of its own.
COPY_LIMIT: Final = Clause("GR-2.14")  # The most cards of one name in grimoire and bookmark together: {copy_limit}.
DECK_REFUSED: Final = Clause("GR-2.15")  # A deck that breaks the limits of parts or of copies cannot be registered.
# Objects, status, control
OBJECT: Final = Clause("GR-3.1")  # An object is what a card in play represents: a spell on the field or a character in a personal zone; it has the card's values.
OBJECT_BEARS: Final = Clause("GR-3.2")  # Objects can be targeted, carry damage and carry buffs.
SPELL: Final = Clause("GR-3.3")  # A spell is an object on the field represented by a card of type spell.
CHARACTER: Final = Clause("GR-3.4")  # A character stands for its player, is represented by a card of type character and is in that player's personal zone.
SPEND_EXTEND: Final = Clause("GR-3.5")  # To spend an object is to turn it sideways, used; to extend it is to turn it upright, usable.
ONE_STATUS: Final = Clause("GR-3.6")  # A spell on the field is exactly one of extended, spent, played; a character is extended or spent.
STATUS_CHANGE: Final = Clause("GR-3.7")  # Spending what is not extended, or extending what is not spent, is impossible: as an instruction it is ignored, as a cost it cannot be paid.
CONTROLS: Final = Clause("GR-3.8")  # Control says who uses a spell on the field; a player can use only the spells they control.
CONTROLLER: Final = Clause("GR-3.9")  # The controller is the player who controls the spell.
YOURS: Final = Clause("GR-3.10")  # 'Your' means an object you control or a card in one of your zones.
OWNER: Final = Clause("GR-3.11")  # The owner is the player whose deck the card came from; ownership never changes.
NEW_OBJECT: Final = Clause("GR-3.12")  # Entering the field makes a new object; leaving it loses damage, status, buffs, target and place in the stack.
CHARACTER_STAYS: Final = Clause("GR-3.13")  # A character leaves its personal zone only by being beaten or with its player; other instructions to move it are ignored.
NEWEST_CONTROL: Final = Clause("GR-3.14")  # Of several control changes on one spell the newest still in force decides; when none is left, the player who cast it or got it from the void controls it.
# Character resources
MANA: Final = Clause("GR-4.1")  # Mana pays for spells and activated abilities and recovers in its player's turn.
CAPACITY: Final = Clause("GR-4.2")  # Mana capacity is the level to which mana recovers.
OD: Final = Clause("GR-4.3")  # Od pays for od explosions.
CHARACTER_CHROMA: Final = Clause("GR-4.4")  # The character's chroma decides which spell cards its player can cast.
RESOURCES_BOUNDED: Final = Clause("GR-4.5")  # Mana, capacity, od and each chroma never go below 0 and have no upper limit.
MANA_STAYS: Final = Clause("GR-4.6")  # Unspent mana stays when a turn ends.
MANA_RECOVERED: Final = Clause("GR-4.7")  # To recover mana is to raise it to the capacity if it is lower; it never lowers mana.
# Damage
DAMAGE_ACCUMULATES: Final = Clause("GR-5.1")  # Damage accumulates on the object.
DAMAGE_MITIGATED: Final = Clause("GR-5.2")  # In a collision or od explosion an object deals its power minus the damage it carries, at least 0.
DAMAGE_LEAVES_VALUES: Final = Clause("GR-5.3")  # Damage changes neither power nor toughness.
LETHAL_DAMAGE: Final = Clause("GR-5.4")  # Damage {lethal} toughness is lethal.
ABILITY_DAMAGE: Final = Clause("GR-5.5")  # Damage dealt by an ability is its stated number, without mitigation.
DAMAGE_GOES_AWAY: Final = Clause("GR-5.6")  # Damage goes away only by an effect, by leaving the field or in its controller's initialize, where a character {initialize_heals_character}.
ZERO_DAMAGE: Final = Clause("GR-5.7")  # Damage of 0 is not dealt: nothing is triggered or recorded as damage.
# Buffs and continuous values
BUFF: Final = Clause("GR-6.1")  # A buff is an ability or value that another ability adds to an object or puts in place of its own.
BUFFS_IN_ORDER: Final = Clause("GR-6.2")  # Buffs and continuous changes apply in timestamp order.
BUFFS_THIS_TURN: Final = Clause("GR-6.3")  # 'This turn' buffs end in finalize.
ABILITIES_THEN_NUMBERS: Final = Clause("GR-6.4")  # First abilities gained and lost, then added and set numbers, each group by timestamp.
NUMBERS_BELOW_ZERO: Final = Clause("GR-6.5")  # Power and toughness may be calculated below 0; what is dealt is at least 0; toughness 0 or less is lethal with any damage, even none.
CONTINUOUS_WORKS: Final = Clause("GR-6.6")  # A continuous ability works while its object is on the field or in the personal zone, whatever its status.
SOURCE_GONE_NO_START: Final = Clause("GR-6.7")  # What would last as long as a source that has already left does not begin; that instruction is ignored.
TIMESTAMPS: Final = Clause("GR-6.8")  # A continuous ability counts from the entry of its object, a gained ability from its buff, a buff from its creation.
# Casting
CAST: Final = Clause("GR-7.1")  # To cast is to put a spell card from the hand onto the field as a spell.
CAST_WITH_PRIORITY: Final = Clause("GR-7.2")  # Only the holder of priority in a main phase casts.
OWN_TURN_CASTS: Final = Clause("GR-7.3")  # One casts only in one's own turn.
CHROMA_SUFFICES: Final = Clause("GR-7.4")  # The character's chroma must be {cast_inequality} the card's in every colour.
MANA_SUFFICES: Final = Clause("GR-7.5")  # The character's mana must be {cast_inequality} the card's cost.
COST_TAKEN: Final = Clause("GR-7.6")  # The cost is taken from mana automatically; chroma is not used up.
CAST_ENTERS: Final = Clause("GR-7.7")  # The spell enters {cast_enters}, without damage, under the caster's control, and is usable at once as far as its status allows.
CAST_TRIGGERS: Final = Clause("GR-7.8")  # After it entered, its 'when this is cast' abilities trigger.
HAND_CARD_CAST: Final = Clause("GR-7.9")  # The card must be a spell card in the caster's own hand.
CAST_WHILE_WAITING: Final = Clause("GR-7.10")  # Casting while played spells are waiting is {cast_while_waiting}.
CAST_AT_ONCE: Final = Clause("GR-7.11")  # A cast does not wait on the stack and cannot be responded to.
OTHER_ENTRY_NO_CAST: Final = Clause("GR-7.12")  # Putting a spell onto the field in another way is not casting.
# Playing and targets
PLAY: Final = Clause("GR-8.1")  # To play is to use a spell that is on the field.
PLAY_WITH_PRIORITY: Final = Clause("GR-8.2")  # Only the holder of priority plays, in any player's main phase.
PLAYED_BY_CONTROLLER: Final = Clause("GR-8.3")  # One plays only spells one controls.
EXTENDED_PLAYED: Final = Clause("GR-8.4")  # Only an extended spell can be played.
TARGET_NEEDED: Final = Clause("GR-8.5")  # Without a legal target the spell cannot be played.
ALWAYS_TARGETS: Final = Clause("GR-8.6")  # Always permitted as target: your character, your spells, friends' characters, friends' spells, played spells of anyone, an opponent's spent character.
OWN_TURN_TARGETS: Final = Clause("GR-8.7")  # In your own turn also any opponent's character, extended or spent, and an opponent's spent spell may be targeted.
NO_OTHER_TARGET: Final = Clause("GR-8.8")  # Nothing else can be targeted.
NOT_ITSELF: Final = Clause("GR-8.9")  # A spell cannot target itself.
ONE_TARGET: Final = Clause("GR-8.10")  # A played spell has exactly one target, chosen on playing and not changed afterwards.
PLAY_IS_FREE: Final = Clause("GR-8.11")  # Playing costs nothing; mana was paid for the cast.
PLAYED_ON_TOP: Final = Clause("GR-8.12")  # The played spell stays on the field with status played and goes on top of the stack.
OPPONENTS_EXTENDED_SPELL: Final = Clause("GR-8.13")  # An opponent's extended spell cannot be targeted.
OFFTURN_EXTENDED_CHARACTER: Final = Clause("GR-8.14")  # In another player's turn an opponent's extended character cannot be targeted.
OFFTURN_SPENDED_SPELL: Final = Clause("GR-8.15")  # In another player's turn an opponent's spent spell {offturn_spended_spells}.
# Priority, stack, resolution
PRIORITY: Final = Clause("GR-9.1")  # Priority is the right to act; it exists only in the main phase.
PRIORITY_FIRST: Final = Clause("GR-9.2")  # The turn player gets priority when the main phase begins.
PRIORITY_ACTIONS: Final = Clause("GR-9.3")  # The holder of priority may cast in their own turn, play, activate, explode od, or pass.
PASS: Final = Clause("GR-9.4")  # Passing gives priority to the next living player in turn order.
PRIORITY_KEPT: Final = Clause("GR-9.5")  # After any other action {priority_after_action}.
LAST_PLAYED_RESOLVED: Final = Clause("GR-9.6")  # When all players pass in a row without acting and spells are played, the one played last is resolved.
MAIN_ENDS: Final = Clause("GR-9.7")  # When all pass in a row and no spell is played, the main phase ends.
PASSES_RESTART: Final = Clause("GR-9.8")  # Any action other than a pass, a concession too, and any resolution restarts the count of passes.
COLLISION: Final = Clause("GR-9.9")  # Resolution, first: the spell collides with its target.
SPELLS_STRIKE_BOTH: Final = Clause("GR-9.10")  # The two spells deal damage to each other at the same time, each reduced by the damage carried before.
CHARACTER_STRUCK: Final = Clause("GR-9.11")  # A target character takes damage and {character_collision}.
RESOLUTION_TRIGGERS: Final = Clause("GR-9.12")  # Second: the spell's 'on resolution' abilities trigger.
RESOLVED_SPENDED: Final = Clause("GR-9.13")  # Last: the spell is back on the field, spent.
PRIORITY_AFTER_RESOLUTION: Final = Clause("GR-9.14")  # After the check that follows, the turn player gets priority, whoever played the spell.
BROKEN_AFTER_RESOLUTION: Final = Clause("GR-9.15")  # Spells with lethal damage are broken {break_in_resolution}.
ILLEGAL_TARGET_SKIPPED: Final = Clause("GR-9.16")  # If the target is gone or no longer legal, {on_illegal_target}.
LEFT_STACK: Final = Clause("GR-9.17")  # A played spell that left the field or was made unplayed is off the stack and is not resolved.
TARGET_GONE: Final = Clause("GR-9.18")  # What an effect would do to an illegal or vanished target is ignored.
# Od explosion
OD_EXPLOSION: Final = Clause("GR-10.1")  # A player may pay for an od explosion to deal damage to a spell.
OD_WITH_PRIORITY: Final = Clause("GR-10.2")  # An od explosion is taken with priority, {od_timing}.
OD_COST: Final = Clause("GR-10.3")  # An od explosion costs od: {od_explosion_cost}.
OD_DRAW: Final = Clause("GR-10.4")  # An od explosion also costs drawing one card.
OD_FETCH: Final = Clause("GR-10.5")  # Instead of drawing, the player may put one card of their bookmark into the hand.
OD_DAMAGE: Final = Clause("GR-10.6")  # The damage is the character's power, mitigated by the character's own damage.
OD_TARGET: Final = Clause("GR-10.7")  # Its target is one spell {od_targets}.
OD_AT_ONCE: Final = Clause("GR-10.8")  # It takes effect at once, without waiting.
OD_COSTS_PAYABLE: Final = Clause("GR-10.9")  # Both costs must be payable: no draw from an empty grimoire, no fetch without a bookmark card.
OD_KEEPS_STATUS: Final = Clause("GR-10.10")  # An od explosion does not change the character's status.
# Drawing and trance
DRAW: Final = Clause("GR-11.1")  # To draw a card is to put the top card of the grimoire into the hand.
DRAW_SEVERAL: Final = Clause("GR-11.2")  # To draw several cards is to draw one card that many times.
DRAW_FROM_EMPTY: Final = Clause("GR-11.3")  # Trying to draw from an empty grimoire marks the player; the character is beaten at the next state-based processing, which uses the mark up even if the beat is prevented.
TRANCE: Final = Clause("GR-11.4")  # To trance a card or object is to put it into the bookmark and to gain mana ({trance_mana_gain}), capacity ({trance_capacity_gain}) and chroma in each of its colours ({trance_chroma_gain}).
TRANCE_TWO_COLOURS: Final = Clause("GR-11.5")  # A card gives no mana if its number of colours is above {trance_mana_max_colours}.
TRANCE_FIVE_COLOURS: Final = Clause("GR-11.6")  # A card gives no capacity if its number of colours is above {trance_capacity_max_colours}.
TRANCE_COLOURLESS: Final = Clause("GR-11.7")  # A colourless card gives mana and capacity and no chroma.
TRANCE_OBJECT: Final = Clause("GR-11.8")  # A tranced object leaves the field for its {zone_destination}'s bookmark; the one who trances gets the gains.
BOOKMARK_GROWS: Final = Clause("GR-11.9")  # The limit of the bookmark concerns registration; it may grow beyond it in play.
BOOKMARK_TO_HAND: Final = Clause("GR-11.10")  # Bookmark cards reach the hand only by the opening pick, the trance phase, od explosions and cards.
# Break, junk, beat
BROKEN_JUNKED: Final = Clause("GR-12.1")  # A broken spell is junked.
BROKEN: Final = Clause("GR-12.2")  # A spell is broken by an effect that says so or, at the next state-based processing, by lethal damage.
JUNKED: Final = Clause("GR-12.3")  # A junked spell goes to its {zone_destination}'s junkyard.
JUNK_OWN: Final = Clause("GR-12.4")  # A player may be told or may pay to junk their own spell.
BEAT: Final = Clause("GR-12.5")  # Breaking a character is called beating it.
BEATEN_LOSES: Final = Clause("GR-12.6")  # A player whose character is beaten loses and is removed from the game; {od_guard}.
JUNK_NO_BREAK: Final = Clause("GR-12.7")  # Junking by an instruction or as a cost is not breaking.
# Players and information
PLAYER: Final = Clause("GR-13.1")  # A player is a participant of the game; number of players: {player_count}.
YOU: Final = Clause("GR-13.2")  # 'You' on a card is its controller, and may be left out of the text.
OPPONENTS: Final = Clause("GR-13.3")  # Opponents are all players who are neither you nor your friends.
FRIENDS: Final = Clause("GR-13.4")  # Friends are the other living players on your side; sides: {teams}.
FRIENDS_SEE: Final = Clause("GR-13.5")  # What a friend may see you may see, hands included.
HAND_HIDDEN: Final = Clause("GR-13.6")  # A hand is not shown to opponents unless an instruction reveals a card.
GRIMOIRE_HIDDEN: Final = Clause("GR-13.7")  # Nobody looks at a grimoire without an instruction.
BOOKMARK_OWN: Final = Clause("GR-13.8")  # A player may look at their own bookmark at any time; opponents may not.
PUBLIC_ZONES: Final = Clause("GR-13.9")  # Field, personal zones, void, junkyards and all character resources are public.
COUNTS_PUBLIC: Final = Clause("GR-13.10")  # The number of cards in every zone is public.
REVEALED: Final = Clause("GR-13.11")  # A revealed card is shown to all players at that moment; afterwards its new zone decides.
FRIENDS_SHARE: Final = Clause("GR-13.12")  # Friends share sight and victory and may target each other's objects; not turns, resources, zones, control or passes: a friend's turn is another player's turn.
OUT_SEES: Final = Clause("GR-13.13")  # An eliminated player sees what a spectator sees.
# Zones
SHARED_ZONES: Final = Clause("GR-14.1")  # The field and the void exist once for the game.
FIELD: Final = Clause("GR-14.2")  # The field is where cast spells wait; whether another player's spell there can be targeted depends on its status and the turn.
VOID: Final = Clause("GR-14.3")  # The void holds banished cards, for good or for a time.
VOID_MEMORY: Final = Clause("GR-14.4")  # An object that sent a card to the void remembers that card.
VOID_RETURN: Final = Clause("GR-14.5")  # A card coming back from the void to the field is a new object, extended, under the control of the player who controlled it when it left, or its owner if that player is out; it is not cast.
MEMORY_OUTLIVES: Final = Clause("GR-14.6")  # The memory of an object that left still serves its effects already generated or generated by its leaving; the same card entering again remembers nothing.
OWN_ZONES: Final = Clause("GR-14.7")  # Each player has a personal zone, hand, grimoire, bookmark and junkyard.
CHARACTER_PLACE: Final = Clause("GR-14.8")  # The character card in the personal zone is that player's character; it can be a target for opponents.
HAND_LIMIT: Final = Clause("GR-14.9")  # The hand holds the player's cards; its limit is {hand_limit}, and a card beyond it goes to the junkyard.
GRIMOIRE: Final = Clause("GR-14.10")  # The grimoire is the ordered draw pile; a new order names exactly the cards in it.
BOOKMARK: Final = Clause("GR-14.11")  # The bookmark is the side deck.
JUNKYARD: Final = Clause("GR-14.12")  # The junkyard is the discard pile; broken and junked spells and discarded cards end there.
ZONE_OF_CONTROLLER: Final = Clause("GR-14.13")  # A spell leaving the field for a player's zone goes to its {zone_destination}'s, unless the text names another player.
TEMPORARY_VOID: Final = Clause("GR-14.14")  # A card voided until its sender leaves comes back by an effect generated at that leaving, controlled by the sender's last controller; cards voided for the turn come back in finalize, in the order sent.
# Set-up
DECK_SEPARATED: Final = Clause("GR-15.1")  # The deck is separated into its three parts, and the grimoire is shuffled.
REVEAL_COST: Final = Clause("GR-15.2")  # Each player reveals the top card of the grimoire; the lower cost goes first.
REVEAL_AGAIN: Final = Clause("GR-15.3")  # While undecided this is done again, comparing the newest cards; most rounds in all: {reveal_rounds}.
REVEAL_RANDOM: Final = Clause("GR-15.4")  # Still undecided after the last round: one of those tied is chosen at random.
REVEALED_TO_HAND: Final = Clause("GR-15.5")  # The revealed cards go to their players' hands.
OPENING_HAND: Final = Clause("GR-15.6")  # Each player draws until their hand holds this many cards: {opening_hand}.
OPENING_BOOKMARK: Final = Clause("GR-15.7")  # Each player puts chosen cards of their own bookmark into the hand; number: {opening_bookmark_picks}.
OPENING_PICK_HIDDEN: Final = Clause("GR-15.8")  # The choice is mandatory and hidden, made in turn order; a player with an empty bookmark has none.
INITIAL_OD: Final = Clause("GR-15.9")  # Each character gets od: {initial_od}.
FIRST_CAPACITY: Final = Clause("GR-15.10")  # Mana capacity is given by place in the turn order, in turn {capacity_by_seat}: the first player's character gets the first of these.
LATER_CAPACITY: Final = Clause("GR-15.11")  # The second player's and every later player's character gets the capacity at its place in {capacity_by_seat}.
INITIAL_CHROMA: Final = Clause("GR-15.12")  # A character with at most {initial_chroma_max_colours} colours gets chroma in each of them ({initial_chroma_each}); one with more gets none.
MONO_CHROMA: Final = Clause("GR-15.13")  # A one-colour character gets more chroma in that colour: {mono_bonus}.
INITIAL_MANA: Final = Clause("GR-15.14")  # Mana starts at {initial_mana}.
TURNS_ALTERNATE: Final = Clause("GR-15.15")  # The first player takes turn 1, and turns alternate, each with the next number.
SEATS_IN_ORDER: Final = Clause("GR-15.16")  # With more than two players the turn order is the first player, then the seats in order.
NO_MULLIGAN: Final = Clause("GR-15.17")  # There is no mulligan.
# Turn
TURN_PHASES: Final = Clause("GR-16.1")  # A turn is initialize, start, trance, main, end, finalize, in this order.
INITIALIZE: Final = Clause("GR-16.2")  # Initialize: extend all spells you control and remove the damage on them; {mana_recovery}.
INITIALIZE_CHARACTER: Final = Clause("GR-16.3")  # In initialize your character {initialize_extends_character} and {initialize_heals_character}.
START: Final = Clause("GR-16.4")  # Start: {mana_recovery}; then 'at turn start' abilities trigger.
TRANCE_PHASE: Final = Clause("GR-16.5")  # Trance phase: cards are drawn ({trance_phase_draw}), {first_turn_draw}; then exactly one of the four choices is taken.
TRANCE_HAND: Final = Clause("GR-16.6")  # Choice: reveal a card of your hand and trance it.
TRANCE_BUY_DRAW: Final = Clause("GR-16.7")  # Choice: pay capacity ({trance_buy_cost}) to draw a card.
TRANCE_BUY_BOOKMARK: Final = Clause("GR-16.8")  # Choice: pay capacity ({trance_buy_cost}) to put a card of your own bookmark into the hand.
TRANCE_SKIP: Final = Clause("GR-16.9")  # Choice: do nothing.
TRANCE_PRICE: Final = Clause("GR-16.10")  # The paid choices need a capacity of at least {trance_buy_cost}; {trance_buy_mana}.
MAIN: Final = Clause("GR-16.11")  # The main phase is played by priority.
END: Final = Clause("GR-16.12")  # End phase: 'at turn end' abilities trigger.
FINALIZE: Final = Clause("GR-16.13")  # Finalize: 'this turn' effects end, all at once.
NEXT_TURN: Final = Clause("GR-16.14")  # After finalize comes a check, and what it starts for 'this turn' ends with it; then comes the next living player's turn.
OUTSIDE_MAIN: Final = Clause("GR-16.15")  # Outside the main phase players only make the trance choice and answer requests.
# Effects and checks
EFFECTS_GENERATED: Final = Clause("GR-17.1")  # Actions and events may generate effects.
EFFECTS_IN_LINE: Final = Clause("GR-17.2")  # Generated effects stand in line in the order they were generated.
EFFECTS_ONE_BY_ONE: Final = Clause("GR-17.3")  # Effects are processed one by one at the check.
CHECK_REPEATS: Final = Clause("GR-17.4")  # A check goes on until nothing is left to do: {check_order}.
CHECK_TIMES: Final = Clause("GR-17.5")  # Checks happen after every accepted action, automatic phase step, resolution and processed effect, never inside one.
LETHAL_SPELL: Final = Clause("GR-17.6")  # State-based: a spell with lethal damage is broken.
LETHAL_CHARACTER: Final = Clause("GR-17.7")  # State-based: a character with lethal damage is beaten.
FAILED_DRAW_BEATEN: Final = Clause("GR-17.8")  # State-based: the character of a player marked for a failed draw is beaten.
STATES_TOGETHER: Final = Clause("GR-17.9")  # State-based actions found together are done together, characters in turn order; what they trigger joins the end of the line.
GROUP_ORDER: Final = Clause("GR-17.10")  # Effects generated together stand by controller in turn order; {same_controller_order}.
CHOICES_AT_PROCESSING: Final = Clause("GR-17.11")  # Choices of an effect are made when it is processed, by its controller unless it says otherwise, within what it offers.
EFFECT_OUTLIVES_SOURCE: Final = Clause("GR-17.12")  # An effect in line is processed even if its source is gone, with the source's last values.
NEW_EFFECTS_LAST: Final = Clause("GR-17.13")  # Effects generated during a processing join the end of the line.
NOTHING_AFTER_END: Final = Clause("GR-17.14")  # Nothing is processed after the match has ended.
CONDITION_TESTED: Final = Clause("GR-17.15")  # A condition written beside the event is tested at the event: if it fails, no effect is generated and a once-per-turn mark is not used; a condition inside the effect is tested when that part is processed.
FEWER_OPTIONS: Final = Clause("GR-17.16")  # With fewer options than the number asked for, the number is lowered to what exists.
ONE_EVENT_GROUP: Final = Clause("GR-17.17")  # Effects generated by one event are one group; its order is asked at the start of the next pass of a check.
# Abilities
ACTIVATE: Final = Clause("GR-18.1")  # With priority a player may activate an activated ability of an object they control, their character included, at the timing it states.
ACTIVATED_AT_ONCE: Final = Clause("GR-18.2")  # An activated ability does not wait: its effect is processed at the check that follows at once.
ACTIVATION_COSTS: Final = Clause("GR-18.3")  # All costs of an ability are paid first and in full.
ANY_STATUS_ACTIVATES: Final = Clause("GR-18.4")  # Spent and played objects may activate, unless the cost is to spend the object.
AT_TURN_START: Final = Clause("GR-18.5")  # 'At turn start' abilities trigger in the start phase.
AT_TURN_END: Final = Clause("GR-18.6")  # 'At turn end' abilities trigger in the end phase.
WHOSE_TURN: Final = Clause("GR-18.7")  # If the text does not say whose turn, it is {unqualified_turn}.
ON_RESOLUTION: Final = Clause("GR-18.8")  # 'On resolution' abilities trigger when their spell resolves.
CONTINUOUS: Final = Clause("GR-18.9")  # Continuous abilities neither trigger nor wait.
ABILITIES_LOST: Final = Clause("GR-18.10")  # Losing all abilities removes printed ones, keywords included, and those gained earlier, permissions and prohibitions too; numbers and control changes that buffs or other objects give stay, its own continuous numbers go, effects already in line stay.
KEYWORDS: Final = Clause("GR-18.11")  # Keyword surprise: this spell may target an opponent's extended character in another player's turn. Keyword quick cast: this card may be cast with priority in another player's turn.
ONCE_PER_TURN: Final = Clause("GR-18.12")  # 'Once per turn' counts per object and ability, from triggering or activating it until finalize.
ABILITY_TARGETS: Final = Clause("GR-18.13")  # An ability that says 'target' may only name what its controller could target with a play and what it describes; it cannot be activated without.
TRIGGERED_WHERE: Final = Clause("GR-18.14")  # A triggered ability works while its object is on the field or in the personal zone at the event; one about its own breaking or leaving looks at the object as it last was.
# Elimination and procedure
OUT_CARDS_LEAVE: Final = Clause("GR-19.1")  # The cards in a losing player's zones, those they own in the void and every spell they control leave the game at once; a card they own under another's control leaves when it would next change zone, and any spell leaves when its control would fall to a player who is out.
OUT_STACK_AND_EFFECTS: Final = Clause("GR-19.2")  # A loser's played spells are not resolved, their queued effects vanish, returns from the void excepted, and priority they held goes to the next living player.
OUT_TURN_PLAYER: Final = Clause("GR-19.3")  # If the turn player is out, the current check is finished, waiting played spells of others become spent unresolved, and the turn goes to finalize.
CONCESSION: Final = Clause("GR-19.4")  # A player may concede at any time, but, while the match is held, only after its release: their character is beaten at once, and no card or option can prevent it.
TIME_DECISION: Final = Clause("GR-19.5")  # Adjudication is a judge's action: a judge may end the match by naming the winner, or nobody for a draw, and giving a reason; {time_policy}.
LOOP_GUARD: Final = Clause("GR-19.6")  # More than {loop_guard} actions in one turn hold the match until a judge releases it, once the last of them is carried out, unless that ended the turn or the match.
REJECTION: Final = Clause("GR-19.7")  # A rejected action changes nothing and names the first failed clause in the order listed for the action.
MATCH_OVER: Final = Clause("GR-19.8")  # After the end, or while held, no player acts.
REQUEST_PENDING: Final = Clause("GR-19.9")  # While a request or a chance outcome is pending only the asked player acts, and only by answering it, though anyone may concede; an answer to a request that is not pending is not accepted.
EMPTY_REQUEST: Final = Clause("GR-19.10")  # A request without options is skipped; any other is asked, even with a single answer.
CONCEDED_REQUEST: Final = Clause("GR-19.11")  # Who concedes while asked leaves the request unanswered: their own effect ends, with a shuffle it waits for, and in another's effect their part is skipped. What left with them is struck from the options of other requests. In set-up with three or more players the others go on without them; of several tied for the first turn the living stay tied, and a single one left is first.
