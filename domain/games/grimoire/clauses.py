"""The clauses of Grimoire, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# Objective and golden rules

BEATEN_ALL_OPPONENTS: Final = Clause("GR-1.1")
"""A player or team wins as soon as the characters of all their opponents have been beaten.

相手の自機がすべて撃墜された時点で、そのプレイヤーまたはチームの勝ち。"""

BEATEN_IN_TURN_ORDER: Final = Clause("GR-1.2")
"""If several characters are beaten at the same time, their players lose {simultaneous_loss}.

自機が同時に撃墜されたら、そのプレイヤーたちは{simultaneous_loss}敗北する。"""

LAST_SIDE_WINS: Final = Clause("GR-1.3")
"""The match ends the moment one side remains, and losses still pending are dropped, so of players losing one by one the
last wins; if a loss together leaves no side, it is a draw.

一つの陣営だけが残った時点で対戦は終わり、残りの敗北は処理しないので、順に敗北する時は最後の一人が勝つ。まとめて敗北して
誰も残らなければ引き分け。"""

CARD_OVER_RULE: Final = Clause("GR-1.4")
"""Where a card contradicts a rule, the card is followed, for exactly what it says.

カードの記述がルールと食い違う時は、書かれていることに限りカードに従う。"""

CARD_FORBIDS: Final = Clause("GR-1.5")
"""Where one thing permits and another forbids, the prohibition wins.

許可と禁止が重なったら、禁止が優先する。"""

IMPOSSIBLE_IGNORED: Final = Clause("GR-1.6")
"""An instruction, or the part of it, that cannot be carried out is ignored; the rest is carried out.

できない指示はその部分だけ無視し、残りは実行する。"""

SEVERAL_IN_TURN_ORDER: Final = Clause("GR-1.7")
"""Whatever concerns several players at once is done in turn order beginning with the turn player.

複数のプレイヤーに及ぶ処理は、ターンプレイヤーからターン順に行う。"""

COST_IN_FULL: Final = Clause("GR-1.8")
"""A cost is not an instruction: a player who cannot pay all of it cannot take the action.

コストは指示ではない。全部を払えないプレイヤーはその行動を取れない。"""

PROHIBITION_BEATS_PERMISSION: Final = Clause("GR-1.9")
"""Only rules can be overridden by a card's permission; a card's prohibition beats every card's permission, whichever is
newer.

カードの許可が覆せるのはルールだけで、カードの禁止は新旧を問わずカードの許可に勝つ。"""

# Cards and decks

CARD_SHOWS: Final = Clause("GR-2.1")
"""A card is a part of a deck and shows name, type, user name, cost, chroma, power, toughness and abilities.

カードはデッキの一部で、名前・タイプ・使用者名・コスト・彩度・火力・耐久・能力を示す。"""

CARD_NAME: Final = Clause("GR-2.2")
"""The name identifies the card, and other cards may refer to it.

名前はカードを見分けるもので、他のカードから参照されることがある。"""

CARD_TYPE: Final = Clause("GR-2.3")
"""The type is character or spell.

タイプは自機とスペルの2種。"""

USER_NAME: Final = Clause("GR-2.4")
"""The user name is the character's own name, or on a spell the name of its original user; cards may refer to it.

使用者名は、自機ではその名前、スペルでは本来の使い手の名前で、カードから参照されることがある。"""

CHROMA: Final = Clause("GR-2.5")
"""Chroma is a degree for each of seven colours: red, orange, yellow, green, blue, indigo, violet.

彩度は赤・橙・黄・緑・青・藍・紫の七色それぞれの度合い。"""

COLOURS: Final = Clause("GR-2.6")
"""A card has the colours in which its chroma is at least 1; a card with none is colourless.

彩度が1以上の色がそのカードの色で、色が無ければ無色。"""

COST: Final = Clause("GR-2.7")
"""The cost is a number of mana, zero or more.

コストは必要な魔力の量で、0のこともある。"""

POWER: Final = Clause("GR-2.8")
"""Power is what a spell deals in a collision and what a character deals with an od explosion.

火力は、スペルなら衝突で、自機なら霊撃で与えるダメージの量。"""

TOUGHNESS: Final = Clause("GR-2.9")
"""Toughness is what the damage on an object is measured against.

耐久は、溜まったダメージで壊れるかどうかの基準。"""

ABILITIES: Final = Clause("GR-2.10")
"""Abilities are what the card's text lets it do.

能力はカードの文章による働き。"""

DECK_SIZES: Final = Clause("GR-2.11")
"""A deck is {character_cards} character card, at least {grimoire_min} and at most {grimoire_max} spell cards for the
grimoire, and at least {bookmark_min} and at most {bookmark_max} for the bookmark.

デッキは自機{character_cards}枚、グリモアのスペルカード{grimoire_min}枚以上{grimoire_max}枚以下、ブックマークのスペルカ
ード{bookmark_min}枚以上{bookmark_max}枚以下。"""

DECK_PARTS: Final = Clause("GR-2.12")
"""When the game begins these three parts become the character, the grimoire and the bookmark.

開始時に、この3つの部分が自機・グリモア・ブックマークになる。"""

ONE_CHARACTER: Final = Clause("GR-2.13")
"""Every character card needs a deck of its own.

自機のカード1枚につきデッキが1つ要る。"""

COPY_LIMIT: Final = Clause("GR-2.14")
"""The most cards of one name in grimoire and bookmark together: {copy_limit}.

グリモアとブックマークを合わせた同名カードの枚数の上限は{copy_limit}。"""

DECK_REFUSED: Final = Clause("GR-2.15")
"""A deck that breaks the limits of parts or of copies cannot be registered.

各部分の枚数や同名の上限に反するデッキは登録できない。"""

# Objects, status, control

OBJECT: Final = Clause("GR-3.1")
"""An object is what a card in play represents: a spell on the field or a character in a personal zone; it has the
card's values.

オブジェクトは、フィールドのスペルと自陣の自機のことで、カードの値を持つ。"""

OBJECT_BEARS: Final = Clause("GR-3.2")
"""Objects can be targeted, carry damage and carry buffs.

オブジェクトは対象になり、ダメージとバフを受け持つ。"""

SPELL: Final = Clause("GR-3.3")
"""A spell is an object on the field represented by a card of type spell.

スペルは、スペルカードで表されたフィールドのオブジェクト。"""

CHARACTER: Final = Clause("GR-3.4")
"""A character stands for its player, is represented by a card of type character and is in that player's personal zone.

自機は、自機カードで表され、自陣にいてプレイヤーの分身となるオブジェクト。"""

SPEND_EXTEND: Final = Clause("GR-3.5")
"""To spend an object is to turn it sideways, used; to extend it is to turn it upright, usable.

スペンドは横向きの使用済みに、エクステンドは縦向きの使用可能にすること。"""

ONE_STATUS: Final = Clause("GR-3.6")
"""A spell on the field is exactly one of extended, spent, played; a character is extended or spent.

フィールドのスペルはエクステンド・スペンド・プレイ中のどれか1つ、自機はエクステンドかスペンド。"""

STATUS_CHANGE: Final = Clause("GR-3.7")
"""Spending what is not extended, or extending what is not spent, is impossible: as an instruction it is ignored, as a
cost it cannot be paid.

エクステンドでない物のスペンド、スペンドでない物のエクステンドはできず、指示なら無視し、コストなら払えない。"""

CONTROLS: Final = Clause("GR-3.8")
"""Control says who uses a spell on the field; a player can use only the spells they control.

スペルを使えるのは、それを操るプレイヤーだけ。"""

CONTROLLER: Final = Clause("GR-3.9")
"""The controller is the player who controls the spell.

コントローラーはスペルを操るプレイヤー。"""

YOURS: Final = Clause("GR-3.10")
"""'Your' means an object you control or a card in one of your zones.

「自分の」は、自分が操る物か自分の領域のカードを指す。"""

OWNER: Final = Clause("GR-3.11")
"""The owner is the player whose deck the card came from; ownership never changes.

持ち主はカードの元のデッキのプレイヤーで、変わることはない。"""

NEW_OBJECT: Final = Clause("GR-3.12")
"""Entering the field makes a new object; leaving it loses damage, status, buffs, target and place in the stack.

フィールドに出れば新しい物になり、離れればダメージ・状態・バフ・対象・解決の順番を失う。"""

CHARACTER_STAYS: Final = Clause("GR-3.13")
"""A character leaves its personal zone only by being beaten or with its player; other instructions to move it are
ignored.

自機が自陣を離れるのは撃墜された時かプレイヤーと共に去る時だけで、他の移動の指示は無視する。"""

NEWEST_CONTROL: Final = Clause("GR-3.14")
"""Of several control changes on one spell the newest still in force decides; when none is left, the player who cast it
or got it from the void controls it.

支配の変更が重なれば有効な中で最も新しいものに従い、尽きればキャストした人かスキマから得た人が操る。"""

# Character resources

MANA: Final = Clause("GR-4.1")
"""Mana pays for spells and activated abilities and recovers in its player's turn.

魔力はスペルと起動能力の代価で、自分のターンに回復する。"""

CAPACITY: Final = Clause("GR-4.2")
"""Mana capacity is the level to which mana recovers.

魔力の器は、魔力が回復する量の目安。"""

OD: Final = Clause("GR-4.3")
"""Od pays for od explosions.

霊力は霊撃の代価。"""

CHARACTER_CHROMA: Final = Clause("GR-4.4")
"""The character's chroma decides which spell cards its player can cast.

自機の彩度が、キャストできるスペルカードを決める。"""

RESOURCES_BOUNDED: Final = Clause("GR-4.5")
"""Mana, capacity, od and each chroma never go below 0 and have no upper limit.

魔力・器・霊力・各彩度は0より下がらず、上限は無い。"""

MANA_STAYS: Final = Clause("GR-4.6")
"""Unspent mana stays when a turn ends.

余った魔力はターンが終わっても残る。"""

MANA_RECOVERED: Final = Clause("GR-4.7")
"""To recover mana is to raise it to the capacity if it is lower; it never lowers mana.

魔力の回復は、器に満たない分を増やすことで、減らすことはない。"""

# Damage

DAMAGE_ACCUMULATES: Final = Clause("GR-5.1")
"""Damage accumulates on the object.

ダメージはオブジェクトに溜まる。"""

DAMAGE_MITIGATED: Final = Clause("GR-5.2")
"""In a collision or od explosion an object deals its power minus the damage it carries, at least 0.

衝突と霊撃で与える量は、火力から自身のダメージを引いた値で、0より下がらない。"""

DAMAGE_LEAVES_VALUES: Final = Clause("GR-5.3")
"""Damage changes neither power nor toughness.

ダメージを受けても火力と耐久は変わらない。"""

LETHAL_DAMAGE: Final = Clause("GR-5.4")
"""Damage {lethal} toughness is lethal.

耐久{lethal}ダメージは致死。"""

ABILITY_DAMAGE: Final = Clause("GR-5.5")
"""Damage dealt by an ability is its stated number, without mitigation.

能力が与えるダメージは書かれた数のままで、相殺されない。"""

DAMAGE_GOES_AWAY: Final = Clause("GR-5.6")
"""Damage goes away only by an effect, by leaving the field or in its controller's initialize, where a character
{initialize_heals_character}.

ダメージが消えるのは、効果による時、フィールドを離れた時、操る人のイニシャライズの時だけ。イニシャライズで自機は
{initialize_heals_character}。"""

ZERO_DAMAGE: Final = Clause("GR-5.7")
"""Damage of 0 is not dealt: nothing is triggered or recorded as damage.

0点のダメージは与えたことにならず、誘発も記録もされない。"""

# Buffs and continuous values

BUFF: Final = Clause("GR-6.1")
"""A buff is an ability or value that another ability adds to an object or puts in place of its own.

バフは、他の能力によって足された、または上書きされた能力や値。"""

BUFFS_IN_ORDER: Final = Clause("GR-6.2")
"""Buffs and continuous changes apply in timestamp order.

バフと常在の変更は、古いものから順に当てはめる。"""

BUFFS_THIS_TURN: Final = Clause("GR-6.3")
"""'This turn' buffs end in finalize.

「このターン中」のバフはファイナライズで終わる。"""

ABILITIES_THEN_NUMBERS: Final = Clause("GR-6.4")
"""First abilities gained and lost, then added and set numbers, each group by timestamp.

能力の得失を先に、数値の増減と書き換えを後に、それぞれ古い順に当てはめる。"""

NUMBERS_BELOW_ZERO: Final = Clause("GR-6.5")
"""Power and toughness may be calculated below 0; what is dealt is at least 0; toughness 0 or less is lethal with any
damage, even none.

火力と耐久は計算上0を下回りうるが、与える量は0以上。耐久が0以下なら、ダメージが無くても致死。"""

CONTINUOUS_WORKS: Final = Clause("GR-6.6")
"""A continuous ability works while its object is on the field or in the personal zone, whatever its status.

常在能力は、その物がフィールドか自陣にある間、状態を問わず働く。"""

SOURCE_GONE_NO_START: Final = Clause("GR-6.7")
"""What would last as long as a source that has already left does not begin; that instruction is ignored.

発生源がある間だけ続く効果は、発生源がもう無ければ始まらず、その指示は無視する。"""

TIMESTAMPS: Final = Clause("GR-6.8")
"""A continuous ability counts from the entry of its object, a gained ability from its buff, a buff from its creation.

新旧は、常在能力なら物の登場時、得た能力ならそのバフ、バフならその発生時で比べる。"""

# Casting

CAST: Final = Clause("GR-7.1")
"""To cast is to put a spell card from the hand onto the field as a spell.

キャストは、手札のスペルカードをスペルとしてフィールドに出すこと。"""

CAST_WITH_PRIORITY: Final = Clause("GR-7.2")
"""Only the holder of priority in a main phase casts.

キャストするのは、メインフェイズに優先権を持つプレイヤーだけ。"""

OWN_TURN_CASTS: Final = Clause("GR-7.3")
"""One casts only in one's own turn.

キャストできるのは自分のターンだけ。"""

CHROMA_SUFFICES: Final = Clause("GR-7.4")
"""The character's chroma must be {cast_inequality} the card's in every colour.

自機の彩度は、全ての色でカードの彩度{cast_inequality}でなければならない。"""

MANA_SUFFICES: Final = Clause("GR-7.5")
"""The character's mana must be {cast_inequality} the card's cost.

自機の魔力は、カードのコスト{cast_inequality}でなければならない。"""

COST_TAKEN: Final = Clause("GR-7.6")
"""The cost is taken from mana automatically; chroma is not used up.

コスト分の魔力は自動で減り、彩度は減らない。"""

CAST_ENTERS: Final = Clause("GR-7.7")
"""The spell enters {cast_enters}, without damage, under the caster's control, and is usable at once as far as its
status allows.

スペルは{cast_enters}状態でダメージ無しにキャストした人の下に出て、状態が許せばすぐ使える。"""

CAST_TRIGGERS: Final = Clause("GR-7.8")
"""After it entered, its 'when this is cast' abilities trigger.

出た後に、「キャストした時」の能力が誘発する。"""

HAND_CARD_CAST: Final = Clause("GR-7.9")
"""The card must be a spell card in the caster's own hand.

キャストするのは自分の手札のスペルカードに限る。"""

CAST_WHILE_WAITING: Final = Clause("GR-7.10")
"""Casting while played spells are waiting is {cast_while_waiting}.

プレイ中のスペルが解決を待つ間のキャストは{cast_while_waiting}。"""

CAST_AT_ONCE: Final = Clause("GR-7.11")
"""A cast does not wait on the stack and cannot be responded to.

キャストは解決を待たず、応答もできない。"""

OTHER_ENTRY_NO_CAST: Final = Clause("GR-7.12")
"""Putting a spell onto the field in another way is not casting.

他の方法でスペルを出すことはキャストではない。"""

# Playing and targets

PLAY: Final = Clause("GR-8.1")
"""To play is to use a spell that is on the field.

プレイは、フィールドにあるスペルの使用。"""

PLAY_WITH_PRIORITY: Final = Clause("GR-8.2")
"""Only the holder of priority plays, in any player's main phase.

プレイするのは、誰のメインフェイズでも優先権を持つプレイヤーだけ。"""

PLAYED_BY_CONTROLLER: Final = Clause("GR-8.3")
"""One plays only spells one controls.

プレイできるのは自分が操るスペルに限る。"""

EXTENDED_PLAYED: Final = Clause("GR-8.4")
"""Only an extended spell can be played.

プレイできるのはエクステンド状態のスペルだけ。"""

TARGET_NEEDED: Final = Clause("GR-8.5")
"""Without a legal target the spell cannot be played.

適正な対象が無ければプレイできない。"""

ALWAYS_TARGETS: Final = Clause("GR-8.6")
"""Always permitted as target: your character, your spells, friends' characters, friends' spells, played spells of
anyone, an opponent's spent character.

いつでも対象にできるのは、自分の自機とスペル、仲間の自機とスペル、誰のものでもプレイ中のスペル、相手のスペンド状態の自
機。"""

OWN_TURN_TARGETS: Final = Clause("GR-8.7")
"""In your own turn also any opponent's character, extended or spent, and an opponent's spent spell may be targeted.

自分のターンには、状態を問わず相手の自機と、相手のスペンド状態のスペルも対象にできる。"""

NO_OTHER_TARGET: Final = Clause("GR-8.8")
"""Nothing else can be targeted.

それ以外は対象にできない。"""

NOT_ITSELF: Final = Clause("GR-8.9")
"""A spell cannot target itself.

スペルは自身を対象にできない。"""

ONE_TARGET: Final = Clause("GR-8.10")
"""A played spell has exactly one target, chosen on playing and not changed afterwards.

プレイしたスペルの対象はちょうど1つで、プレイの時に選び、後から変えない。"""

PLAY_IS_FREE: Final = Clause("GR-8.11")
"""Playing costs nothing; mana was paid for the cast.

プレイに代価は要らない。魔力はキャストで払っている。"""

PLAYED_ON_TOP: Final = Clause("GR-8.12")
"""The played spell stays on the field with status played and goes on top of the stack.

プレイしたスペルはプレイ中の状態でフィールドに残り、解決の順番の一番上に積まれる。"""

OPPONENTS_EXTENDED_SPELL: Final = Clause("GR-8.13")
"""An opponent's extended spell cannot be targeted.

相手のエクステンド状態のスペルは対象にできない。"""

OFFTURN_EXTENDED_CHARACTER: Final = Clause("GR-8.14")
"""In another player's turn an opponent's extended character cannot be targeted.

他人のターンには、相手のエクステンド状態の自機を対象にできない。"""

OFFTURN_SPENDED_SPELL: Final = Clause("GR-8.15")
"""In another player's turn an opponent's spent spell {offturn_spended_spells}.

他人のターンに、相手のスペンド状態のスペルは対象に{offturn_spended_spells}。"""

# Priority, stack, resolution

PRIORITY: Final = Clause("GR-9.1")
"""Priority is the right to act; it exists only in the main phase.

優先権は行動する権利で、メインフェイズだけにある。"""

PRIORITY_FIRST: Final = Clause("GR-9.2")
"""The turn player gets priority when the main phase begins.

メインフェイズの開始時に、ターンプレイヤーが優先権を得る。"""

PRIORITY_ACTIONS: Final = Clause("GR-9.3")
"""The holder of priority may cast in their own turn, play, activate, explode od, or pass.

優先権を持つプレイヤーは、自分のターンのキャスト・プレイ・起動・霊撃・パスができる。"""

PASS: Final = Clause("GR-9.4")
"""Passing gives priority to the next living player in turn order.

パスすると、優先権はターン順で次の残っているプレイヤーに移る。"""

PRIORITY_KEPT: Final = Clause("GR-9.5")
"""After any other action {priority_after_action}.

パス以外の行動の後、{priority_after_action}。"""

LAST_PLAYED_RESOLVED: Final = Clause("GR-9.6")
"""When all players pass in a row without acting and spells are played, the one played last is resolved.

全員が行動せず続けてパスし、プレイ中のスペルがあれば、最後にプレイされたものを解決する。"""

MAIN_ENDS: Final = Clause("GR-9.7")
"""When all pass in a row and no spell is played, the main phase ends.

全員が続けてパスし、プレイ中のスペルが無ければ、メインフェイズは終わる。"""

PASSES_RESTART: Final = Clause("GR-9.8")
"""Any action other than a pass, a concession too, and any resolution restarts the count of passes.

投了を含むパス以外の行動と、解決があるたびに、パスは数え直す。"""

COLLISION: Final = Clause("GR-9.9")
"""Resolution, first: the spell collides with its target.

解決では、まずスペルが対象と衝突する。"""

SPELLS_STRIKE_BOTH: Final = Clause("GR-9.10")
"""The two spells deal damage to each other at the same time, each reduced by the damage carried before.

両方のスペルは、それまでのダメージの分だけ減らした値を、同時に与え合う。"""

CHARACTER_STRUCK: Final = Clause("GR-9.11")
"""A target character takes damage and {character_collision}.

対象の自機はダメージを受け、{character_collision}。"""

RESOLUTION_TRIGGERS: Final = Clause("GR-9.12")
"""Second: the spell's 'on resolution' abilities trigger.

次に、スペルの「解決時」の能力が誘発する。"""

RESOLVED_SPENDED: Final = Clause("GR-9.13")
"""Last: the spell is back on the field, spent.

最後に、スペルはスペンド状態でフィールドに戻る。"""

PRIORITY_AFTER_RESOLUTION: Final = Clause("GR-9.14")
"""After the check that follows, the turn player gets priority, whoever played the spell.

続く判定の後、誰がプレイしたスペルでも、ターンプレイヤーが優先権を得る。"""

BROKEN_AFTER_RESOLUTION: Final = Clause("GR-9.15")
"""Spells with lethal damage are broken {break_in_resolution}.

致死のダメージを負ったスペルは、{break_in_resolution}。"""

ILLEGAL_TARGET_SKIPPED: Final = Clause("GR-9.16")
"""If the target is gone or no longer legal, {on_illegal_target}.

対象が無くなったか適正でなくなっていれば、{on_illegal_target}。"""

LEFT_STACK: Final = Clause("GR-9.17")
"""A played spell that left the field or was made unplayed is off the stack and is not resolved.

フィールドを離れたかプレイを取り消されたスペルは、順番から外れて解決しない。"""

TARGET_GONE: Final = Clause("GR-9.18")
"""What an effect would do to an illegal or vanished target is ignored.

適正でない対象や無くなった対象に対する効果の処理は無視する。"""

# Od explosion

OD_EXPLOSION: Final = Clause("GR-10.1")
"""A player may pay for an od explosion to deal damage to a spell.

霊撃は、代価を払ってスペル1つにダメージを与える行動。"""

OD_WITH_PRIORITY: Final = Clause("GR-10.2")
"""An od explosion is taken with priority, {od_timing}.

霊撃は、優先権を持ち、{od_timing}撃てる。"""

OD_COST: Final = Clause("GR-10.3")
"""An od explosion costs od: {od_explosion_cost}.

霊撃には霊力{od_explosion_cost}が必要。"""

OD_DRAW: Final = Clause("GR-10.4")
"""An od explosion also costs drawing one card.

霊撃では、カードを1枚引くこともコストに含む。"""

OD_FETCH: Final = Clause("GR-10.5")
"""Instead of drawing, the player may put one card of their bookmark into the hand.

引く代わりに、自分のブックマークの1枚を手札に加えてもよい。"""

OD_DAMAGE: Final = Clause("GR-10.6")
"""The damage is the character's power, mitigated by the character's own damage.

ダメージは自機の火力分で、自機自身のダメージで相殺される。"""

OD_TARGET: Final = Clause("GR-10.7")
"""Its target is one spell {od_targets}.

対象は、{od_targets}スペル1つ。"""

OD_AT_ONCE: Final = Clause("GR-10.8")
"""It takes effect at once, without waiting.

霊撃は待たずにすぐ処理する。"""

OD_COSTS_PAYABLE: Final = Clause("GR-10.9")
"""Both costs must be payable: no draw from an empty grimoire, no fetch without a bookmark card.

両方のコストが払えること。空のグリモアからは引けず、ブックマークに無いカードは取れない。"""

OD_KEEPS_STATUS: Final = Clause("GR-10.10")
"""An od explosion does not change the character's status.

霊撃で自機の向きは変わらない。"""

# Drawing and trance

DRAW: Final = Clause("GR-11.1")
"""To draw a card is to put the top card of the grimoire into the hand.

引くとは、グリモアの一番上のカードを手札に加えること。"""

DRAW_SEVERAL: Final = Clause("GR-11.2")
"""To draw several cards is to draw one card that many times.

複数枚引く時は、1枚ずつその回数だけ引く。"""

DRAW_FROM_EMPTY: Final = Clause("GR-11.3")
"""Trying to draw from an empty grimoire marks the player; the character is beaten at the next state-based processing,
which uses the mark up even if the beat is prevented.

空のグリモアから引こうとしたプレイヤーには印が付き、次の状況起因処理で自機が撃墜される。撃墜が妨げられても印はそこで消え
る。"""

TRANCE: Final = Clause("GR-11.4")
"""To trance a card or object is to put it into the bookmark and to gain mana ({trance_mana_gain}), capacity
({trance_capacity_gain}) and chroma in each of its colours ({trance_chroma_gain}).

トランスは、カードや物をブックマークに加え、魔力{trance_mana_gain}、器{trance_capacity_gain}、その色それぞれの彩度
{trance_chroma_gain}を得ること。"""

TRANCE_TWO_COLOURS: Final = Clause("GR-11.5")
"""A card gives no mana if its number of colours is above {trance_mana_max_colours}.

色の数が{trance_mana_max_colours}を超えるカードでは魔力が増えない。"""

TRANCE_FIVE_COLOURS: Final = Clause("GR-11.6")
"""A card gives no capacity if its number of colours is above {trance_capacity_max_colours}.

色の数が{trance_capacity_max_colours}を超えるカードでは器が増えない。"""

TRANCE_COLOURLESS: Final = Clause("GR-11.7")
"""A colourless card gives mana and capacity and no chroma.

無色のカードでは魔力と器だけが増え、彩度は増えない。"""

TRANCE_OBJECT: Final = Clause("GR-11.8")
"""A tranced object leaves the field for its {zone_destination}'s bookmark; the one who trances gets the gains.

トランスした場の物は{zone_destination}のブックマークに入り、得るのはトランスしたプレイヤー。"""

BOOKMARK_GROWS: Final = Clause("GR-11.9")
"""The limit of the bookmark concerns registration; it may grow beyond it in play.

ブックマークの枚数の上限は登録時だけのもので、対戦中は超えてもよい。"""

BOOKMARK_TO_HAND: Final = Clause("GR-11.10")
"""Bookmark cards reach the hand only by the opening pick, the trance phase, od explosions and cards.

ブックマークのカードを手札に加えられるのは、開始時の選択・トランスフェイズ・霊撃・カードの効果だけ。"""

# Break, junk, beat

BROKEN_JUNKED: Final = Clause("GR-12.1")
"""A broken spell is junked.

撃破されたスペルは破棄される。"""

BROKEN: Final = Clause("GR-12.2")
"""A spell is broken by an effect that says so or, at the next state-based processing, by lethal damage.

スペルは、そう書かれた効果か、致死のダメージを負った後の状況起因処理で撃破される。"""

JUNKED: Final = Clause("GR-12.3")
"""A junked spell goes to its {zone_destination}'s junkyard.

破棄されたスペルは{zone_destination}のジャンクヤードに置く。"""

JUNK_OWN: Final = Clause("GR-12.4")
"""A player may be told or may pay to junk their own spell.

指示やコストとして、自分のスペルを破棄することがある。"""

BEAT: Final = Clause("GR-12.5")
"""Breaking a character is called beating it.

自機の撃破を撃墜という。"""

BEATEN_LOSES: Final = Clause("GR-12.6")
"""A player whose character is beaten loses and is removed from the game; {od_guard}.

自機を撃墜されたプレイヤーは敗北し、対戦から除かれる。{od_guard}。"""

JUNK_NO_BREAK: Final = Clause("GR-12.7")
"""Junking by an instruction or as a cost is not breaking.

指示やコストによる破棄は撃破ではない。"""

# Players and information

PLAYER: Final = Clause("GR-13.1")
"""A player is a participant of the game; number of players: {player_count}.

プレイヤーは対戦の参加者で、人数は{player_count}人。"""

YOU: Final = Clause("GR-13.2")
"""'You' on a card is its controller, and may be left out of the text.

カードの「自分」は操るプレイヤーで、省かれることもある。"""

OPPONENTS: Final = Clause("GR-13.3")
"""Opponents are all players who are neither you nor your friends.

相手は、自分でも仲間でもない全てのプレイヤー。"""

FRIENDS: Final = Clause("GR-13.4")
"""Friends are the other living players on your side; sides: {teams}.

仲間は、同じ陣営の残っている他のプレイヤー。陣営の分け方は{teams}。"""

FRIENDS_SEE: Final = Clause("GR-13.5")
"""What a friend may see you may see, hands included.

仲間が見られるものは、手札も含めて自分も見られる。"""

HAND_HIDDEN: Final = Clause("GR-13.6")
"""A hand is not shown to opponents unless an instruction reveals a card.

手札は、公開の指示が無い限り相手に見せない。"""

GRIMOIRE_HIDDEN: Final = Clause("GR-13.7")
"""Nobody looks at a grimoire without an instruction.

グリモアは、指示が無い限り誰も見ない。"""

BOOKMARK_OWN: Final = Clause("GR-13.8")
"""A player may look at their own bookmark at any time; opponents may not.

ブックマークの中身は、持ち主はいつでも見られ、相手は見られない。"""

PUBLIC_ZONES: Final = Clause("GR-13.9")
"""Field, personal zones, void, junkyards and all character resources are public.

フィールド・自陣・スキマ・ジャンクヤードと、自機の全ての資源は公開。"""

COUNTS_PUBLIC: Final = Clause("GR-13.10")
"""The number of cards in every zone is public.

どの領域も枚数は公開。"""

REVEALED: Final = Clause("GR-13.11")
"""A revealed card is shown to all players at that moment; afterwards its new zone decides.

公開したカードはその時に全員へ見せ、その後は移った領域の扱いに従う。"""

FRIENDS_SHARE: Final = Clause("GR-13.12")
"""Friends share sight and victory and may target each other's objects; not turns, resources, zones, control or passes:
a friend's turn is another player's turn.

仲間とは視界と勝敗を共にし、互いの物を対象にできるが、ターン・資源・領域・支配・パスは別で、仲間のターンは他人のターンと
して扱う。"""

OUT_SEES: Final = Clause("GR-13.13")
"""An eliminated player sees what a spectator sees.

敗北したプレイヤーに見えるのは観客と同じもの。"""

# Zones

SHARED_ZONES: Final = Clause("GR-14.1")
"""The field and the void exist once for the game.

フィールドとスキマは全員で1つずつ。"""

FIELD: Final = Clause("GR-14.2")
"""The field is where cast spells wait; whether another player's spell there can be targeted depends on its status and
the turn.

フィールドはキャストしたスペルの待機場所で、他人のスペルを対象にできるかは状態とターンによる。"""

VOID: Final = Clause("GR-14.3")
"""The void holds banished cards, for good or for a time.

スキマは、除外したカードを永久に、または一時的に置く領域。"""

VOID_MEMORY: Final = Clause("GR-14.4")
"""An object that sent a card to the void remembers that card.

カードをスキマへ送った物は、そのカードを覚えている。"""

VOID_RETURN: Final = Clause("GR-14.5")
"""A card coming back from the void to the field is a new object, extended, under the control of the player who
controlled it when it left, or its owner if that player is out; it is not cast.

スキマから戻るカードは新しいエクステンド状態の物で、離れた時に操っていた人が、その人が敗北していれば持ち主が操る。キャス
トではない。"""

MEMORY_OUTLIVES: Final = Clause("GR-14.6")
"""The memory of an object that left still serves its effects already generated or generated by its leaving; the same
card entering again remembers nothing.

離れた物の記憶は、既に生まれた効果と離れた時の効果にはまだ使える。同じカードが出直した時は何も覚えていない。"""

OWN_ZONES: Final = Clause("GR-14.7")
"""Each player has a personal zone, hand, grimoire, bookmark and junkyard.

各プレイヤーには自陣・手札・グリモア・ブックマーク・ジャンクヤードがある。"""

CHARACTER_PLACE: Final = Clause("GR-14.8")
"""The character card in the personal zone is that player's character; it can be a target for opponents.

自陣の自機カードがそのプレイヤーの自機で、相手の対象になりうる。"""

HAND_LIMIT: Final = Clause("GR-14.9")
"""The hand holds the player's cards; its limit is {hand_limit}, and a card beyond it goes to the junkyard.

手札は自分のカードを持つ領域で、枚数の上限は{hand_limit}。超えるカードはジャンクヤードに置く。"""

GRIMOIRE: Final = Clause("GR-14.10")
"""The grimoire is the ordered draw pile; a new order names exactly the cards in it.

グリモアは順番のある山札で、新しい順番はそこにあるカードだけをちょうど1度ずつ示す。"""

BOOKMARK: Final = Clause("GR-14.11")
"""The bookmark is the side deck.

ブックマークはサイドデッキ。"""

JUNKYARD: Final = Clause("GR-14.12")
"""The junkyard is the discard pile; broken and junked spells and discarded cards end there.

ジャンクヤードは捨て札置き場で、撃破や破棄されたスペルと捨てたカードを置く。"""

ZONE_OF_CONTROLLER: Final = Clause("GR-14.13")
"""A spell leaving the field for a player's zone goes to its {zone_destination}'s, unless the text names another player.

フィールドからプレイヤーの領域へ移るスペルは、別のプレイヤーの名指しが無ければ{zone_destination}の領域へ移る。"""

TEMPORARY_VOID: Final = Clause("GR-14.14")
"""A card voided until its sender leaves comes back by an effect generated at that leaving, controlled by the sender's
last controller; cards voided for the turn come back in finalize, in the order sent.

送り手が離れるまでスキマにあるカードは、離れた時に生まれる、送り手を最後に操った人の効果で戻る。ターン中だけのカードはフ
ァイナライズに送った順で戻る。"""

# Set-up

DECK_SEPARATED: Final = Clause("GR-15.1")
"""The deck is separated into its three parts, and the grimoire is shuffled.

デッキを3つの部分に分け、グリモアを切る。"""

REVEAL_COST: Final = Clause("GR-15.2")
"""Each player reveals the top card of the grimoire; the lower cost goes first.

各自がグリモアの一番上を公開し、コストの小さい方が先攻。"""

REVEAL_AGAIN: Final = Clause("GR-15.3")
"""While undecided this is done again, comparing the newest cards; most rounds in all: {reveal_rounds}.

決まらない間は新しく公開したカードで比べ直し、合わせて{reveal_rounds}回まで行う。"""

REVEAL_RANDOM: Final = Clause("GR-15.4")
"""Still undecided after the last round: one of those tied is chosen at random.

最後の回でも決まらなければ、並んだ人の中から無作為に決める。"""

REVEALED_TO_HAND: Final = Clause("GR-15.5")
"""The revealed cards go to their players' hands.

公開したカードは各自の手札に加える。"""

OPENING_HAND: Final = Clause("GR-15.6")
"""Each player draws until their hand holds this many cards: {opening_hand}.

各自、手札が{opening_hand}枚になるまで引く。"""

OPENING_BOOKMARK: Final = Clause("GR-15.7")
"""Each player puts chosen cards of their own bookmark into the hand; number: {opening_bookmark_picks}.

各自、自分のブックマークから{opening_bookmark_picks}枚を選んで手札に加える。"""

OPENING_PICK_HIDDEN: Final = Clause("GR-15.8")
"""The choice is mandatory and hidden, made in turn order; a player with an empty bookmark has none.

この選択は必ず行い、公開せず、ターン順に行う。ブックマークが空なら選ばない。"""

INITIAL_OD: Final = Clause("GR-15.9")
"""Each character gets od: {initial_od}.

各自機は霊力{initial_od}を得る。"""

FIRST_CAPACITY: Final = Clause("GR-15.10")
"""Mana capacity is given by place in the turn order, in turn {capacity_by_seat}: the first player's character gets the
first of these.

魔力の器はターン順の位置で決まり、順に{capacity_by_seat}。先攻の自機はその1番目を得る。"""

LATER_CAPACITY: Final = Clause("GR-15.11")
"""The second player's and every later player's character gets the capacity at its place in {capacity_by_seat}.

後攻とそれ以降の自機は、{capacity_by_seat}のうち自分の位置の器を得る。"""

INITIAL_CHROMA: Final = Clause("GR-15.12")
"""A character with at most {initial_chroma_max_colours} colours gets chroma in each of them ({initial_chroma_each});
one with more gets none.

色の数が{initial_chroma_max_colours}以下の自機は各色の彩度{initial_chroma_each}を得て、それより多ければ得ない。"""

MONO_CHROMA: Final = Clause("GR-15.13")
"""A one-colour character gets more chroma in that colour: {mono_bonus}.

単色の自機は、その色の彩度をさらに{mono_bonus}得る。"""

INITIAL_MANA: Final = Clause("GR-15.14")
"""Mana starts at {initial_mana}.

魔力は{initial_mana}から始まる。"""

TURNS_ALTERNATE: Final = Clause("GR-15.15")
"""The first player takes turn 1, and turns alternate, each with the next number.

先攻が1ターン目を行い、以後は番号を進めながら交互に行う。"""

SEATS_IN_ORDER: Final = Clause("GR-15.16")
"""With more than two players the turn order is the first player, then the seats in order.

3人以上のターン順は、先攻から席順。"""

NO_MULLIGAN: Final = Clause("GR-15.17")
"""There is no mulligan.

手札の引き直しは無い。"""

# Turn

TURN_PHASES: Final = Clause("GR-16.1")
"""A turn is initialize, start, trance, main, end, finalize, in this order.

ターンは、イニシャライズ・スタート・トランス・メイン・エンド・ファイナライズの順に進む。"""

INITIALIZE: Final = Clause("GR-16.2")
"""Initialize: extend all spells you control and remove the damage on them; {mana_recovery}.

イニシャライズでは、自分が操るスペルを全てエクステンドしてダメージを除く。{mana_recovery}。"""

INITIALIZE_CHARACTER: Final = Clause("GR-16.3")
"""In initialize your character {initialize_extends_character} and {initialize_heals_character}.

イニシャライズで、自機は{initialize_extends_character}、{initialize_heals_character}。"""

START: Final = Clause("GR-16.4")
"""Start: {mana_recovery}; then 'at turn start' abilities trigger.

スタートフェイズ：{mana_recovery}。その後「ターン開始時に」の能力が誘発する。"""

TRANCE_PHASE: Final = Clause("GR-16.5")
"""Trance phase: cards are drawn ({trance_phase_draw}), {first_turn_draw}; then exactly one of the four choices is
taken.

トランスフェイズでは、{first_turn_draw}{trance_phase_draw}枚引き、その後4つの選択肢から1つだけ選ぶ。"""

TRANCE_HAND: Final = Clause("GR-16.6")
"""Choice: reveal a card of your hand and trance it.

選択肢：自分の手札1枚を公開してトランスする。"""

TRANCE_BUY_DRAW: Final = Clause("GR-16.7")
"""Choice: pay capacity ({trance_buy_cost}) to draw a card.

選択肢：器{trance_buy_cost}を払って1枚引く。"""

TRANCE_BUY_BOOKMARK: Final = Clause("GR-16.8")
"""Choice: pay capacity ({trance_buy_cost}) to put a card of your own bookmark into the hand.

選択肢：器{trance_buy_cost}を払って自分のブックマークの1枚を手札に加える。"""

TRANCE_SKIP: Final = Clause("GR-16.9")
"""Choice: do nothing.

選択肢：何もしない。"""

TRANCE_PRICE: Final = Clause("GR-16.10")
"""The paid choices need a capacity of at least {trance_buy_cost}; {trance_buy_mana}.

代価のある選択肢には{trance_buy_cost}以上の器が必要で、{trance_buy_mana}。"""

MAIN: Final = Clause("GR-16.11")
"""The main phase is played by priority.

メインフェイズは優先権に従って進む。"""

END: Final = Clause("GR-16.12")
"""End phase: 'at turn end' abilities trigger.

エンドフェイズでは「ターン終了時に」の能力が誘発する。"""

FINALIZE: Final = Clause("GR-16.13")
"""Finalize: 'this turn' effects end, all at once.

ファイナライズでは「このターン中」の効果が一斉に終わる。"""

NEXT_TURN: Final = Clause("GR-16.14")
"""After finalize comes a check, and what it starts for 'this turn' ends with it; then comes the next living player's
turn.

ファイナライズの後に判定があり、そこで始まった「このターン中」も共に終わる。その後、次の残っているプレイヤーのターンにな
る。"""

OUTSIDE_MAIN: Final = Clause("GR-16.15")
"""Outside the main phase players only make the trance choice and answer requests.

メインフェイズの外で、プレイヤーはトランスの選択と要求への返答だけを行う。"""

# Effects and checks

EFFECTS_GENERATED: Final = Clause("GR-17.1")
"""Actions and events may generate effects.

行動や出来事から効果が生まれることがある。"""

EFFECTS_IN_LINE: Final = Clause("GR-17.2")
"""Generated effects stand in line in the order they were generated.

生まれた効果は、生まれた順に並ぶ。"""

EFFECTS_ONE_BY_ONE: Final = Clause("GR-17.3")
"""Effects are processed one by one at the check.

効果は判定の時に1つずつ処理する。"""

CHECK_REPEATS: Final = Clause("GR-17.4")
"""A check goes on until nothing is left to do: {check_order}.

判定は、することが無くなるまで続ける。{check_order}。"""

CHECK_TIMES: Final = Clause("GR-17.5")
"""Checks happen after every accepted action, automatic phase step, resolution and processed effect, never inside one.

判定は、行動・段階の自動処理・解決・効果の処理のたびに、その後で行い、途中では行わない。"""

LETHAL_SPELL: Final = Clause("GR-17.6")
"""State-based: a spell with lethal damage is broken.

状況起因処理：致死のダメージを負ったスペルは撃破される。"""

LETHAL_CHARACTER: Final = Clause("GR-17.7")
"""State-based: a character with lethal damage is beaten.

状況起因処理：致死のダメージを負った自機は撃墜される。"""

FAILED_DRAW_BEATEN: Final = Clause("GR-17.8")
"""State-based: the character of a player marked for a failed draw is beaten.

状況起因処理：引けなかった印のあるプレイヤーの自機は撃墜される。"""

STATES_TOGETHER: Final = Clause("GR-17.9")
"""State-based actions found together are done together, characters in turn order; what they trigger joins the end of
the line.

同時に見つかった状況起因処理は自機をターン順にしてまとめて行い、誘発した効果は列の最後に並ぶ。"""

GROUP_ORDER: Final = Clause("GR-17.10")
"""Effects generated together stand by controller in turn order; {same_controller_order}.

同時に生まれた効果は操る人のターン順に並び、{same_controller_order}。"""

CHOICES_AT_PROCESSING: Final = Clause("GR-17.11")
"""Choices of an effect are made when it is processed, by its controller unless it says otherwise, within what it
offers.

効果の選択は、処理する時に、別の記述が無ければ操るプレイヤーが、示された中から行う。"""

EFFECT_OUTLIVES_SOURCE: Final = Clause("GR-17.12")
"""An effect in line is processed even if its source is gone, with the source's last values.

列の効果は発生源が消えても、その最後の値で処理する。"""

NEW_EFFECTS_LAST: Final = Clause("GR-17.13")
"""Effects generated during a processing join the end of the line.

処理中に生まれた効果は列の最後に並ぶ。"""

NOTHING_AFTER_END: Final = Clause("GR-17.14")
"""Nothing is processed after the match has ended.

対戦が終わった後は何も処理しない。"""

CONDITION_TESTED: Final = Clause("GR-17.15")
"""A condition written beside the event is tested at the event: if it fails, no effect is generated and a once-per-turn
mark is not used; a condition inside the effect is tested when that part is processed.

誘発に添えた条件は誘発の時に見て、満たさなければ効果は生まれず1回制限も使わない。効果の中の条件は、その部分の処理の時に
見る。"""

FEWER_OPTIONS: Final = Clause("GR-17.16")
"""With fewer options than the number asked for, the number is lowered to what exists.

選択肢が求める数より少なければ、ある数まで減らす。"""

ONE_EVENT_GROUP: Final = Clause("GR-17.17")
"""Effects generated by one event are one group; its order is asked at the start of the next pass of a check.

1つの出来事から生まれた効果はひと組で、並べる順は次に判定を繰り返す初めに問う。"""

# Abilities

ACTIVATE: Final = Clause("GR-18.1")
"""With priority a player may activate an activated ability of an object they control, their character included, at the
timing it states.

優先権を持つプレイヤーは、自機を含む自分の操る物の起動能力を、書かれた時機に起動できる。"""

ACTIVATED_AT_ONCE: Final = Clause("GR-18.2")
"""An activated ability does not wait: its effect is processed at the check that follows at once.

起動能力は待たず、その効果は直後の判定で処理する。"""

ACTIVATION_COSTS: Final = Clause("GR-18.3")
"""All costs of an ability are paid first and in full.

能力のコストは、先に全部を払う。"""

ANY_STATUS_ACTIVATES: Final = Clause("GR-18.4")
"""Spended and played objects may activate, unless the cost is to spend the object.

スペンド状態やプレイ中の物でも、自身のスペンドがコストでなければ起動できる。"""

AT_TURN_START: Final = Clause("GR-18.5")
"""'At turn start' abilities trigger in the start phase.

「ターン開始時に」の能力はスタートフェイズに誘発する。"""

AT_TURN_END: Final = Clause("GR-18.6")
"""'At turn end' abilities trigger in the end phase.

「ターン終了時に」の能力はエンドフェイズに誘発する。"""

WHOSE_TURN: Final = Clause("GR-18.7")
"""If the text does not say whose turn, it is {unqualified_turn}.

誰のターンか書かれていなければ、{unqualified_turn}のこと。"""

ON_RESOLUTION: Final = Clause("GR-18.8")
"""'On resolution' abilities trigger when their spell resolves.

「解決時」の能力は、そのスペルの解決中に誘発する。"""

CONTINUOUS: Final = Clause("GR-18.9")
"""Continuous abilities neither trigger nor wait.

常在能力は、誘発も待機もせずに働く。"""

ABILITIES_LOST: Final = Clause("GR-18.10")
"""Losing all abilities removes printed ones, keywords included, and those gained earlier, permissions and prohibitions
too; numbers and control changes that buffs or other objects give stay, its own continuous numbers go, effects already
in line stay.

全ての能力を失うと、元からの能力とキーワード、それまでに得た能力が許可や禁止も含めて消える。バフや他の物による数値と支配
は残り、自身の常在の数値は消え、既に並んだ効果は残る。"""

KEYWORDS: Final = Clause("GR-18.11")
"""Keyword surprise: this spell may target an opponent's extended character in another player's turn. Keyword quick
cast: this card may be cast with priority in another player's turn.

奇襲：このスペルは、他人のターンに相手のエクステンド状態の自機を対象にできる。速攻詠唱：このカードは、優先権があれば他人
のターンにキャストできる。"""

ONCE_PER_TURN: Final = Clause("GR-18.12")
"""'Once per turn' counts per object and ability, from triggering or activating it until finalize.

「1ターンに1回」は物と能力ごとに、誘発か起動からファイナライズまで数える。"""

ABILITY_TARGETS: Final = Clause("GR-18.13")
"""An ability that says 'target' may only name what its controller could target with a play and what it describes; it
cannot be activated without.

「対象」と書く能力が選べるのは、操る人がプレイで対象にでき、記述に合う物だけで、無ければ起動できない。"""

TRIGGERED_WHERE: Final = Clause("GR-18.14")
"""A triggered ability works while its object is on the field or in the personal zone at the event; one about its own
breaking or leaving looks at the object as it last was.

誘発能力は、その時に物がフィールドか自陣にあれば働き、自身の撃破や離脱についてのものは直前の姿を見る。"""

# Elimination and procedure

OUT_CARDS_LEAVE: Final = Clause("GR-19.1")
"""The cards in a losing player's zones, those they own in the void and every spell they control leave the game at once;
a card they own under another's control leaves when it would next change zone, and any spell leaves when its control
would fall to a player who is out.

敗者の領域のカード、敗者が持ち主であるスキマのカード、敗者が操るスペルはすぐに対戦から除く。敗者が持ち主で他人が操るカー
ドは次に移動する時に、どのスペルも支配が敗者に移る時に除く。"""

OUT_STACK_AND_EFFECTS: Final = Clause("GR-19.2")
"""A loser's played spells are not resolved, their queued effects vanish, returns from the void excepted, and priority
they held goes to the next living player.

敗者のプレイ中のスペルは解決せず、並んだ効果はスキマから戻すものを除いて消え、持っていた優先権は次の残っているプレイヤー
に移る。"""

OUT_TURN_PLAYER: Final = Clause("GR-19.3")
"""If the turn player is out, the current check is finished, waiting played spells of others become spent unresolved,
and the turn goes to finalize.

ターンプレイヤーが敗北したら、その判定を終え、待っている他人のプレイ中のスペルは解決せずスペンドし、ファイナライズに進
む。"""

CONCESSION: Final = Clause("GR-19.4")
"""A player may concede at any time, while the match is held after the release: their character is beaten at once, and
no card or option can prevent it.

投了はいつでも、対戦の中断中は再開後に可能で、自機はすぐに撃墜され、カードやオプションでは防げない。"""

TIME_DECISION: Final = Clause("GR-19.5")
"""Adjudication is a judge's action: a judge may end the match by naming the winner, or nobody for a draw, and giving a
reason; {time_policy}.

裁定は審判の行動で、審判は勝者か引き分けと、その理由を示して対戦を終えられる。{time_policy}。"""

LOOP_GUARD: Final = Clause("GR-19.6")
"""More than {loop_guard} actions in one turn hold the match until a judge releases it, once the last of them is carried
out, unless that ended the turn or the match.

1ターンの行動が{loop_guard}回を超えると、最後の行動を終えてから、ターンか対戦が終わったのでなければ、審判が再開させるま
で対戦を中断する。"""

REJECTION: Final = Clause("GR-19.7")
"""A rejected action changes nothing and names the first failed clause in the order listed for the action.

却下された行動は何も変えず、その行動で確かめる順で最初に破れた条項を示す。"""

MATCH_OVER: Final = Clause("GR-19.8")
"""After the end, or while held, no player acts.

対戦が終わった後や中断中は、どのプレイヤーも行動できない。"""

REQUEST_PENDING: Final = Clause("GR-19.9")
"""While a request or a chance outcome is pending only the asked player acts, and only by answering it, though anyone
may concede; an answer to a request that is not pending is not accepted.

要求や偶然の結果を待つ間は、問われた人が答えることだけができるが、投了は誰でもできる。待っていない要求への返答は受け付け
ない。"""

EMPTY_REQUEST: Final = Clause("GR-19.10")
"""A request without options is skipped; any other is asked, even with a single answer.

選択肢の無い要求は飛ばし、それ以外は答えが1つでも問う。"""

CONCEDED_REQUEST: Final = Clause("GR-19.11")
"""Who concedes while asked leaves the request unanswered: their own effect ends, with a shuffle it waits for, and in
another's effect their part is skipped. What left with them is struck from the options of other requests. In set-up with
three or more players the others go on without them; of several tied for the first turn the living stay tied, and a
single one left is first.

問われた人が投了したら答えは無しとし、その人の効果は待っていた切り直しごと終わり、他人の効果ではその人の分を飛ばす。共に
去った物は他の要求の選択肢から除く。3人以上の準備中なら残りの人で続け、先攻を争う人は残った者だけで決め、一人ならその人
が先攻。"""
