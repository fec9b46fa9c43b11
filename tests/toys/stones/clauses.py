"""The clauses of Stepping Stones by readable names, in the order of the rulebook."""

from domain.law.clause import Clause

# Before the first step
FOUR_WALKERS = Clause("ST-1.1")
OWN_BANK = Clause("ST-1.2")
BY_TURNS = Clause("ST-1.3")

# A step
TURN = Clause("ST-2.1")
NAMED = Clause("ST-2.2")
OWN_PIECE = Clause("ST-2.3")
NEIGHBOUR = Clause("ST-2.4")
NOT_ON_OWN = Clause("ST-2.5")
UNDER_WATER = Clause("ST-2.6")
TAKEN = Clause("ST-2.7")
RUNNER = Clause("ST-2.8")

# The end
CROSSED = Clause("ST-3.1")
STUCK = Clause("ST-3.2")
GIVEN_UP = Clause("ST-3.3")
OFFERED = Clause("ST-3.4")
AGREED = Clause("ST-3.5")
OVER = Clause("ST-3.6")
BY_HAND = Clause("ST-3.7")
