"""Effects on the table, and the resolution of stack items."""
