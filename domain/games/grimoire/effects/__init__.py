"""Effects on objects: small moves, leaving the field, triggers, and the interpreter of card text."""
