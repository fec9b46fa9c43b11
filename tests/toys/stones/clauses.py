"""The clauses of Stepping Stones, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# Before the first step

FOUR_WALKERS: Final = Clause("ST-1.1")
"""Each player brings four walkers.

各プレイヤーは歩き手を四人用いる。"""

OWN_BANK: Final = Clause("ST-1.2")
"""The walkers stand on the stones of their player's own bank, all in sight.

歩き手は自分の岸の石に、全員が見えるように立つ。"""

BY_TURNS: Final = Clause("ST-1.3")
"""Player 1 begins, and the players step by turns.

プレイヤー1から始め、交互に一歩ずつ進む。"""

# A step

TURN: Final = Clause("ST-2.1")
"""Only the player whose turn it is steps or takes up an offer.

歩くことと申し出を受けることは、手番のプレイヤーだけが行える。"""

NAMED: Final = Clause("ST-2.2")
"""A step names a piece on the stones and a stone to step to.

一歩には石の上の駒と、移る先の石を指定する。"""

OWN_PIECE: Final = Clause("ST-2.3")
"""Only one's own pieces are stepped with.

動かせるのは自分の駒だけである。"""

NEIGHBOUR: Final = Clause("ST-2.4")
"""A step leads to a neighbouring stone, a corner being a neighbour too; a walker never steps back.

移る先は斜めを含む隣の石であり、歩き手は後ろへは戻れない。"""

NOT_ON_OWN: Final = Clause("ST-2.5")
"""Nobody steps onto a stone on which an own piece stands.

自分の駒が立つ石には移れない。"""

UNDER_WATER: Final = Clause("ST-2.6")
"""A stone bears {wear} arrivals and is under water from then on: nobody steps onto it any more.

石は{wear}回まで到着に耐え、その後は水に沈んで誰も移れない。"""

TAKEN: Final = Clause("ST-2.7")
"""A piece of the opponent on the stone that is stepped onto is taken; {taking}.

移った先に相手の駒があればそれを取る。取り方は、{taking}。"""

RUNNER: Final = Clause("ST-2.8")
"""A walker that steps onto the far bank is replaced by a runner.

向こう岸に着いた歩き手は走り手に替わる。"""

# The end

CROSSED: Final = Clause("ST-3.1")
"""Whoever has {goal} runners at the end of a step wins.

一歩の終わりに走り手を{goal}人持つプレイヤーの勝ちとなる。"""

STUCK: Final = Clause("ST-3.2")
"""A player who is to step and cannot {stuck}.

手番で動ける駒のないプレイヤーは{stuck}。"""

GIVEN_UP: Final = Clause("ST-3.3")
"""Whoever gives up loses.

投了したプレイヤーの負けとなる。"""

OFFERED: Final = Clause("ST-3.4")
"""A draw is offered while the opponent is to step, and once a turn.

引き分けは相手の手番の間に、一手番に一度だけ申し出られる。"""

AGREED: Final = Clause("ST-3.5")
"""Whoever takes up an offer of a draw ends the match without a winner.

引き分けの申し出を受けると、勝者なしで対戦が終わる。"""

OVER: Final = Clause("ST-3.6")
"""Nothing is done once the match is over.

対戦が終われば何も行えない。"""

BY_HAND: Final = Clause("ST-3.7")
"""A judge sets right what the players got wrong.

プレイヤーの誤りは審判が正す。"""
