"""Machinery without a single rule, for the law of any game: no noun of a game, no clause, no ruleset."""
