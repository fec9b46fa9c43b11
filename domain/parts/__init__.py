"""Building blocks for the law of any game, without rules, clauses or terms of a game."""
