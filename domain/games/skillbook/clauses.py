"""The clauses of Skillbook, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# Decks

DECK_PARTS: Final = Clause("SB-1.1")
"""A deck consists of exactly a skill book, an area map and a hero; the size of the book and the limits on copies are
{enforce_construction}.

デッキは、スキルブック・エリアマップ・ヒーローだけから成る。ブックの枚数と同名カードの枚数の制限を
{enforce_construction}。"""

BOOK_SIZE: Final = Clause("SB-1.2")
"""A skill book holds at least {book_min} and at most {book_max} skill cards.

スキルブックは、スキルカード{book_min}枚以上{book_max}枚以下。"""

SAME_NAME_LIMIT: Final = Clause("SB-1.3")
"""The most cards of one name in a book: {same_name_max}.

ブックに入れられる同名カードは{same_name_max}枚まで。"""

CAST_LIMIT: Final = Clause("SB-1.4")
"""The most copies of one card marked "cast" in a book: {cast_max}.

「キャスト」と書かれたカードは、ブックに各{cast_max}枚まで。"""

MAP_SIZE: Final = Clause("SB-1.5")
"""An area map is exactly {map_size} terrain cards.

エリアマップは、地形カード{map_size}枚ちょうど。"""

BASIC_TERRAINS_UNLIMITED: Final = Clause("SB-1.6")
"""Each basic terrain may be used any number of times.

基本地形は何枚入れてもよい。"""

SPECIAL_TERRAIN_LIMIT: Final = Clause("SB-1.7")
"""The most copies of one special terrain in a map: {special_terrain_max}.

特殊地形は、同名のものを{special_terrain_max}枚まで。"""

START_POINTS: Final = Clause("SB-1.8")
"""The number of start points in a map is {start_cards} {start_cards_min}; they count among its {map_size} terrains.

エリアマップに入れるスタートポイントは{start_cards_min}枚{start_cards}で、地形{map_size}枚の内に数える。"""

HEROES_IN_DECK: Final = Clause("SB-1.9")
"""The number of heroes in a deck is exactly {heroes}.

デッキに入れるヒーローは、ちょうど{heroes}人。"""

UNUSABLE_SKILLS_LEGAL: Final = Clause("SB-1.10")
"""Skills the hero can never use may still be put into the book.

ヒーローに使えないスキルをブックに入れてもよい。"""

TERRAIN_ELEMENTS: Final = Clause("SB-1.11")
"""Mountain is fire, forest earth, plain wind, spring water, town dark; wasteland has no element and no effect.

山脈は火、森林は地、草原は風、水源は水、街は闇の属性を持つ。荒野には属性も効果も無い。"""

# Set-up

DECK_SEPARATED: Final = Clause("SB-2.1")
"""Before the game each deck is separated into hero, book and map.

ゲームの前に、デッキをヒーロー・ブック・マップに分ける。"""

SHORT_BOOK_LOSES: Final = Clause("SB-2.2")
"""A player whose book is {setup_short_book} of {book_min} cards at this point of the set-up loses the match; if both
are, it is a draw.

デッキを分けた時、ブックの枚数が下限の{book_min}枚{setup_short_book}なら、その持ち主は敗北する。両者ともなら引き分け。
"""

BOOKS_SHUFFLED: Final = Clause("SB-2.3")
"""The players exchange books and shuffle each other's; the order names exactly the cards of the book.

ブックは互いに交換して相手のものを切る。その並びは、ちょうどそのブックのカードから成る。"""

NEUTRAL_ROW: Final = Clause("SB-2.4")
"""{board_width} neutral terrains, officially all wastelands, are laid face up across the middle.

中央に中立地形{board_width}枚（公式では全て荒野）を表向きで横に並べる。"""

MAP_LAID_OUT: Final = Clause("SB-2.5")
"""Each player lays all {map_size} terrains face down in its own area, choosing the place of each while looking at the
faces.

各プレイヤーは、自分の地形{map_size}枚全てを、表を見ながら好きな配置で、自分のエリアに裏向きに並べる。"""

TOSS_AND_ORDER: Final = Clause("SB-2.6")
"""A toss is made; its winner chooses to be first or second player.

ジャンケンやコイントスなどで勝敗を決め、勝った方が先手か後手かを選ぶ。"""

HERO_ON_START_POINT: Final = Clause("SB-2.7")
"""When both areas are complete, the first player, then the second, places its hero on one of its own start points; the
second sees where the first stands.

両者がエリアマップを並べ終えたら、先手、後手の順に、自分のスタートポイントにヒーローを置く。後手は先手のヒーローの場所を
見てから決めてよい。"""

START_POINT_TURNED_UP: Final = Clause("SB-2.8")
"""The chosen start point is turned face up.

選んだスタートポイントは表向きにする。"""

OPENING_TABLE: Final = Clause("SB-2.9")
"""The game begins with empty hands; how many cards are put on each skill table from the top of its owner's book:
{opening_table}.

最初の手札は0枚。最初にブックの上から自分のスキルテーブルに置く枚数は{opening_table}枚。"""

BOARD: Final = Clause("SB-2.10")
"""The board has {board_width} columns; the players face each other, each with {own_rows} rows of their own; number of
neutral rows between them: {neutral_rows}.

盤面は横{board_width}列。向かい合う両者のエリアが各{own_rows}段、その間の中立エリアが{neutral_rows}段。"""

# Winning, losing, drawing

HERO_DEATH_LOSES: Final = Clause("SB-3.1")
"""When a hero's HP is 0 or less its player dies and loses at once.

ヒーローのHPが0以下になったら、その持ち主は死亡し、直ちに敗北する。"""

SURVIVOR_WINS: Final = Clause("SB-3.2")
"""The survivor wins even if it could not have won by itself.

自力では勝てない状況でも、相手が死亡すれば勝つ。"""

BOTH_HEROES_DEAD: Final = Clause("SB-3.3")
"""If both heroes come to 0 HP at the same time the match is a draw.

両者のヒーローのHPが同時に0以下になったら、引き分け。"""

EMPTY_BOOK_LOSES: Final = Clause("SB-3.4")
"""A player whose book has no card left loses; this happens {book_out_check}.

ブックのカードが無くなった者は敗北する。敗北するのは、{book_out_check}。"""

BOTH_LOSE: Final = Clause("SB-3.5")
"""If both players lose at the same moment for any reasons the match is a draw.

理由を問わず、両者が同時に敗北したら引き分け。"""

GOAL_LINE: Final = Clause("SB-3.6")
"""The goal line of a player is the opponent's row closest to the opponent.

ゴールラインとは、相手のエリアのうち、相手に一番近い段のこと。"""

GOAL_WINS: Final = Clause("SB-3.7")
"""At the judgment step a player whose hero is on its goal line wins; heroes looked at: {goal_check}.

判定ステップに、ヒーローがゴールラインにいる者が勝つ。確かめるのは、{goal_check}。"""

BOTH_AT_GOAL: Final = Clause("SB-3.8")
"""When both heroes are looked at and both are on their goal lines at the judgment step, the match is a draw.

判定ステップに両者のヒーローを確かめる時は、どちらもゴールラインにいれば引き分け。"""

ADJUDICATION: Final = Clause("SB-3.9")
"""A tournament may set a time limit and adjudicate the match in the following order.

大会などでは時間を限り、次の順で優劣を決めてよい。"""

INVADER_WINS: Final = Clause("SB-3.10")
"""At adjudication, if only one hero stands in the opponent's area, it wins.

優劣を決める時、片方のヒーローだけが相手のエリアにいれば、その勝ち。"""

FURTHER_WINS: Final = Clause("SB-3.11")
"""The hero nearer to its goal line wins if {adjudication_neither_invaded}.

{adjudication_neither_invaded}なら、ゴールラインにより近い方の勝ち。"""

STARTED_BEHIND_WINS: Final = Clause("SB-3.12")
"""If both are equally near, the one that started further back wins.

ゴールラインへの近さが同じなら、より後方から始めた方の勝ち。"""

LESS_LIFE_LOST_WINS: Final = Clause("SB-3.13")
"""If still undecided, the hero with the smaller difference of maximum and current life wins.

まだ決まらなければ、ヒーローのライフの最大値と現在値の差が小さい方の勝ち。"""

ADJUDICATED_DRAW: Final = Clause("SB-3.14")
"""If even that does not decide, the match is a draw.

それでも決まらなければ引き分け。"""

CONCEDING: Final = Clause("SB-3.15")
"""A player may concede at any time and loses at once.

投了はいつでもでき、投了した者は直ちに敗北する。"""

NOTHING_AFTER_END: Final = Clause("SB-3.16")
"""After the end of the match no action is possible.

対戦の終了後は、何も行えない。"""

TIME_CALLED: Final = Clause("SB-3.17")
"""When time is called, once in a match, the current turn is played to its judgment step and then adjudicated; turn at
whose beginning time is called by itself: {time_limit_turns}.

時間切れは対戦に1度だけ宣言でき、その後、そのターンを判定ステップまで行って優劣を決める。ターンの開始時に自動で時間切れ
になるターン：{time_limit_turns}。"""

# Turn structure

GAME_START_PHASE: Final = Clause("SB-4.1")
"""There is one game start phase, once per game, before the first turn.

ゲーム開始フェイズは、最初のターンの前に1度だけある。"""

GAME_START_EFFECTS: Final = Clause("SB-4.2")
"""Game-start effects happen in order from the first player.

ゲーム開始時の効果は、先手から順に発生する。"""

OWN_EFFECTS_ORDERED: Final = Clause("SB-4.3")
"""Several effects of one player at the same time happen in the order that player chooses.

1人のプレイヤーの効果が同時に複数発生した時は、その順番を本人が決める。"""

TURNS_ALTERNATE: Final = Clause("SB-4.4")
"""The first player takes the first turn; turns alternate.

最初のターンは先手が行い、以後交互に行う。"""

RECOVERY: Final = Clause("SB-4.5")
"""In the recovery step all resting and exhausted units of the turn player become active.

消耗回復ステップに、手番のプレイヤーの休息状態・消耗状態のユニットは全て活動状態になる。"""

TURN_START_EFFECTS: Final = Clause("SB-4.6")
"""Turn-start abilities happen in order from the first player.

ターン開始時の能力は、先手から順に発生する。"""

TURN_DRAW: Final = Clause("SB-4.7")
"""In the draw phase the turn player draws cards from its book ({draw_per_turn}), looks at them, and puts each on the
skill table or into the hand as trump; in the first turn of the match {first_turn_draw}.

ドローフェイズに、手番のプレイヤーはブックから{draw_per_turn}枚引き、それを見て、スキルテーブルに加えるか、切り札として
手札に加えるかを選ぶ。対戦の最初のターンには、{first_turn_draw}。"""

ROOM: Final = Clause("SB-4.8")
"""The most cards on a skill table: {table_slots}; in a hand: {hand_max}.

スキルテーブルは{table_slots}枚まで、手札は{hand_max}枚まで。"""

OVERFLOW: Final = Clause("SB-4.9")
"""If neither the skill table nor the hand has room, one card among the drawn one, the hand and the table goes to the
graveyard.

スキルテーブルにも手札にも空きが無ければ、引いたカード・手札・テーブルのカードのうち1枚を墓地に送る。"""

TRUMP_SHIFTED: Final = Clause("SB-4.10")
"""If neither has room, it is also allowed to send a table card to the graveyard, move the trump to the table and keep
the drawn card as trump; while the table has room, the trump {draw_rearrange}.

どちらにも空きが無い時は、テーブルのカード1枚を墓地に送り、手札の切り札をテーブルに下ろして、引いたカードを新しい切り札
にしてもよい。テーブルに空きがある間は、{draw_rearrange}。"""

CHARGING: Final = Clause("SB-4.11")
"""In the charge phase the turn player may do nothing else and end the turn at once (charging), going to the turn end
phase; with {charge_hp} HP or less this is {charge_at_one_hp}, and in the first step of the turn end the charging player
{charging_player_may_respond}.

チャージフェイズに、手番のプレイヤーは他に何もせず直ちにターンを終え、ターン終了フェイズに移ってよい（チャージ）。HPが
{charge_hp}以下の時のチャージは{charge_at_one_hp}。チャージした者は、ターン終了の最初のステップに
{charging_player_may_respond}。"""

MAIN_PHASE: Final = Clause("SB-4.12")
"""In the main phase the turn player may use skills and abilities, move units and fight.

メインフェイズに、手番のプレイヤーはスキルと能力の使用、ユニットの移動、戦闘を行える。"""

END_DECLARED: Final = Clause("SB-4.13")
"""A player with nothing left to do in the main phase declares the end of the turn.

メインフェイズにすることが無くなったら、ターンの終了を宣言する。"""

LAST_CHANCE: Final = Clause("SB-4.14")
"""The first step of the turn end is the last moment of the turn to use skills and abilities; there {end_start_use}.

ターン終了の最初のステップが、そのターンにスキルと能力を使える最後の機会。ここでは、{end_start_use}。"""

CHARGE: Final = Clause("SB-4.15")
"""A player who charged this turn loses {charge_hp} HP, makes a new book of its graveyard and book together, and removes
cards from its top from the game; number of cards: {charge_removed}.

このターンにチャージした者は、HPを{charge_hp}失い、墓地の全てのカードをブックと混ぜて新しいブックを作り、その上から
{charge_removed}枚をゲームから除外する。"""

TURN_END_EFFECTS: Final = Clause("SB-4.16")
"""In the reset step turn-end effects happen in order from the current player.

リセットステップに、ターン終了時の効果が手番のプレイヤーから順に発生する。"""

TURN_EFFECTS_END: Final = Clause("SB-4.17")
"""In the reset step all effects lasting until end of turn end.

リセットステップに、「ターン終了時まで」の効果は全て切れる。"""

DAMAGE_HEALED: Final = Clause("SB-4.18")
"""In the reset step all damage on objects that are not heroes is healed, {reset_check_between}.

リセットステップに、ヒーロー以外のダメージは全て回復する。回復するのは、{reset_check_between}。"""

JUDGMENT: Final = Clause("SB-4.19")
"""In the judgment step the end conditions are examined.

判定ステップに、ゲームの終了条件を確かめる。"""

NO_DISCARD_WITH_ROOM: Final = Clause("SB-4.20")
"""While there is room no card may be discarded by the placing of a drawn card.

空きがある間は、引いたカードを置くためにカードを捨てることはできない。"""

CHARGE_ORDER: Final = Clause("SB-4.21")
"""The charge step is carried out in this order: HP loss, death check, mixing, shuffle, removal, empty-book check.

チャージステップは、HPを失う、死亡を確かめる、混ぜる、切る、除外する、ブックの残りを確かめる、の順に行う。"""

CHARGE_LOSS: Final = Clause("SB-4.22")
"""HP lost by charging is a loss, not damage; it cannot be prevented.

チャージで失うHPはダメージではなく、防げない。"""

# Skills, abilities, costs, responses

MILL_COST: Final = Clause("SB-5.1")
"""A skill is used by paying its cost: that many cards from the top of one's own book to one's graveyard.

スキルは、コストと同じ枚数を自分のブックの上から墓地に送って使う。"""

TAP_COST: Final = Clause("SB-5.2")
"""T means the unit must be made exhausted as a cost; only an active unit can pay it.

Tは、ユニットを消耗状態にするコスト。活動状態のユニットだけが払える。"""

SUITABLE_TARGET: Final = Clause("SB-5.3")
"""A skill or ability without a suitable target cannot be used.

スキルや能力は、適切な対象がいなければ使えない。"""

OWN_MAIN_PHASE: Final = Clause("SB-5.4")
"""Non-response skills and abilities, moves, battles and table upkeep are possible only in one's own main phase while
nothing is in progress, or where the end of the turn allows it.

レスポンス以外のスキルと能力、移動、戦闘、オーラの破棄、呪いの解除は、ターン終了時に認められる使用を除き、何も行われてい
ない自分のメインフェイズにだけ行える。"""

RESPONSE_TIMING: Final = Clause("SB-5.5")
"""A response skill may also be used in a response window, in either player's turn, during moves, battles and other
skills.

レスポンススキルは、移動・戦闘・他のスキルの途中でも、どちらのターンでも、レスポンスの受付があれば使える。"""

BOON_NEEDED: Final = Clause("SB-5.6")
"""A skill with an element is usable while the hero stands on a face-up terrain of that element (boon); a skill of the
hero's own element {own_element_anywhere}, and a skill without an element needs none.

属性を持つスキルは、ヒーローがその属性の表向きの地形にいる間使える（恩恵）。ヒーローと同じ属性のスキルは
{own_element_anywhere}。属性の無いスキルに恩恵は必要ない。"""

DOUBLE_BOON: Final = Clause("SB-5.7")
"""While the hero stands on a face-up terrain of its own element, the cost of a skill of that element is reduced (double
boon).

ヒーローが自身と同じ属性の表向きの地形にいる間、その属性のスキルのコストは減る（二重恩恵）。"""

DISCOUNT: Final = Clause("SB-5.8")
"""Without a note on the card the reduction is {double_boon_discount}, never below 0.

特に記述が無ければ、二重恩恵で減るコストは{double_boon_discount}。0より小さくはならない。"""

PRINTED_DISCOUNT: Final = Clause("SB-5.9")
"""A cost written 10(4) is 4 under double boon.

10(4)と書かれたコストは、二重恩恵の時は4になる。"""

HERO_REQUIREMENT: Final = Clause("SB-5.10")
"""A skill with a hero requirement is usable only by a hero that meets it.

使用条件のあるスキルは、それを満たすヒーローだけが使える。"""

ACTIVATED: Final = Clause("SB-5.11")
"""A + ability takes effect when its user activates it by paying its cost.

＋の能力は、コストを払って起動した時に働く。"""

CONTINUOUS: Final = Clause("SB-5.12")
"""A - ability is always in effect. Some have a trigger; then they act whenever its event happens.

ーの能力は常に働く。誘発を伴うものは、その出来事が起こるたびに働く。"""

RESPONSE_ABILITY: Final = Clause("SB-5.13")
"""A response ability has the timing of a response skill.

レスポンスアビリティは、レスポンススキルと同じ時に使える。"""

USED_FROM: Final = Clause("SB-5.14")
"""A skill is used from one's hand or, if not in force, from one's own table; it goes to the stack and afterwards to
where its kind says.

スキルは、手札か、自分のテーブルにある起動していないものを使う。使ったスキルはスタックに置き、解決の後は種類に応じた場所
へ移す。"""

STACK: Final = Clause("SB-5.15")
"""Declared skills and abilities form a stack; {stack_order}.

宣言したスキルと能力はスタックに置かれ、{stack_order}。"""

CHANCE_ALTERNATES: Final = Clause("SB-5.16")
"""In a window the chance alternates; two passes in a row resolve the next item or close the window.

レスポンスの受付では、両者に交互に機会が来る。両者が続けてパスすると、スタックの次の1つを解決するか、受付を終える。"""

TARGETS_RECHECKED: Final = Clause("SB-5.17")
"""Targets are examined again on resolution; illegal ones are skipped, and if all are illegal nothing happens.

対象は解決する時に改めて確かめ、不適切なものには何もしない。全てが不適切なら何も起こらない。"""

COST_PAYABLE: Final = Clause("SB-5.18")
"""A cost larger than one's book cannot be paid, so the skill cannot be used; to pay with the last card of the book is
{pay_last_card}.

ブックの枚数より大きいコストは払えず、そのスキルは使えない。ブックの最後の1枚を払うことは{pay_last_card}。"""

COST_FIXED: Final = Clause("SB-5.19")
"""The cost is fixed and paid on declaration and never given back.

コストは宣言した時に決まり、その場で払い、戻ることは無い。"""

TRIGGERS_AT_ONCE: Final = Clause("SB-5.20")
"""Triggers are handled at once after the event group that caused them, before any window.

誘発した効果は、原因となった出来事のすぐ後に、どの受付よりも先に処理する。"""

ORIGIN: Final = Clause("SB-5.21")
"""Ranges of a skill start at the user's hero, ranges of an ability at its unit.

射程の開始地点は、スキルなら使用者のヒーロー、能力ならそのユニット。"""

NO_USE_LIMIT: Final = Clause("SB-5.22")
"""Any number of skills and abilities may be used in a turn; using a skill does not exhaust the hero.

1ターンに使えるスキルと能力の数に制限は無い。スキルを使ってもヒーローは消耗しない。"""

BOON_AT_DECLARATION: Final = Clause("SB-5.23")
"""The boon is examined on declaration only.

恩恵を確かめるのは、宣言する時だけ。"""

CANNOT_WINS: Final = Clause("SB-5.24")
"""Card text beats these rules; "cannot" beats "can".

カードの記述はルールに優先し、「できない」は「できる」に勝つ。"""

FACE_DOWN_IDLE: Final = Clause("SB-5.25")
"""A face-down terrain gives no boon and has no effect.

裏向きの地形は、恩恵を与えず、効果も持たない。"""

ONCE_PER_TURN: Final = Clause("SB-5.26")
"""An ability marked once per turn can be used once in each turn, counted for each source object by itself.

1ターンに1度の能力は、発生源ごとに、各ターンに1度だけ使える。"""

TRIGGER_OUTLIVES_SOURCE: Final = Clause("SB-5.27")
"""A trigger that has happened is carried out even if its source is gone by then.

一度誘発した効果は、処理する時に発生源が無くなっていても行う。"""

BOON_OF_ANY_TERRAIN: Final = Clause("SB-5.28")
"""The terrain that gives a boon may belong to anyone: either player or the neutral row.

恩恵を与える地形は、自分のもの、相手のもの、中立のもののどれでもよい。"""

# Movement and exploration

MOVES_PER_TURN: Final = Clause("SB-6.1")
"""How often a unit may move in a turn: {moves_per_turn}.

各ユニットが移動できるのは、1ターンに{moves_per_turn}度まで。"""

SQUARES_PER_SP: Final = Clause("SB-6.2")
"""To move, a unit is exhausted and goes up to one square per point of SP.

移動するユニットは消耗し、SP1につき1マス進める。"""

STEP_BY_STEP: Final = Clause("SB-6.3")
"""A move of n squares is n moves of one square, each complete with its consequences.

nマスの移動は、1マスの移動をn回行い、1回ごとにその結果を処理する。"""

EXPLORE_ON_ENTERING: Final = Clause("SB-6.4")
"""On entering an unexplored terrain, exploring is optional on one's own and forced on any other.

未探索の地形に乗った時、自分の地形なら探索は任意、それ以外なら必ず探索する。"""

FLYING_EXPLORES_FREELY: Final = Clause("SB-6.5")
"""A flying unit may choose on any terrain whether to explore.

飛行ユニットは、誰の地形でも、探索するかどうかを選べる。"""

EXPLORE_IN_PLACE: Final = Clause("SB-6.6")
"""A unit may exhaust itself, as if moving 0 squares but without counting as moved, to explore the terrain it stands on.

ユニットは、0マス移動したかのように消耗して、今いる地形を探索できる。移動したとはみなさない。"""

FIGHT_AFTER_MOVE: Final = Clause("SB-6.7")
"""A unit that moved may fight once afterwards, without being exhausted again; a unit that only explored in place
{explore_then_fight}, and any other exhausted unit may not.

移動したユニットは、その後に改めて消耗することなく1度戦闘できる。今いる地形を探索しただけのユニットは
{explore_then_fight}。その他の消耗したユニットは戦闘できない。"""

FIGHT_WITHOUT_MOVE: Final = Clause("SB-6.8")
"""An active unit may fight without moving, exhausting itself; this is not a move.

活動状態のユニットは、移動せずに消耗して戦闘できる。移動したとはみなさない。"""

NO_MOVE_AFTER_BATTLE: Final = Clause("SB-6.9")
"""After its battle a unit cannot move or explore in place in that turn.

戦闘をしたユニットは、そのターンはもう移動できず、今いる地形の探索もできない。"""

STEP_TO_NEIGHBOUR: Final = Clause("SB-6.10")
"""A step goes to an orthogonally adjacent square of the board.

1マスの移動は、盤面で上下左右に隣り合うマスへ行う。"""

ONE_UNIT_PER_SQUARE: Final = Clause("SB-6.11")
"""A square holds at most one unit, so no move ends on an occupied square; a move is blocked by {blocking}.

1マスにいられるユニットは1体だけで、ユニットのいるマスに移動を終えることはできない。移動の道をふさぐのは{blocking}。"""

FLYING_LEAP: Final = Clause("SB-6.12")
"""A flying unit may leap over squares occupied by non-flying units and must land on an empty square; it leaps over
{flying_leap}.

飛行ユニットは、飛行を持たないユニットのいるマスを飛び越え、空いたマスに降りられる。飛び越えるマスは{flying_leap}。"""

STEPS_FOLLOW_SP: Final = Clause("SB-6.13")
"""The number of steps follows {sp_recompute}.

進めるマスの数は、{sp_recompute}。"""

RESPONSES_TO_STEPS: Final = Clause("SB-6.14")
"""Responses may be used after the declaration of a move and after each step.

移動の宣言の後と1マス進むごとに、レスポンスを使える。"""

ACTIVE_TO_BEGIN: Final = Clause("SB-6.15")
"""Only an active unit can begin a move, an exploration in place or a battle without moving.

移動、今いる地形の探索、移動せずに行う戦闘は、活動状態のユニットだけが始められる。"""

SUMMON_SQUARE: Final = Clause("SB-6.16")
"""A monster skill puts its unit on {summon_site}.

モンスターのスキルは、{summon_site}にユニットを出す。"""

SUMMONED_STATE: Final = Clause("SB-6.17")
"""A summoned or created unit comes onto the board {summoned_unit_state}.

召喚・生成されたユニットは、{summoned_unit_state}で盤面に出る。"""

EXPLORED_FOR_GOOD: Final = Clause("SB-6.18")
"""An explored terrain is turned face up for good and has its effects from then on.

探索した地形は表向きのままになり、その時から効果を持つ。"""

RESTING: Final = Clause("SB-6.19")
"""A resting unit cannot begin a move, explore in place, fight or pay T; {resting_may_counter}.

休息状態のユニットは、移動、今いる地形の探索、戦闘を始めることも、Tを払うこともできず、{resting_may_counter}。"""

AT_LEAST_ONE_STEP: Final = Clause("SB-6.20")
"""A declared move makes at least one step if one is possible; after that it may be stopped at any time.

移動を宣言したら、可能なら少なくとも1マスは進み、その後はいつでも止まれる。"""

SUMMONING_IS_NOT_ENTERING: Final = Clause("SB-6.21")
"""A unit that is summoned, created or set up does not enter its square: it explores nothing and sets off no enter
trigger.

召喚・生成・最初の配置でマスに出たユニットは、そこに「乗った」とはみなさず、探索も、乗った時の誘発も起こさない。"""

# Battle

ONE_ATTACKER: Final = Clause("SB-7.1")
"""A battle is fought by one attacker, known from its beginning.

戦闘は1体の攻撃ユニットが行い、それは戦闘開始時に決まっている。"""

BATTLE_START_EFFECTS: Final = Clause("SB-7.2")
"""Battle-start effects happen first.

戦闘開始時の処理を最初に行う。"""

MELEE_REACH: Final = Clause("SB-7.3")
"""The attacker chooses a unit it can reach with line {melee_line}.

攻撃ユニットは、ライン{melee_line}で届くユニットを攻撃対象に選ぶ。"""

FLYING_OUT_OF_REACH: Final = Clause("SB-7.4")
"""A unit without flying cannot attack a flying unit.

飛行を持たないユニットは、飛行ユニットを攻撃できない。"""

COUNTER: Final = Clause("SB-7.5")
"""If the target is active, or is resting and may counter, its controller may exhaust it to counter.

攻撃対象が活動状態なら、また休息状態でも反撃できるなら、そのコントローラーは攻撃対象を消耗させて反撃できる。"""

DAMAGE_IS_AT: Final = Clause("SB-7.6")
"""The damage is determined: the AT of the one who strikes.

与えるダメージは、攻撃や反撃をする側のATの値に決まる。"""

DESTROYED_AT_DF: Final = Clause("SB-7.7")
"""A non-hero unit whose damage reaches its DF is destroyed; {damage_model}.

ヒーロー以外のユニットは、ダメージがDF以上になると破壊される。ダメージは{damage_model}。"""

ATTACKER_DAMAGED: Final = Clause("SB-7.8")
"""If there was a counter the attacker is dealt damage too, with the same consequence.

反撃があれば、攻撃ユニットにもダメージを与え、同じように破壊を確かめる。"""

COUNTER_IGNORES_FLYING: Final = Clause("SB-7.9")
"""Countering does not depend on who has flying, unless the attack is ranged and the rule for that asks for it.

遠隔攻撃に反撃する条件に含まれる場合を除き、反撃できるかどうかに飛行の有無は関係ない。"""

BATTLE_END_EFFECTS: Final = Clause("SB-7.10")
"""After battle-end effects play returns to the phase that called the battle.

戦闘終了時の処理の後、戦闘を始めたフェイズに戻る。"""

ENEMIES_ATTACKED: Final = Clause("SB-7.11")
"""Only enemy units can be attacked.

攻撃できるのは敵のユニットだけ。"""

DAMAGE_AT_ONCE: Final = Clause("SB-7.12")
"""Attack and counter damage are dealt at the same time.

攻撃と反撃のダメージは、同時に与える。"""

FIGHTS_PER_TURN: Final = Clause("SB-7.13")
"""How often a unit may fight as attacker in a turn: {fights_per_turn}.

各ユニットが攻撃ユニットとして戦闘できるのは、1ターンに{fights_per_turn}度まで。"""

RANGED_REACH: Final = Clause("SB-7.14")
"""A ranged X unit may attack a unit up to line X away.

遠隔攻撃Xを持つユニットは、ラインX以内のユニットを攻撃できる。"""

ALWAYS_RANGED: Final = Clause("SB-7.15")
"""Every normal attack of a ranged unit is a ranged attack, even at distance 1.

遠隔攻撃を持つユニットの通常攻撃は、隣のマスへのものも全て遠隔攻撃となる。"""

RANGED_HITS_FLYING: Final = Clause("SB-7.16")
"""A ranged attack may be made against flying units.

遠隔攻撃は、飛行ユニットに対しても行える。"""

RANGED_COUNTER: Final = Clause("SB-7.17")
"""A ranged attack can be countered only by a target {ranged_counter}.

遠隔攻撃に反撃できるのは、{ranged_counter}攻撃対象だけ。"""

PAIRING_BROKEN: Final = Clause("SB-7.18")
"""If attacker or target has gone when damage is determined, nobody is dealt battle damage; if the target is only no
longer legal, {attack_target_moved}.

ダメージを決める時に攻撃ユニットか攻撃対象がいなくなっていれば、どちらも戦闘のダメージを受けない。攻撃対象が適切でなくな
っただけなら、{attack_target_moved}。"""

HERO_HP: Final = Clause("SB-7.19")
"""A hero has HP instead of DF; damage on it accumulates.

ヒーローはDFの代わりにHPを持ち、受けたダメージは累積する。"""

DESTROYED_TO_GRAVEYARD: Final = Clause("SB-7.20")
"""A destroyed unit's card goes to its owner's graveyard.

破壊されたユニットのカードは、持ち主の墓地へ行く。"""

BATTLE_WITHOUT_TARGET: Final = Clause("SB-7.21")
"""If after the battle-start effects the attacker is gone or can reach no legal target, the battle ends without a
target; the attacker has fought.

戦闘開始時の処理の後、攻撃ユニットがいないか適切な攻撃対象に届かなければ、そのまま戦闘を終える。攻撃ユニットは戦闘をした
ものとみなす。"""

# Ranges

LINE: Final = Clause("SB-8.1")
"""Line X selects a square (or a target on it) that can be reached by at most X steps; the path {line_path}.

ラインXでは、Xマス以内の移動で届くマス、またはそこにいる対象を選べる。経路は、{line_path}。"""

NO_DIAGONALS: Final = Clause("SB-8.2")
"""There are no diagonal steps.

斜めの概念は無い。"""

OBSTRUCTED: Final = Clause("SB-8.3")
"""Without piercing a path ends at the first square with a unit; that square is then the selected one.

貫通が無ければ、経路は最初にユニットのいるマスで終わり、そこが選ばれる。"""

PIERCING: Final = Clause("SB-8.4")
"""With piercing a path passes anything. All squares of the path other than the start and the target are pierced
squares.

貫通があれば、経路は何でも通り抜ける。経路のうち、始点と対象を除く全てのマスが「貫通したマス」となる。"""

START_IN_RANGE: Final = Clause("SB-8.5")
"""The start square, and a unit on it, belongs to the range (0 steps); it does not use up a step.

開始地点のマスとそこにいるユニットも射程に含む（0マス）。開始地点は、Xマスの内に数えない。"""

AREA: Final = Clause("SB-8.6")
"""Area X is every square reachable by line X with piercing, normally with the start square.

エリアXは、貫通のあるラインXで届く全てのマス。通常は始点も含む。"""

ONLY_UNITS_OBSTRUCT: Final = Clause("SB-8.7")
"""Only units obstruct a line; terrains, binds and face-down cards do not; allies obstruct like enemies.

ラインをふさぐのはユニットだけで、味方も敵も同じ。地形・バインド・裏向きのカードはふさがない。"""

DECLARED_PATH: Final = Clause("SB-8.8")
"""A declared path consists of neighbouring squares without repetition, leads from the start to the target, and is given
exactly when the card or attack uses pierced squares; the start square never obstructs.

宣言する経路は、始点から対象まで、隣り合うマスを重複なくたどる。宣言するのは、カードや攻撃が「貫通したマス」を使う時だ
け。始点は経路をふさがない。"""

# Zones and information

GRAVEYARD_TOP_PUBLIC: Final = Clause("SB-9.1")
"""Of a graveyard only the top card is public.

墓地のカードは、一番上の1枚だけを公開する。"""

COST_COUNTED_FACE_DOWN: Final = Clause("SB-9.2")
"""Cards paid as cost may be counted face down and then turned up together.

コストとして払うカードは、裏向きのまま数え、後でまとめて表向きにしてよい。"""

REMOVED_HIDDEN: Final = Clause("SB-9.3")
"""Cards removed by charging are not public.

チャージで除外されたカードは非公開。"""

OWNER_LOOKS: Final = Clause("SB-9.4")
"""The owner may look through its own graveyard and removed cards at any time without changing their order.

持ち主は、順序を変えなければ、自分の墓地と除外されたカードをいつでも見てよい。"""

REVEALED_FOR_EFFECT: Final = Clause("SB-9.5")
"""A card with an effect on going to the graveyard or being removed must be revealed when that happens, and the effect
occurs; which way of going there counts is said by the card.

墓地に落ちた時や除外された時に効果のあるカードは、その時に公開し、効果を発揮する。どのような落ち方で働くかは、カードに書
かれている。"""

TOKENS_REMOVED: Final = Clause("SB-9.6")
"""What an effect creates is a token, not a card; on leaving the board in any way it is removed from the game.

効果で生成されたものはカードではなくトークンで、どのような形でも盤面を離れたらゲームから除外される。"""

GRAVEYARD_ORDER: Final = Clause("SB-9.7")
"""Of cards put from a book into the graveyard one after another the {mill_order} one lies on top; other cards arriving
together are ordered by their owner.

ブックから続けて墓地に送ったカードは、{mill_order}の1枚が一番上になる。他の理由で同時に墓地へ来たカードの順番は、持ち主
が決める。"""

TABLE_PUBLIC_HAND_SECRET: Final = Clause("SB-9.8")
"""The skill table is public, the hand is secret.

スキルテーブルは公開、手札は非公開。"""

GRAVEYARD_SHOWN: Final = Clause("SB-9.9")
"""A player may show cards of its own graveyard voluntarily.

自分の墓地のカードを、自分から見せてもよい。"""

REMOVED_IN_PUBLIC: Final = Clause("SB-9.10")
"""A card removed from the game by a card's text while it was public stays public.

公開されている時に、カードの記述によってゲームから除外されたカードは、公開のままにする。"""

# Keywords and kinds of skill

FLYING: Final = Clause("SB-10.1")
"""Flying: may leap over non-flying units, is not normally attacked by non-flying units, explores as it likes, may
ignore terrain effects.

飛行は、飛行を持たないユニットを飛び越え、通常は飛行を持たないユニットから攻撃されず、探索するかどうかを選べ、地形の効果
を無視できる。"""

TERRAIN_IGNORED: Final = Clause("SB-10.2")
"""A flying unit that enters (or is summoned onto) a face-up terrain may ignore the continuous effects of that terrain
while it stays; the boon is not such an effect.

表向きの地形に乗った（または召喚された）飛行ユニットは、そこにいる間、その地形の常在効果を無視してよい。恩恵はその効果に
含まない。"""

NOT_IGNORED: Final = Clause("SB-10.3")
"""Triggered and activated effects of a terrain cannot be ignored.

地形の誘発効果と起動効果は無視できない。"""

EXPLORER_SUBJECT: Final = Clause("SB-10.4")
"""A flying unit that explores the terrain itself is subject to it like any other unit.

飛行ユニットも、自ら探索した地形の効果は、通常のユニットと同じく受ける。"""

RECALL: Final = Clause("SB-10.5")
"""Recall puts a non-hero unit from the board back to its owner, normally into the hand.

送還は、ヒーロー以外のユニットを盤面から持ち主の元へ戻す。通常は手札へ戻す。"""

RECALL_OVERFLOW: Final = Clause("SB-10.6")
"""If neither hand nor table has room, the owner sends the recalled unit, its hand card or a table card to the
graveyard.

手札にもテーブルにも空きが無ければ、持ち主は、送還されたユニット・手札・テーブルのカードのうち1枚を墓地に送る。"""

HEROES_NOT_RECALLED: Final = Clause("SB-10.7")
"""A hero cannot be recalled.

ヒーローは送還されない。"""

TELEPORT_DESPITE_BAN: Final = Clause("SB-10.8")
"""A teleport works on a unit that is forbidden to move.

移動を禁止されたユニットも転移できる。"""

TELEPORT_SKIPS_WAY: Final = Clause("SB-10.9")
"""A teleport disregards everything between: no exploring and no terrain effect on the way, even for flying units.

転移は途中の全てを無視する。飛行ユニットであっても、途中の地形を探索できず、その効果も受けない。"""

TELEPORT_IS_ONE: Final = Clause("SB-10.10")
"""A teleport of n squares is one displacement, not n.

nマスの転移は、1マスの転移をn回ではなく、nマスの転移を1回行う。"""

TELEPORT_ARRIVAL: Final = Clause("SB-10.11")
"""A teleport ends on an empty square and does not exhaust the unit; {teleport_arrival}.

転移先は空いたマスで、転移したユニットは消耗しない。{teleport_arrival}。"""

BIND: Final = Clause("SB-10.12")
"""A bind is attached to one object when it resolves.

バインドは、解決した時に1つのオブジェクトに付く。"""

BINDS_UNLIMITED: Final = Clause("SB-10.13")
"""One unit may carry any number of binds.

1つのユニットに、何枚でもバインドできる。"""

BIND_FALLS: Final = Clause("SB-10.14")
"""When its object leaves the board a bind goes to its owner's graveyard.

付いていたオブジェクトが盤面を離れたら、バインドは持ち主の墓地へ行く。"""

AURA: Final = Clause("SB-10.15")
"""An aura is paid for and installed on one's own table.

オーラは、コストを払って自分のテーブルに設置する。"""

AURA_ROOM: Final = Clause("SB-10.16")
"""Without a free slot room must be made for an aura by sending an own table card to the graveyard; if that is
impossible the aura cannot be used.

テーブルに空きが無くてもオーラを使うには、そこにある自分のカードを墓地に送って空きを作る。それができなければ使えない。
"""

AURA_SIDEWAYS: Final = Clause("SB-10.17")
"""An aura in force lies sideways, apart from the unused skills.

起動したオーラは、使っていないスキルと混ざらないように横向きに置く。"""

AURA_TAKES_SLOT: Final = Clause("SB-10.18")
"""An aura in force uses up a slot and affects the whole game as it says.

起動したオーラはテーブルの枠を1つ使い、書かれたとおりゲーム全体に効果を及ぼす。"""

AURA_DISCARDED: Final = Clause("SB-10.19")
"""A player may discard its own auras in its main phase.

自分のメインフェイズに、自分のオーラを破棄できる。"""

CURSE: Final = Clause("SB-10.20")
"""A curse is installed on the opponent's table.

呪いは、相手のテーブルに設置する。"""

CURSE_NEEDS_SLOT: Final = Clause("SB-10.21")
"""A curse cannot be installed without a free slot on the opponent's table.

相手のテーブルに空きが無ければ、呪いは設置できない。"""

CURSE_DISPELLED: Final = Clause("SB-10.22")
"""The cursed player may remove a curse in its main phase by paying the curse's cost.

設置された側は、自分のメインフェイズに、呪いが持つコストを払って呪いを解除できる。"""

CURSE_TAKES_SLOT: Final = Clause("SB-10.23")
"""A curse uses up a slot of the cursed player.

呪いは、設置された側のテーブルの枠を1つ使う。"""

CURSE_STAYS_ITS_OWNERS: Final = Clause("SB-10.24")
"""A curse stays its caster's card; the cursed player cannot discard it otherwise, and it goes to its owner's graveyard.

呪いは使った側のカードのままで、設置された側は解除せずに捨てることができない。離れる時は持ち主の墓地へ行く。"""

DISCARDED_AURA_TO_GRAVEYARD: Final = Clause("SB-10.25")
"""A discarded aura goes to its owner's graveyard.

破棄したオーラは、持ち主の墓地へ行く。"""

BIND_ON_FACE_DOWN: Final = Clause("SB-10.26")
"""A bind on a terrain that is turned face down stays attached, without effect until the terrain is face up again.

裏向きにされた地形のバインドは付いたままで、再び表向きになるまで効果を持たない。"""

# Order of play (recording)

DECIDER_ACTS: Final = Clause("SB-11.1")
"""Only the player who has the current decision may act.

行動できるのは、今決める番のプレイヤーだけ。"""

DECISION_FIRST: Final = Clause("SB-11.2")
"""A pending decision must be answered before anything else.

求められている選択には、他の何よりも先に答える。"""

EXISTING_AND_USABLE: Final = Clause("SB-11.3")
"""An action names only existing things the player may use for it.

行動で指定できるのは、実在し、そのプレイヤーが使えるものだけ。"""

CHANCE_RECORDED: Final = Clause("SB-11.4")
"""Every random result is recorded as an event when it is asked for, and must be a possible one.

偶然の結果は、求められた時に全て記録する。記録できるのは、起こり得る結果だけ。"""
