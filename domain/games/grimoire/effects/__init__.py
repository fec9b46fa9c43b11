"""Effects on the table: moves, departures, losses, triggers, and the interpreter of card text."""
