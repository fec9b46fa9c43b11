"""The clauses of BlackPoker, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# Scope, cards, numbers

TWO_PLAYERS: Final = Clause("BP-1.1")
"""The game is for two players, each with an own deck.

二人で対戦し、各自が自分のデッキを使う。"""

DECK_LIMITS: Final = Clause("BP-1.2")
"""A deck holds each pair of suit and rank at most once, and at most {deck.jokers_max} Jokers.

デッキに入れられるのは、同じスートと数字のカードは一枚ずつ、Jokerは{deck.jokers_max}枚まで。"""

CARD_NUMBERS: Final = Clause("BP-1.3")
"""As numbers A counts 1, 2 to 10 as printed, J 11, Q 12, K 13 and a Joker 0.

数字は、Aを1、2〜10を表示の通り、Jを11、Qを12、Kを13、Jokerを0と数える。"""

REGULATION: Final = Clause("BP-1.4")
"""A match is played under a regulation, a format with a frame: here Lite with {frame}.

対戦レギュレーションはフォーマットとフレームの組で決まる。ここではライトと{frame}。"""

DECK_LIST: Final = Clause("BP-1.5")
"""A deck consists of exactly the cards that its frame lists.

デッキはフレームが定めるカードとちょうど一致しなければならない。"""

OWNERS_ZONES: Final = Clause("BP-1.6")
"""A card that goes to a grave, hand, life or fog goes to the one of its owner's side.

墓地・手札・ライフ・フォグへ移るカードは、必ずオーナー側の領域に移る。"""

UNLISTED: Final = Clause("BP-1.7")
"""An item that an action does not list (cost, key card, target, choice) does not exist for it and cannot be given.

アクションに書かれていない項目（コスト・キーカード・対象・選択）は無いものとし、指定できない。"""

HEADER: Final = Clause("BP-1.8")
"""An action's header gives its trigger, speed and timing, its cost ($) and its key cards (★); ☆ says which cards make a
unit.

アクションの見出しは、トリガー・スピード・タイミング、コスト($)、キーカード(★)を示し、☆はユニットとなるカードを示す。"""

IN_FORMAT: Final = Clause("BP-1.9")
"""Only actions of the format and frame in play can be requested.

フォーマットとフレームに無いアクションは起こせない。"""

FULL_DECK: Final = Clause("BP-1.10")
"""The test frame Full54 uses all fifty-four cards, each suit and rank once and two Jokers.

試験用フレームのフル54は、Joker二枚を含む五十四枚全てを使う。"""

# Zones and disclosure

ZONES: Final = Clause("BP-2.1")
"""Each player has a life, a hand, a field, a fog and a grave; both share the stage.

ライフ・手札・場・フォグ・墓地は各プレイヤーが持ち、ステージは共用する。"""

LIFE_PILE: Final = Clause("BP-2.2")
"""Life is an ordered face-down pile; cards leave it from the top unless an effect says otherwise.

ライフは裏向きの山で順番を持ち、効果に別の指示が無ければ上から減る。"""

GRAVE_PILE: Final = Clause("BP-2.3")
"""A grave is a face-up pile: its top card is public, the others may be looked at by its owner only.

墓地は表向きの山で、一番上だけが完全公開、残りはオーナーだけが見られる。"""

HAND_COUNTED: Final = Clause("BP-2.4")
"""The number of cards in a hand is public, their faces are known to its owner only.

手札は枚数が完全公開で、中身は持ち主だけが知る。"""

FIELD_FACES: Final = Clause("BP-2.5")
"""Face-up cards on the field are public; a face-down card is known to its owner only, but for what the preset showed.

場の表向きのカードは完全公開。裏向きのカードは、プリセットで見せたものを除きオーナーだけが知る。"""

FOG_OPEN: Final = Clause("BP-2.6")
"""Fog cards lie face up and are public.

フォグのカードは表向きで、完全公開。"""

STAGE_OPEN: Final = Clause("BP-2.7")
"""A request on the stage shows its action, key cards and targets to all.

ステージ上のリクエストは、アクション・キーカード・対象の全てが完全公開。"""

LIFE_COUNT: Final = Clause("BP-2.8")
"""Below {life.public_threshold} life cards the exact count is public; from there on '{life.public_threshold} or more'
is enough of an answer.

ライフが{life.public_threshold}枚未満なら正確な枚数が完全公開。それ以上なら「{life.public_threshold}枚以上」と答えれば足
りる。"""

GRAVE_TOP: Final = Clause("BP-2.9")
"""Of cards that go to a grave together {grave_top} becomes the visible top; older cards are not shown again.

同時に墓地へ移ったカードのうち{grave_top}が一番上になり、以前のカードは再び見せない。"""

BULWARK_ROW: Final = Clause("BP-2.10")
"""A new bulwark is put at the end of the row, the row being closed up towards life; bulwarks never swap places.

防壁はライフ側から詰めて端に置き、順番を入れ替えない。"""

TRUTHFUL: Final = Clause("BP-2.11")
"""A player asked for public information answers truthfully.

完全公開の情報を聞かれたプレイヤーは正しく答える。"""

UNIT_AS_ONE: Final = Clause("BP-2.12")
"""A unit of several cards moves, turns and dies as one.

複数枚のユニットは一体としてまとめて動く。"""

# Set-up

DECKS_SHUFFLED: Final = Clause("BP-3.1")
"""Each deck is shuffled.

各自のデッキを切りなおす。"""

DECK_TO_LIFE: Final = Clause("BP-3.2")
"""The shuffled deck becomes its owner's life, face down.

切りなおしたデッキを裏向きのままライフとする。"""

OPENING_HAND: Final = Clause("BP-3.3")
"""Each player takes the top {setup.hand_size} life cards as the opening hand.

各プレイヤーはライフの上から{setup.hand_size}枚を最初の手札とする。"""

PRESET_BULWARK: Final = Clause("BP-3.4")
"""The life card after the opening hand becomes a charged bulwark, the preset bulwark, which {preset.bulwark_face}.

最初の手札の次の一枚をチャージ状態の防壁として置く（プリセット）。この防壁は{preset.bulwark_face}。"""

PRESET_SOLDIER: Final = Clause("BP-3.5")
"""The life card after the preset bulwark becomes a charged, face-up soldier, the preset soldier.

プリセットの防壁の次の一枚を、表向きかつチャージ状態の兵士として置く（プリセット）。"""

PRESET_RETRIED: Final = Clause("BP-3.6")
"""A preset card that cannot be a soldier of the format goes to the grave and the next one is tried; whoever runs out of
life this way loses.

プリセットで兵士になれないカードは墓地に移し、次の一枚で試す。これでライフが尽きたプレイヤーは負ける。"""

HIGHER_GOES_FIRST: Final = Clause("BP-3.7")
"""To find the first player both turn up their top life card; the higher number goes first.

先攻を決めるため、互いにライフの一番上を表にし、数字の大きい方が先攻となる。"""

TIE_REPEATS: Final = Clause("BP-3.8")
"""If these numbers are equal both turn up the next card and compare only that; if a life has run out a coin decides.

先攻を決める数字が同じなら次の一枚だけで比べ直し、ライフが尽きていればコイントスで決める。"""

TURNED_UP_TO_GRAVE: Final = Clause("BP-3.9")
"""All cards turned up to find the first player go to their owners' graves.

先攻を決めるために表にしたカードは全てオーナーの墓地に移す。"""

FIRST_PLAYER_DRAWS: Final = Clause("BP-3.10")
"""The first player then draws {setup.first_player_draw} from the top of life; the other player draws none.

先攻だけがライフから{setup.first_player_draw}枚引く。"""

FIRST_TURN: Final = Clause("BP-3.11")
"""The first player holds the first turn and the chance.

先攻が最初のターンとチャンスを持つ。"""

NO_FIRST_DRAW: Final = Clause("BP-3.12")
"""No Charge and no Draw precede the first turn.

最初のターンの前にチャージとドローは無い。"""

QUIET_SET_UP: Final = Clause("BP-3.13")
"""During set-up nothing triggers and no win check is made, but for running out of life at the preset.

準備中は、プリセットでライフが尽きた場合を除き、誘発も勝敗判定も無い。"""

# Turn, chance, stage

ONE_TURN_PLAYER: Final = Clause("BP-4.1")
"""The turn is a mark that exactly one player holds; there are no phases.

ターンは常に一人が持つ印であり、フェイズは無い。"""

HOLDS_CHANCE: Final = Clause("BP-4.2")
"""Only the holder of the chance may request an action or pass.

アクションを起こすこととパスは、チャンスを持つプレイヤーだけができる。"""

CHANCE_STAYS: Final = Clause("BP-4.3")
"""The holder of the chance may go on requesting; once a normal request is on the stage {chance.after_request}.

チャンスを持つ間は何度でもアクションを起こせる。通常のリクエストをステージに置いた後、{chance.after_request}。"""

MAIN_TIMING: Final = Clause("BP-4.4")
"""A main action can be requested in one's own turn only, while the stage is empty.

メインのアクションは、自分のターンでステージが空の時だけ起こせる。"""

QUICK_TIMING: Final = Clause("BP-4.5")
"""A quick action needs nothing but the chance.

クイックのアクションは、チャンスさえあればいつでも起こせる。"""

PASSES_CLEARED: Final = Clause("BP-4.6")
"""When a player makes a request the pass record is emptied.

プレイヤーがアクションを起こすと、パス記録は空になる。"""

PASS_RECORDED: Final = Clause("BP-4.7")
"""A pass is recorded; if the other player has not passed yet the chance moves there.

パスは記録され、相手がまだパスしていなければチャンスが相手に移る。"""

BOTH_PASSED: Final = Clause("BP-4.8")
"""When both players have passed the newest request on the stage resolves.

双方がパスすると、ステージの一番新しいリクエストを解決する。"""

CHANCE_TO_TURN_PLAYER: Final = Clause("BP-4.9")
"""After a resolution from the stage {pass_record.reset} and the turn player holds the chance.

ステージのリクエストを解決した後は、{pass_record.reset}、ターンプレイヤーがチャンスを持つ。"""

EMPTY_STAGE_ROUND: Final = Clause("BP-4.10")
"""When both have passed on an empty stage nothing resolves: {pass_record.reset} and the turn player holds the chance.

ステージが空のまま双方がパスした時は何も解決せず、{pass_record.reset}、ターンプレイヤーがチャンスを持つ。"""

LAST_IN_FIRST_OUT: Final = Clause("BP-4.11")
"""The stage is last in, first out, with one resolution per round of passes.

ステージは後から置いたものが先で、双方のパスごとに一つだけ解決する。"""

SPEED: Final = Clause("BP-4.12")
"""A normal request waits on the stage; an immediate one resolves at once, never enters the stage and cannot be
answered.

通常のリクエストはステージで待つ。即時のリクエストはステージに置かれずその場で解決し、割り込めない。"""

CHANCE_STAYS_AFTER_IMMEDIATE: Final = Clause("BP-4.13")
"""After an immediate request of a player that player still holds the chance.

即時のアクションを起こした後も、チャンスは起こしたプレイヤーに残る。"""

NOT_BY_PLAYERS: Final = Clause("BP-4.14")
"""A triggered action requests itself; no player can request it.

誘発のアクションをプレイヤーが起こすことはできない。"""

CHOICE_OPEN: Final = Clause("BP-4.15")
"""While a choice is open only the asked player may act, by answering it; while an outcome of chance is awaited nobody
may; conceding stays possible.

選択待ちの間は、問われたプレイヤーが答えることしかできない。偶然の結果を待つ間は誰も動けない。投了だけはいつでもできる。
"""

LIMITS_RESET: Final = Clause("BP-4.16")
"""A limit per turn counts requests and starts anew when the turn changes hands.

ターンごとの回数制限は起こした回数で数え、ターンが移ると数え直す。"""

NOTHING_ASKED: Final = Clause("BP-4.17")
"""A choice that nobody was asked for cannot be answered.

求められていない選択に答えることはできない。"""

CHANCE_OUTCOME: Final = Clause("BP-4.18")
"""An outcome of chance is recorded once when it is asked for, must be a possible one, and is never drawn again on
replay.

偶然の結果は求められた時に一度だけ記録する。起こり得るものでなければならず、再生時に引き直さない。"""

# Requesting

ONE_ACT: Final = Clause("BP-5.1")
"""A request is announced, its cost paid, its key cards put out and its targets named, in this order and as one act.

アクションは、宣言、コストの支払い、キーカードの提示、対象の指定の順に、一続きの行為として起こす。"""

ALL_OR_NOTHING: Final = Clause("BP-5.2")
"""If any part of this cannot be done the request is not made and nothing changes.

一つでもできないことがあれば起こせず、何も変わらない。"""

COST_BULWARK: Final = Clause("BP-5.3")
"""Each B is paid by driving one of one's own charged bulwarks; exactly as many are named as there are Bs.

Bは、自分のチャージ状態の防壁一体をドライブして支払う。指定する防壁はBの数とちょうど同じ。"""

COST_LIFE: Final = Clause("BP-5.4")
"""Each L is paid by taking 1 damage, so a life card is needed; the last life card {cost.last_life}.

Lは1点ダメージを受けて支払うため、ライフが要る。最後の一枚は{cost.last_life}。"""

COST_DISCARD: Final = Clause("BP-5.5")
"""Each D is paid by discarding one card from the hand; exactly as many are named as there are Ds.

Dは、手札を一枚捨てて支払う。指定するカードはDの数とちょうど同じ。"""

PAID_ONCE: Final = Clause("BP-5.6")
"""A card or bulwark pays for one cost letter only, and a discarded card is not also a key card.

一枚のカード・一体の防壁で払えるコストは一つだけで、捨てるカードはキーカードを兼ねられない。"""

KEYS_IN_HAND: Final = Clause("BP-5.7")
"""Key cards come from the hand and stay with the request until it ends.

キーカードは手札から出し、リクエストが終わるまで共に置く。"""

KEYS_MATCH: Final = Clause("BP-5.8")
"""Key cards match the stated number of cards, suits and numbers exactly.

キーカードは、定められた枚数・スート・数字の通りでなければならない。"""

TARGET_THERE: Final = Clause("BP-5.9")
"""An action that needs a target can be requested only by naming one that is there.

対象を取るアクションは、実在する対象を指定しなければ起こせない。"""

NOT_ITSELF: Final = Clause("BP-5.10")
"""A request cannot be its own target.

リクエストは自分自身を対象にできない。"""

EITHER_PLAYERS: Final = Clause("BP-5.11")
"""A target that is named without 'own' or 'opponent' may belong to either player.

「自分の」「対戦相手の」と書かれていない対象は、どちらのプレイヤーのものでもよい。"""

COSTS_STAY_PAID: Final = Clause("BP-5.12")
"""A cost once paid is never returned.

支払ったコストは戻らない。"""

PAYING_IS_NO_CHECK: Final = Clause("BP-5.13")
"""As payment of L the last life card {cost.last_life}.

Lを支払う時、最後のライフは{cost.last_life}。"""

CONTROLLER: Final = Clause("BP-5.14")
"""The controller of a request is whoever made it; 'own' and 'opponent' are read from there.

リクエストのコントローラーは起こしたプレイヤーで、「自分」「対戦相手」はその側から読む。"""

FIRST_FAILURE: Final = Clause("BP-5.15")
"""If several conditions fail, the refusal cites the first in the order in which they are looked at.

満たさない条件が複数ある時は、調べる順で最初のものを理由として示す。"""

# Resolution, win check, triggers

RESOLVED: Final = Clause("BP-6.1")
"""To resolve a request: check its target, carry out its effect, take it off the stage, send its key cards to the grave.

解決は、対象の確認、効果、ステージから取り除く、キーカードを墓地に移す、の順に行う。"""

TARGET_GONE: Final = Clause("BP-6.2")
"""If the target is gone or was split, the effect is skipped and the request still counts as resolved.

対象が失われたか分かれた時は効果を飛ばし、それでも解決したものとする。"""

AS_FAR_AS_POSSIBLE: Final = Clause("BP-6.3")
"""Of an effect the possible parts are done and the impossible ones skipped.

効果はできる部分だけ行い、できない部分は飛ばす。"""

STAYS_ON_STAGE: Final = Clause("BP-6.4")
"""While its effect runs the request is still on the stage.

効果を行う間、リクエストはまだステージにある。"""

KEYS_TO_GRAVE: Final = Clause("BP-6.5")
"""Key cards go to their owner's grave unless the effect put them elsewhere.

キーカードは、効果が別の場所に置いたものを除き、オーナーの墓地に移す。"""

NULLIFIED: Final = Clause("BP-6.6")
"""A nullified request leaves the stage, its key cards go to the grave, and it does not count as resolved.

無効にされたリクエストはステージから除き、キーカードを墓地に移す。解決したことにはならない。"""

WIN_CHECK: Final = Clause("BP-6.7")
"""After every resolution a win check is made.

解決のたびに勝敗判定を行う。"""

TRIGGER_CHECK: Final = Clause("BP-6.8")
"""A trigger check follows every request made, every push on the stage and every resolution.

アクションを起こす、ステージに置く、解決する、そのたびに誘発チェックを行う。"""

TRIGGER_ORDER: Final = Clause("BP-6.9")
"""A trigger check takes immediate requests before normal ones, the turn player's before the other's, main before quick.

誘発チェックでは、即時を通常より先に、ターンプレイヤーを相手より先に、メインをクイックより先に処理する。"""

ORDER_CHOSEN: Final = Clause("BP-6.10")
"""A player with several different triggered requests of one class says which of them comes first.

同じ組に異なる誘発リクエストを複数持つプレイヤーは、その中から先にするものを選ぶ。"""

TRIGGER_STAGED: Final = Clause("BP-6.11")
"""A triggered normal main request is staged only on an empty stage, else discarded; a quick one is always staged. Once
one is staged {chance.after_trigger}.

誘発した通常・メインのリクエストは、ステージが空の時だけ置かれ、空でなければ消える。クイックなら必ず置かれる。置かれた
後、{chance.after_trigger}。"""

TRIGGERS_JOIN: Final = Clause("BP-6.12")
"""What triggers meanwhile joins the same trigger check until none is left.

途中で誘発したものも、無くなるまで同じ誘発チェックで処理する。"""

TRIGGER_CONTROLLER: Final = Clause("BP-6.13")
"""The controller of a triggered request is the turn player for Charge, Draw and Damage judge, for Block
{block.controller}, for Next generation the player whose field the card left.

誘発リクエストのコントローラーは、チャージ・ドロー・ダメージ判定ならターンプレイヤー、ブロックなら{block.controller}、世
代交代ならカードが場を離れたプレイヤー。"""

CHOSEN_AT_RESOLUTION: Final = Clause("BP-6.14")
"""Choices inside an effect are made at resolution and by the controller, unless the effect says otherwise.

効果の中の選択は、別の指示が無ければ、解決時にコントローラーが行う。"""

DAMAGE: Final = Clause("BP-6.15")
"""Each point of damage moves one card from the top of life to the grave; the cards need not be shown.

ダメージ1点につき、ライフの一番上から一枚を墓地に移す。中身を見せる必要は無い。"""

DAMAGE_BEYOND_LIFE: Final = Clause("BP-6.16")
"""Damage beyond the remaining life takes what is there.

残りのライフを超えるダメージは、ある分だけを移す。"""

ONLY_PLAYERS_DAMAGED: Final = Clause("BP-6.17")
"""Only players take damage, characters never do.

ダメージを受けるのはプレイヤーだけで、キャラクターは受けない。"""

TURN_PLAYER_ANSWERS_FIRST: Final = Clause("BP-6.18")
"""If one step asks both players something the turn player answers first; before the first turn it is the first player.

一つの手順で両者に問う時は、ターンプレイヤー（最初のターンの前は先攻）が先に答える。"""

# Basic actions

END: Final = Clause("BP-7.1")
"""End is requested directly, normal, main, without cost, key card or target.

エンドは直接・通常・メイン。コスト・キーカード・対象は無い。"""

END_DISCARDS: Final = Clause("BP-7.2")
"""End first makes its controller discard down to {hand.limit} cards if the hand holds more.

エンドではまず、手札が{hand.limit}枚を超えるコントローラーが、ちょうど{hand.limit}枚になるように捨てる。"""

END_CLEARS_FOG: Final = Clause("BP-7.3")
"""After discarding, End moves fog cards to their owners' graves: {fog.end_scope}.

エンドでは捨てた後、フォグのカードをオーナーの墓地に移す。すなわち、{fog.end_scope}。"""

END_TURN_PASSES: Final = Clause("BP-7.4")
"""Last of all, End passes the turn to the opponent.

エンドの最後に、ターンを対戦相手に渡す。"""

CHARGE: Final = Clause("BP-7.5")
"""Charge triggers for the new turn player when End has resolved; it is immediate and main.

チャージは、エンドが解決した時に新しいターンプレイヤーに誘発する。即時・メイン。"""

CHARGE_ALL: Final = Clause("BP-7.6")
"""Charge sets every character of the turn player to charged.

チャージは、ターンプレイヤーの全てのキャラクターをチャージ状態にする。"""

DRAW: Final = Clause("BP-7.7")
"""Draw triggers for the turn player when Charge has resolved; it is normal and main.

ドローは、チャージが解決した時にターンプレイヤーに誘発する。通常・メイン。"""

DRAW_FIRST: Final = Clause("BP-7.8")
"""Draw: its controller takes {draw.mode} to hand; the fixed number is {draw.mandatory}, low life is {draw.low_life} or
fewer.

ドローでは、コントローラーが{draw.mode}手札に加える。定数は{draw.mandatory}枚、ライフ僅少は{draw.low_life}枚以下。"""

DRAW_SECOND: Final = Clause("BP-7.9")
"""After a fixed number of cards the controller of Draw may take up to {draw.optional} more; after two or one there is
no choice.

定数を引いた後、ドローのコントローラーは望めばさらに{draw.optional}枚まで引ける。二枚か一枚を引く形なら選択は無い。"""

ATTACK: Final = Clause("BP-7.10")
"""Attack is requested directly, normal, main, without cost, key card or target.

アタックは直接・通常・メイン。コスト・キーカード・対象は無い。"""

ATTACK_LIMIT: Final = Clause("BP-7.11")
"""A player's requests of Attack are limited to {attack.requests_per_turn} per turn.

各プレイヤーがアタックを起こせるのは、1ターンに{attack.requests_per_turn}回まで。"""

ATTACKER_LABEL: Final = Clause("BP-7.12")
"""The controller of Attack designates attackers {attack.designate}, each once, among own characters with the attacker
label.

アタックのコントローラーは{attack.designate}、<アタッカー>を持つ自分のキャラクターからアタッカーを指定する。同じものは二
度指定できない。"""

ATTACKER_CHARGED: Final = Clause("BP-7.13")
"""A driven character cannot be designated as attacker.

ドライブ状態のキャラクターはアタッカーに指定できない。"""

ATTACKERS_ANY: Final = Clause("BP-7.14")
"""Any number of attackers may be designated; {attack.empty}.

アタッカーは何体でも指定できる。{attack.empty}。"""

ATTACKER_ARRIVED: Final = Clause("BP-7.15")
"""A character that arrived this turn cannot be designated as attacker unless it has haste; newly arrived are
{sickness.model}; a preset soldier {preset.soldier_can_attack_turn1} in turn 1.

このターンに場に出たキャラクターは、<速攻>が無ければアタッカーに指定できない。出たばかりとするのは{sickness.model}。プリ
セットの兵士は最初のターンに{preset.soldier_can_attack_turn1}。"""

ATTACKERS_DRIVEN: Final = Clause("BP-7.16")
"""Designated attackers become driven.

指定されたアタッカーはドライブ状態になる。"""

BLOCK: Final = Clause("BP-7.17")
"""Block triggers when Attack has resolved {attack.empty_chain}; it is normal and main.

ブロックは、アタックが解決した時、{attack.empty_chain}誘発する。通常・メイン。"""

BLOCKERS: Final = Clause("BP-7.18")
"""When Block resolves the opponent of the turn player designates blockers among own characters for each attacker still
on the field; {block.mandatory}.

ブロックの解決時に、ターンプレイヤーの対戦相手が、場に残るアタッカーごとに自分のキャラクターからブロッカーを指定する。
{block.mandatory}。"""

BLOCKER_LABEL: Final = Clause("BP-7.19")
"""A blocker needs the blocker label.

ブロッカーに指定できるのは<ブロッカー>を持つキャラクターだけ。"""

SEVERAL_SOLDIERS_BLOCK: Final = Clause("BP-7.20")
"""One attacker may be blocked by several soldiers.

一体のアタッカーを複数の兵士でブロックできる。"""

BULWARK_ALONE: Final = Clause("BP-7.21")
"""Among the blockers of one attacker {block.mixed}.

一体のアタッカーをブロックする時、{block.mixed}。"""

BLOCKER_CHARGED: Final = Clause("BP-7.22")
"""A driven character cannot be designated as blocker.

ドライブ状態のキャラクターはブロッカーに指定できない。"""

BLOCKS_ONCE: Final = Clause("BP-7.23")
"""One character {block.exclusive}.

一体のキャラクターは{block.exclusive}。"""

BLOCKER_NOT_DRIVEN: Final = Clause("BP-7.24")
"""Blocking does not drive the blocker.

ブロックしてもブロッカーはドライブしない。"""

DAMAGE_JUDGE: Final = Clause("BP-7.25")
"""Damage judge triggers when Block has resolved; it is normal and main.

ダメージ判定は、ブロックが解決した時に誘発する。通常・メイン。"""

SMALLER_DIES: Final = Clause("BP-7.26")
"""Soldier against soldier: each side's {judge.compare} is compared and {judge.smaller_dies}.

兵士同士では{judge.compare}を比べ、{judge.smaller_dies}。"""

EQUAL_DIE: Final = Clause("BP-7.27")
"""In a combat of soldiers with both sides equal both go to the grave.

兵士同士で双方が同じなら、双方を墓地に移す。"""

BLOCKERS_ADD_UP: Final = Clause("BP-7.28")
"""Several blocking soldiers compare as one sum and share the outcome.

複数の兵士でブロックした時は合計で比べ、全員が同じ結果になる。"""

BULWARK_TURNED_UP: Final = Clause("BP-7.29")
"""Soldier against bulwark: the bulwark is turned up.

防壁がブロックした時は、その防壁を表にする。"""

JOKER_BULWARK: Final = Clause("BP-7.30")
"""A blocking bulwark that is a Joker sends the attacker to the grave.

ブロックした防壁がJokerなら、アタッカーを墓地に移す。"""

NUMBER_MATCHED: Final = Clause("BP-7.31")
"""A blocking bulwark whose printed number is among the attacker's cards sends the attacker to the grave.

ブロックした防壁の数字がアタッカーのカードの中にあれば、アタッカーを墓地に移す。"""

BULWARK_DIES: Final = Clause("BP-7.32")
"""A bulwark that blocked goes to the grave in every case.

ブロックした防壁は、いずれの場合も墓地に移す。"""

UNBLOCKED_DAMAGE: Final = Clause("BP-7.33")
"""An attacker deals damage equal to its {judge.compare} to the opponent if it {judge.unblocked_snapshot}; below 0
counts as 0.

{judge.unblocked_snapshot}アタッカーは、対戦相手に{judge.compare}と同じ点数のダメージを与える。0未満は0とする。"""

ATTACKER_GONE: Final = Clause("BP-7.34")
"""An attacker that has left the field does nothing, and its blockers stay.

場を離れたアタッカーは何もせず、そのブロッカーは場に残る。"""

ROLES_END: Final = Clause("BP-7.35")
"""The roles of attacker and blocker end when Damage judge has resolved; until then {combat.role_lost_by_stance}.

アタッカーとブロッカーの役割はダメージ判定が解決すると終わる。それまでの間、{combat.role_lost_by_stance}。"""

NEXT_GENERATION: Final = Clause("BP-7.36")
"""Next generation triggers once for each Joker, A, J, Q or K that goes from its owner's field to the grave; it is
immediate and quick.

世代交代は、Joker・A・J・Q・Kが自分の場から墓地に移るたびに、一枚につき一回誘発する。即時・クイック。"""

GENERATION_FOUND: Final = Clause("BP-7.37")
"""Next generation moves life cards one by one to the grave until a Joker, A, J, Q or K appears, which goes to hand.

世代交代では、Joker・A・J・Q・Kのいずれかが出るまでライフを上から墓地に移し、出たカードを手札に加える。"""

GENERATION_NOT_FOUND: Final = Clause("BP-7.38")
"""If Next generation finds none, all of life lies in the grave and no card is gained.

世代交代で一枚も出なければ、ライフは全て墓地に移り、手札は増えない。"""

ONLY_FROM_FIELD: Final = Clause("BP-7.39")
"""Cards that reach the grave from life, hand, stage or fog cause no next generation.

ライフ・手札・ステージ・フォグから墓地に移ったカードでは、世代交代は誘発しない。"""

NOBODY_TO_BLOCK: Final = Clause("BP-7.40")
"""If no attacker is left on the field when Block resolves nobody is asked; Block and Damage judge still resolve.

ブロックの解決時に場にアタッカーが残っていなければ何も問わず、ブロックとダメージ判定はそのまま解決する。"""

STEPS_TOGETHER: Final = Clause("BP-7.41")
"""The soldier step and the bulwark step of Damage judge each read the table at their own start and make all their moves
together; damage is then dealt attacker by attacker, as designated.

ダメージ判定の兵士同士と防壁の手順は、各々その始めの状態で判定し、まとめてカードを移す。その後アタッカーの指定順にダメー
ジを与える。"""

# Summons

SET_BULWARK: Final = Clause("BP-8.1")
"""Set bulwark is requested directly, immediate, main, at cost L, without key card or target.

防壁設置は直接・即時・メイン。コストはL、キーカードと対象は無い。"""

BULWARK_LIMIT: Final = Clause("BP-8.2")
"""A player's requests of Set bulwark are limited to {set_bulwark.requests_per_turn} per turn.

各プレイヤーが防壁設置を起こせるのは、1ターンに{set_bulwark.requests_per_turn}回まで。"""

BULWARK_PLACED: Final = Clause("BP-8.3")
"""By Set bulwark one card of its controller's hand enters the field as a charged, face-down bulwark.

防壁設置では、コントローラーの手札一枚を裏向きかつチャージ状態の防壁として場に出す。"""

SUMMON_SOLDIER: Final = Clause("BP-8.4")
"""Summon soldier is requested directly, normal, main, at cost BL, with one 2 to 10 as key card.

兵士召喚は直接・通常・メイン。コストはBL、キーカードは2〜10を一枚。"""

SOLDIER_ENTERS: Final = Clause("BP-8.5")
"""The key card of Summon soldier enters the field as a charged, face-up common soldier.

兵士召喚では、キーカードを表向きかつチャージ状態の一般兵として場に出す。"""

SUMMON_HERO: Final = Clause("BP-8.6")
"""Summon hero is requested directly, normal, main, at cost BBL, with one J, Q or K as key card, which enters as a
charged, face-up hero.

英雄召喚は直接・通常・メイン。コストはBBL、キーカードはJ・Q・Kを一枚で、これを表向きかつチャージ状態の英雄として場に出
す。"""

SUMMON_ACE: Final = Clause("BP-8.7")
"""Summon ace is requested directly, normal, main, at cost L, with one A as key card, which enters as a charged, face-up
ace.

エース召喚は直接・通常・メイン。コストはL、キーカードはAを一枚で、これを表向きかつチャージ状態のエースとして場に出す。
"""

EQUIP: Final = Clause("BP-8.8")
"""Equip is requested directly, normal, main, at cost BL, with one A to K as key card.

装備は直接・通常・メイン。コストはBL、キーカードはA〜Kを一枚。"""

EQUIP_TARGET: Final = Clause("BP-8.9")
"""The target of Equip is one own soldier of the key card's suit; {equip.consecutive}.

装備の対象は、キーカードと同じスートの自分の兵士一体。{equip.consecutive}。"""

EQUIPPED: Final = Clause("BP-8.10")
"""The key card of Equip is put on top of the target, which is then an armed soldier.

装備では、対象の上にキーカードを重ね、装備兵とする。"""

EQUIP_KEEPS: Final = Clause("BP-8.11")
"""An equipped unit {equip.stance} and {equip.arrival}.

装備したユニットは{equip.stance}、{equip.arrival}。"""

EQUIP_SAME_UNIT: Final = Clause("BP-8.12")
"""An equipped soldier stays the same unit; fogs on it go on counting.

装備した兵士は同じユニットのままで、掛かっているフォグも数え続ける。"""

EQUIP_AGAIN: Final = Clause("BP-8.13")
"""An armed soldier may be equipped again with a card of its suit.

装備兵にも、同じスートのカードをさらに装備できる。"""

# Quick magic

UP: Final = Clause("BP-9.1")
"""Up is requested directly, normal, quick, at cost D, with one ♡ A to 10 as key card.

アップは直接・通常・クイック。コストはD、キーカードは♡A〜10を一枚。"""

UP_TARGET: Final = Clause("BP-9.2")
"""The target of Up is one soldier of either player.

アップの対象は、いずれかのプレイヤーの兵士一体。"""

UP_GROWS: Final = Clause("BP-9.3")
"""Up raises the target's size by the key card's number for as long as fogs count (BP-12.4); the key card {fog.enabled}.

フォグを数える間(BP-12.4)、アップは対象のサイズをキーカードの数字だけ増やす。キーカードは{fog.enabled}。"""

DOWN: Final = Clause("BP-9.4")
"""Down is requested directly, normal, quick, at cost D, with one ♠ A to 10 as key card.

ダウンは直接・通常・クイック。コストはD、キーカードは♠A〜10を一枚。"""

DOWN_TARGET: Final = Clause("BP-9.5")
"""The target of Down is one soldier of either player.

ダウンの対象は、いずれかのプレイヤーの兵士一体。"""

DOWN_SHRINKS: Final = Clause("BP-9.6")
"""Down lowers the target's size by the key card's number for as long as fogs count (BP-12.4).

フォグを数える間(BP-12.4)、ダウンは対象のサイズをキーカードの数字だけ減らす。"""

DOWN_KILLS: Final = Clause("BP-9.7")
"""If Down leaves its target with a size of 0 or less the target goes to the grave.

ダウンで対象のサイズが0以下になれば、対象を墓地に移す。"""

DOWN_IN_FOG: Final = Clause("BP-9.8")
"""If Down leaves its target with a size above 0 the key card {fog.enabled}.

ダウンで対象のサイズが0以下にならなければ、キーカードは{fog.enabled}。"""

TWIST: Final = Clause("BP-9.9")
"""Twist is requested directly, normal, quick, at cost D, with one ♢ A to 10 as key card.

ツイストは直接・通常・クイック。コストはD、キーカードは♢A〜10を一枚。"""

TWIST_TARGET: Final = Clause("BP-9.10")
"""The target of Twist is one character of either player.

ツイストの対象は、いずれかのプレイヤーのキャラクター一体。"""

TWIST_STATE: Final = Clause("BP-9.11")
"""The target of Twist becomes charged or driven, which its controller names {twist.choose}.

ツイストの対象はチャージ状態またはドライブ状態になる。どちらにするかは、コントローラーが{twist.choose}決める。"""

COUNTER: Final = Clause("BP-9.12")
"""Counter is requested directly, normal, quick, at cost D, with one ♣ A to 10 as key card.

カウンターは直接・通常・クイック。コストはD、キーカードは♣A〜10を一枚。"""

COUNTER_TARGET: Final = Clause("BP-9.13")
"""The target of Counter is a request with at least one and at most {counter.max_keys} key cards;
{counter.number_check}, and {counter.own_requests}.

カウンターの対象は、キーカードが1枚以上{counter.max_keys}枚以下のリクエスト。{counter.number_check}。
{counter.own_requests}。"""

COUNTER_ONE_KEY: Final = Clause("BP-9.14")
"""Counter nullifies a target with one key card if its own number is at least that card's number.

カウンターは、対象のキーカードが一枚なら、自身の数字がその数字以上の時に無効にする。"""

COUNTER_TWO_KEYS: Final = Clause("BP-9.15")
"""Counter nullifies a target with two or more key cards whatever the numbers.

カウンターは、対象のキーカードが二枚以上なら、数字によらず無効にする。"""

COUNTER_REMOVES: Final = Clause("BP-9.16")
"""Nullifying takes the target off the stage and sends its key cards to the grave.

無効にしたリクエストはステージから除き、そのキーカードを墓地に移す。"""

COUNTER_FAILS: Final = Clause("BP-9.17")
"""If its number is too low for a target with one key card, Counter does nothing and the target stays.

カウンターの数字が、キーカード一枚の対象に足りなければ何も起きず、対象はそのまま残る。"""

SEARCH: Final = Clause("BP-9.18")
"""Search is requested directly, immediate, quick, without cost, with one Joker as key card.

サーチは直接・即時・クイック。コストは無く、キーカードはJokerを一枚。"""

SEARCH_FINDS: Final = Clause("BP-9.19")
"""The controller of Search picks any card of the own life, shows it to the opponent and takes it to hand.

サーチでは、コントローラーが自分のライフから好きな一枚を選び、対戦相手に見せて手札に加える。"""

SEARCH_SHUFFLES: Final = Clause("BP-9.20")
"""After Search that life is shuffled.

サーチの後、そのライフを切りなおす。"""

# Normal magic

DESTROY_BULWARK: Final = Clause("BP-10.1")
"""Destroy bulwark is requested directly, normal, main, without cost, with one ♡ and one ♢, each A to K, as key cards.

防壁破壊は直接・通常・メイン。コストは無く、キーカードは♡A〜Kと♢A〜Kを一枚ずつ。"""

DESTROY_TARGET: Final = Clause("BP-10.2")
"""The target of Destroy bulwark is one bulwark of either player.

防壁破壊の対象は、いずれかのプレイヤーの防壁一体。"""

DESTROYED: Final = Clause("BP-10.3")
"""Destroy bulwark moves its target from the field to the grave.

防壁破壊は、対象の防壁を場から墓地に移す。"""

THROWING: Final = Clause("BP-10.4")
"""Throwing is requested directly, normal, main, without cost, with one ♠ and one ♣, each A to K, as key cards.

投擲は直接・通常・メイン。コストは無く、キーカードは♠A〜Kと♣A〜Kを一枚ずつ。"""

THROWING_TARGET: Final = Clause("BP-10.5")
"""The target of Throwing is the opponent.

投擲の対象は対戦相手。"""

THROWING_DAMAGE: Final = Clause("BP-10.6")
"""Throwing deals damage equal to the number of {throwing.damage_suit}.

投擲は、{throwing.damage_suit}の数字と同じ点数のダメージを与える。"""

# Characters

CHARACTERS: Final = Clause("BP-11.1")
"""A character is either a soldier or a bulwark.

キャラクターは兵士か防壁のいずれか。"""

COMMON_SOLDIER: Final = Clause("BP-11.2")
"""Common soldier: one face-up 2 to 10; its size is its number; labels attacker and blocker.

一般兵は表向きの2〜10一枚。サイズはその数字。<アタッカー><ブロッカー>を持つ。"""

HERO: Final = Clause("BP-11.3")
"""Hero: one face-up J, Q or K; size 11, 12 or 13; labels attacker and blocker.

英雄は表向きのJ・Q・K一枚。サイズは11・12・13。<アタッカー><ブロッカー>を持つ。"""

ACE: Final = Clause("BP-11.4")
"""Ace: one face-up A; size 1; labels attacker, blocker and haste.

エースは表向きのA一枚。サイズは1。<アタッカー><ブロッカー><速攻>を持つ。"""

ARMED_SOLDIER: Final = Clause("BP-11.5")
"""Armed soldier: two or more face-up cards of one suit; its size is the sum of their numbers; labels attacker and
blocker, and haste if {armed.haste_from}.

装備兵は表向きの同じスート二枚以上。サイズは数字の合計。<アタッカー><ブロッカー>を持ち、{armed.haste_from}なら<速攻>も持
つ。"""

BULWARK: Final = Clause("BP-11.6")
"""Bulwark: any one face-down card (a preset one may lie face up, BP-3.4); no size; label blocker.

防壁は裏向きの一枚で、どのカードでもよい（プリセットは表向きのことがある、BP-3.4）。サイズは無く、<ブロッカー>を持つ。
"""

SIZE: Final = Clause("BP-11.7")
"""A soldier's size is its base size plus all fogs on it that count.

兵士のサイズは、元のサイズに、掛かっていて数えるフォグ全てを足し引きしたもの。"""

SMALL_SIZE_STAYS: Final = Clause("BP-11.8")
"""A size of 0 or less does not by itself send a soldier to the grave.

サイズが0以下というだけでは、兵士は墓地に移らない。"""

STANCES: Final = Clause("BP-11.9")
"""Charged means unused, driven means used; there is no third stance.

チャージ状態は未使用、ドライブ状態は使用済みで、その他の状態は無い。"""

RECOGNISED: Final = Clause("BP-11.10")
"""Which character a unit is follows from its cards and their facing, and is read anew whenever these change.

ユニットがどのキャラクターかは、カードとその向きで決まり、変わるたびに読み直す。"""

# Fog

FOG_UP: Final = Clause("BP-12.1")
"""An Up in the fog raises its target's size by its card's number while it counts.

フォグのアップは、数える間、対象のサイズをその数字だけ増やす。"""

FOG_DOWN: Final = Clause("BP-12.2")
"""A Down in the fog lowers its target's size by its card's number while it counts.

フォグのダウンは、数える間、対象のサイズをその数字だけ減らす。"""

FOG_LIES_WITH_CONTROLLER: Final = Clause("BP-12.3")
"""A fog card lies in the fog of the request's controller, whoever owns the target.

フォグのカードは、対象が誰のものでも、リクエストのコントローラーのフォグに置く。"""

FOG_STOPS: Final = Clause("BP-12.4")
"""How long fogs count and lie: {fog.end_scope}.

フォグを数え、置いておく期間は次の通り。{fog.end_scope}。"""

FOG_LEAVES: Final = Clause("BP-12.5")
"""A fog card leaves the fog only in an End that clears it.

フォグのカードは、片付ける番のエンドでだけフォグを離れる。"""

FOG_OUTLIVES_TARGET: Final = Clause("BP-12.6")
"""If the target of a fog leaves the field the fog stays, without effect.

対象が場を離れても、フォグは効果の無いまま残る。"""

FOGS_ADD_UP: Final = Clause("BP-12.7")
"""Several fogs on one soldier add up.

一体に掛かった複数のフォグは合わせて数える。"""

# End of the match, conduct

LIFE_EMPTY: Final = Clause("BP-13.1")
"""A player whose life is empty at a win check loses.

勝敗判定でライフが無いプレイヤーは負ける。"""

TURN_PLAYER_CHECKED_FIRST: Final = Clause("BP-13.2")
"""The turn player's life is looked at first; if both are empty {winner.both_zero}.

ターンプレイヤーのライフを先に見る。双方とも無ければ{winner.both_zero}。"""

NO_DRAWN_MATCH: Final = Clause("BP-13.3")
"""A match is not drawn unless BP-13.2 says so.

BP-13.2が定めない限り、引き分けは無い。"""

CONCESSION: Final = Clause("BP-13.4")
"""A player may concede at any time and then loses.

プレイヤーはいつでも投了でき、投了すれば負ける。"""

JUDGE_DECISION: Final = Clause("BP-13.5")
"""A judge may end a match by naming the winner and giving a reason, both of which are recorded.

審判は、勝者と理由を示して対戦を終わらせることができ、いずれも記録する。"""

MATCH_GOES_ON: Final = Clause("BP-13.6")
"""After the end of the match no action is accepted.

対戦が終わった後は、どの行為も受け付けない。"""

SHORTCUTS: Final = Clause("BP-13.7")
"""Spoken shortcuts stand for the passes they imply; where the players meant different things the match goes back to the
last point both agree on.

言葉による省略は、それが含むパスを意味する。双方の理解が違った時は、両者が一致する最後の時点まで戻す。"""
