"""The clauses of Stepping Stones, made from `rulebook.toml` by `python -m tools.clauses`; change them there."""

from typing import Final

from domain.law.clause import Clause

# Before the first step
FOUR_WALKERS: Final = Clause("ST-1.1")  # Each player brings four walkers.
OWN_BANK: Final = Clause("ST-1.2")  # The walkers stand on the stones of their player's own bank, all in sight.
BY_TURNS: Final = Clause("ST-1.3")  # Player 1 begins, and the players step by turns.
# A step
TURN: Final = Clause("ST-2.1")  # Only the player whose turn it is steps or takes up an offer.
NAMED: Final = Clause("ST-2.2")  # A step names a piece on the stones and a stone to step to.
OWN_PIECE: Final = Clause("ST-2.3")  # Only one's own pieces are stepped with.
NEIGHBOUR: Final = Clause("ST-2.4")  # A step leads to a neighbouring stone, a corner being a neighbour too; a walker never steps back.
NOT_ON_OWN: Final = Clause("ST-2.5")  # A step never leads onto a stone with an own piece.
UNDER_WATER: Final = Clause("ST-2.6")  # A stone bears {wear} arrivals. After that it is under water, and no piece steps onto it.
TAKEN: Final = Clause("ST-2.7")  # A piece of the opponent on the stone that is stepped onto is taken; {taking}.
RUNNER: Final = Clause("ST-2.8")  # A walker that steps onto the far bank is replaced by a runner.
# The end
CROSSED: Final = Clause("ST-3.1")  # A player with {goal} runners at the end of a step wins.
STUCK: Final = Clause("ST-3.2")  # A player who is to step and cannot {stuck}.
GIVEN_UP: Final = Clause("ST-3.3")  # A player who gives up loses.
OFFERED: Final = Clause("ST-3.4")  # A draw is offered while the opponent is to step, and once a turn.
AGREED: Final = Clause("ST-3.5")  # An accepted offer of a draw ends the match without a winner.
OVER: Final = Clause("ST-3.6")  # Nothing is done once the match is over.
BY_HAND: Final = Clause("ST-3.7")  # A judge sets right what the players got wrong.
