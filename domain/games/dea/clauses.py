"""The clauses of DEA, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# General

TWO_WRITERS: Final = Clause("DEA-1.1")
"""Two writers play, each with a plot of their own.

対戦はライター2人で、それぞれ自分のプロットを使って行う。"""

CARD_OVER_RULE: Final = Clause("DEA-1.2")
"""Where a card's text differs from a rule, the card is followed for exactly what it says.

カードの記述がルールと異なる時は、書かれていることに限りカードに従う。"""

PROHIBITION_WINS: Final = Clause("DEA-1.3")
"""A prohibition ("cannot") is stronger than any permission, whichever is older.

「できない」は、どちらが古くても「できる」に勝つ。"""

AS_FAR_AS_POSSIBLE: Final = Clause("DEA-1.4")
"""An effect that can be done only in part is done as far as possible; costs are never paid in part.

一部しか行えない効果は、できる分だけ行う。コストを一部だけ払うことはできない。"""

TO_OWNERS_ZONE: Final = Clause("DEA-1.5")
"""A card that leaves the map, the stack or a hand goes to its owner's zone.

マップ・スタック・手札を離れるカードは、持ち主の置き場へ行く。"""

CHANCE_RECORDED: Final = Clause("DEA-1.6")
"""An outcome of chance is recorded when it is asked for, must be a possible one, and is never drawn again on replay.

偶然の結果は、求められた時に、起こり得るものだけを記録し、再生の時に引き直さない。"""

MAP: Final = Clause("DEA-1.7")
"""The map is a grid with a home area at each end and a central area between; preset: {map_preset}; columns:
{map_columns}; rows of a home area: {home_rows}; rows of the central area: {centre_rows}.

マップはマス目で、両端が自陣エリア、間が中央エリア。プリセットは「{map_preset}」で、列の数は{map_columns}、自陣エリアの
段数は{home_rows}、中央エリアの段数は{centre_rows}。"""

DIRECTIONS: Final = Clause("DEA-1.8")
"""Directions are read from the character's own writer: forward is towards the enemy edge of the map.

前後左右は、キャラクターを操るライターから見て決め、敵陣へ向かうのが前。"""

LAST_LINE: Final = Clause("DEA-1.9")
"""A writer's last line is the row at the enemy edge of the map.

一番奥のラインとは、マップの敵側の端の段のこと。"""

# Plot

PLOT_SIZE: Final = Clause("DEA-2.1")
"""A plot has {characters_per_plot} characters, {gimmicks_per_plot} gimmicks and {foreshadows_per_plot} foreshadows.

プロットは、キャラクター{characters_per_plot}枚、ギミック{gimmicks_per_plot}枚、伏線{foreshadows_per_plot}枚。"""

COST_LIMIT: Final = Clause("DEA-2.2")
"""The costs of a plot's characters total at most {character_cost_limit}.

キャラクターのコストは、合計{character_cost_limit}以下。"""

GIMMICK_MIX: Final = Clause("DEA-2.3")
"""The gimmicks may be any mix of events and equipment.

ギミックのイベントと装備の内訳は自由。"""

FORESHADOW_COUNT: Final = Clause("DEA-2.4")
"""A plot has exactly {foreshadows_per_plot} foreshadows.

伏線の枚数は{foreshadows_per_plot}枚ちょうど。"""

COPY_LIMIT: Final = Clause("DEA-2.5")
"""The most cards of one name in a plot: {copies_per_name}; a name with a different bracketed suffix is a different
name.

プロットに入れられる同名カードは{copies_per_name}枚まで。名前の後のカッコ書きが違えば別の名前とみなす。"""

NO_OTHER_LIMIT: Final = Clause("DEA-2.6")
"""Colour, rarity and sex put no limit on a plot.

プロットに、色・レア度・性別による制限は無い。"""

NO_TOKENS_IN_PLOT: Final = Clause("DEA-2.7")
"""Tokens are not part of a plot; they appear only through effects.

トークンはプロットに入れず、効果によってだけ現れる。"""

SAME_PLOT_ALL_DAY: Final = Clause("DEA-2.8")
"""In a tournament one plot is used unchanged in all rounds; a match does not check this.

大会では、同じプロットを変えずに使い続ける。これは対戦の中では確かめない。"""

# Set-up (standby mode)

FIRST_PLAYER_BY_CHANCE: Final = Clause("DEA-3.1")
"""The first player is decided by chance.

先手は、ジャンケンやダイスなど偶然で決める。"""

PLACE_IN_TURN: Final = Clause("DEA-3.2")
"""Starting with the first player, the writers place one character each in turn until all are placed.

先手から1枚ずつ交互に、全てのキャラクターを配置する。"""

PLACE_AT_HOME: Final = Clause("DEA-3.3")
"""A character may be placed only in its writer's home area, in any cell of it.

配置できるのは自陣エリアの中だけで、そのどのマスでもよい。"""

PLACE_IN_EMPTY_CELL: Final = Clause("DEA-3.4")
"""A cell takes one character only.

1つのマスに配置できるのは1人だけ。"""

PLACED_FACE_DOWN: Final = Clause("DEA-3.5")
"""Placed characters stay face-down until all are turned face-up.

配置したキャラクターは、一斉に表向きにするまで裏向きのままにする。"""

LAY_FORESHADOWS: Final = Clause("DEA-3.6")
"""Each writer, the first player first, lays their own foreshadows face-down outside the map, one in each slot.

先手から順に、自分の伏線をマップの外の伏線置き場に1枚ずつ裏向きで置く。"""

OWN_FORESHADOWS_SEEN: Final = Clause("DEA-3.7")
"""A writer may look at their own face-down foreshadows at any time, hidden from the opponent.

自分の裏向きの伏線は、相手に見せずにいつでも見てよい。"""

GIMMICKS_SHUFFLED: Final = Clause("DEA-3.8")
"""The opponent shuffles a writer's gimmicks, which become the deck; the order names exactly these cards.

自分のギミックを相手に切ってもらい、山札にする。その並びは、ちょうどそれらのカードから成る。"""

OPENING_HAND: Final = Clause("DEA-3.9")
"""Each writer draws an opening hand of {opening_hand} cards and may not draw another.

最初の手札として{opening_hand}枚引き、引き直しは無い。"""

SLEEVE: Final = Clause("DEA-3.10")
"""Beside the deck lies the sleeve, the pile of used cards.

山札の隣が袖（使用済みカード置き場）。"""

CHARACTERS_REVEALED: Final = Clause("DEA-3.11")
"""When both are ready, all characters are turned face-up together.

両者の準備が終わったら、全てのキャラクターを一斉に表向きにする。"""

LIFE_FROM_SURVIVAL: Final = Clause("DEA-3.12")
"""Life and maximum life start as the sum of the survival values of the writer's characters.

キャラクターの生存力の合計が、最初の生存点と最大生存点になる。"""

OPENING_PAGES: Final = Clause("DEA-3.13")
"""Both writers start with {opening_pages} pages and 0 EP.

両者は{opening_pages}ページ、0EPで始める。"""

FIRST_TURN: Final = Clause("DEA-3.14")
"""Then writing mode begins with the first player's turn.

その後、先手のターンからライティングモードを始める。"""

# Pages, life, ending points, hand, deck

PAGES: Final = Clause("DEA-4.1")
"""Pages pay for moves, gimmicks and abilities; effects may add or remove them.

ページは移動・ギミック・能力の支払いに使い、効果で増減することもある。"""

PAGES_SUFFICE: Final = Clause("DEA-4.2")
"""Without enough pages a use, a move or an attack cannot be declared.

ページが足りなければ、使用も移動もアタックも宣言できない。"""

PAGE_CAP: Final = Clause("DEA-4.3")
"""Pages above {page_cap} become {page_cap} at that very moment.

{page_cap}を超えたページは、その瞬間に{page_cap}になる。"""

PAGE_FLOOR: Final = Clause("DEA-4.4")
"""Pages below {page_floor} become {page_floor}.

{page_floor}を下回ったページは、{page_floor}になる。"""

LIFE_CEILING: Final = Clause("DEA-4.5")
"""Life cannot be raised above maximum life.

生存点は最大生存点を超えて回復しない。"""

LIFE_BELOW_ZERO: Final = Clause("DEA-4.6")
"""Life has no lower bound, so that what it is below 0 can be compared.

生存点に下限は無く、0を下回った分も比べられるように残す。"""

LIFE_COST: Final = Clause("DEA-4.7")
"""A cost in life can be paid {life_payment}; a writer who pays down to 0 or less loses.

生存点のコストは、{life_payment}払え、払って0以下になれば負け。"""

HAND_LIMIT: Final = Clause("DEA-4.8")
"""The hand limit is checked only in the down phase; preset: {hand_cut}; limit: {hand_limit}.

手札の上限を確かめるのはダウンフェーズだけ。プリセットは「{hand_cut}」で、上限は{hand_limit}。"""

EMPTY_DECK: Final = Clause("DEA-4.9")
"""A writer whose deck is empty does not lose for it, and the deck is not refilled from the sleeve.

山札が無くなっても負けにはならず、袖から作り直すこともない。"""

SLEEVE_PUBLIC: Final = Clause("DEA-4.10")
"""The sleeve is face-up and public.

袖のカードは表向きで公開する。"""

EP_BOUNDS: Final = Clause("DEA-4.11")
"""EP never fall below 0 and have no upper bound.

EPは0より下がらず、上限は無い。"""

COUNTERS_PUBLIC: Final = Clause("DEA-4.12")
"""Pages, life, EP and all counters are public.

ページ・生存点・EPと、回数などの記録は全て公開する。"""

# Turn and phases

PHASES: Final = Clause("DEA-5.1")
"""Turns alternate; a turn has an up, a main and a down phase.

ターンは交互に行い、アップ・メイン・ダウンの順にフェーズが進む。"""

RECORDS_CLEARED: Final = Clause("DEA-5.2")
"""At each turn start the per-turn records of moves, attacks and limited abilities are cleared.

ターンの開始時に、ターンごとに数える移動・アタック・能力の使用の記録を消す。"""

PAGE_INCOME: Final = Clause("DEA-5.3")
"""Up phase, first: the turn player gains {pages_per_turn} pages.

アップフェーズの最初に、手番のライターは{pages_per_turn}ページ得る。"""

TURN_DRAW: Final = Clause("DEA-5.4")
"""Up phase, second: the turn player draws from the deck; number of cards: {cards_per_turn}.

アップフェーズの2番目に、手番のライターは山札から{cards_per_turn}枚引く。"""

FIRST_TURN_SKIPS: Final = Clause("DEA-5.5")
"""On the first player's first turn {first_turn_skips}.

先手の最初のターンには、{first_turn_skips}。"""

PAGE_FOR_CARD: Final = Clause("DEA-5.6")
"""If a card cannot be drawn {empty_draw_scope} because the deck is empty, pages are gained instead: {empty_draw_pages}.

山札が空で{empty_draw_scope}引けなければ、代わりに{empty_draw_pages}ページ得る。"""

START_EFFECTS: Final = Clause("DEA-5.7")
"""Up phase, third: start-of-turn effects are processed, in the order the turn player chooses.

アップフェーズの3番目に、ターン開始時の効果を、手番のライターが選ぶ順に処理する。"""

MAIN_BEGINS: Final = Clause("DEA-5.8")
"""After the up phase the main phase begins.

アップフェーズの次にメインフェーズが始まる。"""

FREE_ORDER: Final = Clause("DEA-5.9")
"""In the main phase moves, attacks, uses and conversions may be made in any order and number their conditions and costs
allow.

メインフェーズの移動・アタック・使用・変換は、条件とコストが許す限り、順番も数も自由。"""

TURN_PLAYER_ONLY: Final = Clause("DEA-5.10")
"""Moves, attacks, equipment and the end declaration belong to the turn player alone.

移動・アタック・装備・メインフェーズの終了宣言は、手番のライターだけが行う。"""

OPEN_TO_BOTH: Final = Clause("DEA-5.11")
"""Abilities, events, foreshadows and both conversions are open to both writers in either's main phase;
{ntp_initiative}.

能力・イベント・伏線・2種の変換は、どちらのメインフェーズでも両者が使える。{ntp_initiative}。"""

END_DECLARED: Final = Clause("DEA-5.12")
"""The turn player ends the main phase by declaring it, while the stack is empty and no window is open.

手番のライターは、スタックが空で受付中でもない時に、終了を宣言してメインフェーズを終える。"""

END_WINDOW: Final = Clause("DEA-5.13")
"""After that declaration {end_main_window}.

終了宣言の後、{end_main_window}。"""

TURN_EFFECTS_EXPIRE: Final = Clause("DEA-5.14")
"""In the down phase effects limited to the turn end, {down_order}.

ダウンフェーズでは、{down_order}、ターン限定の効果が切れる。"""

END_EFFECTS: Final = Clause("DEA-5.15")
"""In the down phase the end-of-turn effects are processed, in the order the turn player chooses.

ダウンフェーズに、ターン終了時の効果を、手番のライターが選ぶ順に処理する。"""

DISCARD_TO_LIMIT: Final = Clause("DEA-5.16")
"""Down phase, last: a turn player above the hand limit puts chosen cards face-up into the sleeve one by one; preset:
{hand_cut}; size cut to: {discard_down_to}.

ダウンフェーズの最後に、手番のライターの手札が上限を超えていれば、1枚ずつ選んで表向きで袖に置く。プリセットは「
{hand_cut}」で、残す枚数は{discard_down_to}。"""

OPPONENTS_TURN: Final = Clause("DEA-5.17")
"""Then the opponent's up phase begins.

続いて相手のアップフェーズになる。"""

NO_USE_OUTSIDE_MAIN: Final = Clause("DEA-5.18")
"""In the up and down phases nothing can be used or converted; only required choices are made.

アップフェーズとダウンフェーズでは何も使用も変換もできず、求められた選択だけを行う。"""

# Movement and attack

MOVE_IN_OWN_MAIN: Final = Clause("DEA-6.1")
"""A normal move is made only in the mover's own main phase, while the stack is empty and no window is open.

通常の移動ができるのは、自分のメインフェーズで、スタックが空で受付中でもない時だけ。"""

OWN_CHARACTER: Final = Clause("DEA-6.2")
"""A writer can move and attack only with their own characters.

移動やアタックに使えるのは自分のキャラクターだけ。"""

MOVES_A_TURN: Final = Clause("DEA-6.3")
"""Normal moves of each character in a turn: {moves_per_character}; an attack {attack_uses_move}.

通常の移動は、キャラクター1人につき1ターン{moves_per_character}回で、アタックは{attack_uses_move}。"""

MOVE_COST: Final = Clause("DEA-6.4")
"""The page cost of a normal move is {move_cost}.

通常の移動には{move_cost}ページを払う。"""

TYPE_CROSS: Final = Clause("DEA-6.5")
"""Move type cross: one cell forward, back, right or left.

移動タイプ「十字」は、前・後・右・左のどれかへ1マス。"""

TYPE_X: Final = Clause("DEA-6.6")
"""Move type x: one cell along any of the four diagonals.

移動タイプ「×字」は、斜め四方のどれかへ1マス。"""

TYPE_Y: Final = Clause("DEA-6.7")
"""Move type Y: one cell straight back or diagonally forward.

移動タイプ「Y字」は、真後ろか斜め前へ1マス。"""

TYPE_REVERSE_Y: Final = Clause("DEA-6.8")
"""Move type reverse Y: one cell {reverse_y} or diagonally back.

移動タイプ「逆Y」は、{reverse_y}か斜め後ろへ1マス。"""

TYPE_ALL: Final = Clause("DEA-6.9")
"""Move type all: one cell in any of the eight directions.

移動タイプ「全方」は、周囲8マスのどれかへ1マス。"""

TYPE_NONE: Final = Clause("DEA-6.10")
"""Move type none: no normal move and no attack.

移動タイプ「なし」は、通常の移動もアタックもできない。"""

FROM_PRESENT_CELL: Final = Clause("DEA-6.11")
"""The cells of a move type are counted from the character's present cell.

移動できるマスは、キャラクターが今いるマスから数える。"""

ON_THE_MAP: Final = Clause("DEA-6.12")
"""A cell outside the map cannot be chosen.

マップの外は選べない。"""

NO_OWN_CHARACTER_THERE: Final = Clause("DEA-6.13")
"""A cell with a character of the mover's own side cannot be chosen.

味方のキャラクターがいるマスは選べない。"""

ENEMY_THERE_IS_ATTACK: Final = Clause("DEA-6.14")
"""Moving to a cell with an enemy character is an attack and must be declared as one.

敵のキャラクターがいるマスへの移動はアタックで、アタックとして宣言する。"""

ATTACK_IN_OWN_MAIN: Final = Clause("DEA-6.15")
"""An attack is declared only in the attacker's own main phase, while the stack is empty and no window is open, against
a cell holding an enemy character.

アタックは、自分のメインフェーズで、スタックが空で受付中でもない時に、敵のキャラクターがいるマスへだけ宣言できる。"""

ATTACKS_A_TURN: Final = Clause("DEA-6.16")
"""Attacks of each character in a turn: {attacks_per_character}.

アタックは、キャラクター1人につき1ターン{attacks_per_character}回。"""

ATTACK_COST: Final = Clause("DEA-6.17")
"""An attack costs what the move costs.

アタックには、移動と同じコストを払う。"""

BOTH_IN_TARGET_CELL: Final = Clause("DEA-6.18")
"""During the battle the attacker counts as standing in the target cell beside the blocker, for every effect, until an
effect moves one of them.

戦闘中は、効果がどちらかを動かすまで、どの効果にとっても両者が移動先のマスにいるものとみなす。"""

ATTACKER_AND_BLOCKER: Final = Clause("DEA-6.19")
"""The declaring character is the attacker, the other the blocker.

仕掛けた方をアタックキャラ、受けた方をブロックキャラという。"""

ATTACK_HOOKED: Final = Clause("DEA-6.20")
"""Between the declaration of an attack and its damage {attack_window}.

アタックの宣言からダメージ計算までの間は、{attack_window}。"""

BATTLE_DAMAGE: Final = Clause("DEA-6.21")
"""Damage is the attacker's attack minus the blocker's defence at that time.

ダメージは、その時のアタックキャラの攻撃力からブロックキャラの防御力を引いた値。"""

ATTACK_REPELLED: Final = Clause("DEA-6.22")
"""If the damage is 0 or less, the attacker returns to the cell it came from and nobody loses life.

ダメージが0以下なら、アタックキャラは元のマスに戻り、誰の生存点も減らない。"""

BLOCKER_STRUCK: Final = Clause("DEA-6.23")
"""If the damage is 1 or more, the blocker's writer loses that much life and knockback follows.

ダメージが1以上なら、ブロックキャラのライターの生存点がその分減り、ノックバックに進む。"""

KNOCKBACK: Final = Clause("DEA-6.24")
"""Knockback shifts the blocker one cell further along the attacker's direction of travel, diagonals included.

ノックバックでは、ブロックキャラを、アタックキャラの進んだ方向へ、斜めなら斜めに、1マスずらす。"""

KNOCKBACK_BLOCKED: Final = Clause("DEA-6.25")
"""If that cell is occupied or reserved, or knockback is forbidden, the blocker stays and the attacker returns; if it is
off the map, {knockback_edge}.

その先に誰かがいるか、空けておくマスである時、またはノックバックが禁じられている時は、ブロックキャラは動かず、アタックキ
ャラが戻る。その先がマップの外なら、{knockback_edge}。"""

KNOCKBACK_NO_NORMAL_MOVE: Final = Clause("DEA-6.26")
"""Knockback and the attacker's return or stay are not normal moves for anyone.

ノックバックと、アタックキャラが戻ることやとどまることは、誰にとっても通常の移動ではない。"""

ATTACKER_ADVANCES: Final = Clause("DEA-6.27")
"""After a carried-out knockback the attacker {attacker_after_knockback}.

ノックバックが行われたら、アタックキャラは{attacker_after_knockback}。"""

BLOCKER_LEFT: Final = Clause("DEA-6.28")
"""If the blocker has left the target cell before damage, {blocker_left}.

ダメージ計算の前にブロックキャラが移動先のマスを離れていたら、{blocker_left}。"""

BATTLE_CANCELLED: Final = Clause("DEA-6.29")
"""If an effect has moved or removed the attacker before damage, the battle ends without damage and it stays where it
now is; otherwise a cancelled battle ends without damage and the attacker returns.

ダメージ計算の前に効果でアタックキャラが動かされるか除かれていたら、戦闘はダメージ無しで終わり、アタックキャラは今の場所
に残る。そうでなく戦闘が中止されたら、ダメージ無しで終わり、アタックキャラは戻る。"""

ORIGIN_RESERVED: Final = Clause("DEA-6.30")
"""The attacker's origin cell is reserved until the battle ends; no effect may put anything into it, not even the
attacker.

アタックキャラの元のマスは、戦闘が終わるまで空けておく。どの効果でも、そこには何も入れられず、アタックキャラさえ入れられ
ない。"""

MOVE_AT_ONCE: Final = Clause("DEA-6.31")
"""A normal move into an empty cell is carried out at once and cannot be hooked.

空きマスへの通常の移動はすぐに行い、フックできない。"""

# Using abilities, cards and conversions

ABILITY_IN_MAIN: Final = Clause("DEA-7.1")
"""Either writer may use a character's ability at any time in a main phase, as costs and conditions allow.

キャラクターの能力は、メインフェーズ中、コストと条件が許せば両者がいつでも使える。"""

OWN_CHARACTERS_ABILITY: Final = Clause("DEA-7.2")
"""An ability is used by declaring it, paying and naming one's own character; it takes effect when it resolves.

能力は、宣言し、コストを払い、自分のキャラクターとその能力を指定して使い、処理の時に発揮する。"""

PASSIVES_NOT_DECLARED: Final = Clause("DEA-7.3")
"""Passive abilities always work and are not declared; nP costs n pages, nL costs n life.

パッシブ能力は常に働き、宣言しない。「nP」の能力にはnページを、「nL」の能力には生存点nを払う。"""

EVENT_IN_MAIN: Final = Clause("DEA-7.4")
"""Either writer may use events at any time in a main phase, as costs and conditions allow.

イベントは、メインフェーズ中、コストと条件が許せば両者がいつでも使える。"""

EVENT_FROM_HAND: Final = Clause("DEA-7.5")
"""An event is used by declaring it, paying and opening the card from one's own hand; it takes effect when it resolves.

イベントは、宣言し、コストを払い、自分の手札からカードを公開して使い、処理の時に発揮する。"""

EQUIPMENT_IN_OWN_MAIN: Final = Clause("DEA-7.6")
"""Equipment is used only in its user's own main phase; there it may also be a hook.

装備は自分のメインフェーズにだけ使え、そこではフックにも使える。"""

EQUIPMENT_FROM_HAND: Final = Clause("DEA-7.7")
"""Equipment is used by declaring it, paying and opening the card from one's own hand; it is laid on its wearer when it
resolves.

装備は、宣言し、コストを払い、自分の手札からカードを公開して使い、処理の時にキャラクターに重ねる。"""

WEARER: Final = Clause("DEA-7.8")
"""The wearer is one character {equip_scope}.

装備を付けられるのは、{equip_scope}1人。"""

OLD_EQUIPMENT_LEAVES: Final = Clause("DEA-7.9")
"""The most equipment a character carries: {equipment_per_character}; when one more is laid on it, the oldest goes to
the sleeve.

キャラクター1人に付けられる装備は{equipment_per_character}枚までで、さらに重ねる時は古い方を袖に置く。"""

FORESHADOW_IN_MAIN: Final = Clause("DEA-7.10")
"""Either writer may use a foreshadow of their own at any time in a main phase, as conditions allow.

伏線は、メインフェーズ中、条件が許せば、両者がそれぞれ自分のものをいつでも使える。"""

OWN_FACE_DOWN_FORESHADOW: Final = Clause("DEA-7.11")
"""A foreshadow is used by declaring one's own face-down foreshadow and opening it; it takes effect when it resolves and
has no page cost.

伏線は、宣言し、自分の裏向きの1枚を開いて使い、処理の時に発揮する。ページは払わない。"""

FORESHADOW_CONDITION: Final = Clause("DEA-7.12")
"""The printed use-condition of a foreshadow is looked at when it is declared and not again later: {foreshadow_open}.

伏線の使用条件を確かめるのは宣言の時だけで、後で確かめ直さない。{foreshadow_open}。"""

ADDITIONAL_CONDITION: Final = Clause("DEA-7.13")
"""A printed additional condition is carried out first, when the foreshadow resolves; if it is not, the effect fails.

カードに書かれた追加条件は、伏線を処理する時に最初に行い、行わなければ効果は不発。"""

LIVE_FIELDS: Final = Clause("DEA-7.14")
"""Live field effects of each writer: {fields_per_player}; the older one ends {field_replace}.

有効なフィールド効果はライター1人につき{fields_per_player}枚までで、古い方は、{field_replace}無くなる。"""

OPENED_STAYS: Final = Clause("DEA-7.15")
"""An opened foreshadow stays face-up in its slot and cannot be used again.

開いた伏線は表のまま置き場に残り、再び使うことはできない。"""

CONVERT_HAND_IN_MAIN: Final = Clause("DEA-7.16")
"""Either writer may convert a hand card into pages at any time in a main phase.

手札のページ変換は、メインフェーズ中なら両者がいつでも行える。"""

HAND_CARD_CONVERTED: Final = Clause("DEA-7.17")
"""One card from the writer's own hand goes to the sleeve and pages are gained: {hand_conversion_pages}.

手札のページ変換では、自分の手札1枚を袖に置き、{hand_conversion_pages}ページ得る。"""

CONVERT_HAND_AT_ONCE: Final = Clause("DEA-7.18")
"""Hand conversion is not stacked and happens immediately.

手札のページ変換はスタックに乗らず、すぐに行う。"""

CONVERT_PAGES_IN_MAIN: Final = Clause("DEA-7.19")
"""Either writer may convert pages into an ending point at any time in a main phase.

ページのEP変換は、メインフェーズ中なら両者がいつでも行える。"""

CONVERT_PAGES_COST: Final = Clause("DEA-7.20")
"""Page conversion costs {ep_conversion_cost} pages and gives 1 EP, any number of times in a match.

ページのEP変換は、{ep_conversion_cost}ページを1EPに変えるもので、対戦中何度でも行える。"""

CONVERT_PAGES_STACKED: Final = Clause("DEA-7.21")
"""Page conversion is a stack item: it can be hooked, and its EP comes when it resolves.

ページのEP変換はスタックに乗る。フックでき、EPは処理の時に得る。"""

CONVERT_AT_CAP: Final = Clause("DEA-7.22")
"""A hand card may be converted even at {page_cap} pages, and what is above the cap is lost.

ページが{page_cap}でも手札のページ変換はでき、超えた分は失われる。"""

TARGETS_AT_DECLARATION: Final = Clause("DEA-7.23")
"""Targets, cells, modes and the wearer are chosen at declaration and are public.

対象・マス・選択肢・装備させるキャラクターは、宣言の時に選んで公開する。"""

COST_NOT_RETURNED: Final = Clause("DEA-7.24")
"""Costs are paid at declaration and are never given back.

コストは宣言の時に払い、返ってくることはない。"""

LEGAL_TARGETS_EXIST: Final = Clause("DEA-7.25")
"""An ability or gimmick that needs targets cannot be declared when no legal set of them exists; {foreshadow_open}.

対象の要る能力とギミックは、適正な対象がそろわなければ宣言できない。{foreshadow_open}。"""

SEALED: Final = Clause("DEA-7.26")
"""A sealed character's abilities cannot be declared and {seal_scope}; its equipment and effects of other cards on it go
on working.

封印されたキャラクターの能力は宣言できず、{seal_scope}。その装備と、他のカードから受けている効果は働き続ける。"""

PRINTED_LIMITS: Final = Clause("DEA-7.27")
"""Printed limits (own turn only, during a battle, once per turn, once per match) must hold at declaration, and a
declared use counts even if it fails; "once per match" counts per writer and ability name.

カードに書かれた使用制限（自分のターンのみ、戦闘中、1ターン1回、1対戦1回）は宣言の時に満たさなければならず、宣言した使用
は不発でも数える。「1対戦1回」は、ライターと能力名ごとに数える。"""

# Trigger, hook and stack

TRIGGER: Final = Clause("DEA-8.1")
"""Declaring a use while nothing is waiting is a trigger.

処理を待つものが無い時の使用宣言をトリガーという。"""

HOOK: Final = Clause("DEA-8.2")
"""Declaring a use before the trigger is processed is a hook; both writers may hook, also their own trigger.

トリガーが処理される前の使用宣言をフックという。自分のトリガーにも相手のトリガーにもフックできる。"""

HOOK_A_HOOK: Final = Clause("DEA-8.3")
"""A hook may itself be hooked.

フックに、さらにフックすることができる。"""

STACK_ITEMS: Final = Clause("DEA-8.4")
"""Stack items are abilities, events, equipment, foreshadows, page conversions and attacks; normal moves and hand
conversions are not.

スタックに乗るのは、能力・イベント・装備・伏線・ページのEP変換・アタックで、通常の移動と手札のページ変換は乗らない。"""

LAST_DECLARED_FIRST: Final = Clause("DEA-8.5")
"""Items resolve in reverse order of declaration.

スタックは、後に宣言したものから処理する。"""

OPPONENT_FIRST: Final = Clause("DEA-8.6")
"""After a declaration the opponent of the declarer may act first.

宣言の後は、まず、宣言した人の相手に機会がある。"""

HOOK_OR_PASS: Final = Clause("DEA-8.7")
"""A writer who has the opportunity hooks or passes; after a pass the other has it.

機会のあるライターはフックするかパスし、パスすれば機会は相手に移る。"""

TWO_PASSES: Final = Clause("DEA-8.8")
"""Two passes in a row close the window and resolution starts.

2人が続けてパスすると、受付が終わり処理が始まる。"""

NOTHING_WHILE_RESOLVING: Final = Clause("DEA-8.9")
"""Once resolution has started, nothing is declared or converted until {stack_resolution}.

処理が始まったら、{stack_resolution}、宣言も変換もできない。"""

NEGATED: Final = Clause("DEA-8.10")
"""A negated item does nothing; its card still goes where it would go.

打ち消されたものは何も起こさない。カードは通常どおりの場所に置く。"""

ABILITY_FAILS: Final = Clause("DEA-8.11")
"""An ability fails if its character is sealed, or gone, when it would resolve.

能力は、処理の時にそのキャラクターが封印されているか、いなくなっていれば不発。"""

CELL_CHOSEN_AGAIN: Final = Clause("DEA-8.12")
"""A destination cell that became illegal is chosen again; if there is none, or a target became illegal, that part
fails.

行き先のマスが適正でなくなっていれば選び直す。選べるマスが無いか、対象が適正でなくなっていれば、その部分は不発。"""

CARD_AFTER_RESOLUTION: Final = Clause("DEA-8.13")
"""Events go to the sleeve after resolution, equipment onto its wearer, or into the sleeve if it failed.

処理の後、イベントは袖に置き、装備はキャラクターに重ねる。不発の装備は袖に置く。"""

BACK_TO_MAIN: Final = Clause("DEA-8.14")
"""When the stack is empty the main phase goes on with the turn player.

スタックが空になれば、手番のライターのメインフェーズに戻る。"""

OPPORTUNITY: Final = Clause("DEA-8.15")
"""While a window is open only the writer who has the opportunity may act, and one can pass only then.

受付中に動けるのは機会のあるライターだけで、パスは受付中にしかできない。"""

NO_HOOK_SAME_WAY: Final = Clause("DEA-8.16")
"""A trigger without hooks resolves in the same way.

フックが無いトリガーも、同じ手順で処理する。"""

OPENED_BY_EFFECT: Final = Clause("DEA-8.17")
"""A foreshadow opened by an effect is not declared: its item comes on top of the stack being resolved and resolves
next, without a window.

効果で開いた伏線は宣言を経ず、処理中のスタックの一番上に乗り、受付無しで次に処理する。"""

# Automatic processing

STATE_CHECKED: Final = Clause("DEA-9.1")
"""After every instruction, move and payment the bounds and the last line are checked; victory is checked
{victory_check}.

指示・移動・支払いを1つ行うたびに、数値の範囲と一番奥のラインへの到達を確かめる。勝敗は、{victory_check}確かめる。"""

CHECK_ORDER: Final = Clause("DEA-9.2")
"""The order of the check is bounds, last-line EP, victory.

確かめる順は、数値の範囲、到達のEP、勝敗。"""

STANDS_ON_LAST_LINE: Final = Clause("DEA-9.3")
"""A character standing on its last line earns its writer {ep_per_line} EP, {line_ep_cause}.

一番奥のラインに自分のキャラクターが立つと、{line_ep_cause}、{ep_per_line}EP得る。"""

LINE_ONCE: Final = Clause("DEA-9.4")
"""Each character earns that point once per match.

到達のEPは、キャラクター1人につき対戦中1回だけ。"""

TOKENS_EARN_NOTHING: Final = Clause("DEA-9.5")
"""Tokens never earn that point.

トークンが到達してもEPにならない。"""

ATTACKER_NOT_ARRIVED: Final = Clause("DEA-9.6")
"""The attacker of an unfinished battle has not yet arrived on the last line.

戦闘が終わるまで、アタックキャラは一番奥のラインに到達したことにならない。"""

FORESHADOW_EP: Final = Clause("DEA-9.7")
"""An opened foreshadow earns its owner {ep_per_foreshadow} EP {foreshadow_ep_timing}.

伏線が開くと、持ち主は{foreshadow_ep_timing}{ep_per_foreshadow}EP得る。"""

FORESHADOW_EP_KEPT: Final = Clause("DEA-9.8")
"""That EP is kept when the effect fails or is negated.

伏線のEPは、効果が不発でも打ち消されても残る。"""

AUTOMATIC_EFFECTS: Final = Clause("DEA-9.9")
"""Automatic effects are not declared and cannot be hooked; they follow the item or move that caused them, in the order
the turn player chooses; an "if" in one is looked at when it is processed.

自動の効果は宣言せず、フックもできない。原因となった処理や移動の後に、手番のライターが選ぶ順に処理し、「…なら」はその処
理の時に確かめる。"""

DURATIONS: Final = Clause("DEA-9.10")
"""Effects last as printed: this battle, this turn, while attached, while the field lives.

効果は書かれた間だけ続く。この戦闘中、このターン中、装備している間、フィールドが有効な間のどれか。"""

KEYWORD_ONCE: Final = Clause("DEA-9.11")
"""The same keyword on one character works once; numeric changes add up.

1人のキャラクターに同じキーワード能力が重なっても1つ分だけ働き、数値の増減は合計する。"""

NOT_BELOW_ZERO: Final = Clause("DEA-9.12")
"""Attack and defence are not below 0 and are computed when needed.

攻撃力と防御力は必要な時に計算し、0より下がらない。"""

CHOICE_PENDING: Final = Clause("DEA-9.13")
"""While a required choice is open, only the chooser may act and only with that choice, though anyone may concede; an
answer to a choice that is not open is not accepted.

求められた選択が済むまでは、選ぶ人がその選択を行うことだけができるが、投了は誰でもできる。求められていない選択への返答は
受け付けない。"""

SAME_TIME: Final = Clause("DEA-9.14")
"""Changes made by one instruction to both writers happen at the same time.

1つの指示が両者に及ぼす変化は、同時に起こる。"""

TOKENS_ARE_CHARACTERS: Final = Clause("DEA-9.15")
"""Tokens are characters for every rule but those of last-line EP and of starting life.

トークンは、到達のEPと最初の生存点のルールを除き、キャラクターとして扱う。"""

TOKEN_REMOVED: Final = Clause("DEA-9.16")
"""A removed token leaves the match; its equipment goes to the sleeve.

取り除いたトークンは対戦から無くなり、その装備は袖に置く。"""

WAS_ATTACKED: Final = Clause("DEA-9.17")
"""A blocker "was attacked" when its battle came to the damage calculation, whatever the result; an avoided or cancelled
battle does not count.

ブロックキャラは、結果を問わず、戦闘がダメージ計算まで進んだ時に「アタックされた」ことになる。避けた戦闘や中止された戦闘
は数えない。"""

# End of the match

LIFE_GONE: Final = Clause("DEA-10.1")
"""A writer whose life is 0 or less while the other's is above 0 loses, whatever the cause.

自分の生存点だけが0以下になれば、原因を問わず負け。"""

LOWER_LIFE_LOSES: Final = Clause("DEA-10.2")
"""If both reach 0 or less at the same time, the one further below loses.

両者の生存点が同時に0以下になれば、より低い方が負け。"""

EQUAL_LIFE_BY_CHANCE: Final = Clause("DEA-10.3")
"""If both lives are gone at the same time and equal, chance decides the winner.

同時に0以下になった生存点が同じ値なら、勝者を偶然で決める。"""

EP_REACHED: Final = Clause("DEA-10.4")
"""A writer with {ep_to_win} or more EP wins.

EPが{ep_to_win}以上になれば勝ち。"""

EP_SOURCES: Final = Clause("DEA-10.5")
"""EP come from the last line, opened foreshadows, page conversion and card effects.

EPは、一番奥のラインへの到達、開いた伏線、ページのEP変換、カードの効果で得る。"""

HIGHER_EP_WINS: Final = Clause("DEA-10.6")
"""If both have {ep_to_win} or more EP at one check, the higher total wins; equal totals are decided by chance.

両者のEPが同じ確認で{ep_to_win}以上なら多い方が勝ち、同数なら偶然で決める。"""

SPECIAL_VICTORY: Final = Clause("DEA-10.7")
"""A card may state a victory of its own; it counts when that instruction is performed.

カードに独自の勝利条件が書かれていれば、その指示を行った時に勝つ。"""

CONCEDED: Final = Clause("DEA-10.8")
"""A writer may concede at any time; the other wins.

いつでも投了でき、相手の勝ちとなる。"""

LIFE_AND_EP: Final = Clause("DEA-10.9")
"""When a life condition and an EP condition come true at one check, {simultaneous_win}.

同じ確認で生存点の条件とEPの条件が共に満たされたら、{simultaneous_win}。"""

TIME_CALLED: Final = Clause("DEA-10.10")
"""When a judge calls time in writing mode (minutes allowed: {match_minutes}), {time_result}; when the last turn is over
(turns allowed: {max_turns}), the match is a draw; a judge may also end it by naming the winner or nobody, with a
reason.

制限時間（分）は{match_minutes}、ターン数の上限は{max_turns}。ライティングモードで審判が時間切れを告げた時は、
{time_result}。上限のターンが終わった時は、引き分け。審判は、勝者か引き分けと、その理由を示して終えることもできる。"""

TITLE: Final = Clause("DEA-10.11")
"""The winner may once give the battle a title; it has no effect on the result.

勝者は戦いに一度だけタイトルを付けてよい。結果には関わらない。"""

CARDS_RETURNED: Final = Clause("DEA-10.12")
"""After the match every card goes back to its owner.

対戦の後、カードは全て持ち主に返す。"""

NOTHING_AFTER_END: Final = Clause("DEA-10.13")
"""When the match has ended nothing more is processed and only a title may be given.

決着の後は何も処理せず、タイトルを付けることだけができる。"""

# Cards

CARD_KINDS: Final = Clause("DEA-11.1")
"""There are characters, gimmicks (events, equipment), foreshadows and tokens.

カードには、キャラクター、ギミック（イベント・装備）、伏線、トークンがある。"""

CHARACTER_SHOWS: Final = Clause("DEA-11.2")
"""A character has name, sex, colour, rarity, cost, move type, attack, defence, survival and abilities.

キャラクターは、名前・性別・色・レア度・コスト・移動タイプ・攻撃力・防御力・生存力・能力を持つ。"""

GIMMICK_SHOWS: Final = Clause("DEA-11.3")
"""A gimmick has name, kind, colour, rarity, page cost and text.

ギミックは、名前・種類・色・レア度・必要なページ・文章を持つ。"""

FORESHADOW_SHOWS: Final = Clause("DEA-11.4")
"""A foreshadow has name, colour, rarity, use-condition, optional additional condition, field mark and text.

伏線は、名前・色・レア度・使用条件・追加条件（無いこともある）・フィールドの別・文章を持つ。"""

DAMAGE_TO_CHARACTER: Final = Clause("DEA-11.5")
"""A damage effect aimed at a character lowers its writer's life and counts as damage to that character.

キャラクターへダメージを与える効果は、そのライターの生存点を減らし、そのキャラクターへのダメージとみなす。"""

EFFECT_MOVES: Final = Clause("DEA-11.6")
"""A push or shift by an effect is not a normal move and never causes an attack.

効果で押したり動かしたりすることは通常の移動ではなく、アタックにもならない。"""

LIFE_LOSS_NO_DAMAGE: Final = Clause("DEA-11.7")
"""A loss or payment of life is not damage.

生存点を失うことや払うことはダメージではない。"""

SWAP: Final = Clause("DEA-11.8")
"""A swap exchanges the cells of two different characters; the attacker of a running battle cannot be one of them.

入れ替えは異なる2人のマスを交換するもので、戦闘中のアタックキャラは選べない。"""

FORBIDDEN_DECLARATION: Final = Clause("DEA-11.9")
"""A prohibition of an action stops its declaration; what was declared before still resolves.

禁止は宣言を止めるもので、既に宣言されたものは処理する。"""
